#include "smt/transcend.h"

#include <stdlib.h>

#include "smt/bounds.h"
#include "smt/instances.h"
#include "smt/interval.h"
#include "term/build.h"
#include "term/linear.h"
#include "term/subst.h"

enum {
  ORACLE_RLIMIT = 300000, /* for side conditions of the normaliser */
  MAX_CONSTANTS = 8,      /* numbers of the problem that arguments are compared with */
  MAX_DEPTH = 8           /* goals inside goals */
};

struct problem {
  struct smt *smt;
  term_list hyps;
  term_id goal;
  term_list constants;
  struct box box; /* bounds of single variables, from the hypotheses */
};

/* ---- asking --------------------------------------------------------------------------------- */

/* Names exp(t) for each t the goal compares with some ln(u): ln(u) <= t means u <= exp(t), and
 * facts relate only exponentials that have a name. Naming a term is always sound. */
static void name_seeds(struct purifier *p, term_id goal) {
  struct terms *ts = p->ts;
  enum term_kind kind = term_kind(ts, goal);
  if (kind == TERM_NOT) {
    name_seeds(p, term_arg(ts, goal, 0));
    return;
  }
  if (kind != TERM_LE && kind != TERM_LT && kind != TERM_EQ) return;
  term_id difference = term_sub(ts, term_arg(ts, goal, 0), term_arg(ts, goal, 1));
  if (difference == TERM_NONE) return;
  struct linear l;
  fmpq inverse;
  fmpq_init(&inverse);
  linear_read(&l, ts, difference);
  for (size_t i = 0; i < l.items.len; i++) {
    term_id atom = l.items.at[i].atom;
    if (term_kind(ts, atom) != TERM_LN) continue;
    fmpq_inv(&inverse, &l.items.at[i].coefficient);
    term_id scaled = term_mul(ts, term_num(ts, &inverse, SORT_REAL), difference);
    purify_number(p, term_exp(ts, term_sub(ts, atom, scaled)));
  }
  fmpq_clear(&inverse);
  linear_clear(&l);
}

static bool shares_variable(struct terms *ts, term_id t, const struct memo *vars, term_list *own) {
  own->len = 0;
  term_free_vars(ts, t, own);
  uint32_t known;
  for (size_t i = 0; i < own->len; i++)
    if (memo_find(vars, own->at[i], &known)) return true;
  return false;
}

/* The hypotheses that hang together with the goal through common variables: leaving out the others
 * is sound, and the solver's cost grows with every variable. */
static term_list relevant(struct terms *ts, const term_list *hyps, term_id goal) {
  struct memo vars;
  memo_init(&vars);
  term_list own = {0}, kept = {0}, left = {0};
  for (size_t i = 0; i < hyps->len; i++)
    vec_push(&left, hyps->at[i]);
  term_free_vars(ts, goal, &own);
  for (size_t i = 0; i < own.len; i++)
    memo_put(&vars, own.at[i], 1);
  if (!own.len) { /* a contradiction between the hypotheses is wanted */
    term_list all = left;
    left = kept;
    kept = all;
  }
  for (bool progress = true; progress;) {
    progress = false;
    for (size_t i = 0; i < left.len;) {
      if (!shares_variable(ts, left.at[i], &vars, &own)) {
        i++;
        continue;
      }
      for (size_t k = 0; k < own.len; k++)
        memo_put(&vars, own.at[k], 1);
      vec_push(&kept, left.at[i]);
      left.at[i] = left.at[left.len - 1];
      left.len--;
      progress = true;
    }
  }
  vec_clear(&left);
  vec_clear(&own);
  memo_clear(&vars);
  return kept;
}

/* One attempt: purified hypotheses, facts, negated goal. */
static bool ask(struct problem *pb, const term_list *hyps, term_id goal,
                struct normaliser *normaliser, int tier, unsigned rlimit) {
  struct terms *ts = pb->smt->ts;
  struct purifier p;
  purifier_init(&p, ts);
  term_list formulas = {0}, given = relevant(ts, hyps, goal);
  bool ok = true;
  for (size_t i = 0; i < given.len; i++) {
    term_id h = purify_formula(&p, given.at[i]);
    ok = ok && h != TERM_NONE;
    /* a formula that is only named says nothing */
    if (h != TERM_NONE && term_kind(ts, h) != TERM_VAR) vec_push(&formulas, h);
  }
  vec_push(&formulas, purify_formula(&p, term_not(ts, goal)));
  name_seeds(&p, goal);
  for (size_t i = 0; i < p.splits.len; i++)
    vec_push(&formulas, p.splits.at[i]);
  bounds_facts(&p, normaliser, tier, &pb->constants, &formulas);
  for (size_t i = 0; i < formulas.len; i++)
    ok = ok && formulas.at[i] != TERM_NONE;
  bool proved = false;
  if (ok) {
    struct solver_limits limits = {(unsigned)(pb->smt->options.timeout_s * 1000), rlimit};
    char *reason = NULL;
    proved = smt_ask_(pb->smt, formulas.at, formulas.len, SOLVER_NONLINEAR, limits, NULL,
                      &reason) == SOLVER_UNSAT;
    free(reason);
  }
  vec_clear(&given);
  vec_clear(&formulas);
  purifier_clear(&p);
  return proved;
}

/* ---- signs read off the term ------------------------------------------------------------------
 */

/* Is t >= 0 (strict: > 0) because of its shape and the bounds of its variables? */
static bool has_sign(struct problem *pb, term_id t, bool strict) {
  struct terms *ts = pb->smt->ts;
  size_t count = term_arg_count(ts, t);
  bool all = true, some_strict = false;
  switch (term_kind(ts, t)) {
  case TERM_NUM: return fmpq_sgn(term_num_value(ts, t)) >= (strict ? 1 : 0);
  case TERM_EXP: return true;
  case TERM_TO_REAL:
  case TERM_SQRT: return has_sign(pb, term_arg(ts, t, 0), strict);
  case TERM_VAR: {
    const struct box_side *s = box_find(&pb->box, t);
    if (!s || !s->has_low) return false;
    int sign = fmpq_sgn(&s->low);
    return sign > 0 || (sign == 0 && (s->low_open || !strict));
  }
  case TERM_POW: return has_sign(pb, term_arg(ts, t, 0), strict);
  case TERM_MUL:
    for (size_t i = 0; all && i < count; i++)
      all = has_sign(pb, term_arg(ts, t, i), strict);
    return all;
  case TERM_DIV: /* x/0 may be anything, so the divisor must be positive */
    return has_sign(pb, term_arg(ts, t, 0), strict) && has_sign(pb, term_arg(ts, t, 1), true);
  case TERM_ADD:
    for (size_t i = 0; all && i < count; i++) {
      bool positive = strict && has_sign(pb, term_arg(ts, t, i), true);
      some_strict = some_strict || positive;
      all = positive || has_sign(pb, term_arg(ts, t, i), false);
    }
    return all && (some_strict || !strict);
  default: return false;
  }
}

/* 0 < t, or t <> 0 in the form the normaliser asks for it. */
static bool obvious(struct problem *pb, term_id formula) {
  struct terms *ts = pb->smt->ts;
  term_id zero = term_rat(ts, 0, 1);
  if (term_kind(ts, formula) == TERM_LT && term_arg(ts, formula, 0) == zero)
    return has_sign(pb, term_arg(ts, formula, 1), true);
  if (term_kind(ts, formula) != TERM_NOT) return false;
  term_id eq = term_arg(ts, formula, 0);
  if (term_kind(ts, eq) != TERM_EQ) return false;
  for (size_t i = 0; i < 2; i++)
    if (term_arg(ts, eq, i) == zero && has_sign(pb, term_arg(ts, eq, 1 - i), true)) return true;
  return false;
}

static bool oracle(void *context, term_id formula) {
  struct problem *pb = context;
  return obvious(pb, formula) || ask(pb, &pb->hyps, formula, NULL, 1, ORACLE_RLIMIT);
}

/* ---- preparing ------------------------------------------------------------------------------ */

static bool is_small(const fmpq *q) {
  return fmpq_height_bits(q) <= 16;
}

static void add_constant(struct problem *pb, term_id c) {
  if (pb->constants.len >= MAX_CONSTANTS) return;
  for (size_t i = 0; i < pb->constants.len; i++)
    if (pb->constants.at[i] == c) return;
  vec_push(&pb->constants, c);
}

/* Numbers worth comparing arguments with: 1, 2, those of the problem, and their inverses. */
static void find_constants(struct problem *pb) {
  struct terms *ts = pb->smt->ts;
  add_constant(pb, term_rat(ts, 1, 1));
  add_constant(pb, term_rat(ts, 2, 1));
  term_list all = {0};
  term_subterms(ts, pb->goal, &all);
  for (size_t i = 0; i < pb->hyps.len; i++)
    term_subterms(ts, pb->hyps.at[i], &all);
  for (size_t i = 0; i < all.len; i++) {
    if (!term_is_num(ts, all.at[i])) continue;
    const fmpq *q = term_num_value(ts, all.at[i]);
    if (fmpq_sgn(q) <= 0 || !is_small(q)) continue;
    term_id c = term_to_real(ts, all.at[i]);
    add_constant(pb, c);
    add_constant(pb, term_div(ts, term_rat(ts, 1, 1), c));
  }
  vec_clear(&all);
}

/* ---- attempts ------------------------------------------------------------------------------- */

/* The problem rewritten where the side conditions can be proved. */
struct normal_form {
  struct normaliser normaliser;
  term_list hyps;
  term_id goal;
  bool ok;
};

static void normal_form_init(struct normal_form *nf, struct problem *pb) {
  *nf = (struct normal_form){.ok = true};
  normaliser_init(&nf->normaliser, pb->smt->ts, oracle, pb);
  for (size_t i = 0; i < pb->hyps.len; i++) {
    term_id h = normalise(&nf->normaliser, pb->hyps.at[i]);
    vec_push(&nf->hyps, h);
    nf->ok = nf->ok && h != TERM_NONE;
  }
  nf->goal = normalise(&nf->normaliser, pb->goal);
  nf->ok = nf->ok && nf->goal != TERM_NONE;
}

static void normal_form_clear(struct normal_form *nf) {
  vec_clear(&nf->hyps);
  normaliser_clear(&nf->normaliser);
}

static bool try_bounds(struct problem *pb, struct normal_form *nf) {
  unsigned rlimit = pb->smt->options.rlimit;
  if (!nf->ok) return false;
  if (nf->goal == pb->smt->ts->true_term) return true;
  for (int tier = 1; tier <= BOUNDS_TIERS; tier++)
    if (ask(pb, &nf->hyps, nf->goal, &nf->normaliser, tier, rlimit / 20)) return true;
  for (int tier = 1; tier <= BOUNDS_TIERS; tier++)
    if (ask(pb, &pb->hyps, pb->goal, &nf->normaliser, tier, rlimit / 10)) return true;
  return false;
}

/* p/q <= 0 is p <= 0 where q > 0 is known, and -p <= 0 where q < 0 is. */
static term_id without_denominator(struct problem *pb, struct normal_form *nf) {
  struct terms *ts = pb->smt->ts;
  enum term_kind kind = term_kind(ts, pb->goal);
  if (kind != TERM_LE && kind != TERM_LT) return TERM_NONE;
  term_id zero = term_rat(ts, 0, 1), result = TERM_NONE;
  term_id difference = term_sub(ts, term_arg(ts, pb->goal, 0), term_arg(ts, pb->goal, 1));
  struct ratfun f;
  ratfun_init(&f, &nf->normaliser.ring);
  if (normalise_ratfun(&nf->normaliser, term_to_real(ts, difference), &f)) {
    term_id p = ratfun_poly_term(f.num, &nf->normaliser.ring);
    term_id q = ratfun_poly_term(f.den, &nf->normaliser.ring);
    if (normaliser_proves(&nf->normaliser, term_lt(ts, zero, q)))
      result = p;
    else if (normaliser_proves(&nf->normaliser, term_lt(ts, q, zero)))
      result = term_neg(ts, p);
  }
  ratfun_clear(&f, &nf->normaliser.ring);
  if (result == TERM_NONE) return TERM_NONE;
  return kind == TERM_LE ? term_le(ts, result, zero) : term_lt(ts, result, zero);
}

static bool try_box(struct problem *pb, const term_list *given, term_id goal) {
  struct terms *ts = pb->smt->ts;
  if (goal == TERM_NONE) return false;
  term_list hyps = {0}, vars = {0}, values = {0};
  for (size_t i = 0; i < given->len; i++)
    vec_push(&hyps, given->at[i]);
  box_solve_equations(ts, &hyps, &goal, &vars, &values);
  bool proved = goal == ts->true_term || interval_prove(ts, &hyps, goal, pb->smt->deadline);
  vec_clear(&hyps);
  vec_clear(&vars);
  vec_clear(&values);
  return proved;
}

/* A part of a larger goal may be easy. */
static bool try_core(struct problem *pb) {
  struct terms *ts = pb->smt->ts;
  term_list formulas = {0};
  for (size_t i = 0; i < pb->hyps.len; i++)
    vec_push(&formulas, pb->hyps.at[i]);
  vec_push(&formulas, term_not(ts, pb->goal));
  struct solver_limits limits = {(unsigned)(pb->smt->options.timeout_s * 1000),
                                 pb->smt->options.rlimit / 1000};
  char *reason = NULL;
  bool proved = smt_ask_(pb->smt, formulas.at, formulas.len, SOLVER_CORE, limits, NULL, &reason) ==
                SOLVER_UNSAT;
  free(reason);
  vec_clear(&formulas);
  return proved;
}

static bool try_all(struct problem *pb, const char **method) {
  *method = "bounds";
  if (ask(pb, &pb->hyps, pb->goal, NULL, 1, pb->smt->options.rlimit / 100)) return true;
  struct normal_form nf;
  normal_form_init(&nf, pb);
  bool proved = try_bounds(pb, &nf);
  if (!proved) {
    *method = "interval";
    proved =
        try_box(pb, &pb->hyps, without_denominator(pb, &nf)) || try_box(pb, &pb->hyps, pb->goal);
  }
  normal_form_clear(&nf);
  return proved;
}

/* ---- goals ---------------------------------------------------------------------------------- */

static bool prove_goal(struct problem *pb, term_id goal, const char **method, int depth);

/* Introduces hypothesis and proves the rest. */
static bool prove_implication(struct problem *pb, term_id hyp, term_id goal, const char **method,
                              int depth) {
  size_t before = pb->hyps.len;
  term_conjuncts(pb->smt->ts, hyp, &pb->hyps);
  bool proved = prove_goal(pb, goal, method, depth);
  pb->hyps.len = before;
  return proved;
}

static bool prove_goal(struct problem *pb, term_id goal, const char **method, int depth) {
  struct terms *ts = pb->smt->ts;
  if (goal == TERM_NONE || depth > MAX_DEPTH) return false;
  switch (term_kind(ts, goal)) {
  case TERM_AND: {
    bool proved = true;
    for (size_t i = 0; proved && i < term_arg_count(ts, goal); i++)
      proved = prove_goal(pb, term_arg(ts, goal, i), method, depth + 1);
    return proved;
  }
  case TERM_IMPLIES:
    return prove_implication(pb, term_arg(ts, goal, 0), term_arg(ts, goal, 1), method, depth + 1);
  case TERM_FORALL: {
    term_id var;
    return prove_goal(pb, term_open(ts, goal, &var), method, depth + 1);
  }
  default: break;
  }
  /* hypotheses are replaced for this goal only */
  term_list saved = pb->hyps;
  pb->hyps = (term_list){0};
  for (size_t i = 0; i < saved.len; i++)
    vec_push(&pb->hyps, saved.at[i]);
  instances_add(ts, &pb->hyps, goal);
  pb->goal = goal;
  pb->constants.len = 0;
  find_constants(pb);
  box_init(&pb->box);
  box_read(&pb->box, ts, &pb->hyps, goal);
  bool proved = (depth > 0 && try_core(pb)) || try_all(pb, method);
  box_clear(&pb->box);
  vec_clear(&pb->hyps);
  pb->hyps = saved;
  return proved;
}

bool transcend_prove(struct smt *smt, const term_id *hypotheses, size_t count, term_id goal,
                     const char **method) {
  struct problem pb = {.smt = smt};
  for (size_t i = 0; i < count; i++)
    vec_push(&pb.hyps, hypotheses[i]);
  bool proved = prove_goal(&pb, goal, method, 0);
  vec_clear(&pb.hyps);
  vec_clear(&pb.constants);
  return proved;
}

/* ---- does it apply? ------------------------------------------------------------------------- */

static bool is_nonlinear(struct terms *ts, term_id t) {
  term_list all = {0};
  term_subterms(ts, t, &all);
  bool found = false;
  for (size_t i = 0; !found && i < all.len; i++) {
    enum term_kind kind = term_kind(ts, all.at[i]);
    found = kind == TERM_POW || kind == TERM_DIV ||
            (kind == TERM_MUL &&
             (term_arg_count(ts, all.at[i]) > 2 || !term_is_num(ts, term_arg(ts, all.at[i], 0))));
  }
  vec_clear(&all);
  return found;
}

bool transcend_applies(struct smt *smt, const term_id *hypotheses, size_t count, term_id goal) {
  struct terms *ts = smt->ts;
  if (term_get(ts, goal)->flags & TERM_HAS_TRANSCENDENTAL || is_nonlinear(ts, goal)) return true;
  for (size_t i = 0; i < count; i++)
    if (term_get(ts, hypotheses[i])->flags & TERM_HAS_TRANSCENDENTAL ||
        is_nonlinear(ts, hypotheses[i]))
      return true;
  return false;
}
