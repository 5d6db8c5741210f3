/* The synchronous strategy: sparse vector, sums, histograms and counters in many styles are proved
 * with no annotation, at the least cost; what is not private in this way is not. With file names as
 * arguments: shows what it finds there.
 * ctest-label: release */
#include <stdio.h>
#include <string.h>

#include "auto_rows.h"
#include "search/align/strategy.h"
#include "testlib.h"

#define CHECK_ROWS(rows) auto_check_rows(auto_align, rows, sizeof(rows) / sizeof *(rows))

#define PARAMS "param eps : real, eps > 0; param n : int, n >= 0; param N : int, N >= 1;\n"
#define SVT(emits, body)                                                                           \
  PARAMS "mechanism m(private q : real[n], T : real) emits " emits                                 \
         " adjacent all_within(q, 1) {" body "}\nclaim private m epsilon ?;"
#define SUM(emits, body)                                                                           \
  PARAMS "mechanism m(private q : real[n]) " emits " adjacent one_differs(q, 1) {" body            \
         "}\nclaim private m epsilon ?;"

/* Sparse vector in other words: always the same cost. */
static const struct auto_row svt_styles[] = {
    {"threshold noise apart, comparison turned round",
     SVT("bool", "noise <$ Lap(0, 2/eps); bar := T + noise; hits := 0; k := 0;"
                 "while k < n and hits < N { z <$ Lap(q[k], 4*N/eps);"
                 "  if bar > z { emit false; } else { emit true; hits := hits + 1; }"
                 "  k := k + 1; }"),
     "eps"},
    {"counts down, increments first",
     SVT("bool", "t <$ Lap(T, 2/eps); left := N; i := -1;"
                 "while i < n - 1 and left > 0 { i := i + 1; s <$ Lap(q[i], 4*N/eps);"
                 "  above := s >= t; if above { left := left - 1; } emit above; }"),
     "eps"},
    {"expression instead of a branch",
     SVT("bool", "t <$ Lap(T, 2/eps); count := 0; i := 0;"
                 "while i < n and count < N { s <$ Lap(q[i], 4*N/eps);"
                 "  count := count + (if s >= t then 1 else 0); emit s >= t; i := i + 1; }"),
     "eps"},
    {"cut-off inside the loop",
     SVT("bool", "t <$ Lap(T, 2/eps); count := 0; for i in 0..n { if count < N {"
                 "  s <$ Lap(q[i], 4*N/eps); emit s >= t; if s >= t { count := count + 1; } } }"),
     "eps"},
    {"a new threshold after each hit",
     SVT("bool", "t <$ Lap(T, 2*N/eps); count := 0; i := 0;"
                 "while i < n and count < N { s <$ Lap(q[i], 4*N/eps);"
                 "  if s >= t { emit true; count := count + 1; t <$ Lap(T, 2*N/eps); }"
                 "  else { emit false; } i := i + 1; }"),
     "eps"},
    {"a new threshold after each hit, the cut-off inside", /* the last one is drawn for nothing */
     SVT("bool", "t <$ Lap(T, 2*N/eps); count := 0; for i in 0..n { if count != N {"
                 "  s <$ Lap(q[i], 4*N/eps); if s >= t { emit true; count := count + 1;"
                 "    t <$ Lap(T, 2*N/eps); } else { emit false; } } }"),
     "eps"},
    {"a new threshold when one is needed",
     SVT("bool", "fresh := true; left := N; i := 0; t := T; while i < n and left > 0 {"
                 "  if fresh { t <$ Lap(T, 2*N/eps); fresh := false; } s <$ Lap(q[i], 4*N/eps);"
                 "  if s >= t { emit true; left := left - 1; fresh := true; }"
                 "  else { emit false; } i := i + 1; }"),
     "eps"},
    {"a new threshold after each hit, one more query at the end: it pays, not the threshold",
     SVT("bool", "t <$ Lap(T, 2*N/eps); count := 0; i := 0;"
                 "while i < n and count < N { s <$ Lap(q[i], 4*N/eps);"
                 "  if s >= t { emit true; count := count + 1; t <$ Lap(T, 2*N/eps); }"
                 "  else { emit false; } i := i + 1; }"
                 "if 0 < n { s <$ Lap(q[0], 4*N/eps); emit s >= t; }"),
     "(1 + 4*N)*eps/(4*N)"},
    {"a new threshold is drawn, and then the loop ends: it is not moved for nothing",
     SVT("bool", "t <$ Lap(T, 2*N/eps); count := 0; for i in 0..n { s <$ Lap(q[i], 4*N/eps);"
                 "  if s >= t { emit true; count := count + 1; t <$ Lap(T, 2*N/eps);"
                 "    if count = N { break; } } else { emit false; } }"),
     "eps"},
    {"several passes, hits counted over all of them",
     SVT("int", "t <$ Lap(T, 2/eps); count := 0; for p in 0..n { for i in 0..n { if count < N {"
                "  s <$ Lap(q[i], 4*N/eps); if s >= t { emit i; count := count + 1; } } } }"),
     "eps"},
};

/* The index of the first hit; the sensitivity is a parameter. */
#define FIRST(body)                                                                                \
  PARAMS "param K : real, K > 0; mechanism m(private q : real[n], T : real) returns int"           \
         " adjacent all_within(q, K) { t <$ Lap(T, 2*K/eps);" body "}\nclaim private m epsilon ?;"
static const struct auto_row first_hits[] = {
    {"an impossible index as a mark",
     FIRST("found := -1; i := 0; while i < n and found < 0 { s <$ Lap(q[i], 4*K/eps);"
           "  if s >= t { found := i; } i := i + 1; } return found;"),
     "eps"},
    {"a flag alone guards the loop",
     FIRST("go := true; i := 0; answer := n; while go { if i >= n { go := false; } else {"
           "  s <$ Lap(q[i], 4*K/eps); if s >= t { go := false; answer := i; } else { i := i + 1; "
           "} } }"
           "  return answer;"),
     "eps"},
    {"a number as a flag",
     FIRST("done := 0; answer := n; for i in 0..n { if done = 0 { s <$ Lap(q[i], 4*K/eps);"
           "  if s >= t { answer := i; done := 1; } } } return answer;"),
     "eps"},
};

static void svt_in_other_words(void **state) {
  (void)state;
  CHECK_ROWS(svt_styles);
  CHECK_ROWS(first_hits);
}

static const struct auto_row sums[] = {
    {"answers are collected, not emitted",
     SUM("returns list(real)", "var l : list(real) := []; for i in 0..n { s <$ Lap(q[i], 1/eps);"
                               "  l := s :: l; } return l;"),
     "eps"},
    {"noisy values are added up: equality is asked for where it is needed",
     SUM("returns real", "total := 0.0; for i in 0..n { s <$ Lap(q[i], 1/eps);"
                         "  total := total + s; } return total;"),
     "eps"},
    {"from the end",
     SUM("emits real", "i := n - 1; while i >= 0 { s <$ Lap(q[i], 2/eps); emit s; i := i - 1; }"),
     "eps/2"},
    {"twice",
     SUM("emits real", "for i in 0..n { s <$ Lap(q[i], 1/eps); emit s; }"
                       "for j in 0..n { r <$ Lap(q[j], 1/eps); emit r; }"),
     "2*eps"},
    {"a weighted sum",
     SUM("returns real", "sum := 0.0; for i in 0..n { sum := sum + 3*q[i]; }"
                         "s <$ Lap(sum, 1/eps); return s;"),
     "3*eps"},
    {"pairs of neighbours",
     SUM("emits real", "i := 0; while i + 1 < n { s <$ Lap(q[i] + q[i + 1], 1/eps); emit s;"
                       "  i := i + 2; }"),
     "eps"},
    {"overlapping pairs", /* each element is read twice */
     PARAMS "mechanism m(private q : real[n]) emits real adjacent one_differs(q, 1) {"
            "  for i in 0..n - 1 { s <$ Lap(q[i] + q[i + 1], 1/eps); emit s; } }\n"
            "claim private m epsilon 2*eps;",
     "2*eps"},
    {"how many are above a bound: the runs part and meet again",
     PARAMS "mechanism m(private q : real[n], T : real) returns real adjacent one_differs(q, 1) {"
            "  c := 0.0; for i in 0..n { if declassify(q[i]) >= T { c := c + 1; } }"
            "  s <$ Lap(c, 1/eps); return s; }\nclaim private m epsilon ?;",
     "eps"},
    {"kept in an array: its equality is asked for where it is needed",
     SUM("returns list(real)", "var l : list(real) := []; var a : real[n];"
                               "for i in 0..n { s <$ Lap(q[i], 1/eps); a[i] := s; }"
                               "for i in 0..n { l := a[i] :: l; } return l;"),
     "eps"},
    {"two inputs, each with an index that differs",
     PARAMS "mechanism m(private q : real[n], private r : real[n]) emits real"
            " adjacent one_differs(q, 1) and one_differs(r, 1) {"
            "  for i in 0..n { s <$ Lap(q[i] + r[i], 2/eps); emit s; } }\n"
            "claim private m epsilon ?;",
     "eps"},
    {"clamped",
     SUM("returns real", "sum := 0.0; for i in 0..n { sum := sum + max(0, min(1, q[i])); }"
                         "s <$ Lap(sum, 1/eps); return s;"),
     "eps"},
    {"half of what is left, by way of a variable",
     PARAMS "mechanism m(private q : real[n]) emits real adjacent all_within(q, 1) {"
            "  left := eps; for i in 0..n { share := left/2; y <$ Lap(q[i], 1/share); emit y;"
            "    left := left - share; } }\nclaim private m epsilon ?;",
     "eps"},
};

static void sums_and_histograms(void **state) {
  (void)state;
  CHECK_ROWS(sums);
}

/* Loops in loops. */
static const struct auto_row nested[] = {
    {"several rounds of above threshold",
     SVT("bool", "for r in 0..N { t <$ Lap(T, 2*N/eps); i := 0; found := false;"
                 "  while i < n and not found { s <$ Lap(q[i], 4*N/eps);"
                 "    if s >= t { found := true; } i := i + 1; } emit found; }"),
     "eps"},
    {"a histogram, bin by bin",
     PARAMS "mechanism m(private d : int[n]) emits int adjacent one_differs(d, 9) {"
            "  for b in 0..N { c := 0; for i in 0..n { if declassify(d[i]) = b { c := c + 1; } }"
            "    s <$ DLap(c, N/eps); emit s; } }\nclaim private m epsilon ?;",
     "2*eps/N"},
    {"the same element several times",
     SUM("emits real", "for i in 0..n { for j in 0..N { s <$ Lap(q[i], N/eps); emit s; } }"),
     "eps"},
    {"a loop without data before the noise",
     SUM("emits real", "i := 0; while i < n { j := 0; a := 0.0; while j <= i { a := a + 1;"
                       "  j := j + 1; } s <$ Lap(q[i] + a, 1/eps); emit s; i := i + 1; }"),
     "eps"},
};

static void loops_in_loops(void **state) {
  (void)state;
  CHECK_ROWS(nested);
}

/* What a loop returns has no value before, and neither have variables of a branch on data. */
static const struct auto_row unset[] = {
    {"the first that is above, with a second look",
     PARAMS "mechanism m(private q : real[n], T : real) returns (int, real)"
            " adjacent all_within(q, 1) { t <$ Lap(T, 4/eps); for i in 0..n {"
            "  s <$ Lap(q[i], 8/eps); if s >= t { y <$ Lap(q[i], 2/eps); return (i, y); } }"
            "  return (-1, 0); }\nclaim private m epsilon ?;",
     "eps"},
    {"one of them, whichever the coin says",
     SUM("returns real", "for i in 0..n { stop <$ Bernoulli(1/3);"
                         "  if stop { y <$ Lap(q[i], 1/eps); return y; } } return 0;"),
     "eps"},
    {"a helper with several returns, in a branch on data",
     PARAMS "procedure clip(v : real) : real {"
            "  if v > 5 { return 5; } if v < 0 { return 0; } return v; }\n"
            "mechanism m(private x : option(real)[n]) returns real adjacent add_remove(x) {"
            "  sum := 0.0; for i in 0..n { if is_some(x[i]) {"
            "    c := clip(value(x[i])); sum := sum + c; } }"
            "  y <$ Lap(sum, 5/eps); return y; }\nclaim private m epsilon ?;",
     "eps"},
    {"found, and then looked at",
     PARAMS "procedure find(q : real[n], t : real) : int { for i in 0..n {"
            "  s <$ Lap(q[i], 8/eps); if s > t { return i; } } return -1; }\n"
            "mechanism m(private q : real[n], T : real) returns (int, real)"
            " adjacent all_within(q, 1) { t <$ Lap(T, 4/eps); r := find(q, t);"
            "  if r >= 0 { y <$ Lap(q[r], 2/eps); return (r, y); } return (r, 0); }\n"
            "claim private m epsilon ?;",
     "eps"},
    {"a helper with a sum and a number, a name used again after that",
     PARAMS "procedure both(x : option(real)[]) : (real, int) { s := 0.0; c := 0;"
            "  for i in 0..length(x) { if is_some(x[i]) {"
            "    s := s + max(0, min(5, value(x[i]))); c := c + 1; } } return (s, c); }\n"
            "mechanism m(private x : option(real)[n]) returns (real, real) adjacent add_remove(x) {"
            "  r := both(x); (s, c) := r; y <$ Lap(s, 10/eps); s := 0; r := (s, 3);"
            "  z <$ Lap(c, (r.2 - 1)/eps); return (y, z + r.1); }\n"
            "claim private m epsilon ?;",
     "eps"},
    {"data that are returned from the loop",
     SUM("returns real", "for i in 0..n { stop <$ Bernoulli(1/3);"
                         "  if stop { return declassify(q[i]); } } return 0;"),
     NULL},
};

static void unset_variables(void **state) {
  (void)state;
  CHECK_ROWS(unset);
}

/* What cannot be coupled so is not proved, and the place is named. */
static const struct {
  const char *name, *text, *obstacle;
} hopeless[] = {
    {"the noisy value of a hit is published",
     "param eps : real, eps > 0; param n : int, n >= 0;\n"
     "mechanism m(private q : real[n], T : real) emits real adjacent all_within(q, 1) {"
     "  t <$ Lap(T, 2/eps); for i in 0..n { s <$ Lap(q[i], 4/eps); if s >= t { emit s; } } }\n"
     "claim private m epsilon eps;",
     "costs"},
    {"no noise",
     SUM("returns real", "sum := 0.0; for i in 0..n { sum := sum + q[i]; }"
                         "return declassify(sum);"),
     "cannot be made equal"},
    {"data decide", SVT("bool", "for i in 0..n { if declassify(q[i]) >= T { emit true; } }"),
     "branch"},
    {"noise of the wrong scale",
     "param eps : real, eps > 0;\n"
     "mechanism m(private q : real) returns real adjacent within(q, 1) {"
     "  s <$ Lap(q, 1/(2*eps)); return s; }\nclaim private m epsilon eps;",
     "costs 2*eps"},
    {"only upwards",
     "param eps : real, eps > 0;\n"
     "mechanism m(private q : real) returns real adjacent within(q, 1) {"
     "  s <$ Exp(q, 1/eps); return s; }\nclaim private m epsilon ?;",
     NULL},
};

static void hopeless_is_not_proved(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof hopeless / sizeof *hopeless; i++) {
    const struct auto_row row = {hopeless[i].name, hopeless[i].text, NULL};
    auto_check_rows(auto_align, &row, 1);
    struct auto_run r;
    auto_run_text(&r, auto_align, row.text);
    const char *said = r.result.obstacle.message;
    if (hopeless[i].obstacle && (!said || !strstr(said, hopeless[i].obstacle)))
      fail_msg("%s: `%s`", row.name, said ? said : "nothing is said");
    auto_run_clear(&r);
  }
}

static void examples_are_proved(void **state) {
  (void)state;
  static const char *const files[] = {"laplace",
                                      "above_threshold",
                                      "adaptive_svt",
                                      "svt_monotone_increase",
                                      "partial_sum",
                                      "prefix_sum",
                                      "smart_sum",
                                      "noisy_hist",
                                      "interactive_svt",
                                      "num_svt_discrete",
                                      "two_level_counter_discrete"};
  for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
    char path[200];
    snprintf(path, sizeof path, "examples/correct/%s.dp", files[i]);
    auto_check_file(auto_align, path);
  }
}

int main(int argc, char **argv) {
  if (argc > 1) return auto_show_files(auto_align, argc - 1, argv + 1);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(svt_in_other_words),     cmocka_unit_test(sums_and_histograms),
      cmocka_unit_test(loops_in_loops),         cmocka_unit_test(unset_variables),
      cmocka_unit_test(hopeless_is_not_proved), cmocka_unit_test(examples_are_proved)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
