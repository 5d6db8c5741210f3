/* What every fuzz target shares.
 *
 * A target is one function, LLVMFuzzerTestOneInput. It is built twice: with libFuzzer (preset
 * `fuzz`, scripts/fuzz.sh) and with replay.c, which feeds it the corpus in the normal test suite.
 * Targets do more than not crash: they check what must hold for every input with FUZZ_REQUIRE. */
#ifndef COUPLET_FUZZ_H
#define COUPLET_FUZZ_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define FUZZ_REQUIRE(condition)                                                                    \
  do {                                                                                             \
    if (!(condition)) {                                                                            \
      fprintf(stderr, "%s:%d: does not hold: %s\n", __FILE__, __LINE__, #condition);               \
      abort();                                                                                     \
    }                                                                                              \
  } while (0)

#endif
