/* The Python function itself, run many times, beside certified probabilities. No verdict rests on
 * what is observed; the file is executed only here, and only on request. */
#ifndef COUPLET_LANG_TRANSLATE_REPLAY_H
#define COUPLET_LANG_TRANSLATE_REPLAY_H

#include <jansson.h>

#include "lang/translate/translate.h"

enum { REPLAY_MOST_RUNS = 10000000, REPLAY_SEED = 1 };

struct replay_request {
  const char *path, *mechanism; /* the mechanism's name in the translation */
  const option_list *claims;    /* of the command line */
  long runs;
  json_t *parameters, *inputs; /* names to texts, borrowed */
  json_t *outputs;             /* patterns, borrowed; NULL: count every output */
};

/* Can the file be run? Only Python can. */
bool replay_is_possible(const char *path);
/* {"runs", "raised", "matched"}, or {"runs", "raised", "outputs": {text: count}} if no patterns are
 * asked for; NULL with *why (xmalloc'd). */
json_t *replay_run(const struct replay_request *request, char **why);

#endif
