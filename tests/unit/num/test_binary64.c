/* The exact module against the hardware and, for functions such as ln, against MPFR. */
#include "num/real/binary64_ops.h"

#include <float.h>
#include <math.h>
#include <mpfr.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "num/rational.h"
#include "out/binary64_text.h"
#include "testlib.h"

static binary64 bits_of(double x) {
  binary64 bits;
  memcpy(&bits, &x, sizeof bits);
  return isnan(x) ? BINARY64_NAN : bits;
}

static double double_of(binary64 bits) {
  double x;
  memcpy(&x, &bits, sizeof x);
  return x;
}

/* Numbers of all sizes: any bits; small integers, whose results are often ties; numbers near a
 * power of two, subnormal ones, infinities and NaN. */
static double any_double(struct rng *rng) {
  switch (rng_below(rng, 8)) {
  case 0: return double_of(rng_next(rng));
  case 1: return rng_range(rng, -40, 40) / 8.0;
  case 2: return double_of(rng_next(rng) & UINT64_C(0x800fffffffffffff));
  case 3: return double_of((rng_next(rng) & BINARY64_SIGN) | rng_below(rng, 5));
  case 4: return ldexp(1 + rng_range(rng, -2, 2) * DBL_EPSILON, rng_range(rng, -1074, 1023));
  case 5: return ldexp((double)(rng_next(rng) >> 11), rng_range(rng, -110, 10));
  case 6: return ldexp((double)rng_range(rng, -9, 9), rng_range(rng, -60, 60));
  default:
    return (double[]){
        0.0, -0.0, INFINITY, -INFINITY, NAN, DBL_MAX, DBL_MIN, 0.5}[rng_below(rng, 8)];
  }
}

static float any_float(struct rng *rng) {
  if (rng_chance(rng, 1, 4)) {
    const uint32_t bits = (uint32_t)rng_next(rng);
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
  }
  if (rng_chance(rng, 1, 3))
    return ldexpf((float)rng_range(rng, -999, 999), rng_range(rng, -149, 100));
  return (float)any_double(rng);
}

static void same(const char *operation, double x, double y, double z, binary64 ours,
                 double theirs) {
  if (ours == bits_of(theirs)) return;
  printf("%s(%a, %a, %a): %a, the hardware says %a\n", operation, x, y, z, double_of(ours), theirs);
  fail();
}

/* volatile: the compiler must not fold, contract or keep more precision */
static void double_operations(struct rng *rng) {
  volatile double x = any_double(rng), y = any_double(rng), z = any_double(rng);
  if (rng_chance(rng, 1, 8)) z = -(x * y);
  const binary64 a = bits_of(x), b = bits_of(y), c = bits_of(z);
  same("+", x, y, 0, binary64_add(BINARY64, a, b), x + y);
  same("-", x, y, 0, binary64_sub(BINARY64, a, b), x - y);
  same("*", x, y, 0, binary64_mul(BINARY64, a, b), x * y);
  same("/", x, y, 0, binary64_div(BINARY64, a, b), x / y);
  same("fma", x, y, z, binary64_fma(BINARY64, a, b, c), fma(x, y, z));
  same("sqrt", x, 0, 0, binary64_sqrt(BINARY64, a), sqrt(x));
  same("floor", x, 0, 0, binary64_floor(a), floor(x));
  same("rint", x, 0, 0, binary64_rint(a), rint(x));
  same("float", x, 0, 0, binary64_round(BINARY32, a), (double)(float)x);
  assert_int_equal(binary64_less(a, b), x < y);
  assert_int_equal(binary64_equal(a, b), x == y);
}

static void float_operations(struct rng *rng) {
  volatile float x = any_float(rng), y = any_float(rng), z = any_float(rng);
  volatile float sum = x + y, difference = x - y, product = x * y, quotient = x / y;
  const binary64 a = bits_of(x), b = bits_of(y), c = bits_of(z);
  same("f+", x, y, 0, binary64_add(BINARY32, a, b), sum);
  same("f-", x, y, 0, binary64_sub(BINARY32, a, b), difference);
  same("f*", x, y, 0, binary64_mul(BINARY32, a, b), product);
  same("f/", x, y, 0, binary64_div(BINARY32, a, b), quotient);
  same("fmaf", x, y, z, binary64_fma(BINARY32, a, b, c), fmaf(x, y, z));
  same("sqrtf", x, 0, 0, binary64_sqrt(BINARY32, a), sqrtf(x));
}

static void operations_are_those_of_the_hardware(void **state) {
  (void)state;
  struct rng rng = rng_seeded(64);
  for (size_t i = 0; i < test_rounds(70000); i++)
    double_operations(&rng); /* 11 each */
  for (size_t i = 0; i < test_rounds(50000); i++)
    float_operations(&rng); /* 6 each */
}

typedef binary64 (*ours_function)(enum binary_format, binary64);
typedef int (*mpfr_function)(mpfr_t, const mpfr_t, mpfr_rnd_t);

/* As MPFR's manual says: the exponents of the format, then the result once more for what is
 * subnormal. */
static double by_mpfr(enum binary_format format, mpfr_function f, double x) {
  mpfr_t in, out;
  mpfr_init2(in, 53);
  mpfr_init2(out, format == BINARY64 ? 53 : 24);
  mpfr_set_d(in, x, MPFR_RNDN);
  mpfr_set_emin(format == BINARY64 ? -1073 : -148);
  mpfr_set_emax(format == BINARY64 ? 1024 : 128);
  const int ternary = f(out, in, MPFR_RNDN);
  mpfr_subnormalize(out, ternary, MPFR_RNDN);
  const double result = mpfr_get_d(out, MPFR_RNDN);
  mpfr_set_emin(mpfr_get_emin_min());
  mpfr_set_emax(mpfr_get_emax_max());
  mpfr_clear(in);
  mpfr_clear(out);
  return result;
}

static int mpfr_ln(mpfr_t out, const mpfr_t in, mpfr_rnd_t rounding) {
  return mpfr_log(out, in, rounding);
}

static void functions_are_those_of_mpfr(void **state) {
  (void)state;
  struct rng rng = rng_seeded(65);
  const struct {
    const char *name;
    ours_function ours;
    mpfr_function theirs;
  } rows[] = {{"ln", binary64_ln, mpfr_ln},          {"exp", binary64_exp, mpfr_exp},
              {"sin", binary64_sin, mpfr_sin},       {"cos", binary64_cos, mpfr_cos},
              {"log1p", binary64_log1p, mpfr_log1p}, {"expm1", binary64_expm1, mpfr_expm1}};
  for (size_t i = 0; i < test_rounds(8000); i++) {
    const size_t row = i % (sizeof rows / sizeof *rows);
    double x = any_double(&rng);
    if (rng_chance(&rng, 1, 2))
      x = rng_range(&rng, -7600, 7600) / 10.0 + 1.0 / (1 + (double)rng_below(&rng, 99));
    if (row == 0 && rng_chance(&rng, 7, 8)) x = fabs(x);
    for (enum binary_format format = BINARY64; format <= BINARY32; format++) {
      if (format == BINARY32) x = (float)x;
      same(rows[row].name, x, format, 0, rows[row].ours(format, bits_of(x)),
           by_mpfr(format, rows[row].theirs, x));
    }
  }
}

static binary64 next(enum binary_format format, binary64 x) {
  const int64_t rank = binary64_rank(format, x);
  return binary64_of_rank(format, rank == binary64_last_rank(format) ? rank : rank + 1);
}

static binary64 previous(enum binary_format format, binary64 x) {
  return binary64_neg(next(format, binary64_neg(x)));
}

/* x is nearest: no number of the format, its neighbours included, is nearer to q. */
static void rationals_go_to_the_nearest_number(void **state) {
  (void)state;
  struct rng rng = rng_seeded(66);
  fmpq_t q, back, other, ours;
  fmpq_init(q);
  fmpq_init(back);
  fmpq_init(other);
  fmpq_init(ours);
  for (size_t i = 0; i < test_rounds(3000); i++) {
    const enum binary_format format = i % 2 ? BINARY64 : BINARY32;
    fmpq_set_si(q, rng_range(&rng, -100000, 100000), rng_below(&rng, 5000) + 1);
    if (rng_chance(&rng, 1, 2))
      fmpq_div_2exp(q, q, rng_below(&rng, format == BINARY64 ? 1100 : 170));
    const binary64 x = binary64_from_rational(format, q);
    assert_true(binary64_round(format, x) == x && binary64_to_rational(back, x));
    fmpq_sub(ours, back, q);
    fmpq_abs(ours, ours);
    const binary64 around[] = {next(format, x), previous(format, x)};
    for (int side = 0; side < 2; side++) {
      assert_true(binary64_to_rational(other, around[side]));
      fmpq_sub(other, other, q);
      fmpq_abs(other, other);
      const int order = fmpq_cmp(ours, other);
      assert_true(order < 0 || (order == 0 && (binary64_rank(format, x) & 1) == 0));
    }
    assert_true(binary64_equal(binary64_from_rational(format, back), x));
  }
  fmpq_clear(q);
  fmpq_clear(back);
  fmpq_clear(other);
  fmpq_clear(ours);
}

static void ranks_follow_the_order(void **state) {
  (void)state;
  struct rng rng = rng_seeded(67);
  for (size_t i = 0; i < test_rounds(20000); i++) {
    const float f = any_float(&rng);
    const double d = any_double(&rng);
    if (isnan(f) || isnan(d)) continue;
    const binary64 x = bits_of(f), y = bits_of(d);
    assert_true(binary64_equal(binary64_of_rank(BINARY32, binary64_rank(BINARY32, x)), x));
    assert_true(next(BINARY32, x) ==
                    bits_of(f == 0 ? nextafterf(0, INFINITY) : nextafterf(f, INFINITY)) ||
                binary64_is_zero(next(BINARY32, x)));
    assert_true(binary64_equal(previous(BINARY32, x), bits_of(nextafterf(f, -INFINITY))));
    assert_true(binary64_equal(binary64_of_rank(BINARY64, binary64_rank(BINARY64, y)), y));
    assert_true(binary64_equal(next(BINARY64, y), bits_of(nextafter(d, INFINITY))));
    assert_true(binary64_equal(previous(BINARY64, y), bits_of(nextafter(d, -INFINITY))));
  }
}

static void texts_read_back(void **state) {
  (void)state;
  struct rng rng = rng_seeded(68);
  for (size_t i = 0; i < test_rounds(2000); i++) {
    const double x = any_double(&rng);
    struct buffer hex, decimal;
    buffer_init(&hex);
    buffer_init(&decimal);
    binary64_print_hex(&hex, bits_of(x));
    binary64_print(&decimal, BINARY64, bits_of(x));
    assert_true(bits_of(strtod(buffer_text(&hex), NULL)) == bits_of(x));
    assert_true(bits_of(strtod(buffer_text(&decimal), NULL)) == bits_of(x));
    buffer_clear(&hex);
    buffer_clear(&decimal);
  }
  struct buffer out;
  buffer_init(&out);
  binary64_print(&out, BINARY64, bits_of(0.1));
  buffer_puts(&out, " ");
  binary64_print(&out, BINARY32, bits_of(0.1f));
  buffer_puts(&out, " ");
  binary64_print_hex(&out, bits_of(-0.1875));
  assert_string_equal(buffer_text(&out), "0.1 0.1 -0x1.8p-3");
  buffer_clear(&out);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(operations_are_those_of_the_hardware),
      cmocka_unit_test(functions_are_those_of_mpfr),
      cmocka_unit_test(rationals_go_to_the_nearest_number),
      cmocka_unit_test(ranks_follow_the_order),
      cmocka_unit_test(texts_read_back),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
