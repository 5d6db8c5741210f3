#include "check/finite/inputs.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "check/counterexample/domain.h"
#include "check/finite/steps.h"

static bool refuse(const char **why, const char *reason) {
  *why = reason;
  return false;
}

/* The number of items of an array; false: it depends on inputs, or is not given. */
static bool length_of(struct finite_inputs *f, const struct ast_type *t, size_t *length) {
  struct rvalue n = {0};
  struct diag_mark mark = diags_mark(&f->claim->lang->diags);
  bool ok = t->length && reval_integer(&f->ev, NULL, t->length, &n);
  diags_rollback(&f->claim->lang->diags, mark);
  uint64_t count = ok ? rvalue_count(&n) : 0;
  *length = (size_t)count;
  rvalue_clear(&n);
  return ok && count <= LIMIT_FINITE_COORDINATES;
}

static bool add_coordinates(struct finite_inputs *f, const struct ast_type *t, size_t argument,
                            const char **why) {
  size_t length = t->count;
  switch (t->kind) {
  case TYPE_BOOL:
  case TYPE_INT:
  case TYPE_REAL:
  case TYPE_FLOAT:
  case TYPE_FLOAT32:
    if (f->coordinate_count == LIMIT_FINITE_COORDINATES)
      return refuse(why, "the inputs have too many parts for an exhaustive computation");
    f->coordinates[f->coordinate_count++] =
        (struct coordinate){.argument = argument,
                            .is_private = f->routine->args[argument]->is_private,
                            .values = f->values[argument],
                            .count = f->counts[argument]};
    return true;
  case TYPE_ARRAY:
    if (!length_of(f, t, &length))
      return refuse(why, "the length of an input is not a small number for these parameters");
    for (size_t i = 0; i < length; i++)
      if (!add_coordinates(f, t->items[0], argument, why)) return false;
    return true;
  case TYPE_TUPLE:
    for (size_t i = 0; i < length; i++)
      if (!add_coordinates(f, t->items[i], argument, why)) return false;
    return true;
  default: return refuse(why, "an input has infinitely many values");
  }
}

/* Each value once: otherwise inputs would be counted twice. */
static bool collect_values(struct finite_inputs *f, size_t argument, const char **why) {
  const struct ast_domain *d = domain_of_input(f->claim->claim, f->routine->args[argument]);
  if (d && d->count > LIMIT_FINITE_VALUES)
    return refuse(why, "an input has too many values for an exhaustive computation");
  f->values[argument] = xcalloc((d ? d->count : LIMIT_FINITE_VALUES) + 1, sizeof(struct rvalue));
  if (!d && !type_is_float(f->routine->args[argument]->type))
    return refuse(why, "an input has no values");
  if (!d)
    return finite_steps(f->claim, &f->ev, argument, f->values[argument], LIMIT_FINITE_VALUES,
                        &f->counts[argument], why);
  for (size_t i = 0; i < d->count; i++) {
    struct rvalue v = domain_value(d->values[i]);
    bool known = false;
    for (size_t k = 0; k < f->counts[argument]; k++) {
      int order;
      known |= rvalue_compare(&order, &f->values[argument][k], &v) && order == 0;
    }
    if (known)
      rvalue_clear(&v);
    else
      f->values[argument][f->counts[argument]++] = v;
  }
  return true;
}

static bool count_inputs(struct finite_inputs *f, const char **why) {
  f->count = 1;
  for (size_t i = f->coordinate_count; i-- > 0;) {
    f->coordinates[i].weight = f->count;
    if (f->count > LIMIT_FINITE_INPUTS / f->coordinates[i].count)
      return refuse(why, "there are too many inputs for an exhaustive computation");
    f->count *= f->coordinates[i].count;
  }
  return true;
}

bool finite_inputs_init(struct finite_inputs *f, const struct program_claim *claim,
                        const char **why) {
  const struct ast_decl *decl = claim->claim;
  *f = (struct finite_inputs){.claim = claim,
                              .routine = decl->as.claim.target->as.mechanism.routine};
  reval_init(&f->ev, claim->lang, INTERP_MAX_STEPS);
  f->values = xcalloc(f->routine->arg_count + 1, sizeof *f->values);
  f->counts = xcalloc(f->routine->arg_count + 1, sizeof *f->counts);
  for (size_t i = 0; i < decl->as.claim.at_count; i++)
    if (decl->as.claim.at[i].param)
      reval_set_param(&f->ev, decl->as.claim.at[i].param,
                      domain_value(decl->as.claim.at[i].values[0]));
  for (size_t i = 0; i < f->routine->arg_count; i++)
    if (!collect_values(f, i, why) || !add_coordinates(f, f->routine->args[i]->declared, i, why))
      return false;
  return count_inputs(f, why);
}

void finite_inputs_clear(struct finite_inputs *f) {
  for (size_t i = 0; i < f->routine->arg_count; i++) {
    for (size_t k = 0; k < f->counts[i]; k++)
      rvalue_clear(&f->values[i][k]);
    free(f->values[i]);
  }
  free(f->values);
  free(f->counts);
  reval_clear(&f->ev);
}

/* The next coordinates as a value of the type. */
static struct rvalue build(struct finite_inputs *f, const struct ast_type *t, size_t number,
                           size_t *next) {
  if (t->kind != TYPE_ARRAY && t->kind != TYPE_TUPLE) {
    const struct coordinate *c = &f->coordinates[(*next)++];
    return rvalue_copy(&c->values[number / c->weight % c->count]);
  }
  size_t length = t->count;
  if (t->kind == TYPE_ARRAY) length_of(f, t, &length);
  struct rvalue v = rvalue_seq(t->kind == TYPE_ARRAY ? RVALUE_ARRAY : RVALUE_TUPLE, length);
  for (size_t i = 0; i < length; i++)
    v.as.seq->at[i] = build(f, t->items[t->kind == TYPE_TUPLE ? i : 0], number, next);
  return v;
}

void finite_input(const struct finite_inputs *f, size_t number, struct rvalue *out) {
  size_t next = 0;
  for (size_t i = 0; i < f->routine->arg_count; i++)
    out[i] = build((struct finite_inputs *)f, f->routine->args[i]->declared, number, &next);
}

void finite_params(const struct ast_decl *claim, struct program_counterexample *ce) {
  for (size_t i = 0; i < claim->as.claim.at_count; i++)
    if (claim->as.claim.at[i].param)
      vec_push(&ce->params, (struct program_param){claim->as.claim.at[i].param,
                                                   domain_value(claim->as.claim.at[i].values[0])});
}

void finite_pair(const struct finite_inputs *f, size_t first, size_t second,
                 struct program_counterexample *ce) {
  finite_params(f->claim->claim, ce);
  ce->input_count = f->routine->arg_count;
  for (int run = 0; run < 2; run++) {
    ce->inputs[run] = xcalloc(ce->input_count + 1, sizeof(struct rvalue));
    finite_input(f, run ? second : first, ce->inputs[run]);
  }
}
