#include "search/refute/candidates.h"

#include <stdlib.h>

#include "lang/syntax/builtin.h"
#include "lang/syntax/walk.h"
#include "run/eval/number.h"
#include "run/sample/interp.h"

/* ---- parameters ----------------------------------------------------------------------------- */

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
  for (size_t i = 0; i < routine->arg_count; i++)
    use.is_length |= length_mentions(routine->args[i]->declared, decl);
  return use;
}

/* Values to try for one parameter. */
struct value_list {
  VEC(struct rvalue) list;
  size_t weight; /* of a position in it, see combine */
};

static void add_ratio(struct value_list *out, slong num, ulong den) {
  fmpq_t q;
  fmpq_init(q);
  fmpq_set_si(q, num, den);
  struct rvalue v = rvalue_fmpq(q);
  fmpq_clear(q);
  for (size_t i = 0; i < out->list.len; i++) {
    int order;
    if (rvalue_compare(&order, &out->list.at[i], &v) && order == 0) {
      rvalue_clear(&v);
      return;
    }
  }
  vec_push(&out->list, v);
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
  if (b && interp_constant(claim->lang, b->value, &v)) vec_push(&out->list, v);
  diags_rollback(&claim->lang->diags, mark);
}

enum { MOST_SETTINGS = 120, WEIGHT_OF_VALUES = 3 };

static const slong lengths[] = {1, 2, 3, 4, 5, 6, 7, 8, 10};

static void values_for(struct value_list *list, const struct program_claim *claim,
                       const struct ast_decl *instance, const struct ast_decl *decl) {
  enum type_kind kind = decl->as.param.type->kind;
  if (kind == TYPE_BOOL) {
    struct rvalue values[] = {rvalue_bool(true), rvalue_bool(false)};
    for (size_t i = 0; i < 2; i++)
      vec_push(&list->list, values[i]);
    list->weight = WEIGHT_OF_VALUES;
  }
  if (kind != TYPE_INT && kind != TYPE_REAL) return; /* no values: no settings */
  struct param_use use = use_of(claim, decl);
  bool integer = decl->as.param.type->kind == TYPE_INT;
  list->weight = use.is_length ? 1 : WEIGHT_OF_VALUES;
  if (use.is_length) {
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++)
      add_ratio(list, lengths[i], 1);
  } else if (use.in_epsilon && !integer) {
    add_ratio(list, 1, 1);
    add_ratio(list, 2, 1);
    add_ratio(list, 1, 2);
    add_ratio(list, 4, 1);
  } else if (integer) {
    add_ratio(list, 1, 1);
    add_ratio(list, 2, 1);
    add_ratio(list, 3, 1);
  } else {
    add_instance_value(list, claim, instance, decl);
    if (use.in_delta) {
      add_ratio(list, 1, 100);
      add_ratio(list, 1, 10);
      add_ratio(list, 1, 2);
    } else {
      add_ratio(list, 1, 1);
      add_ratio(list, 0, 1);
    }
  }
}

/* All combinations, the simplest first: ordered by the sum of positions in the lists, in which a
 * longer input counts less than another value of a parameter. */

static void combine(setting_list *out, const struct ast_decl *const *decls,
                    const struct value_list *values, size_t count, size_t k, size_t left,
                    size_t *positions) {
  if (out->len >= MOST_SETTINGS) return;
  if (k == count) {
    if (left) return;
    struct setting s = {0};
    for (size_t i = 0; i < count; i++)
      vec_push(&s.params,
               (struct program_param){decls[i], rvalue_copy(&values[i].list.at[positions[i]])});
    vec_push(out, s);
    return;
  }
  for (size_t p = 0; p < values[k].list.len && p * values[k].weight <= left; p++) {
    positions[k] = p;
    combine(out, decls, values, count, k + 1, left - p * values[k].weight, positions);
  }
}

void candidate_settings(setting_list *out, const struct program_claim *claim,
                        const struct ast_decl *instance) {
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
  for (size_t sum = 0; sum <= most; sum++)
    combine(out, decls.at, values.at, decls.len, 0, sum, positions);
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
  for (size_t i = 0; i < list->len; i++) {
    for (size_t j = 0; j < list->at[i].params.len; j++)
      rvalue_clear(&list->at[i].params.at[j].value);
    vec_clear(&list->at[i].params);
  }
  vec_clear(list);
}

/* ---- inputs --------------------------------------------------------------------------------- */

struct generator {
  const struct program_claim *claim;
  const struct ast_decl *instance;
  struct interp in; /* parameters set, for lengths and distances */
  fmpq_t unit;      /* how far adjacent entries may move */
};

/* The type as the instance represents it. */
static const struct ast_type *reveal(const struct generator *g, const struct ast_type *t) {
  if (t->kind != TYPE_ABSTRACT) return t;
  for (size_t i = 0; g->instance && i < g->instance->as.instance.count; i++) {
    const struct ast_binding *b = &g->instance->as.instance.bindings[i];
    if (b->kind == BINDING_TYPE && b->name.text == t->name.text) return reveal(g, b->type);
  }
  return t;
}

struct unit_search {
  struct generator *g;
  bool found;
};

/* The distance in within(x, s), all_within(q, s), ... */
static void look_for_unit(const struct ast_expr *e, void *context) {
  struct unit_search *u = context;
  if (!u->found && e->kind == EXPR_CALL && e->as.call.callee_kind == CALLEE_BUILTIN &&
      builtin_get(e->as.call.builtin)->is_adjacency && e->as.call.count == 2) {
    struct rvalue s;
    struct diag_mark mark = diags_mark(&u->g->claim->lang->diags);
    if (reval_take(&u->g->in.ev, NULL, e->as.call.args[1], &s)) {
      if (s.kind == RVALUE_INT || s.kind == RVALUE_RATIONAL) {
        number_get_fmpq(u->g->unit, &s);
        u->found = fmpq_sgn(u->g->unit) > 0;
      }
      rvalue_clear(&s);
    }
    diags_rollback(&u->g->claim->lang->diags, mark);
  }
  walk_parts(e, look_for_unit, context);
}

/* `units` * unit. */
static struct rvalue in_units(const struct generator *g, slong units) {
  fmpq_t q;
  fmpq_init(q);
  fmpq_set_si(q, units, 1);
  fmpq_mul(q, q, g->unit);
  struct rvalue v = rvalue_fmpq(q);
  fmpq_clear(q);
  return v;
}

/* Shapes of a vector of length n: what entry i is, in units. */
typedef slong shape(size_t i, size_t n);
static slong zeros(size_t i, size_t n) {
  return (void)i, (void)n, 0;
}
static slong all_up(size_t i, size_t n) {
  return (void)i, (void)n, 1;
}
static slong all_down(size_t i, size_t n) {
  return (void)i, (void)n, -1;
}
static slong first_up(size_t i, size_t n) {
  return (void)n, i == 0;
}
static slong first_down(size_t i, size_t n) {
  return (void)n, -(slong)(i == 0);
}
static slong first_far(size_t i, size_t n) {
  return (void)n, i == 0 ? 8 : 0;
}
static slong last_up(size_t i, size_t n) {
  return i + 1 == n;
}
static slong last_down(size_t i, size_t n) {
  return -(slong)(i + 1 == n);
}
static slong first_against(size_t i, size_t n) {
  return (void)n, i == 0 ? 1 : -1;
}
static slong first_with(size_t i, size_t n) {
  return (void)n, i == 0 ? -1 : 1;
}
static slong last_against(size_t i, size_t n) {
  return i + 1 == n ? 1 : -1;
}
static slong last_with(size_t i, size_t n) {
  return i + 1 == n ? -1 : 1;
}
static slong halves_up(size_t i, size_t n) {
  return i < (n + 1) / 2 ? 1 : -1;
}
static slong halves_down(size_t i, size_t n) {
  return i < (n + 1) / 2 ? -1 : 1;
}
static slong alternate(size_t i, size_t n) {
  return (void)n, i % 2 ? -1 : 1;
}

static shape *const bases[] = {zeros, first_up, first_down, halves_up};
static shape *const moves[] = {all_up,     all_down,  first_against, first_with, last_against,
                               last_with,  halves_up, halves_down,   alternate,  first_up,
                               first_down, last_up,   last_down,     first_far};
enum { BASE_COUNT = sizeof bases / sizeof *bases, MOVE_COUNT = sizeof moves / sizeof *moves };

struct two_values {
  struct rvalue at[2];
};
typedef VEC(struct two_values) pair_values;

/* Entries of one numeric vector in both runs. */
static struct two_values vector_pair(const struct generator *g, enum rvalue_kind kind, size_t n,
                                     shape *base, shape *move) {
  struct two_values p = {{rvalue_seq(kind, n), rvalue_seq(kind, n)}};
  for (size_t i = 0; i < n; i++) {
    p.at[0].as.seq->at[i] = in_units(g, base(i, n));
    p.at[1].as.seq->at[i] = in_units(g, base(i, n) + move(i, n));
  }
  return p;
}

static bool length_of(struct generator *g, const struct ast_type *t, size_t *n) {
  struct rvalue v;
  struct diag_mark mark = diags_mark(&g->claim->lang->diags);
  bool ok = t->length && reval_take(&g->in.ev, NULL, t->length, &v);
  diags_rollback(&g->claim->lang->diags, mark);
  if (!ok) return false;
  ok = v.kind == RVALUE_INT && fmpz_sgn(&v.as.integer) >= 0 && fmpz_cmp_ui(&v.as.integer, 64) < 0;
  if (ok) *n = fmpz_get_ui(&v.as.integer);
  rvalue_clear(&v);
  return ok;
}

static bool bool_vectors(pair_values *out, enum rvalue_kind kind, size_t n) {
  for (size_t flipped = 0; flipped < n; flipped++) {
    struct two_values p = {{rvalue_seq(kind, n), rvalue_seq(kind, n)}};
    for (size_t i = 0; i < n; i++) {
      p.at[0].as.seq->at[i] = rvalue_bool(i == flipped);
      p.at[1].as.seq->at[i] = rvalue_bool(false);
    }
    vec_push(out, p);
  }
  return true;
}

static bool vectors(struct generator *g, pair_values *out, const struct ast_type *t) {
  const struct ast_type *item = reveal(g, t->items[0]);
  enum rvalue_kind kind = t->kind == TYPE_LIST ? RVALUE_LIST : RVALUE_ARRAY;
  size_t n = 3;
  if (t->kind == TYPE_ARRAY && !length_of(g, t, &n)) return false;
  if (item->kind == TYPE_BOOL) return bool_vectors(out, kind, n);
  if (item->kind != TYPE_INT && item->kind != TYPE_REAL) return false;
  for (size_t b = 0; b < BASE_COUNT; b++)
    for (size_t m = 0; m < MOVE_COUNT; m++)
      vec_push(out, vector_pair(g, kind, n, bases[b], moves[m]));
  return true;
}

static const slong small_numbers[] = {0, 1, -1, 2, -2};

static bool pairs_for(struct generator *g, pair_values *out, const struct ast_type *declared) {
  const struct ast_type *t = reveal(g, declared);
  switch (t->kind) {
  case TYPE_BOOL:
    vec_push(out, (struct two_values){{rvalue_bool(true), rvalue_bool(false)}});
    vec_push(out, (struct two_values){{rvalue_bool(false), rvalue_bool(true)}});
    return true;
  case TYPE_INT:
  case TYPE_REAL:
    for (size_t b = 0; b < sizeof small_numbers / sizeof *small_numbers; b++)
      for (slong move = 1; move >= -1; move -= 2)
        vec_push(out, (struct two_values){
                          {in_units(g, small_numbers[b]), in_units(g, small_numbers[b] + move)}});
    return true;
  case TYPE_ARRAY:
  case TYPE_LIST: return vectors(g, out, t);
  default: return false;
  }
}

/* A public input: 0 for a number (thresholds then tie with the queries), else the instance's. */
static bool public_value(struct generator *g, const struct ast_var *arg, struct rvalue *out) {
  const struct ast_type *t = reveal(g, arg->declared);
  if (t->kind == TYPE_REAL || t->kind == TYPE_INT) {
    *out = rvalue_int(0);
    return true;
  }
  const struct ast_binding *b = interp_input(&g->in, arg);
  return b && reval_take(&g->in.ev, NULL, b->value, out);
}

static void value_pairs_clear(pair_values *list) {
  for (size_t i = 0; i < list->len; i++)
    for (int run = 0; run < 2; run++)
      rvalue_clear(&list->at[i].at[run]);
  vec_clear(list);
}

/* The k-th candidate of every private input at once: inputs move in step. */
static bool assemble(struct generator *g, input_pair_list *out) {
  const struct ast_routine *routine = g->claim->claim->as.claim.target->as.mechanism.routine;
  pair_values *lists = xcalloc(routine->arg_count + 1, sizeof *lists);
  size_t most = 0;
  bool ok = true;
  for (size_t i = 0; ok && i < routine->arg_count; i++) {
    if (routine->args[i]->is_private) {
      ok = pairs_for(g, &lists[i], routine->args[i]->declared);
    } else {
      struct rvalue v;
      ok = public_value(g, routine->args[i], &v);
      if (ok) vec_push(&lists[i], (struct two_values){{rvalue_copy(&v), v}});
    }
    if (lists[i].len > most) most = lists[i].len;
    ok = ok && lists[i].len > 0;
  }
  for (size_t k = 0; ok && k < most; k++) {
    struct input_pair p;
    for (int run = 0; run < 2; run++) {
      p.runs[run] = xcalloc(routine->arg_count + 1, sizeof(struct rvalue));
      for (size_t i = 0; i < routine->arg_count; i++)
        p.runs[run][i] = rvalue_copy(&lists[i].at[k % lists[i].len].at[run]);
    }
    vec_push(out, p);
  }
  for (size_t i = 0; i < routine->arg_count; i++)
    value_pairs_clear(&lists[i]);
  free(lists);
  return ok;
}

static void generator_init(struct generator *g, const struct program_claim *claim,
                           const struct ast_decl *instance, const struct program_param *params,
                           size_t count) {
  const struct ast_decl *mechanism = claim->claim->as.claim.target;
  *g = (struct generator){.claim = claim, .instance = instance};
  fmpq_init(g->unit);
  fmpq_one(g->unit);
  interp_init(&g->in, claim->lang, claim->module, mechanism);
  g->in.instance = instance;
  for (size_t i = 0; i < count; i++)
    reval_set_param(&g->in.ev, params[i].decl, rvalue_copy(&params[i].value));
  struct unit_search u = {g, false};
  const struct ast_expr *adjacency = claim->claim->as.claim.under
                                         ? claim->claim->as.claim.under
                                         : mechanism->as.mechanism.adjacent;
  if (adjacency) look_for_unit(adjacency, &u);
}

static void generator_clear(struct generator *g) {
  interp_clear(&g->in);
  fmpq_clear(g->unit);
}

bool candidate_inputs(input_pair_list *out, const struct program_claim *claim,
                      const struct ast_decl *instance, const struct setting *setting) {
  struct generator g;
  generator_init(&g, claim, instance, setting->params.at, setting->params.len);
  struct diag_mark mark = diags_mark(&claim->lang->diags);
  bool ok = assemble(&g, out);
  diags_rollback(&claim->lang->diags, mark);
  generator_clear(&g);
  return ok;
}

void candidate_unit(fmpq_t out, const struct program_claim *claim,
                    const struct program_counterexample *ce) {
  struct generator g;
  generator_init(&g, claim, ce->instance, ce->params.at, ce->params.len);
  fmpq_set(out, g.unit);
  generator_clear(&g);
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

void input_pair_list_clear(input_pair_list *list, size_t input_count) {
  for (size_t i = 0; i < list->len; i++)
    for (int run = 0; run < 2; run++) {
      for (size_t k = 0; k < input_count; k++)
        rvalue_clear(&list->at[i].runs[run][k]);
      free(list->at[i].runs[run]);
    }
  vec_clear(list);
}
