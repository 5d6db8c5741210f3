#include "num/real/ball.h"

#include "num/rational.h"
#include "num/real/decimal.h"

void ball_exp_rational(arb_t out, const fmpq_t value, slong precision) {
  arb_t x;
  arb_init(x);
  /* exp multiplies the absolute error of x into a relative one: carry the bits of |x| along */
  slong magnitude = (slong)fmpz_bits(fmpq_numref(value)) - (slong)fmpz_bits(fmpq_denref(value));
  arb_set_fmpq(x, value, precision + (magnitude > 0 ? magnitude + 2 : 2));
  arb_exp(out, x, precision);
  arb_clear(x);
}

void ball_ln_rational(arb_t out, const fmpq_t value, slong precision) {
  if (fmpq_sgn(value) <= 0) {
    arb_indeterminate(out);
    return;
  }
  arb_t denominator;
  arb_init(denominator);
  if (fmpz_is_one(fmpq_denref(value))) {
    arb_log_fmpz(out, fmpq_numref(value), precision);
  } else {
    arb_set_fmpq(denominator, value, precision + 10);
    arb_log(out, denominator, precision);
  }
  arb_clear(denominator);
}

bool ball_is_less(const arb_t a, const arb_t b) {
  return arb_lt(a, b);
}

bool ball_is_positive(const arb_t a) {
  return arb_is_positive(a);
}

/* Is the exponent of a nonzero number far from 0? An exponent is a number of any size itself. */
static bool is_extreme(const arf_t x) {
  return arf_is_finite(x) && !arf_is_zero(x) &&
         (arf_cmpabs_2exp_si(x, BALL_EXPONENT_MAX) > 0 ||
          arf_cmpabs_2exp_si(x, -BALL_EXPONENT_MAX) < 0);
}

/* A bound of the ball in `bits` bits. */
static void round_end(arf_t out, const arb_t ball, slong bits, bool upper) {
  if (upper)
    arb_get_ubound_arf(out, ball, bits);
  else
    arb_get_lbound_arf(out, ball, bits);
}

/* Close to 0 the next number outwards that has a short form is 0, or 2^-BALL_EXPONENT_MAX. */
static bool end_of(fmpq_t out, const arb_t ball, bool upper) {
  if (!arb_is_finite(ball)) return false;
  arf_t end;
  arf_init(end);
  round_end(end, ball, arb_bits(ball) + 128, upper);
  bool ok = true;
  if (is_extreme(end)) {
    ok = arf_cmpabs_2exp_si(end, 0) < 0;
    bool outwards = (arf_sgn(end) > 0) == upper;
    int sign = outwards ? (upper ? 1 : -1) : 0;
    arf_set_si_2exp_si(end, sign, -BALL_EXPONENT_MAX);
  }
  if (ok) arf_get_fmpq(out, end);
  arf_clear(end);
  return ok;
}

bool ball_lower(fmpq_t out, const arb_t ball) {
  return end_of(out, ball, false);
}

bool ball_upper(fmpq_t out, const arb_t ball) {
  return end_of(out, ball, true);
}

/* A positive number whose exponent is far from 0, as m * 10^k with 1 <= m <= 10 from its logarithm:
 * not below it (or, not `up`, not above it). */
static void print_extreme(struct buffer *out, const arf_t x, unsigned digits, bool up) {
  slong precision = (slong)fmpz_bits(ARF_EXPREF(x)) + (slong)digits * 4 + 64;
  arb_t log, ten;
  arf_t end;
  fmpz_t exponent;
  fmpq_t mantissa;
  arb_init(log);
  arb_init(ten);
  arf_init(end);
  fmpz_init(exponent);
  fmpq_init(mantissa);
  arb_const_log10(ten, precision);
  arb_log_arf(log, x, precision);
  arb_div(log, log, ten, precision);
  round_end(end, log, precision, up);
  arf_floor(end, end);
  arf_get_fmpz(exponent, end, ARF_RND_DOWN);
  arb_sub_fmpz(log, log, exponent, precision);
  arb_mul(log, log, ten, precision);
  arb_exp(log, log, precision); /* m: its end may lie a little outside of [1, 10] */
  round_end(end, log, precision, up);
  arf_get_fmpq(mantissa, end);
  rational_print_decimal(out, mantissa, digits, up ? ROUND_UP : ROUND_DOWN);
  char *text = fmpz_get_str(NULL, 10, exponent);
  buffer_printf(out, "e%s", text);
  flint_free(text);
  arb_clear(log);
  arb_clear(ten);
  arf_clear(end);
  fmpz_clear(exponent);
  fmpq_clear(mantissa);
}

static void print_bound(struct buffer *out, const arf_t x, unsigned digits,
                        enum rational_rounding rounding) {
  if (!is_extreme(x)) {
    fmpq_t value;
    fmpq_init(value);
    arf_get_fmpq(value, x);
    rational_print_decimal(out, value, digits, rounding);
    fmpq_clear(value);
    return;
  }
  arf_t magnitude;
  arf_init(magnitude);
  arf_abs(magnitude, x);
  bool is_negative = arf_sgn(x) < 0;
  if (is_negative) buffer_putc(out, '-');
  print_extreme(out, magnitude, digits, (rounding == ROUND_UP) != is_negative);
  arf_clear(magnitude);
}

static void print_end(struct buffer *out, const arb_t ball, unsigned digits, bool upper) {
  if (!arb_is_finite(ball)) {
    buffer_puts(out, upper ? "inf" : "-inf");
    return;
  }
  /* The exact sum of midpoint and radius can be astronomically long when their exponents are far
   * apart; 64 bits more than asked, rounded outwards, are a bound as well. */
  arf_t rounded;
  arf_init(rounded);
  round_end(rounded, ball, (slong)digits * 4 + 64, upper);
  print_bound(out, rounded, digits, upper ? ROUND_UP : ROUND_DOWN);
  arf_clear(rounded);
}

void ball_print_lower(struct buffer *out, const arb_t ball, unsigned digits) {
  print_end(out, ball, digits, false);
}

void ball_print_upper(struct buffer *out, const arb_t ball, unsigned digits) {
  print_end(out, ball, digits, true);
}

double ball_lower_double(const arb_t ball) {
  arf_t bound;
  arf_init(bound);
  arb_get_lbound_arf(bound, ball, 53);
  double d = arf_get_d(bound, ARF_RND_FLOOR);
  arf_clear(bound);
  return d;
}

unsigned ball_digits(const arb_t ball) {
  if (!arb_is_finite(ball)) return 0;
  if (arb_is_exact(ball)) return BALL_DIGITS_MAX;
  slong bits = arb_rel_accuracy_bits(ball);
  if (bits <= 0) return 0;
  unsigned digits = (unsigned)((double)bits * 0.30102999566);
  return digits < BALL_DIGITS_MAX ? digits : BALL_DIGITS_MAX;
}

void ball_print(struct buffer *out, const arb_t ball, unsigned digits) {
  unsigned known = ball_digits(ball);
  if (!arb_is_finite(ball)) {
    buffer_puts(out, "unknown");
  } else if (known == 0) {
    arb_t magnitude;
    arb_init(magnitude);
    arb_abs(magnitude, ball);
    buffer_puts(out, arb_is_nonnegative(ball) ? "<= " : "+-<= ");
    ball_print_upper(out, magnitude, 2);
    arb_clear(magnitude);
  } else {
    arf_t middle;
    arf_init(middle);
    unsigned shown = known < digits ? known : digits;
    arf_set_round(middle, arb_midref(ball), (slong)shown * 4 + 32, ARF_RND_NEAR);
    print_bound(out, middle, shown, ROUND_NEAREST);
    arf_clear(middle);
  }
}

enum ball_status ball_adapt(arb_t out, ball_function function, void *context,
                            struct ball_goal goal) {
  slong max = goal.max > 0 ? goal.max : BALL_PRECISION_MAX;
  slong wanted = (slong)(goal.digits * 3.3219280949) + 2;
  slong precision = goal.start > 0 ? goal.start : BALL_PRECISION_START;
  if (!goal.start && precision < wanted + 32) precision = wanted + 32;
  if (precision > max) precision = max;
  enum ball_status status = BALL_IMPRECISE;
  arb_t attempt;
  arb_init(attempt);
  arb_indeterminate(out);
  while (true) {
    if (budget_is_spent(goal.budget)) {
      status = BALL_TIMEOUT;
      break;
    }
    if (!function(attempt, context, precision)) {
      status = budget_is_spent(goal.budget) ? BALL_TIMEOUT : BALL_FAILED;
      break;
    }
    /* two enclosures of one number meet; if these do not, something upstream is broken */
    if (arb_is_finite(out) && arb_is_finite(attempt)) {
      if (!arb_intersection(out, out, attempt, precision)) {
        arb_indeterminate(out);
        status = BALL_FAILED;
        break;
      }
    } else if (arb_is_finite(attempt)) {
      arb_set(out, attempt);
    }
    if (arb_is_zero(out) || (arb_is_finite(out) && arb_rel_accuracy_bits(out) >= wanted)) {
      status = BALL_OK;
      break;
    }
    if (precision >= max) break;
    precision = precision * 2 < max ? precision * 2 : max;
  }
  arb_clear(attempt);
  return status;
}
