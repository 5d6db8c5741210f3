/* Which integers stand for all of them in a formula.
 *
 * The truth of a formula F may depend on an integer v only through comparisons with numbers that do
 * not depend on other variables, and through v mod m: operators of an instance, such as
 * `op w(i) = if i mod 2 = 0 then x else -x`, read an argument in no other way. Let low and high be the
 * least and the greatest of these numbers, rounded outwards, and P the least common multiple of all
 * m. Beyond high, the comparisons do not change any more, so F(v) = F(v + P) for v > high, and likewise
 * below low. Hence low - P .. high + P has every truth value that F has. */
#ifndef COUPLET_RUN_EVAL_COVER_H
#define COUPLET_RUN_EVAL_COVER_H

#include "run/eval/reval.h"

enum { COVER_MAX_PERIOD = 1000, COVER_MAX_RANGE = 10 * 1000 };

/* The meaning of the operator is the same for i and i + period in place of this argument; 0: not
 * known. */
unsigned cover_period(const struct ast_binding *meaning, size_t arg);
unsigned cover_common(unsigned a, unsigned b); /* the least common multiple; 0 if one is 0, or too
                                                  large */

/* The integers low, ..., high - 1 stand for all of those that binder k of the quantifier ranges over.
 * Both are initialised. */
bool cover_integers(struct reval *ev, const struct ast_expr *quantifier, size_t k, fmpz *low,
                    fmpz *high);

#endif
