/* The loops of a program one of whose loops pays for listed outcomes. */
#ifndef COUPLET_SEARCH_GOALS_LISTED_LOOPS_H
#define COUPLET_SEARCH_GOALS_LISTED_LOOPS_H

#include "kernel/kernel.h"
#include "search/base/text.h"

/* The only loop at the top of the program that draws samples and reads private data; nothing else does
 * one of these. Or, if there are several loops, the only one that reads private data: what the
 * others read is equal in both runs if the outcomes are. *rest is what follows. NULL: there is none. */
const struct core *listed_loop(struct kernel *k, const struct core *program,
                               const struct core **rest);
/* Its number as in proof text; 0 if it is the only one. */
unsigned listed_loop_number(const struct core *program, const struct core *loop);
/* Proof text for the other loops: what they find written is equal in both runs. */
void listed_loop_others(struct kernel *k, const struct core *program, const struct core *loop,
                        struct text *out);

#endif
