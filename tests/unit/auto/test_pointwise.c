/* The pointwise strategy: noisy max and its relatives in many styles are proved with no annotation,
 * at the least cost, and at no lower one. With file names as arguments: shows what it finds there.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "auto/auto.h"
#include "auto/pointwise.h"
#include "testlib.h"

struct run {
  struct lang lang;
  struct auto_result result;
};

static void prove(struct run *r, const struct ast_module *module, const struct ast_decl *claim) {
  static const struct auto_entry entry = {"pointwise", auto_pointwise};
  struct auto_options options = {
      .proof = proof_default_options(), .strategies = &entry, .strategy_count = 1};
  options.proof.smt.timeout_s = 20; /* wall clock: a loaded machine must not matter */
  auto_prove(&r->lang, module, claim, &options, &r->result);
}

static void run_text(struct run *r, const char *text) {
  lang_init(&r->lang);
  const struct ast_module *module = lang_load_text(&r->lang, "m.dp", text, strlen(text));
  if (r->lang.diags.errors) {
    struct buffer out;
    buffer_init(&out);
    diags_render(&out, &r->lang.sources, &r->lang.diags, (struct diag_style){0});
    print_message("%s\n%s\n", text, buffer_text(&out));
    buffer_clear(&out);
  }
  assert_int_equal(r->lang.diags.errors, 0);
  prove(r, module, module->decls[module->decl_count - 1]);
}

static void run_clear(struct run *r) {
  auto_result_clear(&r->result);
  lang_clear(&r->lang);
}

static void show(const struct run *r) {
  const struct auto_result *a = &r->result;
  print_message("%s cost %s, %zu candidates, %.3f s\n%s\n", a->proved ? "proved" : "NOT PROVED",
                a->cost ? a->cost : "-", a->candidates, a->total_seconds,
                a->tried ? a->tried->proof : "");
  if (a->obstacle.message) print_message("obstacle: %s\n", a->obstacle.message);
  if (!a->proved && a->check)
    print_message("%s: %s\n%s\n%s\n", a->check->rule ? a->check->rule : "-",
                  a->check->reason ? a->check->reason : "",
                  a->check->conjunct ? a->check->conjunct : "",
                  a->check->model ? a->check->model : "");
}

/* The least cost found; NULL: no proof. */
static void expect_cost(const char *name, const char *text, const char *cost) {
  struct run r;
  run_text(&r, text);
  bool as_expected =
      r.result.proved == (cost != NULL) && (!cost || strcmp(r.result.cost, cost) == 0);
  if (!as_expected) {
    print_message("%s: expected cost %s\n%s\n", name, cost ? cost : "(no proof)", text);
    show(&r);
  }
  assert_true(as_expected);
  run_clear(&r);
}

#define PARAMS "param eps : real, eps > 0; param n : int, n >= 1;\n"
#define REAL_MAX_OF(adjacency, body)                                                               \
  PARAMS "mechanism m(private q : real[n]) returns int adjacent " adjacency " {" body "}\n"        \
         "claim private m epsilon ?;"
#define INT_MAX_OF(adjacency, body)                                                                \
  PARAMS "mechanism m(private q : int[n]) returns int adjacent " adjacency " {" body "}\n"         \
         "claim private m epsilon ?;"
#define STANDARD(noise)                                                                            \
  "best := 0.0; index := 0; for i in 0..n { s <$ " noise ";"                                       \
  "  if i = 0 or s > best { best := s; index := i; } } return index;"

struct row {
  const char *name, *text, *cost;
};

static void check_rows(const struct row *rows, size_t count) {
  for (size_t i = 0; i < count; i++)
    expect_cost(rows[i].name, rows[i].text, rows[i].cost);
}

/* The same mechanism, written in other ways: the same cost. */
static const struct row styles[] = {
    {"standard", REAL_MAX_OF("all_within(q, 1)", STANDARD("Lap(q[i], 2/eps)")), "eps"},
    {"renamed, swapped, other order of the condition",
     REAL_MAX_OF("all_within(q, 1)",
                 "r := 0; top := 0.0; for result_at in 0..n { noisy <$ Lap(q[result_at], 2/eps);"
                 "  if noisy > top or result_at = 0 { r := result_at; top := noisy; } } return r;"),
     "eps"},
    {"while loop",
     REAL_MAX_OF("all_within(q, 1)",
                 "best := 0.0; index := 0; i := 0; while i < n { s <$ Lap(q[i], 2/eps);"
                 "  if i = 0 or s > best { best := s; index := i; } i := i + 1; } return index;"),
     "eps"},
    {"from the end, >= instead of >",
     REAL_MAX_OF(
         "all_within(q, 1)",
         "best := 0.0; index := 0; i := n - 1; while i >= 0 { s <$ Lap(q[i], 2/eps);"
         "  if i = n - 1 or s >= best { best := s; index := i; } i := i - 1; } return index;"),
     "eps"},
    {"the first before the loop",
     REAL_MAX_OF("all_within(q, 1)",
                 "best <$ Lap(q[0], 2/eps); index := 0; for i in 1..n { s <$ Lap(q[i], 2/eps);"
                 "  if s > best { best := s; index := i; } } return index;"),
     "eps"},
    {"noise added separately",
     REAL_MAX_OF(
         "all_within(q, 1)",
         "best := 0.0; index := 0; for i in 0..n { noise <$ Lap(0, 2/eps); s := q[i] + noise;"
         "  if i = 0 or s > best { best := s; index := i; } } return index;"),
     "eps"},
    {"helper procedure",
     PARAMS "procedure noisy(x : real) : real { y <$ Lap(x, 2/eps); return y; }\n"
            "mechanism m(private q : real[n]) returns int adjacent all_within(q, 1) {"
            "  best := 0.0; index := 0; for i in 0..n { s := noisy(q[i]);"
            "  if i = 0 or s > best { best := s; index := i; } } return index; }\n"
            "claim private m epsilon ?;",
     "eps"},
    {"negated condition",
     REAL_MAX_OF(
         "all_within(q, 1)",
         "best := 0.0; index := 0; for i in 0..n { s <$ Lap(q[i], 2/eps);"
         "  if i > 0 and not (s > best) { skip; } else { best := s; index := i; } } return index;"),
     "eps"},
    {"nested branches",
     REAL_MAX_OF("all_within(q, 1)",
                 "best := 0.0; index := 0; for i in 0..n { s <$ Lap(q[i], 2/eps);"
                 "  if i = 0 { best := s; index := 0; }"
                 "  else { if best < s { best := s; index := i; } } } return index;"),
     "eps"},
    {"flag for the first",
     REAL_MAX_OF(
         "all_within(q, 1)",
         "best := 0.0; index := 0; first := true; for i in 0..n { s <$ Lap(q[i], 2/eps);"
         "  if first or s > best { best := s; index := i; first := false; } } return index;"),
     "eps"},
    {"counted from 1",
     REAL_MAX_OF("all_within(q, 1)",
                 "best := 0.0; index := 0; for i in 0..n { s <$ Lap(q[i], 2/eps);"
                 "  if i = 0 or s > best { best := s; index := i + 1; } } return index;"),
     "eps"},
    {"counted from 1 after the loop",
     REAL_MAX_OF(
         "all_within(q, 1)",
         "best := 0.0; index := 0; for i in 0..n { s <$ Lap(q[i], 2/eps);"
         "  if i = 0 or s > best { best := s; index := i; } } place := index + 1; return place;"),
     "eps"},
    {"smallest of the negated",
     REAL_MAX_OF("all_within(q, 1)",
                 "best := 0.0; index := 0; for i in 0..n { s <$ Lap(-q[i], 2/eps);"
                 "  if i = 0 or s < best { best := s; index := i; } } return index;"),
     "eps"},
    {"keeps the negated value",
     REAL_MAX_OF("all_within(q, 1)",
                 "worst := 0.0; index := 0; for i in 0..n { s <$ Lap(q[i], 2/eps);"
                 "  if i = 0 or -s < worst { worst := -s; index := i; } } return index;"),
     "eps"},
    {"keeps twice the value",
     REAL_MAX_OF("all_within(q, 1)",
                 "best := 0.0; index := 0; for i in 0..n { s <$ Lap(q[i], 2/eps);"
                 "  if i = 0 or 2*s > best { best := 2*s; index := i; } } return index;"),
     "eps"},
    {"two noises",
     REAL_MAX_OF(
         "all_within(q, 1)",
         "best := 0.0; index := 0; for i in 0..n { a <$ Lap(q[i], 2/eps); b <$ Lap(0, 2/eps);"
         "  if i = 0 or a + b > best { best := a + b; index := i; } } return index;"),
     "eps"},
    {"two samplings of one name",
     REAL_MAX_OF(
         "all_within(q, 1)",
         "best := 0.0; index := 0; for i in 0..n { if i = 0 { s <$ Lap(q[0], 2/eps); best := s; }"
         "  else { s <$ Lap(q[i], 2/eps); if s > best { best := s; index := i; } } }"
         "  return index;"),
     "eps"}};

static void style_does_not_matter(void **state) {
  (void)state;
  check_rows(styles, sizeof styles / sizeof *styles);
}

/* Scale, sensitivity, adjacency, noise: what the cost depends on. */
static const struct row costs[] = {
    {"half the noise", REAL_MAX_OF("all_within(q, 1)", STANDARD("Lap(q[i], 1/eps)")), "2*eps"},
    {"twice the noise", REAL_MAX_OF("all_within(q, 1)", STANDARD("Lap(q[i], 4/eps)")), "eps/2"},
    {"sensitivity 3", REAL_MAX_OF("all_within(q, 3)", STANDARD("Lap(q[i], 2/eps)")), "3*eps"},
    {"rising", REAL_MAX_OF("all_increase(q, 1)", STANDARD("Lap(q[i], 1/eps)")), "eps"},
    {"falling", REAL_MAX_OF("all_decrease(q, 1)", STANDARD("Lap(q[i], 1/eps)")), "eps"},
    {"rising or falling", REAL_MAX_OF("monotone(q, 1)", STANDARD("Lap(q[i], 1/eps)")), "eps"},
    {"one differs", REAL_MAX_OF("one_differs(q, 1)", STANDARD("Lap(q[i], 1/eps)")), "eps"},
    {"one differs, counted from 1",
     REAL_MAX_OF("one_differs(q, 1)",
                 "best := 0.0; index := 0; for i in 0..n { s <$ Lap(q[i], 1/eps);"
                 "  if i = 0 or s > best { best := s; index := i + 1; } } return index;"),
     "eps"},
    {"the runs agree but for the first",
     REAL_MAX_OF("abs(q<1>[0] - q<2>[0]) <= 2 and (forall j in 1..n. q<1>[j] = q<2>[j])",
                 STANDARD("Lap(q[i], 1/eps)")),
     "2*eps"},
    {"symbolic sensitivity",
     "param d : real, d > 0;" REAL_MAX_OF("all_within(q, d)", STANDARD("Lap(q[i], 2*d/eps)")),
     "eps"},
    {"exponential", REAL_MAX_OF("all_within(q, 1)", STANDARD("Exp(q[i], 2/eps)")), "eps"},
    {"exponential, one differs", REAL_MAX_OF("one_differs(q, 1)", STANDARD("Exp(q[i], 2/eps)")),
     "eps"},
    {"discrete",
     INT_MAX_OF("all_within(q, 1)",
                "best := 0; index := 0; for i in 0..n { s <$ DLap(q[i], 2/eps);"
                "  if i = 0 or s > best { best := s; index := i; } } return index;"),
     "eps"},
    {"geometric, first of equals",
     INT_MAX_OF("monotone(q, 1)",
                "best := 0; index := 0; for i in 0..n { s <$ Geom(q[i], 1/eps);"
                "  if i = 0 or s > best { best := s; index := i; } } return index;"),
     "eps"},
    {"possibly no query at all",
     "param eps : real, eps > 0; param n : int, n >= 0;\n"
     "mechanism m(private q : real[n]) returns int adjacent all_within(q, 1) {" STANDARD(
         "Lap(q[i], 2/eps)") "}\nclaim private m epsilon ?;",
     "eps"}};

static void cost_is_the_least(void **state) {
  (void)state;
  check_rows(costs, sizeof costs / sizeof *costs);
}

/* Not private, or not at any cost this strategy can see. */
static const struct row hopeless[] = {
    {"smallest with one-sided noise",
     REAL_MAX_OF("all_within(q, 1)",
                 "best := 0.0; index := 0; for i in 0..n { s <$ Exp(q[i], 2/eps);"
                 "  if i = 0 or s < best { best := s; index := i; } } return index;"),
     NULL},
    {"no bound on the difference", REAL_MAX_OF("true", STANDARD("Lap(q[i], 2/eps)")), NULL},
    {"first below a fixed bound: every miss counts",
     REAL_MAX_OF("all_within(q, 1)",
                 "best := 0.0; index := -1; for i in 0..n { s <$ Lap(q[i], 2/eps);"
                 "  if s > best { best := s; index := i; } } return index;"),
     NULL},
    {"returns the value",
     PARAMS "mechanism m(private q : real[n]) returns real adjacent all_within(q, 1) {"
            "  best := 0.0; for i in 0..n { s <$ Lap(q[i], 2/eps);"
            "  if i = 0 or s > best { best := s; } } return best; }\nclaim private m epsilon ?;",
     NULL},
    {"compares with the exact value",
     REAL_MAX_OF("all_within(q, 1)",
                 "best := 0.0; index := 0; for i in 0..n { s <$ Lap(q[i], 2/eps);"
                 "  if i = 0 or declassify(s > best) { best := declassify(q[i]); index := i; } }"
                 " return index;"),
     NULL}};

static void hopeless_is_not_proved(void **state) {
  (void)state;
  check_rows(hopeless, sizeof hopeless / sizeof *hopeless);
}

/* At scale 1/eps the true loss tends to 2 eps: no claim below that is proved, and the obstacle says
 * what it would cost. */
static void noisy_max_at_half_the_noise(void **state) {
  (void)state;
  static const char *const claims[] = {"eps", "1.99*eps", "2*eps - 1/1000000"};
  for (size_t i = 0; i < 3; i++) {
    char *text = xasprintf(PARAMS "mechanism m(private q : real[n]) returns int"
                                  "  adjacent all_within(q, 1) {%s}\nclaim private m epsilon %s;",
                           STANDARD("Lap(q[i], 1/eps)"), claims[i]);
    struct run r;
    run_text(&r, text);
    assert_false(r.result.proved);
    assert_non_null(r.result.obstacle.message);
    assert_string_equal(r.result.obstacle.budget, "2*eps");
    run_clear(&r);
    free(text);
  }
}

static void examples_are_proved(void **state) {
  (void)state;
  static const char *const files[] = {"noisy_max",
                                      "noisy_max_discrete",
                                      "noisy_min",
                                      "noisy_min_discrete",
                                      "noisy_max_exp",
                                      "noisy_max_geometric",
                                      "noisy_max_monotone",
                                      "noisy_max_monotone_discrete",
                                      "exponential_mechanism"};
  for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
    char path[200];
    snprintf(path, sizeof path, "examples/correct/%s.dp", files[i]);
    struct run r;
    lang_init(&r.lang);
    const struct ast_module *module = lang_load(&r.lang, path);
    assert_int_equal(r.lang.diags.errors, 0);
    for (size_t d = 0; d < module->decl_count; d++) {
      if (module->decls[d]->kind != DECL_CLAIM) continue;
      prove(&r, module, module->decls[d]);
      if (!r.result.proved) show(&r);
      assert_true(r.result.proved);
      auto_result_clear(&r.result);
    }
    lang_clear(&r.lang);
  }
}

static int show_files(int argc, char **argv) {
  for (int i = 1; i < argc; i++) {
    struct run r;
    lang_init(&r.lang);
    const struct ast_module *module = lang_load(&r.lang, argv[i]);
    for (size_t d = 0; r.lang.diags.errors == 0 && d < module->decl_count; d++) {
      if (module->decls[d]->kind != DECL_CLAIM) continue;
      prove(&r, module, module->decls[d]);
      show(&r);
      auto_result_clear(&r.result);
    }
    lang_clear(&r.lang);
  }
  return 0;
}

int main(int argc, char **argv) {
  if (argc > 1) return show_files(argc, argv);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(style_does_not_matter), cmocka_unit_test(cost_is_the_least),
      cmocka_unit_test(hopeless_is_not_proved), cmocka_unit_test(noisy_max_at_half_the_noise),
      cmocka_unit_test(examples_are_proved)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
