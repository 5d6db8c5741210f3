/* A mechanism from text, ready for the exact engine and the sampler. */
#ifndef COUPLET_TESTS_MECHANISM_H
#define COUPLET_TESTS_MECHANISM_H

#include "check/exact/exact.h"
#include "testlib.h"

struct mechanism {
  struct lang lang;
  struct ast_module *module;
  struct interp in;
};

/* The last mechanism of the text with the first instance that fits; the test fails on errors. */
void mechanism_load(struct mechanism *m, const char *text);
void mechanism_clear(struct mechanism *m);
/* Asks the exact engine (precision 0: its default); *result is initialised here. */
void mechanism_ask(struct mechanism *m, const char *event, slong precision,
                   struct exact_result *result);
/* The same, and fails the test when there is no answer. */
void mechanism_tell(struct mechanism *m, const char *event, slong precision,
                    struct exact_result *result);

#endif
