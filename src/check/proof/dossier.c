#include "check/proof/dossier.h"

#include <stdlib.h>
#include <string.h>

#include "check/referee/refutation.h"
#include "term/subst.h"

static const char *const words[] = {
    [STEP_INPUT] = "input",     [STEP_DEFINE] = "define", [STEP_INSTANCE] = "instance",
    [STEP_WITNESS] = "witness", [STEP_SCHEMA] = "schema", [STEP_ALGEBRA] = "algebra",
    [STEP_CHAIN] = "chain",
};
/* The words that a step of a kind can have, in this order; those before a `|` at most once. */
static const char *const shapes[] = {
    [STEP_INPUT] = "n|",   [STEP_DEFINE] = "nf|",   [STEP_INSTANCE] = "ft|", [STEP_WITNESS] = "ft|",
    [STEP_SCHEMA] = "n|t", [STEP_ALGEBRA] = "n|l*", [STEP_CHAIN] = "|lh",
};
enum { WORDS = sizeof words / sizeof *words };

void dossier_init(struct dossier *d) {
  *d = (struct dossier){0};
}

void dossier_clear(struct dossier *d) {
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
         (strlen(words[kind]) != length || strncmp(words[kind], w->at, length) != 0))
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

static bool dossier_refute(struct decider *decider, struct terms *ts, const struct sequent *s,
                           struct refutation *out, const char **why) {
  struct dossier_decider *d = (struct dossier_decider *)decider;
  char key[SHA256_HEX + 1];
  sequent_key(ts, s, key);
  struct dossier_entry *e = dossier_find(d->dossier, key);
  *why = "there is no refutation of it";
  if (!e) return false;
  e->used = true;
  struct words w = {d, e->steps, true};
  while (w.ok && *w.at)
    w.ok = read_step(&w, out);
  *why = "its refutation cannot be read";
  return w.ok;
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

/* ---- writing --------------------------------------------------------------------------------- */

void dossier_writer_init(struct dossier_writer *w, struct dossier *dossier) {
  w->dossier = dossier;
  terms_init(&w->terms);
  term_writer_init(&w->lines, &w->terms);
}

void dossier_writer_clear(struct dossier_writer *w) {
  term_writer_clear(&w->lines);
  terms_clear(&w->terms);
}

static int by_handle(const void *a, const void *b) {
  term_id x = *(const term_id *)a, y = *(const term_id *)b;
  return (x > y) - (x < y);
}

static void sort_once(term_list *list) {
  if (list->len > 1) qsort(list->at, list->len, sizeof *list->at, by_handle);
  size_t kept = 0;
  for (size_t i = 0; i < list->len; i++)
    if (list->at[i] != TERM_NONE && (!kept || list->at[kept - 1] != list->at[i]))
      list->at[kept++] = list->at[i];
  list->len = kept;
}

static void add_roots(const struct step *s, term_list *out) {
  vec_push(out, s->formula);
  for (size_t i = 0; i < s->terms.len; i++)
    vec_push(out, s->terms.at[i]);
  for (size_t i = 0; i < s->literals.len; i++)
    vec_push(out, s->literals.at[i].atom);
  for (size_t i = 0; i < s->sum.len; i++) {
    vec_push(out, s->sum.at[i].multiplier);
    for (size_t k = 0; k < s->sum.at[i].squares.len; k++)
      vec_push(out, s->sum.at[i].squares.at[k]);
  }
}

/* All closed terms of a refutation, in the order in which they were made, each once. */
static void terms_of(struct terms *ts, const struct refutation *r, term_list *out) {
  term_list roots = {0};
  for (size_t i = 0; i < r->steps.len; i++)
    add_roots(&r->steps.at[i], &roots);
  sort_once(&roots);
  for (size_t i = 0; i < roots.len; i++)
    term_subterms(ts, roots.at[i], out);
  sort_once(out);
  vec_clear(&roots);
}

/* Where the terms of a refutation are written. */
struct index {
  const term_list *terms; /* in increasing order */
  index_list lines;       /* parallel */
};

/* Carries the terms over in the order in which they were made: the table of the derivation then
 * gets them in that order as well, and orders sums and conjunctions as it did for the search. */
static bool place_terms(struct dossier_writer *w, struct terms *ts, struct index *index) {
  struct term_writer local;
  struct term_reader carried;
  term_writer_init(&local, ts);
  index_list at = {0};
  for (size_t i = 0; i < index->terms->len; i++)
    vec_push(&at, term_write(&local, index->terms->at[i]));
  term_reader_init(&carried, &w->terms);
  bool ok = term_read_lines(&carried, buffer_text(&local.out));
  for (size_t i = 0; ok && i < at.len; i++) {
    term_id t = term_read(&carried, at.at[i]);
    ok = t != TERM_NONE;
    if (ok) vec_push(&index->lines, term_write(&w->lines, t));
  }
  vec_clear(&at);
  term_reader_clear(&carried);
  term_writer_clear(&local);
  return ok;
}

static size_t line_of(const struct index *index, term_id t) {
  const term_id *found = bsearch(&t, index->terms->at, index->terms->len, sizeof t, by_handle);
  return found ? index->lines.at[found - index->terms->at] : 0;
}

static void write_step(struct buffer *out, const struct index *index, const struct step *s) {
  buffer_puts(out, words[s->kind]);
  if (s->number) buffer_printf(out, " n%zu", s->number);
  if (s->formula != TERM_NONE) buffer_printf(out, " f%zu", line_of(index, s->formula));
  for (size_t i = 0; i < s->terms.len; i++)
    buffer_printf(out, " t%zu", line_of(index, s->terms.at[i]));
  for (size_t i = 0; i < s->literals.len; i++)
    buffer_printf(out, " %c%zu", s->literals.at[i].negated ? '-' : '+',
                  line_of(index, s->literals.at[i].atom));
  for (size_t i = 0; i < s->sum.len; i++) {
    const struct summand *m = &s->sum.at[i];
    buffer_printf(out, " *%zu", line_of(index, m->multiplier));
    for (size_t k = 0; k < m->factors.len; k++)
      buffer_printf(out, ".%zu", m->factors.at[k]);
    for (size_t k = 0; k < m->squares.len; k++)
      buffer_printf(out, "^%zu", line_of(index, m->squares.at[k]));
  }
  for (size_t i = 0; i < s->hints.len; i++)
    buffer_printf(out, " h%zu", s->hints.at[i]);
  buffer_putc(out, '\n');
}

/* New lines of the writer become lines of the dossier. */
static void take_lines(struct dossier_writer *w) {
  const char *text = buffer_text(&w->lines.out);
  while (*text) {
    size_t length = strcspn(text, "\n");
    dossier_add_line(w->dossier, text, length);
    text += length + (text[length] == '\n');
  }
  buffer_clear(&w->lines.out);
  buffer_init(&w->lines.out);
}

bool dossier_write(struct dossier_writer *w, struct terms *ts, const char *key,
                   const struct refutation *r) {
  term_list all = {0};
  terms_of(ts, r, &all);
  struct index index = {.terms = &all};
  bool ok = place_terms(w, ts, &index);
  take_lines(w);
  if (ok) {
    struct buffer steps;
    buffer_init(&steps);
    for (size_t i = 0; i < r->steps.len; i++)
      write_step(&steps, &index, &r->steps.at[i]);
    dossier_add_entry(w->dossier, key, buffer_text(&steps));
    buffer_clear(&steps);
  }
  vec_clear(&index.lines);
  vec_clear(&all);
  return ok;
}
