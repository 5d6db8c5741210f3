#include "check/exact/symbolic.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "run/eval/number.h"

struct sample {
  struct symbolic head;
  struct symbolic_context *context;
  struct affine *form;
};

static const struct symbolic_ops ops;

void question_clear(struct question *q) {
  affine_unref(q->form);
  creal_unref(q->bound);
  *q = (struct question){0};
}

static const struct sample *as_sample(const struct rvalue *v) {
  return v->kind == RVALUE_SYMBOLIC ? (const struct sample *)v->as.symbolic : NULL;
}

static struct symbolic_context *context_of(const struct rvalue *a, const struct rvalue *b) {
  const struct sample *s = as_sample(a);
  return s ? s->context : as_sample(b)->context;
}

struct rvalue symbolic_value(struct symbolic_context *context, struct affine *form) {
  if (!form->count) {
    struct rvalue v = rvalue_fmpq(form->constant);
    affine_unref(form);
    return v;
  }
  struct sample *s = xcalloc(1, sizeof *s);
  *s = (struct sample){{1, &ops}, context, form};
  return (struct rvalue){.kind = RVALUE_SYMBOLIC, .as.symbolic = &s->head};
}

struct affine *symbolic_form(const struct rvalue *v) {
  const struct sample *s = as_sample(v);
  if (s) return affine_ref(s->form);
  if (v->kind == RVALUE_IRRATIONAL) return NULL;
  fmpq_t q;
  fmpq_init(q);
  number_get_fmpq(q, v);
  struct affine *a = affine_constant(q);
  fmpq_clear(q);
  return a;
}

bool symbolic_mentions(const struct rvalue *v, symbol s) {
  if (rvalue_is_seq(v)) {
    for (size_t i = 0; i < v->as.seq->len; i++)
      if (symbolic_mentions(&v->as.seq->at[i], s)) return true;
    return false;
  }
  const struct sample *sample = as_sample(v);
  return sample && affine_mentions(sample->form, s);
}

static void free_sample(struct symbolic *s) {
  affine_unref(((struct sample *)s)->form);
  free(s);
}

/* ---- questions ------------------------------------------------------------------------------ */

static enum number_fault cannot(struct symbolic_context *context, const char *why) {
  context->obstacle = why;
  return NUMBER_SYMBOLIC;
}

static enum number_fault ask_about(struct symbolic_context *context, enum question_kind kind,
                                   symbol s) {
  question_clear(&context->question);
  context->question = (struct question){.kind = kind, .symbol = s};
  return NUMBER_UNDECIDED;
}

static const char LOST_SAMPLE[] =
    "a sample is used both as it is and by its logarithm, which the exact engine cannot do";

/* The first integer sample of a form; false: there is none. */
static bool integer_sample(const struct measure *m, const struct affine *a, symbol *s) {
  for (size_t i = 0; a && i < a->count; i++) {
    *s = a->terms[i].symbol;
    if (measure_is_discrete(m, *s)) return true;
  }
  return false;
}

static bool can_be_asked(struct symbolic_context *context, const struct affine *a) {
  if (!a || (measure_knows(context->measure, a) && !measure_has_points(context->measure, a)))
    return true;
  context->obstacle = measure_knows(context->measure, a)
                          ? "an output observed at a point is used again; ask for an interval"
                          : LOST_SAMPLE;
  return false;
}

/* An operation that is not linear: integer samples are tried value by value. */
static enum number_fault ask_values(struct symbolic_context *context, const struct affine *a,
                                    const struct affine *b) {
  symbol s;
  if (!can_be_asked(context, a) || !can_be_asked(context, b)) return NUMBER_SYMBOLIC;
  if (integer_sample(context->measure, b, &s) || integer_sample(context->measure, a, &s))
    return ask_about(context, QUESTION_VALUE, s);
  return NUMBER_SYMBOLIC;
}

/* ---- arithmetic ----------------------------------------------------------------------------- */

static enum number_fault give(struct rvalue *out, struct symbolic_context *context,
                              struct affine *form) {
  *out = symbolic_value(context, form);
  return NUMBER_OK;
}

static enum number_fault add(struct rvalue *out, struct symbolic_context *context,
                             const struct affine *a, slong sign, const struct affine *b) {
  fmpq_t factor;
  fmpq_init(factor);
  fmpq_set_si(factor, sign, 1);
  struct affine *sum = affine_combine(a, factor, b);
  fmpq_clear(factor);
  return give(out, context, sum);
}

static enum number_fault scale(struct rvalue *out, struct symbolic_context *context,
                               const struct affine *a, const fmpq_t factor) {
  return give(out, context, affine_scale(a, factor));
}

static enum number_fault divide(struct rvalue *out, struct symbolic_context *context,
                                const struct affine *a, const struct affine *b) {
  if (b->count) return NUMBER_SYMBOLIC;
  if (fmpq_is_zero(b->constant)) return NUMBER_DIVISION_BY_ZERO;
  fmpq_t inverse;
  fmpq_init(inverse);
  fmpq_inv(inverse, b->constant);
  enum number_fault fault = scale(out, context, a, inverse);
  fmpq_clear(inverse);
  return fault;
}

static enum number_fault multiply(struct rvalue *out, struct symbolic_context *context,
                                  const struct affine *a, const struct affine *b) {
  if (!a->count) return scale(out, context, b, a->constant);
  if (!b->count) return scale(out, context, a, b->constant);
  return NUMBER_SYMBOLIC;
}

static enum number_fault binary(enum binary_op op, struct rvalue *out, const struct rvalue *a,
                                const struct rvalue *b) {
  struct affine *x = symbolic_form(a), *y = symbolic_form(b);
  struct symbolic_context *context = context_of(a, b);
  enum number_fault fault = NUMBER_SYMBOLIC;
  if (x && y) {
    switch (op) {
    case BINARY_ADD: fault = add(out, context, x, 1, y); break;
    case BINARY_SUB: fault = add(out, context, x, -1, y); break;
    case BINARY_MUL: fault = multiply(out, context, x, y); break;
    case BINARY_DIV: fault = divide(out, context, x, y); break;
    default: break;
    }
  }
  if (fault == NUMBER_SYMBOLIC) fault = ask_values(context, x, y);
  affine_unref(x);
  affine_unref(y);
  return fault;
}

/* ---- functions ------------------------------------------------------------------------------ */

/* An integer m with low < m < high, near the middle. False: there is none. */
static bool between(fmpz_t m, const fmpq_t low, const fmpq_t high) {
  fmpq_t middle;
  fmpq_init(middle);
  fmpq_add(middle, low, high);
  fmpq_div_2exp(middle, middle, 1);
  fmpz_fdiv_q(m, fmpq_numref(middle), fmpq_denref(middle));
  if (fmpq_cmp_fmpz(low, m) >= 0) {
    fmpz_fdiv_q(m, fmpq_numref(low), fmpq_denref(low));
    fmpz_add_ui(m, m, 1);
  }
  fmpq_clear(middle);
  return fmpq_cmp_fmpz(high, m) > 0;
}

/* The floor of real samples is known where the path keeps them between two integers; else the path
 * is asked on which side of an integer they are. */
static enum number_fault floor_between(struct rvalue *out, struct symbolic_context *context,
                                       const struct affine *a, const fmpq_t low,
                                       const fmpq_t high) {
  fmpz_t m;
  fmpq_t minus;
  fmpz_init(m);
  fmpq_init(minus);
  enum number_fault fault = NUMBER_OK;
  if (between(m, low, high)) {
    fmpq_set_fmpz(minus, m);
    fmpq_neg(minus, minus);
    struct affine *bound = affine_constant(minus);
    fmpq_set_si(minus, 1, 1);
    question_clear(&context->question);
    context->question =
        (struct question){.kind = QUESTION_SIGN, .form = affine_combine(a, minus, bound)};
    affine_unref(bound);
    fault = NUMBER_UNDECIDED;
  } else {
    fmpz_fdiv_q(m, fmpq_numref(low), fmpq_denref(low));
    *out = rvalue_fmpz(m);
  }
  fmpz_clear(m);
  fmpq_clear(minus);
  return fault;
}

static enum number_fault floor_of(struct rvalue *out, struct symbolic_context *context,
                                  const struct affine *a) {
  const struct measure *m = context->measure;
  symbol s;
  if (!can_be_asked(context, a)) return NUMBER_SYMBOLIC;
  if (integer_sample(m, a, &s)) return ask_about(context, QUESTION_VALUE, s);
  if (measure_moves(m, a)) return cannot(context, "what is rounded depends on an observed output");
  fmpq_t low, high;
  fmpq_init(low);
  fmpq_init(high);
  enum number_fault fault = measure_bounds(m, a, low, high, &s)
                                ? floor_between(out, context, a, low, high)
                                : ask_about(context, QUESTION_TAIL, s);
  fmpq_clear(low);
  fmpq_clear(high);
  return fault;
}

/* ceil(x) = -floor(-x), round(x) = floor(x + 1/2). */
static enum number_fault round_form(enum builtin f, struct rvalue *out,
                                    struct symbolic_context *context, const struct affine *a) {
  fmpq_t factor, half;
  fmpq_init(factor);
  fmpq_init(half);
  fmpq_set_si(factor, f == BUILTIN_CEIL ? -1 : 1, 1);
  if (f == BUILTIN_ROUND) fmpq_set_si(half, 1, 2);
  struct affine *shift = affine_constant(half), *scaled = affine_scale(a, factor);
  fmpq_set_si(half, 1, 1);
  struct affine *form = affine_combine(scaled, half, shift);
  struct rvalue whole;
  enum number_fault fault = floor_of(&whole, context, form);
  if (!fault && f == BUILTIN_CEIL) {
    fault = number_negate(out, &whole);
    rvalue_clear(&whole);
  } else if (!fault) {
    *out = whole;
  }
  affine_unref(shift);
  affine_unref(scaled);
  affine_unref(form);
  fmpq_clear(factor);
  fmpq_clear(half);
  return fault;
}

static enum number_fault logarithm(struct rvalue *out, struct symbolic_context *context,
                                   const struct affine *a) {
  struct affine *known = measure_log(context->measure, a);
  if (known) return give(out, context, known);
  symbol s;
  if (!can_be_asked(context, a)) return NUMBER_SYMBOLIC;
  if (integer_sample(context->measure, a, &s)) return ask_about(context, QUESTION_VALUE, s);
  if (!measure_is_uniform(context->measure, a))
    return cannot(context, "the logarithm of samples that are not uniform on 0..1");
  question_clear(&context->question);
  context->question = (struct question){.kind = QUESTION_LOGARITHM, .form = affine_ref(a)};
  return NUMBER_UNDECIDED;
}

static enum number_fault function(enum builtin f, struct rvalue *out, const struct rvalue *v) {
  struct affine *a = symbolic_form(v);
  struct symbolic_context *context = context_of(v, v);
  enum number_fault fault;
  switch (f) {
  case BUILTIN_FLOOR:
  case BUILTIN_CEIL:
  case BUILTIN_ROUND: fault = round_form(f, out, context, a); break;
  case BUILTIN_LN: fault = logarithm(out, context, a); break;
  default: fault = ask_values(context, a, NULL); break;
  }
  affine_unref(a);
  return fault;
}

/* ---- comparison ----------------------------------------------------------------------------- */

static bool ask(struct symbolic_context *context, struct affine *form, bool moves) {
  question_clear(&context->question);
  context->question = (struct question){.kind = QUESTION_SIGN, .form = form, .moves = moves};
  return false;
}

/* Replaces observed outputs in the form by their points. False: there is no real sample beside
 * them, so that the answer depends on the side of the point. */
static bool settle_points(const struct measure *m, struct affine **a, bool *moves) {
  *moves = measure_has_points(m, *a);
  if (!*moves) return true;
  struct affine *settled = measure_at_points(m, *a);
  affine_unref(*a);
  *a = settled;
  return !measure_all_discrete(m, settled);
}

/* Order of a form and 0. Integer samples can tie, so they may need a second question. */
static bool compare_form(int *order, struct symbolic_context *context, struct affine *a) {
  bool moves;
  if (!settle_points(context->measure, &a, &moves)) {
    affine_unref(a);
    context->obstacle = "an output observed at a point is used again; ask for an interval";
    return false;
  }
  int at_least = measure_decide(context->measure, a);
  if (at_least <= 0) {
    *order = -1;
    if (at_least) affine_unref(a);
    return at_least ? true : ask(context, a, moves);
  }
  *order = 1;
  fmpq_t minus;
  fmpq_init(minus);
  fmpq_set_si(minus, -1, 1);
  struct affine *negative = affine_scale(a, minus);
  struct affine *above = measure_complement(context->measure, negative); /* a > 0 */
  fmpq_clear(minus);
  affine_unref(negative);
  int strictly = measure_decide(context->measure, above);
  affine_unref(a);
  if (!strictly) return ask(context, above, moves);
  affine_unref(above);
  if (strictly < 0) *order = 0;
  return true;
}

/* The number (irrational - constant) / coefficient that the symbol is compared with. */
static struct creal *irrational_bound(const struct affine *a, const struct rvalue *number) {
  struct creal *difference =
      creal_node(CREAL_SUB, creal_ref(number->as.irrational), creal_rational(a->constant));
  return creal_node(CREAL_DIV, difference, creal_rational(a->terms[0].coefficient));
}

static bool compare_irrational(int *order, struct symbolic_context *context, const struct affine *a,
                               const struct rvalue *number) {
  symbol s;
  if (!measure_has_points(context->measure, a) && integer_sample(context->measure, a, &s) &&
      a->count > 1) {
    ask_about(context, QUESTION_VALUE, s);
    return false;
  }
  if (a->count != 1 || measure_has_points(context->measure, a)) {
    context->obstacle = "an irrational number is compared with several samples";
    return false;
  }
  s = a->terms[0].symbol;
  struct creal *bound = irrational_bound(a, number);
  int side = measure_side(context->measure, s, bound);
  int sign = fmpq_sgn(a->terms[0].coefficient);
  if (side) {
    creal_unref(bound);
    *order = side * sign;
    return true;
  }
  question_clear(&context->question);
  context->question = (struct question){.kind = QUESTION_IRRATIONAL, .symbol = s, .bound = bound};
  return false;
}

static bool compare(int *order, const struct rvalue *a, const struct rvalue *b) {
  struct symbolic_context *context = context_of(a, b);
  struct affine *x = symbolic_form(a), *y = symbolic_form(b);
  bool decided;
  *order = 0;
  if ((x && !measure_knows(context->measure, x)) || (y && !measure_knows(context->measure, y))) {
    context->obstacle = LOST_SAMPLE;
    decided = false;
  } else if (x && y) {
    fmpq_t minus;
    fmpq_init(minus);
    fmpq_set_si(minus, -1, 1);
    decided = compare_form(order, context, affine_combine(x, minus, y));
    fmpq_clear(minus);
  } else if (x) {
    decided = compare_irrational(order, context, x, b);
  } else {
    decided = compare_irrational(order, context, y, a);
    *order = -*order;
  }
  affine_unref(x);
  affine_unref(y);
  return decided;
}

static const struct symbolic_ops ops = {free_sample, binary, function, compare};
