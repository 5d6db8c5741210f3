/* Threshold automata (DiPA, GDiPA): the model everything in this folder works on.
 *
 * At a state the automaton reads an input `in` (at a non-input state: nothing, in = 0), draws
 *   insample  ~ Lap(in + mean,  1/(d eps))       insample' ~ Lap(in + mean2, 1/(d2 eps))
 * takes the edge whose guard holds, emits the edge's output, stores insample in the edge's
 * variables. If no guard holds the run ends there. Two inputs are adjacent when they differ by at
 * most 1 at every input state.
 *
 * Guards compare insample with stored variables: a literal is `insample < x` (L) or
 * `insample >= x` (G). `<=` and `>` mean the same, since ties have probability 0.
 *   shared noise:      one insample per step serves every comparison, assignment and output.
 *   independent noise: every variable x has its own sample insample_x of the same law. A literal
 *                      on x reads insample_x, an assignment to x stores insample_x; the output
 *                      insample is that of the one variable the edge mentions, or a sample of its
 *                      own when it mentions none (several: an error, see classify.h).
 *
 * Representation: everything is an index into an array. States and edges are numbered from 0;
 * after automaton_finish the edges of state s are first_edge[s] .. first_edge[s+1]-1, in the order
 * in which they were added. Rationals, guards and sets of variables are interned: few are distinct
 * in large automata, and equal ones have equal numbers. Rational 0 is the number 0, guard 0 is
 * `true`, set 0 is empty. A guard is a disjunction of cubes, a cube a conjunction of literals in
 * increasing order; shared noise has one cube per guard. Spans lie in one file. */
#ifndef COUPLET_CHECK_AUTOMATON_MODEL_H
#define COUPLET_CHECK_AUTOMATON_MODEL_H

#include <flint/fmpq.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buffer.h"
#include "base/intern.h"
#include "base/source.h"
#include "base/vec.h"

#define AUTOMATON_NONE UINT32_MAX

/* Variable and side in one word: 2 * variable + (0: L, insample < x; 1: G, insample >= x). */
typedef uint32_t literal;
static inline literal literal_less(uint32_t var) {
  return 2 * var;
}
static inline literal literal_greater(uint32_t var) {
  return 2 * var + 1;
}
static inline uint32_t literal_var(literal l) {
  return l / 2;
}
static inline bool literal_is_less(literal l) {
  return (l & 1) == 0;
}

/* What an edge emits: the number of a symbol, or one of these. */
#define EMIT_INSAMPLE (UINT32_MAX - 1)
#define EMIT_PRIME (UINT32_MAX - 2)

struct automaton_state {
  uint32_t d, mean;   /* rationals */
  uint32_t d2, mean2; /* rationals of insample', or AUTOMATON_NONE */
  bool is_input;
  bool is_final; /* no noise, no edge: d is AUTOMATON_NONE */
};

struct automaton_edge {
  uint32_t from, to;
  uint32_t guard;  /* in guards */
  uint32_t assign; /* in sets */
  uint32_t emit;   /* symbol, EMIT_INSAMPLE or EMIT_PRIME */
};

struct automaton_range {
  uint32_t begin, end;
};

struct automaton {
  const char *name;
  bool independent;
  uint32_t start;
  VEC(struct automaton_state) states;
  VEC(struct automaton_edge) edges;
  VEC(uint32_t) first_edge; /* after automaton_finish: states.len + 1 entries */

  VEC(const char *) vars;
  VEC(const char *) symbols;
  VEC(const char *) state_names; /* NULL: shown as its number */
  VEC(fmpq) rationals;
  VEC(struct automaton_range) guards; /* into cubes */
  VEC(struct automaton_range) cubes;  /* into literals */
  VEC(literal) literals;
  VEC(struct automaton_range) sets; /* into members, increasing */
  VEC(uint32_t) members;

  uint32_t file; /* of all spans; 0: built in memory, no spans */
  VEC(struct automaton_range) state_spans, edge_spans;

  struct intern names;           /* owns every name */
  struct automaton_index *index; /* hash tables used while building */
};

void automaton_init(struct automaton *a);
void automaton_clear(struct automaton *a);

/* ---- building ------------------------------------------------------------------------------- */

uint32_t automaton_rational(struct automaton *a, const fmpq_t value);
uint32_t automaton_ratio(struct automaton *a, slong num, ulong den);
/* The number of the variable / symbol of that name, made on first use. */
uint32_t automaton_var(struct automaton *a, const char *name, size_t length);
uint32_t automaton_symbol(struct automaton *a, const char *name, size_t length);
/* A new final state, to be given noise by automaton_noise. `name` may be NULL. */
uint32_t automaton_state(struct automaton *a, const char *name, size_t length, struct span span);
/* d2 and mean2 may be AUTOMATON_NONE. */
void automaton_noise(struct automaton *a, uint32_t state, bool is_input, uint32_t d, uint32_t mean,
                     uint32_t d2, uint32_t mean2);
/* A conjunction; sorts and drops duplicates in `literals`. */
uint32_t automaton_guard(struct automaton *a, literal *literals, size_t count);
/* A disjunction of conjunctions: cube i holds the next sizes[i] literals. No cube: false. */
uint32_t automaton_guard_dnf(struct automaton *a, literal *literals, const size_t *sizes,
                             size_t cubes);
uint32_t automaton_set(struct automaton *a, uint32_t *vars, size_t count);
void automaton_edge(struct automaton *a, struct automaton_edge edge, struct span span);
/* Everything but guards, sets and edges, with the same numbers; states without names and places.
 * `out` is new. */
void automaton_copy_states(struct automaton *out, const struct automaton *a);
/* Orders the edges by their source. Nothing may be added afterwards. */
void automaton_finish(struct automaton *a);

/* ---- reading -------------------------------------------------------------------------------- */

static inline const fmpq *automaton_value(const struct automaton *a, uint32_t rational) {
  return &a->rationals.at[rational];
}
struct span automaton_state_span(const struct automaton *a, uint32_t state);
struct span automaton_edge_span(const struct automaton *a, uint32_t edge);
/* The literals of a guard that is a conjunction (always so under shared noise). */
struct literals {
  const literal *at;
  size_t count;
};
struct literals automaton_conjunction(const struct automaton *a, uint32_t guard);
bool automaton_is_conjunction(const struct automaton *a, uint32_t guard);
struct members {
  const uint32_t *at;
  size_t count;
};
struct members automaton_members(const struct automaton *a, uint32_t set);
bool automaton_assigns(const struct automaton *a, uint32_t set, uint32_t var);

void automaton_print_state(struct buffer *out, const struct automaton *a, uint32_t state);
/* `insample < x and insample >= y`, `true`, `false` */
void automaton_print_guard(struct buffer *out, const struct automaton *a, uint32_t guard);

#endif
