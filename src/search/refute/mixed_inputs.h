/* Inputs of which the entries differ from one another: two numbers of the program and the one half
 * way between them, in any mixture. A median, or a mean over some of the records, moves far only
 * from such a base, and rounding jumps half way. */
#ifndef COUPLET_SEARCH_REFUTE_MIXED_INPUTS_H
#define COUPLET_SEARCH_REFUTE_MIXED_INPUTS_H

#include "search/refute/generator.h"

/* Drawn at random, but the same ones every time; the simplest numbers first. */
void mixed_inputs(struct generator *g);

#endif
