#include "search/align/event.h"

#include "kernel/dist.h"
#include "search/align/naming.h"
#include "search/base/decided.h"
#include "search/base/text.h"
#include "term/build.h"
#include "term/linear.h"
#include "term/subst.h"

/* ---- on a path ------------------------------------------------------------------------------- */

/* The witness of the event; SIZE_MAX: it is assumed in every iteration. */
static size_t witness_of(const struct align *s, const struct view_event *e) {
  for (size_t w = 0; w < s->witnesses.len; w++)
    if (s->witnesses.at[w].var == e->witness) return w;
  return SIZE_MAX;
}

int align_event_known(const struct align_where *at, const struct view_event *e) {
  size_t w = witness_of(at->s, e);
  if (w == SIZE_MAX) return 1;
  return align_ghost_known(at, w, align_state_value(at->s, &at->path->state, e->in.index));
}

term_id align_event_atom(const struct align_where *at, const struct view_event *e) {
  return term_eq(at->s->ts, align_state_value(at->s, &at->path->state, e->in.index), e->witness);
}

const struct align_assumed *align_assume(struct align *s, const struct align_assumed *before,
                                         const struct view_event *e) {
  if (e->witness == TERM_NONE) return before; /* the program of the view has it decided */
  struct align_assumed *a = arena_new(s->arena, struct align_assumed);
  *a = (struct align_assumed){before, e};
  return a;
}

const struct core *align_decided(struct align *s, const struct align_assumed *assumed,
                                 const struct core *c) {
  for (; assumed; assumed = assumed->previous) {
    struct decided d = {.ts = s->ts, .arena = s->arena, .events = &assumed->event, .count = 1};
    c = decided_code(&d, c);
  }
  return c;
}

/* ---- as proof text --------------------------------------------------------------------------- */

/* One side of the range, seen from within. */
struct side {
  term_id bound; /* of run 1's sample */
  term_id reach; /* how far it is from the location, at least, in terms of parameters */
};

/* A term of proof text, in which variables without a run are those of run 1; or of the program. */
static term_id of_run(struct align *s, term_id t, unsigned run) {
  return t == TERM_NONE ? t : term_tag(s->ts, t, run, s->vars.at, s->vars.len);
}

static bool is_of_runs(struct align *s, term_id t) {
  return term_in_run(s->ts, t, 1) || term_in_run(s->ts, t, 2);
}

/* The term in the iteration of the event, if there is one. */
static term_id at_witness(struct align *s, const struct view_event *e, term_id t) {
  if (e->witness == TERM_NONE || t == TERM_NONE) return t;
  for (unsigned run = 0; run <= 2; run++) {
    term_id index = term_var_in_run(s->ts, e->in.index, run);
    t = term_subst(s->ts, t, &index, &e->witness, 1);
  }
  return t;
}

/* What is assumed of the inputs where the event is: there is such an iteration. */
static term_id given_at(struct align *s, const struct view_event *e) {
  if (e->witness == TERM_NONE) return s->assumption;
  term_id parts[] = {s->assumption, term_le(s->ts, e->in.low, e->witness),
                     term_lt(s->ts, e->witness, e->in.end)};
  return term_and_all(s->ts, parts, 3);
}

/* The most (or least) that the term can be: what depends on the inputs by its bounds. */
static term_id extreme(struct align *s, const struct view_event *e, term_id t, bool most) {
  struct terms *ts = s->ts;
  t = at_witness(s, e, t);
  struct linear l;
  term_id fixed = term_rat(ts, 0, 1), moves = term_rat(ts, 0, 1);
  linear_read(&l, ts, t);
  fixed = term_num(ts, &l.constant, SORT_REAL);
  for (size_t i = 0; i < l.items.len; i++) {
    term_id item =
        term_mul(ts, term_num(ts, &l.items.at[i].coefficient, SORT_REAL), l.items.at[i].atom);
    if (is_of_runs(s, item))
      moves = term_add(ts, moves, item);
    else
      fixed = term_add(ts, fixed, item);
  }
  linear_clear(&l);
  if (term_is_num(ts, moves)) return term_add(ts, fixed, moves);
  struct bounds b = known_bounds(&s->known, given_at(s, e), moves);
  term_id end = most ? b.high : b.low;
  return end == TERM_NONE ? TERM_NONE : term_add(ts, fixed, end);
}

/* y<2> = y<1> + shift has to be on the right side of its bound when y<1> is `margin` inside. */
static term_id margin_of(struct align *s, const struct view_event *e, const struct align_group *g,
                         term_id bound, bool above) {
  struct terms *ts = s->ts;
  const struct core *site = e->site;
  term_id shift = term_int(ts, 0);
  if (g && g->is_null)
    shift = term_sub(ts, of_run(s, site->args[0], 2), of_run(s, site->args[0], 1));
  else if (g)
    shift = of_run(s, g->shift, 1);
  term_id apart = term_sub(ts, of_run(s, bound, 1), of_run(s, bound, 2));
  if (shift == TERM_NONE || apart == TERM_NONE) return TERM_NONE;
  term_id closer = term_add(ts, shift, apart);
  term_id most = extreme(s, e, above ? closer : term_neg(ts, closer), true);
  if (most == TERM_NONE) return TERM_NONE;
  bool needed = !term_is_num(ts, most) || fmpq_sgn(term_num_value(ts, most)) > 0;
  return needed ? most : term_rat(ts, 0, 1);
}

/* Is this the case of the sampling in the iteration of the event? 1, 0, or -1: perhaps. */
static int is_here(struct align *s, const struct view_event *e, const struct align_group *g) {
  size_t w = witness_of(s, e);
  if (w == SIZE_MAX || g->when == TERM_NONE) return -1;
  term_id when = term_subst(s->ts, g->when, &e->in.index, &s->witnesses.at[w].shown, 1);
  return when == term_bool(s->ts, true) ? 1 : when == term_bool(s->ts, false) ? 0 : -1;
}

/* Is the event said by a tail: how far the sample is from the centre? */
static bool is_by_tail(enum dist_kind dist) {
  return dist_has_tail(dist) && dist_is_centred(dist);
}

/* The integers up to the reach, perhaps not itself. */
static term_id whole_reach(struct terms *ts, term_id reach, bool off) {
  return off ? term_sub(ts, term_ceil(ts, reach), term_int(ts, 1)) : term_floor(ts, reach);
}

/* How the sample is compared with its bound. On the reals it is never equal to it. */
static const char *less(const struct view_event *e, bool above) {
  bool closed = dist_is_integer(e->site->dist) && !(above ? e->off_high : e->off_low);
  return closed ? "<=" : "<";
}

static bool find_side(struct align *s, const struct view_event *e, const struct align_group *groups,
                      size_t count, bool above, struct side *out) {
  struct terms *ts = s->ts;
  term_id bound = above ? e->high : e->low, margin = TERM_NONE;
  for (size_t i = 0; i < count || i == 0; i++) {
    int here = count ? is_here(s, e, &groups[i]) : -1;
    if (here == 0) continue;
    term_id own = margin_of(s, e, count ? &groups[i] : NULL, bound, above);
    if (own == TERM_NONE) return false;
    margin = margin == TERM_NONE ? own : known_larger(&s->known, margin, own);
    if (margin == TERM_NONE) return false;
    if (here == 1) break;
  }
  if (margin == TERM_NONE) return false;
  out->bound = above ? term_sub(ts, bound, margin) : term_add(ts, bound, margin);
  out->reach = TERM_NONE;
  if (!is_by_tail(e->site->dist)) return out->bound != TERM_NONE;
  term_id off = term_sub(ts, of_run(s, out->bound, 1), of_run(s, e->site->args[0], 1));
  if (off != TERM_NONE) out->reach = extreme(s, e, above ? off : term_neg(ts, off), false);
  if (out->reach != TERM_NONE && dist_is_integer(e->site->dist))
    out->reach = whole_reach(ts, out->reach, above ? e->off_high : e->off_low);
  else if (out->reach != TERM_NONE)
    out->reach = cost_simplified(ts, out->reach);
  return out->reach != TERM_NONE;
}

static void coin_event(struct align *s, const struct view_event *e, struct text *out) {
  const char *name = term_var_get(s->ts, e->site->var)->name, *no = e->heads ? "" : "not ";
  text_put(out, " upto (%s%s) delta %t in when %s%s", no, name, e->delta, no, name);
}

/* The probability of the tail itself, as a term over parameters. */
static term_id own_tail(struct align *s, const struct view_event *e, enum tail side,
                        term_id reach) {
  term_id args[2];
  if (e->site->arg_count != 2) return TERM_NONE;
  for (size_t i = 0; i < 2; i++)
    args[i] = of_run(s, e->site->args[i], 1);
  term_id mass = args[1] == TERM_NONE || is_of_runs(s, args[1])
                     ? TERM_NONE
                     : dist_tail(s->ts, e->site->dist, args, side, reach);
  return mass == TERM_NONE ? mass : cost_simplified(s->ts, mass);
}

static bool noise_event(struct align *s, const struct view_event *e,
                        const struct align_group *groups, size_t count, struct text *out) {
  struct side low = {TERM_NONE, TERM_NONE}, high = {TERM_NONE, TERM_NONE};
  bool is_low = e->low != TERM_NONE, is_high = e->high != TERM_NONE;
  if (is_low && !find_side(s, e, groups, count, false, &low)) return false;
  if (is_high && !find_side(s, e, groups, count, true, &high)) return false;
  const char *name = term_var_get(s->ts, e->site->var)->name;
  bool tail = is_by_tail(e->site->dist) && (!is_low || !is_high || low.reach == high.reach);
  term_id reach = is_high ? high.reach : low.reach;
  enum tail side = is_low && is_high ? TAIL_BOTH : is_high ? TAIL_ABOVE : TAIL_BELOW;
  term_id price = e->delta;
  if (price == TERM_NONE && tail) price = own_tail(s, e, side, reach);
  if (price == TERM_NONE) return false;
  text_put(out, " upto (");
  if (is_low) text_put(out, "%t %s %s", low.bound, less(e, false), name);
  if (is_low && is_high) text_put(out, " and ");
  if (is_high) text_put(out, "%s %s %t", name, less(e, true), high.bound);
  text_put(out, ") delta %t", price);
  static const char *const sides[] = {
      [TAIL_ABOVE] = "above", [TAIL_BELOW] = "below", [TAIL_BOTH] = "both"};
  if (tail)
    text_put(out, " %s %t", sides[side], reach);
  else if (is_low && is_high)
    text_put(out, " in [%t, %t]", low.bound, high.bound);
  else
    text_put(out, " in %s %t", is_high ? "below" : "above", is_high ? high.bound : low.bound);
  return true;
}

bool align_event(struct align *s, const struct view_event *e, const struct align_group *groups,
                 size_t count, struct text *out) {
  size_t w = witness_of(s, e);
  if (e->site->dist == DIST_BERNOULLI)
    coin_event(s, e, out);
  else if (!noise_event(s, e, groups, count, out))
    return false;
  if (w != SIZE_MAX) text_put(out, " where %t = %t", e->in.index, s->witnesses.at[w].shown);
  return true;
}

/* What the event costs in the last k iterations, by the name of k. */
static void event_total(struct align *s, const struct view_event *e, const char *k,
                        struct text *out) {
  size_t w = witness_of(s, e);
  if (w == SIZE_MAX)
    text_put(out, "%s*(%t)", k, e->delta);
  else
    text_put(out, "(if %s >= %t then %t else 0)", k,
             term_sub(s->ts, e->in.end, s->witnesses.at[w].shown), e->delta);
}

void align_event_deltas(struct align *s, const struct core *loop, struct text *out) {
  const struct view *view = s->problem->view;
  const struct core *origin = view_origin(s->problem, loop);
  const struct view_count *in = NULL;
  const char *k = term_var_get(s->ts, text_fresh_name(s->problem, "k", SORT_INT))->name;
  for (size_t i = 0; i < view->events.len; i++) {
    const struct view_event *e = &view->events.at[i];
    if (e->in.loop != origin) continue;
    text_put(out, in ? " + " : "deltas %s total ", k);
    event_total(s, e, k, out);
    in = &e->in;
  }
  if (!in) return;
  term_id zero = term_int(s->ts, 0), most = term_sub(s->ts, in->end, in->low);
  if (!align_follows(s, term_bool(s->ts, true), term_le(s->ts, zero, most)))
    most = term_max(s->ts, zero, most);
  text_put(out, " counted %t at most %t;\n", term_sub(s->ts, in->end, in->index), most);
}
