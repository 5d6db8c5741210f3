/* Parts of programs that are proved by themselves: noisy max in the middle of something else is
 * proved with no annotation, at the cost of the whole, and at no lower one. With file names as
 * arguments: shows what the strategy finds there.
 * ctest-label: release */
#include <stdlib.h>
#include <string.h>

#include "auto_rows.h"
#include "search/goals/parts.h"
#include "search/goals/shared.h"
#include "testlib.h"

#define PARAMS "param eps : real, eps > 0; param n : int, n >= 1; param T : int, T >= 1;\n"
#define MECHANISM(type, adjacency, body)                                                           \
  PARAMS "mechanism m(private q : " type "[n]) emits " type " adjacent " adjacency " {" body       \
         "}\nclaim private m epsilon ?;"
#define REALS(body) MECHANISM("real", "all_within(q, 1)", body)
#define INTS(body) MECHANISM("int", "all_within(q, 1)", body)

#define MAX_OF(noise)                                                                              \
  "best := 0.0; arg := 0; for i in 0..n { s <$ " noise                                             \
  "; if i = 0 or s > best { best := s; arg := i; } } "
#define NOISY_MAX MAX_OF("Lap(q[i], 4/eps)")
#define MEASURE "z <$ Lap(q[arg], 2/eps); emit z; "

/* What else happens: the cost of the part (eps/2) and that of the rest. */
static const struct auto_row around[] = {
    {"then a measurement", REALS(NOISY_MAX MEASURE), "eps"},
    {"in rounds", REALS("for t in 0..T {" NOISY_MAX MEASURE "}"), "eps*T"},
    {"scale by the number of rounds",
     REALS("for t in 0..T {" MAX_OF("Lap(q[i], 4*T/eps)") "z <$ Lap(q[arg], 2*T/eps); emit z; }"),
     "eps"},
    {"in rounds, noise of the round",
     REALS("for t in 0..T {" MAX_OF("Lap(q[i], 4*(t + 1)/eps)") "emit arg; }"), "eps*T/2"},
    {"twice", REALS(NOISY_MAX MEASURE NOISY_MAX "emit arg;"), "3*eps/2"},
    {"a measurement first, of another value",
     REALS(
         "z <$ Lap(q[0], 1/eps); emit z; for t in 0..3 { z <$ Lap(q[0], 3/eps); emit z; }" NOISY_MAX
         "emit arg;"),
     "5*eps/2"},
    {"post-processed, not returned", REALS(NOISY_MAX "if arg > 3 { emit 1; } else { emit 2*arg; }"),
     "eps/2"},
    {"in a branch", REALS("z <$ Lap(q[0], 2/eps); if z > 0 {" NOISY_MAX "emit arg; }"), "eps"},
    {"until a noisy threshold is reached",
     REALS("t <$ Lap(0, 4/eps); go := true; k := 0; while go and k < T {" NOISY_MAX
           "y <$ Lap(q[arg], 8/eps); if y >= t { go := false; emit 1; } else { emit 0; }"
           "k := k + 1; }"),
     "(1 + T)/2*eps"},
    {"a pair",
     PARAMS "mechanism m(private q : real[n]) returns (int, real) adjacent"
            "  all_within(q, 1) {" NOISY_MAX "z <$ Lap(q[arg], 2/eps); return (arg, z); }\n"
            "claim private m epsilon ?;",
     "eps"},
    {"two arrays",
     PARAMS "mechanism m(private q : real[n], private u : real[n]) emits real adjacent"
            "  all_within(q, 1) and one_differs(u, 1) {" NOISY_MAX "emit arg;"
            "  sum := 0.0; for j in 0..n { sum := sum + u[j]; }"
            "  y <$ Lap(sum, 2/eps); emit y; }\nclaim private m epsilon ?;",
     "eps"},
    {"a row of a table in each round",
     PARAMS "mechanism m(private q : real[T][n]) emits real adjacent"
            "  forall t in 0..T, i in 0..n. within(q[t][i], 1) {"
            "  for t in 0..T {" MAX_OF("Lap(q[t][i], 4/eps)") "emit arg; } }\n"
                                                              "claim private m epsilon ?;",
     "eps*T/2"},
    {"answers go into the next round",
     REALS("z := 0.0; for t in 0..T {" MAX_OF("Lap(q[i] - z, 4/eps)") MEASURE "}"), "eps*T"},
    {"data summed up along the way",
     PARAMS "mechanism m(private q : real[n], private u : real[T]) emits real adjacent"
            "  all_within(q, 1) and one_differs(u, 1) { sum := 0.0; for t in 0..T {"
            "  sum := sum + u[t];" NOISY_MAX "emit arg; } y <$ Lap(sum, 2/eps); emit y; }\n"
            "claim private m epsilon ?;",
     "(1 + T)/2*eps"},
};

static void cost_is_that_of_the_whole(void **state) {
  (void)state;
  auto_check_rows(auto_composed, around, sizeof around / sizeof *around);
}

/* Ways to write the part itself. */
static const struct auto_row styles[] = {
    {"discrete",
     INTS("best := 0; arg := 0; for i in 0..n { s <$ DLap(q[i], 4/eps);"
          "  if i = 0 or s > best { best := s; arg := i; } } z <$ DLap(q[arg], 2/eps); emit z;"),
     "eps"},
    {"one-sided noise", REALS("for t in 0..T {" MAX_OF("Exp(q[i], 4/eps)") MEASURE "}"), "eps*T"},
    {"smallest",
     REALS("best := 0.0; arg := 0; for i in 0..n { s <$ Lap(q[i], 4/eps);"
           "  if i = 0 or s < best { best := s; arg := i; } }" MEASURE),
     "eps"},
    {"monotone", MECHANISM("real", "monotone(q, 1)", NOISY_MAX MEASURE), "3*eps/4"},
    {"increasing, both directions",
     MECHANISM("real", "all_increase(q, 1)", "for t in 0..T {" NOISY_MAX MEASURE "}"), "3*eps*T/4"},
    {"only one differs", MECHANISM("real", "one_differs(q, 1)", NOISY_MAX MEASURE), "3*eps/4"},
    {"from the end",
     REALS("best := 0.0; arg := 0; i := n - 1; while i >= 0 {"
           "  s <$ Lap(q[i], 4/eps); if i = n - 1 or s >= best { best := s; arg := i; }"
           "  i := i - 1; }" MEASURE),
     "eps"},
    {"the first before the loop",
     REALS("for t in 0..T { best <$ Lap(q[0], 4/eps); arg := 0; for i in 1..n {"
           "  s <$ Lap(q[i], 4/eps); if s > best { best := s; arg := i; } }" MEASURE "}"),
     "eps*T"},
    {"drawn beforehand",
     REALS("for t in 0..T { var noisy : real[n]; for i in 0..n { noisy[i] <$ Lap(q[i], 4/eps); }"
           "  arg := 0; for j in 1..n { if noisy[j] > noisy[arg] { arg := j; } }" MEASURE "}"),
     "eps*T"},
    {"in a procedure",
     PARAMS
     "procedure pick(q : real[n]) : int {" NOISY_MAX "return arg; }\n"
     "mechanism m(private q : real[n]) emits real adjacent all_within(q, 1) {"
     "  for t in 0..T { k := pick(q); z <$ Lap(q[k], 2/eps); emit z; } k := pick(q); emit k; }\n"
     "claim private m epsilon ?;",
     "(1 + 2*T)/2*eps"},
};

/* The best of those that are left: an iteration may pass, and perhaps all do. */
#define PEEL(start, how)                                                                           \
  INTS_OF_REALS(                                                                                   \
      "var used : int[n]; for j in 0..n { used[j] := 0; } for t in 0..T { best := 0.0; " start     \
      " for i in 0..n { " how " } emit arg;"                                                       \
      " if 0 <= arg and arg < n { used[arg] := 1; } }")
#define INTS_OF_REALS(body)                                                                        \
  PARAMS "mechanism m(private q : real[n]) emits int adjacent all_within(q, 1) {" body             \
         "}\nclaim private m epsilon ?;"

static const struct auto_row peeling[] = {
    {"a flag",
     PEEL("arg := 0; first := true;",
          "s <$ Lap(q[i], 4/eps); if used[i] = 0 and (first or s > best)"
          "  { best := s; arg := i; first := false; }"),
     "eps*T/2"},
    {"no winner yet",
     PEEL("arg := -1;", "s <$ Lap(q[i], 4/eps); if used[i] = 0 and (arg < 0 or s > best)"
                        "  { best := s; arg := i; }"),
     "eps*T/2"},
    {"no noise for those that pass",
     PEEL("arg := n;", "if used[i] = 0 { s <$ Lap(q[i], 4/eps); if arg = n or s > best"
                       "  { best := s; arg := i; } }"),
     "eps*T/2"},
};

static void entries_may_be_left_out(void **state) {
  (void)state;
  auto_check_rows(auto_composed, peeling, sizeof peeling / sizeof *peeling);
}

static void style_does_not_matter(void **state) {
  (void)state;
  auto_check_rows(auto_composed, styles, sizeof styles / sizeof *styles);
}

/* What the part writes besides the winner is not equal, and must not be used. */
static const struct auto_row hopeless[] = {
    {"the winning value is emitted", REALS(NOISY_MAX "emit best; " MEASURE), NULL},
    {"the last noisy value is emitted", REALS("s := 0.0; " NOISY_MAX "emit s; " MEASURE), NULL},
    {"what is read depends on the inputs",
     REALS("k := 0; if declassify(q[0] > 0) { k := 1; } best := 0.0; arg := 0; for i in 0..n {"
           "  s <$ Lap(q[i], 4/eps); if i != k and (i = 0 or s > best) { best := s; arg := i; } "
           "}" MEASURE),
     NULL},
    {"nothing bounds the differences", MECHANISM("real", "true", NOISY_MAX MEASURE), NULL},
    {"not a contest",
     REALS("arg := 0; for i in 0..n { if declassify(q[i] > 0) { arg := i; } }" MEASURE), NULL},
};

/* Scores of data sets, whose sensitivity is known for results in a range. */
#define SCORES(declarations, output, body)                                                         \
  "type Db; op Adj(d, e : Db) : bool; op score(d : Db, r : int) : real;\n" PARAMS                  \
  "axiom symmetric: forall d, e : Db. Adj(d, e) -> Adj(e, d);\n"                                   \
  "axiom sensitivity: forall d, e : Db, r in 0..n. Adj(d, e) ->"                                   \
  "  abs(score(d, r) - score(e, r)) <= 1;\n" declarations "mechanism m(private d : Db) " output    \
  " adjacent Adj(d<1>, d<2>) {" body "}\nclaim private m epsilon ?;"
#define BEST_SCORE(noise)                                                                          \
  "best := 0.0; arg := 0; for r in 0..n { s <$ " noise                                             \
  "; if r = 0 or s > best { best := s; arg := r; } } "

static const struct auto_row scores[] = {
    {"exponential mechanism and a measurement",
     SCORES("", "emits real",
            "for t in 0..T {" BEST_SCORE(
                "Exp(score(d, r), 4*T/eps)") "z <$ Lap(score(d, arg), 2*T/eps); emit z; }"),
     "eps"},
    {"an adversary chooses what the scores are compared with",
     SCORES("adversary next(answers : list(real)) : int;\n", "returns list(real)",
            "var answers : list(real) := []; for t in 0..T { off := next(answers);" BEST_SCORE(
                "Lap(score(d, r) - off, 4/eps)") "z <$ Lap(score(d, arg), 2/eps);"
                                                 "  answers := z :: answers; } return answers;"),
     "eps*T"},
    {"the first above a threshold, then the best",
     SCORES("", "emits int",
            "h <$ Lap(0, 4/eps); hit := false; for i in 0..n { if not hit {"
            "  s <$ Lap(score(d, i), 8/eps); if s >= h { hit := true; emit i; } } }" BEST_SCORE(
                "Lap(score(d, r), 4/eps)") "emit arg;"),
     "eps"},
    {"until one is chosen, then returned",
     SCORES("", "returns int",
            "for t in 0..T {" BEST_SCORE("Lap(score(d, r), 4*T/eps)") "if arg = 3 { return t; } }"
                                                                      "return -1;"),
     "eps/2"},
};

static void data_sets_and_adversaries(void **state) {
  (void)state;
  auto_check_rows(auto_composed, scores, sizeof scores / sizeof *scores);
}

static void hopeless_is_not_proved(void **state) {
  (void)state;
  auto_check_rows(auto_composed, hopeless, sizeof hopeless / sizeof *hopeless);
}

/* The claims that a smaller scale, or a smaller epsilon, makes false. */
static void too_cheap_is_not_proved(void **state) {
  (void)state;
  static const char *const claims[][3] = {
      {"4/eps", "2/eps", "0.999*eps"}, {"3.99/eps", "2/eps", "eps"}, {"4/eps", "1.99/eps", "eps"}};
  for (size_t i = 0; i < 3; i++) {
    char *text = xasprintf(
        PARAMS "mechanism m(private q : real[n]) emits real"
               "  adjacent all_within(q, 1) {" MAX_OF(
                   "Lap(q[i], %s)") "z <$ Lap(q[arg], %s); emit z; }\nclaim private m epsilon %s;",
        claims[i][0], claims[i][1], claims[i][2]);
    struct auto_run r;
    auto_run_text(&r, NULL, text);
    assert_false(r.result.proved);
    assert_non_null(r.result.obstacle.message);
    if (!strstr(r.result.obstacle.message, "this part by itself, for each value of arg,"))
      fail_msg("%s", r.result.obstacle.message);
    auto_run_clear(&r);
    free(text);
  }
}

/* Where both runs can take the same branches for less, that is what is found. */
static void least_of_all_strategies(void **state) {
  (void)state;
  static const struct auto_row rows[] = {
      {"the cheaper coupling of three queries",
       PARAMS "mechanism m(private q : real[3]) emits real adjacent all_within(q, 1) {"
              "  best := 0.0; arg := 0; for i in 0..3 { s <$ Lap(q[i], 4/eps);"
              "    if i = 0 or s > best { best := s; arg := i; } }" MEASURE "}\n"
              "claim private m epsilon ?;",
       "eps"},
      {"the whole is a contest",
       PARAMS "mechanism m(private q : real[n]) returns int adjacent"
              "  all_within(q, 1) {" NOISY_MAX "return arg; }\n"
              "claim private m epsilon ?;",
       "eps/2"},
      {"nothing to be gained", REALS("for i in 0..T { z <$ Lap(q[0], 2/eps); emit z; }"),
       "eps*T/2"},
  };
  auto_check_rows(NULL, rows, sizeof rows / sizeof *rows);
}

#define ROUNDS(proof)                                                                              \
  PARAMS "mechanism m(private q : real[n]) emits real adjacent all_within(q, 1) { for t in 0..T "  \
         "{" MAX_OF("Lap(q[i], 4*T/eps)") "z <$ Lap(q[arg], 2*T/eps); emit z; } }\n"               \
                                          "claim private m epsilon eps proof { loop {" proof "} }"

/* Steps that are given bind; parts are found around them. */
static void partial_proofs_are_completed(void **state) {
  (void)state;
  static const struct {
    const char *text;
    bool proved;
  } rows[] = {
      {ROUNDS("sample z: shift 0 within 1;"), true},
      {ROUNDS("budget (T - t)*eps/T;"), true},
      {ROUNDS("budget (T - t)*eps/T; loop { sample s: shift 1; }"), false},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    struct lang lang;
    lang_init(&lang);
    struct ast_module *m = lang_load_text(&lang, "m.dp", rows[i].text, strlen(rows[i].text));
    struct auto_options options = {.proof = believe_default_options(), .complete = true};
    struct auto_result result;
    auto_prove(&lang, m, m->decls[m->decl_count - 1], &options, &result);
    assert_int_equal(result.proved, rows[i].proved);
    auto_result_clear(&result);
    lang_clear(&lang);
  }
}

/* What is shown to people. */
static void proof_is_readable(void **state) {
  (void)state;
  static const char wanted[] =
      "{\n"
      "  loop {\n"
      "    invariant t <= T;\n"
      "    budget (T - t)*eps;\n"
      "    pointwise arg = r {\n"
      "      budget eps/2;\n"
      "      gives 0 <= arg <= n - 1;\n"
      "      loop {\n"
      "        invariant 0 <= arg <= n - 1;\n"
      "        invariant i <= r -> i = 0 or abs(best<2> - best<1>) <= 1 and"
      " arg != r;\n"
      "        invariant r < i -> (arg = r -> arg<2> = r and best<2> ="
      " best<1> + 1);\n"
      "        budget if i <= r then eps/2 else 0;\n"
      "        sample s: when i = r shift 1 within 2 else null;\n"
      "      }\n"
      "    }\n"
      "    sample z: shift 0 within 1;\n"
      "  }\n"
      "}";
  struct auto_run r;
  auto_run_text(&r, NULL, REALS("for t in 0..T {" NOISY_MAX MEASURE "}"));
  assert_string_equal(r.result.proof, wanted);
  assert_string_equal(r.result.strategy, "parts; align");
  auto_run_clear(&r);
}

/* Distances that add up over loops; the cost is what all of them may be together. */
#define SUM(array) "(sum i in 0..n. abs(" array "<1>[i] - " array "<2>[i]))"
#define SHARED(adjacency, body)                                                                    \
  "param n : int, n >= 0;\n"                                                                       \
  "mechanism m(private a : real[n], private b : real[n]) emits real adjacent " adjacency " {" body \
  "}\nclaim private m epsilon ?;"
#define FIRST "for i in 0..n { y <$ Lap(a[i], 2); emit y; }"
static const struct auto_row shared[] = {
    {"two loops, noise around the value and added to it",
     SHARED(SUM("a") " + " SUM("b") " <= 3",
            FIRST "for i in 0..n { z <$ Lap(0, 2); emit b[i] + z; }"),
     "3/2"},
    {"a loop that counts by hand",
     SHARED(SUM("a") " + " SUM("b") " <= 3",
            FIRST "j := 0; while j < n { z <$ Lap(b[j], 2); emit z; j := j + 1; }"),
     "3/2"},
    {"two in an iteration",
     SHARED("sum i in 0..n. (abs(a<1>[i] - a<2>[i]) + abs(b<1>[i] - b<2>[i])) <= 3",
            "for i in 0..n { y <$ Lap(a[i], 2); emit y; z <$ Lap(b[i], 2); emit z; }"),
     "3/2"},
    {"one of them twice", SHARED(SUM("a") " + " SUM("b") " <= 3", FIRST FIRST), NULL},
    {"one that the adjacency says nothing of",
     SHARED(SUM("a") " <= 3", FIRST "for i in 0..n { z <$ Lap(b[i], 2); emit z; }"), NULL},
    {"different noise",
     SHARED(SUM("a") " + " SUM("b") " <= 3", FIRST "for i in 0..n { z <$ Lap(b[i], 1); emit z; }"),
     NULL},
};

/* The distance is one of rows, and columns are given out. */
#define COLUMNS(body)                                                                              \
  "param n, d : int, n >= 0, d >= 0;\nmechanism m(private x : real[n][d]) emits real"              \
  "  adjacent exists r in 0..n. (forall i in 0..n. i != r -> x<1>[i] = x<2>[i])"                   \
  "    and (sum j in 0..d. abs(x<1>[r][j] - x<2>[r][j])) <= 3 {" body                              \
  "}\nclaim private m epsilon ?;"
static const struct auto_row columns[] = {
    {"column by column",
     COLUMNS("for j in 0..d { s := 0.0; for i in 0..n { s := s + x[i][j]; }"
             "  y <$ Lap(s, 2); emit y; }"),
     "3/2"},
    {"record by record",
     COLUMNS("var s : real[d]; for i in 0..n { for j in 0..d { s[j] := s[j] + x[i][j]; } }"
             "for j in 0..d { y <$ Lap(s[j], 2); emit y; }"),
     "3/2"},
    {"records count twice",
     COLUMNS("for j in 0..d { s := 0.0; for i in 0..n { s := s + 2*x[i][j]; }"
             "  y <$ Lap(s, 2); emit y; }"),
     NULL},
};

static void distances_are_shared(void **state) {
  (void)state;
  auto_check_rows(auto_shared, shared, sizeof shared / sizeof *shared);
  auto_check_rows(auto_shared, columns, sizeof columns / sizeof *columns);
}

int main(int argc, char **argv) {
  if (argc > 1) return auto_show_files(auto_composed, argc - 1, argv + 1);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(cost_is_that_of_the_whole), cmocka_unit_test(style_does_not_matter),
      cmocka_unit_test(entries_may_be_left_out),   cmocka_unit_test(data_sets_and_adversaries),
      cmocka_unit_test(hopeless_is_not_proved),    cmocka_unit_test(too_cheap_is_not_proved),
      cmocka_unit_test(least_of_all_strategies),   cmocka_unit_test(partial_proofs_are_completed),
      cmocka_unit_test(proof_is_readable),         cmocka_unit_test(distances_are_shared)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
