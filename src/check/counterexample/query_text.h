/* Queries about automata as text, as given on the command line.
 *
 *   path    = edge { "," edge }         edge   = ( NUMBER | state "->" state [ "#" k ] ) [ ":" seen
 * ] output  = item { "," item }         item   = symbol | seen seen    = "*" | [ number ] ".." [
 * number ] | "@" number inputs  = entry { "," entry }       entry  = number | "-"
 *
 * Edges are numbered from 0 in the order of their states; `#k` picks the k-th (from 1) of several
 * edges between two states. What is seen of an emitted real number: anything, a window, or its
 * exact value (then the answer is a density). Inputs: one per step (`-` where nothing is read), or
 * only those of the steps that read one. Numbers are exact: 3, -1/2, 0.25. */
#ifndef COUPLET_CHECK_COUNTEREXAMPLE_QUERY_TEXT_H
#define COUPLET_CHECK_COUNTEREXAMPLE_QUERY_TEXT_H

#include "check/counterexample/probability.h"

/* Append the steps to the (empty) query. False: *why says what is wrong (xmalloc'd). */
bool query_parse_path(struct automaton_query *query, const char *text, char **why);
bool query_parse_output(struct automaton_query *query, const char *text, char **why);
/* Sets the inputs of the steps that are there. */
bool query_parse_inputs(struct automaton_query *query, const char *text, char **why);

/* `obot`, `-1/2..1`, `*`, `@3`: what query_parse_output reads. */
void query_print_output(struct buffer *out, const struct automaton *a,
                        const struct automaton_step *step);

#endif
