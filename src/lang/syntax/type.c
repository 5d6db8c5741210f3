#include "lang/syntax/type.h"

#include <stdint.h>
#include <stdlib.h>

#include "base/alloc.h"

static const struct type *make(struct types *types, struct type fields) {
  struct type *t = arena_new(&types->arena, struct type);
  *t = fields;
  return t;
}

void types_init(struct types *types) {
  *types = (struct types){0};
  arena_init(&types->arena);
  types->error = make(types, (struct type){.kind = TYPE_ERROR});
  types->unit = make(types, (struct type){.kind = TYPE_UNIT});
  types->boolean = make(types, (struct type){.kind = TYPE_BOOL});
  types->integer = make(types, (struct type){.kind = TYPE_INT});
  types->real = make(types, (struct type){.kind = TYPE_REAL});
  types->binary64 = make(types, (struct type){.kind = TYPE_FLOAT});
  types->binary32 = make(types, (struct type){.kind = TYPE_FLOAT32});
  types->empty_list = make(types, (struct type){.kind = TYPE_LIST});
}

void types_clear(struct types *types) {
  free(types->slots);
  arena_clear(&types->arena);
}

static bool same(const struct type *a, const struct type *b) {
  if (a->kind != b->kind || a->name != b->name || a->elem != b->elem || a->count != b->count)
    return false;
  for (size_t i = 0; i < a->count; i++)
    if (a->items[i] != b->items[i]) return false;
  return true;
}

static uint64_t hash(const struct type *t) {
  uint64_t h = (uint64_t)t->kind * 31 + (uintptr_t)t->name;
  h = h * UINT64_C(0x9E3779B97F4A7C15) + (uintptr_t)t->elem;
  for (size_t i = 0; i < t->count; i++)
    h = h * UINT64_C(0x9E3779B97F4A7C15) + (uintptr_t)t->items[i];
  return (h ^ (h >> 32)) * UINT64_C(0x9E3779B97F4A7C15) >> 20;
}

/* The slot that holds an equal type, or the free one where it belongs. */
static const struct type **find(struct types *types, const struct type *t) {
  for (size_t i = hash(t);; i++) {
    const struct type **slot = &types->slots[i & (types->capacity - 1)];
    if (!*slot || same(*slot, t)) return slot;
  }
}

static void grow(struct types *types) {
  const struct type **old = types->slots;
  size_t count = types->capacity;
  types->capacity = count ? count * 2 : 64;
  types->slots = xcalloc(types->capacity, sizeof *types->slots);
  for (size_t i = 0; i < count; i++)
    if (old[i]) *find(types, old[i]) = old[i];
  free(old);
}

static const struct type *cons(struct types *types, struct type fields) {
  if ((types->count + 1) * 4 > types->capacity * 3) grow(types);
  const struct type **slot = find(types, &fields);
  if (*slot) return *slot;
  if (fields.count)
    fields.items = arena_memdup(&types->arena, fields.items, fields.count * sizeof *fields.items);
  types->count++;
  return *slot = make(types, fields);
}

const struct type *type_abstract(struct types *types, const char *name) {
  return cons(types, (struct type){.kind = TYPE_ABSTRACT, .name = name});
}

const struct type *type_array(struct types *types, const struct type *elem) {
  return cons(types, (struct type){.kind = TYPE_ARRAY, .elem = elem});
}

const struct type *type_list(struct types *types, const struct type *elem) {
  return elem ? cons(types, (struct type){.kind = TYPE_LIST, .elem = elem}) : types->empty_list;
}

const struct type *type_tuple(struct types *types, const struct type *const *items, size_t count) {
  return cons(types, (struct type){.kind = TYPE_TUPLE, .items = items, .count = count});
}

bool type_accepts(const struct type *to, const struct type *from) {
  if (to == from || to->kind == TYPE_ERROR || from->kind == TYPE_ERROR) return true;
  if (to->kind == TYPE_REAL && from->kind == TYPE_INT) return true;
  if (to->kind != from->kind) return false;
  switch (to->kind) {
  case TYPE_LIST: return !from->elem || (to->elem && type_accepts(to->elem, from->elem));
  case TYPE_ARRAY: return type_accepts(to->elem, from->elem);
  case TYPE_TUPLE:
    if (to->count != from->count) return false;
    for (size_t i = 0; i < to->count; i++)
      if (!type_accepts(to->items[i], from->items[i])) return false;
    return true;
  default: return false;
  }
}

static const struct type *join_tuples(struct types *types, const struct type *a,
                                      const struct type *b) {
  if (a->count != b->count) return NULL;
  VEC(const struct type *) items = {0};
  const struct type *joined = NULL;
  for (size_t i = 0; i < a->count; i++) {
    const struct type *item = type_join(types, a->items[i], b->items[i]);
    if (!item) goto done;
    vec_push(&items, item);
  }
  joined = type_tuple(types, items.at, items.len);
done:
  vec_clear(&items);
  return joined;
}

const struct type *type_join(struct types *types, const struct type *a, const struct type *b) {
  if (a == b || b->kind == TYPE_ERROR) return a;
  if (a->kind == TYPE_ERROR) return b;
  if (a->kind != b->kind) {
    if (a->kind == TYPE_INT && b->kind == TYPE_REAL) return b;
    return a->kind == TYPE_REAL && b->kind == TYPE_INT ? a : NULL;
  }
  if (a->kind == TYPE_TUPLE) return join_tuples(types, a, b);
  if (a->kind != TYPE_LIST && a->kind != TYPE_ARRAY) return NULL;
  if (!a->elem || !b->elem) return a->elem ? a : b;
  const struct type *elem = type_join(types, a->elem, b->elem);
  if (!elem) return NULL;
  return a->kind == TYPE_LIST ? type_list(types, elem) : type_array(types, elem);
}

bool type_is_numeric(const struct type *type) {
  return type->kind == TYPE_INT || type->kind == TYPE_REAL || type->kind == TYPE_ERROR;
}

bool type_is_float(const struct type *type) {
  return type->kind == TYPE_FLOAT || type->kind == TYPE_FLOAT32;
}

bool type_has_float(const struct type *t) {
  if (t->kind == TYPE_ARRAY || t->kind == TYPE_LIST) return t->elem && type_has_float(t->elem);
  for (size_t i = 0; i < t->count; i++)
    if (type_has_float(t->items[i])) return true;
  return type_is_float(t);
}

bool type_is_option(const struct type *type) {
  return type->kind == TYPE_TUPLE && type->count == 2 && type->items[0]->kind == TYPE_BOOL;
}

void type_print(struct buffer *out, const struct type *type) {
  switch (type->kind) {
  case TYPE_ERROR: buffer_puts(out, "<error>"); break;
  case TYPE_UNIT: buffer_puts(out, "nothing"); break;
  case TYPE_BOOL: buffer_puts(out, "bool"); break;
  case TYPE_INT: buffer_puts(out, "int"); break;
  case TYPE_REAL: buffer_puts(out, "real"); break;
  case TYPE_FLOAT: buffer_puts(out, "float"); break;
  case TYPE_FLOAT32: buffer_puts(out, "float32"); break;
  case TYPE_ABSTRACT: buffer_puts(out, type->name); break;
  case TYPE_ARRAY:
    type_print(out, type->elem);
    buffer_puts(out, "[]");
    break;
  case TYPE_LIST:
    if (!type->elem) {
      buffer_puts(out, "empty list");
      break;
    }
    buffer_puts(out, "list(");
    type_print(out, type->elem);
    buffer_putc(out, ')');
    break;
  case TYPE_TUPLE:
    buffer_putc(out, '(');
    for (size_t i = 0; i < type->count; i++) {
      if (i) buffer_puts(out, ", ");
      type_print(out, type->items[i]);
    }
    buffer_putc(out, ')');
    break;
  }
}

bool type_fits_input(const struct type *to, const struct type *from) {
  if (to->kind == TYPE_ARRAY && from->kind == TYPE_LIST)
    return !from->elem || type_fits_input(to->elem, from->elem);
  return type_accepts(to, from);
}
