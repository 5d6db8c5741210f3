/* Rationals in decimals. This is for people; it is rounded in a stated direction, so that a printed
 * bound is still a bound. */
#ifndef COUPLET_NUM_REAL_DECIMAL_H
#define COUPLET_NUM_REAL_DECIMAL_H

#include <flint/fmpq.h>

#include "base/buffer.h"

enum rational_rounding { ROUND_DOWN, ROUND_UP, ROUND_NEAREST }; /* towards -inf, +inf; ties up */

/* At most `digits` >= 1 significant digits, in plain notation while that is short, else 1.23e-45.
 * Trailing zeros are dropped. With ROUND_DOWN the printed number is <= value, with ROUND_UP >=. */
void rational_print_decimal(struct buffer *out, const fmpq_t value, unsigned digits,
                            enum rational_rounding rounding);

#endif
