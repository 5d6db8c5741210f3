/* What a floating-point program cannot put out, whatever its random words are.
 *
 * The operations are gone through from the output backwards, as long as each has one argument that
 * varies and is monotone in it: which floats of that argument lead to the event is an interval,
 * which bisection finds among all floats. If it is empty, or has no integer where the value is one,
 * the event is impossible. */
#ifndef COUPLET_CHECK_EXACT_FLOAT_POSSIBLE_H
#define COUPLET_CHECK_EXACT_FLOAT_POSSIBLE_H

#include "check/exact/float_event.h"

/* False: no words give these outputs. */
bool float_is_possible(const struct pipeline *p, const struct float_targets *targets);

#endif
