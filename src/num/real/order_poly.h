/* Exponential polynomials in a few variables: sum c * prod_v x_v^k_v e^(r_v u x_v).
 *
 * The rates are integer multiples of a unit u > 0 that the owner keeps. A term's exponents are one
 * integer per variable, rate * 2^16 + power: multiplying terms adds these integers, comparing terms
 * compares them, and multiplication by a term keeps the order. Terms are sorted without repetition
 * (order_poly_normalize restores that after pushes); coefficients that are exactly zero are
 * dropped. Inclusion property as in exppoly.h.
 *
 * Used by order_integral.h, which guarantees that rates stay below ORDER_RATE_MAX in absolute
 * value, and powers below 2^16. */
#ifndef COUPLET_NUM_REAL_ORDER_POLY_H
#define COUPLET_NUM_REAL_ORDER_POLY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "num/arb_compat.h"

enum {
  ORDER_SCOPE_MAX = 4,              /* variables of a function that is kept */
  ORDER_WIDTH = ORDER_SCOPE_MAX + 1 /* and the one that is being integrated out */
};
#define ORDER_RATE_MAX ((int64_t)1 << 46)

struct order_term {
  int64_t key[ORDER_WIDTH];
  arb_t coefficient;
};

struct order_poly {
  struct order_term *terms;
  size_t count, capacity;
};

static inline int64_t order_key(int64_t rate, int64_t power) {
  return rate * 65536 + power;
}
static inline int64_t order_key_power(int64_t key) {
  return key & 0xffff;
}
static inline int64_t order_key_rate(int64_t key) {
  return (key - (key & 0xffff)) / 65536;
}

void order_poly_init(struct order_poly *f); /* zero */
void order_poly_clear(struct order_poly *f);
void order_poly_swap(struct order_poly *a, struct order_poly *b);
/* A new last term with these exponents and coefficient 0; the caller sets the coefficient, and
 * normalizes when the order may be broken. */
struct order_term *order_poly_push(struct order_poly *f, const int64_t key[ORDER_WIDTH]);
void order_poly_normalize(struct order_poly *f, slong precision);
void order_poly_mul(struct order_poly *out, const struct order_poly *f, const struct order_poly *g,
                    slong precision);
/* out = f with its variable number i renamed to map[i]. */
void order_poly_rename(struct order_poly *out, const struct order_poly *f, const uint8_t *map,
                       size_t arity);

#endif
