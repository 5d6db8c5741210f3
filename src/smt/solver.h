/* One question to Z3, in a context of its own: so the answer depends on the text and the limits
 * only, not on what was asked before. Errors come back as SOLVER_UNKNOWN with a reason. */
#ifndef COUPLET_SMT_SOLVER_H
#define COUPLET_SMT_SOLVER_H

#include "smt/model.h"

enum solver_answer { SOLVER_UNSAT, SOLVER_SAT, SOLVER_UNKNOWN };

struct solver_limits {
  unsigned timeout_ms; /* on the clock of work (base/work.h) */
  unsigned rlimit;     /* Z3's deterministic resource count; 0: what corresponds to the time */
};

/* Z3's SMT core alone: starts ten times faster than the default strategy. */
#define SOLVER_CORE "core"
#define SOLVER_NONLINEAR "qfnra-nlsat"

/* Is the conjunction of the assertions satisfiable? `tactic` NULL: Z3's default strategy. On
 * SOLVER_SAT fills `model` unless it is NULL; on SOLVER_UNKNOWN sets *reason (a string to free). */
enum solver_answer solver_check(const struct encoding *text, const char *tactic,
                                struct solver_limits limits, struct model *model, char **reason);
/* Version of the solver, to free. */
char *solver_version(void);

#endif
