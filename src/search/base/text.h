/* Proof text under construction. Whoever writes proofs writes one of these; the layout, and that a
 * person can read it, is the formatter's (auto_try).
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
  bool failed; /* it is void */
};

void text_init(struct text *text, struct auto_problem *p);
/* The finished text in the arena of the problem; NULL if it is void. Clears `text`. */
const char *text_take(struct text *text);

void text_put(struct text *text, const char *format, ...);
/* With white space after it: a step, the beginning of a scope, or its end. */
void text_line(struct text *text, const char *format, ...);

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
