/* Exact rationals as text. The numbers themselves are FLINT's fmpq_t, always canonical. */
#ifndef COUPLET_NUM_RATIONAL_H
#define COUPLET_NUM_RATIONAL_H

#include <flint/fmpq.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "base/buffer.h"

/* Reads all of the text as `[+-]digits[.digits][e[+-]digits]`, or as a quotient `a/b` of two such
 * numbers. On failure returns false, leaves `out` alone and sets *why (a literal; may be NULL).
 * Limits: LIMIT_NUMBER_DIGITS, LIMIT_EXPONENT. */
bool rational_parse(fmpq_t out, const char *text, size_t length, const char **why);
static inline bool rational_parse_str(fmpq_t out, const char *text, const char **why) {
  return rational_parse(out, text, strlen(text), why);
}

/* `5/4`, `-3`: exact, read back by rational_parse (up to its limits). */
void rational_print(struct buffer *out, const fmpq_t value);
static inline char *rational_string(const fmpq_t value) { /* the caller frees */
  struct buffer b;
  buffer_init(&b);
  rational_print(&b, value);
  return buffer_take(&b);
}

/* Nearest or next to it; for display and heuristics. */
static inline double rational_double(const fmpq_t value) {
  return fmpq_get_d(value);
}
static inline void rational_min(fmpq_t out, const fmpq_t a, const fmpq_t b) {
  fmpq_set(out, fmpq_cmp(a, b) <= 0 ? a : b);
}
static inline void rational_max(fmpq_t out, const fmpq_t a, const fmpq_t b) {
  fmpq_set(out, fmpq_cmp(a, b) >= 0 ? a : b);
}

#endif
