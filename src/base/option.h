/* Command-line options from one table: the table yields the parser and the help text.
 *
 *   struct opts { bool json; double timeout; };
 *   static const struct option_spec specs[] = {
 *     OPTION(struct opts, FLAG, json, "json", NULL, "print the result as JSON"),
 *     OPTION(struct opts, SECONDS, timeout, "timeout", "S", "stop after S seconds"), };
 */
#ifndef COUPLET_BASE_OPTION_H
#define COUPLET_BASE_OPTION_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buffer.h"
#include "base/vec.h"

typedef VEC(const char *) option_list;

enum option_kind {
  OPTION_FLAG,    /* bool */
  OPTION_STRING,  /* const char * */
  OPTION_INTEGER, /* long, not negative */
  OPTION_SECONDS, /* double, positive */
  OPTION_LIST     /* option_list: may be given several times */
};

struct option_spec {
  const char *name;     /* without the dashes */
  const char *argument; /* as shown in the help; NULL for flags */
  enum option_kind kind;
  size_t offset; /* of the field in the target struct */
  const char *help;
};

#define OPTION(type, kind, field, name, argument, help)                                            \
  { name, argument, OPTION_##kind, offsetof(type, field), help }

/* Fills `target`; words that are not options go to `words`. Accepts `--name value`, `--name=value`,
 * `--` (only words follow) and `-` (a word). False: *why says what is wrong (xmalloc'd). */
bool options_parse(const struct option_spec *specs, size_t count, void *target, int argc,
                   char **argv, option_list *words, char **why);
void options_help(struct buffer *out, const struct option_spec *specs, size_t count);

#endif
