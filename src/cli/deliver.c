#include "cli/deliver.h"

#include <stdlib.h>

#include "base/exit_codes.h"
#include "base/file.h"
#include "out/file_write.h"
#include "report/record/decimal.h"
#include "report/record/record_json.h"
#include "report/render/badge.h"
#include "report/render/html.h"
#include "report/render/junit.h"
#include "report/render/markdown.h"
#include "report/render/record_text.h"
#include "report/render/sarif.h"

bool delivery_is_text(const struct delivery *d) {
  return !d->json && !d->markdown;
}

char *delivery_misuse(const struct delivery *d) {
  if (d->json && d->markdown) return xstrdup("--json and --markdown: one of them at a time");
  return NULL;
}

/* At once or not at all. */
static bool write_file(const struct command *self, const char *path, const struct buffer *text) {
  char *why = NULL;
  if (file_write(path, buffer_text(text), text->len, &why)) return true;
  fprintf(stderr, "couplet %s: %s: %s\n", self->name, path, why);
  free(why);
  return false;
}

/* With the status that this run ends with: --strict may change it. */
static void put_sarif(struct buffer *out, const struct run_record *run, enum couplet_exit status) {
  json_t *log = run_record_to_sarif(run);
  json_t *first = json_array_get(json_object_get(log, "runs"), 0);
  json_t *invocation = json_array_get(json_object_get(first, "invocations"), 0);
  json_object_set_new(invocation, "exitCode", json_integer(status));
  char *text = json_printed(log);
  buffer_puts(out, text);
  free(text);
  json_decref(log);
}

static bool write_files(const struct command *self, const struct run_record *run,
                        const struct delivery *d) {
  struct buffer sarif, junit, badge;
  buffer_init(&sarif);
  buffer_init(&junit);
  buffer_init(&badge);
  const struct overview o = run_overview(run, d->strict);
  if (d->sarif) put_sarif(&sarif, run, o.status);
  if (d->junit) run_record_to_junit(&junit, run, d->strict);
  if (d->badge) overview_to_badge(&badge, &o);
  bool ok = !d->sarif || write_file(self, d->sarif, &sarif);
  ok = (!d->junit || write_file(self, d->junit, &junit)) && ok;
  ok = (!d->badge || write_file(self, d->badge, &badge)) && ok;
  buffer_clear(&sarif);
  buffer_clear(&junit);
  buffer_clear(&badge);
  return ok;
}

bool page_write(const struct run_record *run, const char *folder, char **why) {
  if (!file_make_folder(folder, why)) return false;
  struct buffer page;
  buffer_init(&page);
  run_record_to_html(&page, run, HTML_PLAIN_LIMIT);
  char *path = xasprintf("%s/index.html", folder);
  bool ok = file_write(path, buffer_text(&page), page.len, why);
  buffer_clear(&page);
  free(path);
  return ok;
}

int deliver(const struct cli *cli, const struct command *self, const struct run_record *run,
            const struct delivery *d) {
  const struct overview o = run_overview(run, d->strict);
  bool written = write_files(self, run, d);
  struct buffer b;
  buffer_init(&b);
  if (d->json)
    json_put(&b, run_record_to_json(run));
  else if (d->markdown)
    run_record_to_markdown(&b, run, d->strict);
  else
    run_record_summary(&b, run, (struct text_style){cli->color_out});
  int status = cli_print(cli, &b, (int)o.status);
  buffer_clear(&b);
  if (o.empty)
    fprintf(stderr, "couplet %s: --strict: %zu warning%s about claims that say nothing\n",
            self->name, o.empty, o.empty == 1 ? "" : "s");
  return written ? status : COUPLET_EXIT_INTERNAL;
}
