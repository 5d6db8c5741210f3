#include "kernel/dist.h"

#include "kernel/family.h"
#include "term/build.h"
#include "term/linear.h"

sort_id dist_sample_sort(struct terms *ts, enum dist_kind dist, const term_id *args, size_t count) {
  const struct dist_info *info = dist_get(dist);
  size_t arity = dist_arity(info);
  if (count == 0 || (arity && count != arity)) return SORT_NONE;
  for (size_t i = 0; i < count; i++)
    if (args[i] == TERM_NONE) return SORT_NONE;
  sort_id first = term_sort(ts, args[0]);
  for (size_t i = 0; i < count; i++) {
    sort_id sort = term_sort(ts, args[i]);
    if (info->parameters == PARAMETERS_ITEMS ? sort != first : !sort_is_numeric(sort))
      return SORT_NONE;
    bool is_value = i == 0 || info->parameters == PARAMETERS_RANGE; /* of the type of the samples */
    if (info->samples == SAMPLES_INT && is_value && sort != SORT_INT) return SORT_NONE;
  }
  switch (info->samples) {
  case SAMPLES_REAL: return SORT_REAL;
  case SAMPLES_INT: return SORT_INT;
  case SAMPLES_BOOL: return SORT_BOOL;
  case SAMPLES_ITEM: return first;
  }
  return SORT_NONE;
}

term_id dist_valid(struct terms *ts, enum dist_kind dist, const term_id *args, size_t count) {
  return dist_terms(dist)->valid(ts, args, count);
}

term_id dist_support(struct terms *ts, enum dist_kind dist, const term_id *args, size_t count,
                     term_id sample) {
  return dist_terms(dist)->support(ts, args, count, sample);
}

term_id term_positive(struct terms *ts, term_id t) {
  term_id zero = term_int(ts, 0);
  if (t != TERM_NONE && term_kind(ts, t) == TERM_DIV)
    return term_lt(ts, zero, term_mul(ts, term_arg(ts, t, 0), term_arg(ts, t, 1)));
  return term_lt(ts, zero, t);
}

term_id term_reciprocal(struct terms *ts, term_id t) {
  if (t == TERM_NONE) return TERM_NONE;
  if (term_kind(ts, t) == TERM_ITE)
    return term_ite(ts, term_arg(ts, t, 0), term_reciprocal(ts, term_arg(ts, t, 1)),
                    term_reciprocal(ts, term_arg(ts, t, 2)));
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

enum shift_way dist_shift_way(enum dist_kind dist) {
  return dist_terms(dist)->way;
}

term_id dist_price(struct terms *ts, struct notion_of notion, enum dist_kind dist, term_id distance,
                   term_id spread) {
  return dist_terms(dist)->price(ts, notion, distance, spread);
}

/* What is known of the moments of sampled normal noise is a theorem about that family. */
term_id dist_sampled_price(struct terms *ts, struct notion_of notion, enum dist_kind dist,
                           term_id q, term_id distance, term_id spread) {
  if (dist_shift_way(dist) != SHIFT_BOTH) return TERM_NONE;
  term_id pure = dist_price(ts, notion_pure(), dist, distance, spread);
  if (pure != TERM_NONE) return notion_price_both(ts, notion, notion_sampled(ts, q, pure));
  if (dist != DIST_GAUSS) return dist_price(ts, notion, dist, distance, spread);
  return notion.kind == NOTION_PURE
             ? TERM_NONE
             : notion_price_sampled(ts, notion, q,
                                    term_mul(ts, distance, term_reciprocal(ts, spread)));
}

bool dist_can_shift(struct terms *ts, struct notion_of notion, enum dist_kind dist) {
  term_id one = term_int(ts, 1);
  return dist_price(ts, notion, dist, one, one) != TERM_NONE;
}

bool dist_has_tail(enum dist_kind dist) {
  return dist_terms(dist)->tail != NULL;
}

/* low and high both move by the shift. */
static term_id range_moves(struct terms *ts, const term_id *args1, const term_id *args2,
                           term_id shift) {
  term_id zero = term_int(ts, 0);
  term_id low = term_sub(ts, term_add(ts, shift, args1[0]), args2[0]);
  term_id high = term_sub(ts, term_add(ts, shift, args1[1]), args2[1]);
  return term_and(ts, term_eq(ts, low, zero), term_eq(ts, high, zero));
}

/* The price where the sample decides: from the ratio of the densities alone. */
static term_id decided_price(struct terms *ts, struct notion_of notion, enum dist_kind dist,
                             term_id distance, term_id spread) {
  term_id ratio = dist_price(ts, notion_pure(), dist, distance, spread);
  return ratio == TERM_NONE ? TERM_NONE : notion_price_decided(ts, notion, ratio);
}

struct shift_cost dist_shift_cost(struct terms *ts, struct notion_of notion, enum dist_kind dist,
                                  const term_id *args1, const term_id *args2, size_t count,
                                  struct shift shift) {
  const struct shift_cost none = {TERM_NONE, TERM_NONE};
  if (shift.by == TERM_NONE || !sort_is_numeric(term_sort(ts, shift.by)) || count != 2) return none;
  if (dist_is_integer(dist) && term_sort(ts, shift.by) != SORT_INT) return none;
  /* Distance between v - location1 and v + shift - location2. */
  term_id off = term_sub(ts, term_add(ts, shift.by, args1[0]), args2[0]), distance = off;
  term_id zero = term_int(ts, 0), free = term_rat(ts, 0, 1), bound = shift.bound;
  term_id side = term_eq(ts, args1[1], args2[1]);
  switch (dist_shift_way(dist)) {
  case SHIFT_NEVER: return none;
  case SHIFT_ALONG: return (struct shift_cost){range_moves(ts, args1, args2, shift.by), free};
  case SHIFT_UP: side = term_and(ts, side, term_le(ts, zero, off)); break;
  case SHIFT_BOTH: distance = term_abs(ts, off); break;
  }
  term_id paid = bound == TERM_NONE ? distance : bound;
  term_id price = shift.decided ? decided_price(ts, notion, dist, paid, args1[1])
                                : dist_price(ts, notion, dist, paid, args1[1]);
  /* Noise that moves with its location is the same noise, in every notion. Whether there is a price
   * does not depend on the shift: if the sample decides, all cases are this one. */
  if (price == TERM_NONE)
    return (struct shift_cost){term_and(ts, side, term_eq(ts, off, zero)), free};
  if (bound != TERM_NONE) side = term_and(ts, side, term_le(ts, distance, bound));
  return (struct shift_cost){side, price};
}

term_id dist_at_most(struct terms *ts, enum dist_kind dist, const term_id *args, size_t count,
                     term_id x) {
  const struct dist_terms *row = dist_terms(dist);
  if (x == TERM_NONE || count != 2 || !row->at_most || !sort_is_numeric(term_sort(ts, x)))
    return TERM_NONE;
  if (dist_is_integer(dist) && term_sort(ts, x) != SORT_INT) return TERM_NONE;
  return row->at_most(ts, args, x);
}

term_id dist_tail(struct terms *ts, enum dist_kind dist, const term_id *args, enum tail tail,
                  term_id t) {
  const struct dist_terms *row = dist_terms(dist);
  return row->tail ? row->tail(ts, tail, args, t) : TERM_NONE;
}

term_id dist_mass(struct terms *ts, enum dist_kind dist, const term_id *args, term_id value) {
  const struct dist_terms *row = dist_terms(dist);
  return row->mass ? row->mass(ts, args, value) : TERM_NONE;
}

term_id dist_exponent(struct terms *ts, const struct distribution *law, term_id value) {
  const struct dist_terms *row = dist_terms(law->dist);
  return row->exponent ? row->exponent(ts, law->args, value) : TERM_NONE;
}

bool dist_is_everywhere(enum dist_kind dist) {
  const struct dist_terms *row = dist_terms(dist);
  return row->exponent && row->way == SHIFT_BOTH;
}

term_id dist_scalable(struct terms *ts, enum dist_kind dist, const term_id *args, term_id by,
                      term_id lost) {
  const struct dist_terms *row = dist_terms(dist);
  return row->scalable ? row->scalable(ts, args, by, lost) : TERM_NONE;
}
