/* exppoly and piecewise against rigorous quadrature (Arb's acb_calc_integrate) of integrands that
 * are written out here a second time, and against identities of calculus. */
#include <string.h>

#include "num/arb_compat.h"
#include "num/real/ball.h"
#include "num/real/piecewise.h"
#include "testlib.h"

enum { PREC = 160 };

static void random_rational(fmpq_t out, struct rng *rng, int range, unsigned denominators) {
  fmpq_set_si(out, rng_range(rng, -range, range), rng_below(rng, denominators) + 1);
}

static void derivative(struct exppoly *out, const struct exppoly *f, slong precision) {
  struct exppoly sum;
  exppoly_init(&sum);
  arb_t c;
  arb_init(c);
  for (size_t i = 0; i < f->count; i++) {
    const struct exppoly_term *t = &f->terms[i];
    const fmpq *rate = t->rate;
    arb_mul_fmpz(c, t->coefficient, fmpq_numref(rate), precision);
    arb_div_fmpz(c, c, fmpq_denref(rate), precision);
    exppoly_add_term(&sum, c, t->power, rate, precision);
    if (t->power == 0) continue;
    arb_mul_ui(c, t->coefficient, t->power, precision);
    exppoly_add_term(&sum, c, t->power - 1, rate, precision);
  }
  exppoly_swap(out, &sum);
  exppoly_clear(&sum);
  arb_clear(c);
}

/* 1 between the ends, else 0. */
static void set_indicator(struct piecewise *f, const struct line_end *low,
                          const struct line_end *high) {
  struct piecewise one;
  fmpq_t value;
  piecewise_init(&one);
  fmpq_init(value);
  fmpq_one(value);
  piecewise_set_constant(&one, value, 2);
  piecewise_restrict(f, &one, low, high);
  fmpq_clear(value);
  piecewise_clear(&one);
}

static void random_exppoly(struct exppoly *f, struct rng *rng, int terms) {
  fmpq_t q, rate;
  arb_t c;
  fmpq_init(q);
  fmpq_init(rate);
  arb_init(c);
  f->count = 0;
  for (int i = 0; i < terms; i++) {
    random_rational(q, rng, 9, 5);
    random_rational(rate, rng, 3, 2);
    arb_set_fmpq(c, q, PREC);
    exppoly_add_term(f, c, rng_below(rng, 4), rate, PREC);
  }
  fmpq_clear(q);
  fmpq_clear(rate);
  arb_clear(c);
}

/* The invariant of the header. */
static void assert_canonical(const struct exppoly *f) {
  for (size_t i = 0; i < f->count; i++) {
    assert_false(arb_is_zero(f->terms[i].coefficient));
    if (i == 0) continue;
    int order = fmpq_cmp(f->terms[i - 1].rate, f->terms[i].rate);
    assert_true(order < 0 || (order == 0 && f->terms[i - 1].power < f->terms[i].power));
  }
}

static void assert_value(const struct exppoly *f, const fmpq_t x, const arb_t expected) {
  arb_t value;
  arb_init(value);
  exppoly_eval(value, f, x, PREC);
  assert_true(arb_overlaps(value, expected));
  assert_true(mag_cmp_2exp_si(arb_radref(value), -60) < 0);
  arb_clear(value);
}

static void ring_laws_hold_pointwise(void **state) {
  (void)state;
  struct rng rng = rng_seeded(5);
  struct exppoly f, g, h;
  fmpq_t x, step, moved;
  arb_t a, b, expected;
  exppoly_init(&f);
  exppoly_init(&g);
  exppoly_init(&h);
  fmpq_init(x);
  fmpq_init(step);
  fmpq_init(moved);
  arb_init(a);
  arb_init(b);
  arb_init(expected);
  for (size_t i = 0; i < test_rounds(300); i++) {
    random_exppoly(&f, &rng, rng_range(&rng, 0, 5));
    random_exppoly(&g, &rng, rng_range(&rng, 0, 5));
    random_rational(x, &rng, 5, 4);
    random_rational(step, &rng, 3, 4);
    exppoly_eval(a, &f, x, PREC);
    exppoly_eval(b, &g, x, PREC);
    exppoly_add(&h, &f, &g, PREC);
    assert_canonical(&h);
    arb_add(expected, a, b, PREC);
    assert_value(&h, x, expected);
    exppoly_sub(&h, &f, &g, PREC);
    arb_sub(expected, a, b, PREC);
    assert_value(&h, x, expected);
    exppoly_sub(&h, &f, &f, PREC);
    assert_true(h.count <= f.count);
    exppoly_mul(&h, &f, &g, PREC);
    assert_canonical(&h);
    arb_mul(expected, a, b, PREC);
    assert_value(&h, x, expected);
    exppoly_shift(&h, &f, step, PREC);
    assert_canonical(&h);
    fmpq_add(moved, x, step);
    exppoly_eval(expected, &f, moved, PREC);
    assert_value(&h, x, expected);
    exppoly_antiderivative(&h, &f, PREC);
    assert_canonical(&h);
    derivative(&h, &h, PREC);
    assert_value(&h, x, a);
    exppoly_mul(&f, &f, &f, PREC); /* in place */
    arb_mul(expected, a, a, PREC);
    assert_value(&f, x, expected);
  }
  exppoly_clear(&f);
  exppoly_clear(&g);
  exppoly_clear(&h);
  fmpq_clear(x);
  fmpq_clear(step);
  fmpq_clear(moved);
  arb_clear(a);
  arb_clear(b);
  arb_clear(expected);
}

/* The n-th power of a sum of two exponentials has n+1 terms: equal rates merge. */
static void powers_stay_small(void **state) {
  (void)state;
  struct exppoly f, p;
  fmpq_t rate;
  arb_t c;
  exppoly_init(&f);
  exppoly_init(&p);
  fmpq_init(rate);
  arb_init(c);
  arb_one(c);
  exppoly_add_term(&f, c, 0, rate, PREC);
  exppoly_set(&p, &f);
  fmpq_set_si(rate, -1, 3);
  exppoly_add_term(&f, c, 0, rate, PREC);
  for (size_t n = 1; n <= 40; n++) {
    exppoly_mul(&p, &p, &f, PREC);
    assert_int_equal(p.count, n + 1);
  }
  assert_true(arb_contains_si(p.terms[20].coefficient, 137846528820)); /* binomial(40, 20) */
  exppoly_clear(&f);
  exppoly_clear(&p);
  fmpq_clear(rate);
  arb_clear(c);
}

static int integrand(acb_ptr out, const acb_t z, void *context, slong order, slong prec) {
  const struct exppoly *f = context;
  (void)order; /* entire */
  acb_t term, power;
  arb_t rate;
  acb_init(term);
  acb_init(power);
  arb_init(rate);
  acb_zero(out);
  for (size_t i = 0; i < f->count; i++) {
    arb_set_fmpq(rate, f->terms[i].rate, prec);
    acb_mul_arb(term, z, rate, prec);
    acb_exp(term, term, prec);
    acb_pow_ui(power, z, f->terms[i].power, prec);
    acb_mul(term, term, power, prec);
    acb_mul_arb(term, term, f->terms[i].coefficient, prec);
    acb_add(out, out, term, prec);
  }
  acb_clear(term);
  acb_clear(power);
  arb_clear(rate);
  return 0;
}

static void quadrature(arb_t out, acb_calc_func_t f, void *context, const fmpq_t low,
                       const fmpq_t high) {
  acb_t a, b, sum;
  mag_t tolerance;
  acb_init(a);
  acb_init(b);
  acb_init(sum);
  mag_init(tolerance);
  mag_set_ui_2exp_si(tolerance, 1, -60);
  arb_set_fmpq(acb_realref(a), low, 96);
  arb_set_fmpq(acb_realref(b), high, 96);
  acb_calc_integrate(sum, f, context, a, b, 60, tolerance, NULL, 96);
  arb_set(out, acb_realref(sum));
  assert_true(mag_cmp_2exp_si(arb_radref(out), -30) < 0);
  acb_clear(a);
  acb_clear(b);
  acb_clear(sum);
  mag_clear(tolerance);
}

static void integrals_agree_with_quadrature(void **state) {
  (void)state;
  struct rng rng = rng_seeded(6);
  struct exppoly f;
  struct line_end low, high;
  arb_t exact, numeric;
  exppoly_init(&f);
  line_end_init(&low, 0);
  line_end_init(&high, 0);
  arb_init(exact);
  arb_init(numeric);
  for (size_t i = 0; i < test_rounds(60); i++) {
    random_exppoly(&f, &rng, rng_range(&rng, 1, 4));
    random_rational(low.at, &rng, 4, 3);
    random_rational(high.at, &rng, 4, 3);
    if (fmpq_cmp(low.at, high.at) > 0) fmpq_swap(low.at, high.at);
    exppoly_integral(exact, &f, &low, &high, PREC);
    quadrature(numeric, integrand, &f, low.at, high.at);
    assert_true(arb_overlaps(exact, numeric));
    assert_true(mag_cmp_2exp_si(arb_radref(exact), -60) < 0);
  }
  exppoly_clear(&f);
  line_end_clear(&low);
  line_end_clear(&high);
  arb_clear(exact);
  arb_clear(numeric);
}

static void divergent_integrals_are_not_finite(void **state) {
  (void)state;
  struct exppoly f;
  struct line_end minus, plus, zero;
  fmpq_t rate;
  arb_t c, out;
  exppoly_init(&f);
  line_end_init(&minus, -1);
  line_end_init(&plus, 1);
  line_end_init(&zero, 0);
  fmpq_init(rate);
  arb_init(c);
  arb_init(out);
  fmpq_set_si(rate, 1, 1);
  arb_one(c);
  exppoly_add_term(&f, c, 2, rate, PREC); /* x^2 e^x */
  exppoly_integral(out, &f, &zero, &plus, PREC);
  assert_false(arb_is_finite(out));
  exppoly_integral(out, &f, &minus, &zero, PREC);
  assert_true(arb_contains_si(out, 2) && arb_is_finite(out));
  exppoly_limit(out, &f, &minus, PREC);
  assert_true(arb_is_zero(out));
  fmpq_zero(rate);
  f.count = 0;
  exppoly_add_term(&f, c, 0, rate, PREC);
  exppoly_integral(out, &f, &minus, &zero, PREC);
  assert_false(arb_is_finite(out));
  exppoly_limit(out, &f, &minus, PREC);
  assert_true(arb_is_one(out));
  exppoly_clear(&f);
  line_end_clear(&minus);
  line_end_clear(&plus);
  line_end_clear(&zero);
  fmpq_clear(rate);
  arb_clear(c);
  arb_clear(out);
}

/* ---- piecewise ------------------------------------------------------------------------------ */

enum noise { NOISE_LAPLACE, NOISE_EXPONENTIAL, NOISE_UNIFORM };

struct sample {
  enum noise noise;
  fmpq_t centre, rate;
};

static void random_density(struct piecewise *f, struct sample *s, struct rng *rng) {
  fmpq_t high;
  fmpq_init(high);
  s->noise = (enum noise)rng_below(rng, 3);
  fmpq_init(s->centre);
  fmpq_init(s->rate);
  random_rational(s->centre, rng, 2, 2);
  fmpq_set_si(s->rate, rng_range(rng, 1, 6), rng_below(rng, 3) + 1);
  fmpq_add(high, s->centre, s->rate);
  if (s->noise == NOISE_LAPLACE) piecewise_set_laplace(f, s->centre, s->rate, PREC);
  if (s->noise == NOISE_EXPONENTIAL) piecewise_set_exponential(f, s->centre, s->rate, PREC);
  if (s->noise == NOISE_UNIFORM) piecewise_set_uniform(f, s->centre, high, PREC);
  fmpq_clear(high);
}

static void sample_clear(struct sample *s) {
  fmpq_clear(s->centre);
  fmpq_clear(s->rate);
}

/* Pr[sample < x], by the textbook formula. */
static double cdf(const struct sample *s, double x) {
  double c = fmpq_get_d(s->centre), r = fmpq_get_d(s->rate);
  double clamped = x < c ? 0 : x > c + r ? 1 : (x - c) / r;
  switch (s->noise) {
  case NOISE_LAPLACE: {
    arb_t e;
    arb_init(e);
    arb_set_d(e, -r * (x < c ? c - x : x - c));
    arb_exp(e, e, 64);
    double tail = arf_get_d(arb_midref(e), ARF_RND_NEAR) / 2;
    arb_clear(e);
    return x < c ? tail : 1 - tail;
  }
  case NOISE_EXPONENTIAL: {
    arb_t e;
    arb_init(e);
    arb_set_d(e, x < c ? 0 : -r * (x - c));
    arb_exp(e, e, 64);
    double tail = arf_get_d(arb_midref(e), ARF_RND_NEAR);
    arb_clear(e);
    return 1 - tail;
  }
  case NOISE_UNIFORM: return clamped;
  }
  return 0;
}

static void assert_near(const arb_t ball, double expected, double tolerance) {
  double middle = arf_get_d(arb_midref(ball), ARF_RND_NEAR);
  assert_true(arb_is_finite(ball));
  assert_true(middle - expected < tolerance && expected - middle < tolerance);
}

static void densities_have_mass_one_and_the_right_tails(void **state) {
  (void)state;
  struct rng rng = rng_seeded(7);
  for (size_t i = 0; i < test_rounds(100); i++) {
    struct piecewise f, below, above;
    struct sample s;
    fmpq_t x;
    arb_t total, value, rest;
    piecewise_init(&f);
    piecewise_init(&below);
    piecewise_init(&above);
    fmpq_init(x);
    arb_init(total);
    arb_init(value);
    arb_init(rest);
    random_density(&f, &s, &rng);
    piecewise_total(total, &f, PREC);
    assert_true(arb_contains_si(total, 1));
    assert_true(mag_cmp_2exp_si(arb_radref(total), -100) < 0);
    piecewise_below(&below, &f, PREC);
    piecewise_above(&above, &f, PREC);
    for (int k = 0; k < 20; k++) {
      random_rational(x, &rng, 6, 3);
      piecewise_eval(value, &below, x, PREC);
      assert_near(value, cdf(&s, fmpq_get_d(x)), 1e-12);
      piecewise_eval(rest, &above, x, PREC);
      arb_add(total, value, rest, PREC);
      assert_true(arb_contains_si(total, 1));
    }
    piecewise_clear(&f);
    piecewise_clear(&below);
    piecewise_clear(&above);
    fmpq_clear(x);
    arb_clear(total);
    arb_clear(value);
    arb_clear(rest);
    sample_clear(&s);
  }
}

/* Far out, the upper tail keeps its relative accuracy. */
static void tails_do_not_cancel(void **state) {
  (void)state;
  struct piecewise f;
  fmpq_t x, rate;
  arb_t value;
  piecewise_init(&f);
  fmpq_init(x);
  fmpq_init(rate);
  arb_init(value);
  fmpq_one(rate);
  piecewise_set_laplace(&f, x, rate, 64);
  piecewise_above(&f, &f, 64);
  fmpq_set_si(x, 1000, 1);
  piecewise_eval(value, &f, x, 64);
  assert_true(arb_rel_accuracy_bits(value) > 50);
  piecewise_clear(&f);
  fmpq_clear(x);
  fmpq_clear(rate);
  arb_clear(value);
}

/* Integration by parts: int f G + int F g = 1 for densities f, g with distribution functions F, G,
 * that is Pr[X > Y] + Pr[Y > X]; and each side against a Riemann sum. */
static void comparing_two_samples(void **state) {
  (void)state;
  struct rng rng = rng_seeded(8);
  for (size_t i = 0; i < test_rounds(60); i++) {
    struct piecewise f, g, lower, product;
    struct sample s, t;
    arb_t one_way, other_way, sum;
    piecewise_init(&f);
    piecewise_init(&g);
    piecewise_init(&lower);
    piecewise_init(&product);
    arb_init(one_way);
    arb_init(other_way);
    arb_init(sum);
    random_density(&f, &s, &rng);
    random_density(&g, &t, &rng);
    piecewise_below(&lower, &g, PREC);
    piecewise_mul(&product, &f, &lower, PREC);
    piecewise_total(one_way, &product, PREC);
    piecewise_below(&lower, &f, PREC);
    piecewise_mul(&product, &g, &lower, PREC);
    piecewise_total(other_way, &product, PREC);
    arb_add(sum, one_way, other_way, PREC);
    assert_true(arb_contains_si(sum, 1));
    assert_true(mag_cmp_2exp_si(arb_radref(sum), -60) < 0);
    double riemann = 0;
    const int steps = 4000;
    double previous = cdf(&s, -30.0);
    for (int k = 1; k <= steps; k++) { /* Stieltjes sum of G dF at midpoints */
      double x = -30 + 60.0 * k / steps, here = cdf(&s, x);
      riemann += (here - previous) * cdf(&t, x - 30.0 / steps);
      previous = here;
    }
    assert_near(one_way, riemann, 0.02);
    piecewise_clear(&f);
    piecewise_clear(&g);
    piecewise_clear(&lower);
    piecewise_clear(&product);
    arb_clear(one_way);
    arb_clear(other_way);
    arb_clear(sum);
    sample_clear(&s);
    sample_clear(&t);
  }
}

static void random_piecewise(struct piecewise *f, struct rng *rng) {
  struct piecewise g;
  struct sample s;
  arb_t c;
  piecewise_init(&g);
  arb_init(c);
  random_density(f, &s, rng);
  sample_clear(&s);
  int more = rng_range(rng, 0, 3);
  for (int i = 0; i < more; i++) {
    random_density(&g, &s, rng);
    sample_clear(&s);
    arb_set_si(c, rng_range(rng, -3, 3));
    piecewise_scale(&g, &g, c, PREC);
    if (rng_chance(rng, 1, 3))
      piecewise_mul(f, f, &g, PREC);
    else
      piecewise_add(f, f, &g, PREC);
  }
  piecewise_clear(&g);
  arb_clear(c);
}

static void operations_agree_pointwise(void **state) {
  (void)state;
  struct rng rng = rng_seeded(9);
  for (size_t i = 0; i < test_rounds(150); i++) {
    struct piecewise f, g, h;
    struct line_end low, high;
    fmpq_t x, step;
    arb_t a, b, c, expected;
    piecewise_init(&f);
    piecewise_init(&g);
    piecewise_init(&h);
    line_end_init(&low, rng_chance(&rng, 1, 4) ? -1 : 0);
    line_end_init(&high, rng_chance(&rng, 1, 4) ? 1 : 0);
    fmpq_init(x);
    fmpq_init(step);
    arb_init(a);
    arb_init(b);
    arb_init(c);
    arb_init(expected);
    random_piecewise(&f, &rng);
    random_piecewise(&g, &rng);
    for (int k = 0; k < 5; k++) {
      random_rational(x, &rng, 30, 7);
      random_rational(step, &rng, 3, 2);
      piecewise_eval(a, &f, x, PREC);
      piecewise_eval(b, &g, x, PREC);
      piecewise_mul(&h, &f, &g, PREC);
      piecewise_eval(c, &h, x, PREC);
      arb_mul(expected, a, b, PREC);
      assert_true(arb_overlaps(c, expected));
      piecewise_sub(&h, &f, &g, PREC);
      piecewise_eval(c, &h, x, PREC);
      arb_sub(expected, a, b, PREC);
      assert_true(arb_overlaps(c, expected));
      piecewise_shift(&h, &f, step, PREC);
      fmpq_sub(step, x, step);
      piecewise_eval(c, &h, step, PREC);
      assert_true(arb_overlaps(c, a));
      random_rational(low.at, &rng, 4, 3);
      random_rational(high.at, &rng, 4, 3);
      piecewise_restrict(&h, &f, &low, &high);
      piecewise_eval(c, &h, x, PREC);
      bool inside = (low.side || fmpq_cmp(low.at, x) <= 0) &&
                    (high.side || fmpq_cmp(x, high.at) < 0) && line_end_cmp(&low, &high) < 0;
      if (!inside) arb_zero(a);
      assert_true(arb_overlaps(c, a));
      /* splitting an integral at x */
      piecewise_restrict(&h, &f, &low, &high);
      piecewise_total(expected, &h, PREC);
      piecewise_integral(a, &f, &low, &high, PREC);
      assert_true(arb_overlaps(a, expected));
      struct line_end middle;
      line_end_init_at(&middle, x);
      if (inside) {
        piecewise_integral(a, &f, &low, &middle, PREC);
        piecewise_integral(b, &f, &middle, &high, PREC);
        arb_add(a, a, b, PREC);
        assert_true(arb_overlaps(a, expected));
      }
      line_end_clear(&middle);
    }
    piecewise_clear(&f);
    piecewise_clear(&g);
    piecewise_clear(&h);
    line_end_clear(&low);
    line_end_clear(&high);
    fmpq_clear(x);
    fmpq_clear(step);
    arb_clear(a);
    arb_clear(b);
    arb_clear(c);
    arb_clear(expected);
  }
}

static void identical_pieces_are_joined(void **state) {
  (void)state;
  struct piecewise f, g;
  fmpq_t centre, rate;
  struct line_end low, high;
  piecewise_init(&f);
  piecewise_init(&g);
  fmpq_init(centre);
  fmpq_init(rate);
  fmpq_one(rate);
  piecewise_set_laplace(&f, centre, rate, PREC);
  line_end_init(&low, -1);
  line_end_init_at(&high, rate);
  set_indicator(&g, &low, &high);
  assert_int_equal(g.breakpoint_count, 1);
  high.side = 1;
  set_indicator(&g, &low, &high);
  assert_int_equal(g.breakpoint_count, 0);
  piecewise_mul(&g, &f, &g, PREC);
  assert_int_equal(g.breakpoint_count, 1);
  piecewise_sub(&g, &g, &g, PREC);
  low.side = 1;
  piecewise_restrict(&g, &f, &low, &high);
  assert_true(piecewise_is_zero(&g));
  assert_int_equal(g.breakpoint_count, 0);
  piecewise_clear(&f);
  piecewise_clear(&g);
  fmpq_clear(centre);
  fmpq_clear(rate);
  line_end_clear(&low);
  line_end_clear(&high);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(ring_laws_hold_pointwise),
      cmocka_unit_test(powers_stay_small),
      cmocka_unit_test(integrals_agree_with_quadrature),
      cmocka_unit_test(divergent_integrals_are_not_finite),
      cmocka_unit_test(densities_have_mass_one_and_the_right_tails),
      cmocka_unit_test(tails_do_not_cancel),
      cmocka_unit_test(comparing_two_samples),
      cmocka_unit_test(operations_agree_pointwise),
      cmocka_unit_test(identical_pieces_are_joined),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
