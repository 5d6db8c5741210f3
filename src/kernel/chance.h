/* Chances that end a loop: outcomes of one of its samplings.
 *
 * The sampling is one that every iteration comes to (outside of branches and inner loops), with
 * parameters that the loop does not change. A chance is a set of its outcomes, also not changed by
 * the loop: one value, or for noise on the reals an interval. So its probability is the same in
 * every iteration, whatever else happens in it; and if it is possible, it is positive.
 *
 * Which chances there are is a guess from what the loop compares with. The rule that uses them
 * (lossless.c) asks for one that is possible and ends the loop: a guess may be useless, not
 * wrong. */
#ifndef COUPLET_KERNEL_CHANCE_H
#define COUPLET_KERNEL_CHANCE_H

#include "kernel/kernel.h"

struct chance {
  const struct core *at; /* the sampling */
  const struct core
      *instead;     /* what leaves just these outcomes: an assignment, a Uniform sampling */
  term_id possible; /* run-less: if it holds, the outcomes have positive probability */
};
typedef VEC(struct chance) chance_list;

/* Appended. */
void chance_find(struct kernel *k, const struct core *loop, chance_list *out);
/* The body with this outcome. */
const struct core *chance_body(struct kernel *k, const struct core *body,
                               const struct chance *chance);
/* The variables that the code samples, or assigns a term over such a variable. Appended. */
void chance_random_vars(struct terms *ts, const struct core *c, term_list *out);

#endif
