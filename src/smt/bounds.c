#include "smt/bounds.h"

#include <stdlib.h>

#include "num/arb_compat.h"
#include "num/ends.h"
#include "num/real/ball.h"
#include "term/build.h"
#include "term/subst.h"

/* ---- shorthands ------------------------------------------------------------------------------ */

static term_id num(struct terms *ts, long n) {
  return term_rat(ts, n, 1);
}

static term_id if_then(struct terms *ts, term_id guard, term_id fact) {
  return term_implies(ts, guard, fact);
}

/* sum of c[i]/d[i] * x^i */
static term_id polynomial(struct terms *ts, const long *c, const unsigned long *d, size_t n,
                          term_id x) {
  term_id sum = num(ts, 0);
  for (size_t i = 0; i < n; i++) {
    term_id power = term_pow(ts, x, (unsigned)i);
    sum = term_add(ts, sum, term_mul(ts, term_rat(ts, c[i], d[i]), power));
  }
  return sum;
}

static term_id positive(struct terms *ts, term_id t) {
  return term_lt(ts, num(ts, 0), t);
}

/* ---- schemas: one exponential, e = exp(a) ---------------------------------------------------- */

term_id bounds_exp_schema(struct terms *ts, size_t index, term_id a, term_id e, int *tier) {
  term_id zero = num(ts, 0), one = num(ts, 1), two = num(ts, 2);
  *tier = index < 2 ? 1 : 2;
  switch (index) {
  case 0: /* e^a > 0 */ return positive(ts, e);
  case 1: /* 1 + a <= e^a: e^a is convex with tangent 1 + a at 0 */
    return term_le(ts, term_add(ts, a, one), e);
  case 2: /* a < 1: e^a (1 - a) <= 1, from 1 + (-a) <= e^(-a) */
    return if_then(ts, term_lt(ts, a, one),
                   term_le(ts, term_mul(ts, e, term_sub(ts, one, a)), one));
  case 3: { /* odd Taylor sums lie below e^a: the remainder is e^z a^4/24 >= 0 */
    term_id lower = polynomial(ts, (long[]){1, 1, 1, 1}, (unsigned long[]){1, 1, 2, 6}, 4, a);
    return term_le(ts, lower, e);
  }
  case 4: { /* a >= 0: all Taylor terms are >= 0 */
    term_id lower = polynomial(ts, (long[]){1, 1, 1}, (unsigned long[]){1, 1, 2}, 3, a);
    return if_then(ts, term_le(ts, zero, a), term_le(ts, lower, e));
  }
  case 5: { /* a <= 1: e^a = 1 + a + a^2 (1/2 + a/6 + ...); the bracket increases in a and is
             * e - 2 < 1 at a = 1 */
    term_id upper = polynomial(ts, (long[]){1, 1, 1}, (unsigned long[]){1, 1, 1}, 3, a);
    return if_then(ts, term_le(ts, a, one), term_le(ts, e, upper));
  }
  case 6: { /* a <= 1: Taylor with remainder e^z a^4/24, z <= 1, e/24 < 1/8 */
    term_id upper = polynomial(ts, (long[]){1, 1, 1, 1, 1}, (unsigned long[]){1, 1, 2, 6, 8}, 5, a);
    return if_then(ts, term_le(ts, a, one), term_le(ts, e, upper));
  }
  case 7: { /* 0 <= a < 2: e^a <= (2+a)/(2-a), as ln((2+a)/(2-a)) = 2 artanh(a/2) >= a */
    term_id range = term_and(ts, term_le(ts, zero, a), term_lt(ts, a, two));
    term_id left = term_mul(ts, e, term_sub(ts, two, a));
    return if_then(ts, range, term_le(ts, left, term_add(ts, two, a)));
  }
  case 8: { /* -2 < a <= 0: the reverse, by a -> -a */
    term_id range = term_and(ts, term_le(ts, a, zero), term_lt(ts, num(ts, -2), a));
    term_id left = term_mul(ts, e, term_sub(ts, two, a));
    return if_then(ts, range, term_ge(ts, left, term_add(ts, two, a)));
  }
  default: return TERM_NONE;
  }
}

/* ---- schemas: one logarithm, l = ln(u); nothing is said for u <= 0 ----------------------------
 */

term_id bounds_ln_schema(struct terms *ts, size_t index, term_id u, term_id l, int *tier) {
  term_id one = num(ts, 1), two = num(ts, 2);
  term_id minus = term_sub(ts, u, one), plus = term_add(ts, u, one);
  *tier = index < 2 ? 1 : 2;
  switch (index) {
  case 0: /* ln u <= u - 1: 1 + x <= e^x at x = ln u */
    return if_then(ts, positive(ts, u), term_le(ts, l, minus));
  case 1: /* u ln u >= u - 1: the same for 1/u */
    return if_then(ts, positive(ts, u), term_le(ts, minus, term_mul(ts, l, u)));
  case 2: /* u >= 1: ln u >= 2(u-1)/(u+1), since ln u = 2 artanh((u-1)/(u+1)) */
    return if_then(ts, term_le(ts, one, u),
                   term_ge(ts, term_mul(ts, l, plus), term_mul(ts, two, minus)));
  case 3: /* 0 < u <= 1: the reverse, by u -> 1/u */
    return if_then(ts, term_and(ts, positive(ts, u), term_le(ts, u, one)),
                   term_le(ts, term_mul(ts, l, plus), term_mul(ts, two, minus)));
  default: return TERM_NONE;
  }
}

/* ---- schemas: one square root, s = sqrt(u); nothing is said for u < 0 -------------------------
 */

term_id bounds_sqrt_schema(struct terms *ts, size_t index, term_id u, term_id s, int *tier) {
  term_id zero = num(ts, 0), guard = term_le(ts, zero, u);
  *tier = 1;
  switch (index) {
  case 0: return if_then(ts, guard, term_le(ts, zero, s));
  case 1: return if_then(ts, guard, term_eq(ts, term_mul(ts, s, s), u));
  default: return TERM_NONE;
  }
}

/* ---- schemas: two exponentials, e = exp(a), f = exp(b) -----------------------------------------
 */

/* x and y are ordered as v and w are. */
static term_id same_order(struct terms *ts, term_id x, term_id y, term_id v, term_id w) {
  term_id cases[] = {term_and(ts, term_lt(ts, x, y), term_lt(ts, v, w)),
                     term_and(ts, term_eq(ts, x, y), term_eq(ts, v, w)),
                     term_and(ts, term_lt(ts, y, x), term_lt(ts, w, v))};
  return term_or_all(ts, cases, 3);
}

term_id bounds_exp_pair_schema(struct terms *ts, size_t index, term_id a, term_id e, term_id b,
                               term_id f, int *tier) {
  term_id one = num(ts, 1);
  *tier = index == 0 ? 1 : 3;
  switch (index) {
  case 0: /* exp is strictly increasing */ return same_order(ts, a, b, e, f);
  case 1: /* tangent of exp at b: e^a >= e^b (1 + a - b) */
    return term_ge(ts, e, term_mul(ts, f, term_add(ts, one, term_sub(ts, a, b))));
  case 2: /* and at a */
    return term_ge(ts, f, term_mul(ts, e, term_add(ts, one, term_sub(ts, b, a))));
  default: return TERM_NONE;
  }
}

term_id bounds_ln_pair_schema(struct terms *ts, size_t index, term_id u, term_id l, term_id v,
                              term_id m, int *tier) {
  term_id guard = term_and(ts, positive(ts, u), positive(ts, v)), up = term_sub(ts, v, u);
  *tier = index == 0 ? 1 : 2;
  switch (index) {
  case 0: /* ln is strictly increasing on u, v > 0 */
    return if_then(ts, guard, same_order(ts, u, v, l, m));
  case 1: /* tangent of ln at u: ln v <= ln u + (v - u)/u */
    return if_then(ts, guard, term_le(ts, term_mul(ts, u, term_sub(ts, m, l)), up));
  case 2: /* and at v */
    return if_then(ts, guard, term_le(ts, up, term_mul(ts, v, term_sub(ts, m, l))));
  default: return TERM_NONE;
  }
}

term_id bounds_ln_ratio(struct terms *ts, term_id u, term_id l, term_id v, term_id m, term_id c,
                        term_id ln) {
  if (!term_is_num(ts, c) || fmpq_sgn(term_num_value(ts, c)) <= 0) return TERM_NONE;
  term_id guard = term_and(ts, positive(ts, u), term_le(ts, v, term_mul(ts, c, u)));
  return if_then(ts, term_and(ts, positive(ts, v), guard), term_le(ts, m, term_add(ts, l, ln)));
}

/* ---- schemas: comparison with a number ---------------------------------------------------------
 */

/* Rational bounds of exp or ln at a rational, from a ball; short, so that the solver's numbers stay
 * small. */
static bool enclose(const fmpq *c, bool is_exp, fmpq *low, fmpq *high) {
  enum { BITS = 30 };
  arb_t x;
  arb_init(x);
  arb_set_fmpq(x, c, 2 * BITS);
  if (is_exp)
    arb_exp(x, x, 2 * BITS);
  else
    arb_log(x, x, 2 * BITS);
  bool ok = arb_is_finite(x) && fmpz_bits(ARF_EXPREF(arb_midref(x))) <= 16 && /* else too long */
            fmpz_bits(MAG_EXPREF(arb_radref(x))) <= 16;
  if (ok) ball_short_ends(low, high, x, BITS);
  arb_clear(x);
  return ok;
}

static term_id at_constant(struct terms *ts, term_id x, term_id y, term_id c, bool is_exp) {
  fmpq low, high;
  fmpq_init(&low);
  fmpq_init(&high);
  term_id fact = TERM_NONE;
  if (term_is_num(ts, c) && enclose(term_num_value(ts, c), is_exp, &low, &high)) {
    term_id low_term = term_num(ts, &low, SORT_REAL), high_term = term_num(ts, &high, SORT_REAL);
    /* monotone: x >= c -> y >= low, x <= c -> y <= high (ln: for x > 0) */
    term_id above = term_implies(ts, term_le(ts, c, x), term_le(ts, low_term, y));
    term_id below = term_le(ts, x, c);
    if (!is_exp) below = term_and(ts, positive(ts, x), below);
    fact = term_and(ts, above, term_implies(ts, below, term_le(ts, y, high_term)));
  }
  fmpq_clear(&low);
  fmpq_clear(&high);
  return fact;
}

term_id bounds_exp_constant(struct terms *ts, term_id a, term_id e, term_id c) {
  return at_constant(ts, a, e, c, true);
}

term_id bounds_ln_constant(struct terms *ts, term_id u, term_id l, term_id c) {
  if (!term_is_num(ts, c) || fmpq_sgn(term_num_value(ts, c)) <= 0) return TERM_NONE;
  return at_constant(ts, u, l, c, false);
}

/* Tangents at c, with the value at c rounded to the safe side: e^a >= e^c (1 + a - c), where the
 * bracket may have either sign; ln u <= ln c + (u - c)/c. */
term_id bounds_tangent(struct terms *ts, term_id x, term_id y, term_id c, bool is_exp) {
  fmpq low, high;
  fmpq_init(&low);
  fmpq_init(&high);
  term_id fact = TERM_NONE, offset = term_sub(ts, x, c);
  bool ok = term_is_num(ts, c) && (is_exp || fmpq_sgn(term_num_value(ts, c)) > 0);
  if (ok && enclose(term_num_value(ts, c), is_exp, &low, &high)) {
    if (is_exp) {
      term_id line = term_add(ts, num(ts, 1), offset);
      fact = term_implies(ts, term_le(ts, num(ts, 0), line),
                          term_le(ts, term_mul(ts, term_num(ts, &low, SORT_REAL), line), y));
    } else {
      term_id line = term_add(ts, term_num(ts, &high, SORT_REAL), term_div(ts, offset, c));
      fact = term_implies(ts, positive(ts, x), term_le(ts, y, line));
    }
  }
  fmpq_clear(&low);
  fmpq_clear(&high);
  return fact;
}

/* ---- e^(a+b) = e^a e^b, ln(u v) = ln u + ln v --------------------------------------------------
 */

struct gatherer {
  struct purifier *p;
  struct normaliser *normaliser;
  int tier;
  const term_list *constants;
  term_list *out;
};

static void push(struct gatherer *g, term_id fact, int tier) {
  if (fact != TERM_NONE && fact != g->p->ts->true_term && tier <= g->tier) vec_push(g->out, fact);
}

/* e = b^k for an integer k: e^(k x) = (e^x)^k. */
static void power_fact(struct gatherer *g, term_id e, term_id b, const fmpz *k) {
  struct terms *ts = g->p->ts;
  if (fmpz_bits(k) > 4 || fmpz_is_zero(k)) return;
  long n = fmpz_get_si(k);
  term_id power = term_pow(ts, b, (unsigned)labs(n));
  push(g, n > 0 ? term_eq(ts, e, power) : term_eq(ts, term_mul(ts, e, power), num(ts, 1)), 1);
}

/* Relates the exponentials whose arguments are rational multiples of that of atom `first`, through
 * the exponential of their common unit. */
static void relate_multiples(struct gatherer *g, size_t first, struct ratfun *args, bool *done,
                             size_t count) {
  struct ratfun_ring *ring = &g->normaliser->ring;
  struct terms *ts = g->p->ts;
  fmpq ratio, unit, k;
  fmpq_init(&ratio);
  fmpq_init(&unit);
  fmpq_init(&k);
  fmpq_one(&unit);
  bool several = false;
  for (size_t i = first + 1; i < count; i++) {
    if (done[i] || !ratfun_ratio(&args[i], &args[first], &ratio, ring)) continue;
    fmpq_gcd(&unit, &unit, &ratio);
    several = true;
  }
  if (several) {
    struct ratfun base;
    ratfun_init(&base, ring);
    fmpq_mpoly_set_fmpq(base.num, &unit, ring->ctx);
    term_id unit_arg = TERM_NONE;
    if (ratfun_mul(&base, &base, &args[first], ring)) unit_arg = ratfun_term(&base, ring);
    term_id b = purify_number(g->p, term_exp(ts, unit_arg));
    for (size_t i = first; b && i < count; i++) {
      if (done[i] || !ratfun_ratio(&args[i], &args[first], &ratio, ring)) continue;
      done[i] = true;
      fmpq_div(&k, &ratio, &unit); /* an integer, as the unit divides every ratio */
      term_id e = g->p->atoms.at[i].var;
      if (e != b && fmpz_is_one(fmpq_denref(&k))) power_fact(g, e, b, fmpq_numref(&k));
    }
    ratfun_clear(&base, ring);
  }
  fmpq_clear(&ratio);
  fmpq_clear(&unit);
  fmpq_clear(&k);
}

/* a_i + a_j = a_k gives e_i e_j = e_k; is_exp: exponentials whose argument is known. */
static void relate_sums(struct gatherer *g, struct ratfun *args, const bool *is_exp, size_t count) {
  struct ratfun_ring *ring = &g->normaliser->ring;
  struct terms *ts = g->p->ts;
  struct ratfun sum;
  ratfun_init(&sum, ring);
  for (size_t i = 0; i < count; i++)
    for (size_t j = i + 1; j < count; j++) {
      if (!is_exp[i] || !is_exp[j]) continue;
      if (!ratfun_add(&sum, &args[i], &args[j], ring)) continue;
      for (size_t k = 0; k < count; k++) {
        if (!is_exp[k]) continue;
        if (!fmpq_mpoly_equal(sum.num, args[k].num, ring->ctx) ||
            !fmpq_mpoly_equal(sum.den, args[k].den, ring->ctx))
          continue;
        term_id product = term_mul(ts, g->p->atoms.at[i].var, g->p->atoms.at[j].var);
        push(g, term_eq(ts, product, g->p->atoms.at[k].var), 1);
      }
    }
  ratfun_clear(&sum, ring);
}

/* u_i u_j = c u_k for a number c > 0 (u_k may be 1) gives ln u_i + ln u_j = ln c + ln u_k. */
static void log_fact(struct gatherer *g, size_t i, size_t j, size_t k, const fmpq *c) {
  struct terms *ts = g->p->ts;
  bool alone = k == g->p->atoms.len;
  struct pure_atom u = g->p->atoms.at[i], v = g->p->atoms.at[j];
  struct pure_atom w = alone ? u : g->p->atoms.at[k];
  if (fmpq_sgn(c) <= 0 || fmpq_height_bits(c) > 16) return;
  term_id constant = purify_number(g->p, term_ln(ts, term_num(ts, c, SORT_REAL)));
  term_id right = alone ? constant : term_add(ts, w.var, constant);
  term_id guards[] = {positive(ts, u.arg), positive(ts, v.arg), positive(ts, w.arg)};
  push(g, if_then(ts, term_and_all(ts, guards, 3), term_eq(ts, term_add(ts, u.var, v.var), right)),
       1);
}

static void relate_logs(struct gatherer *g, struct ratfun *args, size_t count) {
  struct ratfun_ring *ring = &g->normaliser->ring;
  struct ratfun product, one;
  fmpq c;
  fmpq_init(&c);
  ratfun_init(&product, ring);
  ratfun_init(&one, ring);
  fmpq_mpoly_one(one.num, ring->ctx);
  for (size_t i = 0; i < count; i++)
    for (size_t j = i; j < count; j++) {
      if (g->p->atoms.at[i].kind != TERM_LN || g->p->atoms.at[j].kind != TERM_LN) continue;
      if (!ratfun_mul(&product, &args[i], &args[j], ring)) continue;
      if (ratfun_ratio(&product, &one, &c, ring)) log_fact(g, i, j, g->p->atoms.len, &c);
      for (size_t k = 0; k < count; k++)
        if (k != i && k != j && g->p->atoms.at[k].kind == TERM_LN &&
            ratfun_ratio(&product, &args[k], &c, ring))
          log_fact(g, i, j, k, &c);
    }
  ratfun_clear(&product, ring);
  ratfun_clear(&one, ring);
  fmpq_clear(&c);
}

static void homomorphism_facts(struct gatherer *g) {
  if (!g->normaliser) return;
  struct ratfun_ring *ring = &g->normaliser->ring;
  size_t count = g->p->atoms.len;
  struct ratfun *args = xcalloc(count + 1, sizeof *args);
  bool *done = xcalloc(count + 1, sizeof *done), *is_exp = xcalloc(count + 1, sizeof *is_exp);
  for (size_t i = 0; i < count; i++) {
    ratfun_init(&args[i], ring);
    struct pure_atom *a = &g->p->atoms.at[i];
    bool wanted = a->kind == TERM_EXP || a->kind == TERM_LN;
    bool known =
        wanted && normalise_ratfun(g->normaliser, term_arg(g->p->ts, a->source, 0), &args[i]);
    if (!known) fmpq_mpoly_zero(args[i].num, ring->ctx);
    is_exp[i] = known && a->kind == TERM_EXP;
    done[i] = !is_exp[i];
  }
  for (size_t i = 0; i < count; i++)
    if (!done[i]) relate_multiples(g, i, args, done, count);
  relate_sums(g, args, is_exp, count);
  relate_logs(g, args, count);
  for (size_t i = 0; i < count; i++)
    ratfun_clear(&args[i], ring);
  free(args);
  free(done);
  free(is_exp);
}

/* ---- all of them -------------------------------------------------------------------------------
 */

static void floor_facts(struct gatherer *g, const struct pure_atom *a) {
  struct terms *ts = g->p->ts;
  term_id one = num(ts, 1);
  if (a->kind == TERM_FLOOR) { /* floor(t) <= t < floor(t) + 1 */
    push(g, term_le(ts, a->var, a->arg), 1);
    push(g, term_lt(ts, a->arg, term_add(ts, a->var, one)), 1);
  } else { /* ceil(t) - 1 < t <= ceil(t) */
    push(g, term_le(ts, a->arg, a->var), 1);
    push(g, term_lt(ts, term_sub(ts, a->var, one), a->arg), 1);
  }
}

static void single_facts(struct gatherer *g, const struct pure_atom *a) {
  struct terms *ts = g->p->ts;
  int tier = 1;
  term_id fact;
  if (a->kind == TERM_FLOOR || a->kind == TERM_CEIL) floor_facts(g, a);
  if (a->kind == TERM_LENGTH) push(g, term_le(ts, num(ts, 0), a->var), 1);
  term_id (*schema)(struct terms *, size_t, term_id, term_id, int *) =
      a->kind == TERM_EXP    ? bounds_exp_schema
      : a->kind == TERM_LN   ? bounds_ln_schema
      : a->kind == TERM_SQRT ? bounds_sqrt_schema
                             : NULL;
  for (size_t i = 0; schema && (fact = schema(ts, i, a->arg, a->var, &tier)); i++)
    push(g, fact, tier);
  for (size_t i = 0; i < g->constants->len; i++) {
    term_id c = g->constants->at[i];
    if (a->kind == TERM_LN) push(g, bounds_ln_constant(ts, a->arg, a->var, c), 1);
    if (a->kind == TERM_LN) push(g, bounds_tangent(ts, a->arg, a->var, c, false), 2);
    if (a->kind == TERM_EXP) push(g, bounds_exp_constant(ts, a->arg, a->var, c), 3);
    if (a->kind == TERM_EXP) push(g, bounds_tangent(ts, a->arg, a->var, c, true), 3);
  }
  if (term_is_num(ts, a->arg)) { /* the value at the number itself */
    if (a->kind == TERM_LN) push(g, bounds_ln_constant(ts, a->arg, a->var, a->arg), 1);
    if (a->kind == TERM_EXP) push(g, bounds_exp_constant(ts, a->arg, a->var, a->arg), 1);
  }
}

/* Logarithms of data are few. Those of parameters are many, and seldom close to each other. */
enum { CLOSE_LNS = 3 };

static size_t count_lns(const struct purifier *p) {
  size_t count = 0;
  for (size_t i = 0; i < p->atoms.len; i++)
    count += p->atoms.at[i].kind == TERM_LN;
  return count;
}

static void pair_facts(struct gatherer *g, const struct pure_atom *a, const struct pure_atom *b) {
  struct terms *ts = g->p->ts;
  int tier = 1;
  term_id fact;
  if (a->kind == TERM_EXP && b->kind == TERM_EXP)
    for (size_t i = 0;
         (fact = bounds_exp_pair_schema(ts, i, a->arg, a->var, b->arg, b->var, &tier)); i++)
      push(g, fact, tier);
  bool lns = a->kind == TERM_LN && b->kind == TERM_LN;
  bool close = lns && count_lns(g->p) <= CLOSE_LNS;
  for (size_t i = 0; lns && (i == 0 || close) &&
                     (fact = bounds_ln_pair_schema(ts, i, a->arg, a->var, b->arg, b->var, &tier));
       i++)
    push(g, fact, tier);
  for (size_t i = 0; i < g->p->atoms.len && close; i++) {
    struct pure_atom c = g->p->atoms.at[i];
    if (c.kind != TERM_LN || c.var == a->var || c.var == b->var) continue;
    push(g, bounds_ln_ratio(ts, a->arg, a->var, b->arg, b->var, c.arg, c.var), 1);
    push(g, bounds_ln_ratio(ts, b->arg, b->var, a->arg, a->var, c.arg, c.var), 1);
  }
  if (a->kind == TERM_EXP && b->kind == TERM_LN) {
    /* exp(ln u) = u and exp(-ln u) = 1/u: compared with e = exp(a) as two more exponentials */
    term_id u = b->arg, inverse = term_div(ts, num(ts, 1), u);
    term_id same = same_order(ts, a->arg, b->var, a->var, u);
    term_id opposite = same_order(ts, a->arg, term_neg(ts, b->var), a->var, inverse);
    push(g, if_then(ts, positive(ts, u), term_and(ts, same, opposite)), 1);
  }
}

void bounds_facts(struct purifier *p, struct normaliser *normaliser, int tier,
                  const term_list *constants, term_list *out) {
  struct gatherer g = {p, normaliser, tier, constants, out};
  homomorphism_facts(&g);
  for (size_t i = 0; i < p->atoms.len; i++) {
    struct pure_atom a = p->atoms.at[i];
    single_facts(&g, &a);
    for (size_t j = 0; j < p->atoms.len; j++) {
      struct pure_atom b = p->atoms.at[j];
      if (i < j || (i != j && a.kind != b.kind)) pair_facts(&g, &a, &b);
    }
  }
}
