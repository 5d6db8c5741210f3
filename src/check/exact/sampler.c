#include "check/exact/sampler.h"

#include <stdlib.h>

#include "base/alloc.h"

enum { LIMIT_SAMPLER_CELLS = 1 << 15 }; /* kept; then all are forgotten */

struct sampler *sampler_new(slong precision) {
  struct sampler *s = xcalloc(1, sizeof *s);
  s->refs = 1;
  s->rule = quadrature_new(precision);
  s->capacity = 256;
  s->slots = xcalloc(s->capacity, sizeof(struct law_cell *));
  return s;
}

struct sampler *sampler_ref(struct sampler *s) {
  s->refs++;
  return s;
}

static void cell_free(struct law_cell *c, slong order) {
  arb_clear(c->rate);
  fmpq_clear(c->low);
  fmpq_clear(c->high);
  _arb_vec_clear(c->values, order);
  mag_clear(c->bound);
  free(c);
}

static void forget_all(struct sampler *s) {
  for (size_t i = 0; i < s->capacity; i++) {
    if (s->slots[i]) cell_free(s->slots[i], s->rule->order);
    s->slots[i] = NULL;
  }
  s->count = 0;
}

void sampler_unref(struct sampler *s) {
  if (!s || --s->refs) return;
  forget_all(s);
  free(s->slots);
  quadrature_unref(s->rule);
  free(s);
}

/* ---- cells ---------------------------------------------------------------------------------- */

/* middle + half * x over the cell */
static void cell_frame(arb_t middle, arb_t half, const fmpq_t low, const fmpq_t high,
                       slong precision) {
  fmpq_t t;
  fmpq_init(t);
  fmpq_add(t, low, high);
  arb_set_fmpq(middle, t, precision);
  arb_mul_2exp_si(middle, middle, -1);
  fmpq_sub(t, high, low);
  arb_set_fmpq(half, t, precision);
  arb_mul_2exp_si(half, half, -1);
  fmpq_clear(t);
}

/* Half-axes (rho + 1/rho)/2 and (rho - 1/rho)/2, times half of the width. */
void cell_ellipse(arb_t real, mag_t imaginary, const fmpq_t low, const fmpq_t high,
                  slong precision) {
  arb_t half, axis;
  arb_init(half);
  arb_init(axis);
  cell_frame(real, half, low, high, precision);
  arb_mul_si(axis, half, QUADRATURE_RHO * QUADRATURE_RHO + 1, precision);
  arb_div_si(axis, axis, 2 * QUADRATURE_RHO, precision);
  arb_add_error(real, axis);
  arb_mul_si(axis, half, QUADRATURE_RHO * QUADRATURE_RHO - 1, precision);
  arb_div_si(axis, axis, 2 * QUADRATURE_RHO, precision);
  arb_get_mag(imaginary, axis);
  arb_clear(half);
  arb_clear(axis);
}

void cell_node(arb_t out, const struct quadrature *rule, slong k, const fmpq_t low,
               const fmpq_t high) {
  arb_t half;
  arb_init(half);
  cell_frame(out, half, low, high, rule->precision);
  arb_addmul(out, half, rule->nodes + k, rule->precision);
  arb_clear(half);
}

/* Every point of the ellipse is at most half (1 + (rho + 1/rho)/2) from either end, in a straight
 * line through the ellipse, which is convex. */
void cell_antiderivative_bound(mag_t out, const mag_t f, const mag_t at_end, const fmpq_t low,
                               const fmpq_t high) {
  arb_t middle, half;
  mag_t length;
  arb_init(middle);
  arb_init(half);
  mag_init(length);
  cell_frame(middle, half, low, high, MAG_BITS);
  arb_get_mag(length, half);
  mag_mul_ui(length, length, (QUADRATURE_RHO + 1) * (QUADRATURE_RHO + 1));
  mag_div_ui(length, length, 2 * QUADRATURE_RHO);
  mag_mul(length, length, f);
  mag_add(out, at_end, length);
  arb_clear(middle);
  arb_clear(half);
  mag_clear(length);
}

/* ---- laws ----------------------------------------------------------------------------------- */

/* |density| in the ellipse. */
static void density_bound(mag_t out, const struct law_cell *c, slong precision) {
  arb_t real, spread;
  mag_t imaginary, rate;
  arb_init(real);
  arb_init(spread);
  mag_init(imaginary);
  mag_init(rate);
  cell_ellipse(real, imaginary, c->low, c->high, precision);
  arb_mul(real, real, c->rate, precision);
  arb_get_mag(rate, c->rate);
  mag_mul(imaginary, imaginary, rate);
  c->law->bound(out, real, imaginary, precision);
  mag_mul(out, out, rate);
  arb_clear(real);
  arb_clear(spread);
  mag_clear(imaginary);
  mag_clear(rate);
}

static void fill(struct law_cell *c, const struct quadrature *rule) {
  slong precision = rule->precision;
  arb_t x;
  arb_init(x);
  for (slong k = 0; k < rule->order; k++) {
    cell_node(x, rule, k, c->low, c->high);
    arb_mul(x, x, c->rate, precision);
    if (c->part == LAW_DENSITY) {
      c->law->at(c->values + k, x, precision);
      arb_mul(c->values + k, c->values + k, c->rate, precision);
    } else {
      (c->part == LAW_BELOW ? c->law->below : c->law->above)(c->values + k, x, precision);
    }
  }
  density_bound(c->bound, c, precision);
  if (c->part != LAW_DENSITY) { /* monotone: the end beyond the extreme node has less mass */
    mag_t at_end;
    mag_init(at_end);
    arb_get_mag(at_end, c->values + (c->part == LAW_BELOW ? 0 : rule->order - 1));
    cell_antiderivative_bound(c->bound, c->bound, at_end, c->low, c->high);
    mag_clear(at_end);
  }
  arb_clear(x);
}

/* ---- the table ------------------------------------------------------------------------------ */

static size_t mix(size_t h, const fmpz_t z) {
  return (h ^ (size_t)fmpz_fdiv_ui(z, 0x7fffffffUL) ^ ((size_t)fmpz_sgn(z) << 31)) *
         (size_t)0x9e3779b97f4a7c15ULL;
}

static struct law_cell **find(const struct sampler *s, const struct law_cell *key) {
  size_t h = mix(mix(mix(mix((size_t)key->part, fmpq_numref(key->low)), fmpq_denref(key->low)),
                     fmpq_numref(key->high)),
                 fmpq_denref(key->high));
  for (size_t i = h >> 17 & (s->capacity - 1);; i = (i + 1) & (s->capacity - 1)) {
    struct law_cell *c = s->slots[i];
    if (!c) return &s->slots[i];
    if (c->law == key->law && c->part == key->part && arb_equal(c->rate, key->rate) &&
        fmpq_equal(c->low, key->low) && fmpq_equal(c->high, key->high))
      return &s->slots[i];
  }
}

static void grow(struct sampler *s) {
  struct sampler old = *s;
  s->capacity *= 2;
  s->slots = xcalloc(s->capacity, sizeof(struct law_cell *));
  for (size_t i = 0; i < old.capacity; i++)
    if (old.slots[i]) *find(s, old.slots[i]) = old.slots[i];
  free(old.slots);
}

const struct law_cell *sampler_cell(struct sampler *s, const struct law *law, const arb_t rate,
                                    enum law_part part, const fmpq_t low, const fmpq_t high) {
  struct law_cell key = {.law = law, .part = part, .rate = {*rate}, .low = {*low}, .high = {*high}};
  struct law_cell **slot = find(s, &key);
  if (*slot) return *slot;
  if (s->count == LIMIT_SAMPLER_CELLS) forget_all(s);
  if (2 * s->count >= s->capacity) grow(s);
  struct law_cell *c = xcalloc(1, sizeof *c);
  c->law = law;
  c->part = part;
  arb_init(c->rate);
  arb_set(c->rate, rate);
  fmpq_init(c->low);
  fmpq_set(c->low, low);
  fmpq_init(c->high);
  fmpq_set(c->high, high);
  c->values = _arb_vec_init(s->rule->order);
  mag_init(c->bound);
  fill(c, s->rule);
  *find(s, c) = c;
  s->count++;
  return c;
}
