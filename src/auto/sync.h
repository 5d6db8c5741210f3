/* The synchronous strategy: both runs take the same branches.
 *
 * A game on the lowered program. The adversary picks the differences of the private inputs, within
 * the adjacency; we pick for every sampling by how much run 2's sample is shifted, such that run 2
 * takes the branches run 1 takes and ends with the same outputs. The parts:
 *
 *   form       differences between the runs as linear forms
 *   sync_input which values are private, and by how much they differ (asks the solver)
 *   sync_differ by how much a term differs at a point of a path
 *   sync_place  where arrays differ
 *   sync_path  symbolic execution: the paths of a piece of code up to the next loop, each with the
 *              constraints that keep the runs together
 *   sync_piece chooses the shifts of the samplings on these paths
 *   sync_price what a choice costs
 *   sync_loop  states of a loop: what is known of the differences (sync_live: which variables are
 *              needed; sync_guard: which conditions are known)
 *   sync_potential  what a loop can still cost, by states and counters
 *   sync_travel  the same by the place of a difference
 *   sync_cost  costs as terms, compared at sample points
 *   sync_rows, sync_text, sync_facts, sync_emit  the result as tables, as terms, as proof text
 *   sync       puts them together
 *
 * All of it is untrusted and lives in the arena of one search. */
#ifndef COUPLET_AUTO_SYNC_H
#define COUPLET_AUTO_SYNC_H

#include "auto/auto.h"
#include "auto/form.h"
#include "auto/parts.h"
#include "kernel/core.h"

enum {
  SYNC_PATHS = 192,   /* of one piece of code */
  SYNC_STATES = 24,   /* of one loop */
  SYNC_LEAVES = 1500, /* assignments of shifts looked at in one piece of code */
  SYNC_NEEDS = 6,     /* refinements */
  SYNC_POINTS = 6     /* sample points at which costs are compared */
};

/* A private value up to its indices: q[?], evalQ(?, d). */
struct sync_shape {
  term_id pattern;
  struct ratio low, high; /* of the difference, forwards */
  term_id unit;           /* of these; TERM_NONE: 1 */
  int witness;            /* differs only where the index is this witness; -1: anywhere */
};

/* An index at which something differs: one of which an `exists` of the adjacency speaks, or the
 * place of a local array. */
struct sync_witness {
  term_id var;   /* in formulas */
  term_id shown; /* in proof text */
  size_t array;  /* the variable that differs there; SIZE_MAX: an input */
};

/* A variable that must be equal in both runs at the head of a loop. */
struct sync_need {
  const struct core *loop;
  term_id var;
};

/* A sampling inside a loop whose shift is fixed, because its variable lives on. */
struct sync_fixed {
  const struct core *site;
  const struct form *shift;
};

/* A question to the solver, and its answer. */
struct sync_asked {
  term_id goal;
  bool holds;
};

struct sync {
  struct auto_problem *problem;
  struct auto_search *search;
  struct terms *ts;
  struct kernel *k;
  struct arena *arena;
  struct forms forms;
  const struct core *program;
  const struct part_list *parts; /* with stubs in `program`; or NULL */

  bool swapped;        /* the backward direction */
  term_id assumption;  /* case of the adjacency that is assumed */
  term_list vars;      /* program variables, and the places of arrays (sync_place.h) */
  VEC(size_t) place;   /* per variable: the index of its place, or SIZE_MAX */
  term_list private;   /* the private inputs among them */
  term_list constants; /* numbers that may bound a difference, increasing */
  term_list units;     /* what differences are measured in: parameters, or TERM_NONE for 1 */
  VEC(struct sync_shape) shapes;
  VEC(struct sync_witness) witnesses;
  VEC(struct sync_need) needs, wanted; /* in force; suggested by failures */
  VEC(struct sync_fixed) fixed;
  VEC(const struct core *) living; /* samplings in loops whose effect lasts */
  term_list lengths;               /* parameters that are lengths of private arrays */
  int together;                    /* may differences be bounded together? -1: not known yet */
  VEC(struct sync_asked) asked;    /* about that */
  unsigned points[SYNC_POINTS], point_count; /* seeds of the sample points */
  struct span blame_span;
  const char *blame;  /* the first constraint that could not be met, in words */
  term_id blame_atom; /* of a branch */
};

/* Moves a finished vector into the arena. Nothing is pushed to it afterwards. */
#define SYNC_KEEP(s, v)                                                                            \
  do {                                                                                             \
    size_t keep_len_ = (v)->len;                                                                   \
    void *keep_at_ = arena_take_vec((s)->arena, v);                                                \
    (v)->at = keep_at_;                                                                            \
    (v)->len = keep_len_;                                                                          \
    (v)->cap = 0;                                                                                  \
  } while (0)

/* The number of elements of an array; TERM_NONE: not known. */
term_id sync_length_of(const struct sync *s, term_id array);
size_t sync_var(const struct sync *s, term_id var); /* index, or SIZE_MAX */
/* Is it made of numbers and parameters alone? */
bool sync_is_fixed(const struct sync *s, term_id t);
/* So many units, as a term: an integer where that is possible. */
term_id sync_number(struct sync *s, struct ratio r, term_id unit);
/* Small numbers of units that may be shifts, and their opposites, made of the first `constants`;
 * NULL: there are no more. */
const struct form *sync_step(struct sync *s, size_t i, size_t constants);

/* ---- sync_input ------------------------------------------------------------------------------ */

/* Finds private inputs and witnesses. */
void sync_inputs(struct sync *s);
/* Does a private input occur in it? */
bool sync_reads_private(const struct sync *s, term_id t);
/* Is it read off a private input: q, q[e], evalQ(e, d), or one of two values as private data say?
 */
bool sync_is_private(const struct sync *s, term_id t);
const struct sync_shape *sync_shape_of(struct sync *s, term_id t);
/* Measures the private values that the program reads: in what units do they differ? */
void sync_measure(struct sync *s);
/* Private values with an index that the loop reads at a place it does not change; appended. */
void sync_fixed_reads(struct sync *s, const struct core *loop, term_list *out);
/* The index at which the witness of its shape counts: e of q[e] and f(q[e]). TERM_NONE: none. */
term_id sync_index_of(struct sync *s, term_id t);

/* Do the assumptions about inputs, as far as they are arithmetic, and `given` entail the goal? */
bool sync_follows(struct sync *s, term_id given, term_id goal);

/* ---- sync_cost ------------------------------------------------------------------------------- */

/* Chooses the sample points. */
void sync_find_points(struct sync *s);
/* Value of a term at one of the sample points of the parameters. */
double sync_value(struct sync *s, term_id t, unsigned point);
double sync_weight(struct sync *s, term_id cost); /* one number to rank costs */
term_id sync_max(struct sync *s, term_id a, term_id b);
/* Text for people: common factors in front, (1 + 6*N)/4*eps. */
const char *sync_cost_text(struct sync *s, term_id cost);

#endif
