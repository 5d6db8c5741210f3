/* Types as written, and what they denote. */
#include "lang/check/check_internal.h"
#include "lang/check/constant.h"

const char *type_text(struct checker *c, const struct type *type) {
  struct buffer b;
  buffer_init(&b);
  type_print(&b, type);
  const char *text = arena_strndup(&c->lang->arena, buffer_text(&b), b.len);
  buffer_clear(&b);
  return text;
}

static const struct type *map_items(struct checker *c, const struct type *t) {
  VEC(const struct type *) items = {0};
  for (size_t i = 0; i < t->count; i++)
    vec_push(&items, type_reveal(c, t->items[i]));
  const struct type *mapped = type_tuple(c->types, items.at, items.len);
  vec_clear(&items);
  return mapped;
}

const struct type *type_reveal(struct checker *c, const struct type *type) {
  if (!c->reveal) return type;
  switch (type->kind) {
  case TYPE_ABSTRACT: {
    const struct type *known = ptrmap_get(c->reveal, type->name);
    return known ? known : type;
  }
  case TYPE_ARRAY: return type_array(c->types, type_reveal(c, type->elem));
  case TYPE_LIST: return type->elem ? type_list(c->types, type_reveal(c, type->elem)) : type;
  case TYPE_TUPLE: return map_items(c, type);
  default: return type;
  }
}

static void check_length(struct checker *c, struct ast_expr *length) {
  check_against(c, length, c->types->integer, "the length of an array");
  if (constant_sign(length) == -1)
    report_error(c, length->span, "negative-length", "the length of an array may not be negative");
}

static const struct type *resolve(struct checker *c, struct ast_type *w) {
  switch (w->kind) {
  case TYPE_BOOL: return c->types->boolean;
  case TYPE_INT: return c->types->integer;
  case TYPE_REAL: return c->types->real;
  case TYPE_FLOAT: return c->types->binary64;
  case TYPE_FLOAT32: return c->types->binary32;
  case TYPE_UNIT: return c->types->unit;
  case TYPE_ERROR: return c->types->error;
  case TYPE_ABSTRACT:
    if (!names_find_type(c, w->name)) return c->types->error;
    return type_reveal(c, type_abstract(c->types, w->name.text));
  case TYPE_ARRAY:
    if (w->length) check_length(c, w->length);
    return type_array(c->types, type_resolve(c, w->items[0]));
  case TYPE_LIST: return type_list(c->types, type_resolve(c, w->items[0]));
  case TYPE_TUPLE: {
    VEC(const struct type *) items = {0};
    for (size_t i = 0; i < w->count; i++)
      vec_push(&items, type_resolve(c, w->items[i]));
    const struct type *t = type_tuple(c->types, items.at, items.len);
    vec_clear(&items);
    return t;
  }
  }
  return c->types->error;
}

const struct type *type_resolve(struct checker *c, struct ast_type *written) {
  return written->type = resolve(c, written);
}

static void resolve_arg(struct checker *c, struct ast_var **args, size_t i, enum var_role role) {
  struct ast_var *var = args[i];
  var->role = role;
  var->slot = i;
  if (!var->declared)
    var->type = c->types->error;
  else if (i && args[i - 1]->declared == var->declared)
    var->type = args[i - 1]->type;
  else
    var->type = type_resolve(c, var->declared);
}

void resolve_args(struct checker *c, struct ast_var **args, size_t count, enum var_role role) {
  for (size_t i = 0; i < count; i++)
    resolve_arg(c, args, i, role);
}

void bind_args(struct checker *c, struct ast_var **args, size_t count, enum var_role role) {
  for (size_t i = 0; i < count; i++) {
    resolve_arg(c, args, i, role);
    names_bind(c, args[i]);
  }
}
