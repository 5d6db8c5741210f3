#include "proof/sample_values.h"

#include "lang/check/constant.h"
#include "num/rational.h"
#include "term/subst.h"

static void assign(struct sample_values *v, term_id var, const fmpq_t value) {
  eval_assign(&v->eval, var, tvalue_exact(&v->eval, value));
}

static void keep(struct sample_values *v, term_id var, const fmpq_t value) {
  fmpq copy;
  fmpq_init(&copy);
  fmpq_set(&copy, value);
  vec_push(&v->set, var);
  vec_push(&v->values, copy);
  vec_push(&v->is_used, false);
  assign(v, var, value);
}

/* The evaluator remembers results; after a value was withdrawn it starts afresh. */
static void start_again(struct sample_values *v) {
  eval_reset(&v->eval);
  for (size_t i = 0; i < v->set.len; i++)
    assign(v, v->set.at[i], &v->values.at[i]);
}

static bool value_in_instance(fmpq_t out, const struct ast_module *module,
                              const struct ast_decl *param) {
  for (size_t i = 0; i < module->decl_count; i++) {
    const struct ast_decl *d = module->decls[i];
    if (d->kind != DECL_INSTANCE) continue;
    for (size_t b = 0; b < d->as.instance.count; b++) {
      const struct ast_binding *binding = &d->as.instance.bindings[b];
      if (binding->kind == BINDING_PARAM && binding->target == param)
        return constant_eval(out, binding->value);
    }
    return false; /* the first instance only: values of several may not fit together */
  }
  return false;
}

/* Is some assumption certainly false now? */
static bool is_refuted(struct sample_values *v, const term_list *assumptions) {
  for (size_t i = 0; i < assumptions->len; i++)
    if (eval_truth(&v->eval, assumptions->at[i]) == 0) return true;
  return false;
}

static void choose(struct sample_values *v, term_id var, bool is_int,
                   const term_list *assumptions) {
  static const struct {
    long numerator;
    unsigned long denominator;
  } candidates[] = {{1, 1}, {2, 1}, {1, 2}, {1, 10}, {4, 1}, {10, 1}, {0, 1}, {-1, 1}};
  fmpq_t value;
  fmpq_init(value);
  for (size_t i = 0; i < sizeof candidates / sizeof *candidates; i++) {
    if (is_int && candidates[i].denominator > 1) continue;
    fmpq_set_si(value, candidates[i].numerator, candidates[i].denominator);
    start_again(v);
    assign(v, var, value);
    if (is_refuted(v, assumptions)) continue;
    start_again(v);
    keep(v, var, value);
    break;
  }
  fmpq_clear(value);
}

static void collect_assumptions(struct prover *p, term_list *out) {
  const struct ast_module *module = p->env->module;
  for (size_t i = 0; i < module->decl_count; i++)
    for (size_t j = 0; module->decls[i]->kind == DECL_PARAM && j < module->decls[i]->as.param.count;
         j++) {
      term_id t = prover_formula(p, module->decls[i]->as.param.assumptions[j], SORT_BOOL);
      if (t != TERM_NONE) vec_push(out, t);
    }
}

void sample_values_init(struct sample_values *v, struct prover *p) {
  *v = (struct sample_values){.ts = p->ts};
  eval_init(&v->eval, p->ts);
  term_list assumptions = {0};
  const char *error = p->error; /* mistakes here are nobody's */
  collect_assumptions(p, &assumptions);
  const struct ast_module *module = p->env->module;
  fmpq_t given;
  fmpq_init(given);
  for (size_t i = 0; i < module->decl_count; i++) {
    const struct ast_decl *d = module->decls[i];
    if (d->kind != DECL_PARAM) continue;
    sort_id sort = translate_sort(p->env, d->as.param.type->type);
    if (!sort_is_numeric(sort)) continue;
    term_id var = term_var(p->ts, d->name.text, sort, 0, 0);
    if (value_in_instance(given, module, d))
      keep(v, var, given);
    else
      choose(v, var, sort == SORT_INT, &assumptions);
  }
  p->error = error;
  fmpq_clear(given);
  vec_clear(&assumptions);
}

void sample_values_clear(struct sample_values *v) {
  eval_clear(&v->eval);
  for (size_t i = 0; i < v->values.len; i++)
    fmpq_clear(&v->values.at[i]);
  vec_clear(&v->set);
  vec_clear(&v->values);
  vec_clear(&v->is_used);
}

/* Index of the variable, given 0 if it has no value yet; -1: it belongs to a run. */
static long find(struct sample_values *v, term_id var) {
  for (size_t i = 0; i < v->set.len; i++)
    if (v->set.at[i] == var) return (long)i;
  if (term_var_get(v->ts, var)->run != 0 || !sort_is_numeric(term_sort(v->ts, var))) return -1;
  fmpq_t zero;
  fmpq_init(zero);
  keep(v, var, zero);
  fmpq_clear(zero);
  return (long)v->set.len - 1;
}

bool sample_value(struct sample_values *v, term_id t, double *out) {
  if (t == TERM_NONE) return false;
  term_list vars = {0};
  bool known = true;
  term_free_vars(v->eval.ts, t, &vars);
  for (size_t i = 0; i < vars.len && known; i++) {
    long at = find(v, vars.at[i]);
    known = at >= 0;
    if (known) v->is_used.at[at] = true;
  }
  vec_clear(&vars);
  if (!known) return false;
  arb_t ball;
  arb_init(ball);
  known = tvalue_get_ball(eval_term(&v->eval, t), ball, v->eval.precision) && arb_is_finite(ball);
  if (known) *out = arf_get_d(arb_midref(ball), ARF_RND_NEAR);
  arb_clear(ball);
  return known;
}

const char *sample_values_text(const struct sample_values *v, struct arena *arena) {
  struct buffer b;
  buffer_init(&b);
  for (size_t i = 0; i < v->set.len; i++) {
    if (!v->is_used.at[i]) continue;
    buffer_printf(&b, "%s%s = ", b.len ? ", " : "", term_var_get(v->ts, v->set.at[i])->name);
    rational_print(&b, &v->values.at[i]);
  }
  const char *text = arena_printf(arena, "%s", buffer_text(&b));
  buffer_clear(&b);
  return text;
}
