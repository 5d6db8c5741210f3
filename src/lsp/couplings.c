#include "lsp/couplings.h"

#include <stdbool.h>
#include <string.h>

static const char *text_at(const json_t *object, const char *key) {
  return json_string_value(json_object_get(object, key));
}

static bool is_at(const json_t *node, const char *path, unsigned line, unsigned column) {
  const json_t *place = json_object_get(node, "location");
  const char *file = text_at(place, "file");
  return file && path && strcmp(file, path) == 0 &&
         json_integer_value(json_object_get(place, "line")) == (json_int_t)line &&
         json_integer_value(json_object_get(place, "column")) == (json_int_t)column;
}

/* The step that deals with the sampling: the innermost with a statement that samples. */
static const json_t *step_at(const json_t *nodes, const char *path, unsigned line,
                             unsigned column) {
  size_t i;
  json_t *node;
  json_array_foreach(nodes, i, node) {
    const json_t *inner = step_at(json_object_get(node, "steps"), path, line, column);
    if (inner) return inner;
    const char *command = text_at(node, "command");
    if (command && strstr(command, "<$") && is_at(node, path, line, column)) return node;
  }
  return NULL;
}

void coupling_words(struct buffer *out, const struct claim_record *claim, unsigned line,
                    unsigned column) {
  const json_t *forward = json_array_get(json_object_get(claim->detail, "explanation"), 0);
  const json_t *step = step_at(json_object_get(forward, "steps"), claim->place.path, line, column);
  const char *words = text_at(step, "words");
  if (!words) return;
  buffer_puts(out, words);
  const json_t *budget = json_object_get(step, "budget");
  const char *before = text_at(budget, "before"), *after = text_at(budget, "after");
  if (before && after && strcmp(before, after) != 0)
    buffer_printf(out, "; budget %s, then %s", before, after);
}
