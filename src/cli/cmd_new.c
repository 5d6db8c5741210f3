/* couplet new NAME: a file to begin with, which verifies as it is written. */
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/exit_codes.h"
#include "cli/cli.h"
#include "cli/template.h"
#include "lang/syntax/lex.h"
#include "report/judge/verify.h"

/* Is the whole text one name of the language? */
static bool is_name(const char *text) {
  struct lang lang;
  struct lexer lexer;
  lang_init(&lang);
  lexer_init(&lexer, &lang, sources_add(&lang.sources, "name", text, strlen(text)));
  struct token t = lexer_next(&lexer);
  bool ok = t.kind == TOKEN_NAME && t.begin == 0 && t.end == strlen(text) && !lang.diags.errors;
  lexer_clear(&lexer);
  lang_clear(&lang);
  return ok;
}

static void put_file(struct buffer *out, const char *name) {
  for (const char *p = new_template, *at; *p; p = at + strlen("NAME")) {
    at = strstr(p, "NAME");
    buffer_add(out, p, at ? (size_t)(at - p) : strlen(p));
    if (!at) return;
    buffer_puts(out, name);
  }
}

/* Does the file say what it should with that name? It may be one that the file uses itself. */
static bool is_accepted(const char *path, const struct buffer *text) {
  const struct verify_options look = {.no_search = true};
  struct file_record *file = verify_text(path, buffer_text(text), text->len, &look, NULL, NULL);
  bool ok = !file->bad_input && file->claims.len == 1 && !file->diags.len;
  file_record_free(file);
  return ok;
}

/* Never over something that is there, not even through a link. */
static bool write_new(const char *path, const struct buffer *text) {
  int file = open(path, O_WRONLY | O_CREAT | O_EXCL, 0666);
  if (file < 0) return false;
  bool ok = write(file, buffer_text(text), text->len) == (ssize_t)text->len;
  ok = close(file) == 0 && ok;
  if (!ok) unlink(path);
  return ok;
}

/* "dir/NAME" or "dir/NAME.dp": the path of the file, and the name in it. */
static char *split_path(const char *word, char **name) {
  const char *slash = strrchr(word, '/'), *base = slash ? slash + 1 : word;
  size_t length = strlen(base);
  if (length > 3 && strcmp(base + length - 3, ".dp") == 0) length -= 3;
  *name = xasprintf("%.*s", (int)length, base);
  return xasprintf("%.*s%s.dp", (int)(base - word), word, *name);
}

static int write_text(const struct cli *cli, const char *path, const struct buffer *text) {
  if (!write_new(path, text)) {
    const char *remedy = errno == EEXIST   ? "; choose another name, or remove the file"
                         : errno == ENOENT ? "; make its folder first"
                                           : "";
    fprintf(stderr, "couplet new: '%s' was not written: %s%s\n", path, strerror(errno), remedy);
    return COUPLET_EXIT_INPUT;
  }
  struct buffer said;
  buffer_init(&said);
  buffer_printf(&said, "%s written; next: couplet verify %s\n", path, path);
  int status = cli_print(cli, &said, COUPLET_EXIT_PROVED);
  buffer_clear(&said);
  return status;
}

static int refuse_name(const struct cli *cli, const struct command *self, const char *name) {
  char *near = xstrdup(name); /* `my-count`: my_count */
  for (char *p = near; *p; p++)
    if (!isalnum((unsigned char)*p)) *p = '_';
  bool helps = strcmp(near, name) != 0 && is_name(near);
  char *why =
      xasprintf("'%s' cannot be the name of the mechanism: letters, digits and _, and not a "
                "word that means something else (eps, claim)%s%s%s",
                name, helps ? "; try '" : "", helps ? near : "", helps ? "'" : "");
  free(near);
  return cli_usage_error(cli, self, why);
}

static int begin(const struct cli *cli, const struct command *self, const char *word) {
  char *name = NULL, *path = split_path(word, &name);
  struct buffer text;
  int status;
  buffer_init(&text);
  put_file(&text, name);
  if (is_name(name) && is_accepted(path, &text))
    status = write_text(cli, path, &text);
  else
    status = refuse_name(cli, self, name);
  buffer_clear(&text);
  free(name);
  free(path);
  return status;
}

static int run_new(const struct cli *cli, const struct command *self, int argc, char **argv) {
  option_list words = {0};
  int status;
  if (cli_parse(cli, self, NULL, argc, argv, &words, &status))
    status = words.len == 1 ? begin(cli, self, words.at[0])
                            : cli_usage_error(cli, self, xstrdup("give one name"));
  vec_clear(&words);
  return status;
}

const struct command command_new = {
    "new",   "NAME", "write a mechanism with a claim to begin with, as NAME.dp", NULL, 0,
    run_new, NULL};
