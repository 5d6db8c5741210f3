#include "auto/lift.h"

#include "kernel/dist.h"
#include "term/build.h"
#include "term/subst.h"

void lift_clear(struct lift *lift) {
  vec_clear(&lift->steps);
}

static bool is_one_sided(const struct entrant *e) {
  return dist_shift_way(e->at->dist) == SHIFT_UP;
}

static term_id smaller(const struct known *known, term_id a, term_id b) {
  struct terms *ts = known->p->ts;
  if (a == TERM_NONE || b == TERM_NONE) return a == TERM_NONE ? b : a;
  term_id less = known_larger(known, term_neg(ts, a), term_neg(ts, b));
  return less == TERM_NONE ? TERM_NONE : term_neg(ts, less);
}

/* What holds when the entrant is up, and its result is r or is not. */
static term_id situation(const struct contest *c, const struct entrant *e, term_id r, bool winner) {
  term_id same = term_eq(c->ts, e->entry, r);
  term_id here = winner ? same : term_not(c->ts, same);
  if (!e->in_loop) return here;
  return term_and(c->ts, here, term_and(c->ts, c->range, c->loop->expr));
}

static struct bounds value_bounds(const struct contest *c, const struct known *known,
                                  const struct entrant *e, term_id r, bool winner) {
  term_id at_centre = term_subst(c->ts, e->value, &e->sample, &e->centre, 1);
  return known_bounds(known, situation(c, e, r, winner), contest_difference(c, at_centre));
}

static bool speaks_of(const struct known *known, term_id r) {
  term_list vars = {0};
  term_free_vars(known->p->ts, r, &vars);
  bool found = false;
  for (size_t i = 0; i < known->facts.len && !found; i++)
    found = term_mentions(known->p->ts, known->facts.at[i], vars.at, vars.len);
  vec_clear(&vars);
  return found;
}

/* Shift and price of an entrant whose difference lies in b, for the amount of the lift. */
static bool price(const struct contest *c, const struct known *known, const struct entrant *e,
                  struct bounds b, term_id amount, struct lift_step *out) {
  struct terms *ts = c->ts;
  term_id up = term_sub(ts, amount, b.low), down = term_sub(ts, b.high, amount);
  term_id most = known_larger(known, up, down);
  fmpq_t inverse;
  fmpq_init(inverse);
  fmpq_inv(inverse, term_num_value(ts, e->factor));
  bool flipped = fmpq_sgn(inverse) < 0;
  term_id by = fmpz_is_one(fmpq_denref(inverse)) ? term_num(ts, inverse, SORT_INT)
                                                 : term_num(ts, inverse, SORT_REAL);
  fmpq_clear(inverse);
  if (most == TERM_NONE) return false;
  /* one-sided noise may only grow */
  if (is_one_sided(e) &&
      !known_entails(known, TERM_NONE, term_le(ts, flipped ? up : down, term_int(ts, 0))))
    return false;
  term_id moved = term_sub(ts, amount, contest_difference(c, e->rest));
  out->shift = term_mul(ts, by, moved);
  out->within = term_mul(ts, flipped ? term_neg(ts, by) : by, most);
  out->cost = cost_simplified(ts, term_mul(ts, out->within, term_reciprocal(ts, e->scale)));
  return out->shift != TERM_NONE && out->cost != TERM_NONE;
}

bool lift_find(const struct contest *c, const struct known *known, term_id r, struct lift *out) {
  *out = (struct lift){.low = TERM_NONE};
  struct bounds winner[PATHS_LIMIT];
  size_t count = c->entrants.len;
  if (count > PATHS_LIMIT) return false;
  bool apart = speaks_of(known, r);
  for (size_t i = 0; i < count; i++) {
    const struct entrant *e = &c->entrants.at[i];
    struct bounds others = value_bounds(c, known, e, r, false);
    winner[i] = apart ? value_bounds(c, known, e, r, true) : others;
    if (others.low == TERM_NONE || others.high == TERM_NONE || winner[i].low == TERM_NONE ||
        winner[i].high == TERM_NONE)
      return false;
    out->low = smaller(known, out->low, others.low);
    out->high = i == 0 ? others.high : known_larger(known, out->high, others.high);
    if (out->low == TERM_NONE || out->high == TERM_NONE) return false;
  }
  out->amount = c->upwards ? out->high : out->low;
  for (size_t i = 0; i < count && out->amount != TERM_NONE; i++)
    if (is_one_sided(&c->entrants.at[i]))
      out->amount = c->upwards ? known_larger(known, out->amount, winner[i].high)
                               : smaller(known, out->amount, winner[i].low);
  if (out->amount == TERM_NONE) return false;
  out->cost = out->loop_cost = TERM_NONE;
  for (size_t i = 0; i < count; i++) {
    struct lift_step step;
    if (!price(c, known, &c->entrants.at[i], winner[i], out->amount, &step)) return false;
    vec_push(&out->steps, step);
    out->cost = known_larger(known, step.cost, out->cost);
    if (c->entrants.at[i].in_loop) out->loop_cost = known_larger(known, step.cost, out->loop_cost);
    if (out->cost == TERM_NONE) return false;
  }
  return out->loop_cost != TERM_NONE;
}
