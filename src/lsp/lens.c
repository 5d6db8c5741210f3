/* The verdict on each claim, above it (code lens) and behind it (inlay hint). */
#include <string.h>

#include "lsp/features.h"
#include "report/render/bound.h"

void verdict_words(struct buffer *out, const struct claim_record *c) {
  buffer_puts(out, verdict_name(c->verdict));
  if (claim_rests_on_solver(c)) buffer_puts(out, " (trusts the solver)");
  claim_costs_words(out, c);
}

static const struct claim_record *verdict_of(const struct file_record *record, size_t index) {
  if (!record || index >= record->claims.len) return NULL;
  const struct claim_record *c = &record->claims.at[index];
  return claim_record_is_undecided(c) ? NULL : c;
}

static json_t *command(const struct document *d, const char *title, const char *name,
                       size_t claim) {
  json_t *arguments = json_pack("[o]", text_to_json(d->uri, strlen(d->uri)));
  if (claim) json_array_append_new(arguments, json_integer((json_int_t)claim));
  return json_pack("{s:o, s:s, s:o}", "title", text_to_json(title, strlen(title)), "command", name,
                   "arguments", arguments);
}

static json_t *lens(json_t *range, json_t *what) {
  return json_pack("{s:o, s:o}", "range", range, "command", what);
}

json_t *feature_code_lens(struct session *s, const json_t *params, struct rpc_error *error) {
  struct document *d = param_document(s, params, error);
  if (!d) return NULL;
  const struct analysis *a = session_analysis(s, d);
  const struct file_record *record = session_record(s, d);
  json_t *list = json_array();
  for (size_t i = 0; !a->has_errors && i < analysis_claim_count(a); i++) {
    const struct claim_record *c = verdict_of(record, i);
    struct buffer title;
    buffer_init(&title);
    if (c) verdict_words(&title, c);
    if (c) buffer_printf(&title, " (%.2f s)", c->time_s);
    json_array_append_new(list, lens(span_range(s, a, analysis_claim_span(a, i)),
                                     command(d, c ? buffer_text(&title) : "verify this claim",
                                             "couplet.verifyClaim", i + 1)));
    buffer_clear(&title);
  }
  if (analysis_claim_count(a) > 1 && !a->has_errors)
    json_array_append_new(list, lens(span_range(s, a, analysis_claim_span(a, 0)),
                                     command(d, "verify all claims", "couplet.verifyFile", 0)));
  return list;
}

/* ---- hints ----------------------------------------------------------------------------------- */

/* Behind the first line of the claim: proofs are long. */
static size_t hint_offset(const struct analysis *a, size_t index) {
  struct shown_span shown = sources_shown(&a->lang.sources, analysis_claim_span(a, index));
  return offset_of_line_end(&a->indexes[a->file], shown.begin);
}

static json_t *hint_json(const struct session *s, const struct document *d, size_t at,
                         const struct buffer *label) {
  return json_pack("{s:o, s:o, s:b}", "position",
                   position_to_json(position_of_offset(&d->lines, s->encoding, at)), "label",
                   text_to_json(buffer_text(label), label->len), "paddingLeft", 1);
}

static void add_verdict_hint(json_t *list, const struct session *s, const struct document *d,
                             const struct claim_record *c, size_t at) {
  struct buffer label;
  buffer_init(&label);
  verdict_words(&label, c);
  json_t *hint = hint_json(s, d, at, &label);
  if (c->reason) json_object_set_new(hint, "tooltip", text_to_json(c->reason, strlen(c->reason)));
  json_array_append_new(list, hint);
  buffer_clear(&label);
}

/* What the proof does at a line of the mechanism, behind that line: detail.listing of the record.
 * Of several proofs about a mechanism the first is shown; the hover has all. */
static void add_coupling_hints(json_t *list, const struct session *s, const struct document *d,
                               const struct claim_record *c, size_t begin, size_t end) {
  size_t i, j;
  json_t *line, *note;
  const char *path = c->subject_place.path;
  if (!path || !c->place.path || strcmp(path, c->place.path) != 0) return; /* in an include */
  json_array_foreach(json_object_get(json_object_get(c->detail, "listing"), "lines"), i, line) {
    unsigned number = (unsigned)json_integer_value(json_object_get(line, "line"));
    size_t at = offset_of_line_end(&d->lines, offset_of_place(&d->lines, number, 1));
    if (!number || at < begin || at > end) continue;
    struct buffer label;
    buffer_init(&label);
    json_array_foreach(json_object_get(line, "notes"), j, note) {
      const char *text = json_string_value(note), *so_far = buffer_text(&label);
      bool is_headed = label.len && so_far[label.len - 1] == ':';
      buffer_printf(&label, "%s%s", !j ? "" : is_headed ? " " : "; ", text + strspn(text, " "));
    }
    if (label.len) json_array_append_new(list, hint_json(s, d, at, &label));
    buffer_clear(&label);
  }
}

static bool is_first_about_subject(const struct file_record *record, size_t index) {
  for (size_t i = 0; i < index; i++)
    if (json_object_get(record->claims.at[i].detail, "listing") && record->claims.at[i].subject &&
        record->claims.at[index].subject &&
        strcmp(record->claims.at[i].subject, record->claims.at[index].subject) == 0)
      return false;
  return true;
}

json_t *feature_inlay_hints(struct session *s, const json_t *params, struct rpc_error *error) {
  struct document *d = param_document(s, params, error);
  size_t begin, end;
  if (!d || !param_range(s, d, params, &begin, &end, error)) return NULL;
  const struct analysis *a = session_analysis(s, d);
  const struct file_record *record = session_record(s, d);
  json_t *list = json_array();
  for (size_t i = 0; i < analysis_claim_count(a); i++) {
    const struct claim_record *c = verdict_of(record, i);
    size_t at = hint_offset(a, i);
    if (!c) continue;
    if (at >= begin && at <= end) add_verdict_hint(list, s, d, c, at);
    if (s->coupling_hints && is_first_about_subject(record, i))
      add_coupling_hints(list, s, d, c, begin, end);
  }
  return list;
}
