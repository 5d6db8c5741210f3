/* Sessions with Z3. The questions of a session are asked in one context, which takes longer to make
 * than most of them to answer, and none is asked twice. What was asked before can matter only for
 * questions that Z3 cannot always decide, since it numbers terms in the order in which it meets
 * them. Models do not depend on it: a question whose model is wanted is asked once more in a
 * context of its own. Errors come back as SOLVER_UNKNOWN with a reason. */
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

/* A question that was asked. */
struct solver_known {
  uint64_t hash;
  char *question; /* tactic and text */
  struct solver_limits limits;
  enum solver_answer answer;
  Z3_model model; /* SOLVER_SAT: counted */
  bool is_own;    /* as nothing had been asked before */
  char *reason;   /* SOLVER_UNKNOWN */
};

struct solver_session {
  Z3_context ctx; /* NULL: nothing was asked */
  unsigned units; /* that the context has used */
  bool is_free;   /* what it does is not counted as work */
  VEC(struct solver_known) known;
};

/* All zero is a new session. */
void solver_session_clear(struct solver_session *s);
/* Is the conjunction of the assertions satisfiable? `tactic` NULL: Z3's default strategy. On
 * SOLVER_SAT fills `model` unless it is NULL; on SOLVER_UNKNOWN sets *reason (a string to free). */
enum solver_answer solver_check(struct solver_session *s, const struct encoding *text,
                                const char *tactic, struct solver_limits limits,
                                struct model *model, char **reason);

#endif
