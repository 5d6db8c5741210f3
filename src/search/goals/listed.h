/* The strategy of listed outcomes: code with finitely many outcomes (kernel/outcomes.h), compared
 * by their probabilities (FINITE). The whole program, or the body of its only loop: then each
 * iteration pays where its data differ, as the adjacency says it may. */
#ifndef COUPLET_SEARCH_GOALS_LISTED_H
#define COUPLET_SEARCH_GOALS_LISTED_H

#include "search/base/auto.h"

/* The first one is for programs with weights, exponentials of data: to be tried early, as noise that
 * moves does not make up for these; the other one for those without. */
auto_strategy auto_weighed, auto_listed;

/* A part of a program: what stands in proof text, and its price. */
struct listed_part {
  const struct core *code;
  term_id key; /* the one variable that is equal afterwards */
  term_id cost;
  const char *step; /* `outcomes ...;` */
};
/* Is there one that ends with list[last], a statement of the program? It begins with list[*from]. */
bool listed_part(struct auto_problem *p, const struct core *const *list, size_t last, size_t *from,
                 struct listed_part *out);

#endif
