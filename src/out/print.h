/* Terms in source syntax: x<1>, minimal parentheses, ranges and list literals recognised. Older
 * versions of a variable print as x@3; the conversion of int to real is silent, as in programs. */
#ifndef COUPLET_OUT_PRINT_H
#define COUPLET_OUT_PRINT_H

#include "base/buffer.h"
#include "term/eval.h"

void term_print(struct buffer *out, struct terms *ts, term_id t);
/* A fresh string that the caller frees. */
char *term_text(struct terms *ts, term_id t);
void tvalue_print(struct buffer *out, const struct tvalue *v);
void sort_print(struct buffer *out, const struct terms *ts, sort_id sort);

#endif
