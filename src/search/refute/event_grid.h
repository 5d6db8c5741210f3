/* Outputs of one shape, cut into cells.
 *
 * With a delta, a single interval may be too small an event: what breaks the claim may be spread
 * over many outputs (each of n rounds leaks now and then). Cells are few, certainly disjoint, and
 * cover almost everything, so those in which the first run is much likelier make a good event, and all
 * of them have almost the Renyi divergence of the runs. */
#ifndef COUPLET_SEARCH_REFUTE_EVENT_GRID_H
#define COUPLET_SEARCH_REFUTE_EVENT_GRID_H

#include "check/counterexample/program_certify.h"
#include "search/refute/constants.h"

typedef VEC(struct pattern) pattern_list;

/* The numbers of both inputs, each once, those of the first run first. */
void input_numbers(number_list *out, const struct program_counterexample *ce);

/* Numbers that occur in outputs: how many, their sum and that of their squares. */
struct spread {
  double count, sum, squares;
};
void spread_add(struct spread *s, double x);
/* Cuts around their mean, up to 16 standard deviations from it, the coarse ones first. */
void spread_cuts(number_list *out, const struct spread *s);

/* All cells for outputs of the shape of this event, in which every leaf is a value. Numbers are cut
 * around (cells there too) or at the first few of `cuts`, as many as give a small grid; truth values
 * are what they are. */
void event_cells(pattern_list *out, const struct pattern *shape, const number_list *cuts,
                 bool around);
/* Do the events have the same shape: lists and tuples of the same lengths? */
bool same_shape(const struct pattern *p, const struct pattern *q);
void pattern_list_clear(pattern_list *list);

#endif
