#include "choices.h"

unsigned choose(struct choices *c, unsigned count) {
  if (c->depth == c->choice.len) {
    vec_push(&c->choice, 0);
    vec_push(&c->count, count);
  }
  return c->choice.at[c->depth++];
}

bool next_path(struct choices *c) {
  while (c->choice.len && vec_last(&c->choice) + 1 == vec_last(&c->count)) {
    (void)vec_pop(&c->choice);
    (void)vec_pop(&c->count);
  }
  if (!c->choice.len) return false;
  vec_last(&c->choice)++;
  return true;
}

void choices_clear(struct choices *c) {
  vec_clear(&c->choice);
  vec_clear(&c->count);
}
