#include "smt/ratfun.h"

#include "term/build.h"

void ratfun_ring_init(struct ratfun_ring *ring, struct terms *ts) {
  *ring = (struct ratfun_ring){.ts = ts};
  fmpq_mpoly_ctx_init(ring->ctx, RATFUN_ATOMS, ORD_DEGLEX);
}

void ratfun_ring_clear(struct ratfun_ring *ring) {
  fmpq_mpoly_ctx_clear(ring->ctx);
  vec_clear(&ring->atoms);
}

void ratfun_init(struct ratfun *f, struct ratfun_ring *ring) {
  fmpq_mpoly_init(f->num, ring->ctx);
  fmpq_mpoly_init(f->den, ring->ctx);
  fmpq_mpoly_one(f->den, ring->ctx);
}

void ratfun_clear(struct ratfun *f, struct ratfun_ring *ring) {
  fmpq_mpoly_clear(f->num, ring->ctx);
  fmpq_mpoly_clear(f->den, ring->ctx);
}

void ratfun_set(struct ratfun *f, const struct ratfun *g, struct ratfun_ring *ring) {
  fmpq_mpoly_set(f->num, g->num, ring->ctx);
  fmpq_mpoly_set(f->den, g->den, ring->ctx);
}

void ratfun_set_number(struct ratfun *f, const fmpq *q, struct ratfun_ring *ring) {
  fmpq_mpoly_set_fmpq(f->num, q, ring->ctx);
  fmpq_mpoly_one(f->den, ring->ctx);
}

bool ratfun_set_atom(struct ratfun *f, term_id atom, struct ratfun_ring *ring) {
  size_t i = 0;
  while (i < ring->atoms.len && ring->atoms.at[i] != atom)
    i++;
  if (i == RATFUN_ATOMS) return false;
  if (i == ring->atoms.len) vec_push(&ring->atoms, atom);
  fmpq_mpoly_gen(f->num, (slong)i, ring->ctx);
  fmpq_mpoly_one(f->den, ring->ctx);
  return true;
}

/* Lowest terms, with a monic denominator. */
static bool reduce(struct ratfun *f, struct ratfun_ring *ring) {
  if (fmpq_mpoly_length(f->num, ring->ctx) > RATFUN_MONOMIALS ||
      fmpq_mpoly_length(f->den, ring->ctx) > RATFUN_MONOMIALS)
    return false;
  if (!fmpq_mpoly_is_fmpq(f->den, ring->ctx)) {
    fmpq_mpoly_t g;
    fmpq_mpoly_init(g, ring->ctx);
    bool ok = fmpq_mpoly_gcd(g, f->num, f->den, ring->ctx);
    if (ok && !fmpq_mpoly_is_one(g, ring->ctx)) {
      ok = fmpq_mpoly_divides(f->num, f->num, g, ring->ctx) &&
           fmpq_mpoly_divides(f->den, f->den, g, ring->ctx);
    }
    fmpq_mpoly_clear(g, ring->ctx);
    if (!ok) return false;
  }
  fmpq_t lead;
  fmpq_init(lead);
  fmpq_mpoly_get_term_coeff_fmpq(lead, f->den, 0, ring->ctx);
  fmpq_mpoly_scalar_div_fmpq(f->num, f->num, lead, ring->ctx);
  fmpq_mpoly_scalar_div_fmpq(f->den, f->den, lead, ring->ctx);
  fmpq_clear(lead);
  return true;
}

bool ratfun_add(struct ratfun *f, const struct ratfun *a, const struct ratfun *b,
                struct ratfun_ring *ring) {
  struct ratfun r;
  fmpq_mpoly_t t;
  ratfun_init(&r, ring);
  fmpq_mpoly_init(t, ring->ctx);
  fmpq_mpoly_mul(r.num, a->num, b->den, ring->ctx);
  fmpq_mpoly_mul(t, b->num, a->den, ring->ctx);
  fmpq_mpoly_add(r.num, r.num, t, ring->ctx);
  fmpq_mpoly_mul(r.den, a->den, b->den, ring->ctx);
  bool ok = reduce(&r, ring);
  ratfun_set(f, &r, ring);
  fmpq_mpoly_clear(t, ring->ctx);
  ratfun_clear(&r, ring);
  return ok;
}

bool ratfun_mul(struct ratfun *f, const struct ratfun *a, const struct ratfun *b,
                struct ratfun_ring *ring) {
  struct ratfun r;
  ratfun_init(&r, ring);
  fmpq_mpoly_mul(r.num, a->num, b->num, ring->ctx);
  fmpq_mpoly_mul(r.den, a->den, b->den, ring->ctx);
  bool ok = reduce(&r, ring);
  ratfun_set(f, &r, ring);
  ratfun_clear(&r, ring);
  return ok;
}

bool ratfun_pow(struct ratfun *f, const struct ratfun *a, unsigned long k,
                struct ratfun_ring *ring) {
  bool monomials =
      fmpq_mpoly_length(a->num, ring->ctx) <= 1 && fmpq_mpoly_length(a->den, ring->ctx) <= 1;
  if (k > (monomials ? RATFUN_DEGREE : 8)) return false;
  struct ratfun r;
  ratfun_init(&r, ring);
  bool ok = fmpq_mpoly_pow_ui(r.num, a->num, k, ring->ctx) &&
            fmpq_mpoly_pow_ui(r.den, a->den, k, ring->ctx) && reduce(&r, ring);
  ratfun_set(f, &r, ring);
  ratfun_clear(&r, ring);
  return ok;
}

bool ratfun_inv(struct ratfun *f, const struct ratfun *a, struct ratfun_ring *ring) {
  if (fmpq_mpoly_is_zero(a->num, ring->ctx)) return false;
  struct ratfun r;
  ratfun_init(&r, ring);
  fmpq_mpoly_set(r.num, a->den, ring->ctx);
  fmpq_mpoly_set(r.den, a->num, ring->ctx);
  bool ok = reduce(&r, ring);
  ratfun_set(f, &r, ring);
  ratfun_clear(&r, ring);
  return ok;
}

bool ratfun_ratio(const struct ratfun *f, const struct ratfun *g, fmpq *c,
                  struct ratfun_ring *ring) {
  if (!fmpq_mpoly_equal(f->den, g->den, ring->ctx) || fmpq_mpoly_is_zero(f->num, ring->ctx) ||
      fmpq_mpoly_is_zero(g->num, ring->ctx))
    return false;
  fmpq_t x, y;
  fmpq_init(x);
  fmpq_init(y);
  fmpq_mpoly_get_term_coeff_fmpq(x, f->num, 0, ring->ctx);
  fmpq_mpoly_get_term_coeff_fmpq(y, g->num, 0, ring->ctx);
  fmpq_div(c, x, y);
  fmpq_mpoly_t scaled;
  fmpq_mpoly_init(scaled, ring->ctx);
  fmpq_mpoly_scalar_mul_fmpq(scaled, g->num, c, ring->ctx);
  bool same = fmpq_mpoly_equal(scaled, f->num, ring->ctx);
  fmpq_mpoly_clear(scaled, ring->ctx);
  fmpq_clear(x);
  fmpq_clear(y);
  return same;
}

/* ---- back to terms --------------------------------------------------------------------------- */

static term_id monomial_term(const fmpq_mpoly_t p, slong i, struct ratfun_ring *ring) {
  struct terms *ts = ring->ts;
  ulong exponents[RATFUN_ATOMS];
  fmpq_mpoly_get_term_exp_ui(exponents, p, i, ring->ctx);
  fmpq_t c;
  fmpq_init(c);
  fmpq_mpoly_get_term_coeff_fmpq(c, p, i, ring->ctx);
  term_list factors = {0};
  vec_push(&factors, term_num(ts, c, SORT_REAL));
  for (size_t k = 0; k < ring->atoms.len; k++)
    if (exponents[k]) vec_push(&factors, term_pow(ts, ring->atoms.at[k], (unsigned)exponents[k]));
  term_id t = term_product(ts, factors.at, factors.len);
  vec_clear(&factors);
  fmpq_clear(c);
  return t;
}

term_id ratfun_poly_term(const fmpq_mpoly_t p, struct ratfun_ring *ring) {
  term_list addends = {0};
  vec_push(&addends, term_rat(ring->ts, 0, 1));
  for (slong i = 0; i < fmpq_mpoly_length(p, ring->ctx); i++)
    vec_push(&addends, monomial_term(p, i, ring));
  term_id t = term_sum(ring->ts, addends.at, addends.len);
  vec_clear(&addends);
  return t;
}

term_id ratfun_term(const struct ratfun *f, struct ratfun_ring *ring) {
  term_id num = ratfun_poly_term(f->num, ring), den = ratfun_poly_term(f->den, ring);
  return term_div(ring->ts, num, den);
}
