#include "search/align/loop.h"

#include <string.h>

#include "proof/variable_name.h"
#include "search/align/group.h"
#include "search/align/growth.h"
#include "search/align/guard.h"
#include "search/align/live.h"
#include "search/align/measure.h"
#include "search/align/place.h"
#include "search/align/potential.h"
#include "search/align/sweep.h"
#include "search/align/total.h"
#include "search/align/track.h"
#include "term/build.h"
#include "term/subst.h"

enum { GROWTH = 4 }; /* times bounds may grow before they are given up */

/* ---- what the loop writes -------------------------------------------------------------------- */

/* Variables that get nothing but literals in the loop; a truth value in the guard is one whenever
 * it was decided. */
static void find_flags(struct align *s, term_id guard, const struct core *c, bool *flag) {
  size_t v = c->var != TERM_NONE ? align_var(s, c->var) : SIZE_MAX;
  switch (c->kind) {
  case CORE_ASSIGN: {
    enum term_kind kind = term_kind(s->ts, c->expr);
    bool literal = kind == TERM_TRUE || kind == TERM_FALSE || kind == TERM_NUM;
    bool ends = term_sort(s->ts, c->var) == SORT_BOOL && term_mentions(s->ts, guard, &c->var, 1);
    if (v != SIZE_MAX && !literal && !ends) flag[v] = false;
    break;
  }
  case CORE_SAMPLE:
  case CORE_ADVERSARY:
    if (v != SIZE_MAX) flag[v] = false;
    break;
  case CORE_SEQ:
  case CORE_IF:
    find_flags(s, guard, c->first, flag);
    find_flags(s, guard, c->second, flag);
    break;
  case CORE_WHILE: find_flags(s, guard, c->first, flag); break;
  case CORE_SKIP: break;
  }
}

/* In the second of two loops `for i`, i is the index of that loop, whose variable is i'2. */
static bool is_hidden(struct align *s, const struct core *loop, term_id var) {
  if (loop->var == TERM_NONE || loop->var == var) return false;
  const char *index = term_var_get(s->ts, loop->var)->name, *name = term_var_get(s->ts, var)->name;
  size_t length = variable_base(index);
  return strlen(name) == length && strncmp(index, name, length) == 0;
}

static struct align_plan *new_plan(struct align *s, const struct core *loop,
                                   const struct todo *rest, const struct align_goal *goal) {
  struct align_plan *plan = arena_new(s->arena, struct align_plan);
  size_t n = s->vars.len, w = s->most_witnesses;
  bool *live = arena_memdup(s->arena, goal->live, n * sizeof *live);
  align_live_before_rest(s, rest, live);
  align_live_before(s, loop, live);
  *plan = (struct align_plan){.loop = loop,
                              .rest = rest,
                              .live = live,
                              .written = arena_alloc(s->arena, n + 1),
                              .hidden = arena_alloc(s->arena, n + 1),
                              .flag = arena_alloc(s->arena, n + 1),
                              .tracks = arena_alloc(s->arena, (w + 1) * sizeof *plan->tracks),
                              .sweeps = arena_alloc(s->arena, (n + 1) * sizeof *plan->sweeps),
                              .growth = arena_alloc(s->arena, (n + 1) * sizeof *plan->growth),
                              .totals = arena_alloc(s->arena, (n + 1) * sizeof *plan->totals)};
  term_list written = {0};
  core_writes(loop, &written);
  for (size_t v = 0; v < n; v++) {
    plan->written[v] = plan->flag[v] = false;
    plan->hidden[v] = is_hidden(s, loop, s->vars.at[v]);
    plan->sweeps[v] = (struct align_sweep){.index = TERM_NONE};
    plan->growth[v] = (struct align_growth){.lost = false};
    plan->totals[v] = (struct align_total){.value = TERM_NONE};
  }
  for (size_t i = 0; i < written.len; i++) {
    size_t v = align_var(s, written.at[i]);
    if (v == SIZE_MAX) continue;
    plan->written[v] = plan->flag[v] = true;
    if (s->place.at[v] != SIZE_MAX) plan->written[s->place.at[v]] = true;
  }
  find_flags(s, loop->expr, loop->first, plan->flag);
  for (size_t i = 0; i < w; i++)
    plan->tracks[i] = (struct align_track){.first = TERM_NONE, .phases = 1};
  vec_clear(&written);
  return plan;
}

/* ---- states ---------------------------------------------------------------------------------- */

static bool is_literal(struct align *s, term_id t) {
  enum term_kind kind = term_kind(s->ts, t);
  return kind == TERM_TRUE || kind == TERM_FALSE || kind == TERM_NUM;
}

static bool is_needed(const struct align *s, const struct core *loop, term_id var) {
  for (size_t i = 0; i < s->needs.len; i++)
    if (s->needs.at[i].loop == loop && s->needs.at[i].var == var) return true;
  return false;
}

/* What is kept of a difference at the head of the loop. */
static const struct form *keep_diff(struct align *s, struct align_plan *plan, size_t v,
                                    const struct align_head *before,
                                    const struct align_state *from) {
  const struct form *f = from->diff[v], *grows = growth_keep(s, plan, v, before, from);
  if (!plan->live[v] || (!plan->written[v] && !f->known) || align_is_unset(s, from, v))
    return &FORM_UNKNOWN;
  if (!grows) grows = total_keep(s, plan, v, before, from);
  if (grows) return grows;
  if (!plan->written[v] || form_is_zero(f)) return f;
  if (form_is_number(f) && plan->heads.len < ALIGN_STATES / 2) return f;
  struct atom atom = {.kind = ATOM_HEAD, .term = s->vars.at[v], .loop = plan->loop};
  form_bounds(&s->forms, f, &atom.low, &atom.high);
  form_unit(&s->forms, f, &atom.unit);
  return form_atom(&s->forms, forms_atom(&s->forms, atom));
}

static bool same_shape(struct align *s, const struct align_plan *plan, const struct align_head *a,
                       const struct align_head *b) {
  for (size_t w = 0; w < s->witnesses.len; w++)
    if (a->phase[w] != b->phase[w]) return false;
  for (size_t i = 0; i < plan->atoms.len; i++)
    if (a->truths[i] != b->truths[i]) return false;
  for (size_t v = 0; v < s->vars.len; v++) {
    if (!plan->live[v]) continue;
    const struct form *f = a->state.diff[v], *g = b->state.diff[v];
    if (a->state.value[v] != b->state.value[v] || f->known != g->known) return false;
    size_t place = form_is_zero(f) ? SIZE_MAX : s->place.at[v];
    if (place != SIZE_MAX && a->state.value[place] != b->state.value[place]) return false;
    if (!f->known || form_equal(f, g)) continue;
    if (!plan->written[v] || form_is_number(f) || form_is_number(g)) return false;
    term_id unit, other;
    form_unit(&s->forms, f, &unit);
    form_unit(&s->forms, g, &other);
    if (unit != other) return false;
  }
  return true;
}

/* Widens the bounds of `into` so that they cover those of `h`. */
static bool widen(struct align *s, struct align_plan *plan, struct align_head *into,
                  const struct align_head *h) {
  bool grown = false;
  for (size_t v = 0; v < s->vars.len; v++) {
    const struct form *f = into->state.diff[v], *g = h->state.diff[v];
    if (!plan->live[v] || !f->known || f->count == 0 || !plan->written[v]) continue;
    struct atom *a = &s->forms.atoms.at[f->items[0].atom];
    const struct atom *b = &s->forms.atoms.at[g->items[0].atom];
    bool low = ratio_le(a->low, b->low), high = ratio_le(b->high, a->high);
    if (low && high) continue;
    grown = true;
    plan->growth[v].lost |= into->growth >= GROWTH;
    if (!low) a->low = into->growth < GROWTH ? b->low : ratio_infinite(-1);
    if (!high) a->high = into->growth < GROWTH ? b->high : ratio_infinite(1);
  }
  if (grown) into->growth++;
  return grown;
}

/* An array may differ in one place where it enters the loop that has to make it equal. */
static const struct form *at_entry(struct align *s, const struct align_state *from, size_t v) {
  const struct form *f = from->diff[v];
  bool placed = s->place.at[v] != SIZE_MAX && f->known && !form_is_vague(&s->forms, f);
  return placed ? &FORM_ZERO : f;
}

/* The index of the state; SIZE_MAX if it cannot be allowed. */
static size_t add_head(struct align *s, struct align_plan *plan, const struct align_state *from,
                       const struct align_head *before, const struct align_path *path,
                       const unsigned *phase) {
  struct align_head *h = arena_new(s->arena, struct align_head);
  *h = (struct align_head){.state = align_state_copy(s, from), .changed = true};
  h->phase = arena_memdup(s->arena, phase, s->most_witnesses * sizeof *phase);
  h->truths = arena_alloc(s->arena, (plan->atoms.len + 1) * sizeof *h->truths);
  for (size_t i = 0; i < plan->atoms.len; i++)
    h->truths[i] = !before && plan->at_entry[i] >= 0
                       ? plan->at_entry[i]
                       : align_truth_of(s, plan, before, path, from, plan->atoms.at[i]);
  for (size_t v = 0; v < s->vars.len; v++) {
    bool literal = plan->flag[v] && plan->live[v] && is_literal(s, from->value[v]);
    literal |= align_is_place(s, v) && align_is_key(s, from->value[v]);
    h->state.value[v] = literal                       ? from->value[v]
                        : plan->fixed[v] != TERM_NONE ? plan->fixed[v]
                                                      : s->vars.at[v];
    h->state.diff[v] = keep_diff(s, plan, v, before, from);
    bool must_be_equal = is_needed(s, plan->loop, s->vars.at[v]) && !align_is_unset(s, from, v);
    if (must_be_equal && !form_is_zero(before ? align_added(s, from, v) : at_entry(s, from, v)))
      return SIZE_MAX;
  }
  align_group_new(s, plan, h, before, from);
  for (size_t i = 0; i < plan->heads.len; i++)
    if (same_shape(s, plan, plan->heads.at[i], h)) {
      struct align_head *old = plan->heads.at[i];
      bool wider = widen(s, plan, old, h), looser = align_group_widen(s, plan, old, h);
      old->changed |= wider || looser;
      return i;
    }
  if (plan->heads.len == ALIGN_STATES) return SIZE_MAX;
  vec_push(&plan->heads, h);
  return plan->heads.len - 1;
}

/* ---- bodies ---------------------------------------------------------------------------------- */

/* Before an iteration with a window that slides: is the witness in it, and is this its last time?
 */
static const struct todo *ask_windows(struct align *s, const struct align_plan *plan,
                                      const struct align_head *h, const struct todo *body) {
  for (size_t w = 0; w < s->witnesses.len; w++) {
    const struct align_track *track = &plan->tracks[w];
    if (track->width == TERM_NONE || h->phase[w] == 0) continue;
    term_id var = s->witnesses.at[w].var, end = term_add(s->ts, track->first, track->width);
    term_id inside = term_lt(s->ts, var, end), last = term_eq(s->ts, track->first, var);
    const struct todo *within = todo_question(s, last, plan->loop->span, body, body);
    body = todo_question(s, inside, plan->loop->span, within, body);
  }
  return body;
}

static struct align_start body_start(struct align *s, const struct align_plan *plan,
                                     const struct align_head *h) {
  const struct todo *end = todo_again(s, plan->loop, plan->again, plan->live);
  const struct todo *body = ask_windows(s, plan, h, todo_command(s, plan->loop->first, end));
  return (struct align_start){
      .state = growth_inside(s, plan, &h->state),
      .atoms = plan->atoms.at,
      .truths = h->truths,
      .atom_count = plan->atoms.len,
      .todo = todo_question(s, plan->loop->expr, plan->loop->span, body, todo_exit(s)),
      .phase = h->phase,
      .tracks = plan->tracks};
}

/* How the loop comes to the indices that differ, as far as one iteration tells. */
static void find_tracks(struct align *s, struct align_plan *plan) {
  if (s->witnesses.len == 0) return;
  struct align_start start = body_start(s, plan, plan->heads.at[0]);
  struct align_goal goal = {.body_of = plan->loop, .live = plan->live};
  align_find_tracks(s, plan, &start, &goal);
  for (size_t i = 0; i < plan->heads.len; i++)
    align_enter_tracks(s, plan, plan->heads.at[i], &plan->entered[0].state);
}

/* ---- exploration ----------------------------------------------------------------------------- */

static bool explore(struct align *s, struct align_plan *plan, size_t from) {
  struct align_head *h = plan->heads.at[from];
  struct align_start start = body_start(s, plan, h);
  struct align_goal goal = {.body_of = plan->loop, .live = plan->live};
  h->changed = false;
  h->body = align_piece_solve(s, &start, &goal);
  if (!h->body) return false;
  h->can_exit = false;
  VEC(struct align_step) steps = {0};
  unsigned *phase = arena_alloc(s->arena, (s->most_witnesses + 1) * sizeof *phase);
  bool ok = true;
  for (size_t i = 0; i < h->body->ends.len && ok; i++) {
    struct align_end *end = &h->body->ends.at[i];
    if (end->kind == PATH_EXIT) {
      h->can_exit = true;
      continue;
    }
    for (size_t w = 0; w < s->most_witnesses; w++)
      phase[w] = align_next_phase(s, plan, w, h->phase[w], end->path);
    for (size_t v = 0; v < s->vars.len; v++) {
      growth_note(s, plan, v, h, &end->state);
      total_note(s, plan, v, h, &end->state);
    }
    size_t to = add_head(s, plan, &end->state, h, end->path, phase);
    ok = to != SIZE_MAX;
    vec_push(&steps, (struct align_step){to, end->cost, end});
  }
  h->steps.len = steps.len;
  h->steps.at = arena_take_vec(s->arena, &steps);
  return ok;
}

static bool explore_all(struct align *s, struct align_plan *plan) {
  for (size_t i = 0; i < plan->heads.len;) {
    if (!plan->heads.at[i]->changed) {
      i++;
      continue;
    }
    if (budget_is_spent(s->problem->budget) || !explore(s, plan, i)) return false;
    i = 0; /* an earlier one may have changed */
  }
  return true;
}

static bool solve_rest(struct align *s, struct align_plan *plan, const struct align_goal *goal) {
  for (size_t i = 0; i < plan->heads.len; i++) {
    struct align_head *h = plan->heads.at[i];
    if (!h->can_exit) continue;
    struct align_start start = body_start(s, plan, h); /* it is left in the state it is tested in */
    start.state = growth_behind(s, plan, &h->state);
    start.todo = plan->rest;
    start.tracks = align_tracks_behind(s, plan, h);
    h->after = align_piece_solve(s, &start, goal);
    if (!h->after) return false;
  }
  return true;
}

/* Literals that variables have at all entries, and that the loop does not change. */
static void find_fixed(struct align *s, struct align_plan *plan, const struct align_end *entries,
                       size_t count) {
  plan->fixed = arena_alloc(s->arena, (s->vars.len + 1) * sizeof *plan->fixed);
  for (size_t v = 0; v < s->vars.len; v++) {
    term_id value = entries[0].state.value[v];
    bool same = plan->live[v] && !plan->written[v] && is_literal(s, value);
    for (size_t i = 1; i < count; i++)
      same &= entries[i].state.value[v] == value;
    plan->fixed[v] = same ? value : TERM_NONE;
  }
}

/* From the ways into the loop. */
static bool find_states(struct align *s, struct align_plan *plan, const struct align_end *entries,
                        size_t count, const unsigned *phase) {
  plan->heads.len = plan->entries.len = 0;
  for (size_t i = 0; i < count; i++) {
    size_t h = add_head(s, plan, &entries[i].state, NULL, NULL, phase);
    if (h == SIZE_MAX) return false;
    vec_push(&plan->entries, h);
  }
  find_tracks(s, plan);
  return explore_all(s, plan);
}

struct align_plan *align_loop_solve(struct align *s, const struct align_piece *before,
                                    const struct align_end *entries, size_t count) {
  const struct align_goal *goal = &before->goal;
  struct align_plan *plan = new_plan(s, entries[0].path->loop, entries[0].path->rest, goal);
  unsigned *none = arena_alloc(s->arena, (s->most_witnesses + 1) * sizeof *none);
  for (size_t w = 0; w < s->most_witnesses; w++)
    none[w] = 1;
  plan->entered = entries;
  find_fixed(s, plan, entries, count);
  struct align_start nothing = {.phase = NULL};
  struct align_end anywhere = {.state = entries[0].state,
                               .path = &(struct align_path){.end = PATH_LOOP}};
  align_inherit(s, plan, count == 1 ? &before->start : &nothing, count == 1 ? entries : &anywhere);
  size_t inherited = plan->atoms.len;
  align_find_conditions(s, plan, &entries[0].state);
  int *truths = arena_alloc(s->arena, (plan->atoms.len + 1) * sizeof *truths);
  for (size_t i = 0; i < plan->atoms.len; i++)
    truths[i] = i < inherited ? plan->at_entry[i] : -1;
  plan->at_entry = truths;
  ALIGN_KEEP(s, &plan->atoms);
  bool ok = find_states(s, plan, entries, count, none);
  if (ok && total_found(s, plan, entries, count)) ok = find_states(s, plan, entries, count, none);
  if (growth_found(s, plan, entries, count)) ok = find_states(s, plan, entries, count, none);
  if (ok) align_find_sweeps(s, plan);
  ok = ok && solve_rest(s, plan, goal) && align_find_potential(s, plan, entries);
  for (size_t i = 0; i < count && ok; i++)
    vec_push(&plan->entry_costs,
             align_at_most(s, plan, align_potential(s, plan, plan->heads.at[plan->entries.at[i]])));
  ALIGN_KEEP(s, &plan->heads);
  ALIGN_KEEP(s, &plan->entries);
  ALIGN_KEEP(s, &plan->entry_costs);
  return ok ? plan : NULL;
}

void align_plan_settle(struct align *s, struct align_plan *plan) {
  for (size_t i = 0; i < plan->heads.len; i++)
    if (plan->heads.at[i]->after) align_piece_settle(s, plan->heads.at[i]->after);
  align_settle_potential(s, plan);
  for (size_t i = 0; i < plan->heads.len; i++) {
    struct align_head *h = plan->heads.at[i];
    for (size_t j = 0; j < h->steps.len; j++)
      h->steps.at[j].end->later = align_potential(s, plan, plan->heads.at[h->steps.at[j].to]);
    align_piece_settle(s, h->body);
  }
}
