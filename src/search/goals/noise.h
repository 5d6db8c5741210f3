/* Noise that a program makes by hand (EQUIV-NOISE): a sign times an exponential number, the
 * difference of two geometric ones, the inverse of a distribution function at a uniform number. It
 * is seen as one sampling, and an assignment of it, if nobody reads the samples otherwise; in proof
 * text it is `noise y from u: Lap(e, b)`. So is noise that is added to a sum of sampled records. */
#ifndef COUPLET_SEARCH_GOALS_NOISE_H
#define COUPLET_SEARCH_GOALS_NOISE_H

#include "search/base/auto.h"
#include "search/base/view.h"

/* What stands for list[first..*last] of the program; NULL: that is no noise. It is noted in the
 * view. */
const struct core *noise_stub(struct auto_problem *p, const struct core *program,
                              const struct core *const *list, size_t count, size_t first,
                              size_t *last, struct view *view);

/* Are coins tossed in the code? Records that are sampled are. */
bool tosses_coins(const struct core *c);

#endif
