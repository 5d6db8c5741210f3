/* What a program asks about samples that are not followed value by value (outcomes.h). */
#ifndef COUPLET_KERNEL_OUTCOME_CUT_H
#define COUPLET_KERNEL_OUTCOME_CUT_H

#include "kernel/outcomes.h"

/* A comparison says: sample <= point, or its negation. */
struct outcome_cut {
  size_t sample; /* its number */
  term_id point;
  bool is_below;
  term_id positive; /* if this is > 0: what the sample is multiplied by; TERM_NONE: in any case */
};

/* a <= b or a < b as a cut: 0 <= c*y + rest, where the rest depends on no sample, nor does c, which is
 * a number unless y is real. */
bool outcome_cut_of(struct terms *ts, const struct outcome_sample *samples, size_t count,
                    term_id atom, struct outcome_cut *out);
/* A comparison in t that mentions a sample; TERM_NONE: there is none. */
term_id outcome_comparison(struct terms *ts, const struct outcome_sample *samples, size_t count,
                           term_id t);
bool outcome_mentions(struct terms *ts, const struct outcome_sample *samples, size_t count,
                      term_id t);

#endif
