#include "check/recount/check_automaton.h"

#include <stdlib.h>
#include <string.h>

#include "check/automaton/strategy_check.h"
#include "check/automaton/walk_check.h"
#include "check/counterexample/automaton_certify.h"
#include "check/counterexample/query_text.h"
#include "check/counterexample/unbounded.h"
#include "check/recount/strategy_json.h"
#include "check/recount/subject.h"
#include "lang/check/constant.h"
#include "num/rational.h"

/* ---- automaton-strategy --------------------------------------------------------------------- */

/* The claim `D * eps` of the statement; false: it says "private at some multiple of eps". */
static bool claimed_cost(struct checker *c, const struct cert_statement *s, fmpq_t d) {
  if (!s->decl || s->decl->as.claim.epsilon->kind == EXPR_HOLE) return false;
  if (!constant_multiple(d, s->decl->as.claim.epsilon, intern_str(&c->source->lang.intern, "eps")))
    fmpq_set_si(d, -1, 1); /* the language refuses it; nothing costs less */
  return true;
}

/* The strategy is valid, costs what the certificate says, and that is at most what is claimed. */
static bool judge_strategy(struct checker *c, const struct cert_statement *s,
                           const struct subject *a, const struct strategy *strategy,
                           const fmpq_t cost) {
  fmpq_t value, d;
  fmpq_init(value);
  fmpq_init(d);
  strategy_cost(value, strategy);
  struct buffer why;
  buffer_init(&why);
  bool ok = fmpq_equal(value, cost) ||
            reader_fail(&c->r, REJECTED, "the cost is not that of the strategy");
  if (ok && claimed_cost(c, s, d) && fmpq_cmp(cost, d) > 0)
    ok = reader_fail(&c->r, REJECTED, "the strategy costs more than is claimed");
  if (ok && !strategy_check(&a->model, strategy, c->budget, &why))
    ok = reader_fail(&c->r, REJECTED, "%s", buffer_text(&why));
  buffer_clear(&why);
  fmpq_clear(value);
  fmpq_clear(d);
  return ok;
}

static bool check_strategy(struct checker *c, const struct cert_statement *s,
                           const struct subject *a, const json_t *json) {
  fmpq_t cost;
  fmpq_init(cost);
  struct strategy strategy;
  strategy_init(&strategy);
  bool ok = reader_field_rational(&c->r, json, "cost", cost);
  size_t mark = c->r.place.len;
  if (ok) {
    reader_enter(&c->r, "strategy");
    ok = strategy_from_json(&c->r, json_object_get(json, "strategy"), &a->model, &strategy);
  }
  if (ok) reader_leave(&c->r, mark);
  ok = ok && judge_strategy(c, s, a, &strategy, cost);
  if (ok) {
    buffer_puts(c->said, "proved    ");
    rational_print(c->said, cost);
    buffer_printf(c->said, "*eps-private for every eps (strategy over %zu nodes)",
                  strategy.product.nodes.len);
  }
  strategy_clear(&strategy);
  fmpq_clear(cost);
  return ok;
}

/* ---- automaton-counterexample --------------------------------------------------------------- */

static bool read_output(struct checker *c, struct automaton_query *q, const json_t *json) {
  const char *text = json_string_value(json);
  char *why = NULL;
  size_t before = q->steps.len;
  if (!text || strlen(text) != json_string_length(json))
    return reader_fail(&c->r, MALFORMED, "expected a text");
  bool ok = query_parse_output(q, text, &why) || reader_fail(&c->r, MALFORMED, "%s", why);
  free(why);
  struct buffer b;
  buffer_init(&b);
  if (ok) query_print_output(&b, q->automaton, &q->steps.at[before]);
  if (ok && (q->steps.len != before + 1 || strcmp(buffer_text(&b), text) != 0))
    ok = reader_fail(&c->r, MALFORMED, "'%.64s' must be written as %.64s", text, buffer_text(&b));
  buffer_clear(&b);
  return ok;
}

static bool read_steps(struct checker *c, struct automaton_counterexample *ce, const json_t *json) {
  const json_t *inputs = reader_array(&c->r, json, "inputs");
  const json_t *outputs = reader_array(&c->r, json, "outputs");
  if (!inputs || !outputs) return false;
  if (json_array_size(inputs) != json_array_size(outputs))
    return reader_fail(&c->r, MALFORMED, "%zu inputs, but %zu outputs", json_array_size(inputs),
                       json_array_size(outputs));
  size_t mark = reader_enter(&c->r, "outputs");
  for (size_t i = 0; i < json_array_size(outputs); i++) {
    size_t inner = reader_enter_item(&c->r, i);
    if (!read_output(c, &ce->first, json_array_get(outputs, i)) ||
        !read_output(c, &ce->second, json_array_get(outputs, i)))
      return false;
    reader_leave(&c->r, inner);
  }
  reader_leave(&c->r, mark);
  reader_enter(&c->r, "inputs");
  for (size_t i = 0; i < json_array_size(inputs); i++) {
    size_t inner = reader_enter_item(&c->r, i);
    const json_t *pair = json_array_get(inputs, i);
    if (json_array_size(pair) != 2)
      return reader_fail(&c->r, MALFORMED, "expected the inputs of two runs");
    if (!reader_rational(&c->r, json_array_get(pair, 0), ce->first.steps.at[i].input) ||
        !reader_rational(&c->r, json_array_get(pair, 1), ce->second.steps.at[i].input))
      return false;
    reader_leave(&c->r, inner);
  }
  reader_leave(&c->r, mark);
  return true;
}

static bool check_refuted(struct checker *c, const struct subject *a, const json_t *json,
                          const fmpq_t cost) {
  struct automaton_counterexample ce;
  automaton_counterexample_init(&ce, &a->model);
  char *why = NULL;
  bool ok = reader_object(&c->r, json, "cost eps inputs outputs") &&
            reader_field_rational(&c->r, json, "cost", ce.claimed) &&
            reader_field_rational(&c->r, json, "eps", ce.eps);
  if (ok && (!fmpq_equal(ce.claimed, cost) || fmpq_sgn(cost) < 0))
    ok = reader_fail(&c->r, REJECTED, "this is not the cost to refute");
  ok = ok && read_steps(c, &ce, json);
  fmpq_set(ce.first.eps, ce.eps);
  fmpq_set(ce.second.eps, ce.eps);
  if (ok && !automaton_certify(&ce, c->budget, &why))
    ok = reader_fail(&c->r, REJECTED, "%s", why ? why : "no counterexample");
  free(why);
  if (ok) {
    c->said->len = 0;
    buffer_puts(c->said, "refuted   not ");
    rational_print(c->said, cost);
    buffer_puts(c->said, "*eps-private: at eps = ");
    rational_print(c->said, ce.eps);
    buffer_puts(c->said, " the loss is at least ");
    ball_print_lower(c->said, ce.loss, 6);
    buffer_puts(c->said, "*eps");
  }
  automaton_counterexample_clear(&ce);
  return ok;
}

/* A claim with a cost has that cost refuted. "Private for some D" has certain costs refuted. */
static bool check_costs(struct checker *c, const struct cert_statement *s, const struct subject *a,
                        const json_t *json) {
  const json_t *list = reader_array(&c->r, json, "refuted");
  if (!list) return false;
  fmpq_t d;
  fmpq_init(d);
  bool stated = claimed_cost(c, s, d), ok = true;
  size_t count = json_array_size(list), mark = reader_enter(&c->r, "refuted");
  if (count == 0 || count > (stated ? 1 : CERT_UNBOUNDED_COSTS))
    ok = reader_fail(&c->r, MALFORMED, "expected 1 to %d counterexamples, found %zu",
                     stated ? 1 : CERT_UNBOUNDED_COSTS, count);
  for (size_t i = 0; ok && i < count; i++) {
    size_t inner = reader_enter_item(&c->r, i);
    if (!stated) fmpq_set_ui(d, cert_unbounded_costs[i], 1);
    ok = check_refuted(c, a, json_array_get(list, i), d);
    if (ok) reader_leave(&c->r, inner);
  }
  if (ok) reader_leave(&c->r, mark);
  fmpq_clear(d);
  return ok;
}

static bool states_cost(struct checker *c, const struct cert_statement *s) {
  fmpq_t d;
  fmpq_init(d);
  bool stated = claimed_cost(c, s, d);
  fmpq_clear(d);
  return stated;
}

/* Numbers refute one cost. That no cost is enough needs a walk, too. */
static bool check_automaton(struct checker *c, const struct cert_statement *s,
                            const struct subject *a, const json_t *json) {
  if (!states_cost(c, s)) {
    reader_enter(&c->r, "refuted");
    return reader_fail(
        &c->r, REJECTED,
        "the claim is \"private at some multiple of eps\": no list of costs refutes it, a walk "
        "along which the loss grows without bound is needed");
  }
  return check_costs(c, s, a, json);
}

/* ---- automaton-walk ------------------------------------------------------------------------- */

static bool read_signs(struct checker *c, const json_t *json, size_t count, int8_t *out) {
  const char *text = json_string_value(json);
  if (!text || json_string_length(json) != count || strspn(text, "-0+") != count)
    return reader_fail(&c->r, MALFORMED,
                       count == 1 ? "expected a sign: the difference of the inputs"
                                  : "expected three signs: level, lean, difference");
  for (size_t i = 0; i < count; i++)
    out[i] = (int8_t)(text[i] == '-' ? -1 : text[i] == '+');
  return true;
}

/* One row: an edge, the number of its cycle, and `count` signs. */
static bool read_walk_step(struct checker *c, const struct automaton *a, const json_t *row,
                           struct walk *walk, size_t count, int8_t *signs) {
  struct walk_step step;
  if (json_array_size(row) != 3)
    return reader_fail(&c->r, MALFORMED, "expected an edge, a cycle and signs");
  if (!reader_number(&c->r, json_array_get(row, 0), a->edges.len, "edges", &step.edge) ||
      !reader_number(&c->r, json_array_get(row, 1), WALK_STEPS + 1, "cycles", &step.cycle) ||
      !read_signs(c, json_array_get(row, 2), count, signs))
    return false;
  if (step.cycle > walk->cycle_count) walk->cycle_count = step.cycle;
  vec_push(&walk->steps, step);
  return true;
}

static bool judge_walk(struct checker *c, const struct subject *a, const struct walk *walk,
                       const int8_t *delta) {
  if (!a->report.in_class)
    return reader_fail(&c->r, REJECTED, "outside the class the walk settles nothing");
  struct buffer why;
  buffer_init(&why);
  bool ok = walk_check(&a->model, walk, delta, c->budget, &why) ||
            reader_fail(&c->r, REJECTED, "the loss is not unbounded along this walk: %s",
                        buffer_text(&why));
  buffer_clear(&why);
  return ok;
}

/* Automata in the class of the theory: the loss is unbounded along the walk
 * (check/automaton/walk_check.h). The numbers are checked as well. */
static bool check_walk(struct checker *c, const struct cert_statement *s, const struct subject *a,
                       const json_t *json) {
  const json_t *list = reader_array(&c->r, json, "walk");
  if (!list) return false;
  if (states_cost(c, s))
    return reader_fail(&c->r, NOT_BOUND, "the claim states a cost: one counterexample is enough");
  struct walk walk;
  VEC(int8_t) delta = {0};
  walk_init(&walk);
  size_t mark = reader_enter(&c->r, "walk"), count = json_array_size(list);
  bool ok = count <= WALK_STEPS || reader_fail(&c->r, MALFORMED, "more than %d steps", WALK_STEPS);
  for (size_t i = 0; ok && i < count; i++) {
    size_t inner = reader_enter_item(&c->r, i);
    int8_t sign = 0;
    ok = read_walk_step(c, &a->model, json_array_get(list, i), &walk, 1, &sign);
    vec_push(&delta, sign);
    if (ok) reader_leave(&c->r, inner);
  }
  ok = ok && judge_walk(c, a, &walk, delta.at);
  if (ok) reader_leave(&c->r, mark);
  ok = ok && check_costs(c, s, a, json);
  if (ok) buffer_puts(c->said, "; unbounded along a walk: not private at any multiple of eps");
  vec_clear(&delta);
  walk_clear(&walk);
  return ok;
}

/* ---- automaton-unbounded -------------------------------------------------------------------- */

static bool read_walk(struct checker *c, const struct automaton *a, const json_t *list,
                      struct walk *walk, struct unbounded *inputs) {
  if (json_array_size(list) > UNBOUNDED_STEPS)
    return reader_fail(&c->r, MALFORMED, "more than %d steps", UNBOUNDED_STEPS);
  for (size_t i = 0; i < json_array_size(list); i++) {
    size_t mark = reader_enter_item(&c->r, i);
    int8_t signs[3];
    if (!read_walk_step(c, a, json_array_get(list, i), walk, 3, signs)) return false;
    inputs->level[i] = signs[0];
    inputs->lean[i] = signs[1];
    inputs->delta[i] = signs[2];
    inputs->count++;
    reader_leave(&c->r, mark);
  }
  return true;
}

/* The loss is unbounded along the walk, by the argument of check/counterexample/unbounded.h; it
 * holds for the output of the walk, so that outputs have to tell the path. The numbers are checked
 * as well. */
static bool check_unbounded(struct checker *c, const struct cert_statement *s,
                            const struct subject *a, const json_t *json) {
  const json_t *list = reader_array(&c->r, json, "walk");
  if (!list) return false;
  if (states_cost(c, s))
    return reader_fail(&c->r, NOT_BOUND, "the claim states a cost: one counterexample is enough");
  struct walk walk;
  struct unbounded inputs = {.count = 0};
  walk_init(&walk);
  size_t mark = reader_enter(&c->r, "walk");
  bool ok = read_walk(c, &a->model, list, &walk, &inputs);
  struct unbounded_problem *problem = ok ? unbounded_open(&a->model, &walk) : NULL;
  if (ok && a->report.output_distinction > 0)
    ok = reader_fail(&c->r, REJECTED, "outputs do not tell the path");
  if (ok && !(problem && unbounded_at(problem, &inputs)))
    ok = reader_fail(&c->r, REJECTED, "the loss is not unbounded along this walk");
  if (ok) reader_leave(&c->r, mark);
  ok = ok && check_costs(c, s, a, json);
  if (ok) buffer_puts(c->said, "; unbounded along a walk: not private at any multiple of eps");
  unbounded_close(problem);
  walk_clear(&walk);
  return ok;
}

/* ---- of the automaton in the source --------------------------------------------------------- */

typedef bool automaton_judge(struct checker *c, const struct cert_statement *s,
                             const struct subject *a, const json_t *json);

static bool judge_subject(struct checker *c, const struct cert_statement *s, const json_t *json,
                          automaton_judge *judge) {
  struct subject a;
  bool ok = subject_load(&a, c, s, json) && judge(c, s, &a, json);
  subject_clear(&a);
  return ok;
}

bool cert_judge_strategy(struct checker *c, const struct cert_statement *s, const json_t *json) {
  return judge_subject(c, s, json, check_strategy);
}

bool cert_judge_automaton(struct checker *c, const struct cert_statement *s, const json_t *json) {
  return judge_subject(c, s, json, check_automaton);
}

bool cert_judge_walk(struct checker *c, const struct cert_statement *s, const json_t *json) {
  return judge_subject(c, s, json, check_walk);
}

bool cert_judge_unbounded(struct checker *c, const struct cert_statement *s, const json_t *json) {
  return judge_subject(c, s, json, check_unbounded);
}
