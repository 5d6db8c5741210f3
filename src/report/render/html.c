#include "report/render/html.h"

#include <stdlib.h>
#include <string.h>

#include "base/sha256.h"
#include "report/render/assets.h"
#include "report/render/html_card.h"
#include "report/render/html_overview.h"
#include "report/render/html_pack.h"
#include "report/render/html_put.h"
#include "report/render/record_text.h"

/* ---- what it rests on ------------------------------------------------------------------------ */

static void put_assumption(struct buffer *out, const char *what, const char *text,
                           const json_t *location) {
  buffer_printf(out, "<tr><td>%s</td><td>", what);
  html_code(out, text);
  buffer_puts(out, "</td><td>");
  html_line(out, location);
  buffer_puts(out, "</td></tr>\n");
}

static void put_parameter(struct buffer *out, const json_t *p) {
  struct buffer text;
  buffer_init(&text);
  buffer_printf(&text, "%s : %s", json_text(p, "name"), json_text(p, "type"));
  size_t i;
  json_t *formula;
  json_array_foreach(json_object_get(p, "assumptions"), i, formula) {
    buffer_printf(&text, ", %s", json_string_value(formula));
  }
  put_assumption(out, "parameter", buffer_text(&text), json_object_get(p, "location"));
  buffer_clear(&text);
}

/* What a reader must agree with before the verdicts mean anything. */
static void put_basis(struct buffer *out, const struct file_record *file) {
  const json_t *b = file->basis;
  size_t i, k;
  json_t *one, *formula;
  if (!b || !file->claims.len) return;
  buffer_puts(out, "<details class=\"basis\"><summary>What the claims assume</summary><div "
                   "class=\"scroll\" tabindex=\"0\" role=\"group\" aria-label=\"Assumptions\">"
                   "<table class=\"obligations\"><tbody>\n");
  json_array_foreach(json_object_get(b, "parameters"), i, one) {
    put_parameter(out, one);
  }
  json_array_foreach(json_object_get(b, "axioms"), i, one) {
    put_assumption(out, "axiom", json_text(one, "formula"), json_object_get(one, "location"));
  }
  json_array_foreach(json_object_get(b, "abstract"), i, one) {
    put_assumption(out, "abstract", json_text(one, "signature"), json_object_get(one, "location"));
  }
  json_array_foreach(json_object_get(b, "admits"), i, one) {
    put_assumption(out, "admitted", json_text(one, "claim"), json_object_get(one, "location"));
  }
  json_array_foreach(json_object_get(b, "declassified"), i, one) {
    put_assumption(out, "declassified", "", json_object_get(one, "location"));
  }
  json_array_foreach(json_object_get(b, "claims"), i, one) {
    const char *adjacency = json_text(one, "adjacency");
    if (adjacency) put_assumption(out, "adjacent", adjacency, NULL);
    json_array_foreach(json_object_get(one, "requires"), k, formula) {
      put_assumption(out, "requires", json_string_value(formula), NULL);
    }
  }
  buffer_puts(out, "</tbody></table></div></details>\n");
}

/* ---- one file -------------------------------------------------------------------------------- */

/* The first line of the text says what the heading says. */
static void put_diag(struct buffer *out, const struct record_diag *d) {
  const char *severity = severity_name(d->severity), *rest = strchr(d->text, '\n');
  buffer_printf(out, "<div class=\"diag %s\"><p><b>%s</b> <code>", severity, severity);
  html_text(out, d->code);
  buffer_puts(out, "</code> <span class=\"message\">");
  html_prose(out, d->message, strlen(d->message));
  buffer_puts(out, "</span></p>");
  if (rest && rest[1]) {
    buffer_puts(out, "<pre class=\"block\" tabindex=\"0\">");
    if (d->place.line) buffer_printf(out, "line %u\n", d->place.line);
    html_text(out, rest + 1);
    buffer_puts(out, "</pre>");
  }
  buffer_puts(out, "</div>\n");
}

static void put_trouble(struct buffer *out, const char *what, const char *text) {
  if (!text) return;
  buffer_printf(out, "<div class=\"diag error\"><p><b>%s</b> ", what);
  html_text(out, text);
  buffer_puts(out, "</p></div>\n");
}

/* The bodies of cards wait here until they are wanted, each behind a zero byte; NULL: they stay in
 * their place. */
struct shelf {
  struct buffer *packed;
  size_t count;
};

static void put_card(struct buffer *out, const struct html_card *card, struct shelf *shelf) {
  buffer_printf(out, "<article id=\"c%zu\" tabindex=\"-1\" data-verdict=\"%s", card->id,
                verdict_name(card->at->verdict));
  for (size_t i = 1; i < card->count; i++)
    buffer_printf(out, " %s", verdict_name(card->at[i].verdict));
  buffer_printf(out, "\" aria-labelledby=\"c%zu-name\">\n<details class=\"card\"%s><summary>",
                card->id, shelf->packed ? "" : " open");
  html_card_head(out, card);
  if (shelf->packed) {
    buffer_printf(out, "</summary>\n<div class=\"body\" data-part=\"%zu\"></div>", shelf->count++);
    html_card_body(shelf->packed, card);
    buffer_putc(shelf->packed, '\0');
  } else {
    buffer_puts(out, "</summary>\n<div class=\"body\">");
    html_card_body(out, card);
    buffer_puts(out, "</div>");
  }
  buffer_puts(out, "</details></article>\n");
}

static void put_file(struct buffer *out, const struct run_record *run, size_t f, size_t *id,
                     struct shelf *shelf) {
  const struct file_record *file = run->files.at[f];
  buffer_printf(out, "<section class=\"file\" id=\"f%zu\"%s><p class=\"file-head\">", f + 1,
                html_file_trouble(file) ? " data-verdict=\"error\"" : "");
  html_path(out, file->path);
  buffer_puts(out, "</p>\n");
  for (size_t i = 0; i < file->diags.len; i++)
    put_diag(out, &file->diags.at[i]);
  if (file->dropped_errors)
    buffer_printf(out, "<p class=\"soft\">%zu more errors not shown</p>\n", file->dropped_errors);
  if (file->dropped_warnings)
    buffer_printf(out, "<p class=\"soft\">%zu more warnings not shown</p>\n",
                  file->dropped_warnings);
  put_trouble(out, "stopped", file->stopped);
  put_trouble(out, "internal error", file->internal_error);
  if (file->bad_input) put_trouble(out, "not judged", "the file has errors");
  put_basis(out, file);
  for (size_t i = 0; i < file->claims.len;) {
    struct html_card card = html_card_at(file, i, *id);
    put_card(out, &card, shelf);
    i += card.count;
    *id += card.count;
  }
  buffer_puts(out, "</section>\n");
}

static void put_files(struct buffer *out, const struct run_record *run, struct shelf *shelf) {
  size_t id = 1;
  for (size_t i = 0; i < run->files.len; i++)
    put_file(out, run, i, &id, shelf);
}

void file_record_to_html(struct buffer *out, const struct file_record *file) {
  struct run_record alone = {0};
  struct shelf none = {0};
  vec_push(&alone.files, (struct file_record *)file);
  put_files(out, &alone, &none);
  vec_clear(&alone.files);
}

/* ---- the page -------------------------------------------------------------------------------- */

static void put_summary(struct buffer *out, const struct run_record *run) {
  struct buffer text;
  buffer_init(&text);
  run_record_summary(&text, run, (struct text_style){0});
  while (text.len && text.text[text.len - 1] == '\n')
    text.text[--text.len] = '\0';
  html_text(out, buffer_text(&text));
  buffer_clear(&text);
}

static void put_footer(struct buffer *out, const struct run_record *run) {
  const char *name;
  json_t *version;
  buffer_puts(out, "<footer><p>");
  put_summary(out, run);
  buffer_puts(out, ". <b>proved</b>: the kernel checked a derivation, or the strategy checker a "
                   "strategy. <b>refuted</b>: a counterexample was certified in ball arithmetic. "
                   "Everything else is <b>unknown</b>.</p>\n<dl class=\"versions\">");
  json_object_foreach(run->tools, name, version) {
    buffer_puts(out, "<div><dt>");
    html_text(out, name);
    buffer_puts(out, "</dt><dd>");
    html_text(out, json_string_value(version));
    buffer_puts(out, "</dd></div>");
  }
  buffer_puts(out, "</dl></footer>\n");
}

static void put_masthead(struct buffer *out) {
  buffer_puts(
      out, "<header class=\"head\"><svg viewBox=\"0 0 40 40\" aria-hidden=\"true\" fill=\"none\" "
           "stroke-width=\"3.2\" stroke-linecap=\"round\"><path stroke=\"var(--one)\" d=\"M4 27c8 "
           "0 8-14 16-14s8 14 16 14\"/><path stroke=\"var(--two)\" d=\"M4 13c8 0 8 14 16 14s8-14 "
           "16-14\"/></svg><h1>Couplet report</h1><div class=\"tools\"><button type=\"button\" "
           "id=\"unfold\" aria-pressed=\"false\">Unfold all</button><button type=\"button\" "
           "id=\"theme\">Dark</button></div></header>\n");
}

/* Small pages hold everything in its place; of large ones the cards are closed, and what is in them
 * is packed at the end. */
static void put_cards(struct buffer *out, const struct run_record *run, size_t plain_limit) {
  struct buffer plain, packed;
  struct shelf shelf = {NULL, 0};
  buffer_init(&plain);
  buffer_init(&packed);
  put_files(&plain, run, &shelf);
  if (plain.len > plain_limit) {
    buffer_clear(&plain);
    buffer_init(&plain);
    shelf.packed = &packed;
    put_files(&plain, run, &shelf);
  }
  buffer_add(out, buffer_text(&plain), plain.len);
  if (shelf.packed) {
    buffer_puts(out, "<noscript><p class=\"diag\">The cards open by a script. Without one, "
                     "<code>couplet explain</code> prints what they hold.</p></noscript>\n"
                     "<script type=\"text/plain\" id=\"packed\">");
    html_pack(out, buffer_text(&packed), packed.len);
    buffer_puts(out, "</script>\n");
  }
  buffer_clear(&plain);
  buffer_clear(&packed);
}

static void put_body(struct buffer *out, const struct run_record *run, size_t plain_limit) {
  put_masthead(out);
  html_tools(out, run);
  buffer_puts(out, "<div class=\"columns\">\n");
  html_contents(out, run);
  buffer_puts(out, "<main>\n");
  html_verdicts(out, run);
  buffer_puts(out, "<p class=\"keys\"><kbd>/</kbd> search, <kbd>j</kbd> <kbd>k</kbd> next and "
                   "previous claim, <kbd>o</kbd> unfold all, <kbd>t</kbd> light or dark</p>\n");
  put_cards(out, run, plain_limit);
  buffer_puts(out, "</main></div>\n");
  put_footer(out, run);
}

/* As the content security policy wants it. */
static void put_script_hash(struct buffer *out) {
  char hex[SHA256_HEX + 1];
  unsigned char digest[SHA256_HEX / 2];
  struct sha256 h;
  sha256_init(&h);
  sha256_add(&h, html_cards, strlen(html_cards));
  sha256_add(&h, html_script, strlen(html_script));
  sha256_hex(&h, hex);
  for (size_t i = 0; i < sizeof digest; i++)
    digest[i] = (unsigned char)strtoul((char[]){hex[2 * i], hex[2 * i + 1], 0}, NULL, 16);
  html_base64(out, digest, sizeof digest);
}

static void put_title(struct buffer *out, const struct run_record *run) {
  buffer_puts(out, "Couplet report: ");
  put_summary(out, run);
}

void run_record_to_html(struct buffer *out, const struct run_record *run, size_t plain_limit) {
  for (const char *at = html_page; *at;) {
    const char *open = strstr(at, "{{"), *close = open ? strstr(open, "}}") : NULL;
    if (!close) {
      buffer_puts(out, at);
      return;
    }
    buffer_add(out, at, (size_t)(open - at));
    size_t length = (size_t)(close - open) - 2;
    const char *name = open + 2;
    if (strncmp(name, "title", length) == 0)
      put_title(out, run);
    else if (strncmp(name, "style", length) == 0)
      buffer_puts(out, html_style);
    else if (strncmp(name, "script", length) == 0)
      buffer_printf(out, "%s%s", html_cards, html_script);
    else if (strncmp(name, "script-hash", length) == 0)
      put_script_hash(out);
    else if (strncmp(name, "body", length) == 0)
      put_body(out, run, plain_limit);
    at = close + 2;
  }
}

void run_record_to_cards(struct buffer *out, const struct run_record *run) {
  struct shelf none = {0};
  buffer_puts(out, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta "
                   "http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
                   "'unsafe-inline'; base-uri 'none'; form-action 'none'\">\n<title>");
  put_title(out, run);
  buffer_printf(out, "</title>\n<style>\n%s</style>\n</head>\n<body>\n<main class=\"page\">\n",
                html_style);
  put_files(out, run, &none);
  buffer_puts(out, "</main>\n</body>\n</html>\n");
}
