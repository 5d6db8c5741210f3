/* The bound of docs/floating-point.md against counting: all 2^54 random choices of the snapping mechanism on
 * doubles are counted for two inputs, and every output obeys the bound. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "num/arb_compat.h"
#include "num/real/binary64_ops.h"
#include "testlib.h"

enum { BITS = 53, OUTPUTS = 16, PRECISION = 160 };
static const uint64_t ALL = UINT64_C(1) << BITS;

/* lambda and cell are doubles, cell a power of two that is at least lambda; B is an odd multiple of cell/2. */
struct snapping {
  double lambda, cell, bound;
};

static binary64 bits_of(double x) {
  binary64 b;
  memcpy(&b, &x, sizeof b);
  return b;
}

static double number_of(binary64 b) {
  double x;
  memcpy(&x, &b, sizeof x);
  return x;
}

static double clamp(double x, double bound) {
  return x < -bound ? -bound : x > bound ? bound : x;
}

/* The output for U = k 2^-53 and this sign of the noise, every operation on doubles. */
static double output(const struct snapping *s, double x, uint64_t k, bool minus) {
  binary64 u = bits_of(ldexp((double)k, -BITS)); /* exact */
  binary64 noise = binary64_mul(BINARY64, bits_of(s->lambda), binary64_ln(BINARY64, u));
  binary64 at = bits_of(clamp(x, s->bound));
  binary64 z = minus ? binary64_sub(BINARY64, at, noise) : binary64_add(BINARY64, at, noise);
  binary64 cell = bits_of(s->cell);
  z = binary64_mul(BINARY64, binary64_rint(binary64_div(BINARY64, z, cell)), cell);
  return clamp(number_of(z), s->bound);
}

/* For how many k is the output at most v? It rises with k for +, and falls for -. From a guess on. */
static uint64_t count(const struct snapping *s, double x, double v, bool minus) {
  double far = v + s->cell / 2 - clamp(x, s->bound);
  double guess = exp((minus ? -far : far) / s->lambda) * (double)ALL;
  uint64_t low = 0, high = ALL + 1,
           step = 1; /* the first k with the other answer: low < it <= high */
  uint64_t k = guess >= (double)ALL ? ALL : guess < 1 ? 1 : (uint64_t)guess;
  while (low + 1 < high) {
    bool below = (output(s, x, k, minus) <= v) != minus;
    if (below)
      low = k;
    else
      high = k;
    uint64_t width = high - low;
    if (step < ALL) step *= 2;
    if (low > 0 && high <= ALL)
      k = low + width / 2;
    else
      k = below ? (width > step ? low + step : low + width / 2)
                : (width > step ? high - step : low + width / 2);
    if (k <= low || k >= high) k = low + width / 2;
  }
  return minus ? ALL + 1 - high : low;
}

/* How many of the 2^54 choices give each output; their number. */
static size_t distribution(const struct snapping *s, double x, uint64_t counts[OUTPUTS]) {
  size_t n = 0;
  uint64_t before = 0;
  double v = -s->bound, inner = s->cell * ceil(-s->bound / s->cell);
  for (;; n++) {
    assert_true(n < OUTPUTS);
    uint64_t now = v >= s->bound ? 2 * ALL : count(s, x, v, false) + count(s, x, v, true);
    assert_true(now >= before);
    counts[n] = now - before;
    before = now;
    if (v >= s->bound) return n + 1;
    v = v < inner ? inner : v + s->cell;
    if (v > s->bound) v = s->bound;
  }
}

/* e^(|x - y|/lambda) (1 + kappa)/(1 - kappa), or without kappa */
static void allowed(arb_t out, const struct snapping *s, double x, double y, bool with_kappa) {
  arb_t t, kappa, lambda;
  arb_init(t);
  arb_init(kappa);
  arb_init(lambda);
  arb_set_d(lambda, s->lambda);
  arb_set_d(t, 6 * s->bound + 4 * s->cell); /* A = u (6 B + 4 Lambda)/lambda */
  arb_mul_2exp_si(t, t, -BITS);
  arb_div(t, t, lambda, PRECISION);
  arb_expm1(kappa, t, PRECISION);
  arb_set_d(t, 2 * s->bound + s->cell);
  arb_div(t, t, lambda, PRECISION);
  arb_exp(t, t, PRECISION);
  arb_mul_2exp_si(t, t, -BITS);
  arb_add(kappa, kappa, t, PRECISION);
  arb_mul_ui(kappa, kappa, 51, PRECISION);
  arb_div_ui(kappa, kappa, 10, PRECISION);
  if (!with_kappa) arb_zero(kappa);
  arb_set_d(out, x);
  arb_set_d(t, y);
  arb_sub(out, out, t, PRECISION);
  arb_abs(out, out);
  arb_div(out, out, lambda, PRECISION);
  arb_exp(out, out, PRECISION);
  arb_add_ui(t, kappa, 1, PRECISION);
  arb_mul(out, out, t, PRECISION);
  arb_sub_ui(t, kappa, 1, PRECISION);
  arb_neg(t, t);
  assert_true(arb_is_positive(t));
  arb_div(out, out, t, PRECISION);
  arb_clear(t);
  arb_clear(kappa);
  arb_clear(lambda);
}

/* Is some output more likely for x than `factor` times as likely as for y? */
static bool breaks(const arb_t factor, const uint64_t *p, const uint64_t *q, size_t n) {
  bool found = false;
  arb_t left, right;
  arb_init(left);
  arb_init(right);
  for (size_t i = 0; i < n; i++) {
    arb_set_ui(left, p[i]);
    arb_mul_ui(right, factor, q[i], PRECISION);
    found |= arb_gt(left, right);
  }
  arb_clear(left);
  arb_clear(right);
  return found;
}

static struct snapping parameters(struct rng *rng) {
  struct snapping s;
  s.cell = ldexp(1, rng_range(rng, -3, 3));
  s.lambda = s.cell * (0.5 + (double)rng_range(rng, 1, 500) / 1000);
  s.bound = s.cell * ((double)rng_range(rng, 1, 9) / 2);
  return s;
}

static void the_bound_holds(void **state) {
  (void)state;
  struct rng rng = rng_seeded(7);
  size_t rounds = test_rounds(4000), broken = 0;
  arb_t most, plain;
  arb_init(most);
  arb_init(plain);
  for (size_t i = 0; i < rounds; i++) {
    struct snapping s = parameters(&rng);
    double x = s.bound * (double)rng_range(&rng, -1200, 1200) / 1000;
    double y = x + s.lambda * (double)rng_range(&rng, -1000, 1000) / 1000;
    double at_x = clamp(x, s.bound), at_y = clamp(y, s.bound);
    uint64_t p[OUTPUTS], q[OUTPUTS];
    size_t n = distribution(&s, x, p);
    assert_int_equal(n, distribution(&s, y, q));
    allowed(most, &s, at_x, at_y, true);
    allowed(plain, &s, at_x, at_y, false);
    if (breaks(most, p, q, n) || breaks(most, q, p, n))
      fail_msg("round %zu: lambda %a, cell %a, B %a, inputs %a and %a", i, s.lambda, s.cell,
               s.bound, x, y);
    broken += breaks(plain, p, q, n) || breaks(plain, q, p, n);
  }
  assert_often(broken > 0); /* doubles are not real numbers: the bound of those does not hold */
  arb_clear(most);
  arb_clear(plain);
}

/* The counts against a walk over all choices, with U from few bits: a mistake in `count` shows. */
static void counting_is_right(void **state) {
  (void)state;
  struct snapping s = {.lambda = 0.75, .cell = 1, .bound = 2.5};
  struct rng rng = rng_seeded(3);
  for (int i = 0; i < 200; i++) {
    double x = (double)rng_range(&rng, -3000, 3000) / 1000, v = rng_range(&rng, -2, 2);
    bool minus = rng_chance(&rng, 1, 2);
    uint64_t n = count(&s, x, v, minus); /* the last or first k with an output of at most v */
    uint64_t edge = minus ? ALL - n : n;
    if (edge >= 1) assert_int_equal(output(&s, x, edge, minus) <= v, !minus);
    if (edge < ALL) assert_int_equal(output(&s, x, edge + 1, minus) <= v, minus);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(the_bound_holds),
                                     cmocka_unit_test(counting_is_right)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
