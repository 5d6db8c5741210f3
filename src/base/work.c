#include "base/work.h"

static _Thread_local int64_t done;

int64_t work_now(void) {
  return done;
}

void work_add(int64_t units) {
  done += units;
}
