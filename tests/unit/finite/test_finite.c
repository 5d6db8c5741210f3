/* Finite claims against a computation by hand: all pairs of inputs, adjacency and output
 * probabilities written down once more in C. A delta just above the true one is proved, one just
 * below is broken by a pair that the certifier accepts. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "check/finite/finite.h"
#include "source_text.h"
#include "testlib.h"

struct decided {
  struct lang lang;
  struct program_claim claim;
  struct finite_result result;
};

static void decide(struct decided *d, const char *text) {
  lang_init(&d->lang);
  d->claim = (struct program_claim){&d->lang, load_valid_text(&d->lang, text), NULL};
  for (size_t i = 0; i < d->claim.module->decl_count; i++)
    if (d->claim.module->decls[i]->kind == DECL_CLAIM) d->claim.claim = d->claim.module->decls[i];
  finite_result_init(&d->result);
  finite_decide(&d->result, &d->claim, NULL);
}

static void decided_clear(struct decided *d) {
  finite_result_clear(&d->result);
  lang_clear(&d->lang);
}

/* ---- coins ------------------------------------------------------------------------------------ */

/* Three numbers x, y, t from a set; two coins, the second of which depends on the first. */
enum { VALUES = 3 };
static const int values[VALUES] = {-1, 0, 2};

static double first_coin(int x, int y, int t, int k) {
  return (1 + ((k * x + 3 * y + t + 70) % 7)) / 9.0;
}
static double second_coin(int x, int y, int t, int k, int first) {
  return (1 + ((x + k * y + 2 * t + first + 70) % 5)) / 8.0;
}

#define COINS                                                                                      \
  "mechanism m(private q : int[2], t : int) returns (bool, bool)\n"                                \
  "  adjacent %s\n  requires t > -1\n{\n"                                                          \
  "  a <$ Bernoulli((1 + ((%d*q[0] + 3*q[1] + t + 70) mod 7))/9);\n"                               \
  "  s := 0;\n  if a { s := 1; }\n"                                                                \
  "  b <$ Bernoulli((1 + ((q[0] + %d*q[1] + 2*t + s + 70) mod 5))/8);\n"                           \
  "  return (a, b);\n}\n"                                                                          \
  "claim private m epsilon %s delta %.15f at q in {0, -1, 2, 0}, t in {-1, 0, 2};\n"

enum relation { ALL_WITHIN, ONE_DIFFERS, FORALL, INCREASE, FAR, RELATIONS };
static const char *const formulas[RELATIONS] = {
    "all_within(q, 1)", "one_differs(q, 2)",
    "(forall i in 0..2. abs(q<1>[i] - q<2>[i]) <= t) and q<1>[0] != 2", "all_increase(q, 2)",
    "abs(q<1>[0] - q<2>[0]) + abs(q<1>[1] - q<2>[1]) <= 3 and within(t, 0)"};

static bool adjacent(enum relation r, const int *q, const int *p, int t) {
  int d0 = abs(q[0] - p[0]), d1 = abs(q[1] - p[1]);
  switch (r) {
  case ALL_WITHIN: return d0 <= 1 && d1 <= 1;
  case ONE_DIFFERS: return (d0 == 0 || d1 == 0) && d0 <= 2 && d1 <= 2;
  case FORALL: return d0 <= t && d1 <= t && q[0] != 2;
  case INCREASE: return p[0] >= q[0] && p[1] >= q[1] && d0 <= 2 && d1 <= 2;
  default: return d0 + d1 <= 3;
  }
}

/* sum of max(0, P1 - factor P2) */
static double excess(const int *q, const int *p, int t, int k, double factor) {
  double sum = 0;
  for (int a = 0; a < 2; a++)
    for (int b = 0; b < 2; b++) {
      const int *x[2] = {q, p};
      double pr[2];
      for (int run = 0; run < 2; run++) {
        double c = first_coin(x[run][0], x[run][1], t, k),
               e = second_coin(x[run][0], x[run][1], t, k, a);
        pr[run] = (a ? c : 1 - c) * (b ? e : 1 - e);
      }
      sum += fmax(0, pr[0] - factor * pr[1]);
    }
  return sum;
}

/* The greatest excess over all adjacent pairs, in both orders; *pairs: how many there are. Symmetric
 * shorthands are seen once. */
static double worst(enum relation r, int k, double factor, size_t *pairs) {
  double most = 0;
  *pairs = 0;
  for (int n = 0; n < VALUES * VALUES * VALUES * VALUES * VALUES; n++) {
    int m = n, q[2], p[2], t;
    q[0] = values[m % VALUES], m /= VALUES;
    q[1] = values[m % VALUES], m /= VALUES;
    p[0] = values[m % VALUES], m /= VALUES;
    p[1] = values[m % VALUES], m /= VALUES;
    t = values[m];
    if (t <= -1 || (q[0] == p[0] && q[1] == p[1]) || !adjacent(r, q, p, t)) continue;
    ++*pairs;
    most = fmax(most, fmax(excess(q, p, t, k, factor), excess(p, q, t, k, factor)));
  }
  if (r == ALL_WITHIN || r == ONE_DIFFERS) *pairs /= 2;
  return most;
}

static void coins_against_all_pairs(void **state) {
  (void)state;
  for (int n = 0; n < 40; n++) {
    enum relation r = (enum relation)(n % RELATIONS);
    int k = 1 + n / RELATIONS;
    const char *epsilon = n % 2 ? "1/2" : "0";
    size_t pairs;
    double exact = worst(r, k, n % 2 ? exp(0.5) : 1, &pairs);
    for (int side = -1; side <= 1; side += 2) {
      double delta = exact * (1 + side * 1e-9);
      if (exact == 0 && side < 0) continue;
      char *formula = xstrdup(formulas[r]);
      if (strstr(formula, " and within")) *strstr(formula, " and within") = 0;
      char *text = xasprintf(COINS, formula, k, k, epsilon, delta);
      struct decided d;
      decide(&d, text);
      if (side > 0) {
        assert_int_equal(d.result.status, FINITE_PROVED);
        assert_int_equal(d.result.pairs, pairs);
      } else {
        if (d.result.status != FINITE_VIOLATED) fail_msg("%s, for\n%s", d.result.why, text);
        assert_true(program_certify(&d.result.ce, &d.claim, NULL, NULL));
      }
      decided_clear(&d);
      free(text);
      free(formula);
    }
  }
}

/* ---- what must not be proved -------------------------------------------------------------------- */

static void assert_status(enum finite_status status, const char *reason, const char *text) {
  struct decided d;
  decide(&d, text);
  if (d.result.status != status || (reason && !strstr(d.result.why ? d.result.why : "", reason)))
    fail_msg("status %d, %s, for\n%s", (int)d.result.status, d.result.why, text);
  decided_clear(&d);
}

/* Balls cannot tell equality from its neighbours; terms can. */
static void equality_is_exact(void **state) {
  (void)state;
#define ROUND(eps)                                                                                 \
  "mechanism m(private b : bool) returns bool adjacent true {\n"                                   \
  "  flip <$ Bernoulli(1/(1 + exp(1)));\n"                                                         \
  "  return if flip then not b else b; }\n"                                                        \
  "claim private m epsilon " eps " at b in {false, true};"
  assert_status(FINITE_PROVED, NULL, ROUND("1"));
  assert_status(FINITE_PROVED, NULL, ROUND("1000001/1000000"));
  assert_status(FINITE_VIOLATED, NULL, ROUND("999999/1000000"));
  /* what is left over is delta exactly */
  assert_status(FINITE_PROVED, NULL, ROUND("1/2 delta (exp(1) - exp(1/2))/(1 + exp(1))"));
  assert_status(FINITE_VIOLATED, NULL, ROUND("1/2 delta (exp(1) - exp(1/2))/(1 + exp(1)) - 1e-30"));
  /* numbers against a logarithm, and their neighbours */
#define TRUTH(p)                                                                                   \
  "mechanism m(private b : bool) returns bool adjacent true {\n"                                   \
  "  keep <$ Bernoulli(" p ");\n  return keep = b; }\n"                                            \
  "claim private m epsilon ln(3) at b in {false, true};"
  assert_status(FINITE_PROVED, NULL, TRUTH("3/4"));
  assert_status(FINITE_PROVED, NULL, TRUTH("3/4 - 1e-40"));
  assert_status(FINITE_VIOLATED, NULL, TRUTH("3/4 + 1e-40"));
}

/* The same where it takes some computing to see it. */
static void equality_is_seen_through_programs(void **state) {
  (void)state;
  /* everything is revealed with probability 1/10 */
#define LEAK(delta)                                                                                \
  "mechanism m(private x : int) returns (bool, int) adjacent true {\n"                             \
  "  leaks <$ Bernoulli(1/10);\n  y := 0;\n  if leaks { y := x; }\n  return (leaks, y); }\n"       \
  "claim private m epsilon 0 delta " delta " at x in {1, 2, 3};"
  assert_status(FINITE_PROVED, NULL, LEAK("1/10"));
  assert_status(FINITE_VIOLATED, NULL, LEAK("1/10 - 1e-30"));
  /* noise against a threshold, in a loop */
#define SIGNS(eps)                                                                                 \
  "param n : int;\n"                                                                               \
  "mechanism m(private x : int[n]) emits bool adjacent all_within(x, 1) {\n"                       \
  "  for i in 0..n { s <$ Lap(x[i], 2); emit s >= 0; } }\n"                                        \
  "claim private m epsilon " eps " at n = 2, x in {-2, -1, 0, 1};"
  assert_status(FINITE_PROVED, NULL, SIGNS("1"));
  assert_status(FINITE_VIOLATED, NULL, SIGNS("1 - 1e-30"));
  /* each bit by a coin of its own, and how many lie does not matter */
#define BITS(eps)                                                                                  \
  "param e : real;\nparam n : int;\n"                                                              \
  "mechanism m(private b : bool[n]) returns bool[n] adjacent one_changes(b) {\n"                   \
  "  var y : bool[n];\n"                                                                           \
  "  for i in 0..n { keep <$ Bernoulli(exp(e)/(1 + exp(e))); y[i] := (keep = b[i]); }\n"           \
  "  return y; }\n"                                                                                \
  "claim private m epsilon " eps " at e = 1/3, n = 3, b in {false, true};"
  assert_status(FINITE_PROVED, NULL, BITS("e"));
  assert_status(FINITE_VIOLATED, NULL, BITS("e - 1e-30"));
}

static void open_ends_are_not_proved(void **state) {
  (void)state;
  /* infinitely many outputs: no pure claim, but one with delta */
#define COUNT(cost)                                                                                \
  "mechanism m(private x : int) returns int adjacent within(x, 1) {\n"                             \
  "  y <$ DLap(x, 1); return y; }\n"                                                               \
  "claim private m epsilon " cost " at x in {0, 1, 2};"
  assert_status(FINITE_UNKNOWN, NULL, COUNT("2"));
  assert_status(FINITE_PROVED, NULL, COUNT("2 delta 1/1000000"));
  assert_status(FINITE_VIOLATED, NULL, COUNT("1/2 delta 1/100"));
  /* real outputs cannot be listed */
  assert_status(FINITE_UNKNOWN, NULL,
                "mechanism m(private x : int) returns real adjacent within(x, 1) {\n"
                "  y <$ Gauss(x, 10); return y; }\n"
                "claim private m epsilon 1 delta 1/10 at x in {0, 1};");
  /* one run does not end */
  assert_status(FINITE_UNKNOWN, "for ever",
                "mechanism m(private x : int) returns int adjacent within(x, 1) {\n"
                "  k := 0; while declassify(x) > 0 { k := 1; } return k; }\n"
                "claim private m epsilon 1 delta 1 at x in {0, 1};");
  /* another notion */
  assert_status(FINITE_UNKNOWN, "epsilon and delta only",
                "mechanism m(private x : int) returns int adjacent within(x, 1) { return 0; }\n"
                "claim private m zcdp 1 at x in {0, 1};");
  /* what the parameters are assumed to be */
  assert_status(FINITE_UNKNOWN, "assumption",
                "param n : int, n > 3;\n"
                "mechanism m(private x : int) returns int adjacent within(x, n) { return 0; }\n"
                "claim private m epsilon 1 at n = 3, x in {0, 1};");
}

/* ---- floats ------------------------------------------------------------------------------------ */

/* The snapping mechanism with a short word, so that the hardware can run all of it. */
enum { WORDS = 1000, INPUTS = 7, BOUND = 3 };
static const double inputs[INPUTS] = {-4, -3, -2.75, -0.1, 0, 0.6, 1};

#define SNAPPING                                                                                   \
  "mechanism m(private x : float) returns float adjacent within(x, 1) {\n"                         \
  "  k <$ UniformInt(1, 1000);\n  heads <$ Bernoulli(1/2);\n"                                      \
  "  noise := %g*ln(to_float(k)/1000);\n"                                                          \
  "  z := max(-3, min(3, x)) + (if heads then noise else -noise);\n"                               \
  "  return max(-3, min(3, round(z))) + %s;\n}\n"                                                  \
  "claim private m epsilon %.12f at x in {-4, -3, -2.75, -0.1, 0, 0.6, 1};\n"

static void count_runs(double x, double scale, int counts[2 * BOUND + 1]) {
  memset(counts, 0, (2 * BOUND + 1) * sizeof *counts);
  for (int run = 0; run < 2 * WORDS; run++) {
    volatile double noise = scale * log((run / 2 + 1) / (double)WORDS);
    volatile double z = fmax(-BOUND, fmin(BOUND, x)) + (run % 2 ? noise : -noise);
    counts[BOUND + (int)fmax(-BOUND, fmin(BOUND, rint(z)))]++;
  }
}

static double largest_loss(double scale) {
  double most = 0;
  for (int i = 0; i < INPUTS * INPUTS; i++) {
    int a[2 * BOUND + 1], b[2 * BOUND + 1];
    double x = inputs[i % INPUTS], y = inputs[i / INPUTS];
    if (fabs(x - y) > 1) continue;
    count_runs(x, scale, a);
    count_runs(y, scale, b);
    for (int k = 0; k <= 2 * BOUND; k++)
      if (a[k]) most = fmax(most, log((double)a[k] / b[k]));
  }
  return most;
}

static void floats_against_all_runs(void **state) {
  (void)state;
  static const double scales[] = {0.5, 1, 1.5, 2, 3};
  for (size_t i = 0; i < sizeof scales / sizeof *scales; i++) {
    double exact = largest_loss(scales[i]);
    bool possible = exact < 1e9; /* else some output is impossible for one input */
    for (int side = -1; side <= 1; side += 2) {
      struct decided d;
      char *text = xasprintf(SNAPPING, scales[i], "0", possible ? exact + side * 1e-9 : 30);
      decide(&d, text);
      enum finite_status wanted = side > 0 && possible ? FINITE_PROVED : FINITE_VIOLATED;
      if (d.result.status != wanted) fail_msg("%s, for\n%s", d.result.why, text);
      if (wanted == FINITE_VIOLATED)
        assert_true(program_certify(&d.result.ce, &d.claim, NULL, NULL));
      decided_clear(&d);
      free(text);
    }
  }
}

/* Nothing is proved where the sign of a zero may tell something, or with outputs that are not all
 * listed. */
static void floats_that_are_not_proved(void **state) {
  (void)state;
  static const char *const ends[] = {"(-0.0)", "to_float(-0.0)", "to_float(-1e-999)", "x*0"};
  for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
    char *text = xasprintf(SNAPPING, 1.0, ends[i], 9.0);
    assert_status(FINITE_UNKNOWN, "floating-point zero", text);
    free(text);
  }
#define NOISY(result, word)                                                                        \
  "mechanism m(private x : float) returns float adjacent within(x, 1) {\n"                         \
  "  k <$ UniformInt(0, " word ");\n  u := to_float(k)/1024;\n"                                    \
  "  return " result ";\n}\nclaim private m epsilon 99 at x in {0, 0.5};"
  assert_status(FINITE_PROVED, NULL, NOISY("floor(u + 8) + 0*x", "1023"));
  assert_status(FINITE_PROVED, NULL, NOISY("abs(floor(u))", "1023"));
  assert_status(FINITE_UNKNOWN, "too many outputs", NOISY("u + 8", "2^20 - 1"));
  assert_status(FINITE_UNKNOWN, "infinite", NOISY("(1 + u)*1e308*2", "1023"));
  assert_status(FINITE_VIOLATED, NULL, NOISY("floor(u + 8) + x", "1023"));
}

/* A counterexample elsewhere is none. */
static void certificates_stay_inside(void **state) {
  (void)state;
  struct decided d;
  decide(&d, "mechanism m(private x : int) returns int adjacent within(x, 1) { return x; }\n"
             "claim private m epsilon 1 at x in {0, 1, 2};");
  assert_int_equal(d.result.status, FINITE_VIOLATED);
  assert_true(program_certify(&d.result.ce, &d.claim, NULL, NULL));
  rvalue_clear(&d.result.ce.inputs[0][0]);
  rvalue_clear(&d.result.ce.inputs[1][0]);
  d.result.ce.inputs[0][0] = rvalue_int(3);
  d.result.ce.inputs[1][0] = rvalue_int(4);
  char *why = NULL;
  pattern_clear(&d.result.ce.outputs.at[0]);
  struct rvalue three = rvalue_int(3);
  pattern_of(&d.result.ce.outputs.at[0], &three);
  assert_false(program_certify(&d.result.ce, &d.claim, NULL, &why));
  assert_non_null(strstr(why, "`at` does not have these"));
  free(why);
  decided_clear(&d);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(coins_against_all_pairs),
      cmocka_unit_test(equality_is_exact),
      cmocka_unit_test(equality_is_seen_through_programs),
      cmocka_unit_test(open_ends_are_not_proved),
      cmocka_unit_test(floats_against_all_runs),
      cmocka_unit_test(floats_that_are_not_proved),
      cmocka_unit_test(certificates_stay_inside),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
