#include "search/goals/listed_weights.h"

#include "search/base/lists.h"
#include "term/build.h"
#include "term/subst.h"

/* Exponents that are not the same in both runs for sure; appended. */
static void exponents(struct kernel *k, const struct core *c, term_list *out) {
  struct terms *ts = kernel_terms(k);
  term_list parts = {0};
  if (c->expr != TERM_NONE) term_subterms(ts, c->expr, &parts);
  for (size_t i = 0; c->kind == CORE_SAMPLE && i < c->arg_count; i++)
    term_subterms(ts, c->args[i], &parts);
  for (size_t i = 0; i < parts.len; i++)
    if (term_kind(ts, parts.at[i]) == TERM_EXP && kernel_tag(k, parts.at[i], 1) != parts.at[i])
      terms_add(out, term_arg(ts, parts.at[i], 0));
  vec_clear(&parts);
  if (c->first) exponents(k, c->first, out);
  if (c->second) exponents(k, c->second, out);
}

bool weights_in(struct kernel *k, const struct core *program) {
  term_list found = {0};
  exponents(k, program, &found);
  bool some = found.len > 0;
  vec_clear(&found);
  return some;
}

/* The one value in the exponent that is not public, and how often it counts; TERM_NONE: another
 * kind of exponent. */
static term_id rate_of(struct kernel *k, term_id exponent, term_id *value) {
  struct terms *ts = kernel_terms(k);
  term_list parts = {0};
  *value = TERM_NONE;
  term_subterms(ts, exponent, &parts);
  for (size_t i = 0; i < parts.len; i++) {
    enum term_kind kind = term_kind(ts, parts.at[i]);
    bool is_value = kind == TERM_SELECT || (kind == TERM_VAR && *value == TERM_NONE &&
                                            sort_is_numeric(term_sort(ts, parts.at[i])));
    if (is_value && kernel_tag(k, parts.at[i], 1) != parts.at[i]) *value = parts.at[i];
  }
  vec_clear(&parts);
  if (*value == TERM_NONE) return TERM_NONE;
  term_id next = term_add(ts, *value, term_int(ts, 1));
  term_id rate =
      cost_simplified(ts, term_sub(ts, term_replace(ts, exponent, value, &next, 1), exponent));
  return rate == TERM_NONE || kernel_tag(k, rate, 1) != rate ? TERM_NONE : rate;
}

static void add_cost(struct terms *ts, term_id rate, term_id distance, term_list *out) {
  term_id cost = cost_simplified(ts, term_mul(ts, rate, distance));
  if (cost != TERM_NONE) terms_add(out, cost);
}

void weights_costs(const struct known *known, struct kernel *k, const struct core *program,
                   term_list *out) {
  struct terms *ts = kernel_terms(k);
  term_list found = {0}, wide = {0};
  exponents(k, program, &found);
  for (size_t i = 0; i < found.len; i++) {
    term_id value, rate = rate_of(k, found.at[i], &value);
    if (rate == TERM_NONE) continue;
    term_id d = term_sub(ts, kernel_tag(k, value, 1), kernel_tag(k, value, 2));
    struct bounds b = known_bounds(known, TERM_NONE, d);
    if (b.low == TERM_NONE || b.high == TERM_NONE) continue;
    add_cost(ts, rate, known_larger(known, b.high, term_neg(ts, b.low)), out);
    add_cost(ts, rate, term_sub(ts, b.high, b.low), &wide);
  }
  for (size_t i = 0; i < wide.len; i++)
    terms_add(out, wide.at[i]);
  vec_clear(&found);
  vec_clear(&wide);
}
