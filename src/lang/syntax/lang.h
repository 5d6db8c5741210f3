/* The front end as a whole: one struct lang owns everything that comes from one run's sources. */
#ifndef COUPLET_LANG_SYNTAX_LANG_H
#define COUPLET_LANG_SYNTAX_LANG_H

#include "base/arena.h"
#include "base/diag.h"
#include "base/intern.h"
#include "base/source.h"
#include "lang/syntax/ast.h"
#include "lang/syntax/type.h"

struct lang {
  struct arena arena;
  struct intern intern;
  struct sources sources;
  struct diags diags;
  struct types types;
  VEC(fmpq *) numbers; /* literals whose limbs must be freed */
};

void lang_init(struct lang *lang);
void lang_clear(struct lang *lang);

/* Reads, parses and checks a .dp file with its includes. Never NULL; the module can be used for
 * anything but formatting only if lang->diags.errors did not rise. */
struct ast_module *lang_load(struct lang *lang, const char *path);
/* The same for text in memory (editor, tests); includes are resolved relative to `path`. */
struct ast_module *lang_load_text(struct lang *lang, const char *path, const char *text,
                                  size_t length);

/* The steps, for tools that want only one. parse.h: parse_unit; check.h: check_module. */

#endif
