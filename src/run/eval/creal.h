/* Computable reals: numbers like exp(eps)/(1+exp(eps)) that no fraction holds, kept exact.
 *
 * A struct creal is a node of an expression over exact rationals; its value is enclosed by an Arb
 * ball at any precision asked for, and the best ball so far is remembered. Nodes are shared and
 * counted. What is asked of a number (sign, order, floor) is answered by raising the precision
 * until the ball decides; equality of two different expressions can thus not be recognised, so
 * these questions give up ("undecided") at CREAL_MAX_BITS instead of guessing.
 *
 * Invariant: a node denotes a real number. Whoever builds one makes sure, by a decided question,
 * that a divisor is not zero, the argument of LN is positive, that of SQRT not negative. */
#ifndef COUPLET_RUN_EVAL_CREAL_H
#define COUPLET_RUN_EVAL_CREAL_H

#include <flint/fmpq.h>
#include <stdbool.h>

#include "num/arb_compat.h"

enum {
  CREAL_MAX_BITS = 16384, /* precision at which a question is given up */
  CREAL_MAX_DEPTH = 4000  /* operations nested in one number; bounds the recursion here */
};

enum creal_op {
  CREAL_RATIONAL,
  CREAL_ADD,
  CREAL_SUB,
  CREAL_MUL,
  CREAL_DIV,
  CREAL_MIN,
  CREAL_MAX,
  CREAL_EXP,
  CREAL_LN,
  CREAL_SQRT,
  CREAL_ABS
};

struct creal {
  size_t refs;
  enum creal_op op;
  unsigned depth;
  fmpq rational;              /* CREAL_RATIONAL */
  struct creal *left, *right; /* operands; right NULL for functions of one number */
  arb_struct ball;            /* contains the number */
  slong bits;                 /* precision that ball was computed with; 0: not yet */
};

struct creal *creal_rational(const fmpq_t value);
/* Takes over the operands (one reference each). */
struct creal *creal_node(enum creal_op op, struct creal *left, struct creal *right);
struct creal *creal_ref(struct creal *c);
void creal_unref(struct creal *c);

/* A ball around the number, computed with at least that many bits; lives in the node. */
const arb_struct *creal_ball(struct creal *c, slong bits);
/* The same expression (no search for different ones of equal value). */
bool creal_same(const struct creal *a, const struct creal *b);
/* -1, 0, 1; false: undecided. 0 only for the same expression. */
bool creal_compare(int *order, struct creal *a, struct creal *b);
bool creal_sign(int *sign, struct creal *c);
bool creal_floor(fmpz_t out, struct creal *c);
/* Nearest double (one of two neighbours if the number cannot be told from a midpoint). */
double creal_round(struct creal *c);
/* Correctly rounded value of a function of one double (CREAL_EXP, LN, SQRT); argument in domain. */
double creal_function_round(enum creal_op op, double x);

#endif
