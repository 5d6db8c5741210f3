/* A run over the files on a command line: what verify, explain, audit and report have in common.
 *
 * Each of them reads files and limits from its command line, lets the workers judge the files,
 * prints diagnostics and verdicts as soon as a file is done, shows progress on a terminal, and ends
 * on Ctrl-C with what there is. The struct of a command's options has a member `limits` and lists
 * the macros below for those of them that it offers. */
#ifndef COUPLET_CLI_FILE_RUN_H
#define COUPLET_CLI_FILE_RUN_H

#include "cli/cli.h"
#include "report/judge/workers.h"

/* Searches end by time, and what they hold by then depends on the machine: this bounds it. */
enum { DEFAULT_MEMORY_MB = 4096 };

struct run_limits {
  double timeout, search; /* seconds, as in struct verify_options */
  bool trust_solver;      /* as in struct verify_options */
  const char *shard;      /* "K/N", or NULL: all of it */
  const char *files_from; /* a file with names of files, or NULL */
  long jobs, memory;      /* as in struct workers_options */
  struct translate_options translation;
};

#define TIMEOUT_LIMIT(STRUCT)                                                                      \
  OPTION(STRUCT, SECONDS, limits.timeout, "timeout", "S",                                          \
         "seconds per file (default 60); what is undecided then is unknown")
#define SEARCH_LIMIT(STRUCT) SEARCH_OPTION(STRUCT, limits.search)
#define TRUST_LIMIT(STRUCT)                                                                        \
  OPTION(STRUCT, FLAG, limits.trust_solver, "trust-solver", NULL,                                  \
         "believe the solver where no refutation is found (admitted)")
#define FILES_LIMITS(STRUCT)                                                                       \
  OPTION(STRUCT, STRING, limits.files_from, "files-from", "FILE",                                  \
         "verify the files that FILE names, one on a line ('-': standard input)"),                 \
      OPTION(STRUCT, STRING, limits.shard, "shard", "K/N",                                         \
             "verify part K of N only (docs/many-machines.md)")
#define JOBS_LIMIT(STRUCT)                                                                         \
  OPTION(STRUCT, INTEGER, limits.jobs, "jobs", "N", "verify N files at a time (default 1)")
#define MEMORY_LIMIT(STRUCT)                                                                       \
  OPTION(STRUCT, INTEGER, limits.memory, "memory", "MB",                                           \
         "memory limit per file (default: 4096; 0: none)")

#define TRANSLATION_LIMITS(STRUCT)                                                                 \
  CLAIM_OPTION(STRUCT, limits.translation), FUNCTION_OPTION(STRUCT, limits.translation),           \
      SHOW_DP_OPTION(STRUCT, limits.translation)

/* What the table above calls default. */
struct run_limits run_limits_default(void);

/* What is printed when a file is done. */
enum run_output {
  RUN_DIAGS,   /* its diagnostics, on stderr */
  RUN_VERDICTS /* and its verdicts, on stdout */
};

struct file_run {
  const struct cli *cli;
  struct run_limits *limits; /* the command's; the run clears the lists in it */
  option_list files;
  VEC(char *) listed; /* those of --files-from, which `files` points to */
  struct run_record record;
  enum run_output output;
  void (*print_more)(const struct cli *cli, const struct file_record *file); /* or NULL */
  bool no_times;                                                             /* all times are 0 */
  size_t done;         /* files that were printed */
  bool shows_progress; /* a line is on the terminal */
};

/* Options into `args`, of which `limits` is a part, and the files of the shard into the run. False,
 * with *status set and the run cleared: the command is over, because help was asked for or because
 * the command line is wrong or names no file. */
bool file_run_init(struct file_run *run, const struct cli *cli, const struct command *self,
                   void *args, struct run_limits *limits, int argc, char **argv, int *status);
void file_run_clear(struct file_run *run);

/* Judges all files within the limits. The rest of `verify` is as the command wants it. */
void file_run_judge(struct file_run *run, struct verify_options verify);

/* The record as JSON, or the line that counts the verdicts. */
void file_run_put_json(struct buffer *out, const struct file_run *run);
void file_run_put_summary(struct buffer *out, const struct file_run *run);
/* Prints it with cli_print; the status is that of the record unless stdout is broken. */
int file_run_print(const struct file_run *run, const struct buffer *text);

#endif
