/* The search for counterexamples of programs (check/counterexample/program_certify.h). It is not
 * trusted: program_certify alone decides. */
#ifndef COUPLET_SEARCH_REFUTE_PROGRAM_REFUTE_H
#define COUPLET_SEARCH_REFUTE_PROGRAM_REFUTE_H

#include "check/counterexample/program_certify.h"

enum program_status {
  PROGRAM_REFUTED,
  PROGRAM_NOT_FOUND, /* the search ended without a violation: nothing follows */
  PROGRAM_TIMEOUT,
  PROGRAM_CANNOT /* no instance, or the mechanism is beyond the exact engine: see why */
};

/* The greatest certified loss for one length of the inputs. */
struct program_trend_point {
  slong length;
  double loss; /* rounded down */
};

struct program_result {
  enum program_status status;
  char *why;         /* for CANNOT; or why what is suspicious was not certified */
  struct span where; /* what CANNOT is about, or none */
  /* REFUTED: certified, and as simple as the search could make it. Else the best candidate. */
  struct program_counterexample best;
  struct program_counterexample worst; /* certified too; loses more than `best` */
  bool has_worst;
  bool is_suspicious; /* not refuted, but `best` seems to break the claim and was not certified */
  bool has_lower;     /* `lower` is a certified loss */
  double lower;       /* in units of the claim, rounded down */
  const struct ast_decl *length;         /* the parameter that says how long inputs are, or NULL */
  VEC(struct program_trend_point) trend; /* by length; for claims that are not refuted */
  size_t tried;                          /* input pairs evaluated */
};

void program_result_init(struct program_result *r);
void program_result_clear(struct program_result *r);
void program_refute(struct program_result *result, const struct program_claim *claim,
                    const struct budget *budget);

/* A look at the search while it goes on: called once, with the bounds found so far, when at least
 * `pairs` input pairs were tried and those of a setting are complete, so that the answer does not
 * depend on time. False ends the search. Not called when the search ends before. */
struct program_watch {
  size_t pairs;
  bool (*call)(void *context, const struct program_result *so_far);
  void *context;
};
void program_refute_watched(struct program_result *result, const struct program_claim *claim,
                            const struct budget *budget, const struct program_watch *watch);

#endif
