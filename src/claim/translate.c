#include "claim/translate.h"
#include "claim/sums.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/limits.h"
#include "claim/proof_names.h"
#include "claim/whole_array.h"
#include "kernel/series.h"
#include "lang/syntax/builtin.h"
#include "num/binary64.h"
#include "term/build.h"
#include "term/subst.h"

void translate_env_init(struct translate_env *env, struct kernel *k, struct lang *lang,
                        const struct ast_module *module) {
  *env = (struct translate_env){.k = k, .ts = kernel_terms(k), .lang = lang, .module = module};
  ptrmap_init(&env->vars);
  ptrmap_init(&env->names);
  ptrmap_init(&env->hidden);
  ptrmap_init(&env->op_args);
}

void translate_env_clear(struct translate_env *env) {
  vec_clear(&env->sums);
  vec_clear(&env->fixed);
  ptrmap_clear(&env->vars);
  ptrmap_clear(&env->names);
  ptrmap_clear(&env->hidden);
  ptrmap_clear(&env->op_args);
}

term_id translate_fail(struct translate_env *env, struct span span, const char *format, ...) {
  if (env->error) return TERM_NONE;
  va_list args;
  va_start(args, format);
  char *text = NULL;
  if (vasprintf(&text, format, args) < 0) text = NULL;
  va_end(args);
  env->error = arena_printf(kernel_arena(env->k), "%s", text ? text : format);
  env->error_span = span;
  free(text);
  return TERM_NONE;
}

term_id translate_lacks_length(struct translate_env *env, struct span span, const char *what) {
  if (env->error) return TERM_NONE;
  env->error_cause = FAILURE_LENGTH;
  return translate_fail(env, span, "%s", what);
}

void translate_failure(const struct translate_env *env, struct kernel_failure *out) {
  if (!out) return;
  *out = (struct kernel_failure){.message = arena_printf(&env->lang->arena, "%s", env->error),
                                 .span = env->error_span,
                                 .formula = TERM_NONE,
                                 .cause = env->error_cause};
}

sort_id translate_sort(struct translate_env *env, const struct type *type) {
  if (!type) return SORT_NONE;
  switch (type->kind) {
  case TYPE_BOOL: return SORT_BOOL;
  case TYPE_INT: return SORT_INT;
  case TYPE_FLOAT: /* its value; operations have no translation, see floats_are_exact */
  case TYPE_FLOAT32:
  case TYPE_REAL: return SORT_REAL;
  case TYPE_ABSTRACT: return sort_abstract(env->ts, type->name);
  case TYPE_ARRAY: return sort_array(env->ts, translate_sort(env, type->elem));
  case TYPE_LIST:
    return type->elem ? sort_list(env->ts, translate_sort(env, type->elem)) : SORT_NONE;
  case TYPE_TUPLE: {
    sort_id items[LIMIT_TUPLE];
    if (type->count > LIMIT_TUPLE) return SORT_NONE;
    for (size_t i = 0; i < type->count; i++)
      items[i] = translate_sort(env, type->items[i]);
    return sort_tuple(env->ts, items, type->count);
  }
  case TYPE_ERROR:
  case TYPE_UNIT: return SORT_NONE;
  }
  return SORT_NONE;
}

const struct translate_binding *translate_bind(struct translate_env *env, const struct ast_var *var,
                                               const char *name, term_id term, bool is_program,
                                               term_id length) {
  struct translate_binding *b = arena_new(kernel_arena(env->k), struct translate_binding);
  *b = (struct translate_binding){.term = term, .is_program = is_program, .length = length};
  if (var) ptrmap_put(&env->vars, var, b);
  if (name) ptrmap_put(&env->names, name, term == TERM_NONE ? NULL : b);
  return b;
}

const struct translate_binding *translate_find(struct translate_env *env, const char *name) {
  return ptrmap_get(&env->names, intern_str(&env->lang->intern, name));
}

/* ---- names ---------------------------------------------------------------------------------- */

/* What a name was resolved to; nothing: an error was left. */
static struct proof_meaning meaning_of(struct translate_env *env, const struct ast_expr *e) {
  struct proof_meaning m = {.decl = e->as.name.var ? NULL : e->as.name.decl};
  if (e->as.name.var) m.binding = ptrmap_get(&env->vars, e->as.name.var);
  if (m.binding || m.decl) return m;
  if (env->is_proof_text && !e->as.name.var)
    return proof_names_resolve(env, (struct ast_name){e->as.name.text, e->span});
  translate_fail(env, e->span, "internal error: `%s` has no meaning in the logic", e->as.name.text);
  return m;
}

static const struct translate_binding *binding_of(struct translate_env *env,
                                                  const struct ast_expr *e) {
  if (e->kind == EXPR_TAG) return binding_of(env, e->as.tag.operand);
  return e->kind == EXPR_NAME ? meaning_of(env, e).binding : NULL;
}

static term_id lower_app(struct translate_env *env, const struct ast_decl *op,
                         const struct ast_expr *e, struct ast_expr *const *args, size_t count) {
  if (count != op->as.op.arg_count)
    return translate_fail(env, e->span, "`%s` takes %zu arguments", op->name.text,
                          op->as.op.arg_count);
  term_list terms = {0};
  VEC(sort_id) sorts = {0};
  for (size_t i = 0; i < count; i++) {
    sort_id sort = translate_sort(env, op->as.op.args[i]->type);
    vec_push(&sorts, sort);
    vec_push(&terms, env->is_proof_text || whole_array_may_be(env, op->as.op.args[i], args[i])
                         ? translate_expr_as(env, args[i], sort)
                         : TERM_NONE);
  }
  symbol_id symbol = symbol_declare(env->ts, op->name.text, sorts.at, sorts.len,
                                    translate_sort(env, op->as.op.result->type));
  term_id t = symbol == SYMBOL_NONE ? TERM_NONE : term_app(env->ts, symbol, terms.at, terms.len);
  vec_clear(&terms);
  vec_clear(&sorts);
  return t;
}

static term_id lower_let(struct translate_env *env, const struct ast_decl *let,
                         const struct ast_expr *e, struct ast_expr *const *args, size_t count) {
  if (count != let->as.let.arg_count)
    return translate_fail(env, e->span, "`%s` takes %zu arguments", let->name.text,
                          let->as.let.arg_count);
  /* All values first: an argument may call the same let. */
  struct translate_binding values[LIMIT_ARGUMENTS];
  if (count > LIMIT_ARGUMENTS) return translate_fail(env, e->span, "too many arguments");
  for (size_t i = 0; i < count; i++) {
    const struct translate_binding *b = env->is_proof_text ? binding_of(env, args[i]) : NULL;
    values[i].length =
        env->is_proof_text ? (b ? b->length : TERM_NONE) : array_length(env, args[i]);
    values[i].term =
        translate_expr_as(env, args[i], translate_sort(env, let->as.let.args[i]->type));
  }
  for (size_t i = 0; i < count; i++)
    translate_bind(env, let->as.let.args[i], NULL, values[i].term, false, values[i].length);
  return translate_expr_as(env, let->as.let.body, translate_sort(env, let->as.let.result));
}

static term_id lower_name(struct translate_env *env, const struct ast_expr *e) {
  struct proof_meaning m = meaning_of(env, e);
  if (m.binding) {
    unsigned run = env->run ? env->run : env->untagged;
    return m.binding->is_program && run ? term_var_in_run(env->ts, m.binding->term, run)
                                        : m.binding->term;
  }
  if (!m.decl) return TERM_NONE;
  switch (m.decl->kind) {
  case DECL_PARAM:
    return term_var(env->ts, m.decl->name.text, translate_sort(env, m.decl->as.param.type->type), 0,
                    0);
  case DECL_LET: return lower_let(env, m.decl, e, NULL, 0);
  case DECL_OP: return lower_app(env, m.decl, e, NULL, 0);
  default: return translate_fail(env, e->span, "`%s` is no value", e->as.name.text);
  }
}

/* ---- adjacency shorthands ------------------------------------------------------------------- */

static term_id in_run(struct translate_env *env, const struct ast_expr *e, unsigned run) {
  unsigned saved = env->run;
  env->run = run;
  term_id t = translate_expr(env, e);
  env->run = saved;
  return t;
}

/* |a - b| <= s */
static term_id close_to(struct terms *ts, term_id a, term_id b, term_id s) {
  return term_le(ts, term_abs(ts, term_sub(ts, a, b)), s);
}
/* 0 <= b - a <= s */
static term_id rises(struct terms *ts, term_id a, term_id b, term_id s) {
  term_id d = term_sub(ts, b, a);
  return term_and(ts, term_le(ts, term_int(ts, 0), d), term_le(ts, d, s));
}

static bool is_of_kind(struct terms *ts, term_id t, enum sort_kind kind) {
  return t != TERM_NONE && sort_get(ts, term_sort(ts, t))->kind == kind;
}

/* Item i of a list, case by case; an item beyond list_bound is one of no list, which is not known. */
static term_id list_item(struct translate_env *env, term_id list, term_id i) {
  struct terms *ts = env->ts;
  if (!env->list_bound) return TERM_NONE;
  term_list rests = {0};
  for (size_t k = 0; k < env->list_bound; k++) {
    vec_push(&rests, list);
    list = term_tail(ts, list);
  }
  term_id item = term_head(ts, term_nil(ts, term_sort(ts, list)));
  for (size_t k = env->list_bound; k-- > 0;)
    item = term_ite(ts, term_eq(ts, i, term_int(ts, (long)k)), term_head(ts, rests.at[k]), item);
  vec_clear(&rests);
  return item;
}

static term_id item_of(struct translate_env *env, term_id t, term_id i) {
  return is_of_kind(env->ts, t, SORT_KIND_LIST) ? list_item(env, t, i) : term_select(env->ts, t, i);
}

/* The shorthand for arrays or lists of length n in both runs. */
static term_id lower_entries(struct translate_env *env, const struct ast_expr *e,
                             enum builtin which, term_id n, term_id a, term_id b, term_id s) {
  struct terms *ts = env->ts;
  term_id zero = term_int(ts, 0), i = kernel_fresh(env->k, "i", SORT_INT);
  term_id ai = item_of(env, a, i), bi = item_of(env, b, i);
  switch (which) {
  case BUILTIN_SAME: return term_forall_range(ts, i, zero, n, term_eq(ts, ai, bi));
  case BUILTIN_ALL_WITHIN: return term_forall_range(ts, i, zero, n, close_to(ts, ai, bi, s));
  case BUILTIN_ALL_INCREASE: return term_forall_range(ts, i, zero, n, rises(ts, ai, bi, s));
  case BUILTIN_ALL_DECREASE: return term_forall_range(ts, i, zero, n, rises(ts, bi, ai, s));
  case BUILTIN_MONOTONE:
    return term_or(ts, term_forall_range(ts, i, zero, n, rises(ts, ai, bi, s)),
                   term_forall_range(ts, i, zero, n, rises(ts, bi, ai, s)));
  case BUILTIN_ONE_DIFFERS: { /* j may lie outside: then nothing differs */
    term_id j = kernel_fresh(env->k, "differs", SORT_INT);
    term_id body = term_ite(ts, term_eq(ts, i, j), close_to(ts, ai, bi, s), term_eq(ts, ai, bi));
    return term_exists(ts, &j, 1, term_forall_range(ts, i, zero, n, body));
  }
  case BUILTIN_ADD_REMOVE: { /* where it differs, it is there in one run at most */
    term_id j = kernel_fresh(env->k, "differs", SORT_INT);
    term_id there = term_and(ts, term_proj(ts, ai, 0), term_proj(ts, bi, 0));
    term_id moves = term_and(ts, term_eq(ts, i, j), term_not(ts, there));
    term_id body = term_or(ts, moves, term_eq(ts, ai, bi));
    return term_exists(ts, &j, 1, term_forall_range(ts, i, zero, n, body));
  }
  case BUILTIN_ONE_CHANGES: {
    term_id j = kernel_fresh(env->k, "differs", SORT_INT);
    term_id body = term_or(ts, term_eq(ts, i, j), term_eq(ts, ai, bi));
    return term_exists(ts, &j, 1, term_forall_range(ts, i, zero, n, body));
  }
  default: return translate_fail(env, e->span, "this shorthand is not supported");
  }
}

static term_id lower_adjacency(struct translate_env *env, const struct ast_expr *e,
                               enum builtin which) {
  struct terms *ts = env->ts;
  const struct ast_expr *x = e->as.call.args[0];
  term_id a = in_run(env, x, 1), b = in_run(env, x, 2);
  term_id s = e->as.call.count > 1 ? translate_expr(env, e->as.call.args[1]) : TERM_NONE;
  if (which == BUILTIN_WITHIN) return close_to(ts, a, b, s);
  const struct translate_binding *binding = binding_of(env, x);
  bool is_array = is_of_kind(ts, a, SORT_KIND_ARRAY);
  if (which == BUILTIN_SAME && !is_array) return term_eq(ts, a, b);
  if (is_of_kind(ts, a, SORT_KIND_LIST) && env->list_bound) {
    term_id n = term_length(ts, a);
    return term_and(ts, term_eq(ts, n, term_length(ts, b)),
                    lower_entries(env, e, which, n, a, b, s));
  }
  if (!is_array || !binding || binding->length == TERM_NONE)
    return translate_lacks_length(env, x->span, "an array with a declared length is needed here");
  return lower_entries(env, e, which, binding->length, a, b, s);
}

/* differing(x) and same_except(x, i, ..): x is an array, looked at in both runs as a total map. */
static term_id lower_array_relation(struct translate_env *env, const struct ast_expr *e,
                                    enum builtin which) {
  struct terms *ts = env->ts;
  const struct ast_expr *x = e->as.call.args[0];
  term_id a = in_run(env, x, 1), b = in_run(env, x, 2);
  if (a == TERM_NONE || b == TERM_NONE) return TERM_NONE;
  if (sort_get(ts, term_sort(ts, a))->kind != SORT_KIND_ARRAY)
    return translate_fail(env, x->span, "`%s` needs an array, and this is none",
                          builtin_get(which)->name);
  if (a == b)
    return translate_fail(env, x->span, "`%s` compares the two runs, and this is the same in both",
                          builtin_get(which)->name);
  if (which == BUILTIN_DIFFERING) return term_differing(ts, a, b);
  for (size_t k = 1; k < e->as.call.count; k++) {
    term_id i = translate_expr_as(env, e->as.call.args[k], SORT_INT);
    a = term_store(ts, a, i, term_select(ts, b, i));
  }
  return term_eq(ts, b, a);
}

/* ---- compound expressions ------------------------------------------------------------------- */

/* to_float(0.1) or to_float(-0.1): how the checker writes a literal that stands for a float. */
static bool is_float_literal(const struct ast_expr *e) {
  if (e->kind != EXPR_CALL || e->as.call.callee_kind != CALLEE_BUILTIN) return false;
  if (e->as.call.builtin != BUILTIN_TO_FLOAT && e->as.call.builtin != BUILTIN_TO_FLOAT32)
    return false;
  const struct ast_expr *x = e->as.call.args[0];
  if (x->kind == EXPR_UNARY && x->as.unary.op == UNARY_NEG) x = x->as.unary.operand;
  return x->kind == EXPR_NUMBER;
}

static term_id lower_float_literal(struct translate_env *env, const struct ast_expr *e) {
  const struct ast_expr *x = e->as.call.args[0];
  bool negative = x->kind == EXPR_UNARY;
  if (negative) x = x->as.unary.operand;
  fmpq_t value;
  fmpq_init(value);
  bool wide = e->as.call.builtin == BUILTIN_TO_FLOAT;
  bool finite = binary64_to_rational(
      value, binary64_from_rational(wide ? BINARY64 : BINARY32, x->as.number.value));
  if (negative) fmpq_neg(value, value);
  term_id t = finite ? term_num(env->ts, value, SORT_REAL) : TERM_NONE;
  fmpq_clear(value);
  return t;
}

static term_id lower_builtin(struct translate_env *env, const struct ast_expr *e,
                             enum builtin which) {
  struct terms *ts = env->ts;
  const struct builtin_info *info = builtin_get(which);
  bool more = which == BUILTIN_SAME_EXCEPT && e->as.call.count > info->arity;
  if (e->as.call.count != info->arity && !more)
    return translate_fail(env, e->span, "`%s` takes %u arguments", info->name, info->arity);
  if (which == BUILTIN_STOPS_ODD) {
    term_id t = series_odd(ts, translate_expr(env, e->as.call.args[0]),
                           translate_expr(env, e->as.call.args[1]));
    if (t != TERM_NONE || env->error) return t;
    return translate_fail(env, e->span, "`stops_odd` takes a number and an integer");
  }
  if (builtin_is_proof_only(which)) return lower_array_relation(env, e, which);
  if (is_float_literal(e)) return lower_float_literal(env, e);
  if (info->is_adjacency) return lower_adjacency(env, e, which);
  if (which == BUILTIN_LENGTH) {
    const struct translate_binding *b = binding_of(env, e->as.call.args[0]);
    if (b && b->length != TERM_NONE) return b->length;
  }
  term_id a = translate_expr(env, e->as.call.args[0]);
  term_id b = info->arity > 1 ? translate_expr(env, e->as.call.args[1]) : TERM_NONE;
  switch (which) {
  case BUILTIN_LN: return term_ln(ts, a);
  case BUILTIN_EXP: return term_exp(ts, a);
  case BUILTIN_SQRT: return term_sqrt(ts, a);
  case BUILTIN_FLOOR: return term_floor(ts, a);
  case BUILTIN_CEIL: return term_ceil(ts, a);
  case BUILTIN_ROUND: return term_floor(ts, term_add(ts, a, term_rat(ts, 1, 2)));
  case BUILTIN_ABS: return term_abs(ts, a);
  case BUILTIN_MIN: return term_min(ts, a, b);
  case BUILTIN_MAX: return term_max(ts, a, b);
  case BUILTIN_LENGTH:
    if (a != TERM_NONE && sort_get(ts, term_sort(ts, a))->kind == SORT_KIND_ARRAY)
      return translate_lacks_length(
          env, e->span,
          "the length of this array is not constant: it must be declared, made of "
          "parameters and public inputs");
    return term_length(ts, a);
  case BUILTIN_HEAD: return term_head(ts, a);
  case BUILTIN_TAIL: return term_tail(ts, a);
  case BUILTIN_TO_REAL: /* a float has the sort of its value */
  case BUILTIN_REAL: return term_to_real(ts, a);
  case BUILTIN_DECLASSIFY: return a;
  default: return translate_fail(env, e->span, "`%s` is not supported here", info->name);
  }
}

/* A call in the text of a proof. */
static term_id lower_named_call(struct translate_env *env, const struct ast_expr *e) {
  struct ast_name name = e->as.call.callee;
  const struct builtin_info *info = builtin_find(name.text); /* no function has its name, */
  if (info && info->yields) info = NULL;                     /* except of these */
  const struct ast_decl *d = info ? NULL : proof_names_decl(env, name.text);
  if (info) return lower_builtin(env, e, info->id);
  if (!d) return translate_fail(env, e->span, "`%s` is not known here", name.text);
  if (d->kind == DECL_PARAM) return translate_fail(env, e->span, "a parameter is not a function");
  return d->kind == DECL_LET ? lower_let(env, d, e, e->as.call.args, e->as.call.count)
                             : lower_app(env, d, e, e->as.call.args, e->as.call.count);
}

static term_id lower_call(struct translate_env *env, const struct ast_expr *e) {
  const struct ast_decl *d = e->as.call.decl;
  switch (e->as.call.callee_kind) {
  case CALLEE_BUILTIN: return lower_builtin(env, e, e->as.call.builtin);
  case CALLEE_LET: return lower_let(env, d, e, e->as.call.args, e->as.call.count);
  case CALLEE_OP: return lower_app(env, d, e, e->as.call.args, e->as.call.count);
  case CALLEE_UNRESOLVED:
    if (env->is_proof_text) return lower_named_call(env, e);
    return translate_fail(env, e->span, "internal error: `%s` has no meaning in the logic",
                          e->as.call.callee.text);
  default: return translate_fail(env, e->span, "a call of code cannot be part of a formula");
  }
}

static bool is_empty_list(const struct ast_expr *e) {
  return e->kind == EXPR_LIST && e->as.list.count == 0;
}

/* Any base to a constant power, or a constant base to the power of any integer term. */
static term_id lower_power(struct translate_env *env, term_id base, term_id exponent,
                           const struct ast_expr *right) {
  struct terms *ts = env->ts;
  if (base == TERM_NONE || exponent == TERM_NONE) return TERM_NONE;
  if (term_is_num(ts, exponent)) {
    const fmpq *k = term_num_value(ts, exponent);
    if (!fmpz_is_one(fmpq_denref(k)) || fmpq_sgn(k) < 0 ||
        fmpz_cmp_ui(fmpq_numref(k), LIMIT_EXPONENT) > 0)
      return translate_fail(env, right->span, "a constant exponent must be an integer from 0 to %d",
                            LIMIT_EXPONENT);
    return term_pow(ts, base, (unsigned)fmpz_get_ui(fmpq_numref(k)));
  }
  if (term_sort(ts, exponent) != SORT_INT)
    return translate_fail(env, right->span,
                          "the exponent must be an integer; for a power of e write exp(...)");
  const fmpz *b = term_is_num(ts, base) && term_sort(ts, base) == SORT_INT
                      ? fmpq_numref(term_num_value(ts, base))
                      : NULL;
  if (!b || fmpz_cmp_ui(b, 2) < 0 || fmpz_cmp_ui(b, LIMIT_POWER_BASE) > 0)
    return translate_fail(env, right->span,
                          "the exponent is not a constant: the base must be one, an integer from "
                          "2 to %d",
                          LIMIT_POWER_BASE);
  return term_raise(ts, (uint32_t)fmpz_get_ui(b), exponent);
}

static term_id apply_binary(struct translate_env *env, enum binary_op op, term_id a, term_id b,
                            const struct ast_expr *right) {
  struct terms *ts = env->ts;
  switch (op) {
  case BINARY_IFF: return term_iff(ts, a, b);
  case BINARY_IMPLIES: return term_implies(ts, a, b);
  case BINARY_OR: return term_or(ts, a, b);
  case BINARY_AND: return term_and(ts, a, b);
  case BINARY_EQ: return term_eq(ts, a, b);
  case BINARY_NE: return term_ne(ts, a, b);
  case BINARY_LT: return term_lt(ts, a, b);
  case BINARY_LE: return term_le(ts, a, b);
  case BINARY_GT: return term_gt(ts, a, b);
  case BINARY_GE: return term_ge(ts, a, b);
  case BINARY_APPEND: return term_append(ts, a, b);
  case BINARY_CONS: return term_cons(ts, a, b);
  case BINARY_ADD: return term_add(ts, a, b);
  case BINARY_SUB: return term_sub(ts, a, b);
  case BINARY_MUL: return term_mul(ts, a, b);
  case BINARY_DIV: return term_div(ts, a, b);
  case BINARY_IDIV: return term_idiv(ts, a, b);
  case BINARY_MOD: return term_mod(ts, a, b);
  case BINARY_POW: return lower_power(env, a, b, right);
  }
  return TERM_NONE;
}

/* In proof text arrays are maps. */
static bool may_compare(struct translate_env *env, enum binary_op op, const struct ast_expr *a,
                        const struct ast_expr *b) {
  bool compares = op == BINARY_EQ || op == BINARY_NE;
  return !compares || env->is_proof_text || whole_arrays_alike(env, a, b);
}

static term_id lower_binary(struct translate_env *env, const struct ast_expr *e) {
  const struct ast_expr *l = e->as.binary.left, *r = e->as.binary.right;
  if (!may_compare(env, e->as.binary.op, l, r)) return TERM_NONE;
  if (e->as.binary.op == BINARY_CONS) { /* x :: [] */
    term_id head = translate_expr(env, l);
    if (head == TERM_NONE) return TERM_NONE;
    sort_id list = sort_list(env->ts, term_sort(env->ts, head));
    if (is_empty_list(r)) return term_cons(env->ts, head, term_nil(env->ts, list));
    term_id tail = translate_expr(env, r);
    if (tail == TERM_NONE) return TERM_NONE;
    return term_cons(
        env->ts, term_coerce(env->ts, head, sort_elem(env->ts, term_sort(env->ts, tail))), tail);
  }
  term_id a, b;
  if (is_empty_list(l) && !is_empty_list(r)) {
    b = translate_expr(env, r);
    a = b == TERM_NONE ? TERM_NONE : term_nil(env->ts, term_sort(env->ts, b));
  } else {
    a = translate_expr(env, l);
    if (is_empty_list(r))
      b = a == TERM_NONE ? TERM_NONE : term_nil(env->ts, term_sort(env->ts, a));
    else
      b = translate_expr(env, r);
  }
  return apply_binary(env, e->as.binary.op, a, b, r);
}

static term_id lower_chain(struct translate_env *env, const struct ast_expr *e) {
  term_id all = term_bool(env->ts, true), left = translate_expr(env, e->as.chain.operands[0]);
  for (size_t i = 0; i + 1 < e->as.chain.count; i++) {
    const struct ast_expr *next = e->as.chain.operands[i + 1];
    if (!may_compare(env, e->as.chain.ops[i], e->as.chain.operands[i], next)) return TERM_NONE;
    term_id right = translate_expr(env, next);
    all = term_and(env->ts, all, apply_binary(env, e->as.chain.ops[i], left, right, next));
    left = right;
  }
  return all;
}

static term_id lower_quant(struct translate_env *env, const struct ast_expr *e, size_t at) {
  if (at == e->as.quant.count) return translate_expr_as(env, e->as.quant.body, SORT_BOOL);
  const struct ast_binder *binder = &e->as.quant.binders[at];
  const char *name = binder->var->name.text;
  sort_id sort = SORT_INT;
  term_id low = TERM_NONE, high = TERM_NONE;
  if (binder->low) {
    low = translate_expr(env, binder->low);
    high = translate_expr(env, binder->high);
  } else {
    const struct ast_type *t = binder->var->declared;
    sort = binder->var->type ? translate_sort(env, binder->var->type)
                             : (t->kind == TYPE_INT        ? SORT_INT
                                : t->kind == TYPE_REAL     ? SORT_REAL
                                : t->kind == TYPE_BOOL     ? SORT_BOOL
                                : t->kind == TYPE_ABSTRACT ? sort_abstract(env->ts, t->name.text)
                                                           : SORT_NONE);
    if (sort == SORT_NONE) return translate_fail(env, e->span, "cannot quantify over this type");
    if (sort_has_array(env->ts, sort)) /* maps without a length: more than there are arrays */
      return translate_fail(env, e->span, "cannot quantify over arrays; over indices one can");
  }
  term_id var = kernel_fresh(env->k, name, sort);
  void *hidden = ptrmap_get(&env->names, name);
  translate_bind(env, binder->var, env->is_proof_text ? name : NULL, var, false, TERM_NONE);
  term_id body = lower_quant(env, e, at + 1);
  ptrmap_put(&env->names, name, hidden);
  bool all = e->as.quant.is_forall;
  if (binder->low)
    return all ? term_forall_range(env->ts, var, low, high, body)
               : term_exists_range(env->ts, var, low, high, body);
  return all ? term_forall(env->ts, &var, 1, body) : term_exists(env->ts, &var, 1, body);
}

static term_id lower_items(struct translate_env *env, const struct ast_expr *e, sort_id elem) {
  term_list items = {0};
  for (size_t i = 0; i < e->as.list.count; i++)
    vec_push(&items, elem == SORT_NONE ? translate_expr(env, e->as.list.items[i])
                                       : translate_expr_as(env, e->as.list.items[i], elem));
  term_id t = TERM_NONE;
  if (e->kind == EXPR_TUPLE) {
    t = term_tuple(env->ts, items.at, items.len);
  } else if (items.len && items.at[0] != TERM_NONE) {
    if (elem == SORT_NONE) elem = term_sort(env->ts, items.at[0]);
    t = term_nil(env->ts, sort_list(env->ts, elem));
    for (size_t i = items.len; i-- > 0;)
      t = term_cons(env->ts, items.at[i], t);
  }
  vec_clear(&items);
  return t;
}

static term_id lower_kind(struct translate_env *env, const struct ast_expr *e) {
  struct terms *ts = env->ts;
  switch (e->kind) {
  case EXPR_BOOL: return term_bool(ts, e->as.boolean);
  case EXPR_NUMBER: {
    bool whole = !e->as.number.is_decimal && fmpz_is_one(fmpq_denref(e->as.number.value));
    return term_num(ts, e->as.number.value, whole ? SORT_INT : SORT_REAL);
  }
  case EXPR_NAME: return lower_name(env, e);
  case EXPR_TAG: return in_run(env, e->as.tag.operand, (unsigned)e->as.tag.run);
  case EXPR_UNARY: {
    term_id a = translate_expr(env, e->as.unary.operand);
    return e->as.unary.op == UNARY_NEG ? term_neg(ts, a) : term_not(ts, a);
  }
  case EXPR_BINARY: return lower_binary(env, e);
  case EXPR_CHAIN: return lower_chain(env, e);
  case EXPR_CALL: return lower_call(env, e);
  case EXPR_INDEX:
    return item_of(env, translate_expr(env, e->as.index.base),
                   translate_expr(env, e->as.index.index));
  case EXPR_PROJ: return term_proj(ts, translate_expr(env, e->as.proj.base), e->as.proj.item - 1);
  case EXPR_LIST:
  case EXPR_TUPLE: return lower_items(env, e, SORT_NONE);
  case EXPR_IF:
    return term_ite(ts, translate_expr(env, e->as.cond.cond), translate_expr(env, e->as.cond.then),
                    translate_expr(env, e->as.cond.otherwise));
  case EXPR_QUANT: return e->as.quant.is_sum ? translate_sum(env, e) : lower_quant(env, e, 0);
  case EXPR_HOLE: return env->asked;
  case EXPR_ERROR: break;
  }
  return TERM_NONE;
}

/* A floating-point operation is not the real one: nothing of a program or formula that computes
 * with such numbers is translated but their values, by name, and literals, which are rounded here. */
static bool floats_are_exact(const struct ast_expr *e) {
  if (!e->type || !type_is_float(e->type)) return true;
  return e->kind == EXPR_NAME || e->kind == EXPR_TAG || e->kind == EXPR_INDEX ||
         e->kind == EXPR_PROJ || is_float_literal(e);
}

term_id translate_expr(struct translate_env *env, const struct ast_expr *e) {
  if (env->error) return TERM_NONE;
  if (!floats_are_exact(e))
    return translate_fail(env, e->span,
                          "this is floating-point arithmetic, about which only claims with `at` "
                          "are proved (docs/floating-point.md)");
  term_id t = lower_kind(env, e);
  if (t == TERM_NONE)
    translate_fail(env, e->span, "this expression has no meaning here (its parts do not fit)");
  return t;
}

term_id translate_expr_as(struct translate_env *env, const struct ast_expr *e, sort_id sort) {
  if (env->error) return TERM_NONE;
  enum sort_kind kind = sort == SORT_NONE ? SORT_KIND_NONE : sort_get(env->ts, sort)->kind;
  if (is_empty_list(e) && kind == SORT_KIND_LIST) return term_nil(env->ts, sort);
  if (e->kind == EXPR_LIST && kind == SORT_KIND_LIST)
    return lower_items(env, e, sort_elem(env->ts, sort));
  term_id t = translate_expr(env, e);
  if (t == TERM_NONE || sort == SORT_NONE) return t;
  t = term_coerce(env->ts, t, sort);
  if (t == TERM_NONE)
    translate_fail(env, e->span, "this expression has another type than is needed");
  return t;
}

/* ---- facts ---------------------------------------------------------------------------------- */

void translate_assume(struct translate_env *env, struct span span, term_id fact) {
  if (env->error) return;
  if (fact == TERM_NONE || !kernel_assume(env->k, fact))
    translate_fail(env, span, "this assumption is not a formula about parameters and inputs");
}

void translate_module(struct translate_env *env) {
  for (size_t i = 0; i < env->module->decl_count; i++) {
    const struct ast_decl *d = env->module->decls[i];
    for (size_t a = 0; d->kind == DECL_PARAM && a < d->as.param.count; a++)
      translate_assume(env, d->span, translate_expr_as(env, d->as.param.assumptions[a], SORT_BOOL));
    if (d->kind == DECL_AXIOM)
      translate_assume(env, d->span, translate_expr_as(env, d->as.formula, SORT_BOOL));
  }
}
