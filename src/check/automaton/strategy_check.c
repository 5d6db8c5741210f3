#include "check/automaton/strategy_check.h"

#include <string.h>

#include "check/automaton/essential.h"
#include "check/automaton/product_check.h"
#include "check/automaton/reject.h"

struct checker {
  const struct automaton *a;
  const struct strategy *s;
  const struct product *p; /* of the strategy: claims, not facts */
  struct buffer *why;
  fmpz *weight; /* per rational: value * scale, once it is known to be an integer */
  fmpz_t least, sum;
  struct automaton_range *guard; /* per guard: the literals to preserve, in `literals` */
  literal_vec literals;
  uint32_t *hint; /* per product edge: the label that covered last; only saves time */
  const struct budget *budget;
  size_t prices;     /* computed so far */
  size_t tries_left; /* labels that may still be compared */
  bool out_of_time;
};

/* How many labels are compared with one successor, on the average: searches put the label that
 * covers it near the one that covered the last one, and the check is linear in the labels. */
enum { LABEL_TRIES = 64, POLL_PRICES = 4096 };

/* Shared noise: the conjunction; independent noise: what the guard depends on. */
static struct literals literals_of(const struct checker *c, uint32_t guard) {
  struct automaton_range r = c->guard[guard];
  return (struct literals){c->literals.at + r.begin, r.end - r.begin};
}

/* ---- 1. the arrays have the shape the rest relies on ----------------------------------------- */

static size_t live_count(const struct checker *c, uint32_t node) {
  uint32_t state = c->p->nodes.at[node].state;
  return c->p->live_first.at[state + 1] - c->p->live_first.at[state];
}
static const uint32_t *live_vars(const struct checker *c, uint32_t node) {
  return c->p->live.at + c->p->live_first.at[c->p->nodes.at[node].state];
}

static bool rising(const uint32_t *at, size_t len, size_t last) {
  if (len == 0 || at[0] != 0 || at[len - 1] != last) return false;
  for (size_t i = 1; i < len; i++)
    if (at[i] < at[i - 1]) return false;
  return true;
}

static bool check_shape(struct checker *c) {
  const struct product *p = c->p;
  const struct strategy *s = c->s;
  size_t nodes = p->nodes.len, tracked = p->tracked.len, matrix = tracked * tracked;
  REQUIRE(nodes > 0 && p->first.len == nodes + 1 && rising(p->first.at, nodes + 1, p->edges.len),
          "the graph is malformed");
  REQUIRE(p->live_first.len == c->a->states.len + 1 &&
              rising(p->live_first.at, p->live_first.len, p->live.len),
          "the lists of live variables are malformed");
  for (size_t i = 0; i < p->live.len; i++)
    REQUIRE(p->live.at[i] < c->a->vars.len, "an unknown variable is live");
  for (size_t q = 0; q < c->a->states.len; q++) /* so that it has one shift */
    for (size_t i = p->live_first.at[q] + 1; i < p->live_first.at[q + 1]; i++)
      REQUIRE(p->live.at[i - 1] < p->live.at[i], "a variable of state %zu is live twice", q);
  for (size_t i = 0; i < tracked; i++)
    REQUIRE(p->tracked.at[i] < c->a->vars.len, "an unknown variable is tracked");
  for (size_t n = 0; n < nodes; n++)
    REQUIRE(p->nodes.at[n].state < c->a->states.len &&
                (matrix == 0 || ((size_t)p->nodes.at[n].facts + 1) * matrix <= p->facts.len),
            "node %zu is malformed", n);
  REQUIRE(tracked == 0 || !c->a->independent, "independent noise says nothing about an order");
  REQUIRE(s->point_first.len == nodes + 1 && s->point_at.len >= nodes &&
              rising(s->point_first.at, nodes + 1, s->point_value.len),
          "the points are malformed");
  REQUIRE(s->label_first.len == nodes + 1 && s->label_at.len == s->labels.len &&
              rising(s->label_first.at, nodes + 1, s->labels.len),
          "the labels are malformed");
  for (uint32_t n = 0; n < nodes; n++) {
    size_t points = s->point_first.at[n + 1] - s->point_first.at[n], live = live_count(c, n);
    REQUIRE(s->point_at.at[n] <= s->point_shifts.len &&
                points * live <= s->point_shifts.len - s->point_at.at[n],
            "the points of node %u are malformed", n);
    for (uint32_t l = s->label_first.at[n]; l < s->label_first.at[n + 1]; l++)
      REQUIRE(s->labels.at[l].node == n && s->labels.at[l].first <= s->entry_value.len &&
                  s->labels.at[l].count <= s->entry_value.len - s->labels.at[l].first &&
                  s->label_at.at[l] <= s->entry_shifts.len &&
                  s->labels.at[l].count * live <= s->entry_shifts.len - s->label_at.at[l],
              "label %u is malformed", l);
  }
  return true;
}

/* There are 3^live shifts: a longer list only costs time. */
static bool is_short(size_t count, size_t live) {
  size_t most = 1;
  for (size_t i = 0; i < live && most < count; i++)
    most *= 3;
  return count <= most;
}

static bool check_lengths(struct checker *c) {
  const struct strategy *s = c->s;
  for (uint32_t n = 0; n < c->p->nodes.len; n++) {
    size_t live = live_count(c, n);
    REQUIRE(is_short(s->point_first.at[n + 1] - s->point_first.at[n], live),
            "node %u has more points than shifts", n);
    for (uint32_t l = s->label_first.at[n]; l < s->label_first.at[n + 1]; l++)
      REQUIRE(is_short(s->labels.at[l].count, live), "label %u has more entries than shifts", l);
  }
  return true;
}

static bool check_values(struct checker *c) {
  const struct strategy *s = c->s;
  REQUIRE(fmpz_sgn(s->scale) > 0 && fmpz_sgn(s->cost) >= 0, "scale or cost is negative");
  for (size_t i = 0; i < s->point_value.len; i++)
    REQUIRE(fmpz_sgn(&s->point_value.at[i]) >= 0, "point %zu has a negative cost", i);
  for (size_t i = 0; i < s->entry_value.len; i++)
    REQUIRE(fmpz_sgn(&s->entry_value.at[i]) >= 0, "entry %zu has a negative cost", i);
  for (size_t i = 0; i < c->a->rationals.len; i++) {
    const fmpq *value = automaton_value(c->a, (uint32_t)i);
    if (!fmpz_divisible(s->scale, fmpq_denref(value))) {
      fmpz_set_si(&c->weight[i], -1); /* not a d, or scale is wrong: see weight_of */
      continue;
    }
    fmpz_divexact(&c->weight[i], s->scale, fmpq_denref(value));
    fmpz_mul(&c->weight[i], &c->weight[i], fmpq_numref(value));
  }
  for (size_t i = 0; i < c->a->states.len; i++) {
    uint32_t d = c->a->states.at[i].d, d2 = c->a->states.at[i].d2;
    REQUIRE((d == AUTOMATON_NONE || fmpz_sgn(&c->weight[d]) > 0) &&
                (d2 == AUTOMATON_NONE || fmpz_sgn(&c->weight[d2]) > 0),
            "the scale is not a common denominator");
  }
  return true;
}

/* ---- 2. the order product ---------------------------------------------------------------------
 */

static bool check_target(struct checker *c, uint32_t node, const struct product_edge *step) {
  const struct automaton_edge *e = &c->a->edges.at[step->edge];
  REQUIRE(step->to < c->p->nodes.len && c->p->nodes.at[step->to].state == e->to,
          "edge %u leads to the wrong state", step->edge);
  REQUIRE(c->a->states.at[e->from].d != AUTOMATON_NONE &&
              (e->emit != EMIT_PRIME || c->a->states.at[e->from].d2 != AUTOMATON_NONE),
          "edge %u leaves a state without noise", step->edge);
  const uint32_t *live = live_vars(c, node), *after = live_vars(c, step->to);
  struct literals g = literals_of(c, e->guard);
  REQUIRE(product_teaches(c->a, c->p, node, e, g, step->to),
          "an order that edge %u does not establish", step->edge);
  for (size_t i = 0; i < g.count + live_count(c, step->to); i++) {
    uint32_t x = i < g.count ? literal_var(g.at[i]) : after[i - g.count];
    bool known = i >= g.count && automaton_assigns(c->a, e->assign, x);
    for (size_t j = 0; j < live_count(c, node) && !known; j++)
      known = live[j] == x;
    REQUIRE(known, "the shift of a variable is lost before edge %u", step->edge);
  }
  return true;
}

/* Every edge of the node's state is there, in order, or is impossible. */
static bool check_node(struct checker *c, uint32_t node) {
  uint32_t state = c->p->nodes.at[node].state, at = c->p->first.at[node];
  for (uint32_t e = c->a->first_edge.at[state]; e < c->a->first_edge.at[state + 1]; e++) {
    if (at < c->p->first.at[node + 1] && c->p->edges.at[at].edge == e) {
      if (!check_target(c, node, &c->p->edges.at[at++])) return false;
      continue;
    }
    REQUIRE(!c->a->independent &&
                product_excludes(c->p, node, literals_of(c, c->a->edges.at[e].guard)),
            "edge %u is left out although it can be taken", e);
  }
  REQUIRE(at == c->p->first.at[node + 1], "node %u has edges of another state", node);
  return true;
}

/* ---- 3. one traversal --------------------------------------------------------------------------
 */

/* Position of the variable among the live ones of the node. */
static size_t place_of(const struct checker *c, uint32_t node, uint32_t var) {
  const uint32_t *live = live_vars(c, node);
  size_t i = 0;
  while (i < live_count(c, node) && live[i] != var)
    i++;
  return i;
}

/* THE RULE for one sample: bound by the literals on `only` (AUTOMATON_NONE: by all of the guard),
 * stored in the assigned variables among those. The least |delta - s| over the shifts s that the
 * literals, the output and the shifts afterwards (`goal`) allow; -1 if there is none. */
static int sample_distance(const struct checker *c, uint32_t node, const struct product_edge *step,
                           const int8_t *g, int delta, const int8_t *goal, uint32_t only) {
  const struct automaton_edge *e = &c->a->edges.at[step->edge];
  struct literals guard = literals_of(c, e->guard);
  int best = -1;
  for (int s = -1; s <= 1; s++) {
    bool fits = e->emit != EMIT_INSAMPLE || s == 0;
    for (size_t i = 0; i < guard.count && fits; i++) {
      uint32_t x = literal_var(guard.at[i]);
      if (only != AUTOMATON_NONE && x != only) continue;
      int shift = g[place_of(c, node, x)]; /* check_target: it is there */
      fits = literal_is_less(guard.at[i]) ? s <= shift : s >= shift;
    }
    for (size_t i = 0; i < live_count(c, step->to) && fits; i++) {
      uint32_t x = live_vars(c, step->to)[i];
      if ((only == AUTOMATON_NONE || x == only) && automaton_assigns(c->a, e->assign, x))
        fits = goal[i] == s;
    }
    int distance = delta > s ? delta - s : s - delta;
    if (fits && (best < 0 || distance < best)) best = distance;
  }
  return best;
}

/* Independent noise: the samples of all variables, and one more if insample alone is output. */
static int all_distances(const struct checker *c, uint32_t node, const struct product_edge *step,
                         const int8_t *g, int delta, const int8_t *goal) {
  const struct automaton_edge *e = &c->a->edges.at[step->edge];
  struct literals guard = literals_of(c, e->guard);
  int total = 0, samples = 0;
  for (uint32_t x = 0; x < c->a->vars.len; x++) {
    bool mentioned = automaton_assigns(c->a, e->assign, x);
    for (size_t i = 0; i < guard.count; i++)
      mentioned |= literal_var(guard.at[i]) == x;
    if (!mentioned) continue;
    int distance = sample_distance(c, node, step, g, delta, goal, x);
    if (distance < 0) return -1;
    total += distance;
    samples++;
  }
  if (samples == 0 && e->emit == EMIT_INSAMPLE) total = delta < 0 ? -delta : delta;
  return total;
}

/* The least cost of the edge from shifts g to shifts `goal` (c->sum); false: impossible, or out of
 * time. */
static bool price(struct checker *c, uint32_t node, const struct product_edge *step,
                  const int8_t *g, int delta, const int8_t *goal) {
  if (++c->prices % POLL_PRICES == 0 && budget_is_spent(c->budget)) c->out_of_time = true;
  if (c->out_of_time) return false;
  const struct automaton_edge *e = &c->a->edges.at[step->edge];
  const struct automaton_state *state = &c->a->states.at[e->from];
  for (size_t i = 0; i < live_count(c, step->to); i++) { /* what is not assigned stays */
    uint32_t x = live_vars(c, step->to)[i];
    if (!automaton_assigns(c->a, e->assign, x) && goal[i] != g[place_of(c, node, x)]) return false;
  }
  int distance = c->a->independent ? all_distances(c, node, step, g, delta, goal)
                                   : sample_distance(c, node, step, g, delta, goal, AUTOMATON_NONE);
  if (distance < 0) return false;
  fmpz_mul_ui(c->sum, &c->weight[state->d], (ulong)distance);
  if (e->emit == EMIT_PRIME && delta != 0) fmpz_add(c->sum, c->sum, &c->weight[state->d2]);
  return true;
}

static int first_delta(const struct checker *c, uint32_t node) {
  return c->a->states.at[c->p->nodes.at[node].state].is_input ? -1 : 0;
}

/* ---- 4. points: H(n, g) >= cost + H(n', g') for some s, whatever the edge and Delta ------------
 */

static bool point_responds(struct checker *c, uint32_t node, uint32_t point,
                           const struct product_edge *step, int delta) {
  const int8_t *g = strategy_point_shifts(c->s, node, point);
  for (uint32_t i = c->s->point_first.at[step->to]; i < c->s->point_first.at[step->to + 1]; i++) {
    if (!price(c, node, step, g, delta, strategy_point_shifts(c->s, step->to, i))) continue;
    fmpz_add(c->sum, c->sum, &c->s->point_value.at[i]);
    if (fmpz_cmp(c->sum, &c->s->point_value.at[point]) <= 0) return true;
  }
  return false;
}

static bool check_points(struct checker *c, uint32_t node) {
  for (uint32_t i = c->s->point_first.at[node]; i < c->s->point_first.at[node + 1]; i++)
    for (uint32_t e = c->p->first.at[node]; e < c->p->first.at[node + 1]; e++)
      for (int delta = first_delta(c, node); delta <= 1; delta += 2)
        REQUIRE(point_responds(c, node, i, &c->p->edges.at[e], delta),
                "point %u has no answer to edge %u with Delta = %d", i, c->p->edges.at[e].edge,
                delta);
  return true;
}

/* ---- 5. labels ---------------------------------------------------------------------------------
 */

/* The least cost of getting from the label over the edge to shifts `goal`, in c->least. */
static bool successor(struct checker *c, uint32_t label, const struct product_edge *step, int delta,
                      const int8_t *goal) {
  const struct strategy_label *l = &c->s->labels.at[label];
  bool found = false;
  for (uint32_t i = 0; i < l->count; i++) {
    if (!price(c, l->node, step, strategy_entry_shifts(c->s, label, i), delta, goal)) continue;
    fmpz_add(c->sum, c->sum, &c->s->entry_value.at[l->first + i]);
    if (!found || fmpz_cmp(c->sum, c->least) < 0) fmpz_set(c->least, c->sum);
    found = true;
  }
  return found;
}

static bool below_label(struct checker *c, uint32_t label, const struct product_edge *step,
                        int delta, uint32_t other) {
  const struct strategy_label *w = &c->s->labels.at[other];
  for (uint32_t i = 0; i < w->count; i++) {
    if (!successor(c, label, step, delta, strategy_entry_shifts(c->s, other, i))) return false;
    if (fmpz_cmp(c->least, &c->s->entry_value.at[w->first + i]) > 0) return false;
  }
  return true;
}

static bool finished_by_point(struct checker *c, uint32_t label, const struct product_edge *step,
                              int delta) {
  for (uint32_t i = c->s->point_first.at[step->to]; i < c->s->point_first.at[step->to + 1]; i++) {
    if (!successor(c, label, step, delta, strategy_point_shifts(c->s, step->to, i))) continue;
    fmpz_add(c->least, c->least, &c->s->point_value.at[i]);
    if (fmpz_cmp(c->least, c->s->cost) <= 0) return true;
  }
  return false;
}

static bool label_covers(struct checker *c, uint32_t label, uint32_t edge, int delta) {
  const struct product_edge *step = &c->p->edges.at[edge];
  uint32_t first = c->s->label_first.at[step->to], end = c->s->label_first.at[step->to + 1];
  for (uint32_t i = 0; i < end - first; i++) { /* all of them, starting where it worked before */
    if (c->tries_left == 0) break;
    c->tries_left--;
    uint32_t other = first + (c->hint[edge] + i) % (end - first);
    if (!below_label(c, label, step, delta, other)) continue;
    c->hint[edge] = other - first;
    return true;
  }
  return finished_by_point(c, label, step, delta);
}

static bool check_label(struct checker *c, uint32_t label) {
  const struct strategy_label *l = &c->s->labels.at[label];
  bool affordable = false;
  for (uint32_t i = 0; i < l->count && !affordable; i++)
    affordable = fmpz_cmp(&c->s->entry_value.at[l->first + i], c->s->cost) <= 0;
  REQUIRE(affordable, "label %u costs more than is claimed", label);
  for (uint32_t e = c->p->first.at[l->node]; e < c->p->first.at[l->node + 1]; e++)
    for (int delta = first_delta(c, l->node); delta <= 1; delta += 2)
      REQUIRE(label_covers(c, label, e, delta), "label %u has no answer to edge %u with Delta = %d",
              label, c->p->edges.at[e].edge, delta);
  return true;
}

/* ---- 6. the start ------------------------------------------------------------------------------
 */

/* Node 0 is the start state, where nothing is known and nothing has a shift; the cost so far is 0.
 */
static bool check_start(struct checker *c) {
  REQUIRE(c->p->nodes.at[0].state == c->a->start, "node 0 is not the start");
  REQUIRE(live_count(c, 0) == 0, "a variable is compared before it is assigned");
  REQUIRE(product_starts_empty(c->p), "an order is claimed at the start");
  for (uint32_t i = c->s->point_first.at[0]; i < c->s->point_first.at[1]; i++)
    if (fmpz_cmp(&c->s->point_value.at[i], c->s->cost) <= 0) return true;
  REQUIRE(c->s->label_first.at[1] > 0 && c->s->labels.at[0].count > 0,
          "nothing is said about the start within the cost");
  return true;
}

static bool check_all(struct checker *c) {
  for (uint32_t i = 0; i < c->a->guards.len && !c->a->independent; i++)
    REQUIRE(automaton_is_conjunction(c->a, i), "guard %u is not a conjunction", i);
  REQUIRE(strategy_digest(c->s) == c->s->digest, "the digest does not match the contents");
  if (!check_shape(c) || !check_lengths(c) || !check_values(c)) return false;
  for (uint32_t l = 0; l < c->s->labels.len; l++) {
    uint32_t node = c->s->labels.at[l].node;
    c->tries_left += (size_t)LABEL_TRIES * 2 * (c->p->first.at[node + 1] - c->p->first.at[node]);
  }
  for (uint32_t n = 0; n < c->p->nodes.len; n++)
    if (!check_node(c, n)) return false;
  for (uint32_t n = 0; n < c->p->nodes.len; n++)
    if (!check_points(c, n)) return false;
  for (uint32_t l = 0; l < c->s->labels.len; l++)
    if (!check_label(c, l)) return false;
  return check_start(c);
}

bool strategy_check(const struct automaton *a, const struct strategy *s,
                    const struct budget *budget, struct buffer *why) {
  struct checker c = {.a = a, .s = s, .p = &s->product, .why = why, .budget = budget};
  c.weight = xcalloc(a->rationals.len + 1, sizeof *c.weight);
  c.guard = xmalloc((a->guards.len + 1) * sizeof *c.guard);
  for (uint32_t i = 0; i < a->guards.len; i++) {
    c.guard[i].begin = (uint32_t)c.literals.len;
    automaton_essential(a, i, &c.literals);
    c.guard[i].end = (uint32_t)c.literals.len;
  }
  fmpz_init(c.least);
  fmpz_init(c.sum);
  c.hint = xcalloc(s->product.edges.len + 1, sizeof *c.hint);
  bool accepted = check_all(&c);
  if (c.out_of_time && why) {
    why->len = 0;
    buffer_puts(why, "out of time");
  }
  free(c.hint);
  for (size_t i = 0; i < a->rationals.len; i++)
    fmpz_clear(&c.weight[i]);
  free(c.weight);
  free(c.guard);
  vec_clear(&c.literals);
  fmpz_clear(c.least);
  fmpz_clear(c.sum);
  return accepted;
}
