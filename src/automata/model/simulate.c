#include "automata/model/simulate.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "run/eval/number.h"
#include "run/sample/noise.h"

/* One run. Samples are doubles; NAN-free, because faults are reported instead. */
struct walker {
  const struct simulation *setup;
  const struct automaton *automaton;
  struct random *random;
  struct diags *diags;
  double *stored; /* by variable */
  bool *assigned;
  double *fresh; /* this step's sample per variable; shared noise: all the same */
  double sample; /* insample; under independent noise one that belongs to no variable */
  double prime;  /* insample' */
  struct rvalue out;
};

/* ---- noise ---------------------------------------------------------------------------------- */

static struct rvalue rational(const struct automaton *a, uint32_t number) {
  return rvalue_fmpq(automaton_value(a, number));
}

/* Lap(in + mean, 1/(d eps)). */
static bool draw(struct walker *w, const struct rvalue *in, uint32_t d, uint32_t mean,
                 struct span span, double *out) {
  struct rvalue shift = rational(w->automaton, mean), rate = rational(w->automaton, d);
  struct rvalue args[2] = {{0}, {0}}, product = {0}, one = rvalue_int(1), sample;
  bool ok = !number_binary(BINARY_ADD, &args[0], in, &shift) &&
            !number_binary(BINARY_MUL, &product, &rate, w->setup->eps) &&
            !number_binary(BINARY_DIV, &args[1], &one, &product) &&
            !noise_sample(w->random, DIST_LAPLACE, args, 2, &sample);
  if (ok)
    *out = sample.as.number;
  else
    diag_error(w->diags, span, "number-too-large",
               "the noise of this state cannot be drawn: its mean or scale is out of range");
  rvalue_clear(&args[0]);
  rvalue_clear(&args[1]);
  rvalue_clear(&product);
  rvalue_clear(&rate);
  rvalue_clear(&shift);
  return ok;
}

static bool draw_all(struct walker *w, uint32_t state, const struct rvalue *in) {
  const struct automaton *a = w->automaton;
  const struct automaton_state *s = &a->states.at[state];
  struct span span = automaton_state_span(a, state);
  if (!draw(w, in, s->d, s->mean, span, &w->sample)) return false;
  for (size_t x = 0; x < a->vars.len; x++) {
    w->fresh[x] = w->sample;
    if (a->independent && !draw(w, in, s->d, s->mean, span, &w->fresh[x])) return false;
  }
  return s->d2 == AUTOMATON_NONE || draw(w, in, s->d2, s->mean2, span, &w->prime);
}

/* ---- edges ---------------------------------------------------------------------------------- */

static bool literal_holds(struct walker *w, uint32_t edge, literal l, bool *ok) {
  uint32_t x = literal_var(l);
  if (!w->assigned[x]) {
    if (*ok)
      diag_error(w->diags, automaton_edge_span(w->automaton, edge), "unset-variable",
                 "`%s` is compared before it was assigned", w->automaton->vars.at[x]);
    *ok = false;
    return false;
  }
  return literal_is_less(l) ? w->fresh[x] < w->stored[x] : w->fresh[x] >= w->stored[x];
}

static bool guard_holds(struct walker *w, uint32_t edge, bool *ok) {
  const struct automaton *a = w->automaton;
  struct automaton_range cubes = a->guards.at[a->edges.at[edge].guard];
  for (uint32_t c = cubes.begin; c < cubes.end; c++) {
    bool all = true;
    for (uint32_t i = a->cubes.at[c].begin; all && i < a->cubes.at[c].end; i++)
      all = literal_holds(w, edge, a->literals.at[i], ok);
    if (all) return true;
  }
  return false;
}

/* The edge to take; AUTOMATON_NONE: none. */
static bool find_edge(struct walker *w, uint32_t state, uint32_t *found) {
  const struct automaton *a = w->automaton;
  bool ok = true;
  *found = AUTOMATON_NONE;
  for (uint32_t e = a->first_edge.at[state]; ok && e < a->first_edge.at[state + 1]; e++) {
    if (!guard_holds(w, e, &ok)) continue;
    if (*found != AUTOMATON_NONE) {
      diag_error(w->diags, automaton_edge_span(a, e), "ambiguous-edge",
                 "the guards of two edges hold at once");
      diag_note(w->diags, automaton_edge_span(a, *found), "the other edge");
      return false;
    }
    *found = e;
  }
  return ok;
}

/* The sample that an edge outputs as insample: see model.h on independent noise. */
static bool output_sample(struct walker *w, uint32_t edge, double *out) {
  const struct automaton *a = w->automaton;
  *out = w->sample;
  if (!a->independent) return true;
  uint32_t mentioned = AUTOMATON_NONE;
  bool several = false;
  struct automaton_range cubes = a->guards.at[a->edges.at[edge].guard];
  for (uint32_t c = cubes.begin; c < cubes.end; c++)
    for (uint32_t i = a->cubes.at[c].begin; i < a->cubes.at[c].end; i++) {
      uint32_t x = literal_var(a->literals.at[i]);
      several = several || (mentioned != AUTOMATON_NONE && mentioned != x);
      mentioned = x;
    }
  struct members assigned = automaton_members(a, a->edges.at[edge].assign);
  for (size_t i = 0; i < assigned.count; i++) {
    several = several || (mentioned != AUTOMATON_NONE && mentioned != assigned.at[i]);
    mentioned = assigned.at[i];
  }
  if (mentioned != AUTOMATON_NONE) *out = w->fresh[mentioned];
  if (several)
    diag_error(w->diags, automaton_edge_span(a, edge), "ambiguous-output",
               "under independent noise there is one insample per variable, and this edge mentions "
               "several");
  return !several;
}

static bool take_edge(struct walker *w, uint32_t edge) {
  const struct automaton *a = w->automaton;
  const struct automaton_edge *e = &a->edges.at[edge];
  double sample = w->prime;
  if (e->emit == EMIT_INSAMPLE && !output_sample(w, edge, &sample)) return false;
  bool is_number = e->emit == EMIT_INSAMPLE || e->emit == EMIT_PRIME;
  rvalue_push(&w->out, is_number ? rvalue_float(sample) : rvalue_symbol(a->symbols.at[e->emit]));
  struct members assigned = automaton_members(a, e->assign);
  for (size_t i = 0; i < assigned.count; i++) {
    w->stored[assigned.at[i]] = w->fresh[assigned.at[i]];
    w->assigned[assigned.at[i]] = true;
  }
  return true;
}

/* ---- a run ---------------------------------------------------------------------------------- */

static bool walk(struct walker *w) {
  const struct automaton *a = w->automaton;
  const struct rvalue_seq *inputs = w->setup->inputs->as.seq;
  const struct rvalue nothing = rvalue_int(0);
  uint32_t state = a->start;
  size_t used = 0;
  for (uint64_t step = 0; !a->states.at[state].is_final; step++) {
    if (step >= w->setup->max_steps) {
      diag_error(w->diags, automaton_state_span(a, state), "step-limit",
                 "the run takes more than %llu steps", (unsigned long long)w->setup->max_steps);
      return false;
    }
    const struct rvalue *in = &nothing;
    if (a->states.at[state].is_input) {
      if (used == inputs->len) return true;
      in = &inputs->at[used++];
    }
    uint32_t edge;
    if (!draw_all(w, state, in) || !find_edge(w, state, &edge)) return false;
    if (edge == AUTOMATON_NONE) return true;
    if (!take_edge(w, edge)) return false;
    state = a->edges.at[edge].to;
  }
  return true;
}

bool simulate(const struct simulation *s, struct random *r, struct diags *diags,
              struct rvalue *out) {
  size_t vars = s->automaton->vars.len + 1;
  struct walker w = {.setup = s,
                     .automaton = s->automaton,
                     .random = r,
                     .diags = diags,
                     .stored = xcalloc(vars, sizeof *w.stored),
                     .assigned = xcalloc(vars, sizeof *w.assigned),
                     .fresh = xcalloc(vars, sizeof *w.fresh),
                     .out = rvalue_seq(RVALUE_LIST, 0)};
  bool ok = walk(&w);
  if (ok)
    *out = w.out;
  else
    rvalue_clear(&w.out);
  free(w.stored);
  free(w.assigned);
  free(w.fresh);
  return ok;
}
