/* Claims in other notions as people write them, and their least costs.
 * ctest-label: release */
#include "auto_rows.h"
#include "testlib.h"

#define CLIPPED(BODY)                                                                              \
  "param s, B, low, high : real, s > 0, B > 0, low <= high; param n : int, n >= 1;\n"              \
  "mechanism m(private x : real[n]) returns real adjacent one_changes(x) {"                        \
  "  t := 0.0; for i in 0..n {" BODY "} y <$ Gauss(t, s); return y; }\n"                           \
  "claim private m zcdp ?;"

/* The noise says nothing of what values are clipped to. */
static const struct auto_row clipped[] = {
    {"around 0", CLIPPED("t := t + min(B, max(-B, x[i]));"), "2*B^2/s^2"},
    {"two parameters", CLIPPED("t := t + max(low, min(high, x[i]));"),
     "(low^2 - 2*low*high + high^2)/(2*s^2)"},
    {"by cases", CLIPPED("v := x[i]; if v > B { v := B; } else if v < 0 { v := 0; } t := t + v;"),
     "B^2/(2*s^2)"},
    {"into an array",
     "param s, B : real, s > 0, B > 0; param n : int, n >= 1;\n"
     "mechanism m(private x : real[n]) returns real adjacent one_changes(x) {"
     "  var c : real[n]; for i in 0..n { c[i] := max(0, min(B, x[i])); }"
     "  t := 0.0; for j in 0..n { t := t + c[j]; } y <$ Gauss(t, s); return y; }\n"
     "claim private m zcdp ?;",
     "B^2/(2*s^2)"},
    {"not at all", CLIPPED("t := t + x[i];"), NULL},
    {"on one side", CLIPPED("t := t + min(B, x[i]);"), NULL},
};

static void clipping(void **state) {
  (void)state;
  auto_check_rows(NULL, clipped, sizeof clipped / sizeof *clipped);
}

#define SAMPLED(ORDER, BODY)                                                                       \
  "param q, s : real, 0 < q < 1, s > 0; param n : int, n >= 0;\n"                                  \
  "mechanism m(private x : option(real)[n]) returns real adjacent add_remove(x) {"                 \
  "  t := 0.0; for i in 0..n {" BODY "} y <$ Gauss(t, s); return y; }\n"                           \
  "claim private m renyi " ORDER " epsilon ?;"
#define ADD "t := t + max(-1, min(1, value(x[i])));"
#define GAIN "ln(q^2*exp(1/s^2) - q^2 + 1)"

/* The record is looked at together with the coin, after it, or before it. */
static const struct auto_row sampled[] = {
    {"together", SAMPLED("2", "b <$ Bernoulli(q); if b and is_some(x[i]) {" ADD "}"), GAIN},
    {"after", SAMPLED("2", "b <$ Bernoulli(q); if b { if is_some(x[i]) {" ADD "} }"), GAIN},
    {"before", SAMPLED("2", "if is_some(x[i]) { b <$ Bernoulli(q); if b {" ADD "} }"), GAIN},
    {"the gain of an order above 2",
     SAMPLED("3", "b <$ Bernoulli(1/2); if b and is_some(x[i]) {" ADD "}"),
     "max(0, ln(3*exp(1/s^2)/8 + exp(3/s^2)/8 + 1/2)/2)"},
};

static void sampling(void **state) {
  (void)state;
  auto_check_rows(NULL, sampled, sizeof sampled / sizeof *sampled);
}

#define VECTOR(BODY)                                                                               \
  "param s : real, s > 0; param n : int, n >= 0;\n"                                                \
  "mechanism m(private x : real[n]) emits real"                                                    \
  "  adjacent sum i in 0..n. (x<1>[i] - x<2>[i])^2 <= 1 {" BODY "}\n"                              \
  "claim private m zcdp ?;"

static const struct auto_row vectors[] = {
    {"a value of the loop's own",
     VECTOR("for i in 0..n { z <$ Gauss(0, s); y := x[i] + z; emit y; }"), "1/(2*s^2)"},
    {"while", VECTOR("i := 0; while i < n { y <$ Gauss(x[i], s); emit y; i := i + 1; }"),
     "1/(2*s^2)"},
};

static void vectors_in_loops(void **state) {
  (void)state;
  auto_check_rows(NULL, vectors, sizeof vectors / sizeof *vectors);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(clipping), cmocka_unit_test(sampling),
                                     cmocka_unit_test(vectors_in_loops)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
