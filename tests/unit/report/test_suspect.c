/* Where people are sent when no engine names an obstacle. */
#include <string.h>

#include "lang/syntax/lang.h"
#include "report/judge/suspect.h"
#include "testlib.h"

#define HEAD                                                                                       \
  "param eps : real, eps > 0;\nparam n : int, n >= 1;\nparam m : int, m >= 0;\n"                   \
  "param k : int, 0 < k <= 9;\nmechanism f(private x : real[n], b : bool) returns real\n"          \
  "adjacent all_within(x, 1)\n{\n"

struct loaded {
  struct lang lang;
  struct ast_module *module;
  const struct ast_routine *routine;
};

static void load(struct loaded *l, const char *body) {
  char *text = xasprintf(HEAD "%s\n}\n", body);
  lang_init(&l->lang);
  l->module = lang_load_text(&l->lang, "test.dp", text, strlen(text));
  assert_non_null(l->module);
  assert_int_equal(l->lang.diags.errors, 0);
  for (size_t i = 0; i < l->module->decl_count; i++)
    if (l->module->decls[i]->kind == DECL_MECHANISM)
      l->routine = l->module->decls[i]->as.mechanism.routine;
  free(text);
}

/* The code that is pointed at. */
static void points_at(const char *body, const char *code, const char *what) {
  struct loaded l = {0};
  load(&l, body);
  struct suspect s = suspect_of(l.routine);
  if (!code) {
    assert_null(s.what);
  } else {
    assert_non_null(s.what);
    assert_non_null(strstr(s.what, what));
    assert_non_null(s.advice);
    const char *text = sources_get(&l.lang.sources, s.span.file)->text + s.span.begin;
    assert_int_equal(s.span.end - s.span.begin, strlen(code));
    assert_memory_equal(text, code, strlen(code));
  }
  lang_clear(&l.lang);
}

static void the_first_use_that_makes_a_proof_hard(void **state) {
  (void)state;
  points_at("y <$ Lap(x[0], 1/eps); return y;", "y <$ Lap(x[0], 1/eps);", "could not be coupled");
  points_at("s := x[0]; c := s*s; y <$ Lap(c, 1/eps); return y;", "s*s", "how far this moves");
  points_at("c := floor(x[0]); y <$ Lap(c, 1/eps); return y;", "floor(x[0])", "how far this moves");
  points_at("s := 0.0; if x[0] > 1 { s := 1.0; } y <$ Lap(s, 1/eps); return y;", "x[0] > 1",
            "different branches");
  points_at("y <$ Lap(0, 1/eps); if y > 1 { return x[0]; } return y;", "x[0]", "given out");
  points_at("y <$ Lap(x[0], declassify(x[0])); return y;", "declassify(x[0])", "a parameter of");
  /* what moves no further than the data, noise, and lengths are no surprise */
  points_at("c := max(0, min(1, x[0])); y <$ Lap(c, n/eps); z <$ Lap(length(x), 1/eps); "
            "if y > z { return y; } return z;",
            "y <$ Lap(c, n/eps);", "could not be coupled");
  points_at("y <$ Lap(0, 1/eps); return y;", NULL, NULL);
}

static void divides_by(const char *body, const char *param) {
  struct loaded l = {0};
  struct span where;
  load(&l, body);
  const struct ast_decl *found = suspect_divisor(l.module, l.routine, &where);
  if (param)
    assert_string_equal(found->name.text, param);
  else
    assert_null(found);
  lang_clear(&l.lang);
}

static void divisors_that_may_be_zero(void **state) {
  (void)state;
  divides_by("y <$ Lap(x[0]/m, 1); return y;", "m");
  divides_by("y <$ Lap(x[0]/n, 1/eps); return y;", NULL); /* n >= 1, eps > 0 */
  divides_by("y <$ Lap(x[0]/k, 1); return y;", NULL);     /* 0 < k <= 9 */
  divides_by("y <$ Lap(x[0]/2, 1); return y;", NULL);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(the_first_use_that_makes_a_proof_hard),
                                     cmocka_unit_test(divisors_that_may_be_zero)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
