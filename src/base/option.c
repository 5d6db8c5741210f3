#include "base/option.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static size_t min3(size_t a, size_t b, size_t c) {
  size_t m = a < b ? a : b;
  return m < c ? m : c;
}

enum { LONGEST_COMPARED = 64 };

static size_t edit_distance(const char *a, const char *b) {
  size_t n = strlen(b), row[LONGEST_COMPARED + 1];
  if (strlen(a) > LONGEST_COMPARED || n > LONGEST_COMPARED) return SIZE_MAX;
  for (size_t j = 0; j <= n; j++)
    row[j] = j;
  for (size_t i = 0; a[i]; i++) {
    size_t diagonal = row[0];
    row[0] = i + 1;
    for (size_t j = 0; j < n; j++) {
      size_t above = row[j + 1];
      row[j + 1] = min3(above + 1, row[j] + 1, diagonal + (a[i] != b[j]));
      diagonal = above;
    }
  }
  return row[n];
}

const char *closest_word(const char *word, const char *const *candidates, size_t count) {
  const char *best = NULL;
  size_t best_distance = strlen(word) <= 3 ? 1 : strlen(word) <= 6 ? 2 : 3;
  for (size_t i = 0; i < count; i++) {
    size_t d = edit_distance(word, candidates[i]);
    if (d < best_distance || (!best && d == best_distance)) {
      best = candidates[i];
      best_distance = d;
    }
  }
  return best && best_distance < strlen(word) ? best : NULL;
}

static const struct option_spec *find(const struct option_spec *specs, size_t count,
                                      const char *name, size_t length) {
  for (size_t i = 0; i < count; i++)
    if (strlen(specs[i].name) == length && memcmp(specs[i].name, name, length) == 0)
      return &specs[i];
  return NULL;
}

static char *unknown_option(const struct option_spec *specs, size_t count, const char *word) {
  VEC(const char *) names = {0};
  for (size_t i = 0; i < count; i++)
    vec_push(&names, specs[i].name);
  const char *near = closest_word(word + 2, names.at, names.len);
  vec_clear(&names);
  return near ? xasprintf("there is no option '%s'; did you mean '--%s'?", word, near)
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

bool options_parse(const struct option_spec *specs, size_t count, void *target, int argc,
                   char **argv, option_list *words, char **why) {
  bool only_words = false;
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
