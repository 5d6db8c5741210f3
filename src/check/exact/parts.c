#include "check/exact/parts.h"

void parts_clear(struct parts *p) {
  affine_unref(p->form);
  affine_unref(p->over);
  rvalue_clear(&p->shift);
}

struct parts parts_copy(const struct parts *p) {
  return (struct parts){affine_ref(p->form), rvalue_copy(&p->shift),
                        p->over ? affine_ref(p->over) : NULL};
}

bool parts_are_affine(const struct parts *p) {
  return p->shift.kind == RVALUE_UNSET && !p->over;
}

bool parts_are_rational(const struct parts *p) {
  return parts_are_affine(p) && !p->form->count;
}

/* Adds factor * shift to the shift of the number; what becomes rational belongs to the form. */
static enum number_fault add_shift(struct parts *p, const fmpq_t factor,
                                   const struct rvalue *shift) {
  if (!shift->kind) return NUMBER_OK;
  struct rvalue scale = rvalue_fmpq(factor), scaled, sum;
  enum number_fault fault = number_binary(BINARY_MUL, &scaled, &scale, shift);
  rvalue_clear(&scale);
  if (fault) return fault;
  struct rvalue mine = p->shift.kind ? rvalue_copy(&p->shift) : rvalue_int(0);
  fault = number_binary(BINARY_ADD, &sum, &mine, &scaled);
  rvalue_clear(&mine);
  rvalue_clear(&scaled);
  if (fault) return fault;
  rvalue_clear(&p->shift);
  p->shift = (struct rvalue){0};
  if (sum.kind == RVALUE_IRRATIONAL) {
    p->shift = sum;
    return NUMBER_OK;
  }
  fmpq_t value, one;
  fmpq_init(value);
  fmpq_init(one);
  fmpq_one(one);
  number_get_fmpq(value, &sum);
  struct affine *constant = affine_constant(value), *form = affine_combine(p->form, one, constant);
  affine_unref(p->form);
  affine_unref(constant);
  p->form = form;
  fmpq_clear(value);
  fmpq_clear(one);
  rvalue_clear(&sum);
  return NUMBER_OK;
}

static bool shifts_cancel(const struct parts *x, slong sign, const struct parts *y) {
  return sign < 0 && x->shift.kind && y->shift.kind &&
         creal_same(x->shift.as.irrational, y->shift.as.irrational);
}

/* A quotient and a constant have the denominator of the quotient. */
enum number_fault parts_combine(struct parts *out, const struct parts *x, slong sign,
                                const struct parts *y) {
  enum number_fault fault = NUMBER_OK;
  fmpq_t factor;
  fmpq_init(factor);
  fmpq_set_si(factor, sign, 1);
  if (!x->over && !y->over) {
    *out = (struct parts){.form = affine_combine(x->form, factor, y->form)};
    if (!shifts_cancel(x, sign, y)) {
      out->shift = rvalue_copy(&x->shift);
      fault = add_shift(out, factor, &y->shift);
    }
  } else if (parts_are_rational(x->over ? y : x)) {
    struct affine *over = x->over ? x->over : y->over;
    struct affine *part = affine_scale(over, (x->over ? y : x)->form->constant);
    *out = (struct parts){.form = x->over ? affine_combine(x->form, factor, part)
                                          : affine_combine(part, factor, y->form),
                          .over = affine_ref(over)};
    affine_unref(part);
  } else {
    fault = NUMBER_SYMBOLIC;
  }
  fmpq_clear(factor);
  return fault;
}

enum number_fault parts_scale(struct parts *out, const struct parts *x, const fmpq_t factor) {
  *out = (struct parts){.form = affine_scale(x->form, factor)};
  if (fmpq_is_zero(factor)) return NUMBER_OK;
  if (x->over) out->over = affine_ref(x->over);
  return add_shift(out, factor, &x->shift);
}

enum number_fault parts_multiply(struct parts *out, const struct parts *x, const struct parts *y) {
  if (parts_are_rational(x)) return parts_scale(out, y, x->form->constant);
  if (parts_are_rational(y)) return parts_scale(out, x, y->form->constant);
  return NUMBER_SYMBOLIC;
}
