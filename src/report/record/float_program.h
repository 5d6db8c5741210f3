/* A counterexample against a floating-point program as a program in C that replays it: about 20
 * lines with the operations of the mechanism, which print the bits of both runs. */
#ifndef COUPLET_REPORT_RECORD_FLOAT_PROGRAM_H
#define COUPLET_REPORT_RECORD_FLOAT_PROGRAM_H

#include "base/buffer.h"
#include "check/exact/monotone.h"

enum { FLOAT_REPLAY_ROWS = 5 };

/* Both runs, the words of the first one, and what is shown of the second. */
struct float_replay {
  const struct pipeline *p[2];
  wide words[LIMIT_PIPELINE_WORDS];
  struct monotone_bounds outputs[LIMIT_PIPELINE_OUTPUTS];
  wide rows[FLOAT_REPLAY_ROWS][LIMIT_PIPELINE_WORDS];
  size_t row_count;
  bool second_can; /* one of the rows has the output too */
};

/* A constant of C: integers must be between INT64_MIN and UINT64_MAX. */
void float_program_constant(struct buffer *out, const struct node *n);

/* The program, xmalloc'd. */
char *float_program(const struct float_replay *r);

#endif
