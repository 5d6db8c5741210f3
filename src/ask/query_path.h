/* Paths and inputs of queries about automata, as given on the command line; the grammar is in
 * check/counterexample/query_text.h. */
#ifndef COUPLET_ASK_QUERY_PATH_H
#define COUPLET_ASK_QUERY_PATH_H

#include "check/counterexample/query_text.h"

/* Appends the steps to the (empty) query. False: *why says what is wrong (xmalloc'd). */
bool query_parse_path(struct automaton_query *query, const char *text, char **why);
/* Sets the inputs of the steps that are there. */
bool query_parse_inputs(struct automaton_query *query, const char *text, char **why);

#endif
