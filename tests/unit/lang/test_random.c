#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "run/sample/random.h"
#include "stats.h"
#include "testlib.h"

/* RFC 8439, appendix A.1, test vectors 1 and 2 (zero key, zero nonce, counters 0 and 1). */
static void chacha20_is_the_standard_one(void **state) {
  (void)state;
  static const uint32_t first[] = {0xade0b876, 0x903df1a0, 0xe56a5d40, 0x28bd8653,
                                   0xb819d2bd, 0x1aed8da0, 0xccef36a8, 0xc70d778b};
  static const uint32_t second[] = {0xbee7079f, 0x7a385155, 0x7c97ba98, 0x0d082d73};
  uint32_t key[8] = {0}, block[16];
  chacha20_block(key, 0, block);
  assert_memory_equal(block, first, sizeof first);
  chacha20_block(key, 1, block);
  assert_memory_equal(block, second, sizeof second);
}

static void a_seed_fixes_the_bits(void **state) {
  (void)state;
  struct random a, b, c;
  random_init_seeded(&a, 7);
  random_init_seeded(&b, 7);
  random_init_seeded(&c, 8);
  size_t same = 0;
  for (int i = 0; i < 3000; i++) {
    unsigned width = 1 + (unsigned)i % 32;
    uint32_t x = random_bits(&a, width);
    assert_int_equal(x, random_bits(&b, width));
    if (width == 32) same += x == random_bits(&c, 32);
    if (width < 32) assert_true(x >> width == 0);
  }
  assert_int_equal(same, 0);
}

static void system_bits_are_balanced(void **state) {
  (void)state;
  struct random r;
  random_init_system(&r);
  size_t ones = 0, n = 200000;
  for (size_t i = 0; i < n; i++)
    ones += random_bit(&r);
  assert_true(fabs(binomial_z(ones, n, 0.5)) < 6);
}

static void a_script_is_read_first(void **state) {
  (void)state;
  struct random r;
  random_init_script(&r, "10110", 1);
  assert_int_equal(random_bits(&r, 3), 5);
  assert_int_equal(random_bits(&r, 2), 2);
  assert_false(r.spent);
  random_bit(&r);
  assert_true(r.spent);
}

/* Every value below the bound needs exactly the same number of bit strings. */
static void bounded_integers_are_exactly_uniform(void **state) {
  (void)state;
  for (uint64_t bound = 1; bound <= 17; bound++) {
    size_t hits[17] = {0};
    for (unsigned k = 0; k < 1 << 10; k++) {
      char bits[11] = {0};
      for (int i = 0; i < 10; i++)
        bits[i] = k >> (9 - i) & 1 ? '1' : '0';
      struct random r;
      random_init_script(&r, bits, 1);
      uint64_t x = random_below(&r, bound);
      assert_true(x < bound);
      if (!r.spent) hits[x]++;
    }
    assert_true(hits[0] > 0);
    for (uint64_t x = 1; x < bound; x++)
      assert_int_equal(hits[x], hits[0]);
  }
}

static void large_bounded_integers_fill_their_range(void **state) {
  (void)state;
  struct random r;
  random_init_seeded(&r, 3);
  fmpz_t bound, x, third;
  fmpz_init(bound);
  fmpz_init(x);
  fmpz_init(third);
  fmpz_set_ui(third, 3);
  fmpz_pow_ui(bound, third, 100);
  fmpz_pow_ui(third, third, 99);
  size_t counts[3] = {0}, n = 30000;
  for (size_t i = 0; i < n; i++) {
    random_fmpz_below(&r, x, bound);
    assert_true(fmpz_sgn(x) >= 0 && fmpz_cmp(x, bound) < 0);
    fmpz_fdiv_q(x, x, third);
    counts[fmpz_get_ui(x)]++;
  }
  assert_true(chi_square_z((double[]){1. / 3, 1. / 3, 1. / 3}, counts, 3, n) < 4);
  fmpz_clear(bound);
  fmpz_clear(x);
  fmpz_clear(third);
}

/* A script fixes all the digits that are looked at; the rounded value must be that of strtod. */
static void uniforms_round_to_nearest(void **state) {
  (void)state;
  struct rng rng = rng_seeded(11);
  for (size_t round = 0; round < test_rounds(3000); round++) {
    char bits[161] = {0};
    int zeros = rng_chance(&rng, 1, 2) ? rng_range(&rng, 0, 90) : 0;
    uint64_t whole = rng_chance(&rng, 1, 2) ? rng_below(&rng, 1000) : 0;
    for (int i = 0; i < 160; i++)
      bits[i] = i >= zeros && rng_chance(&rng, 1, 2) ? '1' : '0';
    bits[zeros] = '1';
    struct random r;
    random_init_script(&r, bits, 1);
    struct uniform u;
    uniform_init(&u);
    double got = uniform_round(&u, &r, whole);
    assert_false(r.spent);
    uniform_clear(&u);
    long double exact = 0; /* 64-bit mantissa: enough to tell the nearest double */
    for (int i = zeros + 63 < 160 ? zeros + 63 : 159; i >= 0; i--)
      exact = (exact + (bits[i] == '1')) / 2;
    double error = (double)fabsl((long double)got - (exact + (long double)whole));
    assert_true(error <= ldexp(got, -53));
    assert_true(got > 0);
  }
}

static void uniforms_compare_by_their_digits(void **state) {
  (void)state;
  /* u = 0.(40 ones)0..., v = 0.(39 ones)0...: they differ in the second digit of base 2^32 */
  char bits[129];
  memset(bits, '1', 64);      /* first digits of u and v */
  memset(bits + 64, '0', 64); /* second digits */
  memset(bits + 64, '1', 8);  /* u */
  memset(bits + 96, '1', 7);  /* v */
  bits[128] = 0;
  struct random r;
  struct uniform u, v;
  random_init_script(&r, bits, 1);
  uniform_init(&u);
  uniform_init(&v);
  assert_false(uniform_less(&u, &v, &r));
  assert_true(uniform_less(&v, &u, &r));
  assert_false(r.spent);
  uniform_clear(&u);
  uniform_clear(&v);
  /* far beyond the inline digits */
  char *same = malloc(32 * 40 + 1);
  memset(same, '1', 32 * 40);
  same[32 * 40] = 0;
  same[32 * 38] = '0'; /* digit 19 of v, drawn before that of u */
  random_init_script(&r, same, 1);
  uniform_init(&u);
  uniform_init(&v);
  assert_true(uniform_less(&v, &u, &r));
  assert_int_equal(u.count, 20);
  uniform_clear(&u);
  uniform_clear(&v);
  free(same);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(chacha20_is_the_standard_one),
      cmocka_unit_test(a_seed_fixes_the_bits),
      cmocka_unit_test(system_bits_are_balanced),
      cmocka_unit_test(a_script_is_read_first),
      cmocka_unit_test(bounded_integers_are_exactly_uniform),
      cmocka_unit_test(large_bounded_integers_fill_their_range),
      cmocka_unit_test(uniforms_round_to_nearest),
      cmocka_unit_test(uniforms_compare_by_their_digits),
  };
  return cmocka_run_group_tests_name("random", tests, NULL, NULL);
}
