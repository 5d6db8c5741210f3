/* Where random bits come from, and uniform numbers whose bits are drawn on demand.
 *
 * A struct random is a stream of independent fair bits of one of three kinds:
 *   system  the operating system's generator (getrandom), read in blocks;
 *   seeded  ChaCha20 (RFC 8439 block function, 64-bit counter) under a key expanded from a 64-bit
 *           seed: the same seed gives the same bits on every machine, whatever its byte order;
 *   script  a given string of '0' and '1', then the seeded stream; `spent` tells that the string
 *           did not suffice. Tests enumerate scripts to find exactly which bits lead where.
 * Everything above draws only fair bits from here, so an algorithm that is exact given fair bits
 * is exact.
 *
 * A struct uniform stands for a real U, uniform on (0,1), of which only the first 32*count binary
 * digits have been looked at. Comparisons draw as many digits as they need: they decide with
 * probability 1 and have no rounding. */
#ifndef COUPLET_RUN_SAMPLE_RANDOM_H
#define COUPLET_RUN_SAMPLE_RANDOM_H

#include <flint/fmpz.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum random_kind { RANDOM_SYSTEM, RANDOM_SEEDED, RANDOM_SCRIPT };

enum { RANDOM_BLOCK_WORDS = 256 };

struct random {
  enum random_kind kind;
  uint32_t key[8];                    /* seeded, script */
  uint64_t counter;                   /* next ChaCha20 block */
  uint32_t words[RANDOM_BLOCK_WORDS]; /* drawn but not used yet: words[next..] */
  size_t next;
  uint32_t pool; /* the pool_bits low bits are unused */
  unsigned pool_bits;
  const char *script; /* rest of it */
  bool spent;
};

void random_init_system(struct random *r);
void random_init_seeded(struct random *r, uint64_t seed);
/* `bits` must outlive r. */
void random_init_script(struct random *r, const char *bits, uint64_t seed);

/* count fair bits, 1 <= count <= 32, the first drawn the most significant. */
uint32_t random_bits(struct random *r, unsigned count);
static inline bool random_bit(struct random *r) {
  return random_bits(r, 1);
}
/* Uniform on 0..bound-1, bound > 0; exact (rejection). */
uint64_t random_below(struct random *r, uint64_t bound);
void random_fmpz_below(struct random *r, fmpz_t out, const fmpz_t bound);

/* ---- uniforms ------------------------------------------------------------------------------- */

enum { UNIFORM_INLINE = 6 };

struct uniform {
  uint32_t first[UNIFORM_INLINE]; /* digits in base 2^32, most significant first */
  uint32_t *rest;                 /* digits beyond, almost never needed */
  size_t count, rest_capacity;
};

static inline void uniform_init(struct uniform *u) {
  u->rest = NULL;
  u->count = u->rest_capacity = 0;
}
void uniform_clear(struct uniform *u);
/* The i-th digit in base 2^32; draws what is missing. */
uint32_t uniform_digit(struct uniform *u, struct random *r, size_t i);
/* u < v, for different uniforms. */
bool uniform_less(struct uniform *u, struct uniform *v, struct random *r);
/* whole + u rounded to the nearest double; at least 54 significant bits are drawn, so the tiniest
 * values are as precise as all others. Positive. */
double uniform_round(struct uniform *u, struct random *r, uint64_t whole);

/* Exposed for its test: block `counter` of the keystream with a zero nonce. */
void chacha20_block(const uint32_t key[8], uint64_t counter, uint32_t out[16]);

#endif
