/* Advanced composition of loops. The proof, with its restriction to discrete sampling, is in
 * docs/ac-hit.md. */
#include "kernel/internal.h"
#include "kernel/rules.h"
#include "term/build.h"
#include "term/subst.h"

/* Only discrete distributions: then every run visits countably many memories (for fixed coins of
 * the adversaries), which the proof uses. */
static bool is_discrete(const struct core *c) {
  switch (c->kind) {
  case CORE_SAMPLE: return dist_is_discrete(c->dist);
  case CORE_SEQ:
  case CORE_IF: return is_discrete(c->first) && is_discrete(c->second);
  case CORE_WHILE: return is_discrete(c->first);
  default: return true;
  }
}

/* The proof needs bodies of mass 1 (a body that may hang in one run only loses its whole cost in
 * every iteration). Without loops that is so: the sampling rules ask for sensible parameters. */
static bool ends_surely(struct kernel *k, const struct core *body, unsigned run) {
  return !core_has_loop(body) || lossless_check(k, body, run, NULL);
}

/* The backward premise lives where the facts have their runs exchanged. That is the exchanged
 * context, or this one if its facts are symmetric. */
static bool backward_context(struct kernel *k, struct span span, const struct kernel *other) {
  if (other == k->exchanged) return true;
  if (other != k) {
    kernel_fail(k, "AC", span, "the backward premise comes from another context");
    return false;
  }
  for (size_t i = 0; i < k->facts.len; i++)
    if (!kernel_prove(k, "AC", span, k->yes, term_swap_runs(k->terms, k->facts.at[i]),
                      "the assumptions are symmetric (or else prove the backward direction)"))
      return false;
  return true;
}

/* What both premises look like; see rule_advanced. */
struct advanced_goal advanced_goal(struct kernel *k, const struct core *c1, const struct core *c2,
                                   const struct advanced *how, bool backward) {
  struct advanced_goal none = {TERM_NONE, TERM_NONE};
  struct terms *ts = k->terms;
  if (c1->kind != CORE_WHILE || c2->kind != CORE_WHILE) return none;
  /* In the backward premise the programs change sides, and so does the relation. */
  unsigned left = backward ? 2 : 1, right = backward ? 1 : 2;
  term_id b1 = kernel_tag(k, c1->expr, left), b2 = kernel_tag(k, c2->expr, right);
  term_id theta = backward ? term_swap_runs(ts, how->relation) : how->relation;
  term_id hit = how->hit == TERM_NONE ? k->yes : how->hit;
  term_id h1 = kernel_tag(k, hit, left), h2 = kernel_tag(k, hit, right);
  term_id hits = kernel_tag(k, how->hits, left);
  term_id before = term_eq(ts, hits, how->count);
  term_id step = term_add(ts, how->count, term_ite(ts, h1, term_int(ts, 1), term_int(ts, 0)));
  term_id pre[] = {theta, b1, b2, before, term_le(ts, how->epsilon, k->budget)};
  term_id post[] = {theta, term_eq(ts, b1, b2), term_eq(ts, h1, h2), term_le(ts, step, hits),
                    backward ? k->yes : term_or(ts, h1, term_le(ts, how->epsilon, k->budget))};
  return (struct advanced_goal){term_and_all(ts, pre, 5), term_and_all(ts, post, 5)};
}

static term_id body_delta(struct kernel *k, const struct advanced *how) {
  return how->delta == TERM_NONE ? k->zero : how->delta;
}

/* Are the pieces terms of the right kind? */
static bool well_formed(struct kernel *k, const char *rule, const struct core *c1,
                        const struct core *c2, const struct advanced *how) {
  struct terms *ts = k->terms;
  term_id hit = how->hit == TERM_NONE ? k->yes : how->hit, count = how->count;
  const char *wrong = NULL;
  if (c1->kind != CORE_WHILE || c2->kind != CORE_WHILE)
    wrong = "both sides must be loops";
  else if (!is_discrete(c1) || !is_discrete(c2))
    wrong = "the loop may only sample from discrete distributions";
  else if (!kernel_is_assertion(k, how->relation) ||
           term_mentions(ts, how->relation, &k->budget, 1))
    wrong = "the relation may not speak of the budget: the cost of an iteration is fixed";
  else if (!kernel_is_program_term(k, hit) || term_sort(ts, hit) != SORT_BOOL ||
           !kernel_is_program_term(k, how->hits) || term_sort(ts, how->hits) != SORT_INT)
    wrong = "the bit and the number of hits must be terms of one run";
  else if (!kernel_is_constant(k, how->most) || term_sort(ts, how->most) != SORT_INT ||
           !kernel_is_constant(k, how->epsilon) || !kernel_is_constant(k, how->omega) ||
           !kernel_is_constant(k, body_delta(k, how)) ||
           (how->total != TERM_NONE && !kernel_is_constant(k, how->total)))
    wrong = "M, eps, delta, omega and the total must be terms over parameters";
  else if (!kernel_is_constant(k, count) || term_kind(ts, count) != TERM_VAR ||
           term_sort(ts, count) != SORT_INT)
    wrong = "the counter must be a logical integer";
  else if (how->hit != TERM_NONE && (body_delta(k, how) != k->zero || how->total != TERM_NONE))
    wrong = "with hits the body may have no delta, and there is no optimal theorem";
  if (wrong) {
    kernel_fail(k, rule, c1->span, "%s", wrong);
    return false;
  }
  const term_id fixed[] = {how->relation,
                           hit,
                           how->hits,
                           how->most,
                           how->omega,
                           how->total == TERM_NONE ? how->epsilon : how->total,
                           how->total == TERM_NONE ? body_delta(k, how) : how->total};
  bool used = kernel_reads_logical(k, c1, count) || kernel_reads_logical(k, c2, count);
  for (size_t i = 0; i < sizeof fixed / sizeof *fixed; i++)
    used |= term_mentions(ts, fixed[i], &count, 1);
  for (size_t i = 0; i < k->facts.len; i++)
    used |= term_mentions(ts, k->facts.at[i], &count, 1);
  if (used) kernel_fail(k, rule, c1->span, "the counter occurs elsewhere");
  return !used;
}

/* Are these the premises that are needed? */
static bool premises_fit(struct kernel *k, const char *rule, const struct core *c1,
                         const struct core *c2, const struct advanced *how, proof_of forward,
                         proof_of backward) {
  struct advanced_goal f = advanced_goal(k, c1, c2, how, false);
  struct advanced_goal b = advanced_goal(k, c1, c2, how, true);
  const char *wrong = NULL;
  if (forward->kernel != k || forward->pre != f.pre || forward->post != f.post ||
      forward->delta != body_delta(k, how) || !core_equal(forward->left, c1->first) ||
      !core_equal(forward->right, c2->first))
    wrong = "the forward premise is not the one that is needed";
  else if (backward->pre != b.pre || backward->post != b.post ||
           backward->delta != body_delta(k, how) || !core_equal(backward->left, c2->first) ||
           !core_equal(backward->right, c1->first))
    wrong = "the backward premise is not the one that is needed";
  if (wrong) kernel_fail(k, rule, c1->span, "%s", wrong);
  return !wrong && backward_context(k, c1->span, backward->kernel);
}

/* Sum over the sets S of iterations of max(0, e^eps(S) - e^(E + eps(not S))), iteration i costing
 * eps[i]. */
static term_id sum_over_sets(struct kernel *k, const term_id *eps, size_t count, term_id total) {
  struct terms *ts = k->terms;
  term_id sum = k->zero;
  for (size_t set = 0; set < (size_t)1 << count; set++) {
    term_id in = k->zero, out = total;
    for (size_t i = 0; i < count; i++)
      *(set >> i & 1 ? &in : &out) = term_add(ts, set >> i & 1 ? in : out, eps[i]);
    term_id gain = term_sub(ts, term_exp(ts, in), term_exp(ts, out));
    sum = term_add(ts, sum, term_max(ts, k->zero, gain));
  }
  return sum;
}

/* The same when all cost eps: sets of one size together. At a total (n - 2j) eps it is known which
 * summands are positive. */
static term_id sum_over_sizes(struct kernel *k, term_id eps, size_t count, term_id total) {
  struct terms *ts = k->terms;
  long n = (long)count, corner = -1;
  for (long j = 0; 2 * j <= n; j++)
    if (term_mul(ts, term_int(ts, n - 2 * j), eps) == total) corner = j;
  term_id sum = k->zero;
  fmpz_t choose;
  fmpz_init(choose);
  fmpq_t q;
  fmpq_init(q);
  for (long i = 0; i <= n; i++) {
    if (corner >= 0 && i <= n - corner) continue;
    term_id in = term_mul(ts, term_int(ts, i), eps);
    term_id out = term_add(ts, total, term_mul(ts, term_int(ts, n - i), eps));
    term_id gain = term_sub(ts, term_exp(ts, in), term_exp(ts, out));
    if (corner < 0) gain = term_max(ts, k->zero, gain);
    fmpz_bin_uiui(choose, (ulong)n, (ulong)i);
    fmpq_set_fmpz(q, choose);
    sum = term_add(ts, sum, term_mul(ts, term_num(ts, q, SORT_REAL), gain));
  }
  fmpq_clear(q);
  fmpz_clear(choose);
  return sum;
}

enum { OPTIMAL_EQUAL = 200, OPTIMAL_DIFFERENT = 8 };

/* delta at the total E: 1 - prod (1 - delta_i) (1 - sum/prod (1 + e^eps_i)); TERM_NONE if the
 * number of iterations is not a number within limits. */
term_id advanced_optimal(struct kernel *k, const struct advanced *how) {
  struct terms *ts = k->terms;
  bool equal = !term_mentions(ts, how->epsilon, &how->count, 1) &&
               !term_mentions(ts, body_delta(k, how), &how->count, 1);
  if (!term_is_num(ts, how->most)) return TERM_NONE;
  const fmpq *most = term_num_value(ts, how->most);
  long limit = equal ? OPTIMAL_EQUAL : OPTIMAL_DIFFERENT;
  if (fmpz_sgn(fmpq_numref(most)) < 0 || fmpz_cmp_si(fmpq_numref(most), limit) > 0)
    return TERM_NONE;
  size_t n = (size_t)fmpz_get_ui(fmpq_numref(most));
  term_id one = term_rat(ts, 1, 1), norm = one, kept = one, eps[OPTIMAL_EQUAL];
  for (size_t i = 0; i < n; i++) {
    term_id at = term_int(ts, (long)i);
    eps[i] = term_subst(ts, how->epsilon, &how->count, &at, 1);
    term_id lost = term_subst(ts, body_delta(k, how), &how->count, &at, 1);
    norm = term_mul(ts, norm, term_add(ts, one, term_exp(ts, eps[i])));
    kept = term_mul(ts, kept, term_sub(ts, one, lost));
  }
  term_id sum =
      equal ? sum_over_sizes(k, how->epsilon, n, how->total) : sum_over_sets(k, eps, n, how->total);
  return term_sub(ts, one, term_mul(ts, kept, term_sub(ts, one, term_div(ts, sum, norm))));
}

/* What the rule proves on the spot. `guard` is that of run 1. */
static bool sides_hold(struct kernel *k, const char *rule, struct span span,
                       const struct advanced *how, term_id always, term_id guard, term_id hits) {
  struct terms *ts = k->terms;
  term_id zero = term_int(ts, 0), one = term_int(ts, 1), delta = body_delta(k, how);
  /* A body with delta 1 may do anything: then only the guard keeps the loop from going on. */
  if (delta != k->zero &&
      !kernel_prove(k, rule, span, term_and(ts, always, guard), term_lt(ts, hits, how->most),
                    "the loop has ended after so many iterations"))
    return false;
  term_id inside = term_and(ts, term_le(ts, zero, how->count), term_lt(ts, how->count, how->most));
  if (!kernel_prove(k, rule, span, always, term_le(ts, hits, how->most),
                    "there are at most so many hits") ||
      !kernel_prove(k, rule, span, inside, term_le(ts, zero, how->epsilon),
                    "the cost of an iteration is not negative") ||
      !kernel_prove(k, rule, span, inside,
                    term_and(ts, term_le(ts, zero, delta), term_le(ts, delta, one)),
                    "the delta of an iteration is a probability"))
    return false;
  if (how->total == TERM_NONE)
    return kernel_prove(k, rule, span, k->yes,
                        term_and(ts, term_lt(ts, zero, how->omega), term_le(ts, how->omega, one)),
                        "omega is a probability");
  term_id least = advanced_optimal(k, how);
  if (least == TERM_NONE) {
    kernel_fail(k, rule, span,
                "the optimal theorem needs a number of iterations (at most %d; %d if they differ)",
                OPTIMAL_EQUAL, OPTIMAL_DIFFERENT);
    return false;
  }
  return kernel_prove(k, rule, span, k->yes, term_le(ts, least, how->omega),
                      "omega covers the delta of all iterations at this total");
}

/*  AC        loops while b1 c1, while b2 c2; relation Theta (without B); a bit h of one run after
 *            the body; an integer `hits` of one run; M an integer, eps, d, omega over logical
 *            variables; m a fresh logical integer; c1, c2 end with probability 1 and sample from
 *            discrete distributions only.
 *   (F)  {Theta, b1<1>, b2<2>, hits<1> = m, B >= eps} c1 ~d c2
 *          {Theta, b1<1> = b2<2>, h<1> = h<2>, hits<1> >= m + [h<1>], h<1> or B >= eps}
 *   (B)  {Theta', b2<1>, b1<2>, hits<2> = m, B >= eps} c2 ~d c1
 *          {Theta', b2<1> = b1<2>, h<1> = h<2>, hits<2> >= m + [h<2>]}
 *          Theta' the inverse of Theta, in a context with the runs exchanged
 *   proved on the spot:  Theta, b1<1> = b2<2> -> hits<1> <= M;   if d is not 0: Theta, b1<1>, b2<2>
 *          -> hits<1> < M;   0 <= eps, 0 <= d <= 1 for m in
 *          0..M-1;   0 < omega <= 1, or (OPTIMAL) delta(E) <= omega
 *  ------------------------------------------------------------------------------------------------
 *    {Theta, b1<1> = b2<2>, 0 <= hits<1>, B >= total} while b1 c1 ~D while b2 c2
 *                                                              {Theta, not b1<1>, not b2<2>}
 *    AC-HIT    d = 0:         total = M eps^2 + 2 eps sqrt(M ln(1/omega)),               D = omega
 *    AC-WHILE  h is `true`:   total = sqrt(2 M ln(1/omega)) eps + M eps (e^eps - 1),     D = M d +
 * omega AC-OPT    h is `true`, M a number, eps and d may depend on m: total = E,            D =
 * omega, delta(E) = 1 - prod (1 - d_i) (1 - sum_S max(0, e^eps(S) - e^(E + eps(not S))) / prod (1 +
 * e^eps_i))                          */
proof_of rule_advanced(struct kernel *k, const struct core *c1, const struct core *c2,
                       const struct advanced *how, proof_of forward, proof_of backward) {
  const char *rule = how->total != TERM_NONE ? "AC-OPT"
                     : how->hit == TERM_NONE ? "AC-WHILE"
                                             : "AC-HIT";
  struct terms *ts = k->terms;
  if (!forward || !backward || !kernel_needs_pure(k, rule, c1->span)) return NULL;
  if (!well_formed(k, rule, c1, c2, how)) return NULL;
  if (!ends_surely(k, c1->first, 1) || !ends_surely(k, c2->first, 2)) return NULL;
  if (!premises_fit(k, rule, c1, c2, how, forward, backward)) return NULL;
  term_id b1 = kernel_tag(k, c1->expr, 1), b2 = kernel_tag(k, c2->expr, 2);
  term_id hits = kernel_tag(k, how->hits, 1), zero = term_int(ts, 0);
  term_id always = term_and(ts, how->relation, term_eq(ts, b1, b2));
  if (!sides_hold(k, rule, c1->span, how, always, b1, hits)) return NULL;
  term_id total = advanced_total(k, how), delta = how->omega;
  if (how->total == TERM_NONE && body_delta(k, how) != k->zero)
    delta = term_add(ts, term_mul(ts, how->most, body_delta(k, how)), how->omega);
  term_id start[] = {how->relation, term_eq(ts, b1, b2),
                     kernel_label(k, term_le(ts, zero, hits), rule, c1->span,
                                  "the number of hits is not negative"),
                     kernel_label(k, term_le(ts, total, k->budget), rule, c1->span,
                                  "the budget pays for all iterations")};
  term_id outside[] = {how->relation, term_not(ts, b1), term_not(ts, b2)};
  return judgement_new(k, rule, c1->span, c1, c2, term_and_all(ts, start, 4),
                       term_and_all(ts, outside, 3), delta, forward, backward);
}

term_id advanced_total(struct kernel *k, const struct advanced *how) {
  struct terms *ts = k->terms;
  term_id n = how->most, e = how->epsilon;
  if (how->total != TERM_NONE) return how->total;
  term_id log = term_ln(ts, term_div(ts, term_int(ts, 1), how->omega));
  if (how->hit == TERM_NONE) {
    term_id root = term_sqrt(ts, term_mul(ts, term_mul(ts, term_int(ts, 2), n), log));
    term_id drift =
        term_mul(ts, term_mul(ts, n, e), term_sub(ts, term_exp(ts, e), term_int(ts, 1)));
    return term_add(ts, term_mul(ts, root, e), drift);
  }
  term_id root = term_sqrt(ts, term_mul(ts, n, log));
  return term_add(ts, term_mul(ts, n, term_mul(ts, e, e)),
                  term_mul(ts, term_int(ts, 2), term_mul(ts, e, root)));
}
