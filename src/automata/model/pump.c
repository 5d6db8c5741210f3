#include "automata/model/pump.h"

#include <string.h>

#include "check/automaton/graph.h"

unsigned literal_demand(literal l, bool is_input) {
  if (literal_is_less(l)) return is_input ? SHIFT_PLUS : SHIFT_PLUS | SHIFT_ZERO;
  return is_input ? SHIFT_MINUS : SHIFT_MINUS | SHIFT_ZERO;
}

uint32_t product_edge_from(const struct product *p, uint32_t edge) {
  uint32_t low = 0, high = (uint32_t)p->nodes.len;
  while (high - low > 1) {
    uint32_t mid = low + (high - low) / 2;
    if (p->first.at[mid] <= edge)
      low = mid;
    else
      high = mid;
  }
  return low;
}

struct link {
  uint32_t node, pump;
};

/* One component at a time; the arrays over variables are cleared after each. */
struct builder {
  struct pumps *out;
  const struct product *p;
  const struct automaton *a;
  const uint32_t *member_first, *member; /* nodes by component */
  uint32_t *local;                       /* node: its index in the component */
  unsigned char *assigned;               /* variable: assigned in the component */
  unsigned *mask;                        /* literal: what its side demands so far */
  uint32_t *mask_edge;
  VEC(uint32_t) inside;      /* product edges of the component */
  VEC(uint32_t) inside_from; /* their sources */
  VEC(uint32_t) vars;        /* assigned in the component */
  VEC(literal) touched;      /* literals with a mask */
  VEC(struct link) links;
};

static const struct automaton_edge *model_edge(const struct builder *b, uint32_t product_edge) {
  return &b->a->edges.at[b->p->edges.at[product_edge].edge];
}

static bool at_input(const struct builder *b, const struct automaton_edge *e) {
  return b->a->states.at[e->from].is_input;
}

static void group_nodes(struct builder *b) {
  b->member_first = b->p->scc_first.at;
  b->member = b->p->scc_member.at;
  b->local = xmalloc((b->p->nodes.len + 1) * sizeof *b->local);
  for (uint32_t c = 0; c < b->p->scc_count; c++)
    for (uint32_t i = b->member_first[c]; i < b->member_first[c + 1]; i++)
      b->local[b->member[i]] = i - b->member_first[c];
}

static void collect(struct builder *b, uint32_t scc) {
  const struct product *p = b->p;
  b->inside.len = b->inside_from.len = b->vars.len = 0;
  for (uint32_t i = b->member_first[scc]; i < b->member_first[scc + 1]; i++) {
    uint32_t n = b->member[i];
    for (uint32_t e = p->first.at[n]; e < p->first.at[n + 1]; e++) {
      if (p->nodes.at[p->edges.at[e].to].scc != scc) continue;
      vec_push(&b->inside, e);
      vec_push(&b->inside_from, n);
      struct members w = automaton_members(b->a, model_edge(b, e)->assign);
      for (size_t j = 0; j < w.count; j++)
        if (!b->assigned[w.at[j]]) {
          b->assigned[w.at[j]] = 1;
          vec_push(&b->vars, w.at[j]);
        }
    }
  }
}

/* ---- violations ----------------------------------------------------------------------------- */

static bool compares(const struct builder *b, const struct automaton_edge *e, uint32_t var) {
  struct literals g = automaton_conjunction(b->a, e->guard);
  for (size_t i = 0; i < g.count; i++)
    if (literal_var(g.at[i]) == var) return true;
  return false;
}

/* Does a value assigned to `var` at an input state of the component reach the comparison `edge`
 * inside the component? Fills in bad_assign. */
static bool input_value_reaches(struct builder *b, uint32_t scc, uint32_t var, uint32_t edge) {
  uint32_t begin = b->member_first[scc], count = b->member_first[scc + 1] - begin;
  uint32_t goal = product_edge_from(b->p, edge);
  uint32_t *origin = xmalloc(count * sizeof *origin); /* assigning edge + 1; 0: not reached */
  memset(origin, 0, count * sizeof *origin);
  VEC(uint32_t) work = {0};
  for (size_t i = 0; i < b->inside.len; i++) {
    const struct automaton_edge *e = model_edge(b, b->inside.at[i]);
    uint32_t to = b->local[b->p->edges.at[b->inside.at[i]].to];
    if (!at_input(b, e) || !automaton_assigns(b->a, e->assign, var) || origin[to]) continue;
    origin[to] = b->inside.at[i] + 1;
    vec_push(&work, to);
  }
  while (work.len > 0) {
    uint32_t at = vec_pop(&work), n = b->member[begin + at];
    for (uint32_t e = b->p->first.at[n]; e < b->p->first.at[n + 1]; e++) {
      uint32_t to = b->p->edges.at[e].to;
      if (b->p->nodes.at[to].scc != scc || origin[b->local[to]]) continue;
      if (automaton_assigns(b->a, model_edge(b, e)->assign, var)) continue;
      origin[b->local[to]] = origin[at];
      vec_push(&work, b->local[to]);
    }
  }
  uint32_t found = origin[b->local[goal]];
  if (found) b->out->bad_assign = found - 1;
  free(origin);
  vec_clear(&work);
  return found != 0;
}

static bool leaks(struct builder *b, uint32_t scc, uint32_t edge, uint32_t var) {
  if (!at_input(b, model_edge(b, edge))) return input_value_reaches(b, scc, var, edge);
  for (size_t i = 0; i < b->inside.len; i++)
    if (automaton_assigns(b->a, model_edge(b, b->inside.at[i])->assign, var)) {
      b->out->bad_assign = b->inside.at[i];
      return true;
    }
  return false;
}

static void find_violation(struct builder *b, uint32_t scc) {
  struct pumps *out = b->out;
  for (size_t i = 0; i < b->inside.len; i++) {
    const struct automaton_edge *e = model_edge(b, b->inside.at[i]);
    if ((e->emit == EMIT_INSAMPLE || e->emit == EMIT_PRIME) && at_input(b, e)) {
      out->violation = VIOLATION_DISCLOSING_CYCLE;
      out->bad_edge = b->inside.at[i];
      return;
    }
  }
  for (size_t v = 0; v < b->vars.len; v++)
    for (size_t i = 0; i < b->inside.len; i++) {
      const struct automaton_edge *e = model_edge(b, b->inside.at[i]);
      if (!compares(b, e, b->vars.at[v])) continue;
      if (!leaks(b, scc, b->inside.at[i], b->vars.at[v])) continue;
      out->violation = VIOLATION_LEAKING_CYCLE;
      out->bad_edge = b->inside.at[i];
      out->bad_var = b->vars.at[v];
      return;
    }
}

/* ---- demands -------------------------------------------------------------------------------- */

static void demand(struct builder *b, uint32_t product_edge) {
  const struct automaton_edge *e = model_edge(b, product_edge);
  struct literals g = automaton_conjunction(b->a, e->guard);
  for (size_t i = 0; i < g.count; i++) {
    literal l = g.at[i];
    unsigned wanted = literal_demand(l, at_input(b, e));
    if (b->mask[l] == SHIFT_ANY) vec_push(&b->touched, l);
    if ((b->mask[l] & wanted) != b->mask[l]) b->mask_edge[l] = product_edge;
    b->mask[l] &= wanted;
  }
}

/* A demand at one node. */
struct extra {
  uint32_t node;
  struct pump_force force;
  unsigned last_mask; /* SHIFT_ANY: the value is only kept, not handed on */
};
typedef VEC(struct extra) extras;

static void forget_demands(struct builder *b) {
  for (size_t i = 0; i < b->touched.len; i++)
    b->mask[b->touched.at[i]] = SHIFT_ANY;
  b->touched.len = 0;
}

/* A pump with the demands collected so far and some extra ones; links it to its nodes. */
static void emit_pump(struct builder *b, const uint32_t *nodes, size_t count,
                      const unsigned char *assigned_here, const struct extra *extra) {
  struct pumps *out = b->out;
  struct pump pump = {
      (uint32_t)out->forces.len, 0, (uint32_t)out->assigned.len, 0, AUTOMATON_NONE, SHIFT_ANY};
  for (size_t i = 0; i < b->touched.len; i++) {
    literal l = b->touched.at[i];
    if (!assigned_here[literal_var(l)])
      vec_push(&out->forces, (struct pump_force){literal_var(l), b->mask[l], b->mask_edge[l]});
  }
  if (extra) {
    vec_push(&out->forces, extra->force);
    pump.last_var = extra->force.var;
    pump.last_mask = extra->last_mask;
  }
  pump.force_count = (uint32_t)out->forces.len - pump.first_force;
  if (pump.force_count == 0) return;
  for (size_t v = 0; v < b->vars.len; v++)
    if (assigned_here[b->vars.at[v]]) vec_push(&out->assigned, b->vars.at[v]);
  pump.assigned_count = (uint32_t)out->assigned.len - pump.first_assigned;
  uint32_t id = (uint32_t)out->list.len;
  vec_push(&out->list, pump);
  for (size_t i = 0; i < count; i++)
    vec_push(&b->links, (struct link){nodes[i], id});
}

static bool allowed(const struct builder *b, uint32_t product_edge, const unsigned char *may) {
  struct members w = automaton_members(b->a, model_edge(b, product_edge)->assign);
  for (size_t i = 0; i < w.count; i++)
    if (!may[w.at[i]]) return false;
  return true;
}

/* Sorts `items` by key (keys below `count`); first[k] is where key k starts. */
static void bucket(uint32_t *items, uint32_t *keys, size_t len, uint32_t count, uint32_t *first) {
  uint32_t *copy = xmalloc((len + 1) * sizeof *copy), *next = xcalloc((size_t)count + 1, 4);
  for (size_t i = 0; i < len; i++)
    next[keys[i]]++;
  first[0] = 0;
  for (uint32_t k = 0; k < count; k++) {
    first[k + 1] = first[k] + next[k];
    next[k] = first[k];
  }
  for (size_t i = 0; i < len; i++)
    copy[next[keys[i]]++] = items[i];
  if (len > 0) memcpy(items, copy, len * sizeof *items);
  free(copy);
  free(next);
}

/* The parts of a component under a restriction: nodes and edges by part. */
struct parts {
  uint32_t count;
  VEC(uint32_t) nodes, node_key, edges, edge_key;
  uint32_t *first_node, *first_edge;
};

static void split(struct builder *b, uint32_t scc, const unsigned char *may, struct parts *out) {
  uint32_t begin = b->member_first[scc], count = b->member_first[scc + 1] - begin;
  struct graph g;
  graph_init(&g, count);
  for (size_t i = 0; i < b->inside.len; i++)
    if (allowed(b, b->inside.at[i], may))
      graph_add(&g, b->local[b->inside_from.at[i]], b->local[b->p->edges.at[b->inside.at[i]].to]);
  uint32_t *part = xmalloc(((size_t)count + 1) * sizeof *part);
  out->count = graph_scc(&g, part);
  for (uint32_t n = 0; n < count; n++) {
    vec_push(&out->nodes, b->member[begin + n]);
    vec_push(&out->node_key, part[n]);
  }
  for (size_t i = 0; i < b->inside.len; i++) {
    uint32_t e = b->inside.at[i], from = part[b->local[b->inside_from.at[i]]];
    if (from != part[b->local[b->p->edges.at[e].to]] || !allowed(b, e, may)) continue;
    vec_push(&out->edges, e);
    vec_push(&out->edge_key, from);
  }
  out->first_node = xmalloc(((size_t)out->count + 1) * sizeof *out->first_node);
  out->first_edge = xmalloc(((size_t)out->count + 1) * sizeof *out->first_edge);
  bucket(out->nodes.at, out->node_key.at, out->nodes.len, out->count, out->first_node);
  bucket(out->edges.at, out->edge_key.at, out->edges.len, out->count, out->first_edge);
  free(part);
  graph_clear(&g);
}

/* ---- values that are handed on ------------------------------------------------------------------
 */

/* A cycle may compare a variable it assigns only at non-input states, where the shift 0 is free -
 * unless the new value is bound by the old one: `insample < x assign x` hands a negative shift on,
 * and it has to be paid for again and again. Vertices are (node, variable assigned in the part); an
 * arc keeps the value of the variable, or hands it on to those that are assigned on its side of it.
 * In a component with a comparison on that side the variable must be on the free side of 0 before,
 * and on the other side after it has been handed on for long. */
struct value_graph {
  struct graph graph;
  VEC(struct graph_arc) arcs; /* those of comparisons */
  VEC(uint32_t) arc_edge;     /* product edge of each */
  VEC(bool) arc_hands_on;     /* or else keeps the value */
};

static void value_arcs(struct builder *b, struct value_graph *v, uint32_t edge, uint32_t from,
                       uint32_t to, bool less) {
  const struct automaton_edge *e = model_edge(b, edge);
  uint32_t width = (uint32_t)b->vars.len;
  struct literals g = automaton_conjunction(b->a, e->guard);
  for (uint32_t i = 0; i < width; i++) {
    uint32_t x = b->vars.at[i];
    bool compared = false, kept = !automaton_assigns(b->a, e->assign, x);
    for (size_t l = 0; l < g.count; l++)
      compared |= literal_var(g.at[l]) == x && literal_is_less(g.at[l]) == less;
    for (uint32_t j = 0; j < width; j++) {
      bool handed = compared && automaton_assigns(b->a, e->assign, b->vars.at[j]) &&
                    (i == j || !b->a->independent);
      if (!handed && !(kept && i == j)) continue;
      struct graph_arc arc = {from * width + i, to * width + j};
      graph_add(&v->graph, arc.from, arc.to);
      if (!compared) continue;
      vec_push(&v->arcs, arc);
      vec_push(&v->arc_edge, edge);
      vec_push(&v->arc_hands_on, handed);
    }
  }
}

/* The demands of one side in the part whose edges are given. */
static void value_demands(struct builder *b, const uint32_t *edges, size_t count, uint32_t nodes,
                          uint32_t first_node, bool less, extras *out) {
  uint32_t width = (uint32_t)b->vars.len;
  struct value_graph v = {0};
  graph_init(&v.graph, nodes * width);
  for (size_t i = 0; i < count; i++) {
    uint32_t from = product_edge_from(b->p, edges[i]);
    value_arcs(b, &v, edges[i], b->local[from], b->local[b->p->edges.at[edges[i]].to], less);
  }
  if (v.arcs.len > 0) {
    uint32_t *scc = xmalloc(((size_t)nodes * width + 1) * sizeof *scc);
    uint32_t components = graph_scc(&v.graph, scc);
    uint32_t *paid = xcalloc((size_t)components + 1, sizeof *paid); /* product edge + 1 */
    bool *hands_on = xcalloc((size_t)components + 1, sizeof *hands_on);
    for (size_t i = 0; i < v.arcs.len; i++) {
      uint32_t component = scc[v.arcs.at[i].from];
      if (component != scc[v.arcs.at[i].to]) continue;
      paid[component] = v.arc_edge.at[i] + 1;
      hands_on[component] |= v.arc_hands_on.at[i];
    }
    const unsigned up = SHIFT_ZERO | SHIFT_PLUS, down = SHIFT_ZERO | SHIFT_MINUS;
    for (uint32_t i = 0; i < nodes * width; i++)
      if (paid[scc[i]])
        vec_push(out, (struct extra){b->member[first_node + i / width],
                                     {b->vars.at[i % width], less ? up : down, paid[scc[i]] - 1},
                                     !hands_on[scc[i]] ? SHIFT_ANY
                                     : less            ? down
                                                       : up});
    free(hands_on);
    free(paid);
    free(scc);
  }
  graph_clear(&v.graph);
  vec_clear(&v.arcs);
  vec_clear(&v.arc_edge);
  vec_clear(&v.arc_hands_on);
}

static bool compares_assigned(const struct builder *b) {
  for (size_t i = 0; i < b->inside.len; i++)
    for (size_t v = 0; v < b->vars.len; v++)
      if (compares(b, model_edge(b, b->inside.at[i]), b->vars.at[v])) return true;
  return false;
}

/* The pump of the part, and one for each value that is kept or handed on: their cycles need not go
 * together. */
static void emit_with_extras(struct builder *b, uint32_t scc, const uint32_t *nodes, size_t count,
                             const uint32_t *edges, size_t edge_count, const unsigned char *here) {
  extras list = {0};
  uint32_t begin = b->member_first[scc], size = b->member_first[scc + 1] - begin;
  emit_pump(b, nodes, count, here, NULL);
  value_demands(b, edges, edge_count, size, begin, true, &list);
  value_demands(b, edges, edge_count, size, begin, false, &list);
  for (size_t i = 0; i < list.len; i++)
    if (here[list.at[i].force.var]) emit_pump(b, &list.at[i].node, 1, here, &list.at[i]);
  vec_clear(&list);
}

/* The pumps whose cycles assign only variables with may[x]. */
static void pumps_of_subset(struct builder *b, uint32_t scc, const unsigned char *may) {
  struct parts parts = {0};
  split(b, scc, may, &parts);
  bool handed_on = compares_assigned(b);
  unsigned char *here = xcalloc(b->a->vars.len + 1, 1);
  for (uint32_t c = 0; c < parts.count; c++) {
    for (size_t v = 0; v < b->vars.len; v++)
      here[b->vars.at[v]] = 0;
    for (uint32_t i = parts.first_edge[c]; i < parts.first_edge[c + 1]; i++) {
      demand(b, parts.edges.at[i]);
      struct members w = automaton_members(b->a, model_edge(b, parts.edges.at[i])->assign);
      for (size_t j = 0; j < w.count; j++)
        here[w.at[j]] = 1;
    }
    const uint32_t *nodes = parts.nodes.at + parts.first_node[c];
    size_t count = parts.first_node[c + 1] - parts.first_node[c];
    if (handed_on)
      emit_with_extras(b, scc, nodes, count, parts.edges.at + parts.first_edge[c],
                       parts.first_edge[c + 1] - parts.first_edge[c], here);
    else
      emit_pump(b, nodes, count, here, NULL);
    forget_demands(b);
  }
  free(here);
  free(parts.first_node);
  free(parts.first_edge);
  vec_clear(&parts.nodes);
  vec_clear(&parts.node_key);
  vec_clear(&parts.edges);
  vec_clear(&parts.edge_key);
}

/* Nothing is assigned in the component: it is one pump. */
static void pump_of_component(struct builder *b, uint32_t scc) {
  for (size_t i = 0; i < b->inside.len; i++)
    demand(b, b->inside.at[i]);
  uint32_t begin = b->member_first[scc];
  emit_pump(b, b->member + begin, b->member_first[scc + 1] - begin, b->assigned, NULL);
  forget_demands(b);
}

static void pumps_of_component(struct builder *b, uint32_t scc) {
  if (b->vars.len == 0) {
    pump_of_component(b, scc);
    return;
  }
  bool compared = false;
  for (size_t i = 0; i < b->inside.len && !compared; i++)
    compared = model_edge(b, b->inside.at[i])->guard != 0;
  if (!compared) return; /* nothing is demanded */
  unsigned char *may = xcalloc(b->a->vars.len + 1, 1);
  size_t count = b->vars.len;
  bool all = count <= PUMP_SUBSET_VARS;
  /* otherwise: none, all, and all but one */
  size_t subsets = all ? (size_t)1 << count : count + 2;
  for (size_t s = 0; s < subsets; s++) {
    for (size_t v = 0; v < count; v++)
      may[b->vars.at[v]] = all ? s >> v & 1 : s == 1 || (s >= 2 && s - 2 != v);
    pumps_of_subset(b, scc, may);
  }
  free(may);
}

static void link_nodes(struct builder *b) {
  struct pumps *out = b->out;
  size_t n = b->p->nodes.len;
  uint32_t *first = xcalloc(n + 2, sizeof *first);
  for (size_t i = 0; i < b->links.len; i++)
    first[b->links.at[i].node + 2]++;
  for (size_t i = 0; i < n; i++)
    first[i + 2] += first[i + 1];
  vec_reserve(&out->of_node, b->links.len + 1);
  out->of_node.len = b->links.len;
  for (size_t i = 0; i < b->links.len; i++)
    out->of_node.at[first[b->links.at[i].node + 1]++] = b->links.at[i].pump;
  out->first.at = first;
  out->first.len = out->first.cap = n + 1;
}

void pumps_build(struct pumps *pumps, const struct product *p) {
  *pumps = (struct pumps){.p = p};
  struct builder b = {.out = pumps, .p = p, .a = p->a};
  size_t vars = p->a->vars.len;
  group_nodes(&b);
  b.assigned = xcalloc(vars + 1, 1);
  b.mask = xmalloc((2 * vars + 1) * sizeof *b.mask);
  b.mask_edge = xcalloc(2 * vars + 1, sizeof *b.mask_edge);
  for (size_t l = 0; l < 2 * vars; l++)
    b.mask[l] = SHIFT_ANY;
  for (uint32_t scc = p->scc_count; scc-- > 0 && pumps->violation == VIOLATION_NONE;) {
    collect(&b, scc);
    if (b.inside.len > 0) {
      find_violation(&b, scc);
      if (pumps->violation == VIOLATION_NONE) pumps_of_component(&b, scc);
    }
    for (size_t v = 0; v < b.vars.len; v++)
      b.assigned[b.vars.at[v]] = 0;
  }
  link_nodes(&b);
  free(b.local);
  free(b.assigned);
  free(b.mask);
  free(b.mask_edge);
  vec_clear(&b.inside);
  vec_clear(&b.inside_from);
  vec_clear(&b.vars);
  vec_clear(&b.touched);
  vec_clear(&b.links);
}

void pumps_clear(struct pumps *pumps) {
  vec_clear(&pumps->list);
  vec_clear(&pumps->forces);
  vec_clear(&pumps->assigned);
  vec_clear(&pumps->first);
  vec_clear(&pumps->of_node);
}
