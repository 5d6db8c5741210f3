#include "check/proof/dossier.h"

#include <stdlib.h>
#include <string.h>

#include "check/referee/refutation.h"
#include "term/subst.h"

const char *const step_words[] = {
    [STEP_INPUT] = "input",     [STEP_DEFINE] = "define", [STEP_INSTANCE] = "instance",
    [STEP_WITNESS] = "witness", [STEP_SCHEMA] = "schema", [STEP_ALGEBRA] = "algebra",
    [STEP_CHAIN] = "chain",
};
/* The words that a step of a kind can have, in this order; those before a `|` at most once. */
static const char *const shapes[] = {
    [STEP_INPUT] = "n|",   [STEP_DEFINE] = "nf|",   [STEP_INSTANCE] = "ft|", [STEP_WITNESS] = "ft|",
    [STEP_SCHEMA] = "n|t", [STEP_ALGEBRA] = "n|l*", [STEP_CHAIN] = "|lh",
};
enum { WORDS = sizeof step_words / sizeof *step_words };

void dossier_init(struct dossier *d) {
  *d = (struct dossier){0};
}

void calls_clear(call_list *calls) {
  for (size_t i = 0; i < calls->len; i++)
    free(calls->at[i]);
  vec_clear(calls);
}

void dossier_clear(struct dossier *d) {
  calls_clear(&d->calls);
  for (size_t i = 0; i < d->lines.len; i++)
    free(d->lines.at[i]);
  for (size_t i = 0; i < d->entries.len; i++)
    free(d->entries.at[i].steps);
  vec_clear(&d->lines);
  vec_clear(&d->entries);
}

void dossier_add_line(struct dossier *d, const char *text, size_t length) {
  vec_push(&d->lines, xasprintf("%.*s", (int)length, text));
}

void dossier_add_entry(struct dossier *d, const char *key, const char *steps) {
  struct dossier_entry e = {.steps = xstrdup(steps)};
  memcpy(e.key, key, sizeof e.key);
  vec_push(&d->entries, e);
}

struct dossier_entry *dossier_find(const struct dossier *d, const char *key) {
  for (size_t i = 0; i < d->entries.len; i++)
    if (memcmp(d->entries.at[i].key, key, SHA256_HEX) == 0) return &d->entries.at[i];
  return NULL;
}

void sequent_key(struct terms *ts, const struct sequent *s, char out[SHA256_HEX + 1]) {
  struct term_writer w;
  struct sha256 h;
  term_writer_init(&w, ts);
  sha256_init(&h);
  sha256_add_number(&h, s->count);
  for (size_t i = 0; i < s->count; i++)
    sha256_add_number(&h, term_write(&w, s->hypotheses[i]));
  sha256_add_number(&h, term_write(&w, s->goal));
  sha256_add_text(&h, buffer_text(&w.out));
  sha256_hex(&h, out);
  term_writer_clear(&w);
}

/* ---- reading --------------------------------------------------------------------------------- */

/* The term of a line; reads all lines up to it first. */
static term_id line_term(struct dossier_decider *d, size_t line) {
  if (line >= d->dossier->lines.len) return TERM_NONE;
  while (d->reader.lines.len <= line) {
    const char *text = d->dossier->lines.at[d->reader.lines.len];
    if (!term_read_line(&d->reader, text, strlen(text))) return TERM_NONE;
  }
  return term_read(&d->reader, line);
}

struct words {
  struct dossier_decider *d;
  const char *at;
  bool ok;
};

/* Digits without a leading zero. */
static size_t number(struct words *w) {
  size_t value = 0, digits = 0;
  bool zero = *w->at == '0';
  for (; *w->at >= '0' && *w->at <= '9' && digits < 10; w->at++, digits++)
    value = value * 10 + (size_t)(*w->at - '0');
  w->ok = w->ok && digits > 0 && digits < 10 && !(zero && digits > 1);
  return value;
}

static term_id term(struct words *w) {
  size_t line = number(w);
  term_id t = w->ok ? line_term(w->d, line) : TERM_NONE;
  w->ok = w->ok && t != TERM_NONE;
  return t;
}

/* *12.0.1^5 */
static void read_summand(struct words *w, struct step *s) {
  struct summand summand = {.multiplier = term(w)};
  while (w->ok && *w->at == '.') {
    w->at++;
    vec_push(&summand.factors, number(w));
  }
  while (w->ok && *w->at == '^') {
    w->at++;
    term_id square = term(w);
    vec_push(&summand.squares, square);
  }
  vec_push(&s->sum, summand);
}

static void read_word(struct words *w, struct step *s) {
  char kind = *w->at++;
  switch (kind) {
  case 'n':
    s->number = number(w);
    w->ok = w->ok && s->number > 0; /* 0 is left out */
    return;
  case 'f': s->formula = term(w); return;
  case 't': {
    term_id t = term(w);
    vec_push(&s->terms, t);
    return;
  }
  case '+':
  case '-': {
    struct literal l = {term(w), kind == '-'};
    vec_push(&s->literals, l);
    return;
  }
  case '*': read_summand(w, s); return;
  case 'h': {
    size_t hint = number(w);
    vec_push(&s->hints, hint);
    return;
  }
  default: w->ok = false;
  }
}

/* Where the next word of that kind stands in the shape; NULL: it has none there. A field that a step
 * does not use would be text that nobody checks. */
static const char *next_place(const char *place, char kind) {
  const char *once = strchr(place, '|');
  const char *found = kind && kind != '|' ? strchr(place, kind) : NULL;
  return found && once && found < once ? found + 1 : found;
}

static bool read_step(struct words *w, struct refutation *out) {
  size_t length = strcspn(w->at, " \n");
  size_t kind = 0;
  while (kind < WORDS &&
         (strlen(step_words[kind]) != length || strncmp(step_words[kind], w->at, length) != 0))
    kind++;
  if (kind == WORDS) return false;
  struct step *s = refutation_add(out, (enum step_kind)kind);
  w->at += length;
  const char *place = shapes[kind];
  while (w->ok && *w->at == ' ') {
    w->at++;
    place = next_place(place, *w->at == '+' || *w->at == '-' ? 'l' : *w->at);
    w->ok = place != NULL;
    if (w->ok) read_word(w, s);
  }
  w->ok = w->ok && *w->at == '\n';
  w->at += w->ok;
  return w->ok;
}

bool dossier_read(struct dossier_decider *d, const struct dossier_entry *e,
                  struct refutation *out) {
  struct words w = {d, e->steps, true};
  while (w.ok && *w.at)
    w.ok = read_step(&w, out);
  return w.ok;
}

static bool dossier_refute(struct decider *decider, struct terms *ts, const struct sequent *s,
                           struct refutation *out, const char **why) {
  struct dossier_decider *d = (struct dossier_decider *)decider;
  char key[SHA256_HEX + 1];
  sequent_key(ts, s, key);
  struct dossier_entry *e = dossier_find(d->dossier, key);
  *why = "there is no refutation of it";
  if (!e) return false;
  e->used = true;
  *why = "its refutation cannot be read";
  return dossier_read(d, e, out);
}

void dossier_decider_init(struct dossier_decider *d, struct dossier *dossier, struct terms *ts) {
  *d = (struct dossier_decider){.decider = {.refute = dossier_refute}, .dossier = dossier};
  term_reader_init(&d->reader, ts);
}

void dossier_decider_clear(struct dossier_decider *d) {
  term_reader_clear(&d->reader);
}

bool dossier_is_used_up(const struct dossier_decider *d) {
  for (size_t i = 0; i < d->dossier->entries.len; i++)
    if (!d->dossier->entries.at[i].used) return false;
  return d->reader.lines.len == d->dossier->lines.len;
}
