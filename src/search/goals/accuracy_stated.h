/* Distances that the claim itself names: which of them belongs to which sampling, on which side. */
#ifndef COUPLET_SEARCH_GOALS_ACCURACY_STATED_H
#define COUPLET_SEARCH_GOALS_ACCURACY_STATED_H

#include "search/goals/accuracy_internal.h"

/* Tries the ways to give every sampling a summand of a number in the claim, or none: those that use up
 * what the claim allows, or those that come closest to it. */
void accuracy_try_stated(struct accuracy *a, bool uses_all);

#endif
