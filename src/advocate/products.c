#include "advocate/products.h"

#include "advocate/arith.h"

enum { FACTORS = 4 };

/* Facts that hold at present: those of true literals, and products added before at this point. */
static void present_facts(struct search *s, index_list *out) {
  for (size_t i = 0; i < s->facts.len; i++) {
    const struct fact *f = &s->facts.at[i];
    bool holds = f->var >= 0;
    for (size_t k = 0; holds && k < f->lits.len; k++)
      holds = sat_value(&s->sat, f->lits.at[k]) == 1;
    if (holds) vec_push(out, i);
  }
}

static unsigned degree(struct search *s, const struct poly *p) {
  unsigned d = 0;
  for (size_t i = 0; i < p->items.len; i++)
    if (s->monomials.list.at[p->items.at[i].monomial].degree > d)
      d = s->monomials.list.at[p->items.at[i].monomial].degree;
  return d;
}

/* How many monomials are not among the columns. */
static size_t new_monomials(struct search *s, const struct poly *p) {
  size_t count = 0;
  uint32_t var;
  for (size_t i = 0; i < p->items.len; i++)
    count += p->items.at[i].monomial &&
             !memo_find(&s->columns, (uint64_t)p->items.at[i].monomial + 1, &var);
  return count;
}

struct candidate {
  struct fact fact;
  double badness;
};

struct products {
  struct search *s;
  int effort;
  VEC(struct candidate) found;
  size_t tried;
};

static void drop(struct fact *f) {
  vec_clear(&f->lits);
  vec_clear(&f->squares);
  poly_clear(&f->value);
}

/* Keeps the fact if it is violated and does not bring too much that is new. */
static void consider(struct products *p, struct fact *f) {
  struct search *s = p->s;
  static const size_t allowed[] = {0, 2, 4};
  static const unsigned degrees[] = {6, 3, 6};
  p->tried++;
  size_t fresh = new_monomials(s, &f->value);
  if (fresh > allowed[p->effort] || degree(s, &f->value) > degrees[p->effort]) {
    drop(f);
    return;
  }
  fmpq_t value;
  fmpq_init(value);
  if (!arith_linear_value(s, &f->value, value)) arith_value(s, &f->value, value);
  int sign = fmpq_sgn(value);
  bool violated = f->is_equation ? sign != 0 : sign < 0 || (f->is_strict && sign == 0);
  /* a new monomial has the value of its factors, which tells nothing: take it on trust */
  if (violated || fresh) {
    struct candidate c = {.fact = *f};
    c.badness = fresh ? -(double)fresh - 0.001 * (double)f->value.items.len
                      : 1.0 / (1.0 + (double)f->value.items.len);
    vec_push(&p->found, c);
  } else {
    drop(f);
  }
  fmpq_clear(value);
}

static void multiply(struct products *p, const struct fact *a, const struct fact *b) {
  struct search *s = p->s;
  if (a->lits.len + b->lits.len > FACTORS) return;
  struct fact f = {.is_strict = a->is_strict && b->is_strict && !a->squares.len && !b->squares.len,
                   .is_equation = a->is_equation || b->is_equation};
  if (!poly_mul(&s->monomials, &f.value, &a->value, &b->value) ||
      !arith_reduce(s, &f.value, NULL)) {
    drop(&f);
    return;
  }
  for (size_t i = 0; i < a->lits.len; i++)
    vec_push(&f.lits, a->lits.at[i]);
  for (size_t i = 0; i < b->lits.len; i++)
    vec_push(&f.lits, b->lits.at[i]);
  for (size_t i = 0; i < a->squares.len; i++)
    vec_push(&f.squares, a->squares.at[i]);
  for (size_t i = 0; i < b->squares.len; i++)
    vec_push(&f.squares, b->squares.at[i]);
  consider(p, &f);
}

/* Does the fact speak of something that occurs in a product? */
static bool touches(struct search *s, const struct fact *f, const struct memo *generators) {
  uint32_t known;
  for (size_t i = 0; i < f->value.items.len; i++) {
    const struct monomial *m = &s->monomials.list.at[f->value.items.at[i].monomial];
    for (size_t k = 0; k < m->count; k++)
      if (memo_find(generators, m->factors[k].generator, &known)) return true;
  }
  return false;
}

/* Generators of the columns that are no variables by themselves. */
static size_t product_generators(struct search *s, struct memo *out) {
  size_t count = 0;
  for (size_t v = 0; v < s->column_monomials.len; v++) {
    const struct monomial *m = &s->monomials.list.at[s->column_monomials.at[v]];
    if (m->degree < 2) continue;
    count++;
    for (size_t k = 0; k < m->count; k++)
      memo_put(out, m->factors[k].generator, 1);
  }
  return count;
}

/* x^2 >= 0 for each square of a generator among the columns. */
static void squares(struct products *p) {
  struct search *s = p->s;
  size_t columns = s->column_monomials.len;
  for (size_t v = 0; v < columns; v++) {
    struct monomial m = s->monomials.list.at[s->column_monomials.at[v]];
    if (m.degree == 0 || m.degree % 2) continue;
    bool is_square = true;
    for (size_t k = 0; k < m.count; k++)
      is_square = is_square && m.factors[k].exponent % 2 == 0;
    if (!is_square) continue;
    struct fact f = {0};
    fmpq_t one;
    fmpq_init(one);
    fmpq_one(one);
    struct poly root = {0};
    VEC(struct factor) half = {0};
    for (size_t k = 0; k < m.count; k++)
      vec_push(&half, ((struct factor){m.factors[k].generator, m.factors[k].exponent / 2}));
    poly_set_monomial(&root, monomial_of(&s->monomials, half.at, half.len), one);
    vec_push(&f.squares, poly_term(&s->monomials, s->ts, &root));
    poly_set_monomial(&f.value, s->column_monomials.at[v], one);
    vec_clear(&half);
    poly_clear(&root);
    fmpq_clear(one);
    consider(p, &f);
  }
}

static int by_badness(const void *a, const void *b) {
  double x = ((const struct candidate *)a)->badness, y = ((const struct candidate *)b)->badness;
  return (x < y) - (x > y);
}

/* One round: candidates, the best of them added. */
static enum theory_answer round_of(struct products *p, const struct memo *generators) {
  enum { PAIRS = 12000, ADDED = 24 };
  struct search *s = p->s;
  index_list facts = {0};
  present_facts(s, &facts);
  size_t kept = 0;
  for (size_t i = 0; i < facts.len; i++)
    if (touches(s, &s->facts.at[facts.at[i]], generators)) facts.at[kept++] = facts.at[i];
  facts.len = kept;
  p->tried = 0;
  squares(p);
  for (size_t i = 0; i < facts.len && p->tried < PAIRS; i++)
    for (size_t k = i; k < facts.len && p->tried < PAIRS; k++) {
      if (k % 64 == 0 && budget_is_spent(s->budget)) break;
      multiply(p, &s->facts.at[facts.at[i]], &s->facts.at[facts.at[k]]);
    }
  vec_clear(&facts);
  if (p->found.len > 1) qsort(p->found.at, p->found.len, sizeof *p->found.at, by_badness);
  enum theory_answer answer = p->found.len ? THEORY_CHANGED : THEORY_FINE;
  size_t i = 0;
  for (; i < p->found.len && i < ADDED && answer == THEORY_CHANGED; i++)
    if (!arith_add_fact(s, &p->found.at[i].fact)) answer = THEORY_CONFLICT;
  for (; i < p->found.len; i++)
    drop(&p->found.at[i].fact);
  vec_clear(&p->found);
  return answer;
}

enum theory_answer products_refute(struct search *s, int effort) {
  enum { ROUNDS = 8 };
  struct memo generators;
  memo_init(&generators);
  enum theory_answer answer = THEORY_FINE;
  struct products p = {.s = s, .effort = effort};
  bool any = product_generators(s, &generators) > 0;
  for (int i = 0; any && i < ROUNDS && !budget_is_spent(s->budget); i++) {
    answer = round_of(&p, &generators);
    if (answer != THEORY_CHANGED) break;
    answer = THEORY_FINE;
  }
  memo_clear(&generators);
  return answer;
}
