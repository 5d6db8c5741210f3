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

/* ---- inverses -------------------------------------------------------------------------------- */

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
  if (!search_proves(s, term_ne(ts, x, term_rat(ts, 0, 1)))) return TERM_NONE;
  search_schema(s, SCHEMA_QUOTIENT, (term_id[]){one, x}, 2);
  int equation = search_literal(s, term_eq(ts, term_mul(ts, inverse, x), one));
  if (!sat_settle(&s->sat) || !sat_is_fixed(&s->sat, equation)) return TERM_NONE;
  struct inverse v = {.generator = generator, .term = inverse, .equation = equation};
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

/* ---- one quotient ---------------------------------------------------------------------------- */

bool divide_has_square_rule(struct search *s, term_id root) {
  uint32_t g = monomial_generator(&s->monomials, root);
  uint32_t square = monomial_product(&s->monomials, g, g);
  for (size_t i = 0; i < s->rules.len && term_kind(s->ts, root) == TERM_SQRT; i++)
    if (s->rules.at[i].monomial == square) return true;
  return false;
}

/* 1/sqrt(u) = sqrt(u)/u: roots stay in numerators. */
static bool invert_root(struct search *s, term_id root, struct poly *out) {
  struct poly u = {0}, inverse = {0};
  bool ok = poly_of_term(&s->monomials, s->ts, term_arg(s->ts, root, 0), &u) &&
            arith_reduce(s, &u, NULL) && divide_invert(s, &u, &inverse) &&
            poly_mul(&s->monomials, out, out, &inverse);
  if (ok) mul_generator(s, out, root);
  poly_clear(&u);
  poly_clear(&inverse);
  return ok;
}

/* 1/p as a polynomial in inverses. */
bool divide_invert(struct search *s, const struct poly *p, struct poly *out) {
  if (!p->items.len) return false;
  uint32_t m = poly_content(&s->monomials, p);
  struct poly rest = {0};
  fmpq_t lead;
  fmpq_init(lead);
  poly_primitive(&s->monomials, p, m, &rest, lead);
  fmpq_inv(lead, lead);
  poly_set_monomial(out, 0, lead);
  fmpq_clear(lead);
  bool ok = true;
  struct monomial x = s->monomials.list.at[m];
  for (size_t k = 0; ok && k < x.count; k++) {
    if (divide_has_square_rule(s, x.factors[k].generator)) {
      for (unsigned e = 0; ok && e < x.factors[k].exponent; e++)
        ok = invert_root(s, x.factors[k].generator, out);
      continue;
    }
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

/* equation = e * factor - rest, for a generator e. */
static bool split_equation(struct search *s, int equation, term_id e, struct poly *factor,
                           struct poly *rest) {
  struct poly p = {0};
  bool is_strict, is_equation,
      ok = arith_raw(s, equation, &p, &is_strict, &is_equation) && is_equation &&
           arith_reduce(s, &p, NULL);
  fmpq_t minus;
  fmpq_init(minus);
  for (size_t i = 0; ok && i < p.items.len; i++) {
    unsigned exponent = monomial_exponent(&s->monomials, p.items.at[i].monomial, e);
    struct poly item = {0};
    fmpq_neg(minus, &p.items.at[i].coefficient);
    if (exponent == 1) {
      poly_set_monomial(&item, monomial_without(&s->monomials, p.items.at[i].monomial, e),
                        &p.items.at[i].coefficient);
      poly_add_si(factor, 1, &item);
    } else if (exponent == 0) {
      poly_set_monomial(&item, p.items.at[i].monomial, minus);
      poly_add_si(rest, 1, &item);
    }
    ok = exponent <= 1;
    poly_clear(&item);
  }
  fmpq_clear(minus);
  poly_clear(&p);
  return ok && factor->items.len > 0;
}

bool divide_solve(struct search *s, int equation, term_id e) {
  struct poly factor = {0}, rest = {0}, inverse = {0}, value = {0}, want = {0};
  bool is_strict, is_equation;
  bool ok = sat_is_fixed(&s->sat, equation) && split_equation(s, equation, e, &factor, &rest) &&
            divide_invert(s, &factor, &inverse) &&
            poly_mul(&s->monomials, &value, &rest, &inverse) && arith_reduce(s, &value, NULL) &&
            !poly_has(&s->monomials, &value, e);
  term_id equal =
      ok ? term_eq(s->ts, term_to_real(s->ts, e), poly_term(&s->monomials, s->ts, &value))
         : TERM_NONE;
  ok = ok && equal != TERM_NONE && term_kind(s->ts, equal) == TERM_EQ;
  int target = ok ? search_literal(s, equal) : -1;
  /* target is w (e - value) for w = 1 or -1, and e - value = inverse * equation */
  ok = ok && arith_raw(s, target, &want, &is_strict, &is_equation);
  const fmpq *w = ok ? poly_coefficient(&want, monomial_generator(&s->monomials, e)) : NULL;
  if (w) {
    poly_scale(&inverse, w);
    ok = arith_identity(s, &want, &equation, &inverse, 1, target) && sat_settle(&s->sat) &&
         sat_is_fixed(&s->sat, target) &&
         arith_add_rule(s, target, monomial_generator(&s->monomials, e));
  }
  poly_clear(&factor);
  poly_clear(&rest);
  poly_clear(&inverse);
  poly_clear(&value);
  poly_clear(&want);
  return ok && w;
}

/* b = 0 is impossible: 1 = inverse * b. */
static void is_not_zero(struct search *s, term_id b, const struct poly *inverse) {
  term_id is_zero = term_eq(s->ts, b, term_rat(s->ts, 0, 1));
  if (is_zero == TERM_NONE || term_kind(s->ts, is_zero) != TERM_EQ) return;
  int lit = search_literal(s, is_zero);
  if (sat_value(&s->sat, lit) < 0) return;
  struct poly minus = {0}, multiplier = {0};
  set_number(&minus, -1);
  poly_set(&multiplier, inverse);
  /* the equation is b - 0 or 0 - b */
  fmpq_t sign;
  fmpq_init(sign);
  fmpq_set_si(sign, s->atoms.at[lit_var(lit)].left == b ? -1 : 1, 1);
  poly_scale(&multiplier, sign);
  fmpq_clear(sign);
  arith_identity(s, &minus, &lit, &multiplier, 1, -1);
  poly_clear(&minus);
  poly_clear(&multiplier);
}

static bool divide(struct search *s, term_id t) {
  term_id a = term_arg(s->ts, t, 0), b = term_arg(s->ts, t, 1);
  struct poly bottom = {0}, inverse = {0};
  bool ok = poly_of_term(&s->monomials, s->ts, b, &bottom) && arith_reduce(s, &bottom, NULL) &&
            divide_invert(s, &bottom, &inverse);
  if (ok) is_not_zero(s, b, &inverse);
  poly_clear(&bottom);
  poly_clear(&inverse);
  /* an inverse stays what it is */
  for (size_t i = 0; i < s->inverses.len; i++)
    ok = ok && s->inverses.at[i].term != t;
  term_id product = ok ? term_eq(s->ts, term_mul(s->ts, t, b), a) : TERM_NONE;
  return product != TERM_NONE && term_kind(s->ts, product) == TERM_EQ && sat_settle(&s->sat) &&
         divide_solve(s, search_literal(s, product), t);
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

bool divide_again(struct search *s) {
  bool changed = false;
  size_t count = s->inverses.len;
  for (size_t i = 0; i < count && !s->sat.is_contradictory; i++) {
    struct inverse v = s->inverses.at[i];
    if (!v.generator || arith_is_defined(s, v.term)) continue;
    if (arith_is_defined(s, v.generator) || divide_has_square_rule(s, v.generator))
      changed = divide_solve(s, v.equation, v.term) || changed;
  }
  return changed;
}
