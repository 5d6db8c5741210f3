#include "advocate/divide.h"

#include "advocate/arith.h"
#include "advocate/lemmas.h"
#include "term/build.h"

static void set_number(struct poly *p, long n) {
  fmpq_t c;
  fmpq_init(c);
  fmpq_set_si(c, n, 1);
  poly_set_monomial(p, 0, c);
  fmpq_clear(c);
}

static void set_generator(struct search *s, struct poly *p, term_id g) {
  fmpq_t one;
  fmpq_init(one);
  fmpq_one(one);
  poly_set_monomial(p, monomial_generator(&s->monomials, g), one);
  fmpq_clear(one);
}

static void mul_generator(struct search *s, struct poly *p, term_id g) {
  struct poly x = {0};
  set_generator(s, &x, g);
  poly_mul(&s->monomials, p, p, &x);
  poly_clear(&x);
}

/* ---- inverses
 * -------------------------------------------------------------------------------------- */

static term_id known_inverse(struct search *s, term_id generator, const struct poly *of) {
  for (size_t i = 0; i < s->inverses.len; i++) {
    const struct inverse *v = &s->inverses.at[i];
    if (generator && v->generator == generator) return v->term;
    if (generator && v->generator && v->term == generator) return v->generator;
    if (!generator && !v->generator && poly_equal(&v->of, of)) return v->term;
  }
  return TERM_NONE;
}

/* 0 < x -> 0 < 1/x, and the same with <: clauses by products. */
static void inverse_signs(struct search *s, term_id x, term_id inverse, int equation) {
  struct terms *ts = s->ts;
  term_id zero = term_rat(ts, 0, 1), real = term_to_real(ts, x);
  for (int side = 0; side < 2; side++) {
    term_id given = side ? term_lt(ts, real, zero) : term_lt(ts, zero, real);
    term_id then = side ? term_lt(ts, inverse, zero) : term_lt(ts, zero, inverse);
    int lits[] = {lit_negate(search_literal(s, given)), lit_negate(equation),
                  search_literal(s, then)};
    /* (x)(-1/x) + (x (1/x) - 1) = -1 */
    struct poly p = {0};
    bool is_strict, is_equation;
    if (!arith_raw(s, equation, &p, &is_strict, &is_equation)) continue;
    const fmpq *constant = poly_coefficient(&p, 0);
    if (!constant) continue;
    fmpq_t c;
    fmpq_init(c);
    fmpq_inv(c, constant);
    fmpq_neg(c, c); /* times the equation: x (1/x) - 1 */
    struct step *step = refutation_add(&s->log, STEP_ALGEBRA);
    for (size_t i = 0; i < 3; i++) {
      struct literal l = {s->sat.atoms.at[lit_var(lits[i])], lits[i] & 1};
      vec_push(&step->literals, l);
    }
    struct summand product = {.multiplier = term_rat(ts, 1, 1)};
    vec_push(&product.factors, 0);
    vec_push(&product.factors, 2);
    struct summand eq = {.multiplier = term_num(ts, c, SORT_REAL)};
    vec_push(&eq.factors, 1);
    vec_push(&step->sum, product);
    vec_push(&step->sum, eq);
    fmpq_clear(c);
    poly_clear(&p);
    search_clause(s, lits, 3, s->log.steps.len - 1);
  }
}

/* The inverse of a generator or of a polynomial; TERM_NONE: it may be 0. */
static term_id make_inverse(struct search *s, term_id generator, const struct poly *of) {
  term_id known = known_inverse(s, generator, of);
  if (known) return known;
  struct terms *ts = s->ts;
  term_id x = generator ? term_to_real(ts, generator) : poly_term(&s->monomials, ts, of);
  term_id one = term_rat(ts, 1, 1), inverse = term_div(ts, one, x);
  if (inverse == TERM_NONE || term_kind(ts, inverse) != TERM_DIV) return TERM_NONE;
  int is_zero = search_literal(s, term_eq(ts, x, term_rat(ts, 0, 1)));
  lemmas_flush(s);
  if (!sat_probe(&s->sat, is_zero) || s->sat.is_contradictory) return TERM_NONE;
  search_schema(s, SCHEMA_QUOTIENT, (term_id[]){one, x}, 2);
  int equation = search_literal(s, term_eq(ts, term_mul(ts, inverse, x), one));
  if (!sat_settle(&s->sat) || !sat_is_fixed(&s->sat, equation)) return TERM_NONE;
  struct inverse v = {.generator = generator, .term = inverse};
  if (!generator) poly_set(&v.of, of);
  vec_push(&s->inverses, v);
  /* the rule: leading monomial of x, times the inverse */
  uint32_t lead =
      generator ? monomial_generator(&s->monomials, generator) : vec_last(&of->items).monomial;
  uint32_t monomial =
      monomial_product(&s->monomials, lead, monomial_generator(&s->monomials, inverse));
  if (!arith_add_rule(s, equation, monomial)) {
    s->inverses.len--;
    return TERM_NONE;
  }
  inverse_signs(s, generator ? generator : x, inverse, equation);
  return inverse;
}

/* ---- one quotient
 * ------------------------------------------------------------------------------------ */

/* The factors that all items have in common. */
static uint32_t content(struct search *s, const struct poly *p) {
  struct monomial first = s->monomials.list.at[p->items.at[0].monomial];
  VEC(struct factor) common = {0};
  for (size_t k = 0; k < first.count; k++) {
    struct factor f = first.factors[k];
    for (size_t i = 1; i < p->items.len; i++) {
      unsigned e = monomial_exponent(&s->monomials, p->items.at[i].monomial, f.generator);
      if (e < f.exponent) f.exponent = e;
    }
    if (f.exponent) vec_push(&common, f);
  }
  uint32_t m = monomial_of(&s->monomials, common.at, common.len);
  vec_clear(&common);
  return m;
}

/* p without the monomial, with leading coefficient 1; *lead is that coefficient. */
static void primitive(struct search *s, const struct poly *p, uint32_t monomial, struct poly *out,
                      fmpq *lead) {
  struct monomial m = s->monomials.list.at[monomial];
  fmpq_set(lead, &vec_last(&p->items).coefficient);
  fmpq_t scale;
  fmpq_init(scale);
  fmpq_inv(scale, lead);
  for (size_t i = 0; i < p->items.len; i++) {
    struct monomial x = s->monomials.list.at[p->items.at[i].monomial];
    VEC(struct factor) rest = {0};
    for (size_t k = 0; k < x.count; k++) {
      struct factor f = x.factors[k];
      for (size_t j = 0; j < m.count; j++)
        if (m.factors[j].generator == f.generator) f.exponent -= m.factors[j].exponent;
      if (f.exponent) vec_push(&rest, f);
    }
    struct poly item = {0};
    poly_set_monomial(&item, monomial_of(&s->monomials, rest.at, rest.len),
                      &p->items.at[i].coefficient);
    poly_add(out, scale, &item);
    poly_clear(&item);
    vec_clear(&rest);
  }
  fmpq_clear(scale);
}

/* 1/p as a polynomial in inverses. */
static bool invert(struct search *s, const struct poly *p, struct poly *out) {
  if (!p->items.len) return false;
  uint32_t m = content(s, p);
  struct poly rest = {0};
  fmpq_t lead;
  fmpq_init(lead);
  primitive(s, p, m, &rest, lead);
  fmpq_inv(lead, lead);
  poly_set_monomial(out, 0, lead);
  fmpq_clear(lead);
  bool ok = true;
  struct monomial x = s->monomials.list.at[m];
  for (size_t k = 0; ok && k < x.count; k++) {
    term_id inverse = make_inverse(s, x.factors[k].generator, NULL);
    ok = inverse != TERM_NONE;
    for (unsigned e = 0; ok && e < x.factors[k].exponent; e++)
      mul_generator(s, out, inverse);
  }
  const fmpq *number;
  if (ok && !poly_is_constant(&rest, &number)) {
    term_id inverse = make_inverse(s, TERM_NONE, &rest);
    ok = inverse != TERM_NONE;
    if (ok) mul_generator(s, out, inverse);
  }
  poly_clear(&rest);
  return ok;
}

struct quotient {
  term_id term, a, b;
  struct poly top, bottom, inverse, value;
};

/* b = 0 is impossible: 1 = inverse * b. */
static void bottom_is_not_zero(struct search *s, struct quotient *q) {
  term_id is_zero = term_eq(s->ts, q->b, term_rat(s->ts, 0, 1));
  if (is_zero == s->ts->false_term) return;
  int lit = search_literal(s, is_zero);
  if (sat_value(&s->sat, lit) < 0) return;
  struct poly minus = {0}, raw = {0}, multiplier = {0};
  bool is_strict, is_equation;
  set_number(&minus, -1);
  /* raw is c * b: -1 = multiplier * raw modulo the rules */
  fmpq_t c;
  fmpq_init(c);
  if (arith_raw(s, lit, &raw, &is_strict, &is_equation) && raw.items.len) {
    struct poly b = {0};
    poly_of_term(&s->monomials, s->ts, q->b, &b);
    const fmpq *x = poly_coefficient(&b, raw.items.at[0].monomial);
    if (x) {
      fmpq_div(c, x, &raw.items.at[0].coefficient);
      fmpq_neg(c, c);
      poly_set(&multiplier, &q->inverse);
      poly_scale(&multiplier, c);
      arith_identity(s, &minus, &lit, &multiplier, 1, -1);
    }
    poly_clear(&b);
  }
  fmpq_clear(c);
  poly_clear(&minus);
  poly_clear(&raw);
  poly_clear(&multiplier);
}

/* term = value, from term * b = a. */
static bool quotient_equation(struct search *s, struct quotient *q) {
  struct terms *ts = s->ts;
  term_id product = term_eq(ts, term_mul(ts, q->term, q->b), q->a);
  term_id equal = term_eq(ts, q->term, poly_term(&s->monomials, ts, &q->value));
  if (product == TERM_NONE || equal == TERM_NONE || equal == ts->true_term) return false;
  int given = search_literal(s, product), target = search_literal(s, equal);
  if (!sat_settle(&s->sat) || !sat_is_fixed(&s->sat, given)) return false;
  struct poly want = {0}, raw = {0}, expected = {0}, multiplier = {0};
  bool is_strict, is_equation;
  bool ok = arith_raw(s, target, &want, &is_strict, &is_equation) &&
            arith_raw(s, given, &raw, &is_strict, &is_equation);
  /* signs: want is +-(term - value), raw is +-(term*b - a) */
  const fmpq *w = ok ? poly_coefficient(&want, monomial_generator(&s->monomials, q->term)) : NULL;
  ok = w != NULL;
  if (ok) {
    struct poly a = {0};
    set_generator(s, &expected, q->term);
    poly_of_term(&s->monomials, ts, q->b, &multiplier);
    poly_mul(&s->monomials, &expected, &expected, &multiplier);
    poly_of_term(&s->monomials, ts, q->a, &a);
    poly_add_si(&expected, -1, &a);
    poly_clear(&a);
    bool same = poly_equal(&expected, &raw);
    poly_set(&multiplier, &q->inverse);
    fmpq_t c;
    fmpq_init(c);
    fmpq_set(c, w);
    if (!same) fmpq_neg(c, c);
    poly_scale(&multiplier, c);
    fmpq_clear(c);
    ok = arith_identity(s, &want, &given, &multiplier, 1, target);
  }
  poly_clear(&want);
  poly_clear(&raw);
  poly_clear(&expected);
  poly_clear(&multiplier);
  return ok && sat_settle(&s->sat) && sat_is_fixed(&s->sat, target) &&
         arith_add_rule(s, target, monomial_generator(&s->monomials, q->term));
}

static bool divide(struct search *s, term_id t) {
  struct quotient q = {.term = t, .a = term_arg(s->ts, t, 0), .b = term_arg(s->ts, t, 1)};
  for (size_t i = 0; i < s->inverses.len; i++)
    if (s->inverses.at[i].term == t) return false;
  bool ok = poly_of_term(&s->monomials, s->ts, q.a, &q.top) && arith_reduce(s, &q.top, NULL) &&
            poly_of_term(&s->monomials, s->ts, q.b, &q.bottom) &&
            arith_reduce(s, &q.bottom, NULL) && invert(s, &q.bottom, &q.inverse);
  /* it may have become an inverse itself */
  for (size_t i = 0; i < s->inverses.len; i++)
    ok = ok && s->inverses.at[i].term != t;
  if (ok) {
    bottom_is_not_zero(s, &q);
    ok = sat_settle(&s->sat) && poly_mul(&s->monomials, &q.value, &q.top, &q.inverse) &&
         arith_reduce(s, &q.value, NULL) && quotient_equation(s, &q);
  }
  poly_clear(&q.top);
  poly_clear(&q.bottom);
  poly_clear(&q.inverse);
  poly_clear(&q.value);
  return ok;
}

static bool has_rule(struct search *s, term_id t) {
  uint32_t m = monomial_generator(&s->monomials, t);
  for (size_t i = 0; i < s->rules.len; i++)
    if (s->rules.at[i].monomial == m) return true;
  return false;
}

bool divide_all(struct search *s) {
  bool changed = false;
  /* children come first in the list, so inner quotients are done before outer ones */
  for (size_t i = 0; i < s->terms.len && !s->sat.is_contradictory; i++) {
    term_id t = s->terms.at[i];
    if (term_kind(s->ts, t) != TERM_DIV || has_rule(s, t)) continue;
    changed = divide(s, t) || changed;
    if (budget_is_spent(s->budget)) break;
  }
  return changed;
}
