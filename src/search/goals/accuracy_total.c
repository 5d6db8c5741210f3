#include "search/goals/accuracy_total.h"

#include "kernel/context.h"
#include "kernel/dist.h"
#include "proof/cancel.h"
#include "search/base/view.h"
#include "search/goals/accuracy_count.h"
#include "search/goals/accuracy_form.h"
#include "term/build.h"
#include "term/linear.h"
#include "term/subst.h"

struct finder {
  struct auto_problem *p;
  struct terms *ts;
  struct kernel *k;
  const struct core *loop;
  term_id index, low, high; /* in run 1 */
  total_plans *out;
  total_errors *errors; /* or NULL */
};

static term_id own(struct finder *f, term_id t) {
  return kernel_tag(f->k, t, 1);
}

/* ---- the noise of a loop ---------------------------------------------------------------------- */

static bool is_heavy_noise(enum dist_kind dist) {
  return dist == DIST_LAPLACE || dist == DIST_DISCRETE_LAPLACE;
}

static bool is_light_noise(enum dist_kind dist) {
  return dist == DIST_GAUSS || dist == DIST_DISCRETE_GAUSS;
}

/* The scales of the noise in the code; false: there is noise without moments. A coin counts as 1/2:
 * it changes a count by 1. */
static bool find_scales(struct finder *f, const struct core *c, term_list *out, bool *is_heavy) {
  if (c->kind == CORE_SAMPLE) {
    bool is_coin = c->dist == DIST_BERNOULLI;
    if (!is_coin && !is_heavy_noise(c->dist) && !is_light_noise(c->dist)) return false;
    term_id scale = is_coin ? term_rat(f->ts, 1, 2) : term_to_real(f->ts, c->args[1]);
    if (!kernel_is_constant(f->k, scale)) return false;
    *is_heavy |= is_heavy_noise(c->dist);
    for (size_t i = 0; i < out->len; i++)
      if (out->at[i] == scale) return true;
    vec_push(out, scale);
  }
  return (!c->first || find_scales(f, c->first, out, is_heavy)) &&
         (!c->second || find_scales(f, c->second, out, is_heavy));
}

/* The largest of these, as a term. */
static term_id largest(struct terms *ts, const term_list *list) {
  term_id most = list->at[0];
  for (size_t i = 1; i < list->len; i++)
    most = term_max(ts, most, list->at[i]);
  return most;
}

/* -c x as c x */
static term_id without_sign(struct terms *ts, term_id t) {
  term_id atom;
  fmpq_t c;
  fmpq_init(c);
  if (t != TERM_NONE && term_split_coefficient(ts, t, c, &atom) && fmpq_sgn(c) < 0)
    t = term_neg(ts, t);
  fmpq_clear(c);
  return t;
}

/* x := x + .. */
static bool adds_up(struct terms *ts, const struct core *c, term_id x) {
  if (c->kind == CORE_ASSIGN) return c->var == x && term_mentions(ts, c->expr, &x, 1);
  return (c->first && adds_up(ts, c->first, x)) || (c->second && adds_up(ts, c->second, x));
}

/* What one more of x adds to t, if that does not depend on x. */
static term_id slope(struct terms *ts, term_id t, term_id x) {
  enum term_kind kind = term_kind(ts, t);
  if (!term_mentions(ts, t, &x, 1)) return term_int(ts, 0);
  if (t == x) return term_int(ts, 1);
  if (kind == TERM_TO_REAL) return slope(ts, term_arg(ts, t, 0), x);
  if (kind == TERM_DIV && !term_mentions(ts, term_arg(ts, t, 1), &x, 1))
    return term_div(ts, slope(ts, term_arg(ts, t, 0), x), term_arg(ts, t, 1));
  if (kind != TERM_ADD && kind != TERM_MUL) return TERM_NONE;
  term_id sum = term_int(ts, 0), product = term_int(ts, 1), own_slope = TERM_NONE;
  for (size_t i = 0; i < term_arg_count(ts, t); i++) {
    term_id arg = term_arg(ts, t, i);
    bool has = term_mentions(ts, arg, &x, 1);
    if (kind == TERM_ADD) sum = term_add(ts, sum, slope(ts, arg, x));
    if (kind == TERM_MUL && has && own_slope != TERM_NONE) return TERM_NONE;
    if (kind == TERM_MUL && has) own_slope = slope(ts, arg, x);
    if (kind == TERM_MUL && !has) product = term_mul(ts, product, arg);
  }
  return kind == TERM_ADD ? sum : term_mul(ts, product, own_slope);
}

/* The same of a sum over items of an array that the loop writes: what one unit of an item adds. */
static term_id unit_of_items(struct finder *f, term_id sum) {
  struct terms *ts = f->ts;
  term_list parts = {0}, written = {0};
  term_id unit = TERM_NONE;
  term_subterms(ts, sum, &parts);
  core_writes(f->loop->first, &written);
  for (size_t i = 0; i < parts.len && unit == TERM_NONE; i++)
    for (size_t a = 0; term_kind(ts, parts.at[i]) == TERM_APP && a < written.len; a++) {
      term_id array = own(f, written.at[a]);
      if (sort_elem(ts, term_sort(ts, array)) == SORT_NONE ||
          !term_mentions(ts, parts.at[i], &array, 1))
        continue;
      unit = slope(ts, sum, parts.at[i]);
      if (unit != TERM_NONE) unit = without_sign(ts, factors_cancelled(ts, unit));
    }
  vec_clear(&parts);
  vec_clear(&written);
  return unit;
}

/* By how much one unit of what the loop adds up changes the sum: of the first such variable that
 * the sum speaks of. */
static term_id unit_of(struct finder *f, term_id sum) {
  struct terms *ts = f->ts;
  term_list written = {0};
  term_id unit = unit_of_items(f, sum);
  core_writes(f->loop->first, &written);
  for (size_t i = 0; i < written.len && unit == TERM_NONE; i++) {
    term_id x = own(f, written.at[i]);
    if (x == f->index || !adds_up(ts, f->loop->first, written.at[i]) ||
        !sort_is_numeric(term_sort(ts, x)) || !term_mentions(ts, sum, &x, 1))
      continue;
    unit = slope(ts, sum, x);
    if (unit != TERM_NONE) unit = without_sign(ts, factors_cancelled(ts, unit));
    if (unit != TERM_NONE && !kernel_is_constant(f->k, unit)) unit = TERM_NONE;
  }
  vec_clear(&written);
  return unit;
}

/* ---- the sum that the claim is about ---------------------------------------------------------- */

/* t/unit, one quotient for each summand: products are easier to compare than quotients. */
static term_id in_units(struct terms *ts, term_id t, term_id unit) {
  term_id inverse = factors_cancelled(ts, term_reciprocal(ts, unit));
  if (term_kind(ts, t) != TERM_ADD) return factors_cancelled(ts, term_mul(ts, t, inverse));
  term_id sum = term_int(ts, 0);
  for (size_t i = 0; i < term_arg_count(ts, t); i++)
    sum = term_add(ts, sum, factors_cancelled(ts, term_mul(ts, term_arg(ts, t, i), inverse)));
  return sum;
}

static void add_sum(struct finder *f, term_id sum, term_id within) {
  term_list scales = {0};
  struct total_plan t = {.sum = sum, .within = within};
  t.restarts = t.blocks = TERM_NONE;
  if (f->errors) vec_push(f->errors, ((struct total_error){sum, within}));
  term_id unit = unit_of(f, sum);
  bool ok = find_scales(f, f->loop->first, &scales, &t.is_heavy) && scales.len &&
            form_may_be_fair(f->p, f->loop, sum);
  if (ok && unit != TERM_NONE && kernel_is_constant(f->k, within)) {
    t.unit = unit;
    t.sum = in_units(f->ts, sum, unit);
    t.within = in_units(f->ts, within, unit);
    t.scale = largest(f->ts, &scales);
    t.left = term_sub(f->ts, f->high, f->index);
    t.draws = term_sub(f->ts, f->high, f->low);
    vec_push(f->out, t);
  }
  vec_clear(&scales);
}

/* The index, or a counter with the same value. */
static bool is_index(struct finder *f, term_id x) {
  if (x == f->loop->var || term_kind(f->ts, x) != TERM_VAR) return x == f->loop->var;
  return count_at(f->ts, view_program(f->p), f->loop, x) == f->loop->var;
}

/* a[i] := e in the body: e, if the last element is a[i-1]. */
static term_id stored(struct finder *f, const struct core *c, term_id array) {
  struct terms *ts = f->ts;
  term_id found = TERM_NONE;
  if (c->kind == CORE_ASSIGN && own(f, c->var) == array && term_kind(ts, c->expr) == TERM_STORE &&
      term_arg(ts, c->expr, 0) == c->var && is_index(f, term_arg(ts, c->expr, 1)))
    return own(f, term_arg(ts, c->expr, 2));
  if (c->kind != CORE_SEQ && c->kind != CORE_IF) return TERM_NONE;
  found = stored(f, c->first, array);
  return found != TERM_NONE ? found : stored(f, c->second, array);
}

/* Elements of arrays that were written last, as what was written. */
static term_id without_elements(struct finder *f, term_id t, term_id last) {
  struct terms *ts = f->ts;
  term_list parts = {0};
  term_subterms(ts, t, &parts);
  for (size_t i = 0; i < parts.len; i++) {
    if (term_kind(ts, parts.at[i]) != TERM_SELECT || term_arg(ts, parts.at[i], 1) != last) continue;
    term_id value = stored(f, f->loop->first, term_arg(ts, parts.at[i], 0));
    if (value != TERM_NONE) t = term_replace(ts, t, &parts.at[i], &value, 1);
  }
  vec_clear(&parts);
  return t;
}

/* The sum after fewer iterations: the end of the range is the index then, but for numbers that
 * something else is multiplied with or divided by, as in an average. */
static term_id so_far(struct finder *f, term_id t) {
  struct terms *ts = f->ts;
  enum term_kind kind = term_kind(ts, t);
  bool is_product = kind == TERM_MUL || kind == TERM_DIV;
  if (!term_mentions(ts, t, &f->high, 1)) return t;
  if (kernel_is_constant(f->k, t) || (kind != TERM_ADD && !is_product))
    return term_replace(ts, t, &f->high, &f->index, 1);
  term_list args = {0};
  for (size_t i = 0; i < term_arg_count(ts, t); i++) {
    term_id arg = term_arg(ts, t, i);
    bool stays = is_product && kernel_is_constant(f->k, arg);
    vec_push(&args, stays ? arg : so_far(f, arg));
  }
  t = term_rebuild(ts, t, args.at);
  vec_clear(&args);
  return t;
}

static void look(struct finder *f, term_id formula, bool is_range) {
  struct terms *ts = f->ts;
  switch (term_kind(ts, formula)) {
  case TERM_AND:
    for (size_t i = 0; i < term_arg_count(ts, formula); i++)
      look(f, term_arg(ts, formula, i), is_range);
    return;
  case TERM_IMPLIES: look(f, term_arg(ts, formula, 1), is_range); return;
  case TERM_FORALL: {
    term_id last = term_sub(ts, f->index, term_int(ts, 1));
    look(f, without_elements(f, term_instantiate(ts, formula, last), last), true);
    return;
  }
  case TERM_LE: {
    term_id left = term_arg(ts, formula, 0), within = term_arg(ts, formula, 1);
    if (term_kind(ts, left) != TERM_ABS) return;
    term_id sum = term_arg(ts, left, 0);
    if (!is_range) sum = so_far(f, sum);
    add_sum(f, sum, within);
    return;
  }
  default: return;
  }
}

void totals_wanted(struct auto_problem *p, const struct core *loop, term_id wanted,
                   total_plans *out, total_errors *errors) {
  if (loop->var == TERM_NONE) return;
  struct finder f = {.p = p,
                     .ts = p->ts,
                     .k = claim_kernel(p->goal, CLAIM_FORWARD),
                     .loop = loop,
                     .out = out,
                     .errors = errors};
  f.index = own(&f, loop->var);
  f.low = own(&f, loop->args[0]);
  f.high = own(&f, loop->args[1]);
  look(&f, wanted, false);
}

/* ---- distance and probability ----------------------------------------------------------------- */

/* ln(2 parts (z + 1)/failure) */
static term_id exponent(struct terms *ts, const struct total_plan *t, term_id failure,
                        size_t parts) {
  term_id starts =
      t->blocks == TERM_NONE ? term_int(ts, 1) : term_add(ts, t->blocks, term_int(ts, 1));
  term_id ways = term_mul(ts, term_int(ts, 2 * (long)parts), starts);
  term_id odds = term_div(ts, ways, failure);
  return term_ln(ts, t->blocks == TERM_NONE ? factors_cancelled(ts, odds) : odds);
}

term_id total_distance(struct terms *ts, const struct total_plan *t, term_id failure,
                       size_t parts) {
  term_id e = exponent(ts, t, failure, parts), spread = term_mul(ts, t->draws, e);
  if (!t->is_heavy) {
    term_id twice = term_mul(ts, term_int(ts, 2), spread);
    return term_mul(ts, t->scale, term_sqrt(ts, twice));
  }
  term_id root = term_mul(ts, term_int(ts, 2), term_sqrt(ts, spread));
  return term_mul(ts, t->scale, term_add(ts, root, e));
}

term_id total_failure(struct terms *ts, const struct total_plan *t) {
  if (t->is_heavy || t->blocks != TERM_NONE) return TERM_NONE;
  term_id twice = term_mul(ts, term_int(ts, 2), t->draws);
  term_id below = term_mul(ts, twice, term_mul(ts, t->scale, t->scale));
  term_id e = factors_cancelled(ts, term_div(ts, term_mul(ts, t->within, t->within), below));
  return term_mul(ts, term_int(ts, 2), term_exp(ts, term_neg(ts, e)));
}
