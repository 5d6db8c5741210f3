#include "search/base/points.h"

#include <math.h>

#include "term/eval.h"
#include "term/subst.h"

enum { PRECISION = 64, TRIES = 400 };

/* Reals between 0 and 1 are tried as often as larger ones: probabilities, privacy parameters. */
static double trial_value(sort_id sort, unsigned seed) {
  static const double reals[] = {0.5, 0.3, 0.8, 0.05, 1.5, 3, 0.95, 12},
                      ints[] = {3, 2, 7, 1, 5, 20, 0, 50};
  return sort == SORT_INT ? ints[seed % 8] : reals[seed % 8];
}

/* Parameters and public numbers of the facts that speak of nothing else. */
static void parameters(struct auto_problem *p, term_list *vars, term_list *facts) {
  const struct kernel *k = claim_kernel(p->goal, CLAIM_FORWARD);
  for (size_t i = 0; i < kernel_fact_count(k); i++) {
    term_id fact = kernel_fact(k, i);
    unsigned flags = term_get(p->ts, fact)->flags;
    if (flags & (TERM_HAS_RUN1 | TERM_HAS_RUN2 | TERM_HAS_QUANTIFIER)) continue;
    vec_push(facts, fact);
    term_list free_vars = {0};
    term_free_vars(p->ts, fact, &free_vars);
    for (size_t v = 0; v < free_vars.len; v++) {
      bool seen = !sort_is_numeric(term_sort(p->ts, free_vars.at[v]));
      for (size_t w = 0; w < vars->len && !seen; w++)
        seen = vars->at[w] == free_vars.at[v];
      if (!seen) vec_push(vars, free_vars.at[v]);
    }
    vec_clear(&free_vars);
  }
}

static void assign(struct evaluator *ev, const struct point *point) {
  fmpq_t q;
  fmpq_init(q);
  for (size_t i = 0; i < point->vars.len; i++) {
    fmpq_set_si(q, lround(point->values.at[i] * 100), 100);
    eval_assign(ev, point->vars.at[i], tvalue_exact(ev, q));
  }
  fmpq_clear(q);
}

static bool satisfies(struct auto_problem *p, const struct point *point, const term_list *facts) {
  struct evaluator ev;
  eval_init(&ev, p->ts);
  assign(&ev, point);
  bool ok = true;
  for (size_t i = 0; i < facts->len && ok; i++)
    ok = eval_truth(&ev, facts->at[i]) != 0;
  eval_clear(&ev);
  return ok;
}

static void point_clear(struct point *point) {
  vec_clear(&point->vars);
  vec_clear(&point->values);
}

void points_init(struct points *points, struct auto_problem *p) {
  *points = (struct points){.p = p};
  term_list vars = {0}, facts = {0};
  parameters(p, &vars, &facts);
  unsigned state = 12345;
  for (unsigned seed = 0; seed < TRIES && points->count < POINTS_LIMIT; seed++) {
    struct point point = {0};
    for (size_t v = 0; v < vars.len; v++) {
      state = state * 1664525u + 1013904223u;
      vec_push(&point.vars, vars.at[v]);
      vec_push(&point.values, trial_value(term_sort(p->ts, vars.at[v]), state >> 20));
    }
    if (satisfies(p, &point, &facts))
      points->at[points->count++] = point;
    else
      point_clear(&point);
  }
  vec_clear(&vars);
  vec_clear(&facts);
}

void points_clear(struct points *points) {
  for (size_t i = 0; i < points->count; i++)
    point_clear(&points->at[i]);
  points->count = 0;
}

double points_value(const struct points *points, size_t i, term_id t) {
  if (t == TERM_NONE) return NAN;
  struct evaluator ev;
  eval_init(&ev, points->p->ts);
  ev.precision = PRECISION;
  assign(&ev, &points->at[i]);
  arb_t ball;
  arb_init(ball);
  double value = NAN;
  if (tvalue_get_ball(eval_term(&ev, t), ball, PRECISION))
    value = arf_get_d(arb_midref(ball), ARF_RND_NEAR);
  arb_clear(ball);
  eval_clear(&ev);
  return value;
}

bool points_at_most(const struct points *points, term_id a, term_id b) {
  if (a == b) return a != TERM_NONE;
  for (size_t i = 0; i < points->count; i++) {
    double x = points_value(points, i, a), y = points_value(points, i, b);
    if (!(x <= y + 1e-9 * (1 + fabs(y)))) return false;
  }
  return points->count > 0;
}
