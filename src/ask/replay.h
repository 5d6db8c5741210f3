/* --replay N: the Python function runs N times, and what is observed stands beside what is certified. */
#ifndef COUPLET_ASK_REPLAY_H
#define COUPLET_ASK_REPLAY_H

#include "base/buffer.h"
#include "lang/translate/replay.h"
#include "report/record/record.h"

#define REPLAY_OPTION(STRUCT)                                                                      \
  OPTION(STRUCT, INTEGER, replay, "replay", "N",                                                   \
         "run the Python function N times and show the frequencies (this executes the file)")

/* What is wrong with the number (xmalloc'd), or NULL; 0: nothing is asked for. */
char *replay_misuse(long runs, const char *path);

/* Runs the functions of all refuted claims on both inputs of their counterexamples: a table as text,
 * and `replay` in the counterexample of the record. */
void replay_counterexamples(struct run_record *run, const struct translate_options *how, long runs,
                            struct buffer *out);

/* "0.0924 (of 10000 runs)", and what was raised. */
void replay_put(struct buffer *out, json_int_t count, const json_t *answer);

#endif
