#include "report/judge/judge_automaton.h"

#include <stdlib.h>
#include <string.h>

#include "automata/decide/approx.h"
#include "automata/decide/follow.h"
#include "automata/decide/walk_deltas.h"
#include "automata/model/picture.h"
#include "base/work.h"
#include "check/automaton/walk_check.h"
#include "check/recount/value.h"
#include "num/rational.h"
#include "out/automaton_text.h"
#include "out/evidence.h"
#include "report/record/cert_write.h"
#include "report/record/counterexample.h"
#include "search/refute/automaton_refute.h"

void judged_automaton_init(struct judged_automaton *j) {
  *j = (struct judged_automaton){0};
  automaton_init(&j->model);
}

void judged_automaton_clear(struct judged_automaton *j) {
  if (j->is_analysed) automaton_result_clear(&j->result);
  free(j->lower);
  automaton_clear(&j->model);
}

static void analyse(struct judged_automaton *j) {
  if (j->is_analysed) return;
  int64_t begin = work_now();
  automaton_analyse(&j->result, &j->model);
  j->seconds = (double)(work_now() - begin) / 1e9;
  j->is_analysed = true;
}

/* The claim may or may not hold: couplings cost between lower and upper. */
static bool is_inside_bracket(const struct automaton_result *r, const fmpq *d) {
  return r->verdict == AUTOMATON_PRIVATE && !r->exact && fmpq_cmp(r->lower, d) <= 0 &&
         fmpq_cmp(d, r->upper) < 0;
}

static void set_text(char **field, struct buffer *text) {
  record_set(field, buffer_text(text));
  buffer_clear(text);
}

/* ---- what there is to say ------------------------------------------------------------------- */

static json_t *walk_json(const struct automaton *a, const struct walk *w) {
  json_t *steps = json_array();
  struct buffer b;
  buffer_init(&b);
  for (size_t i = 0; i < w->steps.len; i++) {
    b.len = 0;
    automaton_print_edge(&b, a, w->steps.at[i].edge);
    json_array_append_new(steps,
                          json_pack("{s:s, s:i, s:i}", "edge", buffer_text(&b), "number",
                                    (int)w->steps.at[i].edge, "cycle", (int)w->steps.at[i].cycle));
  }
  b.len = 0;
  walk_print(&b, a, w);
  while (b.len && b.text[b.len - 1] == '\n')
    b.text[--b.len] = '\0';
  json_t *json = json_pack("{s:s, s:s?, s:o, s:s}", "kind", violation_name(w->kind), "variable",
                           w->var == AUTOMATON_NONE ? NULL : a->vars.at[w->var], "steps", steps,
                           "text", buffer_text(&b));
  buffer_clear(&b);
  return json;
}

/* The fixed strategies (Coupling strategies, construction 6.4), for comparison: never cheaper
 * than the cost. */
static json_t *fixed_strategies_json(const struct automaton *a) {
  struct approx approx;
  automaton_approx(&approx, a);
  json_t *json = NULL;
  if (approx.applies) {
    json_t *choices = json_array();
    struct buffer b;
    buffer_init(&b);
    for (size_t i = 0; i < approx.choices.len; i++) {
      b.len = 0;
      automaton_print_edge(&b, a, approx.choices.at[i].edge);
      json_array_append_new(choices, json_pack("{s:s, s:i}", "edge", buffer_text(&b), "shift",
                                               approx.choices.at[i].shift));
    }
    buffer_clear(&b);
    json = json_pack("{s:o, s:o}", "choices", choices, "cost",
                     approx.feasible ? rational_to_json(approx.cost) : json_null());
  }
  approx_clear(&approx);
  return json;
}

enum { MOVES_SHOWN = 200 }; /* edges of an automaton whose strategy is spelled out */

/* What the strategy does on each edge: for small automata, and where it need not know the path. */
static json_t *moves_json(const struct judged_automaton *j) {
  const struct automaton *a = &j->model;
  if (a->edges.len > MOVES_SHOWN) return NULL;
  struct edge_use *uses = xmalloc((a->edges.len + 1) * sizeof *uses);
  json_t *moves = strategy_follow(&j->result.strategy, a, uses) ? json_array() : NULL;
  struct buffer edge, text;
  buffer_init(&edge);
  buffer_init(&text);
  for (uint32_t e = 0; e < a->edges.len && moves; e++) {
    if (!uses[e].is_used) continue;
    edge.len = text.len = 0;
    automaton_print_edge(&edge, a, e);
    edge_use_print(&text, &uses[e], a->states.at[a->edges.at[e].from].is_input);
    json_array_append_new(moves, json_pack("{s:s, s:i, s:o, s:s}", "edge", buffer_text(&edge),
                                           "number", (int)e, "cost", rational_to_json(uses[e].cost),
                                           "text", buffer_text(&text)));
  }
  buffer_clear(&edge);
  buffer_clear(&text);
  edge_uses_clear(uses, a->edges.len);
  free(uses);
  return moves;
}

static json_t *detail_json(const struct judged_automaton *j) {
  json_t *json =
      json_pack("{s:s, s:b, s:I, s:I, s:I}", "class", automaton_kind_name(j->report.kind),
                "in_class", j->report.in_class, "states", (json_int_t)j->model.states.len, "edges",
                (json_int_t)j->model.edges.len, "variables", (json_int_t)j->model.vars.len);
  json_object_set_new(json, "silent_ends", json_integer((json_int_t)j->report.silent_ends));
  if (j->result.verdict == AUTOMATON_PRIVATE) {
    json_object_set_new(json, "cost_is_exact", json_boolean(j->result.exact));
    json_object_set_new(json, "cost_lower", rational_to_json(j->result.lower));
    json_object_set_new(json, "cost_upper", rational_to_json(j->result.upper));
    json_t *fixed = fixed_strategies_json(&j->model);
    if (fixed) json_object_set_new(json, "fixed_strategies", fixed);
    json_t *moves = moves_json(j);
    if (moves) json_object_set_new(json, "moves", moves);
  }
  if (j->result.verdict == AUTOMATON_NOT_PRIVATE)
    json_object_set_new(json, "walk", walk_json(&j->model, &j->result.walk));
  return json;
}

/* ---- pictures ------------------------------------------------------------------------------- */

/* What the strategy, the walk or the most expensive path does on each edge: notes and marks. */
static void annotate(const struct judged_automaton *j, const json_t *moves, char **notes,
                     enum picture_mark *marks) {
  const struct automaton_result *r = &j->result;
  for (size_t i = 0; i < json_array_size(moves); i++) {
    const json_t *move = json_array_get(moves, i);
    char *note = xstrdup(json_string_value(json_object_get(move, "text"))),
         *at = strstr(note, ", ");
    if (at) { /* two short lines */
      *at = '\n';
      memmove(at + 1, at + 2, strlen(at + 2) + 1);
    }
    notes[json_integer_value(json_object_get(move, "number"))] = note;
  }
  for (size_t i = 0; i < r->walk.steps.len && r->verdict == AUTOMATON_NOT_PRIVATE; i++) {
    const struct walk_step *step = &r->walk.steps.at[i];
    if (marks[step->edge] != MARK_PUMP) marks[step->edge] = step->cycle ? MARK_PUMP : MARK_WALK;
    for (size_t f = 0; step->cycle && f < r->walk.forces.len; f++) {
      const struct walk_force *force = &r->walk.forces.at[f];
      if (force->cycle != step->cycle || notes[step->edge]) continue;
      notes[step->edge] =
          force->low == force->high
              ? xasprintf("forces shift(%s) = %d", j->model.vars.at[force->var], force->low)
              : xasprintf("forces %d <= shift(%s) <= %d", force->low, j->model.vars.at[force->var],
                          force->high);
    }
  }
  for (size_t i = 0; i < r->worst.len && r->verdict == AUTOMATON_PRIVATE; i++) {
    uint32_t edge = r->worst.at[i].edge;
    bool first = marks[edge] != MARK_WALK;
    marks[edge] = MARK_WALK;
    if (!first || !r->worst.at[i].delta) continue;
    char *note = notes[edge];
    notes[edge] = xasprintf("%s%sworst input difference %+d", note ? note : "", note ? "\n" : "",
                            r->worst.at[i].delta);
    free(note);
  }
}

static json_t *picture_json(const struct judged_automaton *j, const json_t *moves) {
  size_t edges = j->model.edges.len;
  char **notes = xcalloc(edges + 1, sizeof *notes);
  enum picture_mark *marks = xcalloc(edges + 1, sizeof *marks);
  annotate(j, moves, notes, marks);
  struct picture_overlay overlay = {NULL, (const char *const *)notes, marks};
  struct buffer svg;
  char *why = NULL;
  buffer_init(&svg);
  json_t *json =
      automaton_picture(&svg, &j->model, &overlay, &why) ? json_string(buffer_text(&svg)) : NULL;
  buffer_clear(&svg);
  free(why);
  for (size_t i = 0; i < edges; i++)
    free(notes[i]);
  free(notes);
  free(marks);
  return json;
}

/* ---- counterexamples ------------------------------------------------------------------------ */

/* A certified counterexample to cost d; NULL when none was found. For the certificate it is added
 * to `refuted`. */
static json_t *counterexample(const struct judged_automaton *j, const fmpq_t d,
                              const struct budget *budget, json_t *refuted) {
  struct automaton_counterexample ce;
  const char *why = NULL;
  json_t *json = NULL;
  automaton_counterexample_init(&ce, &j->model);
  if (automaton_refute(&ce, &j->model, &j->result, d, budget, &why) == REFUTE_FOUND &&
      ce.is_certified) {
    json = automaton_counterexample_json(&ce);
    json_array_append_new(refuted, cert_refuted_cost(&ce));
  }
  automaton_counterexample_clear(&ce);
  return json;
}

/* ---- verdicts ------------------------------------------------------------------------------- */

/* What shows that no D is enough, beside the numbers for some. */
struct losing_walk {
  bool is_checked;
  struct walk walk;
  delta_vec delta;
};

/* In the class of the theory: the walk of the decision, with differences of inputs at which it
 * loses without bound (walk_check.h). */
static void find_losing_walk(struct losing_walk *l, const struct judged_automaton *j,
                             const struct budget *budget) {
  *l = (struct losing_walk){0};
  walk_init(&l->walk);
  if (!j->report.in_class) return;
  walk_deltas(&j->model, &j->result.walk, &l->walk, &l->delta);
  l->is_checked = walk_check(&j->model, &l->walk, l->delta.at, budget, NULL);
}

/* With disjunctive guards a walk at whose inputs the loss is unbounded (unbounded.h) is needed. */
static bool is_settled(const struct judged_automaton *j, const struct losing_walk *l) {
  return l->is_checked || (j->result.is_unbounded && j->report.output_distinction == 0);
}

/* Takes `refuted` over. */
static json_t *certify_not_private(const struct judged_automaton *j, const struct losing_walk *l,
                                   json_t *refuted) {
  if (l->is_checked) return cert_of_walk(&j->model, refuted, &l->walk, l->delta.at);
  if (is_settled(j, l))
    return cert_of_unbounded(&j->model, refuted, &j->result.far_walk, &j->result.far);
  json_decref(refuted);
  return NULL;
}

/* Private for no D: counterexamples for d = 1, 2, 4, 8, as far as the time goes. The walk proves
 * the rest, if the matter is settled; otherwise numbers for some d are no proof for all. */
static void judge_not_private(struct claim_record *c, const struct judged_automaton *j,
                              double search, const struct budget *budget) {
  json_t *shown = json_array(), *refuted = json_array();
  fmpq_t d;
  fmpq_init(d);
  unsigned certified = 0;
  for (slong k = 1; k <= 8; k *= 2) {
    struct budget slice = budget_slice(budget, search);
    fmpq_set_si(d, k, 1);
    json_t *ce = counterexample(j, d, &slice, refuted);
    if (!ce) break;
    certified = (unsigned)k;
    json_array_append_new(shown, ce);
  }
  fmpq_clear(d);
  struct losing_walk losing;
  find_losing_walk(&losing, j, budget);
  bool settled = is_settled(j, &losing);
  c->certificate = certify_not_private(j, &losing, refuted);
  walk_clear(&losing.walk);
  vec_clear(&losing.delta);
  struct buffer reason;
  buffer_init(&reason);
  buffer_printf(&reason, "%s", violation_name(j->result.walk.kind));
  if (!certified)
    buffer_puts(&reason, ": no shift coupling has a finite cost, but no counterexample was "
                         "certified in the time given");
  else if (settled)
    buffer_printf(&reason,
                  ": not private at any multiple of eps, the loss grows without bound; certified: "
                  "not %u*eps-private",
                  certified);
  else
    buffer_printf(&reason, "; certified: not %u*eps-private. %s", certified,
                  j->report.in_class ? "The checker of walks did not confirm the walk for all costs"
                                     : "The automaton is outside the class in which the walk "
                                       "settles all costs");
  if (certified && settled) c->verdict = VERDICT_REFUTED;
  set_text(&c->reason, &reason);
  /* the last one is the strongest; the others are beside it */
  if (json_array_size(shown)) {
    c->counterexample = json_deep_copy(json_array_get(shown, json_array_size(shown) - 1));
    json_object_set(c->detail, "counterexamples", shown);
  }
  json_decref(shown);
}

/* No shift coupling, but private by a theorem. No checker goes through a derivation of it, so that
 * it is said, but not called proved. */
static void judge_absorbing(struct claim_record *c) {
  record_set(&c->reason,
             "no coupling by shifts has a finite cost; private at some multiple of eps by a "
             "coupling that depends "
             "on the values (absorption, docs/disjunctions.md), which is not machine-checked");
}

/* The claimed cost d is below what couplings achieve. */
static void judge_too_cheap(struct claim_record *c, const struct judged_automaton *j,
                            const fmpq_t d, double search, const struct budget *budget) {
  struct budget slice = budget_slice(budget, search);
  json_t *refuted = json_array(), *ce = counterexample(j, d, &slice, refuted);
  c->certificate = cert_of_automaton(&j->model, refuted);
  if (ce) {
    c->verdict = VERDICT_REFUTED;
    c->counterexample = ce;
    record_set(&c->reason, NULL);
  } else {
    record_set(&c->reason, "no coupling is as cheap as claimed, but no counterexample was "
                           "certified in the time given");
  }
}

/* The verdict is there already: a lower bound is worth a multiple of what it took, not more. */
static double lower_bound_seconds(const struct judged_automaton *j, double search) {
  double least = search / 50, most = search / 10, wanted = 25 * j->seconds;
  return wanted < least ? least : wanted > most ? most : wanted;
}

/* Searched for once per automaton: it does not depend on the claim. */
static void set_lower_bound(struct claim_record *c, struct judged_automaton *j, double search,
                            const struct budget *budget) {
  if (j->is_bounded) {
    record_set(&c->lower, j->lower);
    return;
  }
  struct budget slice = budget_slice(budget, lower_bound_seconds(j, search));
  struct automaton_counterexample ce;
  const char *why = NULL;
  automaton_counterexample_init(&ce, &j->model);
  if (automaton_lower_bound(&ce, &j->model, &j->result, &slice, &why) == REFUTE_FOUND) {
    struct buffer b;
    buffer_init(&b);
    ball_print_lower(&b, ce.loss, 4);
    set_text(&j->lower, &b);
  }
  j->is_bounded = true;
  record_set(&c->lower, j->lower);
  automaton_counterexample_clear(&ce);
}

static void judge_private(struct claim_record *c, struct judged_automaton *j, const fmpq *d,
                          double search, const struct budget *budget) {
  const struct automaton_result *r = &j->result;
  char *upper = rational_string(r->upper);
  record_set(&c->cost, upper);
  free(upper);
  if (d && fmpq_cmp(r->upper, d) > 0) {
    if (fmpq_cmp(r->lower, d) > 0)
      judge_too_cheap(c, j, d, search, budget);
    else
      record_set(&c->reason, "the claim lies inside the bracket on the cost that was found");
    return;
  }
  c->verdict = VERDICT_PROVED;
  if (j->wants_certificate) c->certificate = cert_of_strategy(&j->model, &r->strategy);
  struct buffer reason;
  buffer_init(&reason);
  if (r->exact)
    buffer_puts(&reason, "coupling strategy checked; no coupling by shifts is cheaper");
  else {
    char *lower = rational_string(r->lower);
    buffer_printf(&reason, "coupling strategy checked; the cheapest one costs at least %s", lower);
    free(lower);
  }
  if (j->report.silent_ends)
    buffer_puts(&reason, "; the claim is about outputs only: where no guard holds the run stops "
                         "without one, and whoever sees that it has stopped may learn more");
  set_text(&c->reason, &reason);
  set_lower_bound(c, j, search, budget);
}

void judge_automaton(struct claim_record *c, struct judged_automaton *j, const fmpq *d,
                     const struct judge_options *options, const struct budget *budget) {
  double search = options->search;
  analyse(j);
  if (d && is_inside_bracket(&j->result, d)) { /* worth more effort */
    automaton_result_clear(&j->result);
    automaton_analyse_with(&j->result, &j->model, EFFORT_EXACT);
  }
  c->detail = detail_json(j);
  json_t *picture = options->pictures ? picture_json(j, json_object_get(c->detail, "moves")) : NULL;
  if (picture) json_object_set_new(c->detail, "picture", picture);
  switch (j->result.verdict) {
  case AUTOMATON_PRIVATE: judge_private(c, j, d, search, budget); break;
  case AUTOMATON_NOT_PRIVATE:
    if (d)
      judge_too_cheap(c, j, d, search, budget);
    else if (j->result.is_absorbing)
      judge_absorbing(c);
    else
      judge_not_private(c, j, search, budget);
    break;
  case AUTOMATON_UNKNOWN: record_set(&c->reason, j->result.reason); break;
  }
}
