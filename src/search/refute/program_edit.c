/* Small changes of candidates: program_search.h. */
#include "run/eval/number.h"
#include "search/refute/program_search.h"

struct rvalue *edit_param(struct program_counterexample *ce, const struct ast_decl *decl) {
  for (size_t i = 0; i < ce->params.len; i++)
    if (ce->params.at[i].decl == decl) return &ce->params.at[i].value;
  return NULL;
}

bool edit_has_length(const struct program_claim *claim, size_t arg, const struct ast_decl *length) {
  const struct ast_routine *routine = claim->claim->as.claim.target->as.mechanism.routine;
  const struct ast_type *t = routine->args[arg]->declared;
  return length && t->kind == TYPE_ARRAY && t->length && t->length->kind == EXPR_NAME &&
         t->length->as.name.decl == length;
}

slong edit_length(struct program_counterexample *ce, const struct ast_decl *length) {
  struct rvalue *n = length ? edit_param(ce, length) : NULL;
  return n && n->kind == RVALUE_INT && fmpz_fits_si(&n->as.integer) ? fmpz_get_si(&n->as.integer)
                                                                    : -1;
}

/* The sequence with item k once more or once less. */
static void resize(struct rvalue *v, size_t k, bool longer) {
  size_t len = v->as.seq->len;
  struct rvalue next = rvalue_seq(v->kind, longer ? len + 1 : len - 1);
  for (size_t i = 0, from = 0; i < next.as.seq->len; i++) {
    if (!longer && from == k) from++;
    next.as.seq->at[i] = rvalue_copy(&v->as.seq->at[from]);
    if (!longer || i != k) from++;
  }
  rvalue_clear(v);
  *v = next;
}

static bool change_length(struct program_counterexample *ce, const struct program_claim *claim,
                          const struct ast_decl *length, size_t k, bool longer) {
  slong n = edit_length(ce, length);
  if (n < 1 || k >= (size_t)n) return false;
  for (size_t i = 0; i < ce->input_count; i++)
    for (int run = 0; run < 2 && edit_has_length(claim, i, length); run++)
      resize(&ce->inputs[run][i], k, longer);
  for (size_t i = 0; i < ce->outputs.len; i++) {
    if (longer)
      event_repeat(&ce->outputs.at[i], k);
    else
      event_drop(&ce->outputs.at[i], k);
  }
  struct rvalue *value = edit_param(ce, length);
  rvalue_clear(value);
  *value = rvalue_int(longer ? n + 1 : n - 1);
  return true;
}

bool edit_repeat(struct program_counterexample *ce, const struct program_claim *claim,
                 const struct ast_decl *length, size_t k) {
  return change_length(ce, claim, length, k, true);
}

bool edit_drop(struct program_counterexample *ce, const struct program_claim *claim,
               const struct ast_decl *length, size_t k) {
  return change_length(ce, claim, length, k, false);
}

static bool is_rational(const struct rvalue *v) {
  return v->kind == RVALUE_INT || v->kind == RVALUE_RATIONAL;
}

struct rvalue *edit_number(struct program_counterexample *ce, int run, size_t arg, size_t k) {
  struct rvalue *v = &ce->inputs[run][arg];
  if (!rvalue_is_seq(v)) return k == 0 && is_rational(v) ? v : NULL;
  if (k >= v->as.seq->len || !is_rational(&v->as.seq->at[k])) return NULL;
  rvalue_own(v);
  return &v->as.seq->at[k];
}

void edit_add(struct rvalue *x, slong a, const fmpq_t unit) {
  fmpq_t q, step;
  fmpq_init(q);
  fmpq_init(step);
  number_get_fmpq(q, x);
  fmpq_set_si(step, a, 1);
  fmpq_mul(step, step, unit);
  fmpq_add(q, q, step);
  rvalue_clear(x);
  *x = rvalue_fmpq(q);
  fmpq_clear(q);
  fmpq_clear(step);
}
