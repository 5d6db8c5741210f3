#include "ask/replay.h"

#include <stdlib.h>

char *replay_misuse(long runs, const char *path) {
  if (runs < 0 || runs > REPLAY_MOST_RUNS)
    return xasprintf("--replay must be between 1 and %d", REPLAY_MOST_RUNS);
  if (runs && !replay_is_possible(path))
    return xasprintf("--replay is for Python files, and '%s' is none", path);
  return NULL;
}

void replay_put(struct buffer *out, json_int_t count, const json_t *answer) {
  json_int_t runs = json_integer_value(json_object_get(answer, "runs"));
  buffer_printf(out, "%.6g (of %lld runs", runs ? (double)count / (double)runs : 0.0,
                (long long)runs);
  const char *name;
  json_t *times;
  json_object_foreach(json_object_get(answer, "raised"), name, times)
      buffer_printf(out, "; %s in %lld", name, (long long)json_integer_value(times));
  buffer_puts(out, ")");
}

/* The inputs of one run: a counterexample has both. */
static json_t *inputs_of(const json_t *counterexample, size_t run) {
  json_t *inputs = json_object(), *both;
  const char *name;
  json_object_foreach(json_object_get(counterexample, "inputs"), name, both)
      json_object_set(inputs, name, json_array_get(both, run));
  return inputs;
}

static json_t *replay_side(const struct file_record *file, const struct claim_record *c,
                           const struct translate_options *how, long runs, size_t run, char **why) {
  json_t *inputs = inputs_of(c->counterexample, run);
  json_t *answer = replay_run(
      &(struct replay_request){.path = file->path,
                               .mechanism = c->subject,
                               .claims = &how->claims,
                               .runs = runs,
                               .parameters = json_object_get(c->counterexample, "parameters"),
                               .inputs = inputs,
                               .outputs = json_object_get(c->counterexample, "outputs")},
      why);
  json_decref(inputs);
  return answer;
}

static void put_side(struct buffer *out, const struct claim_record *c, size_t run,
                     const json_t *answer) {
  const json_t *certified =
      json_array_get(json_object_get(c->counterexample, "probabilities"), run);
  const char *low = json_string_value(json_object_get(certified, "low_text"));
  const char *high = json_string_value(json_object_get(certified, "high_text"));
  buffer_printf(out, "           %s run  certified %s .. %s, observed ", run ? "second" : "first ",
                low ? low : "?", high ? high : "?");
  replay_put(out, json_integer_value(json_object_get(answer, "matched")), answer);
  buffer_puts(out, "\n");
}

static void replay_claim(const struct file_record *file, struct claim_record *c,
                         const struct translate_options *how, long runs, struct buffer *out) {
  json_t *both = json_array();
  char *why = NULL;
  buffer_printf(out, "  replayed %s\n", c->name);
  for (size_t run = 0; run < 2 && !why; run++) {
    json_t *answer = replay_side(file, c, how, runs, run, &why);
    if (!answer) break;
    put_side(out, c, run, answer);
    json_array_append_new(both, answer);
  }
  if (why) {
    buffer_printf(out, "           not possible: %s\n", why);
    json_array_append_new(both, json_pack("{s:s}", "error", why));
  }
  json_object_set_new(c->counterexample, "replay", both);
  free(why);
}

void replay_counterexamples(struct run_record *run, const struct translate_options *how, long runs,
                            struct buffer *out) {
  for (size_t i = 0; i < run->files.len; i++)
    for (size_t j = 0; j < run->files.at[i]->claims.len; j++) {
      struct claim_record *c = &run->files.at[i]->claims.at[j];
      if (c->verdict == VERDICT_REFUTED && json_object_get(c->counterexample, "outputs"))
        replay_claim(run->files.at[i], c, how, runs, out);
    }
}
