/* Sums over ranges of indices, `sum i in a..b. e`, in formulas.
 *
 * For every body e there is a function S_e(x, a, b) of the logic, x the variables that e speaks of:
 * parameters, public inputs, inputs of the runs, and what quantifiers around the sum bind (or the
 * witnesses of these). What is known of it are facts of the context, for all a, b, and all values of
 * what is bound:
 *     b <= a -> S_e(x, a, b) = 0          a < b -> S_e(x, a, b) = e(x, a) + S_e(x, a+1, b)
 *     a < b -> S_e(x, a, b) = S_e(x, a, b-1) + e(x, b-1), in a claim about one run
 *     0 <= S_e(x, a, b) and a < b -> e(x, a) <= S_e(x, a, b), if e is an even power, an absolute
 *     value, a number from 0 on, or a sum of these or a choice between them
 *     a < b -> t(x, a)^2 <= S_e(x, a, b)^2 and t(x, a)^2 + S_e(x, a+1, b)^2 <= S_e(x, a, b)^2, if
 *     e = |t|, in other notions than the pure one
 *     0 <= S_e(x, a, b) or a <= w < b and e(x, w) < 0 for w = W_e(x, a, b), if e speaks of
 *     parameters and public inputs only, in a claim about two runs
 *     S_e(x, a, b) = S_e(x', a, b), x' with the runs exchanged, if e is the same for x'
 * If e speaks of an array x of the program, by its item at the index and in a claim about one run,
 * then these instead, for all arrays x, all a, k and v:
 *     k <= a -> S_e(x, a, k) = 0          a <= k -> S_e(x, a, k+1) = S_e(x, a, k) + e(x, k)
 *     a <= k -> S_e(x[k := v], a, k+1) = S_e(x, a, k) + e(x[k := v], k)
 * Functions with these properties exist (W_e is the first index between a and b at which e is
 * negative; if there is none, no summand is), so they are true of every input. (The squares: for
 * S = |t| + S' with S' >= 0, S^2 - t^2 - S'^2 = 2|t|S' >= 0.) Even powers and absolute values are
 * taken of one of t and -t, so that who of two runs comes first does not matter.
 *
 * The text of a proof may use the sums of the claim, no others: facts cannot be added then. */
#ifndef COUPLET_CLAIM_SUMS_H
#define COUPLET_CLAIM_SUMS_H

#include "claim/translate.h"

term_id translate_sum(struct translate_env *env, const struct ast_expr *e);
/* The index in the body of every sum, and the array of the program that it is about. */
term_id sum_index(struct terms *ts);
term_id sum_array(struct terms *ts, sort_id sort);
/* Is this argument of its function that array, or what a quantifier binds: is the function one of
 * all its values? (All other arguments are always the same.) */
bool sum_takes_any(struct terms *ts, term_id arg);

#endif
