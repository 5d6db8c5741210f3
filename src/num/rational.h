/* Exact rationals as text. The numbers themselves are FLINT's fmpq_t, always canonical.
 *
 * Decimal output is for people; it is rounded in a stated direction, so that a printed bound is
 * still a bound. */
#ifndef COUPLET_NUM_RATIONAL_H
#define COUPLET_NUM_RATIONAL_H

#include <flint/fmpq.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/buffer.h"

/* Reads all of the text as `[+-]digits[.digits][e[+-]digits]`, or as a quotient `a/b` of two such
 * numbers. On failure returns false, leaves `out` alone and sets *why (a literal; may be NULL).
 * Limits: LIMIT_NUMBER_DIGITS, LIMIT_EXPONENT. */
bool rational_parse(fmpq_t out, const char *text, size_t length, const char **why);
bool rational_parse_str(fmpq_t out, const char *text, const char **why);

/* `5/4`, `-3`: exact, read back by rational_parse (up to its limits). */
void rational_print(struct buffer *out, const fmpq_t value);
char *rational_string(const fmpq_t value); /* the caller frees */

enum rational_rounding { ROUND_DOWN, ROUND_UP, ROUND_NEAREST }; /* towards -inf, +inf; ties up */

/* At most `digits` >= 1 significant digits, in plain notation while that is short, else 1.23e-45.
 * Trailing zeros are dropped. With ROUND_DOWN the printed number is <= value, with ROUND_UP >=. */
void rational_print_decimal(struct buffer *out, const fmpq_t value, unsigned digits,
                            enum rational_rounding rounding);


double rational_double(const fmpq_t value); /* nearest or next to it; for display and heuristics */
void rational_min(fmpq_t out, const fmpq_t a, const fmpq_t b);
void rational_max(fmpq_t out, const fmpq_t a, const fmpq_t b);

#endif
