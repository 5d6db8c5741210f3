#include "check/counterexample/notion_test.h"

#include <math.h>

#include "check/exact/law.h"
#include "num/real/ball.h"

void notion_test_init(struct notion_test *t, enum notion notion) {
  *t = (struct notion_test){.notion = notion};
  arb_init(t->order);
  arb_init(t->cost);
  arb_init(t->reached);
  arb_init(t->allowed);
}

void notion_test_clear(struct notion_test *t) {
  arb_clear(t->order);
  arb_clear(t->cost);
  arb_clear(t->reached);
  arb_clear(t->allowed);
}

/* ---- Renyi ------------------------------------------------------------------------------------ */

static void low_end(arb_t out, const arb_t x, slong precision) {
  arf_t end;
  arf_init(end);
  arb_get_lbound_arf(end, x, precision);
  if (arf_sgn(end) < 0) arf_zero(end); /* a probability */
  arb_set_arf(out, end);
  arf_clear(end);
}

static void high_end(arb_t out, const arb_t x, slong precision) {
  arf_t end;
  arf_init(end);
  arb_get_ubound_arf(end, x, precision);
  arb_set_arf(out, end);
  arf_clear(end);
}

/* Adds a lower bound of x^order y^(1 - order): growing in x, falling in y. What cannot be said adds
 * nothing. */
static void add_term(arb_t sum, const arb_t x, const arb_t y, const arb_t order, slong precision) {
  arb_t low, high, power;
  arb_init(low);
  arb_init(high);
  arb_init(power);
  low_end(low, x, precision);
  high_end(high, y, precision);
  if (arb_is_positive(low) && arb_is_positive(high)) {
    arb_sub_si(power, order, 1, precision);
    arb_div(high, low, high, precision);
    arb_pow(high, high, power, precision);
    arb_addmul(sum, low, high, precision);
  } else if (arb_is_positive(low) && arb_is_zero(high)) {
    arb_pos_inf(sum);
  }
  arb_clear(low);
  arb_clear(high);
  arb_clear(power);
}

/* 1 - the sum */
static void rest_of(arb_t out, arb_srcptr p, size_t count, slong precision) {
  arb_one(out);
  for (size_t i = 0; i < count; i++)
    arb_sub(out, out, &p[i], precision);
}

/* A lower bound of the divergence of order t->order. */
static void reach(struct notion_test *t, arb_srcptr p, arb_srcptr q, size_t count,
                  slong precision) {
  arb_t sum, p_rest, q_rest;
  arb_init(sum);
  arb_init(p_rest);
  arb_init(q_rest);
  rest_of(p_rest, p, count, precision);
  rest_of(q_rest, q, count, precision);
  for (size_t i = 0; i < count; i++)
    add_term(sum, &p[i], &q[i], t->order, precision);
  add_term(sum, p_rest, q_rest, t->order, precision);
  arb_sub_si(q_rest, t->order, 1, precision);
  arb_log(t->reached, sum, precision);
  arb_div(t->reached, t->reached, q_rest, precision);
  if (arf_is_pos_inf(arb_midref(sum))) arb_pos_inf(t->reached);
  arb_clear(sum);
  arb_clear(p_rest);
  arb_clear(q_rest);
}

static bool is_above(const arb_t a, const arb_t b) {
  return arb_is_finite(b) && arb_gt(a, b);
}

/* Some order at which the divergence is more than order * rho. */
static bool breaks_zcdp(struct notion_test *t, arb_srcptr p, arb_srcptr q, size_t count,
                        slong precision) {
  static const slong halves[] = {3, 4, 6, 10, 18, 34, 66};
  for (size_t i = 0; i < sizeof halves / sizeof *halves; i++) {
    arb_set_si(t->order, halves[i]);
    arb_mul_2exp_si(t->order, t->order, -1);
    arb_mul(t->allowed, t->order, t->cost, precision);
    reach(t, p, q, count, precision);
    if (is_above(t->reached, t->allowed)) return true;
  }
  return false;
}

/* ---- Gauss ------------------------------------------------------------------------------------ */

/* About Phi^-1(q), rather above. */
static double quantile(double q) {
  double low = -40, high = 40;
  for (int i = 0; i < 200; i++) {
    double middle = (low + high) / 2;
    if (erfc(-middle / sqrt(2)) / 2 < q)
      low = middle;
    else
      high = middle;
  }
  return high + 1e-9 * (1 + fabs(high));
}

/* Of the union of the events. If Phi(t) >= q, the bound Phi(Phi^-1(q) + mu) is at most Phi(t + mu). */
static bool breaks_gaussian(struct notion_test *t, arb_srcptr ps, arb_srcptr qs, size_t count,
                            slong precision) {
  arb_t p, q, at, below;
  arb_init(p);
  arb_init(q);
  arb_init(at);
  arb_init(below);
  for (size_t i = 0; i < count; i++) {
    arb_add(p, p, &ps[i], precision);
    arb_add(q, q, &qs[i], precision);
  }
  high_end(below, q, precision);
  arb_set_d(at, quantile(arf_get_d(arb_midref(below), ARF_RND_UP)));
  law_gauss.below(below, at, precision);
  bool ok = arb_ge(below, q);
  arb_add(at, at, t->cost, precision);
  law_gauss.below(t->allowed, at, precision);
  arb_set(t->reached, p);
  ok = ok && is_above(p, t->allowed);
  arb_clear(p);
  arb_clear(q);
  arb_clear(at);
  arb_clear(below);
  return ok;
}

bool notion_test_breaks(struct notion_test *t, arb_srcptr p, arb_srcptr q, size_t count,
                        slong precision) {
  switch (t->notion) {
  case NOTION_RENYI:
    arb_set(t->allowed, t->cost);
    reach(t, p, q, count, precision);
    return is_above(t->reached, t->allowed);
  case NOTION_ZCDP: return breaks_zcdp(t, p, q, count, precision);
  case NOTION_GAUSSIAN: return breaks_gaussian(t, p, q, count, precision);
  case NOTION_PURE: break;
  }
  return false;
}
