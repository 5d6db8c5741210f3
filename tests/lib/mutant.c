#include "mutant.h"

#include <ctype.h>
#include <string.h>

#include "base/buffer.h"
#include "base/vec.h"

/* A change replaces `from` by `to` where it stands in a line that contains `in` (NULL: anywhere).
 * `to` may be empty; a place next to a letter does not count for words. */
struct change {
  const char *name, *in, *from, *to;
  bool stays_private;
};

static const struct change changes[] = {
    {"less noise", "<$", "/eps)", "/(2*eps))", false},
    {"a little less noise", "<$", "/eps)", "/(4*eps/3))", false},
    {"more noise", "<$", "/eps)", "/(eps/2))", true},
    {"comparison flipped", "if ", " >= ", " <= ", false},
    {"comparison flipped", "if ", " > ", " < ", false},
    {"comparison flipped", "while ", " < ", " > ", false},
    {"strict comparison", "if ", " >= ", " > ", false},
    {"cut-off removed", "while ", " and count < N", "", false},
    {"cut-off moved", "while ", "count < N", "count < N + 1", false},
    {"cut-off halved", "while ", "count < N", "2*count < N", true},
    {"counter not advanced", NULL, "count := count + 1;", "count := count;", false},
    {"value emitted", "emits", "emits bool", "emits real", false}, /* see emit_value */
    {"noise reused", NULL, "s <$ Lap(q[i],", "s := q[i] + (t - T); u <$ Lap(0,", false},
    {"noise dropped", NULL, "s <$ Lap(q[i],", "s := q[i]; u <$ Lap(0,", false},
    {"threshold without noise", NULL, "t <$ Lap(T,", "t := T; u <$ Lap(0,", false},
    {"sensitivity doubled", "adjacent", ", 1)", ", 2)", false},
    {"sensitivity halved", "adjacent", ", 1)", ", 1/2)", true},
    {"smaller claim", "claim", "epsilon eps", "epsilon eps/2", false},
    {"smaller claim", "claim", "epsilon 2*eps", "epsilon 3*eps/2", false},
    {"larger claim", "claim", "epsilon eps", "epsilon 2*eps", true},
    {"maximum returned", "return", "return index", "return floor(best)", false},
    {"gap to zero", NULL, "s - t", "s", false},
};

static bool line_contains(const char *source, const char *at, const char *word) {
  const char *begin = at, *end = at + strcspn(at, "\n");
  while (begin > source && begin[-1] != '\n')
    begin--;
  if (strncmp(begin + strspn(begin, " "), "//", 2) == 0) return false;
  for (const char *p = begin; word && p < end; p++)
    if (strncmp(p, word, strlen(word)) == 0) return true;
  return !word;
}

/* The place with this number, or NULL. */
static const char *find_place(const char *source, const struct change *c, size_t number) {
  for (const char *p = source; (p = strstr(p, c->from)); p++) {
    const char *next = p + strlen(c->from);
    bool whole =
        !isalnum((unsigned char)next[-1]) || !(isalnum((unsigned char)*next) || *next == '/');
    if (whole && line_contains(source, p, c->in) && number-- == 0) return p;
  }
  return NULL;
}

static size_t place_count(const char *source, const struct change *c) {
  size_t count = 0;
  while (find_place(source, c, count))
    count++;
  return count;
}

size_t mutant_count(const char *source) {
  size_t count = 0;
  for (size_t i = 0; i < sizeof changes / sizeof *changes; i++)
    count += place_count(source, &changes[i]);
  return count;
}

static char *replaced(const char *source, const char *at, const char *from, const char *to) {
  struct buffer b;
  buffer_init(&b);
  buffer_add(&b, source, (size_t)(at - source));
  buffer_puts(&b, to);
  buffer_puts(&b, at + strlen(from));
  return buffer_take(&b);
}

/* The noisy value instead of `true`, 0 instead of `false`. */
static char *emit_value(char *text) {
  static const char *const words[][2] = {{"emit true;", "emit s;"}, {"emit false;", "emit 0;"}};
  for (size_t i = 0; i < 2; i++)
    for (char *at; (at = strstr(text, words[i][0]));) {
      char *next = replaced(text, at, words[i][0], words[i][1]);
      free(text);
      text = next;
    }
  return text;
}

char *mutant_make(const char *source, size_t number, struct mutant *out) {
  for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
    const struct change *c = &changes[i];
    size_t count = place_count(source, c);
    if (number >= count) {
      number -= count;
      continue;
    }
    *out = (struct mutant){c->name, c->stays_private, number};
    char *text = replaced(source, find_place(source, c, number), c->from, c->to);
    return strcmp(c->name, "value emitted") == 0 ? emit_value(text) : text;
  }
  return NULL;
}
