#include "auto/release.h"

#include "auto/complete.h"
#include "auto/text.h"
#include "kernel/dist.h"
#include "term/build.h"
#include "term/subst.h"

enum { MAX_EVENTS = 12, PROMISE_RELEASE = 5 };

struct release {
  struct auto_problem *p;
  struct auto_search *s;
  struct terms *ts;
  struct kernel *k;
  term_list stable; /* conditions of run 1 under which something is equal in both runs */
  size_t tried;
};

static bool is_in(term_id t, const term_list *list) {
  for (size_t i = 0; i < list->len; i++)
    if (list->at[i] == t) return true;
  return false;
}

/* ---- conditions of stability ----------------------------------------------------------------- */

/* Is it about run 1 alone, and about something of it? */
static bool is_of_run_one(struct release *r, term_id t) {
  term_list vars = {0};
  bool some = false, other = false;
  term_free_vars(r->ts, t, &vars);
  for (size_t i = 0; i < vars.len; i++) {
    some |= term_var_get(r->ts, vars.at[i])->run == 1;
    other |= term_var_get(r->ts, vars.at[i])->run == 2;
  }
  vec_clear(&vars);
  return some && !other;
}

/* An instance a1 -> ... -> an -> (s = t): the premises that adjacency does not give. */
static void add_premises(struct release *r, term_id formula) {
  term_list premises = {0};
  while (term_kind(r->ts, formula) == TERM_IMPLIES) {
    term_conjuncts(r->ts, term_arg(r->ts, formula, 0), &premises);
    formula = term_arg(r->ts, formula, 1);
  }
  bool is_equation = term_kind(r->ts, formula) == TERM_EQ;
  for (size_t i = 0; i < premises.len && is_equation; i++)
    if (is_of_run_one(r, premises.at[i]) && !is_in(premises.at[i], &r->stable) &&
        !auto_follows(r->p, premises.at[i]))
      vec_push(&r->stable, premises.at[i]);
  vec_clear(&premises);
}

/* The quantified variables as private inputs, the first of them in run 1. */
static void add_instances(struct release *r, term_id formula, unsigned run) {
  if (term_kind(r->ts, formula) != TERM_FORALL) {
    add_premises(r, formula);
    return;
  }
  for (size_t i = 0; i < kernel_var_count(r->k); i++) {
    term_id input = kernel_var_at(r->k, i);
    if (term_sort(r->ts, input) != term_get(r->ts, formula)->binder) continue;
    add_instances(r, term_instantiate(r->ts, formula, term_var_in_run(r->ts, input, run)), 2);
    if (run == 2)
      add_instances(r, term_instantiate(r->ts, formula, term_var_in_run(r->ts, input, 1)), run);
  }
}

/* ---- proposals ------------------------------------------------------------------------------- */

static void propose(struct release *r, const struct core *sampling, term_id event) {
  const char *name = text_is_named(r->p, sampling->var) ? text_of(r->p, sampling->var) : NULL;
  const char *text = event == TERM_NONE ? NULL : text_of(r->p, event);
  if (!name || !text || r->tried++ >= MAX_EVENTS) return;
  text = arena_printf(r->p->arena, "{ sample %s: shift 0 upto (%s); }", name, text);
  complete_block(r->p, r->s, text, PROMISE_RELEASE);
}

/* x is compared with h: either side may be the one that is not to be left. */
static void propose_events(struct release *r, const struct core *sampling, term_id comparison) {
  term_id x = kernel_tag(r->k, sampling->var, 1);
  term_id a = kernel_tag(r->k, term_arg(r->ts, comparison, 0), 1),
          b = kernel_tag(r->k, term_arg(r->ts, comparison, 1), 1);
  if (a == term_to_real(r->ts, x)) a = x;
  if (b == term_to_real(r->ts, x)) b = x;
  term_id h = a == x ? b : a;
  if ((a != x && b != x) || term_mentions(r->ts, h, &x, 1)) return;
  for (size_t i = 0; i < r->stable.len; i++)
    for (int below = 0; below < 2 && !auto_done(r->s); below++) {
      term_id safe = below ? term_le(r->ts, h, x) : term_le(r->ts, x, h);
      propose(r, sampling, term_implies(r->ts, term_not(r->ts, r->stable.at[i]), safe));
    }
}

/* The comparisons of the sample in the conditions of c. */
static void find_comparisons(struct release *r, const struct core *sampling, const struct core *c) {
  if (c->kind != CORE_SEQ && c->kind != CORE_IF) return;
  term_list parts = {0};
  if (c->kind == CORE_IF) term_subterms(r->ts, c->expr, &parts);
  for (size_t i = 0; i < parts.len && !auto_done(r->s); i++) {
    enum term_kind kind = term_kind(r->ts, parts.at[i]);
    if (kind == TERM_LE || kind == TERM_LT) propose_events(r, sampling, parts.at[i]);
  }
  vec_clear(&parts);
  find_comparisons(r, sampling, c->first);
  find_comparisons(r, sampling, c->second);
}

void auto_release(struct auto_problem *p, struct auto_search *s) {
  term_id delta = claim_delta(p->goal);
  bool has_delta = !term_is_num(p->ts, delta) || !fmpq_is_zero(term_num_value(p->ts, delta));
  if (!has_delta || p->wants_least) return;
  struct release r = {.p = p, .s = s, .ts = p->ts, .k = claim_kernel(p->goal, CLAIM_FORWARD)};
  for (size_t i = 0; i < kernel_fact_count(r.k); i++)
    if (term_kind(p->ts, kernel_fact(r.k, i)) == TERM_FORALL)
      add_instances(&r, kernel_fact(r.k, i), 1);
  const struct core *c = claim_program(p->goal)->program;
  for (; r.stable.len && c->kind == CORE_SEQ; c = c->second)
    if (c->first->kind == CORE_SAMPLE && dist_has_tail(c->first->dist))
      find_comparisons(&r, c->first, c->second);
  vec_clear(&r.stable);
}
