#include "report/counterexample.h"

#include <stdlib.h>
#include <string.h>

#include "lang/print.h"
#include "num/ball.h"

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

/* {"low": "0.123", "high": "0.124"}: decimal bounds, rounded outwards. */
static json_t *ball_json(const arb_t ball) {
  struct buffer low, high;
  buffer_init(&low);
  buffer_init(&high);
  ball_print_lower(&low, ball, 12);
  ball_print_upper(&high, ball, 12);
  json_t *json = json_pack("{s:s, s:s}", "low", buffer_text(&low), "high", buffer_text(&high));
  buffer_clear(&low);
  buffer_clear(&high);
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

static void put_inputs(struct buffer *out, const struct ast_routine *routine,
                       const struct program_counterexample *ce) {
  for (size_t i = 0; i < ce->input_count; i++) {
    bool same = same_value(&ce->inputs[0][i], &ce->inputs[1][i]);
    for (int run = 0; run < (same ? 1 : 2); run++) {
      put_row(out, same ? (i ? "" : "inputs") : run == 0 ? "first run" : "second run");
      buffer_printf(out, "%s = ", routine->args[i]->name.text);
      rvalue_print(out, &ce->inputs[run][i]);
      buffer_puts(out, same ? "  (in both runs)\n" : "\n");
    }
  }
}

static void put_outputs(struct buffer *out, const struct program_counterexample *ce) {
  enum { SHOWN = 6 };
  put_row(out, "output");
  if (ce->outputs.len > 1) buffer_puts(out, "one of ");
  for (size_t i = 0; i < ce->outputs.len && i < SHOWN; i++) {
    if (i) buffer_puts(out, ", ");
    pattern_print(out, &ce->outputs.at[i]);
  }
  if (ce->outputs.len > SHOWN) buffer_printf(out, ", ... (%zu in all)", ce->outputs.len);
  if (ce->is_density) buffer_puts(out, "  (a small box around it)");
  buffer_putc(out, '\n');
}

static void put_ball(struct buffer *out, const arb_t ball) {
  ball_print(out, ball, 6);
}

static void put_verdict(struct buffer *out, const struct program_claim *claim,
                        const struct program_counterexample *ce) {
  const char *what = ce->is_density ? "density" : "probability";
  put_row(out, what);
  put_ball(out, ce->p1);
  buffer_puts(out, " in the first run, ");
  put_ball(out, ce->p2);
  buffer_puts(out, " in the second\n");
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
  if (arb_is_finite(ce->loss)) {
    buffer_puts(out, "at least ");
    ball_print_lower(out, ce->loss, 4);
    buffer_puts(out, " times the claimed epsilon");
  } else {
    buffer_puts(out, "unbounded: the second run cannot do this");
  }
  (void)claim;
}

static char *table(const struct program_claim *claim, const struct program_counterexample *ce) {
  const struct ast_routine *routine = claim->claim->as.claim.target->as.mechanism.routine;
  struct buffer b;
  buffer_init(&b);
  if (ce->params.len) {
    put_row(&b, "parameters");
    for (size_t i = 0; i < ce->params.len; i++) {
      buffer_printf(&b, "%s%s = ", i ? ", " : "", ce->params.at[i].decl->name.text);
      rvalue_print(&b, &ce->params.at[i].value);
    }
    buffer_putc(&b, '\n');
  }
  put_inputs(&b, routine, ce);
  put_outputs(&b, ce);
  put_verdict(&b, claim, ce);
  return buffer_take(&b);
}

json_t *program_counterexample_json(const struct program_claim *claim,
                                    const struct program_counterexample *ce) {
  const struct ast_routine *routine = claim->claim->as.claim.target->as.mechanism.routine;
  json_t *params = json_object(), *inputs = json_object(), *outputs = json_array();
  for (size_t i = 0; i < ce->params.len; i++)
    json_object_set_new(params, ce->params.at[i].decl->name.text,
                        value_text(&ce->params.at[i].value));
  for (size_t i = 0; i < ce->input_count; i++)
    json_object_set_new(
        inputs, routine->args[i]->name.text,
        json_pack("[o, o]", value_text(&ce->inputs[0][i]), value_text(&ce->inputs[1][i])));
  for (size_t i = 0; i < ce->outputs.len; i++)
    json_array_append_new(outputs, pattern_text(&ce->outputs.at[i]));
  char *text = table(claim, ce);
  json_t *json =
      json_pack("{s:s, s:s?, s:o, s:o, s:o, s:b, s:[o, o], s:o, s:o, s:o, s:s}", "kind", "program",
                "instance", ce->instance ? ce->instance->name.text : NULL, "parameters", params,
                "inputs", inputs, "outputs", outputs, "is_density", ce->is_density, "probabilities",
                ball_json(ce->p1), ball_json(ce->p2), "epsilon", ball_json(ce->epsilon), "delta",
                ball_json(ce->delta), "loss", ball_json(ce->loss), "text", text);
  free(text);
  return json;
}
