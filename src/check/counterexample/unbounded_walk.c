#include "check/counterexample/unbounded_walk.h"

/* ---- steps ------------------------------------------------------------------------------- */

static int local_var(struct unbounded_problem *p, uint32_t var) {
  for (size_t v = 0; v < p->vars; v++)
    if (p->var_of[v] == var) return (int)v;
  if (p->vars == UNBOUNDED_VARS) return -1;
  p->var_of[p->vars] = var;
  return (int)p->vars++;
}

static bool guard_holds(const struct unbounded_problem *p, const struct walk_step_info *s,
                        uint32_t guard, unsigned above) {
  const struct automaton *a = p->a;
  for (uint32_t c = a->guards.at[guard].begin; c < a->guards.at[guard].end; c++) {
    bool all = true;
    for (uint32_t i = a->cubes.at[c].begin; i < a->cubes.at[c].end && all; i++)
      for (size_t k = 0; k < s->compared_count; k++)
        if (p->var_of[s->compared[k]] == literal_var(a->literals.at[i]))
          all = all && literal_is_less(a->literals.at[i]) == !(above >> k & 1);
    if (all) return true;
  }
  return false;
}

static bool add_compared(struct unbounded_problem *p, struct walk_step_info *s, uint32_t guard) {
  const struct automaton *a = p->a;
  for (uint32_t c = a->guards.at[guard].begin; c < a->guards.at[guard].end; c++)
    for (uint32_t i = a->cubes.at[c].begin; i < a->cubes.at[c].end; i++) {
      int v = local_var(p, literal_var(a->literals.at[i]));
      bool known = false;
      for (size_t k = 0; k < s->compared_count; k++)
        known = known || s->compared[k] == v;
      if (known) continue;
      if (v < 0 || s->compared_count == UNBOUNDED_VARS) return false;
      s->compared[s->compared_count++] = v;
    }
  return true;
}

static bool read_step(struct unbounded_problem *p, const fmpz_t scale,
                      const struct walk_step *from) {
  struct walk_step_info *s = &p->steps[p->step_count++];
  const struct automaton_edge *e = &p->a->edges.at[from->edge];
  const struct automaton_state *state = &p->a->states.at[e->from];
  const fmpq *d = automaton_value(p->a, state->d);
  fmpz_t weight;
  *s = (struct walk_step_info){.cycle = from->cycle,
                               .is_input = state->is_input,
                               .emits = e->emit == EMIT_INSAMPLE,
                               .emits_prime = e->emit == EMIT_PRIME};
  fmpz_init(weight);
  fmpz_divexact(weight, scale, fmpq_denref(d));
  fmpz_mul(weight, weight, fmpq_numref(d));
  bool fits = fmpz_sgn(weight) > 0 && fmpz_bits(weight) <= 40;
  s->d = fits ? fmpz_get_si(weight) : 0;
  fmpz_clear(weight);
  if (!fits) return false;
  if (!add_compared(p, s, e->guard)) return false;
  struct members assigned = automaton_members(p->a, e->assign);
  for (size_t i = 0; i < assigned.count; i++) {
    int v = local_var(p, assigned.at[i]);
    if (v < 0) return false;
    s->assigned[s->assigned_count++] = v;
    s->is_assigned[v] = true;
  }
  for (unsigned above = 0; above >> s->compared_count == 0; above++) {
    bool holds = guard_holds(p, s, e->guard, above);
    if (holds) s->patterns[s->pattern_count++] = above;
    for (size_t k = 0; k < s->compared_count && holds; k++)
      if (!guard_holds(p, s, e->guard, above ^ 1u << k))
        *(above >> k & 1 ? &s->keep_above : &s->keep_below) |= 1u << k;
  }
  return s->pattern_count > 0;
}

/* Non-input states must all be centred on one point, the origin of all inputs. */
static bool has_one_origin(const struct automaton *a, const struct walk *w) {
  uint32_t mean = AUTOMATON_NONE;
  for (size_t i = 0; i < w->steps.len; i++) {
    const struct automaton_state *q = &a->states.at[a->edges.at[w->steps.at[i].edge].from];
    if (q->is_input) continue;
    if (mean != AUTOMATON_NONE && mean != q->mean) return false;
    mean = q->mean;
  }
  return true;
}

/* Each cycle once, again and again, once more: the first and the last round may differ. */
static void list_operations(struct unbounded_problem *p) {
  for (size_t i = 0; i < p->step_count;) {
    size_t end = i + 1;
    while (p->steps[i].cycle && end < p->step_count && p->steps[end].cycle == p->steps[i].cycle)
      end++;
    for (int copy = 0; copy < (p->steps[i].cycle ? 2 : 1); copy++) {
      for (size_t k = i; k < end; k++)
        p->operations[p->operation_count++] = (struct operation){k, k + 1, false};
      if (p->steps[i].cycle && copy == 0)
        p->operations[p->operation_count++] = (struct operation){i, end, true};
    }
    i = end;
  }
}

bool unbounded_read(struct unbounded_problem *p, const struct automaton *a, const struct walk *w) {
  fmpz_t scale; /* makes all d of the walk integers */
  *p = (struct unbounded_problem){.a = a};
  if (w->steps.len > UNBOUNDED_STEPS || w->cycle_count == 0 || !walk_is_in(a, w) ||
      !has_one_origin(a, w))
    return false;
  fmpz_init_set_ui(scale, 1);
  for (size_t i = 0; i < w->steps.len; i++) {
    uint32_t from = a->edges.at[w->steps.at[i].edge].from;
    fmpz_lcm(scale, scale, fmpq_denref(automaton_value(a, a->states.at[from].d)));
  }
  bool ok = true;
  for (size_t i = 0; i < w->steps.len && ok; i++)
    ok = read_step(p, scale, &w->steps.at[i]);
  fmpz_clear(scale);
  if (ok) list_operations(p);
  p->coarse_states = p->fine_states = 1;
  for (size_t v = 0; v < p->vars; v++) {
    p->coarse_states *= POSITIONS;
    p->fine_states *= SHIFTS;
  }
  return ok;
}
