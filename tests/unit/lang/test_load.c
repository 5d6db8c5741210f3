#include "testlib.h"

#include <string.h>

#include "lang/lang.h"

static const char first_look[] =
    "/// Report the index of the first query\n"
    "///   that seems to be above a threshold.\n"
    "param eps : real, eps > 0;\n"
    "param n : int, n >= 0;\n"
    "mechanism above_threshold(private q : real[n], T : real) returns int\n"
    "  adjacent all_within(q, 1)\n"
    "{\n"
    "  t <$ Lap(T, 2/eps);\n"
    "  for i in 0..n {\n"
    "    s <$ Lap(q[i], 4/eps);\n"
    "    if s >= t { return i; }\n"
    "  }\n"
    "  return n;\n"
    "}\n"
    "claim private above_threshold epsilon eps;\n"
    "instance small { param eps = 1; param n = 3; input q = [0, 1, 5]; input T = 2; }\n";

static void test_first_look(void **state) {
  (void)state;
  struct lang lang;
  lang_init(&lang);
  struct ast_module *m = lang_load_text(&lang, "a.dp", first_look, strlen(first_look));
  struct buffer out;
  buffer_init(&out);
  diags_render(&out, &lang.sources, &lang.diags, (struct diag_style){false});
  assert_string_equal(buffer_text(&out), "");
  assert_int_equal(m->decl_count, 5);
  assert_string_equal(m->decls[0]->doc,
                      "Report the index of the first query\n  that seems to be above a threshold.");
  assert_int_equal(m->decls[2]->kind, DECL_MECHANISM);
  buffer_clear(&out);
  lang_clear(&lang);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_first_look)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
