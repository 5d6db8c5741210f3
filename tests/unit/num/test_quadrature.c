/* Quadrature rules against functions whose integrals and values are known, with poles just outside
 * of the ellipse: there the error bounds are needed, and a smaller one would not hold. */
#include <math.h>

#include "num/real/quadrature.h"
#include "testlib.h"

enum { PRECISION = 80, POLES = 24 };

/* 1/(x - pole) for a pole outside of the ellipse: |f| is at most 1 over its distance. */
struct pole {
  double re, im;
  mag_t bound;
};

/* A pole on the ellipse with a sum of half-axes a bit above rho. */
static void pole_init(struct pole *p, int i) {
  double rho = QUADRATURE_RHO * (1.01 + 0.02 * i), angle = 2 * acos(-1) * i / POLES;
  p->re = (rho + 1 / rho) / 2 * cos(angle);
  p->im = (rho - 1 / rho) / 2 * sin(angle);
  double nearest = HUGE_VAL; /* distance from the inner ellipse, which is smooth */
  for (int k = 0; k < 20000; k++) {
    double t = 2 * acos(-1) * k / 20000;
    nearest = fmin(nearest, hypot((QUADRATURE_RHO + 1.0 / QUADRATURE_RHO) / 2 * cos(t) - p->re,
                                  (QUADRATURE_RHO - 1.0 / QUADRATURE_RHO) / 2 * sin(t) - p->im));
  }
  mag_init(p->bound);
  mag_set_d(p->bound, 1.01 / nearest);
}

/* Real part of 1/(x - pole). */
static void pole_at(arb_t out, const struct pole *p, const arb_t x) {
  arb_t d, s, im;
  arb_init(d);
  arb_init(s);
  arb_init(im);
  arb_set_d(d, p->re);
  arb_sub(d, x, d, 2 * PRECISION);
  arb_set_d(im, p->im);
  arb_sqr(s, im, 2 * PRECISION);
  arb_addmul(s, d, d, 2 * PRECISION);
  arb_div(out, d, s, 2 * PRECISION);
  arb_clear(d);
  arb_clear(s);
  arb_clear(im);
}

/* Its integral from -1 to x: ln|x - pole| - ln|-1 - pole|. */
static void pole_integral(arb_t out, const struct pole *p, const arb_t x) {
  arb_t re, im, a;
  arb_init(re);
  arb_init(im);
  arb_init(a);
  arb_zero(out);
  for (int end = 0; end < 2; end++) {
    arb_set_d(re, p->re);
    arb_set_d(im, p->im);
    arb_set_si(a, -1);
    arb_sub(re, end ? x : a, re, 2 * PRECISION);
    arb_sqr(a, re, 2 * PRECISION);
    arb_addmul(a, im, im, 2 * PRECISION);
    arb_log(a, a, 2 * PRECISION);
    arb_mul_2exp_si(a, a, -1);
    if (end)
      arb_add(out, out, a, 2 * PRECISION);
    else
      arb_sub(out, out, a, 2 * PRECISION);
  }
  arb_clear(re);
  arb_clear(im);
  arb_clear(a);
}

static void assert_encloses(const arb_t ball, const arb_t exact, double width) {
  assert_true(arb_overlaps(ball, exact));
  assert_true(mag_get_d(arb_radref(ball)) < width);
}

static void check_pole(struct quadrature *q, const struct pole *p) {
  arb_ptr values = _arb_vec_init(q->order), out = _arb_vec_init(q->order);
  arb_t x, exact;
  fmpq_t a, b;
  arb_init(x);
  arb_init(exact);
  fmpq_init(a);
  fmpq_init(b);
  for (slong k = 0; k < q->order; k++)
    pole_at(values + k, p, q->nodes + k);
  quadrature_integral(out, q, values, p->bound);
  arb_one(x);
  pole_integral(exact, p, x);
  assert_encloses(out, exact, 1e-20);
  quadrature_sums(out, q, values, p->bound);
  for (slong k = 0; k < q->order; k++) {
    pole_integral(exact, p, q->nodes + k);
    assert_encloses(out + k, exact, 1e-6);
  }
  for (slong part = 0; part < 5; part++) { /* -1..-3/5, .. */
    fmpq_set_si(a, 2 * part - 4, 5);
    fmpq_set_si(b, 1, 5);
    quadrature_resample(out, q, values, p->bound, a, b);
    for (slong k = 0; k < q->order; k++) {
      arb_add_si(x, q->nodes + k, 2 * part - 4, 2 * PRECISION);
      arb_div_si(x, x, 5, 2 * PRECISION);
      pole_at(exact, p, x);
      assert_encloses(out + k, exact, 1e-6);
    }
  }
  _arb_vec_clear(values, q->order);
  _arb_vec_clear(out, q->order);
  arb_clear(x);
  arb_clear(exact);
  fmpq_clear(a);
  fmpq_clear(b);
}

static void poles_outside_of_the_ellipse(void **state) {
  (void)state;
  struct quadrature *q = quadrature_new(PRECISION);
  for (int i = 0; i < POLES; i++) {
    struct pole p;
    pole_init(&p, i);
    check_pole(q, &p);
    mag_clear(p.bound);
  }
  quadrature_unref(q);
}

/* With a bound of 0, which is wrong, some ball misses: the bounds are not there for show. */
static void the_bounds_are_needed(void **state) {
  (void)state;
  struct quadrature *q = quadrature_new(PRECISION);
  struct pole p;
  arb_ptr values = _arb_vec_init(q->order), out = _arb_vec_init(q->order);
  arb_t exact;
  mag_t none;
  arb_init(exact);
  mag_init(none);
  pole_init(&p, 1);
  for (slong k = 0; k < q->order; k++)
    pole_at(values + k, &p, q->nodes + k);
  quadrature_sums(out, q, values, none);
  int missed = 0;
  for (slong k = 0; k < q->order; k++) {
    pole_integral(exact, &p, q->nodes + k);
    missed += !arb_overlaps(out + k, exact);
  }
  assert_true(missed > 0);
  _arb_vec_clear(values, q->order);
  _arb_vec_clear(out, q->order);
  arb_clear(exact);
  mag_clear(none);
  mag_clear(p.bound);
  quadrature_unref(q);
}

static void polynomials_are_exact(void **state) {
  (void)state;
  struct quadrature *q = quadrature_new(PRECISION);
  arb_ptr values = _arb_vec_init(q->order);
  arb_t out, exact;
  mag_t none;
  arb_init(out);
  arb_init(exact);
  mag_init(none);
  for (slong degree = 0; degree < 2 * q->order; degree++) {
    for (slong k = 0; k < q->order; k++)
      arb_pow_ui(values + k, q->nodes + k, (ulong)degree, 2 * PRECISION);
    quadrature_integral(out, q, values, none);
    arb_set_si(exact, degree % 2 ? 0 : 2);
    arb_div_si(exact, exact, degree + 1, 2 * PRECISION);
    assert_encloses(out, exact, 1e-20);
  }
  _arb_vec_clear(values, q->order);
  arb_clear(out);
  arb_clear(exact);
  mag_clear(none);
  quadrature_unref(q);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(poles_outside_of_the_ellipse),
      cmocka_unit_test(the_bounds_are_needed),
      cmocka_unit_test(polynomials_are_exact),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
