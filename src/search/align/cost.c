#include "out/print.h"
#include "search/align/align.h"
#include "smt/normalise.h"
#include "term/build.h"

double align_weight(struct align *s, term_id cost) {
  return points_weight(&s->points, cost);
}

term_id align_max(struct align *s, term_id a, term_id b) {
  return points_max(&s->points, a, b);
}

/* ---- text ------------------------------------------------------------------------------------ */

static bool believe(void *context, term_id formula) {
  (void)context, (void)formula;
  return true; /* divisors are scales: positive; what is proved does not rest on it */
}

static char *text_of(struct align *s, term_id t) {
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

static struct parts take_apart(struct align *s, const fmpq_mpoly_t p, struct ratfun_ring *ring) {
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

static bool is_one(struct align *s, term_id t) {
  return term_is_num(s->ts, t) && fmpq_is_one(term_num_value(s->ts, t));
}

/* A sum with its number in front: 1 + 6*N. */
static const char *sum_text(struct align *s, term_id t) {
  size_t n = term_arg_count(s->ts, t);
  if (term_kind(s->ts, t) != TERM_ADD || !term_is_num(s->ts, term_arg(s->ts, t, n - 1)))
    return text_of(s, t);
  term_id last = term_arg(s->ts, t, n - 1), others = term_sub(s->ts, t, last);
  char *number = text_of(s, last), *rest = text_of(s, others);
  if (term_kind(s->ts, others) == TERM_ITE) return text_of(s, t);
  return rest[0] == '-' || number[0] == '-' ? text_of(s, t)
                                            : arena_printf(s->arena, "%s + %s", number, rest);
}

/* factor*b, where b or factor may be 1. */
static const char *times(struct align *s, const char *a, const char *b) {
  if (!a[0]) return b;
  return b[0] ? arena_printf(s->arena, "%s*%s", a, b) : a;
}

/* A choice is in parentheses where something stands beside it. */
static const char *factor_text(struct align *s, term_id t) {
  const char *text = text_of(s, t);
  return term_kind(s->ts, t) == TERM_ITE ? arena_printf(s->arena, "(%s)", text) : text;
}

static const char *assemble(struct align *s, const struct parts *num, const struct parts *den) {
  struct ratio c = ratio_div(num->content, den->content);
  const char *poly =
      is_one(s, num->rest) ? "" : arena_printf(s->arena, "(%s)", sum_text(s, num->rest));
  const char *monomial = is_one(s, num->monomial) ? "" : factor_text(s, num->monomial);
  const char *top = c.num == 1 ? "" : arena_printf(s->arena, "%ld", c.num);
  const char *below = c.den == 1 ? "" : arena_printf(s->arena, "%ld", c.den);
  bool whole = is_one(s, den->rest) && is_one(s, den->monomial);
  if (whole && poly[0] && below[0]) /* (1 + 6*N)/4*eps */
    return times(s, arena_printf(s->arena, "%s/%s", times(s, top, poly), below), monomial);
  const char *over = times(s, times(s, top, poly), monomial);
  if (!is_one(s, den->monomial)) below = times(s, below, factor_text(s, den->monomial));
  if (!is_one(s, den->rest))
    below = times(s, below, arena_printf(s->arena, "(%s)", sum_text(s, den->rest)));
  if (!over[0]) over = "1";
  if (!below[0]) return over;
  bool product = false;
  for (const char *q = below; *q; q++)
    product |= *q == '*';
  return arena_printf(s->arena, product ? "%s/(%s)" : "%s/%s", over, below);
}

/* Exponentials and logarithms as the kernel writes them: it is hard to see that others are equal. */
static const char *verbatim(struct align *s, term_id cost) {
  const char *text = text_of(s, cost);
  return term_kind(s->ts, cost) == TERM_ADD ? arena_printf(s->arena, "(%s)", text) : text;
}

/* a/b rather than -a/-b. */
static void make_positive(struct align *s, struct ratfun *f, struct ratfun_ring *ring) {
  if (points_value(&s->points, 0, ratfun_poly_term(f->num, ring)) >= 0) return;
  fmpq_mpoly_neg(f->num, f->num, ring->ctx);
  fmpq_mpoly_neg(f->den, f->den, ring->ctx);
}

const char *align_cost_text(struct align *s, term_id cost) {
  if (term_get(s->ts, cost)->flags & TERM_HAS_TRANSCENDENTAL) return verbatim(s, cost);
  struct normaliser n;
  struct ratfun f;
  normaliser_init(&n, s->ts, believe, NULL);
  ratfun_init(&f, &n.ring);
  const char *text = NULL;
  if (normalise_ratfun(&n, cost, &f)) {
    if (fmpq_mpoly_is_zero(f.num, n.ring.ctx)) {
      text = "0";
    } else {
      make_positive(s, &f, &n.ring);
      struct parts num = take_apart(s, f.num, &n.ring), den = take_apart(s, f.den, &n.ring);
      struct ratio c = ratio_div(num.content, den.content);
      if (ratio_is_finite(c) && c.num > 0) text = assemble(s, &num, &den);
    }
  }
  ratfun_clear(&f, &n.ring);
  normaliser_clear(&n);
  return text ? text : text_of(s, cost);
}
