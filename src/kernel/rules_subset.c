/* More sampling rules: intervals of discrete Laplace noise, subsets of finite distributions,
 * scaling of uniform noise, bijections. B stands for the budget. */
#include "kernel/dist.h"
#include "kernel/internal.h"
#include "kernel/rules.h"
#include "kernel/sampling.h"
#include "term/build.h"
#include "term/subst.h"

static bool is_int(struct kernel *k, term_id t) {
  return t != TERM_NONE && term_sort(k->terms, t) == SORT_INT &&
         !term_mentions(k->terms, t, k->vars.at, k->vars.len);
}

static bool is_number(struct kernel *k, term_id t) {
  return t != TERM_NONE && sort_is_numeric(term_sort(k->terms, t)) &&
         !term_mentions(k->terms, t, k->vars.at, k->vars.len);
}

/* low <= v <= high */
static term_id between(struct terms *ts, term_id low, term_id v, term_id high) {
  return term_and(ts, term_le(ts, low, v), term_le(ts, v, high));
}

/*  LAPINT    c1 = (x <$ DLap(e1,b1)), c2 = (y <$ DLap(e2,b2)); p, q, r, s, k integers, eta, sigma
 *            numbers, all over the memories before. One run has the outer interval [p,q], the other
 *            the inner interval [r,s].
 *  pre:   b1<1>, b2<2> > 0 and equal (= b);  |e1<1> - e2<2>| <= k;  p+k <= r <= s <= q-k;
 *         (q-p) - (s-r) <= eta
 *    run 1 outer: 0 < sigma <= (s-r)+2,  eta/b - ln(1 - e^(-sigma/(2b))) <= cost
 *         for all v in [p,q], w in [r,s]:          0 <= cost <= B,
 *                                                  Psi[x<1> := v, y<2> := w, B := B-cost]
 *         for all v not in [p,q], w not in [r,s]:  Psi[x<1> := v, y<2> := w]
 *    run 1 inner: eta/b <= cost
 *         for all v in [r,s], w in [p,q]:          Psi[x<1> := v, y<2> := w]
 *         for all v not in [r,s], w not in [p,q]:  0 <= cost <= B,
 *                                                  Psi[x<1> := v, y<2> := w, B := B-cost] */
proof_of rule_sample_interval(struct kernel *k, const struct core *c1, const struct core *c2,
                              const struct interval_coupling *how, term_id post) {
  static const char rule[] = "LAPINT";
  struct terms *ts = k->terms;
  struct sampling one, two;
  if (!kernel_needs_pure(k, rule, c1->span)) return NULL;
  if (!sampling_open(k, rule, c1, 1, &one) || !sampling_open(k, rule, c2, 2, &two)) return NULL;
  if (c1->dist != DIST_DISCRETE_LAPLACE || c2->dist != DIST_DISCRETE_LAPLACE)
    return kernel_fail(k, rule, c1->span, "intervals need discrete Laplace noise in both runs");
  if (!is_int(k, how->p) || !is_int(k, how->q) || !is_int(k, how->r) || !is_int(k, how->s) ||
      !is_int(k, how->move))
    return kernel_fail(k, rule, c1->span, "the ends of the intervals must be integers");
  if (!is_number(k, how->eta) || !is_number(k, how->cost) ||
      (!how->inner && !is_number(k, how->sigma)))
    return kernel_fail(k, rule, c1->span, "eta, sigma and the cost must be numbers");
  term_id p = how->p, q = how->q, r = how->r, s = how->s, zero = term_int(ts, 0);
  term_id rate = term_reciprocal(ts, one.args[1]);
  term_id apart = term_abs(ts, term_sub(ts, one.args[0], two.args[0]));
  term_id wider = term_sub(ts, term_sub(ts, q, p), term_sub(ts, s, r));
  term_id side = k->yes, cost = term_mul(ts, how->eta, rate);
  const term_id parts[] = {
      term_eq(ts, one.args[1], two.args[1]),      term_le(ts, apart, how->move),
      term_le(ts, term_add(ts, p, how->move), r), term_le(ts, r, s),
      term_le(ts, s, term_sub(ts, q, how->move)), term_le(ts, wider, how->eta)};
  side = term_and_all(ts, parts, 6);
  if (!how->inner) {
    term_id width = term_add(ts, term_sub(ts, s, r), term_int(ts, 2));
    term_id half = term_mul(ts, term_mul(ts, how->sigma, rate), term_rat(ts, 1, 2));
    side = term_and(ts, side,
                    term_and(ts, term_lt(ts, zero, how->sigma), term_le(ts, how->sigma, width)));
    cost = term_sub(ts, cost,
                    term_ln(ts, term_sub(ts, term_int(ts, 1), term_exp(ts, term_neg(ts, half)))));
  }
  term_id paid = kernel_label(k, term_le(ts, cost, how->cost), rule, c1->span,
                              "the stated cost covers that of the intervals");
  term_id v = kernel_fresh(k, "v", SORT_INT), w = kernel_fresh(k, "w", SORT_INT);
  term_id in_v = how->inner ? between(ts, r, v, s) : between(ts, p, v, q);
  term_id in_w = how->inner ? between(ts, p, w, q) : between(ts, r, w, s);
  term_id in = sampling_after(k, rule, &one, &two, v, w, how->inner ? k->zero : how->cost, post);
  term_id out = sampling_after(k, rule, &one, &two, v, w, how->inner ? how->cost : k->zero, post);
  term_id both = term_implies(ts, term_and(ts, in_v, in_w), in);
  term_id none = term_implies(ts, term_and(ts, term_not(ts, in_v), term_not(ts, in_w)), out);
  term_id vars[] = {v, w};
  term_id all[] = {
      sampling_valid(k, rule, &one),
      sampling_valid(k, rule, &two),
      kernel_label(k, side, rule, c1->span, "the intervals fit into each other"),
      kernel_label(k, term_le(ts, zero, how->cost), rule, c1->span, "the cost is not negative"),
      paid,
      term_forall(ts, vars, 2, term_and(ts, both, none))};
  return judgement_new(k, rule, c1->span, c1, c2, term_and_all(ts, all, 6), post, k->zero, NULL,
                       NULL);
}

/*  SCALE, UNIF   c1 = (x <$ D(a,b)), c2 = (y <$ D(a',b'));  s a number over the memories before,
 *            d over logical variables
 *  pre:   parameters make sense and are equal in both runs; the family can be scaled (family.c);
 *         0 <= d;  0 <= s <= B
 *         for all v with v and e^(-s)*v in the support:  Psi[x<1> := v, y<2> := e^(-s)*v, B := B-s]
 *  delta: d
 *  (The density of run 2 at e^(-s) v is at least that of run 1 at v, except on a set of mass d; the
 *  map shrinks volume by e^(-s). There is no such rule for s < 0.) */
proof_of rule_sample_scale(struct kernel *k, const struct core *c1, const struct core *c2,
                           term_id s, term_id delta, term_id post) {
  const char *rule = c1->dist == DIST_UNIFORM && delta == k->zero ? "UNIF" : "SCALE";
  struct terms *ts = k->terms;
  struct sampling one, two;
  if (!kernel_needs_pure(k, rule, c1->span)) return NULL;
  if (!sampling_open(k, rule, c1, 1, &one) || !sampling_open(k, rule, c2, 2, &two)) return NULL;
  if (!is_number(k, s)) return kernel_fail(k, rule, c1->span, "the exponent must be a number");
  if (!kernel_is_constant(k, delta))
    return kernel_fail(k, rule, c1->span, "delta must be a term over parameters");
  s = term_coerce(ts, s, SORT_REAL);
  term_id fits = dist_scalable(ts, c1->dist, one.args, s, delta);
  if (fits == TERM_NONE || c1->dist != c2->dist)
    return kernel_fail(k, rule, c1->span,
                       "scaling needs uniform, Laplace or exponential noise in both runs");
  term_id same =
      term_and(ts, term_eq(ts, one.args[0], two.args[0]), term_eq(ts, one.args[1], two.args[1]));
  term_id v = kernel_fresh(k, "v", SORT_REAL);
  term_id w = term_mul(ts, term_exp(ts, term_neg(ts, s)), v);
  term_id kept = term_and(ts, sampling_supported(k, &one, v),
                          delta == k->zero ? k->yes : sampling_supported(k, &two, w));
  term_id body = term_implies(ts, kept, sampling_after(k, rule, &one, &two, v, w, s, post));
  term_id all[] = {
      sampling_valid(k, rule, &one),
      sampling_valid(k, rule, &two),
      kernel_label(k, same, rule, c1->span, "both runs sample from the same distribution"),
      kernel_label(k, fits, rule, c1->span,
                   "the noise can be scaled (around 0; what is lost is within delta)"),
      kernel_label(k, term_le(ts, k->zero, delta), rule, c1->span, "delta is not negative"),
      kernel_label(k, term_le(ts, k->zero, s), rule, c1->span, "run 2's sample is the smaller one"),
      term_forall(ts, &v, 1, body)};
  return judgement_new(k, rule, c1->span, c1, c2, term_and_all(ts, all, 7), post, delta, NULL,
                       NULL);
}

/*  SLIDE     c1 = (x <$ D(a,b)), c2 = (y <$ D(a',b')), D = Uniform or UniformInt; e a number over the
 *            memories before (an integer for integers), d over logical variables
 *  pre:   parameters make sense; both ranges are equally wide;  0 <= d
 *         |e + a<1> - a'<2>| <= d w, w = b - a (UniformInt: b - a + 1)
 *         for all v with v and v + e in the supports:  Psi[x<1> := v, y<2> := v + e]
 *  delta: d
 *  (v + e leaves run 2's range with probability |e + a - a'|/w at most; elsewhere both densities are
 *  1/w.) */
proof_of rule_sample_slide(struct kernel *k, const struct core *c1, const struct core *c2,
                           term_id by, term_id delta, term_id post) {
  static const char rule[] = "SLIDE";
  struct terms *ts = k->terms;
  struct sampling one, two;
  if (!kernel_needs_pure(k, rule, c1->span)) return NULL;
  if (!sampling_open(k, rule, c1, 1, &one) || !sampling_open(k, rule, c2, 2, &two)) return NULL;
  bool whole = c1->dist == DIST_UNIFORM_INT;
  if (c1->dist != c2->dist || (!whole && c1->dist != DIST_UNIFORM))
    return kernel_fail(k, rule, c1->span, "only uniform noise slides");
  if (whole ? !is_int(k, by) : !is_number(k, by))
    return kernel_fail(k, rule, c1->span, "it slides by a number of the kind of the samples");
  if (!kernel_is_constant(k, delta))
    return kernel_fail(k, rule, c1->span, "delta must be a term over parameters");
  term_id width = term_sub(ts, one.args[1], one.args[0]);
  term_id same = term_eq(ts, width, term_sub(ts, two.args[1], two.args[0]));
  if (whole) width = term_add(ts, width, term_int(ts, 1));
  term_id off = term_add(ts, by, term_sub(ts, one.args[0], two.args[0]));
  term_id lost = term_le(ts, term_abs(ts, off), term_mul(ts, delta, width));
  term_id v = kernel_fresh(k, "v", one.sort), w = term_add(ts, v, by);
  term_id kept = term_and(ts, sampling_supported(k, &one, v), sampling_supported(k, &two, w));
  term_id body = term_implies(ts, kept, sampling_after(k, rule, &one, &two, v, w, k->zero, post));
  term_id all[] = {
      sampling_valid(k, rule, &one),
      sampling_valid(k, rule, &two),
      kernel_label(k, same, rule, c1->span, "both ranges are equally wide"),
      kernel_label(k, lost, rule, c1->span, "what leaves the range is within delta"),
      kernel_label(k, term_le(ts, k->zero, delta), rule, c1->span, "delta is not negative"),
      term_forall(ts, &v, 1, body)};
  return judgement_new(k, rule, c1->span, c1, c2, term_and_all(ts, all, 6), post, delta, NULL,
                       NULL);
}

term_id set_contains(struct kernel *k, term_id sample, const struct sample_set *set, term_id v) {
  struct terms *ts = k->terms;
  term_id in = set->when == TERM_NONE ? k->yes : term_subst(ts, set->when, &sample, &v, 1);
  if (set->low != TERM_NONE) in = term_and(ts, in, term_le(ts, set->low, v));
  if (set->high != TERM_NONE) in = term_and(ts, in, term_le(ts, v, set->high));
  return in;
}

/* For intervals of integers it is that of at most `high`, less that of at most `low` - 1. */
term_id set_mass(struct kernel *k, term_id sample, const struct sample_set *set,
                 const struct sampling *s) {
  struct terms *ts = k->terms;
  enum dist_kind dist = s->c->dist;
  size_t count = s->c->arg_count;
  term_id one = term_rat(ts, 1, 1), sum = k->zero;
  if (s->sort == SORT_BOOL && dist_mass(ts, dist, s->args, k->yes) != TERM_NONE) {
    for (int v = 1; v >= 0; v--) {
      term_id value = term_bool(ts, v), mass = dist_mass(ts, dist, s->args, value);
      sum = term_add(ts, sum,
                     term_ite(ts, set_contains(k, sample, set, value),
                              term_coerce(ts, mass, SORT_REAL), k->zero));
    }
    return sum;
  }
  if (dist == DIST_UNIFORM_SET) {
    for (size_t i = 0; i < count; i++)
      sum = term_add(ts, sum, term_ite(ts, set_contains(k, sample, set, s->args[i]), one, k->zero));
    return term_mul(ts, sum, term_rat(ts, 1, count));
  }
  if (set->when != TERM_NONE) return TERM_NONE;
  term_id below = k->zero, upto = one;
  if (set->high != TERM_NONE) upto = dist_at_most(ts, dist, s->args, count, set->high);
  if (set->low != TERM_NONE) {
    bool whole = s->sort == SORT_INT;
    term_id before = whole ? term_sub(ts, set->low, term_int(ts, 1)) : set->low;
    below = dist_at_most(ts, dist, s->args, count, before);
  }
  return term_sub(ts, upto, below);
}

bool set_is_fit(struct kernel *k, term_id sample, const struct sample_set *set) {
  bool finite = set->when != TERM_NONE;
  return (!finite || (kernel_is_assertion(k, set->when) && sample != TERM_NONE &&
                      !term_mentions(k->terms, set->when, &k->budget, 1))) &&
         (set->low == TERM_NONE || is_number(k, set->low)) &&
         (set->high == TERM_NONE || is_number(k, set->high));
}

/*  SUBSET    c1 = (x <$ D(..)), c2 = (y <$ D'(..)); P, Q sets of samples of run 1 and run 2: from
 *            low to high for Lap, DLap, Exp, Geom, Uniform, UniformInt; any for Bernoulli and
 *            Uniform{..}; costs c, d; all over the memories before
 *  pre:   parameters make sense; intervals are not empty (low <= high);  0 <= c, 0 <= d
 *         Pr1[P] <= e^c Pr2[Q],  Pr1[not P] <= e^d Pr2[not Q]
 *         for all v, w in the supports:  v in P, w in Q          -> c <= B, Psi[v, w, B := B - c]
 *                                        v not in P, w not in Q  -> d <= B, Psi[v, w, B := B - d]
 */
proof_of rule_sample_subset(struct kernel *k, const struct core *c1, const struct core *c2,
                            const struct subset_coupling *how, term_id post) {
  static const char rule[] = "SUBSET";
  if (!kernel_needs_pure(k, rule, c1->span)) return NULL;
  struct terms *ts = k->terms;
  struct sampling s[2];
  if (!sampling_open(k, rule, c1, 1, &s[0]) || !sampling_open(k, rule, c2, 2, &s[1])) return NULL;
  if (!is_number(k, how->inside) || !is_number(k, how->outside))
    return kernel_fail(k, rule, c1->span, "the costs must be numbers");
  term_id v[2], in[2], mass[2], side = k->yes, supported = k->yes;
  for (unsigned i = 0; i < 2; i++) {
    const struct sample_set *set = &how->sets[i];
    if (!set_is_fit(k, how->sample, set))
      return kernel_fail(k, rule, c1->span, "the sets speak of the memories before the sampling");
    v[i] = kernel_fresh(k, i ? "w" : "v", s[i].sort);
    in[i] = set_contains(k, how->sample, set, v[i]);
    mass[i] = set_mass(k, how->sample, set, &s[i]);
    if (in[i] == TERM_NONE || mass[i] == TERM_NONE)
      return kernel_fail(k, rule, c1->span,
                         "the probability of this set has no closed form (integers for discrete "
                         "noise, intervals unless there are finitely many values)");
    if (set->low != TERM_NONE && set->high != TERM_NONE)
      side = term_and(ts, side, term_le(ts, set->low, set->high));
    supported = term_and(ts, supported, sampling_supported(k, &s[i], v[i]));
  }
  term_id all = term_and(ts, sampling_valid(k, rule, &s[0]), sampling_valid(k, rule, &s[1]));
  all = term_and(ts, all, kernel_label(k, side, rule, c1->span, "the intervals are not empty"));
  term_id one = term_rat(ts, 1, 1);
  for (int out = 0; out <= 1; out++) {
    term_id cost = term_coerce(ts, out ? how->outside : how->inside, SORT_REAL);
    term_id p = out ? term_sub(ts, one, mass[0]) : mass[0];
    term_id q = out ? term_sub(ts, one, mass[1]) : mass[1];
    term_id a = out ? term_not(ts, in[0]) : in[0], b = out ? term_not(ts, in[1]) : in[1];
    const term_id given[] = {supported, a, b};
    term_id body = term_implies(ts, term_and_all(ts, given, 3),
                                sampling_after(k, rule, &s[0], &s[1], v[0], v[1], cost, post));
    const term_id parts[] = {
        all,
        kernel_label(k, term_le(ts, k->zero, cost), rule, c1->span, "the cost is not negative"),
        kernel_label(k, term_le(ts, p, term_mul(ts, term_exp(ts, cost), q)), rule, c1->span,
                     "the cost covers the ratio of probabilities"),
        term_forall(ts, v, 2, body)};
    all = term_and_all(ts, parts, 4);
  }
  return judgement_new(k, rule, c1->span, c1, c2, all, post, k->zero, NULL, NULL);
}

/* Probability of a value of a Bernoulli variable. */
static term_id chance(struct terms *ts, term_id p, bool value) {
  return value ? p : term_sub(ts, term_int(ts, 1), p);
}

/*  SUBSET (Bernoulli)   c1 = (x <$ Bernoulli(p)), c2 = (y <$ Bernoulli(q)); `flip` pairs true with
 *            false; cost_true, cost_false are numbers over the memories before
 *  pre:   0 <= p<1>, q<2> <= 1;  for v in {true, false}, w = v or not v:
 *           0 <= cost_v <= B,  Pr[x<1> = v] <= e^cost_v Pr[y<2> = w],
 *           Psi[x<1> := v, y<2> := w, B := B - cost_v]
 *  In other notions: cost_true = cost_false = c, also Pr[y<2> = w] <= e^c Pr[x<1> = v], and what is
 *  paid is the price of a step at c in both directions. */
proof_of rule_sample_bernoulli(struct kernel *k, const struct core *c1, const struct core *c2,
                               bool flip, term_id cost_true, term_id cost_false, term_id post) {
  static const char rule[] = "SUBSET";
  struct terms *ts = k->terms;
  struct sampling one, two;
  if (!sampling_open(k, rule, c1, 1, &one) || !sampling_open(k, rule, c2, 2, &two)) return NULL;
  if (c1->dist != DIST_BERNOULLI || c2->dist != DIST_BERNOULLI)
    return kernel_fail(k, rule, c1->span, "both runs must sample a Bernoulli variable");
  if (!is_number(k, cost_true) || !is_number(k, cost_false))
    return kernel_fail(k, rule, c1->span, "the costs must be numbers");
  bool pure = k->notion.kind == NOTION_PURE;
  if (!pure && cost_true != cost_false)
    return kernel_fail(k, rule, c1->span,
                       "outside of `epsilon` both sides of a coin cost the same");
  term_id all = term_and(ts, sampling_valid(k, rule, &one), sampling_valid(k, rule, &two));
  for (int v = 0; v <= 1; v++) {
    term_id cost = term_coerce(ts, v ? cost_true : cost_false, SORT_REAL);
    bool w = flip ? !v : v;
    term_id p = chance(ts, one.args[0], v), q = chance(ts, two.args[0], w);
    term_id likely = term_le(ts, p, term_mul(ts, term_exp(ts, cost), q));
    if (!pure) likely = term_and(ts, likely, term_le(ts, q, term_mul(ts, term_exp(ts, cost), p)));
    term_id parts[] = {
        all,
        kernel_label(k, term_le(ts, k->zero, cost), rule, c1->span, "the cost is not negative"),
        kernel_label(k, likely, rule, c1->span, "the cost covers the ratio of probabilities"),
        sampling_after(k, rule, &one, &two, term_bool(ts, v), term_bool(ts, w),
                       notion_price_both(ts, k->notion, cost), post)};
    all = term_and_all(ts, parts, 4);
  }
  return judgement_new(k, rule, c1->span, c1, c2, all, post, k->zero, NULL, NULL);
}

/*  RND (bijection)   c1 = (x <$ UniformInt(a,b)), c2 = (y <$ UniformInt(a',b')); `there` and `back`
 *            are integers over the memories before and `sample`
 *  pre:   a<1> <= b<1>, a'<2> <= b'<2>, b - a equal in both runs
 *         for all v in a..b:    there(v) in a'..b', back(there(v)) = v,
 *                               Psi[x<1> := v, y<2> := there(v)]
 *  (An injection between sets of equal finite size is a bijection.) */
proof_of rule_sample_bijection(struct kernel *k, const struct core *c1, const struct core *c2,
                               term_id sample, term_id there, term_id back, term_id post) {
  static const char rule[] = "RND";
  struct terms *ts = k->terms;
  struct sampling one, two;
  if (!sampling_open(k, rule, c1, 1, &one) || !sampling_open(k, rule, c2, 2, &two)) return NULL;
  if (c1->dist != DIST_UNIFORM_INT || c2->dist != DIST_UNIFORM_INT)
    return kernel_fail(k, rule, c1->span, "bijections are for uniform integers");
  if (!is_int(k, sample) || term_kind(ts, sample) != TERM_VAR || !is_int(k, there) ||
      !is_int(k, back))
    return kernel_fail(k, rule, c1->span, "the bijection must be given by integer terms");
  term_id v = kernel_fresh(k, "v", SORT_INT);
  term_id w = term_subst(ts, there, &sample, &v, 1);
  term_id again = term_subst(ts, back, &sample, &w, 1);
  term_id size1 = term_sub(ts, one.args[1], one.args[0]);
  term_id size2 = term_sub(ts, two.args[1], two.args[0]);
  term_id map = term_and(ts, sampling_supported(k, &two, w), term_eq(ts, again, v));
  term_id body =
      term_implies(ts, sampling_supported(k, &one, v),
                   term_and(ts, kernel_label(k, map, rule, c1->span, "the map is a bijection"),
                            sampling_after(k, rule, &one, &two, v, w, k->zero, post)));
  term_id all[] = {sampling_valid(k, rule, &one), sampling_valid(k, rule, &two),
                   kernel_label(k, term_eq(ts, size1, size2), rule, c1->span,
                                "both runs choose among equally many"),
                   term_forall(ts, &v, 1, body)};
  return judgement_new(k, rule, c1->span, c1, c2, term_and_all(ts, all, 4), post, k->zero, NULL,
                       NULL);
}
