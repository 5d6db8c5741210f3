/* Loops: what is known of the differences before an iteration, and the budget that is left.
 *
 * A state says for each variable the loop writes whether its difference is 0, a number, within
 * bounds, or unknown; it also knows flags (variables that only get literals), which conditions of
 * the guard hold (`found < 0`), and whether the index that differs has been passed. From the states
 * at the entry the others are found by running the body, until nothing new comes up.
 *
 * The potential of a state is what all further iterations and the code after the loop can cost:
 * `base` of the state, plus for each counter its rate times what is left of it. A counter is an
 * integer expression that no path increases and that decreases only where it is at least 0. A base
 * may be negative in a state where something is always left. */
#ifndef COUPLET_AUTO_SYNC_LOOP_H
#define COUPLET_AUTO_SYNC_LOOP_H

#include "auto/sync_piece.h"

struct sync_travel;

struct sync_step {
  size_t to;
  term_id cost;
  struct sync_end *end;
};

struct sync_head {
  struct sync_state state; /* values: the variables, or literals of flags */
  bool *passed;            /* per witness */
  int *truths;             /* of the conditions of the guard: 1, 0, or -1: open */
  struct sync_piece *body, *after;
  VEC(struct sync_step) steps;
  bool can_exit, changed;
  unsigned growth; /* times its bounds were widened */
  term_id base;    /* see above */
};

struct sync_counter {
  term_id left; /* at least 0 */
  term_id rate;
  term_id guard; /* at least 0 in the states that `holds` names */
  const bool *holds;
};

struct sync_plan {
  const struct core *loop;
  const struct todo *rest;
  const bool *live; /* per variable: needed at the head */
  bool *written;    /* per variable */
  bool *hidden;     /* per variable: in the loop its name means the index */
  bool *flag;       /* per variable: gets literals only */
  term_id *fixed;   /* per variable: the literal it has throughout, or TERM_NONE */
  term_list atoms;  /* conditions whose truth states know, in an arena: those of the guard about
                     * numbers the loop sets, and those known at the entry that it does not touch */
  term_id again; /* a condition of the guard that decides whether a sample is used; or TERM_NONE */
  int *at_entry; /* their truth at the entry, where known from outside */
  term_list floors; /* a <= v: where v began, if it only grows; likewise v <= a; in an arena */
  term_id *reading; /* per witness: the index read in the body, or TERM_NONE */
  bool *descending; /* per witness: the index goes down */
  VEC(struct sync_head *) heads;
  VEC(struct sync_counter) counters;
  VEC(size_t) entries;            /* heads */
  term_list travel;               /* per entry, over its variables: what the iterations cost */
  term_list entry_costs;          /* over the heads' variables: cost from there on */
  const struct sync_end *entered; /* the ways in, one for each entry */
  struct sync_travel *travel_by;  /* a potential by places (sync_travel.h), or NULL */
  bool travels;                   /* it, or that of a loop around, is the potential */
};

/* The loop to which these ways through a piece lead, and what follows it. NULL: no choice works. */
struct sync_plan *sync_loop_solve(struct sync *s, const struct sync_piece *before,
                                  const struct sync_end *entries, size_t count);
/* Once it is known what is needed after the loop (sync_piece_settle): the potentials for that. */
void sync_plan_settle(struct sync *s, struct sync_plan *plan);
/* The potential of a state, over its variables. */
term_id sync_potential(struct sync *s, const struct sync_plan *plan, const struct sync_head *h);

#endif
