#include "lang/translate/replay.h"

#include <stdlib.h>
#include <string.h>

#include "lang/translate/python.h"

enum { ANSWER_VERSION = 1, REPLAY_SECONDS = 600 };

bool replay_is_possible(const char *path) {
  size_t length = strlen(path);
  return length > 3 && strcmp(path + length - 3, ".py") == 0;
}

static char *request_text(const struct replay_request *r) {
  json_t *claims = json_array();
  for (size_t i = 0; i < r->claims->len; i++)
    json_array_append_new(claims, json_string(r->claims->at[i]));
  json_t *json = json_pack("{s:s, s:s, s:o, s:I, s:i, s:O, s:O}", "path", r->path, "mechanism",
                           r->mechanism, "claims", claims, "runs", (json_int_t)r->runs, "seed",
                           REPLAY_SEED, "parameters", r->parameters, "inputs", r->inputs);
  json_object_set(json, "outputs", r->outputs ? r->outputs : json_null());
  char *text = json_dumps(json, 0);
  json_decref(json);
  return text;
}

static json_t *read_answer(const struct buffer *out, char **why) {
  json_t *answer = json_loadb(buffer_text(out), out->len, JSON_REJECT_DUPLICATES, NULL);
  const char *error = json_string_value(json_object_get(answer, "error"));
  bool ok = !error && json_is_object(json_object_get(answer, "raised")) &&
            json_integer_value(json_object_get(answer, "version")) == ANSWER_VERSION;
  if (ok) return answer;
  *why = xstrdup(error ? error : "the answer of the Python package has no meaning");
  json_decref(answer);
  return NULL;
}

json_t *replay_run(const struct replay_request *request, char **why) {
  char *text = request_text(request);
  struct python_call call = {.module = "replay",
                             .input = text ? text : "",
                             .input_length = text ? strlen(text) : 0,
                             .seconds = REPLAY_SECONDS};
  struct buffer out;
  buffer_init(&out);
  json_t *answer = python_run(&call, &out, why) ? read_answer(&out, why) : NULL;
  buffer_clear(&out);
  free(text);
  return answer;
}
