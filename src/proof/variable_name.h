/* Names of program variables: that of the source, then what the translation adds to it (claim/lower.h):
 * a prime and a word or number, perhaps several times. */
#ifndef COUPLET_PROOF_VARIABLE_NAME_H
#define COUPLET_PROOF_VARIABLE_NAME_H

#include <stdbool.h>
#include <stddef.h>

/* Where the addition begins; the length of the name if there is none. (A name of the source with a
 * prime inside is taken for one with an addition.) */
size_t variable_base(const char *variable);
/* Is it the name of the variable, with or without what the translation added? */
bool names_variable(const char *name, const char *variable);
/* Is it a variable that an interaction with an adversary is counted or remembered by? */
bool variable_is_of_adversary(const char *variable);

#endif
