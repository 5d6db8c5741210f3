#include "cli/automaton_file.h"

#include <stdlib.h>
#include <string.h>

#include "base/exit_codes.h"
#include "check/automaton/build.h"
#include "check/automaton/dipa.h"

bool automaton_file_is_dipa(const char *path) {
  size_t length = strlen(path);
  return length >= 5 && strcmp(path + length - 5, ".dipa") == 0;
}

/* Also in the diagnostics, for --json. */
static int file_error(struct lang *lang, const char *path, const char *code, char *what) {
  fprintf(stderr, "%s: %s\n", path, what);
  diag_error(&lang->diags, span_none(), code, "%s", what);
  free(what);
  return COUPLET_EXIT_INPUT;
}

static int load_dipa(const struct cli *cli, struct automaton *a, struct lang *lang,
                     const char *path) {
  char *why = NULL;
  uint32_t file = sources_read(&lang->sources, path, &why);
  if (!file) return file_error(lang, path, "unreadable-file", why);
  if (dipa_read(a, &lang->sources, file, &lang->diags)) return 0;
  cli_print_diags(cli, &lang->sources, &lang->diags);
  return COUPLET_EXIT_INPUT;
}

/* The automaton of that name, or the only one. */
static int load_dp(const struct cli *cli, struct automaton *a, struct lang *lang, const char *path,
                   const char *name) {
  const struct ast_module *module = lang_load(lang, path);
  const struct ast_decl *found = NULL;
  size_t count = 0;
  for (size_t i = 0; i < module->decl_count && lang->diags.errors == 0; i++) {
    const struct ast_decl *decl = module->decls[i];
    if (decl->kind != DECL_AUTOMATON) continue;
    if (name && strcmp(decl->name.text, name) != 0) continue;
    found = decl;
    count++;
  }
  if (lang->diags.errors == 0 && count == 1 && automaton_build(a, found, &lang->diags)) return 0;
  if (lang->diags.errors == 0) {
    if (name)
      return file_error(lang, path, "no-automaton",
                        xasprintf("there is no automaton '%s' in this file", name));
    return file_error(lang, path, "no-automaton",
                      count ? xasprintf("the file has %zu automata: choose one with --name", count)
                            : xstrdup("there is no automaton in this file"));
  }
  cli_print_diags(cli, &lang->sources, &lang->diags);
  return COUPLET_EXIT_INPUT;
}

int automaton_file_load(const struct cli *cli, struct automaton *a, struct lang *lang,
                        const char *path, const char *name) {
  return automaton_file_is_dipa(path) ? load_dipa(cli, a, lang, path)
                                      : load_dp(cli, a, lang, path, name);
}
