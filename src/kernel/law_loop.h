/* Loops whose result has a law that is known as a whole: their shape, and terms about it. */
#ifndef COUPLET_KERNEL_LAW_LOOP_H
#define COUPLET_KERNEL_LAW_LOOP_H

#include "kernel/internal.h"

/* while i < high { z <$ D(..); if c {x := ..; y := ..}; i := i + 1 }, with assignments anywhere;
 * the sampling and the conditional may be behind conditions themselves. Terms are over the memory
 * before the iteration and z; of what the loop writes they mention at most what is said. */
struct law_loop {
  term_id index, high; /* high: nothing of what the loop writes */
  term_id start;       /* the index before the loop: over the memory before the command */
  const struct core *sample;
  const term_id *args;    /* of the sampling: the index */
  bool always;            /* is z sampled in each iteration, or behind a condition? */
  term_id condition;      /* the index, z, and what the conditional writes */
  term_list vars, values; /* that the conditional writes, and their values there */
  term_list written;      /* by the loop */
};

/* Values of variables after assignments. */
struct values {
  term_list from, to;
};

void values_clear(struct values *v);
term_id values_in(struct terms *ts, const struct values *v, term_id t);
void values_assign(struct terms *ts, struct values *v, term_id var, term_id expr);

/* False: the loop has another shape. law_clear in any case. */
bool law_read(struct kernel *k, const struct core *c, struct law_loop *l);
void law_clear(struct law_loop *l);

bool law_has(const term_list *list, term_id var);
/* Of what the loop writes the term mentions at most the given variables. */
bool law_mentions_only(struct kernel *k, const struct law_loop *l, term_id t,
                       const term_id *allowed, size_t count);

/* The term in that run with other values for at most 4 variables (of the same sorts). */
term_id law_in_run(struct kernel *k, term_id t, unsigned run, const term_id *vars,
                   const term_id *values, size_t count);
term_id law_equal_in_runs(struct kernel *k, term_id t);
/* The loop runs over the same indices in both runs; j is one of those of the run. */
term_id law_same_range(struct kernel *k, const struct law_loop *l);
term_id law_in_range(struct kernel *k, const struct law_loop *l, unsigned run, term_id j);
bool law_is_over_memories(struct kernel *k, term_id t);

#endif
