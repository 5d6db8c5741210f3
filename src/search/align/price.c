#include "search/align/price.h"

#include "kernel/dist.h"
#include "term/build.h"
#include "term/subst.h"

enum { MAX_TOGETHER = 8 }; /* differences that are bounded together */

static bool is_zero(struct align *s, term_id t) {
  return term_is_num(s->ts, t) && fmpq_is_zero(term_num_value(s->ts, t));
}

term_id align_distance(struct align *s, const struct form *f) {
  term_list units = {0};
  term_id sum = f->known ? term_int(s->ts, 0) : TERM_NONE;
  if (!ratio_is_zero(f->constant)) vec_push(&units, f->unit);
  for (size_t i = 0; i < f->count; i++)
    vec_push(&units, s->forms.atoms.at[f->items[i].atom].unit);
  for (size_t i = 0; i < units.len && sum != TERM_NONE; i++) {
    bool seen = false;
    for (size_t j = 0; j < i; j++)
      seen |= units.at[j] == units.at[i];
    if (seen) continue;
    struct ratio low, high;
    form_bounds_in(&s->forms, f, units.at[i], &low, &high);
    struct ratio most = ratio_max(ratio_abs(low), ratio_abs(high));
    sum = ratio_is_finite(most) ? term_add(s->ts, sum, align_number(s, most, units.at[i]))
                                : TERM_NONE;
  }
  vec_clear(&units);
  return sum;
}

term_id align_cell_cost(struct align *s, const struct align_cell *cell) {
  bool slides = view_slide(s->problem, cell->site) != NULL; /* and costs delta */
  if (slides || is_zero(s, cell->distance)) return term_rat(s->ts, 0, 1);
  enum dist_kind dist = cell->site->dist;
  term_id scale = cell->members.at[0].sample->scale;
  term_id price = dist_price(s->ts, kernel_notion(s->k), dist, cell->distance, scale);
  return auto_price(s->problem, price,
                    dist_price(s->ts, notion_pure(), dist, cell->distance, scale));
}

/* ---- differences that are bounded together --------------------------------------------------- */

/* Does a comparison in the assumptions speak of several private values? */
static bool compares_several(struct align *s, term_id t) {
  enum term_kind kind = term_kind(s->ts, t);
  if (kind != TERM_LE && kind != TERM_LT) return false;
  term_list parts = {0};
  size_t values = 0;
  term_subterms(s->ts, t, &parts);
  for (size_t i = 0; i < parts.len; i++) {
    term_id array = term_kind(s->ts, parts.at[i]) == TERM_SELECT ? term_arg(s->ts, parts.at[i], 0)
                                                                 : parts.at[i];
    if (term_kind(s->ts, array) != TERM_VAR || term_var_get(s->ts, array)->run != 1) continue;
    bool is_value = sort_is_numeric(term_sort(s->ts, parts.at[i]));
    values += is_value && align_is_private(s, term_var_in_run(s->ts, array, 0));
  }
  vec_clear(&parts);
  return values > 1;
}

static bool may_be_bounded_together(struct align *s) {
  if (s->together >= 0) return s->together;
  s->together = 0;
  for (size_t i = 0; i < kernel_fact_count(s->k) && !s->together; i++) {
    term_list parts = {0};
    term_subterms(s->ts, kernel_fact(s->k, i), &parts);
    for (size_t j = 0; j < parts.len; j++)
      if (compares_several(s, parts.at[j])) s->together = 1;
    vec_clear(&parts);
  }
  return s->together;
}

/* What a path pays for the differences of private values. */
struct bill {
  struct align *s;
  unsigned atoms[MAX_TOGETHER];
  term_id price[MAX_TOGETHER]; /* for the largest value of the atom */
  size_t count;
  term_id rest; /* independent of them */
  bool failed;
};

static void charge(struct bill *b, unsigned atom, term_id price) {
  size_t i = 0;
  while (i < b->count && b->atoms[i] != atom)
    i++;
  if (i == MAX_TOGETHER) {
    b->failed = true;
    return;
  }
  if (i == b->count) {
    b->atoms[b->count] = atom;
    b->price[b->count++] = term_rat(b->s->ts, 0, 1);
  }
  b->price[i] = term_add(b->s->ts, b->price[i], price);
}

/* A sampling whose noise moves by `off`. */
static void charge_sample(struct bill *b, const struct align_cell *cell, const struct form *off) {
  struct align *s = b->s;
  bool private = off->known;
  for (size_t i = 0; i < off->count; i++) {
    const struct atom *a = &s->forms.atoms.at[off->items[i].atom];
    private &= a->kind == ATOM_PRIVATE || (a->kind == ATOM_HEAD && a->group);
    private &= ratio_is_finite(a->low) && ratio_is_finite(a->high);
  }
  if (!private) {
    b->rest = term_add(s->ts, b->rest, align_cell_cost(s, cell));
    return;
  }
  term_id rate = term_reciprocal(s->ts, cell->members.at[0].sample->scale);
  term_id fixed = term_mul(s->ts, align_number(s, ratio_abs(off->constant), off->unit), rate);
  b->rest = term_add(s->ts, b->rest, fixed);
  for (size_t i = 0; i < off->count; i++) {
    struct ratio most = form_radius(&s->forms, form_atom(&s->forms, off->items[i].atom));
    most = ratio_mul(most, ratio_abs(off->items[i].factor));
    term_id unit = s->forms.atoms.at[off->items[i].atom].unit;
    charge(b, off->items[i].atom, term_mul(s->ts, align_number(s, most, unit), rate));
  }
}

/* The differences are those of one group, each of them as large as the others can be: how many
 * times that is the sum at most? 0: they are not. */
static struct ratio group_sum(struct align *s, const struct bill *b) {
  const struct atom *first = &s->forms.atoms.at[b->atoms[0]];
  struct ratio radius = form_radius(&s->forms, form_atom(&s->forms, b->atoms[0]));
  for (size_t i = 0; i < b->count; i++) {
    const struct atom *a = &s->forms.atoms.at[b->atoms[i]];
    struct ratio own = form_radius(&s->forms, form_atom(&s->forms, b->atoms[i]));
    if (a->kind != ATOM_HEAD || a->group != first->group || !ratio_eq(own, radius))
      return ratio_int(0);
  }
  const struct form_group *g = &s->forms.groups.at[first->group - 1];
  return ratio_is_finite(g->most) ? ratio_div(g->most, radius) : ratio_int(0);
}

/* Do the differences, each in parts of its largest value, add up to 1 at most? */
static bool add_up(struct align *s, const struct bill *b) {
  term_id sum = term_rat(s->ts, 0, 1), unit = s->forms.atoms.at[b->atoms[0]].unit;
  term_id given = term_bool(s->ts, true);
  bool mixed = false;
  for (size_t i = 1; i < b->count; i++)
    mixed |= s->forms.atoms.at[b->atoms[i]].unit != unit;
  for (size_t i = 0; i < b->count; i++) {
    term_id own = s->forms.atoms.at[b->atoms[i]].unit;
    term_id t = s->forms.atoms.at[b->atoms[i]].term;
    term_id d = term_sub(s->ts, term_tag(s->ts, t, 2, s->private.at, s->private.len),
                         term_tag(s->ts, t, 1, s->private.at, s->private.len));
    struct ratio part =
        ratio_div(ratio_int(1), form_radius(&s->forms, form_atom(&s->forms, b->atoms[i])));
    if (!ratio_is_finite(part) || s->forms.atoms.at[b->atoms[i]].kind != ATOM_PRIVATE) return false;
    term_id factor = term_rat(s->ts, part.num, (unsigned long)part.den);
    term_id size = term_abs(s->ts, d);
    given = term_and(s->ts, given, align_in_range(s, t));
    if (mixed && own != TERM_NONE) size = term_div(s->ts, size, own);
    sum = term_add(s->ts, sum, term_mul(s->ts, factor, size));
  }
  term_id goal = term_le(s->ts, sum, align_number(s, ratio_int(1), mixed ? TERM_NONE : unit));
  for (size_t i = 0; i < s->asked.len; i++)
    if (s->asked.at[i].goal == goal) return s->asked.at[i].holds;
  bool holds = align_follows(s, given, goal);
  vec_push(&s->asked, (struct align_asked){goal, holds});
  return holds;
}

/* The path if the differences are bounded together; TERM_NONE: they are not. */
static term_id joint_cost(struct align *s, const struct align_piece *piece, size_t path) {
  struct bill b = {.s = s, .rest = term_rat(s->ts, 0, 1)};
  for (size_t c = 0; c < piece->cells.len; c++) {
    const struct align_cell *cell = &piece->cells.at[c];
    for (size_t m = 0; m < cell->members.len; m++) {
      if (cell->members.at[m].path != path || is_zero(s, cell->distance)) continue;
      if (view_slide(s->problem, cell->site)) continue;
      const struct form *centre =
          form_resolve(&s->forms, cell->members.at[m].sample->centre, piece->values[path]);
      if (!centre) return TERM_NONE;
      charge_sample(&b, cell, form_add(&s->forms, cell->shift, ratio_int(-1), centre));
    }
  }
  if (b.failed || b.count < 2) return TERM_NONE;
  struct ratio times = group_sum(s, &b);
  if (ratio_is_zero(times) && !add_up(s, &b)) return TERM_NONE;
  term_id most = b.price[0];
  for (size_t i = 1; i < b.count; i++)
    most = align_max(s, most, b.price[i]);
  if (!ratio_is_zero(times)) most = term_mul(s->ts, align_number(s, times, TERM_NONE), most);
  return term_add(s->ts, b.rest, most);
}

/* ---- paths ----------------------------------------------------------------------------------- */

static term_id samplings_cost(struct align *s, const struct align_piece *piece, size_t path,
                              bool *joint) {
  term_id sum = term_rat(s->ts, 0, 1);
  size_t paying = 0;
  *joint = false;
  for (size_t c = 0; c < piece->cells.len; c++)
    for (size_t m = 0; m < piece->cells.at[c].members.len; m++)
      if (piece->cells.at[c].members.at[m].path == path) {
        sum = term_add(s->ts, sum, align_cell_cost(s, &piece->cells.at[c]));
        paying += !is_zero(s, piece->cells.at[c].distance);
      }
  if (kernel_notion(s->k).kind != NOTION_PURE) return sum; /* prices are not linear */
  if (paying < 2 || (!may_be_bounded_together(s) && s->forms.groups.len == 0)) return sum;
  term_id less = joint_cost(s, piece, path);
  if (less == TERM_NONE || align_weight(s, less) >= align_weight(s, sum) * (1 - 1e-9)) return sum;
  *joint = true;
  return less;
}

term_id align_path_cost(struct align *s, const struct align_piece *piece, size_t path,
                        bool *joint) {
  term_id sum = samplings_cost(s, piece, path, joint), paid = piece->paths.at[path].paid;
  return paid == TERM_NONE ? sum : term_add(s->ts, paid, sum);
}
