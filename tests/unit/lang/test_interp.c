#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "run/eval/number.h"
#include "run/sample/interp.h"
#include "source_text.h"
#include "stats.h"
#include "testlib.h"

/* ---- a loaded program ----------------------------------------------------------------------- */

struct program {
  struct lang lang;
  struct ast_module *module;
  struct interp in;
  bool ready; /* prepared */
};

/* Loads, picks the mechanism called m, prepares with the default instance. */
static void load(struct program *p, const char *text) {
  lang_init(&p->lang);
  p->module = load_valid_text(&p->lang, text);
  struct ast_decl *mechanism = NULL;
  for (size_t i = 0; i < p->module->decl_count; i++)
    if (p->module->decls[i]->kind == DECL_MECHANISM) mechanism = p->module->decls[i];
  assert_non_null(mechanism);
  interp_init(&p->in, &p->lang, p->module, mechanism);
  p->in.instance = interp_choose_instance(&p->in);
  p->ready = interp_prepare(&p->in);
}

static void unload(struct program *p) {
  interp_clear(&p->in);
  lang_clear(&p->lang);
}

/* One run with the given seed, printed; or the code of the first error. */
static char *outcome(const char *text, uint64_t seed) {
  struct program p;
  load(&p, text);
  struct buffer b;
  buffer_init(&b);
  struct rvalue v;
  struct random r;
  random_init_seeded(&r, seed);
  if (p.ready && interp_run(&p.in, &r, &v)) {
    rvalue_print(&b, &v);
    rvalue_clear(&v);
  } else {
    const struct diag *d = p.lang.diags.list.at;
    while (d->severity != SEVERITY_ERROR)
      d++;
    struct place at = sources_place(&p.lang.sources, d->span.file, d->span.begin);
    buffer_printf(&b, "%s %u:%u", d->code, at.line, at.column);
  }
  unload(&p);
  return buffer_take(&b);
}

static void expect_outcome(const char *text, const char *wanted, int line) {
  char *got = outcome(text, 1);
  if (strcmp(got, wanted) != 0) print_error("line %d: %s\n  gives %s\n", line, text, got);
  assert_string_equal(got, wanted);
  free(got);
}
#define expect(text, wanted) expect_outcome(text, wanted, __LINE__)

/* ---- meaning of statements ------------------------------------------------------------------ */

static void statements_mean_what_they_say(void **state) {
  (void)state;
  expect("mechanism m() returns int { x := 1; x := x + 2; return x; }", "3");
  expect("mechanism m() emits int { for i in 2..5 { emit i * i; } }", "[4, 9, 16]");
  expect("mechanism m() emits int returns bool { emit 1; emit 2; return true; }", "([1, 2], true)");
  expect("mechanism m() returns int { i := 0; while i * i < 50 { i := i + 1; } return i; }", "8");
  expect("mechanism m() returns int { if 1 > 2 { return 1; } else if 2 > 1 { return 2; } else { "
         "return 3; } }",
         "2");
  expect("mechanism m() returns (int, int) { x := 1; y := 2; (x, y) := (y, x); return (x, y); }",
         "(2, 1)");
  expect("mechanism m() emits int { for i in 5..2 { emit i; } }", "[]");
}

static void arrays_are_values(void **state) {
  (void)state;
  expect("mechanism m() returns (int[], int[]) { var a : int[3]; b := a; b[1] := 7; a[0] := 5; "
         "return (a, b); }",
         "([5, 0, 0], [0, 7, 0])");
  expect("mechanism m() returns bool[] { var a : bool[2]; a[1] := true; return a; }",
         "[false, true]");
  /* the index is fixed before the assignment */
  expect("mechanism m() returns (int, int[]) { var a : int[2]; i := 0; (i, a[i]) := (1, 9); "
         "return (i, a); }",
         "(1, [9, 0])");
  expect("mechanism m() returns int { var a : int[2][3]; a1 := a[1]; return length(a) * 10 + "
         "length(a1); }",
         "23");
}

static void lists_grow_and_shrink(void **state) {
  (void)state;
  expect("mechanism m() returns list(int) { var l : list(int) := []; k := l; for i in 0..4 { l := "
         "l ++ [i]; if i = 1 { k := l; } } return k ++ l; }",
         "[0, 1, 0, 1, 2, 3]");
  expect("mechanism m() returns list(int) { var l : list(int) := [1, 2]; l := l ++ l; l := 0 :: l; "
         "return tail(l); }",
         "[1, 2, 1, 2]");
  expect("mechanism m() returns int { return head([7, 8]) + [1, 2][1] + length([3]); }", "10");
}

static void procedures_and_definitions_compute(void **state) {
  (void)state;
  expect("let twice(x : int) : int = 2 * x; let c = 1/3; procedure p(x : int) : int { y := "
         "twice(x); return y + 1; } mechanism m() returns (int, real) { z := p(4); return (z, c + "
         "c); }",
         "(9, 2/3)");
}

static void operators_come_from_the_instance(void **state) {
  (void)state;
  expect("type Db; op size(d : Db) : int; mechanism m(private d : Db) returns int { return size(d) "
         "+ 1; } instance i { type Db = list(int); op size(x) = length(x); input d = [4, 5, 6]; }",
         "4");
}

/* ---- adversaries ---------------------------------------------------------------------------- */

#define ADVERSARY                                                                                  \
  "param n : int, n >= 0; adversary A(last : int) : int; "                                         \
  "mechanism m() emits int { x := 0; for i in 0..n { x := A(x); emit x; } } "

static void state_lives_for_one_run(void **state) {
  (void)state;
  const char *text = ADVERSARY "instance i { param n = 3; adversary A(last) { state c : int := 10; "
                               "c := c + 1; return c * 100 + last; } }";
  struct program p;
  load(&p, text);
  assert_true(p.ready);
  for (int run = 0; run < 3; run++) { /* the same in every run: state does not leak */
    struct random r;
    random_init_seeded(&r, 5);
    struct rvalue v;
    assert_true(interp_run(&p.in, &r, &v));
    struct buffer b;
    buffer_init(&b);
    rvalue_print(&b, &v);
    assert_string_equal(buffer_text(&b), "[1100, 2300, 3600]");
    buffer_clear(&b);
    rvalue_clear(&v);
  }
  unload(&p);
}

#define ORACLE                                                                                     \
  "adversary A() : int uses O(q : int) : int at most 2;\n"                                         \
  "mechanism m() returns (int, int) { oracle O(q : int) : int { total := total + q; return "       \
  "total; "                                                                                        \
  "} total := 100; x := A(); return (x, total); }\n"

static void oracles_work_on_the_mechanism(void **state) {
  (void)state;
  expect(ORACLE "instance i { adversary A() { a := O(1); b := O(a); return b; } }", "(202, 202)");
  expect(ORACLE "instance i { adversary A() { a := O(1);\na := O(2);\na := O(3); return a; } }",
         "query-bound 5:6");
}

/* ---- what can go wrong ---------------------------------------------------------------------- */

static void mistakes_are_errors_with_a_place(void **state) {
  (void)state;
  expect("mechanism m(k : int) returns int {\n  var a : int[2];\n  return a[k];\n}\n"
         "instance i { input k = 2; }",
         "index-out-of-bounds 3:12");
  expect("mechanism m(k : int) returns int {\n  var a : int[2];\n  a[k] := 1;\n  return 0;\n}\n"
         "instance i { input k = -1; }",
         "index-out-of-bounds 3:5");
  expect("mechanism m(k : int) returns real {\n  return 1/k;\n}\ninstance i { input k = 0; }",
         "division-by-zero 2:10");
  expect("mechanism m(k : int) returns int {\n  return 7 mod k;\n}\ninstance i { input k = 0; }",
         "division-by-zero 2:10");
  expect("mechanism m(b : real) returns real {\n  x <$ Lap(0, b);\n  return x;\n}\n"
         "instance i { input b = -1/2; }",
         "scale-not-positive 2:15");
  expect("mechanism m(p : real) returns bool {\n  x <$ Bernoulli(p);\n  return x;\n}\n"
         "instance i { input p = 3/2; }",
         "bad-probability 2:18");
  expect("mechanism m(l : list(int)) returns int {\n  return head(l);\n}\n"
         "instance i { input l = []; }",
         "empty-list 2:10");
  expect("mechanism m(x : real) returns real {\n  return ln(x);\n}\ninstance i { input x = 0; }",
         "domain-error 2:10");
  expect("mechanism m() returns int {\n  x := 2;\n  while x > 1 { x := x + 1; }\n  return x;\n}",
         "step-limit 3:3");
  expect("mechanism m() returns int {\n  x := 3;\n  for i in 0..64 { x := x * x; }\n  return x;\n}",
         "number-too-large 3:25");
  expect("mechanism m(x : real) returns bool {\n  return ln(x) + ln(x + 1) = ln(x * x + x);\n}\n"
         "instance i { input x = 2; }",
         "undecided-comparison 2:10");
}

static void what_is_given_is_checked(void **state) {
  (void)state;
  expect("param eps : real, eps > 0;\nmechanism m() returns real { return eps; }\n"
         "instance i { param eps = 0; }",
         "assumption-violated 1:19");
  expect("param n : int;\nmechanism m(q : real[n]) returns real { return q[0]; }\n"
         "instance i { param n = 3; input q = [1, 2]; }",
         "wrong-length 3:27");
  expect("param n : int;\nmechanism m(q : real[n][2]) returns real { return q[0][0]; }\n"
         "instance i { param n = 2; input q = [[1, 2], [3]]; }",
         "wrong-length 3:27");
  expect("param n : int;\nmechanism m(q : int[n]) returns int requires forall i in 0..n. q[i] >= 0 "
         "{ return 0; }\ninstance i { param n = 2; input q = [1, -2]; }",
         "requires-violated 2:46");
  expect("param n : int;\nmechanism m(q : int[n]) returns int requires forall i in 0..n. q[i] >= 0 "
         "{ return 0; }\ninstance i { param n = 2; input q = [1, 2]; }",
         "0");
  expect("param eps : real;\nop f(x : int) : int;\nmechanism m(k : int) returns real { return "
         "f(k) * eps; }",
         "missing-value 3:11");
}

/* ---- exactness ------------------------------------------------------------------------------ */

static void numbers_stay_exact(void **state) {
  (void)state;
  expect(
      "mechanism m() returns real { x := 0.1; y := 0; for i in 0..10 { y := y + x; } return y; }",
      "1");
  expect("mechanism m() returns int { x := 1; for i in 0..100 { x := x * 2; } return x; }",
         "1267650600228229401496703205376");
  expect("mechanism m() returns bool { return sqrt(2) * sqrt(2) = 2 and ln(exp(3)) = 3 and "
         "sqrt(1/4) = 0.5; }",
         "true");
  expect("mechanism m() returns bool { return exp(1) < 2.718281828459045235360287471352662498; }",
         "true");
  expect("mechanism m() returns bool { return exp(1) < 2.718281828459045235360287471352662497; }",
         "false");
  expect("mechanism m() returns (int, int, int) { return (floor(exp(1) * 1000), ceil(-ln(2)), "
         "round(2.5)); }",
         "(2718, 0, 3)");
  expect("mechanism m() returns (int, int) { return ((-7) div 2, (-7) mod 2); }", "(-4, 1)");
}

/* ---- mechanisms ----------------------------------------------------------------------------- */

/* Counts the outcomes 0..limit-1 of an integer mechanism. */
static void count_outcomes(const char *text, size_t *count, size_t limit, size_t n) {
  struct program p;
  load(&p, text);
  assert_true(p.ready);
  struct random r;
  random_init_seeded(&r, 31);
  for (size_t i = 0; i < n; i++) {
    struct rvalue v;
    assert_true(interp_run(&p.in, &r, &v));
    slong k = v.kind == RVALUE_BOOL ? v.as.boolean : fmpz_get_si(&v.as.integer);
    assert_true(k >= 0 && (size_t)k < limit);
    count[k]++;
    rvalue_clear(&v);
  }
  unload(&p);
}

static void randomized_response_has_the_right_odds(void **state) {
  (void)state;
  size_t n = test_rounds(40000), count[2] = {0};
  count_outcomes("param eps : real, eps > 0; mechanism m(private b : bool) returns bool { keep <$ "
                 "Bernoulli(exp(eps)/(1+exp(eps))); if keep { return b; } return not b; } "
                 "instance i { param eps = 1/2; input b = true; }",
                 count, 2, n);
  double p = exp(0.5) / (1 + exp(0.5));
  assert_true(fabs(binomial_z(count[1], n, p)) < 4);
}

static double laplace_density(double x, double b) {
  return exp(-fabs(x) / b) / (2 * b);
}
static double laplace_tail(double x, double b) { /* Pr[X >= x] */
  return x > 0 ? exp(-x / b) / 2 : 1 - exp(x / b) / 2;
}

/* Pr[index = k] of above_threshold = integral over the noisy threshold t of
 * density(t) * product of Pr[q_i < t], i < k, * Pr[q_k >= t]; trapezoids with step 0.01. */
static void above_threshold_has_the_right_odds(void **state) {
  (void)state;
  const double q[] = {0, 1, 5}, T = 2, eps = 1;
  double p[4] = {0}, h = 0.01;
  for (double t = -80; t <= 80; t += h) {
    double below = laplace_density(t - T, 2 / eps) * h;
    for (int k = 0; k < 3; k++) {
      double above = laplace_tail(t - q[k], 4 / eps);
      p[k] += below * above;
      below *= 1 - above;
    }
    p[3] += below;
  }
  size_t n = test_rounds(60000), count[4] = {0};
  count_outcomes("param eps : real, eps > 0; param n : int, n >= 0;"
                 "mechanism m(private q : real[n], T : real) returns int adjacent all_within(q, 1) "
                 "{ t <$ Lap(T, 2/eps); for i in 0..n { s <$ Lap(q[i], 4/eps); if s >= t { return "
                 "i; } } return n; }"
                 "instance small { param eps = 1; param n = 3; input q = [0, 1, 5]; input T = 2; }",
                 count, 4, n);
  assert_true(chi_square_z(p, count, 4, n) < 3.7);
}

/* Pr[noisy max = k] with discrete noise, by enumeration; first index wins ties. */
static void discrete_noisy_max_has_the_right_odds(void **state) {
  (void)state;
  const int q[] = {3, 0, 2};
  double p[3] = {0}, a = exp(-0.5), c = (1 - a) / (1 + a);
  for (int x = -60; x <= 60; x++)
    for (int y = -60; y <= 60; y++)
      for (int z = -60; z <= 60; z++) {
        int v[] = {q[0] + x, q[1] + y, q[2] + z}, best = 0;
        for (int i = 1; i < 3; i++)
          if (v[i] > v[best]) best = i;
        p[best] += c * c * c * pow(a, abs(x) + abs(y) + abs(z));
      }
  size_t n = test_rounds(60000), count[3] = {0};
  count_outcomes("param eps : real, eps > 0; param n : int, n > 0;"
                 "mechanism m(private q : int[n]) returns int adjacent all_within(q, 1) { best := "
                 "0; top := 0; for i in 0..n { v <$ DLap(q[i], 2/eps); if i = 0 or v > top { best "
                 ":= i; top := v; } } return best; }"
                 "instance i { param eps = 1; param n = 3; input q = [3, 0, 2]; }",
                 count, 3, n);
  assert_true(chi_square_z(p, count, 3, n) < 3.7);
}

/* ---- choosing an instance ------------------------------------------------------------------- */

static void the_first_complete_instance_is_chosen(void **state) {
  (void)state;
  expect(
      "param n : int; mechanism m(k : int) returns int { return k * n; } "
      "instance other { param n = 1; } instance half { input k = 5; } "
      "instance whole { param n = 2; input k = 21; } instance late { param n = 3; input k = 3; }",
      "42");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(statements_mean_what_they_say),
      cmocka_unit_test(arrays_are_values),
      cmocka_unit_test(lists_grow_and_shrink),
      cmocka_unit_test(procedures_and_definitions_compute),
      cmocka_unit_test(operators_come_from_the_instance),
      cmocka_unit_test(state_lives_for_one_run),
      cmocka_unit_test(oracles_work_on_the_mechanism),
      cmocka_unit_test(mistakes_are_errors_with_a_place),
      cmocka_unit_test(what_is_given_is_checked),
      cmocka_unit_test(numbers_stay_exact),
      cmocka_unit_test(randomized_response_has_the_right_odds),
      cmocka_unit_test(above_threshold_has_the_right_odds),
      cmocka_unit_test(discrete_noisy_max_has_the_right_odds),
      cmocka_unit_test(the_first_complete_instance_is_chosen),
  };
  return cmocka_run_group_tests_name("interp", tests, NULL, NULL);
}
