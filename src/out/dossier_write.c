#include "out/dossier_write.h"

#include <stdlib.h>
#include <string.h>

#include "check/referee/refutation.h"
#include "term/subst.h"

bool term_read_lines(struct term_reader *r, const char *text) {
  while (*text) {
    size_t length = strcspn(text, "\n");
    if (!term_read_line(r, text, length)) return false;
    text += length + (text[length] == '\n');
  }
  return true;
}

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
  buffer_puts(out, step_words[s->kind]);
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
