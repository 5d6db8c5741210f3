/* Balls: certified real numbers, a thin layer over Arb.
 *
 * Inclusion property. An arb_t stands for every real in [mid - rad, mid + rad]. If the balls given
 * to a function contain the true arguments, the ball it returns contains the true result, at every
 * precision. Precision decides only how wide the result is. A result that could not be enclosed is
 * the whole line (not finite); a comparison is true only if it holds for all points of both balls,
 * so an unusable ball compares false with everything: the layer fails closed.
 *
 * As in Arb, output comes first and precision (in bits) last. */
#ifndef COUPLET_NUM_REAL_BALL_H
#define COUPLET_NUM_REAL_BALL_H

#include <flint/fmpq.h>
#include <stdbool.h>

#include "base/budget.h"
#include "base/buffer.h"
#include "num/arb_compat.h"

enum {
  BALL_PRECISION_START = 64,  /* bits of the first attempt */
  BALL_PRECISION_MAX = 65536, /* default upper end of the adaptive driver */
  BALL_DIGITS_MAX = 10000,    /* digits a user may ask for */
  BALL_EXPONENT_MAX = 1 << 20 /* numbers up to 2^this, and above 2^-this, may become fractions */
};

/* exp and ln of exact rationals; ln of a number <= 0 is not finite. */
void ball_exp_rational(arb_t out, const fmpq_t value, slong precision);
void ball_ln_rational(arb_t out, const fmpq_t value, slong precision);

/* Certainly a < b, certainly a > 0: for every pair of points. */
bool ball_is_less(const arb_t a, const arb_t b);
bool ball_is_positive(const arb_t a);

/* Ends of a finite ball as fractions, rounded outwards where they are very long. False: an end is
 * beyond 2^BALL_EXPONENT_MAX (or the ball is not finite), and a fraction would not fit in memory.
 */
bool ball_lower(fmpq_t out, const arb_t ball);
bool ball_upper(fmpq_t out, const arb_t ball);

/* Decimal bounds, rounded outwards: lower <= every point <= upper. Numbers of any size: what is
 * beyond 2^BALL_EXPONENT_MAX or its inverse is printed from its logarithm, in the same form. */
void ball_print_lower(struct buffer *out, const arb_t ball, unsigned digits);
void ball_print_upper(struct buffer *out, const arb_t ball, unsigned digits);
/* At most `digits` significant digits, only those that all points share up to one unit in the last
 * place; `unknown` if the ball is not finite, `<= bound` if not even the sign is known. */
void ball_print(struct buffer *out, const arb_t ball, unsigned digits);

/* The greatest double that is certainly not above any point of the ball. */
double ball_lower_double(const arb_t ball);

/* Number of decimal digits the ball determines (0 if it contains zero and is not exact). */
unsigned ball_digits(const arb_t ball);

/* ---- adaptive precision --------------------------------------------------------------------- */

enum ball_status {
  BALL_OK,        /* the goal is met */
  BALL_IMPRECISE, /* not met at the highest precision allowed; the ball is still an enclosure */
  BALL_TIMEOUT,   /* budget spent; as above, or not finite */
  BALL_FAILED     /* the computation gave up for its own reasons */
};

/* Computes an enclosure at the given precision; false to give up altogether (limit, budget). */
typedef bool (*ball_function)(arb_t out, void *context, slong precision);

struct ball_goal {
  unsigned digits;             /* relative accuracy wanted, in decimal digits */
  slong start, max;            /* bits; 0: the defaults above */
  const struct budget *budget; /* or NULL */
};

/* Doubles the precision until the enclosure determines goal.digits digits, or is exactly zero.
 * Enclosures of successive attempts are intersected, so `out` only ever gets better. */
enum ball_status ball_adapt(arb_t out, ball_function function, void *context,
                            struct ball_goal goal);

#endif
