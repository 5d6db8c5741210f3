/* Entailments: splits a goal into parts and asks the solver for each. The splitting is only
 * propositional and first-order bookkeeping:
 *   H |- A and B      if  H |- A  and  H |- B
 *   H |- A -> B       if  H, A |- B
 *   H |- forall x. A  if  H |- A with a fresh x
 *   H |- label(A)     if  H |- A  (and a failure is reported as that label says)  */
#include "kernel/internal.h"
#include "smt/smt.h"
#include "term/build.h"
#include "term/print.h"
#include "term/subst.h"

enum { BATCH = 32, BATCH_SECONDS = 2 };

/* A part of a goal that cannot be split: context and formula, and whom to blame. */
struct leaf {
  term_id given; /* conjunction of what was assumed on the way down */
  term_id goal;
  const char *rule, *what;
  struct span span;
};

struct goal {
  struct kernel *k;
  const char *rule, *what;
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
    g->rule = label->rule;
    g->what = label->what;
    g->span = label->span;
    bool ok = split(g, term_arg(ts, goal, 0));
    g->rule = rule;
    g->what = what;
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
                        .span = g->span};
    vec_push(&g->leaves, leaf);
    return leaf.given != TERM_NONE && leaf.goal != TERM_NONE;
  }
  }
}

/* After its question was answered. */
static void record(struct kernel *k, const struct leaf *l, bool proved, double seconds) {
  const struct smt_record *answer = smt_last(k->smt);
  struct kernel_obligation o = {.rule = l->rule,
                                .what = l->what,
                                .span = l->span,
                                .goal = term_implies(k->terms, l->given, l->goal),
                                .proved = proved,
                                .seconds = seconds,
                                .method = answer->method,
                                .cross_checked = answer->cross_checked};
  vec_push(&k->obligations, o);
}

static void blame(struct goal *g, const struct leaf *l, enum smt_verdict verdict) {
  struct kernel *k = g->k;
  const char *reason = smt_last(k->smt)->reason;
  if (verdict == SMT_INVALID)
    kernel_fail(k, l->rule, l->span, "%s: does not hold", l->what);
  else
    kernel_fail(k, l->rule, l->span, "%s: could not be proved (%s)", l->what,
                reason ? reason : "unknown");
  char *text = term_text(k->terms, l->goal);
  k->failure.conjunct = arena_printf(&k->arena, "%s", text);
  free(text);
  if (verdict == SMT_INVALID && k->smt->has_model) {
    struct buffer model;
    buffer_init(&model);
    model_print(&model, &k->smt->model);
    k->failure.model = arena_printf(&k->arena, "%s", buffer_text(&model));
    buffer_clear(&model);
  }
}

/* Asks for one leaf. */
static bool ask(struct goal *g, const struct leaf *l) {
  struct kernel *k = g->k;
  vec_push(&g->shared, l->given);
  enum smt_verdict v = smt_entails(k->smt, l->rule, l->span, g->shared.at, g->shared.len, l->goal);
  g->shared.len--;
  record(k, l, v == SMT_VALID, smt_last(k->smt)->seconds);
  if (v != SMT_VALID) blame(g, l, v);
  return v == SMT_VALID;
}

/* Asks for several leaves at once: cheaper when all hold, as they nearly always do. */
static bool ask_together(struct goal *g, size_t from, size_t to) {
  struct kernel *k = g->k;
  term_id all = k->yes;
  for (size_t i = from; i < to; i++)
    all = term_and(k->terms, all,
                   term_implies(k->terms, g->leaves.at[i].given, g->leaves.at[i].goal));
  double limit = k->smt->options.timeout_s;
  if (limit > BATCH_SECONDS) k->smt->options.timeout_s = BATCH_SECONDS;
  enum smt_verdict v = smt_entails(k->smt, g->leaves.at[from].rule, g->leaves.at[from].span,
                                   g->shared.at, g->shared.len, all);
  k->smt->options.timeout_s = limit;
  if (v != SMT_VALID) return false;
  for (size_t i = from; i < to; i++)
    record(k, &g->leaves.at[i], true, i == from ? smt_last(k->smt)->seconds : 0);
  return true;
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
  /* Leaves about the budget are products and quotients, hard enough one by one; the others go
   * together. */
  size_t easy = 0;
  for (size_t i = 0; i < g.leaves.len; i++)
    if (!term_mentions(k->terms, g.leaves.at[i].goal, &k->budget, 1)) {
      struct leaf leaf = g.leaves.at[i];
      g.leaves.at[i] = g.leaves.at[easy];
      g.leaves.at[easy++] = leaf;
    }
  for (size_t i = 0; i < easy && ok;) {
    size_t end = i + BATCH < easy ? i + BATCH : easy;
    if (end - i == 1 || !ask_together(&g, i, end))
      for (size_t l = i; l < end && ok; l++)
        ok = ask(&g, &g.leaves.at[l]);
    i = end;
  }
  for (size_t i = easy; i < g.leaves.len && ok; i++)
    ok = ask(&g, &g.leaves.at[i]);
  vec_clear(&g.shared);
  vec_clear(&g.given);
  vec_clear(&g.leaves);
  return ok;
}

bool kernel_prove_probability(struct kernel *k, const char *rule, struct span span, term_id delta) {
  return delta == k->zero || kernel_prove(k, rule, span, k->yes, term_le(k->terms, k->zero, delta),
                                          "a bound on a probability is not negative");
}
