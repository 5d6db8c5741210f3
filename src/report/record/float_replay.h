/* A counterexample against a floating-point program on the hardware: the random words with which
 * the first run has the output, and a program in C that shows it. */
#ifndef COUPLET_REPORT_RECORD_FLOAT_REPLAY_H
#define COUPLET_REPORT_RECORD_FLOAT_REPLAY_H

#include <jansson.h>

#include "check/counterexample/program_certify.h"

/* {"bits", "decimal", "words", "program"}: the output as a hexadecimal float and as the shortest
 * decimal number that rounds to it, the words in the order in which
 * the run draws them, each counted from 0, and the C program. NULL: it is not such a program, or
 * the event is not one number. */
json_t *float_replay_json(const struct program_claim *claim,
                          const struct program_counterexample *ce);

#endif
