/* Floating point of compiled programs against num/binary64.h, which is compared with the hardware and
 * with MPFR: equal numbers, infinities and NaN. */
#include "run/eval/ieee.h"
#include "testlib.h"

/* in the order of a program */
#define COUPLET_RANDOM no_random
// clang-format off
#include "compile/runtime/head.c"
#include "compile/runtime/run.c"
#include "compile/runtime/number.c"
#include "compile/runtime/noise.c"
#include "compile/runtime/real.c"
#include "compile/runtime/float.c"
#include "compile/runtime/value.c"
#include "compile/runtime/text.c"
// clang-format on

bool no_random(void *to, size_t size) {
  (void)to;
  (void)size;
  return false;
}

static struct cp run;

static int open_run(void **state) {
  (void)state;
  cp_open(&run);
  return 0;
}

static int close_run(void **state) {
  (void)state;
  cp_close(&run);
  return 0;
}

static struct cp_number from_bits(binary64 x) {
  fmpq_t q;
  if (!binary64_is_finite(x))
    return cp_infinite(binary64_is_nan(x) ? 0 : binary64_is_negative(x) ? -1 : 1);
  fmpq_init(q);
  assert_true(binary64_to_rational(q, x));
  char *text = fmpq_get_str(NULL, 10, q);
  struct cp_number n = cp_read(&run, "", text, "r").number;
  flint_free(text);
  fmpq_clear(q);
  return n;
}

/* Of all sizes, near 1, with few digits, and what is just representable. */
static binary64 random_float(struct rng *rng, enum binary_format format) {
  uint64_t bits = rng_next(rng), exponent = 1023;
  switch (rng_below(rng, 5)) {
  case 0: exponent = rng_below(rng, 2048); break;
  case 1: exponent = 1023 - 40 + rng_below(rng, 80); break;
  case 2: exponent = rng_below(rng, 3); break;
  case 3: bits &= UINT64_C(0xf000000000000000) | UINT64_C(0xff) << 44; break;
  default: exponent = 1022 + rng_below(rng, 2);
  }
  binary64 x = (bits & UINT64_C(0x800fffffffffffff)) | exponent << 52;
  if (rng_chance(rng, 1, 4)) x &= ~UINT64_C(0xffffffff);
  x = binary64_round(format, x);
  return binary64_is_zero(x) ? 0 : x; /* there is one zero */
}

enum operation {
  ADD,
  SUB,
  MUL,
  DIV,
  FMA,
  NARROW,
  RINT,
  FLOOR,
  MIN,
  MAX,
  LN,
  LOG1P,
  EXP,
  OPERATIONS
};

static binary64 expected(enum operation op, enum binary_format f, const binary64 *x) {
  binary64 out;
  switch (op) {
  case ADD: return binary64_add(f, x[0], x[1]);
  case SUB: return binary64_sub(f, x[0], x[1]);
  case MUL: return binary64_mul(f, x[0], x[1]);
  case DIV: return binary64_div(f, x[0], x[1]);
  case FMA: return binary64_fma(f, x[0], x[1], x[2]);
  case NARROW: return binary64_round(BINARY32, x[0]);
  case RINT: return binary64_rint(x[0]);
  case FLOOR: return binary64_floor(x[0]);
  case MIN: ieee_function(&out, BUILTIN_MIN, f, x[0], x[1], 0); return out;
  case MAX: ieee_function(&out, BUILTIN_MAX, f, x[0], x[1], 0); return out;
  case LN: return binary64_ln(f, x[0]);
  case LOG1P: return binary64_log1p(f, x[0]);
  default: return binary64_exp(f, x[0]);
  }
}

static struct cp_number computed(enum operation op, const struct cp_format *f,
                                 const binary64 *bits) {
  struct cp_number x = from_bits(bits[0]), y = from_bits(bits[1]);
  switch (op) {
  case ADD: return cp_float_add(&run, f, x, y);
  case SUB: return cp_float_sub(&run, f, x, y);
  case MUL: return cp_float_mul(&run, f, x, y);
  case DIV: return cp_float_div(&run, f, x, y);
  case FMA: return cp_float_fma(&run, f, x, y, from_bits(bits[2]));
  case NARROW: return cp_to_float(&run, &cp_binary32, x);
  case RINT: return cp_float_rint(&run, x);
  case FLOOR: return cp_float_floor(&run, x);
  case MIN: return cp_float_min(&run, x, y);
  case MAX: return cp_float_max(&run, x, y);
  case LN: return cp_float_ln(&run, f, x);
  case LOG1P: return cp_float_log1p(&run, f, x);
  default: return cp_float_exp(&run, f, x);
  }
}

static bool is_same(struct cp_number x, struct cp_number y) {
  return cp_is_nan(x) ? cp_is_nan(y) : cp_float_order(&run, x, y) == 0;
}

/* In lowest terms, as all numbers are. */
static void compare(enum operation op, enum binary_format format, const binary64 *x) {
  const struct cp_format *f = format == BINARY64 ? &cp_binary64 : &cp_binary32;
  binary64 want = expected(op, format, x);
  if (setjmp(run.failed)) fail_msg("%d of %llx fails", op, (unsigned long long)x[0]);
  struct cp_number got = computed(op, f, x);
  if (!is_same(got, from_bits(want)))
    fail_msg("%d of %llx, %llx, %llx is not %llx", op, (unsigned long long)x[0],
             (unsigned long long)x[1], (unsigned long long)x[2], (unsigned long long)want);
  if (cp_is_finite(got) && cp_int_sign(got.num))
    assert_true(cp_int_is_one(cp_int_gcd(&run, got.num, got.den)));
}

/* Infinities and zeros come often enough by themselves; here with each other, and the order of all. */
static void special_numbers_are_those_of_binary64(void **state) {
  (void)state;
  static const binary64 all[] = {0,
                                 BINARY64_NAN,
                                 BINARY64_INFINITY,
                                 BINARY64_INFINITY | BINARY64_SIGN,
                                 UINT64_C(0x3ff0000000000000),
                                 UINT64_C(0xc004000000000000)};
  enum { COUNT = sizeof all / sizeof *all };
  for (int i = 0; i < COUNT * COUNT * COUNT; i++) {
    binary64 x[] = {all[i % COUNT], all[i / COUNT % COUNT], all[i / COUNT / COUNT]};
    for (enum operation op = ADD; op < OPERATIONS; op++)
      compare(op, BINARY64, x);
    int order = cp_float_order(&run, from_bits(x[0]), from_bits(x[1]));
    assert_int_equal(order < 0, binary64_less(x[0], x[1]));
    assert_int_equal(order == 0, binary64_equal(x[0], x[1]));
    cp_free_all(&run);
  }
}

static void check_many(struct rng *rng, enum operation from, enum operation to, size_t rounds) {
  for (size_t i = 0; i < rounds; i++) {
    enum operation op = from + (enum operation)rng_below(rng, (size_t)(to - from));
    enum binary_format format = rng_chance(rng, 1, 4) ? BINARY32 : BINARY64;
    binary64 x[3];
    for (int k = 0; k < 3; k++)
      x[k] = random_float(rng, format);
    if (op == LN && rng_chance(rng, 9, 10)) x[0] = binary64_abs(x[0]);
    if (op == EXP && rng_chance(rng, 1, 2))
      x[0] = (x[0] & ~(UINT64_C(0x7ff) << 52)) | UINT64_C(1031) << 52;
    if (op == EXP) x[0] = binary64_round(format, x[0]);
    compare(op, format, x);
    cp_free_all(&run);
  }
}

static void operations_are_those_of_binary64(void **state) {
  (void)state;
  struct rng rng = rng_seeded(1904);
  check_many(&rng, ADD, LN, test_rounds(8000));
}

static void logarithms_are_correctly_rounded(void **state) {
  (void)state;
  struct rng rng = rng_seeded(1905);
  check_many(&rng, LN, EXP, test_rounds(4000));
}

static void exponentials_are_correctly_rounded(void **state) {
  (void)state;
  struct rng rng = rng_seeded(1906);
  check_many(&rng, EXP, OPERATIONS, test_rounds(400));
}

int main(void) {
#define RUN_TEST(f) cmocka_unit_test_setup_teardown(f, open_run, close_run)
  const struct CMUnitTest tests[] = {
      RUN_TEST(special_numbers_are_those_of_binary64),
      RUN_TEST(operations_are_those_of_binary64),
      RUN_TEST(logarithms_are_correctly_rounded),
      RUN_TEST(exponentials_are_correctly_rounded),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
