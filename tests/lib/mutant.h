/* Mutants of mechanisms: one small change to the text of a correct example that may or may not
 * break its claim. All places a change applies to are listed; a seeded generator picks among them.
 */
#ifndef COUPLET_TESTS_MUTANT_H
#define COUPLET_TESTS_MUTANT_H

#include <stdbool.h>
#include <stddef.h>

struct mutant {
  const char *change; /* what was done: "less noise", ... */
  bool stays_private; /* the claim still holds if it held before */
  size_t place;       /* which of the places the change applies to */
};

/* Number of mutants of a source, and the one with this number (xmalloc'd). */
size_t mutant_count(const char *source);
char *mutant_make(const char *source, size_t number, struct mutant *out);

#endif
