#include "run/sample/random.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "base/alloc.h"
#include "base/fatal.h"

/* ---- ChaCha20 ------------------------------------------------------------------------------- */

static inline uint32_t rotate(uint32_t x, unsigned by) {
  return x << by | x >> (32 - by);
}

#define QUARTER(a, b, c, d)                                                                        \
  do {                                                                                             \
    a += b, d = rotate(d ^ a, 16);                                                                 \
    c += d, b = rotate(b ^ c, 12);                                                                 \
    a += b, d = rotate(d ^ a, 8);                                                                  \
    c += d, b = rotate(b ^ c, 7);                                                                  \
  } while (0)

void chacha20_block(const uint32_t key[8], uint64_t counter, uint32_t out[16]) {
  uint32_t start[16] = {0x61707865, 0x3320646e, 0x79622d32, 0x6b206574};
  memcpy(start + 4, key, 8 * sizeof *key);
  start[12] = (uint32_t)counter;
  start[13] = (uint32_t)(counter >> 32);
  uint32_t x[16];
  memcpy(x, start, sizeof x);
  for (int round = 0; round < 10; round++) {
    QUARTER(x[0], x[4], x[8], x[12]);
    QUARTER(x[1], x[5], x[9], x[13]);
    QUARTER(x[2], x[6], x[10], x[14]);
    QUARTER(x[3], x[7], x[11], x[15]);
    QUARTER(x[0], x[5], x[10], x[15]);
    QUARTER(x[1], x[6], x[11], x[12]);
    QUARTER(x[2], x[7], x[8], x[13]);
    QUARTER(x[3], x[4], x[9], x[14]);
  }
  for (int i = 0; i < 16; i++)
    out[i] = x[i] + start[i];
}

/* splitmix64: spreads a 64-bit seed over the key. */
static void expand_seed(uint32_t key[8], uint64_t seed) {
  for (int i = 0; i < 4; i++) {
    uint64_t z = (seed += UINT64_C(0x9E3779B97F4A7C15));
    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    z ^= z >> 31;
    key[2 * i] = (uint32_t)z;
    key[2 * i + 1] = (uint32_t)(z >> 32);
  }
}

/* ---- the stream ----------------------------------------------------------------------------- */

void random_init_system(struct random *r) {
  memset(r, 0, sizeof *r);
  r->kind = RANDOM_SYSTEM;
  r->next = RANDOM_BLOCK_WORDS;
}

void random_init_seeded(struct random *r, uint64_t seed) {
  memset(r, 0, sizeof *r);
  r->kind = RANDOM_SEEDED;
  r->next = RANDOM_BLOCK_WORDS;
  expand_seed(r->key, seed);
}

void random_init_script(struct random *r, const char *bits, uint64_t seed) {
  random_init_seeded(r, seed);
  r->kind = RANDOM_SCRIPT;
  r->script = bits;
}

/* A machine without randomness cannot go on; as with memory, no caller could repair it. */
static void read_system(struct random *r) {
  size_t done = 0;
  while (done < sizeof r->words) {
    ssize_t got = getrandom((char *)r->words + done, sizeof r->words - done, 0);
    if (got < 0 && errno != EINTR) fatal_error("the system has no random numbers");
    if (got > 0) done += (size_t)got;
  }
}

static uint32_t next_word(struct random *r) {
  if (r->next == RANDOM_BLOCK_WORDS) {
    if (r->kind == RANDOM_SYSTEM)
      read_system(r);
    else
      for (size_t i = 0; i < RANDOM_BLOCK_WORDS; i += 16)
        chacha20_block(r->key, r->counter++, r->words + i);
    r->next = 0;
  }
  return r->words[r->next++];
}

static uint32_t script_bits(struct random *r, unsigned count) {
  uint32_t bits = 0;
  for (; count; count--) {
    uint32_t bit = 0;
    if (*r->script) {
      bit = *r->script++ == '1';
    } else {
      r->spent = true;
      bit = next_word(r) >> 31;
    }
    bits = bits << 1 | bit;
  }
  return bits;
}

uint32_t random_bits(struct random *r, unsigned count) {
  if (r->kind == RANDOM_SCRIPT) return script_bits(r, count);
  if (count == 32) return next_word(r);
  if (r->pool_bits < count) {
    /* Leftover bits are fair and independent of the new word; dropping them keeps this short. */
    r->pool = next_word(r);
    r->pool_bits = 32;
  }
  r->pool_bits -= count;
  uint32_t bits = r->pool >> r->pool_bits;
  r->pool &= (UINT32_C(1) << r->pool_bits) - 1;
  return bits;
}

static uint64_t many_bits(struct random *r, unsigned count) {
  if (count <= 32) return count ? random_bits(r, count) : 0;
  uint64_t high = random_bits(r, count - 32);
  return high << 32 | random_bits(r, 32);
}

/* Draw as many bits as the largest value has; every accepted value has the same probability. */
uint64_t random_below(struct random *r, uint64_t bound) {
  unsigned width = bound > 1 ? 64 - (unsigned)__builtin_clzll(bound - 1) : 0;
  for (;;) {
    uint64_t x = many_bits(r, width);
    if (x < bound) return x;
  }
}

void random_fmpz_below(struct random *r, fmpz_t out, const fmpz_t bound) {
  if (fmpz_abs_fits_ui(bound)) {
    fmpz_set_ui(out, random_below(r, fmpz_get_ui(bound)));
    return;
  }
  fmpz_t top;
  fmpz_init(top);
  fmpz_sub_ui(top, bound, 1);
  flint_bitcnt_t width = fmpz_bits(top);
  do {
    fmpz_zero(out);
    for (flint_bitcnt_t left = width; left;) {
      unsigned now = left < 32 ? (unsigned)left : 32;
      fmpz_mul_2exp(out, out, now);
      fmpz_add_ui(out, out, random_bits(r, now));
      left -= now;
    }
  } while (fmpz_cmp(out, bound) >= 0);
  fmpz_clear(top);
}

/* ---- uniforms ------------------------------------------------------------------------------- */

void uniform_clear(struct uniform *u) {
  free(u->rest);
}

static uint32_t *digit_at(struct uniform *u, size_t i) {
  if (i < UNIFORM_INLINE) return &u->first[i];
  i -= UNIFORM_INLINE;
  if (i >= u->rest_capacity) {
    u->rest_capacity = 2 * i + 4;
    u->rest = xrealloc(u->rest, u->rest_capacity * sizeof *u->rest);
  }
  return &u->rest[i];
}

uint32_t uniform_digit(struct uniform *u, struct random *r, size_t i) {
  for (; u->count <= i; u->count++)
    *digit_at(u, u->count) = random_bits(r, 32);
  return *digit_at(u, i);
}

bool uniform_less(struct uniform *u, struct uniform *v, struct random *r) {
  for (size_t i = 0;; i++) {
    uint32_t a = uniform_digit(u, r, i), b = uniform_digit(v, r, i);
    if (a != b) return a < b;
  }
}

/* Truncate to 53 significant bits; the 54th alone decides the rounding, because the digits behind
 * it are not all zero (probability 1), so there are no ties. */
double uniform_round(struct uniform *u, struct random *r, uint64_t whole) {
  size_t i = 0;
  if (!whole)
    while (uniform_digit(u, r, i) == 0)
      i++;
  /* 128 bits from the first non-zero one on: value = head * 2^scale */
  unsigned __int128 head = whole;
  int have = whole ? 64 - __builtin_clzll(whole) : 0;
  while (have < 54) {
    uint32_t digit = uniform_digit(u, r, i++);
    head = head << 32 | digit;
    have = have ? have + 32 : 32 - __builtin_clz(digit);
  }
  int scale = -32 * (int)i;
  uint64_t mantissa = (uint64_t)(head >> (have - 53));
  mantissa += (uint64_t)(head >> (have - 54)) & 1;
  return ldexp((double)mantissa, scale + have - 53);
}
