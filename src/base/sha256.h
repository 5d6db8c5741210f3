/* SHA-256 (FIPS 180-4), for binding certificates to what they speak of.
 *
 *   struct sha256 h;
 *   sha256_init(&h);
 *   sha256_add(&h, data, length);   as often as needed
 *   sha256_hex(&h, text);           ends it */
#ifndef COUPLET_BASE_SHA256_H
#define COUPLET_BASE_SHA256_H

#include <stddef.h>
#include <stdint.h>

enum { SHA256_HEX = 64 }; /* digits of a digest as text */

struct sha256 {
  uint32_t state[8];
  uint64_t length; /* bytes so far */
  unsigned char block[64];
};

void sha256_init(struct sha256 *h);
void sha256_add(struct sha256 *h, const void *data, size_t length);
/* A number, in a form that cannot run into its neighbours: eight bytes, highest first. */
void sha256_add_number(struct sha256 *h, uint64_t number);
/* A string with its length before it. */
void sha256_add_text(struct sha256 *h, const char *text);
void sha256_hex(struct sha256 *h, char out[SHA256_HEX + 1]);

#endif
