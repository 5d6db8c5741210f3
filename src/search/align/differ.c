#include "search/align/differ.h"

#include "search/align/measure.h"
#include "search/align/place.h"
#include "search/base/lists.h"
#include "term/build.h"
#include "term/subst.h"

/* ---- what is decided already ----------------------------------------------------------------- */

/* Does the phase of the loop say that the index is not the witness? */
static bool is_out_of_phase(const struct align_where *at, size_t witness, term_id e) {
  if (!at->start->phase || at->start->tracks[witness].first == TERM_NONE) return false;
  const struct align_track *track = &at->start->tracks[witness];
  unsigned phase = at->start->phase[witness];
  struct ratio far = align_apart(at->s, track->first, e);
  if (!ratio_is_finite(far)) return false;
  if (track->descending) far = ratio_neg(far);
  if (phase < track->phases && ratio_le(ratio_int((long)phase * track->step), far)) return true;
  return phase > 0 && !ratio_le(ratio_int((long)(phase - 1) * track->step), far);
}

/* Is it at least 0, by itself or because the path has decided so? */
static bool is_slack(const struct align_where *at, term_id t) {
  if (t == TERM_NONE || term_is_num(at->s->ts, t))
    return t != TERM_NONE && fmpq_sgn(term_num_value(at->s->ts, t)) >= 0;
  for (const struct align_decision *d = at->path->decisions; d; d = d->previous)
    if (align_as_guard(at->s, d) == t) return true;
  return false;
}

/* Does it follow from this comparison of w with something else that e is not w? */
static bool excludes(const struct align_where *at, term_id atom, bool truth, term_id w, term_id e) {
  struct terms *ts = at->s->ts;
  if (term_kind(ts, atom) != TERM_LT) return false;
  term_id a = term_arg(ts, atom, 0), b = term_arg(ts, atom, 1), one = term_int(ts, 1);
  if (a == w) /* w < b <= e, or e < b <= w */
    return is_slack(at, truth ? term_sub(ts, e, b) : term_sub(ts, term_sub(ts, b, e), one));
  if (b != w) return false;
  return is_slack(at, truth ? term_sub(ts, a, e) : term_sub(ts, term_sub(ts, e, a), one));
}

/* Is the index e the one that differs, as far as that was decided of it? 1, 0, or -1: open. */
static int index_decided(const struct align_where *at, size_t witness, term_id e) {
  struct terms *ts = at->s->ts;
  term_id w = at->s->witnesses.at[witness].var;
  if (is_out_of_phase(at, witness, e)) return 0;
  term_id atom = term_eq(ts, e, w);
  for (size_t i = 0; i < at->start->atom_count; i++) {
    if (at->start->atoms[i] == atom && at->start->truths[i] >= 0) return at->start->truths[i];
    int truth = at->start->truths[i];
    if (truth >= 0 && excludes(at, at->start->atoms[i], truth, w, e)) return 0;
  }
  if (term_kind(ts, atom) == TERM_TRUE) return 1;
  if (term_kind(ts, atom) == TERM_FALSE) return 0;
  for (const struct align_decision *d = at->path->decisions; d; d = d->previous) {
    if (d->atom == atom) return d->taken;
    if (!d->taken || term_kind(ts, d->atom) != TERM_EQ) continue;
    term_id a = term_arg(ts, d->atom, 0), b = term_arg(ts, d->atom, 1);
    if (a != w && b != w) continue;
    term_id apart = term_sub(ts, a == w ? b : a, e);
    if (term_is_num(ts, apart)) return fmpq_is_zero(term_num_value(ts, apart));
  }
  return -1;
}

/* Is it the witness, which may be a key: then in run 1 or in run 2, where these are equal? */
static bool is_witness(struct align *s, size_t w, term_id t) {
  term_id var = s->witnesses.at[w].var;
  return t == var || term_tag(s->ts, t, 1, s->private.at, s->private.len) == var ||
         term_tag(s->ts, t, 2, s->private.at, s->private.len) == var;
}

/* Does the condition hold in both runs, which may be about another witness? */
static int condition_known(const struct align_where *at, term_id atom) {
  struct terms *ts = at->s->ts;
  for (size_t w = 0; w < at->s->witnesses.len && term_kind(ts, atom) == TERM_EQ; w++)
    for (size_t side = 0; side < 2; side++)
      if (is_witness(at->s, w, term_arg(ts, atom, side)))
        return index_decided(at, w, term_arg(ts, atom, !side));
  return align_atom_known(at, atom);
}

/* Was something decided of e on the way that is not so of the witness? */
static bool is_told_apart(const struct align_where *at, term_id w, term_id e) {
  struct terms *ts = at->s->ts;
  if (term_kind(ts, e) != TERM_VAR || at->start->atom_count == 0) return false;
  for (const struct align_decision *d = at->path->decisions; d; d = d->previous) {
    if (d->relation != REL_NONE || !term_mentions(ts, d->atom, &e, 1)) continue;
    if (condition_known(at, term_subst(ts, d->atom, &e, &w, 1)) == !d->taken) return true;
  }
  return false;
}

/* Is the index e the one that differs? 1, 0, or -1: open. */
int align_ghost_known(const struct align_where *at, size_t witness, term_id e) {
  int decided = index_decided(at, witness, e);
  if (decided >= 0) return decided;
  return is_told_apart(at, at->s->witnesses.at[witness].var, e) ? 0 : -1;
}

int align_read_known(const struct align_where *at, const struct align_read *read, size_t *witness,
                     term_id *index) {
  int all = 1;
  for (size_t i = 0; i < read->shape->spot_count; i++) {
    const struct align_spot *spot = &read->shape->spots[i];
    int here = 0;
    for (size_t w = 0; w < spot->count && here != 1; w++) {
      int known = align_ghost_known(at, spot->witness[w], read->index[i]);
      if (known < 0 && here == 0 && all == 1) {
        *witness = spot->witness[w];
        *index = read->index[i];
      }
      here = known ? known : here;
    }
    if (here == 0) return 0;
    if (here < 0) all = -1;
  }
  return all;
}

int align_atom_known(const struct align_where *at, term_id atom) {
  term_id opposite = term_not(at->s->ts, atom);
  for (size_t i = 0; i < at->start->atom_count; i++) {
    int truth = at->start->truths[i];
    if (truth >= 0 && at->start->atoms[i] == atom) return truth;
    if (truth >= 0 && at->start->atoms[i] == opposite) return !truth;
  }
  for (const struct align_decision *d = at->path->decisions; d; d = d->previous) {
    if (d->atom == atom) return d->taken;
    if (d->atom == opposite) return !d->taken;
  }
  return -1;
}

/* ---- differences ----------------------------------------------------------------------------- */

static const struct form *opaque(const struct align_where *d, enum atom_kind kind, term_id t) {
  size_t count = term_arg_count(d->s->ts, t);
  const struct form **parts = arena_alloc(d->s->arena, (count + 1) * sizeof *parts);
  for (size_t i = 0; i < count; i++)
    parts[i] = align_differ(d, term_arg(d->s->ts, t, i));
  return form_opaque(&d->s->forms, kind, parts, count);
}

/* Are the public parts of a private read equal in both runs? */
static bool indices_equal(const struct align_where *d, term_id t) {
  if (!align_reads_private(d->s, t)) return form_is_zero(align_differ(d, t));
  for (size_t i = 0; i < term_arg_count(d->s->ts, t); i++)
    if (!indices_equal(d, term_arg(d->s->ts, t, i))) return false;
  return true;
}

/* What is known of the witnesses here. */
static term_id witnesses_known(const struct align_where *at) {
  struct align *s = at->s;
  term_id all = term_bool(s->ts, true);
  for (const struct align_decision *d = at->path->decisions; d; d = d->previous)
    for (size_t w = 0; w < s->witnesses.len; w++)
      if (term_kind(s->ts, d->atom) == TERM_EQ &&
          term_mentions(s->ts, d->atom, &s->witnesses.at[w].var, 1))
        all = term_and(s->ts, all, d->taken ? d->atom : term_not(s->ts, d->atom));
  return all;
}

bool align_agrees(const struct align_where *at, term_id t) {
  struct align *s = at->s;
  if (s->assumption == term_bool(s->ts, true) || term_sort(s->ts, t) != SORT_BOOL ||
      !align_reads_private(s, t) || !indices_equal(at, t))
    return false;
  term_id value = align_state_value(s, &at->path->state, t);
  if (value == TERM_NONE || !align_is_pure(at, value)) return false;
  term_id one = term_tag(s->ts, value, 1, s->private.at, s->private.len),
          two = term_tag(s->ts, value, 2, s->private.at, s->private.len);
  term_id given = term_and(s->ts, witnesses_known(at), align_in_range(s, value));
  return align_follows(s, given, term_eq(s->ts, one, two));
}

bool align_is_data(const struct align_where *at, term_id t) {
  struct align *s = at->s;
  if (!align_reads_private(s, t) || !sort_is_numeric(term_sort(s->ts, t)) || !indices_equal(at, t))
    return false;
  const struct align_shape *shape = align_shape_of(s, align_state_value(s, &at->path->state, t));
  return shape && ratio_is_finite(shape->low) && ratio_is_finite(shape->high);
}

const struct form *align_differ_value(const struct align_where *d, term_id value) {
  struct align *s = d->s;
  struct align_read read;
  if (!align_read_of(s, value, &read)) return &FORM_UNKNOWN;
  const struct align_shape *shape = read.shape;
  struct atom atom = {.kind = ATOM_PRIVATE,
                      .low = shape->low,
                      .high = shape->high,
                      .unit = shape->unit,
                      .term = value};
  if (ratio_is_zero(atom.low) && ratio_is_zero(atom.high)) return &FORM_ZERO;
  size_t witness;
  term_id index;
  if (align_read_known(d, &read, &witness, &index) == 0) return &FORM_ZERO;
  if (!sort_is_numeric(term_sort(s->ts, value))) return &FORM_UNKNOWN;
  for (unsigned i = 0; i < s->forms.atoms.len; i++)
    if (s->forms.atoms.at[i].kind == ATOM_PRIVATE && s->forms.atoms.at[i].term == value)
      return form_atom(&s->forms, i);
  return form_atom(&s->forms, forms_atom(&s->forms, atom));
}

static const struct form *differ_private(const struct align_where *d, term_id t) {
  if (!indices_equal(d, t)) return &FORM_UNKNOWN;
  return align_differ_value(d, align_state_value(d->s, &d->path->state, t));
}

bool align_is_pure(const struct align_where *d, term_id value) {
  struct align *s = d->s;
  term_list vars = {0};
  term_free_vars(s->ts, value, &vars);
  bool pure = true;
  for (size_t i = 0; i < vars.len && pure; i++) {
    if (align_is_private(s, vars.at[i])) continue;
    size_t v = align_var(s, vars.at[i]);
    if (v != SIZE_MAX)
      pure = form_is_zero(d->start->state.diff[v]);
    else
      pure = term_var_get(s->ts, vars.at[i])->version == 0; /* a sample is no data */
  }
  vec_clear(&vars);
  return pure;
}

const struct form *align_differ_data(const struct align_where *at, term_id value) {
  struct align *s = at->s;
  if (value == TERM_NONE || !sort_is_numeric(term_sort(s->ts, value))) return NULL;
  return align_reads_private(s, value) && align_is_pure(at, value) ? align_differ_value(at, value)
                                                                   : NULL;
}

static bool is_bounded(struct align *s, const struct form *f) {
  struct ratio low, high;
  form_bounds(&s->forms, f, &low, &high);
  return f->known && ratio_is_finite(low) && ratio_is_finite(high);
}

/* A nonlinear expression of data is a private value like any other: the solver says how much it
 * differs. NULL: it is not of this kind, or nothing bounds it. */
static const struct form *differ_computed(const struct align_where *d, term_id t) {
  const struct form *f = align_differ_data(d, align_state_value(d->s, &d->path->state, t));
  return f && is_bounded(d->s, f) ? f : NULL;
}

bool align_computes_data(const struct align_where *at, term_id t) {
  return align_is_data(at, t) || differ_computed(at, t) != NULL;
}

/* Variables in the term that differ, and by how much as far as that is known; false: a sample that
 * is still to be shifted is among them, or what is no number. */
static bool differing_vars(const struct align_where *d, term_id t, term_list *out, term_id *given) {
  struct align *s = d->s;
  term_list vars = {0};
  bool ok = true;
  term_free_vars(s->ts, t, &vars);
  for (size_t i = 0; i < vars.len && ok; i++) {
    size_t v = align_var(s, vars.at[i]);
    const struct form *f = v == SIZE_MAX ? &FORM_ZERO : d->path->state.diff[v];
    bool is_input = terms_have(&s->private, vars.at[i]);
    if (form_is_zero(f) && !is_input) continue;
    vec_push(out, vars.at[i]);
    if (is_input) continue;
    ok = sort_is_numeric(term_sort(s->ts, vars.at[i])) && !form_has_shift(&s->forms, f);
    struct ratio low, high;
    term_id unit;
    form_bounds(&s->forms, f, &low, &high);
    if (!ok || !is_bounded(s, f) || !form_unit(&s->forms, f, &unit)) continue;
    term_id gap = term_sub(s->ts, term_tag(s->ts, vars.at[i], 2, &vars.at[i], 1),
                           term_tag(s->ts, vars.at[i], 1, &vars.at[i], 1));
    *given = term_and(s->ts, *given, term_le(s->ts, align_number(s, low, unit), gap));
    *given = term_and(s->ts, *given, term_le(s->ts, gap, align_number(s, high, unit)));
  }
  vec_clear(&vars);
  return ok;
}

/* A value may be close together in both runs although its parts are not: what is clipped to a
 * range is. NULL: nothing bounds it. */
static const struct form *differ_clipped(const struct align_where *d, term_id t) {
  struct align *s = d->s;
  term_list differ = {0};
  term_id given = term_bool(s->ts, true);
  bool ok = sort_is_numeric(term_sort(s->ts, t)) && differing_vars(d, t, &differ, &given);
  const struct align_shape *shape =
      ok && differ.len ? align_shape_among(s, t, &differ, given) : NULL;
  vec_clear(&differ);
  if (!shape || !ratio_is_finite(shape->low) || !ratio_is_finite(shape->high)) return NULL;
  struct atom atom = {
      .kind = ATOM_HULL, .low = shape->low, .high = shape->high, .unit = shape->unit};
  return form_atom(&s->forms, forms_atom(&s->forms, atom));
}

static const struct form *differ_nonlinear(const struct align_where *d, enum atom_kind kind,
                                           term_id t) {
  const struct form *f = differ_computed(d, t);
  if (f) return f;
  const struct form *whole = opaque(d, kind, t);
  if (form_is_zero(whole) || form_has_shift(&d->s->forms, whole)) return whole;
  const struct form *settled = form_resolve(&d->s->forms, whole, (struct form_values){0});
  f = is_bounded(d->s, settled) ? NULL : differ_clipped(d, t);
  return f ? f : whole;
}

/* A form times a parameter: the same atom for the same form. NULL: it is not known, or the sign of
 * the parameter is not. */
static const struct form *differ_scaled(const struct align_where *d, term_id factor,
                                        const struct form *f) {
  struct align *s = d->s;
  struct atom atom = {.kind = ATOM_SCALED, .term = factor, .part_count = 1};
  if (form_is_zero(f)) return f;
  if (!is_bounded(s, f) || form_has_shift(&s->forms, f) || !form_unit(&s->forms, f, &atom.unit))
    return NULL;
  for (unsigned i = 0; i < s->forms.atoms.len; i++) {
    const struct atom *a = &s->forms.atoms.at[i];
    if (a->kind == ATOM_SCALED && a->term == factor && form_equal(a->part[0], f))
      return form_atom(&s->forms, i);
  }
  term_id zero = term_rat(s->ts, 0, 1);
  if (!align_follows(s, term_bool(s->ts, true), term_lt(s->ts, zero, factor))) return NULL;
  form_bounds(&s->forms, f, &atom.low, &atom.high);
  atom.unit = atom.unit == TERM_NONE ? factor : term_mul(s->ts, factor, atom.unit);
  atom.part = arena_memdup(s->arena, &f, sizeof f);
  return form_atom(&s->forms, forms_atom(&s->forms, atom));
}

/* The part of a product that is made of parameters, and the rest; TERM_NONE: there is none. */
static term_id fixed_factor(const struct align_where *d, term_id product, term_id *rest) {
  struct terms *ts = d->s->ts;
  term_id fixed = TERM_NONE;
  *rest = term_int(ts, 1);
  for (size_t i = 0; i < term_arg_count(ts, product); i++) {
    term_id a = term_arg(ts, product, i);
    bool is_fixed = !term_is_num(ts, a) && align_is_fixed(d->s, a);
    if (is_fixed) fixed = fixed == TERM_NONE ? a : term_mul(ts, fixed, a);
    if (!is_fixed) *rest = term_mul(ts, *rest, a);
  }
  return fixed;
}

static const struct form *differ_product(const struct align_where *d, term_id t) {
  struct ratio scale = ratio_int(1);
  const struct form *moving = NULL;
  for (size_t i = 0; i < term_arg_count(d->s->ts, t); i++) {
    term_id a = term_arg(d->s->ts, t, i);
    if (term_is_num(d->s->ts, a)) {
      scale = ratio_mul(scale, ratio_from_fmpq(term_num_value(d->s->ts, a)));
      continue;
    }
    if (moving) {
      term_id rest, factor = fixed_factor(d, t, &rest);
      const struct form *f =
          factor == TERM_NONE || rest == TERM_NONE ? NULL : align_differ(d, rest);
      f = f ? differ_scaled(d, factor, f) : NULL;
      return f ? f : differ_nonlinear(d, ATOM_EQUAL, t);
    }
    moving = align_differ(d, a);
  }
  return moving ? form_scale(&d->s->forms, scale, moving) : &FORM_ZERO;
}

static const struct form *differ_quotient(const struct align_where *d, term_id t) {
  struct terms *ts = d->s->ts;
  term_id divisor = term_arg(ts, t, 1);
  const struct form *f = NULL;
  if (align_is_fixed(d->s, divisor))
    f = differ_scaled(d, term_div(ts, term_rat(ts, 1, 1), divisor),
                      align_differ(d, term_arg(ts, t, 0)));
  return f ? f : differ_nonlinear(d, ATOM_EQUAL, t);
}

/* An element of an array that differs in one place at most, or the array with a new element. */
static const struct form *differ_element(const struct align_where *d, term_id t) {
  struct align *s = d->s;
  struct align_access a;
  bool reads = term_kind(s->ts, t) == TERM_SELECT;
  if (!align_access(d, t, &a)) {
    term_id value = reads ? TERM_NONE : align_stored(d, t);
    if (reads) return differ_nonlinear(d, ATOM_EQUAL, t);
    return value == TERM_NONE ? opaque(d, ATOM_EQUAL, t) : align_differ(d, value);
  }
  if (a.is_place < 0) return &FORM_UNKNOWN;
  if (reads) return a.is_place ? a.form : &FORM_ZERO;
  const struct form *value = align_differ(d, term_arg(s->ts, t, 2));
  if (a.twin != TERM_NONE) return form_is_zero(value) ? a.form : &FORM_UNKNOWN;
  if (a.is_place) return value;
  const struct form *parts[] = {a.form, value};
  return form_is_zero(value) ? a.form : form_opaque(&s->forms, ATOM_FIRST, parts, 2);
}

const struct form *align_differ(const struct align_where *d, term_id t) {
  struct align *s = d->s;
  bool choice = term_kind(s->ts, t) == TERM_ITE;
  if (align_agrees(d, t)) return &FORM_ZERO;
  if (align_is_private(s, t) && (!choice || align_is_data(d, t))) return differ_private(d, t);
  size_t count = term_arg_count(s->ts, t);
  switch (term_kind(s->ts, t)) {
  case TERM_VAR: {
    size_t i = align_var(s, t);
    return i == SIZE_MAX ? &FORM_ZERO : d->path->state.diff[i];
  }
  case TERM_ADD: {
    const struct form *sum = &FORM_ZERO;
    for (size_t i = 0; i < count; i++)
      sum = form_add(&s->forms, sum, ratio_int(1), align_differ(d, term_arg(s->ts, t, i)));
    return sum;
  }
  case TERM_MUL: return differ_product(d, t);
  case TERM_DIV: return differ_quotient(d, t);
  case TERM_TO_REAL: return align_differ(d, term_arg(s->ts, t, 0));
  case TERM_MIN:
  case TERM_MAX: return differ_nonlinear(d, ATOM_HULL, t);
  case TERM_ABS: return differ_nonlinear(d, ATOM_MIRROR, t);
  case TERM_SELECT:
  case TERM_STORE: return differ_element(d, t);
  case TERM_FORALL:
  case TERM_EXISTS: {
    term_list free_vars = {0};
    term_free_vars(s->ts, t, &free_vars);
    bool equal = true;
    for (size_t i = 0; i < free_vars.len; i++)
      equal &= form_is_zero(align_differ(d, free_vars.at[i]));
    vec_clear(&free_vars);
    return equal ? &FORM_ZERO : &FORM_UNKNOWN;
  }
  default: return count == 0 ? &FORM_ZERO : differ_nonlinear(d, ATOM_EQUAL, t);
  }
}
