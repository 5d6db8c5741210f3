#include "report/render/record_text.h"

#include <string.h>

#include "report/render/bound.h"
#include "report/render/overview.h"

static const char *paint(struct text_style style, const char *escape) {
  return style.color ? escape : "";
}

static const char *verdict_color(enum verdict verdict) {
  switch (verdict) {
  case VERDICT_PROVED: return "\033[1;32m";
  case VERDICT_REFUTED: return "\033[1;31m";
  case VERDICT_UNKNOWN: return "\033[1;33m";
  case VERDICT_ADMITTED: return "\033[1;35m";
  }
  return "";
}

void text_put_wrapped(struct buffer *out, const char *text, unsigned indent) {
  enum { WIDTH = 96 };
  size_t column = 0, spaces = 0; /* spaces: before the next word, if it is on this line */
  for (const char *word = text; *word;) {
    size_t length = strcspn(word, " \n");
    if (*word == '\n' || (column && column + spaces + length > WIDTH)) {
      buffer_putc(out, '\n');
      column = 0;
      word += *word == '\n';
    } else {
      size_t before = column ? spaces : indent + spaces;
      buffer_fill(out, ' ', before);
      buffer_add(out, word, length);
      column += before + length;
      word += length;
    }
    for (spaces = 0; *word == ' '; word++)
      spaces++;
  }
  buffer_putc(out, '\n');
}

void claim_record_what(struct buffer *out, const struct claim_record *c) {
  if (c->kind == CLAIM_LEMMA) {
    buffer_puts(out, "lemma");
    return;
  }
  if (c->formula)
    claim_formula_put(out, c, ", failure ");
  else if (c->notion)
    buffer_printf(out, "%s%s %s", c->notion, strncmp(c->notion, "renyi", 5) ? "" : " epsilon",
                  c->epsilon);
  else if (c->epsilon && strcmp(c->epsilon, "?") == 0)
    buffer_puts(out, "least cost asked for");
  else if (c->epsilon && c->delta)
    buffer_printf(out, "(%s, %s)-private", c->epsilon, c->delta);
  else if (c->epsilon)
    buffer_printf(out, strpbrk(c->epsilon, " +-/*") ? "(%s)-private" : "%s-private", c->epsilon);
  else
    buffer_puts(out, "private at some multiple of eps");
}

/* Why: the reason, what was done, what shows it. */
static void put_grounds(struct buffer *out, const struct claim_record *c, unsigned indent) {
  if (c->reason) text_put_wrapped(out, c->reason, indent);
  size_t added =
      json_array_size(json_object_get(json_object_get(c->detail, "search"), "completed"));
  if (added)
    buffer_printf(out, "%*sthe proof was completed by %zu step%s (couplet explain shows it)\n",
                  (int)indent, "", added, added == 1 ? "" : "s");
  const json_t *cross = json_object_get(c->detail, "cross_check");
  if (cross)
    buffer_printf(out, "%*scvc5 confirmed %d of the solver's %d answers\n", (int)indent, "",
                  (int)json_integer_value(json_object_get(cross, "confirmed")),
                  (int)json_integer_value(json_object_get(cross, "answers")));
  static const char *const told[] = {"walk", "finite", "trend"};
  for (size_t i = 0; i < sizeof told / sizeof *told; i++) {
    const json_t *part = json_object_get(c->detail, told[i]);
    const char *text = json_string_value(json_object_get(part, "text"));
    if (text) text_put_wrapped(out, text, indent);
  }
  const char *shown = json_string_value(json_object_get(c->counterexample, "text"));
  if (shown) text_put_wrapped(out, shown, indent);
}

static void put_lines(struct buffer *out, const struct claim_record *c, bool cached,
                      struct text_style style) {
  buffer_printf(out, "  %s%-8s%s %-24s ", paint(style, verdict_color(c->verdict)),
                verdict_name(c->verdict), paint(style, "\033[0m"), c->name);
  claim_record_what(out, c);
  claim_costs_words(out, c);
  buffer_printf(out, "%s  (%.2f s%s)%s\n", paint(style, "\033[2m"), c->time_s,
                cached ? ", from the cache" : "", paint(style, "\033[0m"));
  put_grounds(out, c, 11);
}

void claim_record_grounds(struct buffer *out, const struct claim_record *c) {
  put_grounds(out, c, 0);
}

void file_record_to_text(struct buffer *out, const struct file_record *file,
                         struct text_style style) {
  buffer_printf(out, "%s%s%s\n", paint(style, "\033[1m"), file->path, paint(style, "\033[0m"));
  for (size_t i = 0; i < file->claims.len; i++)
    put_lines(out, &file->claims.at[i], file->cached, style);
  if (file->translated && file->claims.len)
    buffer_puts(out, "  (translated: " ARITHMETIC_NOTE ")\n");
  if (file->stopped) buffer_printf(out, "  stopped: %s\n", file->stopped);
  if (file->internal_error) buffer_printf(out, "  internal error: %s\n", file->internal_error);
  if (file->bad_input) buffer_puts(out, "  not judged: the file has errors\n");
}

void file_record_diags_to_text(struct buffer *out, const struct file_record *file,
                               struct text_style style) {
  for (size_t i = 0; i < file->diags.len; i++) {
    const struct record_diag *d = &file->diags.at[i];
    const char *name = severity_name(d->severity), *at = strstr(d->text, name);
    if (!style.color || !at) {
      buffer_puts(out, d->text);
      continue;
    }
    /* The first occurrence is the severity: paths are printed before it and rarely contain it. */
    buffer_printf(out, "\033[1m%.*s\033[0m%s%s\033[0m%s", (int)(at - d->text), d->text,
                  d->severity == SEVERITY_ERROR ? "\033[1;31m" : "\033[1;35m", name,
                  at + strlen(name));
  }
  if (file->dropped_errors)
    buffer_printf(out, "%s: %zu more errors not shown\n", file->path, file->dropped_errors);
  if (file->dropped_warnings)
    buffer_printf(out, "%s: %zu more warnings not shown\n", file->path, file->dropped_warnings);
}

void run_record_summary(struct buffer *out, const struct run_record *run, struct text_style style) {
  const struct overview o = run_overview(run, false);
  buffer_puts(out, paint(style, "\033[1m"));
  overview_put(out, &o);
  buffer_printf(out, "%s\n", paint(style, "\033[0m"));
}
