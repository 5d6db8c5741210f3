#include "check/exact/symbolic.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "check/exact/parts.h"
#include "num/ends.h"
#include "run/eval/number.h"

enum { NEAR_BITS = 100 }; /* of rational numbers on either side of an irrational one */

struct sample {
  struct symbolic head;
  struct symbolic_context *context;
  struct parts parts;
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

/* ---- numbers and their parts ---------------------------------------------------------------- */

static struct parts parts_of(const struct rvalue *v) {
  const struct sample *s = as_sample(v);
  if (s) return parts_copy(&s->parts);
  fmpq_t q;
  fmpq_init(q);
  if (v->kind != RVALUE_IRRATIONAL) number_get_fmpq(q, v);
  struct parts p = {.form = affine_constant(q)};
  if (v->kind == RVALUE_IRRATIONAL) p.shift = rvalue_copy(v);
  fmpq_clear(q);
  return p;
}

/* A number with these parts, which are taken over. */
static struct rvalue number_of(struct symbolic_context *context, struct parts p) {
  struct rvalue v;
  if (parts_are_rational(&p)) {
    v = rvalue_fmpq(p.form->constant);
    parts_clear(&p);
    return v;
  }
  if (!p.form->count && !p.over) {
    struct creal *c =
        creal_node(CREAL_ADD, creal_rational(p.form->constant), creal_ref(p.shift.as.irrational));
    parts_clear(&p);
    return rvalue_creal(c);
  }
  struct sample *s = xcalloc(1, sizeof *s);
  *s = (struct sample){{1, &ops}, context, p};
  return (struct rvalue){.kind = RVALUE_SYMBOLIC, .as.symbolic = &s->head};
}

struct rvalue symbolic_value(struct symbolic_context *context, struct affine *form) {
  return number_of(context, (struct parts){.form = form});
}

struct affine *symbolic_form(const struct rvalue *v) {
  struct parts p = parts_of(v);
  struct affine *form = parts_are_affine(&p) ? affine_ref(p.form) : NULL;
  parts_clear(&p);
  return form;
}

bool symbolic_add_sample(struct rvalue *out, struct symbolic_context *context,
                         const struct rvalue *base, const fmpq_t factor, symbol s,
                         bool is_discrete) {
  struct parts p = parts_of(base);
  bool ok = !p.over && (parts_are_affine(&p) || !is_discrete);
  if (ok) {
    struct affine *sample = affine_symbol(s);
    struct parts sum = {.form = affine_combine(p.form, factor, sample),
                        .shift = rvalue_copy(&p.shift)};
    affine_unref(sample);
    *out = number_of(context, sum);
  }
  parts_clear(&p);
  return ok;
}

bool symbolic_mentions(const struct rvalue *v, symbol s) {
  if (rvalue_is_seq(v)) {
    for (size_t i = 0; i < v->as.seq->len; i++)
      if (symbolic_mentions(&v->as.seq->at[i], s)) return true;
    return false;
  }
  const struct sample *sample = as_sample(v);
  return sample && (affine_mentions(sample->parts.form, s) ||
                    (sample->parts.over && affine_mentions(sample->parts.over, s)));
}

symbol symbolic_first(const struct rvalue *v) {
  const struct parts *p = &as_sample(v)->parts;
  return p->form->count ? p->form->terms[0].symbol : p->over->terms[0].symbol;
}

void symbolic_substitute(struct rvalue *v, struct symbolic_context *context, symbol s,
                         const struct affine *by) {
  struct parts p = parts_of(v), q = {.form = affine_substitute(p.form, s, by),
                                     .shift = rvalue_copy(&p.shift),
                                     .over = p.over ? affine_substitute(p.over, s, by) : NULL};
  parts_clear(&p);
  rvalue_clear(v);
  *v = number_of(context, q);
}

static void put_form(struct buffer *key, const struct affine *form) {
  char *text = fmpq_get_str(NULL, 10, form->constant);
  buffer_printf(key, "{%s", text);
  flint_free(text);
  for (size_t i = 0; i < form->count; i++) {
    text = fmpq_get_str(NULL, 10, form->terms[i].coefficient);
    buffer_printf(key, "+%s#%u", text, form->terms[i].symbol);
    flint_free(text);
  }
  buffer_putc(key, '}');
}

void symbolic_key(struct buffer *key, const struct rvalue *v) {
  const struct parts *p = &as_sample(v)->parts;
  put_form(key, p->form);
  /* equal digits do not make equal numbers: only the same node counts */
  if (p->shift.kind) buffer_printf(key, "+%p", (void *)p->shift.as.irrational);
  if (p->over) put_form(key, p->over);
}

static void free_sample(struct symbolic *s) {
  parts_clear(&((struct sample *)s)->parts);
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

/* Samples divided by real samples: of a known sign, which is made positive. */
static enum number_fault divide_samples(struct parts *out, struct symbolic_context *context,
                                        const struct parts *x, const struct parts *y) {
  symbol s;
  if (!parts_are_affine(x) || !parts_are_affine(y) || !can_be_asked(context, x->form) ||
      !can_be_asked(context, y->form) || integer_sample(context->measure, x->form, &s) ||
      integer_sample(context->measure, y->form, &s))
    return NUMBER_SYMBOLIC;
  int sign = measure_decide(context->measure, y->form);
  if (!sign) {
    question_clear(&context->question);
    context->question = (struct question){.kind = QUESTION_SIGN, .form = affine_ref(y->form)};
    return NUMBER_UNDECIDED;
  }
  fmpq_t factor;
  fmpq_init(factor);
  fmpq_set_si(factor, sign, 1);
  *out =
      (struct parts){.form = affine_scale(x->form, factor), .over = affine_scale(y->form, factor)};
  fmpq_clear(factor);
  return NUMBER_OK;
}

static enum number_fault divide(struct parts *out, struct symbolic_context *context,
                                const struct parts *x, const struct parts *y) {
  if (!parts_are_rational(y)) return divide_samples(out, context, x, y);
  if (fmpq_is_zero(y->form->constant)) return NUMBER_DIVISION_BY_ZERO;
  fmpq_t inverse;
  fmpq_init(inverse);
  fmpq_inv(inverse, y->form->constant);
  enum number_fault fault = parts_scale(out, x, inverse);
  fmpq_clear(inverse);
  return fault;
}

static enum number_fault binary(enum binary_op op, struct rvalue *out, const struct rvalue *a,
                                const struct rvalue *b) {
  struct parts x = parts_of(a), y = parts_of(b), result = {0};
  struct symbolic_context *context = context_of(a, b);
  enum number_fault fault = NUMBER_SYMBOLIC;
  symbol s;
  switch (op) {
  case BINARY_ADD: fault = parts_combine(&result, &x, 1, &y); break;
  case BINARY_SUB: fault = parts_combine(&result, &x, -1, &y); break;
  case BINARY_MUL: fault = parts_multiply(&result, &x, &y); break;
  case BINARY_DIV: fault = divide(&result, context, &x, &y); break;
  default: break;
  }
  bool done = !fault;
  if (done && result.shift.kind && integer_sample(context->measure, result.form, &s)) {
    done = false;
    fault = NUMBER_SYMBOLIC;
  }
  if (fault == NUMBER_SYMBOLIC) fault = ask_values(context, x.form, y.form);
  if (done)
    *out = number_of(context, result);
  else
    parts_clear(&result);
  parts_clear(&x);
  parts_clear(&y);
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
  if (!a) return NUMBER_SYMBOLIC; /* a quotient, or beside an irrational number */
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

/* form - number */
static struct affine *less_number(const struct affine *form, const fmpq_t number) {
  fmpq_t minus;
  fmpq_init(minus);
  fmpq_set_si(minus, -1, 1);
  struct affine *constant = affine_constant(number),
                *result = affine_combine(form, minus, constant);
  affine_unref(constant);
  fmpq_clear(minus);
  return result;
}

/* Several real samples: they are above a rational number just above the irrational one, or below one
 * just below it, or between the two; what is there is lost. */
static bool compare_near(int *order, struct symbolic_context *context, const struct affine *a,
                         const struct rvalue *number) {
  fmpq_t end[2];
  bool decided = false;
  fmpq_init(end[0]);
  fmpq_init(end[1]);
  ball_short_ends(end[0], end[1], creal_ball(number->as.irrational, NEAR_BITS), NEAR_BITS);
  struct affine *low = less_number(a, end[0]), *high = less_number(a, end[1]);
  int above = measure_decide(context->measure, high);
  int below = above < 0 ? -measure_decide(context->measure, low) : 0;
  *order = above > 0 ? 1 : -1;
  if (above > 0 || below > 0)
    decided = true;
  else if (above == 0 || below == 0)
    ask(context, affine_ref(above == 0 ? high : low), false);
  else {
    question_clear(&context->question);
    context->question.kind = QUESTION_BETWEEN;
  }
  affine_unref(low);
  affine_unref(high);
  fmpq_clear(end[0]);
  fmpq_clear(end[1]);
  return decided;
}

static bool compare_irrational(int *order, struct symbolic_context *context, const struct affine *a,
                               const struct rvalue *number) {
  symbol s;
  if (!measure_has_points(context->measure, a) && integer_sample(context->measure, a, &s) &&
      a->count > 1) {
    ask_about(context, QUESTION_VALUE, s);
    return false;
  }
  if (measure_has_points(context->measure, a)) {
    context->obstacle = "an irrational number is compared with an output observed at a point";
    return false;
  }
  if (a->count != 1) return compare_near(order, context, a, number);
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

/* Order of a difference and 0. */
static bool compare_parts(int *order, struct symbolic_context *context, const struct parts *d) {
  if (d->shift.kind == RVALUE_UNSET) /* a denominator is positive */
    return compare_form(order, context, affine_ref(d->form));
  if (!d->form->count) { /* the samples have gone */
    struct rvalue left = number_of(context, parts_copy(d));
    bool known = number_sign(order, &left);
    rvalue_clear(&left);
    return known;
  }
  struct rvalue bound;
  if (number_negate(&bound, &d->shift)) return false;
  bool decided = compare_irrational(order, context, d->form, &bound);
  rvalue_clear(&bound);
  return decided;
}

static bool is_known(const struct measure *m, const struct parts *p) {
  return measure_knows(m, p->form) && (!p->over || measure_knows(m, p->over));
}

static bool compare(int *order, const struct rvalue *a, const struct rvalue *b) {
  struct symbolic_context *context = context_of(a, b);
  struct parts x = parts_of(a), y = parts_of(b), difference = {0};
  bool decided = false;
  *order = 0;
  if (!is_known(context->measure, &x) || !is_known(context->measure, &y))
    context->obstacle = LOST_SAMPLE;
  else if (parts_combine(&difference, &x, -1, &y))
    context->obstacle = "a quotient of samples is compared with samples";
  else
    decided = compare_parts(order, context, &difference);
  parts_clear(&x);
  parts_clear(&y);
  parts_clear(&difference);
  return decided;
}

/* sign * form >= 0 */
static void require_sign(struct measure *m, const struct affine *form, slong sign) {
  fmpq_t factor;
  fmpq_init(factor);
  fmpq_set_si(factor, sign, 1);
  struct affine *side = affine_scale(form, factor);
  measure_require(m, side, false);
  affine_unref(side);
  fmpq_clear(factor);
}

/* sign * (form + shift) >= 0, for a form of one sample. */
static bool require_beyond(struct measure *m, const struct parts *d, slong sign) {
  struct rvalue negative;
  if (number_negate(&negative, &d->shift)) return false;
  struct creal *at = irrational_bound(d->form, &negative);
  bool lower = sign * fmpq_sgn(d->form->terms[0].coefficient) > 0;
  measure_require_irrational(m, d->form->terms[0].symbol, at, lower);
  creal_unref(at);
  rvalue_clear(&negative);
  return true;
}

bool symbolic_require(struct measure *m, const struct rvalue *v, const struct rvalue *bound,
                      slong sign, const char **why) {
  struct parts x = parts_of(v), y = parts_of(bound), d = {0};
  bool moves = measure_has_points(m, x.form) || (x.over && measure_has_points(m, x.over));
  *why = NULL;
  if (!is_known(m, &x)) {
    *why = "an output uses a sample of which the logarithm was taken";
  } else if (moves || parts_combine(&d, &x, -1, &y)) {
    *why = "several outputs fix the same sample to a point";
  } else if (d.shift.kind == RVALUE_UNSET) {
    require_sign(m, d.form, sign);
  } else if (d.form->count != 1) {
    *why = "an output is the sum of several samples and an irrational number";
  } else if (!require_beyond(m, &d, sign)) {
    *why = "an irrational number in an output is too large";
  }
  parts_clear(&x);
  parts_clear(&y);
  parts_clear(&d);
  return !*why;
}

static const struct symbolic_ops ops = {free_sample, binary, function, compare};
