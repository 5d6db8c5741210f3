#include "smt/model.h"

#include <flint/fmpz_vec.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "out/print.h"

static const struct tvalue *apply(struct evaluator *ev, void *context, symbol_id symbol,
                                  const struct tvalue *const *args, size_t count) {
  (void)context; /* models are moved */
  struct model *m = (struct model *)(void *)((char *)ev - offsetof(struct model, ev));
  for (size_t i = 0; i < m->functions.len; i++) {
    struct model_function *f = &m->functions.at[i];
    if (f->symbol != symbol) continue;
    for (size_t k = 0; k < f->entries.len; k++) {
      int same = 1;
      for (size_t j = 0; same == 1 && j < count; j++)
        same = tvalue_equal(ev, f->entries.at[k].args[j], args[j]);
      if (same < 0) return tvalue_unknown(ev);
      if (same) return f->entries.at[k].result;
    }
    return f->otherwise ? f->otherwise : tvalue_unknown(ev);
  }
  return tvalue_unknown(ev);
}

void model_init(struct model *m, struct terms *ts) {
  *m = (struct model){0};
  eval_init(&m->ev, ts);
  m->ev.apply = apply;
}

void model_reset(struct model *m) {
  for (size_t i = 0; i < m->functions.len; i++) {
    for (size_t k = 0; k < m->functions.at[i].entries.len; k++)
      free(m->functions.at[i].entries.at[k].args);
    vec_clear(&m->functions.at[i].entries);
  }
  m->functions.len = 0;
  m->vars.len = 0;
  eval_reset(&m->ev);
}

void model_clear(struct model *m) {
  model_reset(m);
  vec_clear(&m->functions);
  vec_clear(&m->vars);
  eval_clear(&m->ev);
}

/* ---- reading -------------------------------------------------------------------------------- */

struct reader {
  struct model *m;
  Z3_context ctx;
  Z3_model z3;
};

static const struct tvalue *read_ast(struct reader *r, Z3_ast a, sort_id sort);

static const struct tvalue *read_numeral(struct reader *r, Z3_ast a) {
  struct evaluator *ev = &r->m->ev;
  fmpq q;
  fmpq_init(&q);
  const struct tvalue *v;
  if (Z3_is_algebraic_number(r->ctx, a)) { /* enclose the root */
    fmpq high;
    fmpq_init(&high);
    Z3_ast low_ast = Z3_get_algebraic_number_lower(r->ctx, a, 40);
    fmpq_set_str(&q, Z3_get_numeral_string(r->ctx, low_ast), 10);
    Z3_ast high_ast = Z3_get_algebraic_number_upper(r->ctx, a, 40);
    fmpq_set_str(&high, Z3_get_numeral_string(r->ctx, high_ast), 10);
    arb_t x, y;
    arb_init(x);
    arb_init(y);
    arb_set_fmpq(x, &q, ev->precision);
    arb_set_fmpq(y, &high, ev->precision);
    arb_union(x, x, y, ev->precision);
    v = tvalue_ball(ev, x);
    arb_clear(x);
    arb_clear(y);
    fmpq_clear(&high);
  } else if (fmpq_set_str(&q, Z3_get_numeral_string(r->ctx, a), 10) == 0) {
    v = tvalue_exact(ev, &q);
  } else {
    v = tvalue_unknown(ev);
  }
  fmpq_clear(&q);
  return v;
}

static const struct tvalue *default_value(struct reader *r, sort_id sort) {
  struct evaluator *ev = &r->m->ev;
  struct sort s = *sort_get(ev->ts, sort);
  switch (s.kind) {
  case SORT_KIND_BOOL: return tvalue_bool(ev, false);
  case SORT_KIND_INT:
  case SORT_KIND_REAL: return tvalue_int(ev, 0);
  case SORT_KIND_ABSTRACT: return tvalue_element(ev, 0);
  case SORT_KIND_LIST: return tvalue_items(ev, NULL, 0);
  case SORT_KIND_ARRAY: return tvalue_array(ev, NULL, NULL, 0, default_value(r, s.items[0]));
  case SORT_KIND_TUPLE: {
    VEC(const struct tvalue *) items = {0};
    for (size_t i = 0; i < s.count; i++)
      vec_push(&items, default_value(r, s.items[i]));
    const struct tvalue *v = tvalue_items(ev, items.at, items.len);
    vec_clear(&items);
    return v;
  }
  default: return tvalue_unknown(ev);
  }
}

/* An array given by a function table. (Tables and their entries, unlike terms, are freed by a later
 * call unless a reference is held.) */
static const struct tvalue *read_array_table(struct reader *r, Z3_func_decl f, sort_id elem) {
  struct evaluator *ev = &r->m->ev;
  Z3_func_interp fi = Z3_model_get_func_interp(r->ctx, r->z3, f);
  if (!fi) return tvalue_unknown(ev);
  Z3_func_interp_inc_ref(r->ctx, fi);
  unsigned n = Z3_func_interp_get_num_entries(r->ctx, fi);
  fmpz *keys = _fmpz_vec_init(n + 1);
  VEC(const struct tvalue *) items = {0};
  bool ok = true;
  for (unsigned i = 0; ok && i < n; i++) {
    Z3_func_entry e = Z3_func_interp_get_entry(r->ctx, fi, i);
    Z3_func_entry_inc_ref(r->ctx, e);
    const struct tvalue *k = read_ast(r, Z3_func_entry_get_arg(r->ctx, e, 0), SORT_INT);
    ok = k->kind == TVALUE_EXACT;
    if (ok) fmpz_set(&keys[i], fmpq_numref(&k->exact));
    vec_push(&items, read_ast(r, Z3_func_entry_get_value(r->ctx, e), elem));
    Z3_func_entry_dec_ref(r->ctx, e);
  }
  const struct tvalue *otherwise = read_ast(r, Z3_func_interp_get_else(r->ctx, fi), elem);
  Z3_func_interp_dec_ref(r->ctx, fi);
  const struct tvalue *v =
      ok ? tvalue_array(ev, keys, items.at, items.len, otherwise) : tvalue_unknown(ev);
  _fmpz_vec_clear(keys, n + 1);
  vec_clear(&items);
  return v;
}

static const struct tvalue *read_array(struct reader *r, Z3_ast a, sort_id sort) {
  struct evaluator *ev = &r->m->ev;
  sort_id elem = sort_elem(ev->ts, sort);
  Z3_app app = Z3_to_app(r->ctx, a);
  Z3_func_decl f = Z3_get_app_decl(r->ctx, app);
  switch (Z3_get_decl_kind(r->ctx, f)) {
  case Z3_OP_CONST_ARRAY:
    return tvalue_array(ev, NULL, NULL, 0, read_ast(r, Z3_get_app_arg(r->ctx, app, 0), elem));
  case Z3_OP_AS_ARRAY: return read_array_table(r, Z3_get_as_array_func_decl(r->ctx, a), elem);
  case Z3_OP_STORE: {
    const struct tvalue *base = read_array(r, Z3_get_app_arg(r->ctx, app, 0), sort);
    const struct tvalue *k = read_ast(r, Z3_get_app_arg(r->ctx, app, 1), SORT_INT);
    const struct tvalue *v = read_ast(r, Z3_get_app_arg(r->ctx, app, 2), elem);
    if (base->kind != TVALUE_ARRAY || k->kind != TVALUE_EXACT) return tvalue_unknown(ev);
    fmpz *keys = _fmpz_vec_init((slong)base->count + 1);
    VEC(const struct tvalue *) items = {0};
    for (size_t i = 0; i < base->count; i++) {
      fmpz_set(&keys[i], &base->keys[i]);
      vec_push(&items, base->items[i]);
    }
    fmpz_set(&keys[base->count], fmpq_numref(&k->exact));
    vec_push(&items, v);
    const struct tvalue *result = tvalue_array(ev, keys, items.at, items.len, base->fallback);
    _fmpz_vec_clear(keys, (slong)base->count + 1);
    vec_clear(&items);
    return result;
  }
  default: return tvalue_unknown(ev);
  }
}

/* Lists (nil, cons) and tuples. */
static const struct tvalue *read_data(struct reader *r, Z3_ast a, sort_id sort) {
  struct evaluator *ev = &r->m->ev;
  struct sort s = *sort_get(ev->ts, sort);
  VEC(const struct tvalue *) items = {0};
  Z3_app app = Z3_to_app(r->ctx, a);
  if (s.kind == SORT_KIND_TUPLE) {
    if (Z3_get_app_num_args(r->ctx, app) != s.count) return tvalue_unknown(ev);
    for (unsigned i = 0; i < s.count; i++)
      vec_push(&items, read_ast(r, Z3_get_app_arg(r->ctx, app, i), s.items[i]));
  } else {
    while (Z3_get_app_num_args(r->ctx, app) == 2) {
      vec_push(&items, read_ast(r, Z3_get_app_arg(r->ctx, app, 0), s.items[0]));
      Z3_ast tail = Z3_get_app_arg(r->ctx, app, 1);
      if (Z3_get_ast_kind(r->ctx, tail) != Z3_APP_AST) break;
      app = Z3_to_app(r->ctx, tail);
    }
  }
  const struct tvalue *v = tvalue_items(ev, items.at, items.len);
  vec_clear(&items);
  return v;
}

/* Elements of abstract sorts are called Name!val!3. */
static const struct tvalue *read_element(struct reader *r, Z3_ast a) {
  Z3_func_decl f = Z3_get_app_decl(r->ctx, Z3_to_app(r->ctx, a));
  Z3_symbol s = Z3_get_decl_name(r->ctx, f);
  if (Z3_get_symbol_kind(r->ctx, s) != Z3_STRING_SYMBOL) return tvalue_unknown(&r->m->ev);
  const char *bang = strrchr(Z3_get_symbol_string(r->ctx, s), '!');
  return bang ? tvalue_element(&r->m->ev, strtol(bang + 1, NULL, 10)) : tvalue_unknown(&r->m->ev);
}

static const struct tvalue *read_ast(struct reader *r, Z3_ast a, sort_id sort) {
  struct evaluator *ev = &r->m->ev;
  if (!a) return tvalue_unknown(ev);
  Z3_ast_kind kind = Z3_get_ast_kind(r->ctx, a);
  if (sort_is_numeric(sort))
    return kind == Z3_NUMERAL_AST || Z3_is_algebraic_number(r->ctx, a) ? read_numeral(r, a)
                                                                       : tvalue_unknown(ev);
  if (kind != Z3_APP_AST) return tvalue_unknown(ev);
  switch (sort_get(ev->ts, sort)->kind) {
  case SORT_KIND_BOOL: {
    Z3_lbool b = Z3_get_bool_value(r->ctx, a);
    return b == Z3_L_UNDEF ? tvalue_unknown(ev) : tvalue_bool(ev, b == Z3_L_TRUE);
  }
  case SORT_KIND_ARRAY: return read_array(r, a, sort);
  case SORT_KIND_LIST:
  case SORT_KIND_TUPLE: return read_data(r, a, sort);
  case SORT_KIND_ABSTRACT: return read_element(r, a);
  default: return tvalue_unknown(ev);
  }
}

static void read_function(struct reader *r, Z3_func_decl f, symbol_id symbol) {
  struct evaluator *ev = &r->m->ev;
  struct term_symbol s = *symbol_get(ev->ts, symbol);
  struct model_function out = {.symbol = symbol};
  if (s.count == 0) {
    out.otherwise = read_ast(r, Z3_model_get_const_interp(r->ctx, r->z3, f), s.result);
    vec_push(&r->m->functions, out);
    return;
  }
  Z3_func_interp fi = Z3_model_get_func_interp(r->ctx, r->z3, f);
  if (!fi) return;
  Z3_func_interp_inc_ref(r->ctx, fi);
  for (unsigned i = 0; i < Z3_func_interp_get_num_entries(r->ctx, fi); i++) {
    Z3_func_entry e = Z3_func_interp_get_entry(r->ctx, fi, i);
    Z3_func_entry_inc_ref(r->ctx, e);
    struct model_entry entry = {.args = xcalloc(s.count, sizeof *entry.args)};
    for (unsigned k = 0; k < s.count; k++)
      entry.args[k] = read_ast(r, Z3_func_entry_get_arg(r->ctx, e, k), s.args[k]);
    entry.result = read_ast(r, Z3_func_entry_get_value(r->ctx, e), s.result);
    vec_push(&out.entries, entry);
    Z3_func_entry_dec_ref(r->ctx, e);
  }
  out.otherwise = read_ast(r, Z3_func_interp_get_else(r->ctx, fi), s.result);
  Z3_func_interp_dec_ref(r->ctx, fi);
  vec_push(&r->m->functions, out);
}

static const char *decl_name(struct reader *r, Z3_func_decl f) {
  Z3_symbol s = Z3_get_decl_name(r->ctx, f);
  return Z3_get_symbol_kind(r->ctx, s) == Z3_STRING_SYMBOL ? Z3_get_symbol_string(r->ctx, s) : "";
}

/* The solver leaves out what does not matter: any value will do. */
static const struct tvalue *const_value(struct reader *r, const char *name, sort_id sort) {
  for (unsigned i = 0; i < Z3_model_get_num_consts(r->ctx, r->z3); i++) {
    Z3_func_decl f = Z3_model_get_const_decl(r->ctx, r->z3, i);
    if (strcmp(decl_name(r, f), name) == 0)
      return read_ast(r, Z3_model_get_const_interp(r->ctx, r->z3, f), sort);
  }
  return default_value(r, sort);
}

static void read_symbol(struct reader *r, const char *name, symbol_id symbol) {
  bool constant = symbol_get(r->m->ev.ts, symbol)->count == 0;
  unsigned n =
      constant ? Z3_model_get_num_consts(r->ctx, r->z3) : Z3_model_get_num_funcs(r->ctx, r->z3);
  for (unsigned i = 0; i < n; i++) {
    Z3_func_decl f = constant ? Z3_model_get_const_decl(r->ctx, r->z3, i)
                              : Z3_model_get_func_decl(r->ctx, r->z3, i);
    if (strcmp(decl_name(r, f), name) == 0) {
      read_function(r, f, symbol);
      return;
    }
  }
}

void model_read(struct model *m, Z3_context ctx, Z3_model z3, const struct encoding *names) {
  model_reset(m);
  struct reader r = {m, ctx, z3};
  for (size_t i = 0; i < names->names.len; i++) {
    term_id var = names->names.at[i].var;
    vec_push(&m->vars, var);
    eval_assign(&m->ev, var, const_value(&r, names->names.at[i].name, term_sort(m->ev.ts, var)));
  }
  for (size_t i = 0; i < names->functions.len; i++)
    read_symbol(&r, names->functions.at[i].name, names->functions.at[i].var);
}

void model_print(struct buffer *out, struct model *m) {
  for (size_t i = 0; i < m->vars.len; i++) {
    if (i) buffer_putc(out, '\n');
    term_print(out, m->ev.ts, m->vars.at[i]);
    buffer_puts(out, " = ");
    tvalue_print(out, eval_term(&m->ev, m->vars.at[i]));
  }
}
