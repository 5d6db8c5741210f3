/* `if c1 ... elseif c2 ...`: the first condition that holds wins. The model has no priorities, so a
 * guard that overlaps an earlier one of its state is replaced by what is left of it: disjoint
 * conjunctions, one edge each. */
#ifndef COUPLET_CHECK_AUTOMATON_FIRST_MATCH_H
#define COUPLET_CHECK_AUTOMATON_FIRST_MATCH_H

#include "base/diag.h"
#include "check/automaton/model.h"

enum { FIRST_MATCH_LIMIT = 256 }; /* conjunctions one guard may become */

/* The edges from `first` on were added last, and belong to one state; shared noise. Warns about
 * guards that never win. False: an error was reported (too many cases). */
bool automaton_first_match(struct automaton *a, size_t first, struct diags *diags);

#endif
