/* Symbolic execution of a piece of code in both runs at once.
 *
 * A state gives for each program variable its value in run 1, a term over the values at the start
 * of the piece (the variables themselves) and fresh variables (samples, adversaries' answers), and
 * its difference between the runs; for the place of an array, where it differs. A path is one way
 * through the piece up to a loop or the end. It carries the decisions on the way, each with the
 * constraint under which run 2 decides alike, the samplings, whose shifts are atoms of the forms,
 * and requirements: forms that must be 0.
 *
 * Conditions are taken apart into comparisons. Booleans that may differ are decided where they are
 * computed, so `above := s >= t` is a branch as well; so is `if ... then ... else` in expressions.
 * Whether an index is the one that differs is a decision of the adversary ("ghost"). */
#ifndef COUPLET_SEARCH_ALIGN_PATH_H
#define COUPLET_SEARCH_ALIGN_PATH_H

#include "search/align/align.h"

struct align_state {
  term_id *value;           /* per variable of struct align */
  const struct form **diff; /* per variable */
};

enum relation { REL_NONE, REL_GE, REL_LE, REL_EQ }; /* form >= 0, <= 0, = 0 */

struct align_decision {
  const struct align_decision *previous;
  term_id atom; /* over the start of the piece */
  bool taken;
  enum relation relation;
  const struct form *gap;
  struct span span;
  unsigned order; /* samplings before it */
};

struct align_sample {
  const struct align_sample *previous;
  const struct core *site;
  unsigned order; /* on its path */
  unsigned shift; /* atom */
  term_id fresh;  /* run 1's sample */
  const struct form *centre;
  term_id scale; /* over the start of the piece; TERM_NONE: this family has none */
  struct align_state before;
  const struct align_decision *decided; /* before it */
};

struct align_require {
  const struct align_require *previous;
  const struct form *form;
  struct span span;
  const char *what; /* must be equal */
  term_id var;      /* or TERM_NONE */
};

/* What is assumed of samples in this iteration alone. */
struct align_assumed {
  const struct align_assumed *previous;
  const struct view_event *event;
};

enum path_end { PATH_END, PATH_EXIT, PATH_LOOP };

/* What is still to be executed: commands, questions, or a mark: the loop is left; at the end of an
 * iteration, will there be another one (AGAIN)? There will be none (LAST). */
struct todo {
  enum { TODO_COMMAND, TODO_QUESTION, TODO_EXIT, TODO_AGAIN, TODO_LAST } kind;
  const struct core *command; /* AGAIN: the loop */
  term_id question;
  struct span span;
  const struct todo *yes, *no; /* of a question */
  const struct todo *next;     /* of a command */
  const bool *live;            /* AGAIN: variables that are needed then */
};

struct align_path {
  struct align_state state;
  const struct align_decision *decisions; /* latest first */
  const struct align_sample *samples;     /* latest first */
  const struct align_require *requires;
  const struct align_assumed *assumed;
  term_list unknowns; /* fresh variables in the order of their making, in an arena */
  unsigned sample_count;
  const bool *met; /* per witness: a loop on the way has passed it; NULL: none has */
  term_id paid;    /* for parts on the way, over the start of the piece; TERM_NONE: nothing */
  enum path_end end;
  bool last;               /* the loop ends after this iteration */
  const struct core *loop; /* where it ends, */
  const struct todo *rest; /* and what comes afterwards */
};

/* How a loop comes to the index that differs: it reads a window of indices, which moves on by a
 * step with every iteration. Phase 0: the window is past the witness; k: k steps before that; the
 * last one: nothing else is known. */
struct align_track {
  term_id first;   /* the end of the window that leaves last: over the head; TERM_NONE: none */
  bool descending; /* the window goes down, and the others are below it, not above */
  long step;
  unsigned phases; /* iterations in which the same index may be read */
  term_id width;   /* of a window that moves on by 1, if no number bounds these; else TERM_NONE */
};

/* The start of a piece. */
struct align_start {
  const term_id *atoms; /* conditions that are known to hold (1) or not (0), or open (-1) */
  const int *truths;
  size_t atom_count;
  struct align_state state;
  const struct todo *todo;
  const unsigned *phase;            /* per witness; NULL: in no loop */
  const struct align_track *tracks; /* per witness */
};

typedef VEC(struct align_path) path_list;

/* False: too many paths. */
bool align_paths(struct align *s, const struct align_start *start, path_list *out);

const struct todo *todo_command(struct align *s, const struct core *c, const struct todo *next);
const struct todo *todo_question(struct align *s, term_id question, struct span span,
                                 const struct todo *yes, const struct todo *no);
const struct todo *todo_exit(struct align *s);
/* The end of an iteration; the question is one of the guard, or TERM_NONE. */
const struct todo *todo_again(struct align *s, const struct core *loop, term_id question,
                              const bool *live);

/* first + k steps: the witness is before that in the phases up to k. */
term_id align_track_bound(struct align *s, const struct align_track *track, term_id witness,
                          unsigned k);
/* b - a if that is a number, else not a number. */
struct ratio align_apart(struct align *s, term_id a, term_id b);

struct align_state align_state_copy(struct align *s, const struct align_state *state);
/* Has the variable no value yet, as the result before the first `return`? */
bool align_is_unset(const struct align *s, const struct align_state *state, size_t v);
/* A program term in run 1. */
term_id align_state_value(struct align *s, const struct align_state *state, term_id expr);

#endif
