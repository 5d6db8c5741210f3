/* Who answers for the leaves of entailments (entail.c): the kernel contains no solver.
 *
 * A decider supplies evidence, or its word, or both:
 *   refute    a refutation of the sequent. The kernel has the referee check it; nothing that the
 *             decider says is trusted.
 *   believe   an answer without evidence. A context in which a leaf was taken on somebody's word
 *             concludes no claim as proved, only as believed (claim.h).
 * A context whose decider has no `refute` believes from the beginning: search. One whose decider
 * has no `believe` proves or fails. With both, what cannot be refuted is believed.
 *
 * The owner of a decider puts it first in a struct of its own and outlives the context. */
#ifndef COUPLET_KERNEL_DECIDE_H
#define COUPLET_KERNEL_DECIDE_H

#include <stdbool.h>

#include "base/source.h"

struct sequent; /* check/referee/refutation.h */
struct refutation;
struct terms;

enum belief { BELIEF_UNKNOWN, BELIEF_HOLDS, BELIEF_FAILS /* with a model */ };

struct question {
  const char *rule;
  struct span place;
  const struct sequent *sequent;
  bool is_batch; /* several leaves at once: if it takes long, they are asked one by one */
};

struct answer {
  enum belief belief;
  const char *method; /* how it was found, a literal */
  char *reason;       /* why it is unknown, malloc'd; or NULL */
  char *model;        /* values that falsify the goal, one per line, malloc'd; or NULL */
  double seconds;
  bool cross_checked; /* another solver agreed on all that the answer rests on */
};

struct decider {
  /* Fills in `out` (initialised). False with *why (a literal) if there is nothing to show. */
  bool (*refute)(struct decider *d, struct terms *ts, const struct sequent *s,
                 struct refutation *out, const char **why);
  void (*believe)(struct decider *d, struct terms *ts, const struct question *q,
                  struct answer *out);
};

#endif
