#include "search/goals/contest_text.h"

#include "search/base/view.h"
#include "term/build.h"
#include "term/subst.h"

/* low <= two - one <= high */
static void write_range(struct contest_writer *w, term_id one, term_id two, struct bounds b) {
  struct terms *ts = w->sides[0].c->ts;
  if (b.low == b.high)
    text_put(&w->out, "%t = %+", two, one, b.low);
  else if (b.low == term_neg(ts, b.high))
    text_put(&w->out, "abs(%t - %t) <= %t", two, one, b.high);
  else
    text_put(&w->out, "%t <= %t - %t <= %t", b.low, two, one, b.high);
}

static void write_counter(struct contest_writer *w, const struct contest *c) {
  if (c->loop->var == TERM_NONE)
    text_line(&w->out, "invariant %t = %t and %t;", kernel_tag(c->k, c->counter, 1),
              kernel_tag(c->k, c->counter, 2), c->range);
  if (c->stop != TERM_NONE)
    text_line(
        &w->out, "variant %t;",
        term_sub(c->ts, c->counts_up ? c->stop : c->counter, c->counts_up ? c->counter : c->stop));
}

/* What the runs have in common in every iteration. */
static void write_common(struct contest_writer *w, const struct contest *c) {
  for (size_t i = 0; i < c->along.len; i++)
    for (unsigned run = 1; run <= 2; run++)
      text_line(&w->out, "invariant %t = %t;", kernel_tag(c->k, c->along.at[i], run),
                c->along_values.at[i]);
  for (unsigned run = 1; run <= 2 && c->gallery.champion != TERM_NONE; run++) {
    term_id current = kernel_tag(c->k, c->current, run);
    text_line(&w->out, "invariant %t <= %t and %t < %t;", c->gallery.loop->args[0], current,
              current, c->gallery.loop->args[1]);
  }
  for (unsigned run = 1; run <= 2 && c->tracked; run++) {
    struct contest_track track = contest_track(c, kernel_tag(c->k, c->current, run));
    if (!contest_begins_at_once(c)) {
      text_line(&w->out, "invariant %t or %t;", track.at_first, track.later);
      continue;
    }
    text_line(&w->out, "invariant %t = %t -> %t;", c->counter, c->first, track.at_first);
    text_line(&w->out, "invariant %t != %t -> %t;", c->counter, c->first, track.later);
  }
  for (size_t i = 0; i < c->flags.len; i++) {
    term_id f = c->flags.at[i], first = path_after(c->ts, &c->start.list.at[0], f);
    bool known = first != f && !term_in_run(c->ts, first, 1) && !kernel_is_var(c->k, first);
    text_line(&w->out, "invariant %t = %t;", kernel_tag(c->k, f, 1), kernel_tag(c->k, f, 2));
    if (known)
      text_line(&w->out, "invariant %t = %t -> %t;", c->counter, c->first,
                term_eq(c->ts, f, first));
  }
}

/* Is there at least one iteration? */
static bool always_runs(const struct contest *c, const struct known *known) {
  return known_entails(known, TERM_NONE,
                       term_subst(c->ts, c->loop->expr, &c->counter, &c->first, 1));
}

struct span_of_result span_of_result(const struct contest *c, const struct known *known) {
  struct span_of_result s = {.known = false};
  if (!contest_span(c, &s.low, &s.high)) return s;
  term_id below = term_lt(c->ts, c->initial, s.low), above = term_lt(c->ts, s.high, c->initial);
  s.from_start = known_entails(known, TERM_NONE, term_not(c->ts, term_or(c->ts, below, above)));
  s.known = s.from_start || (!c->held && contest_begins_at_once(c) && always_runs(c, known));
  if (s.known) return s;
  /* it begins outside, on one side */
  if (known_entails(known, TERM_NONE, below) &&
      known_entails(known, TERM_NONE, term_not(c->ts, above)))
    s.low = c->initial;
  else if (known_entails(known, TERM_NONE, above) &&
           known_entails(known, TERM_NONE, term_not(c->ts, below)))
    s.high = c->initial;
  else
    return s;
  s.known = s.from_start = true;
  return s;
}

static void write_copies(struct contest_writer *w, const struct core *loop) {
  term_list facts = {0};
  view_copy_facts(w->sides[0].c->p, loop, &facts);
  for (size_t i = 0; i < facts.len; i++)
    text_line(&w->out, "invariant %t;", facts.at[i]);
  vec_clear(&facts);
}

/* What the loop of a part needs besides: what it reads from outside, and where the result lies. */
static void write_outside(struct contest_writer *w, const struct contest_side *side,
                          bool is_contest) {
  const struct contest *c = side->c;
  for (size_t i = 0; i < c->outer.len; i++)
    text_line(&w->out, "invariant %t = %t;", kernel_tag(c->k, c->outer.at[i], 1),
              kernel_tag(c->k, c->outer.at[i], 2));
  struct span_of_result s = {.known = false};
  if (is_contest && w->is_part) s = span_of_result(c, side->known);
  if (!s.known) return;
  text_put(&w->out, "invariant ");
  if (!s.from_start) text_put(&w->out, "%t = %t or ", c->counter, c->first);
  text_line(&w->out, "%t <= %t <= %t;", s.low, c->current, s.high);
}

/* Can the result before the loop be one whose iteration would lie before the first? */
static bool starts_outside(const struct contest *c, const struct known *known) {
  if (c->won != c->entry) return true; /* a list may be empty */
  term_id entry = term_subst(c->ts, c->entry, &c->counter, &c->first, 1);
  return !known_entails(known, TERM_NONE,
                        c->rising ? term_le(c->ts, entry, c->initial)
                                  : term_le(c->ts, c->initial, entry));
}

/* `invariant`, and that the winners on which this contest depends are the ones that were fixed. */
static void begin_invariant(struct contest_writer *w, const struct contest_side *side) {
  text_put(&w->out, "invariant ");
  for (size_t i = 0; i < w->count; i++) {
    const struct contest_side *other = &w->sides[i];
    if (!side->given[i]) continue;
    for (unsigned run = 1; run <= 2; run++)
      text_put(&w->out, "%t = %t -> ", kernel_tag(other->c->k, other->name, run), other->value);
  }
}

/* While r is the winner in run 1, so it is in run 2. */
static void write_winner(struct contest_writer *w, const struct contest_side *side, term_id name) {
  begin_invariant(w, side);
  text_line(&w->out, "%t = %t -> %t = %t;", name, side->value, kernel_tag(side->c->k, name, 2),
            side->value);
}

/* The winner is array[result]: in run 2 it leads by no more than the lift. */
static void write_champion(struct contest_writer *w, const struct contest_side *side) {
  const struct contest *c = side->c;
  term_id one = kernel_tag(c->k, c->gallery.champion, 1);
  term_id two = kernel_tag(c->k, c->gallery.champion, 2);
  begin_invariant(w, side);
  text_line(&w->out, c->upwards ? "%t <= %+;" : "%t >= %+;", two, one, side->lift->amount);
  write_winner(w, side, c->current);
}

/* The iteration of r has not been yet; or it has. */
static void begin_phase(struct contest_writer *w, const struct contest_side *side, bool later) {
  const struct contest *c = side->c;
  bool rises = c->rising == later;
  begin_invariant(w, side);
  text_put(&w->out, later ? "%t < %t -> " : "%t <= %t -> ", rises ? side->r : c->entry,
           rises ? c->entry : side->r);
}

/* As long as nobody has won, the result is the initial one. */
static void write_nobody(struct contest_writer *w, const struct contest_side *side) {
  const struct contest *c = side->c;
  term_id current2 = kernel_tag(c->k, c->current, 2);
  bool obvious = c->held || (contest_begins_at_once(c) && always_runs(c, side->known));
  if (obvious && !c->uses_initial) return;
  begin_invariant(w, side);
  if (!c->held && c->nobody == term_eq(c->ts, c->current, c->initial))
    text_put(&w->out, "(%t <-> %t)", kernel_tag(c->k, c->nobody, 1),
             kernel_tag(c->k, c->nobody, 2));
  else if (!c->held && !contest_begins_at_once(c)) /* a flag: equal in both runs */
    text_put(&w->out, "%t -> %t = %t and %t = %t", c->nobody, c->current, c->initial, current2,
             c->initial);
  else if (c->uses_initial)
    text_put(&w->out, "%t = %t -> %t = %t and %t = %t", c->counter, c->first, c->current,
             c->initial, current2, c->initial);
  else
    text_put(&w->out, "%t = %t -> %t = %t", c->counter, c->first, kernel_tag(c->k, c->current, 1),
             current2);
  text_line(&w->out, ";");
}

/* Before, at and after the iteration of r. */
static void write_phases(struct contest_writer *w, const struct contest_side *side) {
  const struct contest *c = side->c;
  const struct lift *lift = side->lift;
  if (c->gallery.champion != TERM_NONE) {
    write_champion(w, side);
    return;
  }
  term_id one = kernel_tag(c->k, c->best, 1), two = kernel_tag(c->k, c->best, 2);
  begin_phase(w, side, false);
  if (!c->held) text_put(&w->out, "%t or ", c->nobody);
  write_range(w, one, two, (struct bounds){lift->low, lift->high});
  text_line(&w->out, " and %t != %t;", c->current, side->value);
  write_nobody(w, side);
  begin_phase(w, side, true);
  if (!c->held && (!contest_begins_at_once(c) || starts_outside(c, side->known)))
    text_put(&w->out, "%t or ", c->nobody);
  text_line(&w->out, "(%t = %t -> %t = %t and %t = %+);", c->current, side->value,
            kernel_tag(c->k, c->current, 2), side->value, two, one, lift->amount);
}

/* The counter of the contest in terms of the loop where the values are drawn. */
static term_id at_drawing(const struct contest *c, term_id t) {
  return c->gallery.loop ? term_subst(c->ts, t, &c->counter, &c->gallery.position, 1) : t;
}

/* The loop where the values are drawn, and the one where they are compared. */
static const struct core *drawing_loop(const struct contest *c) {
  return view_origin(c->p, c->gallery.loop ? c->gallery.loop : c->loop);
}
static const struct core *deciding_loop(const struct contest *c) {
  return view_origin(c->p, c->loop);
}

/* Where a loop comes among those of the text. */
static size_t position(const struct contest_writer *w, const struct core *loop) {
  size_t i = 0;
  while (i < w->loop_count && w->loops[i] != loop)
    i++;
  return i;
}

/* What this contest needs from the loop on. */
static void print_budget(struct contest_writer *w, const struct contest_side *side, size_t here) {
  const struct contest *c = side->c;
  if (position(w, drawing_loop(c)) > here) {
    text_put(&w->out, "%t", side->lift->loop_cost);
    return;
  }
  term_id e = at_drawing(c, c->entry), factor, rest;
  bool rising = c->rising;
  if (c->gallery.loop && split_linear(c->ts, e, c->gallery.index, &factor, &rest))
    rising = fmpq_sgn(term_num_value(c->ts, factor)) > 0;
  text_put(&w->out, "if %t <= %t then %t else 0", rising ? e : side->r, rising ? side->r : e,
           side->lift->loop_cost);
}

static void write_budget(struct contest_writer *w, size_t here) {
  size_t paying = 0;
  for (size_t i = 0; i < w->count; i++)
    paying += position(w, drawing_loop(w->sides[i].c)) >= here;
  if (!paying) return;
  const char *separator = "";
  text_put(&w->out, "budget ");
  for (size_t i = 0; i < w->count; i++) {
    if (position(w, drawing_loop(w->sides[i].c)) < here) continue;
    text_put(&w->out, paying > 1 ? "%s(" : "%s", separator);
    print_budget(w, &w->sides[i], here);
    text_put(&w->out, paying > 1 ? ")" : "");
    separator = " + ";
  }
  text_line(&w->out, ";");
}

/* The term where the entrant is drawn: the counter may have moved since the iteration began. */
static term_id at_sampling(const struct contest *c, const struct entrant *e, term_id t) {
  if (c->gallery.loop || !e->in_loop) return at_drawing(c, t);
  term_id began = term_sub(c->ts, c->counter, e->ahead);
  return term_subst(c->ts, t, &c->counter, &began, 1);
}

/* The entrant of a contest that is drawn by this sampling; NULL: none. */
static const struct entrant *entrant_at(const struct contest *c, const struct core *at,
                                        size_t *index) {
  for (size_t i = 0; i < c->entrants.len; i++)
    if (c->entrants.at[i].at == at) {
      *index = i;
      return &c->entrants.at[i];
    }
  return NULL;
}

/* One sampling may be an entrant of several contests; each of them wants the same shift. */
static void write_sample(struct contest_writer *w, const struct contest_side *side, size_t which) {
  const struct contest *c = side->c;
  const struct entrant *e = &c->entrants.at[which];
  const struct lift_step *step = &side->lift->steps.at[which];
  unsigned total, number = sampling_number(c->ts, e->scope, e->at, &total);
  text_noise(&w->out, e->at);
  text_put(&w->out, "sample %s", term_var_get(c->ts, e->at->var)->name);
  if (total > 1) text_put(&w->out, " %u", number);
  const char *separator = ": when ";
  for (const struct contest_side *s = side; s < w->sides + w->count; s++) {
    size_t own;
    const struct entrant *same = entrant_at(s->c, e->at, &own);
    if (!same) continue;
    w->out.failed |= s->lift->steps.at[own].shift != step->shift ||
                     s->lift->steps.at[own].within != step->within;
    text_put(&w->out, "%s%t = %t", separator, at_sampling(s->c, same, same->entry), s->r);
    separator = " or ";
  }
  text_line(&w->out, " shift %t within %t else null;",
            view_distance(c->p, e->at->var, at_sampling(c, e, step->shift)),
            view_distance(c->p, e->at->var, step->within));
}

/* Has a side before this one written the sampling? */
static bool is_written(const struct contest_writer *w, const struct contest_side *side,
                       const struct core *at) {
  size_t index;
  for (const struct contest_side *s = w->sides; s < side; s++)
    if (entrant_at(s->c, at, &index)) return true;
  return false;
}

static void write_samples(struct contest_writer *w, const struct contest_side *side, bool in_loop) {
  for (size_t i = 0; i < side->c->entrants.len; i++)
    if (side->c->entrants.at[i].in_loop == in_loop &&
        !is_written(w, side, side->c->entrants.at[i].at))
      write_sample(w, side, i);
}

/* The elements drawn so far: those of the winners are lifted. */
static void write_gallery(struct contest_writer *w, const struct contest_side *side, bool drawn) {
  const struct contest *c = side->c;
  const struct gallery *g = &c->gallery;
  term_id k = text_fresh_name(c->p, "k", SORT_INT);
  term_id one = term_select(c->ts, kernel_tag(c->k, g->array, 1), k);
  term_id two = term_select(c->ts, kernel_tag(c->k, g->array, 2), k);
  text_put(&w->out, "invariant forall %t in %t..%t. ", k, g->loop->args[0],
           drawn ? g->loop->args[1] : g->index);
  const char *separator = "if ";
  for (const struct contest_side *s = side; s < w->sides + w->count; s++) {
    if (s->c->gallery.array != g->array) continue;
    term_id entry = at_drawing(s->c, s->c->entry);
    entry = term_subst(c->ts, entry, &s->c->gallery.index, &k, 1);
    text_put(&w->out, "%s%t = %t", separator, entry, s->r);
    separator = " or ";
  }
  text_put(&w->out, " then %t = %+ else ", two, one, side->lift->amount);
  write_range(w, one, two, (struct bounds){side->lift->low, side->lift->high});
  text_line(&w->out, ";");
}

/* Does a side before this one have the same gallery? */
static bool has_been_shown(const struct contest_writer *w, const struct contest_side *side) {
  for (const struct contest_side *s = w->sides; s < side; s++)
    if (s->c->gallery.loop && s->c->gallery.array == side->c->gallery.array) return true;
  return false;
}

/* Number of a loop among those of a scope, as proof text counts. */
static void number_loop(const struct core *c, const struct core *loop, unsigned *number,
                        unsigned *total) {
  if (c->kind == CORE_SEQ || c->kind == CORE_IF) {
    number_loop(c->first, loop, number, total);
    number_loop(c->second, loop, number, total);
  } else if (c->kind == CORE_WHILE) {
    ++*total;
    if (c == loop) *number = *total;
  }
}

/* Loops that add something up: how far that is apart, and until when it is equal. */
static void write_tallies(struct contest_writer *w, const struct contest *c, size_t here) {
  for (size_t i = 0; i < c->tallies.len; i++) {
    const struct core *loop = c->tallies.at[i].loop;
    if (i && c->tallies.at[i - 1].loop == loop) continue;
    unsigned number = 0, total = 0;
    number_loop(c->loop->first, loop, &number, &total);
    if (total > 1)
      text_line(&w->out, "loop %u {", number);
    else
      text_line(&w->out, "loop {");
    for (size_t j = i; j < c->tallies.len && c->tallies.at[j].loop == loop; j++) {
      const struct tally *t = &c->tallies.at[j];
      if (t->gain == TERM_NONE) continue;
      term_id one = kernel_tag(c->k, t->var, 1), two = kernel_tag(c->k, t->var, 2);
      text_put(&w->out, "invariant ");
      write_range(w, one, two, t->bounds[w->direction]);
      text_line(&w->out, ";");
      text_line(&w->out, "invariant %t <= %t -> %t = %t;", loop->var, t->witness[w->direction], two,
                one);
    }
    write_budget(w, here);
    text_line(&w->out, "}");
  }
}

/* The part of a loop that is about one contest. */
static void write_side(struct contest_writer *w, const struct contest_side *side, size_t here) {
  const struct contest *c = side->c;
  size_t drawn = position(w, drawing_loop(c)), decided = position(w, deciding_loop(c));
  if (here == drawn || here == decided) write_outside(w, side, here == decided);
  if (here == decided) {
    if (side == w->sides || deciding_loop(side[-1].c) != w->loops[here]) write_counter(w, c);
    write_common(w, c);
  }
  if (c->gallery.loop && drawn <= here && !has_been_shown(w, side))
    write_gallery(w, side, drawn < here);
  if (here == decided) {
    write_phases(w, side);
    write_tallies(w, c, here);
  }
  if (decided < here) write_winner(w, side, side->name);
}

static void write_loop(struct contest_writer *w, size_t here) {
  if (w->loop_count > 1)
    text_line(&w->out, "loop %u {", (unsigned)here + 1);
  else
    text_line(&w->out, "loop {");
  write_copies(w, w->loops[here]);
  for (size_t i = 0; i < w->count; i++)
    write_side(w, &w->sides[i], here);
  write_budget(w, here);
  for (size_t i = 0; i < w->count; i++)
    if (drawing_loop(w->sides[i].c) == w->loops[here]) write_samples(w, &w->sides[i], true);
  text_line(&w->out, "}");
}

void contest_write(struct contest_writer *w) {
  for (size_t i = 0; i < w->count; i++)
    write_samples(w, &w->sides[i], false);
  for (size_t i = 0; i < w->loop_count; i++)
    write_loop(w, i);
}
