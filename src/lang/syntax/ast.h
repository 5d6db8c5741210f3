/* Abstract syntax of .dp files.
 *
 * The parser builds it, the checker fills in the fields marked "checker:", everybody else reads it.
 * All nodes live in the arena of their struct lang; names are interned there, so they compare with
 * ==. Arrays are (pointer, count) pairs. A node the parser could not read is EXPR_ERROR /
 * STMT_ERROR, and at least one error was reported: code behind the checker never sees one. */
#ifndef COUPLET_LANG_SYNTAX_AST_H
#define COUPLET_LANG_SYNTAX_AST_H

#include <flint/fmpq.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/source.h"
#include "lang/syntax/family.h"
#include "lang/syntax/type.h"

struct ast_decl;
struct ast_expr;
struct ast_stmt;

/* ---- names ---------------------------------------------------------------------------------- */

struct ast_name {
  const char *text; /* interned */
  struct span span;
};

/* A type as written: knows where it stands and how long arrays are. real[n][m] is an array of n
 * arrays real[m], so that q[i][j] has i below n. Variables of one declaration (`x, y : T`) share
 * their node. */
struct ast_type {
  enum type_kind kind;
  struct span span;
  struct ast_name name;    /* abstract */
  struct ast_type **items; /* array and list: one; tuple: all */
  size_t count;
  struct ast_expr *length; /* array: number of elements; NULL where it may be anything */
  bool is_option;          /* the tuple (bool, T), written option(T) */
  const struct type *type; /* checker: what it denotes */
};

enum var_role {
  VAR_INPUT, /* argument of a mechanism */
  VAR_ARG,   /* argument of a let, op, procedure, oracle or adversary */
  VAR_LOCAL, /* declared by `var` or by its first assignment */
  VAR_LOOP,  /* index of a for loop: read-only in the body */
  VAR_STATE, /* state of an adversary: lives from call to call */
  VAR_BINDER /* bound by forall / exists */
};

struct ast_var {
  enum var_role role;
  struct ast_name name;
  struct ast_type *declared; /* NULL: inferred from the assignments */
  bool is_private;           /* inputs: may differ between the two runs */
  bool says_public;          /* inputs: `public` is written, which is the default */
  const struct type *type;   /* checker */
  size_t slot;               /* checker: index in the frame, see struct ast_routine */
};

/* ---- notions of privacy ---------------------------------------------------------------------- */

/* In what a claim measures what the output tells about the input (docs/notions.md). */
enum notion {
  NOTION_PURE,    /* epsilon, perhaps with a delta */
  NOTION_RENYI,   /* Renyi divergence of order alpha */
  NOTION_ZCDP,    /* Renyi divergence of every order alpha > 1, at most alpha * rho */
  NOTION_GAUSSIAN /* no easier to tell apart than N(0,1) and N(mu,1) */
};

/* The word that begins the cost of a claim: epsilon, renyi, zcdp, gaussian. */
const char *notion_word(enum notion notion);

/* ---- expressions and formulas --------------------------------------------------------------- */

enum expr_kind {
  EXPR_ERROR,
  EXPR_BOOL,   /* true, false */
  EXPR_NUMBER, /* 3, 0.25, 1e-6: exact rational; `is_decimal` makes it real */
  EXPR_NAME,   /* variable, parameter, constant */
  EXPR_TAG,    /* x<1>: the value in run 1 (formulas about two runs only) */
  EXPR_UNARY,
  EXPR_BINARY,
  EXPR_CHAIN, /* a <= b < c: at least three operands */
  EXPR_CALL,
  EXPR_INDEX, /* a[i], from 0 */
  EXPR_PROJ,  /* t.1, from 1 */
  EXPR_LIST,  /* [a, b] */
  EXPR_TUPLE, /* (a, b) */
  EXPR_IF,    /* if c then a else b */
  EXPR_QUANT, /* forall i : int, j in 0..n. body */
  EXPR_HOLE   /* ? : where a claim asks for a number */
};

enum unary_op { UNARY_NEG, UNARY_NOT };

enum binary_op {
  BINARY_IFF,
  BINARY_IMPLIES,
  BINARY_OR,
  BINARY_AND,
  BINARY_EQ,
  BINARY_NE,
  BINARY_LT,
  BINARY_LE,
  BINARY_GT,
  BINARY_GE,
  BINARY_APPEND, /* l ++ m */
  BINARY_CONS,   /* x :: l */
  BINARY_ADD,
  BINARY_SUB,
  BINARY_MUL,
  BINARY_DIV,  /* always real */
  BINARY_IDIV, /* div: floor division of integers */
  BINARY_MOD,  /* mod: x - y * (x div y) */
  BINARY_POW   /* x ^ k, k a non-negative integer constant term; or b ^ t, b a constant */
};

/* Functions that are always there. The table with names, arities and types is in builtin.h. */
enum builtin {
  BUILTIN_NONE,
  BUILTIN_LN,
  BUILTIN_EXP,
  BUILTIN_SQRT,
  BUILTIN_FLOOR,
  BUILTIN_CEIL,
  BUILTIN_ROUND, /* nearest integer, halves up: floor(x + 1/2) */
  BUILTIN_ABS,
  BUILTIN_MIN,
  BUILTIN_MAX,
  BUILTIN_LENGTH, /* list or array */
  BUILTIN_HEAD,
  BUILTIN_TAIL,
  BUILTIN_REAL, /* int to real, explicitly */
  /* floating point: these conversions, and functions of such numbers only */
  BUILTIN_TO_FLOAT, /* the nearest number, of any number; exact from float32 */
  BUILTIN_TO_FLOAT32,
  BUILTIN_TO_REAL, /* exact */
  BUILTIN_FMA,     /* x * y + z, rounded once */
  BUILTIN_SIN,
  BUILTIN_COS,
  BUILTIN_LOG1P, /* ln(1 + x) */
  BUILTIN_EXPM1, /* exp(x) - 1 */
  BUILTIN_SOME,  /* these three are gone once checked (check_option.c) */
  BUILTIN_IS_SOME,
  BUILTIN_VALUE,
  BUILTIN_SUM,    /* sum(a) and the next two: of the items of an array; as are max(a), min(a) */
  BUILTIN_ARGMAX, /* of the first such item */
  BUILTIN_ARGMIN,
  BUILTIN_SORT,       /* an array with the items of another one, the smallest first */
  BUILTIN_DECLASSIFY, /* identity; says that private data may steer a loop or a scale here */
  /* adjacency shorthands: formulas about two runs */
  BUILTIN_WITHIN,       /* within(x, s): abs(x<1> - x<2>) <= s */
  BUILTIN_ALL_WITHIN,   /* all_within(q, s): every entry within s */
  BUILTIN_ONE_DIFFERS,  /* one_differs(q, s): at most one entry differs, by at most s */
  BUILTIN_ONE_CHANGES,  /* one_changes(q): at most one entry differs, in whatever way */
  BUILTIN_ADD_REMOVE,   /* add_remove(q): at most one optional entry is there in one run only */
  BUILTIN_ALL_INCREASE, /* all_increase(q, s): 0 <= q<2>[i] - q<1>[i] <= s for every i */
  BUILTIN_ALL_DECREASE, /* the same with the runs swapped */
  BUILTIN_MONOTONE,     /* monotone(q, s): all_increase or all_decrease */
  BUILTIN_SAME,         /* same(x): x<1> = x<2> */
  /* in proofs only */
  BUILTIN_SAME_EXCEPT, /* same_except(x, i): the arrays are equal but perhaps at index i */
  BUILTIN_DIFFERING,   /* differing(x): an index at which they differ, if there is one */
  BUILTIN_STOPS_ODD    /* stops_odd(g, k): see kernel/series.h */
};

enum callee_kind {
  CALLEE_UNRESOLVED,
  CALLEE_BUILTIN,
  CALLEE_LET,
  CALLEE_OP,
  CALLEE_PROCEDURE, /* the last three only as the whole right-hand side of an assignment, */
  CALLEE_ORACLE,    /* or as a statement of their own */
  CALLEE_ADVERSARY
};

/* forall x : T   or   forall i in lo..hi   (half-open range of integers) */
struct ast_binder {
  struct ast_var *var;
  struct ast_expr *low, *high; /* both NULL when the binder has a type */
};

struct ast_expr {
  enum expr_kind kind;
  struct span span;
  const struct type *type; /* checker */
  union {
    bool boolean;
    struct {
      fmpq *value;      /* exact; canonical; limbs freed by lang_clear */
      const char *text; /* as written, interned */
      bool is_decimal;  /* written with a point or exponent: a real */
    } number;
    struct {
      const char *text;
      struct ast_var *var;   /* checker: one of these two */
      struct ast_decl *decl; /* param, let without arguments, op without arguments */
    } name;
    struct {
      struct ast_expr *operand;
      int run; /* 1 or 2 */
    } tag;
    struct {
      enum unary_op op;
      struct ast_expr *operand;
    } unary;
    struct {
      enum binary_op op;
      struct ast_expr *left, *right;
    } binary;
    struct {
      struct ast_expr **operands;
      enum binary_op *ops; /* ops[i] stands between operands[i] and operands[i+1] */
      size_t count;        /* of operands */
    } chain;
    struct {
      struct ast_name callee;
      struct ast_expr **args;
      size_t count;
      enum callee_kind callee_kind; /* checker */
      enum builtin builtin;         /* checker, for CALLEE_BUILTIN */
      unsigned ulps; /* checker, of floats: how far `libm` lets the value be from the right one */
      struct ast_decl *decl;        /* checker: let, op, procedure, adversary */
      struct ast_routine *oracle;   /* checker, for CALLEE_ORACLE: in a script only its head, */
      size_t use;                   /* and the use of the adversary that it is */
      struct ast_routine **oracles; /* checker, for CALLEE_ADVERSARY: one for each of its uses */
    } call;
    struct {
      struct ast_expr *base, *index;
    } index;
    struct {
      struct ast_expr *base;
      unsigned item; /* from 1 */
    } proj;
    struct {
      struct ast_expr **items;
      size_t count;
    } list; /* EXPR_LIST and EXPR_TUPLE */
    struct {
      struct ast_expr *cond, *then, *otherwise;
    } cond;
    struct {
      bool is_forall;
      bool is_sum; /* sum i in a..b. e: one binder with a range, the body is a number */
      struct ast_binder *binders;
      size_t count;
      struct ast_expr *body;
    } quant;
  } as;
};

/* ---- distributions -------------------------------------------------------------------------- */

struct ast_dist {
  enum dist_kind kind;
  enum dist_sugar sugar; /* not SUGAR_NONE: kind is that of what it becomes */
  struct span span;
  struct ast_expr **args;
  size_t count;
};

/* ---- statements ----------------------------------------------------------------------------- */

enum stmt_kind {
  STMT_ERROR,
  STMT_SKIP,
  STMT_VAR,    /* var x : T [:= e]; */
  STMT_ASSIGN, /* x := e;  a[i] := e;  (x, y) := e;  x := call(...); */
  STMT_SAMPLE, /* x <$ D;  a[i] <$ D; */
  STMT_CALL,   /* call(...); */
  STMT_IF,
  STMT_WHILE,
  STMT_FOR,   /* for i in low..high { }: half-open, bounds evaluated once */
  STMT_BREAK, /* these two end up in no routine's `plain` */
  STMT_CONTINUE,
  STMT_EMIT,
  STMT_RETURN
};

struct ast_block {
  struct ast_stmt **stmts;
  size_t count;
  struct span span; /* with the braces */
};

/* x or a[i]; `index` NULL for a plain variable. */
struct ast_target {
  struct ast_name name;
  struct ast_expr *index;
  struct ast_var *var; /* checker */
};

struct ast_stmt {
  enum stmt_kind kind;
  struct span span;
  union {
    struct {
      struct ast_var *var;
      struct ast_expr *init; /* or NULL */
    } var;
    struct {
      struct ast_target *targets; /* several: the value is a tuple */
      size_t count;
      struct ast_expr *value;
    } assign;
    struct {
      struct ast_target target;
      struct ast_dist dist;
    } sample;
    struct ast_expr *call; /* an EXPR_CALL */
    struct {
      struct ast_expr *cond;
      struct ast_block then;
      struct ast_block otherwise; /* `else if` is a block of one STMT_IF */
      bool has_else;
    } branch;
    struct {
      struct ast_expr *cond;
      struct ast_block body;
    } loop;
    struct {
      struct ast_var *var;
      struct ast_expr *low, *high;
      struct ast_block body;
      struct ast_var *stop; /* checker, in `plain`: no further round once it is true; or NULL */
    } range;
    struct ast_expr *value; /* emit, return; NULL for a bare return */
  } as;
};

/* ---- declarations --------------------------------------------------------------------------- */

/* Code with arguments: mechanism, procedure, oracle, an adversary's script.
 *
 * Frames. The arguments have slots 0..arg_count-1, the other variables follow, loop indices
 * included. An oracle shares the frame of its mechanism: its arguments and variables have slots
 * after those of the mechanism. Arguments of a let or op have slots from 0; the binders of a
 * quantifier come after the arguments that are visible there. */
struct ast_routine {
  struct ast_name name;
  struct ast_var **args;
  size_t arg_count;
  struct ast_type *emits;   /* mechanisms: type of the items of the output stream, or NULL */
  struct ast_type *returns; /* or NULL */
  struct ast_block body;    /* as written */
  struct ast_block plain;   /* checker: the same without sugar (check_plain.c); what is run */
  struct ast_var **locals;  /* checker: every variable that is not an argument, by slot order */
  size_t local_count;
  size_t slot_count; /* checker: size of the frame; an oracle's is that of its mechanism */
  struct ast_routine **oracles; /* mechanisms: oracles declared at the top of the body */
  size_t oracle_count;
  struct ast_routine *enclosing; /* oracles: the mechanism whose variables they see */
  struct span span;
};

/* `uses O(q : Query) : bool at most N` */
struct ast_oracle_use {
  struct ast_name name;
  struct ast_var **args;
  size_t arg_count;
  struct ast_type *returns;
  struct ast_expr *bound;
};

enum automaton_output { OUTPUT_SYMBOL, OUTPUT_INSAMPLE, OUTPUT_INSAMPLE_PRIME };

struct ast_state {
  struct ast_name name;
  bool is_input;               /* also when neither `input` nor `noninput` is written */
  bool is_final;               /* no noise, no outgoing edge */
  struct ast_expr *d, *mean;   /* insample ~ Lap(in + mean, 1/(d eps)) */
  struct ast_expr *d2, *mean2; /* insample', or both NULL */
  struct span span;
};

struct ast_edge {
  struct ast_name from, to;
  struct ast_expr *guard; /* over the names `insample` and threshold variables; NULL: true */
  enum automaton_output output;
  struct ast_name symbol; /* OUTPUT_SYMBOL */
  struct ast_name *assigned;
  size_t assigned_count;
  struct span span;
};

enum decl_kind {
  DECL_ERROR,
  DECL_INCLUDE,
  DECL_PARAM,
  DECL_LET,
  DECL_TYPE,
  DECL_OP,
  DECL_LIBM,
  DECL_AXIOM,
  DECL_LEMMA,
  DECL_ADVERSARY,
  DECL_PROCEDURE,
  DECL_MECHANISM,
  DECL_AUTOMATON,
  DECL_CLAIM,
  DECL_INSTANCE
};

/* One line of an instance: gives a concrete meaning to something declared abstractly. */
enum binding_kind {
  BINDING_PARAM,    /* param eps = 1; */
  BINDING_INPUT,    /* input q = [0, 1, 1]; */
  BINDING_TYPE,     /* type Db = list(int); */
  BINDING_OP,       /* op eval(q, d) = d[q]; */
  BINDING_ADVERSARY /* adversary A(l) { ... } */
};

struct ast_binding {
  enum binding_kind kind;
  struct ast_name name;
  struct span span;
  struct ast_decl *target; /* checker; NULL for inputs */
  struct ast_type *type;   /* type */
  struct ast_var **args;   /* op: names; types come from the declaration */
  size_t arg_count;
  struct ast_expr *value;      /* param, input, op */
  struct ast_routine *routine; /* adversary */
};

struct ast_decl {
  enum decl_kind kind;
  struct ast_name
      name; /* empty for include and libm; a claim without one is named after its mechanism */
  struct span span;
  const char *doc;         /* text of the doc comment before it, or NULL */
  struct span lemma_proof; /* lemma: the braces of its proof and what is between; file 0: none */
  union {
    struct {
      const char *path; /* as written */
      struct span span;
    } include;
    /* `param a, b : T, F;` is two declarations that share span and type; the last has the F. */
    struct {
      struct ast_type *type;
      struct ast_expr **assumptions;
      size_t count;
    } param;
    struct {
      struct ast_var **args;
      size_t arg_count;
      struct ast_type *type; /* or NULL: that of the body */
      struct ast_expr *body;
      const struct type *result; /* checker */
      const fmpq *constant; /* checker: its value if it is a closed rational constant, or NULL */
    } let;
    struct {
      struct ast_var **args;
      size_t arg_count;
      struct ast_type *result;
    } op;
    /* libm ln, exp within 1 ulp; */
    struct {
      struct ast_name *functions;
      size_t count;
      struct ast_expr *bound;
    } libm;
    struct ast_expr *formula; /* axiom, lemma */
    struct {
      struct ast_var **args;
      size_t arg_count;
      struct ast_type *returns; /* or NULL */
      struct ast_oracle_use *uses;
      size_t use_count;
    } adversary;
    struct ast_routine *procedure;
    struct {
      struct ast_routine *routine;
      /* What a claim assumes (checker): a formula about two runs, or NULL, with what is required of
       * the private inputs of both; and preconditions on public inputs. */
      struct ast_expr *adjacent, **requires;
      size_t require_count;
      /* As written; the conditions are about the inputs of any one run. */
      struct ast_expr *adjacent_written, **requires_written;
      size_t written_count;
    } mechanism;
    struct {
      bool independent;  /* one noise per comparison (docs/automata.md); else shared */
      struct span noise; /* of the word that says so; file 0: not written */
      struct ast_name *vars;
      size_t var_count;
      struct ast_state *states;
      size_t state_count;
      struct ast_name start;
      struct ast_edge *edges;
      size_t edge_count;
    } automaton;
    struct {
      struct ast_name subject; /* mechanism or automaton */
      struct ast_decl *target; /* checker */
      enum notion notion;
      struct ast_expr *order;    /* renyi: alpha; NULL where it is bound: */
      struct ast_var *all_order; /* renyi for all a: the a; else NULL */
      struct ast_expr *epsilon;  /* the cost: epsilon, rho or mu; EXPR_HOLE: find the least */
      /* The first `?`: it is `epsilon`, or stands in `formula`, where all of them are one number;
       * NULL: nothing is asked for. */
      struct ast_expr *asked;
      /* `accurate`: what holds of the inputs and the result of one run, but with a probability of at
       * most `epsilon`; NULL: `private`, and there is no result */
      struct ast_expr *formula;
      /* `samples`: the distribution of the result of one run, or NULL. Then `formula` is false and
       * `epsilon` 0: whoever does not look at the distribution proves nothing. */
      struct ast_dist *law;
      struct ast_var *result;  /* checker; NULL: nothing is returned */
      struct ast_var *emitted; /* checker: `accurate`, what has been emitted; NULL: nothing is */
      struct ast_expr *delta;  /* or NULL: pure */
      struct ast_expr *under;  /* adjacency that replaces the mechanism's, or NULL; `accurate`: a
                                 formula about the inputs of the run. Checker: with what is
                                 required of private inputs */
      struct ast_expr *under_written; /* as written, or NULL */
      struct ast_domain *at;          /* finite claims: what parameters and inputs may be */
      size_t at_count;                /* 0: anything */
      bool has_proof;
      struct span proof; /* the braces and what is between them */
    } claim;
    struct {
      struct ast_binding *bindings;
      size_t count;
    } instance;
  } as;
};

/* `eps = 1/2` or `q in {-1, 0, 1}`, behind `at` in a claim: the values of a parameter or of an input;
 * of an input with parts, those of each number or truth value in it. */
struct ast_domain {
  struct ast_name name;
  bool is_set;              /* written with `in` */
  struct ast_expr **values; /* constants */
  size_t count;
  struct ast_decl *param; /* checker: the one or */
  struct ast_var *input;  /* the other */
};

/* A comment, for the formatter. Those inside a proof block are not listed. */
struct ast_comment {
  struct span span;
  bool is_doc;
};

/* One source file. */
struct ast_unit {
  uint32_t file;
  struct ast_decl **decls;
  size_t count;
  struct ast_comment *comments;
  size_t comment_count;
};

/* A file with everything it includes; decls in order of inclusion, each file once. */
struct ast_module {
  struct ast_unit **units; /* the last one is the file itself */
  size_t unit_count;
  struct ast_decl **decls;
  size_t decl_count;
  bool is_incomplete; /* an include could not be read: names may be missing */
};

#endif
