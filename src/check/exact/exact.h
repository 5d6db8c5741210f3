/* Exact output probabilities of a mechanism for concrete parameters and inputs.
 *
 * Symbolic execution over all paths at once: samples stay symbolic (symbolic.h), a comparison of
 * samples splits a path, samples that are not needed any more are integrated out, paths that agree
 * are added up (path.h, measure.h). Results are balls that contain the true value.
 *
 * Understood: everything of the language except products of real samples, exp and sqrt of them, most
 * logarithms, and sums of several samples if one of them is Gaussian or Gumbel; then the status says
 * what was in the way. Loops end when all their paths do, when what is left in them
 * is negligible, or at a limit. */
#ifndef COUPLET_CHECK_EXACT_EXACT_H
#define COUPLET_CHECK_EXACT_EXACT_H

#include "base/budget.h"
#include "check/exact/event.h"
#include "check/exact/sampler.h"
#include "num/arb_compat.h"
#include "run/eval/interp_setup.h"

enum {
  EXACT_PRECISION = 192,
  LIMIT_EXACT_PATHS = 100000,
  LIMIT_EXACT_TABLE = 200000,                   /* entries of a table for integer noise */
  LIMIT_EXACT_OUTCOMES = 4096,                  /* outputs that are listed one by one */
  LIMIT_EXACT_LISTED = 4 * LIMIT_EXACT_OUTCOMES /* paths to them */
};

struct exact_options {
  slong precision;             /* bits; 0: EXACT_PRECISION */
  const struct budget *budget; /* NULL: no limit */
  struct sampler **sampler;    /* made when needed and kept for the next run of this precision;
                                  NULL: not kept */
  bool bound_will_do;          /* where the probability is not known, a lower bound of it is */
};

enum exact_status {
  EXACT_OK,
  EXACT_UNLISTED,    /* the outputs are real numbers, or too many: only an event has an answer */
  EXACT_UNSUPPORTED, /* a limit of the method, or an error in the run (see why) */
  EXACT_TIMEOUT
};

struct exact_result {
  enum exact_status status;
  char *why; /* when not EXACT_OK; xmalloc'd */
  struct span where;
  arb_t probability; /* of the event; a density if points > 0 */
  unsigned points;   /* outputs that were fixed to a point of a density */
  bool is_bound;     /* `probability` is only known to be at least that */
  char *counted;     /* of a floating-point program: "3 of 9007199254740992"; or NULL */
};

void exact_result_init(struct exact_result *r);
void exact_result_clear(struct exact_result *r);

/* `in` is prepared (interp_prepare); the event fits the mechanism's output. */
void exact_probability(struct interp *in, const struct pattern *event,
                       const struct exact_options *options, struct exact_result *result);

/* Every output with its probability, for mechanisms whose outputs are discrete. */
struct exact_outcome {
  struct rvalue output;
  arb_t probability;
};
struct exact_distribution {
  enum exact_status status;
  char *why;
  struct span where;
  VEC(struct exact_outcome) outcomes; /* in a fixed order */
  arb_t lost;                         /* upper bound on the mass of outputs that are not listed */
  bool may_not_end;                   /* a loop was left before all runs had ended */
};
void exact_distribution_init(struct exact_distribution *d);
void exact_distribution_clear(struct exact_distribution *d);
void exact_distribution(struct interp *in, const struct exact_options *options,
                        struct exact_distribution *result);

#endif
