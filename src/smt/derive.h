/* Symbolic derivatives. */
#ifndef COUPLET_SMT_DERIVE_H
#define COUPLET_SMT_DERIVE_H

#include "term/term.h"

/* The derivative of a real term with respect to a real variable, wherever the term and the result
 * are defined (no divisor 0, arguments of ln and sqrt positive). TERM_NONE if the term is not built
 * from numbers, variables, + * / ^ exp ln sqrt, as far as the variable occurs in it. */
term_id term_derivative(struct terms *ts, term_id t, term_id var);

#endif
