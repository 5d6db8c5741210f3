/* The meaning of judgements in notions other than the pure one, on finite distributions: the
 * functions G_B of docs/notions.md and a search for tests f, g that break a judgement.
 *
 * For a given g the best f is known, f(a) = min over related b of G_Q(a,b)(g(b)); so g alone is
 * looked for: by likelihood ratios, which are optimal for equal outputs, at random, and uphill from
 * there. What is found is a violation for certain (up to rounding); that nothing is found means
 * little by itself, so tests that use it also show that it finds something in tight instances. */
#ifndef COUPLET_TESTS_TRANSFER_H
#define COUPLET_TESTS_TRANSFER_H

#include <stddef.h>

#include "lang/syntax/ast.h"
#include "testlib.h"

struct transfer {
  enum notion kind;
  double order; /* renyi, and the order at which zcdp is looked at */
};

double transfer_apply(struct transfer n, double budget, double x);
/* The largest E[f] - G_P(E[g]) found; points of run 1 that are related to none are left out: they
 * are at the ends of a window. q[a*n2 + b]: the budget left; ORACLE_UNRELATED: not related. */
double transfer_gap(struct transfer n, struct rng *rng, const double *mu1, size_t n1,
                    const double *mu2, size_t n2, const double *q, double budget);

double normal_quantile(double x);

#endif
