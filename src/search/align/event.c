#include "search/align/event.h"

#include "kernel/dist.h"
#include "search/align/naming.h"
#include "search/base/view.h"
#include "term/build.h"
#include "term/linear.h"
#include "term/subst.h"

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

/* The most (or least) that the term can be: what depends on the inputs by its bounds. */
static term_id extreme(struct align *s, term_id t, bool most) {
  struct terms *ts = s->ts;
  struct linear l;
  term_id fixed = term_rat(ts, 0, 1), moves = term_rat(ts, 0, 1);
  fmpq one;
  fmpq_init(&one);
  fmpq_one(&one);
  linear_init(&l);
  linear_add(&l, ts, &one, t);
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
  fmpq_clear(&one);
  if (term_is_num(ts, moves)) return term_add(ts, fixed, moves);
  struct bounds b = known_bounds(&s->known, s->assumption, moves);
  term_id end = most ? b.high : b.low;
  return end == TERM_NONE ? TERM_NONE : term_add(ts, fixed, end);
}

/* y<2> = y<1> + shift has to be on the right side of its bound when y<1> is `margin` inside. */
static term_id margin_of(struct align *s, const struct core *site, const struct align_group *g,
                         term_id bound, bool above) {
  struct terms *ts = s->ts;
  term_id shift = term_int(ts, 0);
  if (g && g->is_null)
    shift = term_sub(ts, of_run(s, site->args[0], 2), of_run(s, site->args[0], 1));
  else if (g)
    shift = of_run(s, g->shift, 1);
  term_id apart = term_sub(ts, of_run(s, bound, 1), of_run(s, bound, 2));
  if (shift == TERM_NONE || apart == TERM_NONE) return TERM_NONE;
  term_id closer = term_add(ts, shift, apart);
  term_id most = extreme(s, above ? closer : term_neg(ts, closer), true);
  if (most == TERM_NONE) return TERM_NONE;
  bool needed = !term_is_num(ts, most) || fmpq_sgn(term_num_value(ts, most)) > 0;
  return needed ? most : term_rat(ts, 0, 1);
}

static bool find_side(struct align *s, const struct view_event *e, const struct align_group *groups,
                      size_t count, bool above, struct side *out) {
  struct terms *ts = s->ts;
  term_id bound = above ? e->high : e->low, margin = TERM_NONE;
  for (size_t i = 0; i < count || i == 0; i++) {
    term_id own = margin_of(s, e->site, count ? &groups[i] : NULL, bound, above);
    if (own == TERM_NONE) return false;
    margin = margin == TERM_NONE ? own : known_larger(&s->known, margin, own);
    if (margin == TERM_NONE) return false;
  }
  out->bound = above ? term_sub(ts, bound, margin) : term_add(ts, bound, margin);
  out->reach = TERM_NONE;
  if (!dist_has_tail(e->site->dist)) return out->bound != TERM_NONE;
  term_id off = term_sub(ts, of_run(s, out->bound, 1), of_run(s, e->site->args[0], 1));
  if (off != TERM_NONE) out->reach = extreme(s, above ? off : term_neg(ts, off), false);
  if (out->reach != TERM_NONE && dist_is_integer(e->site->dist))
    out->reach = term_floor(ts, out->reach);
  else if (out->reach != TERM_NONE)
    out->reach = cost_simplified(ts, out->reach);
  return out->reach != TERM_NONE;
}

static bool coin_event(struct align *s, const struct view_event *e, struct buffer *out) {
  const char *name = term_var_get(s->ts, e->site->var)->name, *no = e->heads ? "" : "not ";
  buffer_printf(out, " upto (%s%s) delta %s in when %s%s", no, name, align_term_text(s, e->delta),
                no, name);
  return true;
}

bool align_event(struct align *s, const struct view_event *e, const struct align_group *groups,
                 size_t count, struct buffer *out) {
  struct side low = {TERM_NONE, TERM_NONE}, high = {TERM_NONE, TERM_NONE};
  bool is_low = e->low != TERM_NONE, is_high = e->high != TERM_NONE;
  if (e->site->dist == DIST_BERNOULLI) return coin_event(s, e, out);
  if (is_low && !find_side(s, e, groups, count, false, &low)) return false;
  if (is_high && !find_side(s, e, groups, count, true, &high)) return false;
  const char *name = term_var_get(s->ts, e->site->var)->name;
  const char *less = dist_is_integer(e->site->dist) ? "<=" : "<";
  buffer_puts(out, " upto (");
  if (is_low) buffer_printf(out, "%s %s %s", align_term_text(s, low.bound), less, name);
  if (is_low && is_high) buffer_puts(out, " and ");
  if (is_high) buffer_printf(out, "%s %s %s", name, less, align_term_text(s, high.bound));
  buffer_printf(out, ") delta %s", align_term_text(s, e->delta));
  bool tail = dist_has_tail(e->site->dist) && (!is_low || !is_high || low.reach == high.reach);
  if (tail)
    buffer_printf(out, " %s %s",
                  is_low && is_high ? "both"
                  : is_high         ? "above"
                                    : "below",
                  align_term_text(s, is_high ? high.reach : low.reach));
  else if (is_low && is_high)
    buffer_printf(out, " in [%s, %s]", align_term_text(s, low.bound),
                  align_term_text(s, high.bound));
  else
    buffer_printf(out, " in %s %s", is_high ? "below" : "above",
                  align_term_text(s, is_high ? high.bound : low.bound));
  return true;
}
