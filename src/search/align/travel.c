#include "search/align/travel.h"

#include "search/align/place.h"
#include "term/build.h"
#include "term/subst.h"

enum { MAX_NODES = 200, MAX_TRIES = 4000, MAX_SLOPE = 3 };

struct node {
  struct align_plan *plan;
  struct align_head *head;
  const term_id *choices; /* of `measure`; none: it has no level */
  size_t choice_count;
  term_id measure; /* over the variables of the head */
  long offset;     /* level = slope * measure + offset */
  bool reached;
  bool costs;   /* something after it does */
  term_id base; /* besides the level */
};

struct edge {
  size_t from, to;
  term_id cost; /* over the variables of `from` */
  const struct align_state *state;
  const struct align_path *path;
  bool repeats; /* lies on a cycle */
  long gain;    /* of the measure */
};

struct align_travel {
  struct align_plan *plan;
  VEC(struct node) nodes;
  VEC(struct edge) edges;
  term_id rate, end; /* no level is above the end */
  long slope;
  size_t tries;
};

/* ---- the graph ------------------------------------------------------------------------------- */

static size_t node_of(const struct align_travel *t, const struct align_head *head) {
  for (size_t i = 0; i < t->nodes.len; i++)
    if (t->nodes.at[i].head == head) return i;
  return SIZE_MAX;
}

static void add_nodes(struct align_travel *t, struct align_plan *plan) {
  for (size_t h = 0; h < plan->heads.len; h++) {
    struct align_head *head = plan->heads.at[h];
    vec_push(&t->nodes, (struct node){.plan = plan, .head = head});
    const struct align_piece *pieces[] = {head->body, plan == t->plan ? NULL : head->after};
    for (size_t p = 0; p < 2; p++)
      for (size_t i = 0; pieces[p] && i < pieces[p]->plans.len; i++)
        add_nodes(t, pieces[p]->plans.at[i]);
  }
}

/* The state that an iteration from `around` leads to if it ends so. */
static size_t target(const struct align_travel *t, const struct node *around,
                     const struct align_end *end) {
  for (size_t i = 0; i < around->head->steps.len; i++) {
    const struct align_end *e = around->head->steps.at[i].end;
    while (e->inner)
      e = e->inner;
    if (e == end) return node_of(t, around->plan->heads.at[around->head->steps.at[i].to]);
  }
  return SIZE_MAX;
}

/* The ways from a node through one piece. `around`: the state in whose iteration the piece is. */
static void add_edges(struct align_travel *t, size_t from, size_t around,
                      const struct align_piece *piece) {
  for (size_t i = 0; i < piece->ends.len; i++) {
    const struct align_end *e = &piece->ends.at[i];
    if (e->kind != PATH_END || e->inner) continue;
    size_t to = target(t, &t->nodes.at[around], e);
    if (to != SIZE_MAX)
      vec_push(&t->edges, (struct edge){from, to, e->cost, &e->state, e->path, false, 0});
  }
  for (size_t i = 0; i < piece->plans.len; i++) {
    const struct align_plan *plan = piece->plans.at[i];
    for (size_t w = 0; w < plan->entries.len; w++) {
      const struct align_end *e = &plan->entered[w];
      size_t to = node_of(t, plan->heads.at[plan->entries.at[w]]);
      vec_push(&t->edges, (struct edge){from, to, e->cost, &e->state, e->path, false, 0});
    }
    for (size_t h = 0; h < plan->heads.len; h++) {
      size_t inner = node_of(t, plan->heads.at[h]);
      add_edges(t, inner, inner, plan->heads.at[h]->body);
      if (plan->heads.at[h]->after) add_edges(t, inner, around, plan->heads.at[h]->after);
    }
  }
}

static bool is_costly(struct align *s, const struct edge *e) {
  return e->cost != term_rat(s->ts, 0, 1);
}

/* Marks what can be reached from a node, which is so itself only if there is a way back. */
static void reach(const struct align_travel *t, size_t from, bool *reached) {
  for (size_t i = 0; i < t->edges.len; i++) {
    const struct edge *e = &t->edges.at[i];
    if (e->from != from || reached[e->to]) continue;
    reached[e->to] = true;
    reach(t, e->to, reached);
  }
}

static void find_cycles(struct align *s, struct align_travel *t) {
  bool *reached = arena_alloc(s->arena, t->nodes.len + 1);
  for (size_t n = 0; n < t->nodes.len; n++) {
    for (size_t i = 0; i < t->nodes.len; i++)
      reached[i] = false;
    reach(t, n, reached);
    for (size_t i = 0; i < t->edges.len; i++) {
      struct edge *e = &t->edges.at[i];
      if (e->to == n && reached[e->from]) e->repeats = true;
      if (is_costly(s, e) && (e->from == n || reached[e->from])) t->nodes.at[n].costs = true;
    }
  }
}

static void find_rate(struct align *s, struct align_travel *t) {
  t->rate = term_rat(s->ts, 0, 1);
  for (size_t i = 0; i < t->edges.len; i++)
    if (t->edges.at[i].repeats) t->rate = align_max(s, t->rate, t->edges.at[i].cost);
}

/* ---- measures -------------------------------------------------------------------------------- */

static bool is_constant(struct align *s, const struct node *n) {
  return term_is_num(s->ts, n->measure);
}

/* The arrays of which a node knows that they differ in one place. */
static bool differs_in_place(struct align *s, const struct node *n, size_t v) {
  const struct form *f = n->head->state.diff[v];
  return s->place.at[v] != SIZE_MAX && n->plan->live[v] && f->known && !form_is_zero(f);
}

/* Counted from the other end of the array, if `mirrored`. */
static term_id measured(struct align *s, term_id var, term_id length, bool mirrored) {
  if (!mirrored) return var;
  return term_sub(s->ts, term_sub(s->ts, length, term_int(s->ts, 1)), var);
}

/* Where a difference is: at the place of an array, or where an integer will put it. */
static void find_choices(struct align *s, struct node *n, term_id length, bool mirrored) {
  term_list choices = {0};
  bool differs = false;
  for (size_t v = 0; v < s->vars.len; v++) {
    if (align_is_private(s, s->vars.at[v]) || !n->plan->live[v]) continue;
    differs |= !form_is_zero(n->head->state.diff[v]);
    if (differs_in_place(s, n, v))
      vec_push(&choices, measured(s, s->vars.at[s->place.at[v]], length, mirrored));
  }
  bool fixed = choices.len > 0;
  for (size_t v = 0; v < s->vars.len && differs && !fixed; v++)
    if (n->plan->live[v] && term_sort(s->ts, s->vars.at[v]) == SORT_INT &&
        form_is_zero(n->head->state.diff[v]) && n->head->state.value[v] == s->vars.at[v])
      vec_push(&choices, measured(s, s->vars.at[v], length, mirrored));
  if (!fixed) vec_push(&choices, term_int(s->ts, 0));
  n->choice_count = n->costs ? choices.len : 0;
  n->choices = arena_take_vec(s->arena, &choices);
}

/* The term with what was decided to be equal put for each other, until it is a number. */
static bool as_number(struct align *s, term_id t, const struct align_path *p, long *out) {
  const struct align_decision *d = p->decisions;
  for (; t != TERM_NONE && !term_is_num(s->ts, t) && d; d = d->previous) {
    if (!d->taken || term_kind(s->ts, d->atom) != TERM_EQ) continue;
    for (int side = 0; side < 2; side++) {
      term_id var = term_arg(s->ts, d->atom, side), other = term_arg(s->ts, d->atom, !side);
      if (term_kind(s->ts, var) != TERM_VAR || term_sort(s->ts, var) != SORT_INT) continue;
      term_id u = term_subst(s->ts, t, &var, &other, 1);
      if (u == TERM_NONE || !term_is_num(s->ts, u)) continue;
      t = u;
      break;
    }
  }
  if (t == TERM_NONE || !term_is_num(s->ts, t)) return false;
  struct ratio r = ratio_from_fmpq(term_num_value(s->ts, t));
  *out = r.num;
  return r.den == 1;
}

/* By how much the measure grows along the edge, at least, if a number says so. */
static bool find_gain(struct align *s, const struct align_travel *t, struct edge *e) {
  const struct node *from = &t->nodes.at[e->from], *to = &t->nodes.at[e->to];
  if (!to->choice_count) return true;
  term_id after = align_state_value(s, e->state, to->measure);
  term_id gain = after == TERM_NONE ? TERM_NONE : term_sub(s->ts, after, from->measure);
  if (gain == TERM_NONE || as_number(s, gain, e->path, &e->gain)) return gain != TERM_NONE;
  for (size_t i = 0; i < from->plan->floors.len; i++) {
    term_id floor = from->plan->floors.at[i];
    term_id slack = term_sub(s->ts, term_arg(s->ts, floor, 1), term_arg(s->ts, floor, 0));
    if (as_number(s, term_sub(s->ts, gain, slack), e->path, &e->gain)) return true;
  }
  return false;
}

/* Picks measures for the nodes from `n` on such that all edges between have a gain. */
static bool choose_measures(struct align *s, struct align_travel *t, size_t n) {
  if (n == t->nodes.len) return true;
  struct node *node = &t->nodes.at[n];
  if (!node->choice_count) return choose_measures(s, t, n + 1);
  for (size_t c = 0; c < node->choice_count && t->tries < MAX_TRIES; c++) {
    node->measure = node->choices[c];
    t->tries++;
    bool fits = true;
    for (size_t i = 0; i < t->edges.len && fits; i++) {
      struct edge *e = &t->edges.at[i];
      if ((e->from == n && e->to <= n) || (e->to == n && e->from < n)) fits = find_gain(s, t, e);
    }
    if (fits && choose_measures(s, t, n + 1)) return true;
  }
  return false;
}

/* ---- levels ---------------------------------------------------------------------------------- */

static bool has_level(const struct align_travel *t, const struct edge *e) {
  return t->nodes.at[e->from].choice_count && t->nodes.at[e->to].choice_count;
}

/* The least offsets such that edges that cost the rate raise the level. False: a cycle does not. */
static bool find_offsets(struct align *s, struct align_travel *t) {
  for (size_t i = 0; i < t->plan->entries.len; i++) {
    struct node *n = &t->nodes.at[node_of(t, t->plan->heads.at[t->plan->entries.at[i]])];
    n->offset = 0;
    n->reached = true;
  }
  for (size_t round = 0; round <= t->nodes.len; round++) {
    bool changed = false;
    for (size_t i = 0; i < t->edges.len; i++) {
      const struct edge *e = &t->edges.at[i];
      const struct node *from = &t->nodes.at[e->from];
      struct node *to = &t->nodes.at[e->to];
      if (!has_level(t, e) || !from->reached) continue;
      bool pays = is_costly(s, e) && (e->repeats || e->cost == t->rate);
      long least = from->offset + pays - t->slope * e->gain;
      if (to->reached && to->offset >= least) continue;
      to->offset = least;
      to->reached = changed = true;
    }
    if (!changed) return true;
  }
  return false;
}

static term_id level(struct align *s, const struct align_travel *t, const struct node *n) {
  return term_add(s->ts, term_mul(s->ts, term_int(s->ts, t->slope), n->measure),
                  term_int(s->ts, n->offset));
}

/* The end of all levels: places are below the length of their array. */
static bool find_end(struct align *s, struct align_travel *t) {
  t->end = TERM_NONE;
  for (size_t i = 0; i < t->nodes.len; i++) {
    const struct node *n = &t->nodes.at[i];
    if (!n->choice_count || !n->reached) continue;
    for (size_t v = 0; v < s->vars.len; v++) {
      if (!differs_in_place(s, n, v)) continue;
      if (!term_mentions(s->ts, n->measure, &s->vars.at[s->place.at[v]], 1)) continue;
      term_id length = align_length_of(s, s->vars.at[v]);
      if (length == TERM_NONE) return false;
      term_id end = term_add(s->ts, term_mul(s->ts, term_int(s->ts, t->slope), length),
                             term_int(s->ts, n->offset - t->slope));
      t->end = t->end == TERM_NONE ? end : align_max(s, t->end, end);
    }
  }
  for (size_t i = 0; i < t->nodes.len && t->end != TERM_NONE; i++)
    if (t->nodes.at[i].choice_count && is_constant(s, &t->nodes.at[i]))
      t->end = align_max(s, t->end, level(s, t, &t->nodes.at[i]));
  return t->end != TERM_NONE;
}

static bool find_levels(struct align *s, struct align_travel *t, term_id length, bool mirrored) {
  t->tries = 0;
  for (size_t i = 0; i < t->nodes.len; i++)
    find_choices(s, &t->nodes.at[i], length, mirrored);
  bool found = false;
  if (!choose_measures(s, t, 0)) return false;
  for (t->slope = 1; t->slope <= MAX_SLOPE; t->slope++) {
    for (size_t i = 0; i < t->nodes.len; i++)
      t->nodes.at[i].reached = false;
    found = find_offsets(s, t);
    if (found) break;
  }
  return found && find_end(s, t);
}

/* ---- potentials ------------------------------------------------------------------------------ */

static term_id potential(struct align *s, const struct align_travel *t, const struct node *n) {
  if (!n->choice_count) return n->base;
  term_id left = term_sub(s->ts, t->end, level(s, t, n));
  return term_add(s->ts, n->base, term_mul(s->ts, left, t->rate));
}

/* What the level does not pay of an edge. */
static term_id unpaid(struct align *s, const struct align_travel *t, const struct edge *e) {
  if (!has_level(t, e)) return e->cost;
  long raised = t->nodes.at[e->to].offset + t->slope * e->gain - t->nodes.at[e->from].offset;
  return term_sub(s->ts, e->cost, term_mul(s->ts, term_int(s->ts, raised), t->rate));
}

/* As potential.c does for one loop. */
static bool find_bases(struct align *s, struct align_travel *t) {
  for (size_t i = 0; i < t->nodes.len; i++) {
    struct node *n = &t->nodes.at[i];
    bool leaves = n->plan == t->plan && n->head->after;
    n->base = leaves ? align_piece_need(s, n->head->after) : term_rat(s->ts, 0, 1);
  }
  for (size_t round = 0; round <= t->nodes.len; round++) {
    bool changed = false;
    for (size_t i = 0; i < t->edges.len; i++) {
      const struct edge *e = &t->edges.at[i];
      struct node *from = &t->nodes.at[e->from];
      term_id later = align_state_value(s, e->state, t->nodes.at[e->to].base);
      term_id need = term_add(s->ts, unpaid(s, t, e), later);
      if (need == TERM_NONE) return false;
      if (align_weight(s, need) <= 0) continue;
      term_id most = align_max(s, from->base, need);
      changed |= align_weight(s, most) > align_weight(s, from->base) * (1 + 1e-9) + 1e-12;
      from->base = most;
    }
    if (!changed) return true;
  }
  return false;
}

term_id align_travel_cost(struct align *s, struct align_travel *t, size_t entry) {
  const struct node *n = &t->nodes.at[node_of(t, t->plan->heads.at[t->plan->entries.at[entry]])];
  return align_state_value(s, &t->plan->entered[entry].state, potential(s, t, n));
}

void align_travel_use(struct align *s, struct align_travel *t) {
  if (!find_bases(s, t)) return;
  for (size_t i = 0; i < t->nodes.len; i++) {
    struct node *n = &t->nodes.at[i];
    n->plan->counters.len = 0;
    n->plan->travels = true;
    if (n->plan != t->plan) n->plan->travel_by = NULL;
    n->head->base = potential(s, t, n);
  }
}

struct align_travel *align_travel_find(struct align *s, struct align_plan *plan) {
  struct align_travel *t = arena_new(s->arena, struct align_travel);
  *t = (struct align_travel){.plan = plan};
  add_nodes(t, plan);
  for (size_t h = 0; h < plan->heads.len && t->nodes.len <= MAX_NODES; h++) {
    size_t n = node_of(t, plan->heads.at[h]);
    add_edges(t, n, n, plan->heads.at[h]->body);
  }
  bool found = false;
  if (t->nodes.len <= MAX_NODES) {
    find_cycles(s, t);
    find_rate(s, t);
  }
  term_list lengths = {0};
  for (size_t i = 0; i < t->nodes.len; i++)
    for (size_t v = 0; v < s->vars.len; v++) {
      term_id length =
          differs_in_place(s, &t->nodes.at[i], v) ? align_length_of(s, s->vars.at[v]) : TERM_NONE;
      bool known = length == TERM_NONE;
      for (size_t l = 0; l < lengths.len; l++)
        known |= lengths.at[l] == length;
      if (!known) vec_push(&lengths, length);
    }
  for (size_t l = 0; l < lengths.len && t->nodes.len <= MAX_NODES && !found; l++)
    for (int mirrored = 0; mirrored < 2 && !found; mirrored++)
      found = find_levels(s, t, lengths.at[l], mirrored) && find_bases(s, t);
  vec_clear(&lengths);
  ALIGN_KEEP(s, &t->nodes);
  ALIGN_KEEP(s, &t->edges);
  return found ? t : NULL;
}
