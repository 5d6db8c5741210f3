#include "search/goals/race.h"

#include "kernel/dist.h"
#include "search/base/bounds.h"
#include "search/base/lists.h"
#include "search/base/text.h"
#include "search/base/view.h"
#include "search/goals/contest.h"
#include "term/build.h"
#include "term/subst.h"

/* A sampling and what it decides: value = factor*sample + rest. */
struct noisy {
  const struct core *at, *scope;
  term_id sample, value, factor, rest, centre, scale;
};

struct race {
  struct auto_problem *p;
  struct contest c;
  struct terms *ts;
  struct kernel *k;
  term_id bar; /* the variable */
  struct noisy bar_noise, entrant;
  bool upwards;        /* large values pass */
  bool stops;          /* the loop may end with a hit */
  term_id first, last; /* of the entries */
  term_id low, high;   /* of the results */
  term_id r;
};

/* What is moved, and what that costs, in one direction. */
struct moves {
  term_id bar;                   /* run 2's minus run 1's */
  term_id bar_shift, bar_within; /* of its sample */
  term_id shift, within;         /* of the sample of r */
  term_id bar_cost, cost, total;
};

/* ---- who takes part ------------------------------------------------------------------------- */

static bool mentions(struct terms *ts, term_id t, term_id var) {
  return term_mentions(ts, t, &var, 1);
}

/* value as a term that is linear in one sample of the path; the others must not be in it. */
static bool find_noise(struct race *w, const struct path *path, const struct core *scope,
                       term_id value, struct noisy *out) {
  const struct path_sample *found = NULL;
  for (size_t i = 0; i < path->samples.len; i++) {
    if (!mentions(w->ts, value, path->samples.at[i].value)) continue;
    if (found) return false;
    found = &path->samples.at[i];
  }
  if (!found || found->at->arg_count != 2) return false;
  *out = (struct noisy){.at = found->at,
                        .scope = scope,
                        .sample = found->value,
                        .value = value,
                        .centre = found->args[0],
                        .scale = found->args[1]};
  return split_linear(w->ts, value, out->sample, &out->factor, &out->rest);
}

/* 0 <= factor*bar + rest for the comparison: the value that is compared with the bar. */
static bool take_comparison(struct race *w, const struct path *path, term_id atom, term_id bar) {
  struct terms *ts = w->ts;
  bool negated = term_kind(ts, atom) == TERM_NOT;
  if (negated) atom = term_arg(ts, atom, 0);
  if ((term_kind(ts, atom) != TERM_LE && term_kind(ts, atom) != TERM_LT) ||
      !mentions(ts, atom, bar))
    return false;
  term_id form = term_sub(ts, term_arg(ts, atom, 1), term_arg(ts, atom, 0)), factor, rest;
  if (form == TERM_NONE || !split_linear(ts, form, bar, &factor, &rest)) return false;
  fmpq_t by;
  fmpq_init(by);
  fmpq_inv(by, term_num_value(ts, factor));
  fmpq_neg(by, by);
  w->upwards = (fmpq_sgn(by) > 0) != negated;
  term_id value = term_mul(ts, term_num(ts, by, SORT_REAL), rest);
  fmpq_clear(by);
  return value != TERM_NONE && find_noise(w, path, w->c.loop->first, value, &w->entrant);
}

/* A variable with noise from before the loop that the path compares with a value. */
static bool find_bar(struct race *w, const struct path *path) {
  const struct path *start = &w->c.start.list.at[0];
  term_list written = {0}, vars = {0}, atoms = {0};
  core_writes(w->c.loop, &written);
  term_free_vars(w->ts, path->condition, &vars);
  term_conjuncts(w->ts, path->condition, &atoms);
  bool found = false;
  for (size_t v = 0; v < vars.len && !found; v++) {
    if (!kernel_is_var(w->k, vars.at[v]) || terms_have(&written, vars.at[v])) continue;
    w->bar = vars.at[v];
    if (!find_noise(w, start, w->c.code, path_after(w->ts, start, w->bar), &w->bar_noise)) continue;
    for (size_t a = 0; a < atoms.len && !found; a++)
      found = take_comparison(w, path, atoms.at[a], w->bar);
  }
  vec_clear(&written);
  vec_clear(&vars);
  vec_clear(&atoms);
  return found;
}

/* Does the guard depend on more than the counter? */
static bool may_stop(const struct race *w) {
  term_list written = {0}, vars = {0};
  core_writes(w->c.loop, &written);
  term_free_vars(w->ts, w->c.loop->expr, &vars);
  bool found = false;
  for (size_t i = 0; i < vars.len && !found; i++)
    found = terms_have(&written, vars.at[i]) && vars.at[i] != w->c.counter &&
            !terms_have(&w->c.along, vars.at[i]);
  vec_clear(&written);
  vec_clear(&vars);
  return found;
}

/* The entries and the initial result, next to each other. */
static bool find_results(struct race *w) {
  struct known known;
  if (!contest_span(&w->c, &w->first, &w->last)) return false;
  w->low = w->first;
  w->high = w->last;
  known_init(&known, w->p, CLAIM_FORWARD);
  term_id above = term_add(w->ts, w->high, term_int(w->ts, 1));
  term_id below = term_sub(w->ts, w->low, term_int(w->ts, 1));
  bool is_above = known_entails(&known, TERM_NONE, term_eq(w->ts, w->c.initial, above));
  bool is_below =
      !is_above && known_entails(&known, TERM_NONE, term_eq(w->ts, w->c.initial, below));
  known_clear(&known);
  if (is_above) w->high = w->c.initial;
  if (is_below) w->low = w->c.initial;
  return is_above || is_below;
}

static bool race_find(struct auto_problem *p, struct race *w) {
  *w = (struct race){.p = p, .ts = p->ts, .k = claim_kernel(p->goal, CLAIM_FORWARD)};
  enum notion notion = kernel_notion(w->k).kind;
  if (notion != NOTION_PURE && notion != NOTION_RENYI) return false;
  if (!contest_find_course(p, &w->c) || w->c.tallies.len || contest_begins_at_once(&w->c))
    return false;
  bool found = false;
  term_id returned = claim_program(p->goal)->returned;
  if (returned != TERM_NONE && contest_tells(&w->c, returned))
    w->c.nobody = term_not(p->ts, returned);
  for (size_t i = 0; i < w->c.body.list.len && !found; i++)
    found = contest_wins(&w->c, &w->c.body.list.at[i]) && find_bar(w, &w->c.body.list.at[i]);
  if (!found || !find_results(w)) return false;
  w->stops = may_stop(w);
  w->r = text_fresh_name(p, "r", SORT_INT);
  return true;
}

bool race_is_on(struct auto_problem *p) {
  struct race w;
  bool found = race_find(p, &w);
  contest_clear(&w.c);
  return found;
}

/* ---- what has to move ----------------------------------------------------------------------- */

/* Shift and bound for a sample whose value has to differ by `amount`, where it would differ by
 * something within b. */
static bool move_noise(struct race *w, const struct known *known, const struct noisy *n,
                       struct bounds b, term_id amount, term_id *shift, term_id *within,
                       term_id *cost) {
  struct terms *ts = w->ts;
  term_id most = known_larger(known, term_sub(ts, amount, b.low), term_sub(ts, b.high, amount));
  fmpq_t inverse;
  fmpq_init(inverse);
  fmpq_inv(inverse, term_num_value(ts, n->factor));
  sort_id sort = fmpz_is_one(fmpq_denref(inverse)) ? SORT_INT : SORT_REAL;
  term_id by = term_num(ts, inverse, sort);
  fmpq_abs(inverse, inverse);
  term_id size = term_num(ts, inverse, sort);
  fmpq_clear(inverse);
  if (most == TERM_NONE) return false;
  *shift = term_mul(ts, by, term_sub(ts, amount, contest_difference(&w->c, n->rest)));
  *within = term_mul(ts, size, most);
  *cost = dist_price(ts, kernel_notion(w->k), n->at->dist, *within, n->scale);
  if (*cost != TERM_NONE) *cost = cost_simplified(ts, *cost);
  return *shift != TERM_NONE && *cost != TERM_NONE;
}

/* How much the value differs if the noise is the same around its centre. */
static struct bounds drift(struct race *w, const struct known *known, const struct noisy *n,
                           term_id given) {
  term_id centred = term_subst(w->ts, n->value, &n->sample, &n->centre, 1);
  return known_bounds(known, given, contest_difference(&w->c, centred));
}

/* Results that are told apart cost something in renyi. */
static term_id price_of_results(struct race *w) {
  struct terms *ts = w->ts;
  struct notion_of notion = kernel_notion(w->k);
  if (notion.kind == NOTION_PURE) return term_rat(ts, 0, 1);
  term_id count = term_add(ts, term_sub(ts, w->high, w->low), term_int(ts, 1));
  return term_div(ts, term_ln(ts, term_to_real(ts, count)),
                  term_sub(ts, notion.order, term_int(ts, 1)));
}

static bool find_moves(struct race *w, enum claim_direction direction, struct moves *out) {
  struct known known;
  known_init(&known, w->p, direction);
  term_id inside = term_and(w->ts, w->c.range, w->c.loop->expr);
  struct bounds others = drift(w, &known, &w->entrant, inside);
  struct bounds own = drift(w, &known, &w->bar_noise, TERM_NONE);
  out->bar = w->upwards ? others.high : others.low;
  bool ok =
      others.low != TERM_NONE && others.high != TERM_NONE && own.low != TERM_NONE &&
      own.high != TERM_NONE &&
      move_noise(w, &known, &w->bar_noise, own, out->bar, &out->bar_shift, &out->bar_within,
                 &out->bar_cost) &&
      move_noise(w, &known, &w->entrant, others, out->bar, &out->shift, &out->within, &out->cost);
  known_clear(&known);
  if (!ok) return false;
  out->total = term_add(w->ts, term_add(w->ts, out->bar_cost, out->cost), price_of_results(w));
  return out->total != TERM_NONE;
}

/* ---- text ----------------------------------------------------------------------------------- */

static term_id in_run(const struct race *w, term_id t, unsigned run) {
  return kernel_tag(w->k, t, run);
}

/* The iteration of r is still to come, or is this one. */
static term_id still_due(const struct race *w) {
  return w->c.rising ? term_le(w->ts, w->c.entry, w->r) : term_le(w->ts, w->r, w->c.entry);
}

static void write_counters(struct race *w, struct text *out) {
  const struct contest *c = &w->c;
  for (unsigned run = 1; run <= 2; run++) {
    if (c->loop->var == TERM_NONE) text_line(out, "invariant %t;", in_run(w, c->range, run));
    for (size_t i = 0; i < c->along.len; i++)
      text_line(out, "invariant %t = %t;", in_run(w, c->along.at[i], run),
                in_run(w, c->along_values.at[i], run));
  }
  if (c->loop->var == TERM_NONE && !w->stops)
    text_line(out, "invariant %t = %t;", in_run(w, c->counter, 1), in_run(w, c->counter, 2));
  if (c->stop != TERM_NONE)
    text_line(
        out, "variant %t;",
        term_sub(w->ts, c->counts_up ? c->stop : c->counter, c->counts_up ? c->counter : c->stop));
  term_list facts = {0};
  view_copy_facts(w->p, c->loop, &facts);
  for (size_t i = 0; i < facts.len; i++)
    text_line(out, "invariant %t;", facts.at[i]);
  vec_clear(&facts);
}

/* What each run knows of its own result and flags; other flags are the same in both. */
static void write_state(struct race *w, struct text *out) {
  const struct contest *c = &w->c;
  struct terms *ts = w->ts;
  struct contest_track track = contest_track(c, c->current);
  term_id range = term_and(ts, term_le(ts, w->first, c->current), term_le(ts, c->current, w->last));
  term_id later = term_and(ts, term_not(ts, c->nobody), term_and(ts, range, track.later));
  for (unsigned run = 1; run <= 2; run++)
    text_line(out, "invariant %t or %t;", in_run(w, term_and(ts, c->nobody, track.at_first), run),
              in_run(w, later, run));
  for (size_t i = 0; i < c->flags.len; i++) {
    term_id f = c->flags.at[i], before = path_after(w->ts, &c->start.list.at[0], f);
    if (!contest_tells(c, f)) {
      text_line(out, "invariant %t = %t;", in_run(w, f, 1), in_run(w, f, 2));
      continue;
    }
    for (unsigned run = 1; run <= 2; run++)
      text_line(out, "invariant %t = %t <-> %t;", in_run(w, f, run), before,
                in_run(w, c->nobody, run));
  }
}

/* Both runs wait for r; run 1 has missed it; or both have it. */
static void write_phases(struct race *w, struct text *out) {
  const struct contest *c = &w->c;
  struct terms *ts = w->ts;
  term_id none = term_eq(ts, w->r, c->initial);
  term_id waiting = term_and(ts, in_run(w, c->nobody, 1), in_run(w, c->nobody, 2));
  waiting = term_and(ts, waiting, term_or(ts, in_run(w, still_due(w), 1), none));
  if (w->stops)
    waiting =
        term_and(ts, waiting, term_eq(ts, in_run(w, c->counter, 1), in_run(w, c->counter, 2)));
  term_id nobody = in_run(w, c->nobody, 1), current = in_run(w, c->current, 1);
  term_id passed =
      term_and(ts, nobody, term_not(ts, term_or(ts, in_run(w, still_due(w), 1), none)));
  term_id missed = term_or(
      ts, passed, term_and(ts, term_not(ts, nobody), term_not(ts, term_eq(ts, current, w->r))));
  term_id both = term_and(ts, term_not(ts, nobody), term_not(ts, in_run(w, c->nobody, 2)));
  both = term_and(ts, both, term_eq(ts, current, w->r));
  both = term_and(ts, both, term_eq(ts, in_run(w, c->current, 2), w->r));
  text_line(out, "invariant %t or %t or %t;", waiting, missed, both);
}

static void begin_sample(struct race *w, struct text *out, const struct noisy *n) {
  unsigned total, number = sampling_number(w->ts, n->scope, n->at, &total);
  text_noise(out, n->at);
  text_put(out, "sample %s", term_var_get(w->ts, n->at->var)->name);
  if (total > 1) text_put(out, " %u", number);
  text_put(out, ": ");
}

static void write_moves(struct race *w, struct text *out, const struct moves *m) {
  const struct contest *c = &w->c;
  if (kernel_notion(w->k).kind == NOTION_PURE)
    text_line(out, "pointwise result = %t;", w->r);
  else
    text_line(out, "pointwise result = %t from %t to %t;", w->r, w->low, w->high);
  begin_sample(w, out, &w->bar_noise);
  text_line(out, "shift %t within %t;", view_distance(w->p, w->bar_noise.at->var, m->bar_shift),
            view_distance(w->p, w->bar_noise.at->var, m->bar_within));
  text_line(out, "loop {");
  if (w->stops) text_line(out, "apart;");
  write_counters(w, out);
  text_line(out, "invariant %t = %+;", in_run(w, w->bar, 2), in_run(w, w->bar, 1), m->bar);
  write_state(w, out);
  write_phases(w, out);
  term_id due = term_and(w->ts, still_due(w), term_ne(w->ts, c->current, w->r));
  due = term_and(w->ts, due, term_ne(w->ts, w->r, c->initial)); /* no iteration is that of none */
  text_line(out, "budget if %t then %t else 0;", due, m->cost);
  begin_sample(w, out, &w->entrant);
  text_line(out, "when %t = %t shift %t within %t else null;", c->entry, w->r,
            view_distance(w->p, w->entrant.at->var, m->shift),
            view_distance(w->p, w->entrant.at->var, m->within));
  text_line(out, "}");
}

static void propose(struct race *w, struct auto_search *s, const struct moves *moves,
                    bool symmetric, term_id cost) {
  struct text out;
  text_init(&out, w->p);
  text_line(&out, "{");
  write_moves(w, &out, &moves[0]);
  if (!symmetric) {
    text_line(&out, "backward {");
    write_moves(w, &out, &moves[1]);
    text_line(&out, "}");
  }
  text_line(&out, "}");
  const char *proof = text_take(&out);
  if (proof)
    auto_try(s, &(struct auto_candidate){proof, w->p->wants_least ? text_of(w->p, cost) : NULL, 1});
}

/* The cost of both directions; TERM_NONE: which is dearer is not known. */
static term_id dearer(struct auto_problem *p, const struct moves *moves) {
  struct known known;
  known_init(&known, p, CLAIM_FORWARD);
  term_id cost = known_larger(&known, moves[0].total, moves[1].total);
  known_clear(&known);
  return cost;
}

void auto_race(struct auto_problem *p, struct auto_search *s) {
  struct race w;
  struct moves moves[2];
  bool symmetric = claim_is_symmetric(p->goal);
  if (race_find(p, &w) && find_moves(&w, CLAIM_FORWARD, &moves[0]) &&
      (symmetric || find_moves(&w, CLAIM_BACKWARD, &moves[1]))) {
    term_id cost = symmetric ? moves[0].total : dearer(p, moves);
    if (cost != TERM_NONE || !p->wants_least) propose(&w, s, moves, symmetric, cost);
    if (cost != TERM_NONE && !auto_done(s))
      auto_blame(s, w.entrant.at->span, text_of(p, cost),
                 "for each result separately the bar and the value that passes it must move, which "
                 "costs %s in all",
                 text_of(p, cost));
  }
  contest_clear(&w.c);
}
