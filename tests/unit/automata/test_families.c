/* Families of growing size whose cost is known in closed form: the search must stay exact, within
 * the ordinary effort, where looking ahead is needed at every step. */
#include "testlib.h"

#include <stdio.h>
#include <string.h>

#include "automata/decide/automata.h"

static uint32_t add_state(struct automaton *a, bool input, slong num, ulong den) {
  uint32_t s = automaton_state(a, NULL, 0, span_none());
  if (num)
    automaton_noise(a, s, input, automaton_ratio(a, num, den), 0, AUTOMATON_NONE, AUTOMATON_NONE);
  return s;
}

static uint32_t guard(struct automaton *a, literal first, literal second) {
  literal both[2] = {first, second};
  return automaton_guard(a, both, 2);
}

static void edge(struct automaton *a, uint32_t from, uint32_t to, uint32_t g, uint32_t assign,
                 const char *output) {
  uint32_t emit = automaton_symbol(a, output, strlen(output));
  automaton_edge(a, (struct automaton_edge){from, to, g, assign, emit}, span_none());
}

/* k reads keep the least and the greatest, then queries are checked to lie between them. */
static void k_min_max(struct automaton *a, unsigned k) {
  automaton_init(a);
  uint32_t x = automaton_var(a, "least", 5), y = automaton_var(a, "most", 4), both[2] = {x, y};
  for (unsigned i = 0; i < k; i++)
    add_state(a, true, 1, 4 * k);
  uint32_t loop = add_state(a, true, 1, 4), end = add_state(a, false, 0, 1);
  uint32_t below = guard(a, literal_less(x), literal_less(y));
  uint32_t above = guard(a, literal_greater(x), literal_greater(y));
  uint32_t inside = guard(a, literal_greater(x), literal_less(y));
  a->start = 0;
  edge(a, 0, 1, 0, automaton_set(a, both, 2), "begin");
  for (unsigned i = 1; i <= k; i++) {
    bool last = i == k;
    edge(a, i, last ? loop : i + 1, inside, 0, "inside");
    edge(a, i, last ? end : i + 1, below, last ? 0 : automaton_set(a, &x, 1), "below");
    edge(a, i, last ? end : i + 1, above, last ? 0 : automaton_set(a, &y, 1), "above");
  }
  automaton_finish(a);
}

/* Every read that does not decide the outcome costs d, the two that do 2d, leaving the loop 1/2:
 * 3/4 + 1/(2k); an odd number of reads that do not decide saves one d. */
static void k_min_max_is_exact(void **state) {
  (void)state;
  static const unsigned sizes[] = {2,  3,  4,  5,  6,   7,   8,   11,  16,
                                   17, 31, 50, 61, 100, 101, 200, 201, 400};
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    unsigned k = sizes[i];
    struct automaton a;
    struct automaton_result r;
    k_min_max(&a, k);
    automaton_analyse(&r, &a);
    fmpq_t expected;
    fmpq_init(expected);
    fmpq_set_si(expected, 3 * (slong)k + 2 - (k % 2), 4 * k);
    assert_int_equal(r.verdict, AUTOMATON_PRIVATE);
    assert_true(r.exact);
    if (!fmpq_equal(r.upper, expected)) fail_msg("k = %u: another cost", k);
    fmpq_clear(expected);
    automaton_result_clear(&r);
    automaton_clear(&a);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(k_min_max_is_exact)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
