/* Finite claims at equality: probabilities of outputs as terms.
 *
 * Balls cannot tell that p1 = e^epsilon p2. Where the outputs of a mechanism can be listed by the
 * kernel (kernel/outcomes.h: coins, choices, noise against thresholds), their probabilities are
 * terms over numbers, exp and ln once the parameters and the input are numbers, and
 *   sum over outputs o of max(0, P1(o) - e^epsilon P2(o)) <= delta
 * is decided as a statement about such terms: inequalities are cleared of denominators and equal
 * exponentials cancel (kernel/cases.h, kernel/fraction.h), what is left is evaluated in balls.
 *
 * Soundness. The program is the one that claims are about (claim/lower.h), with values in the place
 * of parameters and inputs; terms that are the same denote the same output, so that outputs may only
 * be told apart more finely than they are, which makes the sum larger. A distribution whose
 * parameters are not seen to make sense, and whatever else is not certain, is "not decided". */
#ifndef COUPLET_CHECK_FINITE_SYMBOLIC_H
#define COUPLET_CHECK_FINITE_SYMBOLIC_H

#include "check/finite/inputs.h"

struct finite_symbolic;

/* NULL: the mechanism has no such form. `inputs` must live as long. */
struct finite_symbolic *finite_symbolic_open(const struct finite_inputs *inputs);
void finite_symbolic_close(struct finite_symbolic *s);

/* Is it certain that the claim holds for these inputs of run 1 and run 2, in this order? */
bool finite_symbolic_holds(struct finite_symbolic *s, size_t first, size_t second);

#endif
