#include "source_text.h"

#include <string.h>

void show_diags(struct lang *lang, const char *text) {
  struct buffer b;
  buffer_init(&b);
  diags_render(&b, &lang->sources, &lang->diags, (struct diag_style){false});
  print_error("%s\n%s\n", text ? text : "", buffer_text(&b));
  buffer_clear(&b);
}

void expect_no_errors(struct lang *lang, const char *text) {
  if (lang->diags.errors) show_diags(lang, text);
  assert_int_equal(lang->diags.errors, 0);
}

struct ast_module *load_valid_text(struct lang *lang, const char *text) {
  struct ast_module *module = lang_load_text(lang, "test.dp", text, strlen(text));
  expect_no_errors(lang, text);
  return module;
}

struct rvalue fraction(slong numerator, ulong denominator) {
  fmpq_t q;
  fmpq_init(q);
  fmpq_set_si(q, numerator, denominator);
  struct rvalue v = rvalue_fmpq(q);
  fmpq_clear(q);
  return v;
}
