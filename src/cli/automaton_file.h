/* The automaton of a file, for commands that work on one. */
#ifndef COUPLET_CLI_AUTOMATON_FILE_H
#define COUPLET_CLI_AUTOMATON_FILE_H

#include "check/automaton/model.h"
#include "cli/cli.h"
#include "lang/syntax/lang.h"

bool automaton_file_is_dipa(const char *path);
/* Reads the only automaton of a .dipa file, or the one of that name (NULL: the only one) of a .dp
 * file, into `a` (initialised). Returns 0, or the exit status after saying what is wrong. */
int automaton_file_load(const struct cli *cli, struct automaton *a, struct lang *lang,
                        const char *path, const char *name);

#endif
