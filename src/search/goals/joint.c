#include "search/goals/joint.h"

#include "kernel/dist.h"
#include "search/base/bounds.h"
#include "search/base/text.h"
#include "search/base/view.h"
#include "search/goals/vector.h"
#include "term/build.h"

/* How many squares are added up. */
static size_t squares_in(struct terms *ts, term_id t) {
  size_t count = term_kind(ts, t) == TERM_POW;
  for (size_t i = 0; term_kind(ts, t) == TERM_ADD && i < term_arg_count(ts, t); i++)
    count += squares_in(ts, term_arg(ts, t, i));
  return count;
}

/* The sum of several squares is at most so much; of its root the adjacency may speak. */
struct joint {
  term_id sum, most;
  bool of_root;
};

/* False: the adjacency says nothing of the kind. */
static bool find_sum(struct auto_problem *p, struct joint *out) {
  struct terms *ts = p->ts;
  const struct kernel *k = claim_kernel(p->goal, CLAIM_FORWARD);
  for (size_t i = 0; i < kernel_fact_count(k); i++) {
    term_id fact = kernel_fact(k, i);
    if (term_kind(ts, fact) != TERM_LE) continue;
    term_id left = term_arg(ts, fact, 0), right = term_arg(ts, fact, 1);
    out->of_root = term_kind(ts, left) == TERM_SQRT;
    out->sum = out->of_root ? term_arg(ts, left, 0) : left;
    out->most = out->of_root ? term_pow(ts, right, 2) : right;
    if (squares_in(ts, out->sum) > 1) return true;
  }
  return false;
}

/* The price of distance 1 if it is the same for all samplings; TERM_NONE: it is not, or there is
 * something else than noise around values, and assignments. */
static term_id common_rate(struct auto_problem *p, const struct core *program) {
  struct notion_of notion = kernel_notion(claim_kernel(p->goal, CLAIM_FORWARD));
  term_id rate = TERM_NONE;
  for (const struct core *c = program;; c = c->second) {
    const struct core *one = c->kind == CORE_SEQ ? c->first : c;
    if (one->kind == CORE_SAMPLE) {
      term_id unit, own = TERM_NONE;
      vector_shift(p, program, one->var, &unit);
      if (one->arg_count == 2) own = dist_price(p->ts, notion, one->dist, unit, one->args[1]);
      if (own != TERM_NONE) own = cost_simplified(p->ts, own);
      if (own == TERM_NONE || (rate != TERM_NONE && own != rate)) return TERM_NONE;
      rate = own;
    } else if (one->kind != CORE_ASSIGN && one->kind != CORE_SKIP) {
      return TERM_NONE;
    }
    if (c->kind != CORE_SEQ) return rate;
  }
}

static const char *steps(struct auto_problem *p, const struct joint *j,
                         const struct core *program) {
  struct text text;
  text_init(&text, p);
  text_line(&text, "{");
  if (j->of_root) text_line(&text, "have %t <= %t;", j->sum, j->most);
  for (const struct core *c = program;; c = c->second) {
    const struct core *one = c->kind == CORE_SEQ ? c->first : c;
    term_id unit;
    if (one->kind == CORE_SAMPLE)
      text_line(&text, "sample %t: shift %t;", one->var, vector_shift(p, program, one->var, &unit));
    if (c->kind != CORE_SEQ) break;
  }
  text_line(&text, "}");
  return text_take(&text);
}

void auto_joint(struct auto_problem *p, struct auto_search *s) {
  const struct core *program = view_program(p);
  bool pure = kernel_notion(claim_kernel(p->goal, CLAIM_FORWARD)).kind == NOTION_PURE;
  struct joint joint;
  term_id rate = pure || !find_sum(p, &joint) ? TERM_NONE : common_rate(p, program);
  if (rate == TERM_NONE) return;
  term_id per = cost_simplified(p->ts, term_div(p->ts, term_int(p->ts, 1), rate));
  const char *cost = text_of(p, cost_simplified(p->ts, term_div(p->ts, joint.most, per)));
  const char *proof = steps(p, &joint, program);
  if (!proof || !cost) return;
  auto_try(s, &(struct auto_candidate){proof, p->wants_least ? cost : NULL, 5});
}
