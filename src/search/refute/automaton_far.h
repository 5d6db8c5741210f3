/* Counterexamples along walks that lose without bound (check/counterexample/unbounded.h): inputs
 * far apart, or beside the stored values, with the cycles repeated more and more often. How far and
 * how often is found by trying; automaton_certify decides. */
#ifndef COUPLET_SEARCH_REFUTE_AUTOMATON_FAR_H
#define COUPLET_SEARCH_REFUTE_AUTOMATON_FAR_H

#include "check/counterexample/unbounded.h"
#include "search/refute/automaton_refute.h"

/* Looks for a counterexample to cost d; fills and certifies `out` if it returns true. */
bool far_refute(struct automaton_counterexample *out, const struct automaton *a,
                const struct walk *walk, const struct unbounded *inputs, const fmpq_t d,
                const struct budget *budget);

#endif
