/* What the rules know about distributions: when parameters make sense, where samples lie, what a
 * shift costs. Parameters are terms of one run. */
#ifndef COUPLET_KERNEL_DIST_H
#define COUPLET_KERNEL_DIST_H

#include "kernel/notion.h"

/* Sort of the samples; SORT_NONE if parameters have wrong sorts or number. */
sort_id dist_sample_sort(struct terms *ts, enum dist_kind dist, const term_id *args, size_t count);
/* The parameters define a distribution: scale > 0, low < high, ... */
term_id dist_valid(struct terms *ts, enum dist_kind dist, const term_id *args, size_t count);
/* A sample lies in the support (almost surely). */
term_id dist_support(struct terms *ts, enum dist_kind dist, const term_id *args, size_t count,
                     term_id sample);

/* t > 0 and 1/t, written without nested quotients: for t = x/y they are x*y > 0 and y/x, which mean
 * the same whenever t > 0 and y is not 0. */
term_id term_positive(struct terms *ts, term_id t);
term_id term_reciprocal(struct terms *ts, term_id t);

/* A coupling that sends every sample v of D(args1) to v + shift of D(args2): `side` are the
 * conditions, `cost` >= 0 is what the notion asks for (notion.h). In the pure notion that is
 * density1(v) <= e^cost density2(v + shift), on whatever part of D(args1) it is used. */
struct shift_cost {
  term_id side, cost;
};
struct shift {
  term_id by;
  term_id bound; /* TERM_NONE; or at least the distance of the noise, and this is paid for */
  bool decided;  /* the sample itself decides whether it is shifted so */
};
/* Both TERM_NONE if the family allows no such shift in this notion, or it has the wrong sort. */
struct shift_cost dist_shift_cost(struct terms *ts, struct notion_of notion, enum dist_kind dist,
                                  const term_id *args1, const term_id *args2, size_t count,
                                  struct shift shift);
/* What is paid for noise of this scale that moves by `distance` >= 0, and is known to do so before
 * it is drawn. TERM_NONE: it cannot. */
term_id dist_price(struct terms *ts, struct notion_of notion, enum dist_kind dist, term_id distance,
                   term_id scale);

/* Probability that a sample is at most x; TERM_NONE for families without an order or a closed form.
 * For discrete noise x must be an integer. Right whenever the parameters make sense. */
term_id dist_at_most(struct terms *ts, enum dist_kind dist, const term_id *args, size_t count,
                     term_id x);

#endif
