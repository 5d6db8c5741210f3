#include <string.h>

#include "gen_program.h"
#include "lang/format/ast_equal.h"
#include "lang/format/print.h"
#include "lang/syntax/parse.h"
#include "source_text.h"

static struct ast_expr *parse(struct lang *lang, const char *text) {
  return parse_expression(lang, sources_add(&lang->sources, "test", text, strlen(text)));
}

/* What is written, and how it is printed. NULL: just so. */
static const struct {
  const char *text, *printed;
} cases[] = {
    {"a + (b + c)", NULL},
    {"(a + b) - c", "a + b - c"},
    {"a - (b - c)", NULL},
    {"a * (b / c)", "a*(b/c)"},
    {"((a / b)) * c", "a/b*c"},
    {"(a + b) * c", "(a + b)*c"},
    {"a div b * c", "a div b * c"},
    {"a*-b", "a * -b"},
    {"-(a * b)", "-(a*b)"},
    {"(-a) * b", "-a * b"},
    {"--a", NULL},
    {"a - -b", NULL},
    {"(-a)^2", NULL},
    {"-(a^2)", "-a^2"},
    {"a^(b^c)", "a^b^c"},
    {"(a^b)^c", NULL},
    {"a^(-b)", "a^-b"},
    {"a^(b*c)", NULL},
    {"x :: (y :: l)", "x :: y :: l"},
    {"(x :: y) :: l", NULL},
    {"(l ++ m) ++ x :: n", "l ++ m ++ x :: n"},
    {"l ++ (m ++ n)", NULL},
    {"(a -> b) -> c", NULL},
    {"a -> (b -> c)", "a -> b -> c"},
    {"a <-> (b <-> c)", NULL},
    {"(a <-> b) <-> c", "a <-> b <-> c"},
    {"(a or b) and c", NULL},
    {"a or (b and c)", "a or b and c"},
    {"not (a and b)", NULL},
    {"(not a) and b", "not a and b"},
    {"not (a = b)", "not a = b"},
    {"(not a) = b", NULL},
    {"not not a", NULL},
    {"a <= b < c = d", NULL},
    {"(a < b) = c", NULL},
    {"a < (b < c)", NULL},
    {"a < b and b < c", NULL},
    {"1 < x + 1", NULL},
    {"(x < 1) = y", NULL},
    {"x<1> + k = y<2>", NULL},
    {"q[i]<1>", NULL},
    {"q<1>[i]", NULL},
    {"(a + b)<2>", NULL},
    {"f(x)<1>", NULL},
    {"(t.1)<1>", "t.1<1>"},
    {"(x<1>)<2>", "x<1><2>"},
    {"(t.1).2", "t.1.2"},
    {"(true).1", NULL},
    {"(3).1", NULL},
    {"(3)<1>", NULL},
    {"x<1>.2", NULL},
    {"q[i].1", NULL},
    {"(1, 2).1", NULL},
    {"a[i + 1][j]", NULL},
    {"[a, b][0]", NULL},
    {"(if a then b else c) + 1", NULL},
    {"if a then b else (c + 1)", "if a then b else c + 1"},
    {"if (if a then b else c) then d else e", "if if a then b else c then d else e"},
    {"a and (forall i : int. b)", NULL},
    {"(forall i : int. a) and b", NULL},
    {"forall i : int. (a and b)", "forall i : int. a and b"},
    {"forall i, j : int, k in 0..n + 1. 0 <= q[i]", NULL},
    {"exists x : real[n][m]. exists y : list((int, bool)). true", NULL},
    {"forall i in 0..n. 0 <= 1", NULL},
    {"f()", NULL},
    {"f(a, (b, c))", NULL},
    {"[]", NULL},
    {"ln(1 / delta) / eps + 1", "ln(1/delta)/eps + 1"},
    {"0.250 + 1e-6", NULL},
    {"\xCE\xB5 \xE2\x89\xA4 1 \xE2\x88\xA7 \xC2\xAC x", "eps <= 1 and not x"},
};

static void known_expressions(void **state) {
  (void)state;
  struct lang lang;
  lang_init(&lang);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct ast_expr *e = parse(&lang, cases[i].text);
    expect_no_errors(&lang, cases[i].text);
    struct buffer b;
    buffer_init(&b);
    print_expr(&b, e);
    assert_string_equal(buffer_text(&b), cases[i].printed ? cases[i].printed : cases[i].text);
    assert_true(ast_equal_expr(e, parse(&lang, buffer_text(&b))));
    buffer_clear(&b);
  }
  lang_clear(&lang);
}

/* Literals that nobody wrote print as operator expressions, in parentheses where those need them.
 */
static void numbers_without_text(void **state) {
  (void)state;
  struct lang lang;
  lang_init(&lang);
  static const struct {
    long top;
    unsigned long bottom;
    const char *sum, *power, *index;
  } table[] = {{3, 1, "1 + 3", "3^2", "a[3]"},
               {-3, 1, "1 + -3", "(-3)^2", "a[-3]"},
               {-1, 2, "1 + -1/2", "(-1/2)^2", "a[-1/2]"}};
  for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
    struct ast_expr *n = gen_number(&lang, "0");
    n->as.number.text = NULL;
    fmpq_set_si(n->as.number.value, table[i].top, table[i].bottom);
    struct ast_expr index = {.kind = EXPR_INDEX, .as.index = {gen_name(&lang, "a"), n}};
    const struct ast_expr *all[] = {gen_binary(&lang, BINARY_ADD, gen_number(&lang, "1"), n),
                                    gen_binary(&lang, BINARY_POW, n, gen_number(&lang, "2")),
                                    &index};
    const char *expected[] = {table[i].sum, table[i].power, table[i].index};
    for (size_t k = 0; k < 3; k++) {
      struct buffer b;
      buffer_init(&b);
      print_expr(&b, all[k]);
      assert_string_equal(buffer_text(&b), expected[k]);
      buffer_clear(&b);
    }
  }
  lang_clear(&lang);
}

/* parse(print(e)) = e */
static void random_expressions_survive(void **state) {
  (void)state;
  struct rng rng = rng_seeded(1);
  for (size_t round = 0, rounds = test_rounds(20000); round < rounds; round++) {
    struct lang lang;
    lang_init(&lang);
    struct ast_expr *e = gen_expr(&lang, &rng, 1 + (unsigned)(round % 6));
    struct buffer b;
    buffer_init(&b);
    print_expr(&b, e);
    struct ast_expr *again = parse(&lang, buffer_text(&b));
    bool same = lang.diags.errors == 0 && ast_equal_expr(e, again);
    if (!same) show_diags(&lang, buffer_text(&b));
    assert_true(same);
    buffer_clear(&b);
    lang_clear(&lang);
  }
}

/* No pair of parentheses can be left out. */
static void no_parentheses_too_many(void **state) {
  (void)state;
  struct rng rng = rng_seeded(2);
  for (size_t round = 0, rounds = test_rounds(3000); round < rounds; round++) {
    struct lang lang;
    lang_init(&lang);
    struct ast_expr *e = gen_expr(&lang, &rng, 4);
    struct buffer b;
    buffer_init(&b);
    print_expr(&b, e);
    char *text = buffer_take(&b);
    for (char *open = text; (open = strchr(open, '(')); open++) {
      int depth = 0;
      char *close = open;
      for (; depth += (*close == '(') - (*close == ')'), depth > 0; close++) {
      }
      lang.diags.errors = 0;
      char *less = xasprintf("%.*s%.*s%s", (int)(open - text), text, (int)(close - open - 1),
                             open + 1, close + 1);
      struct ast_expr *other = parse(&lang, less);
      if (lang.diags.errors == 0 && ast_equal_expr(e, other)) fail_msg("%s\n", text);
      free(less);
    }
    free(text);
    lang_clear(&lang);
  }
}

/* Statements, distributions, types and signatures as messages show them. */
static void statements_on_one_line(void **state) {
  (void)state;
  static const char *const text =
      "mechanism m(private q, r : real[n][m], T : real) emits (int, bool) returns list(int) {\n"
      "oracle o(x : Db) : int { return x; }\n"
      "skip; var v : int := 3; (a[1], b) := f(1); a[i] <$ Lap(q[i], 2/eps); x <$ Uniform{1, 2};\n"
      "f(x); if a = b { skip; } while true {} for i in 0..n {} emit (1, 2); return; }";
  static const char *const lines[] = {"skip;",
                                      "var v : int := 3;",
                                      "(a[1], b) := f(1);",
                                      "a[i] <$ Lap(q[i], 2/eps);",
                                      "x <$ Uniform{1, 2};",
                                      "f(x);",
                                      "if a = b { ... }",
                                      "while true { ... }",
                                      "for i in 0..n { ... }",
                                      "emit (1, 2);",
                                      "return;"};
  struct lang lang;
  lang_init(&lang);
  struct ast_unit *unit = parse_unit(&lang, sources_add(&lang.sources, "t", text, strlen(text)));
  assert_int_equal(lang.diags.errors, 0);
  const struct ast_decl *d = unit->decls[0];
  const struct ast_block *body = &d->as.mechanism.routine->body;
  assert_int_equal(body->count, sizeof lines / sizeof *lines);
  struct buffer b;
  buffer_init(&b);
  for (size_t i = 0; i < body->count; i++) {
    print_stmt(&b, body->stmts[i]);
    assert_string_equal(buffer_text(&b), lines[i]);
    buffer_clear(&b);
  }
  print_signature(&b, d);
  assert_string_equal(buffer_text(&b), "mechanism m(private q, r : real[n][m], T : real) emits "
                                       "(int, bool) returns list(int)");
  buffer_clear(&b);
  print_args(&b, d->as.mechanism.routine->args, 2);
  buffer_putc(&b, '|');
  print_type(&b, d->as.mechanism.routine->args[0]->declared);
  buffer_putc(&b, '|');
  print_target(&b, &body->stmts[3]->as.sample.target);
  buffer_putc(&b, '|');
  print_dist(&b, &body->stmts[3]->as.sample.dist);
  assert_string_equal(buffer_text(&b),
                      "private q, r : real[n][m]|real[n][m]|a[i]|Lap(q[i], 2/eps)");
  buffer_clear(&b);
  lang_clear(&lang);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(known_expressions),          cmocka_unit_test(numbers_without_text),
      cmocka_unit_test(random_expressions_survive), cmocka_unit_test(no_parentheses_too_many),
      cmocka_unit_test(statements_on_one_line),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
