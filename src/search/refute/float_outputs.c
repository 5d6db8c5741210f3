#include "search/refute/float_outputs.h"

#include <stdlib.h>

#include "check/exact/float_count.h"

enum { MOST_OUTPUTS = 48, MOST_COMBINATIONS = 8, MIXED = 12 };

void float_outputs_clear(float_output_list *list) {
  for (size_t i = 0; i < list->len; i++)
    rvalue_clear(&list->at[i]);
  vec_clear(list);
}

static void note(float_output_list *out, struct rvalue v) {
  for (size_t i = 0; i < out->len; i++) {
    int order;
    if (!rvalue_compare(&order, &out->at[i], &v) || order != 0) continue;
    rvalue_clear(&v);
    return;
  }
  vec_push(out, v);
}

static void try_word(float_output_list *out, const struct monotone_view *view, wide k) {
  union node_value x;
  const char *why;
  struct rvalue v;
  const struct node *result = &view->p->nodes.at[view->p->result];
  if (k < 0 || k >= view->p->words.at[view->free] || out->len == MOST_OUTPUTS) return;
  if (!monotone_result(&x, view, k, &why)) return;
  if (result->sort == NODE_FLOAT && !ieee_value(&v, x.bits)) note(out, v);
  if (result->sort == NODE_BOOL) note(out, rvalue_bool(x.truth));
  if (result->sort == NODE_INT && x.whole < INT32_MAX && x.whole > INT32_MIN)
    note(out, rvalue_int((slong)x.whole));
}

static void try_around(float_output_list *out, const struct monotone_view *view, wide k) {
  const wide count = view->p->words.at[view->free];
  for (wide step = 1 + (count >> 20), i = 0; i < 4; i++, step = step * 5 + 1) {
    try_word(out, view, k + step);
    try_word(out, view, k - step);
  }
}

/* Around the middle, at the ends, and elsewhere; and where the word is what another one is, so that
 * a difference is small. */
static void try_words(float_output_list *out, const struct monotone_view *view,
                      const struct float_words *w) {
  const wide count = view->p->words.at[view->free], middle = count / 2;
  for (size_t i = 0; i < w->count; i++)
    if (w->used[i] != w->free && view->words[w->used[i]] > FLOAT_COUNT_SHORT)
      try_around(out, view, view->words[w->used[i]]);
  try_around(out, view, middle);
  for (wide i = 0; i < 3; i++) {
    try_word(out, view, i);
    try_word(out, view, count - 1 - i);
    try_word(out, view, middle + i);
    try_word(out, view, middle - i);
  }
  uint64_t mixed = UINT64_C(0x9E3779B97F4A7C15);
  for (int i = 0; i < MIXED; i++, mixed = mixed * UINT64_C(0xD1342543DE82EF95) + 1)
    try_word(out, view, (wide)(mixed >> 1) * count >> 63);
}

void float_outputs(float_output_list *out, struct interp *in) {
  struct pipeline p;
  struct float_words w;
  char *why = NULL;
  struct span where;
  wide words[LIMIT_PIPELINE_WORDS] = {0};
  bool ok = pipeline_init(&p, in, &why, &where) && float_words_init(&w, &p);
  for (size_t i = 0; ok && i < w.combinations && i < MOST_COMBINATIONS; i++)
    for (size_t nth = 0; nth < (w.longs ? w.longs : 1); nth++) {
      float_words_free(&w, &p, nth);
      struct monotone_view view = {&p, words, w.free, NULL};
      float_words_fix(&w, &p, i, words);
      try_words(out, &view, &w);
    }
  free(why);
  pipeline_clear(&p);
}
