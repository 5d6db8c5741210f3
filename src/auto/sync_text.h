/* What the search knows, in the words of proofs: terms and differences at a point of the program.
 *
 * Inside the search, terms speak of the values at the start of a piece. In proof text a variable
 * means its value at the place of the step. A view says what each of the former is called there. */
#ifndef COUPLET_AUTO_SYNC_TEXT_H
#define COUPLET_AUTO_SYNC_TEXT_H

#include "auto/sync_piece.h"

struct sync_view {
  struct sync *s;
  const struct sync_state *at;
  const struct form_values *values; /* chosen shifts; NULL: differences are settled */
  term_list from, to;               /* names for values */
};

/* `y`: the sampling at whose place the text stands, or NULL. */
void sync_view_init(struct sync_view *v, struct sync *s, const struct sync_state *at,
                    const struct form_values *values, const struct sync_sample *y);
void sync_view_clear(struct sync_view *v);

/* The term as proof text would write it; TERM_NONE if it has no name there. */
term_id sync_view_term(struct sync_view *v, term_id t);
/* A difference as a term: 1, t<2> - t<1>, q<2>[i] - q<1>[i]. TERM_NONE: cannot be said. */
term_id sync_view_form(struct sync_view *v, const struct form *f);

/* v<1> = v<2> */
term_id sync_equal(struct sync *s, term_id var);
/* low <= v<2> - v<1> <= high in this unit, for an array at its place; TERM_NONE: no bound. */
term_id sync_between(struct sync *s, size_t v, struct ratio low, struct ratio high, term_id unit);
/* e >= 0 for an integer e, the way one would write it: count < N. */
const char *sync_at_least_zero(struct sync *s, term_id e);
/* Text that lives in the arena. */
const char *sync_term_text(struct sync *s, term_id t);

#endif
