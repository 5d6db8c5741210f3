#include "search/refute/layout.h"

#include "run/eval/ieee.h"

/* The type as the instance represents it. */
static const struct ast_type *reveal(const struct layout *l, const struct ast_type *t) {
  const struct ast_decl *instance = l->in->instance;
  if (t->kind != TYPE_ABSTRACT) return t;
  for (size_t i = 0; instance && i < instance->as.instance.count; i++) {
    const struct ast_binding *b = &instance->as.instance.bindings[i];
    if (b->kind == BINDING_TYPE && b->name.text == t->name.text) return reveal(l, b->type);
  }
  return t;
}

/* How many items; false: the length cannot be computed, or is too large. */
static bool length_of(const struct layout *l, const struct ast_type *t, size_t *n) {
  struct rvalue v;
  *n = l->list_length;
  if (t->kind == TYPE_LIST || !t->length) return true;
  struct diag_mark mark = diags_mark(&l->in->lang->diags);
  bool ok = reval_take(&l->in->ev, l->frame, t->length, &v);
  diags_rollback(&l->in->lang->diags, mark);
  if (!ok) return false;
  ok = v.kind == RVALUE_INT && fmpz_sgn(&v.as.integer) >= 0 &&
       fmpz_cmp_ui(&v.as.integer, LAYOUT_MOST_LEAVES) <= 0;
  if (ok) *n = fmpz_get_ui(&v.as.integer);
  rvalue_clear(&v);
  return ok;
}

static bool refuse(char **why, const struct ast_var *arg, const char *what) {
  *why = xasprintf("the input `%s` %s", arg->name.text, what);
  return false;
}

static bool add_leaves(struct layout *l, const struct ast_var *arg, size_t index, size_t item,
                       const struct ast_type *declared, bool outermost, char **why) {
  const struct ast_type *t = reveal(l, declared);
  size_t n = t->count;
  switch (t->kind) {
  case TYPE_BOOL:
  case TYPE_INT:
  case TYPE_FLOAT:
  case TYPE_FLOAT32:
  case TYPE_REAL:
    if (l->leaves.len == LAYOUT_MOST_LEAVES) return refuse(why, arg, "has too many items");
    vec_push(&l->leaves, (struct layout_leaf){t->kind, index, item});
    return true;
  case TYPE_ARRAY:
  case TYPE_LIST:
    if (!length_of(l, t, &n)) return refuse(why, arg, "has a length that is not known or large");
    break;
  case TYPE_TUPLE: break;
  default: return refuse(why, arg, "has an abstract type; an instance can say what it stands for");
  }
  for (size_t i = 0; i < n; i++)
    if (!add_leaves(l, arg, index, outermost ? i : item, t->items[t->kind == TYPE_TUPLE ? i : 0],
                    false, why))
      return false;
  return true;
}

bool layout_add(struct layout *l, const struct ast_routine *routine, size_t arg, char **why) {
  return add_leaves(l, routine->args[arg], arg, 0, routine->args[arg]->declared, true, why);
}

struct rvalue layout_value(const struct layout *l, const struct ast_type *declared,
                           const fmpq **numbers) {
  const struct ast_type *t = reveal(l, declared);
  size_t n = t->count;
  if (t->kind == TYPE_BOOL) return rvalue_bool(!fmpq_is_zero((*numbers)++));
  if (t->kind == TYPE_INT) {
    const fmpq *x = (*numbers)++;
    fmpz_t floor;
    fmpz_init(floor);
    fmpz_fdiv_q(floor, fmpq_numref(x), fmpq_denref(x));
    struct rvalue v = rvalue_fmpz(floor);
    fmpz_clear(floor);
    return v;
  }
  if (t->kind == TYPE_REAL) return rvalue_fmpq((*numbers)++);
  if (t->kind == TYPE_FLOAT || t->kind == TYPE_FLOAT32) {
    struct rvalue x = rvalue_fmpq((*numbers)++), nearest = rvalue_int(0);
    ieee_round(&nearest, ieee_format(t->kind), &x, false);
    rvalue_clear(&x);
    return nearest;
  }
  if (t->kind != TYPE_TUPLE && !length_of(l, t, &n)) n = 0;
  struct rvalue v = rvalue_seq(t->kind == TYPE_TUPLE  ? RVALUE_TUPLE
                               : t->kind == TYPE_LIST ? RVALUE_LIST
                                                      : RVALUE_ARRAY,
                               n);
  for (size_t i = 0; i < n; i++)
    v.as.seq->at[i] = layout_value(l, t->items[t->kind == TYPE_TUPLE ? i : 0], numbers);
  return v;
}

/* Returns how many numbers were read; more than count: the shape is another. */
static size_t read_numbers(const struct rvalue *v, fmpq *at, size_t count) {
  if (rvalue_is_seq(v)) {
    size_t used = 0;
    for (size_t i = 0; i < v->as.seq->len && used <= count; i++)
      used += read_numbers(&v->as.seq->at[i], at + used, count - used);
    return used;
  }
  bool known = v->kind == RVALUE_BOOL || v->kind == RVALUE_INT || v->kind == RVALUE_RATIONAL;
  if (!count || !known) return count + 1;
  if (v->kind == RVALUE_BOOL)
    fmpq_set_si(at, v->as.boolean, 1);
  else
    number_get_fmpq(at, v);
  return 1;
}

bool layout_read(const struct rvalue *v, fmpq *at, size_t count) {
  return read_numbers(v, at, count) == count;
}
