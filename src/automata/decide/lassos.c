#include "automata/decide/lassos.h"

#include <string.h>

#include "automata/model/cycle.h"

struct cycle {
  uint32_t edges[2 * LASSO_CYCLE_STEPS];
  size_t length;
};

struct lassos {
  const struct automaton *a;
  struct walk *walk;
  struct unbounded *inputs;
  struct lasso_search *search;
  bool *visited; /* states on the path */
};

/* ---- cycles --------------------------------------------------------------------------------- */

static bool shortest_cycle(const struct automaton *a, uint32_t edge, struct cycle *out) {
  edge_path path = {0};
  bool found = cycle_shortest(a, edge, LASSO_CYCLE_STEPS, &path);
  out->length = found ? path.len : 0;
  for (size_t i = 0; i < out->length; i++)
    out->edges[i] = path.at[i];
  vec_clear(&path);
  return found;
}

static bool guard_mentions(const struct automaton *a, uint32_t guard, uint32_t var) {
  struct automaton_range g = a->guards.at[guard];
  for (uint32_t c = g.begin; c < g.end; c++)
    for (uint32_t i = a->cubes.at[c].begin; i < a->cubes.at[c].end; i++)
      if (literal_var(a->literals.at[i]) == var) return true;
  return false;
}

/* Does the cycle compare with something it assigns? */
static bool looks_back(const struct automaton *a, const struct cycle *c) {
  for (size_t i = 0; i < c->length; i++) {
    struct members w = automaton_members(a, a->edges.at[c->edges[i]].assign);
    for (size_t k = 0; k < w.count; k++)
      for (size_t j = 0; j < c->length; j++)
        if (guard_mentions(a, a->edges.at[c->edges[j]].guard, w.at[k])) return true;
  }
  return false;
}

/* The cycles through the state; those that look back as two rounds, whose inputs may differ. */
static size_t cycles_of(const struct automaton *a, uint32_t state, struct cycle *out) {
  size_t count = 0;
  for (uint32_t e = a->first_edge.at[state];
       e < a->first_edge.at[state + 1] && count < LASSO_PER_STATE; e++) {
    struct cycle *c = &out[count];
    if (!shortest_cycle(a, e, c)) continue;
    count++;
    if (!looks_back(a, c)) continue;
    memcpy(c->edges + c->length, c->edges, c->length * sizeof *c->edges);
    c->length *= 2;
  }
  return count;
}

/* ---- inputs ---------------------------------------------------------------------------------- */

enum walk_loss {
  WALK_COUPLED,  /* there is a shift coupling of finite cost, or nothing is known */
  WALK_OPEN,     /* there is none, but the loss was not shown to be unbounded */
  WALK_UNBOUNDED /* `inputs` show it */
};

static bool is_input(const struct lassos *l, size_t step) {
  return l->a->states.at[l->a->edges.at[l->walk->steps.at[step].edge].from].is_input;
}

/* Differences of the steps in cycles, a bit for each; the others are taken once and do not matter.
 * Returns their number. */
static size_t set_deltas(const struct lassos *l, struct unbounded *in, size_t choice) {
  size_t k = 0;
  in->count = l->walk->steps.len;
  for (size_t i = 0; i < in->count; i++) {
    in->delta[i] = 0;
    if (l->walk->steps.at[i].cycle && is_input(l, i)) in->delta[i] = choice >> k++ & 1 ? -1 : 1;
  }
  return k;
}

static void set_leans(const struct lassos *l, struct unbounded *in, size_t choice) {
  for (size_t i = 0, k = 0; i < in->count; i++) {
    in->lean[i] = 0;
    if (l->walk->steps.at[i].cycle && is_input(l, i)) in->lean[i] = choice >> k++ & 1 ? 1 : -1;
  }
}

static bool is_same_cycle(const struct lassos *l, size_t step) {
  const struct walk_step *s = l->walk->steps.at;
  return step > 0 && s[step].cycle && s[step].cycle == s[step - 1].cycle;
}

/* Levels number `number`: none, all up, all down, then all others, base 3; the inputs of a cycle
 * have one level. False: no more. */
static bool set_levels(const struct lassos *l, struct unbounded *in, size_t number) {
  size_t unit = 0, code = number, all = 1;
  for (size_t i = 0; i < in->count; i++)
    if (!is_same_cycle(l, i) && all < LASSO_LEVELS) all *= 3;
  for (size_t i = 0; i < in->count; i++) {
    if (i > 0 && !is_same_cycle(l, i)) {
      unit++;
      code /= 3;
    }
    size_t level = number < 3 ? number : code % 3;
    if (number >= 3 && all >= LASSO_LEVELS) /* too many: a mixture */
      level = ((number + 1) * 0x9e3779b97f4a7c15u >> (2 * unit % 60)) % 3;
    in->level[i] = (int8_t)(!is_input(l, i) ? 0 : level == 2 ? -1 : (int)level);
  }
  return number < all && number < LASSO_LEVELS;
}

/* All differences at these levels and leans. */
static bool try_deltas(const struct lassos *l, struct unbounded_problem *p, const size_t *deltas,
                       size_t count) {
  for (size_t k = 0; k < count; k++) {
    set_deltas(l, l->inputs, deltas[k]);
    if (unbounded_at(p, l->inputs)) return true;
  }
  return false;
}

static bool try_inputs(const struct lassos *l, struct unbounded_problem *p, const size_t *deltas,
                       size_t count, size_t inputs) {
  for (size_t number = 0; set_levels(l, l->inputs, number); number++)
    for (size_t lean = 0; lean >> inputs == 0; lean++) {
      set_leans(l, l->inputs, lean);
      if (try_deltas(l, p, deltas, count)) return true;
    }
  memset(l->inputs->lean, 0, sizeof l->inputs->lean);
  for (size_t number = 0; set_levels(l, l->inputs, number); number++)
    if (try_deltas(l, p, deltas, count)) return true;
  return false;
}

static enum walk_loss walk_loss(struct lassos *l) {
  size_t deltas[LASSO_DELTAS], count = 0, inputs = 0;
  struct unbounded_problem *p = unbounded_open(l->a, l->walk);
  if (!p) return WALK_COUPLED;
  memset(l->inputs, 0, sizeof *l->inputs);
  inputs = set_deltas(l, l->inputs, 0);
  for (size_t choice = 0; inputs <= 8 && choice >> inputs == 0 && count < LASSO_DELTAS; choice++) {
    set_deltas(l, l->inputs, choice);
    if (!unbounded_has_shifts(p, l->inputs)) deltas[count++] = choice;
  }
  bool found = count > 0 && try_inputs(l, p, deltas, count, inputs);
  unbounded_close(p);
  return found ? WALK_UNBOUNDED : count > 0 ? WALK_OPEN : WALK_COUPLED;
}

/* ---- walks ---------------------------------------------------------------------------------- */

static bool is_exhausted(const struct lassos *l) {
  return l->search->looked_at >= LASSO_WALKS || l->search->open >= LASSO_OPEN;
}

static enum walk_loss look(struct lassos *l) {
  enum walk_loss loss = walk_loss(l);
  l->search->looked_at++;
  l->search->open += loss == WALK_OPEN;
  return loss;
}

static bool extend(struct lassos *l, uint32_t state, size_t length);

static bool put_in_cycles(struct lassos *l, uint32_t state, size_t length) {
  struct cycle cycles[LASSO_PER_STATE];
  size_t count = cycles_of(l->a, state, cycles), before = l->walk->steps.len;
  for (size_t i = 0; i < count && !is_exhausted(l); i++) {
    l->walk->cycle_count++;
    for (size_t k = 0; k < cycles[i].length; k++)
      vec_push(&l->walk->steps, (struct walk_step){cycles[i].edges[k], l->walk->cycle_count});
    enum walk_loss loss = look(l);
    if (loss == WALK_UNBOUNDED || (loss == WALK_COUPLED && extend(l, state, length))) return true;
    l->walk->steps.len = before;
    l->walk->cycle_count--;
  }
  return false;
}

/* Goes on from a state: by a cycle, or by an edge to a state that is new. */
static bool extend(struct lassos *l, uint32_t state, size_t length) {
  const struct automaton *a = l->a;
  if (l->walk->cycle_count < LASSO_CYCLES && put_in_cycles(l, state, length)) return true;
  for (uint32_t e = a->first_edge.at[state]; e < a->first_edge.at[state + 1]; e++) {
    uint32_t to = a->edges.at[e].to;
    if (l->visited[to] || length == LASSO_PATH || is_exhausted(l)) continue;
    vec_push(&l->walk->steps, (struct walk_step){e, 0});
    l->visited[to] = true;
    bool outputs = a->edges.at[e].emit == EMIT_INSAMPLE && l->walk->cycle_count > 0;
    enum walk_loss loss = outputs ? look(l) : WALK_COUPLED;
    if (loss == WALK_UNBOUNDED || (loss == WALK_COUPLED && extend(l, to, length + 1))) return true;
    l->visited[to] = false;
    l->walk->steps.len--;
  }
  return false;
}

bool automaton_is_unbounded(struct walk *walk, struct unbounded *inputs,
                            struct lasso_search *search, const struct automaton *a) {
  struct lassos l = {.a = a, .walk = walk, .inputs = inputs, .search = search};
  *search = (struct lasso_search){0, 0};
  if (!a->independent || a->states.len > LASSO_STATES) return false;
  walk->steps.len = 0;
  walk->cycle_count = 0;
  l.visited = xcalloc(a->states.len, sizeof *l.visited);
  l.visited[a->start] = true;
  bool found = extend(&l, a->start, 0);
  free(l.visited);
  return found;
}
