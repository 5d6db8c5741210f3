#include "check/exact/grid.h"

#include <stdlib.h>

#include "base/alloc.h"

struct grid *grid_new(struct quadrature *rule, const fmpq *edges, size_t points) {
  struct grid *g = xcalloc(1, sizeof *g);
  g->refs = 1;
  g->rule = quadrature_ref(rule);
  g->count = points > 1 ? points - 1 : 0;
  g->edges = xcalloc(g->count + 1, sizeof *g->edges);
  for (size_t i = 0; i <= g->count; i++) {
    fmpq_init(&g->edges[i]);
    if (g->count) fmpq_set(&g->edges[i], &edges[i]);
  }
  g->values = _arb_vec_init((slong)g->count * rule->order);
  g->bounds = _mag_vec_init((slong)g->count);
  mag_init(g->lost);
  return g;
}

struct grid *grid_ref(struct grid *g) {
  g->refs++;
  return g;
}

void grid_unref(struct grid *g) {
  if (!g || --g->refs) return;
  for (size_t i = 0; i <= g->count; i++)
    fmpq_clear(&g->edges[i]);
  free(g->edges);
  _arb_vec_clear(g->values, (slong)g->count * g->rule->order);
  _mag_vec_clear(g->bounds, (slong)g->count);
  mag_clear(g->lost);
  quadrature_unref(g->rule);
  free(g);
}

arb_ptr grid_cell(const struct grid *g, size_t cell) {
  return g->values + (slong)cell * g->rule->order;
}

void grid_half_width(arb_t out, const struct grid *g, size_t cell) {
  fmpq_t width;
  fmpq_init(width);
  fmpq_sub(width, &g->edges[cell + 1], &g->edges[cell]);
  arb_set_fmpq(out, width, g->rule->precision);
  arb_mul_2exp_si(out, out, -1);
  fmpq_clear(width);
}

bool grid_identical(const struct grid *a, const struct grid *b) {
  if (a == b) return true;
  if (a->rule != b->rule || a->count != b->count || !mag_equal(a->lost, b->lost)) return false;
  for (size_t i = 0; i <= a->count; i++)
    if (!fmpq_equal(&a->edges[i], &b->edges[i])) return false;
  for (slong i = 0; i < (slong)a->count * a->rule->order; i++)
    if (!arb_equal(a->values + i, b->values + i)) return false;
  for (size_t i = 0; i < a->count; i++)
    if (!mag_equal(a->bounds + i, b->bounds + i)) return false;
  return true;
}

struct grid *grid_copy(const struct grid *g) {
  struct grid *out = grid_new(g->rule, g->edges, g->count + 1);
  _arb_vec_set(out->values, g->values, (slong)g->count * g->rule->order);
  for (size_t i = 0; i < g->count; i++)
    mag_set(out->bounds + i, g->bounds + i);
  mag_set(out->lost, g->lost);
  return out;
}

struct grid *grid_scale(const struct grid *g, const arb_t factor) {
  struct grid *out = grid_new(g->rule, g->edges, g->count + 1);
  mag_t size;
  mag_init(size);
  arb_get_mag(size, factor);
  _arb_vec_scalar_mul(out->values, g->values, (slong)g->count * g->rule->order, factor,
                      g->rule->precision);
  for (size_t i = 0; i < g->count; i++)
    mag_mul(out->bounds + i, g->bounds + i, size);
  mag_mul(out->lost, g->lost, size);
  mag_clear(size);
  return out;
}

/* ---- other cells ---------------------------------------------------------------------------- */

/* Copies the part of a cell of g that is cell i of `to`: the whole one, or a smaller one. */
static void copy_part(struct grid *to, size_t i, const struct grid *g, size_t cell) {
  mag_set(to->bounds + i, g->bounds + cell);
  if (fmpq_equal(&to->edges[i], &g->edges[cell]) &&
      fmpq_equal(&to->edges[i + 1], &g->edges[cell + 1])) {
    _arb_vec_set(grid_cell(to, i), grid_cell(g, cell), g->rule->order);
    return;
  }
  /* from -1..1 in the part to the cell: x -> a + b x */
  fmpq_t width, a, b;
  fmpq_init(width);
  fmpq_init(a);
  fmpq_init(b);
  fmpq_sub(width, &g->edges[cell + 1], &g->edges[cell]);
  fmpq_sub(b, &to->edges[i + 1], &to->edges[i]);
  fmpq_div(b, b, width);
  fmpq_add(a, &to->edges[i], &to->edges[i + 1]);
  fmpq_sub(a, a, &g->edges[cell]);
  fmpq_sub(a, a, &g->edges[cell + 1]);
  fmpq_div(a, a, width);
  quadrature_resample(grid_cell(to, i), g->rule, grid_cell(g, cell), g->bounds + cell, a, b);
  fmpq_clear(width);
  fmpq_clear(a);
  fmpq_clear(b);
}

/* g on the cells between the sorted points, which have all edges of g that lie between the first and
 * the last of them. */
static struct grid *on_cells(const struct grid *g, const point_list *points) {
  struct grid *out = grid_new(g->rule, points->at, points->len);
  size_t cell = 0;
  for (size_t i = 0; i < out->count && g->count; i++) {
    while (cell < g->count && fmpq_cmp(&g->edges[cell + 1], &out->edges[i]) <= 0)
      cell++;
    if (cell == g->count) break;
    if (fmpq_cmp(&g->edges[cell], &out->edges[i]) <= 0) copy_part(out, i, g, cell);
  }
  mag_set(out->lost, g->lost);
  return out;
}

static void add_edges(point_list *points, const struct grid *g) {
  for (size_t i = 0; g->count && i <= g->count; i++)
    point_list_add(points, &g->edges[i]);
}

/* Is x between the ends, and not one of them? */
static bool is_inside(const struct grid *g, const fmpq_t x) {
  return g->count && fmpq_cmp(&g->edges[0], x) < 0 && fmpq_cmp(x, &g->edges[g->count]) < 0;
}

struct grid *grid_split(struct grid *g, const point_list *points) {
  point_list all = {0};
  add_edges(&all, g);
  for (size_t i = 0; i < points->len; i++)
    if (is_inside(g, &points->at[i])) point_list_add(&all, &points->at[i]);
  point_list_sort(&all);
  struct grid *out = g->count == 0 || all.len == g->count + 1 ? grid_ref(g) : on_cells(g, &all);
  point_list_clear(&all);
  return out;
}

static bool is_kept(const fmpq_t x, const struct line_end *low, const struct line_end *high) {
  return (low->side ? low->side < 0 : fmpq_cmp(low->at, x) <= 0) &&
         (high->side ? high->side > 0 : fmpq_cmp(x, high->at) <= 0);
}

struct grid *grid_restrict(struct grid *g, const struct line_end *low,
                           const struct line_end *high) {
  point_list kept = {0};
  for (size_t i = 0; g->count && i <= g->count; i++)
    if (is_kept(&g->edges[i], low, high)) point_list_add(&kept, &g->edges[i]);
  if (!low->side && is_inside(g, low->at) && is_kept(low->at, low, high))
    point_list_add(&kept, low->at);
  if (!high->side && is_inside(g, high->at) && is_kept(high->at, low, high))
    point_list_add(&kept, high->at);
  point_list_sort(&kept);
  struct grid *out = g->count && kept.len == g->count + 1 &&
                             fmpq_equal(&kept.at[0], &g->edges[0]) &&
                             fmpq_equal(&vec_last(&kept), &g->edges[g->count])
                         ? grid_ref(g)
                         : on_cells(g, &kept);
  point_list_clear(&kept);
  return out;
}

struct grid *grid_add(struct grid *a, struct grid *b) {
  point_list all = {0};
  add_edges(&all, a);
  add_edges(&all, b);
  point_list_sort(&all);
  struct grid *out = on_cells(a, &all), *other = on_cells(b, &all);
  slong len = (slong)out->count * a->rule->order;
  _arb_vec_add(out->values, out->values, other->values, len, a->rule->precision);
  for (size_t i = 0; i < out->count; i++)
    mag_add(out->bounds + i, out->bounds + i, other->bounds + i);
  mag_add(out->lost, out->lost, other->lost);
  grid_unref(other);
  point_list_clear(&all);
  return out;
}

/* ---- integrals ------------------------------------------------------------------------------ */

void grid_cell_mass(arb_t out, const struct grid *g, size_t cell) {
  arb_t half;
  arb_init(half);
  quadrature_integral(out, g->rule, grid_cell(g, cell), g->bounds + cell);
  grid_half_width(half, g, cell);
  arb_mul(out, out, half, g->rule->precision);
  arb_clear(half);
}

void grid_total(arb_t out, const struct grid *g) {
  arb_t mass;
  arb_init(mass);
  arb_zero(out);
  for (size_t i = 0; i < g->count; i++) {
    grid_cell_mass(mass, g, i);
    arb_add(out, out, mass, g->rule->precision);
  }
  arb_add_error_mag(out, g->lost);
  arb_clear(mass);
}
