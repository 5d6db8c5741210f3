/* Rules: equations that hold at level 0 as definitions (arith.h). */
#include "advocate/arith.h"

static bool divides(const struct monomials *m, uint32_t a, uint32_t b) {
  const struct monomial *x = &m->list.at[a];
  for (size_t i = 0; i < x->count; i++)
    if (monomial_exponent(m, b, x->factors[i].generator) < x->factors[i].exponent) return false;
  return true;
}

static uint32_t quotient(struct monomials *m, uint32_t b, uint32_t a) {
  struct monomial y = m->list.at[b];
  VEC(struct factor) rest = {0};
  for (size_t i = 0; i < y.count; i++) {
    struct factor f = y.factors[i];
    f.exponent -= monomial_exponent(m, a, f.generator);
    if (f.exponent) vec_push(&rest, f);
  }
  uint32_t result = monomial_of(m, rest.at, rest.len);
  vec_clear(&rest);
  return result;
}

/* The rule for a monomial; -1: none. */
static int rule_for(struct search *s, uint32_t monomial) {
  uint32_t known;
  if (memo_find(&s->reducible, (uint64_t)monomial + 1, &known)) return (int)known - 1;
  int found = -1;
  /* definitions of generators before rules about products */
  for (int pass = 0; pass < 2; pass++)
    for (size_t i = 0; i < s->rules.len && found < 0; i++) {
      bool is_definition = s->monomials.list.at[s->rules.at[i].monomial].degree == 1;
      if (is_definition == (pass == 0) && divides(&s->monomials, s->rules.at[i].monomial, monomial))
        found = (int)i;
    }
  memo_put(&s->reducible, (uint64_t)monomial + 1, (uint32_t)(found + 1));
  return found;
}

bool arith_is_defined(struct search *s, term_id generator) {
  return rule_for(s, monomial_generator(&s->monomials, generator)) >= 0;
}

bool arith_reduce(struct search *s, struct poly *p, struct poly *record) {
  enum { STEPS = 4000 };
  for (size_t steps = 0; steps < STEPS; steps++) {
    int r = -1;
    size_t i = 0;
    for (; i < p->items.len && r < 0; i++)
      r = rule_for(s, p->items.at[i].monomial);
    if (r < 0) return true;
    struct poly_item *item = &p->items.at[i - 1];
    struct rule *rule = &s->rules.at[r];
    uint32_t rest = quotient(&s->monomials, item->monomial, rule->monomial);
    /* c M m = c M (m - value) + c M value */
    struct poly factor = {0}, old = {0}, new = {0};
    poly_set_monomial(&factor, rest, &item->coefficient);
    poly_set_monomial(&old, item->monomial, &item->coefficient);
    bool ok = poly_mul(&s->monomials, &new, &factor, &rule->value);
    if (ok) {
      poly_add_si(p, -1, &old);
      poly_add_si(p, 1, &new);
      if (record) poly_add_si(&record[r], 1, &factor);
    }
    poly_clear(&factor);
    poly_clear(&old);
    poly_clear(&new);
    if (!ok || p->items.len > POLY_ITEMS) return false;
  }
  return false;
}

static bool is_protected(struct search *s, term_id generator) {
  for (size_t i = 0; i < s->inverses.len; i++)
    if (s->inverses.at[i].generator == generator || s->inverses.at[i].term == generator ||
        (s->inverses.at[i].generator == TERM_NONE &&
         poly_has(&s->monomials, &s->inverses.at[i].of, generator)))
      return true;
  return false;
}

/* The generator that an equation should define: linear and alone, the deepest. */
static uint32_t choose_monomial(struct search *s, const struct poly *p) {
  uint32_t best = 0;
  unsigned best_depth = 0;
  for (size_t i = 0; i < p->items.len; i++) {
    const struct monomial *m = &s->monomials.list.at[p->items.at[i].monomial];
    if (m->degree != 1) continue;
    term_id g = m->factors[0].generator;
    size_t uses = 0;
    for (size_t k = 0; k < p->items.len; k++)
      uses += monomial_exponent(&s->monomials, p->items.at[k].monomial, g) > 0;
    enum term_kind kind = term_kind(s->ts, g);
    bool is_known = kind == TERM_EXP || kind == TERM_LN || kind == TERM_SQRT; /* better kept */
    unsigned depth = is_known ? 0 : term_get(s->ts, g)->depth * 2 + (kind != TERM_VAR);
    if (uses != 1 || is_protected(s, g) || depth < best_depth) continue;
    best = p->items.at[i].monomial;
    best_depth = depth;
  }
  return best;
}

bool arith_add_rule(struct search *s, int lit, uint32_t monomial) {
  struct rule rule = {.lit = lit, .multiple_count = s->rules.len};
  bool is_strict, is_equation;
  struct poly p = {0}, single = {0};
  rule.multiples = xcalloc(s->rules.len + 1, sizeof *rule.multiples);
  fmpq_init(&rule.factor);
  bool ok = arith_raw(s, lit, &p, &is_strict, &is_equation) && is_equation &&
            arith_reduce(s, &p, rule.multiples);
  if (ok && !monomial) monomial = choose_monomial(s, &p);
  const fmpq *c = ok && monomial ? poly_coefficient(&p, monomial) : NULL;
  if (!c) {
    for (size_t i = 0; i < rule.multiple_count; i++)
      poly_clear(&rule.multiples[i]);
    free(rule.multiples);
    poly_clear(&p);
    fmpq_clear(&rule.factor);
    return false;
  }
  rule.monomial = monomial;
  fmpq_set(&rule.factor, c);
  /* p = c (m - value): value = m - p/c */
  fmpq_t scale;
  fmpq_init(scale);
  fmpq_inv(scale, c);
  fmpq_neg(scale, scale);
  poly_set(&rule.value, &p);
  poly_scale(&rule.value, scale);
  fmpq_one(scale);
  poly_set_monomial(&single, monomial, scale);
  poly_add_si(&rule.value, 1, &single);
  fmpq_clear(scale);
  poly_clear(&single);
  poly_clear(&p);
  vec_push(&s->rules, rule);
  memo_clear(&s->reducible);
  memo_init(&s->reducible);
  s->arith_is_stale = true;
  return true;
}

static bool has_rule(struct search *s, int lit) {
  for (size_t i = 0; i < s->rules.len; i++)
    if (s->rules.at[i].lit == lit) return true;
  return false;
}

bool arith_find_rules(struct search *s) {
  enum { RULES = 150 };
  bool found = false;
  for (size_t i = 0; i < s->sat.trail.len && s->rules.len < RULES; i++) {
    int lit = s->sat.trail.at[i];
    if (s->sat.level.at[lit_var(lit)] > 0) break;
    if ((lit & 1) || s->atoms.at[lit_var(lit)].kind != ATOM_EQUAL || has_rule(s, lit)) continue;
    found = arith_add_rule(s, lit, 0) || found;
  }
  return found;
}
