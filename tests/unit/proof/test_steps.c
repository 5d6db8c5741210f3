/* Every step of the proof language (docs/proofs.md) at work: a claim that it proves, and a false or
 * unproved neighbour that the rule behind it refuses.
 * ctest-label: release */
#include <stdlib.h>
#include <string.h>

#include "proof_text.h"
#include "source_text.h"
#include "testlib.h"

#define EPS "param eps : real, eps > 0;\n"

/* A counter among ten, of which the answer depends on the secret. */
#define URN(sets)                                                                                  \
  "mechanism m(private b : bool) returns bool adjacent true {\n"                                   \
  "  u <$ UniformInt(0, 9); return u < (if b then 6 else 4); }\n"                                  \
  "claim private m epsilon ln(3/2) proof { sample u: subset " sets "; }"
#define URN_SETS "below (if b<1> then 5 else 3) to below (if b<2> then 5 else 3)"

static void subsets(void **state) {
  (void)state;
  accepts(URN(URN_SETS " cost ln(3/2) otherwise ln(3/2)"));
  refuses(URN(URN_SETS " cost ln(4/3) otherwise ln(3/2)"), "SUBSET", "ratio of probabilities");
  refuses(URN(URN_SETS " cost ln(3/2) otherwise 0"), "SUBSET", "ratio of probabilities");
  refuses(URN("below (if b<1> then 5.5 else 3.5) to below (if b<2> then 5.5 else 3.5)"
              " cost ln(3/2) otherwise ln(3/2)"),
          "SUBSET", "closed form");
  /* any set of finitely many values */
  accepts(
      "mechanism m(private b : bool) returns bool adjacent true {\n"
      "  u <$ Uniform{1, 2, 3}; return (b and u != 2) or (not b and u = 2); }\n"
      "claim private m epsilon ln(2) proof {\n"
      "  sample u: subset when ((b<1> and u != 2) or (not b<1> and u = 2))\n"
      "         to when ((b<2> and u != 2) or (not b<2> and u = 2)) cost ln(2) otherwise ln(2); "
      "}");
  /* half lines of Laplace noise: the answer is whether a secret 0 or 1 plus noise is at least 1 */
#define NOISY(cost)                                                                                \
  "mechanism m(private x : int) returns bool adjacent 0 <= x<1> <= 1 and 0 <= x<2> <= 1\n"         \
  "  {\n"                                                                                          \
  "  s <$ DLap(x, 1); return s >= 1; }\n"                                                          \
  "claim private m epsilon " cost " proof {\n"                                                     \
  "  sample s: subset above 1 to above 1 cost " cost " otherwise " cost "; }"
  accepts(NOISY("1"));
  refuses(NOISY("0.9"), "SUBSET", "ratio of probabilities");
}

/* x<1> is the smaller one; the other direction is admitted, so that only this one is looked at. */
#define SCALED(noise, step)                                                                        \
  "mechanism m(private x : real) returns real adjacent x<1> = exp(-1) and x<2> = 1\n"              \
  "{ u <$ " noise "; return u*x; }\n"                                                              \
  "claim private m epsilon 1 delta 0.6 proof { sample u: " step "; backward { admit; } }"

static void admitted(const char *text) {
  char rule[64], message[400];
  enum proof_verdict verdict = proof_text_check(text, rule, sizeof rule, message);
  if (verdict != PROOF_ADMITTED) print_message("%s: %s\n%s\n", rule, message, text);
  assert_int_equal(verdict, PROOF_ADMITTED);
}

static void scales(void **state) {
  (void)state;
  admitted(SCALED("Lap(0, 3)", "scale 1"));
  admitted(SCALED("Exp(0, 3)", "scale 1"));
  admitted(SCALED("Uniform(0, 3)", "scale 1"));
  refuses(SCALED("Lap(1, 3)", "scale 1"), "SCALE", "around 0");
  /* (e - 1)/3 = 0.573 of the samples leave the range */
  admitted(SCALED("Uniform(1, 4)", "scale 1 delta 0.6"));
  refuses(SCALED("Uniform(1, 4)", "scale 1 delta 0.5"), "SCALE", "within delta");
  refuses(SCALED("Uniform(1, 4)", "scale 1"), "UNIF", "within delta");
  refuses(SCALED("Gauss(0, 3)", "scale 1"), "SCALE", "needs uniform");
}

/* Once in e^5 the secret leaks. */
#define RARELY(delta, steps)                                                                       \
  "param n : int, n >= 0;\n"                                                                       \
  "mechanism m(private q : real[n]) emits real adjacent all_within(q, 1) {\n"                      \
  "  for i in 0..n { x <$ Lap(0, 1); emit (if x > 5 then q[i] else 0); } }\n"                      \
  "claim private m epsilon 0 delta " delta " proof { have exp(-5) > 0; loop { " steps " } }"

static void deltas_of_iterations(void **state) {
  (void)state;
  accepts(RARELY("n*exp(-5)/2", "deltas k total k*exp(-5)/2 counted n - i at most n;"
                                "sample x: same upto x <= 5 delta exp(-5)/2 above 5;"));
  refuses(RARELY("n*exp(-5)/2", "deltas k total exp(-5)/2 counted n - i at most n;"
                                "sample x: same upto x <= 5 delta exp(-5)/2 above 5;"),
          "WHILE-DELTA", "covers the sum");
  refuses(RARELY("n*exp(-5)/2", "deltas k total k*exp(-5)/2 counted i at most n;"
                                "sample x: same upto x <= 5 delta exp(-5)/2 above 5;"),
          "", "");
  refuses(RARELY("n*exp(-5)/2", "sample x: same upto x <= 5 delta exp(-5)/2 above 5;"), "WHILE",
          "costs delta");
  /* run 2's noise, at a budget of 0 */
  accepts(RARELY("n*exp(-5)/2",
                 "deltas k total k*exp(-5)/2 counted n - i at most n;"
                 "sample x: same upto x<2> <= 5 delta exp(-5)/2 above 5 run 2 budget 0;"));
  refuses(RARELY("n*exp(-5)/2",
                 "deltas k total k*exp(-5)/2 counted n - i at most n;"
                 "sample x: same upto x<1> <= 5 delta exp(-5)/2 above 5 run 2 budget 0;"),
          "aHL-LAP", "this run");
}

/* One of the numbers differs, so only the iteration that comes to it has anything to lose. */
#define ONCE(adjacent, body, delta, steps)                                                         \
  "param n : int, n >= 0; param d : real, 0 < d < 1;\n"                                            \
  "mechanism m(private q : real[n]) emits real adjacent " adjacent " {\n"                          \
  "  for i in 0..n { " body " } }\n"                                                               \
  "claim private m epsilon 0 delta " delta " proof { loop { " steps " } }"
#define LEAK "x <$ Bernoulli(d); emit (if x then q[i] else 0);"
#define AT(where) "sample x: same upto (not x) delta d in when not x where " where ";"
#define TOTAL(total) "deltas k total (" total ") counted n - i at most n;"
#define PASSED "if k >= n - differs then d else 0"

static void deltas_where(void **state) {
  (void)state;
  accepts(ONCE("one_differs(q, 1)", LEAK, "d", TOTAL(PASSED) AT("i = differs")));
  /* by the counter itself; beside a condition that always holds */
  accepts(ONCE("one_differs(q, 1)", LEAK, "d", TOTAL(PASSED) AT("k = n - differs and d < 1")));
  /* it leaks there, too, or twice: the secret is what differs, not the first number */
  refuses(ONCE("one_differs(q, 1)", LEAK, "d", TOTAL("if k >= n then d else 0") AT("i = 0")),
          "WHILE", "emitted the same");
  refuses(ONCE("one_differs(q, 1)", LEAK, "d", TOTAL(PASSED) AT("i = differs + 1")), "", "");
  refuses(ONCE("one_differs(q, 1)", LEAK LEAK, "d", TOTAL(PASSED) AT("i = differs")), "WHILE-DELTA",
          "covers the sum");
  accepts(ONCE("one_differs(q, 1)", LEAK LEAK, "2*d",
               TOTAL("if k >= n - differs then 2*d else 0") AT("i = differs")));
  refuses(ONCE("one_differs(q, 1)", LEAK, "d",
               TOTAL("if k > n - differs then d else 0") AT("i = differs")),
          "WHILE-DELTA", "covers the sum");
  /* where two numbers differ, one iteration is not enough */
  refuses(ONCE("exists j in 0..n. exists l in 0..n. forall i in 0..n."
               " i = j or i = l or q<1>[i] = q<2>[i]",
               LEAK, "d", TOTAL("if k >= n then d else 0") AT("i = 0")),
          "", "");
  /* what the memory says does not make a delta smaller: which iteration it is has to be known */
  refuses(ONCE("one_differs(q, 1)", LEAK, "d", TOTAL(PASSED) AT("q<1>[i] != q<2>[i]")),
          "WHILE-DELTA", "covers the sum");
  /* the number of rounds depends on the data of one run: it must be the same in both */
  refuses("param d : real, 0 < d < 1; param n : int, n >= 0;\n"
          "mechanism m(private q : real[n], private r : int) emits real\n"
          "  adjacent one_differs(q, 1) and within(r, 1) and 0 <= r<1> <= n and 0 <= r<2> <= n {\n"
          "  for i in 0..declassify(r) { " LEAK " } }\n"
          "claim private m epsilon 0 delta d proof { loop {" TOTAL(PASSED) AT("i = differs") "} }",
          "", "");
}

static void deltas_of_values(void **state) {
  (void)state;
#define LEAKY_BIT(delta)                                                                           \
  "mechanism m(private q : bool) returns bool adjacent true {\n"                                   \
  "  x <$ Lap(0, 1); b <$ Bernoulli(1/2); return (if x > 5 then q else b); }\n"                    \
  "claim private m epsilon 0 delta " delta " proof { pointwise result = r;\n"                      \
  "  sample x: same upto x <= 5 delta exp(-5)/2 above 5; }"
  accepts(LEAKY_BIT("exp(-5)"));
  refuses(LEAKY_BIT("exp(-5)/2"), "CLAIM", "delta is large enough");
#define LEAKY_DIGIT(total)                                                                         \
  "mechanism m(private q : int) returns int adjacent 0 <= q<1> <= 3 and 0 <= q<2> <= 3 {\n"        \
  "  x <$ Lap(0, 1); k <$ UniformInt(0, 3); return (if x > 5 then q else k); }\n"                  \
  "claim private m epsilon 0 delta 2*exp(-5) proof { have exp(-5) > 0;\n"                          \
  "  pointwise result = r from 0 to 3 total " total ";\n"                                          \
  "  case 0 <= r <= 3 { sample x: same upto x <= 5 delta exp(-5)/2 above 5; }\n"                   \
  "  else { sample x: same; } }"
  accepts(LEAKY_DIGIT("(r + 1)*exp(-5)/2"));
  refuses(LEAKY_DIGIT("r*exp(-5)/2"), "PW-EQ", "");
  refuses(LEAKY_DIGIT("exp(-5)/2"), "PW-EQ", "covers the deltas");
}

#define REPEATED(n, scale, total, omega, steps)                                                    \
  EPS "mechanism m(private x : int) emits int adjacent within(x, 1)\n"                             \
      "{ for i in 0.." n " { G <$ DLap(x, " scale "); emit G; } }\n"                               \
      "claim private m epsilon " total " delta " omega " proof { loop { advanced counted i "       \
      "at most " n " each " steps " total " total " omega " omega "; sample G: shift 0; } }"

static void optimal_composition(void **state) {
  (void)state;
  /* four answers at 1/2 each: (1, 0.0949), where basic composition gives (2, 0) */
  accepts(REPEATED("4", "2", "1", "0.0949", "1/2"));
  refuses(REPEATED("4", "2", "1", "0.0948", "1/2"), "AC-OPT", "omega covers");
  /* for every eps */
  accepts(REPEATED("2", "1/eps", "0", "(exp(2*eps) - 1)/(1 + exp(eps))^2", "eps"));
  /* answers that cost differently: 1/4, then 1/2 */
  accepts(REPEATED("2", "4/(i + 1)", "0.5", "0.0775", "(i + 1)/4"));
  refuses(REPEATED("2", "4/(i + 1)", "0.5", "0.0770", "(i + 1)/4"), "AC-OPT", "omega covers");
  refuses(REPEATED("300", "2", "1", "0.5", "1/2"), "AC-OPT", "number of iterations");
}

static void composition_with_deltas(void **state) {
  (void)state;
  /* each answer leaks with probability exp(-5)/2 */
#define SOMETIMES(delta, total)                                                                    \
  "param n : int, n >= 1; param eps : real, 0 < eps < 1; param w : real, 0 < w < 1;\n"             \
  "mechanism m(private x : int) emits int adjacent within(x, 1) { for i in 0..n {\n"               \
  "  y <$ DLap(0, 1); G <$ DLap(x, 1/eps); emit (if y > 5 then x else G); } }\n"                   \
  "claim private m epsilon sqrt(2*n*ln(1/w))*eps + n*eps*(exp(eps) - 1) delta " total "\n"         \
  "proof { have exp(-6)/(1 + exp(-1)) > 0; have exp(-6)/(1 + exp(-1)) < 1;\n"                      \
  "  loop { advanced counted i at most n each eps delta " delta " omega w; sample G: shift 0;\n"   \
  "    sample y: same upto y <= 5 delta exp(-6)/(1 + exp(-1)) above 5; } }"
  accepts(SOMETIMES("exp(-6)/(1 + exp(-1))", "n*(exp(-6)/(1 + exp(-1))) + w"));
  refuses(SOMETIMES("exp(-6)/(1 + exp(-1))", "exp(-6)/(1 + exp(-1)) + w"), "CLAIM",
          "delta is large enough");
  refuses(SOMETIMES("0", "w"), "CONSEQ", "bound on delta");
}

static void forms_of_loops(void **state) {
  (void)state;
  /* only the first iteration samples */
#define FIRST(steps, budget)                                                                       \
  EPS "param n : int, n >= 0;\n"                                                                   \
      "mechanism m(private q : real) emits real adjacent within(q, 1) {\n"                         \
      "  for i in 0..n { if i = 0 { x <$ Lap(q, 1/eps); } else { x := 0; } emit x; } }\n"          \
      "claim private m epsilon eps proof { loop { " steps " budget " budget "; } }"
  accepts(FIRST("unroll { sample x: shift 0; } invariant i >= 1;", "0"));
  refuses(FIRST("unroll { sample x: shift 0; }", "0"), "", "");
  accepts(FIRST("split i = 0 { sample x: shift 0; budget if i = 0 then eps else 0; } "
                "invariant i >= 1 or n <= 0;",
                "0"));
  refuses(FIRST("split i = 0 { sample x: shift 0; budget 0; } invariant i >= 1 or n <= 0;", "0"),
          "", "budget");
  /* two at a time */
#define BLOCKS(inner)                                                                              \
  EPS "param n : int, n >= 0;\n"                                                                   \
      "mechanism m(private q : real[n]) emits real adjacent one_differs(q, 1) {\n"                 \
      "  for i in 0..n { x <$ Lap(q[i], 1/eps); emit x; } }\n"                                     \
      "claim private m epsilon eps proof { loop { block i mod 2 = 1; sample x: shift 0;\n"         \
      "  budget if 0 <= differs < i then 0 else eps; loop { " inner " } } }"
  accepts(BLOCKS("budget if 0 <= differs < i then 0 else eps;"));
  refuses(BLOCKS("budget 0;"), "", "budget");
}

static void statements_rewritten(void **state) {
  (void)state;
  /* a bit that depends on the secret and is never used */
#define UNUSED(result)                                                                             \
  "mechanism m(private q : bool) returns bool adjacent true {\n"                                   \
  "  b <$ Bernoulli(if declassify(q) then 1/3 else 1/2); c <$ Bernoulli(1/2); return " result      \
  "; }\n"                                                                                          \
  "claim private m epsilon 0 proof { dead b; }"
  accepts(UNUSED("c"));
  refuses(UNUSED("c and b"), "EQUIV-DEAD", "still used");
  refuses("mechanism m(private q : bool) returns bool adjacent true {\n"
          "  b := 1; while b > 0 { b := b + 1; } return true; }\n"
          "claim private m epsilon 0 proof { dead b; }",
          "LOSSLESS", "");
#define SWAPPED(second)                                                                            \
  EPS "mechanism m(private q : real) returns real adjacent within(q, 1) {\n"                       \
      "  x <$ Lap(q, 1/eps); y <$ Lap(" second ", 1/eps); return x + y; }\n"                       \
      "claim private m epsilon eps proof { swap x, y; sample x: shift 0; }"
  accepts(SWAPPED("0"));
  refuses(SWAPPED("x"), "EQUIV-SWAP", "depend");
}

static void each_run_alone(void **state) {
  (void)state;
  /* both runs count to a private number */
#define COUNTS_TO(inv)                                                                             \
  "mechanism m(private k : int) returns int adjacent 0 <= k<1> and 0 <= k<2> {\n"                  \
  "  j := 0; while j < declassify(k) { j := j + 1; } return j - k; }\n"                            \
  "claim private m epsilon 0 proof { loop { alone; invariant " inv "; } }"
  accepts(COUNTS_TO("j<1> <= k<1> and j<2> <= k<2>"));
  refuses(COUNTS_TO("j<1> <= k<1>"), "", "");
  refuses("mechanism m(private k : int) returns int adjacent 0 <= k<1> and 0 <= k<2> {\n"
          "  j := 0; while j < declassify(k) { j := j + 0; } return j - k; }\n"
          "claim private m epsilon 0 proof { loop { alone;\n"
          "  invariant j<1> <= k<1> and j<2> <= k<2>; } }",
          "LOSSLESS", "decreases");
  /* a branch in which only one run samples, something that does not matter */
#define EITHER(how)                                                                                \
  "mechanism m(private q : bool) returns int adjacent true {\n"                                    \
  "  if declassify(q) { x <$ UniformInt(0, 3); } else { x := 1; } return (if x >= 0 then 7 else "  \
  "x); }\n"                                                                                        \
  "claim private m epsilon 0 proof { branch 1: " how "; }"
  accepts(EITHER("alone"));
  refuses(EITHER("together"), "COND", "same branch");
}

static void frames_and_ghosts(void **state) {
  (void)state;
  /* the loop leaves the variable as it was */
#define RESTORED(steps)                                                                            \
  "mechanism m(private q : real) returns real adjacent within(q, 1) {\n"                           \
  "  a := q; z := q; for i in 0..3 { a := a + 1; a := a - 1; } return a - z; }\n"                  \
  "claim private m epsilon 0 proof { loop { " steps " } }"
  accepts(RESTORED("ghost g = a<1>; ghost h = a<2>; invariant a<1> = g and a<2> = h;"
                   "invariant g = z<1> and h = z<2>;"));
  refuses(RESTORED("ghost g = a<1>; invariant a<1> = g;"), "", "");
  accepts(RESTORED("invariant a<1> = q<1> and a<2> = q<2>; frame z<1> = q<1> and z<2> = q<2>;"));
  refuses(RESTORED("invariant a<1> = q<1> and a<2> = q<2>; frame a<1> = q<1>;"), "FRAME",
          "is written");
  /* budget for what comes after a loop that knows nothing of budgets */
#define AFTERWARDS(step)                                                                           \
  "param n : int, n >= 1; param eps : real, 0 < eps < 1; param w : real, 0 < w < 1;\n"             \
  "mechanism m(private x : int) emits int adjacent within(x, 1)\n"                                 \
  "{ for i in 0..n { G <$ DLap(x, 1/eps); emit G; } G <$ DLap(x, 1/eps); emit G; }\n"              \
  "claim private m epsilon eps + sqrt(2*n*ln(1/w))*eps + n*eps*(exp(eps) - 1) delta w proof {\n"   \
  "  sample G: shift 0; loop { advanced counted i at most n each eps omega w; " step " } }"
  accepts(AFTERWARDS("save eps;"));
  refuses(AFTERWARDS(""), "SAMPLE", "the budget pays");
  refuses(AFTERWARDS("save 2*eps;"), "", "");
  /* what is given away is gone */
  accepts(EPS "mechanism m(private q : real) returns real adjacent within(q, 1) {\n"
              "  for i in 0..3 { a := i; } x <$ Lap(q, 1/eps); return x; }\n"
              "claim private m epsilon 5*eps proof { sample x: shift 0;\n"
              "  loop { keep eps; budget eps; } }");
  refuses(EPS "mechanism m(private q : real) returns real adjacent within(q, 1) {\n"
              "  for i in 0..3 { a := i; } x <$ Lap(q, 1/eps); return x; }\n"
              "claim private m epsilon 5*eps proof { sample x: shift 0;\n"
              "  loop { keep eps/2; budget eps/2; } }",
          "SAMPLE", "the budget pays");
}

/* The larger of two noisy numbers, then a noisy answer about it. */
#define DUEL(steps, scale, rest, total)                                                            \
  EPS "mechanism m(private q : real[2]) emits real adjacent all_within(q, 1) {\n"                  \
      "  x <$ Lap(q[0], 2/eps); y <$ Lap(q[1], 2/eps); k := 1; if x >= y { k := 0; }\n"            \
      "  z <$ Lap(q[k], " scale "); " rest " }\n"                                                  \
      "claim private m epsilon " total " proof {\n"                                                \
      "  pointwise k = r { " steps " } sample z: shift 0 within 1; }"
#define DUEL_STEPS                                                                                 \
  "sample x: when r = 0 shift 1 within 2 else null; sample y: when r = 1 shift 1 within 2 else "   \
  "null;"

/* The best of n noisy numbers in each of T rounds, then a noisy answer about it. */
#define ROUNDS(part, inner, scale, rest)                                                           \
  EPS "param n : int, n >= 1; param T : int, T >= 1;\n"                                            \
      "mechanism m(private q : real[n]) emits real adjacent all_within(q, 1) {\n"                  \
      "  for t in 0..T { best := 0; k := 0;\n"                                                     \
      "    for i in 0..n { s <$ Lap(q[i], 4*T/eps);\n"                                             \
      "      if i = 0 or s > best { best := s; k := i; } }\n"                                      \
      "    z <$ Lap(q[k], " scale "); " rest " } }\n"                                              \
      "claim private m epsilon eps proof { loop { budget (T - t)*eps/T; sample z: shift 0;\n"      \
      "  " part " { budget eps/(2*T); gives 0 <= k < n; loop {\n"                                  \
      "    invariant 0 <= k < n; invariant i = 0 -> k<1> = k<2>; " inner "\n"                      \
      "    sample s: when i = r shift 1 within 2 else null; } } } }"
#define ROUND_INNER                                                                                \
  "invariant i <= r -> i = 0 or abs(best<2> - best<1>) <= 1 and k != r;"                           \
  "invariant r < i -> i = 0 or (k = r -> k<2> = r and best<2> = best<1> + 1);"                     \
  "budget if i <= r then eps/(2*T) else 0;"

/* Rounds of noisy max by advanced composition. */
#define MANY_ROUNDS(scale)                                                                         \
  "param eps : real, 0 < eps < 1; param w : real, 0 < w < 1;\n"                                    \
  "param n : int, n >= 1; param T : int, T >= 1;\n"                                                \
  "mechanism m(private q : int[n]) emits int adjacent all_within(q, 1) {\n"                        \
  "  for t in 0..T { best := 0; k := 0; for i in 0..n { s <$ DLap(q[i], " scale ");\n"             \
  "    if i = 0 or s > best { best := s; k := i; } } emit k; } }\n"                                \
  "claim private m epsilon sqrt(2*T*ln(1/w))*eps + T*eps*(exp(eps) - 1) delta w proof {\n"         \
  "  loop { advanced counted t at most T each eps omega w;\n"                                      \
  "    pointwise k = r { budget eps; loop {\n"                                                     \
  "      invariant i <= r -> i = 0 or abs(best<2> - best<1>) <= 1 and k != r;\n"                   \
  "      invariant r < i -> (k = r -> k<2> = r and best<2> = best<1> + 1);\n"                      \
  "      budget if i <= r then eps else 0;\n"                                                      \
  "      sample s: when i = r shift 1 within 2 else null; } } } }"

static void parts_by_themselves(void **state) {
  (void)state;
  accepts(DUEL("budget eps; gives 0 <= k <= 1; " DUEL_STEPS, "1/eps", "emit z;", "2*eps"));
  refuses(DUEL("budget eps/2; gives 0 <= k <= 1; " DUEL_STEPS, "1/eps", "emit z;", "2*eps"),
          "SAMPLE", "the budget pays");
  refuses(DUEL("budget eps; gives 0 <= k <= 1; " DUEL_STEPS, "1/eps", "emit z;", "3/2*eps"),
          "SAMPLE", "the budget pays");
  refuses(DUEL("budget eps; gives k = 1; " DUEL_STEPS, "1/eps", "emit z;", "2*eps"), "PW-EQ",
          "what the part gives");
  /* which index it is has to be known for the answer about it */
  refuses(DUEL("budget eps; " DUEL_STEPS, "1/eps", "emit z;", "2*eps"), "SAMPLE", "");
  /* what else the part has set is not equal afterwards */
  refuses(DUEL("budget eps; gives 0 <= k <= 1; " DUEL_STEPS, "1/eps", "emit z; emit x;", "2*eps"),
          "CLAIM", "");
  accepts(ROUNDS("pointwise k = r", ROUND_INNER, "2*T/eps", "emit z;"));
  accepts(ROUNDS("pointwise k 1 = r", ROUND_INNER, "2*T/eps", "emit z;"));
  refuses(ROUNDS("pointwise k 2 = r", ROUND_INNER, "2*T/eps", "emit z;"), "", "");
  refuses(ROUNDS("pointwise kk = r", ROUND_INNER, "2*T/eps", "emit z;"), "",
          "`kk` is never set: that part applies to nothing");
  refuses(ROUNDS("pointwise k = r", ROUND_INNER, "T/eps", "emit z;"), "", "budget");
  refuses(ROUNDS("pointwise k = r", ROUND_INNER, "2*T/eps", "emit best;"), "WHILE",
          "both runs have emitted the same");
  accepts(MANY_ROUNDS("2/eps"));
  refuses(MANY_ROUNDS("1.99/eps"), "", "budget");
  /* an uncountable output */
  refuses(EPS "mechanism m(private q : real) returns real adjacent within(q, 1) {\n"
              "  x <$ Lap(q, 1/eps); y <$ Lap(0, 1); return x; }\n"
              "claim private m epsilon eps/2 proof { pointwise x = r { budget eps/2;\n"
              "  sample x: when x = r shift 0 within 1 else null; } }",
          "PW-EQ", "uncountable");
}

/* The mistake is named where it was made. */
static void misread(const char *steps, const char *message) {
  char *text = xasprintf("mechanism m(private q : real) returns real adjacent within(q, 1)\n"
                         "{ x <$ Lap(q, 1); return x; }\n"
                         "claim private m epsilon 1 proof { %s }",
                         steps);
  struct lang lang;
  lang_init(&lang);
  struct ast_module *module = load_valid_text(&lang, text);
  struct believe_options options = believe_default_options();
  struct proof_result r;
  believe_claim(&lang, module, module->decls[module->decl_count - 1], &options, &r);
  assert_int_equal(r.verdict, PROOF_UNKNOWN);
  struct buffer out;
  buffer_init(&out);
  diags_render(&out, &lang.sources, &lang.diags, (struct diag_style){0});
  if (!strstr(buffer_text(&out), message)) print_message("%s\n", buffer_text(&out));
  assert_non_null(strstr(buffer_text(&out), message));
  buffer_clear(&out);
  proof_result_clear(&r);
  lang_clear(&lang);
  free(text);
}

static void mistakes_in_steps(void **state) {
  (void)state;
  misread("swap x;", "error[expected-proof-step]: `swap` takes the variables of two neighbours");
  misread("branch 0: alone;", "expected the number of an `if` in this scope, found the number `0`");
  misread("branch 1: apart;", "expected `together` (or `alone`, `joined`)");
  misread("sample x: subset [1] to above 2 cost 1 otherwise 1;", "a set is written `[low, high]`");
  misread("sample x: subset above 1 to above 2 cost 1;", "expected `otherwise`");
  misread("sample x: shift 0 upto x <= 1 delta 0.1 above 1 run 1;", "expected `2`");
  misread("sample x: shift 0 upto x <= 1 where x > 0;", "expected `;`");
  misread("loop { unroll { } block x > 0; }", "the loop has another form already");
  misread("gives x > 0;", "`gives` belongs into the block of a `pointwise`");
  misread("pointwise x = r { invariant x > 0; }", "`invariant` belongs into a loop");
  misread("loop { pointwise x = r; }", "`pointwise` without a block belongs to the top");
  misread("pointwise x = r { case x > 0 { budget 1; } else { } }", "`budget` belongs into a loop");
  misread("case true { } else { } pointwise x = r { }", "belong into the branches of the `case`");
  misread("save 1;", "`save` belongs into a loop");
  misread("deltas k total 1 counted 2 at most 3;", "`deltas` belongs into a loop");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(subsets),
      cmocka_unit_test(scales),
      cmocka_unit_test(deltas_of_iterations),
      cmocka_unit_test(deltas_where),
      cmocka_unit_test(deltas_of_values),
      cmocka_unit_test(optimal_composition),
      cmocka_unit_test(composition_with_deltas),
      cmocka_unit_test(forms_of_loops),
      cmocka_unit_test(statements_rewritten),
      cmocka_unit_test(each_run_alone),
      cmocka_unit_test(frames_and_ghosts),
      cmocka_unit_test(parts_by_themselves),
      cmocka_unit_test(mistakes_in_steps),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
