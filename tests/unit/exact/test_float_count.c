/* Counting against brute force: random programs of floating-point operations on short words, run
 * on the hardware for all values of the words; where functions of a library may be off by some ulp,
 * with a random library. */
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
  LN,
  EXP,
  LOG1P,
  EXPM1,
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
  unsigned ulps; /* of the library, which this says: */
  uint64_t library;
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
  case LN: put_call(out, "ln", t, 1); break;
  case EXP: put_call(out, "exp", t, 1); break;
  case LOG1P: put_call(out, "log1p", t, 1); break;
  case EXPM1: put_call(out, "expm1", t, 1); break;
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

/* A function of the library: a fixed value near the correctly rounded one, of its sign. Where it is
 * exactly 0 or infinite, it is so in every library. */
static double call(enum kind kind, double x, const struct setting *s) {
  binary64 bits;
  double y;
  memcpy(&bits, &x, sizeof bits);
  bits = kind == LN      ? binary64_ln(BINARY64, bits)
         : kind == EXP   ? binary64_exp(BINARY64, bits)
         : kind == LOG1P ? binary64_log1p(BINARY64, bits)
                         : binary64_expm1(BINARY64, bits);
  memcpy(&y, &bits, sizeof y);
  if (!s->ulps || isnan(y) || (y == 0 && kind != EXP)) return y;
  if (isinf(y) && (isinf(x) || kind == LN || kind == LOG1P)) return y;
  memcpy(&bits, &x, sizeof bits);
  struct rng rng = rng_seeded(s->library ^ (bits * 31) ^ (uint64_t)kind);
  const double to = rng_chance(&rng, 1, 2) ? INFINITY : -INFINITY;
  for (unsigned i = (unsigned)rng_below(&rng, s->ulps + 1); i > 0; i--) {
    const double next = nextafter(y, to);
    if (next * y < 0 || (y == 0 && next < 0)) break;
    y = next;
  }
  return y;
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
  case LN:
  case EXP:
  case LOG1P:
  case EXPM1: return call(t->kind, a, s);
  default: return a < b ? value(t->part[2], s) : value(t->part[3], s);
  }
}

/* ---- questions ------------------------------------------------------------------------------ */

/* One tree is returned; two are returned as a pair, or emitted in a loop. */
enum way { WAY_ONE, WAY_PAIR, WAY_EMIT };

static void load(struct mechanism *m, struct tree *const *trees, enum way way,
                 const struct setting *s) {
  static const char *const outputs[] = {"returns float", "returns (float, float)", "emits float"};
  const bool two = s->counts[1] > 1;
  struct buffer text;
  buffer_init(&text);
  if (s->ulps) buffer_printf(&text, "libm ln, exp, log1p, expm1 within %u ulp;\n", s->ulps);
  buffer_printf(&text,
                "mechanism m(private x : float) %s adjacent within(x, 1) {\n"
                "j <$ UniformInt(0, %d); u := to_float(j)/%d - 0.5;\n",
                outputs[way], s->counts[0] - 1, s->counts[0]);
  if (two)
    buffer_printf(&text, "k <$ UniformInt(0, %d); v := to_float(k)/%d - 0.5;\n", s->counts[1] - 1,
                  s->counts[1]);
  buffer_puts(&text, way == WAY_ONE    ? "return "
                     : way == WAY_PAIR ? "return ("
                                       : "for i in 0..2 { emit if i = 0 then ");
  put(&text, trees[0]);
  if (way != WAY_ONE) {
    buffer_puts(&text, way == WAY_PAIR ? ", " : " else ");
    put(&text, trees[1]);
  }
  buffer_puts(&text, way == WAY_ONE ? ";" : way == WAY_PAIR ? ");" : "; }");
  buffer_printf(&text, " }\ninstance i { input x = %.17g; }\n", s->x);
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

/* low..high, or low alone if they are equal */
struct part {
  double low, high;
};

static void put_part(struct buffer *out, struct part part) {
  put_number(out, part.low);
  if (part.low == part.high) return;
  buffer_puts(out, "..");
  put_number(out, part.high);
}

/* What is known of the number of runs: from least to most. */
struct answer {
  double least, most;
  bool bound;
};

/* answer->bound: a lower bound is asked for, and whether it is one. */
static bool ask(struct mechanism *m, const char *event, size_t n, struct answer *answer) {
  struct pattern pattern;
  struct exact_result r;
  char *why = NULL;
  size_t at;
  const struct exact_options options = {.bound_will_do = answer->bound};
  assert_true(pattern_parse(&pattern, event, &at, &why));
  exact_result_init(&r);
  float_probability(&m->in, &pattern, &options, &r);
  bool known = r.status == EXACT_OK && r.points == 0;
  arf_t end;
  arf_init(end);
  arb_get_lbound_arf(end, r.probability, 60);
  answer->least = known ? arf_get_d(end, ARF_RND_DOWN) * (double)n : 0;
  arb_get_ubound_arf(end, r.probability, 60);
  answer->most = known ? arf_get_d(end, ARF_RND_UP) * (double)n : 0;
  arf_clear(end);
  answer->bound = r.is_bound;
  exact_result_clear(&r);
  pattern_clear(&pattern);
  return known;
}

struct tally {
  size_t asked, known, bounds, impossible, wide, listed;
};

/* An output, or one next to it, or an interval between two. */
static bool choose_part(struct rng *rng, double output, struct part *part) {
  if (!isfinite(output) || fabs(output) > 1e300) return false;
  *part = (struct part){output, output};
  if (rng_chance(rng, 1, 3))
    part->low = part->high = nextafter(output, rng_chance(rng, 1, 2) ? 1e9 : -1e9);
  if (rng_chance(rng, 1, 3)) part->high = part->low + 0.25;
  return true;
}

static bool is_in(struct part part, double x) {
  return part.low <= x && x <= part.high;
}

static void check_answer(const struct answer *answer, size_t exact, bool is_exact,
                         const char *event, struct tally *tally) {
  tally->known++;
  tally->bounds += answer->bound;
  tally->impossible += answer->most == 0;
  tally->wide += answer->most > answer->least + 0.5;
  if (is_exact && answer->most > answer->least + 1e-6) fail_msg("%s: not exact", event);
  if (answer->least > (double)exact + 1e-6 ||
      (!answer->bound && answer->most < (double)exact - 1e-6))
    fail_msg("%s: %g .. %g instead of %zu", event, answer->least, answer->most, exact);
}

static void ask_one(struct mechanism *m, struct rng *rng, double *const *outputs, size_t n,
                    enum way way, bool is_exact, struct tally *tally) {
  struct part parts[2];
  struct buffer event;
  size_t run = rng_below(rng, n), exact = 0;
  if (!choose_part(rng, outputs[0][run], &parts[0])) return;
  if (way != WAY_ONE && !choose_part(rng, outputs[1][run], &parts[1])) return;
  for (size_t i = 0; i < n; i++)
    exact += is_in(parts[0], outputs[0][i]) && (way == WAY_ONE || is_in(parts[1], outputs[1][i]));
  buffer_init(&event);
  if (way != WAY_ONE) buffer_puts(&event, way == WAY_PAIR ? "(" : "[");
  put_part(&event, parts[0]);
  if (way != WAY_ONE) {
    buffer_puts(&event, ", ");
    put_part(&event, parts[1]);
    buffer_puts(&event, way == WAY_PAIR ? ")" : "]");
  }
  struct answer answer = {.bound = rng_chance(rng, 1, 2)};
  tally->asked++;
  if (ask(m, buffer_text(&event), n, &answer))
    check_answer(&answer, exact, is_exact, buffer_text(&event), tally);
  buffer_clear(&event);
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
    size_t exact = 0;
    for (size_t k = 0; k < n; k++)
      exact += outputs[k] == x;
    double count = arf_get_d(arb_midref(d.outcomes.at[i].probability), ARF_RND_NEAR) * (double)n;
    if (exact == 0 || fabs(count - (double)exact) > 1e-6)
      fail_msg("%.17g: %g instead of %zu", x, count, exact);
    total += exact;
  }
  if (ok) assert_int_equal(total, n);
  tally->listed += ok;
  exact_distribution_clear(&d);
}

/* Pairs and streams are not listed yet: never as something else. */
static void assert_not_listed(struct mechanism *m) {
  struct exact_distribution d;
  exact_distribution_init(&d);
  assert_false(float_distribution(&m->in, NULL, &d));
  exact_distribution_clear(&d);
}

/* Of two words: such that something comes last. */
static struct tree *with_last(struct rng *rng, struct tree *t) {
  struct tree *top = calloc(1, sizeof *top);
  *top = (struct tree){.kind = rng_chance(rng, 1, 4) ? MAX : ADD};
  top->part[rng_below(rng, 2)] = t;
  for (int i = 0; i < 2; i++)
    if (!top->part[i]) *(top->part[i] = calloc(1, sizeof *t)) = (struct tree){.kind = INPUT};
  return top;
}

static void one_program(struct rng *rng, bool two, unsigned ulps, struct tally *tally) {
  struct setting s = {.x = rng_range(rng, -8, 8) / 4.0, .ulps = ulps, .library = rng_next(rng)};
  const enum way way = rng_chance(rng, 2, 3)   ? WAY_ONE
                       : rng_chance(rng, 1, 2) ? WAY_PAIR
                                               : WAY_EMIT;
  struct mechanism m;
  struct tree *trees[2];
  double *outputs[2];
  s.counts[0] = rng_range(rng, 65, two ? 80 : 300);
  s.counts[1] = two ? rng_range(rng, 65, 80) : 1;
  const size_t n = (size_t)s.counts[0] * (size_t)s.counts[1];
  for (int k = 0; k < 2; k++) {
    trees[k] = random_tree(rng, rng_range(rng, 1, two ? 3 : 4), two);
    if (two) trees[k] = with_last(rng, trees[k]);
    outputs[k] = malloc(n * sizeof *outputs[k]);
    for (size_t i = 0; i < n; i++) {
      s.words[0] = (int)(i % (size_t)s.counts[0]);
      s.words[1] = (int)(i / (size_t)s.counts[0]);
      outputs[k][i] = value(trees[k], &s);
    }
  }
  load(&m, trees, way, &s);
  for (int i = 0; i < 6; i++)
    ask_one(&m, rng, outputs, n, way, !ulps, tally);
  if (!two && way == WAY_ONE && rng_chance(rng, 1, 5)) list_outputs(&m, outputs[0], n, tally);
  if (way != WAY_ONE) assert_not_listed(&m);
  mechanism_clear(&m);
  for (int k = 0; k < 2; k++) {
    free(outputs[k]);
    tree_free(trees[k]);
  }
}

static void counts_are_those_of_all_runs(void **state) {
  (void)state;
  struct rng rng = rng_seeded(1901);
  struct tally tally = {0};
  for (size_t i = 0; i < test_rounds(1200); i++)
    one_program(&rng, false, 0, &tally);
  assert_often(tally.known * 3 > tally.asked && tally.impossible > 50 && tally.listed > 20);
}

static void bounds_hold_for_two_words(void **state) {
  (void)state;
  struct rng rng = rng_seeded(1902);
  struct tally tally = {0};
  for (size_t i = 0; i < test_rounds(600); i++)
    one_program(&rng, true, 0, &tally);
  assert_often(tally.bounds > 20 && tally.impossible > 20);
}

static void intervals_hold_for_every_library(void **state) {
  (void)state;
  struct rng rng = rng_seeded(1903);
  struct tally tally = {0};
  for (size_t i = 0; i < test_rounds(300); i++)
    one_program(&rng, rng_chance(&rng, 1, 8), 1 + (unsigned)rng_below(&rng, 6), &tally);
  assert_often(tally.known * 3 > tally.asked && tally.wide > 50);
}

/* Numbers are drawn until one is large enough: those have equal probabilities. */
static void loops_that_stop_at_random_are_bounded(void **state) {
  (void)state;
  struct rng rng = rng_seeded(1904);
  struct mechanism m;
  mechanism_load(&m, "mechanism m(private x : float) returns float adjacent within(x, 1) {\n"
                     "u := to_float(-1);\n"
                     "while u < 0.25 { j <$ UniformInt(0, 99); u := to_float(j)/100; }\n"
                     "return x + u*u; }\ninstance i { input x = 1; }\n");
  for (size_t i = 0; i < test_rounds(40); i++) {
    struct part part = {1 + rng_range(&rng, 0, 50) / 100.0, 1 + rng_range(&rng, 51, 120) / 100.0};
    struct answer answer = {0};
    struct buffer event;
    size_t hits = 0;
    for (int j = 25; j < 100; j++) {
      volatile double u = j / 100.0, square = u * u;
      hits += is_in(part, 1 + square);
    }
    buffer_init(&event);
    put_part(&event, part);
    assert_true(ask(&m, buffer_text(&event), 1, &answer));
    assert_true(answer.least <= (double)hits / 75 && (double)hits / 75 <= answer.most);
    assert_true(fabs(answer.least - (double)hits / 100) < 1e-9 && answer.most < 1.01);
    buffer_clear(&event);
  }
  struct answer all = {0};
  assert_false(ask(&m, "_", 1, &all)); /* not known to end */
  mechanism_clear(&m);
  mechanism_load(&m,
                 "mechanism m(private x : float) returns float adjacent within(x, 1) {\n"
                 "u := to_float(-1);\n"
                 "while u < 0.5 { if u < 0 { j <$ UniformInt(0, 99); u := to_float(j)/100; } }\n"
                 "return x; }\ninstance i { input x = 1; }\n");
  assert_true(ask(&m, "1", 1, &all)); /* half of the runs go on for ever */
  assert_true(all.least <= 0.5 && all.most >= 0.5);
  mechanism_clear(&m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(counts_are_those_of_all_runs),
      cmocka_unit_test(bounds_hold_for_two_words),
      cmocka_unit_test(intervals_hold_for_every_library),
      cmocka_unit_test(loops_that_stop_at_random_are_bounded),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
