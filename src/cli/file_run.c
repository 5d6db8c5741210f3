#include "cli/file_run.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/interrupt.h"
#include "base/visible.h"
#include "report/record/decimal.h"
#include "report/record/record_json.h"
#include "report/render/record_text.h"

struct run_limits run_limits_default(void) {
  const struct verify_options usual = verify_default_options();
  return (struct run_limits){
      .timeout = usual.timeout, .search = usual.search, .jobs = 1, .memory = DEFAULT_MEMORY_MB};
}

/* A line of its own says which file is judged: it must not look like a verdict. */
static const char *find_deceptive(const option_list *files) {
  for (size_t i = 0; i < files->len; i++)
    if (files->at[i][0] == ' ' || strstr(files->at[i], "  ")) return files->at[i];
  return NULL;
}

/* Names on lines of their own; blank lines do not count. */
static char *read_names(struct file_run *run, FILE *in) {
  char *line = NULL, *why = NULL;
  size_t room = 0, number = 1;
  for (ssize_t length; !why && (length = getline(&line, &room, in)) >= 0; number++) {
    if (length && line[length - 1] == '\n') line[--length] = 0;
    if (strlen(line) != (size_t)length || !visible_is_plain(line))
      why = xasprintf("line %zu is not a name of a file: control characters, and what is not "
                      "UTF-8, are not accepted",
                      number);
    else if (length)
      vec_push(&run->listed, xstrdup(line));
  }
  if (!why && ferror(in)) why = xstrdup(strerror(errno));
  free(line);
  return why;
}

static bool add_listed_files(struct file_run *run, const struct command *self, const char *path,
                             int *status) {
  if (!path) return true;
  bool is_stdin = strcmp(path, "-") == 0;
  FILE *in = is_stdin ? stdin : fopen(path, "r");
  char *why = in ? read_names(run, in) : xstrdup(strerror(errno));
  if (in && !is_stdin) fclose(in);
  for (size_t i = 0; i < run->listed.len; i++)
    vec_push(&run->files, run->listed.at[i]);
  if (!why) return true;
  fprintf(stderr, "couplet %s: --files-from %s: %s\n", self->name, path, why);
  free(why);
  *status = COUPLET_EXIT_INPUT;
  return false;
}

/* Keeps the files of the shard; where claims are dealt out, all of them. */
static bool take_shard(struct file_run *run, const struct command *self, const char *text,
                       int *status) {
  struct record_shard *shard = &run->record.shard;
  if (!text) return true;
  if (!shard_parse(shard, text)) {
    *status = cli_usage_error(
        run->cli, self, xasprintf("--shard %s: expected K/N with 1 <= K <= N, like 1/4", text));
    return false;
  }
  shard_bind(shard, run->files.at, run->files.len);
  size_t kept = 0;
  for (size_t i = 0; i < run->files.len; i++)
    if (shard->by_claim || shard_has(shard, i)) run->files.at[kept++] = run->files.at[i];
  run->files.len = kept;
  return true;
}

bool file_run_init(struct file_run *run, const struct cli *cli, const struct command *self,
                   void *args, struct run_limits *limits, int argc, char **argv, int *status) {
  *run = (struct file_run){.cli = cli, .limits = limits, .output = RUN_VERDICTS};
  run_record_init(&run->record);
  bool ok = cli_parse(cli, self, args, argc, argv, &run->files, status) &&
            add_listed_files(run, self, limits->files_from, status);
  if (ok && !run->files.len) {
    *status = cli_usage_error(cli, self, xstrdup("no file given"));
    ok = false;
  }
  const char *deceptive = ok ? find_deceptive(&run->files) : NULL;
  if (deceptive) {
    *status = cli_usage_error(
        cli, self,
        xasprintf("'%s': the name of a file may not begin with a blank or have two in a row",
                  deceptive));
    ok = false;
  }
  ok = ok && take_shard(run, self, limits->shard, status);
  if (!ok) file_run_clear(run);
  return ok;
}

void file_run_clear(struct file_run *run) {
  run_record_clear(&run->record);
  vec_clear(&run->files);
  for (size_t i = 0; i < run->listed.len; i++)
    free(run->listed.at[i]);
  vec_clear(&run->listed);
  vec_clear(&run->limits->translation.claims);
  vec_clear(&run->limits->translation.functions);
}

/* One line on a terminal, when it takes longer than a moment. */
static void show_progress(void *context, const struct workers_status *status) {
  struct file_run *run = context;
  if (status->seconds < 2) return;
  fprintf(stderr, "\r\033[K%s: ", status->path);
  if (status->claims)
    fprintf(stderr, "%zu of %zu claims decided, ", status->claims_decided, status->claims);
  if (status->files > 1)
    fprintf(stderr, "%zu of %zu files done, ", status->files_done, status->files);
  fprintf(stderr, "%.0f s (Ctrl-C: report what there is)", status->seconds);
  fflush(stderr);
  run->shows_progress = true;
}

static void hide_progress(struct file_run *run) {
  if (!run->shows_progress) return;
  fputs("\r\033[K", stderr);
  run->shows_progress = false;
}

static void print_file(void *context, const struct file_record *file) {
  struct file_run *run = context;
  struct buffer b;
  if (run->record.shard.by_claim)
    file_record_keep(run->record.files.at[run->done], &run->record.shard);
  if (run->no_times) file_record_drop_times(run->record.files.at[run->done]);
  run->done++;
  hide_progress(run);
  buffer_init(&b);
  file_record_diags_to_text(&b, file, (struct text_style){run->cli->color_err});
  fputs(buffer_text(&b), stderr);
  buffer_clear(&b);
  if (run->output == RUN_VERDICTS) {
    file_record_to_text(&b, file, (struct text_style){run->cli->color_out});
    fputs(buffer_text(&b), stdout);
    fflush(stdout);
    buffer_clear(&b);
  }
  if (run->print_more) run->print_more(run->cli, file);
}

/* `couplet verify count` for count.dp; that `count` is not there is said by who reads it. */
static void suggest_suffix(const char *path) {
  char *full = xasprintf("%s.dp", path);
  if (access(path, F_OK) != 0 && access(full, F_OK) == 0)
    fprintf(stderr, "couplet: there is no file '%s'; did you mean '%s'?\n", path, full);
  free(full);
}

void file_run_judge(struct file_run *run, struct verify_options verify) {
  const struct run_limits *limits = run->limits;
  verify.timeout = limits->timeout;
  verify.search = limits->search;
  verify.trust_solver = limits->trust_solver;
  verify.translation = &limits->translation;
  verify.interrupted = interrupt_flag();
  struct workers_options options = {.verify = verify,
                                    .jobs = limits->jobs,
                                    .memory_mb = limits->memory,
                                    .tick = run->cli->progress ? show_progress : NULL};
  if (run->record.shard.by_claim) {
    options.verify.only = run->record.shard.number;
    options.verify.stride = run->record.shard.of;
  }
  for (size_t i = 0; i < run->files.len; i++)
    if (visible_is_plain(run->files.at[i])) suggest_suffix(run->files.at[i]);
  interrupt_catch();
  workers_run(run->files.at, run->files.len, &options, &run->record, print_file, run);
}

void file_run_put_json(struct buffer *out, const struct file_run *run) {
  json_put(out, run_record_to_json(&run->record));
}

void file_run_put_summary(struct buffer *out, const struct file_run *run) {
  run_record_summary(out, &run->record, (struct text_style){run->cli->color_out});
}

int file_run_print(const struct file_run *run, const struct buffer *text) {
  return cli_print(run->cli, text, (int)run_record_exit(&run->record));
}
