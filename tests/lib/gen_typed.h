/* Random programs that are right: the checker accepts them, and their mechanism runs on their
 * instance without a run-time error. Reproducible from a seed.
 *
 * What keeps them right: a variable is used only where it is certainly assigned, array indices come
 * from loops over the array, divisors and scales are positive, arguments of ln and sqrt are made
 * non-negative, loops are bounded and steered by public counters or noisy tests only. */
#ifndef COUPLET_GEN_TYPED_H
#define COUPLET_GEN_TYPED_H

#include "testlib.h"

/* Text of a module (xmalloc'd): parameters, lets, an abstract type with operator and axiom, a
 * procedure, an adversary, one mechanism with claims, and an instance. `size` is the number of
 * statements at the top of the mechanism. */
char *gen_typed_text(struct rng *rng, unsigned size);

#endif
