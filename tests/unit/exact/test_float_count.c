/* Counting against brute force: random programs of floating-point operations on short words, run
 * on the hardware for all values of the words. */
#include "check/exact/float_count.h"
#include "check/exact/float_list.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "mechanism.h"

/* ---- random expressions --------------------------------------------------------------------- */

enum kind {
  WORD,
  OTHER,
  INPUT,
  LITERAL,
  NEG,
  ADD,
  SUB,
  MUL,
  DIV,
  SQRT,
  FLOOR,
  RINT,
  ABS,
  MIN,
  MAX,
  FMA,
  IF,
  KINDS
};

struct tree {
  enum kind kind;
  double literal;
  struct tree *part[4];
};

struct setting {
  double x;
  int words[2], counts[2];
};

static const double literals[] = {0.5, 1, 3, 0.1, -2, 1024, 1e-3, -0.75, 0};

static struct tree *random_tree(struct rng *rng, int depth, bool two) {
  struct tree *t = calloc(1, sizeof *t);
  if (depth == 0 || rng_chance(rng, 1, 8)) {
    t->kind = (enum kind)rng_below(rng, 4);
    if (t->kind == OTHER && !two) t->kind = WORD;
    t->literal = literals[rng_below(rng, sizeof literals / sizeof *literals)];
    return t;
  }
  t->kind = NEG + (enum kind)rng_below(rng, KINDS - NEG);
  for (int i = 0; i < 4; i++)
    t->part[i] = random_tree(rng, depth - 1, two);
  return t;
}

static void tree_free(struct tree *t) {
  if (!t) return;
  for (int i = 0; i < 4; i++)
    tree_free(t->part[i]);
  free(t);
}

static void put(struct buffer *out, const struct tree *t);

static void put_call(struct buffer *out, const char *name, const struct tree *t, int count) {
  buffer_printf(out, "%s(", name);
  for (int i = 0; i < count; i++) {
    if (i) buffer_puts(out, ", ");
    put(out, t->part[i]);
  }
  buffer_puts(out, ")");
}

static void put_operation(struct buffer *out, const char *operator, const struct tree * t) {
  buffer_puts(out, "(");
  put(out, t->part[0]);
  buffer_puts(out, operator);
  put(out, t->part[1]);
  buffer_puts(out, ")");
}

static void put(struct buffer *out, const struct tree *t) {
  switch (t->kind) {
  case WORD: buffer_puts(out, "u"); break;
  case OTHER: buffer_puts(out, "v"); break;
  case INPUT: buffer_puts(out, "x"); break;
  case LITERAL: buffer_printf(out, "to_float(%.17g)", t->literal); break;
  case NEG: put_call(out, "-", t, 1); break;
  case ADD: put_operation(out, " + ", t); break;
  case SUB: put_operation(out, " - ", t); break;
  case MUL: put_operation(out, " * ", t); break;
  case DIV: put_operation(out, " / ", t); break;
  case SQRT: put_call(out, "sqrt", t, 1); break;
  case FLOOR: put_call(out, "floor", t, 1); break;
  case RINT: put_call(out, "round", t, 1); break;
  case ABS: put_call(out, "abs", t, 1); break;
  case MIN: put_call(out, "min", t, 2); break;
  case MAX: put_call(out, "max", t, 2); break;
  case FMA: put_call(out, "fma", t, 3); break;
  default:
    buffer_puts(out, "(if ");
    put_operation(out, " < ", t);
    buffer_puts(out, " then ");
    put(out, t->part[2]);
    buffer_puts(out, " else ");
    put(out, t->part[3]);
    buffer_puts(out, ")");
  }
}

static double value(const struct tree *t, const struct setting *s) {
  volatile double a = 0, b = 0; /* nothing is kept in more precision or contracted */
  if (t->part[0]) a = value(t->part[0], s);
  if (t->part[1] && t->kind >= ADD) b = value(t->part[1], s);
  switch (t->kind) {
  case WORD: return (double)s->words[0] / s->counts[0] - 0.5;
  case OTHER: return (double)s->words[1] / s->counts[1] - 0.5;
  case INPUT: return s->x;
  case LITERAL: return t->literal;
  case NEG: return -a;
  case ADD: return a + b;
  case SUB: return a - b;
  case MUL: return a * b;
  case DIV: return a / b;
  case SQRT: return sqrt(a);
  case FLOOR: return floor(a);
  case RINT: return rint(a);
  case ABS: return fabs(a);
  case MIN: return isnan(a) || isnan(b) ? NAN : fmin(a, b);
  case MAX: return isnan(a) || isnan(b) ? NAN : fmax(a, b);
  case FMA: return fma(a, b, value(t->part[2], s));
  default: return a < b ? value(t->part[2], s) : value(t->part[3], s);
  }
}

/* ---- questions ------------------------------------------------------------------------------ */

static void load(struct mechanism *m, const struct tree *t, const struct setting *s, bool two) {
  struct buffer text;
  buffer_init(&text);
  buffer_printf(&text,
                "mechanism m(private x : float) returns float adjacent within(x, 1) {\n"
                "j <$ UniformInt(0, %d); u := to_float(j)/%d - 0.5;\n",
                s->counts[0] - 1, s->counts[0]);
  if (two)
    buffer_printf(&text, "k <$ UniformInt(0, %d); v := to_float(k)/%d - 0.5;\n", s->counts[1] - 1,
                  s->counts[1]);
  buffer_puts(&text, "return ");
  put(&text, t);
  buffer_printf(&text, "; }\ninstance i { input x = %.17g; }\n", s->x);
  mechanism_load(m, buffer_text(&text));
  buffer_clear(&text);
}

static void put_number(struct buffer *out, double x) {
  struct rvalue v = rvalue_float(x);
  fmpq_t q;
  fmpq_init(q);
  number_get_fmpq(q, &v);
  struct rvalue exact = rvalue_fmpq(q);
  rvalue_print(out, &exact);
  rvalue_clear(&exact);
  fmpq_clear(q);
}

/* low..high, or low alone if they are equal; how many of the outputs are there? */
static size_t count_outputs(const double *outputs, size_t n, double low, double high) {
  size_t count = 0;
  for (size_t i = 0; i < n; i++)
    count += low <= outputs[i] && outputs[i] <= high;
  return count;
}

/* *bound: a lower bound is asked for, and whether it is one. */
static bool ask(struct mechanism *m, double low, double high, size_t n, double *count,
                bool *bound) {
  struct buffer event;
  struct pattern pattern;
  struct exact_result r;
  char *why = NULL;
  size_t at;
  const struct exact_options options = {.bound_will_do = *bound};
  buffer_init(&event);
  put_number(&event, low);
  if (low != high) {
    buffer_puts(&event, "..");
    put_number(&event, high);
  }
  assert_true(pattern_parse(&pattern, buffer_text(&event), &at, &why));
  exact_result_init(&r);
  float_probability(&m->in, &pattern, &options, &r);
  bool known = r.status == EXACT_OK && r.points == 0;
  *count = known ? arf_get_d(arb_midref(r.probability), ARF_RND_NEAR) * (double)n : 0;
  if (known) assert_true(arb_is_zero(r.probability) || arb_rel_accuracy_bits(r.probability) > 60);
  *bound = r.is_bound;
  exact_result_clear(&r);
  pattern_clear(&pattern);
  buffer_clear(&event);
  return known;
}

struct tally {
  size_t asked, known, bounds, impossible, listed;
};

/* An output, or one next to it, or an interval between two. */
static void ask_one(struct mechanism *m, struct rng *rng, const double *outputs, size_t n,
                    struct tally *tally) {
  double low = outputs[rng_below(rng, n)], high = low, count;
  if (!isfinite(low) || fabs(low) > 1e300) return;
  if (rng_chance(rng, 1, 3)) low = high = nextafter(low, rng_chance(rng, 1, 2) ? 1e9 : -1e9);
  if (rng_chance(rng, 1, 3)) high = low + 0.25;
  bool bound = rng_chance(rng, 1, 2);
  tally->asked++;
  if (!ask(m, low, high, n, &count, &bound)) return;
  size_t exact = count_outputs(outputs, n, low, high);
  tally->known++;
  tally->bounds += bound;
  tally->impossible += count == 0;
  if (bound ? count > (double)exact + 1e-6 : fabs(count - (double)exact) > 1e-6)
    fail_msg("%.17g..%.17g: %s%g instead of %zu", low, high, bound ? "at least " : "", count,
             exact);
}

/* The whole list: as many runs have each output as it says, and no other outputs. */
static void list_outputs(struct mechanism *m, const double *outputs, size_t n,
                         struct tally *tally) {
  struct exact_distribution d;
  size_t total = 0;
  exact_distribution_init(&d);
  bool ok = float_distribution(&m->in, NULL, &d);
  assert_true(ok == (d.status == EXACT_OK) && (ok || d.outcomes.len == 0));
  for (size_t i = 0; i < d.outcomes.len; i++) {
    const struct rvalue *output = &d.outcomes.at[i].output;
    fmpq_t value;
    fmpq_init(value);
    number_get_fmpq(value, output);
    double x = fmpq_get_d(value);
    fmpq_clear(value);
    size_t exact = count_outputs(outputs, n, x, x);
    double count = arf_get_d(arb_midref(d.outcomes.at[i].probability), ARF_RND_NEAR) * (double)n;
    if (exact == 0 || fabs(count - (double)exact) > 1e-6)
      fail_msg("%.17g: %g instead of %zu", x, count, exact);
    total += exact;
  }
  if (ok) assert_int_equal(total, n);
  tally->listed += ok;
  exact_distribution_clear(&d);
}

static void one_program(struct rng *rng, bool two, struct tally *tally) {
  struct setting s = {.x = rng_range(rng, -8, 8) / 4.0};
  struct mechanism m;
  s.counts[0] = rng_range(rng, 65, two ? 80 : 300);
  s.counts[1] = two ? rng_range(rng, 65, 80) : 1;
  struct tree *t = random_tree(rng, rng_range(rng, 1, two ? 3 : 4), two);
  if (two) { /* such that something comes last */
    struct tree *top = calloc(1, sizeof *top);
    *top = (struct tree){.kind = rng_chance(rng, 1, 4) ? MAX : ADD};
    top->part[rng_below(rng, 2)] = t;
    for (int i = 0; i < 2; i++)
      if (!top->part[i]) *(top->part[i] = calloc(1, sizeof *t)) = (struct tree){.kind = INPUT};
    t = top;
  }
  size_t n = (size_t)s.counts[0] * (size_t)s.counts[1];
  double *outputs = malloc(n * sizeof *outputs);
  for (size_t i = 0; i < n; i++) {
    s.words[0] = (int)(i % (size_t)s.counts[0]);
    s.words[1] = (int)(i / (size_t)s.counts[0]);
    outputs[i] = value(t, &s);
  }
  load(&m, t, &s, two);
  for (int i = 0; i < 6; i++)
    ask_one(&m, rng, outputs, n, tally);
  if (!two && rng_chance(rng, 1, 5)) list_outputs(&m, outputs, n, tally);
  mechanism_clear(&m);
  free(outputs);
  tree_free(t);
}

static void counts_are_those_of_all_runs(void **state) {
  (void)state;
  struct rng rng = rng_seeded(1901);
  struct tally tally = {0};
  for (size_t i = 0; i < test_rounds(2000); i++)
    one_program(&rng, false, &tally);
  assert_often(tally.known * 3 > tally.asked && tally.impossible > 50 && tally.listed > 60);
}

static void bounds_hold_for_two_words(void **state) {
  (void)state;
  struct rng rng = rng_seeded(1902);
  struct tally tally = {0};
  for (size_t i = 0; i < test_rounds(600); i++)
    one_program(&rng, true, &tally);
  assert_often(tally.bounds > 20 && tally.impossible > 20);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(counts_are_those_of_all_runs),
      cmocka_unit_test(bounds_hold_for_two_words),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
