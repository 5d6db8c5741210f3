#include "base/ptrmap.h"

#include <stdint.h>
#include <stdlib.h>

#include "base/alloc.h"

void ptrmap_init(struct ptrmap *map) {
  *map = (struct ptrmap){0};
}

void ptrmap_clear(struct ptrmap *map) {
  free(map->slots);
  *map = (struct ptrmap){0};
}

/* Fibonacci hashing: the low bits of pointers are mostly alignment, so the high bits decide. */
static size_t home(const void *key, size_t capacity) {
  return (size_t)(((uintptr_t)key * UINT64_C(0x9E3779B97F4A7C15)) >> 32) & (capacity - 1);
}

/* The slot that has the key or is free for it; capacity > count. */
static struct ptrmap_slot *find(const struct ptrmap *map, const void *key) {
  for (size_t i = home(key, map->capacity);; i = (i + 1) & (map->capacity - 1))
    if (!map->slots[i].key || map->slots[i].key == key) return &map->slots[i];
}

static void grow(struct ptrmap *map) {
  struct ptrmap old = *map;
  map->capacity = old.capacity ? old.capacity * 2 : 16;
  map->slots = xcalloc(map->capacity, sizeof *map->slots);
  for (size_t i = 0; i < old.capacity; i++)
    if (old.slots[i].key) *find(map, old.slots[i].key) = old.slots[i];
  free(old.slots);
}

void *ptrmap_get(const struct ptrmap *map, const void *key) {
  return map->capacity && key ? find(map, key)->value : NULL;
}

void *ptrmap_put(struct ptrmap *map, const void *key, void *value) {
  if ((map->count + 1) * 4 > map->capacity * 3) grow(map);
  struct ptrmap_slot *slot = find(map, key);
  if (!slot->key) {
    slot->key = key;
    map->count++;
  }
  void *old = slot->value;
  slot->value = value;
  return old;
}
