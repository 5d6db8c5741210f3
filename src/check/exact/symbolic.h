/* Samples as numbers of the language: affine forms behind RVALUE_SYMBOLIC.
 *
 * Sums, differences and rational multiples stay affine. Real samples may also be shifted by an
 * irrational number, or divided by real samples: compared with a number, both are affine again. A
 * comparison is answered from the measure of the path that is being followed; when that does not
 * settle it, the question is left in the context, and the engine splits the path and asks again. */
#ifndef COUPLET_CHECK_EXACT_SYMBOLIC_H
#define COUPLET_CHECK_EXACT_SYMBOLIC_H

#include "check/exact/measure.h"
#include "run/eval/rvalue.h"

/* What is asked about the path. */
enum question_kind {
  QUESTION_NONE,
  QUESTION_SIGN,       /* form >= 0? */
  QUESTION_IRRATIONAL, /* is the symbol above an irrational bound? */
  QUESTION_VALUE,      /* which value has the integer sample? */
  QUESTION_TAIL,       /* the real sample without the far ends of its infinite range */
  QUESTION_LOGARITHM,  /* ln(form), where the form is uniform on 0..1 */
  QUESTION_BETWEEN     /* none can be: the samples are too near to an irrational number */
};
struct question {
  enum question_kind kind;
  struct affine *form;
  symbol symbol;
  struct creal *bound;
  bool moves; /* the form has points of observed outputs in its constant */
};

struct symbolic_context {
  const struct measure *measure; /* of the path that is being followed */
  struct question question;      /* QUESTION_NONE: none */
  const char *obstacle;          /* why the last comparison cannot be asked about, or NULL */
};

void question_clear(struct question *q);

/* A number for the form (taken over): an exact one if it is constant. */
struct rvalue symbolic_value(struct symbolic_context *context, struct affine *form);
/* The form of an exact or symbolic number; NULL if it has none (irrational, shifted by an
 * irrational number, or a quotient). A new reference. */
struct affine *symbolic_form(const struct rvalue *v);
/* base + factor * s for a new sample. False: the base is a quotient, or irrational beside an
 * integer sample. */
bool symbolic_add_sample(struct rvalue *out, struct symbolic_context *context,
                         const struct rvalue *base, const fmpq_t factor, symbol s,
                         bool is_discrete);
bool symbolic_mentions(const struct rvalue *v, symbol s);
/* Some sample that the symbolic number mentions. */
symbol symbolic_first(const struct rvalue *v);
/* The symbolic number with s replaced by `by`, which does not mention s. */
void symbolic_substitute(struct rvalue *v, struct symbolic_context *context, symbol s,
                         const struct affine *by);
/* Text that is the same for the same symbolic number. */
void symbolic_key(struct buffer *key, const struct rvalue *v);
/* Keeps the part of the measure where sign * (v - bound) >= 0, for a symbolic number without form and
 * a rational bound. False: *why says what is in the way. */
bool symbolic_require(struct measure *m, const struct rvalue *v, const struct rvalue *bound,
                      slong sign, const char **why);

#endif
