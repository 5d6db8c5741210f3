#include "testlib.h"

#include <string.h>

#include "ast_dump.h"
#include "base/limits.h"
#include "lang/syntax/parse.h"
#include "span_check.h"

/* ---- helpers -------------------------------------------------------------------------------- */

static struct ast_unit *parse(struct lang *lang, const char *text, size_t length) {
  lang_init(lang);
  return parse_unit(lang, sources_add(&lang->sources, "t.dp", text, length));
}

/* "line:column code" of every error, in order, separated by "; ". */
static void list_errors(struct buffer *out, struct lang *lang) {
  for (size_t i = 0; i < lang->diags.list.len; i++) {
    const struct diag *d = &lang->diags.list.at[i];
    struct place at = sources_place(&lang->sources, d->span.file, d->span.begin);
    buffer_printf(out, "%s%u:%u %s", i > 0 ? "; " : "", at.line, at.column, d->code);
  }
}

static void check_expr(const char *text, const char *expected) {
  struct lang lang;
  lang_init(&lang);
  struct buffer out;
  buffer_init(&out);
  uint32_t file = sources_add(&lang.sources, "e", text, strlen(text));
  dump_expr(&out, parse_expression(&lang, file));
  assert_string_equal(buffer_text(&out), expected);
  assert_int_equal(lang.diags.errors, 0);
  buffer_clear(&out);
  lang_clear(&lang);
}

static void check_unit(const char *text, const char *expected) {
  struct lang lang;
  struct buffer out;
  buffer_init(&out);
  struct ast_unit *unit = parse(&lang, text, strlen(text));
  list_errors(&out, &lang);
  assert_string_equal(buffer_text(&out), "");
  dump_unit(&out, unit);
  assert_string_equal(buffer_text(&out), expected);
  assert_true(check_spans(&lang, unit) > unit->count);
  buffer_clear(&out);
  lang_clear(&lang);
}

/* The statements of a body. */
static void check_body(const char *text, const char *expected) {
  char *all = xasprintf("procedure f() { %s }", text);
  char *tree = xasprintf("(procedure f {%s})\n", expected);
  check_unit(all, tree);
  free(all);
  free(tree);
}

static void check_errors(const char *text, const char *expected) {
  struct lang lang;
  struct buffer out;
  buffer_init(&out);
  parse(&lang, text, strlen(text));
  list_errors(&out, &lang);
  assert_string_equal(buffer_text(&out), expected);
  buffer_clear(&out);
  lang_clear(&lang);
}

/* ---- expressions ---------------------------------------------------------------------------- */

static void test_precedence(void **state) {
  (void)state;
  /* every pair of neighbouring levels, weaker operator on either side */
  check_expr("a <-> b -> c", "(<-> a (-> b c))");
  check_expr("a -> b <-> c", "(<-> (-> a b) c)");
  check_expr("a -> b or c", "(-> a (or b c))");
  check_expr("a or b -> c", "(-> (or a b) c)");
  check_expr("a or b and c", "(or a (and b c))");
  check_expr("a and b or c", "(or (and a b) c)");
  check_expr("a and not b", "(and a (not b))");
  check_expr("not a and b", "(and (not a) b)");
  check_expr("not a = b", "(not (= a b))");
  check_expr("a < b ++ c", "(< a (++ b c))");
  check_expr("a ++ b = c", "(= (++ a b) c)");
  check_expr("a ++ b :: c", "(++ a (:: b c))");
  check_expr("a :: b ++ c", "(++ (:: a b) c)");
  check_expr("a :: b + c", "(:: a (+ b c))");
  check_expr("a + b :: c", "(:: (+ a b) c)");
  check_expr("a + b * c", "(+ a (* b c))");
  check_expr("a * b + c", "(+ (* a b) c)");
  check_expr("-a * b", "(* (neg a) b)");
  check_expr("a * -b", "(* a (neg b))");
  check_expr("-a ^ b", "(neg (^ a b))");
  check_expr("a ^ -b", "(^ a (neg b))");
  check_expr("a ^ b * c", "(* (^ a b) c)");
  check_expr("a * b ^ c", "(* a (^ b c))");
  check_expr("a[i] ^ b", "(^ ([] a i) b)");
  check_expr("-a[i].1", "(neg (. ([] a i) 1))");
}

static void test_associativity(void **state) {
  (void)state;
  check_expr("a - b - c", "(- (- a b) c)");
  check_expr("a - b + c - d", "(- (+ (- a b) c) d)");
  check_expr("a / b / c", "(/ (/ a b) c)");
  check_expr("a * b / c div d mod e", "(mod (div (/ (* a b) c) d) e)");
  check_expr("a ^ b ^ c", "(^ a (^ b c))");
  check_expr("a :: b :: c", "(:: a (:: b c))");
  check_expr("a ++ b ++ c", "(++ (++ a b) c)");
  check_expr("a -> b -> c", "(-> a (-> b c))");
  check_expr("a <-> b <-> c", "(<-> (<-> a b) c)");
  check_expr("a or b or c", "(or (or a b) c)");
  check_expr("a and b and c", "(and (and a b) c)");
  check_expr("not not a", "(not (not a))");
  check_expr("- - a", "(neg (neg a))");
  check_expr("(a - (b - c))", "(- a (- b c))");
}

static void test_comparison_chains(void **state) {
  (void)state;
  check_expr("a <= b < c", "(chain a <= b < c)");
  check_expr("a > b >= c = d", "(chain a > b >= c = d)");
  check_expr("a = b != c", "(chain a = b != c)");
  check_expr("a < b and c > d", "(and (< a b) (> c d))");
  check_expr("(a < b) = c", "(= (< a b) c)");
  check_errors("let x = a < b > c;", "1:15 mixed-comparison");
  check_errors("let x = a >= b = c <= d > e;", "1:20 mixed-comparison"); /* said once */
}

static void test_primaries_and_postfix(void **state) {
  (void)state;
  check_expr("f()", "(call f)");
  check_expr("f (a, b + 1)", "(call f a (+ b 1))");
  check_expr("[]", "(list)");
  check_expr("[a, [b]]", "(list a (list b))");
  check_expr("(a, b, c)", "(tuple a b c)");
  check_expr("((a))", "a");
  check_expr("t.1.2", "(. (. t 1) 2)");
  check_expr("q<1>[i] - q[i]<2>", "(- ([] (tag 1 q) i) (tag 2 ([] q i)))");
  check_expr("f(x)<2>.1[0][1]", "([] ([] (. (tag 2 (call f x)) 1) 0) 1)");
  check_expr("true and false", "(and true false)");
  check_expr("x < 1", "(< x 1)");
  check_expr("x <-1", "(< x (neg 1))");
  check_expr("real(x) + list", "(+ (call real x) list)"); /* words of types are names here */
}

static void test_conditionals_and_quantifiers(void **state) {
  (void)state;
  check_expr("if a then b else c + 1", "(if a b (+ c 1))");
  check_expr("if a then if b then c else d else e", "(if a (if b c d) e)");
  check_expr("if a then b else if c then d else e", "(if a b (if c d e))");
  check_expr("forall x : int. x = x and a", "(forall (bound x int) (and (= x x) a))");
  check_expr("exists x, y : real[n], i in 0..n+1, b : bool. P(x)",
             "(exists (bound x (array real n)) (bound y (array real n)) (in i 0 (+ n 1)) "
             "(bound b bool) (call P x))");
  check_expr("forall i in 0..n. 0 <= q[i]", "(forall (in i 0 n) (<= 0 ([] q i)))");
  check_expr("forall i in 0..t.1. a", "(forall (in i 0 (. t 1)) a)");
  check_expr("forall x : T. exists y : T. x = y",
             "(forall (bound x T) (exists (bound y T) (= x y)))");
  check_expr("(forall x : T. x) -> a", "(-> (forall (bound x T) x) a)");
}

static void test_literals_are_exact(void **state) {
  (void)state;
  check_expr("0", "0");
  check_expr("007", "7");
  check_expr("0.25", "1/4r");
  check_expr("1e-6", "1/1000000r");
  check_expr("1.50E+2", "150r");
  check_expr("2e0", "2r");
  check_expr("0.1", "1/10r");
  check_expr("340282366920938463463374607431768211457", "340282366920938463463374607431768211457");
  check_expr("0.000", "0r");
  check_expr("12.5e-1", "5/4r");
}

static void test_unicode_is_the_same_tree(void **state) {
  (void)state;
  check_expr("∀ i ∈ 0..n. ε ≤ q[i] ∧ ¬(x ≠ y) ∨ a × b ≥ 1 → p ↔ r",
             "(forall (in i 0 n) (<-> (-> (or (and (<= eps ([] q i)) (not (!= x y))) "
             "(>= (* a b) 1)) p) r))");
}

static void check_text(const char *all, struct span span, const char *expected) {
  assert_int_equal(span.end - span.begin, strlen(expected));
  assert_memory_equal(all + span.begin, expected, strlen(expected));
}

/* Containment is checked everywhere by check_spans; here are exact ends. */
static void test_spans_are_exact(void **state) {
  (void)state;
  static const char text[] = "let x = ( a+b ) * f ( c , - d )[ i ].1<2> ;";
  struct lang lang;
  struct ast_unit *unit = parse(&lang, text, strlen(text));
  struct ast_decl *d = unit->decls[0];
  check_text(text, d->span, text);
  check_text(text, d->name.span, "x");
  struct ast_expr *product = d->as.let.body;
  check_text(text, product->span, "( a+b ) * f ( c , - d )[ i ].1<2>");
  check_text(text, product->as.binary.left->span, "( a+b )");
  check_text(text, product->as.binary.left->as.binary.right->span, "b");
  struct ast_expr *tag = product->as.binary.right;
  check_text(text, tag->span, "f ( c , - d )[ i ].1<2>");
  struct ast_expr *proj = tag->as.tag.operand;
  check_text(text, proj->span, "f ( c , - d )[ i ].1");
  struct ast_expr *index = proj->as.proj.base;
  check_text(text, index->span, "f ( c , - d )[ i ]");
  check_text(text, index->as.index.base->span, "f ( c , - d )");
  check_text(text, index->as.index.base->as.call.args[1]->span, "- d");
  lang_clear(&lang);

  static const char body[] =
      "procedure f ( x : real ) { if a { skip ; } else if b { } else { } x <$ "
      "Lap ( 0 , 1 ) ; return }";
  unit = parse(&lang, body, strlen(body)); /* with a missing `;` */
  assert_int_equal(lang.diags.errors, 1);
  struct ast_routine *r = unit->decls[0]->as.procedure;
  check_text(body, r->span, body);
  check_text(body, r->args[0]->name.span, "x");
  check_text(body, r->args[0]->declared->span, "real");
  struct ast_stmt *branch = r->body.stmts[0];
  check_text(body, branch->span, "if a { skip ; } else if b { } else { }");
  check_text(body, branch->as.branch.then.span, "{ skip ; }");
  check_text(body, branch->as.branch.then.stmts[0]->span, "skip ;");
  check_text(body, branch->as.branch.otherwise.span, "if b { } else { }");
  check_text(body, branch->as.branch.otherwise.stmts[0]->span, "if b { } else { }");
  check_text(body, r->body.stmts[1]->span, "x <$ Lap ( 0 , 1 ) ;");
  check_text(body, r->body.stmts[1]->as.sample.dist.span, "Lap ( 0 , 1 )");
  check_text(body, r->body.stmts[2]->span, "return");
  lang_clear(&lang);
}

/* ---- statements and declarations ------------------------------------------------------------ */

static void test_statements(void **state) {
  (void)state;
  check_body("skip; var x : real; var y : int := 3;",
             "skip (var (local x real)) (var (local y int) 3)");
  check_body("x := a + 1; a[i] := b; (x, a[0]) := f(y);",
             "(:= x (+ a 1)) (:= ([] a i) b) (:= x ([] a 0) (call f y))");
  check_body("x <$ Lap(q, 2/eps); a[i] <$ Uniform{1, 2}; u <$ Uniform(0, 1);",
             "(<$ x (Lap q (/ 2 eps))) (<$ ([] a i) (Uniform{} 1 2)) (<$ u (Uniform 0 1))");
  check_body("f(); g(x, y);", "(call f) (call g x y)");
  check_body("emit x; return; return x;", "(emit x) (return) (return x)");
  check_body("if a { skip; } else if b { } else if c { skip; } else { f(); }",
             "(if a {skip} else {(if b {} else {(if c {skip} else {(call f)})})})");
  check_body("while a > 0 { a := a - 1; } for i in 0..n-1 { emit i; }",
             "(while (> a 0) {(:= a (- a 1))}) (for i 0 (- n 1) {(emit i)})");
  check_body("state := input; delta[0] := private; d <$ Bernoulli(mean);",
             "(:= state input) (:= ([] delta 0) private) (<$ d (Bernoulli mean))");
}

static void test_declarations(void **state) {
  (void)state;
  check_unit("include \"a b.dp\";", "(include a b.dp)\n");
  check_unit("param a, b : real, a > 0, a < b;",
             "(param a real)\n(param b real (> a 0) (< a b))\n");
  check_unit("let c = 1; let f(x, y : real, n : int) : real = x;",
             "(let c _ 1)\n(let f (arg x real) (arg y real) (arg n int) real x)\n");
  check_unit("type Db; op zero : Db; op dist(a, b : Db) : real;",
             "(type Db)\n(op zero Db)\n(op dist (arg a Db) (arg b Db) real)\n");
  check_unit("axiom a: 1 = 1; lemma l: 2 = 2; lemma m: 3 = 3 proof { x }",
             "(axiom a (= 1 1))\n(lemma l (= 2 2))\n(lemma m (= 3 3) proof)\n");
  check_unit("adversary A(l : list(bool)) : Q uses O(q : Q) : bool at most 2*k uses P() at most 1;",
             "(adversary A (arg l (list bool)) Q (uses O (arg q Q) bool (* 2 k)) (uses P _ 1))\n");
  check_unit("procedure f(x : real) : real { return x; }",
             "(procedure f (arg x real) (returns real) {(return x)})\n");
}

static void test_mechanisms_and_claims(void **state) {
  (void)state;
  check_unit("mechanism m(private q, r : real[n], public T : real, private : int) emits bool "
             "returns (int, real) adjacent within(q, 1) requires T > 0 requires n >= 1 "
             "{ oracle O(x : Q) : bool { return x; } oracle P() { skip; } skip; }",
             "(mechanism m (adjacent (call within q 1)) (requires (> T 0)) (requires (>= n 1)) "
             "(private-input q (array real n)) (private-input r (array real n)) (input T real) "
             "(input private int) (emits bool) (returns (tuple int real)) "
             "(oracle O (arg x Q) (returns bool) {(return x)}) (oracle P {skip}) {skip})\n");
  check_unit(
      "claim private m epsilon ?; claim c: private m epsilon 2*eps delta delta under a = b; "
      "claim private: private private epsilon epsilon proof { { } }",
      "(claim m m (epsilon ?))\n(claim c m (epsilon (* 2 eps)) (delta delta) (under (= a b)))\n"
      "(claim private private (epsilon epsilon) proof)\n");
}

static void test_automata_and_instances(void **state) {
  (void)state;
  check_unit("automaton a { noise independent; var x, y; start start; state start noninput d 1/4 "
             "mean 0 prime d 1 mean 2; state q d 1; state r input d 2 prime d 3; state f final; "
             "start -> q output start assign x, y; q -> r when insample >= x output insample; "
             "state -> f when insample < x and insample < y output insample'; }",
             "(automaton a independent (vars x y) (start start) (state start noninput (d (/ 1 4)) "
             "(mean 0) (d' 1) (mean' 2)) (state q input (d 1)) (state r input (d 2) (d' 3)) "
             "(state f final) (start -> q symbol:start x:= y:=) "
             "(q -> r (when (>= insample x)) insample:insample) "
             "(state -> f (when (and (< insample x) (< insample y))) insample':insample'))\n");
  check_unit("instance i { param eps = 1/2; input q = [1, 2]; type Db = list(int)[]; "
             "op dist(a, b) = a - b; op zero = 0; adversary A(l) { state n : int := 0; "
             "state k : bool := true; n := n + 1; return n; } adversary B() { state := 1; } }",
             "(instance i (param eps (/ 1 2)) (input q (list 1 2)) (type Db (array (list int))) "
             "(op dist (arg a _) (arg b _) (- a b)) (op zero 0) (adversary A (arg l _) "
             "{(var (state n int) 0) (var (state k bool) true) (:= n (+ n 1)) (return n)}) "
             "(adversary B {(:= state 1)}))\n");
}

static void test_types(void **state) {
  (void)state;
  check_unit("param a : real[n][m];", "(param a (array (array real m) n))\n");
  check_unit("param a : list((bool, T))[];", "(param a (array (list (tuple bool T))))\n");
  check_unit("param a : list;", "(param a list)\n"); /* without `(` it is a name */
}

/* ---- comments ------------------------------------------------------------------------------- */

static void test_doc_comments(void **state) {
  (void)state;
  static const char text[] = "/// One\n///   two  \n///\n/// three\nlet a = 1;\n"
                             "// plain\nlet b = 2; /// of c\n//// ruler\nlet c = /// inside\n 3;\n"
                             "let d = 4;\n/// last";
  struct lang lang;
  struct ast_unit *unit = parse(&lang, text, strlen(text));
  assert_int_equal(unit->count, 4);
  assert_string_equal(unit->decls[0]->doc, "One\n  two\n\nthree");
  assert_null(unit->decls[1]->doc);
  assert_string_equal(unit->decls[2]->doc, "of c");
  assert_null(unit->decls[3]->doc);
  assert_int_equal(unit->comment_count, 9);
  for (size_t i = 1; i < unit->comment_count; i++)
    assert_true(unit->comments[i - 1].span.end <= unit->comments[i].span.begin);
  lang_clear(&lang);
}

static void test_proof_is_a_span(void **state) {
  (void)state;
  static const char text[] = "claim private m epsilon 1 proof { \"}\" { // }\n @ ε } /* } */ } "
                             "let x = 1;";
  struct lang lang;
  struct ast_unit *unit = parse(&lang, text, strlen(text));
  assert_int_equal(lang.diags.errors, 0);
  assert_int_equal(unit->count, 2);
  struct span proof = unit->decls[0]->as.claim.proof;
  assert_int_equal(proof.begin, strchr(text, '{') - text);
  assert_int_equal(proof.end, strstr(text, " let") - text);
  assert_int_equal(unit->decls[0]->span.end, proof.end);
  assert_int_equal(unit->comment_count, 0);
  lang_clear(&lang);
}

/* ---- errors --------------------------------------------------------------------------------- */

static void test_one_mistake_is_one_error(void **state) {
  (void)state;
  check_errors("let x = 1\nlet y = 2;", "1:10 missing-semicolon");
  check_errors("procedure f() { x := 1 y := 2; }", "1:24 missing-semicolon");
  check_errors("procedure f() { x := 1\n y := 2\n return x }",
               "1:23 missing-semicolon; 2:8 missing-semicolon; 3:10 missing-semicolon");
  check_errors("let x = (1 + ;\nlet y = 2;", "1:14 expected-expression");
  check_errors("let x = f(1, [2, 3;\nlet y = 2;", "1:19 unclosed-bracket");
  check_errors("procedure f() { if x > { y := 1; } else { y := 2; } z := 3; }",
               "1:24 expected-expression");
  check_errors("procedure f() { while { x := ; } }", "1:23 expected-expression; "
                                                     "1:30 expected-expression");
  check_errors("procedure f() { x := a @ b; y := 1; }", "1:24 unknown-character");
  check_errors("procedure f( { x := ; }", "1:14 expected-name; 1:21 expected-expression");
  check_errors("procedure f() { return 1; ", "1:27 unclosed-block");
  check_errors("procedure f() { x := (1", "1:24 unclosed-bracket");
  check_errors("}\n;\n)\nlet x = 1;", "1:1 unmatched-brace; 2:1 extra-semicolon; "
                                      "3:1 expected-declaration");
}

static void test_recovery_keeps_the_rest(void **state) {
  (void)state;
  static const char text[] = "let a = ;\nlet b = 2;\nmechanism m(q : real) returns real {\n"
                             "  x := ;\n  y <$ Lap(q 1);\n  return y;\n}\nparam : int;\nlet c = 3;";
  struct lang lang;
  struct buffer out;
  buffer_init(&out);
  struct ast_unit *unit = parse(&lang, text, strlen(text));
  list_errors(&out, &lang);
  assert_string_equal(buffer_text(&out), "1:9 expected-expression; 4:8 expected-expression; "
                                         "5:14 unclosed-bracket; 8:7 expected-name");
  buffer_clear(&out);
  dump_unit(&out, unit);
  assert_string_equal(buffer_text(&out),
                      "ERROR\n(let b _ 2)\n(mechanism m (input q real) (returns real) "
                      "{ERROR ERROR (return y)})\nERROR\n(let c _ 3)\n");
  buffer_clear(&out);
  lang_clear(&lang);
}

/* Where an error points: the whole token, or just behind what came before a missing `;`. */
static void test_error_ranges_and_notes(void **state) {
  (void)state;
  static const char text[] = "procedure f() {\n  abc := (1 + 2 wrong;\n  x := 1\n}";
  struct lang lang;
  parse(&lang, text, strlen(text));
  assert_int_equal(lang.diags.errors, 2);
  const struct diag *a = &lang.diags.list.at[0], *b = &lang.diags.list.at[1];
  assert_int_equal(a->span.begin, strstr(text, "wrong") - text);
  assert_int_equal(a->span.end - a->span.begin, 5);
  assert_int_equal(a->notes.len, 1);
  assert_int_equal(a->notes.at[0].span.begin, strstr(text, "(1") - text);
  assert_int_equal(b->span.begin, strstr(text, "\n}") - text);
  assert_int_equal(b->span.end, b->span.begin);
  assert_non_null(b->hint);
  lang_clear(&lang);
}

/* Every prefix of a file, and every file with one token removed or doubled, is answered. */
static void test_truncated_and_mutilated(void **state) {
  (void)state;
  static const char text[] =
      "/// doc\nparam eps : real, eps > 0;\nlemma l: forall i in 0..3. i < 4 proof { a }\n"
      "mechanism m(private q : real[n]) returns int adjacent all_within(q, 1) {\n"
      "  oracle O() : bool { return true; }\n  t <$ Lap(0, 2/eps);\n"
      "  for i in 0..n { if q[i] + t.1 >= 1e-3 { return i; } else if a { skip; } else { } }\n"
      "  (x, y) := f([1, 2], -3 ^ 2);\n  return if t then 1 else 0;\n}\n"
      "automaton a { var x; start q; state q d 1; q -> q when insample < x output b assign x; }\n"
      "instance i { param eps = 1; op f(a) = a; adversary A(x) { state n : int := 0; } }\n"
      "claim private m epsilon ?;\n";
  size_t length = strlen(text);
  for (size_t n = 0; n <= length; n++) {
    struct lang lang;
    struct ast_unit *unit = parse(&lang, text, n);
    assert_true(unit->count <= 6);
    lang_clear(&lang);
  }
  for (size_t i = 0; i < length; i++) {
    char *copy = xstrdup(text);
    memmove(copy + i, copy + i + 1, length - i);
    struct lang lang;
    parse(&lang, copy, length - 1);
    assert_true(lang.diags.errors <= 8); /* one character lost: no avalanche */
    lang_clear(&lang);
    free(copy);
  }
}

/* ---- limits --------------------------------------------------------------------------------- */

static char *repeated(const char *before, const char *piece, size_t count, const char *after) {
  struct buffer b;
  buffer_init(&b);
  buffer_puts(&b, before);
  for (size_t i = 0; i < count; i++)
    buffer_puts(&b, piece);
  buffer_puts(&b, after);
  return buffer_take(&b);
}

static size_t count_errors(char *text, const char *code) {
  struct lang lang;
  parse(&lang, text, strlen(text));
  size_t errors = lang.diags.errors;
  if (errors > 0) assert_string_equal(lang.diags.list.at[0].code, code);
  lang_clear(&lang);
  free(text);
  return errors;
}

static void test_nesting_limit(void **state) {
  (void)state;
  static const struct {
    const char *before, *open, *middle, *close, *after;
  } nests[] = {{"let x = ", "(", "1", ")", ";"},
               {"let x = ", "[", "1", "]", ";"},
               {"let x = ", "f(", "1", ")", ";"},
               {"let x = ", "a[", "1", "]", ";"},
               {"let x = ", "-", "1", "", ";"},
               {"let x = ", "not ", "a", "", ";"},
               {"let x = ", "a :: ", "a", "", ";"},
               {"let x = ", "a -> ", "a", "", ";"},
               {"let x = ", "a ^ ", "a", "", ";"},
               {"let x = ", "if a then b else ", "a", "", ";"},
               {"let x = ", "forall x : T. ", "a", "", ";"},
               {"param x : ", "list(", "int", ")", ";"},
               {"procedure f() { ", "if a { ", "", "}", "}"},
               {"procedure f() { ", "while a { ", "", "}", "}"},
               {"procedure f() { ", "for i in 0..1 { ", "", "}", "}"}};
  for (size_t i = 0; i < sizeof nests / sizeof *nests; i++) {
    static const size_t depths[] = {LIMIT_NESTING - 6, LIMIT_NESTING + 2, 100000};
    for (size_t j = 0; j < 3; j++) {
      char *head = repeated(nests[i].before, nests[i].open, depths[j], nests[i].middle);
      char *all = repeated(head, nests[i].close, depths[j], nests[i].after);
      free(head);
      assert_int_equal(count_errors(all, "nesting-too-deep"), j == 0 ? 0 : 1);
    }
  }
}

static void test_depth_limit(void **state) {
  (void)state;
  static const struct {
    const char *before, *piece, *after;
  } chains[] = {{"let x = a", " + a", ";"},   {"let x = a", " and a", ";"},
                {"let x = a", " <-> a", ";"}, {"let x = a", " ++ a", ";"},
                {"let x = a", "[0]", ";"},    {"let x = a", ".1", ";"},
                {"let x = a", " mod a", ";"}};
  for (size_t i = 0; i < sizeof chains / sizeof *chains; i++) {
    static const size_t lengths[] = {LIMIT_AST_DEPTH - 1, LIMIT_AST_DEPTH, 1000000};
    for (size_t j = 0; j < 3; j++) {
      char *all = repeated(chains[i].before, chains[i].piece, lengths[j], chains[i].after);
      assert_int_equal(count_errors(all, "expression-too-deep"), j == 0 ? 0 : 1);
    }
  }
  for (int over = 0; over < 2; over++) {
    size_t n = over ? 100000 : LIMIT_AST_DEPTH - 2;
    char *all = repeated("procedure f() { if a { }", " else if a { }", n, " else { } }");
    assert_int_equal(count_errors(all, "nesting-too-deep"), over);
  }
  /* wide is not deep */
  assert_int_equal(count_errors(repeated("let x = a", " < a", 100000, ";"), ""), 0);
  assert_int_equal(count_errors(repeated("let x = [a", ", a", 100000, "];"), ""), 0);
  assert_int_equal(count_errors(repeated("procedure f() {", "skip;", 100000, "}"), ""), 0);
}

static void test_count_limits(void **state) {
  (void)state;
  assert_int_equal(count_errors(repeated("let x = f(a", ", a", LIMIT_ARGUMENTS - 1, ");"), ""), 0);
  assert_int_equal(
      count_errors(repeated("let x = f(a", ", a", LIMIT_ARGUMENTS, ");"), "too-many-items"), 1);
  assert_int_equal(count_errors(repeated("let x = (a", ", a", LIMIT_TUPLE - 1, ");"), ""), 0);
  assert_int_equal(count_errors(repeated("let x = (a", ", a", LIMIT_TUPLE, ");"), "too-many-items"),
                   1);
  assert_int_equal(
      count_errors(repeated("param x : (int", ", int", LIMIT_TUPLE, ");"), "too-many-items"), 1);
  assert_int_equal(
      count_errors(repeated("op f(a", ", a", LIMIT_ARGUMENTS, " : T) : T;"), "too-many-items"), 1);
  assert_int_equal(count_errors(repeated("procedure f() { (a", ", a", LIMIT_TUPLE, ") := b; }"),
                                "too-many-items"),
                   1);
}

static void test_expression_alone(void **state) {
  (void)state;
  static const struct {
    const char *text, *code;
  } bad[] = {{"", "expected-expression"},
             {"1 2", "expected-token"},
             {"1;", "expected-token"},
             {"(1", "unclosed-bracket"}};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    struct lang lang;
    lang_init(&lang);
    uint32_t file = sources_add(&lang.sources, "e", bad[i].text, strlen(bad[i].text));
    struct ast_expr *e = parse_expression(&lang, file);
    assert_non_null(e);
    assert_int_equal(lang.diags.errors, 1);
    assert_string_equal(lang.diags.list.at[0].code, bad[i].code);
    lang_clear(&lang);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_precedence),
      cmocka_unit_test(test_associativity),
      cmocka_unit_test(test_comparison_chains),
      cmocka_unit_test(test_primaries_and_postfix),
      cmocka_unit_test(test_conditionals_and_quantifiers),
      cmocka_unit_test(test_literals_are_exact),
      cmocka_unit_test(test_unicode_is_the_same_tree),
      cmocka_unit_test(test_spans_are_exact),
      cmocka_unit_test(test_statements),
      cmocka_unit_test(test_declarations),
      cmocka_unit_test(test_mechanisms_and_claims),
      cmocka_unit_test(test_automata_and_instances),
      cmocka_unit_test(test_types),
      cmocka_unit_test(test_doc_comments),
      cmocka_unit_test(test_proof_is_a_span),
      cmocka_unit_test(test_one_mistake_is_one_error),
      cmocka_unit_test(test_recovery_keeps_the_rest),
      cmocka_unit_test(test_error_ranges_and_notes),
      cmocka_unit_test(test_truncated_and_mutilated),
      cmocka_unit_test(test_nesting_limit),
      cmocka_unit_test(test_depth_limit),
      cmocka_unit_test(test_count_limits),
      cmocka_unit_test(test_expression_alone),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
