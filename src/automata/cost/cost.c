#include "automata/cost/cost.h"

#include <string.h>

#include "automata/cost/worst_path.h"

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

/* ---- branch and bound ------------------------------------------------------------------------ */

struct label {
  uint32_t node, parent;
  struct hop hop; /* how it came from its parent; edge = AUTOMATON_NONE: a pump or the start */
  uint32_t next;  /* label of the same node: pending, or admitted */
  bool expanded;
  struct profile profile;
};

struct search {
  const struct product *p;
  const struct pumps *pumps;
  const struct weights *w;
  const struct online *o;
  VEC(struct label) labels;
  VEC(uint32_t) stack; /* of the dive */
  bool sweeping;
  size_t join_limit;  /* of the sweep: labels of a node beyond this many are joined; 0: never */
  uint32_t *pending;  /* of the sweep: newest label per node that was not looked at yet */
  uint32_t *admitted; /* newest label per node that is kept */
  fmpz_t best;
  fmpz_t finished; /* the most that labels finished by the points can become */
  uint32_t best_label;
  size_t work, work_limit; /* entries made and compared */
  fmpz_t cap;              /* entries above it count as infinite */
  bool overflow;           /* all entries of a profile did: the cap was too small */
  bool failed;             /* a profile was too large */
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

/* True: the points finish the label within the best cost known. */
static bool finish(struct search *s, uint32_t node, const struct profile *v, fmpz_t bound) {
  if (!completion(s, node, v, bound) || fmpz_cmp(bound, s->best) > 0) return false;
  if (fmpz_cmp(bound, s->finished) > 0) fmpz_set(s->finished, bound);
  return true;
}

static uint32_t push_label(struct search *s, uint32_t node, uint32_t parent, struct hop hop,
                           struct profile *profile) {
  uint32_t id = (uint32_t)s->labels.len;
  vec_push(
      &s->labels,
      (struct label){
          .node = node, .parent = parent, .hop = hop, .next = AUTOMATON_NONE, .profile = *profile});
  profile_init(profile);
  s->work += s->labels.at[id].profile.count;
  return id;
}

static void keep_for_later(struct search *s, uint32_t id) {
  if (!s->sweeping) {
    vec_push(&s->stack, id);
    return;
  }
  struct label *l = &s->labels.at[id];
  l->next = s->pending[l->node];
  s->pending[l->node] = id;
}

/* What the join gives away: by how much its entries exceed those of v; lost ones count as the cap.
 */
static void join_loss(const struct search *s, fmpz_t sum, const struct profile *v,
                      const struct profile *join) {
  fmpz_addmul_ui(sum, s->cap, v->count - join->count);
  for (size_t i = 0; i < join->count; i++) {
    size_t at = profile_find(v, join->shifts + i * join->width);
    fmpz_add(sum, sum, &join->value[i]);
    fmpz_sub(sum, sum, &v->value[at]);
  }
}

/* The admitted label of the node whose join with v gives away least: *partner is the link to it,
 * *joined the join. False: the node has few labels, or none that goes together with v. */
static bool find_partner(struct search *s, uint32_t node, const struct profile *v,
                         uint32_t **partner, struct profile *joined) {
  size_t count = 0;
  bool found = false;
  for (uint32_t i = s->admitted[node]; i != AUTOMATON_NONE; i = s->labels.at[i].next)
    count++;
  if (count < s->join_limit) return false;
  fmpz_t loss, least;
  fmpz_init(loss);
  fmpz_init(least);
  for (uint32_t *link = &s->admitted[node]; *link != AUTOMATON_NONE;
       link = &s->labels.at[*link].next) {
    struct profile join;
    profile_init(&join);
    profile_join(&join, v, &s->labels.at[*link].profile);
    s->work += join.count;
    fmpz_zero(loss);
    join_loss(s, loss, v, &join);
    join_loss(s, loss, &s->labels.at[*link].profile, &join);
    if (join.count > 0 && (!found || fmpz_cmp(loss, least) < 0)) {
      found = true;
      fmpz_set(least, loss);
      *partner = link;
      profile_swap(joined, &join);
    }
    profile_clear(&join);
  }
  fmpz_clear(loss);
  fmpz_clear(least);
  return found;
}

/* Replaces the label by its join with others until the node has room for it. */
static void join_label(struct search *s, uint32_t id) {
  uint32_t *partner = NULL;
  struct profile joined;
  profile_init(&joined);
  while (find_partner(s, s->labels.at[id].node, &s->labels.at[id].profile, &partner, &joined)) {
    *partner = s->labels.at[*partner].next;
    profile_swap(&s->labels.at[id].profile, &joined);
  }
  profile_clear(&joined);
}

/* Is the label worth expanding? Records it at its node if so. */
static bool admit(struct search *s, uint32_t id) {
  struct label *l = &s->labels.at[id];
  fmpz_t bound;
  fmpz_init(bound);
  bool hopeless = finish(s, l->node, &l->profile, bound);
  fmpz_clear(bound);
  if (hopeless) return false;
  uint32_t *link = &s->admitted[l->node];
  for (uint32_t i = *link; i != AUTOMATON_NONE; i = s->labels.at[i].next, s->work++)
    if (profile_at_most(&l->profile, &s->labels.at[i].profile)) return false;
  if (s->join_limit) join_label(s, id);
  while (*link != AUTOMATON_NONE) { /* unlink those that are covered by the new one */
    struct label *other = &s->labels.at[*link];
    if (profile_at_most(&other->profile, &l->profile))
      *link = other->next;
    else
      link = &other->next;
  }
  l->next = s->admitted[l->node];
  s->admitted[l->node] = id;
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
    keep_for_later(s, push_label(s, node, id, (struct hop){AUTOMATON_NONE, 0}, &next));
  }
}

static void take_hops(struct cost *c, const struct product *p, const hops *path) {
  c->path.len = 0;
  for (size_t i = 0; i < path->len; i++)
    vec_push(&c->path, (struct cost_step){p->edges.at[path->at[i].edge].edge, path->at[i].delta});
}

static void take_best_label(struct cost *c, const struct search *s) {
  if (s->best_label == AUTOMATON_NONE || s->labels.len == 0) return;
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

/* The newest label of the stack moves down to its place: the most promising one is on top. Labels
 * without a bound (-1) are at the bottom. */
static void sift(uint32_t *stack, fmpz *bounds, size_t len) {
  for (size_t i = len - 1; i > 0; i--) {
    if (fmpz_sgn(&bounds[i]) >= 0 &&
        (fmpz_sgn(&bounds[i - 1]) < 0 || fmpz_cmp(&bounds[i - 1], &bounds[i]) <= 0))
      return;
    fmpz_swap(&bounds[i - 1], &bounds[i]);
    uint32_t t = stack[i - 1];
    stack[i - 1] = stack[i];
    stack[i] = t;
  }
}

static void expand(struct search *s, uint32_t id, struct step_scratch *scratch) {
  const struct product *p = s->p;
  uint32_t node = s->labels.at[id].node;
  size_t begin = s->stack.len;
  VEC(fmpz) bounds = {0};
  for (uint32_t e = p->first.at[node]; e < p->first.at[node + 1]; e++) {
    struct step step = step_make(p, s->w, node, e, scratch);
    for (int delta = step_first_delta(&step); delta <= 1; delta += 2) {
      if (!step_delta_matters(&step, delta)) continue;
      struct profile next;
      profile_init(&next);
      if (!profile_step(&next, &s->labels.at[id].profile, &step, delta, NULL, s->cap))
        s->failed = true;
      pump_profile(s, step.to, &next);
      if (next.count == 0) s->overflow = true;
      fmpz bound = -1;
      if (finish(s, step.to, &next, &bound)) {
        fmpz_clear(&bound);
        profile_clear(&next);
        continue;
      }
      keep_for_later(s, push_label(s, step.to, id, (struct hop){e, delta}, &next));
      vec_push(&bounds, bound);
      if (!s->sweeping) sift(s->stack.at + begin, bounds.at, bounds.len);
    }
  }
  for (size_t i = 0; i < bounds.len; i++)
    fmpz_clear(&bounds.at[i]);
  vec_clear(&bounds);
  s->labels.at[id].expanded = true;
}

static bool exhausted(const struct search *s) {
  return s->failed || s->overflow || s->labels.len > COST_LABEL_BUDGET || s->work > s->work_limit;
}

static bool met(const struct search *s, const fmpz *goal) {
  return goal && fmpz_cmp(s->best, goal) >= 0;
}

static void push_start(struct search *s) {
  struct profile start;
  profile_init(&start);
  profile_start(&start);
  pump_profile(s, 0, &start);
  keep_for_later(s, push_label(s, 0, AUTOMATON_NONE, (struct hop){AUTOMATON_NONE, 0}, &start));
}

/* Depth first along the best bounds: finds a path that meets the upper bound quickly, if there is
 * one. True: nothing is left. */
static bool dive(struct search *s, const fmpz *goal, struct step_scratch *scratch) {
  size_t budget = 6 * s->p->nodes.len + 2000;
  push_start(s);
  while (s->stack.len > 0 && !met(s, goal)) {
    if (exhausted(s) || s->labels.len > budget) return false;
    uint32_t id = vec_pop(&s->stack);
    if (!admit(s, id)) {
      profile_clear(&s->labels.at[id].profile);
      continue;
    }
    expand(s, id, scratch);
    push_pumped(s, id); /* taken first: they cover what going round the cycle would make */
  }
  return true;
}

static void forget_labels(struct search *s) {
  for (size_t i = 0; i < s->labels.len; i++)
    profile_clear(&s->labels.at[i].profile);
  s->labels.len = s->stack.len = 0;
  s->best_label = AUTOMATON_NONE;
  memset(s->admitted, 0xff, s->p->nodes.len * sizeof *s->admitted);
}

/* Looks at everything pending at the node; what is kept is then expanded. True if there was any. */
static bool sweep_node(struct search *s, uint32_t node, struct step_scratch *scratch) {
  bool any = false;
  while (s->pending[node] != AUTOMATON_NONE) {
    uint32_t id = s->pending[node];
    s->pending[node] = s->labels.at[id].next;
    any = true;
    if (!admit(s, id))
      profile_clear(&s->labels.at[id].profile);
    else
      push_pumped(s, id);
  }
  VEC(uint32_t) fresh = {0};
  for (uint32_t i = s->admitted[node]; i != AUTOMATON_NONE; i = s->labels.at[i].next)
    if (!s->labels.at[i].expanded) vec_push(&fresh, i);
  for (size_t i = 0; i < fresh.len && !exhausted(s); i++)
    expand(s, fresh.at[i], scratch);
  vec_clear(&fresh);
  return any;
}

/* Component by component in topological order, so that the labels of a node are all there before
 * one of them is expanded. True: nothing is left. */
static bool sweep(struct search *s, const fmpz *goal, struct step_scratch *scratch) {
  const struct product *p = s->p;
  s->sweeping = true;
  s->pending = xmalloc((p->nodes.len + 1) * sizeof *s->pending);
  memset(s->pending, 0xff, (p->nodes.len + 1) * sizeof *s->pending);
  push_start(s);
  bool done = true;
  for (uint32_t c = p->scc_count; c-- > 0 && done;) {
    bool any = true;
    while (any && done && !met(s, goal)) {
      any = false;
      for (uint32_t i = p->scc_first.at[c]; i < p->scc_first.at[c + 1]; i++)
        any |= sweep_node(s, p->scc_member.at[i], scratch);
      done = !exhausted(s);
    }
  }
  free(s->pending);
  s->sweeping = false;
  return done;
}

/* What a path through all states could cost at most. If that is too small, no harm is done. */
static void choose_cap(struct search *s) {
  const struct automaton *a = s->p->a;
  for (size_t i = 0; i < a->states.len; i++) {
    const struct automaton_state *q = &a->states.at[i];
    if (q->d != AUTOMATON_NONE) fmpz_addmul_ui(s->cap, &s->w->integer.at[q->d], 2);
    if (q->d2 != AUTOMATON_NONE) fmpz_add(s->cap, s->cap, &s->w->integer.at[q->d2]);
  }
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

static void drop_labels(struct strategy *out) {
  for (size_t i = 0; i < out->entry_value.len; i++)
    fmpz_clear(&out->entry_value.at[i]);
  out->labels.len = out->label_first.len = out->label_at.len = 0;
  out->entry_shifts.len = out->entry_value.len = 0;
}

static void take_labels(struct strategy *out, struct search *s) {
  drop_labels(out);
  for (uint32_t n = 0; n < s->p->nodes.len; n++) {
    vec_push(&out->label_first, (uint32_t)out->labels.len);
    for (uint32_t i = s->admitted[n]; i != AUTOMATON_NONE; i = s->labels.at[i].next) {
      const struct profile *v = &s->labels.at[i].profile;
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

static void search_init(struct search *s, const struct product *p, const struct pumps *pumps,
                        const struct weights *w, const struct online *o) {
  *s = (struct search){.p = p, .pumps = pumps, .w = w, .o = o, .best_label = AUTOMATON_NONE};
  s->admitted = xmalloc((p->nodes.len + 1) * sizeof *s->admitted);
  memset(s->admitted, 0xff, (p->nodes.len + 1) * sizeof *s->admitted);
  fmpz_init(s->best);
  fmpz_init(s->finished);
  fmpz_init(s->cap);
}

static void search_clear(struct search *s) {
  for (size_t i = 0; i < s->labels.len; i++)
    profile_clear(&s->labels.at[i].profile);
  vec_clear(&s->labels);
  vec_clear(&s->stack);
  free(s->admitted);
  fmpz_clear(s->best);
  fmpz_clear(s->finished);
  fmpz_clear(s->cap);
}

/* No upper bound yet: looks ahead only as far as is needed to get to points that finish every
 * path, whatever that costs. */
static void settle(struct cost *c, struct search *s, struct strategy *strategy) {
  struct step_scratch scratch = {0};
  do {
    if (s->overflow) {
      forget_labels(s);
      fmpz_mul_ui(s->cap, s->cap, 2);
    }
    s->overflow = false;
    fmpz_zero(s->finished);
    fmpz_mul_ui(s->best, s->cap, 1000); /* everything that can be finished is */
    c->has_upper = sweep(s, NULL, &scratch);
  } while (s->overflow && s->work <= s->work_limit);
  step_scratch_clear(&scratch);
  c->has_upper = c->has_upper && !exhausted(s);
  if (!c->has_upper) return;
  fmpz_set(c->upper, s->finished);
  for (uint32_t n = 0; n < s->p->nodes.len; n++)
    for (uint32_t i = s->admitted[n]; i != AUTOMATON_NONE; i = s->labels.at[i].next) {
      const fmpz *least = profile_least(&s->labels.at[i].profile);
      if (least && fmpz_cmp(least, c->upper) > 0) fmpz_set(c->upper, least);
    }
  take_labels(strategy, s);
}

/* Sweeps with at most `limit` labels per node, the others joined: a strategy that is as good as
 * the path known, or at least better than the one known. */
static void relax(struct cost *c, struct search *s, struct strategy *strategy, size_t limit,
                  struct step_scratch *scratch) {
  fmpz_t known; /* what labels cost is no lower bound now: no path need cost as much as a join */
  fmpz_init_set(known, s->best);
  forget_labels(s);
  s->work = 0;
  s->join_limit = limit;
  fmpz_set(s->cap, c->upper);
  if (sweep(s, NULL, scratch) && fmpz_cmp(s->best, c->upper) < 0) {
    fmpz_set(c->upper, s->best);
    take_labels(strategy, s);
  }
  forget_labels(s);
  s->join_limit = s->work = 0;
  s->overflow = s->failed = false;
  fmpz_set(s->best, known);
  fmpz_clear(known);
}

/* The dive, joined sweeps, then everything. True: nothing is left, `best` is the cost. */
static bool branch_and_bound(struct search *s, struct cost *c, struct strategy *strategy) {
  struct step_scratch scratch = {0};
  const fmpz *goal = c->has_upper ? c->upper : NULL;
  bool done = false;
  do {
    if (s->overflow) fmpz_mul_ui(s->cap, s->cap, 2);
    s->overflow = false;
    done = dive(s, goal, &scratch);
    take_best_label(c, s);
    if (!done && !s->failed && !s->overflow) {
      for (size_t n = 1; n <= COST_JOINED && goal && !met(s, goal); n *= 4)
        relax(c, s, strategy, n, &scratch);
      forget_labels(s);
      done = met(s, goal) || sweep(s, goal, &scratch);
      take_best_label(c, s);
    }
    if (s->overflow) forget_labels(s);
  } while (s->overflow && s->work <= s->work_limit);
  step_scratch_clear(&scratch);
  return done && !s->overflow;
}

/* Tightens [lower, upper] by branch and bound; replaces the strategy's labels if it succeeds. */
static void refine(struct cost *c, struct search *s, struct strategy *strategy) {
  fmpz_set(s->best, c->lower);
  if (fmpz_is_zero(s->best)) fmpz_set_si(s->best, -1); /* a path of cost 0 is a path, too */
  const fmpz *goal = c->has_upper ? c->upper : NULL;
  if (goal) fmpz_set(s->cap, goal);
  bool done = branch_and_bound(s, c, strategy), reached = met(s, goal);
  if (fmpz_sgn(s->best) >= 0) fmpz_set(c->lower, s->best);
  if (!done || reached) return;
  fmpz_set(c->upper, c->lower);
  c->has_upper = true;
  take_labels(strategy, s);
}

void cost_search(struct cost *c, const struct product *p, const struct pumps *pumps,
                 const struct weights *w, const struct online *o, size_t work,
                 struct strategy *strategy) {
  const fmpz *bound = online_bound(o);
  if (bound) {
    c->has_upper = true;
    fmpz_set(c->upper, bound);
    hops path = {0};
    online_path(o, &path);
    if (path_cost(c->lower, p, pumps, w, &path)) take_hops(c, p, &path);
    vec_clear(&path);
  }
  no_labels(strategy, p->nodes.len);
  if (!bound || fmpz_cmp(c->lower, c->upper) < 0) {
    struct search s;
    search_init(&s, p, pumps, w, o);
    s.work_limit = work;
    choose_cap(&s);
    if (!bound) {
      settle(c, &s, strategy);
      forget_labels(&s);
    }
    refine(c, &s, strategy);
    search_clear(&s);
  }
  take_points(strategy, o);
  fmpz_set(strategy->scale, w->scale);
  fmpz_set(strategy->cost, c->upper);
  strategy->digest = strategy_digest(strategy);
}
