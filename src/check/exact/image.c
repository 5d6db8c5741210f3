/* What functions of samples need to know about a measure: bounds, cut tails, logarithms. */
#include "check/exact/measure.h"

static const struct measure_symbol *symbol_of(const struct measure *m, symbol s) {
  for (size_t i = 0; i < m->symbols.len; i++)
    if (m->symbols.at[i].id == s) return &m->symbols.at[i];
  return NULL;
}

bool measure_moves(const struct measure *m, const struct affine *a) {
  for (size_t i = 0; i < a->count; i++) {
    const struct measure_symbol *s = symbol_of(m, a->terms[i].symbol);
    if (!s || s->moves) return true;
  }
  return false;
}

/* ---- bounds --------------------------------------------------------------------------------- */

/* Adds coefficient * (low..high) of one sample to the bounds. False: an end is infinite. */
static bool add_support(const struct measure_symbol *s, const fmpq_t coefficient, fmpq_t low,
                        fmpq_t high) {
  struct line_end ends[2];
  line_end_init(&ends[0], 0);
  line_end_init(&ends[1], 0);
  density_support(&s->density, &ends[0], &ends[1]);
  bool finite = ends[0].side == 0 && ends[1].side == 0, falling = fmpq_sgn(coefficient) < 0;
  if (finite) {
    fmpq_addmul(low, coefficient, ends[falling].at);
    fmpq_addmul(high, coefficient, ends[!falling].at);
  }
  line_end_clear(&ends[0]);
  line_end_clear(&ends[1]);
  return finite;
}

/* Is fact = factor * a + a constant, for some factor? */
static bool is_multiple(const struct affine *fact, const struct affine *a, fmpq_t factor) {
  if (fact->count != a->count || !a->count) return false;
  fmpq_t product;
  fmpq_init(product);
  fmpq_div(factor, fact->terms[0].coefficient, a->terms[0].coefficient);
  bool same = true;
  for (size_t i = 0; same && i < a->count; i++) {
    fmpq_mul(product, factor, a->terms[i].coefficient);
    same = fact->terms[i].symbol == a->terms[i].symbol &&
           fmpq_equal(product, fact->terms[i].coefficient);
  }
  fmpq_clear(product);
  return same;
}

/* factor * (a - a0) + c >= 0 bounds a by a0 - c/factor, from below if the factor is positive. */
static void use_fact(const struct affine *fact, const struct affine *a, fmpq_t low, fmpq_t high) {
  fmpq_t factor, bound;
  fmpq_init(factor);
  fmpq_init(bound);
  if (is_multiple(fact, a, factor)) {
    fmpq_div(bound, fact->constant, factor);
    fmpq_sub(bound, a->constant, bound);
    if (fmpq_sgn(factor) > 0 && fmpq_cmp(bound, low) > 0) fmpq_set(low, bound);
    if (fmpq_sgn(factor) < 0 && fmpq_cmp(bound, high) < 0) fmpq_set(high, bound);
  }
  fmpq_clear(factor);
  fmpq_clear(bound);
}

bool measure_bounds(const struct measure *m, const struct affine *a, fmpq_t low, fmpq_t high,
                    symbol *unbounded) {
  fmpq_set(low, a->constant);
  fmpq_set(high, a->constant);
  for (size_t i = 0; i < a->count; i++) {
    *unbounded = a->terms[i].symbol;
    if (!add_support(symbol_of(m, *unbounded), a->terms[i].coefficient, low, high)) return false;
  }
  for (size_t i = 0; i < m->facts.len; i++)
    use_fact(m->facts.at[i], a, low, high);
  return true;
}

/* ---- tails ---------------------------------------------------------------------------------- */

/* The mass outside of -t..t. */
static void tail(arb_t out, const struct density *d, slong t, slong precision) {
  fmpq_t slope, offset;
  arb_t mass;
  arb_init(mass);
  fmpq_init(slope);
  fmpq_init(offset);
  fmpq_set_si(offset, -t, 1);
  arb_zero(out);
  for (slong sign = -1; sign <= 1; sign += 2) { /* sign * x >= t */
    struct density beyond;
    density_init_continuous(&beyond);
    density_set(&beyond, d);
    fmpq_set_si(slope, sign, 1);
    density_restrict(&beyond, slope, offset);
    density_total(mass, &beyond, precision);
    arb_add(out, out, mass, precision);
    density_clear(&beyond);
  }
  arb_clear(mass);
  fmpq_clear(slope);
  fmpq_clear(offset);
}

void measure_at_most(arb_t out, const struct measure *m, slong precision) {
  arb_t mass;
  arb_init(mass);
  arb_set(out, m->weight);
  for (size_t i = 0; i < m->symbols.len; i++) {
    density_total(mass, &m->symbols.at[i].density, precision);
    arb_mul(out, out, mass, precision);
  }
  arb_clear(mass);
}

void measure_cut(struct measure *m, symbol s, slong bits, arb_t cut, slong precision) {
  struct density *d = measure_density(m, s);
  arb_t least, total;
  fmpq_t slope, offset;
  arb_init(least);
  arb_init(total);
  fmpq_init(slope);
  fmpq_init(offset);
  arb_one(least);
  arb_mul_2exp_si(least, least, -bits);
  slong t = 1;
  for (tail(cut, d, t, precision); t < LIMIT_MEASURE_CASES && !arb_lt(cut, least);
       tail(cut, d, t, precision))
    t += t / 4 + 1;
  fmpq_set_si(offset, t, 1);
  for (slong sign = -1; sign <= 1; sign += 2) {
    fmpq_set_si(slope, sign, 1);
    density_restrict(d, slope, offset);
  }
  density_forget_lost(d);                  /* it is in both tails, so in the cut */
  arb_mul(cut, cut, m->weight, precision); /* the tails of s with all of the others */
  for (size_t i = 0; i < m->symbols.len; i++) {
    if (m->symbols.at[i].id == s) continue;
    density_total(total, &m->symbols.at[i].density, precision);
    arb_mul(cut, cut, total, precision);
  }
  arb_clear(least);
  arb_clear(total);
  fmpq_clear(slope);
  fmpq_clear(offset);
}

/* ---- logarithms ----------------------------------------------------------------------------- */

bool measure_is_uniform(const struct measure *m, const struct affine *a) {
  if (a->count != 1) return false;
  const struct measure_symbol *s = symbol_of(m, a->terms[0].symbol);
  if (!s || s->moves || measure_symbol_is_bounded(s) || !density_is_flat(&s->density)) return false;
  for (size_t i = 0; i < m->constraints.len; i++)
    if (affine_mentions(m->constraints.at[i], s->id)) return false;
  fmpq_t low, high;
  fmpq_init(low);
  fmpq_init(high);
  fmpq_set(low, a->constant);
  fmpq_set(high, a->constant);
  bool fits =
      add_support(s, a->terms[0].coefficient, low, high) && fmpq_is_zero(low) && fmpq_is_one(high);
  fmpq_clear(low);
  fmpq_clear(high);
  return fits;
}

void measure_take_log(struct measure *m, const struct affine *a, symbol fresh, slong precision) {
  symbol s = a->terms[0].symbol;
  struct density noise;
  arb_t mass;
  fmpq_t zero, one;
  arb_init(mass);
  fmpq_init(zero);
  fmpq_init(one);
  fmpq_one(one);
  density_total(mass, measure_density(m, s), precision);
  arb_mul(m->weight, m->weight, mass, precision);
  density_init_continuous(&noise);
  piecewise_set_exponential(&noise.f, zero, one, precision);
  measure_drop(m, s);
  measure_add_symbol(m, fresh, &noise);
  fmpq_neg(one, one);
  struct affine *sample = affine_symbol(fresh);
  vec_push(&m->logs, (struct measure_log){affine_ref(a), affine_scale(sample, one)});
  affine_unref(sample);
  arb_clear(mass);
  fmpq_clear(zero);
  fmpq_clear(one);
}

struct affine *measure_log(const struct measure *m, const struct affine *a) {
  for (size_t i = 0; i < m->logs.len; i++)
    if (affine_equal(m->logs.at[i].of, a) && measure_knows(m, m->logs.at[i].is))
      return affine_ref(m->logs.at[i].is);
  return NULL;
}
