/* How the results of a pipeline depend on one of its words.
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
 *   - where parts move against each other, but one of them is the result of floor or the like, the
 *     range is split where that one changes.
 *
 * Where a function is off by some ulp, a node has not one value but a least and a greatest one,
 * whatever the function is; both of these bounds have the shape. Where a sign or a comparison is
 * not known of all values in between, the node may be anything, and so is what follows from it.
 *
 * Whatever is not covered by a rule is refused: two parts that move against each other, sin and cos
 * of what varies, remainders, divisors that may be zero, and operations that may give NaN. */
#ifndef COUPLET_CHECK_EXACT_MONOTONE_H
#define COUPLET_CHECK_EXACT_MONOTONE_H

#include "base/budget.h"
#include "check/exact/pipeline.h"

enum { LIMIT_MONOTONE_PIECES = 1024 };

/* low..high: the bounds of a result never fall (direction 1), never rise (-1) or are constant (0);
 * or it may be anything. */
struct monotone_piece {
  wide low, high;
  int direction[LIMIT_PIPELINE_OUTPUTS];
  bool any[LIMIT_PIPELINE_OUTPUTS];
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

/* What a node is at least and at most, for one value of the free word; of a truth value the first
 * counts. False as above. */
struct monotone_bounds {
  bool any;
  union node_value at[2];
};
bool monotone_bounds(struct monotone_bounds *out, const struct monotone_view *view, size_t node,
                     wide k, const char **why);

/* The result for one value of the free word, if there is one result and one value of it. */
bool monotone_result(union node_value *out, const struct monotone_view *view, wide k,
                     const char **why);

#endif
