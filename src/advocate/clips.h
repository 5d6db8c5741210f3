/* Cuts: values that are clipped to a range, max(a, min(b, x)) with numbers a and b, lie in it, and so
 * their products have bounds, too. Otherwise the search would ask of every factor whether it was
 * clipped, and multiply in each of these cases anew. All at level 0. */
#ifndef COUPLET_ADVOCATE_CLIPS_H
#define COUPLET_ADVOCATE_CLIPS_H

#include "advocate/search.h"

void clips_bound(struct search *s);

#endif
