#include <math.h>
#include <string.h>

#include "automata/model/simulate.h"
#include "dipa_file.h"
#include "stats.h"
#include "testlib.h"

struct fixture {
  struct dipa_file file;
  struct rvalue eps, inputs;
};

static void start(struct fixture *f, const char *text, slong eps, const slong *inputs, size_t n) {
  assert_true(dipa_file_parse(&f->file, text));
  f->eps = rvalue_int(eps);
  f->inputs = rvalue_seq(RVALUE_LIST, n);
  for (size_t i = 0; i < n; i++)
    f->inputs.as.seq->at[i] = rvalue_int(inputs[i]);
}

static void end(struct fixture *f) {
  rvalue_clear(&f->inputs);
  dipa_file_clear(&f->file);
}

static bool run(struct fixture *f, struct random *r, struct rvalue *out) {
  struct simulation s = {&f->file.a, &f->eps, &f->inputs, 1000};
  return simulate(&s, r, &f->file.diags, out);
}

static double density(double x, double b) {
  return exp(-fabs(x) / b) / (2 * b);
}
static double tail(double x, double b) { /* Pr[X >= x] */
  return x > 0 ? exp(-x / b) / 2 : 1 - exp(x / b) / 2;
}

static const char svt[] = "(q1:non-input, 1/4, 1): x := insample; output begin; goto q2\n"
                          "(q2, 1/2, 0): if (insample < x) then output below; goto q2 "
                          "elseif (insample >= x) then output above; goto q3\n";

/* The length of the output says where the run ended; by quadrature over the threshold. */
static void svt_stops_with_the_right_odds(void **state) {
  (void)state;
  const slong inputs[] = {0, 3, 1};
  struct fixture f;
  start(&f, svt, 1, inputs, 3);
  double p[4] = {0}, h = 0.01;
  for (double t = -120; t <= 120; t += h) {
    double below = density(t - 1, 4) * h;
    for (int k = 0; k < 3; k++) {
      double above = tail(t - (double)inputs[k], 2);
      p[k] += below * above;
      below *= 1 - above;
    }
    p[3] += below;
  }
  size_t n = test_rounds(40000), count[4] = {0};
  struct random r;
  random_init_seeded(&r, 1);
  for (size_t i = 0; i < n; i++) {
    struct rvalue out;
    assert_true(run(&f, &r, &out));
    const struct rvalue_seq *seq = out.as.seq;
    assert_string_equal(seq->at[0].as.symbol, "begin");
    bool above = strcmp(seq->at[seq->len - 1].as.symbol, "above") == 0;
    count[above ? seq->len - 2 : 3]++;
    assert_true(above || seq->len == 4); /* begin and one answer per input */
    rvalue_clear(&out);
  }
  assert_true(chi_square_z(p, count, 4, n) < 3.7);
  end(&f);
}

static double laplace_cdf(double x, const void *scale) {
  return 1 - tail(x - 5, *(const double *)scale);
}

/* insample ~ Lap(5, 1/(2*eps)), insample' ~ Lap(2+3, 1/eps/(1/4)); both at eps = 2 */
static void samples_are_output_with_their_own_noise(void **state) {
  (void)state;
  static const char *const texts[] = {
      "(q1, 2, 3): output insample; goto q2\n",
      "(q1, 2, 0, 1/4, 3): output insampleprime; goto q2\n",
  };
  static const double scales[] = {1. / 4, 2};
  for (int k = 0; k < 2; k++) {
    const slong inputs[] = {2};
    struct fixture f;
    start(&f, texts[k], 2, inputs, 1);
    enum { n = 20000 };
    static double x[n];
    struct random r;
    random_init_seeded(&r, 2);
    for (size_t i = 0; i < n; i++) {
      struct rvalue out;
      assert_true(run(&f, &r, &out));
      assert_int_equal(out.as.seq->at[0].kind, RVALUE_FLOAT);
      x[i] = out.as.seq->at[0].as.number;
      rvalue_clear(&out);
    }
    assert_true(kolmogorov(x, n, laplace_cdf, &scales[k]) < 2);
    end(&f);
  }
}

static void runs_end_where_they_should(void **state) {
  (void)state;
  struct fixture f;
  struct random r;
  struct rvalue out;
  random_init_seeded(&r, 3);
  start(&f, svt, 1, NULL, 0); /* no input: only the non-input state acts */
  assert_true(run(&f, &r, &out));
  assert_int_equal(out.as.seq->len, 1);
  rvalue_clear(&out);
  end(&f);
  start(&f, "(q1:non-input, 1, 0): output a; goto q1\n", 1, NULL, 0); /* never ends */
  assert_false(run(&f, &r, &out));
  assert_string_equal(f.file.diags.list.at[0].code, "step-limit");
  end(&f);
}

/* x is compared before it is assigned; two guards hold at once. */
static void undefined_behaviour_is_an_error(void **state) {
  (void)state;
  struct automaton a;
  struct diags diags;
  automaton_init(&a);
  diags_init(&diags);
  uint32_t q = automaton_state(&a, "q", 1, span_none()),
           end_state = automaton_state(&a, "r", 1, span_none());
  uint32_t one = automaton_ratio(&a, 1, 1), zero = automaton_ratio(&a, 0, 1);
  automaton_noise(&a, q, true, one, zero, AUTOMATON_NONE, AUTOMATON_NONE);
  uint32_t x = automaton_var(&a, "x", 1), symbol = automaton_symbol(&a, "s", 1);
  literal l = literal_less(x);
  uint32_t guard = automaton_guard(&a, &l, 1);
  automaton_edge(&a, (struct automaton_edge){q, end_state, guard, 0, symbol}, span_none());
  a.start = q;
  automaton_finish(&a);
  struct rvalue eps = rvalue_int(1), inputs = rvalue_seq(RVALUE_LIST, 1), out;
  inputs.as.seq->at[0] = rvalue_int(0);
  struct simulation s = {&a, &eps, &inputs, 10};
  struct random r;
  random_init_seeded(&r, 4);
  assert_false(simulate(&s, &r, &diags, &out));
  assert_string_equal(diags.list.at[0].code, "unset-variable");
  automaton_clear(&a);

  automaton_init(&a);
  q = automaton_state(&a, "q", 1, span_none());
  one = automaton_ratio(&a, 1, 1), zero = automaton_ratio(&a, 0, 1);
  automaton_noise(&a, q, true, one, zero, AUTOMATON_NONE, AUTOMATON_NONE);
  symbol = automaton_symbol(&a, "s", 1);
  for (int i = 0; i < 2; i++)
    automaton_edge(&a, (struct automaton_edge){q, q, 0, 0, symbol}, span_none());
  a.start = q;
  automaton_finish(&a);
  assert_false(simulate(&s, &r, &diags, &out));
  assert_string_equal(diags.list.at[1].code, "ambiguous-edge");
  automaton_clear(&a);
  rvalue_clear(&inputs);
  diags_clear(&diags);
}

/* Store x and y from one state, then compare both: with independent noise the two comparisons have
 * independent samples, with shared noise one sample serves both. All means 0, all d 1:
 * shared: Pr[s < x and s < y] = 1/3 (s smallest of three). Independent: 1/4 (s_x < x, s_y < y). */
static void independent_noise_is_independent(void **state) {
  (void)state;
  for (int independent = 0; independent < 2; independent++) {
    struct automaton a;
    automaton_init(&a);
    a.independent = independent;
    uint32_t q0 = automaton_state(&a, "q0", 2, span_none());
    uint32_t q1 = automaton_state(&a, "q1", 2, span_none());
    uint32_t q2 = automaton_state(&a, "q2", 2, span_none());
    uint32_t q3 = automaton_state(&a, "q3", 2, span_none());
    uint32_t one = automaton_ratio(&a, 1, 1), zero = automaton_ratio(&a, 0, 1);
    uint32_t states[] = {q0, q1, q2};
    for (int i = 0; i < 3; i++)
      automaton_noise(&a, states[i], false, one, zero, AUTOMATON_NONE, AUTOMATON_NONE);
    uint32_t x = automaton_var(&a, "x", 1), y = automaton_var(&a, "y", 1);
    uint32_t s = automaton_symbol(&a, "s", 1);
    literal both[] = {literal_less(x), literal_less(y)};
    uint32_t guard = automaton_guard(&a, both, 2);
    uint32_t set_x = automaton_set(&a, &x, 1), set_y = automaton_set(&a, &y, 1);
    automaton_edge(&a, (struct automaton_edge){q0, q1, 0, set_x, s}, span_none());
    automaton_edge(&a, (struct automaton_edge){q1, q2, 0, set_y, s}, span_none());
    automaton_edge(&a, (struct automaton_edge){q2, q3, guard, 0, s}, span_none());
    a.start = q0;
    automaton_finish(&a);
    struct rvalue eps = rvalue_int(1), inputs = rvalue_seq(RVALUE_LIST, 0);
    struct simulation sim = {&a, &eps, &inputs, 10};
    struct diags diags;
    diags_init(&diags);
    struct random r;
    random_init_seeded(&r, 5);
    size_t n = test_rounds(40000), hits = 0;
    for (size_t i = 0; i < n; i++) {
      struct rvalue out;
      assert_true(simulate(&sim, &r, &diags, &out));
      hits += out.as.seq->len == 3;
      rvalue_clear(&out);
    }
    assert_true(fabs(binomial_z(hits, n, independent ? 0.25 : 1. / 3)) < 4);
    rvalue_clear(&inputs);
    diags_clear(&diags);
    automaton_clear(&a);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(svt_stops_with_the_right_odds),
      cmocka_unit_test(samples_are_output_with_their_own_noise),
      cmocka_unit_test(runs_end_where_they_should),
      cmocka_unit_test(undefined_behaviour_is_an_error),
      cmocka_unit_test(independent_noise_is_independent),
  };
  return cmocka_run_group_tests_name("simulate", tests, NULL, NULL);
}
