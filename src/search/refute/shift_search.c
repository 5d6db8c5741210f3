#include "search/refute/shift_search.h"

#include <string.h>

#include "base/alloc.h"
#include "check/automaton/essential.h"
#include "check/counterexample/probability.h"

void shift_path_init(struct shift_path *path) {
  memset(path, 0, sizeof *path);
  fmpq_init(path->cost);
}

void shift_path_clear(struct shift_path *path) {
  vec_clear(&path->edges);
  vec_clear(&path->deltas);
  fmpq_clear(path->cost);
}

void shift_paths_clear(shift_paths *paths) {
  for (size_t i = 0; i < paths->len; i++)
    shift_path_clear(&paths->at[i]);
  vec_clear(paths);
}

/* ---- nodes ---------------------------------------------------------------------------------- */

#define COST_INFINITE (INT64_MAX / 4)
#define COST_LARGE (COST_INFINITE / 16384) /* 3^8 of them can be added up */

struct node {
  uint32_t parent; /* index, or UINT32_MAX */
  uint32_t edge, state;
  signed char delta;
  int64_t least, sum; /* of the vector */
  int64_t *vector;    /* by shift of the variables: digit v of the index in base 3, minus 1; NULL
                         once it is no longer needed */
};

struct search {
  const struct automaton *a;
  size_t var_count, size; /* size = 3^var_count */
  size_t power[SHIFT_VARS_MAX + 1];
  fmpz_t scale;
  VEC(struct node) nodes;
  VEC(uint32_t) layer; /* nodes of the current length */
  VEC(uint32_t) next;  /* candidates of the next length */
  VEC(uint32_t) kept;  /* all nodes that keep their vector, for dominance */
  size_t kept_limit;
  literal_vec literals; /* what must be preserved of each guard (check/automaton/essential.h) */
  VEC(struct automaton_range) guards;
};

static bool search_init(struct search *s, const struct automaton *a, const char **why) {
  memset(s, 0, sizeof *s);
  s->a = a;
  fmpz_init(s->scale);
  fmpz_one(s->scale);
  if (a->vars.len > SHIFT_VARS_MAX) {
    *why = "the automaton has too many variables for the search";
    return false;
  }
  for (uint32_t g = 0; g < a->guards.len; g++) {
    uint32_t begin = (uint32_t)s->literals.len;
    automaton_essential(a, g, &s->literals);
    vec_push(&s->guards, (struct automaton_range){begin, (uint32_t)s->literals.len});
  }
  s->var_count = a->vars.len;
  s->power[0] = 1;
  for (size_t v = 0; v < s->var_count; v++)
    s->power[v + 1] = 3 * s->power[v];
  s->size = s->power[s->var_count];
  s->kept_limit = 64 * 1024 * 1024 / (s->size * sizeof(int64_t)) + 1;
  for (size_t i = 0; i < a->states.len; i++) {
    const struct automaton_state *state = &a->states.at[i];
    if (!state->is_final) fmpz_lcm(s->scale, s->scale, &automaton_value(a, state->d)->den);
    if (state->d2 != AUTOMATON_NONE)
      fmpz_lcm(s->scale, s->scale, &automaton_value(a, state->d2)->den);
    if (fmpz_bits(s->scale) > 30) {
      *why = "the noise parameters have too large a common denominator for the search";
      return false;
    }
  }
  return true;
}

static void search_clear(struct search *s) {
  for (size_t i = 0; i < s->nodes.len; i++)
    free(s->nodes.at[i].vector);
  vec_clear(&s->nodes);
  vec_clear(&s->layer);
  vec_clear(&s->next);
  vec_clear(&s->kept);
  vec_clear(&s->literals);
  vec_clear(&s->guards);
  fmpz_clear(s->scale);
}

static int64_t scaled(const struct search *s, uint32_t rational) {
  const fmpq *value = automaton_value(s->a, rational);
  fmpz_t out;
  fmpz_init(out);
  fmpz_divexact(out, s->scale, &value->den);
  fmpz_mul(out, out, &value->num);
  int64_t result = fmpz_bits(out) < 40 ? (int64_t)fmpz_get_si(out) : ((int64_t)1 << 40);
  fmpz_clear(out);
  return result;
}

static int digit(const struct search *s, size_t index, size_t var) {
  return (int)(index / s->power[var] % 3) - 1;
}

static size_t with_digit(const struct search *s, size_t index, size_t var, int shift) {
  return index + (size_t)(shift + 1) * s->power[var] -
         (size_t)(digit(s, index, var) + 1) * s->power[var];
}

/* ---- one traversal -------------------------------------------------------------------------- */

static struct literals literals_of(const struct search *s, uint32_t guard) {
  struct automaton_range r = s->guards.at[guard];
  return (struct literals){s->literals.at + r.begin, r.end - r.begin};
}

static bool allows(const struct search *s, struct literals guard, size_t index, uint32_t var,
                   int shift) {
  for (size_t k = 0; k < guard.count; k++) {
    uint32_t x = literal_var(guard.at[k]);
    if (var != AUTOMATON_NONE && x != var) continue;
    int held = digit(s, index, x);
    if (literal_is_less(guard.at[k]) ? shift > held : shift < held) return false;
  }
  return true;
}

static void relax(int64_t *vector, size_t index, int64_t cost) {
  if (cost < vector[index]) vector[index] = cost;
}

/* One sample for the whole step. */
static void traverse_shared(const struct search *s, const int64_t *from, int64_t *to,
                            const struct automaton_edge *edge, int delta, int64_t d) {
  struct literals guard = literals_of(s, edge->guard);
  struct members assigned = automaton_members(s->a, edge->assign);
  for (size_t index = 0; index < s->size; index++) {
    if (from[index] >= COST_INFINITE) continue;
    for (int shift = -1; shift <= 1; shift++) {
      if (edge->emit == EMIT_INSAMPLE && shift != 0) continue;
      if (!allows(s, guard, index, AUTOMATON_NONE, shift)) continue;
      size_t target = index;
      for (size_t k = 0; k < assigned.count; k++)
        target = with_digit(s, target, assigned.at[k], shift);
      relax(to, target, from[index] + d * (delta > shift ? delta - shift : shift - delta));
    }
  }
}

/* One sample per variable: the variables are handled one after the other. */
static void traverse_independent(const struct search *s, const int64_t *from, int64_t *to,
                                 const struct automaton_edge *edge, int delta, int64_t d) {
  struct literals guard = literals_of(s, edge->guard);
  int64_t *current = xmalloc(s->size * sizeof *current), *next = xmalloc(s->size * sizeof *next);
  memcpy(current, from, s->size * sizeof *current);
  for (uint32_t var = 0; var < s->var_count; var++) {
    bool is_compared = false, is_assigned = automaton_assigns(s->a, edge->assign, var);
    for (size_t k = 0; k < guard.count; k++)
      is_compared = is_compared || literal_var(guard.at[k]) == var;
    if (!is_compared && !is_assigned) continue;
    for (size_t index = 0; index < s->size; index++)
      next[index] = COST_INFINITE;
    for (size_t index = 0; index < s->size; index++)
      for (int shift = -1; shift <= 1 && current[index] < COST_INFINITE; shift++) {
        if (edge->emit == EMIT_INSAMPLE && shift != 0) continue;
        if (!allows(s, guard, index, var, shift)) continue;
        relax(next, is_assigned ? with_digit(s, index, var, shift) : index,
              current[index] + d * (delta > shift ? delta - shift : shift - delta));
      }
    int64_t *swap = current;
    current = next;
    next = swap;
  }
  for (size_t index = 0; index < s->size; index++)
    relax(to, index, current[index]);
  free(current);
  free(next);
}

static void push_candidate(struct search *s, uint32_t parent, uint32_t edge_index, int delta) {
  const struct automaton *a = s->a;
  const struct automaton_edge *edge = &a->edges.at[edge_index];
  const struct automaton_state *state = &a->states.at[edge->from];
  const int64_t *from = s->nodes.at[parent].vector;
  struct node node = {parent, edge_index, edge->to, (signed char)delta, COST_INFINITE, 0, NULL};
  node.vector = xmalloc(s->size * sizeof *node.vector);
  for (size_t i = 0; i < s->size; i++)
    node.vector[i] = COST_INFINITE;
  if (a->independent)
    traverse_independent(s, from, node.vector, edge, delta, scaled(s, state->d));
  else
    traverse_shared(s, from, node.vector, edge, delta, scaled(s, state->d));
  int64_t extra = 0;
  if (edge->emit == EMIT_PRIME && delta != 0 && state->d2 != AUTOMATON_NONE)
    extra = scaled(s, state->d2);
  if (edge->emit == EMIT_INSAMPLE && a->independent && literals_of(s, edge->guard).count == 0 &&
      automaton_members(a, edge->assign).count == 0 && delta != 0)
    extra = scaled(s, state->d); /* a sample of its own */
  for (size_t i = 0; i < s->size; i++) {
    if (node.vector[i] < COST_INFINITE) node.vector[i] += extra;
    if (node.vector[i] < node.least) node.least = node.vector[i];
    node.sum += node.vector[i] < COST_LARGE ? node.vector[i] : COST_LARGE;
  }
  vec_push(&s->nodes, node);
  vec_push(&s->next, (uint32_t)(s->nodes.len - 1));
}

/* ---- layers --------------------------------------------------------------------------------- */

static bool is_dominated(const struct search *s, const struct node *node) {
  for (size_t k = s->kept.len; k-- > 0;) {
    const struct node *other = &s->nodes.at[s->kept.at[k]];
    if (other->state != node->state || other->sum < node->sum) continue;
    bool above = true;
    for (size_t i = 0; i < s->size && above; i++)
      above = other->vector[i] >= node->vector[i];
    if (above) return true;
  }
  return false;
}

static size_t path_of(const struct search *s, uint32_t node, uint32_t *edges) {
  size_t length = 0;
  for (uint32_t n = node; s->nodes.at[n].parent != UINT32_MAX; n = s->nodes.at[n].parent)
    length++;
  size_t i = length;
  for (uint32_t n = node; s->nodes.at[n].parent != UINT32_MAX; n = s->nodes.at[n].parent)
    edges[--i] = s->nodes.at[n].edge;
  return length;
}

static bool is_possible(const struct search *s, uint32_t node, uint32_t *scratch) {
  if (!scratch || s->var_count < 2) return true; /* one variable cannot contradict itself */
  return automaton_path_is_possible(s->a, scratch, path_of(s, node, scratch));
}

struct ranked {
  int64_t least, sum;
  uint32_t node;
};

static int rank_cmp(const void *pa, const void *pb) {
  const struct ranked *a = pa, *b = pb;
  if (a->least != b->least) return a->least > b->least ? -1 : 1;
  if (a->sum != b->sum) return a->sum > b->sum ? -1 : 1;
  return a->node < b->node ? -1 : a->node > b->node;
}

/* Keeps the best candidates that are possible and not dominated. */
static void select_layer(struct search *s, uint32_t *scratch) {
  struct ranked *ranked = xmalloc((s->next.len + 1) * sizeof *ranked);
  for (size_t i = 0; i < s->next.len; i++) {
    const struct node *node = &s->nodes.at[s->next.at[i]];
    ranked[i] = (struct ranked){node->least, node->sum, s->next.at[i]};
  }
  qsort(ranked, s->next.len, sizeof *ranked, rank_cmp);
  s->layer.len = 0;
  for (size_t i = 0; i < s->next.len; i++) {
    struct node *node = &s->nodes.at[ranked[i].node];
    bool keep = s->layer.len < SHIFT_BEAM && node->least < COST_INFINITE &&
                !is_dominated(s, node) && is_possible(s, ranked[i].node, scratch);
    if (!keep) {
      free(node->vector);
      node->vector = NULL;
      continue;
    }
    vec_push(&s->layer, ranked[i].node);
    vec_push(&s->kept, ranked[i].node);
  }
  s->next.len = 0;
  while (s->kept.len > s->kept_limit + s->layer.len) { /* forget the oldest */
    size_t drop = s->kept.len - s->kept_limit - s->layer.len;
    for (size_t i = 0; i < drop; i++) {
      free(s->nodes.at[s->kept.at[i]].vector);
      s->nodes.at[s->kept.at[i]].vector = NULL;
    }
    memmove(s->kept.at, s->kept.at + drop, (s->kept.len - drop) * sizeof *s->kept.at);
    s->kept.len -= drop;
  }
  free(ranked);
}

static void push_root(struct search *s) {
  struct node root = {UINT32_MAX, AUTOMATON_NONE, s->a->start, 0, 0, 0, NULL};
  root.vector = xcalloc(s->size, sizeof *root.vector); /* nothing stored yet: no shift costs */
  vec_push(&s->nodes, root);
  vec_push(&s->layer, 0);
  vec_push(&s->kept, 0);
}

static void expand(struct search *s, uint32_t only_edge) {
  for (size_t i = 0; i < s->layer.len; i++) {
    uint32_t node = s->layer.at[i], state = s->nodes.at[node].state;
    if (s->a->states.at[state].is_final) continue;
    bool is_input = s->a->states.at[state].is_input;
    for (uint32_t e = s->a->first_edge.at[state]; e < s->a->first_edge.at[state + 1]; e++) {
      if (only_edge != AUTOMATON_NONE && e != only_edge) continue;
      for (int delta = is_input ? -1 : 0; delta <= is_input; delta += 2)
        push_candidate(s, node, e, delta);
    }
  }
}

static void report(const struct search *s, uint32_t node, struct shift_path *path) {
  size_t length = 0;
  for (uint32_t n = node; s->nodes.at[n].parent != UINT32_MAX; n = s->nodes.at[n].parent)
    length++;
  for (size_t i = 0; i < length; i++) {
    vec_push(&path->edges, 0);
    vec_push(&path->deltas, 0);
  }
  for (uint32_t n = node; s->nodes.at[n].parent != UINT32_MAX; n = s->nodes.at[n].parent) {
    path->edges.at[--length] = s->nodes.at[n].edge;
    path->deltas.at[length] = s->nodes.at[n].delta;
  }
  fmpz_set_si(fmpq_numref(path->cost), s->nodes.at[node].least);
  fmpz_set(fmpq_denref(path->cost), s->scale);
  fmpq_canonicalise(path->cost);
}

bool shift_search(shift_paths *found, const struct automaton *a, size_t depth, const fmpq_t target,
                  size_t extra, const struct budget *budget, const char **why) {
  struct search s;
  bool ok = search_init(&s, a, why);
  if (depth > SHIFT_DEPTH_MAX) depth = SHIFT_DEPTH_MAX;
  uint32_t *scratch = xmalloc((depth + 1) * sizeof *scratch);
  int64_t best = 0;
  if (ok) push_root(&s);
  for (size_t step = 0; ok && step < depth && s.layer.len && !budget_is_spent(budget); step++) {
    expand(&s, AUTOMATON_NONE);
    select_layer(&s, scratch);
    if (s.layer.len == 0 || s.nodes.at[s.layer.at[0]].least <= best) continue;
    best = s.nodes.at[s.layer.at[0]].least;
    struct shift_path path;
    shift_path_init(&path);
    report(&s, s.layer.at[0], &path);
    bool exceeds = target && fmpq_cmp(path.cost, target) > 0;
    vec_push(found, path);
    if (exceeds && extra-- == 0) break;
  }
  free(scratch);
  search_clear(&s);
  return ok;
}

bool shift_search_deltas(struct shift_path *out, const struct automaton *a, const uint32_t *edges,
                         size_t length, const struct budget *budget, const char **why) {
  struct search s;
  bool ok = search_init(&s, a, why);
  if (ok && length > SHIFT_DEPTH_MAX) {
    *why = "the path is too long for the search";
    ok = false;
  }
  if (ok) push_root(&s);
  for (size_t i = 0; ok && i < length; i++) {
    s.kept.len = 0; /* lengths differ: only nodes of one layer compete */
    expand(&s, edges[i]);
    for (size_t k = 0; k < s.layer.len; k++) {
      free(s.nodes.at[s.layer.at[k]].vector);
      s.nodes.at[s.layer.at[k]].vector = NULL;
    }
    select_layer(&s, NULL);
    if (s.layer.len == 0 || budget_is_spent(budget)) {
      *why = s.layer.len ? "out of time" : "the edges are not a path";
      ok = false;
    }
  }
  if (ok) report(&s, s.layer.at[0], out);
  search_clear(&s);
  return ok;
}
