/* Exact values of closed constant expressions.
 *
 * Understood: numbers, + - * / ^ div mod, unary minus, min max abs floor ceil round real
 * declassify, and names of lets without arguments whose value is itself constant (the checker
 * computes it once, in ast_decl.as.let.constant). Parameters are not constants. Names count only
 * after the checker has resolved them. A value of more than LIMIT_CONSTANT_BITS bits, a division by
 * zero, or a fractional operand of div and mod has no value: the answer is false, never a wrong
 * number. */
#ifndef COUPLET_LANG_CHECK_CONSTANT_H
#define COUPLET_LANG_CHECK_CONSTANT_H

#include "lang/syntax/ast.h"

/* The value of the expression. False, with *value untouched, when it is not a rational constant. */
bool constant_eval(fmpq_t value, const struct ast_expr *expr);

/* The same, of an expression that may also be one number converted to a float: to_float(0.1), which
 * is what the checker makes of a literal. It is none of the above, because what is computed with
 * floats is rounded, and these are exact values. */
bool constant_value(fmpq_t value, const struct ast_expr *expr);

/* Is the expression c * name for a constant c (eps, 5/4*eps, eps/2 + eps, ...)? `name` is interned;
 * it need not be declared. */
bool constant_multiple(fmpq_t coefficient, const struct ast_expr *expr, const char *name);

#endif
