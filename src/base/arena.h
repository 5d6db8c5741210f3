/* Arena: memory that is released all at once. Everything an AST points to lives in one. */
#ifndef COUPLET_BASE_ARENA_H
#define COUPLET_BASE_ARENA_H

#include <stddef.h>

struct arena_block;
struct arena {
  struct arena_block *blocks; /* newest first */
};

void arena_init(struct arena *arena);
void arena_clear(struct arena *arena);

/* Zeroed memory, aligned for any type; lives until arena_clear. */
void *arena_alloc(struct arena *arena, size_t size);
void *arena_memdup(struct arena *arena, const void *data, size_t size);
char *arena_strndup(struct arena *arena, const char *text, size_t length);
char *arena_printf(struct arena *arena, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#define arena_new(arena, type) ((type *)arena_alloc((arena), sizeof(type)))
/* Moves the contents of a VEC into the arena and clears the VEC; evaluates to the new address. */
#define arena_take_vec(arena, v)                                                                   \
  arena_take_((arena), (void **)&(v)->at, &(v)->len, &(v)->cap, sizeof *(v)->at)
void *arena_take_(struct arena *arena, void **at, size_t *len, size_t *cap, size_t item);

#endif
