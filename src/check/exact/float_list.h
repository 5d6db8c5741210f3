/* All outputs of a floating-point program with their exact probabilities.
 *
 * As in float_count.h all words but one are tried, and the output is monotone on pieces of the
 * values of the last one. So equal outputs stand side by side: bisection finds where each of them
 * ends. The numbers of values are integers, and they must add up to the number of all values. */
#ifndef COUPLET_CHECK_EXACT_FLOAT_LIST_H
#define COUPLET_CHECK_EXACT_FLOAT_LIST_H

#include "check/exact/exact.h"

/* More are not listed: an output of a long word has some 50 evaluations. */
enum { LIMIT_FLOAT_OUTPUTS = 512 };

/* The program is a pipeline with one result and at most one long word, and nothing in it is
 * inexact. False: why, where and status are set, and there are no outcomes. */
bool float_distribution(struct interp *in, const struct exact_options *options,
                        struct exact_distribution *result);

#endif
