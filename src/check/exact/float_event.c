#include "check/exact/float_event.h"

void float_targets_clear(struct float_targets *t) {
  for (size_t i = 0; i < t->count; i++) {
    fmpq_clear(t->at[i].low);
    fmpq_clear(t->at[i].high);
  }
}

static bool is_exact_number(const struct rvalue *v) {
  return v->kind == RVALUE_INT || v->kind == RVALUE_RATIONAL;
}

/* event NULL: anything */
static bool add_target(struct float_targets *out, const struct pipeline *p,
                       const struct pattern *event) {
  struct float_target *t = &out->at[out->count];
  *t = (struct float_target){.sort = p->nodes.at[p->results[out->count]].sort};
  fmpq_init(t->low);
  fmpq_init(t->high);
  out->count++;
  t->any = !event || event->kind == PATTERN_ANY;
  if (t->any) return true;
  if (t->sort == NODE_BOOL) {
    const bool fits = event->kind == PATTERN_VALUE && event->value.kind == RVALUE_BOOL;
    t->truth = fits && event->value.as.boolean;
    return fits;
  }
  if (event->kind != PATTERN_VALUE && event->kind != PATTERN_RANGE) return false;
  const struct rvalue *low = event->kind == PATTERN_VALUE ? &event->value : &event->low;
  const struct rvalue *high = event->kind == PATTERN_VALUE ? &event->value : &event->high;
  t->has_low = low->kind != RVALUE_UNSET;
  t->has_high = high->kind != RVALUE_UNSET;
  if ((t->has_low && !is_exact_number(low)) || (t->has_high && !is_exact_number(high)))
    return false;
  if (t->has_low) number_get_fmpq(t->low, low);
  if (t->has_high) number_get_fmpq(t->high, high);
  return true;
}

/* The next `count` results against the items of a list or tuple, or against one pattern. */
static bool add_targets(struct float_targets *out, const struct pipeline *p,
                        const struct pattern *event, size_t count, bool is_list) {
  const bool any = !event || event->kind == PATTERN_ANY;
  const bool has_items = !any && event->kind == (is_list ? PATTERN_LIST : PATTERN_TUPLE);
  if (!any && !has_items) return !is_list && count == 1 && add_target(out, p, event);
  const size_t given = any ? 0 : event->count;
  if (!any && (given > count || (given < count && !event->is_open))) {
    out->impossible = is_list;
    if (!is_list) return false;
  }
  bool ok = true;
  for (size_t i = 0; ok && i < count; i++)
    ok = add_target(out, p, i < given ? &event->items[i] : NULL);
  return ok;
}

bool float_targets_init(struct float_targets *out, const struct pipeline *p,
                        const struct pattern *event) {
  const size_t emitted = p->emitted, returned = p->result_count - p->emitted;
  *out = (struct float_targets){0};
  if (!returned) return add_targets(out, p, event, emitted, true);
  if (!emitted) return add_targets(out, p, event, returned, false);
  const bool any = event->kind == PATTERN_ANY;
  if (!any && (event->kind != PATTERN_TUPLE || event->count != 2)) return false;
  return add_targets(out, p, any ? NULL : &event->items[0], emitted, true) &&
         add_targets(out, p, any ? NULL : &event->items[1], returned, false);
}

int float_compare(enum node_sort sort, union node_value x, const fmpq_t y) {
  fmpq_t exact;
  fmpq_init(exact);
  int order;
  if (sort == NODE_INT) {
    fmpz_set_wide(fmpq_numref(exact), x.whole);
    order = fmpq_cmp(exact, y);
  } else if (binary64_to_rational(exact, x.bits)) {
    order = fmpq_cmp(exact, y);
  } else {
    order = binary64_is_negative(x.bits) ? -1 : 1;
  }
  fmpq_clear(exact);
  return order < 0 ? -1 : order > 0;
}
