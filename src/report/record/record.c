#include "report/record/record.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/limits.h"

void run_record_init(struct run_record *run) {
  *run = (struct run_record){0};
}

void run_record_clear(struct run_record *run) {
  for (size_t i = 0; i < run->files.len; i++)
    file_record_free(run->files.at[i]);
  vec_clear(&run->files);
  json_decref(run->tools);
}

struct file_record *file_record_new(const char *path) {
  struct file_record *file = xcalloc(1, sizeof *file);
  file->path = xstrdup(path);
  return file;
}

static void diag_clear(struct record_diag *d) {
  free(d->code);
  free(d->message);
  free(d->hint);
  free(d->place.path);
  free(d->text);
  for (size_t i = 0; i < d->notes.len; i++) {
    free(d->notes.at[i].place.path);
    free(d->notes.at[i].message);
  }
  vec_clear(&d->notes);
}

void claim_record_clear(struct claim_record *c) {
  free(c->name);
  free(c->subject);
  free(c->notion);
  free(c->formula);
  free(c->epsilon);
  free(c->delta);
  free(c->cost);
  free(c->lower);
  free(c->reason);
  free(c->place.path);
  free(c->subject_place.path);
  json_decref(c->counterexample);
  json_decref(c->detail);
  json_decref(c->certificate);
}

bool claim_record_is_undecided(const struct claim_record *claim) {
  return claim->verdict == VERDICT_UNKNOWN && claim->reason &&
         strcmp(claim->reason, CLAIM_UNDECIDED) == 0;
}

void file_record_free(struct file_record *file) {
  if (!file) return;
  free(file->path);
  free(file->stopped);
  free(file->internal_error);
  free(file->emitted);
  free(file->source_digest);
  json_decref(file->sources);
  json_decref(file->basis);
  for (size_t i = 0; i < file->diags.len; i++)
    diag_clear(&file->diags.at[i]);
  vec_clear(&file->diags);
  for (size_t i = 0; i < file->claims.len; i++)
    claim_record_clear(&file->claims.at[i]);
  vec_clear(&file->claims);
  free(file);
}

struct record_place record_place(struct sources *sources, struct span span) {
  struct shown_span shown = sources_shown(sources, span);
  if (!shown.source) return (struct record_place){0};
  struct place begin = source_place(shown.source, shown.begin);
  struct place end = source_place(shown.source, shown.end);
  return (struct record_place){xstrdup(begin.path), begin.line, begin.column, end.line, end.column};
}

bool claim_loses_without_bound(const struct claim_record *c) {
  return c->lower && strcmp(c->lower, "unbounded") == 0;
}

const char *claim_lower_number(const struct claim_record *c, double *number) {
  char *end = NULL;
  *number = c->lower ? strtod(c->lower, &end) : 0;
  if (!c->lower || end == c->lower || !isfinite(*number)) return NULL;
  return !*end ? "eps" : strcmp(end, " times the claim") == 0 ? "claim" : NULL;
}

void file_record_keep(struct file_record *file, const struct record_shard *shard) {
  size_t kept = 0;
  for (size_t i = 0; i < file->claims.len; i++) {
    if (shard_has(shard, i))
      file->claims.at[kept++] = file->claims.at[i];
    else
      claim_record_clear(&file->claims.at[i]);
  }
  file->claims.len = kept;
}

/* Fields of JSON that are times end in "_s". */
static void drop_times(json_t *json) {
  const char *key;
  json_t *value;
  size_t i;
  json_object_foreach(json, key, value) {
    size_t length = strlen(key);
    if (json_is_real(value) && length > 2 && strcmp(key + length - 2, "_s") == 0)
      json_real_set(value, 0);
    else
      drop_times(value);
  }
  json_array_foreach(json, i, value) drop_times(value);
}

void file_record_drop_times(struct file_record *file) {
  file->cached = false;
  for (size_t i = 0; i < file->claims.len; i++) {
    file->claims.at[i].time_s = 0;
    drop_times(file->claims.at[i].detail);
  }
}

void file_record_take_diags(struct file_record *file, struct sources *sources,
                            struct diags *diags) {
  diags_sort(diags);
  for (size_t i = 0; i < diags->list.len; i++) {
    const struct diag *d = &diags->list.at[i];
    struct buffer text;
    buffer_init(&text);
    diag_render(&text, sources, d, (struct diag_style){false});
    struct record_diag r = {.severity = d->severity,
                            .code = xstrdup(d->code),
                            .message = xstrdup(d->message),
                            .hint = d->hint ? xstrdup(d->hint) : NULL,
                            .place = record_place(sources, d->span),
                            .text = buffer_take(&text)};
    for (size_t j = 0; j < d->notes.len; j++)
      vec_push(&r.notes, (struct record_note){record_place(sources, d->notes.at[j].span),
                                              xstrdup(d->notes.at[j].message)});
    vec_push(&file->diags, r);
  }
  if (diags->errors) file->bad_input = true;
  if (diags->errors > LIMIT_ERRORS) file->dropped_errors = diags->errors - LIMIT_ERRORS;
  if (diags->warnings > LIMIT_ERRORS) file->dropped_warnings += diags->warnings - LIMIT_ERRORS;
}

static bool is_inside(const struct record_place *inner, const struct record_place *outer) {
  return inner->path && outer->path && strcmp(inner->path, outer->path) == 0 &&
         outer->line <= inner->line && inner->end_line <= outer->end_line;
}

void file_record_drop_warnings(struct file_record *file, const char *code,
                               const struct record_place *where) {
  size_t kept = 0;
  for (size_t i = 0; i < file->diags.len; i++) {
    struct record_diag *d = &file->diags.at[i];
    if (d->severity == SEVERITY_WARNING && strcmp(d->code, code) == 0 &&
        is_inside(&d->place, where))
      diag_clear(d);
    else
      file->diags.at[kept++] = *d;
  }
  file->diags.len = kept;
}

void record_set(char **field, const char *value) {
  char *copy = value ? xstrdup(value) : NULL;
  free(*field);
  *field = copy;
}

size_t claim_rests_on_solver(const struct claim_record *claim) {
  if (claim->verdict != VERDICT_ADMITTED) return 0;
  return (size_t)json_integer_value(json_object_get(claim->detail, "rests_on_solver"));
}

const char *verdict_name(enum verdict verdict) {
  switch (verdict) {
  case VERDICT_UNKNOWN: return "unknown";
  case VERDICT_PROVED: return "proved";
  case VERDICT_REFUTED: return "refuted";
  case VERDICT_ADMITTED: return "admitted";
  }
  return "unknown";
}

const char *claim_kind_name(enum claim_kind kind) {
  switch (kind) {
  case CLAIM_PROGRAM: return "program";
  case CLAIM_AUTOMATON: return "automaton";
  case CLAIM_LEMMA: return "lemma";
  }
  return "program";
}

enum couplet_exit run_record_exit(const struct run_record *run) {
  bool internal = false, input = false, refuted = false, unknown = false, admitted = false;
  for (size_t i = 0; i < run->files.len; i++) {
    const struct file_record *f = run->files.at[i];
    internal |= f->internal_error != NULL;
    unknown |= f->stopped != NULL;
    input |= f->bad_input ||
             (f->claims.len == 0 && !f->internal_error && !f->stopped && !run->shard.by_claim);
    for (size_t j = 0; j < f->claims.len; j++) {
      refuted |= f->claims.at[j].verdict == VERDICT_REFUTED;
      unknown |= f->claims.at[j].verdict == VERDICT_UNKNOWN;
      admitted |= f->claims.at[j].verdict == VERDICT_ADMITTED;
    }
  }
  if (internal) return COUPLET_EXIT_INTERNAL;
  if (input || run->files.len == 0) return COUPLET_EXIT_INPUT;
  if (refuted) return COUPLET_EXIT_REFUTED;
  if (unknown) return COUPLET_EXIT_UNKNOWN;
  return admitted ? COUPLET_EXIT_ADMITTED : COUPLET_EXIT_PROVED;
}

bool claim_is_of_law(const struct claim_record *c) {
  return c->notion && strcmp(c->notion, "samples") == 0;
}
