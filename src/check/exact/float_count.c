#include "check/exact/float_count.h"

#include <stdlib.h>

/* ---- words ---------------------------------------------------------------------------------- */

static void note_word(struct float_words *w, size_t word) {
  for (size_t i = 0; i < w->count; i++)
    if (w->used[i] == word) return;
  w->used[w->count++] = word;
}

/* Arguments stand before what uses them: one pass from the end finds what the result needs. */
static void find_used(struct float_words *w, const struct pipeline *p) {
  bool *needed = xcalloc(p->nodes.len + 1, sizeof *needed);
  needed[p->result] = true;
  for (size_t i = p->nodes.len; i-- > 0;) {
    const struct node *n = &p->nodes.at[i];
    if (!needed[i]) continue;
    if (n->kind == NODE_WORD) note_word(w, n->word);
    for (size_t k = 0; k < n->count; k++)
      needed[n->args[k]] = true;
  }
  free(needed);
}

bool float_words_init(struct float_words *w, const struct pipeline *p) {
  *w = (struct float_words){.combinations = 1};
  find_used(w, p);
  if (w->count == 0) note_word(w, 0); /* a constant is counted over any word */
  for (size_t i = 0; i < w->count; i++)
    w->longs += p->words.at[w->used[i]] > FLOAT_COUNT_SHORT;
  float_words_free(w, p, 0);
  for (size_t i = 0; i < w->count; i++) {
    wide values = p->words.at[w->used[i]];
    if (w->used[i] == w->free || values > FLOAT_COUNT_SHORT) continue;
    w->combinations *= (size_t)values;
    if (w->combinations > FLOAT_COUNT_COMBINED) return false;
  }
  if (w->longs > 1) w->combinations *= FLOAT_COUNT_FIXED;
  return true;
}

void float_words_free(struct float_words *w, const struct pipeline *p, size_t nth) {
  w->free = w->used[0];
  for (size_t i = 0, seen = 0; i < w->count; i++)
    if (p->words.at[w->used[i]] > FLOAT_COUNT_SHORT && seen++ == nth) w->free = w->used[i];
}

void float_words_fix(const struct float_words *w, const struct pipeline *p, size_t i, wide *words) {
  size_t at = w->longs > 1 ? i % FLOAT_COUNT_FIXED : 0;
  size_t left = w->longs > 1 ? i / FLOAT_COUNT_FIXED : i;
  for (size_t k = 0; k < w->count; k++) {
    wide values = p->words.at[w->used[k]];
    if (w->used[k] == w->free) continue;
    if (values > FLOAT_COUNT_SHORT) {
      words[w->used[k]] = values / (2 * FLOAT_COUNT_FIXED) * (wide)(2 * at + 1);
    } else {
      words[w->used[k]] = (wide)(left % (size_t)values);
      left /= (size_t)values;
    }
  }
}

/* ---- counting ------------------------------------------------------------------------------- */

/* The event: low <= output <= high, each if it is there; or a truth value. */
struct target {
  enum node_sort sort;
  bool has_low, has_high, truth;
  fmpq_t low, high;
};

/* -1, 0, 1: how a result stands to a number. */
static int compare_result(enum node_sort sort, union node_value x, const fmpq_t y) {
  fmpq_t exact;
  fmpq_init(exact);
  int order;
  if (sort == NODE_INT) {
    wide magnitude = x.whole < 0 ? -x.whole : x.whole;
    fmpz_set_uiui(fmpq_numref(exact), (ulong)(magnitude >> 64), (ulong)magnitude);
    if (x.whole < 0) fmpq_neg(exact, exact);
    order = fmpq_cmp(exact, y);
  } else if (binary64_to_rational(exact, x.bits)) {
    order = fmpq_cmp(exact, y);
  } else {
    order = binary64_is_negative(x.bits) ? -1 : 1;
  }
  fmpq_clear(exact);
  return order < 0 ? -1 : order > 0;
}

struct counter {
  struct monotone_view view;
  const struct target *target;
  const char *why;
};

/* Is the result at k at least the lower end (strict: above the upper end)? */
static bool is_beyond(struct counter *c, wide k, bool strict, bool *answer) {
  union node_value x;
  if (!monotone_result(&x, &c->view, k, &c->why)) return false;
  const struct target *t = c->target;
  *answer =
      strict ? compare_result(t->sort, x, t->high) > 0 : compare_result(t->sort, x, t->low) >= 0;
  return true;
}

/* How many values of the piece are beyond. They are at its upper end if it rises. */
static bool count_beyond(struct counter *c, const struct monotone_piece *piece, bool strict,
                         wide *count) {
  wide low = piece->low - 1, high = piece->high + 1; /* before the first, behind the last value */
  bool rises = piece->direction >= 0, answer;
  while (high - low > 1) { /* the values up to low are on one side, those from high on the other */
    wide middle = low + (high - low) / 2;
    if (!is_beyond(c, middle, strict, &answer)) return false;
    if (answer == rises)
      high = middle;
    else
      low = middle;
  }
  *count = rises ? piece->high - high + 1 : low - piece->low + 1;
  return true;
}

static bool count_piece(struct counter *c, const struct monotone_piece *piece, wide *count) {
  const struct target *t = c->target;
  wide all = piece->high - piece->low + 1, beyond = all, above = 0;
  union node_value x;
  if (t->sort == NODE_BOOL) { /* constant on a piece */
    if (!monotone_result(&x, &c->view, piece->low, &c->why)) return false;
    *count = x.truth == t->truth ? all : 0;
    return true;
  }
  if (t->has_low && !count_beyond(c, piece, false, &beyond)) return false;
  if (t->has_high && !count_beyond(c, piece, true, &above)) return false;
  *count = beyond > above ? beyond - above : 0;
  return true;
}

/* With the words fixed as they are. */
static bool count_fixed(struct counter *c, fmpz_t total) {
  monotone_pieces pieces = {0};
  bool ok = monotone_split(&pieces, &c->view, &c->why);
  for (size_t i = 0; ok && i < pieces.len; i++) {
    wide count;
    fmpz_t more;
    ok = count_piece(c, &pieces.at[i], &count);
    if (!ok) break;
    fmpz_init(more);
    fmpz_set_uiui(more, (ulong)(count >> 64), (ulong)count);
    fmpz_add(total, total, more);
    fmpz_clear(more);
  }
  vec_clear(&pieces);
  return ok;
}

/* ---- backwards from the output --------------------------------------------------------------- */

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
  struct pipeline part = *p;
  const char *why;
  union node_value x;
  part.result = node;
  struct monotone_view view = {&part, none, LIMIT_PIPELINE_WORDS, NULL};
  if (p->nodes.at[node].varies || p->nodes.at[node].sort != NODE_FLOAT) return false;
  if (!monotone_result(&x, &view, 0, &why)) return false;
  *out = x.bits;
  return true;
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

/* False: no words give a value of the node in low..high (ranks). */
static bool may_lie_in(const struct pipeline *p, size_t node, int64_t low, int64_t high) {
  const struct node *n = &p->nodes.at[node];
  struct step s;
  binary64 bits;
  if (n->sort != NODE_FLOAT) return true;
  if (constant_bits(p, node, &bits)) {
    int64_t rank = binary64_rank(n->format, bits);
    return low <= rank && rank <= high;
  }
  if (n->kind == NODE_SELECT)
    return may_lie_in(p, n->args[1], low, high) || may_lie_in(p, n->args[2], low, high);
  if (!step_init(&s, p, n)) return true;
  int64_t from = -binary64_last_rank(p->nodes.at[n->args[s.arg]].format);
  int direction = step_direction(&s, &from);
  if (!direction) return true;
  return step_back(&s, direction, from, &low, &high) && may_lie_in(p, n->args[s.arg], low, high);
}

/* The floats of a format that are at least, or at most, the number; as a rank. */
static int64_t rank_of_end(enum binary_format format, const fmpq_t end, bool is_low) {
  binary64 x = binary64_from_rational(format, end);
  int64_t rank = binary64_rank(format, x);
  int order = compare_result(NODE_FLOAT, (union node_value){.bits = x}, end);
  if (is_low) return order < 0 ? rank + 1 : rank;
  return order > 0 ? rank - 1 : rank;
}

static bool is_possible(const struct pipeline *p, const struct target *t) {
  const struct node *n = &p->nodes.at[p->result];
  if (n->sort != NODE_FLOAT) return true;
  int64_t last = binary64_last_rank(n->format);
  int64_t low = t->has_low ? rank_of_end(n->format, t->low, true) : -last;
  int64_t high = t->has_high ? rank_of_end(n->format, t->high, false) : last;
  return low <= high && may_lie_in(p, p->result, low, high);
}

/* ---- probabilities -------------------------------------------------------------------------- */

static bool target_init(struct target *t, const struct pattern *event, enum node_sort sort) {
  t->sort = sort;
  if (sort == NODE_BOOL) {
    t->truth =
        event->kind == PATTERN_VALUE && event->value.kind == RVALUE_BOOL && event->value.as.boolean;
    return event->kind == PATTERN_VALUE && event->value.kind == RVALUE_BOOL;
  }
  const struct rvalue *low = event->kind == PATTERN_VALUE ? &event->value : &event->low;
  const struct rvalue *high = event->kind == PATTERN_VALUE ? &event->value : &event->high;
  if (event->kind != PATTERN_VALUE && event->kind != PATTERN_RANGE) return false;
  t->has_low = low->kind != RVALUE_UNSET;
  t->has_high = high->kind != RVALUE_UNSET;
  if (t->has_low && low->kind != RVALUE_INT && low->kind != RVALUE_RATIONAL) return false;
  if (t->has_high && high->kind != RVALUE_INT && high->kind != RVALUE_RATIONAL) return false;
  if (t->has_low) number_get_fmpq(t->low, low);
  if (t->has_high) number_get_fmpq(t->high, high);
  return true;
}

/* The number of all values of the words that the result depends on. */
static void count_values(fmpz_t out, const struct float_words *w, const struct pipeline *p) {
  fmpz_t values;
  fmpz_init(values);
  fmpz_one(out);
  for (size_t i = 0; i < w->count; i++) {
    wide n = p->words.at[w->used[i]];
    fmpz_set_uiui(values, (ulong)(n >> 64), (ulong)n);
    fmpz_mul(out, out, values);
  }
  fmpz_clear(values);
}

/* Adds up all combinations. */
static bool count_all(fmpz_t total, const struct float_words *w, const struct pipeline *p,
                      const struct target *t, const struct budget *budget, const char **why) {
  wide words[LIMIT_PIPELINE_WORDS] = {0};
  struct counter c = {.view = {p, words, w->free, budget}, .target = t};
  for (size_t i = 0; i < w->combinations; i++) {
    float_words_fix(w, p, i, words);
    if (!count_fixed(&c, total)) {
      *why = c.why;
      return false;
    }
  }
  return true;
}

/* With several long words: those combinations that can be counted, of the first choice of the free
 * word with which something is found. Each combination is an event of its own. */
static bool count_some(fmpz_t total, struct float_words *w, const struct pipeline *p,
                       const struct target *t, const struct budget *budget) {
  wide words[LIMIT_PIPELINE_WORDS] = {0};
  for (size_t nth = 0; nth < w->longs && fmpz_is_zero(total); nth++) {
    float_words_free(w, p, nth);
    struct counter c = {.view = {p, words, w->free, budget}, .target = t};
    for (size_t i = 0; i < w->combinations; i++) {
      fmpz_t one;
      fmpz_init(one);
      float_words_fix(w, p, i, words);
      if (count_fixed(&c, one)) fmpz_add(total, total, one);
      fmpz_clear(one);
    }
  }
  return !fmpz_is_zero(total);
}

static char *counted_text(const fmpz_t count, const fmpz_t values) {
  char *some = fmpz_get_str(NULL, 10, count), *all = fmpz_get_str(NULL, 10, values);
  char *text = xasprintf("%s of %s", some, all);
  flint_free(some);
  flint_free(all);
  return text;
}

/* The counted part of all values. False: *why. */
static bool set_probability(struct exact_result *r, const struct pipeline *p,
                            const struct target *t, const struct exact_options *options,
                            const char **why) {
  struct float_words w;
  *why = "there are too many combinations of random choices";
  if (!float_words_init(&w, p)) return false;
  r->is_bound = w.longs > 1;
  if (r->is_bound && !is_possible(p, t)) {
    r->is_bound = false;
    arb_zero(r->probability);
    return true;
  }
  *why = "with several long random words only a lower bound of this probability can be known";
  if (r->is_bound && !(options && options->bound_will_do)) return false;
  fmpz_t count, values;
  fmpz_init(count);
  fmpz_init(values);
  *why = "with several long random words it is not known whether this is possible";
  const struct budget *budget = options ? options->budget : NULL;
  bool ok =
      r->is_bound ? count_some(count, &w, p, t, budget) : count_all(count, &w, p, t, budget, why);
  if (!ok && budget_is_spent(budget)) *why = monotone_no_time;
  count_values(values, &w, p);
  arb_set_fmpz(r->probability, count);
  arb_div_fmpz(r->probability, r->probability, values,
               options && options->precision ? options->precision : EXACT_PRECISION);
  if (ok && !r->is_bound) r->counted = counted_text(count, values);
  fmpz_clear(count);
  fmpz_clear(values);
  return ok;
}

bool float_probability(struct interp *in, const struct pattern *event,
                       const struct exact_options *options, struct exact_result *result) {
  struct pipeline p;
  struct target t = {0};
  const char *why = NULL;
  fmpq_init(t.low);
  fmpq_init(t.high);
  bool ok = pipeline_init(&p, in, &result->why, &result->where);
  if (ok && event->kind == PATTERN_ANY) { /* there are no loops: every run ends */
    arb_one(result->probability);
    result->status = EXACT_OK;
    goto done;
  }
  if (ok && !target_init(&t, event, p.nodes.at[p.result].sort)) {
    ok = false;
    why = "the event must be a value or an interval";
  }
  ok = ok && set_probability(result, &p, &t, options, &why);
  if (!ok && why) {
    result->why = xasprintf("exact counting of floating-point programs: %s", why);
    result->where = in->mechanism->name.span;
  }
  result->status = ok ? EXACT_OK : why == monotone_no_time ? EXACT_TIMEOUT : EXACT_UNSUPPORTED;
done:
  result->points = 0;
  fmpq_clear(t.low);
  fmpq_clear(t.high);
  pipeline_clear(&p);
  return ok;
}
