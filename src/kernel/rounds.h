/* Loops whose iterations are alike: none of them depends on what earlier ones wrote.
 *
 * Each iteration is the last one with the same probability then. If that is positive, the loop ends
 * with probability 1. */
#ifndef COUPLET_KERNEL_ROUNDS_H
#define COUPLET_KERNEL_ROUNDS_H

#include "kernel/kernel.h"

/* Whether an iteration is the last one does not depend on earlier ones. */
bool rounds_are_alike(struct terms *ts, const struct core *loop);
/* Run-less: from a memory with the guard an iteration makes it false with positive probability.
 * TERM_NONE: that cannot be said of this code. Which outcomes of the samplings are looked at is a
 * guess from what the loop compares: it may be useless, not wrong. */
term_id rounds_may_end(struct kernel *k, const struct core *loop);

#endif
