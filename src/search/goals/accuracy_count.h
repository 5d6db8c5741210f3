/* Counters of a program: what they are worth at the head of a loop. */
#ifndef COUPLET_SEARCH_GOALS_ACCURACY_COUNT_H
#define COUPLET_SEARCH_GOALS_ACCURACY_COUNT_H

#include "kernel/core.h"
#include "term/term.h"

/* By how much every way through the code changes the integer variable; false: not by one number. */
bool count_steps(struct terms *ts, const struct core *code, term_id x, long *steps);

/* The value of x when the loop is entered, as below. */
term_id count_before(struct terms *ts, const struct core *program, const struct core *loop,
                     term_id x);
/* The value of x whenever the loop begins an iteration, over the indices of this loop and of those
 * around it, if none of them ends early; TERM_NONE: not known. */
term_id count_at(struct terms *ts, const struct core *program, const struct core *loop, term_id x);

#endif
