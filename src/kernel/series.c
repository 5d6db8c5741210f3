#include "kernel/series.h"

#include "term/build.h"
#include "term/subst.h"

/* Not names of the language. */
static symbol_id odd_symbol(struct terms *ts) {
  const sort_id sorts[] = {SORT_REAL, SORT_INT};
  return symbol_declare(ts, "stops_odd#", sorts, 2, SORT_REAL);
}

static symbol_id squares_symbol(struct terms *ts) {
  const sort_id sort = SORT_REAL;
  return symbol_declare(ts, "sum of squares#", &sort, 1, SORT_REAL);
}

term_id series_squares(struct terms *ts, term_id s) {
  symbol_id symbol = squares_symbol(ts);
  term_id arg = s == TERM_NONE ? TERM_NONE : term_coerce(ts, s, SORT_REAL);
  return symbol == SYMBOL_NONE || arg == TERM_NONE ? TERM_NONE : term_app(ts, symbol, &arg, 1);
}

term_id series_odd(struct terms *ts, term_id g, term_id k) {
  symbol_id s = odd_symbol(ts);
  term_id args[] = {g == TERM_NONE ? g : term_coerce(ts, g, SORT_REAL), k};
  bool fits = s != SYMBOL_NONE && args[0] != TERM_NONE && k != TERM_NONE;
  return fits && term_sort(ts, k) == SORT_INT ? term_app(ts, s, args, 2) : TERM_NONE;
}

static void add(series_facts *out, term_id when, term_id a, term_id b) {
  vec_push(out, (struct series_fact){when, a, b});
}

static void add_equation(series_facts *out, term_id when, term_id a, term_id b) {
  add(out, when, a, b);
  add(out, when, b, a);
}

static void know_squares(struct terms *ts, term_id value, series_facts *out) {
  add(out, term_lt(ts, term_rat(ts, 0, 1), term_arg(ts, value, 0)), term_rat(ts, 1, 1), value);
}

static void know_odd(struct terms *ts, term_id value, series_facts *out) {
  term_id g = term_arg(ts, value, 0), k = term_arg(ts, value, 1), one = term_int(ts, 1);
  term_id odd = term_eq(ts, term_mod(ts, k, term_int(ts, 2)), one), counts = term_le(ts, one, k);
  term_id zero = term_rat(ts, 0, 1), here = term_mul(ts, k, value);
  term_id next = term_mul(ts, g, series_odd(ts, g, term_add(ts, k, one)));
  add_equation(out, term_and(ts, counts, odd), here, term_add(ts, term_sub(ts, k, g), next));
  add_equation(out, term_and(ts, counts, term_not(ts, odd)), here, next);
  term_id given[] = {counts, term_le(ts, zero, g), term_le(ts, g, k)};
  add(out, term_and_all(ts, given, 3), zero, value);
  add(out, term_and_all(ts, given, 3), value, term_rat(ts, 1, 1));
  term_id start = term_exp(ts, term_neg(ts, g));
  if (k == one) add_equation(out, ts->true_term, start, value);
  if (k == term_int(ts, 2))
    add_equation(out, ts->true_term, start,
                 term_add(ts, term_sub(ts, one, g), term_mul(ts, g, value)));
}

void series_known(struct terms *ts, term_id t, series_facts *out) {
  term_list parts = {0};
  term_subterms(ts, t, &parts);
  for (size_t i = 0; i < parts.len; i++) {
    if (term_kind(ts, parts.at[i]) != TERM_APP) continue;
    symbol_id of = (symbol_id)term_get(ts, parts.at[i])->data;
    if (of == odd_symbol(ts)) know_odd(ts, parts.at[i], out);
    if (of == squares_symbol(ts)) know_squares(ts, parts.at[i], out);
  }
  vec_clear(&parts);
}
