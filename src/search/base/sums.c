#include "search/base/sums.h"

#include "claim/sums.h"
#include "claim/translate.h"
#include "search/base/lists.h"
#include "term/build.h"
#include "term/subst.h"

/* What a quantifier binds, not an array. */
static bool is_choice(const struct auto_problem *p, term_id arg) {
  return sum_takes_any(p->ts, arg) &&
         sort_get(p->ts, term_sort(p->ts, arg))->kind != SORT_KIND_ARRAY;
}

bool sum_read(const struct auto_problem *p, term_id t, struct sum_term *out) {
  const struct translate_env *env = claim_env(p->goal);
  if (term_kind(p->ts, t) != TERM_APP) return false;
  size_t count = term_arg_count(p->ts, t);
  for (size_t i = 0; i < env->sums.len; i++) {
    const struct translate_sum *s = &env->sums.at[i];
    if (term_get(p->ts, t)->data != s->symbol || count != s->arg_count + 2) continue;
    bool same = true; /* not of the runs exchanged */
    for (size_t a = 0; a < s->arg_count; a++)
      same &= term_arg(p->ts, t, a) == s->args[a] || is_choice(p, s->args[a]);
    *out = (struct sum_term){s, t, term_arg(p->ts, t, count - 2), term_arg(p->ts, t, count - 1)};
    return same;
  }
  return false;
}

term_id sum_body_at(const struct auto_problem *p, const struct translate_sum *sum, term_id app,
                    term_id index) {
  term_list from = {0}, to = {0};
  for (size_t a = 0; a < sum->arg_count; a++) {
    if (!sum_takes_any(p->ts, sum->args[a])) continue;
    vec_push(&from, sum->args[a]);
    vec_push(&to, term_arg(p->ts, app, a));
  }
  vec_push(&from, sum_index(p->ts));
  vec_push(&to, index);
  term_id body = term_subst(p->ts, sum->body, from.at, to.at, from.len);
  vec_clear(&from);
  vec_clear(&to);
  return body;
}

term_id sum_at(const struct auto_problem *p, const struct sum_term *s, term_id index) {
  return sum_body_at(p, s->sum, s->app, index);
}

term_id sum_over(const struct auto_problem *p, const struct sum_term *s, term_id low,
                 term_id high) {
  term_list args = {0};
  for (size_t i = 0; i < s->sum->arg_count; i++)
    vec_push(&args, term_arg(p->ts, s->app, i));
  vec_push(&args, low);
  vec_push(&args, high);
  term_id t = term_app(p->ts, s->sum->symbol, args.at, args.len);
  vec_clear(&args);
  return t;
}

void sums_assumed(struct auto_problem *p, term_list *out) {
  const struct kernel *k = claim_kernel(p->goal, CLAIM_FORWARD);
  if (!claim_env(p->goal)->sums.len) return;
  for (size_t i = 0; i < kernel_fact_count(k); i++) {
    term_list parts = {0};
    struct sum_term s;
    term_id fact = kernel_fact(k, i);
    if (term_kind(p->ts, fact) != TERM_FORALL) term_subterms(p->ts, fact, &parts);
    for (size_t j = 0; j < parts.len; j++)
      if (sum_read(p, parts.at[j], &s)) terms_add(out, parts.at[j]);
    vec_clear(&parts);
  }
}

term_id sums_at_most(struct auto_problem *p, term_id t) {
  const struct kernel *k = claim_kernel(p->goal, CLAIM_FORWARD);
  struct sum_term s;
  for (size_t i = 0; i < kernel_fact_count(k) && claim_env(p->goal)->sums.len; i++) {
    term_id fact = kernel_fact(k, i);
    enum term_kind kind = term_kind(p->ts, fact);
    if ((kind != TERM_LE && kind != TERM_EQ) || !sum_read(p, term_arg(p->ts, fact, 0), &s))
      continue;
    term_id most = term_arg(p->ts, fact, 1);
    t = term_replace(p->ts, t, &s.app, &most, 1);
  }
  return t;
}
