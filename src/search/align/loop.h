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
#ifndef COUPLET_SEARCH_ALIGN_LOOP_H
#define COUPLET_SEARCH_ALIGN_LOOP_H

#include "search/align/piece.h"

struct account;

struct align_step {
  size_t to;
  term_id cost;
  struct align_end *end;
};

struct align_head {
  struct align_state state; /* values: the variables, or literals of flags */
  unsigned *phase;          /* per witness, see struct align_track */
  int *truths;              /* of the conditions of the guard: 1, 0, or -1: open */
  struct align_piece *body, *after;
  VEC(struct align_step) steps;
  bool can_exit, changed;
  unsigned growth; /* times its bounds were widened */
  term_id base;    /* see above */
};

/* An array that the loop makes equal, one element after the other (sweep.h). */
struct align_sweep {
  term_id index; /* of the element it comes to, over the head; TERM_NONE: none */
  bool descending;
};

struct align_counter {
  term_id left; /* at least 0 */
  term_id rate;
  term_id guard; /* at least 0 in the states that `holds` names */
  const bool *holds;
  bool positive; /* the guard is a real number, and more than 0 */
};

/* A difference that grows (growth.h). */
struct align_growth {
  bool lost;              /* its bounds were given up */
  bool any, vague;        /* iterations change it; not by so much at most */
  bool uneven;            /* an integer that not every iteration changes by the same step */
  long step;              /* 1 or -1; 0: not known */
  struct ratio low, high; /* of the change in an iteration; 0 is between them */
  term_id unit;
  long ahead; /* iterations that are as bad as what differs at the start */
  const struct form *head, *inside, *behind; /* NULL: it is not seen like this */
};

/* A difference that adds up to what a sum bounds (total.h). */
struct align_total {
  term_id value;           /* what iterations add differs as this does; TERM_NONE: not known */
  struct ratio factor;     /* so many times */
  bool vague;              /* or in another way */
  term_id rest, most;      /* what is still to come, and the whole */
  const struct form *head; /* NULL: it is not seen like this */
};

struct align_plan {
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
  struct align_track *tracks;              /* per witness */
  struct align_sweep *sweeps;              /* per variable */
  struct align_growth *growth;             /* per variable */
  struct align_total *totals;              /* per variable */
  term_id counted, count_first, count_end; /* where one grows: the index, from, to */
  long count_step;
  VEC(struct align_head *) heads;
  VEC(struct align_counter) counters;
  VEC(size_t) entries;             /* heads */
  term_list travel;                /* per entry, over its variables: what the iterations cost */
  term_list entry_costs;           /* over the heads' variables: cost from there on */
  const struct align_end *entered; /* the ways in, one for each entry */
  struct account *account; /* how iterations are paid for; NULL: a loop around accounts for it */
  bool travels;            /* by the place of a difference (measure.h) */
};

/* The loop to which these ways through a piece lead, and what follows it. NULL: no choice works. */
struct align_plan *align_loop_solve(struct align *s, const struct align_piece *before,
                                    const struct align_end *entries, size_t count);
/* Once it is known what is needed after the loop (align_piece_settle): the potentials for that. */
void align_plan_settle(struct align *s, struct align_plan *plan);
/* The potential of a state, over its variables. */
term_id align_potential(struct align *s, const struct align_plan *plan, const struct align_head *h);

#endif
