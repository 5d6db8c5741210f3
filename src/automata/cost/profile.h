/* Profiles: the least cost of a path so far, as a function of the shifts it ends with.
 *
 * A profile over n live variables is the list of the shift vectors with finite cost, in
 * lexicographic order. It is the state of a path: everything that came before matters only through
 * it. V <= W (entry by entry, missing = infinite) means that W is the worse one. */
#ifndef COUPLET_AUTOMATA_COST_PROFILE_H
#define COUPLET_AUTOMATA_COST_PROFILE_H

#include "automata/model/pump.h"
#include "automata/model/step.h"

enum { PROFILE_LIMIT = 30000 }; /* entries */

struct profile {
  size_t width; /* variables */
  size_t count; /* entries; 0: everything is infinite */
  int8_t *shifts;
  fmpz *value;
};

void profile_init(struct profile *v);
void profile_clear(struct profile *v);
void profile_swap(struct profile *a, struct profile *b);
/* No variables, cost 0. */
void profile_start(struct profile *v);
/* The profile after the step. False: more than PROFILE_LIMIT entries. `masks`: for each variable
 * live afterwards, the shifts to keep; NULL: all. Costs above `cap` (NULL: none) count as infinite.
 */
bool profile_step(struct profile *out, const struct profile *v, const struct step *step, int delta,
                  const unsigned char *masks, const fmpz *cap);
/* Drops the entries that the pump's demands exclude; the shifts of the variables it assigns are
 * forgotten (every shift then has the least cost of all). False: too many entries. */
bool profile_pump(struct profile *out, const struct profile *v, const struct pumps *pumps,
                  uint32_t pump, struct members live);
bool profile_at_most(const struct profile *v, const struct profile *w);
/* The least profile that is at least both: entries of both, the larger value. */
void profile_join(struct profile *out, const struct profile *v, const struct profile *w);
/* NULL if infinite. */
const fmpz *profile_least(const struct profile *v);
/* Index of the entry with these shifts, or SIZE_MAX. */
size_t profile_find(const struct profile *v, const int8_t *g);

#endif
