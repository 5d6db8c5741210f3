/* The checker of order products accepts what order.c builds, and nothing that claims more. */
#include "testlib.h"

#include "automaton_gen.h"
#include "check/automaton/product_check.h"

struct tally {
  size_t products, tracked, rejected, tried;
};

static void expect_rejected(const struct automaton *a, const struct product *p, struct tally *t) {
  t->tried++;
  t->rejected += !product_check(a, p);
}

/* A fact at the start, an edge that is missing, an edge to a node of another state, and a fact that
 * is the opposite of a true one. */
static void spoil(const struct automaton *a, struct product *p, struct rng *rng, struct tally *t) {
  size_t n = p->tracked.len;
  uint32_t last = (uint32_t)p->edges.len - 1, *to = &p->edges.at[rng_below(rng, last + 1)].to;
  uint32_t kept = *to;
  *to = (kept + 1) % (uint32_t)p->nodes.len;
  if (p->nodes.at[*to].state != p->nodes.at[kept].state) {
    assert_false(product_check(a, p));
    expect_rejected(a, p, t);
  }
  *to = kept;
  if (p->nodes.len > 1 && p->first.at[p->nodes.len] > p->first.at[p->nodes.len - 1]) {
    p->edges.len--;
    p->first.at[p->nodes.len]--;
    expect_rejected(a, p, t);
    p->edges.len++;
    p->first.at[p->nodes.len]++;
  }
  if (n < 2) return;
  size_t facts = p->nodes.at[0].facts * n * n;
  p->facts.at[facts + 1] = RELATION_LESS;
  assert_false(product_check(a, p));
  p->facts.at[facts + 1] = RELATION_UNKNOWN;
  for (size_t i = 0; i < p->facts.len; i++) {
    unsigned char *fact = &p->facts.at[i];
    if (*fact != RELATION_LESS) continue;
    *fact = RELATION_GREATER;
    assert_false(product_check(a, p));
    *fact = RELATION_LESS;
    t->tracked++;
  }
  assert_true(product_check(a, p));
}

static void products_are_checked(void **state) {
  (void)state;
  struct rng rng = rng_seeded(11);
  struct tally t = {0};
  for (size_t i = 0; i < test_rounds(1500); i++) {
    struct gen_options options = {(unsigned)(2 + i % 2), 4, false, 2, 20, 10, 30, 30, false};
    struct automaton a;
    struct product p;
    gen_automaton(&a, &rng, &options);
    product_build(&p, &a);
    assert_true(product_check(&a, &p));
    t.products++;
    if (p.edges.len) spoil(&a, &p, &rng, &t);
    product_clear(&p);
    automaton_clear(&a);
  }
  print_message("%zu products, %zu facts turned round, %zu of %zu other changes rejected\n",
                t.products, t.tracked, t.rejected, t.tried);
  assert_true(t.tracked > 0 && t.rejected == t.tried);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(products_are_checked)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
