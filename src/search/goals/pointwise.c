#include "search/goals/pointwise.h"

#include <string.h>

#include "search/base/text.h"
#include "search/base/view.h"
#include "search/goals/lift.h"
#include "term/build.h"
#include "term/subst.h"

enum { ENTRIES_LIMIT = 4 }; /* of one fact, tried as case distinctions */

/* A way to treat one direction: as a whole, or by cases. */
struct plan {
  term_id condition; /* of the first case; TERM_NONE: no cases */
  struct lift cases[2];
  size_t count;
  term_id cost;
};

static void plan_clear(struct plan *plan) {
  for (size_t i = 0; i < plan->count; i++)
    lift_clear(&plan->cases[i]);
  plan->count = 0;
}

/* ---- text ----------------------------------------------------------------------------------- */

struct writer {
  struct text out;
  const struct contest *c;
  term_id value, r; /* of the result, and what tells it from others (contest_mark) */
  bool is_part;
  enum claim_direction direction;
};

/* low <= two - one <= high */
static void write_range(struct writer *w, term_id one, term_id two, struct bounds b) {
  struct terms *ts = w->c->ts;
  if (b.low == b.high)
    text_print(&w->out, "%t = %+", two, one, b.low);
  else if (b.low == term_neg(ts, b.high))
    text_print(&w->out, "abs(%t - %t) <= %t", two, one, b.high);
  else
    text_print(&w->out, "%t <= %t - %t <= %t", b.low, two, one, b.high);
}

/* What the runs have in common in every iteration. */
static void write_common(struct writer *w) {
  const struct contest *c = w->c;
  if (c->loop->var == TERM_NONE)
    text_line(&w->out, "invariant %t = %t and %t;", kernel_tag(c->k, c->counter, 1),
              kernel_tag(c->k, c->counter, 2), c->range);
  if (c->stop != TERM_NONE)
    text_line(
        &w->out, "variant %t;",
        term_sub(c->ts, c->counts_up ? c->stop : c->counter, c->counts_up ? c->counter : c->stop));
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

/* Where the result lies after a part. It does so before every iteration if it begins there;
 * otherwise from the first on. */
struct span_of_result {
  bool known, from_start;
  term_id low, high;
};

static struct span_of_result span_of_result(const struct contest *c, const struct known *known) {
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

static void write_copies(struct writer *w, const struct core *loop) {
  term_list facts = {0};
  view_copy_facts(w->c->p, loop, &facts);
  for (size_t i = 0; i < facts.len; i++)
    text_line(&w->out, "invariant %t;", facts.at[i]);
  vec_clear(&facts);
}

/* What the loop of a part needs besides: what it reads from outside, and where the result lies. */
static void write_outside(struct writer *w, const struct known *known, bool is_contest) {
  const struct contest *c = w->c;
  for (size_t i = 0; i < c->outer.len; i++)
    text_line(&w->out, "invariant %t = %t;", kernel_tag(c->k, c->outer.at[i], 1),
              kernel_tag(c->k, c->outer.at[i], 2));
  struct span_of_result s = {.known = false};
  if (is_contest && w->is_part) s = span_of_result(c, known);
  if (!s.known) return;
  text_begin(&w->out, "invariant ");
  if (!s.from_start) text_print(&w->out, "%t = %t or ", c->counter, c->first);
  text_end(&w->out, "%t <= %t <= %t;", s.low, c->current, s.high);
}

/* Can the result before the loop be one whose iteration would lie before the first? */
static bool starts_outside(const struct contest *c, const struct known *known) {
  if (c->won != c->entry) return true; /* a list may be empty */
  term_id entry = term_subst(c->ts, c->entry, &c->counter, &c->first, 1);
  return !known_entails(known, TERM_NONE,
                        c->rising ? term_le(c->ts, entry, c->initial)
                                  : term_le(c->ts, c->initial, entry));
}

/* The value that holds the title in a run. */
static term_id best_in(const struct contest *c, unsigned run) {
  term_id champion = c->gallery.champion;
  return kernel_tag(c->k, champion == TERM_NONE ? c->best : champion, run);
}

/* Does the loop begin with the entry that holds the title already (`v[i] > v[imax]` from 0 on)? */
static bool meets_itself(const struct contest *c) {
  return c->held && c->gallery.champion != TERM_NONE && c->won == c->entry &&
         c->initial == term_subst(c->ts, c->entry, &c->counter, &c->first, 1);
}

/* The iteration of r has not been yet; or it has. */
static void begin_phase(struct writer *w, bool later) {
  const struct contest *c = w->c;
  term_id low = c->rising == later ? w->r : c->entry, high = c->rising == later ? c->entry : w->r;
  text_begin(&w->out, later ? "invariant %t < %t" : "invariant %t <= %t", low, high);
  if (meets_itself(c) && later)
    text_print(&w->out, " or %t = %t and %t = %t", c->counter, c->first, w->r, c->initial);
  else if (meets_itself(c))
    text_print(&w->out, " and (%t != %t or %t != %t)", c->counter, c->first, w->r, c->initial);
  text_print(&w->out, " -> ");
}

/* Before, at and after the iteration of r. */
static void write_phases(struct writer *w, const struct known *known, const struct lift *lift) {
  const struct contest *c = w->c;
  term_id one = best_in(c, 1), two = best_in(c, 2);
  term_id current2 = kernel_tag(c->k, c->current, 2);
  begin_phase(w, false);
  if (!c->held) text_print(&w->out, "%t or ", c->nobody);
  write_range(w, one, two, (struct bounds){lift->low, lift->high});
  text_end(&w->out, " and %t != %t;", c->current, w->value);
  if (!c->held && c->nobody == term_eq(c->ts, c->current, c->initial))
    text_line(&w->out, "invariant %t <-> %t;", kernel_tag(c->k, c->nobody, 1),
              kernel_tag(c->k, c->nobody, 2));
  else if (!c->held && !contest_begins_at_once(c)) /* a flag: equal in both runs */
    text_line(&w->out, "invariant %t -> %t = %t and %t = %t;", c->nobody, c->current, c->initial,
              current2, c->initial);
  else if (c->uses_initial || meets_itself(c))
    text_line(&w->out, "invariant %t = %t -> %t = %t and %t = %t;", c->counter, c->first,
              c->current, c->initial, current2, c->initial);
  else if (!c->held && !always_runs(c, known))
    text_line(&w->out, "invariant %t = %t -> %t = %t;", c->counter, c->first,
              kernel_tag(c->k, c->current, 1), current2);
  begin_phase(w, true);
  if (!c->held && (!contest_begins_at_once(c) || starts_outside(c, known)))
    text_print(&w->out, "%t or ", c->nobody);
  text_end(&w->out, "(%t = %t -> %t = %t and %t = %+);", c->current, w->value, current2, w->value,
           two, one, lift->amount);
}

/* The counter of the contest in terms of the loop where the values are drawn. */
static term_id at_drawing(const struct contest *c, term_id t) {
  return c->gallery.loop ? term_subst(c->ts, t, &c->counter, &c->gallery.position, 1) : t;
}

static void write_budget(struct writer *w, const struct lift *lift) {
  const struct contest *c = w->c;
  term_id e = at_drawing(c, c->entry), factor, rest;
  bool rising = c->rising;
  if (c->gallery.loop && split_linear(c->ts, e, c->gallery.index, &factor, &rest))
    rising = fmpq_sgn(term_num_value(c->ts, factor)) > 0;
  text_line(&w->out, "budget if %t <= %t then %t else 0;", rising ? e : w->r, rising ? w->r : e,
            lift->loop_cost);
}

/* The term where the entrant is drawn: the counter may have moved since the iteration began. */
static term_id at_sampling(const struct contest *c, const struct entrant *e, term_id t) {
  if (c->gallery.loop || !e->in_loop) return at_drawing(c, t);
  term_id began = term_sub(c->ts, c->counter, e->ahead);
  return term_subst(c->ts, t, &c->counter, &began, 1);
}

static void write_sample(struct writer *w, const struct entrant *e, const struct lift_step *step) {
  const struct auto_problem *p = w->c->p;
  unsigned total, number = sampling_number(w->c->ts, e->scope, e->at, &total);
  text_noise(&w->out, e->at);
  text_begin(&w->out, "sample %s", term_var_get(w->c->ts, e->at->var)->name);
  if (total > 1) text_print(&w->out, " %u", number);
  text_end(&w->out, ": when %t = %t shift %t within %t else null;", at_sampling(w->c, e, e->entry),
           w->r, view_distance(p, e->at->var, at_sampling(w->c, e, step->shift)),
           view_distance(p, e->at->var, step->within));
}

static void write_samples(struct writer *w, const struct lift *lift, bool in_loop) {
  for (size_t i = 0; i < w->c->entrants.len; i++)
    if (w->c->entrants.at[i].in_loop == in_loop)
      write_sample(w, &w->c->entrants.at[i], &lift->steps.at[i]);
}

/* The elements drawn so far: that of r is lifted. */
static void write_gallery(struct writer *w, const struct lift *lift, term_id end) {
  const struct contest *c = w->c;
  const struct gallery *g = &c->gallery;
  term_id k = text_fresh_name(c->p, "k", SORT_INT);
  term_id entry = at_drawing(c, c->entry);
  entry = term_subst(c->ts, entry, &g->index, &k, 1);
  term_id one = term_select(c->ts, kernel_tag(c->k, g->array, 1), k);
  term_id two = term_select(c->ts, kernel_tag(c->k, g->array, 2), k);
  text_begin(&w->out, "invariant forall %t in %t..%t. if %t = %t then %t = %+ else ", k,
             g->loop->args[0], end, entry, w->r, two, one, lift->amount);
  write_range(w, one, two, (struct bounds){lift->low, lift->high});
  text_end(&w->out, ";");
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
static void write_tallies(struct writer *w, const struct lift *lift) {
  const struct contest *c = w->c;
  for (size_t i = 0; i < c->tallies.len; i++) {
    const struct core *loop = c->tallies.at[i].loop;
    if (i && c->tallies.at[i - 1].loop == loop) continue;
    unsigned number = 0, total = 0;
    number_loop(c->loop->first, loop, &number, &total);
    if (total > 1)
      text_open(&w->out, "loop %u {", number);
    else
      text_open(&w->out, "loop {");
    for (size_t j = i; j < c->tallies.len && c->tallies.at[j].loop == loop; j++) {
      const struct tally *t = &c->tallies.at[j];
      if (t->gain == TERM_NONE) continue;
      term_id one = kernel_tag(c->k, t->var, 1), two = kernel_tag(c->k, t->var, 2);
      text_begin(&w->out, "invariant ");
      write_range(w, one, two, t->bounds[w->direction]);
      text_end(&w->out, ";");
      text_line(&w->out, "invariant %t <= %t -> %t = %t;", loop->var, t->witness[w->direction], two,
                one);
    }
    write_budget(w, lift);
    text_close(&w->out, "}");
  }
}

static void write_case(struct writer *w, const struct known *known, const struct lift *lift) {
  const struct contest *c = w->c;
  const struct gallery *g = &c->gallery;
  write_samples(w, lift, false);
  if (g->loop) {
    text_open(&w->out, "loop 1 {");
    write_copies(w, g->loop);
    write_outside(w, known, false);
    write_gallery(w, lift, g->index);
    write_budget(w, lift);
    write_samples(w, lift, true);
    text_close(&w->out, "}");
  }
  text_open(&w->out, g->loop ? "loop 2 {" : "loop {");
  write_copies(w, c->loop);
  write_outside(w, known, true);
  write_common(w);
  if (g->loop) write_gallery(w, lift, g->loop->args[1]);
  write_phases(w, known, lift);
  write_tallies(w, lift);
  if (!g->loop) {
    write_budget(w, lift);
    write_samples(w, lift, true);
  }
  text_close(&w->out, "}");
}

static void write_plan(struct writer *w, const struct known *known, const struct plan *plan) {
  if (plan->condition == TERM_NONE) {
    write_case(w, known, &plan->cases[0]);
    return;
  }
  const char *condition = text_of_relation(w->c->p, plan->condition);
  w->out.failed |= !condition;
  text_open(&w->out, "case %s {", condition ? condition : "");
  write_case(w, known, &plan->cases[0]);
  text_between(&w->out, "} else {");
  write_case(w, known, &plan->cases[1]);
  text_close(&w->out, "}");
}

/* ---- search --------------------------------------------------------------------------------- */

struct pointwise {
  struct auto_problem *p;
  struct contest contest;
  term_id value, r;
  bool is_part;
  struct known known[2]; /* per direction */
};

/* Both cases: under the condition, and without it. `fact` is the disjunction it is part of, or
 * TERM_NONE. */
static bool plan_cases(struct pointwise *w, const struct known *known, term_id fact,
                       term_id condition, struct plan *out) {
  *out = (struct plan){.condition = condition};
  bool ok = true;
  for (size_t i = 0; i < (condition == TERM_NONE ? 1 : 2) && ok; i++) {
    struct known here = {.p = w->p};
    for (size_t f = 0; f < known->facts.len; f++)
      if (known->facts.at[f] != fact) known_add(&here, known->facts.at[f]);
    if (condition != TERM_NONE && i == 0) known_add(&here, condition);
    if (condition != TERM_NONE && i == 1) {
      term_id rest = term_bool(w->p->ts, false);
      for (size_t a = 0; fact != TERM_NONE && a < term_arg_count(w->p->ts, fact); a++)
        if (term_arg(w->p->ts, fact, a) != condition)
          rest = term_or(w->p->ts, rest, term_arg(w->p->ts, fact, a));
      known_add(&here, fact == TERM_NONE ? term_not(w->p->ts, condition) : rest);
    }
    ok = lift_find(&w->contest, &here, w->r, &out->cases[i]);
    out->count = i + 1;
    known_clear(&here);
  }
  out->cost = ok ? out->cases[0].cost : TERM_NONE;
  if (ok && out->count == 2)
    out->cost = known_larger(known, out->cases[0].cost, out->cases[1].cost);
  if (out->cost == TERM_NONE) plan_clear(out);
  return out->cost != TERM_NONE;
}

static bool costs_less(const struct known *known, term_id a, term_id b) {
  return a != b && known_larger(known, a, b) == b;
}

/* Keeps the cheaper plan. */
static void consider(struct pointwise *w, const struct known *known, term_id fact,
                     term_id condition, struct plan *best) {
  struct plan plan;
  if (!plan_cases(w, known, fact, condition, &plan)) return;
  if (best->count && !costs_less(known, plan.cost, best->cost)) {
    plan_clear(&plan);
    return;
  }
  plan_clear(best);
  *best = plan;
}

/* Entries that a fact about both runs singles out: the witness of an `exists`, which has a name in
 * proofs, and indices that are spelt out. */
static void singled_out(struct pointwise *w, term_id fact, term_list *out) {
  struct terms *ts = w->p->ts;
  term_list parts = {0};
  term_free_vars(ts, fact, &parts);
  for (size_t i = 0; i < parts.len; i++) {
    const struct term_var *v = term_var_get(ts, parts.at[i]);
    if (v->version > 0 && v->run == 0 && v->sort == SORT_INT && text_is_named(w->p, parts.at[i]))
      vec_push(out, parts.at[i]);
  }
  parts.len = 0;
  term_subterms(ts, fact, &parts);
  for (size_t i = 0; i < parts.len; i++)
    if (term_kind(ts, parts.at[i]) == TERM_SELECT && term_is_num(ts, term_arg(ts, parts.at[i], 1)))
      vec_push(out, term_arg(ts, parts.at[i], 1));
  vec_clear(&parts);
}

/* Is the cost within what the claim states? */
static bool is_enough(struct pointwise *w, const struct known *known, const struct plan *plan) {
  return plan->count && !w->p->wants_least && !w->is_part &&
         known_larger(known, plan->cost, claim_epsilon(w->p->goal)) == claim_epsilon(w->p->goal);
}

/* The cheapest plan of a direction: all at once, by the parts of a disjunction, by whether the
 * entry that differs is the winner. The first that suffices for a stated cost. */
static bool plan_direction(struct pointwise *w, const struct known *known, struct plan *best) {
  struct terms *ts = w->p->ts;
  *best = (struct plan){.condition = TERM_NONE};
  consider(w, known, TERM_NONE, TERM_NONE, best);
  for (size_t i = 0; i < known->facts.len && !is_enough(w, known, best); i++) {
    term_id fact = known->facts.at[i];
    unsigned flags = term_get(ts, fact)->flags;
    if (!(flags & (TERM_HAS_RUN1 | TERM_HAS_RUN2))) continue;
    if (term_kind(ts, fact) == TERM_OR) consider(w, known, fact, term_arg(ts, fact, 0), best);
    term_list entries = {0};
    singled_out(w, fact, &entries);
    for (size_t e = 0; e < entries.len && e < ENTRIES_LIMIT && !is_enough(w, known, best); e++) {
      term_id own = term_subst(ts, w->contest.entry, &w->contest.counter, &entries.at[e], 1);
      consider(w, known, TERM_NONE, term_eq(ts, own, w->r), best);
    }
    vec_clear(&entries);
  }
  return best->count > 0;
}

/* The proof of both directions; one is enough if the adjacency is symmetric. */
static void propose(struct pointwise *w, struct auto_search *s, const struct plan *plans,
                    bool symmetric, term_id cost) {
  struct writer out = {.c = &w->contest, .value = w->value, .r = w->r};
  text_init(&out.out, w->p);
  text_open(&out.out, "{");
  text_line(&out.out, "pointwise result = %t;", w->value);
  write_plan(&out, &w->known[0], &plans[0]);
  if (!symmetric) {
    out.direction = CLAIM_BACKWARD;
    text_open(&out.out, "backward {");
    text_line(&out.out, "pointwise result = %t;", w->value);
    write_plan(&out, &w->known[1], &plans[1]);
    text_close(&out.out, "}");
  }
  text_close(&out.out, "}");
  const char *proof = text_take(&out.out);
  if (proof)
    auto_try(s, &(struct auto_candidate){proof, w->p->wants_least ? text_of(w->p, cost) : NULL, 1});
}

static void blame(struct pointwise *w, struct auto_search *s, const struct plan *plan) {
  const struct entrant *e = &w->contest.entrants.at[0];
  const char *cost = text_of(w->p, plan->cost), *stated = text_of(w->p, claim_epsilon(w->p->goal));
  auto_blame(s, e->at->span, cost,
             "the noise of the winner must move by %s for the same result, which costs %s; "
             "the claim allows %s",
             text_of(w->p, plan->cases[0].steps.at[0].within), cost, stated);
}

static void search(struct pointwise *w, struct auto_search *s) {
  bool symmetric = claim_is_symmetric(w->p->goal);
  struct plan plans[2] = {{.condition = TERM_NONE}, {.condition = TERM_NONE}};
  bool ok = plan_direction(w, &w->known[0], &plans[0]) &&
            (symmetric || plan_direction(w, &w->known[1], &plans[1]));
  term_id cost = plans[0].cost;
  if (ok && !symmetric) cost = known_larger(&w->known[0], plans[0].cost, plans[1].cost);
  if (ok && cost != TERM_NONE) {
    size_t dear = cost == plans[0].cost ? 0 : 1;
    if (w->p->wants_least || is_enough(w, &w->known[dear], &plans[dear]))
      propose(w, s, plans, symmetric, cost);
    else
      blame(w, s, &plans[dear]);
  } else {
    auto_blame(s, w->contest.entrants.at[0].at->span, NULL,
               "no bound is known for how much this value can differ between the runs");
  }
  plan_clear(&plans[0]);
  plan_clear(&plans[1]);
}

static void name_result(struct pointwise *w) {
  w->value = text_fresh_name(w->p, "r", term_sort(w->p->ts, w->contest.current));
  w->r = contest_mark(w->p->ts, w->value);
}

void auto_pointwise(struct auto_problem *p, struct auto_search *s) {
  struct pointwise w = {.p = p};
  if (contest_find(p, &w.contest)) {
    name_result(&w);
    known_init(&w.known[0], p, CLAIM_FORWARD);
    known_init(&w.known[1], p, CLAIM_BACKWARD);
    if (tallies_bound(&w.contest, CLAIM_FORWARD, &w.known[0]) &&
        (claim_is_symmetric(p->goal) || tallies_bound(&w.contest, CLAIM_BACKWARD, &w.known[1])))
      search(&w, s);
    known_clear(&w.known[0]);
    known_clear(&w.known[1]);
  }
  contest_clear(&w.contest);
}

bool pointwise_part(const struct contest *contest, enum claim_direction direction,
                    struct part_text *out) {
  struct auto_problem *p = contest->p;
  struct pointwise w = {.p = p, .contest = *contest, .is_part = true};
  struct plan plan = {.condition = TERM_NONE};
  struct known *known = &w.known[0];
  name_result(&w);
  known_init(known, p, direction);
  bool ok = text_is_named(p, contest->current) && tallies_bound(contest, direction, known) &&
            plan_direction(&w, known, &plan);
  if (ok) {
    struct writer writer = {
        .c = contest, .value = w.value, .r = w.r, .is_part = true, .direction = direction};
    struct span_of_result s = span_of_result(contest, known);
    text_init(&writer.out, p);
    text_line(&writer.out, "budget %t;", plan.cost);
    if (s.known) text_line(&writer.out, "gives %t <= %t <= %t;", s.low, contest->current, s.high);
    write_plan(&writer, known, &plan);
    *out = (struct part_text){.cost = plan.cost,
                              .name = text_of(p, contest->current),
                              .value = text_of(p, w.value),
                              .body = text_take(&writer.out)};
    ok = out->name && out->value && out->body;
  }
  plan_clear(&plan);
  known_clear(known);
  return ok;
}
