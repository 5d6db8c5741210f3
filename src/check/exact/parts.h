/* A number made of samples, taken apart (symbolic.h). */
#ifndef COUPLET_CHECK_EXACT_PARTS_H
#define COUPLET_CHECK_EXACT_PARTS_H

#include "check/exact/affine.h"
#include "run/eval/number.h"

/* The number (form + shift)/over. Beside a shift or a denominator there are only real samples. */
struct parts {
  struct affine *form;
  struct rvalue shift; /* irrational, or RVALUE_UNSET: none */
  struct affine *over; /* positive almost surely; NULL: 1 */
};

void parts_clear(struct parts *p);
struct parts parts_copy(const struct parts *p);
/* Neither shift nor denominator. */
bool parts_are_affine(const struct parts *p);
/* A rational number. */
bool parts_are_rational(const struct parts *p);

/* x + sign * y and x * y. NUMBER_SYMBOLIC: that has no such parts. The result is to be cleared in any
 * case. */
enum number_fault parts_combine(struct parts *out, const struct parts *x, slong sign,
                                const struct parts *y);
enum number_fault parts_multiply(struct parts *out, const struct parts *x, const struct parts *y);
enum number_fault parts_scale(struct parts *out, const struct parts *x, const fmpq_t factor);

#endif
