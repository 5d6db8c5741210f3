#include "search/align/place.h"

#include "term/build.h"

void align_places(struct align *s) {
  size_t count = s->vars.len;
  for (size_t v = 0; v < count; v++)
    vec_push(&s->place, SIZE_MAX);
  for (size_t v = 0; v < count; v++) {
    term_id var = s->vars.at[v];
    sort_id sort = term_sort(s->ts, var);
    if (sort_get(s->ts, sort)->kind != SORT_KIND_ARRAY || align_is_private(s, var)) continue;
    if (!sort_is_numeric(sort_elem(s->ts, sort))) continue;
    const char *name = term_var_get(s->ts, var)->name;
    term_id place = term_var(s->ts, arena_printf(s->arena, "differing(%s)", name), SORT_INT, 0, 0);
    s->place.at[v] = s->vars.len;
    vec_push(&s->vars, place);
    vec_push(&s->place, SIZE_MAX);
    vec_push(&s->witnesses, (struct align_witness){place, place, v, SIZE_MAX});
  }
}

bool align_is_place(const struct align *s, size_t v) {
  for (size_t a = 0; a < s->place.len; a++)
    if (s->place.at[a] == v) return true;
  return false;
}

/* The variable with a place that the term is; SIZE_MAX: it is none. */
static size_t array_of(const struct align_where *d, term_id t) {
  size_t v = term_kind(d->s->ts, t) == TERM_VAR ? align_var(d->s, t) : SIZE_MAX;
  return v != SIZE_MAX && d->s->place.at[v] != SIZE_MAX ? v : SIZE_MAX;
}

/* Are these the same number? 1, 0, or -1: open. */
static int same(const struct align_where *d, term_id a, term_id b) {
  struct terms *ts = d->s->ts;
  for (size_t w = 0; w < d->s->witnesses.len; w++)
    if (d->s->witnesses.at[w].var == b) return align_ghost_known(d, w, a);
  term_id gap = term_sub(ts, a, b), atom = term_eq(ts, a, b);
  if (term_is_num(ts, gap)) return fmpq_is_zero(term_num_value(ts, gap));
  int known = align_atom_known(d, atom);
  for (const struct align_decision *e = d->path->decisions; e && known < 0; e = e->previous) {
    if (!e->taken || term_kind(ts, e->atom) != TERM_EQ) continue;
    for (int side = 0; side < 2 && known < 0; side++) {
      if (term_arg(ts, e->atom, side) != b) continue; /* then b is the other side */
      term_id other = term_sub(ts, a, term_arg(ts, e->atom, !side));
      if (other != TERM_NONE && term_is_num(ts, other))
        known = fmpq_is_zero(term_num_value(ts, other));
    }
  }
  return known;
}

bool align_is_key(const struct align *s, term_id place) {
  for (size_t w = 0; w < s->witnesses.len; w++)
    if (s->witnesses.at[w].var == place)
      return s->witnesses.at[w].array == SIZE_MAX && term_kind(s->ts, place) != TERM_VAR;
  return false;
}

term_id align_twin(const struct align *s, term_id place) {
  for (size_t w = 0; w < s->witnesses.len; w++)
    if (s->witnesses.at[w].var == place && s->witnesses.at[w].twin != SIZE_MAX)
      return s->witnesses.at[s->witnesses.at[w].twin].var;
  return TERM_NONE;
}

bool align_access(const struct align_where *d, term_id t, struct align_access *out) {
  struct align *s = d->s;
  enum term_kind kind = term_kind(s->ts, t);
  if (kind != TERM_SELECT && kind != TERM_STORE) return false;
  size_t v = array_of(d, term_arg(s->ts, t, 0));
  if (v == SIZE_MAX) return false;
  const struct form *form = d->path->state.diff[v];
  if (form_is_zero(form) || form_is_vague(&s->forms, form)) return false;
  if (!form_is_zero(align_differ(d, term_arg(s->ts, t, 1)))) return false;
  *out =
      (struct align_access){.form = form,
                            .index = align_state_value(s, &d->path->state, term_arg(s->ts, t, 1)),
                            .place = d->path->state.value[s->place.at[v]]};
  out->is_place = same(d, out->index, out->place);
  out->twin = align_twin(s, out->place);
  if (out->twin == TERM_NONE || out->is_place == 1) return true;
  int other = same(d, out->index, out->twin);
  if (out->is_place == 0) out->place = out->twin;
  if (other) out->is_place = other == 1 ? 1 : out->is_place ? out->is_place : other;
  return true;
}

term_id align_stored(const struct align_where *d, term_id t) {
  struct terms *ts = d->s->ts;
  if (term_kind(ts, t) != TERM_STORE || array_of(d, term_arg(ts, t, 0)) == SIZE_MAX)
    return TERM_NONE;
  bool equal = form_is_zero(align_differ(d, term_arg(ts, t, 0))) &&
               form_is_zero(align_differ(d, term_arg(ts, t, 1)));
  return equal ? term_arg(ts, t, 2) : TERM_NONE;
}

term_id align_place_after(const struct align_where *d, term_id t) {
  struct align *s = d->s;
  size_t copied = array_of(d, t);
  struct align_access a;
  if (copied != SIZE_MAX) return d->path->state.value[s->place.at[copied]];
  if (align_stored(d, t) != TERM_NONE)
    return align_state_value(s, &d->path->state, term_arg(s->ts, t, 1));
  return align_access(d, t, &a) && a.is_place > 0 && a.twin == TERM_NONE ? a.index : TERM_NONE;
}

/* Elements that were stored elsewhere than at the place. */
static const struct form *stored_elsewhere(struct align *s, const struct form *f) {
  const struct atom *a = f->count == 1 ? &s->forms.atoms.at[f->items[0].atom] : NULL;
  if (!a || a->kind != ATOM_FIRST) return &FORM_ZERO;
  const struct form *parts[] = {stored_elsewhere(s, a->part[0]), a->part[1]};
  return form_opaque(&s->forms, ATOM_EQUAL, parts, 2);
}

const struct form *align_added(struct align *s, const struct align_state *state, size_t v) {
  const struct form *f = state->diff[v];
  size_t place = s->place.at[v];
  bool stays = place != SIZE_MAX && f->known && state->value[place] == s->vars.at[place];
  return stays && !form_is_vague(&s->forms, f) ? stored_elsewhere(s, f) : f;
}
