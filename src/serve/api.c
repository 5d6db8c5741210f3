#include "serve/api.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/exit_codes.h"
#include "lang/format/words.h"
#include "lang/syntax/builtin.h"
#include "lang/syntax/family.h"
#include "serve/folder.h"

/* ---- answers --------------------------------------------------------------------------------- */

void api_send(const struct api_context *context, json_t *value) {
  char *text = json_dumps(value, JSON_COMPACT | JSON_PRESERVE_ORDER);
  json_decref(value);
  if (!text) _exit(COUPLET_EXIT_INTERNAL);
  size_t length = strlen(text);
  text[length] = '\n';
  for (size_t sent = 0; sent <= length;) {
    ssize_t n = write(context->out, text + sent, length + 1 - sent);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) _exit(COUPLET_EXIT_INTERNAL); /* nobody listens */
    sent += (size_t)n;
  }
  free(text);
}

int api_fail(const struct api_context *context, const char *why) {
  api_send(context, json_pack("{s:o}", "error", text_to_json(why, strlen(why))));
  return COUPLET_EXIT_INPUT;
}

/* ---- the document ---------------------------------------------------------------------------- */

/* NULL: there is none, or what follows a NUL byte in it would be ignored. */
static const char *name_of(const json_t *request) {
  const json_t *name = json_object_get(request, "name");
  const char *text = json_string_value(name);
  return text && strlen(text) == json_string_length(name) ? text : NULL;
}

struct document *api_document(const struct api_context *context, const json_t *request,
                              struct session *session) {
  const json_t *text = json_object_get(request, "text");
  const char *path = name_of(request);
  if (!path || !json_is_string(text)) {
    api_fail(context, "`name` and `text` must be strings");
    return NULL;
  }
  if (!folder_has_place(context->options->folder, path)) {
    api_fail(context, "`name` must be that of a file in the folder, or a new one beside them, and "
                      "end in .dp, .dipa, .py or .c");
    return NULL;
  }
  if (chdir(context->options->folder) != 0) {
    api_fail(context, "the folder of the examples is gone");
    return NULL;
  }
  session_init(session);
  return session_open(session, path, 0, json_string_value(text), json_string_length(text));
}

/* ---- small answers --------------------------------------------------------------------------- */

static void add_word(json_t *words, const char *class, const char *word) {
  json_t *list = json_object_get(words, class);
  if (!list) json_object_set_new(words, class, list = json_array());
  json_array_append_new(list, json_string(word));
}

static int api_language(const struct api_context *context, const json_t *request) {
  (void)request;
  const struct serve_options *o = context->options;
  json_t *words = json_object();
  enum word_class class;
  for (size_t i = 0; words_at(i, &class); i++)
    add_word(words, word_class_name(class), words_at(i, &class));
  for (size_t i = 0; i < builtin_count(); i++)
    add_word(words, builtin_at(i)->is_adjacency ? "adjacency" : "function", builtin_at(i)->name);
  for (size_t i = 0; i < DIST_COUNT; i++)
    add_word(words, "distribution", dist_get(i)->name);
  for (enum dist_sugar id = SUGAR_NONE + 1; id < SUGAR_END; id++)
    add_word(words, "distribution", sugar_get(id)->name);
  api_send(context, json_pack("{s:s, s:o, s:f, s:f, s:i}", "version", COUPLET_VERSION, "words",
                              words, "timeout", o->worker.verify.timeout, "search",
                              o->worker.verify.search, "memory", (int)o->worker.memory_mb));
  return COUPLET_EXIT_PROVED;
}

static int api_gallery(const struct api_context *context, const json_t *request) {
  (void)request;
  api_send(context, json_pack("{s:o}", "files", folder_list(context->options->folder)));
  return COUPLET_EXIT_PROVED;
}

static int api_text(const struct api_context *context, const json_t *request) {
  const char *name = name_of(request);
  struct buffer text;
  buffer_init(&text);
  int status = COUPLET_EXIT_PROVED;
  if (name && folder_read(context->options->folder, name, &text))
    api_send(context, json_pack("{s:s, s:o}", "name", name, "text",
                                text_to_json(buffer_text(&text), text.len)));
  else
    status = api_fail(context, "there is no example of that name");
  buffer_clear(&text);
  return status;
}

/* ---- which and how --------------------------------------------------------------------------- */

enum { SHORT_SECONDS = 10, CHECK_SECONDS = 20, PROB_SECONDS = 30 };

static const struct api table[] = {
    {"language", api_language, false, SHORT_SECONDS},
    {"gallery", api_gallery, false, SHORT_SECONDS},
    {"text", api_text, false, SHORT_SECONDS},
    {"check", api_check, false, CHECK_SECONDS},
    {"verify", api_verify, true, 0},
    {"prob", api_prob, false, PROB_SECONDS},
};

const struct api *api_find(const char *name) {
  for (size_t i = 0; i < sizeof table / sizeof *table; i++)
    if (strcmp(table[i].name, name) == 0) return &table[i];
  return NULL;
}

int api_answer(const struct api *api, const struct api_context *context, const char *body,
               size_t length) {
  json_error_t why;
  json_t *request = json_loadb(body ? body : "", length, JSON_ALLOW_NUL, &why);
  int status;
  if (json_is_object(request)) {
    status = api->call(context, request);
  } else {
    char *what = xasprintf("the request is not a JSON object: %s", request ? "" : why.text);
    status = api_fail(context, what);
    free(what);
  }
  json_decref(request);
  return status;
}
