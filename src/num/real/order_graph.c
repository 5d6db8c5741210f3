#include "num/real/order_graph.h"

#include "base/alloc.h"

static void bit_rows_init(struct bit_rows *rows, size_t count) {
  rows->row_words = (count + 63) / 64 + (count == 0);
  rows->words = xcalloc((count + 1) * rows->row_words, sizeof *rows->words);
}

size_t bit_next(const struct bit_rows *rows, size_t row, size_t from, size_t count) {
  const uint64_t *words = rows->words + row * rows->row_words;
  for (size_t w = from / 64; w < rows->row_words && from < count; w++) {
    uint64_t rest = words[w] >> (from % 64);
    if (rest) {
      size_t found = from + (size_t)__builtin_ctzll(rest);
      return found < count ? found : count;
    }
    from = (w + 1) * 64;
  }
  return count;
}

/* Samples such that every condition goes forwards; false if there is a cycle. */
static bool topological_order(const struct bit_rows *direct, size_t count, uint32_t *order) {
  uint32_t *missing = xcalloc(count + 1, sizeof *missing);
  size_t done = 0, ready = 0;
  for (size_t i = 0; i < count; i++)
    for (size_t j = bit_next(direct, i, 0, count); j < count; j = bit_next(direct, i, j + 1, count))
      missing[j]++;
  for (size_t i = 0; i < count; i++)
    if (missing[i] == 0) order[ready++] = (uint32_t)i;
  for (; done < ready; done++) {
    size_t i = order[done];
    for (size_t j = bit_next(direct, i, 0, count); j < count; j = bit_next(direct, i, j + 1, count))
      if (--missing[j] == 0) order[ready++] = (uint32_t)j;
  }
  free(missing);
  return done == count;
}

static void close_transitively(struct order_graph *g, const struct bit_rows *direct,
                               const uint32_t *order) {
  for (size_t k = g->count; k-- > 0;) {
    size_t i = order[k];
    uint64_t *row = g->less.words + i * g->less.row_words;
    for (size_t j = bit_next(direct, i, 0, g->count); j < g->count;
         j = bit_next(direct, i, j + 1, g->count)) {
      bit_set(&g->less, i, j);
      for (size_t w = 0; w < g->less.row_words; w++)
        row[w] |= g->less.words[j * g->less.row_words + w];
    }
  }
}

static void propagate_windows(struct order_graph *g, const struct bit_rows *direct,
                              const uint32_t *order) {
  for (size_t k = 0; k < g->count; k++) {
    size_t i = order[k];
    for (size_t j = bit_next(direct, i, 0, g->count); j < g->count;
         j = bit_next(direct, i, j + 1, g->count))
      if (line_end_cmp(&g->low[j], &g->low[i]) < 0) line_end_set(&g->low[j], &g->low[i]);
  }
  for (size_t k = g->count; k-- > 0;) {
    size_t i = order[k];
    for (size_t j = bit_next(direct, i, 0, g->count); j < g->count;
         j = bit_next(direct, i, j + 1, g->count))
      if (line_end_cmp(&g->high[j], &g->high[i]) < 0) line_end_set(&g->high[i], &g->high[j]);
  }
  for (size_t i = 0; i < g->count; i++)
    if (line_end_cmp(&g->low[i], &g->high[i]) >= 0) g->is_empty = true;
}

/* Is there a k with i < k < j? */
static bool is_implied(const struct order_graph *g, size_t i, size_t j) {
  for (size_t k = bit_next(&g->less, i, 0, g->count); k < g->count;
       k = bit_next(&g->less, i, k + 1, g->count))
    if (bit_get(&g->less, k, j)) return true;
  return false;
}

static void keep_open_conditions(struct order_graph *g, const struct bit_rows *direct) {
  for (size_t i = 0; i < g->count; i++)
    for (size_t j = bit_next(direct, i, 0, g->count); j < g->count;
         j = bit_next(direct, i, j + 1, g->count)) {
      if (line_end_cmp(&g->high[i], &g->low[j]) <= 0 || is_implied(g, i, j)) continue;
      bit_set(&g->near, i, j);
      bit_set(&g->near, j, i);
    }
}

/* The support of a density is a window, too. */
static void narrow_to_support(struct order_graph *g, size_t i, const struct order_sample *s) {
  struct line_end end;
  if (s->noise == ORDER_LAPLACE) return;
  line_end_init_at(&end, s->a);
  if (line_end_cmp(&g->low[i], &end) < 0) line_end_set(&g->low[i], &end);
  if (s->noise == ORDER_UNIFORM) {
    fmpq_set(end.at, s->b);
    if (line_end_cmp(&end, &g->high[i]) < 0) line_end_set(&g->high[i], &end);
  }
  line_end_clear(&end);
}

void order_graph_init(struct order_graph *g, const struct order_problem *problem) {
  size_t count = problem->samples.len;
  struct bit_rows direct;
  uint32_t *order = xcalloc(count + 1, sizeof *order);
  *g = (struct order_graph){.count = count};
  bit_rows_init(&direct, count);
  bit_rows_init(&g->less, count);
  bit_rows_init(&g->near, count);
  g->low = xcalloc(count + 1, sizeof *g->low);
  g->high = xcalloc(count + 1, sizeof *g->high);
  for (size_t i = 0; i < count; i++) {
    const struct order_sample *s = &problem->samples.at[i];
    line_end_init(&g->low[i], 0);
    line_end_init(&g->high[i], 0);
    line_end_set(&g->low[i], &s->low);
    line_end_set(&g->high[i], &s->high);
    narrow_to_support(g, i, s);
  }
  for (size_t k = 0; k < problem->conditions.len; k++)
    bit_set(&direct, problem->conditions.at[k].less, problem->conditions.at[k].greater);
  if (!topological_order(&direct, count, order)) {
    g->is_empty = true;
  } else {
    close_transitively(g, &direct, order);
    propagate_windows(g, &direct, order);
    keep_open_conditions(g, &direct);
  }
  free(direct.words);
  free(order);
}

void order_graph_clear(struct order_graph *g) {
  for (size_t i = 0; i < g->count; i++) {
    line_end_clear(&g->low[i]);
    line_end_clear(&g->high[i]);
  }
  free(g->low);
  free(g->high);
  free(g->less.words);
  free(g->near.words);
}
