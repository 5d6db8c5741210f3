/* The pointwise strategy: for programs whose runs take different branches but end with the same
 * result (noisy max and its relatives).
 *
 * The result r is fixed (PW-EQ). Every sampling moves with its own centre, for free, except the one
 * of the iteration that r belongs to: its value is moved by `lift`, as much as any other value can
 * gain between the runs. So if r wins in run 1, it wins in run 2. Before that iteration the best
 * values of the runs differ by no more than other values do; after it, if r holds the title, its
 * value in run 2 is `lift` above that in run 1.
 *
 * What values can gain comes from the assumptions (bounds.h), and the price from that: with
 * differences in [low, high], lift = high, and the noise of r moves by at most high - low. When the
 * adjacency is a disjunction, or names the entry that differs, the cases are treated apart. */
#ifndef COUPLET_SEARCH_GOALS_POINTWISE_H
#define COUPLET_SEARCH_GOALS_POINTWISE_H

#include "search/base/view.h"
#include "search/goals/contest.h"

auto_strategy auto_pointwise;

/* The same for a part of a program (contest_find_part), in one direction. */
bool pointwise_part(const struct contest *contest, enum claim_direction direction,
                    struct part_text *out);

#endif
