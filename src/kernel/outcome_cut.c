#include "kernel/outcome_cut.h"

#include "kernel/dist.h"
#include "term/build.h"
#include "term/linear.h"
#include "term/subst.h"

bool outcome_mentions(struct terms *ts, const struct outcome_sample *samples, size_t count,
                      term_id t) {
  for (size_t i = 0; i < count; i++)
    if (term_mentions(ts, t, &samples[i].name, 1)) return true;
  return false;
}

/* t = factor*y; TERM_NONE: not of this form. */
static term_id factor_of(struct terms *ts, term_id t, term_id y) {
  term_id factor = term_rat(ts, 1, 1);
  if (t == y) return factor;
  bool found = false;
  for (size_t i = 0; term_kind(ts, t) == TERM_MUL && i < term_arg_count(ts, t); i++) {
    term_id part = term_arg(ts, t, i), own = factor_of(ts, part, y);
    if (own == TERM_NONE && term_mentions(ts, part, &y, 1)) return TERM_NONE;
    if (own != TERM_NONE && found) return TERM_NONE;
    found |= own != TERM_NONE;
    factor = term_mul(ts, factor, own == TERM_NONE ? part : own);
  }
  return found ? factor : TERM_NONE;
}

/* The coefficient of y in a sum that is linear in it; TERM_NONE: it is not. */
static term_id slope_of(struct terms *ts, term_id form, term_id y) {
  size_t count = term_kind(ts, form) == TERM_ADD ? term_arg_count(ts, form) : 1;
  term_id slope = term_rat(ts, 0, 1);
  for (size_t i = 0; i < count && slope != TERM_NONE; i++) {
    term_id part = term_kind(ts, form) == TERM_ADD ? term_arg(ts, form, i) : form;
    if (!term_mentions(ts, part, &y, 1)) continue;
    term_id factor = factor_of(ts, part, y);
    slope = factor == TERM_NONE ? TERM_NONE : term_add(ts, slope, factor);
  }
  return slope;
}

/* A guess, by the numbers in it: a sum is taken to have the sign of its first summand. */
static bool looks_negative(struct terms *ts, term_id t) {
  if (term_is_num(ts, t)) return fmpq_sgn(term_num_value(ts, t)) < 0;
  if (term_kind(ts, t) == TERM_ADD) return looks_negative(ts, term_arg(ts, t, 0));
  bool negative = false;
  for (size_t i = 0; term_kind(ts, t) == TERM_MUL && i < term_arg_count(ts, t); i++)
    negative ^= looks_negative(ts, term_arg(ts, t, i));
  return negative;
}

/* 0 <= slope*y + rest for a real y: the slope is positive, or negative, if a guess is right. */
static bool cut_by_slope(struct terms *ts, term_id form, term_id rest, term_id y,
                         struct outcome_cut *out) {
  term_id slope = slope_of(ts, form, y);
  if (slope == TERM_NONE || term_is_num(ts, slope)) return false;
  out->is_below = looks_negative(ts, slope);
  out->positive = out->is_below ? term_neg(ts, slope) : slope;
  out->point = term_div(ts, out->is_below ? rest : term_neg(ts, rest), out->positive);
  return out->positive != TERM_NONE && out->point != TERM_NONE;
}

bool outcome_cut_of(struct terms *ts, const struct outcome_sample *samples, size_t count,
                    term_id atom, struct outcome_cut *out) {
  for (out->sample = 0; out->sample < count; out->sample++)
    if (term_mentions(ts, atom, &samples[out->sample].name, 1)) break;
  if (out->sample == count) return false;
  term_id y = samples[out->sample].name, zero = term_int(ts, 0);
  out->positive = TERM_NONE;
  term_id form = term_sub(ts, term_arg(ts, atom, 1), term_arg(ts, atom, 0));
  term_id rest = form == TERM_NONE ? TERM_NONE : term_subst(ts, form, &y, &zero, 1);
  if (rest == TERM_NONE || outcome_mentions(ts, samples, count, rest)) return false;
  term_id slope = term_sub(ts, form, rest); /* is it c*y? */
  fmpq_t c;
  fmpq_init(c);
  term_id name;
  bool ok = slope != TERM_NONE && term_split_coefficient(ts, slope, c, &name) && name == y &&
            !fmpq_is_zero(c);
  bool is_int = term_sort(ts, y) == SORT_INT, up = ok && fmpq_sgn(c) > 0;
  ok = ok && (!is_int || fmpq_is_one(c) || fmpq_equal_si(c, -1));
  if (ok) {
    fmpq_inv(c, c);
    fmpq_neg(c, c);
    out->point = term_mul(ts, term_num(ts, c, is_int ? SORT_INT : SORT_REAL), rest);
    /* integers: y >= p and y < p are cut at p - 1 */
    bool strict = term_kind(ts, atom) == TERM_LT;
    if (is_int && strict != up) out->point = term_sub(ts, out->point, term_int(ts, 1));
    out->is_below = !up;
  }
  fmpq_clear(c);
  if (!ok && !is_int && slope != TERM_NONE && !outcome_mentions(ts, samples, count, rest))
    return cut_by_slope(ts, form, rest, y, out) &&
           !outcome_mentions(ts, samples, count, out->positive);
  return ok && out->point != TERM_NONE && (!is_int || term_sort(ts, out->point) == SORT_INT);
}

term_id outcome_comparison(struct terms *ts, const struct outcome_sample *samples, size_t count,
                           term_id t) {
  if (count == 0 || !outcome_mentions(ts, samples, count, t)) return TERM_NONE;
  term_list parts = {0};
  term_subterms(ts, t, &parts);
  term_id found = TERM_NONE;
  for (size_t i = 0; i < parts.len && found == TERM_NONE; i++) {
    enum term_kind kind = term_kind(ts, parts.at[i]);
    bool compares =
        kind == TERM_LE || kind == TERM_LT ||
        (kind == TERM_EQ && sort_is_numeric(term_sort(ts, term_arg(ts, parts.at[i], 0))));
    if (compares && outcome_mentions(ts, samples, count, parts.at[i])) found = parts.at[i];
  }
  vec_clear(&parts);
  return found;
}

/* The distribution function grows, so an empty interval has 0. */
static term_id interval_mass(struct terms *ts, const struct outcome_sample *y) {
  term_id zero = term_rat(ts, 0, 1), one = term_rat(ts, 1, 1);
  if (y->above == TERM_NONE) return y->upto == TERM_NONE ? one : y->high;
  if (y->upto == TERM_NONE) return term_sub(ts, one, y->low);
  bool whole = term_sort(ts, y->name) == SORT_INT;
  bool single = whole && term_sub(ts, y->upto, y->above) == term_int(ts, 1);
  term_id point = single ? dist_mass(ts, y->dist, y->args, y->upto) : TERM_NONE;
  return point != TERM_NONE ? point : term_max(ts, zero, term_sub(ts, y->high, y->low));
}

term_id outcome_sample_inside(struct terms *ts, const struct outcome_sample *y, term_id point) {
  term_id inside = term_bool(ts, true);
  if (y->above != TERM_NONE) inside = term_and(ts, inside, term_lt(ts, y->above, point));
  if (y->upto != TERM_NONE) inside = term_and(ts, inside, term_le(ts, point, y->upto));
  if (y->except != TERM_NONE) inside = term_and(ts, inside, term_ne(ts, point, y->except));
  return inside;
}

term_id outcome_sample_mass(struct terms *ts, const struct outcome_sample *y) {
  term_id mass = interval_mass(ts, y);
  if (y->except == TERM_NONE) return mass;
  struct outcome_sample all = *y;
  all.except = TERM_NONE;
  term_id inside = outcome_sample_inside(ts, &all, y->except);
  term_id point = dist_mass(ts, y->dist, y->args, y->except);
  return term_sub(ts, mass, term_ite(ts, inside, point, term_rat(ts, 0, 1)));
}
