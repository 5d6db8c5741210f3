/* Core programs over a finite memory, with their exact meaning, so that a rule can be tested by
 * itself: premises that are true (made so by computing their weakest precondition from the
 * semantics) go through the rule function, and its conclusion is checked against the semantics.
 *
 * The memory is a bit and a digit 0..2: six states. An assertion about two memories is a table: for
 * each pair of states the least budget with which it holds, on a grid of multiples of 1/8, or
 * FINITE_NEVER. As a formula it is a disjunction over the pairs. */
#ifndef COUPLET_TEST_FINITE_H
#define COUPLET_TEST_FINITE_H

#include "kernel/internal.h"
#include "kernel/rules.h"
#include "smt/smt.h"
#include "testlib.h"

enum {
  FINITE_STATES = 6, /* 2*digit + bit */
  FINITE_PAIRS = FINITE_STATES * FINITE_STATES,
  FINITE_STEP = 8, /* budgets are multiples of 1/8 */
  FINITE_MOST = 24,
  FINITE_NEVER = FINITE_MOST + 1,
  FINITE_BOUND = 4 /* nesting of quantifiers */
};
#define FINITE_SLACK 1e-7

struct finite {
  struct terms terms;
  struct smt smt;
  struct kernel *k;
  struct arena *arena;
  struct rng rng;
  term_id bit, digit;         /* program variables */
  term_id bits[3], digits[3]; /* without run, in run 1, in run 2 */
  term_id index;              /* a logical integer that judgements may speak of */
  double index_value;
  double move[3][2][FINITE_STATES]; /* the adversary: (digit as state, argument) to a distribution
                                       on new states */
};

struct finite_table {
  int at[FINITE_STATES][FINITE_STATES];
};

void finite_init(struct finite *w, uint64_t seed);
void finite_clear(struct finite *w);
term_id finite_in(struct finite *w, term_id var, unsigned run);

/* A term in a pair of memories; truth as 0 and 1. */
double finite_eval(struct finite *w, term_id t, int one, int two, double budget);
bool finite_holds(struct finite *w, term_id t, int one, int two, double budget);
/* What the formula says, pair by pair (it must be upward closed in the budget). */
struct finite_table finite_read(struct finite *w, term_id formula);
term_id finite_formula(struct finite *w, const struct finite_table *table);

/* Probabilities of the states after running c from `start`; what is missing to 1 does not end. */
void finite_run(struct finite *w, const struct core *c, int start, double *out);
/* Least delta of c1 ~ c2 from these states with this budget into this postcondition. */
double finite_delta(struct finite *w, const struct core *c1, const struct core *c2, int one,
                    int two, double budget, const struct finite_table *post);
/* The largest precondition on the grid: least budgets that give at most delta. */
struct finite_table finite_wp(struct finite *w, const struct core *c1, const struct core *c2,
                              const struct finite_table *post, double delta);
/* Does {pre} c1 ~delta c2 {post} hold? *tight is raised if it fails with 0.9 of some budget. */
bool finite_valid(struct finite *w, const struct core *c1, const struct core *c2,
                  const struct finite_table *pre, const struct finite_table *post, double delta,
                  size_t *tight);
/* The same for a judgement, for all values of `index` from low to high. */
bool finite_sound(struct finite *w, const struct judgement *j, int low, int high, size_t *tight);

/* A judgement without proof: the test knows that it holds. */
const struct judgement *finite_assume(struct finite *w, const struct core *c1,
                                      const struct core *c2, term_id pre, term_id post,
                                      term_id delta);
/* Likewise about one run. */
const struct ahl *finite_assume_event(struct finite *w, unsigned run, const struct core *c,
                                      term_id pre, term_id post, term_id beta);

/* Random things. `writes`: 1 the bit, 2 the digit, 3 both. */
const struct core *finite_command(struct finite *w, int depth, unsigned writes);
struct finite_table finite_relation(struct finite *w, unsigned percent);
term_id finite_condition(struct finite *w); /* of one run */

#endif
