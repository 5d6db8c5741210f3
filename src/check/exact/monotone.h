/* How the result of a pipeline depends on one of its words.
 *
 * All words but one are fixed. On a range of values of the free word every node has a shape: it
 * never falls, never rises, or stays, and the values at both ends of the range are known; so those
 * in between lie between them. Shapes follow from those of the arguments:
 *
 *   - rounding is monotone, so each operation rises and falls as the real one does;
 *   - x + y rises if both rise; x * y as y does where x >= 0 is constant, and so on: what each
 *     argument contributes must have one direction;
 *   - an argument whose sign matters, and a comparison, must not change within the range. If they do
 *     so monotonically, the place is found by bisection and the range is split there.
 *
 * Whatever is not covered by a rule is refused: two parts that move against each other, sin and cos
 * of what varies, remainders, divisors that may be zero, and operations that may give NaN. */
#ifndef COUPLET_CHECK_EXACT_MONOTONE_H
#define COUPLET_CHECK_EXACT_MONOTONE_H

#include "base/budget.h"
#include "check/exact/pipeline.h"

enum { LIMIT_MONOTONE_PIECES = 4096 };

/* low..high: the result never falls (direction 1), never rises (-1) or is constant (0). */
struct monotone_piece {
  wide low, high;
  int direction;
};
typedef VEC(struct monotone_piece) monotone_pieces;

/* All words: `words[free]` is not read. Valid as long as what it points to. */
struct monotone_view {
  const struct pipeline *p;
  const wide *words;
  size_t free;
  const struct budget *budget; /* or NULL; when it is spent everything is refused, with this: */
};
extern const char monotone_no_time[];

/* The pieces of 0..n-1 in their order. False: *why is a literal that says why there are none. */
bool monotone_split(monotone_pieces *out, const struct monotone_view *view, const char **why);

/* The result for one value of the free word; false as above. */
bool monotone_result(union node_value *out, const struct monotone_view *view, wide k,
                     const char **why);

#endif
