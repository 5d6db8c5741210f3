#include "claim/lemma.h"

#include "kernel/context.h"
#include "num/binary64.h"
#include "term/build.h"
#include "term/subst.h"

struct lemma {
  struct kernel *kernel;
  struct terms *terms;
  struct decider *decider;
  struct translate_env env;
  struct span span;
  term_id formula;
};

struct lemma *lemma_open(struct lang *lang, const struct ast_module *module,
                         const struct ast_decl *decl, struct terms *terms, struct decider *decider,
                         struct kernel_failure *why) {
  struct lemma *l = xcalloc(1, sizeof *l);
  l->kernel = kernel_new(terms, decider);
  l->terms = terms;
  l->decider = decider;
  l->span = decl->span;
  translate_env_init(&l->env, l->kernel, lang, module);
  translate_module(&l->env);
  if (decl->kind != DECL_LEMMA) translate_fail(&l->env, decl->span, "this is not a lemma");
  if (!l->env.error) l->formula = translate_expr_as(&l->env, decl->as.formula, SORT_BOOL);
  kernel_seal(l->kernel);
  l->env.is_proof_text = true; /* from here on */
  if (!l->env.error) return l;
  translate_failure(&l->env, why);
  lemma_close(l);
  return NULL;
}

void lemma_close(struct lemma *lemma) {
  if (!lemma) return;
  translate_env_clear(&lemma->env);
  kernel_free(lemma->kernel);
  free(lemma);
}

term_id lemma_formula(const struct lemma *lemma) {
  return lemma->formula;
}
struct kernel *lemma_kernel(struct lemma *lemma) {
  return lemma->kernel;
}
struct translate_env *lemma_env(struct lemma *lemma) {
  return &lemma->env;
}

enum claim_verdict lemma_conclude(struct lemma *lemma) {
  struct kernel *k = lemma->kernel;
  if (!kernel_prove_fact(k, "LEMMA", lemma->span, lemma->formula, "the lemma"))
    return CLAIM_NOT_PROVED;
  if (kernel_is_vacuous(k, "LEMMA", lemma->span)) return CLAIM_NOT_PROVED;
  return kernel_believes(k) ? CLAIM_BELIEVED : CLAIM_PROVED;
}

/* ---- false lemmas ---------------------------------------------------------------------------- */

void lemma_point_clear(struct lemma_point *point) {
  vec_clear(&point->names);
  vec_clear(&point->values);
  vec_clear(&point->witnesses);
}

static bool are_constants(struct terms *ts, term_id t);

/* Different constants of one sort have different values. */
static bool is_constant(struct terms *ts, term_id t) {
  switch (term_kind(ts, t)) {
  case TERM_TRUE:
  case TERM_FALSE:
  case TERM_NUM:
  case TERM_NIL: return true;
  case TERM_CONS:
  case TERM_TUPLE: return are_constants(ts, t);
  default: return false;
  }
}

static bool are_constants(struct terms *ts, term_id t) {
  for (size_t i = 0; i < term_arg_count(ts, t); i++)
    if (!is_constant(ts, term_arg(ts, t, i))) return false;
  return true;
}

bool lemma_point_set(struct lemma_point *point, struct terms *ts, term_id name, term_id value) {
  bool is_application = term_kind(ts, name) == TERM_APP && are_constants(ts, name);
  if ((term_kind(ts, name) != TERM_VAR && !is_application) || !is_constant(ts, value) ||
      term_sort(ts, name) != term_sort(ts, value))
    return false;
  for (size_t i = 0; i < point->names.len; i++)
    if (point->names.at[i] == name) return false;
  vec_push(&point->names, name);
  vec_push(&point->values, value);
  return true;
}

bool lemma_point_add_witness(struct lemma_point *point, struct terms *ts, term_id value) {
  if (!is_constant(ts, value)) return false;
  vec_push(&point->witnesses, value);
  return true;
}

/* Variables are replaced, so that no array may be left: these are maps in the logic. */
static term_id at_point(struct terms *ts, const struct lemma_point *p, term_id formula) {
  if (term_get(ts, formula)->flags & TERM_HAS_ARRAY) return TERM_NONE;
  term_list from = {0}, to = {0};
  for (size_t i = 0; i < p->names.len; i++)
    if (term_kind(ts, p->names.at[i]) == TERM_VAR) {
      vec_push(&from, p->names.at[i]);
      vec_push(&to, p->values.at[i]);
    }
  term_id t = term_subst(ts, formula, from.at, to.at, from.len);
  vec_clear(&from);
  vec_clear(&to);
  return t;
}

static term_id instance_at(struct terms *ts, const struct lemma_point *p, term_id formula) {
  term_id t = at_point(ts, p, formula);
  for (size_t i = 0; i < p->witnesses.len && t != TERM_NONE; i++)
    t = term_kind(ts, t) == TERM_FORALL ? term_instantiate(ts, t, p->witnesses.at[i]) : TERM_NONE;
  return t;
}

/* A context that assumes the values of operators: some operator has them. */
static struct kernel *context_at(const struct lemma *lemma, const struct lemma_point *p) {
  struct terms *ts = lemma->terms;
  struct kernel *k = kernel_new(ts, lemma->decider);
  for (size_t i = 0; i < p->names.len; i++)
    if (term_kind(ts, p->names.at[i]) == TERM_APP)
      kernel_assume(k, term_eq(ts, p->names.at[i], p->values.at[i]));
  kernel_seal(k);
  return k;
}

/* Is it the value of a float of the format? */
static bool is_float_value(struct terms *ts, term_id t, enum binary_format format) {
  if (term_kind(ts, t) != TERM_NUM) return false;
  fmpq_t back;
  fmpq_init(back);
  bool fits = binary64_to_rational(back, binary64_from_rational(format, term_num_value(ts, t))) &&
              fmpq_equal(back, term_num_value(ts, t));
  fmpq_clear(back);
  return fits;
}

/* In the logic a float has the sort of its value: is the value one? Not known of operators, nor of
 * parameters that are made of floats. */
static bool floats_are_floats(const struct lemma *lemma, const struct lemma_point *p) {
  struct terms *ts = lemma->terms;
  const struct ast_module *module = lemma->env.module;
  for (size_t i = 0; i < module->decl_count; i++) {
    const struct ast_decl *d = module->decls[i];
    if (d->kind == DECL_OP && type_has_float(d->as.op.result->type)) return false;
    const struct type *t = d->kind == DECL_PARAM ? d->as.param.type->type : NULL;
    if (!t || !type_has_float(t)) continue;
    if (!type_is_float(t)) return false;
    enum binary_format format = t->kind == TYPE_FLOAT ? BINARY64 : BINARY32;
    term_id name = term_var(ts, d->name.text, SORT_REAL, 0, 0);
    for (size_t k = 0; k < p->names.len; k++)
      if (p->names.at[k] == name && !is_float_value(ts, p->values.at[k], format)) return false;
  }
  return true;
}

enum claim_verdict lemma_refute(struct lemma *lemma, const struct lemma_point *point,
                                const char **why) {
  struct terms *ts = lemma->terms;
  if (!floats_are_floats(lemma, point)) {
    *why = "a value is not a floating-point number";
    return CLAIM_NOT_PROVED;
  }
  struct kernel *k = context_at(lemma, point);
  term_id wrong = term_not(ts, instance_at(ts, point, lemma->formula));
  bool ok = kernel_prove_fact(k, "LEMMA-FALSE", lemma->span, wrong, "the lemma is false");
  for (size_t i = 0; ok && i < kernel_fact_count(lemma->kernel); i++)
    ok = kernel_prove_fact(k, "LEMMA-FALSE", lemma->span,
                           at_point(ts, point, kernel_fact(lemma->kernel, i)),
                           "an assumption holds");
  if (!ok) *why = arena_printf(kernel_arena(lemma->kernel), "%s", kernel_failure(k)->message);
  enum claim_verdict verdict = ok && !kernel_believes(k) ? CLAIM_PROVED : CLAIM_NOT_PROVED;
  kernel_free(k);
  return verdict;
}
