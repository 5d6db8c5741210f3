#include "check/certificate/dossier_json.h"

#include <string.h>

#include "check/certificate/format.h"

/* Text of one line. */
static const char *line_text(struct reader *r, const json_t *json) {
  const char *text = json_string_value(json);
  if (text && strlen(text) == json_string_length(json) && !strchr(text, '\n')) return text;
  reader_fail(r, CERT_MALFORMED, "expected a line of text");
  return NULL;
}

/* Adds the lines of a field to the calls or to the terms. */
static bool read_lines(struct reader *r, const json_t *object, const char *field,
                       struct dossier *out, bool are_terms) {
  const json_t *list = reader_array(r, object, field);
  if (!list) return false;
  size_t mark = reader_enter(r, field);
  for (size_t i = 0; i < json_array_size(list); i++) {
    size_t inner = reader_enter_item(r, i);
    const char *line = line_text(r, json_array_get(list, i));
    if (!line) return false;
    if (are_terms)
      dossier_add_line(out, line, strlen(line));
    else
      vec_push(&out->calls, xstrdup(line));
    reader_leave(r, inner);
  }
  reader_leave(r, mark);
  return true;
}

static bool is_key(const char *text) {
  return strlen(text) == SHA256_HEX && strspn(text, "0123456789abcdef") == SHA256_HEX;
}

static bool read_refutation(struct reader *r, const json_t *json, struct dossier *out) {
  if (!reader_object(r, json, "obligation steps")) return false;
  const char *key = reader_text(r, json, "obligation");
  const json_t *steps = key ? reader_array(r, json, "steps") : NULL;
  if (!steps) return false;
  if (!is_key(key)) return reader_fail(r, CERT_MALFORMED, "expected the hash of an obligation");
  if (dossier_find(out, key))
    return reader_fail(r, CERT_MALFORMED, "the obligation has a refutation already");
  struct buffer text;
  buffer_init(&text);
  bool ok = true;
  size_t mark = reader_enter(r, "steps");
  for (size_t i = 0; ok && i < json_array_size(steps); i++) {
    size_t inner = reader_enter_item(r, i);
    const char *line = line_text(r, json_array_get(steps, i));
    ok = line != NULL;
    if (!ok) break;
    buffer_puts(&text, line);
    buffer_putc(&text, '\n');
    reader_leave(r, inner);
  }
  if (ok) reader_leave(r, mark);
  if (ok) dossier_add_entry(out, key, buffer_text(&text));
  buffer_clear(&text);
  return ok;
}

bool dossier_from_json(struct reader *r, const json_t *object, struct dossier *out) {
  if (!read_lines(r, object, "derivation", out, false) ||
      !read_lines(r, object, "terms", out, true))
    return false;
  const json_t *list = reader_array(r, object, "refutations");
  if (!list) return false;
  size_t mark = reader_enter(r, "refutations");
  for (size_t i = 0; i < json_array_size(list); i++) {
    size_t inner = reader_enter_item(r, i);
    if (!read_refutation(r, json_array_get(list, i), out)) return false;
    reader_leave(r, inner);
  }
  reader_leave(r, mark);
  return true;
}
