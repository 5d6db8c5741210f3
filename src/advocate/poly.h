/* Sparse polynomials over Q whose variables are terms: how the search sees numbers.
 *
 * A monomial is a number of a table (0 is 1), so products of hypotheses are linear forms in
 * monomials. Generators are the terms that are not sums, products, powers or numbers, as for the
 * referee (check/referee/algebra.h). */
#ifndef COUPLET_ADVOCATE_POLY_H
#define COUPLET_ADVOCATE_POLY_H

#include <flint/fmpq.h>

#include "base/arena.h"
#include "base/vec.h"
#include "term/memo.h"
#include "term/term.h"

struct factor {
  term_id generator;
  unsigned exponent;
};

struct monomial {
  const struct factor *factors; /* by increasing generator */
  size_t count;
  unsigned degree;
};

struct monomials {
  struct arena arena;
  VEC(struct monomial) list;
  VEC(uint32_t) buckets_; /* open addressing: 1 + number */
  struct memo products;   /* (a, b) -> product */
};

void monomials_init(struct monomials *m);
void monomials_clear(struct monomials *m);
uint32_t monomial_of(struct monomials *m, const struct factor *factors, size_t count);
uint32_t monomial_generator(struct monomials *m, term_id generator);
uint32_t monomial_product(struct monomials *m, uint32_t a, uint32_t b);
unsigned monomial_exponent(const struct monomials *m, uint32_t a, term_id generator);
/* a without the generator. */
uint32_t monomial_without(struct monomials *m, uint32_t a, term_id generator);

struct poly_item {
  uint32_t monomial;
  fmpq coefficient;
};

/* Items by increasing monomial, no coefficient 0. */
struct poly {
  VEC(struct poly_item) items;
};

enum { POLY_ITEMS = 3000, POLY_DEGREE = 24 };

void poly_clear(struct poly *p);
void poly_set(struct poly *p, const struct poly *q);
void poly_set_monomial(struct poly *p, uint32_t monomial, const fmpq *coefficient);
/* p + c * q, in place. */
void poly_add(struct poly *p, const fmpq *c, const struct poly *q);
void poly_add_si(struct poly *p, long c, const struct poly *q);
void poly_scale(struct poly *p, const fmpq *c);
/* False: too large. p may be a or b. */
bool poly_mul(struct monomials *m, struct poly *p, const struct poly *a, const struct poly *b);
bool poly_equal(const struct poly *p, const struct poly *q);
bool poly_is_constant(const struct poly *p, const fmpq **value);       /* NULL for 0 */
const fmpq *poly_coefficient(const struct poly *p, uint32_t monomial); /* NULL: 0 */
/* Does a generator occur? */
bool poly_has(const struct monomials *m, const struct poly *p, term_id generator);

/* The factors that all items have in common (p is not 0), and p without them, with leading
 * coefficient 1; *lead is that coefficient. `out` is 0 before. */
uint32_t poly_content(struct monomials *m, const struct poly *p);
void poly_primitive(struct monomials *m, const struct poly *p, uint32_t content, struct poly *out,
                    fmpq *lead);

/* A numeric term as a polynomial. False: too large. */
bool poly_of_term(struct monomials *m, struct terms *ts, term_id t, struct poly *out);
term_id poly_term(const struct monomials *m, struct terms *ts, const struct poly *p);

#endif
