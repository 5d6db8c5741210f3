/* Claims about mechanisms: from the source to a goal of the logic, and from judgements to "proved".
 *
 * (eps, delta)-privacy of a mechanism M under an adjacency Adj: for all parameters and inputs that
 * satisfy the assumptions and Adj, and all sets S of outputs,
 *     Pr[M(d1) in S] <= e^eps Pr[M(d2) in S] + delta   and the same with d1, d2 exchanged,
 * and M ends with probability 1. The goal of one direction is
 *     { budget = eps }  M  ~delta  M  { outputs equal }
 * in a context whose facts are the assumptions and the adjacency; in the backward context the
 * adjacency is that of the runs exchanged. One direction is enough when the adjacency is symmetric,
 * which is proved, not assumed.
 *
 * Accuracy of M: for all parameters and inputs of one run that satisfy the assumptions, M ends with
 * probability 1, and the probability that the formula of the claim does not hold of the inputs and
 * the result is at most that of failure. The goal is { true } M { formula } : failure about run 1 in
 * the forward context (kernel/ahl.h); what `under` says is an assumption, and there is no adjacency.
 * The probability of failure is the claim's epsilon, here and in the syntax tree.
 *
 * The law of M (`samples`): for all parameters and inputs of one run that satisfy the assumptions, M
 * ends with probability 1, the distribution makes sense, and every value v is the result with the
 * probability that it has there. v is a logical variable of which nothing is known: that the
 * distribution makes sense must not follow from its having a value. The goal is a question to
 * kernel/law.h. */
#ifndef COUPLET_CLAIM_CLAIM_H
#define COUPLET_CLAIM_CLAIM_H

#include "claim/lower.h"
#include "kernel/judgement.h"
#include "kernel/lossless.h"

/* The contexts of a claim: one for each direction and, if the notion is not the pure one, two more
 * with the same facts in the pure notion, for parts that are proved there (PURE-PART). */
enum claim_direction {
  CLAIM_FORWARD,
  CLAIM_BACKWARD,
  CLAIM_PURE_FORWARD,
  CLAIM_PURE_BACKWARD,
  CLAIM_CONTEXTS
};
static inline enum claim_direction claim_opposite(enum claim_direction direction) {
  return (enum claim_direction)(direction ^ 1);
}

struct claim;
struct decider;

/* Lowers the mechanism and states the goals. NULL when the claim cannot be stated in the logic: *why
 * says so (in the arena of lang), unless `why` is NULL. */
struct claim *claim_open(struct lang *lang, const struct ast_module *module,
                         const struct ast_decl *decl, struct terms *terms, struct decider *decider,
                         struct kernel_failure *why);
/* The way that a proof takes if it is not in the notion of the claim: private in that notion at that
 * cost, from which the claim follows (convert.h). */
struct claim_route {
  enum notion notion;
  const struct ast_expr *order, *cost; /* in the words of proofs; order: renyi only */
  struct span span;
};
/* The same with another epsilon than the stated one (for `epsilon ?`): what is then proved is
 * privacy at that cost; and by a route, or NULL: in the claim's own notion. */
struct claim *claim_open_by(struct lang *lang, const struct ast_module *module,
                            const struct ast_decl *decl, const struct ast_expr *epsilon,
                            const struct claim_route *route, struct terms *terms,
                            struct decider *decider, struct kernel_failure *why);
void claim_close(struct claim *claim);

/* NULL: a pure context that is not needed. */
struct kernel *claim_kernel(struct claim *claim, enum claim_direction direction);
const struct ast_decl *claim_decl(const struct claim *claim); /* in the source */
const struct lowered *claim_program(const struct claim *claim);
struct translate_env *claim_env(struct claim *claim); /* names of the mechanism, for proof text */
term_id claim_pre(const struct claim *claim);
term_id claim_post(const struct claim *claim);
term_id claim_epsilon(const struct claim *claim);
/* The number that the claim asks for, as it was opened: epsilon, or that of an accuracy formula. */
term_id claim_asked(const struct claim *claim);
term_id claim_budget(const struct claim *claim); /* what a proof may spend, in its notion */
term_id claim_delta(const struct claim *claim);
/* Is one direction enough? Decided once. */
bool claim_is_symmetric(struct claim *claim);

/* BELIEVED: the rules lead there, but some entailment was taken on the decider's word (decide.h).
 */
enum claim_verdict { CLAIM_NOT_PROVED, CLAIM_PROVED, CLAIM_BELIEVED, CLAIM_ADMITTED };
/*  CLAIM     J: {budget = eps} M ~d M {outputs equal} in the forward context, and in the backward
 *            context unless the adjacency is symmetric; d <= delta;  0 <= eps;  M lossless in both
 *            runs. Believed only: not if the assumptions are believed to be contradictory.
 *            In another notion d is 0, orders are above 1, and the budget is that of the cost; by a
 *            route also: its cost is not negative, and implies the claim's (convert.h). */
enum claim_verdict claim_conclude(struct claim *claim, const struct judgement *forward,
                                  const struct judgement *backward,
                                  const struct loop_variants *variants);

/* Does it state the distribution of the result? Then neither judgements nor bounds settle it, but */
bool claim_is_law(const struct claim *claim);
/*  SAMPLES  in the forward context (kernel/law.h). */
struct laws;
enum claim_verdict claim_conclude_law(struct claim *claim, const struct laws *laws);
struct distribution;
const struct distribution *claim_law(const struct claim *claim); /* that it states, in run 1 */
/* The value whose probability it is about: a logical variable; TERM_NONE for other claims. */
term_id claim_outcome(const struct claim *claim);

/* Is it a claim of accuracy? Then judgements of the relational logic do not settle it, but */
bool claim_is_accuracy(const struct claim *claim);
/*  ACCURACY  {true} M {formula} : failure  of run 1 in the forward context; M lossless. Believed
 *            only: not if the assumptions are believed to be contradictory. */
enum claim_verdict claim_conclude_accuracy(struct claim *claim, const struct ahl *bound,
                                           const struct loop_variants *variants);

#endif
