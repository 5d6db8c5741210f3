/* The search for counterexamples of threshold automata (check/counterexample/automaton_certify.h).
 *
 * It goes along paths whose shift cost exceeds d (shift_search.h): base inputs that tie all samples,
 * the worst input differences, narrow windows, eps large enough; then made smaller and rounder.
 * Nothing here is trusted: automaton_certify decides. */
#ifndef COUPLET_SEARCH_REFUTE_AUTOMATON_REFUTE_H
#define COUPLET_SEARCH_REFUTE_AUTOMATON_REFUTE_H

#include "automata/decide/automata.h"
#include "check/counterexample/automaton_certify.h"

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
