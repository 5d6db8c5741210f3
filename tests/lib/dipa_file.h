/* An automaton from a .dipa file or text, with what its reader needs. */
#ifndef COUPLET_TESTS_DIPA_FILE_H
#define COUPLET_TESTS_DIPA_FILE_H

#include "check/automaton/dipa.h"

struct dipa_file {
  struct sources sources;
  struct diags diags;
  struct automaton a;
};

/* False when it cannot be read; to be cleared in any case. */
bool dipa_file_read(struct dipa_file *f, const char *path);
bool dipa_file_parse(struct dipa_file *f, const char *text);
void dipa_file_clear(struct dipa_file *f);

#endif
