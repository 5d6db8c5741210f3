#include "search/refute/automaton_attempt.h"

#include <string.h>

#include "num/rational.h"

void attempt_init(struct attempt *t, const struct shift_path *path) {
  t->path = path;
  t->style = WINDOW_HALF_LINE;
  t->best_loss = 0;
  t->slack = 1e9;
  fmpq_init(t->eps);
  fmpq_init(t->away);
  fmpq_init(t->width);
  fmpq_one(t->eps);
}

void attempt_set_eps(struct attempt *t, slong eps) {
  fmpq_set_si(t->eps, eps, 1);
  fmpq_set_si(t->width, 1, 10 * (ulong)eps);
}

void attempt_clear(struct attempt *t) {
  fmpq_clear(t->eps);
  fmpq_clear(t->away);
  fmpq_clear(t->width);
}

/* Where the samples meet: non-input states cannot be moved, so the first of them decides. */
static void tie_of(fmpq_t tie, const struct automaton *a, const struct shift_path *path) {
  fmpq_zero(tie);
  for (size_t i = 0; i < path->edges.len; i++) {
    const struct automaton_state *state = &a->states.at[a->edges.at[path->edges.at[i]].from];
    if (state->is_input) continue;
    fmpq_set(tie, automaton_value(a, state->mean));
    return;
  }
}

static void set_window(struct automaton_event *event, const fmpq_t middle, int delta,
                       const struct attempt *t) {
  if (t->style == WINDOW_HALF_LINE && delta == 0) return; /* any value */
  event->kind = EVENT_WINDOW;
  event->low.side = t->style == WINDOW_HALF_LINE && delta > 0 ? -1 : 0;
  event->high.side = t->style == WINDOW_HALF_LINE && delta < 0 ? 1 : 0;
  fmpq_set(event->low.at, middle);
  fmpq_set(event->high.at, middle);
  if (t->style == WINDOW_NARROW) {
    fmpq_sub(event->low.at, event->low.at, t->width);
    fmpq_add(event->high.at, event->high.at, t->width);
  }
}

/* The queries of an attempt, as a path; the outputs are derived from it when it is certified. */
static void build_queries(const struct automaton *a, const struct attempt *t,
                          struct automaton_query *first, struct automaton_query *second) {
  fmpq_t tie, offset, one_sided;
  fmpq_init(tie);
  fmpq_init(offset);
  fmpq_init(one_sided);
  tie_of(tie, a, t->path);
  automaton_query_init(first, a, true);
  fmpq_set(first->eps, t->eps);
  for (size_t i = 0; i < t->path->edges.len; i++) {
    const struct automaton_edge *edge = &a->edges.at[t->path->edges.at[i]];
    const struct automaton_state *state = &a->states.at[edge->from];
    int delta = t->path->deltas.at[i];
    struct automaton_step *step = automaton_query_push(first, t->path->edges.at[i]);
    if (state->is_input) {
      fmpq_set(step->input, t->away);
      if (delta < 0) fmpq_neg(step->input, step->input);
      if (delta == 0) fmpq_zero(step->input);
      fmpq_add(step->input, step->input, tie);
      fmpq_sub(step->input, step->input, automaton_value(a, state->mean));
    }
    if (edge->emit == EMIT_INSAMPLE) set_window(&step->event, tie, delta, t);
    if (edge->emit == EMIT_PRIME) { /* on its own: a half-line loses nothing */
      struct attempt half = *t;
      half.style = WINDOW_HALF_LINE;
      fmpq_add(one_sided, step->input, automaton_value(a, state->mean2));
      set_window(&step->event, one_sided, delta, &half);
    }
  }
  automaton_query_copy(second, first);
  for (size_t i = 0; i < second->steps.len; i++) {
    fmpq_set_si(offset, t->path->deltas.at[i], 1);
    fmpq_add(second->steps.at[i].input, second->steps.at[i].input, offset);
  }
  fmpq_clear(tie);
  fmpq_clear(offset);
  fmpq_clear(one_sided);
}

void query_loss(arb_t out, const struct automaton_query *first,
                const struct automaton_query *second, const struct budget *budget) {
  struct probability p1, p2;
  /* starting high saves attempts: below 400 bits the time hardly depends on the precision */
  struct ball_goal goal = {.digits = 8, .start = 256, .max = 16384, .budget = budget};
  probability_init(&p1);
  probability_init(&p2);
  automaton_probability(&p1, first, goal);
  if (p1.status == PROBABILITY_OK && ball_is_positive(p1.value))
    automaton_probability(&p2, second, goal);
  arb_div(out, p1.value, p2.value, 128);
  arb_log(out, out, 128);
  arb_mul_fmpz(out, out, fmpq_denref(first->eps), 128);
  arb_div_fmpz(out, out, fmpq_numref(first->eps), 128);
  probability_clear(&p1);
  probability_clear(&p2);
}

/* Does the ball certainly lie above the number? */
static bool is_above(const arb_t ball, const fmpq_t number) {
  arb_t bound;
  arb_init(bound);
  arb_set_fmpq(bound, number, 256);
  bool above = arb_is_finite(ball) && ball_is_less(bound, ball);
  arb_clear(bound);
  return above;
}

bool query_certify(struct automaton_counterexample *out, const struct automaton_query *first,
                   const struct automaton_query *second, const fmpq_t claimed,
                   const struct budget *budget) {
  struct automaton_counterexample ce;
  automaton_counterexample_init(&ce, first->automaton);
  automaton_query_clear(&ce.first);
  automaton_query_clear(&ce.second);
  automaton_query_output_of(&ce.first, first);
  automaton_query_output_of(&ce.second, second);
  fmpq_set(ce.eps, first->eps);
  fmpq_set(ce.claimed, claimed);
  for (size_t i = 0; i < first->steps.len; i++)
    vec_push(&ce.path, first->steps.at[i].what);
  ce.iterations = out->iterations;
  bool ok = automaton_certify(&ce, budget, NULL);
  if (ok) {
    struct automaton_counterexample old = *out;
    *out = ce;
    ce = old;
  }
  automaton_counterexample_clear(&ce);
  return ok;
}

void attempt_loss(arb_t out, const struct automaton *a, struct attempt *t,
                  const struct budget *budget) {
  struct automaton_query first, second;
  build_queries(a, t, &first, &second);
  query_loss(out, &first, &second, budget);
  double middle = arf_get_d(arb_midref(out), ARF_RND_NEAR);
  if (arb_is_finite(out) && middle > t->best_loss) t->best_loss = middle;
  automaton_query_clear(&first);
  automaton_query_clear(&second);
}

bool attempt_certify(struct automaton_counterexample *out, const struct automaton *a,
                     const struct attempt *t, const fmpq_t claimed, const struct budget *budget) {
  struct automaton_query first, second;
  build_queries(a, t, &first, &second);
  bool ok = query_certify(out, &first, &second, claimed, budget);
  automaton_query_clear(&first);
  automaton_query_clear(&second);
  return ok;
}

bool attempt_try(struct automaton_counterexample *out, const struct automaton *a, struct attempt *t,
                 const fmpq_t claimed, const struct budget *budget) {
  arb_t loss;
  arb_init(loss);
  attempt_loss(loss, a, t, budget);
  bool ok = is_above(loss, claimed) && attempt_certify(out, a, t, claimed, budget);
  arb_clear(loss);
  return ok;
}

int path_styles(const struct automaton *a, const struct shift_path *path) {
  for (size_t i = 0; i < path->edges.len; i++)
    if (a->edges.at[path->edges.at[i]].emit == EMIT_INSAMPLE) return WINDOW_STYLES;
  return 1;
}

void path_spread(fmpq_t out, const struct automaton *a, const struct shift_path *path) {
  fmpq_t low, high;
  fmpq_init(low);
  fmpq_init(high);
  tie_of(low, a, path);
  fmpq_set(high, low);
  for (size_t i = 0; i < path->edges.len; i++) {
    const struct automaton_state *state = &a->states.at[a->edges.at[path->edges.at[i]].from];
    if (state->is_input) continue;
    rational_min(low, low, automaton_value(a, state->mean));
    rational_max(high, high, automaton_value(a, state->mean));
  }
  fmpq_sub(out, high, low);
  fmpq_clear(low);
  fmpq_clear(high);
}
