#include "advocate/products.h"

#include "advocate/arith.h"
#include "advocate/squares.h"

enum { FACTORS = 4, PARTS = 64 };

struct candidate {
  struct fact fact;
  double worth;
};

/* What the present facts say of a monomial alone, if anything. */
struct limit {
  struct fact fact;
  bool is_known;
};

struct products {
  struct search *s;
  int effort;
  size_t begin;           /* facts from here on were made now */
  struct memo generators; /* of products and inverses */
  VEC(struct candidate) found;
  struct memo steps;       /* monomial -> is it a step to one of the columns? */
  struct memo limit_index; /* 2 monomial + is_upper -> number of its limit in this round */
  VEC(struct limit) limits;
  size_t tried;
};

/* ---- what is worth adding -------------------------------------------------------------------- */

static unsigned degree(struct search *s, const struct poly *p) {
  unsigned d = 0;
  for (size_t i = 0; i < p->items.len; i++)
    if (s->monomials.list.at[p->items.at[i].monomial].degree > d)
      d = s->monomials.list.at[p->items.at[i].monomial].degree;
  return d;
}

/* Does it divide a monomial of the columns? Then it is a step on the way to that. */
static bool is_part_of_product(struct search *s, uint32_t monomial) {
  const struct monomial *m = &s->monomials.list.at[monomial];
  for (size_t v = 0; v < s->column_monomials.len; v++) {
    uint32_t whole = s->column_monomials.at[v];
    bool divides = s->monomials.list.at[whole].degree > m->degree;
    for (size_t k = 0; divides && k < m->count; k++)
      divides = monomial_exponent(&s->monomials, whole, m->factors[k].generator) >=
                m->factors[k].exponent;
    if (divides) return true;
  }
  return false;
}

/* The same, looked up: columns do not change while candidates are looked for. */
static bool is_step(struct products *p, uint32_t monomial) {
  uint32_t answer;
  if (memo_find(&p->steps, monomial, &answer)) return answer;
  answer = is_part_of_product(p->s, monomial);
  memo_put(&p->steps, monomial, answer);
  return answer;
}

/* How many monomials are not among the columns; how many are, and are products. */
static size_t new_monomials(struct products *p, const struct poly *q, size_t *known_products) {
  struct search *s = p->s;
  size_t count = 0;
  uint32_t var;
  *known_products = 0;
  for (size_t i = 0; i < q->items.len; i++) {
    uint32_t m = q->items.at[i].monomial;
    bool known = !m || memo_find(&s->columns, (uint64_t)m + 1, &var);
    count += !known;
    *known_products += s->monomials.list.at[m].degree > 1 && (known || is_step(p, m));
  }
  return count;
}

static bool is_violated(struct search *s, const struct fact *f) {
  fmpq_t value;
  fmpq_init(value);
  bool linear = arith_linear_value(s, &f->value, value);
  int sign = fmpq_sgn(value);
  fmpq_clear(value);
  return linear && (f->is_equation ? sign != 0 : sign < 0 || (f->is_strict && sign == 0));
}

/* Has it few new monomials, and of a small degree? */
static bool is_small(struct products *p, const struct poly *q, bool is_equation, size_t *fresh,
                     size_t *known) {
  static const size_t allowed[] = {0, 2, 4};
  static const unsigned degrees[] = {6, 4, 6};
  *fresh = new_monomials(p, q, known);
  return *fresh <= allowed[p->effort] + (p->effort && is_equation ? 2 : 0) && (!*fresh || *known) &&
         degree(p->s, q) <= degrees[p->effort];
}

/* Keeps the fact if it is violated; or, with some effort, if it relates products that occur to few
 * new ones (which can have any value, so that nothing is violated yet). */
static void consider(struct products *p, struct fact *f) {
  size_t known, fresh;
  p->tried++;
  if (!is_small(p, &f->value, f->is_equation, &fresh, &known) ||
      (!fresh && !is_violated(p->s, f))) {
    fact_drop(f);
    return;
  }
  struct candidate c = {.fact = *f};
  c.worth = (fresh ? 0 : 1000) + (f->is_equation ? 200 : 0) + 20 * (double)known -
            50 * (double)fresh - (double)f->value.items.len - 2 * (double)f->parts.len;
  vec_push(&p->found, c);
}

/* ---- products of two facts ------------------------------------------------------------------- */

/* Every part of one with every part of the other. */
static bool cross(struct search *s, const struct fact *a, const struct fact *b, struct fact *out) {
  if (a->parts.len * b->parts.len > PARTS) return false;
  for (size_t i = 0; i < a->parts.len; i++)
    for (size_t k = 0; k < b->parts.len; k++) {
      const struct part *x = &a->parts.at[i], *y = &b->parts.at[k];
      if (x->lits.len + y->lits.len > FACTORS) return false;
      struct fact one = {.parts = {.at = (struct part *)x, .len = 1}};
      fact_add_parts(&out->parts, &one, &y->coefficient);
      struct part *p = &vec_last(&out->parts);
      p->times = monomial_product(&s->monomials, x->times, y->times);
      p->is_strict = x->is_strict && y->is_strict;
      out->is_strict = out->is_strict || p->is_strict;
      for (size_t j = 0; j < y->lits.len; j++)
        vec_push(&p->lits, y->lits.at[j]);
      for (size_t j = 0; j < y->squares.len; j++)
        vec_push(&p->squares, y->squares.at[j]);
    }
  return true;
}

/* Is it about numbers alone, like a bound of sqrt 2? */
static bool is_about_numbers(struct search *s, const struct fact *f) {
  for (size_t i = 0; i < f->value.items.len; i++) {
    const struct monomial *m = &s->monomials.list.at[f->value.items.at[i].monomial];
    for (size_t k = 0; k < m->count; k++) {
      term_id g = m->factors[k].generator;
      if (term_arg_count(s->ts, g) != 1 || !term_is_num(s->ts, term_arg(s->ts, g, 0))) return false;
    }
  }
  return true;
}

static void multiply(struct products *p, const struct fact *a, const struct fact *b) {
  struct search *s = p->s;
  if (is_about_numbers(s, a) && is_about_numbers(s, b)) return;
  struct fact f = {.is_equation = a->is_equation || b->is_equation};
  size_t fresh, known;
  bool ok =
      poly_mul(&s->monomials, &f.value, &a->value, &b->value) && arith_reduce(s, &f.value, NULL);
  if (ok && !is_small(p, &f.value, f.is_equation, &fresh, &known)) {
    p->tried++; /* most end here, before anything is noted of where they come from */
    ok = false;
  }
  ok = ok && cross(s, a, b, &f);
  if (f.is_equation) f.is_strict = false;
  if (ok)
    consider(p, &f);
  else
    fact_drop(&f);
}

/* m without one of its k-th factor. */
static uint32_t cofactor(struct search *s, uint32_t monomial, size_t k) {
  struct monomial m = s->monomials.list.at[monomial];
  VEC(struct factor) rest = {0};
  for (size_t i = 0; i < m.count; i++) {
    struct factor f = m.factors[i];
    if (i == k) f.exponent--;
    if (f.exponent) vec_push(&rest, f);
  }
  uint32_t result = monomial_of(&s->monomials, rest.at, rest.len);
  vec_clear(&rest);
  return result;
}

/* ---- equations ------------------------------------------------------------------------------- */

static void multiply_equation(struct products *p, const struct fact *e, uint32_t times) {
  struct search *s = p->s;
  struct fact f = {.is_equation = true};
  struct poly factor = {0};
  fmpq_t one;
  fmpq_init(one);
  fmpq_one(one);
  fact_add_parts(&f.parts, e, one);
  f.parts.at[0].times = times;
  poly_set_monomial(&factor, times, one);
  bool ok =
      poly_mul(&s->monomials, &f.value, &e->value, &factor) && arith_reduce(s, &f.value, NULL);
  poly_clear(&factor);
  fmpq_clear(one);
  if (ok)
    consider(p, &f);
  else
    fact_drop(&f);
}

/* An equation times what a product that occurs has beside something in the equation. */
static void directed(struct products *p, size_t index) {
  struct search *s = p->s;
  const struct part *only = &s->facts.at[index].parts.at[0];
  if (s->facts.at[index].parts.len != 1 || only->lits.len != 1 || only->times) return;
  size_t columns = s->column_monomials.len;
  for (size_t v = 0; v < columns; v++) {
    uint32_t m = s->column_monomials.at[v];
    struct monomial x = s->monomials.list.at[m];
    for (size_t k = 0; x.degree > 1 && k < x.count; k++)
      if (poly_has(&s->monomials, &s->facts.at[index].value, x.factors[k].generator))
        multiply_equation(p, &s->facts.at[index], cofactor(s, m, k));
  }
}

/* ---- squares --------------------------------------------------------------------------------- */

static void square(struct products *p, uint32_t monomial) {
  struct search *s = p->s;
  struct monomial m = s->monomials.list.at[monomial];
  VEC(struct factor) half = {0};
  bool is_square = m.degree > 0;
  for (size_t k = 0; k < m.count; k++) {
    is_square = is_square && m.factors[k].exponent % 2 == 0;
    vec_push(&half, ((struct factor){m.factors[k].generator, m.factors[k].exponent / 2}));
  }
  if (is_square) {
    struct fact f = {0};
    struct part part = {0};
    struct poly root = {0};
    fmpq_init(&part.coefficient);
    fmpq_one(&part.coefficient);
    poly_set_monomial(&root, monomial_of(&s->monomials, half.at, half.len), &part.coefficient);
    poly_set_monomial(&f.value, monomial, &part.coefficient);
    vec_push(&part.squares, poly_term(&s->monomials, s->ts, &root));
    vec_push(&f.parts, part);
    poly_clear(&root);
    consider(p, &f);
  }
  vec_clear(&half);
}

/* A comparison times squares, if it is about monomials that occur then, and without some of the
 * squares that it mentions. */
static void with_squares(struct products *p, size_t index) {
  const struct fact *f = &p->s->facts.at[index];
  if (f->parts.len != 1 || f->parts.at[0].lits.len != 1 || f->is_product) return;
  int lit = f->parts.at[0].lits.at[0];
  fact_list list = {0};
  size_t known;
  squares_times(p->s, lit, &list);
  for (size_t i = 0; i < list.len; i++)
    if (new_monomials(p, &list.at[i].value, &known) == 0)
      consider(p, &list.at[i]);
    else
      fact_drop(&list.at[i]);
  list.len = 0;
  if (p->effort) squares_left_out(p->s, lit, &list);
  for (size_t i = 0; i < list.len; i++)
    consider(p, &list.at[i]);
  vec_clear(&list);
}

/* ---- envelopes ------------------------------------------------------------------------------- */

/* limit - m >= 0 or m - limit >= 0, as a sum of facts. */
static bool find_limit(struct search *s, uint32_t monomial, bool is_upper, struct fact *out) {
  uint32_t var;
  if (!memo_find(&s->columns, (uint64_t)monomial + 1, &var)) return false;
  fmpq_t limit, c;
  fmpq_init(limit);
  fmpq_init(c);
  bool ok = simplex_limit(&s->lp, (int)var, is_upper, s->budget, limit);
  if (ok) {
    struct poly number = {0};
    poly_set_monomial(&number, 0, limit);
    fmpq_one(c);
    poly_set_monomial(&out->value, monomial, c);
    poly_add_si(&out->value, -1, &number);
    poly_clear(&number);
    fmpq_set_si(c, -1, 1);
    if (is_upper) poly_scale(&out->value, c);
    for (size_t i = 0; i < s->lp.conflict.len; i++) {
      const struct fact *f = arith_blamed(s, i, c);
      fact_add_parts(&out->parts, f, c);
      out->is_strict = out->is_strict || f->is_strict;
    }
  }
  fmpq_clear(limit);
  fmpq_clear(c);
  return ok && out->parts.len <= PARTS;
}

/* Its number. Facts do not change while candidates are looked for, and factors occur in many
 * products: a limit is an optimum of the simplex and computed once. */
static size_t limit_of(struct products *p, uint32_t monomial, bool is_upper) {
  uint64_t key = 2 * (uint64_t)monomial + is_upper;
  uint32_t number;
  if (memo_find(&p->limit_index, key, &number)) return number;
  struct limit limit = {0};
  limit.is_known = find_limit(p->s, monomial, is_upper, &limit.fact);
  memo_put(&p->limit_index, key, (uint32_t)p->limits.len);
  vec_push(&p->limits, limit);
  return p->limits.len - 1;
}

static void forget_limits(struct products *p) {
  for (size_t i = 0; i < p->limits.len; i++)
    fact_drop(&p->limits.at[i].fact);
  p->limits.len = 0;
  memo_clear(&p->limit_index);
  memo_init(&p->limit_index);
}

/* Bounds of two factors multiplied: what a product can be at most and at least. */
static void envelope(struct products *p, uint32_t a, uint32_t b) {
  for (int i = 0; i < 2; i++)
    for (int k = 0; k < 2; k++) {
      size_t first = limit_of(p, a, i), second = limit_of(p, b, k);
      const struct limit *x = &p->limits.at[first], *y = &p->limits.at[second];
      if (x->is_known && y->is_known) multiply(p, &x->fact, &y->fact);
    }
}

static void envelopes(struct products *p, uint32_t monomial) {
  struct search *s = p->s;
  struct monomial x = s->monomials.list.at[monomial];
  for (size_t k = 0; k < x.count; k++) {
    uint32_t g = monomial_generator(&s->monomials, x.factors[k].generator);
    uint32_t other = cofactor(s, monomial, k);
    if (x.degree > 2 || g <= other) envelope(p, g, other);
  }
}

/* ---- rounds ---------------------------------------------------------------------------------- */

/* Facts that hold at present and speak of something that occurs in a product: those of true
 * literals, and products of this round. */
static bool is_present(struct products *p, size_t index) {
  enum { DEGREE = 4 };
  struct search *s = p->s;
  const struct fact *f = &s->facts.at[index];
  if (f->var < 0 || (f->is_product && (index < p->begin || degree(s, &f->value) > DEGREE)))
    return false;
  for (size_t k = 0; k < f->parts.len; k++)
    for (size_t j = 0; j < f->parts.at[k].lits.len; j++)
      if (sat_value(&s->sat, f->parts.at[k].lits.at[j]) != 1) return false;
  uint32_t known;
  for (size_t i = 0; i < f->value.items.len; i++) {
    const struct monomial *m = &s->monomials.list.at[f->value.items.at[i].monomial];
    for (size_t k = 0; k < m->count; k++)
      if (memo_find(&p->generators, m->factors[k].generator, &known)) return true;
  }
  return false;
}

static void note_factors(struct products *p, uint32_t monomial) {
  const struct monomial *m = &p->s->monomials.list.at[monomial];
  for (size_t k = 0; k < m->count; k++)
    memo_put(&p->generators, m->factors[k].generator, 1);
}

/* Generators of the columns that are no variables by themselves, and of inverses: their products
 * are numbers. False: there are none. */
static bool find_generators(struct products *p) {
  struct search *s = p->s;
  for (size_t i = 0; i < s->inverses.len; i++) {
    const struct inverse *v = &s->inverses.at[i];
    memo_put(&p->generators, v->term, 1);
    if (v->generator) memo_put(&p->generators, v->generator, 1);
    for (size_t k = 0; k < v->of.items.len; k++)
      note_factors(p, v->of.items.at[k].monomial);
  }
  for (size_t v = 0; v < s->column_monomials.len; v++)
    if (s->monomials.list.at[s->column_monomials.at[v]].degree > 1)
      note_factors(p, s->column_monomials.at[v]);
  for (size_t i = 0; i < s->rules.len; i++) /* these occur, though another value stands for them */
    if (s->monomials.list.at[s->rules.at[i].monomial].degree > 1)
      note_factors(p, s->rules.at[i].monomial);
  return p->generators.count > 0;
}

static void find_candidates(struct products *p) {
  enum { PAIRS = 12000 };
  struct search *s = p->s;
  memo_init(&p->steps);
  index_list facts = {0};
  for (size_t i = 0; i < s->facts.len; i++)
    if (is_present(p, i)) vec_push(&facts, i);
  p->tried = 0;
  size_t columns = s->column_monomials.len;
  for (size_t v = 0; v < columns && !budget_is_spent(s->budget); v++) {
    uint32_t m = s->column_monomials.at[v];
    if (s->monomials.list.at[m].degree < 2) continue;
    envelopes(p, m);
    square(p, m);
  }
  for (size_t i = 0; i < s->rules.len && !budget_is_spent(s->budget); i++)
    if (s->monomials.list.at[s->rules.at[i].monomial].degree > 1)
      envelopes(p, s->rules.at[i].monomial);
  for (size_t i = 0; i < facts.len; i++)
    if (s->facts.at[facts.at[i]].is_equation && !budget_is_spent(s->budget))
      directed(p, facts.at[i]);
  for (size_t i = 0; i < facts.len && !budget_is_spent(s->budget); i++)
    with_squares(p, facts.at[i]);
  for (size_t i = 0; i < facts.len && p->tried < PAIRS && !budget_is_spent(s->budget); i++)
    for (size_t k = i; k < facts.len && p->tried < PAIRS; k++) {
      if (k % 16 == 0 && budget_is_spent(s->budget)) break;
      multiply(p, &s->facts.at[facts.at[i]], &s->facts.at[facts.at[k]]);
    }
  vec_clear(&facts);
  memo_clear(&p->steps);
  forget_limits(p);
}

static int by_worth(const void *a, const void *b) {
  double x = ((const struct candidate *)a)->worth, y = ((const struct candidate *)b)->worth;
  return (x < y) - (x > y);
}

/* Is it the same as one of the better ones? */
static bool is_repeated(const struct products *p, size_t index) {
  const struct fact *f = &p->found.at[index].fact;
  for (size_t i = 0; i < index; i++) {
    const struct fact *g = &p->found.at[i].fact;
    if (f->is_strict == g->is_strict && f->is_equation == g->is_equation &&
        poly_equal(&f->value, &g->value))
      return true;
  }
  return false;
}

/* The best candidates become facts. */
static enum theory_answer add_round(struct products *p) {
  enum { ADDED = 24 };
  find_candidates(p);
  if (p->found.len > 1) qsort(p->found.at, p->found.len, sizeof *p->found.at, by_worth);
  enum theory_answer answer = p->found.len ? THEORY_CHANGED : THEORY_FINE;
  size_t added = 0;
  for (size_t i = 0; i < p->found.len; i++) {
    bool is_wanted = answer == THEORY_CHANGED && added < ADDED;
    if (!is_wanted || is_repeated(p, i)) continue;
    struct fact f = p->found.at[i].fact;
    struct fact copy = {.is_strict = f.is_strict, .is_equation = f.is_equation};
    poly_set(&copy.value, &f.value);
    p->found.at[i].fact = copy; /* to compare with */
    f.is_product = true;
    added++;
    if (!arith_add_fact(p->s, &f)) answer = THEORY_CONFLICT;
  }
  for (size_t i = 0; i < p->found.len; i++)
    fact_drop(&p->found.at[i].fact);
  vec_clear(&p->found);
  return answer;
}

enum theory_answer products_refute(struct search *s, int effort) {
  enum { ROUNDS = 8 };
  struct products p = {.s = s, .effort = effort, .begin = s->facts.len};
  memo_init(&p.generators);
  memo_init(&p.limit_index);
  enum theory_answer answer = THEORY_FINE;
  bool any = find_generators(&p);
  for (int i = 0; any && i < ROUNDS && !budget_is_spent(s->budget); i++) {
    answer = add_round(&p);
    if (answer != THEORY_CHANGED) break;
    answer = THEORY_FINE;
  }
  memo_clear(&p.generators);
  memo_clear(&p.limit_index);
  vec_clear(&p.limits);
  return answer;
}
