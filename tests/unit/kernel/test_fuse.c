/* EQUIV-FUSE against what programs do: random pairs of loops over small arrays, with everything that may
 * go wrong between them. What the rule accepts must have the same joint distribution of all variables
 * that a postcondition may speak of, computed exactly by going through all samples. Each fault must be
 * refused, and, where it is of consequence, be one that fusing all the same would show. */
#include "kernel/ahl.h"
#include "kernel/internal.h"
#include "kernel/rules.h"
#include "smt/smt.h"
#include "term/build.h"
#include "term/subst.h"
#include "testlib.h"

enum { VARS = 9, CELLS = 5, FIRST = -1, LENGTH = 2, OUTCOMES = 512 };
enum { I, J, X, Y, T, W, C, Z, V }; /* the last two are arrays */

struct lab {
  struct terms terms;
  struct smt smt;
  struct kernel *k;
  struct arena *arena;
  struct rng rng;
  term_id var[VARS], base;
};

static void lab_init(struct lab *l, uint64_t seed) {
  static const char *const names[] = {"i", "j", "x", "y", "t", "w", "c", "z", "v"};
  terms_init(&l->terms);
  struct smt_options options = smt_default_options();
  smt_init(&l->smt, &l->terms, &options);
  l->k = kernel_new(&l->terms, &l->smt.decider);
  l->arena = kernel_arena(l->k);
  l->rng = rng_seeded(seed);
  sort_id array = sort_array(&l->terms, SORT_INT);
  for (int v = 0; v < VARS; v++)
    l->var[v] = kernel_var(l->k, names[v], v < Z ? SORT_INT : array, false);
  l->base = term_var(&l->terms, "base", array, 0, 0);
}

static void lab_clear(struct lab *l) {
  kernel_free(l->k);
  smt_clear(&l->smt);
  terms_clear(&l->terms);
}

/* ---- commands --------------------------------------------------------------------------------- */

static term_id num(struct lab *l, long n) {
  return term_int(&l->terms, n);
}
static term_id plus(struct lab *l, term_id a, term_id b) {
  return term_add(&l->terms, a, b);
}
static term_id at(struct lab *l, int array, term_id index) {
  return term_select(&l->terms, l->var[array], index);
}
static const struct core *set(struct lab *l, int v, term_id value) {
  return core_assign(l->arena, span_none(), l->var[v], value);
}
static const struct core *put(struct lab *l, int array, term_id index, term_id value) {
  return set(l, array, term_store(&l->terms, l->var[array], index, value));
}
static const struct core *draw(struct lab *l, int v, term_id high) {
  term_id range[] = {num(l, 0), high};
  return core_sample(l->arena, span_none(), l->var[v], DIST_UNIFORM_INT, range, 2);
}
static const struct core *then(struct lab *l, const struct core *a, const struct core *b) {
  return core_seq(l->arena, a, b);
}
static const struct core *count_up(struct lab *l, int v, const struct core *body, term_id guard) {
  const struct core *up = set(l, v, plus(l, l->var[v], num(l, 1)));
  return core_while(l->arena, span_none(), guard, then(l, body, up));
}

/* ---- all outcomes ----------------------------------------------------------------------------- */

struct outcome {
  term_id value[VARS];
  double weight;
};
struct outcomes {
  struct outcome at[OUTCOMES];
  size_t count;
};

static term_id value_of(struct lab *l, const struct outcome *m, term_id t) {
  return term_subst(&l->terms, t, l->var, m->value, VARS);
}

/* Arrays as what is in their cells, so that equal ones are the same term. */
static term_id array_of(struct lab *l, term_id a) {
  term_id all = l->base;
  for (int c = 0; c < CELLS; c++)
    all =
        term_store(&l->terms, all, num(l, FIRST + c), term_select(&l->terms, a, num(l, FIRST + c)));
  return all;
}

static void add(struct outcomes *to, const struct outcome *m) {
  for (size_t i = 0; i < to->count; i++) {
    bool same = true;
    for (int v = 0; v < VARS; v++)
      same &= to->at[i].value[v] == m->value[v];
    if (!same) continue;
    to->at[i].weight += m->weight;
    return;
  }
  assert_true(to->count < OUTCOMES);
  to->at[to->count++] = *m;
}

static int index_of(struct lab *l, term_id var) {
  for (int v = 0; v < VARS; v++)
    if (l->var[v] == var) return v;
  fail();
  return 0;
}

static long number(struct lab *l, term_id t) {
  assert_true(term_is_num(&l->terms, t));
  return fmpz_get_si(fmpq_numref(term_num_value(&l->terms, t)));
}

static void run(struct lab *l, const struct core *c, struct outcome m, struct outcomes *out);

static void run_all(struct lab *l, const struct core *c, const struct outcomes *in,
                    struct outcomes *out) {
  for (size_t i = 0; i < in->count; i++)
    run(l, c, in->at[i], out);
}

static bool is_true(struct lab *l, const struct outcome *m, term_id t) {
  term_id value = value_of(l, m, t);
  assert_true(value == term_bool(&l->terms, true) || value == term_bool(&l->terms, false));
  return value == term_bool(&l->terms, true);
}

static void run_sequence(struct lab *l, const struct core *a, const struct core *b,
                         struct outcome m, struct outcomes *out) {
  struct outcomes *middle = xcalloc(1, sizeof *middle);
  run(l, a, m, middle);
  run_all(l, b, middle, out);
  free(middle);
}

static void run(struct lab *l, const struct core *c, struct outcome m, struct outcomes *out) {
  switch (c->kind) {
  case CORE_SKIP: add(out, &m); break;
  case CORE_ASSIGN: {
    int v = index_of(l, c->var);
    term_id value = value_of(l, &m, c->expr);
    m.value[v] = v < Z ? value : array_of(l, value);
    add(out, &m);
    break;
  }
  case CORE_SAMPLE: {
    long high = number(l, value_of(l, &m, c->args[1]));
    m.weight /= (double)(high + 1);
    for (long n = 0; n <= high; n++) {
      m.value[index_of(l, c->var)] = num(l, n);
      add(out, &m);
    }
    break;
  }
  case CORE_SEQ: run_sequence(l, c->first, c->second, m, out); break;
  case CORE_IF: run(l, is_true(l, &m, c->expr) ? c->first : c->second, m, out); break;
  case CORE_WHILE:
    if (is_true(l, &m, c->expr))
      run_sequence(l, c->first, c, m, out);
    else
      add(out, &m);
    break;
  default: fail();
  }
}

/* The joint distribution of the shown variables. */
static struct outcomes *distribution(struct lab *l, const struct core *c, const bool *shown) {
  struct outcomes *all = xcalloc(1, sizeof *all), *out = xcalloc(1, sizeof *out);
  struct outcome start = {.weight = 1};
  for (int v = 0; v < Z; v++)
    start.value[v] = num(l, v == W);
  start.value[Z] = start.value[V] = l->base;
  for (int cell = 0; cell < CELLS; cell++)
    for (int v = Z; v <= V; v++)
      start.value[v] =
          term_store(&l->terms, start.value[v], num(l, FIRST + cell), num(l, 10 * cell + v));
  run(l, c, start, all);
  for (size_t i = 0; i < all->count; i++) {
    for (int v = 0; v < VARS; v++)
      if (!shown[v]) all->at[i].value[v] = num(l, 0);
    add(out, &all->at[i]);
  }
  free(all);
  return out;
}

static bool same_distribution(struct lab *l, const struct core *a, const struct core *b,
                              const bool *shown) {
  struct outcomes *one = distribution(l, a, shown), *two = distribution(l, b, shown);
  bool same = one->count == two->count;
  for (size_t i = 0; i < two->count; i++)
    two->at[i].weight *= -1;
  for (size_t i = 0; i < two->count && same; i++)
    add(one, &two->at[i]);
  for (size_t i = 0; i < one->count; i++)
    same &= one->at[i].weight < 1e-9 && one->at[i].weight > -1e-9;
  free(one);
  free(two);
  return same;
}

/* ---- pairs of loops --------------------------------------------------------------------------- */

enum fault {
  NO_FAULT,
  READS_CHANGED,  /* the first loop reads what the second one writes */
  READS_BETWEEN,  /* ... or what is written in between */
  CHAINED,        /* an iteration reads what the one before stored */
  ONE_CELL,       /* all store into the same cell */
  CARRIED,        /* a variable goes from one iteration to the next */
  USED_BETWEEN,   /* the array is read in between */
  LEFT_BETWEEN,   /* the last sample is read in between, */
  LEFT_LATER,     /* in the second loop, */
  LEFT_AFTER,     /* or after it */
  OTHER_START,    /* the second loop starts elsewhere, */
  OTHER_END,      /* ends elsewhere, */
  MOVES_ON,       /* or comes back to an index */
  NEIGHBOUR,      /* it reads another element, */
  NEIGHBOUR_SET,  /* or writes one */
  IN_GUARD,       /* its guard reads the array */
  READ_AFTER_ALL, /* the array is read after a loop that may stop early */
  INNER_CARRIED,  /* a loop in the first one goes on where it stopped in the iteration before, */
  INNER_GUARD,    /* runs as often as a variable says that the second loop writes, */
  INNER_SKIPPED,  /* sets a variable, or does not run at all, */
  INNER_CELL,     /* or stores into another element */
  FAULTS
};

struct pair {
  const struct core *step, *between, *body, *after;
  int index; /* of the second loop */
  term_id start, guard;
};

static bool coin(struct lab *l) {
  return rng_below(&l->rng, 2) == 0;
}

/* A loop of the step, from what x is. */
static const struct core *random_inner(struct lab *l, enum fault f) {
  struct terms *ts = &l->terms;
  term_id c = l->var[C], x = l->var[X], i = l->var[I];
  const struct core *body =
      set(l, X, plus(l, term_mul(ts, num(l, 2), x), coin(l) ? c : at(l, Z, i)));
  if (coin(l)) body = then(l, body, put(l, Z, i, plus(l, at(l, Z, i), c)));
  if (coin(l))
    body = core_if(l->arena, span_none(), term_eq(ts, c, num(l, 1)), draw(l, X, num(l, 1)), body);
  if (f == INNER_SKIPPED) body = set(l, X, num(l, 5));
  if (f == INNER_CELL) body = then(l, body, put(l, Z, c, x));
  term_id high = f == INNER_SKIPPED   ? plus(l, l->var[W], num(l, -1))
                 : f == INNER_GUARD   ? l->var[Y]
                 : f == INNER_CARRIED ? num(l, 3)
                 : coin(l)            ? num(l, 2)
                                      : plus(l, i, l->var[W]);
  const struct core *loop = count_up(l, C, body, term_lt(ts, c, high));
  if (f == INNER_CARRIED && coin(l)) /* its guard alone reads what the iteration before left */
    loop = core_while(l->arena, span_none(), term_lt(ts, c, high),
                      then(l, set(l, X, num(l, 5)), set(l, C, high)));
  return f == INNER_CARRIED ? loop : then(l, set(l, C, num(l, 0)), loop);
}

static const struct core *random_step(struct lab *l, enum fault f) {
  term_id i = l->var[I], x = l->var[X];
  const struct core *sample = draw(l, X, coin(l) ? num(l, 1) : l->var[W]);
  if (coin(l))
    sample = core_if(l->arena, span_none(), term_eq(&l->terms, i, num(l, 1)), sample,
                     set(l, X, plus(l, i, num(l, 5))));
  if (f == CARRIED) sample = then(l, draw(l, T, num(l, 1)), set(l, X, plus(l, x, l->var[T])));
  if (f == INNER_SKIPPED)
    sample = random_inner(l, f);
  else if (f >= INNER_CARRIED || coin(l))
    sample = then(l, sample, random_inner(l, f));
  term_id value = f == READS_CHANGED ? plus(l, x, l->var[Y])
                  : f == CHAINED     ? plus(l, x, at(l, Z, plus(l, i, num(l, -1))))
                  : coin(l)          ? plus(l, x, i)
                                     : plus(l, x, at(l, Z, i));
  if (f == READS_BETWEEN) value = plus(l, value, l->var[W]);
  const struct core *store = put(l, Z, f == ONE_CELL ? num(l, 0) : i, value);
  const struct core *more = coin(l) ? put(l, V, i, plus(l, at(l, Z, i), x)) : core_skip();
  return then(l, sample, then(l, store, more));
}

static const struct core *random_between(struct lab *l, enum fault f) {
  const struct core *c = coin(l) ? set(l, T, num(l, 1)) : draw(l, T, num(l, 1));
  if (f == READS_BETWEEN) c = then(l, c, set(l, W, num(l, 2)));
  if (f == USED_BETWEEN) c = then(l, c, set(l, Y, at(l, Z, num(l, 1))));
  if (f == LEFT_BETWEEN) c = then(l, c, set(l, Y, plus(l, l->var[X], l->var[I])));
  return c;
}

static const struct core *random_body(struct lab *l, enum fault f, int index) {
  struct terms *ts = &l->terms;
  term_id j = l->var[index], y = l->var[Y], here = at(l, Z, j);
  const struct core *c = set(l, Y, plus(l, term_mul(ts, num(l, 2), y), here));
  if (coin(l))
    c = then(l, c,
             core_if(l->arena, span_none(), term_eq(ts, here, l->var[T]), set(l, Y, num(l, 0)),
                     core_skip()));
  if (coin(l)) c = then(l, c, put(l, Z, j, plus(l, here, num(l, 1))));
  if (coin(l)) c = then(l, set(l, X, here), then(l, c, set(l, Y, plus(l, y, l->var[X]))));
  if (coin(l)) c = then(l, set(l, T, plus(l, y, num(l, 1))), c);
  if (coin(l)) c = then(l, set(l, X, y), then(l, c, set(l, Y, plus(l, y, l->var[X]))));
  if (f == LEFT_LATER) c = then(l, set(l, Y, plus(l, y, l->var[X])), c);
  if (f == INNER_CARRIED) c = then(l, c, set(l, C, num(l, 0)));
  if (f == NEIGHBOUR) c = then(l, c, set(l, Y, plus(l, y, at(l, Z, plus(l, j, num(l, 1))))));
  if (f == NEIGHBOUR_SET) c = then(l, c, put(l, Z, plus(l, j, num(l, 1)), num(l, 7)));
  if (f == MOVES_ON)
    c = then(l, c,
             core_if(l->arena, span_none(), term_eq(ts, l->var[T], num(l, 1)),
                     set(l, index, plus(l, j, num(l, -1))), core_skip()));
  return c;
}

static struct pair random_pair(struct lab *l, enum fault f) {
  struct terms *ts = &l->terms;
  struct pair p = {.index = coin(l) ? I : J};
  bool stops = coin(l) || f == READ_AFTER_ALL;
  p.step = random_step(l, f);
  p.between = random_between(l, f);
  p.body = random_body(l, f, p.index);
  p.start = num(l, f == OTHER_START ? -1 : 0);
  p.guard = term_lt(ts, l->var[p.index], num(l, LENGTH + (f == OTHER_END)));
  if (stops) p.guard = term_and(ts, p.guard, term_lt(ts, l->var[Y], num(l, 3)));
  if (f == MOVES_ON) p.guard = term_and(ts, p.guard, term_lt(ts, l->var[Y], num(l, 9)));
  if (f == IN_GUARD)
    p.guard = term_and(ts, p.guard, term_lt(ts, at(l, Z, l->var[p.index]), num(l, 1)));
  p.after = f == LEFT_AFTER || f == READ_AFTER_ALL || (!stops && coin(l))
                ? set(l, Y, plus(l, l->var[Y], f == LEFT_AFTER ? l->var[X] : at(l, Z, num(l, 1))))
                : core_skip();
  return p;
}

static const struct core *separate(struct lab *l, const struct pair *p) {
  const struct core *ahead = count_up(l, I, p->step, term_lt(&l->terms, l->var[I], num(l, LENGTH)));
  const struct core *later = count_up(l, p->index, p->body, p->guard);
  const struct core *rest =
      then(l, p->between, then(l, set(l, p->index, p->start), then(l, later, p->after)));
  return then(l, set(l, I, num(l, 0)), then(l, ahead, rest));
}

static const struct core *at_index(struct lab *l, const struct core *c, term_id j) {
  if (c->kind == CORE_SKIP) return c;
  struct core *copy = arena_memdup(l->arena, c, sizeof *c);
  if (c->expr != TERM_NONE) copy->expr = term_subst(&l->terms, c->expr, &l->var[I], &j, 1);
  if (c->first) copy->first = at_index(l, c->first, j);
  if (c->second) copy->second = at_index(l, c->second, j);
  return copy;
}

/* What the rule would make of it if nobody looked. */
static const struct core *blindly(struct lab *l, const struct pair *p) {
  const struct core *body = then(l, at_index(l, p->step, l->var[p->index]), p->body);
  const struct core *loop = count_up(l, p->index, body, p->guard);
  return then(l, p->between, then(l, set(l, p->index, p->start), then(l, loop, p->after)));
}

static proof_of about(struct lab *l, const struct core *c, term_id shown) {
  term_id yes = term_bool(&l->terms, true), post = yes;
  if (shown != TERM_NONE)
    post = term_eq(&l->terms, term_var_in_run(&l->terms, shown, 1),
                   term_var_in_run(&l->terms, shown, 2));
  return rule_admit(l->k, span_none(), c, core_skip(), yes, post);
}

/* Does aHL-FUSE take what is known of the fused loops? `shown` may be in the postcondition. */
static bool is_taken(struct lab *l, const struct core *both, const struct core *one, unsigned run,
                     term_id shown) {
  struct terms *ts = &l->terms;
  term_id yes = term_bool(ts, true), post = yes, half = term_rat(ts, 1, 2);
  if (shown != TERM_NONE) post = term_eq(ts, term_var_in_run(ts, shown, run), l->k->zero);
  if (shown == l->var[Z] || shown == l->var[V])
    post = term_eq(ts, term_select(ts, term_var_in_run(ts, shown, run), num(l, 0)), num(l, 0));
  bound_of a = ahl_new(l->k, "test", span_none(), run, one, yes, post, half);
  assert_non_null(a);
  bound_of b = ahl_fuse(l->k, both, a);
  if (b) assert_true(ahl_command(b) == both && ahl_post(b) == post && ahl_beta(b) == half);
  return b != NULL;
}

/* ---- tests ------------------------------------------------------------------------------------ */

static void fused_loops_do_the_same(void **state) {
  (void)state;
  unsigned hidden = 0, arrays = 0, early = 0;
  for (uint64_t seed = 1; seed <= 150; seed++) {
    struct lab l;
    lab_init(&l, seed);
    struct pair p = random_pair(&l, NO_FAULT);
    const struct core *both = separate(&l, &p);
    const char *why;
    const struct core *one = equiv_fused(l.k, both, &why);
    if (!one) fail_msg("seed %lu: %s", (unsigned long)seed, why);
    early += !core_equal(one, blindly(&l, &p));
    bool shown[VARS];
    for (int v = 0; v < VARS; v++) {
      shown[v] = rule_equiv_fuse(l.k, 1, both, about(&l, one, l.var[v])) != NULL;
      assert_true(is_taken(&l, both, one, 1, l.var[v]) == shown[v]);
      assert_true(is_taken(&l, both, one, 2, l.var[v]) == shown[v]);
      assert_false(is_taken(&l, both, both, 1, l.var[v]));
      hidden += !shown[v];
      arrays += v >= Z && shown[v];
    }
    assert_true(shown[Y]);
    if (!same_distribution(&l, both, one, shown)) fail_msg("seed %lu", (unsigned long)seed);
    lab_clear(&l);
  }
  assert_true(hidden > 0 && arrays > 0); /* both kinds occurred, */
  assert_true(early > 0);                /* and something before the sampling */
}

static void faults_are_refused(void **state) {
  (void)state;
  bool shown[VARS] = {[Y] = true};
  for (int f = NO_FAULT + 1; f < FAULTS; f++) {
    unsigned seen = 0;
    for (uint64_t seed = 1; seed <= 25; seed++) {
      struct lab l;
      lab_init(&l, 1000 * (uint64_t)f + seed);
      struct pair p = random_pair(&l, (enum fault)f);
      const struct core *both = separate(&l, &p), *one = blindly(&l, &p);
      const char *why = NULL;
      if (equiv_fused(l.k, both, &why)) fail_msg("fault %d, seed %lu", f, (unsigned long)seed);
      assert_non_null(why);
      assert_null(rule_equiv_fuse(l.k, 1, both, about(&l, one, TERM_NONE)));
      assert_false(is_taken(&l, both, one, 1, TERM_NONE));
      assert_false(is_taken(&l, both, both, 1, TERM_NONE));
      if (f != MOVES_ON) seen += !same_distribution(&l, both, one, shown);
      lab_clear(&l);
    }
    if (!seen && f != MOVES_ON) fail_msg("fault %d is of no consequence", f);
  }
}

/* The first loop has to end: what is drawn for nothing must be possible to draw. */
static void parameters_make_sense(void **state) {
  (void)state;
  for (int fixed = 0; fixed < 2; fixed++) {
    struct lab l;
    lab_init(&l, 7);
    struct pair p = random_pair(&l, NO_FAULT);
    p.step = then(&l, draw(&l, X, fixed ? num(&l, 1) : l.var[W]), put(&l, Z, l.var[I], l.var[X]));
    const struct core *both = separate(&l, &p);
    const char *why;
    proof_of j =
        rule_equiv_fuse(l.k, 2, both,
                        rule_admit(l.k, span_none(), core_skip(), equiv_fused(l.k, both, &why),
                                   term_bool(&l.terms, true), term_bool(&l.terms, true)));
    assert_non_null(j);
    assert_true(judgement_admitted(j));
    assert_int_equal(kernel_entails(l.k, "TEST", span_none(), term_bool(&l.terms, true),
                                    judgement_pre(j), "the loop ends"),
                     fixed);
    lab_clear(&l);
  }
}

static void premises_are_compared(void **state) {
  (void)state;
  struct lab l, other;
  lab_init(&l, 3);
  lab_init(&other, 3);
  struct pair p = random_pair(&l, NO_FAULT);
  const char *why;
  const struct core *both = separate(&l, &p), *one = equiv_fused(l.k, both, &why);
  assert_non_null(rule_equiv_fuse(l.k, 1, both, about(&l, one, TERM_NONE)));
  assert_null(rule_equiv_fuse(l.k, 2, both, about(&l, one, TERM_NONE)));
  assert_null(rule_equiv_fuse(l.k, 3, both, about(&l, one, TERM_NONE)));
  assert_null(rule_equiv_fuse(l.k, 1, both, about(&l, both, TERM_NONE)));
  assert_null(rule_equiv_fuse(l.k, 1, one, about(&l, one, TERM_NONE)));
  assert_null(rule_equiv_fuse(l.k, 1, both, NULL));
  assert_null(rule_equiv_fuse(other.k, 1, both, about(&l, one, TERM_NONE)));
  lab_clear(&l);
  lab_clear(&other);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(fused_loops_do_the_same), cmocka_unit_test(faults_are_refused),
      cmocka_unit_test(parameters_make_sense), cmocka_unit_test(premises_are_compared)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
