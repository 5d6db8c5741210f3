/* Outcomes that mention samples: how likely one of them is to be a given combination of values.
 *
 * The values mention integer samples y. Each y has to be determined by what the values are: one of
 * them is y + e or e - y, where e does not depend on samples that are still unknown; or it is
 * (e + y) mod m or (e - y) mod m, where y is uniform on m numbers in a row, or a few less, and occurs
 * nowhere else.
 * A function that cannot be inverted in this way has no mass here, and the rule does not apply. */
#ifndef COUPLET_KERNEL_OUTCOME_POINT_H
#define COUPLET_KERNEL_OUTCOME_POINT_H

#include "kernel/outcomes.h"

/* Probability that the code ends by way of this outcome and with these values, which do not mention
 * its samples. TERM_NONE: there is no term for it. */
term_id outcome_mass(struct kernel *k, const struct outcome *o, const term_id *values,
                     size_t count);

/* All combinations of values that the outcome can be: with fresh logical integers for its samples. */
struct outcome_any {
  term_id *values;
  term_list names;
  term_id possible; /* what can be said of them; others have probability 0 */
};
/* False after a builder fails; the caller clears `names` in any case. */
bool outcome_any(struct kernel *k, const struct outcome *o, size_t count, struct outcome_any *out);

#endif
