#include <math.h>
#include <string.h>

#include "num/rational.h"
#include "num/real/ball.h"
#include "testlib.h"

static void shown(const arb_t x, unsigned digits, const char *expected) {
  struct buffer out;
  buffer_init(&out);
  ball_print(&out, x, digits);
  assert_string_equal(buffer_text(&out), expected);
  buffer_clear(&out);
}

static void only_known_digits_are_printed(void **state) {
  (void)state;
  arb_t x;
  arb_init(x);
  arb_const_pi(x, 200);
  shown(x, 10, "3.141592654");
  arb_const_pi(x, 20); /* about six digits known */
  struct buffer out;
  buffer_init(&out);
  ball_print(&out, x, 50);
  assert_true(strlen(buffer_text(&out)) <= 8);
  buffer_clear(&out);
  arb_zero_pm_inf(x);
  shown(x, 5, "unknown");
  arb_zero(x);
  shown(x, 5, "0");
  arb_set_si(x, 1);
  arb_mul_2exp_si(x, x, -3);
  shown(x, 5, "0.125");
  arb_clear(x);
}

static void printed_bounds_enclose(void **state) {
  (void)state;
  struct rng rng = rng_seeded(3);
  arb_t x;
  fmpq_t q, end;
  arb_init(x);
  fmpq_init(q);
  fmpq_init(end);
  for (size_t i = 0; i < test_rounds(500); i++) {
    fmpq_set_si(q, rng_range(&rng, -3000, 3000), rng_below(&rng, 70) + 1);
    ball_exp_rational(x, q, (slong)rng_below(&rng, 200) + 4);
    for (int up = 0; up < 2; up++) {
      struct buffer out;
      buffer_init(&out);
      if (up)
        ball_print_upper(&out, x, 6);
      else
        ball_print_lower(&out, x, 6);
      assert_true(rational_parse_str(end, buffer_text(&out), NULL));
      if (up)
        ball_upper(q, x);
      else
        ball_lower(q, x);
      assert_true(up ? fmpq_cmp(end, q) >= 0 : fmpq_cmp(end, q) <= 0);
      buffer_clear(&out);
    }
  }
  arb_clear(x);
  fmpq_clear(q);
  fmpq_clear(end);
}

/* ln of a printed number m or m e k. */
static void read_log(arb_t out, const char *text) {
  const char *e = strchr(text, 'e');
  fmpq_t mantissa;
  fmpz_t exponent;
  arb_t ten;
  fmpq_init(mantissa);
  fmpz_init(exponent);
  arb_init(ten);
  assert_non_null(e);
  assert_true(rational_parse(mantissa, text, (size_t)(e - text), NULL));
  assert_int_equal(fmpz_set_str(exponent, e + 1, 10), 0);
  arb_set_fmpq(out, mantissa, 500);
  arb_log(out, out, 500);
  arb_const_log10(ten, 500);
  arb_addmul_fmpz(out, ten, exponent, 500);
  fmpq_clear(mantissa);
  fmpz_clear(exponent);
  arb_clear(ten);
}

/* e^(+-10^k): bounds to six digits, whatever the size of the exponent. */
static void extreme_bounds_enclose(void **state) {
  (void)state;
  arb_t x, log;
  fmpq_t exponent, end;
  arb_init(x);
  arb_init(log);
  fmpq_init(exponent);
  fmpq_init(end);
  for (slong k = 5; k <= 30; k++)
    for (int sign = -1; sign <= 1; sign += 2) {
      fmpz_set_ui(fmpq_numref(exponent), 10);
      fmpz_pow_ui(fmpq_numref(exponent), fmpq_numref(exponent), (ulong)k);
      if (sign < 0) fmpq_neg(exponent, exponent);
      ball_exp_rational(x, exponent, 64);
      for (int up = 0; up < 2; up++) {
        struct buffer out;
        buffer_init(&out);
        if (up)
          ball_print_upper(&out, x, 6);
        else
          ball_print_lower(&out, x, 6);
        read_log(log, buffer_text(&out));
        arb_sub_fmpz(log, log, fmpq_numref(exponent), 500);
        assert_true(up ? arb_is_nonnegative(log) : arb_is_nonpositive(log));
        assert_true(fabs(arf_get_d(arb_midref(log), ARF_RND_NEAR)) < 2e-5);
        buffer_clear(&out);
      }
      /* as fractions: outwards, or not at all */
      bool has_lower = ball_lower(end, x);
      assert_int_equal(has_lower, sign < 0 || k < 6);
      if (has_lower && k >= 6) assert_true(fmpq_is_zero(end));
      bool has_upper = ball_upper(end, x);
      assert_int_equal(has_upper, has_lower);
      if (has_upper) assert_true(fmpq_sgn(end) > 0 && !arb_is_negative(x));
    }
  arb_clear(x);
  arb_clear(log);
  fmpq_clear(exponent);
  fmpq_clear(end);
}

/* Two precisions enclose the same number; exp and ln, square and root undo each other. */
static void functions_of_rationals(void **state) {
  (void)state;
  struct rng rng = rng_seeded(4);
  arb_t x, y;
  fmpq_t q;
  arb_init(x);
  arb_init(y);
  fmpq_init(q);
  for (size_t i = 0; i < test_rounds(500); i++) {
    fmpq_set_si(q, rng_range(&rng, 1, 100000), rng_below(&rng, 1000) + 1);
    ball_ln_rational(x, q, 300);
    arb_exp(y, x, 300);
    assert_true(arb_contains_fmpq(y, q));
    assert_true(arb_rel_accuracy_bits(y) > 250);
    fmpq_neg(q, q);
    ball_exp_rational(x, q, 100);
    ball_exp_rational(y, q, 500);
    assert_true(arb_contains(x, y));
    assert_true(arb_rel_accuracy_bits(x) >= 95);
    ball_ln_rational(x, q, 100);
    assert_false(arb_is_finite(x));
    assert_false(ball_is_less(x, y) || ball_is_less(y, x) || ball_is_positive(x));
  }
  arb_clear(x);
  arb_clear(y);
  fmpq_clear(q);
}

/* (1 + tiny) - 1 where tiny = e^-n: needs about 1.44 n bits before the first digit appears. */
static bool cancelling(arb_t out, void *context, slong precision) {
  fmpq_t q;
  fmpq_init(q);
  fmpq_set_si(q, -*(int *)context, 1);
  ball_exp_rational(out, q, precision);
  arb_add_si(out, out, 1, precision);
  arb_sub_si(out, out, 1, precision);
  fmpq_clear(q);
  return true;
}

static bool refusing(arb_t out, void *context, slong precision) {
  (void)context, (void)precision;
  arb_one(out);
  return false;
}

static void precision_rises_until_the_goal_is_met(void **state) {
  (void)state;
  int n = 1000;
  arb_t x, exact;
  fmpq_t q;
  arb_init(x);
  arb_init(exact);
  fmpq_init(q);
  fmpq_set_si(q, -n, 1);
  ball_exp_rational(exact, q, 4000);
  assert_int_equal(ball_adapt(x, cancelling, &n, (struct ball_goal){.digits = 20}), BALL_OK);
  assert_true(arb_overlaps(x, exact));
  assert_true(ball_digits(x) >= 20);
  assert_int_equal(ball_adapt(x, cancelling, &n, (struct ball_goal){.digits = 20, .max = 1024}),
                   BALL_IMPRECISE);
  assert_true(arb_contains(x, exact)); /* wide, but right */
  assert_int_equal(ball_digits(x), 0);
  assert_int_equal(ball_adapt(x, refusing, NULL, (struct ball_goal){.digits = 1}), BALL_FAILED);
  assert_false(arb_is_finite(x));
  struct budget spent = {.deadline_ns = 1};
  assert_int_equal(ball_adapt(x, cancelling, &n, (struct ball_goal){.digits = 1, .budget = &spent}),
                   BALL_TIMEOUT);
  assert_false(arb_is_finite(x));
  arb_clear(x);
  arb_clear(exact);
  fmpq_clear(q);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(only_known_digits_are_printed),
      cmocka_unit_test(printed_bounds_enclose),
      cmocka_unit_test(extreme_bounds_enclose),
      cmocka_unit_test(functions_of_rationals),
      cmocka_unit_test(precision_rises_until_the_goal_is_met),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
