/* What the assumptions say about a difference between the runs.
 *
 * `known` is what is assumed in one direction of a claim, with quantifiers replaced by their
 * instances at the terms a question is about: cheap for the solver, in both answers. So a bound on
 * q<2>[i] - q<1>[i] comes from the formula of the adjacency, whatever it is called, or from axioms
 * about operators. Untrusted: a wrong or missing bound only means a proof that fails. */
#ifndef COUPLET_SEARCH_BASE_BOUNDS_H
#define COUPLET_SEARCH_BASE_BOUNDS_H

#include "search/base/auto.h"

struct known {
  struct auto_problem *p;
  term_list facts;
};

/* The facts of a direction. */
void known_init(struct known *known, struct auto_problem *p, enum claim_direction direction);
void known_clear(struct known *known);
void known_add(struct known *known, term_id formula);

/* Do the facts and `given` (may be TERM_NONE) entail the goal? */
bool known_entails(const struct known *known, term_id given, term_id goal);

/* low <= d <= high: the least numbers or terms over parameters that were found among those the
 * facts speak of and small multiples of them. TERM_NONE: none. */
struct bounds {
  term_id low, high;
};
struct bounds known_bounds(const struct known *known, term_id given, term_id d);
/* The same with these among the candidates. */
struct bounds known_bounds_among(const struct known *known, term_id given, term_id d,
                                 const term_list *more);

/* Of two terms over parameters the larger; TERM_NONE if the facts do not say which. */
term_id known_larger(const struct known *known, term_id a, term_id b);

/* The term with common factors cancelled, as if no divisor were 0: for costs, which are shown. */
term_id cost_simplified(struct terms *ts, term_id t);
/* The coefficient of the atom in a sum; false: it is none of its summands. */
bool terms_coefficient(struct terms *ts, term_id sum, term_id atom, fmpq *coefficient);

#endif
