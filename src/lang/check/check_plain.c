/* Sugar: the `plain` body of a routine, which is what is run and proved, says the same as the body
 * as written, without `break`, `continue` and functions of arrays (check_arrays.c).
 *
 * Where a branch leaves the body of the loop for sure, what follows moves into the other one, and a
 * `continue` is nothing. A `break` sets a flag, at which the loop ends (in a `for` loop: its field
 * `stop`; in a `while` loop: a part of the condition). Behind a branch that may jump or not, a flag
 * guards the rest. A `break` out of a loop that little follows does that instead and returns: no
 * flag then, and proofs know what to do about returns.
 *
 * Statements that need no change are shared with the body as written; new ones have the place of
 * the statement that they stand for. */
#include "lang/check/check_plain.h"
#include "base/limits.h"

enum { MOST_COPIED = 4 }; /* statements that stand for a `break` */

/* The loop around a statement, and how its jumps are said. */
struct plain_loop {
  struct ast_var *stop;         /* set by `break`; NULL: */
  struct ast_stmt *const *rest; /* what follows the loop takes its place */
  size_t rest_count;
  struct ast_var *skip; /* set by `continue` if something asks for it */
};

static void plain_stmts(struct plain *p, struct plain_loop *loop, struct ast_stmt *const *stmts,
                        size_t count, stmt_vec *out, bool top);

/* ---- jumps ------------------------------------------------------------------------------------
 */

static bool stmt_jumps(const struct ast_stmt *s, enum stmt_kind kind) {
  if (s->kind == kind) return true;
  return s->kind == STMT_IF &&
         (block_jumps(&s->as.branch.then, kind) || block_jumps(&s->as.branch.otherwise, kind));
}

bool block_jumps(const struct ast_block *b, enum stmt_kind kind) {
  for (size_t i = 0; i < b->count; i++)
    if (stmt_jumps(b->stmts[i], kind)) return true;
  return false;
}

/* Is what follows never reached? */
static bool always_leaves(struct ast_stmt *const *stmts, size_t count) {
  for (size_t i = 0; i < count; i++) {
    const struct ast_stmt *s = stmts[i];
    if (s->kind == STMT_BREAK || s->kind == STMT_CONTINUE || s->kind == STMT_RETURN) return true;
    if (s->kind == STMT_IF && always_leaves(s->as.branch.then.stmts, s->as.branch.then.count) &&
        always_leaves(s->as.branch.otherwise.stmts, s->as.branch.otherwise.count))
      return true;
  }
  return false;
}

static bool samples_sugar(const struct ast_stmt *s) {
  return s->kind == STMT_SAMPLE && s->as.sample.dist.sugar;
}

/* Is there any sugar in the block, at any depth? */
static bool has_sugar(const struct ast_block *b) {
  for (size_t i = 0; i < b->count; i++) {
    const struct ast_stmt *s = b->stmts[i];
    if (stmt_reduces(s) || samples_sugar(s)) return true;
    switch (s->kind) {
    case STMT_BREAK:
    case STMT_CONTINUE: return true;
    case STMT_IF:
      if (has_sugar(&s->as.branch.then) || has_sugar(&s->as.branch.otherwise)) return true;
      break;
    case STMT_WHILE:
      if (has_sugar(&s->as.loop.body)) return true;
      break;
    case STMT_FOR:
      if (has_sugar(&s->as.range.body)) return true;
      break;
    default: break;
    }
  }
  return false;
}

/* ---- what is made -----------------------------------------------------------------------------
 */

static struct arena *arena_of(struct plain *p) {
  return &p->c->lang->arena;
}

struct ast_var *plain_var(struct plain *p, const char *word, const struct type *type,
                          struct span span) {
  char *name = arena_printf(arena_of(p), "%s'%u", word, ++p->made);
  return add_local(p->c, p->r, (struct ast_name){intern_str(&p->c->lang->intern, name), span},
                   type);
}

struct ast_expr *plain_expr(struct plain *p, enum expr_kind kind, const struct type *type,
                            struct span span) {
  struct ast_expr *e = arena_new(arena_of(p), struct ast_expr);
  *e = (struct ast_expr){.kind = kind, .span = span, .type = type};
  return e;
}

struct ast_expr *plain_name(struct plain *p, struct ast_var *var, struct span span) {
  struct ast_expr *e = plain_expr(p, EXPR_NAME, var->type, span);
  e->as.name.text = var->name.text;
  e->as.name.var = var;
  return e;
}

struct ast_expr *plain_binary(struct plain *p, enum binary_op op, const struct type *type,
                              struct ast_expr *a, struct ast_expr *b) {
  struct ast_expr *e = plain_expr(p, EXPR_BINARY, type, b->span);
  e->as.binary.op = op;
  e->as.binary.left = a;
  e->as.binary.right = b;
  return e;
}

struct ast_stmt *plain_stmt(struct plain *p, enum stmt_kind kind, struct span span) {
  struct ast_stmt *s = arena_new(arena_of(p), struct ast_stmt);
  *s = (struct ast_stmt){.kind = kind, .span = span};
  return s;
}

struct ast_stmt *plain_assign(struct plain *p, struct ast_var *var, struct ast_expr *value,
                              struct span span) {
  struct ast_stmt *s = plain_stmt(p, STMT_ASSIGN, span);
  struct ast_target target = {.name = {var->name.text, span}, .var = var};
  s->as.assign.targets = arena_memdup(arena_of(p), &target, sizeof target);
  s->as.assign.count = 1;
  s->as.assign.value = value;
  return s;
}

static struct ast_var *new_flag(struct plain *p, const char *word, struct span span) {
  return plain_var(p, word, p->c->types->boolean, span);
}

static struct ast_expr *not_flag(struct plain *p, struct ast_var *flag, struct span span) {
  struct ast_expr *e = plain_expr(p, EXPR_UNARY, p->c->types->boolean, span);
  e->as.unary.op = UNARY_NOT;
  e->as.unary.operand = plain_name(p, flag, span);
  return e;
}

static struct ast_expr *both(struct plain *p, struct ast_expr *a, struct ast_expr *b) {
  return plain_binary(p, BINARY_AND, p->c->types->boolean, a, b);
}

static struct ast_stmt *set_flag(struct plain *p, struct ast_var *flag, bool value,
                                 struct span span) {
  struct ast_expr *truth = plain_expr(p, EXPR_BOOL, p->c->types->boolean, span);
  truth->as.boolean = value;
  return plain_assign(p, flag, truth, span);
}

static struct ast_stmt *copy_of(struct plain *p, const struct ast_stmt *s) {
  return arena_memdup(arena_of(p), s, sizeof *s);
}

struct ast_block as_block(struct plain *p, stmt_vec *stmts, struct span span) {
  struct ast_block b = {.count = stmts->len, .span = span};
  b.stmts = arena_take_vec(arena_of(p), stmts);
  return b;
}

struct ast_expr *plain_number(struct plain *p, ulong value, struct span span) {
  struct ast_expr *e = plain_expr(p, EXPR_NUMBER, p->c->types->integer, span);
  e->as.number.value = arena_new(arena_of(p), fmpq);
  fmpq_init(e->as.number.value);
  fmpq_set_ui(e->as.number.value, value, 1);
  e->as.number.text = intern_str(&p->c->lang->intern, arena_printf(arena_of(p), "%lu", value));
  return e;
}

static struct ast_block plain_block(struct plain *p, struct plain_loop *loop,
                                    struct ast_stmt *const *stmts, size_t count, struct span span) {
  stmt_vec out = {0};
  plain_stmts(p, loop, stmts, count, &out, false);
  return as_block(p, &out, span);
}

/* ---- statements -------------------------------------------------------------------------------
 */

static void plain_break(struct plain *p, const struct plain_loop *loop, const struct ast_stmt *s,
                        stmt_vec *out) {
  if (loop->stop) {
    vec_push(out, set_flag(p, loop->stop, true, s->span));
    return;
  }
  for (size_t i = 0; i < loop->rest_count; i++)
    vec_push(out, copy_of(p, loop->rest[i]));
  if (always_leaves(loop->rest, loop->rest_count)) return;
  vec_push(out, plain_stmt(p, STMT_RETURN, s->span));
}

/* The statements of a block and those that follow it, as one block. */
static struct ast_block followed(struct plain *p, struct plain_loop *loop,
                                 const struct ast_block *b, struct ast_stmt *const *rest,
                                 size_t count) {
  if (++p->depth > LIMIT_NESTING) {
    p->too_deep = true;
    count = 0;
  }
  stmt_vec all = {0};
  for (size_t i = 0; i < b->count; i++)
    vec_push(&all, b->stmts[i]);
  for (size_t i = 0; i < count; i++)
    vec_push(&all, rest[i]);
  struct ast_block whole = plain_block(p, loop, all.at, all.len, b->span);
  vec_clear(&all);
  p->depth--;
  return whole;
}

/* A branch that may jump, and the statements behind it. */
static void plain_jumping_if(struct plain *p, struct plain_loop *loop, const struct ast_stmt *s,
                             struct ast_stmt *const *rest, size_t count, stmt_vec *out) {
  const struct ast_block *a = &s->as.branch.then, *b = &s->as.branch.otherwise;
  bool leaves_a = always_leaves(a->stmts, a->count), leaves_b = always_leaves(b->stmts, b->count);
  bool guarded = count && !leaves_a && !leaves_b;
  bool skips = guarded && stmt_jumps(s, STMT_CONTINUE);
  if (skips) {
    if (!loop->skip) loop->skip = new_flag(p, "skip", s->span);
    vec_push(out, set_flag(p, loop->skip, false, s->span));
  }
  struct ast_stmt *copy = copy_of(p, s);
  copy->as.branch.then = followed(p, loop, a, rest, leaves_b && !leaves_a ? count : 0);
  copy->as.branch.otherwise = followed(p, loop, b, rest, leaves_a && !leaves_b ? count : 0);
  copy->as.branch.has_else = copy->as.branch.otherwise.count > 0;
  vec_push(out, copy);
  if (!guarded) return;
  struct ast_expr *go = skips ? not_flag(p, loop->skip, s->span) : NULL;
  if (loop->stop && stmt_jumps(s, STMT_BREAK)) {
    struct ast_expr *stays = not_flag(p, loop->stop, s->span);
    go = go ? both(p, stays, go) : stays;
  }
  if (!go) { /* a `break` that returns */
    plain_stmts(p, loop, rest, count, out, false);
    return;
  }
  struct ast_stmt *then = plain_stmt(p, STMT_IF, s->span);
  then->as.branch.cond = go;
  then->as.branch.then = plain_block(p, loop, rest, count, s->span);
  vec_push(out, then);
}

/* May what follows a loop stand for a `break`? */
static bool may_copy(struct ast_stmt *const *rest, size_t count) {
  for (size_t i = 0; i < count; i++) {
    const struct ast_stmt *s = rest[i];
    if (stmt_reduces(s)) return false;
    bool computes =
        s->kind == STMT_ASSIGN && !(s->as.assign.value->kind == EXPR_CALL &&
                                    s->as.assign.value->as.call.callee_kind >= CALLEE_PROCEDURE);
    if (!computes && s->kind != STMT_SKIP && s->kind != STMT_EMIT && s->kind != STMT_RETURN)
      return false;
  }
  return count <= MOST_COPIED;
}

static void plain_loop(struct plain *p, const struct ast_stmt *s, struct ast_stmt *const *rest,
                       size_t count, stmt_vec *out, bool top) {
  struct ast_stmt *copy = copy_of(p, s);
  bool is_while = s->kind == STMT_WHILE;
  struct ast_block *body = is_while ? &copy->as.loop.body : &copy->as.range.body;
  struct plain_loop loop = {.rest = rest, .rest_count = count};
  if (block_jumps(body, STMT_BREAK) && !(top && may_copy(rest, count))) {
    loop.stop = new_flag(p, "stop", s->span);
    vec_push(out, set_flag(p, loop.stop, false, s->span));
  }
  *body = plain_block(p, &loop, body->stmts, body->count, body->span);
  if (loop.stop && is_while)
    copy->as.loop.cond = both(p, not_flag(p, loop.stop, s->as.loop.cond->span), copy->as.loop.cond);
  else
    copy->as.range.stop = loop.stop;
  vec_push(out, copy);
}

static void plain_if(struct plain *p, struct plain_loop *loop, const struct ast_stmt *s,
                     stmt_vec *out) {
  struct ast_stmt *copy = copy_of(p, s);
  struct ast_block *a = &copy->as.branch.then, *b = &copy->as.branch.otherwise;
  *a = plain_block(p, loop, a->stmts, a->count, a->span);
  *b = plain_block(p, loop, b->stmts, b->count, b->span);
  vec_push(out, copy);
}

/* x := value, for the x of x <$ .. */
static struct ast_stmt *assign_target(struct plain *p, const struct ast_stmt *s,
                                      struct ast_expr *value) {
  struct ast_stmt *set = plain_stmt(p, STMT_ASSIGN, s->span);
  set->as.assign.targets =
      arena_memdup(arena_of(p), &s->as.sample.target, sizeof s->as.sample.target);
  set->as.assign.count = 1;
  set->as.assign.value = value;
  return set;
}

/* x <$ Categorical(v, w, ..): 0 with probability v/(v + w + ..), else a choice among the others. */
static void plain_choice(struct plain *p, const struct ast_stmt *s, stmt_vec *out) {
  const struct ast_dist *d = &s->as.sample.dist;
  struct ast_block rest = {0};
  struct ast_expr *total = NULL;
  for (size_t i = d->count; i-- > 0;) {
    stmt_vec stmts = {0}, hit = {0};
    struct ast_stmt *set = assign_target(p, s, plain_number(p, i, s->span));
    total = total ? plain_binary(p, BINARY_ADD, p->c->types->real, d->args[i], total) : d->args[i];
    if (i + 1 == d->count) {
      vec_push(&stmts, set);
    } else {
      struct ast_var *flag = new_flag(p, "chosen", s->span);
      struct ast_expr *chance = plain_binary(p, BINARY_DIV, p->c->types->real, d->args[i], total);
      struct ast_stmt *coin = plain_stmt(p, STMT_SAMPLE, s->span),
                      *branch = plain_stmt(p, STMT_IF, s->span);
      coin->as.sample.target = (struct ast_target){.name = {flag->name.text, s->span}, .var = flag};
      coin->as.sample.dist = (struct ast_dist){.kind = DIST_BERNOULLI, .span = d->span, .count = 1};
      coin->as.sample.dist.args = arena_memdup(arena_of(p), &chance, sizeof chance);
      branch->as.branch.cond = plain_name(p, flag, s->span);
      vec_push(&hit, set);
      branch->as.branch.then = as_block(p, &hit, s->span);
      branch->as.branch.otherwise = rest;
      branch->as.branch.has_else = true;
      vec_push(&stmts, coin);
      vec_push(&stmts, branch);
    }
    rest = as_block(p, &stmts, s->span);
  }
  for (size_t i = 0; i < rest.count; i++)
    vec_push(out, rest.stmts[i]);
}

/* x <$ UniformInt(0, 2^bits - 1) */
static struct ast_stmt *draw_word(struct plain *p, struct ast_target x, unsigned bits,
                                  struct span span) {
  const struct type *integer = p->c->types->integer;
  struct ast_expr *values =
      plain_binary(p, BINARY_POW, integer, plain_number(p, 2, span), plain_number(p, bits, span));
  struct ast_expr *bounds[2] = {
      plain_number(p, 0, span),
      plain_binary(p, BINARY_SUB, integer, values, plain_number(p, 1, span))};
  struct ast_stmt *draw = plain_stmt(p, STMT_SAMPLE, span);
  draw->as.sample.target = x;
  draw->as.sample.dist = (struct ast_dist){.kind = DIST_UNIFORM_INT, .span = span, .count = 2};
  draw->as.sample.dist.args = arena_memdup(arena_of(p), bounds, sizeof bounds);
  return draw;
}

/* x <$ Uniform53(): k <$ UniformInt(0, 2^53 - 1); x := to_float(k)/2^53, which is exact. */
static void plain_uniform(struct plain *p, const struct ast_stmt *s, unsigned bits,
                          const struct type *type, stmt_vec *out) {
  struct ast_var *word = plain_var(p, "word", p->c->types->integer, s->span);
  struct ast_target target = {.name = {word->name.text, s->span}, .var = word};
  struct ast_expr *k = plain_name(p, word, s->span);
  struct ast_expr *values = plain_number(p, (ulong)1 << bits, s->span);
  become_conversion(p->c, k, type);
  become_conversion(p->c, values, type);
  vec_push(out, draw_word(p, target, bits, s->span));
  vec_push(out, assign_target(p, s, plain_binary(p, BINARY_DIV, type, k, values)));
}

static void plain_sample(struct plain *p, const struct ast_stmt *s, stmt_vec *out) {
  switch (s->as.sample.dist.sugar) {
  case SUGAR_UNIFORM53: plain_uniform(p, s, 53, p->c->types->binary64, out); break;
  case SUGAR_UNIFORM24: plain_uniform(p, s, 24, p->c->types->binary32, out); break;
  case SUGAR_WORD64: vec_push(out, draw_word(p, s->as.sample.target, 64, s->span)); break;
  default: plain_choice(p, s, out);
  }
}

/* `top`: these are the last statements of the routine. */
static void plain_stmts(struct plain *p, struct plain_loop *loop, struct ast_stmt *const *stmts,
                        size_t count, stmt_vec *out, bool top) {
  for (size_t i = 0; i < count; i++) {
    struct ast_stmt *s = stmt_without_arrays(p, stmts[i], out);
    struct ast_stmt *const *rest = stmts + i + 1;
    switch (s->kind) {
    case STMT_BREAK: plain_break(p, loop, s, out); return;
    case STMT_CONTINUE:
      if (loop->skip) vec_push(out, set_flag(p, loop->skip, true, s->span));
      return;
    case STMT_IF:
      if (stmt_jumps(s, STMT_BREAK) || stmt_jumps(s, STMT_CONTINUE)) {
        plain_jumping_if(p, loop, s, rest, count - i - 1, out);
        return;
      }
      plain_if(p, loop, s, out);
      break;
    case STMT_WHILE:
    case STMT_FOR: plain_loop(p, s, rest, count - i - 1, out, top); break;
    default:
      if (samples_sugar(s))
        plain_sample(p, s, out);
      else
        vec_push(out, s);
    }
  }
}

void make_plain(struct checker *c, struct routine *r) {
  struct ast_block *body = &r->ast->body;
  r->ast->plain = *body;
  if (c->diags->errors || !has_sugar(body)) return; /* with an error nothing is run */
  struct plain p = {.c = c, .r = r};
  stmt_vec out = {0};
  plain_stmts(&p, NULL, body->stmts, body->count, &out, true);
  r->ast->plain.count = out.len;
  r->ast->plain.stmts = arena_take_vec(&c->lang->arena, &out);
  if (p.too_deep) {
    report_error(c, r->ast->name.span, "nesting-too-deep",
                 "more than %d branches of one loop jump, each behind the other", LIMIT_NESTING);
    report_hint(c, "put what follows them into a procedure");
  }
}
