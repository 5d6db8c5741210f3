/* Entailments: splits a goal into parts and has each decided (decide.h). The splitting is only
 * propositional and first-order bookkeeping:
 *   H |- A and B      if  H |- A  and  H |- B
 *   H |- A -> B       if  H, A |- B
 *   H |- forall x. A  if  H |- A with a fresh x
 *   H |- label(A)     if  H |- A  (and a failure is reported as that label says)  */
#include "base/budget.h"
#include "check/referee/referee.h"
#include "kernel/internal.h"
#include "term/build.h"
#include "term/memo.h"
#include "term/subst.h"

enum { BATCH = 32 };

/* A part of a goal that cannot be split: context and formula, and whom to blame. */
struct leaf {
  term_id given; /* conjunction of what was assumed on the way down */
  term_id goal;
  const char *rule, *what;
  enum failure_cause cause;
  struct span span;
};

struct goal {
  struct kernel *k;
  const char *rule, *what;
  enum failure_cause cause;
  struct span span;
  term_list shared; /* hypotheses of the whole goal */
  term_list given;
  VEC(struct leaf) leaves;
};

static const struct label *find_label(const struct kernel *k, term_id t) {
  if (term_kind(k->terms, t) != TERM_APP) return NULL;
  symbol_id symbol = term_get(k->terms, t)->data;
  for (size_t i = 0; i < k->labels->list.len; i++)
    if (k->labels->list.at[i].symbol == symbol) return &k->labels->list.at[i];
  return NULL;
}

/* Collects the leaves of the goal. False if a formula could not be built. */
static bool split(struct goal *g, term_id goal) {
  struct terms *ts = g->k->terms;
  if (goal == TERM_NONE) return false;
  const struct label *label = find_label(g->k, goal);
  if (label) {
    const char *rule = g->rule, *what = g->what;
    struct span span = g->span;
    enum failure_cause cause = g->cause;
    g->rule = label->rule;
    g->what = label->what;
    g->cause = label->cause;
    g->span = label->span;
    bool ok = split(g, term_arg(ts, goal, 0));
    g->rule = rule;
    g->what = what;
    g->cause = cause;
    g->span = span;
    return ok;
  }
  switch (term_kind(ts, goal)) {
  case TERM_TRUE: return true;
  case TERM_AND:
    for (size_t i = 0; i < term_arg_count(ts, goal); i++)
      if (!split(g, term_arg(ts, goal, i))) return false;
    return true;
  case TERM_IMPLIES: {
    term_id given = kernel_strip(g->k, term_arg(ts, goal, 0));
    if (given == TERM_NONE) return false;
    vec_push(&g->given, given);
    bool ok = split(g, term_arg(ts, goal, 1));
    g->given.len--;
    return ok;
  }
  case TERM_FORALL: {
    term_id var;
    return split(g, term_open(ts, goal, &var));
  }
  default: {
    struct leaf leaf = {.given = term_and_all(ts, g->given.at, g->given.len),
                        .goal = kernel_strip(g->k, goal),
                        .rule = g->rule,
                        .what = g->what,
                        .cause = g->cause,
                        .span = g->span};
    vec_push(&g->leaves, leaf);
    return leaf.given != TERM_NONE && leaf.goal != TERM_NONE;
  }
  }
}

/* ---- leaves ---------------------------------------------------------------------------------- */

static void record(struct kernel *k, const struct leaf *l, struct kernel_obligation how) {
  how.rule = l->rule;
  how.what = l->what;
  how.span = l->span;
  how.goal = term_implies(k->terms, l->given, l->goal);
  vec_push(&k->obligations, how);
}

static void blame(struct kernel *k, const struct leaf *l, const char *message) {
  kernel_fail(k, l->rule, l->span, "%s: %s", l->what, message);
  k->failure.formula = l->goal;
  k->failure.cause = l->cause;
}

/* Conjuncts of the hypotheses, each once: refutations refer to them by number. */
static void flatten(struct terms *ts, const term_list *hypotheses, term_list *out) {
  struct memo seen;
  memo_init(&seen);
  term_list parts = {0};
  for (size_t i = 0; i < hypotheses->len; i++)
    term_conjuncts(ts, hypotheses->at[i], &parts);
  for (size_t i = 0; i < parts.len; i++) {
    uint32_t known;
    if (parts.at[i] == ts->true_term || memo_find(&seen, parts.at[i], &known)) continue;
    memo_put(&seen, parts.at[i], 1);
    vec_push(out, parts.at[i]);
  }
  vec_clear(&parts);
  memo_clear(&seen);
}

static bool is_hypothesis(const struct sequent *s) {
  for (size_t i = 0; i < s->count; i++)
    if (s->hypotheses[i] == s->goal) return true;
  return false;
}

/* Is there a refutation that the referee accepts? If not, *why says what is wrong. */
static bool refuted(struct kernel *k, const struct sequent *s, size_t *steps, const char **why) {
  struct refutation r;
  refutation_init(&r);
  size_t where = 0;
  *why = "there is no refutation";
  bool ok = k->decider->refute(k->decider, k->terms, s, &r, why);
  if (ok) {
    ok = referee_accepts(k->terms, s, &r, why, &where);
    if (!ok)
      *why = arena_printf(&k->arena, "the referee rejects step %zu of its refutation: %s", where,
                          *why);
  }
  *steps = r.steps.len;
  refutation_clear(&r);
  return ok;
}

/* With evidence: the only way to a proof. */
static bool show(struct goal *g, const struct leaf *l, const char **why, double *seconds) {
  struct kernel *k = g->k;
  int64_t start = budget_now_ns();
  term_list hypotheses = {0};
  flatten(k->terms, &g->shared, &hypotheses);
  struct sequent s = {hypotheses.at, hypotheses.len, l->goal};
  struct kernel_obligation how = {.method = "hypothesis"};
  how.proved = is_hypothesis(&s);
  if (!how.proved) {
    how.method = "referee";
    how.proved = refuted(k, &s, &how.steps, why);
  }
  *seconds = how.seconds = (double)(budget_now_ns() - start) * 1e-9;
  vec_clear(&hypotheses);
  if (how.proved || !k->decider->believe) record(k, l, how);
  return how.proved;
}

/* On somebody's word; `spent`: how long evidence was looked for. */
static bool believe(struct goal *g, const struct leaf *l, double spent) {
  struct kernel *k = g->k;
  struct sequent s = {g->shared.at, g->shared.len, l->goal};
  struct question q = {.rule = l->rule, .place = l->span, .sequent = &s};
  struct answer a = {.method = "none"};
  k->decider->believe(k->decider, k->terms, &q, &a);
  bool holds = a.belief == BELIEF_HOLDS;
  record(k, l,
         (struct kernel_obligation){.proved = holds,
                                    .believed = holds,
                                    .seconds = spent + a.seconds,
                                    .method = a.method,
                                    .cross_checked = a.cross_checked});
  k->believes |= holds;
  if (!holds) {
    blame(k, l,
          a.belief == BELIEF_FAILS ? "does not hold"
                                   : arena_printf(&k->arena, "could not be proved (%s)",
                                                  a.reason ? a.reason : "unknown"));
    if (a.model) k->failure.model = arena_printf(&k->arena, "%s", a.model);
  }
  free(a.reason);
  free(a.model);
  return holds;
}

/* Decides one leaf. */
static bool decide_leaf(struct goal *g, const struct leaf *l) {
  struct kernel *k = g->k;
  const char *why = "nobody was asked";
  vec_push(&g->shared, l->given);
  double spent = 0;
  bool ok = false;
  if (k->decider && k->decider->refute) ok = show(g, l, &why, &spent);
  if (!ok && k->decider && k->decider->believe) {
    ok = believe(g, l, spent);
  } else if (!ok) {
    blame(k, l, why);
    k->failure.lacks_evidence = true;
  }
  g->shared.len--;
  return ok;
}

/* Several leaves at once: cheaper when all hold, as they nearly always do. */
static bool believe_together(struct goal *g, size_t from, size_t to) {
  struct kernel *k = g->k;
  term_id all = k->yes;
  for (size_t i = from; i < to; i++)
    all = term_and(k->terms, all,
                   term_implies(k->terms, g->leaves.at[i].given, g->leaves.at[i].goal));
  struct sequent s = {g->shared.at, g->shared.len, all};
  struct question q = {.rule = g->leaves.at[from].rule,
                       .place = g->leaves.at[from].span,
                       .sequent = &s,
                       .is_batch = true};
  struct answer a = {.method = "none"};
  k->decider->believe(k->decider, k->terms, &q, &a);
  bool holds = a.belief == BELIEF_HOLDS;
  for (size_t i = from; holds && i < to; i++)
    record(k, &g->leaves.at[i],
           (struct kernel_obligation){.proved = true,
                                      .believed = true,
                                      .seconds = i == from ? a.seconds : 0,
                                      .method = a.method,
                                      .cross_checked = a.cross_checked});
  k->believes |= holds;
  free(a.reason);
  free(a.model);
  return holds;
}

/* Leaves about the budget are products and quotients, hard enough one by one; the others go
 * together, if somebody is to be believed. */
static bool decide_leaves(struct goal *g) {
  struct kernel *k = g->k;
  bool together = k->decider && !k->decider->refute && k->decider->believe;
  size_t easy = 0;
  for (size_t i = 0; together && i < g->leaves.len; i++)
    if (!term_mentions(k->terms, g->leaves.at[i].goal, &k->budget, 1)) {
      struct leaf leaf = g->leaves.at[i];
      g->leaves.at[i] = g->leaves.at[easy];
      g->leaves.at[easy++] = leaf;
    }
  bool ok = true;
  for (size_t i = 0; i < easy && ok;) {
    size_t end = i + BATCH < easy ? i + BATCH : easy;
    if (end - i == 1 || !believe_together(g, i, end))
      for (size_t l = i; l < end && ok; l++)
        ok = decide_leaf(g, &g->leaves.at[l]);
    i = end;
  }
  for (size_t i = easy; i < g->leaves.len && ok; i++)
    ok = decide_leaf(g, &g->leaves.at[i]);
  return ok;
}

bool kernel_prove(struct kernel *k, const char *rule, struct span span, term_id hypothesis,
                  term_id goal, const char *what) {
  struct goal g = {.k = k, .rule = rule, .what = what, .span = span};
  for (size_t i = 0; i < k->facts.len; i++)
    vec_push(&g.shared, k->facts.at[i]);
  if ((hypothesis != TERM_NONE && term_mentions(k->terms, hypothesis, &k->budget, 1)) ||
      (goal != TERM_NONE && term_mentions(k->terms, goal, &k->budget, 1)))
    vec_push(&g.shared, term_le(k->terms, k->zero, k->budget));
  vec_push(&g.shared, kernel_strip(k, hypothesis));
  bool ok = split(&g, goal);
  if (!ok) kernel_fail(k, rule, span, "%s: the formula is too large or not well formed", what);
  ok = ok && decide_leaves(&g);
  vec_clear(&g.shared);
  vec_clear(&g.given);
  vec_clear(&g.leaves);
  return ok;
}

bool kernel_prove_fact(struct kernel *k, const char *rule, struct span span, term_id goal,
                       const char *what) {
  return kernel_prove(k, rule, span, k->yes, goal, what);
}

bool kernel_entails(struct kernel *k, const char *rule, struct span span, term_id hypothesis,
                    term_id goal, const char *what) {
  struct kernel_failure saved = k->failure;
  bool holds = kernel_prove(k, rule, span, hypothesis, goal, what);
  k->failure = saved;
  return holds;
}

bool kernel_prove_probability(struct kernel *k, const char *rule, struct span span, term_id delta) {
  return delta == k->zero || kernel_prove(k, rule, span, k->yes, term_le(k->terms, k->zero, delta),
                                          "a bound on a probability is not negative");
}

bool kernel_is_vacuous(struct kernel *k, const char *rule, struct span span) {
  if (!k->decider || !k->decider->believe) return false;
  struct sequent s = {k->facts.at, k->facts.len, k->terms->false_term};
  struct question q = {.rule = "assumptions", .place = span, .sequent = &s};
  struct answer a = {.method = "none"};
  k->decider->believe(k->decider, k->terms, &q, &a);
  free(a.reason);
  free(a.model);
  if (a.belief != BELIEF_HOLDS) return false;
  kernel_fail(k, rule, span, "the assumptions contradict each other");
  k->failure.cause = FAILURE_CONTRADICTION;
  return true;
}
