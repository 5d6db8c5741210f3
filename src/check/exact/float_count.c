#include "check/exact/float_count.h"

#include <stdlib.h>
#include <string.h>

#include "check/exact/float_possible.h"

/* ---- counting ------------------------------------------------------------------------------- */

/* What is counted: values of the free word with which the outputs are in the event whatever the
 * functions of the library are, or (maybe) with which they may be. */
struct counter {
  struct monotone_view view;
  const struct float_targets *targets;
  bool maybe;
  const char *why;
};

struct interval {
  wide from, to; /* empty: from > to */
};

/* The first value of the piece, or the one behind it, at which a bound of the output has passed an
 * end of the event: it is at least the lower one (strict: above the upper one) if it rises, and no
 * longer so if it falls. */
static bool find_passing(struct counter *c, const struct monotone_piece *piece, size_t output,
                         bool strict, wide *first) {
  const struct float_target *t = &c->targets->at[output];
  const int side = strict != c->maybe; /* certainly at least: the lower bound is */
  const bool rises = piece->direction[output] >= 0;
  wide low = piece->low - 1, high = piece->high + 1;
  while (high - low > 1) { /* the values up to low are on one side, those from high on the other */
    const wide middle = low + (high - low) / 2;
    struct monotone_bounds x;
    if (!monotone_bounds(&x, &c->view, c->view.p->results[output], middle, &c->why)) return false;
    const bool beyond = strict ? float_compare(t->sort, x.at[side], t->high) > 0
                               : float_compare(t->sort, x.at[side], t->low) >= 0;
    if (beyond == rises)
      high = middle;
    else
      low = middle;
  }
  *first = high;
  return true;
}

/* The values of the piece with which one output is as it should be. */
static bool find_interval(struct counter *c, const struct monotone_piece *piece, size_t output,
                          struct interval *out) {
  const struct float_target *t = &c->targets->at[output];
  const struct interval none = {piece->high + 1, piece->high};
  struct monotone_bounds x;
  *out = (struct interval){piece->low, piece->high};
  if (t->any) return true;
  if (piece->any[output]) {
    if (!c->maybe) *out = none;
    return true;
  }
  if (t->sort == NODE_BOOL) { /* constant on a piece */
    if (!monotone_bounds(&x, &c->view, c->view.p->results[output], piece->low, &c->why))
      return false;
    if (x.at[0].truth != t->truth) *out = none;
    return true;
  }
  for (int strict = 0; strict < 2; strict++) {
    wide first;
    if (!(strict ? t->has_high : t->has_low)) continue;
    if (!find_passing(c, piece, output, strict, &first)) return false;
    const bool from_here = (piece->direction[output] >= 0) != strict;
    if (from_here && first > out->from) out->from = first;
    if (!from_here && first - 1 < out->to) out->to = first - 1;
  }
  return true;
}

/* All outputs at once. */
static bool find_common(struct counter *c, const struct monotone_piece *piece,
                        struct interval *out) {
  *out = (struct interval){piece->low, piece->high};
  for (size_t i = 0; i < c->targets->count && out->from <= out->to; i++) {
    struct interval one;
    if (!find_interval(c, piece, i, &one)) return false;
    if (one.from > out->from) out->from = one.from;
    if (one.to < out->to) out->to = one.to;
  }
  return true;
}

static void add_count(fmpz_t total, wide count) {
  fmpz_t more;
  fmpz_init(more);
  fmpz_set_wide(more, count);
  fmpz_add(total, total, more);
  fmpz_clear(more);
}

/* With the words fixed as they are; *found (or NULL) is one of the values. */
static bool count_fixed(struct counter *c, fmpz_t total, wide *found) {
  monotone_pieces pieces = {0};
  bool ok = monotone_split(&pieces, &c->view, &c->why);
  for (size_t i = 0; ok && i < pieces.len; i++) {
    struct interval common;
    ok = find_common(c, &pieces.at[i], &common);
    if (!ok || common.from > common.to) continue;
    add_count(total, common.to - common.from + 1);
    if (found) *found = common.from;
  }
  vec_clear(&pieces);
  return ok;
}

/* Is the event certain with this value of the free word? */
static bool hits(struct counter *c, wide k) {
  for (size_t i = 0; i < c->targets->count; i++) {
    const struct float_target *t = &c->targets->at[i];
    struct monotone_bounds x;
    if (t->any) continue;
    if (!monotone_bounds(&x, &c->view, c->view.p->results[i], k, &c->why) || x.any) return false;
    if (t->sort == NODE_BOOL ? x.at[0].truth != t->truth
                             : (t->has_low && float_compare(t->sort, x.at[0], t->low) < 0) ||
                                   (t->has_high && float_compare(t->sort, x.at[1], t->high) > 0))
      return false;
  }
  return true;
}

/* At least so many: of the values that are tried one by one. */
static void count_probes(struct counter *c, const struct float_words *w, fmpz_t total,
                         wide *found) {
  struct float_probes probes;
  float_words_probes(&probes, w, c->view.p, c->view.words);
  for (size_t i = 0; i < probes.count; i++) {
    if (!hits(c, probes.at[i])) continue;
    add_count(total, 1);
    if (found) *found = probes.at[i];
  }
}

/* ---- probabilities -------------------------------------------------------------------------- */

/* The number of all values of the words that the results depend on. */
static void count_values(fmpz_t out, const struct float_words *w, const struct pipeline *p) {
  fmpz_t values;
  fmpz_init(values);
  fmpz_one(out);
  for (size_t i = 0; i < w->count; i++) {
    fmpz_set_wide(values, p->words.at[w->used[i]]);
    fmpz_mul(out, out, values);
  }
  fmpz_clear(values);
}

/* Adds up all combinations. */
static bool count_all(fmpz_t total, const struct float_words *w, struct counter *c) {
  wide words[LIMIT_PIPELINE_WORDS] = {0};
  c->view.words = words;
  c->view.free = w->free;
  fmpz_zero(total);
  for (size_t i = 0; i < w->combinations; i++) {
    float_words_fix(w, c->view.p, i, words);
    if (!count_fixed(c, total, NULL)) return false;
  }
  return true;
}

/* Of the first choice of the free word with which something is found: those combinations that can
 * be counted and, where the output is not monotone, single values. Each combination is an event of
 * its own. *words: an example. */
static bool count_some(fmpz_t total, struct float_words *w, struct counter *c, wide *words) {
  fmpz_zero(total);
  for (size_t nth = 0; nth < (w->longs ? w->longs : 1) && fmpz_is_zero(total); nth++) {
    wide fixed[LIMIT_PIPELINE_WORDS] = {0};
    float_words_free(w, c->view.p, nth);
    c->view.words = fixed;
    c->view.free = w->free;
    for (size_t i = 0; i < w->combinations; i++) {
      const bool is_first = fmpz_is_zero(total);
      fmpz_t more;
      wide found = 0;
      fmpz_init(more);
      float_words_fix(w, c->view.p, i, fixed);
      if (!count_fixed(c, more, &found)) {
        fmpz_zero(more);
        count_probes(c, w, more, &found);
      }
      fmpz_add(total, total, more);
      if (is_first && !fmpz_is_zero(more)) {
        memcpy(words, fixed, sizeof fixed);
        words[w->free] = found;
      }
      fmpz_clear(more);
    }
  }
  return !fmpz_is_zero(total);
}

bool float_find_words(const struct pipeline *p, const struct pattern *event, wide *words) {
  struct float_words w;
  struct float_targets targets;
  fmpz_t count;
  fmpz_init(count);
  bool ok =
      float_targets_init(&targets, p, event) && !targets.impossible && float_words_init(&w, p);
  struct counter c = {.view = {.p = p}, .targets = &targets};
  ok = ok && count_some(count, &w, &c, words);
  float_targets_clear(&targets);
  fmpz_clear(count);
  return ok;
}

/* "3 of 8", or "3 to 5 of 8" */
static char *counted_text(const fmpz_t least, const fmpz_t most, const fmpz_t values) {
  char *some = fmpz_get_str(NULL, 10, least), *more = fmpz_get_str(NULL, 10, most);
  char *all = fmpz_get_str(NULL, 10, values);
  char *text = fmpz_equal(least, most) ? xasprintf("%s of %s", some, all)
                                       : xasprintf("%s to %s of %s", some, more, all);
  flint_free(some);
  flint_free(more);
  flint_free(all);
  return text;
}

/* Both bounds, divided by the number of all values. */
static void set_ball(struct exact_result *r, const fmpz_t least, const fmpz_t most,
                     const fmpz_t values, const struct exact_options *options) {
  const slong precision = options && options->precision ? options->precision : EXACT_PRECISION;
  arb_t upper;
  arb_init(upper);
  arb_set_fmpz(r->probability, least);
  arb_div_fmpz(r->probability, r->probability, values, precision);
  if (!fmpz_equal(least, most)) {
    arb_set_fmpz(upper, most);
    arb_div_fmpz(upper, upper, values, precision);
    arb_union(r->probability, r->probability, upper, precision);
  }
  arb_clear(upper);
}

/* By counting everything. False: *why. */
static bool count_probability(struct exact_result *r, const struct float_words *w,
                              struct counter *c, const struct exact_options *options) {
  const struct pipeline *p = c->view.p;
  fmpz_t least, most, values;
  fmpz_init(least);
  fmpz_init(most);
  fmpz_init(values);
  bool ok = count_all(least, w, c);
  fmpz_set(most, least);
  if (ok && p->is_inexact) {
    c->maybe = true;
    ok = count_all(most, w, c);
    c->maybe = false;
    if (ok && fmpz_is_zero(least) && !float_is_possible(p, c->targets)) fmpz_zero(most);
  }
  if (ok) {
    count_values(values, w, p);
    set_ball(r, least, most, values, options);
    r->counted = counted_text(least, most, values);
    if (options && options->bound_will_do && !fmpz_is_zero(least) &&
        !arb_is_positive(r->probability)) { /* a ball of both ends says less than the lower one */
      set_ball(r, least, least, values, options);
      r->is_bound = true;
    }
  }
  fmpz_clear(least);
  fmpz_clear(most);
  fmpz_clear(values);
  return ok;
}

/* What is known where not everything can be counted: 0, or (if it will do) a lower bound. */
static bool bound_probability(struct exact_result *r, struct float_words *w, struct counter *c,
                              const struct exact_options *options) {
  wide words[LIMIT_PIPELINE_WORDS];
  fmpz_t least, values;
  if (!float_is_possible(c->view.p, c->targets)) {
    arb_zero(r->probability);
    return true;
  }
  if (!options || !options->bound_will_do) return false;
  fmpz_init(least);
  fmpz_init(values);
  r->is_bound = count_some(least, w, c, words);
  count_values(values, w, c->view.p);
  set_ball(r, least, least, values, options);
  fmpz_clear(least);
  fmpz_clear(values);
  return r->is_bound;
}

/* False: *why. */
static bool set_probability(struct exact_result *r, const struct pipeline *p,
                            const struct float_targets *targets,
                            const struct exact_options *options, const char **why) {
  struct float_words w;
  struct counter c = {.view = {.p = p, .budget = options ? options->budget : NULL},
                      .targets = targets};
  *why = "there are too many combinations of random choices";
  if (!float_words_init(&w, p)) return false;
  r->is_bound = false;
  if (targets->impossible) {
    arb_zero(r->probability);
    return true;
  }
  *why = "with several long random words only a lower bound of this probability can be known";
  if (w.longs <= 1) {
    if (count_probability(r, &w, &c, options)) return true;
    *why = c.why;
  }
  if (*why == monotone_no_time) return false;
  if (bound_probability(r, &w, &c, options)) return true;
  if (budget_is_spent(c.view.budget)) *why = monotone_no_time;
  return false;
}

bool float_probability(struct interp *in, const struct pattern *event,
                       const struct exact_options *options, struct exact_result *result) {
  struct pipeline p;
  struct float_targets targets = {0};
  const char *why = NULL;
  bool ok = pipeline_init(&p, in, &result->why, &result->where);
  if (ok && event->kind == PATTERN_ANY && !p.may_not_end) {
    arb_one(result->probability);
    result->status = EXACT_OK;
    goto done;
  }
  if (ok && (event->kind == PATTERN_ANY || !float_targets_init(&targets, &p, event))) {
    ok = false;
    why = event->kind == PATTERN_ANY ? "it is not known whether every run ends"
                                     : "the event must be a value or an interval for each output";
  }
  ok = ok && set_probability(result, &p, &targets, options, &why);
  if (!ok && why) {
    result->why = xasprintf("exact counting of floating-point programs: %s", why);
    result->where = in->mechanism->name.span;
  }
  result->status = ok ? EXACT_OK : why == monotone_no_time ? EXACT_TIMEOUT : EXACT_UNSUPPORTED;
done:
  result->points = 0;
  float_targets_clear(&targets);
  pipeline_clear(&p);
  return ok;
}
