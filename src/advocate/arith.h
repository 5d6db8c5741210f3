/* Arithmetic of the search: literals as bounds of linear forms in monomials, and what cannot hold
 * together as ALGEBRA clauses. */
#ifndef COUPLET_ADVOCATE_ARITH_H
#define COUPLET_ADVOCATE_ARITH_H

#include "advocate/search.h"

void arith_init(struct search *s);
void arith_clear(struct search *s);

/* What a true literal says: value >= 0, > 0, = 0. False: nothing. Not reduced. */
bool arith_raw(struct search *s, int lit, struct poly *value, bool *is_strict, bool *is_equation);
/* Applies the rules. record: NULL, or one polynomial for each rule, to which is added what the rule
 * (monomial - value) was multiplied by: p before = p after + sum of record * rule. */
bool arith_reduce(struct search *s, struct poly *p, struct poly *record);
/* Makes rules of equations that hold at level 0. True: there are new ones. */
bool arith_find_rules(struct search *s);
bool arith_add_rule(struct search *s, int lit, uint32_t monomial);
/* Does a rule define the generator? */
bool arith_is_defined(struct search *s, term_id generator);
/* Begins anew with the present rules (at level 0). */
void arith_rebuild(struct search *s);

/* Theory callbacks. */
enum theory_answer arith_assign(struct search *s, int lit);
void arith_undo(struct search *s, size_t size);
enum theory_answer arith_check(struct search *s);

void part_clear(struct part *p);
void fact_drop(struct fact *f); /* parts and value */
/* Adds c * fact to a list of parts. */
void fact_add_parts(part_list *out, const struct fact *f, const fmpq *c);
/* A clause: the literals of the parts cannot all be true, since the sum of the parts, modulo the
 * rules, is a number that is too small. False: it is not, or limits are met. */
bool arith_refute_parts(struct search *s, const part_list *parts);
/* What the simplex blames: coefficient * fact, the fact's sign taken into account. */
const struct fact *arith_blamed(struct search *s, size_t i, fmpq *coefficient);
/* Adds a fact that follows from true literals (a product) to the present bounds. False: conflict.
 */
bool arith_add_fact(struct search *s, struct fact *fact);
/* The present value of a polynomial (not reduced) or of a monomial, with delta = 1/1024. */
void arith_value(struct search *s, const struct poly *p, fmpq *value);
void arith_term_value(struct search *s, term_id t, fmpq *value);
/* Value of a reduced one over the columns; false if a monomial is no column. */
bool arith_linear_value(struct search *s, const struct poly *p, fmpq *value);

/* A clause: the given literals' negations, with the multipliers, and the rules show that
 *   target = 0 (a literal), or a contradiction (target -1).
 * sum of multiplier[i] * equation[i] - difference must reduce to 0. */
bool arith_identity(struct search *s, const struct poly *difference, const int *equations,
                    const struct poly *multipliers, size_t count, int target);

#endif
