#include "check/exact/density.h"

#include <stdlib.h>

#include "base/vec.h"
#include "check/exact/density_grid.h"
#include "num/real/ball.h"
#include "num/real/piecewise_affine.h"

void density_init_continuous(struct density *d) {
  *d = (struct density){.is_discrete = false};
  piecewise_init(&d->f);
}

void density_init_law(struct density *d, const struct law *law, const fmpq_t centre,
                      const arb_t rate, struct sampler *sampler) {
  fmpq_t one;
  fmpq_init(one);
  fmpq_one(one);
  density_init_continuous(d);
  piecewise_set_constant(&d->f, one, 2);
  d->law = law;
  d->sampler = sampler_ref(sampler);
  fmpq_init(d->centre);
  fmpq_set(d->centre, centre);
  arb_init(d->rate);
  arb_set(d->rate, rate);
  fmpq_clear(one);
}

void density_init_discrete(struct density *d, slong low, slong count) {
  *d = (struct density){.is_discrete = true, .low = low, .count = count};
  d->weights = _arb_vec_init(count);
}

void density_clear(struct density *d) {
  if (d->is_discrete)
    _arb_vec_clear(d->weights, d->count);
  else
    piecewise_clear(&d->f);
  if (d->law) {
    fmpq_clear(d->centre);
    arb_clear(d->rate);
  }
  grid_unref(d->grid);
  sampler_unref(d->sampler);
  *d = (struct density){0};
}

void density_set_grid(struct density *d, struct grid *grid, struct sampler *sampler) {
  sampler_ref(sampler);
  density_clear(d);
  density_init_continuous(d);
  d->grid = grid;
  d->sampler = sampler;
}

void density_set(struct density *to, const struct density *from) {
  if (from->grid) {
    density_set_grid(to, grid_ref(from->grid), from->sampler);
    return;
  }
  density_clear(to);
  if (from->is_discrete) {
    density_init_discrete(to, from->low, from->count);
    _arb_vec_set(to->weights, from->weights, from->count);
  } else {
    if (from->law)
      density_init_law(to, from->law, from->centre, from->rate, from->sampler);
    else
      density_init_continuous(to);
    piecewise_set(&to->f, &from->f);
  }
}

bool density_is_zero(const struct density *d) {
  if (d->grid) return d->grid->count == 0 && mag_is_zero(d->grid->lost);
  return d->is_discrete ? _arb_vec_is_zero(d->weights, d->count) : piecewise_is_zero(&d->f);
}

bool density_same_kind(const struct density *d, const struct density *e) {
  if (d->is_discrete != e->is_discrete || d->law != e->law || !d->grid != !e->grid) return false;
  return !d->law || (fmpq_equal(d->centre, e->centre) && arb_equal(d->rate, e->rate));
}

bool density_is_numeric(const struct density *d) {
  return d->law || d->grid;
}

bool density_identical(const struct density *d, const struct density *e) {
  if (!density_same_kind(d, e)) return false;
  if (d->grid) return grid_identical(d->grid, e->grid);
  if (!d->is_discrete) return piecewise_identical(&d->f, &e->f);
  if (d->low != e->low || d->count != e->count) return false;
  for (slong i = 0; i < d->count; i++)
    if (!arb_equal(d->weights + i, e->weights + i)) return false;
  return true;
}

/* Steps times the law, step by step. */
static void law_integral(arb_t out, const struct density *d, const struct line_end *low,
                         const struct line_end *high, slong precision) {
  struct piecewise inside;
  struct line_end from, to;
  arb_t mass;
  piecewise_init(&inside);
  line_end_init(&from, 0);
  line_end_init(&to, 0);
  arb_init(mass);
  arb_zero(out);
  piecewise_restrict(&inside, &d->f, low, high);
  for (size_t i = 0; i <= inside.breakpoint_count; i++) {
    const struct exppoly *step = &inside.pieces[i];
    if (exppoly_is_zero(step)) continue;
    piecewise_ends(&inside, i, &from, &to);
    law_between(mass, d->law, d->centre, d->rate, &from, &to, precision);
    bool constant = step->count == 1 && !step->terms[0].power && fmpq_is_zero(step->terms[0].rate);
    if (!constant) arb_indeterminate(mass); /* nobody makes such a density */
    arb_addmul(out, mass, step->terms[0].coefficient, precision);
  }
  piecewise_clear(&inside);
  line_end_clear(&from);
  line_end_clear(&to);
  arb_clear(mass);
}

void density_mass(arb_t out, const struct density *d, const struct line_end *low,
                  const struct line_end *high, slong precision) {
  if (d->grid) {
    struct grid *inside = grid_restrict(d->grid, low, high);
    grid_total(out, inside);
    grid_unref(inside);
  } else if (d->law)
    law_integral(out, d, low, high, precision);
  else
    piecewise_integral(out, &d->f, low, high, precision);
}

void density_total(arb_t out, const struct density *d, slong precision) {
  if (!d->is_discrete) {
    struct line_end low, high;
    line_end_init(&low, -1);
    line_end_init(&high, 1);
    density_mass(out, d, &low, &high, precision);
    line_end_clear(&low);
    line_end_clear(&high);
    return;
  }
  arb_zero(out);
  for (slong i = 0; i < d->count; i++)
    arb_add(out, out, d->weights + i, precision);
}

/* The grid, which is taken over, in the place of that of d. */
static void replace_grid(struct density *d, struct grid *grid) {
  grid_unref(d->grid);
  d->grid = grid;
}

void density_scale(struct density *d, const arb_t factor, slong precision) {
  if (d->is_discrete)
    _arb_vec_scalar_mul(d->weights, d->weights, d->count, factor, precision);
  else if (d->grid)
    replace_grid(d, grid_scale(d->grid, factor));
  else
    piecewise_scale(&d->f, &d->f, factor, precision);
}

/* The table as if it reached from `low` for `count` entries; new entries are 0. */
static void widen(struct density *d, slong low, slong count) {
  if (low == d->low && count == d->count) return;
  struct density wide;
  density_init_discrete(&wide, low, count);
  for (slong i = 0; i < d->count; i++)
    arb_swap(wide.weights + (d->low - low) + i, d->weights + i);
  density_clear(d);
  *d = wide;
}

void density_add(struct density *d, const struct density *e, slong precision) {
  if (d->grid) {
    replace_grid(d, grid_add(d->grid, e->grid));
    return;
  }
  if (!d->is_discrete) {
    piecewise_add(&d->f, &d->f, &e->f, precision);
    return;
  }
  if (!e->count) return;
  slong low = d->count && d->low < e->low ? d->low : e->low;
  slong end =
      d->count && d->low + d->count > e->low + e->count ? d->low + d->count : e->low + e->count;
  widen(d, low, end - low);
  for (slong i = 0; i < e->count; i++) {
    arb_ptr w = d->weights + (e->low - low) + i;
    arb_add(w, w, e->weights + i, precision);
  }
}

void density_tilt(struct density *d, ulong power, const fmpq_t rate, slong precision) {
  struct exppoly factor;
  arb_t value;
  exppoly_init(&factor);
  arb_init(value);
  arb_one(value);
  exppoly_add_term(&factor, value, power, rate, precision);
  if (d->is_discrete) {
    fmpq_t x;
    fmpq_init(x);
    for (slong i = 0; i < d->count; i++) {
      fmpq_set_si(x, d->low + i, 1);
      exppoly_eval(value, &factor, x, precision);
      arb_mul(d->weights + i, d->weights + i, value, precision);
    }
    fmpq_clear(x);
  } else {
    struct piecewise everywhere;
    piecewise_init(&everywhere);
    piecewise_set_exppoly(&everywhere, &factor);
    piecewise_mul(&d->f, &d->f, &everywhere, precision);
    piecewise_clear(&everywhere);
  }
  exppoly_clear(&factor);
  arb_clear(value);
}

void density_restrict(struct density *d, const fmpq_t slope, const fmpq_t offset) {
  fmpq_t at;
  fmpq_init(at);
  fmpq_div(at, offset, slope);
  fmpq_neg(at, at);
  bool above = fmpq_sgn(slope) > 0;
  if (!d->is_discrete) {
    struct line_end bound, infinite;
    line_end_init_at(&bound, at);
    line_end_init(&infinite, above ? 1 : -1);
    const struct line_end *low = above ? &bound : &infinite, *high = above ? &infinite : &bound;
    if (d->grid)
      replace_grid(d, grid_restrict(d->grid, low, high));
    else
      piecewise_restrict(&d->f, &d->f, low, high);
    line_end_clear(&bound);
    line_end_clear(&infinite);
  } else {
    fmpq_t x;
    fmpq_init(x);
    for (slong i = 0; i < d->count; i++) {
      fmpq_set_si(x, d->low + i, 1);
      int side = fmpq_cmp(x, at);
      if (above ? side < 0 : side > 0) arb_zero(d->weights + i);
    }
    fmpq_clear(x);
  }
  fmpq_clear(at);
}

/* Mass of {x >= at} or {x <= at}. */
static void mass_beyond(arb_t out, const struct density *d, const fmpq_t at, bool above,
                        slong precision) {
  struct line_end bound, infinite;
  line_end_init_at(&bound, at);
  line_end_init(&infinite, above ? 1 : -1);
  density_mass(out, d, above ? &bound : &infinite, above ? &infinite : &bound, precision);
  line_end_clear(&bound);
  line_end_clear(&infinite);
}

bool density_mass_beyond(arb_t out, const struct density *d, struct creal *bound, bool above,
                         slong precision) {
  if (d->is_discrete) {
    fmpz_t whole;
    fmpz_init(whole);
    bool decided = creal_floor(whole, bound);
    arb_zero(out);
    for (slong i = 0; decided && i < d->count; i++) {
      bool greater = fmpz_cmp_si(whole, d->low + i) < 0; /* x > floor(bound): above the bound */
      if (greater == above) arb_add(out, out, d->weights + i, precision);
    }
    fmpz_clear(whole);
    return decided;
  }
  /* Monotone in the bound: the masses at both ends of its enclosure enclose the mass. */
  fmpq_t end;
  arb_t other;
  fmpq_init(end);
  arb_init(other);
  const arb_struct *ball = creal_ball(bound, precision);
  bool decided = ball_lower(end, ball);
  if (decided) mass_beyond(out, d, end, above, precision);
  decided = decided && ball_upper(end, ball);
  if (decided) {
    mass_beyond(other, d, end, above, precision);
    arb_union(out, out, other, precision);
  }
  fmpq_clear(end);
  arb_clear(other);
  return decided;
}

/* Index of an integer point in the table, or -1. */
static slong table_index(const struct density *d, const fmpq_t x) {
  if (!fmpz_is_one(fmpq_denref(x)) || !fmpz_fits_si(fmpq_numref(x))) return -1;
  slong v = fmpz_get_si(fmpq_numref(x));
  return v >= d->low && v < d->low + d->count ? v - d->low : -1;
}

void density_support(const struct density *d, struct line_end *low, struct line_end *high) {
  if (d->grid) {
    bool cut = mag_is_zero(d->grid->lost) && d->grid->count;
    low->side = cut ? 0 : -1;
    high->side = cut ? 0 : 1;
    if (cut) {
      fmpq_set(low->at, &d->grid->edges[0]);
      fmpq_set(high->at, &d->grid->edges[d->grid->count]);
    }
    return;
  }
  size_t first = 0, last = d->f.breakpoint_count;
  struct line_end unused;
  while (first < last && exppoly_is_zero(&d->f.pieces[first]))
    first++;
  while (last > first && exppoly_is_zero(&d->f.pieces[last]))
    last--;
  line_end_init(&unused, 0);
  piecewise_ends(&d->f, first, low, &unused);
  piecewise_ends(&d->f, last, &unused, high);
  line_end_clear(&unused);
}

void density_forget_lost(struct density *d) {
  if (!d->grid) return;
  struct grid *cut = grid_copy(d->grid);
  mag_zero(cut->lost);
  replace_grid(d, cut);
}

bool density_is_flat(const struct density *d) {
  size_t pieces = 0;
  for (size_t i = 0; !d->is_discrete && !density_is_numeric(d) && i <= d->f.breakpoint_count; i++) {
    const struct exppoly *piece = &d->f.pieces[i];
    if (exppoly_is_zero(piece)) continue;
    if (piece->count != 1 || piece->terms[0].power || !fmpq_is_zero(piece->terms[0].rate))
      return false;
    pieces++;
  }
  return pieces == 1;
}

void density_at(arb_t out, const struct density *d, const fmpq_t x, slong precision) {
  if (!d->is_discrete) {
    piecewise_eval_hull(out, &d->f, x, precision);
    if (d->law) {
      arb_t at;
      arb_init(at);
      law_at(at, d->law, d->centre, d->rate, x, precision);
      arb_mul(out, out, at, precision);
      arb_clear(at);
    }
    return;
  }
  slong i = table_index(d, x);
  if (i < 0)
    arb_zero(out);
  else
    arb_set(out, d->weights + i);
}

void density_blur(struct density *d, const fmpq_t slope, const fmpq_t offset, slong precision) {
  fmpq_t at;
  arb_t zero;
  fmpq_init(at);
  arb_init(zero);
  fmpq_div(at, offset, slope);
  fmpq_neg(at, at);
  slong i = table_index(d, at);
  if (i >= 0) arb_union(d->weights + i, d->weights + i, zero, precision);
  fmpq_clear(at);
  arb_clear(zero);
}

/* ---- integrating one symbol out ------------------------------------------------------------- */

/* Cumulative masses of s, computed once. */
struct cumulative {
  struct piecewise below, above;
};

static void compose_bound(struct piecewise *out, const struct piecewise *f,
                          const struct density_bound *b, slong precision) {
  piecewise_compose(out, f, b->slope, b->offset, precision);
}

static bool is_finite(const struct piecewise *f) {
  for (size_t i = 0; i <= f->breakpoint_count; i++)
    for (size_t k = 0; k < f->pieces[i].count; k++)
      if (!arb_is_finite(f->pieces[i].terms[k].coefficient)) return false;
  return true;
}

/* Mass of s between the bounds as a function of x, valid where these two are the tightest. A
 * density that was tilted (density_tilt) may have infinite mass on one side: then it is counted
 * from the other. */
static void mass_between(struct piecewise *out, const struct cumulative *s,
                         const struct density_bound *low, const struct density_bound *high,
                         slong precision) {
  if (low && high) {
    struct piecewise other;
    bool from_below = is_finite(&s->below);
    piecewise_init(&other);
    compose_bound(&other, from_below ? &s->below : &s->above, from_below ? low : high, precision);
    compose_bound(out, from_below ? &s->below : &s->above, from_below ? high : low, precision);
    piecewise_sub(out, out, &other, precision);
    piecewise_clear(&other);
  } else if (low) {
    compose_bound(out, &s->above, low, precision);
  } else {
    compose_bound(out, &s->below, high, precision);
  }
}

/* Adds to `total` the mass function of s on one interval of x. */
static void add_interval(struct piecewise *total, const struct cumulative *s,
                         const struct density_bound *bounds, size_t count, const point_list *points,
                         size_t i, slong precision) {
  fmpq_t x, low_value, high_value;
  fmpq_init(x);
  fmpq_init(low_value);
  fmpq_init(high_value);
  point_list_inner(x, points, i);
  const struct density_bound *low = bound_tightest(bounds, count, true, x);
  const struct density_bound *high = bound_tightest(bounds, count, false, x);
  if (low) bound_at(low_value, low, x);
  if (high) bound_at(high_value, high, x);
  if (!low || !high || fmpq_cmp(low_value, high_value) < 0) {
    struct piecewise part;
    struct line_end from, to;
    piecewise_init(&part);
    point_list_ends(&from, &to, points, i);
    mass_between(&part, s, low, high, precision);
    piecewise_restrict(&part, &part, &from, &to);
    piecewise_add(total, total, &part, precision);
    line_end_clear(&from);
    line_end_clear(&to);
    piecewise_clear(&part);
  }
  fmpq_clear(x);
  fmpq_clear(low_value);
  fmpq_clear(high_value);
}

/* Both continuous. Cost: a composition of the cumulative function per interval. */
static void absorb_continuous(struct density *stay, const struct density *s,
                              const struct density_bound *bounds, size_t count, slong precision) {
  struct cumulative c;
  struct piecewise mass;
  point_list points = {0};
  piecewise_init(&c.below);
  piecewise_init(&c.above);
  piecewise_init(&mass);
  piecewise_below(&c.below, &s->f, precision);
  piecewise_above(&c.above, &s->f, precision);
  bound_crossings(&points, bounds, count);
  for (size_t i = 0; i <= points.len; i++)
    add_interval(&mass, &c, bounds, count, &points, i, precision);
  piecewise_mul(&stay->f, &stay->f, &mass, precision);
  point_list_clear(&points);
  piecewise_clear(&c.below);
  piecewise_clear(&c.above);
  piecewise_clear(&mass);
}

/* Mass of s between two numbers (either may be missing). */
static void mass_of_range(arb_t out, const struct density *s, const fmpq *low, const fmpq *high,
                          slong precision) {
  struct line_end from, to;
  if (low)
    line_end_init_at(&from, low);
  else
    line_end_init(&from, -1);
  if (high)
    line_end_init_at(&to, high);
  else
    line_end_init(&to, 1);
  density_mass(out, s, &from, &to, precision);
  line_end_clear(&from);
  line_end_clear(&to);
}

/* sums[i] = weight of the first i entries; the mass of a range is a difference of two. */
static arb_ptr prefix_sums(const struct density *s, slong precision) {
  arb_ptr sums = _arb_vec_init(s->count + 1);
  for (slong i = 0; i < s->count; i++)
    arb_add(sums + i + 1, sums + i, s->weights + i, precision);
  return sums;
}

/* Number of table entries below (<) the bound, or up to and including it (<=). */
static slong entries_below(const struct density *s, const fmpq_t bound, bool including) {
  fmpz_t z;
  fmpz_init(z);
  if (including)
    fmpz_fdiv_q(z, fmpq_numref(bound), fmpq_denref(bound)), fmpz_add_ui(z, z, 1);
  else
    fmpz_cdiv_q(z, fmpq_numref(bound), fmpq_denref(bound));
  fmpz_sub_si(z, z, s->low);
  slong n = fmpz_sgn(z) < 0 ? 0 : fmpz_cmp_si(z, s->count) > 0 ? s->count : fmpz_get_si(z);
  fmpz_clear(z);
  return n;
}

static void mass_of_table(arb_t out, const struct density *s, arb_srcptr sums, const fmpq *low,
                          const fmpq *high, slong precision) {
  slong from = low ? entries_below(s, low, false) : 0;
  slong to = high ? entries_below(s, high, true) : s->count;
  if (from >= to)
    arb_zero(out);
  else
    arb_sub(out, sums + to, sums + from, precision);
}

/* stay is a table: the mass of s at each of its points. */
static void absorb_into_table(struct density *stay, const struct density *s,
                              const struct density_bound *bounds, size_t count, slong precision) {
  arb_ptr sums = s->is_discrete ? prefix_sums(s, precision) : NULL;
  fmpq_t x, low_value, high_value;
  arb_t mass;
  fmpq_init(x);
  fmpq_init(low_value);
  fmpq_init(high_value);
  arb_init(mass);
  for (slong i = 0; i < stay->count; i++) {
    if (arb_is_zero(stay->weights + i)) continue;
    fmpq_set_si(x, stay->low + i, 1);
    const struct density_bound *low = bound_tightest(bounds, count, true, x);
    const struct density_bound *high = bound_tightest(bounds, count, false, x);
    if (low) bound_at(low_value, low, x);
    if (high) bound_at(high_value, high, x);
    if (low && high && fmpq_cmp(low_value, high_value) > 0)
      arb_zero(mass);
    else if (s->is_discrete)
      mass_of_table(mass, s, sums, low ? low_value : NULL, high ? high_value : NULL, precision);
    else
      mass_of_range(mass, s, low ? low_value : NULL, high ? high_value : NULL, precision);
    arb_mul(stay->weights + i, stay->weights + i, mass, precision);
  }
  if (sums) _arb_vec_clear(sums, s->count + 1);
  fmpq_clear(x);
  fmpq_clear(low_value);
  fmpq_clear(high_value);
  arb_clear(mass);
}

/* The x at which a bound is an integer of the table or next to it: between them its ceiling and
 * floor, as far as the table goes, do not change. */
static void integer_points(point_list *points, const struct density *s,
                           const struct density_bound *bounds, size_t count) {
  fmpq_t k;
  fmpq_init(k);
  for (size_t b = 0; b < count; b++)
    for (slong i = 0; i < s->count; i++) {
      fmpq_set_si(k, s->low + i, 1);
      bound_preimage(k, &bounds[b], k);
      point_list_add(points, k);
    }
  fmpq_clear(k);
  point_list_sort(points);
}

/* s is a table, x is real: the mass of s within the bounds is a step function of x. */
static void absorb_table(struct density *stay, const struct density *s,
                         const struct density_bound *bounds, size_t count, slong precision) {
  point_list points = {0};
  integer_points(&points, s, bounds, count);
  arb_ptr sums = prefix_sums(s, precision), values = _arb_vec_init((slong)points.len + 1);
  fmpq_t x, low_value, high_value;
  fmpq_init(x);
  fmpq_init(low_value);
  fmpq_init(high_value);
  for (size_t i = 0; i <= points.len; i++) {
    point_list_inner(x, &points, i);
    const struct density_bound *low = bound_tightest(bounds, count, true, x);
    const struct density_bound *high = bound_tightest(bounds, count, false, x);
    if (low) bound_at(low_value, low, x);
    if (high) bound_at(high_value, high, x);
    mass_of_table(values + i, s, sums, low ? low_value : NULL, high ? high_value : NULL, precision);
  }
  struct piecewise mass;
  piecewise_init(&mass);
  piecewise_set_steps(&mass, points.at, points.len, values, precision);
  piecewise_mul(&stay->f, &stay->f, &mass, precision);
  piecewise_clear(&mass);
  _arb_vec_clear(values, (slong)points.len + 1);
  _arb_vec_clear(sums, s->count + 1);
  point_list_clear(&points);
  fmpq_clear(x);
  fmpq_clear(low_value);
  fmpq_clear(high_value);
}

bool density_absorb(struct density *stay, const struct density *s,
                    const struct density_bound *bounds, size_t count, slong precision) {
  if (!stay->is_discrete && !s->is_discrete && (density_is_numeric(stay) || density_is_numeric(s)))
    return density_absorb_on_grid(stay, s, bounds, count);
  if (stay->grid) return false; /* by an integer sample: its steps are not among the edges */
  if (stay->is_discrete)
    absorb_into_table(stay, s, bounds, count, precision);
  else if (!s->is_discrete)
    absorb_continuous(stay, s, bounds, count, precision);
  else
    absorb_table(stay, s, bounds, count, precision);
  return true;
}

bool density_absorb_point(struct density *stay, const struct density *s, const fmpq_t slope,
                          const fmpq_t offset, slong precision) {
  if (stay->is_discrete) {
    fmpq_t x;
    arb_t value;
    fmpq_init(x);
    arb_init(value);
    for (slong i = 0; i < stay->count; i++) {
      fmpq_set_si(x, stay->low + i, 1);
      fmpq_mul(x, x, slope);
      fmpq_add(x, x, offset);
      density_at(value, s, x, precision);
      arb_mul(stay->weights + i, stay->weights + i, value, precision);
    }
    fmpq_clear(x);
    arb_clear(value);
    return true;
  }
  if (s->is_discrete) return false;
  struct piecewise g;
  piecewise_init(&g);
  piecewise_compose(&g, &s->f, slope, offset, precision);
  piecewise_mul(&stay->f, &stay->f, &g, precision);
  piecewise_clear(&g);
  return true;
}
