/* Threshold loops of programs as automata.
 *
 * The program (kernel/core.h) is run symbolically from sampling to sampling. A state of the
 * automaton is a sampling together with the values of the discrete variables that matter there; an
 * edge is a way from it to the next sampling or the end, with the comparisons on that way as its
 * guard. What is needed for that:
 * - all noise is Laplace of scale c/eps, c a number (parameters like N must have values);
 * - samples are compared with stored samples only, are emitted as they are, or stored;
 * - each private entry q[i] is used at one state, and i goes on from state to state; a second
 *   sample with the same centre that is only emitted is insample';
 * - whatever depends on the index i alone (i < n) decides only whether the run goes on.
 * Public centres move all comparisons by the same amount and are left out: neither decision nor
 * cost depends on them. The automaton shows which way was taken even if the program does not say
 * it, so a cost of the automaton is one of the program; where the outputs tell the way, as in the
 * sparse vector family, the costs are the same. Not trusted: no verdict rests on it. */
#ifndef COUPLET_AUTOMATA_CONVERT_FROM_PROGRAM_H
#define COUPLET_AUTOMATA_CONVERT_FROM_PROGRAM_H

#include "check/automaton/model.h"
#include "claim/claim.h"

enum { FROM_PROGRAM_STATES = 500, FROM_PROGRAM_STEPS = 10000 };

/* Fills `a` (initialised, empty) and finishes it; `mechanism` is what the claim is about. False:
 * *why says what does not fit (a literal). */
bool automaton_from_program(struct automaton *a, struct claim *claim, const char **why);

#endif
