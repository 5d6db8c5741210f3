/* Two inputs: how far apart the output distributions are. */
#ifndef COUPLET_ASK_PAIR_H
#define COUPLET_ASK_PAIR_H

#include "ask/prob.h"
#include "base/buffer.h"
#include "check/exact/exact.h"

struct prob_pair {
  const struct prob_question *question;
  struct interp *runs[2];
  const struct budget *budget;
  arb_t epsilon, order; /* those that the question has */
};

/* The answer goes to `out`, or to the object `json` if that is not NULL. Returns the exit status; a
 * problem is left in *status, *why (xmalloc'd) and *where. */
int prob_pair(const struct prob_pair *pair, struct buffer *out, json_t *json,
              enum exact_status *status, char **why, struct span *where);

#endif
