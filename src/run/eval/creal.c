#include "run/eval/creal.h"

#include <math.h>
#include <stdlib.h>

#include "base/alloc.h"

static const slong first_bits = 64;

static struct creal *new_node(enum creal_op op) {
  struct creal *c = xcalloc(1, sizeof *c);
  c->refs = 1;
  c->op = op;
  fmpq_init(&c->rational);
  arb_init(&c->ball);
  return c;
}

struct creal *creal_rational(const fmpq_t value) {
  struct creal *c = new_node(CREAL_RATIONAL);
  fmpq_set(&c->rational, value);
  return c;
}

struct creal *creal_node(enum creal_op op, struct creal *left, struct creal *right) {
  struct creal *c = new_node(op);
  c->left = left;
  c->right = right;
  c->depth = left->depth + 1;
  if (right && right->depth >= c->depth) c->depth = right->depth + 1;
  return c;
}

struct creal *creal_ref(struct creal *c) {
  c->refs++;
  return c;
}

void creal_unref(struct creal *c) {
  if (!c || --c->refs) return;
  creal_unref(c->left);
  creal_unref(c->right);
  fmpq_clear(&c->rational);
  arb_clear(&c->ball);
  free(c);
}

static void apply(arb_t out, enum creal_op op, const arb_struct *x, const arb_struct *y,
                  slong bits) {
  switch (op) {
  case CREAL_RATIONAL: break;
  case CREAL_ADD: arb_add(out, x, y, bits); break;
  case CREAL_SUB: arb_sub(out, x, y, bits); break;
  case CREAL_MUL: arb_mul(out, x, y, bits); break;
  case CREAL_DIV: arb_div(out, x, y, bits); break;
  case CREAL_MIN: arb_min(out, x, y, bits); break;
  case CREAL_MAX: arb_max(out, x, y, bits); break;
  case CREAL_EXP: arb_exp(out, x, bits); break;
  case CREAL_LN: arb_log(out, x, bits); break;
  case CREAL_SQRT: arb_sqrtpos(out, x, bits); break; /* the argument is known not to be negative */
  case CREAL_ABS: arb_abs(out, x); break;
  }
}

const arb_struct *creal_ball(struct creal *c, slong bits) {
  if (c->bits >= bits) return &c->ball;
  if (c->op == CREAL_RATIONAL) {
    arb_set_fmpq(&c->ball, &c->rational, bits);
  } else {
    const arb_struct *x = creal_ball(c->left, bits);
    const arb_struct *y = c->right ? creal_ball(c->right, bits) : NULL;
    apply(&c->ball, c->op, x, y, bits);
  }
  c->bits = bits;
  return &c->ball;
}

/* Shared parts can make the tree exponentially larger than the graph: look at a bounded number. */
static bool same(const struct creal *a, const struct creal *b, unsigned *budget) {
  if (a == b) return true;
  if (!a || !b || a->op != b->op || *budget == 0) return false;
  --*budget;
  if (a->op == CREAL_RATIONAL) return fmpq_equal(&a->rational, &b->rational);
  return same(a->left, b->left, budget) && same(a->right, b->right, budget);
}

bool creal_same(const struct creal *a, const struct creal *b) {
  unsigned budget = 1000;
  return same(a, b, &budget);
}

static bool decided_sign(int *sign, const arb_struct *ball) {
  if (arb_is_positive(ball))
    *sign = 1;
  else if (arb_is_negative(ball))
    *sign = -1;
  else if (arb_is_zero(ball))
    *sign = 0;
  else
    return false;
  return true;
}

bool creal_sign(int *sign, struct creal *c) {
  for (slong bits = first_bits; bits <= CREAL_MAX_BITS; bits *= 2)
    if (decided_sign(sign, creal_ball(c, bits))) return true;
  return false;
}

bool creal_compare(int *order, struct creal *a, struct creal *b) {
  *order = 0;
  if (creal_same(a, b)) return true;
  bool decided = false;
  arb_t difference;
  arb_init(difference);
  for (slong bits = first_bits; bits <= CREAL_MAX_BITS && !decided; bits *= 2) {
    arb_sub(difference, creal_ball(a, bits), creal_ball(b, bits), bits);
    decided = decided_sign(order, difference);
  }
  arb_clear(difference);
  return decided;
}

bool creal_floor(fmpz_t out, struct creal *c) {
  bool decided = false;
  arb_t floor_ball;
  arb_init(floor_ball);
  for (slong bits = first_bits; bits <= CREAL_MAX_BITS && !decided; bits *= 2) {
    const arb_struct *ball = creal_ball(c, bits);
    if (!arb_is_finite(ball)) continue;
    /* a number of m bits before the point is not known to a unit with fewer */
    if (arf_cmpabs_2exp_si(arb_midref(ball), CREAL_MAX_BITS) > 0) break;
    arb_floor(floor_ball, ball, CREAL_MAX_BITS + 64);
    decided = arb_get_unique_fmpz(out, floor_ball);
  }
  arb_clear(floor_ball);
  return decided;
}

/* Both ends of the ball round to the same double. */
static bool rounds_uniquely(double *out, const arb_struct *ball) {
  enum { bits = 128 }; /* rounded outwards: the exact sum can be longer than memory */
  if (!arb_is_finite(ball)) return false;
  arf_t end;
  arf_init(end);
  arb_get_lbound_arf(end, ball, bits);
  double low = arf_get_d(end, ARF_RND_NEAR);
  arb_get_ubound_arf(end, ball, bits);
  *out = arf_get_d(end, ARF_RND_NEAR);
  arf_clear(end);
  return low == *out;
}

double creal_round(struct creal *c) {
  double value = NAN;
  for (slong bits = first_bits * 2; bits <= CREAL_MAX_BITS; bits *= 2)
    if (rounds_uniquely(&value, creal_ball(c, bits))) break;
  return value;
}

double creal_function_round(enum creal_op op, double x) {
  double value = NAN;
  arb_t argument, result;
  arb_init(argument);
  arb_init(result);
  arb_set_d(argument, x);
  for (slong bits = 80; bits <= CREAL_MAX_BITS; bits *= 2) {
    apply(result, op, argument, NULL, bits);
    if (rounds_uniquely(&value, result)) break;
  }
  arb_clear(argument);
  arb_clear(result);
  return value;
}
