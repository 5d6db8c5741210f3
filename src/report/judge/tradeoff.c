#include "report/judge/tradeoff.h"

#include <math.h>
#include <string.h>

#include "claim/claim.h"
#include "proof/script.h"
#include "smt/smt.h"
#include "term/build.h"
#include "term/eval.h"
#include "term/subst.h"

enum { POINTS = 33 };
static const double REACH = 4; /* from a fourth of the chosen budget to four times that */

/* The parameter that is the cost of a privacy claim about the same mechanism; NULL: none is. */
static const char *budget_of(const struct ast_module *m, const struct ast_decl *claim) {
  for (size_t i = 0; i < m->decl_count; i++) {
    const struct ast_decl *d = m->decls[i];
    if (d->kind == DECL_CLAIM && !d->as.claim.formula &&
        d->as.claim.target == claim->as.claim.target && d->as.claim.epsilon->kind == EXPR_NAME)
      return d->as.claim.epsilon->as.name.text;
  }
  return NULL;
}

static const struct ast_decl *instance_of(const struct ast_module *m) {
  for (size_t i = 0; i < m->decl_count; i++)
    if (m->decls[i]->kind == DECL_INSTANCE) return m->decls[i];
  return NULL;
}

struct sketch {
  struct terms *ts;
  struct translate_env *env;
  const struct ast_decl *instance;
  term_id number, budget; /* budget: the parameter in it */
};

/* The number at the instance, with the budget times `factor`; that budget goes to *x. */
static double value_at(const struct sketch *s, double factor, double *x) {
  struct evaluator ev;
  arb_t ball;
  term_list vars = {0};
  eval_init(&ev, s->ts);
  arb_init(ball);
  *x = NAN;
  term_free_vars(s->ts, s->number, &vars);
  for (size_t i = 0; i < s->instance->as.instance.count; i++) {
    const struct ast_binding *b = &s->instance->as.instance.bindings[i];
    for (size_t k = 0; b->kind == BINDING_PARAM && k < vars.len; k++) {
      if (strcmp(term_var_get(s->ts, vars.at[k])->name, b->name.text) != 0) continue;
      term_id t = translate_expr_as(s->env, b->value, term_sort(s->ts, vars.at[k]));
      const struct tvalue *value = t == TERM_NONE ? tvalue_unknown(&ev) : eval_term(&ev, t);
      if (vars.at[k] == s->budget && tvalue_get_ball(value, ball, 64)) {
        *x = factor * arf_get_d(arb_midref(ball), ARF_RND_NEAR);
        arb_set_d(ball, *x);
        value = tvalue_ball(&ev, ball);
      }
      eval_assign(&ev, vars.at[k], value);
    }
  }
  bool known = tvalue_get_ball(eval_term(&ev, s->number), ball, 64);
  double y = known ? arf_get_d(arb_midref(ball), ARF_RND_NEAR) : NAN;
  vec_clear(&vars);
  arb_clear(ball);
  eval_clear(&ev);
  return y;
}

static json_t *point_json(const struct sketch *s, double factor) {
  double x, y = value_at(s, factor, &x);
  bool fits = isfinite(x) && isfinite(y) && x > 0 && y >= 0;
  return fits ? json_pack("{s:f, s:f}", "x", x, "y", y) : NULL;
}

static json_t *sketch_json(const struct sketch *s, const char *parameter) {
  json_t *points = json_array(), *chosen = point_json(s, 1);
  for (int i = 0; chosen && i < POINTS; i++) {
    json_t *one = point_json(s, pow(REACH, 2.0 * i / (POINTS - 1) - 1));
    if (one) json_array_append_new(points, one);
  }
  if (json_array_size(points) == POINTS)
    return json_pack("{s:s, s:o, s:o}", "parameter", parameter, "points", points, "chosen", chosen);
  json_decref(points);
  json_decref(chosen);
  return NULL;
}

json_t *tradeoff_json(struct lang *lang, const struct ast_module *module,
                      const struct ast_decl *claim, const char *found) {
  const struct ast_expr *asked = claim->as.claim.asked;
  const struct ast_decl *instance = instance_of(module);
  const char *parameter = budget_of(module, claim);
  if (!claim->as.claim.formula || !asked || asked == claim->as.claim.epsilon || !instance ||
      !parameter || !found)
    return NULL;
  struct terms ts;
  struct smt smt; /* is not asked */
  struct smt_options options = smt_default_options();
  terms_init(&ts);
  smt_init(&smt, &ts, &options);
  struct diag_mark mark = diags_mark(&lang->diags);
  uint32_t file = sources_add(&lang->sources, "<cost>", found, strlen(found));
  struct ast_expr *e = script_parse_expr(lang, (struct span){file, 0, (uint32_t)strlen(found)});
  struct claim *c = e ? claim_open_by(lang, module, claim, e, NULL, &ts, &smt.decider, NULL) : NULL;
  json_t *json = NULL;
  if (c) {
    struct sketch s = {.ts = &ts,
                       .env = claim_env(c),
                       .instance = instance,
                       .number = claim_asked(c),
                       .budget = term_var(&ts, parameter, SORT_REAL, 0, 0)};
    s.env->is_proof_text = false; /* values of the instance were resolved by the checker */
    if (term_mentions(&ts, s.number, &s.budget, 1)) json = sketch_json(&s, parameter);
  }
  diags_rollback(&lang->diags, mark);
  claim_close(c);
  smt_clear(&smt);
  terms_clear(&ts);
  return json;
}
