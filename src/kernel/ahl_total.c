/* Loops that add up independent noise: the sums stay near 0 all the time. */
#include "kernel/ahl.h"
#include "kernel/internal.h"
#include "kernel/moment.h"
#include "term/build.h"
#include "term/subst.h"

static const char rule[] = "aHL-SUM";

static term_id restarts_of(struct kernel *k, const struct ahl_total *t) {
  return t->restarts == TERM_NONE ? k->zero : term_to_real(k->terms, t->restarts);
}

static term_id blocks_of(struct kernel *k, const struct ahl_total *t) {
  return t->blocks == TERM_NONE ? k->zero : term_to_real(k->terms, t->blocks);
}

term_id ahl_total_near(struct kernel *k, const struct ahl_total *totals, size_t count) {
  struct terms *ts = k->terms;
  term_id near = k->yes;
  for (size_t i = 0; i < count; i++) {
    term_id s = term_to_real(ts, totals[i].sum), a = totals[i].within;
    if (totals[i].tail != TAIL_BELOW) near = term_and(ts, near, term_le(ts, s, a));
    if (totals[i].tail != TAIL_ABOVE) near = term_and(ts, near, term_le(ts, term_neg(ts, a), s));
  }
  return near;
}

term_id ahl_total_counts(struct kernel *k, const struct ahl_total *totals, size_t count) {
  struct terms *ts = k->terms;
  term_id all = k->yes;
  for (size_t i = 0; i < count; i++) {
    term_id left = term_le(ts, k->zero, term_to_real(ts, totals[i].left));
    term_id restarts = term_le(ts, k->zero, restarts_of(k, &totals[i]));
    all = term_and(ts, all, term_and(ts, left, restarts));
  }
  return all;
}

/* The sums are 0 and the counts are full. */
static term_id at_start(struct kernel *k, const struct ahl_total *totals, size_t count) {
  struct terms *ts = k->terms;
  term_id all = ahl_total_counts(k, totals, count);
  for (size_t i = 0; i < count; i++) {
    const struct ahl_total *t = &totals[i];
    term_id parts[] = {all,
                       kernel_label(k, term_eq(ts, term_to_real(ts, t->sum), k->zero), rule,
                                    span_none(), "the sum is 0 before the loop"),
                       kernel_label(k, term_le(ts, term_to_real(ts, t->left), t->draws), rule,
                                    span_none(), "there are no more draws than stated"),
                       kernel_label(k, term_le(ts, restarts_of(k, t), blocks_of(k, t)), rule,
                                    span_none(), "there are no more restarts than stated")};
    all = term_and_all(ts, parts, 4);
  }
  return all;
}

/* Of the memory of this run. */
static bool is_number(struct kernel *k, unsigned run, term_id t) {
  return t != TERM_NONE && sort_is_numeric(term_sort(k->terms, t)) &&
         !term_in_run(k->terms, t, 3 - run) && !term_mentions(k->terms, t, &k->budget, 1) &&
         !term_mentions(k->terms, t, k->vars.at, k->vars.len);
}

static bool is_well_formed(struct kernel *k, unsigned run, const struct ahl_total *t) {
  return t->tail <= TAIL_BOTH && is_number(k, run, t->sum) && is_number(k, run, t->left) &&
         kernel_is_constant(k, t->within) && kernel_is_constant(k, t->scale) &&
         kernel_is_constant(k, t->draws) && kernel_is_constant(k, t->exponent) &&
         kernel_is_constant(k, t->failure) &&
         (t->restarts == TERM_NONE) == (t->blocks == TERM_NONE) &&
         (t->restarts == TERM_NONE ||
          (is_number(k, run, t->restarts) && kernel_is_constant(k, t->blocks)));
}

/* An iteration adds noise with mean 0 and counts it, or the sum starts anew. */
static bool step_is_fair(struct kernel *k, unsigned run, const struct core *c, term_id inside,
                         const struct ahl_total *t, bool *is_heavy) {
  struct terms *ts = k->terms;
  term_id sum = term_to_real(ts, t->sum), left = term_to_real(ts, t->left),
          restarts = restarts_of(k, t);
  struct moment m = {.sum = sum, .left = left, .restarts = restarts, .scale = t->scale};
  if (!moment_before(k, rule, run, c->first, &m)) return false;
  *is_heavy = m.is_heavy;
  term_id on[] = {term_eq(ts, m.sum, sum), term_le(ts, m.left, left),
                  term_le(ts, m.restarts, restarts)};
  term_id anew[] = {term_eq(ts, m.sum, k->zero), term_le(ts, m.left, t->draws),
                    term_le(ts, term_add(ts, m.restarts, term_int(ts, 1)), restarts)};
  term_id goes_on = term_and_all(ts, on, 3), fair = goes_on;
  if (t->restarts != TERM_NONE) fair = term_or(ts, goes_on, term_and_all(ts, anew, 3));
  return kernel_prove(k, rule, c->span, inside, m.when, "the noise of an iteration") &&
         kernel_prove(k, rule, c->span, inside, fair,
                      "an iteration changes the sum by noise with mean 0, which is counted");
}

/* light:  0 <= a,  2 r W^2 t <= a^2         heavy:  0 <= a,  W t <= a,  4 r W^2 t <= (a - W t)^2  */
static term_id far_enough(struct kernel *k, const struct ahl_total *total, bool is_heavy) {
  struct terms *ts = k->terms;
  term_id a = term_to_real(ts, total->within), w = term_to_real(ts, total->scale),
          t = term_to_real(ts, total->exponent);
  term_id spread[] = {term_int(ts, is_heavy ? 4 : 2), term_to_real(ts, total->draws), w, w, t};
  term_id shift = is_heavy ? term_mul(ts, w, t) : k->zero, rest = term_sub(ts, a, shift);
  term_id parts[] = {term_le(ts, k->zero, a), term_le(ts, shift, a),
                     term_le(ts, term_product(ts, spread, 5), term_mul(ts, rest, rest))};
  return term_and_all(ts, parts, 3);
}

/* What does not depend on the memory. */
static bool numbers_fit(struct kernel *k, const struct core *c, const struct ahl_total *t,
                        bool is_heavy) {
  struct terms *ts = k->terms;
  term_id starts = term_add(ts, blocks_of(k, t), term_int(ts, 1));
  term_id ways[] = {term_int(ts, t->tail == TAIL_BOTH ? 2 : 1), starts,
                    term_exp(ts, term_neg(ts, t->exponent))};
  return kernel_prove(k, rule, c->span, k->yes, term_le(ts, k->zero, t->scale),
                      "the scale is not negative") &&
         kernel_prove(k, rule, c->span, k->yes, far_enough(k, t, is_heavy),
                      "the bound on the sum is large enough") &&
         kernel_prove(k, rule, c->span, k->yes, term_le(ts, term_product(ts, ways, 3), t->failure),
                      "the probability to be farther away is within the bound");
}

/*  aHL-SUM      {I, N, g} c {N -> I, 0 <= Rj, 0 <= Zj} : 0,   N: every sum Sj is within its bound aj
 *               gives  {I, Sj = 0, 0 <= Rj <= rj, 0 <= Zj <= zj} while g c {I, N, not g} : sum of bj
 *  if for every j, proved on the spot: 0 <= Wj; aj is far enough (above) for the exponent tj;
 *  sides (zj + 1) e^(-tj) <= bj; and with S', R', Z', W-conditions of moment.h for c, from {I, N, g}:
 *  S' = Sj, R' <= Rj, Z' <= Zj,  or  S' = 0, R' <= rj, Z' + 1 <= Zj.   Proof: docs/rules.md  */
bound_of ahl_while_total(struct kernel *k, const struct core *c, term_id invariant,
                         const struct ahl_total *totals, size_t count, bound_of body) {
  struct terms *ts = k->terms;
  if (!body) return NULL;
  unsigned run = body->run;
  if (body->kernel != k || c->kind != CORE_WHILE || !count || !ahl_is_about(k, run, invariant))
    return kernel_fail(k, rule, c->span, "loop or invariant is not well formed");
  for (size_t i = 0; i < count; i++)
    if (!is_well_formed(k, run, &totals[i]))
      return kernel_fail(k, rule, c->span, "the sum must be one of this run, the bounds constant");
  term_id near = ahl_total_near(k, totals, count), g = kernel_tag(k, c->expr, run);
  term_id enter[] = {invariant, near, g}, leave[] = {invariant, near, term_not(ts, g)};
  term_id inside = term_and_all(ts, enter, 3);
  term_id post =
      term_and(ts, term_implies(ts, near, invariant), ahl_total_counts(k, totals, count));
  if (!core_equal(body->command, c->first) || body->pre != inside || body->post != post ||
      body->beta != k->zero)
    return kernel_fail(k, rule, c->span, "the premise does not preserve this invariant for sure");
  term_id beta = k->zero;
  for (size_t i = 0; i < count; i++) {
    bool is_heavy;
    if (!step_is_fair(k, run, c, inside, &totals[i], &is_heavy) ||
        !numbers_fit(k, c, &totals[i], is_heavy))
      return NULL;
    beta = term_add(ts, beta, term_to_real(ts, totals[i].failure));
  }
  return ahl_new(k, rule, c->span, run, c, term_and(ts, invariant, at_start(k, totals, count)),
                 term_and_all(ts, leave, 3), beta);
}
