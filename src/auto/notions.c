#include "auto/notions.h"

#include <string.h>

#include "auto/finite.h"
#include "auto/parts.h"
#include "auto/pointwise.h"
#include "auto/rescale.h"
#include "auto/sync_strategy.h"
#include "term/subst.h"

/* ---- texts ----------------------------------------------------------------------------------- */

static const char *source_of(const struct auto_problem *p, const struct ast_expr *e) {
  const struct source *s = sources_get(&p->lang->sources, e->span.file);
  return arena_strndup(p->arena, s->text + e->span.begin, e->span.end - e->span.begin);
}

/* Budgets are in mu^2 there. */
static const char *from_budget(struct auto_problem *p, enum notion notion, const char *budget) {
  if (notion != NOTION_GAUSSIAN) return budget;
  return strcmp(budget, "0") == 0 ? budget : arena_printf(p->arena, "sqrt(%s)", budget);
}

/* What a claim that asks for the least cost gets from this cost of the route; NULL: no formula. */
static const char *claimed(struct auto_problem *p, enum notion route, const char *cost) {
  const struct ast_decl *claim = p->claim;
  if (route == NOTION_ZCDP && claim->as.claim.delta)
    return arena_printf(p->arena, "%s + 2*sqrt((%s)*ln(1/(%s)))", cost, cost,
                        source_of(p, claim->as.claim.delta));
  if (route != NOTION_PURE) return NULL;
  switch (claim->as.claim.notion) {
  case NOTION_ZCDP: return arena_printf(p->arena, "min(%s, (%s)^2/2)", cost, cost);
  case NOTION_GAUSSIAN: return arena_printf(p->arena, "sqrt(11/7)*(%s)", cost);
  case NOTION_RENYI: {
    const char *order = claim->as.claim.all_order ? claim->as.claim.all_order->name.text
                                                  : source_of(p, claim->as.claim.order);
    return arena_printf(p->arena, "min(%s, (%s)*(%s)^2/2)", cost, order, cost);
  }
  default: return NULL;
  }
}

bool notions_adapt(struct auto_problem *p, const enum notion *route,
                   const struct auto_candidate *in, struct auto_candidate *out) {
  *out = *in;
  if (!route) {
    if (in->epsilon) out->epsilon = from_budget(p, p->claim->as.claim.notion, in->epsilon);
    return true;
  }
  const char *open = strchr(in->proof, '{');
  if (!in->epsilon || !open) return false;
  const char *cost = from_budget(p, *route, in->epsilon);
  out->proof = arena_printf(p->arena, "{\nby %s %s;\n%s", notion_word(*route), cost, open + 1);
  out->epsilon = p->wants_least ? claimed(p, *route, cost) : NULL;
  return !p->wants_least || out->epsilon;
}

/* ---- the strategy ---------------------------------------------------------------------------- */

static void try_route(struct auto_problem *p, struct auto_search *s, enum notion notion) {
  struct ast_expr *zero = auto_expr(s, "0");
  struct claim_route route = {.notion = notion, .cost = zero};
  const char *why;
  struct span where;
  struct auto_problem by = *p;
  by.wants_least = true;
  by.goal = zero ? claim_open_by(p->lang, p->module, p->claim,
                                 p->wants_least ? zero : p->claim->as.claim.epsilon, &route, p->ts,
                                 &p->smt->decider, &why, &where)
                 : NULL;
  if (!by.goal) return;
  auto_set_route(s, &notion);
  auto_synchronous(&by, s);
  if (notion == NOTION_PURE && !auto_done(s)) auto_finite(&by, s);
  if (notion == NOTION_PURE && !auto_done(s)) auto_pointwise(&by, s);
  if (notion == NOTION_PURE && !auto_done(s)) auto_composed(&by, s);
  if (!auto_done(s)) auto_rescaled(&by, s);
  if (!auto_done(s)) auto_synchronous_any(&by, s);
  auto_set_route(s, NULL);
  claim_close(by.goal);
}

/* Do epsilon and delta have values? Only then is the way by `gaussian` better than that by zcdp. */
static bool is_numeric(struct auto_problem *p) {
  term_list vars = {0};
  if (!p->wants_least) term_free_vars(p->ts, claim_epsilon(p->goal), &vars);
  term_free_vars(p->ts, claim_delta(p->goal), &vars);
  bool numeric = vars.len == 0;
  vec_clear(&vars);
  return numeric;
}

void auto_by_notions(struct auto_problem *p, struct auto_search *s) {
  if (p->claim->as.claim.notion != NOTION_PURE) {
    if (p->wants_least || !auto_cost(s)) try_route(p, s, NOTION_PURE);
    return;
  }
  if (!p->claim->as.claim.delta) return;
  if (is_numeric(p)) try_route(p, s, NOTION_GAUSSIAN);
  if (!auto_done(s)) try_route(p, s, NOTION_ZCDP);
}
