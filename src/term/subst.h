/* Substitution and questions about free variables.
 *
 * Terms are locally nameless, so replacing free variables by closed terms cannot capture anything.
 * Traversals keep a memo table: linear in the number of distinct subterms. */
#ifndef COUPLET_TERM_SUBST_H
#define COUPLET_TERM_SUBST_H

#include "term/term.h"

/* Replaces from[i] (variables, distinct) by to[i] (closed, of the same sort, or int for real),
 * all at once. */
term_id term_subst(struct terms *ts, term_id t, const term_id *from, const term_id *to,
                   size_t count);
/* Replaces any closed subterms, outermost first; for abstraction of whole terms by variables. */
term_id term_replace(struct terms *ts, term_id t, const term_id *from, const term_id *to,
                     size_t count);
/* Swaps runs 1 and 2: the formula of the inverse relation. */
term_id term_swap_runs(struct terms *ts, term_id t);
/* Puts every variable of run 0 listed in `vars` into the run: x becomes x<1>. */
term_id term_tag(struct terms *ts, term_id t, unsigned run, const term_id *vars, size_t count);

/* The free variables, each once, by increasing handle; appended to out. */
void term_free_vars(struct terms *ts, term_id t, term_list *out);
/* Is one of the variables free in t? */
bool term_mentions(struct terms *ts, term_id t, const term_id *vars, size_t count);
/* Every distinct closed subterm (t included), children first; appended to out. */
void term_subterms(struct terms *ts, term_id t, term_list *out);
/* The conjuncts of a conjunction (t itself if it is none); appended to out. */
void term_conjuncts(struct terms *ts, term_id t, term_list *out);

/* The body of a quantifier with its variable replaced by a closed term of the right sort. */
term_id term_instantiate(struct terms *ts, term_id quantifier, term_id value);
/* The body of a quantifier with a fresh variable of run 0; *var gets the variable. */
term_id term_open(struct terms *ts, term_id quantifier, term_id *var);
/* Turns a free variable into the bound variable of a quantifier about to be put around t. */
term_id term_abstract(struct terms *ts, term_id t, term_id var);

#endif
