/* Entailment: do the hypotheses imply the goal, for all values of all variables?
 *
 * A struct smt is one session: it answers obligations, remembers answers (equal obligations have
 * equal handles), records every obligation for the audit, and writes dumps. SMT_VALID is the
 * solver's word: search believes it, a verdict needs a refutation (refereed.h). SMT_INVALID is a
 * model that was confirmed by evaluating the obligation under it, SMT_UNKNOWN is everything else:
 * limits, solver errors, terms that could not be built, models that could not be confirmed, solvers
 * that disagree.
 *
 * How an answer is found: trivially (the goal is a hypothesis, ...); by Z3 on the text of
 * encode.h; or, where exp, ln, sqrt or quotients matter, by the methods of transcend.h, each of
 * which ends in Z3 calls or in ball arithmetic. */
#ifndef COUPLET_SMT_SMT_H
#define COUPLET_SMT_SMT_H

#include "base/source.h"
#include "kernel/decide.h"
#include "smt/model.h"
#include "smt/solver.h"
#include "term/term.h"

enum smt_verdict { SMT_VALID, SMT_INVALID, SMT_UNKNOWN };

struct smt_options {
  double timeout_s;     /* per obligation, on the clock of work (base/work.h) */
  unsigned rlimit;      /* Z3 resource units per question: what makes answers reproducible */
  const char *dump_dir; /* --dump-smt: one file per question that was needed; NULL: none */
  bool cross_check;     /* --cross-check: every valid answer also from cvc5 */
  const char *cvc5;     /* path of the binary */
};
/* Defaults: 10 s, 20,000,000 units, no dumps, "cvc5". */
struct smt_options smt_default_options(void);

/* One line of the audit. */
struct smt_record {
  char *name;
  struct span place;
  enum smt_verdict verdict;
  const char *method; /* "trivial", "cache", "z3", "bounds", "interval", "advocate", "none" */
  char *reason;       /* not valid: why; else NULL */
  char *dump;         /* file written, or NULL */
  double seconds;
  unsigned questions;       /* solver calls */
  unsigned unsat, seconded; /* with --cross-check: answers a proof may rest on, and cvc5's yes */
  bool cross_checked;       /* valid, and cvc5 agreed on all of them */
  bool disagreement;        /* cvc5 found a model of what Z3 called unsatisfiable */
};

struct smt_cached;
struct smt {
  struct decider decider; /* that believes this session (believe.h) */
  struct terms *ts;
  struct smt_options options;
  struct model model; /* of the last obligation that was SMT_INVALID or had a candidate */
  bool has_model;     /* does `model` belong to the last obligation? */
  VEC(struct smt_record) records;
  VEC(struct smt_cached) cache;
  struct solver_session session;
  size_t dumps;              /* files written */
  int64_t deadline;          /* of the current obligation, on the clock of work */
  double solver_seconds;     /* in solvers, on the wall clock, */
  double solver_cpu_seconds; /* and of this process's CPU time */
};

void smt_init(struct smt *smt, struct terms *ts, const struct smt_options *options);
void smt_clear(struct smt *smt);

/* Does the conjunction of the hypotheses entail the goal? The record of the answer
 * is the last one in `records`; after SMT_INVALID the model is in `model`. `name` is copied. */
enum smt_verdict smt_entails(struct smt *smt, const char *name, struct span place,
                             const term_id *hypotheses, size_t count, term_id goal);
/* The same for a single hypothesis. */
enum smt_verdict smt_implies(struct smt *smt, const char *name, struct span place,
                             term_id hypothesis, term_id goal);
/* Are the hypotheses contradictory? (To warn about claims that hold vacuously.) */
enum smt_verdict smt_contradictory(struct smt *smt, const char *name, struct span place,
                                   const term_id *hypotheses, size_t count);

static inline const struct smt_record *smt_last(const struct smt *smt) {
  return &smt->records.at[smt->records.len - 1];
}
const char *smt_verdict_name(enum smt_verdict verdict);

/* ---- for the methods in this folder ---------------------------------------------------------- */

/* One question: are the formulas contradictory? Writes the dump, asks the second solver. */
enum solver_answer smt_ask_(struct smt *smt, const term_id *formulas, size_t count,
                            const char *tactic, struct solver_limits limits, struct model *model,
                            char **reason);

#endif
