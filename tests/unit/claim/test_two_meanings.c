/* Formulas and programs have two meanings: the evaluator's and interpreter's (lang/), with which
 * counterexamples are found, and the translation's (claim/), which proofs are about. On concrete
 * values they agree, and the prover agrees with them. */
#include <stdlib.h>
#include <string.h>

#include "check/counterexample/ground.h"
#include "claim/lower.h"
#include "core_run.h"
#include "gen_formula.h"
#include "gen_typed.h"
#include "kernel/internal.h"
#include "run/sample/interp.h"
#include "run/sample/noise.h"
#include "smt/smt.h"
#include "source_text.h"
#include "term/build.h"

static const struct ast_decl *find(const struct ast_module *m, enum decl_kind kind,
                                   const char *name) {
  for (size_t i = 0; i < m->decl_count; i++)
    if (m->decls[i]->kind == kind && (!name || strcmp(m->decls[i]->name.text, name) == 0))
      return m->decls[i];
  fail_msg("no such declaration");
  return NULL;
}

/* ---- formulas ------------------------------------------------------------------------------- */

struct pair {
  struct lang lang;
  const struct ast_module *module;
  const struct ast_decl *mechanism;
  struct interp runs[2];
  struct ground ground;
};

static void pair_init(struct pair *p, const char *text) {
  lang_init(&p->lang);
  p->module = load_valid_text(&p->lang, text);
  p->mechanism = find(p->module, DECL_MECHANISM, NULL);
  for (int run = 0; run < 2; run++) {
    interp_init(&p->runs[run], &p->lang, p->module, p->mechanism);
    p->runs[run].instance = find(p->module, DECL_INSTANCE, run ? "second" : "first");
    interp_also_needs(&p->runs[run], p->mechanism->as.mechanism.adjacent);
    if (!interp_prepare(&p->runs[run])) show_diags(&p->lang, text);
    expect_no_errors(&p->lang, text);
  }
  const struct rframe *inputs[] = {&p->runs[0].frame, &p->runs[1].frame};
  ground_init(&p->ground, &p->lang, p->module, p->mechanism->as.mechanism.routine, &p->runs[0].ev,
              inputs);
}

static void pair_clear(struct pair *p) {
  ground_clear(&p->ground);
  interp_clear(&p->runs[0]);
  interp_clear(&p->runs[1]);
  lang_clear(&p->lang);
}

/* What the evaluator says: 1, 0, or -1. */
static int evaluate(struct pair *p) {
  VEC(struct rvalue) elements = {0};
  const struct ast_routine *m = p->mechanism->as.mechanism.routine;
  const struct type *abstract = NULL;
  struct rvalue values = rvalue_seq(RVALUE_LIST, 0);
  for (size_t i = 0; i < m->arg_count; i++)
    if (m->args[i]->type->kind == TYPE_ABSTRACT) {
      abstract = m->args[i]->type;
      for (int run = 0; run < 2; run++)
        rvalue_push(&values, rvalue_copy(&p->runs[run].frame.at[m->args[i]->slot]));
    }
  struct reval_carrier carrier = {abstract, values};
  struct reval_pair both = {{&p->runs[0].frame, &p->runs[1].frame}, &carrier, 1};
  struct diag_mark mark = diags_mark(&p->lang.diags);
  bool truth;
  p->runs[0].ev.pair = &both;
  bool known = reval_bool(&p->runs[0].ev, NULL, p->mechanism->as.mechanism.adjacent, &truth);
  p->runs[0].ev.pair = NULL;
  diags_rollback(&p->lang.diags, mark);
  rvalue_clear(&values);
  vec_clear(&elements);
  return known ? truth : -1;
}

/* What is known of the inputs, as facts. */
static void add_facts(struct ground *g, term_list *facts, term_id t, const struct rvalue *v,
                      const struct type *type) {
  struct terms *ts = &g->terms;
  switch (type->kind) {
  case TYPE_BOOL: vec_push(facts, v->as.boolean ? t : term_not(ts, t)); break;
  case TYPE_INT:
  case TYPE_REAL: {
    const struct tvalue *value = ground_value(g, v, type);
    if (value->kind == TVALUE_EXACT)
      vec_push(facts, term_eq(ts, t, term_num(ts, &value->exact, term_sort(ts, t))));
    break;
  }
  case TYPE_TUPLE:
    for (size_t i = 0; i < type->count; i++)
      add_facts(g, facts, term_proj(ts, t, (unsigned)i), &v->as.seq->at[i], type->items[i]);
    break;
  case TYPE_ARRAY:
    for (size_t i = 0; i < v->as.seq->len; i++)
      add_facts(g, facts, term_select(ts, t, term_int(ts, (long)i)), &v->as.seq->at[i], type->elem);
    break;
  default: break;
  }
}

/* The prover must not contradict the truth value: what is false here is not entailed. */
static void ask_prover(struct pair *p, int truth, const char *text) {
  struct ground *g = &p->ground;
  struct smt smt;
  struct smt_options options = smt_default_options();
  options.timeout_s = 1;
  smt_init(&smt, &g->terms, &options);
  term_list facts = {0};
  const struct ast_routine *m = p->mechanism->as.mechanism.routine;
  for (size_t i = 0; i < m->arg_count; i++) {
    const struct ast_var *v = m->args[i];
    const struct translate_binding *b = ptrmap_get(&g->env.vars, v);
    for (unsigned run = 1; run <= 2; run++)
      add_facts(g, &facts, v->is_private ? term_var_in_run(&g->terms, b->term, run) : b->term,
                &p->runs[run - 1].frame.at[v->slot], v->type);
  }
  for (size_t i = 0; i < p->module->decl_count; i++) {
    const struct ast_decl *d = p->module->decls[i];
    if (d->kind != DECL_PARAM) continue;
    const struct type *type = d->as.param.type->type;
    add_facts(g, &facts, term_var(&g->terms, d->name.text, translate_sort(&g->env, type), 0, 0),
              reval_get_param(&p->runs[0].ev, d), type);
  }
  term_id formula = translate_expr_as(&g->env, p->mechanism->as.mechanism.adjacent, SORT_BOOL);
  term_id wrong = truth ? term_not(&g->terms, formula) : formula;
  if (formula != TERM_NONE &&
      smt_entails(&smt, "test", span_none(), facts.at, facts.len, wrong) == SMT_VALID)
    fail_msg("the prover says that it is %s:\n%s", truth ? "false" : "true", text);
  vec_clear(&facts);
  smt_clear(&smt);
}

static void formulas_have_one_meaning(void **state) {
  (void)state;
  struct rng rng = rng_seeded(12);
  size_t rounds = test_rounds(4000), definite[2] = {0, 0}, known = 0;
  for (size_t round = 0; round < rounds; round++) {
    char *text = gen_formula_text(&rng, 2 + (unsigned)(round % 4), NULL);
    struct pair p;
    pair_init(&p, text);
    int a = evaluate(&p), b = ground_truth(&p.ground, p.mechanism->as.mechanism.adjacent, false);
    known += a >= 0;
    if (a >= 0 && b >= 0) {
      if (a != b) fail_msg("the evaluator says %d, the translation %d:\n%s", a, b, text);
      definite[a]++;
      if (round % 40 == 0) ask_prover(&p, a, text);
    }
    pair_clear(&p);
    free(text);
  }
  print_message("%zu formulas: %zu evaluated, %zu true and %zu false by both\n", rounds, known,
                definite[1], definite[0]);
  assert_true(2 * (definite[0] + definite[1]) > rounds && 5 * definite[1] > rounds);
}

/* Corners that chance rarely meets. */
static void corners_have_one_meaning(void **state) {
  (void)state;
  static const char *const formulas[] = {
      "one_differs(q, 0 - 1)",
      "all_within(q, 0 - 1)",
      "monotone(q, 0)",
      "exists i in n..0. true",
      "forall i in 0..n, j in i..0. q[j + n]<1> > 0",
      "(forall x : bool, y : bool. x <-> y) or (exists x : Db. size(x) = size(d<1>))",
      "k<1> = k<2> and a<1> = a<2>",
      "a[0]<1> = a[1]<2> or a[0][2]<1> = (a[1])[2]<2>",
      "(0 - 7) div 2 = 0 - 4 and (0 - 7) mod 2 = 1",
      "7 div (0 - 2) = 0 - 4 and 7 mod (0 - 2) = 0 - 1",
      "round(0 - 1/2) = 0 and round(1/2) = 1 and floor(0 - 1/2) = 0 - 1 and ceil(0 - 1/2) = 0",
      "0^0 = 1 and 2^t = 2 and (0 - 2)^3 = 0 - 8",
      "between(0, 0) or not between(t, inc(inc(t)))",
  };
  struct rng rng = rng_seeded(14);
  size_t definite = 0;
  for (size_t round = 0; round < 480; round++) {
    char *text = gen_formula_text(&rng, 0, formulas[round % 12]);
    struct pair p;
    pair_init(&p, text);
    int a = evaluate(&p), b = ground_truth(&p.ground, p.mechanism->as.mechanism.adjacent, false);
    if (a >= 0 && b >= 0 && a != b)
      fail_msg("the evaluator says %d, the translation %d:\n%s", a, b, text);
    definite += a >= 0 && b >= 0;
    pair_clear(&p);
    free(text);
  }
  assert_true(definite > 400);
}

/* ---- quantifiers over all integers ----------------------------------------------------------- */

/* Most of them read the argument by its remainders alone. */
static void put_meaning(struct buffer *b, struct rng *rng, const char *op) {
  int m = rng_range(rng, 1, 5), k = rng_range(rng, 1, 5), c = rng_range(rng, -3, 3);
  buffer_printf(b, "  op %s(i) = ", op);
  switch (rng_below(rng, 6)) {
  case 0: buffer_printf(b, "i mod %d + %d", m, c + 3); break;
  case 1: buffer_printf(b, "if i mod %d = %d then %d else 0 - 1", m, m - 1, c + 3); break;
  case 2: buffer_printf(b, "(i mod %d)*(i mod %d)", m, k); break;
  case 3: buffer_printf(b, "%d", c + 3); break;
  case 4: buffer_puts(b, "i"); break;
  default: buffer_printf(b, "if i > %d then 1 else i mod %d", c + 3, m); break;
  }
  buffer_puts(b, ";\n");
}

static void put_atom(struct buffer *b, struct rng *rng) {
  int c = rng_range(rng, -6, 6), more = c + rng_range(rng, 0, 9);
  switch (rng_below(rng, 11)) {
  case 0: buffer_printf(b, "i < %d", c); break;
  case 1: buffer_printf(b, "%d <= i", c); break;
  case 2: buffer_printf(b, "i %s %d", rng_below(rng, 2) ? "=" : "!=", c); break;
  case 3: buffer_printf(b, "%d <= i < %d", c, more); break;
  case 4: buffer_printf(b, "f(i) <= %d", c); break;
  case 5: buffer_puts(b, "f(i) = g(i)"); break;
  case 6: buffer_printf(b, "f(g(i)) + 1 >= g(%d)", c); break;
  case 7: buffer_printf(b, "2*i + f(i) < %d", c); break;
  case 8: buffer_printf(b, "f(i + %d) = 0", more); break;
  case 9: buffer_puts(b, "(exists j in 0..4. g(j) = f(i))"); break;
  default: buffer_puts(b, "f(i) >= i"); break;
  }
}

static void put_body(struct buffer *b, struct rng *rng, unsigned depth) {
  static const char *const between[] = {" and ", " or ", " -> ", " <-> "};
  if (!depth) {
    put_atom(b, rng);
    return;
  }
  buffer_puts(b, rng_below(rng, 3) ? "(" : "not (");
  put_body(b, rng, depth - 1);
  buffer_puts(b, between[rng_below(rng, 4)]);
  put_body(b, rng, depth - 1);
  buffer_puts(b, ")");
}

/* Of a formula about f and g in this meaning, over the range. */
static void truths(const char *quantifier, const char *range, const char *body,
                   const char *meanings, int truth[2]) {
  struct buffer text;
  struct pair p;
  buffer_init(&text);
  buffer_printf(&text,
                "op f(i : int) : int;\nop g(i : int) : int;\n"
                "mechanism m(private x : int) returns int adjacent x<1> = x<2> and (%s i %s. %s)"
                "\n{ return 0; }\n",
                quantifier, range, body);
  for (int run = 0; run < 2; run++)
    buffer_printf(&text, "instance %s {\n  input x = 0;\n%s}\n", run ? "second" : "first",
                  meanings);
  pair_init(&p, buffer_text(&text));
  truth[0] = evaluate(&p);
  truth[1] = ground_truth(&p.ground, p.mechanism->as.mechanism.adjacent, false);
  pair_clear(&p);
  buffer_clear(&text);
}

/* What is said of all integers is what can be seen far enough. */
static void integers_are_covered(void **state) {
  (void)state;
  struct rng rng = rng_seeded(15);
  size_t rounds = test_rounds(3000), known = 0;
  for (size_t round = 0; round < rounds; round++) {
    struct buffer body, meanings;
    buffer_init(&body);
    buffer_init(&meanings);
    put_meaning(&meanings, &rng, "f");
    put_meaning(&meanings, &rng, "g");
    put_body(&body, &rng, (unsigned)(round % 3));
    const char *quantifier = round % 2 ? "forall" : "exists";
    int all[2], far[2];
    truths(quantifier, ": int", buffer_text(&body), buffer_text(&meanings), all);
    truths(quantifier, "in (0 - 90)..90", buffer_text(&body), buffer_text(&meanings), far);
    for (int by = 0; by < 2; by++)
      if (all[by] >= 0 && far[0] >= 0 && all[by] != far[0])
        fail_msg("%d, not %d by %d: %s i : int. %s\n%s", all[by], far[0], by, quantifier,
                 buffer_text(&body), buffer_text(&meanings));
    known += all[0] >= 0 && all[1] >= 0;
    buffer_clear(&body);
    buffer_clear(&meanings);
  }
  print_message("%zu formulas about all integers, %zu known by both\n", rounds, known);
  assert_true(4 * known > rounds);
}

/* False of one integer that is not among the first to be looked at. */
static void far_integers_count(void **state) {
  (void)state;
  static const struct {
    const char *body, *f;
  } cases[] = {
      {"i < 3 or f(i) <= 0", "if i mod 4 = 0 then 1 else 0"},
      {"i > 3 or f(i) <= 0", "if i mod 4 = 2 then 1 else 0"},
      {"i < 3 or i > 20 or f(i) <= 0", "if i mod 9 = 7 then 1 else 0"},
      {"i <= 0 or f(i) + g(i) < 2", "if i mod 5 = 4 then 1 else 0"},
      {"exists j in 0..4. i < j", "0"},
      {"exists j in 0..4. (j = 0 and 2*i < 100)", "0"},
      {"exists j in 0..4. f(j) <= f(i)", "if i > 50 then 0 - 1 else 0"},
  };
  for (size_t n = 0; n < sizeof cases / sizeof *cases; n++) {
    int truth[2];
    struct buffer meanings;
    buffer_init(&meanings);
    buffer_printf(&meanings, "  op f(i) = %s;\n  op g(i) = if i mod 7 = 6 then 1 else 0;\n",
                  cases[n].f);
    truths("forall", ": int", cases[n].body, buffer_text(&meanings), truth);
    if (truth[0] == 1 || truth[1] == 1) fail_msg("%s", cases[n].body);
    buffer_clear(&meanings);
  }
}

/* ---- facts about sums ------------------------------------------------------------------------- */

/* What is assumed of the sums of a formula is true of the inputs: nothing that can be evaluated is
 * false. */
static void check_facts(const char *body, const char *one, const char *two) {
  struct buffer text;
  struct pair p;
  buffer_init(&text);
  buffer_printf(&text,
                "param n : int, n >= 0;\n"
                "mechanism m(private x : int[n], e : int[n]) returns int adjacent (sum j in 0..n. "
                "(%s)) <= 9 or true\n{ return 0; }\n",
                body);
  for (int run = 0; run < 2; run++)
    buffer_printf(&text,
                  "instance %s {\n  param n = 3;\n  input x = %s;\n  input e = [1, -2, 3];\n}\n",
                  run ? "second" : "first", run ? two : one);
  pair_init(&p, buffer_text(&text));
  ground_truth(&p.ground, p.mechanism->as.mechanism.adjacent, false);
  const struct kernel *k = p.ground.kernel;
  assert_true(k->facts.len > 2);
  for (size_t f = 0; f < k->facts.len; f++)
    if (eval_truth(&p.ground.eval, k->facts.at[f]) == 0)
      fail_msg("fact %zu is false: %s", f, buffer_text(&text));
  pair_clear(&p);
  buffer_clear(&text);
}

static void facts_about_sums_are_true(void **state) {
  (void)state;
  static const char *const bodies[] = {"-1",
                                       "2",
                                       "e[j]",
                                       "x<1>[j]",
                                       "x<1>[j] - x<2>[j]",
                                       "abs(x<1>[j] - x<2>[j])",
                                       "if x<1>[j] = x<2>[j] then 0 else -1",
                                       "if x<1>[j] = x<2>[j] then -1 else 1",
                                       "if e[j] < 0 then 0 else e[j]",
                                       "x<1>[j]*x<2>[j]",
                                       "abs(x<1>[j])*x<2>[j]",
                                       "(x<1>[j] - x<2>[j])^2 + e[j]",
                                       "(x<1>[j] - x<2>[j])^2 + abs(e[j])",
                                       "0 - e[j]^2",
                                       "abs(e[j])*(0 - 1)",
                                       "e[j]^3"};
  for (size_t n = 0; n < sizeof bodies / sizeof *bodies; n++) {
    check_facts(bodies[n], "[1, 2, 3]", "[1, -2, 3]");
    check_facts(bodies[n], "[0, 5, -7]", "[1, 5, -6]");
  }
}

/* Records: 0 none, else some of the number before. */
static void put_records(struct buffer *b, const char *name, const unsigned *x, size_t count) {
  buffer_printf(b, "instance %s { input x = [", name);
  for (size_t i = 0; i < count; i++)
    if (x[i])
      buffer_printf(b, "%ssome(%u)", i ? ", " : "", x[i] - 1);
    else
      buffer_printf(b, "%snone", i ? ", " : "");
  buffer_puts(b, "]; }\n");
}

static void added_and_removed_records_are_counted(void **state) {
  (void)state;
  enum { RECORDS = 2, VALUES = 3, ALL = 81 };
  size_t adjacent = 0;
  for (unsigned code = 0; code < ALL; code++) {
    unsigned x[2][RECORDS], rest = code;
    size_t different = 0, replaced = 0;
    for (size_t i = 0; i < 2 * RECORDS; i++, rest /= VALUES)
      x[i % 2][i / 2] = rest % VALUES;
    for (size_t i = 0; i < RECORDS; i++) {
      different += x[0][i] != x[1][i];
      replaced += x[0][i] != x[1][i] && x[0][i] && x[1][i];
    }
    struct buffer text;
    buffer_init(&text);
    buffer_puts(&text, "mechanism m(private x : option(int)[2]) returns int adjacent add_remove(x)"
                       "{ return 0; }\n");
    put_records(&text, "first", x[0], RECORDS);
    put_records(&text, "second", x[1], RECORDS);
    struct pair p;
    pair_init(&p, buffer_text(&text));
    int truth = different <= 1 && !replaced;
    assert_int_equal(evaluate(&p), truth);
    int ground = ground_truth(&p.ground, p.mechanism->as.mechanism.adjacent, false);
    assert_true(truth ? ground == 1 : ground != 1); /* that there is no index it need not know */
    adjacent += truth;
    pair_clear(&p);
    buffer_clear(&text);
  }
  assert_int_equal(adjacent, 33); /* 9 equal pairs, and 2*3*4 that differ */
}

/* ---- programs ------------------------------------------------------------------------------- */

/* Samples without noise: the location, or the first of what may come out. */
static int quiet(void *context, enum dist_kind kind, const struct rvalue *args, size_t count,
                 struct rvalue *out) {
  (void)context;
  (void)count;
  *out = kind == DIST_BERNOULLI ? rvalue_bool(true) : rvalue_copy(&args[0]);
  return NOISE_OK;
}

/* 1 the same outputs, 0 others, -1 not known. */
static int compare_runs(struct lang *lang, const struct ast_module *module, const char *text) {
  const struct ast_decl *mechanism = find(module, DECL_MECHANISM, NULL);
  const struct ast_routine *routine = mechanism->as.mechanism.routine;
  struct interp in;
  interp_init(&in, lang, module, mechanism);
  in.instance = find(module, DECL_INSTANCE, NULL);
  in.sample = quiet;
  if (!interp_prepare(&in)) show_diags(lang, text);
  expect_no_errors(lang, text);
  const struct rframe *inputs[] = {&in.frame, &in.frame};
  struct ground g;
  ground_init(&g, lang, module, routine, &in.ev, inputs);
  struct core_run run;
  struct diag_mark mark = diags_mark(&lang->diags);
  struct rvalue output = {0};
  int same = -1;
  if (core_run_init(&run, &g, routine, &in.frame) && core_run(&run) &&
      interp_run(&in, NULL, &output))
    same = core_run_gives(&run, &output);
  diags_rollback(&lang->diags, mark);
  core_run_clear(&run);
  rvalue_clear(&output);
  ground_clear(&g);
  interp_clear(&in);
  return same;
}

static void programs_have_one_meaning(void **state) {
  (void)state;
  struct rng rng = rng_seeded(13);
  size_t rounds = test_rounds(1500), compared = 0;
  for (size_t round = 0; round < rounds; round++) {
    char *text = gen_typed_text(&rng, 1 + (unsigned)(round % 8));
    struct lang lang;
    lang_init(&lang);
    const struct ast_module *module = load_valid_text(&lang, text);
    int same = compare_runs(&lang, module, text);
    if (same == 0) fail_msg("the interpreter and the core program differ:\n%s", text);
    compared += same > 0;
    lang_clear(&lang);
    free(text);
  }
  print_message("%zu programs, %zu of them compared\n", rounds, compared);
  assert_true(3 * compared > rounds);
}

/* Relations between lists of up to two numbers, against what is counted here. */
static int lists_are_related(size_t relation, const int x[2][2], const size_t length[2]) {
  size_t far = 0, different = 0, most = length[0] < length[1] ? length[0] : length[1];
  for (size_t i = 0; i < most; i++) {
    different += x[0][i] != x[1][i];
    far += abs(x[0][i] - x[1][i]) > 1;
  }
  if (relation == 0) return length[0] == length[1] && !far;
  if (relation == 1) return length[0] == length[1] && !far && different <= 1;
  if (relation == 2) return length[0] == length[1] && different <= 1;
  return length[1] == length[0] + 1 && !different;
}

static void lists_have_one_meaning(void **state) {
  (void)state;
  static const char *const relations[] = {
      "all_within(x, 1)", "one_differs(x, 1)", "one_changes(x)",
      "length(x<2>) = length(x<1>) + 1 and (forall i in 0..length(x<1>). x<1>[i] = x<2>[i])"};
  size_t related = 0;
  for (unsigned code = 0; code < 4 * 9 * 16; code++) {
    size_t relation = code % 4, length[2] = {code / 4 % 3, code / 12 % 3};
    int x[2][2];
    struct buffer text;
    buffer_init(&text);
    buffer_printf(&text,
                  "mechanism m(private x : list(int)) returns int adjacent %s { return 0; }\n",
                  relations[relation]);
    for (size_t run = 0; run < 2; run++) {
      buffer_printf(&text, "instance %s { input x = [", run ? "second" : "first");
      for (size_t i = 0; i < 2; i++)
        x[run][i] = (int)(code / 36 >> (2 * run + i) & 1) * 2 - (int)i * (int)run;
      for (size_t i = 0; i < length[run]; i++)
        buffer_printf(&text, "%s%d", i ? ", " : "", x[run][i]);
      buffer_puts(&text, "]; }\n");
    }
    struct pair p;
    pair_init(&p, buffer_text(&text));
    int truth = lists_are_related(relation, x, length);
    assert_int_equal(evaluate(&p), truth);
    int ground = ground_truth(&p.ground, p.mechanism->as.mechanism.adjacent, false);
    if (truth ? ground != 1 : ground == 1)
      fail_msg("%d, not %d: %s", ground, truth, buffer_text(&text));
    related += truth > 0;
    pair_clear(&p);
    buffer_clear(&text);
  }
  assert_true(related > 20);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(formulas_have_one_meaning),
      cmocka_unit_test(corners_have_one_meaning),
      cmocka_unit_test(integers_are_covered),
      cmocka_unit_test(far_integers_count),
      cmocka_unit_test(facts_about_sums_are_true),
      cmocka_unit_test(added_and_removed_records_are_counted),
      cmocka_unit_test(lists_have_one_meaning),
      cmocka_unit_test(programs_have_one_meaning),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
