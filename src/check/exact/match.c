/* Outputs against the event. */
#include <stdlib.h>

#include "check/exact/engine.h"
#include "run/eval/number.h"

/* sign * (form - value) >= 0 */
static void require_side(struct path *p, const struct affine *form, const struct affine *value,
                         slong sign, bool moves) {
  fmpq_t factor;
  fmpq_init(factor);
  fmpq_set_si(factor, -1, 1);
  struct affine *difference = affine_combine(form, factor, value);
  fmpq_set_si(factor, sign, 1);
  struct affine *side = affine_scale(difference, factor);
  measure_require(&p->measure, side, moves);
  fmpq_clear(factor);
  affine_unref(difference);
  affine_unref(side);
}

/* form = value solved for a symbol of the form. */
static struct affine *solve(const struct affine *form, symbol s, const struct affine *value) {
  struct affine *self = affine_symbol(s);
  const fmpq *coefficient = affine_coefficient(form, s);
  fmpq_t factor;
  fmpq_init(factor);
  fmpq_neg(factor, coefficient);
  struct affine *rest = affine_combine(form, factor, self); /* form without the symbol */
  fmpq_set_si(factor, -1, 1);
  struct affine *difference = affine_combine(value, factor, rest);
  fmpq_inv(factor, coefficient);
  struct affine *solved = affine_scale(difference, factor);
  fmpq_clear(factor);
  affine_unref(self);
  affine_unref(rest);
  affine_unref(difference);
  return solved;
}

/* Solves for s, the i-th symbol of the form. The values that mention it get a name for the point,
 * so that its use can be seen; `named` is the form with the names of the points before. */
static const char *observe(struct engine *e, struct path *p, const struct affine *form, size_t i,
                           const struct affine *named, const struct affine *value) {
  symbol s = form->terms[i].symbol;
  struct affine *solved = solve(form, s, value);
  const char *why = measure_observe(&p->measure, s, solved, e->precision);
  affine_unref(solved);
  if (why) return why;
  arb_t jacobian;
  arb_init(jacobian);
  arb_set_fmpq(jacobian, form->terms[i].coefficient, e->precision);
  arb_abs(jacobian, jacobian);
  arb_div(p->measure.weight, p->measure.weight, jacobian, e->precision);
  arb_clear(jacobian);
  struct affine *point = affine_symbol(e->next++), *by = solve(named, s, point);
  measure_add_point(&p->measure, point->terms[0].symbol, value);
  path_substitute(p, &e->context, s, by);
  affine_unref(point);
  affine_unref(by);
  p->points++;
  return NULL;
}

/* The output has a density: it is observed at a point. Newest sample first: it is the least likely
 * to be tied to others. */
static bool observe_form(struct engine *e, struct path *p, const struct affine *form,
                         const struct affine *named, const struct affine *value,
                         struct span where) {
  const char *why = "an output mixes integer and real samples";
  for (size_t i = form->count; i-- > 0;) {
    if (measure_is_discrete(&p->measure, form->terms[i].symbol)) continue;
    if (form->count > 2) {
      why = "an output mixes more than two samples";
      break;
    }
    struct measure before;
    measure_copy(&before, &p->measure);
    why = observe(e, p, form, i, named, value);
    if (!why) {
      measure_clear(&before);
      return true;
    }
    measure_clear(&p->measure);
    p->measure = before;
  }
  return engine_fail(e, EXACT_UNSUPPORTED, where, why);
}

static void require_range(struct path *p, const struct affine *form, const struct pattern *pattern,
                          bool moves) {
  if (pattern->low.kind != RVALUE_UNSET) {
    struct affine *low = symbolic_form(&pattern->low);
    require_side(p, form, low, 1, moves);
    affine_unref(low);
  }
  if (pattern->high.kind != RVALUE_UNSET) {
    struct affine *high = symbolic_form(&pattern->high);
    require_side(p, form, high, -1, moves);
    affine_unref(high);
  }
}

/* The same where the output is no form: shifted by an irrational number, or a quotient. */
static bool match_indirectly(struct engine *e, struct path *p, const struct rvalue *v,
                             const struct pattern *pattern, struct span where) {
  const char *why = "an output at a point is a quotient of samples or beside an irrational number; "
                    "ask for an interval";
  bool ok = pattern->kind == PATTERN_RANGE;
  if (ok && pattern->low.kind != RVALUE_UNSET)
    ok = symbolic_require(&p->measure, v, &pattern->low, 1, &why);
  if (ok && pattern->high.kind != RVALUE_UNSET)
    ok = symbolic_require(&p->measure, v, &pattern->high, -1, &why);
  return ok || engine_fail(e, EXACT_UNSUPPORTED, where, why);
}

static bool match_symbolic(struct engine *e, struct path *p, const struct rvalue *v,
                           const struct pattern *pattern, struct span where) {
  struct affine *all = symbolic_form(v);
  if (!all) return match_indirectly(e, p, v, pattern, where);
  struct affine *form = measure_at_points(&p->measure, all);
  if (!measure_knows(&p->measure, all)) {
    affine_unref(all);
    affine_unref(form);
    return engine_fail(e, EXACT_UNSUPPORTED, where,
                       "an output uses a sample of which the logarithm was taken");
  }
  bool moves = measure_has_points(&p->measure, all), ok = true;
  bool discrete = measure_all_discrete(&p->measure, form);
  if (discrete && moves) {
    ok = engine_fail(e, EXACT_UNSUPPORTED, where, "several outputs fix the same sample to a point");
  } else if (pattern->kind == PATTERN_RANGE) {
    require_range(p, form, pattern, moves);
  } else {
    struct affine *value = symbolic_form(&pattern->value);
    if (!value) {
      ok = engine_fail(e, EXACT_UNSUPPORTED, where, "the event has an irrational number");
    } else if (discrete) {
      require_side(p, form, value, 1, false);
      require_side(p, form, value, -1, false);
    } else {
      ok = observe_form(e, p, form, all, value, where);
    }
    affine_unref(value);
  }
  affine_unref(all);
  affine_unref(form);
  return ok;
}

/* A number against the ends of an interval; false when the comparison is undecided. */
static bool in_range(const struct rvalue *v, const struct pattern *pattern, bool *inside) {
  int order = 0;
  *inside = true;
  if (pattern->low.kind != RVALUE_UNSET) {
    if (!number_compare(&order, v, &pattern->low)) return false;
    *inside = order >= 0;
  }
  if (*inside && pattern->high.kind != RVALUE_UNSET) {
    if (!number_compare(&order, v, &pattern->high)) return false;
    *inside = order <= 0;
  }
  return true;
}

static bool match_items(struct engine *e, struct path *p, struct rvalue *v,
                        const struct pattern *pattern, struct span where, bool *keep) {
  if (!rvalue_is_seq(v) || (v->kind == RVALUE_TUPLE) != (pattern->kind == PATTERN_TUPLE))
    return engine_fail(e, EXACT_UNSUPPORTED, where, "the event does not have the output's shape");
  size_t len = v->as.seq->len;
  *keep = pattern->is_open ? len >= pattern->count : len == pattern->count;
  for (size_t i = 0; *keep && i < pattern->count; i++) {
    /* fetched anew each time: fixing a sample rewrites the values that mention it */
    if (!engine_match(e, p, &v->as.seq->at[i], &pattern->items[i], where, keep)) return false;
  }
  return true;
}

bool engine_match(struct engine *e, struct path *p, struct rvalue *v, const struct pattern *pattern,
                  struct span where, bool *keep) {
  *keep = true;
  if (pattern->kind == PATTERN_ANY) return true;
  if (pattern->kind == PATTERN_LIST || pattern->kind == PATTERN_TUPLE)
    return match_items(e, p, v, pattern, where, keep);
  bool is_number = pattern->kind == PATTERN_RANGE || rvalue_is_number(&pattern->value);
  if (is_number ? !rvalue_is_number(v) : v->kind != pattern->value.kind)
    return engine_fail(e, EXACT_UNSUPPORTED, where, "the event does not have the output's type");
  if (v->kind == RVALUE_SYMBOLIC) {
    if (!match_symbolic(e, p, v, pattern, where)) return false;
    *keep = !measure_is_zero(&p->measure);
    return true;
  }
  bool decided;
  if (pattern->kind == PATTERN_RANGE) {
    decided = in_range(v, pattern, keep);
  } else {
    int order;
    decided = rvalue_compare(&order, v, &pattern->value);
    *keep = decided && order == 0;
  }
  return decided || engine_fail(e, EXACT_UNSUPPORTED, where,
                                "an output is too close to the event's bound to compare");
}

/* ---- listing all outputs -------------------------------------------------------------------- */

/* Some symbol that the value mentions. */
static bool first_symbol(const struct rvalue *v, symbol *s) {
  if (rvalue_is_seq(v)) {
    for (size_t i = 0; i < v->as.seq->len; i++)
      if (first_symbol(&v->as.seq->at[i], s)) return true;
    return false;
  }
  if (v->kind != RVALUE_SYMBOLIC) return false;
  *s = symbolic_first(v);
  return true;
}

static bool can_be_listed(const struct measure *m, symbol s, size_t so_far) {
  for (size_t i = 0; i < m->symbols.len; i++) {
    const struct density *d = &m->symbols.at[i].density;
    if (m->symbols.at[i].id == s)
      return d->is_discrete && so_far + (size_t)d->count < LIMIT_EXACT_OUTCOMES;
  }
  return false;
}

bool engine_try_each(struct engine *e, struct path *q, symbol s, struct span where, path_set *out) {
  struct density table;
  const char *why = measure_take(&q->measure, s, &table);
  if (why) return engine_fail(e, EXACT_UNSUPPORTED, where, why);
  e->replaced++;
  fmpq_t x;
  fmpq_init(x);
  for (slong i = 0; i < table.count; i++) {
    if (arb_is_zero(table.weights + i)) continue;
    struct path *fixed = path_copy(q);
    fmpq_set_si(x, table.low + i, 1);
    struct affine *value = affine_constant(x);
    measure_put(&fixed->measure, s, value, table.weights + i, e->precision);
    path_substitute(fixed, &e->context, s, value);
    affine_unref(value);
    vec_push(out, fixed);
  }
  fmpq_clear(x);
  density_clear(&table);
  return true;
}

bool engine_enumerate(struct engine *e, struct path *p, struct span where, path_set *out) {
  path_set open = {0};
  vec_push(&open, p);
  bool ok = true;
  while (ok && open.len) {
    struct path *q = vec_pop(&open);
    symbol s;
    if (!first_symbol(&q->result, &s)) {
      vec_push(out, q);
      continue;
    }
    if (budget_is_spent(e->budget)) {
      ok = engine_fail(e, EXACT_TIMEOUT, where, "out of time");
      path_free(q);
      break;
    }
    ok = can_be_listed(&q->measure, s, out->len + open.len);
    if (!ok)
      engine_fail(e, EXACT_UNLISTED, where,
                  "the outputs are real numbers, or too many, to be listed; ask for an event");
    ok = ok && engine_try_each(e, q, s, where, &open);
    path_free(q);
  }
  path_set_clear(&open);
  return ok;
}
