#include "compose/curve.h"

#include <math.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "num/arb_compat.h"

enum { PREC = LOSS_PRECISION, CORNERS = 1 << 14 };

double curve_reach(const struct loss_part *part, double tail) {
  double a = fmpq_get_d(part->a), rest = log(1 / tail);
  if (part->family == LOSS_ZCDP) return a + 2 * sqrt(a * rest);
  return a + rest / (fmpq_get_d(part->b) - 1);
}

/* ---- the bound at one point ----------------------------------------------------------------- */

/* The best order about. The derivative of the exponent is P(a) + (a-1) P'(a) - eps + ln((a-1)/a). */
static double best_order(const struct loss_part *part, double eps) {
  double p = fmpq_get_d(part->a), low = 1e-6, high = 1e9; /* of a - 1 */
  if (part->family == LOSS_RENYI) {
    high = fmpq_get_d(part->b) * (1 - 1e-15) - 1;
    return 1 + (eps < p ? fmin(1 / expm1(p - eps), high) : high);
  }
  for (int i = 0; i < 60; i++) {
    double m = sqrt(low * high), slope = (2 * m + 1) * p - eps - log1p(1 / m);
    *(slope < 0 ? &low : &high) = m;
  }
  return 1 + sqrt(low * high);
}

/* The order as an exact number above 1 that the bound covers; false: there is none near. */
static bool exact_order(arb_t order, const struct loss_part *part, double eps) {
  double guess = best_order(part, eps);
  if (!(guess > 1) || !isfinite(guess)) return false;
  arb_set_d(order, guess);
  if (part->family == LOSS_ZCDP) return true;
  arb_t most;
  arb_init(most);
  arb_set_fmpq(most, part->b, PREC);
  bool ok = arb_le(order, most);
  arb_clear(most);
  return ok;
}

/* e^((a-1)(P(a) - eps)) (a-1)^(a-1)/a^a, at most 1. */
static void tail_bound(arb_t out, const struct loss_part *part, const arb_t eps) {
  arb_t a, less, t;
  arb_init(a);
  arb_init(less);
  arb_init(t);
  arb_one(out);
  if (exact_order(a, part, arf_get_d(arb_midref(eps), ARF_RND_NEAR))) {
    arb_sub_ui(less, a, 1, PREC);
    arb_set_fmpq(t, part->a, PREC);
    if (part->family == LOSS_ZCDP) arb_mul(t, t, a, PREC);
    arb_sub(t, t, eps, PREC);
    arb_mul(out, t, less, PREC);
    arb_log(t, less, PREC);
    arb_addmul(out, t, less, PREC);
    arb_log(t, a, PREC);
    arb_submul(out, t, a, PREC);
    arb_exp(out, out, PREC);
    arb_one(t);
    arb_min(out, out, t, PREC);
    if (!arb_is_finite(out)) arb_one(out);
  }
  arb_clear(a);
  arb_clear(less);
  arb_clear(t);
}

/* A number that delta(eps) does not exceed, exactly; x is e^eps. */
static void curve_bound(arb_t out, const struct loss_part *part, const arb_t eps, const arb_t x) {
  tail_bound(out, part, eps);
  if (arb_is_negative(eps)) {
    arb_t other, minus;
    arb_init(other);
    arb_init(minus);
    arb_neg(minus, eps);
    tail_bound(other, part, minus);
    arb_sub_ui(other, other, 1, PREC);
    arb_mul(other, other, x, PREC);
    arb_add_ui(other, other, 1, PREC);
    arb_min(out, out, other, PREC);
    arb_clear(other);
    arb_clear(minus);
  }
  arf_t end;
  arf_init(end);
  arb_get_ubound_arf(end, out, PREC);
  arb_set_arf(out, end);
  arf_clear(end);
}

/* ---- the hull ------------------------------------------------------------------------------- */

struct corner {
  slong index; /* in the grid; -1: x = 0, where every curve is 1 */
  arb_t x, y;
  arb_t slope; /* of the edge that ends here */
};

struct hull {
  struct corner *at;
  size_t count;
};

static void slope_between(arb_t out, const struct corner *a, const struct corner *b) {
  arb_t width;
  arb_init(width);
  arb_sub(out, b->y, a->y, PREC);
  arb_sub(width, b->x, a->x, PREC);
  arb_div(out, out, width, PREC);
  arb_clear(width);
}

/* Corners between which the slope does not certainly grow are left out again. */
static void hull_add(struct hull *h, slong index, const arb_t x, const arb_t y) {
  struct corner *new = &h->at[h->count];
  arb_set(new->x, x);
  arb_set(new->y, y);
  new->index = index;
  while (h->count > 0) {
    struct corner *last = &h->at[h->count - 1];
    slope_between(new->slope, last, new);
    if (h->count == 1 || arb_lt(last->slope, new->slope)) break;
    arb_swap(last->x, new->x);
    arb_swap(last->y, new->y);
    last->index = index;
    h->count--;
    new = last;
  }
  h->count++;
}

static void hull_init(struct hull *h, size_t capacity) {
  h->at = xcalloc(capacity, sizeof *h->at);
  h->count = 0;
  for (size_t i = 0; i < capacity; i++) {
    arb_init(h->at[i].x);
    arb_init(h->at[i].y);
    arb_init(h->at[i].slope);
  }
}

static void hull_clear(struct hull *h, size_t capacity) {
  for (size_t i = 0; i < capacity; i++) {
    arb_clear(h->at[i].x);
    arb_clear(h->at[i].y);
    arb_clear(h->at[i].slope);
  }
  free(h->at);
}

/* The change of the slope at a corner is its mass under Q, and x times that its mass under P. After
 * the last one the curve stays what it is: an infinite loss. Where the last slope is not negative
 * the corner has no mass. */
static void take_masses(struct loss_grid *g, const struct hull *h) {
  arb_t change;
  arb_init(change);
  for (size_t i = 1; i < h->count; i++) {
    const struct corner *c = &h->at[i];
    if (i + 1 < h->count)
      arb_sub(change, h->at[i + 1].slope, c->slope, PREC);
    else
      arb_neg(change, c->slope);
    arb_mul(g->mass + c->index, change, c->x, PREC);
  }
  arb_set(g->cut, h->at[h->count - 1].y);
  arb_clear(change);
}

void curve_fill(struct loss_grid *g, const struct loss_part *part) {
  slong stride = 1 + g->length / CORNERS;
  size_t capacity = (size_t)(g->length / stride) + 4;
  struct hull h;
  arb_t eps, x, y, most;
  hull_init(&h, capacity);
  arb_init(eps);
  arb_init(x);
  arb_init(y);
  arb_init(most);
  arb_one(y);
  hull_add(&h, -1, x, y);
  arb_one(most);
  for (slong i = 0;; i = i + stride < g->length ? i + stride : g->length - 1) {
    arb_set_si(eps, g->first + i);
    arb_mul_2exp_si(eps, eps, -(slong)g->bits);
    arb_exp(x, eps, PREC);
    curve_bound(y, part, eps, x);
    arb_min(most, most, y, PREC); /* curves do not grow */
    hull_add(&h, i, x, most);
    if (i == g->length - 1) break;
  }
  take_masses(g, &h);
  hull_clear(&h, capacity);
  arb_clear(eps);
  arb_clear(x);
  arb_clear(y);
  arb_clear(most);
}
