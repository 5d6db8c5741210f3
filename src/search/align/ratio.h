/* Small exact fractions for the search, with infinities.
 *
 * den > 0: num/den in lowest terms. den = 0: num is 1 or -1 (infinite), or 0: not a number, the
 * result of an overflow or of inf - inf. Every comparison with the latter is false, so what is not
 * known is never taken for small. Nothing that is proved rests on this: the kernel checks proofs.
 */
#ifndef COUPLET_SEARCH_ALIGN_RATIO_H
#define COUPLET_SEARCH_ALIGN_RATIO_H

#include <flint/fmpq.h>
#include <stdbool.h>

struct ratio {
  long num, den;
};

struct ratio ratio_make(long num, long den);
static inline struct ratio ratio_int(long num) {
  return (struct ratio){num, 1};
}
static inline struct ratio ratio_infinite(int sign) {
  return (struct ratio){sign, 0};
}
struct ratio ratio_from_fmpq(const fmpq *q);
void ratio_to_fmpq(fmpq *q, struct ratio r); /* of a finite one */

static inline bool ratio_is_finite(struct ratio a) {
  return a.den != 0;
}
static inline bool ratio_is_zero(struct ratio a) {
  return a.den != 0 && a.num == 0;
}
struct ratio ratio_add(struct ratio a, struct ratio b);
struct ratio ratio_neg(struct ratio a);
struct ratio ratio_sub(struct ratio a, struct ratio b);
struct ratio ratio_mul(struct ratio a, struct ratio b); /* 0 * infinite = 0 */
struct ratio ratio_div(struct ratio a, struct ratio b); /* b finite, not 0 */
struct ratio ratio_abs(struct ratio a);
bool ratio_le(struct ratio a, struct ratio b);
bool ratio_eq(struct ratio a, struct ratio b);
struct ratio ratio_max(struct ratio a, struct ratio b);
struct ratio ratio_min(struct ratio a, struct ratio b);

#endif
