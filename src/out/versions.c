#include "out/versions.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

#include "base/buffer.h"

/* A name in a text: `x`, `x@3`, `x<1>`, `x@3<1>`. */
struct name {
  const char *begin, *end; /* x */
  const char *version_end; /* behind `@3`; `end` if there is none */
  char run;                /* '1', '2', or 0 */
};

static bool starts_name(char c) {
  return isalpha((unsigned char)c) || c == '_';
}

static bool continues_name(char c) {
  return isalnum((unsigned char)c) || c == '_' || c == '\'';
}

static const char *skip_word(const char *text) {
  while (continues_name(*text))
    text++;
  return text;
}

/* The first name at `text` or behind it. */
static bool find_name(const char *text, struct name *name) {
  while (*text && !starts_name(*text))
    text = continues_name(*text) ? skip_word(text) : text + 1;
  if (!*text) return false;
  *name = (struct name){.begin = text, .end = skip_word(text)};
  name->version_end = name->end;
  if (*name->end == '@') name->version_end += 1 + strspn(name->end + 1, "0123456789");
  const char *tag = name->version_end;
  if (tag[0] == '<' && (tag[1] == '1' || tag[1] == '2') && tag[2] == '>') name->run = tag[1];
  return true;
}

static bool same_text(const char *a, const char *a_end, const char *b, const char *b_end) {
  return a_end - a == b_end - b && memcmp(a, b, (size_t)(a_end - a)) == 0;
}

/* One name, two meanings? A variable of one run and one of neither may stand beside each other. */
static bool are_apart(const struct name *a, const struct name *b) {
  if (!same_text(a->begin, a->end, b->begin, b->end)) return false;
  if (a->run != b->run) return !a->run || !b->run;
  return !same_text(a->end, a->version_end, b->end, b->version_end);
}

static bool has_other(const char *text, const struct name *name) {
  struct name other;
  for (; text && find_name(text, &other); text = other.version_end)
    if (are_apart(&other, name)) return true;
  return false;
}

char *without_versions(const char *text, const char *beside) {
  struct buffer out;
  buffer_init(&out);
  const char *from = text;
  struct name name;
  for (; find_name(from, &name); from = name.version_end) {
    bool is_needed = has_other(text, &name) || has_other(beside, &name);
    const char *end = is_needed ? name.version_end : name.end;
    buffer_add(&out, from, (size_t)(end - from));
  }
  buffer_puts(&out, from);
  return buffer_take(&out);
}
