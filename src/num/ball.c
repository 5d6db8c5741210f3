#include "num/ball.h"

#include "num/rational.h"

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

void ball_sqrt_rational(arb_t out, const fmpq_t value, slong precision) {
  if (fmpq_sgn(value) < 0) {
    arb_indeterminate(out);
    return;
  }
  arb_set_fmpq(out, value, precision + 2);
  arb_sqrt(out, out, precision);
}

bool ball_is_less(const arb_t a, const arb_t b) {
  return arb_lt(a, b);
}

bool ball_is_positive(const arb_t a) {
  return arb_is_positive(a);
}

static void end_of(fmpq_t out, const arb_t ball, bool upper) {
  arf_t end;
  arf_init(end);
  arf_set_mag(end, arb_radref(ball));
  if (upper)
    arf_add(end, arb_midref(ball), end, ARF_PREC_EXACT, ARF_RND_UP);
  else
    arf_sub(end, arb_midref(ball), end, ARF_PREC_EXACT, ARF_RND_DOWN);
  arf_get_fmpq(out, end);
  arf_clear(end);
}

void ball_lower(fmpq_t out, const arb_t ball) {
  end_of(out, ball, false);
}

void ball_upper(fmpq_t out, const arb_t ball) {
  end_of(out, ball, true);
}

static void print_end(struct buffer *out, const arb_t ball, unsigned digits, bool upper) {
  if (!arb_is_finite(ball)) {
    buffer_puts(out, upper ? "inf" : "-inf");
    return;
  }
  fmpq_t end;
  fmpq_init(end);
  /* The exact sum of midpoint and radius can be astronomically long when their exponents are far
   * apart; 64 bits more than asked, rounded outwards, are a bound as well. */
  arf_t rounded;
  arf_init(rounded);
  slong bits = (slong)digits * 4 + 64;
  if (upper)
    arb_get_ubound_arf(rounded, ball, bits);
  else
    arb_get_lbound_arf(rounded, ball, bits);
  arf_get_fmpq(end, rounded);
  rational_print_decimal(out, end, digits, upper ? ROUND_UP : ROUND_DOWN);
  arf_clear(rounded);
  fmpq_clear(end);
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
    fmpq_t value;
    arf_init(middle);
    fmpq_init(value);
    unsigned shown = known < digits ? known : digits;
    arf_set_round(middle, arb_midref(ball), (slong)shown * 4 + 32, ARF_RND_NEAR);
    arf_get_fmpq(value, middle);
    rational_print_decimal(out, value, shown, ROUND_NEAREST);
    fmpq_clear(value);
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
