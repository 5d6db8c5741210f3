/* The semantic ground truth for judgements (kernel/judgement.h): a linear program over test
 * functions.
 *
 * { pre } c1 ~delta c2 { post } holds at (m1, m2, B) iff
 *     max  sum mu1 f - e^B sum mu2 g   over 0 <= f, g <= 1 with f(a) <= e^Q(a,b) g(b)
 * is at most delta, where Q(a,b) is the least budget with which (a,b) is in post. */
#ifndef COUPLET_TEST_ORACLE_H
#define COUPLET_TEST_ORACLE_H

#include <stdbool.h>
#include <stddef.h>

#define ORACLE_UNRELATED (-1.0)

/* The least delta. mu1 has n points, mu2 has m; q[a*m + b] is Q(a,b) or ORACLE_UNRELATED. Exact up
 * to about 1e-9. */
double oracle_delta(const double *mu1, size_t n, const double *mu2, size_t m, const double *q,
                    double budget);

#endif
