#include "automata/independent.h"

#include <string.h>

#include "automata/essential.h"
#include "automata/step.h"

bool automaton_conjunctive_copy(struct automaton *out, const struct automaton *a) {
  automaton_init(out);
  out->independent = true;
  out->start = a->start;
  for (uint32_t i = 0; i < a->rationals.len; i++) /* 0 is there already and keeps its number */
    automaton_rational(out, automaton_value(a, i));
  for (size_t i = 0; i < a->vars.len; i++)
    automaton_var(out, a->vars.at[i], strlen(a->vars.at[i]));
  for (size_t i = 0; i < a->symbols.len; i++)
    automaton_symbol(out, a->symbols.at[i], strlen(a->symbols.at[i]));
  for (uint32_t s = 0; s < a->states.len; s++) {
    automaton_state(out, NULL, 0, span_none());
    out->states.at[s] = a->states.at[s];
  }
  uint32_t *guards = xmalloc((a->guards.len + 1) * sizeof *guards);
  for (uint32_t g = 0; g < a->guards.len; g++) {
    literal_vec literals = {0};
    automaton_essential(a, g, &literals);
    guards[g] = automaton_guard(out, literals.at, literals.len);
    vec_clear(&literals);
  }
  bool fits = true;
  for (uint32_t e = 0; e < a->edges.len; e++) {
    struct automaton_edge edge = a->edges.at[e];
    struct members w = automaton_members(a, edge.assign);
    uint32_t *vars = xmalloc((w.count + 1) * sizeof *vars);
    for (size_t i = 0; i < w.count; i++)
      vars[i] = w.at[i];
    edge.guard = guards[edge.guard];
    edge.assign = automaton_set(out, vars, w.count);
    free(vars);
    automaton_edge(out, edge, span_none());
    fits = fits && !step_too_wide(out, &edge);
  }
  free(guards);
  automaton_finish(out);
  return fits;
}
