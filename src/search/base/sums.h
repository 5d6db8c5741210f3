/* Sums over ranges of indices (claim/sums.h), as the search sees them. */
#ifndef COUPLET_SEARCH_BASE_SUMS_H
#define COUPLET_SEARCH_BASE_SUMS_H

#include "search/base/auto.h"

/* S(low, high): the sum of `body` for an index from low to high. */
struct sum_term {
  const struct translate_sum *sum;
  term_id app, low, high; /* app: the sum itself */
};

/* Is it such a sum? */
bool sum_read(const struct auto_problem *p, term_id t, struct sum_term *out);
/* What the sum of this application of the function adds at the index. */
term_id sum_body_at(const struct auto_problem *p, const struct translate_sum *sum, term_id app,
                    term_id index);
/* The same. */
term_id sum_at(const struct auto_problem *p, const struct sum_term *s, term_id index);
/* The same sum over another range. */
term_id sum_over(const struct auto_problem *p, const struct sum_term *s, term_id low, term_id high);
/* The sums that the assumptions of the claim speak of, other than what defines them. Appended. */
void sums_assumed(struct auto_problem *p, term_list *out);
/* The term with what the assumptions say that sums are at most in their place: a cost may not speak
 * of inputs. */
term_id sums_at_most(struct auto_problem *p, term_id t);

#endif
