#include "check/finite/symbolic.h"

#include <stdlib.h>
#include <string.h>

#include "check/counterexample/domain.h"
#include "claim/lower.h"
#include "kernel/cases.h"
#include "kernel/outcomes.h"
#include "run/eval/number.h"
#include "term/build.h"
#include "term/eval.h"
#include "term/subst.h"

enum { SYMBOLIC_PRECISION = 256 };

struct listed {
  bool is_known;
  struct outcomes outcomes;
};

struct finite_symbolic {
  const struct finite_inputs *inputs;
  struct terms terms;
  struct kernel *kernel;
  struct translate_env env;
  struct lowered program;
  struct evaluator eval;
  term_id factor, delta; /* e^epsilon, delta */
  term_id keys[2];       /* what the mechanism puts out */
  size_t key_count;
  term_list from, to; /* parameters, then inputs, and their values */
  size_t param_count;
  struct listed *listed; /* per input */
  bool failed;           /* an input whose outputs could not be listed */
};

/* ---- values --------------------------------------------------------------------------------- */

static term_id value_term(struct finite_symbolic *s, const struct rvalue *v, sort_id sort);

static term_id number_term(struct terms *ts, const struct rvalue *v, sort_id sort) {
  fmpq_t q;
  fmpq_init(q);
  number_get_fmpq(q, v);
  bool fits = sort == SORT_REAL || (sort == SORT_INT && fmpz_is_one(fmpq_denref(q)));
  term_id t = fits ? term_num(ts, q, sort) : TERM_NONE;
  fmpq_clear(q);
  return t;
}

/* Beyond its length an array has some content, which no run reads. */
static term_id array_term(struct finite_symbolic *s, const struct rvalue_seq *items, sort_id sort) {
  term_id t = term_var(&s->terms, "'beyond", sort, 0, 0);
  for (size_t i = 0; i < items->len && t != TERM_NONE; i++) {
    term_id item = value_term(s, &items->at[i], sort_elem(&s->terms, sort));
    t = item == TERM_NONE ? TERM_NONE
                          : term_store(&s->terms, t, term_int(&s->terms, (long)i), item);
  }
  return t;
}

static term_id tuple_term(struct finite_symbolic *s, const struct rvalue_seq *items, sort_id sort) {
  term_list list = {0};
  bool ok = items->len == sort_get(&s->terms, sort)->count;
  for (size_t i = 0; i < items->len && ok; i++) {
    vec_push(&list, value_term(s, &items->at[i], sort_get(&s->terms, sort)->items[i]));
    ok = vec_last(&list) != TERM_NONE;
  }
  term_id t = ok ? term_tuple(&s->terms, list.at, list.len) : TERM_NONE;
  vec_clear(&list);
  return t;
}

static term_id value_term(struct finite_symbolic *s, const struct rvalue *v, sort_id sort) {
  if (v->kind == RVALUE_BOOL) return term_bool(&s->terms, v->as.boolean);
  if (v->kind == RVALUE_INT || v->kind == RVALUE_RATIONAL) return number_term(&s->terms, v, sort);
  if (!rvalue_is_seq(v)) return TERM_NONE;
  enum sort_kind kind = sort_get(&s->terms, sort)->kind;
  if (kind == SORT_KIND_ARRAY) return array_term(s, v->as.seq, sort);
  return kind == SORT_KIND_TUPLE ? tuple_term(s, v->as.seq, sort) : TERM_NONE;
}

static bool add_value(struct finite_symbolic *s, term_id var, const struct rvalue *v) {
  term_id t = value_term(s, v, term_sort(&s->terms, var));
  vec_push(&s->from, var);
  vec_push(&s->to, t);
  return t != TERM_NONE;
}

static bool set_params(struct finite_symbolic *s) {
  const struct ast_decl *claim = s->inputs->claim->claim;
  for (size_t i = 0; i < claim->as.claim.at_count; i++) {
    const struct ast_decl *param = claim->as.claim.at[i].param;
    if (!param) continue;
    sort_id sort = translate_sort(&s->env, param->as.param.type->type);
    struct rvalue v = domain_value(claim->as.claim.at[i].values[0]);
    bool ok = add_value(s, term_var(&s->terms, param->name.text, sort, 0, 0), &v);
    rvalue_clear(&v);
    if (!ok) return false;
  }
  s->param_count = s->from.len;
  return true;
}

static bool set_input(struct finite_symbolic *s, size_t number) {
  const struct ast_routine *m = s->inputs->routine;
  struct rvalue *values = xcalloc(m->arg_count + 1, sizeof *values);
  finite_input(s->inputs, number, values);
  s->from.len = s->to.len = s->param_count;
  bool ok = true;
  for (size_t i = 0; i < m->arg_count; i++) {
    const struct translate_binding *b = ptrmap_get(&s->env.vars, m->args[i]);
    ok = ok && b && b->term != TERM_NONE && add_value(s, b->term, &values[i]);
    rvalue_clear(&values[i]);
  }
  free(values);
  return ok;
}

/* ---- programs ------------------------------------------------------------------------------- */

/* A term with the values; TERM_NONE makes everything fail. */
static term_id with_values(struct finite_symbolic *s, term_id t) {
  term_id value =
      t == TERM_NONE ? TERM_NONE : term_subst(&s->terms, t, s->from.at, s->to.at, s->from.len);
  if (value == TERM_NONE) s->failed = true;
  return value;
}

/* The program with values in the place of parameters and inputs, which it does not write. */
static const struct core *program_with_values(struct finite_symbolic *s, const struct core *c) {
  struct arena *arena = kernel_arena(s->kernel);
  switch (c->kind) {
  case CORE_SKIP: return c;
  case CORE_ASSIGN: return core_assign(arena, c->span, c->var, with_values(s, c->expr));
  case CORE_SAMPLE: {
    term_list args = {0};
    for (size_t i = 0; i < c->arg_count; i++)
      vec_push(&args, with_values(s, c->args[i]));
    const struct core *sample = core_sample(arena, c->span, c->var, c->dist, args.at, c->arg_count);
    vec_clear(&args);
    return sample;
  }
  case CORE_SEQ:
    return core_seq(arena, program_with_values(s, c->first), program_with_values(s, c->second));
  case CORE_IF:
    return core_if(arena, c->span, with_values(s, c->expr), program_with_values(s, c->first),
                   program_with_values(s, c->second));
  case CORE_WHILE:
    return core_while(arena, c->span, with_values(s, c->expr), program_with_values(s, c->first));
  case CORE_ADVERSARY: break;
  }
  s->failed = true; /* unknown code has no outputs to list */
  return c;
}

/* ---- comparisons ---------------------------------------------------------------------------- */

static bool is_certain(struct finite_symbolic *s, term_id formula) {
  if (formula == TERM_NONE) return false;
  if (eval_truth(&s->eval, formula) == 1) return true;
  term_id cleared = term_by_cases(&s->terms, formula, false);
  return cleared != TERM_NONE && eval_truth(&s->eval, cleared) == 1;
}

/* The outputs of an input, listed when first asked for; NULL: not possible. */
static const struct outcomes *list_outputs(struct finite_symbolic *s, size_t number) {
  struct listed *l = &s->listed[number];
  if (l->is_known || s->failed) return s->failed ? NULL : &l->outcomes;
  l->is_known = true;
  s->failed = !set_input(s, number);
  const struct core *program = s->failed ? NULL : program_with_values(s, s->program.program);
  s->failed = s->failed ||
              !outcomes_of(s->kernel, "FINITE", program, 1, s->keys, s->key_count, &l->outcomes);
  for (size_t i = 0; i < l->outcomes.list.len && !s->failed; i++)
    s->failed = l->outcomes.list.at[i].sample_count > 0; /* one by one, there is no end of them */
  for (size_t i = 0; i < l->outcomes.valid.len && !s->failed; i++)
    s->failed = !is_certain(s, kernel_strip(s->kernel, l->outcomes.valid.at[i]));
  return s->failed ? NULL : &l->outcomes;
}

/* e^epsilon times the probability of the output in the other run. */
static term_id allowed(struct finite_symbolic *s, const struct outcomes *in,
                       const struct outcome *output) {
  size_t size = s->key_count * sizeof *output->values;
  for (size_t i = 0; i < in->list.len; i++)
    if (memcmp(in->list.at[i].values, output->values, size) == 0)
      return term_mul(&s->terms, s->factor, in->list.at[i].probability);
  return term_rat(&s->terms, 0, 1);
}

bool finite_symbolic_holds(struct finite_symbolic *s, size_t first, size_t second) {
  struct terms *ts = &s->terms;
  const struct outcomes *one = list_outputs(s, first), *two = list_outputs(s, second);
  if (!one || !two) return false;
  term_id excess = term_rat(ts, 0, 1);
  for (size_t i = 0; i < one->list.len; i++) {
    term_id p = one->list.at[i].probability, most = allowed(s, two, &one->list.at[i]);
    if (p == TERM_NONE || most == TERM_NONE) return false;
    if (is_certain(s, term_le(ts, p, most))) continue;
    /* it must be positive, or the sum would be too small */
    if (s->delta == TERM_NONE || eval_truth(&s->eval, term_le(ts, most, p)) != 1) return false;
    excess = term_add(ts, excess, term_sub(ts, p, most));
    if (excess == TERM_NONE) return false;
  }
  return s->delta == TERM_NONE || is_certain(s, term_le(ts, excess, s->delta));
}

/* ---- the whole ------------------------------------------------------------------------------ */

static bool set_costs(struct finite_symbolic *s) {
  const struct ast_decl *claim = s->inputs->claim->claim;
  term_id epsilon = translate_expr_as(&s->env, claim->as.claim.epsilon, SORT_REAL);
  s->factor = s->env.error ? TERM_NONE : with_values(s, epsilon);
  if (s->factor != TERM_NONE) s->factor = term_exp(&s->terms, s->factor);
  s->delta = TERM_NONE;
  if (claim->as.claim.delta && s->factor != TERM_NONE)
    s->delta = with_values(s, translate_expr_as(&s->env, claim->as.claim.delta, SORT_REAL));
  return s->factor != TERM_NONE && !s->env.error && !s->failed;
}

struct finite_symbolic *finite_symbolic_open(const struct finite_inputs *inputs) {
  struct finite_symbolic *s = xcalloc(1, sizeof *s);
  s->inputs = inputs;
  terms_init(&s->terms);
  s->kernel = kernel_new(&s->terms, NULL); /* nothing is proved here: no solver */
  translate_env_init(&s->env, s->kernel, inputs->claim->lang, inputs->claim->module);
  eval_init(&s->eval, &s->terms);
  s->eval.precision = SYMBOLIC_PRECISION;
  s->listed = xcalloc(inputs->count + 1, sizeof *s->listed);
  bool ok = lower_mechanism(&s->env, inputs->routine, false, &s->program) && set_params(s) &&
            set_costs(s);
  const term_id outputs[] = {s->program.output, s->program.result};
  for (size_t i = 0; i < 2; i++)
    if (outputs[i] != TERM_NONE) s->keys[s->key_count++] = outputs[i];
  if (ok) return s;
  finite_symbolic_close(s);
  return NULL;
}

void finite_symbolic_close(struct finite_symbolic *s) {
  if (!s) return;
  for (size_t i = 0; i < s->inputs->count; i++)
    outcomes_free(&s->listed[i].outcomes);
  free(s->listed);
  vec_clear(&s->from);
  vec_clear(&s->to);
  eval_clear(&s->eval);
  translate_env_clear(&s->env);
  kernel_free(s->kernel);
  terms_clear(&s->terms);
  free(s);
}
