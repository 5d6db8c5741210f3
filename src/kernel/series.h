/* stops_odd(g, k): coins of probability g/k, g/(k+1), .. are tossed until one fails, the one that is
 * numbered so; it is the probability that this number is odd. Defined by its series for all real g
 * and integers k >= 1 (docs/samplers.md has it, and the proofs); anything else for other k. */
#ifndef COUPLET_KERNEL_SERIES_H
#define COUPLET_KERNEL_SERIES_H

#include "base/vec.h"
#include "term/term.h"

/* TERM_NONE if g is no number or k no integer. */
term_id series_odd(struct terms *ts, term_id g, term_id k);

/* The sum of e^(-k^2/(2 s^2)) over all integers k, for s > 0; anything for other s. */
term_id series_squares(struct terms *ts, term_id s);

/* a <= b where `when` holds. */
struct series_fact {
  term_id when, a, b;
};
typedef VEC(struct series_fact) series_facts;

/* What is known of the values of the function that occur in t:
 *   k stops_odd(g, k) = (if k mod 2 = 1 then k - g else 0) + g stops_odd(g, k + 1)    for k >= 1
 *   0 <= stops_odd(g, k) <= 1                                         for k >= 1, 0 <= g <= k
 *   e^(-g) = stops_odd(g, 1) = 1 - g + g stops_odd(g, 2)
 *   1 <= the sum of e^(-k^2/(2 s^2))                                  for s > 0 */
void series_known(struct terms *ts, term_id t, series_facts *out);

#endif
