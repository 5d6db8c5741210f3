/* Branches on data that sample: `if x > 10 { y <$ Lap(10, b); } else { y <$ Lap(x, b); }`.
 *
 * The runs may take different branches, but whichever they take, they draw y from the same family.
 * So it is drawn before they part, with parameters that depend on the condition (EQUIV-JOIN), and
 * the strategies that follow see a private value like any other. `branch 1: joined` in proof text. */
#ifndef COUPLET_SEARCH_GOALS_JOIN_H
#define COUPLET_SEARCH_GOALS_JOIN_H

#include "search/base/auto.h"

auto_strategy auto_joined;

#endif
