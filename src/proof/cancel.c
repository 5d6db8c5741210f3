#include "proof/cancel.h"

#include "term/build.h"

/* A product of quotients: coefficient * above / below. */
struct fraction {
  fmpq_t coefficient;
  term_list above, below;
};

static void take_factors(struct terms *ts, struct fraction *f, term_id t, bool inverse) {
  term_list *list = inverse ? &f->below : &f->above;
  switch (term_kind(ts, t)) {
  case TERM_NUM:
    if (inverse && fmpq_is_zero(term_num_value(ts, t)))
      vec_push(list, t); /* stays what it is */
    else if (inverse)
      fmpq_div(f->coefficient, f->coefficient, term_num_value(ts, t));
    else
      fmpq_mul(f->coefficient, f->coefficient, term_num_value(ts, t));
    break;
  case TERM_MUL:
    for (size_t i = 0; i < term_arg_count(ts, t); i++)
      take_factors(ts, f, term_arg(ts, t, i), inverse);
    break;
  case TERM_DIV:
    take_factors(ts, f, term_arg(ts, t, 0), inverse);
    take_factors(ts, f, term_arg(ts, t, 1), !inverse);
    break;
  default: vec_push(list, t); break;
  }
}

static void cancel(struct fraction *f) {
  for (size_t i = 0; i < f->above.len;) {
    size_t k = 0;
    while (k < f->below.len && f->below.at[k] != f->above.at[i])
      k++;
    if (k == f->below.len) {
      i++;
      continue;
    }
    f->above.at[i] = f->above.at[--f->above.len];
    f->below.at[k] = f->below.at[--f->below.len];
  }
}

/* p*above/(q*below) for the coefficient p/q, its sign in front; without a divisor, the
 * coefficient's own way. */
static term_id built(struct terms *ts, struct fraction *f) {
  term_id above = term_product(ts, f->above.at, f->above.len);
  if (!f->below.len)
    return term_mul(ts, term_num(ts, f->coefficient, SORT_REAL), term_to_real(ts, above));
  fmpq_t part;
  fmpq_init(part);
  fmpz_set(fmpq_numref(part), fmpq_denref(f->coefficient));
  term_id below =
      term_mul(ts, term_num(ts, part, SORT_REAL), term_product(ts, f->below.at, f->below.len));
  fmpz_abs(fmpq_numref(part), fmpq_numref(f->coefficient));
  term_id result = term_div(ts, term_mul(ts, term_num(ts, part, SORT_REAL), above), below);
  fmpq_clear(part);
  return fmpq_sgn(f->coefficient) < 0 ? term_neg(ts, result) : result;
}

term_id factors_cancelled_outside(struct terms *ts, term_id t) {
  struct fraction f = {.above = {0}};
  if (t == TERM_NONE) return t;
  fmpq_init(f.coefficient);
  fmpq_one(f.coefficient);
  take_factors(ts, &f, t, false);
  bool is_quotient = f.below.len > 0;
  cancel(&f);
  term_id result = is_quotient ? built(ts, &f) : t;
  vec_clear(&f.above);
  vec_clear(&f.below);
  fmpq_clear(f.coefficient);
  return result == TERM_NONE ? t : result;
}

/* a = not a, as in the probability of an outcome that this path does not have */
static bool is_contradiction(const struct terms *ts, term_id t) {
  if (term_kind(ts, t) != TERM_EQ) return false;
  term_id a = term_arg(ts, t, 0), b = term_arg(ts, t, 1);
  return (term_kind(ts, a) == TERM_NOT && term_arg(ts, a, 0) == b) ||
         (term_kind(ts, b) == TERM_NOT && term_arg(ts, b, 0) == a);
}

term_id factors_cancelled(struct terms *ts, term_id t) {
  if (t == TERM_NONE || term_get(ts, t)->loose) return t;
  size_t count = term_arg_count(ts, t);
  if (count == 0) return t;
  term_list args = {0};
  for (size_t i = 0; i < count; i++)
    vec_push(&args, factors_cancelled(ts, term_arg(ts, t, i)));
  term_id result = term_rebuild(ts, t, args.at);
  vec_clear(&args);
  if (result == TERM_NONE) return t;
  if (is_contradiction(ts, result)) return term_bool(ts, false);
  enum term_kind kind = term_kind(ts, result);
  return kind == TERM_MUL || kind == TERM_DIV ? factors_cancelled_outside(ts, result) : result;
}
