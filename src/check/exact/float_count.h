/* Exact probabilities of outputs of floating-point programs, by counting.
 *
 * If all words but one have few values, each of their combinations is tried; the output is then
 * monotone on pieces of the values of the last word (monotone.h), and bisection finds how many of
 * them lead to the event. The probability is that number divided by the number of all values.
 *
 * Where functions of a library are off by some ulp, two numbers are counted: of the values that lead
 * to the event certainly, and of those that may do so. The probability is between them.
 *
 * With two long words or more, and where the output is not monotone, only bounds are known. From
 * below: all of them but one are fixed at a few values, and what is counted there, or hit by a fixed
 * list of values of the last word, is a part of the probability (is_bound). From above: 0 if the last
 * operations of the program cannot give such an output whatever the words are (float_possible.h),
 * else 1. */
#ifndef COUPLET_CHECK_EXACT_FLOAT_COUNT_H
#define COUPLET_CHECK_EXACT_FLOAT_COUNT_H

#include "check/exact/exact.h"
#include "check/exact/float_words.h"
#include "check/exact/monotone.h"

/* Words that lead to the event, whatever the functions of a library are; false: none are found. */
bool float_find_words(const struct pipeline *p, const struct pattern *event, wide *words);

/* The program is a pipeline, and the event a value or a range for each output. False: why is set. */
bool float_probability(struct interp *in, const struct pattern *event,
                       const struct exact_options *options, struct exact_result *result);

#endif
