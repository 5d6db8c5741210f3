#include "term/memo.h"

#include <stdlib.h>

#include "base/alloc.h"

void memo_init(struct memo *memo) {
  *memo = (struct memo){0};
}

void memo_clear(struct memo *memo) {
  free(memo->keys);
  free(memo->values);
  *memo = (struct memo){0};
}

static size_t slot_of(const struct memo *memo, uint64_t key) {
  uint64_t h = key * UINT64_C(0x9E3779B97F4A7C15);
  size_t i = (h >> 32) & (memo->capacity - 1);
  while (memo->keys[i] && memo->keys[i] != key)
    i = (i + 1) & (memo->capacity - 1);
  return i;
}

bool memo_find(const struct memo *memo, uint64_t key, uint32_t *value) {
  if (!memo->count) return false;
  size_t i = slot_of(memo, key);
  if (!memo->keys[i]) return false;
  *value = memo->values[i];
  return true;
}

static void grow(struct memo *memo) {
  struct memo old = *memo;
  memo->capacity = old.capacity ? old.capacity * 2 : 32;
  memo->keys = xcalloc(memo->capacity, sizeof *memo->keys);
  memo->values = xcalloc(memo->capacity, sizeof *memo->values);
  for (size_t i = 0; i < old.capacity; i++) {
    if (!old.keys[i]) continue;
    size_t j = slot_of(memo, old.keys[i]);
    memo->keys[j] = old.keys[i];
    memo->values[j] = old.values[i];
  }
  free(old.keys);
  free(old.values);
}

void memo_put(struct memo *memo, uint64_t key, uint32_t value) {
  if ((memo->count + 1) * 4 > memo->capacity * 3) grow(memo);
  size_t i = slot_of(memo, key);
  if (!memo->keys[i]) {
    memo->keys[i] = key;
    memo->count++;
  }
  memo->values[i] = value;
}
