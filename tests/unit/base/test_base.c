#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/buffer.h"
#include "base/diag.h"
#include "base/intern.h"
#include "base/limits.h"
#include "base/source.h"
#include "base/spell.h"
#include "base/vec.h"
#include "testlib.h"

static void arena_memory_is_zeroed_aligned_and_disjoint(void **state) {
  (void)state;
  struct arena a;
  arena_init(&a);
  unsigned char *previous = NULL;
  for (size_t size = 1; size < 9000; size = size * 3 / 2 + 1) {
    unsigned char *p = arena_alloc(&a, size);
    assert_int_equal((uintptr_t)p % sizeof(max_align_t) % 8, 0);
    for (size_t i = 0; i < size; i++)
      assert_int_equal(p[i], 0);
    memset(p, 0xFF, size);
    if (previous) assert_int_equal(previous[0], 0xFF);
    previous = p;
  }
  arena_clear(&a);
}

static void equal_strings_are_one_pointer(void **state) {
  (void)state;
  struct intern t;
  intern_init(&t);
  const char *first = intern_str(&t, "n0");
  for (int i = 0; i < 5000; i++) {
    char text[16];
    snprintf(text, sizeof text, "n%d", i);
    assert_string_equal(intern_str(&t, text), text);
  }
  assert_ptr_equal(first, intern_text(&t, "n0zzz", 2));
  assert_ptr_not_equal(intern_str(&t, "a"), intern_str(&t, "b"));
  intern_clear(&t);
}

static void places_count_lines_and_code_points(void **state) {
  (void)state;
  struct sources s;
  sources_init(&s);
  const char *text = "\xEF\xBB\xBFone\r\ntw\xCE\xB5o\n\nlast";
  uint32_t f = sources_add(&s, "x.dp", text, strlen(text));
  struct {
    const char *at;
    unsigned line, column;
  } cases[] = {{"one", 1, 1}, {"ne\r", 1, 2}, {"tw", 2, 1}, {"o\n\n", 2, 4}, {"last", 4, 1}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct place p = sources_place(&s, f, (uint32_t)(strstr(text, cases[i].at) - text));
    assert_int_equal(p.line, cases[i].line);
    assert_int_equal(p.column, cases[i].column);
  }
  sources_clear(&s);
}

static void a_diagnostic_shows_line_caret_hint_and_note(void **state) {
  (void)state;
  struct sources s;
  struct diags d;
  struct buffer out;
  sources_init(&s);
  diags_init(&d);
  buffer_init(&out);
  const char *text = "x := 1;\ny := \xCE\xB5 + tru;\n";
  uint32_t f = sources_add(&s, "m.dp", text, strlen(text));
  diag_error(&d, (struct span){f, 18, 21}, "unknown-name", "there is no '%s'", "tru");
  diag_hint(&d, "did you mean 'true'?");
  diag_note(&d, (struct span){f, 0, 1}, "see here");
  diags_render(&out, &s, &d, (struct diag_style){false});
  assert_string_equal(buffer_text(&out), "m.dp:2:10: error[unknown-name]: there is no 'tru'\n"
                                         "  y := \xCE\xB5 + tru;\n"
                                         "           ^~~\n"
                                         "  hint: did you mean 'true'?\n"
                                         "m.dp:1:1: note: see here\n"
                                         "  x := 1;\n"
                                         "  ^\n");
  buffer_clear(&out);
  diags_clear(&d);
  sources_clear(&s);
}

static void errors_beyond_the_limit_are_counted(void **state) {
  (void)state;
  struct diags d;
  diags_init(&d);
  for (int i = 0; i < LIMIT_ERRORS + 7; i++) {
    diag_error(&d, span_none(), "e", "%d", i);
    diag_hint(&d, "hint %d", i);
  }
  assert_int_equal(d.list.len, LIMIT_ERRORS);
  assert_int_equal(d.errors, LIMIT_ERRORS + 7);
  assert_string_equal(d.list.at[LIMIT_ERRORS - 1].hint, "hint 99");
  diags_clear(&d);
}

static void nearest_words(void **state) {
  (void)state;
  static const char *const words[] = {"verify", "eps",   "true",  "within",
                                      "Lap",    "count", "bound", "mound"};
  static const struct {
    const char *written, *nearest;
  } cases[] = {{"verfiy", "verify"}, {"True", "true"},     {"TRUE", "true"},   {"epsilon", "eps"},
               {"Laplace", "Lap"},   {"wihtin", "within"}, {"sound", "bound"}, {"verify", NULL},
               {"e", NULL},          {"cuont", "count"},   {"cuotn", NULL},    {"ab", NULL}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const char *found = spell_nearest(cases[i].written, words, sizeof words / sizeof *words);
    assert_string_equal(found ? found : "", cases[i].nearest ? cases[i].nearest : "");
  }
  assert_int_equal(spell_distance("abcd", "acbd"), 1); /* neighbours swapped */
  assert_int_equal(spell_distance("", "abc"), 3);
}

/* Places in a translated text are shown in the text that it comes from; pieces that do not fit are
 * left out, since whoever translates is not trusted. */
static void origin(void **state) {
  (void)state;
  struct sources s;
  sources_init(&s);
  const char *text = "x := q[0] + 1;\nreturn x;\n",
             *from = "def f(q):\n    x = q[0] + 1\n    return x\n";
  const struct source_piece pieces[] = {{0, 14, 14, 26}, {5, 9, 18, 22}, {15, 24, 31, 39},
                                        {0, 4000, 0, 5}, {3, 2, 0, 5},   {0, 1, 0, 99}};
  uint32_t f = sources_add(&s, "f.py", text, strlen(text));
  sources_set_origin(&s, f, from, strlen(from), pieces, sizeof pieces / sizeof *pieces);
  assert_int_equal(sources_get(&s, f)->pieces.len, 3);
  struct shown_span whole = sources_shown(&s, (struct span){f, 0, 14});
  assert_memory_equal(whole.source->text + whole.begin, "x = q[0] + 1", whole.end - whole.begin);
  struct shown_span item = sources_shown(&s, (struct span){f, 5, 6}); /* the smallest piece */
  assert_int_equal(item.begin, 18);
  assert_int_equal(item.end, 22);
  struct place p = sources_place(&s, f, 15);
  assert_int_equal(p.line, 3);
  assert_int_equal(p.column, 5);
  assert_int_equal(sources_place(&s, f, 25).line, 1); /* in no piece: the beginning */
  assert_null(sources_shown(&s, span_none()).source);
  sources_clear(&s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(arena_memory_is_zeroed_aligned_and_disjoint),
      cmocka_unit_test(origin),
      cmocka_unit_test(equal_strings_are_one_pointer),
      cmocka_unit_test(places_count_lines_and_code_points),
      cmocka_unit_test(a_diagnostic_shows_line_caret_hint_and_note),
      cmocka_unit_test(errors_beyond_the_limit_are_counted),
      cmocka_unit_test(nearest_words),
  };
  return cmocka_run_group_tests_name("base", tests, NULL, NULL);
}
