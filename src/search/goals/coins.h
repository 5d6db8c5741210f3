/* A game of coins: code without loops whose samplings are bits (or uniform integers), run on two
 * inputs that differ. How must run 2's coins fall for the same outputs, and what does that cost?
 *
 * Run 1's coins are the adversary's, run 2's are ours. A sampling that both runs reach is paired:
 * SAME, FLIP (run 2 has the opposite bit), or MEET (run 2 has one fixed bit whatever run 1 has). A
 * sampling that only run 1 reaches is the adversary's alone; one that only run 2 reaches is ours:
 * we take the best sample and pay the logarithm of its odds. One choice per statement, for all
 * histories; so what is left to pay after it is the worst over all of them.
 *
 * Private data enters as boolean atoms (`bit`, `v = i`), whose values in both runs are enumerated,
 * or as values that are only copied to the output. */
#ifndef COUPLET_SEARCH_GOALS_COINS_H
#define COUPLET_SEARCH_GOALS_COINS_H

#include "search/base/points.h"

enum { COINS_LIMIT = 4, COIN_ATOMS = 3 };

/* What must be left: log as a sum of logarithms, mul = e^log without them. */
struct need {
  term_id log, mul; /* TERM_NONE: the outputs cannot be made equal */
};

enum coin_choice { COIN_SAME, COIN_FLIP, COIN_MEET_TRUE, COIN_MEET_FALSE, COIN_CHOICES };

struct coin {
  const struct core *at;
  bool met, alone; /* reached by both runs; by run 2 alone */
  enum coin_choice choice;
  struct need after[2]; /* worst, for run 1's false and true (or any other sample: [0]) */
  struct need before;
  term_id cost[2];
  term_id aim, aim_cost; /* run 2 alone: its sample, over the memories; TERM_NONE: any will do */
};

struct coins {
  struct auto_problem *p;
  struct kernel *k;
  struct terms *ts;
  const struct points *points;
  const struct core *code;
  term_list outputs; /* variables that must be equal afterwards; they are equal before */
  term_list atoms;   /* boolean conditions on private data, run-less */
  term_list copies;  /* private values that are not conditions, run-less */
  struct coin coin[COINS_LIMIT];
  size_t count;
  struct need total; /* TERM_NONE: hopeless */
};

/* Sets up the game; false if it is none. coins_clear in any case. */
bool coins_init(struct coins *g, struct auto_problem *p, const struct points *points,
                const struct core *code);
void coins_clear(struct coins *g);
/* Finds the cheapest choices when some atom or copy differs. False: hopeless. */
bool coins_solve(struct coins *g);
/* Nothing private differs: a formula about the memories before. */
term_id coins_same_data(const struct coins *g);

#endif
