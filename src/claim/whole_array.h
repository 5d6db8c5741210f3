/* Whole arrays. Trusted.
 *
 * In the logic an array is a total map: it has no length. A run sees the length of an array when
 * the array is emitted, returned, compared, copied or handed to somebody. So a program may use a
 * whole array (rather than an element, or its declared length) only if its length is a constant: a
 * term over parameters and public inputs, the same in both runs and for ever. Two arrays that are
 * compared, copied or shown in the same place need the same such term; so do those that a call of a
 * procedure may return. A tuple that is written out has a place for each of its items; a variable
 * cannot hold a tuple with arrays. In formulas this holds for arrays that are compared or given to
 * an operator.
 *
 * Then nothing is lost: an array of length n is the map that has a default outside 0..n-1, two of
 * them are equal iff their maps are, and claims hold for all maps. */
#ifndef COUPLET_CLAIM_WHOLE_ARRAY_H
#define COUPLET_CLAIM_WHOLE_ARRAY_H

#include "claim/translate.h"

/* Is there an array in values of this type? */
bool type_has_array(const struct type *type);
/* The constant length of an array that a program may use as a whole; TERM_NONE: it has none. */
term_id whole_array_length(struct translate_env *env, const struct ast_expr *e);
/* The same, wherever it is used; also of elements, operators and parameters. */
term_id array_length(struct translate_env *env, const struct ast_expr *e);
/* Are all whole arrays in it of constant length? If not, the mistake is recorded. */
bool whole_arrays_fit(struct translate_env *env, const struct ast_expr *e);
/* Two operands of = or !=: have arrays the same constant lengths? If not, the mistake is recorded.
 */
bool whole_arrays_alike(struct translate_env *env, const struct ast_expr *a,
                        const struct ast_expr *b);
/* A value for this argument of an operator: has it the lengths of all others? The operator is a
 * function of maps. If not, the mistake is recorded. */
bool whole_array_may_be(struct translate_env *env, const struct ast_var *arg,
                        const struct ast_expr *e);

#endif
