/* Builders of formulas. */
#include <stdlib.h>

#include "term/build.h"
#include "term/subst.h"

static term_id make(struct terms *ts, enum term_kind kind, const term_id *args, size_t count) {
  return term_make_(ts, (struct term_node){.kind = kind, .sort = SORT_BOOL}, args, count);
}

static bool is_bool(struct terms *ts, term_id t) {
  if (t == TERM_NONE) return false;
  if (term_sort(ts, t) == SORT_BOOL) return true;
  term_fail_(ts, TERM_FAILURE_SORT);
  return false;
}

term_id term_bool(struct terms *ts, bool value) {
  return value ? ts->true_term : ts->false_term;
}

term_id term_not(struct terms *ts, term_id a) {
  if (!is_bool(ts, a)) return TERM_NONE;
  switch (term_kind(ts, a)) {
  case TERM_TRUE: return ts->false_term;
  case TERM_FALSE: return ts->true_term;
  case TERM_NOT: return term_arg(ts, a, 0);
  case TERM_LE: return term_lt(ts, term_arg(ts, a, 1), term_arg(ts, a, 0));
  case TERM_LT: return term_le(ts, term_arg(ts, a, 1), term_arg(ts, a, 0));
  default: return make(ts, TERM_NOT, &a, 1);
  }
}

static int by_handle(const void *a, const void *b) {
  term_id x = *(const term_id *)a, y = *(const term_id *)b;
  return (x > y) - (x < y);
}

/* Flattens nested `kind` into `out`. */
static void gather(struct terms *ts, enum term_kind kind, term_id t, term_list *out) {
  if (term_kind(ts, t) != kind) {
    vec_push(out, t);
    return;
  }
  for (size_t i = 0; i < term_arg_count(ts, t); i++)
    gather(ts, kind, term_arg(ts, t, i), out);
}

/* Is the negation of a NOT among the sorted args? */
static bool has_complement(struct terms *ts, const term_list *args) {
  for (size_t i = 0; i < args->len; i++) {
    if (term_kind(ts, args->at[i]) != TERM_NOT) continue;
    term_id positive = term_arg(ts, args->at[i], 0);
    if (bsearch(&positive, args->at, args->len, sizeof *args->at, by_handle)) return true;
  }
  return false;
}

/* AND with unit true and zero false, or OR with unit false and zero true. */
static term_id junction(struct terms *ts, enum term_kind kind, const term_id *args, size_t count) {
  term_id unit = term_bool(ts, kind == TERM_AND), zero = term_bool(ts, kind != TERM_AND);
  term_list flat = {0};
  for (size_t i = 0; i < count; i++) {
    if (!is_bool(ts, args[i])) {
      vec_clear(&flat);
      return TERM_NONE;
    }
    gather(ts, kind, args[i], &flat);
  }
  if (flat.len > 1) qsort(flat.at, flat.len, sizeof *flat.at, by_handle);
  size_t kept = 0;
  bool is_zero = false;
  for (size_t i = 0; i < flat.len; i++) {
    if (flat.at[i] == zero) is_zero = true;
    if (flat.at[i] != unit && (!kept || flat.at[kept - 1] != flat.at[i]))
      flat.at[kept++] = flat.at[i];
  }
  flat.len = kept;
  term_id t;
  if (is_zero || has_complement(ts, &flat))
    t = zero;
  else if (!kept)
    t = unit;
  else
    t = kept == 1 ? flat.at[0] : make(ts, kind, flat.at, kept);
  vec_clear(&flat);
  return t;
}

term_id term_and_all(struct terms *ts, const term_id *args, size_t count) {
  return junction(ts, TERM_AND, args, count);
}

term_id term_or_all(struct terms *ts, const term_id *args, size_t count) {
  return junction(ts, TERM_OR, args, count);
}

term_id term_and(struct terms *ts, term_id a, term_id b) {
  return junction(ts, TERM_AND, (term_id[]){a, b}, 2);
}

term_id term_or(struct terms *ts, term_id a, term_id b) {
  return junction(ts, TERM_OR, (term_id[]){a, b}, 2);
}

term_id term_implies(struct terms *ts, term_id a, term_id b) {
  if (!is_bool(ts, a) || !is_bool(ts, b)) return TERM_NONE;
  if (a == ts->false_term || b == ts->true_term || a == b) return ts->true_term;
  if (a == ts->true_term) return b;
  if (b == ts->false_term) return term_not(ts, a);
  return make(ts, TERM_IMPLIES, (term_id[]){a, b}, 2);
}

term_id term_iff(struct terms *ts, term_id a, term_id b) {
  return is_bool(ts, a) && is_bool(ts, b) ? term_eq(ts, a, b) : TERM_NONE;
}

/* Brings two arguments to one sort. */
static bool unify(struct terms *ts, term_id *a, term_id *b) {
  if (!*a || !*b) return false;
  sort_id s = term_sort(ts, *a), t = term_sort(ts, *b);
  if (s == t) return true;
  term_id as_b = term_coerce(ts, *a, t);
  if (as_b) {
    *a = as_b;
    return true;
  }
  *b = term_coerce(ts, *b, s);
  return *b != TERM_NONE;
}

term_id term_ite(struct terms *ts, term_id cond, term_id a, term_id b) {
  if (!is_bool(ts, cond) || !unify(ts, &a, &b)) return TERM_NONE;
  if (cond == ts->true_term || a == b) return a;
  if (cond == ts->false_term) return b;
  if (term_kind(ts, cond) == TERM_NOT) return term_ite(ts, term_arg(ts, cond, 0), b, a);
  struct term_node n = {.kind = TERM_ITE, .sort = term_sort(ts, a)};
  return term_make_(ts, n, (term_id[]){cond, a, b}, 3);
}

/* ---- comparisons ---------------------------------------------------------------------------- */

static bool is_constructor(enum term_kind kind) {
  return kind == TERM_NIL || kind == TERM_CONS || kind == TERM_TUPLE;
}

/* Both sides built by constructors: equal iff the same one with equal arguments. */
static term_id constructor_eq(struct terms *ts, term_id a, term_id b) {
  if (term_kind(ts, a) != term_kind(ts, b)) return ts->false_term;
  term_list parts = {0};
  for (size_t i = 0; i < term_arg_count(ts, a); i++)
    vec_push(&parts, term_eq(ts, term_arg(ts, a, i), term_arg(ts, b, i)));
  term_id t = term_and_all(ts, parts.at, parts.len);
  vec_clear(&parts);
  return t;
}

term_id term_eq(struct terms *ts, term_id a, term_id b) {
  if (!unify(ts, &a, &b)) return TERM_NONE;
  if (a == b) return ts->true_term;
  sort_id sort = term_sort(ts, a);
  if (sort == SORT_BOOL) {
    if (a == ts->true_term) return b;
    if (b == ts->true_term) return a;
    if (a == ts->false_term) return term_not(ts, b);
    if (b == ts->false_term) return term_not(ts, a);
  }
  if (sort_is_numeric(sort)) {
    term_id difference = term_sub(ts, a, b);
    if (difference == TERM_NONE) return TERM_NONE;
    if (term_is_num(ts, difference))
      return term_bool(ts, fmpq_is_zero(term_num_value(ts, difference)));
  }
  if (is_constructor(term_kind(ts, a)) && is_constructor(term_kind(ts, b)))
    return constructor_eq(ts, a, b);
  return a < b ? make(ts, TERM_EQ, (term_id[]){a, b}, 2) : make(ts, TERM_EQ, (term_id[]){b, a}, 2);
}

term_id term_ne(struct terms *ts, term_id a, term_id b) {
  return term_not(ts, term_eq(ts, a, b));
}

static term_id order(struct terms *ts, enum term_kind kind, term_id a, term_id b) {
  term_id difference = term_sub(ts, a, b); /* checks the sorts */
  if (difference == TERM_NONE) return TERM_NONE;
  if (term_is_num(ts, difference)) {
    int sign = fmpq_sgn(term_num_value(ts, difference));
    return term_bool(ts, kind == TERM_LE ? sign <= 0 : sign < 0);
  }
  return unify(ts, &a, &b) ? make(ts, kind, (term_id[]){a, b}, 2) : TERM_NONE;
}

term_id term_le(struct terms *ts, term_id a, term_id b) {
  return order(ts, TERM_LE, a, b);
}

term_id term_lt(struct terms *ts, term_id a, term_id b) {
  return order(ts, TERM_LT, a, b);
}

term_id term_ge(struct terms *ts, term_id a, term_id b) {
  return order(ts, TERM_LE, b, a);
}

term_id term_gt(struct terms *ts, term_id a, term_id b) {
  return order(ts, TERM_LT, b, a);
}

/* ---- quantifiers ---------------------------------------------------------------------------- */

static term_id quantify(struct terms *ts, enum term_kind kind, const term_id *vars, size_t count,
                        term_id body) {
  if (!is_bool(ts, body)) return TERM_NONE;
  for (size_t i = count; i-- > 0;) {
    if (vars[i] == TERM_NONE || term_kind(ts, vars[i]) != TERM_VAR)
      return term_fail_(ts, TERM_FAILURE_SORT);
    struct term_var v = *term_var_get(ts, vars[i]);
    if (!term_mentions(ts, body, &vars[i], 1)) continue; /* sorts are inhabited */
    struct term_node n = {
        .kind = kind, .sort = SORT_BOOL, .binder = v.sort, .hint = (uint32_t)ts->hints.len};
    vec_push(&ts->hints, v.name);
    term_id closed = term_abstract(ts, body, vars[i]);
    body = term_make_(ts, n, &closed, 1);
    if (body == TERM_NONE) return TERM_NONE;
  }
  return body;
}

term_id term_forall(struct terms *ts, const term_id *vars, size_t count, term_id body) {
  return quantify(ts, TERM_FORALL, vars, count, body);
}

term_id term_exists(struct terms *ts, const term_id *vars, size_t count, term_id body) {
  return quantify(ts, TERM_EXISTS, vars, count, body);
}

static term_id in_range(struct terms *ts, term_id var, term_id low, term_id high) {
  term_id from = term_le(ts, low, var), to = term_lt(ts, var, high);
  return term_and(ts, from, to);
}

term_id term_forall_range(struct terms *ts, term_id var, term_id low, term_id high, term_id body) {
  return term_forall(ts, &var, 1, term_implies(ts, in_range(ts, var, low, high), body));
}

term_id term_exists_range(struct terms *ts, term_id var, term_id low, term_id high, term_id body) {
  return term_exists(ts, &var, 1, term_and(ts, in_range(ts, var, low, high), body));
}
