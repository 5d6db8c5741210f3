/* "Did you mean": the candidate nearest to a misspelt word. */
#ifndef COUPLET_BASE_SPELL_H
#define COUPLET_BASE_SPELL_H

#include <stddef.h>

/* Insertions, deletions, replacements and swaps of neighbours that turn a into b; bytes, not
 * letters. Words longer than 63 bytes count as infinitely far (SIZE_MAX). */
size_t spell_distance(const char *a, const char *b);

/* The best candidate so far; start from {0}, so that callers can walk any table. */
struct spell_best {
  const char *word; /* NULL: nothing is near enough */
  size_t distance;
};
/* Near enough is one edit, in a word of six letters or more one in three of them; or a word that
 * goes on where the other, of at least three letters, ends (`eps`, `epsilon`). Of equally near
 * candidates the first in the alphabet is taken, so that the order of a table does not matter. */
void spell_consider(struct spell_best *best, const char *written, const char *candidate);
const char *spell_nearest(const char *written, const char *const *candidates, size_t count);

#endif
