#include "search/goals/accuracy.h"

#include <string.h>

#include "kernel/context.h"
#include "kernel/dist.h"
#include "proof/cancel.h"
#include "search/base/points.h"
#include "search/base/text.h"
#include "search/base/view.h"
#include "search/goals/accuracy_index.h"
#include "search/goals/accuracy_internal.h"
#include "search/goals/accuracy_stated.h"
#include "search/goals/fuse.h"
#include "term/build.h"
#include "term/subst.h"

/* Is a number asked for that the formula compares with? */
static bool asks_number(const struct auto_problem *p) {
  return p->wants_least && p->claim->as.claim.asked != p->claim->as.claim.epsilon;
}

enum { MOST_SITES = 4 }; /* samplings, where they are left out one by one */
enum {
  LESS_PATIENT = 20
}; /* the solver, by this factor, where most questions are expected to fail */

/* ---- samplings -------------------------------------------------------------------------------- */

/* Iterations of a loop as its head says; TERM_NONE: not known. */
static term_id iterations(struct accuracy *a, const struct core *c) {
  struct kernel *k = claim_kernel(a->p->goal, CLAIM_FORWARD);
  if (c->var == TERM_NONE) return TERM_NONE;
  term_id n = term_sub(a->ts, c->args[1], c->args[0]);
  return kernel_is_constant(k, term_to_real(a->ts, n)) ? n : TERM_NONE;
}

static const struct core *gumbel_in(const struct core *c) {
  if (c->kind == CORE_SAMPLE) return c->dist == DIST_GUMBEL ? c : NULL;
  const struct core *found = c->first ? gumbel_in(c->first) : NULL;
  return found || !c->second ? found : gumbel_in(c->second);
}

/* A contest that the sequence begins with is one site; returns what is behind it, or NULL: there is
 * none. */
static const struct core *pass_contest(struct accuracy *a, const struct core *c, term_id times) {
  const struct core *loop = a->by_contest ? accuracy_contest(a, c) : NULL;
  term_id n = loop ? iterations(a, loop) : TERM_NONE;
  if (n == TERM_NONE || times == TERM_NONE || accuracy_winner(a, loop) == TERM_NONE) return NULL;
  bool has_opening = c->kind == CORE_SEQ && c->first->kind == CORE_SAMPLE;
  if (has_opening) n = term_add(a->ts, n, term_int(a->ts, 1));
  vec_push(&a->sites, ((struct noise_site){gumbel_in(loop), term_mul(a->ts, times, n), loop, n}));
  while (c->kind == CORE_SEQ && c->first != loop)
    c = c->second;
  return c->kind == CORE_SEQ ? c->second : core_skip();
}

static void find_sites(struct accuracy *a, const struct core *c, term_id times) {
  const struct core *rest = pass_contest(a, c, times);
  if (rest) {
    find_sites(a, rest, times);
    return;
  }
  if (c->kind == CORE_SAMPLE && times != TERM_NONE) {
    if (dist_has_tail(c->dist)) vec_push(&a->sites, ((struct noise_site){.c = c, .times = times}));
    if (accuracy_is_coin(c)) vec_push(&a->coins, c);
  }
  if (c->kind == CORE_WHILE) {
    term_id n = iterations(a, c);
    times = n == TERM_NONE || times == TERM_NONE ? TERM_NONE : term_mul(a->ts, times, n);
  }
  if (c->first) find_sites(a, c->first, times);
  if (c->second) find_sites(a, c->second, times);
}

void accuracy_look_at(struct accuracy *a, struct auto_problem *p) {
  a->p = p;
  a->sites.len = a->coins.len = a->keep.sites.len = 0;
  find_sites(a, view_program(p), term_int(a->ts, 1));
  size_t left = 0;
  for (size_t i = 0; i < a->sites.len; i++)
    if (!(a->without >> i & 1)) a->sites.at[left++] = a->sites.at[i];
  a->sites.len = left;
  for (size_t i = 0; i < a->sites.len; i++)
    vec_push(&a->keep.sites, a->sites.at[i].c);
}

/* ---- distances -------------------------------------------------------------------------------- */

/* All draws share what the claim allows. */
static bool plan_by_failure(struct accuracy *a) {
  struct terms *ts = a->ts;
  term_id draws = term_int(ts, 0);
  for (size_t i = 0; i < a->sites.len; i++)
    draws = term_add(ts, draws, a->sites.at[i].times);
  term_id failure = claim_epsilon(a->p->goal), share = term_div(ts, failure, draws);
  a->distances.len = a->shares.len = 0;
  for (size_t i = 0; i < a->sites.len; i++) {
    const struct core *c = a->sites.at[i].c;
    if (!dist_is_centred(c->dist)) return false;
    vec_push(&a->distances,
             accuracy_distance_for(a->ts, c, failure, draws, accuracy_tail_at(a, i) != TAIL_BOTH,
                                   asks_number(a->p)));
    vec_push(&a->shares, share);
  }
  return true;
}

/* The distances are parts of a number of the claim. */
static void plan_by_distance(struct accuracy *a, term_id whole, unsigned parts) {
  a->distances.len = a->shares.len = 0;
  for (size_t i = 0; i < a->sites.len; i++) {
    term_id t = parts == 1 ? whole : term_div(a->ts, whole, term_int(a->ts, (long)parts));
    bool is_integer = dist_is_integer(a->sites.at[i].c->dist);
    vec_push(&a->distances, is_integer ? term_floor(a->ts, t) : term_to_real(a->ts, t));
    vec_push(&a->shares, TERM_NONE);
  }
}

/* What the plan fails with; TERM_NONE: it is not a term over parameters. */
static term_id plan_failure(struct accuracy *a) {
  struct terms *ts = a->ts;
  term_id sum = term_rat(ts, 0, 1);
  for (size_t i = 0; i < a->sites.len; i++) {
    const struct core *c = a->sites.at[i].c;
    term_id tail = dist_tail(ts, c->dist, c->args, accuracy_tail_at(a, i), a->distances.at[i]);
    sum = term_add(ts, sum, term_mul(ts, a->sites.at[i].times, tail));
  }
  sum = factors_cancelled(ts, sum); /* as a person would write it; it is proved as it is shown */
  bool fits = sum != TERM_NONE && kernel_is_constant(claim_kernel(a->p->goal, CLAIM_FORWARD), sum);
  return fits ? sum : TERM_NONE;
}

/* Not more than the claim allows, as far as sample points tell. */
static bool plan_may_fit(struct accuracy *a) {
  struct points points;
  term_id sum = plan_failure(a);
  points_init(&points, a->p);
  bool fits = sum == TERM_NONE || points_at_most(&points, sum, claim_epsilon(a->p->goal));
  points_clear(&points);
  return fits;
}

/* ---- attempts --------------------------------------------------------------------------------- */

/* One coin, and no other noise: what the claim allows, or the probabilities of its samples. */
static void try_coin(struct accuracy *a) {
  struct terms *ts = a->ts;
  const struct core *c = a->coins.len == 1 && !a->sites.len ? a->coins.at[0] : NULL;
  if (!c) return;
  a->chance = claim_epsilon(a->p->goal);
  if (!a->p->wants_least) accuracy_attempt(a, NULL);
  for (int side = 0; side < 2 && a->p->wants_least && c->dist == DIST_BERNOULLI; side++) {
    a->chance = side ? term_sub(ts, term_int(ts, 1), c->args[0]) : c->args[0];
    const char *failure = text_of(a->p, a->chance);
    if (failure) accuracy_attempt(a, failure);
  }
  a->chance = TERM_NONE;
}

static void try_failure(struct accuracy *a) {
  if (!a->p->wants_least && !auto_done(a->s) && plan_by_failure(a)) accuracy_attempt(a, NULL);
}

/* Every number of the claim, divided by `parts`. */
static void try_distances(struct accuracy *a, unsigned parts) {
  term_list wholes = {0};
  keep_distances(a->p, &wholes);
  for (size_t i = 0; i < wholes.len && !auto_done(a->s); i++) {
    plan_by_distance(a, wholes.at[i], parts);
    if (!a->p->wants_least && !plan_may_fit(a)) continue;
    term_id sum = a->p->wants_least ? plan_failure(a) : TERM_NONE;
    const char *failure = sum == TERM_NONE ? NULL : text_of(a->p, sum);
    if (!a->p->wants_least || failure) accuracy_attempt(a, failure);
  }
  vec_clear(&wholes);
}

/* ---- sums of noise ---------------------------------------------------------------------------- */

/* Does a loop in the code sample? */
static bool has_random_loop(const struct core *c) {
  if (c->kind == CORE_WHILE) return core_is_random(c);
  return (c->first && has_random_loop(c->first)) || (c->second && has_random_loop(c->second));
}

/* The only loop of the program that samples, if nothing else does, no loop inside of it does, and it
 * is not inside another. */
static const struct core *summing_loop(const struct core *c) {
  const struct core *found = NULL;
  for (; c; c = c->kind == CORE_SEQ ? c->second : NULL) {
    const struct core *part = c->kind == CORE_SEQ ? c->first : c;
    if (!core_is_random(part)) continue;
    if (found || part->kind != CORE_WHILE || has_random_loop(part->first)) return NULL;
    found = part;
  }
  return found;
}

/* The sums of noise that the formula bounds; what they are to be goes to `errors`, or NULL. */
static const struct core *find_totals(struct accuracy *a, total_plans *out, total_errors *errors) {
  const struct core *loop = summing_loop(view_program(a->p));
  if (!loop) return NULL;
  a->distances.len = 0;
  for (size_t i = 0; i < a->sites.len; i++)
    vec_push(&a->distances, TERM_NONE);
  keep_find(&a->keep, a->p, a->distances.at, a->sites.len);
  for (size_t i = 0; i < a->keep.wanted.len; i++)
    if (a->keep.wanted.at[i].loop == loop)
      totals_wanted(a->p, loop, a->keep.wanted.at[i].formula, out, errors);
  return loop;
}

/* One sum at a time. `found`: the text of the number that is asked for, or NULL. */
static bool attempt_totals(struct accuracy *a, const char *found) {
  bool ok = false, asks_failure = a->p->wants_least && !found;
  total_plans plans = {0};
  a->sum_loop = find_totals(a, &plans, NULL);
  for (size_t i = 0; i < plans.len && !ok && !auto_is_late(a->s); i++) {
    struct total_plan *t = &plans.at[i];
    t->failure = asks_failure ? total_failure(a->ts, t) : claim_epsilon(a->p->goal);
    const char *text = asks_failure && t->failure != TERM_NONE ? text_of(a->p, t->failure) : found;
    if (t->failure == TERM_NONE || (asks_failure && !text)) continue;
    a->totals.len = 0;
    vec_push(&a->totals, *t);
    ok = accuracy_attempt(a, text);
  }
  a->sum_loop = NULL;
  vec_clear(&plans);
  return ok;
}

/* The error as several sums, which share what the claim allows. */
static void find_splits(struct accuracy *a, total_splits *out) {
  struct terms *ts = a->ts;
  total_plans unused = {0};
  total_errors errors = {0};
  const struct core *loop = find_totals(a, &unused, &errors);
  for (size_t i = 0; i < errors.len; i++)
    form_splits(a->p, loop, errors.at[i], out);
  for (size_t i = 0; i < out->len; i++)
    for (size_t k = 0; k < out->at[i].count; k++) {
      struct total_plan *t = &out->at[i].parts[k];
      term_id failure = claim_epsilon(a->p->goal);
      t->failure = term_div(ts, failure, term_int(ts, (long)out->at[i].count));
      t->within = total_distance(ts, t, failure, out->at[i].count);
    }
  vec_clear(&unused);
  vec_clear(&errors);
}

/* What the parts of an error may reach together. */
static term_id reach_of(struct accuracy *a, const struct total_split *s) {
  term_id sum = term_rat(a->ts, 0, 1);
  for (size_t k = 0; k < s->count; k++)
    sum = term_add(a->ts, sum, s->parts[k].within);
  return sum;
}

static bool is_same_number(const struct points *points, term_id x, term_id y) {
  return points_at_most(points, x, y) && points_at_most(points, y, x);
}

/* Distances as the claim writes them, if it adds them up: the solver need not compare. */
static void use_stated_distances(struct accuracy *a, const struct points *points,
                                 struct total_split *s) {
  if (term_kind(a->ts, s->bound) != TERM_ADD) return;
  for (size_t k = 0; k < s->count; k++)
    for (size_t i = 0; i < term_arg_count(a->ts, s->bound); i++) {
      term_id stated = term_arg(a->ts, s->bound, i);
      if (is_same_number(points, stated, s->parts[k].within)) s->parts[k].within = stated;
    }
}

/* Those that reach farther than the claim allows are left out; those that reach as far are first. */
static void sort_splits(struct accuracy *a, total_splits *splits) {
  struct points points;
  size_t left = 0;
  total_splits later = {0};
  points_init(&points, a->p);
  for (size_t i = 0; i < splits->len; i++) {
    term_id reach = reach_of(a, &splits->at[i]), bound = splits->at[i].bound;
    if (!points_at_most(&points, reach, bound)) continue;
    if (points_at_most(&points, bound, reach)) {
      use_stated_distances(a, &points, &splits->at[i]);
      splits->at[left++] = splits->at[i];
    } else {
      vec_push(&later, splits->at[i]);
    }
  }
  splits->len = left;
  for (size_t i = 0; i < later.len; i++)
    vec_push(splits, later.at[i]);
  vec_clear(&later);
  points_clear(&points);
}

static bool attempt_splits(struct accuracy *a, const char *found) {
  bool ok = false;
  total_splits splits = {0};
  if (a->p->wants_least && !found) return false; /* no closed form for the probability */
  find_splits(a, &splits);
  sort_splits(a, &splits);
  a->sum_loop = summing_loop(view_program(a->p));
  for (size_t i = 0; i < splits.len && !ok && !auto_is_late(a->s); i++) {
    a->totals.len = 0;
    for (size_t k = 0; k < splits.at[i].count; k++)
      vec_push(&a->totals, splits.at[i].parts[k]);
    a->kept = splits.at[i].kept;
    ok = accuracy_attempt(a, found);
  }
  a->sum_loop = NULL;
  a->kept = TERM_NONE;
  vec_clear(&splits);
  return ok;
}

/* ---- iterations that fail differently --------------------------------------------------------- */

/* A logarithm in the term, `is_bound`: of what a quantifier binds; TERM_NONE: there is none. */
static term_id find_ln(struct terms *ts, term_id t, bool is_bound) {
  if (term_kind(ts, t) == TERM_LN && (term_get(ts, t)->loose != 0) == is_bound) return t;
  term_id found = TERM_NONE;
  for (size_t i = 0; i < term_arg_count(ts, t) && found == TERM_NONE; i++)
    found = find_ln(ts, term_arg(ts, t, i), is_bound);
  return found;
}

/* Tries a plan for the loop whose only noise is that of the first site. */
static void attempt_each(struct accuracy *a, struct each_plan plan, term_id distance) {
  a->distances.len = a->shares.len = 0;
  vec_push(&a->distances, distance);
  vec_push(&a->shares, plan.share);
  a->each = plan;
  accuracy_attempt(a, NULL);
  a->each.loop = NULL;
}

/* Iteration i may fail with beta/((i + 1)(i + 2)), or with beta/2^(i + 1): all of them with beta, if
 * there are ever so many. Where the distances of the formula depend on the index. */
static void try_decreasing(struct accuracy *a, const struct core *loop, term_id k) {
  struct terms *ts = a->ts;
  const struct core *c = a->sites.at[0].c;
  term_id ln = find_ln(ts, claim_post(a->p->goal), true);
  if (ln == TERM_NONE || !dist_is_centred(c->dist)) return;
  bool is_fast = term_get(ts, ln)->flags & TERM_HAS_RAISE;
  term_id one = term_int(ts, 1), n = loop->args[1], beta = claim_epsilon(a->p->goal);
  term_id i = term_add(ts, loop->var, one), left = term_sub(ts, n, k), at = term_add(ts, left, one);
  term_id from = is_fast ? term_raise(ts, 2, left) : at; /* what is behind it, what is before it */
  term_id to = is_fast ? term_raise(ts, 2, n) : term_add(ts, n, one);
  term_id odds = is_fast ? term_raise(ts, 2, at) : term_mul(ts, at, term_add(ts, at, one));
  term_id draws = is_fast ? term_raise(ts, 2, i) : term_mul(ts, i, term_add(ts, i, one));
  struct each_plan plan = {loop, k, term_div(ts, beta, odds), TERM_NONE};
  plan.total = term_sub(ts, term_div(ts, beta, from), term_div(ts, beta, to));
  attempt_each(a, plan, accuracy_distance_for(a->ts, c, beta, draws, false, asks_number(a->p)));
}

/* n iterations fail independently of each other: 1 - (1 - p)^n, if the claim says so. */
static void try_independent(struct accuracy *a, const struct core *loop, term_id k) {
  struct terms *ts = a->ts;
  const struct core *c = a->sites.at[0].c;
  term_id none = find_ln(ts, claim_epsilon(a->p->goal), false);
  if (none == TERM_NONE || !dist_is_centred(c->dist)) return;
  term_id p = term_sub(ts, term_int(ts, 1), term_arg(ts, none, 0));
  struct each_plan plan = {loop, k, p, TERM_NONE};
  plan.total = term_sub(ts, term_int(ts, 1), term_exp(ts, term_mul(ts, k, none)));
  attempt_each(a, plan,
               accuracy_distance_for(a->ts, c, p, term_int(ts, 1), false, asks_number(a->p)));
}

static void try_each(struct accuracy *a) {
  const struct core *loop = summing_loop(view_program(a->p));
  term_id zero = term_int(a->ts, 0);
  if (!loop || loop->var == TERM_NONE || loop->args[0] != zero || a->sites.len != 1 ||
      a->p->wants_least || iterations(a, loop) == TERM_NONE)
    return;
  term_id k = text_fresh_name(a->p, "k", SORT_INT);
  if (!auto_done(a->s)) try_decreasing(a, loop, k);
  if (!auto_done(a->s)) try_independent(a, loop, k);
}

/* ---- the number that is asked for ------------------------------------------------------------- */

typedef bool attempt_by(struct accuracy *a, const char *found);

/* The claim with this number in its formula. */
static bool attempt_number(struct accuracy *a, term_id number, attempt_by *by) {
  struct auto_problem *p = a->p, with = *p;
  const char *text = text_of(p, number);
  struct ast_expr *e = text ? auto_expr(a->s, text) : NULL;
  with.goal =
      e ? claim_open_by(p->lang, p->module, p->claim, e, NULL, p->ts, &p->smt->decider, NULL)
        : NULL;
  if (!with.goal) return false;
  struct view view;
  view_init(&view, claim_program(with.goal)->program);
  index_view(&with, &view);
  with.view = &view;
  accuracy_look_at(a, &with);
  bool ok = by(a, text);
  accuracy_look_at(a, p);
  view_clear(&view);
  claim_close(with.goal);
  return ok;
}

/* a/b where that is a number; else TERM_NONE. */
static term_id ratio(struct accuracy *a, term_id x, term_id y) {
  term_id r = factors_cancelled(a->ts, term_div(a->ts, x, y));
  return r != TERM_NONE && term_is_num(a->ts, r) ? r : TERM_NONE;
}

/* The offset and the sum of the distances, each as often as `factors` says; multiples of one are put
 * together. */
static term_id add_up(struct accuracy *a, const term_id *factors) {
  struct terms *ts = a->ts;
  term_id sum = a->offset;
  bool *is_in = arena_alloc(a->p->arena, a->sites.len * sizeof *is_in);
  memset(is_in, 0, a->sites.len * sizeof *is_in);
  for (size_t i = 0; i < a->sites.len; i++) {
    term_id unit = term_to_real(ts, a->distances.at[i]), count = term_rat(ts, 0, 1);
    for (size_t k = i; k < a->sites.len; k++) {
      term_id other = term_to_real(ts, a->distances.at[k]);
      term_id r = is_in[k] ? TERM_NONE : k == i ? term_rat(ts, 1, 1) : ratio(a, other, unit);
      if (r == TERM_NONE) continue;
      count = term_add(ts, count, term_mul(ts, term_to_real(ts, factors[k]), r));
      is_in[k] = true;
    }
    sum = term_add(ts, sum, factors_cancelled(ts, term_mul(ts, count, unit)));
  }
  return sum;
}

/* How often its noise can count: not at all, once, on both sides of a comparison, at every draw. */
static term_id factor_at(struct accuracy *a, size_t site, long level) {
  return level < 3 ? term_int(a->ts, level) : a->sites.at[site].times;
}

/* Those that count nothing, as bits. */
static unsigned unneeded_of(struct accuracy *a, const term_list *factors) {
  unsigned found = 0;
  for (size_t i = 0; i < a->sites.len && i < MOST_SITES; i++)
    if (factors->at[i] == factor_at(a, i, 0)) found |= 1u << i;
  return found;
}

/* Lowers what each noise counts, beginning at one end: which can be lowered may depend on it. */
static void lower_factors(struct accuracy *a, const term_list *proved, long level, bool from_end) {
  size_t n = a->sites.len;
  term_list factors = {0};
  for (size_t i = 0; i < n; i++)
    vec_push(&factors, proved->at[i]);
  for (size_t k = 0; k < n; k++) {
    size_t i = from_end ? n - 1 - k : k;
    for (long less = 0; less < level && !auto_is_late(a->s); less++) {
      factors.at[i] = factor_at(a, i, less);
      if (attempt_number(a, add_up(a, factors.at), accuracy_attempt)) break;
      factors.at[i] = proved->at[i];
    }
  }
  a->unneeded |= unneeded_of(a, &factors);
  vec_clear(&factors);
}

/* What a sum of noise that the formula bounds may reach. */
static bool try_number_of_totals(struct accuracy *a) {
  bool ok = false;
  total_plans plans = {0};
  find_totals(a, &plans, NULL);
  for (size_t i = 0; i < plans.len && !ok; i++) {
    term_id within = total_distance(a->ts, &plans.at[i], claim_epsilon(a->p->goal), 1);
    term_id number = term_mul(a->ts, plans.at[i].unit, within);
    if (term_is_num(a->ts, plans.at[i].unit)) number = factors_cancelled(a->ts, number);
    ok = number != TERM_NONE && attempt_number(a, number, attempt_totals);
  }
  vec_clear(&plans);
  return ok;
}

static bool try_number_of_splits(struct accuracy *a) {
  bool ok = false;
  total_splits splits = {0};
  find_splits(a, &splits);
  for (size_t i = 0; i < splits.len && !ok; i++) {
    term_id number = reach_of(a, &splits.at[i]);
    ok = number != TERM_NONE && attempt_number(a, number, attempt_splits);
  }
  vec_clear(&splits);
  return ok;
}

/* Every noise counts as often as needed, and none more often than it must. The search keeps the
 * least of what is proved. */
static bool try_number_of_distances(struct accuracy *a) {
  enum { MOST = 3 };
  term_list factors = {0};
  long level = 0;
  bool ok = false;
  while (!ok && level++ < MOST && !auto_is_late(a->s)) {
    factors.len = 0;
    for (size_t i = 0; i < a->sites.len; i++)
      vec_push(&factors, factor_at(a, i, level));
    ok = attempt_number(a, add_up(a, factors.at), accuracy_attempt);
  }
  struct smt_options patient = a->p->smt->options;
  a->p->smt->options.rlimit /= LESS_PATIENT; /* most of these fail */
  a->p->smt->options.timeout_s /= LESS_PATIENT;
  a->is_lowering = true;
  for (int from_end = 0; ok && a->sites.len > 1 && from_end < 2; from_end++)
    lower_factors(a, &factors, level, from_end);
  a->is_lowering = false;
  a->p->smt->options = patient;
  vec_clear(&factors);
  return ok;
}

/* Once more without noise that was found to count nothing: the rest shares what may fail. */
static void try_number_of_needed(struct accuracy *a) {
  unsigned unneeded = a->unneeded;
  for (size_t i = 0; i < MOST_SITES && !auto_is_late(a->s); i++) {
    a->without = unneeded & 1u << i;
    if (!a->without) continue;
    accuracy_look_at(a, a->p);
    if (a->sites.len && plan_by_failure(a)) try_number_of_distances(a);
  }
  a->without = 0;
  accuracy_look_at(a, a->p);
}

static bool has_contest(const struct accuracy *a) {
  bool found = false;
  for (size_t i = 0; i < a->sites.len; i++)
    found |= a->sites.at[i].contest != NULL;
  return found;
}

/* The same where contests with Gumbel noise count as a whole. */
static bool try_number_of_contests(struct accuracy *a) {
  a->by_contest = true;
  accuracy_look_at(a, a->p);
  bool ok = has_contest(a) && plan_by_failure(a) && try_number_of_distances(a);
  a->by_contest = false;
  accuracy_look_at(a, a->p);
  return ok;
}

/* Beside the distances, the number may count what the program compares with: a threshold. */
static void try_number(struct accuracy *a) {
  term_list offsets = {0};
  bool ok = auto_done(a->s) || try_number_of_contests(a) || try_number_of_totals(a) ||
            try_number_of_splits(a) || !plan_by_failure(a) || try_number_of_distances(a);
  if (ok) try_number_of_needed(a);
  if (!ok) keep_thresholds(a->p, &offsets);
  for (size_t i = 0; i < offsets.len && !ok && !auto_is_late(a->s); i++) {
    a->offset = term_to_real(a->ts, offsets.at[i]);
    ok = try_number_of_distances(a);
  }
  a->offset = term_rat(a->ts, 0, 1);
  vec_clear(&offsets);
}

/* ---- all -------------------------------------------------------------------------------------- */

static bool has_abs(struct terms *ts, term_id t) {
  bool found = term_kind(ts, t) == TERM_ABS;
  for (size_t i = 0; i < term_arg_count(ts, t) && !found; i++)
    found = has_abs(ts, term_arg(ts, t, i));
  return found;
}

static void try_distances_and_failure(struct accuracy *a) {
  bool is_one = a->sites.len < 2;
  if (is_one) try_failure(a);
  try_distances(a, 2 - is_one); /* several noises share a distance, one has it alone */
  if (!is_one) try_failure(a);
  try_distances(a, 1 + is_one);
}

/* Noise that may be far on one side only fails with half the probability: which side is tried. */
static void try_one_side(struct accuracy *a) {
  enum { MOST = 2 }; /* samplings */
  size_t n = a->sites.len;
  if (!n || n > MOST || has_abs(a->ts, claim_post(a->p->goal))) return;
  for (unsigned way = 0; way < 1u << n && !auto_done(a->s) && !auto_is_late(a->s); way++) {
    a->keep.tails.len = 0;
    for (size_t i = 0; i < n; i++)
      vec_push(&a->keep.tails, way >> i & 1 ? TAIL_BELOW : TAIL_ABOVE);
    try_distances_and_failure(a);
  }
  a->keep.tails.len = 0;
}

/* Noise that the formula is not about needs no share. */
static void try_without_one(struct accuracy *a) {
  size_t n = a->sites.len;
  if (n < 2 || n > MOST_SITES) return;
  for (size_t i = 0; i < n && !auto_done(a->s) && !auto_is_late(a->s); i++) {
    a->without = 1u << i;
    accuracy_look_at(a, a->p);
    try_distances_and_failure(a);
  }
  a->without = 0;
  accuracy_look_at(a, a->p);
}

/* The formula holds whatever the noise is. */
static void try_sure(struct accuracy *a) {
  a->sites.len = a->keep.sites.len = 0;
  accuracy_attempt(a, a->p->wants_least ? "0" : NULL);
  accuracy_look_at(a, a->p);
}

/* The winners of contests with Gumbel noise are near the best ones. */
static void try_contests(struct accuracy *a) {
  a->by_contest = true;
  accuracy_look_at(a, a->p);
  if (has_contest(a)) try_distances_and_failure(a);
  a->by_contest = false;
  accuracy_look_at(a, a->p);
}

static void try_stated(struct accuracy *a) {
  term_id failure = claim_epsilon(a->p->goal);
  bool is_sure = !a->p->wants_least && term_is_num(a->ts, failure) &&
                 fmpq_is_zero(term_num_value(a->ts, failure));
  if (is_sure) {
    try_sure(a);
    return;
  }
  if (attempt_totals(a, NULL) || attempt_splits(a, NULL)) return;
  try_contests(a);
  if (auto_done(a->s)) return;
  try_each(a);
  if (!auto_done(a->s)) try_coin(a);
  if (!auto_done(a->s) && a->sites.len > 1) accuracy_try_stated(a, true);
  if (!auto_done(a->s)) try_distances_and_failure(a);
  if (!auto_done(a->s)) try_one_side(a);
  if (!auto_done(a->s)) try_without_one(a);
  if (!auto_done(a->s)) accuracy_try_stated(a, false);
  if (!auto_done(a->s) && !auto_is_late(a->s)) try_sure(a);
}

static void open_accuracy(struct accuracy *a, struct auto_problem *p, struct auto_search *s) {
  *a = (struct accuracy){
      .s = s, .ts = p->ts, .kept = TERM_NONE, .offset = term_rat(p->ts, 0, 1), .p = p};
  keep_init(&a->keep);
  accuracy_look_at(a, p);
}

static void close_accuracy(struct accuracy *a) {
  keep_clear(&a->keep);
  vec_clear(&a->sites);
  vec_clear(&a->coins);
  vec_clear(&a->distances);
  vec_clear(&a->shares);
  vec_clear(&a->totals);
  vec_clear(&a->dropped);
}

void auto_accuracy(struct auto_problem *p, struct auto_search *s) {
  struct accuracy a;
  open_accuracy(&a, p, s);
  if (asks_number(p))
    try_number(&a);
  else
    try_stated(&a);
  close_accuracy(&a);
}

/* Sums and contests: what is bounded noise by noise needs no fusion. */
static void try_fused(struct accuracy *a) {
  if (asks_number(a->p)) {
    if (!try_number_of_totals(a) && !try_number_of_splits(a)) try_number_of_contests(a);
  } else if (!attempt_totals(a, NULL) && !attempt_splits(a, NULL)) {
    try_contests(a);
  }
}

static size_t count_loops(const struct core *c) {
  size_t inside = c->first ? count_loops(c->first) : 0;
  return inside + (c->second ? count_loops(c->second) : 0) + (c->kind == CORE_WHILE);
}

void auto_accuracy_fused(struct auto_problem *p, struct auto_search *s) {
  if (count_loops(claim_program(p->goal)->program) < 2) return;
  const struct view *before = p->view;
  struct view view;
  view_init(&view, claim_program(p->goal)->program);
  fuse_loops(p, &view);
  if (view.fused) {
    struct accuracy a;
    index_view(p, &view);
    p->view = &view;
    open_accuracy(&a, p, s);
    try_fused(&a);
    close_accuracy(&a);
    p->view = before;
  }
  view_clear(&view);
}
