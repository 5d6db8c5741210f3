/* Floats that `at` does not list: those that stand for the others do so for every adjacent pair,
 * compared with the hardware; and what cannot be reduced is refused. */
#include <math.h>
#include <string.h>

#include "check/finite/inputs.h"
#include "run/eval/number.h"
#include "source_text.h"
#include "testlib.h"

struct reduced {
  struct lang lang;
  struct program_claim claim;
  struct finite_inputs inputs;
  const char *why;
  bool ok;
};

#define MECHANISM                                                                                  \
  "param g : float, g > 0;\n"                                                                      \
  "let clamp(x, low, high : float) : float = max(low, min(high, x));\n"                            \
  "let scaled(x, y : float) : float = x*y;\n"                                                      \
  "mechanism m(private x : float, t : float) returns float\n  adjacent %s\n%s{\n"                  \
  "  %s\n  k <$ UniformInt(0, 1);\n  return %s + to_float(k);\n}\n"                                \
  "claim private m epsilon 1 at g = 0.5, %s in {0, 1};\n"

static void reduce(struct reduced *r, const char *adjacency, const char *premise, const char *step,
                   const char *result) {
  lang_init(&r->lang);
  const char *listed = *premise ? "x" : "t"; /* a premise can only speak of the other one */
  char *text = xasprintf(MECHANISM, adjacency, premise, step, result, listed);
  r->claim = (struct program_claim){&r->lang, load_valid_text(&r->lang, text), NULL};
  for (size_t i = 0; i < r->claim.module->decl_count; i++)
    if (r->claim.module->decls[i]->kind == DECL_CLAIM) r->claim.claim = r->claim.module->decls[i];
  r->why = NULL;
  r->ok = finite_inputs_init(&r->inputs, &r->claim, &r->why);
  free(text);
}

static void reduced_clear(struct reduced *r) {
  finite_inputs_clear(&r->inputs);
  lang_clear(&r->lang);
}

/* ---- what stands for what --------------------------------------------------------------------- */

static double clamp(double x, double low, double high) {
  return fmax(low, fmin(high, x));
}

static double down(double x) {
  return 0.5 * floor(clamp(x, -3, 3) / 0.5);
}
static double nearest(double x) {
  return rint(clamp(x, -3, 4));
}
static double falling(double x) {
  return 1 - ceil(clamp(x, -2.3, 2) * 2);
}
static double rounded_sum(double x) {
  volatile double sum = clamp(x, -1, 1) + 1e16; /* the step is 2 */
  return sum;
}
static double narrow(double x) {
  return (double)(float)clamp(x, 1, 1.0000005);
}
static double constant(double x) {
  (void)x;
  return 7;
}

static const struct {
  const char *step;
  double (*value)(double x);
} cases[] = {
    {"c := g*floor(clamp(x, -3, 3)/g);", down},
    {"var c : float := round(clamp(x, -3, 4));", nearest},
    {"c := 1 - ceil(clamp(x, -2.3, 2)*2);", falling},
    {"c := clamp(x, -1, 1) + 1e16;", rounded_sum},
    {"c := to_float(to_float32(clamp(x, 1, 1.0000005)));", narrow},
    {"c := clamp(x, 7, 7);", constant},
};

static double double_of(const struct rvalue *v) {
  fmpq_t q;
  fmpq_init(q);
  number_get_fmpq(q, v);
  double x = fmpq_get_d(q);
  fmpq_clear(q);
  return x;
}

/* Is there a pair with the same values, and at most the distance? */
static bool is_covered(const struct reduced *r, double (*value)(double), double x, double y) {
  for (size_t i = 0; i < r->inputs.counts[0]; i++)
    for (size_t j = 0; j < r->inputs.counts[0]; j++) {
      double a = double_of(&r->inputs.values[0][i]), b = double_of(&r->inputs.values[0][j]);
      if (value(a) == value(x) && value(b) == value(y) && fabs(a - b) <= fabs(x - y)) return true;
    }
  return false;
}

/* Floats of all sizes, and those next to the ends of steps. */
static double random_float(struct rng *rng) {
  double x = rng_chance(rng, 1, 2) ? rng_range(rng, -64, 64) / 8.0
                                   : ldexp(rng_range(rng, -4096, 4096), rng_range(rng, -40, 900));
  for (int moves = rng_range(rng, 0, 2); moves > 0; moves--)
    x = nextafter(x, rng_chance(rng, 1, 2) ? INFINITY : -INFINITY);
  return x;
}

static void the_rest_is_covered(void **state) {
  (void)state;
  struct rng rng = rng_seeded(1903);
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    struct reduced r;
    reduce(&r, "within(x, 1) and same(t)", "", cases[k].step, "c");
    if (!r.ok) fail_msg("%s: %s", cases[k].step, r.why);
    for (size_t i = 0; i < test_rounds(400); i++) {
      double x = random_float(&rng), y = x + rng_range(&rng, -16, 16) / 16.0;
      if (rng_chance(&rng, 1, 4)) y = nextafter(y, x);
      if (!is_covered(&r, cases[k].value, x, y))
        fail_msg("%s: nothing stands for %a and %a", cases[k].step, x, y);
    }
    reduced_clear(&r);
  }
}

/* ---- what is refused -------------------------------------------------------------------------- */

static void assert_refused(const char *reason, const char *adjacency, const char *premise,
                           const char *step, const char *result) {
  struct reduced r;
  reduce(&r, adjacency, premise, step, result);
  if (r.ok || !strstr(r.why, reason)) fail_msg("%s: %s", step, r.ok ? "accepted" : r.why);
  reduced_clear(&r);
}

static void other_uses_are_refused(void **state) {
  (void)state;
  static const char usual[] = "within(x, 1)", step[] = "c := floor(clamp(x, -3, 3));";
  assert_refused("only once", usual, "", step, "c + x");
  assert_refused("only once", usual, "",
                 "c := floor(clamp(x, -3, 3)); if x > 0 { c := to_float(0); }", "c");
  assert_refused("only once", usual, "", "c := to_float(1); if x > 0 { c := to_float(0); }", "c");
  assert_refused("only once", usual, "", "c := to_float(0);", "c");
  assert_refused("requires", usual, "  requires t > 0\n", "c := floor(clamp(t, -3, 3));", "c + x");
  assert_refused("adjacency", "x<1> <= x<2>", "", step, "c");
  assert_refused("adjacency", "within(x, 1) and (x<1> > 0 -> x<2> > 0)", "", step, "c");
  assert_refused("adjacency", "abs(to_real(x<1>) - to_real(x<2>)) <= 1", "", step, "c");
  /* not monotone, or not seen to be */
  assert_refused("never falls", usual, "", "c := floor(abs(clamp(x, -3, 3)));", "c");
  assert_refused("never falls", usual, "", "c := x*x;", "c");
  assert_refused("never falls", usual, "", "c := clamp(x, -3, 3) - round(clamp(x, -3, 3));", "c");
  assert_refused("never falls", usual, "", "c := max(-3, min(3, 1/x));", "c");
  assert_refused("never falls", usual, "", "c := floor(clamp(x, -3, 3) + t);", "c");
  assert_refused("never falls", usual, "", "c := scaled(clamp(x, -3, 3), -1);", "c");
  assert_refused("never falls", usual, "", "c := if x > 0 then to_float(1) else to_float(0);", "c");
  /* too many values, or none */
  assert_refused("too many", usual, "", "c := clamp(x, -3, 3);", "c");
  assert_refused("too many", usual, "", "c := floor(clamp(x, -300, 300));", "c");
  assert_refused("clamp it first", usual, "", "c := clamp(2*x, -3, 3);", "c");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_rest_is_covered),
      cmocka_unit_test(other_uses_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
