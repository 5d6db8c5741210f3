#include "check/exact/bound.h"

#include <stdlib.h>

void bound_at(fmpq_t out, const struct density_bound *b, const fmpq_t x) {
  fmpq_mul(out, b->slope, x);
  fmpq_add(out, out, b->offset);
}

void bound_preimage(fmpq_t out, const struct density_bound *b, const fmpq_t y) {
  fmpq_sub(out, y, b->offset);
  fmpq_div(out, out, b->slope);
}

const struct density_bound *bound_tightest(const struct density_bound *bounds, size_t count,
                                           bool lower, const fmpq_t x) {
  const struct density_bound *best = NULL;
  fmpq_t value, best_value;
  fmpq_init(value);
  fmpq_init(best_value);
  for (size_t i = 0; i < count; i++) {
    if (bounds[i].is_lower != lower) continue;
    bound_at(value, &bounds[i], x);
    int order = best ? fmpq_cmp(value, best_value) : 0;
    if (!best || (lower ? order > 0 : order < 0)) {
      best = &bounds[i];
      fmpq_set(best_value, value);
    }
  }
  fmpq_clear(value);
  fmpq_clear(best_value);
  return best;
}

/* ---- points --------------------------------------------------------------------------------- */

void point_list_add(point_list *points, const fmpq_t x) {
  fmpq copy;
  fmpq_init(&copy);
  fmpq_set(&copy, x);
  vec_push(points, copy);
}

static int compare_points(const void *a, const void *b) {
  return fmpq_cmp(a, b);
}

void point_list_sort(point_list *points) {
  if (points->len) qsort(points->at, points->len, sizeof *points->at, compare_points);
  size_t kept = 0;
  for (size_t i = 0; i < points->len; i++) {
    if (kept && fmpq_equal(&points->at[kept - 1], &points->at[i]))
      fmpq_clear(&points->at[i]);
    else
      points->at[kept++] = points->at[i];
  }
  points->len = kept;
}

void point_list_clear(point_list *points) {
  for (size_t i = 0; i < points->len; i++)
    fmpq_clear(&points->at[i]);
  vec_clear(points);
}

void point_list_inner(fmpq_t out, const point_list *points, size_t i) {
  fmpq_t one;
  fmpq_init(one);
  fmpq_one(one);
  if (points->len == 0) {
    fmpq_zero(out);
  } else if (i == 0) {
    fmpq_sub(out, &points->at[0], one);
  } else if (i == points->len) {
    fmpq_add(out, &points->at[i - 1], one);
  } else {
    fmpq_add(out, &points->at[i - 1], &points->at[i]);
    fmpq_div_2exp(out, out, 1);
  }
  fmpq_clear(one);
}

void point_list_ends(struct line_end *low, struct line_end *high, const point_list *points,
                     size_t i) {
  if (i == 0)
    line_end_init(low, -1);
  else
    line_end_init_at(low, &points->at[i - 1]);
  if (i == points->len)
    line_end_init(high, 1);
  else
    line_end_init_at(high, &points->at[i]);
}

void bound_crossings(point_list *points, const struct density_bound *bounds, size_t count) {
  fmpq_t slope, x;
  fmpq_init(slope);
  fmpq_init(x);
  for (size_t i = 0; i < count; i++)
    for (size_t j = i + 1; j < count; j++) {
      fmpq_sub(slope, bounds[i].slope, bounds[j].slope);
      if (fmpq_is_zero(slope)) continue;
      fmpq_sub(x, bounds[j].offset, bounds[i].offset);
      fmpq_div(x, x, slope);
      point_list_add(points, x);
    }
  fmpq_clear(slope);
  fmpq_clear(x);
  point_list_sort(points);
}
