#include "automata/decide/automata.h"

#include "automata/decide/absorb.h"
#include "automata/decide/decide.h"
#include "automata/decide/independent.h"
#include "check/automaton/essential.h"
#include "check/automaton/strategy_check.h"

static void unknown(struct automaton_result *r, const char *reason) {
  r->verdict = AUTOMATON_UNKNOWN;
  free(r->reason);
  r->reason = xstrdup(reason);
}

/* A strategy was found: nothing is claimed before the checker has seen it. */
static void conclude(struct automaton_result *r, const struct automaton *a, const struct cost *c) {
  struct buffer why;
  buffer_init(&why);
  if (strategy_check(a, &r->strategy, NULL, &why)) {
    r->verdict = AUTOMATON_PRIVATE;
    strategy_cost(r->upper, &r->strategy);
    fmpq_set_fmpz_frac(r->lower, c->lower, r->strategy.scale);
    /* without the order of the variables the path may be impossible: no lower bound */
    if (r->strategy.product.coarse) fmpq_zero(r->lower);
    r->exact = fmpq_equal(r->lower, r->upper);
  } else {
    buffer_puts(&why, " (a bug in the search: please report it)");
    unknown(r, buffer_text(&why));
  }
  buffer_clear(&why);
}

static void find_cost(struct automaton_result *r, const struct automaton *a,
                      const struct product *p, const struct pumps *pumps, const struct weights *w,
                      const struct online *o, size_t effort) {
  struct cost c;
  cost_init(&c);
  cost_search(&c, p, pumps, w, o, effort, &r->strategy);
  if (!c.has_upper) {
    unknown(r, "no walk is an obstacle to privacy, but no strategy was found within the limits");
  } else {
    conclude(r, a, &c);
    r->worst.at = c.path.at;
    r->worst.len = c.path.len;
    r->worst.cap = c.path.cap;
    c.path.at = NULL;
    c.path.len = c.path.cap = 0;
  }
  cost_clear(&c);
}

/* `a`: what the searches work on, `original`: what the strategy is checked against. */
static void analyse(struct automaton_result *r, const struct automaton *a,
                    const struct automaton *original, size_t effort) {
  struct product *p = &r->strategy.product;
  struct pumps pumps;
  struct weights w;
  struct online o = {0};
  product_build(p, a);
  if (product_live(p, 0).count > 0) {
    unknown(r, "a variable is compared before it is assigned");
    return;
  }
  pumps_build(&pumps, p);
  weights_init(&w, a);
  enum decision decision = DECISION_PRIVATE;
  if (pumps.violation == VIOLATION_NONE) online_build(&o, p, &pumps, &w);
  /* a finite bound of the online strategy decides already */
  if (pumps.violation != VIOLATION_NONE || !online_bound(&o))
    decision = decide(p, &pumps, &r->walk);
  if (decision == DECISION_PRIVATE)
    find_cost(r, original, p, &pumps, &w, &o, effort);
  else if (decision == DECISION_UNKNOWN)
    unknown(r, "too many sets of shifts: the decision was given up");
  else if (p->coarse)
    unknown(r, "a walk without finite cost was found, but the order of the variables was not "
               "tracked (too many cases), so that it may be impossible");
  else
    r->verdict = AUTOMATON_NOT_PRIVATE;
  if (o.p) online_clear(&o);
  weights_clear(&w);
  pumps_clear(&pumps);
}

static bool has_disjunctions(const struct automaton *a) {
  for (uint32_t g = 0; g < a->guards.len; g++)
    if (!automaton_guard_is_conjunctive(a, g)) return true;
  return false;
}

void automaton_analyse(struct automaton_result *r, const struct automaton *a) {
  size_t states = a->states.len < 10000 ? a->states.len : 10000;
  size_t effort = EFFORT_SEVERAL + EFFORT_STATES * states * states;
  if (effort > EFFORT_MOST) effort = EFFORT_MOST;
  automaton_analyse_with(r, a, a->vars.len <= 1 ? EFFORT_ONE_VARIABLE : effort);
}

void automaton_analyse_with(struct automaton_result *r, const struct automaton *a, size_t effort) {
  *r = (struct automaton_result){.verdict = AUTOMATON_UNKNOWN};
  fmpq_init(r->lower);
  fmpq_init(r->upper);
  walk_init(&r->walk);
  walk_init(&r->far_walk);
  strategy_init(&r->strategy);
  if (!a->independent) {
    analyse(r, a, a, effort);
    return;
  }
  struct automaton copy;
  if (automaton_conjunctive_copy(&copy, a))
    analyse(r, &copy, a, effort);
  else
    unknown(r, "an edge compares or assigns too many variables");
  r->strategy.product.a = a;
  automaton_clear(&copy);
  if (r->verdict == AUTOMATON_NOT_PRIVATE && has_disjunctions(a)) {
    struct lasso_search unused;
    r->is_absorbing = automaton_is_absorbing(a);
    if (!r->is_absorbing)
      r->is_unbounded = automaton_is_unbounded(&r->far_walk, &r->far, &unused, a);
  }
}

void automaton_result_clear(struct automaton_result *r) {
  free(r->reason);
  fmpq_clear(r->lower);
  fmpq_clear(r->upper);
  vec_clear(&r->worst);
  walk_clear(&r->walk);
  walk_clear(&r->far_walk);
  strategy_clear(&r->strategy);
}
