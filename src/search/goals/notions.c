#include "search/goals/notions.h"

#include "search/align/strategy.h"
#include "search/base/view.h"
#include "search/goals/finite.h"
#include "search/goals/fuse.h"
#include "search/goals/joint.h"
#include "search/goals/noise.h"
#include "search/goals/normal.h"
#include "search/goals/parts.h"
#include "search/goals/pointwise.h"
#include "search/goals/race.h"
#include "search/goals/rescale.h"
#include "term/build.h"
#include "term/subst.h"

static void try_route(struct auto_problem *p, struct auto_search *s, struct auto_route to,
                      bool squared) {
  enum notion notion = to.notion;
  struct ast_expr *zero = auto_expr(s, "0"), *order = to.order ? auto_expr(s, to.order) : NULL;
  const struct ast_expr *epsilon = p->wants_least ? zero
                                   : p->guessed   ? auto_expr(s, p->guessed)
                                                  : p->claim->as.claim.epsilon;
  struct claim_route route = {.notion = notion, .order = order, .cost = zero};
  struct auto_problem by = *p;
  by.wants_least = true;
  by.squared = squared;
  by.goal = zero && epsilon ? claim_open_by(p->lang, p->module, p->claim, epsilon, &route, p->ts,
                                            &p->smt->decider, NULL)
                            : NULL;
  if (!by.goal) return;
  struct view view;
  view_init(&view, claim_program(by.goal)->program);
  by.view = &view;
  if (p->view->fused) fuse_loops(&by, &view);
  normal_form(&by, &view);
  auto_set_route(s, &to);
  auto_align(&by, s);
  if (notion != NOTION_PURE && !auto_done(s)) auto_joint(&by, s);
  if (notion == NOTION_RENYI && !auto_done(s)) auto_race(&by, s);
  if (notion == NOTION_PURE && !auto_done(s)) auto_finite(&by, s);
  if (notion == NOTION_PURE && !auto_done(s)) auto_pointwise(&by, s);
  if (!auto_done(s)) auto_composed(&by, s);
  if (!auto_done(s)) auto_rescaled(&by, s);
  if (!auto_done(s)) auto_align_any(&by, s);
  auto_set_route(s, NULL);
  view_clear(&view);
  claim_close(by.goal);
}

/* Do epsilon and delta have values? */
static bool is_numeric(struct auto_problem *p) {
  term_list vars = {0};
  if (!p->wants_least) term_free_vars(p->ts, claim_epsilon(p->goal), &vars);
  term_free_vars(p->ts, claim_delta(p->goal), &vars);
  bool numeric = vars.len == 0;
  vec_clear(&vars);
  return numeric;
}

/* Is the way by `gaussian` better than that by zcdp? Else its conversion is the harder one. Of other
 * epsilons than parameters it is hard to say whether they are at most 1. */
static bool is_close(struct auto_problem *p) {
  if (is_numeric(p)) return true;
  if (p->wants_least || term_kind(p->ts, claim_epsilon(p->goal)) != TERM_VAR) return false;
  return auto_follows(p, term_le(p->ts, claim_epsilon(p->goal), term_int(p->ts, 1)));
}

/* One order after the other; the cost says at once whether it can lead to the claim. Where records
 * are sampled, an order gains something over all orders at once; in a race there is no bound for all
 * of them. */
static void try_orders(struct auto_problem *p, struct auto_search *s) {
  static const char *const orders[] = {"2", "4", "8", "16", "32", "64"};
  if (!is_numeric(p) || !(tosses_coins(claim_program(p->goal)->program) || race_is_on(p))) return;
  for (size_t i = 0; i < sizeof orders / sizeof *orders && !auto_done(s); i++)
    try_route(p, s, (struct auto_route){NOTION_RENYI, orders[i]}, false);
}

void auto_by_notions(struct auto_problem *p, struct auto_search *s) {
  if (p->claim->as.claim.notion != NOTION_PURE) {
    if (p->wants_least || !auto_cost(s))
      try_route(p, s, (struct auto_route){.notion = NOTION_PURE}, false);
    return;
  }
  if (!p->claim->as.claim.delta) return;
  bool close = is_close(p);
  if (close) try_route(p, s, (struct auto_route){.notion = NOTION_GAUSSIAN}, false);
  for (int squared = 1; squared >= 0 && !auto_done(s); squared--)
    try_route(p, s, (struct auto_route){.notion = NOTION_ZCDP}, squared);
  if (!close && !auto_done(s))
    try_route(p, s, (struct auto_route){.notion = NOTION_GAUSSIAN}, false);
  if (!auto_done(s)) try_orders(p, s);
}
