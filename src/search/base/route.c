#include "search/base/route.h"

#include <math.h>
#include <string.h>

#include "search/base/text.h"
#include "term/build.h"

static const char *source_of(const struct auto_problem *p, const struct ast_expr *e) {
  const struct source *s = sources_get(&p->lang->sources, e->span.file);
  return arena_strndup(p->arena, s->text + e->span.begin, e->span.end - e->span.begin);
}

/* The root of t is the one term times the root of the other. */
struct root {
  term_id taken, left;
};

static void scale_root(struct terms *ts, struct root *r, struct root by, bool divides) {
  r->taken = divides ? term_div(ts, r->taken, by.taken) : term_mul(ts, r->taken, by.taken);
  r->left = divides ? term_div(ts, r->left, by.left) : term_mul(ts, r->left, by.left);
}

/* Of products and quotients of parameters. */
static struct root root_of(struct auto_problem *p, term_id t) {
  struct terms *ts = p->ts;
  term_id one = term_rat(ts, 1, 1);
  struct root r = {one, one};
  enum term_kind kind = term_kind(ts, t);
  size_t count = term_arg_count(ts, t);
  if (kind == TERM_POW && term_get(ts, t)->data % 2 == 0 &&
      auto_follows(p, term_le(ts, term_rat(ts, 0, 1), term_arg(ts, t, 0))))
    r.taken = term_pow(ts, term_arg(ts, t, 0), term_get(ts, t)->data / 2);
  else if (kind == TERM_MUL || kind == TERM_DIV)
    for (size_t i = 0; i < count; i++)
      scale_root(ts, &r, root_of(p, term_arg(ts, t, i)), kind == TERM_DIV && i == 1);
  else
    r.left = t;
  return r;
}

/* Budgets are in mu^2 there. */
static const char *from_budget(struct auto_problem *p, enum notion notion, const char *budget,
                               term_id t) {
  if (notion != NOTION_GAUSSIAN || strcmp(budget, "0") == 0) return budget;
  if (t == TERM_NONE) return arena_printf(p->arena, "sqrt(%s)", budget);
  struct root r = root_of(p, t);
  if (r.taken == term_rat(p->ts, 1, 1)) return arena_printf(p->arena, "sqrt(%s)", budget);
  bool whole = r.left == term_rat(p->ts, 1, 1);
  term_id root = whole ? r.taken : term_mul(p->ts, r.taken, term_sqrt(p->ts, r.left));
  return text_of(p, root);
}

/* Phi(mu/2 - epsilon/mu) - e^epsilon Phi(-mu/2 - epsilon/mu), about. */
static double normal_delta(double mu, double epsilon) {
  double a = epsilon / mu - mu / 2, b = epsilon / mu + mu / 2;
  return (erfc(a / sqrt(2)) - exp(epsilon) * erfc(b / sqrt(2))) / 2;
}

/* The least epsilon for this delta, rounded up to a few digits; NULL: none was found. */
static const char *normal_epsilon(struct auto_problem *p, double mu, double delta) {
  double low = 0, high = 1;
  if (!(mu > 0) || !(delta > 0) || !(delta < 1)) return NULL;
  while (high < 500 && !(normal_delta(mu, high) < delta))
    high *= 2;
  for (int i = 0; i < 60; i++) {
    double middle = (low + high) / 2;
    *(normal_delta(mu, middle) < delta ? &high : &low) = middle;
  }
  return high < 500 ? arena_printf(p->arena, "%.4f", ceil(high * 1e4 + 1e-3) / 1e4) : NULL;
}

/* What a claim that asks for the least cost gets from this cost of the route; NULL: no formula. */
static const char *claimed(struct auto_problem *p, const struct auto_route *by, const char *cost,
                           double budget, double delta) {
  const struct ast_decl *claim = p->claim;
  enum notion route = by->notion;
  if (route == NOTION_GAUSSIAN && claim->as.claim.delta)
    return normal_epsilon(p, sqrt(budget), delta);
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
                 const struct auto_candidate *in, struct route_cost of,
                 struct auto_candidate *out) {
  *out = *in;
  if (!route) {
    if (in->epsilon) out->epsilon = from_budget(p, p->claim->as.claim.notion, in->epsilon, of.term);
    return true;
  }
  const char *open = strchr(in->proof, '{');
  if (!in->epsilon || !open) return false;
  const char *cost = from_budget(p, route->notion, in->epsilon, of.term);
  const char *word = notion_word(route->notion);
  if (route->order) word = arena_printf(p->arena, "%s %s epsilon", word, route->order);
  out->proof = arena_printf(p->arena, "{\nby %s %s;\n%s", word, cost, open + 1);
  out->epsilon = p->wants_least ? claimed(p, route, cost, of.budget, of.delta) : NULL;
  return !p->wants_least || out->epsilon;
}
