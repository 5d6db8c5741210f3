/* An event about the outputs of a pipeline: what each of them should be. */
#ifndef COUPLET_CHECK_EXACT_FLOAT_EVENT_H
#define COUPLET_CHECK_EXACT_FLOAT_EVENT_H

#include "check/exact/event.h"
#include "check/exact/pipeline.h"

/* What an output should be: low <= output <= high, each if it is there; a truth value; anything. */
struct float_target {
  enum node_sort sort;
  bool any, has_low, has_high, truth;
  fmpq_t low, high;
};

struct float_targets {
  struct float_target at[LIMIT_PIPELINE_OUTPUTS]; /* one for each result */
  size_t count;
  bool impossible; /* the program has another number of outputs */
};

/* False: the event has another shape than the outputs. Clear it in any case. */
bool float_targets_init(struct float_targets *out, const struct pipeline *p,
                        const struct pattern *event);
void float_targets_clear(struct float_targets *t);

/* -1, 0, 1: how a result stands to a number. */
int float_compare(enum node_sort sort, union node_value x, const fmpq_t y);

#endif
