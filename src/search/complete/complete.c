#include "search/complete/complete.h"

#include <string.h>

#include "search/base/blamed.h"
#include "search/complete/merge.h"
#include "search/complete/pool.h"
#include "term/build.h"
#include "term/subst.h"

enum {
  MAX_ROUNDS = 40,       /* checks of one plan */
  MAX_CUTS = 12,         /* checks to make a proof shorter */
  PROMISE_COMPLETED = 20 /* the author knows more than any strategy */
};

/* ---- which facts matter ---------------------------------------------------------------------- */

struct refinement {
  struct plan *plan;
  term_list vars; /* that the formula without a proof is about */
};

static bool is_wanted(const struct refinement *r, const struct plan_step *step) {
  for (size_t i = 0; i < step->var_count; i++)
    for (size_t k = 0; k < r->vars.len; k++)
      if (step->vars[i] == r->vars.at[k]) return true;
  return false;
}

/* Switches on facts of the scope about wanted variables (or all); how many. */
static size_t switch_on(struct refinement *r, struct plan_scope *scope, bool late, bool all) {
  size_t count = 0;
  for (size_t i = 0; i < scope->steps.len; i++) {
    struct plan_step *step = scope->steps.at[i];
    if (!step->about || step->on || step->dropped || (step->late && !late)) continue;
    if (!all && !is_wanted(r, step)) continue;
    step->on = true;
    count++;
    for (size_t v = 0; !late && v < step->var_count; v++)
      vec_push(&r->vars, step->vars[v]);
  }
  for (size_t i = 0; i < scope->inner.len; i++)
    count += switch_on(r, scope->inner.at[i], late, all);
  return count;
}

static size_t switch_on_all(struct refinement *r, bool late, bool all) {
  size_t count = 0;
  for (size_t i = 0; i < r->plan->roots.len; i++)
    count += switch_on(r, r->plan->roots.at[i], late, all);
  return count;
}

/* The program variables that the formula speaks of; appended. */
static void program_vars(struct plan *plan, term_id formula, term_list *out) {
  const struct kernel *k = claim_kernel(plan->p->goal, CLAIM_FORWARD);
  term_list vars = {0};
  if (formula != TERM_NONE) term_free_vars(plan->p->ts, formula, &vars);
  for (size_t i = 0; i < vars.len; i++) {
    term_id var = term_var_in_run(plan->p->ts, vars.at[i], 0);
    if (var != vars.at[i] && kernel_is_var(k, var)) vec_push(out, var);
  }
  vec_clear(&vars);
}

/* Is the formula about parameters alone? No fact about a loop proves it. */
static bool is_hopeless(struct plan *plan, term_id formula) {
  struct terms *ts = plan->p->ts;
  term_id budget = kernel_budget(claim_kernel(plan->p->goal, CLAIM_FORWARD));
  if (formula == TERM_NONE || formula == term_bool(ts, false) ||
      term_mentions(ts, formula, &budget, 1))
    return false;
  term_list vars = {0};
  program_vars(plan, formula, &vars);
  bool none = vars.len == 0;
  vec_clear(&vars);
  return none;
}

/* Switches on the facts of the scope that are the formula itself; how many. */
static size_t switch_on_itself(struct plan_scope *scope, term_id formula) {
  size_t count = 0;
  for (size_t i = 0; i < scope->steps.len; i++) {
    struct plan_step *step = scope->steps.at[i];
    if (!step->about || step->on || step->dropped || step->meaning != formula) continue;
    step->on = true;
    count++;
  }
  for (size_t i = 0; i < scope->inner.len; i++)
    count += switch_on_itself(scope->inner.at[i], formula);
  return count;
}

/* Adds what may help to prove the formula; false if there is nothing of the kind. Facts about its
 * variables bring in those about the variables they mention. `all`: when these are used up, others
 * as well. */
static bool extend(struct plan *plan, term_id formula, bool all) {
  struct refinement r = {.plan = plan};
  program_vars(plan, formula, &r.vars);
  bool any = false;
  for (size_t i = 0; formula != TERM_NONE && i < plan->roots.len; i++)
    any |= switch_on_itself(plan->roots.at[i], formula) > 0;
  while (switch_on_all(&r, false, false))
    any = true;
  any = any || switch_on_all(&r, true, false);
  if (!any && all) any = switch_on_all(&r, false, true) || switch_on_all(&r, true, true);
  vec_clear(&r.vars);
  return any;
}

typedef VEC(struct plan_step *) step_list;

/* ---- rounds ---------------------------------------------------------------------------------- */

/* The added invariant that the failure is about, or NULL. */
static struct plan_step *failed_step(struct plan *plan, const struct proof_result *r) {
  if (!r->rule || strcmp(r->rule, "WHILE") != 0) return NULL;
  long number = blamed_invariant(plan->p, r);
  return number < 0 ? NULL : plan_find(plan, (size_t)number);
}

static void collect_late(struct plan_scope *scope, step_list *out) {
  for (size_t i = 0; i < scope->steps.len; i++)
    if (scope->steps.at[i]->on && scope->steps.at[i]->late) vec_push(out, scope->steps.at[i]);
  for (size_t i = 0; i < scope->inner.len; i++)
    collect_late(scope->inner.at[i], out);
}

static const struct proof_result *check(struct auto_search *s, struct plan *plan,
                                        const char *epsilon, int promise) {
  struct auto_candidate c = {plan_text(plan), epsilon, promise};
  return auto_check(s, &c, plan->p->given.file ? plan_added(plan) : NULL);
}

/* Facts that turn out not to be needed only obscure the proof: takes those that seldom are out
 * again, several at a time while that works. */
static void shorten(struct auto_search *s, struct plan *plan, const char *epsilon, int promise) {
  step_list steps = {0};
  for (size_t i = 0; i < plan->roots.len; i++)
    collect_late(plan->roots.at[i], &steps);
  size_t chunk = steps.len / 2 ? steps.len / 2 : 1, cuts = 0;
  for (size_t at = steps.len; at > 0 && cuts < MAX_CUTS && !auto_is_late(s); cuts++) {
    size_t from = at > chunk ? at - chunk : 0;
    for (size_t i = from; i < at; i++)
      steps.at[i]->on = false;
    const struct proof_result *r = check(s, plan, epsilon, promise);
    bool needed = r->verdict != PROOF_BELIEVED;
    if (!needed) auto_prefer(s, r);
    for (size_t i = from; needed && i < at; i++)
      steps.at[i]->on = true;
    if (needed && at - from > 1)
      chunk = (at - from) / 2;
    else
      at = from;
  }
  vec_clear(&steps);
}

/* Another variant for a loop that could not be shown to end; false if there is none. */
static bool next_variant(struct plan_scope *scope, struct span loop) {
  bool found = false;
  for (size_t i = 0; i < scope->inner.len; i++)
    found |= next_variant(scope->inner.at[i], loop);
  if (scope->command->span.begin != loop.begin || scope->command->span.file != loop.file)
    return found;
  for (size_t i = 0; i < scope->steps.len; i++) {
    struct plan_step *step = scope->steps.at[i];
    if (!step->is_variant) continue;
    if (step->on) {
      step->on = false;
      step->dropped = true;
    } else if (!step->dropped && !found) {
      step->on = found = true;
    }
  }
  return found;
}

static bool other_variant(struct plan *plan, const struct proof_result *r) {
  bool found = false;
  if (!r->rule || strcmp(r->rule, "LOSSLESS") != 0) return false;
  for (size_t i = 0; i < plan->roots.len; i++)
    found |= next_variant(plan->roots.at[i], r->span);
  return found;
}

/* Until it is accepted, or nothing is left to add or to take out. */
static const struct proof_result *refine(struct auto_search *s, struct plan *plan,
                                         const char *epsilon, int promise) {
  const struct proof_result *r = NULL;
  for (int round = 0; round < MAX_ROUNDS; round++) {
    r = check(s, plan, epsilon, promise);
    if (r->verdict != PROOF_UNKNOWN || r->is_malformed || auto_is_late(s)) break;
    if (other_variant(plan, r)) continue;
    struct plan_step *bad = failed_step(plan, r);
    if (!bad && is_hopeless(plan, r->formula)) break;
    if (extend(plan, r->formula, !bad)) continue;
    if (!bad) break;
    bad->on = false; /* not even with all that is known of its variables */
    bad->dropped = true;
  }
  if (r->verdict == PROOF_BELIEVED)
    shorten(s, plan, epsilon, promise);
  else
    auto_stuck(s, r);
  return r;
}

const struct proof_result *complete_candidate(struct auto_search *s, struct span given,
                                              const struct auto_candidate *candidate) {
  struct auto_problem *p = auto_problem_of(s);
  struct plan plan;
  if (!plan_merge(&plan, p, given, candidate->proof)) return auto_nothing(s);
  plan_propose(&plan);
  const struct proof_result *r =
      refine(s, &plan, candidate->epsilon, PROMISE_COMPLETED + candidate->promise);
  plan_clear(&plan);
  return r;
}

/* Does the block use what no strategy would propose? Then facts alone will have to do. */
static bool is_beyond_search(const struct script_scope *scope) {
  static const char *const words[] = {"hits",  "advanced", "deltas", "noise", "dead", "block",
                                      "split", "unroll",   "alone",  "until", NULL};
  if (!scope) return false;
  bool found = false;
  for (size_t i = 0; i < scope->item_count; i++)
    for (size_t w = 0; words[w]; w++)
      found |= strcmp(scope->items[i].word, words[w]) == 0;
  for (size_t i = 0; i < scope->sample_count; i++)
    found |= scope->samples[i].upto || scope->samples[i].kind == COUPLING_INTERVAL ||
             scope->samples[i].kind == COUPLING_INSIDE;
  for (size_t i = 0; i < scope->loop_count; i++)
    found |= is_beyond_search(scope->loops[i]);
  if (scope->cases)
    found |= is_beyond_search(scope->cases->yes) || is_beyond_search(scope->cases->no);
  return found || is_beyond_search(scope->backward);
}

static void complete_if(struct auto_problem *p, struct auto_search *s, bool beyond) {
  struct plan plan;
  if (p->wants_least || !plan_init(&plan, p, p->given)) return;
  if (is_beyond_search(plan.script) == beyond) {
    plan_propose(&plan);
    refine(s, &plan, NULL, PROMISE_COMPLETED);
  }
  plan_clear(&plan);
}

void auto_complete_first(struct auto_problem *p, struct auto_search *s) {
  complete_if(p, s, true);
}

void auto_complete_last(struct auto_problem *p, struct auto_search *s) {
  complete_if(p, s, false);
}

/* The given steps and those of the text, as a text. */
static const char *joined(struct auto_problem *p, const char *text) {
  struct plan plan;
  if (!plan_merge(&plan, p, p->given, text)) return NULL;
  const char *all = plan_text(&plan);
  plan_clear(&plan);
  return all;
}

const struct proof_result *complete_block(struct auto_problem *p, struct auto_search *s,
                                          const char *text, int promise) {
  if (p->given.file) text = joined(p, text);
  if (!text) return auto_nothing(s);
  size_t length = strlen(text);
  uint32_t file = sources_add(&p->lang->sources, "<proof>", text, length);
  struct plan plan;
  if (!plan_init(&plan, p, (struct span){file, 0, (uint32_t)length})) return auto_nothing(s);
  plan_propose(&plan);
  const struct proof_result *r = refine(s, &plan, NULL, promise);
  plan_clear(&plan);
  return r;
}
