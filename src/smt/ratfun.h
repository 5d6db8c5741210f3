/* Rational functions over atoms, to bring real terms into a normal form p/q.
 *
 * Atoms are terms that are not sums, products, powers or quotients; each is a generator of a FLINT
 * polynomial ring over Q. The value of num/den is meant where every denominator that went in is not
 * 0; then so is `den`, which divides their product, and common factors may be cancelled. */
#ifndef COUPLET_SMT_RATFUN_H
#define COUPLET_SMT_RATFUN_H

#include <flint/fmpq_mpoly.h>

#include "term/term.h"

enum {
  RATFUN_ATOMS = 24,      /* in one ring; more make the operation fail */
  RATFUN_MONOMIALS = 400, /* of one polynomial */
  RATFUN_DEGREE = 60      /* exponent accepted for a power */
};

struct ratfun_ring {
  struct terms *ts;
  fmpq_mpoly_ctx_t ctx;
  term_list atoms; /* generator i */
};

struct ratfun {
  fmpq_mpoly_t num, den; /* den != 0 */
};

void ratfun_ring_init(struct ratfun_ring *ring, struct terms *ts);
void ratfun_ring_clear(struct ratfun_ring *ring);

void ratfun_init(struct ratfun *f, struct ratfun_ring *ring); /* 0/1 */
void ratfun_clear(struct ratfun *f, struct ratfun_ring *ring);
void ratfun_set(struct ratfun *f, const struct ratfun *g, struct ratfun_ring *ring);
void ratfun_set_number(struct ratfun *f, const fmpq *q, struct ratfun_ring *ring);
/* False: too many atoms. */
bool ratfun_set_atom(struct ratfun *f, term_id atom, struct ratfun_ring *ring);

/* These cancel common factors. False: a polynomial became too large. */
bool ratfun_add(struct ratfun *f, const struct ratfun *a, const struct ratfun *b,
                struct ratfun_ring *ring);
bool ratfun_mul(struct ratfun *f, const struct ratfun *a, const struct ratfun *b,
                struct ratfun_ring *ring);
bool ratfun_pow(struct ratfun *f, const struct ratfun *a, unsigned long k,
                struct ratfun_ring *ring);
/* a must not be 0 as a polynomial. */
bool ratfun_inv(struct ratfun *f, const struct ratfun *a, struct ratfun_ring *ring);

/* f = c * g for a rational c? (both not 0) */
bool ratfun_ratio(const struct ratfun *f, const struct ratfun *g, fmpq *c,
                  struct ratfun_ring *ring);

term_id ratfun_term(const struct ratfun *f, struct ratfun_ring *ring);
/* The numerator or denominator alone. */
term_id ratfun_poly_term(const fmpq_mpoly_t p, struct ratfun_ring *ring);

#endif
