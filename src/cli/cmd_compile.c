/* couplet compile: a proved mechanism with discrete noise, or with floats, as a C program.
 *
 * The file is verified first. What is written is the mechanism that was proved: nothing is written
 * unless every claim about it is proved, and every part of it can be said exactly. If the claims are
 * about given parameters and inputs (`at`), so is the program.
 * Exit status: 0 written; 10, 20, 30 a claim about it is refuted, unknown, admitted; 2 it cannot be
 * compiled. */
#include <stdlib.h>
#include <string.h>

#include "ask/program_args.h"
#include "base/sha256.h"
#include "check/certificate/source.h"
#include "check/counterexample/domain.h"
#include "cli/file_run.h"
#include "compile/compile.h"
#include "couplet.h"
#include "out/file_write.h"
#include "report/judge/cache.h"
#include "report/record/cert_write.h"

struct compile_args {
  const char *output, *python, *certificate;
  struct program_args program; /* mechanism, instance and parameters; inputs come when it runs */
  struct run_limits limits;
};

static const struct option_spec options[] = {
    OPTION(struct compile_args, STRING, output, "o", "OUT.c",
           "write the program to OUT.c instead of standard output"),
    OPTION(struct compile_args, STRING, python, "python", "OUT.py",
           "write a Python module that calls it, beside OUT.c"),
    OPTION(struct compile_args, STRING, certificate, "certificate", "OUT",
           "write the evidence whose hash is in the program to OUT"),
    OPTION(struct compile_args, STRING, program.mechanism, "mechanism", "M",
           "which mechanism (default: the only one)"),
    OPTION(struct compile_args, STRING, program.instance, "instance", "I",
           "parameters have the values of this instance (default: given at run time)"),
    OPTION(struct compile_args, LIST, program.params, "param", "P=VALUE",
           "value of a parameter: eps=1/2 (default: given at run time)"),
    TIMEOUT_LIMIT(struct compile_args),
    SEARCH_LIMIT(struct compile_args),
    TRANSLATION_LIMITS(struct compile_args),
};

/* One invocation. */
struct job {
  const struct compile_args *args;
  struct file_record *record;
  struct lang lang;
  struct program_file file;
  const struct ast_decl *mechanism;
  struct reval fixed;
  const struct ast_decl *within; /* the claim with `at` that the program is about, or NULL */
  struct buffer about;
  char digest[SHA256_HEX + 1]; /* of the sources as they are read here */
};

/* ---- the verdicts ------------------------------------------------------------------------------ */

/* The text of a claim on one line, without its proof. */
static void put_claim(struct buffer *out, struct job *job, const struct ast_decl *claim) {
  struct span span = claim->span;
  if (claim->as.claim.has_proof) span.end = claim->as.claim.proof.begin;
  char *text = cert_source_text(&job->lang.sources, span);
  buffer_printf(out, "  %s", text);
  free(text);
  while (out->len && strchr(" ;", out->text[out->len - 1]))
    out->text[--out->len] = 0;
}

static int refuse(struct job *job, struct span span, int status, const char *code,
                  const char *message, const char *hint) {
  diag_error(&job->lang.diags, span, code, "%s", message);
  if (hint) diag_hint(&job->lang.diags, "%s", hint);
  return status;
}

static int check_verdict(struct job *job, const struct ast_decl *decl,
                         const struct claim_record *c) {
  bool unknown = c->verdict == VERDICT_UNKNOWN;
  char *message = xasprintf("the claim `%s` is %s%s%.*s", c->name, verdict_name(c->verdict),
                            unknown ? ": " : "", unknown ? (int)strcspn(c->reason, "\n") : 0,
                            unknown ? c->reason : "");
  int status = c->verdict == VERDICT_REFUTED    ? COUPLET_EXIT_REFUTED
               : c->verdict == VERDICT_ADMITTED ? COUPLET_EXIT_ADMITTED
               : c->verdict == VERDICT_PROVED   ? 0
                                                : COUPLET_EXIT_UNKNOWN;
  if (status)
    refuse(job, decl->span, status, "not-proved", message,
           "only what is proved is compiled; `couplet verify` says more");
  free(message);
  return status;
}

/* Does the claim give this value to the parameter? */
static bool claim_gives(const struct ast_decl *claim, const struct ast_decl *param,
                        const struct rvalue *value) {
  for (size_t i = 0; i < claim->as.claim.at_count; i++) {
    if (claim->as.claim.at[i].param != param) continue;
    struct rvalue v = domain_value(claim->as.claim.at[i].values[0]);
    int order = 1;
    bool same = rvalue_compare(&order, value, &v) && order == 0;
    rvalue_clear(&v);
    return same;
  }
  return true;
}

/* Are the parameters that have values the claim's? */
static bool fits_values(struct job *job, const struct ast_decl *claim) {
  const struct ast_module *m = job->file.module;
  for (size_t i = 0; i < m->decl_count; i++) {
    const struct rvalue *given =
        m->decls[i]->kind == DECL_PARAM ? reval_get_param(&job->fixed, m->decls[i]) : NULL;
    if (given && !claim_gives(claim, m->decls[i], given)) return false;
  }
  return true;
}

/* The parameters of the program are those of the claim. */
static void fix_values(struct job *job, const struct ast_decl *claim) {
  for (size_t i = 0; i < claim->as.claim.at_count; i++) {
    const struct ast_domain *d = &claim->as.claim.at[i];
    if (d->param) reval_set_param(&job->fixed, d->param, domain_value(d->values[0]));
  }
  job->within = claim;
}

static bool is_private_claim(const struct job *job, const struct ast_decl *d) {
  return d->kind == DECL_CLAIM && d->as.claim.target == job->mechanism && !d->as.claim.formula &&
         !d->as.claim.law;
}

/* The claims with `at` for the values that are given must be for the same values of all parameters. The
 * first is the one that the program is about. All have been proved. */
static int choose_finite(struct job *job, const struct ast_unit *unit) {
  VEC(const struct ast_decl *) fitting = {0};
  int status = 0;
  for (size_t i = 0; i < unit->count; i++)
    if (is_private_claim(job, unit->decls[i]) && fits_values(job, unit->decls[i]))
      vec_push(&fitting, unit->decls[i]);
  if (fitting.len) fix_values(job, fitting.at[0]);
  for (size_t i = 1; !status && i < fitting.len; i++)
    if (!fits_values(job, fitting.at[i]))
      status = refuse(job, fitting.at[i]->span, COUPLET_EXIT_INPUT, "cannot-compile",
                      "the claims are about several values of the parameters",
                      "say which values the program is for: --param P=VALUE");
  if (!fitting.len)
    status = refuse(job, job->mechanism->name.span, COUPLET_EXIT_UNKNOWN, "not-proved",
                    "no claim says that this mechanism is private, with these parameters",
                    "write one: claim private M epsilon E;");
  vec_clear(&fitting);
  return status;
}

/* All claims about the mechanism are proved, one of them is about privacy: for all inputs, or else
 * (`at`) for those that the program will accept. */
static int check_claims(struct job *job) {
  const struct ast_unit *unit = job->file.module->units[job->file.module->unit_count - 1];
  bool found = false;
  for (size_t i = 0, next = 0; i < unit->count; i++) {
    const struct ast_decl *d = unit->decls[i];
    if (!verify_is_claim(d)) continue;
    if (next == job->record->claims.len) return COUPLET_EXIT_INTERNAL;
    const struct claim_record *c = &job->record->claims.at[next++];
    if (d->kind != DECL_CLAIM || d->as.claim.target != job->mechanism) continue;
    int status = check_verdict(job, d, c);
    if (status) return status;
    found = found || (is_private_claim(job, d) && !d->as.claim.at_count);
    put_claim(&job->about, job, d);
    if (c->cost) buffer_printf(&job->about, "  (cost %s)", c->cost);
    buffer_putc(&job->about, '\n');
  }
  return found ? 0 : choose_finite(job, unit);
}

/* ---- the comment at the top ---------------------------------------------------------------------- */

static const char *base_name(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

static void put_hash(struct buffer *out, const char *what, const char *text) {
  struct sha256 h;
  char hex[SHA256_HEX + 1];
  sha256_init(&h);
  sha256_add(&h, text, strlen(text));
  sha256_hex(&h, hex);
  buffer_printf(out, "%s sha256 %s\n", what, hex);
}

static void put_values(struct buffer *out, struct job *job) {
  const struct ast_module *m = job->file.module;
  bool any = false;
  for (size_t i = 0; i < m->decl_count; i++) {
    const struct rvalue *v =
        m->decls[i]->kind == DECL_PARAM ? reval_get_param(&job->fixed, m->decls[i]) : NULL;
    if (!v) continue;
    buffer_printf(out, "%s%s = ", any ? ", " : "Compiled for ", m->decls[i]->name.text);
    rvalue_print(out, v);
    any = true;
  }
  if (any) buffer_putc(out, '\n');
  for (size_t i = 0; job->within && i < job->within->as.claim.at_count; i++)
    if (job->within->as.claim.at[i].input)
      buffer_printf(out, "Refuses values of %s that the claim does not list\n",
                    job->within->as.claim.at[i].name.text);
}

/* Behind the claims: where the evidence is, and how to build the program. */
static void put_about(struct job *job, const char *certificate) {
  struct buffer *b = &job->about;
  const char *name = job->mechanism->name.text;
  put_hash(b, "Certificate:", certificate);
  buffer_printf(b, "Source:      sha256 %s\n", job->digest);
  put_values(b, job);
  const char *out = job->args->output ? base_name(job->args->output) : "FILE.c";
  buffer_printf(
      b,
      "\nSamples are exact; numbers are integers and fractions of any size, and floats are\n"
      "rounded as IEEE 754 says, without those of the machine. A program:\n"
      "  cc -std=c17 -O2 -o %s %s\n"
      "A library, without main:\n"
      "  cc -std=c17 -O2 -shared -fPIC -DCOUPLET_LIBRARY -o %s.so %s\n"
      "What its time tells and how to even it out: docs/compile.md.",
      name, out, name, out);
}

/* ---- values ------------------------------------------------------------------------------------ */

static int give_params(struct job *job, char **why) {
  const option_list *given = &job->args->program.params;
  for (size_t i = 0; i < given->len; i++) {
    const char *name;
    uint32_t source = program_split(&job->file, "param", given->at[i], &name, why);
    if (!source) return COUPLET_EXIT_USAGE;
    const struct ast_decl *param = program_choose(&job->file, DECL_PARAM, "parameter", name, why);
    if (!param) return COUPLET_EXIT_USAGE;
    struct rvalue value;
    struct span span;
    if (!program_read_value(&job->file, source, param->as.param.type->type, &value, &span))
      return COUPLET_EXIT_INPUT;
    reval_set_param(&job->fixed, param, value);
  }
  return 0;
}

static int give_instance(struct job *job, char **why) {
  const char *name = job->args->program.instance;
  if (!name) return 0;
  const struct ast_decl *d = program_choose(&job->file, DECL_INSTANCE, "instance", name, why);
  if (!d) return COUPLET_EXIT_USAGE;
  for (size_t i = 0; i < d->as.instance.count; i++) {
    const struct ast_binding *b = &d->as.instance.bindings[i];
    struct rvalue value;
    if (b->kind != BINDING_PARAM) continue;
    if (!reval_take(&job->fixed, NULL, b->value, &value)) return COUPLET_EXIT_INPUT;
    reval_set_param(&job->fixed, b->target, value);
  }
  return 0;
}

/* ---- writing ----------------------------------------------------------------------------------- */

static int write_text(const char *path, const char *text, size_t length) {
  char *why = NULL;
  if (file_write(path, text, length, &why)) return 0;
  fprintf(stderr, "couplet compile: %s: %s\n", path, why);
  free(why);
  return COUPLET_EXIT_INTERNAL;
}

static int deliver(const struct cli *cli, const struct job *job, const struct compile_input *input,
                   const struct buffer *program, const char *certificate) {
  const struct compile_args *args = job->args;
  int status = 0;
  if (!args->output) return cli_print(cli, program, 0);
  if (args->certificate) status = write_text(args->certificate, certificate, strlen(certificate));
  if (!status) status = write_text(args->output, buffer_text(program), program->len);
  if (!status && args->python) {
    struct buffer module;
    buffer_init(&module);
    compile_module(&module, input, program, args->output);
    status = write_text(args->python, buffer_text(&module), module.len);
    buffer_clear(&module);
  }
  if (!status)
    printf("%s: compiled `%s`%s%s\n", args->output, job->mechanism->name.text,
           args->python ? ", Python module " : "", args->python ? args->python : "");
  return status;
}

static int generate(const struct cli *cli, struct job *job) {
  struct buffer program;
  const char *judged = job->record->source_digest;
  bool same = judged && strcmp(judged, job->digest) == 0;
  char *certificate = cert_file_take(job->record);
  int status = COUPLET_EXIT_INTERNAL;
  if (!certificate || !same) {
    fprintf(stderr, "couplet compile: the file changed while it was verified\n");
  } else {
    put_about(job, certificate);
    struct compile_input input = {&job->lang,  job->file.module, job->mechanism,
                                  &job->fixed, job->within,      buffer_text(&job->about)};
    buffer_init(&program);
    status = COUPLET_EXIT_INPUT;
    if (compile_program(&program, &input))
      status = deliver(cli, job, &input, &program, certificate);
    buffer_clear(&program);
  }
  free(certificate);
  return status;
}

static int choose(struct job *job, char **why) {
  job->mechanism =
      program_choose(&job->file, DECL_MECHANISM, "mechanism", job->args->program.mechanism, why);
  if (!job->mechanism) return COUPLET_EXIT_USAGE;
  if (job->mechanism->kind == DECL_MECHANISM) return 0;
  return refuse(job, job->mechanism->name.span, COUPLET_EXIT_INPUT, "cannot-compile",
                "an automaton has Laplace noise, and no program can draw it exactly",
                "write a mechanism with discrete noise: DLap");
}

static int compile_file(const struct cli *cli, const struct command *self, struct job *job,
                        const char *path) {
  char *why = NULL;
  struct ast_module *module = translate_load(&job->lang, path, &job->args->limits.translation);
  job->file = (struct program_file){path, &job->lang, module};
  cert_sources_digest(&job->lang.sources, job->digest);
  int status = job->lang.diags.errors ? COUPLET_EXIT_INPUT : choose(job, &why);
  if (!status) status = give_instance(job, &why);
  if (!status) status = give_params(job, &why);
  if (!status) {
    buffer_printf(&job->about, "%s, compiled by couplet %s from %s. Proved:\n",
                  job->mechanism->name.text, cp_version(), base_name(path));
    status = check_claims(job);
  }
  if (!status) status = generate(cli, job);
  cli_print_diags(cli, &job->lang.sources, &job->lang.diags);
  return why ? cli_usage_error(cli, self, why) : status;
}

static char *misuse(const struct compile_args *args, const option_list *files) {
  if (files->len != 1) return xstrdup("give one file");
  if ((args->python || args->certificate) && !args->output)
    return xstrdup("--python and --certificate need -o");
  size_t folder = args->python ? (size_t)(base_name(args->python) - args->python) : 0;
  if (args->python && ((size_t)(base_name(args->output) - args->output) != folder ||
                       strncmp(args->python, args->output, folder) != 0))
    return xstrdup("--python must be in the folder of -o: the module builds the program beside it");
  return NULL;
}

static int run_compile(const struct cli *cli, const struct command *self, int argc, char **argv) {
  struct compile_args args = {.limits = run_limits_default()};
  struct file_run run;
  int status;
  if (!file_run_init(&run, cli, self, &args, &args.limits, argc, argv, &status)) return status;
  char *why = misuse(&args, &run.files);
  if (why) {
    status = cli_usage_error(cli, self, why);
  } else {
    char *cache = cache_folder();
    run.output = RUN_DIAGS;
    file_run_judge(&run,
                   (struct verify_options){.cache = cache, .certificates = true, .digest = true});
    free(cache);
    struct job job = {.args = &args, .record = run.record.files.at[0]};
    status = (int)run_record_exit(&run.record);
    bool judged = !job.record->bad_input && !job.record->internal_error && !job.record->stopped;
    if (judged) {
      lang_init(&job.lang);
      reval_init(&job.fixed, &job.lang, INTERP_MAX_STEPS);
      buffer_init(&job.about);
      status = compile_file(cli, self, &job, run.files.at[0]);
      buffer_clear(&job.about);
      reval_clear(&job.fixed);
      lang_clear(&job.lang);
    }
  }
  vec_clear(&args.program.params);
  file_run_clear(&run);
  return status;
}

const struct command command_compile = {
    "compile",
    "[OPTION]... FILE -o OUT.c",
    "a proved mechanism with discrete noise or floats as a C program",
    options,
    sizeof options / sizeof *options,
    run_compile,
    NULL};
