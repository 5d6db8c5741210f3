/* PODIUM: a program that the rule takes, and what must be refused when one thing of it is changed,
 * in the code or in what is given. */
#include "kernel/notion.h"
#include "kernel/rules.h"
#include "smt/smt.h"
#include "term/build.h"
#include "testlib.h"

enum { SCORES = 3, GIVEN = 8 };

static struct terms ts;
static struct smt smt;
static struct kernel *k;
static term_id i, x, h, m, w, v, z, score[SCORES], scale, count, label, flag;

/* The code; fields that are left out are those of `plain`. */
struct code {
  term_id scale0, centre1;    /* of the first value; of the second one */
  const struct core *before;  /* of the loop, when the first two values are drawn, or NULL */
  term_id begin, end, label0; /* of the loop; of the first value */
  term_id centre;             /* of the values in the loop */
  term_id bar;                /* which a value of the loop has to exceed */
  const struct core *more;    /* at the end of an iteration, or NULL */
  bool silent;                /* no value is drawn in the loop */
};

/* What inputs are in the two runs. */
struct given {
  term_id input;
  long one, two;
};

static term_id number(long n) {
  return term_int(&ts, n);
}

static const struct core *set(term_id var, term_id value) {
  return core_assign(kernel_arena(k), span_none(), var, value);
}

static const struct core *then(const struct core *a, const struct core *b) {
  return core_seq(kernel_arena(k), a, b);
}

static const struct core *when(term_id c, const struct core *yes, const struct core *no) {
  return core_if(kernel_arena(k), span_none(), c, yes, no);
}

static const struct core *sample(term_id var, term_id centre, term_id spread) {
  term_id args[] = {centre, spread};
  return core_sample(kernel_arena(k), span_none(), var, DIST_LAPLACE, args, 2);
}

static term_id score_at(term_id index) {
  term_id last = term_ite(&ts, term_eq(&ts, index, number(1)), score[1], score[2]);
  return term_ite(&ts, term_eq(&ts, index, number(0)), score[0], last);
}

static int setup(void **state) {
  (void)state;
  terms_init(&ts);
  smt_init(&smt, &ts, NULL);
  k = kernel_new(&ts, &smt.decider);
  i = kernel_var(k, "i", SORT_INT, false);
  x = kernel_var(k, "x", SORT_INT, false);
  h = kernel_var(k, "h", SORT_INT, false);
  m = kernel_var(k, "m", SORT_REAL, false);
  w = kernel_var(k, "w", SORT_REAL, false);
  v = kernel_var(k, "v", SORT_REAL, false);
  z = kernel_var(k, "z", SORT_REAL, false);
  score[0] = kernel_var(k, "s0", SORT_REAL, true);
  score[1] = kernel_var(k, "s1", SORT_REAL, true);
  score[2] = kernel_var(k, "s2", SORT_REAL, true);
  scale = kernel_var(k, "b", SORT_REAL, true);
  count = kernel_var(k, "n", SORT_INT, true);
  label = kernel_var(k, "a", SORT_INT, true);
  flag = kernel_var(k, "f", SORT_INT, true);
  return 0;
}

static int teardown(void **state) {
  (void)state;
  kernel_free(k);
  smt_clear(&smt);
  terms_clear(&ts);
  return 0;
}

static struct code plain(void) {
  return (struct code){.scale0 = scale,
                       .centre1 = score[1],
                       .begin = number(2),
                       .end = count,
                       .label0 = label,
                       .centre = score_at(i),
                       .bar = m};
}

static const struct core *iteration(const struct code *c) {
  const struct core *first = then(set(w, m), then(set(m, v), set(x, i)));
  const struct core *second = when(term_lt(&ts, w, v), set(w, v), core_skip());
  const struct core *body = when(term_lt(&ts, c->bar, v), first, second);
  if (!c->silent) body = then(sample(v, c->centre, scale), body);
  if (c->more) body = then(body, c->more);
  return then(body, set(i, term_add(&ts, i, number(1))));
}

/* The first two values, then a loop over the others. */
static const struct core *program(const struct code *c) {
  const struct core *loop =
      core_while(kernel_arena(k), span_none(), term_lt(&ts, i, c->end), iteration(c));
  const struct core *keep = set(i, c->begin);
  keep = then(set(x, term_ite(&ts, term_lt(&ts, m, v), number(1), c->label0)), keep);
  if (c->before) keep = then(c->before, keep);
  keep = then(keep, then(set(w, term_min(&ts, m, v)), set(m, term_max(&ts, m, v))));
  return then(sample(m, score[0], c->scale0), then(sample(v, c->centre1, scale), then(keep, loop)));
}

/* All values in the loop; the second one comes at this index. */
static const struct core *from_zero(long place, const struct core *more) {
  struct code c = plain();
  const struct core *first = then(set(w, m), then(set(m, v), set(x, i)));
  term_id is_first = term_eq(&ts, i, number(0)), is_second = term_eq(&ts, i, number(place));
  const struct core *second =
      when(term_or(&ts, is_second, term_lt(&ts, w, v)), set(w, v), core_skip());
  const struct core *body = when(term_or(&ts, is_first, term_lt(&ts, m, v)), first, second);
  body = then(sample(v, c.centre, scale), body);
  if (more) body = then(body, more);
  body = then(body, set(i, term_add(&ts, i, number(1))));
  return core_while(kernel_arena(k), span_none(), term_lt(&ts, i, count), body);
}

static struct podium asked(void) {
  return (struct podium){x, TERM_NONE, m, w, number(-1), number(1)};
}

static term_id is(term_id var, unsigned run, long value) {
  return term_eq(&ts, kernel_tag(k, var, run), number(value));
}

/* Is it private at cost 1 where the inputs are these, except for those that are changed? */
static bool takes_given(const struct core *c, const struct given *changed, size_t count_changed) {
  const struct given all[GIVEN] = {{score[0], 1, 0}, {score[1], 0, 1}, {score[2], 0, 0},
                                   {scale, 2, 2},    {count, 3, 3},    {label, 0, 0},
                                   {flag, 0, 0},     {i, 0, 0}};
  struct podium how = asked();
  proof_of j = rule_podium(k, span_none(), c, &how);
  term_id pre = term_le(&ts, number(1), kernel_budget(k));
  for (size_t g = 0; g < GIVEN; g++) {
    struct given one = all[g];
    for (size_t d = 0; d < count_changed; d++)
      if (changed[d].input == one.input) one = changed[d];
    pre = term_and(&ts, pre, term_and(&ts, is(one.input, 1, one.one), is(one.input, 2, one.two)));
  }
  return j && rule_conseq(k, span_none(), pre, judgement_post(j), term_rat(&ts, 0, 1), j);
}

static bool takes(const struct code *c) {
  return takes_given(program(c), NULL, 0);
}

static bool takes_if(term_id input, long one, long two) {
  struct code c = plain();
  return takes_given(program(&c), &(struct given){input, one, two}, 1);
}

/* ---- what the code may be --------------------------------------------------------------------- */

static void what_is_right(void **state) {
  (void)state;
  struct code c = plain();
  assert_true(takes(&c));
  assert_true(takes_given(from_zero(1, NULL), NULL, 0));
  c.before = set(z, term_add(&ts, v, number(1)));
  c.more = set(z, m);
  assert_true(takes(&c));
}

/* All noise is alike, around centres that no sample decides. */
static void noise(void **state) {
  (void)state;
  struct code c = plain();
  c.scale0 = term_mul(&ts, scale, number(2));
  assert_false(takes(&c));
  c = plain();
  c.centre1 = m; /* the first value */
  assert_false(takes(&c));
  c = plain();
  c.centre = m; /* the largest one so far */
  assert_false(takes(&c));
  c = plain();
  c.before = set(z, v); /* the second value, which the loop does not change */
  c.centre = z;
  assert_false(takes(&c));
  c = plain();
  c.silent = true;
  assert_false(takes(&c));
}

/* How many values there are depends on no sample. */
static void length(void **state) {
  (void)state;
  struct code c = plain();
  c.begin = term_ite(&ts, term_lt(&ts, m, number(0)), number(2), number(3));
  assert_false(takes(&c));
  c = plain();
  c.before = set(h, term_ite(&ts, term_lt(&ts, m, number(0)), count, number(4)));
  c.end = h;
  assert_false(takes(&c));
  c.before = set(h, count); /* as long as it is not changed any more */
  assert_true(takes(&c));
  c.more = when(term_lt(&ts, number(5), m), set(h, i), core_skip());
  assert_false(takes(&c));
}

/* Each index once: of two values, one is left out. */
static void steps(void **state) {
  (void)state;
  const struct core *skip = set(i, term_add(&ts, i, number(1)));
  struct given two = {count, 2, 2};
  assert_true(takes_given(from_zero(1, NULL), &two, 1));
  assert_false(takes_given(from_zero(2, skip), &two, 1));
  assert_false(takes_given(from_zero(1, NULL), &(struct given){count, 1, 1}, 1));
}

/* Inputs stay what they are, whatever the facts say of them. */
static void inputs_are_not_written(void **state) {
  (void)state;
  struct code c = plain();
  c.before = set(label, number(0));
  assert_false(takes(&c));
  c = plain();
  c.more = set(scale, number(3));
  assert_false(takes(&c));
}

/* ---- what is the same in both runs ------------------------------------------------------------ */

static void runs(void **state) {
  (void)state;
  assert_true(takes_if(count, 4, 4));
  assert_false(takes_if(count, 3, 2));
  assert_true(takes_if(label, 7, 7));
  assert_false(takes_if(label, 0, 5)); /* of the first value */
  assert_true(takes_if(scale, 3, 3));
  assert_false(takes_if(scale, 2, 3));
  assert_false(takes_if(scale, -2, -2));
  assert_false(takes_if(scale, 0, 0));
  struct code c = plain();
  c.begin = flag;
  assert_false(takes_given(program(&c), &(struct given){flag, 2, 1}, 1));
  assert_true(takes_given(program(&c), &(struct given){flag, 2, 2}, 1));
  c = plain(); /* where the input is not 0, a value has to be larger by that much */
  c.bar = term_add(&ts, m, flag);
  assert_true(takes(&c));
  assert_false(takes_given(program(&c), &(struct given){flag, 1, 0}, 1));
  assert_false(takes_given(program(&c), &(struct given){flag, 0, 1}, 1));
}

/* The centres of each value differ by no more than stated, either way. */
static void centres(void **state) {
  (void)state;
  for (size_t s = 0; s < SCORES; s++) {
    assert_true(takes_if(score[s], 1, 0) && takes_if(score[s], 0, 1));
    assert_false(takes_if(score[s], 2, 0));
    assert_false(takes_if(score[s], 0, 2));
  }
}

/* The winner of the second value is another one in run 2. */
static void second_label(void **state) {
  (void)state;
  struct code c = plain();
  term_id wins = term_lt(&ts, m, v);
  const struct core *loop =
      core_while(kernel_arena(k), span_none(), term_lt(&ts, i, count), iteration(&c));
  const struct core *keep = then(set(x, term_ite(&ts, wins, label, number(0))), set(i, number(2)));
  keep = then(keep, then(set(w, term_min(&ts, m, v)), set(m, term_max(&ts, m, v))));
  const struct core *code =
      then(sample(m, score[0], scale), then(sample(v, score[1], scale), then(keep, loop)));
  assert_true(takes_given(code, NULL, 0));
  assert_false(takes_given(code, &(struct given){label, 0, 5}, 1));
}

/* ---- what is asked ---------------------------------------------------------------------------- */

static void questions(void **state) {
  (void)state;
  struct code c = plain();
  const struct core *code = program(&c);
  struct podium how = asked();
  how.low = m; /* of which memory? */
  assert_null(rule_podium(k, span_none(), code, &how));
  how = asked();
  how.low = term_neg(&ts, kernel_budget(k));
  assert_null(rule_podium(k, span_none(), code, &how));
  how = asked();
  how.second = kernel_tag(k, w, 2);
  assert_null(rule_podium(k, span_none(), code, &how));
  assert_true(kernel_set_notion(k, (struct notion_of){NOTION_ZCDP, TERM_NONE, false}));
  how = asked();
  assert_null(rule_podium(k, span_none(), code, &how));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(what_is_right, setup, teardown),
      cmocka_unit_test_setup_teardown(noise, setup, teardown),
      cmocka_unit_test_setup_teardown(length, setup, teardown),
      cmocka_unit_test_setup_teardown(steps, setup, teardown),
      cmocka_unit_test_setup_teardown(inputs_are_not_written, setup, teardown),
      cmocka_unit_test_setup_teardown(runs, setup, teardown),
      cmocka_unit_test_setup_teardown(centres, setup, teardown),
      cmocka_unit_test_setup_teardown(second_label, setup, teardown),
      cmocka_unit_test_setup_teardown(questions, setup, teardown),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
