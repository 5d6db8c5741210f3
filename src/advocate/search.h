/* The search for one refutation: what its parts have in common.
 *
 * sat.h chooses which formulas are true, arith.h says which comparisons cannot be true together,
 * lemmas.h adds what the functions mean, instances of quantifiers and congruences where the present
 * assignment violates them, divide.h writes quotients as products with inverses, products.h
 * multiplies hypotheses. Everything any of them adds is a step of the log. */
#ifndef COUPLET_ADVOCATE_SEARCH_H
#define COUPLET_ADVOCATE_SEARCH_H

#include "advocate/poly.h"
#include "advocate/sat.h"
#include "advocate/simplex.h"
#include "base/budget.h"
#include "check/referee/schemas.h"

enum atom_kind {
  ATOM_OTHER,
  ATOM_ORDER, /* a comparison of numbers */
  ATOM_EQUAL, /* an equation of numbers */
  ATOM_SAME   /* an equation of other values */
};

struct atom {
  enum atom_kind kind;
  term_id left, right;
  bool is_strict, is_int;
  bool defined[2]; /* are its clauses there for when it is true / false? */
};

/* coefficient * monomial * what the literals say * squares; >= 0, or = 0 if a literal is an
 * equation, which is needed unless the monomial is 1 and the coefficient not negative. */
struct part {
  fmpq coefficient;
  uint32_t times;
  int_list lits;
  term_list squares;
  bool is_strict;
};
typedef VEC(struct part) part_list;

/* Something that holds while some literals do: value >= 0, > 0 or = 0. It is the sum of the parts,
 * reduced by the rules. */
struct fact {
  part_list parts;
  struct poly value;
  bool is_strict, is_equation;
  bool is_product; /* made by products.h, for the assignment of that time */
  int var;         /* of the simplex: value = scale * var + constant; -1: a number */
  fmpq scale;
};

/* monomial -> value, since `lit`, which is true at level 0, says that factor * (monomial - value) =
 * the polynomial of its equation - sum of multiples[i] * (rule i). */
struct rule {
  int lit;
  uint32_t monomial;
  struct poly value;
  fmpq factor;
  struct poly *multiples; /* one for each earlier rule */
  size_t multiple_count;
};

struct inverse {
  term_id generator; /* of what: a generator, or TERM_NONE */
  struct poly of;    /* else: a polynomial that is no monomial */
  term_id term;      /* its inverse, a generator */
  int equation;      /* their product is 1 */
};

struct search {
  struct terms *ts;
  const struct budget *budget;
  const struct sequent *sequent;
  struct refutation log;
  struct sat sat;
  struct memo vars; /* atom -> 1 + variable */
  VEC(struct atom) atoms;

  /* lemmas */
  term_list terms;   /* all closed ground terms that occur, children first */
  struct memo known; /* term -> 1 */
  struct memo done;  /* lemmas made: hash -> 1 */
  size_t instances;

  /* arithmetic */
  struct monomials monomials;
  VEC(struct rule) rules;
  struct memo reducible; /* monomial -> 1 + rule, 0: none */
  VEC(struct inverse) inverses;
  struct simplex lp;
  struct memo columns;            /* 1 + monomial -> variable */
  VEC(uint32_t) column_monomials; /* by simplex variable; 0: a row */
  VEC(struct fact) facts;
  struct memo fact_of; /* 1 + literal -> 1 + fact */
  VEC(size_t) marks;   /* simplex trail before each literal told */
  bool arith_is_stale; /* there are new rules: rebuild at level 0 */
  size_t rounds;
  bool is_side_question, is_glance; /* search_proves, search_sees */
  bool ran_out;                     /* of time, for something: with more it may go otherwise */
  bool settles;                     /* comparisons that linear facts decide, before anything else */
  int effort; /* 0: no quotients, no functions, no new products; 1: functions as they stand; 2: all
               */
};

/* The variable of a formula, as a literal (negations are signs); registers what occurs in it. */
int search_literal(struct search *s, term_id formula);
/* Makes what follows from either value of the literal known. */
void search_mention(struct search *s, int lit);
/* Can it be shown, with little effort, that the formula holds at level 0? */
bool search_proves(struct search *s, term_id formula);
/* The same without lemmas and products: from the linear facts. */
bool search_sees(struct search *s, term_id formula);
/* Adds a step whose clause is the literals. */
void search_clause(struct search *s, const int *lits, size_t count, size_t step);
/* A schema as a unit clause, once. False: it was there already, or does not fit. */
bool search_schema(struct search *s, enum schema schema, const term_id *args, size_t count);

#endif
