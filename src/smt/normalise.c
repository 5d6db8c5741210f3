#include "smt/normalise.h"

#include <limits.h>

#include "term/build.h"

void normaliser_init(struct normaliser *n, struct terms *ts, bool (*prove)(void *, term_id),
                     void *context) {
  *n = (struct normaliser){.ts = ts, .prove = prove, .context = context};
  ratfun_ring_init(&n->ring, ts);
  memo_init(&n->proved);
  memo_init(&n->memo);
}

void normaliser_clear(struct normaliser *n) {
  ratfun_ring_clear(&n->ring);
  memo_clear(&n->proved);
  memo_clear(&n->memo);
}

bool normaliser_proves(struct normaliser *n, term_id formula) {
  if (formula == TERM_NONE) return false;
  if (formula == n->ts->true_term) return true;
  uint32_t known;
  if (memo_find(&n->proved, formula, &known)) return known;
  bool yes = n->prove(n->context, formula);
  memo_put(&n->proved, formula, yes);
  return yes;
}

static bool proves_positive(struct normaliser *n, term_id t) {
  return normaliser_proves(n, term_lt(n->ts, term_rat(n->ts, 0, 1), t));
}

static bool proves_nonzero(struct normaliser *n, term_id t) {
  return normaliser_proves(n, term_ne(n->ts, t, term_rat(n->ts, 0, 1)));
}

static bool fold(struct normaliser *n, term_id t, struct ratfun *out) {
  bool sum = term_kind(n->ts, t) == TERM_ADD;
  struct ratfun item;
  ratfun_init(&item, &n->ring);
  bool ok = normalise_ratfun(n, term_arg(n->ts, t, 0), out);
  for (size_t i = 1; ok && i < term_arg_count(n->ts, t); i++)
    ok = normalise_ratfun(n, term_arg(n->ts, t, i), &item) &&
         (sum ? ratfun_add : ratfun_mul)(out, out, &item, &n->ring);
  ratfun_clear(&item, &n->ring);
  return ok;
}

static bool quotient(struct normaliser *n, term_id t, struct ratfun *out) {
  term_id a = term_arg(n->ts, t, 0), b = term_arg(n->ts, t, 1);
  if (!proves_nonzero(n, b)) {
    term_id atom = term_div(n->ts, normalise(n, a), normalise(n, b));
    return atom && ratfun_set_atom(out, atom, &n->ring);
  }
  struct ratfun divisor;
  ratfun_init(&divisor, &n->ring);
  bool ok = normalise_ratfun(n, a, out) && normalise_ratfun(n, b, &divisor) &&
            ratfun_inv(&divisor, &divisor, &n->ring) && ratfun_mul(out, out, &divisor, &n->ring);
  ratfun_clear(&divisor, &n->ring);
  return ok;
}

/* Is monomial i of p an integer multiple of ln(u), u > 0? */
static bool is_log_monomial(struct normaliser *n, const fmpq_mpoly_t p, slong i, long *k,
                            term_id *u) {
  struct ratfun_ring *ring = &n->ring;
  ulong exponents[RATFUN_ATOMS];
  fmpq_mpoly_get_term_exp_ui(exponents, p, i, ring->ctx);
  size_t at = RATFUN_ATOMS;
  for (size_t j = 0; j < ring->atoms.len; j++) {
    if (!exponents[j]) continue;
    if (exponents[j] > 1 || at != RATFUN_ATOMS) return false;
    at = j;
  }
  if (at == RATFUN_ATOMS || term_kind(n->ts, ring->atoms.at[at]) != TERM_LN) return false;
  fmpq_t c;
  fmpq_init(c);
  fmpq_mpoly_get_term_coeff_fmpq(c, p, i, ring->ctx);
  bool small = fmpz_is_one(fmpq_denref(c)) && fmpz_bits(fmpq_numref(c)) <= 4;
  *k = small ? fmpz_get_si(fmpq_numref(c)) : 0;
  fmpq_clear(c);
  *u = term_arg(n->ts, ring->atoms.at[at], 0);
  return small && proves_positive(n, *u);
}

/* exp(a + k ln u) = u^k exp(a). */
static bool exponential(struct normaliser *n, term_id t, struct ratfun *out) {
  struct ratfun_ring *ring = &n->ring;
  struct ratfun arg, rest, factor;
  ratfun_init(&arg, ring);
  ratfun_init(&rest, ring);
  ratfun_init(&factor, ring);
  fmpq_t one;
  fmpq_init(one);
  fmpq_one(one);
  ratfun_set_number(out, one, ring);
  bool ok = normalise_ratfun(n, term_arg(n->ts, t, 0), &arg);
  bool split = ok && fmpq_mpoly_is_one(arg.den, ring->ctx);
  if (split) ratfun_set(&rest, &arg, ring);
  for (slong i = 0; ok && split && i < fmpq_mpoly_length(arg.num, ring->ctx); i++) {
    long k;
    term_id u;
    if (!is_log_monomial(n, arg.num, i, &k, &u)) continue;
    fmpq_mpoly_get_term(factor.den, arg.num, i, ring->ctx);
    fmpq_mpoly_sub(rest.num, rest.num, factor.den, ring->ctx);
    ok = normalise_ratfun(n, u, &factor) && (k > 0 || ratfun_inv(&factor, &factor, ring)) &&
         ratfun_pow(&factor, &factor, (unsigned long)labs(k), ring) &&
         ratfun_mul(out, out, &factor, ring);
  }
  term_id left = ok ? ratfun_term(split ? &rest : &arg, ring) : TERM_NONE;
  term_id e = term_exp(n->ts, left);
  ok = ok && e != TERM_NONE;
  if (ok && term_kind(n->ts, e) == TERM_EXP)
    ok = ratfun_set_atom(&factor, e, ring) && ratfun_mul(out, out, &factor, ring);
  fmpq_clear(one);
  ratfun_clear(&arg, ring);
  ratfun_clear(&rest, ring);
  ratfun_clear(&factor, ring);
  return ok;
}

/* Power of generator i that divides every monomial of p. */
static ulong common_power(const fmpq_mpoly_t p, size_t i, struct ratfun_ring *ring) {
  ulong least = ULONG_MAX, exponents[RATFUN_ATOMS];
  for (slong k = 0; k < fmpq_mpoly_length(p, ring->ctx); k++) {
    fmpq_mpoly_get_term_exp_ui(exponents, p, k, ring->ctx);
    if (exponents[i] < least) least = exponents[i];
  }
  return least == ULONG_MAX ? 0 : least;
}

/* ln(u * exp(a)^k) = ln(u) + k a, where the whole argument is positive. */
static bool logarithm(struct normaliser *n, term_id t, struct ratfun *out) {
  struct ratfun_ring *ring = &n->ring;
  struct terms *ts = n->ts;
  struct ratfun arg, factor;
  ratfun_init(&arg, ring);
  ratfun_init(&factor, ring);
  bool ok = normalise_ratfun(n, term_arg(ts, t, 0), &arg);
  term_list pulled = {0};
  size_t atoms = ring->atoms.len;
  for (size_t i = 0; ok && i < atoms; i++) {
    term_id atom = ring->atoms.at[i];
    if (term_kind(ts, atom) != TERM_EXP) continue;
    ulong above = common_power(arg.num, i, ring), below = common_power(arg.den, i, ring);
    if (above == below || above + below > RATFUN_DEGREE) continue;
    if (!proves_positive(n, term_arg(ts, t, 0))) break;
    ok = ratfun_set_atom(&factor, atom, ring) &&
         ratfun_pow(&factor, &factor, above > below ? above - below : below - above, ring) &&
         (above < below || ratfun_inv(&factor, &factor, ring)) &&
         ratfun_mul(&arg, &arg, &factor, ring);
    long k = (long)above - (long)below;
    vec_push(&pulled, term_mul(ts, term_rat(ts, k, 1), term_arg(ts, atom, 0)));
  }
  term_id log = ok ? term_ln(ts, ratfun_term(&arg, ring)) : TERM_NONE;
  ok = log != TERM_NONE;
  if (ok && term_kind(ts, log) == TERM_LN)
    ok = ratfun_set_atom(out, log, ring);
  else if (ok)
    ok = normalise_ratfun(n, log, out);
  for (size_t i = 0; ok && i < pulled.len; i++)
    ok = normalise_ratfun(n, pulled.at[i], &factor) && ratfun_add(out, out, &factor, ring);
  vec_clear(&pulled);
  ratfun_clear(&arg, ring);
  ratfun_clear(&factor, ring);
  return ok;
}

static term_id rebuild(struct normaliser *n, term_id t) {
  term_list args = {0};
  for (size_t i = 0; i < term_arg_count(n->ts, t); i++)
    vec_push(&args, normalise(n, term_arg(n->ts, t, i)));
  term_id result = term_rebuild(n->ts, t, args.at);
  vec_clear(&args);
  return result;
}

bool normalise_ratfun(struct normaliser *n, term_id t, struct ratfun *out) {
  struct terms *ts = n->ts;
  if (t == TERM_NONE) return false;
  switch (term_kind(ts, t)) {
  case TERM_NUM: ratfun_set_number(out, term_num_value(ts, t), &n->ring); return true;
  case TERM_ADD:
  case TERM_MUL: return fold(n, t, out);
  case TERM_POW:
    return normalise_ratfun(n, term_arg(ts, t, 0), out) &&
           ratfun_pow(out, out, term_get(ts, t)->data, &n->ring);
  case TERM_DIV: return quotient(n, t, out);
  case TERM_EXP: return exponential(n, t, out);
  case TERM_LN: return logarithm(n, t, out);
  default: break;
  }
  term_id inner = rebuild(n, t);
  if (inner == TERM_NONE) return false;
  /* rebuilding may have uncovered arithmetic, say ln(exp(a)) = a */
  enum term_kind kind = term_kind(ts, inner);
  if (inner != t && (kind == TERM_NUM || kind == TERM_ADD || kind == TERM_MUL))
    return normalise_ratfun(n, inner, out);
  return ratfun_set_atom(out, inner, &n->ring);
}

term_id normalise(struct normaliser *n, term_id t) {
  struct terms *ts = n->ts;
  if (t == TERM_NONE) return TERM_NONE;
  if (term_get(ts, t)->loose || term_get(ts, t)->flags & TERM_HAS_QUANTIFIER) return t;
  uint32_t known;
  if (memo_find(&n->memo, t, &known)) return known;
  term_id result;
  if (term_sort(ts, t) == SORT_REAL) {
    struct ratfun f;
    ratfun_init(&f, &n->ring);
    result = normalise_ratfun(n, t, &f) ? ratfun_term(&f, &n->ring) : TERM_NONE;
    ratfun_clear(&f, &n->ring);
    if (result == TERM_NONE) result = t; /* too large: leave it */
  } else {
    result = rebuild(n, t);
  }
  memo_put(&n->memo, t, result);
  return result;
}
