#include "smt/instances.h"

#include "term/build.h"
#include "term/memo.h"
#include "term/subst.h"

struct pool {
  struct terms *ts;
  term_list terms; /* ground terms, each once */
};

static void pool_add(struct pool *p, term_id t) {
  size_t same_sort = 0;
  for (size_t i = 0; i < p->terms.len; i++) {
    if (p->terms.at[i] == t) return;
    same_sort += term_sort(p->ts, p->terms.at[i]) == term_sort(p->ts, t);
  }
  if (same_sort < INSTANCES_TERMS) vec_push(&p->terms, t);
}

/* Index terms of array elements; arguments of operators; variables of abstract sorts. */
static void collect(struct pool *p, term_id formula) {
  struct terms *ts = p->ts;
  term_list all = {0};
  term_subterms(ts, formula, &all);
  for (size_t i = 0; i < all.len; i++) {
    term_id t = all.at[i];
    enum term_kind kind = term_kind(ts, t);
    if (kind == TERM_SELECT || kind == TERM_STORE) pool_add(p, term_arg(ts, t, 1));
    if (kind == TERM_VAR && sort_get(ts, term_sort(ts, t))->kind == SORT_KIND_ABSTRACT)
      pool_add(p, t);
    if (kind == TERM_APP)
      for (size_t k = 0; k < term_arg_count(ts, t); k++)
        pool_add(p, term_arg(ts, t, k));
  }
  vec_clear(&all);
}

static void instantiate(struct pool *p, term_id formula, term_list *out) {
  struct terms *ts = p->ts;
  if (formula == TERM_NONE || out->len >= INSTANCES_LIMIT) return;
  switch (term_kind(ts, formula)) {
  case TERM_FORALL:
    for (size_t i = 0; i < p->terms.len; i++)
      if (term_sort(ts, p->terms.at[i]) == term_get(ts, formula)->binder)
        instantiate(p, term_instantiate(ts, formula, p->terms.at[i]), out);
    break;
  case TERM_EXISTS: {
    term_id var, body = term_open(ts, formula, &var);
    pool_add(p, var);
    instantiate(p, body, out);
    break;
  }
  case TERM_AND:
    for (size_t i = 0; i < term_arg_count(ts, formula); i++)
      instantiate(p, term_arg(ts, formula, i), out);
    break;
  default:
    if (!(term_get(ts, formula)->flags & TERM_HAS_QUANTIFIER)) vec_push(out, formula);
    break;
  }
}

void instances_add(struct terms *ts, term_list *hyps, term_id goal) {
  struct pool p = {.ts = ts};
  collect(&p, goal);
  for (size_t i = 0; i < hyps->len; i++)
    if (!(term_get(ts, hyps->at[i])->flags & TERM_HAS_QUANTIFIER)) collect(&p, hyps->at[i]);
  term_list out = {0};
  size_t kept = 0;
  for (size_t i = 0; i < hyps->len; i++) {
    if (term_get(ts, hyps->at[i])->flags & TERM_HAS_QUANTIFIER)
      instantiate(&p, hyps->at[i], &out);
    else
      hyps->at[kept++] = hyps->at[i];
  }
  hyps->len = kept;
  for (size_t i = 0; i < out.len; i++)
    if (out.at[i] != ts->true_term) term_conjuncts(ts, out.at[i], hyps);
  vec_clear(&out);
  vec_clear(&p.terms);
}
