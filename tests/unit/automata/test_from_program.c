/* Threshold loops of programs, recognised as automata: the engine for automata finds the cost that
 * is known for the mechanism, and the search for proofs agrees: it proves that cost and none below.
 * What does not fit is refused. With file names as arguments: reports on those. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "automata/convert/from_program.h"
#include "automata/decide/automata.h"
#include "check/automaton/classify.h"
#include "num/rational.h"
#include "out/automaton_text.h"
#include "search/prove/prove.h"
#include "source_text.h"
#include "testlib.h"

/* What the engine says: the cost, "not private", "unknown", or why it is no automaton. */
static char *priced(struct lang *lang, const struct ast_module *module, const struct ast_decl *decl,
                    bool show) {
  struct terms terms;
  struct smt smt;
  terms_init(&terms);
  smt_init(&smt, &terms, NULL);
  const char *why = NULL;
  struct kernel_failure refusal;
  struct claim *claim = claim_open(lang, module, decl, &terms, &smt.decider, &refusal);
  if (!claim) fail_msg("%s", refusal.message);
  struct automaton a;
  struct class_report report;
  automaton_init(&a);
  char *text;
  if (!automaton_from_program(&a, claim, &why)) {
    text = xasprintf("refused: %s", why);
  } else if (!automaton_classify(&report, &a, NULL)) {
    text = xstrdup("refused: no automaton of the class");
  } else {
    struct automaton_result r;
    automaton_analyse(&r, &a);
    text = r.verdict == AUTOMATON_PRIVATE       ? rational_string(r.upper)
           : r.verdict == AUTOMATON_NOT_PRIVATE ? xstrdup("not private")
                                                : xstrdup("unknown");
    automaton_result_clear(&r);
  }
  struct buffer b;
  buffer_init(&b);
  for (uint32_t i = 0; show && i < a.edges.len; i++) {
    automaton_print_edge(&b, &a, i);
    buffer_putc(&b, '\n');
  }
  fputs(buffer_text(&b), stdout);
  buffer_clear(&b);
  automaton_clear(&a);
  claim_close(claim);
  smt_clear(&smt);
  terms_clear(&terms);
  return text;
}

static const struct ast_decl *first_claim(const struct ast_module *module) {
  for (size_t i = 0; i < module->decl_count; i++)
    if (module->decls[i]->kind == DECL_CLAIM) return module->decls[i];
  return NULL;
}

static void expect(const char *text, const char *wanted) {
  struct lang lang;
  lang_init(&lang);
  const struct ast_module *module = load_valid_text(&lang, text);
  char *got = priced(&lang, module, first_claim(module), false);
  if (strcmp(got, wanted) != 0) fail_msg("%s\nwanted %s, got %s", text, wanted, got);
  free(got);
  lang_clear(&lang);
}

/* The mechanism of the text with this claim: does the search prove it? */
static bool is_proved(const char *text, const char *epsilon) {
  struct lang lang;
  lang_init(&lang);
  char *whole = xasprintf("%sclaim other: private m epsilon %s;\n", text, epsilon);
  const struct ast_module *module = lang_load_text(&lang, "m.dp", whole, strlen(whole));
  assert_int_equal(lang.diags.errors, 0);
  struct auto_options options = {.proof = believe_default_options()};
  struct auto_result r;
  auto_prove(&lang, module, module->decls[module->decl_count - 1], &options, &r);
  bool proved = r.proved;
  auto_result_clear(&r);
  free(whole);
  lang_clear(&lang);
  return proved;
}

/* Both routes: the cost is provable, and less is not. */
static void agree(const char *text, const char *cost) {
  expect(text, cost);
  char *below = xasprintf("(%s - 1/50)*eps", cost), *exactly = xasprintf("%s*eps", cost);
  if (!is_proved(text, exactly)) fail_msg("%s\nis not proved at %s", text, exactly);
  if (is_proved(text, below)) fail_msg("%s\nis proved at %s", text, below);
  free(below);
  free(exactly);
}

#define HEAD "param eps : real, eps > 0;\nparam n : int, n >= 0;\n"
#define MECHANISM(emits, body)                                                                     \
  "mechanism m(private q : real[n], T : real) " emits "\n  adjacent all_within(q, 1)\n{\n" body    \
  "}\nclaim private m epsilon eps;\n"

#define SVT(N, threshold, query)                                                                   \
  HEAD "let N = " N ";\n" MECHANISM("emits bool", "t <$ Lap(T, " threshold "/eps);\n"              \
                                                  "count := 0;\n"                                  \
                                                  "i := 0;\n"                                      \
                                                  "while i < n and count < N {\n"                  \
                                                  "  s <$ Lap(q[i], " query "/eps);\n"             \
                                                  "  if s >= t { emit true; count := count + 1; }" \
                                                  "  else { emit false; }\n"                       \
                                                  "  i := i + 1;\n"                                \
                                                  "}\n")

/* Threshold 1/b, and each hit 2/c. */
static void sparse_vector(void **state) {
  (void)state;
  agree(SVT("1", "2", "4"), "1");
  agree(SVT("2", "2", "4"), "3/2");
  agree(SVT("2", "2", "4*N"), "1");
  agree(SVT("5", "2", "4*N"), "1");
  agree(SVT("3", "4", "4/3"), "19/4"); /* (1 + 6N)/4 */
}

static void styles(void **state) {
  (void)state;
  /* a for loop that returns the index; noise apart; a flag */
  agree(HEAD MECHANISM("returns int", "t <$ Lap(T, 2/eps);\n"
                                      "for i in 0..n {\n"
                                      "  s <$ Lap(q[i], 4/eps);\n"
                                      "  if s >= t { return i; }\n"
                                      "}\n"
                                      "return n;\n"),
        "1");
  agree(HEAD MECHANISM("emits bool", "e <$ Lap(0, 2/eps);\n"
                                     "t := T + e;\n"
                                     "go := true;\n"
                                     "i := 0;\n"
                                     "while go and i < n {\n"
                                     "  d <$ Lap(0, 4/eps);\n"
                                     "  above := t <= q[i] + d;\n"
                                     "  emit above;\n"
                                     "  if above { go := false; }\n"
                                     "  i := i + 1;\n"
                                     "}\n"),
        "1");
}

static void numeric_and_ranges(void **state) {
  (void)state;
  /* numeric sparse: the hit is answered with fresh noise */
  agree(HEAD MECHANISM("emits real", "t <$ Lap(T, 4/eps);\n"
                                     "i := 0;\n"
                                     "go := true;\n"
                                     "while go and i < n {\n"
                                     "  s <$ Lap(q[i], 2/eps);\n"
                                     "  if s >= t {\n"
                                     "    v <$ Lap(q[i], 2/eps);\n"
                                     "    emit v;\n"
                                     "    go := false;\n"
                                     "  } else { emit 0; }\n"
                                     "  i := i + 1;\n"
                                     "}\n"),
        "7/4");
  /* a range, left above with a fresh answer: num_range_2 of examples/automata */
  agree(HEAD MECHANISM("emits real", "low <$ Lap(T, 4/eps);\n"
                                     "high <$ Lap(T + 1, 4/eps);\n"
                                     "i := 0;\n"
                                     "go := true;\n"
                                     "while go and i < n {\n"
                                     "  s <$ Lap(q[i], 4/eps);\n"
                                     "  if low <= s and s < high { emit 0; }\n"
                                     "  else {\n"
                                     "    go := false;\n"
                                     "    if s >= low {\n"
                                     "      v <$ Lap(q[i], 4/eps);\n"
                                     "      emit v;\n"
                                     "    } else { emit 1; }\n"
                                     "  }\n"
                                     "  i := i + 1;\n"
                                     "}\n"),
        "5/4");
}

static void not_private(void **state) {
  (void)state;
  /* no cut-off */
  expect(HEAD MECHANISM("emits bool", "t <$ Lap(T, 2/eps);\n"
                                      "for i in 0..n {\n"
                                      "  s <$ Lap(q[i], 4/eps);\n"
                                      "  emit s >= t;\n"
                                      "}\n"),
         "not private");
  expect(HEAD MECHANISM("emits bool", "t <$ Lap(T, 2/eps);\n"
                                      "for i in 0..n {\n"
                                      "  s <$ Lap(q[i], 4/eps);\n"
                                      "  if s >= t { emit true; } else { emit false; }\n"
                                      "}\n"),
         "not private");
  /* the value that was compared */
  expect(HEAD MECHANISM("emits real", "t <$ Lap(T, 2/eps);\n"
                                      "for i in 0..n {\n"
                                      "  s <$ Lap(q[i], 4/eps);\n"
                                      "  if s >= t { emit s; } else { emit 0; }\n"
                                      "}\n"),
         "not private");
}

static void refusals(void **state) {
  (void)state;
  expect("param eps : real, eps > 0;\nparam n, N : int, n >= 0, N >= 1;\n" MECHANISM(
             "emits bool", "t <$ Lap(T, 2/eps);\ncount := 0;\ni := 0;\n"
                           "while i < n and count < N {\n"
                           "  s <$ Lap(q[i], 4*N/eps);\n"
                           "  if s >= t { emit true; count := count + 1; } else { emit false; }\n"
                           "  i := i + 1;\n"
                           "}\n"),
         "refused: a scale is not a number divided by eps");
  expect(HEAD MECHANISM("emits bool", "t <$ Lap(T, 2);\n"
                                      "for i in 0..n {\n"
                                      "  s <$ Lap(q[i], 4/eps);\n"
                                      "  if s >= t { emit true; } else { emit false; }\n"
                                      "}\n"),
         "refused: a scale is not a number divided by eps");
  /* a loop without noise is followed, up to a limit */
  expect(HEAD MECHANISM("emits bool", "t <$ Lap(T, 2/eps);\n"
                                      "c := 0;\n"
                                      "while c < 1000000 { c := c + 1; }\n"
                                      "for i in 0..n {\n"
                                      "  s <$ Lap(q[i], 4/eps);\n"
                                      "  if s >= t { emit true; } else { emit false; }\n"
                                      "}\n"),
         "refused: there are too many states");
  /* one private entry, two comparisons with noise of their own */
  expect(HEAD MECHANISM("emits bool", "t <$ Lap(T, 2/eps);\n"
                                      "for i in 0..n {\n"
                                      "  s <$ Lap(q[i], 4/eps);\n"
                                      "  if s >= t {\n"
                                      "    u <$ Lap(q[i], 4/eps);\n"
                                      "    if u >= t { emit true; }\n"
                                      "  }\n"
                                      "}\n"),
         "refused: a comparison is not one of a sample with a stored one");
  expect(HEAD MECHANISM("emits bool", "t <$ Lap(T, 2/eps);\n"
                                      "for i in 0..n {\n"
                                      "  s <$ Lap(q[i], 4/eps);\n"
                                      "  if 2*s >= t { emit true; } else { emit false; }\n"
                                      "}\n"),
         "refused: a comparison is not one of a sample with a stored one");
}

static int report(int argc, char **argv) {
  for (int i = 1; i < argc; i++) {
    struct lang lang;
    lang_init(&lang);
    const struct ast_module *module = lang_load(&lang, argv[i]);
    char *text = priced(&lang, module, first_claim(module), true);
    printf("%s: %s\n", argv[i], text);
    free(text);
    lang_clear(&lang);
  }
  return 0;
}

int main(int argc, char **argv) {
  if (argc > 1) return report(argc, argv);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(sparse_vector),      cmocka_unit_test(styles),
      cmocka_unit_test(numeric_and_ranges), cmocka_unit_test(not_private),
      cmocka_unit_test(refusals),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
