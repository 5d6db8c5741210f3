#include "advocate/bounds.h"

#include "advocate/arith.h"
#include "advocate/divide.h"
#include "term/build.h"

/* ---- clauses --------------------------------------------------------------------------------- */

void cut_part(struct search *s, part_list *parts, const fmpq *coefficient, const int *lits,
              size_t count) {
  struct part p = {.is_strict = true};
  struct poly value = {0};
  bool is_strict, is_equation;
  fmpq_init(&p.coefficient);
  fmpq_one(&p.coefficient);
  if (coefficient) fmpq_set(&p.coefficient, coefficient);
  for (size_t i = 0; i < count; i++) {
    vec_push(&p.lits, lits[i]);
    p.is_strict =
        arith_raw(s, lits[i], &value, &is_strict, &is_equation) && is_strict && p.is_strict;
  }
  poly_clear(&value);
  vec_push(parts, p);
}

bool cut_shows(struct search *s, part_list *parts, int lit) {
  bool ok = arith_refute_parts(s, parts);
  for (size_t i = 0; i < parts->len; i++)
    part_clear(&parts->at[i]);
  vec_clear(parts);
  return ok && sat_settle(&s->sat) && sat_is_fixed(&s->sat, lit);
}

/* ---- numbers --------------------------------------------------------------------------------- */

/* To a multiple of 1/64 that is not less (up) or not greater: short, so that it makes short
 * terms. */
static void round_to_parts(fmpq *number, bool up) {
  enum { PARTS = 64 };
  fmpz_t whole;
  fmpz_init(whole);
  fmpq_mul_si(number, number, PARTS);
  if (up)
    fmpz_cdiv_q(whole, fmpq_numref(number), fmpq_denref(number));
  else
    fmpz_fdiv_q(whole, fmpq_numref(number), fmpq_denref(number));
  fmpq_set_fmpz(number, whole);
  fmpq_div_fmpz(number, number, (fmpz[]){PARTS});
  fmpz_clear(whole);
}

/* A number whose square is not less. */
static void root_above(fmpq *number) {
  enum { PARTS = 64 };
  fmpz_t whole;
  fmpz_init(whole);
  fmpq_mul_si(number, number, PARTS * PARTS);
  fmpz_cdiv_q(whole, fmpq_numref(number), fmpq_denref(number));
  fmpz_sqrt(whole, whole);
  fmpz_add_ui(whole, whole, 1);
  fmpq_set_fmpz(number, whole);
  fmpq_div_fmpz(number, number, (fmpz[]){PARTS});
  fmpz_clear(whole);
}

/* ---- inverses -------------------------------------------------------------------------------- */

/* A number at most the least value of a polynomial that the linear facts allow, if that is
 * positive. */
static bool lower_limit(struct search *s, const struct poly *p, fmpq_t limit) {
  VEC(int) vars = {0};
  VEC(fmpq) coefficients = {0};
  uint32_t var = 0;
  bool ok = true;
  for (size_t i = 0; i < p->items.len; i++) {
    if (!p->items.at[i].monomial) continue;
    ok = ok && memo_find(&s->columns, (uint64_t)p->items.at[i].monomial + 1, &var);
    vec_push(&vars, (int)var);
    vec_push(&coefficients, p->items.at[i].coefficient); /* shared, not owned */
  }
  ok = ok && vars.len;
  if (ok) {
    int row = simplex_new_row(&s->lp, vars.at, coefficients.at, vars.len);
    vec_push(&s->column_monomials, 0);
    ok = simplex_limit(&s->lp, row, false, s->budget, limit);
    const fmpq *constant = poly_coefficient(p, 0);
    if (ok && constant) fmpq_add(limit, limit, constant);
  }
  vec_clear(&vars);
  vec_clear(&coefficients);
  if (ok) round_to_parts(limit, false);
  return ok && fmpq_sgn(limit) > 0;
}

/* x >= c > 0 has an inverse y <= 1/c, since c (y - 1/c) + (x - c) y = 0 modulo x y = 1. */
static void bound_inverse(struct search *s, term_id x, term_id y, const fmpq *c) {
  struct terms *ts = s->ts;
  term_id least = term_num(ts, c, SORT_REAL), above = term_le(ts, least, x),
          positive = term_lt(ts, term_rat(ts, 0, 1), y);
  if (!search_sees(s, above) || !search_proves(s, positive)) return;
  int lits[] = {search_literal(s, above), search_literal(s, positive)};
  int then = search_literal(s, term_le(ts, y, term_div(ts, term_rat(ts, 1, 1), least)));
  if (sat_is_fixed(&s->sat, then)) return;
  int not = lit_negate(then);
  part_list parts = {0};
  cut_part(s, &parts, c, &not, 1);
  cut_part(s, &parts, NULL, lits, 2);
  cut_shows(s, &parts, then);
}

static void bound_inverses(struct search *s) {
  struct terms *ts = s->ts;
  fmpq_t limit;
  fmpq_init(limit);
  size_t count = s->inverses.len;
  for (size_t i = 0; i < count && sat_settle(&s->sat); i++) {
    struct inverse v = s->inverses.at[i];
    struct poly p = {0};
    term_id x = v.generator ? term_to_real(ts, v.generator) : poly_term(&s->monomials, ts, &v.of);
    for (int sign = 1; sign >= -1; sign -= 2) { /* the polynomial may be negative */
      term_id side = sign > 0 ? x : term_neg(ts, x), y = sign > 0 ? v.term : term_neg(ts, v.term);
      if (poly_of_term(&s->monomials, ts, side, &p) && arith_reduce(s, &p, NULL) &&
          lower_limit(s, &p, limit))
        bound_inverse(s, side, y, limit);
    }
    poly_clear(&p);
  }
  fmpq_clear(limit);
}

/* ---- signs ----------------------------------------------------------------------------------- */

/* The limit of a monomial by the linear facts. */
static bool limit_of(struct search *s, uint32_t monomial, bool is_upper, fmpq *limit) {
  uint32_t var;
  return sat_settle(&s->sat) && memo_find(&s->columns, (uint64_t)monomial + 1, &var) &&
         simplex_limit(&s->lp, (int)var, is_upper, s->budget, limit);
}

/* 1 or -1 if the generator is positive or negative, and the literal that says so; 0: unknown. */
static int sign_of(struct search *s, term_id generator, int *lit) {
  struct terms *ts = s->ts;
  uint32_t m = monomial_generator(&s->monomials, generator);
  term_id real = term_to_real(ts, generator), zero = term_rat(ts, 0, 1);
  fmpq_t limit;
  fmpq_init(limit);
  int sign = limit_of(s, m, false, limit) && fmpq_sgn(limit) >= 0  ? 1
             : limit_of(s, m, true, limit) && fmpq_sgn(limit) <= 0 ? -1
                                                                   : 0;
  fmpq_clear(limit);
  if (!sign) return 0;
  term_id formula = sign > 0 ? term_lt(ts, zero, real) : term_lt(ts, real, zero);
  if (!search_sees(s, formula)) return 0;
  *lit = search_literal(s, formula);
  return sign;
}

/* The same for all factors of a monomial; their literals, one for each factor, and the sign of the
 * product. */
static int signs_of(struct search *s, uint32_t monomial, int_list *lits) {
  struct monomial m = s->monomials.list.at[monomial];
  int sign = 1, lit = -1;
  for (size_t k = 0; k < m.count && sign; k++) {
    int one = sign_of(s, m.factors[k].generator, &lit);
    for (unsigned e = 0; e < m.factors[k].exponent; e++) {
      sign *= one;
      vec_push(lits, lit);
    }
  }
  return sign;
}

/* ---- common factors -------------------------------------------------------------------------- */

/* The literal says p >= 0 or > 0, and p = lead * content * h: then what h is. */
static bool cancel(struct search *s, int lit) {
  struct terms *ts = s->ts;
  struct poly p = {0}, h = {0};
  bool is_strict, is_equation, changed = false;
  fmpq_t lead;
  fmpq_init(lead);
  int_list lits = {0};
  bool ok = arith_raw(s, lit, &p, &is_strict, &is_equation) && !is_equation &&
            arith_reduce(s, &p, NULL) && p.items.len > 1;
  uint32_t common = ok ? poly_content(&s->monomials, &p) : 0;
  int sign = common ? signs_of(s, common, &lits) : 0;
  if (sign) {
    poly_primitive(&s->monomials, &p, common, &h, lead);
    term_id rest = poly_term(&s->monomials, ts, &h), zero = term_rat(ts, 0, 1);
    if (sign * fmpq_sgn(lead) < 0) rest = term_neg(ts, rest);
    int then = search_literal(s, is_strict ? term_lt(ts, zero, rest) : term_le(ts, zero, rest));
    if (sat_value(&s->sat, then) <= 0) {
      part_list parts = {0};
      vec_push(&lits, lit_negate(then));
      fmpq_abs(lead, lead);
      cut_part(s, &parts, NULL, &lit, 1);
      cut_part(s, &parts, lead, lits.at, lits.len);
      changed = cut_shows(s, &parts, then);
    }
  }
  vec_clear(&lits);
  fmpq_clear(lead);
  poly_clear(&p);
  poly_clear(&h);
  return changed;
}

/* Order literals that hold at level 0. */
static void level_zero(struct search *s, int_list *out) {
  if (!sat_settle(&s->sat)) return;
  for (size_t i = 0; i < s->sat.trail.len; i++)
    if (s->atoms.at[lit_var(s->sat.trail.at[i])].kind == ATOM_ORDER)
      vec_push(out, s->sat.trail.at[i]);
}

static void cancel_all(struct search *s) {
  int_list lits = {0};
  level_zero(s, &lits);
  for (size_t i = 0; i < lits.len && !budget_is_spent(s->budget) && !s->sat.is_contradictory; i++)
    cancel(s, lits.at[i]);
  vec_clear(&lits);
}

/* ---- products -------------------------------------------------------------------------------- */

/* sign * monomial is positive, and at most `limit`; the literals say so. */
struct bounded {
  int sign;
  int positive, bounded;
  fmpq limit;
};

static bool bound_monomial(struct search *s, uint32_t monomial, struct bounded *out);

static term_id signed_term(struct search *s, uint32_t monomial, int sign) {
  struct poly p = {0};
  fmpq_t c;
  fmpq_init(c);
  fmpq_set_si(c, sign, 1);
  poly_set_monomial(&p, monomial, c);
  term_id t = poly_term(&s->monomials, s->ts, &p);
  poly_clear(&p);
  fmpq_clear(c);
  return t;
}

/* The literal of: sign * monomial <= limit. */
static int bound_literal(struct search *s, uint32_t monomial, const struct bounded *b) {
  return search_literal(
      s, term_le(s->ts, signed_term(s, monomial, b->sign), term_num(s->ts, &b->limit, SORT_REAL)));
}

/* From the linear facts alone. */
static bool bound_linear(struct search *s, uint32_t monomial, struct bounded *out) {
  if (!limit_of(s, monomial, out->sign > 0, &out->limit)) return false;
  if (out->sign < 0) fmpq_neg(&out->limit, &out->limit);
  round_to_parts(&out->limit, true);
  out->bounded = bound_literal(s, monomial, out);
  return search_sees(s, term_le(s->ts, signed_term(s, monomial, out->sign),
                                term_num(s->ts, &out->limit, SORT_REAL)));
}

/* All factors have a sign: so does the product. */
static bool product_sign(struct search *s, uint32_t monomial, struct bounded *out) {
  int_list lits = {0};
  part_list parts = {0};
  out->sign = signs_of(s, monomial, &lits);
  if (out->sign) {
    out->positive = search_literal(
        s, term_lt(s->ts, term_rat(s->ts, 0, 1), signed_term(s, monomial, out->sign)));
    if (!sat_is_fixed(&s->sat, out->positive)) {
      int not = lit_negate(out->positive);
      cut_part(s, &parts, NULL, lits.at, lits.len);
      cut_part(s, &parts, NULL, &not, 1);
      if (!cut_shows(s, &parts, out->positive)) out->sign = 0;
    }
  }
  vec_clear(&lits);
  return out->sign != 0;
}

/* m = rest * g, both bounded: (U - rest) g + U (u - g) + (m - U u) = 0. */
static bool bound_product(struct search *s, uint32_t monomial, struct bounded *out) {
  struct monomial m = s->monomials.list.at[monomial];
  term_id g = m.factors[m.count - 1].generator;
  struct factor one_g = {g, 1};
  struct poly p = {0}, h = {0};
  struct bounded factor = {0}, rest = {0};
  fmpq_t one;
  fmpq_init(one);
  fmpq_one(one);
  fmpq_init(&factor.limit);
  fmpq_init(&rest.limit);
  poly_set_monomial(&p, monomial, one);
  poly_primitive(&s->monomials, &p, monomial_of(&s->monomials, &one_g, 1), &h, one);
  bool ok = bound_monomial(s, monomial_generator(&s->monomials, g), &factor) &&
            bound_monomial(s, h.items.at[0].monomial, &rest);
  if (ok) {
    fmpq_mul(&out->limit, &rest.limit, &factor.limit);
    out->bounded = bound_literal(s, monomial, out);
    part_list parts = {0};
    int not = lit_negate(out->bounded);
    cut_part(s, &parts, NULL, &not, 1);
    cut_part(s, &parts, NULL, (int[]){rest.bounded, factor.positive}, 2);
    cut_part(s, &parts, &rest.limit, &factor.bounded, 1);
    ok = cut_shows(s, &parts, out->bounded);
  }
  poly_clear(&p);
  poly_clear(&h);
  fmpq_clear(one);
  fmpq_clear(&factor.limit);
  fmpq_clear(&rest.limit);
  return ok;
}

/* m^2 = c n modulo rules, and n is at most U: m is at most a number d with d^2 >= c U, since
 * (m - d) m + d (m - d) + c (U - n) is not positive otherwise. */
static bool bound_by_square(struct search *s, uint32_t monomial, struct bounded *out) {
  struct poly p = {0};
  struct bounded square = {0};
  fmpq_t one;
  fmpq_init(one);
  fmpq_one(one);
  fmpq_init(&square.limit);
  poly_set_monomial(&p, monomial_product(&s->monomials, monomial, monomial), one);
  bool ok = arith_reduce(s, &p, NULL) && p.items.len == 1 && p.items.at[0].monomial &&
            bound_monomial(s, p.items.at[0].monomial, &square);
  if (ok) {
    fmpq_t c;
    fmpq_init(c);
    fmpq_abs(c, &p.items.at[0].coefficient);
    fmpq_mul(&out->limit, c, &square.limit);
    root_above(&out->limit);
    out->bounded = bound_literal(s, monomial, out);
    part_list parts = {0};
    int not = lit_negate(out->bounded);
    cut_part(s, &parts, NULL, (int[]){not, out->positive}, 2);
    cut_part(s, &parts, &out->limit, &not, 1);
    cut_part(s, &parts, c, &square.bounded, 1);
    ok = cut_shows(s, &parts, out->bounded);
    fmpq_clear(c);
  }
  poly_clear(&p);
  fmpq_clear(one);
  fmpq_clear(&square.limit);
  return ok;
}

static bool has_root(struct search *s, uint32_t monomial) {
  struct monomial m = s->monomials.list.at[monomial];
  for (size_t k = 0; k < m.count; k++)
    if (divide_has_square_rule(s, m.factors[k].generator)) return true;
  return false;
}

static bool bound_monomial(struct search *s, uint32_t monomial, struct bounded *out) {
  if (budget_is_spent(s->budget) || !product_sign(s, monomial, out)) return false;
  if (bound_linear(s, monomial, out)) return true;
  if (has_root(s, monomial)) return bound_by_square(s, monomial, out);
  return s->monomials.list.at[monomial].degree > 1 && bound_product(s, monomial, out);
}

static void bound_products(struct search *s) {
  struct bounded b = {0};
  fmpq_init(&b.limit);
  size_t columns = s->column_monomials.len;
  for (size_t v = 0; v < columns && !budget_is_spent(s->budget) && !s->sat.is_contradictory; v++) {
    uint32_t m = s->column_monomials.at[v];
    if (s->monomials.list.at[m].degree > 1) bound_monomial(s, m, &b);
  }
  fmpq_clear(&b.limit);
}

void bounds_add(struct search *s) {
  bound_inverses(s);
  cancel_all(s);
  if (sat_settle(&s->sat)) bound_products(s);
  cancel_all(s);
}
