#include "smt/derive.h"

#include "term/build.h"
#include "term/memo.h"
#include "term/subst.h"

struct deriver {
  struct terms *ts;
  term_id var;
  struct memo memo;
};

static term_id derive(struct deriver *d, term_id t);

static term_id derive_sum(struct deriver *d, term_id t) {
  term_list parts = {0};
  for (size_t i = 0; i < term_arg_count(d->ts, t); i++)
    vec_push(&parts, derive(d, term_arg(d->ts, t, i)));
  term_id result = term_sum(d->ts, parts.at, parts.len);
  vec_clear(&parts);
  return result;
}

/* (x y z)' = x' y z + x y' z + x y z' */
static term_id derive_product(struct deriver *d, term_id t) {
  size_t n = term_arg_count(d->ts, t);
  term_list parts = {0}, factors = {0};
  for (size_t i = 0; i < n; i++) {
    factors.len = 0;
    for (size_t k = 0; k < n; k++) {
      term_id factor = term_arg(d->ts, t, k);
      vec_push(&factors, k == i ? derive(d, factor) : factor);
    }
    vec_push(&parts, term_product(d->ts, factors.at, factors.len));
  }
  term_id result = term_sum(d->ts, parts.at, parts.len);
  vec_clear(&parts);
  vec_clear(&factors);
  return result;
}

/* (a/b)' = a'/b - a b'/b^2 */
static term_id derive_quotient(struct deriver *d, term_id a, term_id b) {
  struct terms *ts = d->ts;
  term_id first = term_div(ts, derive(d, a), b);
  term_id second = term_div(ts, term_mul(ts, a, derive(d, b)), term_pow(ts, b, 2));
  return term_sub(ts, first, second);
}

static term_id derive(struct deriver *d, term_id t) {
  struct terms *ts = d->ts;
  if (t == TERM_NONE) return TERM_NONE;
  if (t == d->var) return term_rat(ts, 1, 1);
  if (!term_mentions(ts, t, &d->var, 1)) return term_rat(ts, 0, 1);
  uint32_t known;
  if (memo_find(&d->memo, t, &known)) return known;
  struct term_node n = *term_get(ts, t);
  term_id a = n.count ? term_arg(ts, t, 0) : TERM_NONE, result = TERM_NONE;
  switch (n.kind) {
  case TERM_ADD: result = derive_sum(d, t); break;
  case TERM_MUL: result = derive_product(d, t); break;
  case TERM_POW: {
    term_id outer = term_mul(ts, term_rat(ts, n.data, 1), term_pow(ts, a, n.data - 1));
    result = term_mul(ts, outer, derive(d, a));
    break;
  }
  case TERM_DIV: result = derive_quotient(d, a, term_arg(ts, t, 1)); break;
  case TERM_EXP: result = term_mul(ts, t, derive(d, a)); break;
  case TERM_LN: result = term_div(ts, derive(d, a), a); break;
  case TERM_SQRT: result = term_div(ts, derive(d, a), term_mul(ts, term_rat(ts, 2, 1), t)); break;
  default: break;
  }
  memo_put(&d->memo, t, result);
  return result;
}

term_id term_derivative(struct terms *ts, term_id t, term_id var) {
  if (t == TERM_NONE || term_sort(ts, t) != SORT_REAL || term_kind(ts, var) != TERM_VAR ||
      term_sort(ts, var) != SORT_REAL || term_get(ts, t)->loose)
    return TERM_NONE;
  struct deriver d = {.ts = ts, .var = var};
  memo_init(&d.memo);
  term_id result = derive(&d, t);
  memo_clear(&d.memo);
  return result;
}
