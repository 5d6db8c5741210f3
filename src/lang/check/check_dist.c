/* Distributions: types of their arguments, and constants that make no sense as a scale. */
#include "lang/check/check_internal.h"
#include "lang/check/constant.h"

const struct type *dist_type(struct checker *c, const struct ast_dist *d) {
  switch (d->sugar) {
  case SUGAR_UNIFORM53: return c->types->binary64;
  case SUGAR_UNIFORM24: return c->types->binary32;
  case SUGAR_CATEGORICAL:
  case SUGAR_WORD64: return c->types->integer;
  default: break;
  }
  switch (dist_get(d->kind)->samples) {
  case SAMPLES_REAL: return c->types->real;
  case SAMPLES_INT: return c->types->integer;
  case SAMPLES_BOOL: return c->types->boolean;
  case SAMPLES_ITEM: break;
  }
  const struct type *t = NULL;
  for (size_t i = 0; i < d->count; i++) {
    const struct type *item = d->args[i]->type;
    const struct type *joined = t ? type_join(c->types, t, item) : item;
    if (joined) t = joined;
  }
  return t ? t : c->types->error;
}

static void check_scale(struct checker *c, struct ast_expr *e, const char *name, const char *what) {
  check_numeric(c, e, what);
  int sign = constant_sign(e);
  if (sign > 0) return;
  report_error(c, e->span, "bad-scale", "%s of %s must be positive", what, name);
  bool is_ours = sources_language(&c->lang->sources, e->span.file) == SOURCE_COUPLET;
  report_hint(c, "write a positive number, or %s",
              is_ours ? "a parameter: `param b : real, b > 0;`" : "an argument");
}

void check_probability(struct checker *c, struct ast_expr *e, const char *what, const char *code) {
  check_numeric(c, e, what);
  fmpq_t p;
  fmpq_init(p);
  if (constant_eval(p, e) && (fmpq_sgn(p) < 0 || fmpq_cmp_si(p, 1) > 0)) {
    report_error(c, e->span, code, "%s must be between 0 and 1", what);
    report_hint(c, "write a number such as 0.25 or 1/4");
  }
  fmpq_clear(p);
}

static void check_interval(struct checker *c, struct ast_dist *d) {
  struct ast_expr *low = d->args[0], *high = d->args[1];
  bool integer = dist_is_integer(d->kind);
  for (size_t i = 0; i < 2; i++)
    check_against(c, d->args[i], dist_type(c, d), "a bound of %s", dist_get(d->kind)->name);
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

/* Weights of the indices 0, 1, .. */
static void check_weights(struct checker *c, struct ast_dist *d) {
  if (d->count == 1 && check_expr(c, d->args[0])->kind == TYPE_ARRAY) {
    report_error(c, d->args[0]->span, "type-mismatch",
                 "the weights of Categorical are given one by one, not as an array");
    report_hint(c, "to choose by the scores in an array, take argmax of Gumbel samples");
    return;
  }
  if (!d->count) report_error(c, d->span, "empty-set", "a choice needs at least one weight");
  for (size_t i = 0; i < d->count; i++) {
    check_numeric(c, d->args[i], "a weight");
    if (constant_sign(d->args[i]) < 0)
      report_error(c, d->args[i]->span, "bad-probability", "a weight may not be negative");
  }
  if (d->count && constant_sign(d->args[d->count - 1]) == 0) {
    report_error(c, d->args[d->count - 1]->span, "bad-probability", "the last weight may not be 0");
    report_hint(c, "leave it out: its index is never chosen");
  }
}

static void report_arity(struct checker *c, const struct ast_dist *d, const char *name,
                         const char *help, size_t arity) {
  report_error(c, d->span, "wrong-arity", "`%s` takes %zu argument%s, not %zu", name, arity,
               arity == 1 ? "" : "s", d->count);
  report_hint(c, "%s", help);
  for (size_t i = 0; i < d->count; i++)
    check_expr(c, d->args[i]);
}

void check_dist(struct checker *c, struct ast_dist *d) {
  if (d->sugar == SUGAR_CATEGORICAL) {
    check_weights(c, d);
    return;
  }
  if (d->sugar) { /* the others are complete as they are */
    const struct sugar_info *sugar = sugar_get(d->sugar);
    if (d->count) report_arity(c, d, sugar->name, sugar->help, 0);
    return;
  }
  const struct dist_info *info = dist_get(d->kind);
  size_t arity = dist_arity(info);
  if (arity && d->count != arity) {
    report_arity(c, d, info->name, info->help, arity);
    return;
  }
  switch (info->parameters) {
  case PARAMETERS_CENTRED:
    check_against(c, d->args[0], dist_type(c, d), "the %s of %s", info->location, info->name);
    check_scale(c, d->args[1], info->name, info->spread);
    break;
  case PARAMETERS_RANGE: check_interval(c, d); break;
  case PARAMETERS_CHANCE:
    check_probability(c, d->args[0], "a probability", "bad-probability");
    break;
  case PARAMETERS_ITEMS: check_set(c, d); break;
  }
}
