/* Threshold automata: time and memory of the analysis on families of growing size.
 *
 *   bench_automata FAMILY SIZE [ROUNDS]
 * prints: family, size, states, edges, verdict, lower, upper, median CPU milliseconds, peak MB.
 * The automata are built in memory; reading a file is not timed. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include "automata/decide/automata.h"

static uint64_t seed = 1;
static uint64_t below(uint64_t bound) {
  uint64_t z = (seed += UINT64_C(0x9E3779B97F4A7C15));
  z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
  z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
  return (z ^ (z >> 31)) % bound;
}

static uint32_t add_state(struct automaton *a, bool input, slong num, ulong den) {
  uint32_t s = automaton_state(a, NULL, 0, span_none());
  if (num)
    automaton_noise(a, s, input, automaton_ratio(a, num, den), 0, AUTOMATON_NONE, AUTOMATON_NONE);
  return s;
}

static uint32_t guard(struct automaton *a, literal first, literal second, size_t count) {
  literal both[2] = {first, second};
  return automaton_guard(a, both, count);
}

static uint32_t set1(struct automaton *a, uint32_t x) {
  return automaton_set(a, &x, 1);
}

static void edge(struct automaton *a, uint32_t from, uint32_t to, uint32_t g, uint32_t assign,
                 const char *output) {
  uint32_t emit = automaton_symbol(a, output, strlen(output));
  automaton_edge(a, (struct automaton_edge){from, to, g, assign, emit}, span_none());
}

static uint32_t named_var(struct automaton *a, char kind, unsigned i) {
  char name[24];
  int n = snprintf(name, sizeof name, "%c%u", kind, i);
  return automaton_var(a, name, (size_t)n);
}

/* 2m thresholds, then a loop over m ranges. */
static void m_range(struct automaton *a, unsigned m) {
  for (unsigned i = 0; i < 2 * m; i++)
    add_state(a, false, 1, 4 * m);
  for (unsigned i = 0; i < m; i++)
    add_state(a, true, 1, 4);
  uint32_t end = add_state(a, false, 0, 1);
  for (unsigned i = 0; i < m; i++) {
    uint32_t l = named_var(a, 'l', i), r = named_var(a, 'r', i), q = 2 * m + i;
    edge(a, 2 * i, 2 * i + 1, 0, set1(a, l), "begin");
    edge(a, 2 * i + 1, i + 1 < m ? 2 * i + 2 : 2 * m, 0, set1(a, r), "begin");
    uint32_t next = 2 * m + (i + 1) % m;
    edge(a, q, next, guard(a, literal_greater(l), literal_less(r), 2), 0, "inside");
    edge(a, q, end, guard(a, literal_less(l), literal_less(r), 2), 0, "below");
    edge(a, q, end, guard(a, literal_greater(l), literal_greater(r), 2), 0, "above");
  }
}

/* k reads that keep the least and the greatest, then a loop between them. */
static void k_min_max(struct automaton *a, unsigned k) {
  for (unsigned i = 0; i < k; i++)
    add_state(a, true, 1, 4 * k);
  uint32_t loop = add_state(a, true, 1, 4), end = add_state(a, false, 0, 1);
  uint32_t x = named_var(a, 'l', 0), y = named_var(a, 'm', 0), both[2] = {x, y};
  uint32_t lo = guard(a, literal_less(x), literal_less(y), 2);
  uint32_t hi = guard(a, literal_greater(x), literal_greater(y), 2);
  uint32_t mid = guard(a, literal_greater(x), literal_less(y), 2);
  edge(a, 0, 1, 0, automaton_set(a, both, 2), "begin");
  for (unsigned i = 1; i <= k; i++) {
    bool last = i == k;
    edge(a, i, last ? loop : i + 1, mid, 0, "inside");
    edge(a, i, last ? end : i + 1, lo, last ? 0 : set1(a, x), "below");
    edge(a, i, last ? end : i + 1, hi, last ? 0 : set1(a, y), "above");
  }
}

/* One variable: a chain of sparse vectors, each with its own threshold. Two edges per query. */
static void svt_chain(struct automaton *a, unsigned n) {
  uint32_t x = named_var(a, 'x', 0);
  for (unsigned i = 0; i < n; i++)
    add_state(a, i % 2 == 1, 1, i % 2 ? 2 : 4);
  uint32_t end = add_state(a, false, 0, 1);
  for (unsigned i = 0; i < n; i++) {
    uint32_t next = i + 1 < n ? i + 1 : end;
    if (i % 2 == 0) {
      edge(a, i, next, 0, set1(a, x), "begin");
    } else {
      edge(a, i, i, guard(a, literal_less(x), 0, 1), 0, "below");
      edge(a, i, next, guard(a, literal_greater(x), 0, 1), 0, "above");
    }
  }
}

/* One variable: one large cycle, with an exit at every state. */
static void ring(struct automaton *a, unsigned n) {
  uint32_t x = named_var(a, 'x', 0);
  add_state(a, false, 1, 4);
  for (unsigned i = 1; i < n; i++)
    add_state(a, true, 1, 2);
  uint32_t end = add_state(a, false, 0, 1);
  edge(a, 0, 1, 0, set1(a, x), "begin");
  for (unsigned i = 1; i < n; i++) {
    edge(a, i, i + 1 < n ? i + 1 : 1, guard(a, literal_less(x), 0, 1), 0, "below");
    edge(a, i, end, guard(a, literal_greater(x), 0, 1), 0, "above");
  }
}

/* One variable: random edges forward, thresholds drawn anew on the way, self-loops. */
static void random_forward(struct automaton *a, unsigned n) {
  uint32_t x = named_var(a, 'x', 0);
  add_state(a, false, 1, 4);
  for (unsigned i = 1; i < n; i++)
    add_state(a, true, 1, 1 + (ulong)below(4));
  uint32_t end = add_state(a, false, 0, 1);
  edge(a, 0, 1, 0, set1(a, x), "begin");
  uint32_t less = guard(a, literal_less(x), 0, 1), greater = guard(a, literal_greater(x), 0, 1);
  for (unsigned i = 1; i < n; i++) {
    uint32_t near = i + 1 + (uint32_t)below(8), far = i + 1 + (uint32_t)below(100);
    near = near < n ? near : end;
    far = far < n ? far : end;
    bool loop = below(4) == 0;
    edge(a, i, loop ? i : near, less, 0, "below");
    edge(a, i, far, greater, loop || below(10) == 0 ? set1(a, x) : 0, "above");
  }
}

/* One variable: edges anywhere. Almost surely not private. */
static void random_any(struct automaton *a, unsigned n) {
  uint32_t x = named_var(a, 'x', 0);
  add_state(a, false, 1, 4);
  for (unsigned i = 1; i < n; i++)
    add_state(a, true, 1, 1 + (ulong)below(4));
  edge(a, 0, 1, 0, set1(a, x), "begin");
  uint32_t less = guard(a, literal_less(x), 0, 1), greater = guard(a, literal_greater(x), 0, 1);
  for (unsigned i = 1; i < n; i++) {
    edge(a, i, 1 + (uint32_t)below(n - 1), less, 0, "below");
    edge(a, i, 1 + (uint32_t)below(n - 1), greater, below(50) == 0 ? set1(a, x) : 0, "above");
  }
}

static const struct family {
  const char *name;
  void (*make)(struct automaton *a, unsigned size);
} families[] = {
    {"m_range", m_range}, {"k_min_max", k_min_max},           {"svt_chain", svt_chain},
    {"ring", ring},       {"random_forward", random_forward}, {"random_any", random_any}};

static double cpu_ms(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

static int compare(const void *x, const void *y) {
  double a = *(const double *)x, b = *(const double *)y;
  return (a > b) - (a < b);
}

int main(int argc, char **argv) {
  const struct family *family = NULL;
  for (size_t i = 0; i < sizeof families / sizeof *families; i++)
    if (argc > 2 && strcmp(argv[1], families[i].name) == 0) family = &families[i];
  int rounds = argc > 3 ? atoi(argv[3]) : 5;
  if (!family || rounds < 1 || rounds > 100) {
    fprintf(stderr, "usage: %s FAMILY SIZE [ROUNDS]\n", argv[0]);
    return 1;
  }
  double times[100];
  struct automaton a;
  automaton_init(&a);
  a.start = 0;
  family->make(&a, (unsigned)atoi(argv[2]));
  automaton_finish(&a);
  for (int i = 0; i < rounds; i++) {
    struct automaton_result r;
    double begin = cpu_ms();
    automaton_analyse(&r, &a);
    times[i] = cpu_ms() - begin;
    if (i + 1 == rounds) {
      qsort(times, (size_t)rounds, sizeof *times, compare);
      struct rusage usage;
      getrusage(RUSAGE_SELF, &usage);
      char *l = fmpq_get_str(NULL, 10, r.lower), *u = fmpq_get_str(NULL, 10, r.upper);
      static const char *verdicts[] = {"private", "not-private", "unknown"};
      printf("%s\t%s\t%zu\t%zu\t%s\t%s\t%s\t%.3f\t%.1f\n", argv[1], argv[2], a.states.len,
             a.edges.len, verdicts[r.verdict], l, u, times[rounds / 2],
             (double)usage.ru_maxrss / 1024);
      flint_free(l);
      flint_free(u);
    }
    automaton_result_clear(&r);
  }
  automaton_clear(&a);
  return 0;
}
