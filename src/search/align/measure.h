/* Counters: what can pay for the iterations of a loop.
 *
 * A counter is an integer that no edge of the graph increases and that is at least 0 wherever it
 * decreases. Most are differences that guards compare: N - count, n - i. The place of a difference
 * is one as well: it may wander through the elements of arrays and through variables, and cost
 * something only when it moves on - in the binary-tree counter an item is in one partial sum of
 * each size. Then the states of the loop and of all loops in it each have a measure of their own:
 * the place of an array that differs, or a variable that says where it will be put; places have an
 * upper end, the length of the array, and what is left up to there is the counter.
 *
 * A store is a real number from which iterations take what they cost, or a fixed multiple of it: a
 * variable (the budget that is left, or a share that is halved each time), or what a variable has
 * left up to a limit that the loop compares it with (total - spent). Like a counter it may be
 * compared before an iteration takes from it or afterwards; what the last one takes too much is a
 * part of what is left. */
#ifndef COUPLET_SEARCH_ALIGN_MEASURE_H
#define COUPLET_SEARCH_ALIGN_MEASURE_H

#include "search/align/graph.h"

enum { MAX_COUNTERS = 12 };

struct counter {
  term_id guard;          /* at least 0 wherever it decreases; TERM_NONE: of places */
  const bool *holds;      /* per node: the guard is at least 0 there */
  const term_id *left;    /* per node: what is left, never negative; TERM_NONE: nothing can cost */
  const struct ratio *by; /* per edge: what it takes away */
};
typedef VEC(struct counter) counter_list;

struct store {
  term_id guard;     /* what iterations take from */
  const bool *holds; /* per node: it is at least 0 there */
  term_id left;      /* never negative: the guard, and what the last iteration may overdraw */
  term_id rate;      /* an iteration costs at most so many times what it takes */
  const bool *pays;  /* per edge: does it take anything? */
  bool positive;     /* the guard is more than 0 everywhere */
};

/* Appended. `entries`: the ways into the loop. */
void counters_find(struct align *s, const struct graph *g, const struct align_end *entries,
                   counter_list *out);
/* By the place of a difference; false: there is none. `variant`: 0, 1, ... until it answers no. */
bool counter_of_places(struct align *s, const struct graph *g, size_t variant, struct counter *out,
                       bool *more);

/* By the window that slides over the witness: in so many iterations it still is in there. False:
 * there is none. */
bool counter_of_window(struct align *s, const struct graph *g, size_t witness, struct counter *out);
/* The potential with the most that may be left of such counters. */
term_id align_at_most(struct align *s, const struct align_plan *plan, term_id potential);

/* What may be one, appended. */
void stores_suggest(struct align *s, const struct graph *g, term_list *out);
/* Is it one, and what does it pay? */
bool store_find(struct align *s, const struct graph *g, const struct align_end *entries,
                term_id guard, struct store *out);
/* Does the term look up something in an array? */
bool align_looks_up(struct align *s, term_id t);

/* An integer comparison that was decided, as e >= 0; TERM_NONE: it is none. */
term_id align_as_guard(struct align *s, const struct align_decision *d);

#endif
