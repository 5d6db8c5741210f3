/* Sums of independent noise: what code does to the exponential moments of a sum.
 *
 * Given terms S, R, Z over the memory after the code c, moment_before finds S', R', Z' over the
 * memory before and a condition `when`, such that from every memory with `when`
 *     E[e^(l S + psi(l) R) after c] <= e^(l S' + psi(l) R')    and    Z after c <= Z'
 * where W = scale >= 0 and psi is
 *     l^2 W^2/2              if is_heavy is false (normal noise, and coins), for all l
 *     l^2 W^2/(1 - |l| W)    if is_heavy is true (Laplace noise), for |l| W < 1.
 * So S is a sum of noise with mean 0 around S', and R counts the draws. docs/rules.md has the proofs. */
#ifndef COUPLET_KERNEL_MOMENT_H
#define COUPLET_KERNEL_MOMENT_H

#include "kernel/kernel.h"

struct moment {
  term_id sum, left, restarts; /* S, R, Z: after the code, then before it */
  term_id scale;
  term_id when;
  bool is_heavy;
};

/* False after a failure, which is noted for the rule: loops that write what the terms speak of, and
 * noise whose moments are not known. */
bool moment_before(struct kernel *k, const char *rule, unsigned run, const struct core *c,
                   struct moment *m);

#endif
