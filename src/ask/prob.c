#include "ask/prob.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "ask/curve.h"
#include "ask/pair.h"
#include "ask/replay.h"
#include "base/exit_codes.h"
#include "check/exact/exact.h"
#include "num/rational.h"
#include "num/real/ball.h"
#include "report/record/decimal.h"

enum { MOST_ATTEMPTS = 4 }; /* each with twice the precision */

/* One question and what is known about it. */
struct asked {
  const struct prob_question *question;
  struct prob_answer *answer;
  struct lang *lang; /* of the answer */
  struct program_file file;
  struct interp in;
  bool has_interp;
  struct budget budget;
  struct pattern event;
  json_t *observed; /* of the Python function; NULL: not asked for */
};

/* ---- text of numbers ------------------------------------------------------------------------ */

char *prob_lower_text(const arb_t value, unsigned digits) {
  struct buffer b;
  buffer_init(&b);
  ball_print_lower(&b, value, digits);
  return buffer_take(&b);
}

char *prob_upper_text(const arb_t value, unsigned digits) {
  struct buffer b;
  buffer_init(&b);
  ball_print_upper(&b, value, digits);
  return buffer_take(&b);
}

char *prob_value_text(const arb_t value, unsigned digits) {
  struct buffer b;
  buffer_init(&b);
  ball_print(&b, value, digits);
  return buffer_take(&b);
}

static json_t *taken(char *text) {
  json_t *json = json_string(text);
  free(text);
  return json;
}

static const char *status_name(enum exact_status status, bool precise) {
  switch (status) {
  case EXACT_OK: return precise ? "ok" : "imprecise";
  case EXACT_TIMEOUT: return "timeout";
  case EXACT_UNLISTED:
  case EXACT_UNSUPPORTED: break;
  }
  return "limit";
}

static json_t *json_head(const struct asked *a, const char *kind, const char *status) {
  return json_pack("{s:i, s:s, s:s, s:s, s:s?, s:s}", "version", JSON_VERSION, "file",
                   a->question->path, "kind", kind, "mechanism", a->in.mechanism->name.text,
                   "instance", a->in.instance ? a->in.instance->name.text : NULL, "status", status);
}

void prob_set_value(json_t *json, const arb_t value, unsigned digits) {
  char *texts[] = {prob_value_text(value, digits), prob_lower_text(value, digits + 3),
                   prob_upper_text(value, digits + 3)};
  static const char *const names[] = {"value", "lower", "upper"};
  for (size_t i = 0; i < 3; i++) {
    json_set_decimal(json, names[i], texts[i]);
    free(texts[i]);
  }
}

/* Does the ball have the digits? Below the resolution of the output nothing is asked. */
static bool has_digits(const arb_t value, unsigned digits) {
  if (arb_is_zero(value)) return true;
  return (double)arb_rel_accuracy_bits(value) >= digits * 3.3219280948873623 + 1;
}

static slong first_precision(unsigned digits) {
  slong bits = (slong)(digits * 3.33) + 64;
  return bits < EXACT_PRECISION ? EXACT_PRECISION : bits;
}

/* Where the engine gave up, as a diagnostic. */
static int report_obstacle(struct asked *a, enum exact_status status, const char *why,
                           struct span where) {
  const char *code = status == EXACT_TIMEOUT ? "out-of-time" : "not-exact";
  diag_error(&a->lang->diags, where, code, "%s", why);
  if (status == EXACT_TIMEOUT)
    diag_hint(&a->lang->diags, "give more time with --timeout");
  else if (status == EXACT_UNLISTED)
    diag_hint(&a->lang->diags,
              "--output 0..1 for a number, '(_, ..2)' for a pair, '[true, ...]' for "
              "a stream (docs/refutation.md)");
  return COUPLET_EXIT_UNKNOWN;
}

/* ---- an event ------------------------------------------------------------------------------- */

static void put_event(struct buffer *b, const struct asked *a, const struct exact_result *r) {
  unsigned digits = a->question->digits;
  char *value = prob_value_text(r->probability, digits),
       *low = prob_lower_text(r->probability, digits + 3),
       *high = prob_upper_text(r->probability, digits + 3);
  if (a->question->json) {
    json_t *json = json_head(
        a, "event", status_name(r->status, !r->is_bound && has_digits(r->probability, digits)));
    struct buffer event;
    buffer_init(&event);
    pattern_print(&event, &a->event);
    json_object_set_new(json, "output", taken(buffer_take(&event)));
    json_object_set_new(json, "dimension", json_integer(r->points));
    prob_set_value(json, r->probability, digits);
    if (r->is_bound) json_set_decimal(json, "upper", "1");
    if (r->counted) json_object_set_new(json, "words", json_string(r->counted));
    if (a->observed) json_object_set(json, "replay", a->observed);
    json_put(b, json);
  } else {
    if (r->points)
      buffer_printf(b, "density      %s  (of dimension %u)\n", value, r->points);
    else
      buffer_printf(b, "probability  %s%s\n", r->is_bound ? "at least " : "", value);
    if (!r->is_bound) buffer_printf(b, "certified    %s .. %s\n", low, high);
    if (r->counted) buffer_printf(b, "words        %s\n", r->counted);
    if (a->observed) {
      buffer_puts(b, "observed     ");
      replay_put(b, json_integer_value(json_object_get(a->observed, "matched")), a->observed);
      buffer_puts(b, "\n");
    }
  }
  free(value);
  free(low);
  free(high);
}

static int answer_event(struct asked *a) {
  unsigned digits = a->question->digits;
  struct exact_options options = {
      .precision = first_precision(digits), .budget = &a->budget, .bound_will_do = true};
  struct exact_result r;
  int status = COUPLET_EXIT_UNKNOWN;
  for (int attempt = 0;; attempt++, options.precision *= 2) {
    exact_result_init(&r);
    exact_probability(&a->in, &a->event, &options, &r);
    bool precise = r.status == EXACT_OK && has_digits(r.probability, digits);
    if (precise && !r.is_bound) status = COUPLET_EXIT_PROVED;
    if (precise || r.status != EXACT_OK || attempt + 1 == MOST_ATTEMPTS) break;
    exact_result_clear(&r);
  }
  if (r.status != EXACT_OK)
    status = report_obstacle(a, r.status, r.why, r.where);
  else
    put_event(&a->answer->text, a, &r);
  exact_result_clear(&r);
  return status;
}

/* ---- the distribution ----------------------------------------------------------------------- */

static int by_output(const void *a, const void *b) {
  int order;
  return rvalue_compare(&order, &((const struct exact_outcome *)a)->output,
                        &((const struct exact_outcome *)b)->output)
             ? order
             : 0;
}

/* What was cut from infinite tables might belong to any output. */
static void spread_lost(struct exact_distribution *d) {
  arb_t most;
  arb_init(most);
  for (size_t i = 0; !arb_is_zero(d->lost) && i < d->outcomes.len; i++) {
    arb_ptr p = d->outcomes.at[i].probability;
    arb_add(most, p, d->lost, EXACT_PRECISION);
    arb_union(p, p, most, EXACT_PRECISION);
  }
  arb_clear(most);
}

/* Outputs less likely than one unit of the last digit are summed up as the rest. */
static bool is_shown(const arb_t probability, unsigned digits) {
  arb_t unit;
  arb_init(unit);
  arb_set_si(unit, 10);
  arb_pow_ui(unit, unit, digits, EXACT_PRECISION);
  arb_inv(unit, unit, EXACT_PRECISION);
  bool shown = !arb_lt(probability, unit);
  arb_clear(unit);
  return shown;
}

static bool all_precise(const struct exact_distribution *d, unsigned digits) {
  for (size_t i = 0; i < d->outcomes.len; i++)
    if (is_shown(d->outcomes.at[i].probability, digits) &&
        !has_digits(d->outcomes.at[i].probability, digits))
      return false;
  return true;
}

/* How often the Python function had this output. */
static void put_observed(struct buffer *b, const struct asked *a, const char *output) {
  if (!a->observed) return;
  const json_t *count = json_object_get(json_object_get(a->observed, "outputs"), output);
  buffer_puts(b, "  observed ");
  replay_put(b, json_integer_value(count), a->observed);
}

static void put_rows(struct buffer *b, const struct asked *a, const struct exact_distribution *d,
                     const arb_t rest, size_t hidden) {
  unsigned digits = a->question->digits;
  VEC(char *) outputs = {0};
  size_t width = strlen("output");
  for (size_t i = 0; i < d->outcomes.len; i++) {
    struct buffer text;
    buffer_init(&text);
    rvalue_print(&text, &d->outcomes.at[i].output);
    if (is_shown(d->outcomes.at[i].probability, digits) && text.len > width) width = text.len;
    vec_push(&outputs, buffer_take(&text));
  }
  buffer_printf(b, "%-*s  probability\n", (int)width, "output");
  for (size_t i = 0; i < d->outcomes.len; i++) {
    if (is_shown(d->outcomes.at[i].probability, digits)) {
      char *value = prob_value_text(d->outcomes.at[i].probability, digits);
      buffer_printf(b, "%-*s  %s", (int)width, outputs.at[i], value);
      put_observed(b, a, outputs.at[i]);
      buffer_puts(b, "\n");
      free(value);
    }
    free(outputs.at[i]);
  }
  vec_clear(&outputs);
  if (hidden || !arb_is_zero(rest)) {
    char *most = prob_upper_text(rest, 3);
    buffer_printf(b, "%-*s  at most %s\n", (int)width, "others", most);
    free(most);
  }
}

static void put_distribution_json(struct buffer *b, const struct asked *a,
                                  const struct exact_distribution *d, const arb_t rest) {
  unsigned digits = a->question->digits;
  json_t *json = json_head(a, "distribution", status_name(d->status, all_precise(d, digits)));
  json_t *outcomes = json_array();
  for (size_t i = 0; i < d->outcomes.len; i++) {
    const arb_struct *p = d->outcomes.at[i].probability;
    if (!is_shown(p, digits)) continue;
    struct buffer text;
    buffer_init(&text);
    rvalue_print(&text, &d->outcomes.at[i].output);
    json_t *one = json_pack("{s:o}", "output", taken(buffer_take(&text)));
    prob_set_value(one, p, digits);
    json_array_append_new(outcomes, one);
  }
  json_object_set_new(json, "outcomes", outcomes);
  char *most = prob_upper_text(rest, 3);
  json_set_decimal(json, "others", most);
  free(most);
  if (a->observed) json_object_set(json, "replay", a->observed);
  json_put(b, json);
}

static void put_distribution(struct buffer *b, const struct asked *a,
                             const struct exact_distribution *d) {
  unsigned digits = a->question->digits;
  size_t hidden = 0;
  arb_t rest;
  arb_init(rest);
  arb_set(rest, d->lost);
  for (size_t i = 0; i < d->outcomes.len; i++)
    if (!is_shown(d->outcomes.at[i].probability, digits)) {
      arb_add(rest, rest, d->outcomes.at[i].probability, EXACT_PRECISION);
      hidden += !arb_is_zero(d->outcomes.at[i].probability);
    }
  if (a->question->json)
    put_distribution_json(b, a, d, rest);
  else
    put_rows(b, a, d, rest, hidden);
  arb_clear(rest);
}

/* False: there is no curve. */
static bool answer_curve(struct asked *a) {
  const struct prob_question *q = a->question;
  struct exact_options options = {.precision = EXACT_PRECISION, .budget = &a->budget};
  double low = q->low, high = q->high;
  if (!q->curve || !q->json || !curve_fits(&a->in)) return false;
  if (low >= high && !curve_range(&a->in, &low, &high)) return false;
  json_t *points = curve_points(&a->in, low, high, &options, q->digits);
  if (!points) return false;
  json_t *json = json_head(a, "density", "ok");
  json_object_set_new(json, "low", json_real(low));
  json_object_set_new(json, "high", json_real(high));
  json_object_set_new(json, "points", points);
  json_put(&a->answer->text, json);
  return true;
}

static int answer_distribution(struct asked *a) {
  struct exact_options options = {.precision = first_precision(a->question->digits),
                                  .budget = &a->budget};
  struct exact_distribution d;
  int status = COUPLET_EXIT_UNKNOWN;
  for (int attempt = 0;; attempt++, options.precision *= 2) {
    exact_distribution_init(&d);
    exact_distribution(&a->in, &options, &d);
    spread_lost(&d);
    bool precise = d.status == EXACT_OK && all_precise(&d, a->question->digits);
    if (precise) status = COUPLET_EXIT_PROVED;
    if (precise || d.status != EXACT_OK || attempt + 1 == MOST_ATTEMPTS) break;
    exact_distribution_clear(&d);
  }
  if ((d.status == EXACT_UNLISTED || d.status == EXACT_UNSUPPORTED) && answer_curve(a)) {
    status = COUPLET_EXIT_PROVED;
  } else if (d.status != EXACT_OK) {
    status = report_obstacle(a, d.status, d.why, d.where);
  } else {
    if (d.outcomes.len) qsort(d.outcomes.at, d.outcomes.len, sizeof *d.outcomes.at, by_output);
    put_distribution(&a->answer->text, a, &d);
  }
  exact_distribution_clear(&d);
  return status;
}

/* ---- two runs ------------------------------------------------------------------------------- */

/* Does the option give the same name as one of the list? */
static bool is_given(const option_list *list, const char *option) {
  size_t length = strcspn(option, "=");
  for (size_t i = 0; i < list->len; i++)
    if (strncmp(list->at[i], option, length + 1) == 0) return true;
  return false;
}

/* The second run: the inputs of the first, but for those that are given for it. */
static int set_up_other(struct asked *a, struct interp *other, char **why) {
  struct program_args args = *a->question->program;
  option_list inputs = {0};
  for (size_t i = 0; i < args.inputs.len; i++)
    if (!is_given(a->question->others, args.inputs.at[i])) vec_push(&inputs, args.inputs.at[i]);
  for (size_t i = 0; i < a->question->others->len; i++)
    vec_push(&inputs, a->question->others->at[i]);
  args.inputs = inputs;
  int status = program_set_up(other, &a->file, a->in.mechanism, &args, INTERP_MAX_STEPS, why);
  vec_clear(&inputs);
  return status;
}

/* The number of an option, at least `least`; absent: 2, which is not shown. */
static bool read_number(arb_t out, const char *option, const char *text, slong least, bool strictly,
                        char **why) {
  const char *reason;
  fmpq_t value;
  fmpq_init(value);
  fmpq_set_si(value, 2, 1);
  bool ok = !text || rational_parse_str(value, text, &reason);
  if (!ok) *why = xasprintf("%s: '%s' is not a number: %s", option, text, reason);
  int order = fmpq_cmp_si(value, least);
  if (ok && (strictly ? order <= 0 : order < 0)) {
    *why = xasprintf("%s must be %s %ld", option, strictly ? "above" : "at least", (long)least);
    ok = false;
  }
  arb_set_fmpq(out, value, 4096);
  fmpq_clear(value);
  return ok;
}

static int ask_pair(struct asked *a, struct interp *other, char **why) {
  struct prob_pair pair = {.question = a->question, .runs = {&a->in, other}, .budget = &a->budget};
  enum exact_status problem = EXACT_OK;
  struct span where;
  char *reason = NULL;
  int status = COUPLET_EXIT_USAGE;
  arb_init(pair.epsilon);
  arb_init(pair.order);
  if (read_number(pair.epsilon, "--epsilon", a->question->epsilon, 0, false, why) &&
      read_number(pair.order, "--order", a->question->order, 1, true, why)) {
    json_t *json = a->question->json ? json_head(a, "pair", "ok") : NULL;
    status = prob_pair(&pair, &a->answer->text, json, &problem, &reason, &where);
    if (problem != EXACT_OK) {
      status = report_obstacle(a, problem, reason, where);
      json_decref(json);
    } else if (json) {
      json_put(&a->answer->text, json);
    }
  }
  free(reason);
  arb_clear(pair.epsilon);
  arb_clear(pair.order);
  return status;
}

static int answer_pair(struct asked *a, char **why) {
  struct interp other;
  int status = set_up_other(a, &other, why);
  if (!status) status = ask_pair(a, &other, why);
  interp_clear(&other);
  return status;
}

/* ---- the question --------------------------------------------------------------------------- */

static bool read_event(struct asked *a, char **why) {
  const char *text = a->question->output;
  size_t at;
  char *reason = NULL;
  if (!text || pattern_parse(&a->event, text, &at, &reason)) return true;
  *why = xasprintf("--output: %s at column %zu of '%s'", reason, at + 1, text);
  free(reason);
  return false;
}

static int set_up(struct asked *a, char **why) {
  const struct prob_question *q = a->question;
  a->file = (struct program_file){q->path, a->lang,
                                  translate_load(a->lang, q->path, &q->program->translation)};
  if (a->lang->diags.errors) return COUPLET_EXIT_INPUT;
  const struct ast_decl *mechanism =
      program_choose(&a->file, DECL_MECHANISM, "mechanism", q->program->mechanism, why);
  if (!mechanism) return COUPLET_EXIT_USAGE;
  if (mechanism->kind != DECL_MECHANISM) {
    *why = xasprintf("'%s' is an automaton: give --eps E, and --output O,O,.. or --path; inputs by "
                     "--inputs X,X,..",
                     mechanism->name.text);
    return COUPLET_EXIT_USAGE;
  }
  if (!read_event(a, why)) return COUPLET_EXIT_USAGE;
  a->has_interp = true;
  return program_set_up(&a->in, &a->file, mechanism, q->program, INTERP_MAX_STEPS, why);
}

/* NAME=VALUE as they were given. */
static json_t *values_of(const option_list *list) {
  json_t *values = json_object();
  for (size_t i = 0; i < list->len; i++) {
    const char *equals = strchr(list->at[i], '=');
    char *name = equals ? xasprintf("%.*s", (int)(equals - list->at[i]), list->at[i]) : NULL;
    if (name) json_object_set_new(values, name, json_string(equals + 1));
    free(name);
  }
  return values;
}

/* False, with *why: the function could not be run. */
static bool observe(struct asked *a, char **why) {
  const struct prob_question *q = a->question;
  json_t *parameters = values_of(&q->program->params), *inputs = values_of(&q->program->inputs);
  json_t *outputs = q->output ? json_pack("[s]", q->output) : NULL;
  a->observed = replay_run(&(struct replay_request){.path = q->path,
                                                    .mechanism = a->in.mechanism->name.text,
                                                    .claims = &q->program->translation.claims,
                                                    .runs = q->replay,
                                                    .parameters = parameters,
                                                    .inputs = inputs,
                                                    .outputs = outputs},
                           why);
  json_decref(parameters);
  json_decref(inputs);
  json_decref(outputs);
  return a->observed != NULL;
}

static int answer_question(struct asked *a) {
  char *why = NULL;
  if (a->question->replay && !observe(a, &why)) {
    diag_error(&a->lang->diags, span_none(), "replay-failed", "the function cannot be run: %s",
               why);
    free(why);
    return COUPLET_EXIT_INPUT;
  }
  if (a->question->others && a->question->others->len) return answer_pair(a, &a->answer->why);
  return a->question->output ? answer_event(a) : answer_distribution(a);
}

void prob_answer_init(struct prob_answer *answer) {
  *answer = (struct prob_answer){.status = COUPLET_EXIT_INTERNAL};
  lang_init(&answer->lang);
  buffer_init(&answer->text);
}

void prob_answer_clear(struct prob_answer *answer) {
  lang_clear(&answer->lang);
  buffer_clear(&answer->text);
  free(answer->why);
}

void prob_ask(struct prob_answer *answer, const struct prob_question *question) {
  struct asked a = {.question = question,
                    .answer = answer,
                    .lang = &answer->lang,
                    .budget = budget_of_seconds(question->timeout)};
  answer->status = set_up(&a, &answer->why);
  if (!answer->status) answer->status = answer_question(&a);
  pattern_clear(&a.event);
  json_decref(a.observed);
  if (a.has_interp) interp_clear(&a.in);
}
