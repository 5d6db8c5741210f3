#include "advocate/clips.h"

#include "advocate/bounds.h"
#include "term/build.h"

/* A value between two numbers: the ends, and the literals that say so. */
struct clip {
  term_id value;
  term_id end[2];
  int inside[2];
};

static const fmpq *end_of(const struct search *s, const struct clip *c, size_t i) {
  return term_num_value(s->ts, c->end[i]);
}

static bool is_clip(struct search *s, term_id t) {
  return term_kind(s->ts, t) == TERM_MIN || term_kind(s->ts, t) == TERM_MAX;
}

/* The number among the two arguments; TERM_NONE: there is none. */
static term_id number_in(struct search *s, term_id t, term_id *other) {
  for (size_t i = 0; i < 2; i++) {
    *other = term_arg(s->ts, t, 1 - i);
    if (term_is_num(s->ts, term_arg(s->ts, t, i))) return term_arg(s->ts, t, i);
  }
  return TERM_NONE;
}

/* min(b, max(a, x)) or max(a, min(b, x)) with a <= b. */
static bool as_clip(struct search *s, term_id t, struct clip *out) {
  struct terms *ts = s->ts;
  if (!is_clip(s, t)) return false;
  term_id inner, rest, outer = number_in(s, t, &inner);
  if (outer == TERM_NONE || !is_clip(s, inner) || term_kind(ts, inner) == term_kind(ts, t))
    return false;
  term_id nested = number_in(s, inner, &rest);
  if (nested == TERM_NONE) return false;
  bool is_max = term_kind(ts, t) == TERM_MAX;
  const term_id ends[] = {is_max ? outer : nested, is_max ? nested : outer};
  *out = (struct clip){.value = t};
  const term_id sides[] = {term_le(ts, ends[0], t), term_le(ts, t, ends[1])};
  for (size_t i = 0; i < 2; i++) {
    out->end[i] = ends[i];
    if (!search_sees(s, sides[i])) return false;
    out->inside[i] = search_literal(s, sides[i]);
  }
  return fmpq_cmp(end_of(s, out, 0), end_of(s, out, 1)) < 0;
}

/* The largest or smallest product of two ends. */
static void extreme(const struct search *s, const struct clip *x, const struct clip *y,
                    bool largest, fmpq *out) {
  fmpq_t corner;
  fmpq_init(corner);
  for (size_t i = 0; i < 4; i++) {
    fmpq_mul(corner, end_of(s, x, i / 2), end_of(s, y, i % 2));
    if (i == 0 || (fmpq_cmp(corner, out) > 0) == largest) fmpq_set(out, corner);
  }
  fmpq_clear(corner);
}

/* The product is at most (at least) its largest (smallest) value at a corner c: the distance from it
 * is the sum over the corners of the distance there, times the two distances from the ends opposite,
 * divided by the area. */
static void bound_side(struct search *s, const struct clip *x, const struct clip *y, bool upper) {
  struct terms *ts = s->ts;
  fmpq_t limit, area, weight, width;
  fmpq_init(limit);
  fmpq_init(area);
  fmpq_init(weight);
  fmpq_init(width);
  extreme(s, x, y, upper, limit);
  fmpq_sub(area, end_of(s, x, 1), end_of(s, x, 0));
  fmpq_sub(width, end_of(s, y, 1), end_of(s, y, 0));
  fmpq_mul(area, area, width);
  term_id product = term_mul(ts, x->value, y->value), number = term_num(ts, limit, SORT_REAL);
  int lit = search_literal(s, upper ? term_le(ts, product, number) : term_le(ts, number, product));
  int not = lit_negate(lit);
  part_list parts = {0};
  cut_part(s, &parts, NULL, &not, 1);
  for (size_t i = 0; i < 4; i++) {
    fmpq_mul(weight, end_of(s, x, i / 2), end_of(s, y, i % 2));
    fmpq_sub(weight, limit, weight);
    fmpq_div(weight, weight, area);
    fmpq_abs(weight, weight);
    if (!fmpq_is_zero(weight))
      cut_part(s, &parts, weight, (int[]){x->inside[1 - i / 2], y->inside[1 - i % 2]}, 2);
  }
  cut_shows(s, &parts, lit);
  fmpq_clear(limit);
  fmpq_clear(area);
  fmpq_clear(weight);
  fmpq_clear(width);
}

void clips_bound(struct search *s) {
  struct terms *ts = s->ts;
  size_t count = s->terms.len;
  for (size_t i = 0; i < count && !budget_is_spent(s->budget); i++) {
    term_id product = s->terms.at[i];
    bool is_power = term_kind(ts, product) == TERM_POW;
    if (!is_power && term_kind(ts, product) != TERM_MUL) continue;
    struct clip clips[2];
    size_t found = 0, others = 0;
    for (size_t k = 0; k < term_arg_count(ts, product) && found + others < 3; k++) {
      term_id factor = term_arg(ts, product, k);
      if (term_is_num(ts, factor)) continue;
      if (found < 2 && as_clip(s, factor, &clips[found]))
        found++;
      else
        others++;
    }
    if (is_power && found == 1) clips[found++] = clips[0];
    for (int upper = 0; upper < 2 && found == 2 && !others && !s->sat.is_contradictory; upper++)
      bound_side(s, &clips[0], &clips[1], upper);
  }
}
