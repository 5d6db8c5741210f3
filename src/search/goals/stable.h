/* When is what a test releases stable? Test and release is private although the answer behind the
 * test may be anything: the adjacency says that it moves little while both runs are far from an
 * edge, `dist<1> > 0 and dist<2> > 0 -> within(answer, 1)`, and the test fails near the edge but for
 * a probability of delta; or an axiom says that it is the same, `far(d) > 1 -> f(d) = f(e)`. The
 * premise of such a fact is what a proof by `case` is about. */
#ifndef COUPLET_SEARCH_GOALS_STABLE_H
#define COUPLET_SEARCH_GOALS_STABLE_H

#include "kernel/core.h"
#include "search/base/auto.h"

/* Premises of facts, and of axioms, about inputs that the sampling is centred at; and the negation
 * of what is said of these in `edge or within(answer, 1)`. As run 1 and run 2 are named in the
 * forward direction. Appended. */
void stable_premises(struct auto_problem *p, const struct core *site, term_list *out);

#endif
