#include "kernel/dist.h"

#include "lang/syntax/builtin.h"
#include "term/build.h"
#include "term/linear.h"

static bool is_centred(enum dist_kind dist) { /* (centre or start, scale) */
  return dist == DIST_LAPLACE || dist == DIST_DISCRETE_LAPLACE || dist == DIST_EXPONENTIAL ||
         dist == DIST_GEOMETRIC || dist == DIST_GAUSS || dist == DIST_DISCRETE_GAUSS;
}

static bool is_integral(enum dist_kind dist) {
  return dist == DIST_DISCRETE_LAPLACE || dist == DIST_GEOMETRIC || dist == DIST_DISCRETE_GAUSS ||
         dist == DIST_UNIFORM_INT;
}

sort_id dist_sample_sort(struct terms *ts, enum dist_kind dist, const term_id *args, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (args[i] == TERM_NONE) return SORT_NONE;
  if (dist == DIST_UNIFORM_SET) {
    if (count == 0) return SORT_NONE;
    for (size_t i = 1; i < count; i++)
      if (term_sort(ts, args[i]) != term_sort(ts, args[0])) return SORT_NONE;
    return term_sort(ts, args[0]);
  }
  for (size_t i = 0; i < count; i++)
    if (!sort_is_numeric(term_sort(ts, args[i]))) return SORT_NONE;
  if (dist == DIST_BERNOULLI) return count == 1 ? SORT_BOOL : SORT_NONE;
  if (count != 2) return SORT_NONE;
  if (!is_integral(dist)) return SORT_REAL;
  bool integers = term_sort(ts, args[0]) == SORT_INT &&
                  (dist != DIST_UNIFORM_INT || term_sort(ts, args[1]) == SORT_INT);
  return integers ? SORT_INT : SORT_NONE;
}

term_id dist_valid(struct terms *ts, enum dist_kind dist, const term_id *args, size_t count) {
  switch (dist) {
  case DIST_UNIFORM: return term_lt(ts, args[0], args[1]);
  case DIST_UNIFORM_INT: return term_le(ts, args[0], args[1]);
  case DIST_UNIFORM_SET: return term_bool(ts, count > 0);
  case DIST_BERNOULLI:
    return term_and(ts, term_le(ts, term_int(ts, 0), args[0]),
                    term_le(ts, args[0], term_int(ts, 1)));
  default: return term_positive(ts, args[1]);
  }
}

term_id dist_support(struct terms *ts, enum dist_kind dist, const term_id *args, size_t count,
                     term_id sample) {
  switch (dist) {
  case DIST_EXPONENTIAL:
  case DIST_GEOMETRIC: return term_le(ts, args[0], sample);
  case DIST_UNIFORM:
    return term_and(ts, term_lt(ts, args[0], sample), term_le(ts, sample, args[1]));
  case DIST_UNIFORM_INT:
    return term_and(ts, term_le(ts, args[0], sample), term_le(ts, sample, args[1]));
  case DIST_UNIFORM_SET: {
    term_id any = term_bool(ts, false);
    for (size_t i = 0; i < count; i++)
      any = term_or(ts, any, term_eq(ts, sample, args[i]));
    return any;
  }
  default: return term_bool(ts, true);
  }
}

term_id term_positive(struct terms *ts, term_id t) {
  term_id zero = term_int(ts, 0);
  if (t != TERM_NONE && term_kind(ts, t) == TERM_DIV)
    return term_lt(ts, zero, term_mul(ts, term_arg(ts, t, 0), term_arg(ts, t, 1)));
  return term_lt(ts, zero, t);
}

term_id term_reciprocal(struct terms *ts, term_id t) {
  if (t == TERM_NONE) return TERM_NONE;
  if (term_kind(ts, t) != TERM_DIV) return term_div(ts, term_int(ts, 1), t);
  /* y/(c*a) = (1/c)*(y/a): one quotient less to reason about */
  term_id x = term_arg(ts, t, 0), y = term_arg(ts, t, 1), atom;
  fmpq_t c;
  fmpq_init(c);
  term_id result = TERM_NONE;
  if (term_split_coefficient(ts, x, c, &atom) && !fmpq_is_zero(c)) {
    fmpq_inv(c, c);
    term_id factor = term_num(ts, c, SORT_REAL);
    result = term_mul(ts, factor, atom == TERM_NONE ? y : term_div(ts, y, atom));
  }
  fmpq_clear(c);
  return result;
}

struct shift_cost dist_shift_cost(struct terms *ts, enum dist_kind dist, const term_id *args1,
                                  const term_id *args2, size_t count, term_id shift,
                                  term_id bound) {
  struct shift_cost none = {TERM_NONE, TERM_NONE};
  if (shift == TERM_NONE || !sort_is_numeric(term_sort(ts, shift)) || count != 2) return none;
  if (is_integral(dist) && term_sort(ts, shift) != SORT_INT) return none;
  term_id zero = term_rat(ts, 0, 1);
  /* Distance between v - centre1 and v + shift - centre2. */
  term_id off = term_sub(ts, term_add(ts, shift, args1[0]), args2[0]);
  if (dist == DIST_UNIFORM || dist == DIST_UNIFORM_INT) {
    term_id top = term_sub(ts, term_add(ts, shift, args1[1]), args2[1]);
    return (struct shift_cost){
        term_and(ts, term_eq(ts, off, term_int(ts, 0)), term_eq(ts, top, term_int(ts, 0))), zero};
  }
  if (!is_centred(dist)) return none;
  term_id same_scale = term_eq(ts, args1[1], args2[1]);
  term_id rate = term_reciprocal(ts, args1[1]);
  term_id distance = off, side = same_scale;
  switch (dist) {
  case DIST_LAPLACE:
  case DIST_DISCRETE_LAPLACE: /* |v - e1| - |v + k - e2| <= |k + e1 - e2| */
    distance = term_abs(ts, off);
    break;
  case DIST_EXPONENTIAL:
  case DIST_GEOMETRIC: /* v >= e1 must give v + k >= e2 */
    side = term_and(ts, side, term_le(ts, term_int(ts, 0), off));
    break;
  default: /* Gauss: translations of the centre only */
    side = term_and(ts, side, term_eq(ts, off, term_int(ts, 0)));
    return (struct shift_cost){side, zero};
  }
  if (bound != TERM_NONE) side = term_and(ts, side, term_le(ts, distance, bound));
  return (struct shift_cost){side, term_mul(ts, bound == TERM_NONE ? distance : bound, rate)};
}

/* exp(-distance/b) */
static term_id decay(struct terms *ts, term_id distance, term_id rate) {
  return term_exp(ts, term_neg(ts, term_mul(ts, distance, rate)));
}

/* 0 below low, `inside` up to high, 1 from there on. */
static term_id clamped(struct terms *ts, term_id x, term_id low, term_id high, term_id inside) {
  term_id zero = term_rat(ts, 0, 1), one = term_rat(ts, 1, 1);
  return term_ite(ts, term_lt(ts, x, low), zero, term_ite(ts, term_le(ts, high, x), one, inside));
}

/* Lap:   e^((x-e)/b)/2 for x <= e, else 1 - e^(-(x-e)/b)/2
 * DLap:  e^((x-e)/b)/(1+e^(-1/b)) for x < e, else 1 - e^(-(x+1-e)/b)/(1+e^(-1/b))
 * Exp:   1 - e^(-(x-e)/b) for x >= e;   Geom: 1 - e^(-(x+1-e)/b) for x >= e
 * Uniform, UniformInt: the part of the range. */
term_id dist_at_most(struct terms *ts, enum dist_kind dist, const term_id *args, size_t count,
                     term_id x) {
  if (x == TERM_NONE || count != 2 || !sort_is_numeric(term_sort(ts, x))) return TERM_NONE;
  if (is_integral(dist) && term_sort(ts, x) != SORT_INT) return TERM_NONE;
  term_id e = args[0], one = term_rat(ts, 1, 1), zero = term_rat(ts, 0, 1);
  term_id off = term_sub(ts, x, e), rate = term_reciprocal(ts, args[1]);
  term_id next = term_add(ts, off, term_int(ts, 1));
  switch (dist) {
  case DIST_LAPLACE: {
    term_id half = term_rat(ts, 1, 2);
    return term_ite(ts, term_le(ts, x, e), term_mul(ts, half, decay(ts, term_neg(ts, off), rate)),
                    term_sub(ts, one, term_mul(ts, half, decay(ts, off, rate))));
  }
  case DIST_DISCRETE_LAPLACE: {
    term_id norm = term_add(ts, one, decay(ts, one, rate));
    return term_ite(ts, term_lt(ts, x, e), term_div(ts, decay(ts, term_neg(ts, off), rate), norm),
                    term_sub(ts, one, term_div(ts, decay(ts, next, rate), norm)));
  }
  case DIST_EXPONENTIAL:
    return term_ite(ts, term_lt(ts, x, e), zero, term_sub(ts, one, decay(ts, off, rate)));
  case DIST_GEOMETRIC:
    return term_ite(ts, term_lt(ts, x, e), zero, term_sub(ts, one, decay(ts, next, rate)));
  case DIST_UNIFORM: return clamped(ts, x, e, args[1], term_div(ts, off, term_sub(ts, args[1], e)));
  case DIST_UNIFORM_INT: {
    term_id size = term_add(ts, term_sub(ts, args[1], e), term_int(ts, 1));
    return clamped(ts, x, e, args[1], term_div(ts, next, size));
  }
  default: return TERM_NONE;
  }
}
