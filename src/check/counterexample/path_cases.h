/* A path of an automaton as order problems (num/real/order_integral.h).
 *
 * On a path every sample is an independent Laplace sample, and every guard compares it with samples
 * of earlier steps. A guard that is a conjunction leaves one way in which its comparisons may turn
 * out; any other is a sum over disjoint cases, each of which fixes some comparisons and leaves the
 * others open: `insample < x or insample < y` is "below x" or "above x and below y". The path is
 * the sum over the cases of all its steps.
 *
 * Steps that are alike - same edge, input and event, the variables compared not assigned in between
 * - may be exchanged, so that only the number of them in each case matters: n rounds of a loop with
 * two cases make n + 1 order problems with binomial weights, not 2^n. */
#ifndef COUPLET_CHECK_COUNTEREXAMPLE_PATH_CASES_H
#define COUPLET_CHECK_COUNTEREXAMPLE_PATH_CASES_H

#include "check/counterexample/probability.h"
#include "num/real/order_integral.h"

enum { PATH_CASES_SAMPLES_MAX = 2000000 }; /* of all order problems of a query */

/* An exact value that was seen: its density is a factor. */
struct seen_value {
  fmpq_t distance, rate; /* |value - centre|, 1/scale */
};

struct path_case {
  fmpz_t weight;
  struct order_problem order;
  VEC(struct seen_value) seen;
};

struct path_cases {
  VEC(struct path_case) list;
  size_t samples;
};

/* Appends the cases of the path `edges` (one per step of the query); false: out->status and
 * out->why say what is wrong. */
bool path_cases_add(struct path_cases *cases, const struct automaton_query *query,
                    const uint32_t *edges, struct probability *out);
void path_cases_clear(struct path_cases *cases);

/* Sets status and why, unless something is reported already; takes `why`. */
void probability_fail(struct probability *out, enum probability_status status, char *why);

#endif
