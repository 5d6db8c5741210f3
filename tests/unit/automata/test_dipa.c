/* The reader of .dipa files: what it builds, and what it says about bad ones. */
#include "out/automaton_text.h"
#include "testlib.h"

#include <dirent.h>
#include <stdio.h>
#include <string.h>

#include "dipa_file.h"

static const char svt[] =
    "# sparse vector\n"
    "(q1:non-input,1/4,0): x:= insample; output oinput; goto q2\n"
    "(q2,1/2,-3, 0.75, 1): if (insample<= x) then output obot; goto q2 elseif (insample >= x\n"
    "  && insample < y) then x := insample, y := insample; output insampleprime; goto q3";

static void reads_states_and_edges(void **state) {
  (void)state;
  struct dipa_file w;
  assert_true(dipa_file_parse(&w, svt));
  const struct automaton *a = &w.a;
  assert_int_equal(a->states.len, 3);
  assert_int_equal(a->edges.len, 3);
  assert_int_equal(a->start, 0);
  assert_false(a->states.at[0].is_input);
  assert_true(a->states.at[1].is_input);
  assert_true(a->states.at[2].is_final);
  char *text = fmpq_get_str(NULL, 10, automaton_value(a, a->states.at[1].d2));
  assert_string_equal(text, "3/4");
  flint_free(text);
  text = fmpq_get_str(NULL, 10, automaton_value(a, a->states.at[1].mean));
  assert_string_equal(text, "-3");
  flint_free(text);
  struct buffer b;
  buffer_init(&b);
  for (uint32_t e = 0; e < 3; e++) {
    automaton_print_edge(&b, a, e);
    buffer_putc(&b, '\n');
  }
  assert_string_equal(
      buffer_text(&b),
      "q1 -> q2 output oinput assign x\n"
      "q2 -> q2 when insample < x output obot\n"
      "q2 -> q3 when insample >= x and insample < y output insample' assign x, y\n");
  buffer_clear(&b);
  struct place p = sources_place(&w.sources, a->file, automaton_edge_span(a, 2).begin);
  assert_int_equal(p.line, 3);
  dipa_file_clear(&w);
}

static void interns_what_is_equal(void **state) {
  (void)state;
  struct dipa_file w;
  assert_true(
      dipa_file_parse(&w, "(a,1/2,0): if (insample<x && insample>=y) then output s; goto b\n"
                          "(b,2/4,0): if (insample>=y && insample<=x) then output s; goto c\n"));
  assert_int_equal(w.a.edges.at[0].guard, w.a.edges.at[1].guard);
  assert_int_equal(w.a.states.at[0].d, w.a.states.at[1].d);
  assert_int_equal(w.a.edges.at[0].emit, w.a.edges.at[1].emit);
  dipa_file_clear(&w);
}

/* Edges written before their source's other edges still end up next to them. */
static void finish_sorts_stably(void **state) {
  (void)state;
  struct rng rng = rng_seeded(7);
  for (int round = 0; round < 200; round++) {
    struct automaton a;
    automaton_init(&a);
    uint32_t n = 1 + (uint32_t)rng_below(&rng, 8), m = (uint32_t)rng_below(&rng, 30);
    for (uint32_t s = 0; s < n; s++)
      automaton_state(&a, NULL, 0, span_none());
    for (uint32_t e = 0; e < m; e++) /* emit tells the order of insertion */
      automaton_edge(&a, (struct automaton_edge){.from = (uint32_t)rng_below(&rng, n), .emit = e},
                     span_none());
    automaton_finish(&a);
    assert_int_equal(a.first_edge.at[n], m);
    for (uint32_t s = 0; s < n; s++)
      for (uint32_t e = a.first_edge.at[s]; e < a.first_edge.at[s + 1]; e++) {
        assert_int_equal(a.edges.at[e].from, s);
        if (e > a.first_edge.at[s]) assert_true(a.edges.at[e - 1].emit < a.edges.at[e].emit);
      }
    automaton_clear(&a);
  }
}

struct mistake {
  const char *text, *code, *part;
  unsigned line;
};

static void explains_mistakes(void **state) {
  (void)state;
  static const struct mistake list[] = {
      {"", "dipa-syntax", "no state", 1},
      {"q1: output a; goto q1", "dipa-syntax", "expected `(`", 1},
      {"(q1,0,0): output a; goto q1", "dipa-scale", "d must be positive", 1},
      {"(q1,1,0,-1,0): output a; goto q1", "dipa-scale", "d' must be positive", 1},
      {"(q1,1/0,0): output a; goto q1", "dipa-syntax", "denominator", 1},
      {"(q1,1,0): output insampleprime; goto q1", "dipa-no-prime", "no noise", 1},
      {"(q1,1,0): output a; goto q1\n(q1,1,0): output a; goto q1", "dipa-duplicate", "twice", 2},
      {"(q1,1,0):\n if (insample = x) then output a; goto q1", "dipa-syntax", "`<`, `<=`", 2},
      {"(q1,1,0): if (insample<x || insample<y) then output a; goto q1", "dipa-syntax", "&&", 1},
      {"(q1,1,0): x := in; output a; goto q1", "dipa-syntax", "nothing else can be stored", 1},
      {"(q1,1,0): output a; goto", "dipa-syntax", "the end of the file", 1},
      {"(q1:maybe,1,0): output a; goto q1", "dipa-syntax", "non-input", 1},
      {"(q1,1,0): if (insample<x) then output a; goto q1 else output b; goto q1", "dipa-syntax",
       "elseif", 1},
  };
  for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
    struct dipa_file w;
    assert_false(dipa_file_parse(&w, list[i].text));
    assert_int_equal(w.diags.errors, 1);
    const struct diag *d = &w.diags.list.at[0];
    assert_string_equal(d->code, list[i].code);
    if (!strstr(d->message, list[i].part)) fail_msg("%s: %s", list[i].text, d->message);
    assert_int_equal(sources_place(&w.sources, d->span.file, d->span.begin).line, list[i].line);
    dipa_file_clear(&w);
  }
}

/* One mistake does not hide the next, nor invent others. */
static void recovers(void **state) {
  (void)state;
  struct dipa_file w;
  assert_false(
      dipa_file_parse(&w, "(a,1,0): output ; goto b\n(b,1,0): output x; goto c\n(c,?,0): output x; "
                          "goto a\n"));
  assert_int_equal(w.diags.errors, 2);
  dipa_file_clear(&w);
}

static void reads_the_peer_files(void **state) {
  (void)state;
  const char *folder = "../shared/peers/dipaut";
  DIR *dir = opendir(folder);
  if (!dir) {
    print_message("skipped: %s is not there\n", folder);
    skip();
  }
  size_t count = 0;
  for (struct dirent *entry; (entry = readdir(dir));) {
    const char *dot = strrchr(entry->d_name, '.');
    if (!dot || strcmp(dot, ".dipa") != 0) continue;
    char path[512];
    snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
    struct dipa_file f;
    if (!dipa_file_read(&f, path)) fail_msg("cannot read %s", path);
    assert_true(f.a.edges.len > 0);
    dipa_file_clear(&f);
    count++;
  }
  closedir(dir);
  assert_int_equal(count, 54);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(reads_states_and_edges),
      cmocka_unit_test(interns_what_is_equal),
      cmocka_unit_test(finish_sorts_stably),
      cmocka_unit_test(explains_mistakes),
      cmocka_unit_test(recovers),
      cmocka_unit_test(reads_the_peer_files),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
