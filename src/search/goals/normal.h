/* The normal form of a program: what is written in many ways is seen in one.
 *
 *   copies  A variable with one assignment, of a term over inputs and parameters, is this term
 *           wherever it is read: arrays that are passed to procedures, say. The loops that read it
 *           say so in their invariants (view_copy_facts).
 *   noise   `u <$ Uniform(0, 1); s <$ Uniform{-1, 1}; z := s*b*ln(u)` is z <$ Lap(0, b), if nobody
 *           reads u and s afterwards (EQUIV-LAP): `laplace z from u scale b` in proof text.
 *
 * Variables are never read before they are assigned, so one assignment is enough to know. */
#ifndef COUPLET_SEARCH_GOALS_NORMAL_H
#define COUPLET_SEARCH_GOALS_NORMAL_H

#include "search/base/auto.h"

/* Changes the view of the claim's own program. */
auto_viewer normal_form;

#endif
