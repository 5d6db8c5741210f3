/* Terms as text: what is written is read as the same term, in the same table and in another; what
 * is no term is refused. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "out/dossier_write.h"
#include "out/print.h"
#include "term/exchange.h"
#include "term/subst.h"
#include "termgen.h"

static struct terms here, there;
static struct term_writer writer;
static struct term_reader reader; /* into `there` */

static int setup(void **state) {
  (void)state;
  terms_init(&here);
  terms_init(&there);
  term_writer_init(&writer, &here);
  term_reader_init(&reader, &there);
  return 0;
}

static int teardown(void **state) {
  (void)state;
  term_writer_clear(&writer);
  term_reader_clear(&reader);
  terms_clear(&here);
  terms_clear(&there);
  return 0;
}

/* By one line after the other, as a certificate is read. */
static term_id carry_in(struct term_writer *w, struct term_reader *r, size_t *read, term_id t) {
  size_t line = term_write(w, t);
  assert_true(term_read_lines(r, buffer_text(&w->out) + *read));
  *read = w->out.len;
  assert_int_equal(r->lines.len, w->lines);
  return term_read(r, line);
}

static void assert_same(struct terms *ts, term_id expected, term_id t) {
  if (t != expected) {
    char *e = term_text(ts, expected), *a = t ? term_text(ts, t) : NULL;
    print_message("%s\nis not\n%s\n", a ? a : "nothing", e);
    free(e);
    free(a);
  }
  assert_int_equal(t, expected);
}

/* A formula with bound variables from a random one. */
static term_id close_over(struct termgen *g, term_id t, uint64_t shape) {
  term_id vars[] = {g->ints[0], g->reals[1]};
  switch (shape) {
  case 0: return term_forall(g->ts, vars, 2, t);
  case 1: return term_exists(g->ts, vars, 1, t);
  case 2: /* the same variable bound and free */
    return term_and(g->ts, t, term_forall(g->ts, vars, 1, term_exists(g->ts, vars + 1, 1, t)));
  default: return t;
  }
}

/* With some variables made equal, so that what is said of them, under quantifiers as well, may turn
 * out to say nothing. */
static term_id equate(struct termgen *g, term_id t) {
  term_id from[] = {g->ints[1], g->ints[2], g->reals[0], g->reals[2]};
  term_id to[] = {g->ints[3], g->ints[3], g->reals[3], g->reals[3]};
  return term_subst(g->ts, t, from, to, 4);
}

/* The same random terms are built in both tables, which have different handles for them; what is
 * carried over meets its twin. And back again. */
static void random_terms_arrive(void **state) {
  (void)state;
  struct termgen a, b;
  for (int i = 0; i < 100; i++)
    term_int(&there, 1000 - i);
  term_var(&there, "w", SORT_REAL, 0, 0); /* other orders of arguments */
  termgen_init(&a, &here, 7);
  termgen_init(&b, &there, 7);
  struct term_writer back_writer;
  struct term_reader back_reader;
  term_writer_init(&back_writer, &there);
  term_reader_init(&back_reader, &here);
  size_t read = 0, back_read = 0, rounds = test_rounds(2000);
  static const sort_id sorts[] = {SORT_BOOL, SORT_INT, SORT_REAL};
  for (size_t i = 0; i < rounds; i++) {
    sort_id sort = sorts[i % 3];
    term_id t = termgen_term(&a, sort, 4), twin = termgen_term(&b, sort, 4);
    if (sort == SORT_BOOL) {
      t = close_over(&a, t, i / 3 % 4);
      twin = close_over(&b, twin, i / 3 % 4);
    }
    if (i / 12 % 2) {
      t = equate(&a, t);
      twin = equate(&b, twin);
    }
    if (t == TERM_NONE) continue;
    assert_same(&there, twin, carry_in(&writer, &reader, &read, t));
    assert_same(&here, t, carry_in(&back_writer, &back_reader, &back_read, twin));
  }
  term_writer_clear(&back_writer);
  term_reader_clear(&back_reader);
  termgen_clear(&a);
  termgen_clear(&b);
}

/* What is replaced in the body of a quantifier can take its variable out of it, also from between
 * other quantifiers. */
static void idle_quantifiers_vanish(void **state) {
  (void)state;
  term_id x = term_var(&here, "x", SORT_REAL, 0, 0), y = term_var(&here, "y", SORT_REAL, 0, 0);
  term_id a = term_var(&here, "a", SORT_REAL, 1, 0), b = term_var(&here, "b", SORT_REAL, 1, 0);
  symbol_id f = symbol_declare(&here, "f", (sort_id[]){SORT_BOOL}, 1, SORT_BOOL);
  term_id same = term_eq(&here, term_mul(&here, x, a), term_mul(&here, x, b));
  term_id marked = term_app(&here, f, &same, 1); /* stays when `same` is true */
  term_id less = term_lt(&here, y, a);
  term_id inner = term_exists(&here, &y, 1, term_and(&here, marked, less));
  term_id outer = term_forall(&here, &x, 1, inner);
  term_id other =
      term_forall(&here, &y, 1, term_exists(&here, &x, 1, term_or(&here, marked, less)));
  term_id yes = term_bool(&here, true), idle = term_app(&here, f, &yes, 1);
  assert_same(&here, term_exists(&here, &y, 1, term_and(&here, idle, less)),
              term_subst(&here, outer, &b, &a, 1));
  assert_same(&here, term_forall(&here, &y, 1, term_or(&here, idle, less)),
              term_subst(&here, other, &b, &a, 1));
}

/* Every head that random terms do not have. */
static size_t odd_terms(struct terms *ts, term_id *out) {
  sort_id thing = sort_abstract(ts, "a thing"), reals = sort_array(ts, SORT_REAL);
  sort_id pair = sort_tuple(ts, (sort_id[]){SORT_INT, reals}, 2), lists = sort_list(ts, pair);
  term_id n = term_var(ts, "n", SORT_INT, 2, 5), x = term_var(ts, "x'%", SORT_REAL, 1, 0);
  term_id a = term_var(ts, "a", reals, 1, 0), b = term_var(ts, "a", reals, 2, 0);
  term_id p = term_var(ts, "p", pair, 0, 0), l = term_var(ts, "l", lists, 0, 0);
  term_id t = term_var(ts, "t", thing, 0, 0);
  symbol_id f = symbol_declare(ts, "f()", (sort_id[]){thing, SORT_REAL}, 2, thing);
  symbol_id c = symbol_declare(ts, "c", NULL, 0, thing);
  term_id called = term_app(ts, f, (term_id[]){t, x}, 2);
  size_t count = 0;
  out[count++] = term_raise(ts, 2, n);
  out[count++] = term_pow(ts, x, 3);
  out[count++] = term_exp(ts, term_sqrt(ts, term_ln(ts, x)));
  out[count++] = term_store(ts, a, n, x);
  out[count++] = term_select(ts, b, term_differing(ts, a, b));
  out[count++] = term_eq(ts, p, term_tuple(ts, (term_id[]){n, a}, 2));
  out[count++] = term_proj(ts, p, 1);
  out[count++] = term_append(ts, term_cons(ts, p, term_nil(ts, lists)), l);
  out[count++] = term_head(ts, term_tail(ts, l));
  out[count++] = term_eq(ts, called, term_app(ts, c, NULL, 0));
  out[count++] = term_forall(ts, (term_id[]){t, x}, 2, term_eq(ts, called, t));
  out[count++] = term_ite(ts, term_lt(ts, x, n), called, t);
  return count;
}

static void every_head_arrives(void **state) {
  (void)state;
  term_id from[16], to[16];
  size_t count = odd_terms(&here, from), read = 0;
  assert_int_equal(odd_terms(&there, to), count);
  for (size_t i = 0; i < count; i++) {
    assert_int_not_equal(from[i], TERM_NONE);
    assert_same(&there, to[i], carry_in(&writer, &reader, &read, from[i]));
  }
}

static void equal_terms_are_written_once(void **state) {
  (void)state;
  term_id from[16];
  size_t count = odd_terms(&here, from);
  for (size_t i = 0; i < count; i++)
    term_write(&writer, from[i]);
  size_t lines = writer.lines;
  for (size_t i = 0; i < count; i++)
    term_write(&writer, from[i]);
  assert_int_equal(writer.lines, lines);
}

/* ---- what is no term ------------------------------------------------------------------------- */

static void wrong_lines_are_refused(void **state) {
  (void)state;
  assert_true(term_read_lines(&reader, "v x r 0 0\nv n i 0 0\nv p b 0 0\nv a [r] 0 0\nv l {i} 0 0\n"
                                       "tuple 0 1\nv t 'thing' 0 0\n"));
  static const char *const wrong[] = {"",
                                      " ",
                                      "v",
                                      "v x",
                                      "v x r",
                                      "v x r 0",
                                      "v x r 3 0",
                                      "v x r 0 99999999999",
                                      "v x r 0 4294967295",
                                      "v x r 0 -1",
                                      "v x q 0 0",
                                      "v x [r 0 0",
                                      "v x [r,r] 0 0",
                                      "v x (r) 0 0",
                                      "v x {} 0 0",
                                      "v x ' 0 0",
                                      "v x '' 0 0",
                                      "v % r 0 0",
                                      "v %0 r 0 0",
                                      "v %00 r 0 0",
                                      "v %zz r 0 0",
                                      "v x\t r 0 0",
                                      "v x r 0 0 0",
                                      "n",
                                      "n 1",
                                      "n r",
                                      "n 1/0 r",
                                      "n 1/2 i",
                                      "n 1 b",
                                      "n x r",
                                      "n 1 r 2",
                                      "n 1 [r]",
                                      "+",
                                      "+ 99",
                                      "+ 0 99",
                                      "+ 0 2",
                                      "* 0 3",
                                      "^ 0",
                                      "^ 2",
                                      "^ 99999999 0",
                                      "^ 2 2",
                                      "raise 1 1",
                                      "raise 2 0",
                                      "/ 0",
                                      "/ 0 1 0",
                                      "div 0 1",
                                      "exp 2",
                                      "if 0 0 0",
                                      "if 2 0 2",
                                      "= 0 2",
                                      "= 3 4",
                                      "< 2 2",
                                      "< 3 3",
                                      "not 0",
                                      "and 0",
                                      "and",
                                      "or 2 1",
                                      "-> 2",
                                      "get 3 0",
                                      "get 0 1",
                                      "set 3 1 2",
                                      "differing 3 4",
                                      ":: 0 3",
                                      ":: 2 4",
                                      "++ 4 3",
                                      "length 3",
                                      "head 0",
                                      "tuple 0",
                                      "tuple",
                                      "proj 2 5",
                                      "proj 0 0",
                                      "proj 5",
                                      "nil",
                                      "nil r",
                                      "nil [i]",
                                      "true 2",
                                      "all 0",
                                      "all 0 0",
                                      "all 1 1",
                                      "all 5 2",
                                      "some 99 2",
                                      "all 0 2 name more",
                                      "@",
                                      "@ f",
                                      "@ f r i",
                                      "@ f r i 0",
                                      "@ f q",
                                      "@ f r 0",
                                      "bound 0",
                                      "v x r 0 0\n",
                                      "foo 0 0",
                                      "-1",
                                      "+ -1 0",
                                      "+ 0x0 1",
                                      "+ 00000000000 1",
                                      "not 2 2",
                                      "'thing'",
                                      "= 6 0"};
  size_t lines = reader.lines.len;
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    if (term_read_line(&reader, wrong[i], strlen(wrong[i]))) fail_msg("read: '%s'", wrong[i]);
    assert_int_equal(reader.lines.len, lines);
  }
  assert_int_equal(term_read(&reader, lines), TERM_NONE);
  assert_int_equal(term_read(&reader, SIZE_MAX), TERM_NONE);
}

static void an_operator_has_one_signature(void **state) {
  (void)state;
  assert_true(term_read_lines(&reader, "v x r 0 0\nv n i 0 0\n@ f r r 0\n"));
  assert_false(term_read_lines(&reader, "@ f r i 1\n"));
  assert_false(term_read_lines(&reader, "@ f i r 0\n"));
  assert_true(term_read_lines(&reader, "@ f r r 0\n"));
}

static void deep_sorts_are_refused(void **state) {
  (void)state;
  char line[10000] = "v x ";
  size_t depth = 4000;
  memset(line + 4, '[', depth);
  line[4 + depth] = 'r';
  memset(line + 5 + depth, ']', depth);
  memcpy(line + 5 + 2 * depth, " 0 0", 5);
  assert_false(term_read_line(&reader, line, strlen(line)));
}

/* Lines that were written, with bytes changed, dropped or repeated: refused, or a closed term. */
static void damaged_lines_make_terms_or_nothing(void **state) {
  (void)state;
  struct rng rng = rng_seeded(11);
  struct termgen g;
  termgen_init(&g, &here, 12);
  static const char bytes[] = "0123456789 +-*/^<=@'[]{}(),%birvnall\t\n\x80\xff";
  size_t accepted = 0, refused = 0;
  for (size_t round = 0; round < test_rounds(300); round++) {
    term_id t = close_over(&g, termgen_term(&g, SORT_BOOL, 4), round % 4);
    if (t == TERM_NONE) continue;
    struct term_writer w;
    struct term_reader r;
    term_writer_init(&w, &here);
    term_reader_init(&r, &there);
    term_write(&w, t);
    char *text = strdup(buffer_text(&w.out));
    for (int changes = 0; changes < 3 && w.out.len; changes++)
      text[rng_below(&rng, w.out.len)] = bytes[rng_below(&rng, sizeof bytes - 1)];
    if (term_read_lines(&r, text))
      accepted++;
    else
      refused++;
    for (size_t i = 0; i < r.lines.len; i++) {
      assert_int_not_equal(r.lines.at[i], TERM_NONE);
      assert_int_equal(term_get(&there, r.lines.at[i])->loose, 0);
    }
    free(text);
    term_writer_clear(&w);
    term_reader_clear(&r);
  }
  assert_true(refused > accepted);                              /* the bytes matter */
  for (size_t round = 0; round < test_rounds(20000); round++) { /* anything */
    char line[40];
    size_t length = rng_below(&rng, sizeof line);
    for (size_t i = 0; i < length; i++)
      line[i] = bytes[rng_below(&rng, sizeof bytes - 1)];
    term_read_line(&reader, line, length);
  }
  for (size_t i = 0; i < reader.lines.len; i++)
    assert_int_equal(term_get(&there, reader.lines.at[i])->loose, 0);
  termgen_clear(&g);
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
  const struct CMUnitTest tests[] = {
      TEST(random_terms_arrive),     TEST(idle_quantifiers_vanish),
      TEST(every_head_arrives),      TEST(equal_terms_are_written_once),
      TEST(wrong_lines_are_refused), TEST(an_operator_has_one_signature),
      TEST(deep_sorts_are_refused),  TEST(damaged_lines_make_terms_or_nothing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
