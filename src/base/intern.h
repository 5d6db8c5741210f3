/* Interned strings: equal names are the same pointer, so names compare with ==. */
#ifndef COUPLET_BASE_INTERN_H
#define COUPLET_BASE_INTERN_H

#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"

struct intern_slot;
struct intern {
  struct arena arena;
  struct intern_slot *slots; /* open addressing, capacity a power of two */
  size_t count, capacity;
};

void intern_init(struct intern *table);
void intern_clear(struct intern *table);

/* The unique copy of the text; lives as long as the table. */
const char *intern_text(struct intern *table, const char *text, size_t length);
const char *intern_str(struct intern *table, const char *text);

/* FNV-1a, the hash used throughout for byte strings. */
uint64_t hash_bytes(const void *data, size_t length);

#endif
