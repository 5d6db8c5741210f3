#include "compose/loss_cells.h"

#include "base/alloc.h"
#include "num/arb_compat.h"

enum { PREC = LOSS_PRECISION };

/* P and Q of losses up to some number, and above it. */
struct split {
  arb_t below[2], above[2];
};

static void split_init(struct split *s) {
  for (int i = 0; i < 2; i++) {
    arb_init(s->below[i]);
    arb_init(s->above[i]);
  }
}

static void split_clear(struct split *s) {
  for (int i = 0; i < 2; i++) {
    arb_clear(s->below[i]);
    arb_clear(s->above[i]);
  }
}

static void split_all(struct split *s, bool is_below) {
  for (int i = 0; i < 2; i++) {
    arb_set_ui(s->below[i], is_below);
    arb_set_ui(s->above[i], !is_below);
  }
}

/* The tails of a normal variable near a point, by Taylor's formula: a grid asks for many points that
 * lie close together, and erfc is dear. The n-th derivative of the density is at most
 * 0.44 sqrt(n!) e^(-x^2/4) (Cramer's bound for Hermite polynomials), which bounds the rest. */
enum { TAYLOR = 24 };
static const double REACH = 1.0 / 16;

struct normal {
  bool is_set;
  arb_t at, tail; /* the smaller tail at this point */
  arb_ptr series; /* of P(x < at + d) - P(x < at) in d, without its constant 0 */
  arb_t bound;    /* |rest| <= bound |d|^(TAYLOR + 1) */
};

static void normal_init(struct normal *n) {
  n->is_set = false;
  arb_init(n->at);
  arb_init(n->tail);
  arb_init(n->bound);
  n->series = _arb_vec_init(TAYLOR);
}

static void normal_clear(struct normal *n) {
  arb_clear(n->at);
  arb_clear(n->tail);
  arb_clear(n->bound);
  _arb_vec_clear(n->series, TAYLOR);
}

/* The k-th coefficient is density^(k-1)/k! = (-1)^(k-1) He_(k-1)(at) density(at) / k!. */
static void normal_series(struct normal *n) {
  arb_t density, hermite[3], t;
  arb_init(density);
  arb_init(t);
  for (int i = 0; i < 3; i++)
    arb_init(hermite[i]);
  arb_mul(density, n->at, n->at, PREC);
  arb_mul_2exp_si(density, density, -1);
  arb_neg(density, density);
  arb_exp(density, density, PREC);
  arb_const_pi(t, PREC);
  arb_mul_2exp_si(t, t, 1);
  arb_sqrt(t, t, PREC);
  arb_div(density, density, t, PREC);
  arb_one(hermite[1]);
  for (ulong k = 1; k <= TAYLOR; k++) { /* hermite[1] is He_(k-1), density is divided by k! */
    arb_div_ui(density, density, k, PREC);
    arb_mul(n->series + k - 1, hermite[1], density, PREC);
    if (k % 2 == 0) arb_neg(n->series + k - 1, n->series + k - 1);
    arb_mul(hermite[2], n->at, hermite[1], PREC);
    arb_submul_ui(hermite[2], hermite[0], k - 1, PREC);
    arb_swap(hermite[0], hermite[1]);
    arb_swap(hermite[1], hermite[2]);
  }
  arb_clear(density);
  arb_clear(t);
  for (int i = 0; i < 3; i++)
    arb_clear(hermite[i]);
}

/* 0.44 sqrt(n!) e^(-x^2/4) / (n + 1)! for n = TAYLOR and the least |x| within reach. */
static void normal_rest(struct normal *n) {
  arb_t x, t;
  arb_init(x);
  arb_init(t);
  arb_abs(x, n->at);
  arb_set_d(t, REACH);
  arb_sub(x, x, t, PREC);
  if (!arb_is_positive(x)) arb_zero(x);
  arb_mul(x, x, x, PREC);
  arb_mul_2exp_si(x, x, -2);
  arb_neg(x, x);
  arb_exp(n->bound, x, PREC);
  arb_fac_ui(t, TAYLOR, PREC);
  arb_sqrt(x, t, PREC);
  arb_mul(n->bound, n->bound, x, PREC);
  arb_div(n->bound, n->bound, t, PREC);
  arb_div_ui(n->bound, n->bound, TAYLOR + 1, PREC);
  arb_set_d(t, 0.44);
  arb_mul(n->bound, n->bound, t, PREC);
  arb_clear(x);
  arb_clear(t);
}

static void normal_move(struct normal *n, const arb_t z) {
  arb_get_mid_arb(n->at, z);
  arb_t x;
  arb_init(x);
  arb_sqrt_ui(x, 2, PREC);
  arb_abs(n->tail, n->at);
  arb_div(x, n->tail, x, PREC);
  arb_hypgeom_erfc(n->tail, x, PREC);
  arb_mul_2exp_si(n->tail, n->tail, -1);
  arb_clear(x);
  normal_series(n);
  normal_rest(n);
  n->is_set = arb_is_finite(n->tail);
}

/* Both tails at z, the smaller one with small relative error. */
static void normal_tails(struct normal *n, arb_t below, arb_t above, const arb_t z) {
  arb_t d, change;
  arb_init(d);
  arb_init(change);
  arb_sub(d, z, n->at, PREC);
  if (!n->is_set || arf_cmpabs_d(arb_midref(d), REACH * 0.99) > 0) {
    normal_move(n, z);
    arb_sub(d, z, n->at, PREC);
  }
  _arb_poly_evaluate(change, n->series, TAYLOR, d, PREC);
  arb_mul(change, change, d, PREC);
  arb_t rest;
  arb_init(rest);
  arb_abs(rest, d);
  arb_pow_ui(rest, rest, TAYLOR + 1, 64);
  arb_mul(rest, rest, n->bound, 64);
  arb_add_error(change, rest);
  arb_clear(rest);
  bool is_right = arf_sgn(arb_midref(n->at)) >= 0;
  arb_ptr small = is_right ? above : below, large = is_right ? below : above;
  if (is_right)
    arb_sub(small, n->tail, change, PREC);
  else
    arb_add(small, n->tail, change, PREC);
  arb_sub_ui(large, small, 1, PREC);
  arb_neg(large, large);
  if (!arb_is_finite(z) || mag_cmp_2exp_si(arb_radref(z), -20) > 0) { /* any probability */
    arb_zero_pm_one(below);
    arb_zero_pm_one(above);
  }
  arb_clear(d);
  arb_clear(change);
}

struct law {
  const struct loss_part *part;
  enum loss_order order;
  arb_t a, b;                /* the parameters */
  struct normal near, moved; /* normal noise, and noise moved by the sensitivity */
};

static void split_gaussian(struct split *s, struct law *law, const arb_t l) {
  arb_t centre, z;
  arb_init(centre);
  arb_init(z);
  arb_mul(centre, law->a, law->a, PREC);
  arb_mul_2exp_si(centre, centre, -1);
  arb_sub(z, l, centre, PREC);
  arb_div(z, z, law->a, PREC);
  normal_tails(&law->moved, s->below[0], s->above[0], z);
  arb_add(z, z, law->a, PREC);
  normal_tails(&law->near, s->below[1], s->above[1], z);
  arb_clear(centre);
  arb_clear(z);
}

/* P: Lap(0), Q: Lap(r); between -r and r the loss at x scales is r - 2x. */
static void split_laplace(struct split *s, const struct law *law, const arb_t l, const fmpq_t at) {
  fmpq_t low;
  fmpq_init(low);
  fmpq_neg(low, law->part->a);
  bool is_outside = fmpq_cmp(at, low) < 0 || fmpq_cmp(at, law->part->a) >= 0;
  fmpq_clear(low);
  if (is_outside) {
    split_all(s, fmpq_sgn(at) >= 0);
    return;
  }
  arb_ptr small[2] = {s->below[0], s->above[1]}, large[2] = {s->above[0], s->below[1]};
  for (int i = 0; i < 2; i++) {
    if (i == 0)
      arb_sub(small[i], l, law->a, PREC);
    else {
      arb_add(small[i], l, law->a, PREC);
      arb_neg(small[i], small[i]);
    }
    arb_mul_2exp_si(small[i], small[i], -1);
    arb_exp(small[i], small[i], PREC);
    arb_mul_2exp_si(small[i], small[i], -1);
    arb_sub_ui(large[i], small[i], 1, PREC);
    arb_neg(large[i], large[i]);
  }
}

/* The loss is e = ln(p/(1 - p)) if the truth was told, else -e. */
static void split_response(struct split *s, const struct law *law, const arb_t l) {
  arb_t edge, rest;
  arb_init(edge);
  arb_init(rest);
  arb_sub_ui(rest, law->a, 1, PREC);
  arb_neg(rest, rest);
  arb_div(edge, law->a, rest, PREC);
  arb_log(edge, edge, PREC);
  bool is_high = arb_ge(l, edge);
  arb_neg(edge, edge);
  if (is_high || arb_lt(l, edge)) {
    split_all(s, is_high);
  } else {
    arb_set(s->below[0], rest);
    arb_set(s->above[0], law->a);
    arb_set(s->below[1], law->a);
    arb_set(s->above[1], rest);
  }
  arb_clear(edge);
  arb_clear(rest);
}

/* The noise x at which ln(mixture/normal) is `loss`; false: it is larger everywhere. */
static bool sampled_noise(arb_t x, const struct law *law, const arb_t loss) {
  arb_expm1(x, loss, PREC);
  arb_add(x, x, law->b, PREC);
  if (arb_is_nonpositive(x)) return false;
  if (!arb_is_positive(x)) { /* at the edge within the precision: a noise far out will do */
    arb_indeterminate(x);
    return true;
  }
  arb_div(x, x, law->b, PREC);
  arb_log(x, x, PREC);
  arb_div(x, x, law->a, PREC);
  arb_t half;
  arb_init(half);
  arb_mul_2exp_si(half, law->a, -1);
  arb_add(x, x, half, PREC);
  arb_clear(half);
  return true;
}

/* q M + (1 - q) N */
static void mix(arb_t out, const arb_t moved, const arb_t normal, const arb_t q) {
  arb_t t;
  arb_init(t);
  arb_sub(t, moved, normal, PREC);
  arb_mul(t, t, q, PREC);
  arb_add(t, t, normal, PREC);
  /* relative accuracy where both are tiny: no subtraction then */
  arb_t u, rest;
  arb_init(u);
  arb_init(rest);
  arb_sub_ui(rest, q, 1, PREC);
  arb_neg(rest, rest);
  arb_mul(u, moved, q, PREC);
  arb_addmul(u, rest, normal, PREC);
  if (mag_cmp(arb_radref(u), arb_radref(t)) <= 0)
    arb_set(out, u);
  else
    arb_set(out, t);
  arb_clear(t);
  arb_clear(u);
  arb_clear(rest);
}

/* REMOVE: P is the mixture, the loss grows with the noise. ADD: P is the normal one, and the loss is
 * minus that. */
static void split_sampled(struct split *s, struct law *law, const arb_t l) {
  bool is_add = law->order == LOSS_ADD;
  arb_t x, target, moved[2];
  arb_init(x);
  arb_init(target);
  arb_init(moved[0]);
  arb_init(moved[1]);
  arb_set(target, l);
  if (is_add) arb_neg(target, l);
  if (!sampled_noise(x, law, target)) {
    split_all(s, is_add);
  } else {
    int mixture = is_add, normal = !is_add;
    arb_ptr left[2] = {is_add ? s->above[0] : s->below[0], is_add ? s->above[1] : s->below[1]};
    arb_ptr right[2] = {is_add ? s->below[0] : s->above[0], is_add ? s->below[1] : s->above[1]};
    normal_tails(&law->near, left[normal], right[normal], x);
    arb_sub(x, x, law->a, PREC);
    normal_tails(&law->moved, moved[0], moved[1], x);
    mix(left[mixture], moved[0], left[normal], law->b);
    mix(right[mixture], moved[1], right[normal], law->b);
  }
  arb_clear(x);
  arb_clear(target);
  arb_clear(moved[0]);
  arb_clear(moved[1]);
}

static void grid_point(fmpq_t out, slong index, unsigned bits) {
  fmpz_set_si(fmpq_numref(out), index);
  fmpz_one(fmpq_denref(out));
  fmpq_div_2exp(out, out, bits);
}

static void split_at(struct split *s, struct law *law, slong index, unsigned bits) {
  fmpq_t at;
  arb_t l;
  fmpq_init(at);
  arb_init(l);
  grid_point(at, index, bits);
  arb_set_si(l, index);
  arb_mul_2exp_si(l, l, -(slong)bits);
  switch (law->part->family) {
  case LOSS_GAUSSIAN: split_gaussian(s, law, l); break;
  case LOSS_LAPLACE: split_laplace(s, law, l, at); break;
  case LOSS_RESPONSE: split_response(s, law, l); break;
  case LOSS_SAMPLED_GAUSSIAN: split_sampled(s, law, l); break;
  case LOSS_PURE:
  case LOSS_ZCDP:
  case LOSS_RENYI:
  case LOSS_DISCRETE_GAUSSIAN: split_all(s, false); break; /* they have atoms only */
  }
  arb_clear(l);
  fmpq_clear(at);
}

/* What lies between two splits, from the tails that are smaller. */
static void between(arb_t out, const struct split *low, const struct split *high, int measure) {
  bool is_right = arf_cmp_d(arb_midref(low->below[measure]), 0.5) > 0;
  if (is_right)
    arb_sub(out, low->above[measure], high->above[measure], PREC);
  else
    arb_sub(out, high->below[measure], low->below[measure], PREC);
}

void loss_step_factor(arb_t out, unsigned bits) {
  arb_set_si(out, -1);
  arb_mul_2exp_si(out, out, -(slong)bits);
  arb_expm1(out, out, PREC);
  arb_neg(out, out);
}

/* Mass p (under Q: q) between points i and i + 1 goes to the two: p' + p'' = p, and
 * p' e^(-l) + p'' e^(-l - step) = q, so p'' (1 - e^(-step)) = p - q e^l. */
static void spread(struct loss_grid *g, struct law *law) {
  struct split at[2];
  arb_t p, q, l, factor, upper, growth, ratio;
  split_init(&at[0]);
  split_init(&at[1]);
  arb_init(p);
  arb_init(q);
  arb_init(l);
  arb_init(factor);
  arb_init(upper);
  loss_step_factor(factor, g->bits);
  arb_init(growth); /* e^l, multiplied up */
  arb_init(ratio);
  arb_set_si(growth, g->first);
  arb_mul_2exp_si(growth, growth, -(slong)g->bits);
  arb_exp(growth, growth, PREC + 64);
  arb_one(ratio);
  arb_mul_2exp_si(ratio, ratio, -(slong)g->bits);
  arb_exp(ratio, ratio, PREC + 64);
  split_at(&at[0], law, g->first, g->bits);
  arb_set(g->lifted, at[0].below[0]);
  arb_add(g->mass, g->mass, g->lifted, PREC);
  for (slong i = 0; i + 1 < g->length; i++) {
    struct split *low = &at[i % 2], *high = &at[(i + 1) % 2];
    split_at(high, law, g->first + i + 1, g->bits);
    between(p, low, high, 0);
    between(q, low, high, 1);
    arb_mul(l, q, growth, PREC);
    arb_mul(growth, growth, ratio, PREC + 32);
    arb_sub(upper, p, l, PREC);
    arb_div(upper, upper, factor, PREC);
    arb_add(g->mass + i + 1, g->mass + i + 1, upper, PREC);
    arb_sub(p, p, upper, PREC);
    arb_add(g->mass + i, g->mass + i, p, PREC);
  }
  arb_set(g->cut, at[(g->length - 1) % 2].above[0]);
  split_clear(&at[0]);
  split_clear(&at[1]);
  arb_clear(p);
  arb_clear(q);
  arb_clear(l);
  arb_clear(factor);
  arb_clear(upper);
  arb_clear(growth);
  arb_clear(ratio);
}

void loss_cells_fill(struct loss_grid *g, const struct loss_part *part, enum loss_order order) {
  struct law law = {.part = part, .order = order};
  arb_init(law.a);
  arb_init(law.b);
  arb_set_fmpq(law.a, part->a, PREC);
  arb_set_fmpq(law.b, part->b, PREC);
  normal_init(&law.near);
  normal_init(&law.moved);
  spread(g, &law);
  arb_clear(law.a);
  arb_clear(law.b);
  normal_clear(&law.near);
  normal_clear(&law.moved);
}
