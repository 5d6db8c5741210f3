#include "advocate/arith.h"

#include "term/build.h"

/* ---- literals -------------------------------------------------------------------------------- */

static bool difference(struct search *s, term_id a, term_id b, struct poly *out) {
  struct poly right = {0};
  bool ok =
      poly_of_term(&s->monomials, s->ts, a, out) && poly_of_term(&s->monomials, s->ts, b, &right);
  if (ok) poly_add_si(out, -1, &right);
  poly_clear(&right);
  return ok;
}

static void add_constant(struct poly *p, long c) {
  fmpq_t value;
  fmpq_init(value);
  fmpq_set_si(value, c, 1);
  struct poly constant = {0};
  poly_set_monomial(&constant, 0, value);
  poly_add_si(p, 1, &constant);
  poly_clear(&constant);
  fmpq_clear(value);
}

bool arith_raw(struct search *s, int lit, struct poly *value, bool *is_strict, bool *is_equation) {
  const struct atom *a = &s->atoms.at[lit_var(lit)];
  bool is_true = !(lit & 1);
  *is_equation = a->kind == ATOM_EQUAL || a->kind == ATOM_SAME;
  *is_strict = false;
  if (a->kind == ATOM_OTHER || (*is_equation && !is_true)) return false;
  if (*is_equation) return difference(s, a->left, a->right, value);
  bool strict = a->is_strict == is_true;
  if (!difference(s, is_true ? a->right : a->left, is_true ? a->left : a->right, value))
    return false;
  if (strict && a->is_int) add_constant(value, -1);
  *is_strict = strict && !a->is_int;
  return true;
}

/* ---- clauses --------------------------------------------------------------------------------- */

/* An ALGEBRA step under construction. */
struct draft {
  struct search *s;
  int_list lits; /* of the clause */
  VEC(struct summand) sum;
};

static size_t draft_literal(struct draft *d, int lit) {
  for (size_t i = 0; i < d->lits.len; i++)
    if (d->lits.at[i] == lit) return i;
  vec_push(&d->lits, lit);
  return d->lits.len - 1;
}

/* The rules' shares as multiples of their equations; `record` is used up. The last rules first,
 * since the equation of a rule is itself modulo earlier ones. */
static void draft_rules(struct draft *d, struct poly *record) {
  struct search *s = d->s;
  fmpq_t scale;
  fmpq_init(scale);
  for (size_t j = s->rules.len; j-- > 0;) {
    struct rule *rule = &s->rules.at[j];
    if (!record[j].items.len) continue;
    fmpq_inv(scale, &rule->factor);
    poly_scale(&record[j], scale);
    for (size_t i = 0; i < rule->multiple_count; i++) {
      if (!rule->multiples[i].items.len) continue;
      struct poly part = {0};
      poly_mul(&s->monomials, &part, &record[j], &rule->multiples[i]);
      poly_add_si(&record[i], -1, &part);
      poly_clear(&part);
    }
    struct summand sum = {.multiplier = poly_term(&s->monomials, s->ts, &record[j])};
    vec_push(&sum.factors, draft_literal(d, lit_negate(rule->lit)));
    vec_push(&d->sum, sum);
  }
  fmpq_clear(scale);
}

static struct poly *new_record(struct search *s) {
  return xcalloc(s->rules.len + 1, sizeof(struct poly));
}

static void free_record(struct search *s, struct poly *record) {
  for (size_t i = 0; i < s->rules.len; i++)
    poly_clear(&record[i]);
  free(record);
}

static void finish(struct draft *d, int target) {
  struct search *s = d->s;
  struct step *step = refutation_add(&s->log, STEP_ALGEBRA);
  if (target >= 0) step->number = 1 + draft_literal(d, target);
  for (size_t i = 0; i < d->lits.len; i++) {
    struct literal l = {s->sat.atoms.at[lit_var(d->lits.at[i])], d->lits.at[i] & 1};
    vec_push(&step->literals, l);
  }
  step->sum.at = d->sum.at;
  step->sum.len = d->sum.len;
  step->sum.cap = d->sum.cap;
  search_clause(s, d->lits.at, d->lits.len, s->log.steps.len - 1);
  vec_clear(&d->lits);
}

static void abandon(struct draft *d) {
  for (size_t i = 0; i < d->sum.len; i++) {
    vec_clear(&d->sum.at[i].factors);
    vec_clear(&d->sum.at[i].squares);
  }
  vec_clear(&d->sum);
  vec_clear(&d->lits);
}

void part_clear(struct part *p) {
  fmpq_clear(&p->coefficient);
  vec_clear(&p->lits);
  vec_clear(&p->squares);
}

void fact_drop(struct fact *f) {
  for (size_t i = 0; i < f->parts.len; i++)
    part_clear(&f->parts.at[i]);
  vec_clear(&f->parts);
  poly_clear(&f->value);
}

void fact_add_parts(part_list *out, const struct fact *f, const fmpq *c) {
  for (size_t i = 0; i < f->parts.len; i++) {
    const struct part *p = &f->parts.at[i];
    struct part copy = {.times = p->times, .is_strict = p->is_strict};
    fmpq_init(&copy.coefficient);
    fmpq_mul(&copy.coefficient, &p->coefficient, c);
    for (size_t k = 0; k < p->lits.len; k++)
      vec_push(&copy.lits, p->lits.at[k]);
    for (size_t k = 0; k < p->squares.len; k++)
      vec_push(&copy.squares, p->squares.at[k]);
    vec_push(out, copy);
  }
}

/* coefficient * a part as a summand, and added to total. */
static bool draft_part(struct draft *d, const struct part *p, const fmpq *coefficient,
                       struct poly *total) {
  struct search *s = d->s;
  struct poly product = {0}, factor = {0};
  poly_set_monomial(&product, p->times, &p->coefficient);
  poly_scale(&product, coefficient);
  struct summand sum = {.multiplier = poly_term(&s->monomials, s->ts, &product)};
  bool ok = true, is_strict, is_equation;
  for (size_t i = 0; ok && i < p->lits.len; i++) {
    vec_push(&sum.factors, draft_literal(d, lit_negate(p->lits.at[i])));
    ok = arith_raw(s, p->lits.at[i], &factor, &is_strict, &is_equation) &&
         poly_mul(&s->monomials, &product, &product, &factor);
  }
  for (size_t i = 0; ok && i < p->squares.len; i++) {
    vec_push(&sum.squares, p->squares.at[i]);
    ok = poly_of_term(&s->monomials, s->ts, p->squares.at[i], &factor) &&
         poly_mul(&s->monomials, &product, &product, &factor) &&
         poly_mul(&s->monomials, &product, &product, &factor);
  }
  if (ok) poly_add_si(total, 1, &product);
  vec_push(&d->sum, sum);
  poly_clear(&product);
  poly_clear(&factor);
  return ok;
}

const struct fact *arith_blamed(struct search *s, size_t i, fmpq *coefficient) {
  const struct blame *b = &s->lp.conflict.at[i];
  const struct fact *f = &s->facts.at[b->reason / 2];
  fmpq_abs(coefficient, &f->scale);
  fmpq_div(coefficient, &b->coefficient, coefficient);
  /* an equation may count with either sign */
  bool is_upper = b->reason & 1;
  if (f->is_equation && is_upper == (fmpq_sgn(&f->scale) > 0)) fmpq_neg(coefficient, coefficient);
  return f;
}

bool arith_refute_parts(struct search *s, const part_list *parts) {
  struct draft d = {.s = s};
  struct poly total = {0};
  struct poly *record = new_record(s);
  bool ok = true, is_strict = false;
  const fmpq *number = NULL;
  fmpq_t minus;
  fmpq_init(minus);
  fmpq_one(minus);
  for (size_t i = 0; ok && i < parts->len; i++) {
    ok = draft_part(&d, &parts->at[i], minus, &total);
    is_strict = is_strict || parts->at[i].is_strict;
  }
  ok = ok && arith_reduce(s, &total, record) && poly_is_constant(&total, &number);
  ok = ok && (number ? fmpq_sgn(number) < 0 : is_strict);
  /* total = reduced + rules; the summands must give the reduced number alone */
  fmpq_neg(minus, minus);
  for (size_t i = 0; ok && i < s->rules.len; i++)
    poly_scale(&record[i], minus);
  if (ok) {
    draft_rules(&d, record);
    finish(&d, -1);
  } else {
    abandon(&d);
  }
  fmpq_clear(minus);
  free_record(s, record);
  poly_clear(&total);
  return ok;
}

/* The conflict of the simplex as a clause. False: it could not be built (limits). */
static bool conflict_clause(struct search *s) {
  part_list parts = {0};
  fmpq_t c;
  fmpq_init(c);
  for (size_t i = 0; i < s->lp.conflict.len; i++) {
    const struct fact *f = arith_blamed(s, i, c);
    fact_add_parts(&parts, f, c);
  }
  fmpq_clear(c);
  bool ok = arith_refute_parts(s, &parts);
  for (size_t i = 0; i < parts.len; i++)
    part_clear(&parts.at[i]);
  vec_clear(&parts);
  return ok;
}

bool arith_identity(struct search *s, const struct poly *want, const int *equations,
                    const struct poly *multipliers, size_t count, int target) {
  struct draft d = {.s = s};
  struct poly left = {0}, part = {0};
  struct poly *record = new_record(s);
  bool ok = true, is_strict, is_equation;
  poly_set(&left, want);
  for (size_t i = 0; ok && i < count; i++) {
    struct summand sum = {.multiplier = poly_term(&s->monomials, s->ts, &multipliers[i])};
    vec_push(&sum.factors, draft_literal(&d, lit_negate(equations[i])));
    vec_push(&d.sum, sum);
    ok = arith_raw(s, equations[i], &part, &is_strict, &is_equation) &&
         poly_mul(&s->monomials, &part, &part, &multipliers[i]);
    if (ok) poly_add_si(&left, -1, &part);
  }
  ok = ok && arith_reduce(s, &left, record) && !left.items.len;
  if (ok) {
    draft_rules(&d, record);
    finish(&d, target);
  } else {
    abandon(&d);
  }
  free_record(s, record);
  poly_clear(&left);
  poly_clear(&part);
  return ok;
}

/* ---- bounds ---------------------------------------------------------------------------------- */

static int column(struct search *s, uint32_t monomial) {
  uint32_t known;
  if (memo_find(&s->columns, (uint64_t)monomial + 1, &known)) return (int)known;
  int var = simplex_new_var(&s->lp);
  memo_put(&s->columns, (uint64_t)monomial + 1, (uint32_t)var);
  vec_push(&s->column_monomials, monomial);
  return var;
}

/* Fills in var and scale of a fact from its value. */
static void place_fact(struct search *s, struct fact *f) {
  fmpq_init(&f->scale);
  VEC(int) vars = {0};
  VEC(fmpq) coefficients = {0};
  for (size_t i = 0; i < f->value.items.len; i++) {
    if (f->value.items.at[i].monomial == 0) continue;
    int var = column(s, f->value.items.at[i].monomial);
    vec_push(&vars, var);
    vec_push(&coefficients, f->value.items.at[i].coefficient); /* shared, not owned */
  }
  f->var = -1;
  if (vars.len == 1) {
    f->var = vars.at[0];
    fmpq_set(&f->scale, &coefficients.at[0]);
  } else if (vars.len > 1) {
    f->var = simplex_new_row(&s->lp, vars.at, coefficients.at, vars.len);
    vec_push(&s->column_monomials, 0);
    fmpq_one(&f->scale);
  } else {
    fmpq_one(&f->scale);
  }
  vec_clear(&vars);
  vec_clear(&coefficients);
}

static bool number_contradicts(const struct fact *f) {
  const fmpq *c;
  if (!poly_is_constant(&f->value, &c)) return false;
  int sign = c ? fmpq_sgn(c) : 0;
  return f->is_equation ? sign != 0 : sign < 0 || (f->is_strict && sign == 0);
}

/* The fact by itself is a contradiction: as if the simplex had said so. */
static void blame_alone(struct search *s, size_t index) {
  const struct fact *f = &s->facts.at[index];
  const fmpq *c;
  poly_is_constant(&f->value, &c);
  while (s->lp.conflict.len)
    fmpq_clear(&vec_pop(&s->lp.conflict).coefficient);
  struct blame b = {.reason = index * 2};
  if (f->is_equation && c && fmpq_sgn(c) > 0) b.reason++;
  fmpq_init(&b.coefficient);
  fmpq_one(&b.coefficient);
  vec_push(&s->lp.conflict, b);
}

/* Puts the bounds of a fact into the simplex. False: conflict. */
static bool assert_fact(struct search *s, size_t index) {
  struct fact *f = &s->facts.at[index];
  if (f->var < 0) {
    if (!number_contradicts(f)) return true;
    blame_alone(s, index);
    return false;
  }
  fmpq_t at;
  fmpq_init(at);
  const fmpq *constant = poly_coefficient(&f->value, 0);
  if (constant) fmpq_div(at, constant, &f->scale);
  fmpq_neg(at, at);
  /* scale * var + constant >= 0 */
  bool is_upper = fmpq_sgn(&f->scale) < 0;
  bool ok = simplex_bound(&s->lp, f->var, is_upper, at, f->is_strict, index * 2 + is_upper);
  if (ok && f->is_equation)
    ok = simplex_bound(&s->lp, f->var, !is_upper, at, false, index * 2 + !is_upper);
  fmpq_clear(at);
  return ok;
}

static long fact_of_literal(struct search *s, int lit) {
  uint32_t known;
  if (memo_find(&s->fact_of, (uint64_t)lit + 1, &known)) return (long)known - 1;
  struct fact f = {0};
  bool ok =
      arith_raw(s, lit, &f.value, &f.is_strict, &f.is_equation) && arith_reduce(s, &f.value, NULL);
  long index = -1;
  if (ok) {
    struct part p = {.is_strict = f.is_strict};
    fmpq_init(&p.coefficient);
    fmpq_one(&p.coefficient);
    vec_push(&p.lits, lit);
    vec_push(&f.parts, p);
    place_fact(s, &f);
    index = (long)s->facts.len;
    vec_push(&s->facts, f);
  } else {
    poly_clear(&f.value);
  }
  memo_put(&s->fact_of, (uint64_t)lit + 1, (uint32_t)(index + 1));
  return index;
}

enum theory_answer arith_assign(struct search *s, int lit) {
  vec_push(&s->marks, simplex_mark(&s->lp));
  enum atom_kind kind = s->atoms.at[lit_var(lit)].kind;
  if (kind != ATOM_ORDER && kind != ATOM_EQUAL) return THEORY_FINE;
  long index = fact_of_literal(s, lit);
  if (index < 0 || assert_fact(s, (size_t)index)) return THEORY_FINE;
  return conflict_clause(s) ? THEORY_CONFLICT : THEORY_FINE;
}

void arith_undo(struct search *s, size_t size) {
  if (s->marks.len <= size) return;
  simplex_undo(&s->lp, s->marks.at[size]);
  s->marks.len = size;
}

enum theory_answer arith_check(struct search *s) {
  bool gave_up;
  if (simplex_check(&s->lp, s->budget, &gave_up)) return THEORY_FINE;
  return conflict_clause(s) ? THEORY_CONFLICT : THEORY_FINE;
}

bool arith_add_fact(struct search *s, struct fact *fact) {
  place_fact(s, fact);
  vec_push(&s->facts, *fact);
  bool gave_up;
  if (assert_fact(s, s->facts.len - 1) && simplex_check(&s->lp, s->budget, &gave_up)) return true;
  return !conflict_clause(s);
}

/* ---- values ---------------------------------------------------------------------------------- */

static void column_value(struct search *s, int var, fmpq *value) {
  fmpq_t small;
  fmpq_init(small);
  fmpq_set_si(small, 1, 1024);
  fmpq_set(value, &s->lp.vars.at[var].value.r);
  fmpq_addmul(value, small, &s->lp.vars.at[var].value.d);
  fmpq_clear(small);
}

static void monomial_value(struct search *s, uint32_t monomial, fmpq *value) {
  uint32_t var;
  if (monomial && memo_find(&s->columns, (uint64_t)monomial + 1, &var)) {
    column_value(s, (int)var, value);
    return;
  }
  fmpq_one(value);
  struct monomial m = s->monomials.list.at[monomial];
  fmpq_t part;
  fmpq_init(part);
  for (size_t i = 0; i < m.count; i++) {
    uint32_t single = monomial_generator(&s->monomials, m.factors[i].generator);
    fmpq_zero(part);
    if (memo_find(&s->columns, (uint64_t)single + 1, &var)) column_value(s, (int)var, part);
    for (unsigned k = 0; k < m.factors[i].exponent; k++)
      fmpq_mul(value, value, part);
  }
  fmpq_clear(part);
}

static void sum_values(struct search *s, const struct poly *p, fmpq *value) {
  fmpq_t part;
  fmpq_init(part);
  fmpq_zero(value);
  for (size_t i = 0; i < p->items.len; i++) {
    monomial_value(s, p->items.at[i].monomial, part);
    fmpq_addmul(value, &p->items.at[i].coefficient, part);
  }
  fmpq_clear(part);
}

void arith_value(struct search *s, const struct poly *p, fmpq *value) {
  struct poly reduced = {0};
  poly_set(&reduced, p);
  arith_reduce(s, &reduced, NULL);
  sum_values(s, &reduced, value);
  poly_clear(&reduced);
}

void arith_term_value(struct search *s, term_id t, fmpq *value) {
  struct poly p = {0};
  fmpq_zero(value);
  if (poly_of_term(&s->monomials, s->ts, t, &p)) arith_value(s, &p, value);
  poly_clear(&p);
}

bool arith_linear_value(struct search *s, const struct poly *p, fmpq *value) {
  uint32_t var;
  for (size_t i = 0; i < p->items.len; i++)
    if (p->items.at[i].monomial &&
        !memo_find(&s->columns, (uint64_t)p->items.at[i].monomial + 1, &var))
      return false;
  sum_values(s, p, value);
  return true;
}

/* ---- begin and end --------------------------------------------------------------------------- */

static void clear_facts(struct search *s) {
  for (size_t i = 0; i < s->facts.len; i++) {
    fmpq_clear(&s->facts.at[i].scale);
    fact_drop(&s->facts.at[i]);
  }
  s->facts.len = 0;
}

void arith_init(struct search *s) {
  monomials_init(&s->monomials);
  memo_init(&s->reducible);
  memo_init(&s->columns);
  memo_init(&s->fact_of);
  simplex_init(&s->lp);
}

void arith_rebuild(struct search *s) {
  clear_facts(s);
  simplex_clear(&s->lp);
  simplex_init(&s->lp);
  memo_clear(&s->columns);
  memo_init(&s->columns);
  memo_clear(&s->fact_of);
  memo_init(&s->fact_of);
  s->column_monomials.len = 0;
  s->marks.len = 0;
  s->sat.told = 0;
  s->arith_is_stale = false;
}

void arith_clear(struct search *s) {
  clear_facts(s);
  vec_clear(&s->facts);
  simplex_clear(&s->lp);
  memo_clear(&s->columns);
  memo_clear(&s->fact_of);
  memo_clear(&s->reducible);
  for (size_t i = 0; i < s->rules.len; i++) {
    struct rule *r = &s->rules.at[i];
    for (size_t k = 0; k < r->multiple_count; k++)
      poly_clear(&r->multiples[k]);
    free(r->multiples);
    poly_clear(&r->value);
    fmpq_clear(&r->factor);
  }
  vec_clear(&s->rules);
  for (size_t i = 0; i < s->inverses.len; i++)
    poly_clear(&s->inverses.at[i].of);
  vec_clear(&s->inverses);
  vec_clear(&s->column_monomials);
  vec_clear(&s->marks);
  monomials_clear(&s->monomials);
}
