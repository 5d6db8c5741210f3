/* Outcomes of many runs, counted and shown.
 *
 * Equal outcomes (printed alike) are counted together. Single real numbers that come from
 * continuous noise hardly ever repeat: those are kept as numbers and shown in bins. Memory is
 * bounded: beyond TALLY_DISTINCT different outcomes further new ones are only counted as others,
 * and beyond TALLY_VALUES numbers the bins are fixed and the rest counted into them. */
#ifndef COUPLET_REPORT_RENDER_TALLY_H
#define COUPLET_REPORT_RENDER_TALLY_H

#include <jansson.h>

#include "base/buffer.h"
#include "base/vec.h"
#include "run/eval/rvalue.h"

enum {
  TALLY_DISTINCT = 100 * 1000, /* different outcomes kept */
  TALLY_VALUES = 1000 * 1000,  /* numbers kept */
  TALLY_ROWS = 20,             /* lines of a histogram */
  TALLY_JSON = 10 * 1000       /* outcomes listed in JSON */
};

struct tally_outcome {
  char *text;
  struct rvalue value;
  size_t count;
};

struct tally_bins {
  double low, step; /* bin i is [low + i*step, low + (i+1)*step); 0 < i < count-1 */
  size_t count;     /* the first and the last take everything below and above; 0: not fixed yet */
  size_t hits[TALLY_ROWS + 4];
};

struct tally {
  size_t samples;
  size_t others; /* samples whose outcome is not kept */
  VEC(struct tally_outcome) outcomes;
  uint32_t *table; /* open addressing by text: 1 + index in outcomes; 0: free */
  struct buffer scratch;

  bool numeric;        /* so far every outcome is a number */
  bool continuous;     /* some is a FLOAT */
  double mean, spread; /* running mean, and sum of squared deviations */
  VEC(double) values;  /* of numeric outcomes, the first TALLY_VALUES */
  struct tally_bins bins;
};

void tally_init(struct tally *t);
void tally_clear(struct tally *t);
/* Counts the outcome of one run (moved). */
void tally_add(struct tally *t, struct rvalue value);

/* Histogram in lines of at most `columns` characters (at least 40). */
void tally_print(struct buffer *out, struct tally *t, size_t columns);
/* [{"output": .., "count": ..}], the most frequent first, numbers of continuous outcomes in the
 * order of the runs; *cut is the number of samples that are not in it. */
json_t *tally_json(struct tally *t, size_t *cut);
/* Standard deviation of the numeric outcomes. */
double tally_deviation(const struct tally *t);

#endif
