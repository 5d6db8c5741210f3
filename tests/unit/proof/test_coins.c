/* ctest-label: release */
/* Proof steps for coins: each price is needed, and the runs part only where the proof says how. */
#include <stdio.h>
#include <stdlib.h>

#include "proof_text.h"
#include "testlib.h"

#define COINS(epsilon, proof)                                                                      \
  "mechanism m(private bit : bool) returns bool adjacent true {\n"                                 \
  "  heads <$ Bernoulli(1/2); if heads { return declassify(bit); }\n"                              \
  "  answer <$ Bernoulli(1/2); return answer; }\n"                                                 \
  "claim private m epsilon " epsilon " proof {" proof "}"
#define DIFFERENT(coupling) "sample heads: if bit<1> = bit<2> then same else " coupling ";"

static void two_coins(void **state) {
  (void)state;
  accepts(COINS(
      "ln(3)", DIFFERENT("meet false cost ln(3) - ln(2) otherwise ln(3)") "sample answer: same aim "
                                                                          "bit<1> cost ln(2);"));
  accepts(COINS(
      "ln(3)",
      DIFFERENT("meet bit<1> and bit<2> cost ln(3/2) otherwise ln(3)") "sample answer: same aim "
                                                                       "bit<1> cost ln(2);"));
  /* each price cut a little */
  refuses(
      COINS("ln(3)",
            DIFFERENT("meet false cost ln(3) - ln(2.01) otherwise ln(3)") "sample answer: same aim "
                                                                          "bit<1> cost ln(2);"),
      "MEET", "the costs cover");
  refuses(
      COINS("ln(3)",
            DIFFERENT("meet false cost ln(3) - ln(2) otherwise ln(2.99)") "sample answer: same aim "
                                                                          "bit<1> cost ln(2);"),
      "MEET", "the costs cover");
  refuses(
      COINS("ln(3)",
            DIFFERENT("meet false cost ln(3) - ln(2) otherwise ln(3)") "sample answer: same aim "
                                                                       "bit<1> cost ln(1.99);"),
      "MEET-R", "the cost covers");
  refuses(
      COINS("ln(2.99)",
            DIFFERENT("meet false cost ln(3) - ln(2) otherwise ln(3)") "sample answer: same aim "
                                                                       "bit<1> cost ln(2);"),
      "MEET", "the budget pays");
  /* the wrong sample, the wrong side, no way to part */
  refuses(
      COINS("ln(3)",
            DIFFERENT("meet false cost ln(3) - ln(2) otherwise ln(3)") "sample answer: same aim "
                                                                       "bit<2> cost ln(2);"),
      "", "");
  refuses(COINS("ln(3)",
                DIFFERENT("meet true cost ln(3) otherwise ln(3) - ln(2)") "sample answer: same aim "
                                                                          "bit<1> cost ln(2);"),
          "", "");
  refuses(COINS("ln(3)", DIFFERENT("meet false cost ln(3) - ln(2) otherwise ln(3)")), "", "");
  /* one case only */
  refuses(COINS("ln(3)", "sample heads: meet false cost ln(3) - ln(2) otherwise ln(3);"
                         "sample answer: same aim not bit<1> cost ln(2);"),
          "", "");
}

static void only_finite_samples_are_aimed_at(void **state) {
  (void)state;
#define AIMED(noise, w)                                                                            \
  "mechanism m(private bit : bool) returns int adjacent true {\n"                                  \
  "  heads <$ Bernoulli(1/2); if heads { return 0; } x <$ " noise "; return x; }\n"                \
  "claim private m epsilon 9 proof { sample heads: meet false cost 8 otherwise 8;"                 \
  "  sample x: same aim " w " cost 1; }"
  refuses(AIMED("DLap(0, 1)", "0"), "MEET-R", "finite distributions only");
  refuses(AIMED("UniformInt(0, 1)", "bit<1>"), "MEET-R", "wrong type");
  refuses(AIMED("UniformInt(1, 2)", "0"), "MEET-R", "the cost covers");
  refuses(AIMED("UniformInt(0, 2)", "0"), "MEET-R", "the cost covers");
  accepts(AIMED("UniformInt(0, 1)", "0"));
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(two_coins),
                                     cmocka_unit_test(only_finite_samples_are_aimed_at)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
