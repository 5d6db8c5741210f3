/* What a strategy does on each edge, for people: shifts and costs, collected by following the
 * points of a strategy (strategy.h) from the start under every Delta. Not evidence: the checker
 * does not use it. */
#ifndef COUPLET_AUTOMATA_DECIDE_FOLLOW_H
#define COUPLET_AUTOMATA_DECIDE_FOLLOW_H

#include "check/automaton/strategy.h"

struct edge_use {
  bool is_used;
  unsigned
      shifts[3]; /* by Delta + 1: the shifts of the sample that occur, as SHIFT_ bits (pump.h) */
  fmpq_t cost;   /* the most that the edge costs */
};

/* `uses` has one entry per edge, not initialised; clear it in any case. False: the strategy has to
 * know the path (labels), or takes too long to follow; then nothing is used. Shared noise: with
 * independent noise `shifts` stay 0. */
bool strategy_follow(const struct strategy *s, const struct automaton *a, struct edge_use *uses);
void edge_uses_clear(struct edge_use *uses, size_t count);
/* "shift +1", "shift = difference" (of the inputs), "shift -1 or 0", and the cost: "free", "costs
 * 1/4". */
void edge_use_print(struct buffer *out, const struct edge_use *use, bool is_input);

#endif
