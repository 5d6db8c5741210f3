#include "search/base/bounds.h"

#include "search/base/view.h"
#include "smt/normalise.h"
#include "term/build.h"
#include "term/linear.h"
#include "term/subst.h"

/* Ground terms per sort, instances of one quantifier; a question has few. */
enum { GROUND_TERMS = 6 };
/* A question of the search is easy or hopeless. */
static const double QUESTION_SECONDS = 2;

void known_init(struct known *known, struct auto_problem *p, enum claim_direction direction) {
  *known = (struct known){.p = p};
  const struct kernel *k = claim_kernel(p->goal, direction);
  for (size_t i = 0; i < kernel_fact_count(k); i++)
    if (!auto_defines_sum(p, kernel_fact(k, i))) known_add(known, kernel_fact(k, i));
  for (size_t i = 0; i < p->view->bounds.len; i++)
    known_add(known, p->view->bounds.at[i]);
}

void known_clear(struct known *known) {
  vec_clear(&known->facts);
}

void known_add(struct known *known, term_id formula) {
  term_conjuncts(known->p->ts, formula, &known->facts);
}

/* ---- ground instances ----------------------------------------------------------------------- */

static void ground_add(struct terms *ts, term_list *pool, term_id t) {
  size_t same = 0;
  for (size_t i = 0; i < pool->len; i++) {
    if (pool->at[i] == t) return;
    same += term_sort(ts, pool->at[i]) == term_sort(ts, t);
  }
  if (same < GROUND_TERMS) vec_push(pool, t);
}

/* Index terms, arguments of operators, values of abstract types. */
static void ground_terms(struct terms *ts, term_id formula, term_list *pool) {
  term_list all = {0};
  term_subterms(ts, formula, &all);
  for (size_t i = 0; i < all.len; i++) {
    term_id t = all.at[i];
    enum term_kind kind = term_kind(ts, t);
    if (kind == TERM_SELECT) ground_add(ts, pool, term_arg(ts, t, 1));
    for (size_t a = 0; kind == TERM_APP && a < term_arg_count(ts, t); a++)
      ground_add(ts, pool, term_arg(ts, t, a));
  }
  vec_clear(&all);
}

/* The formula with every quantifier that stands positively replaced by its instances, other parts
 * with quantifiers by true: it follows from the formula. */
static term_id grounded(struct terms *ts, const term_list *pool, term_id t) {
  if (!(term_get(ts, t)->flags & TERM_HAS_QUANTIFIER)) return t;
  term_id result = term_bool(ts, true);
  size_t count = term_arg_count(ts, t);
  switch (term_kind(ts, t)) {
  case TERM_FORALL:
    for (size_t i = 0; i < pool->len; i++)
      if (term_sort(ts, pool->at[i]) == term_get(ts, t)->binder)
        result = term_and(ts, result, grounded(ts, pool, term_instantiate(ts, t, pool->at[i])));
    return result;
  case TERM_AND:
    for (size_t i = 0; i < count; i++)
      result = term_and(ts, result, grounded(ts, pool, term_arg(ts, t, i)));
    return result;
  case TERM_OR:
    result = term_bool(ts, false);
    for (size_t i = 0; i < count; i++)
      result = term_or(ts, result, grounded(ts, pool, term_arg(ts, t, i)));
    return result;
  case TERM_IMPLIES:
    if (term_get(ts, term_arg(ts, t, 0))->flags & TERM_HAS_QUANTIFIER) return result;
    return term_implies(ts, term_arg(ts, t, 0), grounded(ts, pool, term_arg(ts, t, 1)));
  default: return result;
  }
}

bool known_entails(const struct known *known, term_id given, term_id goal) {
  struct auto_problem *p = known->p;
  if (goal == TERM_NONE || budget_is_spent(p->budget)) return false;
  term_list pool = {0}, hypotheses = {0};
  ground_terms(p->ts, goal, &pool);
  if (given != TERM_NONE) {
    ground_terms(p->ts, given, &pool);
    vec_push(&hypotheses, grounded(p->ts, &pool, given));
  }
  for (size_t i = 0; i < known->facts.len; i++) {
    term_id fact = grounded(p->ts, &pool, known->facts.at[i]);
    if (fact != TERM_NONE && fact != p->ts->true_term) vec_push(&hypotheses, fact);
  }
  double limit = p->smt->options.timeout_s;
  if (limit > QUESTION_SECONDS) p->smt->options.timeout_s = QUESTION_SECONDS;
  enum smt_verdict v =
      smt_entails(p->smt, "search", span_none(), hypotheses.at, hypotheses.len, goal);
  p->smt->options.timeout_s = limit;
  vec_clear(&pool);
  vec_clear(&hypotheses);
  return v == SMT_VALID;
}

/* ---- bounds --------------------------------------------------------------------------------- */

static bool is_closed_number(struct terms *ts, term_id t) {
  const struct term_node *n = term_get(ts, t);
  return sort_is_numeric(n->sort) && n->loose == 0 &&
         !(n->flags & (TERM_HAS_RUN1 | TERM_HAS_RUN2 | TERM_HAS_QUANTIFIER));
}

/* Does it read an element, apply an operator, or mention an input of one run? Then it may differ
 * between the runs. */
static bool reads_data(struct terms *ts, term_id t) {
  enum term_kind kind = term_kind(ts, t);
  if (kind == TERM_SELECT || kind == TERM_APP) return true;
  if (kind == TERM_VAR) return term_var_get(ts, t)->run != 0;
  for (size_t i = 0; i < term_arg_count(ts, t); i++)
    if (reads_data(ts, term_arg(ts, t, i))) return true;
  return false;
}

static void collect_numbers(struct terms *ts, term_id t, term_list *out) {
  if (is_closed_number(ts, t)) {
    for (size_t i = 0; i < out->len; i++)
      if (out->at[i] == t) return;
    vec_push(out, t);
    return;
  }
  enum term_kind kind = term_kind(ts, t);
  if (kind == TERM_SELECT || kind == TERM_APP) return;
  for (size_t i = 0; i < term_arg_count(ts, t); i++)
    collect_numbers(ts, term_arg(ts, t, i), out);
}

/* Numbers and terms over parameters that are compared with what differs between the runs. */
static void collect_bounds(struct terms *ts, term_id t, term_list *out) {
  enum term_kind kind = term_kind(ts, t);
  if (kind == TERM_LE || kind == TERM_LT || kind == TERM_EQ) {
    if (reads_data(ts, t)) collect_numbers(ts, t, out);
    return;
  }
  for (size_t i = 0; i < term_arg_count(ts, t); i++)
    collect_bounds(ts, term_arg(ts, t, i), out);
}

static bool comes_before(const struct terms *ts, term_id a, term_id b) {
  if (!term_is_num(ts, a)) return false;
  return !term_is_num(ts, b) || fmpq_cmp(term_num_value(ts, a), term_num_value(ts, b)) < 0;
}

/* Candidates c for |d| <= c: 0, what the facts about both runs mention, and twice that. */
static void candidate_bounds(const struct known *known, const term_list *more, term_list *out) {
  struct terms *ts = known->p->ts;
  term_list found = {0};
  for (size_t i = 0; i < known->facts.len; i++)
    collect_bounds(ts, known->facts.at[i], &found);
  for (size_t i = 0; more && i < more->len; i++)
    vec_push(&found, more->at[i]);
  vec_push(out, term_int(ts, 0));
  for (size_t i = 0; i < found.len; i++)
    for (long m = -2; m <= 2; m++) {
      term_id c = term_mul(ts, term_int(ts, m), found.at[i]);
      bool seen = c == TERM_NONE;
      for (size_t j = 0; j < out->len && !seen; j++)
        seen = out->at[j] == c;
      if (!seen) vec_push(out, c);
    }
  vec_clear(&found);
  /* numbers first and rising: the first that holds is the least of them */
  for (size_t i = 1; i < out->len; i++)
    for (size_t j = i; j > 0 && comes_before(ts, out->at[j], out->at[j - 1]); j--) {
      term_id t = out->at[j];
      out->at[j] = out->at[j - 1];
      out->at[j - 1] = t;
    }
}

static bool both_numbers(struct terms *ts, term_id a, term_id b) {
  return term_is_num(ts, a) && term_is_num(ts, b);
}

/* Is a <= b known? */
static bool at_most(const struct known *known, term_id a, term_id b) {
  struct terms *ts = known->p->ts;
  if (both_numbers(ts, a, b)) return fmpq_cmp(term_num_value(ts, a), term_num_value(ts, b)) <= 0;
  return known_entails(known, TERM_NONE, term_le(ts, a, b));
}

/* The least candidate that is an upper bound. */
static term_id least_upper(const struct known *known, term_id given, term_id d,
                           const term_list *candidates) {
  struct terms *ts = known->p->ts;
  term_id best = TERM_NONE;
  for (size_t i = 0; i < candidates->len; i++) {
    term_id c = candidates->at[i];
    if (best != TERM_NONE && (!at_most(known, c, best) || at_most(known, best, c))) continue;
    if (known_entails(known, given, term_le(ts, d, c))) best = c;
  }
  return best;
}

/* ---- common factors ------------------------------------------------------------------------- */

/* A summand as a factor that is the same in both runs, times the rest; the factor's number is not
 * negative. */
struct split {
  term_id factor, rest;
};

static struct split split_summand(struct terms *ts, term_id t) {
  struct split s = {term_int(ts, 1), t};
  size_t count = term_arg_count(ts, t);
  if (term_kind(ts, t) == TERM_DIV && is_closed_number(ts, term_arg(ts, t, 1))) {
    s = split_summand(ts, term_arg(ts, t, 0));
    s.factor = term_div(ts, s.factor, term_arg(ts, t, 1));
  } else if (term_kind(ts, t) == TERM_MUL) {
    s.rest = term_int(ts, 1);
    for (size_t i = 0; i < count; i++) {
      term_id a = term_arg(ts, t, i);
      bool negative = term_is_num(ts, a) && fmpq_sgn(term_num_value(ts, a)) < 0;
      if (negative) {
        s.rest = term_neg(ts, s.rest);
        a = term_neg(ts, a);
      }
      struct split inner =
          is_closed_number(ts, a) ? (struct split){a, term_int(ts, 1)} : split_summand(ts, a);
      s.factor = term_mul(ts, s.factor, inner.factor);
      s.rest = term_mul(ts, s.rest, inner.rest);
    }
  }
  return s;
}

/* d as such a factor, which all of its summands have, times the rest. */
static struct split split_difference(struct terms *ts, term_id d) {
  if (term_kind(ts, d) != TERM_ADD) return split_summand(ts, d);
  struct split all = {TERM_NONE, term_int(ts, 0)};
  for (size_t i = 0; i < term_arg_count(ts, d); i++) {
    struct split s = split_summand(ts, term_arg(ts, d, i));
    if (i > 0 && s.factor != all.factor) return (struct split){term_int(ts, 1), d};
    all.factor = s.factor;
    all.rest = term_add(ts, all.rest, s.rest);
  }
  return all;
}

static struct bounds bounds_of(const struct known *known, term_id given, term_id d,
                               const term_list *more);

/* The bounds of the rest times the factor, if that is not 1 and known to be positive. */
static struct bounds bounds_by_factor(const struct known *known, term_id given, term_id d,
                                      const term_list *more) {
  struct terms *ts = known->p->ts;
  struct bounds none = {TERM_NONE, TERM_NONE};
  struct split s = split_difference(ts, d);
  if (s.factor == TERM_NONE || s.factor == term_int(ts, 1) || s.rest == TERM_NONE ||
      !known_entails(known, given, term_lt(ts, term_int(ts, 0), s.factor)))
    return none;
  struct bounds b = bounds_of(known, given, s.rest, more);
  return (struct bounds){b.low == TERM_NONE ? TERM_NONE : term_mul(ts, s.factor, b.low),
                         b.high == TERM_NONE ? TERM_NONE : term_mul(ts, s.factor, b.high)};
}

struct bounds known_bounds(const struct known *known, term_id given, term_id d) {
  return known_bounds_among(known, given, d, NULL);
}

struct bounds known_bounds_among(const struct known *known, term_id given, term_id d,
                                 const term_list *more) {
  struct terms *ts = known->p->ts;
  if (d == TERM_NONE) return (struct bounds){TERM_NONE, TERM_NONE};
  if (is_closed_number(ts, d)) return (struct bounds){d, d};
  struct bounds b = bounds_by_factor(known, given, d, more);
  return b.low != TERM_NONE && b.high != TERM_NONE ? b : bounds_of(known, given, d, more);
}

static struct bounds bounds_of(const struct known *known, term_id given, term_id d,
                               const term_list *more) {
  struct terms *ts = known->p->ts;
  struct bounds b = {TERM_NONE, TERM_NONE};
  term_list candidates = {0};
  candidate_bounds(known, more, &candidates);
  b.high = least_upper(known, given, d, &candidates);
  term_id low = least_upper(known, given, term_neg(ts, d), &candidates);
  if (low != TERM_NONE) b.low = term_neg(ts, low);
  vec_clear(&candidates);
  return b;
}

term_id known_larger(const struct known *known, term_id a, term_id b) {
  if (a == b || b == TERM_NONE) return a;
  if (a == TERM_NONE) return b;
  return at_most(known, a, b) ? b : at_most(known, b, a) ? a : TERM_NONE;
}

static bool believe(void *context, term_id formula) {
  (void)context;
  (void)formula;
  return true;
}

term_id cost_simplified(struct terms *ts, term_id t) {
  if (t == TERM_NONE) return t;
  struct normaliser n;
  normaliser_init(&n, ts, believe, NULL);
  term_id simple = normalise(&n, t);
  normaliser_clear(&n);
  return simple == TERM_NONE ? t : simple;
}

bool terms_coefficient(struct terms *ts, term_id sum, term_id atom, fmpq *coefficient) {
  struct linear l;
  bool found = false;
  linear_read(&l, ts, sum);
  for (size_t i = 0; i < l.items.len && !found; i++)
    if ((found = l.items.at[i].atom == atom)) fmpq_set(coefficient, &l.items.at[i].coefficient);
  linear_clear(&l);
  return found;
}
