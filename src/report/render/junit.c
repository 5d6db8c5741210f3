#include "report/render/junit.h"

#include <string.h>

#include "report/render/bound.h"
#include "report/render/overview.h"
#include "report/render/record_text.h"
#include "report/render/xml_put.h"

static void put_attribute(struct buffer *out, const char *name, const char *value) {
  buffer_printf(out, " %s=\"", name);
  xml_text(out, value);
  buffer_putc(out, '"');
}

static void open_case(struct buffer *out, const struct file_record *f, const char *name,
                      const struct record_place *place, double seconds) {
  buffer_puts(out, "    <testcase");
  put_attribute(out, "name", name);
  put_attribute(out, "classname", f->path);
  put_attribute(out, "file", place && place->line ? place->path : f->path);
  if (place && place->line) buffer_printf(out, " line=\"%u\"", place->line);
  buffer_printf(out, " time=\"%.3f\">", seconds);
}

/* <failure> or <error>, with a title and what there is to say. */
static void put_outcome(struct buffer *out, const char *element, const char *type,
                        const char *title, const char *text) {
  buffer_printf(out, "\n      <%s", element);
  put_attribute(out, "type", type);
  put_attribute(out, "message", title);
  buffer_putc(out, '>');
  xml_text(out, text);
  buffer_printf(out, "</%s>\n    ", element);
}

static void put_claim(struct buffer *out, const struct file_record *f,
                      const struct claim_record *c) {
  open_case(out, f, c->name, &c->place, c->time_s);
  if (c->verdict != VERDICT_PROVED) {
    struct buffer title, text;
    buffer_init(&title);
    buffer_init(&text);
    buffer_printf(&title, "%s: %s: ", verdict_name(c->verdict), c->name);
    claim_record_what(&title, c);
    claim_costs_words(&title, c);
    claim_record_grounds(&text, c);
    put_outcome(out, "failure", verdict_name(c->verdict), buffer_text(&title), buffer_text(&text));
    buffer_clear(&title);
    buffer_clear(&text);
  }
  if (f->translated) buffer_puts(out, "<system-out>" ARITHMETIC_NOTE "</system-out>");
  buffer_puts(out, "</testcase>\n");
}

static void put_error(struct buffer *out, const struct file_record *f, const char *type,
                      const struct record_place *place, const char *message, const char *text) {
  open_case(out, f, type, place, 0);
  put_outcome(out, "error", type, message, text);
  buffer_puts(out, "</testcase>\n");
}

static bool is_error(const struct record_diag *d, bool strict) {
  return d->severity == SEVERITY_ERROR || (strict && diag_is_empty_claim(d));
}

static void put_errors(struct buffer *out, const struct file_record *f, bool strict) {
  for (size_t i = 0; i < f->diags.len; i++) {
    const struct record_diag *d = &f->diags.at[i];
    if (is_error(d, strict)) put_error(out, f, d->code, &d->place, d->message, d->text);
  }
  if (f->stopped) put_error(out, f, "stopped", NULL, f->stopped, f->stopped);
  if (f->internal_error) put_error(out, f, "internal", NULL, f->internal_error, f->internal_error);
}

struct totals {
  size_t failures, errors;
  double seconds;
};

static struct totals count(const struct file_record *f, bool strict) {
  struct totals t = {0, (f->stopped != NULL) + (f->internal_error != NULL), 0};
  for (size_t i = 0; i < f->claims.len; i++) {
    t.failures += f->claims.at[i].verdict != VERDICT_PROVED;
    t.seconds += f->claims.at[i].time_s;
  }
  for (size_t i = 0; i < f->diags.len; i++)
    t.errors += is_error(&f->diags.at[i], strict);
  return t;
}

static void put_counts(struct buffer *out, size_t claims, const struct totals *t) {
  buffer_printf(out,
                " tests=\"%zu\" failures=\"%zu\" errors=\"%zu\" skipped=\"0\" time=\"%.3f\">\n",
                claims + t->errors, t->failures, t->errors, t->seconds);
}

void run_record_to_junit(struct buffer *out, const struct run_record *run, bool strict) {
  struct totals all = {0, 0, 0};
  size_t claims = 0;
  for (size_t i = 0; i < run->files.len; i++) {
    struct totals t = count(run->files.at[i], strict);
    all =
        (struct totals){all.failures + t.failures, all.errors + t.errors, all.seconds + t.seconds};
    claims += run->files.at[i]->claims.len;
  }
  buffer_puts(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"couplet\"");
  put_counts(out, claims, &all);
  for (size_t i = 0; i < run->files.len; i++) {
    const struct file_record *f = run->files.at[i];
    struct totals t = count(f, strict);
    buffer_puts(out, "  <testsuite");
    put_attribute(out, "name", f->path);
    put_counts(out, f->claims.len, &t);
    for (size_t j = 0; j < f->claims.len; j++)
      put_claim(out, f, &f->claims.at[j]);
    put_errors(out, f, strict);
    buffer_puts(out, "  </testsuite>\n");
  }
  buffer_puts(out, "</testsuites>\n");
}
