#include "ask/pair.h"

#include <jansson.h>
#include <stdlib.h>

#include "base/exit_codes.h"
#include "check/exact/divergence.h"
#include "report/record/decimal.h"

enum { MOST_ATTEMPTS = 4 }; /* each with twice the precision */

struct answers {
  arb_t delta[2], renyi[2]; /* first against second, and back */
};

static bool has_digits(const arb_t value, unsigned digits) {
  return arb_is_zero(value) || !arb_is_finite(value) ||
         (double)arb_rel_accuracy_bits(value) >= digits * 3.3219280948873623 + 1;
}

static bool all_precise(const struct prob_pair *pair, const struct answers *a) {
  unsigned digits = pair->question->digits;
  for (int i = 0; i < 2; i++)
    if ((pair->question->epsilon && !has_digits(a->delta[i], digits)) ||
        (pair->question->order && !has_digits(a->renyi[i], digits)))
      return false;
  return true;
}

/* Both distributions and what is asked about them, at one precision. False: *status says why not. */
static bool compute(const struct prob_pair *pair, slong precision, struct answers *a,
                    enum exact_status *status, char **why, struct span *where) {
  struct sampler *sampler = NULL;
  const struct exact_options options = {
      .precision = precision, .budget = pair->budget, .sampler = &sampler};
  struct exact_distribution d[2];
  *status = EXACT_OK;
  for (int i = 0; i < 2; i++) {
    exact_distribution_init(&d[i]);
    if (*status == EXACT_OK) {
      exact_distribution(pair->runs[i], &options, &d[i]);
      *status = d[i].status;
      *where = d[i].where;
      if (*status != EXACT_OK) *why = xstrdup(d[i].why);
    }
  }
  for (int i = 0; *status == EXACT_OK && i < 2; i++) {
    divergence_hockey_stick(a->delta[i], &d[i], &d[1 - i], pair->epsilon, precision);
    divergence_renyi(a->renyi[i], &d[i], &d[1 - i], pair->order, precision);
  }
  exact_distribution_clear(&d[0]);
  exact_distribution_clear(&d[1]);
  sampler_unref(sampler);
  return *status == EXACT_OK;
}

static const char *const directions[] = {"first against second", "second against first"};

static void put_line(struct buffer *out, const char *name, const arb_t value, unsigned digits,
                     const char *direction) {
  char *text = arb_is_finite(value)                ? prob_value_text(value, digits)
               : arf_is_pos_inf(arb_midref(value)) ? xstrdup("infinite")
                                                   : xstrdup("unknown");
  buffer_printf(out, "%-12s %s  (%s)\n", name, text, direction);
  free(text);
  if (!arb_is_finite(value)) return;
  char *low = prob_lower_text(value, digits + 3), *high = prob_upper_text(value, digits + 3);
  buffer_printf(out, "certified    %s .. %s\n", low, high);
  free(low);
  free(high);
}

static void put_json(json_t *json, const char *name, const arb_t values[2], unsigned digits) {
  json_t *list = json_array();
  for (int i = 0; i < 2; i++) {
    bool infinite = !arb_is_finite(values[i]) && arf_is_pos_inf(arb_midref(values[i]));
    json_t *one = json_pack("{s:s, s:b}", "direction", directions[i], "infinite", infinite);
    if (arb_is_finite(values[i])) prob_set_value(one, values[i], digits);
    json_array_append_new(list, one);
  }
  json_object_set_new(json, name, list);
}

static void put_answers(const struct prob_pair *pair, const struct answers *a, struct buffer *out,
                        json_t *json) {
  unsigned digits = pair->question->digits;
  if (json) {
    if (pair->question->epsilon) put_json(json, "delta", a->delta, digits);
    if (pair->question->order) put_json(json, "renyi", a->renyi, digits);
    return;
  }
  for (int i = 0; pair->question->epsilon && i < 2; i++)
    put_line(out, "delta", a->delta[i], digits, directions[i]);
  for (int i = 0; pair->question->order && i < 2; i++)
    put_line(out, "renyi", a->renyi[i], digits, directions[i]);
}

int prob_pair(const struct prob_pair *pair, struct buffer *out, json_t *json,
              enum exact_status *status, char **why, struct span *where) {
  struct answers a;
  for (int i = 0; i < 2; i++) {
    arb_init(a.delta[i]);
    arb_init(a.renyi[i]);
  }
  slong precision = (slong)(pair->question->digits * 3.33) + 40;
  bool ok = false, precise = false;
  for (int attempt = 0; attempt < MOST_ATTEMPTS && !precise; attempt++, precision *= 2) {
    ok = compute(pair, precision, &a, status, why, where);
    if (!ok) break;
    precise = all_precise(pair, &a);
  }
  if (json)
    json_object_set_new(json, "status", json_string(precise ? "ok" : ok ? "imprecise" : "limit"));
  if (ok) put_answers(pair, &a, out, json);
  for (int i = 0; i < 2; i++) {
    arb_clear(a.delta[i]);
    arb_clear(a.renyi[i]);
  }
  return precise ? COUPLET_EXIT_PROVED : COUPLET_EXIT_UNKNOWN;
}
