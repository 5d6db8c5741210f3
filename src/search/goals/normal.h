/* The normal form of a program: what is written in many ways is seen in one.
 *
 *   copies  A variable with one assignment, of a term over inputs and parameters, is this term
 *           wherever it is read: arrays that are passed to procedures, say. The loops that read it
 *           say so in their invariants (view_copy_facts).
 *   tuples  A component of a tuple that was just made is what it was made of: results of procedures.
 *   flags   A flag that is set to a comparison of integers is set in a branch on it.
 *   noise   Noise that is made by hand is sampled (noise.h).
 *
 * Variables are never read before they are assigned, so one assignment is enough to know. */
#ifndef COUPLET_SEARCH_GOALS_NORMAL_H
#define COUPLET_SEARCH_GOALS_NORMAL_H

#include "search/base/auto.h"

/* Changes the view of the claim's own program. */
auto_viewer normal_form;

#endif
