/* Sums in formulas: what follows from their facts, and what must not.
 * ctest-label: release */
#include "proof_text.h"
#include "testlib.h"

#define NOISY(adjacency, claim)                                                                    \
  "param sigma : real, sigma > 0;\nparam n : int, n >= 0;\n"                                       \
  "mechanism m(private q : real[n]) emits real adjacent " adjacency                                \
  " { for i in 0..n { y <$ Gauss(q[i], sigma); emit y; } }\nclaim private m " claim
#define SQUARES "(q<1>[k] - q<2>[k])^2"
#define STEPS(sum)                                                                                 \
  " proof { loop { budget (sum k in i..n. " sum ")/(2*sigma^2); sample y: shift 0; } }"

static void squares(void **state) {
  (void)state;
  /* who comes first does not matter */
  accepts(NOISY("sum k in 0..n. (q<2>[k] - q<1>[k])^2 <= 1", "zcdp 1/(2*sigma^2)" STEPS(SQUARES)));
}

static void too_little(void **state) {
  (void)state;
  refuses(NOISY("sum k in 0..n. " SQUARES " <= 1", "zcdp 1/(3*sigma^2)" STEPS(SQUARES)), "", "");
}

#define DISTANCES "abs(q<1>[k] - q<2>[k])"
#define NORMS(claim, budget)                                                                       \
  NOISY("sum k in 0..n. " DISTANCES " <= 2",                                                       \
        claim " proof { loop { budget " budget "; sample y: shift 0; } }")

/* The sum of squares is at most the square of the sum of distances, and not of less: half of the
 * square leaves too little for the rest, the distances themselves too little for one square. */
static void norms(void **state) {
  (void)state;
  accepts(NORMS("zcdp 2/sigma^2", "(sum k in i..n. " DISTANCES ")^2*(1/sigma)^2/2"));
  accepts(NORMS("gaussian 2/sigma", "(sum k in i..n. " DISTANCES ")^2*(1/sigma)^2"));
  refuses(NORMS("zcdp 2/sigma^2", "(sum k in i..n. " DISTANCES ")^2*(1/sigma)^2/4"), "", "");
  refuses(NORMS("zcdp 2/sigma^2", "(sum k in i..n. " DISTANCES ")*(1/sigma)^2/2"), "", "");
  refuses(NORMS("zcdp 1/sigma^2", "(sum k in i..n. " DISTANCES ")^2*(1/sigma)^2/2"), "", "");
}

/* Differences of either sign add up to little: such a bound says nothing about squares, and it is
 * not the same for the other order of the runs. */
static void signs(void **state) {
  (void)state;
  refuses(NOISY("sum k in 0..n. (q<1>[k] - q<2>[k]) <= 1",
                "zcdp 1/(2*sigma^2)" STEPS("(q<1>[k] - q<2>[k])")),
          "", "");
  refuses("param n : int, n >= 1;\n"
          "mechanism m(private q : real[n]) returns real\n"
          "  adjacent (sum k in 0..n. (q<1>[k] - q<2>[k])) <= 0 and\n"
          "    (forall k in 1..n. q<1>[k] = q<2>[k])\n"
          "{ y <$ Exp(q[0], 1); return y; }\n"
          "claim private m epsilon 0 proof { sample y: shift 0 within 0; }",
          "", "");
}

#define COUNTED(choice)                                                                            \
  "param eps : real, eps > 0;\nparam n, k : int, n >= 0, k >= 1;\n"                                \
  "mechanism m(private q : real[n]) emits real"                                                    \
  "  adjacent all_within(q, 1) and (sum j in 0..n. (" choice ")) <= k"                             \
  " { for i in 0..n { y <$ Lap(q[i], k/eps); emit y; } }\n"                                        \
  "claim private m epsilon eps"                                                                    \
  " proof { loop { budget (sum j in i..n. (" choice "))*eps/k;"                                    \
  " sample y: when q<1>[i] = q<2>[i] shift 0 within 0 else shift 0 within 1; } }"

/* Choices between numbers are not negative if none of these is. */
static void choices(void **state) {
  (void)state;
  accepts(COUNTED("if q<1>[j] = q<2>[j] then 0 else 1"));
  accepts(COUNTED("if q<1>[j] = q<2>[j] then 0 else 1 + abs(q<1>[j] - q<2>[j])"));
  refuses(COUNTED("if q<1>[j] = q<2>[j] then -1 else 1"), "", "");
  refuses(COUNTED("if q<1>[j] = q<2>[j] then 0 else q<1>[j] - q<2>[j]"), "", "");
  refuses(COUNTED("if q<1>[j] = q<2>[j] then 0 else 1/2"), "", "");
}

/* Facts about a sum cannot be made up in a proof. */
static void unknown_sum(void **state) {
  (void)state;
  refuses(
      NOISY("sum k in 0..n. " SQUARES " <= 1", "zcdp 1/(2*sigma^2)" STEPS("(q<1>[k] + q<2>[k])^2")),
      "", "not one that the claim speaks of");
}

#define PRICED(sign)                                                                               \
  "param eps : real, eps > 0;\nparam n : int, n >= 0;\n"                                           \
  "mechanism m(private q : real[n], price : real[n]) emits real adjacent all_within(q, 1)"         \
  "  requires " sign " requires (sum i in 0..n. price[i]) <= eps"                                  \
  " { for i in 0..n { if price[i] > 0 { y <$ Lap(q[i], 1/price[i]); emit y; } } }\n"               \
  "claim private m epsilon eps"                                                                    \
  " proof { loop { invariant 0 <= i; budget sum k in i..n. price[k];"                              \
  " sample y: shift 0 within 1; } }"

/* What is left of a sum is not negative if none of its summands is: of all that are left, and of
 * them alone. */
static void prices(void **state) {
  (void)state;
  accepts(PRICED("forall i in 0..n. price[i] >= 0"));
  refuses(PRICED("true"), "", "");
  refuses(PRICED("forall i in 0..n - 1. price[i] >= 0"), "", "");
  refuses(PRICED("forall i in 0..n. price[i] >= -1"), "", "");
}

#define ROW(adjacency, first, second)                                                              \
  "param eps : real, eps > 0;\nparam n, d : int, n >= 0, d >= 0;\n"                                \
  "mechanism m(private x : real[n][d], p : int) emits real adjacent " adjacency                    \
  " { for j in 0..d { y <$ Lap(x[p][j], 1/eps); emit y; } }\nclaim private m epsilon eps"          \
  " proof { loop { budget (sum k in j..d. abs(x<1>[" first "][k] - x<2>[" second "][k]))*eps;"     \
  " sample y: shift 0; } }"
#define CLOSE(first, second) "(sum k in 0..d. abs(x<1>[" first "][k] - x<2>[" second "][k])) <= 1"

/* What a quantifier binds is an argument of the sum: what is known of one value is not known of
 * another. */
static void quantified(void **state) {
  (void)state;
  accepts(ROW("exists r in 0..n. r = p and " CLOSE("r", "r"), "r", "r"));
  refuses(ROW("exists r in 0..n. r = p + 1 and " CLOSE("r", "r"), "r", "r"), "", "");
  refuses(ROW("exists r in 0..n, s in 0..n. r = p and " CLOSE("r", "s"), "r", "s"), "", "");
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(squares),     cmocka_unit_test(too_little),
                                     cmocka_unit_test(norms),       cmocka_unit_test(signs),
                                     cmocka_unit_test(unknown_sum), cmocka_unit_test(prices),
                                     cmocka_unit_test(choices),     cmocka_unit_test(quantified)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
