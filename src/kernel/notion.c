#include "kernel/notion.h"

#include "kernel/internal.h"
#include "term/build.h"

bool kernel_set_notion(struct kernel *k, struct notion_of notion) {
  if (k->sealed || k->judgement_count > 0) return false;
  bool has_order = notion.order != TERM_NONE;
  if (has_order != (notion.kind == NOTION_RENYI)) return false;
  if (has_order) {
    if (!kernel_is_constant(k, notion.order)) return false;
    notion.order = term_coerce(k->terms, notion.order, SORT_REAL);
  }
  k->notion = notion;
  return true;
}

struct notion_of kernel_notion(const struct kernel *k) {
  return k->notion;
}

bool kernel_needs_pure(struct kernel *k, const char *rule, struct span span) {
  if (k->notion.kind == NOTION_PURE) return true;
  kernel_fail(k, rule, span, "this rule holds for `epsilon` only, not for `%s`",
              notion_word(k->notion.kind));
  return false;
}

static term_id square(struct terms *ts, term_id t) {
  return term_mul(ts, t, t);
}

static term_id half_of(struct terms *ts, term_id t) {
  return term_mul(ts, term_rat(ts, 1, 2), t);
}

term_id notion_price_both(struct terms *ts, struct notion_of n, term_id eps) {
  switch (n.kind) {
  case NOTION_PURE: return eps;
  case NOTION_RENYI: return term_min(ts, eps, half_of(ts, term_mul(ts, n.order, square(ts, eps))));
  case NOTION_ZCDP: return term_min(ts, eps, half_of(ts, square(ts, eps)));
  case NOTION_GAUSSIAN: return term_mul(ts, term_rat(ts, 11, 7), square(ts, eps)); /* > pi/2 */
  }
  return TERM_NONE;
}

term_id notion_price_one_way(struct terms *ts, struct notion_of n, term_id eps) {
  (void)ts;
  return n.kind == NOTION_GAUSSIAN ? TERM_NONE : eps;
}

term_id notion_price_decided(struct terms *ts, struct notion_of n, term_id eps) {
  if (n.kind == NOTION_PURE) return eps;
  if (n.kind != NOTION_RENYI) return TERM_NONE;
  term_id more = term_div(ts, n.order, term_sub(ts, n.order, term_int(ts, 1)));
  return term_mul(ts, more, eps);
}

term_id notion_price_normal(struct terms *ts, struct notion_of n, term_id r) {
  switch (n.kind) {
  case NOTION_PURE: return TERM_NONE;
  case NOTION_RENYI: return half_of(ts, term_mul(ts, n.order, square(ts, r)));
  case NOTION_ZCDP: return half_of(ts, square(ts, r));
  case NOTION_GAUSSIAN: return square(ts, r);
  }
  return TERM_NONE;
}

term_id notion_budget(struct terms *ts, struct notion_of n, term_id cost) {
  return n.kind == NOTION_GAUSSIAN ? square(ts, cost) : cost;
}
