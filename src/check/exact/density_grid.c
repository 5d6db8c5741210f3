#include "check/exact/density_grid.h"

#include <math.h>
#include <stdlib.h>

#include "base/alloc.h"

/* ---- edges ---------------------------------------------------------------------------------- */

/* The power of two at most x (of the usual size), as an exponent. */
static slong scale_below(double x) {
  int exponent;
  frexp(x, &exponent);
  return exponent - 1;
}

static void set_multiple(fmpq_t out, slong times, slong exponent) {
  fmpq_set_si(out, times, 1);
  if (exponent >= 0)
    fmpq_mul_2exp(out, out, (flint_bitcnt_t)exponent);
  else
    fmpq_div_2exp(out, out, (flint_bitcnt_t)-exponent);
}

/* Multiples of a step of at most `step` from `low` to `high`. */
static bool add_multiples(point_list *points, double low, double high, double step) {
  if (!isfinite(low) || !isfinite(high) || !isnormal(step)) return false;
  slong exponent = scale_below(step);
  double unit = ldexp(1, (int)exponent), first = floor(low / unit), last = ceil(high / unit);
  if (!(last - first <= LIMIT_GRID_CELLS) || fabs(first) > 1e15) return false;
  fmpq_t x;
  fmpq_init(x);
  for (slong k = (slong)first; k <= (slong)last; k++) {
    set_multiple(x, k, exponent);
    point_list_add(points, x);
  }
  fmpq_clear(x);
  return true;
}

static double to_double(const fmpq_t x) {
  arb_t ball;
  arb_init(ball);
  arb_set_fmpq(ball, x, 64);
  double value = arf_get_d(arb_midref(ball), ARF_RND_NEAR);
  arb_clear(ball);
  return value;
}

/* The fastest rate in f, or 0. */
static double fastest(const struct piecewise *f) {
  double most = 0;
  for (size_t i = 0; i <= f->breakpoint_count; i++)
    for (size_t k = 0; k < f->pieces[i].count; k++) {
      double rate = fabs(to_double(f->pieces[i].terms[k].rate));
      if (rate > most) most = rate;
    }
  return most;
}

/* The width of a cell on which the density changes by no more than its law, or e, allows. */
static double natural_width(const struct density *d) {
  if (d->law) return 1 / arf_get_d(arb_midref(d->rate), ARF_RND_NEAR);
  double rate = fastest(&d->f);
  return rate > 0 ? 1 / rate : HUGE_VAL;
}

/* Where an infinite end is cut: the slowest rate decides. */
static double plain_reach(const struct density *d, slong precision) {
  const struct exppoly *ends[2] = {&d->f.pieces[0], &d->f.pieces[d->f.breakpoint_count]};
  double slowest = HUGE_VAL, farthest = 0;
  for (int side = 0; side < 2; side++)
    for (size_t k = 0; k < ends[side]->count; k++)
      slowest = fmin(slowest, fabs(to_double(ends[side]->terms[k].rate)));
  for (size_t i = 0; i < d->f.breakpoint_count; i++)
    farthest = fmax(farthest, fabs(to_double(&d->f.breakpoints[i])));
  return farthest + 0.75 * (double)precision / slowest; /* 0.75 > ln 2 */
}

static void window(const struct density *d, slong precision, double ends[2]) {
  if (d->law) {
    d->law->window(ends, precision);
    for (int side = 0; side < 2; side++)
      ends[side] = to_double(d->centre) + ends[side] * natural_width(d);
  } else {
    ends[1] = plain_reach(d, precision);
    ends[0] = -ends[1];
  }
}

/* Edges of the grid of d. An infinite support is cut; a finite one has its ends among them. */
static bool choose_edges(point_list *points, const struct density *d, slong precision) {
  struct line_end low, high;
  double ends[2], width = natural_width(d);
  line_end_init(&low, 0);
  line_end_init(&high, 0);
  density_support(d, &low, &high);
  window(d, precision, ends);
  if (!low.side) ends[0] = d->law ? fmax(ends[0], to_double(low.at)) : to_double(low.at);
  if (!high.side) ends[1] = d->law ? fmin(ends[1], to_double(high.at)) : to_double(high.at);
  bool ok = true;
  if (ends[0] < ends[1] && isfinite(width)) ok = add_multiples(points, ends[0], ends[1], width);
  size_t multiples = points->len; /* the list grows */
  for (size_t i = 0; ok && i < d->f.breakpoint_count; i++)
    if (!isfinite(width) || (multiples && fmpq_cmp(&points->at[0], &d->f.breakpoints[i]) < 0 &&
                             fmpq_cmp(&d->f.breakpoints[i], &points->at[multiples - 1]) < 0))
      point_list_add(points, &d->f.breakpoints[i]);
  point_list_sort(points);
  line_end_clear(&low);
  line_end_clear(&high);
  return ok;
}

/* ---- from closed forms ---------------------------------------------------------------------- */

static void middle(fmpq_t out, const fmpq_t low, const fmpq_t high) {
  fmpq_add(out, low, high);
  fmpq_div_2exp(out, out, 1);
}

/* A piece of an exponential polynomial at the nodes of a cell, and its bound. */
static void sample_exppoly(arb_ptr values, mag_t bound, const struct exppoly *f,
                           const struct quadrature *rule, const fmpq_t low, const fmpq_t high) {
  arb_t x;
  mag_t imaginary;
  arb_init(x);
  mag_init(imaginary);
  for (slong k = 0; k < rule->order; k++) {
    cell_node(x, rule, k, low, high);
    exppoly_eval_ball(values + k, f, x, rule->precision);
  }
  cell_ellipse(x, imaginary, low, high, rule->precision);
  exppoly_bound(bound, f, x, imaginary, rule->precision);
  arb_clear(x);
  mag_clear(imaginary);
}

/* values and bound of factor * law */
static void sample_law(arb_ptr values, mag_t bound, struct sampler *sampler,
                       const struct density *d, enum law_part part, const arb_t factor,
                       const fmpq_t low, const fmpq_t high) {
  const struct quadrature *rule = sampler->rule;
  fmpq_t from, to;
  mag_t size;
  fmpq_init(from);
  fmpq_init(to);
  mag_init(size);
  fmpq_sub(from, low, d->centre);
  fmpq_sub(to, high, d->centre);
  const struct law_cell *c = sampler_cell(sampler, d->law, d->rate, part, from, to);
  if (arb_is_one(factor))
    _arb_vec_set(values, c->values, rule->order);
  else
    _arb_vec_scalar_mul(values, c->values, rule->order, factor, rule->precision);
  arb_get_mag(size, factor);
  mag_mul(bound, c->bound, size);
  fmpq_clear(from);
  fmpq_clear(to);
  mag_clear(size);
}

/* The mass of d outside of the points. */
static void outside(mag_t out, const struct density *d, const point_list *points, slong precision) {
  struct line_end low, high;
  arb_t mass;
  mag_t size;
  arb_init(mass);
  mag_init(size);
  for (size_t i = 0; i <= points->len; i += points->len ? points->len : 1) {
    point_list_ends(&low, &high, points, i);
    density_mass(mass, d, &low, &high, precision);
    arb_get_mag(size, mass);
    mag_add(out, out, size);
    line_end_clear(&low);
    line_end_clear(&high);
  }
  arb_clear(mass);
  mag_clear(size);
}

struct grid *density_to_grid(const struct density *d, struct sampler *sampler) {
  if (d->grid) return grid_ref(d->grid);
  if (density_is_zero(d)) return grid_new(sampler->rule, NULL, 0);
  point_list points = {0};
  struct grid *g = NULL;
  fmpq_t x;
  fmpq_init(x);
  if (choose_edges(&points, d, sampler->rule->precision)) {
    g = grid_new(sampler->rule, points.at, points.len);
    for (size_t i = 0; i < g->count; i++) {
      middle(x, &g->edges[i], &g->edges[i + 1]);
      const struct exppoly *f = &d->f.pieces[piecewise_find(&d->f, x)];
      if (exppoly_is_zero(f)) continue;
      if (d->law)
        sample_law(grid_cell(g, i), g->bounds + i, sampler, d, LAW_DENSITY, f->terms[0].coefficient,
                   &g->edges[i], &g->edges[i + 1]);
      else
        sample_exppoly(grid_cell(g, i), g->bounds + i, f, sampler->rule, &g->edges[i],
                       &g->edges[i + 1]);
    }
    if (g->count == 0) point_list_clear(&points);
    outside(g->lost, d, &points, sampler->rule->precision);
  }
  fmpq_clear(x);
  point_list_clear(&points);
  return g;
}

/* ---- the mass of s below or above a point ---------------------------------------------------- */

/* The pieces on which the density of s is analytic: those of d->f, or the cells of a grid with the
 * zero pieces beside them. */
struct mass {
  const struct density *s;
  struct sampler *sampler;
  struct grid *grid;       /* of s, split; or NULL */
  size_t count;            /* pieces */
  arb_ptr below, above;    /* mass of all pieces below, above */
  struct piecewise sum[2]; /* neither law nor grid: below, above */
};

static void piece_mass(arb_t out, const struct mass *m, size_t i) {
  struct line_end low, high;
  if (m->grid) {
    if (i == 0 || i + 1 == m->count)
      arb_zero(out);
    else
      grid_cell_mass(out, m->grid, i - 1);
    return;
  }
  line_end_init(&low, 0);
  line_end_init(&high, 0);
  piecewise_ends(&m->s->f, i, &low, &high);
  density_mass(out, m->s, &low, &high, m->sampler->rule->precision);
  line_end_clear(&low);
  line_end_clear(&high);
}

/* Takes the grid, which has an edge wherever the mass will be asked for; NULL: s has a law, or is an
 * exponential polynomial. */
static void mass_init(struct mass *m, const struct density *s, struct sampler *sampler,
                      struct grid *grid) {
  slong precision = sampler->rule->precision;
  arb_t t;
  *m = (struct mass){.s = s, .sampler = sampler, .grid = grid};
  m->count = grid ? grid->count + 2 : s->f.breakpoint_count + 1;
  m->below = _arb_vec_init((slong)m->count);
  m->above = _arb_vec_init((slong)m->count);
  piecewise_init(&m->sum[0]);
  piecewise_init(&m->sum[1]);
  if (!grid && !s->law) {
    piecewise_below(&m->sum[0], &s->f, precision);
    piecewise_above(&m->sum[1], &s->f, precision);
    return;
  }
  arb_init(t);
  for (size_t i = 0; i + 1 < m->count; i++) {
    piece_mass(t, m, i);
    arb_add(m->below + i + 1, m->below + i, t, precision);
  }
  for (size_t i = m->count - 1; i > 0; i--) {
    piece_mass(t, m, i);
    arb_add(m->above + i - 1, m->above + i, t, precision);
  }
  arb_clear(t);
}

static void mass_clear(struct mass *m) {
  _arb_vec_clear(m->below, (slong)m->count);
  _arb_vec_clear(m->above, (slong)m->count);
  piecewise_clear(&m->sum[0]);
  piecewise_clear(&m->sum[1]);
  grid_unref(m->grid);
}

/* The piece of the grid that holds x, which is no edge. */
static size_t grid_piece(const struct grid *g, const fmpq_t x) {
  if (!g->count) return 0;
  size_t low = 0, high = g->count + 1; /* edges below x: at least low, fewer than high + 1 */
  while (low < high) {
    size_t half = (low + high) / 2;
    if (fmpq_cmp(&g->edges[half], x) < 0)
      low = half + 1;
    else
      high = half;
  }
  return low;
}

/* In cell i - 1 of the grid: the sum up to each node. */
static void grid_part(arb_ptr values, mag_t bound, const struct mass *m, size_t i, bool above) {
  const struct grid *g = m->grid;
  struct quadrature *rule = g->rule;
  arb_t half, total;
  mag_t none;
  arb_init(half);
  arb_init(total);
  mag_init(none);
  quadrature_sums(values, rule, grid_cell(g, i - 1), g->bounds + i - 1);
  grid_half_width(half, g, i - 1);
  _arb_vec_scalar_mul(values, values, rule->order, half, rule->precision);
  if (above) {
    grid_cell_mass(total, g, i - 1);
    for (slong k = 0; k < rule->order; k++)
      arb_sub(values + k, total, values + k, rule->precision);
  }
  cell_antiderivative_bound(bound, g->bounds + i - 1, none, &g->edges[i - 1], &g->edges[i]);
  arb_clear(half);
  arb_clear(total);
  mag_clear(none);
}

/* Subtracts the law's mass beyond the end of piece i, where that is finite. */
static void law_part(arb_ptr values, mag_t bound, const struct mass *m, size_t i, bool above,
                     const fmpq_t low, const fmpq_t high) {
  const struct density *s = m->s;
  slong precision = m->sampler->rule->precision;
  const arb_struct *step = s->f.pieces[i].terms[0].coefficient;
  sample_law(values, bound, m->sampler, s, above ? LAW_ABOVE : LAW_BELOW, step, low, high);
  if (above ? i == s->f.breakpoint_count : i == 0) return;
  arb_t rest;
  mag_t size;
  arb_init(rest);
  mag_init(size);
  law_beside(rest, s->law, above, s->centre, s->rate, &s->f.breakpoints[above ? i : i - 1],
             precision);
  arb_mul(rest, rest, step, precision);
  for (slong k = 0; k < m->sampler->rule->order; k++)
    arb_sub(values + k, values + k, rest, precision);
  arb_get_mag(size, rest);
  mag_add(bound, bound, size);
  arb_clear(rest);
  mag_clear(size);
}

static bool is_cell(const struct grid *g, size_t i, const fmpq_t low, const fmpq_t high) {
  return fmpq_equal(&g->edges[i], low) && fmpq_equal(&g->edges[i + 1], high);
}

/* Nothing is known of it. */
static void give_up(arb_ptr values, mag_t bound, slong count) {
  for (slong k = 0; k < count; k++)
    arb_indeterminate(values + k);
  mag_inf(bound);
}

/* The mass of s below (above) the nodes of a cell that is inside one piece, and a bound on it in the
 * ellipse. A cell that meets cells of a grid is one of them. */
static void mass_on_cell(arb_ptr values, mag_t bound, const struct mass *m, bool above,
                         const fmpq_t low, const fmpq_t high) {
  const struct quadrature *rule = m->sampler->rule;
  fmpq_t x;
  mag_t size;
  fmpq_init(x);
  mag_init(size);
  middle(x, low, high);
  size_t i = m->grid ? grid_piece(m->grid, x) : piecewise_find(&m->s->f, x);
  bool is_zero = m->grid ? i == 0 || i + 1 == m->count : exppoly_is_zero(&m->s->f.pieces[i]);
  _arb_vec_zero(values, rule->order);
  mag_zero(bound);
  if (!m->grid && !m->s->law) {
    const struct piecewise *sum = &m->sum[above];
    sample_exppoly(values, bound, &sum->pieces[piecewise_find(sum, x)], rule, low, high);
  } else {
    if (m->grid && !is_zero && !is_cell(m->grid, i - 1, low, high))
      give_up(values, bound, rule->order);
    else if (m->grid && !is_zero)
      grid_part(values, bound, m, i, above);
    else if (!is_zero)
      law_part(values, bound, m, i, above, low, high);
    const arb_struct *rest = (above ? m->above : m->below) + i;
    if (!arb_is_zero(rest)) {
      for (slong k = 0; k < rule->order; k++)
        arb_add(values + k, values + k, rest, rule->precision);
      arb_get_mag(size, rest);
      mag_add(bound, bound, size);
    }
  }
  fmpq_clear(x);
  mag_clear(size);
}

/* ---- absorbing ------------------------------------------------------------------------------ */

/* The mass beyond one bound at the nodes of the cell low..high of x. */
static void mass_at_bound(arb_ptr values, mag_t bound, const struct mass *m,
                          const struct density_bound *b, bool above, const fmpq_t low,
                          const fmpq_t high) {
  slong order = m->sampler->rule->order;
  fmpq_t from, to;
  fmpq_init(from);
  fmpq_init(to);
  bool reversed = fmpq_sgn(b->slope) < 0;
  bound_at(from, b, reversed ? high : low);
  bound_at(to, b, reversed ? low : high);
  mass_on_cell(values, bound, m, above, from, to);
  for (slong k = 0; reversed && k < order / 2; k++) /* nodes are symmetric */
    arb_swap(values + k, values + (order - 1 - k));
  fmpq_clear(from);
  fmpq_clear(to);
}

static bool is_right_of_centre(const struct density *s, const fmpq_t x) {
  return s->law ? fmpq_cmp(x, s->centre) >= 0 : fmpq_sgn(x) >= 0;
}

/* Multiplies cell i of g by the mass of s between its bounds there; m[b] matches bounds[b]. */
static void multiply_cell(struct grid *g, size_t i, const struct mass *m,
                          const struct density_bound *bounds, size_t count) {
  const struct quadrature *rule = g->rule;
  slong n = rule->order;
  arb_ptr values = _arb_vec_init(2 * n);
  mag_t bound, other;
  fmpq_t x, low_value, high_value;
  mag_init(bound);
  mag_init(other);
  fmpq_init(x);
  fmpq_init(low_value);
  fmpq_init(high_value);
  middle(x, &g->edges[i], &g->edges[i + 1]);
  const struct density_bound *low = bound_tightest(bounds, count, true, x);
  const struct density_bound *high = bound_tightest(bounds, count, false, x);
  if (low) bound_at(low_value, low, x);
  if (high) bound_at(high_value, high, x);
  bool empty = low && high && fmpq_cmp(low_value, high_value) >= 0;
  /* counted from the nearer end, so that a tail is no difference of numbers close to 1 */
  bool above = low && (!high || is_right_of_centre(m->s, low_value));
  if (!empty) {
    const struct density_bound *near = above ? low : high, *far = above ? high : low;
    mass_at_bound(values, bound, m + (near - bounds), near, above, &g->edges[i], &g->edges[i + 1]);
    if (low && high) {
      mass_at_bound(values + n, other, m + (far - bounds), far, above, &g->edges[i],
                    &g->edges[i + 1]);
      _arb_vec_sub(values, values, values + n, n, rule->precision);
      mag_add(bound, bound, other);
    }
  }
  arb_ptr cell = grid_cell(g, i);
  for (slong k = 0; k < n; k++)
    arb_mul(cell + k, cell + k, values + k, rule->precision);
  mag_mul(g->bounds + i, g->bounds + i, bound);
  _arb_vec_clear(values, 2 * n);
  mag_clear(bound);
  mag_clear(other);
  fmpq_clear(x);
  fmpq_clear(low_value);
  fmpq_clear(high_value);
}

/* Points that cut the cells of g into parts of at most `width`. */
static bool add_fine_points(point_list *points, const struct grid *g, double width) {
  for (size_t i = 0; i < g->count; i++) {
    double parts =
        ceil((to_double(&g->edges[i + 1]) - to_double(&g->edges[i])) / width * (1 - 1e-9));
    if (!(parts <= LIMIT_GRID_CELLS)) return false;
    fmpq_t step, x;
    fmpq_init(step);
    fmpq_init(x);
    fmpq_sub(step, &g->edges[i + 1], &g->edges[i]);
    fmpz_mul_ui(fmpq_denref(step), fmpq_denref(step), parts > 1 ? (ulong)parts : 1);
    fmpq_canonicalise(step);
    fmpq_set(x, &g->edges[i]);
    for (slong k = 1; k < (slong)parts; k++) {
      fmpq_add(x, x, step);
      point_list_add(points, x);
    }
    fmpq_clear(step);
    fmpq_clear(x);
  }
  return true;
}

/* What the cells of x must be split at: where bounds cross, where s is not analytic, and so finely
 * that s is smooth on each. */
static bool add_split_points(point_list *points, const struct grid *g, const struct density *s,
                             const struct density_bound *bounds, size_t count) {
  fmpq_t x;
  fmpq_init(x);
  bool ok = true;
  const fmpq *edges = s->grid ? s->grid->edges : s->f.breakpoints;
  size_t edge_count = !s->grid ? s->f.breakpoint_count : s->grid->count ? s->grid->count + 1 : 0;
  bound_crossings(points, bounds, count);
  for (size_t b = 0; ok && b < count; b++) {
    for (size_t i = 0; i < edge_count; i++) {
      bound_preimage(x, &bounds[b], &edges[i]);
      point_list_add(points, x);
    }
    double width = s->grid ? HUGE_VAL : natural_width(s) / fabs(to_double(bounds[b].slope));
    if (isfinite(width)) ok = add_fine_points(points, g, width);
  }
  fmpq_clear(x);
  return ok;
}

/* The grid of s with the images of all edges of g under the bound among its edges. Since g has the
 * preimages of those of s, the image of a cell of g is a cell, or outside. */
static struct grid *split_to_match(const struct density *s, const struct grid *g,
                                   const struct density_bound *b) {
  point_list points = {0};
  fmpq_t x;
  fmpq_init(x);
  for (size_t i = 0; g->count && i <= g->count; i++) {
    bound_at(x, b, &g->edges[i]);
    point_list_add(&points, x);
  }
  struct grid *split = grid_split(s->grid, &points);
  fmpq_clear(x);
  point_list_clear(&points);
  return split;
}

/* What is missing in one counts with all of the other. */
static void combine_lost(struct grid *out, const struct density *stay, const struct density *s,
                         const struct grid *before) {
  arb_t mass;
  mag_t size;
  arb_init(mass);
  mag_init(size);
  density_total(mass, s, out->rule->precision);
  arb_get_mag(size, mass);
  mag_mul(out->lost, before->lost, size);
  if (s->grid && !mag_is_zero(s->grid->lost)) {
    density_total(mass, stay, out->rule->precision);
    arb_get_mag(size, mass);
    mag_addmul(out->lost, s->grid->lost, size);
  }
  arb_clear(mass);
  mag_clear(size);
}

bool density_absorb_on_grid(struct density *stay, const struct density *s,
                            const struct density_bound *bounds, size_t count) {
  struct sampler *sampler = stay->sampler ? stay->sampler : s->sampler;
  struct grid *g = density_to_grid(stay, sampler), *split = NULL;
  point_list points = {0};
  bool ok = g && add_split_points(&points, g, s, bounds, count) &&
            points.len <= 64 * (size_t)LIMIT_GRID_CELLS;
  if (ok) {
    point_list_sort(&points);
    split = grid_split(g, &points);
    ok = split->count <= LIMIT_GRID_CELLS;
  }
  if (ok) {
    struct grid *out = grid_copy(split);
    struct mass *m = xcalloc(count + 1, sizeof *m);
    for (size_t b = 0; b < count; b++)
      mass_init(&m[b], s, sampler, s->grid ? split_to_match(s, split, &bounds[b]) : NULL);
    for (size_t i = 0; i < out->count; i++)
      multiply_cell(out, i, m, bounds, count);
    combine_lost(out, stay, s, split);
    for (size_t b = 0; b < count; b++)
      mass_clear(&m[b]);
    free(m);
    density_set_grid(stay, out, sampler);
  }
  point_list_clear(&points);
  grid_unref(g);
  grid_unref(split);
  return ok;
}
