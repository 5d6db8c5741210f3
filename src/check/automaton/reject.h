/* How the checkers of evidence about automata say no. */
#ifndef COUPLET_CHECK_AUTOMATON_REJECT_H
#define COUPLET_CHECK_AUTOMATON_REJECT_H

#include <stdbool.h>

#include "base/buffer.h"

/* False; the reason goes to `why`, if it is not NULL. */
bool automaton_reject(struct buffer *why, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Every check of a checker `c` goes through this: a claim that does not hold ends the check. */
#define REQUIRE(condition, ...)                                                                    \
  do {                                                                                             \
    if (!(condition)) return automaton_reject(c->why, __VA_ARGS__);                                \
  } while (0)

#endif
