/* Bounds on a sample that depend on another one, and the points of the line where something changes
 * between them. */
#ifndef COUPLET_CHECK_EXACT_BOUND_H
#define COUPLET_CHECK_EXACT_BOUND_H

#include <stdbool.h>

#include "base/vec.h"
#include "num/real/exppoly.h"

/* s >= slope * x + offset (lower) or s <= ... (upper), for the symbol s that is integrated out and
 * the symbol x that stays. */
struct density_bound {
  bool is_lower;
  fmpq_t slope, offset; /* slope not 0 */
};

void bound_at(fmpq_t out, const struct density_bound *b, const fmpq_t x);
/* The x at which the bound is y. */
void bound_preimage(fmpq_t out, const struct density_bound *b, const fmpq_t y);
/* The tightest lower (upper) bound at x; NULL: none. */
const struct density_bound *bound_tightest(const struct density_bound *bounds, size_t count,
                                           bool lower, const fmpq_t x);

/* Points of the line; owned. They cut it into len + 1 intervals. */
typedef VEC(fmpq) point_list;
void point_list_add(point_list *points, const fmpq_t x);
void point_list_sort(point_list *points); /* each once */
void point_list_clear(point_list *points);
/* A point strictly inside the i-th interval cut out by the sorted points. */
void point_list_inner(fmpq_t out, const point_list *points, size_t i);
/* Its ends, which are initialised here. */
void point_list_ends(struct line_end *low, struct line_end *high, const point_list *points,
                     size_t i);

/* The x at which two of the bounds meet, sorted: between them the tightest ones do not change. */
void bound_crossings(point_list *points, const struct density_bound *bounds, size_t count);

#endif
