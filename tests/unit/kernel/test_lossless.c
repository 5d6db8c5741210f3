/* Loops that end by chance, against what is true: over a memory of two bits a loop is a Markov chain,
 * and it ends with probability 1 if and only if it can be left from wherever it comes to. What the
 * kernel accepts must end; coins that never fall so are among the programs, so the test can fail. */
#include "kernel/lossless.h"

#include <string.h>

#include "smt/smt.h"
#include "term/build.h"
#include "testlib.h"

enum { STATES = 4 };

struct lab {
  struct terms terms;
  struct smt smt;
  struct kernel *k;
  struct arena *arena;
  struct rng rng;
  term_id bits[2];
};

static void lab_init(struct lab *l, uint64_t seed) {
  terms_init(&l->terms);
  struct smt_options options = smt_default_options();
  smt_init(&l->smt, &l->terms, &options);
  l->k = kernel_new(&l->terms, &l->smt.decider);
  l->arena = kernel_arena(l->k);
  l->rng = rng_seeded(seed);
  l->bits[0] = kernel_var(l->k, "a", SORT_BOOL, false);
  l->bits[1] = kernel_var(l->k, "b", SORT_BOOL, false);
}

static void lab_clear(struct lab *l) {
  kernel_free(l->k);
  smt_clear(&l->smt);
  terms_clear(&l->terms);
}

/* A condition as the set of states, of bits b1 b0, in which it holds. */
static term_id holds_in(struct lab *l, unsigned set) {
  struct terms *ts = &l->terms;
  term_id all = term_bool(ts, false);
  for (unsigned s = 0; s < STATES; s++) {
    term_id a = s & 1 ? l->bits[0] : term_not(ts, l->bits[0]);
    term_id b = s & 2 ? l->bits[1] : term_not(ts, l->bits[1]);
    if (set >> s & 1) all = term_or(ts, all, term_and(ts, a, b));
  }
  return all;
}

static unsigned with_bit(unsigned state, int bit, bool value) {
  return (state & ~(1u << bit)) | (value ? 1u << bit : 0);
}

/* A command, and from each state the set of those it may come to. */
struct piece {
  const struct core *code;
  unsigned to[STATES];
};

static struct piece toss(struct lab *l) {
  static const long tenths[] = {0, 5, 3, 10};
  int bit = rng_range(&l->rng, 0, 1);
  long p = tenths[rng_range(&l->rng, 0, 3)];
  term_id rate = term_rat(&l->terms, p, 10);
  struct piece out = {core_sample(l->arena, span_none(), l->bits[bit], DIST_BERNOULLI, &rate, 1),
                      {0}};
  for (unsigned s = 0; s < STATES; s++)
    out.to[s] =
        (p > 0 ? 1u << with_bit(s, bit, true) : 0) | (p < 10 ? 1u << with_bit(s, bit, false) : 0);
  return out;
}

static struct piece set(struct lab *l) {
  int bit = rng_range(&l->rng, 0, 1);
  unsigned when = (unsigned)rng_range(&l->rng, 0, 15);
  struct piece out = {core_assign(l->arena, span_none(), l->bits[bit], holds_in(l, when)), {0}};
  for (unsigned s = 0; s < STATES; s++)
    out.to[s] = 1u << with_bit(s, bit, when >> s & 1);
  return out;
}

static struct piece branch(struct lab *l) {
  unsigned when = (unsigned)rng_range(&l->rng, 0, 15);
  struct piece inner = rng_chance(&l->rng, 1, 2) ? toss(l) : set(l);
  struct piece out = {core_if(l->arena, span_none(), holds_in(l, when), inner.code, core_skip()),
                      {0}};
  for (unsigned s = 0; s < STATES; s++)
    out.to[s] = when >> s & 1 ? inner.to[s] : 1u << s;
  return out;
}

static struct piece body(struct lab *l) {
  struct piece out = {core_skip(), {1, 2, 4, 8}};
  for (int i = rng_range(&l->rng, 1, 3); i > 0; i--) {
    int kind = rng_range(&l->rng, 0, 3);
    struct piece next = kind == 0 ? set(l) : kind == 1 ? branch(l) : toss(l);
    unsigned to[STATES] = {0};
    for (unsigned s = 0; s < STATES; s++)
      for (unsigned t = 0; t < STATES; t++)
        if (out.to[s] >> t & 1) to[s] |= next.to[t];
    out.code = out.code->kind == CORE_SKIP ? next.code : core_seq(l->arena, out.code, next.code);
    memcpy(out.to, to, sizeof to);
  }
  return out;
}

/* Can the loop be left from every state? Where it can from all of them, it is with probability 1. */
static bool ends(const struct piece *p, unsigned guard) {
  unsigned leaving = ~guard & 15;
  for (int round = 0; round < STATES; round++)
    for (unsigned s = 0; s < STATES; s++)
      if (p->to[s] & leaving) leaving |= 1u << s;
  return leaving == 15;
}

static void coins_end_loops(void **state) {
  (void)state;
  size_t accepted = 0, refused = 0, missed = 0;
  for (size_t round = 0; round < test_rounds(300); round++) {
    struct lab l;
    lab_init(&l, round);
    struct piece p = body(&l);
    unsigned guard = (unsigned)rng_range(&l.rng, 1, 15);
    const struct core *loop = core_while(l.arena, span_none(), holds_in(&l, guard), p.code);
    bool really = ends(&p, guard), said = lossless_check(l.k, loop, 1, NULL);
    if (said && !really) fail_msg("round %zu: a loop that may not end is accepted", round);
    accepted += said;
    refused += !really;
    missed += really && !said; /* two coins are needed, say */
    lab_clear(&l);
  }
  assert_often(accepted > 30);
  assert_often(refused > 30);
  assert_often(missed < 100);
}

/* ---- dice: the same for two numbers from 0 to 3 ------------------------------------------------ */

enum { FACES = 4, PLACES = FACES * FACES };

struct dice_piece {
  const struct core *code;
  unsigned to[PLACES]; /* sets of x + FACES*y */
};

static unsigned with_face(unsigned state, int which, unsigned value) {
  return which ? state % FACES + FACES * value : state - state % FACES + value;
}

/* x or y from low..high, or from a list that may leave out what is between. */
static struct dice_piece roll(struct lab *l, const term_id *vars) {
  int which = rng_range(&l->rng, 0, 1), low = rng_range(&l->rng, 0, 3);
  int high = rng_range(&l->rng, low, 3);
  bool listed = rng_chance(&l->rng, 1, 3);
  term_id ends[] = {term_int(&l->terms, low), term_int(&l->terms, high)};
  struct dice_piece out = {core_sample(l->arena, span_none(), vars[which],
                                       listed ? DIST_UNIFORM_SET : DIST_UNIFORM_INT, ends, 2),
                           {0}};
  for (unsigned s = 0; s < PLACES; s++)
    for (int v = low; v <= high; v++)
      if (!listed || v == low || v == high) out.to[s] |= 1u << with_face(s, which, (unsigned)v);
  return out;
}

/* if x = k { y := m; }, or the other way round */
static struct dice_piece react(struct lab *l, const term_id *vars) {
  int which = rng_range(&l->rng, 0, 1);
  unsigned when = (unsigned)rng_range(&l->rng, 0, 3), value = (unsigned)rng_range(&l->rng, 0, 3);
  term_id cond = term_eq(&l->terms, vars[1 - which], term_int(&l->terms, when));
  const struct core *set =
      core_assign(l->arena, span_none(), vars[which], term_int(&l->terms, value));
  struct dice_piece out = {core_if(l->arena, span_none(), cond, set, core_skip()), {0}};
  for (unsigned s = 0; s < PLACES; s++) {
    unsigned seen = which ? s % FACES : s / FACES;
    out.to[s] = 1u << (seen == when ? with_face(s, which, value) : s);
  }
  return out;
}

/* x < k, x != k or x != y; and the states in which it holds. */
static term_id dice_guard(struct lab *l, const term_id *vars, unsigned *set) {
  struct terms *ts = &l->terms;
  int kind = rng_range(&l->rng, 0, 2);
  unsigned k = (unsigned)rng_range(&l->rng, 0, 3);
  *set = 0;
  for (unsigned s = 0; s < PLACES; s++) {
    unsigned x = s % FACES, y = s / FACES;
    if (kind == 0 ? x < k : kind == 1 ? x != k : x != y) *set |= 1u << s;
  }
  return kind == 0   ? term_lt(ts, vars[0], term_int(ts, k))
         : kind == 1 ? term_ne(ts, vars[0], term_int(ts, k))
                     : term_ne(ts, vars[0], vars[1]);
}

static bool dice_end(const struct dice_piece *p, unsigned guard) {
  unsigned all = (1u << PLACES) - 1, leaving = ~guard & all;
  for (int round = 0; round < PLACES; round++)
    for (unsigned s = 0; s < PLACES; s++)
      if (p->to[s] & leaving) leaving |= 1u << s;
  return leaving == all;
}

static struct dice_piece dice_body(struct lab *l, const term_id *vars) {
  struct dice_piece out = {core_skip(), {0}};
  for (unsigned s = 0; s < PLACES; s++)
    out.to[s] = 1u << s;
  for (int i = rng_range(&l->rng, 1, 3); i > 0; i--) {
    struct dice_piece next = rng_chance(&l->rng, 1, 2) ? roll(l, vars) : react(l, vars);
    unsigned to[PLACES] = {0};
    for (unsigned s = 0; s < PLACES; s++)
      for (unsigned t = 0; t < PLACES; t++)
        if (out.to[s] >> t & 1) to[s] |= next.to[t];
    out.code = out.code->kind == CORE_SKIP ? next.code : core_seq(l->arena, out.code, next.code);
    memcpy(out.to, to, sizeof to);
  }
  return out;
}

static void dice_end_loops(void **state) {
  (void)state;
  size_t accepted = 0, refused = 0;
  for (size_t round = 0; round < test_rounds(300); round++) {
    struct lab l;
    unsigned guard;
    lab_init(&l, round);
    term_id vars[] = {kernel_var(l.k, "x", SORT_INT, false), kernel_var(l.k, "y", SORT_INT, false)};
    struct dice_piece p = dice_body(&l, vars);
    term_id while_ = dice_guard(&l, vars, &guard);
    bool said = lossless_check(l.k, core_while(l.arena, span_none(), while_, p.code), 1, NULL);
    bool really = dice_end(&p, guard);
    if (said && !really) fail_msg("round %zu: a loop that may not end is accepted", round);
    accepted += said;
    refused += !really;
    lab_clear(&l);
  }
  assert_often(accepted > 30);
  assert_often(refused > 30);
}

/* while x < t (or x > t) { x <$ D; }: does it end? Where only one point would end it, it does not. */
static void noise_ends_loops(void **state) {
  (void)state;
  static const struct {
    enum dist_kind dist;
    long first, second; /* tenths */
    bool below;         /* the loop runs while x < t */
    long t;             /* tenths */
    bool ends;
  } rows[] = {
      {DIST_UNIFORM, 0, 10, false, 7, true},      {DIST_UNIFORM, 0, 10, false, 0, false},
      {DIST_UNIFORM, 0, 5, true, 5, false},       {DIST_UNIFORM, 0, 5, true, 4, true},
      {DIST_UNIFORM, 0, 5, true, 6, false},       {DIST_UNIFORM, 0, 5, false, -3, false},
      {DIST_EXPONENTIAL, 0, 10, false, 0, false}, {DIST_EXPONENTIAL, 0, 10, false, 1, true},
      {DIST_EXPONENTIAL, 0, 10, true, 500, true}, {DIST_LAPLACE, 0, 10, false, -90, true},
      {DIST_LAPLACE, 0, 10, true, 90, true},      {DIST_GAUSS, 0, 10, true, 90, true},
      {DIST_GUMBEL, 0, 10, false, -90, true},     {DIST_LAPLACE, 0, 0, false, 0, false},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    struct lab l;
    lab_init(&l, 1);
    struct terms *ts = &l.terms;
    term_id x = kernel_var(l.k, "x", SORT_REAL, false), t = term_rat(ts, rows[i].t, 10);
    term_id args[] = {term_rat(ts, rows[i].first, 10), term_rat(ts, rows[i].second, 10)};
    term_id guard = rows[i].below ? term_lt(ts, x, t) : term_lt(ts, t, x);
    const struct core *draw = core_sample(l.arena, span_none(), x, rows[i].dist, args, 2);
    const struct core *loop = core_while(l.arena, span_none(), guard, draw);
    if (lossless_check(l.k, loop, 1, NULL) != rows[i].ends) fail_msg("row %zu", i);
    /* if only some iterations draw, or the threshold runs away, it may go on for ever */
    term_id z = kernel_var(l.k, "z", SORT_REAL, false), one = term_int(ts, 1);
    const struct core *rarely =
        core_if(l.arena, span_none(), term_lt(ts, z, one), draw, core_skip());
    assert_false(lossless_check(l.k, core_while(l.arena, span_none(), guard, rarely), 1, NULL));
    term_id runs = rows[i].below ? term_lt(ts, x, z) : term_lt(ts, z, x);
    term_id away = rows[i].below ? term_add(ts, z, one) : term_sub(ts, z, one);
    const struct core *both = core_seq(l.arena, draw, core_assign(l.arena, span_none(), z, away));
    assert_false(lossless_check(l.k, core_while(l.arena, span_none(), runs, both), 1, NULL));
    lab_clear(&l);
  }
}

/* while y < x { x <$ D; y <$ D'; }: does it end? Where the supports only touch, it does not; nor if one
 * of them is drawn before the loop alone, or runs away. */
static void two_noises_end_loops(void **state) {
  (void)state;
  static const struct {
    enum dist_kind dist[2];
    long first[2], second[2]; /* tenths */
    bool ends;
  } rows[] = {
      {{DIST_LAPLACE, DIST_LAPLACE}, {0, -90}, {1, 1}, true},
      {{DIST_LAPLACE, DIST_UNIFORM}, {90, 0}, {1, 1}, true},
      {{DIST_UNIFORM, DIST_EXPONENTIAL}, {900, 0}, {910, 1}, true},
      {{DIST_EXPONENTIAL, DIST_UNIFORM}, {10, 0}, {10, 10}, false},
      {{DIST_EXPONENTIAL, DIST_UNIFORM}, {10, 0}, {10, 9}, false},
      {{DIST_UNIFORM, DIST_UNIFORM}, {20, 0}, {30, 20}, false},
      {{DIST_GAUSS, DIST_GUMBEL}, {50, 0}, {10, 10}, true},
      {{DIST_LAPLACE, DIST_LAPLACE}, {0, 0}, {0, 10}, false},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    struct lab l;
    lab_init(&l, 1);
    struct terms *ts = &l.terms;
    term_id x = kernel_var(l.k, "x", SORT_REAL, false), y = kernel_var(l.k, "y", SORT_REAL, false);
    const struct core *draw[2];
    for (size_t d = 0; d < 2; d++) {
      term_id args[] = {term_rat(ts, rows[i].first[d], 10), term_rat(ts, rows[i].second[d], 10)};
      draw[d] = core_sample(l.arena, span_none(), d ? y : x, rows[i].dist[d], args, 2);
    }
    const struct core *both = core_seq(l.arena, draw[0], draw[1]);
    const struct core *loop = core_while(l.arena, span_none(), term_lt(ts, y, x), both);
    if (lossless_check(l.k, loop, 1, NULL) != rows[i].ends) fail_msg("row %zu", i);
    const struct core *rises =
        core_assign(l.arena, span_none(), x, term_add(ts, x, term_rat(ts, 1, 1)));
    const struct core *away = core_seq(l.arena, rises, core_seq(l.arena, draw[1], draw[1]));
    assert_false(
        lossless_check(l.k, core_while(l.arena, span_none(), term_lt(ts, y, x), away), 1, NULL));
    lab_clear(&l);
  }
}

/* Only its least value, which has probability 0, would end the loop; it is the end of an interval, all
 * of which would, but for the support. */
static void edges_end_nothing(void **state) {
  (void)state;
  struct lab l;
  lab_init(&l, 1);
  struct terms *ts = &l.terms;
  term_id x = kernel_var(l.k, "x", SORT_REAL, false), z = kernel_var(l.k, "z", SORT_REAL, false);
  term_id one = term_rat(ts, 1, 1), two = term_rat(ts, 2, 1), args[] = {one, one};
  const struct core *body =
      core_seq(l.arena, core_sample(l.arena, span_none(), x, DIST_EXPONENTIAL, args, 2),
               core_sample(l.arena, span_none(), z, DIST_EXPONENTIAL, args, 2));
  term_id above = term_or(ts, term_lt(ts, one, x), term_eq(ts, x, two));
  assert_false(lossless_check(l.k, core_while(l.arena, span_none(), above, body), 1, NULL));
  above = term_le(ts, term_rat(ts, 3, 1), x);
  assert_true(lossless_check(l.k, core_while(l.arena, span_none(), above, body), 1, NULL));
  lab_clear(&l);
}

/* p := p/2 in each iteration: the loop goes on for ever with positive probability. */
static void rates_that_fade(void **state) {
  (void)state;
  struct lab l;
  lab_init(&l, 1);
  struct terms *ts = &l.terms;
  term_id p = kernel_var(l.k, "p", SORT_REAL, false), half = term_rat(ts, 1, 2);
  const struct core *coin = core_sample(l.arena, span_none(), l.bits[0], DIST_BERNOULLI, &p, 1);
  const struct core *start = core_assign(l.arena, span_none(), p, half);
  const struct core *fade = core_assign(l.arena, span_none(), p, term_mul(ts, half, p));
  term_id guard = term_not(ts, l.bits[0]);
  const struct core *fair = core_while(l.arena, span_none(), guard, coin);
  const struct core *fading =
      core_while(l.arena, span_none(), guard, core_seq(l.arena, coin, fade));
  assert_true(lossless_check(l.k, core_seq(l.arena, start, fair), 1, NULL));
  assert_false(lossless_check(l.k, core_seq(l.arena, start, fading), 1, NULL));
  assert_false(lossless_check(l.k, fair, 1, NULL)); /* p may be anything */
  /* not even if it is known to stay positive, which is all that a fixed rate needs */
  const struct core *loops[] = {fading, fair};
  term_id known = term_and(ts, term_lt(ts, term_int(ts, 0), p), term_le(ts, p, term_int(ts, 1)));
  const term_id none[] = {TERM_NONE, TERM_NONE}, both[] = {known, known};
  struct loop_variants positive = {
      .loops = loops, .variants = none, .invariants = both, .count = 2};
  assert_true(lossless_check(l.k, core_seq(l.arena, start, fair), 1, &positive));
  assert_false(lossless_check(l.k, core_seq(l.arena, start, fading), 1, &positive));
  lab_clear(&l);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(coins_end_loops),   cmocka_unit_test(dice_end_loops),
      cmocka_unit_test(noise_ends_loops),  cmocka_unit_test(two_noises_end_loops),
      cmocka_unit_test(edges_end_nothing), cmocka_unit_test(rates_that_fade)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
