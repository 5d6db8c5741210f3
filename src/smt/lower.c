#include "smt/lower.h"

#include <stdlib.h>
#include <string.h>

#include "term/build.h"
#include "term/print.h"
#include "term/subst.h"

enum { LOWER_LIMIT_DEPTH = 1500 }; /* expressions inside definitions inside expressions ... */

struct lowered_var {
  const char *name; /* in terms: interned there */
  sort_id sort;
  bool shared;
  term_id value; /* argument of a let that is being inlined, or bound variable; else TERM_NONE */
};

void lower_init(struct lowering *lw, struct terms *ts) {
  *lw = (struct lowering){.ts = ts};
  ptrmap_init(&lw->vars);
}

void lower_clear(struct lowering *lw) {
  for (size_t i = 0; i < lw->all.len; i++)
    free(lw->all.at[i]);
  vec_clear(&lw->all);
  ptrmap_clear(&lw->vars);
}

static term_id fail(struct lowering *lw, struct span place, const char *problem) {
  if (!lw->problem) {
    lw->problem = problem;
    lw->place = place;
  }
  return term_fail_(lw->ts, TERM_FAILURE_SORT);
}

sort_id lower_sort(struct lowering *lw, const struct type *type) {
  struct terms *ts = lw->ts;
  switch (type->kind) {
  case TYPE_BOOL: return SORT_BOOL;
  case TYPE_INT: return SORT_INT;
  case TYPE_REAL: return SORT_REAL;
  case TYPE_ABSTRACT: return sort_abstract(ts, type->name);
  case TYPE_ARRAY: return sort_array(ts, lower_sort(lw, type->elem));
  case TYPE_LIST: return type->elem ? sort_list(ts, lower_sort(lw, type->elem)) : SORT_NONE;
  case TYPE_TUPLE: {
    VEC(sort_id) items = {0};
    for (size_t i = 0; i < type->count; i++)
      vec_push(&items, lower_sort(lw, type->items[i]));
    sort_id s = sort_tuple(ts, items.at, items.len);
    vec_clear(&items);
    return s;
  }
  default: return SORT_NONE;
  }
}

/* ---- variables ------------------------------------------------------------------------------ */

static bool name_taken(const struct lowering *lw, const char *name) {
  for (size_t i = 0; i < lw->all.len; i++)
    if (strcmp(lw->all.at[i]->name, name) == 0) return true;
  return false;
}

static struct lowered_var *enter(struct lowering *lw, const void *key, const char *name,
                                 const struct type *type) {
  struct lowered_var *v = ptrmap_get(&lw->vars, key);
  if (v) return v;
  v = xcalloc(1, sizeof *v);
  char *unique = xstrdup(name);
  for (unsigned n = 2; name_taken(lw, unique); n++) {
    free(unique);
    unique = xasprintf("%s~%u", name, n);
  }
  v->name = intern_str(&lw->ts->names, unique);
  free(unique);
  v->sort = type ? lower_sort(lw, type) : SORT_NONE;
  vec_push(&lw->all, v);
  ptrmap_put(&lw->vars, key, v);
  return v;
}

static struct lowered_var *enter_var(struct lowering *lw, const struct ast_var *var) {
  return enter(lw, var, var->name.text, var->type);
}

term_id lower_var(struct lowering *lw, const struct ast_var *var, unsigned run) {
  struct lowered_var *v = enter_var(lw, var);
  if (v->value) return v->value;
  return term_var(lw->ts, v->name, v->sort, v->shared ? 0 : run, 0);
}

term_id lower_param(struct lowering *lw, const struct ast_decl *param) {
  struct lowered_var *v = enter(lw, param, param->name.text, param->as.param.type->type);
  return term_var(lw->ts, v->name, v->sort, 0, 0);
}

void lower_share(struct lowering *lw, const struct ast_var *var) {
  enter_var(lw, var)->shared = true;
}

symbol_id lower_symbol(struct lowering *lw, const struct ast_decl *op) {
  VEC(sort_id) args = {0};
  for (size_t i = 0; i < op->as.op.arg_count; i++)
    vec_push(&args, lower_sort(lw, op->as.op.args[i]->type));
  symbol_id s = symbol_declare(lw->ts, op->name.text, args.at, args.len,
                               lower_sort(lw, op->as.op.result->type));
  vec_clear(&args);
  return s;
}

/* ---- array lengths -------------------------------------------------------------------------- */

/* A variable for a length the declaration leaves open. */
static term_id open_length(struct lowering *lw, const struct ast_var *var, unsigned run) {
  struct lowered_var *v = enter_var(lw, var);
  char *name = xasprintf("length(%s)", v->name);
  term_id t = term_var(lw->ts, name, SORT_INT, v->shared ? 0 : run, 0);
  free(name);
  return t;
}

term_id lower_array_length(struct lowering *lw, const struct ast_var *var, unsigned run) {
  if (var->declared && var->declared->kind == TYPE_ARRAY && var->declared->length)
    return lower_expr_as(lw, var->declared->length, run, SORT_INT);
  return open_length(lw, var, run);
}

/* The array expression without tags, and the run its tags say. */
static const struct ast_expr *strip_tags(const struct ast_expr *e, unsigned *run) {
  while (e->kind == EXPR_TAG) {
    *run = (unsigned)e->as.tag.run;
    e = e->as.tag.operand;
  }
  return e;
}

/* The declared type of a variable or of an element of one; NULL if there is none. */
static const struct ast_type *declared_type(const struct ast_expr *e, unsigned *run) {
  e = strip_tags(e, run);
  if (e->kind == EXPR_NAME && e->as.name.var) return e->as.name.var->declared;
  if (e->kind == EXPR_NAME && e->as.name.decl && e->as.name.decl->kind == DECL_PARAM)
    return e->as.name.decl->as.param.type;
  if (e->kind != EXPR_INDEX) return NULL;
  const struct ast_type *base = declared_type(e->as.index.base, run);
  return base && base->kind == TYPE_ARRAY && base->count ? base->items[0] : NULL;
}

/* TERM_NONE without a problem noted: not known. */
static term_id array_length(struct lowering *lw, const struct ast_expr *e, unsigned run) {
  const struct ast_type *type = declared_type(e, &run);
  if (type && type->kind == TYPE_ARRAY && type->length)
    return lower_expr_as(lw, type->length, run, SORT_INT);
  e = strip_tags(e, &run);
  if (e->kind == EXPR_NAME && e->as.name.var) return lower_array_length(lw, e->as.name.var, run);
  return TERM_NONE;
}

/* A fresh integer variable for a quantifier. */
static term_id fresh_index(struct lowering *lw) {
  return term_fresh(lw->ts, term_var(lw->ts, "i", SORT_INT, 0, 0));
}

/* Equal lengths, and equal entries below them. */
static term_id array_equality(struct lowering *lw, const struct ast_expr *a, unsigned run_a,
                              const struct ast_expr *b, unsigned run_b) {
  struct terms *ts = lw->ts;
  term_id x = lower_expr(lw, a, run_a), y = lower_expr(lw, b, run_b);
  term_id n = array_length(lw, a, run_a), m = array_length(lw, b, run_b);
  if (!x || !y || !n || !m) return fail(lw, a->span, "the length of this array is not known here");
  term_id i = fresh_index(lw);
  term_id x_i = term_select(ts, x, i), y_i = term_select(ts, y, i);
  term_id body = term_eq(ts, x_i, y_i);
  term_id entries = term_forall_range(ts, i, term_int(ts, 0), n, body);
  return term_and(ts, term_eq(ts, n, m), entries);
}

static bool is_array(const struct ast_expr *e) {
  return e->type && e->type->kind == TYPE_ARRAY;
}

/* ---- adjacency ------------------------------------------------------------------------------ */

/* The entries of q in both runs at index i, and the difference run 2 - run 1. */
struct entries {
  term_id difference;
  term_id length; /* in run 1 */
  term_id same_length;
};

static bool entries_of(struct lowering *lw, const struct ast_expr *q, term_id i,
                       struct entries *out) {
  struct terms *ts = lw->ts;
  term_id n1 = array_length(lw, q, 1), n2 = array_length(lw, q, 2);
  if (!n1 || !n2) {
    fail(lw, q->span, "the length of this array is not known here");
    return false;
  }
  term_id q1 = term_select(ts, lower_expr(lw, q, 1), i);
  term_id q2 = term_select(ts, lower_expr(lw, q, 2), i);
  out->difference = term_sub(ts, q2, q1);
  out->length = n1;
  out->same_length = term_eq(ts, n1, n2);
  return out->difference != TERM_NONE;
}

static term_id all_entries(struct lowering *lw, const struct ast_expr *q, const struct ast_expr *s,
                           enum builtin kind) {
  struct terms *ts = lw->ts;
  term_id i = fresh_index(lw), bound = lower_expr(lw, s, 0), zero = term_int(ts, 0);
  struct entries e;
  if (!entries_of(lw, q, i, &e)) return TERM_NONE;
  term_id body;
  if (kind == BUILTIN_ALL_WITHIN) {
    body = term_le(ts, term_abs(ts, e.difference), bound);
  } else {
    term_id rise = kind == BUILTIN_ALL_INCREASE ? e.difference : term_neg(ts, e.difference);
    term_id low = term_le(ts, zero, rise), high = term_le(ts, rise, bound);
    body = term_and(ts, low, high);
  }
  return term_and(ts, e.same_length, term_forall_range(ts, i, zero, e.length, body));
}

/* exists k. every entry but k is equal, and no entry differs by more than s */
static term_id one_differs(struct lowering *lw, const struct ast_expr *q,
                           const struct ast_expr *s) {
  struct terms *ts = lw->ts;
  term_id i = fresh_index(lw), k = fresh_index(lw), zero = term_int(ts, 0);
  struct entries e;
  if (!entries_of(lw, q, i, &e)) return TERM_NONE;
  term_id equal = term_eq(ts, e.difference, zero);
  term_id small = term_le(ts, term_abs(ts, e.difference), lower_expr(lw, s, 0));
  term_id body = term_and(ts, term_or(ts, term_eq(ts, i, k), equal), small);
  term_id all = term_forall_range(ts, i, zero, e.length, body);
  return term_and(ts, e.same_length, term_exists(ts, &k, 1, all));
}

static term_id lower_adjacency(struct lowering *lw, const struct ast_expr *e) {
  struct terms *ts = lw->ts;
  const struct ast_expr *x = e->as.call.args[0];
  const struct ast_expr *s = e->as.call.count > 1 ? e->as.call.args[1] : NULL;
  switch (e->as.call.builtin) {
  case BUILTIN_WITHIN: {
    term_id x1 = lower_expr(lw, x, 1), x2 = lower_expr(lw, x, 2);
    return term_le(ts, term_abs(ts, term_sub(ts, x1, x2)), lower_expr(lw, s, 0));
  }
  case BUILTIN_SAME: {
    if (is_array(x)) return array_equality(lw, x, 1, x, 2);
    term_id x1 = lower_expr(lw, x, 1), x2 = lower_expr(lw, x, 2);
    return term_eq(ts, x1, x2);
  }
  case BUILTIN_ONE_DIFFERS: return one_differs(lw, x, s);
  case BUILTIN_MONOTONE: {
    term_id up = all_entries(lw, x, s, BUILTIN_ALL_INCREASE);
    return term_or(ts, up, all_entries(lw, x, s, BUILTIN_ALL_DECREASE));
  }
  default: return all_entries(lw, x, s, e->as.call.builtin);
  }
}

/* ---- calls ---------------------------------------------------------------------------------- */

static bool is_adjacency(enum builtin b) {
  return b >= BUILTIN_WITHIN;
}

static term_id lower_builtin(struct lowering *lw, const struct ast_expr *e, unsigned run) {
  struct terms *ts = lw->ts;
  enum builtin id = e->as.call.builtin;
  if (is_adjacency(id)) return lower_adjacency(lw, e);
  const struct ast_expr *first = e->as.call.args[0];
  if (id == BUILTIN_LENGTH && is_array(first)) {
    term_id n = array_length(lw, first, run);
    return n ? n : fail(lw, e->span, "the length of this array is not known here");
  }
  term_id a = lower_expr(lw, first, run);
  if (!a) return fail(lw, first->span, "this cannot be expressed in the logic");
  term_id b = e->as.call.count > 1 ? lower_expr(lw, e->as.call.args[1], run) : TERM_NONE;
  switch (id) {
  case BUILTIN_LN: return term_ln(ts, a);
  case BUILTIN_EXP: return term_exp(ts, a);
  case BUILTIN_SQRT: return term_sqrt(ts, a);
  case BUILTIN_FLOOR: return term_floor(ts, a);
  case BUILTIN_CEIL: return term_ceil(ts, a);
  case BUILTIN_ROUND: return term_floor(ts, term_add(ts, a, term_rat(ts, 1, 2)));
  case BUILTIN_ABS: return term_abs(ts, a);
  case BUILTIN_MIN: return term_min(ts, a, b);
  case BUILTIN_MAX: return term_max(ts, a, b);
  case BUILTIN_LENGTH: return term_length(ts, a);
  case BUILTIN_HEAD: return term_head(ts, a);
  case BUILTIN_TAIL: return term_tail(ts, a);
  case BUILTIN_REAL: return term_to_real(ts, a);
  case BUILTIN_DECLASSIFY: return a;
  default: return fail(lw, e->span, "this function cannot be expressed in the logic");
  }
}

/* The body with the arguments in place; arguments keep the run of the call. */
static term_id lower_let(struct lowering *lw, const struct ast_decl *let,
                         struct ast_expr *const *args, size_t count, unsigned run,
                         struct span place) {
  term_list values = {0}, saved = {0};
  for (size_t i = 0; i < count; i++) {
    sort_id sort = lower_sort(lw, let->as.let.args[i]->type);
    vec_push(&values, lower_expr_as(lw, args[i], run, sort));
  }
  bool ok = true;
  for (size_t i = 0; i < count; i++) {
    struct lowered_var *v = enter_var(lw, let->as.let.args[i]);
    vec_push(&saved, v->value);
    v->value = values.at[i];
    ok = ok && values.at[i];
  }
  term_id t = ok ? lower_expr(lw, let->as.let.body, run) : TERM_NONE;
  if (t && let->as.let.result) t = term_coerce(lw->ts, t, lower_sort(lw, let->as.let.result));
  for (size_t i = 0; i < count; i++)
    enter_var(lw, let->as.let.args[i])->value = saved.at[i];
  vec_clear(&values);
  vec_clear(&saved);
  return t ? t : fail(lw, place, "this definition cannot be expressed in the logic");
}

static term_id lower_op(struct lowering *lw, const struct ast_decl *op,
                        struct ast_expr *const *args, size_t count, unsigned run,
                        struct span place) {
  symbol_id symbol = lower_symbol(lw, op);
  if (symbol == SYMBOL_NONE) return fail(lw, place, "this operator cannot be expressed");
  term_list values = {0};
  for (size_t i = 0; i < count; i++)
    vec_push(&values, lower_expr_as(lw, args[i], run, lower_sort(lw, op->as.op.args[i]->type)));
  term_id t = term_app(lw->ts, symbol, values.at, values.len);
  vec_clear(&values);
  return t;
}

static term_id lower_call(struct lowering *lw, const struct ast_expr *e, unsigned run) {
  switch (e->as.call.callee_kind) {
  case CALLEE_BUILTIN: return lower_builtin(lw, e, run);
  case CALLEE_LET:
    return lower_let(lw, e->as.call.decl, e->as.call.args, e->as.call.count, run, e->span);
  case CALLEE_OP:
    return lower_op(lw, e->as.call.decl, e->as.call.args, e->as.call.count, run, e->span);
  default: return fail(lw, e->span, "a call of code is not an expression of the logic");
  }
}

static term_id lower_name(struct lowering *lw, const struct ast_expr *e, unsigned run) {
  if (e->as.name.var) return lower_var(lw, e->as.name.var, run);
  const struct ast_decl *decl = e->as.name.decl;
  if (decl && decl->kind == DECL_PARAM) return lower_param(lw, decl);
  if (decl && decl->kind == DECL_LET) return lower_let(lw, decl, NULL, 0, run, e->span);
  if (decl && decl->kind == DECL_OP) return lower_op(lw, decl, NULL, 0, run, e->span);
  return fail(lw, e->span, "this name has no value");
}

/* ---- operators ------------------------------------------------------------------------------ */

/* Two sides that must have one sort; [] takes the sort of the other side. */
static bool lower_sides(struct lowering *lw, const struct ast_expr *a, const struct ast_expr *b,
                        unsigned run, term_id *x, term_id *y) {
  bool a_open = a->type && lower_sort(lw, a->type) == SORT_NONE;
  const struct ast_expr *first = a_open ? b : a, *second = a_open ? a : b;
  term_id u = lower_expr(lw, first, run);
  if (!u) return false;
  bool second_open = second->type && lower_sort(lw, second->type) == SORT_NONE;
  term_id v = second_open ? lower_expr_as(lw, second, run, term_sort(lw->ts, u))
                          : lower_expr(lw, second, run);
  *x = a_open ? v : u;
  *y = a_open ? u : v;
  return v != TERM_NONE;
}

static term_id compare(struct lowering *lw, enum binary_op op, term_id a, term_id b) {
  switch (op) {
  case BINARY_EQ: return term_eq(lw->ts, a, b);
  case BINARY_NE: return term_ne(lw->ts, a, b);
  case BINARY_LT: return term_lt(lw->ts, a, b);
  case BINARY_LE: return term_le(lw->ts, a, b);
  case BINARY_GT: return term_gt(lw->ts, a, b);
  case BINARY_GE: return term_ge(lw->ts, a, b);
  default: return TERM_NONE;
  }
}

static term_id lower_power(struct lowering *lw, const struct ast_expr *e, term_id a, term_id b) {
  if (!term_is_num(lw->ts, b))
    return fail(lw, e->span, "only constant exponents can be expressed in the logic");
  const fmpq *k = term_num_value(lw->ts, b);
  if (!fmpz_is_one(fmpq_denref(k)) || fmpq_sgn(k) < 0 ||
      fmpz_cmp_ui(fmpq_numref(k), TERM_LIMIT_POWER) > 0)
    return fail(lw, e->span, "the exponent must be a natural number of moderate size");
  return term_pow(lw->ts, a, (unsigned)fmpz_get_ui(fmpq_numref(k)));
}

static term_id lower_binary(struct lowering *lw, const struct ast_expr *e, unsigned run) {
  struct terms *ts = lw->ts;
  const struct ast_expr *left = e->as.binary.left, *right = e->as.binary.right;
  enum binary_op op = e->as.binary.op;
  if ((op == BINARY_EQ || op == BINARY_NE) && is_array(left) && is_array(right)) {
    term_id t = array_equality(lw, left, run, right, run);
    return op == BINARY_EQ ? t : term_not(ts, t);
  }
  if (op == BINARY_CONS) {
    sort_id list = e->type ? lower_sort(lw, e->type) : SORT_NONE;
    term_id tail = lower_expr_as(lw, right, run, list);
    return term_cons(ts, lower_expr(lw, left, run), tail);
  }
  term_id a, b;
  if (!lower_sides(lw, left, right, run, &a, &b)) return TERM_NONE;
  switch (op) {
  case BINARY_IFF: return term_iff(ts, a, b);
  case BINARY_IMPLIES: return term_implies(ts, a, b);
  case BINARY_OR: return term_or(ts, a, b);
  case BINARY_AND: return term_and(ts, a, b);
  case BINARY_APPEND: return term_append(ts, a, b);
  case BINARY_ADD: return term_add(ts, a, b);
  case BINARY_SUB: return term_sub(ts, a, b);
  case BINARY_MUL: return term_mul(ts, a, b);
  case BINARY_DIV: return term_div(ts, a, b);
  case BINARY_IDIV: return term_idiv(ts, a, b);
  case BINARY_MOD: return term_mod(ts, a, b);
  case BINARY_POW: return lower_power(lw, e, a, b);
  default: return compare(lw, op, a, b);
  }
}

static term_id lower_chain(struct lowering *lw, const struct ast_expr *e, unsigned run) {
  term_list links = {0};
  for (size_t i = 0; i + 1 < e->as.chain.count; i++) {
    term_id a, b;
    bool ok = lower_sides(lw, e->as.chain.operands[i], e->as.chain.operands[i + 1], run, &a, &b);
    vec_push(&links, ok ? compare(lw, e->as.chain.ops[i], a, b) : TERM_NONE);
  }
  term_id t = term_and_all(lw->ts, links.at, links.len);
  vec_clear(&links);
  return t;
}

static term_id lower_index(struct lowering *lw, const struct ast_expr *e, unsigned run) {
  struct terms *ts = lw->ts;
  term_id base = lower_expr(lw, e->as.index.base, run);
  term_id index = lower_expr(lw, e->as.index.index, run);
  if (!base || !index) return TERM_NONE;
  if (is_array(e->as.index.base)) return term_select(ts, base, index);
  /* items of lists: an operator without axioms */
  sort_id list = term_sort(ts, base), elem = sort_elem(ts, list);
  struct buffer name;
  buffer_init(&name);
  buffer_puts(&name, "item of ");
  sort_print(&name, ts, list);
  symbol_id nth = symbol_declare(ts, buffer_text(&name), (sort_id[]){list, SORT_INT}, 2, elem);
  buffer_clear(&name);
  return term_app(ts, nth, (term_id[]){base, index}, 2);
}

static term_id lower_list(struct lowering *lw, const struct ast_expr *e, unsigned run,
                          sort_id sort) {
  struct terms *ts = lw->ts;
  if (sort == SORT_NONE) sort = e->type ? lower_sort(lw, e->type) : SORT_NONE;
  if (sort == SORT_NONE) return fail(lw, e->span, "the type of this list is not known here");
  term_id t = term_nil(ts, sort);
  for (size_t i = e->as.list.count; i-- > 0;)
    t = term_cons(ts, lower_expr_as(lw, e->as.list.items[i], run, sort_elem(ts, sort)), t);
  return t;
}

static term_id lower_tuple(struct lowering *lw, const struct ast_expr *e, unsigned run,
                           sort_id sort) {
  if (sort == SORT_NONE && e->type) sort = lower_sort(lw, e->type);
  const struct sort *s = sort == SORT_NONE ? NULL : sort_get(lw->ts, sort);
  bool fits = s && s->kind == SORT_KIND_TUPLE && s->count == e->as.list.count;
  term_list items = {0};
  for (size_t i = 0; i < e->as.list.count; i++) {
    sort_id item = fits ? sort_get(lw->ts, sort)->items[i] : SORT_NONE;
    vec_push(&items, lower_expr_as(lw, e->as.list.items[i], run, item));
  }
  term_id t = term_tuple(lw->ts, items.at, items.len);
  vec_clear(&items);
  return t;
}

/* Binders from the outside in; ranges may use outer binders. */
static term_id lower_quantifier(struct lowering *lw, const struct ast_expr *e, unsigned run,
                                size_t i) {
  struct terms *ts = lw->ts;
  if (i == e->as.quant.count) return lower_expr(lw, e->as.quant.body, run);
  const struct ast_binder *b = &e->as.quant.binders[i];
  bool forall = e->as.quant.is_forall;
  term_id low = b->low ? lower_expr(lw, b->low, run) : TERM_NONE;
  term_id high = b->high ? lower_expr(lw, b->high, run) : TERM_NONE;
  struct lowered_var *v = enter_var(lw, b->var);
  term_id saved = v->value;
  term_id var = term_fresh(ts, term_var(ts, b->var->name.text, v->sort, 0, 0));
  v->value = var;
  term_id body = lower_quantifier(lw, e, run, i + 1);
  v->value = saved;
  if (b->low) return (forall ? term_forall_range : term_exists_range)(ts, var, low, high, body);
  return (forall ? term_forall : term_exists)(ts, &var, 1, body);
}

static term_id lower_if(struct lowering *lw, const struct ast_expr *e, unsigned run) {
  term_id cond = lower_expr(lw, e->as.cond.cond, run), a, b;
  if (!cond || !lower_sides(lw, e->as.cond.then, e->as.cond.otherwise, run, &a, &b))
    return TERM_NONE;
  return term_ite(lw->ts, cond, a, b);
}

static term_id lower_any(struct lowering *lw, const struct ast_expr *e, unsigned run,
                         sort_id sort) {
  struct terms *ts = lw->ts;
  switch (e->kind) {
  case EXPR_BOOL: return term_bool(ts, e->as.boolean);
  case EXPR_NUMBER: {
    bool real = e->as.number.is_decimal || !fmpz_is_one(fmpq_denref(e->as.number.value));
    return term_num(ts, e->as.number.value, real ? SORT_REAL : SORT_INT);
  }
  case EXPR_NAME: return lower_name(lw, e, run);
  case EXPR_TAG: return lower_expr(lw, e->as.tag.operand, (unsigned)e->as.tag.run);
  case EXPR_UNARY: {
    term_id a = lower_expr(lw, e->as.unary.operand, run);
    return e->as.unary.op == UNARY_NEG ? term_neg(ts, a) : term_not(ts, a);
  }
  case EXPR_BINARY: return lower_binary(lw, e, run);
  case EXPR_CHAIN: return lower_chain(lw, e, run);
  case EXPR_CALL: return lower_call(lw, e, run);
  case EXPR_INDEX: return lower_index(lw, e, run);
  case EXPR_PROJ: return term_proj(ts, lower_expr(lw, e->as.proj.base, run), e->as.proj.item - 1);
  case EXPR_LIST: return lower_list(lw, e, run, sort);
  case EXPR_TUPLE: return lower_tuple(lw, e, run, sort);
  case EXPR_IF: return lower_if(lw, e, run);
  case EXPR_QUANT: return lower_quantifier(lw, e, run, 0);
  case EXPR_ERROR:
  case EXPR_HOLE: break;
  }
  return fail(lw, e->span, "this is not an expression of the logic");
}

term_id lower_expr_as(struct lowering *lw, const struct ast_expr *expr, unsigned run,
                      sort_id sort) {
  if (lw->depth == 0) lw->problem = NULL;
  if (lw->depth >= LOWER_LIMIT_DEPTH) return fail(lw, expr->span, "nested too deeply");
  lw->depth++;
  term_id t = lower_any(lw, expr, run, sort);
  lw->depth--;
  if (t && sort != SORT_NONE) t = term_coerce(lw->ts, t, sort);
  return t ? t : fail(lw, expr->span, "this cannot be expressed in the logic");
}

term_id lower_expr(struct lowering *lw, const struct ast_expr *expr, unsigned run) {
  return lower_expr_as(lw, expr, run, SORT_NONE);
}

bool lower_assumptions(struct lowering *lw, const struct ast_module *module, term_list *out) {
  bool all = true;
  for (size_t i = 0; i < module->decl_count; i++) {
    const struct ast_decl *d = module->decls[i];
    size_t count = d->kind == DECL_PARAM ? d->as.param.count : d->kind == DECL_AXIOM ? 1 : 0;
    for (size_t k = 0; k < count; k++) {
      const struct ast_expr *formula =
          d->kind == DECL_PARAM ? d->as.param.assumptions[k] : d->as.formula;
      term_id t = lower_expr(lw, formula, 0);
      if (t)
        vec_push(out, t);
      else
        all = false;
    }
  }
  return all;
}
