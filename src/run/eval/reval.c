#include "run/eval/reval.h"

#include <stdlib.h>

#include "lang/syntax/builtin.h"
#include "run/eval/adjacency.h"
#include "run/eval/ieee.h"
#include "run/eval/reval_internal.h"

/* ---- context -------------------------------------------------------------------------------- */

void reval_init(struct reval *ev, struct lang *lang, uint64_t max_steps) {
  *ev = (struct reval){.lang = lang, .max_steps = max_steps};
  ptrmap_init(&ev->globals);
  ptrmap_init(&ev->ops);
}

static void free_global(struct rvalue *v) {
  if (!v) return;
  rvalue_clear(v);
  free(v);
}

void reval_clear(struct reval *ev) {
  for (size_t i = 0; i < ev->globals.capacity; i++)
    if (ev->globals.slots[i].key) free_global(ev->globals.slots[i].value);
  ptrmap_clear(&ev->globals);
  ptrmap_clear(&ev->ops);
}

static const struct rvalue *put_global(struct reval *ev, const struct ast_decl *decl,
                                       struct rvalue value) {
  struct rvalue *v = xmalloc(sizeof *v);
  *v = value;
  free_global(ptrmap_put(&ev->globals, decl, v));
  return v;
}

void reval_set_param(struct reval *ev, const struct ast_decl *param, struct rvalue value) {
  for (size_t i = 0; i < ev->globals.capacity; i++) {
    const struct ast_decl *decl = ev->globals.slots[i].key;
    if (!decl || decl->kind == DECL_PARAM) continue;
    free_global(ev->globals.slots[i].value);
    ev->globals.slots[i].value = NULL;
  }
  put_global(ev, param, value);
}

const struct rvalue *reval_get_param(const struct reval *ev, const struct ast_decl *param) {
  return ptrmap_get(&ev->globals, param);
}

void rframe_init(struct rframe *f, size_t count) {
  f->at = xcalloc(count ? count : 1, sizeof *f->at);
  f->count = count;
}

const struct rvalue *rframe_get(const struct rframe *f, const struct ast_var *var) {
  return f && var->slot < f->count ? &f->at[var->slot] : NULL;
}

void rframe_clear(struct rframe *f) {
  for (size_t i = 0; i < f->count; i++)
    rvalue_clear(&f->at[i]);
  free(f->at);
  f->at = NULL;
  f->count = 0;
}

/* ---- reports -------------------------------------------------------------------------------- */

const struct rvalue *reval_fail_number(struct reval *ev, const struct ast_expr *e,
                                       enum number_fault fault) {
  struct diags *diags = &ev->lang->diags;
  switch (fault) {
  case NUMBER_DIVISION_BY_ZERO:
    diag_error(diags, e->span, "division-by-zero", "division by zero");
    break;
  case NUMBER_UNDECIDED:
    diag_error(diags, e->span, "undecided-comparison", "%s", number_fault_text(fault));
    diag_hint(diags,
              "they agree to %d bits, so they are probably equal; write the condition "
              "without exp, ln and sqrt",
              (int)CREAL_MAX_BITS);
    break;
  case NUMBER_TOO_LARGE:
  case NUMBER_OUT_OF_RANGE:
    diag_error(diags, e->span, "number-too-large", "%s", number_fault_text(fault));
    break;
  default: diag_error(diags, e->span, "domain-error", "%s", number_fault_text(fault)); break;
  }
  return NULL;
}

const struct rvalue *reval_fail_value(struct reval *ev, const struct ast_expr *e) {
  diag_error(&ev->lang->diags, e->span, "not-executable", "this cannot be evaluated in one run");
  diag_hint(&ev->lang->diags, "run tags, adjacency shorthands and quantifiers over all numbers are "
                              "for claims and proofs");
  return NULL;
}

bool reval_wrong_kind(struct reval *ev, struct span span) {
  diag_error(&ev->lang->diags, span, "wrong-kind",
             "this has a value of another type than is needed here");
  return false;
}

const struct rvalue *reval_fail_kind(struct reval *ev, const struct ast_expr *e) {
  reval_wrong_kind(ev, e->span);
  return NULL;
}

bool reval_step(struct reval *ev, struct span span) {
  if (ev->steps++ < ev->max_steps) return true;
  diag_error(&ev->lang->diags, span, "step-limit", "the run takes more than %llu steps",
             (unsigned long long)ev->max_steps);
  diag_hint(&ev->lang->diags, "the program may not terminate; --max-steps N allows more");
  return false;
}

bool reval_index(struct reval *ev, const struct ast_expr *index, const struct rvalue *value,
                 size_t len, size_t *out) {
  if (value->kind == RVALUE_SYMBOLIC) { /* its owner says which integer it is, or asks */
    struct rvalue whole;
    enum number_fault fault = number_function(BUILTIN_FLOOR, &whole, value);
    if (fault) return reval_fail_number(ev, index, fault) != NULL;
    bool ok = reval_index(ev, index, &whole, len, out);
    rvalue_clear(&whole);
    return ok;
  }
  if (value->kind != RVALUE_INT) return reval_wrong_kind(ev, index->span);
  const fmpz *i = &value->as.integer;
  if (fmpz_sgn(i) >= 0 && fmpz_cmp_ui(i, len) < 0) {
    *out = fmpz_get_ui(i);
    return true;
  }
  struct buffer text;
  buffer_init(&text);
  rvalue_print(&text, value);
  struct diags *diags = &ev->lang->diags;
  diag_error(diags, index->span, "index-out-of-bounds", "the index is %s, but there %s %zu item%s",
             buffer_text(&text), len == 1 ? "is" : "are", len, len == 1 ? "" : "s");
  if (len) diag_hint(diags, "items are counted from 0 to %zu", len - 1);
  buffer_clear(&text);
  return false;
}

static bool check_size(struct reval *ev, const struct ast_expr *e, size_t items) {
  if (items <= REVAL_MAX_ITEMS) return true;
  diag_error(&ev->lang->diags, e->span, "too-many-items", "a list of more than %d items",
             (int)REVAL_MAX_ITEMS);
  return false;
}

/* ---- names and calls ------------------------------------------------------------------------ */

static bool enter_call(struct reval *ev, struct span span) {
  if (!reval_step(ev, span)) return false;
  if (ev->calls < REVAL_MAX_CALLS) {
    ev->calls++;
    return true;
  }
  diag_error(&ev->lang->diags, span, "too-many-calls", "more than %d calls inside one another",
             (int)REVAL_MAX_CALLS);
  return false;
}

/* The body of a let or an op with the given arguments, in a frame of its own. */
static const struct rvalue *apply(struct reval *ev, struct rframe *f, const struct ast_expr *call,
                                  const struct ast_expr *body, size_t arg_count,
                                  struct rvalue *temp) {
  if (!enter_call(ev, call->span)) return NULL;
  struct rframe inner;
  rframe_init(&inner, arg_count);
  bool ok = true;
  for (size_t i = 0; ok && i < arg_count; i++)
    ok = reval_take(ev, f, call->as.call.args[i], &inner.at[i]);
  if (ok) {
    ok = reval_take(ev, &inner, body, temp);
    if (!ok) diag_note(&ev->lang->diags, call->span, "called here");
  }
  rframe_clear(&inner);
  ev->calls--;
  return ok ? temp : NULL;
}

static const struct rvalue *missing_meaning(struct reval *ev, const struct ast_expr *e,
                                            const struct ast_decl *decl) {
  diag_error(&ev->lang->diags, e->span, "missing-value", "`%s` has no value in this run",
             decl->name.text);
  return NULL;
}

static const struct rvalue *reval_op(struct reval *ev, struct rframe *f, const struct ast_expr *e,
                                     const struct ast_decl *op, struct rvalue *temp) {
  const struct ast_binding *meaning = ptrmap_get(&ev->ops, op);
  if (!meaning) return missing_meaning(ev, e, op);
  return apply(ev, f, e, meaning->value, meaning->arg_count, temp);
}

/* Parameters, and constants, which are computed once. */
static const struct rvalue *reval_global(struct reval *ev, const struct ast_expr *e,
                                         const struct ast_decl *decl, struct rvalue *temp) {
  const struct rvalue *known = ptrmap_get(&ev->globals, decl);
  if (known) return known;
  if (decl->kind == DECL_OP) return reval_op(ev, NULL, e, decl, temp);
  if (decl->kind != DECL_LET) return missing_meaning(ev, e, decl);
  struct rvalue value = {0};
  if (!apply(ev, NULL, e, decl->as.let.body, 0, &value)) return NULL;
  return put_global(ev, decl, value);
}

/* Where a variable lives: in a formula about two runs the inputs are those of the run that is
 * spoken of; bound variables and arguments of lets have no copies and stay in the frame at hand. */
static const struct rframe *home_of(const struct reval *ev, const struct rframe *f,
                                    const struct ast_var *var) {
  return ev->pair && var->role == VAR_INPUT ? ev->pair->runs[ev->run ? ev->run - 1 : 0] : f;
}

static const struct rvalue *reval_name(struct reval *ev, struct rframe *f, const struct ast_expr *e,
                                       struct rvalue *temp) {
  const struct ast_var *var = e->as.name.var;
  if (!var && !e->as.name.decl) return reval_fail_value(ev, e);
  if (!var) return reval_global(ev, e, e->as.name.decl, temp);
  const struct rvalue *v = rframe_get(home_of(ev, f, var), var);
  if (v && v->kind != RVALUE_UNSET) return v;
  diag_error(&ev->lang->diags, e->span, "unset-variable", "`%s` has no value yet", e->as.name.text);
  return NULL;
}

/* ---- operators ------------------------------------------------------------------------------ */

const struct rvalue *reval_give(struct rvalue *temp, struct rvalue v) {
  *temp = v;
  return temp;
}

/* and, or, ->: the right side only if the left does not decide. */
static const struct rvalue *reval_connective(struct reval *ev, struct rframe *f,
                                             const struct ast_expr *e, struct rvalue *temp) {
  enum binary_op op = e->as.binary.op;
  bool left, right;
  if (!reval_bool(ev, f, e->as.binary.left, &left)) return NULL;
  if (op == BINARY_AND && !left) return reval_give(temp, rvalue_bool(false));
  if (op == BINARY_OR && left) return reval_give(temp, rvalue_bool(true));
  if (op == BINARY_IMPLIES && !left) return reval_give(temp, rvalue_bool(true));
  if (!reval_bool(ev, f, e->as.binary.right, &right)) return NULL;
  return reval_give(temp, rvalue_bool(op == BINARY_IFF ? left == right : right));
}

static const struct rvalue *append(struct reval *ev, const struct ast_expr *e,
                                   const struct rvalue *a, const struct rvalue *b,
                                   struct rvalue *temp) {
  size_t n = a->as.seq->len, m = b->as.seq->len;
  if (!check_size(ev, e, n + m)) return NULL;
  struct rvalue list = rvalue_seq(RVALUE_LIST, n + m);
  for (size_t i = 0; i < n; i++)
    list.as.seq->at[i] = rvalue_copy(&a->as.seq->at[i]);
  for (size_t i = 0; i < m; i++)
    list.as.seq->at[n + i] = rvalue_copy(&b->as.seq->at[i]);
  return reval_give(temp, list);
}

static const struct rvalue *cons(struct reval *ev, const struct ast_expr *e, const struct rvalue *a,
                                 const struct rvalue *b, struct rvalue *temp) {
  size_t n = b->as.seq->len;
  if (!check_size(ev, e, n + 1)) return NULL;
  struct rvalue list = rvalue_seq(RVALUE_LIST, n + 1);
  list.as.seq->at[0] = rvalue_copy(a);
  for (size_t i = 0; i < n; i++)
    list.as.seq->at[i + 1] = rvalue_copy(&b->as.seq->at[i]);
  return reval_give(temp, list);
}

static bool is_whole(const struct rvalue *v) {
  return v->kind == RVALUE_INT || v->kind == RVALUE_SYMBOLIC;
}

static bool fit_together(enum binary_op op, const struct rvalue *a, const struct rvalue *b) {
  if (op == BINARY_EQ || op == BINARY_NE) return rvalue_comparable(a, b);
  if (op == BINARY_APPEND) return rvalue_is_items(a) && rvalue_is_items(b);
  if (op == BINARY_CONS) return rvalue_is_items(b);
  if (op == BINARY_IDIV || op == BINARY_MOD) return is_whole(a) && is_whole(b);
  return rvalue_is_number(a) && rvalue_is_number(b);
}

const struct rvalue *reval_binary_values(struct reval *ev, const struct ast_expr *e,
                                         enum binary_op op, const struct rvalue *a,
                                         const struct rvalue *b, struct rvalue *temp) {
  int order;
  if (!fit_together(op, a, b)) return reval_fail_kind(ev, e);
  if (op >= BINARY_EQ && op <= BINARY_GE) {
    if (!rvalue_compare(&order, a, b)) return reval_fail_number(ev, e, NUMBER_UNDECIDED);
    return reval_give(temp, rvalue_bool(number_relation(op, order)));
  }
  if (op == BINARY_APPEND) return append(ev, e, a, b, temp);
  if (op == BINARY_CONS) return cons(ev, e, a, b, temp);
  enum number_fault fault = number_binary(op, temp, a, b);
  return fault ? reval_fail_number(ev, e, fault) : temp;
}

static const struct rvalue *reval_binary(struct reval *ev, struct rframe *f,
                                         const struct ast_expr *e, struct rvalue *temp) {
  if (e->as.binary.op <= BINARY_AND) return reval_connective(ev, f, e, temp);
  struct rvalue left = {0}, right = {0};
  const struct rvalue *result = NULL, *b = NULL;
  const struct rvalue *a = reval_expr(ev, f, e->as.binary.left, &left);
  if (a) b = reval_expr(ev, f, e->as.binary.right, &right);
  if (b)
    result = reval_is_float(e) ? reval_float_values(ev, e, a, b, temp)
                               : reval_binary_values(ev, e, e->as.binary.op, a, b, temp);
  rvalue_clear(&left);
  rvalue_clear(&right);
  return result;
}

static const struct rvalue *reval_chain(struct reval *ev, struct rframe *f,
                                        const struct ast_expr *e, struct rvalue *temp) {
  struct rvalue held[2] = {{0}};
  const struct rvalue *left = reval_expr(ev, f, e->as.chain.operands[0], &held[0]);
  bool ok = left, truth = true;
  for (size_t i = 1; ok && truth && i < e->as.chain.count; i++) {
    rvalue_clear(&held[i % 2]);
    const struct rvalue *right = reval_expr(ev, f, e->as.chain.operands[i], &held[i % 2]);
    int order = 0;
    ok = right != NULL;
    if (ok && !fit_together(e->as.chain.ops[i - 1], left, right))
      ok = reval_wrong_kind(ev, e->span);
    if (ok && !rvalue_compare(&order, left, right)) ok = reval_fail_number(ev, e, NUMBER_UNDECIDED);
    truth = ok && number_relation(e->as.chain.ops[i - 1], order);
    left = right;
  }
  rvalue_clear(&held[0]);
  rvalue_clear(&held[1]);
  return ok ? reval_give(temp, rvalue_bool(truth)) : NULL;
}

static const struct rvalue *reval_unary(struct reval *ev, struct rframe *f,
                                        const struct ast_expr *e, struct rvalue *temp) {
  struct rvalue held = {0};
  const struct rvalue *v = reval_expr(ev, f, e->as.unary.operand, &held), *result = NULL;
  bool is_not = e->as.unary.op == UNARY_NOT;
  if (v && (is_not ? v->kind != RVALUE_BOOL : !rvalue_is_number(v))) {
    reval_fail_kind(ev, e);
  } else if (v && is_not) {
    result = reval_give(temp, rvalue_bool(!v->as.boolean));
  } else if (v) {
    enum number_fault fault = number_negate(temp, v);
    result = fault ? reval_fail_number(ev, e, fault) : temp;
  }
  rvalue_clear(&held);
  return result;
}

/* ---- functions ------------------------------------------------------------------------------ */

static const struct rvalue *list_part(struct reval *ev, const struct ast_expr *e, enum builtin id,
                                      const struct rvalue *list, struct rvalue *temp) {
  if (!rvalue_is_items(list)) return reval_fail_kind(ev, e);
  size_t n = list->as.seq->len;
  if (id == BUILTIN_LENGTH) return reval_give(temp, rvalue_int((slong)n));
  if (n == 0) {
    diag_error(&ev->lang->diags, e->span, "empty-list", "the %s of an empty list",
               id == BUILTIN_HEAD ? "head" : "tail");
    return NULL;
  }
  if (id == BUILTIN_HEAD) return reval_give(temp, rvalue_copy(&list->as.seq->at[0]));
  struct rvalue tail = rvalue_seq(RVALUE_LIST, n - 1);
  for (size_t i = 1; i < n; i++)
    tail.as.seq->at[i - 1] = rvalue_copy(&list->as.seq->at[i]);
  return reval_give(temp, tail);
}

static const struct rvalue *apply_builtin(struct reval *ev, const struct ast_expr *e,
                                          const struct rvalue *a, const struct rvalue *b,
                                          struct rvalue *temp) {
  enum builtin id = e->as.call.builtin;
  enum number_fault fault;
  switch (id) {
  case BUILTIN_LENGTH:
  case BUILTIN_HEAD:
  case BUILTIN_TAIL: return list_part(ev, e, id, a, temp);
  case BUILTIN_DECLASSIFY: return reval_give(temp, rvalue_copy(a));
  case BUILTIN_TO_FLOAT:
  case BUILTIN_TO_FLOAT32:
  case BUILTIN_TO_REAL: return reval_convert(ev, e, a, temp);
  default: break;
  }
  if (!rvalue_is_number(a) || (b && !rvalue_is_number(b))) return reval_fail_kind(ev, e);
  switch (id) {
  case BUILTIN_REAL: return reval_give(temp, rvalue_copy(a));
  case BUILTIN_MIN:
  case BUILTIN_MAX: fault = number_extreme(id, temp, a, b); break;
  default: fault = number_function(id, temp, a); break;
  }
  return fault ? reval_fail_number(ev, e, fault) : temp;
}

/* The value of e in one of the two runs. */
static const struct rvalue *reval_in_run(struct reval *ev, struct rframe *f,
                                         const struct ast_expr *e, unsigned run,
                                         struct rvalue *temp) {
  if (!ev->pair || run < 1 || run > 2) return reval_fail_value(ev, e);
  unsigned before = ev->run;
  ev->run = run;
  const struct rvalue *v = reval_expr(ev, f, e, temp);
  ev->run = before;
  return v;
}

/* An adjacency shorthand: its first argument is looked at in both runs. */
static const struct rvalue *reval_adjacency(struct reval *ev, struct rframe *f,
                                            const struct ast_expr *e, struct rvalue *temp) {
  struct rvalue held[3] = {{0}};
  const struct rvalue *x = reval_in_run(ev, f, e->as.call.args[0], 1, &held[0]);
  const struct rvalue *y = x ? reval_in_run(ev, f, e->as.call.args[0], 2, &held[1]) : NULL;
  const struct rvalue *s = y;
  bool truth = false, ok = y != NULL;
  if (ok && e->as.call.count > 1) {
    s = reval_expr(ev, f, e->as.call.args[1], &held[2]);
    ok = s && (rvalue_is_number(s) || reval_wrong_kind(ev, e->span));
  }
  if (ok && !adjacency_holds(e->as.call.builtin, x, y, s, &truth))
    ok = reval_fail_number(ev, e, NUMBER_UNDECIDED) != NULL;
  for (size_t i = 0; i < 3; i++)
    rvalue_clear(&held[i]);
  return ok ? reval_give(temp, rvalue_bool(truth)) : NULL;
}

static const struct rvalue *reval_builtin(struct reval *ev, struct rframe *f,
                                          const struct ast_expr *e, struct rvalue *temp) {
  if (builtin_get(e->as.call.builtin)->is_adjacency) return reval_adjacency(ev, f, e, temp);
  enum builtin id = e->as.call.builtin;
  if (reval_is_float(e) && !reval_is_conversion(id) && id != BUILTIN_DECLASSIFY)
    return reval_float_call(ev, f, e, temp);
  struct rvalue first = {0}, second = {0};
  const struct rvalue *result = NULL, *b = NULL;
  const struct rvalue *a = reval_expr(ev, f, e->as.call.args[0], &first);
  bool ok = a != NULL;
  if (ok && e->as.call.count > 1) {
    b = reval_expr(ev, f, e->as.call.args[1], &second);
    ok = b != NULL;
  }
  if (ok) result = apply_builtin(ev, e, a, b, temp);
  rvalue_clear(&first);
  rvalue_clear(&second);
  return result;
}

static const struct rvalue *reval_call(struct reval *ev, struct rframe *f, const struct ast_expr *e,
                                       struct rvalue *temp) {
  const struct ast_decl *decl = e->as.call.decl;
  switch (e->as.call.callee_kind) {
  case CALLEE_BUILTIN: return reval_builtin(ev, f, e, temp);
  case CALLEE_LET: return apply(ev, f, e, decl->as.let.body, decl->as.let.arg_count, temp);
  case CALLEE_OP: return reval_op(ev, f, e, decl, temp);
  default: return reval_fail_value(ev, e); /* interp.c handles calls with effects */
  }
}

/* ---- the rest ------------------------------------------------------------------------------- */

static const struct rvalue *reval_item(struct reval *ev, struct rframe *f, const struct ast_expr *e,
                                       struct rvalue *temp) {
  struct rvalue base_held = {0}, index_held = {0};
  const struct rvalue *result = NULL, *index = NULL;
  const struct rvalue *base = reval_expr(ev, f, e->as.index.base, &base_held);
  if (base) index = reval_expr(ev, f, e->as.index.index, &index_held);
  size_t i;
  if (index && !rvalue_is_items(base)) {
    reval_fail_kind(ev, e);
  } else if (index && reval_index(ev, e->as.index.index, index, base->as.seq->len, &i)) {
    const struct rvalue *item = &base->as.seq->at[i];
    /* an item of a sequence that lives elsewhere can be lent out; one of a temporary is copied */
    result = base == &base_held ? reval_give(temp, rvalue_copy(item)) : item;
  }
  rvalue_clear(&base_held);
  rvalue_clear(&index_held);
  return result;
}

static const struct rvalue *reval_proj(struct reval *ev, struct rframe *f, const struct ast_expr *e,
                                       struct rvalue *temp) {
  struct rvalue held = {0};
  const struct rvalue *base = reval_expr(ev, f, e->as.proj.base, &held), *result = NULL;
  size_t item = e->as.proj.item;
  if (base && (base->kind != RVALUE_TUPLE || item < 1 || item > base->as.seq->len))
    reval_fail_kind(ev, e);
  else if (base)
    result = reval_give(temp, rvalue_copy(&base->as.seq->at[item - 1]));
  rvalue_clear(&held);
  return result;
}

static const struct rvalue *reval_items(struct reval *ev, struct rframe *f,
                                        const struct ast_expr *e, struct rvalue *temp) {
  struct rvalue seq =
      rvalue_seq(e->kind == EXPR_TUPLE ? RVALUE_TUPLE : RVALUE_LIST, e->as.list.count);
  for (size_t i = 0; i < e->as.list.count; i++)
    if (!reval_take(ev, f, e->as.list.items[i], &seq.as.seq->at[i])) {
      rvalue_clear(&seq);
      return NULL;
    }
  return reval_give(temp, seq);
}

static const struct rvalue *reval_if(struct reval *ev, struct rframe *f, const struct ast_expr *e,
                                     struct rvalue *temp) {
  bool condition;
  if (!reval_bool(ev, f, e->as.cond.cond, &condition)) return NULL;
  return reval_expr(ev, f, condition ? e->as.cond.then : e->as.cond.otherwise, temp);
}

const struct rvalue *reval_expr(struct reval *ev, struct rframe *f, const struct ast_expr *e,
                                struct rvalue *temp) {
  switch (e->kind) {
  case EXPR_BOOL: return reval_give(temp, rvalue_bool(e->as.boolean));
  case EXPR_NUMBER: return reval_give(temp, rvalue_fmpq(e->as.number.value));
  case EXPR_NAME: return reval_name(ev, f, e, temp);
  case EXPR_UNARY: return reval_unary(ev, f, e, temp);
  case EXPR_BINARY: return reval_binary(ev, f, e, temp);
  case EXPR_CHAIN: return reval_chain(ev, f, e, temp);
  case EXPR_CALL: return reval_call(ev, f, e, temp);
  case EXPR_INDEX: return reval_item(ev, f, e, temp);
  case EXPR_PROJ: return reval_proj(ev, f, e, temp);
  case EXPR_LIST:
  case EXPR_TUPLE: return reval_items(ev, f, e, temp);
  case EXPR_IF: return reval_if(ev, f, e, temp);
  case EXPR_QUANT: return reval_quant(ev, f, e, temp);
  case EXPR_TAG: return reval_in_run(ev, f, e->as.tag.operand, (unsigned)e->as.tag.run, temp);
  case EXPR_HOLE:
  case EXPR_ERROR: break;
  }
  return reval_fail_value(ev, e);
}

bool reval_take(struct reval *ev, struct rframe *f, const struct ast_expr *e, struct rvalue *out) {
  struct rvalue temp = {0};
  const struct rvalue *v = reval_expr(ev, f, e, &temp);
  if (v == &temp) {
    *out = temp;
    return true;
  }
  if (v) *out = rvalue_copy(v);
  rvalue_clear(&temp);
  return v != NULL;
}

bool reval_bool(struct reval *ev, struct rframe *f, const struct ast_expr *e, bool *out) {
  struct rvalue temp = {0};
  const struct rvalue *v = reval_expr(ev, f, e, &temp);
  bool ok = v && (v->kind == RVALUE_BOOL || reval_wrong_kind(ev, e->span));
  if (ok) *out = v->as.boolean;
  rvalue_clear(&temp);
  return ok;
}

bool reval_integer(struct reval *ev, struct rframe *f, const struct ast_expr *e,
                   struct rvalue *out) {
  struct rvalue value = {0};
  if (!reval_take(ev, f, e, &value)) return false;
  if (value.kind != RVALUE_INT) {
    rvalue_clear(&value);
    return reval_wrong_kind(ev, e->span);
  }
  rvalue_clear(out);
  *out = value;
  return true;
}
