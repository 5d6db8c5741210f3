/* Facts that may be invariants of the loops of a plan, read off the program and the given steps.
 *
 * The program is walked once per proof, with what is known of each variable: how its values in the
 * two runs differ (not at all, by a known term, or nobody knows) and the term it was assigned. The
 * given couplings count: after `sample u: shift k` u differs by k. At each loop this gives
 *   differences   v<1> = v<2>, or v<2> = v<1> + k
 *   definitions   v<1> = e<1> and v<2> = e<2> for variables the loop leaves alone
 *   events        of an `upto` before the loop
 *   ranges        s <= t for a guard s < t; c <= v for a variable that only grows from c
 *   cases         v<1> = v<2> if c, or unless c, for a condition c of the given budget
 *   variants      t - s for a guard s < t
 * Nothing is proved here: steps are added to the plan switched off, and the kernel judges them. */
#ifndef COUPLET_SEARCH_COMPLETE_POOL_H
#define COUPLET_SEARCH_COMPLETE_POOL_H

#include "search/complete/plan.h"

void plan_propose(struct plan *plan);

/* ---- for fill.c: the point the walk has reached ------------------------------------- */

/* What is known of a variable. */
struct known_var {
  enum { DIFFERS, EQUAL, SHIFTED } how;
  term_id by;    /* SHIFTED: v<2> - v<1>, over logical variables */
  term_id value; /* the term it was assigned, still true; TERM_NONE: unknown */
};

struct event {
  term_id formula;
  const char *text; /* as the author wrote it */
};

struct pool {
  struct plan *plan;
  struct auto_problem *p;
  struct terms *ts;
  struct kernel *k;
  term_list vars;           /* program variables, without run */
  struct known_var *known;  /* of each */
  VEC(struct event) events; /* assumed by `upto`, about run 1 */
};

/* NULL: not a program variable. */
const struct known_var *pool_state(const struct pool *pool, term_id var);
/* A term or formula of the proof; TERM_NONE if it is wrong. */
term_id pool_meaning(struct pool *pool, const struct ast_expr *e, sort_id sort);
/* Is it about parameters and public inputs only? */
bool pool_is_logical(struct pool *pool, term_id t);

#endif
