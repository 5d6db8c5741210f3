#include "check/automaton/first_match.h"

#include <string.h>

typedef VEC(literal) cube;
typedef VEC(cube) cubes;

static bool has(const cube *c, literal l) {
  for (size_t i = 0; i < c->len; i++)
    if (c->at[i] == l) return true;
  return false;
}

static literal opposite(literal l) {
  return l ^ 1;
}

static cube copy_with(const cube *c, const literal *more, size_t count) {
  cube out = {0};
  for (size_t i = 0; i < c->len; i++)
    vec_push(&out, c->at[i]);
  for (size_t i = 0; i < count; i++)
    if (!has(&out, more[i])) vec_push(&out, more[i]);
  return out;
}

/* Pushes c without h, as disjoint cubes: with l1..lk the literals of h that c lacks, these are
 * c & !l1, c & l1 & !l2, ... Takes c. */
static void subtract(cube c, struct literals h, cubes *out) {
  for (size_t i = 0; i < h.count; i++)
    if (has(&c, opposite(h.at[i]))) {
      vec_push(out, c);
      return;
    }
  cube path = {0};
  for (size_t i = 0; i < h.count; i++) {
    if (has(&c, h.at[i])) continue;
    vec_push(&path, opposite(h.at[i]));
    cube piece = copy_with(&c, path.at, path.len);
    vec_push(out, piece);
    vec_last(&path) = h.at[i];
  }
  vec_clear(&path);
  vec_clear(&c);
}

/* What is left of edge e's guard after the guards of edges first..e-1; true if that is the guard
 * itself. */
static bool remainder_of(const struct automaton *a, const struct automaton_edge *edges,
                         size_t index, cubes *left) {
  struct literals g = automaton_conjunction(a, edges[index].guard);
  cube own = {0};
  for (size_t i = 0; i < g.count; i++)
    vec_push(&own, g.at[i]);
  vec_push(left, own);
  bool unchanged = true;
  for (size_t i = 0; i < index && left->len <= FIRST_MATCH_LIMIT; i++) {
    cubes next = {0};
    struct literals h = automaton_conjunction(a, edges[i].guard);
    for (size_t j = 0; j < left->len; j++) {
      size_t before = left->at[j].len, at = next.len;
      subtract(left->at[j], h, &next);
      if (next.len != at + 1 || next.at[at].len != before) unchanged = false;
    }
    vec_clear(left);
    left->at = next.at;
    left->len = next.len;
    left->cap = next.cap;
  }
  return unchanged;
}

bool automaton_first_match(struct automaton *a, size_t first, struct diags *diags) {
  size_t count = a->edges.len - first;
  if (count < 2) return true;
  struct automaton_edge *edges = xmalloc(count * sizeof *edges);
  struct automaton_range *spans = xcalloc(count, sizeof *spans);
  memcpy(edges, a->edges.at + first, count * sizeof *edges);
  if (a->file) memcpy(spans, a->edge_spans.at + first, count * sizeof *spans);
  a->edges.len = first;
  if (a->file) a->edge_spans.len = first;
  bool fits = true;
  for (size_t e = 0; e < count; e++) {
    cubes left = {0};
    struct span span = {a->file, spans[e].begin, spans[e].end};
    bool unchanged = remainder_of(a, edges, e, &left);
    if (left.len > FIRST_MATCH_LIMIT) {
      fits = false;
      diag_error(diags, span, "dipa-overlap",
                 "this condition overlaps earlier ones in more than %d ways",
                 (int)FIRST_MATCH_LIMIT);
    } else if (unchanged) {
      automaton_edge(a, edges[e], span);
    } else if (left.len == 0) {
      diag_warning(diags, span, "dipa-dead-edge",
                   "this case is never reached: an earlier condition always wins");
    }
    for (size_t i = 0; i < left.len; i++) {
      if (fits && !unchanged) {
        struct automaton_edge edge = edges[e];
        edge.guard = automaton_guard(a, left.at[i].at, left.at[i].len);
        automaton_edge(a, edge, span);
      }
      vec_clear(&left.at[i]);
    }
    vec_clear(&left);
  }
  free(edges);
  free(spans);
  return fits;
}
