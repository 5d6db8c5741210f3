/* The synchronous strategy; sync.h says how it works. */
#ifndef COUPLET_AUTO_SYNC_STRATEGY_H
#define COUPLET_AUTO_SYNC_STRATEGY_H

#include "auto/auto.h"

struct part_list;

auto_strategy auto_synchronous;
/* The same for costs that grow with the data, if nothing else gave a cost. */
auto_strategy auto_synchronous_any;
/* The same around parts of the program that are proved by themselves (parts.h). */
void auto_synchronous_around(struct auto_problem *p, struct auto_search *search,
                             const struct part_list *parts);

#endif
