/* The run-time library of compiled programs against FLINT, Arb and the interpreter's samplers: equal
 * numbers, and on equal bits equal samples with equally many bits used. */
#include "run/eval/number.h"
#include "run/sample/noise.h"
#include "testlib.h"

/* in the order of a program */
#define COUPLET_RANDOM test_random
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

static struct random test_bits; /* the hook has no argument for it */

bool test_random(void *to, size_t size) {
  uint32_t *words = to;
  for (size_t i = 0; i < size / sizeof *words; i++)
    words[i] = random_bits(&test_bits, 32);
  return true;
}

static struct cp run;

static int open_run(void **state) {
  (void)state;
  cp_open(&run);
  return 0;
}

/* At the beginning of every test. */
#define NOTHING_FAILS()                                                                            \
  do {                                                                                             \
    if (setjmp(run.failed)) fail_msg("a run failed: %s", run.why);                                 \
  } while (0)

static int close_run(void **state) {
  (void)state;
  cp_close(&run);
  return 0;
}

/* ---- numbers ---------------------------------------------------------------------------------- */

static struct cp_number from_fmpq(const fmpq_t q) {
  char *text = fmpq_get_str(NULL, 10, q);
  struct cp_number n = cp_read(&run, "", text, "r").number;
  flint_free(text);
  return n;
}

static void assert_number(struct cp_number n, const fmpq_t expected) {
  struct cp_text out = {0};
  cp_put_value(&run, &out, "r", (union cp_value){.number = n});
  char *text = fmpq_get_str(NULL, 10, expected);
  assert_string_equal(out.at, text);
  flint_free(text);
}

/* Words, what is just beyond them, and numbers of several limbs. */
static void random_integer(struct rng *rng, fmpz_t z) {
  fmpz_zero(z);
  switch (rng_below(rng, 4)) {
  case 0: fmpz_set_si(z, rng_range(rng, -20, 20)); break;
  case 1:
    fmpz_one(z);
    fmpz_mul_2exp(z, z, 30 + rng_below(rng, 40));
    fmpz_add_si(z, z, rng_range(rng, -2, 2));
    break;
  default:
    for (size_t words = rng_below(rng, 5); words--;) {
      fmpz_mul_2exp(z, z, 32);
      fmpz_add_ui(z, z, rng_next(rng) >> (rng_below(rng, 3) ? 32 : 60));
    }
  }
  if (rng_chance(rng, 1, 2)) fmpz_neg(z, z);
}

static void random_fraction(struct rng *rng, fmpq_t q) {
  random_integer(rng, fmpq_numref(q));
  if (rng_chance(rng, 1, 3))
    fmpz_one(fmpq_denref(q));
  else
    random_integer(rng, fmpq_denref(q));
  if (fmpz_is_zero(fmpq_denref(q))) fmpz_one(fmpq_denref(q));
  fmpq_canonicalise(q);
}

static void check_rounding(struct cp_number x, const fmpq_t a) {
  fmpq_t want;
  fmpq_init(want);
  fmpz_fdiv_q(fmpq_numref(want), fmpq_numref(a), fmpq_denref(a));
  assert_number(cp_floor(&run, x), want);
  fmpz_cdiv_q(fmpq_numref(want), fmpq_numref(a), fmpq_denref(a));
  assert_number(cp_ceil(&run, x), want);
  fmpz_mul_2exp(fmpq_numref(want), fmpq_numref(a), 1);
  fmpz_add(fmpq_numref(want), fmpq_numref(want), fmpq_denref(a));
  fmpz_fdiv_q(fmpq_numref(want), fmpq_numref(want), fmpq_denref(a));
  fmpz_fdiv_q_2exp(fmpq_numref(want), fmpq_numref(want), 1);
  assert_number(cp_round(&run, x), want);
  fmpq_abs(want, a);
  assert_number(cp_abs(&run, x), want);
  fmpq_pow_si(want, a, 5);
  assert_number(cp_pow(&run, "", x, cp_small(5)), want);
  fmpq_clear(want);
}

static void check_pair(const fmpq_t a, const fmpq_t b) {
  struct cp_number x = from_fmpq(a), y = from_fmpq(b);
  fmpq_t want;
  fmpq_init(want);
  fmpq_add(want, a, b);
  assert_number(cp_add(&run, x, y), want);
  fmpq_sub(want, a, b);
  assert_number(cp_sub(&run, x, y), want);
  fmpq_mul(want, a, b);
  assert_number(cp_mul(&run, x, y), want);
  int order = fmpq_cmp(a, b);
  assert_int_equal(cp_compare(&run, x, y), (order > 0) - (order < 0));
  if (!fmpq_is_zero(b)) {
    fmpq_div(want, a, b);
    assert_number(cp_div(&run, "", x, y), want);
    fmpz_fdiv_q(fmpq_numref(want), fmpq_numref(want), fmpq_denref(want));
    fmpz_one(fmpq_denref(want));
    assert_number(cp_idiv(&run, "", x, y), want);
    fmpq_mul(want, want, b);
    fmpq_sub(want, a, want);
    assert_number(cp_mod(&run, "", x, y), want);
  }
  check_rounding(x, a);
  fmpq_clear(want);
}

static void numbers_are_those_of_flint(void **state) {
  (void)state;
  NOTHING_FAILS();
  struct rng rng = rng_seeded(1);
  fmpq_t a, b;
  fmpq_init(a);
  fmpq_init(b);
  for (size_t i = 0; i < test_rounds(3000); i++) {
    random_fraction(&rng, a);
    random_fraction(&rng, b);
    check_pair(a, b);
    if (rng_chance(&rng, 1, 8)) check_pair(a, a);
    cp_free_all(&run);
  }
  fmpq_clear(a);
  fmpq_clear(b);
}

/* ---- samplers --------------------------------------------------------------------------------- */

static struct cp_number from_rvalue(const struct rvalue *v) {
  fmpq_t q;
  fmpq_init(q);
  number_get_fmpq(q, v);
  struct cp_number n = from_fmpq(q);
  fmpq_clear(q);
  return n;
}

static bool same_as(union cp_value sample, const struct rvalue *expected) {
  if (expected->kind == RVALUE_BOOL) return sample.truth == expected->as.boolean;
  return cp_compare(&run, sample.number, from_rvalue(expected)) == 0;
}

/* Both begin with the same bits. */
static void seed_both(struct random *r, uint64_t seed) {
  random_init_seeded(r, seed);
  random_init_seeded(&test_bits, seed);
  cp_free_all(&run);
  run.next = CP_WORDS;
  run.pool_bits = 0;
}

/* Both go on with the same bits. */
static void assert_same_rest(struct random *r) {
  assert_int_equal(cp_random_bits(&run, 7), random_bits(r, 7));
  assert_int_equal(cp_random_bits(&run, 32), random_bits(r, 32));
}

static union cp_value draw(enum dist_kind kind, struct cp_number a, struct cp_number b) {
  union cp_value v = {.truth = false};
  switch (kind) {
  case DIST_DISCRETE_LAPLACE: v.number = cp_draw_discrete_laplace(&run, "", a, b); break;
  case DIST_GEOMETRIC: v.number = cp_draw_geometric(&run, "", a, b); break;
  case DIST_DISCRETE_GAUSS: v.number = cp_draw_discrete_gauss(&run, "", a, b); break;
  case DIST_UNIFORM_INT: v.number = cp_draw_uniform_int(&run, "", a, b); break;
  default: v.truth = cp_draw_bernoulli(&run, "", a);
  }
  return v;
}

static struct rvalue random_scale(struct rng *rng, bool large) {
  fmpq_t q;
  fmpq_init(q);
  do {
    random_fraction(rng, q);
    fmpq_abs(q, q);
    if (!large) fmpz_mod_ui(fmpq_numref(q), fmpq_numref(q), 50);
    if (!large) fmpz_mod_ui(fmpq_denref(q), fmpq_denref(q), 40);
    if (fmpz_is_zero(fmpq_denref(q))) fmpz_one(fmpq_denref(q));
    fmpq_canonicalise(q);
  } while (fmpq_is_zero(q));
  struct rvalue v = rvalue_fmpq(q);
  fmpq_clear(q);
  return v;
}

static void check_draw(struct rng *rng, enum dist_kind kind, uint64_t seed) {
  struct rvalue args[2] = {rvalue_int(rng_range(rng, -9, 9)),
                           random_scale(rng, rng_chance(rng, 1, 4))};
  if (kind == DIST_UNIFORM_INT) { /* an integer above the first */
    struct rvalue whole;
    assert_int_equal(number_function(BUILTIN_CEIL, &whole, &args[1]), NUMBER_OK);
    fmpz_add(&whole.as.integer, &whole.as.integer, &args[0].as.integer);
    rvalue_clear(&args[1]);
    args[1] = whole;
  }
  if (kind == DIST_BERNOULLI) { /* x/(1 + x) */
    struct rvalue one = rvalue_int(1), more;
    assert_int_equal(number_binary(BINARY_ADD, &more, &one, &args[1]), NUMBER_OK);
    assert_int_equal(number_binary(BINARY_DIV, &args[0], &args[1], &more), NUMBER_OK);
    rvalue_clear(&more);
  }
  struct random r;
  struct rvalue expected;
  seed_both(&r, seed);
  assert_int_equal(noise_sample(&r, kind, args, kind == DIST_BERNOULLI ? 1 : 2, &expected),
                   NOISE_OK);
  union cp_value sample = draw(kind, from_rvalue(&args[0]), from_rvalue(&args[1]));
  assert_true(same_as(sample, &expected));
  assert_same_rest(&r);
  rvalue_clear(&expected);
  rvalue_clear(&args[0]);
  rvalue_clear(&args[1]);
}

static void samples_are_those_of_the_interpreter(void **state) {
  (void)state;
  NOTHING_FAILS();
  const enum dist_kind kinds[] = {DIST_DISCRETE_LAPLACE, DIST_GEOMETRIC, DIST_DISCRETE_GAUSS,
                                  DIST_UNIFORM_INT, DIST_BERNOULLI};
  struct rng rng = rng_seeded(2);
  for (size_t i = 0; i < test_rounds(1500); i++)
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
      check_draw(&rng, kinds[k], rng_next(&rng));
}

/* ---- exponentials ------------------------------------------------------------------------------- */

/* The same term in both representations. */
struct both {
  struct rvalue value;
  const struct cp_real *real;
};

static struct both both_number(struct rng *rng) {
  struct rvalue v = random_scale(rng, false);
  if (rng_chance(rng, 1, 3)) {
    struct rvalue minus;
    number_negate(&minus, &v);
    rvalue_clear(&v);
    v = minus;
  }
  return (struct both){v, cp_constant(&run, from_rvalue(&v))};
}

static struct both both_exp(struct both a) {
  struct both e = {.real = cp_real(&run, "", CP_EXP, a.real, NULL)};
  assert_int_equal(number_function(BUILTIN_EXP, &e.value, &a.value), NUMBER_OK);
  rvalue_clear(&a.value);
  return e;
}

static struct both both_binary(enum binary_op op, enum cp_real_op real, struct both a,
                               const struct both *b) {
  struct both e = {.real = cp_real(&run, "", real, a.real, b->real)};
  assert_int_equal(number_binary(op, &e.value, &a.value, &b->value), NUMBER_OK);
  rvalue_clear(&a.value);
  return e;
}

/* exp(a)/(exp(a) + exp(b)), a probability in any case. */
static struct both both_logistic(struct rng *rng) {
  struct both a = both_exp(both_number(rng)), b = both_exp(both_number(rng));
  struct both copy = {rvalue_copy(&a.value), a.real};
  struct both sum = both_binary(BINARY_ADD, CP_ADD, copy, &b);
  struct both p = both_binary(BINARY_DIV, CP_DIV, a, &sum);
  rvalue_clear(&b.value);
  rvalue_clear(&sum.value);
  return p;
}

static void probabilities_with_exponentials_are_exact(void **state) {
  (void)state;
  NOTHING_FAILS();
  struct rng rng = rng_seeded(3);
  size_t hits = 0, rounds = test_rounds(800);
  for (size_t i = 0; i < rounds; i++) {
    struct random r;
    seed_both(&r, rng_next(&rng));
    struct both p = both_logistic(&rng);
    bool expected = noise_bernoulli(&r, &p.value);
    assert_int_equal(cp_draw_bernoulli_real(&run, "", p.real), expected);
    assert_same_rest(&r);
    hits += expected;
    rvalue_clear(&p.value);
  }
  assert_often(hits > rounds / 4 && hits < rounds - rounds / 4);
}

/* low/2^p and high/2^p are around the value, and not far apart. */
static void check_enclosure(const struct both *x, size_t p) {
  struct cp_interval v;
  arb_t ball, end;
  arb_init(ball);
  arb_init(end);
  assert_true(cp_enclose(&run, x->real, p, &v));
  struct creal *c = number_to_creal(&x->value);
  arb_set(ball, creal_ball(c, 4 * (slong)p + 200));
  creal_unref(c);
  arb_mul_2exp_si(ball, ball, (slong)p);
  struct cp_text low = {0}, high = {0};
  cp_put_int(&run, &low, v.low);
  cp_put_int(&run, &high, v.high);
  arb_set_str(end, low.at, 4000);
  assert_true(arb_le(end, ball));
  arb_set_str(end, high.at, 4000);
  assert_true(arb_ge(end, ball));
  struct cp_int width = cp_int_sub(&run, v.high, v.low);
  assert_true(cp_int_bits(width) <= 8 + cp_int_bits(v.high) / 2);
  arb_clear(ball);
  arb_clear(end);
}

static void enclosures_contain_the_number(void **state) {
  (void)state;
  NOTHING_FAILS();
  struct rng rng = rng_seeded(4);
  for (size_t i = 0; i < test_rounds(300); i++) {
    struct both x = rng_chance(&rng, 1, 2) ? both_logistic(&rng) : both_exp(both_number(&rng));
    check_enclosure(&x, 160 + rng_below(&rng, 200));
    rvalue_clear(&x.value);
    cp_free_all(&run);
  }
}

int main(void) {
#define RUN_TEST(f) cmocka_unit_test_setup_teardown(f, open_run, close_run)
  const struct CMUnitTest tests[] = {
      RUN_TEST(numbers_are_those_of_flint),
      RUN_TEST(samples_are_those_of_the_interpreter),
      RUN_TEST(probabilities_with_exponentials_are_exact),
      RUN_TEST(enclosures_contain_the_number),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
