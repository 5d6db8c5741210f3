#include "kernel/ahl.h"

#include "kernel/dist.h"
#include "kernel/internal.h"
#include "kernel/sampling.h"
#include "term/build.h"
#include "term/subst.h"

const struct kernel *ahl_kernel(const struct ahl *a) {
  return a->kernel;
}
unsigned ahl_run(const struct ahl *a) {
  return a->run;
}
const struct core *ahl_command(const struct ahl *a) {
  return a->command;
}
term_id ahl_pre(const struct ahl *a) {
  return a->pre;
}
term_id ahl_post(const struct ahl *a) {
  return a->post;
}
term_id ahl_beta(const struct ahl *a) {
  return a->beta;
}

bool ahl_is_about(struct kernel *k, unsigned run, term_id t) {
  return (run == 1 || run == 2) && kernel_is_assertion(k, t) &&
         !term_in_run(k->terms, t, 3 - run) && !term_mentions(k->terms, t, &k->budget, 1);
}

bound_of ahl_new(struct kernel *k, const char *rule, struct span span, unsigned run,
                 const struct core *c, term_id pre, term_id post, term_id beta) {
  if (!ahl_is_about(k, run, pre) || !ahl_is_about(k, run, post))
    return kernel_fail(k, rule, span, "the assertion is not about this run alone");
  if (!kernel_is_constant(k, beta))
    return kernel_fail(k, rule, span, "the bound must be a term over parameters");
  struct ahl *a = arena_new(&k->arena, struct ahl);
  *a = (struct ahl){.kernel = k, .run = run, .command = c, .pre = pre, .post = post, .beta = beta};
  k->judgement_count++;
  return a;
}

static bool mine(struct kernel *k, const char *rule, struct span span, bound_of a, bound_of b) {
  if (!a || !b) return false;
  if (a->kernel == k && b->kernel == k && a->run == b->run) return true;
  kernel_fail(k, rule, span, "premises come from different contexts or runs");
  return false;
}

/*  aHL-SKIP     {Psi} skip {Psi} : 0  */
bound_of ahl_skip(struct kernel *k, unsigned run, term_id post) {
  return ahl_new(k, "aHL-SKIP", span_none(), run, core_skip(), post, post, k->zero);
}

/*  aHL-ASSN     {Psi[x := e]} x := e {Psi} : 0  */
bound_of ahl_assign(struct kernel *k, unsigned run, const struct core *c, term_id post) {
  if (c->kind != CORE_ASSIGN || !kernel_is_writable(k, c->var) || !ahl_is_about(k, run, post))
    return kernel_fail(k, "aHL-ASSN", c->span, "this is not an assignment");
  return ahl_new(k, "aHL-ASSN", c->span, run, c,
                 kernel_assigned(k, post, c->var, run, kernel_tag(k, c->expr, run)), post, k->zero);
}

/*  aHL-SEQ      {Phi} c {Theta} : b,  {Theta} c' {Psi} : b'   gives  {Phi} c;c' {Psi} : b + b',
 *               if 0 <= b' (proved on the spot: Theta may be impossible, and b' then anything)  */
bound_of ahl_seq(struct kernel *k, bound_of first, bound_of second) {
  if (!mine(k, "aHL-SEQ", span_none(), first, second)) return NULL;
  if (first->post != second->pre)
    return kernel_fail(k, "aHL-SEQ", span_none(),
                       "the first part does not end where the second part begins");
  if (!kernel_prove_probability(k, "aHL-SEQ", second->command->span, second->beta)) return NULL;
  return ahl_new(k, "aHL-SEQ", span_none(), first->run,
                 core_seq(&k->arena, first->command, second->command), first->pre, second->post,
                 term_add(k->terms, first->beta, second->beta));
}

/*  aHL-COND     {Phi} t {Psi} : b,  {Phi'} e {Psi} : b'
 *               gives  {g -> Phi, not g -> Phi'} if g t else e {Psi} : max(b, b')  */
bound_of ahl_cond(struct kernel *k, const struct core *c, bound_of then, bound_of otherwise) {
  if (!mine(k, "aHL-COND", c->span, then, otherwise)) return NULL;
  if (c->kind != CORE_IF || then->post != otherwise->post || !core_equal(then->command, c->first) ||
      !core_equal(otherwise->command, c->second))
    return kernel_fail(k, "aHL-COND", c->span, "the premises are not about these branches");
  struct terms *ts = k->terms;
  term_id g = kernel_tag(k, c->expr, then->run);
  term_id pre = term_and(ts, term_implies(ts, g, then->pre),
                         term_implies(ts, term_not(ts, g), otherwise->pre));
  term_id beta =
      then->beta == otherwise->beta ? then->beta : term_max(ts, then->beta, otherwise->beta);
  return ahl_new(k, "aHL-COND", c->span, then->run, c, pre, then->post, beta);
}

/*  aHL-CONSEQ   Phi' -> Phi,  {Phi} c {Psi} : b,  Psi -> Psi',  b <= b'  give  {Phi'} c {Psi'} : b'
 */
bound_of ahl_conseq(struct kernel *k, struct span span, term_id pre, term_id post, term_id beta,
                    bound_of a) {
  static const char rule[] = "aHL-CONSEQ";
  if (!mine(k, rule, span, a, a)) return NULL;
  if (!ahl_is_about(k, a->run, pre) || !ahl_is_about(k, a->run, post) ||
      !kernel_is_constant(k, beta))
    return kernel_fail(k, rule, span, "the assertion is not about this run alone");
  if (!kernel_prove(k, rule, span, a->post, post, "the postcondition") ||
      !kernel_prove(k, rule, span, pre, a->pre, "the precondition") ||
      !kernel_prove(k, rule, span, k->yes, term_le(k->terms, a->beta, beta), "the bound"))
    return NULL;
  return ahl_new(k, rule, span, a->run, a->command, pre, post, beta);
}

/*  aHL-FRAME    {Theta} c {Theta} : 0     Theta does not mention what c writes  */
bound_of ahl_frame(struct kernel *k, unsigned run, const struct core *c, term_id formula) {
  if (!ahl_is_about(k, run, formula) || kernel_writes_into(k, c, run, formula))
    return kernel_fail(k, "aHL-FRAME", c->span, "the formula mentions a variable that is written");
  return ahl_new(k, "aHL-FRAME", c->span, run, c, formula, formula, k->zero);
}

/*  aHL-AND      {Phi} c {Psi} : b,  {Phi'} c {Psi'} : b'
 *               give  {Phi and Phi'} c {Psi and Psi'} : b + b'  */
bound_of ahl_and(struct kernel *k, bound_of a, bound_of b) {
  if (!mine(k, "aHL-AND", span_none(), a, b)) return NULL;
  if (!core_equal(a->command, b->command))
    return kernel_fail(k, "aHL-AND", a->command->span, "the premises are about different programs");
  struct terms *ts = k->terms;
  return ahl_new(k, "aHL-AND", a->command->span, a->run, a->command, term_and(ts, a->pre, b->pre),
                 term_and(ts, a->post, b->post), term_add(ts, a->beta, b->beta));
}

/* The parts of both rules below that are the same: the premise is about this loop, whose variant v
 * counts down to its end. `each`: the bound of the body may mention the counter. */
static bool counts_down(struct kernel *k, const char *rule, const struct core *c, term_id invariant,
                        term_id v, term_id count, term_id most, bool each, bound_of body) {
  struct terms *ts = k->terms;
  unsigned run = body->run;
  if (c->kind != CORE_WHILE || !ahl_is_about(k, run, invariant) || v == TERM_NONE ||
      term_sort(ts, v) != SORT_INT || !kernel_is_constant(k, most) ||
      term_sort(ts, most) != SORT_INT || !kernel_is_constant(k, count) ||
      term_kind(ts, count) != TERM_VAR || term_sort(ts, count) != SORT_INT)
    return kernel_fail(k, rule, c->span, "loop, invariant or variant is not well formed");
  bool used = term_mentions(ts, invariant, &count, 1) || term_mentions(ts, v, &count, 1) ||
              term_mentions(ts, most, &count, 1) || kernel_reads_logical(k, c, count) ||
              (!each && term_mentions(ts, body->beta, &count, 1));
  for (size_t i = 0; i < k->facts.len; i++)
    used |= term_mentions(ts, k->facts.at[i], &count, 1);
  if (used) return kernel_fail(k, rule, c->span, "the counter occurs elsewhere");
  term_id g = kernel_tag(k, c->expr, run);
  term_id inside[] = {invariant, g, term_eq(ts, v, count)};
  if (!core_equal(body->command, c->first) || body->pre != term_and_all(ts, inside, 3) ||
      body->post != term_and(ts, invariant, term_lt(ts, v, count)))
    return kernel_fail(k, rule, c->span, "the premise does not preserve this invariant");
  return kernel_prove(k, rule, c->span, term_and(ts, invariant, term_le(ts, v, term_int(ts, 0))),
                      term_not(ts, g), "the loop has ended when the variant reaches 0");
}

/* {I, V <= n, 0 <= n} while g c {I, not g} : beta */
static bound_of counted_loop(struct kernel *k, const char *rule, const struct core *c,
                             term_id invariant, term_id v, term_id most, term_id beta,
                             bound_of body) {
  struct terms *ts = k->terms;
  term_id start[] = {invariant, term_le(ts, v, most), term_le(ts, term_int(ts, 0), most)};
  return ahl_new(k, rule, c->span, body->run, c, term_and_all(ts, start, 3),
                 term_and(ts, invariant, term_not(ts, kernel_tag(k, c->expr, body->run))), beta);
}

/*  aHL-WHILE    {I, g, V = m} c {I, V < m} : b      m logical, not in I, V, n, b or the facts
 *               gives  {I, V <= n, 0 <= n} while g c {I, not g} : n*b    if  I, V <= 0 -> not g,
 *               0 <= b  (both proved on the spot)  */
bound_of ahl_while(struct kernel *k, const struct core *c, term_id invariant, term_id variant,
                   term_id count, term_id most, bound_of body) {
  static const char rule[] = "aHL-WHILE";
  struct terms *ts = k->terms;
  if (!mine(k, rule, c->span, body, body)) return NULL;
  term_id v = variant == TERM_NONE ? TERM_NONE : kernel_tag(k, variant, body->run);
  if (!counts_down(k, rule, c, invariant, v, count, most, false, body) ||
      !kernel_prove(k, rule, c->span, k->yes, term_le(ts, term_int(ts, 0), body->beta),
                    "the bound of an iteration is not negative"))
    return NULL;
  return counted_loop(k, rule, c, invariant, v, most, term_mul(ts, most, body->beta), body);
}

/*  aHL-WHILE-K  {I, g, V = m} c {I, V < m} : b(m)   m logical, not in I, V, n or the facts
 *               gives  {I, V <= n, 0 <= n} while g c {I, not g} : S(n)   if  I, V <= 0 -> not g,
 *               0 <= S(0), and for 1 <= m <= n:  0 <= b(m),  S(m-1) <= S(m), and
 *               b(m) + S(m-1) <= S(m)  or  b(m) <= 1, b(m) + (1 - b(m)) S(m-1) <= S(m)
 *               (all proved on the spot)  */
bound_of ahl_while_each(struct kernel *k, const struct core *c, term_id invariant, term_id variant,
                        term_id count, term_id most, term_id total, bound_of body) {
  static const char rule[] = "aHL-WHILE-K";
  struct terms *ts = k->terms;
  if (!mine(k, rule, c->span, body, body)) return NULL;
  term_id v = variant == TERM_NONE ? TERM_NONE : kernel_tag(k, variant, body->run);
  if (!kernel_is_constant(k, total))
    return kernel_fail(k, rule, c->span, "the total must be a term over parameters");
  if (!counts_down(k, rule, c, invariant, v, count, most, true, body)) return NULL;
  term_id zero = term_int(ts, 0), one = term_int(ts, 1), less = term_sub(ts, count, one);
  term_id none = term_subst(ts, total, &count, &zero, 1);
  term_id before = term_subst(ts, total, &count, &less, 1), b = body->beta;
  term_id counted = term_and(ts, term_le(ts, one, count), term_le(ts, count, most));
  term_id rest = term_mul(ts, term_sub(ts, one, b), before); /* only if this one has not failed */
  term_id either = term_and(ts, term_le(ts, b, one), term_le(ts, term_add(ts, b, rest), total));
  if (!kernel_prove(k, rule, c->span, k->yes, term_le(ts, zero, none),
                    "the total of no iteration is not negative") ||
      !kernel_prove(k, rule, c->span, counted, term_le(ts, zero, b),
                    "the bound of an iteration is not negative") ||
      !kernel_prove(k, rule, c->span, counted, term_le(ts, before, total),
                    "the total grows with the iterations") ||
      !kernel_prove(k, rule, c->span, counted,
                    term_or(ts, term_le(ts, term_add(ts, b, before), total), either),
                    "the total covers all iterations"))
    return NULL;
  return counted_loop(k, rule, c, invariant, v, most, term_subst(ts, total, &count, &most, 1),
                      body);
}

/*  aHL-WHILE-0  {I, g} c {I} : 0   gives   {I} while g c {I, not g} : 0
 *               After any number of iterations I holds but for a null set, and a loop that does not
 *               end does not end outside of anything.  */
bound_of ahl_while_sure(struct kernel *k, const struct core *c, term_id invariant, bound_of body) {
  static const char rule[] = "aHL-WHILE-0";
  struct terms *ts = k->terms;
  if (!mine(k, rule, c->span, body, body)) return NULL;
  if (c->kind != CORE_WHILE || !ahl_is_about(k, body->run, invariant))
    return kernel_fail(k, rule, c->span, "loop or invariant is not well formed");
  term_id g = kernel_tag(k, c->expr, body->run);
  if (!core_equal(body->command, c->first) || body->pre != term_and(ts, invariant, g) ||
      body->post != invariant || body->beta != k->zero)
    return kernel_fail(k, rule, c->span, "the premise does not preserve this invariant for sure");
  return ahl_new(k, rule, c->span, body->run, c, invariant,
                 term_and(ts, invariant, term_not(ts, g)), k->zero);
}

/* Parameters of c in the run; the sort of the sample goes to *sort. NULL if they do not fit. */
static term_id *open_sampling(struct kernel *k, const char *rule, unsigned run,
                              const struct core *c, sort_id *sort) {
  if (c->kind != CORE_SAMPLE || !kernel_is_writable(k, c->var) || (run != 1 && run != 2))
    return kernel_fail(k, rule, c->span, "this is not a sampling");
  term_id *args = arena_alloc(&k->arena, (c->arg_count + 1) * sizeof *args);
  for (size_t i = 0; i < c->arg_count; i++)
    args[i] = kernel_tag(k, c->args[i], run);
  *sort = dist_sample_sort(k->terms, c->dist, args, c->arg_count);
  if (*sort == SORT_NONE) return kernel_fail(k, rule, c->span, "the parameters do not fit");
  return args;
}

/*  aHL-RND      {for all v in the support: Psi[x := v]} x <$ D {Psi} : 0  */
bound_of ahl_sample(struct kernel *k, unsigned run, const struct core *c, term_id post) {
  sort_id sort;
  term_id *args = open_sampling(k, "aHL-RND", run, c, &sort);
  if (!args) return NULL;
  term_id v = kernel_fresh(k, "v", sort);
  term_id body = term_implies(k->terms, dist_support(k->terms, c->dist, args, c->arg_count, v),
                              kernel_assigned(k, post, c->var, run, v));
  term_id valid = kernel_valid_noise(k, "aHL-RND", c->span, c->dist, args, c->arg_count);
  return ahl_new(k, "aHL-RND", c->span, run, c,
                 term_and(k->terms, valid, term_forall(k->terms, &v, 1, body)), post, k->zero);
}

/*  aHL-LAP      x <$ Lap(e,b) or DLap(e,b);  t >= 0 a term over the memory before, an integer for
 *               DLap (for a real threshold take its floor)
 *  pre:   b > 0, 0 <= t, Pr[tail] <= beta, and for all v of the support (ABOVE: v - e <= t;
 *         BELOW: -t <= v - e; BOTH: |v - e| <= t; with < for noise on the reals):
 *         Psi[x := v]           : beta */
bound_of ahl_tail(struct kernel *k, unsigned run, const struct core *c, enum tail tail, term_id t,
                  term_id beta, term_id post) {
  static const char rule[] = "aHL-LAP";
  struct terms *ts = k->terms;
  sort_id sort;
  term_id *args = open_sampling(k, rule, run, c, &sort);
  if (!args) return NULL;
  if (!dist_has_tail(c->dist))
    return kernel_fail(k, rule, c->span, "there is no bound on the tails of this noise");
  if (t == TERM_NONE || !sort_is_numeric(term_sort(ts, t)) ||
      term_mentions(ts, t, k->vars.at, k->vars.len) || term_mentions(ts, t, &k->budget, 1))
    return kernel_fail(k, rule, c->span, "the threshold must be a number of this run");
  if (dist_is_integer(c->dist) && term_sort(ts, t) != SORT_INT)
    return kernel_fail(k, rule, c->span,
                       "discrete noise needs an integer threshold; take the floor of this one");
  if (!kernel_is_constant(k, beta))
    return kernel_fail(k, rule, c->span, "the bound must be a term over parameters");
  term_id v = kernel_fresh(k, "v", sort), off = term_sub(ts, v, args[0]);
  term_id inside = dist_support(ts, c->dist, args, c->arg_count, v), back = term_neg(ts, t);
  if (dist_is_integer(c->dist)) {
    if (tail != TAIL_BELOW) inside = term_and(ts, inside, term_le(ts, off, t));
    if (tail != TAIL_ABOVE) inside = term_and(ts, inside, term_le(ts, back, off));
  } else { /* no single value has a probability */
    if (tail != TAIL_BELOW) inside = term_and(ts, inside, term_lt(ts, off, t));
    if (tail != TAIL_ABOVE) inside = term_and(ts, inside, term_lt(ts, back, off));
  }
  term_id probability = dist_tail(ts, c->dist, args, tail, t);
  term_id parts[] = {
      kernel_valid_noise(k, rule, c->span, c->dist, args, c->arg_count),
      kernel_label(k, term_le(ts, term_int(ts, 0), t), rule, c->span,
                   "the threshold is not negative"),
      kernel_label(k, term_le(ts, probability, beta), rule, c->span,
                   "the probability of the tail is within the bound"),
      term_forall(ts, &v, 1,
                  term_implies(ts, inside,
                               kernel_label(k, kernel_assigned(k, post, c->var, run, v), rule,
                                            c->span, "outside of the tail the event happens")))};
  return ahl_new(k, rule, c->span, run, c, term_and_all(ts, parts, 4), post, beta);
}

/* The share of the samples among which value i is that are bad: 0 if it is none of them. */
static term_id bad_share(struct kernel *k, unsigned run, const struct core *c, term_id value,
                         term_id share, term_id post) {
  term_id good = kernel_strip(k, kernel_assigned(k, post, c->var, run, value));
  return term_ite(k->terms, good, term_rat(k->terms, 0, 1), share);
}

/*  aHL-COIN     x <$ Bernoulli(p) or Uniform{e1, .., en}
 *  pre:   the parameters make sense, and the probabilities of the values v for which Psi[x := v] does
 *         not hold add up to at most beta                                              : beta */
bound_of ahl_coin(struct kernel *k, unsigned run, const struct core *c, term_id beta,
                  term_id post) {
  static const char rule[] = "aHL-COIN";
  struct terms *ts = k->terms;
  sort_id sort;
  term_id *args = open_sampling(k, rule, run, c, &sort), bad = term_rat(ts, 0, 1);
  if (!args) return NULL;
  if (c->dist != DIST_BERNOULLI && c->dist != DIST_UNIFORM_SET)
    return kernel_fail(k, rule, c->span, "this is for samples of finitely many values");
  if (!ahl_is_about(k, run, post) || !kernel_is_constant(k, beta))
    return kernel_fail(k, rule, c->span, "the bound must be a term over parameters");
  bool is_coin = c->dist == DIST_BERNOULLI;
  for (size_t i = 0; i < (is_coin ? 2 : c->arg_count); i++) {
    term_id value = is_coin ? term_bool(ts, i == 0) : args[i];
    term_id share = is_coin ? dist_mass(ts, c->dist, args, value)
                            : term_div(ts, term_int(ts, 1), term_int(ts, (long)c->arg_count));
    bad = term_add(ts, bad, bad_share(k, run, c, value, share, post));
  }
  term_id valid = kernel_valid_noise(k, rule, c->span, c->dist, args, c->arg_count);
  term_id within = kernel_label(k, term_le(ts, bad, beta), rule, c->span,
                                "the probability of bad samples is within the bound");
  return ahl_new(k, rule, c->span, run, c, term_and(ts, valid, within), post, beta);
}

/*  aHL-SET      x <$ D(..); P a set of samples with a closed form for its probability (SUBSET), over
 *               the memory before
 *  pre:   the parameters make sense, the interval is not empty, 1 - Pr[P] <= beta, and for all v of
 *         the support in P:  Psi[x := v]                                             : beta */
bound_of ahl_set(struct kernel *k, unsigned run, const struct core *c, term_id sample,
                 const struct sample_set *set, term_id beta, term_id post) {
  static const char rule[] = "aHL-SET";
  struct terms *ts = k->terms;
  struct sampling s;
  if ((run != 1 && run != 2) || !sampling_open(k, rule, c, run, &s)) return NULL;
  if (!set_is_fit(k, sample, set) || !kernel_is_constant(k, beta))
    return kernel_fail(k, rule, c->span, "the set must be about the memory before the sampling");
  term_id v = kernel_fresh(k, "v", s.sort), in = set_contains(k, sample, set, v);
  term_id mass = set_mass(k, sample, set, &s);
  if (s.sort == SORT_REAL && c->dist != DIST_UNIFORM_SET)
    for (int high = 0; high <= 1; high++) { /* no single value has a probability */
      term_id end = high ? set->high : set->low;
      if (end != TERM_NONE) in = term_and(ts, in, term_ne(ts, v, term_to_real(ts, end)));
    }
  if (in == TERM_NONE || mass == TERM_NONE)
    return kernel_fail(k, rule, c->span, "the probability of this set has no closed form");
  bool both = set->low != TERM_NONE && set->high != TERM_NONE;
  term_id some = both ? term_le(ts, set->low, set->high) : k->yes;
  term_id outside = term_sub(ts, term_rat(ts, 1, 1), mass);
  term_id parts[] = {
      sampling_valid(k, rule, &s),
      kernel_label(k, some, rule, c->span, "the interval is not empty"),
      kernel_label(k, term_le(ts, outside, beta), rule, c->span,
                   "the probability to be outside is within the bound"),
      term_forall(ts, &v, 1,
                  term_implies(ts, term_and(ts, sampling_supported(k, &s, v), in),
                               kernel_label(k, kernel_assigned(k, post, c->var, run, v), rule,
                                            c->span, "inside of the set the event happens")))};
  return ahl_new(k, rule, c->span, run, c, term_and_all(ts, parts, 4), post, beta);
}

/*            {Phi} c1 ~d c2 {Theta<1> -> Psi}    {Phi'} c1 {Theta} : b
 *  UTB-L     ------------------------------------------------------------
 *            {Phi, Phi'<1>} c1 ~(d+b) c2 {Psi}
 *
 *            {Phi} c1 ~d c2 {Theta<2> -> Psi}    {Phi'} c2 {Theta} : b
 *  UTB-R     ------------------------------------------------------------  p over logical variables
 *            {Phi, Phi'<2>, B <= p} c1 ~(d + e^p b) c2 {Psi} */
const struct judgement *rule_upto(struct kernel *k, struct span span, bound_of event, term_id most,
                                  term_id post, const struct judgement *j) {
  if (!event || !j) return NULL;
  const char *rule = event->run == 1 ? "UTB-L" : "UTB-R";
  struct terms *ts = k->terms;
  if (!kernel_needs_pure(k, rule, span)) return NULL;
  if (event->kernel != k || j->kernel != k)
    return kernel_fail(k, rule, span, "premises come from different contexts");
  if (!core_equal(event->command, event->run == 1 ? j->left : j->right))
    return kernel_fail(k, rule, span, "the event is not about the same program");
  if (!kernel_is_assertion(k, post) || j->post != term_implies(ts, event->post, post))
    return kernel_fail(k, rule, span, "the premise must give the postcondition under the event");
  term_id pre = term_and(ts, j->pre, event->pre), delta;
  if (event->run == 1) {
    delta = term_add(ts, j->delta, event->beta);
  } else {
    if (!kernel_is_constant(k, most))
      return kernel_fail(k, rule, span, "a bound on the budget is needed");
    pre = term_and(ts, pre,
                   kernel_label(k, term_le(ts, k->budget, most), rule, span,
                                "the budget is within the bound"));
    delta = term_add(ts, j->delta, term_mul(ts, term_exp(ts, most), event->beta));
  }
  return judgement_new(k, rule, span, j->left, j->right, pre, post, delta, j, NULL);
}
