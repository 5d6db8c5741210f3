/* Do events show that a claim in another notion than epsilon and delta is false?
 *
 * Disjoint events have probabilities p_1, .., p_n in the first run and q_1, .., q_n in the second.
 * Whatever is told apart by which of them happens is told apart by the output, so
 *   the Renyi divergence of order a of (p_1, .., p_n, 1 - p) from (q_1, .., q_n, 1 - q), where p and
 *   q are the sums, is at most that of the runs,
 * and a mu-Gaussian mechanism has p <= Phi(Phi^-1(q) + mu). The p_i are not lower bounds: 1 - p would
 * be too much then. (They may be where all q_i are 0, since nothing is above infinity.) */
#ifndef COUPLET_CHECK_COUNTEREXAMPLE_NOTION_TEST_H
#define COUPLET_CHECK_COUNTEREXAMPLE_NOTION_TEST_H

#include <stdbool.h>

#include "lang/syntax/ast.h"
#include "num/arb_compat.h"

struct notion_test {
  enum notion notion; /* not pure */
  arb_t order;        /* renyi: of the claim; zcdp: set to the one that shows it */
  arb_t cost;         /* epsilon, rho or mu */
  arb_t reached;      /* set: a divergence that the runs reach at least (gaussian: p) */
  arb_t allowed;      /* set: what the claim allows there (gaussian: of p) */
};

void notion_test_init(struct notion_test *t, enum notion notion);
void notion_test_clear(struct notion_test *t);

/* True: reached > allowed for all points of the balls, so the claim is false. */
bool notion_test_breaks(struct notion_test *t, arb_srcptr p, arb_srcptr q, size_t count,
                        slong precision);

#endif
