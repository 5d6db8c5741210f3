/* ctest-label: release */
/* The layout of proof text: expected pictures, and on every proof of the corpus: laying out twice
 * changes nothing, and only white space is changed. */
#include <ctype.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lang/format/layout.h"
#include "lang/syntax/lang.h"
#include "testlib.h"

static char *laid_out(const char *text) {
  struct buffer b;
  buffer_init(&b);
  proof_layout(&b, text);
  buffer_puts(&b, "");
  return b.text ? buffer_take(&b) : xstrdup("");
}

static void expect(const char *text, const char *wanted) {
  char *got = laid_out(text);
  assert_string_equal(got, wanted);
  free(got);
}

static void pictures(void **state) {
  (void)state;
  expect("{ }", "{\n}");
  expect("{sample t:shift   1 ;loop{invariant a;budget b;}}",
         "{\n  sample t:shift 1;\n  loop {\n    invariant a;\n    budget b;\n  }\n}");
  expect("{ case f { sample x: null; } else { sample x: shift\n 1; } }",
         "{\n  case f {\n    sample x: null;\n  } else {\n    sample x: shift 1;\n  }\n}");
  expect("{ // why\n sample t: null; // free\n // alone\n }",
         "{  // why\n  sample t: null;  // free\n  // alone\n}");
  expect("{ sample t: null; // }\n }", "{\n  sample t: null;  // }\n}");
  expect("{ unbalanced  ", "{ unbalanced  ");
  expect("{ } }", "{ } }");
}

/* A long step is broken at blanks, and no line is longer than it must be. */
static void long_lines(void **state) {
  (void)state;
  struct buffer b;
  buffer_init(&b);
  buffer_puts(&b, "{ invariant a0<1> = a0<2>");
  for (int i = 1; i < 20; i++)
    buffer_printf(&b, " and a%d<1> = a%d<2>", i, i);
  buffer_puts(&b, "; }");
  char *got = laid_out(buffer_text(&b)), *again = laid_out(got);
  assert_string_equal(got, again);
  size_t lines = 0;
  for (const char *p = got; p; p = strchr(p, '\n') ? strchr(p, '\n') + 1 : NULL) {
    assert_true(strcspn(p, "\n") <= LAYOUT_WIDTH);
    lines++;
  }
  assert_true(lines >= 6);
  free(got);
  free(again);
  buffer_clear(&b);
}

static char *without_blanks(const char *text) {
  char *copy = xstrdup(text), *to = copy;
  for (const char *p = text; *p; p++)
    if (!isspace((unsigned char)*p)) *to++ = *p;
  *to = '\0';
  return copy;
}

static size_t check_file(const char *path) {
  struct lang lang;
  size_t seen = 0;
  lang_init(&lang);
  const struct ast_module *module = lang_load(&lang, path);
  for (size_t i = 0; i < module->decl_count; i++) {
    const struct ast_decl *d = module->decls[i];
    if (d->kind != DECL_CLAIM || !d->as.claim.has_proof) continue;
    const struct source *source = sources_get(&lang.sources, d->as.claim.proof.file);
    char *text = xasprintf("%.*s", (int)(d->as.claim.proof.end - d->as.claim.proof.begin),
                           source->text + d->as.claim.proof.begin);
    char *once = laid_out(text), *twice = laid_out(once);
    char *a = without_blanks(text), *b = without_blanks(once);
    assert_string_equal(once, twice);
    assert_string_equal(a, b);
    seen++;
    free(text);
    free(once);
    free(twice);
    free(a);
    free(b);
  }
  lang_clear(&lang);
  return seen;
}

static void corpus(void **state) {
  (void)state;
  DIR *dir = opendir("examples/proofs");
  assert_non_null(dir);
  size_t seen = 0;
  for (struct dirent *e; (e = readdir(dir));) {
    if (!strstr(e->d_name, ".dp")) continue;
    char *path = xasprintf("examples/proofs/%s", e->d_name);
    seen += check_file(path);
    free(path);
  }
  closedir(dir);
  assert_true(seen >= 20);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(pictures),
      cmocka_unit_test(long_lines),
      cmocka_unit_test(corpus),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
