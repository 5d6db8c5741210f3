#include "automata/decide/independent.h"

#include "automata/model/step.h"
#include "check/automaton/essential.h"

bool automaton_conjunctive_copy(struct automaton *out, const struct automaton *a) {
  automaton_init(out);
  automaton_copy_states(out, a);
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
