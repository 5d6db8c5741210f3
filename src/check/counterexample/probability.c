#include "check/counterexample/probability.h"

#include <string.h>

#include "base/alloc.h"
#include "check/counterexample/path_cases.h"
#include "num/real/order_graph.h"

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

void probability_fail(struct probability *out, enum probability_status status, char *why) {
  if (out->why) {
    free(why);
    return;
  }
  out->status = status;
  out->why = why;
}

/* ---- paths with an output ------------------------------------------------------------------- */

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
      probability_fail(out, PROBABILITY_INVALID,
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
  const struct path_cases *cases;
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
  arb_mul_fmpz(out, out, c->weight, precision);
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
  for (size_t i = 0; i < ev->cases->list.len && ev->status == ORDER_OK; i++) {
    case_value(part, &ev->cases->list.at[i], ev, precision);
    arb_add(sum, sum, part, precision);
  }
  arb_swap(out, sum);
  arb_clear(part);
  arb_clear(sum);
  return ev->status == ORDER_OK;
}

static void evaluate_cases(struct probability *out, const struct path_cases *cases,
                           struct ball_goal goal) {
  struct evaluation ev = {cases, goal.budget, ORDER_OK};
  switch (ball_adapt(out->value, evaluate, &ev, goal)) {
  case BALL_OK: out->status = PROBABILITY_OK; break;
  case BALL_IMPRECISE:
    probability_fail(out, PROBABILITY_IMPRECISE, xstrdup("the precision limit was reached"));
    break;
  case BALL_TIMEOUT: probability_fail(out, PROBABILITY_TIMEOUT, xstrdup("out of time")); break;
  case BALL_FAILED:
    probability_fail(out, ev.status == ORDER_TIMEOUT ? PROBABILITY_TIMEOUT : PROBABILITY_LIMIT,
                     xstrdup(order_status_text(ev.status)));
    break;
  }
}

static bool collect_cases(struct probability *out, const struct automaton_query *query,
                          const edge_paths *paths, struct path_cases *cases) {
  for (size_t i = 0; i < paths->len; i++) {
    const edge_path *path = &paths->at[i];
    if (relies_on_priority(query->automaton, path->at, path->len)) out->by_priority = true;
    if (!path_cases_add(cases, query, path->at, out)) return false;
  }
  return true;
}

void automaton_probability(struct probability *out, const struct automaton_query *query,
                           struct ball_goal goal) {
  edge_paths paths = {0};
  struct path_cases cases = {0};
  bool ok = true;
  if (query->steps.len > PROBABILITY_STEPS_MAX) {
    probability_fail(out, PROBABILITY_LIMIT,
                     xasprintf("more than %d steps", PROBABILITY_STEPS_MAX));
    ok = false;
  } else if (query->automaton->start >= query->automaton->states.len) {
    probability_fail(out, PROBABILITY_INVALID, xstrdup("the automaton has no start state"));
    ok = false;
  } else if (fmpq_sgn(query->eps) <= 0) {
    probability_fail(out, PROBABILITY_INVALID, xstrdup("eps is not positive"));
    ok = false;
  } else if (query->is_path) {
    edge_path path = {0};
    for (size_t i = 0; i < query->steps.len; i++)
      vec_push(&path, query->steps.at[i].what);
    ok = check_path(out, query->automaton, path.at, path.len);
    vec_push(&paths, path);
  } else if (!automaton_paths_with_output(&paths, query, PROBABILITY_PATHS_MAX)) {
    probability_fail(out, PROBABILITY_LIMIT,
                     xasprintf("more than %d paths have this output", PROBABILITY_PATHS_MAX));
    ok = false;
  }
  for (size_t i = 0; i < query->steps.len; i++)
    out->dimension += query->steps.at[i].event.kind == EVENT_VALUE;
  out->paths = paths.len;
  if (ok && collect_cases(out, query, &paths, &cases)) evaluate_cases(out, &cases, goal);
  path_cases_clear(&cases);
  edge_paths_clear(&paths);
}

bool automaton_path_is_possible(const struct automaton *a, const uint32_t *edges, size_t length) {
  struct automaton_query query;
  struct probability unused;
  struct path_cases cases = {0};
  automaton_query_init(&query, a, true);
  probability_init(&unused);
  for (size_t i = 0; i < length; i++)
    automaton_query_push(&query, edges[i]);
  bool is_possible = !path_cases_add(&cases, &query, edges, &unused);
  for (size_t i = 0; i < cases.list.len && !is_possible; i++) {
    struct order_graph graph;
    order_graph_init(&graph, &cases.list.at[i].order);
    is_possible = !graph.is_empty;
    order_graph_clear(&graph);
  }
  path_cases_clear(&cases);
  probability_clear(&unused);
  automaton_query_clear(&query);
  return is_possible;
}
