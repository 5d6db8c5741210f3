/* couplet verify: proves or refutes every claim in the given files. */
#include <stdlib.h>
#include <string.h>

#include "ask/replay.h"
#include "base/file.h"
#include "cli/deliver.h"
#include "cli/file_run.h"
#include "out/file_write.h"
#include "report/judge/cache.h"
#include "report/judge/emit.h"
#include "report/record/cert_write.h"
#include "report/record/versions.h"
#include "report/render/pictures.h"

struct verify_args {
  bool no_search, no_cache, cross_check;
  const char *svg, *dump_smt, *certificate, *emit_proof, *replay_c;
  struct delivery delivery;
  long replay;
  struct run_limits limits;
};

static const struct option_spec options[] = {
    DELIVERY_OPTIONS(struct verify_args, delivery),
    TIMEOUT_LIMIT(struct verify_args),
    TRANSLATION_LIMITS(struct verify_args),
    OPTION(struct verify_args, STRING, svg, "svg", "DIR",
           "write pictures of automata, walks and losses to DIR"),
    OPTION(struct verify_args, STRING, certificate, "certificate", "OUT",
           "write evidence for `couplet check` to OUT (one FILE only)"),
    OPTION(struct verify_args, STRING, emit_proof, "emit-proof", "DIR",
           "write the source with the proofs found to DIR (or one NAME.dp)"),
    REPLAY_OPTION(struct verify_args),
    OPTION(struct verify_args, STRING, replay_c, "replay-c", "OUT",
           "write a C program that replays a floating-point counterexample to OUT (one FILE only)"),
    SEARCH_LIMIT(struct verify_args),
    TRUST_LIMIT(struct verify_args),
    OPTION(struct verify_args, FLAG, no_search, "no-search", NULL,
           "check the files and the proofs in them; search for nothing"),
    OPTION(struct verify_args, FLAG, no_cache, "no-cache", NULL,
           "judge anew; neither use nor keep results of earlier runs"),
    OPTION(struct verify_args, STRING, dump_smt, "dump-smt", "DIR",
           "write the obligations of proofs as SMT-LIB files to DIR, made if needed"),
    OPTION(struct verify_args, FLAG, cross_check, "cross-check", NULL,
           "let cvc5 confirm every obligation"),
    FILES_LIMITS(struct verify_args),
    JOBS_LIMIT(struct verify_args),
    MEMORY_LIMIT(struct verify_args),
};

/* Names the claims that were decided but have no certificate. */
static void say_uncertified(const struct file_record *file) {
  for (size_t i = 0; i < file->claims.len; i++) {
    const struct claim_record *c = &file->claims.at[i];
    if (!c->certificate && (c->verdict == VERDICT_PROVED || c->verdict == VERDICT_REFUTED))
      fprintf(stderr, "couplet verify: '%s' has no certificate: %s\n", c->name,
              c->verdict == VERDICT_PROVED ? "its derivation cannot be repeated from its record"
                                           : "its counterexample has no exact form");
  }
}

/* Writes OUT at once or not at all. */
static int write_certificate(struct file_record *file, const char *path, int status) {
  say_uncertified(file);
  char *why = NULL, *text = cert_file_take(file);
  if (!text) {
    fprintf(stderr, "couplet verify: '%s' was not judged: no certificate was written\n",
            file->path);
  } else if (!file_write(path, text, strlen(text), &why)) {
    fprintf(stderr, "couplet verify: %s: %s\n", path, why);
    status = COUPLET_EXIT_INTERNAL;
  }
  free(text);
  free(why);
  return status;
}

/* The program of the first claim that has one. */
static int write_replay(const struct file_record *file, const char *path, int status) {
  const char *text = NULL;
  char *why = NULL;
  for (size_t i = 0; i < file->claims.len && !text; i++) {
    const json_t *replay = json_object_get(file->claims.at[i].counterexample, "float");
    text = json_string_value(json_object_get(replay, "program"));
  }
  if (!text) {
    fprintf(stderr, "couplet verify: no claim about floating-point numbers was refuted: there is "
                    "no program to write\n");
  } else if (!file_write(path, text, strlen(text), &why)) {
    fprintf(stderr, "couplet verify: %s: %s\n", path, why);
    status = COUPLET_EXIT_INTERNAL;
  }
  free(why);
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

static char *misuse(const struct verify_args *args, const option_list *files) {
  if (args->certificate && files->len > 1)
    return xstrdup("--certificate is for one file at a time");
  if (args->replay_c && files->len > 1) return xstrdup("--replay-c is for one file at a time");
  if (args->emit_proof && has_equal_targets(files, args->emit_proof))
    return xstrdup("--emit-proof: two files would get one name");
  char *why = NULL;
  for (size_t i = 0; i < files->len && !why; i++)
    why = replay_misuse(args->replay, files->at[i]);
  return why;
}

static int write_pictures(const struct run_record *run, const char *folder, int status) {
  char *why = NULL;
  for (size_t i = 0; i < run->files.len; i++) {
    if (pictures_write(run->files.at[i], folder, &why)) continue;
    fprintf(stderr, "couplet verify: %s\n", why);
    free(why);
    return COUPLET_EXIT_INPUT;
  }
  return status;
}

/* The files that were asked for, and the result on stdout. */
static int finish(struct file_run *run, const struct command *self,
                  const struct verify_args *args) {
  struct run_record *record = &run->record;
  int written = 0;
  if (args->certificate) written = write_certificate(record->files.at[0], args->certificate, 0);
  if (args->replay_c) written = write_replay(record->files.at[0], args->replay_c, written);
  if (args->emit_proof) written = write_proofs(record, args->emit_proof, written);
  struct buffer b;
  buffer_init(&b);
  if (args->replay) replay_counterexamples(record, &args->limits.translation, args->replay, &b);
  if (b.len && delivery_is_text(&args->delivery)) cli_print(run->cli, &b, 0);
  buffer_clear(&b);
  int status = deliver(run->cli, self, record, &args->delivery);
  if (written) status = written;
  return args->svg ? write_pictures(record, args->svg, status) : status;
}

static int run_verify(const struct cli *cli, const struct command *self, int argc, char **argv) {
  struct verify_args args = {.limits = run_limits_default()};
  struct file_run run;
  int status;
  if (!file_run_init(&run, cli, self, &args, &args.limits, argc, argv, &status)) return status;
  char *why = misuse(&args, &run.files);
  if (!why) why = delivery_misuse(&args.delivery);
  if (why) {
    file_run_clear(&run);
    return cli_usage_error(cli, self, why);
  }
  if (args.dump_smt && !file_make_folder(args.dump_smt, &why)) {
    fprintf(stderr, "couplet verify: --dump-smt: %s\n", why);
    free(why);
    file_run_clear(&run);
    return COUPLET_EXIT_USAGE;
  }
  char *cache = args.no_cache ? NULL : cache_folder();
  run.no_times = args.delivery.no_times;
  if (!delivery_is_text(&args.delivery)) run.output = RUN_DIAGS;
  file_run_judge(&run, (struct verify_options){.cache = cache,
                                               .no_search = args.no_search,
                                               .pictures = args.svg != NULL,
                                               .dump_smt = args.dump_smt,
                                               .emit_proof = args.emit_proof,
                                               .cross_check = args.cross_check,
                                               .certificates = args.certificate != NULL});
  /* A record is kept for longer than the tools it was made with. */
  if (args.delivery.json || args.delivery.sarif) run.record.tools = versions_json();
  status = finish(&run, self, &args);
  free(cache);
  file_run_clear(&run);
  return status;
}

const struct command command_verify = {"verify",
                                       "[OPTION]... FILE...",
                                       "prove or refute every claim in the files",
                                       options,
                                       sizeof options / sizeof *options,
                                       run_verify,
                                       NULL};
