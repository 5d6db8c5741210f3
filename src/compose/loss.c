#include "compose/loss.h"

#include <math.h>

#include "base/alloc.h"
#include "compose/curve.h"
#include "compose/loss_cells.h"
#include "num/arb_compat.h"

enum { PREC = LOSS_PRECISION };

/* The divergences of one after the other add up. */
static bool add_to_curve(loss_parts *parts, const struct loss_part *new) {
  for (size_t i = 0; i < parts->len; i++) {
    struct loss_part *old = &parts->at[i];
    if (old->family != new->family || !fmpq_equal(old->b, new->b)) continue;
    fmpq_add(old->a, old->a, new->a);
    old->steps += new->steps;
    return true;
  }
  return false;
}

void loss_parts_push(loss_parts *parts, enum loss_family family, const fmpq_t a, const fmpq_t b,
                     ulong count) {
  struct loss_part part = {.family = family, .count = count, .steps = count};
  fmpq_init(part.a);
  fmpq_init(part.b);
  fmpq_set(part.a, a);
  fmpq_set(part.b, b);
  if (loss_is_curve(family)) {
    fmpq_mul_ui(part.a, part.a, count);
    part.count = 1;
    if (add_to_curve(parts, &part)) {
      fmpq_clear(part.a);
      fmpq_clear(part.b);
      return;
    }
  }
  vec_push(parts, part);
}

bool loss_parts_mix_sums(const loss_parts *parts) {
  size_t curves = 0, sums = 0;
  for (size_t i = 0; i < parts->len; i++) {
    curves += loss_is_curve(parts->at[i].family);
    sums += loss_is_curve(parts->at[i].family) && parts->at[i].steps > 1;
  }
  return curves > 1 && sums > 0;
}

void loss_parts_clear(loss_parts *parts) {
  for (size_t i = 0; i < parts->len; i++) {
    fmpq_clear(parts->at[i].a);
    fmpq_clear(parts->at[i].b);
  }
  vec_clear(parts);
}

bool loss_is_one_sided(enum loss_family family) {
  return family == LOSS_SAMPLED_GAUSSIAN;
}

bool loss_is_curve(enum loss_family family) {
  return family == LOSS_ZCDP || family == LOSS_RENYI;
}

/* ---- ranges --------------------------------------------------------------------------------- */

/* ln(1 - q + q e^(m x - m^2/2)) */
static double sampled_loss(double x, double m, double q) {
  return log1p(q * expm1(m * x - m * m / 2));
}

void loss_range(const struct loss_part *part, enum loss_order order, double tail, double *low,
                double *high) {
  double a = fmpq_get_d(part->a), b = fmpq_get_d(part->b);
  double z = sqrt(2 * log(1 / tail)); /* a normal variable is beyond z with at most that tail */
  switch (part->family) {
  case LOSS_PURE:
  case LOSS_LAPLACE: *high = a; break;
  case LOSS_RESPONSE: *high = log(a / (1 - a)); break;
  case LOSS_ZCDP:
  case LOSS_RENYI: *high = curve_reach(part, tail); break;
  case LOSS_GAUSSIAN:
    *low = a * a / 2 - z * a;
    *high = a * a / 2 + z * a;
    return;
  case LOSS_DISCRETE_GAUSSIAN:
    *low = a * a / (2 * b) - a * (z + 2 / sqrt(b)) / sqrt(b);
    *high = a * a / (2 * b) + a * (z + 2 / sqrt(b)) / sqrt(b);
    return;
  case LOSS_SAMPLED_GAUSSIAN:
    *low = order == LOSS_REMOVE ? sampled_loss(-z, a, b) : -sampled_loss(z, a, b);
    *high = order == LOSS_REMOVE ? sampled_loss(a + z, a, b) : -sampled_loss(-z, a, b);
    return;
  }
  *low = -*high;
}

/* ---- atoms ---------------------------------------------------------------------------------- */

/* Probability p of the loss exactly; it must lie on the grid. */
static void add_atom(struct loss_grid *g, const fmpq_t loss, const arb_t p) {
  fmpq_t scaled, rest;
  fmpz_t floor;
  arb_t share, factor;
  fmpq_init(scaled);
  fmpq_init(rest);
  fmpz_init(floor);
  arb_init(share);
  arb_init(factor);
  fmpq_mul_2exp(scaled, loss, g->bits);
  fmpz_fdiv_q(floor, fmpq_numref(scaled), fmpq_denref(scaled));
  fmpq_sub_fmpz(rest, scaled, floor);
  fmpq_div_2exp(rest, rest, g->bits); /* loss - point, from 0 to the step */
  slong i = fmpz_get_si(floor) - g->first;
  arb_set_fmpq(share, rest, PREC);
  arb_neg(share, share);
  arb_expm1(share, share, PREC);
  arb_neg(share, share);
  loss_step_factor(factor, g->bits);
  arb_div(share, share, factor, PREC);
  arb_mul(share, share, p, PREC);
  arb_add(g->mass + i + 1, g->mass + i + 1, share, PREC);
  arb_sub(share, p, share, PREC);
  arb_add(g->mass + i, g->mass + i, share, PREC);
  fmpq_clear(scaled);
  fmpq_clear(rest);
  fmpz_clear(floor);
  arb_clear(share);
  arb_clear(factor);
}

/* With delta everything is revealed, else randomized response at eps: no (eps, delta)-private
 * mechanism has a larger delta(eps'). */
static void add_pure(struct loss_grid *g, const struct loss_part *part) {
  fmpq_t loss;
  arb_t rest, p;
  fmpq_init(loss);
  arb_init(rest);
  arb_init(p);
  arb_set_fmpq(g->infinite, part->b, PREC);
  arb_sub_ui(rest, g->infinite, 1, PREC);
  arb_neg(rest, rest);
  for (int sign = 1; sign >= -1; sign -= 2) {
    if (sign > 0)
      fmpq_set(loss, part->a);
    else
      fmpq_neg(loss, part->a);
    arb_set_fmpq(p, loss, PREC); /* e^l / (1 + e^l) */
    arb_neg(p, p);
    arb_exp(p, p, PREC);
    arb_add_ui(p, p, 1, PREC);
    arb_div(p, rest, p, PREC);
    add_atom(g, loss, p);
  }
  fmpq_clear(loss);
  arb_clear(rest);
  arb_clear(p);
}

/* e^(-k^2 / (2 sigma^2)) */
static void discrete_weight(arb_t out, slong k, const fmpq_t variance) {
  fmpq_t exponent;
  fmpq_init(exponent);
  fmpz_set_si(fmpq_numref(exponent), k);
  fmpz_mul_si(fmpq_numref(exponent), fmpq_numref(exponent), -k);
  fmpq_div(exponent, exponent, variance);
  fmpq_div_2exp(exponent, exponent, 1);
  arb_set_fmpq(out, exponent, PREC);
  arb_exp(out, out, PREC);
  fmpq_clear(exponent);
}

/* The sum over |k| > last, at most: a geometric series bounds it. Exact in its radius only. */
static void discrete_rest(arb_t out, slong last, const fmpq_t variance) {
  arb_t first, ratio;
  arb_init(first);
  arb_init(ratio);
  discrete_weight(first, last + 1, variance);
  arb_set_si(ratio, -(last + 1)); /* weights fall by at least e^(-(last + 1)/sigma^2) each */
  arb_t v;
  arb_init(v);
  arb_set_fmpq(v, variance, PREC);
  arb_div(ratio, ratio, v, PREC);
  arb_expm1(ratio, ratio, PREC);
  arb_neg(ratio, ratio);
  arb_div(first, first, ratio, PREC);
  arb_mul_2exp_si(first, first, 1);
  arb_zero(out);
  arb_add_error(out, first); /* the sum is in [0, first] */
  arb_clear(v);
  arb_clear(first);
  arb_clear(ratio);
}

/* How many integers on each side have a mass of their own, and are summed for the total. */
static double atoms_kept(const struct loss_part *part, double tail) {
  return ceil(sqrt(fmpq_get_d(part->b)) * sqrt(2 * log(1 / tail))) + 1;
}

static double atoms_summed(const struct loss_part *part, double tail) {
  double most = ceil(sqrt(fmpq_get_d(part->b)) * 14) + 2; /* beyond that: less than 2^-140 */
  return fmax(most, atoms_kept(part, tail));
}

/* Losses (s^2 - 2 k s) / (2 sigma^2) at integers k, sensitivity s. */
static void add_discrete(struct loss_grid *g, const struct loss_part *part, double tail) {
  slong kept = (slong)atoms_kept(part, tail), all = (slong)atoms_summed(part, tail);
  arb_t total, w;
  fmpq_t loss, s;
  arb_init(total);
  arb_init(w);
  fmpq_init(loss);
  fmpq_init(s);
  discrete_rest(total, all, part->b);
  for (slong k = -all; k <= all; k++) {
    discrete_weight(w, k, part->b);
    arb_add(total, total, w, PREC);
  }
  arb_one(g->cut);
  for (slong k = -kept; k <= kept; k++) {
    discrete_weight(w, k, part->b);
    arb_div(w, w, total, PREC);
    arb_sub(g->cut, g->cut, w, PREC);
    fmpq_set_si(s, -2 * k, 1);
    fmpq_add(loss, part->a, s);
    fmpq_mul(loss, loss, part->a);
    fmpq_div(loss, loss, part->b);
    fmpq_div_2exp(loss, loss, 1);
    add_atom(g, loss, w);
  }
  arb_mul_2exp_si(g->cut, g->cut, -1); /* both sides are alike */
  arb_set(g->lifted, g->cut);
  add_atom(g, loss, g->lifted); /* up to the least loss that is kept, which is the last */
  arb_clear(total);
  arb_clear(w);
  fmpq_clear(loss);
  fmpq_clear(s);
}

/* ---- grids ---------------------------------------------------------------------------------- */

bool loss_grid_init(struct loss_grid *g, const struct loss_part *part, enum loss_order order,
                    unsigned bits, double tail) {
  double low, high, scale = ldexp(1, (int)bits);
  loss_range(part, order, tail, &low, &high);
  *g = (struct loss_grid){.bits = bits};
  arb_init(g->infinite);
  arb_init(g->cut);
  arb_init(g->lifted);
  if (!(high * scale < LOSS_POINTS_MAX && low * scale > -LOSS_POINTS_MAX)) return false;
  if (part->family == LOSS_DISCRETE_GAUSSIAN && !(atoms_summed(part, tail) < LOSS_ATOMS_MAX))
    return false;
  g->first = (slong)floor(low * scale) - 2;
  g->length = (slong)ceil(high * scale) + 3 - g->first;
  if (g->length > LOSS_POINTS_MAX) {
    g->length = 0;
    return false;
  }
  g->mass = _arb_vec_init(g->length);
  switch (part->family) {
  case LOSS_PURE: add_pure(g, part); break;
  case LOSS_DISCRETE_GAUSSIAN: add_discrete(g, part, tail); break;
  case LOSS_ZCDP:
  case LOSS_RENYI: curve_fill(g, part); break;
  case LOSS_RESPONSE:
  case LOSS_LAPLACE:
  case LOSS_GAUSSIAN:
  case LOSS_SAMPLED_GAUSSIAN: loss_cells_fill(g, part, order); break;
  }
  return true;
}

void loss_grid_clear(struct loss_grid *g) {
  if (g->mass) _arb_vec_clear(g->mass, g->length);
  arb_clear(g->infinite);
  arb_clear(g->cut);
  arb_clear(g->lifted);
  *g = (struct loss_grid){0};
}
