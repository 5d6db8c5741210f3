/* Alignment: both runs take the same branches.
 *
 * A game on the lowered program. The adversary picks the differences of the private inputs, within
 * the adjacency; we pick for every sampling by how much run 2's sample is shifted, such that run 2
 * takes the branches run 1 takes and ends with the same outputs. The parts:
 *
 *   form       differences between the runs as linear forms
 *   input      which values are private, and what the claim says of them
 *   shape      by how much they differ, and where (asks the solver)
 *   differ     by how much a term differs at a point of a path
 *   place      where arrays differ (tally: arrays of tallies)
 *   path       symbolic execution: the paths of a piece of code up to the next loop, each with the
 *              constraints that keep the runs together
 *   piece      chooses the shifts of the samplings on these paths
 *   price      what a choice costs
 *   loop       states of a loop: what is known of the differences (live: which variables are
 *              needed; guard: which conditions are known; sweep: which arrays it makes equal)
 *   potential  what a loop can still cost, by states and counters (graph: states and ways between
 *              them; measure: counters, the place of a difference among them; lp)
 *   cost       costs as text
 *   rows, view, facts, emit  the result as tables, as terms, as proof text
 *   align      puts them together
 *
 * All of it is untrusted and lives in the arena of one search. */
#ifndef COUPLET_SEARCH_ALIGN_ALIGN_H
#define COUPLET_SEARCH_ALIGN_ALIGN_H

#include "kernel/core.h"
#include "search/align/form.h"
#include "search/base/auto.h"
#include "search/base/bounds.h"
#include "search/base/points.h"
#include "search/base/view.h"

enum {
  ALIGN_PATHS = 192,   /* of one piece of code */
  ALIGN_STATES = 24,   /* of one loop */
  ALIGN_LEAVES = 1500, /* assignments of shifts looked at in one piece of code */
  ALIGN_NEEDS = 6,     /* refinements */
  ALIGN_SPOTS = 4,     /* of one private value */
  ALIGN_PLACES = 4,    /* at which it differs, of one spot */
  ALIGN_KEYS = 8,      /* witnesses that are found on the way */
  ALIGN_PHASES = 8     /* iterations that may read the same element */
};

/* A place in a private value for something that is not private, an integer: the value is equal
 * unless it is one of these witnesses. */
struct align_spot {
  size_t hole;
  size_t witness[ALIGN_PLACES];
  size_t count;
};

/* A private value up to its indices: q[?], evalQ(?, d), if key[?] = ? then 1 else 0. */
struct align_shape {
  term_id pattern;
  struct ratio low, high; /* of the difference, forwards */
  term_id unit;           /* of these; TERM_NONE: 1 */
  struct align_spot spots[ALIGN_SPOTS];
  size_t spot_count;
};

/* The shape of a term over variables that differ, and what was known of them. */
struct align_computed {
  term_id one, given;
  const struct align_shape *shape;
};

/* One value of a shape. */
struct align_read {
  const struct align_shape *shape;
  term_id index[ALIGN_SPOTS]; /* what is in its spots */
};

/* An integer at which something differs: an index of which an `exists` of the adjacency speaks, the
 * key of that record in one of the runs, or the place of a local array. */
struct align_witness {
  term_id var;   /* in formulas; a key is a term */
  term_id shown; /* in proof text */
  size_t array;  /* the variable that differs there; SIZE_MAX: an input */
  size_t twin;   /* what differs at this key differs at that witness, too; or SIZE_MAX */
};

/* A variable that must be equal in both runs at the head of a loop. */
struct align_need {
  const struct core *loop;
  term_id var;
};

/* A sampling inside a loop whose shift is fixed, because its variable lives on. */
struct align_fixed {
  const struct core *site;
  const struct form *shift;
};

/* A question to the solver, and its answer. */
struct align_asked {
  term_id goal;
  bool holds;
};

struct align {
  struct auto_problem *problem;
  struct auto_search *search;
  struct terms *ts;
  struct kernel *k;
  struct arena *arena;
  struct forms forms;
  const struct core *program;

  bool swapped;          /* the backward direction */
  struct known known;    /* the assumptions that are arithmetic */
  bool by_instances;     /* of their quantifiers they are asked */
  size_t slow_questions; /* about exponentials and logarithms, so far */
  bool keyless;          /* keys are no witnesses: all bins of a histogram pay, not two of them */
  term_id assumption;    /* case of the adjacency that is assumed */
  term_list vars;        /* program variables, and the places of arrays (place.h) */
  VEC(size_t) place;     /* per variable: the index of its place, or SIZE_MAX */
  term_list private;     /* the private inputs among them */
  term_list public;      /* the other inputs */
  term_list constants;   /* numbers that may bound a difference, increasing */
  term_list units;       /* what differences are measured in: parameters, or TERM_NONE for 1 */
  VEC(const struct align_shape *) shapes;
  VEC(struct align_computed) computed;
  VEC(struct align_witness) witnesses;
  size_t most_witnesses;                /* that there may be */
  VEC(struct align_need) needs, wanted; /* in force; suggested by failures */
  VEC(struct align_fixed) fixed;
  VEC(const struct core *) living; /* samplings in loops whose effect lasts */
  VEC(const struct core *) vague;  /* the same through products and the like */
  int together;                    /* may differences be bounded together? -1: not known yet */
  VEC(struct align_asked) asked;   /* about that */
  struct points points;
  struct span blame_span;
  const char *blame;  /* the first constraint that could not be met, in words */
  bool unbounded;     /* iterations that cost are not bounded: that is what is blamed */
  term_id blame_atom; /* of a branch */
};

/* Blamed where noise would have to move that has no price under epsilon alone. */
extern const char align_normal_centre[];

/* Moves a finished vector into the arena. Nothing is pushed to it afterwards. */
#define ALIGN_KEEP(s, v)                                                                           \
  do {                                                                                             \
    size_t keep_len_ = (v)->len;                                                                   \
    void *keep_at_ = arena_take_vec((s)->arena, v);                                                \
    (v)->at = keep_at_;                                                                            \
    (v)->len = keep_len_;                                                                          \
    (v)->cap = 0;                                                                                  \
  } while (0)

/* The number of elements of an array; TERM_NONE: not known. */
term_id align_length_of(const struct align *s, term_id array);
/* The indices at which arrays are read in the value are in range. */
term_id align_in_range(struct align *s, term_id value);
size_t align_var(const struct align *s, term_id var); /* index, or SIZE_MAX */
/* Is it made of numbers and parameters alone? */
bool align_is_fixed(const struct align *s, term_id t);
/* So many units, as a term: an integer where that is possible. */
term_id align_number(struct align *s, struct ratio r, term_id unit);
/* Small numbers of units that may be shifts, and their opposites, made of the first `constants`;
 * NULL: there are no more. */
const struct form *align_step(struct align *s, size_t i, size_t constants);

/* A search in one direction, in the arena of the problem. */
struct align *align_open(struct auto_problem *p, struct auto_search *search, bool swapped);
void align_close(struct align *s);

/* ---- align_input ------------------------------------------------------------------------------ */

/* Finds private inputs and witnesses. */
void align_inputs(struct align *s);
/* Does a private input occur in it? */
bool align_reads_private(const struct align *s, term_id t);
/* Is it read off a private input: q, q[e], evalQ(e, d), or one of two values as private data say?
 */
bool align_is_private(const struct align *s, term_id t);
/* The numbers in it may bound a difference. */
void align_add_constants(struct align *s, term_id t);
/* The index of the witness, a new one if need be; SIZE_MAX: there are too many. */
size_t align_witness_of(struct align *s, term_id var);
/* Measures the private values that the program reads: in what units do they differ? */
void align_measure(struct align *s);

/* Do the assumptions about inputs, as far as they are arithmetic, and `given` entail the goal? */
bool align_follows(struct align *s, term_id given, term_id goal);

/* ---- align_shape ------------------------------------------------------------------------------ */

/* By how much a value differs that is made of private data and what is equal; false: it has no
 * shape. */
bool align_read_of(struct align *s, term_id value, struct align_read *out);
const struct align_shape *align_shape_of(struct align *s, term_id t);
/* The same, without spots, of a term over variables some of which differ: by how much, says
 * `given`. */
const struct align_shape *align_shape_among(struct align *s, term_id t, const term_list *differ,
                                            term_id given);

/* ---- align_cost ------------------------------------------------------------------------------- */

/* points_weight and points_max at the points of the search. */
double align_weight(struct align *s, term_id cost);
term_id align_max(struct align *s, term_id a, term_id b);
/* Text for people: common factors in front, (1 + 6*N)/4*eps. */
const char *align_cost_text(struct align *s, term_id cost);

#endif
