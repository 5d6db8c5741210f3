/* A threshold automaton as a program of the Couplet language, with the proof that its strategy is.
 *
 * The program reads an array of inputs, one per step, of any length; `at` is the state, and every
 * state is a branch of one loop: sample, compare, emit, go on. Outputs are pairs of a number for
 * the symbol and a real number (0 for symbols), or the number alone if nothing real is ever output.
 * Where no guard holds the run is over, and since the program's output then is shorter, that is
 * visible (refine.h).
 *
 * The proof: an invariant says which shifts the stored values have at each state, the budget is the
 * value of the point, each sampling is shifted as the strategy says. It is text for the kernel to
 * check; nothing here is trusted. */
#ifndef COUPLET_AUTOMATA_CONVERT_PROGRAM_TEXT_H
#define COUPLET_AUTOMATA_CONVERT_PROGRAM_TEXT_H

#include "automata/convert/oblivious.h"
#include "automata/convert/refine.h"
#include "base/buffer.h"

/* `o` is a strategy for r->a, which is the refinement of a. */
void automaton_program_text(struct buffer *out, const struct automaton *a, const struct refined *r,
                            const struct oblivious *o);

#endif
