/* What a program asks about samples that are not followed value by value (outcomes.h). */
#ifndef COUPLET_KERNEL_OUTCOME_CUT_H
#define COUPLET_KERNEL_OUTCOME_CUT_H

#include "kernel/outcomes.h"

/* A comparison says: sample <= point, or its negation. */
struct outcome_cut {
  size_t sample; /* its number */
  term_id point;
  bool is_below;
};

/* a <= b or a < b as a cut: 0 <= c*y + rest with a number c, where the rest depends on no sample. */
bool outcome_cut_of(struct terms *ts, const struct outcome_sample *samples, size_t count,
                    term_id atom, struct outcome_cut *out);
/* A comparison in t that mentions a sample; TERM_NONE: there is none. */
term_id outcome_comparison(struct terms *ts, const struct outcome_sample *samples, size_t count,
                           term_id t);
bool outcome_mentions(struct terms *ts, const struct outcome_sample *samples, size_t count,
                      term_id t);

#endif
