#include "advocate/squares.h"

#include "advocate/arith.h"
#include "term/build.h"

enum { SQUARES = 4, GENERATORS = 8 };

/* Squares of a sum, each with its coefficient made positive. */
struct square {
  term_id base; /* with half the exponent */
  fmpq coefficient;
};
typedef VEC(struct square) square_list;

static void collect(struct search *s, term_id t, const fmpq *coefficient, square_list *out) {
  struct terms *ts = s->ts;
  enum term_kind kind = term_kind(ts, t);
  size_t count = term_arg_count(ts, t);
  if (kind == TERM_ADD || kind == TERM_TO_REAL) {
    for (size_t i = 0; i < count; i++)
      collect(s, term_arg(ts, t, i), coefficient, out);
  } else if (kind == TERM_MUL && count == 2 && term_is_num(ts, term_arg(ts, t, 0))) {
    fmpq_t c;
    fmpq_init(c);
    fmpq_abs(c, term_num_value(ts, term_arg(ts, t, 0)));
    fmpq_mul(c, c, coefficient);
    collect(s, term_arg(ts, t, 1), c, out);
    fmpq_clear(c);
  } else if (kind == TERM_POW && term_get(ts, t)->data % 2 == 0) {
    term_id base = term_to_real(ts, term_arg(ts, t, 0));
    struct square q = {.base = term_pow(ts, base, (unsigned)(term_get(ts, t)->data / 2))};
    fmpq_init(&q.coefficient);
    fmpq_set(&q.coefficient, coefficient);
    vec_push(out, q);
  }
}

/* What has an exponent of 2 or more in a product that occurs. */
static void squared_generators(struct search *s, term_list *out) {
  for (size_t v = 0; v < s->column_monomials.len; v++) {
    const struct monomial *m = &s->monomials.list.at[s->column_monomials.at[v]];
    for (size_t k = 0; k < m->count && m->count > 1 && out->len < GENERATORS; k++) {
      bool seen = m->factors[k].exponent < 2;
      for (size_t i = 0; i < out->len; i++)
        seen = seen || out->at[i] == m->factors[k].generator;
      if (!seen) vec_push(out, m->factors[k].generator);
    }
  }
}

/* coefficient * root^2 as one more part of the fact. */
static bool add_square(struct search *s, struct fact *f, const struct square *q) {
  struct poly root = {0}, whole = {0};
  struct part part = {0};
  fmpq_init(&part.coefficient);
  fmpq_set(&part.coefficient, &q->coefficient);
  vec_push(&part.squares, q->base);
  vec_push(&f->parts, part);
  bool ok = poly_of_term(&s->monomials, s->ts, q->base, &root) &&
            poly_mul(&s->monomials, &whole, &root, &root);
  if (ok) poly_add(&f->value, &q->coefficient, &whole);
  poly_clear(&root);
  poly_clear(&whole);
  return ok;
}

/* The fact times the square of a generator. */
static bool times_square(struct search *s, const struct fact *f, term_id generator,
                         struct fact *out) {
  struct poly factor = {0};
  fmpq_t one;
  fmpq_init(one);
  fmpq_one(one);
  uint32_t g = monomial_generator(&s->monomials, generator);
  poly_set_monomial(&factor, monomial_product(&s->monomials, g, g), one);
  fact_add_parts(&out->parts, f, one);
  for (size_t i = 0; i < out->parts.len; i++) {
    vec_push(&out->parts.at[i].squares, term_to_real(s->ts, generator));
    out->parts.at[i].is_strict = false;
  }
  bool ok = poly_mul(&s->monomials, &out->value, &f->value, &factor) &&
            arith_reduce(s, &out->value, NULL);
  poly_clear(&factor);
  fmpq_clear(one);
  return ok;
}

static void keep(struct fact *f, bool ok, fact_list *out) {
  if (ok)
    vec_push(out, *f);
  else
    fact_drop(f);
}

/* What the literal says, as it stands; false for equations. */
static bool own_fact(struct search *s, int lit, struct fact *f) {
  struct part own = {.times = 0};
  bool is_equation, ok = arith_raw(s, lit, &f->value, &own.is_strict, &is_equation);
  fmpq_init(&own.coefficient);
  fmpq_one(&own.coefficient);
  vec_push(&own.lits, lit);
  vec_push(&f->parts, own);
  f->is_strict = own.is_strict;
  return ok && !is_equation;
}

static void times_squares(struct search *s, const struct fact *f, const term_list *generators,
                          fact_list *out) {
  for (size_t i = 0; i < generators->len; i++) {
    struct fact more = {0};
    keep(&more, times_square(s, f, generators->at[i], &more), out);
  }
}

/* Without the squares of the set. */
static void leave_out(struct search *s, int lit, const square_list *squares, size_t set,
                      const term_list *generators, fact_list *out) {
  struct fact f = {0};
  bool ok = own_fact(s, lit, &f);
  for (size_t i = 0; i < squares->len && ok; i++)
    if (set >> i & 1) ok = add_square(s, &f, &squares->at[i]);
  ok = ok && arith_reduce(s, &f.value, NULL);
  if (ok) times_squares(s, &f, generators, out);
  keep(&f, ok, out);
}

void squares_times(struct search *s, int lit, fact_list *out) {
  term_list generators = {0};
  struct fact f = {0};
  squared_generators(s, &generators);
  if (generators.len && own_fact(s, lit, &f)) times_squares(s, &f, &generators, out);
  fact_drop(&f);
  vec_clear(&generators);
}

void squares_left_out(struct search *s, int lit, fact_list *out) {
  const struct atom *a = &s->atoms.at[lit / 2];
  square_list squares = {0};
  term_list generators = {0};
  fmpq_t one;
  if (a->kind != ATOM_ORDER) return;
  fmpq_init(one);
  fmpq_one(one);
  collect(s, a->left, one, &squares);
  collect(s, a->right, one, &squares);
  fmpq_clear(one);
  if (squares.len > 1 && squares.len <= SQUARES) {
    squared_generators(s, &generators);
    for (size_t set = 1; set >> squares.len == 0; set++)
      leave_out(s, lit, &squares, set, &generators, out);
  }
  for (size_t i = 0; i < squares.len; i++)
    fmpq_clear(&squares.at[i].coefficient);
  vec_clear(&squares);
  vec_clear(&generators);
}
