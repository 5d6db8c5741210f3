#include "claim/convert.h"

#include "num/arb_compat.h"
#include "term/build.h"
#include "term/eval.h"

static term_id square(struct terms *ts, term_id t) {
  return term_mul(ts, t, t);
}

/* ln(1/delta) */
static term_id log_inverse(struct terms *ts, term_id delta) {
  return term_ln(ts, term_div(ts, term_int(ts, 1), delta));
}

static bool has_delta(const struct privacy *p) {
  return p->notion.kind == NOTION_PURE && p->delta != TERM_NONE;
}

/* rho to (epsilon, delta): delta >= exp(-(epsilon - rho)^2/(4 rho)), epsilon >= rho; without a
 * quotient by rho. */
static term_id from_rho(struct terms *ts, term_id rho, const struct privacy *to) {
  term_id left = term_mul(ts, term_mul(ts, term_int(ts, 4), rho), log_inverse(ts, to->delta));
  term_id parts[] = {term_lt(ts, term_int(ts, 0), to->delta), term_le(ts, rho, to->cost),
                     term_le(ts, left, square(ts, term_sub(ts, to->cost, rho)))};
  return term_and_all(ts, parts, 3);
}

/* A normal pair: as zcdp mu^2/2; or, for epsilon <= 1, by the theorem of the Gaussian mechanism,
 * 2 mu^2 ln(5/(4 delta)) <= epsilon^2. */
static term_id from_normal(struct terms *ts, term_id mu, const struct privacy *to) {
  term_id rho = term_mul(ts, term_rat(ts, 1, 2), square(ts, mu));
  term_id log = term_ln(ts, term_div(ts, term_rat(ts, 5, 4), to->delta));
  term_id need = term_mul(ts, term_mul(ts, term_int(ts, 2), square(ts, mu)), log);
  term_id parts[] = {term_lt(ts, term_int(ts, 0), to->delta),
                     term_le(ts, to->cost, term_int(ts, 1)),
                     term_le(ts, need, square(ts, to->cost))};
  return term_or(ts, term_and_all(ts, parts, 3), from_rho(ts, rho, to));
}

/* D_alpha <= P to (epsilon, delta): delta >= e^((alpha-1)(P-epsilon)) (alpha-1)^(alpha-1) /
 * alpha^alpha, or without the last factor, which is at most 1. */
static term_id from_divergence(struct terms *ts, const struct privacy *from,
                               const struct privacy *to) {
  term_id alpha = from->notion.order, less = term_sub(ts, alpha, term_int(ts, 1));
  term_id gain = term_mul(ts, less, term_sub(ts, to->cost, from->cost));
  term_id need = log_inverse(ts, to->delta);
  term_id factor =
      term_sub(ts, term_mul(ts, less, term_ln(ts, less)), term_mul(ts, alpha, term_ln(ts, alpha)));
  return term_and(
      ts, term_lt(ts, term_int(ts, 0), to->delta),
      term_or(ts, term_le(ts, need, gain), term_le(ts, term_add(ts, need, factor), gain)));
}

static term_id to_epsilon(struct terms *ts, const struct privacy *from, const struct privacy *to) {
  if (from->notion.kind == NOTION_PURE) return term_le(ts, from->cost, to->cost);
  if (!has_delta(to)) return TERM_NONE;
  switch (from->notion.kind) {
  case NOTION_RENYI: return from_divergence(ts, from, to);
  case NOTION_ZCDP: return from_rho(ts, from->cost, to);
  case NOTION_GAUSSIAN: return from_normal(ts, from->cost, to);
  default: return TERM_NONE;
  }
}

/* Renyi divergences grow with the order. */
static term_id to_divergence(struct terms *ts, const struct privacy *from,
                             const struct privacy *to) {
  switch (from->notion.kind) {
  case NOTION_PURE: return term_le(ts, notion_price_both(ts, to->notion, from->cost), to->cost);
  case NOTION_RENYI:
    return term_and(ts, term_le(ts, to->notion.order, from->notion.order),
                    term_le(ts, from->cost, to->cost));
  case NOTION_ZCDP: return term_le(ts, term_mul(ts, to->notion.order, from->cost), to->cost);
  case NOTION_GAUSSIAN:
    return term_le(ts, notion_price_normal(ts, to->notion, from->cost), to->cost);
  }
  return TERM_NONE;
}

term_id convert_condition(struct terms *ts, const struct privacy *from, const struct privacy *to) {
  enum notion have = from->notion.kind;
  if (has_delta(from)) return TERM_NONE;
  switch (to->notion.kind) {
  case NOTION_PURE: return to_epsilon(ts, from, to);
  case NOTION_RENYI: return to_divergence(ts, from, to);
  case NOTION_ZCDP:
    if (have == NOTION_ZCDP) return term_le(ts, from->cost, to->cost);
    if (have == NOTION_PURE)
      return term_le(ts, notion_price_both(ts, to->notion, from->cost), to->cost);
    if (have == NOTION_GAUSSIAN)
      return term_le(ts, notion_price_normal(ts, to->notion, from->cost), to->cost);
    return TERM_NONE;
  case NOTION_GAUSSIAN:
    if (have == NOTION_GAUSSIAN) return term_le(ts, from->cost, to->cost);
    if (have == NOTION_PURE)
      return term_le(ts, notion_price_both(ts, to->notion, from->cost), square(ts, to->cost));
    return TERM_NONE;
  }
  return TERM_NONE;
}

/* ---- numbers -------------------------------------------------------------------------------- */

enum { CONVERT_PRECISION = 256, CONVERT_PRECISION_MAX = 4096 };

/* The distribution function of N(0,1). */
static void normal_cdf(arb_t out, const arb_t x, slong precision) {
  arb_t root;
  arb_init(root);
  arb_sqrt_ui(root, 2, precision);
  arb_div(out, x, root, precision);
  arb_neg(out, out);
  arb_hypgeom_erfc(out, out, precision);
  arb_mul_2exp_si(out, out, -1);
  arb_clear(root);
}

/* Phi(mu/2 - epsilon/mu) - e^epsilon Phi(-mu/2 - epsilon/mu) */
static void gaussian_delta(arb_t out, const arb_t mu, const arb_t epsilon, slong precision) {
  arb_t half, ratio, x;
  arb_init(half);
  arb_init(ratio);
  arb_init(x);
  arb_mul_2exp_si(half, mu, -1);
  arb_div(ratio, epsilon, mu, precision);
  arb_sub(x, half, ratio, precision);
  normal_cdf(out, x, precision);
  arb_add(x, half, ratio, precision);
  arb_neg(x, x);
  normal_cdf(x, x, precision);
  arb_exp(ratio, epsilon, precision);
  arb_submul(out, ratio, x, precision);
  arb_clear(x);
  arb_clear(ratio);
  arb_clear(half);
}

static bool value_of(struct evaluator *ev, term_id t, arb_t out) {
  return tvalue_get_ball(eval_term(ev, t), out, ev->precision) && arb_is_finite(out);
}

/* At one precision: 1 yes, 0 not known. */
static bool is_covered(struct terms *ts, const struct privacy *from, const struct privacy *to,
                       slong precision) {
  struct evaluator ev;
  eval_init(&ev, ts);
  ev.precision = precision;
  arb_t mu, epsilon, delta, need;
  arb_init(mu);
  arb_init(epsilon);
  arb_init(delta);
  arb_init(need);
  bool ok = value_of(&ev, from->cost, mu) && value_of(&ev, to->cost, epsilon) &&
            value_of(&ev, to->delta, delta) && arb_is_positive(mu) && arb_is_nonnegative(epsilon);
  if (ok) gaussian_delta(need, mu, epsilon, precision);
  ok = ok && arb_is_finite(need) && arb_le(need, delta);
  arb_clear(need);
  arb_clear(delta);
  arb_clear(epsilon);
  arb_clear(mu);
  eval_clear(&ev);
  return ok;
}

/* The condition itself, evaluated. */
static bool is_true(struct terms *ts, const struct privacy *from, const struct privacy *to) {
  term_id condition = convert_condition(ts, from, to);
  struct evaluator ev;
  eval_init(&ev, ts);
  bool ok = condition != TERM_NONE && eval_truth(&ev, condition) == 1;
  eval_clear(&ev);
  return ok;
}

bool convert_holds(struct terms *ts, const struct privacy *from, const struct privacy *to) {
  if (!has_delta(to) || has_delta(from)) return false;
  if (from->notion.kind == NOTION_RENYI || from->notion.kind == NOTION_ZCDP)
    return is_true(ts, from, to);
  if (from->notion.kind != NOTION_GAUSSIAN) return false;
  for (slong precision = CONVERT_PRECISION; precision <= CONVERT_PRECISION_MAX; precision *= 4)
    if (is_covered(ts, from, to, precision)) return true;
  return false;
}
