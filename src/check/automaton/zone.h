/* Zones: sets of shift vectors (g_x) in {-1,0,1}^n given by bounds on single shifts and on
 * differences of two. The demands that traversals and pumps make are of this kind, and projection
 * keeps it, so a zone is the exact set of shifts that are still feasible.
 *
 * A zone over n variables is an (n+1)^2 matrix m of bytes: g_i - g_j <= m[i][j], index 0 standing
 * for the constant 0. Always closed under g_i - g_k + g_k - g_j, so equal sets have equal matrices
 * and inclusion is entrywise. Empty zones are not represented: operations say so instead. */
#ifndef COUPLET_CHECK_AUTOMATON_ZONE_H
#define COUPLET_CHECK_AUTOMATON_ZONE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef int8_t zone_entry;

/* Sets of shifts as bits. */
enum { SHIFT_MINUS = 1, SHIFT_ZERO = 2, SHIFT_PLUS = 4, SHIFT_ANY = 7 };

static inline size_t zone_size(size_t n) {
  return (n + 1) * (n + 1);
}
/* All of {-1,0,1}^n. */
void zone_full(zone_entry *m, size_t n);
/* Adds g_i - g_j <= bound; false: the zone became empty (and m is garbage). */
bool zone_bound(zone_entry *m, size_t n, size_t i, size_t j, int bound);
/* Shift i (from 1) lies in the set of bits `mask`, an interval. */
bool zone_restrict(zone_entry *m, size_t n, size_t i, unsigned mask);
/* Forgets everything about shift i. */
void zone_free(zone_entry *m, size_t n, size_t i);
/* A copy with one more variable, unconstrained, at index n + 1. */
void zone_extend(zone_entry *to, const zone_entry *m, size_t n);
/* A copy over the variables source[0..k-1] (indices from 1) of m. */
void zone_project(zone_entry *to, size_t k, const zone_entry *m, size_t n, const uint32_t *source);
bool zone_includes(const zone_entry *big, const zone_entry *small, size_t n);

#endif
