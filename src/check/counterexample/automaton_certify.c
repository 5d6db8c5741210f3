/* The judge of counterexamples: nothing of the search is used here. */
#include <string.h>

#include "base/alloc.h"
#include "check/counterexample/automaton_certify.h"

void automaton_counterexample_init(struct automaton_counterexample *ce, const struct automaton *a) {
  memset(ce, 0, sizeof *ce);
  fmpq_init(ce->eps);
  fmpq_init(ce->claimed);
  automaton_query_init(&ce->first, a, false);
  automaton_query_init(&ce->second, a, false);
  arb_init(ce->p1);
  arb_init(ce->p2);
  arb_init(ce->loss);
}

void automaton_counterexample_clear(struct automaton_counterexample *ce) {
  fmpq_clear(ce->eps);
  fmpq_clear(ce->claimed);
  automaton_query_clear(&ce->first);
  automaton_query_clear(&ce->second);
  vec_clear(&ce->path);
  arb_clear(ce->p1);
  arb_clear(ce->p2);
  arb_clear(ce->loss);
}

static bool reject(char **why, char *reason) {
  if (why)
    *why = reason;
  else
    free(reason);
  return false;
}

static bool is_same_event(const struct automaton_event *a, const struct automaton_event *b) {
  if (a->kind != b->kind) return false;
  if (a->kind == EVENT_ANY) return true;
  return line_end_cmp(&a->low, &b->low) == 0 && line_end_cmp(&a->high, &b->high) == 0;
}

/* One event, two inputs. */
static bool check_shape(const struct automaton_counterexample *ce, char **why) {
  const struct automaton_query *first = &ce->first, *second = &ce->second;
  if (fmpq_sgn(ce->eps) <= 0) return reject(why, xstrdup("eps is not positive"));
  if (first->automaton != second->automaton || first->is_path || second->is_path ||
      first->steps.len != second->steps.len || !fmpq_equal(first->eps, ce->eps) ||
      !fmpq_equal(second->eps, ce->eps))
    return reject(why, xstrdup("the two queries do not ask for the same event"));
  if (first->steps.len > PROBABILITY_STEPS_MAX) /* bounds the recursion over paths, too */
    return reject(why, xasprintf("there are more than %d steps", PROBABILITY_STEPS_MAX));
  for (size_t i = 0; i < first->steps.len; i++) {
    const struct automaton_step *s = &first->steps.at[i], *t = &second->steps.at[i];
    if (s->what != t->what || !is_same_event(&s->event, &t->event))
      return reject(why, xasprintf("the queries differ in the output of step %zu", i + 1));
    if (s->event.kind == EVENT_VALUE)
      return reject(why, xasprintf("step %zu fixes a real output: a density, not an event", i + 1));
  }
  return true;
}

/* The inputs differ by at most 1 everywhere, and not at all where some path with these outputs
 * stands at a non-input state. */
static bool check_adjacency(const struct automaton_counterexample *ce, char **why) {
  const struct automaton *a = ce->first.automaton;
  edge_paths paths = {0};
  bool ok = true;
  fmpq_t difference, one;
  fmpq_init(difference);
  fmpq_init(one);
  fmpq_one(one);
  if (!automaton_paths_with_output(&paths, &ce->first, PROBABILITY_PATHS_MAX))
    ok = reject(why, xstrdup("too many paths have these outputs"));
  for (size_t i = 0; i < ce->first.steps.len && ok; i++) {
    fmpq_sub(difference, ce->first.steps.at[i].input, ce->second.steps.at[i].input);
    if (fmpq_is_zero(difference)) continue;
    fmpq_abs(difference, difference);
    if (fmpq_cmp(difference, one) > 0)
      ok = reject(why, xasprintf("the inputs of step %zu differ by more than 1", i + 1));
    for (size_t p = 0; p < paths.len && ok; p++)
      if (!a->states.at[a->edges.at[paths.at[p].at[i]].from].is_input)
        ok = reject(why, xasprintf("step %zu reads no input, but the inputs differ", i + 1));
  }
  edge_paths_clear(&paths);
  fmpq_clear(difference);
  fmpq_clear(one);
  return ok;
}

static bool probability_of(arb_t out, size_t *paths, const struct automaton_query *query,
                           unsigned digits, const struct budget *budget, char **why) {
  struct probability p;
  probability_init(&p);
  automaton_probability(&p, query,
                        (struct ball_goal){.digits = digits, .start = 256, .budget = budget});
  bool ok = p.status == PROBABILITY_OK;
  if (ok)
    arb_set(out, p.value);
  else
    reject(why, xstrdup(p.why));
  *paths = p.paths;
  probability_clear(&p);
  return ok;
}

/* p1 > e^(claimed eps) p2, for all points of the balls. */
static bool is_separated(const struct automaton_counterexample *ce, slong precision) {
  arb_t bound;
  fmpq_t exponent;
  arb_init(bound);
  fmpq_init(exponent);
  fmpq_mul(exponent, ce->claimed, ce->eps);
  ball_exp_rational(bound, exponent, precision);
  arb_mul(bound, bound, ce->p2, precision);
  bool less = ball_is_less(bound, ce->p1);
  arb_clear(bound);
  fmpq_clear(exponent);
  return less;
}

bool automaton_certify(struct automaton_counterexample *ce, const struct budget *budget,
                       char **why) {
  if (why) *why = NULL;
  ce->is_certified = false;
  if (!check_shape(ce, why) || !check_adjacency(ce, why)) return false;
  for (unsigned digits = 12; digits <= 192; digits *= 4) {
    slong precision = (slong)digits * 4 + 64;
    if (!probability_of(ce->p1, &ce->paths, &ce->first, digits, budget, why) ||
        !probability_of(ce->p2, &ce->paths, &ce->second, digits, budget, why))
      return false;
    if (!ball_is_positive(ce->p1) || !ball_is_positive(ce->p2))
      return reject(why, xstrdup("the outputs have probability 0"));
    arb_div(ce->loss, ce->p1, ce->p2, precision);
    arb_log(ce->loss, ce->loss, precision);
    arb_mul_fmpz(ce->loss, ce->loss, fmpq_denref(ce->eps), precision);
    arb_div_fmpz(ce->loss, ce->loss, fmpq_numref(ce->eps), precision);
    if (fmpq_sgn(ce->claimed) < 0 || is_separated(ce, precision)) {
      ce->is_certified = true;
      return true;
    }
  }
  return reject(why, xstrdup("the loss does not exceed the claim"));
}
