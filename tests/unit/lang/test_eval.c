/* Runtime numbers and expressions: exact arithmetic against independent computation. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lang/check/check.h"
#include "lang/syntax/parse.h"
#include "run/eval/number.h"
#include "run/sample/interp.h"
#include "source_text.h"
#include "testlib.h"

/* A random number of any representation, and its value as a double (exact for the small ones). */
static struct rvalue random_number(struct rng *rng, double *approximate) {
  slong n = rng_range(rng, -40, 40);
  ulong d = (ulong)rng_range(rng, 1, 12);
  *approximate = (double)n / (double)d;
  switch (rng_below(rng, 4)) {
  case 0: *approximate = (double)n; return rvalue_int(n);
  case 1: return fraction(n, d);
  case 2: *approximate = ldexp((double)n, -3); return rvalue_float(*approximate);
  default: {
    struct rvalue x = fraction(n, d), out;
    assert_int_equal(number_function(BUILTIN_EXP, &out, &x), NUMBER_OK);
    rvalue_clear(&x);
    *approximate = exp(*approximate);
    return out;
  }
  }
}

static bool close_to(const struct rvalue *v, double x) {
  double y = number_to_double(v);
  return fabs(x - y) <= 1e-9 * (1 + fabs(x));
}

static void operations_agree_with_doubles(void **state) {
  (void)state;
  static const enum binary_op ops[] = {BINARY_ADD, BINARY_SUB, BINARY_MUL, BINARY_DIV};
  struct rng rng = rng_seeded(1);
  for (size_t i = 0; i < test_rounds(4000); i++) {
    double x, y;
    struct rvalue a = random_number(&rng, &x), b = random_number(&rng, &y), out;
    enum binary_op op = ops[rng_below(&rng, 4)];
    double wanted = op == BINARY_ADD   ? x + y
                    : op == BINARY_SUB ? x - y
                    : op == BINARY_MUL ? x * y
                                       : x / y;
    enum number_fault fault = number_binary(op, &out, &a, &b);
    if (op == BINARY_DIV && y == 0) {
      assert_int_equal(fault, NUMBER_DIVISION_BY_ZERO);
    } else {
      assert_int_equal(fault, NUMBER_OK);
      assert_true(close_to(&out, wanted));
      bool inexact = a.kind == RVALUE_FLOAT || b.kind == RVALUE_FLOAT;
      assert_true((out.kind == RVALUE_FLOAT) == inexact);
      rvalue_clear(&out);
    }
    int order;
    assert_true(number_compare(&order, &a, &b));
    if (fabs(x - y) > 1e-12 * (1 + fabs(x))) assert_int_equal(order, x < y ? -1 : 1);
    int back;
    assert_true(number_compare(&back, &b, &a));
    assert_int_equal(back, -order);
    rvalue_clear(&a);
    rvalue_clear(&b);
  }
}

/* floor(x) <= x < floor(x) + 1, ceil(x) = -floor(-x), round(x) = floor(x + 1/2). */
static void rounding_is_right_for_every_kind(void **state) {
  (void)state;
  struct rng rng = rng_seeded(2);
  for (size_t i = 0; i < test_rounds(2000); i++) {
    double x;
    struct rvalue a = random_number(&rng, &x), out;
    struct {
      enum builtin f;
      double wanted;
    } cases[] = {
        {BUILTIN_FLOOR, floor(x)}, {BUILTIN_CEIL, ceil(x)}, {BUILTIN_ROUND, floor(x + 0.5)}};
    bool huge = fabs(x) > 1e12 || (a.kind == RVALUE_IRRATIONAL && fabs(x) < 1e-9);
    for (int k = 0; k < 3 && !huge; k++) {
      assert_int_equal(number_function(cases[k].f, &out, &a), NUMBER_OK);
      assert_int_equal(out.kind, RVALUE_INT);
      if (fmpz_get_d(&out.as.integer) != cases[k].wanted) print_error("%d of %.17g\n", k, x);
      assert_true(fmpz_get_d(&out.as.integer) == cases[k].wanted);
      rvalue_clear(&out);
    }
    rvalue_clear(&a);
  }
}

/* A double next to a fraction compares as the reals do, also when the fraction rounds to it. */
static void doubles_and_fractions_compare_exactly(void **state) {
  (void)state;
  struct rvalue third = fraction(1, 3), nearest = rvalue_float(1. / 3);
  int order;
  assert_true(number_compare(&order, &nearest, &third));
  assert_int_equal(order, -1); /* the double below 1/3 is the nearest */
  nearest = rvalue_float(nextafter(1. / 3, 1));
  assert_true(number_compare(&order, &nearest, &third));
  assert_int_equal(order, 1);
  struct rvalue half = fraction(1, 2), same = rvalue_float(0.5);
  assert_true(number_compare(&order, &half, &same));
  assert_int_equal(order, 0);
  rvalue_clear(&third);
  rvalue_clear(&half);
}

/* 2^53 + 1 is not a double; the nearest even one is 2^53. */
static void conversion_to_double_rounds_to_nearest(void **state) {
  (void)state;
  struct rvalue big = rvalue_int((WORD(1) << 53) + 1);
  assert_true(number_to_double(&big) == ldexp(1, 53));
  big = rvalue_int((WORD(1) << 53) + 3);
  assert_true(number_to_double(&big) == ldexp(1, 53) + 4);
  struct rvalue tenth = fraction(1, 10);
  assert_true(number_to_double(&tenth) == 0.1);
  rvalue_clear(&tenth);
  struct rng rng = rng_seeded(3);
  for (int i = 0; i < 500; i++) { /* 61-bit numerator and denominator: the slow path */
    slong n = (slong)(rng_next(&rng) >> 3) + 1;
    ulong d = (rng_next(&rng) >> 3) + 1;
    struct rvalue v = fraction(n, d);
    assert_true(fabs(number_to_double(&v) / (double)((long double)n / (long double)d) - 1) < 3e-16);
    rvalue_clear(&v);
  }
}

/* ---- expressions ---------------------------------------------------------------------------- */

static char *value_of(const char *text) {
  struct lang lang;
  lang_init(&lang);
  struct ast_module module = {0};
  uint32_t file = sources_add(&lang.sources, "value", text, strlen(text));
  struct ast_expr *e = parse_expression(&lang, file);
  struct buffer b;
  buffer_init(&b);
  struct rvalue v;
  const struct type *types[] = {lang.types.integer, lang.types.real, lang.types.boolean,
                                type_list(&lang.types, lang.types.integer)};
  bool typed = false;
  for (size_t i = 0; !typed && i < 4; i++) {
    struct diag_mark mark = diags_mark(&lang.diags);
    typed = check_constant(&lang, &module, e, types[i]);
    if (!typed) diags_rollback(&lang.diags, mark);
  }
  if (typed && interp_constant(&lang, e, &v)) {
    rvalue_print(&b, &v);
    rvalue_clear(&v);
  } else {
    buffer_puts(&b, lang.diags.list.len ? lang.diags.list.at[0].code : "no type");
  }
  lang_clear(&lang);
  return buffer_take(&b);
}

static void expressions_have_their_values(void **state) {
  (void)state;
  static const char *const cases[][2] = {
      {"1/3 + 1/6", "1/2"},
      {"2^10 - 24", "1000"},
      {"-2^2", "-4"},
      {"(2/3)^3", "8/27"},
      {"0.1 + 0.2 = 0.3", "true"},
      {"(-7) div 2", "-4"},
      {"7 div (-2)", "-4"},
      {"(-7) mod 2", "1"},
      {"7 mod (-2)", "-1"},
      {"round(2.5)", "3"},
      {"round(-2.5)", "-2"},
      {"min(1/3, 0.3)", "3/10"},
      {"max(exp(1), 3)", "3"},
      {"abs(-1/2)", "1/2"},
      {"1 < 2 <= 2 < 3", "true"},
      {"1 < 2 < 2", "false"},
      {"true -> false", "false"},
      {"false -> head(tail([1])) = 1", "true"},
      {"true or head(tail([1])) = 1", "true"},
      {"false and head(tail([1])) = 1", "false"},
      {"true <-> not false", "true"},
      {"if 1 > 2 then 3 else 4", "4"},
      {"1 :: [2] ++ [3]", "[1, 2, 3]"},
      {"tail([1, 2, 3])", "[2, 3]"},
      {"[10, 20][1]", "20"},
      {"(1, 5).2", "5"},
      {"[1, 2] = [1, 2]", "true"},
      {"[1, 2] = [1]", "false"},
      {"sqrt(2)^2", "2"},
      {"exp(ln(3))", "3"},
      {"sqrt(9/4)", "3/2"},
      {"exp(1) * 0", "0"},
      {"exp(1) - exp(1)", "0"},
      {"ln(2) < 0.693147180559945309417232121458176569", "true"},
      {"ln(2) < 0.693147180559945309417232121458176568", "false"},
      {"1/(ln(2) * 0)", "division-by-zero"},
      {"1 mod length(tail([1]))", "division-by-zero"},
      {"ln(0)", "domain-error"},
      {"sqrt(-1)", "domain-error"},
      {"head(tail([1]))", "empty-list"},
      {"[1, 2][2]", "index-out-of-bounds"},
      {"exp(1/ (ln(6) - ln(2) - ln(3)))", "undecided-comparison"},
      {"10^4000 * 10^4000 > 0", "true"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char *got = value_of(cases[i][0]);
    if (strcmp(got, cases[i][1]) != 0) print_error("%s gives %s\n", cases[i][0], got);
    assert_string_equal(got, cases[i][1]);
    free(got);
  }
}

static void printed_doubles_read_back(void **state) {
  (void)state;
  struct rng rng = rng_seeded(4);
  for (int i = 0; i < 2000; i++) {
    double x = ldexp((double)(int64_t)rng_next(&rng), rng_range(&rng, -120, 20));
    struct rvalue v = rvalue_float(x);
    struct buffer b;
    buffer_init(&b);
    rvalue_print(&b, &v);
    assert_true(strtod(buffer_text(&b), NULL) == x);
    buffer_clear(&b);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(operations_agree_with_doubles),
      cmocka_unit_test(rounding_is_right_for_every_kind),
      cmocka_unit_test(doubles_and_fractions_compare_exactly),
      cmocka_unit_test(conversion_to_double_rounds_to_nearest),
      cmocka_unit_test(expressions_have_their_values),
      cmocka_unit_test(printed_doubles_read_back),
  };
  return cmocka_run_group_tests_name("eval", tests, NULL, NULL);
}
