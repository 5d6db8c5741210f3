#include "report/record/decimal.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buffer.h"

/* A number that is not zero may still be one as a double. */
static json_t *number(const char *text) {
  char *end;
  errno = 0;
  double value = text ? strtod(text, &end) : 0;
  if (!text || end == text || *end || errno == ERANGE) return json_null();
  json_t *json = json_real(value); /* NULL for infinity and NaN */
  return json ? json : json_null();
}

void json_set_decimal(json_t *object, const char *name, const char *text) {
  char *beside = xasprintf("%s_text", name);
  json_object_set_new(object, name, number(text));
  json_object_set_new(object, beside, text ? json_string(text) : json_null());
  free(beside);
}

json_t *json_bounds(const arb_t ball, unsigned digits) {
  struct buffer low, high;
  buffer_init(&low);
  buffer_init(&high);
  ball_print_lower(&low, ball, digits);
  ball_print_upper(&high, ball, digits);
  json_t *json = json_object();
  json_set_decimal(json, "low", buffer_text(&low));
  json_set_decimal(json, "high", buffer_text(&high));
  buffer_clear(&low);
  buffer_clear(&high);
  return json;
}

/* Fifteen digits survive the way through a double and back; with seventeen 0.1 would not read 0.1. */
char *json_printed(const json_t *json) {
  char *text = json_dumps(json, JSON_INDENT(2) | JSON_REAL_PRECISION(15) | JSON_ENCODE_ANY);
  char *copy = xstrdup(text ? text : "null");
  free(text);
  return copy;
}

void json_put(struct buffer *out, json_t *json) {
  char *text = json_printed(json);
  buffer_printf(out, "%s\n", text);
  free(text);
  json_decref(json);
}
