#include "check/exact/monotone.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "run/eval/number.h"

struct shape {
  bool known;
  int direction;          /* 1, -1, 0: constant */
  union node_value at[2]; /* at the ends of the range */
};

struct range {
  const struct monotone_view *view;
  wide low, high;
  struct shape *shapes; /* by node; those that were needed */
  bool splits;          /* not monotone as a whole, but up to and after `split` */
  wide split;
  const char *why;
};

const char monotone_no_time[] = "the time is over";

static bool refuse(struct range *r, const char *why) {
  if (!r->why) r->why = why;
  return false;
}

static bool find_shape(struct range *r, size_t node);

/* ---- values --------------------------------------------------------------------------------- */

static int compare(enum node_sort sort, union node_value x, union node_value y) {
  if (sort == NODE_INT) return x.whole < y.whole ? -1 : x.whole > y.whole;
  return binary64_less(x.bits, y.bits) ? -1 : !binary64_equal(x.bits, y.bits);
}

static union node_value zero_of(enum node_sort sort) {
  return sort == NODE_INT ? (union node_value){.whole = 0} : (union node_value){.bits = 0};
}

/* 1: never negative on the range, -1: never positive, 0: both. */
static int sign_on(enum node_sort sort, const struct shape *s) {
  int a = compare(sort, s->at[0], zero_of(sort)), b = compare(sort, s->at[1], zero_of(sort));
  if (a >= 0 && b >= 0) return 1;
  return a <= 0 && b <= 0 ? -1 : 0;
}

static bool may_be_infinite(const struct shape *s) {
  return !binary64_is_finite(s->at[0].bits) || !binary64_is_finite(s->at[1].bits);
}

static bool may_be_zero(const struct shape *s) {
  return sign_on(NODE_FLOAT, s) == 0 || binary64_is_zero(s->at[0].bits) ||
         binary64_is_zero(s->at[1].bits);
}

/* Adds what one more argument contributes. */
static bool join(struct range *r, int *direction, int more) {
  if (*direction && more && *direction != more)
    return refuse(r, "parts of the output move against each other");
  if (more) *direction = more;
  return true;
}

/* ---- splitting ------------------------------------------------------------------------------ */

/* The sign of x - y (y NO_ARGUMENT: of x) for one value of the word. */
#define NO_ARGUMENT SIZE_MAX
static bool sign_at(struct range *r, size_t x, size_t y, wide k, int *sign) {
  const struct pipeline *p = r->view->p;
  struct range point = {.view = r->view, .low = k, .high = k};
  if (budget_is_spent(r->view->budget)) return refuse(r, monotone_no_time);
  point.shapes = xcalloc(p->nodes.len, sizeof *point.shapes);
  bool ok = find_shape(&point, x) && (y == NO_ARGUMENT || find_shape(&point, y));
  enum node_sort sort = p->nodes.at[x].sort;
  if (ok)
    *sign = compare(sort, point.shapes[x].at[0],
                    y == NO_ARGUMENT ? zero_of(sort) : point.shapes[y].at[0]);
  free(point.shapes);
  return ok || refuse(r, point.why ? point.why : "a value cannot be computed");
}

/* The sign of x - y is monotone on the range and not the same at both ends: the range is to be
 * split behind the last value that has the first sign. Always false. */
static bool split_by_sign(struct range *r, size_t x, size_t y) {
  int first, sign;
  if (!sign_at(r, x, y, r->low, &first)) return false;
  wide same = r->low, other = r->high;
  while (other - same > 1) {
    wide middle = same + (other - same) / 2;
    if (!sign_at(r, x, y, middle, &sign)) return false;
    if (sign == first)
      same = middle;
    else
      other = middle;
  }
  r->splits = true;
  r->split = same;
  return false;
}

/* ---- rules ---------------------------------------------------------------------------------- */

struct rule {
  struct range *r;
  const struct node *node;
  const struct shape *args[3];
  int direction;
};

/* The argument moves the result in its own direction, or (factor -1) against it. */
static bool moves_with(struct rule *u, size_t arg, int factor) {
  return join(u->r, &u->direction, factor * u->args[arg]->direction);
}

/* The argument moves the result in the direction that the sign of another one says. */
static bool moves_by_sign(struct rule *u, size_t arg, size_t other, int factor) {
  size_t node = u->node->args[other];
  enum node_sort sort = u->r->view->p->nodes.at[node].sort;
  if (!u->args[arg]->direction) return true;
  int sign = sign_on(sort, u->args[other]);
  if (!sign) return split_by_sign(u->r, node, NO_ARGUMENT);
  return moves_with(u, arg, factor * sign);
}

static bool product_moves(struct rule *u) {
  const struct shape *x = u->args[0], *y = u->args[1];
  if (u->node->sort == NODE_FLOAT &&
      ((may_be_infinite(x) && may_be_zero(y)) || (may_be_zero(x) && may_be_infinite(y))))
    return refuse(u->r, "a product may be that of 0 and an infinity");
  return moves_by_sign(u, 0, 1, 1) && moves_by_sign(u, 1, 0, 1);
}

/* The divisor is not 0: shape_of_computed has seen to that. */
static bool quotient_moves(struct rule *u) {
  if (may_be_infinite(u->args[0]) && may_be_infinite(u->args[1]))
    return refuse(u->r, "a quotient may be that of two infinities");
  return moves_by_sign(u, 0, 1, 1) && moves_by_sign(u, 1, 0, -1);
}

static bool sum_moves(struct rule *u, int factor) {
  if (u->node->sort == NODE_FLOAT && may_be_infinite(u->args[0]) && may_be_infinite(u->args[1]))
    return refuse(u->r, "a sum may be that of two infinities");
  return moves_with(u, 0, 1) && moves_with(u, 1, factor);
}

/* x div y for a constant y > 0. */
static bool whole_quotient_moves(struct rule *u) {
  const struct shape *y = u->args[1];
  if (y->direction || y->at[0].whole <= 0)
    return refuse(u->r, "`div` must be by a positive constant");
  return moves_with(u, 0, 1);
}

static bool arithmetic_moves(struct rule *u) {
  switch (u->node->op) {
  case BINARY_ADD: return sum_moves(u, 1);
  case BINARY_SUB: return sum_moves(u, -1);
  case BINARY_MUL: return product_moves(u);
  case BINARY_DIV: return quotient_moves(u);
  case BINARY_IDIV: return whole_quotient_moves(u);
  default: return refuse(u->r, "a remainder is not monotone");
  }
}

static bool call_moves(struct rule *u) {
  int sign = sign_on(NODE_FLOAT, u->args[0]);
  switch (u->node->builtin) {
  case BUILTIN_EXP:
  case BUILTIN_EXPM1:
  case BUILTIN_LOG1P: /* where it is NaN at an end, compute() refuses */
  case BUILTIN_FLOOR:
  case BUILTIN_CEIL:
  case BUILTIN_ROUND: return moves_with(u, 0, 1);
  case BUILTIN_LN:
  case BUILTIN_SQRT:
    if (!sign) return split_by_sign(u->r, u->node->args[0], NO_ARGUMENT);
    if (compare(NODE_FLOAT, u->args[0]->at[0], zero_of(NODE_FLOAT)) < 0 ||
        compare(NODE_FLOAT, u->args[0]->at[1], zero_of(NODE_FLOAT)) < 0)
      return refuse(u->r, "ln or sqrt of a negative number");
    return moves_with(u, 0, 1);
  case BUILTIN_ABS:
    if (!sign) return split_by_sign(u->r, u->node->args[0], NO_ARGUMENT);
    return moves_with(u, 0, sign);
  case BUILTIN_MIN:
  case BUILTIN_MAX: return moves_with(u, 0, 1) && moves_with(u, 1, 1);
  case BUILTIN_FMA:
    if ((may_be_infinite(u->args[0]) || may_be_infinite(u->args[1])) && may_be_infinite(u->args[2]))
      return refuse(u->r, "a sum may be that of two infinities");
    return product_moves(u) && moves_with(u, 2, 1);
  default: return refuse(u->r, "this function is not monotone");
  }
}

/* ---- evaluation at the ends ----------------------------------------------------------------- */

/* |x| < 2^bits */
static bool is_within(wide x, int bits) {
  const wide bound = (wide)1 << bits;
  return -bound < x && x < bound;
}

static wide floor_quotient(wide x, wide y) {
  wide q = x / y;
  return q * y != x && (x < 0) != (y < 0) ? q - 1 : q;
}

static bool whole_binary(struct range *r, enum binary_op op, wide x, wide y, wide *out) {
  switch (op) {
  case BINARY_ADD: *out = x + y; break;
  case BINARY_SUB: *out = x - y; break;
  case BINARY_MUL:
    if (!is_within(x, 63) || !is_within(y, 63)) return refuse(r, "an integer is too large");
    *out = x * y;
    break;
  case BINARY_IDIV:
  case BINARY_MOD:
    if (y == 0) return refuse(r, "division by zero");
    *out = floor_quotient(x, y);
    if (op == BINARY_MOD) *out = x - y * *out;
    break;
  default: return refuse(r, "this operation on integers is not supported");
  }
  return is_within(*out, 90) || refuse(r, "an integer is too large");
}

static binary64 float_of_whole(enum binary_format format, wide whole) {
  const bool negative = whole < 0;
  const wide magnitude = negative ? -whole : whole;
  fmpq_t q;
  fmpq_init(q);
  fmpz_set_uiui(fmpq_numref(q), (ulong)(magnitude >> 64), (ulong)magnitude);
  if (negative) fmpq_neg(q, q);
  const binary64 bits = binary64_from_rational(format, q);
  fmpq_clear(q);
  return bits;
}

/* The value of a node that computes, from those of its arguments. */
static bool compute(struct range *r, const struct node *n, const union node_value *x,
                    union node_value *out) {
  const struct node *first = &r->view->p->nodes.at[n->args[0]];
  bool ok = true;
  switch (n->kind) {
  case NODE_NEGATE:
    if (n->sort == NODE_INT)
      out->whole = -x[0].whole;
    else
      out->bits = binary64_neg(x[0].bits);
    break;
  case NODE_CONVERT:
    out->bits = first->sort == NODE_INT ? float_of_whole(n->format, x[0].whole)
                                        : binary64_round(n->format, x[0].bits);
    break;
  case NODE_BINARY:
    if (n->sort == NODE_INT) return whole_binary(r, n->op, x[0].whole, x[1].whole, &out->whole);
    ok = ieee_binary(&out->bits, n->op, n->format, x[0].bits, x[1].bits);
    break;
  default:
    ok = ieee_function(&out->bits, n->builtin, n->format, x[0].bits, n->count > 1 ? x[1].bits : 0,
                       n->count > 2 ? x[2].bits : 0);
  }
  if (ok && n->sort == NODE_FLOAT && binary64_is_nan(out->bits))
    return refuse(r, "an operation gives NaN");
  return ok || refuse(r, "this operation is not supported");
}

/* ---- shapes --------------------------------------------------------------------------------- */

/* Arithmetic, functions and conversions. */
static bool shape_of_computed(struct range *r, const struct node *n, struct shape *out) {
  struct rule u = {.r = r, .node = n};
  bool varies = false;
  for (size_t i = 0; i < n->count; i++) {
    if (!find_shape(r, n->args[i])) return false;
    u.args[i] = &r->shapes[n->args[i]];
    varies |= u.args[i]->direction != 0;
  }
  /* The two zeros are equal, but not as divisors, and nothing else tells them apart. Constants do
   * not say which one they are: the evaluator's values are numbers. */
  if (n->sort == NODE_FLOAT && n->kind == NODE_BINARY && n->op == BINARY_DIV &&
      may_be_zero(u.args[1]))
    return refuse(r, "a divisor may be 0");
  bool ok = !varies                   ? true
            : n->kind == NODE_NEGATE  ? moves_with(&u, 0, -1)
            : n->kind == NODE_CONVERT ? moves_with(&u, 0, 1)
            : n->kind == NODE_BINARY  ? arithmetic_moves(&u)
                                      : call_moves(&u);
  for (int end = 0; ok && end < 2; end++) {
    union node_value x[3] = {{0}};
    for (size_t i = 0; i < n->count; i++)
      x[i] = u.args[i]->at[end];
    ok = compute(r, n, x, &out->at[end]);
  }
  if (!ok) return false;
  int order = compare(n->sort, out->at[0], out->at[1]);
  if (order && order != -u.direction) return refuse(r, "internal error: a shape is wrong");
  out->direction = order ? u.direction : 0; /* monotone with equal ends: constant */
  return true;
}

/* x - y moves in one direction, so that its sign changes at most twice. */
static bool shape_of_comparison(struct range *r, const struct node *n, struct shape *out) {
  size_t x = n->args[0], y = n->args[1];
  if (!find_shape(r, x) || !find_shape(r, y)) return false;
  const struct shape *a = &r->shapes[x], *b = &r->shapes[y];
  enum node_sort sort = r->view->p->nodes.at[x].sort;
  int direction = a->direction;
  if (!join(r, &direction, -b->direction)) return false;
  int before = compare(sort, a->at[0], b->at[0]), after = compare(sort, a->at[1], b->at[1]);
  if (before != after) return split_by_sign(r, x, y);
  out->at[0].truth = out->at[1].truth = number_relation(n->op, before);
  return true;
}

/* Truth values do not vary on a range. */
static bool shape_of_logic(struct range *r, const struct node *n, struct shape *out) {
  if (!find_shape(r, n->args[0])) return false;
  bool truth = r->shapes[n->args[0]].at[0].truth;
  if (n->kind == NODE_NOT) {
    truth = !truth;
  } else if (truth) {
    if (!find_shape(r, n->args[1])) return false;
    truth = r->shapes[n->args[1]].at[0].truth;
  }
  out->at[0].truth = out->at[1].truth = truth;
  return true;
}

static bool shape_of_selection(struct range *r, const struct node *n, struct shape *out) {
  if (!find_shape(r, n->args[0])) return false;
  size_t chosen = n->args[r->shapes[n->args[0]].at[0].truth ? 1 : 2];
  if (!find_shape(r, chosen)) return false;
  *out = r->shapes[chosen];
  return true;
}

static void shape_of_word(const struct range *r, const struct node *n, struct shape *out) {
  bool is_free = n->word == r->view->free;
  out->at[0].whole = is_free ? r->low : r->view->words[n->word];
  out->at[1].whole = is_free ? r->high : r->view->words[n->word];
  out->direction = is_free && r->low < r->high;
}

static bool find_shape(struct range *r, size_t node) {
  const struct node *n = &r->view->p->nodes.at[node];
  struct shape *known = &r->shapes[node], out = {.known = true};
  if (known->known) return true;
  bool ok = true;
  switch (n->kind) {
  case NODE_CONSTANT: out.at[0] = out.at[1] = n->value; break;
  case NODE_WORD: shape_of_word(r, n, &out); break;
  case NODE_NOT:
  case NODE_AND: ok = shape_of_logic(r, n, &out); break;
  case NODE_SELECT: ok = shape_of_selection(r, n, &out); break;
  default:
    ok = n->sort == NODE_BOOL ? shape_of_comparison(r, n, &out) : shape_of_computed(r, n, &out);
  }
  if (ok) *known = out;
  return ok;
}

/* ---- pieces --------------------------------------------------------------------------------- */

bool monotone_result(union node_value *out, const struct monotone_view *view, wide k,
                     const char **why) {
  struct range point = {.view = view, .low = k, .high = k};
  if (budget_is_spent(view->budget)) {
    *why = monotone_no_time;
    return false;
  }
  point.shapes = xcalloc(view->p->nodes.len, sizeof *point.shapes);
  bool ok = find_shape(&point, view->p->result);
  if (ok) *out = point.shapes[view->p->result].at[0];
  if (!ok) *why = point.why ? point.why : "a value cannot be computed";
  free(point.shapes);
  return ok;
}

/* The longest piece from `low` on that the splits lead to; its end is known to be at most `high`. */
static bool first_piece(struct monotone_piece *out, const struct monotone_view *view, wide low,
                        wide high, const char **why) {
  struct range r = {.view = view, .low = low, .high = high};
  r.shapes = xcalloc(view->p->nodes.len, sizeof *r.shapes);
  bool ok = find_shape(&r, view->p->result);
  while (!ok && r.splits) { /* each time the range gets shorter */
    r.high = r.split;
    r.splits = false;
    for (size_t i = 0; i < view->p->nodes.len; i++)
      r.shapes[i].known = false;
    ok = find_shape(&r, view->p->result);
  }
  if (ok)
    *out = (struct monotone_piece){r.low, r.high, r.shapes[view->p->result].direction};
  else
    *why = r.why ? r.why : "the output is not monotone";
  free(r.shapes);
  return ok;
}

bool monotone_split(monotone_pieces *out, const struct monotone_view *view, const char **why) {
  const wide count = view->p->words.at[view->free];
  for (wide low = 0; low < count;) {
    struct monotone_piece piece;
    if (out->len == LIMIT_MONOTONE_PIECES) {
      *why = "the output has too many monotone pieces";
      return false;
    }
    if (!first_piece(&piece, view, low, count - 1, why)) return false;
    vec_push(out, piece);
    low = piece.high + 1;
  }
  return true;
}
