/* Sums of squares: from c - t^2 - u^2 >= 0 follows c - t^2 >= 0, and so r^2 c - r^2 t^2 >= 0. Data
 * that are close in the sum of the squares of their differences need this. */
#ifndef COUPLET_ADVOCATE_SQUARES_H
#define COUPLET_ADVOCATE_SQUARES_H

#include "advocate/search.h"

typedef VEC(struct fact) fact_list;

/* What a true literal, a comparison that mentions such a sum, says without some of the squares; the
 * same times the squares of generators that occur squared in products. Appended, reduced. */
void squares_left_out(struct search *s, int lit, fact_list *out);

/* What a true literal, a comparison, says times these squares. Appended, reduced. */
void squares_times(struct search *s, int lit, fact_list *out);

#endif
