/* Sources of other languages: Python functions, C files in the style of other checkers, and .dip
 * files.
 *
 * They are read by a child process (python/couplet/translate.py), which answers with text of our
 * language and a table of places. Nothing of that is trusted: the text is parsed and checked like
 * every file, it is what is judged and what certificates are about, and the table only says which
 * lines are shown. */
#ifndef COUPLET_LANG_TRANSLATE_TRANSLATE_H
#define COUPLET_LANG_TRANSLATE_TRANSLATE_H

#include "base/option.h"
#include "lang/syntax/lang.h"

/* By the name of the file: .py, .c or .dip. */
bool translate_is_wanted(const char *path);

struct translate_options {
  option_list claims;    /* more claims: NAME = {epsilon = "...", adjacent = "..."} */
  option_list functions; /* only these; empty: all with claims */
  bool show_dp;          /* places are those of the translation, which is called PATH.dp */
};

/* As lang_load, for files of every language; `options` may be NULL. */
struct ast_module *translate_load(struct lang *lang, const char *path,
                                  const struct translate_options *options);
/* The same for text in memory that goes by the name of `path`. */
struct ast_module *translate_load_text(struct lang *lang, const char *path, const char *text,
                                       size_t length, const struct translate_options *options);

#endif
