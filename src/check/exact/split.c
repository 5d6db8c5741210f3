/* Answers to what an expression asks about samples (symbolic.h): the path is split, or changed so
 * that the expression can be evaluated again. */
#include "check/exact/engine.h"

enum {
  CUT_BITS = 100, /* of what is left out where an infinite range is cut off */
  FEW_VALUES = 64 /* of several dice or coins together */
};

static bool keep_if_not_empty(struct path *p, path_set *open) {
  if (measure_is_zero(&p->measure))
    path_free(p);
  else
    vec_push(open, p);
  return true;
}

static bool split_by_sign(struct path *p, const struct question *q, path_set *open) {
  struct path *other = path_copy(p);
  struct affine *complement = measure_complement(&p->measure, q->form);
  measure_require(&p->measure, q->form, q->moves);
  measure_require(&other->measure, complement, q->moves);
  affine_unref(complement);
  return keep_if_not_empty(other, open) && keep_if_not_empty(p, open);
}

static bool split_by_irrational(struct path *p, const struct question *q, path_set *open) {
  struct path *other = path_copy(p);
  measure_require_irrational(&p->measure, q->symbol, q->bound, true);
  measure_require_irrational(&other->measure, q->symbol, q->bound, false);
  return keep_if_not_empty(other, open) && keep_if_not_empty(p, open);
}

static bool split_by_value(struct engine *e, struct path *p, symbol s, struct span where,
                           path_set *open) {
  bool ok = measure_density(&p->measure, s)->count <= LIMIT_EXACT_OUTCOMES;
  if (!ok) engine_fail(e, EXACT_UNSUPPORTED, where, "an integer sample has too many values here");
  ok = ok && engine_try_each(e, p, s, where, open);
  path_free(p);
  return ok;
}

/* A sum of several dice or coins: their values are tried sooner than kept as inequalities. */
static bool is_of_few_values(struct path *p, const struct affine *form) {
  size_t together = 1;
  bool few = form->count > 1 && measure_knows(&p->measure, form) &&
             !measure_has_points(&p->measure, form) && measure_all_discrete(&p->measure, form);
  for (size_t i = 0; few && i < form->count; i++) {
    slong count = measure_density(&p->measure, form->terms[i].symbol)->count;
    few = count <= FEW_VALUES && (together *= (size_t)count) <= FEW_VALUES;
  }
  return few;
}

/* The mass beyond is counted as lost: it may belong to any output. */
static bool cut_tail(struct engine *e, struct path *p, symbol s, struct span where,
                     path_set *open) {
  if (p->points) {
    path_free(p);
    return engine_fail(e, EXACT_UNSUPPORTED, where,
                       "rounding beside outputs observed at a point; ask for intervals");
  }
  arb_t cut;
  arb_init(cut);
  measure_cut(&p->measure, s, CUT_BITS, cut, e->precision);
  arb_add(e->lost, e->lost, cut, e->precision);
  arb_clear(cut);
  return keep_if_not_empty(p, open);
}

/* The whole path is counted as lost. */
static bool give_up_path(struct engine *e, struct path *p, struct span where) {
  const char *why = "an irrational number is compared with several samples, beside outputs "
                    "observed at a point; ask for intervals";
  arb_t mass;
  arb_init(mass);
  if (!p->points) why = measure_total(mass, &p->measure, e->precision, e->budget);
  if (!why) arb_add(e->lost, e->lost, mass, e->precision);
  arb_clear(mass);
  path_free(p);
  return !why || engine_fail(e, EXACT_UNSUPPORTED, where, why);
}

/* The uniform sample gets a name that nothing else will ever have, because values still mention it;
 * the measure has its logarithm instead. */
static bool take_logarithm(struct engine *e, struct path *p, const struct affine *form,
                           path_set *open) {
  symbol s = form->terms[0].symbol, gone = e->next++;
  e->replaced++;
  struct affine *by = affine_symbol(gone), *renamed = affine_substitute(form, s, by);
  measure_rename(&p->measure, s, gone);
  path_substitute(p, &e->context, s, by);
  measure_take_log(&p->measure, renamed, e->next++, e->precision);
  affine_unref(by);
  affine_unref(renamed);
  return keep_if_not_empty(p, open);
}

bool engine_split(struct engine *e, struct path *p, struct span where, path_set *open) {
  struct question q = e->context.question;
  bool ok = false;
  e->context.question = (struct question){0};
  switch (q.kind) {
  case QUESTION_NONE:
    path_free(p);
    engine_fail(e, EXACT_UNSUPPORTED, where, "this cannot be evaluated on symbolic samples");
    break;
  case QUESTION_SIGN:
    ok = is_of_few_values(p, q.form) ? split_by_value(e, p, q.form->terms[0].symbol, where, open)
                                     : split_by_sign(p, &q, open);
    break;
  case QUESTION_IRRATIONAL: ok = split_by_irrational(p, &q, open); break;
  case QUESTION_VALUE: ok = split_by_value(e, p, q.symbol, where, open); break;
  case QUESTION_TAIL: ok = cut_tail(e, p, q.symbol, where, open); break;
  case QUESTION_BETWEEN: ok = give_up_path(e, p, where); break;
  case QUESTION_LOGARITHM: ok = take_logarithm(e, p, q.form, open); break;
  }
  question_clear(&q);
  return ok;
}

bool engine_fix(struct engine *e, evaluated_list *values, struct span where) {
  evaluated_list fixed = {0};
  bool ok = true;
  for (size_t i = 0; i < values->len; i++) {
    struct evaluated *v = &values->at[i];
    struct affine *form = v->value.kind == RVALUE_SYMBOLIC ? symbolic_form(&v->value) : NULL;
    bool discrete = form && measure_knows(&v->path->measure, form) &&
                    !measure_has_points(&v->path->measure, form) &&
                    measure_all_discrete(&v->path->measure, form);
    affine_unref(form);
    if (!ok || !discrete) {
      vec_push(&fixed, *v);
      continue;
    }
    path_set each = {0};
    rvalue_clear(&v->path->result);
    v->path->result = v->value;
    ok = engine_enumerate(e, v->path, where, &each);
    for (size_t k = 0; k < each.len; k++) {
      vec_push(&fixed, (struct evaluated){each.at[k], each.at[k]->result});
      each.at[k]->result = (struct rvalue){0};
    }
    vec_clear(&each);
  }
  vec_clear(values);
  *values = fixed;
  return ok;
}
