#include "check/automaton/walk_check.h"

#include <string.h>

#include "check/automaton/essential.h"
#include "check/automaton/reject.h"
#include "check/automaton/zone.h"

/* Rounds of a cycle after which the order of the variables must not change any more. */
enum { ORDER_ROUNDS = 64 };

struct checker {
  const struct automaton *a;
  const struct walk *w;
  const int8_t *delta;
  const struct budget *budget;
  struct buffer *why;
  uint32_t *local;               /* per variable: its number here, from 0, or AUTOMATON_NONE */
  VEC(uint32_t) vars;            /* the variables that the walk mentions */
  struct automaton_range *guard; /* per guard that was met: its literals; else AUTOMATON_NONE .. */
  literal_vec literals;
  zone_entry *zone, *wide, *wider; /* the shifts that are possible; over more variables */
  uint32_t *source;
  bool *before, *was;  /* before[x * n + y]: the guards demand x < y of the values held */
  bool *same;          /* held values that are one sample */
  bool *below, *above; /* x < insample, insample < x */
};

static const struct automaton_edge *edge_of(const struct checker *c, size_t step) {
  return &c->a->edges.at[c->w->steps.at[step].edge];
}

static struct literals literals_of(const struct checker *c, size_t step) {
  struct automaton_range r = c->guard[edge_of(c, step)->guard];
  return (struct literals){c->literals.at + r.begin, r.end - r.begin};
}

/* ---- 1. the walk ------------------------------------------------------------------------------
 */

static void mention(struct checker *c, uint32_t var) {
  if (c->local[var] != AUTOMATON_NONE) return;
  c->local[var] = (uint32_t)c->vars.len;
  vec_push(&c->vars, var);
}

static bool has_noise(const struct automaton *a, uint32_t rational) {
  return rational != AUTOMATON_NONE && fmpq_sgn(automaton_value(a, rational)) > 0;
}

/* A guard is looked at once: it is a conjunction that can hold. */
static bool check_guard(struct checker *c, size_t step) {
  uint32_t guard = edge_of(c, step)->guard;
  if (c->guard[guard].begin != AUTOMATON_NONE) return true;
  REQUIRE(c->a->guards.at[guard].begin < c->a->guards.at[guard].end &&
              (c->a->independent ? automaton_guard_is_conjunctive(c->a, guard)
                                 : automaton_is_conjunction(c->a, guard)),
          "the guard of step %zu is not a conjunction", step);
  c->guard[guard].begin = (uint32_t)c->literals.len;
  automaton_essential(c->a, guard, &c->literals);
  c->guard[guard].end = (uint32_t)c->literals.len;
  struct literals g = literals_of(c, step);
  for (size_t i = 0; i < g.count; i++) { /* in increasing order */
    mention(c, literal_var(g.at[i]));
    REQUIRE(i == 0 || literal_var(g.at[i]) != literal_var(g.at[i - 1]),
            "the guard of step %zu contradicts itself", step);
  }
  return true;
}

static bool check_step(struct checker *c, size_t step) {
  const struct automaton_edge *e = edge_of(c, step);
  const struct automaton_state *q = &c->a->states.at[e->from];
  int delta = c->delta[step];
  REQUIRE(delta >= -1 && delta <= 1 && (q->is_input || delta == 0),
          "step %zu has no such difference of inputs", step);
  REQUIRE(has_noise(c->a, q->d) && (e->emit != EMIT_PRIME || has_noise(c->a, q->d2)),
          "step %zu leaves a state without noise", step);
  struct members assigned = automaton_members(c->a, e->assign);
  for (size_t i = 0; i < assigned.count; i++)
    mention(c, assigned.at[i]);
  return check_guard(c, step);
}

static bool check_steps(struct checker *c) {
  REQUIRE(walk_is_in(c->a, c->w), "the steps are no walk of the automaton");
  for (size_t i = 0; i < c->w->steps.len; i++)
    if (!check_step(c, i)) return false;
  return true;
}

/* The end of the cycle that begins at the step; a step that is taken once is alone. */
static size_t end_of(const struct checker *c, size_t step) {
  uint32_t cycle = c->w->steps.at[step].cycle;
  size_t end = step + 1;
  while (cycle && end < c->w->steps.len && c->w->steps.at[end].cycle == cycle)
    end++;
  return end;
}

/* ---- 2. the path is possible (shared noise; independent samples are compared once each) -------
 */

/* A new sample that is above and below what the guard says. False: it would have to be above
 * something that is above it. */
static bool place_sample(struct checker *c, size_t step) {
  size_t n = c->vars.len;
  struct literals g = literals_of(c, step);
  memset(c->below, 0, n * sizeof *c->below);
  memset(c->above, 0, n * sizeof *c->above);
  for (size_t i = 0; i < g.count; i++) {
    size_t x = c->local[literal_var(g.at[i])];
    for (size_t y = 0; y < n; y++)
      if (literal_is_less(g.at[i]))
        c->above[y] |= c->same[x * n + y] || c->before[x * n + y];
      else
        c->below[y] |= c->same[x * n + y] || c->before[y * n + x];
  }
  for (size_t y = 0; y < n; y++)
    REQUIRE(!(c->above[y] && c->below[y]), "step %zu is impossible in the order of the values",
            step);
  return true;
}

static bool order_step(struct checker *c, size_t step) {
  size_t n = c->vars.len;
  if (!place_sample(c, step)) return false;
  for (size_t x = 0; x < n; x++)
    for (size_t y = 0; y < n; y++)
      c->before[x * n + y] |= c->below[x] && c->above[y];
  struct members assigned = automaton_members(c->a, edge_of(c, step)->assign);
  for (size_t i = 0; i < assigned.count; i++) {
    size_t w = c->local[assigned.at[i]];
    for (size_t y = 0; y < n; y++) {
      bool together = automaton_assigns(c->a, edge_of(c, step)->assign, c->vars.at[y]);
      c->same[w * n + y] = c->same[y * n + w] = together;
      c->before[w * n + y] = !together && c->above[y];
      c->before[y * n + w] = !together && c->below[y];
    }
  }
  return true;
}

/* Every number of rounds is possible: after a few the order stays as it is. */
static bool order_cycle(struct checker *c, size_t begin, size_t end) {
  size_t size = c->vars.len * c->vars.len * sizeof *c->before;
  for (int round = 0; round < ORDER_ROUNDS; round++) {
    memcpy(c->was, c->before, size);
    for (size_t i = begin; i < end; i++)
      if (!order_step(c, i)) return false;
    if (round > 0 && memcmp(c->was, c->before, size) == 0) return true; /* `same` is stable, too */
  }
  return automaton_reject(
      c->why, "the order of the values goes on changing in the cycle of step %zu", begin);
}

static bool check_possible(struct checker *c) {
  for (size_t x = 0; x < c->vars.len; x++)
    c->same[x * c->vars.len + x] = true;
  for (size_t i = 0, end; i < c->w->steps.len; i = end) {
    end = end_of(c, i);
    REQUIRE(!budget_is_spent(c->budget), "out of time");
    if (c->w->steps.at[i].cycle ? !order_cycle(c, i, end) : !order_step(c, i)) return false;
  }
  return true;
}

/* ---- 3. the shifts that are possible ----------------------------------------------------------
 */

/* Adds a sample, bound by the literals on `only` (AUTOMATON_NONE: by all), to the zone over `n`
 * variables in c->wide; free: it is shifted by Delta. False: none fits. */
static bool add_sample(struct checker *c, size_t step, size_t n, uint32_t only, bool is_free) {
  struct literals g = literals_of(c, step);
  unsigned shift = c->delta[step] < 0 ? SHIFT_MINUS : c->delta[step] > 0 ? SHIFT_PLUS : SHIFT_ZERO;
  zone_extend(c->wider, c->wide, n++);
  memcpy(c->wide, c->wider, zone_size(n));
  for (size_t i = 0; i < g.count; i++) {
    uint32_t var = literal_var(g.at[i]);
    size_t x = c->local[var] + 1;
    if (only != AUTOMATON_NONE && var != only) continue;
    if (literal_is_less(g.at[i]) ? !zone_bound(c->wide, n, n, x, 0)
                                 : !zone_bound(c->wide, n, x, n, 0))
      return false;
  }
  if (is_free && !zone_restrict(c->wide, n, n, shift)) return false;
  return edge_of(c, step)->emit != EMIT_INSAMPLE || zone_restrict(c->wide, n, n, SHIFT_ZERO);
}

static bool is_compared(const struct checker *c, size_t step, uint32_t var) {
  struct literals g = literals_of(c, step);
  for (size_t i = 0; i < g.count; i++)
    if (literal_var(g.at[i]) == var) return true;
  return false;
}

/* One traversal; free: at no cost. False: no shifts are left. */
static bool shift_step(struct checker *c, size_t step, bool is_free) {
  const struct automaton_edge *e = edge_of(c, step);
  size_t n = c->vars.len, k = n;
  memcpy(c->wide, c->zone, zone_size(n));
  if (is_free && c->delta[step] != 0 && (e->emit == EMIT_INSAMPLE || e->emit == EMIT_PRIME))
    return false;
  if (!c->a->independent && !add_sample(c, step, k++, AUTOMATON_NONE, is_free)) return false;
  for (size_t i = 0; i < n; i++) {
    bool assigned = automaton_assigns(c->a, e->assign, c->vars.at[i]);
    if (c->a->independent && (assigned || is_compared(c, step, c->vars.at[i])) &&
        !add_sample(c, step, k++, c->vars.at[i], is_free))
      return false;
    c->source[i] = (uint32_t)(assigned ? k : i + 1);
  }
  zone_project(c->zone, n, c->wide, k, c->source);
  return true;
}

static void forget_assigned(struct checker *c, size_t begin, size_t end) {
  for (size_t i = begin; i < end; i++) {
    struct members assigned = automaton_members(c->a, edge_of(c, i)->assign);
    for (size_t k = 0; k < assigned.count; k++)
      zone_free(c->zone, c->vars.len, c->local[assigned.at[k]] + 1);
  }
}

static bool shift_cycle(struct checker *c, size_t begin, size_t end) {
  forget_assigned(c, begin, end);
  for (int round = 0; round < 2; round++)
    for (size_t i = begin; i < end; i++)
      if (!shift_step(c, i, true)) return false;
  forget_assigned(c, begin, end);
  return true;
}

static bool check_shifts(struct checker *c) {
  zone_full(c->zone, c->vars.len);
  for (size_t i = 0, end; i < c->w->steps.len; i = end) {
    end = end_of(c, i);
    REQUIRE(!budget_is_spent(c->budget), "out of time");
    if (c->w->steps.at[i].cycle ? !shift_cycle(c, i, end) : !shift_step(c, i, false)) return true;
  }
  return automaton_reject(c->why, "there are shifts at which every cycle of the walk is free");
}

/* ---- the whole --------------------------------------------------------------------------------
 */

static bool check_all(struct checker *c) {
  if (!check_steps(c)) return false;
  size_t n = c->vars.len, size = zone_size(2 * n + 1);
  c->zone = xmalloc(size);
  c->wide = xmalloc(size);
  c->wider = xmalloc(size);
  c->source = xmalloc((n + 1) * sizeof *c->source);
  c->before = xcalloc(n * n + 1, sizeof *c->before);
  c->was = xcalloc(n * n + 1, sizeof *c->was);
  c->same = xcalloc(n * n + 1, sizeof *c->same);
  c->below = xcalloc(n + 1, sizeof *c->below);
  c->above = xcalloc(n + 1, sizeof *c->above);
  return (c->a->independent || check_possible(c)) && check_shifts(c);
}

bool walk_check(const struct automaton *a, const struct walk *w, const int8_t *delta,
                const struct budget *budget, struct buffer *why) {
  struct checker c = {.a = a, .w = w, .delta = delta, .budget = budget, .why = why};
  c.local = xmalloc((a->vars.len + 1) * sizeof *c.local);
  memset(c.local, 0xff, (a->vars.len + 1) * sizeof *c.local);
  c.guard = xmalloc((a->guards.len + 1) * sizeof *c.guard);
  memset(c.guard, 0xff, (a->guards.len + 1) * sizeof *c.guard);
  bool accepted = check_all(&c);
  free(c.local);
  free(c.guard);
  vec_clear(&c.vars);
  vec_clear(&c.literals);
  free(c.zone);
  free(c.wide);
  free(c.wider);
  free(c.source);
  free(c.before);
  free(c.was);
  free(c.same);
  free(c.below);
  free(c.above);
  return accepted;
}
