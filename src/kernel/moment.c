#include "kernel/moment.h"

#include "kernel/context.h"
#include "kernel/dist.h"
#include "kernel/internal.h"
#include "term/build.h"
#include "term/subst.h"

/* The terms of a moment, and what coins have made of the sum since the last other noise: a number
 * whose mean is m.sum, between `low` and `high`. */
struct walked {
  struct moment m;
  term_id low, high;
};

struct walk {
  struct kernel *k;
  struct terms *ts;
  const char *rule;
  unsigned run;
};

static term_id with(struct walk *w, term_id t, const struct core *c, term_id value) {
  return kernel_assigned(w->k, t, c->var, w->run, value);
}

/* All terms with the variable of the command replaced. */
static struct walked with_value(struct walk *w, const struct walked *s, const struct core *c,
                                term_id value) {
  struct walked t = *s;
  t.m.sum = with(w, s->m.sum, c, value);
  t.m.left = with(w, s->m.left, c, value);
  t.m.restarts = with(w, s->m.restarts, c, value);
  t.m.when = with(w, s->m.when, c, value);
  t.low = with(w, s->low, c, value);
  t.high = with(w, s->high, c, value);
  return t;
}

static bool is_known(const struct walked *s) {
  return s->m.sum != TERM_NONE && s->m.left != TERM_NONE && s->m.restarts != TERM_NONE &&
         s->m.when != TERM_NONE && s->low != TERM_NONE && s->high != TERM_NONE;
}

/* What the rest needs, for every sample. */
static term_id for_samples(struct walk *w, const struct core *c, const term_id *args, sort_id sort,
                           term_id formula) {
  term_id v = kernel_fresh(w->k, "v", sort);
  term_id body = term_implies(w->ts, dist_support(w->ts, c->dist, args, c->arg_count, v),
                              with(w, formula, c, v));
  return term_forall(w->ts, &v, 1, body);
}

/* One more draw, unless the sum does not depend on it. */
static void count_draw(struct walk *w, struct walked *s, term_id changes_nothing) {
  struct terms *ts = w->ts;
  term_id one = term_ite(ts, changes_nothing, w->k->zero, term_rat(ts, 1, 1));
  s->m.left = term_add(ts, s->m.left, one);
}

/*  Coins in a row are one draw:   high - low <= 2W  */
static void close_coins(struct walk *w, const struct core *c, struct walked *s) {
  struct terms *ts = w->ts;
  if (s->low != s->high) {
    term_id apart = term_sub(ts, s->high, s->low);
    term_id small = term_le(ts, apart, term_mul(ts, term_int(ts, 2), s->m.scale));
    s->m.when = term_and(ts, s->m.when,
                         kernel_label(w->k, small, w->rule, c->span,
                                      "the coins move the sum by at most twice the scale"));
    count_draw(w, s, term_eq(ts, s->low, s->high));
  }
  s->low = s->high = s->m.sum;
}

/*  x is `value` with probability p, otherwise what is in *s:   S' = p S(value) + (1-p) S  */
static void mix(struct walk *w, const struct walked *value, term_id p, struct walked *s) {
  struct terms *ts = w->ts;
  s->m.sum = term_add(ts, s->m.sum, term_mul(ts, p, term_sub(ts, value->m.sum, s->m.sum)));
  s->m.left = term_max(ts, value->m.left, s->m.left);
  s->m.restarts = term_max(ts, value->m.restarts, s->m.restarts);
  s->m.when = term_and(ts, value->m.when, s->m.when);
  s->low = term_min(ts, value->low, s->low);
  s->high = term_max(ts, value->high, s->high);
}

/*  x <$ Bernoulli(p)  */
static void toss(struct walk *w, const struct core *c, term_id p, struct walked *s) {
  struct walked yes = with_value(w, s, c, w->k->yes);
  *s = with_value(w, s, c, term_bool(w->ts, false));
  mix(w, &yes, p, s);
}

/*  x <$ D(e,b), D one of Lap, DLap, Gauss, DGauss:   S' = S(e);   with g = S(e+1) - S(e), for all v
 *  S(v) = S(e) + g (v - e), and |g| b <= W  */
static void draw(struct walk *w, const struct core *c, const term_id *args, sort_id sort,
                 struct walked *s) {
  struct terms *ts = w->ts;
  struct moment *m = &s->m;
  term_id centre = args[0], v = kernel_fresh(w->k, "v", sort);
  term_id middle = with(w, m->sum, c, centre);
  term_id next = with(w, m->sum, c, term_add(ts, centre, term_int(ts, 1)));
  term_id slope = term_sub(ts, next, middle);
  term_id line = term_add(ts, middle, term_mul(ts, slope, term_sub(ts, v, centre)));
  term_id straight = term_forall(ts, &v, 1, term_eq(ts, with(w, m->sum, c, v), line));
  term_id small = term_le(ts, term_mul(ts, term_abs(ts, slope), args[1]), m->scale);
  term_id parts[] = {
      m->when,
      kernel_label(w->k, straight, w->rule, c->span, "the sum is a linear function of the noise"),
      kernel_label(w->k, small, w->rule, c->span, "the noise is within the scale")};
  m->when = term_and_all(ts, parts, 3);
  s->low = s->high = m->sum = middle;
  count_draw(w, s, term_eq(ts, slope, w->k->zero));
}

static bool has_moments(enum dist_kind dist) {
  return dist == DIST_LAPLACE || dist == DIST_DISCRETE_LAPLACE || dist == DIST_GAUSS ||
         dist == DIST_DISCRETE_GAUSS;
}

static bool mentions(struct walk *w, const struct core *c, term_id t) {
  term_id x = term_var_in_run(w->ts, c->var, w->run);
  return term_mentions(w->ts, t, &x, 1);
}

/* Noise that is no coin. */
static bool sample_noise(struct walk *w, const struct core *c, const term_id *args, sort_id sort,
                         struct walked *s) {
  close_coins(w, c, s);
  bool counts = mentions(w, c, s->m.sum);
  if (counts && !has_moments(c->dist))
    return kernel_fail(w->k, w->rule, c->span, "the moments of this noise are not known");
  if (mentions(w, c, s->m.left) || mentions(w, c, s->m.restarts))
    return kernel_fail(w->k, w->rule, c->span, "what is left of a count depends on the noise");
  if (mentions(w, c, s->m.when)) s->m.when = for_samples(w, c, args, sort, s->m.when);
  if (!counts) return true;
  s->m.is_heavy |= c->dist == DIST_LAPLACE || c->dist == DIST_DISCRETE_LAPLACE;
  draw(w, c, args, sort, s);
  return true;
}

static bool sample(struct walk *w, const struct core *c, struct walked *s) {
  struct terms *ts = w->ts;
  term_id *args = arena_alloc(&w->k->arena, (c->arg_count + 1) * sizeof *args);
  for (size_t i = 0; i < c->arg_count; i++)
    args[i] = kernel_tag(w->k, c->args[i], w->run);
  sort_id sort = dist_sample_sort(ts, c->dist, args, c->arg_count);
  if (sort == SORT_NONE)
    return kernel_fail(w->k, w->rule, c->span, "the moments of this noise are not known");
  if (c->dist == DIST_BERNOULLI)
    toss(w, c, args[0], s);
  else if (!sample_noise(w, c, args, sort, s))
    return false;
  term_id valid = kernel_valid_noise(w->k, w->rule, c->span, c->dist, args, c->arg_count);
  s->m.when = term_and(ts, s->m.when, valid);
  return is_known(s);
}

static bool walk_back(struct walk *w, const struct core *c, struct walked *s);

static bool branch(struct walk *w, const struct core *c, struct walked *s) {
  struct terms *ts = w->ts;
  struct walked no = *s;
  term_id g = kernel_tag(w->k, c->expr, w->run);
  if (!walk_back(w, c->first, s) || !walk_back(w, c->second, &no)) return false;
  s->m.sum = term_ite(ts, g, s->m.sum, no.m.sum);
  s->m.left = term_ite(ts, g, s->m.left, no.m.left);
  s->m.restarts = term_ite(ts, g, s->m.restarts, no.m.restarts);
  s->m.when =
      term_and(ts, term_implies(ts, g, s->m.when), term_implies(ts, term_not(ts, g), no.m.when));
  s->low = term_ite(ts, g, s->low, no.low);
  s->high = term_ite(ts, g, s->high, no.high);
  s->m.is_heavy |= no.m.is_heavy;
  return is_known(s);
}

/* Code of which the terms do not speak. */
static bool is_apart(struct walk *w, const struct core *c, const struct walked *s) {
  const term_id all[] = {s->m.sum, s->m.left, s->m.restarts, s->m.when, s->low, s->high};
  bool apart = true;
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    apart = apart && !kernel_writes_into(w->k, c, w->run, all[i]);
  return apart;
}

static bool walk_back(struct walk *w, const struct core *c, struct walked *s) {
  switch (c->kind) {
  case CORE_SKIP: return true;
  case CORE_ASSIGN: *s = with_value(w, s, c, kernel_tag(w->k, c->expr, w->run)); return is_known(s);
  case CORE_SAMPLE: return sample(w, c, s);
  case CORE_SEQ: return walk_back(w, c->second, s) && walk_back(w, c->first, s);
  case CORE_IF: return branch(w, c, s);
  case CORE_WHILE:
  case CORE_ADVERSARY: break;
  }
  if (is_apart(w, c, s)) return true;
  return kernel_fail(w->k, w->rule, c->span, "a loop inside may not write what the sum speaks of");
}

bool moment_before(struct kernel *k, const char *rule, unsigned run, const struct core *c,
                   struct moment *m) {
  struct walk w = {k, k->terms, rule, run};
  m->when = k->yes;
  m->is_heavy = false;
  struct walked s = {*m, m->sum, m->sum};
  bool ok = is_known(&s) && walk_back(&w, c, &s);
  if (ok) close_coins(&w, c, &s);
  *m = s.m;
  if (ok && is_known(&s)) return true;
  if (!kernel_failure(k)->rule) kernel_fail(k, rule, c->span, "the sum is not well formed");
  return false;
}
