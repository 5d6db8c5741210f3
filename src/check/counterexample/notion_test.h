/* Does an event show that a claim in another notion than epsilon and delta is false?
 *
 * An event has probability p in the first run and q in the second. Whatever is told apart by one
 * event is told apart by all outputs, so
 *   the Renyi divergence of order a of (p, 1 - p) from (q, 1 - q) is at most that of the runs,
 * and a mu-Gaussian mechanism has p <= Phi(Phi^-1(q) + mu). */
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
bool notion_test_breaks(struct notion_test *t, const arb_t p, const arb_t q, slong precision);

#endif
