/* Costs to try where a claim asks for the least one (`epsilon ?`) and no strategy could tell it:
 * those that prove up to a probability need a cost to aim at. */
#ifndef COUPLET_SEARCH_BASE_GUESS_H
#define COUPLET_SEARCH_BASE_GUESS_H

#include "search/base/auto.h"

enum { GUESS_MOST = 4 };

struct guesses {
  const char *at[GUESS_MOST]; /* as source text, the smallest first */
  size_t count;
};

/* What it costs to move the noise of the program by 1: each sample by itself, then all together. */
struct guesses guess_costs(struct auto_problem *p, const struct core *program);

#endif
