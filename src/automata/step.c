#include "automata/step.h"

void weights_init(struct weights *w, const struct automaton *a) {
  *w = (struct weights){0};
  fmpz_init_set_ui(w->scale, 1);
  bool *used = xcalloc(a->rationals.len + 1, sizeof *used);
  for (size_t s = 0; s < a->states.len; s++) {
    if (a->states.at[s].d != AUTOMATON_NONE) used[a->states.at[s].d] = true;
    if (a->states.at[s].d2 != AUTOMATON_NONE) used[a->states.at[s].d2] = true;
  }
  for (size_t i = 0; i < a->rationals.len; i++)
    if (used[i]) fmpz_lcm(w->scale, w->scale, fmpq_denref(automaton_value(a, (uint32_t)i)));
  for (uint32_t i = 0; i < a->rationals.len; i++) {
    vec_push(&w->integer, 0);
    if (!used[i]) continue;
    fmpz_divexact(&w->integer.at[i], w->scale, fmpq_denref(automaton_value(a, i)));
    fmpz_mul(&w->integer.at[i], &w->integer.at[i], fmpq_numref(automaton_value(a, i)));
  }
  free(used);
}

void weights_clear(struct weights *w) {
  for (size_t i = 0; i < w->integer.len; i++)
    fmpz_clear(&w->integer.at[i]);
  vec_clear(&w->integer);
  fmpz_clear(w->scale);
}

static uint32_t position(struct members live, uint32_t var) {
  size_t low = 0, high = live.count;
  while (low < high) {
    size_t mid = (low + high) / 2;
    if (live.at[mid] < var)
      low = mid + 1;
    else
      high = mid;
  }
  return (uint32_t)low;
}

struct step step_make(const struct product *p, const struct weights *w, uint32_t from,
                      uint32_t edge, struct step_scratch *scratch) {
  const struct automaton *a = p->a;
  const struct automaton_edge *e = &a->edges.at[p->edges.at[edge].edge];
  const struct automaton_state *state = &a->states.at[e->from];
  struct step step = {.from = from,
                      .to = p->edges.at[edge].to,
                      .live = product_live(p, from),
                      .after = product_live(p, p->edges.at[edge].to),
                      .guard = automaton_conjunction(a, e->guard),
                      .outputs = e->emit == EMIT_INSAMPLE,
                      .is_input = state->is_input,
                      .d = &w->integer.at[state->d]};
  if (e->emit == EMIT_PRIME && state->is_input) step.prime = &w->integer.at[state->d2];
  scratch->guard_at.len = scratch->source.len = 0;
  for (size_t i = 0; i < step.guard.count; i++)
    vec_push(&scratch->guard_at, position(step.live, literal_var(step.guard.at[i])));
  for (size_t i = 0; i < step.after.count; i++) {
    bool stored = automaton_assigns(a, e->assign, step.after.at[i]);
    step.stores |= stored;
    vec_push(&scratch->source, stored ? STEP_SAMPLE : position(step.live, step.after.at[i]));
  }
  step.guard_at = scratch->guard_at.at;
  step.source = scratch->source.at;
  return step;
}

void step_scratch_clear(struct step_scratch *scratch) {
  vec_clear(&scratch->guard_at);
  vec_clear(&scratch->source);
}

bool step_range(const struct step *step, const int8_t *g, int *low, int *high) {
  *low = step->outputs ? 0 : -1;
  *high = step->outputs ? 0 : 1;
  for (size_t i = 0; i < step->guard.count; i++) {
    int shift = g[step->guard_at[i]];
    if (literal_is_less(step->guard.at[i]))
      *high = shift < *high ? shift : *high;
    else
      *low = shift > *low ? shift : *low;
  }
  return *low <= *high;
}

void step_after(const struct step *step, const int8_t *g, int sample, int8_t *after) {
  for (size_t i = 0; i < step->after.count; i++)
    after[i] = step->source[i] == STEP_SAMPLE ? (int8_t)sample : g[step->source[i]];
}

void step_cost(fmpz_t out, const struct step *step, int delta, int s) {
  int distance = delta > s ? delta - s : s - delta;
  fmpz_mul_ui(out, step->d, (ulong)distance);
  if (step->prime && delta != 0) fmpz_add(out, out, step->prime);
}
