#include "check/exact/float_words.h"

#include <stdlib.h>

#include "base/alloc.h"

static void note_word(struct float_words *w, size_t word) {
  for (size_t i = 0; i < w->count; i++)
    if (w->used[i] == word) return;
  w->used[w->count++] = word;
}

/* Arguments stand before what uses them: one pass from the end finds what the result needs. */
static void find_used(struct float_words *w, const struct pipeline *p) {
  bool *needed = xcalloc(p->nodes.len + 1, sizeof *needed);
  for (size_t i = 0; i < p->result_count; i++)
    needed[p->results[i]] = true;
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

/* Different values of the free word, or less of them. */
static void add_probe(struct float_probes *out, wide count, wide k) {
  if (k < 0 || k >= count || out->count == FLOAT_COUNT_PROBES) return;
  for (size_t i = 0; i < out->count; i++)
    if (out->at[i] == k) return;
  out->at[out->count++] = k;
}

static void add_probes_around(struct float_probes *out, wide count, wide k) {
  for (wide step = 1 + (count >> 20), i = 0; i < 4; i++, step = step * 5 + 1) {
    add_probe(out, count, k + step);
    add_probe(out, count, k - step);
  }
}

/* Where the word is what another one is, so that a difference is small; around the middle, at the
 * ends, and elsewhere. */
void float_words_probes(struct float_probes *out, const struct float_words *w,
                        const struct pipeline *p, const wide *words) {
  const wide count = p->words.at[w->free], middle = count / 2;
  out->count = 0;
  for (size_t i = 0; i < w->count; i++)
    if (w->used[i] != w->free && words[w->used[i]] > FLOAT_COUNT_SHORT)
      add_probes_around(out, count, words[w->used[i]]);
  add_probes_around(out, count, middle);
  for (wide i = 0; i < 3; i++) {
    add_probe(out, count, i);
    add_probe(out, count, count - 1 - i);
    add_probe(out, count, middle + i);
    add_probe(out, count, middle - i);
  }
  uint64_t mixed = UINT64_C(0x9E3779B97F4A7C15);
  for (int i = 0; i < 12; i++, mixed = mixed * UINT64_C(0xD1342543DE82EF95) + 1)
    add_probe(out, count, (wide)(mixed >> 1) * count >> 63);
}
