/* ctest-label: release */
/* differing(x), same_except(x, e) and b^t in proofs: what they prove, what they must not prove, and
 * what is said about wrong uses. The binary-tree counter with one thing changed, each time so that
 * the claim becomes false or the proof says too little, keeps its proof and is refused. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "proof_text.h"
#include "testlib.h"

static char *read_all(const char *path) {
  FILE *f = fopen(path, "r");
  assert_non_null(f);
  char *text = calloc(1, 1 << 16);
  assert_true(fread(text, 1, (1 << 16) - 1, f) > 0);
  fclose(f);
  return text;
}

/* The text with `old` replaced everywhere; it must be there. */
static char *changed(const char *text, const char *old, const char *new) {
  size_t room = strlen(text) * 2 + 4096;
  char *out = calloc(1, room);
  bool found = false;
  for (const char *at = text; *at;) {
    if (strncmp(at, old, strlen(old)) != 0) {
      strncat(out, at++, 1);
      continue;
    }
    found = true;
    strcat(out, new);
    at += strlen(old);
  }
  if (!found) print_message("not there: %s\n", old);
  assert_true(found);
  return out;
}

static const struct {
  const char *old, *new, *rule, *because;
} counters[] = {
    /* the claim is false */
    {"Lap(sum, L/eps)", "Lap(sum, L/(2*eps))", "", ""},
    {"epsilon eps proof", "epsilon eps - eps/L proof", "", ""},
    {"one_differs(q, 1)", "one_differs(q, 2)", "", ""},
    {"0 <= n < 2^L", "0 <= n <= 2^L", "", ""},
    {"0 <= n < 2^L", "0 <= n < 3^L", "", ""},
    {"0 <= n < 2^L", "0 <= n", "", ""},
    {"sum := sum + exact[j];\n      exact[j] := 0;", "sum := sum + exact[j];", "", ""},
    {"sum := sum + exact[j];", "sum := sum + 2*exact[j];", "", ""},
    {"emit total;", "emit total + exact[0];", "WHILE", "emitted the same"},
    {"k := k div 2;", "k := k div 2 + 1;", "", ""},
    /* 2^L says nothing about L below 0 */
    {"param L : int, L >= 1;", "param L : int;", "", ""},
    /* the proof says too little, or too much */
    {"k*2^j = i + 1", "k*2^j >= i + 1", "", ""},
    {"k*2^j = i + 1", "k*3^j = i + 1", "", ""},
    {"0 <= j and 1 <= k", "1 <= k", "", ""},
    {"0 <= j and 1 <= k", "0 <= j", "", ""},
    {"invariant same_except(exact, differing(exact));", "", "", ""},
    {"(L - j)*(eps/L)", "(L - j - 1)*(eps/L)", "", ""},
    {"      only;\n", "", "WHILE", "the invariant of the loop"},
    {"      variant k;\n", "", "LOSSLESS", "variant"},
    {"shift 0 within (if sum<1> = sum<2> then 0 else 1)", "shift 0 within 0", "SAMPLE", ""},
};

static void counters_with_a_mistake(void **state) {
  (void)state;
  char *text = read_all("examples/proofs/private_counters.dp");
  accepts(text);
  for (size_t i = 0; i < sizeof counters / sizeof counters[0]; i++) {
    char *other = changed(text, counters[i].old, counters[i].new);
    refuses(other, counters[i].rule, counters[i].because);
    free(other);
  }
  free(text);
}

/* A copy of the input, read again: the place where it differs decides what is left. */
#define COPIED(adjacency, epsilon, left)                                                           \
  "param eps : real, eps > 0; param n : int, n >= 0;\n"                                            \
  "mechanism m(private q : real[n]) emits real adjacent " adjacency " {\n"                         \
  "  var a : real[n]; for i in 0..n { a[i] := q[i]; }\n"                                           \
  "  for i in 0..n { x <$ Lap(a[i], 1/eps); emit x; } }\n"                                         \
  "claim private m epsilon " epsilon " proof {\n"                                                  \
  "  loop 1 { invariant same_except(a, differing(a)); budget eps;\n"                               \
  "    invariant abs(a<1>[differing(a)] - a<2>[differing(a)]) <= 1;\n"                             \
  "    invariant a<1> = a<2> or differing(a) = differs; }\n"                                       \
  "  loop 2 { invariant same_except(a, differing(a));\n"                                           \
  "    invariant abs(a<1>[differing(a)] - a<2>[differing(a)]) <= 1;\n"                             \
  "    budget " left "; sample x: shift 0; } }"
#define LEFT "if a<1> = a<2> or differing(a) < i then 0 else eps"

static void budgets_by_place(void **state) {
  (void)state;
  accepts(COPIED("one_differs(q, 1)", "eps", LEFT));
  refuses(COPIED("one_differs(q, 1)", "eps/2", LEFT), "", "");
  refuses(COPIED("one_differs(q, 2)", "eps", LEFT), "", "");
  refuses(COPIED("one_differs(q, 1)", "eps", "if a<1> = a<2> or differing(a) <= i then 0 else eps"),
          "", "");
  refuses(COPIED("one_differs(q, 1)", "eps", "if differing(a) != i then 0 else eps"), "", "");
}

/* The array is written once the budget is fixed: the place is another one afterwards. */
#define MOVED(first, second)                                                                       \
  "param eps : real, eps > 0;\n"                                                                   \
  "mechanism m(private q : real) emits real adjacent within(q, 1) {\n"                             \
  "  var a : real[3]; a[" first "] := q; a[" second "] := q;\n"                                    \
  "  for i in 0..3 { x <$ Lap(a[i], 1/eps); emit x; } }\n"                                         \
  "claim private m epsilon eps proof {\n"                                                          \
  "  loop { invariant same_except(a, differing(a));\n"                                             \
  "    invariant abs(a<1>[differing(a)] - a<2>[differing(a)]) <= 1;\n"                             \
  "    budget " LEFT "; sample x: shift 0; } }"

static void the_place_is_of_the_arrays_as_they_are(void **state) {
  (void)state;
  accepts(MOVED("1", "1"));
  refuses(MOVED("0", "2"), "", "");
  refuses(MOVED("2", "0"), "", "");
}

#define WRONG(formula)                                                                             \
  "param n : int, n >= 0; param r : real;\n"                                                       \
  "mechanism m(private q : real[n], p : real[n]) returns int adjacent one_differs(q, 1) {\n"       \
  "  var a : real[n]; j := 0; y := 0.5; for i in 0..n { j := j + 1; } return j; }\n"               \
  "claim private m epsilon 0 proof { loop { invariant j<1> = j<2>; invariant " formula "; } }"

static void wrong_uses(void **state) {
  (void)state;
  accepts(WRONG("2^j >= 0 or j < 0"));
  refuses(WRONG("differing(j) = 0"), "", "needs an array");
  refuses(WRONG("same_except(j, 0)"), "", "needs an array");
  refuses(WRONG("differing(a<1>) = 0"), "", "the same in both");
  refuses(WRONG("differing(p) = 0"), "", "the same in both");
  refuses(WRONG("differing(a, a) = 0"), "", "takes 1 argument");
  refuses(WRONG("same_except(a)"), "", "takes 2 arguments");
  refuses(WRONG("same_except(a, y)"), "", "another type");
  refuses(WRONG("2^y > 0"), "", "the exponent must be an integer");
  refuses(WRONG("2^r > 0"), "", "the exponent must be an integer");
  refuses(WRONG("2^(-1) > 0"), "", "from 0 to 4096");
  refuses(WRONG("2^0.5 > 0"), "", "from 0 to 4096");
  refuses(WRONG("n^j > 0"), "", "the base must be one");
  refuses(WRONG("2.5^j > 0"), "", "the base must be one");
  refuses(WRONG("2.0^j > 0"), "", "the base must be one");
  refuses(WRONG("1^j > 0"), "", "the base must be one");
  refuses(WRONG("(-2)^j > 0"), "", "the base must be one");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(counters_with_a_mistake),
      cmocka_unit_test(budgets_by_place),
      cmocka_unit_test(the_place_is_of_the_arrays_as_they_are),
      cmocka_unit_test(wrong_uses),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
