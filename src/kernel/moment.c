#include "kernel/moment.h"

#include "kernel/context.h"
#include "kernel/dist.h"
#include "kernel/internal.h"
#include "term/build.h"
#include "term/subst.h"

struct walk {
  struct kernel *k;
  struct terms *ts;
  const char *rule;
  unsigned run;
};

static term_id with(struct walk *w, term_id t, const struct core *c, term_id value) {
  return kernel_assigned(w->k, t, c->var, w->run, value);
}

/* All four terms with the variable of the command replaced. */
static void assign(struct walk *w, const struct core *c, struct moment *m) {
  term_id value = kernel_tag(w->k, c->expr, w->run);
  m->sum = with(w, m->sum, c, value);
  m->left = with(w, m->left, c, value);
  m->restarts = with(w, m->restarts, c, value);
  m->when = with(w, m->when, c, value);
}

static bool is_known(const struct moment *m) {
  return m->sum != TERM_NONE && m->left != TERM_NONE && m->restarts != TERM_NONE &&
         m->when != TERM_NONE;
}

/* What the rest needs, for every sample. */
static term_id for_samples(struct walk *w, const struct core *c, const term_id *args, sort_id sort,
                           term_id formula) {
  term_id v = kernel_fresh(w->k, "v", sort);
  term_id body = term_implies(w->ts, dist_support(w->ts, c->dist, args, c->arg_count, v),
                              with(w, formula, c, v));
  return term_forall(w->ts, &v, 1, body);
}

/* Both give what one unit of the sample changes: a draw counts unless that is 0. */

/*  x <$ Bernoulli(p):   S' = p S(true) + (1-p) S(false);   |S(true) - S(false)| <= 2W  */
static term_id toss(struct walk *w, const struct core *c, term_id p, struct moment *m) {
  struct terms *ts = w->ts;
  term_id yes = with(w, m->sum, c, w->k->yes), no = with(w, m->sum, c, term_bool(ts, false));
  term_id apart = term_sub(ts, yes, no);
  m->sum = term_add(ts, no, term_mul(ts, p, apart));
  term_id small = term_le(ts, term_abs(ts, apart), term_mul(ts, term_int(ts, 2), m->scale));
  m->when = term_and(ts, m->when,
                     kernel_label(w->k, small, w->rule, c->span,
                                  "the coin moves the sum by at most twice the scale"));
  return apart;
}

/*  x <$ D(e,b), D one of Lap, DLap, Gauss, DGauss:   S' = S(e);   with g = S(e+1) - S(e), for all v
 *  S(v) = S(e) + g (v - e), and |g| b <= W  */
static term_id draw(struct walk *w, const struct core *c, const term_id *args, sort_id sort,
                    struct moment *m) {
  struct terms *ts = w->ts;
  term_id centre = args[0], v = kernel_fresh(w->k, "v", sort);
  term_id middle = with(w, m->sum, c, centre);
  term_id next = with(w, m->sum, c, term_add(ts, centre, term_int(ts, 1)));
  term_id slope = term_sub(ts, next, middle);
  term_id line = term_add(ts, middle, term_mul(ts, slope, term_sub(ts, v, centre)));
  term_id straight = term_forall(ts, &v, 1, term_eq(ts, with(w, m->sum, c, v), line));
  term_id small = term_le(ts, term_mul(ts, term_abs(ts, slope), args[1]), m->scale);
  m->sum = middle;
  term_id parts[] = {
      m->when,
      kernel_label(w->k, straight, w->rule, c->span, "the sum is a linear function of the noise"),
      kernel_label(w->k, small, w->rule, c->span, "the noise is within the scale")};
  m->when = term_and_all(ts, parts, 3);
  return slope;
}

static bool has_moments(enum dist_kind dist) {
  return dist == DIST_BERNOULLI || dist == DIST_LAPLACE || dist == DIST_DISCRETE_LAPLACE ||
         dist == DIST_GAUSS || dist == DIST_DISCRETE_GAUSS;
}

/* A counter may depend on a coin: the larger one counts. */
static term_id largest(struct walk *w, const struct core *c, term_id t) {
  term_id x = term_var_in_run(w->ts, c->var, w->run);
  if (!term_mentions(w->ts, t, &x, 1)) return t;
  if (c->dist != DIST_BERNOULLI) return TERM_NONE;
  return term_max(w->ts, with(w, t, c, w->k->yes), with(w, t, c, term_bool(w->ts, false)));
}

static bool sample(struct walk *w, const struct core *c, struct moment *m) {
  struct terms *ts = w->ts;
  term_id x = term_var_in_run(ts, c->var, w->run);
  term_id *args = arena_alloc(&w->k->arena, (c->arg_count + 1) * sizeof *args);
  for (size_t i = 0; i < c->arg_count; i++)
    args[i] = kernel_tag(w->k, c->args[i], w->run);
  sort_id sort = dist_sample_sort(ts, c->dist, args, c->arg_count);
  bool counts = term_mentions(ts, m->sum, &x, 1);
  if (sort == SORT_NONE || (counts && !has_moments(c->dist)))
    return kernel_fail(w->k, w->rule, c->span, "the moments of this noise are not known");
  if (term_mentions(ts, m->when, &x, 1)) m->when = for_samples(w, c, args, sort, m->when);
  m->left = largest(w, c, m->left);
  m->restarts = largest(w, c, m->restarts);
  if (!is_known(m))
    return kernel_fail(w->k, w->rule, c->span, "what is left of a count depends on the noise");
  term_id valid = kernel_valid_noise(w->k, w->rule, c->span, c->dist, args, c->arg_count);
  m->when = term_and(ts, m->when, valid);
  if (!counts) return true;
  m->is_heavy |= c->dist == DIST_LAPLACE || c->dist == DIST_DISCRETE_LAPLACE;
  term_id effect = c->dist == DIST_BERNOULLI ? toss(w, c, args[0], m) : draw(w, c, args, sort, m);
  term_id none = term_eq(ts, effect, w->k->zero); /* the sum does not depend on this sample */
  m->left = term_add(ts, m->left, term_ite(ts, none, w->k->zero, term_rat(ts, 1, 1)));
  return is_known(m);
}

static bool walk_back(struct walk *w, const struct core *c, struct moment *m);

static bool branch(struct walk *w, const struct core *c, struct moment *m) {
  struct terms *ts = w->ts;
  struct moment no = *m;
  term_id g = kernel_tag(w->k, c->expr, w->run);
  if (!walk_back(w, c->first, m) || !walk_back(w, c->second, &no)) return false;
  m->sum = term_ite(ts, g, m->sum, no.sum);
  m->left = term_ite(ts, g, m->left, no.left);
  m->restarts = term_ite(ts, g, m->restarts, no.restarts);
  m->when = term_and(ts, term_implies(ts, g, m->when), term_implies(ts, term_not(ts, g), no.when));
  m->is_heavy |= no.is_heavy;
  return is_known(m);
}

/* Code of which the terms do not speak. */
static bool is_apart(struct walk *w, const struct core *c, const struct moment *m) {
  return !kernel_writes_into(w->k, c, w->run, m->sum) &&
         !kernel_writes_into(w->k, c, w->run, m->left) &&
         !kernel_writes_into(w->k, c, w->run, m->restarts) &&
         !kernel_writes_into(w->k, c, w->run, m->when);
}

static bool walk_back(struct walk *w, const struct core *c, struct moment *m) {
  switch (c->kind) {
  case CORE_SKIP: return true;
  case CORE_ASSIGN: assign(w, c, m); return is_known(m);
  case CORE_SAMPLE: return sample(w, c, m);
  case CORE_SEQ: return walk_back(w, c->second, m) && walk_back(w, c->first, m);
  case CORE_IF: return branch(w, c, m);
  case CORE_WHILE:
  case CORE_ADVERSARY: break;
  }
  if (is_apart(w, c, m)) return true;
  return kernel_fail(w->k, w->rule, c->span, "a loop inside may not write what the sum speaks of");
}

bool moment_before(struct kernel *k, const char *rule, unsigned run, const struct core *c,
                   struct moment *m) {
  struct walk w = {k, k->terms, rule, run};
  m->when = k->yes;
  m->is_heavy = false;
  if (is_known(m) && walk_back(&w, c, m)) return true;
  if (!kernel_failure(k)->rule) kernel_fail(k, rule, c->span, "the sum is not well formed");
  return false;
}
