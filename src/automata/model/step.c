#include "automata/model/step.h"

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

uint32_t members_position(struct members live, uint32_t var) {
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

static void add_literal(struct step_scratch *s, struct members live, literal l) {
  vec_push(&s->literals, l);
  vec_push(&s->literal_at, members_position(live, literal_var(l)));
}

/* The variable whose sample is i, under independent noise: those of the guard come first, in
 * order, then those that are only assigned. */
static void independent_samples(const struct automaton *a, const struct automaton_edge *e,
                                struct step *step, struct step_scratch *s) {
  struct literals g = automaton_conjunction(a, e->guard);
  struct members w = automaton_members(a, e->assign);
  for (size_t i = 0; i < g.count; i++) {
    uint32_t x = literal_var(g.at[i]);
    bool same = i > 0 && literal_var(g.at[i - 1]) == x;
    if (!same)
      vec_push(&s->samples,
               (struct step_sample){(uint32_t)s->literals.len, 0, false, step->outputs});
    add_literal(s, step->live, g.at[i]);
    vec_last(&s->samples).count++;
    for (size_t j = 0; j < step->after.count && !same; j++)
      if (step->after.at[j] == x && automaton_assigns(a, e->assign, x)) {
        s->source.at[j] = STEP_FROM_SAMPLE + (uint32_t)s->samples.len - 1;
        vec_last(&s->samples).stored = true;
      }
  }
  for (size_t i = 0; i < w.count; i++) {
    for (size_t j = 0; j < step->after.count; j++) {
      if (step->after.at[j] != w.at[i] || s->source.at[j] >= STEP_FROM_SAMPLE) continue;
      s->source.at[j] = STEP_FROM_SAMPLE + (uint32_t)s->samples.len;
      vec_push(&s->samples,
               (struct step_sample){(uint32_t)s->literals.len, 0, true, step->outputs});
    }
  }
  if (s->samples.len == 0 && step->outputs)
    vec_push(&s->samples, (struct step_sample){0, 0, false, true});
}

static void shared_sample(const struct automaton *a, const struct automaton_edge *e,
                          struct step *step, struct step_scratch *s) {
  struct literals g = automaton_conjunction(a, e->guard);
  struct step_sample sample = {0, (uint32_t)g.count, false, step->outputs};
  for (size_t i = 0; i < g.count; i++)
    add_literal(s, step->live, g.at[i]);
  for (size_t j = 0; j < step->after.count && e->assign != 0; j++)
    if (automaton_assigns(a, e->assign, step->after.at[j])) {
      s->source.at[j] = STEP_FROM_SAMPLE;
      sample.stored = true;
    }
  vec_push(&s->samples, sample);
}

struct step step_make(const struct product *p, const struct weights *w, uint32_t from,
                      uint32_t edge, struct step_scratch *s) {
  const struct automaton *a = p->a;
  const struct automaton_edge *e = &a->edges.at[p->edges.at[edge].edge];
  const struct automaton_state *state = &a->states.at[e->from];
  struct step step = {.from = from,
                      .to = p->edges.at[edge].to,
                      .live = product_live(p, from),
                      .after = product_live(p, p->edges.at[edge].to),
                      .outputs = e->emit == EMIT_INSAMPLE,
                      .is_input = state->is_input,
                      .d = &w->integer.at[state->d]};
  if (e->emit == EMIT_PRIME && state->is_input) step.prime = &w->integer.at[state->d2];
  s->samples.len = s->literals.len = s->literal_at.len = s->source.len = 0;
  for (size_t i = 0; i < step.after.count; i++)
    vec_push(&s->source, members_position(step.live, step.after.at[i]));
  if (a->independent)
    independent_samples(a, e, &step, s);
  else
    shared_sample(a, e, &step, s);
  for (size_t i = 0; i < s->samples.len; i++)
    step.stores |= s->samples.at[i].stored;
  step.samples = s->samples.at;
  step.sample_count = s->samples.len;
  step.literals = s->literals.at;
  step.literal_at = s->literal_at.at;
  step.source = s->source.at;
  return step;
}

bool step_too_wide(const struct automaton *a, const struct automaton_edge *e) {
  return a->independent &&
         automaton_conjunction(a, e->guard).count + automaton_members(a, e->assign).count >
             STEP_SAMPLES;
}

void step_scratch_clear(struct step_scratch *s) {
  vec_clear(&s->samples);
  vec_clear(&s->literals);
  vec_clear(&s->literal_at);
  vec_clear(&s->source);
}

bool step_start(const struct step *step, const int8_t *g, int delta, struct step_choice *c) {
  for (size_t i = 0; i < step->sample_count; i++) {
    const struct step_sample *sample = &step->samples[i];
    int low = sample->output ? 0 : -1, high = sample->output ? 0 : 1;
    for (uint32_t l = sample->first; l < sample->first + sample->count; l++) {
      int shift = g[step->literal_at[l]];
      if (literal_is_less(step->literals[l]))
        high = shift < high ? shift : high;
      else
        low = shift > low ? shift : low;
    }
    if (low > high) return false;
    if (!sample->stored) low = high = delta < low ? low : delta > high ? high : delta;
    c->low[i] = c->shift[i] = (int8_t)low;
    c->high[i] = (int8_t)high;
  }
  return true;
}

bool step_next(const struct step *step, struct step_choice *c) {
  for (size_t i = 0; i < step->sample_count; i++) {
    if (c->shift[i] < c->high[i]) {
      c->shift[i]++;
      return true;
    }
    c->shift[i] = c->low[i];
  }
  return false;
}

void step_after(const struct step *step, const int8_t *g, const struct step_choice *c,
                int8_t *after) {
  for (size_t i = 0; i < step->after.count; i++)
    after[i] = step->source[i] >= STEP_FROM_SAMPLE ? c->shift[step->source[i] - STEP_FROM_SAMPLE]
                                                   : g[step->source[i]];
}

void step_cost(fmpz_t out, const struct step *step, int delta, const struct step_choice *c) {
  int distance = 0;
  for (size_t i = 0; i < step->sample_count; i++)
    distance += delta > c->shift[i] ? delta - c->shift[i] : c->shift[i] - delta;
  fmpz_mul_ui(out, step->d, (ulong)distance);
  if (step->prime && delta != 0) fmpz_add(out, out, step->prime);
}

bool step_delta_matters(const struct step *step, int delta) {
  if (step->stores || !step->is_input) return true;
  bool less = false, greater = false;
  for (size_t i = 0; i < step->sample_count; i++) {
    const struct step_sample *sample = &step->samples[i];
    if (sample->output) continue; /* costs the same either way */
    for (uint32_t l = sample->first; l < sample->first + sample->count; l++)
      *(literal_is_less(step->literals[l]) ? &less : &greater) = true;
  }
  if (!less && !greater) return delta == 1;
  return delta == 1 ? less : greater;
}
