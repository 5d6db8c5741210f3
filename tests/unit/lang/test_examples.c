/* The examples mean what they say: on small inputs the correct ones keep their claimed cost and the
 * incorrect ones exceed it.
 *
 * Independent of every prover and refuter: the interpreter runs a mechanism on all outcomes of all
 * its samples, with real noise replaced by integer noise of the same scale: on integer inputs the
 * couplings of all these mechanisms shift noise by integers, so the cost is the same. Samples
 * beyond +-width are taken as +-width. The test finds wrong scales, directions, limits and claims;
 * `least` is a bound from below on the loss of the correct ones, against noise that became too
 * much. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "choices.h"
#include "lang/syntax/lang.h"
#include "run/eval/number.h"
#include "run/sample/interp.h"
#include "run/sample/noise.h"
#include "source_text.h"
#include "testlib.h"

/* ---- all outcomes of one run ---------------------------------------------------------------- */

struct paths {
  struct choices choices;
  double weight;
  int width;
};

/* Pr[X <= k] for X discrete Laplace around 0. */
static double laplace_below(double k, double r) {
  return k >= 0 ? 1 - pow(r, k + 1) / (1 + r) : pow(r, -k) / (1 + r);
}

/* Probability that the sample, cut to low..high, is v. */
static double cut_mass(bool one_sided, double centre, double scale, int v, int low, int high) {
  double r = exp(-1 / scale), below = v - 1 - centre, upto = v - centre;
  double before = one_sided ? (below < 0 ? 0 : 1 - pow(r, below + 1)) : laplace_below(below, r);
  double until = one_sided ? (upto < 0 ? 0 : 1 - pow(r, upto + 1)) : laplace_below(upto, r);
  return (v == high ? 1 : until) - (v == low ? 0 : before);
}

static int sample(void *context, enum dist_kind kind, const struct rvalue *args, size_t count,
                  struct rvalue *out) {
  struct paths *p = context;
  unsigned i;
  switch (kind) {
  case DIST_LAPLACE:
  case DIST_DISCRETE_LAPLACE:
  case DIST_EXPONENTIAL:
  case DIST_GEOMETRIC: {
    i = choose(&p->choices, 2 * (unsigned)p->width + 1);
    int v = (int)i - p->width;
    p->weight *=
        cut_mass(kind == DIST_EXPONENTIAL || kind == DIST_GEOMETRIC, number_to_double(&args[0]),
                 number_to_double(&args[1]), v, -p->width, p->width);
    *out = rvalue_int(v);
    return NOISE_OK;
  }
  case DIST_BERNOULLI: {
    double q = number_to_double(&args[0]);
    i = choose(&p->choices, 2);
    p->weight *= i ? q : 1 - q;
    *out = rvalue_bool(i);
    return NOISE_OK;
  }
  case DIST_UNIFORM_SET:
    i = choose(&p->choices, (unsigned)count);
    p->weight /= (double)count;
    *out = rvalue_copy(&args[i]);
    return NOISE_OK;
  default: fail_msg("distribution %d is not enumerated", (int)kind); return NOISE_RANGE;
  }
}

/* ---- distributions -------------------------------------------------------------------------- */

struct outcome {
  char *output;
  double probability[2]; /* in run 1 and run 2 */
};

static int compare_outcomes(const void *a, const void *b) {
  return strcmp(((const struct outcome *)a)->output, ((const struct outcome *)b)->output);
}

typedef VEC(struct outcome) outcome_list;

static const struct ast_decl *find(const struct ast_module *module, enum decl_kind kind,
                                   const char *name) {
  for (size_t i = 0; i < module->decl_count; i++)
    if (module->decls[i]->kind == kind && strcmp(module->decls[i]->name.text, name) == 0)
      return module->decls[i];
  fail_msg("no declaration %s", name);
  return NULL;
}

static void run_all(struct lang *lang, const struct ast_module *module, const char *mechanism,
                    int run, int width, outcome_list *out) {
  struct paths paths = {.width = width};
  struct interp in;
  interp_init(&in, lang, module, find(module, DECL_MECHANISM, mechanism));
  in.instance = find(module, DECL_INSTANCE, run ? "run2" : "run1");
  in.sample = sample;
  in.sample_context = &paths;
  bool ok = interp_prepare(&in);
  do {
    struct rvalue value;
    paths.choices.depth = 0;
    paths.weight = 1;
    ok = ok && interp_run(&in, NULL, &value);
    if (!ok) show_diags(lang, NULL);
    assert_true(ok);
    if (paths.weight > 0) {
      struct buffer b;
      buffer_init(&b);
      rvalue_print(&b, &value);
      struct outcome o = {.output = buffer_take(&b)};
      o.probability[run] = paths.weight;
      vec_push(out, o);
    }
    rvalue_clear(&value);
  } while (next_path(&paths.choices));
  interp_clear(&in);
  choices_clear(&paths.choices);
}

/* Adds up the paths with the same output. */
static void merge(outcome_list *list) {
  size_t kept = 0;
  qsort(list->at, list->len, sizeof *list->at, compare_outcomes);
  for (size_t i = 0; i < list->len; i++) {
    if (kept && strcmp(list->at[kept - 1].output, list->at[i].output) == 0) {
      list->at[kept - 1].probability[0] += list->at[i].probability[0];
      list->at[kept - 1].probability[1] += list->at[i].probability[1];
      free(list->at[i].output);
    } else {
      list->at[kept++] = list->at[i];
    }
  }
  list->len = kept;
}

/* ---- trials --------------------------------------------------------------------------------- */

struct trial {
  const char *file, *bindings; /* for both runs; params must come first */
  const char *run1, *run2;     /* adjacent inputs */
  double epsilon, delta;       /* the claim at these parameters */
  int width;
  double least; /* correct: the loss (pure claims), else the delta, is at least this */
};

/* sum over outputs of max(0, P1 - e^eps P2), in the worse direction, and the largest ln(P1/P2). */
struct loss {
  double delta, epsilon;
};

static struct loss loss_of(const outcome_list *list, double epsilon) {
  struct loss loss = {0, 0};
  for (int run = 0; run < 2; run++) {
    double excess = 0;
    for (size_t i = 0; i < list->len; i++) {
      double p = list->at[i].probability[run], q = list->at[i].probability[1 - run];
      excess += fmax(0, p - exp(epsilon) * q);
      if (p > 1e-6) loss.epsilon = fmax(loss.epsilon, q > 0 ? log(p / q) : INFINITY);
    }
    loss.delta = fmax(loss.delta, excess);
  }
  return loss;
}

static char *read_text(const char *path) {
  struct sources sources;
  sources_init(&sources);
  char *why = NULL;
  uint32_t file = sources_read(&sources, path, &why);
  if (!file) fail_msg("%s: %s", path, why);
  char *text = xstrdup(sources_get(&sources, file)->text);
  sources_clear(&sources);
  return text;
}

static struct loss try(const char *folder, const struct trial *t) {
  char *path = xasprintf("examples/%s/%s.dp", folder, t->file), *text = read_text(path);
  char *full = xasprintf("%s\ninstance run1 { %s %s }\ninstance run2 { %s %s }\n", text,
                         t->bindings, t->run1, t->bindings, t->run2);
  struct lang lang;
  lang_init(&lang);
  struct ast_module *module = lang_load_text(&lang, path, full, strlen(full));
  expect_no_errors(&lang, full);
  assert_int_equal(lang.diags.errors, 0);
  outcome_list list = {0};
  run_all(&lang, module, t->file, 0, t->width, &list);
  run_all(&lang, module, t->file, 1, t->width, &list);
  merge(&list);
  struct loss loss = loss_of(&list, t->epsilon);
  for (size_t i = 0; i < list.len; i++)
    free(list.at[i].output);
  vec_clear(&list);
  lang_clear(&lang);
  free(full);
  free(text);
  free(path);
  return loss;
}

#define PTR_OPS                                                                                    \
  "type Db = int; type Answer = int; op Adj(d, e) = abs(d - e) <= 1; op f(d) = if d >= 0 then 1 "  \
  "else 0; op bottom = -1; op dist_to_inst(d) = if d >= 0 then d + 1 else -d;"

static const struct trial correct[] = {
    {"laplace", "param eps = 2;", "input q = 0;", "input q = 1;", 2, 0, 6, 1.99},
    {"laplace_discrete", "param eps = 2;", "input q = 0;", "input q = 1;", 2, 0, 6, 1.99},
    {"laplace_parallel", "param eps = 2; param n = 2;", "input q = [0, 3];", "input q = [1, 3];", 2,
     0, 10, 1.99},
    {"above_threshold", "param eps = 2; param n = 2; input T = 0;", "input q = [1, 0];",
     "input q = [0, 1];", 2, 0, 6, 0.7492},
    {"svt", "param eps = 2; param n = 3; param N = 1; input T = 0;", "input q = [1, 1, 0];",
     "input q = [0, 0, 1];", 2, 0, 5, 1.214},
    {"svt", "param eps = 4; param n = 2; param N = 2; input T = 0;", "input q = [1, 0];",
     "input q = [0, 1];", 4, 0, 6, 0.7363},
    {"svt_discrete", "param eps = 3; param n = 2; param N = 1; input T = 0;", "input q = [1, 0];",
     "input q = [0, 1];", 3, 0, 6, 1.055},
    {"svt_monotone", "param eps = 2; param n = 2; param N = 1; input T = 0;", "input q = [0, 0];",
     "input q = [1, 0];", 2, 0, 6, 0.9413},
    {"svt_monotone_increase", "param eps = 2; param n = 2; param N = 1; input T = 0;",
     "input q = [0, 0];", "input q = [1, 0];", 2, 0, 6, 0.9413},
    {"svt_monotone_decrease", "param eps = 2; param n = 2; param N = 1; input T = 0;",
     "input q = [1, 1];", "input q = [0, 1];", 2, 0, 6, 0.9064},
    {"gap_svt", "param eps = 4; param n = 2; param N = 1; input T = 0;", "input q = [1, 0];",
     "input q = [0, 1];", 4, 0, 6, 1.99},
    {"num_svt", "param eps = 6; param n = 2; param N = 1; input T = 0;", "input q = [1, 0];",
     "input q = [0, 1];", 6, 0, 5, 3.313},
    {"num_svt_discrete", "param eps = 6; param n = 1; param N = 1; input T = 0;", "input q = [0];",
     "input q = [1];", 6, 0, 5, 2.229},
    {"adaptive_svt", "param eps = 6; param n = 1; param N = 1; param sigma = 2; input T = 0;",
     "input q = [0];", "input q = [1];", 6, 0, 6, 1.522},
    {"adaptive_svt_discrete",
     "param eps = 8; param n = 2; param N = 1; param sigma = 1; input T = 0;", "input q = [1, 0];",
     "input q = [0, 1];", 8, 0, 5, 3.98},
    {"noisy_max", "param eps = 2; param n = 2;", "input q = [4, 0];", "input q = [3, 1];", 2, 0, 10,
     1.652},
    {"noisy_max_discrete", "param eps = 2; param n = 3;", "input q = [2, 0, 0];",
     "input q = [1, 1, 1];", 2, 0, 6, 1.393},
    {"noisy_min", "param eps = 2; param n = 2;", "input q = [4, 0];", "input q = [3, 1];", 2, 0, 10,
     1.582},
    {"noisy_max_exp", "param eps = 2; param n = 2;", "input q = [4, 0];", "input q = [3, 1];", 2, 0,
     10, 1.99},
    {"noisy_max_geometric", "param eps = 2; param n = 2;", "input q = [0, 3];", "input q = [1, 2];",
     2, 0, 10, 1.99},
    {"noisy_max_monotone", "param eps = 2; param n = 2;", "input q = [4, 0];", "input q = [4, 1];",
     2, 0, 10, 1.811},
    {"exponential_mechanism",
     "param eps = 2; param n = 2; type Db = int; op Adj(d, e) = abs(d - e) <= 1; "
     "op score(d, r) = if r = 0 then d else 4 - d;",
     "input d = 1;", "input d = 0;", 2, 0, 10, 1.99},
    {"top_k", "param eps = 4; param n = 3; param k = 2;", "input q = [2, 1, 0];",
     "input q = [1, 2, 0];", 4, 0, 5, 2.06},
    {"select_and_measure", "param eps = 4; param n = 2; param T = 1;", "input q = [1, 0];",
     "input q = [0, 1];", 4, 0, 5, 3.27},
    {"partial_sum", "param eps = 2; param n = 2;", "input q = [0, 1];", "input q = [1, 1];", 2, 0,
     6, 1.99},
    {"prefix_sum", "param eps = 2; param n = 2;", "input q = [0, 1];", "input q = [1, 1];", 2, 0, 5,
     1.99},
    {"smart_sum", "param eps = 2; param n = 3; param M = 2;", "input q = [0, 1, 0];",
     "input q = [1, 1, 0];", 4, 0, 5, 3.98},
    {"counting_query", "param eps = 2; param n = 2; type Record = int; op selected(r) = r >= 18;",
     "input db = [17, 18];", "input db = [18, 18];", 2, 0, 10, 1.99},
    {"noisy_hist", "param eps = 2; param n = 2;", "input bin = [0, 1];", "input bin = [1, 1];", 2,
     0, 10, 1.99},
    {"two_level_counter", "param eps = 4; param n = 2; param B = 2;", "input q = [0, 1];",
     "input q = [1, 1];", 4, 0, 6, 3.98},
    {"private_counters", "param eps = 4; param n = 2; param L = 2;", "input q = [0, 1];",
     "input q = [1, 1];", 4, 0, 6, 3.98},
    {"private_counters_discrete", "param eps = 4; param n = 3; param L = 2;",
     "input q = [0, 1, 0];", "input q = [0, 0, 0];", 4, 0, 5, 1.99},
    {"randomized_response", "param eps = 2;", "input bit = true;", "input bit = false;", 2, 0, 1,
     1.99},
    {"randomized_response_coins", "", "input bit = true;", "input bit = false;", 1.0986122886681098,
     0, 1, 1.09},
    {"rappor", "param f = 1/2; param k = 3;", "input v = 0;", "input v = 2;", 2.1972245773362196, 0,
     1, 2.179},
    {"ptr", "param eps = 1; param delta = 1/5;" PTR_OPS, "input d = 0;", "input d = -1;", 1, 0.2,
     12, 0.09751},
    {"ptr_discrete", "param eps = 1; param delta = 37/100;" PTR_OPS, "input d = 0;",
     "input d = -1;", 1, 0.37, 12, 0.2677},
    {"interactive_svt",
     "param eps = 4; param n = 2; param N = 1; type Db = int; type Query = int; "
     "op Adj(d, e) = abs(d - e) <= 1; op evalQ(q, d) = if q = 0 then d else -d; "
     "adversary choose(l) { return length(l); } input T = 0;",
     "input d = 0;", "input d = 1;", 4, 0, 6, 1.92},
};

static void correct_examples_keep_their_cost(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof correct / sizeof *correct; i++) {
    const struct trial *t = &correct[i];
    struct loss loss = try("correct", t);
    double found = t->delta > 0 ? loss.delta : loss.epsilon;
    double claimed = t->delta > 0 ? t->delta : t->epsilon;
    if (found > claimed + 1e-3 || found < t->least)
      fail_msg("%s: loss %.5g, claimed %.5g, expected at least %.5g", t->file, found, claimed,
               t->least);
  }
}

static const struct trial incorrect[] = {
    {"bad_svt1", "param eps = 1; param n = 2; input T = 0;", "input q = [1, 0];",
     "input q = [0, 1];", 1, 0, 10, 0},
    {"bad_svt2", "param eps = 3; param n = 4; input T = 0;", "input q = [0, 0, 1, 1];",
     "input q = [1, 1, 0, 0];", 3, 0, 4, 0},
    {"bad_svt3", "param eps = 2; param n = 2; param N = 1; input T = 0;", "input q = [0, 1];",
     "input q = [1, 0];", 2, 0, 7, 0},
    {"bad_svt4", "param eps = 2; param n = 3; param N = 1; input T = 0;", "input q = [0, 0, 1];",
     "input q = [1, 1, 0];", 2, 0, 5, 0},
    {"bad_gap_svt", "param eps = 4; param n = 5; param N = 1; input T = 0;",
     "input q = [0, 0, 0, 0, 1];", "input q = [1, 1, 1, 1, 0];", 4, 0, 4, 0},
    {"bad_adaptive_svt", "param eps = 8; param n = 4; param N = 1; param sigma = 0; input T = 0;",
     "input q = [0, 0, 0, 1];", "input q = [1, 1, 1, 0];", 8, 0, 2, 0},
    {"bad_noisy_max", "param eps = 2; param n = 3;", "input q = [0, 0, 0];", "input q = [1, 1, 1];",
     2, 0, 6, 0},
    {"noisy_max_1", "param eps = 2; param n = 2;", "input q = [0, 4];", "input q = [1, 3];", 2, 0,
     10, 0},
    {"bad_partial_sum", "param eps = 2; param n = 2;", "input q = [0, 1];", "input q = [1, 1];", 2,
     0, 10, 0},
    {"bad_smart_sum", "param eps = 2; param n = 2; param M = 2;", "input q = [0, 1];",
     "input q = [1, 1];", 4, 0, 5, 0},
    {"bad_hist", "param eps = 1/2; param n = 2;", "input bin = [0, 1];", "input bin = [1, 1];", 0.5,
     0, 6, 0},
    {"leaky_svt_threshold", "param eps = 8; param n = 6; param N = 1; input T = 0;",
     "input q = [-1, -1, -1, -1, -1, -1];", "input q = [0, 0, 0, 0, 0, 0];", 8, 0, 4, 0},
    {"leaky_svt_queries", "param eps = 1; param n = 2; param N = 1; input T = 0;",
     "input q = [0, 1];", "input q = [1, 0];", 1, 0, 10, 0},
    {"leaky_svt_order", "param eps = 1; param n = 2; param N = 1; input T = 0;",
     "input q = [0, 1];", "input q = [1, 0];", 1, 0, 10, 0},
    {"ptr_no_margin", "param eps = 2; param delta = 1/50;" PTR_OPS, "input d = 0;", "input d = -1;",
     2, 0.02, 12, 0},
    {"ptr_two_sided", "param eps = 1; param delta = 37/100;" PTR_OPS, "input d = 0;",
     "input d = -1;", 1, 0.37, 12, 0},
};

static void incorrect_examples_exceed_their_claim(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof incorrect / sizeof *incorrect; i++) {
    const struct trial *t = &incorrect[i];
    struct loss loss = try("incorrect", t);
    bool violated = t->delta > 0 ? loss.delta > t->delta + 0.05 : loss.epsilon > t->epsilon + 0.2;
    if (!violated) fail_msg("%s: loss %.4g, claimed %.4g", t->file, loss.epsilon, t->epsilon);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(correct_examples_keep_their_cost),
      cmocka_unit_test(incorrect_examples_exceed_their_claim),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
