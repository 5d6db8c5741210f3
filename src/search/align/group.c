#include "search/align/group.h"

#include "search/base/lists.h"
#include "term/build.h"
#include "term/subst.h"

enum { MAX_GROUP = 8 };

/* A number that the loop writes and whose difference is not 0. */
static bool is_member(struct align *s, const struct align_plan *plan, size_t v,
                      const struct form *f) {
  struct ratio low, high;
  if (!plan->live[v] || !plan->written[v] || !sort_is_numeric(term_sort(s->ts, s->vars.at[v])))
    return false;
  form_bounds(&s->forms, f, &low, &high);
  return f->known && !form_is_zero(f) && ratio_is_finite(low) && ratio_is_finite(high);
}

static struct atom *head_atom(struct align *s, const struct form *f) {
  bool single = f->known && f->count == 1 && ratio_is_zero(f->constant) &&
                ratio_eq(ratio_abs(f->items[0].factor), ratio_int(1));
  struct atom *a = single ? &s->forms.atoms.at[f->items[0].atom] : NULL;
  return a && (a->kind == ATOM_HEAD || a->kind == ATOM_PRIVATE) ? a : NULL;
}

bool align_sum_within(struct align *s, const term_id *values, size_t count, term_id most) {
  term_id sum = term_rat(s->ts, 0, 1), given = term_bool(s->ts, true);
  for (size_t i = 0; i < count; i++) {
    given = term_and(s->ts, given, align_in_range(s, values[i]));
    term_id d = term_sub(s->ts, term_tag(s->ts, values[i], 2, s->private.at, s->private.len),
                         term_tag(s->ts, values[i], 1, s->private.at, s->private.len));
    sum = term_add(s->ts, sum, term_abs(s->ts, d));
  }
  term_id goal = term_le(s->ts, sum, most);
  for (size_t i = 0; i < s->asked.len; i++)
    if (s->asked.at[i].goal == goal) return s->asked.at[i].holds;
  bool holds = align_follows(s, given, goal);
  vec_push(&s->asked, (struct align_asked){goal, holds});
  return holds;
}

/* The least number found that bounds the sum of these private values; infinite: none does. */
static struct ratio sum_of(struct align *s, const term_id *values, size_t count, struct ratio all,
                           term_id unit) {
  for (size_t i = 0; i < s->constants.len; i++) {
    struct ratio c = ratio_from_fmpq(term_num_value(s->ts, s->constants.at[i]));
    if (ratio_le(all, c)) break;
    if (align_sum_within(s, values, count, align_number(s, c, unit))) return c;
  }
  return ratio_infinite(1);
}

/* The members as private values that have come in with this iteration, or as they were before. */
static struct form_group measure(struct align *s, const struct align_plan *plan,
                                 const struct align_head *before, const struct align_state *from) {
  struct form_group none = {ratio_infinite(1), TERM_NONE};
  term_id values[MAX_GROUP];
  struct ratio all = ratio_int(0);
  size_t count = 0, old = 0, group = 0;
  term_id unit = TERM_NONE;
  for (size_t v = 0; v < s->vars.len; v++) {
    if (!is_member(s, plan, v, from->diff[v])) continue;
    const struct atom *a = head_atom(s, from->diff[v]);
    if (!a || count == MAX_GROUP || (count && a->unit != unit)) return none;
    bool kept = before && form_equal(from->diff[v], before->state.diff[v]);
    if (!kept && a->kind != ATOM_PRIVATE) return none;
    if (kept && old && a->group != group) return none;
    if (kept) group = a->group;
    old += kept;
    unit = a->unit;
    all = ratio_add(all, form_radius(&s->forms, from->diff[v]));
    values[count++] = a->term;
  }
  if (count < 2 || (old && (old != count || !group))) return none;
  if (old) return s->forms.groups.at[group - 1];
  return (struct form_group){sum_of(s, values, count, all, unit), unit};
}

static void assign(struct align *s, const struct align_plan *plan, struct align_head *h,
                   size_t group) {
  for (size_t v = 0; v < s->vars.len; v++) {
    struct atom *a =
        is_member(s, plan, v, h->state.diff[v]) ? head_atom(s, h->state.diff[v]) : NULL;
    if (a && a->kind == ATOM_HEAD) a->group = group;
  }
}

void align_group_new(struct align *s, const struct align_plan *plan, struct align_head *h,
                     const struct align_head *before, const struct align_state *from) {
  struct form_group g = measure(s, plan, before, from);
  if (!ratio_is_finite(g.most)) return;
  vec_push(&s->forms.groups, g);
  assign(s, plan, h, s->forms.groups.len);
}

static size_t group_index(struct align *s, const struct align_plan *plan,
                          const struct align_head *h) {
  for (size_t v = 0; v < s->vars.len; v++) {
    const struct form *f = h->state.diff[v];
    const struct atom *a = is_member(s, plan, v, f) ? head_atom(s, f) : NULL;
    if (a && a->kind == ATOM_HEAD && a->group) return a->group;
  }
  return 0;
}

bool align_group_widen(struct align *s, const struct align_plan *plan, struct align_head *into,
                       const struct align_head *h) {
  size_t mine = group_index(s, plan, into), other = group_index(s, plan, h);
  if (!mine) return false;
  struct form_group *g = &s->forms.groups.at[mine - 1];
  struct ratio most = other ? s->forms.groups.at[other - 1].most : ratio_infinite(1);
  if (!ratio_is_finite(g->most) || ratio_le(most, g->most)) return false;
  g->most = ratio_infinite(1);
  return true;
}

const struct form_group *align_group_of(struct align *s, const struct align_plan *plan,
                                        const struct align_head *h, term_list *vars) {
  size_t group = group_index(s, plan, h);
  if (!group || !ratio_is_finite(s->forms.groups.at[group - 1].most)) return NULL;
  for (size_t v = 0; v < s->vars.len; v++)
    if (is_member(s, plan, v, h->state.diff[v])) terms_add(vars, s->vars.at[v]);
  return &s->forms.groups.at[group - 1];
}
