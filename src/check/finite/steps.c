#include "check/finite/steps.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "lang/syntax/walk.h"
#include "run/eval/ieee.h"
#include "run/eval/number.h"

/* In the body of a let: how its arguments move with x. */
struct scope {
  const struct ast_decl *let;
  const int *directions;
};

struct steps {
  const struct ast_routine *routine;
  const struct ast_var *x;
  const struct ast_expr *step; /* E */
  struct reval *ev;
  size_t argument;
  const char **why;
};

static bool refuse(const struct steps *s, const char *why) {
  *s->why = why;
  return false;
}

/* ---- where the input is used ----------------------------------------------------------------- */

struct mention {
  const struct ast_var *var; /* NULL: any variable */
  bool found;
};

static void look(const struct ast_expr *e, void *context) {
  struct mention *m = context;
  if (e->kind == EXPR_NAME && e->as.name.var && (!m->var || m->var == e->as.name.var))
    m->found = true;
  if (!m->found) walk_parts(e, look, m);
}

static bool mentions(const struct ast_expr *e, const struct ast_var *var) {
  struct mention m = {.var = var};
  look(e, &m);
  return m.found;
}

static bool statement_mentions(struct ast_stmt *stmt, const struct ast_var *var) {
  struct mention m = {.var = var};
  const struct ast_block one = {.stmts = &stmt, .count = 1};
  walk_block(&one, look, &m);
  return m.found;
}

/* E of `c := E`, or NULL. */
static const struct ast_expr *assigned(const struct ast_stmt *s) {
  if (s->kind == STMT_VAR) return s->as.var.init;
  if (s->kind != STMT_ASSIGN || s->as.assign.count != 1 || s->as.assign.targets[0].index)
    return NULL;
  return s->as.assign.value;
}

/* The only statement that mentions x. (Arguments are not assigned to.) */
static bool find_step(struct steps *s) {
  static const char elsewhere[] =
      "a float without a list of values may be used only once, to bring it to a grid: "
      "`c := grid*floor(clamp(x)/grid);`";
  const struct ast_block *body = &s->routine->plain;
  if (s->routine->oracle_count) return refuse(s, "a mechanism with oracles is not supported here");
  for (size_t i = 0; i < body->count; i++) {
    if (!statement_mentions(body->stmts[i], s->x)) continue;
    if (s->step) return refuse(s, elsewhere);
    s->step = assigned(body->stmts[i]);
    if (!s->step) return refuse(s, elsewhere);
  }
  return s->step || refuse(s, elsewhere);
}

/* Nothing else may speak of x: no precondition, no length. */
static bool check_requires(const struct steps *s, const struct ast_decl *mechanism) {
  struct mention m = {.var = s->x};
  for (size_t i = 0; i < mechanism->as.mechanism.written_count; i++)
    look(mechanism->as.mechanism.requires_written[i], &m);
  for (size_t i = 0; i < s->routine->arg_count; i++)
    walk_type(s->routine->args[i]->declared, look, &m);
  return !m.found ||
         refuse(s, "`requires` speaks of a float without a list of values: clamp it instead");
}

/* Nothing of x, within(x, D), same(x), or several of these. */
static bool check_adjacency(const struct steps *s, const struct ast_expr *e) {
  if (!e || !mentions(e, s->x)) return true;
  if (e->kind == EXPR_BINARY && e->as.binary.op == BINARY_AND)
    return check_adjacency(s, e->as.binary.left) && check_adjacency(s, e->as.binary.right);
  bool fits = e->kind == EXPR_CALL && e->as.call.callee_kind == CALLEE_BUILTIN &&
              (e->as.call.builtin == BUILTIN_WITHIN || e->as.call.builtin == BUILTIN_SAME) &&
              e->as.call.args[0]->kind == EXPR_NAME && e->as.call.args[0]->as.name.var == s->x;
  if (fits && e->as.call.builtin == BUILTIN_WITHIN) fits = !mentions(e->as.call.args[1], NULL);
  return fits || refuse(s, "the adjacency must be within(x, D) for a float without a list of "
                           "values, with a constant D");
}

/* ---- how it moves ---------------------------------------------------------------------------- */

/* *out: 1 never falls, -1 never rises, 0 stays. False: none of these is seen. */
static bool direction(const struct steps *s, const struct ast_expr *e, const struct scope *scope,
                      int *out);

static bool join(int *out, int more) {
  if (*out && more && *out != more) return false;
  if (more) *out = more;
  return true;
}

/* All arguments move the result in their own direction. */
static bool joined(const struct steps *s, const struct ast_expr *e, const struct scope *scope,
                   int *out) {
  for (size_t i = 0; i < e->as.call.count; i++) {
    int more;
    if (!direction(s, e->as.call.args[i], scope, &more) || !join(out, more)) return false;
  }
  return true;
}

/* Of a number without variables. */
static bool sign_of(const struct steps *s, const struct ast_expr *e, int *sign) {
  struct rvalue v = {0};
  if (mentions(e, NULL)) return false;
  struct diag_mark mark = diags_mark(&s->ev->lang->diags);
  bool ok = reval_take(s->ev, NULL, e, &v);
  diags_rollback(&s->ev->lang->diags, mark);
  ok = ok && number_sign(sign, &v);
  rvalue_clear(&v);
  return ok;
}

static bool product_direction(const struct steps *s, const struct ast_expr *e,
                              const struct scope *scope, int *out) {
  const struct ast_expr *a = e->as.binary.left, *b = e->as.binary.right;
  int sign = 0, moves;
  if (e->as.binary.op == BINARY_MUL && sign_of(s, a, &sign)) {
    if (!direction(s, b, scope, &moves)) return false;
  } else if (!sign_of(s, b, &sign) || !direction(s, a, scope, &moves)) {
    return false;
  }
  *out = sign * moves;
  return true;
}

static bool binary_direction(const struct steps *s, const struct ast_expr *e,
                             const struct scope *scope, int *out) {
  int right;
  switch (e->as.binary.op) {
  case BINARY_ADD:
  case BINARY_SUB:
    if (!direction(s, e->as.binary.left, scope, out) ||
        !direction(s, e->as.binary.right, scope, &right))
      return false;
    return join(out, e->as.binary.op == BINARY_ADD ? right : -right);
  case BINARY_MUL:
  case BINARY_DIV: return product_direction(s, e, scope, out);
  default: return false;
  }
}

static bool let_direction(const struct steps *s, const struct ast_expr *e,
                          const struct scope *scope, int *out) {
  const struct ast_decl *let = e->as.call.decl;
  int *directions = xcalloc(e->as.call.count + 1, sizeof *directions);
  struct scope inner = {let, directions};
  bool ok = true;
  for (size_t i = 0; ok && i < e->as.call.count; i++)
    ok = direction(s, e->as.call.args[i], scope, &directions[i]);
  ok = ok && direction(s, let->as.let.body, &inner, out);
  free(directions);
  return ok;
}

static bool call_direction(const struct steps *s, const struct ast_expr *e,
                           const struct scope *scope, int *out) {
  if (e->as.call.callee_kind == CALLEE_LET) return let_direction(s, e, scope, out);
  if (e->as.call.callee_kind != CALLEE_BUILTIN) return false;
  switch (e->as.call.builtin) {
  case BUILTIN_FLOOR:
  case BUILTIN_CEIL:
  case BUILTIN_ROUND:
  case BUILTIN_MIN:
  case BUILTIN_MAX:
  case BUILTIN_TO_FLOAT:
  case BUILTIN_TO_FLOAT32:
  case BUILTIN_TO_REAL:
  case BUILTIN_DECLASSIFY: return joined(s, e, scope, out);
  default: return false;
  }
}

static bool direction(const struct steps *s, const struct ast_expr *e, const struct scope *scope,
                      int *out) {
  *out = 0;
  if (!mentions(e, NULL)) return true;
  switch (e->kind) {
  case EXPR_NAME:
    if (!scope) *out = 1;
    if (!scope) return e->as.name.var == s->x;
    for (size_t i = 0; i < scope->let->as.let.arg_count; i++) {
      if (scope->let->as.let.args[i] != e->as.name.var) continue;
      *out = scope->directions[i];
      return true;
    }
    return false;
  case EXPR_UNARY:
    if (e->as.unary.op != UNARY_NEG || !direction(s, e->as.unary.operand, scope, out)) return false;
    *out = -*out;
    return true;
  case EXPR_BINARY: return binary_direction(s, e, scope, out);
  case EXPR_CALL: return call_direction(s, e, scope, out);
  default: return false;
  }
}

/* ---- the steps ------------------------------------------------------------------------------- */

static enum binary_format format_of(const struct steps *s) {
  return ieee_format(s->x->type->kind);
}

static bool float_at(const struct steps *s, int64_t rank, struct rvalue *out) {
  return ieee_value(out, binary64_of_rank(format_of(s), rank)) == NUMBER_OK;
}

/* E of the float with this rank. */
static bool step_at(const struct steps *s, int64_t rank, struct rvalue *out) {
  struct rframe frame;
  struct diag_mark mark = diags_mark(&s->ev->lang->diags);
  rframe_init(&frame, s->routine->arg_count);
  s->ev->steps = 0;
  bool ok = float_at(s, rank, &frame.at[s->argument]) && reval_take(s->ev, &frame, s->step, out);
  rframe_clear(&frame);
  diags_rollback(&s->ev->lang->diags, mark);
  return ok || refuse(s, "what a float without a list of values is brought to cannot be computed "
                         "for all floats: clamp it first");
}

/* There are almost 2^64 ranks: the sum fits, but not every part of it. */
static int64_t rank_behind(int64_t from, uint64_t count) {
  return (int64_t)((uint64_t)from + count);
}

/* The last rank up to `last` with the value that `from` has. */
static bool end_of_step(const struct steps *s, int64_t from, int64_t last, int64_t *end) {
  struct rvalue here = {0}, there = {0};
  uint64_t alike = 0, other = (uint64_t)last - (uint64_t)from + 1; /* behind `from` */
  bool ok = step_at(s, from, &here);
  while (ok && other - alike > 1) {
    uint64_t middle = alike + (other - alike) / 2;
    int order = 0;
    ok = step_at(s, rank_behind(from, middle), &there) &&
         (rvalue_compare(&order, &here, &there) || refuse(s, "two values cannot be compared"));
    rvalue_clear(&there);
    there = (struct rvalue){0};
    if (order == 0)
      alike = middle;
    else
      other = middle;
  }
  rvalue_clear(&here);
  *end = rank_behind(from, alike);
  return ok;
}

static bool find_steps(const struct steps *s, struct rvalue *values, size_t limit, size_t *count) {
  const int64_t last = binary64_last_rank(format_of(s)) - 1; /* the largest finite number */
  int64_t end;
  for (int64_t from = -last; from <= last; from = end + 1) {
    if (!end_of_step(s, from, last, &end)) return false;
    if (*count + 2 > limit)
      return refuse(s, "a float without a list of values is brought to too many: use a coarser "
                       "grid, or a smaller range");
    float_at(s, from, &values[(*count)++]);
    if (end > from) float_at(s, end, &values[(*count)++]);
  }
  return true;
}

bool finite_steps(const struct program_claim *claim, struct reval *ev, size_t argument,
                  struct rvalue *values, size_t limit, size_t *count, const char **why) {
  const struct ast_decl *mechanism = claim->claim->as.claim.target;
  const struct ast_routine *routine = mechanism->as.mechanism.routine;
  struct steps s = {
      .routine = routine, .x = routine->args[argument], .ev = ev, .argument = argument, .why = why};
  int moves;
  if (!find_step(&s) || !check_requires(&s, mechanism) ||
      !check_adjacency(&s, program_adjacency(claim)))
    return false;
  if (!direction(&s, s.step, NULL, &moves))
    return refuse(&s, "it is not seen that what a float without a list of values is brought to "
                      "never falls, or never rises");
  return find_steps(&s, values, limit, count);
}
