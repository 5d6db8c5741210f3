#include "report/judge/json_lines.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/child.h"
#include "base/exit_codes.h"

void json_line_send(int out, json_t *value) {
  char *text = json_dumps(value, JSON_COMPACT | JSON_ENCODE_ANY);
  json_decref(value);
  if (!text) _exit(COUPLET_EXIT_INTERNAL);
  size_t length = strlen(text);
  text[length] = '\n'; /* in the place of the end of the string */
  if (!child_send(out, text, length + 1)) _exit(COUPLET_EXIT_INTERNAL);
  free(text);
}

bool json_lines_take(struct buffer *arrived, size_t before, json_line_taker *taker, void *context) {
  bool enough = false;
  char *line = arrived->text, *stop = arrived->text + arrived->len;
  char *end = arrived->len > before ? memchr(line + before, '\n', arrived->len - before) : NULL;
  if (!end) return false; /* a line may be long: each byte of it is looked at once */
  for (; end && !enough; end = memchr(line, '\n', (size_t)(stop - line))) {
    json_t *value = json_loadb(line, (size_t)(end - line), JSON_DECODE_ANY, NULL);
    enough = value && taker(context, value);
    json_decref(value);
    line = end + 1;
  }
  arrived->len = (size_t)(stop - line);
  memmove(arrived->text, line, arrived->len);
  arrived->text[arrived->len] = 0;
  return enough;
}
