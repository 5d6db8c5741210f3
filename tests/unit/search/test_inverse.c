/* Laplace noise made from a uniform number and a sign is recognised in other words than those of
 * the snapping mechanism, and only where it is Laplace noise. */
#include "auto_rows.h"
#include "search/align/strategy.h"
#include "testlib.h"

#define SNAP(first, second, noise, result, epsilon)                                                \
  "param eps, B : real, eps > 0, B > 0;\n"                                                         \
  "mechanism m(private x : real) returns real adjacent within(x, 1) {\n"                           \
  "  " first "\n  " second "\n  " noise "\n  " result "\n}\nclaim private m epsilon " epsilon      \
  ";\n"

#define U "u <$ Uniform(0, 1);"
#define S "s <$ Uniform{-1, 1};"
#define CLAMP "w := x + z; r := max(-B, min(B, w)); return r;"

static const struct auto_row rows[] = {
    {"sign last", SNAP(U, S, "z := s*(ln(u)/eps);", CLAMP, "?"), "eps"},
    {"sign first", SNAP("s <$ Uniform{1, -1};", U, "y := 2*ln(u); z := s*y/eps;", CLAMP, "?"),
     "eps/2"},
    {"twice the data", SNAP(U, S, "z := s*ln(u)/eps;", "w := z + 2*x; return w;", "?"), "2*eps"},
    /* no sign; another range; a set that is not balanced; the noise given away as well */
    {"exponential noise", SNAP(U, S, "z := ln(u)/eps;", CLAMP, "eps"), NULL},
    {"half the range", SNAP("u <$ Uniform(0, 1/2);", S, "z := s*ln(u)/eps;", CLAMP, "eps"), NULL},
    {"unbalanced", SNAP(U, "s <$ Uniform{-1, 2};", "z := s*ln(u)/eps;", CLAMP, "eps"), NULL},
    {"too little noise", SNAP(U, S, "z := s*ln(u)/(2*eps);", CLAMP, "eps"), NULL},
    {"twice the noise", SNAP(U, S, "z := s*ln(u)/eps;", "w := x + z; r := w + z; return r;", "?"),
     "eps/2"},
    {"noise taken away",
     SNAP(U, S, "z := s*ln(u)/eps;", "w := x + z; r := w - z; return r;", "eps"), NULL},
    {"number shown", SNAP(U, S, "z := s*ln(u)/eps;", "w := x + z; r := w + u; return r;", "eps"),
     NULL},
    {"in a branch",
     SNAP("r := 0.0;", "if B > 1 {", U S " z := s*ln(u)/eps; r := x + z; }", "return r;", "?"),
     "eps"},
};

static void rows_come_out(void **state) {
  (void)state;
  auto_check_rows(auto_align, rows, sizeof rows / sizeof *rows);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(rows_come_out)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
