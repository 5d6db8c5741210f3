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

struct goal {
  struct kernel *k;
  const char *rule, *what;
  struct span span;
  term_list hypotheses;
};

static const struct label *find_label(const struct kernel *k, term_id t) {
  if (term_kind(k->terms, t) != TERM_APP) return NULL;
  symbol_id symbol = term_get(k->terms, t)->data;
  for (size_t i = 0; i < k->labels.len; i++)
    if (k->labels.at[i].symbol == symbol) return &k->labels.at[i];
  return NULL;
}

static bool ask(struct goal *g, term_id goal) {
  struct kernel *k = g->k;
  term_id stripped = kernel_strip(k, goal);
  enum smt_verdict verdict =
      smt_entails(k->smt, g->rule, g->span, g->hypotheses.at, g->hypotheses.len, stripped);
  const struct smt_record *record = smt_last(k->smt);
  struct kernel_obligation o = {.rule = g->rule,
                                .what = g->what,
                                .span = g->span,
                                .goal = stripped,
                                .proved = verdict == SMT_VALID,
                                .seconds = record->seconds};
  vec_push(&k->obligations, o);
  if (verdict == SMT_VALID) return true;
  if (verdict == SMT_INVALID)
    kernel_fail(k, g->rule, g->span, "%s: does not hold", g->what);
  else
    kernel_fail(k, g->rule, g->span, "%s: could not be proved (%s)", g->what,
                record->reason ? record->reason : "unknown");
  if (stripped != TERM_NONE) {
    char *text = term_text(k->terms, stripped);
    k->failure.conjunct = arena_printf(&k->arena, "%s", text);
    free(text);
  }
  if (verdict == SMT_INVALID && k->smt->has_model) {
    struct buffer model;
    buffer_init(&model);
    model_print(&model, &k->smt->model);
    k->failure.model = arena_printf(&k->arena, "%s", buffer_text(&model));
    buffer_clear(&model);
  }
  return false;
}

static bool split(struct goal *g, term_id goal) {
  struct terms *ts = g->k->terms;
  if (goal == TERM_NONE) {
    kernel_fail(g->k, g->rule, g->span, "%s: the formula is too large or not well formed", g->what);
    return false;
  }
  const struct label *label = find_label(g->k, goal);
  struct goal saved = *g;
  bool ok = true;
  if (label) {
    g->rule = label->rule;
    g->what = label->what;
    g->span = label->span;
    ok = split(g, term_arg(ts, goal, 0));
  } else if (term_kind(ts, goal) == TERM_AND) {
    for (size_t i = 0; i < term_arg_count(ts, goal) && ok; i++) ok = split(g, term_arg(ts, goal, i));
  } else if (term_kind(ts, goal) == TERM_IMPLIES) {
    vec_push(&g->hypotheses, kernel_strip(g->k, term_arg(ts, goal, 0)));
    ok = split(g, term_arg(ts, goal, 1));
    g->hypotheses.len--;
  } else if (term_kind(ts, goal) == TERM_FORALL) {
    term_id var;
    ok = split(g, term_open(ts, goal, &var));
  } else {
    ok = ask(g, goal);
  }
  g->rule = saved.rule;
  g->what = saved.what;
  g->span = saved.span;
  return ok;
}

bool kernel_prove(struct kernel *k, const char *rule, struct span span, term_id hypothesis,
                  term_id goal, const char *what) {
  struct goal g = {.k = k, .rule = rule, .what = what, .span = span};
  for (size_t i = 0; i < k->facts.len; i++) vec_push(&g.hypotheses, k->facts.at[i]);
  vec_push(&g.hypotheses, term_le(k->terms, k->zero, k->budget));
  vec_push(&g.hypotheses, kernel_strip(k, hypothesis));
  bool ok = split(&g, goal);
  vec_clear(&g.hypotheses);
  return ok;
}
