/* What a proof says of contests (contest.h) when their results are fixed (pointwise.h): loops that draw
 * values, loops that compare them, samplings.
 *
 * A winner that is found among values drawn before is `array[result]`. Then it is enough that the best
 * value of run 2 never leads that of run 1 by more than the lift, and that r stays the winner in run 2
 * while it is the winner in run 1. */
#ifndef COUPLET_SEARCH_GOALS_CONTEST_TEXT_H
#define COUPLET_SEARCH_GOALS_CONTEST_TEXT_H

#include "search/base/text.h"
#include "search/goals/lift.h"

/* One contest, as the text sees it. */
struct contest_side {
  const struct contest *c;
  term_id name;     /* what has the result afterwards */
  term_id value, r; /* of the result, and what tells it from others (contest_mark) */
  const struct lift *lift;
  const struct known *known;
  const bool *given; /* of the other sides: those whose winner it looks at */
};

struct contest_writer {
  struct text out;
  struct contest_side *sides;
  size_t count;
  const struct core *const *loops; /* of the program or part, in order */
  size_t loop_count;
  bool is_part;
  enum claim_direction direction;
};

/* The steps for all loops and samplings. */
void contest_write(struct contest_writer *w);

/* Where the result of a part lies afterwards. It does so before every iteration if it begins there;
 * otherwise from the first on. */
struct span_of_result {
  bool known, from_start;
  term_id low, high;
};
struct span_of_result span_of_result(const struct contest *c, const struct known *known);

#endif
