/* couplet verify: proves or refutes every claim in the given files. */
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/interrupt.h"
#include "cert/write.h"
#include "cli/cli.h"
#include "report/cache.h"
#include "report/emit.h"
#include "report/listing.h"
#include "report/pictures.h"
#include "report/proof_record.h"
#include "report/record_json.h"
#include "report/record_text.h"
#include "report/sarif.h"
#include "report/versions.h"
#include "report/workers.h"

struct verify_args {
  bool json, no_search, no_cache, cross_check;
  const char *svg, *sarif, *dump_smt, *certificate, *emit_proof;
  double timeout, search;
  long jobs, memory;
};

static const struct option_spec options[] = {
    JSON_OPTION(struct verify_args, "record"),
    TIMEOUT_OPTION(struct verify_args,
                   "seconds per file (default 60); what is undecided then is unknown"),
    OPTION(struct verify_args, STRING, sarif, "sarif", "FILE",
           "write the results as SARIF 2.1.0 for code scanning"),
    OPTION(struct verify_args, STRING, svg, "svg", "DIR",
           "write pictures of automata, walks and losses to DIR"),
    OPTION(struct verify_args, STRING, certificate, "certificate", "OUT",
           "write evidence for `couplet check` to OUT (one FILE only)"),
    OPTION(struct verify_args, STRING, emit_proof, "emit-proof", "DIR",
           "write the source with the proofs found to DIR (or one NAME.dp)"),
    SEARCH_OPTION(struct verify_args),
    OPTION(struct verify_args, FLAG, no_search, "no-search", NULL,
           "check the files and the proofs in them; search for nothing"),
    OPTION(struct verify_args, FLAG, no_cache, "no-cache", NULL,
           "judge anew; neither use nor keep results of earlier runs"),
    OPTION(struct verify_args, STRING, dump_smt, "dump-smt", "DIR",
           "write the obligations of proofs to DIR as SMT-LIB files"),
    OPTION(struct verify_args, FLAG, cross_check, "cross-check", NULL,
           "let cvc5 confirm every obligation"),
    OPTION(struct verify_args, INTEGER, jobs, "jobs", "N", "verify N files at a time (default 1)"),
    OPTION(struct verify_args, INTEGER, memory, "memory", "MB", "memory limit per file"),
};

struct printer {
  const struct cli *cli;
  bool json;
  bool shows_progress; /* a line is on the terminal */
};

/* One line on a terminal, when it takes longer than a moment. */
static void show_progress(void *context, const struct workers_status *status) {
  struct printer *p = context;
  if (status->seconds < 2) return;
  fprintf(stderr, "\r\033[K%s: ", status->path);
  if (status->claims)
    fprintf(stderr, "%zu of %zu claims decided, ", status->claims_decided, status->claims);
  if (status->files > 1)
    fprintf(stderr, "%zu of %zu files done, ", status->files_done, status->files);
  fprintf(stderr, "%.0f s (Ctrl-C: report what there is)", status->seconds);
  fflush(stderr);
  p->shows_progress = true;
}

static void hide_progress(struct printer *p) {
  if (!p->shows_progress) return;
  fputs("\r\033[K", stderr);
  p->shows_progress = false;
}

/* Diagnostics go to stderr as soon as a file is done, its verdicts to stdout. */
static void print_file(void *context, const struct file_record *file) {
  struct printer *p = context;
  struct buffer b;
  hide_progress(p);
  buffer_init(&b);
  file_record_diags_to_text(&b, file, (struct text_style){p->cli->color_err});
  fputs(buffer_text(&b), stderr);
  buffer_clear(&b);
  if (p->json) return;
  file_record_to_text(&b, file, (struct text_style){p->cli->color_out});
  fputs(buffer_text(&b), stdout);
  fflush(stdout);
  buffer_clear(&b);
}

static int print_result(const struct cli *cli, const struct run_record *run, bool json) {
  struct buffer b;
  buffer_init(&b);
  if (json) {
    json_t *value = run_record_to_json(run);
    char *text = json_dumps(value, JSON_INDENT(2));
    buffer_printf(&b, "%s\n", text);
    free(text);
    json_decref(value);
  } else {
    run_record_summary(&b, run, (struct text_style){cli->color_out});
  }
  int status = cli_print(cli, &b, (int)run_record_exit(run));
  buffer_clear(&b);
  return status;
}

/* Takes the certificates out of the record (they have their own file) and names the claims that
 * were decided but have none. */
static json_t *take_certificates(struct file_record *file) {
  json_t *list = json_array();
  for (size_t i = 0; i < file->claims.len; i++) {
    struct claim_record *c = &file->claims.at[i];
    if (c->certificate)
      json_array_append(list, c->certificate);
    else if (c->verdict == VERDICT_PROVED || c->verdict == VERDICT_REFUTED)
      fprintf(stderr, "couplet verify: '%s' has no certificate: %s\n", c->name,
              c->verdict == VERDICT_PROVED ? "its proof has no text"
                                           : "its counterexample has no exact form");
    json_decref(c->certificate);
    c->certificate = NULL;
  }
  return list;
}

/* Writes OUT at once or not at all. */
static int write_certificate(struct file_record *file, const char *path, int status) {
  json_t *list = take_certificates(file);
  char *why = NULL, *text = NULL;
  if (!file->source_digest) {
    fprintf(stderr, "couplet verify: '%s' was not judged: no certificate was written\n",
            file->path);
  } else {
    text = cert_file(file->source_digest, list);
    if (!file_write(path, text, strlen(text), &why)) {
      fprintf(stderr, "couplet verify: %s: %s\n", path, why);
      status = COUPLET_EXIT_INTERNAL;
    }
    record_set(&file->source_digest, NULL);
  }
  free(text);
  free(why);
  json_decref(list);
  return status;
}

/* The versions are part of it: a log is kept for longer than the tools. */
static int write_sarif(struct run_record *run, const char *path, int status) {
  run->tools = versions_json();
  json_t *log = run_record_to_sarif(run);
  json_decref(run->tools);
  run->tools = NULL;
  char *text = json_dumps(log, JSON_INDENT(2) | JSON_PRESERVE_ORDER), *why = NULL;
  if (!text || !file_write(path, text, strlen(text), &why)) {
    fprintf(stderr, "couplet verify: %s: %s\n", path, why ? why : "the results have no JSON form");
    status = COUPLET_EXIT_INTERNAL;
  }
  free(text);
  free(why);
  json_decref(log);
  return status;
}

static bool has_equal_targets(const option_list *files, const char *where) {
  bool found = false;
  for (size_t i = 0; i < files->len; i++)
    for (size_t j = 0; j < i; j++) {
      char *a = emit_target(where, files->at[i]), *b = emit_target(where, files->at[j]);
      found = found || strcmp(a, b) == 0;
      free(a);
      free(b);
    }
  return found;
}

static int write_proofs(struct run_record *run, const char *where, int status) {
  for (size_t i = 0; i < run->files.len; i++) {
    char *why = NULL;
    if (emit_write(run->files.at[i], where, &why)) continue;
    fprintf(stderr, "couplet verify: %s\n", why);
    free(why);
    status = COUPLET_EXIT_INTERNAL;
  }
  return status;
}

static int run_verify(const struct cli *cli, const struct command *self, int argc, char **argv) {
  const struct verify_options usual = verify_default_options();
  struct verify_args args = {.timeout = usual.timeout, .search = usual.search, .jobs = 1};
  option_list files = {0};
  int status;
  if (!cli_parse(cli, self, &args, argc, argv, &files, &status)) {
    vec_clear(&files);
    return status;
  }
  if (!files.len) return cli_usage_error(cli, self, xstrdup("no file given"));
  if (args.certificate && files.len > 1) {
    vec_clear(&files);
    return cli_usage_error(cli, self, xstrdup("--certificate is for one file at a time"));
  }
  if (args.emit_proof && has_equal_targets(&files, args.emit_proof)) {
    vec_clear(&files);
    return cli_usage_error(cli, self, xstrdup("--emit-proof: two files would get one name"));
  }
  char *cache = args.no_cache ? NULL : cache_folder();
  struct workers_options limits = {.verify = {.timeout = args.timeout,
                                              .search = args.search,
                                              .cache = cache,
                                              .interrupted = interrupt_flag(),
                                              .no_search = args.no_search,
                                              .pictures = args.svg != NULL,
                                              .dump_smt = args.dump_smt,
                                              .emit_proof = args.emit_proof,
                                              .cross_check = args.cross_check,
                                              .certificates = args.certificate != NULL},
                                   .jobs = args.jobs,
                                   .memory_mb = args.memory,
                                   .tick = cli->progress ? show_progress : NULL};
  struct run_record run;
  run_record_init(&run);
  struct printer printer = {cli, args.json, false};
  interrupt_catch();
  workers_run(files.at, files.len, &limits, &run, print_file, &printer);
  int written = 0;
  if (args.certificate) written = write_certificate(run.files.at[0], args.certificate, 0);
  if (args.emit_proof) written = write_proofs(&run, args.emit_proof, written);
  if (args.sarif) written = write_sarif(&run, args.sarif, written);
  status = print_result(cli, &run, args.json);
  if (written) status = written;
  char *why = NULL;
  for (size_t i = 0; args.svg && !why && i < run.files.len; i++)
    if (!pictures_write(run.files.at[i], args.svg, &why)) {
      fprintf(stderr, "couplet verify: %s\n", why);
      status = COUPLET_EXIT_INPUT;
    }
  free(why);
  free(cache);
  run_record_clear(&run);
  vec_clear(&files);
  return status;
}

/* ---- explain -------------------------------------------------------------------------------- */

struct explain_args {
  bool json;
  double timeout, search;
};

static const struct option_spec explain_options[] = {
    OPTION(struct explain_args, FLAG, json, "json", NULL,
           "print the record with its explanations as JSON (docs/json.md)"),
    TIMEOUT_OPTION(struct explain_args, "seconds per file (default 60)"),
    SEARCH_OPTION(struct explain_args),
};

/* The verdicts, and below each the derivation as a tree. */
static void explain_file(void *context, const struct file_record *file) {
  const struct printer *p = context;
  print_file(context, file);
  if (p->json) return;
  struct buffer b;
  buffer_init(&b);
  for (size_t i = 0; i < file->claims.len; i++) {
    const struct claim_record *c = &file->claims.at[i];
    if (!json_object_get(c->detail, "explanation")) continue;
    const char *proof = json_string_value(json_object_get(c->detail, "proof"));
    buffer_printf(&b, "\nWhy `%s` holds:\n", c->name);
    listing_text(&b, json_object_get(c->detail, "listing"));
    if (proof) buffer_printf(&b, "\nThe proof that was found:\n%s\n", proof);
    buffer_puts(&b, "\nThe derivation:\n");
    proof_explanation_text(&b, c->detail);
    buffer_putc(&b, '\n');
  }
  cli_print(p->cli, &b, 0);
  buffer_clear(&b);
}

static int run_explain(const struct cli *cli, const struct command *self, int argc, char **argv) {
  const struct verify_options usual = verify_default_options();
  struct explain_args args = {.timeout = usual.timeout, .search = usual.search};
  option_list files = {0};
  int status;
  if (!cli_parse(cli, self, &args, argc, argv, &files, &status)) {
    vec_clear(&files);
    return status;
  }
  if (!files.len) return cli_usage_error(cli, self, xstrdup("no file given"));
  struct workers_options limits = {.verify = {.timeout = args.timeout,
                                              .search = args.search,
                                              .explain = true,
                                              .interrupted = interrupt_flag()},
                                   .jobs = 1,
                                   .tick = cli->progress ? show_progress : NULL};
  struct run_record run;
  run_record_init(&run);
  struct printer printer = {cli, args.json, false};
  interrupt_catch();
  workers_run(files.at, files.len, &limits, &run, explain_file, &printer);
  status = args.json ? print_result(cli, &run, true) : (int)run_record_exit(&run);
  run_record_clear(&run);
  vec_clear(&files);
  return status;
}

const struct command command_explain = {"explain",
                                        "[OPTION]... FILE...",
                                        "verdicts with the derivation of each proof as a tree",
                                        explain_options,
                                        sizeof explain_options / sizeof *explain_options,
                                        run_explain};

const struct command command_verify = {"verify",
                                       "[OPTION]... FILE...",
                                       "prove or refute every claim in the files",
                                       options,
                                       sizeof options / sizeof *options,
                                       run_verify};
