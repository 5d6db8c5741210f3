/* Whole arrays in programs. Trusted.
 *
 * In the logic an array is a total map: it has no length. A run sees the length of an array when
 * the array is emitted, returned, compared, copied or handed to somebody. So a program may use a
 * whole array (rather than an element, or its declared length) only if its length is a constant: a
 * term over parameters and public inputs, the same in both runs and for ever. Two arrays that are
 * compared, copied or shown in the same place need the same such term. */
#ifndef COUPLET_CLAIM_WHOLE_ARRAY_H
#define COUPLET_CLAIM_WHOLE_ARRAY_H

#include "claim/translate.h"

/* Is there an array in values of this type? */
bool type_has_array(const struct type *type);
/* The constant length of an expression of array type; TERM_NONE: it has none. */
term_id whole_array_length(struct translate_env *env, const struct ast_expr *e);
/* Are all whole arrays in it of constant length, and those it compares of the same? If not, the
 * mistake is recorded. */
bool whole_arrays_fit(struct translate_env *env, const struct ast_expr *e);

#endif
