/* What the search is told about the formulas and terms that occur: clauses of the connectives,
 * facts about functions, witnesses; and, where the present assignment violates them, congruences,
 * orders and instances of quantifiers. */
#ifndef COUPLET_ADVOCATE_LEMMAS_H
#define COUPLET_ADVOCATE_LEMMAS_H

#include "advocate/search.h"

/* Facts about terms that are new. */
void lemmas_flush(struct search *s);

/* For an assignment that makes all clauses true; each says whether it added something. */
bool lemmas_orders(struct search *s);      /* a <> b: a < b or b < a */
bool lemmas_congruences(struct search *s); /* equal arguments, different values */
/* Equal arguments, and equal values, but by chance: products of these cannot rely on it. */
bool lemmas_coincidences(struct search *s);
bool lemmas_instances(struct search *s, int effort);
bool lemmas_powers(struct search *s);                /* b^t, b^u, as t and u are ordered */
bool lemmas_functions(struct search *s, int effort); /* exp, ln, sqrt */

/* Does t speak of a variable of one of the runs, not of parameters alone? */
bool lemmas_of_a_run(struct terms *ts, term_id t);

/* Equations of other values than numbers: THEORY_CONFLICT if a false one follows from true ones. */
enum theory_answer lemmas_same_check(struct search *s);

#endif
