#include "search/align/growth.h"

#include <stdlib.h>

#include "search/align/place.h"
#include "term/build.h"
#include "term/subst.h"

enum { MOST_AHEAD = 8 };

/* ---- what iterations do ---------------------------------------------------------------------- */

static void note_step(struct align *s, struct align_growth *g, size_t v,
                      const struct align_state *after) {
  term_id by = term_sub(s->ts, after->value[v], s->vars.at[v]);
  struct ratio step = by != TERM_NONE && term_is_num(s->ts, by)
                          ? ratio_from_fmpq(term_num_value(s->ts, by))
                          : ratio_int(0);
  g->uneven |= step.den != 1 || labs(step.num) != 1 || (g->step && g->step != step.num);
  g->step = step.num;
}

static const struct form *own_form(const struct align_plan *plan, size_t v,
                                   const struct align_head *before) {
  return plan->growth[v].inside ? plan->growth[v].inside : before->state.diff[v];
}

/* By how much the iteration changes the difference; false: that is not bounded. */
static bool added(struct align *s, const struct align_plan *plan, size_t v,
                  const struct align_head *before, const struct align_state *after,
                  struct ratio *low, struct ratio *high, term_id *unit) {
  const struct form *f =
      form_add(&s->forms, after->diff[v], ratio_int(-1), own_form(plan, v, before));
  if (!f->known || form_has_shift(&s->forms, f) || !form_unit(&s->forms, f, unit)) return false;
  form_bounds(&s->forms, f, low, high);
  return ratio_is_finite(*low) && ratio_is_finite(*high);
}

void growth_note(struct align *s, struct align_plan *plan, size_t v,
                 const struct align_head *before, const struct align_state *after) {
  struct align_growth *g = &plan->growth[v];
  struct ratio low, high, zero = ratio_int(0);
  term_id unit;
  if (!plan->written[v] || !plan->live[v] || s->place.at[v] != SIZE_MAX) return;
  if (term_sort(s->ts, s->vars.at[v]) == SORT_INT) note_step(s, g, v, after);
  if (!sort_is_numeric(term_sort(s->ts, s->vars.at[v])) || !before->state.diff[v]->known) return;
  if (!added(s, plan, v, before, after, &low, &high, &unit)) {
    g->vague = true;
    return;
  }
  if (ratio_is_zero(low) && ratio_is_zero(high)) return;
  g->vague |= g->any && g->unit != unit;
  g->low = ratio_min(g->any ? g->low : zero, low);
  g->high = ratio_max(g->any ? g->high : zero, high);
  g->unit = unit;
  g->any = true;
}

/* ---- what the loop counts -------------------------------------------------------------------- */

/* The value of the variable with which the loop is entered; TERM_NONE: not always the same number
 * or parameter. */
static term_id first_value(struct align *s, const struct align_end *entries, size_t count,
                           size_t v) {
  term_id first = entries[0].state.value[v];
  for (size_t i = 1; i < count; i++)
    if (entries[i].state.value[v] != first) return TERM_NONE;
  return first != TERM_NONE && align_is_fixed(s, first) ? first : TERM_NONE;
}

/* The first value for which the condition does not hold; TERM_NONE: it says no such thing. */
static term_id end_by(struct align *s, term_id condition, term_id var, long step) {
  enum term_kind kind = term_kind(s->ts, condition);
  size_t side = step < 0; /* i < end, end < i */
  if ((kind != TERM_LT && kind != TERM_LE) || term_arg(s->ts, condition, side) != var)
    return TERM_NONE;
  term_id end = term_arg(s->ts, condition, !side);
  if (!align_is_fixed(s, end)) return TERM_NONE;
  return kind == TERM_LT ? end : term_add(s->ts, end, term_int(s->ts, step));
}

/* How many iterations from one value of the index to another one. */
static term_id between(struct align *s, const struct align_plan *plan, term_id from, term_id to) {
  return plan->count_step > 0 ? term_sub(s->ts, to, from) : term_sub(s->ts, from, to);
}

bool growth_count(struct align *s, struct align_plan *plan, const struct align_end *entries,
                  size_t count) {
  term_list parts = {0};
  plan->counted = TERM_NONE;
  term_conjuncts(s->ts, plan->loop->expr, &parts);
  for (size_t v = 0; v < s->vars.len && plan->counted == TERM_NONE; v++) {
    if (term_sort(s->ts, s->vars.at[v]) != SORT_INT || !plan->written[v] ||
        plan->growth[v].uneven || !plan->growth[v].step)
      continue;
    plan->count_step = plan->growth[v].step;
    plan->count_first = first_value(s, entries, count, v);
    for (size_t i = 0; i < parts.len && plan->counted == TERM_NONE; i++) {
      plan->count_end = end_by(s, parts.at[i], s->vars.at[v], plan->count_step);
      if (plan->count_end == TERM_NONE || plan->count_first == TERM_NONE) continue;
      term_id all = between(s, plan, plan->count_first, plan->count_end);
      if (align_follows(s, term_bool(s->ts, true), term_le(s->ts, term_int(s->ts, 0), all)))
        plan->counted = s->vars.at[v];
    }
  }
  vec_clear(&parts);
  return plan->counted != TERM_NONE;
}

/* ---- bounds ---------------------------------------------------------------------------------- */

/* As after so many iterations. */
static const struct form *times(struct align *s, const struct align_plan *plan, size_t v,
                                term_id iterations) {
  const struct align_growth *g = &plan->growth[v];
  iterations = term_add(s->ts, iterations, term_int(s->ts, g->ahead));
  struct atom atom = {.kind = ATOM_HEAD,
                      .term = s->vars.at[v],
                      .loop = plan->loop,
                      .low = g->low,
                      .high = g->high,
                      .unit =
                          g->unit == TERM_NONE ? iterations : term_mul(s->ts, iterations, g->unit)};
  return form_atom(&s->forms, forms_atom(&s->forms, atom));
}

/* How many iterations are as bad as what differs at the start: `ahead`. False: none are. */
static bool find_start(struct align *s, struct align_growth *g, const struct form *first) {
  struct ratio low, high;
  term_id unit;
  g->ahead = 0;
  if (form_is_zero(first)) return true;
  form_bounds(&s->forms, first, &low, &high);
  if (!first->known || !form_unit(&s->forms, first, &unit) || unit != g->unit) return false;
  for (; g->ahead <= MOST_AHEAD; g->ahead++) {
    struct ratio times = ratio_int(g->ahead);
    if (ratio_le(ratio_mul(times, g->low), low) && ratio_le(high, ratio_mul(times, g->high)))
      return true;
  }
  return false;
}

bool growth_found(struct align *s, struct align_plan *plan, const struct align_end *entries,
                  size_t count) {
  bool found = false;
  for (size_t v = 0; v < s->vars.len; v++) {
    struct align_growth *g = &plan->growth[v];
    if (!g->lost || g->vague || !g->any || g->head || plan->totals[v].head) continue;
    if (!find_start(s, g, entries[0].state.diff[v])) continue;
    if (!found && !growth_count(s, plan, entries, count)) return false;
    found = true;
    term_id all = between(s, plan, plan->count_first, plan->count_end);
    g->head = times(s, plan, v, between(s, plan, plan->count_first, plan->counted));
    g->inside = times(s, plan, v, term_sub(s->ts, all, term_int(s->ts, 1)));
    g->behind = times(s, plan, v, all);
  }
  return found;
}

const struct form *growth_keep(struct align *s, const struct align_plan *plan, size_t v,
                               const struct align_head *before, const struct align_state *from) {
  const struct align_growth *g = &plan->growth[v];
  struct ratio low, high;
  term_id unit;
  if (!g->head) return NULL;
  if (!before) {
    struct align_growth start = *g;
    return find_start(s, &start, from->diff[v]) && start.ahead <= g->ahead ? g->head
                                                                           : &FORM_UNKNOWN;
  }
  if (!added(s, plan, v, before, from, &low, &high, &unit)) return &FORM_UNKNOWN;
  bool none = ratio_is_zero(low) && ratio_is_zero(high);
  bool fits = unit == g->unit && ratio_le(g->low, low) && ratio_le(high, g->high);
  return none || fits ? g->head : &FORM_UNKNOWN;
}

static struct align_state with_forms(struct align *s, const struct align_plan *plan,
                                     const struct align_state *head, bool behind) {
  struct align_state state = align_state_copy(s, head);
  for (size_t v = 0; v < s->vars.len; v++) {
    const struct align_growth *g = &plan->growth[v];
    if (g->head && state.diff[v] == g->head) state.diff[v] = behind ? g->behind : g->inside;
  }
  return state;
}

struct align_state growth_inside(struct align *s, const struct align_plan *plan,
                                 const struct align_state *head) {
  return with_forms(s, plan, head, false);
}

struct align_state growth_behind(struct align *s, const struct align_plan *plan,
                                 const struct align_state *head) {
  return with_forms(s, plan, head, true);
}

term_id growth_range(struct align *s, const struct align_plan *plan) {
  for (size_t v = 0; v < s->vars.len; v++)
    if (plan->growth[v].head || plan->totals[v].head)
      return plan->count_step > 0 ? term_le(s->ts, plan->counted, plan->count_end)
                                  : term_le(s->ts, plan->count_end, plan->counted);
  return TERM_NONE;
}
