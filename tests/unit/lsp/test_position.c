/* Positions in three encodings, and URIs. */
#include <stdlib.h>
#include <string.h>

#include "lang/syntax/lex.h"
#include "lsp/position.h"
#include "lsp/uri.h"
#include "testlib.h"

static size_t offset(const char *text, enum encoding e, size_t line, size_t character) {
  struct line_index index;
  line_index_init(&index, text, strlen(text));
  size_t found = position_to_offset(&index, e, (struct position){line, character});
  line_index_clear(&index);
  return found;
}

static void units_of_each_encoding(void **state) {
  (void)state;
  const char *text = "a\xCE\xB5\xF0\x9D\x94\xB8z"; /* a, epsilon, a letter beyond the 16 bits, z */
  static const size_t utf16[] = {0, 1, 3, 3, 7, 8}, utf32[] = {0, 1, 3, 7, 8};
  for (size_t i = 0; i < 6; i++)
    assert_int_equal(offset(text, ENCODING_UTF16, 0, i), utf16[i]);
  for (size_t i = 0; i < 5; i++)
    assert_int_equal(offset(text, ENCODING_UTF32, 0, i), utf32[i]);
  assert_int_equal(offset(text, ENCODING_UTF8, 0, 3), 3);
  assert_int_equal(offset(text, ENCODING_UTF8, 0, 2), 1); /* inside of a character: its beginning */
}

static void beyond_the_end(void **state) {
  (void)state;
  assert_int_equal(offset("ab\r\ncd\re\n", ENCODING_UTF16, 0, 99), 2);
  assert_int_equal(offset("ab\r\ncd\re\n", ENCODING_UTF16, 1, 99), 6);
  assert_int_equal(offset("ab\r\ncd\re\n", ENCODING_UTF16, 2, 1), 8);
  assert_int_equal(offset("ab\r\ncd\re\n", ENCODING_UTF16, 3, 0), 9);
  assert_int_equal(offset("ab\r\ncd\re\n", ENCODING_UTF16, 4, 0), 9);
  assert_int_equal(offset("", ENCODING_UTF16, 0, 0), 0);
  assert_int_equal(offset("", ENCODING_UTF8, SIZE_MAX, SIZE_MAX), 0);
}

/* Offset -> position -> offset is the identity at the beginning of every character, positions grow
 * with offsets, and lines agree with those of the rest of Couplet. */
static void round_trips_on_random_text(void **state) {
  (void)state;
  static const char *const pieces[] = {
      "a",    "\n", "\r\n",        "\r", "\xCE\xB5", "\xF0\x9D\x94\xB8", "\xE2\x89\xA4",
      "\xFF", " ",  "\xEF\xBB\xBF"};
  struct rng rng;
  rng = rng_seeded(5);
  for (int round = 0; round < 200; round++) {
    struct buffer b;
    buffer_init(&b);
    for (uint64_t n = rng_below(&rng, 40); n > 0; n--)
      buffer_puts(&b, pieces[rng_below(&rng, 9)]);
    const char *text = buffer_text(&b);
    struct line_index index;
    struct sources sources;
    line_index_init(&index, text, b.len);
    sources_init(&sources);
    uint32_t file = sources_add(&sources, "x", text, b.len);
    for (int e = ENCODING_UTF16; e <= ENCODING_UTF32; e++) {
      struct position last = {0, 0};
      for (size_t at = 0; at <= b.len;) {
        struct position p = position_of_offset(&index, (enum encoding)e, at);
        bool in_line_end = at > 0 && at < b.len && text[at - 1] == '\r' && text[at] == '\n';
        if (!in_line_end) assert_int_equal(position_to_offset(&index, (enum encoding)e, p), at);
        assert_true(p.line > last.line || (p.line == last.line && p.character >= last.character));
        last = p;
        if (e == ENCODING_UTF32) {
          struct place place = sources_place(&sources, file, (uint32_t)at);
          assert_int_equal(place.line, p.line + 1);
          if (!in_line_end) assert_int_equal(offset_of_place(&index, place.line, place.column), at);
        }
        uint32_t code;
        unsigned step = utf8_decode(text + at, b.len - at, &code);
        at += step ? step : 1;
      }
    }
    line_index_clear(&index);
    sources_clear(&sources);
    buffer_clear(&b);
  }
}

static void a_byte_order_mark_is_a_character_of_the_editor(void **state) {
  (void)state;
  const char *text = "\xEF\xBB\xBFlet";
  struct line_index index;
  struct sources sources;
  line_index_init(&index, text, strlen(text));
  sources_init(&sources);
  uint32_t file = sources_add(&sources, "x", text, strlen(text));
  struct place place = sources_place(&sources, file, 3);
  assert_int_equal(place.column, 1);
  assert_int_equal(offset_of_place(&index, place.line, place.column), 3);
  assert_int_equal(position_of_offset(&index, ENCODING_UTF16, 3).character, 1);
  line_index_clear(&index);
  sources_clear(&sources);
}

static void expect_path(const char *uri, const char *path, const char *back) {
  char *found = uri_to_path(uri), *again = uri_of_path(found);
  assert_string_equal(found, path);
  assert_string_equal(again, back ? back : uri);
  free(found);
  free(again);
}

static void uris_and_paths(void **state) {
  (void)state;
  expect_path("file:///a/b.dp", "/a/b.dp", NULL);
  expect_path("file:///a%20b/%C3%A9%23%25.dp", "/a b/\xC3\xA9#%.dp", NULL);
  expect_path("file://localhost/a.dp", "/a.dp", "file:///a.dp");
  expect_path("FILE:///a.dp", "/a.dp", "file:///a.dp");
  expect_path("file:///a%zz%2", "/a%zz%2", "file:///a%25zz%252");
  expect_path("file:///a%00b", "/a%00b", "file:///a%2500b");
  expect_path("file://", "/", "file:///");
  expect_path("untitled:Untitled-1", "untitled:Untitled-1", NULL);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(units_of_each_encoding),
      cmocka_unit_test(beyond_the_end),
      cmocka_unit_test(round_trips_on_random_text),
      cmocka_unit_test(a_byte_order_mark_is_a_character_of_the_editor),
      cmocka_unit_test(uris_and_paths),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
