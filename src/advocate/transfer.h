/* Terms and refutations from one table to another, in which sums, conjunctions and equations may have
 * their parts in another order. */
#ifndef COUPLET_ADVOCATE_TRANSFER_H
#define COUPLET_ADVOCATE_TRANSFER_H

#include "check/referee/refutation.h"
#include "term/exchange.h"

struct transfer {
  struct term_writer writer;
  struct term_reader reader;
  size_t read; /* bytes of the writer's text */
  bool ok;     /* false: a term could not be made */
};

void transfer_init(struct transfer *t, struct terms *from, struct terms *to);
void transfer_clear(struct transfer *t);
term_id transfer_term(struct transfer *t, term_id term);
/* From now on the variable stands for this term. */
void transfer_let(struct transfer *t, term_id var, term_id meaning);
/* Inputs that are steps of `out` already: those with the numbers from `first` on. */
struct transfer_shown {
  size_t first, count;
  const size_t *steps;
};
/* The needed steps (NULL: all), renumbered, at the end of `out`. Numbers of inputs stay what they
 * are. `position` (NULL: nobody asks) gets where in `out` each step is. */
bool transfer_refutation(struct transfer *t, const struct refutation *from, const bool *needed,
                         struct transfer_shown shown, struct refutation *out, size_t *position);

#endif
