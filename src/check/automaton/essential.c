#include "check/automaton/essential.h"

static bool holds(const struct automaton *a, struct automaton_range g, const literal_vec *vars,
                  uint32_t above) {
  for (uint32_t c = g.begin; c < g.end; c++) {
    bool all = true;
    for (uint32_t i = a->cubes.at[c].begin; i < a->cubes.at[c].end && all; i++) {
      uint32_t at = 0;
      while (vars->at[at] != literal_var(a->literals.at[i]))
        at++;
      all = literal_is_less(a->literals.at[i]) == !(above >> at & 1);
    }
    if (all) return true;
  }
  return false;
}

static void insert(literal_vec *list, uint32_t word) {
  size_t at = 0;
  while (at < list->len && list->at[at] < word)
    at++;
  if (at < list->len && list->at[at] == word) return;
  vec_push(list, 0);
  for (size_t i = list->len - 1; i > at; i--)
    list->at[i] = list->at[i - 1];
  list->at[at] = word;
}

void automaton_essential(const struct automaton *a, uint32_t guard, literal_vec *out) {
  struct automaton_range g = a->guards.at[guard];
  literal_vec vars = {0}, all = {0};
  for (uint32_t c = g.begin; c < g.end; c++)
    for (uint32_t i = a->cubes.at[c].begin; i < a->cubes.at[c].end; i++) {
      insert(&vars, literal_var(a->literals.at[i]));
      insert(&all, a->literals.at[i]);
    }
  bool table = g.end - g.begin > 1 && vars.len <= ESSENTIAL_VARS;
  for (size_t i = 0; i < all.len && !table; i++)
    vec_push(out, all.at[i]);
  for (uint32_t x = 0; x < vars.len && table; x++) {
    bool below = false, above = false; /* true only below, true only above */
    for (uint32_t sides = 0; sides < UINT32_C(1) << vars.len; sides++) {
      if (sides >> x & 1) continue;
      bool low = holds(a, g, &vars, sides), high = holds(a, g, &vars, sides | UINT32_C(1) << x);
      below |= low && !high;
      above |= high && !low;
    }
    if (below) vec_push(out, literal_less(vars.at[x]));
    if (above) vec_push(out, literal_greater(vars.at[x]));
  }
  vec_clear(&vars);
  vec_clear(&all);
}

bool automaton_guard_is_conjunctive(const struct automaton *a, uint32_t guard) {
  struct automaton_range g = a->guards.at[guard];
  if (g.end - g.begin <= 1) return true;
  literal_vec vars = {0}, needed = {0};
  for (uint32_t c = g.begin; c < g.end; c++)
    for (uint32_t i = a->cubes.at[c].begin; i < a->cubes.at[c].end; i++)
      insert(&vars, literal_var(a->literals.at[i]));
  automaton_essential(a, guard, &needed);
  bool same = vars.len <= ESSENTIAL_VARS;
  for (uint32_t sides = 0; same && sides < UINT32_C(1) << vars.len; sides++) {
    bool all = true;
    for (size_t i = 0; i < needed.len && all; i++) {
      uint32_t at = 0;
      while (vars.at[at] != literal_var(needed.at[i]))
        at++;
      all = literal_is_less(needed.at[i]) == !(sides >> at & 1);
    }
    same = holds(a, g, &vars, sides) == all;
  }
  vec_clear(&vars);
  vec_clear(&needed);
  return same;
}
