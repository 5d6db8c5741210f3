/* A solver's model, mapped back to our variables and operators. It is only a candidate: whoever
 * calls it a counterexample evaluates the formula under it first (term/eval.h). */
#ifndef COUPLET_SMT_MODEL_H
#define COUPLET_SMT_MODEL_H

#include "smt/encode.h"
#include "smt/z3_lazy.h"
#include "term/eval.h"

struct model_entry {
  const struct tvalue **args;
  const struct tvalue *result;
};

struct model_function {
  symbol_id symbol;
  VEC(struct model_entry) entries;
  const struct tvalue *otherwise; /* or NULL */
};

struct model {
  struct evaluator ev; /* holds the values; evaluates terms under the model */
  term_list vars;
  VEC(struct model_function) functions;
};

void model_init(struct model *m, struct terms *ts);
void model_clear(struct model *m);
/* Forgets the values. */
void model_reset(struct model *m);
void model_read(struct model *m, Z3_context ctx, Z3_model z3, const struct encoding *names);
/* One line per variable, `x<1> = 3`, by increasing handle. */
void model_print(struct buffer *out, struct model *m);

#endif
