/* Outputs as events: what a run has shown, or a list says, becomes a set of outputs to weigh. */
#ifndef COUPLET_SEARCH_REFUTE_OUTPUTS_H
#define COUPLET_SEARCH_REFUTE_OUTPUTS_H

#include "check/counterexample/program_certify.h"
#include "check/exact/event.h"

/* What stands for a real number in an output: the number rounded to a half, which is a point of the
 * density; everything above it, or below it; or an interval around it, as it is. Exact numbers in an
 * output stand for themselves, or likewise for an interval: another path may have a density there. */
enum real_event { REAL_POINT, REAL_ABOVE, REAL_BELOW, REAL_BOX };

/* The sampled output as an event. */
struct pattern event_of(const struct rvalue *output, enum real_event real);
/* The k-th number of an event that is a value, or NULL. */
struct pattern *event_leaf(struct pattern *event, size_t *k);

/* Adds exactly this output to the event; one with irrational numbers as a small box, because only
 * rational ones can be written. */
void add_output(struct program_counterexample *ce, const struct rvalue *output);
void clear_outputs(struct program_counterexample *ce);

#endif
