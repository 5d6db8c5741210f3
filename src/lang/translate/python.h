/* A module of the Python package, started for one answer, with a limit of time. */
#ifndef COUPLET_LANG_TRANSLATE_PYTHON_H
#define COUPLET_LANG_TRANSLATE_PYTHON_H

#include <stdbool.h>

#include "base/buffer.h"
#include "base/vec.h"

typedef VEC(char *) word_list;

struct python_call {
  const char *module; /* "translate": python/couplet/translate.py */
  word_list words;    /* its arguments, borrowed */
  const char *input;  /* its standard input */
  size_t input_length;
  unsigned seconds;
  bool isolated; /* no file of the current folder, no user's packages */
};

/* Takes what the module prints; false with *why (xmalloc'd): it could not be run, or did not end as
 * it should. */
bool python_run(const struct python_call *call, struct buffer *out, char **why);

#endif
