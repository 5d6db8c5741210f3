/* The kernel's context: what all judgements of one derivation have in common.
 *
 * - Program variables come in two copies, x<1> and x<2>. Some are frozen: no command may write
 *   them (inputs). Everything else without a run is logical: parameters, public inputs, and the
 *   variables that rules introduce; a judgement holds for all their values.
 * - Facts are formulas over logical variables and frozen program variables of either run: what is
 *   assumed of parameters, the axioms, and the adjacency of the inputs. They hold before and after
 *   every command, so each entailment may use them and no invariant needs to repeat them.
 * - `budget` is a logical variable with a special meaning: see judgement.h.
 *
 * A context made by claim.h is sealed with the facts of that claim; nobody can add to it. An open
 * context (kernel_new) is for tests and experiments: no claim can be concluded from it.
 *
 * Errors are values: a rule that does not apply returns NULL and fills in the failure. */
#ifndef COUPLET_KERNEL_KERNEL_H
#define COUPLET_KERNEL_KERNEL_H

#include "base/arena.h"
#include "base/source.h"
#include "kernel/core.h"
#include "term/term.h"

struct kernel;
struct decider;

/* What is missing, where advice depends on it. */
enum failure_cause {
  FAILURE_OTHER,
  FAILURE_CONTRADICTION, /* of the assumptions */
  FAILURE_NOISE,         /* the parameters of a distribution may not make sense */
  FAILURE_LENGTH         /* an array has no length that is known */
};

struct kernel_failure {
  const char *rule;    /* name of the rule as in docs/rules.md; NULL: nothing failed */
  struct span span;    /* the statement or the place in the proof */
  const char *message; /* one sentence */
  term_id formula;     /* that could not be proved, or TERM_NONE */
  const char *model;   /* values that falsify it, in source terms, or NULL */
  enum failure_cause cause;
  bool lacks_evidence; /* nothing is known against the formula: it has no accepted refutation */
};

/* One leaf of an entailment, and how it was decided (decide.h). */
struct kernel_obligation {
  const char *rule; /* that raised the side condition */
  const char *what; /* the side condition in words */
  struct span span;
  term_id goal;
  bool proved;
  double seconds;
  const char *method; /* "hypothesis", "referee", or that of who was believed */
  bool believed;      /* proved on somebody's word alone */
  size_t steps;       /* of the refutation that the referee accepted */
  bool cross_checked; /* believed, and another solver agreed */
};

/* `decider` answers for entailments; NULL: nobody does. */
struct kernel *kernel_new(struct terms *terms, struct decider *decider);
void kernel_free(struct kernel *k);

struct terms *kernel_terms(struct kernel *k);
struct arena *kernel_arena(struct kernel *k); /* for commands; lives as long as the context */
/* What the context assumes. */
const term_id *kernel_facts(const struct kernel *k, size_t *count);
term_id kernel_budget(const struct kernel *k);
const struct kernel_failure *kernel_failure(const struct kernel *k);
size_t kernel_obligation_count(const struct kernel *k);
const struct kernel_obligation *kernel_obligation(const struct kernel *k, size_t i);

/* A program variable. TERM_NONE if the name is taken by one of another sort, or if a judgement was
 * made already: all variables are declared before the first rule. A sealed context gets only new
 * variables with an `@` in their name, which nothing in a source has. */
term_id kernel_var(struct kernel *k, const char *name, sort_id sort, bool frozen);
bool kernel_is_var(const struct kernel *k, term_id var);
size_t kernel_var_count(const struct kernel *k);
term_id kernel_var_at(const struct kernel *k, size_t i);
/* Adds a fact. False if it speaks of something that can change, or the context is sealed. */
bool kernel_assume(struct kernel *k, term_id fact);
size_t kernel_fact_count(const struct kernel *k);
term_id kernel_fact(const struct kernel *k, size_t i);

/* Proves a formula from the facts and adds it to them (also to a sealed context). */
bool kernel_lemma(struct kernel *k, struct span span, term_id formula);

/* A program term in a run: x becomes x<run>. TERM_NONE if it is not a term of one run. */
term_id kernel_tag(struct kernel *k, term_id t, unsigned run);
/* A logical variable that occurs nowhere yet. */
term_id kernel_fresh(struct kernel *k, const char *name, sort_id sort);
/* Marks a formula: if it cannot be proved, the failure names this rule and place. Means the same
 * as the formula. */
term_id kernel_label(struct kernel *k, term_id formula, const char *rule, struct span span,
                     const char *what);
/* Without marks. */
term_id kernel_strip(struct kernel *k, term_id t);

#endif
