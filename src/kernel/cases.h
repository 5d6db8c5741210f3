/* Case distinctions that a formula contains, made explicit.
 *
 * if c then a else b, min, max and abs inside of sums and products are hard to reason about; each
 * of them is one of two simpler terms, depending on a condition. term_by_cases turns a formula F
 * into the equivalent (c -> F') and (not c -> F'') with them decided, as often as limits allow. */
#ifndef COUPLET_KERNEL_CASES_H
#define COUPLET_KERNEL_CASES_H

#include "kernel/fraction.h"

enum { CASES_LIMIT = 1024 /* leaves that one formula may become */ };

/* TERM_NONE only if a builder fails. Formulas with quantifiers stay as they are. Inequalities are
 * cleared of denominators (fraction.h), and compared as is wanted. */
term_id term_by_cases(struct terms *ts, term_id formula, enum comparison how);
/* The same for a formula that is wanted where `given` holds: a case that seems impossible then
 * (points.h) is to be refuted, and not split any further. Where a case says that x = t for a variable x
 * that is not in t, t takes its place. What comes out implies the formula where `given` holds. */
term_id term_by_cases_given(struct terms *ts, term_id given, term_id formula);

#endif
