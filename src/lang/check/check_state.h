/* Facts about variables along the paths of a routine, for the analyses that follow its branches.
 *
 * One value per slot, and a log of changes: a branch is analysed on the live state, its outcome is
 * taken off again (state_undo), and the two outcomes are merged. The cost is that of the changes,
 * not of the number of variables, so that long routines stay linear. */
#ifndef COUPLET_LANG_CHECK_CHECK_STATE_H
#define COUPLET_LANG_CHECK_CHECK_STATE_H

#include "base/vec.h"
#include "lang/syntax/ast.h"

struct state_change {
  size_t slot;
  const void *old;
};

struct state {
  const void **at;
  size_t count;
  VEC(struct state_change) log;
  size_t *stamps; /* last merge that touched the slot */
  size_t merges;
};

struct state_value {
  size_t slot;
  const void *value;
};

/* What a branch changed, with the values at its end. A slot may be listed twice. */
struct outcome {
  VEC(struct state_value) values;
};

/* Both values belong to the slot; NULL is the initial one. */
typedef const void *state_merge(void *context, size_t slot, const void *a, const void *b);

void state_init(struct state *state, size_t slots);
void state_clear(struct state *state);
void state_set(struct state *state, size_t slot, const void *value);
/* As state_set with the value that is there: outcomes list it. */
void state_touch(struct state *state, size_t slot);
size_t state_mark(const struct state *state);
/* Lists the changes since the mark and takes them back. */
void state_undo(struct state *state, size_t mark, struct outcome *outcome);
/* The live state, changed since the mark, becomes the merge of itself with the outcome of another
 * branch that also began at the mark. */
void state_join(struct state *state, size_t mark, const struct outcome *other, state_merge *merge,
                void *context);
/* Sets what the outcome lists. */
void state_apply(struct state *state, const struct outcome *outcome);
void outcome_clear(struct outcome *outcome);

#endif
