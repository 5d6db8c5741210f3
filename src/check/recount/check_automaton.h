/* The judges of certificates about automata: strategies (private at a cost), counterexamples to a
 * claim, and walks along which the loss grows without bound. */
#ifndef COUPLET_CHECK_RECOUNT_CHECK_AUTOMATON_H
#define COUPLET_CHECK_RECOUNT_CHECK_AUTOMATON_H

#include "check/certificate/checker.h"

cert_judge cert_judge_strategy, cert_judge_automaton, cert_judge_walk, cert_judge_unbounded;

#endif
