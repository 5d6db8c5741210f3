#include "search/align/naming.h"

#include "out/print.h"
#include "search/base/text.h"
#include "search/base/view.h"
#include "term/build.h"
#include "term/linear.h"
#include "term/subst.h"

static bool is_mapped(const struct align_view *v, term_id atom) {
  for (size_t i = 0; i < v->from.len; i++)
    if (v->from.at[i] == atom) return true;
  return false;
}

static void map(struct align_view *v, term_id atom, term_id name) {
  if (is_mapped(v, atom)) return;
  vec_push(&v->from, atom);
  vec_push(&v->to, name);
}

/* i + 1, say, is called j: then i is called j - 1. */
static void map_shifted(struct align_view *v, term_id value, term_id name) {
  struct terms *ts = v->s->ts;
  if (term_kind(ts, value) != TERM_ADD || term_arg_count(ts, value) != 2) return;
  term_id a = term_arg(ts, value, 0), b = term_arg(ts, value, 1);
  if (term_kind(ts, a) == TERM_VAR && term_is_num(ts, b)) map(v, a, term_sub(ts, name, b));
}

void align_view_init(struct align_view *v, struct align *s, const struct align_state *at,
                     const struct form_values *values, const struct align_sample *y) {
  *v = (struct align_view){.s = s, .at = at, .values = values};
  term_id sampled = y ? y->site->var : TERM_NONE;
  const struct view *view = s->problem->view;
  if (y) map(v, y->fresh, sampled);
  for (size_t i = 0; i < view->constants.len; i++)
    map(v, view->constants.at[i], view->data.at[i]);
  for (size_t w = 0; w < s->witnesses.len; w++)
    if (s->witnesses.at[w].array == SIZE_MAX &&
        term_kind(s->ts, s->witnesses.at[w].var) == TERM_VAR)
      map(v, s->witnesses.at[w].var, s->witnesses.at[w].shown);
  for (size_t i = 0; i < s->vars.len; i++)
    if (at->value[i] == s->vars.at[i] && s->vars.at[i] != sampled)
      map(v, s->vars.at[i], s->vars.at[i]);
  for (size_t i = 0; i < s->vars.len; i++)
    if (s->vars.at[i] != sampled && term_kind(s->ts, at->value[i]) == TERM_VAR)
      map(v, at->value[i], s->vars.at[i]);
  for (size_t i = 0; i < s->vars.len; i++)
    if (s->vars.at[i] != sampled) map_shifted(v, at->value[i], s->vars.at[i]);
}

void align_view_clear(struct align_view *v) {
  vec_clear(&v->from);
  vec_clear(&v->to);
}

term_id align_view_term(struct align_view *v, term_id t) {
  struct align *s = v->s;
  term_list vars = {0};
  term_free_vars(s->ts, t, &vars);
  bool named = true;
  for (size_t i = 0; i < vars.len; i++) {
    bool logical =
        term_var_get(s->ts, vars.at[i])->version == 0 && align_var(s, vars.at[i]) == SIZE_MAX;
    named &= logical || is_mapped(v, vars.at[i]);
  }
  vec_clear(&vars);
  return named ? term_subst(s->ts, t, v->from.at, v->to.at, v->from.len) : TERM_NONE;
}

/* The variable in this run; of an array the element at `place` (TERM_NONE: where it differs). */
static term_id number_in_run(struct align *s, size_t v, term_id place, unsigned run) {
  term_id var = term_var_in_run(s->ts, s->vars.at[v], run);
  if (s->place.at[v] == SIZE_MAX) return var;
  return term_select(s->ts, var, place != TERM_NONE ? place : s->vars.at[s->place.at[v]]);
}

/* The difference of a variable whose form is a number; TERM_NONE: it is none, or has no name. */
static term_id difference(struct align_view *view, size_t v) {
  struct align *s = view->s;
  term_id place = TERM_NONE;
  if (s->place.at[v] != SIZE_MAX) {
    place = align_view_term(view, view->at->value[s->place.at[v]]);
    if (place == TERM_NONE) return TERM_NONE;
  } else if (!sort_is_numeric(term_sort(s->ts, s->vars.at[v]))) {
    return TERM_NONE;
  }
  return term_sub(s->ts, number_in_run(s, v, place, 2), number_in_run(s, v, place, 1));
}

static const struct form *settled(struct align_view *v, const struct form *f) {
  if (!v->values) return f;
  const struct form *g = form_resolve(&v->s->forms, f, *v->values);
  return g ? g : &FORM_UNKNOWN;
}

/* An atom by itself. */
static term_id atom_term(struct align_view *v, unsigned atom) {
  struct align *s = v->s;
  const struct form *wanted = form_atom(&s->forms, atom);
  if (s->forms.atoms.at[atom].kind == ATOM_PRIVATE) {
    term_id t = align_view_term(v, s->forms.atoms.at[atom].term);
    if (t != TERM_NONE)
      return term_sub(s->ts, term_tag(s->ts, t, 2, s->private.at, s->private.len),
                      term_tag(s->ts, t, 1, s->private.at, s->private.len));
  }
  if (s->forms.atoms.at[atom].kind == ATOM_SCALED) {
    term_id part = align_view_form(v, s->forms.atoms.at[atom].part[0]);
    return part == TERM_NONE ? part : term_mul(s->ts, s->forms.atoms.at[atom].term, part);
  }
  term_id found = TERM_NONE;
  for (size_t i = 0; i < s->vars.len && found == TERM_NONE; i++)
    if (form_equal(settled(v, v->at->diff[i]), wanted)) found = difference(v, i);
  return found;
}

term_id align_view_form(struct align_view *v, const struct form *f) {
  struct align *s = v->s;
  if (!f->known) return TERM_NONE;
  term_id constant = align_number(s, f->constant, f->unit);
  if (f->count == 0) return constant;
  const struct form *moving = form_moving(&s->forms, f);
  for (size_t i = 0; i < s->vars.len; i++) { /* the difference of one variable, if it fits */
    term_id d = form_equal(settled(v, v->at->diff[i]), moving) ? difference(v, i) : TERM_NONE;
    if (d != TERM_NONE) return term_add(s->ts, d, constant);
  }
  term_id sum = constant;
  for (size_t i = 0; i < f->count; i++) {
    term_id a = atom_term(v, f->items[i].atom);
    if (a == TERM_NONE) return TERM_NONE;
    bool whole = f->items[i].factor.den == 1;
    term_id factor =
        whole ? term_int(s->ts, f->items[i].factor.num)
              : term_rat(s->ts, f->items[i].factor.num, (unsigned long)f->items[i].factor.den);
    sum = term_add(s->ts, sum, term_mul(s->ts, factor, a));
  }
  return sum;
}

term_id align_equal(struct align *s, term_id var) {
  return term_eq(s->ts, term_var_in_run(s->ts, var, 1), term_var_in_run(s->ts, var, 2));
}

term_id align_between(struct align *s, size_t v, term_id place, struct ratio low, struct ratio high,
                      term_id unit) {
  term_id one = number_in_run(s, v, place, 1), two = number_in_run(s, v, place, 2);
  term_id d = term_sub(s->ts, two, one), all = TERM_NONE;
  if (ratio_eq(low, high))
    return term_eq(s->ts, two, term_add(s->ts, one, align_number(s, low, unit)));
  if (ratio_is_finite(low) && ratio_eq(high, ratio_neg(low)))
    return term_le(s->ts, term_abs(s->ts, d), align_number(s, high, unit));
  if (ratio_is_finite(low)) all = term_le(s->ts, align_number(s, low, unit), d);
  if (ratio_is_finite(high)) {
    term_id above = term_le(s->ts, d, align_number(s, high, unit));
    all = all == TERM_NONE ? above : term_and(s->ts, all, above);
  }
  return all;
}

const char *align_term_text(struct align *s, term_id t) {
  char *text = term_text(s->ts, text_named_sums(s->problem, view_term(s->problem, t)));
  const char *kept = arena_printf(s->arena, "%s", text);
  free(text);
  return kept;
}

const char *align_at_least_zero(struct align *s, term_id e) {
  struct linear l;
  fmpq_t minus;
  fmpq_init(minus);
  linear_read(&l, s->ts, e);
  linear_normalise(&l);
  term_id left = term_int(s->ts, 0), right = left; /* left <= right */
  for (size_t i = 0; i < l.items.len; i++) {
    bool positive = fmpq_sgn(&l.items.at[i].coefficient) > 0;
    fmpq_abs(minus, &l.items.at[i].coefficient);
    term_id part = term_mul(s->ts, term_num(s->ts, minus, SORT_INT), l.items.at[i].atom);
    if (positive)
      right = term_add(s->ts, right, part);
    else
      left = term_add(s->ts, left, part);
  }
  fmpq_set_si(minus, -1, 1);
  bool strict = fmpq_equal(&l.constant, minus);
  if (!strict) right = term_add(s->ts, right, term_num(s->ts, &l.constant, SORT_INT));
  bool usable = !l.failed && left != TERM_NONE && right != TERM_NONE;
  fmpq_clear(minus);
  linear_clear(&l);
  if (!usable) return arena_printf(s->arena, "0 <= %s", align_term_text(s, e));
  return arena_printf(s->arena, "%s %s %s", align_term_text(s, left),
                      strict ? "<" : "<=", align_term_text(s, right));
}
