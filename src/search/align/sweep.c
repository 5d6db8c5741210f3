#include "search/align/sweep.h"

#include "term/build.h"

static bool differs(const struct align_state *state, size_t array) {
  return !form_is_zero(state->diff[array]);
}

/* The index that was found not to be the place on this path; TERM_NONE: there is none, or several. */
static term_id passed_index(struct align *s, const struct align_path *path, term_id place) {
  term_id index = TERM_NONE;
  for (const struct align_decision *d = path->decisions; d; d = d->previous) {
    if (term_kind(s->ts, d->atom) != TERM_EQ || d->taken) continue;
    term_id a = term_arg(s->ts, d->atom, 0), b = term_arg(s->ts, d->atom, 1);
    if (a != place && b != place) continue;
    if (index != TERM_NONE) return TERM_NONE;
    index = a == place ? b : a;
  }
  return index;
}

/* One iteration in which the array differs before and afterwards: it passes an element, which is the
 * same term every time, and goes on to the next one. */
static bool passes(struct align *s, const struct align_end *end, size_t array,
                   struct align_sweep *sweep) {
  size_t place = s->place.at[array];
  term_id var = s->vars.at[place], index = passed_index(s, end->path, var);
  if (end->state.value[place] != var || index == TERM_NONE) return false;
  term_id next = align_state_value(s, &end->state, index);
  struct ratio move = next == TERM_NONE ? (struct ratio){0, 0} : align_apart(s, index, next);
  bool up = ratio_eq(move, ratio_int(1)), down = ratio_eq(move, ratio_int(-1));
  if (!up && !down) return false;
  if (sweep->index != TERM_NONE && (sweep->index != index || sweep->descending != down))
    return false;
  *sweep = (struct align_sweep){index, down};
  return true;
}

static bool sweeps(struct align *s, const struct align_plan *plan, size_t array,
                   struct align_sweep *sweep) {
  for (size_t i = 0; i < plan->heads.len; i++) {
    const struct align_head *h = plan->heads.at[i];
    if (differs(&h->state, array) &&
        h->state.value[s->place.at[array]] != s->vars.at[s->place.at[array]])
      return false;
    for (size_t j = 0; j < h->steps.len; j++) {
      const struct align_end *end = h->steps.at[j].end;
      if (!differs(&end->state, array)) continue;
      if (!differs(&h->state, array) || !passes(s, end, array, sweep)) return false;
    }
  }
  return sweep->index != TERM_NONE;
}

/* Does it begin at the first element, wherever the loop is entered, or at the last one? */
static bool begins_at_end(struct align *s, const struct align_plan *plan, size_t array,
                          const struct align_sweep *sweep) {
  term_id length = align_length_of(s, s->vars.at[array]);
  for (size_t i = 0; i < plan->entries.len; i++) {
    const struct align_state *entry = &plan->entered[i].state;
    if (!differs(entry, array)) continue;
    term_id first = align_state_value(s, entry, sweep->index);
    if (first == TERM_NONE || length == TERM_NONE) return false;
    term_id begins = sweep->descending
                         ? term_le(s->ts, length, term_add(s->ts, first, term_int(s->ts, 1)))
                         : term_le(s->ts, first, term_int(s->ts, 0));
    if (!align_follows(s, term_bool(s->ts, true), begins)) return false;
  }
  return true;
}

/* Has the loop come to the end of the array on this path? */
static bool is_through(struct align *s, const struct align_path *path, size_t array,
                       const struct align_sweep *sweep) {
  term_id decided = term_bool(s->ts, true), length = align_length_of(s, s->vars.at[array]);
  for (const struct align_decision *d = path->decisions; d; d = d->previous)
    decided = term_and(s->ts, decided, d->taken ? d->atom : term_not(s->ts, d->atom));
  term_id through = sweep->descending ? term_lt(s->ts, sweep->index, term_int(s->ts, 0))
                                      : term_le(s->ts, length, sweep->index);
  return align_follows(s, decided, through);
}

/* Is the loop left in this state only when it has come to the end of the array? */
static bool stays(struct align *s, const struct align_head *h, size_t array,
                  const struct align_sweep *sweep) {
  for (size_t i = 0; i < h->body->ends.len; i++) {
    const struct align_end *end = &h->body->ends.at[i];
    if (end->kind == PATH_EXIT && !is_through(s, end->path, array, sweep)) return false;
  }
  return true;
}

void align_find_sweeps(struct align *s, struct align_plan *plan) {
  for (size_t v = 0; v < s->vars.len; v++) {
    struct align_sweep sweep = {.index = TERM_NONE};
    if (!plan->written[v] || !plan->live[v] || s->place.at[v] == SIZE_MAX) continue;
    if (!sweeps(s, plan, v, &sweep) || !begins_at_end(s, plan, v, &sweep)) continue;
    plan->sweeps[v] = sweep;
    for (size_t i = 0; i < plan->heads.len; i++) {
      struct align_head *h = plan->heads.at[i];
      if (differs(&h->state, v) && stays(s, h, v, &sweep)) h->can_exit = false;
    }
  }
}

/* ---- what the proof says of them ------------------------------------------------------------- */

bool align_is_swept(const struct align_rows *rows, size_t array) {
  for (size_t i = 0; i < rows->heads.len; i++)
    if (rows->heads.at[i].plan->sweeps[array].index != TERM_NONE) return true;
  return false;
}

static term_id bound_in(struct align *s, const struct align_plan *plan, size_t array) {
  const struct align_sweep *sweep = &plan->sweeps[array];
  if (sweep->index == TERM_NONE) return TERM_NONE;
  term_id place = s->vars.at[s->place.at[array]];
  return sweep->descending ? term_le(s->ts, place, sweep->index)
                           : term_le(s->ts, sweep->index, place);
}

term_id align_sweep_bound(struct align *s, const struct align_heads *heads, size_t array) {
  term_id all = TERM_NONE;
  for (size_t i = 0; i < heads->count; i++) {
    const struct align_placed_head *h = &heads->at[i];
    if (!h->plan->live[array] || !differs(&h->head->state, array)) continue;
    term_id bound = bound_in(s, h->plan, array);
    if (bound == TERM_NONE || (all != TERM_NONE && all != bound)) return TERM_NONE;
    all = bound;
  }
  return all;
}
