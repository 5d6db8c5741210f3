/* Sets of outputs, written like the outputs themselves:
 *
 *   _                anything              [p, q]       a list or stream of exactly these items
 *   true, 3, -1/2    this value            [p, q, ...]  one that begins like this
 *   1/2..3, ..0, 2.. a closed interval     (p, q)       a tuple; (stream, result) if a mechanism
 *                                                       both emits and returns
 *
 * A single number where the output has a density stands for a small box around it: the result is
 * then a density, and `points` counts how many such numbers there are. */
#ifndef COUPLET_CHECK_EXACT_EVENT_H
#define COUPLET_CHECK_EXACT_EVENT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buffer.h"
#include "run/eval/rvalue.h"

enum pattern_kind { PATTERN_ANY, PATTERN_VALUE, PATTERN_RANGE, PATTERN_LIST, PATTERN_TUPLE };

struct pattern {
  enum pattern_kind kind;
  struct rvalue value;     /* value */
  struct rvalue low, high; /* range: exact numbers; RVALUE_UNSET: unbounded */
  struct pattern *items;   /* list, tuple */
  size_t count;
  bool is_open; /* list: more items may follow */
};

void pattern_clear(struct pattern *p);
/* False: *why says what is wrong (xmalloc'd), *at is the offset in the text. */
bool pattern_parse(struct pattern *out, const char *text, size_t *at, char **why);
/* Reads back as the same pattern. */
void pattern_print(struct buffer *out, const struct pattern *p);
/* The pattern of exactly this output; numbers in it are values. */
void pattern_of(struct pattern *out, const struct rvalue *value);

struct pattern pattern_copy(const struct pattern *p);
/* Certainly no output matches both. */
bool pattern_disjoint(const struct pattern *p, const struct pattern *q);

#endif
