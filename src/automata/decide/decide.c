#include "automata/decide/decide.h"

#include <string.h>

#include "automata/model/step.h"
#include "check/automaton/zone.h"

/* ---- paths ---------------------------------------------------------------------------------- */

/* Which edges a path may use. */
struct path_filter {
  uint32_t scc;             /* stay in this component; AUTOMATON_NONE: anywhere */
  const unsigned char *may; /* assign only these variables; NULL: any */
};

static bool path_allows(const struct product *p, const struct path_filter *f, uint32_t from,
                        uint32_t edge) {
  uint32_t to = p->edges.at[edge].to;
  if (f->scc != AUTOMATON_NONE &&
      (p->nodes.at[from].scc != f->scc || p->nodes.at[to].scc != f->scc))
    return false;
  if (!f->may) return true;
  struct members w = automaton_members(p->a, p->a->edges.at[p->edges.at[edge].edge].assign);
  for (size_t i = 0; i < w.count; i++)
    if (!f->may[w.at[i]]) return false;
  return true;
}

/* Appends a shortest path (product edges mapped to steps) to the walk; nothing if from = to. */
static void add_path(struct walk *w, const struct product *p, uint32_t from, uint32_t to,
                     struct path_filter filter, uint32_t cycle) {
  if (from == to) return;
  uint32_t *via = xcalloc(p->nodes.len, sizeof *via), *source = xmalloc(p->nodes.len * 4);
  VEC(uint32_t) queue = {0};
  vec_push(&queue, from);
  for (size_t head = 0; head < queue.len && !via[to]; head++) {
    uint32_t n = queue.at[head];
    for (uint32_t e = p->first.at[n]; e < p->first.at[n + 1]; e++) {
      uint32_t next = p->edges.at[e].to;
      if (next == from || via[next] || !path_allows(p, &filter, n, e)) continue;
      via[next] = e + 1;
      source[next] = n;
      vec_push(&queue, next);
    }
  }
  size_t begin = w->steps.len;
  for (uint32_t n = to; n != from && via[n]; n = source[n])
    vec_push(&w->steps, (struct walk_step){p->edges.at[via[n] - 1].edge, cycle});
  for (size_t i = begin, j = w->steps.len; i + 1 < j; i++, j--) {
    struct walk_step t = w->steps.at[i];
    w->steps.at[i] = w->steps.at[j - 1];
    w->steps.at[j - 1] = t;
  }
  vec_clear(&queue);
  free(via);
  free(source);
}

static void add_step(struct walk *w, const struct product *p, uint32_t edge, uint32_t cycle) {
  vec_push(&w->steps, (struct walk_step){p->edges.at[edge].edge, cycle});
}

/* ---- violations inside one component -------------------------------------------------------- */

static void component_walk(const struct product *p, const struct pumps *pumps, struct walk *w) {
  uint32_t begin =
      pumps->violation == VIOLATION_LEAKING_CYCLE ? pumps->bad_assign : pumps->bad_edge;
  uint32_t from = product_edge_from(p, begin);
  struct path_filter anywhere = {AUTOMATON_NONE, NULL}, inside = {p->nodes.at[from].scc, NULL};
  w->kind = pumps->violation;
  w->cycle_count = 1;
  add_path(w, p, 0, from, anywhere, 0);
  add_step(w, p, begin, 1);
  uint32_t at = p->edges.at[begin].to;
  if (pumps->violation == VIOLATION_LEAKING_CYCLE) {
    w->var = pumps->bad_var;
    if (pumps->bad_edge != begin) {
      add_path(w, p, at, product_edge_from(p, pumps->bad_edge), inside, 1);
      add_step(w, p, pumps->bad_edge, 1);
      at = p->edges.at[pumps->bad_edge].to;
    }
  }
  add_path(w, p, at, from, inside, 1);
}

/* ---- labels --------------------------------------------------------------------------------- */

enum via { VIA_START, VIA_EDGE, VIA_PUMP };

struct label {
  uint32_t node, parent;
  enum via via;
  uint32_t what; /* product edge or pump */
  size_t zone;
  uint32_t next; /* label of the same node, or AUTOMATON_NONE */
};

struct search {
  const struct product *p;
  const struct pumps *pumps;
  VEC(struct label) labels;
  VEC(zone_entry) zones;
  uint32_t *of_node;                    /* newest label of each node */
  zone_entry *wide, *wider, *next_zone; /* wide enough for all variables twice */
  uint32_t *source;
};

/* Independent noise: every assigned variable has a sample of its own, bound only by its old value;
 * samples that are not stored always fit, unless they are output. */
static bool traverse_independent(struct search *s, uint32_t node, const zone_entry *zone,
                                 uint32_t edge, bool output_matters) {
  const struct automaton *a = s->p->a;
  const struct automaton_edge *e = &a->edges.at[s->p->edges.at[edge].edge];
  struct members live = product_live(s->p, node);
  struct members after = product_live(s->p, s->p->edges.at[edge].to);
  struct literals g = automaton_conjunction(a, e->guard);
  bool output = e->emit == EMIT_INSAMPLE && output_matters;
  size_t n = live.count;
  memcpy(s->wide, zone, zone_size(n));
  for (size_t l = 0; l < g.count && output; l++)
    if (!zone_restrict(s->wide, n, members_position(live, literal_var(g.at[l])) + 1,
                       SHIFT_ZERO | (literal_is_less(g.at[l]) ? SHIFT_PLUS : SHIFT_MINUS)))
      return false;
  for (size_t i = 0; i < after.count; i++) {
    s->source[i] = members_position(live, after.at[i]) + 1;
    if (!automaton_assigns(a, e->assign, after.at[i])) continue;
    zone_extend(s->wider, s->wide, n++);
    memcpy(s->wide, s->wider, zone_size(n));
    s->source[i] = (uint32_t)n;
    if (output && !zone_restrict(s->wide, n, n, SHIFT_ZERO)) return false;
    for (size_t l = 0; l < g.count; l++) {
      if (literal_var(g.at[l]) != after.at[i]) continue;
      size_t x = members_position(live, after.at[i]) + 1;
      if (literal_is_less(g.at[l]) ? !zone_bound(s->wide, n, n, x, 0)
                                   : !zone_bound(s->wide, n, x, n, 0))
        return false;
    }
  }
  zone_project(s->next_zone, after.count, s->wide, n, s->source);
  return true;
}

/* next_zone := the zone after product edge `edge` from `zone` at `node`; false: empty. */
static bool traverse(struct search *s, uint32_t node, const zone_entry *zone, uint32_t edge,
                     bool output_matters) {
  const struct automaton *a = s->p->a;
  if (a->independent) return traverse_independent(s, node, zone, edge, output_matters);
  const struct automaton_edge *e = &a->edges.at[s->p->edges.at[edge].edge];
  struct members live = product_live(s->p, node);
  struct members after = product_live(s->p, s->p->edges.at[edge].to);
  size_t n = live.count, sample = n + 1;
  zone_extend(s->wide, zone, n);
  struct literals g = automaton_conjunction(a, e->guard);
  for (size_t i = 0; i < g.count; i++) {
    size_t x = members_position(live, literal_var(g.at[i])) + 1;
    bool fits = literal_is_less(g.at[i]) ? zone_bound(s->wide, n + 1, sample, x, 0)
                                         : zone_bound(s->wide, n + 1, x, sample, 0);
    if (!fits) return false;
  }
  if (e->emit == EMIT_INSAMPLE && output_matters &&
      !zone_restrict(s->wide, n + 1, sample, SHIFT_ZERO))
    return false;
  for (size_t i = 0; i < after.count; i++)
    s->source[i] = (uint32_t)(automaton_assigns(a, e->assign, after.at[i])
                                  ? sample
                                  : members_position(live, after.at[i]) + 1);
  zone_project(s->next_zone, after.count, s->wide, n + 1, s->source);
  return true;
}

/* next_zone := the zone after the pump; forces with skip[i] set are left out. */
static bool pump_zone(struct search *s, uint32_t node, const zone_entry *zone, uint32_t pump,
                      const bool *skip) {
  const struct pump *q = &s->pumps->list.at[pump];
  struct members live = product_live(s->p, node);
  memcpy(s->next_zone, zone, zone_size(live.count));
  for (uint32_t i = 0; i < q->force_count; i++) {
    const struct pump_force *f = &s->pumps->forces.at[q->first_force + i];
    if (skip && skip[i]) continue;
    if (!zone_restrict(s->next_zone, live.count, members_position(live, f->var) + 1, f->mask))
      return false;
  }
  for (uint32_t i = 0; i < q->assigned_count; i++) {
    uint32_t x = s->pumps->assigned.at[q->first_assigned + i];
    size_t at = members_position(live, x);
    if (at < live.count && live.at[at] == x) zone_free(s->next_zone, live.count, at + 1);
  }
  if (q->last_var != AUTOMATON_NONE && !(skip && skip[q->force_count - 1]) &&
      !zone_restrict(s->next_zone, live.count, members_position(live, q->last_var) + 1,
                     q->last_mask))
    return false;
  return true;
}

/* Keeps next_zone as a label unless its node has a smaller one. */
static void add_label(struct search *s, uint32_t node, uint32_t parent, enum via via,
                      uint32_t what) {
  size_t n = product_live(s->p, node).count, size = zone_size(n);
  for (uint32_t l = s->of_node[node]; l != AUTOMATON_NONE; l = s->labels.at[l].next)
    if (zone_includes(s->next_zone, s->zones.at + s->labels.at[l].zone, n)) return;
  size_t at = s->zones.len;
  vec_reserve(&s->zones, at + size);
  memcpy(s->zones.at + at, s->next_zone, size);
  s->zones.len = at + size;
  vec_push(&s->labels, (struct label){node, parent, via, what, at, s->of_node[node]});
  s->of_node[node] = (uint32_t)s->labels.len - 1;
}

/* ---- explanation ---------------------------------------------------------------------------- */

/* The walk of labels that emptied the zone: steps[i] leads on, the last one fails. */
struct chain_step {
  enum via via;
  uint32_t what, node;
  bool output; /* edges: the demand of the output counts */
  bool *skip;  /* pumps: forces left out */
};
typedef VEC(struct chain_step) chain;

static bool chain_fails(struct search *s, const chain *c) {
  size_t size = zone_size(2 * s->p->a->vars.len + 1);
  zone_entry *zone = xmalloc(size);
  zone_full(zone, product_live(s->p, 0).count);
  bool fails = false;
  for (size_t i = 0; i < c->len && !fails; i++) {
    const struct chain_step *step = &c->at[i];
    fails = step->via == VIA_EDGE ? !traverse(s, step->node, zone, step->what, step->output)
                                  : !pump_zone(s, step->node, zone, step->what, step->skip);
    if (!fails) memcpy(zone, s->next_zone, size);
  }
  free(zone);
  return fails;
}

/* Leaves out demands one by one as long as the chain still fails. */
static void chain_minimise(struct search *s, chain *c) {
  for (size_t i = 0; i < c->len; i++) {
    struct chain_step *step = &c->at[i];
    if (step->via == VIA_EDGE) {
      step->output = false;
      if (!chain_fails(s, c)) step->output = true;
      continue;
    }
    uint32_t count = s->pumps->list.at[step->what].force_count;
    for (uint32_t f = 0; f < count; f++) {
      step->skip[f] = true;
      if (!chain_fails(s, c)) step->skip[f] = false;
    }
  }
}

static void name_violation(struct search *s, const chain *c, struct walk *w) {
  bool pumped = false, output = false;
  w->kind = VIOLATION_LEAKING_PAIR;
  for (size_t i = 0; i < c->len; i++) {
    const struct chain_step *step = &c->at[i];
    if (step->via == VIA_PUMP) {
      const struct pump *q = &s->pumps->list.at[step->what];
      for (uint32_t f = 0; f < q->force_count; f++)
        if (!step->skip[f]) {
          pumped = true;
          w->var = s->pumps->forces.at[q->first_force + f].var;
        }
      continue;
    }
    const struct automaton_edge *e = &s->p->a->edges.at[s->p->edges.at[step->what].edge];
    if (e->emit != EMIT_INSAMPLE || !step->output || output) continue;
    output = true;
    w->kind = pumped ? VIOLATION_PATH_C : e->assign ? VIOLATION_PATH_A : VIOLATION_PATH_B;
  }
}

static void chain_walk(struct search *s, const chain *c, struct walk *w) {
  const struct product *p = s->p;
  unsigned char *may = xcalloc(p->a->vars.len + 1, 1);
  for (size_t i = 0; i < c->len; i++) {
    const struct chain_step *step = &c->at[i];
    if (step->via == VIA_EDGE) {
      add_step(w, p, step->what, 0);
      continue;
    }
    const struct pump *q = &s->pumps->list.at[step->what];
    for (uint32_t x = 0; x < q->assigned_count; x++)
      may[s->pumps->assigned.at[q->first_assigned + x]] = 1;
    struct path_filter inside = {p->nodes.at[step->node].scc, may};
    for (uint32_t f = 0; f < q->force_count; f++) {
      const struct pump_force *force = &s->pumps->forces.at[q->first_force + f];
      if (step->skip[f]) continue;
      uint32_t cycle = ++w->cycle_count;
      int low = force->mask & SHIFT_MINUS ? -1 : force->mask & SHIFT_ZERO ? 0 : 1;
      int high = force->mask & SHIFT_PLUS ? 1 : force->mask & SHIFT_ZERO ? 0 : -1;
      vec_push(&w->forces, (struct walk_force){cycle, force->var, low, high});
      add_path(w, p, step->node, product_edge_from(p, force->edge), inside, cycle);
      add_step(w, p, force->edge, cycle);
      add_path(w, p, p->edges.at[force->edge].to, step->node, inside, cycle);
    }
    memset(may, 0, p->a->vars.len);
  }
  free(may);
}

static void explain(struct search *s, uint32_t label, enum via via, uint32_t what, struct walk *w) {
  chain c = {0};
  vec_push(&c, (struct chain_step){via, what, s->labels.at[label].node, true, NULL});
  for (uint32_t l = label; s->labels.at[l].via != VIA_START; l = s->labels.at[l].parent)
    vec_push(&c, (struct chain_step){s->labels.at[l].via, s->labels.at[l].what,
                                     s->labels.at[s->labels.at[l].parent].node, true, NULL});
  for (size_t i = 0, j = c.len; i + 1 < j; i++, j--) {
    struct chain_step t = c.at[i];
    c.at[i] = c.at[j - 1];
    c.at[j - 1] = t;
  }
  for (size_t i = 0; i < c.len; i++)
    if (c.at[i].via == VIA_PUMP)
      c.at[i].skip = xcalloc(s->pumps->list.at[c.at[i].what].force_count + 1, sizeof(bool));
  if (c.len <= 2000) chain_minimise(s, &c);
  name_violation(s, &c, w);
  chain_walk(s, &c, w);
  for (size_t i = 0; i < c.len; i++)
    free(c.at[i].skip);
  vec_clear(&c);
}

/* ---- the search ----------------------------------------------------------------------------- */

static enum decision run(struct search *s, struct walk *walk) {
  const struct product *p = s->p;
  zone_full(s->next_zone, product_live(p, 0).count);
  add_label(s, 0, 0, VIA_START, 0);
  for (uint32_t l = 0; l < s->labels.len; l++) {
    if (s->labels.len > DECIDE_LABEL_LIMIT) return DECISION_UNKNOWN;
    uint32_t node = s->labels.at[l].node;
    for (uint32_t i = s->pumps->first.at[node]; i < s->pumps->first.at[node + 1]; i++) {
      uint32_t pump = s->pumps->of_node.at[i];
      if (!pump_zone(s, node, s->zones.at + s->labels.at[l].zone, pump, NULL)) {
        explain(s, l, VIA_PUMP, pump, walk);
        return DECISION_NOT_PRIVATE;
      }
      add_label(s, node, l, VIA_PUMP, pump);
    }
    for (uint32_t e = p->first.at[node]; e < p->first.at[node + 1]; e++) {
      if (!traverse(s, node, s->zones.at + s->labels.at[l].zone, e, true)) {
        explain(s, l, VIA_EDGE, e, walk);
        return DECISION_NOT_PRIVATE;
      }
      add_label(s, p->edges.at[e].to, l, VIA_EDGE, e);
    }
  }
  return DECISION_PRIVATE;
}

enum decision decide(const struct product *p, const struct pumps *pumps, struct walk *walk) {
  if (pumps->violation != VIOLATION_NONE) {
    component_walk(p, pumps, walk);
    return DECISION_NOT_PRIVATE;
  }
  size_t vars = p->a->vars.len;
  struct search s = {.p = p, .pumps = pumps};
  s.of_node = xmalloc((p->nodes.len + 1) * sizeof *s.of_node);
  memset(s.of_node, 0xff, (p->nodes.len + 1) * sizeof *s.of_node);
  s.wide = xmalloc(zone_size(2 * vars + 1));
  s.wider = xmalloc(zone_size(2 * vars + 1));
  s.next_zone = xmalloc(zone_size(2 * vars + 1));
  s.source = xmalloc((vars + 1) * sizeof *s.source);
  enum decision result = run(&s, walk);
  vec_clear(&s.labels);
  vec_clear(&s.zones);
  free(s.of_node);
  free(s.wide);
  free(s.wider);
  free(s.next_zone);
  free(s.source);
  return result;
}
