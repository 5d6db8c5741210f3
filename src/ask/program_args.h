/* Which mechanism is meant and with which values: for running it and for its probabilities.
 *
 * Functions return 0 to go on, COUPLET_EXIT_USAGE with *why set (xmalloc'd), or COUPLET_EXIT_INPUT
 * when the diagnostics say what is wrong. */
#ifndef COUPLET_ASK_PROGRAM_ARGS_H
#define COUPLET_ASK_PROGRAM_ARGS_H

#include "lang/translate/translate.h"
#include "run/sample/interp.h"

struct program_args {
  const char *mechanism, *instance; /* or NULL */
  option_list params, inputs;       /* NAME=VALUE */
  struct translate_options translation;
};

void program_args_clear(struct program_args *args);

/* The file that is asked about. */
struct program_file {
  const char *path;
  struct lang *lang;
  struct ast_module *module;
};

/* The declaration of that kind and name, or the only one of its kind; else NULL and *why. Where a
 * mechanism is asked for, an automaton will also do. */
const struct ast_decl *program_choose(const struct program_file *file, enum decl_kind kind,
                                      const char *word, const char *name, char **why);
/* Splits NAME=VALUE at the first '='; *name is interned, the value becomes a source of its own.
 * Returns that source; 0: *why. */
uint32_t program_split(const struct program_file *file, const char *option, const char *text,
                       const char **name, char **why);
/* The value of an option; false: diagnostics say why. */
bool program_read_value(const struct program_file *file, uint32_t source, const struct type *type,
                        struct rvalue *value, struct span *span);
/* Initialises `in` in any case and prepares it for running the mechanism. */
int program_set_up(struct interp *in, const struct program_file *file,
                   const struct ast_decl *mechanism, const struct program_args *args,
                   uint64_t max_steps, char **why);

#endif
