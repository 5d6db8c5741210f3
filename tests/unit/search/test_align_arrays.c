/* The synchronous strategy where a local array differs in one element: found with no annotation, at
 * the least cost, whatever the style; and what is not so is not proved.
 * ctest-label: release */
#include "auto_rows.h"
#include "search/align/strategy.h"
#include "testlib.h"

#define CHECK_ROWS(rows) auto_check_rows(auto_align, rows, sizeof(rows) / sizeof *(rows))

/* The binary-tree counter: a difference wanders up through the elements of an array. */
#define COUNTER(bound, body)                                                                       \
  "param eps : real, eps > 0; param L : int, L >= 1; param n : int, " bound ";\n"                  \
  "mechanism m(private q : real[n]) emits real adjacent one_differs(q, 1) {" body                  \
  "}\nclaim private m epsilon ?;"
#define CLEAR                                                                                      \
  "var exact : real[L]; var noisy : real[L];"                                                      \
  "for a in 0..L { exact[a] := 0; noisy[a] := 0; }"
#define TOTAL "total := 0.0; for b in 0..L { total := total + noisy[b]; } emit total;"
#define UP "exact[j] := 0; noisy[j] := 0; j := j + 1; "
static const struct auto_row counters[] = {
    {"other names and orders",
     COUNTER(
         "0 <= n < 2^L",
         "var shown : real[L]; var kept : real[L]; for a in 0..L { shown[a] := 0; kept[a] := 0; }"
         "for t in 0..n { acc := q[t]; level := 0; rest := t + 1;"
         "  while rest mod 2 = 0 { acc := acc + kept[level]; shown[level] := 0;"
         "    kept[level] := 0; rest := rest div 2; level := level + 1; }"
         "  shown[level] <$ Lap(acc, L/eps); kept[level] := acc;"
         "  all := 0.0; for b in 0..L { all := all + shown[b]; } emit all; }"),
     "eps"},
    {"base 3",
     COUNTER("0 <= n < 3^L",
             CLEAR "for i in 0..n { j := 0; k := i + 1; sum := q[i]; while k mod 3 = 0 {"
                   "    sum := sum + exact[j]; " UP "k := k div 3; }"
                   "  exact[j] := sum; noisy[j] <$ Lap(sum, L/eps); " TOTAL "}"),
     "eps"},
    {"while loops",
     COUNTER("0 <= n < 2^L",
             "var exact : real[L]; var noisy : real[L]; c := 0; i := 0;"
             "while c < L { exact[c] := 0; noisy[c] := 0; c := c + 1; }"
             "while i < n { j := 0; sum := q[i]; i := i + 1; k := i;"
             "  while k mod 2 = 0 { sum := sum + exact[j]; " UP "k := k div 2; }"
             "  exact[j] := sum; noisy[j] <$ Lap(sum, L/eps); total := 0.0; c := 0;"
             "  while c < L { total := total + noisy[c]; c := c + 1; } emit total; }"),
     "eps"},
    {"the item is added at the end",
     COUNTER("0 <= n < 2^L",
             CLEAR "for i in 0..n { j := 0; k := i + 1; sum := 0.0; while k mod 2 = 0 {"
                   "    sum := sum + exact[j]; " UP "k := k div 2; } sum := sum + q[i];"
                   "  exact[j] := sum; noisy[j] <$ Lap(sum, L/eps); " TOTAL "}"),
     "eps"},
    {"from the other end of the array",
     COUNTER("0 <= n < 2^L",
             CLEAR "for i in 0..n { j := L - 1; k := i + 1; sum := q[i]; while k mod 2 = 0 {"
                   "    sum := sum + exact[j]; exact[j] := 0; noisy[j] := 0; j := j - 1;"
                   "    k := k div 2; }"
                   "  exact[j] := sum; noisy[j] <$ Lap(sum, L/eps); " TOTAL "}"),
     "eps"},
    {"the guard bounds the level; twice the noise, published at once",
     COUNTER("n >= 0",
             "var exact : real[L]; for a in 0..L { exact[a] := 0; }"
             "for i in 0..n { j := 0; k := i + 1; sum := q[i]; while j < L - 1 and k mod 2 = 0 {"
             "    sum := sum + exact[j]; exact[j] := 0; j := j + 1; k := k div 2; }"
             "  exact[j] := sum; s <$ Lap(sum, 2*L/eps); emit s; }"),
     "eps/2"},
    {"nothing bounds the level", /* 2^L may be less than n, and then the index runs away */
     COUNTER("n >= 0", "var exact : real[L]; for a in 0..L { exact[a] := 0; }"
                       "for i in 0..n { j := 0; k := i + 1; sum := q[i]; while k mod 2 = 0 {"
                       "    sum := sum + exact[j]; exact[j] := 0; j := j + 1; k := k div 2; }"
                       "  exact[j] := sum; s <$ Lap(sum, L/eps); emit s; }"),
     NULL},
    {"published on the way up as well: two payments for a level, but for the lowest",
     COUNTER("n >= 0", CLEAR
             "for i in 0..n { j := 0; k := i + 1; sum := q[i]; while j < L - 1 and k mod 2 = 0 {"
             "    sum := sum + exact[j]; s <$ Lap(sum, L/eps); emit s; " UP "k := k div 2; }"
             "  exact[j] := sum; noisy[j] <$ Lap(sum, L/eps); " TOTAL "}"),
     "(2*L - 1)*eps/L"},
};

static void counters_over_arrays(void **state) {
  (void)state;
  CHECK_ROWS(counters);
}

/* Data that are put into arrays before the noise comes. */
#define COPY(body)                                                                                 \
  "param eps : real, eps > 0; param n : int, n >= 0;\n"                                            \
  "mechanism m(private q : real[n]) emits real adjacent one_differs(q, 1) { var a : real[n];" body \
  "}\nclaim private m epsilon ?;"
static const struct auto_row copies[] = {
    {"weighted, read from the end",
     COPY("for i in 0..n { a[i] := 2*q[i]; } k := n - 1;"
          "while k >= 0 { s <$ Lap(a[k], 4/eps); emit s; k := k - 1; }"),
     "eps/2"},
    {"two copies, loops with the same index",
     COPY("var b : real[n]; for i in 0..n { a[i] := q[i]; } for i in 0..n { b[i] := a[i]; }"
          "for i in 0..n { s <$ Lap(b[i], 1/eps); emit s; }"),
     "eps"},
    {"reversed, assigned as a whole, published twice",
     COPY("var b : real[n]; for i in 0..n { a[n - 1 - i] := q[i]; } b := a;"
          "for i in 0..n { s <$ Lap(a[i], 1/eps); emit s; }"
          "for i in 0..n { s <$ Lap(b[i], 2/eps); emit s; }"),
     "3*eps/2"},
    {"clamped and added up",
     COPY("for i in 0..n { a[i] := max(0, min(1, q[i])); } sum := 0.0;"
          "for i in 0..n { sum := sum + a[i]; } s <$ Lap(sum, 1/eps); emit s;"),
     "eps"},
    {"pairs",
     COPY("for i in 0..n { a[i] := q[i]; } k := 0;"
          "while k + 1 < n { s <$ Lap(a[k] + a[k + 1], 1/eps); emit s; k := k + 2; }"),
     "eps"},
    {"a loop that ends at n exactly", /* k /= n says no more of the place than of k */
     COPY("for i in 0..n { a[i] := q[i]; } k := 0;"
          "while k != n { s <$ Lap(a[k], 1/eps); emit s; k := k + 1; }"),
     "eps"},
    {"published without noise",
     COPY("for i in 0..n { a[i] := q[i]; }"
          "for i in 0..n { emit declassify(a[i]); }"),
     NULL},
    {"every element is a sum: all of them differ from some place on",
     COPY("sum := 0.0; for i in 0..n { sum := sum + q[i]; a[i] := sum; }"
          "for i in 0..n { s <$ Lap(a[i], n/eps); emit s; }"),
     NULL},
};

static void copied_data(void **state) {
  (void)state;
  CHECK_ROWS(copies);
}

/* Noise that is added in place: the loop makes the array equal, element by element. */
#define IN_PLACE(body) COPY("for i in 0..n { a[i] := q[i]; }" body)
#define SHOW "for j in 0..n { emit declassify(a[j]); }"
static const struct auto_row in_place[] = {
    {"sampled into the array", IN_PLACE("for i in 0..n { a[i] <$ Lap(a[i], 1/eps); }" SHOW), "eps"},
    {"added, from the end, half the noise",
     IN_PLACE(
         "k := n - 1; while k >= 0 { z <$ Lap(0, 1/(2*eps)); a[k] := z + a[k]; k := k - 1; }" SHOW),
     "2*eps"},
    {"a loop that ends at n exactly, and one more round of noise",
     IN_PLACE("k := 0; while k != n { a[k] <$ Lap(a[k], 1/eps); k := k + 1; }"
              "for l in 0..n { a[l] <$ Lap(a[l], 1/eps); }" SHOW),
     "eps"},
    {"scaled at the same time",
     IN_PLACE("for i in 0..n { z <$ Lap(0, 3/eps); a[i] := 3*a[i] + z; }" SHOW), "eps"},
    {"the first element gets none", IN_PLACE("for i in 1..n { a[i] <$ Lap(a[i], 1/eps); }" SHOW),
     NULL},
    {"the last element gets none", IN_PLACE("for i in 0..n - 1 { a[i] <$ Lap(a[i], 1/eps); }" SHOW),
     NULL},
    {"every other element gets none",
     IN_PLACE("k := 0; while k < n { a[k] <$ Lap(a[k], 1/eps); k := k + 2; }" SHOW), NULL},
    {"elements at odd places get none",
     IN_PLACE("for i in 0..n { if i mod 2 = 0 { a[i] <$ Lap(a[i], 1/eps); } }" SHOW), NULL},
    {"the same noise for all",
     IN_PLACE("z <$ Lap(0, 1/eps); for i in 0..n { a[i] := a[i] + z; }" SHOW), NULL},
    {"shown before the noise comes",
     IN_PLACE("for i in 0..n { emit declassify(a[i]); a[i] <$ Lap(a[i], 1/eps); }"), NULL},
    {"the loop may end early",
     IN_PLACE("k := 0; z := 0.0; while k < n and z < 1 {"
              "  z <$ Lap(0, 1/eps); a[k] := a[k] + z; k := k + 1; }" SHOW),
     NULL},
};

static void noise_in_place(void **state) {
  (void)state;
  CHECK_ROWS(in_place);
}

int main(int argc, char **argv) {
  if (argc > 1) return auto_show_files(auto_align, argc - 1, argv + 1);
  const struct CMUnitTest tests[] = {cmocka_unit_test(counters_over_arrays),
                                     cmocka_unit_test(copied_data),
                                     cmocka_unit_test(noise_in_place)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
