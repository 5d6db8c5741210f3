#include "cli/compose_file.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "cli/file_run.h"
#include "compose/account.h"
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

/* What the claim says, as a part: (epsilon, delta), or mu, which the pair N(0,1), N(mu,1) dominates
 * by definition. zcdp and renyi have no such pair. */
static char *add_claim(loss_parts *parts, const struct claim_record *c, ulong count) {
  bool normal = c->notion && strcmp(c->notion, "gaussian") == 0, found = false;
  const char *cost = c->epsilon && strcmp(c->epsilon, "?") != 0 ? c->epsilon : c->cost;
  const char *reason;
  if (c->verdict != VERDICT_PROVED)
    return xasprintf("claim `%s` is %s: only what is proved can be composed", c->name,
                     verdict_name(c->verdict));
  if (c->kind != CLAIM_PROGRAM || (c->notion && !normal) || !cost)
    return xasprintf(
        "claim `%s` has no worst pair of distributions: claim `gaussian`, or `epsilon` "
        "with or without `delta`",
        c->name);
  fmpq_t a, b;
  fmpq_init(a);
  fmpq_init(b);
  found = rational_parse_str(a, cost, &reason) &&
          (!c->delta || rational_parse_str(b, c->delta, &reason)) && fmpq_sgn(a) >= 0;
  if (found) loss_parts_push(parts, normal ? LOSS_GAUSSIAN : LOSS_PURE, a, b, count);
  fmpq_clear(a);
  fmpq_clear(b);
  return found ? NULL
               : xasprintf("claim `%s` is about parameters: claim it for numbers, such as 1/4",
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
    why = add_claim(parts, claim, count);
  else
    why = xasprintf("'%s': there is no claim `%s` in %s that could be judged", word, name, path);
  file_run_clear(&run);
  free(path);
  return why;
}
