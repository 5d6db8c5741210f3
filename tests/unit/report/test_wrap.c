/* Text in lines: nothing is lost, no line ends in a space, none is longer than it must be. */
#include <string.h>

#include "report/render/record_text.h"
#include "testlib.h"

enum { WIDTH = 96, INDENT = 11 };

static void expect(const char *text, const char *wrapped) {
  struct buffer b;
  buffer_init(&b);
  text_put_wrapped(&b, text, 2);
  assert_string_equal(buffer_text(&b), wrapped);
  buffer_clear(&b);
}

static void lines_and_indents_of_the_text_are_kept(void **state) {
  (void)state;
  expect("one two", "  one two\n");
  expect("one\ntwo", "  one\n  two\n");
  expect("one\n\ntwo \n", "  one\n\n  two\n\n");
  expect("one\n  two  three", "  one\n    two  three\n");
}

static void put_words(struct buffer *text, struct rng *rng) {
  for (uint64_t words = rng_below(rng, 40); words > 0; words--) {
    buffer_fill(text, 'x', 1 + rng_below(rng, rng_below(rng, 20) ? 12 : 120));
    buffer_putc(text, ' ');
  }
}

/* Every line but the last is full: the next word did not fit. */
static void check_line(const char *line, size_t length, const char *next) {
  assert_true(length == 0 || line[length - 1] != ' ');
  assert_true(length <= WIDTH || !memchr(line + INDENT, ' ', length - INDENT));
  if (*next) assert_true(length + 1 + strcspn(next + INDENT, " \n") > WIDTH);
}

static void lines_are_full_and_end_in_words(void **state) {
  (void)state;
  struct rng rng = rng_seeded(3);
  for (size_t round = 0; round < test_rounds(500); round++) {
    struct buffer text, wrapped;
    buffer_init(&text);
    buffer_init(&wrapped);
    put_words(&text, &rng);
    text_put_wrapped(&wrapped, buffer_text(&text), INDENT);
    size_t letters = 0, kept = 0;
    for (const char *c = buffer_text(&text); *c; c++)
      letters += *c == 'x';
    for (const char *line = buffer_text(&wrapped); *line;) {
      size_t length = strcspn(line, "\n");
      check_line(line, length, line + length + 1);
      for (size_t i = 0; i < length; i++)
        kept += line[i] == 'x';
      line += length + 1;
    }
    assert_int_equal(letters, kept);
    buffer_clear(&text);
    buffer_clear(&wrapped);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(lines_and_indents_of_the_text_are_kept),
      cmocka_unit_test(lines_are_full_and_end_in_words),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
