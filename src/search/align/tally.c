#include "search/align/tally.h"

#include "search/align/place.h"
#include "term/build.h"
#include "term/subst.h"

static bool increment_of(struct align *s, const struct core *c, struct align_tally *out) {
  struct terms *ts = s->ts;
  size_t v = align_var(s, c->var);
  if (v == SIZE_MAX || s->place.at[v] == SIZE_MAX || term_kind(ts, c->expr) != TERM_STORE ||
      term_arg(ts, c->expr, 0) != c->var)
    return false;
  term_id key = term_arg(ts, c->expr, 1);
  term_id amount = term_sub(ts, term_arg(ts, c->expr, 2), term_select(ts, c->var, key));
  if (amount == TERM_NONE || term_mentions(ts, amount, &c->var, 1)) return false;
  *out = (struct align_tally){c->var, term_bool(ts, true), key, amount};
  return true;
}

/* Both ways of a branch as one. */
static void choose(struct terms *ts, term_id c, const struct align_tally *yes,
                   const struct align_tally *no, struct align_tally *out) {
  bool one = yes->key == TERM_NONE, other = no->key == TERM_NONE;
  out->array = one ? no->array : yes->array;
  out->given = term_ite(ts, c, yes->given, no->given);
  out->key = one ? no->key : other ? yes->key : term_ite(ts, c, yes->key, no->key);
  out->amount = one ? no->amount : other ? yes->amount : term_ite(ts, c, yes->amount, no->amount);
}

/* `key := e;` before the increment: e in its place. */
static bool after_assignment(struct align *s, const struct core *c, const struct core *rest,
                             struct align_tally *out) {
  size_t v = align_var(s, c->var);
  if (v == SIZE_MAX || s->place.at[v] != SIZE_MAX || !align_tally_of(s, rest, out)) return false;
  if (out->key == TERM_NONE) return false;
  term_id *const parts[] = {&out->given, &out->key, &out->amount};
  for (size_t i = 0; i < 3; i++)
    if ((*parts[i] = term_subst(s->ts, *parts[i], &c->var, &c->expr, 1)) == TERM_NONE) return false;
  return true;
}

bool align_tally_of(struct align *s, const struct core *c, struct align_tally *out) {
  struct terms *ts = s->ts;
  struct align_tally yes, no;
  *out = (struct align_tally){TERM_NONE, term_bool(ts, false), TERM_NONE, TERM_NONE};
  switch (c->kind) {
  case CORE_SKIP: return true;
  case CORE_ASSIGN: return increment_of(s, c, out);
  case CORE_SEQ:
    if (c->second->kind == CORE_SKIP) return align_tally_of(s, c->first, out);
    if (c->first->kind == CORE_ASSIGN) return after_assignment(s, c->first, c->second, out);
    return c->first->kind == CORE_SKIP && align_tally_of(s, c->second, out);
  case CORE_IF:
    if (!align_tally_of(s, c->first, &yes) || !align_tally_of(s, c->second, &no)) return false;
    if (yes.array != no.array && yes.key != TERM_NONE && no.key != TERM_NONE) return false;
    choose(ts, c->expr, &yes, &no, out);
    return out->key != TERM_NONE && out->given != TERM_NONE && out->amount != TERM_NONE;
  default: return false;
  }
}

/* Is it made of data? */
static bool is_data(const struct align_where *at, term_id part) {
  term_id value = align_state_value(at->s, &at->path->state, part);
  return value != TERM_NONE && align_is_pure(at, value);
}

bool align_tally_after(const struct align_where *at, const struct align_tally *t,
                       const struct form **diff, term_id *place) {
  struct align *s = at->s;
  struct terms *ts = s->ts;
  size_t v = align_var(s, t->array);
  term_id element = term_var(ts, "element", SORT_INT, 0, 1);
  term_id here = term_and(ts, t->given, term_eq(ts, t->key, element));
  term_id zero = term_coerce(ts, term_int(ts, 0), term_sort(ts, t->amount));
  term_id added = term_ite(ts, here, t->amount, zero);
  term_id value = added == TERM_NONE ? added : align_state_value(s, &at->path->state, added);
  struct align_read read;
  struct ratio low, high;
  if (!is_data(at, t->given) || !is_data(at, t->key) || !is_data(at, t->amount)) return false;
  if (value == TERM_NONE || !align_read_of(s, value, &read)) return false;
  const struct form *f = align_differ_value(at, value);
  *diff = at->path->state.diff[v];
  *place = at->path->state.value[s->place.at[v]];
  if (form_is_zero(f)) return true;
  form_bounds(&s->forms, f, &low, &high);
  if (!form_is_zero(*diff) || !ratio_is_finite(low) || !ratio_is_finite(high)) return false;
  for (size_t i = 0; i < read.shape->spot_count; i++) {
    const struct align_spot *spot = &read.shape->spots[i];
    if (read.index[i] != element || spot->count > 2) continue;
    *diff = f;
    *place = s->witnesses.at[spot->witness[0]].var;
    if (spot->count == 2) s->witnesses.at[spot->witness[0]].twin = spot->witness[1];
    return true;
  }
  return false;
}
