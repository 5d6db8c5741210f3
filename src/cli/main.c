#include <stdio.h>

#include "couplet.h"

int main(void) {
  printf("couplet %s\n", cp_version());
  return 0;
}
