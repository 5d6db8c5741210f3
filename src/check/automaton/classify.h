/* Is the automaton meaningful, and is it in the class of the paper?
 *
 * An error where the meaning is undefined:
 *   automaton-nondeterministic      two edges of a state can be enabled together
 *   automaton-uninitialised         a variable is compared before it is assigned on some path
 *   automaton-ambiguous-output      independent noise: which of several samples is output?
 * A warning where the automaton is only outside the class for which the theory is complete:
 *   automaton-output-distinction    outputs do not tell the path: "private" stays sound, "not
 *                                   private" needs the certified counterexample of the output
 *   automaton-start                 the start state has other than one unconditional edge
 *   automaton-noninput-guard        a comparison at a state that reads no input
 *   automaton-disjunction           independent noise: a guard that is no conjunction
 *   automaton-dead-guard            a guard that contradicts itself */
#ifndef COUPLET_CHECK_AUTOMATON_CLASSIFY_H
#define COUPLET_CHECK_AUTOMATON_CLASSIFY_H

#include "base/diag.h"
#include "check/automaton/model.h"

/* Coupling strategies (docs/bibliography.md), sections 5, 6 and 8. The first three assign
 * their one variable only at the start. */
enum automaton_kind {
  KIND_SIMPLE_SEGMENT,    /* no cycle, no branching */
  KIND_LOOPING_SEGMENT,   /* cycles, but one way from one to the next */
  KIND_BRANCHING_SEGMENT, /* "segment automaton" */
  KIND_DIPA,              /* one variable, assigned again */
  KIND_SEVERAL,           /* several variables, one shared sample */
  KIND_INDEPENDENT        /* several variables, one sample each (GDiPA) */
};

struct class_report {
  enum automaton_kind kind;
  size_t nondeterminism, uninitialised, ambiguous_output; /* errors */
  /* departures from the class */
  size_t output_distinction, start, noninput_guards, disjunctions;
  size_t silent_ends; /* states whose guards do not cover everything: a run may end there, unseen */
  bool in_class; /* none of these: the decision and the cost are exact for the mechanism itself */
};

/* False: an error was reported, the automaton must not be analysed. `diags` may be NULL. */
bool automaton_classify(struct class_report *report, const struct automaton *a,
                        struct diags *diags);

#endif
