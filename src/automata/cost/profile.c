#include "automata/cost/profile.h"

#include <string.h>

void profile_init(struct profile *v) {
  *v = (struct profile){0};
}

void profile_clear(struct profile *v) {
  for (size_t i = 0; i < v->count; i++)
    fmpz_clear(&v->value[i]);
  free(v->value);
  free(v->shifts);
  *v = (struct profile){0};
}

void profile_swap(struct profile *a, struct profile *b) {
  struct profile t = *a;
  *a = *b;
  *b = t;
}

void profile_start(struct profile *v) {
  profile_clear(v);
  v->count = 1;
  v->value = xcalloc(1, sizeof *v->value);
  v->shifts = xcalloc(1, 1);
}

/* ---- entries under construction ------------------------------------------------------------- */

/* Rows of `width` shifts; duplicates allowed until they are sorted. */
struct rows {
  size_t width, count, capacity;
  int8_t *shifts;
  fmpz *value;
};

static int8_t *rows_add(struct rows *r, const fmpz_t value) {
  if (r->count == r->capacity) {
    r->capacity = r->capacity ? r->capacity * 2 : 16;
    r->shifts = xrealloc(r->shifts, r->capacity * r->width + 1);
    r->value = xrealloc(r->value, r->capacity * sizeof *r->value);
  }
  fmpz_init_set(&r->value[r->count], value);
  return r->shifts + r->count++ * r->width;
}

static void rows_drop_last(struct rows *r) {
  fmpz_clear(&r->value[--r->count]);
}

/* Insertion sort for the small, merge sort for the rest: stable, no context argument needed. */
static void sort_index(uint32_t *index, uint32_t *spare, size_t n, const struct rows *r) {
  if (n < 2) return;
  size_t half = n / 2, i = 0, j = half, k = 0;
  sort_index(index, spare, half, r);
  sort_index(index + half, spare, n - half, r);
  while (i < half && j < n)
    spare[k++] =
        memcmp(r->shifts + index[j] * r->width, r->shifts + index[i] * r->width, r->width) < 0
            ? index[j++]
            : index[i++];
  while (i < half)
    spare[k++] = index[i++];
  memcpy(index, spare, k * sizeof *index);
}

/* Sorts (bytes order: 0, 1, -1), keeps the least value of equal rows, moves into the profile. */
static void rows_take(struct rows *r, struct profile *out) {
  profile_clear(out);
  out->width = r->width;
  uint32_t *index = xmalloc((2 * r->count + 1) * sizeof *index);
  for (size_t i = 0; i < r->count; i++)
    index[i] = (uint32_t)i;
  sort_index(index, index + r->count, r->count, r);
  out->shifts = xmalloc(r->count * r->width + 1);
  out->value = xmalloc((r->count + 1) * sizeof *out->value);
  for (size_t i = 0; i < r->count; i++) {
    const int8_t *row = r->shifts + index[i] * r->width;
    fmpz *value = &r->value[index[i]];
    if (out->count > 0 &&
        (r->width == 0 || memcmp(out->shifts + (out->count - 1) * r->width, row, r->width) == 0)) {
      if (fmpz_cmp(value, &out->value[out->count - 1]) < 0)
        fmpz_swap(value, &out->value[out->count - 1]);
      fmpz_clear(value);
      continue;
    }
    if (r->width > 0) memcpy(out->shifts + out->count * r->width, row, r->width);
    out->value[out->count++] = *value;
  }
  free(index);
  free(r->shifts);
  free(r->value);
}

static bool row_fits(const int8_t *row, size_t width, const unsigned char *masks) {
  for (size_t i = 0; masks && i < width; i++)
    if (!(masks[i] >> (row[i] + 1) & 1)) return false;
  return true;
}

bool profile_step(struct profile *out, const struct profile *v, const struct step *step, int delta,
                  const unsigned char *masks, const fmpz *cap) {
  struct rows rows = {.width = step->after.count};
  fmpz_t cost;
  fmpz_init(cost);
  bool fits = true;
  for (size_t i = 0; i < v->count && fits; i++) {
    const int8_t *g = v->shifts + i * v->width;
    struct step_choice c;
    for (bool more = step_start(step, g, delta, &c); more; more = step_next(step, &c)) {
      step_cost(cost, step, delta, &c);
      fmpz_add(cost, cost, &v->value[i]);
      if (cap && fmpz_cmp(cost, cap) > 0) continue;
      int8_t *row = rows_add(&rows, cost);
      step_after(step, g, &c, row);
      if (!row_fits(row, rows.width, masks)) rows_drop_last(&rows);
    }
    fits = rows.count <= 3 * PROFILE_LIMIT;
  }
  fmpz_clear(cost);
  rows_take(&rows, out);
  return fits && out->count <= PROFILE_LIMIT;
}

bool profile_pump(struct profile *out, const struct profile *v, const struct pumps *pumps,
                  uint32_t pump, struct members live) {
  const struct pump *q = &pumps->list.at[pump];
  unsigned char *masks = xmalloc(live.count + 1);
  bool *forget = xcalloc(live.count + 1, sizeof *forget);
  memset(masks, SHIFT_ANY, live.count + 1);
  for (size_t i = 0; i < live.count; i++) {
    for (uint32_t f = 0; f < q->force_count; f++)
      if (pumps->forces.at[q->first_force + f].var == live.at[i])
        masks[i] &= (unsigned char)pumps->forces.at[q->first_force + f].mask;
    for (uint32_t x = 0; x < q->assigned_count; x++)
      if (pumps->assigned.at[q->first_assigned + x] == live.at[i]) forget[i] = true;
  }
  struct rows rows = {.width = live.count};
  for (size_t i = 0; i < v->count; i++) {
    const int8_t *g = v->shifts + i * v->width;
    if (!row_fits(g, live.count, masks)) continue;
    int8_t *row = rows_add(&rows, &v->value[i]);
    if (live.count > 0) memcpy(row, g, live.count);
  }
  for (size_t x = 0; x < live.count; x++)
    if (forget[x])
      for (size_t i = 0, n = rows.count; i < n && n <= PROFILE_LIMIT; i++)
        for (int8_t s = -1; s <= 1; s++) {
          fmpz_t value; /* rows_add moves the array */
          fmpz_init_set(value, &rows.value[i]);
          int8_t *row = rows_add(&rows, value);
          memcpy(row, rows.shifts + i * rows.width, rows.width);
          row[x] = s;
          fmpz_clear(value);
        }
  for (size_t x = 0; x < live.count; x++)
    masks[x] = live.at[x] == q->last_var ? (unsigned char)q->last_mask : SHIFT_ANY;
  size_t kept = 0;
  for (size_t i = 0; i < rows.count; i++) {
    if (!row_fits(rows.shifts + i * rows.width, rows.width, masks)) {
      fmpz_clear(&rows.value[i]);
      continue;
    }
    memmove(rows.shifts + kept * rows.width, rows.shifts + i * rows.width, rows.width);
    rows.value[kept++] = rows.value[i];
  }
  rows.count = kept;
  free(masks);
  free(forget);
  rows_take(&rows, out);
  return out->count <= PROFILE_LIMIT;
}

size_t profile_find(const struct profile *v, const int8_t *g) {
  size_t low = 0, high = v->count;
  while (low < high) {
    size_t mid = (low + high) / 2;
    int order = v->width ? memcmp(v->shifts + mid * v->width, g, v->width) : 0;
    if (order == 0) return mid;
    if (order < 0)
      low = mid + 1;
    else
      high = mid;
  }
  return SIZE_MAX;
}

bool profile_at_most(const struct profile *v, const struct profile *w) {
  if (w->count > v->count) return false;
  for (size_t i = 0, j = 0; i < w->count; i++, j++) {
    const int8_t *g = w->shifts + i * w->width;
    while (j < v->count && v->width && memcmp(v->shifts + j * v->width, g, v->width) < 0)
      j++;
    if (j == v->count || (v->width && memcmp(v->shifts + j * v->width, g, v->width) != 0))
      return false;
    if (fmpz_cmp(&v->value[j], &w->value[i]) > 0) return false;
  }
  return true;
}

void profile_join(struct profile *out, const struct profile *v, const struct profile *w) {
  struct rows rows = {.width = v->width};
  for (size_t i = 0; i < v->count; i++) {
    const int8_t *g = v->shifts + i * v->width;
    size_t j = profile_find(w, g);
    if (j == SIZE_MAX) continue;
    bool larger = fmpz_cmp(&v->value[i], &w->value[j]) > 0;
    int8_t *row = rows_add(&rows, larger ? &v->value[i] : &w->value[j]);
    if (v->width > 0) memcpy(row, g, v->width);
  }
  rows_take(&rows, out);
}

const fmpz *profile_least(const struct profile *v) {
  const fmpz *least = NULL;
  for (size_t i = 0; i < v->count; i++)
    if (!least || fmpz_cmp(&v->value[i], least) < 0) least = &v->value[i];
  return least;
}
