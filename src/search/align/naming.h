/* What the search knows, in the words of proofs: terms and differences at a point of the program.
 *
 * Inside the search, terms speak of the values at the start of a piece. In proof text a variable
 * means its value at the place of the step. A view says what each of the former is called there. */
#ifndef COUPLET_SEARCH_ALIGN_NAMING_H
#define COUPLET_SEARCH_ALIGN_NAMING_H

#include "search/align/piece.h"

struct align_view {
  struct align *s;
  const struct align_state *at;
  const struct form_values *values; /* chosen shifts; NULL: differences are settled */
  term_list from, to;               /* names for values */
};

/* `y`: the sampling at whose place the text stands, or NULL. */
void align_view_init(struct align_view *v, struct align *s, const struct align_state *at,
                     const struct form_values *values, const struct align_sample *y);
void align_view_clear(struct align_view *v);

/* The term as proof text would write it; TERM_NONE if it has no name there. */
term_id align_view_term(struct align_view *v, term_id t);
/* A difference as a term: 1, t<2> - t<1>, q<2>[i] - q<1>[i]. TERM_NONE: cannot be said. */
term_id align_view_form(struct align_view *v, const struct form *f);

/* v<1> = v<2> */
term_id align_equal(struct align *s, term_id var);
/* low <= v<2> - v<1> <= high in this unit, for an array at its place; TERM_NONE: no bound. */
term_id align_between(struct align *s, size_t v, term_id place, struct ratio low, struct ratio high,
                      term_id unit);
/* e >= 0 for an integer e, the way one would write it: count < N. */
const char *align_at_least_zero(struct align *s, term_id e);
/* Text that lives in the arena. */
const char *align_term_text(struct align *s, term_id t);

#endif
