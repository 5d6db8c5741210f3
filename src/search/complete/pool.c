#include "search/complete/pool.h"

#include <string.h>

#include "proof/derive.h"
#include "search/base/lists.h"
#include "search/base/text.h"
#include "search/complete/fill.h"
#include "term/build.h"
#include "term/subst.h"

static size_t place_of(const struct pool *pool, term_id var) {
  for (size_t i = 0; i < pool->vars.len; i++)
    if (pool->vars.at[i] == var) return i;
  return SIZE_MAX;
}

static struct known_var *state_of(struct pool *pool, term_id var) {
  size_t i = place_of(pool, var);
  return i == SIZE_MAX ? NULL : &pool->known[i];
}

const struct known_var *pool_state(const struct pool *pool, term_id var) {
  size_t i = place_of(pool, var);
  return i == SIZE_MAX ? NULL : &pool->known[i];
}

static struct known_var *copy_state(const struct pool *pool) {
  struct known_var *copy = arena_alloc(pool->p->arena, (pool->vars.len + 1) * sizeof *copy);
  memcpy(copy, pool->known, pool->vars.len * sizeof *copy);
  return copy;
}

/* ---- differences ----------------------------------------------------------------------------- */

bool pool_is_logical(struct pool *pool, term_id t) {
  term_list vars = {0};
  term_free_vars(pool->ts, t, &vars);
  bool yes = true;
  for (size_t i = 0; i < vars.len; i++)
    yes &= term_var_get(pool->ts, vars.at[i])->run == 0 && place_of(pool, vars.at[i]) == SIZE_MAX;
  vec_clear(&vars);
  return yes;
}

/* How a program term differs between the runs. */
static struct known_var difference(struct pool *pool, term_id t) {
  struct known_var result = {DIFFERS, TERM_NONE, TERM_NONE};
  term_list vars = {0}, from = {0}, to = {0};
  bool equal = true, known = true;
  term_free_vars(pool->ts, t, &vars);
  for (size_t i = 0; i < vars.len; i++) {
    const struct known_var *v = state_of(pool, vars.at[i]);
    if (!v || v->how == EQUAL) continue;
    equal = false;
    known &= v->how == SHIFTED;
    if (v->how != SHIFTED) continue;
    vec_push(&from, vars.at[i]);
    vec_push(&to, term_add(pool->ts, vars.at[i], v->by));
  }
  if (equal) {
    result.how = EQUAL;
  } else if (known && sort_is_numeric(term_sort(pool->ts, t))) {
    term_id moved = term_subst(pool->ts, t, from.at, to.at, from.len);
    term_id by = moved == TERM_NONE ? TERM_NONE : term_sub(pool->ts, moved, t);
    if (by != TERM_NONE && pool_is_logical(pool, by)) {
      bool none = term_is_num(pool->ts, by) && fmpq_is_zero(term_num_value(pool->ts, by));
      result = (struct known_var){none ? EQUAL : SHIFTED, by, TERM_NONE};
    }
  }
  vec_clear(&vars);
  vec_clear(&from);
  vec_clear(&to);
  return result;
}

/* The variable gets a new value: what was said with the old one is gone. */
static void forget(struct pool *pool, term_id var) {
  for (size_t i = 0; i < pool->vars.len; i++) {
    term_id value = pool->known[i].value;
    if (pool->vars.at[i] == var || (value != TERM_NONE && term_mentions(pool->ts, value, &var, 1)))
      pool->known[i].value = TERM_NONE;
  }
  term_id tagged[] = {term_var_in_run(pool->ts, var, 1), term_var_in_run(pool->ts, var, 2)};
  for (size_t i = 0; i < pool->events.len;)
    if (term_mentions(pool->ts, pool->events.at[i].formula, tagged, 2))
      pool->events.at[i] = pool->events.at[--pool->events.len];
    else
      i++;
}

static void set(struct pool *pool, term_id var, struct known_var now) {
  forget(pool, var);
  struct known_var *v = state_of(pool, var);
  if (!v) return;
  if (now.value != TERM_NONE && term_mentions(pool->ts, now.value, &var, 1)) now.value = TERM_NONE;
  *v = now;
}

/* ---- samplings ------------------------------------------------------------------------------- */

term_id pool_meaning(struct pool *pool, const struct ast_expr *e, sort_id sort) {
  struct translate_env *env = claim_env(pool->p->goal);
  struct diag_mark mark = diags_mark(&pool->p->lang->diags);
  env->error = NULL;
  env->untagged = 1;
  term_id t = translate_expr_as(env, e, sort);
  env->untagged = 0;
  env->error = NULL;
  diags_rollback(&pool->p->lang->diags, mark);
  return t;
}

static const struct script_sample *step_for(const struct plan_scope *scope, const char *name) {
  for (; scope; scope = scope->outer)
    for (size_t i = 0; scope->script && i < scope->script->sample_count; i++)
      if (names_variable(scope->script->samples[i].name.text, name))
        return &scope->script->samples[i];
  return NULL;
}

static struct known_var sampled(struct pool *pool, const struct script_sample *s,
                                const struct core *c) {
  const struct known_var unknown = {DIFFERS, TERM_NONE, TERM_NONE};
  bool shifts = s && s->kind == COUPLING_SHIFT && s->case_count == 1;
  if (s && s->kind == COUPLING_SAME) return (struct known_var){EQUAL, TERM_NONE, TERM_NONE};
  if (s && !shifts) return unknown;
  if (s && s->cases[0].shift) {
    term_id by = pool_meaning(pool, s->cases[0].shift, SORT_NONE);
    if (by == TERM_NONE || !pool_is_logical(pool, by)) return unknown;
    bool none = term_is_num(pool->ts, by) && fmpq_is_zero(term_num_value(pool->ts, by));
    return (struct known_var){none ? EQUAL : SHIFTED, by, TERM_NONE};
  }
  if (dist_is_centred(c->dist)) return difference(pool, c->args[0]);
  return (struct known_var){EQUAL, TERM_NONE, TERM_NONE};
}

static void walk_sample(struct pool *pool, struct plan_scope *scope, const struct core *c) {
  const struct script_sample *s = step_for(scope, term_var_get(pool->ts, c->var)->name);
  fill_sample(pool, scope, c, s);
  set(pool, c->var, sampled(pool, s, c));
  if (!s || !s->upto || s->upto_most) return;
  term_id event = pool_meaning(pool, s->upto, SORT_BOOL);
  if (event == TERM_NONE) return;
  vec_push(&pool->events, (struct event){event, plan_source(pool->p, s->upto->span)});
}

/* ---- proposals ------------------------------------------------------------------------------- */

/* Does the given invariant of the scope say so, be it as a part of something? */
static bool is_given(struct pool *pool, const struct plan_scope *scope, term_id formula) {
  const struct script_scope *script = scope->script;
  bool found = false;
  for (size_t i = 0; script && i < script->invariant_count && !found; i++) {
    term_id given = pool_meaning(pool, script->invariants[i], SORT_BOOL);
    term_list parts = {0};
    if (given != TERM_NONE) term_conjuncts(pool->ts, given, &parts);
    found = terms_have(&parts, formula);
    vec_clear(&parts);
  }
  return found;
}

/* Adds the formula as an invariant that may be switched on; text NULL: as it is printed. */
static struct plan_step *propose_as(struct pool *pool, struct plan_scope *scope, term_id formula,
                                    const char *text, const char *about, bool late) {
  if (is_given(pool, scope, formula)) return NULL;
  term_list mentioned = {0}, vars = {0};
  if (formula != TERM_NONE && !text) text = text_of(pool->p, formula);
  if (formula != TERM_NONE) term_free_vars(pool->ts, formula, &mentioned);
  for (size_t i = 0; i < mentioned.len; i++) {
    term_id var = term_var_in_run(pool->ts, mentioned.at[i], 0);
    if (term_var_get(pool->ts, mentioned.at[i])->run == 0) continue;
    if (!text_is_named(pool->p, mentioned.at[i])) text = NULL;
    if (!terms_have(&vars, var)) vec_push(&vars, var);
  }
  struct plan_step *step = text ? plan_add_invariant(pool->plan, scope, text) : NULL;
  if (step) {
    step->meaning = formula;
    step->about = about;
    step->late = late;
    step->var_count = vars.len;
    if (vars.len) step->vars = arena_memdup(pool->p->arena, vars.at, vars.len * sizeof *vars.at);
  }
  vec_clear(&mentioned);
  vec_clear(&vars);
  return step;
}

static void propose(struct pool *pool, struct plan_scope *scope, term_id formula, const char *about,
                    bool late) {
  propose_as(pool, scope, formula, NULL, about, late);
}

/* Does every loop invariant speak of it anyway (derive_loop.c)? */
static bool is_default(struct pool *pool, const struct core *loop, term_id var) {
  const struct lowered *program = claim_program(pool->p->goal);
  return var == program->output || var == program->returned || var == loop->var ||
         variable_is_of_adversary(term_var_get(pool->ts, var)->name);
}

static void propose_variable(struct pool *pool, struct plan_scope *scope, size_t i,
                             bool is_written) {
  struct terms *ts = pool->ts;
  term_id var = pool->vars.at[i];
  term_id one = kernel_tag(pool->k, var, 1), two = kernel_tag(pool->k, var, 2);
  const struct known_var *v = &pool->known[i];
  if (v->how == EQUAL) propose(pool, scope, term_eq(ts, one, two), "difference", false);
  bool is_defined = v->value != TERM_NONE && !is_written;
  if (v->how == SHIFTED && !is_defined)
    propose(pool, scope, term_eq(ts, two, term_add(ts, one, v->by)), "difference", false);
  if (!is_defined) return;
  term_id there = term_eq(ts, one, kernel_tag(pool->k, v->value, 1)),
          back = term_eq(ts, two, kernel_tag(pool->k, v->value, 2));
  propose(pool, scope, there, "definition", v->how == EQUAL);
  if (v->how != EQUAL) propose(pool, scope, back, "definition", false);
}

/* The conjuncts s < t of a condition: s <= t holds afterwards, too, if s grows by 1 under it. */
static void propose_condition(struct pool *pool, struct plan_scope *scope, term_id condition,
                              const term_list *written) {
  term_list parts = {0};
  term_conjuncts(pool->ts, condition, &parts);
  for (size_t i = 0; i < parts.len; i++) {
    enum term_kind kind = term_kind(pool->ts, parts.at[i]);
    if (kind != TERM_LT && kind != TERM_LE) continue;
    if (!term_mentions(pool->ts, parts.at[i], written->at, written->len)) continue;
    term_id low = term_arg(pool->ts, parts.at[i], 0), high = term_arg(pool->ts, parts.at[i], 1);
    if (term_sort(pool->ts, low) != SORT_INT) continue;
    if (kind == TERM_LE) low = term_sub(pool->ts, low, term_int(pool->ts, 1));
    propose(pool, scope, kernel_tag(pool->k, term_le(pool->ts, low, high), 1), "range", true);
  }
  vec_clear(&parts);
}

/* The conditions of branches in c on what it does not sample. */
static void propose_branches(struct pool *pool, struct plan_scope *scope, const struct core *c,
                             const term_list *written) {
  if (c->kind != CORE_SEQ && c->kind != CORE_IF) return;
  if (c->kind == CORE_IF) propose_condition(pool, scope, c->expr, written);
  propose_branches(pool, scope, c->first, written);
  propose_branches(pool, scope, c->second, written);
}

static bool is_sampled(const struct core *c, term_id var) {
  if (c->kind == CORE_SAMPLE) return c->var == var;
  if (c->kind != CORE_SEQ && c->kind != CORE_IF && c->kind != CORE_WHILE) return false;
  return is_sampled(c->first, var) || (c->kind != CORE_WHILE && is_sampled(c->second, var));
}

static void propose_ranges(struct pool *pool, struct plan_scope *scope, const struct core *loop,
                           const term_list *written) {
  term_list steady = {0};
  for (size_t i = 0; i < written->len; i++)
    if (!is_sampled(loop->first, written->at[i])) vec_push(&steady, written->at[i]);
  propose_condition(pool, scope, loop->expr, &steady);
  propose_branches(pool, scope, loop->first, &steady);
  vec_clear(&steady);
}

/* Is every assignment to it in c of the form v := v + a number >= 0? */
static bool only_grows(struct pool *pool, const struct core *c, term_id var) {
  switch (c->kind) {
  case CORE_SKIP: return true;
  case CORE_SEQ:
  case CORE_IF: return only_grows(pool, c->first, var) && only_grows(pool, c->second, var);
  case CORE_WHILE: return only_grows(pool, c->first, var);
  case CORE_SAMPLE:
  case CORE_ADVERSARY: return c->var != var;
  case CORE_ASSIGN: break;
  }
  if (c->var != var) return true;
  term_id by = term_sub(pool->ts, c->expr, var);
  return by != TERM_NONE && term_is_num(pool->ts, by) &&
         fmpq_sgn(term_num_value(pool->ts, by)) >= 0;
}

/* It matters for the variable, not for those of the condition. */
static void propose_case(struct pool *pool, struct plan_scope *scope, term_id when, term_id var,
                         term_id same) {
  struct plan_step *step =
      propose_as(pool, scope, term_implies(pool->ts, when, same), NULL, "case", true);
  if (!step) return;
  step->vars = arena_memdup(pool->p->arena, &var, sizeof var);
  step->var_count = 1;
}

/* The given budget distinguishes cases; a variable may be equal in one of them only. */
static void propose_cases(struct pool *pool, struct plan_scope *scope, const term_list *written) {
  const struct ast_expr *budget = scope->script ? scope->script->budget : NULL;
  term_id t = budget ? pool_meaning(pool, budget, SORT_REAL) : TERM_NONE;
  if (t == TERM_NONE) return;
  struct terms *ts = pool->ts;
  term_list parts = {0};
  term_subterms(ts, t, &parts);
  for (size_t i = 0; i < parts.len; i++) {
    if (term_kind(ts, parts.at[i]) != TERM_ITE) continue;
    term_id when = term_arg(ts, parts.at[i], 0);
    for (size_t v = 0; v < written->len; v++) {
      term_id var = written->at[v];
      const struct known_var *known = state_of(pool, var);
      if (!known || known->how != EQUAL || is_default(pool, scope->command, var)) continue;
      term_id same = term_eq(ts, kernel_tag(pool->k, var, 1), kernel_tag(pool->k, var, 2));
      if (is_given(pool, scope, same)) continue;
      propose_case(pool, scope, when, var, same);
      propose_case(pool, scope, term_not(ts, when), var, same);
    }
  }
  vec_clear(&parts);
}

/* Is one of the variables of t assigned in every iteration? */
static bool changes_always(struct pool *pool, const struct core *body, term_id t) {
  bool found = false;
  for (; body->kind == CORE_SEQ && !found; body = body->second)
    found = body->first->kind == CORE_ASSIGN && term_mentions(pool->ts, t, &body->first->var, 1);
  return found || (body->kind == CORE_ASSIGN && term_mentions(pool->ts, t, &body->var, 1));
}

/* What a guard s < t says of how long the loop runs, for loops whose variant is not given; first
 * where s changes in every iteration. */
static void propose_variants(struct pool *pool, struct plan_scope *scope, const struct core *loop) {
  struct terms *ts = pool->ts;
  if ((scope->script && scope->script->variant) || loop->var != TERM_NONE) return;
  term_list parts = {0};
  term_conjuncts(ts, loop->expr, &parts);
  for (int sometimes = 0; sometimes < 2; sometimes++)
    for (size_t i = 0; i < parts.len; i++) {
      enum term_kind kind = term_kind(ts, parts.at[i]);
      if (kind != TERM_LT && kind != TERM_LE) continue;
      term_id left = term_sub(ts, term_arg(ts, parts.at[i], 1), term_arg(ts, parts.at[i], 0));
      if (left == TERM_NONE || term_sort(ts, left) != SORT_INT) continue;
      const char *text = text_of(pool->p, left);
      if (!text || changes_always(pool, loop->first, left) == (sometimes != 0)) continue;
      struct plan_step *step =
          plan_add(pool->plan, scope, arena_printf(pool->p->arena, "variant %s;", text));
      step->is_variant = true;
      step->on = false;
    }
  vec_clear(&parts);
}

/* A loop flattened with a flag: the flag is equal, and where it is set so may be what the loop
 * writes. The flag has no meaning but in the proof, so these are made as texts. */
static void propose_flagged(struct pool *pool, struct plan_scope *scope, const term_list *written) {
  const struct script_form *form = scope->script ? scope->script->form : NULL;
  const char *flag = form ? form->flag.text : NULL;
  struct arena *arena = pool->p->arena;
  if (!flag) return;
  struct plan_step *same =
      plan_add_invariant(pool->plan, scope, arena_printf(arena, "%s<1> = %s<2>", flag, flag));
  if (same) {
    same->about = "difference";
    same->vars = arena_memdup(arena, written->at, written->len * sizeof *written->at);
    same->var_count = written->len;
  }
  for (size_t i = 0; i < written->len; i++) {
    const struct known_var *v = pool_state(pool, written->at[i]);
    if (!v || v->how == EQUAL || !text_is_named(pool->p, written->at[i])) continue;
    if (is_sampled(scope->command->first, written->at[i])) continue;
    const char *name = text_of(pool->p, written->at[i]);
    struct plan_step *step = plan_add_invariant(
        pool->plan, scope, arena_printf(arena, "%s -> %s<1> = %s<2>", flag, name, name));
    if (!step) continue;
    step->about = "difference";
    step->vars = arena_memdup(arena, &written->at[i], sizeof(term_id));
    step->var_count = 1;
  }
}

static void propose_for(struct pool *pool, struct plan_scope *scope, const struct core *loop) {
  term_list written = {0}, outside = {0};
  core_writes(loop, &written);
  if (scope->outer->outer) core_writes(scope->outer->command, &outside);
  for (size_t i = 0; i < pool->vars.len; i++) {
    term_id var = pool->vars.at[i];
    bool inside = terms_have(&written, var);
    /* what the loop around it says of other variables holds in this one, too */
    bool inherited = scope->outer->outer && !inside && !terms_have(&outside, var);
    if (inherited || is_default(pool, loop, var)) continue;
    propose_variable(pool, scope, i, inside);
    term_id start = pool->known[i].value;
    if (inside && start != TERM_NONE && term_is_num(pool->ts, start) &&
        only_grows(pool, loop->first, var))
      propose(pool, scope, kernel_tag(pool->k, term_le(pool->ts, start, var), 1), "range", true);
  }
  for (size_t i = 0; i < pool->events.len && !scope->outer->outer; i++)
    propose_as(pool, scope, pool->events.at[i].formula, pool->events.at[i].text, "event", false);
  propose_ranges(pool, scope, loop, &written);
  propose_cases(pool, scope, &written);
  propose_variants(pool, scope, loop);
  propose_flagged(pool, scope, &written);
  vec_clear(&written);
  vec_clear(&outside);
}

/* ---- the walk -------------------------------------------------------------------------------- */

static void walk(struct pool *pool, struct plan_scope *scope, const struct core *c, size_t *loops);

/* As if the differences at the head were kept; what the loop writes has no known value. */
static void walk_loop(struct pool *pool, struct plan_scope *scope, const struct core *c,
                      size_t *loops) {
  struct plan_scope *inner = *loops < scope->inner.len ? scope->inner.at[*loops] : NULL;
  ++*loops;
  if (inner) propose_for(pool, inner, c);
  term_list written = {0};
  core_writes(c, &written);
  for (size_t i = 0; i < written.len; i++)
    forget(pool, written.at[i]);
  vec_clear(&written);
  struct known_var *head = copy_state(pool);
  size_t nested = 0;
  bool is_flat = !inner && scope->script && scope->script->form && scope->script->form->flag.text;
  if (inner) walk(pool, inner, c->first, &nested);
  if (is_flat) walk(pool, scope, c->first, loops); /* a part of the loop around it */
  pool->known = head;
}

static void walk_branches(struct pool *pool, struct plan_scope *scope, const struct core *c,
                          size_t *loops) {
  struct known_var *before = copy_state(pool);
  walk(pool, scope, c->first, loops);
  struct known_var *then = pool->known;
  pool->known = before;
  walk(pool, scope, c->second, loops);
  for (size_t i = 0; i < pool->vars.len; i++) {
    struct known_var *a = &pool->known[i], *b = &then[i];
    if (a->how != b->how || (a->how == SHIFTED && a->by != b->by)) a->how = DIFFERS;
    if (a->value != b->value) a->value = TERM_NONE;
  }
}

static void walk(struct pool *pool, struct plan_scope *scope, const struct core *c, size_t *loops) {
  for (; c->kind == CORE_SEQ; c = c->second)
    walk(pool, scope, c->first, loops);
  switch (c->kind) {
  case CORE_ASSIGN: {
    struct known_var now = difference(pool, c->expr);
    now.value = c->expr;
    set(pool, c->var, now);
    break;
  }
  case CORE_SAMPLE: walk_sample(pool, scope, c); break;
  case CORE_IF: walk_branches(pool, scope, c, loops); break;
  case CORE_WHILE: walk_loop(pool, scope, c, loops); break;
  case CORE_ADVERSARY: set(pool, c->var, (struct known_var){EQUAL, TERM_NONE, TERM_NONE}); break;
  default: break;
  }
}

void plan_propose(struct plan *plan) {
  struct pool pool = {.plan = plan,
                      .p = plan->p,
                      .ts = plan->p->ts,
                      .k = claim_kernel(plan->p->goal, CLAIM_FORWARD)};
  for (size_t i = 0; i < kernel_var_count(pool.k); i++)
    vec_push(&pool.vars, kernel_var_at(pool.k, i));
  for (size_t r = 0; r < plan->roots.len; r++) {
    pool.known = arena_alloc(pool.p->arena, (pool.vars.len + 1) * sizeof *pool.known);
    for (size_t i = 0; i < pool.vars.len; i++)
      pool.known[i] = (struct known_var){DIFFERS, TERM_NONE, TERM_NONE};
    pool.events.len = 0;
    size_t loops = 0;
    walk(&pool, plan->roots.at[r], plan->roots.at[r]->command, &loops);
  }
  vec_clear(&pool.vars);
  vec_clear(&pool.events);
}
