/* Exact probabilities: the engine of `couplet prob`, for one or two lists of inputs. */
#include <stdlib.h>
#include <string.h>

#include "ask/prob.h"
#include "base/exit_codes.h"
#include "serve/api.h"

enum { MOST_RUNS = 2, DIGITS = 6, SECONDS = 10 };

/* {"eps": "1/2"} as the options `eps=1/2`; the texts live as long as `kept`. */
static bool take_values(option_list *out, const json_t *values, json_t *kept) {
  const char *name;
  json_t *value;
  if (values && !json_is_object(values)) return false;
  json_object_foreach((json_t *)values, name, value) {
    if (!json_is_string(value)) return false;
    json_t *text = json_sprintf("%s=%s", name, json_string_value(value));
    if (!text) return false;
    json_array_append_new(kept, text);
    vec_push(out, json_string_value(text));
  }
  return true;
}

/* What went wrong, in the words of the command line. */
static json_t *trouble(struct prob_answer *answer) {
  if (answer->why)
    return json_pack("{s:o}", "error", text_to_json(answer->why, strlen(answer->why)));
  struct buffer text;
  buffer_init(&text);
  const char *message = "there is no answer";
  for (size_t i = answer->lang.diags.list.len; i-- > 0;)
    if (answer->lang.diags.list.at[i].severity == SEVERITY_ERROR)
      message = answer->lang.diags.list.at[i].message;
  diags_render(&text, &answer->lang.sources, &answer->lang.diags, (struct diag_style){false});
  json_t *json = json_pack("{s:o, s:o}", "error", text_to_json(message, strlen(message)), "text",
                           text_to_json(buffer_text(&text), text.len));
  buffer_clear(&text);
  return json;
}

static json_t *ask(struct session *session, const struct prob_question *question) {
  struct prob_answer answer;
  prob_answer_init(&answer);
  answer.lang.sources.overlay = session_overlay;
  answer.lang.sources.overlay_context = session;
  prob_ask(&answer, question);
  json_t *json = answer.text.len ? json_loadb(answer.text.text, answer.text.len, 0, NULL) : NULL;
  if (!json) json = trouble(&answer);
  prob_answer_clear(&answer);
  return json;
}

/* `inputs` is a list of one or two objects. */
static bool ask_all(struct session *session, const struct document *d, const json_t *request,
                    json_t *answers) {
  const json_t *inputs = json_object_get(request, "inputs");
  size_t runs = json_array_size(inputs);
  bool ok = runs >= 1 && runs <= MOST_RUNS;
  for (size_t i = 0; ok && i < runs; i++) {
    json_t *kept = json_array();
    struct program_args args = {
        .mechanism = json_string_value(json_object_get(request, "mechanism")),
        .instance = json_string_value(json_object_get(request, "instance"))};
    struct prob_question question = {.path = d->path,
                                     .program = &args,
                                     .output =
                                         json_string_value(json_object_get(request, "output")),
                                     .digits = DIGITS,
                                     .timeout = SECONDS,
                                     .json = true,
                                     .curve = true};
    const json_t *before = json_array_get(answers, 0); /* both runs in the same places */
    question.low = json_real_value(json_object_get(before, "low"));
    question.high = json_real_value(json_object_get(before, "high"));
    ok = take_values(&args.params, json_object_get(request, "params"), kept) &&
         take_values(&args.inputs, json_array_get(inputs, i), kept);
    if (ok) json_array_append_new(answers, ask(session, &question));
    program_args_clear(&args);
    json_decref(kept);
  }
  return ok;
}

int api_prob(const struct api_context *context, const json_t *request) {
  struct session session;
  const struct document *d = api_document(context, request, &session);
  if (!d) return COUPLET_EXIT_INPUT;
  json_t *answers = json_array();
  int status = COUPLET_EXIT_PROVED;
  if (ask_all(&session, d, request, answers)) {
    api_send(context, json_pack("{s:O}", "answers", answers));
  } else {
    status = api_fail(context, "`inputs` must be one or two objects and `params` an object, of "
                               "names and values as text");
  }
  json_decref(answers);
  session_clear(&session);
  return status;
}
