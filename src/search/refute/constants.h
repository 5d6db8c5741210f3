/* Numbers worth trying: what a program and its claim mention, and their neighbours.
 *
 * A bug that shows only at one value (a cutoff, a category, the end of a range) shows at a number
 * that stands in the text, or next to it. */
#ifndef COUPLET_REFUTE_CONSTANTS_H
#define COUPLET_REFUTE_CONSTANTS_H

#include "base/vec.h"
#include "run/eval/reval.h"

/* Rational numbers, each once, in the order in which they were added. */
typedef VEC(fmpq) number_list;

void numbers_clear(number_list *list);
/* False: it was there, or the list is full. */
bool numbers_add(number_list *list, const fmpq_t x, size_t most);
void numbers_add_ratio(number_list *list, slong num, ulong den, size_t most);

/* The closed parts of an expression, as far as they are numbers in `ev` (parameters are set).
 * Irrational ones count as the whole numbers around them. */
void constants_of(number_list *out, struct reval *ev, const struct ast_expr *e);
void constants_of_block(number_list *out, struct reval *ev, const struct ast_block *block);

#endif
