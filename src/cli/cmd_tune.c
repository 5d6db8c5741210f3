/* couplet tune: the least noise for a file in which scales are left open (`let b = ?;`).
 *
 * What is printed has been verified: every claim of the file with the numbers in it is proved. */
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "ask/tune.h"
#include "base/alloc.h"
#include "base/exit_codes.h"
#include "cli/cli.h"
#include "report/judge/verify.h"
#include "report/record/decimal.h"
#include "report/render/record_text.h"

/* Seconds to verify numbers that are formulas over the parameters, before plain ones are tried. */
static const double FORMULA_TIME = 20;

struct tune_options {
  bool compare, json;
  double timeout;
};

static const struct option_spec specs[] = {
    OPTION(struct tune_options, FLAG, compare, "compare", NULL,
           "say by how much the noise of the claims is larger than needed"),
    JSON_OPTION(struct tune_options, "numbers, the verdicts and the file"),
    TIMEOUT_OPTION(struct tune_options, "seconds for each question about the file (default 60)"),
};

static int complain(const char *path, const char *what, int status) {
  fprintf(stderr, "%s: %s\n", path, what);
  return status;
}

/* ---- the numbers ------------------------------------------------------------------------------ */

/* The claims of the file with these numbers; false unless all are proved. */
static bool confirm(const struct tune_file *f, const struct buffer *text, double timeout,
                    struct buffer *said, json_t *claims) {
  struct verify_options options = verify_default_options();
  options.timeout = timeout;
  struct file_record *file =
      verify_text(f->path, buffer_text(text), text->len, &options, NULL, NULL);
  bool ok = !file->bad_input && file->claims.len > 0;
  for (size_t i = 0; i < file->claims.len; i++) {
    const struct claim_record *c = &file->claims.at[i];
    ok &= c->verdict == VERDICT_PROVED;
    struct buffer what;
    buffer_init(&what);
    claim_record_what(&what, c);
    buffer_printf(said, "  %-8s %s: %s\n", verdict_name(c->verdict), c->name, buffer_text(&what));
    json_array_append_new(claims, json_pack("{s:s, s:s, s:s}", "name", c->name, "verdict",
                                            verdict_name(c->verdict), "what", buffer_text(&what)));
    buffer_clear(&what);
  }
  file_record_free(file);
  return ok;
}

/* {"version":..,"file":..,"values":[..],"claims":[..],"text":..,"error":..}; takes the claims. */
static int tell(const struct cli *cli, const struct tuning *t, json_t *claims, const char *text,
                const char *error, int status) {
  struct buffer b;
  json_t *values = json_array();
  for (size_t i = 0; t->values && i < t->file->holes.len; i++)
    if (t->values[i])
      json_array_append_new(values, json_pack("{s:s, s:s}", "name", t->file->holes.at[i]->name.text,
                                              "value", t->values[i]));
  for (size_t i = 0; i < t->file->fixed.len; i++)
    json_array_append_new(values,
                          json_pack("{s:s, s:s}", "name", t->file->fixed.at[i].let->name.text,
                                    "value", t->file->fixed.at[i].value));
  buffer_init(&b);
  json_put(&b, json_pack("{s:i, s:s, s:o, s:o, s:s?, s:s?}", "version", JSON_VERSION, "file",
                         t->file->path, "values", values, "claims", claims, "text", text, "error",
                         error));
  status = cli_print(cli, &b, status);
  buffer_clear(&b);
  return status;
}

/* Puts the values into the file; are its claims proved? */
static bool try_values(const struct tuning *t, double timeout, struct buffer *text,
                       struct buffer *said, json_t *claims) {
  const struct tune_file *f = t->file;
  text->len = said->len = 0;
  json_array_clear(claims);
  for (size_t i = 0; i < f->holes.len; i++)
    buffer_printf(said, "  %s = %s\n", f->holes.at[i]->name.text, t->values[i]);
  for (size_t i = 0; i < f->fixed.len; i++)
    buffer_printf(said, "  %s = %s\n", f->fixed.at[i].let->name.text, f->fixed.at[i].value);
  if (t->by_formula)
    buffer_puts(said, "  shares of the budget: for all values of the parameters\n");
  if (t->by_instance)
    buffer_puts(said, t->has_instance
                          ? "  shares of the budget: for the values of the first instance\n"
                          : "  shares of the budget: for reals of 0.1 and integers of 10, as there "
                            "is no instance\n");
  tune_put_filled(text, f, t->values);
  return confirm(f, text, timeout, said, claims);
}

static int tune(const struct cli *cli, struct tune_file *f, const struct tune_options *options) {
  struct tuning t;
  struct buffer text, said;
  buffer_init(&text);
  buffer_init(&said);
  json_t *claims = json_array();
  int status = COUPLET_EXIT_UNKNOWN;
  const char *why = "with these numbers not every claim is proved: nothing is printed";
  tune_ask(&t, f, options->timeout);
  bool ok = tune_solve(&t);
  if (!ok) complain(f->path, t.why, status);
  double first = t.by_formula && options->timeout > FORMULA_TIME ? FORMULA_TIME : options->timeout;
  bool is_proved = ok && try_values(&t, first, &text, &said, claims);
  if (ok && !is_proved && t.by_formula) { /* numbers are easier to verify */
    t.only_numbers = true;
    is_proved = tune_solve(&t) && try_values(&t, options->timeout, &text, &said, claims);
  }
  fputs(buffer_text(&said), stderr);
  if (ok && !is_proved) complain(f->path, why, status);
  if (is_proved) status = COUPLET_EXIT_PROVED;
  if (options->json)
    status = tell(cli, &t, claims, is_proved ? buffer_text(&text) : NULL,
                  !ok         ? t.why
                  : is_proved ? NULL
                              : why,
                  status);
  else
    json_decref(claims);
  if (is_proved && !options->json) status = cli_print(cli, &text, status);
  buffer_clear(&said);
  buffer_clear(&text);
  tuning_clear(&t);
  return status;
}

/* ---- what is there ---------------------------------------------------------------------------- */

/* How the noise of one claim compares with what it needs; false: nobody knows. */
static bool put_comparison(struct tuning *t, const struct tune_claim *c, struct buffer *said,
                           json_t *claims) {
  char *excess = tune_excess(t, c),
       *stated = tune_text_at(t->file, c->decl->as.claim.epsilon->span);
  const char *name = c->decl->name.text;
  json_array_append_new(claims, json_pack("{s:s, s:s, s:s?, s:s?}", "name", name, "claimed", stated,
                                          "proved", excess ? c->cost : NULL, "excess", excess));
  buffer_printf(said, "%s: claimed %s, ", name, stated);
  if (excess && strcmp(excess, "1") == 0)
    buffer_printf(said, "proved %s: no noise is larger than this proof needs\n", c->cost);
  else if (excess && strtod(excess, NULL) > 1)
    buffer_printf(said, "proved %s: the noise is %s times what the claim needs\n", c->cost, excess);
  else if (excess)
    buffer_printf(said, "proved %s: the noise is %s times what a proof needs, too little\n",
                  c->cost, excess);
  else
    buffer_puts(said, "no proof was found\n");
  bool is_known = excess != NULL;
  free(excess);
  free(stated);
  return is_known;
}

static int compare(const struct cli *cli, struct tune_file *f, const struct tune_options *options) {
  struct tuning t;
  struct buffer said;
  int status = COUPLET_EXIT_PROVED;
  buffer_init(&said);
  tune_ask(&t, f, options->timeout);
  json_t *claims = json_array();
  for (size_t i = 0; i < t.privacy.len; i++)
    if (!put_comparison(&t, &t.privacy.at[i], &said, claims)) status = COUPLET_EXIT_UNKNOWN;
  if (!t.privacy.len)
    status = complain(f->path, "there is no claim of privacy with a cost about a mechanism",
                      COUPLET_EXIT_INPUT);
  if (options->json)
    status = tell(cli, &t, claims, NULL, NULL, status);
  else
    status = cli_print(cli, &said, status);
  if (!options->json) json_decref(claims);
  buffer_clear(&said);
  tuning_clear(&t);
  return status;
}

/* Does it have mistakes besides what is open? */
static bool has_errors(const struct cli *cli, const struct tune_file *f) {
  struct lang lang;
  struct buffer text;
  lang_init(&lang);
  buffer_init(&text);
  tune_put_plain(&text, f);
  lang_load_text(&lang, f->path, buffer_text(&text), text.len);
  bool found = lang.diags.errors > 0;
  if (found) cli_print_diags(cli, &lang.sources, &lang.diags);
  buffer_clear(&text);
  lang_clear(&lang);
  return found;
}

static bool is_dp(const char *path) {
  const char *dot = strrchr(path, '.');
  return strcmp(path, "-") == 0 || (dot && strcmp(dot, ".dp") == 0);
}

static int run_file(const struct cli *cli, const char *path, const struct tune_options *options) {
  struct tune_file f;
  char *why = NULL;
  int status = COUPLET_EXIT_INPUT;
  if (!is_dp(path)) return complain(path, "tune is for .dp files", status);
  if (!tune_file_read(&f, path, &why)) {
    complain(path, why, status);
  } else if (!f.unit) {
    cli_print_diags(cli, &f.lang.sources, &f.lang.diags);
  } else if (has_errors(cli, &f)) {
    status = COUPLET_EXIT_INPUT;
  } else if (options->compare && f.holes.len) {
    complain(path, "--compare is for files in which nothing is left open", status);
  } else if (options->compare) {
    status = compare(cli, &f, options);
  } else if (!f.holes.len) {
    complain(path, "nothing is left open: write `let b = ?;` for a scale that is to be found",
             status);
  } else {
    status = tune(cli, &f, options);
  }
  free(why);
  tune_file_clear(&f);
  return status;
}

static int run_tune(const struct cli *cli, const struct command *self, int argc, char **argv) {
  struct tune_options options = {.timeout = 60};
  option_list words = {0};
  int status;
  if (cli_parse(cli, self, &options, argc, argv, &words, &status))
    status = words.len == 1 ? run_file(cli, words.at[0], &options)
                            : cli_usage_error(cli, self, xstrdup("give one file"));
  vec_clear(&words);
  return status;
}

const struct command command_tune = {
    "tune",
    "[OPTION]... FILE",
    "find the least noise for scales that are left open, and print the file with it",
    specs,
    sizeof specs / sizeof *specs,
    run_tune,
    "A scale, or a share of the budget, is left open by `let b = ?;` (docs/accuracy.md). The file\n"
    "that is printed was verified; the numbers and the verdicts are on stderr.\n"};
