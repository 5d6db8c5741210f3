#include "report/render/html_overview.h"

#include <string.h>

#include "report/render/html_card.h"
#include "report/render/html_put.h"
#include "report/render/record_text.h"

const char *html_file_trouble(const struct file_record *file) {
  if (file->internal_error) return "internal error";
  if (file->bad_input) return "error";
  if (file->stopped) return "stopped";
  return NULL;
}

/* ---- filters --------------------------------------------------------------------------------- */

static void put_filter(struct buffer *out, const char *show, size_t count, const char *words) {
  if (count)
    buffer_printf(
        out,
        "<button type=\"button\" class=\"%s\" data-show=\"%s\" aria-pressed=\"false\">%zu "
        "%s</button>",
        show, show, count, words);
}

void html_tools(struct buffer *out, const struct run_record *run) {
  size_t counts[4] = {0}, all = 0, troubled = 0;
  for (size_t f = 0; f < run->files.len; f++) {
    troubled += html_file_trouble(run->files.at[f]) != NULL;
    for (size_t i = 0; i < run->files.at[f]->claims.len; i++, all++)
      counts[run->files.at[f]->claims.at[i].verdict]++;
  }
  buffer_printf(out,
                "<div class=\"find\" role=\"search\"><input type=\"search\" id=\"search\" "
                "placeholder=\"Search\" aria-label=\"Search claims and files\">"
                "<div class=\"filters\" role=\"group\" aria-label=\"Show\"><button type=\"button\" "
                "data-show=\"all\" aria-pressed=\"true\">%zu claim%s</button>",
                all, all == 1 ? "" : "s");
  static const enum verdict order[] = {VERDICT_PROVED, VERDICT_REFUTED, VERDICT_UNKNOWN,
                                       VERDICT_ADMITTED};
  for (size_t i = 0; i < 4; i++)
    put_filter(out, verdict_name(order[i]), counts[order[i]], verdict_name(order[i]));
  put_filter(out, "error", troubled, troubled == 1 ? "file with errors" : "files with errors");
  buffer_puts(out, "</div><output id=\"found\"></output></div>\n");
}

/* ---- table ----------------------------------------------------------------------------------- */

static void put_place(struct buffer *out, const char *path, unsigned line) {
  buffer_puts(out, "<span class=\"file\">");
  html_path(out, path);
  if (line) buffer_printf(out, ":%u", line);
  buffer_puts(out, "</span>");
}

static void put_row(struct buffer *out, const struct file_record *file,
                    const struct claim_record *c, size_t id) {
  buffer_printf(out, "<tr data-verdict=\"%s\"><td>", verdict_name(c->verdict));
  html_badge(out, verdict_name(c->verdict), verdict_name(c->verdict));
  buffer_printf(out, "</td><td><a href=\"#c%zu\">", id);
  html_name(out, c->name);
  buffer_puts(out, "</a>");
  put_place(out, file->path, c->place.line);
  buffer_puts(out, "</td><td>");
  html_words(out, claim_record_what, c);
  buffer_puts(out, "</td><td data-name=\"cost\">");
  html_words(out, claim_cost_put, c);
  buffer_puts(out, "</td><td data-name=\"costs at least\">");
  html_words(out, claim_bound_put, c);
  buffer_printf(out, "</td><td class=\"number\" data-name=\"time\">%.2f s</td></tr>\n", c->time_s);
}

static void put_trouble_row(struct buffer *out, const struct file_record *file, size_t number) {
  const char *trouble = html_file_trouble(file);
  buffer_puts(out, "<tr data-verdict=\"error\"><td>");
  html_badge(out, "error", trouble);
  const char *slash = strrchr(file->path, '/');
  buffer_printf(out, "</td><td><a href=\"#f%zu\">", number);
  html_name(out, slash ? slash + 1 : file->path);
  buffer_puts(out, "</a>");
  put_place(out, file->path, file->diags.len ? file->diags.at[0].place.line : 0);
  buffer_puts(out, "</td><td colspan=\"4\">");
  for (size_t i = 0; i < file->diags.len; i++)
    if (file->diags.at[i].severity == SEVERITY_ERROR) {
      html_prose(out, file->diags.at[i].message, strlen(file->diags.at[i].message));
      break;
    }
  html_text(out, file->internal_error ? file->internal_error : file->stopped);
  buffer_puts(out, "</td></tr>\n");
}

static void put_head(struct buffer *out) {
  static const char *const names[] = {"Verdict", "Claim",          "What is claimed",
                                      "Cost",    "Costs at least", "Time"};
  buffer_puts(out, "<thead><tr>");
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    buffer_printf(out, "<th scope=\"col\"%s>%s</th>", i == 5 ? " class=\"number\"" : "", names[i]);
  buffer_puts(out, "</tr></thead>");
}

void html_verdicts(struct buffer *out, const struct run_record *run) {
  buffer_puts(out, "<section id=\"verdicts\" aria-label=\"Verdicts\" tabindex=\"-1\"><table "
                   "class=\"verdicts\">");
  put_head(out);
  buffer_puts(out, "<tbody>\n");
  size_t id = 0;
  for (size_t f = 0; f < run->files.len; f++) {
    const struct file_record *file = run->files.at[f];
    for (size_t i = 0; i < file->claims.len; i++)
      put_row(out, file, &file->claims.at[i], ++id);
    if (html_file_trouble(file)) put_trouble_row(out, file, f + 1);
  }
  buffer_puts(out, "</tbody></table></section>\n");
}

/* ---- contents -------------------------------------------------------------------------------- */

/* The folder of a path as a heading, when it is another one than before. */
static void put_folder(struct buffer *out, const char *path, const char **before) {
  const char *slash = strrchr(path, '/');
  size_t length = slash ? (size_t)(slash - path) : 0;
  const char *last = *before;
  bool same = last && strncmp(last, path, length) == 0 &&
              strrchr(last, '/') == (slash ? last + length : NULL);
  *before = path;
  if (same || !length) return;
  buffer_puts(out, "<li class=\"folder\">");
  struct buffer name;
  buffer_init(&name);
  buffer_add(&name, path, length);
  html_path(out, buffer_text(&name));
  buffer_clear(&name);
  buffer_puts(out, "</li>\n");
}

static void put_entry(struct buffer *out, char kind, size_t id, const char *class,
                      const char *name) {
  buffer_printf(out, "<li data-verdict=\"%s\"><a href=\"#%c%zu\"><i class=\"%s\"></i>", class, kind,
                id, class);
  html_name(out, name);
  buffer_puts(out, "</a></li>\n");
}

void html_contents(struct buffer *out, const struct run_record *run) {
  buffer_puts(out, "<nav class=\"contents\" aria-label=\"Contents\"><ul>\n<li><a "
                   "href=\"#verdicts\">Overview</a></li>\n");
  size_t id = 1;
  const char *before = NULL;
  for (size_t f = 0; f < run->files.len; f++) {
    const struct file_record *file = run->files.at[f];
    if (!file->claims.len && !html_file_trouble(file)) continue;
    put_folder(out, file->path, &before);
    for (size_t i = 0; i < file->claims.len;) {
      struct html_card card = html_card_at(file, i, id);
      put_entry(out, 'c', id, verdict_name(card.at->verdict), card.at->name);
      i += card.count;
      id += card.count;
    }
    const char *slash = strrchr(file->path, '/');
    if (html_file_trouble(file))
      put_entry(out, 'f', f + 1, "error", slash ? slash + 1 : file->path);
  }
  buffer_puts(out, "</ul></nav>\n");
}
