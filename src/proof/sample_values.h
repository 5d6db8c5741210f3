/* Concrete values of parameters, for pictures: how large is eps/(2*N) beside eps?
 *
 * Parameters get the values of the file's first instance, else small numbers under which the
 * assumptions hold; other logical variables that a term mentions get 0. Only an illustration. */
#ifndef COUPLET_PROOF_SAMPLE_VALUES_H
#define COUPLET_PROOF_SAMPLE_VALUES_H

#include "proof/derive.h"
#include "term/eval.h"

struct sample_values {
  struct evaluator eval;
  term_list set;     /* variables that have a value */
  VEC(fmpq) values;  /* of them */
  VEC(bool) is_used; /* asked for by some term */
  const struct terms *ts;
};

void sample_values_init(struct sample_values *v, struct prover *p);
void sample_values_clear(struct sample_values *v);
/* False when the term speaks of the state of a run or has no value. */
bool sample_value(struct sample_values *v, term_id t, double *out);
/* "eps = 1, N = 2": the values that were used so far. */
const char *sample_values_text(const struct sample_values *v, struct arena *arena);

#endif
