#include "check/counterexample/domain.h"

#include "lang/check/constant.h"

struct rvalue domain_value(const struct ast_expr *constant) {
  if (constant->kind == EXPR_BOOL) return rvalue_bool(constant->as.boolean);
  fmpq_t value;
  fmpq_init(value);
  struct rvalue v = {0};
  if (constant_value(value, constant)) v = rvalue_fmpq(value);
  fmpq_clear(value);
  return v;
}

const struct ast_domain *domain_of_input(const struct ast_decl *claim,
                                         const struct ast_var *input) {
  for (size_t i = 0; i < claim->as.claim.at_count; i++)
    if (claim->as.claim.at[i].input == input) return &claim->as.claim.at[i];
  return NULL;
}

static bool has_value(const struct ast_domain *d, const struct rvalue *v) {
  bool found = false;
  for (size_t i = 0; i < d->count && !found; i++) {
    struct rvalue value = domain_value(d->values[i]);
    int order;
    found = rvalue_comparable(&value, v) && rvalue_compare(&order, &value, v) && order == 0;
    rvalue_clear(&value);
  }
  return found;
}

static bool all_parts_in(const struct ast_domain *d, const struct rvalue *v) {
  if (!rvalue_is_seq(v)) return has_value(d, v);
  for (size_t i = 0; i < v->as.seq->len; i++)
    if (!all_parts_in(d, &v->as.seq->at[i])) return false;
  return true;
}

bool domain_admits(const struct interp *in, const struct ast_decl *claim) {
  for (size_t i = 0; i < claim->as.claim.at_count; i++) {
    const struct ast_domain *d = &claim->as.claim.at[i];
    const struct rvalue *v = d->input   ? rframe_get(&in->frame, d->input)
                             : d->param ? reval_get_param(&in->ev, d->param)
                                        : NULL;
    if (!v || !all_parts_in(d, v)) return false;
  }
  return true;
}
