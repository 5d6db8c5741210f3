/* Numbers in JSON. A decimal NAME is a JSON number, for programs that compute with it, and
 * NAME_text has all of its digits: bounds are certified as texts, and a double holds neither more
 * than 16 digits nor the probability of a rare event. */
#ifndef COUPLET_REPORT_RECORD_DECIMAL_H
#define COUPLET_REPORT_RECORD_DECIMAL_H

#include <jansson.h>

#include "base/buffer.h"
#include "num/real/ball.h"

/* Of every JSON output: rises when a field changes its meaning (docs/json.md). */
enum { JSON_VERSION = 2 };

/* Sets NAME and NAME_text. `text` may be NULL: both are null. NAME alone is null where `text` is no
 * decimal ("<= 1e-9") or does not fit a double. */
void json_set_decimal(json_t *object, const char *name, const char *text);
/* {"low", "low_text", "high", "high_text"}: bounds of the ball, rounded outwards. */
json_t *json_bounds(const arb_t ball, unsigned digits);
/* As every command prints JSON; xmalloc'd. Reading it and writing it again gives the same text. */
char *json_printed(const json_t *json);
/* The same with a line's end; takes the reference. */
void json_put(struct buffer *out, json_t *json);

#endif
