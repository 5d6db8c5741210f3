/* Samples as numbers of the language: affine forms behind RVALUE_SYMBOLIC.
 *
 * Sums, differences and rational multiples stay affine. A comparison is answered from the measure
 * of the path that is being followed; when that does not settle it, the question is left in the
 * context, and the engine splits the path and asks again. */
#ifndef COUPLET_CHECK_EXACT_SYMBOLIC_H
#define COUPLET_CHECK_EXACT_SYMBOLIC_H

#include "check/exact/measure.h"
#include "run/eval/rvalue.h"

/* What is asked: form >= 0, or (bound set) is the symbol above an irrational bound? */
struct question {
  struct affine *form;
  symbol symbol;
  struct creal *bound;
  bool moves; /* the form has points of observed outputs in its constant */
};

struct symbolic_context {
  const struct measure *measure; /* of the path that is being followed */
  struct question question;      /* form and bound NULL: none */
  const char *obstacle;          /* why the last comparison cannot be asked about, or NULL */
};

void question_clear(struct question *q);

/* A number for the form (taken over): an exact one if it is constant. */
struct rvalue symbolic_value(struct symbolic_context *context, struct affine *form);
/* The form of an exact or symbolic number; NULL if it is irrational. A new reference. */
struct affine *symbolic_form(const struct rvalue *v);
bool symbolic_mentions(const struct rvalue *v, symbol s);

#endif
