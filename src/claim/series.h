/* stops_odd(g, k): a function of the logic, for loops that toss coins of probability g/k, g/(k+1), ..
 * until the first one that fails. It is the probability that they stop at an odd number. */
#ifndef COUPLET_CLAIM_SERIES_H
#define COUPLET_CLAIM_SERIES_H

#include "claim/translate.h"

/* As a term; TERM_NONE if g is no number or k no integer, or after a mistake. */
term_id series_odd(struct translate_env *env, struct span span, term_id g, term_id k);

/* What is known of it, as facts of the context (docs/samplers.md has the proofs):
 *   k stops_odd(g, k) = (if k mod 2 = 1 then k - g else 0) + g stops_odd(g, k + 1)   for k >= 1
 *   0 <= stops_odd(g, k) <= 1                                       for k >= 1, 0 <= g <= k
 *   stops_odd(g, 1) = e^(-g) */
void series_assume(struct translate_env *env, struct span span);

#endif
