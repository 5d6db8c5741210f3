#include "search/goals/lift_plan.h"

#include "search/base/text.h"
#include "term/build.h"
#include "term/subst.h"

enum { ENTRIES_LIMIT = 4 }; /* of one fact, tried as case distinctions */

void lift_plan_clear(struct lift_plan *plan) {
  for (size_t i = 0; i < plan->count; i++)
    lift_clear(&plan->cases[i]);
  plan->count = 0;
}

/* Both cases: under the condition, and without it. `fact` is the disjunction it is part of, or
 * TERM_NONE. */
static bool plan_cases(const struct lift_goal *g, term_id fact, term_id condition,
                       struct lift_plan *out) {
  *out = (struct lift_plan){.condition = condition};
  bool ok = true;
  for (size_t i = 0; i < (condition == TERM_NONE ? 1 : 2) && ok; i++) {
    struct known here = {.p = g->c->p};
    for (size_t f = 0; f < g->known->facts.len; f++)
      if (g->known->facts.at[f] != fact) known_add(&here, g->known->facts.at[f]);
    if (condition != TERM_NONE && i == 0) known_add(&here, condition);
    if (condition != TERM_NONE && i == 1) {
      term_id rest = term_bool(g->c->ts, false);
      for (size_t a = 0; fact != TERM_NONE && a < term_arg_count(g->c->ts, fact); a++)
        if (term_arg(g->c->ts, fact, a) != condition)
          rest = term_or(g->c->ts, rest, term_arg(g->c->ts, fact, a));
      known_add(&here, fact == TERM_NONE ? term_not(g->c->ts, condition) : rest);
    }
    ok = lift_find(g->c, &here, g->r, &out->cases[i]);
    out->count = i + 1;
    known_clear(&here);
  }
  out->cost = ok ? out->cases[0].cost : TERM_NONE;
  if (ok && out->count == 2)
    out->cost = known_larger(g->known, out->cases[0].cost, out->cases[1].cost);
  if (out->cost == TERM_NONE) lift_plan_clear(out);
  return out->cost != TERM_NONE;
}

static bool costs_less(const struct known *known, term_id a, term_id b) {
  return a != b && known_larger(known, a, b) == b;
}

/* Keeps the cheaper plan. */
static void consider(const struct lift_goal *g, term_id fact, term_id condition,
                     struct lift_plan *best) {
  struct lift_plan plan;
  if (!plan_cases(g, fact, condition, &plan)) return;
  if (best->count && !costs_less(g->known, plan.cost, best->cost)) {
    lift_plan_clear(&plan);
    return;
  }
  lift_plan_clear(best);
  *best = plan;
}

/* Entries that a fact about both runs singles out: the witness of an `exists`, which has a name in
 * proofs, and indices that are spelt out. */
static void singled_out(const struct lift_goal *g, term_id fact, term_list *out) {
  struct terms *ts = g->c->ts;
  term_list parts = {0};
  term_free_vars(ts, fact, &parts);
  for (size_t i = 0; i < parts.len; i++) {
    const struct term_var *v = term_var_get(ts, parts.at[i]);
    if (v->version > 0 && v->run == 0 && v->sort == SORT_INT && text_is_named(g->c->p, parts.at[i]))
      vec_push(out, parts.at[i]);
  }
  parts.len = 0;
  term_subterms(ts, fact, &parts);
  for (size_t i = 0; i < parts.len; i++)
    if (term_kind(ts, parts.at[i]) == TERM_SELECT && term_is_num(ts, term_arg(ts, parts.at[i], 1)))
      vec_push(out, term_arg(ts, parts.at[i], 1));
  vec_clear(&parts);
}

static bool is_enough(const struct lift_goal *g, const struct lift_plan *plan) {
  return plan->count && g->enough != TERM_NONE &&
         known_larger(g->known, plan->cost, g->enough) == g->enough;
}

bool lift_plan_find(const struct lift_goal *g, struct lift_plan *best) {
  struct terms *ts = g->c->ts;
  *best = (struct lift_plan){.condition = TERM_NONE};
  consider(g, TERM_NONE, TERM_NONE, best);
  for (size_t i = 0; !g->whole && i < g->known->facts.len && !is_enough(g, best); i++) {
    term_id fact = g->known->facts.at[i];
    unsigned flags = term_get(ts, fact)->flags;
    if (!(flags & (TERM_HAS_RUN1 | TERM_HAS_RUN2))) continue;
    if (term_kind(ts, fact) == TERM_OR) consider(g, fact, term_arg(ts, fact, 0), best);
    term_list entries = {0};
    singled_out(g, fact, &entries);
    for (size_t e = 0; e < entries.len && e < ENTRIES_LIMIT && !is_enough(g, best); e++) {
      term_id own = term_subst(ts, g->c->entry, &g->c->counter, &entries.at[e], 1);
      consider(g, TERM_NONE, term_eq(ts, own, g->r), best);
    }
    vec_clear(&entries);
  }
  return best->count > 0;
}
