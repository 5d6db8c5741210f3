#include "search/align/piece.h"

#include <math.h>

#include "kernel/dist.h"
#include "search/align/blame.h"
#include "search/align/loop.h"
#include "search/align/measure.h"
#include "search/align/place.h"
#include "search/align/potential.h"
#include "search/align/price.h"
#include "term/build.h"
#include "term/subst.h"

/* ---- constraints ----------------------------------------------------------------------------- */

struct constraint {
  size_t path;
  enum relation relation;
  const struct form *form;
  struct span span;
  const char *what; /* NULL: a branch */
  term_id atom;     /* of a branch */
};

struct search {
  struct align *s;
  struct align_piece *piece;
  VEC(struct constraint) constraints;
  struct align_piece *best;
  size_t leaves;
  size_t deepest;             /* cells that had a shift when the blame was noted */
  const struct form *uniform; /* shift of all samples that live on, or NULL */
  bool found;
};

static void add_constraint(struct search *g, size_t path, enum relation relation,
                           const struct form *form, struct span span, const char *what,
                           term_id atom) {
  if (relation == REL_NONE || form_is_zero(form)) return;
  vec_push(&g->constraints, (struct constraint){path, relation, form, span, what, atom});
}

/* Outputs are equal at the end of the program; in a loop, what refinements ask for. */
static void add_goal(struct search *g, size_t i) {
  struct align *s = g->s;
  const struct align_path *p = &g->piece->paths.at[i];
  const struct lowered *program = claim_program(s->problem->goal);
  const struct core *loop = g->piece->goal.body_of;
  if (p->end != PATH_END) return;
  if (!loop) {
    const term_id outputs[] = {program->result, program->output};
    for (size_t o = 0; o < 2; o++)
      if (outputs[o] != TERM_NONE)
        add_constraint(g, i, REL_EQ, p->state.diff[align_var(s, outputs[o])],
                       align_last_write(s->program, outputs[o]), "the output", TERM_NONE);
    return;
  }
  if (program->returned != TERM_NONE)
    add_constraint(g, i, REL_EQ, p->state.diff[align_var(s, program->returned)], loop->span,
                   "whether it has returned", TERM_NONE);
  for (size_t n = 0; n < s->needs.len; n++) {
    size_t v = align_var(s, s->needs.at[n].var);
    if (s->needs.at[n].loop == loop && !align_is_unset(s, &p->state, v))
      add_constraint(g, i, REL_EQ, align_added(s, &p->state, v), loop->span,
                     term_var_get(s->ts, s->needs.at[n].var)->name, TERM_NONE);
  }
}

static void collect_constraints(struct search *g) {
  for (size_t i = 0; i < g->piece->paths.len; i++) {
    const struct align_path *p = &g->piece->paths.at[i];
    for (const struct align_decision *d = p->decisions; d; d = d->previous)
      add_constraint(g, i, d->relation, d->gap, d->span, NULL, d->atom);
    for (const struct align_require *r = p->requires; r; r = r->previous)
      add_constraint(g, i, REL_EQ, r->form, r->span, r->what, TERM_NONE);
    add_goal(g, i);
  }
}

static bool holds(struct align *s, enum relation relation, const struct form *f) {
  struct ratio low, high, zero = ratio_int(0);
  form_bounds(&s->forms, f, &low, &high);
  switch (relation) {
  case REL_NONE: return true;
  case REL_GE: return ratio_le(zero, low);
  case REL_LE: return ratio_le(high, zero);
  case REL_EQ: return form_is_zero(f);
  }
  return false;
}

/* A variable of a loop head that makes the form differ: asking for equality there may help. */
static void suggest_needs(struct align *s, const struct form *f) {
  for (size_t i = 0; i < f->count; i++) {
    const struct atom *a = &s->forms.atoms.at[f->items[i].atom];
    for (size_t p = 0; p < a->part_count; p++)
      suggest_needs(s, a->part[p]);
    if (a->kind != ATOM_HEAD) continue;
    bool known = false;
    for (size_t n = 0; n < s->wanted.len; n++)
      known |= s->wanted.at[n].loop == a->loop && s->wanted.at[n].var == a->term;
    if (!known) vec_push(&s->wanted, (struct align_need){a->loop, a->term});
  }
}

/* The same for what a branch compares, where no form says how that differs. */
static void suggest_compared(struct search *g, term_id atom) {
  struct align *s = g->s;
  term_list vars = {0};
  term_free_vars(s->ts, atom, &vars);
  for (size_t i = 0; i < vars.len; i++) {
    size_t v = align_var(s, vars.at[i]);
    if (v != SIZE_MAX) suggest_needs(s, g->piece->start.state.diff[v]);
  }
  vec_clear(&vars);
}

static void blame(struct search *g, const struct constraint *c, size_t depth) {
  struct align *s = g->s;
  suggest_needs(s, c->form);
  if (c->atom != TERM_NONE && !c->form->known) suggest_compared(g, c->atom);
  if ((s->blame || s->unbounded) && (g->deepest > depth || g->found)) return;
  g->deepest = depth;
  s->blame_span = c->span;
  s->blame = c->what;
  s->unbounded = false;
  s->blame_atom = c->atom;
}

/* Checks what has become settled with the cell `depth`. */
static bool constraints_hold(struct search *g, size_t depth) {
  struct align *s = g->s;
  for (size_t i = 0; i < g->constraints.len; i++) {
    const struct constraint *c = &g->constraints.at[i];
    const struct form *f = form_resolve(&s->forms, c->form, g->piece->values[c->path]);
    if (!f || holds(s, c->relation, f)) continue;
    blame(g, c, depth);
    return false;
  }
  return true;
}

/* ---- cells ----------------------------------------------------------------------------------- */

bool align_is_determined(struct align *s, const struct align_path *p, const struct align_sample *y,
                         const struct align_decision *d) {
  if (d->order <= y->order) return true;
  size_t from = 0; /* what is made after y */
  while (from < p->unknowns.len && p->unknowns.at[from] != y->fresh)
    from++;
  /* only in the pure notion may a shift depend on the sample itself */
  if (kernel_notion(s->k).kind == NOTION_PURE) from++;
  return from >= p->unknowns.len ||
         !term_mentions(s->ts, d->atom, p->unknowns.at + from, p->unknowns.len - from);
}

/* Does a decision known to both contradict the other's? */
static bool told_apart(struct align *s, const struct align_path *p, const struct align_sample *y,
                       const struct align_path *q, const struct align_sample *z) {
  for (const struct align_decision *d = p->decisions; d; d = d->previous) {
    if (!align_is_determined(s, p, y, d)) continue;
    for (const struct align_decision *e = q->decisions; e; e = e->previous)
      if (e->atom == d->atom && e->taken != d->taken && align_is_determined(s, q, z, e))
        return true;
  }
  return false;
}

static bool belongs(struct align *s, const struct align_piece *piece, const struct align_cell *cell,
                    const struct align_path *p, const struct align_sample *y) {
  if (cell->site != y->site) return false;
  for (size_t m = 0; m < cell->members.len; m++) {
    const struct align_member *other = &cell->members.at[m];
    const struct align_path *q = &piece->paths.at[other->path];
    /* Samples of one statement on different sides of an earlier branch have different names for
     * what was drawn: compare decisions only. */
    if (!told_apart(s, p, y, q, other->sample)) return true;
  }
  return false;
}

static bool lives_on(struct align *s, const struct align_piece *piece, const struct align_path *p,
                     unsigned shift, bool vaguely) {
  for (size_t v = 0; v < s->vars.len; v++) {
    bool needed = p->end == PATH_LOOP || !piece->goal.live || piece->goal.live[v];
    const struct form *diff = p->state.diff[v];
    if (needed && p->end != PATH_EXIT &&
        (vaguely ? form_depends(&s->forms, diff, shift) : !ratio_is_zero(form_factor(diff, shift))))
      return true;
  }
  return false;
}

static void merge_cells(struct align_piece *piece, size_t into, size_t from) {
  struct align_cell *a = &piece->cells.at[into], *b = &piece->cells.at[from];
  for (size_t m = 0; m < b->members.len; m++)
    vec_push(&a->members, b->members.at[m]);
  a->lives |= b->lives;
  vec_clear(&b->members);
  for (size_t c = from; c + 1 < piece->cells.len; c++)
    piece->cells.at[c] = piece->cells.at[c + 1];
  piece->cells.len--;
}

static void add_to_cells(struct align *s, struct align_piece *piece, size_t path,
                         const struct align_sample *y) {
  const struct align_path *p = &piece->paths.at[path];
  size_t home = SIZE_MAX;
  for (size_t c = 0; c < piece->cells.len; c++) {
    if (!belongs(s, piece, &piece->cells.at[c], p, y)) continue;
    if (home == SIZE_MAX) {
      home = c;
    } else {
      merge_cells(piece, home, c);
      c--;
    }
  }
  if (home == SIZE_MAX) {
    home = piece->cells.len;
    vec_push(&piece->cells, (struct align_cell){.site = y->site});
  }
  vec_push(&piece->cells.at[home].members, (struct align_member){path, y});
  if (!lives_on(s, piece, p, y->shift, false)) {
    if (piece->goal.body_of && lives_on(s, piece, p, y->shift, true)) vec_push(&s->vague, y->site);
    return;
  }
  piece->cells.at[home].lives = true;
  if (!piece->goal.body_of) return;
  for (size_t i = 0; i < s->living.len; i++)
    if (s->living.at[i] == y->site) return;
  vec_push(&s->living, y->site);
}

/* In the order in which they are drawn. */
static void make_cells(struct align *s, struct align_piece *piece) {
  unsigned most = 0;
  for (size_t i = 0; i < piece->paths.len; i++)
    if (piece->paths.at[i].sample_count > most) most = piece->paths.at[i].sample_count;
  for (unsigned order = 0; order < most; order++)
    for (size_t i = 0; i < piece->paths.len; i++)
      for (const struct align_sample *y = piece->paths.at[i].samples; y; y = y->previous)
        if (y->order == order) add_to_cells(s, piece, i, y);
}

/* ---- candidates ------------------------------------------------------------------------------ */

struct candidate {
  const struct form *shift;
  term_id distance;
  double weight; /* of what it costs */
};
typedef VEC(struct candidate) candidate_list;

static bool is_integral(const struct align *s, const struct form *f) {
  bool whole = f->constant.den == 1;
  if (f->unit != TERM_NONE && term_sort(s->ts, f->unit) != SORT_INT)
    whole = ratio_is_zero(f->constant);
  for (size_t i = 0; i < f->count; i++)
    whole &= f->items[i].factor.den == 1;
  return whole;
}

/* How far the noise moves; TERM_NONE if the shift is not allowed. */
static term_id distance_of(struct search *g, const struct align_cell *cell,
                           const struct form *shift) {
  struct align *s = g->s;
  term_id most = term_int(s->ts, 0);
  if (!shift->known || (dist_is_integer(cell->site->dist) && !is_integral(s, shift)))
    return TERM_NONE;
  bool one_sided = dist_shift_way(cell->site->dist) == SHIFT_UP;
  for (size_t m = 0; m < cell->members.len; m++) {
    const struct form *centre = form_resolve(&s->forms, cell->members.at[m].sample->centre,
                                             g->piece->values[cell->members.at[m].path]);
    if (!centre) return TERM_NONE;
    const struct form *off = form_add(&s->forms, shift, ratio_int(-1), centre);
    struct ratio low, high;
    form_bounds(&s->forms, off, &low, &high);
    if (one_sided && !ratio_le(ratio_int(0), low)) return TERM_NONE;
    term_id here = align_distance(s, off);
    if (here == TERM_NONE) return TERM_NONE;
    most = align_max(s, most, here);
  }
  return most;
}

static void propose(struct search *g, const struct align_cell *cell, candidate_list *out,
                    const struct form *shift) {
  for (size_t i = 0; i < out->len; i++)
    if (form_equal(out->at[i].shift, shift)) return;
  struct align_cell moved = *cell;
  moved.distance = distance_of(g, cell, shift);
  if (moved.distance == TERM_NONE) return;
  double weight = align_weight(g->s, align_cell_cost(g->s, &moved));
  struct candidate new = {shift, moved.distance, weight};
  size_t at = out->len;
  vec_push(out, new);
  for (; at > 0 && out->at[at - 1].weight > weight * (1 + 1e-9); at--)
    out->at[at] = out->at[at - 1];
  out->at[at] = new;
}

/* Shifts that make the form 0 when it is the last unknown in it. */
static void propose_solutions(struct search *g, const struct align_cell *cell,
                              const struct align_member *member, const struct form *f,
                              candidate_list *out) {
  struct align *s = g->s;
  unsigned shift = member->sample->shift;
  struct form_values values = g->piece->values[member->path];
  for (size_t i = 0; i < f->count; i++) {
    const struct atom *a = &s->forms.atoms.at[f->items[i].atom];
    for (size_t p = 0; p < a->part_count; p++)
      propose_solutions(g, cell, member, a->part[p], out);
  }
  values.at[shift - values.first] = form_atom(&s->forms, shift);
  const struct form *open = form_resolve(&s->forms, f, values);
  values.at[shift - values.first] = NULL;
  if (!open || !open->known) return;
  struct ratio factor = form_factor(open, shift);
  if (ratio_is_zero(factor)) return;
  const struct form *rest =
      form_add(&s->forms, open, ratio_neg(factor), form_atom(&s->forms, shift));
  propose(g, cell, out, form_scale(&s->forms, ratio_div(ratio_int(-1), factor), rest));
}

/* Does the loop always end after this sampling? */
static bool is_for_nothing(const struct search *g, const struct align_cell *cell) {
  bool last = true;
  for (size_t m = 0; m < cell->members.len; m++)
    last &= g->piece->paths.at[cell->members.at[m].path].last;
  return last;
}

static void propose_all(struct search *g, const struct align_cell *cell, candidate_list *out) {
  struct align *s = g->s;
  for (size_t i = 0; i < s->fixed.len; i++)
    if (s->fixed.at[i].site == cell->site && !is_for_nothing(g, cell)) {
      propose(g, cell, out, s->fixed.at[i].shift);
      return;
    }
  if (g->uniform && cell->lives) {
    propose(g, cell, out, g->uniform);
    return;
  }
  for (size_t m = 0; m < cell->members.len; m++) {
    const struct align_member *member = &cell->members.at[m];
    const struct form *centre =
        form_resolve(&s->forms, member->sample->centre, g->piece->values[member->path]);
    if (centre) propose(g, cell, out, centre);
    for (size_t i = 0; i < g->constraints.len; i++)
      if (g->constraints.at[i].path == member->path)
        propose_solutions(g, cell, member, g->constraints.at[i].form, out);
  }
  propose(g, cell, out, &FORM_ZERO);
  const struct form *step;
  for (size_t i = 0; cell->lives && (step = align_step(s, i, 3)); i++)
    propose(g, cell, out, step);
}

struct align_state align_settled(struct align *s, const struct align_piece *piece, size_t path) {
  struct align_state copy = align_state_copy(s, &piece->paths.at[path].state);
  for (size_t v = 0; v < s->vars.len; v++) {
    const struct form *f = form_resolve(&s->forms, copy.diff[v], piece->values[path]);
    copy.diff[v] = f ? f : &FORM_UNKNOWN;
  }
  return copy;
}

/* ---- ends ------------------------------------------------------------------------------------ */

static struct align_end end_of(struct align *s, struct align_piece *piece, size_t path) {
  return (struct align_end){.state = align_settled(s, piece, path),
                            .kind = piece->paths.at[path].end,
                            .cost = align_path_cost(s, piece, path, &piece->joint[path]),
                            .path = &piece->paths.at[path],
                            .later = term_rat(s->ts, 0, 1)};
}

/* Values after a loop: what it does not write is as at its entry, the rest is unknown. */
static const term_id *after_loop(struct align *s, const struct align_plan *plan,
                                 const struct align_end *entry, struct align_path *path) {
  term_id *value = arena_alloc(s->arena, (s->vars.len + 1) * sizeof *value);
  term_list unknowns = {0};
  for (size_t i = 0; i < path->unknowns.len; i++)
    vec_push(&unknowns, path->unknowns.at[i]);
  for (size_t v = 0; v < s->vars.len; v++) {
    value[v] = plan->written[v] ? term_fresh(s->ts, s->vars.at[v]) : entry->state.value[v];
    if (plan->written[v]) vec_push(&unknowns, value[v]);
  }
  ALIGN_KEEP(s, &unknowns);
  path->unknowns = unknowns;
  return value;
}

static void append_decisions(struct align *s, struct align_path *path,
                             const struct align_decision *d, const term_id *value) {
  if (!d) return;
  append_decisions(s, path, d->previous, value);
  struct align_decision *copy = arena_memdup(s->arena, d, sizeof *d);
  copy->atom = term_subst(s->ts, d->atom, s->vars.at, value, s->vars.len);
  copy->previous = path->decisions;
  path->decisions = copy;
}

/* The witnesses that the loop has passed when it is left in this state, or that were met after it.
 */
static const bool *met_by(struct align *s, const struct align_plan *plan,
                          const struct align_head *h, const bool *after) {
  bool *met = arena_alloc(s->arena, s->most_witnesses + 1);
  for (size_t w = 0; w < s->most_witnesses; w++)
    met[w] = (after && after[w]) || (plan->tracks[w].first != TERM_NONE && h->phase[w] == 0);
  return met;
}

/* From the entry of a loop, which is left in a state, to an end of what follows it, as one way. */
static struct align_end through(struct align *s, const struct align_plan *plan, size_t left_in,
                                const struct align_end *entry, struct align_end *end) {
  struct align_path *path = arena_memdup(s->arena, entry->path, sizeof *path);
  const term_id *value = after_loop(s, plan, entry, path);
  append_decisions(s, path, end->path->decisions, value);
  path->met = met_by(s, plan, plan->heads.at[left_in], end->path->met);
  path->end = end->kind;
  path->loop = NULL;
  struct align_end whole = {.state = align_state_copy(s, &end->state),
                            .kind = end->kind,
                            .path = path,
                            .inner = end,
                            .later = end->later};
  for (size_t v = 0; v < s->vars.len; v++)
    whole.state.value[v] = term_subst(s->ts, end->state.value[v], s->vars.at, value, s->vars.len);
  term_id parts[] = {entry->cost,
                     align_state_value(s, &entry->state, align_travel_to(s, plan, 0, left_in)),
                     term_subst(s->ts, end->cost, s->vars.at, value, s->vars.len)};
  whole.cost = term_sum(s->ts, parts, 3);
  return whole;
}

/* Solves a loop that is entered in these ways, and goes on behind it. */
static bool enter_loop(struct align *s, struct align_piece *piece, const struct align_end *entries,
                       size_t count) {
  struct align_plan *plan = align_loop_solve(s, piece, entries, count);
  if (!plan) return false;
  vec_push(&piece->plans, plan);
  for (size_t e = 0; e < count; e++) {
    term_id after = align_state_value(s, &entries[e].state, plan->entry_costs.at[e]);
    piece->cost = align_max(s, piece->cost, term_add(s->ts, entries[e].cost, after));
  }
  for (size_t h = 0; piece->goal.body_of && h < plan->heads.len; h++) {
    struct align_piece *after = plan->heads.at[h]->after;
    for (size_t i = 0; after && i < after->ends.len; i++) {
      struct align_end end = through(s, plan, h, &entries[0], &after->ends.at[i]);
      vec_push(&piece->ends, end);
    }
  }
  return true;
}

/* All shifts are chosen: what comes after, and what it costs. In a loop every entry of an inner
 * loop is treated by itself, because what is needed afterwards may differ. */
static bool finish(struct search *g, struct align_piece *piece) {
  struct align *s = g->s;
  VEC(struct align_end) entries = {0};
  bool *taken = arena_alloc(s->arena, piece->paths.len + 1), ok = true;
  for (size_t i = 0; i < piece->paths.len; i++)
    taken[i] = false;
  piece->cost = term_rat(s->ts, 0, 1);
  for (size_t i = 0; i < piece->paths.len && ok; i++) {
    const struct align_path *p = &piece->paths.at[i];
    if (taken[i]) continue;
    struct align_end end = end_of(s, piece, i);
    if (p->end != PATH_LOOP) {
      vec_push(&piece->ends, end);
      piece->cost = align_max(s, piece->cost, end.cost);
      continue;
    }
    entries.len = 0;
    vec_push(&entries, end);
    for (size_t j = i + 1; !piece->goal.body_of && j < piece->paths.len; j++) {
      const struct align_path *q = &piece->paths.at[j];
      if (q->end != PATH_LOOP || q->loop != p->loop) continue;
      taken[j] = true;
      struct align_end other = end_of(s, piece, j);
      vec_push(&entries, other);
    }
    struct align_end *kept = arena_memdup(s->arena, entries.at, entries.len * sizeof *kept);
    ok = enter_loop(s, piece, kept, entries.len);
  }
  vec_clear(&entries);
  return ok;
}

static term_id more(struct align *s, term_id most, term_id need) {
  return most == TERM_NONE ? need : align_max(s, most, need);
}

term_id align_piece_need(struct align *s, const struct align_piece *piece) {
  term_id most = TERM_NONE;
  for (size_t i = 0; i < piece->ends.len; i++) {
    const struct align_end *e = &piece->ends.at[i];
    if (e->inner) continue; /* the loop says what it needs */
    most = more(s, most, term_add(s->ts, e->cost, align_state_value(s, &e->state, e->later)));
  }
  for (size_t i = 0; i < piece->plans.len; i++) {
    const struct align_plan *plan = piece->plans.at[i];
    for (size_t e = 0; e < plan->entries.len; e++) {
      term_id need = align_potential(s, plan, plan->heads.at[plan->entries.at[e]]);
      need = align_state_value(s, &plan->entered[e].state, align_at_most(s, plan, need));
      most = more(s, most, term_add(s->ts, plan->entered[e].cost, need));
    }
  }
  return most == TERM_NONE ? term_rat(s->ts, 0, 1) : most;
}

void align_piece_settle(struct align *s, struct align_piece *piece) {
  for (size_t i = 0; i < piece->ends.len; i++)
    for (struct align_end *e = &piece->ends.at[i]; e->inner; e = e->inner)
      e->inner->later = e->later;
  for (size_t i = 0; i < piece->plans.len; i++)
    align_plan_settle(s, piece->plans.at[i]);
}

/* ---- search ---------------------------------------------------------------------------------- */

static struct form_values *new_values(struct align *s, size_t paths, unsigned first, size_t count) {
  struct form_values *all = arena_alloc(s->arena, (paths + 1) * sizeof *all);
  for (size_t i = 0; i < paths; i++) {
    all[i].first = first;
    all[i].at = arena_alloc(s->arena, (count + 1) * sizeof *all[i].at);
    for (size_t j = 0; j < count; j++)
      all[i].at[j] = NULL;
  }
  return all;
}

static struct form_values *copy_values(struct align *s, const struct align_piece *piece) {
  struct form_values *all = arena_alloc(s->arena, (piece->paths.len + 1) * sizeof *all);
  for (size_t i = 0; i < piece->paths.len; i++) {
    const struct form_values *from = &piece->values[i];
    all[i].first = from->first;
    all[i].at = arena_memdup(s->arena, from->at, piece->value_count * sizeof *from->at);
  }
  return all;
}

static void set_shift(struct align_piece *piece, const struct align_cell *cell,
                      const struct form *shift) {
  for (size_t m = 0; m < cell->members.len; m++) {
    const struct form_values *values = &piece->values[cell->members.at[m].path];
    values->at[cell->members.at[m].sample->shift - values->first] = shift;
  }
}

static void leaf(struct search *g, double weight) {
  struct align *s = g->s;
  struct align_piece *copy = arena_memdup(s->arena, g->piece, sizeof *copy);
  copy->values = copy_values(s, g->piece);
  copy->cells.at =
      arena_memdup(s->arena, g->piece->cells.at, g->piece->cells.len * sizeof *copy->cells.at);
  copy->weight = weight;
  copy->joint = arena_alloc(s->arena, copy->paths.len + 1);
  bool loops = false;
  for (size_t i = 0; i < copy->paths.len; i++)
    loops |= copy->paths.at[i].end == PATH_LOOP;
  bool works = finish(g, copy);
  ALIGN_KEEP(s, &copy->plans);
  ALIGN_KEEP(s, &copy->ends);
  if (!works) return;
  if (loops || !copy->goal.body_of) copy->weight = align_weight(s, copy->cost) + 1e-6 * weight;
  if (g->found && copy->weight >= g->best->weight * (1 - 1e-9)) return;
  g->best = copy;
  g->found = true;
}

/* `weight`: of the cells before `depth`. */
static void choose(struct search *g, size_t depth, double weight, bool additive) {
  struct align_piece *piece = g->piece;
  if (g->leaves >= ALIGN_LEAVES || budget_is_spent(g->s->problem->budget)) return;
  if (additive && g->found && weight >= g->best->weight * (1 - 1e-9)) return;
  if (depth == piece->cells.len) {
    g->leaves++;
    leaf(g, weight);
    return;
  }
  struct align_cell *cell = &piece->cells.at[depth];
  candidate_list candidates = {0};
  propose_all(g, cell, &candidates);
  for (size_t i = 0; i < candidates.len; i++) {
    cell->shift = candidates.at[i].shift;
    cell->distance = candidates.at[i].distance;
    set_shift(piece, cell, cell->shift);
    if (constraints_hold(g, depth + 1))
      choose(g, depth + 1, weight + align_weight(g->s, align_cell_cost(g->s, cell)), additive);
    set_shift(piece, cell, NULL);
  }
  vec_clear(&candidates);
}

/* Where many samples live on (thresholds, say), first the same shift for all of them: it is often
 * right, and then all combinations need not be seen. */
static void choose_all(struct search *g, bool additive) {
  struct align *s = g->s;
  size_t living = 0;
  for (size_t c = 0; c < g->piece->cells.len; c++)
    living += g->piece->cells.at[c].lives;
  for (size_t i = 0; living > 2 && (g->uniform = align_step(s, i, 2)); i++)
    choose(g, 0, 0, additive);
  g->uniform = NULL;
  choose(g, 0, 0, additive);
}

struct align_piece *align_piece_solve(struct align *s, const struct align_start *start,
                                      const struct align_goal *goal) {
  struct align_piece piece = {.start = *start, .goal = *goal};
  struct search g = {.s = s, .piece = &piece};
  bool additive = goal->body_of != NULL;
  unsigned first = (unsigned)s->forms.atoms.len;
  bool ran = align_paths(s, start, &piece.paths);
  ALIGN_KEEP(s, &piece.paths);
  if (ran) {
    piece.value_count = s->forms.atoms.len - first;
    piece.values = new_values(s, piece.paths.len, first, piece.value_count);
    make_cells(s, &piece);
    for (size_t c = 0; c < piece.cells.len; c++)
      ALIGN_KEEP(s, &piece.cells.at[c].members);
    collect_constraints(&g);
    for (size_t i = 0; i < piece.paths.len; i++)
      additive &= piece.paths.at[i].end != PATH_LOOP;
    if (constraints_hold(&g, 0)) choose_all(&g, additive);
  }
  vec_clear(&g.constraints);
  vec_clear(&piece.cells); /* the solution has a copy */
  return g.found ? g.best : NULL;
}
