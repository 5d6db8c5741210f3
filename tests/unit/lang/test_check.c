/* The checker: what it fills in, that its errors do not cascade, and that it stays fast. Messages
 * and places are in tests/regress/static. */
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "lang/check/check.h"
#include "lang/syntax/parse.h"
#include "source_text.h"
#include "testlib.h"

static const char program[] =
    "param eps : real, eps > 0;\n"
    "param n, m : int, n <= m;\n"
    "let half = eps / 2;\n"
    "let clamp(x, b : real) = max(-b, min(x, b));\n"
    "type Db;\n"
    "type Query;\n"
    "op eval(q : Query, d : Db) : real;\n"
    "op Adj(d, e : Db) : bool;\n"
    "axiom sens : forall q : Query, d, e : Db. Adj(d, e) -> abs(eval(q, d) - eval(q, e)) <= 1;\n"
    "adversary A(l : list(bool)) : Query uses O(q : Query) : bool at most n;\n"
    "procedure noisy(x : real, b : real) : real {\n"
    "  y <$ Lap(x, b);\n"
    "  return y;\n"
    "}\n"
    "mechanism svt(private d : Db, T : real) emits bool returns (int, real)\n"
    "  adjacent Adj(d<1>, d<2>)\n"
    "  requires T >= 0\n"
    "{\n"
    "  oracle O(q : Query) : bool {\n"
    "    s <$ Lap(eval(q, d), 4 / eps);\n"
    "    count := count + 1;\n"
    "    return s >= t;\n"
    "  }\n"
    "  t := noisy(T, 1 / half);\n"
    "  count := 0;\n"
    "  answers := [];\n"
    "  for i in 0..n {\n"
    "    query := A(answers);\n"
    "    b := O(query);\n"
    "    answers := b :: answers;\n"
    "    emit b;\n"
    "  }\n"
    "  best := 0;\n"
    "  best := clamp(t, 2);\n"
    "  (k, best) := (count, best / 2);\n"
    "  return (k, best);\n"
    "}\n"
    "mechanism sum(private q : real[n]) returns real\n"
    "  adjacent forall i in 0..n, j : int. i = j -> abs(q<1>[i] - q<2>[j]) <= 1\n"
    "{\n"
    "  var a : real[n];\n"
    "  s := 0;\n"
    "  for i in 0..n { a[i] <$ Lap(q[i], 1); s := s + a[i]; }\n"
    "  return s;\n"
    "}\n"
    "claim private svt epsilon eps;\n"
    "claim named : private sum epsilon ?;\n"
    "claim private sum epsilon 2*eps delta 1/100 under one_differs(q, 1);\n"
    "claim private svt epsilon half + eps;\n"
    "automaton at {\n"
    "  var x;\n"
    "  start s0;\n"
    "  state s0 noninput d 1/4;\n"
    "  state s1 d 1/2 mean -1 prime d 1;\n"
    "  state s2 final;\n"
    "  s0 -> s1 output bot assign x;\n"
    "  s1 -> s1 when insample < x output bot;\n"
    "  s1 -> s2 when insample >= x output insample';\n"
    "}\n"
    "claim private at epsilon 5/4 * eps;\n"
    "instance small {\n"
    "  param eps = 1;\n"
    "  param n = 2;\n"
    "  type Db = list(real);\n"
    "  type Query = int;\n"
    "  input d = [1, 2, 3];\n"
    "  input T = 1/2;\n"
    "  op eval(q, d) = d[q];\n"
    "  op Adj(d, e) = length(d) = length(e);\n"
    "  adversary A(l) {\n"
    "    state next : int := 0;\n"
    "    next := next + length(l);\n"
    "    hit := O(next);\n"
    "    return if hit then next else 0;\n"
    "  }\n"
    "}\n";

static struct ast_module *load(struct lang *lang, const char *text) {
  lang_init(lang);
  return lang_load_text(lang, "t.dp", text, strlen(text));
}

static struct ast_decl *decl(struct ast_module *m, enum decl_kind kind, const char *name) {
  for (size_t i = 0; i < m->decl_count; i++)
    if (m->decls[i]->kind == kind && strcmp(m->decls[i]->name.text, name) == 0) return m->decls[i];
  fail_msg("there is no %s", name);
  return NULL;
}

static struct ast_var *local(struct ast_routine *r, const char *name) {
  for (size_t i = 0; i < r->local_count; i++)
    if (strcmp(r->locals[i]->name.text, name) == 0) return r->locals[i];
  fail_msg("there is no variable %s", name);
  return NULL;
}

static void assert_type(const struct type *type, const char *wanted) {
  struct buffer b;
  buffer_init(&b);
  type_print(&b, type);
  assert_string_equal(buffer_text(&b), wanted);
  buffer_clear(&b);
}

/* ---- a walk over everything that was checked ---------------------------------------------------
 */

struct walk {
  size_t slots; /* size of the frame, or of the arguments and binders */
  size_t exprs;
};

static void walk_expr(struct walk *w, const struct ast_expr *e);

static void walk_exprs(struct walk *w, struct ast_expr **list, size_t count) {
  for (size_t i = 0; i < count; i++)
    walk_expr(w, list[i]);
}

static void walk_call(struct walk *w, const struct ast_expr *e) {
  switch (e->as.call.callee_kind) {
  case CALLEE_BUILTIN: assert_int_not_equal(e->as.call.builtin, BUILTIN_NONE); break;
  case CALLEE_ORACLE: assert_non_null(e->as.call.oracle); break;
  default: assert_non_null(e->as.call.decl);
  }
  assert_int_not_equal(e->as.call.callee_kind, CALLEE_UNRESOLVED);
  walk_exprs(w, e->as.call.args, e->as.call.count);
}

static void walk_quant(struct walk *w, const struct ast_expr *e) {
  size_t slots = w->slots;
  for (size_t i = 0; i < e->as.quant.count; i++) {
    const struct ast_binder *b = &e->as.quant.binders[i];
    if (b->low) walk_expr(w, b->low);
    if (b->high) walk_expr(w, b->high);
    assert_int_equal(b->var->slot, w->slots);
    assert_non_null(b->var->type);
    w->slots++;
  }
  walk_expr(w, e->as.quant.body);
  w->slots = slots;
}

/* A checked expression has a type, and its names are resolved. */
static void walk_expr(struct walk *w, const struct ast_expr *e) {
  w->exprs++;
  assert_int_not_equal(e->kind, EXPR_ERROR);
  assert_non_null(e->type);
  assert_int_not_equal(e->type->kind, TYPE_ERROR);
  switch (e->kind) {
  case EXPR_NAME:
    assert_true(!e->as.name.var != !e->as.name.decl);
    if (e->as.name.var) assert_true(e->as.name.var->slot < w->slots);
    break;
  case EXPR_TAG: walk_expr(w, e->as.tag.operand); break;
  case EXPR_UNARY: walk_expr(w, e->as.unary.operand); break;
  case EXPR_BINARY:
    walk_expr(w, e->as.binary.left);
    walk_expr(w, e->as.binary.right);
    break;
  case EXPR_CHAIN: walk_exprs(w, e->as.chain.operands, e->as.chain.count); break;
  case EXPR_CALL: walk_call(w, e); break;
  case EXPR_INDEX:
    walk_expr(w, e->as.index.base);
    walk_expr(w, e->as.index.index);
    break;
  case EXPR_PROJ: walk_expr(w, e->as.proj.base); break;
  case EXPR_LIST:
  case EXPR_TUPLE: walk_exprs(w, e->as.list.items, e->as.list.count); break;
  case EXPR_IF:
    walk_expr(w, e->as.cond.cond);
    walk_expr(w, e->as.cond.then);
    walk_expr(w, e->as.cond.otherwise);
    break;
  case EXPR_QUANT: walk_quant(w, e); break;
  default: break;
  }
}

static void walk_var(struct walk *w, const struct ast_var *var) {
  assert_non_null(var);
  assert_non_null(var->type);
  assert_true(var->slot < w->slots);
}

static void walk_target(struct walk *w, const struct ast_target *t) {
  walk_var(w, t->var);
  if (t->index) walk_expr(w, t->index);
}

static void walk_block(struct walk *w, const struct ast_block *b);

static void walk_stmt(struct walk *w, const struct ast_stmt *s) {
  switch (s->kind) {
  case STMT_ERROR: fail(); break;
  case STMT_BREAK:
  case STMT_CONTINUE:
  case STMT_SKIP: break;
  case STMT_VAR:
    walk_var(w, s->as.var.var);
    if (s->as.var.init) walk_expr(w, s->as.var.init);
    break;
  case STMT_ASSIGN:
    for (size_t i = 0; i < s->as.assign.count; i++)
      walk_target(w, &s->as.assign.targets[i]);
    walk_expr(w, s->as.assign.value);
    break;
  case STMT_SAMPLE:
    walk_target(w, &s->as.sample.target);
    walk_exprs(w, s->as.sample.dist.args, s->as.sample.dist.count);
    break;
  case STMT_CALL: walk_expr(w, s->as.call); break;
  case STMT_IF:
    walk_expr(w, s->as.branch.cond);
    walk_block(w, &s->as.branch.then);
    walk_block(w, &s->as.branch.otherwise);
    break;
  case STMT_WHILE:
    walk_expr(w, s->as.loop.cond);
    walk_block(w, &s->as.loop.body);
    break;
  case STMT_FOR:
    walk_var(w, s->as.range.var);
    walk_expr(w, s->as.range.low);
    walk_expr(w, s->as.range.high);
    walk_block(w, &s->as.range.body);
    break;
  case STMT_EMIT:
  case STMT_RETURN:
    if (s->as.value) walk_expr(w, s->as.value);
    break;
  }
}

static void walk_block(struct walk *w, const struct ast_block *b) {
  for (size_t i = 0; i < b->count; i++)
    walk_stmt(w, b->stmts[i]);
}

static void walk_routine(struct walk *w, const struct ast_routine *r) {
  w->slots = r->slot_count;
  for (size_t i = 0; i < r->arg_count; i++)
    walk_var(w, r->args[i]);
  for (size_t i = 0; i < r->local_count; i++) {
    walk_var(w, r->locals[i]);
    if (i) assert_true(r->locals[i]->slot > r->locals[i - 1]->slot);
  }
  walk_block(w, &r->body);
  for (size_t i = 0; i < r->oracle_count; i++) {
    assert_ptr_equal(r->oracles[i]->enclosing, r);
    assert_int_equal(r->oracles[i]->slot_count, r->slot_count);
    walk_routine(w, r->oracles[i]);
  }
}

static void walk_instance(struct walk *w, const struct ast_decl *d) {
  for (size_t i = 0; i < d->as.instance.count; i++) {
    const struct ast_binding *b = &d->as.instance.bindings[i];
    if (b->kind != BINDING_INPUT) assert_non_null(b->target);
    w->slots = b->arg_count;
    if (b->value) walk_expr(w, b->value);
    if (b->routine) walk_routine(w, b->routine);
  }
}

static void walk_claim(struct walk *w, const struct ast_decl *d) {
  assert_non_null(d->as.claim.target);
  assert_non_null(d->name.text);
  if (d->as.claim.target->kind == DECL_MECHANISM) {
    walk_expr(w, d->as.claim.epsilon);
    if (d->as.claim.delta) walk_expr(w, d->as.claim.delta);
    w->slots = d->as.claim.target->as.mechanism.routine->arg_count;
    if (d->as.claim.under_written) walk_expr(w, d->as.claim.under_written);
  }
}

static void walk_decl(struct walk *w, const struct ast_decl *d) {
  w->slots = 0;
  switch (d->kind) {
  case DECL_PARAM: walk_exprs(w, d->as.param.assumptions, d->as.param.count); break;
  case DECL_LET:
    w->slots = d->as.let.arg_count;
    walk_expr(w, d->as.let.body);
    assert_non_null(d->as.let.result);
    break;
  case DECL_AXIOM:
  case DECL_LEMMA: walk_expr(w, d->as.formula); break;
  case DECL_PROCEDURE: walk_routine(w, d->as.procedure); break;
  case DECL_MECHANISM:
    w->slots = d->as.mechanism.routine->arg_count;
    if (d->as.mechanism.adjacent_written) walk_expr(w, d->as.mechanism.adjacent_written);
    walk_exprs(w, d->as.mechanism.requires_written, d->as.mechanism.written_count);
    walk_routine(w, d->as.mechanism.routine);
    break;
  case DECL_CLAIM: walk_claim(w, d); break;
  case DECL_INSTANCE: walk_instance(w, d); break;
  default: break;
  }
}

static size_t walk_module(const struct ast_module *m) {
  struct walk w = {0};
  for (size_t i = 0; i < m->decl_count; i++)
    walk_decl(&w, m->decls[i]);
  return w.exprs;
}

/* ---- what is filled in ------------------------------------------------------------------------
 */

static void everything_is_filled_in(void **state) {
  (void)state;
  struct lang lang;
  struct ast_module *m = load(&lang, program);
  if (lang.diags.list.len) show_diags(&lang, NULL);
  assert_int_equal(lang.diags.list.len, 0);
  assert_true(walk_module(m) > 150);
  lang_clear(&lang);
}

static void types_of_variables_are_the_join_of_their_assignments(void **state) {
  (void)state;
  struct lang lang;
  struct ast_module *m = load(&lang, program);
  struct ast_routine *r = decl(m, DECL_MECHANISM, "svt")->as.mechanism.routine;
  assert_type(local(r, "t")->type, "real");
  assert_type(local(r, "count")->type, "int");
  assert_type(local(r, "answers")->type, "list(bool)");
  assert_type(local(r, "best")->type, "real");
  assert_type(local(r, "k")->type, "int");
  assert_type(local(r, "query")->type, "Query");
  assert_type(decl(m, DECL_LET, "clamp")->as.let.result, "real");
  struct ast_decl *i = decl(m, DECL_INSTANCE, "small");
  const struct ast_binding *a = &i->as.instance.bindings[i->as.instance.count - 1];
  assert_type(a->routine->args[0]->type, "list(bool)");
  assert_type(local(a->routine, "hit")->type, "bool");
  assert_int_equal(local(a->routine, "next")->role, VAR_STATE);
  lang_clear(&lang);
}

static void oracles_share_the_frame_of_their_mechanism(void **state) {
  (void)state;
  struct lang lang;
  struct ast_module *m = load(&lang, program);
  struct ast_routine *r = decl(m, DECL_MECHANISM, "svt")->as.mechanism.routine;
  struct ast_routine *o = r->oracles[0];
  /* d T | t count answers i query b best k | q s */
  assert_int_equal(r->arg_count, 2);
  assert_int_equal(r->local_count, 8);
  assert_int_equal(o->args[0]->slot, 10);
  assert_int_equal(o->local_count, 1);
  assert_int_equal(local(o, "s")->slot, 11);
  assert_int_equal(r->slot_count, 12);
  /* count := count + 1 in the oracle is the mechanism's */
  assert_ptr_equal(o->body.stmts[1]->as.assign.targets[0].var, local(r, "count"));
  lang_clear(&lang);
}

static void claims_without_a_name_are_called_after_their_subject(void **state) {
  (void)state;
  struct lang lang;
  struct ast_module *m = load(&lang, "mechanism m() returns int { return 1; }\n"
                                     "mechanism k() returns int { return 1; }\n"
                                     "claim private m epsilon 1;\n"
                                     "claim private k epsilon 1;\n"
                                     "claim k : private m epsilon 2;\n"
                                     "claim private m epsilon 3;\n"
                                     "claim private k epsilon 4;\n"
                                     "claim private m epsilon 5;\n");
  const char *names[] = {"m", "k#2", "k", "m#2", "k#3", "m#3"};
  for (size_t i = 0; i < 6; i++)
    assert_string_equal(m->decls[i + 2]->name.text, names[i]);
  assert_int_equal(lang.diags.errors, 0);
  lang_clear(&lang);
}

static void values_from_outside_are_checked_against_a_type(void **state) {
  (void)state;
  struct lang lang;
  struct ast_module *m = load(&lang, program);
  const struct type *reals = type_array(&lang.types, lang.types.real);
  struct {
    const char *text;
    const struct type *type;
    bool ok;
  } cases[] = {
      {"[1, 2.5]", reals, true},
      {"[]", reals, true},
      {"[true]", reals, false},
      {"3", lang.types.integer, true},
      {"2 * 3 - 1", lang.types.integer, true},
      {"1/2", lang.types.integer, false},
      {"1/2", lang.types.real, true},
      {"n", lang.types.integer, false}, /* a parameter is no constant */
      {"nothing", lang.types.integer, false},
      {"(1, true)", lang.types.integer, false},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    uint32_t f = sources_add(&lang.sources, "v", cases[i].text, strlen(cases[i].text));
    struct ast_expr *e = parse_expression(&lang, f);
    assert_int_equal(check_constant(&lang, m, e, cases[i].type), cases[i].ok);
  }
  assert_string_equal(decl(m, DECL_CLAIM, "svt#2")->name.text, "svt#2"); /* names stay */
  lang_clear(&lang);
}

/* ---- errors -----------------------------------------------------------------------------------
 */

static void assert_only(const char *text, const char *code) {
  struct lang lang;
  load(&lang, text);
  if (lang.diags.errors != 1 || strcmp(lang.diags.list.at[0].code, code) != 0) {
    print_error("%s\n", text);
    show_diags(&lang, NULL);
  }
  assert_int_equal(lang.diags.errors, 1);
  assert_string_equal(lang.diags.list.at[0].code, code);
  lang_clear(&lang);
}

/* The wrong thing is used in many ways; it is reported where it is wrong and nowhere else. */
static void one_mistake_is_one_error(void **state) {
  (void)state;
  assert_only("mechanism m() returns int { x := y; z := x + 1; var a : int[z]; a[x] := z;\n"
              "  if x { z := 2; } for i in x..z { z := z * x; } w := (x, z); return w.1 + a[z]; }",
              "unknown-name");
  assert_only("let a = true + 1; let b = a * 2; let c = [a, b, true]; let d = if a then b else c;",
              "type-mismatch");
  assert_only("op f(x : T) : T; let a = f(3); let b = f(a) + 1;", "unknown-type");
  assert_only("mechanism m(q : int[k]) returns int { return q[0]; }\nclaim private m epsilon 1;",
              "unknown-name");
  assert_only("mechanism m() returns int { x := 1; if x > 0 { x := [x]; } y := x + 1; z := x.1;\n"
              "  x := true; return z + y; }",
              "type-conflict");
  assert_only("procedure p(x : int) : int { return y; }\n"
              "mechanism m() returns int { a := p(1); b := p(a); return b; }",
              "unknown-name");
  assert_only(
      "mechanism m() returns int { oracle O(x : Z) : int { return 1; } a := O(1); return a; }",
      "unknown-type");
  assert_only("mechanism m() returns int { a[0] := 1; a[1] := 2; x := a[0] + a[1]; return x; }",
              "undeclared-array");
  assert_only("instance i { type A = int; }\ntype A;", "used-before-declaration");
  assert_only("let x = 1; let x = true; let y = x + 1;", "duplicate-name");
}

static void a_lost_declaration_is_not_missed(void **state) {
  (void)state;
  assert_only("include \"nowhere.dp\";\nlet a = b + 1; let c = f(a); op g(x : T) : int;",
              "include-unreadable");
  assert_only("mechanism m() returns int { x <$ Nothing(1); y := x + 1; return y; }",
              "unknown-distribution");
}

/* The parser never builds these; a tool that does must not get past the checker. */
static void shapes_the_parser_refuses_are_refused_here_too(void **state) {
  (void)state;
  struct lang lang;
  struct ast_module *m = load(&lang, program);
  struct ast_decl *at = decl(m, DECL_AUTOMATON, "at");
  at->as.automaton.states[2].d = at->as.automaton.states[0].d;
  struct ast_stmt *sample =
      decl(m, DECL_MECHANISM, "sum")->as.mechanism.routine->body.stmts[2]->as.range.body.stmts[0];
  sample->as.sample.dist.kind = DIST_UNIFORM_SET;
  sample->as.sample.dist.count = 0;
  decl(m, DECL_LET, "half")->as.let.body->as.binary.right->kind = EXPR_HOLE;
  assert_int_equal(lang.diags.errors, 0);
  assert_false(check_module(&lang, m));
  const char *codes[] = {"misplaced-hole", "empty-set", "automaton-noise-on-final"};
  assert_int_equal(lang.diags.errors, 3);
  for (size_t i = 0; i < 3; i++)
    assert_string_equal(lang.diags.list.at[i].code, codes[i]);
  lang_clear(&lang);
}

/* Programs with one token changed: no crash, and what is accepted is completely filled in. */
static void mutilated_programs_are_survived(void **state) {
  (void)state;
  struct rng rng = rng_seeded(7);
  size_t length = strlen(program), accepted = 0, refused = 0;
  for (size_t round = 0; round < test_rounds(1500); round++) {
    char *text = xstrdup(program);
    for (int edits = rng_range(&rng, 1, 3); edits > 0; edits--) {
      size_t at = rng_below(&rng, length), from = rng_below(&rng, length);
      size_t n = rng_below(&rng, 6);
      for (size_t i = 0; i < n && at + i < length && from + i < length; i++)
        text[at + i] = rng_chance(&rng, 1, 8) ? ' ' : program[from + i];
    }
    struct lang lang;
    struct ast_module *m = load(&lang, text);
    if (lang.diags.errors) {
      refused++;
    } else {
      accepted++;
      walk_module(m);
    }
    lang_clear(&lang);
    free(text);
  }
  assert_true(accepted > 0 && refused > 0);
}

/* ---- size -------------------------------------------------------------------------------------
 */

static double seconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static double time_to_load(const char *text, size_t *errors) {
  struct lang lang;
  double before = seconds();
  load(&lang, text);
  double taken = seconds() - before;
  if (lang.diags.errors > *errors) show_diags(&lang, NULL);
  *errors = lang.diags.errors;
  lang_clear(&lang);
  return taken;
}

static void many_declarations(struct buffer *b, int count) {
  buffer_puts(b, "param p0 : real; type T0; let l0 = p0;\n");
  for (int i = 1; i <= count; i++)
    buffer_printf(b,
                  "param p%d : real, p%d > p%d; type T%d; let l%d = l%d + p%d;\n"
                  "mechanism m%d(private x : real, t : T%d) returns real adjacent within(x, 1) {\n"
                  "  y%d <$ Lap(x + l%d, p%d);\n  return y%d;\n}\nclaim private m%d epsilon 1;\n",
                  i, i, i - 1, i, i, i - 1, i, i, i, i, i, i, i, i);
}

/* Ten times the text may take at most about ten times as long; a quadratic step would take 100. */
static void time_is_linear_in_the_number_of_declarations(void **state) {
  (void)state;
  struct buffer b;
  size_t errors = 0;
  buffer_init(&b);
  many_declarations(&b, 2000);
  double small = time_to_load(buffer_text(&b), &errors);
  assert_int_equal(errors, 0);
  b.len = 0;
  many_declarations(&b, 20000);
  double large = time_to_load(buffer_text(&b), &errors);
  assert_int_equal(errors, 0);
  assert_true(large < 40 * small + 0.5);
  buffer_clear(&b);
}

static void time_is_linear_in_the_length_of_a_routine(void **state) {
  (void)state;
  struct buffer b;
  double taken[2];
  size_t errors = 0;
  for (int k = 0; k < 2; k++) {
    int count = k ? 20000 : 2000;
    buffer_init(&b);
    buffer_puts(&b,
                "mechanism m(private x : real, n : int) returns real adjacent within(x, 1) {\n");
    for (int i = 0; i < count; i++)
      buffer_printf(&b,
                    "v%d := n;\nif n > %d { w%d := v%d; } else { w%d := x; }\n"
                    "for i%d in 0..n { v%d := w%d; }\n",
                    i, i, i, i, i, i, i, i);
    buffer_puts(&b, "y <$ Lap(x, 1);\nreturn y;\n}\n");
    taken[k] = time_to_load(buffer_text(&b), &errors);
    assert_int_equal(errors, 0);
    buffer_clear(&b);
  }
  assert_true(taken[1] < 40 * taken[0] + 0.5);
}

/* Each loop makes its own variable public again before the next one inside makes it private: an
 * analysis that starts every inner loop afresh takes 2 to the depth passes. */
static void nested_loops_do_not_multiply_passes(void **state) {
  (void)state;
  struct buffer b;
  size_t errors = 0;
  buffer_init(&b);
  buffer_puts(&b, "mechanism m(private x : real, n : int) returns real adjacent within(x, 1) {\n"
                  "w := 0.5;\n");
  for (int i = 0; i < 100; i++)
    buffer_printf(&b, "v%d := n + 0.5;\nfor i%d in 0..n {\nv%d := v%d;\n", i, i, i, i ? i - 1 : 0);
  buffer_puts(&b, "w := x;\n");
  for (int i = 99; i >= 0; i--)
    buffer_printf(&b, "v%d := v%d + w;\n}\n", i ? i - 1 : 0, i);
  buffer_puts(&b, "y <$ Lap(x, 1);\nreturn y;\n}\n");
  double taken = time_to_load(buffer_text(&b), &errors);
  assert_int_equal(errors, 0);
  assert_true(taken < 2);
  buffer_clear(&b);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(everything_is_filled_in),
      cmocka_unit_test(types_of_variables_are_the_join_of_their_assignments),
      cmocka_unit_test(oracles_share_the_frame_of_their_mechanism),
      cmocka_unit_test(claims_without_a_name_are_called_after_their_subject),
      cmocka_unit_test(values_from_outside_are_checked_against_a_type),
      cmocka_unit_test(one_mistake_is_one_error),
      cmocka_unit_test(a_lost_declaration_is_not_missed),
      cmocka_unit_test(shapes_the_parser_refuses_are_refused_here_too),
      cmocka_unit_test(mutilated_programs_are_survived),
      cmocka_unit_test(time_is_linear_in_the_number_of_declarations),
      cmocka_unit_test(time_is_linear_in_the_length_of_a_routine),
      cmocka_unit_test(nested_loops_do_not_multiply_passes),
  };
  return cmocka_run_group_tests_name("check", tests, NULL, NULL);
}
