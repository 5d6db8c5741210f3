#include "num/rational.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/limits.h"

/* ---- reading -------------------------------------------------------------------------------- */

struct reader {
  const char *at, *end;
  const char *why;
};

static bool reader_fail(struct reader *r, const char *why) {
  r->why = why;
  return false;
}

static bool reader_accept(struct reader *r, char c) {
  if (r->at == r->end || *r->at != c) return false;
  r->at++;
  return true;
}

static bool reader_sign(struct reader *r) {
  if (reader_accept(r, '-')) return true;
  reader_accept(r, '+');
  return false;
}

static void power_of_ten(fmpz_t out, ulong exponent) {
  fmpz_set_ui(out, 10);
  fmpz_pow_ui(out, out, exponent);
}

/* Appends the digits at the cursor to *value; returns how many there were. */
static size_t reader_digits(struct reader *r, fmpz_t value) {
  const char *start = r->at;
  while (r->at < r->end && isdigit((unsigned char)*r->at))
    r->at++;
  size_t count = (size_t)(r->at - start);
  if (count == 0 || count > LIMIT_NUMBER_DIGITS) return count;
  char *copy = xmalloc(count + 1);
  memcpy(copy, start, count);
  copy[count] = 0;
  fmpz_t part, scale;
  fmpz_init(part);
  fmpz_init(scale);
  fmpz_set_str(part, copy, 10);
  power_of_ten(scale, count);
  fmpz_mul(value, value, scale);
  fmpz_add(value, value, part);
  fmpz_clear(part);
  fmpz_clear(scale);
  free(copy);
  return count;
}

static bool reader_exponent(struct reader *r, long *exponent) {
  *exponent = 0;
  if (!reader_accept(r, 'e') && !reader_accept(r, 'E')) return true;
  bool negative = reader_sign(r);
  size_t count = 0;
  while (r->at < r->end && isdigit((unsigned char)*r->at)) {
    *exponent = *exponent * 10 + (*r->at++ - '0');
    if (*exponent > LIMIT_EXPONENT) return reader_fail(r, "the exponent is too large");
    count++;
  }
  if (count == 0) return reader_fail(r, "digits are missing after the exponent sign");
  if (negative) *exponent = -*exponent;
  return true;
}

/* number = [sign] digits ["." digits] [exponent] */
static bool reader_number(struct reader *r, fmpq_t out) {
  bool negative = reader_sign(r), ok = false;
  long exponent;
  fmpz_t mantissa;
  fmpz_init(mantissa);
  size_t whole = reader_digits(r, mantissa), fraction = 0;
  if (reader_accept(r, '.')) fraction = reader_digits(r, mantissa);
  if (whole + fraction == 0) {
    reader_fail(r, "a digit is missing");
  } else if (whole > LIMIT_NUMBER_DIGITS || fraction > LIMIT_NUMBER_DIGITS) {
    reader_fail(r, "the number has too many digits");
  } else if (reader_exponent(r, &exponent)) {
    long power = exponent - (long)fraction;
    power_of_ten(fmpq_denref(out), (ulong)labs(power));
    if (power >= 0) {
      fmpz_mul(fmpq_numref(out), mantissa, fmpq_denref(out));
      fmpz_one(fmpq_denref(out));
    } else {
      fmpz_set(fmpq_numref(out), mantissa);
    }
    if (negative) fmpz_neg(fmpq_numref(out), fmpq_numref(out));
    fmpq_canonicalise(out);
    ok = true;
  }
  fmpz_clear(mantissa);
  return ok;
}

static bool reader_quotient(struct reader *r, fmpq_t out) {
  if (!reader_number(r, out)) return false;
  if (reader_accept(r, '/')) {
    fmpq_t divisor;
    fmpq_init(divisor);
    bool ok = reader_number(r, divisor);
    if (ok && fmpq_is_zero(divisor)) ok = reader_fail(r, "the denominator is zero");
    if (ok) fmpq_div(out, out, divisor);
    fmpq_clear(divisor);
    if (!ok) return false;
  }
  return r->at == r->end || reader_fail(r, "there is something behind the number");
}

bool rational_parse(fmpq_t out, const char *text, size_t length, const char **why) {
  struct reader r = {text, text + length, NULL};
  fmpq_t value;
  fmpq_init(value);
  bool ok = reader_quotient(&r, value);
  if (ok) fmpq_swap(out, value);
  if (why) *why = r.why;
  fmpq_clear(value);
  return ok;
}

bool rational_parse_str(fmpq_t out, const char *text, const char **why) {
  return rational_parse(out, text, strlen(text), why);
}

/* ---- printing ------------------------------------------------------------------------------- */

char *rational_string(const fmpq_t value) {
  char *theirs = fmpq_get_str(NULL, 10, value);
  char *ours = xstrdup(theirs);
  flint_free(theirs);
  return ours;
}

void rational_print(struct buffer *out, const fmpq_t value) {
  char *text = fmpq_get_str(NULL, 10, value);
  buffer_puts(out, text);
  flint_free(text);
}

/* Rounds |value| * 10^-shift to an integer. */
static void scaled_round(fmpz_t out, const fmpq_t magnitude, slong shift,
                         enum rational_rounding rounding) {
  fmpz_t numerator, denominator, scale;
  fmpz_init_set(numerator, fmpq_numref(magnitude));
  fmpz_init_set(denominator, fmpq_denref(magnitude));
  fmpz_init(scale);
  power_of_ten(scale, (ulong)labs(shift));
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

/* ---- small helpers -------------------------------------------------------------------------- */

double rational_double(const fmpq_t value) {
  return fmpq_get_d(value);
}

void rational_min(fmpq_t out, const fmpq_t a, const fmpq_t b) {
  fmpq_set(out, fmpq_cmp(a, b) <= 0 ? a : b);
}

void rational_max(fmpq_t out, const fmpq_t a, const fmpq_t b) {
  fmpq_set(out, fmpq_cmp(a, b) >= 0 ? a : b);
}
