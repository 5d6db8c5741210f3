/* Counterexamples for threshold automata, and their certifier.
 *
 * A counterexample against "d eps-private for every eps" is concrete: a number eps, two adjacent
 * input sequences, a sequence of outputs (symbols, and windows for real outputs), and balls that
 * show Pr[outputs | first] > e^(d eps) Pr[outputs | second] with strict separation.
 * automaton_certify alone decides: it takes the automaton and the data of the counterexample,
 * checks adjacency and recomputes both probabilities from the model, summed over every path that
 * has these outputs. */
#ifndef COUPLET_CHECK_COUNTEREXAMPLE_AUTOMATON_CERTIFY_H
#define COUPLET_CHECK_COUNTEREXAMPLE_AUTOMATON_CERTIFY_H

#include "base/budget.h"
#include "check/counterexample/probability.h"
#include "num/real/ball.h"

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

#endif
