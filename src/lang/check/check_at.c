/* Finite claims: what `at` says about parameters and inputs. A float that it does not mention may be
 * any one. */
#include "lang/check/check_internal.h"
#include "lang/check/constant.h"

/* Numbers, truth values, and arrays and tuples of one of these: what an input consists of. NULL: of
 * something else, or of several. */
static const struct type *leaf_type(const struct type *t) {
  if (t->kind == TYPE_ARRAY) return leaf_type(t->elem);
  if (t->kind != TYPE_TUPLE)
    return t->kind == TYPE_BOOL || type_is_numeric(t) || type_is_float(t) ? t : NULL;
  const struct type *all = t->count ? leaf_type(t->items[0]) : NULL;
  for (size_t i = 1; all && i < t->count; i++) {
    const struct type *leaf = leaf_type(t->items[i]);
    bool both_numeric = leaf && type_is_numeric(leaf) && type_is_numeric(all);
    if (!leaf || (leaf->kind != all->kind && !both_numeric)) return NULL;
    if (leaf->kind == TYPE_INT) all = leaf;
  }
  return all;
}

static bool is_constant(const struct ast_expr *e) {
  fmpq_t value;
  fmpq_init(value);
  bool known = e->kind == EXPR_BOOL || constant_value(value, e);
  fmpq_clear(value);
  return known;
}

static void check_domain_values(struct checker *c, struct ast_domain *d, const struct type *type) {
  const struct type *leaf = leaf_type(type);
  c->ctx = (struct expr_context){.place = "the values of a finite claim"};
  if (!leaf) {
    report_error(c, d->name.span, "bad-domain",
                 "`%s` has a type with infinitely many values, or values of several kinds",
                 d->name.text);
    report_hint(c, "finite claims are about numbers, truth values, and arrays and tuples of them");
    return;
  }
  for (size_t i = 0; i < d->count; i++) {
    size_t errors = c->diags->errors;
    check_against(c, d->values[i], leaf, "a value of `%s`", d->name.text);
    if (c->diags->errors != errors || is_constant(d->values[i])) continue;
    report_error(c, d->values[i]->span, "bad-domain", "a value of `%s` must be a constant",
                 d->name.text);
    report_hint(c, "write a number, such as 1/2, or true or false");
  }
}

/* What the name stands for: an input of the mechanism, or a parameter. */
static void check_domain(struct checker *c, struct ast_domain *d, const struct ast_routine *r) {
  for (size_t i = 0; i < r->arg_count; i++)
    if (r->args[i]->name.text == d->name.text) d->input = r->args[i];
  if (d->input) {
    check_domain_values(c, d, d->input->type);
    return;
  }
  struct ast_decl *decl = names_find_value(c, d->name, "parameter or input");
  if (!decl) return;
  if (decl->kind != DECL_PARAM || d->is_set) {
    report_error(c, d->name.span, "bad-domain", "`%s` is %s, not %s", d->name.text,
                 decl_kind_text(decl->kind),
                 d->is_set ? "an input of the mechanism" : "a parameter or an input");
    report_hint(c, "parameters have one value: `n = 4`; inputs have several: `q in {-1, 0, 1}`");
    return;
  }
  d->param = decl;
  check_domain_values(c, d, decl->as.param.type->type);
}

static void report_without_domain(struct checker *c, const struct ast_decl *claim, const char *what,
                                  const char *name) {
  report_error(c, claim->as.claim.at[0].name.span, "missing-domain",
               "`at` does not say what the %s `%s` may be", what, name);
  report_hint(c, "a finite claim gives a value to every parameter and finitely many to every "
                 "input: `at eps = 1/2, n = 4, q in {-1, 0, 1}`");
}

static bool has_domain(const struct ast_decl *claim, const char *name) {
  for (size_t i = 0; i < claim->as.claim.at_count; i++)
    if (claim->as.claim.at[i].name.text == name) return true;
  return false;
}

void check_at(struct checker *c, struct ast_decl *claim, const struct ast_routine *r) {
  for (size_t i = 0; i < claim->as.claim.at_count; i++) {
    struct ast_domain *d = &claim->as.claim.at[i];
    for (size_t j = 0; j < i; j++)
      if (claim->as.claim.at[j].name.text == d->name.text)
        report_error(c, d->name.span, "duplicate-binding", "`%s` is given twice", d->name.text);
    check_domain(c, d, r);
  }
  if (!claim->as.claim.at_count) return;
  for (size_t i = 0; i < c->module->decl_count; i++) {
    const struct ast_decl *d = c->module->decls[i];
    if (d == claim) break;
    if (d->kind == DECL_PARAM && !has_domain(claim, d->name.text))
      report_without_domain(c, claim, "parameter", d->name.text);
  }
  for (size_t i = 0; i < r->arg_count; i++) /* floats are finitely many */
    if (!has_domain(claim, r->args[i]->name.text) && !type_is_float(r->args[i]->type))
      report_without_domain(c, claim, "input", r->args[i]->name.text);
}
