#include "search/complete/fill.h"

#include <string.h>

#include "kernel/dist.h"
#include "proof/derive.h"
#include "search/base/bounds.h"
#include "search/base/parameter.h"
#include "search/base/text.h"
#include "term/build.h"
#include "term/linear.h"
#include "term/subst.h"

enum { MAX_STEPS = 8 }; /* assumptions added up for one bound; definitions inside definitions */

/* ---- bounds by adding up --------------------------------------------------------------------- */

/* The first summand that is about more than parameters, and its factor; TERM_NONE: none. */
static term_id open_summand(struct pool *pool, term_id t, fmpq *factor) {
  struct linear l;
  term_id found = TERM_NONE;
  linear_read(&l, pool->ts, t);
  for (size_t i = 0; i < l.items.len && found == TERM_NONE; i++) {
    if (is_over_parameters(pool->ts, pool->p->module, l.items.at[i].atom)) continue;
    found = l.items.at[i].atom;
    fmpq_set(factor, &l.items.at[i].coefficient);
  }
  linear_clear(&l);
  return found;
}

/* a <= b as the real b - a, which is at least 0; a < b of integers as b - a - 1. TERM_NONE if it is
 * no such formula. */
static term_id as_slack(struct pool *pool, term_id formula) {
  struct terms *ts = pool->ts;
  bool negated = term_kind(ts, formula) == TERM_NOT;
  if (negated) formula = term_arg(ts, formula, 0);
  enum term_kind kind = term_kind(ts, formula);
  if (kind != TERM_LE && kind != TERM_LT) return TERM_NONE;
  term_id low = term_arg(ts, formula, negated), high = term_arg(ts, formula, !negated);
  if (!sort_is_numeric(term_sort(ts, low))) return TERM_NONE;
  bool strict = (kind == TERM_LT) != negated;
  bool integers = term_sort(ts, low) == SORT_INT && term_sort(ts, high) == SORT_INT;
  if (strict && integers) low = term_add(ts, low, term_int(ts, 1));
  return term_to_real(ts, term_sub(ts, high, low));
}

/* A lower bound of t over parameters: t minus multiples of facts f >= 0. TERM_NONE: none. */
static term_id lower_bound(struct pool *pool, term_id t, const term_list *facts) {
  struct terms *ts = pool->ts;
  fmpq c, k;
  fmpq_init(&c);
  fmpq_init(&k);
  t = t == TERM_NONE ? TERM_NONE : term_to_real(ts, t);
  for (int step = 0; t != TERM_NONE && step <= MAX_STEPS; step++) {
    term_id atom = open_summand(pool, t, &c), used = TERM_NONE;
    if (atom == TERM_NONE) break;
    for (size_t i = 0; i < facts->len && used == TERM_NONE; i++)
      if (terms_coefficient(pool->ts, facts->at[i], atom, &k) && fmpq_sgn(&k) == fmpq_sgn(&c))
        used = facts->at[i];
    if (used == TERM_NONE || step == MAX_STEPS) {
      t = TERM_NONE;
    } else {
      fmpq_div(&c, &c, &k);
      t = term_sub(ts, t, term_mul(ts, term_num(ts, &c, SORT_REAL), used));
    }
  }
  fmpq_clear(&c);
  fmpq_clear(&k);
  return t;
}

static void add_slack(struct pool *pool, term_list *facts, term_id formula) {
  term_list parts = {0};
  term_conjuncts(pool->ts, formula, &parts);
  for (size_t i = 0; i < parts.len; i++) {
    term_id slack = as_slack(pool, parts.at[i]);
    if (slack != TERM_NONE) vec_push(facts, slack);
  }
  vec_clear(&parts);
}

/* ---- upto ------------------------------------------------------------------------------------ */

/* Adds up the deltas that the scope names; counts the events without one. */
static void add_deltas(struct pool *pool, const struct script_scope *s, term_id *sum,
                       size_t *open) {
  if (!s) return;
  const struct ast_expr *omega = s->advanced ? s->advanced->omega : NULL;
  if (omega) *sum = term_add(pool->ts, *sum, pool_meaning(pool, omega, SORT_REAL));
  for (size_t i = 0; i < s->sample_count; i++) {
    const struct script_sample *sample = &s->samples[i];
    if (sample->upto && !sample->upto_delta) ++*open;
    if (sample->upto_delta)
      *sum = term_add(pool->ts, *sum, pool_meaning(pool, sample->upto_delta, SORT_REAL));
  }
  for (size_t i = 0; i < s->loop_count; i++)
    add_deltas(pool, s->loops[i], sum, open);
}

/* What is left of delta for each event without a bound. */
static term_id share_of_delta(struct pool *pool, const struct plan_scope *scope) {
  while (scope->outer)
    scope = scope->outer;
  term_id sum = term_rat(pool->ts, 0, 1);
  size_t open = 0;
  add_deltas(pool, scope->script, &sum, &open);
  if (sum == TERM_NONE || !open) return TERM_NONE;
  term_id left = term_sub(pool->ts, claim_delta(pool->p->goal), sum);
  return term_div(pool->ts, left, term_int(pool->ts, (long)open));
}

/* `upto g -> x <= h`: the noise is above h minus the largest centre that g allows. */
static void fill_upto(struct pool *pool, const struct plan_scope *scope, const struct core *c,
                      const struct script_sample *s) {
  struct terms *ts = pool->ts;
  if (!dist_has_tail(c->dist)) return;
  term_id event = pool_meaning(pool, s->upto, SORT_BOOL);
  term_list facts = {0};
  while (event != TERM_NONE && term_kind(ts, event) == TERM_IMPLIES) {
    add_slack(pool, &facts, term_arg(ts, event, 0));
    event = term_arg(ts, event, 1);
  }
  term_id slack = event == TERM_NONE ? TERM_NONE : as_slack(pool, event);
  term_id x = term_to_real(ts, kernel_tag(pool->k, c->var, 1)),
          centre = term_to_real(ts, kernel_tag(pool->k, c->args[0], 1));
  fmpq k;
  fmpq_init(&k);
  if (slack != TERM_NONE && terms_coefficient(pool->ts, slack, x, &k) && !fmpq_is_zero(&k)) {
    /* slack = k (x - bound) >= 0, so |slack/k| at x = centre is the distance of the bound */
    bool above = fmpq_sgn(&k) < 0;
    fmpq_inv(&k, &k);
    if (above) fmpq_neg(&k, &k);
    term_id scaled = term_mul(ts, term_num(ts, &k, SORT_REAL), slack);
    term_id move = term_sub(ts, centre, x);
    term_id t = term_add(ts, scaled, above ? term_neg(ts, move) : move);
    t = lower_bound(pool, t, &facts);
    if (t != TERM_NONE) t = cost_simplified(ts, t);
    if (t != TERM_NONE && dist_is_integer(c->dist)) t = term_floor(ts, t);
    const char *at = t == TERM_NONE ? NULL : text_of(pool->p, t);
    const char *delta = text_of(pool->p, share_of_delta(pool, scope));
    uint32_t end = s->upto->span.end;
    if (at && delta)
      plan_edit(
          pool->plan, end, end,
          arena_printf(pool->p->arena, " delta %s %s %s", delta, above ? "above" : "below", at));
  }
  fmpq_clear(&k);
  vec_clear(&facts);
}

/* ---- intervals ------------------------------------------------------------------------------- */

/* Run 1 is in the outer interval [p, q] iff run 2 is in the inner one [r, s]; terms over both runs,
 * as in the forward direction. */
struct intervals {
  term_id p, q, r, s;
  term_id move, eta, sigma; /* TERM_NONE: unknown */
};

/* The term with what is known of the variables put in: over run 1 and logical variables. */
static term_id resolved(struct pool *pool, term_id t) {
  struct terms *ts = pool->ts;
  for (int round = 0; t != TERM_NONE && round < MAX_STEPS; round++) {
    term_list from = {0}, to = {0}, vars = {0};
    term_free_vars(ts, t, &vars);
    for (size_t i = 0; i < vars.len; i++) {
      unsigned run = term_var_get(ts, vars.at[i])->run;
      term_id var = term_var_in_run(ts, vars.at[i], 0), now = TERM_NONE;
      const struct known_var *v = run ? pool_state(pool, var) : NULL;
      if (!v) continue;
      if (v->value != TERM_NONE)
        now = kernel_tag(pool->k, v->value, run);
      else if (run == 2 && v->how != DIFFERS)
        now = term_var_in_run(ts, var, 1);
      if (run == 2 && now != TERM_NONE && v->value == TERM_NONE && v->how == SHIFTED)
        now = term_add(ts, now, v->by);
      if (now == TERM_NONE) continue;
      vec_push(&from, vars.at[i]);
      vec_push(&to, now);
    }
    if (from.len) t = term_subst(ts, t, from.at, to.at, from.len);
    bool changed = from.len > 0;
    vec_clear(&from);
    vec_clear(&to);
    vec_clear(&vars);
    if (!changed) break;
  }
  return t;
}

/* How far the centre can move, a number. */
static term_id largest_move(struct pool *pool, const struct core *c) {
  struct terms *ts = pool->ts;
  term_id there = resolved(pool, kernel_tag(pool->k, c->args[0], 1)),
          back = resolved(pool, kernel_tag(pool->k, c->args[0], 2));
  term_id d = there == TERM_NONE || back == TERM_NONE ? TERM_NONE : term_sub(ts, back, there);
  if (d == TERM_NONE) return TERM_NONE;
  struct known known;
  known_init(&known, pool->p, CLAIM_FORWARD);
  struct bounds b = known_bounds(&known, TERM_NONE, d);
  known_clear(&known);
  if (b.low == TERM_NONE || b.high == TERM_NONE) return TERM_NONE;
  term_id most = term_max(ts, term_neg(ts, b.low), b.high);
  if (most == TERM_NONE || !term_is_num(ts, most)) return TERM_NONE;
  return term_ceil(ts, most);
}

static void measure(struct pool *pool, const struct core *c, struct intervals *i) {
  struct terms *ts = pool->ts;
  i->move = largest_move(pool, c);
  term_id outer = term_sub(ts, i->q, i->p), inner = term_sub(ts, i->s, i->r);
  i->eta = resolved(pool, term_sub(ts, outer, inner));
  if (i->eta != TERM_NONE && !pool_is_logical(pool, i->eta)) i->eta = TERM_NONE;
  term_list facts = {0};
  for (size_t e = 0; e < pool->events.len; e++)
    add_slack(pool, &facts, pool->events.at[e].formula);
  for (size_t f = 0; f < kernel_fact_count(pool->k); f++)
    add_slack(pool, &facts, kernel_fact(pool->k, f));
  i->sigma = lower_bound(pool, resolved(pool, term_add(ts, inner, term_int(ts, 2))), &facts);
  if (i->sigma != TERM_NONE) i->sigma = cost_simplified(ts, i->sigma);
  vec_clear(&facts);
}

/* The composition that the loop around the sampling goes by, or NULL. */
static const struct script_advanced *composition_of(const struct plan_scope *scope) {
  for (; scope; scope = scope->outer)
    if (scope->script && scope->script->advanced) return scope->script->advanced;
  return NULL;
}

static const char *cost_text(struct pool *pool, const struct plan_scope *scope) {
  const struct script_advanced *a = composition_of(scope);
  return a ? plan_source(pool->p, a->epsilon->span) : NULL;
}

static bool read_pair(struct pool *pool, const struct ast_expr *e, bool swap, term_id *low,
                      term_id *high) {
  if (e->kind != EXPR_LIST || e->as.list.count != 2) return false;
  *low = pool_meaning(pool, e->as.list.items[0], SORT_INT);
  *high = pool_meaning(pool, e->as.list.items[1], SORT_INT);
  if (*low == TERM_NONE || *high == TERM_NONE) return false;
  if (swap) *low = term_swap_runs(pool->ts, *low);
  if (swap) *high = term_swap_runs(pool->ts, *high);
  return true;
}

/* What a coupling of intervals in the block leaves out. `swap`: it stands in `backward`. */
static void fill_gaps(struct pool *pool, struct plan_scope *scope, const struct core *c,
                      const struct script_sample *s, bool swap) {
  bool inside = s->kind == COUPLING_INSIDE, any = false;
  for (size_t i = 1; i + 1 < s->arg_count; i++)
    any |= !s->args[i];
  const struct ast_expr *own = s->args[s->arg_count - 1], *other = s->args[0];
  struct intervals is;
  if (!any || !read_pair(pool, inside ? other : own, swap, &is.p, &is.q) ||
      !read_pair(pool, inside ? own : other, swap, &is.r, &is.s))
    return;
  measure(pool, c, &is);
  struct auto_problem *p = pool->p;
  const char *move = text_of(p, is.move), *eta = text_of(p, is.eta), *sigma = text_of(p, is.sigma),
             *cost = cost_text(pool, scope);
  const char *outer[] = {"move", move, "eta", eta, "sigma", sigma, "cost", cost};
  const char *inner[] = {"move", move, "eta", eta, "cost", cost};
  const char **words = inside ? inner : outer;
  uint32_t end = other->span.end;
  for (size_t i = 1; i + 1 < s->arg_count; i++) {
    const char *word = words[2 * i - 2], *value = words[2 * i - 1];
    if (s->args[i])
      end = s->args[i]->span.end;
    else if (value)
      plan_edit(pool->plan, end, end, arena_printf(p->arena, " %s %s", word, value));
  }
}

/* ---- no coupling at all ---------------------------------------------------------------------- */

/* A branch on low <= x and x <= high in the command: its ends, program terms. */
static bool find_ends(struct pool *pool, const struct core *c, term_id x, term_id *low,
                      term_id *high) {
  struct terms *ts = pool->ts;
  if (c->kind == CORE_WHILE) return find_ends(pool, c->first, x, low, high);
  if (c->kind == CORE_SEQ)
    return find_ends(pool, c->first, x, low, high) || find_ends(pool, c->second, x, low, high);
  if (c->kind != CORE_IF) return false;
  term_list parts = {0};
  *low = *high = TERM_NONE;
  term_conjuncts(ts, c->expr, &parts);
  for (size_t i = 0; i < parts.len; i++) {
    enum term_kind kind = term_kind(ts, parts.at[i]);
    if (kind != TERM_LE && kind != TERM_LT) continue;
    term_id a = term_arg(ts, parts.at[i], 0), b = term_arg(ts, parts.at[i], 1),
            strict = term_int(ts, kind == TERM_LT);
    if (b == x && !term_mentions(ts, a, &x, 1)) *low = term_add(ts, a, strict);
    if (a == x && !term_mentions(ts, b, &x, 1)) *high = term_sub(ts, b, strict);
  }
  vec_clear(&parts);
  return (*low != TERM_NONE && *high != TERM_NONE) || find_ends(pool, c->first, x, low, high) ||
         find_ends(pool, c->second, x, low, high);
}

static const char *pair_text(struct pool *pool, term_id low, term_id high, bool swap) {
  if (swap) low = term_swap_runs(pool->ts, low);
  if (swap) high = term_swap_runs(pool->ts, high);
  const char *a = text_of(pool->p, low), *b = text_of(pool->p, high);
  return a && b ? arena_printf(pool->p->arena, "[%s, %s]", a, b) : NULL;
}

/* Does another proof that the plan was merged with couple it? */
static bool is_added(const struct plan_scope *scope, const char *name) {
  size_t length = strlen(name);
  for (; scope; scope = scope->outer)
    for (size_t i = 0; i < scope->steps.len; i++) {
      const char *text = scope->steps.at[i]->text;
      if (strncmp(text, "sample ", 7) == 0 && strncmp(text + 7, name, length) == 0) return true;
    }
  return false;
}

static bool has_sample(const struct script_scope *s, const char *name) {
  for (size_t i = 0; s && i < s->sample_count; i++)
    if (names_variable(s->samples[i].name.text, name)) return true;
  return false;
}

/* The same intervals seen from the other run. */
static void add_backward(struct pool *pool, struct plan_scope *scope, const char *name,
                         const struct intervals *is) {
  const char *outer = pair_text(pool, is->p, is->q, true),
             *inner = pair_text(pool, is->r, is->s, true);
  const char *move = text_of(pool->p, is->move), *eta = text_of(pool->p, is->eta),
             *cost = cost_text(pool, scope);
  while (!scope->script || !scope->script->advanced)
    scope = scope->outer;
  const struct script_scope *backward = scope->script->backward;
  if (!outer || !inner || !move || !eta || !cost || has_sample(backward, name)) return;
  const char *step =
      arena_printf(pool->p->arena, "sample %s: interval %s inside %s move %s eta %s cost %s;", name,
                   inner, outer, move, eta, cost);
  if (backward)
    plan_edit(pool->plan, backward->span.end - 1, backward->span.end - 1, step);
  else
    plan_add(pool->plan, scope, arena_printf(pool->p->arena, "backward { %s }", step));
}

static void add_intervals(struct pool *pool, struct plan_scope *scope, const struct core *c) {
  struct terms *ts = pool->ts;
  const char *name = term_var_get(ts, c->var)->name;
  term_id low, high;
  if (!find_ends(pool, scope->command->kind == CORE_WHILE ? scope->command->first : scope->command,
                 c->var, &low, &high))
    return;
  struct intervals is = {.p = kernel_tag(pool->k, low, 1),
                         .q = kernel_tag(pool->k, high, 1),
                         .r = kernel_tag(pool->k, low, 2),
                         .s = kernel_tag(pool->k, high, 2)};
  measure(pool, c, &is);
  const char *outer = pair_text(pool, is.p, is.q, false),
             *inner = pair_text(pool, is.r, is.s, false);
  const char *move = text_of(pool->p, is.move), *eta = text_of(pool->p, is.eta),
             *sigma = text_of(pool->p, is.sigma), *cost = cost_text(pool, scope);
  if (!outer || !inner || !move || !eta || !sigma || !cost) return;
  plan_add(pool->plan, scope,
           arena_printf(pool->p->arena,
                        "sample %s: interval %s to %s move %s eta %s sigma %s cost %s;", name,
                        outer, inner, move, eta, sigma, cost));
  add_backward(pool, scope, name, &is);
}

void fill_sample(struct pool *pool, struct plan_scope *scope, const struct core *sampling,
                 const struct script_sample *given) {
  if (given && given->upto && !given->upto_delta) fill_upto(pool, scope, sampling, given);
  const struct script_advanced *composition = composition_of(scope);
  if (sampling->dist != DIST_DISCRETE_LAPLACE) return;
  const char *name = term_var_get(pool->ts, sampling->var)->name;
  if (!given && composition && composition->hit && !is_added(scope, name))
    add_intervals(pool, scope, sampling);
  if (!given || (given->kind != COUPLING_INTERVAL && given->kind != COUPLING_INSIDE)) return;
  fill_gaps(pool, scope, sampling, given, false);
  const struct script_scope *backward =
      scope->script && composition ? scope->script->backward : NULL;
  for (size_t i = 0; backward && i < backward->sample_count; i++) {
    const struct script_sample *s = &backward->samples[i];
    if (names_variable(s->name.text, name) &&
        (s->kind == COUPLING_INTERVAL || s->kind == COUPLING_INSIDE))
      fill_gaps(pool, scope, sampling, s, true);
  }
}
