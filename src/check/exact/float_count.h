/* Exact probabilities of outputs of floating-point programs, by counting.
 *
 * If all words but one have few values, each of their combinations is tried; the output is then
 * monotone on pieces of the values of the last word (monotone.h), and bisection finds how many of
 * them lead to the event. The probability is that number divided by the number of all values.
 *
 * With two long words or more only bounds are known. From below: all of them but one are fixed at a
 * few values, and what is counted there is a part of the probability (is_bound). From above: 0 if the last
 * operations of the program cannot give such an output whatever the words are, else 1. The
 * operations are gone through from the output backwards, as long as each has one argument that
 * varies and is monotone in it: which floats of that argument lead to the event is an interval,
 * which bisection finds among all floats. If it is empty, the event is impossible. */
#ifndef COUPLET_CHECK_EXACT_FLOAT_COUNT_H
#define COUPLET_CHECK_EXACT_FLOAT_COUNT_H

#include "check/exact/exact.h"
#include "check/exact/monotone.h"

enum {
  FLOAT_COUNT_SHORT = 64,     /* values of a word that are tried one by one */
  FLOAT_COUNT_COMBINED = 256, /* combinations of them */
  FLOAT_COUNT_FIXED = 8       /* values at which the other long words are fixed, for a bound */
};

/* The words that the result depends on: the free one, and those to go through. */
struct float_words {
  size_t used[LIMIT_PIPELINE_WORDS], count;
  size_t longs;        /* how many of them are long */
  size_t free;         /* a long one, if there is one */
  size_t combinations; /* of the others: all of them (longs <= 1), or those that are looked at */
};
/* The free word is the first long one. False: there are too many combinations of the others. */
bool float_words_init(struct float_words *w, const struct pipeline *p);
/* It is the nth long one, from 0. */
void float_words_free(struct float_words *w, const struct pipeline *p, size_t nth);
/* Sets all but the free word to combination number i. */
void float_words_fix(const struct float_words *w, const struct pipeline *p, size_t i, wide *words);

/* The program is a pipeline, and the event a value or a range. False: why is set. */
bool float_probability(struct interp *in, const struct pattern *event,
                       const struct exact_options *options, struct exact_result *result);

#endif
