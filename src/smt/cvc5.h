/* Dumps, and cvc5 as a second opinion on them. */
#ifndef COUPLET_SMT_CVC5_H
#define COUPLET_SMT_CVC5_H

#include "smt/encode.h"
#include "smt/solver.h"

/* Writes a self-contained SMT-LIB file with (check-sat). False if the file cannot be written. */
bool cvc5_write(const char *path, const struct encoding *text, const char *name,
                enum solver_answer answer);
/* Runs the binary on the text. SOLVER_UNKNOWN also when it cannot be run, fails or runs too long.
 */
enum solver_answer cvc5_check(const char *binary, const struct encoding *text, double timeout_s);
/* Is there such a program? */
bool cvc5_available(const char *binary);

#endif
