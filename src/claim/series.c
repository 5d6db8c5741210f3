#include "claim/series.h"

#include "kernel/context.h"
#include "term/build.h"

term_id series_odd(struct translate_env *env, struct span span, term_id g, term_id k) {
  struct terms *ts = env->ts;
  const sort_id sorts[] = {SORT_REAL, SORT_INT};
  symbol_id symbol =
      symbol_declare(ts, "stops_odd#", sorts, 2, SORT_REAL); /* no name of a source */
  term_id args[] = {term_coerce(ts, g, SORT_REAL), k};
  if (symbol == SYMBOL_NONE || args[0] == TERM_NONE || term_sort(ts, k) != SORT_INT)
    return translate_fail(env, span, "`stops_odd` takes a number and an integer");
  return term_app(ts, symbol, args, 2);
}

void series_assume(struct translate_env *env, struct span span) {
  struct terms *ts = env->ts;
  term_id vars[] = {kernel_fresh(env->k, "g", SORT_REAL), kernel_fresh(env->k, "k", SORT_INT),
                    kernel_fresh(env->k, "next", SORT_INT)};
  term_id g = vars[0], k = vars[1], next = vars[2], zero = term_rat(ts, 0, 1);
  term_id one = term_int(ts, 1), here = series_odd(env, span, g, k);
  if (here == TERM_NONE) return;
  /* `next` has a name so that an instance needs two terms that are there */
  term_id follows = term_and(ts, term_le(ts, one, k), term_eq(ts, next, term_add(ts, k, one)));
  term_id odd = term_eq(ts, term_mod(ts, k, term_int(ts, 2)), one);
  term_id stops = term_ite(ts, odd, term_sub(ts, k, g), zero);
  term_id rest = term_mul(ts, g, series_odd(env, span, g, next));
  term_id step = term_eq(ts, term_mul(ts, k, here), term_add(ts, stops, rest));
  translate_assume(env, span, term_forall(ts, vars, 3, term_implies(ts, follows, step)));
  term_id given[] = {term_le(ts, one, k), term_le(ts, zero, g), term_le(ts, g, k)};
  term_id range = term_and(ts, term_le(ts, zero, here), term_le(ts, here, term_rat(ts, 1, 1)));
  translate_assume(env, span,
                   term_forall(ts, vars, 2, term_implies(ts, term_and_all(ts, given, 3), range)));
  term_id first = term_eq(ts, series_odd(env, span, g, one), term_exp(ts, term_neg(ts, g)));
  translate_assume(env, span, term_forall(ts, vars, 1, first));
}
