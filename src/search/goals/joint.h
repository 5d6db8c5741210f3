/* Values that are close together: (a<1> - a<2>)^2 + (b<1> - b<2>)^2 <= c. Each sample moves by the
 * exact distance of its centre, and the squares add up to what the adjacency allows; bounds of the
 * single distances would cost c for each value. Vectors in a loop: vector.h. */
#ifndef COUPLET_SEARCH_GOALS_JOINT_H
#define COUPLET_SEARCH_GOALS_JOINT_H

#include "search/base/auto.h"

auto_strategy auto_joint;

#endif
