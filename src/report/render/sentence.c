#include "report/render/sentence.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/render/bound.h"
#include "report/render/html_put.h"
#include "report/render/record_text.h"

/* ---- what is claimed ------------------------------------------------------------------------- */

/* e^eps, e^(2*eps) */
static void put_factor(struct buffer *out, const char *epsilon) {
  buffer_printf(out, strpbrk(epsilon, " +-/*^") ? "e^(%s)" : "e^%s", epsilon);
}

static bool is_asked_for(const struct claim_record *c) {
  return c->epsilon && strcmp(c->epsilon, "?") == 0;
}

/* The bound that holds: the claimed one, or the one that was found where none was claimed. */
static void put_bound(struct buffer *out, const struct claim_record *c) {
  const char *epsilon = is_asked_for(c) && c->cost ? c->cost : c->epsilon;
  if (!epsilon) { /* records that were read may lack anything */
    buffer_puts(out, "the claim holds");
    return;
  }
  if (c->formula) {
    buffer_puts(out, "for all inputs, ");
    claim_formula_put(out, c, " holds of the result, but with a probability of at most ");
    return;
  }
  if (claim_is_of_law(c)) {
    buffer_printf(out, "for all inputs, the result has the distribution %s", c->epsilon);
    return;
  }
  if (c->notion) {
    buffer_puts(out, "the outputs on any two adjacent inputs satisfy ");
    claim_record_what(out, c);
    return;
  }
  buffer_puts(out, "on adjacent inputs no event is more than ");
  put_factor(out, epsilon);
  buffer_puts(out, " times as likely in one run as in the other");
  if (c->delta) buffer_printf(out, ", but for an additional %s", c->delta);
}

/* ---- verdicts -------------------------------------------------------------------------------- */

/* A proof may cost less than is claimed; then that cost is the one that may be tight. */
static bool costs_something_else(const struct claim_record *c, const char *cost) {
  return *cost && c->epsilon && !is_asked_for(c) && !c->formula && !claim_is_of_law(c) &&
         strcmp(cost, c->epsilon) != 0;
}

/* How much better a proof could be, as a sentence of its own. */
static void put_tight(struct buffer *out, const struct claim_record *c) {
  struct buffer words, cost;
  buffer_init(&words);
  buffer_init(&cost);
  if (!claim_loses_without_bound(c)) claim_bound_words(&words, c);
  claim_cost_put(&cost, c);
  bool tight = strncmp(buffer_text(&words), "tight", 5) == 0;
  if (costs_something_else(c, buffer_text(&cost)))
    buffer_printf(out, words.len ? " The cost is %s, which " : " The cost is %s.",
                  buffer_text(&cost));
  else if (words.len)
    buffer_puts(out, " It ");
  if (words.len)
    buffer_printf(out, tight ? "is %s." : "may not be tight: %s.", buffer_text(&words));
  buffer_clear(&words);
  buffer_clear(&cost);
}

static void put_proved(struct buffer *out, const struct claim_record *c) {
  if (c->kind == CLAIM_LEMMA) {
    buffer_puts(out, "Proved: the lemma holds for all values that satisfy its assumptions.");
    return;
  }
  buffer_puts(out, json_object_get(c->detail, "finite") ? "Proved for the values after `at` only: "
                                                        : "Proved: ");
  if (c->kind == CLAIM_AUTOMATON && !c->epsilon) {
    buffer_puts(out, "the automaton is private: on adjacent inputs, however long, no output is "
                     "more than ");
    bool one = c->cost && strcmp(c->cost, "1") == 0;
    buffer_printf(out, one ? "e^eps" : "e^(%s*eps)", c->cost ? c->cost : "D");
    buffer_puts(out, " times as likely in one run as in the other");
  } else {
    put_bound(out, c);
  }
  buffer_putc(out, '.');
  put_tight(out, c);
}

/* A ratio for people: what is reached is rounded down, what is allowed up, so that both are true. */
static void put_times(struct buffer *out, double ratio, double (*whole)(double)) {
  if (ratio < 10)
    buffer_printf(out, "%.2f times", whole(100 * ratio) / 100);
  else if (ratio < 1e6)
    buffer_printf(out, "%.0f times", whole(ratio));
  else
    buffer_printf(out, "over 10^%.0f times", floor(log10(ratio)));
}

/* How much likelier the output is in the first run than in the second. */
static void put_ratio(struct buffer *out, const json_t *ce) {
  const json_t *p = json_object_get(ce, "probabilities");
  double p1 = json_decimal(json_array_get(p, 0), "low_text"),
         p2 = json_decimal(json_array_get(p, 1), "high_text"),
         epsilon = json_decimal(json_object_get(ce, "epsilon"), "high_text"),
         delta = json_decimal(json_object_get(ce, "delta"), "high_text");
  buffer_puts(out, "for the inputs below, ");
  if (!(p2 > 0)) {
    buffer_printf(out,
                  "an output that the first run gives with probability %.3g is impossible in "
                  "the second",
                  p1);
    return;
  }
  buffer_puts(out, "the output is ");
  put_times(out, p1 / p2, floor);
  buffer_puts(out, " as likely in the first run as in the second");
  if (json_object_get(ce, "epsilon")) {
    buffer_puts(out, "; the claim allows ");
    put_times(out, exp(epsilon), ceil);
    if (delta > 0) buffer_printf(out, " and %.3g more", delta);
  }
}

static const char *loss_of(const json_t *ce) {
  return json_text(json_object_get(ce, "loss"), "low_text");
}

/* As on the line of the verdict: rounded down, and large numbers have no digits behind the point. */
static void put_loss(struct buffer *out, double loss) {
  if (loss < 1e3)
    buffer_printf(out, "%.3f", floor(1000 * loss) / 1000);
  else
    buffer_printf(out, loss < 1e6 ? "%.0f" : "%.3g", floor(loss));
}

/* The one that is shown is simple; another may lose more. */
static void put_losses(struct buffer *out, const json_t *ce) {
  const char *shown = loss_of(ce), *worst = loss_of(json_object_get(ce, "worst"));
  if (!shown || !worst || strstr(shown, "inf") || strstr(worst, "inf")) return;
  buffer_puts(out, " The counterexample shown is a simple one and loses ");
  put_loss(out, strtod(shown, NULL));
  buffer_puts(out, " times the claimed epsilon; the worst one found loses ");
  put_loss(out, strtod(worst, NULL));
  buffer_puts(out, " times.");
}

static void put_refuted(struct buffer *out, const struct claim_record *c) {
  const json_t *ce = c->counterexample;
  if (c->kind == CLAIM_LEMMA) {
    buffer_puts(out, "Refuted: the lemma is false.");
    return;
  }
  if (c->kind == CLAIM_AUTOMATON && !c->epsilon) {
    buffer_puts(out, "Refuted: the automaton is not private at any price; the longer the input, "
                     "the more it gives away. ");
    const char *claimed = json_text(ce, "claimed");
    if (claimed)
      buffer_printf(out, "The counterexample below shows a loss above %s times eps.", claimed);
    return;
  }
  buffer_puts(out, "Refuted: ");
  if (ce && c->formula) {
    buffer_printf(out,
                  "for the inputs below, %s fails with probability %.4g; the claim allows %.4g.",
                  c->formula,
                  json_decimal(json_array_get(json_object_get(ce, "probabilities"), 0), "low_text"),
                  json_decimal(json_object_get(ce, "epsilon"), "high_text"));
    return;
  }
  if (ce)
    put_ratio(out, ce);
  else
    buffer_puts(out, "a counterexample was certified");
  buffer_putc(out, '.');
  put_losses(out, ce);
}

static void put_admitted(struct buffer *out, const struct claim_record *c) {
  buffer_puts(out, claim_rests_on_solver(c)
                       ? "Accepted on the word of the solver: no evidence was checked."
                       : "Accepted, not proved: the proof uses admit.");
}

void verdict_sentence(struct buffer *out, const struct claim_record *c) {
  switch (c->verdict) {
  case VERDICT_PROVED: put_proved(out, c); break;
  case VERDICT_REFUTED: put_refuted(out, c); break;
  case VERDICT_ADMITTED: put_admitted(out, c); break;
  case VERDICT_UNKNOWN:
    buffer_puts(out, c->epsilon && strcmp(c->epsilon, "?") == 0
                         ? "Unknown: no cost could be proved. There may be one."
                         : "Unknown: neither a proof nor a counterexample was found. The claim may "
                           "be true or false.");
    break;
  }
}
