/* What every unit test includes: cmocka with its prerequisites, and a seeded generator. */
#ifndef COUPLET_TESTLIB_H
#define COUPLET_TESTLIB_H

/* cmocka wants these before it */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdbool.h>

/* splitmix64: the same sequence on every machine for one seed. */
struct rng {
  uint64_t state;
};
struct rng rng_seeded(uint64_t seed);
uint64_t rng_next(struct rng *rng);
/* Uniform on 0..bound-1 (bound > 0), and on low..high. */
uint64_t rng_below(struct rng *rng, uint64_t bound);
int rng_range(struct rng *rng, int low, int high);
/* True with probability numerator/denominator. */
bool rng_chance(struct rng *rng, unsigned numerator, unsigned denominator);

/* Number of rounds of a property test: `normal`, multiplied by COUPLET_TEST_SCALE if that is set
 * (it is a fifth under the sanitizers). */
size_t test_rounds(size_t normal);
/* Built with a sanitizer: what takes seconds without takes a minute with it. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
enum { TEST_IS_SANITIZED = 1 };
#else
enum { TEST_IS_SANITIZED = 0 };
#endif
/* Fewer rounds than normal: too few to count on what is rare. */
bool test_is_short(void);
/* COUPLET_TEST_SCALE is 1 or more: somebody wants everything and has the time. */
bool test_is_whole(void);
/* Something happened often enough for the test to mean something. */
#define assert_often(condition)                                                                    \
  do {                                                                                             \
    if (!test_is_short()) assert_true(condition);                                                  \
  } while (0)

#endif
