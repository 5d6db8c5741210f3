/* What the files of the search for proofs of accuracy share (accuracy.h). */
#ifndef COUPLET_SEARCH_GOALS_ACCURACY_INTERNAL_H
#define COUPLET_SEARCH_GOALS_ACCURACY_INTERNAL_H

#include "search/goals/accuracy_form.h"
#include "search/goals/accuracy_keep.h"

/* Noise in the program, and how often it is drawn at most. */
struct noise_site {
  const struct core *c;
  term_id times;              /* over parameters; TERM_NONE: not known */
  const struct core *contest; /* the loop whose winner is near the best one, or NULL */
  term_id values;             /* of the contest: how many */
};

/* The failures of the iterations of a loop, k of which are still to come: what one of them may fail
 * with, and what k of them may. */
struct each_plan {
  const struct core *loop; /* NULL: there is no such plan */
  term_id count, share, total;
};

struct accuracy {
  struct auto_problem *p;
  struct auto_search *s;
  struct terms *ts;
  VEC(struct noise_site) sites;
  bool by_contest;                /* contests with Gumbel noise count as a whole */
  unsigned without, unneeded;     /* sites that are passed over, or could be, as bits */
  VEC(const struct core *) coins; /* samplings of finitely many values */
  term_id chance;      /* what the only coin may fail with; TERM_NONE: all its samples are good */
  term_list distances; /* of the sites, in the present plan */
  term_id offset;      /* of the number that is asked for: what it counts beside these */
  term_list shares;    /* what each may fail with; TERM_NONE: its tail */
  struct keep keep;
  const struct core *sum_loop; /* whose noise adds up to `totals`; NULL: none */
  total_plans totals;
  term_id kept; /* by that loop, or TERM_NONE */
  struct each_plan each;
  VEC(bool) dropped; /* by the last proof: which candidates, where the number is to be lowered */
  bool is_lowering;
};

static inline bool accuracy_is_coin(const struct core *c) {
  return c->dist == DIST_BERNOULLI || c->dist == DIST_UNIFORM_SET;
}

static inline enum tail accuracy_tail_at(const struct accuracy *a, size_t site) {
  if (site < a->sites.len && a->sites.at[site].contest) return TAIL_ABOVE;
  return site < a->keep.tails.len ? a->keep.tails.at[site] : TAIL_BOTH;
}

/* The distance beyond which the noise is with probability failure/draws at most, on both sides or
 * `is_half`, on one; `is_shown`: in the form in which people are told it. */
term_id accuracy_distance_for(struct terms *ts, const struct core *c, term_id failure,
                              term_id draws, bool is_half, bool is_shown);
/* The loop of the contest with Gumbel noise that a sequence begins with, or NULL: its first value may
 * be drawn before it. */
const struct core *accuracy_contest(struct accuracy *a, const struct core *c);
/* The variable with its winner, or TERM_NONE. */
term_id accuracy_winner(struct accuracy *a, const struct core *loop);
/* Finds the samplings in the program of this problem, but for those that are passed over. */
void accuracy_look_at(struct accuracy *a, struct auto_problem *p);
/* Tries the plan with all candidates, and without those that fail. `found`: what is asked for, or
 * NULL. */
bool accuracy_attempt(struct accuracy *a, const char *found);

#endif
