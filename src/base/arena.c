#include "base/arena.h"

#include <stdalign.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

struct arena_block {
  struct arena_block *next;
  size_t used, size;
  alignas(max_align_t) unsigned char bytes[];
};

enum { FIRST_BLOCK = 4096, LARGEST_BLOCK = 1 << 20 };

void arena_init(struct arena *arena) {
  arena->blocks = NULL;
}

void arena_clear(struct arena *arena) {
  struct arena_block *next;
  for (struct arena_block *b = arena->blocks; b; b = next) {
    next = b->next;
    free(b);
  }
  arena->blocks = NULL;
}

void *arena_alloc(struct arena *arena, size_t size) {
  const size_t align = alignof(max_align_t);
  size = (size + align - 1) / align * align;
  struct arena_block *b = arena->blocks;
  if (!b || b->size - b->used < size) {
    size_t wanted = b ? b->size * 2 : FIRST_BLOCK;
    if (wanted > LARGEST_BLOCK) wanted = LARGEST_BLOCK;
    if (wanted < size) wanted = size;
    b = xmalloc(sizeof *b + wanted);
    *b = (struct arena_block){.next = arena->blocks, .size = wanted};
    arena->blocks = b;
  }
  void *p = b->bytes + b->used;
  b->used += size;
  return memset(p, 0, size);
}

void *arena_memdup(struct arena *arena, const void *data, size_t size) {
  void *p = arena_alloc(arena, size);
  if (size) memcpy(p, data, size);
  return p;
}

char *arena_strndup(struct arena *arena, const char *text, size_t length) {
  char *p = arena_alloc(arena, length + 1);
  memcpy(p, text, length);
  return p;
}

char *arena_printf(struct arena *arena, const char *format, ...) {
  va_list args, again;
  va_start(args, format);
  va_copy(again, args);
  int n = vsnprintf(NULL, 0, format, args);
  va_end(args);
  char *p = arena_alloc(arena, (size_t)n + 1);
  vsnprintf(p, (size_t)n + 1, format, again);
  va_end(again);
  return p;
}

void *arena_take_(struct arena *arena, void **at, size_t *len, size_t *cap, size_t item) {
  void *p = arena_memdup(arena, *at, *len * item);
  free(*at);
  *at = NULL;
  *len = *cap = 0;
  return p;
}
