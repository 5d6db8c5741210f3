#include "couplet.h"

const char *cp_version(void) {
  return COUPLET_VERSION;
}
