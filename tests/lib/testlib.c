#include "testlib.h"

#include <stdlib.h>

struct rng rng_seeded(uint64_t seed) {
  return (struct rng){seed};
}

uint64_t rng_next(struct rng *rng) {
  uint64_t z = (rng->state += UINT64_C(0x9E3779B97F4A7C15));
  z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
  z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
  return z ^ (z >> 31);
}

uint64_t rng_below(struct rng *rng, uint64_t bound) {
  return rng_next(rng) % bound;
}

int rng_range(struct rng *rng, int low, int high) {
  return low + (int)rng_below(rng, (uint64_t)(high - low) + 1);
}

bool rng_chance(struct rng *rng, unsigned numerator, unsigned denominator) {
  return rng_below(rng, denominator) < numerator;
}

static double test_scale(double otherwise) {
  const char *scale = getenv("COUPLET_TEST_SCALE");
  double factor = scale ? strtod(scale, NULL) : otherwise;
  return factor > 0 ? factor : otherwise;
}

size_t test_rounds(size_t normal) {
  double factor = test_scale(1);
  return factor == 1 ? normal : (size_t)((double)normal * factor) + 1;
}

bool test_is_short(void) {
  return test_scale(1) < 1;
}

bool test_is_whole(void) {
  return test_scale(0) >= 1;
}
