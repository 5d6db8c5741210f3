#include "automata/cost.h"

#include <string.h>

void cost_init(struct cost *c) {
  *c = (struct cost){0};
  fmpz_init(c->lower);
  fmpz_init(c->upper);
}

void cost_clear(struct cost *c) {
  fmpz_clear(c->lower);
  fmpz_clear(c->upper);
  vec_clear(&c->path);
}

/* ---- the most expensive path under the online strategy --------------------------------------- */

struct hop {
  uint32_t edge; /* of the product */
  int delta;
};
typedef VEC(struct hop) hops;

struct tracer {
  const struct online *o;
  struct step_scratch scratch;
  int8_t *after;
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
      int shift = 0, low, high;
      const int8_t *g = online_shifts(o, n, point);
      if (!online_respond(o, &step, g, delta, answer, &shift)) continue;
      if (!fmpz_equal(answer, &o->value.at[point])) continue;
      if (!step.stores && step_range(&step, g, &low, &high)) shift = step_nearest(low, high, delta);
      step_after(&step, g, shift, t->after);
      uint32_t to = online_find(o, step.to, t->after);
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

static void online_path(const struct online *o, hops *path) {
  size_t count = o->value.len + 1;
  struct tracer t = {.o = o};
  t.after = xmalloc(o->p->a->vars.len + 1);
  t.seen = xcalloc(count, sizeof *t.seen);
  t.parent = xmalloc(count * sizeof *t.parent);
  t.hop = xmalloc(count * sizeof *t.hop);
  t.node = xmalloc(count * sizeof *t.node);
  for (uint32_t n = 0; n < o->p->nodes.len; n++)
    for (uint32_t i = o->first.at[n]; i < o->first.at[n + 1]; i++)
      t.node[i] = n;
  trace(&t, path);
  step_scratch_clear(&t.scratch);
  free(t.after);
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
static bool path_cost(fmpz_t out, const struct product *p, const struct pumps *pumps,
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
    fits = profile_step(&next, &v, &step, path->at[i].delta, masks + at[i]);
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

/* ---- branch and bound ------------------------------------------------------------------------ */

struct label {
  uint32_t node, parent;
  struct hop hop; /* how it came from its parent; edge = AUTOMATON_NONE: a pump or the start */
  uint32_t next;  /* expanded label of the same node */
  bool dropped;   /* a worse one of its node was expanded later */
  struct profile profile;
};

struct search {
  const struct product *p;
  const struct pumps *pumps;
  const struct weights *w;
  const struct online *o;
  VEC(struct label) labels;
  VEC(uint32_t) stack;
  uint32_t *expanded; /* newest expanded label per node */
  fmpz_t best;
  uint32_t best_label;
  size_t entries;
  bool failed; /* a profile was too large */
};

/* What the path of the label can become at most; false: no bound. */
static bool completion(const struct search *s, uint32_t node, const struct profile *v,
                       fmpz_t bound) {
  bool found = false;
  if (!s->o->complete) return false;
  fmpz_t sum;
  fmpz_init(sum);
  for (uint32_t i = s->o->first.at[node]; i < s->o->first.at[node + 1]; i++) {
    if (!online_is_finite(s->o, i)) continue;
    size_t at = profile_find(v, online_shifts(s->o, node, i));
    if (at == SIZE_MAX) continue;
    fmpz_add(sum, &v->value[at], &s->o->value.at[i]);
    if (!found || fmpz_cmp(sum, bound) < 0) fmpz_set(bound, sum);
    found = true;
  }
  fmpz_clear(sum);
  return found;
}

static uint32_t push_label(struct search *s, uint32_t node, uint32_t parent, struct hop hop,
                           struct profile *profile) {
  uint32_t id = (uint32_t)s->labels.len;
  vec_push(
      &s->labels,
      (struct label){
          .node = node, .parent = parent, .hop = hop, .next = AUTOMATON_NONE, .profile = *profile});
  profile_init(profile);
  s->entries += s->labels.at[id].profile.count;
  return id;
}

/* Is the label worth expanding? Records it at its node if so. */
static bool admit(struct search *s, uint32_t id) {
  struct label *l = &s->labels.at[id];
  fmpz_t bound;
  fmpz_init(bound);
  bool hopeless = completion(s, l->node, &l->profile, bound) && fmpz_cmp(bound, s->best) <= 0;
  fmpz_clear(bound);
  if (hopeless) return false;
  for (uint32_t i = s->expanded[l->node]; i != AUTOMATON_NONE; i = s->labels.at[i].next)
    if (!s->labels.at[i].dropped && profile_at_most(&l->profile, &s->labels.at[i].profile))
      return false;
  for (uint32_t i = s->expanded[l->node]; i != AUTOMATON_NONE; i = s->labels.at[i].next)
    if (profile_at_most(&s->labels.at[i].profile, &l->profile)) s->labels.at[i].dropped = true;
  l->next = s->expanded[l->node];
  s->expanded[l->node] = id;
  const fmpz *least = profile_least(&l->profile);
  if (least && fmpz_cmp(least, s->best) > 0) {
    fmpz_set(s->best, least);
    s->best_label = id;
  }
  return true;
}

/* The pumps of the node: those that assign nothing change the profile, the others make labels. */
static void pump_profile(struct search *s, uint32_t node, struct profile *v) {
  struct members live = product_live(s->p, node);
  for (uint32_t i = s->pumps->first.at[node]; i < s->pumps->first.at[node + 1]; i++) {
    uint32_t pump = s->pumps->of_node.at[i];
    if (s->pumps->list.at[pump].assigned_count > 0) continue;
    struct profile next;
    profile_init(&next);
    if (!profile_pump(&next, v, s->pumps, pump, live)) s->failed = true;
    profile_swap(v, &next);
    profile_clear(&next);
  }
}

static void push_pumped(struct search *s, uint32_t id) {
  uint32_t node = s->labels.at[id].node;
  struct members live = product_live(s->p, node);
  for (uint32_t i = s->pumps->first.at[node]; i < s->pumps->first.at[node + 1]; i++) {
    uint32_t pump = s->pumps->of_node.at[i];
    if (s->pumps->list.at[pump].assigned_count == 0) continue;
    struct profile next;
    profile_init(&next);
    if (!profile_pump(&next, &s->labels.at[id].profile, s->pumps, pump, live)) s->failed = true;
    vec_push(&s->stack, push_label(s, node, id, (struct hop){AUTOMATON_NONE, 0}, &next));
  }
}

/* Differences worth trying: the other one costs nowhere more. */
static bool delta_matters(const struct step *step, int delta) {
  if (step->stores || !step->is_input) return true;
  bool less = false, greater = false;
  for (size_t i = 0; i < step->guard.count; i++)
    *(literal_is_less(step->guard.at[i]) ? &less : &greater) = true;
  if (step->outputs || (!less && !greater)) return delta == 1;
  return delta == 1 ? less : greater;
}

/* Successors, the most promising last (so that the stack takes it first). */
static void expand(struct search *s, uint32_t id, struct step_scratch *scratch) {
  const struct product *p = s->p;
  uint32_t node = s->labels.at[id].node;
  size_t begin = s->stack.len;
  VEC(fmpz) bounds = {0}; /* -1: none */
  for (uint32_t e = p->first.at[node]; e < p->first.at[node + 1]; e++) {
    struct step step = step_make(p, s->w, node, e, scratch);
    for (int delta = step_first_delta(&step); delta <= 1; delta += 2) {
      if (!delta_matters(&step, delta)) continue;
      struct profile next;
      profile_init(&next);
      if (!profile_step(&next, &s->labels.at[id].profile, &step, delta, NULL)) s->failed = true;
      pump_profile(s, step.to, &next);
      fmpz bound = -1;
      if (completion(s, step.to, &next, &bound) && fmpz_cmp(&bound, s->best) <= 0) {
        fmpz_clear(&bound);
        profile_clear(&next);
        continue;
      }
      uint32_t child = push_label(s, step.to, id, (struct hop){e, delta}, &next);
      /* insertion by bound; labels without one come first, they are the hardest to finish */
      vec_push(&s->stack, child);
      vec_push(&bounds, bound);
      for (size_t i = bounds.len - 1; i > 0; i--) {
        fmpz *a = &bounds.at[i - 1], *b = &bounds.at[i];
        if (fmpz_sgn(b) < 0 || (fmpz_sgn(a) >= 0 && fmpz_cmp(a, b) <= 0)) break;
        fmpz_swap(a, b);
        uint32_t t = s->stack.at[begin + i - 1];
        s->stack.at[begin + i - 1] = s->stack.at[begin + i];
        s->stack.at[begin + i] = t;
      }
    }
  }
  for (size_t i = 0; i < bounds.len; i++)
    fmpz_clear(&bounds.at[i]);
  vec_clear(&bounds);
}

/* True: nothing is left, `best` is the cost. */
static bool branch_and_bound(struct search *s, const fmpz *goal) {
  struct step_scratch scratch = {0};
  struct profile start;
  profile_init(&start);
  profile_start(&start);
  pump_profile(s, 0, &start);
  vec_push(&s->stack, push_label(s, 0, AUTOMATON_NONE, (struct hop){AUTOMATON_NONE, 0}, &start));
  bool done = true;
  while (s->stack.len > 0) {
    if (goal && fmpz_cmp(s->best, goal) >= 0) break;
    if (s->failed || s->labels.len > COST_LABEL_BUDGET || s->entries > COST_ENTRY_BUDGET) {
      done = false;
      break;
    }
    uint32_t id = vec_pop(&s->stack);
    if (!admit(s, id)) {
      profile_clear(&s->labels.at[id].profile);
      continue;
    }
    push_pumped(s, id);
    expand(s, id, &scratch);
  }
  step_scratch_clear(&scratch);
  return done;
}

/* ---- results ----------------------------------------------------------------------------------
 */

static void take_points(struct strategy *out, const struct online *o) {
  const struct product *p = o->p;
  for (uint32_t n = 0; n < p->nodes.len; n++) {
    size_t live = product_live(p, n).count;
    vec_push(&out->point_first, (uint32_t)out->point_value.len);
    vec_push(&out->point_at, out->point_shifts.len);
    if (!o->complete) continue;
    for (uint32_t i = o->first.at[n]; i < o->first.at[n + 1]; i++) {
      if (!online_is_finite(o, i)) continue;
      vec_push(&out->point_value, 0);
      fmpz_set(&vec_last(&out->point_value), &o->value.at[i]);
      for (size_t x = 0; x < live; x++)
        vec_push(&out->point_shifts, online_shifts(o, n, i)[x]);
    }
  }
  vec_push(&out->point_first, (uint32_t)out->point_value.len);
}

static void take_labels(struct strategy *out, struct search *s) {
  for (uint32_t n = 0; n < s->p->nodes.len; n++) {
    vec_push(&out->label_first, (uint32_t)out->labels.len);
    for (uint32_t i = s->expanded[n]; i != AUTOMATON_NONE; i = s->labels.at[i].next) {
      const struct profile *v = &s->labels.at[i].profile;
      if (s->labels.at[i].dropped) continue;
      vec_push(&out->labels,
               (struct strategy_label){n, (uint32_t)out->entry_value.len, (uint32_t)v->count});
      vec_push(&out->label_at, out->entry_shifts.len);
      for (size_t j = 0; j < v->count; j++) {
        vec_push(&out->entry_value, 0);
        fmpz_set(&vec_last(&out->entry_value), &v->value[j]);
        for (size_t x = 0; x < v->width; x++)
          vec_push(&out->entry_shifts, v->shifts[j * v->width + x]);
      }
    }
  }
  vec_push(&out->label_first, (uint32_t)out->labels.len);
}

static void no_labels(struct strategy *out, size_t nodes) {
  for (size_t n = 0; n <= nodes; n++)
    vec_push(&out->label_first, 0);
}

static void take_hops(struct cost *c, const struct product *p, const hops *path) {
  c->path.len = 0;
  for (size_t i = 0; i < path->len; i++)
    vec_push(&c->path, (struct cost_step){p->edges.at[path->at[i].edge].edge, path->at[i].delta});
}

static void take_best_label(struct cost *c, const struct search *s) {
  if (s->best_label == AUTOMATON_NONE) return;
  hops path = {0};
  for (uint32_t i = s->best_label; i != AUTOMATON_NONE; i = s->labels.at[i].parent)
    if (s->labels.at[i].hop.edge != AUTOMATON_NONE) vec_push(&path, s->labels.at[i].hop);
  for (size_t i = 0, j = path.len; i + 1 < j; i++, j--) {
    struct hop t = path.at[i];
    path.at[i] = path.at[j - 1];
    path.at[j - 1] = t;
  }
  take_hops(c, s->p, &path);
  vec_clear(&path);
}

/* Tightens [lower, upper] by branch and bound. True: the strategy's labels were filled. */
static bool refine(struct cost *c, const struct product *p, const struct pumps *pumps,
                   const struct weights *w, const struct online *o, struct strategy *strategy) {
  struct search s = {.p = p, .pumps = pumps, .w = w, .o = o, .best_label = AUTOMATON_NONE};
  s.expanded = xmalloc((p->nodes.len + 1) * sizeof *s.expanded);
  memset(s.expanded, 0xff, (p->nodes.len + 1) * sizeof *s.expanded);
  fmpz_init_set(s.best, c->lower);
  if (fmpz_is_zero(s.best)) fmpz_set_si(s.best, -1); /* a path of cost 0 is a path, too */
  bool done = branch_and_bound(&s, c->has_upper ? c->upper : NULL);
  bool met = c->has_upper && fmpz_cmp(s.best, c->upper) >= 0;
  if (fmpz_sgn(s.best) >= 0) fmpz_set(c->lower, s.best);
  take_best_label(c, &s);
  if (done && !met) {
    fmpz_set(c->upper, c->lower);
    c->has_upper = true;
    take_labels(strategy, &s);
  }
  for (size_t i = 0; i < s.labels.len; i++)
    profile_clear(&s.labels.at[i].profile);
  vec_clear(&s.labels);
  vec_clear(&s.stack);
  free(s.expanded);
  fmpz_clear(s.best);
  return done && !met;
}

void cost_search(struct cost *c, const struct product *p, const struct pumps *pumps,
                 const struct weights *w, const struct online *o, struct strategy *strategy) {
  const fmpz *bound = online_bound(o);
  if (bound) {
    c->has_upper = true;
    fmpz_set(c->upper, bound);
    hops path = {0};
    online_path(o, &path);
    if (path_cost(c->lower, p, pumps, w, &path)) take_hops(c, p, &path);
    vec_clear(&path);
  }
  bool labelled = false;
  if (!bound || fmpz_cmp(c->lower, c->upper) < 0) labelled = refine(c, p, pumps, w, o, strategy);
  if (!labelled) no_labels(strategy, p->nodes.len);
  take_points(strategy, o);
  fmpz_set(strategy->scale, w->scale);
  fmpz_set(strategy->cost, c->upper);
  strategy->digest = strategy_digest(strategy);
}
