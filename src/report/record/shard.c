#include "report/record/shard.h"

#include <ctype.h>
#include <string.h>

/* Digits only: strtoul would take signs and blanks. */
static const char *read_number(const char *text, size_t *out) {
  *out = 0;
  if (!isdigit((unsigned char)*text)) return NULL;
  for (; isdigit((unsigned char)*text); text++) {
    *out = *out * 10 + (size_t)(*text - '0');
    if (*out > SHARDS_MAX) return NULL;
  }
  return text;
}

static bool is_part(const struct record_shard *s) {
  return s->number >= 1 && s->number <= s->of && s->of <= SHARDS_MAX;
}

bool shard_parse(struct record_shard *shard, const char *text) {
  struct record_shard s = {0};
  const char *rest = read_number(text, &s.number);
  if (!rest || *rest != '/') return false;
  rest = read_number(rest + 1, &s.of);
  if (!rest || *rest || !is_part(&s)) return false;
  *shard = s;
  return true;
}

void shard_bind(struct record_shard *shard, const char *const *files, size_t count) {
  struct sha256 h;
  sha256_init(&h);
  for (size_t i = 0; i < count; i++)
    sha256_add_text(&h, files[i]);
  sha256_hex(&h, shard->list);
  shard->files = count;
  shard->by_claim = count < shard->of;
}

bool shard_has(const struct record_shard *shard, size_t item) {
  return item % shard->of == shard->number - 1;
}

json_t *shard_to_json(const struct record_shard *s) {
  return json_pack("{s:I, s:I, s:s, s:I, s:s}", "number", (json_int_t)s->number, "of",
                   (json_int_t)s->of, "by", s->by_claim ? "claim" : "file", "files",
                   (json_int_t)s->files, "list", s->list);
}

bool shard_from_json(struct record_shard *shard, const json_t *json) {
  json_int_t number, of, files;
  const char *by, *list;
  struct record_shard s;
  if (json_unpack((json_t *)json, "{s:I, s:I, s:s, s:I, s:s}", "number", &number, "of", &of, "by",
                  &by, "files", &files, "list", &list) != 0)
    return false;
  if (number < 1 || of < 1 || files < 1 || strlen(list) != SHA256_HEX) return false;
  s = (struct record_shard){.number = (size_t)number, .of = (size_t)of, .files = (size_t)files};
  s.by_claim = s.files < s.of;
  memcpy(s.list, list, sizeof s.list);
  if (!is_part(&s) || strcmp(by, s.by_claim ? "claim" : "file") != 0) return false;
  *shard = s;
  return true;
}

bool shard_same_run(const struct record_shard *a, const struct record_shard *b) {
  return a->of == b->of && a->files == b->files && strcmp(a->list, b->list) == 0;
}
