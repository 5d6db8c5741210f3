/* Queries about automata as text. Outputs are also in certificates; paths and inputs are read by
 * ask/query_path.h.
 *
 *   path    = edge { "," edge }
 *   edge    = ( NUMBER | state "->" state [ "#" k ] ) [ ":" seen ]
 *   output  = item { "," item }
 *   item    = symbol | seen
 *   seen    = "*" | [ number ] ".." [ number ] | "@" number
 *   inputs  = entry { "," entry }
 *   entry   = number | "-"
 *
 * Edges are numbered from 0 in the order of their states; `#k` picks the k-th (from 1) of several
 * edges between two states. What is seen of an emitted real number: anything, a window, or its
 * exact value (then the answer is a density). Inputs: one per step (`-` where nothing is read), or
 * only those of the steps that read one. Numbers are exact: 3, -1/2, 0.25. */
#ifndef COUPLET_CHECK_COUNTEREXAMPLE_QUERY_TEXT_H
#define COUPLET_CHECK_COUNTEREXAMPLE_QUERY_TEXT_H

#include "check/counterexample/probability.h"

/* Appends the steps to the (empty) query. False: *why says what is wrong (xmalloc'd). */
bool query_parse_output(struct automaton_query *query, const char *text, char **why);

/* `obot`, `-1/2..1`, `*`, `@3`: what query_parse_output reads. */
void query_print_output(struct buffer *out, const struct automaton *a,
                        const struct automaton_step *step);

/* ---- words of such texts --------------------------------------------------------------------- */

/* A piece of the text between two separators, without the blanks around it. */
struct query_word {
  const char *at;
  size_t length;
};

struct query_word query_trimmed(const char *begin, const char *end);
/* The next item of a list; false at its end. */
bool query_next(const char **rest, struct query_word *item);
bool query_word_is(struct query_word w, const char *text);
const char *query_word_find(struct query_word w, const char *text);
bool query_parse_number(fmpq_t out, struct query_word w, char **why);
/* seen = "*" | [ number ] ".." [ number ] | "@" number; *is_seen: the word has this form */
bool query_parse_seen(struct automaton_event *event, struct query_word w, bool *is_seen,
                      char **why);

#endif
