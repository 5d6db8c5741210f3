/* Claims with delta that are proved with nothing given, in other words than those of the examples,
 * and their neighbours that must not be.
 * ctest-label: release */
#include <string.h>

#include "search/goals/assume.h"
#include "search/goals/hits.h"
#include "search/goals/join.h"
#include "search/goals/notions.h"
#include "search/prove/prove.h"
#include "testlib.h"

/* Propose-Test-Release; what is between the parts varies. */
#define PTR(centre, noise, test, released, otherwise, delta)                                       \
  "type Db;\ntype Answer;\nparam eps : real, eps > 0;\nparam delta : real, 0 < delta <= 1;\n"      \
  "op Near(d, e : Db) : bool;\nop ask(d : Db) : Answer;\nop nothing : Answer;\n"                   \
  "op far(d : Db) : " noise ";\n"                                                                  \
  "axiom sym: forall d, e : Db. Near(d, e) -> Near(e, d);\n"                                       \
  "axiom same_answer: forall x, y : Db. Near(x, y) and far(x) >= 2 -> ask(y) = ask(x);\n"          \
  "axiom moves: forall d, e : Db. Near(d, e) -> abs(far(d) - far(e)) <= 1;\n"                      \
  "mechanism m(private data : Db) returns Answer adjacent Near(data<1>, data<2>) {\n"              \
  "  v <$ " centre ";\n  if " test " {\n    a := " released ";\n  } else {\n    a := " otherwise   \
  ";\n  }\n  return a;\n}\nclaim private m epsilon eps delta " delta ";\n"

#define RELEASE "declassify(ask(data))"

/* Two of them, each stable by an axiom of its own. */
#define TWO_TESTS(distance, delta)                                                                 \
  "type Db;\ntype Answer;\nparam eps, delta : real, eps > 0, 0 < delta < 1;\n"                     \
  "op Near(d, e : Db) : bool;\nop nothing : Answer;\nop f(d : Db) : Answer;\nop g(d : Db) : "      \
  "Answer;\n"                                                                                      \
  "op far(d : Db) : real;\nop off(d : Db) : real;\n"                                               \
  "axiom sym: forall d, e : Db. Near(d, e) -> Near(e, d);\n"                                       \
  "axiom same_f: forall d, e : Db. far(d) > 1 -> Near(d, e) -> f(d) = f(e);\n"                     \
  "axiom same_g: forall d, e : Db. off(d) > " distance " -> Near(d, e) -> g(d) = g(e);\n"          \
  "axiom moves_f: forall d, e : Db. Near(d, e) -> abs(far(d) - far(e)) <= 1;\n"                    \
  "axiom moves_g: forall d, e : Db. Near(d, e) -> abs(off(d) - off(e)) <= 1;\n"                    \
  "mechanism m(private x : Db) emits Answer adjacent Near(x<1>, x<2>) {\n"                         \
  "  u <$ Lap(far(x), 2/eps);\n  if u > 2*ln(1/delta)/eps + 1 {\n    emit declassify(f(x));\n"     \
  "  } else {\n    emit nothing;\n  }\n"                                                           \
  "  v <$ Lap(off(x), 2/eps);\n  if v > 2*ln(1/delta)/eps + 1 {\n    emit declassify(g(x));\n"     \
  "  } else {\n    emit nothing;\n  }\n}\nclaim private m epsilon eps delta " delta ";\n"

/* Adaptive sparse vector between two thresholds. */
#define BETWEEN(shift, threshold, scale, room, each_hit, bound)                                    \
  "type Db;\ntype Query;\nparam eps : real, 0 < eps < 1;\nparam delta : real, 0 < delta < 1;\n"    \
  "param M : int, M >= 1;\nparam N : int, N >= 0;\n"                                               \
  "let e1 = eps/(4*sqrt(2*M*ln(2/delta)));\n"                                                      \
  "op Near(d, e : Db) : bool;\nop value(q : Query, d : Db) : int;\n"                               \
  "axiom sym: forall d, e : Db. Near(d, e) -> Near(e, d);\n"                                       \
  "axiom moves: forall q : Query, d, e : Db. Near(d, e) -> abs(value(q, d) - value(q, e)) <= 1;\n" \
  "adversary next(k : int) : Query;\n"                                                             \
  "mechanism m(private d : Db, low, high : int) returns int\n"                                     \
  "  adjacent Near(d<1>, d<2>)\n  requires high - low >= " room "\n{\n"                            \
  "  found := 0;\n  asked := 0;\n  noise <$ DLap(0, " threshold ");\n"                             \
  "  bottom := low " shift " noise;\n  top := high - (0 " shift " noise);\n"                       \
  "  while found < M and asked < N {\n    q := next(found);\n"                                     \
  "    x <$ DLap(value(q, d), " scale ");\n    if x >= bottom and top >= x {\n" each_hit           \
  "    }\n    asked := asked + 1;\n  }\n  return found;\n}\n"                                      \
  "claim private m epsilon " bound " delta delta;\n"

#define ROOM "6/e1*ln(4/e1) + 4/eps*ln(2/delta)"
#define COUNT "      found := found + 1;\n"

#define LOOP(adjacent, loop, body, delta)                                                          \
  "param eps, delta : real, eps > 0, 0 < delta < 1/2;\nparam n : int, n >= 1;\n"                   \
  "mechanism m(private x : int[n]) emits option(real)\n  adjacent " adjacent "\n{\n" loop          \
  " {\n" body "  }\n}\nclaim private m epsilon eps delta " delta ";\n"
#define ONE "one_differs(x, 1)"
#define ALL "all_within(x, 1)"
#define FOR "  for i in 0..n"

/* A bin that is not empty is shown if there seems to be enough in it. */
#define BINS(threshold)                                                                            \
  "    if x[i] > 0 {\n      y <$ Lap(x[i], 1/eps);\n      if y > " threshold                       \
  " {\n        emit some(y);\n      } else {\n        emit none;\n      }\n"                       \
  "    } else {\n      emit none;\n    }\n"
#define ENOUGH "1 + ln(1/(2*delta))/eps"
#define SHOWN(threshold)                                                                           \
  "    keep := false;\n    if x[i] > 0 {\n      y <$ Lap(x[i], 1/eps);\n      keep := y "          \
  ">= " threshold ";\n    }\n    emit if keep then some(1.0) else none;\n"
/* The same with integer noise, which may be equal to the threshold. */
#define COUNTED(test)                                                                              \
  "    if x[i] = 0 {\n      emit none;\n    } else {\n      y <$ DLap(x[i], 1/eps);\n"             \
  "      if " test                                                                                 \
  " {\n        emit some(1.0);\n      } else {\n        emit none;\n      }\n    }\n"
/* A record, for nothing, with this probability. */
#define LEAK(probability)                                                                          \
  "    b <$ Bernoulli(" probability ");\n    if b {\n      emit some(x[i]);\n    }\n"

/* k times the largest of n noisy scores. (With less noise, Z3 overstays its limits on the cost, which
 * only the worker process can end: no row for that.) */
#define MAXIMA(scale)                                                                              \
  "param e0, delta : real, e0 > 0, 0 < delta < 1;\nparam k, n : int, k >= 1, n >= 1;\n"            \
  "mechanism m(private score : real[n]) emits int\n  adjacent all_within(score, 1)\n{\n"           \
  "  for t in 0..k {\n    best := 0.0;\n    arg := 0;\n    for i in 0..n {\n"                      \
  "      v <$ Lap(score[i], " scale                                                                \
  ");\n      if i = 0 or v > best {\n        best := v;\n        arg := i;\n"                      \
  "      }\n    }\n    emit arg;\n  }\n}\n"                                                        \
  "claim private m epsilon sqrt(2*k*ln(1/delta))*e0 + k*e0^2/2 delta delta;\n"

struct row {
  const char *text;
  auto_strategy *strategy;
  bool proved;
};

static const struct row table[] = {
    {PTR("Lap(far(data), 1/eps)", "real", "v > ln(1/delta)/eps + 2", RELEASE, "nothing", "delta"),
     auto_assume, true},
    {PTR("DLap(far(data), 1/eps)", "int", "v <= 1 + ln(1/delta)/eps", "nothing", RELEASE, "delta"),
     auto_assume, true},
    /* the other way round, where the release is safe */
    {PTR("Lap(far(data), 1/eps)", "real", "v > ln(1/delta)/eps + 2", "nothing", RELEASE, "delta"),
     auto_assume, false},
    /* tested too early; too much noise's worth of answers; delta too small */
    {PTR("Lap(far(data), 1/eps)", "real", "v > ln(1/delta)/eps - 2", RELEASE, "nothing", "delta"),
     auto_assume, false},
    {PTR("Lap(far(data), 1/(2*eps))", "real", "v > ln(1/delta)/eps + 2", RELEASE, "nothing",
         "delta"),
     auto_assume, false},
    {PTR("Lap(far(data), 1/eps)", "real", "v > ln(1/delta)/eps + 2", RELEASE, "nothing", "delta/9"),
     auto_assume, false},
    {TWO_TESTS("1", "delta"), auto_assume, true},
    /* stable later than the test thinks */
    {TWO_TESTS("3", "delta"), auto_assume, false},
    {BETWEEN("+", "2/eps", "3/e1", ROOM, COUNT, "eps"), auto_hits, true},
    /* less room */
    {BETWEEN("-", "2/eps", "3/e1", "4/eps*ln(2/delta)", COUNT, "eps"), auto_hits, false},
    /* in a loop: only the iteration that comes to what differs has a delta */
    {LOOP(ONE, FOR, BINS(ENOUGH), "delta"), auto_joined, true},
    {LOOP(ONE, FOR, BINS("ln(1/(2*delta))/eps"), "delta"), auto_joined, false},
    {LOOP(ONE, FOR, LEAK("delta"), "delta"), auto_assume, true},
    {LOOP(ONE, "  i := 0;\n  while i < n", LEAK("delta") "    i := i + 1;\n", "delta"), auto_assume,
     true},
    {LOOP(ONE, FOR, LEAK("delta") LEAK("delta"), "2*delta"), auto_assume, true},
    {LOOP(ONE, FOR, LEAK("delta") LEAK("delta"), "delta"), auto_assume, false},
    {LOOP(ONE, FOR " {\n  for j in 0..2", LEAK("delta") "  }\n", "delta"), auto_assume, false},
    /* all of them differ: the deltas of all iterations add up */
    {LOOP(ALL, FOR, LEAK("delta/n"), "delta"), auto_assume, true},
    {LOOP(ALL, FOR, LEAK("delta"), "delta"), auto_assume, false},
    /* the letter of the witness is that of the loop; what is shown is decided first */
    {LOOP("exists i in 0..n. within(x[i], 1) and (forall j in 0..n. j = i or x<1>[j] = x<2>[j])",
          FOR, LEAK("delta"), "delta"),
     auto_assume, true},
    {LOOP(ONE, FOR, SHOWN(ENOUGH), "delta"), auto_joined, true},
    {LOOP(ONE, FOR, SHOWN("ln(1/(2*delta))/eps"), "delta"), auto_joined, false},
    {LOOP(ONE, FOR, COUNTED("y >= 1 + ln(1/delta)/eps"), "delta"), auto_joined, true},
    {LOOP(ONE, FOR, COUNTED("y > ceil(ln(1/delta)/eps)"), "delta"), auto_joined, true},
    {LOOP(ONE, FOR, COUNTED("y >= ceil(ln(1/delta)/eps)"), "delta"), auto_joined, false},
    {MAXIMA("2/e0"), auto_by_notions, true},
    /* two of them do */
    {LOOP("exists j in 0..n, k in 0..n. forall i in 0..n. i = j or i = k or x<1>[i] = x<2>[i]", FOR,
          LEAK("delta"), "delta"),
     auto_assume, false},
};

static bool is_proved(const struct row *row) {
  struct lang lang;
  lang_init(&lang);
  const struct ast_module *module = lang_load_text(&lang, "m.dp", row->text, strlen(row->text));
  if (lang.diags.errors) {
    struct buffer out;
    buffer_init(&out);
    diags_render(&out, &lang.sources, &lang.diags, (struct diag_style){0});
    print_message("%s\n", buffer_text(&out));
    buffer_clear(&out);
  }
  assert_int_equal(lang.diags.errors, 0);
  struct auto_entry entry = {"test", row->strategy};
  struct auto_options options = {
      .proof = believe_default_options(), .strategies = &entry, .strategy_count = 1};
  struct auto_result result;
  auto_prove(&lang, module, module->decls[module->decl_count - 1], &options, &result);
  bool proved = result.proved;
  if (proved) {
    struct believing session;
    struct proof_result again;
    struct believe_options limits = believe_default_options();
    believing_init(&session, &lang, module, module->decls[module->decl_count - 1], &limits);
    believing_check(&session, &(struct proof_text){result.proof, NULL}, &again);
    assert_int_equal(again.verdict, PROOF_BELIEVED);
    proof_result_clear(&again);
    believing_clear(&session);
  }
  auto_result_clear(&result);
  lang_clear(&lang);
  return proved;
}

static void right_and_wrong(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
    bool proved = is_proved(&table[i]);
    if (proved != table[i].proved) print_message("row %zu: %s\n", i, table[i].text);
    assert_int_equal(proved, table[i].proved);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(right_and_wrong)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
