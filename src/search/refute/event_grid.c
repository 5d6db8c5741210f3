#include "search/refute/event_grid.h"

#include <math.h>
#include <stdlib.h>

#include "run/eval/number.h"

enum {
  MOST_CUTS = 8,
  MOST_CELLS = 130,
  FINENESS = 1000, /* a cell around a cut reaches 1/FINENESS to both sides, the next begin at twice
                       that: between them nothing is looked at */
  NARROW = 1000000 /* without such cells the next begins that little behind the cut */
};

void pattern_list_clear(pattern_list *list) {
  for (size_t i = 0; i < list->len; i++)
    pattern_clear(&list->at[i]);
  vec_clear(list);
}

bool same_shape(const struct pattern *p, const struct pattern *q) {
  if (p->kind != q->kind || p->count != q->count) return false;
  for (size_t i = 0; i < p->count; i++)
    if (!same_shape(&p->items[i], &q->items[i])) return false;
  return true;
}

static void numbers_of(number_list *out, const struct rvalue *v) {
  for (size_t i = 0; rvalue_is_seq(v) && i < v->as.seq->len; i++)
    numbers_of(out, &v->as.seq->at[i]);
  if (v->kind != RVALUE_INT && v->kind != RVALUE_RATIONAL) return;
  fmpq_t x;
  fmpq_init(x);
  number_get_fmpq(x, v);
  numbers_add(out, x, MOST_CUTS);
  fmpq_clear(x);
}

void input_numbers(number_list *out, const struct program_counterexample *ce) {
  for (int run = 0; run < 2; run++)
    for (size_t i = 0; i < ce->input_count; i++)
      numbers_of(out, &ce->inputs[run][i]);
}

/* ---- cells of one leaf ----------------------------------------------------------------------- */

static bool is_number_leaf(const struct pattern *p) {
  return p->kind == PATTERN_VALUE && rvalue_is_number(&p->value);
}

static bool is_bool_leaf(const struct pattern *p) {
  return p->kind == PATTERN_VALUE && p->value.kind == RVALUE_BOOL;
}

/* The number of cells of a leaf between `cuts` cuts. */
static size_t cells_of(const struct pattern *leaf, size_t cuts, bool around) {
  return is_number_leaf(leaf) ? (1 + around) * cuts + 1 : is_bool_leaf(leaf) ? 2 : 1;
}

static struct rvalue beside(const fmpq_t cut, slong steps, ulong fineness) {
  fmpq_t x;
  fmpq_init(x);
  fmpq_set_si(x, steps, fineness);
  fmpq_add(x, x, cut);
  struct rvalue end = rvalue_fmpq(x);
  fmpq_clear(x);
  return end;
}

/* The k-th of them; with cells around cuts: that around the cut k/2 if k is odd, else the one between
 * the cuts next to it. */
static void put_cell(struct pattern *leaf, size_t k, const number_list *cuts, bool around) {
  if (is_bool_leaf(leaf)) leaf->value = rvalue_bool(k == 1);
  if (!is_number_leaf(leaf)) return;
  rvalue_clear(&leaf->value);
  *leaf = (struct pattern){.kind = cuts->len ? PATTERN_RANGE : PATTERN_ANY};
  if (!cuts->len) return; /* one cell: every number */
  if (!around) {
    if (k > 0) leaf->low = beside(&cuts->at[k - 1], 1, NARROW);
    if (k < cuts->len) leaf->high = rvalue_fmpq(&cuts->at[k]);
  } else if (k % 2) {
    leaf->low = beside(&cuts->at[k / 2], -1, FINENESS);
    leaf->high = beside(&cuts->at[k / 2], 1, FINENESS);
  } else {
    if (k > 0) leaf->low = beside(&cuts->at[k / 2 - 1], 2, FINENESS);
    if (k / 2 < cuts->len) leaf->high = beside(&cuts->at[k / 2], -2, FINENESS);
  }
}

/* ---- cells of the shape ---------------------------------------------------------------------- */

static size_t cell_count(const struct pattern *p, size_t cuts, bool around) {
  if (!p->count) return cells_of(p, cuts, around);
  size_t product = 1;
  for (size_t i = 0; i < p->count && product <= MOST_CELLS; i++)
    product *= cell_count(&p->items[i], cuts, around);
  return product;
}

/* Cell *k of the leaves of p; *k is what remains for those that follow. */
static void put_cells(struct pattern *p, size_t *k, const number_list *cuts, bool around) {
  for (size_t i = 0; i < p->count; i++)
    put_cells(&p->items[i], k, cuts, around);
  if (p->count) return;
  size_t cells = cells_of(p, cuts->len, around), cell = *k % cells;
  put_cell(p, cell, cuts, around);
  *k /= cells;
}

static int compare_numbers(const void *a, const void *b) {
  return fmpq_cmp(a, b);
}

void event_cells(pattern_list *out, const struct pattern *shape, const number_list *cuts,
                 bool around) {
  number_list used = {0};
  for (size_t i = 0; i < cuts->len && cell_count(shape, i + 1, around) <= MOST_CELLS; i++)
    numbers_add(&used, &cuts->at[i], cuts->len);
  if (used.len) qsort(used.at, used.len, sizeof *used.at, compare_numbers);
  size_t count = cell_count(shape, used.len, around);
  for (size_t k = 0; count <= MOST_CELLS && k < count; k++) {
    size_t rest = k;
    struct pattern cell = pattern_copy(shape);
    put_cells(&cell, &rest, &used, around);
    vec_push(out, cell);
  }
  numbers_clear(&used);
}

/* ---- cuts ------------------------------------------------------------------------------------ */

void spread_add(struct spread *s, double x) {
  s->count++;
  s->sum += x;
  s->squares += x * x;
}

/* Multiples of a power of 2 near the standard deviation, then of its half and so on. */
void spread_cuts(number_list *out, const struct spread *s) {
  enum { REACH = 8, HALVINGS = 3, EXPONENT_MOST = 30 };
  double mean = s->sum / s->count, deviation = sqrt(s->squares / s->count - mean * mean);
  int exponent = deviation > 0 ? ilogb(deviation) : 0;
  if (!isfinite(mean + deviation) || abs(exponent) > EXPONENT_MOST) return;
  fmpq_t x;
  fmpq_init(x);
  for (int h = 0; h <= HALVINGS; h++) {
    double unit = ldexp(1, exponent - h), centre = rint(mean / unit);
    slong reach = h ? REACH * (1L << h) : 2 * REACH; /* high orders look far out */
    for (slong k = 0; k <= 2 * reach && fabs(centre) < 1e9; k++) {
      fmpq_set_si(x, (slong)centre + (k % 2 ? (k + 1) / 2 : -(k / 2)), 1);
      if (exponent - h >= 0)
        fmpq_mul_2exp(x, x, (ulong)(exponent - h));
      else
        fmpq_div_2exp(x, x, (ulong)(h - exponent));
      numbers_add(out, x, SIZE_MAX);
    }
  }
  fmpq_clear(x);
}
