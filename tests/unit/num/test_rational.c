#include <stdlib.h>
#include <string.h>

#include "num/rational.h"
#include "num/real/decimal.h"
#include "testlib.h"

static void reads(const char *text, const char *expected) {
  fmpq_t q;
  fmpq_init(q);
  const char *why;
  assert_true(rational_parse_str(q, text, &why));
  char *printed = rational_string(q);
  assert_string_equal(printed, expected);
  free(printed);
  fmpq_clear(q);
}

static void exact_values_of_literals(void **state) {
  (void)state;
  reads("5/4", "5/4");
  reads("-10/4", "-5/2");
  reads("0.25", "1/4");
  reads("1.5e-3", "3/2000");
  reads("1e3", "1000");
  reads("+.5", "1/2");
  reads("7.", "7");
  reads("-0", "0");
  reads("0.1/0.3", "1/3");
  reads("00012", "12");
  reads("0.10000000000000000000000000000000000000001",
        "10000000000000000000000000000000000000001/100000000000000000000000000000000000000000");
}

static void malformed_numbers_are_refused_with_a_reason(void **state) {
  (void)state;
  const char *bad[] = {"",     "-",    "1/0", "1/",    "/2",    "1e", "1e9999999999999999999",
                       "1 ",   "0x10", "--1", "1/2/3", "1.2.3", "e5", ".",
                       "1/-0", "nan",  "inf", "1,5"};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    fmpq_t q;
    const char *why = NULL;
    fmpq_init(q);
    fmpq_set_si(q, 7, 3);
    assert_false(rational_parse_str(q, bad[i], &why));
    assert_non_null(why);
    assert_int_equal(fmpz_get_si(fmpq_numref(q)), 7); /* untouched */
    fmpq_clear(q);
  }
}

static void prints(long n, unsigned long d, unsigned digits, enum rational_rounding rounding,
                   const char *expected) {
  fmpq_t q;
  struct buffer out;
  fmpq_init(q);
  buffer_init(&out);
  fmpq_set_si(q, n, d);
  rational_print_decimal(&out, q, digits, rounding);
  assert_string_equal(buffer_text(&out), expected);
  buffer_clear(&out);
  fmpq_clear(q);
}

static void decimals_are_rounded_in_the_stated_direction(void **state) {
  (void)state;
  prints(1, 3, 3, ROUND_DOWN, "0.333");
  prints(1, 3, 3, ROUND_UP, "0.334");
  prints(-1, 3, 3, ROUND_DOWN, "-0.334");
  prints(-1, 3, 3, ROUND_UP, "-0.333");
  prints(2, 3, 3, ROUND_NEAREST, "0.667");
  prints(999999, 1000, 3, ROUND_UP, "1000");
  prints(999999, 1000, 3, ROUND_DOWN, "999");
  prints(5, 4, 10, ROUND_DOWN, "1.25");
  prints(0, 1, 5, ROUND_UP, "0");
  prints(1, 1000000000, 3, ROUND_NEAREST, "1e-9");
  prints(123456789, 1, 3, ROUND_NEAREST, "123000000");
  prints(1, 16, 2, ROUND_NEAREST, "0.063");
}

/* Whatever is printed reads back to a number on the right side, within one unit. */
static void printed_bounds_are_bounds(void **state) {
  (void)state;
  struct rng rng = rng_seeded(1);
  fmpq_t q, back, gap, unit;
  fmpq_init(q);
  fmpq_init(back);
  fmpq_init(gap);
  fmpq_init(unit);
  for (size_t i = 0; i < test_rounds(2000); i++) {
    fmpq_set_si(q, (slong)rng_range(&rng, -1000000, 1000000), rng_below(&rng, 1000000) + 1);
    if (rng_chance(&rng, 1, 4)) fmpq_mul(q, q, q);
    if (rng_chance(&rng, 1, 4)) fmpq_div_2exp(q, q, rng_below(&rng, 200));
    unsigned digits = (unsigned)rng_below(&rng, 12) + 1;
    for (int up = 0; up < 2; up++) {
      struct buffer out;
      buffer_init(&out);
      rational_print_decimal(&out, q, digits, up ? ROUND_UP : ROUND_DOWN);
      assert_true(rational_parse_str(back, buffer_text(&out), NULL));
      if (up)
        fmpq_sub(gap, back, q);
      else
        fmpq_sub(gap, q, back);
      assert_true(fmpq_sgn(gap) >= 0);
      fmpq_abs(unit, q); /* one unit is at most |q| * 10^(1-digits) */
      for (unsigned k = 1; k < digits; k++)
        fmpq_div_fmpz(unit, unit, (fmpz[]){10});
      assert_true(fmpq_cmp(gap, unit) <= 0);
      buffer_clear(&out);
    }
  }
  fmpq_clear(q);
  fmpq_clear(back);
  fmpq_clear(gap);
  fmpq_clear(unit);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(exact_values_of_literals),
      cmocka_unit_test(malformed_numbers_are_refused_with_a_reason),
      cmocka_unit_test(decimals_are_rounded_in_the_stated_direction),
      cmocka_unit_test(printed_bounds_are_bounds),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
