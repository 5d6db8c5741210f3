#include "check/counterexample/path_cases.h"

#include <string.h>

#include "base/alloc.h"

/* What a variable holds: nothing yet, a sample, or a value that was seen. */
struct stored {
  enum { STORED_NOTHING, STORED_SAMPLE, STORED_VALUE } kind;
  uint32_t sample;
  const fmpq *value; /* in the query */
};

struct builder {
  const struct automaton_query *query;
  const uint32_t *edges; /* the path */
  struct probability *out;
};

static void path_case_clear(struct path_case *c) {
  fmpz_clear(c->weight);
  order_problem_clear(&c->order);
  for (size_t i = 0; i < c->seen.len; i++) {
    fmpq_clear(c->seen.at[i].distance);
    fmpq_clear(c->seen.at[i].rate);
  }
  vec_clear(&c->seen);
}

void path_cases_clear(struct path_cases *cases) {
  for (size_t i = 0; i < cases->list.len; i++)
    path_case_clear(&cases->list.at[i]);
  vec_clear(&cases->list);
}

/* ---- samples -------------------------------------------------------------------------------- */

/* A fresh sample of the step: its law, and what was seen of it. */
static struct stored draw(struct path_case *c, const struct automaton_query *query, size_t i,
                          const struct automaton_state *state, bool prime, bool is_emitted) {
  const struct automaton *a = query->automaton;
  const struct automaton_step *step = &query->steps.at[i];
  const struct automaton_event *event = &step->event;
  struct stored drawn = {STORED_SAMPLE, 0, NULL};
  fmpq_t centre, rate;
  fmpq_init(centre);
  fmpq_init(rate);
  fmpq_mul(rate, automaton_value(a, prime ? state->d2 : state->d), query->eps);
  fmpq_set(centre, automaton_value(a, prime ? state->mean2 : state->mean));
  if (state->is_input) fmpq_add(centre, centre, step->input);
  if (is_emitted && event->kind == EVENT_VALUE) {
    struct seen_value seen;
    fmpq_init(seen.distance);
    fmpq_init(seen.rate);
    fmpq_sub(seen.distance, event->low.at, centre);
    fmpq_abs(seen.distance, seen.distance);
    fmpq_set(seen.rate, rate);
    vec_push(&c->seen, seen);
    drawn = (struct stored){STORED_VALUE, 0, event->low.at};
  } else {
    drawn.sample = order_problem_sample(&c->order, ORDER_LAPLACE, centre, rate);
    if (is_emitted && event->kind == EVENT_WINDOW) {
      if (event->low.side == 0) order_problem_at_least(&c->order, drawn.sample, event->low.at);
      if (event->high.side == 0) order_problem_at_most(&c->order, drawn.sample, event->high.at);
      if (event->low.side > 0 || event->high.side < 0) /* an empty window */
        order_problem_less(&c->order, drawn.sample, drawn.sample);
    }
  }
  fmpq_clear(centre);
  fmpq_clear(rate);
  return drawn;
}

/* Records that `less` < `greater`. Two seen values decide it at once. */
static void require_less(struct path_case *c, struct stored less, struct stored greater) {
  if (less.kind == STORED_SAMPLE && greater.kind == STORED_SAMPLE) {
    order_problem_less(&c->order, less.sample, greater.sample);
  } else if (less.kind == STORED_SAMPLE) {
    order_problem_at_most(&c->order, less.sample, greater.value);
  } else if (greater.kind == STORED_SAMPLE) {
    order_problem_at_least(&c->order, greater.sample, less.value);
  } else if (fmpq_cmp(less.value, greater.value) >= 0) {
    fmpq_t one; /* impossible: a sample below itself */
    fmpq_init(one);
    fmpq_one(one);
    uint32_t s = order_problem_sample(&c->order, ORDER_LAPLACE, one, one);
    order_problem_less(&c->order, s, s);
    fmpq_clear(one);
  }
}

/* ---- how the comparisons of a step may turn out ----------------------------------------------
 */

bool automaton_edges_exclude(const struct automaton *a, uint32_t edge1, uint32_t edge2) {
  struct automaton_range g = a->guards.at[a->edges.at[edge1].guard];
  struct automaton_range h = a->guards.at[a->edges.at[edge2].guard];
  for (uint32_t c = g.begin; c < g.end; c++)
    for (uint32_t d = h.begin; d < h.end; d++) {
      bool contradict = false;
      for (uint32_t i = a->cubes.at[c].begin; i < a->cubes.at[c].end; i++)
        for (uint32_t j = a->cubes.at[d].begin; j < a->cubes.at[d].end; j++)
          contradict = contradict || a->literals.at[i] == (a->literals.at[j] ^ 1);
      if (!contradict) return false;
    }
  return true;
}

static bool cube_allows(const struct automaton *a, uint32_t cube, const uint32_t *vars,
                        size_t count, uint64_t is_greater) {
  for (uint32_t k = a->cubes.at[cube].begin; k < a->cubes.at[cube].end; k++) {
    literal l = a->literals.at[k];
    for (size_t v = 0; v < count; v++)
      if (vars[v] == literal_var(l) && literal_is_less(l) == (bool)(is_greater >> v & 1))
        return false;
  }
  return true;
}

static bool guard_allows(const struct automaton *a, uint32_t guard, const uint32_t *vars,
                         size_t count, uint64_t is_greater) {
  for (uint32_t c = a->guards.at[guard].begin; c < a->guards.at[guard].end; c++)
    if (cube_allows(a, c, vars, count, is_greater)) return true;
  return false;
}

enum { GUARD_VARS_MAX = 64, CASE_VARS_MAX = 12 };

/* Bit v of `care`: the case fixes the comparison with the v-th variable; then bit v of `greater`
 * says that the sample is not below it. */
struct outcome {
  uint64_t care, greater;
};

/* The disjoint cases in which an edge is taken. */
struct choice {
  uint32_t edge;
  uint32_t vars[GUARD_VARS_MAX];
  size_t count;
  VEC(struct outcome) outcomes;
};

/* Adds the variables that the guard mentions; false if they are too many. */
static bool add_guard_vars(const struct automaton *a, uint32_t guard, struct choice *choice) {
  for (uint32_t c = a->guards.at[guard].begin; c < a->guards.at[guard].end; c++)
    for (uint32_t k = a->cubes.at[c].begin; k < a->cubes.at[c].end; k++) {
      uint32_t var = literal_var(a->literals.at[k]);
      size_t v = 0;
      while (v < choice->count && choice->vars[v] != var)
        v++;
      if (v == GUARD_VARS_MAX) return false;
      if (v == choice->count) choice->vars[choice->count++] = var;
    }
  return true;
}

/* Is the edge taken: does its guard hold, and that of no edge before it? */
static bool is_taken(const struct automaton *a, uint32_t edge, const struct choice *choice,
                     uint64_t outcome) {
  if (!guard_allows(a, a->edges.at[edge].guard, choice->vars, choice->count, outcome)) return false;
  for (uint32_t e = a->first_edge.at[a->edges.at[edge].from]; e < edge; e++)
    if (!automaton_edges_exclude(a, e, edge) &&
        guard_allows(a, a->edges.at[e].guard, choice->vars, choice->count, outcome))
      return false;
  return true;
}

/* The function given by its table, as disjoint cases that extend (care, greater); the comparisons
 * before number v are settled. One that makes no difference is left open. */
static void cover(struct choice *choice, const bool *table, size_t v, struct outcome o) {
  bool any = false, all = true, open = true;
  if (v == choice->count) {
    if (table[o.greater]) vec_push(&choice->outcomes, o);
    return;
  }
  for (uint64_t j = 0; j >> (choice->count - v) == 0; j++) {
    bool taken = table[o.greater | j << v];
    any = any || taken;
    all = all && taken;
    open = open && taken == table[o.greater | (j | 1) << v];
  }
  if (all) vec_push(&choice->outcomes, o);
  if (all || !any) return;
  if (!open) o.care |= (uint64_t)1 << v;
  cover(choice, table, v + 1, o);
  o.greater |= (uint64_t)1 << v;
  if (!open) cover(choice, table, v + 1, o);
}

static void cover_all(const struct automaton *a, struct choice *choice) {
  bool *table = xmalloc(((size_t)1 << choice->count) * sizeof *table);
  for (uint64_t above = 0; above >> choice->count == 0; above++)
    table[above] = is_taken(a, choice->edge, choice, above);
  cover(choice, table, 0, (struct outcome){0, 0});
  free(table);
}

/* A conjunction: one case, which fixes everything. */
static void cover_conjunction(const struct automaton *a, struct choice *choice) {
  struct outcome o = {choice->count == 64 ? UINT64_MAX : ((uint64_t)1 << choice->count) - 1, 0};
  struct literals all = automaton_conjunction(a, a->edges.at[choice->edge].guard);
  for (size_t k = 0; k < all.count; k++)
    for (size_t v = 0; v < choice->count; v++)
      if (choice->vars[v] == literal_var(all.at[k]) && !literal_is_less(all.at[k]))
        o.greater |= (uint64_t)1 << v;
  if (is_taken(a, choice->edge, choice, o.greater)) vec_push(&choice->outcomes, o);
}

static bool choice_of_edge(struct builder *b, size_t step, struct choice *choice) {
  const struct automaton *a = b->query->automaton;
  uint32_t edge = b->edges[step], guard = a->edges.at[edge].guard, from = a->edges.at[edge].from;
  memset(choice, 0, sizeof *choice);
  choice->edge = edge;
  bool fits = add_guard_vars(a, guard, choice), is_simple = automaton_is_conjunction(a, guard);
  for (uint32_t e = a->first_edge.at[from]; e < edge && fits; e++) {
    if (automaton_edges_exclude(a, e, edge)) continue;
    fits = add_guard_vars(a, a->edges.at[e].guard, choice);
    is_simple = false;
  }
  if (!fits || (!is_simple && choice->count > CASE_VARS_MAX)) {
    probability_fail(b->out, PROBABILITY_LIMIT,
                     xasprintf("the guard of step %zu compares with too many variables", step + 1));
    return false;
  }
  if (is_simple)
    cover_conjunction(a, choice);
  else
    cover_all(a, choice);
  return true;
}

/* ---- one case as an order problem ----------------------------------------------------------- */

/* The comparison with variable number v of the choice, as far as the case fixes it. */
static void require_side(struct path_case *c, struct outcome o, size_t v, struct stored sample,
                         struct stored held) {
  if (!(o.care >> v & 1)) return;
  if (o.greater >> v & 1)
    require_less(c, held, sample);
  else
    require_less(c, sample, held);
}

static bool step_shared(struct builder *b, struct path_case *c, struct stored *store, size_t i,
                        const struct choice *choice, struct outcome o) {
  const struct automaton *a = b->query->automaton;
  const struct automaton_edge *edge = &a->edges.at[b->edges[i]];
  const struct automaton_state *state = &a->states.at[edge->from];
  struct stored sample = draw(c, b->query, i, state, false, edge->emit == EMIT_INSAMPLE);
  for (size_t v = 0; v < choice->count; v++)
    require_side(c, o, v, sample, store[choice->vars[v]]);
  struct members assigned = automaton_members(a, edge->assign);
  for (size_t k = 0; k < assigned.count; k++)
    store[assigned.at[k]] = sample;
  return true;
}

/* Samples that are neither compared, stored nor emitted need not be drawn. */
static bool step_independent(struct builder *b, struct path_case *c, struct stored *store, size_t i,
                             const struct choice *choice, struct outcome o) {
  const struct automaton *a = b->query->automaton;
  const struct automaton_edge *edge = &a->edges.at[b->edges[i]];
  const struct automaton_state *state = &a->states.at[edge->from];
  struct members assigned = automaton_members(a, edge->assign);
  size_t mentioned = choice->count;
  for (size_t k = 0; k < assigned.count; k++) {
    bool is_compared = false;
    for (size_t v = 0; v < choice->count; v++)
      is_compared = is_compared || choice->vars[v] == assigned.at[k];
    mentioned += !is_compared;
  }
  bool emits = edge->emit == EMIT_INSAMPLE;
  if (emits && mentioned > 1) {
    probability_fail(
        b->out, PROBABILITY_INVALID,
        xasprintf("step %zu emits insample, but several samples are drawn there", i + 1));
    return false;
  }
  if (emits && mentioned == 0) draw(c, b->query, i, state, false, true);
  for (size_t v = 0; v < choice->count; v++) {
    uint32_t x = choice->vars[v];
    bool is_stored = automaton_assigns(a, edge->assign, x);
    if (!emits && !is_stored && !(o.care >> v & 1)) continue;
    struct stored sample = draw(c, b->query, i, state, false, emits);
    require_side(c, o, v, sample, store[x]);
    if (is_stored) store[x] = sample;
  }
  for (size_t k = 0; k < assigned.count; k++) {
    size_t v = 0;
    while (v < choice->count && choice->vars[v] != assigned.at[k])
      v++;
    if (v == choice->count) store[assigned.at[k]] = draw(c, b->query, i, state, false, emits);
  }
  return true;
}

static bool check_step(struct builder *b, const struct stored *store, size_t i,
                       const struct choice *choice) {
  const struct automaton *a = b->query->automaton;
  const struct automaton_edge *edge = &a->edges.at[b->edges[i]];
  const struct automaton_event *event = &b->query->steps.at[i].event;
  if (event->kind != EVENT_ANY && edge->emit != EMIT_INSAMPLE && edge->emit != EMIT_PRIME) {
    probability_fail(b->out, PROBABILITY_INVALID,
                     xasprintf("step %zu emits a symbol, so a window makes no sense there", i + 1));
    return false;
  }
  if (edge->emit == EMIT_PRIME && a->states.at[edge->from].d2 == AUTOMATON_NONE) {
    probability_fail(
        b->out, PROBABILITY_INVALID,
        xasprintf("step %zu emits insample', but its state has no second noise", i + 1));
    return false;
  }
  for (size_t v = 0; v < choice->count; v++)
    if (store[choice->vars[v]].kind == STORED_NOTHING) {
      probability_fail(b->out, PROBABILITY_INVALID,
                       xasprintf("step %zu compares with '%s', which has no value yet", i + 1,
                                 a->vars.at[choice->vars[v]]));
      return false;
    }
  return true;
}

/* ---- the cases of a path -------------------------------------------------------------------- */

/* The steps of a path, grouped by likeness. */
struct plan {
  VEC(struct choice) choices; /* one per edge of the path */
  uint32_t *choice;           /* of each step */
  uint32_t *next;             /* the next step that is alike, or AUTOMATON_NONE */
  bool *is_first;             /* of those that are alike */
  uint32_t *pick;             /* the case of each step; increasing among those that are alike */
  size_t length;
};

static void plan_clear(struct plan *p) {
  for (size_t i = 0; i < p->choices.len; i++)
    vec_clear(&p->choices.at[i].outcomes);
  vec_clear(&p->choices);
  free(p->choice);
  free(p->next);
  free(p->is_first);
  free(p->pick);
}

static bool is_same_end(const struct line_end *a, const struct line_end *b) {
  return line_end_cmp(a, b) == 0;
}

/* Same edge, input and event? */
static bool is_same_step(const struct builder *b, size_t i, size_t j) {
  const struct automaton_step *s = &b->query->steps.at[i], *t = &b->query->steps.at[j];
  return b->edges[i] == b->edges[j] && fmpq_equal(s->input, t->input) &&
         s->event.kind == t->event.kind && is_same_end(&s->event.low, &t->event.low) &&
         is_same_end(&s->event.high, &t->event.high);
}

/* Links each step to the last one before it that is alike. `assigned[x]`: the step after which x
 * has its value. Steps that assign something are like no other. */
static void find_alike(const struct builder *b, struct plan *p) {
  const struct automaton *a = b->query->automaton;
  size_t *assigned = xcalloc(a->vars.len + 1, sizeof *assigned);
  for (size_t i = 0; i < p->length; i++) {
    const struct choice *choice = &p->choices.at[p->choice[i]];
    uint32_t assign = a->edges.at[b->edges[i]].assign;
    size_t since = 0; /* steps before this one saw other values */
    for (size_t v = 0; v < choice->count; v++)
      if (assigned[choice->vars[v]] > since) since = assigned[choice->vars[v]];
    p->is_first[i] = true;
    p->next[i] = AUTOMATON_NONE;
    for (size_t j = i; assign == 0 && choice->outcomes.len > 1 && j-- > since;)
      if (is_same_step(b, i, j)) {
        p->next[j] = (uint32_t)i;
        p->is_first[i] = false;
        break;
      }
    struct members w = automaton_members(a, assign);
    for (size_t k = 0; k < w.count; k++)
      assigned[w.at[k]] = i + 1;
  }
  free(assigned);
}

/* False: something is wrong. *possible: every step has a case. */
static bool plan_build(struct plan *p, struct builder *b, bool *possible) {
  size_t length = b->query->steps.len;
  *p = (struct plan){.length = length};
  p->choice = xcalloc(length + 1, sizeof *p->choice);
  p->next = xcalloc(length + 1, sizeof *p->next);
  p->is_first = xcalloc(length + 1, sizeof *p->is_first);
  p->pick = xcalloc(length + 1, sizeof *p->pick);
  *possible = true;
  for (size_t i = 0; i < length; i++) {
    size_t known = 0;
    while (known < p->choices.len && p->choices.at[known].edge != b->edges[i])
      known++;
    p->choice[i] = (uint32_t)known;
    if (known < p->choices.len) continue;
    struct choice choice;
    bool ok = choice_of_edge(b, i, &choice);
    vec_push(&p->choices, choice);
    if (!ok) return false;
    *possible = *possible && choice.outcomes.len > 0;
  }
  find_alike(b, p);
  return true;
}

/* The next choice of cases, up to exchanging steps that are alike; false: that was the last. */
static bool plan_next(struct plan *p) {
  for (size_t i = 0; i < p->length; i++) {
    if (!p->is_first[i]) continue;
    uint32_t cases = (uint32_t)p->choices.at[p->choice[i]].outcomes.len, last = AUTOMATON_NONE;
    for (uint32_t k = (uint32_t)i; k != AUTOMATON_NONE; k = p->next[k])
      if (p->pick[k] + 1 < cases) last = k;
    uint32_t value = last == AUTOMATON_NONE ? 0 : p->pick[last] + 1;
    for (uint32_t k = last == AUTOMATON_NONE ? (uint32_t)i : last; k != AUTOMATON_NONE;
         k = p->next[k])
      p->pick[k] = value;
    if (last != AUTOMATON_NONE) return true;
  }
  return false;
}

/* In how many ways steps that are alike can be exchanged: a product of multinomials. */
static void plan_weight(fmpz_t weight, const struct plan *p) {
  fmpz_one(weight);
  for (size_t i = 0; i < p->length; i++) {
    if (!p->is_first[i]) continue;
    ulong all = 0, same = 0;
    for (uint32_t k = (uint32_t)i, before = p->pick[i]; k != AUTOMATON_NONE; k = p->next[k]) {
      same = p->pick[k] == before ? same + 1 : 1;
      before = p->pick[k];
      fmpz_mul_ui(weight, weight, ++all);
      fmpz_divexact_ui(weight, weight, same);
    }
  }
}

static bool build_case(struct builder *b, const struct plan *p, struct path_case *c) {
  const struct automaton *a = b->query->automaton;
  struct stored *store = xcalloc(a->vars.len + 1, sizeof *store);
  bool ok = true;
  memset(c, 0, sizeof *c);
  fmpz_init(c->weight);
  plan_weight(c->weight, p);
  order_problem_init(&c->order);
  for (size_t i = 0; i < p->length && ok; i++) {
    const struct automaton_edge *edge = &a->edges.at[b->edges[i]];
    const struct choice *choice = &p->choices.at[p->choice[i]];
    struct outcome o = choice->outcomes.at[p->pick[i]];
    ok = check_step(b, store, i, choice) &&
         (a->independent ? step_independent : step_shared)(b, c, store, i, choice, o);
    if (ok && edge->emit == EMIT_PRIME) draw(c, b->query, i, &a->states.at[edge->from], true, true);
  }
  free(store);
  return ok;
}

bool path_cases_add(struct path_cases *cases, const struct automaton_query *query,
                    const uint32_t *edges, struct probability *out) {
  struct builder b = {.query = query, .edges = edges, .out = out};
  struct plan plan;
  bool possible, ok = plan_build(&plan, &b, &possible);
  for (bool more = ok && possible; more; more = ok && plan_next(&plan)) {
    if (cases->list.len >= PROBABILITY_PATHS_MAX || cases->samples > PATH_CASES_SAMPLES_MAX) {
      probability_fail(out, PROBABILITY_LIMIT,
                       xasprintf("the event splits into more than %zu cases", cases->list.len));
      ok = false;
      break;
    }
    struct path_case c;
    ok = build_case(&b, &plan, &c);
    cases->samples += c.order.samples.len;
    vec_push(&cases->list, c);
  }
  plan_clear(&plan);
  return ok;
}
