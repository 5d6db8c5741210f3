/* The strategy of listed outcomes: code with finitely many outcomes (kernel/outcomes.h), compared
 * by their probabilities (FINITE). The whole program, or the body of its only loop: then each
 * iteration pays where its data differ, as the adjacency says it may. */
#ifndef COUPLET_AUTO_LISTED_H
#define COUPLET_AUTO_LISTED_H

#include "auto/auto.h"

auto_strategy auto_listed;

#endif
