#include "search/base/route.h"

#include <string.h>
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
static const char *claimed(struct auto_problem *p, const struct auto_route *by, const char *cost) {
  const struct ast_decl *claim = p->claim;
  enum notion route = by->notion;
  if (route == NOTION_RENYI && claim->as.claim.delta)
    return arena_printf(p->arena, "%s + ln(1/(%s))/(%s - 1)", cost,
                        source_of(p, claim->as.claim.delta), by->order);
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

bool route_adapt(struct auto_problem *p, const struct auto_route *route,
                 const struct auto_candidate *in, struct auto_candidate *out) {
  *out = *in;
  if (!route) {
    if (in->epsilon) out->epsilon = from_budget(p, p->claim->as.claim.notion, in->epsilon);
    return true;
  }
  const char *open = strchr(in->proof, '{');
  if (!in->epsilon || !open) return false;
  const char *cost = from_budget(p, route->notion, in->epsilon), *word = notion_word(route->notion);
  if (route->order) word = arena_printf(p->arena, "%s %s epsilon", word, route->order);
  out->proof = arena_printf(p->arena, "{\nby %s %s;\n%s", word, cost, open + 1);
  out->epsilon = p->wants_least ? claimed(p, route, cost) : NULL;
  return !p->wants_least || out->epsilon;
}
