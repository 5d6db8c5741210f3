/* Certified counterexamples for threshold automata.
 *
 * A counterexample against "d eps-private for every eps" is concrete: a number eps, two adjacent
 * input sequences, a sequence of outputs (symbols, and windows for real outputs), and balls that
 * show Pr[outputs | first] > e^(d eps) Pr[outputs | second] with strict separation. It is searched
 * for along paths whose shift cost exceeds d (shift_search.h): base inputs that tie all samples,
 * the worst input differences, narrow windows, eps large enough; then made smaller and rounder.
 *
 * The search is not trusted. automaton_certify alone decides: it takes the automaton and the data
 * of the counterexample, checks adjacency and recomputes both probabilities from the model, summed
 * over every path that has these outputs. */
#ifndef COUPLET_REFUTE_AUTOMATON_REFUTE_H
#define COUPLET_REFUTE_AUTOMATON_REFUTE_H

#include "automata/automata.h"
#include "automata/probability.h"
#include "base/budget.h"
#include "num/ball.h"

struct automaton_counterexample {
  fmpq_t eps, claimed; /* claimed: d */
  /* output queries that differ in their inputs only */
  struct automaton_query first, second;
  edge_path path;    /* what the search followed; for display, not part of the evidence */
  size_t iterations; /* rounds of the cycles of the walk, 0: none */
  bool is_certified; /* the rest is set by automaton_certify */
  size_t paths;      /* with these outputs */
  arb_t p1, p2;      /* the probabilities */
  arb_t loss;        /* ln(p1/p2)/eps */
};

void automaton_counterexample_init(struct automaton_counterexample *ce, const struct automaton *a);
void automaton_counterexample_clear(struct automaton_counterexample *ce);

/* Decides whether the data (eps, claimed, first, second) are a counterexample, and sets the fields
 * below is_certified. False: *why says what is wrong (xmalloc'd, the caller frees; may be NULL).
 * With claimed < 0 it only certifies the loss: a lower bound on the true cost. */
bool automaton_certify(struct automaton_counterexample *ce, const struct budget *budget,
                       char **why);

enum refute_status {
  REFUTE_FOUND,
  REFUTE_NONE,    /* the search ended without one: nothing follows */
  REFUTE_TIMEOUT, /* budget spent */
  REFUTE_LIMIT    /* the automaton is beyond the limits of the search, see *why */
};

/* Looks for a counterexample to cost d. `analysis` (or NULL) is that of automata.h for this
 * automaton: its walk, or its most expensive path, is followed first, cycles repeated; then, and
 * without it, the whole automaton is searched, which is meant for small ones. `out` is initialised;
 * it is filled and certified on REFUTE_FOUND only. *why: a literal, or NULL. */
enum refute_status automaton_refute(struct automaton_counterexample *out, const struct automaton *a,
                                    const struct automaton_result *analysis, const fmpq_t d,
                                    const struct budget *budget, const char **why);

/* The best certified loss found: a lower bound on the true cost of a private automaton. Ends when
 * the bound reaches 99/100 of analysis->upper (98/100 for long paths, where each look is dear). On
 * REFUTE_FOUND, out->loss. */
enum refute_status automaton_lower_bound(struct automaton_counterexample *out,
                                         const struct automaton *a,
                                         const struct automaton_result *analysis,
                                         const struct budget *budget, const char **why);

#endif
