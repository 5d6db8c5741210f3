/* Small integers and truth values for the variables of a formula: which of its cases can happen?
 *
 * A guess, and nothing rests on it: where no point of the grid is left, a case distinction ends and
 * the case is to be refuted as it stands (cases.h). */
#ifndef COUPLET_KERNEL_POINTS_H
#define COUPLET_KERNEL_POINTS_H

#include "term/term.h"

enum { POINTS_LOW = -3, POINTS_HIGH = 4, POINTS_MOST = 4096 };

struct points;

/* Those where `given` is not false; NULL if there are none, or too many variables. */
struct points *points_new(struct terms *ts, term_id given, term_id formula);
void points_free(struct points *p);

/* A set of points, to be freed by the caller: those where c is not false (or, if not `holds`, not
 * true), out of `among` (NULL: all of them). NULL if there are none. */
bool *points_where(struct points *p, const bool *among, term_id c, bool holds);

#endif
