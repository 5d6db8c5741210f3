/* What loops may keep in a claim of accuracy: candidates for their invariants, formulas about run 1,
 * for given distances of the noise. Nothing here is certain. */
#ifndef COUPLET_SEARCH_GOALS_ACCURACY_KEEP_H
#define COUPLET_SEARCH_GOALS_ACCURACY_KEEP_H

#include "kernel/dist.h"
#include "search/base/auto.h"

struct keep_candidate {
  const struct core *loop;
  term_id formula;
  term_id spare; /* takes its place if it does not hold; TERM_NONE: nothing does */
  bool is_dropped;
  long order; /* in the text, of those that are left */
};

/* What is wanted after a loop. */
struct keep_wanted {
  const struct core *loop;
  term_id formula;
};

struct keep {
  VEC(const struct core *) sites; /* samplings with a distance, of the caller */
  VEC(enum tail) tails;           /* on which sides the distances hold */
  VEC(struct keep_candidate) candidates;
  VEC(struct keep_wanted) wanted;
};

void keep_init(struct keep *k);
void keep_clear(struct keep *k);
/* The candidates of all loops, if noise of sites[i] is at most distances[i] away. */
void keep_find(struct keep *k, struct auto_problem *p, const term_id *distances, size_t count);

/* The numbers over parameters that the formula of the claim compares with; appended. */
void keep_distances(struct auto_problem *p, term_list *out);
/* Likewise those in what is assumed of inputs. */
void keep_given_distances(struct auto_problem *p, term_list *out);
/* Likewise those that the program compares with. */
void keep_thresholds(struct auto_problem *p, term_list *out);

#endif
