#include "search/goals/listed_price.h"

#include "kernel/outcome_point.h"
#include "term/build.h"
#include "term/subst.h"

struct worst {
  const struct pricing *how;
  struct terms *ts;
  term_id ratio; /* the largest so far */
  size_t leaves;
  bool failed;
};

static bool is_private(const struct terms *ts, term_id t) {
  return term_in_run(ts, t, 1) || term_in_run(ts, t, 2);
}

static void note_ratio(struct worst *w, term_id p1, term_id p2) {
  struct terms *ts = w->ts;
  if (p1 == term_rat(ts, 0, 1)) return;
  term_id ratio = cost_simplified(ts, term_div(ts, p1, p2));
  if (ratio == TERM_NONE || p2 == term_rat(ts, 0, 1) || is_private(ts, ratio)) {
    w->failed = true;
  } else if (w->ratio == TERM_NONE || points_at_most(w->how->points, w->ratio, ratio)) {
    w->ratio = ratio;
  } else if (!points_at_most(w->how->points, ratio, w->ratio)) {
    w->failed = true;
  }
}

/* The condition of the first choice in p1 or p2, parts before wholes. */
static term_id first_condition(struct terms *ts, term_id p1, term_id p2) {
  term_list parts = {0};
  term_subterms(ts, p1, &parts);
  term_subterms(ts, p2, &parts);
  term_id found = TERM_NONE;
  for (size_t i = 0; i < parts.len && found == TERM_NONE; i++)
    if (term_kind(ts, parts.at[i]) == TERM_ITE) found = term_arg(ts, parts.at[i], 0);
  vec_clear(&parts);
  return found;
}

static void by_cases(struct worst *w, term_id given, term_id p1, term_id p2) {
  struct terms *ts = w->ts;
  if (w->failed || p1 == TERM_NONE || p2 == TERM_NONE || ++w->leaves > PRICE_LEAVES) {
    w->failed = true;
    return;
  }
  term_id c = first_condition(ts, p1, p2);
  if (c == TERM_NONE) {
    if (p1 == p2 && w->ratio != TERM_NONE) return;
    if (given == ts->true_term || !known_entails(w->how->known, given, ts->false_term))
      note_ratio(w, p1, p2);
    return;
  }
  for (int holds = 0; holds < 2; holds++) {
    term_id from[] = {c, term_not(ts, c)};
    term_id to[] = {term_bool(ts, holds), term_bool(ts, !holds)};
    by_cases(w, term_and(ts, given, from[!holds]), term_replace(ts, p1, from, to, 2),
             term_replace(ts, p2, from, to, 2));
  }
}

static void by_values(struct worst *w, size_t next, term_id given, term_id p1, term_id p2) {
  struct terms *ts = w->ts;
  if (w->failed || p1 == TERM_NONE || p2 == TERM_NONE) {
    w->failed = true;
    return;
  }
  if (next == 2 * w->how->range_count) {
    by_cases(w, given, p1, p2);
    return;
  }
  const struct finite_range *r = &w->how->ranges[next / 2];
  term_id x = kernel_tag(w->how->k, r->value, 1 + next % 2);
  for (long v = r->low; v <= r->high; v++) {
    term_id value = term_int(ts, v);
    by_values(w, next + 1, term_and(ts, given, term_eq(ts, x, value)),
              term_replace(ts, p1, &x, &value, 1), term_replace(ts, p2, &x, &value, 1));
  }
}

static term_id probability(struct worst *w, const struct outcomes *o, const term_id *values) {
  struct terms *ts = w->ts;
  term_id sum = term_rat(ts, 0, 1);
  for (size_t i = 0; i < o->list.len; i++)
    sum = term_add(ts, sum, outcome_mass(w->how->k, &o->list.at[i], values, w->how->key_count));
  return sum == TERM_NONE ? TERM_NONE
                          : term_replace(ts, sum, w->how->from, w->how->to, w->how->decided);
}

static void price_outcome(struct worst *w, const struct outcome *o, const struct outcomes *one,
                          const struct outcomes *two) {
  struct outcome_any any;
  if (outcome_any(w->how->k, o, w->how->key_count, &any))
    by_values(w, 0, any.possible, probability(w, one, any.values), probability(w, two, any.values));
  else
    w->failed = true;
  vec_clear(&any.names);
}

term_id price_of_outcomes(const struct pricing *how) {
  struct terms *ts = how->p->ts;
  struct worst w = {.how = how, .ts = ts};
  struct outcomes one = {0}, two = {0};
  bool ok = outcomes_of(how->k, "search", how->code, 1, how->keys, how->key_count, &one) &&
            outcomes_of(how->k, "search", how->code, 2, how->keys, how->key_count, &two) &&
            one.list.len * two.list.len < 4096;
  for (size_t i = 0; ok && !w.failed && i < one.list.len; i++)
    price_outcome(&w, &one.list.at[i], &one, &two);
  outcomes_free(&one);
  outcomes_free(&two);
  if (!ok || w.failed || w.ratio == TERM_NONE) return TERM_NONE;
  return w.ratio == term_rat(ts, 1, 1) ? term_rat(ts, 0, 1)
                                       : cost_simplified(ts, term_ln(ts, w.ratio));
}
