/* Builders: the only way to make compound terms. They check sorts, normalise (see term.h) and never
 * change the meaning. Any TERM_NONE argument gives TERM_NONE. Where int and real meet, the int is
 * made real. */
#ifndef COUPLET_TERM_BUILD_H
#define COUPLET_TERM_BUILD_H

#include "term/term.h"

/* ---- numbers and arithmetic ----------------------------------------------------------------- */

term_id term_int(struct terms *ts, long value);
/* numerator/denominator as a real; the denominator must not be 0. */
term_id term_rat(struct terms *ts, long numerator, unsigned long denominator);

term_id term_add(struct terms *ts, term_id a, term_id b);
term_id term_sub(struct terms *ts, term_id a, term_id b);
term_id term_neg(struct terms *ts, term_id a);
term_id term_mul(struct terms *ts, term_id a, term_id b);
/* Sum and product of any number; of none: the int 0 / 1. */
term_id term_sum(struct terms *ts, const term_id *args, size_t count);
term_id term_product(struct terms *ts, const term_id *args, size_t count);
term_id term_pow(struct terms *ts, term_id base, unsigned exponent);
/* base^exponent, an int, for a base >= 2 and an int exponent; what it is for a negative exponent is
 * not specified. */
term_id term_raise(struct terms *ts, uint32_t base, term_id exponent);
term_id term_div(struct terms *ts, term_id a, term_id b); /* always real */
term_id term_idiv(struct terms *ts, term_id a, term_id b);
term_id term_mod(struct terms *ts, term_id a, term_id b);
term_id term_to_real(struct terms *ts, term_id a); /* identity on reals */
term_id term_floor(struct terms *ts, term_id a);   /* int; identity on ints */
term_id term_ceil(struct terms *ts, term_id a);
term_id term_abs(struct terms *ts, term_id a);
term_id term_min(struct terms *ts, term_id a, term_id b);
term_id term_max(struct terms *ts, term_id a, term_id b);
term_id term_exp(struct terms *ts, term_id a);
term_id term_ln(struct terms *ts, term_id a);
term_id term_sqrt(struct terms *ts, term_id a);

/* ---- formulas ------------------------------------------------------------------------------- */

term_id term_bool(struct terms *ts, bool value);
term_id term_not(struct terms *ts, term_id a);
term_id term_and(struct terms *ts, term_id a, term_id b);
term_id term_or(struct terms *ts, term_id a, term_id b);
term_id term_and_all(struct terms *ts, const term_id *args, size_t count); /* none: true */
term_id term_or_all(struct terms *ts, const term_id *args, size_t count);  /* none: false */
term_id term_implies(struct terms *ts, term_id a, term_id b);
term_id term_iff(struct terms *ts, term_id a, term_id b);
term_id term_ite(struct terms *ts, term_id cond, term_id a, term_id b);
term_id term_eq(struct terms *ts, term_id a, term_id b);
term_id term_ne(struct terms *ts, term_id a, term_id b);
term_id term_le(struct terms *ts, term_id a, term_id b);
term_id term_lt(struct terms *ts, term_id a, term_id b);
term_id term_ge(struct terms *ts, term_id a, term_id b);
term_id term_gt(struct terms *ts, term_id a, term_id b);

/* Binds free variables of the body; vars[0] is the outermost. */
term_id term_forall(struct terms *ts, const term_id *vars, size_t count, term_id body);
term_id term_exists(struct terms *ts, const term_id *vars, size_t count, term_id body);
/* Over low <= var < high. */
term_id term_forall_range(struct terms *ts, term_id var, term_id low, term_id high, term_id body);
term_id term_exists_range(struct terms *ts, term_id var, term_id low, term_id high, term_id body);

/* ---- data ----------------------------------------------------------------------------------- */

term_id term_app(struct terms *ts, symbol_id symbol, const term_id *args, size_t count);
term_id term_select(struct terms *ts, term_id array, term_id index);
term_id term_store(struct terms *ts, term_id array, term_id index, term_id value);
/* Of two arrays of the same sort, in either order; an int. */
term_id term_differing(struct terms *ts, term_id a, term_id b);
term_id term_nil(struct terms *ts, sort_id list);
term_id term_cons(struct terms *ts, term_id head, term_id tail);
term_id term_append(struct terms *ts, term_id a, term_id b);
term_id term_length(struct terms *ts, term_id list);
term_id term_head(struct terms *ts, term_id list);
term_id term_tail(struct terms *ts, term_id list);
term_id term_tuple(struct terms *ts, const term_id *items, size_t count);
term_id term_proj(struct terms *ts, term_id tuple, size_t index); /* from 0 */

/* Makes `a` fit a place of the given sort: identity, or int to real (also below tuples that are
 * written out). TERM_NONE if it does not fit. */
term_id term_coerce(struct terms *ts, term_id a, sort_id sort);

/* ---- for traversals ------------------------------------------------------------------------- */

/* The term with the same head and these arguments in place of its own, normalised again. */
term_id term_rebuild(struct terms *ts, term_id t, const term_id *args);

#endif
