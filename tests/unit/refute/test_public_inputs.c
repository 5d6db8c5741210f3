/* What public inputs are tried: all kinds of orders between them, each once, none that `requires`
 * forbids. */
#include <string.h>

#include "lang/check/check.h"
#include "search/refute/candidates.h"
#include "testlib.h"

struct asked {
  struct lang lang;
  setting_list settings;
  input_pair_list pairs;
  size_t inputs;
  char *why;
};

/* All pairs of one stage, for the first values of the parameters. */
static bool ask(struct asked *a, const char *text) {
  *a = (struct asked){0};
  lang_init(&a->lang);
  struct program_claim claim = {&a->lang, lang_load_text(&a->lang, "test.dp", text, strlen(text)),
                                NULL};
  assert_int_equal(a->lang.diags.errors, 0);
  for (size_t i = 0; i < claim.module->decl_count; i++)
    if (claim.module->decls[i]->kind == DECL_CLAIM) claim.claim = claim.module->decls[i];
  a->inputs = claim.claim->as.claim.target->as.mechanism.routine->arg_count;
  candidate_settings(&a->settings, &claim, NULL, &a->why);
  assert_true(a->settings.len > 0);
  return candidate_inputs(&a->pairs, &claim, NULL, &a->settings.at[0], CANDIDATES_NEAR, &a->why);
}

static void asked_clear(struct asked *a) {
  input_pair_list_clear(&a->pairs, a->inputs);
  setting_list_clear(&a->settings);
  lang_clear(&a->lang);
  free(a->why);
}

/* The inputs behind the first one, which is private, of pair i. */
static char *public_text(const struct asked *a, size_t i) {
  struct buffer b;
  buffer_init(&b);
  for (size_t k = 1; k < a->inputs; k++) {
    rvalue_print(&b, &a->pairs.at[i].runs[0][k]);
    buffer_putc(&b, ' ');
  }
  return buffer_take(&b);
}

static bool is_tried(const struct asked *a, const char *public_inputs) {
  bool found = false;
  for (size_t i = 0; i < a->pairs.len && !found; i++) {
    char *text = public_text(a, i);
    found = strcmp(text, public_inputs) == 0;
    free(text);
  }
  return found;
}

/* How many different ones; they stand together. */
static size_t choices(const struct asked *a) {
  size_t count = 0;
  char *last = xstrdup("");
  for (size_t i = 0; i < a->pairs.len; i++) {
    char *text = public_text(a, i);
    count += strcmp(text, last) != 0;
    free(last);
    last = text;
  }
  free(last);
  return count;
}

#define MECHANISM(args, requires)                                                                  \
  "param eps : real, eps > 0;\n"                                                                   \
  "mechanism m(private x : real, " args                                                            \
  ") returns real " requires " adjacent within(x, 1) {\n"                                          \
                             "  y <$ Lap(x, 1/eps); return y; }\n"                                 \
                             "claim private m epsilon eps;\n"

static void all_orders(void **state) {
  (void)state;
  struct asked a;
  assert_true(ask(&a, MECHANISM("low, high : real", "")));
  static const char *const tried[] = {"0 0 ", "0 1 ", "0 -1 ", "1 1 ", "1 0 "};
  for (size_t i = 0; i < sizeof tried / sizeof *tried; i++)
    if (!is_tried(&a, tried[i])) fail_msg("not tried: %s", tried[i]);
  assert_int_equal(choices(&a), 10);
  asked_clear(&a);
}

static void only_what_is_required(void **state) {
  (void)state;
  struct asked a;
  assert_true(ask(&a, MECHANISM("low, high : int", "requires 2 <= low and low < high")));
  for (size_t i = 0; i < a.pairs.len; i++) {
    const struct rvalue *low = &a.pairs.at[i].runs[0][1], *high = &a.pairs.at[i].runs[0][2];
    assert_true(fmpz_cmp_si(&low->as.integer, 2) >= 0);
    assert_true(fmpz_cmp(&low->as.integer, &high->as.integer) < 0);
  }
  assert_true(choices(&a) >= 4);
  asked_clear(&a);
}

static void arrays_and_numbers(void **state) {
  (void)state;
  struct asked a;
  assert_true(ask(
      &a, MECHANISM("edge : int[3], k : int", "requires edge[0] < edge[1] < edge[2] and k = 7")));
  assert_true(is_tried(&a, "[0, 1, 2] 7 "));
  asked_clear(&a);
}

static void nothing_fits(void **state) {
  (void)state;
  struct asked a;
  assert_false(ask(&a, MECHANISM("a, b : int", "requires a < b and b < a")));
  assert_non_null(strstr(a.why, "no public inputs"));
  asked_clear(&a);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(all_orders),
      cmocka_unit_test(only_what_is_required),
      cmocka_unit_test(arrays_and_numbers),
      cmocka_unit_test(nothing_fits),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
