/* The editor says what the other renderings say (tests/unit/report/test_renderings.c): its words
 * about a claim are in the line that `verify` prints, those about a sampling in the explanation. */
#include <stdlib.h>
#include <string.h>

#include "lsp/couplings.h"
#include "lsp/features.h"
#include "report/judge/verify.h"
#include "report/render/record_text.h"
#include "testlib.h"

static struct file_record *verified(const char *path) {
  struct verify_options options = verify_default_options();
  options.explain = true;
  options.search = 2;
  return verify_file(path, &options, NULL, NULL);
}

static void verdicts_are_those_of_the_text(void **state) {
  (void)state;
  static const char *const files[] = {
      "examples/proofs/svt.dp", "examples/incorrect/bad_svt1.dp", "examples/automata/svt.dp",
      "examples/automata/not_private_sort.dp", "tests/unit/report/data/unknown.dp"};
  for (size_t f = 0; f < sizeof files / sizeof *files; f++) {
    struct file_record *file = verified(files[f]);
    struct buffer text, words;
    buffer_init(&text);
    buffer_init(&words);
    file_record_to_text(&text, file, (struct text_style){0});
    const char *at = buffer_text(&text);
    for (size_t i = 0; i < file->claims.len; i++) {
      const struct claim_record *c = &file->claims.at[i];
      words.len = 0;
      verdict_words(&words, c);
      const char *verdict = verdict_name(c->verdict), *rest = buffer_text(&words) + strlen(verdict);
      assert_int_equal(strncmp(buffer_text(&words), verdict, strlen(verdict)), 0);
      /* "  proved   svt   eps-private, cost eps  (0.35 s)" */
      char *head = xasprintf("\n  %-8s %-24s ", verdict, c->name);
      at = strstr(at, head);
      assert_non_null(at);
      const char *end = strstr(at + strlen(head), "  (");
      assert_non_null(end);
      assert_true((size_t)(end - at) > strlen(rest));
      assert_int_equal(strncmp(end - strlen(rest), rest, strlen(rest)), 0);
      at = end;
      free(head);
    }
    buffer_clear(&text);
    buffer_clear(&words);
    file_record_free(file);
  }
}

static void couplings_are_those_of_the_explanation(void **state) {
  (void)state;
  struct file_record *file = verified("examples/proofs/svt.dp");
  struct buffer words;
  buffer_init(&words);
  coupling_words(&words, &file->claims.at[0], 9, 3); /* t <$ Lap(T, 2/eps) */
  assert_string_equal(
      buffer_text(&words),
      "run 2 gets run 1's sample shifted by 1: costs eps/2; budget eps, then eps/2");
  words.len = 0;
  buffer_puts(&words, "");
  coupling_words(&words, &file->claims.at[0], 10, 3); /* nothing is sampled here */
  assert_int_equal(words.len, 0);
  buffer_clear(&words);
  file_record_free(file);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(verdicts_are_those_of_the_text),
                                     cmocka_unit_test(couplings_are_those_of_the_explanation)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
