/* Judgements of the relational logic, in budget form, with the budget as a variable:
 * apRHL with f, g-liftings (Couplings), where what may still be spent is part of the state.
 *
 *     { pre }  c1  ~delta  c2  { post }
 *
 * pre and post are formulas over the memories of both runs, logical variables, and `budget`, a
 * real number >= 0: what may still be spent. delta is a term over logical variables other than
 * budget. Meaning: for all m1, m2, B >= 0 with pre(m1, m2, B), and all measurable f, g with values
 * in [0,1] such that f(a) <= e^B' g(b) whenever B' >= 0 and post(a, b, B'):
 *     E[f after c1 from m1] <= e^B E[g after c2 from m2] + delta.
 * The form {Phi; P} c1 ~ c2 {Psi; Q} is {Phi and budget >= P} c1 ~ c2 {Psi and budget >= Q};
 * a plain apRHL judgement at eps is {Phi and budget = B + eps} ... {Psi and budget = B}.
 * A rule that pays c replaces budget by budget - c and demands budget >= c.
 *
 * Only the functions in rules.h make judgements. `admitted` is true when an `admit` was used
 * anywhere above. Judgements live as long as their context. */
#ifndef COUPLET_KERNEL_JUDGEMENT_H
#define COUPLET_KERNEL_JUDGEMENT_H

#include "kernel/kernel.h"

struct judgement;

const struct core *judgement_left(const struct judgement *j);
const struct core *judgement_right(const struct judgement *j);
term_id judgement_pre(const struct judgement *j);
term_id judgement_post(const struct judgement *j);
term_id judgement_delta(const struct judgement *j);
bool judgement_admitted(const struct judgement *j);

/* The derivation, for explanations. */
const char *judgement_rule(const struct judgement *j);
struct span judgement_span(const struct judgement *j);
size_t judgement_premise_count(const struct judgement *j);
const struct judgement *judgement_premise(const struct judgement *j, size_t i);

/* Union-bound judgements about one program (aHL, Union bound): { pre } c { post } : beta. From a
 * memory in pre, c ends outside post with probability at most beta. Formulas are over run-less program
 * variables. Only ahl.h makes them. */
struct ahl;

#endif
