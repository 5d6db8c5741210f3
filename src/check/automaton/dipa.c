#include "check/automaton/dipa.h"

#include <ctype.h>
#include <string.h>

#include "base/limits.h"
#include "base/visible.h"
#include "check/automaton/first_match.h"

/* A recursive descent on the bytes; `failed` ends the reading of the current state, and the reader
 * goes on at the next line that starts with `(`. */
struct reader {
  struct automaton *a;
  struct diags *diags;
  const char *text;
  uint32_t file, length, at;
  bool failed;
  uint32_t *slots; /* state number + 1 by name; open addressing */
  size_t capacity;
  VEC(bool) defined;
  VEC(literal) literals;
  VEC(uint32_t) assigned;
};

struct word {
  uint32_t begin, end;
};

/* ---- bytes ---------------------------------------------------------------------------------- */

static void skip_blank(struct reader *r) {
  for (;;) {
    while (r->at < r->length && isspace((unsigned char)r->text[r->at]))
      r->at++;
    bool comment = r->at < r->length &&
                   (r->text[r->at] == '#' || (r->text[r->at] == '/' && r->text[r->at + 1] == '/'));
    if (!comment) return;
    while (r->at < r->length && r->text[r->at] != '\n')
      r->at++;
  }
}

static bool is_word_byte(char c) {
  return isalnum((unsigned char)c) || c == '_' || c == '\'' || (unsigned char)c >= 0x80;
}

static struct span span_of(const struct reader *r, uint32_t begin, uint32_t end) {
  return (struct span){r->file, begin, end};
}

/* What stands at the cursor, for messages. */
static void describe(const struct reader *r, char *out, size_t size) {
  if (r->at >= r->length) {
    snprintf(out, size, "the end of the file");
    return;
  }
  uint32_t end = r->at;
  while (end < r->length && end < r->at + 24 && is_word_byte(r->text[end]))
    end++;
  if (end == r->at) end++;
  unsigned char c = (unsigned char)r->text[r->at];
  if (c < 0x20 || c == 0x7f)
    snprintf(out, size, "the byte 0x%02x", c);
  else
    snprintf(out, size, "`%.*s`", (int)(end - r->at), r->text + r->at);
}

static void expected(struct reader *r, const char *what) {
  if (r->failed) return;
  r->failed = true;
  skip_blank(r);
  char found[64];
  describe(r, found, sizeof found);
  uint32_t end = r->at < r->length ? r->at + 1 : r->at;
  while (end < r->length && is_word_byte(r->text[end]) && is_word_byte(r->text[end - 1]))
    end++;
  diag_error(r->diags, span_of(r, r->at, end), "dipa-syntax", "expected %s, found %s", what, found);
  diag_hint(r->diags, "a state is written `(q, 1/2, 0): if (insample < x) then output a; goto q`");
}

static bool accept(struct reader *r, const char *token) {
  if (r->failed) return false;
  skip_blank(r);
  size_t n = strlen(token);
  if (r->length - r->at < n || memcmp(r->text + r->at, token, n) != 0) return false;
  r->at += (uint32_t)n;
  return true;
}

static void expect(struct reader *r, const char *token, const char *what) {
  if (!accept(r, token)) expected(r, what);
}

static struct word read_word(struct reader *r, const char *what) {
  skip_blank(r);
  uint32_t begin = r->at;
  if (r->failed) return (struct word){begin, begin};
  while (r->at < r->length && is_word_byte(r->text[r->at]))
    r->at++;
  if (r->at == begin) expected(r, what);
  if (r->at - begin > LIMIT_TOKEN_BYTES && !r->failed) {
    r->failed = true;
    diag_error(r->diags, span_of(r, begin, r->at), "dipa-syntax", "a name longer than %d bytes",
               (int)LIMIT_TOKEN_BYTES);
  }
  char *name = xasprintf("%.*s", (int)(r->at - begin), r->text + begin);
  if (!visible_is_plain(name) && !r->failed) {
    r->failed = true;
    diag_error(r->diags, span_of(r, begin, r->at), "dipa-syntax",
               "a name with characters that cannot be seen, or that are not UTF-8");
  }
  free(name);
  return (struct word){begin, r->at};
}

static bool spells(const struct reader *r, struct word w, const char *text) {
  size_t n = strlen(text);
  return w.end - w.begin == n && memcmp(r->text + w.begin, text, n) == 0;
}

/* Is the next word `text`? Consumes it if so. */
static bool accept_word(struct reader *r, const char *text) {
  if (r->failed) return false;
  skip_blank(r);
  uint32_t old = r->at;
  struct word w = {old, old};
  while (w.end < r->length && is_word_byte(r->text[w.end]))
    w.end++;
  if (!spells(r, w, text)) return false;
  r->at = w.end;
  return true;
}

/* ---- numbers -------------------------------------------------------------------------------- */

static uint32_t digits(struct reader *r) {
  uint32_t begin = r->at;
  while (r->at < r->length && isdigit((unsigned char)r->text[r->at]))
    r->at++;
  return r->at - begin;
}

/* [-] digits [. digits] [/ digits], exactly. */
static void read_number(struct reader *r, fmpq_t value) {
  fmpq_zero(value);
  if (r->failed) return;
  skip_blank(r);
  uint32_t begin = r->at;
  char buffer[LIMIT_NUMBER_DIGITS + 8];
  size_t n = 0;
  bool negative = accept(r, "-");
  if (!negative) accept(r, "+");
  uint32_t whole = r->at, count = digits(r), after = 0, fraction = 0;
  if (r->at < r->length && r->text[r->at] == '.') {
    after = ++r->at;
    fraction = digits(r);
  }
  if (count + fraction == 0 || count + fraction > LIMIT_NUMBER_DIGITS) {
    r->at = begin;
    expected(r, "a number such as 1/4, 0.25 or -3");
    return;
  }
  memcpy(buffer, r->text + whole, count);
  n = count;
  memcpy(buffer + n, r->text + after, fraction);
  n += fraction;
  buffer[n] = 0;
  fmpz_set_str(fmpq_numref(value), buffer, 10);
  fmpz_set_ui(fmpq_denref(value), 10);
  fmpz_pow_ui(fmpq_denref(value), fmpq_denref(value), fraction);
  if (negative) fmpz_neg(fmpq_numref(value), fmpq_numref(value));
  if (accept(r, "/")) {
    skip_blank(r);
    uint32_t start = r->at, size = digits(r);
    fmpz_t den;
    fmpz_init(den);
    if (size > 0 && size <= LIMIT_NUMBER_DIGITS) {
      memcpy(buffer, r->text + start, size);
      buffer[size] = 0;
      fmpz_set_str(den, buffer, 10);
    }
    if (fmpz_is_zero(den)) {
      r->at = start;
      expected(r, "a denominator that is not zero");
    } else {
      fmpz_mul(fmpq_denref(value), fmpq_denref(value), den);
    }
    fmpz_clear(den);
  }
  fmpq_canonicalise(value);
}

static uint32_t read_mean(struct reader *r) {
  fmpq_t value;
  fmpq_init(value);
  read_number(r, value);
  uint32_t id = automaton_rational(r->a, value);
  fmpq_clear(value);
  return id;
}

static uint32_t read_scale(struct reader *r, const char *name) {
  skip_blank(r);
  uint32_t begin = r->at;
  fmpq_t value;
  fmpq_init(value);
  read_number(r, value);
  if (!r->failed && fmpq_sgn(value) <= 0) {
    r->failed = true;
    diag_error(r->diags, span_of(r, begin, r->at), "dipa-scale",
               "%s must be positive: the noise has scale 1/(%s eps)", name, name);
  }
  uint32_t id = automaton_rational(r->a, value);
  fmpq_clear(value);
  return id;
}

/* ---- states by name ------------------------------------------------------------------------- */

static void slots_grow(struct reader *r) {
  size_t old = r->capacity;
  uint32_t *slots = r->slots;
  r->capacity = old ? old * 2 : 1024;
  r->slots = xcalloc(r->capacity, sizeof *r->slots);
  for (size_t i = 0; i < old; i++) {
    if (!slots[i]) continue;
    const char *name = r->a->state_names.at[slots[i] - 1];
    size_t at = hash_bytes(name, strlen(name)) & (r->capacity - 1);
    while (r->slots[at])
      at = (at + 1) & (r->capacity - 1);
    r->slots[at] = slots[i];
  }
  free(slots);
}

static uint32_t state_named(struct reader *r, struct word w) {
  if ((r->a->states.len + 1) * 2 > r->capacity) slots_grow(r);
  const char *text = r->text + w.begin;
  size_t n = w.end - w.begin, i = hash_bytes(text, n) & (r->capacity - 1);
  for (; r->slots[i]; i = (i + 1) & (r->capacity - 1)) {
    const char *name = r->a->state_names.at[r->slots[i] - 1];
    if (strncmp(name, text, n) == 0 && name[n] == 0) return r->slots[i] - 1;
  }
  uint32_t state = automaton_state(r->a, text, n, span_of(r, w.begin, w.end));
  vec_push(&r->defined, false);
  r->slots[i] = state + 1;
  return state;
}

/* ---- grammar -------------------------------------------------------------------------------- */

/* comparison = "insample" ("<" | "<=" | ">" | ">=") name */
static void read_comparison(struct reader *r) {
  if (accept_word(r, "true")) return;
  if (!accept_word(r, "insample")) {
    expected(r, "a comparison `insample < x` or `insample >= x`");
    return;
  }
  bool less = accept(r, "<"), greater = !less && accept(r, ">");
  if (!less && !greater) {
    expected(r, "`<`, `<=`, `>` or `>=` after insample");
    return;
  }
  accept(r, "=");
  struct word w = read_word(r, "a variable to compare insample with");
  if (r->failed) return;
  uint32_t var = automaton_var(r->a, r->text + w.begin, w.end - w.begin);
  vec_push(&r->literals, less ? literal_less(var) : literal_greater(var));
}

/* condition = "(" comparison { "&&" comparison } ")" */
static uint32_t read_condition(struct reader *r) {
  r->literals.len = 0;
  expect(r, "(", "`(` before the condition");
  read_comparison(r);
  while (accept(r, "&&") || accept_word(r, "and"))
    read_comparison(r);
  if (!r->failed && (accept(r, "||") || accept_word(r, "or"))) {
    expected(r, "`&&` or `)`: comparisons on one shared sample can only be joined by &&");
    return 0;
  }
  expect(r, ")", "`&&` or `)` after a comparison");
  return automaton_guard(r->a, r->literals.at, r->literals.len);
}

/* clause = [ name ":=" "insample" { "," name ":=" "insample" } ";" ] "output" what ";" "goto" name
 */
static void read_clause(struct reader *r, uint32_t from, uint32_t guard, uint32_t begin) {
  struct automaton_edge edge = {.from = from, .guard = guard};
  r->assigned.len = 0;
  while (!accept_word(r, "output") && !r->failed) {
    struct word w = read_word(r, "`output`, or an assignment `x := insample`");
    expect(r, ":=", "`:=` after the variable");
    if (!accept_word(r, "insample")) expected(r, "`insample`: nothing else can be stored");
    if (!accept(r, ",") && !accept(r, ";")) expected(r, "`,` or `;` after an assignment");
    if (r->failed) return;
    vec_push(&r->assigned, automaton_var(r->a, r->text + w.begin, w.end - w.begin));
  }
  edge.assign = automaton_set(r->a, r->assigned.at, r->assigned.len);
  struct word out = read_word(r, "a symbol, `insample` or `insampleprime` to output");
  expect(r, ";", "`;` after the output");
  if (!accept_word(r, "goto")) expected(r, "`goto`");
  struct word to = read_word(r, "the state to go to");
  if (r->failed) return;
  if (spells(r, out, "insample"))
    edge.emit = EMIT_INSAMPLE;
  else if (spells(r, out, "insampleprime") || spells(r, out, "insample'"))
    edge.emit = EMIT_PRIME;
  else
    edge.emit = automaton_symbol(r->a, r->text + out.begin, out.end - out.begin);
  if (edge.emit == EMIT_PRIME && r->a->states.at[from].d2 == AUTOMATON_NONE) {
    diag_error(r->diags, span_of(r, out.begin, out.end), "dipa-no-prime",
               "insampleprime is output at a state that gives no noise for it");
    diag_hint(r->diags, "write the state as (name, d, mean, d', mean')");
  }
  edge.to = state_named(r, to);
  automaton_edge(r->a, edge, span_of(r, begin, to.end));
}

/* body = clause | "if" condition "then" clause { "elseif" condition "then" clause } */
static void read_body(struct reader *r, uint32_t from) {
  skip_blank(r);
  uint32_t begin = r->at;
  size_t first = r->a->edges.len;
  if (!accept_word(r, "if")) {
    read_clause(r, from, 0, begin);
    return;
  }
  do {
    uint32_t guard = read_condition(r);
    if (!accept_word(r, "then")) expected(r, "`then` after the condition");
    if (r->failed) return;
    read_clause(r, from, guard, begin);
    skip_blank(r);
    begin = r->at;
  } while (accept_word(r, "elseif"));
  if (accept_word(r, "else")) {
    r->at = begin;
    expected(r, "`elseif` with the condition written out, or the next state");
  }
  if (!automaton_first_match(r->a, first, r->diags)) r->failed = true;
}

/* state = "(" name [":" ("input" | "non-input")] "," d "," mean ["," d' "," mean'] ")" ":" body */
static void read_state(struct reader *r) {
  expect(r, "(", "`(`: a state starts with (name, d, mean)");
  struct word w = read_word(r, "the name of a state");
  if (r->failed) return;
  bool is_input = true;
  if (accept(r, ":")) {
    if (accept(r, "non-input"))
      is_input = false;
    else if (!accept_word(r, "input"))
      expected(r, "`input` or `non-input`");
  }
  expect(r, ",", "`,` and d, the noise being of scale 1/(d eps)");
  uint32_t d = read_scale(r, "d"), d2 = AUTOMATON_NONE, mean2 = AUTOMATON_NONE;
  expect(r, ",", "`,` and the mean of the noise");
  uint32_t mean = read_mean(r);
  if (accept(r, ",")) {
    d2 = read_scale(r, "d'");
    expect(r, ",", "`,` and the mean of the noise of insample'");
    mean2 = read_mean(r);
  }
  expect(r, ")", "`)` after the noise");
  expect(r, ":", "`:` after the head of a state");
  if (r->failed) return;
  uint32_t state = state_named(r, w);
  if (r->defined.at[state]) {
    struct span first = automaton_state_span(r->a, state);
    diag_error(r->diags, span_of(r, w.begin, w.end), "dipa-duplicate",
               "state `%.*s` is defined twice", (int)(w.end - w.begin), r->text + w.begin);
    diag_note(r->diags, first, "first here");
    r->failed = true;
    return;
  }
  r->defined.at[state] = true;
  r->a->state_spans.at[state] = (struct automaton_range){w.begin, w.end};
  automaton_noise(r->a, state, is_input, d, mean, d2, mean2);
  if (r->a->start == AUTOMATON_NONE) r->a->start = state;
  read_body(r, state);
}

/* After an error: to the next line whose first byte is `(`. */
static void recover(struct reader *r) {
  while (r->at < r->length) {
    while (r->at < r->length && r->text[r->at] != '\n')
      r->at++;
    skip_blank(r);
    if (r->at < r->length && r->text[r->at] == '(') break;
  }
  r->failed = false;
}

bool dipa_read(struct automaton *a, const struct sources *sources, uint32_t file,
               struct diags *diags) {
  const struct source *source = sources_get(sources, file);
  struct reader r = {.a = a,
                     .diags = diags,
                     .text = source->text,
                     .file = file,
                     .length = source->length,
                     .at = source->start};
  size_t before = diags->errors;
  a->file = file;
  for (skip_blank(&r); r.at < r.length; skip_blank(&r)) {
    read_state(&r);
    if (r.failed) recover(&r);
  }
  if (a->states.len == 0 && diags->errors == before)
    diag_error(diags, span_of(&r, 0, 0), "dipa-syntax", "the file defines no state");
  automaton_finish(a);
  free(r.slots);
  vec_clear(&r.defined);
  vec_clear(&r.literals);
  vec_clear(&r.assigned);
  return diags->errors == before;
}
