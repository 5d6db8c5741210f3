/* The random words of a pipeline when its outputs are counted: one is free, the others are fixed. */
#ifndef COUPLET_CHECK_EXACT_FLOAT_WORDS_H
#define COUPLET_CHECK_EXACT_FLOAT_WORDS_H

#include "check/exact/pipeline.h"

enum {
  FLOAT_COUNT_SHORT = 64,     /* values of a word that are tried one by one */
  FLOAT_COUNT_COMBINED = 256, /* combinations of them */
  FLOAT_COUNT_FIXED = 8,      /* values at which the other long words are fixed, for a bound */
  FLOAT_COUNT_PROBES = 160 /* values of the free word that are tried where it cannot be counted */
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

/* Values of the free word at which such programs go wrong, the most promising first: in the middle
 * of the range noise is small and has more digits than another input can produce; at its ends it is
 * as large as it can be. All different. */
struct float_probes {
  wide at[FLOAT_COUNT_PROBES];
  size_t count;
};
void float_words_probes(struct float_probes *out, const struct float_words *w,
                        const struct pipeline *p, const wide *words);

#endif
