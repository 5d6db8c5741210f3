/* Tables that loops over records fill (goals/table.h), in many layouts: what they cost, and that what
 * a record adds to an element is not taken for less. */
#include "auto_rows.h"
#include "search/goals/table.h"
#include "testlib.h"

#define PARAMS "param eps : real, eps > 0; param n, k : int, n >= 1, k >= 1;\n"
#define TABLE(type, fill, release)                                                                 \
  PARAMS "mechanism m(private x : real[n], t : real[k]) emits real adjacent one_changes(x) {\n"    \
         "  var u : " type "[k];\n  " fill "\n  " release "\n}\nclaim private m epsilon ?;\n"
#define BELOW "if x[i] <= t[j] { u[j] := u[j] + 1; }"
#define RECORDS(body) "for i in 0..n { for j in 0..k { " body " } }"
#define ELEMENTS(body) "for j in 0..k { " body " }"
#define NOISE(value) "for j in 0..k { z <$ Lap(" value ", 1/eps); emit z; }"

static const struct auto_row rows[] = {
    {"records outside", TABLE("real", RECORDS(BELOW), NOISE("u[j]")), "eps*k"},
    {"elements outside", TABLE("real", ELEMENTS("for i in 0..n { " BELOW " }"), NOISE("u[j]")),
     "eps*k"},
    {"a cell",
     TABLE("real",
           ELEMENTS("c := 0.0; for i in 0..n { if x[i] <= t[j] { c := c + 1; } } u[j] := c;"),
           NOISE("u[j]")),
     "eps*k"},
    {"half of a cell",
     TABLE(
         "real",
         ELEMENTS("c := 0.0; for i in 0..n { if x[i] <= t[j] { c := c + 1; } } u[j] := -abs(c/2);"),
         NOISE("u[j]")),
     "eps*k/2"},
    {"integers", TABLE("int", RECORDS(BELOW), NOISE("u[j]")), "eps*k"},
    {"filled with ones before",
     TABLE("real", "for j in 0..k { u[j] := 1.0; } " RECORDS(BELOW), NOISE("u[j]")), "eps*k"},
    {"two additions",
     TABLE("real", RECORDS(BELOW " if x[i] > t[j] + 1 { u[j] := u[j] + 1; }"), NOISE("u[j]")),
     "2*eps*k"},
    {"two loops inside",
     TABLE("real",
           "for i in 0..n { for j in 0..k { " BELOW
           " } for j in 0..k { if x[i] < 0 { u[j] := u[j] + 1; } } }",
           NOISE("u[j]")),
     "2*eps*k"},
    {"two elements apart",
     PARAMS
     "mechanism m(private x : real[n], a, b : real) emits real adjacent one_changes(x) {\n"
     "  var u : real[2];\n"
     "  for i in 0..n { if x[i] < a { u[0] := u[0] + 1; } if x[i] < b { u[1] := u[1] + 1; } }\n"
     "  y <$ Lap(u[0], 1/eps); emit y; z <$ Lap(u[1], 1/eps); emit z;\n}\n"
     "claim private m epsilon ?;",
     "2*eps"},
    {"the next element",
     TABLE("real",
           "for i in 0..n { for j in 0..k - 1 { if x[i] <= t[j] { u[j + 1] := u[j + 1] + 1; } } }",
           NOISE("u[j]")),
     "eps*k"},
    {"two tables in a branch",
     PARAMS "mechanism m(private x : real[n], t : real[k]) emits real adjacent one_changes(x) {\n"
            "  var u : real[k]; var v : real[k];\n  " RECORDS(
                "if x[i] <= t[j] { u[j] := u[j] + 1; v[j] := v[j] + 1; }") NOISE("u[j]")
                NOISE("v[j]") "\n}\nclaim private m epsilon ?;",
     "2*eps*k"},
    {"in rounds, by what was released before",
     PARAMS "mechanism m(private x : real[n]) emits real adjacent one_changes(x) {\n"
            "  cut := 0.0;\n  for r in 0..k {\n    var u : real[2];\n"
            "    for i in 0..n { if x[i] <= cut { u[0] := u[0] + 1; } }\n"
            "    z <$ Lap(u[0], 1/eps); emit z; cut := z;\n  }\n}\nclaim private m epsilon ?;",
     "eps*k"},
    /* a record may add to the same element again and again; all records differ */
    {"always the first one",
     TABLE("real", RECORDS("if x[i] <= t[j] { u[0] := u[0] + 1; }"), NOISE("u[j]")), NULL},
    {"nothing bounds it", TABLE("real", RECORDS("u[j] := u[j] + x[i];"), NOISE("u[j]")), NULL},
    {"all records",
     PARAMS "mechanism m(private x : real[n], t : real[k]) emits real adjacent all_within(x, 1) {\n"
            "  var u : real[k];\n  " RECORDS(BELOW) NOISE("u[j]") "\n}\nclaim private m epsilon ?;",
     NULL},
    {"given away", TABLE("real", RECORDS(BELOW), "for j in 0..k { emit u[j]; }"), NULL},
};

static void what_tables_cost(void **state) {
  (void)state;
  auto_check_rows(auto_tables, rows, sizeof rows / sizeof *rows);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(what_tables_cost)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
