/* Case distinctions that a formula contains, made explicit.
 *
 * if c then a else b, min, max and abs inside of sums and products are hard to reason about; each
 * of them is one of two simpler terms, depending on a condition. term_by_cases turns a formula F
 * into the equivalent (c -> F') and (not c -> F'') with them decided, as often as limits allow. */
#ifndef COUPLET_KERNEL_CASES_H
#define COUPLET_KERNEL_CASES_H

#include "term/term.h"

enum { CASES_LIMIT = 1024 /* leaves that one formula may become */ };

/* TERM_NONE only if a builder fails. Formulas with quantifiers stay as they are. Inequalities are
 * cleared of denominators (fraction.h), and compared `termwise` if that is wanted. */
term_id term_by_cases(struct terms *ts, term_id formula, bool termwise);
/* The same, and where a case says that x = t for a variable x that is not in t, t takes its place. */
term_id term_by_cases_solved(struct terms *ts, term_id formula);

#endif
