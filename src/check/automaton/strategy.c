#include "check/automaton/strategy.h"

#include "base/intern.h"

void strategy_init(struct strategy *s) {
  *s = (struct strategy){0};
  fmpz_init_set_ui(s->scale, 1);
  fmpz_init(s->cost);
}

void strategy_clear(struct strategy *s) {
  for (size_t i = 0; i < s->point_value.len; i++)
    fmpz_clear(&s->point_value.at[i]);
  for (size_t i = 0; i < s->entry_value.len; i++)
    fmpz_clear(&s->entry_value.at[i]);
  product_clear(&s->product);
  fmpz_clear(s->scale);
  fmpz_clear(s->cost);
  vec_clear(&s->point_first);
  vec_clear(&s->point_at);
  vec_clear(&s->point_shifts);
  vec_clear(&s->point_value);
  vec_clear(&s->labels);
  vec_clear(&s->label_first);
  vec_clear(&s->label_at);
  vec_clear(&s->entry_shifts);
  vec_clear(&s->entry_value);
}

void strategy_cost(fmpq_t out, const struct strategy *s) {
  fmpq_set_fmpz_frac(out, s->cost, s->scale);
}

const int8_t *strategy_point_shifts(const struct strategy *s, uint32_t node, uint32_t point) {
  size_t live = product_live(&s->product, node).count;
  return s->point_shifts.at + s->point_at.at[node] + (point - s->point_first.at[node]) * live;
}

const int8_t *strategy_entry_shifts(const struct strategy *s, uint32_t label, uint32_t entry) {
  size_t live = product_live(&s->product, s->labels.at[label].node).count;
  return s->entry_shifts.at + s->label_at.at[label] + entry * live;
}

static uint64_t mix(uint64_t h, uint64_t word) {
  h = (h ^ word) * UINT64_C(0x9E3779B97F4A7C15);
  return h ^ (h >> 29);
}

static uint64_t mix_value(uint64_t h, const fmpz_t value) {
  h = mix(h, (uint64_t)fmpz_sgn(value));
  return mix(h, fmpz_fdiv_ui(value, UWORD(0x1fffffffffffffff))); /* mod 2^61 - 1 */
}

static uint64_t mix_bytes(uint64_t h, const void *data, size_t size) {
  return mix(h, size > 0 ? hash_bytes(data, size) : 0);
}

uint64_t strategy_digest(const struct strategy *s) {
  uint64_t h = mix_value(mix_value(1, s->scale), s->cost);
  for (size_t i = 0; i < s->point_value.len; i++)
    h = mix_value(h, &s->point_value.at[i]);
  for (size_t i = 0; i < s->entry_value.len; i++)
    h = mix_value(h, &s->entry_value.at[i]);
  h = mix_bytes(h, s->point_first.at, s->point_first.len * sizeof *s->point_first.at);
  h = mix_bytes(h, s->point_shifts.at, s->point_shifts.len);
  h = mix_bytes(h, s->labels.at, s->labels.len * sizeof *s->labels.at);
  h = mix_bytes(h, s->label_first.at, s->label_first.len * sizeof *s->label_first.at);
  return mix_bytes(h, s->entry_shifts.at, s->entry_shifts.len);
}

#define BYTES_OF(v) ((v).cap * sizeof *(v).at)

size_t strategy_bytes(const struct strategy *s) {
  return BYTES_OF(s->point_first) + BYTES_OF(s->point_at) + BYTES_OF(s->point_shifts) +
         BYTES_OF(s->point_value) + BYTES_OF(s->labels) + BYTES_OF(s->label_first) +
         BYTES_OF(s->label_at) + BYTES_OF(s->entry_shifts) + BYTES_OF(s->entry_value) +
         BYTES_OF(s->product.nodes) + BYTES_OF(s->product.edges) + BYTES_OF(s->product.first) +
         BYTES_OF(s->product.live) + BYTES_OF(s->product.live_first);
}
