/* The synchronous strategy; sync.h says how it works. */
#ifndef COUPLET_AUTO_SYNC_STRATEGY_H
#define COUPLET_AUTO_SYNC_STRATEGY_H

#include "auto/auto.h"

auto_strategy auto_synchronous;
/* The same for costs that grow with the data, if nothing else gave a cost. */
auto_strategy auto_synchronous_any;

#endif
