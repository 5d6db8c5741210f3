#include "run/eval/cover.h"

#include "lang/syntax/walk.h"
#include "run/eval/number.h"

unsigned cover_common(unsigned a, unsigned b) {
  if (a == 0 || b == 0) return 0;
  unsigned x = a, y = b;
  while (y) {
    unsigned rest = x % y;
    x = y;
    y = rest;
  }
  uint64_t common = (uint64_t)a / x * b;
  return common <= COVER_MAX_PERIOD ? (unsigned)common : 0;
}

static bool is_variable(const struct ast_expr *e, const struct ast_var *v) {
  return e->kind == EXPR_NAME && e->as.name.var == v;
}

/* ---- an argument of an operator -------------------------------------------------------------- */

struct periods {
  const struct ast_var *var;
  unsigned common;
};

/* m in `v mod m`; else 0. */
static unsigned modulus(const struct ast_expr *e, const struct ast_var *v) {
  if (e->kind != EXPR_BINARY || e->as.binary.op != BINARY_MOD) return 0;
  const struct ast_expr *m = e->as.binary.right;
  if (!is_variable(e->as.binary.left, v) || m->kind != EXPR_NUMBER) return 0;
  const fmpq *value = m->as.number.value;
  bool small = fmpz_is_one(fmpq_denref(value)) && fmpz_sgn(fmpq_numref(value)) > 0 &&
               fmpz_cmp_ui(fmpq_numref(value), COVER_MAX_PERIOD) <= 0;
  return small ? (unsigned)fmpz_get_ui(fmpq_numref(value)) : 0;
}

static void find_period(const struct ast_expr *e, void *context) {
  struct periods *p = context;
  unsigned m = modulus(e, p->var);
  if (m || is_variable(e, p->var))
    p->common = cover_common(p->common, m);
  else
    walk_parts(e, find_period, p);
}

unsigned cover_period(const struct ast_binding *meaning, size_t arg) {
  if (arg >= meaning->arg_count) return 0;
  struct periods p = {.var = meaning->args[arg], .common = 1};
  find_period(meaning->value, &p);
  return p.common;
}

/* ---- a variable of a formula ----------------------------------------------------------------- */

struct cover {
  struct reval *ev;
  const struct ast_var *var;
  unsigned period;
  bool failed, bounded; /* bounded: there is a number that it is compared with */
  fmpz *low, *high;
};

static void note_local(const struct ast_expr *e, void *context) {
  bool *local = context;
  if (e->kind == EXPR_TAG || (e->kind == EXPR_NAME && e->as.name.var)) *local = true;
  walk_parts(e, note_local, context);
}

/* The variable is compared with this: a number that is the same for all values of all variables. */
static void note_bound(struct cover *c, const struct ast_expr *e) {
  bool local = false;
  struct rvalue v = {0}, whole;
  note_local(e, &local);
  c->failed |= local || !reval_take(c->ev, NULL, e, &v);
  for (int up = 0; up <= 1 && !c->failed; up++) {
    c->failed = number_function(up ? BUILTIN_CEIL : BUILTIN_FLOOR, &whole, &v) != NUMBER_OK;
    if (c->failed) break;
    fmpz *end = up ? c->high : c->low;
    int order = c->bounded ? fmpz_cmp(&whole.as.integer, end) : up ? 1 : -1;
    if (up ? order > 0 : order < 0) fmpz_set(end, &whole.as.integer);
    rvalue_clear(&whole);
    if (!c->bounded && up) c->bounded = true;
  }
  rvalue_clear(&v);
}

static void visit(const struct ast_expr *e, void *context);

static void visit_pair(struct cover *c, const struct ast_expr *a, const struct ast_expr *b) {
  bool left = is_variable(a, c->var), right = is_variable(b, c->var);
  if (left && right) return; /* v <= v */
  if (!left) right ? note_bound(c, a) : visit(a, c);
  if (!right) left ? note_bound(c, b) : visit(b, c);
}

static void visit_operator(struct cover *c, const struct ast_expr *e) {
  const struct ast_binding *meaning = ptrmap_get(&c->ev->ops, e->as.call.decl);
  for (size_t i = 0; i < e->as.call.count; i++) {
    if (is_variable(e->as.call.args[i], c->var))
      c->period = meaning ? cover_common(c->period, cover_period(meaning, i)) : 0;
    else
      visit(e->as.call.args[i], c);
  }
}

static bool is_comparison(const struct ast_expr *e) {
  if (e->kind != EXPR_BINARY) return false;
  switch (e->as.binary.op) {
  case BINARY_EQ:
  case BINARY_NE:
  case BINARY_LT:
  case BINARY_LE:
  case BINARY_GT:
  case BINARY_GE: return true;
  default: return false;
  }
}

/* Every place of the variable has to be one of those above. */
static void visit(const struct ast_expr *e, void *context) {
  struct cover *c = context;
  if (is_variable(e, c->var))
    c->failed = true;
  else if (is_comparison(e))
    visit_pair(c, e->as.binary.left, e->as.binary.right);
  else if (e->kind == EXPR_CHAIN)
    for (size_t i = 0; i + 1 < e->as.chain.count; i++)
      visit_pair(c, e->as.chain.operands[i], e->as.chain.operands[i + 1]);
  else if (e->kind == EXPR_CALL && e->as.call.callee_kind == CALLEE_OP)
    visit_operator(c, e);
  else
    walk_parts(e, visit, c);
}

bool cover_integers(struct reval *ev, const struct ast_expr *quantifier, size_t k, fmpz *low,
                    fmpz *high) {
  const struct ast_binder *binder = &quantifier->as.quant.binders[k];
  struct cover c = {.ev = ev, .var = binder->var, .period = 1, .low = low, .high = high};
  struct diag_mark mark = diags_mark(&ev->lang->diags);
  fmpz_zero(low);
  fmpz_zero(high);
  if (binder->low || binder->var->type->kind != TYPE_INT) return false;
  visit(quantifier->as.quant.body, &c);
  for (size_t i = 0; i < quantifier->as.quant.count; i++)
    if (quantifier->as.quant.binders[i].low) {
      visit(quantifier->as.quant.binders[i].low, &c);
      visit(quantifier->as.quant.binders[i].high, &c);
    }
  diags_rollback(&ev->lang->diags, mark);
  if (c.failed || c.period == 0) return false;
  if (c.bounded) {
    fmpz_sub_ui(low, low, c.period);
    fmpz_add_ui(high, high, c.period);
  }
  fmpz_add_ui(high, high, c.bounded ? 1 : c.period);
  fmpz_t size;
  fmpz_init(size);
  fmpz_sub(size, high, low);
  bool few = fmpz_cmp_si(size, COVER_MAX_RANGE) <= 0;
  fmpz_clear(size);
  return few;
}
