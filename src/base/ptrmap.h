/* Hash map from pointers to pointers, keyed by identity: symbol tables over interned names, side
 * tables over AST nodes. A key that was never put, or was put with NULL, reads as NULL. */
#ifndef COUPLET_BASE_PTRMAP_H
#define COUPLET_BASE_PTRMAP_H

#include <stddef.h>

struct ptrmap_slot {
  const void *key; /* NULL: free */
  void *value;
};

struct ptrmap {
  struct ptrmap_slot *slots; /* open addressing; capacity is 0 or a power of two */
  size_t count, capacity;
};

void ptrmap_init(struct ptrmap *map);
void ptrmap_clear(struct ptrmap *map); /* also empties it for reuse */

void *ptrmap_get(const struct ptrmap *map, const void *key);
/* Returns what the key had before. `key` is not NULL. */
void *ptrmap_put(struct ptrmap *map, const void *key, void *value);

#endif
