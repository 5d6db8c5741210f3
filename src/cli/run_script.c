#include "cli/run_script.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "ask/program_args.h"
#include "base/exit_codes.h"
#include "num/rational.h"
#include "run/sample/scripted.h"

struct one_run {
  const struct program_file *file;
  const json_t *entry;
  uint64_t max_steps;
  VEC(struct rvalue) noise;
  VEC(char *) texts; /* of the options */
  char *why;
};

static void add_values(struct one_run *run, option_list *list, const char *member) {
  const char *name;
  json_t *value;
  json_object_foreach(json_object_get(run->entry, member), name, value) {
    char *text = xasprintf("%s=%s", name, json_is_string(value) ? json_string_value(value) : "?");
    vec_push(&run->texts, text);
    vec_push(list, text);
  }
}

static bool read_noise(struct one_run *run) {
  size_t i;
  json_t *value;
  bool ok = true;
  fmpq_t q;
  fmpq_init(q);
  json_array_foreach(json_object_get(run->entry, "noise"), i, value) {
    const char *reason = "a text is expected", *text = json_string_value(value);
    if (ok && !(ok = text && rational_parse_str(q, text, &reason)))
      run->why = xasprintf("noise %zu: %s", i + 1, reason);
    if (ok) vec_push(&run->noise, rvalue_fmpq(q));
  }
  fmpq_clear(q);
  return ok;
}

static json_t *perform(struct one_run *run, struct interp *in) {
  struct scripted script = {run->noise.at, run->noise.len, 0};
  in->sample = scripted_sample;
  in->sample_context = &script;
  struct rvalue output;
  if (!interp_run(in, NULL, &output)) return NULL;
  struct buffer b;
  buffer_init(&b);
  rvalue_print(&b, &output);
  json_t *answer =
      json_pack("{s:s, s:I}", "output", buffer_text(&b), "drawn", (json_int_t)script.next);
  buffer_clear(&b);
  rvalue_clear(&output);
  return answer;
}

static json_t *perform_named(struct one_run *run, const struct ast_decl *mechanism) {
  struct program_args args = {0};
  struct interp in;
  json_t *answer = NULL;
  add_values(run, &args.params, "params");
  add_values(run, &args.inputs, "inputs");
  if (!program_set_up(&in, run->file, mechanism, &args, run->max_steps, &run->why))
    answer = perform(run, &in);
  interp_clear(&in);
  program_args_clear(&args);
  return answer;
}

/* One entry; what is wrong with it is its answer. */
static json_t *run_entry(const struct program_file *file, const json_t *entry, uint64_t max_steps) {
  struct one_run run = {.file = file, .entry = entry, .max_steps = max_steps};
  struct diag_mark mark = diags_mark(&file->lang->diags);
  json_t *answer = NULL;
  const char *name = json_string_value(json_object_get(entry, "mechanism"));
  const struct ast_decl *mechanism =
      program_choose(file, DECL_MECHANISM, "mechanism", name, &run.why);
  if (mechanism && mechanism->kind == DECL_MECHANISM && read_noise(&run))
    answer = perform_named(&run, mechanism);
  const struct diags *diags = &file->lang->diags;
  if (!answer && !run.why && diags->list.len > mark.kept)
    run.why = xstrdup(diags->list.at[mark.kept].message);
  if (!answer) answer = json_pack("{s:s}", "error", run.why ? run.why : "it cannot be run");
  diags_rollback(&file->lang->diags, mark);
  for (size_t i = 0; i < run.noise.len; i++)
    rvalue_clear(&run.noise.at[i]);
  for (size_t i = 0; i < run.texts.len; i++)
    free(run.texts.at[i]);
  vec_clear(&run.noise);
  vec_clear(&run.texts);
  free(run.why);
  return answer;
}

static void run_entries(struct buffer *out, const struct program_file *file, const json_t *entries,
                        uint64_t max_steps) {
  size_t i;
  json_t *entry;
  json_array_foreach(entries, i, entry) {
    json_t *answer = run_entry(file, entry, max_steps);
    char *text = json_dumps(answer, JSON_COMPACT);
    buffer_printf(out, "%s\n", text);
    free(text);
    json_decref(answer);
  }
}

int run_script(const struct cli *cli, const char *path, const char *script, uint64_t max_steps,
               const struct translate_options *how) {
  json_error_t error;
  json_t *entries = json_load_file(script, JSON_REJECT_DUPLICATES, &error);
  if (!json_is_array(entries)) {
    fprintf(stderr, "%s:%d:%d: error: %s\n", script, entries ? 1 : error.line,
            entries ? 1 : error.column, entries ? "an array of runs is expected" : error.text);
    json_decref(entries);
    return COUPLET_EXIT_INPUT;
  }
  struct lang lang;
  struct buffer b;
  lang_init(&lang);
  buffer_init(&b);
  struct program_file file = {path, &lang, translate_load(&lang, path, how)};
  int status = lang.diags.errors ? COUPLET_EXIT_INPUT : 0;
  cli_print_diags(cli, &lang.sources, &lang.diags);
  if (!status) run_entries(&b, &file, entries, max_steps);
  status = cli_print(cli, &b, status);
  buffer_clear(&b);
  lang_clear(&lang);
  json_decref(entries);
  return status;
}
