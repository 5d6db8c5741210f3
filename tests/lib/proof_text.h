/* Programs with proofs as strings: checked, accepted or refused. */
#ifndef COUPLET_TEST_PROOF_TEXT_H
#define COUPLET_TEST_PROOF_TEXT_H

#include "smt/believe.h"

/* Checks the only claim of the text; the failing rule and a message (400 bytes) go to the buffers.
 */
enum proof_verdict proof_text_check(const char *text, char *rule, size_t size, char *message);
/* The file with this proof in place of the `;` of its claim; the caller frees it. */
char *proof_text_with(const char *path, const char *proof);

/* The claim is not proved, and this rule says so with these words. Empty: any. */
void refuses(const char *text, const char *by, const char *because);
void accepts(const char *text);

#endif
