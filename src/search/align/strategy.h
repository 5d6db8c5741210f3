/* The synchronous strategy; align.h says how it works. */
#ifndef COUPLET_SEARCH_ALIGN_STRATEGY_H
#define COUPLET_SEARCH_ALIGN_STRATEGY_H

#include "search/auto.h"

struct part_list;

auto_strategy auto_align;
/* The same for costs that grow with the data, if nothing else gave a cost. */
auto_strategy auto_align_any;
/* The same around parts of the program that are proved by themselves (parts.h). */
void auto_align_around(struct auto_problem *p, struct auto_search *search,
                       const struct part_list *parts);

#endif
