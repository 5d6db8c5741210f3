#include "automata/cost/worst_path.h"

#include <string.h>

/* ---- the most expensive path under the online strategy --------------------------------------- */

struct tracer {
  const struct online *o;
  struct step_scratch scratch;
  uint32_t *seen, *parent; /* per point: round in which it was seen, predecessor */
  struct hop *hop;         /* per point: how it was reached */
  uint32_t *node;          /* per point */
  VEC(uint32_t) queue;
  uint32_t round;
  size_t visits;
};

/* Tries the moves from `point` that attain its value. True: one costs something; *next is where it
 * leads. Moves that cost nothing are queued. */
static bool trace_point(struct tracer *t, uint32_t point, uint32_t *next, struct hop *hop) {
  const struct online *o = t->o;
  const struct product *p = o->p;
  uint32_t n = t->node[point];
  bool found = false;
  fmpz_t answer;
  fmpz_init(answer);
  for (uint32_t e = p->first.at[n]; e < p->first.at[n + 1] && !found; e++) {
    struct step step = step_make(p, o->w, n, e, &t->scratch);
    for (int delta = step_first_delta(&step); delta <= 1 && !found; delta += 2) {
      uint32_t to = 0;
      const int8_t *g = online_shifts(o, n, point);
      if (!online_respond(o, &step, g, delta, answer, &to)) continue;
      if (!fmpz_equal(answer, &o->value.at[point])) continue;
      if (fmpz_cmp(&o->value.at[to], answer) < 0) {
        found = true;
        *next = to;
        *hop = (struct hop){e, delta};
      } else if (t->seen[to] != t->round) {
        t->seen[to] = t->round;
        t->parent[to] = point;
        t->hop[to] = (struct hop){e, delta};
        vec_push(&t->queue, to);
      }
    }
  }
  fmpz_clear(answer);
  return found;
}

static void append_reversed(hops *path, const struct tracer *t, uint32_t from, uint32_t to) {
  size_t begin = path->len;
  for (uint32_t i = to; i != from; i = t->parent[i])
    vec_push(path, t->hop[i]);
  for (size_t i = begin, j = path->len; i + 1 < j; i++, j--) {
    struct hop swap = path->at[i];
    path->at[i] = path->at[j - 1];
    path->at[j - 1] = swap;
  }
}

static void trace(struct tracer *t, hops *path) {
  const struct online *o = t->o;
  uint32_t at = 0;
  size_t budget = 20 * o->value.len + 100000;
  while (!fmpz_is_zero(&o->value.at[at])) {
    t->round++;
    t->queue.len = 0;
    t->seen[at] = t->round;
    vec_push(&t->queue, at);
    bool found = false;
    for (size_t head = 0; head < t->queue.len && !found; head++) {
      uint32_t point = t->queue.at[head], next = 0;
      struct hop hop;
      if (t->visits++ > budget) return;
      found = trace_point(t, point, &next, &hop);
      if (!found) continue;
      append_reversed(path, t, at, point);
      vec_push(path, hop);
      at = next;
    }
    if (!found) return;
  }
}

void online_path(const struct online *o, hops *path) {
  size_t count = o->value.len + 1;
  struct tracer t = {.o = o};
  t.seen = xcalloc(count, sizeof *t.seen);
  t.parent = xmalloc(count * sizeof *t.parent);
  t.hop = xmalloc(count * sizeof *t.hop);
  t.node = xmalloc(count * sizeof *t.node);
  for (uint32_t n = 0; n < o->p->nodes.len; n++)
    for (uint32_t i = o->first.at[n]; i < o->first.at[n + 1]; i++)
      t.node[i] = n;
  trace(&t, path);
  step_scratch_clear(&t.scratch);
  free(t.seen);
  free(t.parent);
  free(t.hop);
  free(t.node);
  vec_clear(&t.queue);
}

/* ---- the exact cost of one path -------------------------------------------------------------- */

static void mask_pumps(const struct pumps *pumps, uint32_t node, struct members live,
                       unsigned char *masks) {
  for (uint32_t i = pumps->first.at[node]; i < pumps->first.at[node + 1]; i++) {
    const struct pump *q = &pumps->list.at[pumps->of_node.at[i]];
    if (q->assigned_count > 0) continue;
    for (uint32_t f = 0; f < q->force_count; f++) {
      const struct pump_force *force = &pumps->forces.at[q->first_force + f];
      for (size_t x = 0; x < live.count; x++)
        if (live.at[x] == force->var) masks[x] &= (unsigned char)force->mask;
    }
  }
}

/* masks[at[i]..]: shifts of the variables live after hop i that the rest of the path (with all the
 * cycles it meets repeated) leaves possible. */
static unsigned char *path_masks(const struct product *p, const struct pumps *pumps,
                                 const hops *path, size_t *at) {
  size_t total = 0;
  for (size_t i = 0; i < path->len; i++) {
    at[i] = total;
    total += product_live(p, p->edges.at[path->at[i].edge].to).count;
  }
  unsigned char *masks = xmalloc(total + 1);
  memset(masks, SHIFT_ANY, total + 1);
  for (size_t i = path->len; i-- > 0;) {
    uint32_t node = p->edges.at[path->at[i].edge].to;
    struct members live = product_live(p, node);
    mask_pumps(pumps, node, live, masks + at[i]);
    if (i + 1 == path->len) continue;
    const struct automaton_edge *e = &p->a->edges.at[p->edges.at[path->at[i + 1].edge].edge];
    struct members after = product_live(p, p->edges.at[path->at[i + 1].edge].to);
    for (size_t x = 0, y = 0; x < live.count; x++) {
      while (y < after.count && after.at[y] < live.at[x])
        y++;
      if (y < after.count && after.at[y] == live.at[x] &&
          !automaton_assigns(p->a, e->assign, live.at[x]))
        masks[at[i] + x] &= masks[at[i + 1] + y];
    }
  }
  return masks;
}

/* False: too many shifts to keep track of. */
bool path_cost(fmpz_t out, const struct product *p, const struct pumps *pumps,
               const struct weights *w, const hops *path) {
  size_t *at = xmalloc((path->len + 1) * sizeof *at);
  unsigned char *masks = path_masks(p, pumps, path, at);
  struct step_scratch scratch = {0};
  struct profile v, next;
  profile_init(&v);
  profile_init(&next);
  profile_start(&v);
  uint32_t node = 0;
  bool fits = true;
  for (size_t i = 0; i < path->len && fits; i++) {
    struct step step = step_make(p, w, node, path->at[i].edge, &scratch);
    fits = profile_step(&next, &v, &step, path->at[i].delta, masks + at[i], NULL);
    profile_swap(&v, &next);
    node = step.to;
  }
  const fmpz *least = profile_least(&v);
  fits = fits && least;
  if (fits) fmpz_set(out, least);
  profile_clear(&v);
  profile_clear(&next);
  step_scratch_clear(&scratch);
  free(masks);
  free(at);
  return fits;
}
