/* Distributions: types of their arguments, and constants that make no sense as a scale. */
#include "lang/check/check_internal.h"
#include "lang/check/constant.h"
#include "lang/syntax/builtin.h"

const struct type *dist_type(struct checker *c, const struct ast_dist *d) {
  switch (d->kind) {
  case DIST_LAPLACE:
  case DIST_EXPONENTIAL:
  case DIST_UNIFORM:
  case DIST_GAUSS: return c->types->real;
  case DIST_DISCRETE_LAPLACE:
  case DIST_GEOMETRIC:
  case DIST_UNIFORM_INT:
  case DIST_DISCRETE_GAUSS: return c->types->integer;
  case DIST_BERNOULLI: return c->types->boolean;
  case DIST_UNIFORM_SET: {
    const struct type *t = NULL;
    for (size_t i = 0; i < d->count; i++) {
      const struct type *item = d->args[i]->type;
      const struct type *joined = t ? type_join(c->types, t, item) : item;
      if (joined) t = joined;
    }
    return t ? t : c->types->error;
  }
  }
  return c->types->error;
}

static void check_scale(struct checker *c, struct ast_expr *e, const char *name, const char *what) {
  check_numeric(c, e, what);
  int sign = constant_sign(e);
  if (sign > 0) return;
  report_error(c, e->span, "bad-scale", "%s of %s must be positive", what, name);
}

void check_probability(struct checker *c, struct ast_expr *e, const char *what, const char *code) {
  check_numeric(c, e, what);
  fmpq_t p;
  fmpq_init(p);
  if (constant_eval(p, e) && (fmpq_sgn(p) < 0 || fmpq_cmp_si(p, 1) > 0))
    report_error(c, e->span, code, "%s must be between 0 and 1", what);
  fmpq_clear(p);
}

static void check_interval(struct checker *c, struct ast_dist *d) {
  struct ast_expr *low = d->args[0], *high = d->args[1];
  bool integer = d->kind == DIST_UNIFORM_INT;
  for (size_t i = 0; i < 2; i++) {
    const struct type *t = integer ? c->types->integer : c->types->real;
    check_against(c, d->args[i], t, "a bound of %s", dist_get(d->kind)->name);
  }
  fmpq_t a, b;
  fmpq_init(a);
  fmpq_init(b);
  if (constant_eval(a, low) && constant_eval(b, high)) {
    int order = fmpq_cmp(a, b);
    if (order > 0 || (order == 0 && !integer))
      report_error(c, span_join(low->span, high->span), "empty-interval",
                   "the lower bound of %s must be %s the upper bound", dist_get(d->kind)->name,
                   integer ? "at most" : "less than");
  }
  fmpq_clear(a);
  fmpq_clear(b);
}

static void check_set(struct checker *c, struct ast_dist *d) {
  const struct type *t = NULL;
  if (!d->count) report_error(c, d->span, "empty-set", "a uniform choice needs at least one item");
  for (size_t i = 0; i < d->count; i++) {
    const struct type *item = check_expr(c, d->args[i]);
    const struct type *joined = t ? type_join(c->types, t, item) : item;
    if (joined)
      t = joined;
    else
      report_error(c, d->args[i]->span, "type-mismatch",
                   "the items must have one type: this is %s, but those before are %s",
                   type_text(c, item), type_text(c, t));
  }
}

void check_dist(struct checker *c, struct ast_dist *d) {
  const struct dist_info *info = dist_get(d->kind);
  if (d->kind == DIST_UNIFORM_SET) {
    check_set(c, d);
    return;
  }
  if (d->count != info->arity) {
    report_error(c, d->span, "wrong-arity", "`%s` takes %u argument%s, but here are %zu",
                 info->name, info->arity, info->arity == 1 ? "" : "s", d->count);
    report_hint(c, "%s", info->help);
    for (size_t i = 0; i < d->count; i++)
      check_expr(c, d->args[i]);
    return;
  }
  switch (d->kind) {
  case DIST_BERNOULLI: check_probability(c, d->args[0], "a probability", "bad-probability"); break;
  case DIST_UNIFORM:
  case DIST_UNIFORM_INT: check_interval(c, d); break;
  default: {
    const char *centre =
        d->kind == DIST_EXPONENTIAL || d->kind == DIST_GEOMETRIC ? "start" : "centre";
    bool sigma = d->kind == DIST_GAUSS || d->kind == DIST_DISCRETE_GAUSS;
    check_against(c, d->args[0], info->is_integer ? c->types->integer : c->types->real,
                  "the %s of %s", centre, info->name);
    check_scale(c, d->args[1], info->name, sigma ? "the standard deviation" : "the scale");
  }
  }
}
