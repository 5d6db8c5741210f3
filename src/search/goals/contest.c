#include "search/goals/contest.h"

#include "kernel/dist.h"
#include "search/base/bounds.h"
#include "search/base/lists.h"
#include "search/base/settle.h"
#include "search/base/view.h"
#include "search/goals/gallery.h"
#include "term/build.h"
#include "term/linear.h"
#include "term/subst.h"

void contest_clear(struct contest *c) {
  paths_clear(&c->start);
  paths_clear(&c->body);
  paths_clear(&c->end);
  vec_clear(&c->tallies);
  vec_clear(&c->outer);
  vec_clear(&c->flags);
  vec_clear(&c->along);
  vec_clear(&c->along_values);
  vec_clear(&c->entrants);
}

static bool mentions(struct terms *ts, term_id t, term_id var) {
  return term_mentions(ts, t, &var, 1);
}

/* Only logical variables (parameters, public inputs), what the part does not touch, and `except`.
 */
static bool is_public(const struct contest *c, term_id t, term_id except) {
  term_list vars = {0};
  term_free_vars(c->ts, t, &vars);
  bool ok = true;
  for (size_t i = 0; i < vars.len && ok; i++)
    ok = vars.at[i] == except || !kernel_is_var(c->k, vars.at[i]) ||
         terms_have(&c->outer, vars.at[i]);
  for (size_t s = 0; s < c->body.samplings.len && ok; s++)
    ok = !terms_have(&vars, c->body.samplings.at[s].value);
  vec_clear(&vars);
  return ok;
}

bool split_linear(struct terms *ts, term_id value, term_id sample, term_id *factor, term_id *rest) {
  struct linear l;
  linear_read(&l, ts, value);
  linear_normalise(&l);
  *factor = TERM_NONE;
  for (size_t i = 0; i < l.items.len && !l.failed; i++) {
    term_id atom = l.items.at[i].atom;
    bool is_sample =
        atom == sample || (term_kind(ts, atom) == TERM_TO_REAL && term_arg(ts, atom, 0) == sample);
    if (is_sample) *factor = term_num(ts, &l.items.at[i].coefficient, SORT_REAL);
  }
  linear_clear(&l);
  if (*factor == TERM_NONE) return false;
  /* An integer factor of an integer sample keeps the rest an integer. */
  if (term_sort(ts, value) == SORT_INT)
    *factor = term_coerce(ts, term_floor(ts, *factor), SORT_INT);
  *rest = *factor == TERM_NONE ? TERM_NONE : term_sub(ts, value, term_mul(ts, *factor, sample));
  return *rest != TERM_NONE && !mentions(ts, *rest, sample);
}

/* ---- shape ---------------------------------------------------------------------------------- */

/* Is it an assignment of a variable that the loop writes? */
static bool assigns_into(const struct core *c, const struct core *loop) {
  term_list written = {0};
  core_writes(loop, &written);
  bool found = c->kind == CORE_ASSIGN && terms_have(&written, c->var);
  vec_clear(&written);
  return found;
}

/* The paths of the three parts, if these are of the right kind. */
static bool find_paths(struct contest *c) {
  return paths_find(c->k, c->before, &c->start) &&
         paths_find_through(c->k, c->loop->first, tally_enter, c, &c->body) &&
         paths_find(c->k, c->after, &c->end) && c->start.list.len == 1 && c->end.samplings.len == 0;
}

/* before; loop; after. A loop among `before` (left out there) may be a gallery: *other. */
static bool cut_at_loop(struct contest *c, const struct core *program, const struct core **other) {
  struct arena *arena = kernel_arena(c->k);
  VEC(const struct core *) parts = {0};
  const struct core *rest = program;
  for (; rest->kind == CORE_SEQ; rest = rest->second)
    vec_push(&parts, rest->first);
  vec_push(&parts, rest);
  size_t loops = 0, where = 0;
  *other = NULL;
  for (size_t i = 0; i < parts.len; i++)
    if (parts.at[i]->kind == CORE_WHILE) {
      if (loops++) *other = parts.at[where];
      where = i;
    }
  bool ok = loops == 1 || loops == 2;
  if (ok) {
    c->before = c->after = core_skip();
    c->loop = parts.at[where];
    bool earlier = false; /* than the other loop: what that one writes is not known after it */
    for (size_t i = where; i-- > 0;) {
      earlier |= parts.at[i] == *other;
      if (parts.at[i] != *other && !(earlier && assigns_into(parts.at[i], *other)))
        c->before = core_seq(arena, parts.at[i], c->before);
    }
    for (size_t i = parts.len; i-- > where + 1;)
      c->after = core_seq(arena, parts.at[i], c->after);
  }
  vec_clear(&parts);
  return ok && find_paths(c);
}

/* Does `loop` read an array that `other` writes? */
static bool reads_array_of(struct terms *ts, const struct core *loop, const struct core *other) {
  term_list read = {0}, written = {0};
  core_reads(ts, loop, &read);
  core_writes(other, &written);
  bool found = false;
  for (size_t i = 0; i < read.len && !found; i++)
    found = sort_get(ts, term_sort(ts, read.at[i]))->kind == SORT_KIND_ARRAY &&
            terms_have(&written, read.at[i]);
  vec_clear(&read);
  vec_clear(&written);
  return found;
}

/* What the code reads and others write; appended. */
static void add_outer(const struct contest *c, const struct core *code, term_list *out) {
  term_list read = {0}, own = {0}, all = {0};
  core_reads(c->ts, code, &read);
  core_writes(code, &own);
  core_writes(view_program(c->p), &all);
  for (size_t i = 0; i < read.len; i++)
    if (terms_have(&all, read.at[i]) && !terms_have(&own, read.at[i]) &&
        !terms_have(out, read.at[i]))
      vec_push(out, read.at[i]);
  vec_clear(&read);
  vec_clear(&own);
  vec_clear(&all);
}

static void replace_in_body(struct contest *c, term_id var, term_id by) {
  paths_replace(c->k, &c->body, var, by);
  tallies_replace(c->ts, &c->tallies, var, by);
}

/* The same for a part: back from the loop as long as there are assignments and samplings, and
 * perhaps the loop of a gallery. */
static bool cut_part(struct contest *c, const struct core *const *list, size_t where,
                     const struct core **other) {
  struct arena *arena = kernel_arena(c->k);
  *other = NULL;
  c->from = where;
  c->loop = list[where];
  c->before = c->after = core_skip();
  for (size_t i = where; i-- > 0;) {
    enum core_kind kind = list[i]->kind;
    if (kind == CORE_WHILE && !*other && reads_array_of(c->ts, c->loop, list[i])) {
      *other = list[i];
      c->from = i;
    } else if (kind != CORE_ASSIGN && kind != CORE_SAMPLE) {
      break;
    } else if (!*other || !assigns_into(list[i], *other)) {
      c->before = core_seq(arena, list[i], c->before);
    }
  }
  add_outer(c, *other ? core_seq(arena, *other, c->loop) : c->loop, &c->outer);
  return find_paths(c);
}

/* The same nonzero step on all paths? TERM_NONE: no. */
static term_id step_of(const struct contest *c, term_id var) {
  if (term_sort(c->ts, var) != SORT_INT) return TERM_NONE;
  term_id step = TERM_NONE;
  for (size_t i = 0; i < c->body.list.len; i++) {
    term_id s = term_sub(c->ts, path_after(c->ts, &c->body.list.at[i], var), var);
    if (!term_is_num(c->ts, s) || (step != TERM_NONE && s != step)) return TERM_NONE;
    step = s;
  }
  return step == term_int(c->ts, 0) ? TERM_NONE : step;
}

/* The guard `counter != stop`, for single steps that begin on the right side. */
static void find_stop(struct contest *c, const struct known *known) {
  struct terms *ts = c->ts;
  term_list parts = {0};
  term_conjuncts(ts, c->loop->expr, &parts);
  term_id step = term_int(ts, c->counts_up ? 1 : -1);
  for (size_t i = 0; i < parts.len && c->stop == TERM_NONE && step_of(c, c->counter) == step; i++) {
    if (term_kind(ts, parts.at[i]) != TERM_NOT) continue;
    term_id equation = term_arg(ts, parts.at[i], 0);
    for (size_t a = 0; a < 2 && term_kind(ts, equation) == TERM_EQ; a++) {
      term_id stop = term_arg(ts, equation, 1 - a);
      if (term_arg(ts, equation, a) != c->counter || !is_public(c, stop, TERM_NONE)) continue;
      term_id begins = c->counts_up ? term_le(ts, c->first, stop) : term_le(ts, stop, c->first);
      if (known_entails(known, TERM_NONE, begins)) c->stop = stop;
    }
  }
  vec_clear(&parts);
  if (c->stop == TERM_NONE) return;
  c->range =
      term_and(ts, c->range,
               c->counts_up ? term_le(ts, c->counter, c->stop) : term_le(ts, c->stop, c->counter));
}

/* A variable of the guard that counts from a value over parameters. */
static bool find_counter(struct contest *c, int *direction) {
  term_list vars = {0};
  term_free_vars(c->ts, c->loop->expr, &vars);
  c->counter = c->stop = TERM_NONE;
  for (size_t i = 0; i < vars.len && c->counter == TERM_NONE; i++) {
    if (!kernel_is_var(c->k, vars.at[i])) continue;
    term_id step = step_of(c, vars.at[i]);
    term_id first = path_after(c->ts, &c->start.list.at[0], vars.at[i]);
    if (step == TERM_NONE || !is_public(c, first, TERM_NONE)) continue;
    *direction = fmpq_sgn(term_num_value(c->ts, step));
    c->counter = vars.at[i];
    c->first = first;
  }
  vec_clear(&vars);
  if (c->counter == TERM_NONE) return false;
  c->counts_up = *direction > 0;
  c->range =
      *direction > 0 ? term_le(c->ts, c->first, c->counter) : term_le(c->ts, c->counter, c->first);
  if (c->around != TERM_NONE) c->range = term_and(c->ts, c->range, c->around);
  return true;
}

/* Variables that take the same steps as the counter, or opposite ones: replaced by it. */
static void replace_along(struct contest *c) {
  term_list written = {0};
  core_writes(c->loop->first, &written);
  term_id step = step_of(c, c->counter);
  for (size_t i = 0; i < written.len; i++) {
    term_id v = written.at[i], own = step_of(c, v);
    term_id first = path_after(c->ts, &c->start.list.at[0], v);
    if (v == c->counter || own == TERM_NONE || terms_have(&c->along, v)) continue;
    if ((own != step && own != term_neg(c->ts, step)) || !is_public(c, first, TERM_NONE)) continue;
    term_id moved = term_sub(c->ts, c->counter, c->first);
    term_id value = own == step ? term_add(c->ts, first, moved) : term_sub(c->ts, first, moved);
    vec_push(&c->along, v);
    vec_push(&c->along_values, value);
  }
  for (size_t i = 0; i < c->along.len; i++)
    replace_in_body(c, c->along.at[i], c->along_values.at[i]);
  vec_clear(&written);
}

/* ---- state ---------------------------------------------------------------------------------- */

static void add_vars(const struct contest *c, term_id t, term_list *out) {
  term_list vars = {0};
  term_free_vars(c->ts, t, &vars);
  for (size_t i = 0; i < vars.len; i++)
    if (!terms_have(out, vars.at[i])) vec_push(out, vars.at[i]);
  vec_clear(&vars);
}

/* Variables whose old value matters to an iteration or to what follows the loop: those that guards,
 * conditions and samplings look at, and what goes into these. */
static void find_live(const struct contest *c, term_list *live) {
  add_vars(c, c->loop->expr, live);
  add_vars(c, c->current, live);
  for (size_t i = 0; i < c->body.list.len; i++) {
    const struct path *path = &c->body.list.at[i];
    add_vars(c, path->condition, live);
    for (size_t s = 0; s < path->samples.len; s++)
      for (size_t a = 0; a < path->samples.at[s].at->arg_count; a++)
        add_vars(c, path->samples.at[s].args[a], live);
  }
  for (size_t v = 0; v < live->len; v++)
    for (size_t i = 0; i < c->body.list.len; i++)
      add_vars(c, path_after(c->ts, &c->body.list.at[i], live->at[v]), live);
}

/* Does some path put a sample into it? */
static bool gets_noise(const struct contest *c, term_id var) {
  for (size_t i = 0; i < c->body.list.len; i++) {
    const struct path *path = &c->body.list.at[i];
    term_id value = path_after(c->ts, path, var);
    for (size_t s = 0; s < path->samples.len; s++)
      if (mentions(c->ts, value, path->samples.at[s].value)) return true;
  }
  return false;
}

/* Sorts the variables of the loop's state into `best` and flags; the result's own are neither. */
static bool sort_state(struct contest *c) {
  term_list live = {0}, written = {0};
  find_live(c, &live);
  core_writes(c->loop->first, &written);
  bool ok = true;
  for (size_t i = 0; i < live.len && ok; i++) {
    term_id v = live.at[i];
    if (!terms_have(&written, v) || v == c->counter || mentions(c->ts, c->current, v)) continue;
    const struct tally *tally = tally_of(&c->tallies, v);
    if (tally) {
      ok = tally->gain != TERM_NONE && is_public(c, tally->start, c->counter);
      continue;
    }
    if (gets_noise(c, v)) {
      ok = c->best == TERM_NONE || c->best == v;
      c->best = v;
    } else if (!terms_have(&c->flags, v)) {
      vec_push(&c->flags, v);
    }
  }
  vec_clear(&live);
  vec_clear(&written);
  return ok;
}

bool contest_wins(const struct contest *c, const struct path *path) {
  return path_after(c->ts, path, c->current) != c->current ||
         (c->best != TERM_NONE && path_after(c->ts, path, c->best) != c->best);
}

/* Does a win on this path lead to the result `entry`? Perhaps because nothing has happened yet. */
static bool leads_to_entry(struct contest *c, const struct known *known, const struct path *path) {
  term_id e = path_after(c->ts, path, c->current);
  if (e == c->won || known_entails(known, path->condition, term_eq(c->ts, e, c->won))) return true;
  term_id untouched = term_implies(c->ts, term_eq(c->ts, c->counter, c->first),
                                   term_eq(c->ts, c->current, c->initial));
  c->uses_initial =
      known_entails(known, term_and(c->ts, path->condition, untouched), term_eq(c->ts, e, c->won));
  return c->uses_initial;
}

term_id contest_mark(struct terms *ts, term_id result) {
  bool is_list = sort_get(ts, term_sort(ts, result))->kind == SORT_KIND_LIST;
  return is_list ? term_head(ts, result) : result;
}

/* The result after a win, as a term over the counter. */
static bool find_entry(struct contest *c, int direction) {
  c->won = TERM_NONE;
  for (size_t i = 0; i < c->body.list.len; i++) {
    if (!contest_wins(c, &c->body.list.at[i])) continue;
    term_id e = path_after(c->ts, &c->body.list.at[i], c->current);
    if (is_public(c, e, c->counter) && mentions(c->ts, e, c->counter)) c->won = e;
  }
  if (c->won == TERM_NONE) return false;
  c->entry = contest_mark(c->ts, c->won);
  if (c->entry == TERM_NONE || term_sort(c->ts, c->entry) != SORT_INT) return false;
  term_id factor, rest;
  if (!split_linear(c->ts, c->entry, c->counter, &factor, &rest)) return false;
  c->rising = fmpq_sgn(term_num_value(c->ts, factor)) * direction > 0;
  return true;
}

/* All wins lead to it, where they can happen. */
static bool check_entry(struct contest *c, const struct known *known) {
  for (size_t i = 0; i < c->body.list.len; i++)
    if (contest_wins(c, &c->body.list.at[i]) && !leads_to_entry(c, known, &c->body.list.at[i]))
      return false;
  return true;
}

struct contest_track contest_track(const struct contest *c, term_id current) {
  struct terms *ts = c->ts;
  term_id start = term_subst(ts, c->entry, &c->counter, &c->first, 1);
  term_id low = c->rising ? term_le(ts, start, current) : term_lt(ts, c->entry, current);
  term_id high = c->rising ? term_lt(ts, current, c->entry) : term_le(ts, current, start);
  return (struct contest_track){term_eq(ts, current, c->initial), term_and(ts, low, high)};
}

/* A bound of the counter in the guard: counter < e, e <= counter, ... */
static term_id guard_bound(const struct contest *c) {
  struct terms *ts = c->ts;
  if (c->stop != TERM_NONE) return term_add(ts, c->stop, term_int(ts, c->counts_up ? -1 : 1));
  term_list parts = {0};
  term_conjuncts(ts, c->loop->expr, &parts);
  term_id bound = TERM_NONE;
  for (size_t i = 0; i < parts.len && bound == TERM_NONE; i++) {
    enum term_kind kind = term_kind(ts, parts.at[i]);
    if (kind != TERM_LT && kind != TERM_LE) continue;
    term_id own = term_arg(ts, parts.at[i], c->counts_up ? 0 : 1);
    term_id other = term_arg(ts, parts.at[i], c->counts_up ? 1 : 0);
    term_id off = term_sub(ts, own, c->counter); /* counter + off < other */
    if (off == TERM_NONE || !term_is_num(ts, off) || !is_public(c, other, TERM_NONE)) continue;
    bound = term_sub(ts, other, off);
    if (kind == TERM_LT) bound = term_add(ts, bound, term_int(ts, c->counts_up ? -1 : 1));
  }
  vec_clear(&parts);
  return bound;
}

bool contest_span(const struct contest *c, term_id *low, term_id *high) {
  term_id last = guard_bound(c);
  if (last == TERM_NONE || c->won != c->entry) return false;
  *low = term_subst(c->ts, c->entry, &c->counter, c->rising ? &c->first : &last, 1);
  *high = term_subst(c->ts, c->entry, &c->counter, c->rising ? &last : &c->first, 1);
  return *low != TERM_NONE && *high != TERM_NONE;
}

/* Does the first holder of the title come before the loop? */
static bool is_held(const struct contest *c) {
  const struct path *start = &c->start.list.at[0];
  if (c->best == TERM_NONE) return false;
  term_id value = path_after(c->ts, start, c->best);
  bool noisy = gallery_has(c, value);
  for (size_t i = 0; i < start->samples.len; i++)
    noisy |= mentions(c->ts, value, start->samples.at[i].value);
  return noisy;
}

/* What is known before the first iteration. */
static term_id at_start(const struct contest *c) {
  term_id all =
      term_and(c->ts, term_eq(c->ts, c->counter, c->first), term_eq(c->ts, c->current, c->initial));
  for (size_t i = 0; i < c->flags.len; i++) {
    term_id f = c->flags.at[i], value = path_after(c->ts, &c->start.list.at[0], f);
    if (is_public(c, value, TERM_NONE)) all = term_and(c->ts, all, term_eq(c->ts, f, value));
  }
  return all;
}

bool contest_tells(const struct contest *c, term_id flag) {
  term_id before = path_after(c->ts, &c->start.list.at[0], flag);
  if (term_sort(c->ts, flag) != SORT_BOOL || term_arg_count(c->ts, before) || before == flag)
    return false;
  for (size_t i = 0; i < c->body.list.len; i++) {
    const struct path *path = &c->body.list.at[i];
    term_id wanted = contest_wins(c, path) ? term_not(c->ts, before) : flag;
    if (path_after(c->ts, path, flag) != wanted) return false;
  }
  return true;
}

/* How to tell that nobody has won yet. */
static void find_nobody(struct contest *c, const struct known *known) {
  struct terms *ts = c->ts;
  term_id start = at_start(c), low, high;
  c->nobody = term_eq(ts, c->counter, c->first);
  bool at_once = true;
  for (size_t i = 0; i < c->body.list.len && at_once; i++)
    at_once = contest_wins(c, &c->body.list.at[i]) ||
              known_entails(known, term_and(ts, start, c->body.list.at[i].condition),
                            term_bool(ts, false));
  if (at_once || c->held || is_held(c)) return;
  for (size_t i = 0; i < c->flags.len; i++) {
    term_id f = c->flags.at[i];
    if (!contest_tells(c, f)) continue;
    c->nobody = term_eq(ts, f, path_after(ts, &c->start.list.at[0], f));
    return;
  }
  if (!is_public(c, c->initial, TERM_NONE) || !contest_span(c, &low, &high)) return;
  term_id inside = term_and(ts, term_le(ts, low, c->initial), term_le(ts, c->initial, high));
  if (known_entails(known, TERM_NONE, term_not(ts, inside)))
    c->nobody = term_eq(ts, c->current, c->initial);
}

bool contest_begins_at_once(const struct contest *c) {
  return c->nobody == term_eq(c->ts, c->counter, c->first);
}

/* If an iteration looks at the result, what is known of it rules out some paths. */
static bool track_current(struct contest *c, struct known *known) {
  term_list vars = {0};
  term_free_vars(c->ts, c->current, &vars);
  for (size_t i = 0; i < c->body.list.len; i++)
    c->tracked |= term_mentions(c->ts, c->body.list.at[i].condition, vars.at, vars.len);
  vec_clear(&vars);
  if (!c->tracked) return true;
  if (c->won != c->entry) return false;
  struct contest_track track = contest_track(c, c->current);
  known_add(known, term_ite(c->ts, c->nobody, track.at_first, track.later));
  paths_prune(known, &c->body);
  return true;
}

/* ---- who wins ------------------------------------------------------------------------------- */

/* t with every sample of the path at its centre, but for one. */
static term_id centred(const struct contest *c, const struct path *path, term_id t,
                       term_id except) {
  for (size_t i = path->samples.len; i-- > 0 && t != TERM_NONE;) {
    const struct path_sample *s = &path->samples.at[i];
    if (s->value == except || s->at->arg_count != 2 || !mentions(c->ts, t, s->value)) continue;
    t = term_subst(c->ts, t, &s->value, &s->args[0], 1);
  }
  return t;
}

/* By how much the counter has moved before the sampling; 0 if that is not a number. */
static term_id ahead_at(const struct contest *c, const struct path_sample *s) {
  term_id now = term_subst(c->ts, c->counter, s->vars, s->values, s->count);
  term_id moved = now == TERM_NONE ? TERM_NONE : term_sub(c->ts, now, c->counter);
  return moved != TERM_NONE && term_is_num(c->ts, moved) ? moved : term_int(c->ts, 0);
}

/* The sampling that decides the value `best` gets on this path. */
static bool find_entrant(struct contest *c, const struct path *path, bool in_loop, term_id entry) {
  term_id value = path_after(c->ts, path, c->best);
  for (size_t i = path->samples.len; i-- > 0;) {
    const struct path_sample *s = &path->samples.at[i];
    if (!mentions(c->ts, value, s->value) || !dist_can_shift(c->ts, notion_pure(), s->at->dist))
      continue;
    struct entrant e = {.at = s->at,
                        .scope = c->gallery.loop ? c->gallery.loop->first
                                 : in_loop       ? c->loop->first
                                                 : c->code,
                        .in_loop = in_loop,
                        .sample = s->value,
                        .centre = centred(c, path, s->args[0], TERM_NONE),
                        .scale = s->args[1],
                        .value = centred(c, path, value, s->value),
                        .entry = entry,
                        .ahead = ahead_at(c, s)};
    if (e.value == TERM_NONE || e.centre == TERM_NONE ||
        !split_linear(c->ts, e.value, e.sample, &e.factor, &e.rest) ||
        !is_public(c, e.scale, TERM_NONE))
      return false;
    for (size_t j = 0; j < c->entrants.len; j++)
      if (c->entrants.at[j].at == e.at) return c->entrants.at[j].value == e.value;
    vec_push(&c->entrants, e);
    return true;
  }
  return false;
}

static bool find_entrants(struct contest *c) {
  for (size_t i = 0; i < c->body.list.len; i++)
    if (contest_wins(c, &c->body.list.at[i]) &&
        !find_entrant(c, &c->body.list.at[i], true, c->entry))
      return false;
  if (c->entrants.len == 0) return false;
  const struct path *start = &c->start.list.at[0];
  c->held |= is_held(c);
  return !c->held || gallery_has(c, path_after(c->ts, start, c->best)) ||
         c->gallery.champion != TERM_NONE ||
         (is_public(c, c->initial, TERM_NONE) &&
          find_entrant(c, start, false, contest_mark(c->ts, c->initial)));
}

/* If it wins with this sample, does it win with every larger (smaller) one? */
static bool keeps_winning(const struct contest *c, const struct known *known,
                          const struct entrant *e, bool larger) {
  term_id win = term_bool(c->ts, false);
  for (size_t i = 0; i < c->body.list.len; i++) {
    const struct path *path = &c->body.list.at[i];
    bool has = false;
    for (size_t s = 0; s < path->samples.len; s++)
      has |= path->samples.at[s].value == e->sample;
    if (has && contest_wins(c, path)) win = term_or(c->ts, win, path->condition);
  }
  term_id other = kernel_fresh(c->k, "other", term_sort(c->ts, e->sample));
  term_id order = larger ? term_le(c->ts, e->sample, other) : term_le(c->ts, other, e->sample);
  return known_entails(known, term_and(c->ts, win, order),
                       term_subst(c->ts, win, &e->sample, &other, 1));
}

static bool find_sense(struct contest *c, const struct known *known) {
  bool found = false;
  for (size_t i = 0; i < c->entrants.len; i++) {
    const struct entrant *e = &c->entrants.at[i];
    if (!e->in_loop) continue;
    bool larger = keeps_winning(c, known, e, true);
    if (!larger && !keeps_winning(c, known, e, false)) return false;
    bool upwards = larger == (fmpq_sgn(term_num_value(c->ts, e->factor)) > 0);
    if (found && upwards != c->upwards) return false;
    c->upwards = upwards;
    found = true;
  }
  return found;
}

/* With the program cut: what an iteration can do to the result. `known` is initialised in any case. */
static bool find_course(struct contest *out, term_id result, const struct core *other,
                        struct known *known) {
  int direction = 0;
  known_init(known, out->p, CLAIM_FORWARD);
  if (!find_counter(out, &direction)) return false;
  out->current = paths_after(out->ts, &out->end, result);
  out->initial = path_after(out->ts, &out->start.list.at[0], out->current);
  replace_along(out);
  if (other && (out->tallies.len || !gallery_find(out, other))) return false;
  find_stop(out, known);
  known_add(known, out->range);
  known_add(known, out->loop->expr);
  paths_settle(known, &out->body);
  paths_split(known, &out->body);
  bool ok = sort_state(out) && find_entry(out, direction);
  if (ok) find_nobody(out, known);
  return ok;
}

/* The same, who takes part, and how it is decided. */
static bool find_rules(struct contest *out, term_id result, const struct core *other) {
  struct known known;
  bool ok = find_course(out, result, other, &known) && out->best != TERM_NONE &&
            track_current(out, &known) && check_entry(out, &known) && find_entrants(out) &&
            find_sense(out, &known);
  known_clear(&known);
  return ok;
}

bool contest_find_course(struct auto_problem *p, struct contest *out) {
  const struct lowered *program = claim_program(p->goal);
  *out = (struct contest){
      .p = p, .k = claim_kernel(p->goal, CLAIM_FORWARD), .ts = p->ts, .code = view_program(p)};
  const struct core *other;
  struct known known;
  if (program->result == TERM_NONE || !cut_at_loop(out, out->code, &other) || other) return false;
  bool ok = find_course(out, program->result, NULL, &known) && out->best == TERM_NONE &&
            out->won == out->entry;
  known_clear(&known);
  return ok;
}

bool contest_find_of(struct auto_problem *p, term_id result, struct contest *out) {
  *out = (struct contest){
      .p = p, .k = claim_kernel(p->goal, CLAIM_FORWARD), .ts = p->ts, .code = view_program(p)};
  const struct core *other;
  return cut_at_loop(out, out->code, &other) && find_rules(out, result, other);
}

bool contest_find_part(struct auto_problem *p, const struct core *const *list, size_t where,
                       term_id variable, term_id around, struct contest *out) {
  *out = (struct contest){
      .p = p, .k = claim_kernel(p->goal, CLAIM_FORWARD), .ts = p->ts, .around = around};
  const struct core *other;
  if (!cut_part(out, list, where, &other) || !find_rules(out, variable, other)) return false;
  for (size_t i = 0; i < out->entrants.len; i++)
    for (size_t at = 0; at < out->from && !out->entrants.at[i].in_loop; at++)
      if (list[at] == out->entrants.at[i].at) out->from = at;
  out->code = list[where];
  for (size_t i = where; i-- > out->from;)
    out->code = core_seq(kernel_arena(out->k), list[i], out->code);
  for (size_t i = 0; i < out->entrants.len; i++)
    if (!out->entrants.at[i].scope) out->entrants.at[i].scope = out->code;
  return true;
}

term_id contest_difference(const struct contest *c, term_id t) {
  term_id one = kernel_tag(c->k, t, 1), two = kernel_tag(c->k, t, 2);
  term_list from = {0}, to = {0};
  for (size_t i = 0; i <= c->flags.len + c->outer.len; i++) {
    term_id var = i < c->flags.len    ? c->flags.at[i]
                  : i == c->flags.len ? c->counter
                                      : c->outer.at[i - c->flags.len - 1];
    for (unsigned run = 1; run <= 2; run++) {
      vec_push(&from, term_var_in_run(c->ts, var, run));
      vec_push(&to, var);
    }
  }
  term_id d = one == TERM_NONE || two == TERM_NONE ? TERM_NONE : term_sub(c->ts, two, one);
  if (d != TERM_NONE) d = term_subst(c->ts, d, from.at, to.at, from.len);
  vec_clear(&from);
  vec_clear(&to);
  return d;
}
