#include "search/goals/runner_up.h"

#include "kernel/rules.h"
#include "proof/derive.h"
#include "search/base/bounds.h"
#include "search/base/lists.h"
#include "search/base/text.h"
#include "search/base/view.h"
#include "term/build.h"
#include "term/subst.h"

enum { SAMPLINGS = 3 }; /* in the loop, and before it */

struct finder {
  struct auto_problem *p;
  struct auto_search *search;
  struct terms *ts;
  const struct core *loop;
  const struct core *samplings[SAMPLINGS];
  term_id centres[SAMPLINGS]; /* of the values: noise may be added to them later */
  term_id index;
  size_t count;
  term_list program;        /* what it writes: equal in both runs, as far as centres mention it */
  term_list places, values; /* integers that may be winners; numbers that may be the values */
};

/* ---- how far values differ -------------------------------------------------------------------- */

/* The centre in run 1 minus that in run 2, the index being the same. */
static term_id difference(struct finder *f, struct kernel *k, term_id centre) {
  const struct view *v = f->p->view;
  if (v) centre = term_subst(f->ts, centre, v->copies.at, v->copied.at, v->copies.len);
  if (centre == TERM_NONE) return centre;
  term_id d = term_sub(f->ts, kernel_tag(k, centre, 1), kernel_tag(k, centre, 2));
  for (size_t i = 0; i < f->program.len && d != TERM_NONE; i++)
    for (unsigned run = 1; run <= 2; run++) {
      term_id var = term_var_in_run(f->ts, f->program.at[i], run);
      d = term_subst(f->ts, d, &var, &f->program.at[i], 1);
    }
  return d;
}

/* Where the index may begin: from 0, as far as is known. */
static term_id low_of(const struct finder *f) {
  return f->loop->var == TERM_NONE ? term_int(f->ts, 0) : f->loop->args[0];
}

/* Bounds for all values. */
static bool bound_all(struct finder *f, struct kernel *k, const struct known *known,
                      struct bounds *out) {
  for (size_t i = 0; i < f->count; i++) {
    term_id given = TERM_NONE;
    if (i == 0) given = term_and(f->ts, term_le(f->ts, low_of(f), f->index), f->loop->expr);
    struct bounds b = known_bounds(known, given, difference(f, k, f->centres[i]));
    if (b.low == TERM_NONE || b.high == TERM_NONE) return false;
    out->high = i ? known_larger(known, out->high, b.high) : b.high;
    term_id below =
        i ? known_larger(known, term_neg(f->ts, out->low), term_neg(f->ts, b.low)) : TERM_NONE;
    out->low = i ? (below == TERM_NONE ? below : term_neg(f->ts, below)) : b.low;
    if (out->low == TERM_NONE || out->high == TERM_NONE) return false;
  }
  return true;
}

/* The bounds in one direction: one pair for all, or one for each case. */
struct plan {
  term_id condition; /* of the first case; TERM_NONE: no cases */
  struct bounds cases[2];
  term_id width; /* of the wider case */
};

static bool plan_case(struct finder *f, struct kernel *k, const struct known *known, term_id fact,
                      term_id assumed, struct bounds *out) {
  struct known here = {.p = f->p};
  for (size_t i = 0; i < known->facts.len; i++)
    if (known->facts.at[i] != fact) known_add(&here, known->facts.at[i]);
  known_add(&here, assumed);
  bool ok = bound_all(f, k, &here, out);
  known_clear(&here);
  return ok;
}

/* Keeps the plan by these cases if it is better. `fact`: the disjunction that they make up. */
static void consider(struct finder *f, struct kernel *k, const struct known *known, term_id fact,
                     term_id condition, term_id other, struct plan *best) {
  struct plan plan = {.condition = condition};
  term_id assumed[] = {condition, other};
  for (size_t i = 0; i < 2; i++) {
    if (!plan_case(f, k, known, fact, assumed[i], &plan.cases[i])) return;
    term_id width = term_sub(f->ts, plan.cases[i].high, plan.cases[i].low);
    plan.width = i ? known_larger(known, plan.width, width) : width;
  }
  bool better =
      plan.width != TERM_NONE &&
      (best->width == TERM_NONE ||
       (plan.width != best->width && known_larger(known, plan.width, best->width) == best->width));
  if (better) *best = plan;
}

/* All at once, by the parts of a disjunction (all rise, or all fall), or by whether the one value
 * that differs rises. */
static bool find_plan(struct finder *f, enum claim_direction direction, struct plan *best) {
  struct kernel *k = claim_kernel(f->p->goal, direction);
  struct terms *ts = f->ts;
  struct known known;
  term_list vars = {0};
  known_init(&known, f->p, direction);
  *best = (struct plan){.condition = TERM_NONE, .width = TERM_NONE};
  if (bound_all(f, k, &known, &best->cases[0]))
    best->width = term_sub(ts, best->cases[0].high, best->cases[0].low);
  size_t facts = known.facts.len;
  for (size_t i = 0; i < facts; i++) {
    term_id fact = known.facts.at[i];
    if (!(term_get(ts, fact)->flags & (TERM_HAS_RUN1 | TERM_HAS_RUN2))) continue;
    term_free_vars(ts, fact, &vars);
    if (term_kind(ts, fact) == TERM_OR && term_arg_count(ts, fact) == 2)
      consider(f, k, &known, fact, term_arg(ts, fact, 0), term_arg(ts, fact, 1), best);
  }
  for (size_t i = 0; i < vars.len; i++) {
    const struct term_var *v = term_var_get(ts, vars.at[i]);
    if (v->version == 0 || v->run != 0 || v->sort != SORT_INT || !text_is_named(f->p, vars.at[i]))
      continue;
    term_id d = difference(f, k, f->centres[0]);
    if (d != TERM_NONE) d = term_subst(ts, d, &f->index, &vars.at[i], 1);
    term_id rises = d == TERM_NONE ? d : term_le(ts, term_int(ts, 0), d);
    if (rises != TERM_NONE) consider(f, k, &known, TERM_NONE, rises, term_not(ts, rises), best);
  }
  vec_clear(&vars);
  known_clear(&known);
  return best->width != TERM_NONE;
}

/* ---- proposals -------------------------------------------------------------------------------- */

static void write_step(struct text *out, const struct podium *how, const struct bounds *b) {
  text_put(out, "podium %t", how->winner);
  if (how->runner_up != TERM_NONE) text_put(out, ", %t", how->runner_up);
  text_line(out, " of %t, %t from %t to %t;", how->first, how->second, b->low, b->high);
}

static void write_plan(struct finder *f, struct text *out, const struct podium *how,
                       const struct plan *plan) {
  if (plan->condition == TERM_NONE) {
    write_step(out, how, &plan->cases[0]);
    return;
  }
  const char *condition = text_of_relation(f->p, plan->condition);
  out->failed |= !condition;
  text_line(out, "case %s {", condition ? condition : "");
  write_step(out, how, &plan->cases[0]);
  text_line(out, "} else {");
  write_step(out, how, &plan->cases[1]);
  text_line(out, "}");
}

/* How many samples are moved by as much: the cost as a term. */
static term_id cost_of(struct finder *f, const struct podium *how, term_id width) {
  term_id scale = f->samplings[0]->args[1];
  term_id cost = cost_simplified(f->ts, term_div(f->ts, width, scale));
  bool both = how->runner_up != TERM_NONE;
  return both && cost != TERM_NONE
             ? cost_simplified(f->ts, term_mul(f->ts, term_int(f->ts, 2), cost))
             : cost;
}

static bool propose(struct finder *f, const struct podium *how, const struct plan *plans,
                    size_t directions) {
  struct text out;
  text_init(&out, f->p);
  text_line(&out, "{");
  write_plan(f, &out, how, &plans[0]);
  if (directions > 1) {
    text_line(&out, "backward {");
    write_plan(f, &out, how, &plans[1]);
    text_line(&out, "}");
  }
  text_line(&out, "}");
  const char *proof = text_take(&out), *cost = NULL;
  if (f->p->wants_least) {
    term_id least = cost_of(f, how, plans[0].width);
    cost = least == TERM_NONE ? NULL : text_of(f->p, least);
    if (!cost) return false;
  }
  return proof &&
         auto_try(f->search, &(struct auto_candidate){proof, cost, -1})->verdict == PROOF_BELIEVED;
}

/* The values may be variables, or one of them and the gap between them. */
static bool try_values(struct finder *f, const struct core *const *list, size_t last,
                       struct podium how, const struct plan *plans, size_t directions) {
  struct kernel *k = claim_kernel(f->p->goal, CLAIM_FORWARD);
  how.low = plans[0].cases[0].low;
  how.high = plans[0].cases[0].high;
  for (size_t i = 0; i < f->values.len; i++)
    for (size_t j = 0; j < 2 * f->values.len; j++) {
      term_id other = f->values.at[j / 2];
      if (i == j / 2 || auto_is_late(f->search)) continue;
      how.first = f->values.at[i];
      how.second = j % 2 ? term_sub(f->ts, how.first, other) : other;
      if (podium_from(k, list, last, &how) <= last && propose(f, &how, plans, directions))
        return true;
    }
  return false;
}

static bool try_places(struct finder *f, const struct core *const *list, size_t last) {
  struct plan plans[2];
  size_t directions = claim_is_symmetric(f->p->goal) ? 1 : 2;
  for (size_t d = 0; d < directions; d++)
    if (!find_plan(f, d ? CLAIM_BACKWARD : CLAIM_FORWARD, &plans[d])) return false;
  for (size_t i = 0; i < f->places.len; i++) /* one of them, then two: that costs more */
    if (try_values(f, list, last,
                   (struct podium){.winner = f->places.at[i], .runner_up = TERM_NONE}, plans,
                   directions))
      return true;
  for (size_t i = 0; i < f->places.len; i++)
    for (size_t j = 0; j < f->places.len; j++)
      if (i != j &&
          try_values(f, list, last,
                     (struct podium){.winner = f->places.at[i], .runner_up = f->places.at[j]},
                     plans, directions))
        return true;
  return false;
}

/* ---- the loop --------------------------------------------------------------------------------- */

static const struct core *only_sampling(const struct core *body) {
  const struct core *found = NULL;
  for (const struct core *c = body;; c = c->second) {
    const struct core *one = c->kind == CORE_SEQ ? c->first : c;
    if (one->kind == CORE_SAMPLE && found) return NULL;
    if (one->kind == CORE_SAMPLE)
      found = one;
    else if (core_is_random(one) || core_has_loop(one))
      return NULL;
    if (c->kind != CORE_SEQ) return found;
  }
}

/* Variables that the loop keeps from one iteration to the next. */
static void find_variables(struct finder *f) {
  term_list written = {0};
  core_writes(f->loop->first, &written);
  for (size_t i = 0; i < written.len; i++) {
    term_id x = written.at[i];
    if (x == f->samplings[0]->var || !text_is_named(f->p, x)) continue;
    if (term_sort(f->ts, x) == SORT_INT && x != f->index) terms_add(&f->places, x);
    if (term_sort(f->ts, x) == SORT_REAL) terms_add(&f->values, x);
  }
  vec_clear(&written);
}

/* What is added to the sample right after it was drawn; TERM_NONE: nothing that is known before. */
static term_id added_by(struct finder *f, const struct core *c, term_id sample) {
  if (c->kind != CORE_ASSIGN || term_sort(f->ts, c->var) != SORT_REAL ||
      !term_mentions(f->ts, c->expr, &sample, 1))
    return TERM_NONE;
  term_id rest = term_sub(f->ts, c->expr, sample);
  for (size_t i = 0; i < f->program.len && rest != TERM_NONE; i++)
    if (f->program.at[i] != f->index && term_mentions(f->ts, rest, &f->program.at[i], 1))
      rest = TERM_NONE;
  return rest;
}

/* The sampling, and what the statement after it adds. */
static void add_sampling(struct finder *f, const struct core *sampling, const struct core *next) {
  term_id more = next ? added_by(f, next, sampling->var) : TERM_NONE;
  f->samplings[f->count] = sampling;
  f->centres[f->count++] =
      more == TERM_NONE ? sampling->args[0] : term_add(f->ts, sampling->args[0], more);
}

static const struct core *after_sampling(const struct core *body, const struct core *sampling) {
  for (; body->kind == CORE_SEQ; body = body->second)
    if (body->first == sampling)
      return body->second->kind == CORE_SEQ ? body->second->first : body->second;
  return NULL;
}

static void find_samplings(struct finder *f, const struct core *const *list, size_t last) {
  const struct core *sampling = only_sampling(f->loop->first);
  add_sampling(f, sampling, after_sampling(f->loop->first, sampling));
  for (size_t i = last; i-- > 0 && f->count < SAMPLINGS;)
    if (list[i]->kind == CORE_SAMPLE && list[i]->dist == sampling->dist)
      add_sampling(f, list[i], list[i + 1]);
}

static bool try_loop(struct finder *f, const struct core *const *list, size_t last) {
  f->loop = list[last];
  f->count = f->places.len = f->values.len = 0;
  if (term_kind(f->ts, f->loop->expr) != TERM_LT) return false;
  f->index = term_arg(f->ts, f->loop->expr, 0);
  const struct core *sampling = only_sampling(f->loop->first);
  if (!sampling || sampling->arg_count != 2 || term_sort(f->ts, sampling->var) != SORT_REAL)
    return false;
  find_samplings(f, list, last);
  find_variables(f);
  return f->values.len > 1 && try_places(f, list, last);
}

void auto_runner_up(struct auto_problem *p, struct auto_search *s) {
  struct finder f = {.p = p, .search = s, .ts = p->ts};
  VEC(const struct core *) list = {0};
  const struct core *program = view_program(p), *c = program;
  if (kernel_notion(claim_kernel(p->goal, CLAIM_FORWARD)).kind != NOTION_PURE) return;
  core_writes(program, &f.program);
  for (; c->kind == CORE_SEQ; c = c->second)
    vec_push(&list, c->first);
  vec_push(&list, c);
  bool done = false;
  for (size_t i = list.len; i-- > 0 && !done;)
    done = list.at[i]->kind == CORE_WHILE && try_loop(&f, list.at, i);
  vec_clear(&list);
  vec_clear(&f.program);
  vec_clear(&f.places);
  vec_clear(&f.values);
}
