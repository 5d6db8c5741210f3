#include "proof/quotient.h"

#include "term/build.h"
#include "term/linear.h"
#include "term/memo.h"

static bool is_parameter(struct terms *ts, term_id t) {
  return term_kind(ts, t) == TERM_VAR && term_sort(ts, t) == SORT_REAL &&
         term_var_get(ts, t)->run == 0;
}

/* The factors of a product. */
static void factors(struct terms *ts, term_id t, term_list *out) {
  if (term_kind(ts, t) != TERM_MUL) {
    vec_push(out, t);
    return;
  }
  for (size_t i = 0; i < term_arg_count(ts, t); i++)
    factors(ts, term_arg(ts, t, i), out);
}

static term_id align(struct terms *ts, term_id a, term_id b) {
  term_id atom, result = TERM_NONE;
  fmpq_t c;
  fmpq_init(c);
  if (term_split_coefficient(ts, b, c, &atom) && atom != TERM_NONE && !fmpq_is_zero(c)) {
    term_list parts = {0};
    factors(ts, a, &parts);
    for (size_t i = 0; i < parts.len && result == TERM_NONE; i++) {
      if (!is_parameter(ts, parts.at[i])) continue;
      parts.at[i] = term_div(ts, parts.at[i], atom);
      fmpq_inv(c, c);
      result = term_mul(ts, term_num(ts, c, SORT_REAL), term_product(ts, parts.at, parts.len));
    }
    vec_clear(&parts);
  }
  fmpq_clear(c);
  return result == TERM_NONE ? term_div(ts, a, b) : result;
}

static term_id rewrite(struct terms *ts, struct memo *memo, term_id t) {
  size_t count = term_arg_count(ts, t);
  if (count == 0) return t;
  uint32_t known;
  if (memo_find(memo, t, &known)) return known;
  term_list args = {0};
  for (size_t i = 0; i < count; i++)
    vec_push(&args, rewrite(ts, memo, term_arg(ts, t, i)));
  term_id result = term_kind(ts, t) == TERM_DIV ? align(ts, args.at[0], args.at[1])
                                                : term_rebuild(ts, t, args.at);
  vec_clear(&args);
  memo_put(memo, t, result);
  return result;
}

term_id quotients_aligned(struct terms *ts, term_id t) {
  if (t == TERM_NONE) return t;
  struct memo memo;
  memo_init(&memo);
  term_id result = rewrite(ts, &memo, t);
  memo_clear(&memo);
  return result;
}
