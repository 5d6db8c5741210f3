/* Tables: local arrays to which a loop over the records adds, element by element.
 *
 *     for i in 0..n { for j in 0..k { if x[i] < cut[j] { count[j] := count[j] + 1; } } }
 *
 * If one record differs, every element may, but each by no more than this record adds to it. The
 * strategies that follow see a program in which the loop adds nothing and the table is a private
 * input, of which just that is assumed; the invariants of all loops say it of the table itself.
 * (An array that differs at one or two places is better left to the aligner: search/align/place.h.) */
#ifndef COUPLET_SEARCH_GOALS_TABLE_H
#define COUPLET_SEARCH_GOALS_TABLE_H

#include "search/base/auto.h"

/* The other strategies on the program with tables, if there are any. */
auto_strategy auto_tables;

#endif
