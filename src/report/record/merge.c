#include "report/record/merge.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/record/decimal.h"
#include "report/record/record_json.h"

/* ---- reading -------------------------------------------------------------------------------- */

static bool has_text(const json_t *object, const char *key) {
  return json_is_string(json_object_get(object, key));
}

static bool is_place(const json_t *location) {
  return json_is_null(location) ||
         (has_text(location, "file") && json_is_integer(json_object_get(location, "line")));
}

/* A word that we do not know would read as the verdict that claims least; better to say so. */
static bool knows_verdict(const json_t *claim) {
  const char *word = json_string_value(json_object_get(claim, "verdict"));
  for (int v = VERDICT_UNKNOWN; word && v <= VERDICT_ADMITTED; v++)
    if (strcmp(word, verdict_name((enum verdict)v)) == 0) return true;
  return false;
}

static bool is_object_or_null(const json_t *json) {
  return json_is_object(json) || json_is_null(json);
}

static bool is_claim(const json_t *claim) {
  return knows_verdict(claim) && has_text(claim, "name") && has_text(claim, "kind") &&
         is_place(json_object_get(claim, "location")) &&
         is_place(json_object_get(claim, "subject_location")) &&
         is_object_or_null(json_object_get(claim, "counterexample")) &&
         is_object_or_null(json_object_get(claim, "detail")) &&
         (!json_object_get(claim, "notion") || has_text(claim, "epsilon"));
}

static bool is_diag(const json_t *diag) {
  size_t i;
  json_t *note;
  json_array_foreach(json_object_get(diag, "notes"), i, note) {
    if (!has_text(note, "message") || !is_place(json_object_get(note, "location"))) return false;
  }
  return has_text(diag, "severity") && has_text(diag, "code") && has_text(diag, "message") &&
         has_text(diag, "text") && is_place(json_object_get(diag, "location"));
}

/* What every rendering relies on. */
static bool is_file(const json_t *file) {
  const json_t *claims = json_object_get(file, "claims"),
               *diags = json_object_get(file, "diagnostics"),
               *error = json_object_get(file, "error");
  size_t i;
  json_t *item;
  if (!has_text(file, "file") || !json_is_array(claims) || !json_is_array(diags)) return false;
  if (error && !(has_text(error, "code") && has_text(error, "message"))) return false;
  json_array_foreach((json_t *)claims, i, item) {
    if (!is_claim(item)) return false;
  }
  json_array_foreach((json_t *)diags, i, item) {
    if (!is_diag(item)) return false;
  }
  return true;
}

static const char *take_json(struct run_record *run, const json_t *json) {
  const json_t *version = json_object_get(json, "version"), *files = json_object_get(json, "files"),
               *shard = json_object_get(json, "shard"), *tools = json_object_get(json, "tools");
  if (!json_is_integer(version) || !json_is_array(files))
    return "this is not a record of couplet verify --json";
  if (json_integer_value(version) != JSON_VERSION)
    return "the record is of another version; make it anew with this one";
  if (shard && !shard_from_json(&run->shard, shard)) return "\"shard\" is malformed";
  size_t i;
  json_t *item;
  json_array_foreach(files, i, item) {
    struct file_record *file = is_file(item) ? file_record_from_json(item) : NULL;
    if (!file) return "an entry of \"files\" is malformed";
    vec_push(&run->files, file);
  }
  if (json_is_object(tools)) run->tools = json_deep_copy(tools);
  return NULL;
}

bool merge_read(struct merge_input *input, const char *path, char **why) {
  json_error_t at;
  input->path = path;
  run_record_init(&input->run);
  json_t *json = strcmp(path, "-") == 0 ? json_loadf(stdin, JSON_REJECT_DUPLICATES, &at)
                                        : json_load_file(path, JSON_REJECT_DUPLICATES, &at);
  const char *wrong = json ? take_json(&input->run, json) : NULL;
  if (!json && at.line < 1)
    *why = xstrdup(at.text); /* names the file */
  else if (!json)
    *why = xasprintf("%s:%d:%d: not JSON: %s; records are what couplet verify --json prints", path,
                     at.line, at.column, at.text);
  else if (wrong)
    *why = xasprintf("%s: %s", path, wrong);
  bool ok = json && !wrong;
  json_decref(json);
  if (!ok) run_record_clear(&input->run);
  return ok;
}

/* ---- the shards of one run ------------------------------------------------------------------ */

typedef VEC(struct merge_input *) input_list;

/* The record of file `i` of the run in shard `s`, NULL if it should be there and is not. */
static struct file_record *take_file(struct merge_input *s, size_t i) {
  size_t at = s->run.shard.by_claim ? i : i / s->run.shard.of;
  if (at >= s->run.files.len) return NULL;
  struct file_record *file = s->run.files.at[at];
  s->run.files.at[at] = NULL;
  return file;
}

static bool same_diag(const struct record_diag *a, const struct record_diag *b) {
  return strcmp(a->code, b->code) == 0 && strcmp(a->text, b->text) == 0;
}

static bool has_diag(const struct file_record *f, const struct record_diag *d) {
  for (size_t i = 0; i < f->diags.len; i++)
    if (same_diag(&f->diags.at[i], d)) return true;
  return false;
}

static bool is_before(const struct record_diag *a, const struct record_diag *b) {
  if (a->place.line != b->place.line) return a->place.line < b->place.line;
  return a->place.column < b->place.column;
}

/* What is found while a claim is judged is known to one shard only. It stands behind what all know,
 * by its place. */
static void add_diags(struct file_record *to, struct file_record *from, size_t common) {
  size_t kept = 0;
  if (!to->diags.len) {
    for (size_t i = 0; i < from->diags.len; i++)
      vec_push(&to->diags, from->diags.at[i]);
    from->diags.len = 0;
    return;
  }
  for (size_t i = 0; i < from->diags.len; i++) {
    struct record_diag d = from->diags.at[i];
    if (has_diag(to, &d)) {
      from->diags.at[kept++] = d;
      continue;
    }
    vec_push(&to->diags, d);
    size_t at = to->diags.len - 1;
    for (; at > common && is_before(&d, &to->diags.at[at - 1]); at--)
      to->diags.at[at] = to->diags.at[at - 1];
    to->diags.at[at] = d;
  }
  from->diags.len = kept;
}

/* The diagnostics that all parts have are a prefix of each. */
static size_t count_common(struct file_record *const *parts, size_t count) {
  size_t n = 0;
  for (;; n++)
    for (size_t i = 0; i < count; i++)
      if (n >= parts[i]->diags.len || !same_diag(&parts[i]->diags.at[n], &parts[0]->diags.at[n]))
        return n;
}

static void take_text(char **to, char **from) {
  if (*to) return;
  *to = *from;
  *from = NULL;
}

/* Claim i is claim i/N of part i mod N. False: some claim is missing. */
static bool deal_back(struct file_record *whole, struct file_record *const *parts, size_t count) {
  size_t total = 0;
  for (size_t i = 0; i < count; i++)
    total += parts[i]->claims.len;
  for (size_t i = 0; i < total; i++) {
    struct file_record *part = parts[i % count];
    if (i / count >= part->claims.len) return false;
    vec_push(&whole->claims, part->claims.at[i / count]);
    part->claims.at[i / count] = (struct claim_record){0};
  }
  return true;
}

/* One file whose claims were dealt out. Takes the parts over. */
static struct file_record *join_parts(struct file_record **parts, size_t count) {
  struct file_record *whole = file_record_new(parts[0]->path);
  size_t common = count_common(parts, count);
  bool ok = deal_back(whole, parts, count);
  for (size_t i = 0; i < count; i++) {
    struct file_record *part = parts[i];
    ok = ok && strcmp(part->path, whole->path) == 0;
    whole->bad_input |= part->bad_input;
    whole->translated |= part->translated;
    take_text(&whole->stopped, &part->stopped);
    take_text(&whole->internal_error, &part->internal_error);
    take_text(&whole->source_digest, &part->source_digest);
    if (part->dropped_errors > whole->dropped_errors) whole->dropped_errors = part->dropped_errors;
    if (part->dropped_warnings > whole->dropped_warnings)
      whole->dropped_warnings = part->dropped_warnings;
    add_diags(whole, part, common);
    if (!whole->sources) whole->sources = json_incref(part->sources);
    if (!whole->basis) whole->basis = json_incref(part->basis);
    file_record_free(part);
  }
  if (ok) return whole;
  file_record_free(whole);
  return NULL;
}

static struct file_record *whole_file(const input_list *shards, size_t i) {
  const struct record_shard *first = &shards->at[0]->run.shard;
  if (!first->by_claim) return take_file(shards->at[i % first->of], i);
  struct file_record **parts = xcalloc(first->of, sizeof *parts);
  size_t count = 0;
  while (count < first->of && (parts[count] = take_file(shards->at[count], i)))
    count++;
  struct file_record *whole = count == first->of ? join_parts(parts, count) : NULL;
  for (size_t k = 0; !whole && count < first->of && k < count; k++)
    file_record_free(parts[k]);
  free(parts);
  return whole;
}

/* Shard K at place K-1; each of them once. */
static bool order_shards(input_list *shards, char **why) {
  size_t of = shards->at[0]->run.shard.of;
  struct merge_input **by_number = xcalloc(of, sizeof *by_number);
  for (size_t i = 0; i < shards->len && !*why; i++) {
    size_t number = shards->at[i]->run.shard.number;
    struct merge_input **at = &by_number[number - 1];
    if (*at)
      *why = xasprintf("%s and %s are both shard %zu/%zu", (*at)->path, shards->at[i]->path, number,
                       of);
    *at = shards->at[i];
  }
  for (size_t i = 0; i < of && !*why; i++)
    if (!by_number[i])
      *why = xasprintf("shard %zu/%zu of the run of %s is missing", i + 1, of, shards->at[0]->path);
  shards->len = 0;
  for (size_t i = 0; i < of && !*why; i++)
    vec_push(shards, by_number[i]);
  free(by_number);
  return !*why;
}

static bool join_shards(struct run_record *out, input_list *shards, char **why) {
  if (!order_shards(shards, why)) return false;
  size_t files = shards->at[0]->run.shard.files;
  const char **names = xcalloc(files, sizeof *names);
  size_t from = out->files.len;
  for (size_t i = 0; i < files && !*why; i++) {
    struct file_record *file = whole_file(shards, i);
    if (!file) {
      *why = xasprintf("%s: the shard does not have what its number says", shards->at[0]->path);
      break;
    }
    vec_push(&out->files, file);
    names[i] = file->path;
  }
  /* The names are those that the shards were made for, in their order. */
  struct record_shard named = shards->at[0]->run.shard;
  if (!*why) shard_bind(&named, names, files);
  if (!*why &&
      (!shard_same_run(&named, &shards->at[0]->run.shard) || out->files.len != from + files))
    *why = xasprintf("%s: the files are not those of the run", shards->at[0]->path);
  free(names);
  return !*why;
}

/* ---- all ------------------------------------------------------------------------------------ */

/* Machines may differ: then both versions are named. */
static void add_tools(struct run_record *out, const json_t *tools) {
  if (!out->tools && tools) out->tools = json_object();
  const char *name;
  json_t *version;
  json_object_foreach((json_t *)tools, name, version) {
    const char *known = json_string_value(json_object_get(out->tools, name)),
               *here = json_string_value(version);
    if (!here || (known && strstr(known, here))) continue;
    json_object_set_new(out->tools, name,
                        known ? json_sprintf("%s, %s", known, here) : json_string(here));
  }
}

static bool add_whole(struct run_record *out, struct merge_input *input) {
  for (size_t i = 0; i < input->run.files.len; i++)
    vec_push(&out->files, input->run.files.at[i]);
  input->run.files.len = 0;
  return true;
}

static int by_path(const void *a, const void *b) {
  return strcmp(*(const char *const *)a, *(const char *const *)b);
}

struct names {
  VEC(const char *) sorted;
};

static bool is_known(const struct names *n, const char *path) {
  return n->sorted.len && bsearch(&path, n->sorted.at, n->sorted.len, sizeof path, by_path);
}

/* One run may name a file twice; two runs would contradict each other in silence. */
static bool are_new(struct names *n, const struct run_record *out, size_t from, char **why) {
  for (size_t i = from; i < out->files.len; i++)
    if (is_known(n, out->files.at[i]->path)) {
      *why = xasprintf("'%s' is in two records", out->files.at[i]->path);
      return false;
    }
  for (size_t i = from; i < out->files.len; i++)
    vec_push(&n->sorted, out->files.at[i]->path);
  qsort(n->sorted.at, n->sorted.len, sizeof *n->sorted.at, by_path);
  return true;
}

bool merge_records(struct run_record *out, struct merge_input *inputs, size_t count, char **why) {
  struct names names = {0};
  bool *taken = xcalloc(count, sizeof *taken);
  *why = NULL;
  for (size_t i = 0; i < count && !*why; i++) {
    size_t from = out->files.len;
    if (taken[i]) continue;
    add_tools(out, inputs[i].run.tools);
    input_list shards = {0};
    for (size_t k = i; inputs[i].run.shard.number && k < count; k++) {
      if (!shard_same_run(&inputs[i].run.shard, &inputs[k].run.shard)) continue;
      vec_push(&shards, &inputs[k]);
      add_tools(out, inputs[k].run.tools);
      taken[k] = true;
    }
    bool ok = shards.len ? join_shards(out, &shards, why) : add_whole(out, &inputs[i]);
    if (ok) are_new(&names, out, from, why);
    vec_clear(&shards);
  }
  vec_clear(&names.sorted);
  free(taken);
  return !*why;
}
