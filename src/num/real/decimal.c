#include "num/real/decimal.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Rounds |value| * 10^-shift to an integer. */
static void scaled_round(fmpz_t out, const fmpq_t magnitude, slong shift,
                         enum rational_rounding rounding) {
  fmpz_t numerator, denominator, scale;
  fmpz_init_set(numerator, fmpq_numref(magnitude));
  fmpz_init_set(denominator, fmpq_denref(magnitude));
  fmpz_init(scale);
  fmpz_set_ui(scale, 10);
  fmpz_pow_ui(scale, scale, (ulong)labs(shift));
  fmpz_mul(shift < 0 ? numerator : denominator, shift < 0 ? numerator : denominator, scale);
  if (rounding == ROUND_DOWN) {
    fmpz_fdiv_q(out, numerator, denominator);
  } else if (rounding == ROUND_UP) {
    fmpz_cdiv_q(out, numerator, denominator);
  } else { /* floor(v + 1/2) = floor((2n + d) / 2d) */
    fmpz_mul_2exp(numerator, numerator, 1);
    fmpz_add(numerator, numerator, denominator);
    fmpz_mul_2exp(denominator, denominator, 1);
    fmpz_fdiv_q(out, numerator, denominator);
  }
  fmpz_clear(numerator);
  fmpz_clear(denominator);
  fmpz_clear(scale);
}

/* The e with 10^e <= |value| < 10^(e+1); value != 0. */
static slong decimal_exponent(const fmpq_t magnitude) {
  slong e = (slong)fmpz_sizeinbase(fmpq_numref(magnitude), 10) -
            (slong)fmpz_sizeinbase(fmpq_denref(magnitude), 10);
  fmpz_t quotient;
  fmpz_init(quotient);
  e += 2; /* sizeinbase may be one too large: start above and come down */
  scaled_round(quotient, magnitude, e, ROUND_DOWN);
  while (fmpz_is_zero(quotient))
    scaled_round(quotient, magnitude, --e, ROUND_DOWN);
  fmpz_clear(quotient);
  return e;
}

static void print_plain(struct buffer *out, const char *digits, slong count, slong exponent) {
  if (exponent < 0) {
    buffer_puts(out, "0.");
    buffer_fill(out, '0', (size_t)(-exponent - 1));
    buffer_add(out, digits, (size_t)count);
  } else if (exponent + 1 >= count) {
    buffer_add(out, digits, (size_t)count);
    buffer_fill(out, '0', (size_t)(exponent + 1 - count));
  } else {
    buffer_add(out, digits, (size_t)exponent + 1);
    buffer_putc(out, '.');
    buffer_add(out, digits + exponent + 1, (size_t)(count - exponent - 1));
  }
}

void rational_print_decimal(struct buffer *out, const fmpq_t value, unsigned digits,
                            enum rational_rounding rounding) {
  if (fmpq_is_zero(value)) {
    buffer_putc(out, '0');
    return;
  }
  if (digits == 0) digits = 1;
  fmpq_t magnitude;
  fmpz_t mantissa;
  fmpq_init(magnitude);
  fmpz_init(mantissa);
  fmpq_abs(magnitude, value);
  bool negative = fmpq_sgn(value) < 0;
  if (negative && rounding != ROUND_NEAREST)
    rounding = rounding == ROUND_DOWN ? ROUND_UP : ROUND_DOWN;
  slong shift = decimal_exponent(magnitude) - (slong)digits + 1;
  scaled_round(mantissa, magnitude, shift, rounding);
  char *text = fmpz_get_str(NULL, 10, mantissa); /* digits or, rounded up, digits+1 characters */
  slong count = (slong)strlen(text), exponent = shift + count - 1;
  while (count > 1 && text[count - 1] == '0')
    count--;
  if (negative) buffer_putc(out, '-');
  if (exponent >= -5 && exponent <= 15) {
    print_plain(out, text, count, exponent);
  } else {
    print_plain(out, text, count, 0);
    buffer_printf(out, "e%ld", (long)exponent);
  }
  flint_free(text);
  fmpz_clear(mantissa);
  fmpq_clear(magnitude);
}
