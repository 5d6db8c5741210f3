#include "base/intern.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

struct intern_slot {
  const char *text; /* NULL: free */
  size_t length;
  uint64_t hash;
};

uint64_t hash_bytes(const void *data, size_t length) {
  const unsigned char *p = data;
  uint64_t h = UINT64_C(14695981039346656037);
  for (size_t i = 0; i < length; i++)
    h = (h ^ p[i]) * UINT64_C(1099511628211);
  return h;
}

void intern_init(struct intern *table) {
  *table = (struct intern){.capacity = 256};
  arena_init(&table->arena);
  table->slots = xcalloc(table->capacity, sizeof *table->slots);
}

void intern_clear(struct intern *table) {
  arena_clear(&table->arena);
  free(table->slots);
  *table = (struct intern){0};
}

static struct intern_slot *find(const struct intern *table, const char *text, size_t length,
                                uint64_t hash) {
  size_t mask = table->capacity - 1;
  for (size_t i = hash & mask;; i = (i + 1) & mask) {
    struct intern_slot *s = &table->slots[i];
    if (!s->text) return s;
    if (s->hash == hash && s->length == length && memcmp(s->text, text, length) == 0) return s;
  }
}

static void grow(struct intern *table) {
  struct intern_slot *old = table->slots;
  size_t count = table->capacity;
  table->capacity *= 2;
  table->slots = xcalloc(table->capacity, sizeof *table->slots);
  for (size_t i = 0; i < count; i++)
    if (old[i].text) *find(table, old[i].text, old[i].length, old[i].hash) = old[i];
  free(old);
}

const char *intern_text(struct intern *table, const char *text, size_t length) {
  uint64_t hash = hash_bytes(text, length);
  struct intern_slot *s = find(table, text, length, hash);
  if (s->text) return s->text;
  if ((table->count + 1) * 4 > table->capacity * 3) {
    grow(table);
    s = find(table, text, length, hash);
  }
  *s = (struct intern_slot){arena_strndup(&table->arena, text, length), length, hash};
  table->count++;
  return s->text;
}

const char *intern_str(struct intern *table, const char *text) {
  return intern_text(table, text, strlen(text));
}
