/* Terms as lines of text, to store them and to carry them from one table to another.
 *
 * A line makes one term from terms of earlier lines, which it names by their numbers from 0:
 *     n 1/2 r           a number and its sort
 *     v x r 1 0         a variable: name, sort, run, version
 *     + 0 1             any other head and its arguments; some have a number
 *                       first: `^ 2 0`, `proj 1 0`
 *     all 3 7           a quantifier: variable, body in which it is free
 *     @ f i (r,i) 0 1   an operator: name, result, sorts of its arguments, arguments
 * Sorts: b i r, [s] array, {s} list, (s,t) tuple, 'name' abstract. Bytes other than letters, digits
 * and a few marks are %hh in names.
 *
 * Reading goes through the builders: whatever the text says, what comes out is a well-sorted closed
 * term or nothing. So a reader of certificates needs no further check of them. */
#ifndef COUPLET_TERM_EXCHANGE_H
#define COUPLET_TERM_EXCHANGE_H

#include "base/buffer.h"
#include "term/memo.h"
#include "term/term.h"

struct term_writer {
  struct terms *ts; /* not changed */
  struct buffer out;
  size_t lines;
  struct memo known;     /* (context, term) -> 1 + line; context 0 for closed terms */
  uint32_t contexts;     /* bodies of quantifiers met so far */
  VEC(uint32_t) binders; /* lines of the variables of the quantifiers around */
};

void term_writer_init(struct term_writer *w, struct terms *ts);
void term_writer_clear(struct term_writer *w);
/* Writes what is new of a closed term; returns the number of its line. */
size_t term_write(struct term_writer *w, term_id t);

struct term_reader {
  struct terms *ts;
  term_list lines;
};

void term_reader_init(struct term_reader *r, struct terms *ts);
void term_reader_clear(struct term_reader *r);
/* Reads one line (without its end). False: it makes no term. */
bool term_read_line(struct term_reader *r, const char *line, size_t length);
/* The term of a line; TERM_NONE if there is no such line. */
term_id term_read(const struct term_reader *r, size_t line);

#endif
