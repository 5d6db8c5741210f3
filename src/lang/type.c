#include "lang/type.h"

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
  types->empty_list = make(types, (struct type){.kind = TYPE_LIST});
}

void types_clear(struct types *types) {
  vec_clear(&types->all);
  arena_clear(&types->arena);
}

static bool same(const struct type *a, const struct type *b) {
  if (a->kind != b->kind || a->name != b->name || a->elem != b->elem || a->count != b->count)
    return false;
  for (size_t i = 0; i < a->count; i++)
    if (a->items[i] != b->items[i]) return false;
  return true;
}

/* Programs have a handful of compound types, so a linear search is the right table. */
static const struct type *cons(struct types *types, struct type fields) {
  for (size_t i = 0; i < types->all.len; i++)
    if (same(types->all.at[i], &fields)) return types->all.at[i];
  if (fields.count)
    fields.items = arena_memdup(&types->arena, fields.items, fields.count * sizeof *fields.items);
  const struct type *t = make(types, fields);
  vec_push(&types->all, t);
  return t;
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

const struct type *type_join(struct types *types, const struct type *a, const struct type *b) {
  if (type_accepts(a, b)) return a->kind == TYPE_ERROR ? b : a;
  if (type_accepts(b, a)) return b;
  if (a->kind != b->kind) return NULL;
  if (a->kind == TYPE_LIST || a->kind == TYPE_ARRAY) {
    const struct type *elem = type_join(types, a->elem, b->elem);
    if (!elem) return NULL;
    return a->kind == TYPE_LIST ? type_list(types, elem) : type_array(types, elem);
  }
  if (a->kind != TYPE_TUPLE || a->count != b->count) return NULL;
  VEC(const struct type *) items = {0};
  for (size_t i = 0; i < a->count; i++) {
    const struct type *item = type_join(types, a->items[i], b->items[i]);
    if (!item) {
      vec_clear(&items);
      return NULL;
    }
    vec_push(&items, item);
  }
  const struct type *t = type_tuple(types, items.at, items.len);
  vec_clear(&items);
  return t;
}

bool type_is_numeric(const struct type *type) {
  return type->kind == TYPE_INT || type->kind == TYPE_REAL || type->kind == TYPE_ERROR;
}

void type_print(struct buffer *out, const struct type *type) {
  switch (type->kind) {
  case TYPE_ERROR: buffer_puts(out, "<error>"); break;
  case TYPE_UNIT: buffer_puts(out, "nothing"); break;
  case TYPE_BOOL: buffer_puts(out, "bool"); break;
  case TYPE_INT: buffer_puts(out, "int"); break;
  case TYPE_REAL: buffer_puts(out, "real"); break;
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
