/* From a path to a checked module: reads the file and what it includes, each file once.
 *
 * An include is relative to the file it stands in. Files are identified by their real path, so that
 * two spellings of one file are one; text in memory that is not a file is identified by its path
 * with `.` and `..` removed.
 *
 * Includes stay inside the folder of the first file, or the folders that COUPLET_INCLUDE lists: who
 * judges the file of somebody else must not be made to show lines of other files in messages. */
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/limits.h"
#include "lang/check/check.h"
#include "lang/syntax/lang.h"
#include "lang/syntax/parse.h"

/* A file that is being read, and the include that asked for it. */
struct open_file {
  const char *identity; /* interned */
  const char *path;
  struct span include; /* file 0: the file itself */
};

struct loader {
  struct lang *lang;
  VEC(const char *) identities; /* of all files so far */
  VEC(struct open_file) stack;  /* from the first file to the one being read */
  VEC(char *) folders;          /* real paths, where includes may be */
  VEC(struct ast_unit *) units;
  VEC(struct ast_decl *) decls;
  bool incomplete; /* an include could not be followed */
};

/* ---- paths ---------------------------------------------------------------------------------- */

static const char *identity_of(struct loader *ld, const char *path) {
  char *name = file_identity(path);
  const char *identity = intern_str(&ld->lang->intern, name);
  free(name);
  return identity;
}

/* `path` as seen from the file that includes it. */
static char *relative_to(const char *including, const char *path) {
  const char *slash = strrchr(including, '/');
  if (path[0] == '/' || !slash) return xstrdup(path);
  return xasprintf("%.*s%s", (int)(slash - including + 1), including, path);
}

/* ---- where includes may be ------------------------------------------------------------------ */

static void allow_folder(struct loader *ld, const char *folder, size_t length) {
  char *name = xasprintf("%.*s", (int)length, folder), *real = realpath(name, NULL);
  vec_push(&ld->folders, real ? real : xstrdup(name));
  free(name);
}

/* The folder of the path, `.` if it has none. */
static void allow_folder_of(struct loader *ld, const char *path) {
  const char *slash = strrchr(path, '/');
  if (slash)
    allow_folder(ld, path, slash > path ? (size_t)(slash - path) : 1);
  else
    allow_folder(ld, ".", 1);
}

static void allow_folders(struct loader *ld, const char *path) {
  allow_folder_of(ld, path);
  allow_folder_of(ld, identity_of(ld, path)); /* the first file may be a link */
  const char *more = getenv("COUPLET_INCLUDE");
  while (more && *more) {
    size_t length = strcspn(more, ":");
    if (length) allow_folder(ld, more, length);
    more += length + (more[length] == ':');
  }
}

static bool is_inside(const char *folder, const char *identity) {
  size_t length = strlen(folder);
  if (strcmp(folder, "/") == 0) return identity[0] == '/';
  return strncmp(folder, identity, length) == 0 && identity[length] == '/';
}

/* A file that does not exist (or only in an editor) is nobody else's. */
static bool is_allowed(struct loader *ld, const char *identity, const char *path,
                       struct span include) {
  if (identity[0] != '/') return true;
  for (size_t i = 0; i < ld->folders.len; i++)
    if (is_inside(ld->folders.at[i], identity)) return true;
  diag_error(&ld->lang->diags, include, "include-outside",
             "`%s` is outside the folder of the file that is judged", path);
  diag_hint(&ld->lang->diags, "move it there, or list its folder in the environment variable "
                              "COUPLET_INCLUDE (folders separated by `:`)");
  return false;
}

/* ---- files ---------------------------------------------------------------------------------- */

static void load_unit(struct loader *ld, uint32_t file, const char *path, const char *identity,
                      struct span include);

static bool is_known(const struct loader *ld, const char *identity) {
  for (size_t i = 0; i < ld->identities.len; i++)
    if (ld->identities.at[i] == identity) return true;
  return false;
}

/* If the file is being read: reports the cycle, one note for each step of it. */
static bool report_cycle(struct loader *ld, const char *identity, struct span include) {
  size_t first = 0;
  while (first < ld->stack.len && ld->stack.at[first].identity != identity)
    first++;
  if (first == ld->stack.len) return false;
  struct diags *diags = &ld->lang->diags;
  diag_error(diags, include, "include-cycle", "this includes `%s`, which is being read already",
             ld->stack.at[first].path);
  diag_hint(diags, "move what both files need to a third one");
  for (size_t i = first + 1; i < ld->stack.len; i++)
    diag_note(diags, ld->stack.at[i].include, "`%s` is included here", ld->stack.at[i].path);
  return true;
}

static void load_include(struct loader *ld, const struct ast_decl *d) {
  struct diags *diags = &ld->lang->diags;
  struct span span = d->as.include.span;
  if (d->as.include.path[0] == '\0') return; /* reported */
  char *path = relative_to(vec_last(&ld->stack).path, d->as.include.path);
  const char *identity = identity_of(ld, path);
  char *why = NULL;
  size_t errors = diags->errors;
  if (report_cycle(ld, identity, span) || is_known(ld, identity) ||
      !is_allowed(ld, identity, path, span)) {
    /* nothing to read */
  } else if (ld->stack.len > LIMIT_INCLUDE_DEPTH) {
    diag_error(diags, span, "include-depth", "includes are nested more than %d deep here",
               LIMIT_INCLUDE_DEPTH);
  } else if (ld->identities.len >= LIMIT_INCLUDE_FILES) {
    diag_error(diags, span, "include-files", "this is file number %d; the limit is %d",
               LIMIT_INCLUDE_FILES + 1, LIMIT_INCLUDE_FILES);
  } else {
    uint32_t file = sources_read(&ld->lang->sources, path, &why);
    if (file) {
      load_unit(ld, file, path, identity, span);
    } else {
      diag_error(diags, span, "include-unreadable", "`%s`: %s", path, why);
      diag_hint(diags, "the path is relative to the folder of this file");
    }
  }
  if (diags->errors > errors) ld->incomplete = true;
  free(why);
  free(path);
}

static void load_unit(struct loader *ld, uint32_t file, const char *path, const char *identity,
                      struct span include) {
  vec_push(&ld->identities, identity);
  vec_push(&ld->stack, (struct open_file){identity, path, include});
  struct ast_unit *unit = parse_unit(ld->lang, file);
  for (size_t i = 0; i < unit->count; i++) {
    if (unit->decls[i]->kind == DECL_INCLUDE)
      load_include(ld, unit->decls[i]);
    else
      vec_push(&ld->decls, unit->decls[i]);
  }
  vec_push(&ld->units, unit);
  ld->stack.len--;
}

/* A file without a single declaration is a mistake (wrong file, lost content), never "all proved".
 */
static void check_not_empty(struct loader *ld, uint32_t file, size_t errors_before) {
  const struct ast_unit *unit = vec_last(&ld->units);
  struct diags *diags = &ld->lang->diags;
  if (unit->count > 0 || diags->errors > errors_before) return;
  uint32_t start = sources_get(&ld->lang->sources, file)->start;
  diag_error(diags, (struct span){file, start, start}, "empty-file",
             unit->comment_count ? "there is nothing but comments in this file"
                                 : "there is nothing in this file");
  diag_hint(diags, "declare a mechanism and a claim about it; see docs/language.md");
}

static struct ast_module *load_module(struct lang *lang, uint32_t file, const char *path) {
  struct loader ld = {.lang = lang};
  struct ast_module *module = arena_new(&lang->arena, struct ast_module);
  size_t errors_before = lang->diags.errors;
  if (file) {
    allow_folders(&ld, path);
    load_unit(&ld, file, path, identity_of(&ld, path), span_none());
    check_not_empty(&ld, file, errors_before);
  }
  module->unit_count = ld.units.len;
  module->units = arena_take_vec(&lang->arena, &ld.units);
  module->decl_count = ld.decls.len;
  module->decls = arena_take_vec(&lang->arena, &ld.decls);
  module->is_incomplete = ld.incomplete;
  vec_clear(&ld.identities);
  vec_clear(&ld.stack);
  for (size_t i = 0; i < ld.folders.len; i++)
    free(ld.folders.at[i]);
  vec_clear(&ld.folders);
  check_module(lang, module);
  diags_sort(&lang->diags);
  return module;
}

struct ast_module *lang_load(struct lang *lang, const char *path) {
  char *why = NULL;
  uint32_t file = sources_read(&lang->sources, path, &why);
  if (!file) diag_error(&lang->diags, span_none(), "unreadable-file", "`%s`: %s", path, why);
  free(why);
  return load_module(lang, file, path);
}

struct ast_module *lang_load_text(struct lang *lang, const char *path, const char *text,
                                  size_t length) {
  if (length > LIMIT_SOURCE_BYTES) {
    diag_error(&lang->diags, span_none(), "unreadable-file",
               "`%s`: the text is larger than the limit of %d MB", path,
               LIMIT_SOURCE_BYTES / (1024 * 1024));
    return load_module(lang, 0, path);
  }
  return load_module(lang, sources_add(&lang->sources, path, text, length), path);
}
