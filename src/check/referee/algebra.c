#include "check/referee/algebra.h"

#include <flint/fmpq_mpoly.h>

#include "term/build.h"
#include "term/memo.h"

enum relation { RELATION_NONE, RELATION_GE, RELATION_GT, RELATION_EQ, RELATION_NE };

/* What the negation of a literal says: left - right (- 1) against 0. */
struct hypothesis {
  enum relation relation;
  term_id left, right;
  bool less_one;
  fmpq_mpoly_t value;
};

struct algebra {
  struct terms *ts;
  struct memo generators; /* term -> 1 + its number; 0 for sums and products */
  size_t count;
  size_t work; /* so far: shared subterms are read again, so that a small step could take forever */
  fmpq_mpoly_ctx_t ctx;
  struct hypothesis *hypotheses;
  size_t hypothesis_count;
};

/* ---- reading literals ------------------------------------------------------------------------ */

static struct hypothesis negation(struct terms *ts, struct literal l) {
  struct hypothesis h = {.relation = RELATION_NONE};
  enum term_kind kind = term_kind(ts, l.atom);
  if (kind != TERM_EQ && kind != TERM_LE && kind != TERM_LT) return h;
  term_id a = term_arg(ts, l.atom, 0), b = term_arg(ts, l.atom, 1);
  if (term_sort(ts, a) != term_sort(ts, b) || term_sort(ts, a) == SORT_BOOL) return h;
  bool is_int = term_sort(ts, a) == SORT_INT;
  if (is_int) { /* integers count as reals: the builders give both the same form */
    a = term_to_real(ts, a);
    b = term_to_real(ts, b);
    if (a == TERM_NONE || b == TERM_NONE) return h;
  }
  if (kind == TERM_EQ)
    return (struct hypothesis){
        .relation = l.negated ? RELATION_EQ : RELATION_NE, .left = a, .right = b};
  if (!sort_is_numeric(term_sort(ts, a))) return h;
  /* a <= b: b - a >= 0; not (a <= b): a - b > 0; the same for < with the other strictness */
  bool is_strict = (kind == TERM_LT) == l.negated;
  h.left = l.negated ? b : a;
  h.right = l.negated ? a : b;
  h.less_one = is_strict && is_int;
  h.relation = is_strict && !h.less_one ? RELATION_GT : RELATION_GE;
  return h;
}

/* ---- terms as polynomials -------------------------------------------------------------------- */

static bool is_compound(enum term_kind kind) {
  return kind == TERM_ADD || kind == TERM_MUL || kind == TERM_POW || kind == TERM_TO_REAL ||
         kind == TERM_NUM;
}

static void find_generators(struct algebra *g, term_id t) {
  uint32_t known;
  if (memo_find(&g->generators, t, &known)) return;
  bool compound = is_compound(term_kind(g->ts, t));
  memo_put(&g->generators, t, compound ? 0 : (uint32_t)++g->count);
  for (size_t i = 0; compound && i < term_arg_count(g->ts, t); i++)
    find_generators(g, term_arg(g->ts, t, i));
}

static bool spend(struct algebra *g, size_t work) {
  g->work += work;
  return g->work <= ALGEBRA_WORK;
}

static bool in_limits(struct algebra *g, const fmpq_mpoly_t p) {
  return fmpq_mpoly_length(p, g->ctx) <= ALGEBRA_MONOMIALS &&
         fmpq_mpoly_total_degree_si(p, g->ctx) <= ALGEBRA_DEGREE &&
         (slong)fmpq_height_bits(p->content) <= ALGEBRA_BITS &&
         FLINT_ABS(fmpz_mpoly_max_bits(p->zpoly)) <= ALGEBRA_BITS;
}

/* p := p * q. False: too large. */
static bool multiply(struct algebra *g, fmpq_mpoly_t p, const fmpq_mpoly_t q) {
  slong terms = fmpq_mpoly_length(p, g->ctx), others = fmpq_mpoly_length(q, g->ctx);
  if (others && terms > 100 * ALGEBRA_MONOMIALS / others) return false;
  if (!spend(g, (size_t)(terms * others))) return false;
  fmpq_mpoly_mul(p, p, q, g->ctx);
  return in_limits(g, p);
}

static bool polynomial(struct algebra *g, term_id t, fmpq_mpoly_t out);

/* out := out + t, or out * t. */
static bool combine(struct algebra *g, term_id t, bool is_sum, fmpq_mpoly_t out) {
  fmpq_mpoly_t part;
  fmpq_mpoly_init(part, g->ctx);
  bool ok = polynomial(g, t, part);
  if (ok && is_sum) fmpq_mpoly_add(out, out, part, g->ctx);
  if (ok && !is_sum) ok = multiply(g, out, part);
  fmpq_mpoly_clear(part, g->ctx);
  return ok && in_limits(g, out);
}

static bool polynomial(struct algebra *g, term_id t, fmpq_mpoly_t out) {
  enum term_kind kind = term_kind(g->ts, t);
  uint32_t generator;
  if (!spend(g, 1)) return false;
  switch (kind) {
  case TERM_NUM:
    fmpq_mpoly_set_fmpq(out, term_num_value(g->ts, t), g->ctx);
    return in_limits(g, out);
  case TERM_TO_REAL: return polynomial(g, term_arg(g->ts, t, 0), out);
  case TERM_ADD:
  case TERM_MUL: {
    bool ok = true;
    if (kind == TERM_ADD)
      fmpq_mpoly_zero(out, g->ctx);
    else
      fmpq_mpoly_one(out, g->ctx);
    for (size_t i = 0; ok && i < term_arg_count(g->ts, t); i++)
      ok = combine(g, term_arg(g->ts, t, i), kind == TERM_ADD, out);
    return ok;
  }
  case TERM_POW: {
    uint32_t exponent = term_get(g->ts, t)->data;
    if (exponent > ALGEBRA_DEGREE) return false;
    fmpq_mpoly_one(out, g->ctx);
    for (uint32_t i = 0; i < exponent; i++)
      if (!combine(g, term_arg(g->ts, t, 0), false, out)) return false;
    return true;
  }
  default:
    if (!memo_find(&g->generators, t, &generator)) return false;
    fmpq_mpoly_gen(out, (slong)generator - 1, g->ctx);
    return true;
  }
}

static bool hypothesis_value(struct algebra *g, struct hypothesis *h) {
  fmpq_mpoly_t right;
  fmpq_mpoly_init(right, g->ctx);
  bool ok = polynomial(g, h->left, h->value) && polynomial(g, h->right, right);
  if (ok) {
    fmpq_mpoly_sub(h->value, h->value, right, g->ctx);
    if (h->less_one) fmpq_mpoly_sub_si(h->value, h->value, 1, g->ctx);
  }
  fmpq_mpoly_clear(right, g->ctx);
  return ok;
}

/* ---- the sum --------------------------------------------------------------------------------- */

/* What is known of a summand besides its value. */
struct sign {
  bool is_zero; /* it has an equation as a factor */
  bool is_strict;
};

static bool is_nonnegative_number(struct terms *ts, term_id t) {
  return term_is_num(ts, t) && fmpq_sgn(term_num_value(ts, t)) >= 0;
}

static bool is_numeric(struct terms *ts, term_id t) {
  return t != TERM_NONE && !term_get(ts, t)->loose && term_sort(ts, t) == SORT_REAL;
}

static bool summand_sign(struct algebra *g, const struct summand *s, struct sign *sign) {
  *sign = (struct sign){.is_strict = !s->squares.len};
  if (!is_numeric(g->ts, s->multiplier)) return false;
  for (size_t i = 0; i < s->factors.len; i++) {
    if (s->factors.at[i] >= g->hypothesis_count) return false;
    enum relation r = g->hypotheses[s->factors.at[i]].relation;
    if (r == RELATION_NONE || r == RELATION_NE) return false;
    sign->is_zero = sign->is_zero || r == RELATION_EQ;
    sign->is_strict = sign->is_strict && r == RELATION_GT;
  }
  if (sign->is_zero) return true;
  if (!is_nonnegative_number(g->ts, s->multiplier)) return false;
  sign->is_strict = sign->is_strict && fmpq_sgn(term_num_value(g->ts, s->multiplier)) > 0;
  return true;
}

static bool add_summand(struct algebra *g, const struct summand *s, fmpq_mpoly_t total) {
  fmpq_mpoly_t product;
  fmpq_mpoly_init(product, g->ctx);
  bool ok = polynomial(g, s->multiplier, product);
  for (size_t i = 0; ok && i < s->factors.len; i++)
    ok = multiply(g, product, g->hypotheses[s->factors.at[i]].value);
  for (size_t i = 0; ok && i < 2 * s->squares.len; i++)
    ok = combine(g, s->squares.at[i / 2], false, product);
  if (ok) fmpq_mpoly_add(total, total, product, g->ctx);
  fmpq_mpoly_clear(product, g->ctx);
  return ok && in_limits(g, total);
}

static bool is_negative_number(struct algebra *g, const fmpq_mpoly_t p) {
  if (!fmpq_mpoly_is_fmpq(p, g->ctx)) return false;
  fmpq_t c;
  fmpq_init(c);
  fmpq_mpoly_get_fmpq(c, p, g->ctx);
  bool negative = fmpq_sgn(c) < 0;
  fmpq_clear(c);
  return negative;
}

/* All sums of the step are in order, and their total contradicts what is known of its sign. */
static bool is_contradiction(struct algebra *g, const struct step *step) {
  bool ok = true, any_strict = false, all_zero = true;
  fmpq_mpoly_t total;
  fmpq_mpoly_init(total, g->ctx);
  for (size_t i = 0; ok && i < step->sum.len; i++) {
    struct sign sign;
    ok = summand_sign(g, &step->sum.at[i], &sign) && add_summand(g, &step->sum.at[i], total);
    all_zero = all_zero && sign.is_zero;
    any_strict = any_strict || (!sign.is_zero && sign.is_strict);
  }
  if (ok && step->number)
    ok = all_zero && g->hypotheses[step->number - 1].relation == RELATION_NE &&
         fmpq_mpoly_equal(total, g->hypotheses[step->number - 1].value, g->ctx);
  else if (ok)
    ok = is_negative_number(g, total) || (any_strict && fmpq_mpoly_is_zero(total, g->ctx));
  fmpq_mpoly_clear(total, g->ctx);
  return ok;
}

/* ---- the whole ------------------------------------------------------------------------------- */

static bool find_all_generators(struct algebra *g, const struct step *step) {
  for (size_t i = 0; i < g->hypothesis_count; i++) {
    struct hypothesis *h = &g->hypotheses[i];
    *h = negation(g->ts, step->literals.at[i]);
    if (h->relation == RELATION_NONE) continue;
    find_generators(g, h->left);
    find_generators(g, h->right);
  }
  for (size_t i = 0; i < step->sum.len; i++) {
    const struct summand *s = &step->sum.at[i];
    if (!is_numeric(g->ts, s->multiplier)) return false;
    find_generators(g, s->multiplier);
    for (size_t k = 0; k < s->squares.len; k++) {
      if (!is_numeric(g->ts, s->squares.at[k])) return false;
      find_generators(g, s->squares.at[k]);
    }
  }
  return true;
}

static bool check(struct algebra *g, const struct step *step) {
  fmpq_mpoly_ctx_init(g->ctx, (slong)g->count + 1, ORD_LEX); /* one more: never none */
  bool ok = true;
  for (size_t i = 0; i < g->hypothesis_count; i++)
    fmpq_mpoly_init(g->hypotheses[i].value, g->ctx);
  for (size_t i = 0; ok && i < g->hypothesis_count; i++)
    if (g->hypotheses[i].relation != RELATION_NONE) ok = hypothesis_value(g, &g->hypotheses[i]);
  ok = ok && is_contradiction(g, step);
  for (size_t i = 0; i < g->hypothesis_count; i++)
    fmpq_mpoly_clear(g->hypotheses[i].value, g->ctx);
  fmpq_mpoly_ctx_clear(g->ctx);
  return ok;
}

bool algebra_accepts(struct terms *ts, const struct step *step) {
  if (step->number > step->literals.len) return false;
  struct algebra g = {.ts = ts, .hypothesis_count = step->literals.len};
  g.hypotheses = xcalloc(step->literals.len + 1, sizeof *g.hypotheses);
  memo_init(&g.generators);
  bool ok = find_all_generators(&g, step) && check(&g, step);
  memo_clear(&g.generators);
  free(g.hypotheses);
  return ok;
}
