#include "lang/translate/translate.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "lang/translate/python.h"

enum { ANSWER_VERSION = 1, TRANSLATE_SECONDS = 60, MOST_ARGUMENTS = 1024 };

bool translate_is_wanted(const char *path) {
  static const char *const suffixes[] = {".py", ".c", ".dip"};
  size_t length = strlen(path);
  for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++) {
    size_t n = strlen(suffixes[i]);
    if (length > n && strcmp(path + length - n, suffixes[i]) == 0) return true;
  }
  return false;
}

/* ---- the answer ----------------------------------------------------------------------------- */

static bool take_number(const json_t *value, uint32_t *out) {
  json_int_t n = json_integer_value(value);
  if (!json_is_integer(value) || n < 0 || n > LIMIT_SOURCE_BYTES) return false;
  *out = (uint32_t)n;
  return true;
}

static void take_pieces(struct lang *lang, uint32_t file, const struct source *origin,
                        const json_t *map) {
  VEC(struct source_piece) pieces = {0};
  size_t i;
  json_t *entry;
  json_array_foreach(map, i, entry) {
    struct source_piece p;
    if (take_number(json_array_get(entry, 0), &p.begin) &&
        take_number(json_array_get(entry, 1), &p.end) &&
        take_number(json_array_get(entry, 2), &p.origin_begin) &&
        take_number(json_array_get(entry, 3), &p.origin_end)) {
      p.origin_begin += origin->start; /* the child does not see a byte order mark */
      p.origin_end += origin->start;
      vec_push(&pieces, p);
    }
  }
  sources_set_origin(&lang->sources, file, origin->text, origin->length, pieces.at, pieces.len);
  vec_clear(&pieces);
}

/* Codes of the reader; the literals are what docs/checks.md lists. */
static const char *code_of(const char *code) {
  if (code && strcmp(code, "python-syntax") == 0) return "python-syntax";
  if (code && strcmp(code, "python-claim") == 0) return "python-claim";
  return "python-subset";
}

static void take_errors(struct lang *lang, const struct source *origin, const json_t *errors) {
  uint32_t file = sources_add(&lang->sources, origin->path, origin->text, origin->length);
  size_t i;
  json_t *e;
  json_array_foreach(errors, i, e) {
    struct span span = {file, 0, 0};
    const char *message = json_string_value(json_object_get(e, "message"));
    const char *hint = json_string_value(json_object_get(e, "hint"));
    if (!take_number(json_object_get(e, "begin"), &span.begin) ||
        !take_number(json_object_get(e, "end"), &span.end) || span.begin > span.end ||
        span.end + origin->start > origin->length)
      span.begin = span.end = 0;
    span.begin += origin->start;
    span.end += origin->start;
    diag_error(&lang->diags, span, code_of(json_string_value(json_object_get(e, "code"))), "%s",
               message ? message : "the file cannot be translated");
    if (hint) diag_hint(&lang->diags, "%s", hint);
  }
}

static struct ast_module *nothing(struct lang *lang) {
  return arena_new(&lang->arena, struct ast_module);
}

static struct ast_module *fail(struct lang *lang, const char *path, const char *why) {
  diag_error(&lang->diags, span_none(), "translator-failed", "`%s` cannot be translated: %s", path,
             why);
  diag_hint(&lang->diags, "files of other languages need python3 (3.9 or later) and the Python "
                          "package of Couplet; COUPLET_PYTHON and COUPLET_PYTHONPATH say where "
                          "they are");
  return nothing(lang);
}

/* The translation as a file. */
static struct ast_module *take_text(struct lang *lang, const struct source *origin,
                                    const json_t *answer, bool show_dp) {
  const json_t *text = json_object_get(answer, "text");
  uint32_t file = (uint32_t)lang->sources.files.len;
  char *shown = show_dp ? xasprintf("%s.dp", origin->path) : xstrdup(origin->path);
  struct ast_module *module =
      lang_load_text(lang, shown, json_string_value(text), json_string_length(text));
  free(shown);
  if (file < lang->sources.files.len && !show_dp)
    take_pieces(lang, file, origin, json_object_get(answer, "map"));
  return module;
}

static struct ast_module *take_answer(struct lang *lang, const struct source *origin,
                                      const json_t *answer, bool show_dp) {
  const json_t *errors = json_object_get(answer, "errors");
  json_int_t version = json_integer_value(json_object_get(answer, "version"));
  if (version == ANSWER_VERSION && json_array_size(errors)) {
    take_errors(lang, origin, errors);
    return nothing(lang);
  }
  if (version != ANSWER_VERSION || !json_is_string(json_object_get(answer, "text")))
    return fail(lang, origin->path, "the translator's answer has no meaning");
  return take_text(lang, origin, answer, show_dp);
}

/* ---- loading -------------------------------------------------------------------------------- */

static void add_all(word_list *words, const char *option, const option_list *values) {
  for (size_t i = 0; i < values->len && i < MOST_ARGUMENTS; i++) {
    vec_push(words, (char *)option);
    vec_push(words, (char *)values->at[i]);
  }
}

/* What python/couplet/translate.py says about the text. */
static bool ask(const struct source *origin, const struct translate_options *options,
                struct buffer *out, char **why) {
  struct python_call call = {.module = "translate",
                             .input = origin->text,
                             .input_length = origin->length,
                             .seconds = TRANSLATE_SECONDS,
                             .isolated = true};
  vec_push(&call.words, (char *)"--json");
  vec_push(&call.words, (char *)"--stdin");
  if (options) {
    add_all(&call.words, "--claim", &options->claims);
    add_all(&call.words, "--function", &options->functions);
  }
  vec_push(&call.words, (char *)"--");
  vec_push(&call.words, (char *)origin->path);
  bool ok = python_run(&call, out, why);
  vec_clear(&call.words);
  return ok;
}

static struct ast_module *translate(struct lang *lang, const struct source *origin,
                                    const struct translate_options *options) {
  char *why = NULL;
  struct buffer out;
  buffer_init(&out);
  struct ast_module *module = NULL;
  if (ask(origin, options, &out, &why)) {
    json_t *answer = json_loadb(buffer_text(&out), out.len, JSON_REJECT_DUPLICATES, NULL);
    module = answer ? take_answer(lang, origin, answer, options && options->show_dp)
                    : fail(lang, origin->path, "the translator's answer is not JSON");
    json_decref(answer);
  } else {
    module = fail(lang, origin->path, why);
  }
  free(why);
  buffer_clear(&out);
  return module;
}

struct ast_module *translate_load_text(struct lang *lang, const char *path, const char *text,
                                       size_t length, const struct translate_options *options) {
  if (!translate_is_wanted(path) || length > LIMIT_SOURCE_BYTES)
    return lang_load_text(lang, path, text, length);
  struct sources scratch; /* the original is no source of what is judged */
  sources_init(&scratch);
  uint32_t file = sources_add(&scratch, path, text, length);
  struct ast_module *module = translate(lang, sources_get(&scratch, file), options);
  sources_clear(&scratch);
  return module;
}

struct ast_module *translate_load(struct lang *lang, const char *path,
                                  const struct translate_options *options) {
  if (!translate_is_wanted(path)) return lang_load(lang, path);
  struct sources scratch;
  char *why = NULL;
  sources_init(&scratch);
  scratch.overlay = lang->sources.overlay;
  scratch.overlay_context = lang->sources.overlay_context;
  uint32_t file = sources_read(&scratch, path, &why);
  struct ast_module *module =
      file ? translate(lang, sources_get(&scratch, file), options) : nothing(lang);
  if (!file) diag_error(&lang->diags, span_none(), "unreadable-file", "`%s`: %s", path, why);
  free(why);
  sources_clear(&scratch);
  return module;
}
