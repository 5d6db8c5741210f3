/* Claims with `samples`: laws of loops that are known by their form (docs/samplers.md).
 *
 *   counting   a coin of probability g/k in round k, until it fails: does it stop at an odd number?
 *   geometric  a coin of one probability e^x, until it fails, and how often it did not
 *   rejecting  rounds that are independent, until one is accepted
 *
 * Everything else about them is for the kernel to find out. */
#ifndef COUPLET_SEARCH_GOALS_SAMPLERS_H
#define COUPLET_SEARCH_GOALS_SAMPLERS_H

#include "search/base/auto.h"

void auto_samplers(struct auto_problem *p, struct auto_search *s);

#endif
