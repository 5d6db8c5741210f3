#include "check/counterexample/ground.h"

#include <flint/fmpz_vec.h>
#include <stdlib.h>
#include <string.h>

#include "claim/sums.h"
#include "kernel/context.h"
#include "run/eval/cover.h"
#include "run/eval/number.h"
#include "term/build.h"
#include "term/subst.h"

enum { GROUND_PRECISION = 256, GROUND_LONGEST_LIST = 64 };

/* ---- values as values of terms -------------------------------------------------------------- */

static const struct tvalue *fail(struct ground *g) {
  g->failed = true;
  return tvalue_unknown(&g->eval);
}

/* The number of a value of an abstract type. */
static const struct tvalue *element_value(struct ground *g, const struct rvalue *v,
                                          const struct type *type) {
  for (size_t i = 0; i < g->elements.len; i++) {
    int order;
    if (g->elements.at[i].type != type) continue;
    if (!rvalue_compare(&order, &g->elements.at[i].value, v)) return fail(g);
    if (order == 0) return tvalue_element(&g->eval, (long)i);
  }
  vec_push(&g->elements, (struct ground_element){type, rvalue_copy(v)});
  return tvalue_element(&g->eval, (long)g->elements.len - 1);
}

static const struct tvalue *number_value(struct ground *g, const struct rvalue *v,
                                         const struct type *type) {
  if (v->kind == RVALUE_INT || (v->kind == RVALUE_RATIONAL && type->kind != TYPE_INT)) {
    fmpq_t q;
    fmpq_init(q);
    number_get_fmpq(q, v);
    const struct tvalue *t = tvalue_exact(&g->eval, q);
    fmpq_clear(q);
    return t;
  }
  if (v->kind != RVALUE_IRRATIONAL || type->kind != TYPE_REAL) return fail(g);
  return tvalue_ball(&g->eval, creal_ball(v->as.irrational, GROUND_PRECISION));
}

/* What an array is beyond its length. Nothing is known about elements of abstract types. */
static const struct tvalue *zero_value(struct ground *g, const struct type *type) {
  switch (type->kind) {
  case TYPE_BOOL: return tvalue_bool(&g->eval, false);
  case TYPE_INT:
  case TYPE_FLOAT:
  case TYPE_FLOAT32:
  case TYPE_REAL: return tvalue_int(&g->eval, 0);
  case TYPE_LIST: return tvalue_items(&g->eval, NULL, 0);
  case TYPE_ARRAY: return tvalue_array(&g->eval, NULL, NULL, 0, zero_value(g, type->elem));
  case TYPE_TUPLE: {
    const struct tvalue **items = xcalloc(type->count + 1, sizeof *items);
    for (size_t i = 0; i < type->count; i++)
      items[i] = zero_value(g, type->items[i]);
    const struct tvalue *t = tvalue_items(&g->eval, items, type->count);
    free(items);
    return t;
  }
  default: return tvalue_unknown(&g->eval);
  }
}

static const struct tvalue *seq_value(struct ground *g, const struct rvalue *v,
                                      const struct type *type) {
  bool is_tuple = type->kind == TYPE_TUPLE;
  if (!rvalue_is_seq(v) || (v->kind == RVALUE_TUPLE) != is_tuple) return fail(g);
  size_t n = v->as.seq->len;
  if (is_tuple && n != type->count) return fail(g);
  const struct tvalue **items = xcalloc(n + 1, sizeof *items);
  fmpz *keys = _fmpz_vec_init((slong)n + 1);
  for (size_t i = 0; i < n; i++) {
    const struct type *item = is_tuple ? type->items[i] : type->elem;
    items[i] = item ? ground_value(g, &v->as.seq->at[i], item) : fail(g);
    fmpz_set_ui(&keys[i], i);
  }
  const struct tvalue *t = type->kind == TYPE_ARRAY
                               ? tvalue_array(&g->eval, keys, items, n, zero_value(g, type->elem))
                               : tvalue_items(&g->eval, items, n);
  _fmpz_vec_clear(keys, (slong)n + 1);
  free(items);
  return t;
}

const struct tvalue *ground_value(struct ground *g, const struct rvalue *v,
                                  const struct type *type) {
  switch (type->kind) {
  case TYPE_BOOL: return v->kind == RVALUE_BOOL ? tvalue_bool(&g->eval, v->as.boolean) : fail(g);
  case TYPE_INT:
  case TYPE_FLOAT:
  case TYPE_FLOAT32:
  case TYPE_REAL: return number_value(g, v, type);
  case TYPE_ABSTRACT: return element_value(g, v, type);
  case TYPE_LIST:
  case TYPE_TUPLE:
  case TYPE_ARRAY: return seq_value(g, v, type);
  default: return fail(g);
  }
}

/* ---- operators ------------------------------------------------------------------------------ */

/* Back again, for arguments of operators: numbers, truth values and elements. */
static bool argument_value(struct ground *g, const struct tvalue *t, struct rvalue *out) {
  if (t->kind == TVALUE_BOOL) {
    *out = rvalue_bool(t->truth);
  } else if (t->kind == TVALUE_EXACT) {
    *out = rvalue_fmpq(&t->exact);
  } else if (t->kind == TVALUE_ELEMENT && t->element >= 0 && (size_t)t->element < g->elements.len) {
    *out = rvalue_copy(&g->elements.at[t->element].value);
  } else {
    return false;
  }
  return true;
}

static const struct ast_decl *op_of_symbol(const struct ground *g, symbol_id symbol) {
  const char *name = g->terms.symbols.at[symbol].name;
  for (size_t i = 0; i < g->env.module->decl_count; i++) {
    const struct ast_decl *d = g->env.module->decls[i];
    if (d->kind == DECL_OP && strcmp(d->name.text, name) == 0) return d;
  }
  return NULL;
}

static const struct translate_sum *sum_of_symbol(const struct ground *g, symbol_id symbol) {
  for (size_t i = 0; i < g->env.sums.len; i++)
    if (g->env.sums.at[i].symbol == symbol) return &g->env.sums.at[i];
  return NULL;
}

/* The body with names of their own for its arguments, which have these values. */
static term_id sum_body(struct ground *g, const struct translate_sum *s,
                        const struct tvalue *const *args) {
  term_list names = {0};
  for (size_t i = 0; i < s->arg_count; i++) {
    term_id name = kernel_fresh(g->kernel, "summed", term_sort(&g->terms, s->args[i]));
    eval_assign(&g->eval, name, args[i]);
    vec_push(&names, name);
  }
  term_id body = term_subst(&g->terms, s->body, s->args, names.at, s->arg_count);
  vec_clear(&names);
  return body;
}

static bool small_integer(const struct tvalue *v, slong *out) {
  if (v->kind != TVALUE_EXACT || !fmpz_is_one(fmpq_denref(&v->exact)) ||
      !fmpz_fits_si(fmpq_numref(&v->exact)))
    return false;
  *out = fmpz_get_si(fmpq_numref(&v->exact));
  return *out >= -EVAL_MAX_RANGE && *out <= EVAL_MAX_RANGE;
}

/* A sum (sums.h) is applied to the variables of its body and to its range. */
static const struct tvalue *apply_sum(struct ground *g, const struct translate_sum *s,
                                      const struct tvalue *const *args, size_t count) {
  slong low, high;
  if (count != s->arg_count + 2 || !small_integer(args[count - 2], &low) ||
      !small_integer(args[count - 1], &high))
    return tvalue_unknown(&g->eval);
  term_id body = sum_body(g, s, args), index = sum_index(&g->terms),
          total = term_rat(&g->terms, 0, 1);
  for (slong k = low; k < high; k++) {
    term_id at = term_int(&g->terms, k);
    total = term_add(&g->terms, total, term_subst(&g->terms, body, &index, &at, 1));
  }
  return eval_term(&g->eval, total);
}

static unsigned op_period(void *context, symbol_id symbol, size_t arg) {
  const struct ground *g = context;
  const struct ast_decl *op = sum_of_symbol(g, symbol) ? NULL : op_of_symbol(g, symbol);
  const struct ast_binding *meaning = op ? ptrmap_get(&g->meanings->ops, op) : NULL;
  return meaning ? cover_period(meaning, arg) : 0;
}

/* The instance gives an operator as an expression of its arguments, which only the evaluator can
 * compute: the logic knows nothing about it but the axioms. */
static const struct tvalue *apply_op(struct evaluator *ev, void *context, symbol_id symbol,
                                     const struct tvalue *const *args, size_t count) {
  struct ground *g = context;
  const struct translate_sum *sum = sum_of_symbol(g, symbol);
  if (sum) return apply_sum(g, sum, args, count);
  const struct ast_decl *op = op_of_symbol(g, symbol);
  const struct ast_binding *meaning = op ? ptrmap_get(&g->meanings->ops, op) : NULL;
  if (!meaning || meaning->arg_count != count) return tvalue_unknown(ev);
  struct diags *diags = &g->env.lang->diags;
  struct diag_mark mark = diags_mark(diags);
  const struct reval_pair *pair = g->meanings->pair;
  struct rframe frame;
  rframe_init(&frame, count);
  struct rvalue result = {0};
  bool ok = true;
  for (size_t i = 0; ok && i < count; i++)
    ok = argument_value(g, args[i], &frame.at[i]);
  g->meanings->pair = NULL;
  ok = ok && reval_take(g->meanings, &frame, meaning->value, &result);
  g->meanings->pair = pair;
  const struct tvalue *t =
      ok ? ground_value(g, &result, op->as.op.result->type) : tvalue_unknown(ev);
  rvalue_clear(&result);
  rframe_clear(&frame);
  diags_rollback(diags, mark);
  return t;
}

/* ---- the structure -------------------------------------------------------------------------- */

static void assign(struct ground *g, term_id term, const struct rvalue *v,
                   const struct type *type) {
  if (term == TERM_NONE || !v || v->kind == RVALUE_UNSET)
    g->failed = true;
  else
    eval_assign(&g->eval, term, ground_value(g, v, type));
}

static void assign_params(struct ground *g) {
  for (size_t i = 0; i < g->env.module->decl_count; i++) {
    const struct ast_decl *d = g->env.module->decls[i];
    if (d->kind != DECL_PARAM) continue;
    const struct type *type = d->as.param.type->type;
    term_id term = term_var(&g->terms, d->name.text, translate_sort(&g->env, type), 0, 0);
    assign(g, term, reval_get_param(g->meanings, d), type);
  }
}

/* The declared length of an array, which adjacency shorthands range over. */
static term_id length_term(struct ground *g, const struct ast_var *v) {
  if (v->declared->kind != TYPE_ARRAY || !v->declared->length) return TERM_NONE;
  return translate_expr(&g->env, v->declared->length);
}

/* Private inputs have a copy in each run, as in a proof; public ones are the same in both. */
static void assign_inputs(struct ground *g, const struct ast_routine *m,
                          const struct rframe *inputs[2]) {
  for (size_t i = 0; i < m->arg_count; i++) {
    const struct ast_var *v = m->args[i];
    sort_id sort = translate_sort(&g->env, v->type);
    term_id term = v->is_private ? kernel_var(g->kernel, v->name.text, sort, true)
                                 : kernel_fresh(g->kernel, v->name.text, sort);
    if (!v->is_private) vec_push(&g->env.fixed, term);
    translate_bind(&g->env, v, v->name.text, term, v->is_private, length_term(g, v));
    for (unsigned run = 1; run <= 2; run++)
      if (term == TERM_NONE || v->is_private || run == 1)
        assign(g, v->is_private && term ? term_var_in_run(&g->terms, term, run) : term,
               rframe_get(inputs[run - 1], v), v->type);
  }
}

static size_t longest_list(const struct rvalue *v) {
  size_t most = v && v->kind == RVALUE_LIST ? v->as.seq->len : 0;
  for (size_t i = 0; v && rvalue_is_seq(v) && i < v->as.seq->len; i++) {
    size_t inner = longest_list(&v->as.seq->at[i]);
    if (inner > most) most = inner;
  }
  return most;
}

/* Items of lists are told apart case by case, so lists must be short. */
static void bound_lists(struct ground *g, const struct ast_routine *m,
                        const struct rframe *inputs[2]) {
  size_t most = 1;
  for (size_t i = 0; i < g->env.module->decl_count; i++) {
    const struct ast_decl *d = g->env.module->decls[i];
    size_t n = d->kind == DECL_PARAM ? longest_list(reval_get_param(g->meanings, d)) : 0;
    if (n > most) most = n;
  }
  for (size_t i = 0; i < 2 * m->arg_count; i++) {
    size_t n = longest_list(rframe_get(inputs[i % 2], m->args[i / 2]));
    if (n > most) most = n;
  }
  g->env.list_bound = most <= GROUND_LONGEST_LIST ? most : 0;
}

/* The elements met so far are all that their types have; and nothing that an adjacency says to
 * exist needs to be looked for beyond the items of the arrays. */
static void close_structure(struct ground *g, const struct ast_routine *m,
                            const struct rframe *inputs[2]) {
  for (size_t i = 0; i < g->elements.len; i++) {
    const struct type *type = g->elements.at[i].type;
    bool is_first = true;
    for (size_t j = 0; j < i; j++)
      is_first = is_first && g->elements.at[j].type != type;
    if (!is_first) continue;
    const struct tvalue **values = xcalloc(g->elements.len, sizeof *values);
    size_t count = 0;
    for (size_t j = i; j < g->elements.len; j++)
      if (g->elements.at[j].type == type) values[count++] = tvalue_element(&g->eval, (long)j);
    vec_push(&g->carriers, values);
    vec_push(&g->eval.carriers,
             (struct eval_carrier){translate_sort(&g->env, type), values, count});
  }
  g->eval.low = -1;
  g->eval.high = 8;
  for (size_t i = 0; i < m->arg_count; i++) {
    const struct rvalue *v = rframe_get(inputs[0], m->args[i]);
    if (v && rvalue_is_seq(v) && v->as.seq->len < EVAL_MAX_RANGE &&
        (long)v->as.seq->len > g->eval.high)
      g->eval.high = (long)v->as.seq->len;
  }
}

void ground_init(struct ground *g, struct lang *lang, const struct ast_module *module,
                 const struct ast_routine *mechanism, struct reval *ev,
                 const struct rframe *inputs[2]) {
  *g = (struct ground){.meanings = ev};
  terms_init(&g->terms);
  g->kernel = kernel_new(&g->terms, NULL); /* nothing is proved here: no solver */
  translate_env_init(&g->env, g->kernel, lang, module);
  eval_init(&g->eval, &g->terms);
  g->eval.precision = GROUND_PRECISION;
  g->eval.apply = apply_op;
  g->eval.period = op_period;
  g->eval.context = g;
  assign_params(g);
  assign_inputs(g, mechanism, inputs);
  bound_lists(g, mechanism, inputs);
  close_structure(g, mechanism, inputs);
  if (g->env.error) g->failed = true;
}

void ground_clear(struct ground *g) {
  eval_clear(&g->eval);
  for (size_t i = 0; i < g->carriers.len; i++)
    free(g->carriers.at[i]);
  vec_clear(&g->carriers);
  for (size_t i = 0; i < g->elements.len; i++)
    rvalue_clear(&g->elements.at[i].value);
  vec_clear(&g->elements);
  translate_env_clear(&g->env);
  kernel_free(g->kernel);
  terms_clear(&g->terms);
}

int ground_truth(struct ground *g, const struct ast_expr *formula, bool swapped) {
  if (g->failed) return -1;
  g->env.untagged = 1; /* in a formula about one run */
  term_id t = translate_expr_as(&g->env, formula, SORT_BOOL);
  g->env.untagged = 0;
  g->problem = g->env.error;
  g->env.error = NULL; /* of this formula only */
  if (t == TERM_NONE) return -1;
  if (swapped) t = term_swap_runs(&g->terms, t);
  int truth = eval_truth(&g->eval, t);
  return g->failed ? -1 : truth;
}
