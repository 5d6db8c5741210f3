/* Inequalities between quotients, cleared of denominators.
 *
 * A real term is read as a fraction: factors over factors, each a sum of products of numbers,
 * atoms and one exponential e^a with a sum a as exponent (e^a e^b is e^(a+b)); e^(k ln u) is u^k.
 * That is right wherever all denominators and all such u are positive, which is demanded. */
#ifndef COUPLET_KERNEL_FRACTION_H
#define COUPLET_KERNEL_FRACTION_H

#include "term/term.h"

enum {
  FRACTION_ITEMS = 4096,  /* products in one sum */
  FRACTION_FACTORS = 256, /* above or below the line */
  FRACTION_BITS = 3       /* of k in u^k */
};

/* How sums of exponentials are compared: as they stand, term by term, or by sums of exponents. */
enum comparison { COMPARE_WHOLE, COMPARE_TERMWISE, COMPARE_MAJORIZED };

/* A formula that implies a <= b: denominators are positive, and the inequality between sums of
 * products with positive coefficients to which a <= b amounts then. The formula itself if it is
 * not of that form or beyond the limits.
 * `termwise`: where every product c e^a r on the left has products d e^b r on the right to cover
 * it, whose exponent differs by something without private data if those are the same in both runs:
 * a <= b and 0 <= r for all of them. That is more than is needed, but without exponentials.
 * `majorized`: c1 e^a1 + c2 e^a2 + .. <= d1 e^b1 + .. for numbers ci, di, written with the same
 * weight for all exponents: for any k of the a, the sum of them is at most that of the first k of
 * the b (in an order that is guessed). The exponential function is convex and increases. */
term_id term_cleared(struct terms *ts, term_id formula, enum comparison how);
/* The same for a condition a <= b or a < b: the result is equivalent to it where *demand holds. */
term_id term_cleared_condition(struct terms *ts, term_id condition, term_id *demand);

#endif
