/* What equal outcomes cost: the largest ratio of probabilities, as a term over parameters, found by
 * trying the values that private data can have. Compared at sample points: untrusted. */
#ifndef COUPLET_SEARCH_GOALS_LISTED_PRICE_H
#define COUPLET_SEARCH_GOALS_LISTED_PRICE_H

#include "kernel/rules.h"
#include "search/base/bounds.h"
#include "search/base/points.h"

enum { PRICE_LEAVES = 400 };

struct pricing {
  struct auto_problem *p;
  struct kernel *k;
  const struct points *points;
  const struct known *known; /* cases that contradict it do not count */
  const struct core *code;
  const term_id *keys;
  size_t key_count;
  const struct finite_range *ranges;
  size_t range_count;
  /* what is decided already: terms of a run and their values */
  const term_id *from, *to;
  size_t decided;
};

/* ln of the largest ratio; TERM_NONE: not found. */
term_id price_of_outcomes(const struct pricing *how);

#endif
