#include "report/record/float_replay.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "check/exact/float_count.h"
#include "out/binary64_text.h"
#include "report/record/float_program.h"

/* ---- the second run ------------------------------------------------------------------------- */

static bool has_output(const struct float_replay *r, const struct monotone_view *view, wide k) {
  for (size_t i = 0; i < view->p->result_count; i++) {
    const enum node_sort sort = view->p->nodes.at[view->p->results[i]].sort;
    const struct monotone_bounds *y = &r->outputs[i];
    struct monotone_bounds x;
    const char *why;
    if (y->any) continue;
    if (!monotone_bounds(&x, view, view->p->results[i], k, &why) || x.any) return false;
    const bool inside = sort == NODE_BOOL ? x.at[0].truth == y->at[0].truth
                        : sort == NODE_INT
                            ? y->at[0].whole <= x.at[0].whole && x.at[1].whole <= y->at[1].whole
                            : !binary64_less(x.at[0].bits, y->at[0].bits) &&
                                  !binary64_less(y->at[1].bits, x.at[1].bits);
    if (!inside) return false;
  }
  return true;
}

static void add_row(struct float_replay *r, const struct monotone_view *view, wide k) {
  if (r->row_count == (r->p[0]->words.len > 4 ? 2 : FLOAT_REPLAY_ROWS)) return;
  wide *row = r->rows[r->row_count];
  memcpy(row, view->words, sizeof r->rows[0]);
  row[view->free] = k;
  for (size_t i = 0; i < r->row_count; i++)
    if (memcmp(r->rows[i], row, sizeof r->rows[0]) == 0) return;
  r->row_count++;
  r->second_can |= has_output(r, view, k);
}

/* Where the first output passes that of the first run: the words on both sides. */
static void add_passing(struct float_replay *r, const struct monotone_view *view,
                        const struct monotone_piece *piece) {
  wide low = piece->low, high = piece->high;
  struct monotone_bounds x;
  const char *why;
  while (low < high) { /* the first value that is far enough */
    const wide middle = low + (high - low) / 2;
    if (!monotone_bounds(&x, view, view->p->result, middle, &why) || x.any) return;
    const bool before = piece->direction[0] >= 0
                            ? binary64_less(x.at[0].bits, r->outputs[0].at[0].bits)
                            : binary64_less(r->outputs[0].at[0].bits, x.at[0].bits);
    if (before)
      low = middle + 1;
    else
      high = middle;
  }
  if (low > piece->low) add_row(r, view, low - 1);
  add_row(r, view, low);
}

/* The same words; and words next to which the second run passes the output. */
static void find_rows(struct float_replay *r) {
  const struct pipeline *p = r->p[1];
  const bool is_float = p->nodes.at[p->result].sort == NODE_FLOAT && !r->outputs[0].any;
  struct float_words w;
  wide words[LIMIT_PIPELINE_WORDS];
  const char *why;
  memcpy(words, r->words, sizeof words);
  struct monotone_view view = {p, words, 0, NULL};
  if (!float_words_init(&w, p) || p->words.len != r->p[0]->words.len) return;
  for (size_t nth = 0; is_float && nth < (w.longs ? w.longs : 1); nth++) {
    monotone_pieces pieces = {0};
    float_words_free(&w, p, nth);
    view.free = w.free;
    words[w.free] = r->words[w.free];
    if (monotone_split(&pieces, &view, &why))
      for (size_t i = 0; i < pieces.len && i < 4; i++)
        if (!pieces.at[i].any[0]) add_passing(r, &view, &pieces.at[i]);
    vec_clear(&pieces);
  }
  memcpy(words, r->words, sizeof words);
  add_row(r, &view, r->words[view.free]);
}

/* ---- both runs ------------------------------------------------------------------------------ */

static bool pipeline_of(struct pipeline *p, const struct program_claim *claim,
                        const struct program_counterexample *ce, int run) {
  struct interp in;
  char *why = NULL;
  struct span where;
  *p = (struct pipeline){0};
  if (!program_run_init(&in, claim, ce, run, &why)) {
    free(why);
    return false;
  }
  bool ok = pipeline_is_wanted(&in) && pipeline_init(p, &in, &why, &where);
  for (size_t i = 0; ok && i < p->nodes.len; i++) { /* as a number of C */
    const struct node *n = &p->nodes.at[i];
    ok = n->kind != NODE_CONSTANT || n->sort != NODE_INT ||
         (n->value.whole >= INT64_MIN && n->value.whole <= (wide)UINT64_MAX);
  }
  free(why);
  interp_clear(&in);
  return ok;
}

static json_t *words_json(const struct pipeline *p, const wide *words) {
  json_t *list = json_array();
  for (size_t i = 0; i < p->words.len; i++)
    json_array_append_new(list, json_sprintf("%" PRIu64, (uint64_t)words[i]));
  return list;
}

/* "0x1p-1, 0x1p+0"; of what is not known exactly, both ends */
static void put_bits(struct buffer *out, const struct float_replay *r, bool decimal) {
  const struct pipeline *p = r->p[0];
  for (size_t i = 0; i < p->result_count; i++) {
    const struct node *n = &p->nodes.at[p->results[i]];
    const struct monotone_bounds *y = &r->outputs[i];
    const bool thin = n->sort != NODE_FLOAT || binary64_equal(y->at[0].bits, y->at[1].bits);
    if (i) buffer_puts(out, ", ");
    for (int side = 0; side < (thin ? 1 : 2); side++) {
      struct node value = *n;
      value.value = y->at[side];
      if (side) buffer_puts(out, " .. ");
      if (y->any)
        buffer_puts(out, "_");
      else if (n->sort != NODE_FLOAT)
        float_program_constant(out, &value);
      else if (decimal)
        binary64_print(out, n->format, y->at[side].bits);
      else
        binary64_print_hex(out, y->at[side].bits);
      if (y->any) break;
    }
  }
}

static bool find_outputs(struct float_replay *r, const struct pattern *event) {
  const struct pipeline *p = r->p[0];
  bool floats = false;
  if (!float_find_words(p, event, r->words)) return false;
  struct monotone_view view = {p, r->words, 0, NULL};
  for (size_t i = 0; i < p->result_count; i++) {
    const char *why;
    if (!monotone_bounds(&r->outputs[i], &view, p->results[i], r->words[0], &why)) return false;
    floats |= p->nodes.at[p->results[i]].sort == NODE_FLOAT && !r->outputs[i].any;
  }
  return floats;
}

static json_t *replay_of(const struct pipeline *first, const struct pipeline *second,
                         const struct pattern *event) {
  struct float_replay r = {.p = {first, second}};
  struct buffer bits, decimal;
  if (!find_outputs(&r, event)) return NULL;
  find_rows(&r);
  buffer_init(&bits);
  buffer_init(&decimal);
  put_bits(&bits, &r, false);
  put_bits(&decimal, &r, true);
  char *text = float_program(&r);
  json_t *json =
      json_pack("{s:s, s:s, s:o, s:s}", "bits", buffer_text(&bits), "decimal",
                buffer_text(&decimal), "words", words_json(first, r.words), "program", text);
  free(text);
  buffer_clear(&bits);
  buffer_clear(&decimal);
  return json;
}

json_t *float_replay_json(const struct program_claim *claim,
                          const struct program_counterexample *ce) {
  struct pipeline runs[2];
  if (ce->outputs.len != 1) return NULL;
  bool ok[2] = {pipeline_of(&runs[0], claim, ce, 0), pipeline_of(&runs[1], claim, ce, 1)};
  json_t *json = ok[0] && ok[1] ? replay_of(&runs[0], &runs[1], &ce->outputs.at[0]) : NULL;
  pipeline_clear(&runs[0]);
  pipeline_clear(&runs[1]);
  return json;
}
