#include "check/certificate/reader.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/visible.h"
#include "num/rational.h"

void reader_init(struct reader *r) {
  *r = (struct reader){0};
  buffer_init(&r->place);
}

void reader_clear(struct reader *r) {
  buffer_clear(&r->place);
  free(r->why);
}

bool reader_fail(struct reader *r, const char *code, const char *format, ...) {
  if (r->code) return false;
  struct buffer b;
  buffer_init(&b);
  if (r->place.len) buffer_printf(&b, "%s: ", buffer_text(&r->place));
  va_list args;
  va_start(args, format);
  buffer_vprintf(&b, format, args);
  va_end(args);
  struct buffer shown; /* it may quote the certificate */
  buffer_init(&shown);
  visible_put(&shown, buffer_text(&b), b.len);
  buffer_clear(&b);
  r->code = code;
  r->why = buffer_take(&shown);
  return false;
}

size_t reader_enter(struct reader *r, const char *field) {
  size_t mark = r->place.len;
  buffer_printf(&r->place, "%s%s", mark ? "." : "", field);
  return mark;
}

size_t reader_enter_item(struct reader *r, size_t index) {
  size_t mark = r->place.len;
  buffer_printf(&r->place, "[%zu]", index);
  return mark;
}

void reader_leave(struct reader *r, size_t mark) {
  r->place.len = mark;
  if (r->place.text) r->place.text[mark] = '\0';
}

static const char *type_name(const json_t *json) {
  if (!json) return "nothing";
  switch (json_typeof(json)) {
  case JSON_OBJECT: return "an object";
  case JSON_ARRAY: return "an array";
  case JSON_STRING: return "a text";
  case JSON_INTEGER: return "an integer";
  case JSON_REAL: return "a number with a decimal point";
  case JSON_NULL: return "null";
  default: return "true or false";
  }
}

static bool expected(struct reader *r, const char *what, const json_t *found) {
  return reader_fail(r, "certificate-field", "expected %s, found %s", what, type_name(found));
}

static bool is_listed(const char *fields, const char *name) {
  size_t length = strlen(name);
  for (const char *at = fields; *at;) {
    size_t n = strcspn(at, " ");
    if (n == length && memcmp(at, name, n) == 0) return true;
    at += n + (at[n] == ' ');
  }
  return false;
}

bool reader_object(struct reader *r, const json_t *json, const char *fields) {
  if (!json_is_object(json)) return expected(r, "an object", json);
  size_t count = 0;
  for (const char *at = fields; *at; count++) {
    size_t n = strcspn(at, " ");
    if (!json_object_getn(json, at, n))
      return reader_fail(r, "certificate-field", "the field '%.*s' is missing", (int)n, at);
    at += n + (at[n] == ' ');
  }
  const char *name;
  json_t *value;
  if (json_object_size(json) > count) json_object_foreach((json_t *)json, name, value) {
      if (!is_listed(fields, name))
        return reader_fail(r, "certificate-field",
                           "the field '%.64s' is not one of this format's: %s", name, fields);
    }
  return true;
}

/* `what` the value should be, for a field of the object. */
static bool expected_field(struct reader *r, const json_t *object, const char *field,
                           const char *what) {
  size_t mark = reader_enter(r, field);
  expected(r, what, json_object_get(object, field));
  reader_leave(r, mark);
  return false;
}

const json_t *reader_array(struct reader *r, const json_t *object, const char *field) {
  const json_t *json = json_object_get(object, field);
  if (json_is_array(json)) return json;
  expected_field(r, object, field, "an array");
  return NULL;
}

/* A text with a zero byte inside would be read as a shorter one. */
static const char *whole_text(const json_t *json) {
  const char *text = json_string_value(json);
  return text && strlen(text) == json_string_length(json) ? text : NULL;
}

const char *reader_text(struct reader *r, const json_t *object, const char *field) {
  const char *text = whole_text(json_object_get(object, field));
  if (!text) expected_field(r, object, field, "a text");
  return text;
}

bool reader_optional(struct reader *r, const json_t *object, const char *field, const char **text) {
  const json_t *json = json_object_get(object, field);
  *text = whole_text(json);
  return *text || json_is_null(json) || expected_field(r, object, field, "a text or null");
}

bool reader_number(struct reader *r, const json_t *json, size_t limit, const char *what,
                   uint32_t *out) {
  if (!json_is_integer(json)) return expected(r, "an integer", json);
  json_int_t n = json_integer_value(json);
  if (n < 0 || (uint64_t)n >= limit || (uint64_t)n >= UINT32_MAX)
    return reader_fail(r, "certificate-field", "%" JSON_INTEGER_FORMAT " is not among the %zu %s",
                       n, limit, what);
  *out = (uint32_t)n;
  return true;
}

bool reader_field_number(struct reader *r, const json_t *object, const char *field, size_t limit,
                         const char *what, uint32_t *out) {
  size_t mark = reader_enter(r, field);
  bool ok = reader_number(r, json_object_get(object, field), limit, what, out);
  reader_leave(r, mark);
  return ok;
}

bool reader_rational(struct reader *r, const json_t *json, fmpq_t out) {
  const char *text = whole_text(json), *why = NULL;
  if (!text) return expected(r, "a text with a fraction", json);
  if (!rational_parse_str(out, text, &why))
    return reader_fail(r, "certificate-field", "'%.64s' is not a fraction: %s", text, why);
  char *spelling = rational_string(out);
  bool ok = strcmp(spelling, text) == 0;
  if (!ok) reader_fail(r, "certificate-field", "'%.64s' must be written as %.64s", text, spelling);
  free(spelling);
  return ok;
}

bool reader_field_rational(struct reader *r, const json_t *object, const char *field, fmpq_t out) {
  size_t mark = reader_enter(r, field);
  bool ok = reader_rational(r, json_object_get(object, field), out);
  reader_leave(r, mark);
  return ok;
}

bool reader_natural(struct reader *r, const json_t *json, fmpz_t out) {
  fmpq_t q;
  fmpq_init(q);
  bool ok = reader_rational(r, json, q);
  if (ok && (!fmpz_is_one(fmpq_denref(q)) || fmpq_sgn(q) < 0))
    ok = reader_fail(r, "certificate-field", "'%.64s' is not an integer from 0 on",
                     json_string_value(json));
  if (ok) fmpz_set(out, fmpq_numref(q));
  fmpq_clear(q);
  return ok;
}
