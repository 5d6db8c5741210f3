/* Exact probabilities of a mechanism for given values: of an event, or of all outputs; or how far
 * apart two inputs are (pair.h). What
 * `couplet prob` and the sliders of the playground ask. */
#ifndef COUPLET_ASK_PROB_H
#define COUPLET_ASK_PROB_H

#include "num/arb_compat.h"

#include <jansson.h>

#include "ask/program_args.h"
#include "base/buffer.h"
#include "lang/syntax/lang.h"

struct prob_question {
  const char *path;
  const struct program_args *program;
  const char *output;          /* a pattern (check/exact/event.h); NULL: all outputs */
  const option_list *others;   /* inputs of a second run, NAME=VALUE; NULL or empty: none */
  const char *epsilon, *order; /* with a second run: what is asked; or NULL */
  unsigned digits;
  long replay; /* runs of the Python function; 0: none */
  double timeout;
  bool json; /* the answer is JSON (docs/json.md), not text */
  /* Where the outputs are not discrete, answer with a curve if there is one (curve.h; with json):
   * between these, or where the outputs are if they are equal. */
  bool curve;
  double low, high;
};

struct prob_answer {
  int status;         /* 0: every number has the digits asked for; 20: a limit came first;
                       * COUPLET_EXIT_USAGE: why; COUPLET_EXIT_INPUT: diagnostics */
  struct buffer text; /* empty: there is no answer, for the reason above */
  char *why;
  struct lang lang; /* has the diagnostics */
};

void prob_answer_init(struct prob_answer *answer);
void prob_answer_clear(struct prob_answer *answer);
/* Once per answer. Text that stands for files is what answer->lang.sources says. */
void prob_ask(struct prob_answer *answer, const struct prob_question *question);

/* `value`, with the digits asked for, `lower` and `upper` (report/record/decimal.h). */
void prob_set_value(json_t *json, const arb_t value, unsigned digits);
/* Decimal bounds of a ball, rounded outwards, and its certain digits; xmalloc'd. */
char *prob_lower_text(const arb_t value, unsigned digits);
char *prob_upper_text(const arb_t value, unsigned digits);
char *prob_value_text(const arb_t value, unsigned digits);

#endif
