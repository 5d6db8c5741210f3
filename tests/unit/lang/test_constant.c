#include <stdio.h>
#include <string.h>

#include "lang/check/constant.h"
#include "lang/syntax/lang.h"
#include "lang/syntax/parse.h"
#include "testlib.h"

/* The value of `let x = TEXT;`, or "none". The text may use lets above it. */
static char *value_of(const char *before, const char *text) {
  struct lang lang;
  lang_init(&lang);
  char *source = xasprintf("%s\nlet x = %s;\n", before, text);
  struct ast_module *m = lang_load_text(&lang, "t.dp", source, strlen(source));
  const struct ast_decl *d = m->decls[m->decl_count - 1];
  char *result = xstrdup("none");
  if (d->as.let.constant) {
    char *shown = fmpq_get_str(NULL, 10, d->as.let.constant);
    free(result);
    result = xstrdup(shown);
    flint_free(shown);
  }
  free(source);
  lang_clear(&lang);
  return result;
}

static void assert_value(const char *before, const char *text, const char *wanted) {
  char *got = value_of(before, text);
  if (strcmp(got, wanted) != 0) print_error("%s\n", text);
  assert_string_equal(got, wanted);
  free(got);
}

static void closed_terms_have_their_exact_value(void **state) {
  (void)state;
  const char *cases[][2] = {
      {"3", "3"},
      {"0.25", "1/4"},
      {"1e-6", "1/1000000"},
      {"1/3 + 1/6", "1/2"},
      {"1 - 2*3", "-5"},
      {"2^10", "1024"},
      {"(2/3)^0", "1"},
      {"-2^2", "-4"},
      {"(-2)^3", "-8"},
      {"-7 div 2", "-4"},
      {"-7 mod 2", "1"},
      {"7 mod (-2)", "-1"},
      {"7 div (-2)", "-4"},
      {"floor(-1/2)", "-1"},
      {"ceil(-1/2)", "0"},
      {"floor(3)", "3"},
      {"round(5/2)", "3"},
      {"round(-5/2)", "-2"},
      {"round(7/3)", "2"},
      {"abs(-3/4)", "3/4"},
      {"min(1/2, 1/3)", "1/3"},
      {"max(1/2, 1/3)", "1/2"},
      {"max(-1, -2) + min(4, 4)", "3"},
      {"real(3) / 2", "3/2"},
      {"0.1 + 0.2 - 0.3", "0"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    assert_value("", cases[i][0], cases[i][1]);
}

static void other_terms_have_none(void **state) {
  (void)state;
  const char *texts[] = {
      "p",       "p - p",       "ln(2)",       "sqrt(4)", "1/0",
      "1 div 0", "5 mod (1-1)", "exp(0)",      "true",    "[1]",
      "f(1)",    "o",           "1/(1/2-0.5)", "(1, 2)",  "if true then 1 else 2"};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
    assert_value("param p : int; op o : int; let f(a : int) = 3;", texts[i], "none");
}

static void lets_are_followed(void **state) {
  (void)state;
  assert_value("let a = 1/2; let b = a + a;", "b * b - a", "1/2");
  assert_value("param p : real; let a = p;", "a", "none");
  /* A name that doubles at each step must not be evaluated anew at each use. */
  struct buffer b;
  buffer_init(&b);
  buffer_puts(&b, "let a0 = 1;\n");
  for (int i = 1; i <= 60; i++)
    buffer_printf(&b, "let a%d = a%d + a%d;\n", i, i - 1, i - 1);
  assert_value(buffer_text(&b), "a60", "1152921504606846976");
  buffer_clear(&b);
}

static void huge_values_are_refused(void **state) {
  (void)state;
  struct buffer b;
  buffer_init(&b);
  buffer_puts(&b, "let a0 = 3;\n");
  for (int i = 1; i <= 40; i++)
    buffer_printf(&b, "let a%d = a%d * a%d;\n", i, i - 1, i - 1);
  assert_value(buffer_text(&b), "a40", "none");
  assert_value("let a = 2^4096;", "a^4096", "none");
  assert_value("", "2^4096 / 2^4095", "2");
  buffer_clear(&b);
}

static void multiples_of_a_name(void **state) {
  (void)state;
  const char *cases[][2] = {
      {"eps", "1"},
      {"5/4*eps", "5/4"},
      {"eps/4", "1/4"},
      {"eps*2/3", "2/3"},
      {"eps + eps/4", "5/4"},
      {"eps - eps", "0"},
      {"-(eps)", "-1"},
      {"2*(eps - 3) + 6", "2"},
      {"(1 + 1)*(eps*3)", "6"},
      {"0*eps", "0"},
      {"0", "0"},
      {"1", "none"},
      {"eps + 1", "none"},
      {"eps*eps", "none"},
      {"eps^2", "none"},
      {"1/eps", "none"},
      {"eps/0", "none"},
      {"eps*n", "none"},
      {"abs(eps)", "none"},
      {"eps div 2", "none"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct lang lang;
    fmpq_t c;
    lang_init(&lang);
    fmpq_init(c);
    uint32_t f = sources_add(&lang.sources, "e", cases[i][0], strlen(cases[i][0]));
    struct ast_expr *e = parse_expression(&lang, f);
    bool ok = constant_multiple(c, e, intern_str(&lang.intern, "eps"));
    char *shown = fmpq_get_str(NULL, 10, c);
    if (strcmp(ok ? shown : "none", cases[i][1]) != 0) print_error("%s\n", cases[i][0]);
    assert_string_equal(ok ? shown : "none", cases[i][1]);
    flint_free(shown);
    fmpq_clear(c);
    lang_clear(&lang);
  }
}

/* ---- against another implementation: fractions of machine integers ----------------------------
 */

struct fraction {
  long long n, d; /* d > 0, reduced; d == 0: no value */
};

static struct fraction reduce(long long n, long long d) {
  long long a = n < 0 ? -n : n, b = d < 0 ? -d : d;
  while (b) {
    long long r = a % b;
    a = b;
    b = r;
  }
  if (d == 0) return (struct fraction){0, 0};
  return (struct fraction){(d < 0 ? -n : n) / a, (d < 0 ? -d : d) / a};
}

static long long floor_div(long long n, long long d) {
  long long q = n / d;
  return q * d > n ? q - 1 : q;
}

static struct fraction random_term(struct rng *rng, int depth, struct buffer *out) {
  struct fraction none = {0, 0};
  if (depth == 0 || rng_chance(rng, 1, 5)) {
    int n = rng_range(rng, 0, 4);
    buffer_printf(out, "%d", n);
    return (struct fraction){n, 1};
  }
  static const char *const ops[] = {" + ", " - ", " * ", " / ", " div ", " mod "};
  unsigned kind = (unsigned)rng_below(rng, 9);
  if (kind >= 6) {
    static const char *const names[] = {"floor(", "ceil(", "min("};
    buffer_puts(out, names[kind - 6]);
    struct fraction a = random_term(rng, depth - 1, out), b = {0, 1};
    if (kind == 8) {
      buffer_puts(out, ", ");
      b = random_term(rng, depth - 1, out);
    }
    buffer_putc(out, ')');
    if (!a.d || !b.d) return none;
    if (kind == 6) return (struct fraction){floor_div(a.n, a.d), 1};
    if (kind == 7) return (struct fraction){-floor_div(-a.n, a.d), 1};
    return a.n * b.d < b.n * a.d ? a : b;
  }
  buffer_putc(out, '(');
  struct fraction a = random_term(rng, depth - 1, out);
  buffer_puts(out, ops[kind]);
  struct fraction b = random_term(rng, depth - 1, out);
  buffer_putc(out, ')');
  if (!a.d || !b.d) return none;
  switch (kind) {
  case 0: return reduce(a.n * b.d + b.n * a.d, a.d * b.d);
  case 1: return reduce(a.n * b.d - b.n * a.d, a.d * b.d);
  case 2: return reduce(a.n * b.n, a.d * b.d);
  case 3: return reduce(a.n * b.d, a.d * b.n);
  default:
    if (a.d != 1 || b.d != 1 || b.n == 0) return none;
    long long q = b.n > 0 ? floor_div(a.n, b.n) : floor_div(-a.n, -b.n);
    return (struct fraction){kind == 4 ? q : a.n - b.n * q, 1};
  }
}

static void random_terms_agree_with_machine_fractions(void **state) {
  (void)state;
  struct rng rng = rng_seeded(20260101);
  size_t valued = 0, rounds = test_rounds(3000);
  for (size_t i = 0; i < rounds; i++) {
    struct lang lang;
    struct buffer text;
    fmpq_t c;
    lang_init(&lang);
    buffer_init(&text);
    fmpq_init(c);
    buffer_puts(&text, "let x = ");
    struct fraction wanted = random_term(&rng, 3, &text);
    buffer_puts(&text, ";");
    struct ast_module *m = lang_load_text(&lang, "t.dp", text.text, text.len);
    const fmpq *got = m->decls[0]->as.let.constant;
    if (wanted.d) {
      valued++;
      fmpq_set_si(c, wanted.n, (ulong)wanted.d);
      if (!got || !fmpq_equal(got, c)) print_error("%s\n", buffer_text(&text));
      assert_non_null(got);
      assert_true(fmpq_equal(got, c));
    } else {
      assert_null(got);
    }
    fmpq_clear(c);
    buffer_clear(&text);
    lang_clear(&lang);
  }
  assert_true(valued > rounds / 3 && valued < rounds);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(closed_terms_have_their_exact_value),
      cmocka_unit_test(other_terms_have_none),
      cmocka_unit_test(lets_are_followed),
      cmocka_unit_test(huge_values_are_refused),
      cmocka_unit_test(multiples_of_a_name),
      cmocka_unit_test(random_terms_agree_with_machine_fractions),
  };
  return cmocka_run_group_tests_name("constant", tests, NULL, NULL);
}
