#include "check/exact/event.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "base/vec.h"
#include "num/rational.h"

void pattern_clear(struct pattern *p) {
  rvalue_clear(&p->value);
  rvalue_clear(&p->low);
  rvalue_clear(&p->high);
  for (size_t i = 0; i < p->count; i++)
    pattern_clear(&p->items[i]);
  free(p->items);
  *p = (struct pattern){0};
}

struct reader {
  const char *text, *at;
  char *why;
  unsigned depth;
};

static void skip_blanks(struct reader *r) {
  while (isspace((unsigned char)*r->at))
    r->at++;
}

static bool fail(struct reader *r, const char *why) {
  if (!r->why) r->why = xstrdup(why);
  return false;
}

static bool accept(struct reader *r, const char *word) {
  skip_blanks(r);
  size_t length = strlen(word);
  if (strncmp(r->at, word, length) != 0) return false;
  r->at += length;
  return true;
}

/* A number ends where it cannot go on; `..` is not a decimal point. */
static bool read_number(struct reader *r, struct rvalue *out) {
  skip_blanks(r);
  const char *end = r->at;
  if (*end == '-' || *end == '+') end++;
  while (isdigit((unsigned char)*end) || *end == '/' || (*end == '.' && end[1] != '.') ||
         *end == 'e' || ((*end == '-' || *end == '+') && end[-1] == 'e'))
    end++;
  fmpq_t q;
  fmpq_init(q);
  const char *why = NULL;
  bool ok = end > r->at && rational_parse(q, r->at, (size_t)(end - r->at), &why);
  if (ok) {
    *out = rvalue_fmpq(q);
    r->at = end;
  }
  fmpq_clear(q);
  return ok || fail(r, why ? why : "expected a value, an interval, a list, a tuple or _");
}

static bool read_pattern(struct reader *r, struct pattern *out);

static bool read_items(struct reader *r, struct pattern *out, const char *close) {
  VEC(struct pattern) items = {0};
  bool ok = true;
  while (ok && !accept(r, close)) {
    if (items.len && !accept(r, ",")) {
      ok = fail(r, "expected `,` or the closing bracket");
    } else if (out->kind == PATTERN_LIST && accept(r, "...")) {
      out->is_open = true;
      ok = accept(r, close) || fail(r, "`...` must be the last item");
      break;
    } else {
      struct pattern item = {0};
      ok = read_pattern(r, &item);
      vec_push(&items, item);
    }
  }
  out->items = items.at;
  out->count = items.len;
  if (ok && out->kind == PATTERN_TUPLE && out->count < 2)
    ok = fail(r, "a tuple has at least two items");
  return ok;
}

/* value, low..high, low.., ..high */
static bool read_value(struct reader *r, struct pattern *out) {
  out->kind = PATTERN_VALUE;
  if (accept(r, "true") || accept(r, "false")) {
    out->value = rvalue_bool(r->at[-2] == 'u');
    return true;
  }
  bool has_low = !accept(r, "..");
  if (has_low) {
    if (!read_number(r, &out->value)) return false;
    if (!accept(r, "..")) return true;
  }
  out->kind = PATTERN_RANGE;
  out->low = out->value;
  out->value = (struct rvalue){0};
  skip_blanks(r);
  bool has_high = *r->at == '-' || *r->at == '+' || isdigit((unsigned char)*r->at);
  if (!has_low && !has_high) return fail(r, "an interval needs at least one end");
  return !has_high || read_number(r, &out->high);
}

static bool read_pattern(struct reader *r, struct pattern *out) {
  if (++r->depth > LIMIT_NESTING) return fail(r, "brackets are nested too deeply");
  bool ok;
  if (accept(r, "_")) {
    out->kind = PATTERN_ANY;
    ok = true;
  } else if (accept(r, "[")) {
    out->kind = PATTERN_LIST;
    ok = read_items(r, out, "]");
  } else if (accept(r, "(")) {
    out->kind = PATTERN_TUPLE;
    ok = read_items(r, out, ")");
  } else {
    ok = read_value(r, out);
  }
  r->depth--;
  return ok;
}

bool pattern_parse(struct pattern *out, const char *text, size_t *at, char **why) {
  struct reader r = {.text = text, .at = text};
  *out = (struct pattern){0};
  bool ok = read_pattern(&r, out);
  skip_blanks(&r);
  if (ok && *r.at) ok = fail(&r, "there is something after the end of the output");
  *at = (size_t)(r.at - text);
  *why = r.why;
  if (!ok) pattern_clear(out);
  return ok;
}

void pattern_print(struct buffer *out, const struct pattern *p) {
  switch (p->kind) {
  case PATTERN_ANY: buffer_putc(out, '_'); break;
  case PATTERN_VALUE: rvalue_print(out, &p->value); break;
  case PATTERN_RANGE:
    if (p->low.kind != RVALUE_UNSET) rvalue_print(out, &p->low);
    buffer_puts(out, "..");
    if (p->high.kind != RVALUE_UNSET) rvalue_print(out, &p->high);
    break;
  case PATTERN_LIST:
  case PATTERN_TUPLE:
    buffer_putc(out, p->kind == PATTERN_LIST ? '[' : '(');
    for (size_t i = 0; i < p->count; i++) {
      if (i) buffer_puts(out, ", ");
      pattern_print(out, &p->items[i]);
    }
    if (p->is_open) buffer_puts(out, p->count ? ", ..." : "...");
    buffer_putc(out, p->kind == PATTERN_LIST ? ']' : ')');
    break;
  }
}

void pattern_of(struct pattern *out, const struct rvalue *value) {
  *out = (struct pattern){.kind = PATTERN_VALUE};
  if (!rvalue_is_seq(value)) {
    out->value = rvalue_copy(value);
    return;
  }
  out->kind = value->kind == RVALUE_TUPLE ? PATTERN_TUPLE : PATTERN_LIST;
  out->count = value->as.seq->len;
  out->items = xcalloc(out->count + 1, sizeof *out->items);
  for (size_t i = 0; i < out->count; i++)
    pattern_of(&out->items[i], &value->as.seq->at[i]);
}

struct pattern pattern_copy(const struct pattern *p) {
  struct pattern copy = {.kind = p->kind,
                         .value = rvalue_copy(&p->value),
                         .low = rvalue_copy(&p->low),
                         .high = rvalue_copy(&p->high),
                         .count = p->count,
                         .is_open = p->is_open};
  if (p->count) copy.items = xcalloc(p->count, sizeof *copy.items);
  for (size_t i = 0; i < p->count; i++)
    copy.items[i] = pattern_copy(&p->items[i]);
  return copy;
}

/* Is p a set of numbers? */
static bool is_numeric(const struct pattern *p) {
  return p->kind == PATTERN_RANGE || (p->kind == PATTERN_VALUE && rvalue_is_number(&p->value));
}

/* Certainly every number of p is less than every one of q. */
static bool lies_below(const struct pattern *p, const struct pattern *q) {
  const struct rvalue *most = p->kind == PATTERN_VALUE ? &p->value : &p->high;
  const struct rvalue *least = q->kind == PATTERN_VALUE ? &q->value : &q->low;
  int order;
  return most->kind != RVALUE_UNSET && least->kind != RVALUE_UNSET &&
         rvalue_compare(&order, most, least) && order < 0;
}

bool pattern_disjoint(const struct pattern *p, const struct pattern *q) {
  if (is_numeric(p) && is_numeric(q)) return lies_below(p, q) || lies_below(q, p);
  if (p->kind == PATTERN_VALUE && q->kind == PATTERN_VALUE) {
    int order;
    return rvalue_compare(&order, &p->value, &q->value) && order != 0;
  }
  if (p->kind != q->kind || (p->kind != PATTERN_LIST && p->kind != PATTERN_TUPLE)) return false;
  if (p->count != q->count && !p->is_open && !q->is_open) return true;
  for (size_t i = 0; i < p->count && i < q->count; i++)
    if (pattern_disjoint(&p->items[i], &q->items[i])) return true;
  return false;
}
