#include "search/align/total.h"

#include "search/align/growth.h"
#include "search/base/sums.h"
#include "term/build.h"
#include "term/subst.h"

/* ---- what iterations add --------------------------------------------------------------------- */

/* The private value, and how often, whose difference the iteration adds; TERM_NONE: nothing.
 * False: something else. */
static bool added(struct align *s, const struct align_head *before, const struct align_state *after,
                  size_t v, term_id *value, struct ratio *factor) {
  const struct form *f = form_add(&s->forms, after->diff[v], ratio_int(-1), before->state.diff[v]);
  *value = TERM_NONE;
  if (form_is_zero(f)) return true;
  if (!f->known || f->count != 1 || !ratio_is_zero(f->constant)) return false;
  const struct atom *a = &s->forms.atoms.at[f->items[0].atom];
  *value = a->term;
  *factor = ratio_abs(f->items[0].factor);
  return a->kind == ATOM_PRIVATE;
}

void total_note(struct align *s, struct align_plan *plan, size_t v, const struct align_head *before,
                const struct align_state *after) {
  struct align_total *t = &plan->totals[v];
  term_id value;
  struct ratio factor;
  if (!plan->written[v] || !plan->live[v] || !sort_is_numeric(term_sort(s->ts, s->vars.at[v])))
    return;
  if (!added(s, before, after, v, &value, &factor)) {
    t->vague = true;
  } else if (value != TERM_NONE) {
    t->vague |= t->value != TERM_NONE && (t->value != value || !ratio_eq(t->factor, factor));
    t->value = value;
    t->factor = factor;
  }
}

/* ---- what bounds it -------------------------------------------------------------------------- */

/* Is it the sum, or the sum and others like it, none of which is negative? */
static bool has_sum(struct align *s, term_id t, term_id sum) {
  struct sum_term other;
  if (t == sum) return true;
  bool found = false;
  for (size_t i = 0; term_kind(s->ts, t) == TERM_ADD && i < term_arg_count(s->ts, t); i++) {
    term_id part = term_arg(s->ts, t, i);
    if (!sum_read(s->problem, part, &other)) return false;
    found |= part == sum;
  }
  return found;
}

/* What the adjacency says the sum is at most; TERM_NONE: nothing of this form. */
static term_id bound_of(struct align *s, term_id sum) {
  for (size_t i = 0; i < kernel_fact_count(s->k); i++) {
    term_id fact = kernel_fact(s->k, i);
    enum term_kind kind = term_kind(s->ts, fact);
    if (kind != TERM_LE && kind != TERM_LT) continue;
    term_id bound = term_arg(s->ts, fact, 1);
    if (align_is_fixed(s, bound) && has_sum(s, term_arg(s->ts, fact, 0), sum)) return bound;
  }
  return TERM_NONE;
}

/* Does the value differ by so much times the summand at most? */
static bool is_within(struct align *s, term_id value, term_id summand, term_id times) {
  term_id two = term_tag(s->ts, value, 2, s->private.at, s->private.len);
  term_id one = term_tag(s->ts, value, 1, s->private.at, s->private.len);
  term_id gap = term_abs(s->ts, term_sub(s->ts, two, one));
  return align_follows(s, align_in_range(s, value),
                       term_le(s->ts, gap, term_mul(s->ts, times, summand)));
}

/* So many times: a number, or a parameter. TERM_NONE: none will do. */
static term_id times_of(struct align *s, term_id value, term_id summand) {
  term_id one = term_int(s->ts, 1);
  if (is_within(s, value, summand, one)) return one;
  for (size_t i = 0; i < s->constants.len; i++)
    if (is_within(s, value, summand, s->constants.at[i])) return s->constants.at[i];
  term_list vars = {0};
  term_id found = TERM_NONE;
  for (size_t i = 0; i < kernel_fact_count(s->k); i++)
    term_free_vars(s->ts, kernel_fact(s->k, i), &vars);
  for (size_t i = 0; i < vars.len && found == TERM_NONE; i++)
    if (align_is_fixed(s, vars.at[i]) && term_sort(s->ts, vars.at[i]) == SORT_REAL &&
        is_within(s, value, summand, vars.at[i]))
      found = vars.at[i];
  vec_clear(&vars);
  return found;
}

/* At most `bound` either way. */
static const struct form *form_within(struct align *s, const struct align_plan *plan, size_t v,
                                      term_id bound) {
  struct atom atom = {.kind = ATOM_HEAD, .term = s->vars.at[v], .loop = plan->loop, .unit = bound};
  struct ratio most = ratio_int(1);
  if (term_is_num(s->ts, bound)) {
    most = ratio_from_fmpq(term_num_value(s->ts, bound));
    atom.unit = TERM_NONE;
  }
  atom.low = ratio_neg(most);
  atom.high = most;
  return form_atom(&s->forms, forms_atom(&s->forms, atom));
}

/* The value at the index that the loop counts is a summand of this sum. */
static bool is_summed(struct align *s, struct align_plan *plan, size_t v, term_id sum) {
  struct align_total *t = &plan->totals[v];
  struct sum_term whole;
  term_id most = bound_of(s, sum);
  if (most == TERM_NONE || !sum_read(s->problem, sum, &whole)) return false;
  if (whole.low != plan->count_first || whole.high != plan->count_end) return false;
  term_id times = times_of(s, t->value, sum_at(s->problem, &whole, plan->counted));
  if (times == TERM_NONE) return false;
  times = term_mul(s->ts, align_number(s, t->factor, TERM_NONE), times);
  term_id rest = sum_over(s->problem, &whole, plan->counted, whole.high);
  t->rest = term_mul(s->ts, times, rest);
  t->most = term_mul(s->ts, times, most);
  t->head = form_within(s, plan, v, t->most);
  return true;
}

static bool is_unbounded(struct align *s, const struct align_plan *plan, size_t v) {
  for (size_t i = 0; i < plan->heads.len; i++) {
    const struct form *f = plan->heads.at[i]->state.diff[v];
    if (!f->known || !ratio_is_finite(form_radius(&s->forms, f))) return true;
  }
  return false;
}

bool total_found(struct align *s, struct align_plan *plan, const struct align_end *entries,
                 size_t count) {
  term_list sums = {0};
  bool any = false;
  sums_assumed(s->problem, &sums);
  for (size_t v = 0; v < s->vars.len && sums.len; v++) {
    struct align_total *t = &plan->totals[v];
    bool equal = true;
    for (size_t i = 0; i < count; i++)
      equal &= form_is_zero(entries[i].state.diff[v]);
    if (t->value == TERM_NONE || t->vague || t->head || !equal || !is_unbounded(s, plan, v))
      continue;
    if (!growth_count(s, plan, entries, count) || plan->count_step != 1) break;
    for (size_t i = 0; i < sums.len && !t->head; i++)
      any |= is_summed(s, plan, v, sums.at[i]);
  }
  vec_clear(&sums);
  return any;
}

/* ---- what is kept ---------------------------------------------------------------------------- */

const struct form *total_keep(struct align *s, const struct align_plan *plan, size_t v,
                              const struct align_head *before, const struct align_state *from) {
  const struct align_total *t = &plan->totals[v];
  term_id value;
  struct ratio factor;
  if (!t->head) return NULL;
  if (!before) return form_is_zero(from->diff[v]) ? t->head : &FORM_UNKNOWN;
  return added(s, before, from, v, &value, &factor) ? t->head : &FORM_UNKNOWN;
}

term_id total_invariant(struct align *s, const struct align_plan *plan, size_t v) {
  const struct align_total *t = &plan->totals[v];
  term_id var = s->vars.at[v];
  if (!t->head) return TERM_NONE;
  term_id gap = term_abs(
      s->ts, term_sub(s->ts, term_var_in_run(s->ts, var, 2), term_var_in_run(s->ts, var, 1)));
  return term_le(s->ts, term_add(s->ts, gap, t->rest), t->most);
}
