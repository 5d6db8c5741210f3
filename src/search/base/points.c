#include "search/base/points.h"

#include <math.h>

#include "search/base/sums.h"
#include "term/build.h"
#include "term/subst.h"

enum { TRIES = 4096, EXPONENT = 200 };

static unsigned mixed(const char *name, unsigned seed) {
  unsigned h = 2166136261u + seed * 40503u;
  for (; *name; name++)
    h = (h ^ (unsigned char)*name) * 16777619u;
  h ^= h >> 15;
  h *= 2246822519u;
  return h ^ h >> 13;
}

static double at(const struct points *points, unsigned seed, term_id t);

/* A sum is as large as what is assumed of it says, wherever it begins; else 1. */
static double sum_value(const struct points *points, unsigned seed, term_id t) {
  struct auto_problem *p = points->p;
  struct sum_term s, bound;
  if (!sum_read(p, t, &s)) return 1;
  for (size_t i = 0; i < kernel_fact_count(points->k); i++) {
    term_id fact = kernel_fact(points->k, i);
    enum term_kind kind = term_kind(p->ts, fact);
    if ((kind == TERM_LE || kind == TERM_EQ) && sum_read(p, term_arg(p->ts, fact, 0), &bound) &&
        bound.sum == s.sum && bound.high == s.high)
      return at(points, seed, term_arg(p->ts, fact, 1));
  }
  return 1;
}

/* Reals between 0 and 1 are tried as often as larger ones: probabilities, privacy parameters. */
static double value_of(const struct points *points, term_id var, unsigned seed) {
  static const double reals[] = {0.7, 0.11, 1.9, 0.31, 4.3, 0.85, 0.55, 0.03},
                      ints[] = {3, 50, 2, 700, 11};
  struct terms *ts = points->p->ts;
  const struct term_var *v = term_var_get(ts, var);
  if (kernel_is_var(points->k, term_var_in_run(ts, var, 0))) return 1;
  unsigned h = mixed(v->name, seed);
  if (v->sort != SORT_INT) return reals[h % 8];
  double value = ints[h % 5] + seed % 3;
  for (size_t i = 0; i < points->lengths.len; i++)
    if (points->lengths.at[i] == var) value *= 1000;
  return value;
}

static double at(const struct points *points, unsigned seed, term_id t) {
  struct terms *ts = points->p->ts;
  if (t == TERM_NONE) return INFINITY;
  size_t count = term_arg_count(ts, t);
#define ARG(i) at(points, seed, term_arg(ts, t, (i)))
  switch (term_kind(ts, t)) {
  case TERM_NUM: return fmpq_get_d(term_num_value(ts, t));
  case TERM_VAR: return sort_is_numeric(term_sort(ts, t)) ? value_of(points, t, seed) : 1;
  case TERM_ADD: {
    double sum = 0;
    for (size_t i = 0; i < count; i++)
      sum += ARG(i);
    return sum;
  }
  case TERM_MUL: {
    double product = 1;
    for (size_t i = 0; i < count; i++)
      product *= ARG(i);
    return product;
  }
  case TERM_POW: return pow(ARG(0), term_get(ts, t)->data);
  case TERM_RAISE: return pow(term_get(ts, t)->data, ARG(0));
  case TERM_DIV: return ARG(0) / ARG(1);
  case TERM_TO_REAL: return ARG(0);
  case TERM_FLOOR: return floor(ARG(0));
  case TERM_CEIL: return ceil(ARG(0));
  case TERM_ABS: return fabs(ARG(0));
  case TERM_MIN: return fmin(ARG(0), ARG(1));
  case TERM_MAX: return fmax(ARG(0), ARG(1));
  case TERM_EXP: return exp(fmin(ARG(0), EXPONENT)); /* costs stay finite */
  case TERM_LN: return log(ARG(0));
  case TERM_SQRT: return sqrt(ARG(0));
  case TERM_ITE: return fmax(ARG(1), ARG(2));
  case TERM_APP: return sum_value(points, seed, t);
  default: return 1;
  }
#undef ARG
}

/* 1, 0, or -1: cannot be said. */
static int truth(const struct points *points, unsigned seed, term_id t) {
  struct terms *ts = points->p->ts;
  size_t count = term_arg_count(ts, t);
  switch (term_kind(ts, t)) {
  case TERM_LE: return at(points, seed, term_arg(ts, t, 0)) <= at(points, seed, term_arg(ts, t, 1));
  case TERM_LT: return at(points, seed, term_arg(ts, t, 0)) < at(points, seed, term_arg(ts, t, 1));
  case TERM_NOT: {
    int one = truth(points, seed, term_arg(ts, t, 0));
    return one < 0 ? one : !one;
  }
  case TERM_AND:
    for (size_t i = 0; i < count; i++) {
      int one = truth(points, seed, term_arg(ts, t, i));
      if (one <= 0) return one;
    }
    return 1;
  default: return -1;
  }
}

/* What is assumed of parameters: 1, 0, or -1: as far as that can be seen. */
static int satisfied(const struct points *points, unsigned seed) {
  int all = 1;
  for (size_t i = 0; i < kernel_fact_count(points->k); i++) {
    term_id fact = kernel_fact(points->k, i);
    unsigned flags = term_get(points->p->ts, fact)->flags;
    if (flags & (TERM_HAS_RUN1 | TERM_HAS_RUN2 | TERM_HAS_QUANTIFIER)) continue;
    int one = truth(points, seed, fact);
    if (one == 0) return 0;
    if (one < 0) all = one;
  }
  return all;
}

static bool satisfies(const struct points *points, unsigned seed) {
  return satisfied(points, seed) != 0;
}

static void find_lengths(struct points *points) {
  struct auto_problem *p = points->p;
  struct translate_env *env = claim_env(p->goal);
  const struct ast_routine *m = p->claim->as.claim.target->as.mechanism.routine;
  for (size_t i = 0; i < m->arg_count; i++) {
    const struct translate_binding *b = ptrmap_get(&env->vars, m->args[i]);
    if (b && m->args[i]->is_private && b->length != TERM_NONE)
      term_free_vars(p->ts, b->length, &points->lengths);
  }
}

/* ---- choosing points ------------------------------------------------------------------------- */

enum { COMPARED = 12 }; /* parameters whose order is looked at */

struct orders {
  term_list params;
  bool seen[COMPARED][COMPARED]; /* some point has the first far below the second */
};

static void find_params(const struct points *points, term_list *out) {
  for (size_t i = 0; i < kernel_fact_count(points->k); i++) {
    term_id fact = kernel_fact(points->k, i);
    unsigned flags = term_get(points->p->ts, fact)->flags;
    if (!(flags & (TERM_HAS_RUN1 | TERM_HAS_RUN2 | TERM_HAS_QUANTIFIER)))
      term_free_vars(points->p->ts, fact, out);
  }
  if (out->len > COMPARED) out->len = COMPARED;
}

/* Notes which parameter is far below which other one; is some pair new? Whatever the parameters are
 * called, a cost that is small only where they lie in one order must not look small. */
static bool adds_order(const struct points *points, struct orders *o, unsigned seed) {
  bool is_new = false;
  for (size_t i = 0; i < o->params.len; i++)
    for (size_t j = 0; j < o->params.len; j++) {
      double a = at(points, seed, o->params.at[i]), b = at(points, seed, o->params.at[j]);
      if (o->seen[i][j] || !(3 * a < b)) continue;
      o->seen[i][j] = is_new = true;
    }
  return is_new;
}

static bool is_taken(const struct points *points, unsigned seed) {
  for (size_t i = 0; i < points->count; i++)
    if (points->seeds[i] == seed) return true;
  return false;
}

void points_init(struct points *points, struct auto_problem *p) {
  *points = (struct points){.p = p, .k = claim_kernel(p->goal, CLAIM_FORWARD)};
  find_lengths(points);
  struct orders orders = {0};
  find_params(points, &orders.params);
  for (unsigned seed = 0; seed < TRIES && points->count < POINTS_LIMIT; seed++)
    if (satisfies(points, seed) && adds_order(points, &orders, seed))
      points->seeds[points->count++] = seed;
  for (unsigned seed = 0; seed < TRIES && points->count < POINTS_LIMIT; seed++)
    if (!is_taken(points, seed) && satisfies(points, seed)) points->seeds[points->count++] = seed;
  vec_clear(&orders.params);
  if (points->count == 0) points->seeds[points->count++] = 0; /* then any values must do */
}

void points_clear(struct points *points) {
  vec_clear(&points->lengths);
}

double points_value(const struct points *points, size_t i, term_id t) {
  return at(points, points->seeds[i], t);
}

bool points_at_most(const struct points *points, term_id a, term_id b) {
  if (a == b) return a != TERM_NONE;
  for (size_t i = 0; i < points->count; i++) {
    double x = points_value(points, i, a), y = points_value(points, i, b);
    if (!(x <= y + 1e-9 * (fabs(x) + fabs(y)))) return false;
  }
  return true;
}

/* Has it the value that `at` gives it, and not one that stands for all it may have? */
static bool has_value(const struct points *points, term_id t) {
  struct terms *ts = points->p->ts;
  switch (term_kind(ts, t)) {
  case TERM_VAR: return term_var_get(ts, t)->run == 0 && !kernel_is_var(points->k, t);
  case TERM_NUM: return true;
  case TERM_ADD:
  case TERM_MUL:
  case TERM_POW:
  case TERM_RAISE:
  case TERM_DIV:
  case TERM_TO_REAL:
  case TERM_ABS:
  case TERM_MIN:
  case TERM_MAX:
  case TERM_EXP:
  case TERM_LN:
  case TERM_SQRT: break;
  default: return false;
  }
  bool all = true;
  for (size_t i = 0; i < term_arg_count(ts, t) && all; i++)
    all = has_value(points, term_arg(ts, t, i));
  return all;
}

/* Is it false at the point, and not by rounding? */
static bool fails(const struct points *points, unsigned seed, term_id t) {
  struct terms *ts = points->p->ts;
  enum term_kind kind = term_kind(ts, t);
  size_t failed = 0, count = term_arg_count(ts, t);
  if (kind == TERM_LE || kind == TERM_LT) {
    term_id a = term_arg(ts, t, 0), b = term_arg(ts, t, 1);
    if (!has_value(points, a) || !has_value(points, b)) return false;
    double x = at(points, seed, a), y = at(points, seed, b);
    return isfinite(x) && isfinite(y) && x > y + 1e-6 * (fabs(x) + fabs(y));
  }
  if (kind != TERM_AND && kind != TERM_OR) return false;
  for (size_t i = 0; i < count; i++)
    failed += fails(points, seed, term_arg(ts, t, i));
  return kind == TERM_AND ? failed > 0 : failed == count;
}

bool points_deny(const struct points *points, term_id formula) {
  for (size_t i = 0; i < points->count; i++)
    if (satisfied(points, points->seeds[i]) == 1 && fails(points, points->seeds[i], formula))
      return true;
  return false;
}

term_id points_max(const struct points *points, term_id a, term_id b) {
  if (points_at_most(points, b, a)) return a;
  return points_at_most(points, a, b) ? b : term_max(points->p->ts, a, b);
}

double points_weight(const struct points *points, term_id cost) {
  double most = 0, sum = 0;
  for (size_t i = 0; i < points->count; i++) {
    double here = points_value(points, i, cost);
    if (!points->p->wants_least) here /= points_value(points, i, claim_budget(points->p->goal));
    most = fmax(most, here);
    sum += here;
  }
  return sum < 0 ? sum : most + 1e-3 * sum;
}
