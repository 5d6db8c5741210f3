/* What the page may ask: POST /api/NAME with a JSON object, answered in a child process (task.h).
 *
 *   language   the words of the language and the limits of this server
 *   gallery    the examples
 *   text       the text of one of them
 *   check      what is wrong with a text, and what there is to play with in it
 *   verify     the verdicts; a stream of lines: progress, then the result
 *   prob       exact probabilities for given values
 *
 * docs/playground.md has the fields. */
#ifndef COUPLET_SERVE_API_H
#define COUPLET_SERVE_API_H

#include <jansson.h>

#include "lsp/session.h"
#include "serve/serve.h"

struct api_context {
  const struct serve_options *options;
  int out; /* where the answer goes */
};

/* The exit status of the child: 0, or COUPLET_EXIT_INPUT after api_fail. */
typedef int api_call(const struct api_context *context, const json_t *request);
api_call api_check, api_verify, api_prob;

struct api {
  const char *name;
  api_call *call;
  bool is_stream;
  double seconds; /* 0: as long as a verification */
};

/* NULL: there is none of that name. */
const struct api *api_find(const char *name);
/* In the child: parses the body and answers. */
int api_answer(const struct api *api, const struct api_context *context, const char *body,
               size_t length);

/* One line of JSON; takes `value` over. */
void api_send(const struct api_context *context, json_t *value);
/* {"error": why}, and the exit status that goes with it. */
int api_fail(const struct api_context *context, const char *why);

/* The document of the request, `name` and `text`, opened in a session whose overlay has it; the
 * process works in the folder from now on. NULL: api_fail was called. */
struct document *api_document(const struct api_context *context, const json_t *request,
                              struct session *session);

#endif
