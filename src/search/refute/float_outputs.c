#include "search/refute/float_outputs.h"

#include <stdlib.h>
#include <string.h>

#include "check/exact/float_count.h"

enum { MOST_OUTPUTS = 48, MOST_COMBINATIONS = 8 };

/* What all outputs are at least and at most, with the same words. */
struct seen {
  struct monotone_bounds at[LIMIT_PIPELINE_OUTPUTS];
};
typedef VEC(struct seen) seen_list;

void float_outputs_clear(float_output_list *list) {
  for (size_t i = 0; i < list->len; i++)
    pattern_clear(&list->at[i]);
  vec_clear(list);
}

/* ---- events --------------------------------------------------------------------------------- */

/* False: it is no number that an event may have. */
static bool value_of(struct rvalue *out, enum node_sort sort, union node_value x) {
  if (sort == NODE_FLOAT) return ieee_value(out, x.bits) == NUMBER_OK;
  if (x.whole >= INT32_MAX || x.whole <= INT32_MIN) return false;
  *out = rvalue_int((slong)x.whole);
  return true;
}

static struct pattern leaf(enum node_sort sort, const struct monotone_bounds *x) {
  struct pattern p = {.kind = PATTERN_ANY};
  int order;
  if (x->any) return p;
  if (sort == NODE_BOOL) {
    p.kind = PATTERN_VALUE;
    p.value = rvalue_bool(x->at[0].truth);
    return p;
  }
  if (!value_of(&p.low, sort, x->at[0])) return (struct pattern){.kind = PATTERN_ANY};
  if (!value_of(&p.high, sort, x->at[1])) {
    rvalue_clear(&p.low);
    return (struct pattern){.kind = PATTERN_ANY};
  }
  p.kind = PATTERN_RANGE;
  if (rvalue_compare(&order, &p.low, &p.high) && order == 0) {
    struct rvalue value = p.low;
    rvalue_clear(&p.high);
    p = (struct pattern){.kind = PATTERN_VALUE, .value = value};
  }
  return p;
}

/* The outputs from..to - 1 as a list or a tuple. */
static struct pattern items(const struct pipeline *p, const struct seen *seen, size_t from,
                            size_t to, enum pattern_kind kind) {
  struct pattern all = {.kind = kind, .count = to - from};
  all.items = xcalloc(all.count + 1, sizeof *all.items);
  for (size_t i = from; i < to; i++)
    all.items[i - from] = leaf(p->nodes.at[p->results[i]].sort, &seen->at[i]);
  return all;
}

static struct pattern returned(const struct pipeline *p, const struct seen *seen) {
  if (p->result_count - p->emitted > 1)
    return items(p, seen, p->emitted, p->result_count, PATTERN_TUPLE);
  return leaf(p->nodes.at[p->results[p->emitted]].sort, &seen->at[p->emitted]);
}

static struct pattern event_of(const struct pipeline *p, const struct seen *seen) {
  if (!p->emitted) return returned(p, seen);
  struct pattern stream = items(p, seen, 0, p->emitted, PATTERN_LIST);
  if (p->emitted == p->result_count) return stream;
  struct pattern both = {.kind = PATTERN_TUPLE, .count = 2};
  both.items = xcalloc(2, sizeof *both.items);
  both.items[0] = stream;
  both.items[1] = returned(p, seen);
  return both;
}

/* ---- words ---------------------------------------------------------------------------------- */

static bool is_new(const seen_list *list, const struct seen *seen) {
  for (size_t i = 0; i < list->len; i++)
    if (memcmp(&list->at[i], seen, sizeof *seen) == 0) return false;
  return true;
}

static void try_word(float_output_list *out, seen_list *list, const struct monotone_view *view,
                     wide k) {
  const struct pipeline *p = view->p;
  const char *why;
  struct seen seen;
  bool any = true;
  memset(&seen, 0, sizeof seen); /* compared as bytes */
  for (size_t i = 0; i < p->result_count; i++) {
    if (!monotone_bounds(&seen.at[i], view, p->results[i], k, &why)) return;
    any &= seen.at[i].any;
  }
  if (any || out->len == MOST_OUTPUTS || !is_new(list, &seen)) return;
  struct pattern event = event_of(p, &seen);
  vec_push(list, seen);
  if (event.kind != PATTERN_ANY)
    vec_push(out, event);
  else
    pattern_clear(&event);
}

void float_outputs(float_output_list *out, struct interp *in) {
  struct pipeline p;
  struct float_words w;
  struct float_probes probes;
  seen_list seen = {0};
  char *why = NULL;
  struct span where;
  wide words[LIMIT_PIPELINE_WORDS] = {0};
  bool ok = pipeline_init(&p, in, &why, &where) && float_words_init(&w, &p);
  for (size_t i = 0; ok && i < w.combinations && i < MOST_COMBINATIONS; i++)
    for (size_t nth = 0; nth < (w.longs ? w.longs : 1); nth++) {
      float_words_free(&w, &p, nth);
      struct monotone_view view = {&p, words, w.free, NULL};
      float_words_fix(&w, &p, i, words);
      float_words_probes(&probes, &w, &p, words);
      for (size_t k = 0; k < probes.count; k++)
        try_word(out, &seen, &view, probes.at[k]);
    }
  vec_clear(&seen);
  free(why);
  pipeline_clear(&p);
}
