#include "check/exact/outcomes.h"

void outcome_index_init(struct outcome_index *index) {
  *index = (struct outcome_index){0};
  memo_init(&index->last);
}

void outcome_index_clear(struct outcome_index *index) {
  memo_clear(&index->last);
  vec_clear(&index->other);
}

static uint64_t mix(uint64_t hash, uint64_t word) {
  hash = (hash ^ word) * 0x9e3779b97f4a7c15u;
  return hash ^ hash >> 32;
}

static uint64_t hash_integer(uint64_t hash, const fmpz_t z) {
  enum { MODULUS = 2147483647 };
  return mix(hash, COEFF_IS_MPZ(*z) ? fmpz_fdiv_ui(z, MODULUS) : (ulong)*z);
}

/* Equal values have equal hashes. Of rare kinds all values have the same: they are compared. */
static uint64_t hash_value(uint64_t hash, const struct rvalue *v) {
  switch (v->kind) {
  case RVALUE_BOOL: return mix(hash, v->as.boolean);
  case RVALUE_INT: return hash_integer(hash, &v->as.integer);
  case RVALUE_RATIONAL:
    return hash_integer(hash_integer(hash, fmpq_numref(&v->as.rational)),
                        fmpq_denref(&v->as.rational));
  case RVALUE_LIST:
  case RVALUE_ARRAY:
  case RVALUE_TUPLE:
    hash = mix(hash, v->as.seq->len);
    for (size_t i = 0; i < v->as.seq->len; i++)
      hash = hash_value(hash, &v->as.seq->at[i]);
    return hash;
  default: return mix(hash, RVALUE_UNSET);
  }
}

struct exact_outcome *outcome_for(struct exact_distribution *d, struct outcome_index *index,
                                  struct rvalue *output) {
  uint64_t hash = hash_value(1, output) | 1; /* a key is not 0 */
  uint32_t last = 0;
  memo_find(&index->last, hash, &last);
  for (uint32_t i = last; i; i = index->other.at[i - 1]) {
    int order;
    if (rvalue_compare(&order, &d->outcomes.at[i - 1].output, output) && order == 0) {
      rvalue_clear(output);
      return &d->outcomes.at[i - 1];
    }
  }
  if (d->outcomes.len == LIMIT_EXACT_OUTCOMES) {
    rvalue_clear(output);
    return NULL;
  }
  struct exact_outcome fresh = {.output = *output};
  arb_init(fresh.probability);
  vec_push(&d->outcomes, fresh);
  vec_push(&index->other, last);
  memo_put(&index->last, hash, (uint32_t)d->outcomes.len);
  return &vec_last(&d->outcomes);
}
