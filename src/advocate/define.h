/* Formulas as literals of the search, and the clauses that say what they mean: connectives,
 * witnesses, schemas. Only the direction that is needed is stated: what follows when a formula is
 * true, or when it is false. (search_literal, search_clause, search_schema and search_mention are
 * here.) */
#ifndef COUPLET_ADVOCATE_DEFINE_H
#define COUPLET_ADVOCATE_DEFINE_H

#include "advocate/search.h"

/* Makes a closed ground term, with its parts, known to the lemmas. */
void define_note(struct search *s, term_id t);
/* Was a lemma of this kind made before for these terms? */
bool define_was_done(const struct search *s, unsigned kind, const term_id *args, size_t count);
/* The same; and from now on it was. */
bool define_is_done(struct search *s, unsigned kind, const term_id *args, size_t count);
/* The quantifier of a variable, for a value: an INSTANCE step. */
void define_instance(struct search *s, int var, term_id value);

#endif
