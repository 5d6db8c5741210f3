/* Refutations carried to tables of another order. */
#include <stdlib.h>

#include "advocate/advocate.h"
#include "check/referee/referee.h"
#include "smt/archive.h"
#include "term/build.h"
#include "testlib.h"

enum { VARS = 4 };

/* A chain: v0 <= v1 + 1, (v1 <= v2 or v1 <= v3), v2 * v2 + v3 * v3 <= 0 |- v0 <= 1. */
struct chain {
  struct terms ts;
  term_id formulas[4];
  struct sequent sequent;
};

/* `turned`: variables are made in the opposite order, and hypotheses stand in it. */
static void chain_init(struct chain *c, bool turned, long bound) {
  struct terms *ts = &c->ts;
  terms_init(ts);
  term_id v[VARS];
  for (int i = 0; i < VARS; i++) {
    int k = turned ? VARS - 1 - i : i;
    char name[2] = {(char)('a' + k), 0};
    v[k] = term_var(ts, name, SORT_REAL, 0, 0);
  }
  term_id squares = term_add(ts, term_mul(ts, v[2], v[2]), term_mul(ts, v[3], v[3]));
  c->formulas[turned ? 2 : 0] = term_le(ts, v[0], term_add(ts, v[1], term_int(ts, 1)));
  c->formulas[1] = term_or(ts, term_le(ts, v[1], v[2]), term_le(ts, v[1], v[3]));
  c->formulas[turned ? 0 : 2] = term_le(ts, squares, term_int(ts, 0));
  c->sequent = (struct sequent){c->formulas, 3, term_le(ts, v[0], term_int(ts, bound))};
}

static void keep(struct archive *a, bool turned, long bound) {
  struct chain c;
  struct refutation r;
  chain_init(&c, turned, bound);
  refutation_init(&r);
  assert_true(advocate_refute(&c.ts, &c.sequent, 60, &r));
  archive_add(a, &c.ts, &c.sequent, &r);
  refutation_clear(&r);
  terms_clear(&c.ts);
}

static bool finds(struct archive *a, struct chain *c) {
  struct refutation r;
  refutation_init(&r);
  size_t before = c->ts.nodes.len;
  bool found = archive_find(a, &c->ts, &c->sequent, &r);
  if (found)
    assert_true(referee_accepts(&c->ts, &c->sequent, &r, NULL, NULL));
  else
    assert_int_equal(c->ts.nodes.len, before);
  refutation_clear(&r);
  return found;
}

static void order_does_not_matter(void **state) {
  (void)state;
  for (int turned = 0; turned < 2; turned++) {
    struct archive a;
    archive_init(&a);
    keep(&a, turned, 1);
    keep(&a, turned, 2);
    for (long bound = 2; bound > 0; bound--)
      for (int other = 0; other < 2; other++) {
        struct chain c;
        chain_init(&c, other, bound);
        assert_true(finds(&a, &c));
        terms_clear(&c.ts);
      }
    archive_clear(&a);
  }
}

/* Another goal, or a hypothesis that is not there. */
static void other_obligations_are_not_found(void **state) {
  (void)state;
  struct archive a;
  archive_init(&a);
  keep(&a, false, 1);
  struct chain c;
  chain_init(&c, true, 3);
  assert_false(finds(&a, &c));
  terms_clear(&c.ts);
  for (size_t left_out = 0; left_out < 3; left_out++) {
    chain_init(&c, true, 1);
    c.formulas[left_out] = c.ts.true_term;
    assert_false(finds(&a, &c));
    terms_clear(&c.ts);
  }
  archive_clear(&a);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(order_does_not_matter),
      cmocka_unit_test(other_obligations_are_not_found),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
