#include "search/align/potential.h"

#include <math.h>

#include "search/align/lp.h"
#include "search/align/travel.h"
#include "term/build.h"
#include "term/subst.h"

enum { MAX_COUNTERS = 12 };

/* An integer that steps may decrease. */
struct counter {
  term_id guard; /* at least 0 wherever it decreases */
  term_id left;  /* the same, raised so that it is never negative */
  bool *holds;   /* per state: the guard is at least 0 there */
};

struct potential {
  struct align *s;
  struct align_plan *plan;
  const struct align_end *entries;
  VEC(struct counter) counters;
};

static term_id zero(struct align *s) {
  return term_rat(s->ts, 0, 1);
}

/* ---- counters -------------------------------------------------------------------------------- */

term_id align_as_guard(struct align *s, const struct align_decision *d) {
  struct terms *ts = s->ts;
  enum term_kind kind = term_kind(ts, d->atom);
  if (kind != TERM_LE && kind != TERM_LT) return TERM_NONE;
  term_id a = term_arg(ts, d->atom, 0), b = term_arg(ts, d->atom, 1);
  if (term_sort(ts, a) != SORT_INT || term_sort(ts, b) != SORT_INT) return TERM_NONE;
  bool strict = (kind == TERM_LT) == d->taken;
  term_id e = d->taken ? term_sub(ts, b, a) : term_sub(ts, a, b);
  return strict ? term_sub(ts, e, term_int(ts, 1)) : e;
}

/* By how much the step decreases the term; not a number if that is not fixed. */
static struct ratio decrease(struct align *s, const struct align_step *step, term_id e) {
  term_id after = align_state_value(s, &step->end->state, e);
  term_id by = after == TERM_NONE ? TERM_NONE : term_sub(s->ts, e, after);
  if (by == TERM_NONE || !term_is_num(s->ts, by)) return (struct ratio){0, 0};
  return ratio_from_fmpq(term_num_value(s->ts, by));
}

/* e >= b for a number b >= 0? */
static bool is_above(struct align *s, term_id e, term_id b) {
  term_id gap = term_sub(s->ts, e, b);
  return gap != TERM_NONE && term_is_num(s->ts, gap) && fmpq_sgn(term_num_value(s->ts, gap)) >= 0;
}

/* Does a decision on the path say that e >= 0? */
static bool is_guarded(struct align *s, const struct align_path *p, term_id e) {
  for (const struct align_decision *d = p->decisions; d; d = d->previous) {
    term_id guard = align_as_guard(s, d);
    if (guard != TERM_NONE && is_above(s, e, guard)) return true;
  }
  return false;
}

/* Does a decision on the path say that e is not 0? */
static bool is_told_from_zero(struct align *s, const struct align_path *p, term_id e) {
  for (const struct align_decision *d = p->decisions; d; d = d->previous) {
    if (d->taken || term_kind(s->ts, d->atom) != TERM_EQ) continue;
    term_id a = term_arg(s->ts, d->atom, 0), b = term_arg(s->ts, d->atom, 1);
    if (term_sort(s->ts, a) == SORT_INT &&
        (term_sub(s->ts, a, b) == e || term_sub(s->ts, b, a) == e))
      return true;
  }
  return false;
}

/* Is e at least 0 after the step, if it is (`before`) at least 0 before it? */
static bool keeps(struct align *s, const struct align_step *step, term_id e, struct ratio by,
                  bool before) {
  const struct align_path *p = step->end->path;
  before = before || is_guarded(s, p, e);
  if (by.num == 0 && before) return true;
  if (ratio_eq(by, ratio_int(1)) && before && is_told_from_zero(s, p, e)) return true;
  return is_guarded(s, p, align_state_value(s, &step->end->state, e));
}

static bool starts_above(const struct potential *p, size_t head, term_id e) {
  struct align *s = p->s;
  for (size_t i = 0; i < p->plan->entries.len; i++) {
    if (p->plan->entries.at[i] != head) continue;
    term_id first = align_state_value(s, &p->entries[i].state, e);
    for (size_t point = 0; point < s->points.count; point++)
      if (points_value(&s->points, point, first) < 0) return false;
  }
  return true;
}

/* The states in which e is at least 0: the largest set that the steps keep. */
static void find_states(const struct potential *p, term_id e, bool *holds) {
  size_t n = p->plan->heads.len;
  for (size_t i = 0; i < n; i++)
    holds[i] = starts_above(p, i, e);
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t i = 0; i < n; i++)
      for (size_t j = 0; j < p->plan->heads.at[i]->steps.len; j++) {
        const struct align_step *step = &p->plan->heads.at[i]->steps.at[j];
        if (!holds[step->to] || keeps(p->s, step, e, decrease(p->s, step, e), holds[i])) continue;
        holds[step->to] = false;
        changed = true;
      }
  }
}

static void consider(struct potential *p, term_id e) {
  struct align *s = p->s;
  struct ratio most = ratio_int(0);
  if (p->counters.len == MAX_COUNTERS) return;
  for (size_t i = 0; i < p->counters.len; i++)
    if (p->counters.at[i].guard == e) return;
  bool *holds = arena_alloc(s->arena, p->plan->heads.len + 1);
  find_states(p, e, holds);
  for (size_t i = 0; i < p->plan->heads.len; i++) {
    const struct align_head *h = p->plan->heads.at[i];
    for (size_t j = 0; j < h->steps.len; j++) {
      struct ratio by = decrease(s, &h->steps.at[j], e);
      if (!ratio_le(ratio_int(0), by)) return;
      if (by.num > 0 && !holds[i] && !is_guarded(s, h->steps.at[j].end->path, e)) return;
      most = ratio_max(most, by);
    }
  }
  if (most.num == 0 || most.den != 1) return;
  term_id left = term_add(s->ts, e, term_int(s->ts, most.num));
  vec_push(&p->counters, (struct counter){e, left, holds});
}

/* A quantity compared before or after it changes. */
static void consider_both(struct potential *p, const struct align_step *step, term_id e) {
  if (e == TERM_NONE ||
      term_mentions(p->s->ts, e, step->end->path->unknowns.at, step->end->path->unknowns.len))
    return;
  consider(p, e);
  struct ratio by = decrease(p->s, step, e);
  if (by.den == 1 && by.num > 0) consider(p, term_add(p->s->ts, e, term_int(p->s->ts, by.num)));
}

static void find_counters(struct potential *p) {
  struct align *s = p->s;
  for (size_t i = 0; i < p->plan->heads.len; i++) {
    const struct align_head *h = p->plan->heads.at[i];
    for (size_t j = 0; j < h->steps.len; j++) {
      const struct align_path *path = h->steps.at[j].end->path;
      for (const struct align_decision *d = path->decisions; d; d = d->previous) {
        if (d->relation != REL_NONE) continue;
        consider_both(p, &h->steps.at[j], align_as_guard(s, d));
        if (term_kind(s->ts, d->atom) != TERM_EQ) continue;
        term_id a = term_arg(s->ts, d->atom, 0), b = term_arg(s->ts, d->atom, 1);
        if (term_sort(s->ts, a) != SORT_INT) continue;
        consider_both(p, &h->steps.at[j], term_sub(s->ts, a, b));
        consider_both(p, &h->steps.at[j], term_sub(s->ts, b, a));
      }
    }
  }
}

/* ---- rates and bases ------------------------------------------------------------------------- */

/* What the counters do not pay of a step. */
static term_id unpaid(struct potential *p, const struct align_step *step,
                      const struct align_counter *counters, size_t count) {
  struct align *s = p->s;
  term_id rest = step->cost;
  for (size_t c = 0; c < count; c++) {
    struct ratio by = decrease(s, step, counters[c].left);
    if (!ratio_is_finite(by)) continue;
    rest =
        term_sub(s->ts, rest,
                 term_mul(s->ts, term_rat(s->ts, by.num, (unsigned long)by.den), counters[c].rate));
  }
  return rest;
}

/* What the counters are worth at least in a state. */
static term_id always_left(struct align *s, const struct align_counter *counters, size_t count,
                           size_t head) {
  term_id sum = zero(s);
  for (size_t c = 0; c < count; c++)
    if (counters[c].holds[head])
      sum = term_add(
          s->ts, sum,
          term_mul(s->ts, term_sub(s->ts, counters[c].left, counters[c].guard), counters[c].rate));
  return sum;
}

/* Longest ways: base = what exits and steps need beyond the counters. False: it never settles. */
static bool set_bases(struct potential *p, const struct align_counter *counters, size_t count,
                      bool with_exits, term_id *bases) {
  struct align *s = p->s;
  size_t n = p->plan->heads.len;
  for (size_t i = 0; i < n; i++) {
    const struct align_head *h = p->plan->heads.at[i];
    term_id need = with_exits && h->after ? align_piece_need(s, h->after) : zero(s);
    bases[i] = term_sub(s->ts, need, always_left(s, counters, count, i));
  }
  for (size_t round = 0; round <= n; round++) {
    bool changed = false;
    for (size_t i = 0; i < n; i++) {
      const struct align_head *h = p->plan->heads.at[i];
      for (size_t j = 0; j < h->steps.len; j++) {
        const struct align_step *step = &h->steps.at[j];
        term_id later = align_state_value(s, &step->end->state, bases[step->to]);
        term_id need = term_add(s->ts, unpaid(p, step, counters, count), later);
        term_id most = align_max(s, bases[i], need);
        double before = align_weight(s, bases[i]);
        changed |= align_weight(s, most) > before + 1e-9 * fabs(before) + 1e-12;
        bases[i] = most;
      }
    }
    if (!changed) return true;
  }
  return false;
}

static term_id potential_of(struct align *s, const struct align_counter *counters, size_t count,
                            term_id base) {
  term_id sum = base;
  for (size_t c = 0; c < count; c++)
    sum = term_add(s->ts, sum, term_mul(s->ts, counters[c].left, counters[c].rate));
  return sum;
}

term_id align_potential(struct align *s, const struct align_plan *plan,
                        const struct align_head *h) {
  return potential_of(s, plan->counters.at, plan->counters.len, h->base);
}

/* ---- choice ---------------------------------------------------------------------------------- */

static void attempt(struct potential *p, struct align_counter *counters, size_t count,
                    double *best) {
  struct align *s = p->s;
  size_t n = p->plan->heads.len;
  term_id *bases = arena_alloc(s->arena, (n + 1) * sizeof *bases);
  if (!set_bases(p, counters, count, true, bases)) return;
  double weight = 0;
  for (size_t e = 0; e < p->plan->entries.len; e++) {
    term_id cost = potential_of(s, counters, count, bases[p->plan->entries.at[e]]);
    weight = fmax(weight, align_weight(s, align_state_value(s, &p->entries[e].state, cost)));
  }
  if (weight >= *best * (1 - 1e-9)) return;
  *best = weight;
  p->plan->counters.len = 0;
  for (size_t c = 0; c < count; c++)
    if (counters[c].rate != zero(s)) vec_push(&p->plan->counters, counters[c]);
  for (size_t i = 0; i < n; i++)
    p->plan->heads.at[i]->base = bases[i];
}

/* The iterations alone. */
static void set_travel(struct potential *p) {
  struct align *s = p->s;
  struct align_plan *plan = p->plan;
  term_id *bases = arena_alloc(s->arena, (plan->heads.len + 1) * sizeof *bases);
  bool settled = set_bases(p, plan->counters.at, plan->counters.len, false, bases);
  for (size_t e = 0; e < plan->entries.len; e++) {
    size_t h = plan->entries.at[e];
    term_id base = settled ? bases[h] : plan->heads.at[h]->base;
    vec_push(&plan->travel, potential_of(s, plan->counters.at, plan->counters.len, base));
  }
  ALIGN_KEEP(s, &plan->travel);
}

/* Does the loop leave the variables in the cost alone? */
static bool is_lasting(struct align *s, const struct align_plan *plan, term_id cost) {
  for (size_t v = 0; v < s->vars.len; v++)
    if (plan->written[v] && term_mentions(s->ts, cost, &s->vars.at[v], 1)) return false;
  return true;
}

/* Where steps that cost are not repeated, the dearest way to that very state; else to any. */
term_id align_travel_to(struct align *s, const struct align_plan *plan, size_t entry, size_t head) {
  size_t n = plan->heads.len;
  term_id *far = arena_alloc(s->arena, (n + 1) * sizeof *far);
  for (size_t i = 0; i < n; i++)
    far[i] = TERM_NONE;
  far[plan->entries.at[entry]] = zero(s);
  bool changed = plan->counters.len == 0 && !plan->travel_by && !plan->travels;
  bool settled = false;
  for (size_t round = 0; round <= n && changed; round++) {
    changed = false;
    for (size_t i = 0; i < n; i++)
      for (size_t j = 0; far[i] != TERM_NONE && j < plan->heads.at[i]->steps.len; j++) {
        const struct align_step *step = &plan->heads.at[i]->steps.at[j];
        if (!is_lasting(s, plan, step->cost)) return plan->travel.at[entry];
        term_id cost = term_add(s->ts, far[i], step->cost), old = far[step->to];
        far[step->to] = old == TERM_NONE ? cost : align_max(s, old, cost);
        changed |= far[step->to] != old;
      }
    settled = !changed;
  }
  return settled && far[head] != TERM_NONE ? far[head] : plan->travel.at[entry];
}

/* Does an array differ in one place somewhere in the loop? */
static bool has_places(const struct potential *p) {
  for (size_t i = 0; i < p->plan->heads.len; i++)
    for (size_t v = 0; v < p->s->vars.len; v++) {
      const struct form *f = p->plan->heads.at[i]->state.diff[v];
      if (p->s->place.at[v] != SIZE_MAX && p->plan->live[v] && f->known && !form_is_zero(f))
        return true;
    }
  return false;
}

/* Does what a state needs depend on variables? Then the longest way was found at points only. */
static bool is_doubtful(const struct potential *p) {
  struct align *s = p->s;
  for (size_t i = 0; i < p->plan->heads.len; i++)
    if (term_mentions(s->ts, p->plan->heads.at[i]->base, s->vars.at, s->vars.len)) return true;
  return false;
}

/* Instead of counters: by the place of a difference. */
static void travel(struct potential *p, double *best) {
  struct align *s = p->s;
  bool doubtful = isfinite(*best) && is_doubtful(p);
  if ((isfinite(*best) && p->plan->counters.len == 0 && !doubtful) || !has_places(p)) return;
  struct align_travel *t = align_travel_find(s, p->plan);
  if (t && doubtful) *best = INFINITY;
  double weight = 0;
  for (size_t e = 0; t && e < p->plan->entries.len; e++)
    weight = fmax(weight, align_weight(s, align_travel_cost(s, t, e)));
  if (!t || weight >= *best * (1 - 1e-9)) return;
  *best = weight;
  p->plan->travel_by = t;
  align_travel_use(s, t);
}

/* ---- rates by linear programs ----------------------------------------------------------------
 *
 * Unknown are the rates and, per state, what it needs beyond what is always left of the counters:
 * y = base + sum of (left - guard)*rate over the counters whose guard holds there, at least 0 and
 * what the exit needs. A step from i to j asks for
 *   y_i - y_j + sum of (decrease + what always is left in j - the same in i)*rate >= cost.
 * The rates are those that make the entries cheapest, at every sample point. */

struct rates {
  struct potential *p;
  struct lp lp;
  term_list right; /* right-hand sides, one per row */
};

/* left - guard if the guard holds in the state. */
static struct ratio floor_of(const struct potential *p, size_t counter, size_t head) {
  const struct counter *c = &p->counters.at[counter];
  if (!c->holds[head]) return ratio_int(0);
  return ratio_from_fmpq(term_num_value(p->s->ts, term_sub(p->s->ts, c->left, c->guard)));
}

static void fill_step(struct rates *r, size_t row, size_t from, const struct align_step *step) {
  struct potential *p = r->p;
  size_t n = p->plan->heads.len;
  for (size_t c = 0; c < p->counters.len; c++) {
    struct ratio by = decrease(p->s, step, p->counters.at[c].left);
    by = ratio_add(by, ratio_sub(floor_of(p, c, step->to), floor_of(p, c, from)));
    *lp_at(&r->lp, row, n + c) = ratio_is_finite(by) ? by : ratio_int(0);
  }
  if (step->to == from) return;
  *lp_at(&r->lp, row, from) = ratio_int(1);
  *lp_at(&r->lp, row, step->to) = ratio_int(-1);
}

static void fill_rows(struct rates *r) {
  struct align *s = r->p->s;
  const struct align_plan *plan = r->p->plan;
  size_t rows = plan->heads.len, row = 0;
  for (size_t i = 0; i < plan->heads.len; i++)
    rows += plan->heads.at[i]->steps.len;
  lp_init(&r->lp, rows, plan->heads.len + r->p->counters.len);
  for (size_t i = 0; i < plan->heads.len; i++) {
    const struct align_head *h = plan->heads.at[i];
    *lp_at(&r->lp, row++, i) = ratio_int(1);
    vec_push(&r->right, h->after ? align_piece_need(s, h->after) : zero(s));
    for (size_t j = 0; j < h->steps.len; j++) {
      fill_step(r, row++, i, &h->steps.at[j]);
      vec_push(&r->right, h->steps.at[j].cost);
    }
  }
}

/* What the entries cost at the point: the sum of these is minimised. */
static void fill_costs(struct rates *r, size_t point) {
  struct potential *p = r->p;
  struct align *s = p->s;
  size_t n = p->plan->heads.len;
  for (size_t j = 0; j < r->lp.columns; j++)
    r->lp.c[j] = 0;
  for (size_t e = 0; e < p->plan->entries.len; e++) {
    size_t head = p->plan->entries.at[e];
    r->lp.c[head] += 1;
    for (size_t c = 0; c < p->counters.len; c++) {
      const struct counter *k = &p->counters.at[c];
      term_id left =
          align_state_value(s, &p->entries[e].state, k->holds[head] ? k->guard : k->left);
      r->lp.c[n + c] += fmax(points_value(&s->points, point, left), 0);
    }
  }
  for (size_t row = 0; row < r->lp.rows; row++)
    r->lp.b[row] = points_value(&s->points, point, r->right.at[row]);
}

/* The solution as a term. */
static term_id solution(const struct rates *r, size_t column) {
  struct terms *ts = r->p->s->ts;
  term_id sum = term_rat(ts, 0, 1);
  for (size_t row = 0; row < r->lp.rows; row++) {
    const fmpq *part = fmpq_mat_entry(r->lp.parts, (slong)column, (slong)row);
    if (!fmpq_is_zero(part))
      sum = term_add(ts, sum, term_mul(ts, term_num(ts, part, SORT_REAL), r->right.at[row]));
  }
  return sum;
}

/* The counters with rates that are enough at every point. */
static void attempt_rates(struct potential *p, double *best) {
  struct align *s = p->s;
  struct rates r = {.p = p};
  struct align_counter all[MAX_COUNTERS];
  bool found = false;
  for (size_t c = 0; c < p->counters.len; c++)
    all[c] = (struct align_counter){.left = p->counters.at[c].left,
                                    .guard = p->counters.at[c].guard,
                                    .holds = p->counters.at[c].holds,
                                    .rate = zero(s)};
  fill_rows(&r);
  for (size_t point = 0; point < s->points.count; point++) {
    fill_costs(&r, point);
    fmpq_mat_zero(r.lp.parts);
    if (!lp_solve(&r.lp)) continue;
    for (size_t c = 0; c < p->counters.len; c++)
      all[c].rate = align_max(s, all[c].rate, solution(&r, p->plan->heads.len + c));
    found = true;
  }
  if (found) attempt(p, all, p->counters.len, best);
  lp_clear(&r.lp);
  vec_clear(&r.right);
}

bool align_find_potential(struct align *s, struct align_plan *plan,
                          const struct align_end *entries) {
  struct potential p = {.s = s, .plan = plan, .entries = entries};
  double best = INFINITY;
  attempt(&p, NULL, 0, &best);
  if (!isfinite(best)) {
    find_counters(&p);
    attempt_rates(&p, &best);
  }
  travel(&p, &best);
  if (isfinite(best)) set_travel(&p);
  vec_clear(&p.counters);
  if (!isfinite(best) && !s->blame && !s->unbounded) {
    s->blame_span = plan->loop->span;
    s->unbounded = true;
  }
  return isfinite(best);
}

void align_settle_potential(struct align *s, struct align_plan *plan) {
  if (plan->travel_by) align_travel_use(s, plan->travel_by);
  if (plan->travels) return;
  struct potential p = {.s = s, .plan = plan, .entries = plan->entered};
  term_id *bases = arena_alloc(s->arena, (plan->heads.len + 1) * sizeof *bases);
  if (!set_bases(&p, plan->counters.at, plan->counters.len, true, bases)) return;
  for (size_t i = 0; i < plan->heads.len; i++)
    plan->heads.at[i]->base = bases[i];
}
