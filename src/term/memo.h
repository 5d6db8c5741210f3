/* A hash map from 64-bit keys (not 0) to 32-bit values: memo tables of term traversals. */
#ifndef COUPLET_TERM_MEMO_H
#define COUPLET_TERM_MEMO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct memo {
  uint64_t *keys; /* 0: free */
  uint32_t *values;
  size_t count, capacity;
};

void memo_init(struct memo *memo);
void memo_clear(struct memo *memo);
bool memo_find(const struct memo *memo, uint64_t key, uint32_t *value);
/* Adds or replaces. */
void memo_put(struct memo *memo, uint64_t key, uint32_t value);

#endif
