/* The mass of a measure whose samples are compared in a cycle (measure.h).
 *
 * Let s be bounded below by l_1, l_2, .. and above by u_1, .., each a form in one other symbol. For
 * every choice of the greatest lower bound l and the least upper bound u, and l <= u, the mass of s
 * is F(u) - F(l): two measures without s, each with a factor for one symbol, restricted by
 * inequalities between the remaining symbols, one with negative weight. (Integers:
 * F(u) + G(l) - total, with G the mass from l on; ties are settled by strict inequalities.) The
 * choices are disjoint and cover everything but ties of real numbers. So a measure becomes a sum of
 * measures with one symbol less, until what is left is a forest. Terms that differ in their weight
 * only are added: n queries with the same law between the same two thresholds cost n + 1 terms.
 *
 * A real s bounded by a form u in several symbols has mass G(u), piecewise a sum of terms
 * c u^k e^(a u); on each piece such a term is a sum of products of functions of one symbol, so the
 * measure becomes a sum again, with the ends of the piece as inequalities about u.
 *
 * What cannot be expanded either (sums of integers) is tried value by value. */
#include <stdlib.h>

#include "check/exact/measure.h"

typedef VEC(struct measure) term_list;

static void terms_clear(term_list *list) {
  for (size_t i = 0; i < list->len; i++)
    measure_clear(&list->at[i]);
  vec_clear(list);
}

/* ---- bounds of one symbol -------------------------------------------------------------------- */

struct bounds {
  VEC(const struct affine *) constraints; /* that mention s; not owned */
  VEC(struct affine *) values;            /* what s is compared with; parallel */
};

/* From a s + rest >= 0: -rest/a. */
static struct affine *bound_value(const struct affine *form, symbol s) {
  struct affine *self = affine_symbol(s);
  const fmpq *a = affine_coefficient(form, s);
  fmpq_t factor;
  fmpq_init(factor);
  fmpq_neg(factor, a);
  struct affine *rest = affine_combine(form, factor, self);
  fmpq_inv(factor, factor);
  struct affine *value = affine_scale(rest, factor);
  fmpq_clear(factor);
  affine_unref(self);
  affine_unref(rest);
  return value;
}

/* Lower and upper bounds on s. False: some form has more than two symbols. */
static bool bounds_init(struct bounds sides[2], const struct measure *m, symbol s) {
  bool simple = true;
  sides[0] = sides[1] = (struct bounds){0};
  for (size_t i = 0; i < m->constraints.len; i++) {
    const struct affine *form = m->constraints.at[i];
    if (!affine_mentions(form, s)) continue;
    struct bounds *side = &sides[fmpq_sgn(affine_coefficient(form, s)) < 0];
    vec_push(&side->constraints, form);
    vec_push(&side->values, bound_value(form, s));
    simple = simple && form->count == 2;
  }
  return simple;
}

static void bounds_clear(struct bounds sides[2]) {
  for (int side = 0; side < 2; side++) {
    for (size_t i = 0; i < sides[side].values.len; i++)
      affine_unref(sides[side].values.at[i]);
    vec_clear(&sides[side].values);
    vec_clear(&sides[side].constraints);
  }
}

/* ---- one choice ------------------------------------------------------------------------------ */

/* Keeps the part with a - b >= 0, or > 0. False: there is none. */
static bool require_order(struct measure *m, const struct affine *a, const struct affine *b,
                          bool strictly) {
  fmpq_t minus;
  fmpq_init(minus);
  fmpq_set_si(minus, -1, 1);
  struct affine *form = affine_combine(a, minus, b);
  if (strictly) {
    struct affine *negative = affine_scale(form, minus);
    affine_unref(form);
    form = measure_complement(m, negative);
    affine_unref(negative);
  }
  fmpq_clear(minus);
  int known = measure_decide(m, form);
  if (known == 0) measure_require(m, form, false);
  affine_unref(form);
  return known >= 0 && !measure_is_zero(m);
}

/* Bound i is the tightest of its side, the first of equals. */
static bool require_tightest(struct measure *m, const struct bounds *side, size_t i, bool lower) {
  for (size_t k = 0; k < side->values.len; k++) {
    if (k == i) continue;
    const struct affine *tight = side->values.at[i], *other = side->values.at[k];
    if (!require_order(m, lower ? tight : other, lower ? other : tight, k < i)) return false;
  }
  return true;
}

/* The measure without the constraints on s. */
static void without(struct measure *out, const struct measure *m, symbol s) {
  measure_copy(out, m);
  size_t kept = 0;
  for (size_t i = 0; i < out->constraints.len; i++) {
    if (affine_mentions(out->constraints.at[i], s))
      affine_unref(out->constraints.at[i]);
    else
      out->constraints.at[kept++] = out->constraints.at[i];
  }
  out->constraints.len = kept;
}

/* ---- bounds in several symbols --------------------------------------------------------------- */

/* sign * (u - end) >= 0. */
static bool require_end(struct measure *m, const struct affine *u, const fmpq_t end, slong sign) {
  struct affine *bound = affine_constant(end);
  bool possible = sign > 0 ? require_order(m, u, bound, false) : require_order(m, bound, u, false);
  affine_unref(bound);
  return possible;
}

/* Adds weight * base * u^power e^(rate u) for u = sum of factor * symbol, from its i-th symbol on:
 * the binomial formula, symbol by symbol. */
static void add_products(term_list *out, const struct measure *base, const struct affine *u,
                         size_t i, ulong power, const fmpq_t rate, slong precision) {
  if (i == u->count) {
    if (power == 0) {
      struct measure term;
      measure_copy(&term, base);
      vec_push(out, term);
    }
    return;
  }
  fmpq_t tilt;
  arb_t factor, binomial;
  fmpq_init(tilt);
  arb_init(factor);
  arb_init(binomial);
  fmpq_mul(tilt, rate, u->terms[i].coefficient);
  for (ulong k = i + 1 == u->count ? power : 0; k <= power; k++) {
    struct measure part;
    measure_copy(&part, base);
    density_tilt(measure_density(&part, u->terms[i].symbol), k, tilt, precision);
    arb_set_fmpq(factor, u->terms[i].coefficient, precision);
    arb_pow_ui(factor, factor, k, precision);
    arb_bin_uiui(binomial, power, k, precision);
    arb_mul(factor, factor, binomial, precision);
    arb_mul(part.weight, part.weight, factor, precision);
    add_products(out, &part, u, i + 1, power - k, rate, precision);
    measure_clear(&part);
  }
  fmpq_clear(tilt);
  arb_clear(factor);
  arb_clear(binomial);
}

/* One piece of the mass G of s as a function of u. */
static void add_piece(term_list *out, const struct measure *base, const struct affine *u,
                      const struct piecewise *g, size_t i, slong precision) {
  struct measure inside;
  struct line_end low, high;
  measure_copy(&inside, base);
  line_end_init(&low, 0);
  line_end_init(&high, 0);
  piecewise_ends(g, i, &low, &high);
  bool possible = (low.side || require_end(&inside, u, low.at, 1)) &&
                  (high.side || require_end(&inside, u, high.at, -1));
  for (size_t k = 0; possible && k < g->pieces[i].count; k++) {
    const struct exppoly_term *t = &g->pieces[i].terms[k];
    struct measure part;
    measure_copy(&part, &inside);
    arb_mul(part.weight, part.weight, t->coefficient, precision);
    add_products(out, &part, u, 0, t->power, t->rate, precision);
    measure_clear(&part);
  }
  line_end_clear(&low);
  line_end_clear(&high);
  measure_clear(&inside);
}

/* s is real and has the one bound `form`, in several other symbols. */
static void add_pieces(term_list *out, const struct measure *base, symbol s,
                       const struct affine *form, slong precision) {
  struct affine *value = bound_value(form, s), *shift = affine_constant(value->constant);
  fmpq_t minus;
  fmpq_init(minus);
  fmpq_set_si(minus, -1, 1);
  struct affine *u = affine_combine(value, minus, shift);
  struct measure rest;
  struct piecewise g;
  piecewise_init(&g);
  measure_copy(&rest, base);
  if (fmpq_sgn(affine_coefficient(form, s)) > 0)
    piecewise_above(&g, &measure_density(&rest, s)->f, precision);
  else
    piecewise_below(&g, &measure_density(&rest, s)->f, precision);
  piecewise_shift(&g, &g, value->constant, precision);
  measure_drop(&rest, s);
  for (size_t i = 0; i <= g.breakpoint_count; i++)
    if (!exppoly_is_zero(&g.pieces[i])) add_piece(out, &rest, u, &g, i, precision);
  measure_clear(&rest);
  piecewise_clear(&g);
  fmpq_clear(minus);
  affine_unref(u);
  affine_unref(shift);
  affine_unref(value);
}

/* Adds the term weight * (base with s integrated over the constraints given; NULL: none). */
static const char *add_term(term_list *out, const struct measure *base, symbol s, slong weight,
                            const struct affine *first, const struct affine *second,
                            slong precision) {
  struct measure term;
  measure_copy(&term, base);
  arb_mul_si(term.weight, term.weight, weight, precision);
  const struct affine *wide = first ? first : second;
  if (wide && wide->count > 2) { /* then it is the only one */
    add_pieces(out, &term, s, wide, precision);
    measure_clear(&term);
    return NULL;
  }
  if (first) vec_push(&term.constraints, affine_ref(first));
  if (second) vec_push(&term.constraints, affine_ref(second));
  const char *why = measure_eliminate(&term, s, precision);
  if (why)
    measure_clear(&term);
  else
    vec_push(out, term);
  return why;
}

/* s between bounds that depend on different symbols. */
static const char *add_difference(term_list *out, const struct measure *base, symbol s,
                                  const struct affine *lower, const struct affine *upper,
                                  slong precision) {
  const char *why = add_term(out, base, s, 1, upper, NULL, precision);
  if (why) return why;
  if (measure_is_discrete(base, s)) {
    why = add_term(out, base, s, 1, lower, NULL, precision);
    return why ? why : add_term(out, base, s, -1, NULL, NULL, precision);
  }
  fmpq_t minus;
  fmpq_init(minus);
  fmpq_set_si(minus, -1, 1);
  struct affine *below = affine_scale(lower, minus);
  why = add_term(out, base, s, -1, below, NULL, precision);
  affine_unref(below);
  fmpq_clear(minus);
  return why;
}

static bool same_symbol(const struct affine *a, const struct affine *b) {
  return a->count == 1 && b->count == 1 && a->terms[0].symbol == b->terms[0].symbol;
}

/* The part in which lower bound i and upper bound j are the tightest. */
static const char *add_choice(term_list *out, const struct measure *m, symbol s,
                              const struct bounds sides[2], size_t i, size_t j, slong precision) {
  bool has_low = sides[0].values.len > 0, has_high = sides[1].values.len > 0;
  const struct affine *lower = has_low ? sides[0].constraints.at[i] : NULL;
  const struct affine *upper = has_high ? sides[1].constraints.at[j] : NULL;
  struct measure base;
  without(&base, m, s);
  bool possible = (!has_low || require_tightest(&base, &sides[0], i, true)) &&
                  (!has_high || require_tightest(&base, &sides[1], j, false));
  const char *why = NULL;
  if (possible && has_low && has_high &&
      !same_symbol(sides[0].values.at[i], sides[1].values.at[j])) {
    if (require_order(&base, sides[1].values.at[j], sides[0].values.at[i], false))
      why = add_difference(out, &base, s, lower, upper, precision);
  } else if (possible) {
    why = add_term(out, &base, s, 1, lower, upper, precision);
  }
  measure_clear(&base);
  return why;
}

static const char *expand(term_list *out, const struct measure *m, symbol s, slong precision) {
  struct bounds sides[2];
  bounds_init(sides, m, s);
  size_t lows = sides[0].values.len ? sides[0].values.len : 1;
  size_t highs = sides[1].values.len ? sides[1].values.len : 1;
  const char *why = NULL;
  for (size_t i = 0; !why && i < lows; i++)
    for (size_t j = 0; !why && j < highs; j++)
      why = add_choice(out, m, s, sides, i, j, precision);
  bounds_clear(sides);
  return why;
}

/* Are all samples compared with s real? (A table times e^(a x) has entries too large to be of use:
 * integers in a sum are better tried one by one.) */
static bool all_real(const struct measure *m, const struct bounds sides[2]) {
  for (int side = 0; side < 2; side++)
    for (size_t i = 0; i < sides[side].constraints.len; i++) {
      const struct affine *form = sides[side].constraints.at[i];
      for (size_t k = 0; k < form->count; k++)
        if (measure_is_discrete(m, form->terms[k].symbol)) return false;
    }
  return true;
}

/* Is s, or a sample that it is compared with, numeric? Then it can be neither tilted nor integrated
 * by parts. */
static bool is_numeric(struct measure *m, symbol s) {
  if (density_is_numeric(measure_density(m, s))) return true;
  for (size_t i = 0; i < m->constraints.len; i++) {
    const struct affine *a = m->constraints.at[i];
    for (size_t k = 0; affine_mentions(a, s) && k < a->count; k++)
      if (density_is_numeric(measure_density(m, a->terms[k].symbol))) return true;
  }
  return false;
}

/* The symbol whose expansion has the fewest choices; false: none can be expanded. */
static bool choose(struct measure *m, symbol *best) {
  size_t least = SIZE_MAX;
  for (size_t i = 0; i < m->symbols.len; i++) {
    struct bounds sides[2];
    const struct measure_symbol *s = &m->symbols.at[i];
    bool simple = bounds_init(sides, m, s->id);
    size_t lows = sides[0].values.len, highs = sides[1].values.len;
    size_t cost = (lows ? lows : 1) * (highs ? highs : 1) * (lows && highs ? 2 : 1);
    if (!simple) cost += 1000; /* sums come last */
    bool possible = simple || (all_real(m, sides) && !is_numeric(m, s->id));
    if (!measure_symbol_is_bounded(s) && possible && cost < least) {
      least = cost;
      *best = s->id;
    }
    bounds_clear(sides);
  }
  return least != SIZE_MAX;
}

/* ---- terms that are alike -------------------------------------------------------------------- */

static bool alike(const struct measure *a, const struct measure *b) {
  if (a->symbols.len != b->symbols.len || a->constraints.len != b->constraints.len) return false;
  for (size_t i = 0; i < a->constraints.len; i++)
    if (!affine_equal(a->constraints.at[i], b->constraints.at[i])) return false;
  for (size_t i = 0; i < a->symbols.len; i++)
    if (a->symbols.at[i].id != b->symbols.at[i].id ||
        measure_symbol_is_bounded(&a->symbols.at[i]) ||
        measure_symbol_is_bounded(&b->symbols.at[i]) ||
        !density_identical(&a->symbols.at[i].density, &b->symbols.at[i].density))
      return false;
  return true;
}

/* Facts are what constraints and supports say already, so that of the first will do: it was derived
 * for the same constraints and supports. */
static void join(term_list *list, slong precision) {
  size_t kept = 0;
  for (size_t i = 0; i < list->len; i++) {
    size_t k = 0;
    while (k < kept && !alike(&list->at[k], &list->at[i]))
      k++;
    if (k < kept) {
      arb_add(list->at[k].weight, list->at[k].weight, list->at[i].weight, precision);
      measure_clear(&list->at[i]);
    } else {
      list->at[kept++] = list->at[i];
    }
  }
  list->len = kept;
}

/* ---- value by value -------------------------------------------------------------------------- */

struct totals {
  slong precision;
  const struct budget *budget;
  slong cases; /* values that may still be tried */
};

static const char *total(arb_t out, struct measure *m, struct totals *t);

/* The integer sample with the shortest table, or NULL. */
static const struct measure_symbol *shortest_table(const struct measure *m) {
  const struct measure_symbol *best = NULL;
  for (size_t i = 0; i < m->symbols.len; i++) {
    const struct measure_symbol *s = &m->symbols.at[i];
    if (!s->density.is_discrete || measure_symbol_is_bounded(s)) continue;
    if (!best || s->density.count < best->density.count) best = s;
  }
  return best;
}

static const char *try_values(arb_t out, struct measure *m, struct totals *t,
                              const char *obstacle) {
  const struct measure_symbol *shortest = shortest_table(m);
  if (!shortest || (t->cases -= shortest->density.count) < 0) return obstacle;
  symbol s = shortest->id;
  struct density table;
  const char *why = measure_take(m, s, &table);
  if (why) return why;
  arb_t part;
  fmpq_t x;
  arb_init(part);
  fmpq_init(x);
  arb_zero(out);
  for (slong i = 0; !why && i < table.count; i++) {
    if (arb_is_zero(table.weights + i)) continue;
    struct measure fixed;
    measure_copy(&fixed, m);
    fmpq_set_si(x, table.low + i, 1);
    struct affine *value = affine_constant(x);
    measure_put(&fixed, s, value, table.weights + i, t->precision);
    if (!measure_is_zero(&fixed)) {
      why = total(part, &fixed, t);
      if (!why) arb_add(out, out, part, t->precision);
    }
    affine_unref(value);
    measure_clear(&fixed);
  }
  density_clear(&table);
  arb_clear(part);
  fmpq_clear(x);
  return why;
}

/* ---- the sum --------------------------------------------------------------------------------- */

/* One term: its mass is added to `out`, or what it expands into goes to `next`. */
static const char *settle(arb_t out, struct measure *m, struct totals *t, term_list *next) {
  if (measure_is_zero(m)) return NULL;
  const char *obstacle = measure_eliminate_all(m, t->precision);
  symbol s = 0;
  if (!obstacle) {
    arb_add(out, out, m->weight, t->precision);
    return NULL;
  }
  if (budget_is_spent(t->budget)) return "out of time";
  if (choose(m, &s)) return expand(next, m, s, t->precision);
  arb_t part;
  arb_init(part);
  const char *why = try_values(part, m, t, obstacle);
  if (!why) arb_add(out, out, part, t->precision);
  arb_clear(part);
  return why;
}

static const char *total(arb_t out, struct measure *m, struct totals *t) {
  term_list terms = {0};
  const char *why = NULL;
  arb_zero(out);
  why = settle(out, m, t, &terms);
  while (!why && terms.len) {
    term_list next = {0};
    for (size_t i = 0; !why && i < terms.len; i++)
      why = settle(out, &terms.at[i], t, &next);
    terms_clear(&terms);
    terms = next;
    join(&terms, t->precision);
    if (terms.len > LIMIT_MEASURE_TERMS) why = "samples are compared in cycles that are too long";
  }
  terms_clear(&terms);
  return why;
}

const char *measure_total(arb_t out, struct measure *m, slong precision,
                          const struct budget *budget) {
  struct totals t = {precision, budget, LIMIT_MEASURE_CASES};
  const char *why = total(out, m, &t);
  if (!why && !arb_is_finite(out)) why = "sums of samples whose integrals do not converge by parts";
  return why;
}
