/* The synchronous strategy where the adjacency is not one number for one input: differences that
 * are bounded together, sensitivities that are parameters, values that are computed from data. The
 * cost is the least one.
 * ctest-label: release */
#include "auto_rows.h"
#include "search/align/strategy.h"
#include "testlib.h"

#define CHECK_ROWS(rows) auto_check_rows(auto_align, rows, sizeof(rows) / sizeof *(rows))

#define PARAMS "param eps : real, eps > 0; param n : int, n >= 0; param N : int, N >= 1;\n"

/* Differences that the adjacency bounds together. */
#define PAIR(adjacency, body)                                                                      \
  PARAMS "mechanism m(private a : real, private b : real) emits real adjacent " adjacency          \
         " {" body " emit x; emit y; }\nclaim private m epsilon ?;"
static const struct auto_row together[] = {
    {"each by itself",
     PAIR("within(a, 1) and within(b, 1)", "x <$ Lap(a, 1/eps); y <$ Lap(b, 1/eps);"), "2*eps"},
    {"the sum of the changes",
     PAIR("abs(a<1> - a<2>) + abs(b<1> - b<2>) <= 1", "x <$ Lap(a, 1/eps); y <$ Lap(b, 1/eps);"),
     "eps"},
    {"the smaller noise decides",
     PAIR("abs(a<1> - a<2>) + abs(b<1> - b<2>) <= 1", "x <$ Lap(a, 3/eps); y <$ Lap(b, 2/eps);"),
     "eps/2"},
    {"one of them is read twice",
     PAIR("abs(a<1> - a<2>) + abs(b<1> - b<2>) <= 1",
          "x <$ Lap(a + b, 1/eps); y <$ Lap(b, 1/eps);"),
     "2*eps"},
    {"weights",
     PAIR("abs(a<1> - a<2>)/2 + abs(b<1> - b<2>) <= 1", "x <$ Lap(a, 2/eps); y <$ Lap(b, 1/eps);"),
     "eps"},
    {"no abs, but a direction",
     PAIR("a<1> <= a<2> and b<1> <= b<2> and a<2> - a<1> + b<2> - b<1> <= 1",
          "x <$ Lap(a, 1/eps); y <$ Lap(b, 1/eps);"),
     "eps"},
    {"only the difference of the changes is bounded",
     PAIR("within(a, 1) and within(b, 1) and a<2> - a<1> - b<2> + b<1> <= 1",
          "x <$ Lap(a, 1/eps); y <$ Lap(b, 1/eps);"),
     "2*eps"},
    {"three, by a parameter, in a loop",
     PARAMS "param K : real, K > 0; mechanism m(private v : real[3]) emits real adjacent"
            " abs(v<1>[0] - v<2>[0]) + abs(v<1>[1] - v<2>[1]) + abs(v<1>[2] - v<2>[2]) <= K {"
            "  for i in 0..N { x <$ Lap(v[0], N*K/eps); y <$ Lap(v[1], N*K/eps);"
            "    z <$ Lap(v[2], 2*N*K/eps); emit x; emit y; emit z; } }\n"
            "claim private m epsilon ?;",
     "eps"},
};

/* Sensitivities that are parameters, several of them. */
#define KINDS(signature, body)                                                                     \
  PARAMS "param K : real, K > 0; param M : real, M > 0; mechanism m(" signature " {" body          \
         "}\nclaim private m epsilon ?;"
#define TWO "private a : real, private b : real) emits real adjacent within(a, K) and within(b, M)"
static const struct auto_row kinds[] = {
    {"one after the other", KINDS(TWO, "x <$ Lap(a, K/eps); y <$ Lap(b, 2*M/eps); emit x; emit y;"),
     "3*eps/2"},
    {"a parameter and 1",
     KINDS("private a : int, private b : real) emits real adjacent within(a, 1) and within(b, K)",
           "x <$ DLap(a, 1/eps); y <$ Lap(b, K/eps); emit x; emit y;"),
     "2*eps"},
    {"added up", KINDS(TWO, "x <$ Lap(2*a - b, (2*K + M)/eps); emit x;"), "eps"},
    {"noise for the other one", KINDS(TWO, "x <$ Lap(a, M/eps); emit x;"), "eps*K/M"},
    {"a threshold for the one, a sum for the other",
     KINDS("private q : real[n], private r : real[n], T : real) emits real adjacent"
           " all_within(q, K) and one_differs(r, M)",
           "sum := 0.0; for j in 0..n { sum := sum + r[j]; } y <$ Lap(sum, M/eps); emit y;"
           "t <$ Lap(T, 2*K/eps); i := 0; found := false; while i < n and not found {"
           "  s <$ Lap(q[i], 4*K/eps); if s >= t { found := true; } i := i + 1; }"
           "emit if found then 1 else 0;"),
     "2*eps"},
    {"bounded together, each in its own unit",
     KINDS("private a : real, private b : real) emits real adjacent"
           " abs(a<1> - a<2>)/K + abs(b<1> - b<2>)/M <= 1",
           "x <$ Lap(a, K/eps); emit x; y <$ Lap(b, M/eps); emit y;"),
     "eps"},
};

/* One record more or less: it is in one bin only. */
#define RECORDS(adjacency, body)                                                                   \
  PARAMS "mechanism m(private x : option(int)[n]) emits real adjacent " adjacency " {" body        \
         "}\nclaim private m epsilon ?;"
#define BINS                                                                                       \
  "for b in 0..N { c := 0; for i in 0..n { if is_some(x[i]) and value(x[i]) = b { c := c + 1; } }" \
  "  y <$ Lap(c, 1/eps); emit y; }"
#define HALVES                                                                                     \
  "a := 0; b := 0; for i in 0..n { if is_some(x[i]) {"                                             \
  "  if value(x[i]) < 10 { a := a + 1; } else { b := b + 1; } } }"                                 \
  "y <$ Lap(a, 1/eps); emit y; z <$ Lap(b, 1/eps); emit z;"
static const struct auto_row missing[] = {
    {"bins by keys", RECORDS("add_remove(x)", BINS), "eps"},
    {"bins by keys, a record changes", RECORDS("one_changes(x)", BINS), "2*eps"},
    {"an array of counts, by way of variables",
     RECORDS("add_remove(x)",
             "var count : int[N]; for i in 0..n { if is_some(x[i]) { g := value(x[i]);"
             "  if 0 <= g and g < N { count[g] := count[g] + 1; } } }"
             "for b in 0..N { y <$ Lap(count[b], 1/eps); emit y; }"),
     "eps"},
    {"a sum of what is more or less than the middle",
     RECORDS("add_remove(x)",
             "s := 0.0; for i in 0..n { if is_some(x[i]) {"
             "  s := s + (max(2, min(7, value(x[i]))) - 9/2); } } y <$ Lap(s, 5/2/eps); emit y;"),
     "eps"},
    {"two bins", RECORDS("add_remove(x)", HALVES), "eps"},
    {"two bins, a record changes", RECORDS("one_changes(x)", HALVES), "2*eps"},
};

/* Values whose parts may be anything, or are read from a public table. */
#define LOOKUP(most)                                                                               \
  PARAMS "mechanism m(private x : int, t : real[N]) returns real"                                  \
         " adjacent 0 <= x<1> < N and 0 <= x<2> < N"                                               \
         " requires forall i in 0..N. 0 <= t[i] <= " most                                          \
         " { y <$ Lap(t[x], 3/eps); return y; }\nclaim private m epsilon ?;"
#define ROWS(value)                                                                                \
  PARAMS "mechanism m(private x : real[n][N]) returns real"                                        \
         " adjacent exists u in 0..n. forall i in 0..n. i != u ->"                                 \
         " (forall j in 0..N. x<1>[i][j] = x<2>[i][j])"                                            \
         " { s := 0.0; for i in 0..n { r := 0.0; for j in 0..N { r := r + x[i][j]; }"              \
         "   s := s + " value "; } y <$ Lap(s, 4/eps); return y; }\n"                              \
         "claim private m epsilon ?;"
#define COLUMN(body)                                                                               \
  PARAMS "mechanism m(private x : real[n], c : real) returns real adjacent one_changes(x)"         \
         " { s := 0.0; for i in 0..n { v := max(-1, min(1, x[i]));" body                           \
         " } y <$ Lap(s, 2/eps); return y; }\nclaim private m epsilon ?;"
static const struct auto_row computed[] = {
    {"a table", LOOKUP("3"), "eps"},
    {"a table with larger entries", LOOKUP("6"), "2*eps"},
    {"sums of rows, clipped", ROWS("max(0, min(4, r))"), "eps"},
    {"sums of rows, clipped to a wider range", ROWS("max(-4, min(4, r))"), "2*eps"},
    {"sums of rows, clipped on one side", ROWS("max(0, r)"), NULL},
    {"a local on both sides of a branch", COLUMN("if v <= c { s := s + v; }"), "eps"},
    {"its square", COLUMN("s := s + v*v;"), "eps/2"},
    {"clipped to a width that no number says", COLUMN("s := s + max(-3, min(4, x[i]));"),
     "7*eps/2"},
    {"its product with another", COLUMN("w := max(-1, min(1, x[i] - c)); s := s + v*w;"), "eps"},
};

/* An element that differs is read in one of two loops, or in both. */
#define RANGES(first, second, body)                                                                \
  PARAMS "param m : int, 0 <= m <= n; mechanism h(private x : real[n]) emits real"                 \
         " adjacent one_differs(x, 1) {"                                                           \
         " a := 0.0; for i in " first " { a := a + x[i]; } y <$ Lap(a, 1/eps); emit y;"            \
         " b := 0.0; for j in " second " { b := b + x[j]; } z <$ Lap(b, 1/eps); emit z; " body     \
         "}\nclaim private h epsilon ?;"
static const struct auto_row ranges[] = {
    {"two halves", RANGES("0..m", "m..n", ""), "eps"},
    {"a half and everything", RANGES("0..m", "0..n", ""), "2*eps"},
    {"two halves, and one of them again",
     RANGES("0..m", "m..n", "for k in 0..m { u <$ Lap(x[k], 1/eps); emit u; }"), "2*eps"},
    {"noise for each element, of two kinds",
     PARAMS "param m : int; mechanism h(private x : real[n]) emits real adjacent one_differs(x, 1)"
            " { for i in 0..n { y <$ Lap(x[i], if i < m then 1/eps else 3/eps); emit y; } }\n"
            "claim private h epsilon eps;",
     "eps"},
    {"slices that a procedure adds up",
     PARAMS "procedure part(x : real[2*n], from, to : int) : real { s := 0.0;"
            " for i in from..to { s := s + x[i]; } return s; }\n"
            "mechanism h(private x : real[2*n]) emits real adjacent one_differs(x, 1) {"
            " a := part(x, 0, n); y <$ Lap(a, 1/eps); emit y;"
            " b := part(x, n, 2*n); z <$ Lap(b, 1/eps); emit z; }\nclaim private h epsilon ?;",
     "eps"},
};

/* Sums of data whose distances the adjacency adds up. */
#define SUMMED(adjacency, body, noise)                                                             \
  PARAMS "param B : real, B > 0; mechanism m(private x : real[n]) returns real adjacent"           \
         " " adjacency " { s := 0.0; for i in 0..n { " body " } y <$ Lap(s, " noise "); return y;" \
         " }\nclaim private m epsilon ?;"
#define DISTANCE "(sum i in 0..n. abs(x<1>[i] - x<2>[i])) <= N"
#define CHANGES "(sum i in 0..n. (if x<1>[i] = x<2>[i] then 0 else 1)) <= N"
static const struct auto_row summed[] = {
    {"a distance", SUMMED(DISTANCE, "s := s + x[i];", "N/eps"), "eps"},
    {"twice", SUMMED(DISTANCE, "s := s + 2*x[i];", "N/eps"), "2*eps"},
    {"so many changes", SUMMED(CHANGES, "if x[i] > 1 { s := s + 1; }", "1/eps"), "eps*N"},
    {"changes of clipped values", SUMMED(CHANGES, "s := s + max(0, min(B, x[i]));", "B/eps"),
     "eps*N"},
    {"changes of any values", SUMMED(CHANGES, "s := s + x[i];", "B/eps"), NULL},
    {"each of them twice", SUMMED(CHANGES, "if x[i] > 1 { s := s + 1; } s := s + x[i];", "1/eps"),
     NULL},
};

static void sums_of_distances(void **state) {
  (void)state;
  CHECK_ROWS(summed);
  CHECK_ROWS(ranges);
}

static void computed_values(void **state) {
  (void)state;
  CHECK_ROWS(computed);
}

static void missing_records(void **state) {
  (void)state;
  CHECK_ROWS(missing);
}

static void bounded_together(void **state) {
  (void)state;
  CHECK_ROWS(together);
}

static void sensitivities_of_several_kinds(void **state) {
  (void)state;
  CHECK_ROWS(kinds);
}

int main(int argc, char **argv) {
  if (argc > 1) return auto_show_files(auto_align, argc - 1, argv + 1);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(bounded_together), cmocka_unit_test(sensitivities_of_several_kinds),
      cmocka_unit_test(missing_records), cmocka_unit_test(computed_values),
      cmocka_unit_test(sums_of_distances)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
