#include "smt/point.h"

#include <string.h>

#include "claim/lemma.h"
#include "proof/record.h"
#include "term/build.h"
#include "term/subst.h"

/* ---- values as terms ------------------------------------------------------------------------- */

static term_id term_of(struct terms *ts, const struct tvalue *v, sort_id sort);

static term_id list_of(struct terms *ts, const struct tvalue *v, sort_id sort) {
  term_id t = term_nil(ts, sort);
  for (size_t i = v->count; i-- > 0 && t != TERM_NONE;)
    t = term_cons(ts, term_of(ts, v->items[i], sort_elem(ts, sort)), t);
  return t;
}

static term_id tuple_of(struct terms *ts, const struct tvalue *v, sort_id sort) {
  term_list items = {0};
  for (size_t i = 0; i < v->count; i++)
    vec_push(&items, term_of(ts, v->items[i], sort_get(ts, sort)->items[i]));
  term_id t = term_tuple(ts, items.at, items.len);
  vec_clear(&items);
  return t;
}

/* TERM_NONE: it has no exact form. */
static term_id term_of(struct terms *ts, const struct tvalue *v, sort_id sort) {
  enum sort_kind kind = sort_get(ts, sort)->kind;
  if (v->kind == TVALUE_BOOL && kind == SORT_KIND_BOOL) return term_bool(ts, v->truth);
  if (v->kind == TVALUE_EXACT && sort_is_numeric(sort)) return term_num(ts, &v->exact, sort);
  if (v->kind != TVALUE_ITEMS) return TERM_NONE;
  if (kind == SORT_KIND_LIST) return list_of(ts, v, sort);
  bool fits = kind == SORT_KIND_TUPLE && v->count == sort_get(ts, sort)->count;
  return fits ? tuple_of(ts, v, sort) : TERM_NONE;
}

/* ---- lines ----------------------------------------------------------------------------------- */

struct point {
  struct term_writer terms;
  struct model *model;
  call_list *out;
  struct memo applications; /* that have a value */
  bool failed;
};

static term_id value_of(struct point *p, term_id t) {
  return term_of(p->terms.ts, eval_term(&p->model->ev, t), term_sort(p->terms.ts, t));
}

static void write_value(struct point *p, term_id name, term_id value) {
  p->failed |= value == TERM_NONE;
  if (p->failed) return;
  size_t left = record_term(&p->terms, p->out, name);
  size_t right = record_term(&p->terms, p->out, value);
  vec_push(p->out, xasprintf("at t%zu t%zu", left, right));
}

/* Of the free variables, not of those that stand for bound ones. */
static void write_variables(struct point *p) {
  for (size_t i = 0; i < p->model->vars.len; i++) {
    const struct term_var *v = term_var_get(p->terms.ts, p->model->vars.at[i]);
    if (!v->version && !v->run)
      write_value(p, p->model->vars.at[i], value_of(p, p->model->vars.at[i]));
  }
}

/* f(t) as f of the values of t; TERM_NONE: they have no exact form. */
static term_id ground_application(struct point *p, term_id t) {
  struct terms *ts = p->terms.ts;
  term_list args = {0};
  for (size_t i = 0; i < term_arg_count(ts, t); i++) {
    term_id value = value_of(p, term_arg(ts, t, i));
    vec_push(&args, value);
  }
  term_id made = term_app(ts, term_get(ts, t)->data, args.at, args.len);
  vec_clear(&args);
  return made;
}

/* Of the operators in a formula; those under quantifiers may be anything. */
static void write_applications(struct point *p, term_id formula) {
  struct terms *ts = p->terms.ts;
  term_list parts = {0};
  term_subterms(ts, formula, &parts);
  for (size_t i = 0; i < parts.len; i++) {
    if (term_kind(ts, parts.at[i]) != TERM_APP) continue;
    term_id name = ground_application(p, parts.at[i]);
    uint32_t known;
    if (name == TERM_NONE || memo_find(&p->applications, name, &known)) continue;
    memo_put(&p->applications, name, 1);
    write_value(p, name, value_of(p, parts.at[i]));
  }
  vec_clear(&parts);
}

/* The variable that the kernel opened a quantifier with: the next one that has its name. */
static term_id opened(struct point *p, const char *name, sort_id sort, unsigned *version) {
  struct terms *ts = p->terms.ts;
  term_id best = TERM_NONE;
  for (size_t i = 0; i < p->model->vars.len; i++) {
    const struct term_var *v = term_var_get(ts, p->model->vars.at[i]);
    if (v->version > *version && v->sort == sort && strcmp(v->name, name) == 0 &&
        (best == TERM_NONE || v->version < term_var_get(ts, best)->version))
      best = p->model->vars.at[i];
  }
  if (best != TERM_NONE) *version = term_var_get(ts, best)->version;
  return best;
}

/* What the model says nothing about may be anything. */
static term_id any_value(struct terms *ts, sort_id sort) {
  switch (sort_get(ts, sort)->kind) {
  case SORT_KIND_BOOL: return term_bool(ts, false);
  case SORT_KIND_INT: return term_int(ts, 0);
  case SORT_KIND_REAL: return term_rat(ts, 0, 1);
  case SORT_KIND_LIST: return term_nil(ts, sort);
  default: return TERM_NONE;
  }
}

/* What is left of the formula then. */
static term_id write_witnesses(struct point *p, term_id formula) {
  struct terms *ts = p->terms.ts;
  unsigned version = 0;
  while (!p->failed && term_kind(ts, formula) == TERM_FORALL) {
    sort_id sort = term_get(ts, formula)->binder;
    term_id var = opened(p, term_binder_hint(ts, formula), sort, &version);
    term_id value = var == TERM_NONE ? any_value(ts, sort) : value_of(p, var);
    p->failed |= value == TERM_NONE;
    if (p->failed) break;
    size_t line = record_term(&p->terms, p->out, value);
    vec_push(p->out, xasprintf("witness t%zu", line));
    formula = term_instantiate(ts, formula, value);
  }
  return formula;
}

void point_write(const struct proof_session *s, struct model *model, call_list *out) {
  struct lemma *lemma = lemma_open(s->lang, s->module, s->claim, s->terms, NULL, NULL);
  if (!lemma) return;
  struct point p = {.model = model, .out = out};
  term_writer_init(&p.terms, s->terms);
  memo_init(&p.applications);
  write_variables(&p);
  write_applications(&p, write_witnesses(&p, lemma_formula(lemma)));
  struct kernel *k = lemma_kernel(lemma);
  for (size_t i = 0; i < kernel_fact_count(k); i++)
    write_applications(&p, kernel_fact(k, i));
  if (p.failed) calls_clear(out);
  memo_clear(&p.applications);
  term_writer_clear(&p.terms);
  lemma_close(lemma);
}
