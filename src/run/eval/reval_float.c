#include "lang/syntax/builtin.h"
#include "run/eval/ieee.h"
#include "run/eval/reval_internal.h"

bool reval_is_float(const struct ast_expr *e) {
  return e->type && type_is_float(e->type);
}

static const struct rvalue *give_bits(struct reval *ev, const struct ast_expr *e, binary64 bits,
                                      struct rvalue *temp) {
  enum number_fault fault = ieee_value(temp, bits);
  return fault ? reval_fail_number(ev, e, fault) : temp;
}

const struct rvalue *reval_float_values(struct reval *ev, const struct ast_expr *e,
                                        const struct rvalue *a, const struct rvalue *b,
                                        struct rvalue *temp) {
  enum binary_format format = ieee_format(e->type->kind);
  binary64 x, y, bits;
  if (!ieee_bits(&x, format, a) || !ieee_bits(&y, format, b) ||
      !ieee_binary(&bits, e->as.binary.op, format, x, y))
    return reval_fail_kind(ev, e);
  return give_bits(ev, e, bits, temp);
}

bool reval_is_conversion(enum builtin id) {
  return id == BUILTIN_TO_FLOAT || id == BUILTIN_TO_FLOAT32 || id == BUILTIN_TO_REAL;
}

const struct rvalue *reval_convert(struct reval *ev, const struct ast_expr *e,
                                   const struct rvalue *v, struct rvalue *temp) {
  const struct type *from = e->as.call.args[0]->type;
  if (!rvalue_is_number(v)) return reval_fail_kind(ev, e);
  if (e->as.call.builtin == BUILTIN_TO_REAL) return reval_give(temp, rvalue_copy(v));
  enum binary_format format = e->as.call.builtin == BUILTIN_TO_FLOAT ? BINARY64 : BINARY32;
  enum number_fault fault = ieee_round(temp, format, v, from && from->kind == TYPE_INT);
  return fault ? reval_fail_number(ev, e, fault) : temp;
}

const struct rvalue *reval_float_call(struct reval *ev, struct rframe *f, const struct ast_expr *e,
                                      struct rvalue *temp) {
  enum binary_format format = ieee_format(e->type->kind);
  binary64 args[3] = {0}, bits;
  if (e->as.call.ulps && !ev->libm_is_exact) {
    diag_error(&ev->lang->diags, e->span, "unknown-bits",
               "`%s` may be off by %u ulp here: its value is not known", e->as.call.callee.text,
               e->as.call.ulps);
    return NULL;
  }
  for (size_t i = 0; i < e->as.call.count && i < 3; i++) {
    struct rvalue held = {0};
    const struct rvalue *v = reval_expr(ev, f, e->as.call.args[i], &held);
    bool ok = v && (ieee_bits(&args[i], format, v) || reval_wrong_kind(ev, e->span));
    rvalue_clear(&held);
    if (!ok) return NULL;
  }
  if (!ieee_function(&bits, e->as.call.builtin, format, args[0], args[1], args[2]))
    return reval_fail_kind(ev, e);
  return give_bits(ev, e, bits, temp);
}
