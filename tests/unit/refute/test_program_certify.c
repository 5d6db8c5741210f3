/* What the certifier must not believe, and what it must.
 *
 * Every case is a claim with two instances, `first` and `second`, that give the parameters and the
 * inputs of the two runs, and an event. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lang/check/check.h"
#include "run/sample/interp.h"
#include "search/refute/program_refute.h"
#include "source_text.h"
#include "testlib.h"

struct attack {
  struct lang lang;
  struct program_claim claim;
  struct program_counterexample ce;
};

static const struct ast_decl *find_decl(const struct ast_module *m, enum decl_kind kind,
                                        const char *name) {
  for (size_t i = 0; i < m->decl_count; i++)
    if (m->decls[i]->kind == kind && (!name || strcmp(m->decls[i]->name.text, name) == 0))
      return m->decls[i];
  fail_msg("no declaration %s", name ? name : "of this kind");
  return NULL;
}

static struct rvalue value_in(struct attack *a, const char *instance, enum binding_kind kind,
                              const char *name) {
  const struct ast_decl *d = find_decl(a->claim.module, DECL_INSTANCE, instance);
  struct rvalue v = {0};
  for (size_t i = 0; i < d->as.instance.count; i++) {
    const struct ast_binding *b = &d->as.instance.bindings[i];
    if (b->kind == kind && b->name.text == name)
      assert_true(interp_constant(&a->lang, b->value, &v));
  }
  assert_int_not_equal(v.kind, RVALUE_UNSET);
  return v;
}

static void attack_init(struct attack *a, const char *text, const char *event) {
  *a = (struct attack){0};
  lang_init(&a->lang);
  a->claim.lang = &a->lang;
  a->claim.module = load_valid_text(&a->lang, text);
  a->claim.claim = find_decl(a->claim.module, DECL_CLAIM, NULL);
  program_counterexample_init(&a->ce);
  a->ce.instance = find_decl(a->claim.module, DECL_INSTANCE, "first");
  for (size_t i = 0; i < a->claim.module->decl_count; i++) {
    const struct ast_decl *d = a->claim.module->decls[i];
    if (d->kind == DECL_PARAM)
      vec_push(&a->ce.params,
               (struct program_param){d, value_in(a, "first", BINDING_PARAM, d->name.text)});
  }
  const struct ast_routine *r = a->claim.claim->as.claim.target->as.mechanism.routine;
  a->ce.input_count = r->arg_count;
  for (int run = 0; run < 2; run++) {
    a->ce.inputs[run] = xcalloc(r->arg_count + 1, sizeof(struct rvalue));
    for (size_t i = 0; i < r->arg_count; i++)
      a->ce.inputs[run][i] =
          value_in(a, run ? "second" : "first", BINDING_INPUT, r->args[i]->name.text);
  }
  struct pattern p;
  size_t at;
  char *why;
  if (!pattern_parse(&p, event, &at, &why)) fail_msg("%s: %s", event, why);
  vec_push(&a->ce.outputs, p);
}

static void attack_clear(struct attack *a) {
  program_counterexample_clear(&a->ce);
  lang_clear(&a->lang);
}

static void refused(const char *text, const char *event, const char *reason) {
  struct attack a;
  attack_init(&a, text, event);
  char *why = NULL;
  if (program_certify(&a.ce, &a.claim, NULL, &why)) fail_msg("%s was certified", event);
  assert_non_null(why);
  if (!strstr(why, reason)) fail_msg("%s: `%s` does not say `%s`", event, why, reason);
  free(why);
  attack_clear(&a);
}

/* The loss, in units of the claim, that the certifier proves. */
static double certified(const char *text, const char *event) {
  struct attack a;
  attack_init(&a, text, event);
  char *why = NULL;
  if (!program_certify(&a.ce, &a.claim, NULL, &why)) fail_msg("%s: %s", event, why);
  assert_true(a.ce.is_certified);
  double loss = arf_get_d(arb_midref(a.ce.loss), ARF_RND_NEAR);
  attack_clear(&a);
  return loss;
}

static void add_event(struct attack *a, const char *event) {
  struct pattern p;
  size_t at;
  char *why;
  if (!pattern_parse(&p, event, &at, &why)) fail_msg("%s: %s", event, why);
  vec_push(&a->ce.outputs, p);
}

static bool cells_certified(const char *text, const char *const *events, size_t count) {
  struct attack a;
  char *why = NULL;
  attack_init(&a, text, events[0]);
  for (size_t i = 1; i < count; i++)
    add_event(&a, events[i]);
  bool yes = program_certify(&a.ce, &a.claim, NULL, &why);
  free(why);
  attack_clear(&a);
  return yes;
}

#define DIFFER "adjacent b<1> != b<2> {\n"
#define TWO_BOOLS "instance first { input b = true; } instance second { input b = false; }"

/* The two runs differ only on a set of measure zero, which contains the point of the event. */
static void a_tie_with_the_point_proves_nothing(void **state) {
  (void)state;
  refused("mechanism m(private b : bool) emits real " DIFFER "  x <$ Lap(0, 1); emit x;\n"
          "  if b { if x >= 0 { y := 1; } else { y := 0; } }\n"
          "  else { if x > 0 { y := 1; } else { y := 0; } }\n"
          "  emit y; }\n"
          "claim private m epsilon 1/100;\n" TWO_BOOLS,
          "[0, 1]", "used again");
  refused("mechanism m(private b : bool) returns (real, bool) " DIFFER "  x <$ Lap(0, 1);\n"
          "  if b { y := x >= 0; } else { y := x > 0; }\n"
          "  return (x, y); }\n"
          "claim private m epsilon 1/100;\n" TWO_BOOLS,
          "(0, true)", "the claim holds");
}

/* (x, x) and (x, 2x) have no joint density at (0, 0): a box sees the second half as often. The loss
 * is ln 2, so the claim 7/10 is true and 6/10 is not. */
static void outputs_that_depend_on_each_other(void **state) {
  (void)state;
  static const char text[] =
      "mechanism m(private b : bool) returns (real, real) " DIFFER "  x <$ Uniform(-8, 8);\n"
      "  if b { y := x; } else { y := 2*x; }\n"
      "  return (x, y); }\n"
      "claim private m epsilon 7/10;\n" TWO_BOOLS;
  refused(text, "(0, 0)", "several outputs");
  refused(text, "(-1/4..1/4, -1/4..1/4)", "the claim holds");
}

static void an_atom_beside_a_density(void **state) {
  (void)state;
  /* Probability 1/2 of exactly 0 in both runs; the densities beside it do not matter at 0. */
  refused("mechanism m(private b : bool) returns real " DIFFER
          "  x <$ Lap(0, 1); c <$ Bernoulli(1/2);\n"
          "  if c { x := 0; } else { if b { x := x/100; } }\n"
          "  return x; }\n"
          "claim private m epsilon 1/100;\n" TWO_BOOLS,
          "0", "the claim holds");
  /* Only the first run has the atom: a box around it shows that. */
  assert_true(certified("mechanism m(private b : bool) returns real " DIFFER
                        "  x <$ Lap(0, 1); c <$ Bernoulli(1/2);\n"
                        "  if c and b { x := 0; }\n"
                        "  return x; }\n"
                        "claim private m epsilon 1;\n" TWO_BOOLS,
                        "0") > 2);
}

static void the_box_keeps_the_loss_of_the_density(void **state) {
  (void)state;
  double loss = certified("mechanism m(private x : real) returns real adjacent within(x, 1) {\n"
                          "  y <$ Lap(x, 1); return y; }\n"
                          "claim private m epsilon 1/2;\n"
                          "instance first { input x = 0; } instance second { input x = 1; }",
                          "0");
  assert_true(loss > 1.96 && loss <= 2);
  /* outside of the support of the other run */
  loss = certified("mechanism m(private x : real) returns real adjacent within(x, 1) {\n"
                   "  y <$ Exp(x, 1); return y; }\n"
                   "claim private m epsilon 1/2;\n"
                   "instance first { input x = 0; } instance second { input x = 1; }",
                   "1/2");
  assert_true(isinf(loss) || isnan(loss));
}

#define ONE_REAL "instance first { input x = 0; } instance second { input x = 1; }"

static void premises_are_evaluated(void **state) {
  (void)state;
  /* c = 0 is the only value; the assumption cannot be evaluated */
  refused("param c : real, forall y : real. c*y <= 1;\n"
          "mechanism m(private x : real) returns real adjacent within(x, 1) {\n"
          "  y <$ Lap(c*x, 1); return y; }\n"
          "claim private m epsilon 1/2;\n"
          "instance first { param c = 1; input x = 0; } instance second { input x = 1; }",
          "0", "cannot be evaluated");
  refused("param c : real, c < 1;\n"
          "mechanism m(private x : real) returns real adjacent within(x, 1) {\n"
          "  y <$ Lap(c*x, 1); return y; }\n"
          "claim private m epsilon 1/2;\n"
          "instance first { param c = 1; input x = 0; } instance second { input x = 1; }",
          "0", "does not hold");
  refused("mechanism m(private x : real, t : real) returns real adjacent within(x, 1)\n"
          "  requires t = 0 {\n"
          "  y <$ Lap(t*x, 1); return y; }\n"
          "claim private m epsilon 1/2;\n"
          "instance first { input x = 0; input t = 1; }\n"
          "instance second { input x = 1; input t = 1; }",
          "0", "does not hold");
  refused("mechanism m(private x : real, t : real) returns real adjacent within(x, 1) {\n"
          "  y <$ Lap(t, 1); return y; }\n"
          "claim private m epsilon 1/2;\n"
          "instance first { input x = 0; input t = 1; }\n"
          "instance second { input x = 1; input t = 0; }",
          "0", "public");
  refused("mechanism m(private x : real) returns real adjacent within(x, 1/2) {\n"
          "  y <$ Lap(x, 1); return y; }\n"
          "claim private m epsilon 1/2;\n" ONE_REAL,
          "0", "not adjacent");
  refused("mechanism m(private x : real) returns real adjacent within(x, 1) {\n"
          "  y <$ Lap(x, 1); return y; }\n"
          "claim private m epsilon 1/2 under same(x);\n" ONE_REAL,
          "0", "not adjacent");
}

/* Adjacent integers within 1/2 are equal, so the claim is true. */
static void inputs_have_their_types(void **state) {
  (void)state;
  struct attack a;
  attack_init(&a,
              "mechanism m(private k : int) returns int adjacent within(k, 1/2) {\n"
              "  c <$ Bernoulli(1/2); if c { k2 := k; } else { k2 := 0; } return k2; }\n"
              "claim private m epsilon 0;\n"
              "instance first { input k = 0; } instance second { input k = 0; }",
              "0");
  fmpq_t half;
  fmpq_init(half);
  fmpq_set_si(half, 1, 2);
  a.ce.inputs[1][0] = rvalue_fmpq(half);
  fmpq_clear(half);
  char *why = NULL;
  assert_false(program_certify(&a.ce, &a.claim, NULL, &why));
  assert_non_null(strstr(why, "another type"));
  free(why);
  struct program_result r;
  program_result_init(&r);
  program_refute(&r, &a.claim, NULL);
  assert_int_not_equal(r.status, PROGRAM_REFUTED);
  program_result_clear(&r);
  attack_clear(&a);
}

/* The axiom makes the claim true; the entries of the array are part of the structure. */
static void axioms_hold_for_all_values_at_hand(void **state) {
  (void)state;
  refused("type Db; op size(d : Db) : real; op same_db(d, e : Db) : bool;\n"
          "axiom empty: forall d : Db. size(d) = 0;\n"
          "mechanism m(private d : Db, private more : Db[1]) returns real\n"
          "  adjacent same_db(d<1>, d<2>) {\n"
          "  y <$ Lap(size(more[0]), 1); return y; }\n"
          "claim private m epsilon 1/2;\n"
          "instance first { type Db = int; op size(d) = d; op same_db(d, e) = d = e;\n"
          "  input d = 0; input more = [0]; }\n"
          "instance second { type Db = int; op size(d) = d; op same_db(d, e) = d = e;\n"
          "  input d = 0; input more = [1]; }",
          "0", "axiom does not hold");
  /* a constant of the type leads out of the inputs */
  refused("type Db; op size(d : Db) : real; op other : Db; op same_db(d, e : Db) : bool;\n"
          "axiom empty: forall d : Db. size(d) = 0;\n"
          "mechanism m(private d : Db, private b : bool) returns real\n"
          "  adjacent same_db(d<1>, d<2>) {\n"
          "  c := 0; if b { c := size(other); }\n"
          "  y <$ Lap(c, 1); return y; }\n"
          "claim private m epsilon 1/2;\n"
          "instance first { type Db = int; op size(d) = d; op other = 1;\n"
          "  op same_db(d, e) = d = e; input d = 0; input b = false; }\n"
          "instance second { type Db = int; op size(d) = d; op other = 1;\n"
          "  op same_db(d, e) = d = e; input d = 0; input b = true; }",
          "0", "operator");
}

/* The claim is true for adversaries that ask once; this one asks twice. */
static void adversaries_keep_their_bounds(void **state) {
  (void)state;
  refused("adversary attack() uses ask() : real at most 1;\n"
          "mechanism m(private x : real) returns list(real) adjacent within(x, 1) {\n"
          "  oracle ask() : real { s <$ Lap(x, 1); answers := s :: answers; return s; }\n"
          "  var answers : list(real) := [];\n"
          "  attack();\n"
          "  return answers; }\n"
          "claim private m epsilon 1;\n"
          "instance first { input x = 0;\n"
          "  adversary attack() { r := ask(); r := ask(); } }\n"
          "instance second { input x = 1;\n"
          "  adversary attack() { r := ask(); r := ask(); } }",
          "[0, 0]", "more often");
}

/* A claim speaks about both directions also when the adjacency does not. */
static void both_directions_count(void **state) {
  (void)state;
  static const char *const inputs[] = {"input x = 0;", "input x = 1;"};
  for (int swapped = 0; swapped < 2; swapped++) {
    char *text = xasprintf("mechanism m(private x : real) returns real\n"
                           "  adjacent 0 <= x<2> - x<1> and x<2> - x<1> <= 1 {\n"
                           "  y <$ Lap(x, 1); return y; }\n"
                           "claim private m epsilon 1/2;\n"
                           "instance first { %s } instance second { %s }",
                           inputs[swapped], inputs[!swapped]);
    assert_true(certified(text, swapped ? "2" : "-1") > 1.9);
    free(text);
  }
}

/* A bound variable is found beside the inputs of whatever run is spoken of: inputs far apart are
 * not adjacent (and were, now and then, when it was read beyond the end of the run's inputs). */
static void bound_variables_in_both_runs(void **state) {
  (void)state;
  static const char *const adjacencies[] = {
      "forall b1 in 0..1, b2 in 0..1, i in 0..1. within(q[i], 1)",
      "forall b1 in 0..1, b2 in 0..1, i in 0..1. abs(q[i]<1> - q[i]<2>) <= 1",
      ("forall b1 in 0..1, b2 in 0..1, i in 0..1. (q[i] + b2)<1> - (q[i] + b2)<2> <= 1 and\n"
       "  (q[i] + b2)<2> - (q[i] + b2)<1> <= 1"),
      "forall b in 0..1, i in 0..1. within(pick(q, i), 1)",
      "forall b : bool, i in 0..1. b or within(if b then 0 else q[i], 1)",
      "forall i in 0..1. exists j in 0..1. i = j and within(q[i - j + i], 1)",
      "forall i in 0..1, j in i..i + 1, k in j..j + 1. within(q[k], 1)",
  };
  for (size_t i = 0; i < sizeof adjacencies / sizeof *adjacencies; i++)
    for (int far = 0; far < 2; far++) {
      char *text =
          xasprintf("let pick(a : real[], i : int) = a[i];\n"
                    "mechanism m(private q : real[1]) returns real adjacent\n  %s {\n"
                    "  y <$ Lap(q[0], 1); return y; }\n"
                    "claim private m epsilon 1/2;\n"
                    "instance first { input q = [0]; } instance second { input q = [%d]; }",
                    adjacencies[i], far ? 90 : 1);
      if (far)
        refused(text, "0", "not adjacent");
      else
        assert_true(certified(text, "..0") > 1.9);
      free(text);
    }
}

/* A quantifier over all integers is decided by those that stand for all of them, by an index of the
 * inputs, or not at all. */
static void integers_without_a_range(void **state) {
  (void)state;
  static const struct {
    const char *adjacency, *reason; /* NULL: certified */
  } rows[] = {
      {"exists w : int. forall i in 0..2. i = w or q<1>[i] = q<2>[i]", NULL},
      {"exists w, v : int. v != w and q<1>[w] = q<2>[w] and q<1>[v] != q<2>[v]", NULL},
      {"not (forall i : int. q<1>[i] = q<2>[i])", NULL},
      {"exists w : int. w >= 1 and q<1>[w] != q<2>[w]", "no index of the inputs"},
      {"exists w : int. 2*w > 100", "no index of the inputs"}, /* true, but nobody looks so far */
      {"exists w : int. w > 100", NULL}, /* 99, 100 and 101 stand for all integers */
      {"forall w : int. w < 100 or 100 < w", "not adjacent"},
      {"forall i : int. i < 0 or i > 1 or within(q[i], 1)", "cannot be evaluated"},
      {"not (exists i : int. 0 <= i <= 1 and abs(q<1>[i] - q<2>[i]) > 1)", "no index"},
      {"forall i : int. i > 1 or q<1>[i] = q<2>[i]", "not adjacent"},
      {"forall i in 0..2. exists w : int. w = i and i < 1", "no index of the inputs"},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    char *text = xasprintf("mechanism m(private q : real[2]) returns real adjacent\n  %s {\n"
                           "  y <$ Lap(q[0], 1); return y; }\n"
                           "claim private m epsilon 1/2;\n"
                           "instance first { input q = [0, 3]; }\n"
                           "instance second { input q = [1, 3]; }",
                           rows[i].adjacency);
    if (rows[i].reason)
      refused(text, "..0", rows[i].reason);
    else
      assert_true(certified(text, "..0") > 1.9);
    free(text);
  }
}

/* Values of another kind than declared are no values at all, wherever the premises meet them. */
static void wrong_kinds_are_no_values(void **state) {
  (void)state;
  static const char text[] =
      "param n : int, n >= 0, forall i in 0..n. i >= 0;\n"
      "let first(p : (real, bool)) = p.1;\n"
      "mechanism m(private q : real[n], private p : (real, bool), k : int, l : list(int))\n"
      "  returns real\n"
      "  adjacent (forall i in 0..n. within(q[i], 1)) and within(first(p), 1) and\n"
      "    (p.2<1> <-> p.2<2>) and not (p.2<1> and q[k - k]<2> > 1) and all_within(q, 1)\n"
      "  requires k >= 0 and length(l) >= 0 and (k = 0 or head(l) >= 0) {\n"
      "  y <$ Lap(q[0], 1); return y; }\n"
      "claim private m epsilon 1/2;\n"
      "instance first { param n = 1; input q = [0]; input p = (0, true); input k = 0; input l = "
      "[0]; }\n"
      "instance second { input q = [1]; input p = (0, true); input k = 0; input l = [0]; }";
  assert_true(certified(text, "..0") > 1.9);
  for (size_t place = 0; place < 9; place++)
    for (size_t kind = 0; kind < 6; kind++) {
      struct attack a;
      attack_init(&a, text, "..0");
      struct rvalue *v = place == 8 ? &a.ce.params.at[0].value : &a.ce.inputs[place / 4][place % 4];
      struct rvalue wrong[] = {rvalue_bool(true),
                               rvalue_seq(RVALUE_LIST, 0),
                               rvalue_seq(RVALUE_TUPLE, 3),
                               rvalue_seq(RVALUE_ARRAY, 1),
                               rvalue_unit(),
                               rvalue_float(0.5)};
      rvalue_clear(v);
      *v = rvalue_copy(&wrong[kind]);
      char *why = NULL;
      /* an empty list is a list of integers */
      bool fits = place % 4 == 3 && place != 8 && kind == 1;
      if (program_certify(&a.ce, &a.claim, NULL, &why) && !fits)
        fail_msg("place %zu, kind %zu was certified", place, kind);
      free(why);
      for (size_t i = 0; i < 6; i++)
        rvalue_clear(&wrong[i]);
      attack_clear(&a);
    }
}

/* Disjoint outputs are told apart; what overlaps would count twice. */
static void outputs_of_a_divergence_are_disjoint(void **state) {
  (void)state;
#define HALF                                                                                       \
  "mechanism m(private b : bool) returns int " DIFFER                                              \
  "  p := 1/2; if b { p := 1/4; } x <$ Bernoulli(p); y := 0; if x { y := 1; } return y; }\n"
#define HALF_AT(cost) HALF "claim private m renyi 2 epsilon " cost ";\n" TWO_BOOLS
  /* the divergence is ln((1/4)^2/(1/2) + (3/4)^2/(1/2)) = ln(5/4) = 0.2231 */
  const char *const both[] = {"0", "1"}, *const again[] = {"0..1", "0"}, *const one[] = {"0"};
  assert_true(cells_certified(HALF_AT("22/100"), one, 1));
  assert_true(cells_certified(HALF_AT("22/100"), both, 2));
  assert_false(cells_certified(HALF_AT("23/100"), both, 2));
  assert_false(cells_certified(HALF_AT("22/100"), again, 2));
  const char *const cells[] = {"..-2",         "-1999/1000..-1", "-999/1000..0", "1/1000..1",
                               "1001/1000..2", "2001/1000..3",   "3001/1000.."},
                    *const touching[] = {"..-2", "-2..-1", "-1..0", "0..1", "1..2", "2..3", "3.."};
#define NORMAL_AT(cost)                                                                            \
  "mechanism m(private b : bool) returns real " DIFFER                                             \
  "  q := 0; if b { q := 1; } x <$ Gauss(q, 1); return x; }\nclaim private m renyi 2 "             \
  "epsilon " cost ";\n" TWO_BOOLS
  assert_true(cells_certified(NORMAL_AT("9/10"), cells, 7));
  assert_false(cells_certified(NORMAL_AT("1"), cells, 7));
  assert_false(cells_certified(NORMAL_AT("9/10"), touching, 7));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_tie_with_the_point_proves_nothing),
      cmocka_unit_test(outputs_that_depend_on_each_other),
      cmocka_unit_test(an_atom_beside_a_density),
      cmocka_unit_test(the_box_keeps_the_loss_of_the_density),
      cmocka_unit_test(premises_are_evaluated),
      cmocka_unit_test(integers_without_a_range),
      cmocka_unit_test(inputs_have_their_types),
      cmocka_unit_test(axioms_hold_for_all_values_at_hand),
      cmocka_unit_test(adversaries_keep_their_bounds),
      cmocka_unit_test(both_directions_count),
      cmocka_unit_test(bound_variables_in_both_runs),
      cmocka_unit_test(wrong_kinds_are_no_values),
      cmocka_unit_test(outputs_of_a_divergence_are_disjoint),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
