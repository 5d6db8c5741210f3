/* Completing a proof block: the given steps are kept, the search finds the rest.
 *
 * The steps of the block are binding: each candidate contains all of them, word by word, and what
 * is added stands where the block says nothing (plan.h). So a wrong step is never put
 * right behind the author's back; the claim is unknown then.
 *
 * Additions come from two sides. Every candidate of another strategy is merged with the block
 * before the kernel sees it (merge.h). And facts about the loops are added as the kernel
 * asks for them (pool.h): the formula that could not be proved says which variables
 * matter, the facts about these become invariants, and an added invariant that does not hold is
 * taken out again, until the proof is accepted or nothing is left to add. */
#ifndef COUPLET_SEARCH_COMPLETE_COMPLETE_H
#define COUPLET_SEARCH_COMPLETE_COMPLETE_H

#include "search/base/auto.h"

/* Checks a candidate of another strategy together with the given steps. */
const struct proof_result *complete_candidate(struct auto_search *s, struct span given,
                                              const struct auto_candidate *candidate);
/* The given steps and facts about the loops, without another strategy's help: before the others if
 * the block has steps that they know nothing of, else after them. */
auto_strategy auto_complete_first, auto_complete_last;

/* For strategies that propose blocks with gaps: completes the text, together with the given steps
 * if there are any. */
const struct proof_result *complete_block(struct auto_problem *p, struct auto_search *s,
                                          const char *text, int promise);

#endif
