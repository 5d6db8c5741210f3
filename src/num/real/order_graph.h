/* What the conditions of an order problem imply, before any integration.
 *
 * After order_graph_init: `less` is the transitive closure of the conditions; the windows are as
 * narrow as conditions and windows allow; `near` is the graph of the conditions that still have to
 * be checked: those implied by others, or by windows that do not overlap, are gone. A problem whose
 * conditions contradict each other, or leave a window empty, `is_empty`: its probability is 0. */
#ifndef COUPLET_NUM_REAL_ORDER_GRAPH_H
#define COUPLET_NUM_REAL_ORDER_GRAPH_H

#include "num/real/order_integral.h"

/* Rows of bits, one row per sample. */
struct bit_rows {
  uint64_t *words;
  size_t row_words;
};

struct order_graph {
  size_t count;
  bool is_empty;
  struct bit_rows less;        /* bit j of row i: s_i < s_j follows */
  struct bit_rows near;        /* symmetric: i, j are compared and the outcome is not yet clear */
  struct line_end *low, *high; /* windows */
};

static inline bool bit_get(const struct bit_rows *rows, size_t row, size_t column) {
  return rows->words[row * rows->row_words + column / 64] >> (column % 64) & 1;
}
static inline void bit_set(struct bit_rows *rows, size_t row, size_t column) {
  rows->words[row * rows->row_words + column / 64] |= (uint64_t)1 << (column % 64);
}
static inline void bit_unset(struct bit_rows *rows, size_t row, size_t column) {
  rows->words[row * rows->row_words + column / 64] &= ~((uint64_t)1 << (column % 64));
}
/* The first column >= from that is set in the row, or `count`. */
size_t bit_next(const struct bit_rows *rows, size_t row, size_t from, size_t count);

void order_graph_init(struct order_graph *graph, const struct order_problem *problem);
void order_graph_clear(struct order_graph *graph);

#endif
