#include "out/binary64_text.h"

#include <inttypes.h>

#include "num/rational.h"
#include "num/real/decimal.h"

static bool print_special(struct buffer *out, binary64 x) {
  if (binary64_is_nan(x)) {
    buffer_puts(out, "nan");
    return true;
  }
  if (binary64_is_negative(x)) buffer_puts(out, "-");
  if (!binary64_is_finite(x)) buffer_puts(out, "inf");
  return !binary64_is_finite(x);
}

void binary64_print_hex(struct buffer *out, binary64 x) {
  if (print_special(out, x)) return;
  if (binary64_is_zero(x)) {
    buffer_puts(out, "0x0p+0");
    return;
  }
  const uint64_t leading = UINT64_C(1) << 52;
  uint64_t digits = x & (leading - 1);
  int exponent = (int)(x >> 52 & 0x7ff) - 1023, count = 13;
  if (exponent == -1023) { /* subnormal: digits 2^-1074 */
    for (exponent++; (digits & leading) == 0; exponent--)
      digits <<= 1;
    digits -= leading;
  }
  for (; count > 0 && (digits & 15) == 0; count--)
    digits >>= 4;
  buffer_puts(out, "0x1");
  if (count > 0) buffer_printf(out, ".%0*" PRIx64, count, digits);
  buffer_printf(out, "p%+d", exponent);
}

void binary64_print(struct buffer *out, enum binary_format format, binary64 x) {
  if (print_special(out, x)) return;
  fmpq_t exact, read;
  fmpq_init(exact);
  fmpq_init(read);
  struct buffer text;
  buffer_init(&text);
  binary64_to_rational(exact, binary64_abs(x));
  bool found = false;
  for (unsigned digits = 1; !found && digits <= 17; digits++) {
    buffer_clear(&text);
    buffer_init(&text);
    rational_print_decimal(&text, exact, digits, ROUND_NEAREST);
    found = rational_parse_str(read, buffer_text(&text), NULL) &&
            binary64_from_rational(format, read) == binary64_abs(x);
  }
  buffer_puts(out, buffer_text(&text));
  buffer_clear(&text);
  fmpq_clear(exact);
  fmpq_clear(read);
}
