#include "check/recount/check_program.h"

#include <stdlib.h>
#include <string.h>

#include "check/counterexample/program_certify.h"
#include "check/finite/finite.h"
#include "check/recount/value.h"
#include "lang/check/check.h"
#include "num/real/ball.h"

/* ---- program-counterexample ----------------------------------------------------------------- */

static const struct ast_decl *find_decl(const struct checker *c, enum decl_kind kind,
                                        const char *name) {
  for (size_t i = 0; i < c->source->module->decl_count; i++) {
    const struct ast_decl *d = c->source->module->decls[i];
    if (d->kind == kind && strcmp(d->name.text, name) == 0) return d;
  }
  return NULL;
}

static bool read_instance(struct checker *c, struct program_counterexample *ce,
                          const json_t *json) {
  const char *name;
  if (!reader_optional(&c->r, json, "instance", &name)) return false;
  if (!name) return true;
  if (strchr(name, ' ')) { /* not a name: an instance of its own */
    ce->instance = check_interpretation(&c->source->lang, c->source->module, name);
    return ce->instance || reader_fail(&c->r, MALFORMED, "this is no instance: %.64s", name);
  }
  ce->instance = find_decl(c, DECL_INSTANCE, name);
  return ce->instance || reader_fail(&c->r, MALFORMED, "the source has no instance '%.64s'", name);
}

static bool read_params(struct checker *c, struct program_counterexample *ce, const json_t *json) {
  json_t *object = json_object_get(json, "parameters");
  size_t mark = reader_enter(&c->r, "parameters");
  if (!json_is_object(object)) return reader_fail(&c->r, MALFORMED, "expected an object");
  const char *name;
  json_t *item;
  json_object_foreach(object, name, item) {
    const struct ast_decl *decl = find_decl(c, DECL_PARAM, name);
    if (!decl) return reader_fail(&c->r, MALFORMED, "the source has no parameter '%.64s'", name);
    size_t inner = reader_enter(&c->r, name);
    struct rvalue value = {0};
    if (!value_from_json(&c->r, item, decl->as.param.type, ce->instance, &value)) return false;
    vec_push(&ce->params, (struct program_param){decl, value});
    reader_leave(&c->r, inner);
  }
  reader_leave(&c->r, mark);
  return true;
}

static bool read_inputs(struct checker *c, struct program_counterexample *ce,
                        const struct ast_routine *routine, const json_t *json) {
  const json_t *object = json_object_get(json, "inputs");
  size_t mark = reader_enter(&c->r, "inputs");
  if (!json_is_object(object)) return reader_fail(&c->r, MALFORMED, "expected an object");
  if (json_object_size(object) != routine->arg_count)
    return reader_fail(&c->r, MALFORMED, "%zu inputs for %zu arguments", json_object_size(object),
                       routine->arg_count);
  ce->input_count = routine->arg_count;
  for (int run = 0; run < 2; run++)
    ce->inputs[run] = xcalloc(routine->arg_count + 1, sizeof(struct rvalue));
  for (size_t i = 0; i < routine->arg_count; i++) {
    const char *name = routine->args[i]->name.text;
    size_t inner = reader_enter(&c->r, name);
    const json_t *pair = json_object_get(object, name);
    if (json_array_size(pair) != 2)
      return reader_fail(&c->r, MALFORMED, "expected the inputs of two runs");
    for (size_t run = 0; run < 2; run++)
      if (!value_from_json(&c->r, json_array_get(pair, run), routine->args[i]->declared,
                           ce->instance, &ce->inputs[run][i]))
        return false;
    reader_leave(&c->r, inner);
  }
  reader_leave(&c->r, mark);
  return true;
}

static bool read_event(struct checker *c, const json_t *json, struct pattern *out) {
  const char *text = json_string_value(json);
  char *why = NULL;
  size_t at = 0;
  if (!text || strlen(text) != json_string_length(json))
    return reader_fail(&c->r, MALFORMED, "expected a text");
  if (!pattern_parse(out, text, &at, &why)) {
    reader_fail(&c->r, MALFORMED, "at character %zu: %s", at + 1, why);
    free(why);
    return false;
  }
  struct buffer b;
  buffer_init(&b);
  pattern_print(&b, out);
  bool ok =
      strcmp(buffer_text(&b), text) == 0 ||
      reader_fail(&c->r, MALFORMED, "'%.64s' must be written as %.64s", text, buffer_text(&b));
  buffer_clear(&b);
  if (!ok) pattern_clear(out);
  return ok;
}

static bool read_events(struct checker *c, struct program_counterexample *ce, const json_t *json) {
  const json_t *list = reader_array(&c->r, json, "outputs");
  if (!list) return false;
  size_t mark = reader_enter(&c->r, "outputs");
  for (size_t i = 0; i < json_array_size(list); i++) {
    size_t inner = reader_enter_item(&c->r, i);
    struct pattern p;
    if (!read_event(c, json_array_get(list, i), &p)) return false;
    vec_push(&ce->outputs, p);
    reader_leave(&c->r, inner);
  }
  reader_leave(&c->r, mark);
  return true;
}

static void say_program(struct checker *c, const struct program_counterexample *ce) {
  if (ce->is_law) {
    buffer_puts(c->said, "refuted   an output has probability ");
    ball_print(c->said, ce->p1, 6);
    buffer_puts(c->said, ", not ");
    ball_print(c->said, ce->p2, 6);
    return;
  }
  if (ce->is_accuracy) {
    buffer_puts(c->said, "refuted   fails with probability ");
    ball_print(c->said, ce->p1, 6);
    return;
  }
  buffer_puts(c->said, "refuted   probabilities ");
  if (ce->p1_is_bound) buffer_puts(c->said, "at least ");
  ball_print(c->said, ce->p1, 6);
  buffer_puts(c->said, " and ");
  ball_print(c->said, ce->p2, 6);
  if (ce->notion != NOTION_PURE) {
    buffer_printf(c->said, ": not %s", notion_word(ce->notion));
    return;
  }
  buffer_puts(c->said, ": the loss is ");
  program_print_loss(c->said, ce);
}

bool cert_judge_program(struct checker *c, const struct cert_statement *s, const json_t *json) {
  struct program_claim claim = {&c->source->lang, c->source->module, s->decl};
  struct program_counterexample ce;
  program_counterexample_init(&ce);
  char *why = NULL;
  bool ok = read_instance(c, &ce, json) && read_params(c, &ce, json) &&
            read_inputs(c, &ce, s->decl->as.claim.target->as.mechanism.routine, json) &&
            read_events(c, &ce, json);
  if (ok && s->decl->as.claim.asked)
    ok = reader_fail(&c->r, REJECTED, "the claim names no epsilon that could be refuted");
  if (ok && !program_certify(&ce, &claim, c->budget, &why))
    ok = reader_fail(&c->r, ce.is_contradictory ? INTERNAL : REJECTED, "%s",
                     why ? why : "no counterexample");
  free(why);
  if (ok) say_program(c, &ce);
  program_counterexample_clear(&ce);
  return ok;
}

/* ---- program-finite ------------------------------------------------------------------------- */

/* The computation is the evidence: it is done again. */
bool cert_judge_finite(struct checker *c, const struct cert_statement *s, const json_t *json) {
  struct program_claim claim = {&c->source->lang, c->source->module, s->decl};
  const json_t *pairs = json_object_get(json, "pairs");
  if (!json_is_integer(pairs) || json_integer_value(pairs) < 0)
    return reader_fail(&c->r, MALFORMED, "expected the number of pairs");
  if (!s->decl->as.claim.at_count || s->decl->as.claim.epsilon->kind == EXPR_HOLE)
    return reader_fail(&c->r, NOT_BOUND, "the claim is not finite");
  struct finite_result r;
  finite_result_init(&r);
  finite_decide(&r, &claim, c->budget);
  bool ok = r.status == FINITE_PROVED ||
            reader_fail(&c->r, REJECTED, "%s",
                        r.status == FINITE_VIOLATED ? "some pair of inputs breaks the claim"
                        : r.why                     ? r.why
                                                    : "the claim could not be decided");
  if (ok && (json_int_t)r.pairs != json_integer_value(pairs))
    ok = reader_fail(&c->r, REJECTED, "there are %zu pairs of adjacent inputs", r.pairs);
  if (ok)
    buffer_printf(c->said, "proved    (%s%s%s)-private by exact computation of all %zu pairs",
                  s->epsilon, s->delta ? ", " : "", s->delta ? s->delta : "", r.pairs);
  finite_result_clear(&r);
  return ok;
}
