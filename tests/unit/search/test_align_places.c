/* Where data differ: the synchronous strategy finds the least cost where one record is read in
 * several iterations, counts for its own key only, or changes several tallies at once; and does not
 * prove what is not so. */
#include "auto_rows.h"
#include "search/align/strategy.h"
#include "search/goals/lengths.h"
#include "testlib.h"

#define CHECK_ROWS(rows) auto_check_rows(auto_align, rows, sizeof(rows) / sizeof *(rows))
#define PARAMS "param eps : real, eps > 0; param n, k, W : int, n >= 1, k >= 1, W >= 1;\n"
#define ASKED "\nclaim private m epsilon ?;"
#define ONE(body)                                                                                  \
  PARAMS "mechanism m(private q : real[n]) emits real adjacent one_differs(q, 1) {" body "}" ASKED
#define RECORDS(head, body)                                                                        \
  PARAMS "mechanism m(private key : int[n]) " head " adjacent one_changes(key) {" body "}"

/* ---- windows, blocks, tables ----------------------------------------------------------------- */

static const struct auto_row windows[] = {
    {"three of them", ONE("for t in 2..n { s <$ Lap(q[t] + q[t - 1] + q[t - 2], 1/eps); emit s; }"),
     "3*eps"},
    {"steps of two",
     ONE("t := 0; while t + 3 < n { s <$ Lap(q[t] + q[t + 1] + q[t + 2] + q[t + 3], 1/eps);"
         "  emit s; t := t + 2; }"),
     "2*eps"},
    {"a loop for each block",
     PARAMS "mechanism m(private q : real[n*W]) emits real adjacent one_differs(q, 1) {"
            "  for b in 0..n { s := 0.0; for j in 0..W { s := s + q[b*W + j]; }"
            "    y <$ Lap(s, 1/eps); emit y; } }" ASKED,
     "eps"},
    {"two named indices",
     PARAMS "mechanism m(private c : int[n]) emits int adjacent exists i in 0..n, j in 0..n."
            "    abs(c<1>[i] - c<2>[i]) <= 1 and abs(c<1>[j] - c<2>[j]) <= 1"
            "      and (forall l in 0..n. l != i and l != j -> c<1>[l] = c<2>[l]) {"
            "  for l in 0..n { y <$ DLap(c[l], 1/eps); emit y; } }" ASKED,
     "2*eps"},
    {"one cell of a table",
     PARAMS "mechanism m(private c : int[n][k]) emits int adjacent exists i in 0..n, j in 0..k."
            "    abs(c<1>[i][j] - c<2>[i][j]) <= 1 and (forall a in 0..n, b in 0..k."
            "      a != i or b != j -> c<1>[a][b] = c<2>[a][b]) {"
            "  for a in 0..n { for b in 0..k { y <$ DLap(c[a][b], 1/eps); emit y; } } }" ASKED,
     "eps"},
};

/* Windows that loops run through. */
#define SLIDING(range, first, last, read, noise)                                                   \
  ONE("for t in " range " { s := 0.0; for j in " first ".." last " { " read " }"                   \
      " y <$ Lap(s, " noise "); emit y; }")
static const struct auto_row sliding[] = {
    {"from here on", SLIDING("0..n - W + 1", "0", "W", "s := s + q[t + j];", "W/eps"), "eps"},
    {"their width is a number", SLIDING("0..n - 2", "0", "3", "s := s + q[t + j];", "1/eps"),
     "3*eps"},
    {"up to here, backwards",
     SLIDING("0..n", "0", "W", "if t - j >= 0 { s := s + q[t - j]; }", "2*W/eps"), "eps/2"},
    {"up to here, cut at the start",
     SLIDING("0..n", "max(0, t - W + 1)", "t + 1", "s := s + q[j];", "W/eps"), "eps"},
    {"all so far", SLIDING("0..n", "0", "t + 1", "s := s + q[j];", "n/eps"), "eps"},
};

static void read_more_than_once(void **state) {
  (void)state;
  CHECK_ROWS(windows);
  CHECK_ROWS(sliding);
}

/* ---- keys ------------------------------------------------------------------------------------ */

static const struct auto_row keys[] = {
    {"a histogram in an array",
     RECORDS("emits real",
             "var c : int[k];"
             "for r in 0..n { if 0 <= key[r] and key[r] < k { c[key[r]] := c[key[r]] + 1; } }"
             "for b in 0..k { s <$ Lap(c[b], 1/eps); emit s; }") ASKED,
     "2*eps"},
    {"three counters: two of them change",
     RECORDS("emits real", "a := 0; b := 0; c := 0; for r in 0..n {"
                           "  if key[r] < 18 { a := a + 1; } else if key[r] < 65 { b := b + 1; }"
                           "  else { c := c + 1; } }"
                           "x <$ Lap(a, 1/eps); emit x; y <$ Lap(b, 1/eps); emit y;"
                           "z <$ Lap(c, 1/eps); emit z;") ASKED,
     "2*eps"},
    {"a total for each public group",
     PARAMS
     "mechanism m(private q : real[n], group : int[n]) emits real adjacent one_differs(q, 1) {"
     "  for g in 0..k { s := 0.0; for i in 0..n { if group[i] = g { s := s + q[i]; } }"
     "    y <$ Lap(s, 1/eps); emit y; } }" ASKED,
     "eps"},
};

static void own_key_only(void **state) {
  (void)state;
  CHECK_ROWS(keys);
}

/* ---- what is computed from data -------------------------------------------------------------- */

static const struct auto_row computed[] = {
    {"public weights",
     PARAMS
     "mechanism m(private q : real[n], w : real[n]) returns real adjacent one_differs(q, 1)"
     "  requires forall i in 0..n. 0 <= w[i] <= 2 {"
     "  s := 0.0; for i in 0..n { s := s + w[i]*q[i]; } y <$ Lap(s, 1/eps); return y; }" ASKED,
     "2*eps"},
    {"a running maximum by branches",
     PARAMS "mechanism m(private q : real[n]) returns real adjacent all_within(q, 1) {"
            "  b := q[0]; for i in 1..n { if q[i] > b { b := q[i]; } } y <$ Lap(b, 1/eps); return "
            "y; }" ASKED,
     "eps"},
    {"the mean, noise apart",
     PARAMS
     "mechanism m(private q : real[n]) returns real adjacent one_differs(q, 1) {"
     "  s := 0.0; for i in 0..n { s := s + q[i]; } z <$ Lap(0, 1/(n*eps)); return s/n + z; }" ASKED,
     "eps"},
};

static void sensitivity(void **state) {
  (void)state;
  CHECK_ROWS(computed);
}

/* Counts of a public group. */
#define GROUP(condition)                                                                           \
  PARAMS "mechanism m(private sick : bool[n], region : int[n]) emits real adjacent"                \
         " one_changes(sick) { for r in 0..k { c := 0; for i in 0..n { if " condition              \
         " { c := c + 1; } } y <$ Lap(c, 1/eps); emit y; } }" ASKED
static const struct auto_row groups[] = {
    {"a truth value in a group", GROUP("region[i] = r and sick[i]"), "eps"},
    {"the group last", GROUP("sick[i] and region[i] = r"), "eps"},
    {"in any but this group", GROUP("region[i] != r and sick[i]"), "eps*k"},
};

static void public_groups(void **state) {
  (void)state;
  CHECK_ROWS(groups);
}

/* Lists of which only the length matters. */
#define KEPT(body, centre)                                                                         \
  PARAMS "mechanism m(private age : int[n]) returns real adjacent one_changes(age) {"              \
         " var kept : list(int) := []; for i in 0..n { if age[i] >= 18 { " body " } }"             \
         " y <$ Lap(" centre ", 1/eps); return y; }" ASKED
static const struct auto_row kept[] = {
    {"records in front", KEPT("kept := age[i] :: kept;", "length(kept)"), "eps"},
    {"records behind", KEPT("kept := kept ++ [age[i]];", "2*length(kept)"), "2*eps"},
    {"one record or two",
     KEPT("if age[i] > 60 { kept := 1 :: 1 :: kept; } else { kept := 0 :: kept; }", "length(kept)"),
     "2*eps"},
    {"that grows by itself", KEPT("kept := 1 :: kept ++ kept;", "length(kept)"), NULL},
    {"what the list has is read",
     KEPT("kept := age[i] :: kept;", "(if length(kept) = 0 then 0 else head(kept))"), NULL},
};

static void counted_lists(void **state) {
  (void)state;
  auto_check_rows(auto_lengths, kept, sizeof kept / sizeof *kept);
}

/* ---- stores ---------------------------------------------------------------------------------- */

static const struct auto_row stores[] = {
    {"what is left of the budget",
     PARAMS "param step : real, step > 0;\n"
            "mechanism m(private q : real[n]) emits real adjacent all_within(q, 1) {"
            "  left := eps; i := 0; while i < n and left >= step { y <$ Lap(q[i], 1/step); emit y;"
            "    left := left - step; i := i + 1; } }\nclaim private m epsilon eps;",
     "eps"},
    {"half of it each time",
     PARAMS "mechanism m(private x : real) emits real adjacent within(x, 1) {"
            "  e := eps/2; for t in 0..n { y <$ Lap(x, 1/e); emit y; e := e/2; } }"
            "\nclaim private m epsilon eps;",
     "eps"},
};

static void budgets_in_variables(void **state) {
  (void)state;
  CHECK_ROWS(stores);
}

/* Iterations that cost less and less. */
#define SERIES(range, index, scale)                                                                \
  PARAMS "mechanism m(private q : real[n]) emits real adjacent all_within(q, 1) {"                 \
         " for i in " range " { y <$ Lap(q[" index "], " scale "/eps); emit y; } }" ASKED
static const struct auto_row series[] = {
    {"halved", SERIES("0..n", "i", "2^(i + 1)"), "eps"},
    {"halved, from 1 on", SERIES("1..n + 1", "i - 1", "2^i"), "eps"},
    {"a third of it", SERIES("0..n", "i", "2*3^i"), "3*eps/4"},
    {"products of neighbours", SERIES("0..n", "i", "(i + 1)*(i + 2)"), "eps"},
    {"squares", SERIES("0..n", "i", "(i + 1)^2"), "2*eps"},
    {"does not converge", SERIES("0..n", "i", "(i + 1)"), NULL},
};

static void falling_costs(void **state) {
  (void)state;
  CHECK_ROWS(series);
}

/* ---- not so ---------------------------------------------------------------------------------- */

static const struct auto_row hopeless[] = {
    {"windows that overlap, paid once",
     PARAMS "mechanism m(private q : real[n]) emits real adjacent one_differs(q, 1) {"
            "  for t in 1..n { s <$ Lap(q[t] + q[t - 1], 1/eps); emit s; } }"
            "\nclaim private m epsilon eps;",
     NULL},
    {"both bins at the price of one",
     RECORDS("emits real",
             "var c : int[k];"
             "for r in 0..n { if 0 <= key[r] and key[r] < k { c[key[r]] := c[key[r]] + 1; } }"
             "for b in 0..k { s <$ Lap(c[b], 1/eps); emit s; }") "\nclaim private m epsilon eps;",
     NULL},
    {"blocks that overlap",
     PARAMS "mechanism m(private q : real[n*W + 1]) emits real adjacent one_differs(q, 1) {"
            "  for b in 0..n { s := 0.0; for j in 0..W + 1 { s := s + q[b*W + j]; }"
            "    y <$ Lap(s, 1/eps); emit y; } }\nclaim private m epsilon eps;",
     NULL},
    {"windows of a loop, paid for once less",
     PARAMS "mechanism m(private q : real[n]) emits real adjacent one_differs(q, 1) {"
            "  for t in 0..n - W { s := 0.0; for j in 0..W + 1 { s := s + q[t + j]; }"
            "    y <$ Lap(s, W/eps); emit y; } }\nclaim private m epsilon eps;",
     NULL},
    {"halves of which the first is paid for twice",
     PARAMS "mechanism m(private q : real[n]) emits real adjacent all_within(q, 1) {"
            "  for i in 0..n { y <$ Lap(q[i], 2^i/eps); emit y; } }\nclaim private m epsilon eps;",
     NULL},
    {"groups that contain one another",
     PARAMS
     "mechanism m(private q : real[n], group : int[n]) emits real adjacent one_differs(q, 1) {"
     "  for g in 0..k { s := 0.0; for i in 0..n { if group[i] <= g { s := s + q[i]; } }"
     "    y <$ Lap(s, 1/eps); emit y; } }\nclaim private m epsilon eps;",
     NULL},
    {"a budget that is filled up again",
     PARAMS "param step : real, step > 0;\n"
            "mechanism m(private q : real[n]) emits real adjacent all_within(q, 1) {"
            "  left := eps; i := 0; while i < n and left >= step { y <$ Lap(q[i], 1/step); emit y;"
            "    left := left - step; if i mod 2 = 0 { left := eps; } i := i + 1; } }"
            "\nclaim private m epsilon eps;",
     NULL},
};

static void false_is_not_proved(void **state) {
  (void)state;
  CHECK_ROWS(hopeless);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(read_more_than_once), cmocka_unit_test(own_key_only),
      cmocka_unit_test(sensitivity),         cmocka_unit_test(budgets_in_variables),
      cmocka_unit_test(public_groups),       cmocka_unit_test(falling_costs),
      cmocka_unit_test(counted_lists),       cmocka_unit_test(false_is_not_proved),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
