/* The pointwise strategy: noisy max and its relatives in many styles are proved with no annotation,
 * at the least cost, and at no lower one. With file names as arguments: shows what it finds there.
 * ctest-label: release */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "auto_rows.h"
#include "search/goals/pointwise.h"
#include "testlib.h"

#define PARAMS "param eps : real, eps > 0; param n : int, n >= 1;\n"
#define REAL_MAX_OF(adjacency, body)                                                               \
  PARAMS "mechanism m(private q : real[n]) returns int adjacent " adjacency " {" body "}\n"        \
         "claim private m epsilon ?;"
#define INT_MAX_OF(adjacency, body)                                                                \
  PARAMS "mechanism m(private q : int[n]) returns int adjacent " adjacency " {" body "}\n"         \
         "claim private m epsilon ?;"
#define STANDARD(noise)                                                                            \
  "best := 0.0; index := 0; for i in 0..n { s <$ " noise ";"                                       \
  "  if i = 0 or s > best { best := s; index := i; } } return index;"

/* The same mechanism, written in other ways: the same cost. */
static const struct auto_row styles[] = {
    {"standard", REAL_MAX_OF("all_within(q, 1)", STANDARD("Lap(q[i], 2/eps)")), "eps"},
    {"renamed, swapped, other order of the condition",
     REAL_MAX_OF("all_within(q, 1)",
                 "r := 0; top := 0.0; for result_at in 0..n { noisy <$ Lap(q[result_at], 2/eps);"
                 "  if noisy > top or result_at = 0 { r := result_at; top := noisy; } } return r;"),
     "eps"},
    {"while loop",
     REAL_MAX_OF("all_within(q, 1)",
                 "best := 0.0; index := 0; i := 0; while i < n { s <$ Lap(q[i], 2/eps);"
                 "  if i = 0 or s > best { best := s; index := i; } i := i + 1; } return index;"),
     "eps"},
    {"from the end, >= instead of >",
     REAL_MAX_OF(
         "all_within(q, 1)",
         "best := 0.0; index := 0; i := n - 1; while i >= 0 { s <$ Lap(q[i], 2/eps);"
         "  if i = n - 1 or s >= best { best := s; index := i; } i := i - 1; } return index;"),
     "eps"},
    {"the first before the loop",
     REAL_MAX_OF("all_within(q, 1)",
                 "best <$ Lap(q[0], 2/eps); index := 0; for i in 1..n { s <$ Lap(q[i], 2/eps);"
                 "  if s > best { best := s; index := i; } } return index;"),
     "eps"},
    {"noise added separately",
     REAL_MAX_OF(
         "all_within(q, 1)",
         "best := 0.0; index := 0; for i in 0..n { noise <$ Lap(0, 2/eps); s := q[i] + noise;"
         "  if i = 0 or s > best { best := s; index := i; } } return index;"),
     "eps"},
    {"helper procedure",
     PARAMS "procedure noisy(x : real) : real { y <$ Lap(x, 2/eps); return y; }\n"
            "mechanism m(private q : real[n]) returns int adjacent all_within(q, 1) {"
            "  best := 0.0; index := 0; for i in 0..n { s := noisy(q[i]);"
            "  if i = 0 or s > best { best := s; index := i; } } return index; }\n"
            "claim private m epsilon ?;",
     "eps"},
    {"negated condition",
     REAL_MAX_OF(
         "all_within(q, 1)",
         "best := 0.0; index := 0; for i in 0..n { s <$ Lap(q[i], 2/eps);"
         "  if i > 0 and not (s > best) { skip; } else { best := s; index := i; } } return index;"),
     "eps"},
    {"nested branches",
     REAL_MAX_OF("all_within(q, 1)",
                 "best := 0.0; index := 0; for i in 0..n { s <$ Lap(q[i], 2/eps);"
                 "  if i = 0 { best := s; index := 0; }"
                 "  else { if best < s { best := s; index := i; } } } return index;"),
     "eps"},
    {"flag for the first",
     REAL_MAX_OF(
         "all_within(q, 1)",
         "best := 0.0; index := 0; first := true; for i in 0..n { s <$ Lap(q[i], 2/eps);"
         "  if first or s > best { best := s; index := i; first := false; } } return index;"),
     "eps"},
    {"counted from 1",
     REAL_MAX_OF("all_within(q, 1)",
                 "best := 0.0; index := 0; for i in 0..n { s <$ Lap(q[i], 2/eps);"
                 "  if i = 0 or s > best { best := s; index := i + 1; } } return index;"),
     "eps"},
    {"counted from 1 after the loop",
     REAL_MAX_OF(
         "all_within(q, 1)",
         "best := 0.0; index := 0; for i in 0..n { s <$ Lap(q[i], 2/eps);"
         "  if i = 0 or s > best { best := s; index := i; } } place := index + 1; return place;"),
     "eps"},
    {"smallest of the negated",
     REAL_MAX_OF("all_within(q, 1)",
                 "best := 0.0; index := 0; for i in 0..n { s <$ Lap(-q[i], 2/eps);"
                 "  if i = 0 or s < best { best := s; index := i; } } return index;"),
     "eps"},
    {"keeps the negated value",
     REAL_MAX_OF("all_within(q, 1)",
                 "worst := 0.0; index := 0; for i in 0..n { s <$ Lap(q[i], 2/eps);"
                 "  if i = 0 or -s < worst { worst := -s; index := i; } } return index;"),
     "eps"},
    {"keeps twice the value",
     REAL_MAX_OF("all_within(q, 1)",
                 "best := 0.0; index := 0; for i in 0..n { s <$ Lap(q[i], 2/eps);"
                 "  if i = 0 or 2*s > best { best := 2*s; index := i; } } return index;"),
     "eps"},
    {"two noises",
     REAL_MAX_OF(
         "all_within(q, 1)",
         "best := 0.0; index := 0; for i in 0..n { a <$ Lap(q[i], 2/eps); b <$ Lap(0, 2/eps);"
         "  if i = 0 or a + b > best { best := a + b; index := i; } } return index;"),
     "eps"},
    {"another counter",
     REAL_MAX_OF("all_within(q, 1)",
                 "best := 0.0; index := 0; k := 0; for i in 0..n { s <$ Lap(q[k], 2/eps);"
                 "  if k = 0 or s > best { best := s; index := k; } k := k + 1; } return index;"),
     "eps"},
    {"a counter that runs backwards",
     REAL_MAX_OF("all_within(q, 1)",
                 "best := 0.0; index := 0; k := n; for i in 0..n { k := k - 1;"
                 "  s <$ Lap(q[k], 2/eps);"
                 "  if i = 0 or s > best { best := s; index := k; } } return index;"),
     "eps"},
    {"max of two values",
     REAL_MAX_OF("all_within(q, 1)",
                 "best := 0.0; index := 0; for i in 0..n { s <$ Lap(q[i], 2/eps);"
                 "  if i = 0 or s > best { index := i; }"
                 "  best := if i = 0 then s else max(best, s); } return index;"),
     "eps"},
    {"no winner yet",
     REAL_MAX_OF("all_within(q, 1)",
                 "best := 0.0; index := -1; for i in 0..n { s <$ Lap(q[i], 2/eps);"
                 "  if index = -1 or s > best { best := s; index := i; } } return index;"),
     "eps"},
    {"looks at the winner",
     REAL_MAX_OF("all_within(q, 1)",
                 "best := 0.0; index := 0; for i in 0..n { s <$ Lap(q[i], 2/eps);"
                 "  if s > best or i = 0 { index := i; } if index = i { best := s; } }"
                 "  return index;"),
     "eps"},
    {"keeps all values",
     REAL_MAX_OF("all_within(q, 1)",
                 "var a : real[n]; best := 0.0; index := 0; for i in 0..n {"
                 "  a[i] <$ Lap(q[i], 2/eps);"
                 "  if i = 0 or a[i] > best { best := a[i]; index := i; } } return index;"),
     "eps"},
    {"noise first, in an array",
     REAL_MAX_OF("all_within(q, 1)",
                 "var a : real[n]; for j in 0..n { a[j] <$ Lap(q[j], 2/eps); }"
                 "  best := 0.0; index := 0; for i in 0..n {"
                 "  if i = 0 or a[i] > best { best := a[i]; index := i; } } return index;"),
     "eps"},
    {"noise first, the first value at hand",
     REAL_MAX_OF("all_within(q, 1)",
                 "var a : real[n]; for j in 0..n { noise <$ Lap(0, 2/eps); a[j] := q[j] + noise; }"
                 "  best := a[0]; index := 0; for i in 1..n {"
                 "  if a[i] > best { best := a[i]; index := i; } } return index;"),
     "eps"},
    {"noise first, only the index is kept",
     REAL_MAX_OF("all_within(q, 1)",
                 "var a : real[n]; for j in 0..n { a[j] <$ Lap(q[j], 2/eps); } index := 0;"
                 "  for i in 1..n { if a[i] > a[index] { index := i; } } return index;"),
     "eps"},
    {"noise first, read from the end",
     REAL_MAX_OF("all_within(q, 1)",
                 "var a : real[n]; for j in 0..n { a[j] <$ Lap(q[j], 2/eps); }"
                 "  best := 0.0; index := 0; i := n; while i > 0 {"
                 "  if i = n or a[i - 1] >= best { best := a[i - 1]; index := i; }"
                 "  i := i - 1; } return index;"),
     "eps"},
    {"two samplings of one name",
     REAL_MAX_OF(
         "all_within(q, 1)",
         "best := 0.0; index := 0; for i in 0..n { if i = 0 { s <$ Lap(q[0], 2/eps); best := s; }"
         "  else { s <$ Lap(q[i], 2/eps); if s > best { best := s; index := i; } } }"
         "  return index;"),
     "eps"}};

static void style_does_not_matter(void **state) {
  (void)state;
  auto_check_rows(auto_pointwise, styles, sizeof styles / sizeof *styles);
}

/* Scale, sensitivity, adjacency, noise: what the cost depends on. */
static const struct auto_row costs[] = {
    {"half the noise", REAL_MAX_OF("all_within(q, 1)", STANDARD("Lap(q[i], 1/eps)")), "2*eps"},
    {"twice the noise", REAL_MAX_OF("all_within(q, 1)", STANDARD("Lap(q[i], 4/eps)")), "eps/2"},
    {"sensitivity 3", REAL_MAX_OF("all_within(q, 3)", STANDARD("Lap(q[i], 2/eps)")), "3*eps"},
    {"rising", REAL_MAX_OF("all_increase(q, 1)", STANDARD("Lap(q[i], 1/eps)")), "eps"},
    {"falling", REAL_MAX_OF("all_decrease(q, 1)", STANDARD("Lap(q[i], 1/eps)")), "eps"},
    {"rising or falling", REAL_MAX_OF("monotone(q, 1)", STANDARD("Lap(q[i], 1/eps)")), "eps"},
    {"one differs", REAL_MAX_OF("one_differs(q, 1)", STANDARD("Lap(q[i], 1/eps)")), "eps"},
    {"one differs, counted from 1",
     REAL_MAX_OF("one_differs(q, 1)",
                 "best := 0.0; index := 0; for i in 0..n { s <$ Lap(q[i], 1/eps);"
                 "  if i = 0 or s > best { best := s; index := i + 1; } } return index;"),
     "eps"},
    {"the runs agree but for the first",
     REAL_MAX_OF("abs(q<1>[0] - q<2>[0]) <= 2 and (forall j in 1..n. q<1>[j] = q<2>[j])",
                 STANDARD("Lap(q[i], 1/eps)")),
     "2*eps"},
    {"symbolic sensitivity",
     "param d : real, d > 0;" REAL_MAX_OF("all_within(q, d)", STANDARD("Lap(q[i], 2*d/eps)")),
     "eps"},
    {"exponential", REAL_MAX_OF("all_within(q, 1)", STANDARD("Exp(q[i], 2/eps)")), "eps"},
    {"exponential, one differs", REAL_MAX_OF("one_differs(q, 1)", STANDARD("Exp(q[i], 2/eps)")),
     "eps"},
    {"discrete",
     INT_MAX_OF("all_within(q, 1)",
                "best := 0; index := 0; for i in 0..n { s <$ DLap(q[i], 2/eps);"
                "  if i = 0 or s > best { best := s; index := i; } } return index;"),
     "eps"},
    {"geometric, first of equals",
     INT_MAX_OF("monotone(q, 1)",
                "best := 0; index := 0; for i in 0..n { s <$ Geom(q[i], 1/eps);"
                "  if i = 0 or s > best { best := s; index := i; } } return index;"),
     "eps"},
    {"possibly no query at all",
     "param eps : real, eps > 0; param n : int, n >= 0;\n"
     "mechanism m(private q : real[n]) returns int adjacent all_within(q, 1) {" STANDARD(
         "Lap(q[i], 2/eps)") "}\nclaim private m epsilon ?;",
     "eps"}};

static void cost_is_the_least(void **state) {
  (void)state;
  auto_check_rows(auto_pointwise, costs, sizeof costs / sizeof *costs);
}

#define PAIR_OF(adjacency, body)                                                                   \
  "param eps : real, eps > 0; param n : int, n >= 2;\n"                                            \
  "mechanism m(private q : real[n], private s : real[n]) returns (int, int) adjacent " adjacency   \
  " {" body "}\nclaim private m epsilon ?;"
#define DRAWN "var v : real[n]; for i in 0..n { v[i] <$ Lap(q[i], 4/eps); }"
#define FIRST_OF_V "a := 0; for i in 0..n { if v[i] > v[a] { a := i; } }"
#define SECOND_OF_V                                                                                \
  "b := if a = 0 then 1 else 0; for i in 0..n { if i != a and v[i] > v[b] { b := i; } }"

/* Several winners: each pays for itself. */
static const struct auto_row several[] = {
    {"largest and smallest, one loop",
     PAIR_OF("all_within(q, 1)",
             "a := 0; b := 0; x := 0.0; y := 0.0; for i in 0..n { t <$ Lap(q[i], 4/eps);"
             "  if i = 0 or t > x { x := t; a := i; } u <$ Lap(q[i], 6/eps);"
             "  if i = 0 or u < y { y := u; b := i; } } return (a, b);"),
     "5*eps/6"},
    {"two inputs, only one of them changes much",
     PAIR_OF("all_within(q, 1) and all_within(s, 1/2)",
             "x <$ Lap(q[0], 4/eps); y <$ Lap(s[0], 4/eps); (a, b) := (0, 0); i := 1;"
             "while i < n { t <$ Lap(q[i], 4/eps); if t > x { (x, a) := (t, i); }"
             "  t <$ Lap(s[i], 4/eps); if t > y { (y, b) := (t, i); } i := i + 1; }"
             "return (b, a);"),
     "3*eps/4"},
    {"the entry that differs, in each of two inputs",
     PAIR_OF("one_differs(q, 1) and all_within(s, 0)",
             "a := 0; b := 0; x := 0.0; y := 0.0; for i in 0..n { t <$ Lap(q[i], 2/eps);"
             "  if i = 0 or t > x { x := t; a := i; } u <$ Lap(s[i], 2/eps);"
             "  if i = 0 or u > y { y := u; b := i; } } return (a, b);"),
     "eps/2"},
    {"two loops, each with noise of its own",
     PAIR_OF("all_within(q, 1)", "a := 0; x := 0.0; for i in 0..n { t <$ Lap(q[i], 4/eps);"
                                 "  if i = 0 or t > x { x := t; a := i; } }"
                                 "b := 0; y := 0.0; for i in 0..n { t <$ Lap(q[i], 4/eps);"
                                 "  if i = 0 or t > y { y := t; b := i; } } return (a, b);"),
     "eps"},
    {"first and second, drawn once",
     PAIR_OF("all_within(q, 1)", DRAWN FIRST_OF_V SECOND_OF_V "return (a, b);"), "eps"},
    {"first by argmax, second by a loop",
     PAIR_OF("all_within(q, 1)", DRAWN "a := argmax(v);" SECOND_OF_V "return (a, b);"), "eps"},
    {"the last two, one-sided noise",
     PAIR_OF("all_increase(q, 1)",
             "var v : real[n]; for i in 0..n { v[i] <$ Exp(q[i], 4/eps); }" FIRST_OF_V SECOND_OF_V
             "return (b, a);"),
     "eps/2"},
};

static void winners_pay_for_themselves(void **state) {
  (void)state;
  auto_check_rows(auto_pointwise, several, sizeof several / sizeof *several);
}

/* Not made of winners only, or not of winners that can be lifted together. */
static const struct auto_row not_a_podium[] = {
    {"the winner and whether its noisy value is positive",
     "param eps : real, eps > 0; param n : int, n >= 1;\n"
     "mechanism m(private q : real[n]) returns (int, bool) adjacent all_within(q, 1) {"
     "  best := 0.0; index := 0; for i in 0..n { t <$ Lap(q[i], 4/eps);"
     "  if i = 0 or t > best { best := t; index := i; } } return (index, best > 0); }\n"
     "claim private m epsilon ?;",
     NULL},
    {"the second loop starts where the data say",
     PAIR_OF("all_within(q, 1)", DRAWN FIRST_OF_V
             "b := if declassify(q[0] > 0) then 0 else 1;"
             "for i in 0..n { if i != a and v[i] > v[b] { b := i; } } return (a, b);"),
     NULL},
    {"the second looks at data instead of noise",
     PAIR_OF("all_within(q, 1)", DRAWN FIRST_OF_V
             "b := 0; for i in 0..n { if declassify(q[i] > q[b]) { b := i; } } return (a, b);"),
     NULL},
};

static void others_are_no_winners(void **state) {
  (void)state;
  auto_check_rows(auto_pointwise, not_a_podium, sizeof not_a_podium / sizeof *not_a_podium);
}

/* Both runs can take the same branches for 2 eps, so another strategy has a proof too. */
static const struct auto_row among_others[] = {
    {"cheaper than with equal branches",
     REAL_MAX_OF("one_differs(q, 1)",
                 "best <$ Lap(q[0], 1/eps); index := 0; for i in 1..n { noise <$ Lap(0, 1/eps);"
                 "  if q[i] + noise >= best { best := q[i] + noise; index := i; } }"
                 "  return index;"),
     "eps"}};

static void least_of_all_strategies(void **state) {
  (void)state;
  auto_check_rows(NULL, among_others, 1);
}

/* Not private, or not at any cost this strategy can see. */
static const struct auto_row hopeless[] = {
    {"smallest with one-sided noise",
     REAL_MAX_OF("all_within(q, 1)",
                 "best := 0.0; index := 0; for i in 0..n { s <$ Exp(q[i], 2/eps);"
                 "  if i = 0 or s < best { best := s; index := i; } } return index;"),
     NULL},
    {"no bound on the difference", REAL_MAX_OF("true", STANDARD("Lap(q[i], 2/eps)")), NULL},
    {"first below a fixed bound: every miss counts",
     REAL_MAX_OF("all_within(q, 1)",
                 "best := 0.0; index := -1; for i in 0..n { s <$ Lap(q[i], 2/eps);"
                 "  if s > best { best := s; index := i; } } return index;"),
     NULL},
    {"returns the value",
     PARAMS "mechanism m(private q : real[n]) returns real adjacent all_within(q, 1) {"
            "  best := 0.0; for i in 0..n { s <$ Lap(q[i], 2/eps);"
            "  if i = 0 or s > best { best := s; } } return best; }\nclaim private m epsilon ?;",
     NULL},
    {"compares with the exact value",
     REAL_MAX_OF("all_within(q, 1)",
                 "best := 0.0; index := 0; for i in 0..n { s <$ Lap(q[i], 2/eps);"
                 "  if i = 0 or declassify(s > best) { best := declassify(q[i]); index := i; } }"
                 " return index;"),
     NULL}};

static void hopeless_is_not_proved(void **state) {
  (void)state;
  auto_check_rows(auto_pointwise, hopeless, sizeof hopeless / sizeof *hopeless);
}

/* At scale 1/eps the true loss tends to 2 eps: no claim below that is proved, and the obstacle says
 * what it would cost. */
static void noisy_max_at_half_the_noise(void **state) {
  (void)state;
  static const char *const claims[] = {"eps", "1.99*eps", "2*eps - 1/1000000"};
  for (size_t i = 0; i < 3; i++) {
    char *text = xasprintf(PARAMS "mechanism m(private q : real[n]) returns int"
                                  "  adjacent all_within(q, 1) {%s}\nclaim private m epsilon %s;",
                           STANDARD("Lap(q[i], 1/eps)"), claims[i]);
    struct auto_run r;
    auto_run_text(&r, auto_pointwise, text);
    assert_false(r.result.proved);
    assert_non_null(r.result.obstacle.message);
    assert_string_equal(r.result.obstacle.budget, "2*eps");
    auto_run_clear(&r);
    free(text);
  }
}

/* The example whose claim is false, asked for the least cost instead. */
static void least_cost_of_a_refuted_example(void **state) {
  (void)state;
  FILE *f = fopen("examples/incorrect/noisy_max_1.dp", "r");
  assert_non_null(f);
  char text[4000];
  size_t length = fread(text, 1, sizeof text - 1, f);
  fclose(f);
  text[length] = 0;
  char *claim = strstr(text, "\nclaim ");
  assert_non_null(claim);
  *claim = 0;
  char *asked = xasprintf("%s\nclaim private noisy_max_1 epsilon ?;", text);
  const struct auto_row row = {"noisy_max_1", asked, "2*eps"};
  auto_check_rows(auto_pointwise, &row, 1);
  free(asked);
}

static void examples_are_proved(void **state) {
  (void)state;
  static const char *const files[] = {"noisy_max",
                                      "noisy_max_discrete",
                                      "noisy_min",
                                      "noisy_min_discrete",
                                      "noisy_max_exp",
                                      "noisy_max_geometric",
                                      "noisy_max_monotone",
                                      "noisy_max_monotone_discrete",
                                      "exponential_mechanism"};
  for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
    char path[200];
    snprintf(path, sizeof path, "examples/correct/%s.dp", files[i]);
    auto_check_file(auto_pointwise, path);
  }
}

int main(int argc, char **argv) {
  if (argc > 1) return auto_show_files(auto_pointwise, argc - 1, argv + 1);
  const struct CMUnitTest tests[] = {cmocka_unit_test(style_does_not_matter),
                                     cmocka_unit_test(cost_is_the_least),
                                     cmocka_unit_test(winners_pay_for_themselves),
                                     cmocka_unit_test(others_are_no_winners),
                                     cmocka_unit_test(least_of_all_strategies),
                                     cmocka_unit_test(hopeless_is_not_proved),
                                     cmocka_unit_test(noisy_max_at_half_the_noise),
                                     cmocka_unit_test(least_cost_of_a_refuted_example),
                                     cmocka_unit_test(examples_are_proved)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
