/* Meanings for abstract types and operators, where the source has no instance.
 *
 * A type is represented by numbers, an operator by one of a few simple expressions in its
 * arguments. Whether the axioms hold there is checked as for any instance. */
#ifndef COUPLET_REFUTE_INTERPRET_H
#define COUPLET_REFUTE_INTERPRET_H

#include "search/refute/program_refute.h"

enum { INTERPRETATIONS = 6 };

/* Has the module anything abstract that an interpretation could explain? */
bool interpret_is_needed(const struct program_claim *claim);
/* The k-th interpretation as the text of an instance (xmalloc'd); NULL: some operator is beyond
 * it. */
char *interpret_text(const struct program_claim *claim, size_t k);

#endif
