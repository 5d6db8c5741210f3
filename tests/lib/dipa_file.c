#include "dipa_file.h"

#include <stdlib.h>
#include <string.h>

static void init(struct dipa_file *f) {
  sources_init(&f->sources);
  diags_init(&f->diags);
  automaton_init(&f->a);
}

bool dipa_file_read(struct dipa_file *f, const char *path) {
  char *why = NULL;
  init(f);
  uint32_t file = sources_read(&f->sources, path, &why);
  free(why);
  return file && dipa_read(&f->a, &f->sources, file, &f->diags);
}

bool dipa_file_parse(struct dipa_file *f, const char *text) {
  init(f);
  uint32_t file = sources_add(&f->sources, "test.dipa", text, strlen(text));
  return dipa_read(&f->a, &f->sources, file, &f->diags);
}

void dipa_file_clear(struct dipa_file *f) {
  automaton_clear(&f->a);
  diags_clear(&f->diags);
  sources_clear(&f->sources);
}
