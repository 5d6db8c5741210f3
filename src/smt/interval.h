/* Inequalities on bounded boxes, by certified subdivision in ball arithmetic.
 *
 * f <= 0 on a box is proved by one of
 *   - the ball of f over the box lies below 0;
 *   - f is monotone in a variable (its derivative has one sign on the box, proved in the same way):
 *     f <= 0 on the face where f is largest suffices. On a face the variable is a rational number,
 *     so terms fold: at corners where f = 0, f becomes the number 0. This is how inequalities that
 *     touch, like 1 + x <= exp(x) at 0, are decided;
 *   - both halves, after cutting the box.
 * A box on which a hypothesis is certainly false needs no proof. A finite ball over the box means
 * that every subterm is defined there, so derivatives exist. */
#ifndef COUPLET_SMT_INTERVAL_H
#define COUPLET_SMT_INTERVAL_H

#include "smt/box.h"

enum {
  INTERVAL_BOXES = 1500,   /* boxes looked at */
  INTERVAL_TERMS = 200000, /* terms made (derivatives, faces) */
  INTERVAL_DEPTH = 4,      /* derivatives of derivatives */
  INTERVAL_BITS = 96
};

/* Proves hypotheses |= goal for a comparison of numbers. False: not proved. */
bool interval_prove(struct terms *ts, const term_list *hyps, term_id goal, int64_t deadline);

#endif
