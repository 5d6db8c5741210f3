#include "lang/check_state.h"

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

void expr_parts(const struct ast_expr *e, void (*visit)(void *, const struct ast_expr *),
                void *context) {
  switch (e->kind) {
  case EXPR_ERROR:
  case EXPR_BOOL:
  case EXPR_NUMBER:
  case EXPR_NAME:
  case EXPR_HOLE: break;
  case EXPR_TAG: visit(context, e->as.tag.operand); break;
  case EXPR_UNARY: visit(context, e->as.unary.operand); break;
  case EXPR_BINARY:
    visit(context, e->as.binary.left);
    visit(context, e->as.binary.right);
    break;
  case EXPR_CHAIN:
    for (size_t i = 0; i < e->as.chain.count; i++)
      visit(context, e->as.chain.operands[i]);
    break;
  case EXPR_CALL:
    for (size_t i = 0; i < e->as.call.count; i++)
      visit(context, e->as.call.args[i]);
    break;
  case EXPR_INDEX:
    visit(context, e->as.index.base);
    visit(context, e->as.index.index);
    break;
  case EXPR_PROJ: visit(context, e->as.proj.base); break;
  case EXPR_LIST:
  case EXPR_TUPLE:
    for (size_t i = 0; i < e->as.list.count; i++)
      visit(context, e->as.list.items[i]);
    break;
  case EXPR_IF:
    visit(context, e->as.cond.cond);
    visit(context, e->as.cond.then);
    visit(context, e->as.cond.otherwise);
    break;
  case EXPR_QUANT:
    for (size_t i = 0; i < e->as.quant.count; i++)
      if (e->as.quant.binders[i].low) {
        visit(context, e->as.quant.binders[i].low);
        visit(context, e->as.quant.binders[i].high);
      }
    visit(context, e->as.quant.body);
    break;
  }
}
