#include "check/counterexample/accuracy.h"

#include <string.h>

#include "base/vec.h"
#include "lang/syntax/walk.h"

typedef VEC(struct ast_stmt *) stmt_list;

struct maker {
  struct arena *arena;
  const struct ast_decl *claim;
  size_t slots;            /* of the frame */
  struct ast_var *emitted; /* NULL: the formula does not speak of what is emitted */
  bool failed;
};

static struct ast_block make_block(struct maker *m, stmt_list *list, struct span span) {
  struct ast_block b = {.count = list->len, .span = span};
  if (list->len) b.stmts = arena_memdup(m->arena, list->at, list->len * sizeof *list->at);
  vec_clear(list);
  return b;
}

static struct ast_stmt *make_stmt(struct maker *m, enum stmt_kind kind, struct span span) {
  struct ast_stmt *s = arena_new(m->arena, struct ast_stmt);
  *s = (struct ast_stmt){.kind = kind, .span = span};
  return s;
}

static struct ast_stmt *make_return(struct maker *m, struct span span, bool value) {
  struct ast_stmt *s = make_stmt(m, STMT_RETURN, span);
  s->as.value = arena_new(m->arena, struct ast_expr);
  *s->as.value =
      (struct ast_expr){.kind = EXPR_BOOL, .span = span, .type = m->claim->as.claim.formula->type};
  s->as.value->as.boolean = value;
  return s;
}

/* ---- the formula ------------------------------------------------------------------------------ */

static void look_for_quantifier(const struct ast_expr *e, void *context) {
  bool *found = context;
  const struct ast_decl *let = e->kind == EXPR_CALL   ? e->as.call.decl
                               : e->kind == EXPR_NAME ? e->as.name.decl
                                                      : NULL;
  if (let && let->kind == DECL_LET) look_for_quantifier(let->as.let.body, found);
  if (e->kind == EXPR_QUANT && !e->as.quant.is_sum) *found = true; /* sums are evaluated */
  walk_parts(e, look_for_quantifier, found);
}

static bool has_quantifier(const struct ast_expr *e) {
  bool found = false;
  look_for_quantifier(e, &found);
  return found;
}

static void put_test(struct maker *m, stmt_list *out, struct ast_expr *e);

static struct ast_block make_test(struct maker *m, struct ast_expr *e) {
  stmt_list list = {0};
  put_test(m, &list, e);
  return make_block(m, &list, e->span);
}

/* for i in a..b { .. }, one inside the other; then the body. */
static void put_range(struct maker *m, stmt_list *out, const struct ast_expr *e, size_t at) {
  if (at == e->as.quant.count) {
    put_test(m, out, e->as.quant.body);
    return;
  }
  const struct ast_binder *b = &e->as.quant.binders[at];
  if (!b->low) m->failed = true;
  if (m->failed) return;
  if (b->var->slot >= m->slots) m->slots = b->var->slot + 1;
  struct ast_stmt *s = make_stmt(m, STMT_FOR, e->span);
  stmt_list inner = {0};
  put_range(m, &inner, e, at + 1);
  s->as.range.var = b->var;
  s->as.range.low = b->low;
  s->as.range.high = b->high;
  s->as.range.body = make_block(m, &inner, e->span);
  vec_push(out, s);
}

/* Statements that return false if the formula does not hold, and else go on. */
static void put_test(struct maker *m, stmt_list *out, struct ast_expr *e) {
  bool is_binary = e->kind == EXPR_BINARY;
  if (!has_quantifier(e)) {
    struct ast_stmt *s = make_stmt(m, STMT_IF, e->span);
    stmt_list no = {0}, yes = {0};
    vec_push(&no, make_return(m, e->span, false));
    s->as.branch.cond = e;
    s->as.branch.then = make_block(m, &yes, e->span);
    s->as.branch.otherwise = make_block(m, &no, e->span);
    s->as.branch.has_else = true;
    vec_push(out, s);
  } else if (is_binary && e->as.binary.op == BINARY_AND) {
    put_test(m, out, e->as.binary.left);
    put_test(m, out, e->as.binary.right);
  } else if (is_binary && e->as.binary.op == BINARY_IMPLIES && !has_quantifier(e->as.binary.left)) {
    struct ast_stmt *s = make_stmt(m, STMT_IF, e->span);
    s->as.branch.cond = e->as.binary.left;
    s->as.branch.then = make_test(m, e->as.binary.right);
    vec_push(out, s);
  } else if (e->kind == EXPR_QUANT && e->as.quant.is_forall && !e->as.quant.is_sum) {
    put_range(m, out, e, 0);
  } else {
    m->failed = true;
  }
}

/* ---- the program ------------------------------------------------------------------------------ */

static struct ast_block copy_block(struct maker *m, const struct ast_block *b);

static void put_set(struct maker *m, stmt_list *out, struct ast_var *var, struct ast_expr *value) {
  struct ast_stmt *set = make_stmt(m, STMT_ASSIGN, value->span);
  set->as.assign.targets = arena_new(m->arena, struct ast_target);
  set->as.assign.targets[0] = (struct ast_target){.name = var->name, .var = var};
  set->as.assign.count = 1;
  set->as.assign.value = value;
  vec_push(out, set);
}

/* The formula; return true */
static void put_end(struct maker *m, stmt_list *out, struct span span) {
  put_test(m, out, m->claim->as.claim.formula);
  vec_push(out, make_return(m, span, true));
}

/* [item], or [] */
static struct ast_expr *make_list(struct maker *m, struct span span, struct ast_expr *item) {
  struct ast_expr *e = arena_new(m->arena, struct ast_expr);
  *e = (struct ast_expr){.kind = EXPR_LIST, .span = span, .type = m->emitted->type};
  e->as.list.items = arena_memdup(m->arena, &item, sizeof item);
  e->as.list.count = item ? 1 : 0;
  return e;
}

/* emitted := emitted ++ [e] */
static void put_emit(struct maker *m, stmt_list *out, const struct ast_stmt *s) {
  struct ast_expr *before = arena_new(m->arena, struct ast_expr),
                  *after = arena_new(m->arena, struct ast_expr);
  *before = (struct ast_expr){.kind = EXPR_NAME, .span = s->span, .type = m->emitted->type};
  before->as.name.text = m->emitted->name.text;
  before->as.name.var = m->emitted;
  *after = (struct ast_expr){.kind = EXPR_BINARY, .span = s->span, .type = m->emitted->type};
  after->as.binary.op = BINARY_APPEND;
  after->as.binary.left = before;
  after->as.binary.right = make_list(m, s->span, s->as.value);
  put_set(m, out, m->emitted, after);
}

static void put_stmt(struct maker *m, stmt_list *out, struct ast_stmt *s) {
  if (s->kind == STMT_EMIT) {
    if (m->emitted) put_emit(m, out, s);
    return;
  }
  if (s->kind == STMT_RETURN) {
    if (s->as.value) put_set(m, out, m->claim->as.claim.result, s->as.value);
    put_end(m, out, s->span);
    return;
  }
  struct ast_stmt *copy = arena_memdup(m->arena, s, sizeof *s);
  if (s->kind == STMT_IF) {
    copy->as.branch.then = copy_block(m, &s->as.branch.then);
    copy->as.branch.otherwise = copy_block(m, &s->as.branch.otherwise);
  } else if (s->kind == STMT_WHILE) {
    copy->as.loop.body = copy_block(m, &s->as.loop.body);
  } else if (s->kind == STMT_FOR) {
    copy->as.range.body = copy_block(m, &s->as.range.body);
  }
  vec_push(out, copy);
}

static struct ast_block copy_block(struct maker *m, const struct ast_block *b) {
  stmt_list list = {0};
  for (size_t i = 0; i < b->count; i++)
    put_stmt(m, &list, b->stmts[i]);
  return make_block(m, &list, b->span);
}

static void look_for_emitted(const struct ast_expr *e, void *context) {
  struct maker *m = context;
  struct ast_var *emitted = m->claim->as.claim.emitted;
  if (e->kind == EXPR_NAME && e->as.name.var == emitted) m->emitted = emitted;
  walk_parts(e, look_for_emitted, m);
}

/* emitted := []; the program; at its end, if it may get there without a return, the formula */
static struct ast_block make_body(struct maker *m, const struct ast_routine *r) {
  stmt_list list = {0};
  if (m->emitted) put_set(m, &list, m->emitted, make_list(m, r->plain.span, NULL));
  for (size_t i = 0; i < r->plain.count; i++)
    put_stmt(m, &list, r->plain.stmts[i]);
  if (!r->returns) put_end(m, &list, r->plain.span);
  return make_block(m, &list, r->plain.span);
}

const struct ast_decl *accuracy_mechanism(struct lang *lang, const struct ast_decl *claim) {
  const struct ast_decl *target = claim->as.claim.target;
  const struct ast_routine *r = target->as.mechanism.routine;
  struct maker m = {.arena = &lang->arena, .claim = claim, .slots = r->slot_count + 2};
  if (r->oracle_count) return NULL;
  if (claim->as.claim.emitted) look_for_emitted(claim->as.claim.formula, &m);
  struct ast_decl *decl = arena_memdup(m.arena, target, sizeof *target);
  struct ast_routine *routine = arena_memdup(m.arena, r, sizeof *r);
  struct ast_type *returns = arena_new(m.arena, struct ast_type);
  *returns = (struct ast_type){
      .kind = TYPE_BOOL, .span = claim->span, .type = claim->as.claim.formula->type};
  routine->plain = make_body(&m, r); /* which is what the engine runs */
  routine->body = routine->plain;
  routine->emits = NULL;
  routine->returns = returns;
  routine->slot_count = m.slots;
  decl->as.mechanism.routine = routine;
  return m.failed ? NULL : decl;
}
