/* Notions of privacy: in what the budget of a judgement is measured, and what things cost.
 *
 * A notion is a family of concave, increasing functions G_B of [0,1]; a judgement of the context
 * means E[f] <= G_B(E[g]) instead of e^B E[g] (judgement.h). docs/notions.md has the functions, the
 * proofs of the prices below, and for every rule why it holds in which notions.
 *
 * Budgets are: pure, epsilon; renyi, the divergence of order alpha; zcdp, rho; gaussian, mu^2. */
#ifndef COUPLET_KERNEL_NOTION_H
#define COUPLET_KERNEL_NOTION_H

#include "kernel/kernel.h"

struct notion_of {
  enum notion kind;
  term_id order; /* renyi: alpha > 1, over logical variables; else TERM_NONE */
  bool by_curve; /* renyi: prices may be logarithms of sums where these are less */
};

static inline struct notion_of notion_pure(void) {
  return (struct notion_of){NOTION_PURE, TERM_NONE, false};
}

/* The notion of a context: pure unless it was set, which only an open context without judgements
 * allows. False if it cannot be. */
bool kernel_set_notion(struct kernel *k, struct notion_of notion);
struct notion_of kernel_notion(const struct kernel *k);
/* Fails, naming the rule, if the context has another notion than the pure one. */
bool kernel_needs_pure(struct kernel *k, const char *rule, struct span span);

/* Prices, as terms; TERM_NONE: there is none in this notion. eps, r >= 0 are real terms.
 *   both     for a step that multiplies no probability by more than e^eps, in either direction
 *   one_way  the same, run 1 against run 2 only
 *   decided  one_way where the sample decides which part of it is used
 *   normal   for normal noise that moves by r standard deviations
 *   laplace  for Laplace noise of this scale that moves by distance >= 0 */
term_id notion_price_both(struct terms *ts, struct notion_of n, term_id eps);
term_id notion_price_one_way(struct terms *ts, struct notion_of n, term_id eps);
term_id notion_price_decided(struct terms *ts, struct notion_of n, term_id eps);
term_id notion_price_normal(struct terms *ts, struct notion_of n, term_id r);
term_id notion_price_laplace(struct terms *ts, struct notion_of n, term_id distance, term_id scale);

/* Of records each of which is in a sum with probability q, one is there in one run only; eps, r: what
 * it would cost if it were certain to count, in the pure notion or in standard deviations. */
term_id notion_sampled(struct terms *ts, term_id q, term_id eps); /* pure */
term_id notion_price_sampled(struct terms *ts, struct notion_of n, term_id q, term_id r);
/* For a step whose loss lies in an interval of this length. */
term_id notion_price_range(struct terms *ts, struct notion_of n, term_id length);

/* The budget that the cost of a claim stands for: mu^2 for mu, else the cost itself. */
term_id notion_budget(struct terms *ts, struct notion_of n, term_id cost);

#endif
