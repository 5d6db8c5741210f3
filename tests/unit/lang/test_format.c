#include <dirent.h>
#include <string.h>

#include "gen_program.h"
#include "lang/format/ast_equal.h"
#include "lang/format/format.h"
#include "lang/syntax/lex.h"
#include "lang/syntax/parse.h"
#include "source_text.h"

static char *take_text(struct buffer *b) {
  buffer_puts(b, ""); /* also an empty text is one */
  return buffer_take(b);
}

/* A text, parsed and formatted. */
struct trip {
  struct lang lang;
  struct ast_unit *unit;
  const struct source *source;
  char *formatted;
};

static void trip_init(struct trip *t, const char *text) {
  lang_init(&t->lang);
  uint32_t file = sources_add(&t->lang.sources, "test", text, strlen(text));
  t->unit = parse_unit(&t->lang, file);
  t->source = sources_get(&t->lang.sources, file);
  expect_no_errors(&t->lang, text);
  struct buffer out;
  buffer_init(&out);
  format_unit(&out, &t->lang.sources, t->unit);
  t->formatted = take_text(&out);
}

static void trip_clear(struct trip *t) {
  free(t->formatted);
  lang_clear(&t->lang);
}

static char *comments_of(const struct trip *t) {
  struct buffer b;
  buffer_init(&b);
  for (size_t i = 0; i < t->unit->comment_count; i++) {
    struct span s = t->unit->comments[i].span;
    format_comment(&b, t->source->text + s.begin, s.end - s.begin, 0);
    buffer_putc(&b, '\n');
  }
  return take_text(&b);
}

static char *proofs_of(const struct trip *t) {
  struct buffer b;
  buffer_init(&b);
  for (size_t i = 0; i < t->unit->count; i++) {
    const struct ast_decl *d = t->unit->decls[i];
    struct span s = d->kind == DECL_CLAIM ? d->as.claim.proof : d->lemma_proof;
    buffer_add(&b, t->source->text + s.begin, s.end - s.begin);
  }
  return take_text(&b);
}

/* The surroundings of the first difference, for a failure message. */
static void show_difference(const char *a, const char *b) {
  size_t at = 0;
  while (a[at] && a[at] == b[at])
    at++;
  size_t from = at > 200 ? at - 200 : 0;
  print_error("first:\n%.400s\n---- second:\n%.400s\n", a + from, b + from);
}

/* Formatting keeps program, comments and proofs, and a second time changes nothing. */
static void check_text(const char *text) {
  struct trip once, twice;
  trip_init(&once, text);
  trip_init(&twice, once.formatted);
  if (!ast_equal_unit(once.unit, twice.unit))
    fail_msg("not the same program:\n%s\n----\n%s", text, once.formatted);
  if (strcmp(once.formatted, twice.formatted) != 0) {
    show_difference(once.formatted, twice.formatted);
    fail_msg("not idempotent:\n%s", text);
  }
  char *before = comments_of(&once), *after = comments_of(&twice);
  if (strcmp(before, after) != 0) {
    show_difference(before, after);
    fail_msg("comments lost:\n%s", text);
  }
  free(before);
  free(after);
  before = proofs_of(&once);
  after = proofs_of(&twice);
  assert_string_equal(before, after);
  free(before);
  free(after);
  trip_clear(&once);
  trip_clear(&twice);
}

static char *generated(struct rng *rng, size_t decls, struct ast_unit **unit, struct lang *lang) {
  struct buffer out;
  buffer_init(&out);
  *unit = gen_unit(lang, rng, decls);
  format_unit(&out, &lang->sources, *unit);
  return take_text(&out);
}

/* parse(print(program)) = program */
static void random_programs_survive(void **state) {
  (void)state;
  struct rng rng = rng_seeded(3);
  for (size_t round = 0, rounds = test_rounds(8000); round < rounds; round++) {
    struct lang lang;
    lang_init(&lang);
    struct ast_unit *unit;
    char *text = generated(&rng, 1 + round % 5, &unit, &lang);
    struct trip t;
    trip_init(&t, text);
    if (!ast_equal_unit(unit, t.unit)) fail_msg("not the same program:\n%s", text);
    assert_string_equal(text, t.formatted);
    trip_clear(&t);
    free(text);
    lang_clear(&lang);
  }
}

/* The same text with comments, blank lines and line ends put between its tokens at random. */
static char *disturb(const char *text, struct rng *rng, unsigned percent) {
  static const char *const gaps[] = {" // to the end\n",
                                     "\n// own line\n",
                                     "\n\n\n// after blanks   \n",
                                     " /* inside */ ",
                                     "\n/* two\n   lines */\n",
                                     "\n/// doc\n",
                                     " ",
                                     "\n",
                                     "\n\n",
                                     "\n\n\n\n",
                                     "\n/* one\n * starred\n     * comment */",
                                     "\t",
                                     "\r\n",
                                     " /**/ "};
  struct lang lang;
  lang_init(&lang);
  struct lexer lexer;
  lexer_init(&lexer, &lang, sources_add(&lang.sources, "t", text, strlen(text)));
  struct buffer out;
  buffer_init(&out);
  uint32_t at = 0;
  for (struct token t; (t = lexer_next(&lexer)).kind != TOKEN_END;) {
    buffer_add(&out, text + at, t.begin - at);
    /* a tag or projection must stay glued to what it follows */
    if (t.kind != TOKEN_TAG && t.kind != TOKEN_PROJ && rng_chance(rng, percent, 100))
      buffer_puts(&out, gaps[rng_below(rng, sizeof gaps / sizeof *gaps)]);
    buffer_add(&out, text + t.begin, t.end - t.begin);
    at = t.end;
  }
  if (rng_chance(rng, 1, 2)) buffer_puts(&out, " // at the end");
  lexer_clear(&lexer);
  lang_clear(&lang);
  return buffer_take(&out);
}

static void comments_anywhere(void **state) {
  (void)state;
  struct rng rng = rng_seeded(4);
  for (size_t round = 0, rounds = test_rounds(6000); round < rounds; round++) {
    struct lang lang;
    lang_init(&lang);
    struct ast_unit *unit;
    char *text = generated(&rng, 1 + round % 4, &unit, &lang);
    char *disturbed = disturb(text, &rng, round % 2 ? 3 : 25);
    check_text(disturbed);
    free(disturbed);
    free(text);
    lang_clear(&lang);
  }
}

/* Lines are longer than the limit only where there is nothing to break. */
static void lines_stay_within_the_width(void **state) {
  (void)state;
  struct trip t;
  struct buffer b;
  buffer_init(&b);
  buffer_puts(&b, "let x = 0");
  for (int i = 0; i < 60; i++)
    buffer_printf(&b, " + some_name_%d * (another_%d - %d)", i, i, i);
  buffer_puts(&b, ";\naxiom a: forall i in 0..n. ");
  for (int i = 0; i < 20; i++)
    buffer_printf(&b, "abs(q<1>[i] - q<2>[i]) <= %d and ", i);
  buffer_puts(&b, "true;\ninstance i { input q = [0");
  for (int i = 0; i < 200; i++)
    buffer_printf(&b, ", %d", i);
  buffer_puts(&b, "]; }\nmechanism m(private q0 : real");
  for (int i = 1; i < 20; i++)
    buffer_printf(&b, ", argument_%d : real[n + %d]", i, i);
  buffer_puts(&b, ") returns real { if ");
  for (int i = 0; i < 20; i++)
    buffer_printf(&b, "condition(%d, x) or ", i);
  buffer_puts(&b, "false { return f(");
  for (int i = 0; i < 40; i++)
    buffer_printf(&b, "%d, ", i);
  buffer_puts(&b, "0); } }\n");
  trip_init(&t, buffer_text(&b));
  for (const char *line = t.formatted; *line;) {
    size_t length = strcspn(line, "\n");
    if (length > FORMAT_WIDTH) fail_msg("%zu columns: %.*s", length, (int)length, line);
    line += length + (line[length] == '\n');
  }
  trip_clear(&t);
  check_text(buffer_text(&b));
  buffer_clear(&b);
}

static void check_files_in(const char *directory, unsigned *count) {
  DIR *d = opendir(directory);
  for (struct dirent *e; d && (e = readdir(d));) {
    char *path = xasprintf("%s/%s", directory, e->d_name);
    size_t length = strlen(path);
    if (e->d_name[0] != '.' && !strchr(e->d_name, '.')) check_files_in(path, count);
    if (length > 3 && strcmp(path + length - 3, ".dp") == 0) {
      struct lang lang;
      lang_init(&lang);
      char *why = NULL;
      uint32_t file = sources_read(&lang.sources, path, &why);
      assert_non_null(parse_unit(&lang, file));
      if (!lang.diags.errors) {
        (*count)++;
        check_text(sources_get(&lang.sources, file)->text);
      }
      lang_clear(&lang);
    }
    free(path);
  }
  if (d) closedir(d);
}

/* Every file of the repository that parses. */
static void files_of_the_repository(void **state) {
  (void)state;
  unsigned count = 0;
  check_files_in("examples", &count);
  check_files_in("tests/regress", &count);
  print_message("%u files\n", count);
  assert_true(count > 0);
}

static void empty_files(void **state) {
  (void)state;
  static const char *const texts[][2] = {{"", ""},
                                         {"\n\n  \n", ""},
                                         {"\xEF\xBB\xBF\r\n", ""},
                                         {"// x", "// x\n"},
                                         {"\n\n/// a\n\n\n\n// b\r\n", "/// a\n\n// b\n"}};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    struct trip t;
    trip_init(&t, texts[i][0]);
    assert_string_equal(t.formatted, texts[i][1]);
    trip_clear(&t);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(random_programs_survive),
      cmocka_unit_test(comments_anywhere),
      cmocka_unit_test(lines_stay_within_the_width),
      cmocka_unit_test(files_of_the_repository),
      cmocka_unit_test(empty_files),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
