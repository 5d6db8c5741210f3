/* What is decided of random automata with disjunctive guards: the figures of docs/disjunctions.md.
 *   bench_automata_disjunctions AUTOMATA SEED CERTIFIED
 * CERTIFIED: for how many of the automata with unbounded losses a counterexample is looked for. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "automata/decide/automata.h"
#include "check/automaton/classify.h"
#include "disjunctive_gen.h"
#include "search/refute/automaton_refute.h"

struct figures {
  size_t coupled, conjunctive, unbounded, absorbing, open, tried, certified;
  double seconds, slowest; /* of the analysis */
};

static bool is_refuted(const struct automaton *a, const struct automaton_result *r) {
  struct automaton_counterexample ce;
  struct budget budget = budget_of_seconds(4);
  const char *why = NULL;
  fmpq_t d;
  fmpq_init(d);
  fmpq_one(d);
  automaton_counterexample_init(&ce, a);
  bool found = automaton_refute(&ce, a, r, d, &budget, &why) == REFUTE_FOUND;
  automaton_counterexample_clear(&ce);
  fmpq_clear(d);
  return found;
}

static void count(struct figures *f, const struct automaton *a, size_t certified) {
  struct class_report report;
  struct automaton_result r;
  automaton_classify(&report, a, NULL);
  clock_t begin = clock();
  automaton_analyse(&r, a);
  double seconds = (double)(clock() - begin) / CLOCKS_PER_SEC;
  f->seconds += seconds;
  if (seconds > f->slowest) f->slowest = seconds;
  if (r.verdict == AUTOMATON_PRIVATE) {
    f->coupled++;
  } else if (report.in_class) {
    f->conjunctive++;
  } else if (r.is_absorbing) {
    f->absorbing++;
  } else if (!r.is_unbounded) {
    f->open++;
  } else {
    f->unbounded++;
    if (f->tried < certified) {
      f->tried++;
      f->certified += is_refuted(a, &r);
    }
  }
  automaton_result_clear(&r);
}

int main(int argc, char **argv) {
  if (argc != 4) {
    fprintf(stderr, "usage: %s AUTOMATA SEED CERTIFIED\n", argv[0]);
    return 1;
  }
  struct rng rng = rng_seeded(strtoul(argv[2], NULL, 10));
  struct disjunctive_options options = {4, 2, 8, 10, 35};
  struct figures f = {0};
  size_t rounds = strtoul(argv[1], NULL, 10), certified = strtoul(argv[3], NULL, 10);
  for (size_t i = 0; i < rounds; i++) {
    struct automaton a;
    disjunctive_gen(&a, &rng, &options);
    count(&f, &a, certified);
    automaton_clear(&a);
  }
  printf("%zu automata: %zu with a shift coupling; %zu without, only conjunctions\n", rounds,
         f.coupled, f.conjunctive);
  printf("%zu without, with disjunctions: %zu unbounded, %zu absorbing, %zu open\n",
         f.unbounded + f.absorbing + f.open, f.unbounded, f.absorbing, f.open);
  printf("%zu of %zu unbounded ones with a certified counterexample\n", f.certified, f.tried);
  printf("analysis: %.2f s CPU in all, slowest %.0f ms\n", f.seconds, 1e3 * f.slowest);
  return 0;
}
