#include "advocate/functions.h"

#include "advocate/arith.h"
#include "advocate/divide.h"
#include "advocate/lemmas.h"
#include "term/build.h"

static term_id zero(struct search *s) {
  return term_rat(s->ts, 0, 1);
}

static bool is_positive(struct search *s, term_id t) {
  if (term_is_num(s->ts, t)) return fmpq_sgn(term_num_value(s->ts, t)) > 0;
  return search_proves(s, term_lt(s->ts, zero(s), t));
}

/* Do the rules show a = b? Then it holds at level 0. */
static bool rules_show_equal(struct search *s, term_id a, term_id b) {
  term_id equal = term_eq(s->ts, a, b);
  if (equal == s->ts->true_term) return true;
  if (equal == TERM_NONE || term_kind(s->ts, equal) != TERM_EQ) return false;
  int lit = search_literal(s, equal);
  struct poly want = {0};
  bool is_strict, is_equation;
  bool ok = arith_raw(s, lit, &want, &is_strict, &is_equation) &&
            arith_identity(s, &want, NULL, NULL, 0, lit);
  poly_clear(&want);
  return ok && sat_settle(&s->sat) && sat_is_fixed(&s->sat, lit);
}

/* f(a) = f(b), since a = b by the rules; a rule replaces the first by the second. */
static bool same_argument(struct search *s, term_id t, term_id u) {
  if (t == u || term_kind(s->ts, t) != term_kind(s->ts, u)) return false;
  if (!rules_show_equal(s, term_arg(s->ts, t, 0), term_arg(s->ts, u, 0))) return false;
  search_schema(s, SCHEMA_CONGRUENCE, (term_id[]){t, u}, 2);
  int lit = search_literal(s, term_eq(s->ts, t, u));
  return sat_settle(&s->sat) && sat_is_fixed(&s->sat, lit) &&
         arith_add_rule(s, lit, monomial_generator(&s->monomials, t));
}

static term_id apply(struct search *s, enum term_kind f, term_id a) {
  return f == TERM_EXP  ? term_exp(s->ts, a)
         : f == TERM_LN ? term_ln(s->ts, a)
                        : term_sqrt(s->ts, a);
}

/* ---- exponentials of logarithms -------------------------------------------------------------- */

/* e^(k ln u) = u^k: a rule for e^(k ln u). */
static bool exp_of_ln(struct search *s, term_id ln, long k, term_id e) {
  struct terms *ts = s->ts;
  term_id u = term_arg(ts, ln, 0), single = term_exp(ts, ln);
  if (!is_positive(s, u)) return false;
  search_schema(s, SCHEMA_EXP_LN, &u, 1);
  int lit = search_literal(s, term_eq(ts, single, u));
  if (!sat_settle(&s->sat) || !sat_is_fixed(&s->sat, lit)) return false;
  bool changed = arith_add_rule(s, lit, monomial_generator(&s->monomials, single));
  if (k == 1) return changed;
  search_schema(s, SCHEMA_EXP_MULTIPLE, (term_id[]){ln, term_rat(ts, k, 1)}, 2);
  term_id power = term_pow(ts, single, (unsigned)(k > 0 ? k : -k));
  term_id equation =
      k > 0 ? term_eq(ts, e, power) : term_eq(ts, term_mul(ts, e, power), term_rat(ts, 1, 1));
  lit = search_literal(s, equation);
  return sat_settle(&s->sat) && sat_is_fixed(&s->sat, lit) && divide_solve(s, lit, e);
}

/* The first logarithm with an integer factor in an argument; false: none. */
static bool find_ln(struct search *s, const struct poly *p, size_t *at, long *k) {
  for (size_t i = 0; i < p->items.len; i++) {
    const struct monomial *m = &s->monomials.list.at[p->items.at[i].monomial];
    const fmpq *c = &p->items.at[i].coefficient;
    if (m->degree != 1 || term_kind(s->ts, m->factors[0].generator) != TERM_LN) continue;
    if (!fmpz_is_one(fmpq_denref(c)) || fmpz_bits(fmpq_numref(c)) > 5) continue;
    *at = i;
    *k = fmpz_get_si(fmpq_numref(c));
    return true;
  }
  return false;
}

/* e^(a + k ln u) = e^a u^k */
static bool normalise_exp(struct search *s, term_id t, const struct poly *arg) {
  struct terms *ts = s->ts;
  size_t at;
  long k;
  if (!find_ln(s, arg, &at, &k)) return false;
  term_id ln = s->monomials.list.at[arg->items.at[at].monomial].factors[0].generator;
  struct poly rest = {0}, item = {0};
  poly_set_monomial(&item, arg->items.at[at].monomial, &arg->items.at[at].coefficient);
  poly_set(&rest, arg);
  poly_add_si(&rest, -1, &item);
  term_id left = poly_term(&s->monomials, ts, &rest), right = poly_term(&s->monomials, ts, &item);
  bool is_alone = !rest.items.len;
  poly_clear(&rest);
  poly_clear(&item);
  if (is_alone) return exp_of_ln(s, ln, k, t);
  term_id e = term_exp(ts, right);
  bool changed = exp_of_ln(s, ln, k, e);
  search_schema(s, SCHEMA_EXP_SUM, (term_id[]){left, right}, 2);
  lemmas_flush(s);
  term_id product = term_mul(ts, term_exp(ts, left), e);
  int lit = search_literal(s, term_eq(ts, t, product));
  if (!sat_settle(&s->sat) || !sat_is_fixed(&s->sat, lit)) return changed;
  return arith_add_rule(s, lit, monomial_generator(&s->monomials, t)) || changed;
}

/* ---- logarithms of products ------------------------------------------------------------------ */

/* The factors of a polynomial that are known apart: inverses, what all items have in common, and
 * the rest. */
static void factors_of(struct search *s, const struct poly *arg, term_list *out) {
  struct poly p = {0}, x = {0};
  poly_set(&p, arg);
  fmpq_t one;
  fmpq_init(one);
  fmpq_one(one);
  for (size_t i = 0; i < s->inverses.len; i++) {
    struct inverse v = s->inverses.at[i];
    for (int guard = 0; guard < 4 && poly_has(&s->monomials, &p, v.term); guard++) {
      if (v.generator)
        poly_set_monomial(&x, monomial_generator(&s->monomials, v.generator), one);
      else
        poly_set(&x, &v.of);
      if (!poly_mul(&s->monomials, &p, &p, &x) || !arith_reduce(s, &p, NULL)) break;
      vec_push(out, v.term);
    }
  }
  if (p.items.len == 1) {
    struct monomial m = s->monomials.list.at[p.items.at[0].monomial];
    for (size_t k = 0; k < m.count; k++)
      for (unsigned e = 0; e < m.factors[k].exponent; e++)
        vec_push(out, term_to_real(s->ts, m.factors[k].generator));
    if (!fmpq_is_one(&p.items.at[0].coefficient))
      vec_push(out, term_num(s->ts, &p.items.at[0].coefficient, SORT_REAL));
  } else {
    vec_push(out, poly_term(&s->monomials, s->ts, &p));
  }
  fmpq_clear(one);
  poly_clear(&p);
  poly_clear(&x);
}

/* ln(1/x) = -ln x, from ln(x (1/x)) = 0. */
static bool ln_of_inverse(struct search *s, term_id inverse) {
  struct terms *ts = s->ts;
  term_id x = TERM_NONE;
  for (size_t i = 0; i < s->inverses.len; i++)
    if (s->inverses.at[i].term == inverse)
      x = s->inverses.at[i].generator ? term_to_real(ts, s->inverses.at[i].generator)
                                      : poly_term(&s->monomials, ts, &s->inverses.at[i].of);
  if (x == TERM_NONE || !is_positive(s, x) || !is_positive(s, inverse)) return false;
  term_id whole = term_ln(ts, term_mul(ts, x, inverse)), ln = term_ln(ts, inverse);
  if (!search_schema(s, SCHEMA_LN_PRODUCT, (term_id[]){x, inverse}, 2)) return false;
  lemmas_flush(s);
  if (!search_proves(s, term_eq(ts, whole, zero(s)))) return false;
  int lit = search_literal(s, term_eq(ts, whole, zero(s)));
  arith_add_rule(s, lit, monomial_generator(&s->monomials, whole));
  lit = search_literal(s, term_eq(ts, whole, term_add(ts, term_ln(ts, x), ln)));
  return sat_settle(&s->sat) && sat_is_fixed(&s->sat, lit) &&
         arith_add_rule(s, lit, monomial_generator(&s->monomials, ln));
}

/* ln(u v ...) = ln u + ln v + ... */
static bool normalise_ln(struct search *s, term_id t, const struct poly *arg) {
  struct terms *ts = s->ts;
  term_list factors = {0};
  factors_of(s, arg, &factors);
  bool ok = factors.len > 1, changed = false;
  if (factors.len == 1) changed = ln_of_inverse(s, factors.at[0]);
  for (size_t i = 0; ok && i < factors.len; i++)
    ok = is_positive(s, factors.at[i]);
  term_id product = ok ? factors.at[0] : TERM_NONE;
  for (size_t i = 1; ok && i < factors.len; i++) {
    ok = is_positive(s, product);
    search_schema(s, SCHEMA_LN_PRODUCT, (term_id[]){product, factors.at[i]}, 2);
    lemmas_flush(s);
    term_id next = term_mul(ts, product, factors.at[i]);
    term_id sum = term_add(ts, term_ln(ts, product), term_ln(ts, factors.at[i]));
    int lit = search_literal(s, term_eq(ts, term_ln(ts, next), sum));
    ok = ok && sat_settle(&s->sat) && sat_is_fixed(&s->sat, lit);
    if (ok) arith_add_rule(s, lit, monomial_generator(&s->monomials, term_ln(ts, next)));
    product = next;
  }
  if (ok) {
    same_argument(s, t, term_ln(ts, product));
    changed = true;
  }
  for (size_t i = 0; ok && i < factors.len; i++)
    ln_of_inverse(s, factors.at[i]);
  vec_clear(&factors);
  return changed;
}

/* ---- square roots ---------------------------------------------------------------------------- */

/* 1 or -1 */
static bool is_unit(const fmpq *c) {
  return fmpz_is_one(fmpq_denref(c)) && fmpz_is_pm1(fmpq_numref(c));
}

/* s^2 = u as a rule; sqrt(c v) = sqrt c sqrt v for a number c. */
static bool normalise_sqrt(struct search *s, term_id t, const struct poly *arg) {
  struct terms *ts = s->ts;
  term_id u = term_arg(ts, t, 0);
  if (term_is_num(ts, u)) search_schema(s, SCHEMA_SQRT_AT, &u, 1);
  if (arg->items.len && vec_last(&arg->items).monomial &&
      !is_unit(&vec_last(&arg->items).coefficient)) {
    struct poly rest = {0};
    fmpq_t content;
    fmpq_init(content);
    fmpq_abs(content, &vec_last(&arg->items).coefficient);
    term_id c = term_num(ts, content, SORT_REAL);
    fmpq_inv(content, content);
    poly_set(&rest, arg);
    poly_scale(&rest, content);
    term_id v = poly_term(&s->monomials, ts, &rest);
    poly_clear(&rest);
    fmpq_clear(content);
    if (!is_positive(s, v)) return false;
    search_schema(s, SCHEMA_SQRT_PRODUCT, (term_id[]){c, v}, 2);
    lemmas_flush(s);
    term_id product = term_mul(ts, term_sqrt(ts, c), term_sqrt(ts, v));
    int lit = search_literal(s, term_eq(ts, t, product));
    return sat_settle(&s->sat) && sat_is_fixed(&s->sat, lit) &&
           arith_add_rule(s, lit, monomial_generator(&s->monomials, t));
  }
  if (!search_proves(s, term_le(ts, zero(s), u))) return false;
  int lit = search_literal(s, term_eq(ts, term_mul(ts, t, t), u));
  uint32_t g = monomial_generator(&s->monomials, t);
  if (is_positive(s, u)) search_proves(s, term_lt(ts, zero(s), t));
  return sat_settle(&s->sat) && sat_is_fixed(&s->sat, lit) &&
         arith_add_rule(s, lit, monomial_product(&s->monomials, g, g));
}

/* ---- all of them ----------------------------------------------------------------------------- */

static bool normalise(struct search *s, term_id t) {
  enum term_kind kind = term_kind(s->ts, t);
  struct poly arg = {0};
  bool changed = false;
  if (poly_of_term(&s->monomials, s->ts, term_arg(s->ts, t, 0), &arg) &&
      arith_reduce(s, &arg, NULL)) {
    term_id plain = apply(s, kind, poly_term(&s->monomials, s->ts, &arg));
    if (plain != TERM_NONE && plain != t && term_kind(s->ts, plain) == kind) {
      changed = same_argument(s, t, plain);
      lemmas_flush(s);
    } else if (kind == TERM_EXP) {
      changed = normalise_exp(s, t, &arg);
    } else if (kind == TERM_LN) {
      changed = normalise_ln(s, t, &arg);
    } else {
      changed = normalise_sqrt(s, t, &arg);
    }
  }
  poly_clear(&arg);
  return changed;
}

static bool has_rule(struct search *s, term_id t) {
  uint32_t m = monomial_generator(&s->monomials, t);
  for (size_t i = 0; i < s->rules.len; i++)
    if (s->rules.at[i].monomial == m ||
        s->rules.at[i].monomial == monomial_product(&s->monomials, m, m))
      return true;
  return false;
}

bool functions_normalise(struct search *s) {
  bool changed = false;
  for (size_t i = 0; i < s->terms.len && !s->sat.is_contradictory; i++) {
    term_id t = s->terms.at[i];
    enum term_kind kind = term_kind(s->ts, t);
    if ((kind != TERM_EXP && kind != TERM_LN && kind != TERM_SQRT) || has_rule(s, t)) continue;
    changed = normalise(s, t) || changed;
    if (budget_is_spent(s->budget)) break;
  }
  return changed;
}
/* ---- exponentials against logarithms --------------------------------------------------------- */

/* e^a against u = e^(ln u) and 1/u = e^(-ln u). */
static void compare_with_ln(struct search *s, term_id t, term_id ln) {
  struct terms *ts = s->ts;
  for (long k = -1; k <= 1; k += 2) {
    term_id a = k > 0 ? ln : term_neg(ts, ln);
    if (a == term_arg(ts, t, 0)) continue;
    search_schema(s, SCHEMA_EXP_ORDER, (term_id[]){term_arg(ts, t, 0), a}, 2);
    lemmas_flush(s);
    exp_of_ln(s, ln, k, term_exp(ts, a));
  }
}

void functions_compare(struct search *s) {
  enum { PAIRS = 8 };
  term_list exps = {0}, lns = {0};
  for (size_t i = 0; i < s->terms.len; i++) {
    term_id t = s->terms.at[i];
    enum term_kind kind = term_kind(s->ts, t);
    if ((kind != TERM_EXP && kind != TERM_LN) || arith_is_defined(s, t)) continue;
    if (kind == TERM_LN && term_is_num(s->ts, term_arg(s->ts, t, 0))) continue;
    if (kind == TERM_EXP)
      vec_push(&exps, t);
    else
      vec_push(&lns, t);
  }
  for (size_t i = 0; i < exps.len && exps.len * lns.len <= PAIRS; i++)
    for (size_t k = 0; k < lns.len && !s->sat.is_contradictory; k++)
      compare_with_ln(s, exps.at[i], lns.at[k]);
  vec_clear(&exps);
  vec_clear(&lns);
}
