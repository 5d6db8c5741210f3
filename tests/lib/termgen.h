/* Random terms with their values, computed beside the builders by plain arithmetic: what the
 * normaliser, the evaluator, the solver and substitution are tested against. */
#ifndef COUPLET_TERMGEN_H
#define COUPLET_TERMGEN_H

#include <flint/fmpq.h>

#include "term/build.h"
#include "term/eval.h"
#include "testlib.h"

enum { TERMGEN_VARS = 4, TERMGEN_LIST = 3 };

struct termgen {
  struct terms *ts;
  struct rng rng;
  term_id ints[TERMGEN_VARS], reals[TERMGEN_VARS], bools[TERMGEN_VARS], lists[2], array;
  /* the assignment */
  fmpq int_values[TERMGEN_VARS], real_values[TERMGEN_VARS];
  bool bool_values[TERMGEN_VARS];
  int list_values[2][TERMGEN_LIST];
  size_t list_lengths[2];
  int array_values[8]; /* index 0..7; elsewhere 0 */
  bool linear;         /* keep products and quotients linear */
};

/* A term with its value; `poison` if the value hangs on something unspecified (x/0, head of nil).
 */
struct sample {
  term_id term;
  bool poison;
  bool truth;
  fmpq number;
  int items[64];
  size_t count;
};

void termgen_init(struct termgen *g, struct terms *ts, uint64_t seed);
void termgen_clear(struct termgen *g);
/* New random values for the variables. */
void termgen_assign(struct termgen *g);
/* The assignment, for the evaluator. */
void termgen_bind(struct termgen *g, struct evaluator *ev);

void sample_init(struct sample *s);
void sample_clear(struct sample *s);
/* sort is SORT_BOOL, SORT_INT or SORT_REAL. */
void termgen_sample(struct termgen *g, struct sample *out, sort_id sort, int depth);
/* Only the term. */
term_id termgen_term(struct termgen *g, sort_id sort, int depth);

#endif
