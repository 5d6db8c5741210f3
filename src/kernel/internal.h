/* Inside of the kernel. Only files of src/kernel may include this (tests/scripts/kernel_private.sh
 * checks it): whoever sees these structs could forge a judgement. */
#ifndef COUPLET_KERNEL_INTERNAL_H
#define COUPLET_KERNEL_INTERNAL_H

#include "base/vec.h"
#include "kernel/context.h"
#include "kernel/decide.h"
#include "kernel/judgement.h"
#include "kernel/kernel.h"
#include "kernel/notion.h"

enum { JUDGEMENT_PREMISES = 3 };

struct judgement {
  struct kernel *kernel;
  const struct core *left, *right;
  term_id pre, post, delta;
  bool admitted;
  const char *rule;
  struct span span;
  const struct judgement *premises[JUDGEMENT_PREMISES];
  size_t premise_count;
};

struct ahl {
  struct kernel *kernel;
  unsigned run;
  const struct core *command;
  term_id pre, post, beta;
};

/* A new judgement about one run, all fields checked. */
const struct ahl *ahl_new(struct kernel *k, const char *rule, struct span span, unsigned run,
                          const struct core *c, term_id pre, term_id post, term_id beta);
/* Is it a formula about this run alone? */
bool ahl_is_about(struct kernel *k, unsigned run, term_id t);

struct label {
  symbol_id symbol;
  const char *rule, *what;
  enum failure_cause cause;
  struct span span;
};

struct labels {
  VEC(struct label) list;
};

struct kernel {
  struct arena arena;
  struct terms *terms;
  struct decider *decider; /* or NULL */
  struct notion_of notion;
  bool believes;    /* some leaf was, or may be, taken on the decider's word */
  term_list vars;   /* program variables, run 0 */
  term_list frozen; /* those that no command writes */
  term_list facts;
  bool sealed;
  bool borrowed_labels;
  size_t judgement_count;
  struct kernel *exchanged; /* the context with the runs of the facts exchanged, or NULL */
  struct kernel *pure;      /* the one with the same facts in the pure notion, or NULL */
  term_id budget, zero, yes;
  struct labels *labels; /* shared with the exchanged context, which does not own them */
  VEC(struct kernel_obligation) obligations;
  struct kernel_failure failure;
};

/* dist_valid, labelled. */
term_id kernel_valid_noise(struct kernel *k, const char *rule, struct span span,
                           enum dist_kind dist, const term_id *args, size_t count);
/* Is a delta that will be added to another one at least 0? */
bool kernel_prove_probability(struct kernel *k, const char *rule, struct span span, term_id delta);

/* Is it a bool over memories, logical variables and the budget? */
bool kernel_is_assertion(struct kernel *k, term_id t);
/* Is it a term of one run: program variables without run, no budget? */
bool kernel_is_program_term(struct kernel *k, term_id t);
/* Does t mention, in that run, a variable that c writes? */
bool kernel_writes_into(struct kernel *k, const struct core *c, unsigned run, term_id t);
/* Does the command read this logical variable? */
bool kernel_reads_logical(struct kernel *k, const struct core *c, term_id var);
/* post with var<run> replaced. */
term_id kernel_assigned(struct kernel *k, term_id post, term_id var, unsigned run, term_id value);

/* A new judgement, all fields checked to be terms of the right kind; premises may be NULL. */
const struct judgement *judgement_new(struct kernel *k, const char *rule, struct span span,
                                      const struct core *left, const struct core *right,
                                      term_id pre, term_id post, term_id delta,
                                      const struct judgement *p, const struct judgement *q);

#endif
