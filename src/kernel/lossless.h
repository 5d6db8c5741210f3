/* Termination with probability 1, for one run: loops have an integer variant that decreases in
 * every iteration whatever is sampled, or a sample that may end each of them (chance.h), and every
 * distribution has sensible parameters. Adversaries terminate by assumption (docs/rules.md). */
#ifndef COUPLET_KERNEL_LOSSLESS_H
#define COUPLET_KERNEL_LOSSLESS_H

#include "kernel/kernel.h"

/* Variants (run-less int terms) for loops that need one; others (TERM_NONE) are guessed from
 * comparisons of integers in the guard (`i < n` suggests n - i). Invariants, if any: run-less
 * formulas (or TERM_NONE) that are shown to hold before every iteration. */
struct loop_variants {
  const struct core **loops;
  const term_id *variants;
  const term_id *invariants; /* may be NULL */
  size_t count;
  const struct demand *demands; /* what else has to hold, or NULL */
  size_t demand_count;
};

/* A formula over the memory of the run, with the invariant before every iteration of a loop, or before
 * a sampling. If it shows that the loop ends, nothing else has to. */
struct demand {
  const struct core *at;
  term_id formula;
  bool ends;
};

/* A formula over the memory of `run` from which c ends with probability 1, and then in post: the
 * weakest precondition when an opponent picks samples and adversaries, but for the samples that end
 * loops. Loops forget what they write. */
term_id lossless_wp(struct kernel *k, const struct core *c, unsigned run, term_id post,
                    const struct loop_variants *variants);
/* Does c end with probability 1 from every memory that satisfies the facts? */
bool lossless_check(struct kernel *k, const struct core *c, unsigned run,
                    const struct loop_variants *variants);

#endif
