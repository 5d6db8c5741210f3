#include "check/exact/float_possible.h"

#include "check/exact/monotone.h"

/* An operation as a function of its one argument that varies. */
struct step {
  const struct pipeline *p;
  const struct node *node;
  size_t arg; /* which one */
  binary64 constants[3];
};

static binary64 step_value(const struct step *s, int64_t rank) {
  const struct node *n = s->node;
  enum binary_format from = s->p->nodes.at[n->args[s->arg]].format;
  binary64 x[3] = {s->constants[0], s->constants[1], s->constants[2]}, out = BINARY64_NAN;
  x[s->arg] = binary64_of_rank(from, rank);
  if (n->kind == NODE_NEGATE) return binary64_neg(x[0]);
  if (n->kind == NODE_CONVERT) return binary64_round(n->format, x[0]);
  if (n->kind == NODE_BINARY)
    ieee_binary(&out, n->op, n->format, x[0], x[1]);
  else
    ieee_function(&out, n->builtin, n->format, x[0], x[1], x[2]);
  return out;
}

/* 1: never falls, -1: never rises, as a function on all floats, infinities included, without NaN;
 * 0: none of this is known. *from is the rank of the first float on which it is defined. */
static int step_direction(const struct step *s, int64_t *from) {
  const struct node *n = s->node;
  binary64 c = s->constants[1 - (s->arg == 1)]; /* of two: the other one */
  int sign = binary64_is_negative(c) ? -1 : 1;
  bool usual = binary64_is_finite(c) && !binary64_is_zero(c);
  if (n->kind == NODE_NEGATE) return -1;
  if (n->kind == NODE_CONVERT) return 1;
  if (n->kind == NODE_BINARY) switch (n->op) {
    case BINARY_ADD: return binary64_is_finite(c) ? 1 : 0;
    case BINARY_SUB: return !binary64_is_finite(c) ? 0 : s->arg == 0 ? 1 : -1;
    case BINARY_MUL: return usual ? sign : 0;
    case BINARY_DIV: return usual && s->arg == 0 ? sign : 0;
    default: return 0;
    }
  switch (n->builtin) {
  case BUILTIN_LN:
  case BUILTIN_SQRT: *from = 0; return 1;
  case BUILTIN_LOG1P:
    *from = binary64_rank(n->format, UINT64_C(0xbff0000000000000)); /* -1 */
    return 1;
  case BUILTIN_EXP:
  case BUILTIN_EXPM1:
  case BUILTIN_FLOOR:
  case BUILTIN_CEIL:
  case BUILTIN_ROUND:
  case BUILTIN_MIN:
  case BUILTIN_MAX: return 1;
  default: return 0;
  }
}

/* The value of a node that does not vary. */
static bool constant_bits(const struct pipeline *p, size_t node, binary64 *out) {
  const wide none[LIMIT_PIPELINE_WORDS] = {0};
  const char *why;
  struct monotone_bounds x;
  struct monotone_view view = {p, none, LIMIT_PIPELINE_WORDS, NULL};
  if (p->nodes.at[node].varies || p->nodes.at[node].sort != NODE_FLOAT) return false;
  if (!monotone_bounds(&x, &view, node, 0, &why) || x.any) return false;
  *out = x.at[0].bits;
  return binary64_equal(x.at[0].bits, x.at[1].bits);
}

/* The operation at a node, if all its arguments but one are constant floats. */
static bool step_init(struct step *s, const struct pipeline *p, const struct node *n) {
  bool found = false;
  *s = (struct step){.p = p, .node = n};
  if (n->kind != NODE_NEGATE && n->kind != NODE_CONVERT && n->kind != NODE_BINARY &&
      n->kind != NODE_CALL)
    return false;
  for (size_t i = 0; i < n->count; i++) {
    if (p->nodes.at[n->args[i]].sort != NODE_FLOAT) return false;
    if (constant_bits(p, n->args[i], &s->constants[i])) continue;
    if (found) return false;
    found = true;
    s->arg = i;
  }
  return found && n->count < 3;
}

/* The ranks of floats with which the operation gives something in low..high; false: none. */
static bool step_back(const struct step *s, int direction, int64_t from, int64_t *low,
                      int64_t *high) {
  enum binary_format format = s->p->nodes.at[s->node->args[s->arg]].format;
  const int64_t last = binary64_last_rank(format);
  int64_t ends[2]; /* the first float that is far enough, and the first that is too far */
  for (int far = 0; far < 2; far++) {
    wide before = (wide)from - 1, behind = (wide)last + 1; /* there are almost 2^64 of them */
    while (behind - before > 1) {
      wide middle = before + (behind - before) / 2;
      int64_t y = binary64_rank(s->node->format, step_value(s, (int64_t)middle));
      bool is_there = direction > 0 ? (far ? y > *high : y >= *low) : (far ? y < *low : y <= *high);
      if (is_there)
        behind = middle;
      else
        before = middle;
    }
    ends[far] = (int64_t)behind;
  }
  *low = ends[0];
  *high = ends[1] - 1;
  return *low <= *high;
}

/* Is the value an integer or infinite, whatever the words are? Sums and products of integers are,
 * rounded or not: floats that are not integers have integers of their format on both sides. False
 * also if *steps are not enough to find out. */
static bool is_whole(const struct pipeline *p, size_t node, size_t *steps) {
  const struct node *n = &p->nodes.at[node];
  binary64 bits;
  if (!*steps) return false;
  --*steps;
  if (n->sort == NODE_INT) return true;
  if (constant_bits(p, node, &bits)) return binary64_equal(binary64_floor(bits), bits);
  size_t from = 0;
  switch (n->kind) {
  case NODE_SELECT: from = 1; break;
  case NODE_NEGATE:
  case NODE_CONVERT: break;
  case NODE_BINARY:
    if (n->op == BINARY_DIV) return false;
    break;
  case NODE_CALL:
    if (n->builtin == BUILTIN_FLOOR || n->builtin == BUILTIN_CEIL || n->builtin == BUILTIN_ROUND)
      return true;
    if (n->builtin == BUILTIN_ABS || n->builtin == BUILTIN_MIN || n->builtin == BUILTIN_MAX ||
        n->builtin == BUILTIN_FMA)
      break;
    return false;
  default: return false;
  }
  for (; from < n->count; from++)
    if (!is_whole(p, n->args[from], steps)) return false;
  return true;
}

static bool has_whole(enum binary_format format, int64_t low, int64_t high) {
  const binary64 x = binary64_of_rank(format, low);
  const binary64 up = binary64_neg(binary64_floor(binary64_neg(x))); /* of this format too */
  return binary64_rank(format, up) <= high;
}

/* False: no words give a value of the node in low..high (ranks). */
static bool may_lie_in(const struct pipeline *p, size_t node, int64_t low, int64_t high) {
  const struct node *n = &p->nodes.at[node];
  struct step s;
  binary64 bits;
  if (n->sort != NODE_FLOAT) return true;
  if (n->ulps) { /* a value that is off by so many comes from one that is right */
    const int64_t last = binary64_last_rank(n->format), ulps = (int64_t)n->ulps;
    low = low - ulps < -last ? -last : low - ulps;
    high = high + ulps > last ? last : high + ulps;
  }
  if (constant_bits(p, node, &bits)) {
    int64_t rank = binary64_rank(n->format, bits);
    return low <= rank && rank <= high;
  }
  if (n->kind == NODE_PERHAPS) return may_lie_in(p, n->args[0], low, high);
  if (n->kind == NODE_SELECT)
    return may_lie_in(p, n->args[1], low, high) || may_lie_in(p, n->args[2], low, high);
  size_t steps = 200;
  if (!step_init(&s, p, n)) return !is_whole(p, node, &steps) || has_whole(n->format, low, high);
  int64_t from = -binary64_last_rank(p->nodes.at[n->args[s.arg]].format);
  int direction = step_direction(&s, &from);
  if (!direction) return true;
  return step_back(&s, direction, from, &low, &high) && may_lie_in(p, n->args[s.arg], low, high);
}

/* The floats of a format that are at least, or at most, the number; as a rank. */
static int64_t rank_of_end(enum binary_format format, const fmpq_t end, bool is_low) {
  binary64 x = binary64_from_rational(format, end);
  int64_t rank = binary64_rank(format, x);
  int order = float_compare(NODE_FLOAT, (union node_value){.bits = x}, end);
  if (is_low) return order < 0 ? rank + 1 : rank;
  return order > 0 ? rank - 1 : rank;
}

bool float_is_possible(const struct pipeline *p, const struct float_targets *all) {
  for (size_t i = 0; i < all->count; i++) {
    const struct float_target *t = &all->at[i];
    const struct node *n = &p->nodes.at[p->results[i]];
    if (n->sort != NODE_FLOAT || t->any) continue;
    int64_t last = binary64_last_rank(n->format);
    int64_t low = t->has_low ? rank_of_end(n->format, t->low, true) : -last;
    int64_t high = t->has_high ? rank_of_end(n->format, t->high, false) : last;
    if (low > high || !may_lie_in(p, p->results[i], low, high)) return false;
  }
  return true;
}
