/* Clause learning search that logs a proof: decides, propagates, asks a theory, learns.
 *
 * Every clause is a step of a refutation (its number in `log`). What is learned becomes a CHAIN
 * step with its hints; when everything is contradictory the last step is the empty clause.
 * Decisions are made for clauses that are not yet true, so formulas that do not matter stay
 * undecided; when all clauses are true the theory has the last word.
 *
 * Literals are 2 * variable + (1 if negated). */
#ifndef COUPLET_ADVOCATE_SAT_H
#define COUPLET_ADVOCATE_SAT_H

#include <stdbool.h>

#include "base/budget.h"
#include "base/vec.h"
#include "check/referee/refutation.h"

typedef VEC(int) int_list;

static inline int lit_negate(int lit) {
  return lit ^ 1;
}
static inline int lit_var(int lit) {
  return lit >> 1;
}

struct sat_clause {
  int *lits; /* the first two are watched */
  size_t count;
  size_t step;
  bool is_learned;
};

enum theory_answer {
  THEORY_FINE,
  THEORY_CONFLICT, /* a clause that is false was added */
  THEORY_CHANGED,  /* clauses were added: go on */
  THEORY_GIVE_UP
};

struct sat;
struct theory {
  /* The literal became true / the literals from trail position `size` on are no longer. */
  enum theory_answer (*assign)(void *context, int lit);
  void (*undo)(void *context, size_t size);
  enum theory_answer (*check)(void *context);
  enum theory_answer (*final)(void *context); /* all clauses are true */
  void *context;
};

struct sat {
  struct refutation *log;
  /* What a CHAIN step's literals are: the atom of each variable. */
  VEC(term_id) atoms;
  VEC(signed char) value; /* 1 true, -1 false, 0 */
  VEC(int) level;
  VEC(int) reason;  /* clause, -1: none */
  VEC(size_t) unit; /* at level 0: the step of the unit clause */
  VEC(double) activity;
  VEC(int_list) watches; /* by literal */
  VEC(struct sat_clause) clauses;
  int_list trail;
  int_list limits;         /* trail size at each decision */
  size_t propagated, told; /* positions in the trail */
  double increment;
  struct theory theory;
  int_list conflicts_pending; /* clauses that were found to be false */
  bool is_contradictory;
  size_t last_step; /* then: the empty clause */
};

void sat_init(struct sat *s, struct refutation *log, struct theory theory);
void sat_clear(struct sat *s);
int sat_new_var(struct sat *s, term_id atom);
/* A clause; `step` derives it. Goes back to level 0 unless the clause is false or the search is
 * there anyway; returns its number. */
int sat_add(struct sat *s, const int *lits, size_t count, size_t step);
void sat_backtrack(struct sat *s, int level);
static inline int sat_value(const struct sat *s, int lit) { /* 1, -1, 0 */
  int v = s->value.at[lit_var(lit)];
  return lit & 1 ? -v : v;
}
static inline bool sat_is_fixed(const struct sat *s, int lit) { /* true at level 0 */
  return sat_value(s, lit) == 1 && s->level.at[lit_var(lit)] == 0;
}

enum sat_answer { SAT_CONTRADICTORY, SAT_CONSISTENT, SAT_UNDECIDED };
/* Are the clauses contradictory? With an assumption (a literal, or -1): are they together with it,
 * that is, has its negation been learned? */
enum sat_answer sat_solve(struct sat *s, int assumption, const struct budget *budget);
/* Propagates at level 0. False: contradictory. */
bool sat_settle(struct sat *s);
/* Tries to learn that the literal is false. True: it is, at level 0. */
bool sat_refute(struct sat *s, int lit, const struct budget *budget);

#endif
