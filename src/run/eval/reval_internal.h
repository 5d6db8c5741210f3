/* What the files of the evaluator share. Functions that give a value return NULL after a report. */
#ifndef COUPLET_RUN_EVAL_REVAL_INTERNAL_H
#define COUPLET_RUN_EVAL_REVAL_INTERNAL_H

#include "run/eval/number.h"
#include "run/eval/reval.h"

/* reval.c: reports. NULL. */
const struct rvalue *reval_fail_number(struct reval *ev, const struct ast_expr *e,
                                       enum number_fault fault);
const struct rvalue *reval_fail_value(struct reval *ev, const struct ast_expr *e);
const struct rvalue *reval_fail_kind(struct reval *ev, const struct ast_expr *e);
/* `temp` with this value, which it takes. */
const struct rvalue *reval_give(struct rvalue *temp, struct rvalue v);
const struct rvalue *reval_binary_values(struct reval *ev, const struct ast_expr *e,
                                         enum binary_op op, const struct rvalue *a,
                                         const struct rvalue *b, struct rvalue *temp);

/* reval_float.c */
bool reval_is_float(const struct ast_expr *e);
bool reval_is_conversion(enum builtin id);
const struct rvalue *reval_float_values(struct reval *ev, const struct ast_expr *e,
                                        const struct rvalue *a, const struct rvalue *b,
                                        struct rvalue *temp);
const struct rvalue *reval_convert(struct reval *ev, const struct ast_expr *e,
                                   const struct rvalue *v, struct rvalue *temp);
/* A function of floats, of one to three arguments. */
const struct rvalue *reval_float_call(struct reval *ev, struct rframe *f, const struct ast_expr *e,
                                      struct rvalue *temp);

/* reval_quant.c: quantifiers and sums. */
const struct rvalue *reval_quant(struct reval *ev, struct rframe *f, const struct ast_expr *e,
                                 struct rvalue *temp);

#endif
