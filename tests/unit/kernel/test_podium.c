/* PODIUM: its price against the densities of winner and gap, which are integrated, and against those
 * of both winners; random programs of about the right shape against what they keep when they are
 * run: whatever the rule takes keeps the two largest values. */
#include <math.h>
#include <stdlib.h>

#include "kernel/internal.h"
#include "kernel/rules.h"
#include "smt/smt.h"
#include "term/build.h"
#include "term/subst.h"
#include "testlib.h"

enum { VALUES = 4, VARIABLES = 6 };

struct bench {
  struct terms terms;
  struct smt smt;
  struct kernel *k;
  term_id i, v, x, y, m, w, score[VALUES];
};

static void bench_init(struct bench *t) {
  terms_init(&t->terms);
  struct smt_options options = smt_default_options();
  smt_init(&t->smt, &t->terms, &options);
  t->k = kernel_new(&t->terms, &t->smt.decider);
  t->i = kernel_var(t->k, "i", SORT_INT, false);
  t->v = kernel_var(t->k, "v", SORT_REAL, false);
  t->x = kernel_var(t->k, "x", SORT_INT, false);
  t->y = kernel_var(t->k, "y", SORT_INT, false);
  t->m = kernel_var(t->k, "m", SORT_REAL, false);
  t->w = kernel_var(t->k, "w", SORT_REAL, false);
  char name[8];
  for (int r = 0; r < VALUES; r++) {
    snprintf(name, sizeof name, "s%d", r);
    t->score[r] = kernel_var(t->k, name, SORT_REAL, true);
  }
}

static void bench_clear(struct bench *t) {
  kernel_free(t->k);
  smt_clear(&t->smt);
  terms_clear(&t->terms);
}

static bool accepts(struct bench *t, proof_of j, term_id given, term_id budget) {
  struct terms *ts = &t->terms;
  term_id pre = term_and(ts, given, term_le(ts, budget, kernel_budget(t->k)));
  return j && rule_conseq(t->k, span_none(), pre, judgement_post(j), t->k->zero, j) != NULL;
}

static term_id is(struct bench *t, term_id var, unsigned run, long value) {
  return term_eq(&t->terms, kernel_tag(t->k, var, run), term_int(&t->terms, value));
}

static term_id inputs_are(struct bench *t, const long *one, const long *two) {
  struct terms *ts = &t->terms;
  term_id all = term_and(ts, is(t, t->i, 1, 0), is(t, t->i, 2, 0));
  for (int r = 0; r < VALUES; r++)
    all = term_and(ts, all,
                   term_and(ts, is(t, t->score[r], 1, one[r]), is(t, t->score[r], 2, two[r])));
  return all;
}

/* ---- programs --------------------------------------------------------------------------------- */

static const struct core *set(struct bench *t, term_id var, term_id value) {
  return core_assign(kernel_arena(t->k), span_none(), var, value);
}

static const struct core *both(struct bench *t, const struct core *a, const struct core *b) {
  return core_seq(kernel_arena(t->k), a, b);
}

static const struct core *choose(struct bench *t, term_id c, const struct core *a,
                                 const struct core *b) {
  return core_if(kernel_arena(t->k), span_none(), c, a, b);
}

static const struct core *sample(struct bench *t, term_id var, term_id centre, enum dist_kind d) {
  term_id args[] = {centre, term_rat(&t->terms, 2, 1)};
  return core_sample(kernel_arena(t->k), span_none(), var, d, args, 2);
}

static term_id by_index(struct bench *t) {
  struct terms *ts = &t->terms;
  term_id all = t->score[VALUES - 1];
  for (int r = VALUES - 1; r-- > 0;)
    all = term_ite(ts, term_eq(ts, t->i, term_int(ts, r)), t->score[r], all);
  return all;
}

/* What may go wrong in a program: bit by bit, 0 is the right one. */
enum mistake {
  KEEP_SECOND = 1 << 0,  /* w := m is missing, or comes too late */
  KEEP_FIRST = 1 << 1,   /* m := v is missing */
  OTHER_LABEL = 1 << 2,  /* x := i + 1 */
  LOST_LABEL = 1 << 3,   /* y := x is missing: right where nobody asks for y */
  SECOND_LOW = 1 << 4,   /* v above w is not taken */
  SECOND_LABEL = 1 << 5, /* y := i is missing: likewise */
  WRONG_TEST = 1 << 6,   /* v < m */
  EACH_SECOND = 1 << 7,  /* the second place is taken by any value */
  NOISE_MOVES = 1 << 8,  /* the centre depends on the largest value so far */
  STEP_TWO = 1 << 9,
  TOO_FEW = 1 << 10,   /* one value only */
  NO_FIRST = 1 << 11,  /* the first value has to be above what is there */
  NO_SECOND = 1 << 12, /* likewise the second one */
  BIASED = 1 << 13,    /* a value has to be larger by 1 */
  LATE = 1 << 14,      /* from the third value on nothing happens */
  AHEAD = 1 << 15,     /* of two values before the loop the larger one is taken for w */
  MISTAKES = 16
};

struct style {
  unsigned mistakes;
  bool ahead; /* the first two values come before the loop */
  bool gap;   /* w is not the second value, but the gap to it */
  bool apart; /* the noise is drawn around 0, and added to the centre afterwards */
  enum dist_kind dist;
};

static const struct core *take_first(struct bench *t, const struct style *s) {
  struct terms *ts = &t->terms;
  const struct core *c = core_skip();
  term_id label = s->mistakes & OTHER_LABEL ? term_add(ts, t->i, term_int(ts, 1)) : t->i;
  term_id second = s->gap ? term_sub(ts, t->v, t->m) : t->m;
  if (!(s->mistakes & KEEP_SECOND)) c = both(t, c, set(t, t->w, second));
  if (!(s->mistakes & KEEP_FIRST)) c = both(t, c, set(t, t->m, t->v));
  if (!(s->mistakes & LOST_LABEL)) c = both(t, c, set(t, t->y, t->x));
  return both(t, c, set(t, t->x, label));
}

static const struct core *take_second(struct bench *t, const struct style *s) {
  term_id value = s->gap ? term_sub(&t->terms, t->m, t->v) : t->v;
  const struct core *c = s->mistakes & SECOND_LOW ? core_skip() : set(t, t->w, value);
  return s->mistakes & SECOND_LABEL ? c : both(t, c, set(t, t->y, t->i));
}

static const struct core *compare(struct bench *t, const struct style *s) {
  struct terms *ts = &t->terms;
  term_id zero = term_int(ts, 0), one = term_int(ts, 1), no = term_bool(ts, false);
  term_id first = s->ahead || s->mistakes & NO_FIRST ? no : term_eq(ts, t->i, zero);
  term_id second = s->ahead || s->mistakes & NO_SECOND ? no : term_eq(ts, t->i, one);
  term_id limit = s->mistakes & BIASED ? term_add(ts, t->m, one) : t->m;
  term_id above = s->mistakes & WRONG_TEST ? term_lt(ts, t->v, limit) : term_lt(ts, limit, t->v);
  term_id more = s->gap ? term_lt(ts, term_sub(ts, t->m, t->v), t->w) : term_lt(ts, t->w, t->v);
  if (s->mistakes & EACH_SECOND) more = term_bool(ts, true);
  const struct core *c =
      choose(t, term_or(ts, first, above), take_first(t, s),
             choose(t, term_or(ts, second, more), take_second(t, s), core_skip()));
  return s->mistakes & LATE ? choose(t, term_lt(ts, t->i, term_int(ts, 2)), c, core_skip()) : c;
}

static const struct core *program(struct bench *t, const struct style *s) {
  struct terms *ts = &t->terms;
  term_id centre = s->mistakes & NOISE_MOVES ? term_add(ts, by_index(t), t->m) : by_index(t);
  long step = s->mistakes & STEP_TWO ? 2 : 1, end = s->mistakes & TOO_FEW ? 1 : VALUES;
  const struct core *body = sample(t, t->v, s->apart ? term_int(ts, 0) : centre, s->dist);
  if (s->apart) body = both(t, body, set(t, t->v, term_add(ts, centre, t->v)));
  body = both(t, body, compare(t, s));
  body = both(t, body, set(t, t->i, term_add(ts, t->i, term_int(ts, step))));
  const struct core *loop =
      core_while(kernel_arena(t->k), span_none(), term_lt(ts, t->i, term_int(ts, end)), body);
  if (!s->ahead) return loop;
  const struct core *c =
      both(t, sample(t, t->m, t->score[0], s->dist), sample(t, t->v, t->score[1], s->dist));
  term_id above = term_lt(ts, t->m, t->v), m = t->m, v = t->v;
  c = both(t, c, set(t, t->x, term_ite(ts, above, term_int(ts, 1), term_int(ts, 0))));
  c = both(t, c, set(t, t->y, term_sub(ts, term_int(ts, 1), t->x)));
  term_id less = s->mistakes & AHEAD ? term_max(ts, m, v) : term_min(ts, m, v),
          gap = term_abs(ts, term_sub(ts, m, v));
  c = both(t, c, set(t, t->w, s->gap ? gap : less));
  c = both(t, c, set(t, t->m, term_max(ts, m, v)));
  return both(t, c, both(t, set(t, t->i, term_int(ts, 2)), loop));
}

static struct podium asked(struct bench *t, const struct style *s, bool places, long low,
                           long high) {
  struct terms *ts = &t->terms;
  return (struct podium){t->x,
                         places ? t->y : TERM_NONE,
                         t->m,
                         s->gap ? term_sub(ts, t->m, t->w) : t->w,
                         term_int(ts, low),
                         term_int(ts, high)};
}

/* ---- what it keeps ---------------------------------------------------------------------------- */

struct memory {
  struct bench *t;
  term_id vars[VARIABLES + VALUES], values[VARIABLES + VALUES];
  const long *samples;
  size_t drawn;
};

static term_id value(struct memory *s, term_id t) {
  return term_subst(&s->t->terms, t, s->vars, s->values, VARIABLES + VALUES);
}

static void store(struct memory *s, term_id var, term_id to) {
  for (size_t i = 0; i < VARIABLES; i++)
    if (s->vars[i] == var) s->values[i] = to;
}

static void execute(struct memory *s, const struct core *c) {
  struct terms *ts = &s->t->terms;
  switch (c->kind) {
  case CORE_ASSIGN: store(s, c->var, value(s, c->expr)); break;
  case CORE_SAMPLE: store(s, c->var, term_rat(ts, s->samples[s->drawn++], 1)); break;
  case CORE_SEQ:
    execute(s, c->first);
    execute(s, c->second);
    break;
  case CORE_IF: execute(s, value(s, c->expr) == ts->true_term ? c->first : c->second); break;
  case CORE_WHILE:
    while (value(s, c->expr) == ts->true_term)
      execute(s, c->first);
    break;
  default: break;
  }
}

/* Does it leave the winner, the runner-up if asked, and the gap, whatever was there before? */
static bool keeps(struct bench *t, const struct core *c, const struct podium *how,
                  const long *samples, long before) {
  struct terms *ts = &t->terms;
  struct memory s = {.t = t,
                     .vars = {t->i, t->v, t->x, t->y, t->m, t->w},
                     .values = {term_int(ts, 0), term_rat(ts, 7, 1), term_int(ts, 9),
                                term_int(ts, 9), term_rat(ts, before, 1), term_rat(ts, 3, 1)},
                     .samples = samples};
  for (int r = 0; r < VALUES; r++) {
    s.vars[VARIABLES + r] = t->score[r];
    s.values[VARIABLES + r] = term_rat(ts, 0, 1);
  }
  execute(&s, c);
  int first = 0, second = -1;
  for (int r = 1; r < VALUES; r++)
    if (samples[r] > samples[first]) first = r;
  for (int r = 0; r < VALUES; r++)
    if (r != first && (second < 0 || samples[r] > samples[second])) second = r;
  term_id gap = term_sub(ts, value(&s, how->first), value(&s, how->second));
  return s.drawn == VALUES && value(&s, t->x) == term_int(ts, first) &&
         gap == term_rat(ts, samples[first] - samples[second], 1) &&
         (how->runner_up == TERM_NONE || value(&s, t->y) == term_int(ts, second));
}

static bool always_keeps(struct bench *t, const struct core *c, const struct podium *how) {
  long v[VALUES];
  for (v[0] = 0; v[0] < 2 * VALUES; v[0] += 2)
    for (v[1] = 0; v[1] < 2 * VALUES; v[1] += 2)
      for (v[2] = 0; v[2] < 2 * VALUES; v[2] += 2)
        for (v[3] = 0; v[3] < 2 * VALUES; v[3] += 2) {
          bool tie = v[0] == v[1] || v[0] == v[2] || v[0] == v[3] || v[1] == v[2] || v[1] == v[3] ||
                     v[2] == v[3];
          if (!tie && !(keeps(t, c, how, v, -5) && keeps(t, c, how, v, 50))) return false;
        }
  return true;
}

/* Each single mistake and many pairs: the rule takes what is right, and nothing else. In a short
 * test, a pair is made in some of the kinds of programs. */
static void programs(void **state) {
  (void)state;
  const long one[] = {1, 0, 2, 1}, two[] = {0, 0, 2, 1};
  size_t taken = 0, refused = 0, spared = 0;
  for (unsigned a = 0; a <= MISTAKES; a++)
    for (unsigned b = 0; b <= MISTAKES; b += a ? 4 : 1)
      for (unsigned kind = 0; kind < 16; kind++) {
        if (a && b && test_is_short() && (a + b + kind) % 4) continue;
        struct bench t;
        bench_init(&t);
        struct style s = {.mistakes = (a ? 1u << (a - 1) : 0) | (b ? 1u << (b - 1) : 0),
                          .ahead = kind & 1,
                          .gap = kind & 2,
                          .apart = kind & 8,
                          .dist = DIST_LAPLACE};
        const struct core *c = program(&t, &s);
        struct podium how = asked(&t, &s, kind & 4, 0, 1);
        bool ok = accepts(&t, rule_podium(t.k, span_none(), c, &how), inputs_are(&t, one, two),
                          term_int(&t.terms, 1));
        bool right =
            !(s.mistakes & (TOO_FEW | STEP_TWO | NOISE_MOVES)) && always_keeps(&t, c, &how);
        if (ok && !right) fail_msg("taken: %x of kind %u", s.mistakes, kind);
        if (!s.mistakes) assert_true(ok && right);
        taken += ok;
        refused += !ok && !right;
        spared += !ok && right;
        bench_clear(&t);
      }
  assert_true(taken > 10 && refused > 100 && spared < taken + refused / 4);
}

/* ---- what it costs ---------------------------------------------------------------------------- */

static double density(enum dist_kind d, double z) {
  z /= 2;
  if (d == DIST_LAPLACE) return exp(-fabs(z)) / 4;
  if (d == DIST_GUMBEL) return exp(-z - exp(-z)) / 2;
  return z < 0 ? 0 : exp(-z) / 2;
}

static double below(enum dist_kind d, double z) {
  z /= 2;
  if (d == DIST_LAPLACE) return z < 0 ? exp(z) / 2 : 1 - exp(-z) / 2;
  if (d == DIST_GUMBEL) return exp(-exp(-z));
  return z < 0 ? 0 : 1 - exp(-z);
}

/* Density of: r wins, s is second (-1: any), and the gap is t. By Simpson's rule over the second
 * value, between whose kinks, at integers and at integers minus t, are all steps. */
static double law(enum dist_kind d, const long *score, int r, int s, double t) {
  enum { STEPS = 2400 };
  const double from = -60, width = 0.05;
  double sum = 0;
  for (int step = 0; step <= STEPS; step++) {
    double a = from + width * step, all = 0;
    for (int q = 0; q < VALUES; q++) {
      if (q == r || (s >= 0 && q != s)) continue;
      double here = density(d, a - (double)score[q]) * density(d, a + t - (double)score[r]);
      for (int o = 0; o < VALUES; o++)
        if (o != q && o != r) here *= below(d, a - (double)score[o]);
      all += here;
    }
    sum += all * (step == 0 || step == STEPS ? 1 : step % 2 ? 4 : 2) * width / 3;
  }
  return sum;
}

static double loss(enum dist_kind d, const long *one, const long *two, bool places) {
  double worst = 0;
  for (int r = 0; r < VALUES; r++)
    for (int s = places ? 0 : -1; s < (places ? VALUES : 0); s++)
      for (double t = 0.5; t < 9 && s != r; t += 1.5)
        worst = fmax(worst, log(law(d, one, r, s, t) / law(d, two, r, s, t)));
  return worst;
}

static void prices(void **state) {
  (void)state;
  static const enum dist_kind dists[] = {DIST_LAPLACE, DIST_LAPLACE, DIST_GUMBEL, DIST_EXPONENTIAL};
  struct rng rng = rng_seeded(7);
  double closest[] = {0, 0, 0, 0};
  for (size_t round = 0; round < 48; round++) {
    bool places = round % 4 > 0;
    struct bench t;
    bench_init(&t);
    struct style s = {.ahead = round % 8 > 3, .apart = round % 16 > 7, .dist = dists[round % 4]};
    long one[VALUES], two[VALUES], low = 0, high = 0;
    for (int r = 0; r < VALUES; r++) {
      one[r] = rng_range(&rng, -3, 3) + (round % 3 == 0 && r < 2 ? 20 : 0);
      two[r] = one[r] - rng_range(&rng, -1, 1);
      long d = one[r] - two[r];
      low = r && low < d ? low : d;
      high = r && high > d ? high : d;
    }
    const struct core *c = program(&t, &s);
    struct podium how = asked(&t, &s, places, low, high);
    proof_of j = rule_podium(t.k, span_none(), c, &how);
    assert_non_null(j);
    double price = (places ? 2 : 1) * (double)(high - low) / 2;
    double worst = loss(s.dist, one, two, places);
    if (worst > price + 1e-6) fail_msg("round %zu: %f above %f", round, worst, price);
    if (price > 0) closest[round % 4] = fmax(closest[round % 4], worst / price);
    term_id enough = term_rat(&t.terms, lround(price * 1000), 1000);
    term_id less = term_rat(&t.terms, lround(price * 1000) - 2, 1000);
    assert_true(accepts(&t, j, inputs_are(&t, one, two), enough));
    assert_false(price > 0 && accepts(&t, j, inputs_are(&t, one, two), less));
    if (high > low) {
      how.high = term_int(&t.terms, high - 1);
      j = rule_podium(t.k, span_none(), c, &how);
      assert_false(accepts(&t, j, inputs_are(&t, one, two), term_int(&t.terms, 9)));
    }
    bench_clear(&t);
  }
  for (size_t i = 0; i < 4; i++)
    if (closest[i] < (i ? 0.45 : 0.9)) fail_msg("loose for %zu: %f", i, closest[i]);
}

/* Families whose noise cannot be moved as the rule moves it. */
static void refusals(void **state) {
  (void)state;
  static const enum dist_kind wrong[] = {DIST_EXPONENTIAL, DIST_GUMBEL, DIST_GAUSS};
  struct bench t;
  bench_init(&t);
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    struct style s = {.dist = wrong[i]};
    struct podium gap = asked(&t, &s, false, 0, 1), places = asked(&t, &s, true, 0, 1);
    assert_null(rule_podium(t.k, span_none(), program(&t, &s), &gap));
    bool none = !rule_podium(t.k, span_none(), program(&t, &s), &places);
    assert_true(none == (wrong[i] == DIST_GAUSS));
  }
  struct style s = {.dist = DIST_LAPLACE};
  const struct core *c = program(&t, &s);
  struct podium how = asked(&t, &s, false, 0, 1);
  how.high = t.w; /* of which run? */
  assert_null(rule_podium(t.k, span_none(), c, &how));
  how.high = kernel_budget(t.k);
  assert_null(rule_podium(t.k, span_none(), c, &how));
  how = asked(&t, &s, false, 0, 1);
  how.first = kernel_tag(t.k, t.m, 1);
  assert_null(rule_podium(t.k, span_none(), c, &how));
  how = asked(&t, &s, false, 0, 1);
  how.winner = t.m;
  assert_null(rule_podium(t.k, span_none(), c, &how));
  bench_clear(&t);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(programs), cmocka_unit_test(prices),
                                     cmocka_unit_test(refusals)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
