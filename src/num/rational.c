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

/* ---- printing ------------------------------------------------------------------------------- */

void rational_print(struct buffer *out, const fmpq_t value) {
  char *text = fmpq_get_str(NULL, 10, value);
  buffer_puts(out, text);
  flint_free(text);
}
