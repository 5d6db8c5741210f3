/* Sampling rules. The sampled variables are replaced by a bound variable in the postcondition, so
 * no fact about their old values can survive. B stands for the budget. */
#include "kernel/dist.h"
#include "kernel/internal.h"
#include "kernel/rules.h"
#include "kernel/sampling.h"
#include "term/build.h"
#include "term/subst.h"

enum { MAX_CASES = 64 };

bool sampling_open(struct kernel *k, const char *rule, const struct core *c, unsigned run,
                   struct sampling *s) {
  if (c->kind != CORE_SAMPLE) {
    kernel_fail(k, rule, c->span, "this is not a sampling");
    return false;
  }
  if (!kernel_is_writable(k, c->var)) {
    kernel_fail(k, rule, c->span, "the variable cannot be assigned to");
    return false;
  }
  s->c = c;
  s->args = arena_alloc(&k->arena, (c->arg_count + 1) * sizeof *s->args);
  for (size_t i = 0; i < c->arg_count; i++)
    s->args[i] = kernel_tag(k, c->args[i], run);
  s->var = term_var_in_run(k->terms, c->var, run);
  s->sort = dist_sample_sort(k->terms, c->dist, s->args, c->arg_count);
  sort_id target = term_sort(k->terms, c->var);
  if (s->sort == SORT_NONE ||
      (s->sort != target && !(s->sort == SORT_INT && target == SORT_REAL))) {
    kernel_fail(k, rule, c->span,
                "the parameters do not fit the distribution (discrete noise needs an integer "
                "centre)");
    return false;
  }
  return true;
}

term_id sampling_valid(struct kernel *k, const char *rule, const struct sampling *s) {
  return kernel_valid_noise(k, rule, s->c->span, s->c->dist, s->args, s->c->arg_count);
}

term_id sampling_supported(struct kernel *k, const struct sampling *s, term_id value) {
  return dist_support(k->terms, s->c->dist, s->args, s->c->arg_count, value);
}

term_id sampling_after(struct kernel *k, const char *rule, const struct sampling *one,
                       const struct sampling *two, term_id v, term_id w, term_id cost,
                       term_id post) {
  struct terms *ts = k->terms;
  term_id from[] = {one->var, two->var, k->budget};
  term_id to[] = {term_coerce(ts, v, term_sort(ts, one->var)),
                  term_coerce(ts, w, term_sort(ts, two->var)), term_sub(ts, k->budget, cost)};
  term_id left = term_subst(ts, post, from, to, 3);
  term_id paid = kernel_label(k, term_le(ts, cost, k->budget), rule, one->c->span,
                              "the budget pays for the coupling");
  return term_and(ts, paid, left);
}

/* The cases as exclusive conditions on `value`; the last one is "otherwise". */
static bool open_cases(struct kernel *k, const struct coupling *how, term_id value,
                       term_id *conditions) {
  struct terms *ts = k->terms;
  term_id earlier = k->yes; /* none of the cases before */
  for (size_t j = 0; j < how->count; j++) {
    term_id when = how->cases[j].when;
    if ((when == TERM_NONE) != (j + 1 == how->count)) return false;
    if (when == TERM_NONE) {
      conditions[j] = earlier;
      return true;
    }
    if (!kernel_is_assertion(k, when)) return false;
    when = term_subst(ts, when, &how->sample, &value, 1);
    conditions[j] = term_and(ts, earlier, when);
    earlier = term_and(ts, earlier, term_not(ts, when));
    if (conditions[j] == TERM_NONE || earlier == TERM_NONE) return false;
  }
  return false;
}

/* Does the sample itself decide which case it is? Else the shift is known before it is drawn. */
static bool sample_decides(struct kernel *k, const struct coupling *how) {
  for (size_t j = 0; j + 1 < how->count; j++)
    if (term_mentions(k->terms, how->cases[j].when, &how->sample, 1)) return true;
  return false;
}

/* Images of two cases do not meet: v in case j and v' in case l never have v + kj = v' + kl. */
static term_id disjoint_images(struct kernel *k, const char *rule, const struct sampling *s,
                               const struct coupling *how) {
  struct terms *ts = k->terms;
  term_id all = k->yes;
  for (size_t j = 0; j < how->count; j++)
    for (size_t l = j + 1; l < how->count; l++) {
      term_id kj = how->cases[j].shift, kl = how->cases[l].shift;
      if (kj == kl) continue; /* the cases themselves are disjoint */
      term_id v = kernel_fresh(k, "v", s->sort);
      term_id w = term_sub(ts, term_add(ts, v, kj), kl);
      term_id at_v[MAX_CASES], at_w[MAX_CASES];
      if (!open_cases(k, how, v, at_v) || !open_cases(k, how, w, at_w)) return TERM_NONE;
      term_id meet = term_and(ts, at_v[j], at_w[l]);
      all = term_and(ts, all, term_forall(ts, &v, 1, term_not(ts, meet)));
    }
  return kernel_label(k, all, rule, s->c->span,
                      "different cases lead to different samples in run 2");
}

/*  LAPGEN and its relatives (Couplings: LAPGEN, LAPNULL), with cases. For c1 = (x <$ D(e1,b1)),
 *  c2 = (y <$ D(e2,b2)), conditions C1..Cn on run 1's sample (taken in order, the last one is
 *  "otherwise") and shifts k1..kn over the memories before:
 *
 *  pre:   D(e1<1>,b1<1>), D(e2<2>,b2<2>) make sense
 *         for j /= l, all v, v':  Cj(v), Cl(v') -> v + kj /= v' + kl
 *         for all v in the support of D(e1<1>,b1<1>), all j:  Cj(v) ->
 *           side conditions of D  (b1<1> = b2<2>; Exp, Geom: 0 <= kj + e1<1> - e2<2>;
 *                                  Gauss: kj + e1<1> - e2<2> = 0; Uniform: both ends shift by kj)
 *           cost <= B             (Lap, DLap: |kj + e1<1> - e2<2>| / b; Exp, Geom: without | |;
 *                                  or k'/b for a given k' that is at least the distance)
 *           Psi[x<1> := v, y<2> := v + kj, B := B - cost]
 *  kj is an integer term for discrete noise, and does not depend on v. In other notions than the
 *  pure one the cost is that of notion.h, which depends on whether a condition speaks of v. */
proof_of rule_sample_shift(struct kernel *k, const struct core *c1, const struct core *c2,
                           const struct coupling *how, term_id post) {
  static const char rule[] = "SAMPLE";
  struct terms *ts = k->terms;
  struct sampling one, two;
  if (!sampling_open(k, rule, c1, 1, &one) || !sampling_open(k, rule, c2, 2, &two)) return NULL;
  if (c1->dist != c2->dist || c1->arg_count != c2->arg_count)
    return kernel_fail(k, rule, c1->span, "the runs sample from different families");
  if (how->count == 0 || how->count > MAX_CASES)
    return kernel_fail(k, rule, c1->span, "a coupling needs between 1 and %d cases", MAX_CASES);
  if (!kernel_is_assertion(k, post)) return kernel_fail(k, rule, c1->span, "not an assertion");
  term_id v = kernel_fresh(k, "v", one.sort);
  term_id conditions[MAX_CASES];
  if (how->count > 1 && (how->sample == TERM_NONE || term_sort(ts, how->sample) != one.sort))
    return kernel_fail(k, rule, c1->span, "the conditions need a variable for the sample");
  if (!open_cases(k, how, v, conditions))
    return kernel_fail(k, rule, c1->span,
                       "each case but the last needs a condition about memories and the sample");
  bool decided = sample_decides(k, how);
  term_id body = k->yes;
  for (size_t j = 0; j < how->count; j++) {
    term_id shift = how->cases[j].shift, bound = how->cases[j].bound;
    if (bound != TERM_NONE &&
        (!sort_is_numeric(term_sort(ts, bound)) ||
         term_mentions(ts, bound, k->vars.at, k->vars.len) ||
         (how->sample != TERM_NONE && term_mentions(ts, bound, &how->sample, 1))))
      return kernel_fail(k, rule, c1->span, "a bound speaks of the memories before the sampling");
    if (shift == TERM_NONE || term_mentions(ts, shift, k->vars.at, k->vars.len) ||
        (how->sample != TERM_NONE && term_mentions(ts, shift, &how->sample, 1)))
      return kernel_fail(k, rule, c1->span, "a shift speaks of the memories before the sampling");
    struct shift_cost cost = dist_shift_cost(ts, k->notion, c1->dist, one.args, two.args,
                                             c1->arg_count, (struct shift){shift, bound, decided});
    if (cost.cost == TERM_NONE)
      return kernel_fail(k, rule, c1->span,
                         "this distribution cannot be shifted so (discrete noise: by an integer)");
    term_id side =
        kernel_label(k, cost.side, rule, c1->span,
                     "equal scales, direction of the shift allowed, no further than stated");
    term_id then = term_and(
        ts, side, sampling_after(k, rule, &one, &two, v, term_add(ts, v, shift), cost.cost, post));
    body = term_and(ts, body, term_implies(ts, conditions[j], then));
  }
  body = term_forall(ts, &v, 1, term_implies(ts, sampling_supported(k, &one, v), body));
  term_id parts[] = {sampling_valid(k, rule, &one), sampling_valid(k, rule, &two),
                     disjoint_images(k, rule, &one, how), body};
  return judgement_new(k, rule, c1->span, c1, c2, term_and_all(ts, parts, 4), post, k->zero, NULL,
                       NULL);
}

/*  RND       c1 = (x <$ D(a)), c2 = (y <$ D(b)), any family D
 *  pre:   D(a<1>) makes sense;  a<1> = b<2>, parameter by parameter
 *         for all v in the support of D(a<1>):  Psi[x<1> := v, y<2> := v]    */
proof_of rule_sample_same(struct kernel *k, const struct core *c1, const struct core *c2,
                          term_id post) {
  static const char rule[] = "RND";
  struct terms *ts = k->terms;
  struct sampling one, two;
  if (!sampling_open(k, rule, c1, 1, &one) || !sampling_open(k, rule, c2, 2, &two)) return NULL;
  if (c1->dist != c2->dist || c1->arg_count != c2->arg_count || one.sort != two.sort)
    return kernel_fail(k, rule, c1->span, "the runs sample from different families");
  term_id equal = k->yes;
  for (size_t i = 0; i < c1->arg_count; i++)
    equal = term_and(ts, equal, term_eq(ts, one.args[i], two.args[i]));
  term_id v = kernel_fresh(k, "v", one.sort);
  term_id body = term_implies(ts, sampling_supported(k, &one, v),
                              sampling_after(k, rule, &one, &two, v, v, k->zero, post));
  term_id parts[] = {
      sampling_valid(k, rule, &one),
      kernel_label(k, equal, rule, c1->span, "both runs sample the same distribution"),
      term_forall(ts, &v, 1, body)};
  return judgement_new(k, rule, c1->span, c1, c2, term_and_all(ts, parts, 3), post, k->zero, NULL,
                       NULL);
}

/*  SAMPLE-L  c = (x <$ D(a)) against skip                         SAMPLE-R likewise on run 2
 *  pre:   D(a<1>) makes sense;  for all v in its support:  Psi[x<1> := v]
 *  (For run 2 this needs D to have mass 1: that is what "makes sense" says.)    */
proof_of rule_sample_side(struct kernel *k, unsigned run, const struct core *c, term_id post) {
  const char *rule = run == 1 ? "SAMPLE-L" : "SAMPLE-R";
  struct sampling s;
  if (run != 1 && run != 2) return kernel_fail(k, rule, c->span, "there are runs 1 and 2");
  if (!sampling_open(k, rule, c, run, &s)) return NULL;
  term_id v = kernel_fresh(k, "v", s.sort);
  term_id body = term_implies(k->terms, sampling_supported(k, &s, v),
                              kernel_assigned(k, post, c->var, run, v));
  term_id pre = term_and(k->terms, sampling_valid(k, rule, &s), term_forall(k->terms, &v, 1, body));
  return judgement_new(k, rule, c->span, run == 1 ? c : core_skip(), run == 2 ? c : core_skip(),
                       pre, post, k->zero, NULL, NULL);
}
