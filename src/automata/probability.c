#include "automata/probability.h"

#include <string.h>

#include "base/alloc.h"
#include "num/order_graph.h"
#include "num/order_integral.h"

/* ---- queries -------------------------------------------------------------------------------- */

void automaton_query_init(struct automaton_query *query, const struct automaton *automaton,
                          bool is_path) {
  memset(query, 0, sizeof *query);
  query->automaton = automaton;
  query->is_path = is_path;
  fmpq_init(query->eps);
  fmpq_one(query->eps);
}

void automaton_query_clear(struct automaton_query *query) {
  for (size_t i = 0; i < query->steps.len; i++) {
    fmpq_clear(query->steps.at[i].input);
    line_end_clear(&query->steps.at[i].event.low);
    line_end_clear(&query->steps.at[i].event.high);
  }
  vec_clear(&query->steps);
  fmpq_clear(query->eps);
}

struct automaton_step *automaton_query_push(struct automaton_query *query, uint32_t what) {
  struct automaton_step step = {.what = what};
  fmpq_init(step.input);
  line_end_init(&step.event.low, -1);
  line_end_init(&step.event.high, 1);
  vec_push(&query->steps, step);
  return &vec_last(&query->steps);
}

void automaton_query_copy(struct automaton_query *to, const struct automaton_query *from) {
  automaton_query_init(to, from->automaton, from->is_path);
  fmpq_set(to->eps, from->eps);
  for (size_t i = 0; i < from->steps.len; i++) {
    const struct automaton_step *source = &from->steps.at[i];
    struct automaton_step *step = automaton_query_push(to, source->what);
    fmpq_set(step->input, source->input);
    step->event.kind = source->event.kind;
    line_end_set(&step->event.low, &source->event.low);
    line_end_set(&step->event.high, &source->event.high);
  }
}

static uint32_t observed(uint32_t emit) {
  return emit == EMIT_PRIME ? OUTPUT_REAL : emit;
}

void automaton_query_output_of(struct automaton_query *out, const struct automaton_query *path) {
  automaton_query_copy(out, path);
  out->is_path = false;
  for (size_t i = 0; i < out->steps.len; i++)
    out->steps.at[i].what = observed(path->automaton->edges.at[path->steps.at[i].what].emit);
}

void probability_init(struct probability *p) {
  memset(p, 0, sizeof *p);
  arb_init(p->value);
  arb_indeterminate(p->value);
}

void probability_clear(struct probability *p) {
  arb_clear(p->value);
  free(p->why);
}

/* ---- one path as an order problem ----------------------------------------------------------- */

/* An exact value that was seen: its density is a factor. */
struct seen_value {
  fmpq_t distance, rate; /* |value - centre|, 1/scale */
};

struct path_case {
  struct order_problem order;
  VEC(struct seen_value) seen;
};

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
typedef VEC(struct path_case) path_cases;

static void path_case_clear(struct path_case *c) {
  order_problem_clear(&c->order);
  for (size_t i = 0; i < c->seen.len; i++) {
    fmpq_clear(c->seen.at[i].distance);
    fmpq_clear(c->seen.at[i].rate);
  }
  vec_clear(&c->seen);
}

static void fail(struct probability *out, enum probability_status status, char *why) {
  if (out->why) {
    free(why);
    return;
  }
  out->status = status;
  out->why = why;
}

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

/* How the comparisons of a step may turn out: bit v of an outcome says that the sample is not below
 * the v-th variable. A conjunction has one outcome, which leaves no choice. */
struct choice {
  uint32_t vars[GUARD_VARS_MAX];
  size_t count;
  VEC(uint64_t) outcomes; /* with which the edge is taken */
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

static bool choices_of(struct builder *b, size_t i, struct choice *choice) {
  const struct automaton *a = b->query->automaton;
  uint32_t edge = b->edges[i], guard = a->edges.at[edge].guard, from = a->edges.at[edge].from;
  memset(choice, 0, sizeof *choice);
  bool fits = add_guard_vars(a, guard, choice), is_simple = automaton_is_conjunction(a, guard);
  for (uint32_t e = a->first_edge.at[from]; e < edge && fits; e++) {
    if (automaton_edges_exclude(a, e, edge)) continue;
    fits = add_guard_vars(a, a->edges.at[e].guard, choice);
    is_simple = false;
  }
  if (!fits || (!is_simple && choice->count > CASE_VARS_MAX)) {
    fail(b->out, PROBABILITY_LIMIT,
         xasprintf("the guard of step %zu compares with too many variables", i + 1));
    return false;
  }
  if (is_simple) {
    uint64_t outcome = 0;
    struct literals all = automaton_conjunction(a, guard);
    for (size_t k = 0; k < all.count; k++)
      for (size_t v = 0; v < choice->count; v++)
        if (choice->vars[v] == literal_var(all.at[k]) && !literal_is_less(all.at[k]))
          outcome |= (uint64_t)1 << v;
    if (is_taken(a, edge, choice, outcome)) vec_push(&choice->outcomes, outcome);
    return true;
  }
  for (uint64_t outcome = 0; outcome >> choice->count == 0; outcome++)
    if (is_taken(a, edge, choice, outcome)) vec_push(&choice->outcomes, outcome);
  return true;
}

static bool step_shared(struct builder *b, struct path_case *c, struct stored *store, size_t i,
                        const struct choice *choice, uint64_t outcome) {
  const struct automaton *a = b->query->automaton;
  const struct automaton_edge *edge = &a->edges.at[b->edges[i]];
  const struct automaton_state *state = &a->states.at[edge->from];
  struct stored sample = draw(c, b->query, i, state, false, edge->emit == EMIT_INSAMPLE);
  for (size_t v = 0; v < choice->count; v++) {
    struct stored held = store[choice->vars[v]];
    if (outcome >> v & 1)
      require_less(c, held, sample);
    else
      require_less(c, sample, held);
  }
  struct members assigned = automaton_members(a, edge->assign);
  for (size_t k = 0; k < assigned.count; k++)
    store[assigned.at[k]] = sample;
  return true;
}

static bool step_independent(struct builder *b, struct path_case *c, struct stored *store, size_t i,
                             const struct choice *choice, uint64_t outcome) {
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
    fail(b->out, PROBABILITY_INVALID,
         xasprintf("step %zu emits insample, but several samples are drawn there", i + 1));
    return false;
  }
  if (emits && mentioned == 0) draw(c, b->query, i, state, false, true);
  struct stored fresh[GUARD_VARS_MAX];
  for (size_t v = 0; v < choice->count; v++) {
    struct stored held = store[choice->vars[v]];
    fresh[v] = draw(c, b->query, i, state, false, emits);
    if (outcome >> v & 1)
      require_less(c, held, fresh[v]);
    else
      require_less(c, fresh[v], held);
  }
  for (size_t k = 0; k < assigned.count; k++) {
    size_t v = 0;
    while (v < choice->count && choice->vars[v] != assigned.at[k])
      v++;
    store[assigned.at[k]] =
        v < choice->count ? fresh[v] : draw(c, b->query, i, state, false, emits);
  }
  return true;
}

static bool check_step(struct builder *b, const struct stored *store, size_t i,
                       const struct choice *choice) {
  const struct automaton *a = b->query->automaton;
  const struct automaton_edge *edge = &a->edges.at[b->edges[i]];
  const struct automaton_event *event = &b->query->steps.at[i].event;
  if (event->kind != EVENT_ANY && edge->emit != EMIT_INSAMPLE && edge->emit != EMIT_PRIME) {
    fail(b->out, PROBABILITY_INVALID,
         xasprintf("step %zu emits a symbol, so a window makes no sense there", i + 1));
    return false;
  }
  if (edge->emit == EMIT_PRIME && a->states.at[edge->from].d2 == AUTOMATON_NONE) {
    fail(b->out, PROBABILITY_INVALID,
         xasprintf("step %zu emits insample', but its state has no second noise", i + 1));
    return false;
  }
  for (size_t v = 0; v < choice->count; v++)
    if (store[choice->vars[v]].kind == STORED_NOTHING) {
      fail(b->out, PROBABILITY_INVALID,
           xasprintf("step %zu compares with '%s', which has no value yet", i + 1,
                     a->vars.at[choice->vars[v]]));
      return false;
    }
  return true;
}

/* The order problem of the path under one choice of outcomes. */
static bool build_case(struct builder *b, const struct choice *choices, const size_t *pick,
                       struct path_case *c) {
  const struct automaton *a = b->query->automaton;
  struct stored *store = xcalloc(a->vars.len + 1, sizeof *store);
  bool ok = true;
  memset(c, 0, sizeof *c);
  order_problem_init(&c->order);
  for (size_t i = 0; i < b->query->steps.len && ok; i++) {
    const struct automaton_edge *edge = &a->edges.at[b->edges[i]];
    uint64_t outcome = choices[i].outcomes.at[pick[i]];
    ok = check_step(b, store, i, &choices[i]) &&
         (a->independent ? step_independent(b, c, store, i, &choices[i], outcome)
                         : step_shared(b, c, store, i, &choices[i], outcome));
    if (ok && edge->emit == EMIT_PRIME) draw(c, b->query, i, &a->states.at[edge->from], true, true);
  }
  free(store);
  return ok;
}

/* Appends the cases of a path: the product of the choices of its steps. */
static bool build_cases(struct builder *b, path_cases *cases) {
  size_t length = b->query->steps.len;
  struct choice *choices = xcalloc(length + 1, sizeof *choices);
  size_t *pick = xcalloc(length + 1, sizeof *pick), built = 0;
  bool ok = true, possible = true;
  for (; built < length && ok; built++) {
    ok = choices_of(b, built, &choices[built]);
    possible = possible && choices[built].outcomes.len > 0;
  }
  for (size_t changed = 0; ok && possible && changed <= length;) {
    if (cases->len >= PROBABILITY_PATHS_MAX) {
      fail(b->out, PROBABILITY_LIMIT,
           xasprintf("the event splits into more than %d cases", PROBABILITY_PATHS_MAX));
      ok = false;
      break;
    }
    struct path_case c;
    ok = build_case(b, choices, pick, &c);
    vec_push(cases, c);
    for (changed = 0; changed < length; changed++) { /* count up */
      if (++pick[changed] < choices[changed].outcomes.len) break;
      pick[changed] = 0;
    }
    if (changed == length) break;
  }
  for (size_t i = 0; i < built; i++)
    vec_clear(&choices[i].outcomes);
  free(choices);
  free(pick);
  return ok;
}

/* ---- paths with an output ------------------------------------------------------------------- */

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

void edge_paths_clear(edge_paths *paths) {
  for (size_t i = 0; i < paths->len; i++)
    vec_clear(&paths->at[i]);
  vec_clear(paths);
}

/* Depth-first; `work` bounds the prefixes visited, for those that lead nowhere. */
struct path_search {
  edge_paths *paths;
  const struct automaton_query *output;
  edge_path prefix;
  size_t limit, work;
};

static bool extend_paths(struct path_search *search, uint32_t state) {
  const struct automaton *a = search->output->automaton;
  edge_path *prefix = &search->prefix;
  if (search->work-- == 0) return false;
  if (prefix->len == search->output->steps.len) {
    if (search->paths->len == search->limit) return false;
    edge_path copy = {0};
    for (size_t i = 0; i < prefix->len; i++)
      vec_push(&copy, prefix->at[i]);
    vec_push(search->paths, copy);
    return true;
  }
  for (uint32_t e = a->first_edge.at[state]; e < a->first_edge.at[state + 1]; e++) {
    if (observed(a->edges.at[e].emit) != search->output->steps.at[prefix->len].what) continue;
    vec_push(prefix, e);
    bool ok = extend_paths(search, a->edges.at[e].to);
    prefix->len--;
    if (!ok) return false;
  }
  return true;
}

bool automaton_paths_with_output(edge_paths *paths, const struct automaton_query *output,
                                 size_t limit) {
  struct path_search search = {.paths = paths, .output = output, .limit = limit};
  search.work = 4 * (limit + 1) * (output->steps.len + 1);
  bool ok = extend_paths(&search, output->automaton->start);
  vec_clear(&search.prefix);
  return ok;
}

/* Does some state on the path have two edges that can be taken at once, one of them ours? */
static bool relies_on_priority(const struct automaton *a, const uint32_t *edges, size_t length) {
  for (size_t i = 0; i < length; i++) {
    uint32_t state = a->edges.at[edges[i]].from;
    for (uint32_t e = a->first_edge.at[state]; e < a->first_edge.at[state + 1]; e++)
      if (e != edges[i] && !automaton_edges_exclude(a, e, edges[i])) return true;
  }
  return false;
}

static bool check_path(struct probability *out, const struct automaton *a, const uint32_t *edges,
                       size_t length) {
  uint32_t state = a->start;
  for (size_t i = 0; i < length; i++) {
    if (edges[i] >= a->edges.len || a->edges.at[edges[i]].from != state) {
      struct buffer name;
      buffer_init(&name);
      automaton_print_state(&name, a, state);
      fail(out, PROBABILITY_INVALID,
           xasprintf("step %zu is not an edge of state %s", i + 1, buffer_text(&name)));
      buffer_clear(&name);
      return false;
    }
    state = a->edges.at[edges[i]].to;
  }
  return true;
}

/* ---- evaluation ----------------------------------------------------------------------------- */

struct evaluation {
  const path_cases *cases;
  const struct budget *budget;
  enum order_status status;
};

static void case_value(arb_t out, const struct path_case *c, struct evaluation *ev,
                       slong precision) {
  arb_t factor;
  fmpq_t exponent;
  arb_init(factor);
  fmpq_init(exponent);
  enum order_status status = order_integral(out, &c->order, ev->budget, precision);
  if (status != ORDER_OK) ev->status = status;
  for (size_t k = 0; k < c->seen.len; k++) { /* (rate/2) e^(-rate distance) */
    const fmpq *rate = c->seen.at[k].rate;
    fmpq_mul(exponent, rate, c->seen.at[k].distance);
    fmpq_neg(exponent, exponent);
    ball_exp_rational(factor, exponent, precision);
    arb_mul_fmpz(factor, factor, fmpq_numref(rate), precision);
    arb_div_fmpz(factor, factor, fmpq_denref(rate), precision);
    arb_mul_2exp_si(factor, factor, -1);
    arb_mul(out, out, factor, precision);
  }
  fmpq_clear(exponent);
  arb_clear(factor);
}

static bool evaluate(arb_t out, void *context, slong precision) {
  struct evaluation *ev = context;
  arb_t part, sum;
  arb_init(part);
  arb_init(sum);
  for (size_t i = 0; i < ev->cases->len && ev->status == ORDER_OK; i++) {
    case_value(part, &ev->cases->at[i], ev, precision);
    arb_add(sum, sum, part, precision);
  }
  arb_swap(out, sum);
  arb_clear(part);
  arb_clear(sum);
  return ev->status == ORDER_OK;
}

static void evaluate_cases(struct probability *out, const path_cases *cases,
                           struct ball_goal goal) {
  struct evaluation ev = {cases, goal.budget, ORDER_OK};
  switch (ball_adapt(out->value, evaluate, &ev, goal)) {
  case BALL_OK: out->status = PROBABILITY_OK; break;
  case BALL_IMPRECISE:
    fail(out, PROBABILITY_IMPRECISE, xstrdup("the precision limit was reached"));
    break;
  case BALL_TIMEOUT: fail(out, PROBABILITY_TIMEOUT, xstrdup("out of time")); break;
  case BALL_FAILED:
    fail(out, ev.status == ORDER_TIMEOUT ? PROBABILITY_TIMEOUT : PROBABILITY_LIMIT,
         xstrdup(order_status_text(ev.status)));
    break;
  }
}

static bool collect_cases(struct probability *out, const struct automaton_query *query,
                          const edge_paths *paths, path_cases *cases) {
  for (size_t i = 0; i < paths->len; i++) {
    struct builder b = {.query = query, .edges = paths->at[i].at, .out = out};
    if (relies_on_priority(query->automaton, b.edges, paths->at[i].len)) out->by_priority = true;
    if (!build_cases(&b, cases)) return false;
  }
  return true;
}

void automaton_probability(struct probability *out, const struct automaton_query *query,
                           struct ball_goal goal) {
  edge_paths paths = {0};
  path_cases cases = {0};
  bool ok = true;
  if (query->steps.len > PROBABILITY_STEPS_MAX) {
    fail(out, PROBABILITY_LIMIT, xasprintf("more than %d steps", PROBABILITY_STEPS_MAX));
    ok = false;
  } else if (query->automaton->start >= query->automaton->states.len) {
    fail(out, PROBABILITY_INVALID, xstrdup("the automaton has no start state"));
    ok = false;
  } else if (fmpq_sgn(query->eps) <= 0) {
    fail(out, PROBABILITY_INVALID, xstrdup("eps is not positive"));
    ok = false;
  } else if (query->is_path) {
    edge_path path = {0};
    for (size_t i = 0; i < query->steps.len; i++)
      vec_push(&path, query->steps.at[i].what);
    ok = check_path(out, query->automaton, path.at, path.len);
    vec_push(&paths, path);
  } else if (!automaton_paths_with_output(&paths, query, PROBABILITY_PATHS_MAX)) {
    fail(out, PROBABILITY_LIMIT,
         xasprintf("more than %d paths have this output", PROBABILITY_PATHS_MAX));
    ok = false;
  }
  for (size_t i = 0; i < query->steps.len; i++)
    out->dimension += query->steps.at[i].event.kind == EVENT_VALUE;
  out->paths = paths.len;
  if (ok && collect_cases(out, query, &paths, &cases)) evaluate_cases(out, &cases, goal);
  for (size_t i = 0; i < cases.len; i++)
    path_case_clear(&cases.at[i]);
  vec_clear(&cases);
  edge_paths_clear(&paths);
}

bool automaton_path_is_possible(const struct automaton *a, const uint32_t *edges, size_t length) {
  struct automaton_query query;
  struct probability unused;
  path_cases cases = {0};
  automaton_query_init(&query, a, true);
  probability_init(&unused);
  for (size_t i = 0; i < length; i++)
    automaton_query_push(&query, edges[i]);
  struct builder b = {.query = &query, .edges = edges, .out = &unused};
  bool is_possible = !build_cases(&b, &cases);
  for (size_t i = 0; i < cases.len; i++) {
    struct order_graph graph;
    if (!is_possible) {
      order_graph_init(&graph, &cases.at[i].order);
      is_possible = !graph.is_empty;
      order_graph_clear(&graph);
    }
    path_case_clear(&cases.at[i]);
  }
  vec_clear(&cases);
  probability_clear(&unused);
  automaton_query_clear(&query);
  return is_possible;
}
