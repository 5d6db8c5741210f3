/* A program seen as a threshold automaton (automata/convert/from_program.h), for the record: what the
 * engine for automata says of it. Beside the verdict, never instead of it. */
#ifndef COUPLET_REPORT_JUDGE_AS_AUTOMATON_H
#define COUPLET_REPORT_JUDGE_AS_AUTOMATON_H

#include <jansson.h>

#include "search/refute/program_refute.h"

/* {"states": 4, "in_class": true, "cost": "3/2" or null, "private": true/false/null}: the cost in
 * multiples of eps. NULL: it is not one, or its adjacency is not all_within(q, 1). */
json_t *as_automaton_json(const struct program_claim *claim);

#endif
