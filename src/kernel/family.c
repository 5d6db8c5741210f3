#include "kernel/family.h"

#include "kernel/series.h"
#include "term/build.h"

/* ---- parameters and supports ------------------------------------------------------------------ */

static term_id positive_spread(struct terms *ts, const term_id *args, size_t count) {
  (void)count;
  return term_positive(ts, args[1]);
}

static term_id low_below_high(struct terms *ts, const term_id *args, size_t count) {
  (void)count;
  return term_lt(ts, args[0], args[1]);
}

static term_id low_upto_high(struct terms *ts, const term_id *args, size_t count) {
  (void)count;
  return term_le(ts, args[0], args[1]);
}

/* What has to hold so that t >= 0 by its form; TERM_NONE: its form does not say so. */
static term_id not_negative(struct terms *ts, term_id t) {
  if (t == TERM_NONE) return TERM_NONE;
  enum term_kind kind = term_kind(ts, t);
  bool even = kind == TERM_POW && term_get(ts, t)->data % 2 == 0;
  if (kind == TERM_NUM) return fmpq_sgn(term_num_value(ts, t)) >= 0 ? ts->true_term : TERM_NONE;
  if (kind == TERM_EXP || kind == TERM_ABS || even) return ts->true_term;
  if (kind != TERM_MUL && kind != TERM_DIV) return TERM_NONE;
  term_id all = ts->true_term;
  for (size_t i = 0; i < term_arg_count(ts, t); i++)
    all = term_and(ts, all, not_negative(ts, term_arg(ts, t, i)));
  if (kind == TERM_DIV)
    all = term_and(ts, all, term_ne(ts, term_arg(ts, t, 1), term_rat(ts, 0, 1)));
  return all;
}

/* The same for t <= 0. */
static term_id not_positive(struct terms *ts, term_id t) {
  if (term_kind(ts, t) != TERM_DIV) return not_negative(ts, term_neg(ts, t));
  return not_negative(ts, term_div(ts, term_neg(ts, term_arg(ts, t, 0)), term_arg(ts, t, 1)));
}

static term_id probability(struct terms *ts, const term_id *args, size_t count) {
  (void)count;
  if (term_kind(ts, args[0]) == TERM_EXP) { /* e^u <= 1 if u <= 0 */
    term_id sure = not_positive(ts, term_arg(ts, args[0], 0));
    if (sure != TERM_NONE) return sure;
  }
  return term_and(ts, term_le(ts, term_int(ts, 0), args[0]), term_le(ts, args[0], term_int(ts, 1)));
}

static term_id some_item(struct terms *ts, const term_id *args, size_t count) {
  (void)args;
  return term_bool(ts, count > 0);
}

static term_id anywhere(struct terms *ts, const term_id *args, size_t count, term_id sample) {
  (void)args;
  (void)count;
  (void)sample;
  return term_bool(ts, true);
}

static term_id from_start(struct terms *ts, const term_id *args, size_t count, term_id sample) {
  (void)count;
  return term_le(ts, args[0], sample);
}

static term_id half_open(struct terms *ts, const term_id *args, size_t count, term_id sample) {
  (void)count;
  return term_and(ts, term_lt(ts, args[0], sample), term_le(ts, sample, args[1]));
}

static term_id closed(struct terms *ts, const term_id *args, size_t count, term_id sample) {
  (void)count;
  return term_and(ts, term_le(ts, args[0], sample), term_le(ts, sample, args[1]));
}

static term_id among(struct terms *ts, const term_id *args, size_t count, term_id sample) {
  term_id any = term_bool(ts, false);
  for (size_t i = 0; i < count; i++)
    any = term_or(ts, any, term_eq(ts, sample, args[i]));
  return any;
}

/* ---- prices of shifts ------------------------------------------------------------------------- */

/* Lap, DLap: |v - e1| - |v + k - e2| <= |k + e1 - e2|, so the densities differ by e^(distance/b).
 * Exp, Geom: v - e1 against v + k - e2, equality; upwards, for v >= e1 must give v + k >= e2.
 * Gumbel: with z = (v - e1)/b and d = (k + e1 - e2)/b the densities g(z) and g(z + d), where
 * g(z) = e^(-z - e^(-z)), differ by e^(d + e^(-z) (e^(-d) - 1)): at most e^d for d >= 0, and without
 * bound, as z falls, for d < 0. */
static term_id by_rate(struct terms *ts, term_id distance, term_id spread) {
  return term_mul(ts, distance, term_reciprocal(ts, spread));
}
static term_id both(struct terms *ts, struct notion_of n, term_id distance, term_id spread) {
  return notion_price_both(ts, n, by_rate(ts, distance, spread));
}
static term_id curve(struct terms *ts, struct notion_of n, term_id distance, term_id spread) {
  return notion_price_laplace(ts, n, distance, spread);
}
static term_id upwards(struct terms *ts, struct notion_of n, term_id distance, term_id spread) {
  return notion_price_one_way(ts, n, by_rate(ts, distance, spread));
}
/* A square has no need of the sign. */
static term_id normal(struct terms *ts, struct notion_of n, term_id distance, term_id spread) {
  if (term_kind(ts, distance) == TERM_ABS) distance = term_arg(ts, distance, 0);
  return notion_price_normal(ts, n, by_rate(ts, distance, spread));
}
/* Its divergences are those of Gauss, its tests are not. */
static term_id lattice(struct terms *ts, struct notion_of n, term_id distance, term_id spread) {
  return n.kind == NOTION_GAUSSIAN ? TERM_NONE : normal(ts, n, distance, spread);
}
static term_id no_price(struct terms *ts, struct notion_of n, term_id distance, term_id spread) {
  (void)ts;
  (void)n;
  (void)distance;
  (void)spread;
  return TERM_NONE;
}

/* ---- distribution functions ------------------------------------------------------------------- */

/* exp(-distance/b) */
static term_id decay(struct terms *ts, term_id distance, term_id rate) {
  return term_exp(ts, term_neg(ts, term_mul(ts, distance, rate)));
}

/* e^((x-e)/b)/2 for x <= e, else 1 - e^(-(x-e)/b)/2 */
static term_id laplace_at_most(struct terms *ts, const term_id *args, term_id x) {
  term_id off = term_sub(ts, x, args[0]), rate = term_reciprocal(ts, args[1]);
  term_id one = term_rat(ts, 1, 1), half = term_rat(ts, 1, 2);
  return term_ite(ts, term_le(ts, x, args[0]),
                  term_mul(ts, half, decay(ts, term_neg(ts, off), rate)),
                  term_sub(ts, one, term_mul(ts, half, decay(ts, off, rate))));
}

/* e^((x-e)/b)/(1+e^(-1/b)) for x < e, else 1 - e^(-(x+1-e)/b)/(1+e^(-1/b)) */
static term_id discrete_laplace_at_most(struct terms *ts, const term_id *args, term_id x) {
  term_id off = term_sub(ts, x, args[0]), rate = term_reciprocal(ts, args[1]);
  term_id one = term_rat(ts, 1, 1), next = term_add(ts, off, term_int(ts, 1));
  term_id norm = term_add(ts, one, decay(ts, one, rate));
  return term_ite(ts, term_lt(ts, x, args[0]),
                  term_div(ts, decay(ts, term_neg(ts, off), rate), norm),
                  term_sub(ts, one, term_div(ts, decay(ts, next, rate), norm)));
}

/* 1 - e^(-(x-e)/b) for x >= e; */
static term_id exponential_at_most(struct terms *ts, const term_id *args, term_id x) {
  term_id off = term_sub(ts, x, args[0]), rate = term_reciprocal(ts, args[1]);
  return term_ite(ts, term_lt(ts, x, args[0]), term_rat(ts, 0, 1),
                  term_sub(ts, term_rat(ts, 1, 1), decay(ts, off, rate)));
}

/* 1 - e^(-(x+1-e)/b) for x >= e */
static term_id geometric_at_most(struct terms *ts, const term_id *args, term_id x) {
  term_id off = term_sub(ts, x, args[0]), rate = term_reciprocal(ts, args[1]);
  term_id next = term_add(ts, off, term_int(ts, 1));
  return term_ite(ts, term_lt(ts, x, args[0]), term_rat(ts, 0, 1),
                  term_sub(ts, term_rat(ts, 1, 1), decay(ts, next, rate)));
}

/* e^(-e^(-(x-e)/b)) */
static term_id gumbel_at_most(struct terms *ts, const term_id *args, term_id x) {
  term_id off = term_sub(ts, x, args[0]), rate = term_reciprocal(ts, args[1]);
  return term_exp(ts, term_neg(ts, decay(ts, off, rate)));
}

/* 0 below low, `inside` up to high, 1 from there on. */
static term_id clamped(struct terms *ts, const term_id *args, term_id x, term_id inside) {
  term_id zero = term_rat(ts, 0, 1), one = term_rat(ts, 1, 1);
  return term_ite(ts, term_lt(ts, x, args[0]), zero,
                  term_ite(ts, term_le(ts, args[1], x), one, inside));
}

static term_id uniform_at_most(struct terms *ts, const term_id *args, term_id x) {
  return clamped(ts, args, x,
                 term_div(ts, term_sub(ts, x, args[0]), term_sub(ts, args[1], args[0])));
}

/* How many integers from low to x. */
static term_id integers(struct terms *ts, term_id low, term_id x) {
  return term_add(ts, term_sub(ts, x, low), term_int(ts, 1));
}

static term_id uniform_int_at_most(struct terms *ts, const term_id *args, term_id x) {
  return clamped(ts, args, x,
                 term_div(ts, integers(ts, args[0], x), integers(ts, args[0], args[1])));
}

/* ---- tails ------------------------------------------------------------------------------------ */

static term_id on_sides(struct terms *ts, enum tail tail, term_id one_side) {
  return term_mul(ts, term_int(ts, tail == TAIL_BOTH ? 2 : 1), one_side);
}

/* v - e > t: e^(-t/b)/2 */
static term_id laplace_tail(struct terms *ts, enum tail tail, const term_id *args, term_id t) {
  term_id mass = decay(ts, t, term_reciprocal(ts, args[1]));
  return on_sides(ts, tail, term_div(ts, mass, term_int(ts, 2)));
}

/* v - e >= t + 1: e^(-(t+1)/b)/(1+e^(-1/b)) */
static term_id discrete_laplace_tail(struct terms *ts, enum tail tail, const term_id *args,
                                     term_id t) {
  term_id rate = term_reciprocal(ts, args[1]), next = term_add(ts, t, term_int(ts, 1));
  term_id norm = term_add(ts, term_int(ts, 1), term_exp(ts, term_neg(ts, rate)));
  return on_sides(ts, tail, term_div(ts, decay(ts, next, rate), norm));
}

/* v - e > t: e^(-t/b), and never v - e < -t */
static term_id exponential_tail(struct terms *ts, enum tail tail, const term_id *args, term_id t) {
  if (tail == TAIL_BELOW) return term_rat(ts, 0, 1);
  return decay(ts, t, term_reciprocal(ts, args[1]));
}

/* v - e >= t + 1: e^(-(t+1)/b) */
static term_id geometric_tail(struct terms *ts, enum tail tail, const term_id *args, term_id t) {
  return exponential_tail(ts, tail, args, term_add(ts, t, term_int(ts, 1)));
}

/* v - l > t: 1 - t/(h-l), and never v < l */
static term_id uniform_tail(struct terms *ts, enum tail tail, const term_id *args, term_id t) {
  term_id zero = term_rat(ts, 0, 1), width = term_sub(ts, args[1], args[0]);
  if (tail == TAIL_BELOW) return zero;
  return term_max(ts, zero, term_div(ts, term_sub(ts, width, t), width));
}

/* v - l >= t + 1: (h - l - t)/(h - l + 1) */
static term_id uniform_int_tail(struct terms *ts, enum tail tail, const term_id *args, term_id t) {
  term_id zero = term_rat(ts, 0, 1), most = term_sub(ts, args[1], args[0]);
  if (tail == TAIL_BELOW) return zero;
  return term_max(ts, zero, term_div(ts, term_sub(ts, most, t), integers(ts, args[0], args[1])));
}

/* Gauss: v - e > t has at most e^(-t^2/(2 s^2))/2. DGauss: v - e >= t + 1 has no more than Gauss has
 * for v - e > t. Proofs: docs/rules.md. */
static term_id normal_tail(struct terms *ts, enum tail tail, const term_id *args, term_id t) {
  term_id far = term_mul(ts, t, term_reciprocal(ts, args[1]));
  term_id mass = decay(ts, term_mul(ts, far, far), term_rat(ts, 1, 2));
  return on_sides(ts, tail, term_div(ts, mass, term_int(ts, 2)));
}

/* Above: 1 - e^(-e^(-t/b)) <= e^(-t/b); below: e^(-e^(t/b)). */
static term_id gumbel_tail(struct terms *ts, enum tail tail, const term_id *args, term_id t) {
  term_id rate = term_reciprocal(ts, args[1]), above = decay(ts, t, rate);
  term_id below = term_exp(ts, term_neg(ts, term_exp(ts, term_mul(ts, t, rate))));
  if (tail == TAIL_BOTH) return term_add(ts, above, below);
  return tail == TAIL_ABOVE ? above : below;
}

/* ---- single values ---------------------------------------------------------------------------- */

static term_id bernoulli_mass(struct terms *ts, const term_id *args, term_id value) {
  return term_ite(ts, value, args[0], term_sub(ts, term_int(ts, 1), args[0]));
}

static term_id uniform_int_mass(struct terms *ts, const term_id *args, term_id value) {
  term_id share = term_div(ts, term_int(ts, 1), integers(ts, args[0], args[1]));
  return term_ite(ts, closed(ts, args, 2, value), share, term_rat(ts, 0, 1));
}

/* -|value - e|/b; from e on it is that of Geom, too */
static term_id falling(struct terms *ts, const term_id *args, term_id value) {
  term_id far = term_abs(ts, term_sub(ts, value, args[0]));
  return term_neg(ts, term_mul(ts, far, term_reciprocal(ts, args[1])));
}

/* -(value - e)^2/(2 s^2) */
static term_id falling_squares(struct terms *ts, const term_id *args, term_id value) {
  term_id far = term_mul(ts, term_sub(ts, value, args[0]), term_reciprocal(ts, args[1]));
  return term_mul(ts, term_rat(ts, -1, 2), term_mul(ts, far, far));
}

/* (1 - r)/(1 + r) r^|value - e| with r = e^(-1/b) */
static term_id discrete_laplace_mass(struct terms *ts, const term_id *args, term_id value) {
  term_id one = term_rat(ts, 1, 1), r = decay(ts, one, term_reciprocal(ts, args[1]));
  term_id norm = term_div(ts, term_sub(ts, one, r), term_add(ts, one, r));
  return term_mul(ts, norm, term_exp(ts, falling(ts, args, value)));
}

/* (1 - r) r^(value - e) from e on */
static term_id geometric_mass(struct terms *ts, const term_id *args, term_id value) {
  term_id rate = term_reciprocal(ts, args[1]), one = term_rat(ts, 1, 1);
  term_id first = term_sub(ts, one, decay(ts, one, rate));
  term_id rest = decay(ts, term_sub(ts, value, args[0]), rate);
  return term_ite(ts, term_le(ts, args[0], value), term_mul(ts, first, rest), term_rat(ts, 0, 1));
}

/* e^(-(value - e)^2/(2 s^2)) over the sum of these over all integers, which has no closed form: it is
 * a function of s, since e is an integer */
static term_id discrete_gauss_mass(struct terms *ts, const term_id *args, term_id value) {
  return term_div(ts, term_exp(ts, falling_squares(ts, args, value)), series_squares(ts, args[1]));
}

/* ---- scaling ---------------------------------------------------------------------------------- */

/* Lap(0,b), Exp(0,b): nothing is lost; the density does not grow with the distance from 0. */
static term_id around_zero(struct terms *ts, const term_id *args, term_id by, term_id lost) {
  (void)by;
  (void)lost;
  return term_eq(ts, args[0], term_int(ts, 0));
}

/* Uniform(l,h), 0 <= l: samples up to e^s l are lost, so l (e^s - 1) <= lost (h - l). */
static term_id above_zero(struct terms *ts, const term_id *args, term_id by, term_id lost) {
  term_id l = args[0], h = args[1];
  term_id cut = term_mul(ts, l, term_sub(ts, term_exp(ts, by), term_int(ts, 1)));
  return term_and(ts, term_le(ts, term_int(ts, 0), l),
                  term_le(ts, cut, term_mul(ts, lost, term_sub(ts, h, l))));
}

/* ---- the table -------------------------------------------------------------------------------- */

/* In the order of struct dist_terms. No defaults: with -Wextra the compiler asks for what is missing. */
#define TERMS(id) static const struct dist_terms id##_terms
// clang-format off
/*                         valid            support     way          price     at most                   tail                   mass                   exponent         scalable */
TERMS(laplace)          = {positive_spread, anywhere,   SHIFT_BOTH,  curve,    laplace_at_most,          laplace_tail,          NULL,                  NULL,            around_zero};
TERMS(discrete_laplace) = {positive_spread, anywhere,   SHIFT_BOTH,  both,     discrete_laplace_at_most, discrete_laplace_tail, discrete_laplace_mass, falling,         NULL};
TERMS(exponential)      = {positive_spread, from_start, SHIFT_UP,    upwards,  exponential_at_most,      exponential_tail,      NULL,                  NULL,            around_zero};
TERMS(geometric)        = {positive_spread, from_start, SHIFT_UP,    upwards,  geometric_at_most,        geometric_tail,        geometric_mass,        falling,         NULL};
TERMS(uniform)          = {low_below_high,  half_open,  SHIFT_ALONG, no_price, uniform_at_most,          uniform_tail,          NULL,                  NULL,            above_zero};
TERMS(uniform_int)      = {low_upto_high,   closed,     SHIFT_ALONG, no_price, uniform_int_at_most,      uniform_int_tail,      uniform_int_mass,      NULL,            NULL};
TERMS(uniform_set)      = {some_item,       among,      SHIFT_NEVER, no_price, NULL,                     NULL,                  NULL,                  NULL,            NULL};
TERMS(bernoulli)        = {probability,     anywhere,   SHIFT_NEVER, no_price, NULL,                     NULL,                  bernoulli_mass,        NULL,            NULL};
TERMS(gauss)            = {positive_spread, anywhere,   SHIFT_BOTH,  normal,   NULL,                     normal_tail,           NULL,                  NULL,            NULL};
TERMS(discrete_gauss)   = {positive_spread, anywhere,   SHIFT_BOTH,  lattice,  NULL,                     normal_tail,           discrete_gauss_mass,   falling_squares, NULL};
TERMS(gumbel)           = {positive_spread, anywhere,   SHIFT_UP,    upwards,  gumbel_at_most,           gumbel_tail,           NULL,                  NULL,            NULL};
// clang-format on

const struct dist_terms *dist_terms(enum dist_kind dist) {
  static const struct dist_terms *const rows[] = {
#define ROW(ID, id, ...) [DIST_##ID] = &id##_terms,
      DIST_FAMILIES(ROW)
#undef ROW
  };
  return rows[dist];
}
