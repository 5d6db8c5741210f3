#include "report/record/counterexample.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "check/recount/value.h"
#include "num/rational.h"
#include "num/real/ball.h"
#include "out/evidence.h"
#include "report/record/decimal.h"
#include "report/record/float_replay.h"
#include "report/record/used_params.h"

static json_t *value_text(const struct rvalue *v) {
  struct buffer b;
  buffer_init(&b);
  rvalue_print(&b, v);
  json_t *s = json_string(buffer_text(&b));
  buffer_clear(&b);
  return s;
}

static json_t *pattern_text(const struct pattern *p) {
  struct buffer b;
  buffer_init(&b);
  pattern_print(&b, p);
  json_t *s = json_string(buffer_text(&b));
  buffer_clear(&b);
  return s;
}

static json_t *ball_json(const arb_t ball) {
  return json_bounds(ball, 12);
}

/* Without an upper end where the second probability cannot be told from 0; null where there is no
 * loss in units of the claim. */
static json_t *loss_json(const struct program_counterexample *ce) {
  if (!ce->has_loss) return json_null();
  json_t *json = ball_json(ce->loss);
  if (arf_is_pos_inf(arb_midref(ce->loss)))
    json_set_decimal(json, "low", "inf"); /* the second run cannot */
  if (ce->loss_is_open) json_set_decimal(json, "high", NULL);
  return json;
}

/* ---- the table ------------------------------------------------------------------------------ */

static void put_row(struct buffer *out, const char *label) {
  buffer_printf(out, "%-11s ", label);
}

static bool same_value(const struct rvalue *a, const struct rvalue *b) {
  int order;
  return rvalue_compare(&order, a, b) && order == 0;
}

static void put_value_of(struct buffer *out, const struct ast_routine *routine,
                         const struct program_counterexample *ce, int run, size_t i) {
  buffer_printf(out, "%s = ", routine->args[i]->name.text);
  rvalue_print(out, &ce->inputs[run][i]);
}

/* A row per run with what differs, then a row for each of the others. */
static void put_inputs(struct buffer *out, const struct ast_routine *routine,
                       const struct program_counterexample *ce) {
  size_t differing = 0;
  for (int run = 0; run < 2; run++, buffer_puts(out, differing ? "\n" : "")) {
    differing = 0;
    for (size_t i = 0; i < ce->input_count; i++) {
      if (same_value(&ce->inputs[0][i], &ce->inputs[1][i])) continue;
      if (differing++)
        buffer_puts(out, ", ");
      else
        put_row(out, run == 0 ? "first run" : "second run");
      put_value_of(out, routine, ce, run, i);
    }
  }
  for (size_t i = 0, rows = 0; i < ce->input_count; i++) {
    if (!same_value(&ce->inputs[0][i], &ce->inputs[1][i])) continue;
    put_row(out, rows++ || differing ? "" : "inputs");
    put_value_of(out, routine, ce, 0, i);
    buffer_puts(out, ce->is_accuracy || ce->is_law ? "\n" : "  (in both runs)\n");
  }
}

static void put_outputs(struct buffer *out, const struct program_counterexample *ce) {
  enum { SHOWN = 6 };
  if (ce->is_accuracy) {
    put_row(out, "event");
    buffer_puts(out, "the formula of the claim does not hold of the result\n");
    return;
  }
  put_row(out, "output");
  if (ce->outputs.len > 1) buffer_puts(out, "one of ");
  for (size_t i = 0; i < ce->outputs.len && i < SHOWN; i++) {
    if (i) buffer_puts(out, ", ");
    pattern_print(out, &ce->outputs.at[i]);
  }
  if (ce->outputs.len > SHOWN) buffer_printf(out, ", ... (%zu in all)", ce->outputs.len);
  buffer_putc(out, '\n');
}

/* What cannot be told from 0 is given by its upper end. */
static void put_ball(struct buffer *out, const arb_t ball) {
  if (arb_contains_zero(ball) && !arb_is_zero(ball)) {
    buffer_puts(out, "at most ");
    ball_print_upper(out, ball, 2);
  } else {
    ball_print(out, ball, 6);
  }
}

/* What a claim in another notion allows, and what the outputs show. */
static void put_notion(struct buffer *out, const struct program_counterexample *ce) {
  put_row(out, "allowed");
  if (ce->notion == NOTION_GAUSSIAN) {
    buffer_puts(out, "at most Phi(Phi^-1(second) + mu), that is ");
    put_ball(out, ce->allowed);
    return;
  }
  buffer_puts(out, "a Renyi divergence of order ");
  put_ball(out, ce->order);
  buffer_puts(out, " of at most ");
  put_ball(out, ce->allowed);
  buffer_puts(out, ce->outputs.len > 1 ? "; which of these outputs it is has at least "
                                       : "; the event alone has at least ");
  if (arb_is_finite(ce->reached))
    ball_print_lower(out, ce->reached, 6);
  else
    buffer_puts(out, "any number");
}

static void put_verdict(struct buffer *out, const struct program_counterexample *ce) {
  put_row(out, "probability");
  if (ce->is_law) {
    put_ball(out, ce->p1);
    buffer_puts(out, ", but ");
    put_ball(out, ce->p2);
    buffer_puts(out, " by the claim");
    return;
  }
  if (ce->is_accuracy) {
    put_ball(out, ce->p1);
    buffer_putc(out, '\n');
    put_row(out, "allowed");
    put_ball(out, ce->epsilon);
    return;
  }
  if (ce->p1_is_bound) buffer_puts(out, "at least ");
  put_ball(out, ce->p1);
  buffer_puts(out, " in the first run, ");
  put_ball(out, ce->p2);
  buffer_puts(out, " in the second\n");
  if (ce->is_endless) {
    put_row(out, "allowed");
    buffer_puts(out, "1 in both: a private mechanism ends, whatever its inputs are");
    return;
  }
  if (ce->notion != NOTION_PURE) {
    put_notion(out, ce);
    return;
  }
  arb_t bound;
  arb_init(bound);
  arb_exp(bound, ce->epsilon, 128);
  put_row(out, "allowed");
  buffer_puts(out, "at most e^epsilon = ");
  put_ball(out, bound);
  buffer_puts(out, " times the second");
  if (!arb_is_zero(ce->delta)) {
    buffer_puts(out, " plus delta = ");
    put_ball(out, ce->delta);
  }
  arb_mul(bound, bound, ce->p2, 128);
  arb_add(bound, bound, ce->delta, 128);
  buffer_puts(out, ", that is ");
  put_ball(out, bound);
  buffer_putc(out, '\n');
  arb_clear(bound);
  put_row(out, "loss");
  program_print_loss(out, ce);
}

/* Those that the claim depends on; false: there are none. */
static bool put_params(struct buffer *out, const struct program_claim *claim,
                       const struct program_counterexample *ce, const char *before) {
  bool any = false;
  for (size_t i = 0; i < ce->params.len; i++) {
    if (!claim_uses_param(claim, ce->params.at[i].decl)) continue;
    buffer_printf(out, "%s%s = ", any ? ", " : before, ce->params.at[i].decl->name.text);
    rvalue_print(out, &ce->params.at[i].value);
    any = true;
  }
  return any;
}

/* One line: how bad it gets, and where. */
static void put_worst(struct buffer *out, const struct program_claim *claim,
                      const struct program_counterexample *ce) {
  const struct ast_routine *routine = claim->claim->as.claim.target->as.mechanism.routine;
  put_row(out, "worst found");
  program_print_loss(out, ce);
  put_params(out, claim, ce, ", for ");
  for (size_t i = 0; i < ce->input_count; i++) {
    buffer_printf(out, ", %s = ", routine->args[i]->name.text);
    rvalue_print(out, &ce->inputs[0][i]);
    if (same_value(&ce->inputs[0][i], &ce->inputs[1][i])) continue;
    buffer_puts(out, " and ");
    rvalue_print(out, &ce->inputs[1][i]);
  }
  for (size_t i = 0; i < ce->outputs.len; i++) {
    buffer_puts(out, i ? " or " : ", output ");
    pattern_print(out, &ce->outputs.at[i]);
  }
}

/* Of a floating-point program: what the output is in the machine, and what leads to it. */
static void put_bits(struct buffer *out, const json_t *replay) {
  const json_t *words = json_object_get(replay, "words");
  put_row(out, "bits");
  buffer_printf(out, "%s  (%s)\n", json_string_value(json_object_get(replay, "bits")),
                json_string_value(json_object_get(replay, "decimal")));
  put_row(out, "words");
  for (size_t i = 0; i < json_array_size(words); i++)
    buffer_printf(out, "%s%s", i ? ", " : "", json_string_value(json_array_get(words, i)));
  buffer_puts(out, "  (in the first run, counted from 0)\n");
}

/* What happens; and, if it is certified, why that is too much. */
static char *table(const struct program_claim *claim, const struct program_counterexample *ce,
                   bool certified, const struct program_counterexample *worst,
                   const json_t *replay) {
  const struct ast_routine *routine = claim->claim->as.claim.target->as.mechanism.routine;
  struct buffer b;
  buffer_init(&b);
  struct buffer params;
  buffer_init(&params);
  if (put_params(&params, claim, ce, "")) {
    put_row(&b, "parameters");
    buffer_printf(&b, "%s\n", buffer_text(&params));
  }
  buffer_clear(&params);
  if (ce->interpretation) {
    put_row(&b, "with");
    buffer_printf(&b, "%s\n", ce->interpretation);
  }
  put_inputs(&b, routine, ce);
  put_outputs(&b, ce);
  if (replay) put_bits(&b, replay);
  if (certified)
    put_verdict(&b, ce);
  else
    b.text[--b.len] = '\0';
  if (worst) {
    buffer_putc(&b, '\n');
    put_worst(&b, claim, worst);
  }
  return buffer_take(&b);
}

/* Parameters, inputs and outputs: what is common to all. */
static json_t *common_json(const struct program_claim *claim,
                           const struct program_counterexample *ce, const char *kind) {
  const struct ast_routine *routine = claim->claim->as.claim.target->as.mechanism.routine;
  json_t *params = json_object(), *inputs = json_object(), *outputs = json_array();
  json_t *unused = json_array();
  for (size_t i = 0; i < ce->params.len; i++) {
    const struct ast_decl *param = ce->params.at[i].decl;
    json_object_set_new(params, param->name.text, value_text(&ce->params.at[i].value));
    if (!claim_uses_param(claim, param))
      json_array_append_new(unused, json_string(param->name.text));
  }
  for (size_t i = 0; i < ce->input_count; i++)
    json_object_set_new(
        inputs, routine->args[i]->name.text,
        json_pack("[o, o]", value_text(&ce->inputs[0][i]), value_text(&ce->inputs[1][i])));
  for (size_t i = 0; i < ce->outputs.len; i++)
    json_array_append_new(outputs, pattern_text(&ce->outputs.at[i]));
  return json_pack("{s:s, s:s?, s:o, s:o, s:o, s:o}", "kind", kind, "instance", instance_text(ce),
                   "parameters", params, "unused_parameters", unused, "inputs", inputs, "outputs",
                   outputs);
}

/* With what was certified. */
static json_t *certified_json(const struct program_claim *claim,
                              const struct program_counterexample *ce) {
  json_t *json = common_json(claim, ce, "program");
  json_t *numbers = json_pack("{s:[o, o], s:o, s:o, s:o}", "probabilities", ball_json(ce->p1),
                              ball_json(ce->p2), "epsilon", ball_json(ce->epsilon), "delta",
                              ball_json(ce->delta), "loss", loss_json(ce));
  if (ce->p1_is_bound)
    json_set_decimal(json_array_get(json_object_get(numbers, "probabilities"), 0), "high", NULL);
  json_object_update(json, numbers);
  json_decref(numbers);
  return json;
}

static json_t *with_text(json_t *json, char *text) {
  json_object_set_new(json, "text", json_string(text));
  free(text);
  return json;
}

json_t *program_counterexample_json(const struct program_claim *claim,
                                    const struct program_counterexample *ce,
                                    const struct program_counterexample *worst) {
  json_t *json = certified_json(claim, ce);
  json_t *replay = float_replay_json(claim, ce);
  if (worst) json_object_set_new(json, "worst", certified_json(claim, worst));
  json = with_text(json, table(claim, ce, true, worst, replay));
  if (replay) json_object_set_new(json, "float", replay);
  return json;
}

json_t *program_candidate_json(const struct program_claim *claim,
                               const struct program_counterexample *ce) {
  return with_text(common_json(claim, ce, "candidate"), table(claim, ce, false, NULL, NULL));
}

json_t *program_trend_json(const struct program_result *r) {
  if (r->trend.len < 2 || !r->length) return NULL;
  json_t *points = json_array();
  struct buffer b;
  buffer_init(&b);
  buffer_printf(&b, "loss by %s  at least ", r->length->name.text);
  for (size_t i = 0; i < r->trend.len; i++) {
    const struct program_trend_point *p = &r->trend.at[i];
    double loss = floor(p->loss * 1000) / 1000;
    json_array_append_new(points,
                          json_pack("{s:I, s:f}", "length", (json_int_t)p->length, "loss", loss));
    if (i)
      buffer_printf(&b, ", %.3f for %ld", loss, p->length);
    else
      buffer_printf(&b, "%.3f of the claim for %s = %ld", loss, r->length->name.text, p->length);
  }
  json_t *json = json_pack("{s:s, s:o, s:s}", "parameter", r->length->name.text, "points", points,
                           "text", buffer_text(&b));
  buffer_clear(&b);
  return json;
}

/* ---- automata ------------------------------------------------------------------------------- */

static void put_rational(struct buffer *out, const fmpq_t value) {
  rational_print(out, value);
}

/* `bot`, or for a real output the window in which it lies. */
static void put_output(struct buffer *out, const struct automaton *a,
                       const struct automaton_step *step) {
  if (step->what != OUTPUT_REAL) {
    buffer_puts(out, a->symbols.at[step->what]);
    return;
  }
  if (step->event.kind == EVENT_ANY) {
    buffer_puts(out, "any number");
    return;
  }
  if (step->event.low.side == 0) put_rational(out, step->event.low.at);
  if (step->event.kind == EVENT_VALUE) return;
  buffer_puts(out, "..");
  if (step->event.high.side == 0) put_rational(out, step->event.high.at);
}

/* Consecutive equal items are said once, with a count: `cont (12 times)`. */
static void put_sequence(struct buffer *out, const struct automaton_query *q,
                         void (*put)(struct buffer *, const struct automaton *,
                                     const struct automaton_step *)) {
  struct buffer last, item;
  size_t repeated = 0;
  buffer_init(&last);
  buffer_init(&item);
  for (size_t i = 0; i <= q->steps.len; i++) {
    item.len = 0;
    if (i < q->steps.len) put(&item, q->automaton, &q->steps.at[i]);
    if (i < q->steps.len && repeated && strcmp(buffer_text(&item), buffer_text(&last)) == 0) {
      repeated++;
      continue;
    }
    if (repeated) {
      if (out->len && out->text[out->len - 1] != ' ') buffer_puts(out, ", ");
      buffer_puts(out, buffer_text(&last));
      if (repeated > 1) buffer_printf(out, " (%zu times)", repeated);
    }
    last.len = 0;
    buffer_puts(&last, buffer_text(&item));
    repeated = 1;
  }
  buffer_clear(&last);
  buffer_clear(&item);
}

static void put_input(struct buffer *out, const struct automaton *a,
                      const struct automaton_step *step) {
  (void)a;
  put_rational(out, step->input);
}

static char *automaton_table(const struct automaton_counterexample *ce) {
  struct buffer b;
  buffer_init(&b);
  put_row(&b, "parameter");
  buffer_puts(&b, "eps = ");
  put_rational(&b, ce->eps);
  buffer_putc(&b, '\n');
  put_row(&b, "first run");
  put_sequence(&b, &ce->first, put_input);
  buffer_putc(&b, '\n');
  put_row(&b, "second run");
  put_sequence(&b, &ce->second, put_input);
  buffer_putc(&b, '\n');
  put_row(&b, "output");
  put_sequence(&b, &ce->first, put_output);
  buffer_putc(&b, '\n');
  put_row(&b, "probability");
  put_ball(&b, ce->p1);
  buffer_puts(&b, " in the first run, ");
  put_ball(&b, ce->p2);
  buffer_puts(&b, " in the second\n");
  put_row(&b, "loss");
  buffer_puts(&b, "at least ");
  ball_print_lower(&b, ce->loss, 6);
  buffer_puts(&b, " * eps, more than ");
  put_rational(&b, ce->claimed);
  buffer_puts(&b, " * eps");
  return buffer_take(&b);
}

void automaton_steps_json(const struct automaton_counterexample *ce, output_printer *print,
                          json_t **inputs, json_t **outputs) {
  struct buffer b;
  buffer_init(&b);
  *inputs = json_array();
  *outputs = json_array();
  for (size_t i = 0; i < ce->first.steps.len; i++) {
    json_array_append_new(*inputs,
                          json_pack("[o, o]", rational_to_json(ce->first.steps.at[i].input),
                                    rational_to_json(ce->second.steps.at[i].input)));
    b.len = 0;
    print(&b, ce->first.automaton, &ce->first.steps.at[i]);
    json_array_append_new(*outputs, json_string(buffer_text(&b)));
  }
  buffer_clear(&b);
}

json_t *automaton_counterexample_json(const struct automaton_counterexample *ce) {
  json_t *inputs, *outputs;
  automaton_steps_json(ce, put_output, &inputs, &outputs);
  char *text = automaton_table(ce);
  json_t *json = json_pack(
      "{s:s, s:o, s:o, s:o, s:o, s:I, s:[o, o], s:o, s:s}", "kind", "automaton", "eps",
      rational_to_json(ce->eps), "claimed", rational_to_json(ce->claimed), "inputs", inputs,
      "outputs", outputs, "iterations", (json_int_t)ce->iterations, "probabilities",
      ball_json(ce->p1), ball_json(ce->p2), "loss", ball_json(ce->loss), "text", text);
  free(text);
  return json;
}
