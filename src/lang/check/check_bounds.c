/* Array bounds, where they can be decided: both the index and the length are affine in parameters,
 * arguments and the indices of the loops around. What is not of that shape is left to the run. */
#include "lang/check/check_internal.h"
#include "lang/check/check_state.h"
#include "lang/check/constant.h"
#include "lang/syntax/walk.h"

/* constant + sum of factor * atom; atoms are parameters, lets, arguments and loop indices, none of
 * which changes while it is visible. */
struct affine_term {
  const void *atom;
  int64_t factor;
};

struct affine {
  int64_t constant;
  VEC(struct affine_term) terms; /* no zero factors */
};

struct loop {
  const struct ast_var *var;
  struct affine low, last; /* last = high - 1 */
  bool known;              /* both are affine */
};

struct bounds {
  struct checker *c;
  VEC(struct loop) loops; /* from the outermost on */
  size_t guards; /* conditions between the outermost loop and here: they may exclude an index */
};

/* ---- affine terms; false when the term has another shape or a number is too large --------------
 */

static bool add_scaled(struct affine *to, const struct affine *from, int64_t factor);

static bool add_term(struct affine *to, const void *atom, int64_t factor) {
  for (size_t i = 0; i < to->terms.len; i++) {
    if (to->terms.at[i].atom != atom) continue;
    if (__builtin_add_overflow(to->terms.at[i].factor, factor, &to->terms.at[i].factor))
      return false;
    if (to->terms.at[i].factor == 0) to->terms.at[i] = vec_pop(&to->terms);
    return true;
  }
  if (factor) vec_push(&to->terms, (struct affine_term){atom, factor});
  return true;
}

static bool add_scaled(struct affine *to, const struct affine *from, int64_t factor) {
  int64_t scaled;
  if (__builtin_mul_overflow(from->constant, factor, &scaled) ||
      __builtin_add_overflow(to->constant, scaled, &to->constant))
    return false;
  for (size_t i = 0; i < from->terms.len; i++)
    if (__builtin_mul_overflow(from->terms.at[i].factor, factor, &scaled) ||
        !add_term(to, from->terms.at[i].atom, scaled))
      return false;
  return true;
}

static bool constant_int(const struct ast_expr *e, int64_t *value) {
  fmpq_t q;
  fmpq_init(q);
  bool ok = constant_eval(q, e) && fmpz_is_one(fmpq_denref(q)) && fmpz_fits_si(fmpq_numref(q));
  if (ok) *value = fmpz_get_si(fmpq_numref(q));
  fmpq_clear(q);
  return ok;
}

static bool is_stable(const struct ast_var *var) {
  return var->role == VAR_INPUT || var->role == VAR_ARG || var->role == VAR_LOOP;
}

/* Adds factor * e. Terms with many atoms are not worth it. */
enum { MOST_TERMS = 16 };

static bool add_expr(struct affine *to, const struct ast_expr *e, int64_t factor) {
  int64_t value;
  if (to->terms.len > MOST_TERMS) return false;
  switch (e->kind) {
  case EXPR_NAME:
    if (e->as.name.var && is_stable(e->as.name.var)) return add_term(to, e->as.name.var, factor);
    if (e->as.name.decl && e->as.name.decl->kind == DECL_PARAM)
      return add_term(to, e->as.name.decl, factor);
    if (e->as.name.decl && e->as.name.decl->kind == DECL_LET && !e->as.name.decl->as.let.constant)
      return add_term(to, e->as.name.decl, factor);
    break;
  case EXPR_UNARY: return e->as.unary.op == UNARY_NEG && add_expr(to, e->as.unary.operand, -factor);
  case EXPR_BINARY: {
    const struct ast_expr *left = e->as.binary.left, *right = e->as.binary.right;
    switch (e->as.binary.op) {
    case BINARY_ADD: return add_expr(to, left, factor) && add_expr(to, right, factor);
    case BINARY_SUB: return add_expr(to, left, factor) && add_expr(to, right, -factor);
    case BINARY_MUL:
      if (constant_int(left, &value))
        return !__builtin_mul_overflow(factor, value, &value) && add_expr(to, right, value);
      if (constant_int(right, &value))
        return !__builtin_mul_overflow(factor, value, &value) && add_expr(to, left, value);
      return false;
    default: break;
    }
    break;
  }
  default: break;
  }
  return constant_int(e, &value) && !__builtin_mul_overflow(factor, value, &value) &&
         !__builtin_add_overflow(to->constant, value, &to->constant);
}

/* The greatest (sign 1) or least (sign -1) value over all iterations of the loops around. */
static bool extreme(const struct bounds *b, struct affine *a, int sign, bool *looped) {
  for (size_t i = b->loops.len; i-- > 0;) {
    const struct loop *loop = &b->loops.at[i];
    for (size_t j = 0; j < a->terms.len; j++) {
      if (a->terms.at[j].atom != loop->var) continue;
      if (!loop->known) return false;
      int64_t factor = a->terms.at[j].factor;
      a->terms.at[j] = vec_pop(&a->terms);
      *looped = true;
      bool upper = (factor > 0) == (sign > 0);
      if (!add_scaled(a, upper ? &loop->last : &loop->low, factor)) return false;
      break;
    }
  }
  return a->terms.len == 0;
}

/* ---- accesses ---------------------------------------------------------------------------------
 */

/* The type with which the array was declared, if the expression is part of something declared. */
static const struct ast_type *declared_type(const struct ast_expr *e) {
  const struct ast_type *t;
  switch (e->kind) {
  case EXPR_NAME:
    if (e->as.name.var) return e->as.name.var->declared;
    if (e->as.name.decl && e->as.name.decl->kind == DECL_PARAM)
      return e->as.name.decl->as.param.type;
    return NULL;
  case EXPR_INDEX:
    t = declared_type(e->as.index.base);
    return t && t->kind == TYPE_ARRAY ? t->items[0] : NULL;
  case EXPR_PROJ:
    t = declared_type(e->as.proj.base);
    return t && t->kind == TYPE_TUPLE && e->as.proj.item >= 1 && e->as.proj.item <= t->count
               ? t->items[e->as.proj.item - 1]
               : NULL;
  default: return NULL;
  }
}

/* Largest or smallest value of index - length (length NULL: of the index) when it is a number. */
static bool distance(const struct bounds *b, const struct ast_expr *index,
                     const struct ast_expr *length, int sign, int64_t *value, bool *looped) {
  struct affine a = {0};
  *looped = false;
  bool ok = add_expr(&a, index, 1) && (!length || add_expr(&a, length, -1)) &&
            extreme(b, &a, sign, looped);
  *value = a.constant;
  vec_clear(&a.terms);
  return ok;
}

static void report_beyond(struct bounds *b, const struct ast_expr *index,
                          const struct ast_expr *length) {
  int64_t i, n;
  if (constant_int(index, &i) && constant_int(length, &n))
    report_error(b->c, index->span, "index-out-of-bounds",
                 "there is no item %lld in an array of %lld; items begin at 0", (long long)i,
                 (long long)n);
  else
    report_error(b->c, index->span, "index-out-of-bounds",
                 "this index is never below the length of the array; items begin at 0");
  report_hint(b->c, "the last item is the one before the length: `a[n - 1]` in an array of n");
  report_note(b->c, length->span, "the length");
}

static void check_access(struct bounds *b, const struct ast_type *array,
                         const struct ast_expr *index) {
  struct checker *c = b->c;
  int64_t value;
  bool looped;
  if (index->type && index->type->kind == TYPE_ERROR) return;
  if (distance(b, index, NULL, 1, &value, &looped) && value < 0) {
    report_error(c, index->span, "index-out-of-bounds", "the index is negative; items begin at 0");
    return;
  }
  const struct ast_expr *length = array && array->kind == TYPE_ARRAY ? array->length : NULL;
  if (length && distance(b, index, length, -1, &value, &looped) && value >= 0) {
    report_beyond(b, index, length);
    return;
  }
  if (b->guards) return;
  if (distance(b, index, NULL, -1, &value, &looped) && value < 0 && looped) {
    report_warning(c, index->span, "index-may-be-out-of-bounds",
                   "the index is negative in some iteration of the loop");
  } else if (length && distance(b, index, length, 1, &value, &looped) && value >= 0 && looped) {
    report_warning(c, index->span, "index-may-be-out-of-bounds",
                   "the index reaches the length of the array in the last iteration of the loop");
    report_note(c, length->span, "the length");
  }
}

static void bounds_guarded(struct bounds *b, const struct ast_expr *e);

static void bounds_expr(const struct ast_expr *e, void *context) {
  struct bounds *b = context;
  if (e->kind == EXPR_INDEX) check_access(b, declared_type(e->as.index.base), e->as.index.index);
  if (e->kind == EXPR_BINARY && e->as.binary.op <= BINARY_AND) {
    bounds_expr(e->as.binary.left, b); /* the right side may not be evaluated */
    bounds_guarded(b, e->as.binary.right);
  } else if (e->kind == EXPR_IF) {
    bounds_expr(e->as.cond.cond, b);
    bounds_guarded(b, e->as.cond.then);
    bounds_guarded(b, e->as.cond.otherwise);
  } else if (e->kind != EXPR_QUANT) {
    walk_parts(e, bounds_expr, b);
  }
}

static void bounds_guarded(struct bounds *b, const struct ast_expr *e) {
  b->guards++;
  bounds_expr(e, b);
  b->guards--;
}

static void bounds_target(struct bounds *b, const struct ast_target *t) {
  if (!t->index) return;
  bounds_expr(t->index, b);
  if (t->var) check_access(b, t->var->declared, t->index);
}

/* ---- statements: true if the statement may jump -----------------------------------------------
 */

static bool bounds_block(struct bounds *b, const struct ast_block *block);

static bool bounds_for(struct bounds *b, const struct ast_stmt *s) {
  bounds_expr(s->as.range.low, b);
  bounds_expr(s->as.range.high, b);
  struct loop loop = {.var = s->as.range.var};
  loop.last.constant = -1;
  loop.known = add_expr(&loop.low, s->as.range.low, 1) && add_expr(&loop.last, s->as.range.high, 1);
  size_t guards = b->guards;
  if (!b->loops.len) b->guards = 0;
  vec_push(&b->loops, loop);
  bool returns = bounds_block(b, &s->as.range.body);
  b->guards = guards;
  (void)vec_pop(&b->loops);
  vec_clear(&loop.low.terms);
  vec_clear(&loop.last.terms);
  return returns;
}

/* A literal as the value of an array of constant length. */
static void check_length(struct bounds *b, const struct ast_var *var,
                         const struct ast_expr *value) {
  const struct ast_type *t = var ? var->declared : NULL;
  int64_t length;
  if (!t || t->kind != TYPE_ARRAY || !t->length || !value || value->kind != EXPR_LIST) return;
  if (!constant_int(t->length, &length) || length == (int64_t)value->as.list.count) return;
  report_error(b->c, value->span, "wrong-length", "`%s` has %lld items, not %zu", var->name.text,
               (long long)length, value->as.list.count);
}

static bool bounds_guarded_block(struct bounds *b, const struct ast_block *block) {
  b->guards++;
  bool returns = bounds_block(b, block);
  b->guards--;
  return returns;
}

static bool bounds_stmt(struct bounds *b, const struct ast_stmt *s) {
  switch (s->kind) {
  case STMT_ERROR:
  case STMT_SKIP: return false;
  case STMT_VAR:
    if (s->as.var.init) bounds_expr(s->as.var.init, b);
    check_length(b, s->as.var.var, s->as.var.init);
    return false;
  case STMT_ASSIGN:
    bounds_expr(s->as.assign.value, b);
    for (size_t i = 0; i < s->as.assign.count; i++)
      bounds_target(b, &s->as.assign.targets[i]);
    if (s->as.assign.count == 1 && !s->as.assign.targets[0].index)
      check_length(b, s->as.assign.targets[0].var, s->as.assign.value);
    return false;
  case STMT_SAMPLE:
    for (size_t i = 0; i < s->as.sample.dist.count; i++)
      bounds_expr(s->as.sample.dist.args[i], b);
    bounds_target(b, &s->as.sample.target);
    return false;
  case STMT_CALL: bounds_expr(s->as.call, b); return false;
  case STMT_IF: {
    bounds_expr(s->as.branch.cond, b);
    bool first = bounds_guarded_block(b, &s->as.branch.then);
    bool second = bounds_guarded_block(b, &s->as.branch.otherwise);
    return first || second;
  }
  case STMT_WHILE:
    b->guards++;
    bounds_expr(s->as.loop.cond, b);
    b->guards--;
    return bounds_guarded_block(b, &s->as.loop.body);
  case STMT_FOR: return bounds_for(b, s);
  case STMT_BREAK:
  case STMT_CONTINUE: return true;
  case STMT_EMIT: bounds_expr(s->as.value, b); return false;
  case STMT_RETURN:
    if (s->as.value) bounds_expr(s->as.value, b);
    return true;
  }
  return false;
}

static bool bounds_block(struct bounds *b, const struct ast_block *block) {
  size_t guards = b->guards;
  bool returns = false;
  for (size_t i = 0; i < block->count; i++)
    if (bounds_stmt(b, block->stmts[i])) {
      returns = true;
      b->guards++; /* what follows is reached only sometimes */
    }
  b->guards = guards;
  return returns;
}

void check_bounds(struct checker *c, struct routine *r) {
  struct bounds b = {.c = c};
  bounds_block(&b, &r->ast->body);
  vec_clear(&b.loops);
}
