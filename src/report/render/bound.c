#include "report/render/bound.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "num/rational.h"
#include "num/real/decimal.h"
#include "out/fill.h"

/* ---- costs ----------------------------------------------------------------------------------- */

/* A cost as a number times the rest of its text: `3*eps/2` is 3/2 times `eps`. */
struct cost {
  fmpq_t number;
  const char *rest;
  size_t length;
};

/* Does it bind more loosely than a product? Inside of parentheses anything may stand. */
static bool is_compound(const char *text, size_t length) {
  int depth = 0;
  for (size_t i = 0; i < length; i++) {
    depth += text[i] == '(';
    depth -= text[i] == ')';
    if (depth == 0 && strchr(" +-", text[i])) return true;
  }
  return false;
}

/* Takes a leading `5/4*` into the number. */
static void take_factor(struct cost *c) {
  size_t digits = strspn(c->rest, "0123456789./");
  if (digits && digits + 1 < c->length && c->rest[digits] == '*' &&
      rational_parse(c->number, c->rest, digits, NULL)) {
    c->rest += digits + 1;
    c->length -= digits + 1;
  }
}

/* Takes a trailing `/2` into the number. */
static void take_divisor(struct cost *c) {
  size_t digits = 0;
  fmpq_t divisor;
  while (digits < c->length && strchr("0123456789", c->rest[c->length - 1 - digits]))
    digits++;
  if (!digits || digits + 1 >= c->length || c->rest[c->length - 1 - digits] != '/') return;
  fmpq_init(divisor);
  if (rational_parse(divisor, c->rest + c->length - digits, digits, NULL) &&
      !fmpq_is_zero(divisor)) {
    fmpq_div(c->number, c->number, divisor);
    c->length -= digits + 1;
  }
  fmpq_clear(divisor);
}

static void cost_init(struct cost *c, const char *text) {
  fmpq_init(c->number);
  fmpq_one(c->number);
  c->rest = text;
  c->length = strlen(text);
  if (rational_parse_str(c->number, text, NULL)) {
    c->length = 0;
  } else if (!is_compound(text, c->length)) {
    take_factor(c);
    take_divisor(c);
  }
}

static void cost_clear(struct cost *c) {
  fmpq_clear(c->number);
}

static bool same_rest(const struct cost *a, const struct cost *b) {
  return a->length == b->length && memcmp(a->rest, b->rest, a->length) == 0;
}

/* Rounded down: it is printed as a bound. */
static void cost_print(struct buffer *out, const struct cost *c) {
  bool compound = is_compound(c->rest, c->length);
  bool quotient = !compound && strncmp(c->rest, "1/", 2) == 0; /* 0.999/N, not 0.999*1/N */
  rational_print_decimal(out, c->number, 4, ROUND_DOWN);
  if (c->length)
    buffer_printf(out,
                  compound   ? "*(%.*s)"
                  : quotient ? "%.*s"
                             : "*%.*s",
                  (int)c->length - quotient, c->rest + quotient);
}

/* ---- bounds ---------------------------------------------------------------------------------- */

/* The cost that the bound of the record is a multiple of, or NULL. */
static const char *unit_of(const struct claim_record *c) {
  double unused;
  const char *unit = claim_lower_number(c, &unused);
  if (!unit || strcmp(unit, "eps") == 0) return unit;
  return c->epsilon && strcmp(c->epsilon, "?") == 0 ? c->cost : c->epsilon;
}

/* False: the record has no bound above 0, and there is nothing to clear. */
static bool bound_init(struct cost *bound, const struct claim_record *c) {
  const char *unit = unit_of(c);
  if (!unit) return false;
  fmpq_t factor;
  fmpq_init(factor);
  bool known =
      rational_parse(factor, c->lower, strcspn(c->lower, " "), NULL) && fmpq_sgn(factor) > 0;
  if (known) {
    cost_init(bound, unit);
    fmpq_mul(bound->number, bound->number, factor);
  }
  fmpq_clear(factor);
  return known;
}

/* The cost that was proved, with its unit; NULL: none. The caller frees. */
static char *proved_cost(const struct claim_record *c) {
  struct buffer b;
  buffer_init(&b);
  claim_cost_put(&b, c);
  char *text = b.len ? xstrdup(buffer_text(&b)) : c->epsilon ? xstrdup(c->epsilon) : NULL;
  buffer_clear(&b);
  return text;
}

/* Is what was proved the truth, up to a twentieth? */
static bool is_tight(const struct claim_record *c, const struct cost *bound) {
  char *text = c->verdict == VERDICT_PROVED ? proved_cost(c) : NULL;
  if (!text) return false;
  struct cost proved;
  fmpq_t nearly;
  fmpq_init(nearly);
  fmpq_set_si(nearly, 19, 20);
  cost_init(&proved, text);
  fmpq_mul(nearly, nearly, proved.number);
  bool tight = same_rest(&proved, bound) && fmpq_cmp(bound->number, nearly) >= 0;
  cost_clear(&proved);
  fmpq_clear(nearly);
  free(text);
  return tight;
}

/* ---- words ----------------------------------------------------------------------------------- */

void claim_formula_put(struct buffer *out, const struct claim_record *c, const char *between) {
  bool in_formula = strchr(c->formula, '?') != NULL;
  bool is_found = c->cost && c->epsilon && strcmp(c->epsilon, "?") == 0;
  fill_holes(out, c->formula, strlen(c->formula), in_formula && c->cost ? c->cost : "?");
  const char *failure = is_found && !in_formula ? c->cost : c->epsilon;
  buffer_printf(out, "%s%s", between, failure ? failure : "?");
}

void claim_cost_put(struct buffer *out, const struct claim_record *c) {
  if (!c->cost) return;
  if (c->kind != CLAIM_AUTOMATON || strcmp(c->cost, "0") == 0)
    buffer_puts(out, c->cost);
  else
    buffer_printf(out, strcmp(c->cost, "1") == 0 ? "eps" : "%s*eps", c->cost);
}

void claim_bound_put(struct buffer *out, const struct claim_record *c) {
  struct cost bound;
  if (claim_loses_without_bound(c)) {
    buffer_puts(out, "unbounded");
  } else if (bound_init(&bound, c)) {
    cost_print(out, &bound);
    cost_clear(&bound);
  }
}

void claim_bound_words(struct buffer *out, const struct claim_record *c) {
  struct cost bound;
  if (claim_loses_without_bound(c)) {
    buffer_puts(out, "loses without bound");
    return;
  }
  if (!bound_init(&bound, c)) return;
  if (c->verdict == VERDICT_REFUTED) {
    bool of_claim = strchr(c->lower, ' ') != NULL;
    buffer_printf(out, "loses at least %s%s", c->lower, of_claim ? "" : "*eps");
  } else {
    buffer_printf(out, "%s%sno proof can be below ", is_tight(c, &bound) ? "tight: " : "",
                  c->delta ? "with this delta " : "");
    cost_print(out, &bound);
  }
  cost_clear(&bound);
}

void claim_costs_words(struct buffer *out, const struct claim_record *c) {
  struct buffer words;
  buffer_init(&words);
  claim_bound_words(&words, c);
  if (c->cost && !c->formula && !claim_is_of_law(c)) {
    buffer_puts(out, c->verdict == VERDICT_REFUTED ? ", but costs " : ", cost ");
    claim_cost_put(out, c);
  }
  if (words.len) buffer_printf(out, ", %s", buffer_text(&words));
  buffer_clear(&words);
}
