#include "kernel/notion.h"

#include "kernel/dist.h"
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

/* ln(a/(2a-1) e^((a-1) r) + (a-1)/(2a-1) e^(-a r))/(a-1), r = distance/scale */
static term_id laplace_curve(struct terms *ts, term_id a, term_id distance, term_id scale) {
  term_id less = term_sub(ts, a, term_int(ts, 1)), sum = term_add(ts, a, less);
  term_id up = term_exp(ts, term_div(ts, term_mul(ts, less, distance), scale)),
          down = term_exp(ts, term_div(ts, term_neg(ts, term_mul(ts, a, distance)), scale));
  term_id mean = term_add(ts, term_mul(ts, term_div(ts, a, sum), up),
                          term_mul(ts, term_div(ts, less, sum), down));
  return term_div(ts, term_ln(ts, mean), less);
}

term_id notion_price_laplace(struct terms *ts, struct notion_of n, term_id distance,
                             term_id scale) {
  term_id eps = term_mul(ts, distance, term_reciprocal(ts, scale));
  term_id simple = notion_price_both(ts, n, eps);
  if (n.kind != NOTION_RENYI || !n.by_curve) return simple;
  return term_min(ts, simple, laplace_curve(ts, n.order, distance, scale));
}

/* ln(1 + q (e^eps - 1)) */
term_id notion_sampled(struct terms *ts, term_id q, term_id eps) {
  term_id one = term_int(ts, 1);
  return term_ln(ts, term_add(ts, one, term_mul(ts, q, term_sub(ts, term_exp(ts, eps), one))));
}

enum { SAMPLED_ORDER_MAX = 64 }; /* terms in the sum below */

/* The order if it is an integer from 2 on; else 0. */
static unsigned integer_order(struct terms *ts, struct notion_of n) {
  if (n.kind != NOTION_RENYI || !term_is_num(ts, n.order)) return 0;
  const fmpq *order = term_num_value(ts, n.order);
  if (!fmpz_is_one(fmpq_denref(order)) || fmpz_cmp_ui(fmpq_numref(order), 2) < 0 ||
      fmpz_cmp_ui(fmpq_numref(order), SAMPLED_ORDER_MAX) > 0)
    return 0;
  return (unsigned)fmpz_get_ui(fmpq_numref(order));
}

/* C(alpha, k) (1-q)^(alpha-k) q^k (e^(k(k-1) r^2/2) - 1) */
static term_id sampled_moment(struct terms *ts, unsigned alpha, unsigned k, term_id q, term_id r) {
  fmpq_t count;
  fmpq_init(count);
  fmpz_bin_uiui(fmpq_numref(count), alpha, k);
  term_id one = term_int(ts, 1);
  term_id grown =
      term_exp(ts, term_mul(ts, term_rat(ts, (long)(k * (k - 1) / 2), 1), square(ts, r)));
  term_id out = term_pow(ts, term_sub(ts, one, q), alpha - k), in = term_pow(ts, q, k);
  term_id t = term_mul(ts, term_mul(ts, out, in), term_sub(ts, grown, one));
  t = term_mul(ts, term_num(ts, count, SORT_REAL), t);
  fmpq_clear(count);
  return t;
}

term_id notion_price_sampled(struct terms *ts, struct notion_of n, term_id q, term_id r) {
  unsigned alpha = integer_order(ts, n);
  if (!alpha) return notion_price_normal(ts, n, r);
  term_id sum = term_int(ts, 1);
  for (unsigned k = 2; k <= alpha; k++)
    sum = term_add(ts, sum, sampled_moment(ts, alpha, k, q, r));
  return term_mul(ts, term_rat(ts, 1, alpha - 1), term_ln(ts, sum));
}

/* The length contains 0; D_alpha is at most that, and alpha length^2/8. */
term_id notion_price_range(struct terms *ts, struct notion_of n, term_id length) {
  term_id eighth = term_mul(ts, term_rat(ts, 1, 8), square(ts, length));
  switch (n.kind) {
  case NOTION_RENYI: return term_min(ts, length, term_mul(ts, n.order, eighth));
  case NOTION_ZCDP: return term_min(ts, length, eighth);
  default: return notion_price_both(ts, n, length);
  }
}

term_id notion_budget(struct terms *ts, struct notion_of n, term_id cost) {
  return n.kind == NOTION_GAUSSIAN ? square(ts, cost) : cost;
}
