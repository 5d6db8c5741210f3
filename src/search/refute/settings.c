#include "search/refute/settings.h"

#include <stdlib.h>

#include "lang/syntax/walk.h"
#include "run/eval/number.h"
#include "run/sample/interp.h"
#include "search/refute/constants.h"

struct param_use {
  const struct ast_decl *decl;
  bool in_epsilon, in_delta, is_length; /* where the parameter stands */
};

static void mentions(const struct ast_expr *e, void *context) {
  struct param_use *use = context;
  if (e->kind == EXPR_NAME && e->as.name.decl == use->decl) use->is_length = true;
  if (e->kind == EXPR_NAME && e->as.name.decl && e->as.name.decl->kind == DECL_LET)
    mentions(e->as.name.decl->as.let.body, context);
  walk_parts(e, mentions, context);
}

static bool expression_mentions(const struct ast_expr *e, const struct ast_decl *decl) {
  struct param_use probe = {.decl = decl};
  if (e) mentions(e, &probe);
  return probe.is_length;
}

static bool length_mentions(const struct ast_type *t, const struct ast_decl *decl) {
  if (!t) return false;
  if (expression_mentions(t->length, decl)) return true;
  for (size_t i = 0; i < t->count; i++)
    if (length_mentions(t->items[i], decl)) return true;
  return false;
}

static struct param_use use_of(const struct program_claim *claim, const struct ast_decl *decl) {
  const struct ast_routine *routine = claim->claim->as.claim.target->as.mechanism.routine;
  struct param_use use = {.decl = decl};
  use.in_epsilon = expression_mentions(claim->claim->as.claim.epsilon, decl);
  use.in_delta = expression_mentions(claim->claim->as.claim.delta, decl);
  if (claim->claim->as.claim.formula && use.in_epsilon) { /* a probability */
    use.in_epsilon = false;
    use.in_delta = true;
  }
  for (size_t i = 0; i < routine->arg_count; i++)
    use.is_length |= length_mentions(routine->args[i]->declared, decl);
  return use;
}

/* Values to try for one parameter. */
struct value_list {
  VEC(struct rvalue) list;
  size_t weight; /* of a position in it, see combine */
};

/* Takes over the value; each is there once. */
static void add_value(struct value_list *out, struct rvalue v) {
  for (size_t i = 0; i < out->list.len; i++) {
    int order;
    if (rvalue_compare(&order, &out->list.at[i], &v) && order == 0) {
      rvalue_clear(&v);
      return;
    }
  }
  vec_push(&out->list, v);
}

static void add_ratio(struct value_list *out, slong num, ulong den) {
  fmpq_t q;
  fmpq_init(q);
  fmpq_set_si(q, num, den);
  add_value(out, rvalue_fmpq(q));
  fmpq_clear(q);
}

static const struct ast_binding *binding_of(const struct ast_decl *instance, const char *name) {
  for (size_t i = 0; instance && i < instance->as.instance.count; i++) {
    const struct ast_binding *b = &instance->as.instance.bindings[i];
    if (b->kind == BINDING_PARAM && b->name.text == name) return b;
  }
  return NULL;
}

/* The instance's value of a parameter, if it is a closed constant. */
static void add_instance_value(struct value_list *out, const struct program_claim *claim,
                               const struct ast_decl *instance, const struct ast_decl *decl) {
  const struct ast_binding *b = binding_of(instance, decl->name.text);
  struct diag_mark mark = diags_mark(&claim->lang->diags);
  struct rvalue v;
  if (b && interp_constant(claim->lang, b->value, &v)) add_value(out, v);
  diags_rollback(&claim->lang->diags, mark);
}

enum { MOST_SETTINGS = 120, MOST_VALUES = 12, WEIGHT_OF_VALUES = 3 };

static const slong lengths[] = {1, 2, 3, 4, 5, 6, 7, 8, 10};

static void usual_values(struct value_list *list, const struct param_use *use, bool integer,
                         bool has_delta) {
  if (use->is_length) {
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++)
      add_ratio(list, lengths[i], 1);
  } else if (use->in_epsilon && !integer) {
    add_ratio(list, 1, 1);
    add_ratio(list, 2, 1);
    add_ratio(list, 1, 2);
    add_ratio(list, 4, 1);
    if (has_delta) add_ratio(list, 10, 1); /* rules of thumb for delta fail far out */
  } else if (integer) {
    static const slong small[] = {1, 2, 3, 4, 6, 10};
    for (size_t i = 0; i < sizeof small / sizeof *small; i++)
      add_ratio(list, small[i], 1);
  } else if (use->in_delta) {
    add_ratio(list, 1, 100);
    add_ratio(list, 1, 10);
    add_ratio(list, 1, 2);
    add_ratio(list, 1, 100000); /* what people use; formulas for sigma fail there */
  } else {
    add_ratio(list, 1, 1);
    add_ratio(list, 0, 1);
    add_ratio(list, 1, 10);
    add_ratio(list, 2, 1); /* a bound that the noise does not know of, with everything else 1 */
  }
}

/* ---- what the assumptions say --------------------------------------------------------------- */

static void find_input(const struct ast_expr *e, void *found) {
  if (e->kind == EXPR_NAME && e->as.name.var) *(bool *)found = true;
  walk_parts(e, find_input, found);
}

/* Does it speak of inputs, not of parameters alone? */
static bool is_about_inputs(const struct ast_expr *e) {
  bool found = false;
  find_input(e, &found);
  return found;
}

/* Calls the function for every assumption of the module, and for what the mechanism requires of the
 * parameters. */
typedef void assumption_visitor(const struct ast_expr *assumption, void *context);
static void each_assumption(const struct program_claim *claim, assumption_visitor *visit,
                            void *context) {
  const struct ast_module *module = claim->module;
  const struct ast_decl *mechanism = claim->claim->as.claim.target;
  for (size_t i = 0; i < module->decl_count; i++)
    for (size_t j = 0; module->decls[i]->kind == DECL_PARAM && j < module->decls[i]->as.param.count;
         j++)
      visit(module->decls[i]->as.param.assumptions[j], context);
  for (size_t i = 0; i < mechanism->as.mechanism.require_count; i++)
    if (!is_about_inputs(mechanism->as.mechanism.requires[i]))
      visit(mechanism->as.mechanism.requires[i], context);
}

struct assumption_use {
  const struct program_claim *claim;
  struct reval *ev;
  const struct ast_decl *decl; /* assumptions that mention this one; NULL: all */
  bool alone;                  /* and no other parameter */
  number_list constants;
  bool holds;
};

static bool concerns(const struct assumption_use *u, const struct ast_expr *assumption) {
  if (!u->decl) return true;
  if (!expression_mentions(assumption, u->decl)) return false;
  for (size_t i = 0; u->alone && i < u->claim->module->decl_count; i++) {
    const struct ast_decl *d = u->claim->module->decls[i];
    if (d->kind == DECL_PARAM && d != u->decl && expression_mentions(assumption, d)) return false;
  }
  return true;
}

static void gather_constants(const struct ast_expr *assumption, void *context) {
  struct assumption_use *u = context;
  if (concerns(u, assumption)) constants_of(&u->constants, u->ev, assumption);
}

static void test_assumption(const struct ast_expr *assumption, void *context) {
  struct assumption_use *u = context;
  bool truth = true;
  if (!u->holds || !concerns(u, assumption)) return;
  struct diag_mark mark = diags_mark(&u->claim->lang->diags);
  u->ev->steps = 0;
  bool known = reval_is_executable(assumption) && reval_bool(u->ev, NULL, assumption, &truth);
  diags_rollback(&u->claim->lang->diags, mark);
  u->holds = !known || truth; /* what cannot be evaluated here is left to the certifier */
}

static void add_number(struct value_list *list, const fmpq_t x, bool integer) {
  if (list->list.len >= MOST_VALUES || (integer && !fmpz_is_one(fmpq_denref(x)))) return;
  if (!fmpz_fits_si(fmpq_numref(x)) || !fmpz_abs_fits_ui(fmpq_denref(x))) return;
  add_ratio(list, fmpz_get_si(fmpq_numref(x)), fmpz_get_ui(fmpq_denref(x)));
}

/* The numbers in the assumptions about the parameter, what lies between two of them, and next to
 * one. */
static void add_constants(struct value_list *list, const number_list *constants, bool integer) {
  fmpq_t x, step;
  fmpq_init(x);
  fmpq_init(step);
  for (size_t i = 0; i < constants->len; i++) {
    add_number(list, &constants->at[i], integer);
    for (slong k = 1; k >= -1; k -= 2) {
      fmpq_set_si(step, k, 1);
      fmpq_add(x, &constants->at[i], step);
      add_number(list, x, integer);
    }
    for (size_t j = 0; j < i; j++) {
      fmpq_add(x, &constants->at[i], &constants->at[j]);
      fmpq_div_2exp(x, x, 1);
      add_number(list, x, integer);
    }
  }
  fmpq_clear(x);
  fmpq_clear(step);
}

/* Leaves out the values that break an assumption about this parameter alone. */
static void keep_possible(struct value_list *list, struct assumption_use *u) {
  size_t kept = 0;
  u->alone = true;
  for (size_t i = 0; i < list->list.len; i++) {
    u->holds = true;
    reval_set_param(u->ev, u->decl, rvalue_copy(&list->list.at[i]));
    each_assumption(u->claim, test_assumption, u);
    if (u->holds)
      list->list.at[kept++] = list->list.at[i];
    else
      rvalue_clear(&list->list.at[i]);
  }
  list->list.len = kept;
}

static void values_for(struct value_list *list, const struct program_claim *claim,
                       const struct ast_decl *instance, const struct ast_decl *decl) {
  enum type_kind kind = decl->as.param.type->kind;
  struct param_use use = use_of(claim, decl);
  bool integer = kind == TYPE_INT;
  list->weight = use.is_length ? 1 : WEIGHT_OF_VALUES;
  if (kind == TYPE_BOOL) {
    vec_push(&list->list, rvalue_bool(true));
    vec_push(&list->list, rvalue_bool(false));
  }
  if (!use.is_length && !use.in_epsilon && !integer)
    add_instance_value(list, claim, instance, decl);
  if (kind != TYPE_INT && kind != TYPE_REAL && kind != TYPE_FLOAT && kind != TYPE_FLOAT32) return;
  struct interp in;
  interp_init(&in, claim->lang, claim->module, claim->claim->as.claim.target);
  struct assumption_use u = {.claim = claim, .ev = &in.ev, .decl = decl};
  usual_values(list, &use, integer, claim->claim->as.claim.delta || claim->claim->as.claim.formula);
  each_assumption(claim, gather_constants, &u);
  add_constants(list, &u.constants, integer);
  add_instance_value(list, claim, instance, decl);
  keep_possible(list, &u);
  numbers_clear(&u.constants);
  interp_clear(&in);
}

static bool setting_is_possible(const struct setting *s, const struct program_claim *claim) {
  struct interp in;
  interp_init(&in, claim->lang, claim->module, claim->claim->as.claim.target);
  for (size_t i = 0; i < s->params.len; i++)
    reval_set_param(&in.ev, s->params.at[i].decl, rvalue_copy(&s->params.at[i].value));
  struct assumption_use u = {.claim = claim, .ev = &in.ev, .holds = true};
  each_assumption(claim, test_assumption, &u);
  interp_clear(&in);
  return u.holds;
}

/* ---- combinations --------------------------------------------------------------------------- */

/* All combinations, the simplest first: ordered by the sum of positions in the lists, in which a
 * longer input counts less than another value of a parameter. */

struct combination {
  const struct program_claim *claim;
  setting_list *out;
  const struct ast_decl *const *decls;
  const struct value_list *values;
  size_t count, *positions;
};

static void setting_clear(struct setting *s) {
  for (size_t i = 0; i < s->params.len; i++)
    rvalue_clear(&s->params.at[i].value);
  vec_clear(&s->params);
}

static void combine(struct combination *c, size_t k, size_t left) {
  if (c->out->len >= MOST_SETTINGS) return;
  if (k == c->count) {
    if (left) return;
    struct setting s = {0};
    for (size_t i = 0; i < c->count; i++)
      vec_push(&s.params, (struct program_param){
                              c->decls[i], rvalue_copy(&c->values[i].list.at[c->positions[i]])});
    if (setting_is_possible(&s, c->claim))
      vec_push(c->out, s);
    else
      setting_clear(&s);
    return;
  }
  const struct value_list *values = &c->values[k];
  for (size_t p = 0; p < values->list.len && p * values->weight <= left; p++) {
    c->positions[k] = p;
    combine(c, k + 1, left - p * values->weight);
  }
}

static void say_why(char **why, const struct ast_decl *const *decls,
                    const struct value_list *values, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (!values[i].list.len) {
      *why = xasprintf("no value was found for the parameter `%s`; give it one in an instance",
                       decls[i]->name.text);
      return;
    }
  *why = xstrdup("no values were found for the parameters that satisfy all assumptions; give "
                 "them in an instance");
}

void candidate_settings(setting_list *out, const struct program_claim *claim,
                        const struct ast_decl *instance, char **why) {
  VEC(const struct ast_decl *) decls = {0};
  VEC(struct value_list) values = {0};
  for (size_t i = 0; i < claim->module->decl_count; i++) {
    if (claim->module->decls[i]->kind != DECL_PARAM) continue;
    struct value_list list = {0};
    values_for(&list, claim, instance, claim->module->decls[i]);
    vec_push(&decls, claim->module->decls[i]);
    vec_push(&values, list);
  }
  size_t most = 0;
  for (size_t i = 0; i < values.len; i++)
    most += values.at[i].list.len * values.at[i].weight;
  size_t *positions = xcalloc(decls.len + 1, sizeof *positions);
  struct combination c = {claim, out, decls.at, values.at, decls.len, positions};
  for (size_t sum = 0; sum <= most; sum++)
    combine(&c, 0, sum);
  if (!out->len) say_why(why, decls.at, values.at, decls.len);
  free(positions);
  for (size_t i = 0; i < values.len; i++) {
    for (size_t j = 0; j < values.at[i].list.len; j++)
      rvalue_clear(&values.at[i].list.at[j]);
    vec_clear(&values.at[i].list);
  }
  vec_clear(&values);
  vec_clear(&decls);
}

void setting_list_clear(setting_list *list) {
  for (size_t i = 0; i < list->len; i++)
    setting_clear(&list->at[i]);
  vec_clear(list);
}

bool candidate_is_epsilon(const struct program_claim *claim, const struct ast_decl *param) {
  return param->as.param.type->kind == TYPE_REAL && use_of(claim, param).in_epsilon;
}

const struct ast_decl *candidate_length(const struct program_claim *claim) {
  const struct ast_decl *found = NULL;
  for (size_t i = 0; i < claim->module->decl_count; i++) {
    const struct ast_decl *d = claim->module->decls[i];
    if (d->kind != DECL_PARAM || !use_of(claim, d).is_length) continue;
    if (found) return NULL;
    found = d;
  }
  return found;
}
