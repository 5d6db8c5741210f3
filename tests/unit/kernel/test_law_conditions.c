/* EXPONENTIAL with a value that is drawn before the loop, and SUBSAMPLE: a program that the rule
 * takes, and what must be refused when one thing of it is changed, in the code or in what is given. */
#include "kernel/notion.h"
#include "kernel/rules.h"
#include "smt/smt.h"
#include "term/build.h"
#include "testlib.h"

enum { ITEMS = 3 };

static struct terms ts;
static struct smt smt;
static struct kernel *k;
static term_id i, x, y, h, best, v, z, coin, total, item[ITEMS], scale, label, share, extra;

static void open_context(enum notion notion) {
  terms_init(&ts);
  smt_init(&smt, &ts, NULL);
  k = kernel_new(&ts, &smt.decider);
  i = kernel_var(k, "i", SORT_INT, false);
  x = kernel_var(k, "x", SORT_INT, false);
  y = kernel_var(k, "y", SORT_INT, false);
  h = kernel_var(k, "h", SORT_INT, false);
  best = kernel_var(k, "best", SORT_REAL, false);
  v = kernel_var(k, "v", SORT_REAL, false);
  z = kernel_var(k, "z", SORT_REAL, false);
  coin = kernel_var(k, "coin", SORT_BOOL, false);
  total = kernel_var(k, "total", SORT_REAL, false);
  item[0] = kernel_var(k, "e0", SORT_REAL, true);
  item[1] = kernel_var(k, "e1", SORT_REAL, true);
  item[2] = kernel_var(k, "e2", SORT_REAL, true);
  scale = kernel_var(k, "s", SORT_REAL, true);
  label = kernel_var(k, "a", SORT_INT, true);
  share = kernel_var(k, "q", SORT_REAL, true);
  extra = kernel_var(k, "c", SORT_REAL, true);
  term_id order = notion == NOTION_RENYI ? term_int(&ts, 3) : TERM_NONE;
  assert_true(kernel_set_notion(k, (struct notion_of){notion, order, false}));
}

static int setup(void **state) {
  (void)state;
  open_context(NOTION_PURE);
  return 0;
}

static int setup_renyi(void **state) {
  (void)state;
  open_context(NOTION_RENYI);
  return 0;
}

static int teardown(void **state) {
  (void)state;
  kernel_free(k);
  smt_clear(&smt);
  terms_clear(&ts);
  return 0;
}

static term_id number(long n) {
  return term_int(&ts, n);
}

static const struct core *set(term_id var, term_id value) {
  return core_assign(kernel_arena(k), span_none(), var, value);
}

static const struct core *then(const struct core *a, const struct core *b) {
  return core_seq(kernel_arena(k), a, b);
}

static const struct core *when(term_id c, const struct core *yes) {
  return core_if(kernel_arena(k), span_none(), c, yes, core_skip());
}

static const struct core *sample(term_id var, enum dist_kind dist, term_id centre, term_id spread) {
  term_id args[] = {centre, spread};
  return core_sample(kernel_arena(k), span_none(), var, dist, args, 2);
}

static term_id item_at(term_id index) {
  term_id last = term_ite(&ts, term_eq(&ts, index, number(1)), item[1], item[2]);
  return term_ite(&ts, term_eq(&ts, index, number(0)), item[0], last);
}

/* What inputs, and the index before the code, are in the two runs. */
struct given {
  term_id input;
  long one, two;
};

static term_id is(term_id var, unsigned run, long value) {
  return term_eq(&ts, kernel_tag(k, var, run), number(value));
}

/* Does it follow from these inputs, one of which may be changed, and enough budget? */
static bool follows(proof_of j, term_id price, const struct given *all, size_t all_count,
                    struct given changed) {
  term_id pre = term_le(&ts, price, kernel_budget(k));
  for (size_t g = 0; g < all_count; g++) {
    struct given one = changed.input == all[g].input ? changed : all[g];
    pre = term_and(&ts, pre, term_and(&ts, is(one.input, 1, one.one), is(one.input, 2, one.two)));
  }
  return j && rule_conseq(k, span_none(), pre, judgement_post(j), term_rat(&ts, 0, 1), j);
}

/* ---- EXPONENTIAL ------------------------------------------------------------------------------ */

/* z <$ D(e0, s0); best := z; x := label; before; i := begin; while i < end {..} */
struct contest {
  enum dist_kind dist;
  term_id spread, label, begin, end, centre, taken;
  const struct core *before; /* or NULL */
};

static struct contest plain(void) {
  return (struct contest){.dist = DIST_GUMBEL,
                          .spread = scale,
                          .label = number(0),
                          .begin = number(1),
                          .end = number(ITEMS),
                          .centre = item_at(i),
                          .taken = term_lt(&ts, best, v)};
}

static const struct core *contest(const struct contest *c) {
  const struct core *body = when(c->taken, then(set(best, v), set(x, i)));
  body = then(sample(v, DIST_GUMBEL, c->centre, scale),
              then(body, set(i, term_add(&ts, i, number(1)))));
  const struct core *code = then(
      set(i, c->begin), core_while(kernel_arena(k), span_none(), term_lt(&ts, i, c->end), body));
  if (c->before) code = then(c->before, code);
  return then(sample(z, c->dist, item[0], c->spread),
              then(set(best, z), then(set(x, c->label), code)));
}

/* All items differ by at most 1. */
static bool takes_if(const struct contest *c, struct given changed) {
  const struct given all[] = {{item[0], 1, 0}, {item[1], 0, 0}, {item[2], 0, 0},
                              {scale, 2, 2},   {label, 0, 0},   {i, 0, 0}};
  struct exponential how = {number(0), number(1)};
  proof_of j = rule_exponential(k, span_none(), contest(c), &how);
  return follows(j, number(9), all, sizeof all / sizeof *all, changed);
}

static bool takes(const struct contest *c) {
  return takes_if(c, (struct given){TERM_NONE, 0, 0});
}

static term_id by_chance(long yes, long no) {
  return term_ite(&ts, term_lt(&ts, z, number(0)), number(yes), number(no));
}

static void opening(void **state) {
  (void)state;
  struct contest c = plain();
  assert_true(takes(&c));
  assert_true(takes_if(&c, (struct given){item[2], 1, 0}));
  for (size_t r = 0; r < ITEMS; r++) {
    assert_false(takes_if(&c, (struct given){item[r], 2, 0}));
    assert_false(takes_if(&c, (struct given){item[r], 0, 1}));
  }
  assert_false(takes_if(&c, (struct given){scale, 2, 3}));
  assert_false(takes_if(&c, (struct given){scale, -2, -2}));
  c.dist = DIST_EXPONENTIAL;
  assert_false(takes(&c));
  c = plain();
  c.spread = term_mul(&ts, scale, number(2));
  assert_false(takes(&c));
}

/* The result and the range before the loop are the same in both runs, and no sample decides them. */
static void opening_is_known(void **state) {
  (void)state;
  struct contest c = plain();
  c.label = label;
  assert_true(takes(&c));
  assert_false(takes_if(&c, (struct given){label, 0, 4}));
  c.label = by_chance(0, 4);
  assert_false(takes(&c));
  c = plain();
  c.begin = by_chance(1, 2);
  assert_false(takes(&c));
  c = plain();
  c.before = set(h, by_chance(ITEMS, 1));
  c.end = h;
  assert_false(takes(&c));
  c.before = set(h, number(ITEMS));
  assert_true(takes(&c));
  c = plain(); /* the loop reads the index of before, not its own */
  c.before = set(y, i);
  c.centre = item_at(y);
  assert_false(takes(&c));
}

/* Which value is taken, in the first iteration and in the last. */
static void opening_takes_the_largest(void **state) {
  (void)state;
  struct contest c = plain();
  term_id larger = c.taken;
  c.taken = term_or(&ts, term_eq(&ts, i, number(1)), larger);
  assert_false(takes(&c));
  c.taken = term_or(&ts, term_eq(&ts, i, number(2)), larger);
  assert_false(takes(&c));
  c.taken = term_or(&ts, term_eq(&ts, x, number(7)), larger);
  assert_true(takes(&c)); /* the result is never that */
  c.taken = term_or(&ts, term_eq(&ts, x, number(1)), larger);
  assert_false(takes(&c)); /* of an earlier iteration */
  c.taken = term_or(&ts, term_eq(&ts, x, number(0)), larger);
  assert_false(takes(&c)); /* of the opening */
}

/* The same where all values are drawn in the loop. */
static void no_opening(void **state) {
  (void)state;
  term_id taken = term_or(&ts, term_eq(&ts, i, number(0)), term_lt(&ts, best, v));
  const struct core *body = when(taken, then(set(best, v), set(x, i)));
  body = then(sample(v, DIST_GUMBEL, item_at(i), scale),
              then(body, set(i, term_add(&ts, i, number(1)))));
  const struct core *code =
      core_while(kernel_arena(k), span_none(), term_lt(&ts, i, number(ITEMS)), body);
  const struct given all[] = {
      {item[0], 1, 0}, {item[1], 0, 0}, {item[2], 0, 0}, {scale, 2, 2}, {i, 0, 0}};
  struct exponential how = {number(0), number(1)};
  proof_of j = rule_exponential(k, span_none(), code, &how);
  static const struct {
    long one, two;
    bool fits;
  } scales[] = {{2, 2, true}, {2, 3, false}, {-2, -2, false}};
  for (size_t n = 0; n < 3; n++)
    assert_true(follows(j, number(9), all, 5,
                        (struct given){scale, scales[n].one, scales[n].two}) == scales[n].fits);
  assert_false(follows(j, number(9), all, 5, (struct given){i, 0, 1}));
}

/* ---- SUBSAMPLE -------------------------------------------------------------------------------- */

/* while i < 3 {coin <$ Bernoulli(rate); if coin {total := total + item}; i := i + 1}; v <$ D(..) */
struct sampled {
  enum dist_kind dist;
  term_id rate, spread, location;
};

static struct sampled one_of_two(void) {
  return (struct sampled){DIST_LAPLACE, term_div(&ts, number(1), share), scale, total};
}

static const struct core *sampled_sum(const struct sampled *c) {
  const struct core *body = when(coin, set(total, term_add(&ts, total, item_at(i))));
  const struct core *toss =
      core_sample(kernel_arena(k), span_none(), coin, DIST_BERNOULLI, &c->rate, 1);
  body = then(toss, then(body, set(i, term_add(&ts, i, number(1)))));
  term_id guard = term_lt(&ts, i, number(ITEMS));
  return then(core_while(kernel_arena(k), span_none(), guard, body),
              sample(v, c->dist, c->location, c->spread));
}

/* The item in the middle is 1 in one run and missing in the other. */
static bool takes_sum_if(const struct sampled *c, struct given changed) {
  const struct given all[] = {{item[0], 1, 1}, {item[1], 1, 0}, {item[2], 1, 1}, {scale, 2, 2},
                              {share, 2, 2},   {extra, 1, 1},   {i, 0, 0},       {total, 0, 0}};
  struct subsample how = {number(1), number(1)};
  const struct core *code = sampled_sum(c);
  proof_of j = rule_subsample(k, span_none(), code, &how);
  return follows(j, subsample_price(k, code, &how), all, sizeof all / sizeof *all, changed);
}

static void sampled_alike(void **state) {
  (void)state;
  struct sampled c = one_of_two();
  assert_true(takes_sum_if(&c, (struct given){TERM_NONE, 0, 0}));
  assert_true(takes_sum_if(&c, (struct given){share, 3, 3}));
  assert_false(takes_sum_if(&c, (struct given){share, 2, 3}));
  assert_false(takes_sum_if(&c, (struct given){share, -2, -2}));
  assert_true(takes_sum_if(&c, (struct given){scale, 3, 3}));
  assert_false(takes_sum_if(&c, (struct given){scale, 2, 3}));
  assert_false(takes_sum_if(&c, (struct given){scale, 0, 0}));
  assert_false(takes_sum_if(&c, (struct given){i, 0, 1}));
  assert_false(takes_sum_if(&c, (struct given){total, 0, 1}));
  assert_false(takes_sum_if(&c, (struct given){item[0], 1, 0}));
  assert_false(takes_sum_if(&c, (struct given){item[1], 2, 0}));
  c.location = term_add(&ts, total, extra);
  assert_true(takes_sum_if(&c, (struct given){TERM_NONE, 0, 0}));
  assert_false(takes_sum_if(&c, (struct given){extra, 0, 1}));
}

/* The item is another one in the other run, not missing: it may be if each of them moves the noise
 * by the bound at most. */
static void exchanged(void **state) {
  (void)state;
  struct sampled c = one_of_two();
  const struct given by_more = {item[1], 1, -1}, by_less = {item[1], 2, 1};
  assert_false(takes_sum_if(&c, by_more));
  assert_false(takes_sum_if(&c, by_less));
  c.location = term_div(&ts, total, number(2));
  assert_true(takes_sum_if(&c, by_more));
  assert_true(takes_sum_if(&c, by_less));
}

/* With normal noise that would be another law. */
static void exchanged_with_normal_noise(void **state) {
  (void)state;
  struct sampled c = one_of_two();
  c.location = term_div(&ts, total, number(2));
  c.rate = term_rat(&ts, 1, 2); /* numbers: the price has powers of all of them */
  c.spread = number(2);
  const struct given missing = {item[1], 2, 0}, other = {item[1], 2, 1};
  c.dist = DIST_GAUSS;
  assert_true(takes_sum_if(&c, missing));
  assert_false(takes_sum_if(&c, other));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(opening, setup, teardown),
      cmocka_unit_test_setup_teardown(opening_is_known, setup, teardown),
      cmocka_unit_test_setup_teardown(opening_takes_the_largest, setup, teardown),
      cmocka_unit_test_setup_teardown(no_opening, setup, teardown),
      cmocka_unit_test_setup_teardown(sampled_alike, setup, teardown),
      cmocka_unit_test_setup_teardown(exchanged, setup, teardown),
      cmocka_unit_test_setup_teardown(exchanged_with_normal_noise, setup_renyi, teardown),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
