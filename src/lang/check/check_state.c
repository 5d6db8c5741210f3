#include "lang/check/check_state.h"

void state_init(struct state *state, size_t slots) {
  *state = (struct state){.count = slots};
  state->at = xcalloc(slots + 1, sizeof *state->at);
  state->stamps = xcalloc(slots + 1, sizeof *state->stamps);
}

void state_clear(struct state *state) {
  free(state->at);
  free(state->stamps);
  vec_clear(&state->log);
}

void state_set(struct state *state, size_t slot, const void *value) {
  if (state->at[slot] == value) return;
  vec_push(&state->log, (struct state_change){slot, state->at[slot]});
  state->at[slot] = value;
}

void state_touch(struct state *state, size_t slot) {
  vec_push(&state->log, (struct state_change){slot, state->at[slot]});
}

size_t state_mark(const struct state *state) {
  return state->log.len;
}

void state_undo(struct state *state, size_t mark, struct outcome *outcome) {
  for (size_t i = mark; i < state->log.len; i++) {
    size_t slot = state->log.at[i].slot;
    vec_push(&outcome->values, (struct state_value){slot, state->at[slot]});
  }
  while (state->log.len > mark) {
    struct state_change change = vec_pop(&state->log);
    state->at[change.slot] = change.old;
  }
}

void state_join(struct state *state, size_t mark, const struct outcome *other, state_merge *merge,
                void *context) {
  size_t stamp = ++state->merges, end = state->log.len;
  for (size_t i = 0; i < other->values.len; i++) {
    struct state_value v = other->values.at[i];
    if (state->stamps[v.slot] == stamp) continue;
    state->stamps[v.slot] = stamp;
    state_set(state, v.slot, merge(context, v.slot, v.value, state->at[v.slot]));
  }
  /* The other branch left these alone: there they have the value from before, the oldest logged. */
  for (size_t i = mark; i < end; i++) {
    struct state_change change = state->log.at[i];
    if (state->stamps[change.slot] == stamp) continue;
    state->stamps[change.slot] = stamp;
    state_set(state, change.slot, merge(context, change.slot, change.old, state->at[change.slot]));
  }
}

void state_apply(struct state *state, const struct outcome *outcome) {
  for (size_t i = 0; i < outcome->values.len; i++)
    state_set(state, outcome->values.at[i].slot, outcome->values.at[i].value);
}

void outcome_clear(struct outcome *outcome) {
  vec_clear(&outcome->values);
}
