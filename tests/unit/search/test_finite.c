/* The finite strategy: mechanisms that toss coins are proved with no annotation, at the least cost,
 * and at no lower one. With file names as arguments: shows what it finds there.
 * ctest-label: release */
#include <stdio.h>
#include <stdlib.h>

#include "auto_rows.h"
#include "search/goals/finite.h"
#include "testlib.h"

#define EPS "param eps : real, eps > 0;\n"
#define ASKED "claim private m epsilon ?;"
#define BIT(body)                                                                                  \
  EPS "mechanism m(private bit : bool) returns bool adjacent true {" body "}\n" ASKED
#define BITS(adjacency, body)                                                                      \
  EPS "param n : int, n >= 1; mechanism m(private b : bool[n]) emits bool adjacent " adjacency     \
      " {" body "}\n" ASKED
#define TRUTH "exp(eps)/(1 + exp(eps))"
#define ONE "exists j : int. forall i in 0..n. i != j -> b<1>[i] = b<2>[i]"

static const struct auto_row rows[] = {
    {"randomized response",
     BIT("honest <$ Bernoulli(" TRUTH "); return if honest then bit else not bit;"), "eps"},
    {"branches",
     BIT("honest <$ Bernoulli(" TRUTH "); if honest { return declassify(bit); }"
         " return declassify(not bit);"),
     "eps"},
    {"the coin says when to lie",
     BIT("lie <$ Bernoulli(1/(1 + exp(eps))); if lie { answer := not bit; } else { answer := bit; }"
         " return answer;"),
     "eps"},
    {"a fixed coin", BIT("honest <$ Bernoulli(3/4); return if honest then bit else not bit;"),
     "ln(3)"},
    {"mostly lies", BIT("honest <$ Bernoulli(1/5); return if honest then bit else not bit;"),
     "ln(4)"},
    {"a symbolic coin",
     "param p : real, 1/2 <= p < 1; mechanism m(private bit : bool) returns bool adjacent true {"
     "  honest <$ Bernoulli(p); return if honest then bit else not bit; }\n" ASKED,
     "ln(p/(1 - p))"},
    {"a fair coin says nothing",
     BIT("honest <$ Bernoulli(1/2); return if honest then bit else not bit;"), "0"},
    {"two coins",
     BIT("heads <$ Bernoulli(1/2); if heads { return declassify(bit); }"
         " answer <$ Bernoulli(1/2); return answer;"),
     "ln(3)"},
    {"two coins, the other way round",
     BIT("tails <$ Bernoulli(1/2); if tails { answer <$ Bernoulli(1/2); return answer; }"
         " return declassify(bit);"),
     "ln(3)"},
    {"two unfair coins: the rare answer counts",
     BIT("heads <$ Bernoulli(1/3); if heads { return declassify(bit); }"
         " answer <$ Bernoulli(1/4); return answer;"),
     "ln(3)"},
    {"one of k values",
     EPS "param k : int, k >= 2; mechanism m(private x : int) returns int"
         "  adjacent 0 <= x<1> < k and 0 <= x<2> < k {"
         "  honest <$ Bernoulli((exp(eps) - 1)/(exp(eps) + k - 1));"
         "  if honest { return declassify(x); } y <$ UniformInt(0, k - 1); return y; }\n" ASKED,
     "eps"},
    {"many people, one differs",
     BITS(ONE, "for i in 0..n { honest <$ Bernoulli(" TRUTH ");"
               "  emit if honest then b[i] else not b[i]; }"),
     "eps"},
    {"many people, all may differ",
     BITS("true", "for i in 0..n { honest <$ Bernoulli(" TRUTH ");"
                  "  emit if honest then b[i] else not b[i]; }"),
     "eps*n"}};

static void cost_is_the_least(void **state) {
  (void)state;
  auto_check_rows(auto_finite, rows, sizeof rows / sizeof *rows);
}

static const struct auto_row hopeless[] = {
    {"the bit itself", BIT("honest <$ Bernoulli(1/2); return declassify(bit);"), NULL},
    {"a lie is never told about yes",
     BIT("honest <$ Bernoulli(1/2); return if honest then bit else true;"), NULL},
    {"the coin is shown",
     EPS "mechanism m(private bit : bool) emits bool adjacent true {"
         "  honest <$ Bernoulli(" TRUTH "); emit honest;"
         "  emit if honest then bit else not bit; }\n" ASKED,
     NULL}};

static void hopeless_is_not_proved(void **state) {
  (void)state;
  auto_check_rows(auto_finite, hopeless, sizeof hopeless / sizeof *hopeless);
}

/* The same proofs do not go through for less. */
static void not_below_the_least(void **state) {
  (void)state;
  static const char *const claims[][2] = {
      {"honest <$ Bernoulli(" TRUTH "); return if honest then bit else not bit;", "0.999*eps"},
      {"heads <$ Bernoulli(1/2); if heads { return declassify(bit); }"
       " answer <$ Bernoulli(1/2); return answer;",
       "ln(2.999)"}};
  for (size_t i = 0; i < 2; i++) {
    char *text = xasprintf(EPS "mechanism m(private bit : bool) returns bool adjacent true {%s}\n"
                               "claim private m epsilon %s;",
                           claims[i][0], claims[i][1]);
    struct auto_run r;
    auto_run_text(&r, auto_finite, text);
    assert_false(r.result.proved);
    assert_non_null(r.result.obstacle.message);
    assert_string_equal(r.result.obstacle.budget, i ? "ln(3)" : "eps");
    auto_run_clear(&r);
    free(text);
  }
}

static void examples_are_proved(void **state) {
  (void)state;
  static const char *const files[] = {"randomized_response", "randomized_response_coins", "rappor"};
  for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
    char path[200];
    snprintf(path, sizeof path, "examples/correct/%s.dp", files[i]);
    auto_check_file(auto_finite, path);
  }
}

int main(int argc, char **argv) {
  if (argc > 1) return auto_show_files(auto_finite, argc - 1, argv + 1);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(cost_is_the_least), cmocka_unit_test(hopeless_is_not_proved),
      cmocka_unit_test(not_below_the_least), cmocka_unit_test(examples_are_proved)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
