/* Terms and formulas: typed, hash-consed, immutable.
 *
 * A term is a small integer (term_id) into the table of a struct terms; equal terms are the same
 * integer. Handles of two tables must not be mixed. TERM_NONE (0) is "no term": every builder that
 * meets an ill-sorted or missing argument, or a limit, returns TERM_NONE and notes why in
 * `failure`; every consumer treats it as "nothing is known". So a mistake never turns into a
 * provable formula.
 *
 * Sorts are handles as well: bool, int, real, and those made by the functions below. Arrays map
 * int to a sort and are total; how long an array is, is a separate term. All sorts are inhabited.
 *
 * Every function is total. What x/0, x div 0, ln and sqrt outside their domain, head and tail of
 * nil, b^t for t < 0 are is not specified, but equal arguments give equal values (as in SMT-LIB).
 * differing(a, b) is some fixed function of the pair {a, b}: where the total maps a and b differ,
 * it is an index at which they do; where they are equal, it is any integer.
 *
 * A variable has a name, a sort, a run (1 or 2: the value in that run; 0: shared by both, or
 * logical) and a version (0 is the program's own; others are older values, or fresh ones).
 *
 * Quantifiers are locally nameless: a bound variable is TERM_BOUND with a de Bruijn index, so terms
 * equal up to renaming are equal, and substitution cannot capture. Builders close the body over
 * ordinary variables; whoever looks below a quantifier instantiates it first. Terms held by callers
 * are closed: `loose` is 0.
 *
 * Normal form (kept by the builders in build.h; none changes the meaning):
 *  - ADD: at least two addends, each a number or coefficient times something, the somethings
 *    distinct and in increasing order, the number last and not 0. So linear terms are canonical.
 *  - MUL: an optional coefficient (not 0 or 1) first, then factors in increasing order, equal ones
 *    gathered in POW; a coefficient times an ADD is distributed. Products of sums stay as they are.
 *  - numbers are folded; t/c becomes (1/c)*t for a number c other than 0, and no other quotient is
 *    touched; AND and OR are flat, sorted, without repetition;
 *  - the variable of a quantifier occurs in its body.
 *  - mixed int/real arguments: the integers are wrapped in TO_REAL, which sits on non-arithmetic
 *    terms only. */
#ifndef COUPLET_TERM_TERM_H
#define COUPLET_TERM_TERM_H

#include <flint/fmpq.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/intern.h"
#include "base/vec.h"

typedef uint32_t term_id;
typedef uint32_t sort_id;
typedef uint32_t symbol_id;
typedef VEC(term_id) term_list;

#define TERM_NONE ((term_id)0)
#define SYMBOL_NONE UINT32_MAX

enum { /* the sorts that are always there */
       SORT_NONE = 0,
       SORT_BOOL = 1,
       SORT_INT = 2,
       SORT_REAL = 3
};

enum sort_kind {
  SORT_KIND_NONE,
  SORT_KIND_BOOL,
  SORT_KIND_INT,
  SORT_KIND_REAL,
  SORT_KIND_ABSTRACT,
  SORT_KIND_ARRAY,
  SORT_KIND_LIST,
  SORT_KIND_TUPLE
};

struct sort {
  enum sort_kind kind;
  const char *name;     /* abstract: interned */
  const sort_id *items; /* array, list: one; tuple: all */
  size_t count;
};

enum term_kind {
  TERM_KIND_NONE,
  TERM_TRUE,
  TERM_FALSE,
  TERM_NUM,   /* exact rational; int numbers are integers */
  TERM_VAR,   /* free variable */
  TERM_BOUND, /* bound variable; data: de Bruijn index */
  TERM_ADD,
  TERM_MUL,
  TERM_POW,   /* base; data: exponent >= 2 */
  TERM_RAISE, /* int exponent; data: base >= 2. An int, see term_raise */
  TERM_DIV,   /* real quotient; the divisor is not a number other than 0 */
  TERM_IDIV,
  TERM_MOD, /* floor division; x mod y = x - y * (x div y) */
  TERM_TO_REAL,
  TERM_FLOOR, /* real to int */
  TERM_CEIL,
  TERM_ABS,
  TERM_MIN,
  TERM_MAX, /* two arguments */
  TERM_EXP,
  TERM_LN,
  TERM_SQRT,
  TERM_ITE,
  TERM_EQ, /* any sort, bool included */
  TERM_LE,
  TERM_LT,
  TERM_NOT,
  TERM_AND,
  TERM_OR,
  TERM_IMPLIES,
  TERM_FORALL, /* body; sort of the variable in `binder`, its name is only a hint */
  TERM_EXISTS,
  TERM_APP, /* data: symbol */
  TERM_SELECT,
  TERM_STORE,
  TERM_DIFFERING, /* two arrays of one sort: an index at which they differ, if there is one */
  TERM_NIL,
  TERM_CONS,
  TERM_APPEND,
  TERM_LENGTH,
  TERM_HEAD,
  TERM_TAIL,
  TERM_TUPLE,
  TERM_PROJ /* data: index from 0 */
};

/* What occurs in a term, for quick answers. */
enum {
  TERM_HAS_RUN0 = 1,
  TERM_HAS_RUN1 = 2,
  TERM_HAS_RUN2 = 4,
  TERM_HAS_QUANTIFIER = 8,
  TERM_HAS_TRANSCENDENTAL = 16, /* exp, ln, sqrt */
  TERM_HAS_LIST = 32,
  TERM_HAS_RAISE = 64,
  TERM_HAS_DIFFERING = 128,
  TERM_HAS_ARRAY = 256 /* or a list or tuple of arrays */
};

struct term_node {
  enum term_kind kind;
  sort_id sort;
  uint32_t hash;
  uint32_t data;   /* see term_kind; NUM, VAR: index into the table of numbers / variables */
  uint32_t first;  /* arguments: count handles from here in terms.args */
  uint32_t count;  /* number of arguments */
  uint32_t depth;  /* 1 for leaves */
  uint32_t loose;  /* 1 + largest de Bruijn index that no quantifier inside binds; 0: closed */
  uint32_t flags;  /* TERM_HAS_* */
  sort_id binder;  /* quantifiers: sort of the bound variable */
  uint32_t hint;   /* quantifiers: index of its name; not part of the term's identity */
  uint64_t filter; /* Bloom filter of the free variables: no common bit, no common variable */
};

struct term_var {
  const char *name; /* interned */
  sort_id sort;
  unsigned run;     /* 0, 1, 2 */
  unsigned version; /* 0: the program's own */
};

/* An uninterpreted operator. */
struct term_symbol {
  const char *name; /* interned; unique among the symbols */
  const sort_id *args;
  size_t count;
  sort_id result;
};

enum term_failure {
  TERM_FAILURE_NONE,
  TERM_FAILURE_SORT, /* ill-sorted or missing argument */
  TERM_FAILURE_DEPTH,
  TERM_FAILURE_SIZE,
  TERM_FAILURE_NUMBER /* a number with more than TERM_LIMIT_BITS bits, or an exponent too large */
};

enum {
  TERM_LIMIT_DEPTH = 2000,       /* nesting; traversals recurse, so this bounds the stack */
  TERM_LIMIT_NODES = 20000000,   /* terms in one table */
  TERM_LIMIT_BITS = 1024 * 1024, /* of one number */
  TERM_LIMIT_POWER = 4096,       /* constant exponents */
  TERM_LIMIT_VERSION = INT32_MAX /* of variables: a fresh one must not wrap around to 0 */
};

struct terms {
  struct intern names;
  struct arena arena; /* of sorts and symbols */
  VEC(struct sort) sorts;
  VEC(struct term_node) nodes;
  term_list args;
  VEC(fmpq) numbers;
  VEC(struct term_var) vars;
  VEC(struct term_symbol) symbols;
  VEC(const char *) hints;
  uint32_t *buckets; /* open addressing: handles */
  size_t capacity;
  unsigned fresh;            /* last version given out by term_fresh */
  enum term_failure failure; /* of the last builder that returned TERM_NONE */
  term_id true_term, false_term;
};

void terms_init(struct terms *ts);
void terms_clear(struct terms *ts);

/* Takes back all terms made since the mark: their handles mean nothing any more. What is made next
 * gets the handles and fresh versions it would have got without them, so that a search leaves no
 * trace in a derivation that is to be repeated. Sorts and names stay. */
struct terms_mark {
  size_t nodes, args, numbers, vars, symbols;
  unsigned fresh;
};
struct terms_mark terms_mark(const struct terms *ts);
void terms_rollback(struct terms *ts, struct terms_mark mark);
const char *term_failure_text(enum term_failure failure);

/* ---- sorts ---------------------------------------------------------------------------------- */

sort_id sort_abstract(struct terms *ts, const char *name);
sort_id sort_array(struct terms *ts, sort_id elem);
sort_id sort_list(struct terms *ts, sort_id elem);
/* At least two items. */
sort_id sort_tuple(struct terms *ts, const sort_id *items, size_t count);
const struct sort *sort_get(const struct terms *ts, sort_id sort);
/* Element of an array or list; SORT_NONE for others. */
sort_id sort_elem(const struct terms *ts, sort_id sort);
/* Is there an array in values of this sort? */
bool sort_has_array(const struct terms *ts, sort_id sort);
static inline bool sort_is_numeric(sort_id sort) {
  return sort == SORT_INT || sort == SORT_REAL;
}

/* ---- reading -------------------------------------------------------------------------------- */

static inline const struct term_node *term_get(const struct terms *ts, term_id t) {
  return &ts->nodes.at[t];
}
static inline enum term_kind term_kind(const struct terms *ts, term_id t) {
  return ts->nodes.at[t].kind;
}
static inline sort_id term_sort(const struct terms *ts, term_id t) {
  return ts->nodes.at[t].sort;
}
static inline size_t term_arg_count(const struct terms *ts, term_id t) {
  return ts->nodes.at[t].count;
}
static inline term_id term_arg(const struct terms *ts, term_id t, size_t i) {
  return ts->args.at[ts->nodes.at[t].first + i];
}
/* Does it mention a variable of run 1 / of run 2? */
static inline bool term_in_run(const struct terms *ts, term_id t, unsigned run) {
  return ts->nodes.at[t].flags & (TERM_HAS_RUN0 << run);
}
bool term_is_num(const struct terms *ts, term_id t);
/* Value of a TERM_NUM; valid until the next builder call. */
const fmpq *term_num_value(const struct terms *ts, term_id t);
/* Of a TERM_VAR. Valid until the next variable is made. */
const struct term_var *term_var_get(const struct terms *ts, term_id t);
const struct term_symbol *symbol_get(const struct terms *ts, symbol_id symbol);
/* Name of a quantifier's variable, as it was first written. */
const char *term_binder_hint(const struct terms *ts, term_id t);

/* ---- leaves and symbols --------------------------------------------------------------------- */

/* The number; for SORT_INT it must be an integer. */
term_id term_num(struct terms *ts, const fmpq *value, sort_id sort);
/* The variable (name, sort, run, version); made on first use. */
term_id term_var(struct terms *ts, const char *name, sort_id sort, unsigned run, unsigned version);
/* A variable like `var` with a version that was never used before. */
term_id term_fresh(struct terms *ts, term_id var);
/* The same variable in another run. */
term_id term_var_in_run(struct terms *ts, term_id var, unsigned run);

/* Declares an operator, or finds it. SYMBOL_NONE if the name is taken with another signature. */
symbol_id symbol_declare(struct terms *ts, const char *name, const sort_id *args, size_t count,
                         sort_id result);

/* ---- for the builders ----------------------------------------------------------------------- */

/* The hash-consed node; checks limits, not sorts. Everybody else uses build.h. */
term_id term_make_(struct terms *ts, struct term_node fields, const term_id *args, size_t count);
term_id term_fail_(struct terms *ts, enum term_failure why);

#endif
