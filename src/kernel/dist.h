/* What the rules know about distributions: when parameters make sense, where samples lie, what a
 * shift costs. Parameters are terms of one run. Read from the table of families (family.h). */
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
 * the same whenever t > 0 and y is not 0. The reciprocal of a choice is a choice of reciprocals. */
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
/* Which distances between v - location1 and v + shift - location2 are allowed, if there is a price for
 * them; 0 always is, if shifts are. */
enum shift_way {
  SHIFT_NEVER, /* there is no such coupling */
  SHIFT_ALONG, /* none: samples move as the parameters do */
  SHIFT_UP,    /* run 2's noise is the larger one */
  SHIFT_BOTH   /* any */
};
enum shift_way dist_shift_way(enum dist_kind dist);
/* What is paid for noise of this spread that moves by `distance` >= 0, and is known to do so before
 * it is drawn. TERM_NONE: it cannot. */
term_id dist_price(struct terms *ts, struct notion_of notion, enum dist_kind dist, term_id distance,
                   term_id spread);
/* The same if the noise is on a sum over records, each of which counts with probability q, and only
 * one of them moves it, which is missing in one of the runs. TERM_NONE: no price, or for noise that
 * moves one way only. */
term_id dist_sampled_price(struct terms *ts, struct notion_of notion, enum dist_kind dist,
                           term_id q, term_id distance, term_id spread);
/* Is there a price? */
bool dist_can_shift(struct terms *ts, struct notion_of notion, enum dist_kind dist);
/* Both TERM_NONE if the family allows no such shift in this notion, or it has the wrong sort. */
struct shift_cost dist_shift_cost(struct terms *ts, struct notion_of notion, enum dist_kind dist,
                                  const term_id *args1, const term_id *args2, size_t count,
                                  struct shift shift);

/* Probability that a sample is at most x; TERM_NONE for families without an order or a closed form.
 * For discrete noise x must be an integer. Right whenever the parameters make sense. */
term_id dist_at_most(struct terms *ts, enum dist_kind dist, const term_id *args, size_t count,
                     term_id x);

enum tail { TAIL_ABOVE, TAIL_BELOW, TAIL_BOTH };
bool dist_has_tail(enum dist_kind dist);
/* A bound on the probability that a sample leaves e + t, e - t, or what is between them, where e is
 * the first parameter (location or low end), for t >= 0 (an integer for discrete noise). TERM_NONE: the family has none. */
term_id dist_tail(struct terms *ts, enum dist_kind dist, const term_id *args, enum tail tail,
                  term_id t);
/* Probability of a value (of the sort of the samples), if the parameters make sense; TERM_NONE: there
 * is no term for it. */
term_id dist_mass(struct terms *ts, enum dist_kind dist, const term_id *args, term_id value);
/* A distribution; its parameters are terms of one run. */
struct distribution {
  enum dist_kind dist;
  const term_id *args;
  size_t count;
};
/* For noise on the integers: x with Pr[value] = e^x Pr[centre], for all values of the support.
 * TERM_NONE: there is no such term. */
term_id dist_exponent(struct terms *ts, const struct distribution *law, term_id value);
/* Is every integer a possible sample? */
bool dist_is_everywhere(enum dist_kind dist);
/* Condition for which, if run 2's sample is e^(-by) times run 1's and by >= 0, the densities differ
 * by e^by at most, apart from mass `lost`. TERM_NONE: the family cannot be scaled. */
term_id dist_scalable(struct terms *ts, enum dist_kind dist, const term_id *args, term_id by,
                      term_id lost);

#endif
