#include "search/align/rounds.h"

#include <string.h>

#include "base/buffer.h"

static size_t count_of(const char *text) {
  size_t count = 0;
  for (; *text; text++)
    count += *text == ROUNDS_BEGIN[0];
  return count;
}

const char *rounds_settled(struct arena *arena, const char *text, const char *other) {
  if (!other || count_of(other) != count_of(text)) other = text;
  struct buffer out;
  buffer_init(&out);
  while (*text) {
    if (*text != ROUNDS_BEGIN[0]) {
      buffer_putc(&out, *text++);
      continue;
    }
    for (other = strchr(other, ROUNDS_BEGIN[0]) + 1; *other != ROUNDS_END[0]; other++)
      buffer_putc(&out, *other);
    text = strchr(text, ROUNDS_END[0]) + 1;
  }
  const char *settled = arena_printf(arena, "%s", buffer_text(&out));
  buffer_clear(&out);
  return settled;
}
