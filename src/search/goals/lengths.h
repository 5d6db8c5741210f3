/* Lists of which only the length matters: records that a filter keeps, to count them. The program is
 * seen with an integer in the place of each such list. */
#ifndef COUPLET_SEARCH_GOALS_LENGTHS_H
#define COUPLET_SEARCH_GOALS_LENGTHS_H

#include "search/base/auto.h"

auto_strategy auto_lengths;

#endif
