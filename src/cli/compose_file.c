#include "cli/compose_file.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "cli/file_run.h"
#include "compose/account.h"
#include "lang/syntax/lang.h"
#include "num/rational.h"

static const char mark[] = ".dp:";

bool compose_is_file(const char *word) {
  return strstr(word, mark) != NULL;
}

static const struct claim_record *find_claim(const struct file_record *file, const char *name,
                                             size_t length) {
  for (size_t i = 0; i < file->claims.len; i++) {
    const char *own = file->claims.at[i].name;
    if (strlen(own) == length && strncmp(own, name, length) == 0) return &file->claims.at[i];
  }
  return NULL;
}

/* The claim of this name, which may end in xCOUNT unless a claim is called so. */
static const struct claim_record *named_claim(const struct file_record *file, const char *name,
                                              ulong *count) {
  *count = 1;
  const struct claim_record *claim = find_claim(file, name, strlen(name));
  const char *times = strrchr(name, 'x');
  if (claim || !times || !isdigit((unsigned char)times[1])) return claim;
  char *rest;
  *count = strtoul(times + 1, &rest, 10);
  if (*rest || *count < 1 || *count > ACCOUNT_PARTS_MAX) return NULL;
  return find_claim(file, name, (size_t)(times - name));
}

/* The value of a constant expression where the file ends; false: it has none, or an irrational one.
 */
static bool constant_value(fmpq_t out, const char *path, const char *expression) {
  struct lang own, extended;
  lang_init(&own);
  lang_init(&extended);
  char *why = NULL;
  uint32_t file = sources_read(&own.sources, path, &why);
  struct buffer text;
  buffer_init(&text);
  if (file) buffer_puts(&text, sources_get(&own.sources, file)->text);
  buffer_printf(&text, "\nlet value'of'claim : real = %s;\n", expression);
  const struct ast_module *module = lang_load_text(&extended, path, buffer_text(&text), text.len);
  const struct ast_decl *last = module->decl_count ? module->decls[module->decl_count - 1] : NULL;
  bool found =
      file && !extended.diags.errors && last && last->kind == DECL_LET && last->as.let.constant;
  if (found) fmpq_set(out, last->as.let.constant);
  buffer_clear(&text);
  free(why);
  lang_clear(&extended);
  lang_clear(&own);
  return found;
}

static bool number_of(fmpq_t out, const char *path, const char *text) {
  const char *reason;
  return rational_parse_str(out, text, &reason) || constant_value(out, path, text);
}

/* What a claim can be as a part; its notion is as written: `renyi 4`. */
static bool family_of(const struct claim_record *c, enum loss_family *family, const char **order) {
  static const char renyi[] = "renyi ";
  *order = NULL;
  if (c->kind != CLAIM_PROGRAM) return false;
  if (!c->notion)
    *family = LOSS_PURE;
  else if (strcmp(c->notion, "gaussian") == 0)
    *family = LOSS_GAUSSIAN; /* mu, which the pair N(0,1), N(mu,1) dominates by definition */
  else if (strcmp(c->notion, "zcdp") == 0)
    *family = LOSS_ZCDP;
  else {
    *family = LOSS_RENYI;
    *order = c->notion + strlen(renyi);
    return strncmp(c->notion, renyi, strlen(renyi)) == 0 && strncmp(*order, "for all ", 8) != 0;
  }
  return true;
}

static char *add_claim(loss_parts *parts, const char *path, const struct claim_record *c,
                       ulong count) {
  const char *cost = c->epsilon && strcmp(c->epsilon, "?") != 0 ? c->epsilon : c->cost, *order;
  enum loss_family family;
  if (c->verdict != VERDICT_PROVED)
    return xasprintf("claim `%s` is %s: only what is proved can be composed", c->name,
                     verdict_name(c->verdict));
  if (!family_of(c, &family, &order) || !cost)
    return xasprintf("claim `%s` has no cost that could be composed: claim `epsilon`, `gaussian`, "
                     "`zcdp`, or `renyi` at one order",
                     c->name);
  const char *second = order ? order : c->delta;
  fmpq_t a, b;
  fmpq_init(a);
  fmpq_init(b);
  bool found =
      number_of(a, path, cost) && (!second || number_of(b, path, second)) && fmpq_sgn(a) >= 0;
  if (found) loss_parts_push(parts, family, a, b, count);
  fmpq_clear(a);
  fmpq_clear(b);
  return found ? NULL
               : xasprintf("claim `%s` has no rational number as its cost: claim it for numbers, "
                           "such as 1/4, not for parameters",
                           c->name);
}

char *compose_file_read(const struct cli *cli, loss_parts *parts, const char *word) {
  const char *name = strstr(word, mark) + strlen(mark);
  char *path = xasprintf("%.*s", (int)(name - 1 - word), word), *why = NULL;
  struct run_limits limits = run_limits_default();
  struct file_run run = {.cli = cli, .limits = &limits, .output = RUN_DIAGS};
  run_record_init(&run.record);
  vec_push(&run.files, path);
  file_run_judge(&run, (struct verify_options){0});
  const struct file_record *file = run.record.files.len ? run.record.files.at[0] : NULL;
  ulong count;
  const struct claim_record *claim = file ? named_claim(file, name, &count) : NULL;
  if (claim)
    why = add_claim(parts, path, claim, count);
  else
    why = xasprintf("'%s': there is no claim `%s` in %s that could be judged", word, name, path);
  file_run_clear(&run);
  free(path);
  return why;
}
