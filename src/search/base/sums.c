#include "search/base/sums.h"

#include "claim/sums.h"
#include "claim/translate.h"
#include "search/base/lists.h"
#include "term/build.h"
#include "term/subst.h"

bool sum_read(const struct auto_problem *p, term_id t, struct sum_term *out) {
  const struct translate_env *env = claim_env(p->goal);
  if (term_kind(p->ts, t) != TERM_APP) return false;
  size_t count = term_arg_count(p->ts, t);
  for (size_t i = 0; i < env->sums.len; i++) {
    const struct translate_sum *s = &env->sums.at[i];
    if (term_get(p->ts, t)->data != s->symbol || count != s->arg_count + 2) continue;
    bool same = true; /* not of the runs exchanged */
    for (size_t a = 0; a < s->arg_count; a++)
      same &= term_arg(p->ts, t, a) == s->args[a];
    *out = (struct sum_term){s, term_arg(p->ts, t, count - 2), term_arg(p->ts, t, count - 1)};
    return same;
  }
  return false;
}

term_id sum_at(const struct auto_problem *p, const struct sum_term *s, term_id index) {
  term_id at = sum_index(p->ts);
  return term_subst(p->ts, s->sum->body, &at, &index, 1);
}

term_id sum_over(const struct auto_problem *p, const struct sum_term *s, term_id low,
                 term_id high) {
  term_list args = {0};
  for (size_t i = 0; i < s->sum->arg_count; i++)
    vec_push(&args, s->sum->args[i]);
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
