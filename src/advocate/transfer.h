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
/* The needed steps (NULL: all), renumbered, at the end of `out`. Numbers of inputs stay what they
 * are. */
bool transfer_refutation(struct transfer *t, const struct refutation *from, const bool *needed,
                         struct refutation *out);

#endif
