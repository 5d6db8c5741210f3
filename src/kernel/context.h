/* What opens and closes a derivation: contexts with the facts of a claim, and what follows from them. For
 * src/claim; the rules need internal.h. */
#ifndef COUPLET_KERNEL_CONTEXT_H
#define COUPLET_KERNEL_CONTEXT_H

#include "kernel/judgement.h"
#include "kernel/kernel.h"

/* No further facts from here on. */
void kernel_seal(struct kernel *k);
bool kernel_is_sealed(const struct kernel *k);
/* A context with the same variables and notion and with the runs of the facts exchanged, sealed; each knows
 * the other. */
struct kernel *kernel_exchange(struct kernel *k);
/* For a context that was exchanged: with the same facts, and with those of the exchanged one, in the
 * notion epsilon, sealed. Premises of PURE-PART live there. */
void kernel_open_pure(struct kernel *k, struct kernel **pure, struct kernel **back);
/* Was, or may, something be taken on the decider's word? */
bool kernel_believes(const struct kernel *k);
/* The context that a judgement was made in. */
const struct kernel *judgement_kernel(const struct judgement *j);

/* Fails: fills in the failure and evaluates to NULL / false. */
void *kernel_fail(struct kernel *k, const char *rule, struct span span, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/* Do facts, budget >= 0 and the hypothesis entail the goal? Splits the goal into its parts, has
 * each decided; the failure names the first part that has no proof. */
bool kernel_prove(struct kernel *k, const char *rule, struct span span, term_id hypothesis,
                  term_id goal, const char *what);
/* The same from the facts alone. */
bool kernel_prove_fact(struct kernel *k, const char *rule, struct span span, term_id goal,
                       const char *what);
/* The same as a question: no failure is left. */
bool kernel_entails(struct kernel *k, const char *rule, struct span span, term_id hypothesis,
                    term_id goal, const char *what);
/* Does the decider believe the facts to be contradictory? A question of taste, not of soundness:
 * false where nobody is believed. */
bool kernel_is_vacuous(struct kernel *k, const char *rule, struct span span);

/* Is it a real over logical variables other than the budget (a delta, a bound)? */
bool kernel_is_constant(struct kernel *k, term_id t);
/* May a command write it? */
bool kernel_is_writable(struct kernel *k, term_id var);

#endif
