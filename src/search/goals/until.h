/* Loops that draw until something is accepted, as two rounds: one of which only whether it is accepted
 * matters, and one that is accepted (UNTIL). */
#ifndef COUPLET_SEARCH_GOALS_UNTIL_H
#define COUPLET_SEARCH_GOALS_UNTIL_H

#include "search/base/auto.h"

auto_strategy auto_until;

#endif
