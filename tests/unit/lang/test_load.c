#include "testlib.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/limits.h"
#include "lang/format/format.h"
#include "lang/syntax/lang.h"

/* A fresh directory with files in it; everything is removed by close_fixture. */
struct fixture {
  struct lang lang;
  char dir[64];
  VEC(char *) made;
};

static void open_fixture(struct fixture *f) {
  *f = (struct fixture){.dir = "/tmp/couplet_load_XXXXXX"};
  lang_init(&f->lang);
  assert_non_null(mkdtemp(f->dir));
}

static char *path_in(struct fixture *f, const char *name) {
  return xasprintf("%s/%s", f->dir, name);
}

static void write_file(struct fixture *f, const char *name, const char *text) {
  char *path = path_in(f, name);
  FILE *out = fopen(path, "wb");
  assert_non_null(out);
  assert_int_equal(fwrite(text, 1, strlen(text), out), strlen(text));
  assert_int_equal(fclose(out), 0);
  vec_push(&f->made, path);
}

static void make_dir(struct fixture *f, const char *name) {
  char *path = path_in(f, name);
  assert_int_equal(mkdir(path, 0700), 0);
  vec_push(&f->made, path);
}

static void close_fixture(struct fixture *f) {
  while (f->made.len > 0) {
    char *path = vec_pop(&f->made);
    assert_int_equal(remove(path), 0);
    free(path);
  }
  vec_clear(&f->made);
  assert_int_equal(rmdir(f->dir), 0);
  lang_clear(&f->lang);
}

static struct ast_module *load(struct fixture *f, const char *name) {
  char *path = path_in(f, name);
  struct ast_module *m = lang_load(&f->lang, path);
  free(path);
  return m;
}

/* Names of the declarations in order, with a space between. */
static void check_names(const struct ast_module *m, const char *expected) {
  struct buffer out;
  buffer_init(&out);
  for (size_t i = 0; i < m->decl_count; i++)
    buffer_printf(&out, "%s%s", i > 0 ? " " : "", m->decls[i]->name.text);
  assert_string_equal(buffer_text(&out), expected);
  buffer_clear(&out);
}

static void check_code(const struct lang *lang, const char *code) {
  assert_int_equal(lang->diags.errors, 1);
  assert_string_equal(lang->diags.list.at[0].code, code);
}

static void test_includes_in_place_and_once(void **state) {
  (void)state;
  struct fixture f;
  open_fixture(&f);
  make_dir(&f, "sub");
  write_file(&f, "main.dp",
             "let a = 1; include \"sub/b.dp\"; include \"./sub/../c.dp\"; let d = c;");
  write_file(&f, "sub/b.dp", "include \"../c.dp\"; let b = c;"); /* relative to its own folder */
  write_file(&f, "c.dp", "let c = 3;");
  struct ast_module *m = load(&f, "main.dp");
  assert_int_equal(f.lang.diags.errors, 0);
  check_names(m, "a c b d");
  assert_int_equal(m->unit_count, 3);
  assert_int_equal(m->units[2]->count, 4); /* the file itself is last, with its includes */
  assert_int_equal(m->units[2]->decls[1]->kind, DECL_INCLUDE);
  close_fixture(&f);
}

static void test_cycle_names_its_chain(void **state) {
  (void)state;
  struct fixture f;
  open_fixture(&f);
  write_file(&f, "a.dp", "include \"b.dp\"; let a = 1;");
  write_file(&f, "b.dp", "include \"c.dp\"; let b = 1;");
  write_file(&f, "c.dp", "let c = 1;\ninclude \"b.dp\";");
  struct ast_module *m = load(&f, "a.dp");
  check_code(&f.lang, "include-cycle");
  const struct diag *d = &f.lang.diags.list.at[0];
  struct place at = sources_place(&f.lang.sources, d->span.file, d->span.begin);
  assert_non_null(strstr(at.path, "/c.dp"));
  assert_int_equal(at.line, 2);
  assert_int_equal(d->notes.len, 1); /* b includes c; a is not part of the cycle */
  assert_non_null(strstr(d->notes.at[0].message, "c.dp"));
  check_names(m, "c b a");
  close_fixture(&f);

  open_fixture(&f);
  write_file(&f, "a.dp", "include \"a.dp\"; let a = 1;");
  load(&f, "a.dp");
  check_code(&f.lang, "include-cycle");
  close_fixture(&f);
}

static void test_unreadable(void **state) {
  (void)state;
  struct fixture f;
  open_fixture(&f);
  struct ast_module *m = load(&f, "missing.dp");
  assert_non_null(m);
  check_code(&f.lang, "unreadable-file");
  close_fixture(&f);

  open_fixture(&f);
  write_file(&f, "a.dp", "include \"missing.dp\"; include \"\"; let a = 1;");
  m = load(&f, "a.dp");
  assert_int_equal(f.lang.diags.errors, 2);
  assert_string_equal(f.lang.diags.list.at[0].code, "include-unreadable");
  assert_true(m->is_incomplete);
  check_names(m, "a");
  close_fixture(&f);

  open_fixture(&f);
  make_dir(&f, "d.dp");
  load(&f, "d.dp");
  check_code(&f.lang, "unreadable-file");
  close_fixture(&f);
}

static void test_errors_in_included_files_have_their_place(void **state) {
  (void)state;
  struct fixture f;
  open_fixture(&f);
  write_file(&f, "a.dp", "include \"b.dp\"; let a = 1;");
  write_file(&f, "b.dp", "let x = 2;\nlet b = ;");
  load(&f, "a.dp");
  check_code(&f.lang, "expected-expression");
  struct span s = f.lang.diags.list.at[0].span;
  struct place at = sources_place(&f.lang.sources, s.file, s.begin);
  assert_non_null(strstr(at.path, "/b.dp"));
  assert_int_equal(at.line, 2);
  assert_int_equal(at.column, 9);
  close_fixture(&f);
}

/* LIMIT_INCLUDE_DEPTH includes inside one another are fine, one more is not. */
static void test_depth_limit(void **state) {
  (void)state;
  for (int over = 0; over < 2; over++) {
    struct fixture f;
    open_fixture(&f);
    int last = LIMIT_INCLUDE_DEPTH + over;
    for (int i = 0; i <= last; i++) {
      char *name = xasprintf("%d.dp", i),
           *text = xasprintf("include \"%d.dp\"; let x%d = 1;", i + 1, i);
      write_file(&f, name, i < last ? text : "let end = 1;");
      free(name);
      free(text);
    }
    load(&f, "0.dp");
    if (over)
      check_code(&f.lang, "include-depth");
    else
      assert_int_equal(f.lang.diags.errors, 0);
    close_fixture(&f);
  }
}

static void test_file_limit(void **state) {
  (void)state;
  struct fixture f;
  open_fixture(&f);
  struct buffer main_text;
  buffer_init(&main_text);
  for (int i = 0; i < LIMIT_INCLUDE_FILES; i++) { /* with the main file: one too many */
    char *name = xasprintf("%d.dp", i);
    write_file(&f, name, "");
    buffer_printf(&main_text, "include \"%s\";\n", name);
    free(name);
  }
  buffer_puts(&main_text, "let x = 1;");
  write_file(&f, "main.dp", buffer_text(&main_text));
  buffer_clear(&main_text);
  load(&f, "main.dp");
  check_code(&f.lang, "include-files");
  struct span s = f.lang.diags.list.at[0].span;
  assert_int_equal(sources_place(&f.lang.sources, s.file, s.begin).line, LIMIT_INCLUDE_FILES);
  close_fixture(&f);
}

static void test_text_in_memory(void **state) {
  (void)state;
  struct fixture f;
  open_fixture(&f);
  write_file(&f, "b.dp", "include \"a.dp\"; let b = 1;");
  char *path = path_in(&f, "./a.dp"); /* not on disk: the text is it */
  static const char text[] = "include \"b.dp\"; let a = 2;";
  lang_load_text(&f.lang, path, text, strlen(text));
  free(path);
  check_code(&f.lang, "include-cycle");
  close_fixture(&f);

  /* The text in the editor stands for the file on disk: its cycle is found, the old text not read.
   */
  open_fixture(&f);
  write_file(&f, "a.dp", "this is not read");
  write_file(&f, "b.dp", "include \"a.dp\"; let b = 1;");
  path = path_in(&f, "a.dp");
  lang_load_text(&f.lang, path, text, strlen(text));
  free(path);
  check_code(&f.lang, "include-cycle");
  close_fixture(&f);
}

static void check_text(const char *text, size_t length, const char *code) {
  struct lang lang;
  lang_init(&lang);
  lang_load_text(&lang, "t.dp", text, length);
  if (code)
    check_code(&lang, code);
  else
    assert_int_equal(lang.diags.errors, 0);
  lang_clear(&lang);
}

static void test_unusual_files(void **state) {
  (void)state;
  check_text("", 0, "empty-file");
  check_text(" \r\n\t", 4, "empty-file");
  check_text("// nothing\n", 11, "empty-file");
  check_text("\xEF\xBB\xBF", 3, "empty-file");
  check_text("\xEF\xBB\xBFlet x = 1;\r\nlet y = 2;\r", 26, NULL);
  check_text("let x = 1;\0", 11, "binary-file");
  check_text("let x = 1; // \xE9", 15, "invalid-utf8");
  check_text("let x = 1", 9, "missing-semicolon");
  check_text("/* open", 7, "unterminated-comment"); /* and not empty-file as well */
}

/* Trees as deep as the parser lets through are walked recursively by checker and formatter: their
 * stack must suffice, with sanitizers too. */
static void test_deepest_trees_are_walked(void **state) {
  (void)state;
  static const struct {
    const char *before, *piece, *after;
    int spare;
  } deep[] = {{"let x = 1", " + 1", ";", 2},
              {"param b : bool, b", " and b", ";", 2},
              {"let x = [[1] ++ [2]", " ++ []", "];", 4},
              {"procedure f(q : int) : int { if q = 0 { return 0; }",
               " else if q = 1 { return 1; }", " return 2; }", 6}};
  for (size_t i = 0; i < sizeof deep / sizeof *deep; i++) {
    struct buffer text, out;
    struct lang lang;
    buffer_init(&text);
    buffer_init(&out);
    lang_init(&lang);
    buffer_puts(&text, deep[i].before);
    for (int j = 0; j < LIMIT_AST_DEPTH - deep[i].spare; j++)
      buffer_puts(&text, deep[i].piece);
    buffer_puts(&text, deep[i].after);
    struct ast_module *m = lang_load_text(&lang, "deep.dp", buffer_text(&text), text.len);
    assert_int_equal(lang.diags.errors, 0);
    format_unit(&out, &lang.sources, m->units[0]);
    assert_true(out.len >= text.len);
    buffer_clear(&text);
    buffer_clear(&out);
    lang_clear(&lang);
  }
}

static void test_first_look(void **state) {
  (void)state;
  static const char text[] = "/// Report the first query\n///   above a threshold.\n"
                             "param eps : real, eps > 0;\n"
                             "mechanism m(private q : real) returns real\n  adjacent within(q, 1)\n"
                             "{\n  t <$ Lap(q, 1/eps);\n  return t;\n}\n"
                             "claim private m epsilon eps;\n";
  struct lang lang;
  lang_init(&lang);
  struct ast_module *m = lang_load_text(&lang, "a.dp", text, strlen(text));
  assert_int_equal(lang.diags.errors, 0);
  check_names(m, "eps m m");
  assert_string_equal(m->decls[0]->doc, "Report the first query\n  above a threshold.");
  lang_clear(&lang);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_includes_in_place_and_once),
      cmocka_unit_test(test_cycle_names_its_chain),
      cmocka_unit_test(test_unreadable),
      cmocka_unit_test(test_errors_in_included_files_have_their_place),
      cmocka_unit_test(test_depth_limit),
      cmocka_unit_test(test_file_limit),
      cmocka_unit_test(test_text_in_memory),
      cmocka_unit_test(test_unusual_files),
      cmocka_unit_test(test_deepest_trees_are_walked),
      cmocka_unit_test(test_first_look),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
