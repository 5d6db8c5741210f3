#include "search/align/rows.h"

#include <string.h>

#include "search/align/naming.h"
#include "search/align/track.h"
#include "term/build.h"
#include "term/subst.h"

/* ---- collecting ------------------------------------------------------------------------------ */

static void add_literal(literal_list *list, term_id formula, bool truth) {
  if (formula == TERM_NONE) return;
  for (size_t i = 0; i < list->len; i++)
    if (list->at[i].formula == formula) return;
  vec_push(list, (struct align_literal){formula, truth});
}

/* What tells the states of a loop apart, seen from a place where `at` holds. */
static void head_literals(struct align *s, struct align_view *view, const struct align_plan *plan,
                          const struct align_head *h, const struct align_track *tracks,
                          literal_list *out) {
  for (size_t w = 0; w < s->witnesses.len; w++) {
    const struct align_track *track = &tracks[w];
    for (unsigned k = 0; track->first != TERM_NONE && k < track->phases; k++) {
      term_id passed = align_track_bound(s, track, s->witnesses.at[w].var, k);
      add_literal(out, align_view_term(view, passed), h->phase[w] <= k);
    }
  }
  for (size_t i = 0; i < plan->atoms.len; i++)
    if (h->truths[i] >= 0) add_literal(out, align_view_term(view, plan->atoms.at[i]), h->truths[i]);
  for (size_t v = 0; v < s->vars.len; v++) {
    term_id var = s->vars.at[v];
    bool array = s->place.at[v] != SIZE_MAX;
    if (!plan->live[v] || view->at->value[v] == TERM_NONE) continue;
    if (!plan->written[v] && !array) continue;
    bool unchanged = view->at->value[v] == var || view->at->value[v] == h->state.value[v];
    if (!unchanged) continue;
    term_id value = h->state.value[v];
    if (value != var && term_sort(s->ts, var) == SORT_BOOL)
      add_literal(out, var, term_kind(s->ts, value) == TERM_TRUE);
    for (size_t i = 0; value != var && i < plan->heads.len; i++) { /* which of its values */
      term_id other = plan->heads.at[i]->state.value[v];
      if (other != var && sort_is_numeric(term_sort(s->ts, var)))
        add_literal(out, term_eq(s->ts, var, other), other == value);
    }
    if ((sort_is_numeric(term_sort(s->ts, var)) || array) &&
        ratio_is_finite(form_radius(&s->forms, h->state.diff[v])))
      add_literal(out, align_equal(s, var), form_is_zero(h->state.diff[v]));
  }
}

/* Where a piece is: in which state of which loop, or behind it, and what is known from outside. */
struct spot {
  const struct align_plan *plan;
  const struct align_head *head;
  bool behind;
  literal_list outside; /* about variables that the loop does not write */
};

/* Is every variable of the formula as it was when the piece began? */
static bool is_current(struct align *s, const struct align_state *at, term_id formula) {
  term_list vars = {0};
  term_free_vars(s->ts, formula, &vars);
  bool current = true;
  for (size_t i = 0; i < vars.len; i++) {
    size_t v = align_var(s, term_var_in_run(s->ts, vars.at[i], 0));
    current &= v == SIZE_MAX || at->value[v] == s->vars.at[v];
  }
  vec_clear(&vars);
  return current;
}

static void outside_literals(struct align *s, const struct align_state *at,
                             const struct spot *place, literal_list *out) {
  for (size_t i = 0; i < place->outside.len; i++)
    if (is_current(s, at, place->outside.at[i].formula))
      add_literal(out, place->outside.at[i].formula, place->outside.at[i].truth);
}

/* Is it about a variable in both runs that the loop and what follows no longer need? */
static bool is_forgotten(struct align *s, const struct align_plan *inner, term_id formula) {
  for (size_t v = 0; v < s->vars.len; v++)
    if (!inner->live[v] && align_equal(s, s->vars.at[v]) == formula) return true;
  return false;
}

/* What is known at the entry of an inner loop and stays true in it. */
static literal_list entry_literals(struct align *s, const struct align_plan *inner,
                                   const struct spot *place) {
  literal_list out = {0};
  const struct align_end *entry = &inner->entered[0];
  struct align_state at = align_state_copy(s, &entry->state);
  for (size_t v = 0; v < s->vars.len; v++)
    if (inner->written[v] || inner->hidden[v]) at.value[v] = term_fresh(s->ts, s->vars.at[v]);
  struct align_view view;
  align_view_init(&view, s, &at, NULL, NULL);
  outside_literals(s, &at, place, &out);
  const struct align_plan *plan = place->plan;
  if (place->head)
    head_literals(s, &view, plan, place->head,
                  place->behind ? align_tracks_behind(s, plan, place->head) : plan->tracks, &out);
  for (const struct align_decision *d = entry->path->decisions; d; d = d->previous)
    add_literal(&out, align_view_term(&view, d->atom), d->taken);
  align_view_clear(&view);
  size_t kept = 0;
  for (size_t i = 0; i < out.len; i++)
    if (!is_forgotten(s, inner, out.at[i].formula)) out.at[kept++] = out.at[i];
  out.len = kept;
  ALIGN_KEEP(s, &out);
  return out;
}

static void add_row(struct align *s, struct align_rows *rows, const struct align_piece *piece,
                    const struct align_cell *cell, const struct align_member *member,
                    const struct spot *place) {
  const struct align_plan *plan = place->plan;
  const struct align_head *head = place->head;
  const struct align_sample *y = member->sample;
  const struct align_path *p = &piece->paths.at[member->path];
  struct align_view view;
  align_view_init(&view, s, &y->before, &piece->values[member->path], y);
  literal_list literals = {0};
  outside_literals(s, &y->before, place, &literals);
  if (head) head_literals(s, &view, plan, head, plan->tracks, &literals);
  for (size_t w = 0; head && w < s->witnesses.len; w++) /* no decision is recorded for these */
    if (head->phase[w] == 0)
      add_literal(
          &literals,
          align_view_term(&view, term_eq(s->ts, plan->tracks[w].first, s->witnesses.at[w].var)),
          false);
  VEC(const struct align_decision *) decisions = {0};
  for (const struct align_decision *d = p->decisions; d; d = d->previous)
    if (align_is_determined(s, p, y, d)) vec_push(&decisions, d);
  for (size_t i = decisions.len; i-- > 0;)
    add_literal(&literals, align_view_term(&view, decisions.at[i]->atom), decisions.at[i]->taken);
  vec_clear(&decisions);
  const struct form *centre = form_resolve(&s->forms, y->centre, piece->values[member->path]);
  struct align_row row = {.site = cell->site,
                          .shift = cell->shift,
                          .is_null = centre && form_equal(centre, cell->shift),
                          .text = align_view_form(&view, cell->shift),
                          .distance = cell->distance,
                          .exact = piece->joint[member->path]};
  ALIGN_KEEP(s, &literals);
  row.literals = literals;
  vec_push(&rows->rows, row);
  align_view_clear(&view);
}

static void collect(struct align *s, struct align_rows *rows, const struct align_piece *piece,
                    const struct spot *place) {
  for (size_t c = 0; c < piece->cells.len; c++)
    for (size_t m = 0; m < piece->cells.at[c].members.len; m++)
      add_row(s, rows, piece, &piece->cells.at[c], &piece->cells.at[c].members.at[m], place);
  for (size_t i = 0; i < piece->plans.len; i++) {
    const struct align_plan *inner = piece->plans.at[i];
    struct spot here = {.plan = inner};
    if (inner->entries.len == 1) here.outside = entry_literals(s, inner, place);
    for (size_t h = 0; h < inner->heads.len; h++) {
      struct align_placed_head placed = {.plan = inner, .head = inner->heads.at[h], .index = h};
      struct align_view view;
      align_view_init(&view, s, &placed.head->state, NULL, NULL);
      head_literals(s, &view, inner, placed.head, inner->tracks, &placed.literals);
      align_view_clear(&view);
      for (size_t l = 0; l < here.outside.len; l++)
        add_literal(&placed.literals, here.outside.at[l].formula, here.outside.at[l].truth);
      ALIGN_KEEP(s, &placed.literals);
      vec_push(&rows->heads, placed);
      here.head = placed.head;
      here.behind = false;
      collect(s, rows, placed.head->body, &here);
      here.behind = true;
      if (placed.head->after) collect(s, rows, placed.head->after, &here);
    }
  }
}

void align_rows_collect(struct align *s, struct align_rows *rows,
                        const struct align_piece *solution) {
  *rows = (struct align_rows){0};
  collect(s, rows, solution, &(struct spot){0});
}

void align_rows_clear(struct align_rows *rows) {
  vec_clear(&rows->rows);
  vec_clear(&rows->heads);
}

/* ---- cases of a sampling --------------------------------------------------------------------- */

struct grouping {
  struct align *s;
  VEC(const struct align_row *) rows;
  VEC(size_t) group; /* of each row */
  size_t count;
};

static bool contradicts(const struct align_literal *list, size_t count, const bool *keep,
                        const struct align_row *other) {
  for (size_t i = 0; i < count; i++) {
    if (!keep[i]) continue;
    for (size_t j = 0; j < other->literals.len; j++)
      if (other->literals.at[j].formula == list[i].formula &&
          other->literals.at[j].truth != list[i].truth)
        return true;
  }
  return false;
}

static bool tells_apart(const struct grouping *g, size_t row, const bool *keep) {
  const struct align_row *r = g->rows.at[row];
  for (size_t i = 0; i < g->rows.len; i++)
    if (g->group.at[i] != g->group.at[row] &&
        !contradicts(r->literals.at, r->literals.len, keep, g->rows.at[i]))
      return false;
  return true;
}

/* The literals of a row that tell it from all other groups; TERM_NONE if they do not suffice. */
static term_id condition(const struct grouping *g, size_t row) {
  struct align *s = g->s;
  const struct align_row *r = g->rows.at[row];
  bool *keep = arena_alloc(s->arena, r->literals.len + 1);
  for (size_t i = 0; i < r->literals.len; i++)
    keep[i] = true;
  if (!tells_apart(g, row, keep)) return TERM_NONE;
  for (size_t i = 0; i < r->literals.len; i++) {
    keep[i] = false;
    keep[i] = !tells_apart(g, row, keep);
  }
  term_id all = term_bool(s->ts, true);
  for (size_t i = 0; i < r->literals.len; i++)
    if (keep[i])
      all = term_and(s->ts, all,
                     r->literals.at[i].truth ? r->literals.at[i].formula
                                             : term_not(s->ts, r->literals.at[i].formula));
  return all;
}

static bool same_group(const struct align_row *a, const struct align_row *b, bool split) {
  if (split && a->distance != b->distance) return false;
  return (a->is_null && b->is_null) || form_equal(a->shift, b->shift) ||
         (a->text != TERM_NONE && a->text == b->text);
}

/* A row that moves by nothing and has an equal centre fits with both kinds; so look at the others
 * first. */
static void assign_groups(struct grouping *g, bool split) {
  for (size_t i = 0; i < g->rows.len; i++)
    vec_push(&g->group, SIZE_MAX);
  for (int round = 0; round < 2; round++)
    for (size_t i = 0; i < g->rows.len; i++) {
      bool both = g->rows.at[i]->is_null && form_is_zero(g->rows.at[i]->shift);
      if (both != (round == 1)) continue;
      for (size_t j = 0; j < g->rows.len && g->group.at[i] == SIZE_MAX; j++)
        if (g->group.at[j] != SIZE_MAX && same_group(g->rows.at[i], g->rows.at[j], split))
          g->group.at[i] = g->group.at[j];
      if (g->group.at[i] == SIZE_MAX) g->group.at[i] = g->count++;
    }
}

static struct align_group describe(struct grouping *g, size_t group) {
  struct align *s = g->s;
  struct align_group out = {
      .when = term_bool(s->ts, false), .is_null = true, .bounded = true, .shift = TERM_NONE};
  bool first = true;
  for (size_t i = 0; i < g->rows.len; i++) {
    if (g->group.at[i] != group) continue;
    const struct align_row *r = g->rows.at[i];
    term_id when = condition(g, i);
    out.when =
        when == TERM_NONE || out.when == TERM_NONE ? TERM_NONE : term_or(s->ts, out.when, when);
    out.is_null &= r->is_null;
    if (out.shift == TERM_NONE) out.shift = r->text;
    if (r->exact || (!first && out.distance != r->distance)) out.bounded = false;
    out.distance = first ? r->distance : align_max(s, out.distance, r->distance);
    first = false;
  }
  return out;
}

/* Best said last, as "otherwise": what costs nothing, or has no short condition. */
static bool goes_last(struct align *s, const struct align_group *a, const struct align_group *b) {
  if ((a->when == TERM_NONE) != (b->when == TERM_NONE)) return a->when == TERM_NONE;
  if (a->is_null != b->is_null) return a->is_null;
  return align_weight(s, a->distance) <= align_weight(s, b->distance);
}

struct align_group *align_rows_group(struct align *s, const struct align_rows *rows,
                                     const struct core *site, bool split, size_t *count) {
  struct grouping g = {.s = s};
  for (size_t i = 0; i < rows->rows.len; i++)
    if (rows->rows.at[i].site == site) vec_push(&g.rows, &rows->rows.at[i]);
  assign_groups(&g, split);
  struct align_group *out = arena_alloc(s->arena, (g.count + 1) * sizeof *out);
  for (size_t i = 0; i < g.count; i++)
    out[i] = describe(&g, i);
  for (size_t i = 0; i + 1 < g.count; i++)
    if (goes_last(s, &out[i], &out[g.count - 1])) {
      struct align_group swap = out[i];
      out[i] = out[g.count - 1];
      out[g.count - 1] = swap;
    }
  *count = g.count;
  vec_clear(&g.rows);
  vec_clear(&g.group);
  return out;
}

/* ---- states of a loop ------------------------------------------------------------------------ */

struct align_heads align_rows_heads(struct align *s, const struct align_rows *rows,
                                    const struct core *loop) {
  VEC(struct align_placed_head) found = {0};
  for (size_t i = 0; i < rows->heads.len; i++)
    if (rows->heads.at[i].plan->loop == loop) vec_push(&found, rows->heads.at[i]);
  struct align_heads heads = {.count = found.len};
  heads.at = arena_take_vec(s->arena, &found);
  return heads;
}

int align_head_literal(const struct align_placed_head *h, term_id formula) {
  for (size_t i = 0; i < h->literals.len; i++)
    if (h->literals.at[i].formula == formula) return h->literals.at[i].truth;
  return -1;
}

void align_heads_literals(const struct align_heads *heads, term_list *out) {
  for (size_t i = 0; i < heads->count; i++)
    for (size_t j = 0; j < heads->at[i].literals.len; j++) {
      bool known = false;
      for (size_t k = 0; k < out->len; k++)
        known |= out->at[k] == heads->at[i].literals.at[j].formula;
      if (!known) vec_push(out, heads->at[i].literals.at[j].formula);
    }
}

static term_id worth(struct align *s, const struct align_placed_head *h, bool bases) {
  return bases ? h->head->base : align_potential(s, h->plan, h->head);
}

/* The part of the states where the literal is true (or false). */
static struct align_heads part(struct align *s, const struct align_heads *heads, term_id literal,
                               bool truth) {
  VEC(struct align_placed_head) found = {0};
  for (size_t i = 0; i < heads->count; i++)
    if (align_head_literal(&heads->at[i], literal) != !truth) vec_push(&found, heads->at[i]);
  struct align_heads out = {.count = found.len};
  out.at = arena_take_vec(s->arena, &found);
  return out;
}

/* Is it about a variable in both runs? */
static bool says_equal(struct align *s, term_id literal) {
  for (size_t v = 0; v < s->vars.len; v++)
    if (align_equal(s, s->vars.at[v]) == literal) return true;
  return false;
}

const char *align_heads_tree(struct align *s, const struct align_heads *heads, bool bases) {
  term_id most = worth(s, &heads->at[0], bases);
  bool same = true;
  for (size_t i = 1; i < heads->count; i++) {
    term_id other = worth(s, &heads->at[i], bases);
    same &= other == most;
    most = align_max(s, most, other);
  }
  if (same) return align_cost_text(s, most);
  term_list literals = {0};
  align_heads_literals(heads, &literals);
  const char *text = NULL;
  for (size_t i = 0; i < 3 * literals.len && !text; i++) {
    size_t round = i / literals.len;
    term_id literal = literals.at[i % literals.len];
    if (round == 0 && !heads->at[0].plan->travels && says_equal(s, literal))
      continue; /* that may be so by chance */
    struct align_heads yes = part(s, heads, literal, true), no = part(s, heads, literal, false);
    if (!yes.count || !no.count || yes.count == heads->count || no.count == heads->count) continue;
    if (round < 2 && yes.count + no.count > heads->count) continue; /* clean cuts first */
    const char *a = align_heads_tree(s, &yes, bases), *b = align_heads_tree(s, &no, bases);
    text = !strcmp(a, b) ? a
                         : arena_printf(s->arena, "(if %s then %s else %s)",
                                        align_term_text(s, literal), a, b);
  }
  vec_clear(&literals);
  return text ? text : align_cost_text(s, most);
}
