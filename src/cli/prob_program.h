/* couplet prob on mechanisms: the probability of an event, or the whole distribution. */
#ifndef COUPLET_CLI_PROB_PROGRAM_H
#define COUPLET_CLI_PROB_PROGRAM_H

#include "cli/cli.h"
#include "cli/program_args.h"

struct prob_question {
  const char *path;
  const struct program_args *program;
  const char *output;          /* a pattern (check/exact/event.h); NULL: all outputs */
  const option_list *others;   /* inputs of a second run, NAME=VALUE; empty: there is none */
  const char *epsilon, *order; /* with a second run: what is asked; or NULL */
  unsigned digits;
  double timeout;
  bool json;
};

/* The exit status: 0 when every number has the digits asked for, 20 when a limit came first. */
int prob_program(const struct cli *cli, const struct command *self,
                 const struct prob_question *question);

/* Decimal bounds of a ball, rounded outwards, and its certain digits; xmalloc'd. */
char *prob_lower_text(const arb_t value, unsigned digits);
char *prob_upper_text(const arb_t value, unsigned digits);
char *prob_value_text(const arb_t value, unsigned digits);

#endif
