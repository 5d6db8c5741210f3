#include "cli/file_run.h"

#include <stdlib.h>
#include <string.h>

#include "base/interrupt.h"
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

bool file_run_init(struct file_run *run, const struct cli *cli, const struct command *self,
                   void *args, int argc, char **argv, int *status) {
  *run = (struct file_run){.cli = cli, .output = RUN_VERDICTS};
  run_record_init(&run->record);
  bool ok = cli_parse(cli, self, args, argc, argv, &run->files, status);
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
  if (!ok) file_run_clear(run);
  return ok;
}

void file_run_clear(struct file_run *run) {
  run_record_clear(&run->record);
  vec_clear(&run->files);
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

void file_run_judge(struct file_run *run, const struct run_limits *limits,
                    struct verify_options verify) {
  verify.timeout = limits->timeout;
  verify.search = limits->search;
  verify.trust_solver = limits->trust_solver;
  verify.translation = &limits->translation;
  verify.interrupted = interrupt_flag();
  const struct workers_options options = {.verify = verify,
                                          .jobs = limits->jobs,
                                          .memory_mb = limits->memory,
                                          .tick = run->cli->progress ? show_progress : NULL};
  interrupt_catch();
  workers_run(run->files.at, run->files.len, &options, &run->record, print_file, run);
}

void file_run_put_json(struct buffer *out, const struct file_run *run) {
  cli_put_json(out, run_record_to_json(&run->record));
}

void file_run_put_summary(struct buffer *out, const struct file_run *run) {
  run_record_summary(out, &run->record, (struct text_style){run->cli->color_out});
}

int file_run_print(const struct file_run *run, const struct buffer *text) {
  return cli_print(run->cli, text, (int)run_record_exit(&run->record));
}
