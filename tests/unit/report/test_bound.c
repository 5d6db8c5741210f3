/* What is said about the true cost beside a verdict. */
#include <stdlib.h>

#include "report/render/bound.h"
#include "testlib.h"

struct said {
  enum claim_kind kind;
  enum verdict verdict;
  const char *epsilon, *delta, *cost, *lower; /* of the record */
  const char *bound, *words;
};

static void check(claim_writer *write, const struct claim_record *c, const char *expected) {
  struct buffer b;
  buffer_init(&b);
  write(&b, c);
  assert_string_equal(buffer_text(&b), expected);
  buffer_clear(&b);
}

static void check_all(const struct said *cases, size_t count) {
  for (size_t i = 0; i < count; i++) {
    const struct said *s = &cases[i];
    struct claim_record c = {.name = xstrdup("c"), .kind = s->kind, .verdict = s->verdict};
    record_set(&c.epsilon, s->epsilon);
    record_set(&c.delta, s->delta);
    record_set(&c.cost, s->cost);
    record_set(&c.lower, s->lower);
    check(claim_bound_put, &c, s->bound);
    check(claim_bound_words, &c, s->words);
    claim_record_clear(&c);
  }
}

#define PROVED(...)                                                                                \
  { CLAIM_PROGRAM, VERDICT_PROVED, __VA_ARGS__ }
#define BELOW "no proof can be below "

static void proofs_are_told_how_tight_they_are(void **state) {
  (void)state;
  static const struct said cases[] = {
      PROVED("eps", NULL, "eps", "0.999 times the claim", "0.999*eps", "tight: " BELOW "0.999*eps"),
      PROVED("eps", NULL, "eps", "0.950 times the claim", "0.95*eps", "tight: " BELOW "0.95*eps"),
      PROVED("eps", NULL, "eps", "0.949 times the claim", "0.949*eps", BELOW "0.949*eps"),
      PROVED("2*eps", NULL, "2*eps", "0.999 times the claim", "1.998*eps",
             "tight: " BELOW "1.998*eps"),
      PROVED("eps/2", NULL, "eps/2", "0.999 times the claim", "0.4995*eps",
             "tight: " BELOW "0.4995*eps"),
      PROVED("3*eps/2", NULL, "3/2*eps", "0.999 times the claim", "1.498*eps",
             "tight: " BELOW "1.498*eps"),
      /* dearer than what was proved, but the proof itself is tight */
      PROVED("2*eps", NULL, "eps", "0.499 times the claim", "0.998*eps",
             "tight: " BELOW "0.998*eps"),
      PROVED("1", NULL, "1", "0.999 times the claim", "0.999", "tight: " BELOW "0.999"),
      PROVED("ln(3)", NULL, "ln(3)", "0.5 times the claim", "0.5*ln(3)", BELOW "0.5*ln(3)"),
      PROVED("a + b", NULL, "a + b", "0.999 times the claim", "0.999*(a + b)",
             "tight: " BELOW "0.999*(a + b)"),
      PROVED("1/2^L", NULL, "1/2^L", "0.999 times the claim", "0.999/2^L",
             "tight: " BELOW "0.999/2^L"),
      PROVED("(a + b)*N", NULL, NULL, "0.999 times the claim", "0.999*(a + b)*N",
             "tight: " BELOW "0.999*(a + b)*N"),
      PROVED("eps", "delta", "eps", "0.980 times the claim", "0.98*eps",
             "tight: with this delta " BELOW "0.98*eps"),
      PROVED("?", NULL, "2*eps", "0.999 times the claim", "1.998*eps", "tight: " BELOW "1.998*eps"),
      PROVED("?", NULL, NULL, "0.999 times the claim", "", ""),
      PROVED("eps", NULL, "eps", "0.000 times the claim", "", ""),
      PROVED("eps", NULL, "eps", "at most 3", "", ""),
      PROVED("eps", NULL, "eps", NULL, "", ""),
  };
  check_all(cases, sizeof cases / sizeof *cases);
}

static void automata_are_priced_in_eps(void **state) {
  (void)state;
  static const struct said cases[] = {
      {CLAIM_AUTOMATON, VERDICT_PROVED, NULL, NULL, "5/4", "1.249", "1.249*eps",
       "tight: " BELOW "1.249*eps"},
      {CLAIM_AUTOMATON, VERDICT_PROVED, "2*eps", NULL, "5/4", "1.249", "1.249*eps",
       "tight: " BELOW "1.249*eps"},
      {CLAIM_AUTOMATON, VERDICT_PROVED, "?", NULL, "1", "0.5", "0.5*eps", BELOW "0.5*eps"},
      {CLAIM_AUTOMATON, VERDICT_REFUTED, "eps", NULL, "5/4", "1.249", "1.249*eps",
       "loses at least 1.249*eps"},
  };
  check_all(cases, sizeof cases / sizeof *cases);
  static const char *const costs[][2] = {{"5/4", "5/4*eps"}, {"1", "eps"}, {"0", "0"}};
  for (size_t i = 0; i < sizeof costs / sizeof *costs; i++) {
    struct claim_record c = {.kind = CLAIM_AUTOMATON};
    record_set(&c.cost, costs[i][0]);
    check(claim_cost_put, &c, costs[i][1]);
    claim_record_clear(&c);
  }
}

/* What is not proved is not tight. */
static void other_verdicts(void **state) {
  (void)state;
  static const struct said cases[] = {
      {CLAIM_PROGRAM, VERDICT_UNKNOWN, "eps", NULL, NULL, "0.999 times the claim", "0.999*eps",
       BELOW "0.999*eps"},
      {CLAIM_PROGRAM, VERDICT_ADMITTED, "eps", NULL, "eps", "0.999 times the claim", "0.999*eps",
       BELOW "0.999*eps"},
      {CLAIM_PROGRAM, VERDICT_REFUTED, "eps", NULL, NULL, "1.998 times the claim", "1.998*eps",
       "loses at least 1.998 times the claim"},
      {CLAIM_PROGRAM, VERDICT_REFUTED, "eps", NULL, NULL, "1.359e58 times the claim",
       "1.359e58*eps", "loses at least 1.359e58 times the claim"},
      {CLAIM_PROGRAM, VERDICT_REFUTED, "eps", NULL, NULL, "unbounded", "unbounded",
       "loses without bound"},
  };
  check_all(cases, sizeof cases / sizeof *cases);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(proofs_are_told_how_tight_they_are),
                                     cmocka_unit_test(automata_are_priced_in_eps),
                                     cmocka_unit_test(other_verdicts)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
