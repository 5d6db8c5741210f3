#include "finite.h"

#include <math.h>
#include <string.h>

#include "oracle.h"
#include "term/build.h"
#include "term/subst.h"

void finite_init(struct finite *w, uint64_t seed) {
  *w = (struct finite){.rng = rng_seeded(seed)};
  terms_init(&w->terms);
  struct smt_options options = smt_default_options();
  options.timeout_s = 20;
  smt_init(&w->smt, &w->terms, &options);
  w->k = kernel_new(&w->terms, &w->smt.decider);
  w->arena = kernel_arena(w->k);
  w->bit = kernel_var(w->k, "bit", SORT_BOOL, false);
  w->digit = kernel_var(w->k, "digit", SORT_INT, false);
  for (unsigned run = 0; run < 3; run++) {
    w->bits[run] = term_var_in_run(&w->terms, w->bit, run);
    w->digits[run] = term_var_in_run(&w->terms, w->digit, run);
  }
  w->index = term_var(&w->terms, "index", SORT_INT, 0, 0);
  for (int s = 0; s < 3; s++)
    for (int a = 0; a < 2; a++) {
      double total = 0;
      for (int t = 0; t < FINITE_STATES; t++)
        total += w->move[s][a][t] = rng_range(&w->rng, 0, 3) + (t == 0);
      for (int t = 0; t < FINITE_STATES; t++)
        w->move[s][a][t] /= total;
    }
}

void finite_clear(struct finite *w) {
  kernel_free(w->k);
  smt_clear(&w->smt);
  terms_clear(&w->terms);
}

term_id finite_in(struct finite *w, term_id var, unsigned run) {
  return term_var_in_run(&w->terms, var, run);
}

/* ---- terms ---------------------------------------------------------------------------------- */

struct memory {
  struct finite *w;
  int state[3]; /* of a run-less variable, of run 1, of run 2 */
  double budget;
  double bound[FINITE_BOUND];
  size_t depth;
};

static double value(struct memory *m, term_id t);

static double variable(struct memory *m, term_id t) {
  for (unsigned run = 0; run < 3; run++) {
    if (t == m->w->bits[run]) return m->state[run] % 2;
    if (t == m->w->digits[run]) return m->state[run] / 2;
  }
  if (t == kernel_budget(m->w->k)) return m->budget;
  assert_int_equal(t, m->w->index);
  return m->w->index_value;
}

/* Over the values that the variables of this memory can have. */
static double quantifier(struct memory *m, const struct term_node *n, term_id body, bool all) {
  int low = 0, high = n->binder == SORT_BOOL ? 1 : 2;
  assert_true(m->depth < FINITE_BOUND && n->binder != SORT_REAL);
  m->depth++;
  bool result = all;
  for (int v = low; v <= high && result == all; v++) {
    m->bound[m->depth - 1] = v;
    result = value(m, body) != 0;
  }
  m->depth--;
  return result;
}

static double quotient(double a, double b, bool whole) {
  return b == 0 ? 0 : whole ? floor(a / b) : a / b;
}

static double value(struct memory *m, term_id t) {
  const struct terms *ts = &m->w->terms;
  const struct term_node *n = term_get(ts, t);
  term_id a = n->count > 0 ? term_arg(ts, t, 0) : TERM_NONE;
  term_id b = n->count > 1 ? term_arg(ts, t, 1) : TERM_NONE;
  double sum = 0;
  switch (n->kind) {
  case TERM_TRUE: return 1;
  case TERM_FALSE: return 0;
  case TERM_NUM: {
    const fmpq *q = term_num_value(ts, t);
    return fmpz_get_d(fmpq_numref(q)) / fmpz_get_d(fmpq_denref(q));
  }
  case TERM_VAR: return variable(m, t);
  case TERM_BOUND: return m->bound[m->depth - 1 - n->data];
  case TERM_ADD:
    for (size_t i = 0; i < n->count; i++)
      sum += value(m, term_arg(ts, t, i));
    return sum;
  case TERM_MUL:
    sum = 1;
    for (size_t i = 0; i < n->count; i++)
      sum *= value(m, term_arg(ts, t, i));
    return sum;
  case TERM_POW: return pow(value(m, a), n->data);
  case TERM_DIV: return quotient(value(m, a), value(m, b), false);
  case TERM_IDIV: return quotient(value(m, a), value(m, b), true);
  case TERM_MOD: {
    double x = value(m, a), y = value(m, b);
    return x - y * quotient(x, y, true);
  }
  case TERM_TO_REAL: return value(m, a);
  case TERM_ABS: return fabs(value(m, a));
  case TERM_MIN: return fmin(value(m, a), value(m, b));
  case TERM_MAX: return fmax(value(m, a), value(m, b));
  case TERM_EXP: return exp(value(m, a));
  case TERM_LN: return log(value(m, a));
  case TERM_ITE: return value(m, value(m, a) != 0 ? b : term_arg(ts, t, 2));
  case TERM_EQ: return fabs(value(m, a) - value(m, b)) < 1e-9;
  case TERM_LE: return value(m, a) <= value(m, b) + 1e-9;
  case TERM_LT: return value(m, a) < value(m, b) - 1e-9;
  case TERM_NOT: return value(m, a) == 0;
  case TERM_AND:
    for (size_t i = 0; i < n->count; i++)
      if (value(m, term_arg(ts, t, i)) == 0) return 0;
    return 1;
  case TERM_OR:
    for (size_t i = 0; i < n->count; i++)
      if (value(m, term_arg(ts, t, i)) != 0) return 1;
    return 0;
  case TERM_IMPLIES: return value(m, a) == 0 || value(m, b) != 0;
  case TERM_FORALL: return quantifier(m, n, a, true);
  case TERM_EXISTS: return quantifier(m, n, a, false);
  case TERM_APP: /* a label */
    assert_int_equal(strncmp(symbol_get(ts, n->data)->name, "label#", 6), 0);
    return value(m, a);
  default: fail_msg("term of kind %d", (int)n->kind);
  }
  return 0;
}

double finite_eval(struct finite *w, term_id t, int one, int two, double budget) {
  struct memory m = {.w = w, .state = {one, one, two}, .budget = budget};
  assert_true(t != TERM_NONE);
  return value(&m, t);
}

bool finite_holds(struct finite *w, term_id t, int one, int two, double budget) {
  return finite_eval(w, t, one, two, budget) != 0;
}

/* ---- tables --------------------------------------------------------------------------------- */

static double grid(int at) {
  return (double)at / FINITE_STEP;
}

struct finite_table finite_read(struct finite *w, term_id formula) {
  struct finite_table table;
  for (int s = 0; s < FINITE_STATES; s++)
    for (int t = 0; t < FINITE_STATES; t++) {
      int low = 0, high = FINITE_NEVER; /* least one that holds */
      while (low < high) {
        int middle = (low + high) / 2;
        if (finite_holds(w, formula, s, t, grid(middle)))
          high = middle;
        else
          low = middle + 1;
      }
      table.at[s][t] = low;
    }
  return table;
}

static term_id is_state(struct finite *w, int state, unsigned run) {
  struct terms *ts = &w->terms;
  term_id bit = finite_in(w, w->bit, run), digit = finite_in(w, w->digit, run);
  return term_and(ts, state % 2 ? bit : term_not(ts, bit),
                  term_eq(ts, digit, term_int(ts, state / 2)));
}

term_id finite_formula(struct finite *w, const struct finite_table *table) {
  struct terms *ts = &w->terms;
  term_id any[FINITE_PAIRS];
  size_t count = 0;
  for (int s = 0; s < FINITE_STATES; s++)
    for (int t = 0; t < FINITE_STATES; t++) {
      int least = table->at[s][t];
      if (least >= FINITE_NEVER) continue;
      term_id parts[] = {is_state(w, s, 1), is_state(w, t, 2),
                         term_le(ts, term_rat(ts, least, FINITE_STEP), kernel_budget(w->k))};
      any[count++] = term_and_all(ts, parts, least ? 3 : 2);
    }
  return term_or_all(ts, any, count);
}

/* ---- programs ------------------------------------------------------------------------------- */

static void put(struct finite *w, term_id var, int state, double v, double mass, double *out) {
  bool is_bit = var == w->bit;
  assert_true(is_bit || (v >= 0 && v <= 2));
  out[is_bit ? state / 2 * 2 + (v != 0) : (int)v * 2 + state % 2] += mass;
}

static void draw(struct finite *w, const struct core *c, int state, double mass, double *out) {
  double p[8];
  for (size_t i = 0; i < c->arg_count; i++)
    p[i] = finite_eval(w, c->args[i], state, state, 0);
  switch (c->dist) {
  case DIST_BERNOULLI:
    put(w, c->var, state, 1, mass * p[0], out);
    put(w, c->var, state, 0, mass * (1 - p[0]), out);
    break;
  case DIST_UNIFORM_INT:
    for (int v = (int)p[0]; v <= (int)p[1]; v++)
      put(w, c->var, state, v, mass / (p[1] - p[0] + 1), out);
    break;
  case DIST_UNIFORM_SET:
    for (size_t i = 0; i < c->arg_count; i++)
      put(w, c->var, state, p[i], mass / (double)c->arg_count, out);
    break;
  default: fail_msg("distribution %d", (int)c->dist);
  }
}

static void step(struct finite *w, const struct core *c, const double *in, double *out);

static void iterate(struct finite *w, const struct core *c, const double *in, double *out) {
  double now[FINITE_STATES], next[FINITE_STATES], left = 1;
  memcpy(now, in, sizeof now);
  for (int round = 0; round < 400 && left > 1e-12; round++) {
    left = 0;
    for (int s = 0; s < FINITE_STATES; s++)
      if (!finite_holds(w, c->expr, s, s, 0)) {
        out[s] += now[s];
        now[s] = 0;
      } else {
        left += now[s];
      }
    memset(next, 0, sizeof next);
    step(w, c->first, now, next);
    memcpy(now, next, sizeof now);
  }
}

/* Adds the distribution after c to out. */
static void step(struct finite *w, const struct core *c, const double *in, double *out) {
  double middle[FINITE_STATES] = {0};
  if (c->kind == CORE_SEQ) {
    step(w, c->first, in, middle);
    step(w, c->second, middle, out);
    return;
  }
  if (c->kind == CORE_WHILE) {
    iterate(w, c, in, out);
    return;
  }
  for (int s = 0; s < FINITE_STATES; s++) {
    double one[FINITE_STATES] = {0};
    one[s] = in[s];
    if (in[s] == 0) continue;
    switch (c->kind) {
    case CORE_SKIP: out[s] += in[s]; break;
    case CORE_ASSIGN: put(w, c->var, s, finite_eval(w, c->expr, s, s, 0), in[s], out); break;
    case CORE_SAMPLE: draw(w, c, s, in[s], out); break;
    case CORE_IF:
      step(w, finite_holds(w, c->expr, s, s, 0) ? c->first : c->second, one, out);
      break;
    case CORE_ADVERSARY: {
      assert_true(c->state == w->digit && c->var == w->bit);
      int argument = c->arg_count ? finite_eval(w, c->args[0], s, s, 0) != 0 : 0;
      for (int t = 0; t < FINITE_STATES; t++)
        out[t] += in[s] * w->move[s / 2][argument][t];
      break;
    }
    default: break;
    }
  }
}

void finite_run(struct finite *w, const struct core *c, int start, double *out) {
  double in[FINITE_STATES] = {0};
  in[start] = 1;
  memset(out, 0, FINITE_STATES * sizeof *out);
  step(w, c, in, out);
}

/* ---- judgements ----------------------------------------------------------------------------- */

static double least_delta(const double *mu1, const double *mu2, double budget,
                          const struct finite_table *post) {
  double q[FINITE_PAIRS], one[FINITE_STATES], two[FINITE_STATES];
  int from[FINITE_STATES], to[FINITE_STATES];
  size_t n = 0, m = 0;
  for (int s = 0; s < FINITE_STATES; s++) { /* states of mass 0 do not matter */
    if (mu1[s] > 0) {
      one[n] = mu1[s];
      from[n++] = s;
    }
    if (mu2[s] > 0) {
      two[m] = mu2[s];
      to[m++] = s;
    }
  }
  if (n == 0) return 0;
  for (size_t s = 0; s < n; s++)
    for (size_t t = 0; t < m; t++) {
      int least = post->at[from[s]][to[t]];
      q[s * m + t] = least >= FINITE_NEVER ? ORACLE_UNRELATED : grid(least);
    }
  double total = 0;
  for (size_t s = 0; s < n; s++)
    total += one[s];
  return m == 0 ? total : oracle_delta(one, n, two, m, q, budget);
}

double finite_delta(struct finite *w, const struct core *c1, const struct core *c2, int one,
                    int two, double budget, const struct finite_table *post) {
  double mu1[FINITE_STATES], mu2[FINITE_STATES];
  finite_run(w, c1, one, mu1);
  finite_run(w, c2, two, mu2);
  return least_delta(mu1, mu2, budget, post);
}

struct runs {
  double one[FINITE_STATES][FINITE_STATES], two[FINITE_STATES][FINITE_STATES];
};
static void run_all(struct finite *w, const struct core *c1, const struct core *c2,
                    struct runs *r) {
  for (int s = 0; s < FINITE_STATES; s++) {
    finite_run(w, c1, s, r->one[s]);
    finite_run(w, c2, s, r->two[s]);
  }
}

struct finite_table finite_wp(struct finite *w, const struct core *c1, const struct core *c2,
                              const struct finite_table *post, double delta) {
  struct finite_table pre;
  struct runs r;
  run_all(w, c1, c2, &r);
  for (int s = 0; s < FINITE_STATES; s++)
    for (int t = 0; t < FINITE_STATES; t++) {
      int low = 0, high = FINITE_NEVER;
      /* most pairs are related at any price or at none */
      if (least_delta(r.one[s], r.two[t], grid(FINITE_MOST), post) > delta + FINITE_SLACK / 10)
        low = FINITE_NEVER;
      while (low < high) {
        int middle = (low + high) / 2;
        if (least_delta(r.one[s], r.two[t], grid(middle), post) <= delta + FINITE_SLACK / 10)
          high = middle;
        else
          low = middle + 1;
      }
      pre.at[s][t] = low;
    }
  return pre;
}

bool finite_valid(struct finite *w, const struct core *c1, const struct core *c2,
                  const struct finite_table *pre, const struct finite_table *post, double delta,
                  size_t *tight) {
  struct runs r;
  run_all(w, c1, c2, &r);
  bool noticed = false;
  for (int s = 0; s < FINITE_STATES; s++)
    for (int t = 0; t < FINITE_STATES; t++) {
      int least = pre->at[s][t];
      if (least >= FINITE_NEVER) continue;
      if (least_delta(r.one[s], r.two[t], grid(least), post) > delta + 1e-5) return false;
      if (tight && !noticed && least > 0)
        noticed = least_delta(r.one[s], r.two[t], 0.9 * grid(least), post) > delta + 1e-3;
    }
  if (noticed) ++*tight;
  return true;
}

bool finite_sound(struct finite *w, const struct judgement *j, int low, int high, size_t *tight) {
  for (int i = low; i <= high; i++) {
    w->index_value = i;
    struct finite_table pre = finite_read(w, judgement_pre(j));
    struct finite_table post = finite_read(w, judgement_post(j));
    double delta = finite_eval(w, judgement_delta(j), 0, 0, 0);
    if (!finite_valid(w, judgement_left(j), judgement_right(j), &pre, &post, delta, tight))
      return false;
  }
  return true;
}

const struct judgement *finite_assume(struct finite *w, const struct core *c1,
                                      const struct core *c2, term_id pre, term_id post,
                                      term_id delta) {
  struct judgement *j = (struct judgement *)rule_admit(w->k, span_none(), c1, c2, pre, post);
  assert_non_null(j);
  j->delta = delta;
  return j;
}

const struct ahl *finite_assume_event(struct finite *w, unsigned run, const struct core *c,
                                      term_id pre, term_id post, term_id beta) {
  struct ahl *a = arena_new(w->arena, struct ahl);
  *a = (struct ahl){
      .kernel = w->k, .run = run, .command = c, .pre = pre, .post = post, .beta = beta};
  return a;
}

/* ---- random things -------------------------------------------------------------------------- */

term_id finite_condition(struct finite *w) {
  struct terms *ts = &w->terms;
  term_id digit = term_eq(ts, w->digit, term_int(ts, rng_range(&w->rng, 0, 2)));
  switch (rng_below(&w->rng, 4)) {
  case 0: return w->bit;
  case 1: return digit;
  case 2: return term_and(ts, w->bit, digit);
  default: return term_lt(ts, w->digit, term_int(ts, rng_range(&w->rng, 1, 2)));
  }
}

static const struct core *leaf(struct finite *w, unsigned writes) {
  struct terms *ts = &w->terms;
  struct rng *rng = &w->rng;
  bool bit = writes == 3 ? rng_chance(rng, 1, 2) : writes == 1;
  if (rng_chance(rng, 1, 8) || writes == 0) return core_skip();
  if (bit) {
    if (rng_chance(rng, 1, 4))
      return core_assign(w->arena, span_none(), w->bit, term_not(ts, finite_condition(w)));
    term_id p = term_rat(ts, rng_range(rng, 1, 3), 4);
    if (rng_chance(rng, 1, 2))
      p = term_ite(ts, finite_condition(w), p, term_rat(ts, rng_range(rng, 1, 7), 8));
    return core_sample(w->arena, span_none(), w->bit, DIST_BERNOULLI, &p, 1);
  }
  term_id one = term_int(ts, rng_range(rng, 0, 1)), two = term_int(ts, 2);
  switch (rng_below(rng, 4)) {
  case 0:
    return core_assign(w->arena, span_none(), w->digit,
                       term_mod(ts, term_add(ts, w->digit, term_int(ts, 1)), term_int(ts, 3)));
  case 1:
    return core_assign(w->arena, span_none(), w->digit,
                       term_ite(ts, finite_condition(w), one, two));
  case 2: {
    term_id ends[] = {rng_chance(rng, 1, 2) ? one : term_ite(ts, w->bit, one, term_int(ts, 0)),
                      rng_chance(rng, 1, 2) ? two : term_int(ts, 1)};
    return core_sample(w->arena, span_none(), w->digit, DIST_UNIFORM_INT, ends, 2);
  }
  default: {
    term_id items[] = {one, two, one, term_int(ts, 0)};
    return core_sample(w->arena, span_none(), w->digit, DIST_UNIFORM_SET, items, 4);
  }
  }
}

const struct core *finite_command(struct finite *w, int depth, unsigned writes) {
  if (depth == 0 || rng_chance(&w->rng, 1, 4)) return leaf(w, writes);
  const struct core *a = finite_command(w, depth - 1, writes);
  const struct core *b = finite_command(w, depth - 1, writes);
  if (rng_chance(&w->rng, 1, 2)) return core_seq(w->arena, a, b);
  return core_if(w->arena, span_none(), finite_condition(w), a, b);
}

struct finite_table finite_relation(struct finite *w, unsigned percent) {
  struct finite_table table;
  unsigned cost = rng_chance(&w->rng, 1, 2) ? 0 : 6;
  for (int s = 0; s < FINITE_STATES; s++)
    for (int t = 0; t < FINITE_STATES; t++)
      table.at[s][t] = rng_chance(&w->rng, percent, 100) || s == t
                           ? rng_range(&w->rng, 0, (int)cost)
                           : FINITE_NEVER;
  return table;
}
