#include "run/eval/adjacency.h"

#include "run/eval/number.h"

/* How one entry may move from run 1 to run 2: by at most s, in one direction or either; a negative
 * s lets nothing pass, not even what stays, unless that is said (MOVES_OR_STAYS). */
enum movement {
  MOVES_EITHER_WAY,
  MOVES_UP,
  MOVES_DOWN,
  MOVES_NOT,
  MOVES_AT_ALL,
  MOVES_OR_STAYS,
  MOVES_AWAY
};

static bool is_optional(const struct rvalue *v) {
  return v->kind == RVALUE_TUPLE && v->as.seq->len == 2 && v->as.seq->at[0].kind == RVALUE_BOOL;
}

static bool entry_moves(enum movement how, const struct rvalue *x, const struct rvalue *y,
                        const struct rvalue *s, bool *fits) {
  struct rvalue difference, length;
  int sign, order;
  if (how == MOVES_AT_ALL) {
    *fits = true;
    return true;
  }
  if (how == MOVES_AWAY) { /* there in one run at most, or the same */
    if (!is_optional(x) || !is_optional(y)) return false;
    *fits = !x->as.seq->at[0].as.boolean || !y->as.seq->at[0].as.boolean;
    if (*fits) return true;
    how = MOVES_NOT;
  }
  if (!rvalue_comparable(x, y)) return false;
  if (how == MOVES_NOT || how == MOVES_OR_STAYS) {
    bool decided = rvalue_compare(&order, x, y);
    *fits = decided && order == 0;
    if (!decided || *fits || how == MOVES_NOT) return decided;
  }
  if (!rvalue_is_number(x)) return false;
  if (number_binary(BINARY_SUB, &difference, y, x)) return false;
  bool ok = number_sign(&sign, &difference) &&
            number_function(BUILTIN_ABS, &length, &difference) == NUMBER_OK;
  if (ok) {
    ok = number_compare(&order, &length, s);
    rvalue_clear(&length);
  }
  rvalue_clear(&difference);
  *fits = ok && order <= 0 && (how != MOVES_UP || sign >= 0) && (how != MOVES_DOWN || sign <= 0);
  return ok;
}

/* Number of entries that do not move as they may, and of those that differ at all. */
static bool entries_move(enum movement how, const struct rvalue *x, const struct rvalue *y,
                         const struct rvalue *s, size_t *misfits, size_t *different) {
  bool fits;
  if (!rvalue_is_items(x) || !rvalue_is_items(y)) return false;
  size_t n = x->as.seq->len;
  *misfits = *different = 0;
  if (n != y->as.seq->len) *misfits = 1;
  for (size_t i = 0; i < n && !*misfits; i++) {
    if (!entry_moves(how, &x->as.seq->at[i], &y->as.seq->at[i], s, &fits)) return false;
    *misfits += !fits;
    if (!entry_moves(MOVES_NOT, &x->as.seq->at[i], &y->as.seq->at[i], s, &fits)) return false;
    *different += !fits;
  }
  return true;
}

bool adjacency_holds(enum builtin id, const struct rvalue *x, const struct rvalue *y,
                     const struct rvalue *s, bool *truth) {
  size_t misfits, different;
  bool ok;
  switch (id) {
  case BUILTIN_SAME: return entry_moves(MOVES_NOT, x, y, s, truth);
  case BUILTIN_WITHIN: return entry_moves(MOVES_EITHER_WAY, x, y, s, truth);
  case BUILTIN_ALL_WITHIN:
    ok = entries_move(MOVES_EITHER_WAY, x, y, s, &misfits, &different);
    break;
  case BUILTIN_ONE_DIFFERS:
    ok = entries_move(MOVES_OR_STAYS, x, y, s, &misfits, &different);
    misfits += ok && different > 1;
    break;
  case BUILTIN_ADD_REMOVE:
    ok = entries_move(MOVES_AWAY, x, y, s, &misfits, &different);
    misfits += ok && different > 1;
    break;
  case BUILTIN_ONE_CHANGES:
    ok = entries_move(MOVES_AT_ALL, x, y, s, &misfits, &different);
    misfits += ok && different > 1;
    break;
  case BUILTIN_ALL_INCREASE: ok = entries_move(MOVES_UP, x, y, s, &misfits, &different); break;
  case BUILTIN_ALL_DECREASE: ok = entries_move(MOVES_DOWN, x, y, s, &misfits, &different); break;
  case BUILTIN_MONOTONE:
    ok = entries_move(MOVES_UP, x, y, s, &misfits, &different);
    if (ok && misfits) ok = entries_move(MOVES_DOWN, x, y, s, &misfits, &different);
    break;
  default: return false;
  }
  *truth = ok && misfits == 0;
  return ok;
}
