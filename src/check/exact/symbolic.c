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
  affine_unref(x);
  affine_unref(y);
  return fault;
}

/* ---- comparison ----------------------------------------------------------------------------- */

static bool ask(struct symbolic_context *context, struct affine *form, bool moves) {
  question_clear(&context->question);
  context->question.form = form;
  context->question.moves = moves;
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
  if (a->count != 1 || measure_has_points(context->measure, a)) {
    context->obstacle = "an irrational number is compared with several samples";
    return false;
  }
  symbol s = a->terms[0].symbol;
  struct creal *bound = irrational_bound(a, number);
  int side = measure_side(context->measure, s, bound);
  int sign = fmpq_sgn(a->terms[0].coefficient);
  if (side) {
    creal_unref(bound);
    *order = side * sign;
    return true;
  }
  question_clear(&context->question);
  context->question = (struct question){.symbol = s, .bound = bound};
  return false;
}

static bool compare(int *order, const struct rvalue *a, const struct rvalue *b) {
  struct symbolic_context *context = context_of(a, b);
  struct affine *x = symbolic_form(a), *y = symbolic_form(b);
  bool decided;
  *order = 0;
  if (x && y) {
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

static const struct symbolic_ops ops = {free_sample, binary, compare};
