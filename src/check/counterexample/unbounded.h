/* Walks that lose without bound, whatever coupling one may think of (independent noise).
 *
 * That no shift coupling has a finite cost does not mean "not private" where guards are
 * disjunctions: another case may step in at no cost (docs/disjunctions.md). Here the loss itself is
 * examined, at inputs `T level + Delta`, level in {-1, 0, 1}, T large and the cycles repeated
 * often, but far less than T. As eps grows, -ln Pr / eps tends to
 *
 *   C = min over cases and values of the sum of d |sample - input|,
 *
 * a problem on two scales. Coarse (units of T): where do the stored values go, which cases are
 * taken? Only the cheapest configurations count. Fine (units of 1): run 2's stored values are
 * shifted by some g, and in every cycle of every cheapest configuration each round must cost
 * nothing. If no shifts do that, C grows with the number of rounds in run 2 but not in run 1: for
 * every D there are inputs that refute D*eps.
 *
 * Positions are the levels and the gaps between them: a gap stands for every point in it, and what
 * holds there holds nowhere more easily. Sound for automata whose output tells the path; not
 * complete. */
#ifndef COUPLET_CHECK_COUNTEREXAMPLE_UNBOUNDED_H
#define COUPLET_CHECK_COUNTEREXAMPLE_UNBOUNDED_H

#include "check/automaton/walk.h"

enum {
  UNBOUNDED_VARS = 3,  /* variables of a walk */
  UNBOUNDED_STEPS = 24 /* steps of a walk */
};

/* Inputs that do it, per step of the walk: T level + Delta; lean = -1 or 1: in a cycle, and so much
 * below or above that level that n rounds are likely (about ln n noise scales). */
struct unbounded {
  int8_t level[UNBOUNDED_STEPS], delta[UNBOUNDED_STEPS], lean[UNBOUNDED_STEPS];
  size_t count;
};

/* NULL: the walk is beyond the limits, or its non-input states have different means. */
struct unbounded_problem *unbounded_open(const struct automaton *a, const struct walk *w);
void unbounded_close(struct unbounded_problem *p);
/* Is the loss unbounded at inputs of this form? False: nothing follows. */
bool unbounded_at(struct unbounded_problem *p, const struct unbounded *in);
/* Is there a shift coupling of finite cost for these differences? If so, the loss is bounded. */
bool unbounded_has_shifts(struct unbounded_problem *p, const struct unbounded *in);

#endif
