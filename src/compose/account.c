#include "compose/account.h"

#include <math.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "compose/tilt.h"

enum { PREC = LOSS_PRECISION };
enum { COARSE_POINTS = 2048, FINE_POINTS = 1 << 20, WINDOW_POINTS = 1 << 22, BITS_MAX = 40 };

/* The parts of delta that may be given away: by the rounding of many losses, and by single losses
 * that leave the grid. */
static const double SLACK_SHARE = 1e-4, TAIL_SHARE = 1e-4;
static const double FIRST_STEP = 1.0 / 512; /* of a bracket, as a part of its width */

/* ---- grids ---------------------------------------------------------------------------------- */

static bool losses_init(struct losses *all, const loss_parts *parts, enum loss_order order,
                        unsigned bits, double delta) {
  *all = (struct losses){.parts = parts, .bits = bits};
  all->grids = xcalloc(parts->len, sizeof *all->grids);
  for (size_t j = 0; j < parts->len; j++)
    all->count += parts->at[j].count;
  double tail = delta * TAIL_SHARE / (double)all->count;
  bool ok = true;
  for (size_t j = 0; j < parts->len; j++)
    ok = loss_grid_init(&all->grids[j], &parts->at[j], order, bits, tail) && ok;
  return ok;
}

static void losses_clear(struct losses *all) {
  for (size_t j = 0; j < all->parts->len; j++)
    loss_grid_clear(&all->grids[j]);
  free(all->grids);
  *all = (struct losses){0};
}

static double widest_range(const loss_parts *parts, enum loss_order order, double delta) {
  double widest = 0;
  for (size_t j = 0; j < parts->len; j++) {
    double low, high;
    loss_range(&parts->at[j], order, delta * TAIL_SHARE / (double)parts->at[j].count, &low, &high);
    widest = fmax(widest, fmax(fabs(low), fabs(high)));
  }
  return widest;
}

static unsigned bits_for(double step) {
  int exponent;
  frexp(step, &exponent); /* 2^(exponent - 1) <= step */
  int bits = 1 - exponent;
  return bits < 0 ? 0 : bits > BITS_MAX ? BITS_MAX : (unsigned)bits;
}

/* ---- the tilt ------------------------------------------------------------------------------- */

/* What is being asked: eps at this delta, or delta at this eps. */
struct question {
  bool asks_epsilon;
  double delta, eps;
};

/* The bound of Chernoff's type that a tilt gives: on eps, or on ln delta. The largest weight
 * e^(-theta x) (1 - e^(-x)) is theta^theta/(1 + theta)^(1 + theta). */
static double bound_by(const struct losses *all, const struct question *q, double theta) {
  double weight = theta * log(theta) - (1 + theta) * log1p(theta);
  double log_mean = tilt_guess(all, theta).log_mean + weight;
  return q->asks_epsilon ? (log_mean - log(q->delta)) / theta : log_mean - theta * q->eps;
}

/* The best tilt about: bounds have one valley. */
static double best_tilt(const struct losses *all, const struct question *q) {
  const double golden = 0.6180339887498949;
  double low = log(1e-2), high = log(1e4);
  for (int i = 0; i < 40; i++) {
    double a = high - golden * (high - low), b = low + golden * (high - low);
    if (bound_by(all, q, exp(a)) <= bound_by(all, q, exp(b)))
      high = b;
    else
      low = a;
  }
  return exp((low + high) / 2);
}

/* ---- one order of the inputs ---------------------------------------------------------------- */

struct account {
  struct losses all;
  struct tilted law;
  arb_t lost;     /* upper bound: infinite losses, and those cut off */
  arb_t infinite; /* infinite losses that are really there */
  arb_t shift, slack;
};

static void account_clear(struct account *a) {
  tilted_clear(&a->law);
  losses_clear(&a->all);
  arb_clear(a->lost);
  arb_clear(a->infinite);
  arb_clear(a->shift);
  arb_clear(a->slack);
}

/* 1 - product of (1 - p)^count, by logarithms: p may be far below the precision of 1 - p. */
static void some_of(arb_t out, const struct losses *all, bool with_cut) {
  arb_t p;
  arb_init(p);
  arb_zero(out);
  for (size_t j = 0; j < all->parts->len; j++) {
    arb_set(p, all->grids[j].infinite);
    if (with_cut) arb_add(p, p, all->grids[j].cut, PREC);
    arb_neg(p, p);
    arb_log1p(p, p, PREC);
    arb_addmul_ui(out, p, all->parts->at[j].count, PREC);
  }
  arb_expm1(out, out, PREC);
  arb_neg(out, out);
  arb_clear(p);
}

/* shift = T step^2/8 + step sqrt(T/2 ln(1/slack)); what was lifted is slack as well. */
static void set_shift(struct account *a, double slack) {
  arb_t t;
  arb_init(t);
  arb_set_d(a->slack, slack);
  arb_log(t, a->slack, PREC);
  arb_mul_si(t, t, -(slong)a->all.count, PREC);
  arb_mul_2exp_si(t, t, -1);
  arb_sqrt(a->shift, t, PREC);
  arb_mul_2exp_si(a->shift, a->shift, -(slong)a->all.bits);
  arb_set_ui(t, a->all.count);
  arb_mul_2exp_si(t, t, -3 - 2 * (slong)a->all.bits);
  arb_add(a->shift, a->shift, t, PREC);
  for (size_t j = 0; j < a->all.parts->len; j++) {
    arb_mul_ui(t, a->all.grids[j].lifted, a->all.parts->at[j].count, PREC);
    arb_add(a->slack, a->slack, t, PREC);
  }
  arb_clear(t);
}

/* How fine the grid must be for the width, and may be for the memory. */
static unsigned choose_bits(const struct losses *coarse, double theta, double width, double slack,
                            double range) {
  double count = (double)coarse->count, deviation = sqrt(tilt_guess(coarse, theta).variance);
  double wanted = width * 0.6 / sqrt(count / 2 * log(1 / slack));
  double allowed = fmax(2 * range / FINE_POINTS, (24 * deviation + 4 * range) / WINDOW_POINTS);
  return bits_for(fmax(wanted, allowed));
}

/* The tilt, by a coarse grid. Where delta is asked for, the first grid may end below eps and give a
 * tilt for nothing: the delta found with it says how far the next one has to reach. */
static bool choose_tilt(struct account *a, const loss_parts *parts, enum loss_order order,
                        struct question *q, double *theta, double *range) {
  for (int round = 0; round < 3; round++) {
    if (round) losses_clear(&a->all);
    *range = widest_range(parts, order, q->delta);
    if (!losses_init(&a->all, parts, order, bits_for(*range / COARSE_POINTS), q->delta))
      return false;
    *theta = best_tilt(&a->all, q);
    if (q->asks_epsilon) return true;
    q->delta = exp(fmin(bound_by(&a->all, q, *theta), 0)) / 100; /* a little below the bound */
    if (!(q->delta > 1e-280)) q->delta = 1e-280;
  }
  *range = widest_range(parts, order, q->delta);
  return true;
}

static enum account_status account_init(struct account *a, const loss_parts *parts,
                                        enum loss_order order, struct question *q, double width,
                                        const struct budget *budget) {
  *a = (struct account){0};
  arb_init(a->lost);
  arb_init(a->infinite);
  arb_init(a->shift);
  arb_init(a->slack);
  double theta, range;
  bool ok = choose_tilt(a, parts, order, q, &theta, &range);
  if (!ok) return ACCOUNT_TOO_LARGE;
  unsigned bits = choose_bits(&a->all, theta, width, q->delta * SLACK_SHARE, range);
  do {
    losses_clear(&a->all);
    if (budget_is_spent(budget))
      return losses_init(&a->all, parts, order, 0, 0.5), ACCOUNT_OUT_OF_TIME;
    ok = losses_init(&a->all, parts, order, bits, q->delta);
    if (ok) {
      tilted_clear(&a->law);
      ok = tilted_init(&a->law, &a->all, theta);
    }
  } while (!ok && bits-- > 0);
  if (!ok) return ACCOUNT_TOO_LARGE;
  some_of(a->lost, &a->all, true);
  some_of(a->infinite, &a->all, false);
  set_shift(a, q->delta * SLACK_SHARE);
  return ACCOUNT_OK;
}

/* The least, or the largest number of a ball. */
static void take_end(arb_t x, bool largest) {
  arf_t end;
  arf_init(end);
  if (largest)
    arb_get_ubound_arf(end, x, PREC);
  else
    arb_get_lbound_arf(end, x, PREC);
  arb_set_arf(x, end);
  arf_clear(end);
}

/* delta(eps) from both sides; it falls with eps. Each is a sum over the whole law. */
static void delta_above(arb_t high, const struct account *a, const arb_t eps) {
  arb_t at, other;
  arb_init(at);
  arb_init(other);
  arb_set(at, eps);
  take_end(at, false);
  tilted_delta(other, high, &a->law, at);
  arb_add(high, high, a->lost, PREC);
  arb_clear(at);
  arb_clear(other);
}

static void delta_below(arb_t low, const struct account *a, const arb_t eps) {
  arb_t at, other;
  arb_init(at);
  arb_init(other);
  arb_add(at, eps, a->shift, PREC);
  take_end(at, true);
  tilted_delta(low, other, &a->law, at);
  arb_add(low, low, a->infinite, PREC);
  arb_sub(low, low, a->slack, PREC);
  arb_clear(at);
  arb_clear(other);
}

/* Where the rough curve comes down to delta. */
static double guess_epsilon(const struct account *a, double delta) {
  double *curve = tilted_curve(&a->law), step = ldexp(1, -(int)a->all.bits);
  double rest = delta - arf_get_d(arb_midref(a->lost), ARF_RND_NEAR);
  slong n = (slong)1 << a->law.log, i = n;
  while (i > 0 && !(curve[i - 1] > rest))
    i--;
  double eps = (double)(a->law.first + i) * step;
  if (i > 0 && i < n && curve[i - 1] > curve[i])
    eps -= step * (rest - curve[i]) / (curve[i - 1] - curve[i]);
  free(curve);
  return fmax(eps, 0);
}

/* Is delta(eps) <= delta for certain, or > delta for certain? */
static bool is_within(const struct account *a, double eps, const arb_t delta) {
  arb_t at, high;
  arb_init(at);
  arb_init(high);
  arb_set_d(at, eps);
  delta_above(high, a, at);
  bool ok = arb_le(high, delta);
  arb_clear(at);
  arb_clear(high);
  return ok;
}

static bool is_beyond(const struct account *a, double eps, const arb_t delta) {
  arb_t at, low;
  arb_init(at);
  arb_init(low);
  arb_set_d(at, eps);
  delta_below(low, a, at);
  bool ok = arb_gt(low, delta);
  arb_clear(at);
  arb_clear(low);
  return ok;
}

/* Certified numbers near the guess; growing steps until they hold, or there is no time left. A
 * question costs a sum over the law: the first step is small against the width, not tiny. */
static enum account_status bracket(double *low, double *high, const struct account *a,
                                   const fmpq_t delta, const struct budget *budget) {
  arb_t target;
  arb_init(target);
  arb_set_fmpq(target, delta, PREC);
  double shift = arf_get_d(arb_midref(a->shift), ARF_RND_CEIL) * (1 + 1e-9);
  double guess = guess_epsilon(a, fmpq_get_d(delta)), least = 1e-7 * (1 + guess);
  double away = fmax(least, FIRST_STEP * shift), last = 1e6 * least;
  bool ok = false;
  for (double d = 0; !ok && d < last && !budget_is_spent(budget); d = d > 0 ? 4 * d : away) {
    *high = guess + d;
    ok = is_within(a, *high, target);
  }
  *low = fmax(guess - shift, 0);
  for (double d = away; *low > 0 && !is_beyond(a, *low, target); d *= 4)
    *low = d < last && !budget_is_spent(budget) ? fmax(guess - shift - d, 0) : 0;
  arb_clear(target);
  if (ok) return ACCOUNT_OK;
  return budget_is_spent(budget) ? ACCOUNT_OUT_OF_TIME : ACCOUNT_TOO_LARGE;
}

/* ---- both orders ---------------------------------------------------------------------------- */

static bool has_one_sided(const loss_parts *parts) {
  for (size_t j = 0; j < parts->len; j++)
    if (loss_is_one_sided(parts->at[j].family)) return true;
  return false;
}

static enum account_status epsilon_of(arb_t low, arb_t high, const loss_parts *parts,
                                      const fmpq_t delta, double width,
                                      const struct budget *budget) {
  arb_zero(low);
  arb_zero(high);
  enum account_status status = ACCOUNT_OK;
  for (int order = LOSS_REMOVE; order <= LOSS_ADD && status == ACCOUNT_OK; order++) {
    if (order == LOSS_ADD && !has_one_sided(parts)) break;
    struct question q = {.asks_epsilon = true, .delta = fmpq_get_d(delta)};
    struct account a;
    double l = 0, h = 0;
    status = account_init(&a, parts, (enum loss_order)order, &q, width, budget);
    if (status == ACCOUNT_OK) status = bracket(&l, &h, &a, delta, budget);
    account_clear(&a);
    if (arf_cmp_d(arb_midref(low), l) < 0) arb_set_d(low, l);
    if (arf_cmp_d(arb_midref(high), h) < 0) arb_set_d(high, h);
  }
  return status;
}

static enum account_status delta_of(arb_t low, arb_t high, const loss_parts *parts,
                                    const fmpq_t eps, double width, const struct budget *budget) {
  arb_zero(low);
  arb_zero(high);
  arb_t l, h, at;
  arb_init(l);
  arb_init(h);
  arb_init(at);
  arb_set_fmpq(at, eps, PREC);
  enum account_status status = ACCOUNT_OK;
  for (int order = LOSS_REMOVE; order <= LOSS_ADD && status == ACCOUNT_OK; order++) {
    if (order == LOSS_ADD && !has_one_sided(parts)) break;
    struct question q = {.delta = 1e-6, .eps = fmpq_get_d(eps)};
    struct account a;
    status = account_init(&a, parts, (enum loss_order)order, &q, width, budget);
    if (status == ACCOUNT_OK) {
      delta_below(l, &a, at);
      delta_above(h, &a, at);
      arb_max(low, low, l, PREC);
      arb_max(high, high, h, PREC);
    }
    account_clear(&a);
  }
  arb_clear(l);
  arb_clear(h);
  arb_clear(at);
  return status;
}

/* ---- both sides ----------------------------------------------------------------------------- */

typedef enum account_status accountant(arb_t low, arb_t high, const loss_parts *parts,
                                       const fmpq_t number, double width,
                                       const struct budget *budget);

bool account_has_curves(const loss_parts *parts) {
  for (size_t j = 0; j < parts->len; j++)
    if (loss_is_curve(parts->at[j].family)) return true;
  return false;
}

/* A bound from above has no other side: the lower end is that of the other parts by themselves, which
 * more results can only raise. */
static enum account_status both_sides(accountant *of, arb_t low, arb_t high,
                                      const loss_parts *parts, const fmpq_t number, double width,
                                      const struct budget *budget) {
  enum account_status status = of(low, high, parts, number, width, budget);
  if (status != ACCOUNT_OK || !account_has_curves(parts)) return status;
  arb_zero(low);
  loss_parts others = {0};
  for (size_t j = 0; j < parts->len; j++) {
    const struct loss_part *p = &parts->at[j];
    if (!loss_is_curve(p->family)) loss_parts_push(&others, p->family, p->a, p->b, p->count);
  }
  arb_t unused;
  arb_init(unused);
  if (others.len) status = of(low, unused, &others, number, width, budget);
  arb_clear(unused);
  loss_parts_clear(&others);
  return status;
}

enum account_status account_epsilon(arb_t low, arb_t high, const loss_parts *parts,
                                    const fmpq_t delta, double width, const struct budget *budget) {
  return both_sides(epsilon_of, low, high, parts, delta, width, budget);
}

enum account_status account_delta(arb_t low, arb_t high, const loss_parts *parts, const fmpq_t eps,
                                  double width, const struct budget *budget) {
  return both_sides(delta_of, low, high, parts, eps, width, budget);
}
