#include "search/align/potential.h"

#include <math.h>

#include "search/align/lp.h"
#include "search/align/measure.h"
#include "search/align/series.h"
#include "term/build.h"
#include "term/subst.h"

/* A counter that pays. */
struct payer {
  struct counter counter;
  term_id rate;
  bool positive;
};

/* How the ways through a graph of states are paid for. */
struct account {
  const struct graph *g;
  struct payer payers[MAX_COUNTERS + 1];
  size_t count;
  const bool *paid; /* per edge: the store, the only payer, covers it; NULL: there is none */
  term_id *bases;   /* per node: what it needs besides */
};

static term_id zero(struct align *s) {
  return term_rat(s->ts, 0, 1);
}

static term_id times(struct align *s, struct ratio r, term_id t) {
  return term_mul(s->ts, term_rat(s->ts, r.num, (unsigned long)r.den), t);
}

/* ---- bases ----------------------------------------------------------------------------------- */

/* left - guard if the guard holds in the state. */
static struct ratio floor_of(struct align *s, const struct counter *c, size_t node) {
  if (!c->holds || !c->holds[node]) return ratio_int(0);
  term_id floor = term_sub(s->ts, c->left[node], c->guard);
  return term_is_num(s->ts, floor) ? ratio_from_fmpq(term_num_value(s->ts, floor)) : ratio_int(0);
}

/* What the edge takes from the counter. */
static struct ratio taken(const struct account *a, const struct counter *c, size_t edge) {
  const struct edge *e = &a->g->edges.at[edge];
  if (c->left[e->from] == TERM_NONE || c->left[e->to] == TERM_NONE) return ratio_int(0);
  return c->by[edge];
}

/* What is needed behind the loop if it is left in this state. */
static term_id need_of(struct align *s, const struct account *a, size_t node) {
  const struct node *n = &a->g->nodes.at[node];
  return n->plan == a->g->plan && n->head->after ? align_piece_need(s, n->head->after) : zero(s);
}

/* What the counters do not pay of an edge. */
static term_id unpaid(struct align *s, const struct account *a, size_t edge) {
  if (a->paid) return a->paid[edge] ? zero(s) : a->g->edges.at[edge].cost;
  term_id rest = a->g->edges.at[edge].cost;
  for (size_t c = 0; c < a->count; c++)
    rest =
        term_sub(s->ts, rest, times(s, taken(a, &a->payers[c].counter, edge), a->payers[c].rate));
  return rest;
}

/* Longest ways: base = what exits and edges need beyond the counters. False: it never settles. */
static bool set_bases(struct align *s, struct account *a, bool with_exits) {
  size_t n = a->g->nodes.len;
  a->bases = arena_alloc(s->arena, (n + 1) * sizeof *a->bases);
  for (size_t i = 0; i < n; i++) {
    a->bases[i] = with_exits ? need_of(s, a, i) : zero(s);
    for (size_t c = 0; c < a->count; c++) /* so much is always left */
      a->bases[i] = term_sub(s->ts, a->bases[i],
                             times(s, floor_of(s, &a->payers[c].counter, i), a->payers[c].rate));
  }
  for (size_t round = 0; round <= n; round++) {
    bool changed = false;
    for (size_t i = 0; i < a->g->edges.len; i++) {
      const struct edge *e = &a->g->edges.at[i];
      term_id later = align_state_value(s, e->state, a->bases[e->to]);
      term_id need = term_add(s->ts, unpaid(s, a, i), later);
      if (need == TERM_NONE) return false;
      term_id most = align_max(s, a->bases[e->from], need);
      double before = align_weight(s, a->bases[e->from]);
      changed |= align_weight(s, most) > before + 1e-9 * fabs(before) + 1e-12;
      a->bases[e->from] = most;
    }
    if (!changed) return true;
  }
  return false;
}

/* The base, and what the counters (or those of places alone) are worth. */
static term_id potential_of(struct align *s, const struct account *a, size_t node, bool all) {
  term_id sum = a->bases[node];
  for (size_t c = 0; c < a->count; c++) {
    term_id left = a->payers[c].counter.left[node];
    if (left != TERM_NONE && (all || a->payers[c].counter.guard == TERM_NONE))
      sum = term_add(s->ts, sum, term_mul(s->ts, left, a->payers[c].rate));
  }
  return sum;
}

term_id align_potential(struct align *s, const struct align_plan *plan,
                        const struct align_head *h) {
  term_id sum = h->base;
  for (size_t c = 0; c < plan->counters.len; c++)
    sum =
        term_add(s->ts, sum, term_mul(s->ts, plan->counters.at[c].left, plan->counters.at[c].rate));
  return sum;
}

/* ---- rates by linear programs ----------------------------------------------------------------
 *
 * Unknown are the rates and, per state, what it needs beyond what is always left of the counters:
 * y = base + sum of (left - guard)*rate over the counters whose guard holds there, at least 0 and
 * what the exit needs. An edge from i to j asks for
 *   y_i - y_j + sum of (decrease + what always is left in j - the same in i)*rate >= cost.
 * The rates are those that make the entries cheapest, at every sample point. */

struct rates {
  struct align *s;
  struct account *a;
  const struct align_end *entries;
  struct lp lp;
  term_list right; /* right-hand sides, one per row */
};

static void fill_edge(struct rates *r, size_t row, size_t edge) {
  struct account *a = r->a;
  const struct edge *e = &a->g->edges.at[edge];
  for (size_t c = 0; c < a->count; c++) {
    const struct counter *k = &a->payers[c].counter;
    struct ratio more = ratio_sub(floor_of(r->s, k, e->to), floor_of(r->s, k, e->from));
    struct ratio by = ratio_add(taken(a, k, edge), more);
    *lp_at(&r->lp, row, a->g->nodes.len + c) = ratio_is_finite(by) ? by : ratio_int(0);
  }
  if (e->to == e->from) return;
  *lp_at(&r->lp, row, e->from) = ratio_int(1);
  *lp_at(&r->lp, row, e->to) = ratio_int(-1);
}

static void fill_rows(struct rates *r) {
  const struct graph *g = r->a->g;
  lp_init(&r->lp, g->nodes.len + g->edges.len, g->nodes.len + r->a->count);
  for (size_t i = 0; i < g->nodes.len; i++) {
    *lp_at(&r->lp, i, i) = ratio_int(1);
    vec_push(&r->right, need_of(r->s, r->a, i));
  }
  for (size_t i = 0; i < g->edges.len; i++) {
    fill_edge(r, g->nodes.len + i, i);
    vec_push(&r->right, g->edges.at[i].cost);
  }
}

/* What the entries cost at the point: the sum of these is minimised. */
static void fill_costs(struct rates *r, size_t point) {
  const struct graph *g = r->a->g;
  for (size_t j = 0; j < r->lp.columns; j++)
    r->lp.c[j] = 0;
  for (size_t e = 0; e < g->plan->entries.len; e++) {
    size_t node = graph_entry(g, e);
    r->lp.c[node] += 1;
    for (size_t c = 0; c < r->a->count; c++) {
      const struct counter *k = &r->a->payers[c].counter;
      term_id left = k->holds && k->holds[node] ? k->guard : k->left[node];
      if (left == TERM_NONE) continue;
      left = align_state_value(r->s, &r->entries[e].state, left);
      r->lp.c[g->nodes.len + c] += fmax(points_value(&r->s->points, point, left), 0);
    }
  }
  for (size_t row = 0; row < r->lp.rows; row++)
    r->lp.b[row] = points_value(&r->s->points, point, r->right.at[row]);
}

/* The solution as a term. */
static term_id solution(const struct rates *r, size_t column) {
  struct terms *ts = r->s->ts;
  term_id sum = zero(r->s);
  for (size_t row = 0; row < r->lp.rows; row++) {
    const fmpq *part = fmpq_mat_entry(r->lp.parts, (slong)column, (slong)row);
    if (!fmpq_is_zero(part))
      sum = term_add(ts, sum, term_mul(ts, term_num(ts, part, SORT_REAL), r->right.at[row]));
  }
  return sum;
}

/* Does the loop leave the variables in the cost alone? */
static bool is_lasting(struct align *s, const struct align_plan *plan, term_id cost) {
  for (size_t v = 0; v < s->vars.len; v++)
    if (plan->written[v] && term_mentions(s->ts, cost, &s->vars.at[v], 1)) return false;
  return true;
}

/* Is the rate at most what it was before the edge, at every sample point? (Arrays have no values
 * there.) */
static bool falls_along(struct align *s, const struct edge *e, term_id rate) {
  term_id after = align_state_value(s, e->state, rate);
  if (after == TERM_NONE || align_looks_up(s, rate)) return false;
  for (size_t p = 0; p < s->points.count; p++)
    if (points_value(&s->points, p, after) > points_value(&s->points, p, rate) * (1 + 1e-9))
      return false;
  return true;
}

/* Is what is enough for an iteration enough for those that follow? */
static bool never_grows(struct align *s, const struct graph *g, term_id rate) {
  bool lasting = true;
  for (size_t i = 0; i < g->nodes.len; i++)
    lasting &= is_lasting(s, g->nodes.at[i].plan, rate);
  for (size_t i = 0; i < g->edges.len && !lasting; i++)
    if (!falls_along(s, &g->edges.at[i], rate)) return false;
  return true;
}

/* Rates that are enough at every point. False: the counters do not pay for the loop. */
static bool find_rates(struct align *s, struct account *a, const struct align_end *entries) {
  struct rates r = {.s = s, .a = a, .entries = entries};
  bool found = false;
  for (size_t c = 0; c < a->count; c++)
    a->payers[c].rate = zero(s);
  fill_rows(&r);
  for (size_t point = 0; point < s->points.count; point++) {
    fill_costs(&r, point);
    fmpq_mat_zero(r.lp.parts);
    if (!lp_solve(&r.lp)) continue;
    for (size_t c = 0; c < a->count; c++)
      a->payers[c].rate = align_max(s, a->payers[c].rate, solution(&r, a->g->nodes.len + c));
    found = true;
  }
  lp_clear(&r.lp);
  vec_clear(&r.right);
  size_t kept = 0;
  for (size_t c = 0; c < a->count; c++)
    found &= never_grows(s, a->g, a->payers[c].rate);
  for (size_t c = 0; c < a->count; c++)
    if (a->payers[c].rate != zero(s)) a->payers[kept++] = a->payers[c];
  a->count = kept;
  return found;
}

/* ---- choice ---------------------------------------------------------------------------------- */

struct potential {
  struct align *s;
  struct align_plan *plan;
  const struct align_end *entries;
  struct account *best; /* NULL: none yet */
  double weight;
};

/* Keeps the account if it is the cheapest at the entries. */
static void offer(struct potential *p, struct account *a) {
  struct align *s = p->s;
  if (!set_bases(s, a, true)) return;
  double weight = 0;
  for (size_t e = 0; e < p->plan->entries.len; e++) {
    term_id cost = potential_of(s, a, graph_entry(a->g, e), true);
    weight = fmax(weight, align_weight(s, align_state_value(s, &p->entries[e].state, cost)));
  }
  if (p->best && weight >= p->weight * (1 - 1e-9)) return;
  p->weight = weight;
  p->best = a;
}

/* With these counters and perhaps one of places; or with none at all. */
static void attempt_with(struct potential *p, const struct graph *g, const counter_list *counters,
                         const struct counter *places) {
  struct account *a = arena_new(p->s->arena, struct account);
  *a = (struct account){.g = g};
  for (size_t c = 0; counters && c < counters->len; c++)
    a->payers[a->count++].counter = counters->at[c];
  if (places) a->payers[a->count++].counter = *places;
  if (a->count == 0 || find_rates(p->s, a, p->entries)) offer(p, a);
}

/* With all counters, and with each alone: where different ones are cheapest at different points, all
 * together pay twice. */
static void attempt(struct potential *p, const struct graph *g, const counter_list *counters,
                    const struct counter *places) {
  attempt_with(p, g, counters, places);
  for (size_t c = 0; counters && counters->len > 1 && c < counters->len; c++) {
    counter_list one = {.at = &counters->at[c], .len = 1, .cap = 1};
    attempt_with(p, g, &one, places);
  }
}

/* With a real number from which the iterations take what they cost. */
static void attempt_stores(struct potential *p, const struct graph *g) {
  struct align *s = p->s;
  term_list guards = {0};
  stores_suggest(s, g, &guards);
  for (size_t i = 0; i < guards.len; i++) {
    struct store store;
    if (!store_find(s, g, p->entries, guards.at[i], &store)) continue;
    struct account *a = arena_new(s->arena, struct account);
    term_id *left = arena_alloc(s->arena, (g->nodes.len + 1) * sizeof *left);
    for (size_t n = 0; n < g->nodes.len; n++)
      left[n] = store.left;
    *a = (struct account){.g = g, .count = 1, .paid = store.pays};
    a->payers[0] =
        (struct payer){.counter = {.guard = store.guard, .holds = store.holds, .left = left},
                       .rate = store.rate,
                       .positive = store.positive};
    offer(p, a);
  }
  vec_clear(&guards);
}

/* With the iterations in which a window still has the index that differs. */
static void attempt_windows(struct potential *p, const struct graph *g) {
  struct counter c;
  for (size_t w = 0; w < p->s->witnesses.len; w++)
    if (counter_of_window(p->s, g, w, &c)) attempt(p, g, NULL, &c);
}

/* With what a series that converges leaves for the iterations that are still to come. */
static void attempt_series(struct potential *p, const struct graph *g) {
  struct align *s = p->s;
  term_id rest = series_rest(s, g, p->entries);
  if (rest == TERM_NONE) return;
  struct account *a = arena_new(s->arena, struct account);
  term_id *left = arena_alloc(s->arena, (g->nodes.len + 1) * sizeof *left);
  bool *paid = arena_alloc(s->arena, g->edges.len + 1);
  for (size_t n = 0; n < g->nodes.len; n++)
    left[n] = rest;
  for (size_t e = 0; e < g->edges.len; e++)
    paid[e] = true;
  *a = (struct account){.g = g, .count = 1, .paid = paid};
  a->payers[0] =
      (struct payer){.counter = {.guard = TERM_NONE, .left = left}, .rate = term_rat(s->ts, 1, 1)};
  offer(p, a);
}

/* Does an array differ in one place somewhere in the loop? */
static bool has_places(const struct potential *p) {
  for (size_t i = 0; i < p->plan->heads.len; i++)
    for (size_t v = 0; v < p->s->vars.len; v++) {
      const struct form *f = p->plan->heads.at[i]->state.diff[v];
      if (p->s->place.at[v] != SIZE_MAX && p->plan->live[v] && f->known && !form_is_zero(f))
        return true;
    }
  return false;
}

/* Does what a state needs depend on variables? Then the longest way was found at points only. */
static bool is_doubtful(const struct potential *p) {
  for (size_t i = 0; p->best && i < p->best->g->nodes.len; i++)
    if (term_mentions(p->s->ts, p->best->bases[i], p->s->vars.at, p->s->vars.len)) return true;
  return false;
}

/* With the loops inside: their counters, and the place of a difference. */
static void attempt_nest(struct potential *p) {
  bool doubtful = is_doubtful(p), places = has_places(p);
  if (p->best && !doubtful && p->best->count == 0) return;
  const struct graph *g = graph_of_nest(p->s, p->plan);
  if (!g || (!places && g->nodes.len == p->plan->heads.len)) return;
  struct potential inside = {.s = p->s, .plan = p->plan, .entries = p->entries};
  counter_list counters = {0};
  counters_find(p->s, g, p->entries, &counters);
  if (counters.len && !places) attempt(&inside, g, &counters, NULL);
  bool more = places;
  for (size_t variant = 0; more && !inside.best; variant++) {
    struct counter c;
    if (counter_of_places(p->s, g, variant, &c, &more)) attempt(&inside, g, NULL, &c);
  }
  vec_clear(&counters);
  if (!inside.best || (p->best && !doubtful && inside.weight >= p->weight * (1 - 1e-9))) return;
  p->best = inside.best;
  p->weight = inside.weight;
}

/* ---- the result ------------------------------------------------------------------------------ */

/* Per state of the plan: does the guard hold? */
static const bool *holds_in(struct align *s, const struct account *a, const struct counter *c,
                            const struct align_plan *plan) {
  bool *holds = arena_alloc(s->arena, plan->heads.len + 1);
  for (size_t i = 0; i < plan->heads.len; i++) {
    size_t node = graph_node(a->g, plan->heads.at[i]);
    holds[i] = node != SIZE_MAX && c->holds[node];
  }
  return holds;
}

static void set_counters(struct align *s, const struct account *a, struct align_plan *plan) {
  VEC(struct align_counter) list = {0};
  plan->travels = false;
  for (size_t c = 0; c < a->count; c++) {
    const struct counter *k = &a->payers[c].counter;
    plan->travels |= k->guard == TERM_NONE;
    if (k->guard == TERM_NONE) continue;
    vec_push(&list, (struct align_counter){.left = k->left[0],
                                           .rate = a->payers[c].rate,
                                           .guard = k->guard,
                                           .positive = a->payers[c].positive,
                                           .holds = holds_in(s, a, k, plan)});
  }
  plan->counters.len = list.len;
  plan->counters.at = arena_take_vec(s->arena, &list);
}

/* Makes it the potential of the loop, and of those in it that the graph knows. */
static void apply(struct align *s, struct account *a) {
  const struct align_plan *last = NULL;
  for (size_t i = 0; i < a->g->nodes.len; i++) {
    struct node *n = &a->g->nodes.at[i];
    if (n->plan != last) set_counters(s, a, n->plan);
    last = n->plan;
    n->plan->account = n->plan == a->g->plan ? a : NULL;
    n->head->base = potential_of(s, a, i, false);
  }
}

/* The iterations alone. */
static void set_travel(struct align *s, struct align_plan *plan) {
  struct account alone = *plan->account;
  bool settled = set_bases(s, &alone, false);
  for (size_t e = 0; e < plan->entries.len; e++)
    vec_push(&plan->travel, align_at_most(s, plan,
                                          potential_of(s, settled ? &alone : plan->account,
                                                       graph_entry(alone.g, e), true)));
  ALIGN_KEEP(s, &plan->travel);
}

/* Where steps that cost are not repeated, the dearest way to that very state; else to any. */
term_id align_travel_to(struct align *s, const struct align_plan *plan, size_t entry, size_t head) {
  size_t n = plan->heads.len;
  term_id *far = arena_alloc(s->arena, (n + 1) * sizeof *far);
  for (size_t i = 0; i < n; i++)
    far[i] = TERM_NONE;
  far[plan->entries.at[entry]] = zero(s);
  bool changed = plan->counters.len == 0 && !plan->travels, settled = false;
  for (size_t round = 0; round <= n && changed; round++) {
    changed = false;
    for (size_t i = 0; i < n; i++)
      for (size_t j = 0; far[i] != TERM_NONE && j < plan->heads.at[i]->steps.len; j++) {
        const struct align_step *step = &plan->heads.at[i]->steps.at[j];
        if (!is_lasting(s, plan, step->cost)) return plan->travel.at[entry];
        term_id cost = term_add(s->ts, far[i], step->cost), old = far[step->to];
        far[step->to] = old == TERM_NONE ? cost : align_max(s, old, cost);
        changed |= far[step->to] != old;
      }
    settled = !changed;
  }
  return settled && far[head] != TERM_NONE ? far[head] : plan->travel.at[entry];
}

bool align_find_potential(struct align *s, struct align_plan *plan,
                          const struct align_end *entries) {
  struct potential p = {.s = s, .plan = plan, .entries = entries};
  const struct graph *g = graph_of_loop(s, plan);
  attempt(&p, g, NULL, NULL);
  if (!p.best) {
    counter_list counters = {0};
    counters_find(s, g, entries, &counters);
    if (counters.len) attempt(&p, g, &counters, NULL);
    vec_clear(&counters);
    attempt_windows(&p, g);
    attempt_series(&p, g);
    attempt_stores(&p, g);
  }
  attempt_nest(&p);
  if (p.best) {
    apply(s, p.best);
    set_travel(s, plan);
  } else if (!s->blame && !s->unbounded) {
    s->blame_span = plan->loop->span;
    s->unbounded = true;
  }
  return p.best != NULL;
}

void align_settle_potential(struct align *s, struct align_plan *plan) {
  if (plan->account && set_bases(s, plan->account, true)) apply(s, plan->account);
}
