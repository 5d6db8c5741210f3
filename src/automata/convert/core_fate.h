/* What a command does with a variable first: is its value wanted, or lost? */
#ifndef COUPLET_AUTOMATA_CONVERT_CORE_FATE_H
#define COUPLET_AUTOMATA_CONVERT_CORE_FATE_H

#include "kernel/core.h"

enum fate {
  FATE_UNTOUCHED, /* or only on some ways written */
  FATE_READ,      /* on some way read before it is written */
  FATE_WRITTEN    /* on every way written before it is read */
};

enum fate core_fate(struct terms *ts, const struct core *c, term_id var);

#endif
