/* Counterexamples a person can follow: program_search.h.
 *
 * Tries one simplification after the other - fewer queries, zeros, fewer entries that differ, wider
 * and rounder parts of the event - and keeps what the certifier accepts and is shorter to write.
 * The first simplification that works is taken, from the top, until none does: deterministic. */
#include <math.h>

#include "num/real/ball.h"
#include "run/eval/number.h"
#include "search/refute/program_search.h"

/* ---- how much there is to read --------------------------------------------------------------- */

static size_t text_cost(const struct rvalue *v) {
  struct buffer b;
  buffer_init(&b);
  rvalue_print(&b, v);
  size_t cost = b.len;
  buffer_clear(&b);
  return cost;
}

/* Zeros and truth values are read at a glance, other numbers digit by digit. */
static size_t value_cost(const struct rvalue *v) {
  if (rvalue_is_seq(v)) {
    size_t cost = 1;
    for (size_t i = 0; i < v->as.seq->len; i++)
      cost += value_cost(&v->as.seq->at[i]);
    return cost;
  }
  int sign;
  if (!rvalue_is_number(v) || (number_sign(&sign, v) && sign == 0)) return 1;
  return 1 + text_cost(v);
}

static size_t event_cost(const struct pattern *p) {
  size_t cost = 1;
  switch (p->kind) {
  case PATTERN_ANY: break;
  case PATTERN_VALUE: return value_cost(&p->value);
  case PATTERN_RANGE:
    cost += p->low.kind != RVALUE_UNSET ? 1 + value_cost(&p->low) : 0;
    cost += p->high.kind != RVALUE_UNSET ? 1 + value_cost(&p->high) : 0;
    break;
  case PATTERN_LIST:
  case PATTERN_TUPLE:
    for (size_t i = 0; i < p->count; i++)
      cost += event_cost(&p->items[i]);
  }
  return cost;
}

static size_t differences(const struct rvalue *a, const struct rvalue *b) {
  int order;
  if (!rvalue_is_seq(a) || !rvalue_is_seq(b) || a->as.seq->len != b->as.seq->len)
    return !(rvalue_compare(&order, a, b) && order == 0);
  size_t count = 0;
  for (size_t i = 0; i < a->as.seq->len; i++)
    count += differences(&a->as.seq->at[i], &b->as.seq->at[i]);
  return count;
}

static size_t cost_of(const struct program_counterexample *ce) {
  size_t cost = 0;
  for (size_t i = 0; i < ce->params.len; i++)
    cost += text_cost(&ce->params.at[i].value);
  for (size_t i = 0; i < ce->input_count; i++)
    cost += value_cost(&ce->inputs[0][i]) + value_cost(&ce->inputs[1][i]) +
            2 * differences(&ce->inputs[0][i], &ce->inputs[1][i]);
  for (size_t i = 0; i < ce->outputs.len; i++)
    cost += event_cost(&ce->outputs.at[i]);
  return cost;
}

/* ---- simplifications of the event ------------------------------------------------------------ */

/* The k-th leaf of a pattern, in order. */
static struct pattern *leaf_of(struct pattern *p, size_t *k) {
  if (p->kind != PATTERN_LIST && p->kind != PATTERN_TUPLE) return (*k)-- == 0 ? p : NULL;
  for (size_t i = 0; i < p->count; i++) {
    struct pattern *found = leaf_of(&p->items[i], k);
    if (found) return found;
  }
  return NULL;
}

enum leaf_change {
  LEAF_ANY,
  LEAF_ABOVE,
  LEAF_BELOW,
  LEAF_CENTRE,
  LEAF_ROUND,
  LEAF_SMALL, /* this and the following: a number is replaced by one of `small` */
  LEAF_CHANGES = LEAF_SMALL + 6
};
static const slong small[LEAF_CHANGES - LEAF_SMALL] = {0, 1, -1, 2, -2, 10};

/* An integer that is farther from 0 becomes this one. */
static bool make_small(struct pattern *p, slong value) {
  if (p->kind != PATTERN_VALUE || p->value.kind != RVALUE_INT) return false;
  if (fmpz_cmpabs(&p->value.as.integer, &(fmpz){value}) <= 0) return false;
  rvalue_clear(&p->value);
  p->value = rvalue_int(value);
  return true;
}

static bool round_end(struct rvalue *end, enum builtin function) {
  struct rvalue rounded;
  if (number_function(function, &rounded, end) != NUMBER_OK) return false;
  rvalue_clear(end);
  *end = rounded;
  return true;
}

static void to_centre(struct pattern *p) {
  fmpq_t a, b;
  fmpq_init(a);
  fmpq_init(b);
  number_get_fmpq(a, &p->low);
  number_get_fmpq(b, &p->high);
  fmpq_add(a, a, b);
  fmpq_div_2exp(a, a, 1);
  pattern_clear(p);
  *p = (struct pattern){.kind = PATTERN_VALUE, .value = rvalue_fmpq(a)};
  fmpq_clear(a);
  fmpq_clear(b);
}

static bool change_leaf(struct pattern *p, enum leaf_change change) {
  if (p->kind == PATTERN_ANY) return false;
  if (change == LEAF_ANY) {
    pattern_clear(p);
    p->kind = PATTERN_ANY;
    return true;
  }
  if (change >= LEAF_SMALL) return make_small(p, small[change - LEAF_SMALL]);
  if (p->kind != PATTERN_RANGE) return false;
  if (!p->low.kind || !p->high.kind) {
    struct rvalue *end = p->low.kind ? &p->low : &p->high;
    if (change == LEAF_CENTRE) return round_end(end, BUILTIN_FLOOR);
    return change == LEAF_ROUND && round_end(end, BUILTIN_CEIL);
  }
  switch (change) {
  case LEAF_ABOVE: rvalue_clear(&p->high); return true;
  case LEAF_BELOW: rvalue_clear(&p->low); return true;
  case LEAF_CENTRE: to_centre(p); return true;
  case LEAF_ROUND: return round_end(&p->low, BUILTIN_FLOOR) && round_end(&p->high, BUILTIN_CEIL);
  default: return false;
  }
}

/* The stream after its first k items is anything. */
static bool cut_stream(struct pattern *event, size_t k) {
  struct pattern *list = event_stream(event);
  if (!list || k >= list->count) return false;
  while (list->count > k)
    pattern_clear(&list->items[--list->count]);
  list->is_open = true;
  return true;
}

/* The i-th simplification of an event; false when there are no more, *applies when this is one. */
static bool simplify_event(struct pattern *event, size_t i, bool *applies) {
  size_t leaves = 0, k = 0;
  for (size_t at = 0; at = leaves, leaf_of(event, &at);)
    leaves++;
  struct pattern *list = event_stream(event);
  size_t cuts = list ? list->count : 0;
  if (i < cuts) {
    *applies = cut_stream(event, i);
    return true;
  }
  i -= cuts;
  k = i / LEAF_CHANGES;
  if (k >= leaves) return false;
  *applies = change_leaf(leaf_of(event, &k), (enum leaf_change)(i % LEAF_CHANGES));
  return true;
}

/* ---- simplifications of the inputs ----------------------------------------------------------- */

/* Both runs moved so that the first has 0 at entry k, or the second made equal to the first. */
static bool simplify_entry(struct program_counterexample *ce, size_t arg, size_t k, bool equal) {
  struct rvalue *first = edit_number(ce, 0, arg, k), *second = edit_number(ce, 1, arg, k);
  if (!first || !second) return false;
  if (equal) {
    rvalue_clear(second);
    *second = rvalue_copy(first);
    return true;
  }
  fmpq_t x;
  fmpq_init(x);
  number_get_fmpq(x, first);
  edit_add(first, -1, x);
  edit_add(second, -1, x);
  fmpq_clear(x);
  return true;
}

static size_t entries(const struct rvalue *v) {
  return rvalue_is_seq(v) ? v->as.seq->len : 1;
}

/* The i-th simplification of the inputs: an entry left out, an entry moved to 0, an entry equal. */
static bool simplify_inputs(struct search *s, struct program_counterexample *ce, size_t i,
                            bool *applies) {
  slong n = edit_length(ce, s->length);
  size_t drops = n > 0 ? (size_t)n : 0;
  if (i < drops) {
    *applies = edit_drop(ce, s->claim, s->length, i);
    return true;
  }
  i -= drops;
  for (size_t arg = 0; arg < ce->input_count; arg++) {
    size_t count = 2 * entries(&ce->inputs[0][arg]);
    if (i < count) {
      *applies = simplify_entry(ce, arg, i / 2, i % 2);
      return true;
    }
    i -= count;
  }
  return false;
}

enum { MOST_SIMPLER = 300 }; /* versions that are certified */

/* ---- the loop -------------------------------------------------------------------------------- */

static bool drop_output(struct program_counterexample *ce, size_t i, bool *applies) {
  if (ce->outputs.len < 2 || i >= ce->outputs.len) return false;
  pattern_clear(&ce->outputs.at[i]);
  for (size_t j = i + 1; j < ce->outputs.len; j++)
    ce->outputs.at[j - 1] = ce->outputs.at[j];
  ce->outputs.len--;
  *applies = true;
  return true;
}

/* The i-th of all simplifications of ce. */
static bool simplify(struct search *s, struct program_counterexample *ce, size_t group, size_t i,
                     bool *applies) {
  *applies = false;
  if (group == 0) return simplify_inputs(s, ce, i, applies);
  if (group == 1) return drop_output(ce, i, applies);
  return ce->outputs.len == 1 && simplify_event(&ce->outputs.at[0], i, applies);
}

static bool loses_enough(const struct program_counterexample *ce, double least) {
  if (!ce->has_loss) return isinf(-least); /* no units: nothing is asked */
  arb_t bound;
  arb_init(bound);
  arb_set_d(bound, least);
  bool enough = isinf(least) ? isinf(-least) || !arb_is_finite(ce->loss) : arb_ge(ce->loss, bound);
  arb_clear(bound);
  return enough;
}

/* What is asked of simpler versions: half of the excess, and without bound if it was. */
static double least_loss(const struct program_counterexample *ce) {
  if (!ce->has_loss) return -INFINITY;
  if (!arb_is_finite(ce->loss)) return INFINITY;
  return 1 + (arf_get_d(arb_midref(ce->loss), ARF_RND_DOWN) - 1) / 2;
}

/* One simplification that works is applied; false: there is none. From `group` on. */
static bool shrink_once(struct search *s, struct program_counterexample *ce, size_t group,
                        bool must_violate, double least, size_t *effort,
                        const struct budget *budget) {
  for (; group < 3; group++)
    for (size_t i = 0; *effort > 0 && !budget_is_spent(budget); i++) {
      struct program_counterexample simpler;
      bool applies;
      program_counterexample_init(&simpler);
      program_counterexample_copy(&simpler, ce);
      bool more = simplify(s, &simpler, group, i, &applies);
      bool worth = more && applies && cost_of(&simpler) < cost_of(ce);
      *effort -= worth;
      bool good = worth && program_certify_loss(&simpler, s->claim, budget) &&
                  (!must_violate || simpler.is_certified) && cost_of(&simpler) < cost_of(ce) &&
                  loses_enough(&simpler, least);
      if (good) program_counterexample_copy(ce, &simpler);
      program_counterexample_clear(&simpler);
      if (good) return true;
      if (!more) break;
    }
  return false;
}

void search_shrink(struct search *s, struct program_counterexample *ce,
                   const struct budget *budget) {
  double least = least_loss(ce);
  size_t effort = MOST_SIMPLER;
  while (shrink_once(s, ce, 0, true, least, &effort, budget))
    ;
}

void search_widen(struct search *s, struct program_counterexample *ce,
                  const struct budget *budget) {
  size_t effort = MOST_SIMPLER;
  while (ce->has_loss && shrink_once(s, ce, 2, false, ball_lower_double(ce->loss), &effort, budget))
    ;
}
