/* JSON values between processes, one per line. */
#ifndef COUPLET_REPORT_JUDGE_JSON_LINES_H
#define COUPLET_REPORT_JUDGE_JSON_LINES_H

#include <jansson.h>
#include <stdbool.h>

#include "base/buffer.h"

/* In the child: sends the value and drops the reference. Ends the process when nobody reads. */
void json_line_send(int out, json_t *value);

/* True: that is enough, take no more. */
typedef bool json_line_taker(void *context, const json_t *value);
/* Hands over the values of complete lines and takes these out of the buffer; lines that are no JSON
 * are skipped. `before` bytes were there when it was last called. True if the taker said so. */
bool json_lines_take(struct buffer *arrived, size_t before, json_line_taker *taker, void *context);

#endif
