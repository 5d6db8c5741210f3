#include "search/refute/automaton_guide.h"

#include <string.h>

#include "automata/model/cycle.h"
#include "base/alloc.h"

/* ---- cycles --------------------------------------------------------------------------------- */

/* The cycles of a path: where a state comes back. The shortest ones, from the left. */
static void mark_cycles(guide *g, const struct automaton *a) {
  uint32_t cycle = 0;
  for (size_t end = 0, free_from = 0; end < g->len; end++) {
    uint32_t state = a->edges.at[g->at[end].edge].to;
    for (size_t begin = end + 1; begin-- > free_from;) {
      if (a->edges.at[g->at[begin].edge].from != state) continue;
      cycle++;
      for (size_t k = begin; k <= end; k++)
        g->at[k].cycle = cycle;
      free_from = end + 1;
      break;
    }
  }
}

enum { CYCLE_LENGTH_MAX = 200, CYCLE_STATES_MAX = 200000 };

/* The cycles through a state, each for rising and for falling inputs. */
static void add_cycles(guide *g, const struct automaton *a, uint32_t state, uint32_t *number) {
  for (uint32_t e = a->first_edge.at[state]; e < a->first_edge.at[state + 1]; e++) {
    edge_path cycle = {0};
    bool found = cycle_shortest(a, e, CYCLE_LENGTH_MAX, &cycle);
    for (int delta = -1; found && delta <= 1 && g->len < GUIDE_STEPS_MAX; delta += 2) {
      ++*number;
      for (size_t k = 0; k < cycle.len; k++) {
        bool is_input = a->states.at[a->edges.at[cycle.at[k]].from].is_input;
        vec_push(g, (struct guide_step){cycle.at[k], *number, is_input ? delta : 0});
      }
    }
    vec_clear(&cycle);
  }
}

static void put_in_cycles(guide *g, const struct automaton *a) {
  guide plain = *g;
  uint32_t number = 0;
  memset(g, 0, sizeof *g);
  for (size_t i = 0; i <= plain.len && plain.len > 0; i++) {
    bool is_end = i == plain.len; /* the state it ends in may have cycles, too */
    uint32_t state =
        is_end ? a->edges.at[plain.at[i - 1].edge].to : a->edges.at[plain.at[i].edge].from;
    bool is_new = true;
    for (size_t k = 0; k < i && is_new; k++)
      is_new = a->edges.at[plain.at[k].edge].from != state;
    if (is_new) add_cycles(g, a, state, &number);
    if (!is_end) vec_push(g, (struct guide_step){plain.at[i].edge, 0, plain.at[i].delta});
  }
  vec_clear(&plain);
}

bool guide_from(guide *g, const struct automaton *a, const struct automaton_result *analysis,
                enum guide_kind kind) {
  if (!analysis) return false;
  if (analysis->verdict == AUTOMATON_NOT_PRIVATE && kind == GUIDE_PLAIN) {
    for (size_t i = 0; i < analysis->walk.steps.len; i++) {
      const struct walk_step *step = &analysis->walk.steps.at[i];
      vec_push(g, (struct guide_step){step->edge, step->cycle, 0});
    }
  } else if (analysis->verdict == AUTOMATON_PRIVATE && analysis->worst.len <= GUIDE_STEPS_MAX) {
    for (size_t i = 0; i < analysis->worst.len; i++)
      vec_push(g, (struct guide_step){analysis->worst.at[i].edge, 0, analysis->worst.at[i].delta});
    if (kind == GUIDE_PLAIN)
      mark_cycles(g, a);
    else if (a->states.len <= CYCLE_STATES_MAX)
      put_in_cycles(g, a);
  }
  return g->len > 0;
}

/* ---- candidates ----------------------------------------------------------------------------- */

static const size_t round_ladder[] = {1,  2,  3,  4,  6,  8,  12,  16,  20, 24,
                                      28, 32, 40, 48, 64, 96, 128, 192, 256};
enum { ROUND_COUNT = sizeof round_ladder / sizeof *round_ladder };

static size_t cycle_end(const guide *g, size_t begin) {
  size_t end = begin + 1;
  while (end < g->len && g->at[end].cycle == g->at[begin].cycle)
    end++;
  return end;
}

static void unroll(const guide *g, size_t rounds, struct shift_path *path) {
  for (size_t i = 0; i < g->len;) {
    size_t end = g->at[i].cycle ? cycle_end(g, i) : i + 1;
    for (size_t n = 0; n < (g->at[i].cycle ? rounds : 1); n++)
      for (size_t k = i; k < end; k++) {
        vec_push(&path->edges, g->at[k].edge);
        vec_push(&path->deltas, (signed char)g->at[k].delta);
      }
    i = end;
  }
}

/* The next path of the guide with more rounds; false when there is none. The differences are the
 * worst ones, or, with too many variables for that, those of the guide. */
static bool more_rounds(struct candidates *c) {
  const char *why;
  if (!c->guide || c->next_round == ROUND_COUNT || budget_is_spent(c->budget)) return false;
  struct shift_path path, priced;
  size_t rounds = round_ladder[c->next_round++];
  shift_path_init(&path);
  shift_path_init(&priced);
  unroll(c->guide, rounds, &path);
  bool ok = path.edges.len <= SHIFT_DEPTH_MAX;
  if (ok && shift_search_deltas(&priced, c->a, path.edges.at, path.edges.len, c->budget, &why)) {
    struct shift_path swap = path;
    path = priced;
    priced = swap;
  } else if (c->upper) {
    fmpq_set(path.cost, c->upper);
  } else {
    ok = false;
  }
  if (ok) {
    vec_push(&c->paths, path);
    vec_push(&c->rounds, rounds);
  } else {
    shift_path_clear(&path);
    c->next_round = ROUND_COUNT;
  }
  shift_path_clear(&priced);
  return ok;
}

const struct shift_path *candidate(struct candidates *c, size_t i) {
  while (i >= c->paths.len)
    if (!more_rounds(c)) return NULL;
  return &c->paths.at[i];
}

void candidates_init_guided(struct candidates *c, const struct automaton *a, const guide *g,
                            const struct automaton_result *analysis, const struct budget *budget) {
  *c = (struct candidates){.a = a, .guide = g, .budget = budget};
  if (analysis->verdict == AUTOMATON_PRIVATE) c->upper = analysis->upper;
}

bool candidates_init_free(struct candidates *c, const struct automaton *a, const fmpq_t target,
                          const struct budget *budget, const char **why) {
  *c = (struct candidates){.a = a, .budget = budget};
  if (!shift_search(&c->paths, a, SEARCH_DEPTH, target, 12, budget, why)) return false;
  for (size_t i = 0; i < c->paths.len; i++)
    vec_push(&c->rounds, 0);
  return true;
}

void candidates_clear(struct candidates *c) {
  shift_paths_clear(&c->paths);
  vec_clear(&c->rounds);
}
