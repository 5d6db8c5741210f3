/* Terms for people, without the numbers of versions.
 *
 * In a proof a variable has a version after each assignment: the third one of x is written `x@3`.
 * Mostly only one of them matters for what failed, and people call it x. */
#ifndef COUPLET_OUT_VERSIONS_H
#define COUPLET_OUT_VERSIONS_H

/* The text with x in place of x@3 where neither it nor `beside` (may be NULL) has another x,
 * unless one is of run 1 and the other of run 2; xmalloc'd. */
char *without_versions(const char *text, const char *beside);

#endif
