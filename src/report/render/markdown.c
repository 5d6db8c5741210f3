#include "report/render/markdown.h"

#include <string.h>

#include "base/visible.h"
#include "report/render/bound.h"
#include "report/render/html_put.h"
#include "report/render/overview.h"
#include "report/render/record_text.h"

/* One line of plain text: nothing in it is markup, in a table or elsewhere. */
static void put_plain(struct buffer *out, const char *text) {
  struct buffer line;
  buffer_init(&line);
  visible_put(&line, text, strlen(text));
  for (const char *p = buffer_text(&line); *p; p++) {
    if (*p == '<')
      buffer_puts(out, "&lt;");
    else if (*p == '&')
      buffer_puts(out, "&amp;");
    else if (strchr("\\`*_[]|~>#$", *p)) {
      buffer_putc(out, '\\');
      buffer_putc(out, *p);
    } else
      buffer_putc(out, *p == '\t' ? ' ' : *p);
  }
  buffer_clear(&line);
}

/* A block of text as it is, behind a fence longer than any in it. */
static void put_block(struct buffer *out, const char *text) {
  size_t longest = 2, here = 0;
  for (const char *p = text; *p; p++) {
    here = *p == '`' ? here + 1 : 0;
    if (here > longest) longest = here;
  }
  buffer_fill(out, '`', longest + 1);
  buffer_puts(out, "text\n");
  for (const char *line = text; *line;) {
    size_t length = strcspn(line, "\n");
    visible_put(out, line, length);
    buffer_putc(out, '\n');
    line += length + (line[length] != 0);
  }
  buffer_fill(out, '`', longest + 1);
  buffer_puts(out, "\n");
}

static const char *mark(enum verdict verdict) {
  switch (verdict) {
  case VERDICT_PROVED: return "✅";
  case VERDICT_REFUTED: return "❌";
  case VERDICT_UNKNOWN: return "❔";
  case VERDICT_ADMITTED: return "⚠️";
  }
  return "❔";
}

static void put_place(struct buffer *out, const struct file_record *f,
                      const struct record_place *place) {
  put_plain(out, place->line ? place->path : f->path);
  if (place->line) buffer_printf(out, ":%u", place->line);
}

/* ---- the table ------------------------------------------------------------------------------ */

static void put_cell(struct buffer *out, claim_writer *write, const struct claim_record *c) {
  struct buffer text;
  buffer_init(&text);
  write(&text, c);
  put_plain(out, buffer_text(&text));
  buffer_puts(out, " | ");
  buffer_clear(&text);
}

static void put_row(struct buffer *out, const struct file_record *f, const struct claim_record *c) {
  buffer_printf(out, "| %s %s | ", mark(c->verdict), verdict_name(c->verdict));
  put_plain(out, c->name);
  buffer_puts(out, " | ");
  put_cell(out, claim_record_what, c);
  put_cell(out, claim_cost_put, c);
  put_cell(out, claim_bound_put, c);
  put_place(out, f, &c->place);
  buffer_puts(out, " |\n");
}

static bool is_listed(const struct overview *o, const struct claim_record *c) {
  return o->claims <= MARKDOWN_ROWS || c->verdict != VERDICT_PROVED;
}

static void put_unlisted(struct buffer *out, const char *which, size_t count) {
  buffer_printf(out, "\n%zu %sclaim%s not listed.\n", count, which, count == 1 ? " is" : "s are");
}

static void put_table(struct buffer *out, const struct run_record *run, const struct overview *o) {
  size_t rows = 0, left = 0;
  buffer_puts(out, "\n| verdict | claim | says | cost | costs at least | place |\n"
                   "|---|---|---|---|---|---|\n");
  for (size_t i = 0; i < run->files.len; i++)
    for (size_t j = 0; j < run->files.at[i]->claims.len; j++) {
      const struct claim_record *c = &run->files.at[i]->claims.at[j];
      if (is_listed(o, c) && rows < MARKDOWN_ROWS) {
        put_row(out, run->files.at[i], c);
        rows++;
      } else
        left += is_listed(o, c);
    }
  if (o->claims > MARKDOWN_ROWS) put_unlisted(out, "proved ", o->verdicts[VERDICT_PROVED]);
  if (left) put_unlisted(out, "more ", left);
  bool translated = false;
  for (size_t i = 0; i < run->files.len; i++)
    translated |= run->files.at[i]->translated;
  if (translated) buffer_puts(out, "\nOf translated files " ARITHMETIC_NOTE ".\n");
}

/* ---- below it ------------------------------------------------------------------------------- */

static void put_details(struct buffer *out, const struct file_record *f,
                        const struct claim_record *c) {
  struct buffer text;
  buffer_init(&text);
  claim_record_grounds(&text, c);
  if (text.len) {
    /* Between tags of HTML nothing is Markdown. */
    buffer_printf(out, "\n<details><summary>%s: ", verdict_name(c->verdict));
    html_text(out, c->name);
    buffer_puts(out, ", ");
    html_text(out, c->place.line ? c->place.path : f->path);
    buffer_printf(out, ":%u</summary>\n\n", c->place.line);
    put_block(out, buffer_text(&text));
    buffer_puts(out, "\n</details>\n");
  }
  buffer_clear(&text);
}

static void put_problem(struct buffer *out, const char *kind, const struct file_record *f,
                        const struct record_place *place, const char *message) {
  buffer_printf(out, "- %s: ", kind);
  put_place(out, f, place);
  buffer_puts(out, ": ");
  put_plain(out, message);
  buffer_putc(out, '\n');
}

/* What kept the file from being judged, and with `strict` what makes a verdict worthless. */
static void put_problems(struct buffer *out, const struct file_record *f, bool strict) {
  const struct record_place nowhere = {0};
  for (size_t i = 0; i < f->diags.len; i++) {
    const struct record_diag *d = &f->diags.at[i];
    if (d->severity == SEVERITY_ERROR)
      put_problem(out, "❌ error", f, &d->place, d->message);
    else if (strict && diag_is_empty_claim(d))
      put_problem(out, "❌ says nothing", f, &d->place, d->message);
  }
  if (f->stopped) put_problem(out, "❔ stopped", f, &nowhere, f->stopped);
  if (f->internal_error) put_problem(out, "❌ internal error", f, &nowhere, f->internal_error);
}

void run_record_to_markdown(struct buffer *out, const struct run_record *run, bool strict) {
  const struct overview o = run_overview(run, strict);
  size_t shown = 0;
  buffer_puts(out, "### Couplet: ");
  overview_put(out, &o);
  buffer_putc(out, '\n');
  if (o.claims) put_table(out, run, &o);
  if (o.bad || o.stopped || o.internal || o.empty) buffer_putc(out, '\n');
  for (size_t i = 0; i < run->files.len; i++)
    put_problems(out, run->files.at[i], strict);
  for (size_t i = 0; i < run->files.len; i++)
    for (size_t j = 0; j < run->files.at[i]->claims.len && shown < MARKDOWN_ROWS; j++) {
      const struct claim_record *c = &run->files.at[i]->claims.at[j];
      if (c->verdict == VERDICT_PROVED) continue;
      put_details(out, run->files.at[i], c);
      shown++;
    }
}
