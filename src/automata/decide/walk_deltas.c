#include "automata/decide/walk_deltas.h"

#include "check/automaton/essential.h"

struct search {
  const struct automaton *a;
  const struct walk *w;
  struct walk *out;
  delta_vec *delta;
};

static const struct automaton_edge *edge_of(const struct search *s, size_t step) {
  return &s->a->edges.at[s->out->steps.at[step].edge];
}

/* How the step compares `var`: 1 for insample < var, -1 for insample >= var, 0: not at all. */
static int side_of(const struct search *s, size_t step, uint32_t var) {
  literal_vec needed = {0};
  automaton_essential(s->a, edge_of(s, step)->guard, &needed);
  int side = 0;
  for (size_t i = 0; i < needed.len; i++)
    if (literal_var(needed.at[i]) == var) side = literal_is_less(needed.at[i]) ? 1 : -1;
  vec_clear(&needed);
  return side;
}

static void set_delta(struct search *s, size_t step, int delta) {
  if (s->a->states.at[edge_of(s, step)->from].is_input) s->delta->at[step] = (int8_t)delta;
}

/* What is output is an input that differs. */
static void disclose(struct search *s, size_t begin, size_t end) {
  for (size_t i = begin; i < end; i++) {
    uint32_t emit = edge_of(s, i)->emit;
    if (emit == EMIT_INSAMPLE || emit == EMIT_PRIME) set_delta(s, i, 1);
  }
}

/* The last value of the variable is moved one way, what it is compared with the other way. The
 * cycle stands there twice, so that a comparison of the second copy has such a value. */
static void leak(struct search *s, size_t begin, size_t end) {
  size_t assigned = end;
  for (size_t i = begin; i < end; i++) {
    int side = side_of(s, i, s->w->var);
    if (side && assigned < end) {
      set_delta(s, assigned, -side);
      set_delta(s, i, side);
      return;
    }
    if (automaton_assigns(s->a, edge_of(s, i)->assign, s->w->var)) assigned = i;
  }
}

/* A cycle that wants a variable shifted to one side. */
static void force(struct search *s, size_t begin, size_t end) {
  uint32_t cycle = s->out->steps.at[begin].cycle;
  for (size_t f = 0; f < s->w->forces.len; f++) {
    const struct walk_force *wanted = &s->w->forces.at[f];
    if (wanted->cycle != cycle) continue;
    for (size_t i = begin; i < end; i++)
      if (side_of(s, i, wanted->var) == (wanted->low + wanted->high > 0 ? 1 : -1))
        set_delta(s, i, wanted->low + wanted->high > 0 ? 1 : -1);
  }
}

void walk_deltas(const struct automaton *a, const struct walk *w, struct walk *out,
                 delta_vec *delta) {
  struct search s = {a, w, out, delta};
  walk_init(out);
  out->cycle_count = w->cycle_count;
  for (size_t i = 0, end; i < w->steps.len; i = end) {
    uint32_t cycle = w->steps.at[i].cycle;
    size_t begin = out->steps.len;
    for (end = i + 1; cycle && end < w->steps.len && w->steps.at[end].cycle == cycle;)
      end++;
    for (int copy = 0; copy < (cycle ? 2 : 1); copy++)
      for (size_t k = i; k < end; k++) {
        vec_push(&out->steps, w->steps.at[k]);
        vec_push(delta, 0);
      }
    if (!cycle) continue;
    if (w->kind == VIOLATION_DISCLOSING_CYCLE)
      disclose(&s, begin, out->steps.len);
    else if (w->kind == VIOLATION_LEAKING_CYCLE)
      leak(&s, begin, out->steps.len);
    else
      force(&s, begin, out->steps.len);
  }
}
