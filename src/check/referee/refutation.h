/* Refutations: evidence that the hypotheses of a sequent entail its goal.
 *
 * A sequent H1, ..., Hn |- F is refuted by deriving the empty clause from H1, ..., Hn, not F. A
 * clause is a disjunction of literals, a literal a formula or its negation (formulas that start
 * with `not` do not occur as atoms). Each step derives one clause:
 *
 *   INPUT i        Hi (from 0), or not F for i = n
 *   DEFINE f k     the k-th clause of what the connective at the top of f means
 *   INSTANCE q t   forall x. A: not q or A[t];   exists x. A: q or not A[t]
 *   WITNESS q c    exists x. A: not q or A[c];   forall x. A: q or not A[c];   c occurs nowhere
 *                  before this step
 *   SCHEMA s ...   an instance of a schema of schemas.h
 *   ALGEBRA        a clause whose literals cannot all be false, by an identity of polynomials
 *   CHAIN          a clause that follows from earlier ones by unit propagation, in the order given
 *
 * The last step has to be the empty clause. Nobody needs to trust a refutation: referee.h checks
 * it. Terms belong to the table of the sequent. */
#ifndef COUPLET_CHECK_REFEREE_REFUTATION_H
#define COUPLET_CHECK_REFEREE_REFUTATION_H

#include "base/vec.h"
#include "term/term.h"

struct literal {
  term_id atom; /* a formula, not a negation */
  bool negated;
};
typedef VEC(struct literal) literal_list;
typedef VEC(size_t) index_list;

enum step_kind {
  STEP_INPUT,
  STEP_DEFINE,
  STEP_INSTANCE,
  STEP_WITNESS,
  STEP_SCHEMA,
  STEP_ALGEBRA,
  STEP_CHAIN
};

/* multiplier * product of what the negations of literals say to be >= 0, > 0 or = 0 * squares. */
struct summand {
  term_id multiplier; /* a number >= 0, or any real term if a factor is an equation */
  index_list factors; /* positions in the step's literals */
  term_list squares;  /* real terms; each counts as its square */
};

struct step {
  enum step_kind kind;
  size_t number;           /* INPUT: which; DEFINE: which clause; SCHEMA: which schema;
                              ALGEBRA: the literal that is shown, from 1, or 0 */
  term_id formula;         /* DEFINE, INSTANCE, WITNESS */
  term_list terms;         /* INSTANCE, WITNESS: one; SCHEMA: its arguments */
  literal_list literals;   /* ALGEBRA, CHAIN: the clause */
  VEC(struct summand) sum; /* ALGEBRA */
  index_list hints;        /* CHAIN: earlier steps */
};

struct refutation {
  VEC(struct step) steps;
};

struct sequent {
  const term_id *hypotheses;
  size_t count;
  term_id goal;
};

void refutation_init(struct refutation *r);
void refutation_clear(struct refutation *r);
/* A new last step. */
struct step *refutation_add(struct refutation *r, enum step_kind kind);

#endif
