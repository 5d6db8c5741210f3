#include "check/exact/monotone.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "run/eval/number.h"

struct shape {
  bool known;
  bool any;                  /* nothing is known of the values */
  bool is_thin;              /* both bounds are equal everywhere: there is one value */
  int direction;             /* of both bounds: 1, -1, 0: constant */
  union node_value at[2][2]; /* at the ends of the range: what it is at least, and at most */
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

static const char moves_against[] = "parts of the output move against each other";

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
  const union node_value zero = zero_of(sort);
  if (compare(sort, s->at[0][0], zero) >= 0 && compare(sort, s->at[1][0], zero) >= 0) return 1;
  return compare(sort, s->at[0][1], zero) <= 0 && compare(sort, s->at[1][1], zero) <= 0 ? -1 : 0;
}

static bool may_be_infinite(const struct shape *s) {
  for (int i = 0; i < 4; i++)
    if (!binary64_is_finite(s->at[i / 2][i % 2].bits)) return true;
  return false;
}

static bool may_be_zero(const struct shape *s) {
  for (int i = 0; i < 4; i++)
    if (binary64_is_zero(s->at[i / 2][i % 2].bits)) return true;
  return sign_on(NODE_FLOAT, s) == 0;
}

/* Is there one value on the whole range? */
static bool is_point(const struct shape *s) {
  return s->is_thin && !s->direction;
}

/* Adds what one more argument contributes. */
static bool join(struct range *r, int *direction, int more) {
  if (*direction && more && *direction != more) return refuse(r, moves_against);
  if (more) *direction = more;
  return true;
}

/* ---- splitting ------------------------------------------------------------------------------ */

/* The signs of x - y (y NO_ARGUMENT: of x), at least and at most. */
struct signs {
  int least, greatest;
};

#define NO_ARGUMENT SIZE_MAX
static struct signs signs_of(const struct range *r, size_t x, size_t y, int end) {
  const enum node_sort sort = r->view->p->nodes.at[x].sort;
  const union node_value *a = r->shapes[x].at[end], zero[2] = {zero_of(sort), zero_of(sort)};
  const union node_value *b = y == NO_ARGUMENT ? zero : r->shapes[y].at[end];
  return (struct signs){compare(sort, a[0], b[1]), compare(sort, a[1], b[0])};
}

static bool same_signs(struct signs a, struct signs b) {
  return a.least == b.least && a.greatest == b.greatest;
}

/* For one value of the word. */
static bool signs_at(struct range *r, size_t x, size_t y, wide k, struct signs *signs) {
  const struct pipeline *p = r->view->p;
  struct range point = {.view = r->view, .low = k, .high = k};
  if (budget_is_spent(r->view->budget)) return refuse(r, monotone_no_time);
  point.shapes = xcalloc(p->nodes.len, sizeof *point.shapes);
  bool ok = find_shape(&point, x) && (y == NO_ARGUMENT || find_shape(&point, y)) &&
            !point.shapes[x].any && (y == NO_ARGUMENT || !point.shapes[y].any);
  if (ok) *signs = signs_of(&point, x, y, 0);
  free(point.shapes);
  return ok || refuse(r, point.why ? point.why : "a value cannot be computed");
}

/* The signs of x - y are monotone on the range and not the same at both ends: the range is to be
 * split behind the last value that has the first ones. Always false. */
static bool split_by_sign(struct range *r, size_t x, size_t y) {
  struct signs first, signs;
  if (!signs_at(r, x, y, r->low, &first)) return false;
  wide same = r->low, other = r->high;
  while (other - same > 1) {
    wide middle = same + (other - same) / 2;
    if (!signs_at(r, x, y, middle, &signs)) return false;
    if (same_signs(signs, first))
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
  int factors
      [3]; /* 1: rises with the argument, -1: falls as it rises; 0: the argument is a point */
  int direction;
  bool any;
};

/* The argument moves the result in its own direction, or (factor -1) against it. */
static bool moves_with(struct rule *u, size_t arg, int factor) {
  u->factors[arg] = factor;
  return join(u->r, &u->direction, factor * u->args[arg]->direction);
}

/* The sign of an argument on the range. False: the range is split, or the sign is not known. */
static bool find_sign(struct rule *u, size_t arg, int *sign) {
  const size_t node = u->node->args[arg];
  *sign = sign_on(u->r->view->p->nodes.at[node].sort, u->args[arg]);
  if (*sign) return true;
  u->any = same_signs(signs_of(u->r, node, NO_ARGUMENT, 0), signs_of(u->r, node, NO_ARGUMENT, 1));
  return u->any ? false : split_by_sign(u->r, node, NO_ARGUMENT);
}

/* The argument moves the result in the direction that the sign of another one says. */
static bool moves_by_sign(struct rule *u, size_t arg, size_t other, int factor) {
  int sign;
  if (is_point(u->args[arg])) return true;
  return find_sign(u, other, &sign) && moves_with(u, arg, factor * sign);
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
  if (!is_point(y) || y->at[0][0].whole <= 0)
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
  int sign;
  switch (u->node->builtin) {
  case BUILTIN_EXP:
  case BUILTIN_EXPM1:
  case BUILTIN_LOG1P: /* where it is NaN at an end, compute() refuses */
  case BUILTIN_FLOOR:
  case BUILTIN_CEIL:
  case BUILTIN_ROUND: return moves_with(u, 0, 1);
  case BUILTIN_LN:
  case BUILTIN_SQRT:
    if (!find_sign(u, 0, &sign)) return false;
    if (sign < 0) return refuse(u->r, "ln or sqrt of a negative number");
    return moves_with(u, 0, 1);
  case BUILTIN_ABS: return find_sign(u, 0, &sign) && moves_with(u, 0, sign);
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
  fmpq_t q;
  fmpq_init(q);
  fmpz_set_wide(fmpq_numref(q), whole);
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

/* A function of a libm: `right` is its correctly rounded value at x, and this its least or greatest
 * one. A value that is off keeps its sign, and what is exactly 0 or infinite is so everywhere; but
 * exp of a finite number is 0 or infinite only by rounding. Each bound is monotone in x. */
static binary64 libm_bound(const struct node *n, binary64 x, binary64 right, bool greatest) {
  const bool rounds = n->builtin == BUILTIN_EXP || n->builtin == BUILTIN_EXPM1;
  if (!n->ulps || (binary64_is_zero(right) && n->builtin != BUILTIN_EXP) ||
      (!binary64_is_finite(right) && !(rounds && binary64_is_finite(x))))
    return right;
  const int64_t rank = binary64_rank(n->format, right), last = binary64_last_rank(n->format);
  int64_t bound = greatest ? rank + (int64_t)n->ulps : rank - (int64_t)n->ulps;
  if (rank >= 0 && bound < 0) bound = 0;
  if (rank < 0 && bound > 0) bound = 0;
  if (bound > last) bound = last;
  if (bound < -last) bound = -last;
  return binary64_of_rank(n->format, bound);
}

/* ---- shapes --------------------------------------------------------------------------------- */

static bool moves(struct rule *u) {
  switch (u->node->kind) {
  case NODE_NEGATE: return moves_with(u, 0, -1);
  case NODE_CONVERT: return moves_with(u, 0, 1);
  case NODE_BINARY: return arithmetic_moves(u);
  default: return call_moves(u);
  }
}

/* The least (side 0) or greatest value at an end of the range. */
static bool compute_bound(const struct rule *u, int end, int side, union node_value *out) {
  const struct node *n = u->node;
  union node_value x[3] = {{0}};
  for (size_t i = 0; i < n->count; i++)
    x[i] = u->args[i]->at[end][u->factors[i] < 0 ? !side : side];
  if (!compute(u->r, n, x, out)) return false;
  if (n->kind == NODE_CALL) out->bits = libm_bound(n, x[0].bits, out->bits, side);
  return true;
}

static bool compute_bounds(const struct rule *u, struct shape *out) {
  for (int end = 0; end < 2; end++) {
    if (end && u->r->low == u->r->high) {
      out->at[1][0] = out->at[0][0];
      out->at[1][1] = out->at[0][1];
      continue;
    }
    if (!compute_bound(u, end, 0, &out->at[end][0])) return false;
    if (out->is_thin)
      out->at[end][1] = out->at[end][0];
    else if (!compute_bound(u, end, 1, &out->at[end][1]))
      return false;
  }
  return true;
}

/* Monotone with equal ends is constant. */
static bool set_direction(const struct rule *u, struct shape *out) {
  for (int side = 0; side < 2; side++) {
    const int order = compare(u->node->sort, out->at[0][side], out->at[1][side]);
    if (order && order != -u->direction) return refuse(u->r, "internal error: a shape is wrong");
    if (order) out->direction = u->direction;
  }
  return true;
}

/* Does the node have few values because it is floor or the like, with constants? */
static bool is_stepped(const struct pipeline *p, size_t node) {
  for (;;) {
    const struct node *n = &p->nodes.at[node];
    size_t varying = 0;
    if (n->kind == NODE_CALL)
      return n->builtin == BUILTIN_FLOOR || n->builtin == BUILTIN_CEIL ||
             n->builtin == BUILTIN_ROUND;
    if (n->kind == NODE_BINARY && n->op == BINARY_IDIV) return true;
    if (n->kind != NODE_NEGATE && n->kind != NODE_BINARY && n->kind != NODE_CONVERT) return false;
    for (size_t i = 0; i < n->count; i++)
      if (p->nodes.at[n->args[i]].varies) varying++, node = n->args[i];
    if (varying != 1) return false;
  }
}

/* Parts move against each other, but one of them has few values, as in y - floor(y): the range is
 * split behind the first of them. Always false. */
static bool split_at_step(struct range *r, const struct node *n) {
  size_t step = 0;
  while (step < n->count &&
         (is_point(&r->shapes[n->args[step]]) || !is_stepped(r->view->p, n->args[step])))
    step++;
  if (step == n->count || !r->shapes[n->args[step]].is_thin) return false;
  const size_t node = n->args[step];
  const enum node_sort sort = r->view->p->nodes.at[node].sort;
  wide same = r->low, other = r->high;
  struct monotone_bounds first, x;
  if (!monotone_bounds(&first, r->view, node, r->low, &r->why)) return false;
  while (other - same > 1) {
    const wide middle = same + (other - same) / 2;
    if (!monotone_bounds(&x, r->view, node, middle, &r->why)) return false;
    if (compare(sort, x.at[0], first.at[0]) == 0)
      same = middle;
    else
      other = middle;
  }
  r->why = NULL;
  r->splits = true;
  r->split = same;
  return false;
}

/* Arithmetic, functions and conversions. */
static bool shape_of_computed(struct range *r, const struct node *n, struct shape *out) {
  struct rule u = {.r = r, .node = n};
  bool is_constant = true;
  out->is_thin = n->ulps == 0;
  for (size_t i = 0; i < n->count; i++) {
    if (!find_shape(r, n->args[i])) return false;
    u.args[i] = &r->shapes[n->args[i]];
    out->any |= u.args[i]->any;
    out->is_thin &= u.args[i]->is_thin;
    is_constant &= is_point(u.args[i]);
  }
  if (out->any) return true;
  /* The two zeros are equal, but not as divisors, and nothing else tells them apart. Constants do
   * not say which one they are: the evaluator's values are numbers. */
  if (n->sort == NODE_FLOAT && n->kind == NODE_BINARY && n->op == BINARY_DIV &&
      may_be_zero(u.args[1]))
    return refuse(r, "a divisor may be 0");
  bool ok = is_constant || moves(&u);
  if (!ok && u.any) {
    out->any = true;
    return true;
  }
  if (!ok && r->why == moves_against) return split_at_step(r, n);
  return ok && compute_bounds(&u, out) && set_direction(&u, out);
}

/* x - y moves in one direction, so that its signs change a few times. */
static bool shape_of_comparison(struct range *r, const struct node *n, struct shape *out) {
  size_t x = n->args[0], y = n->args[1];
  if (!find_shape(r, x) || !find_shape(r, y)) return false;
  int direction = r->shapes[x].direction;
  out->any = r->shapes[x].any || r->shapes[y].any;
  if (out->any) return true;
  if (!join(r, &direction, -r->shapes[y].direction)) return false;
  const struct signs before = signs_of(r, x, y, 0);
  if (!same_signs(before, signs_of(r, x, y, 1))) return split_by_sign(r, x, y);
  const bool truth = number_relation(n->op, before.least);
  for (int sign = before.least; sign <= before.greatest; sign++)
    out->any |= number_relation(n->op, sign) != truth;
  out->at[0][0].truth = truth;
  out->is_thin = true;
  return true;
}

/* Truth values do not vary on a range. */
static bool shape_of_logic(struct range *r, const struct node *n, struct shape *out) {
  if (!find_shape(r, n->args[0])) return false;
  const struct shape *x = &r->shapes[n->args[0]];
  bool truth = x->at[0][0].truth;
  out->any = x->any;
  out->is_thin = true;
  if (n->kind == NODE_NOT) {
    truth = !truth;
  } else if (truth && !x->any) {
    if (!find_shape(r, n->args[1])) return false;
    truth = r->shapes[n->args[1]].at[0][0].truth;
    out->any = r->shapes[n->args[1]].any;
  }
  out->at[0][0].truth = truth;
  return true;
}

static bool shape_of_selection(struct range *r, const struct node *n, struct shape *out) {
  if (!find_shape(r, n->args[0])) return false;
  out->any = r->shapes[n->args[0]].any;
  if (out->any) return true;
  size_t chosen = n->args[r->shapes[n->args[0]].at[0][0].truth ? 1 : 2];
  if (!find_shape(r, chosen)) return false;
  *out = r->shapes[chosen];
  return true;
}

static void shape_of_word(const struct range *r, const struct node *n, struct shape *out) {
  bool is_free = n->word == r->view->free;
  for (int side = 0; side < 2; side++) {
    out->at[0][side].whole = is_free ? r->low : r->view->words[n->word];
    out->at[1][side].whole = is_free ? r->high : r->view->words[n->word];
  }
  out->direction = is_free && r->low < r->high;
  out->is_thin = true;
}

static bool find_shape(struct range *r, size_t node) {
  const struct node *n = &r->view->p->nodes.at[node];
  struct shape *known = &r->shapes[node], out = {.known = true};
  if (known->known) return true;
  bool ok = true;
  switch (n->kind) {
  case NODE_CONSTANT:
    for (int i = 0; i < 4; i++)
      out.at[i / 2][i % 2] = n->value;
    out.is_thin = true;
    break;
  case NODE_PERHAPS:
  case NODE_ANY: out.any = true; break;
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

bool monotone_bounds(struct monotone_bounds *out, const struct monotone_view *view, size_t node,
                     wide k, const char **why) {
  struct range point = {.view = view, .low = k, .high = k};
  if (budget_is_spent(view->budget)) {
    *why = monotone_no_time;
    return false;
  }
  point.shapes = xcalloc(view->p->nodes.len, sizeof *point.shapes);
  bool ok = find_shape(&point, node);
  if (ok) {
    const struct shape *s = &point.shapes[node];
    *out = (struct monotone_bounds){.any = s->any, .at = {s->at[0][0], s->at[0][1]}};
  } else {
    *why = point.why ? point.why : "a value cannot be computed";
  }
  free(point.shapes);
  return ok;
}

bool monotone_result(union node_value *out, const struct monotone_view *view, wide k,
                     const char **why) {
  const struct pipeline *p = view->p;
  const enum node_sort sort = p->nodes.at[p->result].sort;
  struct monotone_bounds bounds;
  *why = "there are several outputs";
  if (p->result_count != 1 || !monotone_bounds(&bounds, view, p->result, k, why)) return false;
  *why = "the output is not known exactly";
  if (bounds.any || (sort != NODE_BOOL && compare(sort, bounds.at[0], bounds.at[1]) != 0))
    return false;
  *out = bounds.at[0];
  return true;
}

static bool find_results(struct range *r) {
  const struct pipeline *p = r->view->p;
  for (size_t i = 0; i < p->result_count; i++)
    if (!find_shape(r, p->results[i])) return false;
  return true;
}

/* The longest piece from `low` on that the splits lead to; its end is known to be at most `high`. */
static bool first_piece(struct monotone_piece *out, const struct monotone_view *view, wide low,
                        wide high, const char **why) {
  const struct pipeline *p = view->p;
  struct range r = {.view = view, .low = low, .high = high};
  r.shapes = xcalloc(p->nodes.len, sizeof *r.shapes);
  bool ok = find_results(&r);
  while (!ok && r.splits) { /* each time the range gets shorter */
    r.high = r.split;
    r.splits = false;
    for (size_t i = 0; i < p->nodes.len; i++)
      r.shapes[i].known = false;
    ok = find_results(&r);
  }
  *out = (struct monotone_piece){.low = r.low, .high = r.high};
  for (size_t i = 0; ok && i < p->result_count; i++) {
    out->direction[i] = r.shapes[p->results[i]].direction;
    out->any[i] = r.shapes[p->results[i]].any;
  }
  if (!ok) *why = r.why ? r.why : "the output is not monotone";
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
