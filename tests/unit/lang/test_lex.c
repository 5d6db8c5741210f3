#include "testlib.h"

#include <string.h>

#include "base/limits.h"
#include "lang/syntax/lex.h"

struct fixture {
  struct lang lang;
  struct lexer lexer;
};

static void open_bytes(struct fixture *f, const char *text, size_t length) {
  lang_init(&f->lang);
  lexer_init(&f->lexer, &f->lang, sources_add(&f->lang.sources, "t.dp", text, length));
}

static void open_text(struct fixture *f, const char *text) {
  open_bytes(f, text, strlen(text));
}

static void close_fixture(struct fixture *f) {
  lexer_clear(&f->lexer);
  lang_clear(&f->lang);
}

/* Kinds of all tokens, symbols and words as written, one space between. */
static char *kinds(const char *text, size_t *errors) {
  struct fixture f;
  struct buffer out;
  buffer_init(&out);
  open_text(&f, text);
  for (;;) {
    struct token t = lexer_next(&f.lexer);
    if (t.kind == TOKEN_END) break;
    if (out.len) buffer_putc(&out, ' ');
    const char *fixed = token_kind_text(t.kind);
    if (fixed)
      buffer_puts(&out, fixed);
    else if (t.kind == TOKEN_NAME)
      buffer_printf(&out, "name:%s", t.text);
    else if (t.kind == TOKEN_NUMBER)
      buffer_printf(&out, "number:%s", t.text ? t.text : "?");
    else if (t.kind == TOKEN_STRING)
      buffer_printf(&out, "string:%s", t.text ? t.text : "?");
    else
      buffer_printf(&out, "%s:%.*s", t.kind == TOKEN_TAG ? "tag" : "proj", (int)(t.end - t.begin),
                    text + t.begin);
  }
  if (errors) *errors = f.lang.diags.errors;
  close_fixture(&f);
  buffer_add(&out, "", 0);
  return buffer_take(&out);
}

static void check_tokens(const char *text, const char *expected, size_t expected_errors) {
  size_t errors = 0;
  char *actual = kinds(text, &errors);
  assert_string_equal(actual ? actual : "", expected);
  assert_int_equal(errors, expected_errors);
  free(actual);
}

static void test_symbols(void **state) {
  (void)state;
  check_tokens("( ) [ ] { } , ; : . .. ? := <$ ~ <-> -> = != < <= > >= ++ :: + - * / ^",
               "( ) [ ] { } , ; : . .. ? := <$ ~ <-> -> = != < <= > >= ++ :: + - * / ^", 0);
  /* longest match, and no more than that */
  check_tokens("a<-b a<->b a:=b a::b a:b",
               "name:a < - name:b name:a <-> name:b name:a := name:b "
               "name:a :: name:b name:a : name:b",
               0);
  check_tokens("+++ ---> <<= >>=", "++ + - - -> < <= > >=", 0);
}

static void test_every_word_is_reserved(void **state) {
  (void)state;
  static const char words[] =
      "adversary and automaton axiom claim div else emit exists false for forall if in include "
      "instance lemma let mechanism mod not op or oracle param procedure proof return skip then "
      "true type var while";
  check_tokens(words, words, 0);
  /* prefixes and extensions of words are names */
  check_tokens("fo form inn i wh whiles _if if' If",
               "name:fo name:form name:inn name:i name:wh "
               "name:whiles name:_if name:if' name:If",
               0);
  check_tokens(
      "private epsilon delta d input state list uses",
      "name:private name:epsilon name:delta name:d name:input name:state name:list name:uses", 0);
}

static void test_numbers(void **state) {
  (void)state;
  check_tokens("0 12 0.25 1e-6 1E+3 2.5e7",
               "number:0 number:12 number:0.25 number:1e-6 "
               "number:1E+3 number:2.5e7",
               0);
  check_tokens("0..n 1.5..2", "number:0 .. name:n number:1.5 .. number:2", 0);
  check_tokens("3. x", "number:3 . name:x", 0);
  check_tokens("12abc 1e 1e+ 0x1F 1_0", "number:? number:? number:? + number:? number:?", 5);
  check_tokens(".5", "number:?", 1);
}

static void test_number_limits(void **state) {
  (void)state;
  char *text = xmalloc(LIMIT_NUMBER_DIGITS + 2);
  memset(text, '7', LIMIT_NUMBER_DIGITS + 1);
  text[LIMIT_NUMBER_DIGITS + 1] = '\0';
  size_t errors;
  free(kinds(text, &errors));
  assert_int_equal(errors, 1);
  free(kinds(text + 1, &errors));
  assert_int_equal(errors, 0);
  text[7] = '.'; /* one digit fewer, but digits on both sides count */
  free(kinds(text, &errors));
  assert_int_equal(errors, 0);
  free(text);
  check_tokens("1e4096 1e-4096", "number:1e4096 number:1e-4096", 0);
  check_tokens("1e4097", "number:?", 1);
  check_tokens("1e-4097", "number:?", 1);
  check_tokens("1e18446744073709551617", "number:?", 1); /* 2^64 + 1 does not wrap */
}

static void test_tags_and_projections_are_glued(void **state) {
  (void)state;
  check_tokens("x<1> a[i]<2> (x)<1> x <1> x< 1> 3<1> x<3>",
               "name:x tag:<1> name:a [ name:i ] tag:<2> ( name:x ) tag:<1> name:x < number:1 > "
               "name:x < number:1 > number:3 < number:1 > name:x < number:3 >",
               0);
  check_tokens("t.1.2 t<1>.1 t.1<2> f(x).12",
               "name:t proj:.1 proj:.2 name:t tag:<1> proj:.1 "
               "name:t proj:.1 tag:<2> name:f ( name:x ) proj:.12",
               0);
  check_tokens("n. 0 n.x", "name:n . number:0 name:n . name:x", 0);
  check_tokens("x<1>=y x<1", "name:x tag:<1> = name:y name:x < number:1", 0);
}

static void test_greek(void **state) {
  (void)state;
  check_tokens("ε δ Λ ε' ε1 εδ_x xε ϵ µ",
               "name:eps name:delta name:Lambda name:eps' name:eps1 "
               "name:epsdelta_x name:xeps name:eps name:mu",
               0);
  check_tokens("α β γ ζ η θ ι κ λ μ ν ξ ο π ρ σ ς τ υ φ χ ψ ω",
               "name:alpha name:beta name:gamma name:zeta name:eta name:theta name:iota name:kappa "
               "name:lambda name:mu name:nu name:xi name:omicron name:pi name:rho name:sigma "
               "name:sigma name:tau name:upsilon name:phi name:chi name:psi name:omega",
               0);
  check_tokens("Α Ε Π Ρ Σ Ω", "name:Alpha name:Eps name:Pi name:Rho name:Sigma name:Omega", 0);
  /* a spelled-out letter is never a reserved word on its own, and interns as the ASCII name */
  struct fixture f;
  open_text(&f, "ε eps");
  struct token a = lexer_next(&f.lexer), b = lexer_next(&f.lexer);
  assert_ptr_equal(a.text, b.text);
  assert_int_equal(a.end - a.begin, 2);
  close_fixture(&f);
}

static void test_symbol_aliases(void **state) {
  (void)state;
  check_tokens("≤ ≥ ≠ ∧ ∨ ¬ → ↔ ∀ ∃ ∈ ← ←$ ×",
               "<= >= != and or not -> <-> forall exists in := <$ *", 0);
}

static void test_foreign_spellings_read_as_meant(void **state) {
  (void)state;
  check_tokens("a && b || !c", "name:a and name:b or not name:c", 3);
  check_tokens("a == b", "name:a = name:b", 1);
  check_tokens("a % b ** c", "name:a mod name:b ^ name:c", 2);
  check_tokens("a − b", "name:a - name:b", 1);
  check_tokens("a @@@ b", "name:a name:b", 1);
  check_tokens("# x\ny", "name:y", 1);
}

static void test_strings(void **state) {
  (void)state;
  check_tokens("\"a b\" \"\" \"\\\"", "string:a b string: string:\\", 0);
  check_tokens("\"a\nb", "string:? name:b", 1);
  check_tokens("\"a", "string:?", 1);
}

static void test_comments(void **state) {
  (void)state;
  static const char text[] = "a // one\n/// doc\nb /* two\n*/ c //// ruler\r\n/**/ /*/ x */ d ///";
  struct fixture f;
  open_text(&f, text);
  static const struct {
    const char *text;
    bool is_doc;
  } expected[] = {{"// one", false},     {"/// doc", true}, {"/* two\n*/", false},
                  {"//// ruler", false}, {"/**/", false},   {"/*/ x */", false},
                  {"///", true}};
  struct token t;
  uint32_t seen = 0;
  do {
    t = lexer_next(&f.lexer);
    assert_int_equal(t.comment_begin, seen); /* every comment belongs to exactly one token */
    seen = t.comment_end;
  } while (t.kind != TOKEN_END);
  assert_int_equal(f.lexer.comments.len, sizeof expected / sizeof *expected);
  assert_int_equal(seen, f.lexer.comments.len);
  for (size_t i = 0; i < f.lexer.comments.len; i++) {
    struct ast_comment c = f.lexer.comments.at[i];
    assert_int_equal(c.span.end - c.span.begin, strlen(expected[i].text));
    assert_memory_equal(text + c.span.begin, expected[i].text, strlen(expected[i].text));
    assert_int_equal(c.is_doc, expected[i].is_doc);
  }
  assert_int_equal(f.lang.diags.errors, 0);
  close_fixture(&f);
}

static void test_line_starts_and_glue(void **state) {
  (void)state;
  struct fixture f;
  open_text(&f, "a b\rc\r\nd/*\n*/e f");
  static const struct {
    bool starts_line, glued;
  } expected[] = {{true, true},  {false, false}, {true, false},
                  {true, false}, {false, false}, {false, false}};
  for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
    struct token t = lexer_next(&f.lexer);
    assert_int_equal(t.kind, TOKEN_NAME);
    assert_int_equal(t.starts_line, expected[i].starts_line);
    assert_int_equal(t.glued, expected[i].glued);
  }
  close_fixture(&f);
}

static void test_unusual_files(void **state) {
  (void)state;
  struct fixture f;
  open_bytes(&f, "\xEF\xBB\xBFx", 4); /* byte order mark */
  struct token t = lexer_next(&f.lexer);
  assert_int_equal(t.kind, TOKEN_NAME);
  assert_int_equal(t.begin, 3);
  assert_int_equal(f.lang.diags.errors, 0);
  close_fixture(&f);

  open_bytes(&f, "x\0y", 3); /* NUL: nothing is read */
  assert_int_equal(lexer_next(&f.lexer).kind, TOKEN_END);
  assert_int_equal(f.lang.diags.errors, 1);
  assert_string_equal(f.lang.diags.list.at[0].code, "binary-file");
  assert_int_equal(f.lang.diags.list.at[0].span.begin, 1);
  close_fixture(&f);

  open_bytes(&f, "", 0);
  assert_int_equal(lexer_next(&f.lexer).kind, TOKEN_END);
  assert_int_equal(f.lang.diags.errors, 0);
  close_fixture(&f);
}

static void test_utf8(void **state) {
  (void)state;
  static const struct {
    const char *bytes;
    unsigned length;
    uint32_t code;
  } good[] = {{"\x7F", 1, 0x7F},
              {"\xC2\x80", 2, 0x80},
              {"\xDF\xBF", 2, 0x7FF},
              {"\xE0\xA0\x80", 3, 0x800},
              {"\xED\x9F\xBF", 3, 0xD7FF},
              {"\xEF\xBF\xBF", 3, 0xFFFF},
              {"\xF0\x90\x80\x80", 4, 0x10000},
              {"\xF4\x8F\xBF\xBF", 4, 0x10FFFF}};
  static const char *const bad[] = {"\x80",
                                    "\xBF",
                                    "\xC0\x80",
                                    "\xC1\xBF",
                                    "\xC2",
                                    "\xC2\x41",
                                    "\xE0\x9F\xBF",
                                    "\xED\xA0\x80",
                                    "\xE2\x82",
                                    "\xF0\x8F\xBF\xBF",
                                    "\xF4\x90\x80\x80",
                                    "\xF5\x80\x80\x80",
                                    "\xFF",
                                    "\xFE"};
  uint32_t code = 0;
  for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
    assert_int_equal(utf8_decode(good[i].bytes, strlen(good[i].bytes), &code), good[i].length);
    assert_int_equal(code, good[i].code);
  }
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
    assert_int_equal(utf8_decode(bad[i], strlen(bad[i]), &code), 0);
}

static void test_skip_block(void **state) {
  (void)state;
  static const char text[] = "{ a { \"}\" } // }\n /* } */ \"un}\n } b";
  struct fixture f;
  open_text(&f, text);
  struct token open = lexer_next(&f.lexer);
  uint32_t close;
  assert_true(lexer_skip_block(&f.lexer, open.begin, &close));
  assert_int_equal(close, strlen(text) - 2);
  struct token t = lexer_next(&f.lexer);
  assert_string_equal(t.text, "b");
  assert_int_equal(f.lexer.comments.len, 0);
  close_fixture(&f);
  open_text(&f, "{ { }");
  open = lexer_next(&f.lexer);
  assert_false(lexer_skip_block(&f.lexer, open.begin, &close));
  assert_int_equal(lexer_next(&f.lexer).kind, TOKEN_END);
  close_fixture(&f);
}

/* Tokens, comments and spaces tile the text: nothing is skipped in silence. */
static void test_tiling_on_random_bytes(void **state) {
  (void)state;
  static const char *const pieces[] = {"x", "<1>",  ".1", " ",  "\n", "//c\n", "/*c*/", "\"s\"",
                                       "<", "->",   "ε",  "≤",  "@",  "12",    "1.5e3", ";",
                                       "{", "\xFF", "−",  "&&", "$",  "..",    "'",     "if"};
  struct rng rng = rng_seeded(20240501);
  for (size_t round = 0; round < test_rounds(2000); round++) {
    struct buffer text;
    buffer_init(&text);
    for (int n = rng_range(&rng, 0, 20); n > 0; n--)
      buffer_puts(&text, pieces[rng_below(&rng, sizeof pieces / sizeof *pieces)]);
    struct fixture f;
    open_bytes(&f, buffer_text(&text), text.len);
    uint32_t at = 0;
    bool any_error = false;
    struct token t;
    do {
      t = lexer_next(&f.lexer);
      assert_true(at <= t.begin && t.begin <= t.end && t.end <= text.len);
      assert_true(t.kind == TOKEN_END || t.end > t.begin);
      for (uint32_t i = at, c = t.comment_begin; i < t.begin && !t.after_error; i++) {
        if (c < t.comment_end && f.lexer.comments.at[c].span.begin == i) {
          i = f.lexer.comments.at[c++].span.end - 1;
          continue;
        }
        assert_non_null(strchr(" \n", buffer_text(&text)[i]));
      }
      any_error |= t.after_error;
      at = t.end;
    } while (t.kind != TOKEN_END);
    if (any_error) assert_true(f.lang.diags.errors > 0);
    close_fixture(&f);
    buffer_clear(&text);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_symbols),
      cmocka_unit_test(test_every_word_is_reserved),
      cmocka_unit_test(test_numbers),
      cmocka_unit_test(test_number_limits),
      cmocka_unit_test(test_tags_and_projections_are_glued),
      cmocka_unit_test(test_greek),
      cmocka_unit_test(test_symbol_aliases),
      cmocka_unit_test(test_foreign_spellings_read_as_meant),
      cmocka_unit_test(test_strings),
      cmocka_unit_test(test_comments),
      cmocka_unit_test(test_line_starts_and_glue),
      cmocka_unit_test(test_unusual_files),
      cmocka_unit_test(test_utf8),
      cmocka_unit_test(test_skip_block),
      cmocka_unit_test(test_tiling_on_random_bytes),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
