/* Proof text under construction, laid out as a person would write it.
 *
 * Formats know terms: %t prints a term (run-less program variables stand for run 1), %+ prints the
 * sum of two terms as `a + 1`, `a - 1` or `a`; %u and %s as usual. A term that mentions something
 * proof text has no name for makes the whole text void. */
#ifndef COUPLET_SEARCH_BASE_TEXT_H
#define COUPLET_SEARCH_BASE_TEXT_H

#include "base/buffer.h"
#include "search/base/auto.h"

struct text {
  struct auto_problem *p;
  struct buffer buffer;
  size_t indent;
  bool failed;
};

void text_init(struct text *text, struct auto_problem *p);
/* The finished text in the arena of the problem; NULL if it is void. Clears `text`. */
const char *text_take(struct text *text);

/* A whole line; its beginning, middle and end. */
void text_line(struct text *text, const char *format, ...);
void text_begin(struct text *text, const char *format, ...);
void text_print(struct text *text, const char *format, ...);
void text_end(struct text *text, const char *format, ...);
/* A line after which everything is indented; one that ends that; `} else {`. */
void text_open(struct text *text, const char *format, ...);
void text_close(struct text *text, const char *line);
void text_between(struct text *text, const char *line);

/* A term as source text in the arena of the problem; NULL if it cannot be written. */
const char *text_of(struct auto_problem *p, term_id t);
/* The same for a formula about the inputs, by the name of a relation if it is one of those that
 * have names: all_increase(q, 1). */
const char *text_of_relation(struct auto_problem *p, term_id formula);
/* The term with a variable in the place of each sum of the claim, whose name is the sum as text. */
term_id text_named_sums(struct auto_problem *p, term_id t);
/* What proof text has to say before it speaks of a sampling that stands for others (view.h). */
void text_noise(struct text *text, const struct core *sampling);
/* Can proof text name this variable? */
bool text_is_named(struct auto_problem *p, term_id var);
/* A logical variable with a name that proof text can introduce: `name`, or like it. */
term_id text_fresh_name(struct auto_problem *p, const char *name, sort_id sort);

#endif
