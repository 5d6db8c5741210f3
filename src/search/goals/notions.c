#include "search/goals/notions.h"

#include "search/align/strategy.h"
#include "search/base/view.h"
#include "search/goals/finite.h"
#include "search/goals/normal.h"
#include "search/goals/parts.h"
#include "search/goals/pointwise.h"
#include "search/goals/rescale.h"
#include "term/subst.h"

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
  struct view view;
  view_init(&view, claim_program(by.goal)->program);
  by.view = &view;
  normal_form(&by, &view);
  auto_set_route(s, &notion);
  auto_align(&by, s);
  if (notion == NOTION_PURE && !auto_done(s)) auto_finite(&by, s);
  if (notion == NOTION_PURE && !auto_done(s)) auto_pointwise(&by, s);
  if (!auto_done(s)) auto_composed(&by, s);
  if (!auto_done(s)) auto_rescaled(&by, s);
  if (!auto_done(s)) auto_align_any(&by, s);
  auto_set_route(s, NULL);
  view_clear(&view);
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
