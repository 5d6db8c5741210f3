#include "base/option.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/spell.h"
#include "base/visible.h"

static const struct option_spec *find(const struct option_spec *specs, size_t count,
                                      const char *name, size_t length) {
  for (size_t i = 0; i < count; i++)
    if (strlen(specs[i].name) == length && memcmp(specs[i].name, name, length) == 0)
      return &specs[i];
  return NULL;
}

static char *unknown_option(const struct option_spec *specs, size_t count, const char *word) {
  struct spell_best near = {0};
  for (size_t i = 0; i < count; i++)
    spell_consider(&near, word + 2, specs[i].name);
  return near.word ? xasprintf("there is no option '%s'; did you mean '--%s'?", word, near.word)
                   : xasprintf("there is no option '%s'", word);
}

/* Stores the value; NULL when it is fine, else what is wrong. */
static char *store(const struct option_spec *spec, void *target, const char *value) {
  char *field = (char *)target + spec->offset, *end;
  errno = 0;
  switch (spec->kind) {
  case OPTION_FLAG: *(bool *)field = true; break;
  case OPTION_STRING: *(const char **)field = value; break;
  case OPTION_LIST: vec_push((option_list *)field, value); break;
  case OPTION_INTEGER: {
    long n = strtol(value, &end, 10);
    if (end == value || *end || errno || n < 0)
      return xasprintf("'--%s' needs a whole number, not '%s'", spec->name, value);
    *(long *)field = n;
    break;
  }
  case OPTION_SECONDS: {
    double s = strtod(value, &end);
    if (end == value || *end || !isfinite(s) || s <= 0)
      return xasprintf("'--%s' needs a positive number, not '%s'", spec->name, value);
    *(double *)field = s;
    break;
  }
  }
  return NULL;
}

/* Words of the command line appear in messages and verdicts: they must be what they look like. */
static bool words_are_plain(int argc, char **argv, char **why) {
  for (int i = 0; i < argc; i++) {
    if (visible_is_plain(argv[i])) continue;
    struct buffer shown;
    buffer_init(&shown);
    visible_put(&shown, argv[i], strlen(argv[i]));
    *why = xasprintf("'%s': control characters, and what is not UTF-8, are not accepted in names "
                     "of files and values of options",
                     buffer_text(&shown));
    buffer_clear(&shown);
    return false;
  }
  return true;
}

bool options_parse(const struct option_spec *specs, size_t count, void *target, int argc,
                   char **argv, option_list *words, char **why) {
  bool only_words = false;
  if (!words_are_plain(argc, argv, why)) return false;
  for (int i = 0; i < argc; i++) {
    const char *word = argv[i];
    if (only_words || word[0] != '-' || !word[1]) {
      vec_push(words, word);
      continue;
    }
    if (strcmp(word, "--") == 0) {
      only_words = true;
      continue;
    }
    const char *name = word + (word[1] == '-' ? 2 : 1), *equals = strchr(name, '=');
    size_t length = equals ? (size_t)(equals - name) : strlen(name);
    const struct option_spec *spec =
        word[1] == '-' || !word[2] ? find(specs, count, name, length) : NULL;
    if (!spec) return *why = unknown_option(specs, count, word), false;
    const char *value = NULL;
    if (spec->kind == OPTION_FLAG) {
      if (equals) return *why = xasprintf("'--%s' takes no value", spec->name), false;
    } else if (equals) {
      value = equals + 1;
    } else if (++i < argc) {
      value = argv[i];
    } else {
      return *why =
                 xasprintf("'--%s' needs a value: --%s %s", spec->name, spec->name, spec->argument),
             false;
    }
    if ((*why = store(spec, target, value))) return false;
  }
  return true;
}

void options_help(struct buffer *out, const struct option_spec *specs, size_t count) {
  for (size_t i = 0; i < count; i++) {
    char left[64];
    snprintf(left, sizeof left, "%s%s%s%s", strlen(specs[i].name) == 1 ? "-" : "--", specs[i].name,
             specs[i].argument ? " " : "", specs[i].argument ? specs[i].argument : "");
    buffer_printf(out, "  %-22s %s\n", left, specs[i].help);
  }
}
