/* The exact engine against itself: the same distribution written in two ways.
 *
 * A random program with real and integer noise and a mixed list of outputs is written twice. The
 * second version draws every sample in another way - Laplace as a signed exponential, exponential
 * as a scaled one, discrete Laplace as a difference of geometrics, uniform by halves - and says its
 * conditions the other way round, so that the engine goes other ways: other symbols, other splits,
 * other merges. Boxes of outputs must have the same probability in both. */
#include <math.h>
#include <stdlib.h>

#include "mechanism.h"
#include "run/eval/number.h"
#include "stats.h"

struct gen {
  struct rng rng;
  struct buffer text;
  bool other; /* the second version */
  unsigned fresh;
  unsigned differences; /* of integers: sums of many are slow */
};

static unsigned below(struct gen *g, unsigned n) {
  return (unsigned)rng_below(&g->rng, n);
}

static const char *const reals[] = {"u", "v", "w"};
static const char *const ints[] = {"a", "b"};
static const char *const orders[] = {"<", "<=", ">", ">="};
static const char *const converse[] = {">", ">=", "<", "<="};

/* Draws into an integer or real variable with centre `e`. */
static void put_laplace(struct gen *g, const char *x, const char *e, const char *b) {
  unsigned k = g->fresh++;
  if (g->other)
    buffer_printf(&g->text, "s%u <$ Uniform{-1, 1}; e%u <$ Exp(0, 1); %s := %s + s%u*(%s)*e%u;\n",
                  k, k, x, e, k, b, k);
  else
    buffer_printf(&g->text, "%s <$ Lap(%s, %s);\n", x, e, b);
}

static void put_exponential(struct gen *g, const char *x, const char *e, const char *b) {
  unsigned k = g->fresh++;
  if (g->other)
    buffer_printf(&g->text, "e%u <$ Exp(0, 1/3); %s := 3*(%s)*e%u + %s;\n", k, x, b, k, e);
  else
    buffer_printf(&g->text, "%s <$ Exp(%s, %s);\n", x, e, b);
}

static void put_uniform(struct gen *g, const char *x, const char *e) {
  unsigned k = g->fresh++;
  if (g->other)
    buffer_printf(&g->text,
                  "h%u <$ Bernoulli(1/4); if h%u { e%u <$ Uniform(0, 1/2); %s := %s - 1 + e%u; }\n"
                  "else { e%u <$ Uniform(1/2, 2); %s := %s + e%u - 1; }\n",
                  k, k, k, x, e, k, k, x, e, k);
  else
    buffer_printf(&g->text, "%s <$ Uniform(%s - 1, %s + 1);\n", x, e, e);
}

static void put_discrete_laplace(struct gen *g, const char *x, const char *e, const char *b) {
  unsigned k = g->fresh++;
  if (g->other && g->differences++ == 0)
    buffer_printf(&g->text, "g%u <$ Geom(%s, %s); k%u <$ Geom(0, %s); %s := g%u - k%u;\n", k, e, b,
                  k, b, x, k, k);
  else
    buffer_printf(&g->text, "%s <$ DLap(%s, %s);\n", x, e, b);
}

static void put_finite(struct gen *g, const char *x, const char *e) {
  unsigned k = g->fresh++;
  if (g->other)
    buffer_printf(&g->text,
                  "c%u <$ Bernoulli(1/3); d%u <$ UniformInt(0, 1);\ny%u := %s; %s := y%u - 1;"
                  "if not c%u { %s := y%u + d%u; }\n",
                  k, k, k, e, x, k, k, x, k, k);
  else
    buffer_printf(&g->text, "z%u <$ UniformInt(-1, 1); %s := %s + z%u;\n", k, x, e, k);
}

static void put_sample(struct gen *g) {
  static const char *const scales[] = {"1", "1/2", "3/2"};
  const char *b = scales[below(g, 3)];
  unsigned kind = below(g, 7);
  if (kind >= 5) {
    const char *x = ints[below(g, 2)], *e = ints[below(g, 2)];
    if (kind == 5)
      put_discrete_laplace(g, x, e, b);
    else
      put_finite(g, x, e);
    return;
  }
  const char *x = reals[below(g, 3)], *centres[] = {"0", "1", "u", "v", "a", "-1/2"};
  const char *e = centres[below(g, 6)];
  if (kind <= 1)
    put_laplace(g, x, e, b);
  else if (kind == 2)
    put_exponential(g, x, e, b);
  else
    put_uniform(g, x, e);
}

static void put_number(struct gen *g) {
  const char *x = reals[below(g, 3)], *a = ints[below(g, 2)];
  switch (below(g, 7)) {
  case 0: buffer_printf(&g->text, "%d/2", rng_range(&g->rng, -3, 3)); break;
  case 1: buffer_printf(&g->text, "(%s + %d)", x, rng_range(&g->rng, -1, 1)); break;
  case 2: buffer_puts(&g->text, a); break;
  case 3: buffer_printf(&g->text, "2*%s", a); break;
  case 4: buffer_printf(&g->text, "max(-1, min(%s, 1))", x); break;
  case 5: buffer_printf(&g->text, "%s/2", x); break;
  default: buffer_puts(&g->text, x);
  }
}

static void put_statement(struct gen *g, unsigned depth);

static void put_block(struct gen *g, unsigned depth) {
  buffer_puts(&g->text, "skip;\n");
  for (unsigned i = below(g, 3); i > 0; i--)
    put_statement(g, depth);
}

/* `if l < r { A } else { B }`, or the same as `if r > l`, or `if not (l < r) { B } else { A }`. */
static void put_if(struct gen *g, unsigned depth) {
  struct buffer whole = g->text, left, right, yes, no;
  buffer_init(&g->text);
  put_number(g);
  left = g->text;
  buffer_init(&g->text);
  put_number(g);
  right = g->text;
  buffer_init(&g->text);
  put_block(g, depth - 1);
  yes = g->text;
  buffer_init(&g->text);
  put_block(g, depth - 1);
  no = g->text;
  g->text = whole;
  unsigned order = below(g, 4), way = below(g, 2);
  if (!g->other)
    buffer_printf(&g->text, "if %s %s %s {\n%s} else {\n%s}\n", buffer_text(&left), orders[order],
                  buffer_text(&right), buffer_text(&yes), buffer_text(&no));
  else if (way)
    buffer_printf(&g->text, "if %s %s %s {\n%s} else {\n%s}\n", buffer_text(&right),
                  converse[order], buffer_text(&left), buffer_text(&yes), buffer_text(&no));
  else
    buffer_printf(&g->text, "if not (%s %s %s) {\n%s} else {\n%s}\n", buffer_text(&left),
                  orders[order], buffer_text(&right), buffer_text(&no), buffer_text(&yes));
  buffer_clear(&left);
  buffer_clear(&right);
  buffer_clear(&yes);
  buffer_clear(&no);
}

static void put_statement(struct gen *g, unsigned depth) {
  unsigned kind = below(g, depth ? 10 : 7);
  if (kind < 4) {
    put_sample(g);
  } else if (kind < 6) {
    buffer_puts(&g->text, "emit ");
    put_number(g);
    buffer_puts(&g->text, ";\n");
  } else if (kind == 6) {
    buffer_printf(&g->text, "%s := ", reals[below(g, 3)]);
    put_number(g);
    buffer_puts(&g->text, ";\n");
  } else {
    put_if(g, depth);
  }
}

static char *program(uint64_t seed, bool other) {
  struct gen g = {.rng = rng_seeded(seed), .other = other};
  buffer_init(&g.text);
  buffer_puts(&g.text, "mechanism m(x : int) emits real {\n"
                       "var u : real := 0; var v : real := 1; var w : real := 1/2;\n"
                       "a := x; b := 1;\n");
  for (unsigned i = 2 + below(&g, 6); i > 0; i--)
    put_statement(&g, 2);
  buffer_puts(&g.text, "emit ");
  put_number(&g);
  buffer_puts(&g.text, ";\n}\ninstance i { input x = 0; }\n");
  return buffer_take(&g.text);
}

/* A box of up to three outputs; bounds lie beside the integers and halves that atoms sit on. */
static char *box(struct rng *rng) {
  struct buffer b;
  buffer_init(&b);
  buffer_putc(&b, '[');
  unsigned items = 1 + (unsigned)rng_below(rng, 3);
  for (unsigned i = 0; i < items; i++) {
    int low = rng_range(rng, -6, 4), high = low + rng_range(rng, 1, 5);
    if (i) buffer_puts(&b, ", ");
    switch (rng_below(rng, 4)) {
    case 0: buffer_puts(&b, "_"); break;
    case 1: buffer_printf(&b, "%d/3..", low); break;
    case 2: buffer_printf(&b, "..%d/3", high); break;
    default: buffer_printf(&b, "%d/3..%d/3", low, high);
    }
  }
  if (rng_below(rng, 2)) buffer_puts(&b, ", ...");
  buffer_putc(&b, ']');
  return buffer_take(&b);
}

static void two_ways_of_writing_agree(void **state) {
  (void)state;
  size_t asked = 0, told = 0;
  for (uint64_t seed = 1; seed <= test_rounds(30); seed++) {
    char *one = program(seed, false), *two = program(seed, true);
    struct mechanism m1, m2;
    mechanism_load(&m1, one);
    mechanism_load(&m2, two);
    struct rng rng = rng_seeded(seed * 7919);
    for (int i = 0; i < 3; i++) {
      char *event = box(&rng);
      struct exact_result r1, r2;
      mechanism_ask(&m1, event, 0, &r1);
      mechanism_ask(&m2, event, 0, &r2);
      asked++;
      if (r1.status == EXACT_OK && r2.status == EXACT_OK) {
        told += arb_is_positive(r1.probability);
        if (r1.points || r2.points || !arb_overlaps(r1.probability, r2.probability) ||
            mag_cmp_2exp_si(arb_radref(r1.probability), -80) > 0)
          fail_msg("%s: %s\nand\n%s: %s\nof %s", arb_get_str(r1.probability, 20, 0), one,
                   arb_get_str(r2.probability, 20, 0), two, event);
      }
      exact_result_clear(&r1);
      exact_result_clear(&r2);
      free(event);
    }
    mechanism_clear(&m1);
    mechanism_clear(&m2);
    free(one);
    free(two);
  }
  if (4 * told < asked) fail_msg("only %zu of %zu events have an answer", told, asked);
}

/* Cuts the first output at a number: the two halves make the whole, because ties have no mass. */
static void halves_make_the_whole(void **state) {
  (void)state;
  size_t told = 0;
  for (uint64_t seed = 1; seed <= test_rounds(30); seed++) {
    char *text = program(seed, seed % 2);
    struct mechanism m;
    mechanism_load(&m, text);
    struct exact_result whole, low, high, total;
    mechanism_ask(&m, "[_, -5/3..4/3, ...]", 0, &whole);
    mechanism_ask(&m, "[..1/7, -5/3..4/3, ...]", 0, &low);
    mechanism_ask(&m, "[1/7.., -5/3..4/3, ...]", 0, &high);
    mechanism_ask(&m, "_", 0, &total);
    if (total.status == EXACT_OK && !arb_contains_si(total.probability, 1))
      fail_msg("the total is %s:\n%s", arb_get_str(total.probability, 20, 0), text);
    if (whole.status == EXACT_OK && low.status == EXACT_OK && high.status == EXACT_OK) {
      arb_add(low.probability, low.probability, high.probability, 192);
      told += arb_is_positive(whole.probability);
      if (!arb_overlaps(whole.probability, low.probability))
        fail_msg("%s is not %s:\n%s", arb_get_str(whole.probability, 20, 0),
                 arb_get_str(low.probability, 20, 0), text);
    }
    exact_result_clear(&whole);
    exact_result_clear(&low);
    exact_result_clear(&high);
    exact_result_clear(&total);
    mechanism_clear(&m);
    free(text);
  }
  assert_true(told >= test_rounds(30) / 4);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(two_ways_of_writing_agree),
      cmocka_unit_test(halves_make_the_whole),
  };
  return cmocka_run_group_tests_name("variants", tests, NULL, NULL);
}
