/* Formulas over the reals: everything that is not arithmetic becomes a variable.
 *
 * Each exp, ln, sqrt, floor, ceil, integer variable, array element, ... is named by a fresh real
 * variable (an atom), each formula that is not a comparison of numbers by a boolean one. At a point
 * where the original has a value, the purified formula has the same value when the new variables
 * are given the values of what they name; so if purified hypotheses and true facts about the atoms
 * entail the purified goal, the original entailment holds. Integers are treated as reals; what is
 * left of them is, for each comparison of integers a and b, that a <= b or b + 1 <= a. */
#ifndef COUPLET_SMT_PURIFY_H
#define COUPLET_SMT_PURIFY_H

#include "term/memo.h"
#include "term/term.h"

struct pure_atom {
  enum term_kind kind; /* TERM_EXP, TERM_LN, TERM_SQRT, TERM_FLOOR, TERM_CEIL, or any other */
  term_id source;      /* the term it names */
  term_id var;         /* the real variable */
  term_id arg;         /* the argument, purified; TERM_NONE for other kinds */
};

struct purifier {
  struct terms *ts;
  struct memo memo; /* term -> purified */
  VEC(struct pure_atom) atoms;
  term_list splits; /* the facts about compared integers */
};

void purifier_init(struct purifier *p, struct terms *ts);
void purifier_clear(struct purifier *p);
/* A closed formula. TERM_NONE on limits. */
term_id purify_formula(struct purifier *p, term_id t);
/* A closed numeric term, as a real. */
term_id purify_number(struct purifier *p, term_id t);

#endif
