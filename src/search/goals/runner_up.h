/* The strategy for the two largest of many noisy values (PODIUM): the winner and its lead over the
 * runner-up, or both. It looks for a loop with one sampling, guesses which of its variables hold the
 * two values, and has the kernel check that they do. */
#ifndef COUPLET_SEARCH_GOALS_RUNNER_UP_H
#define COUPLET_SEARCH_GOALS_RUNNER_UP_H

#include "search/base/auto.h"

auto_strategy auto_runner_up;

#endif
