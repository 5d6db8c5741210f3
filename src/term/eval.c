#include "term/eval.h"

#include <flint/fmpz_vec.h>
#include <stdlib.h>

static const struct tvalue *arg(struct evaluator *ev, term_id t, size_t i) {
  return eval_term(ev, term_arg(ev->ts, t, i));
}

static bool is_exact(const struct tvalue *v) {
  return v->kind == TVALUE_EXACT;
}

/* ---- arithmetic ----------------------------------------------------------------------------- */

typedef void exact_op(fmpq *, const fmpq *, const fmpq *);
typedef void ball_op(arb_t, const arb_t, const arb_t, slong);

static void exact_min(fmpq *r, const fmpq *a, const fmpq *b) {
  fmpq_set(r, fmpq_cmp(a, b) <= 0 ? a : b);
}

static void exact_max(fmpq *r, const fmpq *a, const fmpq *b) {
  fmpq_set(r, fmpq_cmp(a, b) >= 0 ? a : b);
}

static const struct tvalue *combine(struct evaluator *ev, const struct tvalue *a,
                                    const struct tvalue *b, exact_op *exact, ball_op *ball) {
  if (is_exact(a) && is_exact(b)) {
    fmpq r;
    fmpq_init(&r);
    exact(&r, &a->exact, &b->exact);
    const struct tvalue *v = tvalue_exact(ev, &r);
    fmpq_clear(&r);
    return v;
  }
  arb_t x, y;
  arb_init(x);
  arb_init(y);
  bool ok = tvalue_get_ball(a, x, ev->precision) && tvalue_get_ball(b, y, ev->precision);
  if (ok) ball(x, x, y, ev->precision);
  const struct tvalue *v = ok ? tvalue_ball(ev, x) : tvalue_unknown(ev);
  arb_clear(x);
  arb_clear(y);
  return v;
}

static const struct tvalue *fold(struct evaluator *ev, term_id t, exact_op *exact, ball_op *ball) {
  const struct tvalue *v = arg(ev, t, 0);
  for (size_t i = 1; i < term_arg_count(ev->ts, t); i++)
    v = combine(ev, v, arg(ev, t, i), exact, ball);
  return v;
}

static const struct tvalue *power(struct evaluator *ev, const struct tvalue *a, uint32_t k) {
  const struct tvalue *v = tvalue_unknown(ev);
  ulong bits = fmpz_bits(fmpq_numref(&a->exact)) + fmpz_bits(fmpq_denref(&a->exact));
  if (is_exact(a) && bits > EVAL_MAX_BITS / (k ? k : 1)) return v;
  if (is_exact(a)) {
    fmpq r;
    fmpq_init(&r);
    fmpq_pow_si(&r, &a->exact, (slong)k);
    v = tvalue_exact(ev, &r);
    fmpq_clear(&r);
  } else if (a->kind == TVALUE_BALL) {
    arb_t x;
    arb_init(x);
    arb_pow_ui(x, a->ball, k, ev->precision);
    v = tvalue_ball(ev, x);
    arb_clear(x);
  }
  return v;
}

/* base^k; nobody says what it is for k < 0. */
static const struct tvalue *raise_value(struct evaluator *ev, uint32_t base,
                                        const struct tvalue *k) {
  if (!is_exact(k) || fmpq_sgn(&k->exact) < 0 || !fmpz_is_one(fmpq_denref(&k->exact)) ||
      fmpz_cmp_ui(fmpq_numref(&k->exact), TERM_LIMIT_POWER) > 0)
    return tvalue_unknown(ev);
  fmpq r;
  fmpq_init(&r);
  fmpz_ui_pow_ui(fmpq_numref(&r), base, fmpz_get_ui(fmpq_numref(&k->exact)));
  const struct tvalue *v = tvalue_exact(ev, &r);
  fmpq_clear(&r);
  return v;
}

static const struct tvalue *divide(struct evaluator *ev, const struct tvalue *a,
                                   const struct tvalue *b) {
  if (is_exact(b) && fmpq_is_zero(&b->exact)) return tvalue_unknown(ev);
  return combine(ev, a, b, fmpq_div, arb_div); /* a ball around 0 gives an infinite ball */
}

static const struct tvalue *int_divide(struct evaluator *ev, const struct tvalue *a,
                                       const struct tvalue *b, bool quotient) {
  if (!is_exact(a) || !is_exact(b)) return tvalue_unknown(ev);
  if (fmpq_is_zero(&b->exact)) return quotient ? tvalue_unknown(ev) : a; /* x - 0 * (x div 0) */
  fmpq r;
  fmpq_init(&r);
  (quotient ? fmpz_fdiv_q : fmpz_fdiv_r)(fmpq_numref(&r), fmpq_numref(&a->exact),
                                         fmpq_numref(&b->exact));
  const struct tvalue *v = tvalue_exact(ev, &r);
  fmpq_clear(&r);
  return v;
}

static const struct tvalue *round_value(struct evaluator *ev, const struct tvalue *a, bool up) {
  const struct tvalue *v = tvalue_unknown(ev);
  fmpq r;
  fmpq_init(&r);
  if (is_exact(a)) {
    (up ? fmpz_cdiv_q : fmpz_fdiv_q)(fmpq_numref(&r), fmpq_numref(&a->exact),
                                     fmpq_denref(&a->exact));
    v = tvalue_exact(ev, &r);
  } else if (a->kind == TVALUE_BALL) {
    arb_t x;
    arb_init(x);
    (up ? arb_ceil : arb_floor)(x, a->ball, ev->precision);
    if (arb_get_unique_fmpz(fmpq_numref(&r), x))
      v = tvalue_exact(ev, &r);
    else
      v = tvalue_ball(ev, x);
    arb_clear(x);
  }
  fmpq_clear(&r);
  return v;
}

static const struct tvalue *absolute(struct evaluator *ev, const struct tvalue *a) {
  if (is_exact(a)) {
    fmpq r;
    fmpq_init(&r);
    fmpq_abs(&r, &a->exact);
    const struct tvalue *v = tvalue_exact(ev, &r);
    fmpq_clear(&r);
    return v;
  }
  if (a->kind != TVALUE_BALL) return tvalue_unknown(ev);
  arb_t x;
  arb_init(x);
  arb_abs(x, a->ball);
  const struct tvalue *v = tvalue_ball(ev, x);
  arb_clear(x);
  return v;
}

/* Outside the domain Arb gives an infinite or NaN ball, hence unknown. */
static const struct tvalue *transcendental(struct evaluator *ev, enum term_kind kind,
                                           const struct tvalue *a) {
  arb_t x;
  arb_init(x);
  const struct tvalue *v = tvalue_unknown(ev);
  if (tvalue_get_ball(a, x, ev->precision)) {
    if (kind == TERM_EXP)
      arb_exp(x, x, ev->precision);
    else if (kind == TERM_LN)
      arb_log(x, x, ev->precision);
    else
      arb_sqrt(x, x, ev->precision);
    v = tvalue_ball(ev, x);
  }
  arb_clear(x);
  return v;
}

static int compare_truth(struct evaluator *ev, enum term_kind kind, const struct tvalue *a,
                         const struct tvalue *b) {
  if (is_exact(a) && is_exact(b)) {
    int c = fmpq_cmp(&a->exact, &b->exact);
    return kind == TERM_LE ? c <= 0 : c < 0;
  }
  arb_t x, y;
  arb_init(x);
  arb_init(y);
  int result = -1;
  if (tvalue_get_ball(a, x, ev->precision) && tvalue_get_ball(b, y, ev->precision)) {
    bool strict = kind == TERM_LT;
    if (strict ? arb_lt(x, y) : arb_le(x, y))
      result = 1;
    else if (strict ? arb_ge(x, y) : arb_gt(x, y))
      result = 0;
  }
  arb_clear(x);
  arb_clear(y);
  return result;
}

/* ---- logic ---------------------------------------------------------------------------------- */

static const struct tvalue *of_truth(struct evaluator *ev, int truth) {
  return truth < 0 ? tvalue_unknown(ev) : tvalue_bool(ev, truth);
}

static int truth_of(const struct tvalue *v) {
  return v->kind == TVALUE_BOOL ? v->truth : -1;
}

static int junction_truth(struct evaluator *ev, term_id t, int zero) {
  int result = !zero;
  for (size_t i = 0; i < term_arg_count(ev->ts, t); i++) {
    int x = truth_of(arg(ev, t, i));
    if (x == zero) return zero;
    if (x < 0) result = -1;
  }
  return result;
}

static int implies_truth(struct evaluator *ev, term_id t) {
  int a = truth_of(arg(ev, t, 0));
  if (a == 0) return 1;
  int b = truth_of(arg(ev, t, 1));
  if (b == 1) return 1;
  return a == 1 && b == 0 ? 0 : -1;
}

/* With an undecided condition, a numeric result lies in the hull of both branches. */
static const struct tvalue *ite_value(struct evaluator *ev, term_id t) {
  int c = truth_of(arg(ev, t, 0));
  if (c >= 0) return arg(ev, t, c ? 1 : 2);
  const struct tvalue *a = arg(ev, t, 1), *b = arg(ev, t, 2);
  if (tvalue_equal(ev, a, b) == 1) return a;
  if (!sort_is_numeric(term_sort(ev->ts, t))) return tvalue_unknown(ev);
  arb_t x, y;
  arb_init(x);
  arb_init(y);
  bool ok = tvalue_get_ball(a, x, ev->precision) && tvalue_get_ball(b, y, ev->precision);
  if (ok) arb_union(x, x, y, ev->precision);
  const struct tvalue *v = ok ? tvalue_ball(ev, x) : tvalue_unknown(ev);
  arb_clear(x);
  arb_clear(y);
  return v;
}

/* The integers that a quantifier has to look at; outside of a complete range the body is true
 * (forall) or false (exists). */
struct range {
  fmpz_t low, high; /* both included */
  bool has_low, has_high;
};

/* A guard x >= bound (or x <= bound) on the variable of the quantifier. The bound is evaluated for
 * all values of x at once, so that it does not depend on x if it has a value. */
static void note_bound(struct evaluator *ev, struct range *r, term_id bound, bool strict,
                       bool is_low) {
  vec_push(&ev->bound, tvalue_unknown(ev));
  const struct tvalue *v = eval_term(ev, bound);
  ev->bound.len--;
  if (!is_exact(v)) return;
  fmpz_t z;
  fmpz_init(z);
  if (is_low) {
    fmpz_cdiv_q(z, fmpq_numref(&v->exact), fmpq_denref(&v->exact));
    if (strict && fmpz_is_one(fmpq_denref(&v->exact))) fmpz_add_ui(z, z, 1);
    if (!r->has_low || fmpz_cmp(z, r->low) > 0) fmpz_set(r->low, z);
    r->has_low = true;
  } else {
    fmpz_fdiv_q(z, fmpq_numref(&v->exact), fmpq_denref(&v->exact));
    if (strict && fmpz_is_one(fmpq_denref(&v->exact))) fmpz_sub_ui(z, z, 1);
    if (!r->has_high || fmpz_cmp(z, r->high) < 0) fmpz_set(r->high, z);
    r->has_high = true;
  }
  fmpz_clear(z);
}

static bool is_innermost(const struct evaluator *ev, term_id t) {
  return term_kind(ev->ts, t) == TERM_BOUND && term_get(ev->ts, t)->data == 0;
}

/* Conjuncts low <= x, x < high and the like of a condition under which alone the body counts. */
static void note_guards(struct evaluator *ev, struct range *r, term_id condition) {
  enum term_kind kind = term_kind(ev->ts, condition);
  for (size_t i = 0; kind == TERM_AND && i < term_arg_count(ev->ts, condition); i++)
    note_guards(ev, r, term_arg(ev->ts, condition, i));
  if (kind != TERM_LE && kind != TERM_LT) return;
  term_id left = term_arg(ev->ts, condition, 0), right = term_arg(ev->ts, condition, 1);
  if (is_innermost(ev, right)) note_bound(ev, r, left, kind == TERM_LT, true);
  if (is_innermost(ev, left)) note_bound(ev, r, right, kind == TERM_LT, false);
}

static void find_range(struct evaluator *ev, struct range *r, term_id body, bool is_forall) {
  if (!is_forall) note_guards(ev, r, body);
  while (is_forall && term_kind(ev->ts, body) == TERM_IMPLIES) {
    note_guards(ev, r, term_arg(ev->ts, body, 0));
    body = term_arg(ev->ts, body, 1);
  }
  if (is_forall && term_kind(ev->ts, body) == TERM_NOT)
    note_guards(ev, r, term_arg(ev->ts, body, 0));
}

/* What an integer x means to a formula: only how it compares with numbers, and x mod period. */
struct roles {
  struct range ends; /* of these numbers */
  uint64_t period;   /* 0: it means more */
};

/* Does the term mention the variable that `depth` quantifiers further in are bound inside of? */
static bool is_bound_at(const struct evaluator *ev, term_id t, uint32_t depth) {
  if (term_kind(ev->ts, t) == TERM_TO_REAL) t = term_arg(ev->ts, t, 0);
  return term_kind(ev->ts, t) == TERM_BOUND && term_get(ev->ts, t)->data == depth;
}

static void note_number(struct evaluator *ev, struct roles *r, term_id t) {
  const struct tvalue *v = term_get(ev->ts, t)->loose ? NULL : eval_term(ev, t);
  if (!v || !is_exact(v)) {
    r->period = 0;
    return;
  }
  fmpz_t z;
  fmpz_init(z);
  fmpz_fdiv_q(z, fmpq_numref(&v->exact), fmpq_denref(&v->exact));
  if (!r->ends.has_low || fmpz_cmp(z, r->ends.low) < 0) fmpz_set(r->ends.low, z);
  fmpz_cdiv_q(z, fmpq_numref(&v->exact), fmpq_denref(&v->exact));
  if (!r->ends.has_high || fmpz_cmp(z, r->ends.high) > 0) fmpz_set(r->ends.high, z);
  r->ends.has_low = r->ends.has_high = true;
  fmpz_clear(z);
}

static void note_period(struct evaluator *ev, struct roles *r, term_id app, size_t arg) {
  symbol_id symbol = (symbol_id)term_get(ev->ts, app)->data;
  uint64_t p = ev->period ? ev->period(ev->context, symbol, arg) : 0, x = p, y = r->period;
  while (y) {
    uint64_t rest = x % y;
    x = y;
    y = rest;
  }
  r->period = p && r->period ? p / x * r->period : 0;
  if (r->period > EVAL_MAX_PERIOD) r->period = 0;
}

static void find_roles(struct evaluator *ev, struct roles *r, term_id t, uint32_t depth) {
  enum term_kind kind = term_kind(ev->ts, t);
  bool compares = kind == TERM_LE || kind == TERM_LT || kind == TERM_EQ;
  if (r->period == 0 || term_get(ev->ts, t)->loose <= depth) return;
  if (kind == TERM_BOUND && term_get(ev->ts, t)->data == depth) r->period = 0;
  if (kind == TERM_FORALL || kind == TERM_EXISTS) depth++;
  for (size_t i = 0; i < term_arg_count(ev->ts, t); i++) {
    term_id a = term_arg(ev->ts, t, i);
    if (!is_bound_at(ev, a, depth))
      find_roles(ev, r, a, depth);
    else if (compares)
      note_number(ev, r, term_arg(ev->ts, t, 1 - i));
    else if (kind == TERM_APP && term_kind(ev->ts, a) == TERM_BOUND)
      note_period(ev, r, t, i);
    else
      r->period = 0;
  }
}

/* Are there integers that stand for all of them? Beyond the numbers that x is compared with, the
 * body repeats itself with the period, so one more period on either side is enough. */
static bool find_cover(struct evaluator *ev, struct range *out, term_id body) {
  struct roles r = {.period = 1};
  fmpz_init(r.ends.low);
  fmpz_init(r.ends.high);
  find_roles(ev, &r, body, 0);
  if (r.period) {
    fmpz_sub_ui(out->low, r.ends.low, r.period);
    fmpz_add_ui(out->high, r.ends.high, r.period);
  }
  fmpz_clear(r.ends.low);
  fmpz_clear(r.ends.high);
  return r.period != 0;
}

/* Truth of the body for one value of the variable; unknown once there is too much to remember. */
static int truth_at(struct evaluator *ev, term_id t, const struct tvalue *value) {
  if (ev->all.len > EVAL_MAX_VALUES) return -1;
  vec_push(&ev->bound, value);
  int x = truth_of(arg(ev, t, 0));
  ev->bound.len--;
  return x;
}

/* Over all integers: completely if guards leave few, otherwise some are looked at for a
 * (counter)example. */
static int integers_truth(struct evaluator *ev, term_id t, int decisive) {
  struct range r = {.has_low = false};
  bool all_known = true, decided = false;
  fmpz_init(r.low);
  fmpz_init(r.high);
  find_range(ev, &r, term_arg(ev->ts, t, 0), !decisive);
  bool complete = (r.has_low && r.has_high) || find_cover(ev, &r, term_arg(ev->ts, t, 0));
  fmpz_t size;
  fmpz_init(size);
  fmpz_sub(size, r.high, r.low);
  if (!complete || fmpz_cmp_si(size, EVAL_MAX_RANGE) > 0) {
    complete = false;
    fmpz_set_si(r.low, ev->low);
    fmpz_set_si(r.high, ev->high);
  }
  fmpq at;
  fmpq_init(&at);
  for (; !decided && ev->all.len <= EVAL_MAX_VALUES && fmpz_cmp(r.low, r.high) <= 0;
       fmpz_add_ui(r.low, r.low, 1)) {
    fmpz_set(fmpq_numref(&at), r.low);
    int x = truth_at(ev, t, tvalue_exact(ev, &at));
    decided = x == decisive;
    if (x < 0) all_known = false;
  }
  fmpq_clear(&at);
  fmpz_clear(size);
  fmpz_clear(r.low);
  fmpz_clear(r.high);
  if (ev->all.len > EVAL_MAX_VALUES) all_known = false;
  return decided ? decisive : complete && all_known ? !decisive : -1;
}

static int values_truth(struct evaluator *ev, term_id t, int decisive,
                        const struct tvalue *const *values, size_t count) {
  bool all_known = true;
  for (size_t i = 0; i < count; i++) {
    int x = truth_at(ev, t, values[i]);
    if (x == decisive) return decisive;
    if (x < 0) all_known = false;
  }
  return all_known ? !decisive : -1;
}

/* A finite sort, a range of integers and what is said to be all of an abstract sort are searched
 * completely; of other integers (also in place of reals) some. */
static int quantifier_truth(struct evaluator *ev, term_id t) {
  const struct term_node *n = term_get(ev->ts, t);
  sort_id binder = n->binder;
  int decisive = n->kind == TERM_EXISTS;
  if (binder == SORT_BOOL) {
    const struct tvalue *both[] = {tvalue_bool(ev, false), tvalue_bool(ev, true)};
    return values_truth(ev, t, decisive, both, 2);
  }
  for (size_t i = 0; i < ev->carriers.len; i++)
    if (ev->carriers.at[i].sort == binder)
      return values_truth(ev, t, decisive, ev->carriers.at[i].values, ev->carriers.at[i].count);
  if (binder == SORT_INT) return integers_truth(ev, t, decisive);
  if (binder != SORT_REAL) return -1;
  for (long i = ev->low; i <= ev->high; i++)
    if (truth_at(ev, t, tvalue_int(ev, i)) == decisive) return decisive;
  return -1;
}

/* ---- data ----------------------------------------------------------------------------------- */

static const struct tvalue *select_value(struct evaluator *ev, const struct tvalue *a,
                                         const struct tvalue *i) {
  if (a->kind != TVALUE_ARRAY || !is_exact(i)) return tvalue_unknown(ev);
  for (size_t k = a->count; k-- > 0;)
    if (fmpz_equal(&a->keys[k], fmpq_numref(&i->exact))) return a->items[k];
  return a->fallback ? a->fallback : tvalue_unknown(ev);
}

static const struct tvalue *store_value(struct evaluator *ev, const struct tvalue *a,
                                        const struct tvalue *i, const struct tvalue *v) {
  if (a->kind != TVALUE_ARRAY || !is_exact(i)) return tvalue_unknown(ev);
  fmpz *keys = _fmpz_vec_init((slong)a->count + 1);
  const struct tvalue **items = xcalloc(a->count + 1, sizeof *items);
  for (size_t k = 0; k < a->count; k++) {
    fmpz_set(&keys[k], &a->keys[k]);
    items[k] = a->items[k];
  }
  fmpz_set(&keys[a->count], fmpq_numref(&i->exact));
  items[a->count] = v;
  const struct tvalue *result = tvalue_array(ev, keys, items, a->count + 1, a->fallback);
  _fmpz_vec_clear(keys, (slong)a->count + 1);
  free(items);
  return result;
}

/* Is x before y in the order 0, 1, -1, 2, -2, ...? */
static bool is_before(const fmpz *x, const fmpz *y) {
  int order = fmpz_cmpabs(x, y);
  return order < 0 || (order == 0 && fmpz_cmp(x, y) > 0);
}

/* The first index, in that order, at which the arrays differ; 0 if they are equal. One function of
 * the two maps, whatever their entries look like: unknown if a comparison is. */
static const struct tvalue *differing_value(struct evaluator *ev, const struct tvalue *a,
                                            const struct tvalue *b) {
  if (a->kind != TVALUE_ARRAY || b->kind != TVALUE_ARRAY) return tvalue_unknown(ev);
  size_t keys = a->count + b->count;
  bool found = false, known = true;
  fmpq at, best;
  fmpq_init(&at);
  fmpq_init(&best);
  /* among the first keys + 1 indices there is one without an entry: it speaks for all such */
  for (size_t i = 0; i < 2 * keys + 1; i++) {
    if (i < keys)
      fmpz_set(fmpq_numref(&at), i < a->count ? &a->keys[i] : &b->keys[i - a->count]);
    else
      fmpz_set_si(fmpq_numref(&at),
                  (i - keys) % 2 ? (slong)(i - keys + 1) / 2 : -(slong)((i - keys) / 2));
    const struct tvalue *index = tvalue_exact(ev, &at);
    int same = tvalue_equal(ev, select_value(ev, a, index), select_value(ev, b, index));
    known = known && same >= 0;
    if (same == 0 && (!found || is_before(fmpq_numref(&at), fmpq_numref(&best)))) {
      found = true;
      fmpq_set(&best, &at);
    }
  }
  const struct tvalue *v = known ? tvalue_exact(ev, &best) : tvalue_unknown(ev);
  fmpq_clear(&at);
  fmpq_clear(&best);
  return v;
}

static const struct tvalue *join_items(struct evaluator *ev, const struct tvalue *a,
                                       const struct tvalue *b) {
  if (a->kind != TVALUE_ITEMS || b->kind != TVALUE_ITEMS) return tvalue_unknown(ev);
  const struct tvalue **items = xcalloc(a->count + b->count + 1, sizeof *items);
  for (size_t i = 0; i < a->count; i++)
    items[i] = a->items[i];
  for (size_t i = 0; i < b->count; i++)
    items[a->count + i] = b->items[i];
  const struct tvalue *v = tvalue_items(ev, items, a->count + b->count);
  free(items);
  return v;
}

static const struct tvalue *list_value(struct evaluator *ev, term_id t) {
  switch (term_kind(ev->ts, t)) {
  case TERM_NIL: return tvalue_items(ev, NULL, 0);
  case TERM_CONS: {
    const struct tvalue *head = arg(ev, t, 0);
    return join_items(ev, tvalue_items(ev, &head, 1), arg(ev, t, 1));
  }
  case TERM_APPEND: {
    const struct tvalue *left = arg(ev, t, 0);
    return join_items(ev, left, arg(ev, t, 1));
  }
  default: break;
  }
  const struct tvalue *l = arg(ev, t, 0);
  if (l->kind != TVALUE_ITEMS) return tvalue_unknown(ev);
  if (term_kind(ev->ts, t) == TERM_LENGTH) return tvalue_int(ev, (long)l->count);
  if (!l->count) return tvalue_unknown(ev);
  if (term_kind(ev->ts, t) == TERM_HEAD) return l->items[0];
  return tvalue_items(ev, l->items + 1, l->count - 1);
}

static const struct tvalue *tuple_value(struct evaluator *ev, term_id t) {
  size_t n = term_arg_count(ev->ts, t);
  const struct tvalue **items = xcalloc(n + 1, sizeof *items);
  for (size_t i = 0; i < n; i++)
    items[i] = arg(ev, t, i);
  const struct tvalue *v;
  if (term_kind(ev->ts, t) == TERM_TUPLE)
    v = tvalue_items(ev, items, n);
  else if (ev->apply)
    v = ev->apply(ev, ev->context, term_get(ev->ts, t)->data, items, n);
  else
    v = tvalue_unknown(ev);
  free(items);
  return v;
}

/* ---- all kinds ------------------------------------------------------------------------------ */

static const struct tvalue *compute(struct evaluator *ev, term_id t) {
  struct terms *ts = ev->ts;
  enum term_kind kind = term_kind(ts, t);
  switch (kind) {
  case TERM_TRUE: return tvalue_bool(ev, true);
  case TERM_FALSE: return tvalue_bool(ev, false);
  case TERM_NUM: return tvalue_exact(ev, term_num_value(ts, t));
  case TERM_BOUND: {
    uint32_t index = term_get(ts, t)->data;
    return index < ev->bound.len ? ev->bound.at[ev->bound.len - 1 - index] : tvalue_unknown(ev);
  }
  case TERM_ADD: return fold(ev, t, fmpq_add, arb_add);
  case TERM_MUL: return fold(ev, t, fmpq_mul, arb_mul);
  case TERM_MIN: return fold(ev, t, exact_min, arb_min);
  case TERM_MAX: return fold(ev, t, exact_max, arb_max);
  case TERM_POW: return power(ev, arg(ev, t, 0), term_get(ts, t)->data);
  case TERM_RAISE: return raise_value(ev, term_get(ts, t)->data, arg(ev, t, 0));
  case TERM_DIV: return divide(ev, arg(ev, t, 0), arg(ev, t, 1));
  case TERM_IDIV:
  case TERM_MOD: return int_divide(ev, arg(ev, t, 0), arg(ev, t, 1), kind == TERM_IDIV);
  case TERM_TO_REAL: return arg(ev, t, 0);
  case TERM_FLOOR:
  case TERM_CEIL: return round_value(ev, arg(ev, t, 0), kind == TERM_CEIL);
  case TERM_ABS: return absolute(ev, arg(ev, t, 0));
  case TERM_EXP:
  case TERM_LN:
  case TERM_SQRT: return transcendental(ev, kind, arg(ev, t, 0));
  case TERM_ITE: return ite_value(ev, t);
  case TERM_EQ: return of_truth(ev, tvalue_equal(ev, arg(ev, t, 0), arg(ev, t, 1)));
  case TERM_LE:
  case TERM_LT: return of_truth(ev, compare_truth(ev, kind, arg(ev, t, 0), arg(ev, t, 1)));
  case TERM_NOT: {
    int a = truth_of(arg(ev, t, 0));
    return of_truth(ev, a < 0 ? a : !a);
  }
  case TERM_AND:
  case TERM_OR: return of_truth(ev, junction_truth(ev, t, kind == TERM_OR));
  case TERM_IMPLIES: return of_truth(ev, implies_truth(ev, t));
  case TERM_FORALL:
  case TERM_EXISTS: return of_truth(ev, quantifier_truth(ev, t));
  case TERM_SELECT: return select_value(ev, arg(ev, t, 0), arg(ev, t, 1));
  case TERM_STORE: return store_value(ev, arg(ev, t, 0), arg(ev, t, 1), arg(ev, t, 2));
  case TERM_DIFFERING: return differing_value(ev, arg(ev, t, 0), arg(ev, t, 1));
  case TERM_NIL:
  case TERM_CONS:
  case TERM_APPEND:
  case TERM_LENGTH:
  case TERM_HEAD:
  case TERM_TAIL: return list_value(ev, t);
  case TERM_TUPLE:
  case TERM_APP: return tuple_value(ev, t);
  case TERM_PROJ: {
    const struct tvalue *a = arg(ev, t, 0);
    uint32_t index = term_get(ts, t)->data;
    return a->kind == TVALUE_ITEMS && index < a->count ? a->items[index] : tvalue_unknown(ev);
  }
  case TERM_VAR:
  case TERM_KIND_NONE: break;
  }
  return tvalue_unknown(ev);
}

const struct tvalue *eval_term(struct evaluator *ev, term_id t) {
  if (t == TERM_NONE) return tvalue_unknown(ev);
  bool closed = !term_get(ev->ts, t)->loose;
  uint32_t known;
  if (closed && memo_find(&ev->memo, t, &known)) return ev->results.at[known - 1];
  const struct tvalue *v = compute(ev, t);
  if (closed) eval_assign(ev, t, v);
  return v;
}

int eval_truth(struct evaluator *ev, term_id t) {
  return truth_of(eval_term(ev, t));
}
