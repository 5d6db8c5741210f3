/* Noise made by hand against the distribution that it has; joined branches, sliding uniform noise
 * and events given by sets against the meaning of programs on a finite memory. */
#include "finite_test.h"
#include "kernel/dist.h"
#include "term/eval.h"
#include "term/subst.h"

/* ---- laws ------------------------------------------------------------------------------------ */

struct lab {
  struct terms ts;
  struct smt smt;
  struct kernel *k;
  term_id x, y, u, v, g, h, coin, sign; /* x is an input, y gets the noise */
};

static void lab_init(struct lab *l) {
  terms_init(&l->ts);
  smt_init(&l->smt, &l->ts, NULL);
  l->k = kernel_new(&l->ts, &l->smt.decider);
  l->x = kernel_var(l->k, "x", SORT_REAL, true);
  l->y = kernel_var(l->k, "y", SORT_REAL, false);
  l->u = kernel_var(l->k, "u", SORT_REAL, false);
  l->v = kernel_var(l->k, "v", SORT_REAL, false);
  l->g = kernel_var(l->k, "g", SORT_INT, false);
  l->h = kernel_var(l->k, "h", SORT_INT, false);
  l->coin = kernel_var(l->k, "coin", SORT_BOOL, false);
  l->sign = kernel_var(l->k, "sign", SORT_INT, false);
}
static void lab_clear(struct lab *l) {
  kernel_free(l->k);
  smt_clear(&l->smt);
  terms_clear(&l->ts);
}

static const struct core *draw(struct lab *l, term_id var, enum dist_kind dist, term_id a,
                               term_id b) {
  term_id args[] = {a, b};
  return core_sample(kernel_arena(l->k), span_none(), var, dist, args,
                     dist == DIST_BERNOULLI ? 1 : 2);
}
static const struct core *then(struct lab *l, const struct core *a, const struct core *b) {
  return core_seq(kernel_arena(l->k), a, b);
}
static const struct core *put(struct lab *l, term_id var, term_id value) {
  return core_assign(kernel_arena(l->k), span_none(), var, value);
}
static term_id num(struct lab *l, long n, unsigned long d) {
  return term_rat(&l->ts, n, d);
}

/* Does the rule let the block take the place of `var <$ D(x, b); y := var`? */
static bool accepted(struct lab *l, const struct core *block, term_id var, enum dist_kind dist,
                     term_id centre, term_id b) {
  struct terms *ts = &l->ts;
  const struct core *simple = then(l, draw(l, var, dist, centre, b), put(l, l->y, var));
  term_id post = term_le(ts, kernel_tag(l->k, l->y, 1), kernel_fresh(l->k, "m", SORT_REAL));
  proof_of j = rule_admit(l->k, span_none(), simple, core_skip(), term_bool(ts, true), post);
  j = rule_equiv_noise(l->k, 1, block, j);
  return j && rule_conseq(l->k, span_none(), term_bool(ts, true), post, judgement_delta(j), j);
}

/* Pr[v <= x] for noise of the family around 0 with this scale; integers as they are. */
static double at_most(enum dist_kind dist, double b, double x) {
  double sum = 0, all = 0, r = exp(-1 / b);
  switch (dist) {
  case DIST_LAPLACE: return x < 0 ? exp(x / b) / 2 : 1 - exp(-x / b) / 2;
  case DIST_GAUSS: return erfc(-x / (b * sqrt(2))) / 2;
  case DIST_GUMBEL: return exp(-exp(-x / b));
  case DIST_EXPONENTIAL: return x < 0 ? 0 : 1 - exp(-x / b);
  case DIST_GEOMETRIC: return x < 0 ? 0 : 1 - pow(r, floor(x) + 1);
  default:
    for (int i = -60; i <= 60; i++) {
      double mass = dist == DIST_DISCRETE_LAPLACE ? pow(r, abs(i)) : exp(-i * i / (2 * b * b));
      all += mass;
      sum += i <= floor(x) ? mass : 0;
    }
    return sum / all;
  }
}
static double quantile(enum dist_kind dist, double b, double w) {
  double low = -100, high = 100;
  for (int i = 0; i < 40; i++) {
    double middle = (low + high) / 2;
    *(at_most(dist, b, middle) < w ? &low : &high) = middle;
  }
  return high;
}

/* A program without loops at the grid point (i, j): samples by their quantile functions. */
enum { GRID = 64 };
struct point {
  term_list vars, values;
  double w[2];
  size_t drawn;
};
static term_id exact(struct lab *l, double x) {
  return term_rat(&l->ts, (long)floor(x * 1e6 + 0.5), 1000000);
}
static double value_at(struct lab *l, struct point *p, term_id t) {
  struct evaluator ev;
  eval_init(&ev, &l->ts);
  arb_t ball;
  arb_init(ball);
  t = term_subst(&l->ts, t, p->vars.at, p->values.at, p->vars.len);
  assert_true(tvalue_get_ball(eval_term(&ev, term_to_real(&l->ts, t)), ball, 64));
  double x = arf_get_d(arb_midref(ball), ARF_RND_NEAR);
  arb_clear(ball);
  eval_clear(&ev);
  return x;
}
static void bind(struct point *p, term_id var, term_id value) {
  for (size_t i = 0; i < p->vars.len; i++)
    if (p->vars.at[i] == var) {
      p->values.at[i] = value;
      return;
    }
  vec_push(&p->vars, var);
  vec_push(&p->values, value);
}
static void run_at(struct lab *l, struct point *p, const struct core *c) {
  struct terms *ts = &l->ts;
  if (c->kind == CORE_SEQ) {
    run_at(l, p, c->first);
    run_at(l, p, c->second);
  } else if (c->kind == CORE_IF) {
    term_id one = term_ite(ts, c->expr, term_int(ts, 1), term_int(ts, 0));
    run_at(l, p, value_at(l, p, one) > 0.5 ? c->first : c->second);
  } else if (c->kind == CORE_ASSIGN) {
    bool whole = term_sort(ts, c->var) == SORT_INT;
    double x = value_at(l, p, c->expr);
    bind(p, c->var, whole ? term_int(ts, (long)floor(x + 0.5)) : exact(l, x));
  } else if (c->kind == CORE_SAMPLE) {
    double w = p->w[p->drawn++], a = value_at(l, p, c->args[0]);
    double b = c->arg_count > 1 ? value_at(l, p, c->args[1]) : 0;
    if (dist_is_centred(c->dist)) {
      double v = a + quantile(c->dist, b, w);
      bind(p, c->var, dist_is_integer(c->dist) ? term_int(ts, lround(v)) : exact(l, v));
      return;
    }
    switch (c->dist) {
    case DIST_UNIFORM: bind(p, c->var, exact(l, a + (b - a) * w)); break;
    case DIST_UNIFORM_SET: bind(p, c->var, c->args[w < 0.5 ? 0 : 1]); break;
    default: bind(p, c->var, term_bool(ts, w < a)); break;
    }
  }
}

/* Largest gap between the distribution of y after the block and D(x, b), with x = 1. */
static double gap(struct lab *l, const struct core *block, enum dist_kind dist, double b) {
  double worst = 0;
  static const double at[] = {-2.5, -1.5, -0.5, 0.5, 1.5, 2.5, 3.5};
  double below[7] = {0};
  size_t draws = 2;
  for (int i = 0; i < GRID; i++)
    for (int j = 0; j < (draws == 1 ? 1 : GRID); j++) {
      struct point p = {.w = {(i + 0.5) / GRID, (j + 0.5) / GRID}};
      bind(&p, l->x, term_rat(&l->ts, 1, 1));
      run_at(l, &p, block);
      double y = value_at(l, &p, l->y);
      draws = p.drawn;
      for (size_t n = 0; n < 7; n++)
        below[n] += y <= at[n] ? (draws == 1 ? 1 : 1.0 / GRID) : 0;
      vec_clear(&p.vars);
      vec_clear(&p.values);
    }
  for (size_t n = 0; n < 7; n++) {
    double f = at_most(dist, b, at[n] - 1);
    worst = fmax(worst, fabs(f - below[n] / GRID));
  }
  return worst;
}

/* The rule accepts the block for this noise exactly if it has that distribution. */
static void check(struct lab *l, const struct core *block, term_id var, enum dist_kind dist,
                  long scale, bool right) {
  bool whole = dist_is_integer(dist);
  term_id centre = whole ? term_int(&l->ts, 1) : num(l, 1, 1);
  const struct core *at_one = block;
  double off = gap(l, at_one, dist, (double)scale);
  assert_int_equal(off < 0.03, right);
  assert_int_equal(accepted(l, block, var, dist, centre, num(l, scale, 1)), right);
}

/* What has one law is accepted for no other family. */
static void is_no_other_noise(struct lab *l, const struct core *block, enum dist_kind own) {
  for (int i = 0; i < DIST_COUNT; i++) {
    enum dist_kind dist = (enum dist_kind)i;
    if (dist == own || !dist_is_centred(dist)) continue;
    bool whole = dist_is_integer(dist);
    assert_false(accepted(l, block, whole ? l->g : l->u, dist,
                          whole ? term_int(&l->ts, 1) : num(l, 1, 1), num(l, 2, 1)));
  }
}

/* Noise that is added to its centre, with another scale on the reals. */
static void noise_apart(void **state) {
  (void)state;
  struct lab lab, *l = &lab;
  lab_init(l);
  struct terms *ts = &l->ts;
  static const enum dist_kind reals[] = {DIST_LAPLACE, DIST_GAUSS, DIST_GUMBEL, DIST_EXPONENTIAL},
                              whole[] = {DIST_DISCRETE_LAPLACE, DIST_DISCRETE_GAUSS,
                                         DIST_GEOMETRIC};
  term_id zero = term_int(ts, 0), one = num(l, 1, 1), two = term_int(ts, 2), half = num(l, 1, 2);
  for (size_t i = 0; i < 4; i++) {
    bool symmetric = i < 2;
    const struct core *unit = draw(l, l->u, reals[i], half, one),
                      *sum = put(l, l->y, term_mul(ts, two, l->u)),
                      *mirror = put(l, l->y, term_sub(ts, two, term_mul(ts, two, l->u)));
    check(l, then(l, unit, sum), l->u, reals[i], 2, true);
    check(l, then(l, unit, sum), l->u, reals[i], 1, false);
    check(l, then(l, unit, mirror), l->u, reals[i], 2, symmetric);
    check(l, then(l, unit, put(l, l->y, term_add(ts, half, l->u))), l->u, reals[i], 2, false);
    check(l, then(l, unit, put(l, l->y, term_mul(ts, l->u, l->u))), l->u, reals[i], 2, false);
    is_no_other_noise(l, then(l, unit, sum), reals[i]);
  }
  for (size_t i = 0; i < 3; i++) {
    bool symmetric = i < 2;
    const struct core *noise = draw(l, l->g, whole[i], zero, two);
    term_id above = term_add(ts, l->g, term_int(ts, 1)),
            below = term_sub(ts, term_int(ts, 1), l->g);
    check(l, then(l, noise, put(l, l->y, above)), l->g, whole[i], 2, true);
    check(l, then(l, noise, put(l, l->y, above)), l->g, whole[i], 3, false);
    check(l, then(l, noise, put(l, l->y, below)), l->g, whole[i], 2, symmetric);
    check(l, then(l, noise, put(l, l->y, term_add(ts, above, l->g))), l->g, whole[i], 2, false);
    is_no_other_noise(l, then(l, noise, put(l, l->y, above)), whole[i]);
  }
  lab_clear(l);
}

/* After a loop the condition has to hold of any memory; and it must be the same loop. */
static void noise_after_a_loop(void **state) {
  (void)state;
  struct lab lab, *l = &lab;
  lab_init(l);
  struct terms *ts = &l->ts;
  struct arena *a = kernel_arena(l->k);
  term_id zero = num(l, 0, 1), one = num(l, 1, 1);
  const struct core *loop[2];
  for (int i = 0; i < 2; i++)
    loop[i] = core_while(a, span_none(), term_lt(ts, l->v, l->x),
                         put(l, l->v, term_add(ts, l->v, num(l, i + 1, 1))));
  const struct core *noise = draw(l, l->u, DIST_GAUSS, zero, one),
                    *at_v = draw(l, l->u, DIST_GAUSS, l->v, one),
                    *at_x = draw(l, l->u, DIST_GAUSS, l->x, one), *same = put(l, l->y, l->u),
                    *sum = put(l, l->y, term_add(ts, l->v, l->u)),
                    *g = put(l, l->g, term_int(ts, 3));
  const struct row {
    const struct core *block, *simple;
    bool right;
  } rows[] = {
      {then(l, loop[0], then(l, noise, sum)), then(l, loop[0], then(l, at_v, same)), true},
      {then(l, loop[0], then(l, g, then(l, noise, sum))),
       then(l, loop[0], then(l, g, then(l, at_v, same))), true},
      {then(l, loop[0], then(l, noise, sum)), then(l, loop[1], then(l, at_v, same)), false},
      {then(l, loop[0], then(l, noise, sum)), then(l, loop[0], then(l, at_x, same)), false},
      {then(l, loop[0], then(l, g, then(l, noise, sum))), then(l, loop[0], then(l, at_v, same)),
       true}, /* g does not matter afterwards */
      {then(l, noise, sum), then(l, loop[0], then(l, at_v, same)), false},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    term_id here = kernel_tag(l->k, l->v, 1), post = term_le(ts, kernel_tag(l->k, l->y, 1), here);
    term_id pre =
        term_eq(ts, here, kernel_tag(l->k, l->x, 1)); /* before the loop that says nothing */
    proof_of j = rule_admit(l->k, span_none(), rows[i].simple, core_skip(), pre, post);
    assert_int_equal(rule_equiv_noise(l->k, 1, rows[i].block, j) != NULL, rows[i].right);
  }
  lab_clear(l);
}

/* Two samplings are two draws also where they are one and the same piece of code. */
static void one_node_twice(void **state) {
  (void)state;
  struct lab lab, *l = &lab;
  lab_init(l);
  struct terms *ts = &l->ts;
  const struct core *a = draw(l, l->v, DIST_EXPONENTIAL, term_int(ts, 0), num(l, 1, 1));
  const struct core *block =
      then(l, a, then(l, put(l, l->u, l->v), then(l, a, put(l, l->y, term_sub(ts, l->u, l->v)))));
  const struct core *simple =
      then(l, draw(l, l->v, DIST_LAPLACE, num(l, 0, 1), num(l, 1, 1)), put(l, l->y, num(l, 0, 1)));
  term_id post = term_le(ts, kernel_tag(l->k, l->y, 1), kernel_fresh(l->k, "m", SORT_REAL));
  proof_of j = rule_admit(l->k, span_none(), simple, core_skip(), term_bool(ts, true), post);
  assert_null(rule_equiv_noise(l->k, 1, block, j));
  lab_clear(l);
}

/* y := 1 + ..., scale 2 throughout; each with a scale that is wrong. */
static void laws_of_noise(void **state) {
  (void)state;
  struct lab lab, *l = &lab;
  lab_init(l);
  struct terms *ts = &l->ts;
  term_id zero = term_int(ts, 0), one = num(l, 1, 1), two = term_int(ts, 2), half = num(l, 1, 2);
  term_id ln_u = term_ln(ts, l->u), ln_v = term_ln(ts, l->v);
  term_id sign[] = {term_int(ts, -1), term_int(ts, 1)};
  const struct core *uniform = draw(l, l->u, DIST_UNIFORM, zero, term_int(ts, 1)),
                    *other = draw(l, l->v, DIST_UNIFORM, zero, term_int(ts, 1)),
                    *around = draw(l, l->u, DIST_UNIFORM, num(l, -1, 2), half),
                    *a = draw(l, l->u, DIST_EXPONENTIAL, zero, two),
                    *b = draw(l, l->v, DIST_EXPONENTIAL, zero, two),
                    *unit = draw(l, l->u, DIST_EXPONENTIAL, zero, one),
                    *g = draw(l, l->g, DIST_GEOMETRIC, zero, two),
                    *h = draw(l, l->h, DIST_GEOMETRIC, zero, two),
                    *toss = draw(l, l->coin, DIST_BERNOULLI, half, TERM_NONE),
                    *bent = draw(l, l->coin, DIST_BERNOULLI, num(l, 1, 3), TERM_NONE),
                    *pm = draw(l, l->sign, DIST_UNIFORM_SET, sign[0], sign[1]);
  term_id plus = term_add(ts, one, l->u), minus = term_sub(ts, one, l->u);
  const struct core *by_branch =
      then(l, put(l, l->y, plus),
           core_if(kernel_arena(l->k), span_none(), l->coin, put(l, l->y, minus), core_skip()));
  term_id folded = term_ln(ts, term_sub(ts, one, term_mul(ts, two, term_abs(ts, l->u))));
  term_id side = term_ite(ts, term_lt(ts, l->u, zero), sign[0], sign[1]);
  const struct row {
    const struct core *block;
    term_id var;
    enum dist_kind dist;
  } rows[] = {
      {then(l, uniform,
            then(l, pm,
                 put(l, l->y, term_add(ts, one, term_mul(ts, two, term_mul(ts, l->sign, ln_u)))))),
       l->u, DIST_LAPLACE},
      {then(l, a, then(l, pm, put(l, l->y, term_add(ts, one, term_mul(ts, l->sign, l->u))))), l->u,
       DIST_LAPLACE},
      {then(l, a, then(l, toss, by_branch)), l->u, DIST_LAPLACE},
      {then(l, a, then(l, b, put(l, l->y, term_add(ts, one, term_sub(ts, l->v, l->u))))), l->u,
       DIST_LAPLACE},
      {then(l, uniform,
            then(l, other,
                 put(l, l->y, term_add(ts, one, term_mul(ts, two, term_sub(ts, ln_u, ln_v)))))),
       l->u, DIST_LAPLACE},
      {then(l, around,
            put(l, l->y, term_sub(ts, one, term_mul(ts, two, term_mul(ts, side, folded))))),
       l->u, DIST_LAPLACE},
      {then(l, uniform, put(l, l->y, term_sub(ts, one, term_mul(ts, two, ln_u)))), l->u,
       DIST_EXPONENTIAL},
      {then(l, uniform,
            put(l, l->y,
                term_sub(ts, one, term_mul(ts, two, term_ln(ts, term_sub(ts, one, l->u)))))),
       l->u, DIST_EXPONENTIAL},
      {then(l, uniform,
            put(l, l->y, term_sub(ts, one, term_mul(ts, two, term_ln(ts, term_neg(ts, ln_u)))))),
       l->u, DIST_GUMBEL},
      {then(l, unit, put(l, l->y, term_sub(ts, one, term_mul(ts, two, ln_u)))), l->u, DIST_GUMBEL},
      {then(l, g, then(l, h, put(l, l->y, term_add(ts, one, term_sub(ts, l->g, l->h))))), l->g,
       DIST_DISCRETE_LAPLACE},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    check(l, rows[i].block, rows[i].var, rows[i].dist, 2, true);
    check(l, rows[i].block, rows[i].var, rows[i].dist, 3, false);
    is_no_other_noise(l, rows[i].block, rows[i].dist);
  }
  /* a sum, a bent coin, two different scales, one sample used twice */
  check(l, then(l, a, then(l, b, put(l, l->y, term_add(ts, plus, l->v)))), l->u, DIST_LAPLACE, 2,
        false);
  check(l, then(l, a, then(l, bent, by_branch)), l->u, DIST_LAPLACE, 2, false);
  check(l,
        then(l, a,
             then(l, draw(l, l->v, DIST_EXPONENTIAL, zero, one),
                  put(l, l->y, term_add(ts, one, term_sub(ts, l->v, l->u))))),
        l->u, DIST_LAPLACE, 2, false);
  check(l, then(l, a, then(l, pm, put(l, l->y, plus))), l->u, DIST_LAPLACE, 2, false);
  lab_clear(l);
}

/* ---- finite memories ------------------------------------------------------------------------- */

static const struct core *sample_of(struct finite *w, bool digit) {
  struct terms *ts = &w->terms;
  if (!digit) {
    term_id p = term_rat(ts, rng_range(&w->rng, 0, 4), 4);
    return core_sample(w->arena, span_none(), w->bit, DIST_BERNOULLI, &p, 1);
  }
  long low = rng_range(&w->rng, 0, 2);
  term_id ends[] = {term_int(ts, low), term_int(ts, rng_range(&w->rng, (int)low, 2))};
  return core_sample(w->arena, span_none(), w->digit, DIST_UNIFORM_INT, ends, 2);
}
static const struct core *sampling_branch(struct finite *w, bool digit, unsigned before) {
  const struct core *first = before ? finite_command(w, 0, before) : core_skip();
  if (core_is_random(first)) first = core_skip();
  return core_seq(w->arena, first,
                  core_seq(w->arena, sample_of(w, digit), finite_command(w, 0, 3)));
}

/* Joined whether that is right or not. */
static const struct core *joined_blindly(struct finite *w, const struct core *c) {
  const struct core *a = c->first, *b = c->second;
  if (a->first->kind != CORE_SAMPLE || b->first->kind != CORE_SAMPLE) return NULL;
  term_id args[2];
  for (size_t i = 0; i < a->first->arg_count; i++)
    args[i] = term_ite(&w->terms, c->expr, a->first->args[i], b->first->args[i]);
  const struct core *one =
      core_sample(w->arena, span_none(), a->first->var, a->first->dist, args, a->first->arg_count);
  return core_seq(w->arena, one, core_if(w->arena, span_none(), c->expr, a->second, b->second));
}

COUNTS(joined_branches, seen.tight > 5 && seen.wrong > 20)
TEST(joined_branches, 300) {
  unsigned run = (unsigned)rng_range(&w->rng, 1, 2);
  bool digit = rng_chance(&w->rng, 1, 2);
  unsigned before = rng_chance(&w->rng, 1, 2) ? 3 : 0;
  const struct core *c =
      core_if(w->arena, span_none(), finite_condition(w), sampling_branch(w, digit, before),
              sampling_branch(w, digit, before));
  const struct core *joined = equiv_joined(w->k, c);
  if (!joined) {
    const struct core *blind =
        c->first->kind == CORE_SEQ && c->second->kind == CORE_SEQ ? joined_blindly(w, c) : NULL;
    if (blind && !same_program(w, c, blind)) seen.wrong++;
    return;
  }
  assert_true(same_program(w, c, joined));
  term_id post = random_assertion(w, 40);
  const struct core *other = finite_command(w, 1, 3);
  conclude(w, rule_equiv_join(w->k, run, c, about(w, run, joined, other, post)));
  if (!core_equal(c, joined))
    assert_null(rule_equiv_join(w->k, run, c, about(w, run, c, other, post)));
}

/* Some pairs of digits, each with a budget that has to be left. */
static term_id digits_related(struct finite *w) {
  struct terms *ts = &w->terms;
  term_id any = term_bool(ts, false);
  for (int i = 0; i < 9; i++) {
    if (rng_chance(&w->rng, 1, 3)) continue;
    term_id parts[] = {
        term_eq(ts, finite_in(w, w->digit, 1), term_int(ts, i / 3)),
        term_eq(ts, finite_in(w, w->digit, 2), term_int(ts, i % 3)),
        term_le(ts, term_rat(ts, rng_range(&w->rng, 0, 8), FINITE_STEP), kernel_budget(w->k))};
    any = term_or(ts, any, term_and_all(ts, parts, 3));
  }
  return any;
}

/* One branch does not sample the bit: it is drawn for nothing, and the rule forgets it. */
COUNTS(lonely_samples, seen.tight > 3 && seen.wrong > 20)
TEST(lonely_samples, 200) {
  unsigned run = (unsigned)rng_range(&w->rng, 1, 2);
  const struct core *plain = finite_command(w, 0, 2);
  const struct core *drawn = core_seq(w->arena, sample_of(w, false), finite_command(w, 0, 2));
  bool first = rng_chance(&w->rng, 1, 2);
  const struct core *c = core_if(w->arena, span_none(), finite_condition(w), first ? drawn : plain,
                                 first ? plain : drawn);
  const struct core *joined = equiv_joined(w->k, c);
  if (!joined || core_is_random(plain)) return;
  const struct core *other = finite_command(w, 1, 3);
  proof_of all = about(w, run, joined, other, random_assertion(w, 40));
  assert_null(rule_equiv_join(w->k, run, c, all)); /* it speaks of the bit */
  if (!same_program(w, c, joined)) seen.wrong++;
  term_id post = digits_related(w);
  conclude(w, rule_equiv_join(w->k, run, c, about(w, run, joined, other, post)));
}

static const struct core *uniform_digits(struct finite *w, long low, long high) {
  term_id ends[] = {term_int(&w->terms, low), term_int(&w->terms, high)};
  return core_sample(w->arena, span_none(), w->digit, DIST_UNIFORM_INT, ends, 2);
}

/* Branches that sample different variables: the first one must not matter in the second branch. */
static void joined_names(void **state) {
  (void)state;
  struct lab lab, *l = &lab;
  lab_init(l);
  struct terms *ts = &l->ts;
  term_id zero = term_int(ts, 0), one = num(l, 1, 1), b = term_lt(ts, l->x, zero);
  for (int bad = 0; bad <= 3; bad++) { /* read in the second branch; afterwards; in the condition */
    term_id cond = bad == 3 ? term_lt(ts, l->v, zero) : b;
    term_id second = bad == 1 ? term_add(ts, l->u, l->v) : l->v;
    const struct core *c =
        core_if(kernel_arena(l->k), span_none(), cond,
                then(l, draw(l, l->u, DIST_LAPLACE, zero, one), put(l, l->y, l->u)),
                then(l, draw(l, l->v, DIST_LAPLACE, one, one), put(l, l->y, second)));
    const struct core *once = equiv_joined(l->k, c);
    assert_int_equal(once == NULL, bad == 1 || bad == 3);
    if (!once) continue;
    term_id post = term_le(ts, kernel_tag(l->k, bad == 2 ? l->u : l->y, 1), zero);
    proof_of j = rule_admit(l->k, span_none(), once, core_skip(), term_bool(ts, true), post);
    assert_int_equal(rule_equiv_join(l->k, 1, c, j) != NULL, bad == 0);
  }
  lab_clear(l);
}

COUNTS(sliding_noise, seen.wrong > 20)
TEST(sliding_noise, 200) {
  struct terms *ts = &w->terms;
  long width = rng_range(&w->rng, 1, 3), one = rng_range(&w->rng, 0, 3 - (int)width),
       two = rng_range(&w->rng, 0, 3 - (int)width), by = rng_range(&w->rng, -1, 1);
  const struct core *c1 = uniform_digits(w, one, one + width - 1),
                    *c2 = uniform_digits(w, two, two + width - 1);
  long lost = labs(by + one - two);
  term_id delta = term_rat(ts, lost, (unsigned long)width), post = random_assertion(w, 50);
  proof_of j = rule_sample_slide(w->k, c1, c2, term_int(ts, by), delta, post);
  conclude(w, j);
  /* with less than that the precondition says no */
  if (lost == 0) return;
  proof_of less = rule_sample_slide(w->k, c1, c2, term_int(ts, by),
                                    term_rat(ts, lost, 2 * (unsigned long)width), post);
  for (int s = 0; s < FINITE_STATES; s++)
    assert_false(finite_holds(w, judgement_pre(less), s, s, 3));
  would(w, c1, c2, judgement_pre(j), post, term_rat(ts, lost, 2 * (unsigned long)width));
}

COUNTS(events_by_sets, seen.tight > 50 && seen.wrong > 20)
TEST(events_by_sets, 200) {
  struct terms *ts = &w->terms;
  unsigned run = (unsigned)rng_range(&w->rng, 1, 2);
  bool digit = rng_chance(&w->rng, 1, 2);
  const struct core *c = sample_of(w, digit);
  term_id sample = kernel_fresh(w->k, "s", digit ? SORT_INT : SORT_BOOL);
  struct sample_set set = {TERM_NONE, TERM_NONE, TERM_NONE};
  if (digit) {
    long low = rng_range(&w->rng, 0, 2);
    set.low = term_int(ts, low);
    set.high = term_int(ts, rng_range(&w->rng, (int)low, 2));
  } else {
    set.when = rng_chance(&w->rng, 1, 2) ? sample : term_not(ts, sample);
  }
  term_id yes = term_bool(ts, true), var = finite_in(w, c->var, run), inside = set.when;
  if (digit)
    inside = term_and(ts, term_le(ts, set.low, var), term_le(ts, var, set.high));
  else
    inside = term_subst(ts, set.when, &sample, &var, 1);
  bool own = rng_chance(&w->rng, 2, 3); /* the event that the set is made for, and its price */
  term_id event = own ? inside : condition_in(w, run);
  term_id beta =
      own ? up_to_grid(w, miss(w, c, yes, event)) : term_rat(ts, rng_range(&w->rng, 0, 12), 12);
  bound_of b = ahl_set(w->k, run, c, sample, &set, beta, event);
  assert_non_null(b);
  seen.applied++;
  double out = miss(w, c, ahl_pre(b), event);
  assert_true(out <= number(w, beta) + 1e-9);
  if (out > 0.9 * number(w, beta) && out > 0) seen.tight++;
  if (miss(w, c, yes, event) > number(w, beta) + 1e-9) seen.wrong++;
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(laws_of_noise),   cmocka_unit_test(one_node_twice),
      cmocka_unit_test(noise_apart),     cmocka_unit_test(noise_after_a_loop),
      cmocka_unit_test(joined_branches), cmocka_unit_test(joined_names),
      cmocka_unit_test(lonely_samples),  cmocka_unit_test(sliding_noise),
      cmocka_unit_test(events_by_sets)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
