#include "check/recount/value.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/limits.h"
#include "num/rational.h"
#include "run/eval/ieee.h"

/* The type as the instance represents it; NULL: it does not. */
static const struct ast_type *reveal(const struct ast_type *t, const struct ast_decl *instance) {
  for (unsigned depth = 0; t && t->kind == TYPE_ABSTRACT; depth++) {
    const struct ast_type *found = NULL;
    for (size_t i = 0; instance && depth < LIMIT_NESTING && i < instance->as.instance.count; i++) {
      const struct ast_binding *b = &instance->as.instance.bindings[i];
      if (b->kind == BINDING_TYPE && b->name.text == t->name.text) found = b->type;
    }
    t = found;
  }
  return t;
}

static bool read_number(struct reader *r, const json_t *json, bool is_integer, struct rvalue *out) {
  fmpq_t q;
  fmpq_init(q);
  bool ok = reader_rational(r, json, q);
  if (ok && is_integer && !fmpz_is_one(fmpq_denref(q)))
    ok = reader_fail(r, "certificate-field", "'%.64s' is not an integer", json_string_value(json));
  if (ok) *out = rvalue_fmpq(q);
  fmpq_clear(q);
  return ok;
}

/* A number of the format; those of certificates are exact. */
static bool read_float(struct reader *r, const json_t *json, enum type_kind kind,
                       struct rvalue *out) {
  binary64 bits;
  if (!read_number(r, json, false, out)) return false;
  if (ieee_bits(&bits, ieee_format(kind), out)) return true;
  rvalue_clear(out);
  return reader_fail(r, "certificate-field", "'%.64s' is not a floating-point number",
                     json_string_value(json));
}

static bool read_items(struct reader *r, const json_t *json, const struct ast_type *type,
                       const struct ast_decl *instance, struct rvalue *out) {
  if (!json_is_array(json)) return reader_fail(r, "certificate-field", "expected an array");
  size_t count = json_array_size(json);
  if (type->kind == TYPE_TUPLE && count != type->count)
    return reader_fail(r, "certificate-field", "expected %zu items, found %zu", type->count, count);
  *out = rvalue_seq(type->kind == TYPE_LIST    ? RVALUE_LIST
                    : type->kind == TYPE_ARRAY ? RVALUE_ARRAY
                                               : RVALUE_TUPLE,
                    count);
  for (size_t i = 0; i < count; i++) {
    size_t mark = reader_enter_item(r, i);
    if (!value_from_json(r, json_array_get(json, i), type->items[type->kind == TYPE_TUPLE ? i : 0],
                         instance, &out->as.seq->at[i])) {
      rvalue_clear(out);
      return false;
    }
    reader_leave(r, mark);
  }
  return true;
}

bool value_from_json(struct reader *r, const json_t *json, const struct ast_type *declared,
                     const struct ast_decl *instance, struct rvalue *out) {
  const struct ast_type *type = reveal(declared, instance);
  bool has_items = type && (type->kind == TYPE_TUPLE || type->count > 0);
  switch (type ? type->kind : TYPE_ABSTRACT) {
  case TYPE_BOOL:
    if (!json_is_boolean(json))
      return reader_fail(r, "certificate-field", "expected true or false");
    *out = rvalue_bool(json_is_true(json));
    return true;
  case TYPE_INT: return read_number(r, json, true, out);
  case TYPE_REAL: return read_number(r, json, false, out);
  case TYPE_FLOAT:
  case TYPE_FLOAT32: return read_float(r, json, type->kind, out);
  case TYPE_LIST:
  case TYPE_ARRAY:
  case TYPE_TUPLE:
    if (has_items) return read_items(r, json, type, instance, out);
    break;
  default: break;
  }
  return reader_fail(r, "certificate-field", "the instance gives no values of this type");
}
