/* bench_exact EXAMPLES BENCH: CPU time of the exact engine.
 *
 *   svt-pairs   svt with 4 queries: all outputs for all inputs from {-1, 0, 1}^4, and the largest
 *               loss over all adjacent pairs
 *   the rest    one input pair of growing length, one output (svt: all but the last below the
 *               threshold; above_threshold: nothing found; noisy_max: the last wins;
 *               range_queries of BENCH: all between the thresholds), and the exponent k of
 *               time = c * n^k fitted over the lengths */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "check/exact/exact.h"
#include "run/eval/number.h"

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

struct subject {
  struct lang lang;
  struct ast_module *module;
  const struct ast_decl *mechanism;
};

static void fail(const char *what, const char *why) {
  fprintf(stderr, "bench_exact: %s: %s\n", what, why ? why : "failed");
  exit(2);
}

static void subject_init(struct subject *s, const char *folder, const char *name) {
  char *path = xasprintf("%s/%s.dp", folder, name);
  lang_init(&s->lang);
  s->module = lang_load(&s->lang, path);
  s->mechanism = NULL;
  for (size_t i = 0; !s->lang.diags.errors && i < s->module->decl_count; i++)
    if (s->module->decls[i]->kind == DECL_MECHANISM) s->mechanism = s->module->decls[i];
  if (!s->mechanism) fail(path, "no mechanism");
  free(path);
}

static void subject_clear(struct subject *s) {
  lang_clear(&s->lang);
}

/* Queries q, threshold 0; n = their number, N = most answers above, every other parameter 1. */
static void prepare(struct interp *in, struct subject *s, const int *q, size_t n, slong most) {
  interp_init(in, &s->lang, s->module, s->mechanism);
  for (size_t i = 0; i < s->module->decl_count; i++) {
    const struct ast_decl *d = s->module->decls[i];
    if (d->kind != DECL_PARAM) continue;
    slong value = strcmp(d->name.text, "n") == 0 ? (slong)n : strcmp(d->name.text, "N") ? 1 : most;
    interp_set_param(in, d, rvalue_int(value), span_none());
  }
  struct rvalue queries = rvalue_seq(RVALUE_ARRAY, n);
  for (size_t i = 0; i < n; i++)
    queries.as.seq->at[i] = rvalue_int(q[i]);
  interp_set_input(in, 0, queries, span_none());
  if (s->mechanism->as.mechanism.routine->arg_count > 1)
    interp_set_input(in, 1, rvalue_int(0), span_none());
  if (!interp_prepare(in)) fail(s->mechanism->name.text, "cannot be prepared");
}

/* ---- all pairs ------------------------------------------------------------------------------ */

enum { QUERIES = 4, INPUTS = 81 };

static void digits_of(int k, int *q) {
  for (int i = 0; i < QUERIES; i++, k /= 3)
    q[i] = k % 3 - 1;
}

static bool adjacent(int a, int b) {
  int x[QUERIES], y[QUERIES];
  digits_of(a, x);
  digits_of(b, y);
  for (int i = 0; i < QUERIES; i++)
    if (abs(x[i] - y[i]) > 1) return false;
  return true;
}

/* ln of the largest quotient; the outputs are the same for all inputs. */
static double pair_loss(const struct exact_distribution *d, const struct exact_distribution *e) {
  double loss = 0;
  arb_t ratio;
  arb_init(ratio);
  for (size_t i = 0; i < d->outcomes.len; i++)
    for (size_t j = 0; j < e->outcomes.len; j++) {
      int order;
      if (!rvalue_compare(&order, &d->outcomes.at[i].output, &e->outcomes.at[j].output) || order)
        continue;
      arb_div(ratio, d->outcomes.at[i].probability, e->outcomes.at[j].probability, 64);
      arb_log(ratio, ratio, 64);
      loss = fmax(loss, arf_get_d(arb_midref(ratio), ARF_RND_NEAR));
    }
  arb_clear(ratio);
  return loss;
}

static void all_pairs(const char *folder) {
  struct subject s;
  struct exact_distribution *all = xcalloc(INPUTS, sizeof *all);
  subject_init(&s, folder, "svt");
  double start = now(), worst = 0;
  size_t pairs = 0, outputs = 0;
  for (int k = 0; k < INPUTS; k++) {
    struct interp in;
    int q[QUERIES];
    digits_of(k, q);
    prepare(&in, &s, q, QUERIES, QUERIES);
    exact_distribution_init(&all[k]);
    exact_distribution(&in, &(struct exact_options){.precision = 128}, &all[k]);
    if (all[k].status != EXACT_OK) fail("svt", all[k].why);
    outputs = all[k].outcomes.len;
    interp_clear(&in);
  }
  for (int a = 0; a < INPUTS; a++)
    for (int b = 0; b < INPUTS; b++)
      if (a != b && adjacent(a, b)) {
        worst = fmax(worst, pair_loss(&all[a], &all[b]));
        pairs++;
      }
  printf(
      "svt-pairs                 n = %d  %7.3f s  %d inputs, %zu outputs, %zu pairs, loss %.4f\n",
      QUERIES, now() - start, INPUTS, outputs, pairs, worst);
  for (int k = 0; k < INPUTS; k++)
    exact_distribution_clear(&all[k]);
  free(all);
  subject_clear(&s);
}

/* ---- growth --------------------------------------------------------------------------------- */

/* The event for n queries. */
static char *event_for(const char *name, size_t n) {
  struct buffer b;
  buffer_init(&b);
  bool is_range = strcmp(name, "range_queries") == 0;
  if (!is_range && strncmp(name, "svt", 3) != 0) {
    buffer_printf(&b, "%zu", strncmp(name, "noisy_max", 9) == 0 ? n - 1 : n);
  } else {
    for (size_t i = 0; i < n; i++)
      buffer_printf(&b, "%s%s", i == 0 ? "[" : ", ", is_range || i + 1 == n ? "true" : "false");
    buffer_putc(&b, ']');
  }
  return buffer_take(&b);
}

static double one_pair(struct subject *s, size_t n, double *loss) {
  double start = now(), p[2];
  char *text = event_for(s->mechanism->name.text, n), *why = NULL;
  struct pattern event;
  size_t at;
  if (!pattern_parse(&event, text, &at, &why)) fail(text, why);
  int *q = xcalloc(n, sizeof *q);
  for (int run = 0; run < 2; run++) {
    for (size_t i = 0; i < n; i++)
      q[i] = (int)(i * 7 % 11) - 5 + (i + 1 == n ? run : 1 - run); /* eleven different values */
    struct interp in;
    struct exact_result r;
    prepare(&in, s, q, n, 1);
    exact_result_init(&r);
    exact_probability(&in, &event, &(struct exact_options){0}, &r);
    if (r.status != EXACT_OK) fail(s->mechanism->name.text, r.why);
    arb_log(r.probability, r.probability, 64);
    p[run] = arf_get_d(arb_midref(r.probability), ARF_RND_NEAR);
    exact_result_clear(&r);
    interp_clear(&in);
  }
  *loss = fabs(p[0] - p[1]);
  pattern_clear(&event);
  free(text);
  free(q);
  return now() - start;
}

static void growth(const char *folder, const char *name, const size_t *lengths) {
  struct subject s;
  subject_init(&s, folder, name);
  double sx = 0, sy = 0, sxx = 0, sxy = 0, count = 0;
  for (size_t i = 0; lengths[i]; i++) {
    double loss, seconds = one_pair(&s, lengths[i], &loss);
    printf("%-24s  n = %-3zu %7.3f s  loss %.4f\n", name, lengths[i], seconds, loss);
    fflush(stdout);
    if (lengths[i] < 4) continue;
    double x = log((double)lengths[i]), y = log(seconds);
    sx += x, sy += y, sxx += x * x, sxy += x * y, count++;
  }
  printf("%-24s  time ~ n^%.1f\n", name, (count * sxy - sx * sy) / (count * sxx - sx * sx));
  subject_clear(&s);
}

int main(int argc, char **argv) {
  if (argc != 3) {
    fprintf(stderr, "usage: bench_exact EXAMPLES BENCH\n");
    return 1;
  }
  all_pairs(argv[1]);
  growth(argv[1], "svt", (const size_t[]){2, 5, 10, 20, 50, 0});
  growth(argv[1], "above_threshold", (const size_t[]){2, 5, 10, 20, 50, 0});
  growth(argv[1], "noisy_max", (const size_t[]){2, 4, 6, 8, 12, 16, 0});
  growth(argv[1], "svt_discrete", (const size_t[]){2, 5, 10, 20, 50, 0});
  growth(argv[1], "above_threshold_discrete", (const size_t[]){2, 5, 10, 20, 50, 0});
  growth(argv[1], "noisy_max_discrete", (const size_t[]){2, 4, 6, 8, 12, 16, 0});
  growth(argv[2], "range_queries", (const size_t[]){2, 4, 6, 8, 10, 0});
  flint_cleanup();
  return 0;
}
