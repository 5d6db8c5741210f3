/* Exact probabilities of paths and outputs of threshold automata (Coupling strategies, Definition
 * 4.13).
 *
 * A query fixes eps, one input per step and what is seen of each step. On a path every insample is
 * an independent Laplace sample and every guard compares it with samples of earlier steps, so the
 * probability is that of an order (num/real/order_integral.h), which is computed exactly and
 * enclosed in a ball of the requested accuracy. An output is the union of the disjoint paths that
 * emit it.
 *
 * What is seen of a step that emits a real number: nothing (any value), a window, or the value
 * itself; k exact values make the result a density of dimension k. An observer cannot tell insample
 * from insample', only a real number from a symbol.
 *
 * Where guards overlap (the automaton is not deterministic) the first edge in the order of the
 * state whose guard holds is taken, as in `if .. elseif ..`, and the result says so.
 *
 * The event "path" (or "output") is that the run begins with it; how it goes on does not matter. */
#ifndef COUPLET_CHECK_COUNTEREXAMPLE_PROBABILITY_H
#define COUPLET_CHECK_COUNTEREXAMPLE_PROBABILITY_H

#include "check/automaton/model.h"
#include "num/real/ball.h"
#include "num/real/exppoly.h"

enum {
  PROBABILITY_STEPS_MAX = 2000, /* length of a path */
  PROBABILITY_PATHS_MAX = 4096  /* paths with one output, times cases of disjunctive guards */
};

/* Emitted real numbers, as an observer sees them. */
#define OUTPUT_REAL EMIT_INSAMPLE

enum event_kind { EVENT_ANY, EVENT_WINDOW, EVENT_VALUE };

struct automaton_event {
  enum event_kind kind;
  struct line_end low, high; /* window; a value is `low` */
};

struct automaton_step {
  uint32_t what;                /* edge (path queries), or symbol / OUTPUT_REAL (output queries) */
  fmpq_t input;                 /* ignored at non-input states */
  struct automaton_event event; /* of a real output; EVENT_ANY on symbols */
};

struct automaton_query {
  const struct automaton *automaton;
  fmpq_t eps;   /* > 0 */
  bool is_path; /* steps name edges; else outputs */
  VEC(struct automaton_step) steps;
};

void automaton_query_init(struct automaton_query *query, const struct automaton *automaton,
                          bool is_path);
void automaton_query_clear(struct automaton_query *query);
void automaton_query_copy(struct automaton_query *to, const struct automaton_query *from);
/* Appends a step with input 0 and EVENT_ANY. The pointer is valid until the next push. */
struct automaton_step *automaton_query_push(struct automaton_query *query, uint32_t what);
/* The output query with the same inputs, events and eps as a path query. */
void automaton_query_output_of(struct automaton_query *out, const struct automaton_query *path);

enum probability_status {
  PROBABILITY_OK,
  PROBABILITY_IMPRECISE, /* enclosed, but wider than asked */
  PROBABILITY_TIMEOUT,
  PROBABILITY_LIMIT,  /* a named limit was hit */
  PROBABILITY_INVALID /* the query makes no sense: not a path, variable never assigned, ... */
};

struct probability {
  enum probability_status status;
  arb_t value;        /* an enclosure in any case; not finite if nothing is known */
  unsigned dimension; /* number of exact values: 0 for a probability, else a density */
  size_t paths;       /* summed over */
  bool by_priority;   /* some edge of these paths overlaps with another one of its state */
  char *why;          /* one sentence unless PROBABILITY_OK, else NULL */
};
void probability_init(struct probability *p);
void probability_clear(struct probability *p);

/* Fills `out` (initialised). */
void automaton_probability(struct probability *out, const struct automaton_query *query,
                           struct ball_goal goal);

/* The paths from the start state that can emit the outputs of an output query, each as edges; false
 * if there are more than `limit` (or far more dead ends than that). Edges with contradictory guards
 * are not filtered. */
typedef VEC(uint32_t) edge_path;
typedef VEC(edge_path) edge_paths;
bool automaton_paths_with_output(edge_paths *paths, const struct automaton_query *output,
                                 size_t limit);
void edge_paths_clear(edge_paths *paths);

/* False if the guards along the path contradict each other: it then has probability 0 whatever the
 * inputs. (True also where the path cannot be judged: limits, variables without value.) */
bool automaton_path_is_possible(const struct automaton *a, const uint32_t *edges, size_t length);

/* Can both edges (of one state) be taken at once? Never, if some literal of one contradicts one of
 * the other in every pair of cubes. */
bool automaton_edges_exclude(const struct automaton *a, uint32_t edge1, uint32_t edge2);

#endif
