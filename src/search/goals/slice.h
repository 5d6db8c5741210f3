/* What a program does to a few variables: the program without the statements that do not matter to
 * them.
 *
 * Only for looking at a program: whether a loop that is left out ends does not matter here. */
#ifndef COUPLET_SEARCH_GOALS_SLICE_H
#define COUPLET_SEARCH_GOALS_SLICE_H

#include "search/base/auto.h"
#include "search/base/view.h"

/* Variables with known values: what computes them is left out, and the values stand where they are
 * read. */
struct slice_given {
  term_list vars, values;
};

/* The view of `p` with the slice of `program` for the variables of `wanted`. Loops that are not the
 * same command are noted in the view. */
void slice_view(const struct auto_problem *p, const struct core *program, term_id wanted,
                const struct slice_given *given, struct view *out);

#endif
