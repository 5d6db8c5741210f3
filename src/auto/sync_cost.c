#include <math.h>

#include "auto/sync.h"
#include "smt/normalise.h"
#include "term/build.h"
#include "term/print.h"

/* Values of parameters: far apart from each other, in different ways at different points, so that
 * no cost looks small because two parameters happen to be close. Lengths of data are large. */
static double point_of(const struct sync *s, term_id var, unsigned seed) {
  static const double reals[] = {0.7, 0.11, 1.9, 0.31, 4.3}, ints[] = {3, 50, 2, 700, 11};
  unsigned mixed = (unsigned)(var * 2654435761u + seed * 40503u);
  mixed ^= mixed >> 15;
  if (sync_var(s, var) != SIZE_MAX) return 1; /* a counter, say: small */
  if (term_sort(s->ts, var) != SORT_INT) return reals[mixed % 5];
  double value = ints[mixed % 5] + seed % 3;
  for (size_t i = 0; i < s->lengths.len; i++)
    if (s->lengths.at[i] == var) value *= 1000;
  return value;
}

double sync_value(struct sync *s, term_id t, unsigned point) {
  struct terms *ts = s->ts;
  if (t == TERM_NONE) return INFINITY;
  size_t count = term_arg_count(ts, t);
#define ARG(i) sync_value(s, term_arg(ts, t, (i)), point)
  switch (term_kind(ts, t)) {
  case TERM_NUM: return fmpq_get_d(term_num_value(ts, t));
  case TERM_VAR: return point_of(s, t, s->points[point]);
  case TERM_ADD: {
    double sum = 0;
    for (size_t i = 0; i < count; i++)
      sum += ARG(i);
    return sum;
  }
  case TERM_MUL: {
    double product = 1;
    for (size_t i = 0; i < count; i++)
      product *= ARG(i);
    return product;
  }
  case TERM_POW: return pow(ARG(0), term_get(ts, t)->data);
  case TERM_RAISE: return pow(term_get(ts, t)->data, ARG(0));
  case TERM_DIV: return ARG(0) / ARG(1);
  case TERM_TO_REAL: return ARG(0);
  case TERM_FLOOR: return floor(ARG(0));
  case TERM_CEIL: return ceil(ARG(0));
  case TERM_ABS: return fabs(ARG(0));
  case TERM_MIN: return fmin(ARG(0), ARG(1));
  case TERM_MAX: return fmax(ARG(0), ARG(1));
  case TERM_EXP: return exp(ARG(0));
  case TERM_LN: return log(ARG(0));
  case TERM_SQRT: return sqrt(ARG(0));
  case TERM_ITE: return fmax(ARG(1), ARG(2));
  default: return 1;
  }
#undef ARG
}

/* 1, 0, or -1: cannot be said. */
static int truth(struct sync *s, term_id t, unsigned point) {
  struct terms *ts = s->ts;
  size_t count = term_arg_count(ts, t);
  switch (term_kind(ts, t)) {
  case TERM_LE:
    return sync_value(s, term_arg(ts, t, 0), point) <= sync_value(s, term_arg(ts, t, 1), point);
  case TERM_LT:
    return sync_value(s, term_arg(ts, t, 0), point) < sync_value(s, term_arg(ts, t, 1), point);
  case TERM_AND:
    for (size_t i = 0; i < count; i++) {
      int one = truth(s, term_arg(ts, t, i), point);
      if (one <= 0) return one;
    }
    return 1;
  default: return -1;
  }
}

/* Points that satisfy what is assumed of the parameters, as far as that can be seen. */
void sync_find_points(struct sync *s) {
  for (unsigned seed = 0; seed < 256 && s->point_count < SYNC_POINTS; seed++) {
    unsigned here = s->point_count;
    s->points[s->point_count++] = seed;
    for (size_t i = 0; i < kernel_fact_count(s->k); i++) {
      term_id fact = kernel_fact(s->k, i);
      unsigned flags = term_get(s->ts, fact)->flags;
      if (flags & (TERM_HAS_RUN1 | TERM_HAS_RUN2 | TERM_HAS_QUANTIFIER)) continue;
      if (truth(s, fact, here) == 0) {
        s->point_count = here;
        break;
      }
    }
  }
  if (s->point_count == 0) s->points[s->point_count++] = 0; /* then any values must do */
}

/* The worst of the points, compared with what is claimed there if a cost is claimed. */
double sync_weight(struct sync *s, term_id cost) {
  double most = 0, sum = 0;
  for (unsigned i = 0; i < s->point_count; i++) {
    double here = sync_value(s, cost, i);
    if (!s->problem->wants_least) here /= sync_value(s, claim_budget(s->problem->goal), i);
    most = fmax(most, here);
    sum += here;
  }
  return sum < 0 ? sum : most + 1e-3 * sum;
}

term_id sync_max(struct sync *s, term_id a, term_id b) {
  if (a == b) return a;
  bool a_wins = true, b_wins = true;
  for (unsigned i = 0; i < s->point_count; i++) {
    double x = sync_value(s, a, i), y = sync_value(s, b, i), slack = 1e-9 * (fabs(x) + fabs(y));
    a_wins &= x >= y - slack;
    b_wins &= y >= x - slack;
  }
  return a_wins ? a : b_wins ? b : term_max(s->ts, a, b);
}

/* ---- text ------------------------------------------------------------------------------------ */

static bool believe(void *context, term_id formula) {
  (void)context, (void)formula;
  return true; /* divisors are scales: positive; what is proved does not rest on it */
}

static char *text_of(struct sync *s, term_id t) {
  char *text = term_text(s->ts, t);
  char *kept = arena_printf(s->arena, "%s", text);
  free(text);
  return kept;
}

/* A polynomial as content * monomial * primitive rest. */
struct parts {
  struct ratio content;
  term_id monomial, rest; /* 1 where trivial */
};

static struct parts take_apart(struct sync *s, const fmpq_mpoly_t p, struct ratfun_ring *ring) {
  fmpq_mpoly_t monomial, rest;
  fmpq_t content;
  fmpq_mpoly_init(monomial, ring->ctx);
  fmpq_mpoly_init(rest, ring->ctx);
  fmpq_init(content);
  fmpq_mpoly_term_content(monomial, p, ring->ctx);
  fmpq_mpoly_make_monic(monomial, monomial, ring->ctx);
  fmpq_mpoly_divides(rest, p, monomial, ring->ctx);
  fmpq_mpoly_content(content, rest, ring->ctx);
  fmpq_mpoly_scalar_div_fmpq(rest, rest, content, ring->ctx);
  struct parts out = {.content = ratio_from_fmpq(content),
                      .monomial = ratfun_poly_term(monomial, ring),
                      .rest = ratfun_poly_term(rest, ring)};
  fmpq_clear(content);
  fmpq_mpoly_clear(rest, ring->ctx);
  fmpq_mpoly_clear(monomial, ring->ctx);
  (void)s;
  return out;
}

static bool is_one(struct sync *s, term_id t) {
  return term_is_num(s->ts, t) && fmpq_is_one(term_num_value(s->ts, t));
}

/* A sum with its number in front: 1 + 6*N. */
static const char *sum_text(struct sync *s, term_id t) {
  size_t n = term_arg_count(s->ts, t);
  if (term_kind(s->ts, t) != TERM_ADD || !term_is_num(s->ts, term_arg(s->ts, t, n - 1)))
    return text_of(s, t);
  term_id last = term_arg(s->ts, t, n - 1);
  char *number = text_of(s, last), *rest = text_of(s, term_sub(s->ts, t, last));
  return rest[0] == '-' || number[0] == '-' ? text_of(s, t)
                                            : arena_printf(s->arena, "%s + %s", number, rest);
}

/* factor*b, where b or factor may be 1. */
static const char *times(struct sync *s, const char *a, const char *b) {
  if (!a[0]) return b;
  return b[0] ? arena_printf(s->arena, "%s*%s", a, b) : a;
}

static const char *assemble(struct sync *s, const struct parts *num, const struct parts *den) {
  struct ratio c = ratio_div(num->content, den->content);
  const char *poly =
      is_one(s, num->rest) ? "" : arena_printf(s->arena, "(%s)", sum_text(s, num->rest));
  const char *monomial = is_one(s, num->monomial) ? "" : text_of(s, num->monomial);
  const char *top = c.num == 1 ? "" : arena_printf(s->arena, "%ld", c.num);
  const char *below = c.den == 1 ? "" : arena_printf(s->arena, "%ld", c.den);
  bool whole = is_one(s, den->rest) && is_one(s, den->monomial);
  if (whole && poly[0] && below[0]) /* (1 + 6*N)/4*eps */
    return times(s, arena_printf(s->arena, "%s/%s", times(s, top, poly), below), monomial);
  const char *over = times(s, times(s, top, poly), monomial);
  if (!is_one(s, den->monomial)) below = times(s, below, text_of(s, den->monomial));
  if (!is_one(s, den->rest))
    below = times(s, below, arena_printf(s->arena, "(%s)", sum_text(s, den->rest)));
  if (!over[0]) over = "1";
  if (!below[0]) return over;
  bool product = false;
  for (const char *q = below; *q; q++)
    product |= *q == '*';
  return arena_printf(s->arena, product ? "%s/(%s)" : "%s/%s", over, below);
}

const char *sync_cost_text(struct sync *s, term_id cost) {
  struct normaliser n;
  struct ratfun f;
  normaliser_init(&n, s->ts, believe, NULL);
  ratfun_init(&f, &n.ring);
  const char *text = NULL;
  if (normalise_ratfun(&n, cost, &f)) {
    if (fmpq_mpoly_is_zero(f.num, n.ring.ctx)) {
      text = "0";
    } else {
      struct parts num = take_apart(s, f.num, &n.ring), den = take_apart(s, f.den, &n.ring);
      struct ratio c = ratio_div(num.content, den.content);
      if (ratio_is_finite(c) && c.num > 0) text = assemble(s, &num, &den);
    }
  }
  ratfun_clear(&f, &n.ring);
  normaliser_clear(&n);
  return text ? text : text_of(s, cost);
}
