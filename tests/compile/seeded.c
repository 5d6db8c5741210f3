/* Randomness of compiled programs that are tested: the bits that `couplet run --seed S` uses, where S is
 * in the environment. ChaCha20 (RFC 8439) with a 64-bit counter under a key that splitmix64 makes. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

bool seeded_random(void *to, size_t size);

static uint32_t turn(uint32_t x, int by) {
  return x << by | x >> (32 - by);
}

static void quarter(uint32_t x[16], int a, int b, int c, int d) {
  x[a] += x[b], x[d] = turn(x[d] ^ x[a], 16);
  x[c] += x[d], x[b] = turn(x[b] ^ x[c], 12);
  x[a] += x[b], x[d] = turn(x[d] ^ x[a], 8);
  x[c] += x[d], x[b] = turn(x[b] ^ x[c], 7);
}

static void block(const uint32_t start[16], uint32_t out[16]) {
  uint32_t x[16];
  memcpy(x, start, sizeof x);
  for (int round = 0; round < 20; round++)
    for (int i = 0; i < 4; i++)
      if (round % 2 == 0)
        quarter(x, i, 4 + i, 8 + i, 12 + i);
      else
        quarter(x, i, 4 + (i + 1) % 4, 8 + (i + 2) % 4, 12 + (i + 3) % 4);
  for (int i = 0; i < 16; i++)
    out[i] = x[i] + start[i];
}

bool seeded_random(void *to, size_t size) {
  static uint32_t start[16];
  if (!start[0]) {
    const char *text = getenv("SEED");
    uint64_t seed = text ? strtoull(text, NULL, 10) : 0;
    memcpy(start, (uint32_t[]){0x61707865, 0x3320646e, 0x79622d32, 0x6b206574}, 16);
    for (int i = 4; i < 12; i += 2) {
      uint64_t z = seed += UINT64_C(0x9E3779B97F4A7C15);
      z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
      z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
      z ^= z >> 31;
      start[i] = (uint32_t)z;
      start[i + 1] = (uint32_t)(z >> 32);
    }
  }
  for (size_t done = 0; done < size; done += 64) {
    uint32_t words[16];
    block(start, words);
    memcpy((char *)to + done, words, size - done < 64 ? size - done : 64);
    if (!++start[12]) start[13]++;
  }
  return true;
}
