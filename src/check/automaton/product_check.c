#include "check/automaton/product_check.h"

static uint32_t slot_of(const struct product *p, uint32_t var) {
  for (uint32_t i = 0; i < p->tracked.len; i++)
    if (p->tracked.at[i] == var) return i;
  return AUTOMATON_NONE;
}

enum relation product_claimed(const struct product *p, uint32_t node, uint32_t x, uint32_t y) {
  uint32_t i = slot_of(p, x), j = slot_of(p, y);
  size_t n = p->tracked.len;
  if (x == y) return RELATION_EQUAL;
  if (i == AUTOMATON_NONE || j == AUTOMATON_NONE) return RELATION_UNKNOWN;
  return p->facts.at[p->nodes.at[node].facts * n * n + i * n + j];
}

static bool at_most(const struct product *p, uint32_t node, uint32_t x, uint32_t y) {
  enum relation r = product_claimed(p, node, x, y);
  return r == RELATION_EQUAL || r == RELATION_LESS;
}

/* insample < x follows from the guard: it has insample < z for some z <= x. */
static bool sample_below(const struct product *p, uint32_t node, struct literals g, uint32_t x) {
  for (size_t i = 0; i < g.count; i++)
    if (literal_is_less(g.at[i]) && at_most(p, node, literal_var(g.at[i]), x)) return true;
  return false;
}
static bool sample_above(const struct product *p, uint32_t node, struct literals g, uint32_t x) {
  for (size_t i = 0; i < g.count; i++)
    if (!literal_is_less(g.at[i]) && at_most(p, node, x, literal_var(g.at[i]))) return true;
  return false;
}

/* The guard needs insample < x and insample >= y although x <= y: probability 0. */
bool product_excludes(const struct product *p, uint32_t node, struct literals g) {
  for (size_t i = 0; i < g.count; i++)
    if (literal_is_less(g.at[i]) && sample_above(p, node, g, literal_var(g.at[i]))) return true;
  return false;
}

struct taught {
  const struct automaton *a;
  const struct product *p;
  uint32_t node;
  const struct automaton_edge *e;
  struct literals g;
};

/* Does the fact `x r y` hold after the edge? */
static bool follows(const struct taught *t, uint32_t x, uint32_t y, enum relation r) {
  bool new_x = automaton_assigns(t->a, t->e->assign, x),
       new_y = automaton_assigns(t->a, t->e->assign, y);
  if (new_x && new_y) return r == RELATION_EQUAL;
  if (!new_x && !new_y && product_claimed(t->p, t->node, x, y) == r) return true;
  if (r == RELATION_LESS)
    return (new_x || sample_above(t->p, t->node, t->g, x)) &&
           (new_y || sample_below(t->p, t->node, t->g, y));
  if (r == RELATION_GREATER)
    return (new_x || sample_below(t->p, t->node, t->g, x)) &&
           (new_y || sample_above(t->p, t->node, t->g, y));
  return false;
}

bool product_teaches(const struct automaton *a, const struct product *p, uint32_t node,
                     const struct automaton_edge *e, struct literals g, uint32_t to) {
  const struct taught t = {a, p, node, e, g};
  size_t n = p->tracked.len;
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < n; j++) {
      uint32_t x = p->tracked.at[i], y = p->tracked.at[j];
      enum relation r = product_claimed(p, to, x, y);
      if (x != y && r != RELATION_UNKNOWN && !follows(&t, x, y, r)) return false;
    }
  return true;
}

bool product_starts_empty(const struct product *p) {
  for (uint32_t i = 0; i < p->tracked.len; i++)
    for (uint32_t j = 0; j < p->tracked.len; j++)
      if (i != j && product_claimed(p, 0, p->tracked.at[i], p->tracked.at[j]) != RELATION_UNKNOWN)
        return false;
  return true;
}

/* ---- a whole product ------------------------------------------------------------------------ */

static bool check_shape(const struct automaton *a, const struct product *p) {
  size_t nodes = p->nodes.len, matrix = p->tracked.len * p->tracked.len;
  if (nodes == 0 || p->first.len != nodes + 1 || p->first.at[0] != 0 ||
      p->first.at[nodes] != p->edges.len)
    return false;
  for (size_t i = 0; i < p->tracked.len; i++)
    if (p->tracked.at[i] >= a->vars.len) return false;
  for (size_t n = 0; n < nodes; n++)
    if (p->first.at[n] > p->first.at[n + 1] || p->nodes.at[n].state >= a->states.len ||
        (matrix && ((size_t)p->nodes.at[n].facts + 1) * matrix > p->facts.len))
      return false;
  return true;
}

/* Every edge of the node's state is there, in order, or is impossible. */
static bool check_node(const struct automaton *a, const struct product *p, uint32_t node) {
  uint32_t state = p->nodes.at[node].state, at = p->first.at[node], end = p->first.at[node + 1];
  for (uint32_t i = a->first_edge.at[state]; i < a->first_edge.at[state + 1]; i++) {
    const struct automaton_edge *e = &a->edges.at[i];
    if (!automaton_is_conjunction(a, e->guard)) return false;
    struct literals g = automaton_conjunction(a, e->guard);
    if (at < end && p->edges.at[at].edge == i) {
      uint32_t to = p->edges.at[at++].to;
      if (to >= p->nodes.len || p->nodes.at[to].state != e->to ||
          !product_teaches(a, p, node, e, g, to))
        return false;
    } else if (!product_excludes(p, node, g)) {
      return false;
    }
  }
  return at == end;
}

bool product_check(const struct automaton *a, const struct product *p) {
  if (!check_shape(a, p) || p->nodes.at[0].state != a->start || !product_starts_empty(p))
    return false;
  for (uint32_t n = 0; n < p->nodes.len; n++)
    if (!check_node(a, p, n)) return false;
  return true;
}
