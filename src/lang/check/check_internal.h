/* The checker, inside. check.h is its interface.
 *
 * check_module walks the declarations in order. A name is visible from the declaration after its
 * own on. Code is checked per routine, in this order, each step in its own file:
 *   collect  (check_local.c)    every variable gets a slot; targets of assignments are resolved
 *   infer    (check_local.c)    types of variables without `var`: join over their assignments,
 *                               repeated until nothing changes
 *   types    (check_stmt.c, check_expr.c, check_call.c)   reports, fills in the AST
 *   flow     (check_flow.c)     definite assignment, returns, unreachable and unused code
 *   bounds   (check_bounds.c)   array indices that are certainly wrong
 *   privacy  (check_privacy.c)  where private data may not go
 *
 * Frames. The arguments of a routine have slots 0..arg_count-1 and its other variables follow, loop
 * indices included. An oracle shares the frame of its mechanism: its own arguments and variables
 * have slots after those of the mechanism, so one frame holds everything. Binders of a quantifier
 * have the slots after the arguments that are visible there.
 *
 * A mistake is reported once: its expression gets types->error, which every check accepts. */
#ifndef COUPLET_LANG_CHECK_CHECK_INTERNAL_H
#define COUPLET_LANG_CHECK_CHECK_INTERNAL_H

#include "base/ptrmap.h"
#include "base/spell.h"
#include "lang/syntax/ast.h"
#include "lang/syntax/lang.h"

/* What an expression may contain depends on where it stands. */
struct expr_context {
  const char *place; /* for messages: "the adjacency formula" */
  bool formula;      /* quantifiers are allowed */
  bool two_runs;     /* run tags and adjacency shorthands are allowed, and needed */
  bool public_only;  /* private inputs may not occur */
  bool constant;     /* nothing but numbers: parameters may not occur either */
  bool may_ask;      /* `?` may stand for a number */
  bool covered;      /* inside a run tag or an adjacency shorthand */
  size_t next_slot;  /* of a binder */
};

enum routine_kind { ROUTINE_MECHANISM, ROUTINE_PROCEDURE, ROUTINE_ORACLE, ROUTINE_SCRIPT };

struct local_info {
  struct ast_var *var;
  struct span where; /* what gave the variable its present type */
  int pass;          /* the pass that did */
  bool conflict;     /* its assignments disagree; reported */
};

/* The variables of a routine, or of a mechanism and its oracles, by slot. */
struct frame {
  VEC(struct local_info) slots;
};

/* A variable that is visible, and what its name meant before. */
struct bound_var {
  struct ast_var *var, *before;
};

struct routine {
  enum routine_kind kind;
  struct ast_routine *ast;
  struct ast_decl *decl; /* mechanism (also for its oracles), procedure, adversary of a script */
  struct frame *frame;
  VEC(struct bound_var) own;  /* what the routine declares, except loop indices */
  const struct type *returns; /* types->unit: nothing */
  const struct type *emits;   /* or NULL */
  size_t errors;              /* reported before its check began */
  bool broken;                /* has statements that could not be read */
};

/* An input of some mechanism; the next one of the same name. */
struct input {
  struct ast_var *var;
  struct input *next;
};

struct checker {
  struct lang *lang;
  struct diags *diags;
  struct types *types;
  struct ast_module *module;

  bool misread;   /* there were syntax errors: the shape of the code is not to be trusted */
  bool quiet;     /* report nothing: a pass that will be repeated */
  bool inferring; /* the type of a variable may be unknown yet */
  bool changed;   /* ... and has been improved in this pass */
  int pass;       /* from 1 */

  struct ptrmap values;      /* name -> struct ast_decl: everything a value or call can mean */
  struct ptrmap type_names;  /* name -> struct ast_decl */
  struct ptrmap claim_names; /* one table per kind of thing that is only ever pointed at */
  struct ptrmap axiom_names;
  struct ptrmap lemma_names;
  struct ptrmap instance_names;
  struct ptrmap summaries; /* procedure -> what check_privacy.c knows of it */
  struct ptrmap inputs;    /* name -> struct input: the inputs of mechanisms above */
  struct ptrmap positions; /* struct ast_decl -> its position in the module + 1 */
  size_t now;              /* position + 1 of the declaration that is being checked */
  bool names_lost;         /* a declaration could not be read: unknown names may be its */

  struct ptrmap locals;   /* name -> struct ast_var: what is visible here */
  struct ptrmap oracles;  /* name -> struct ast_routine, in a mechanism */
  struct ptrmap reported; /* names reported as unknown in this declaration */
  struct ptrmap *reveal;  /* in an instance: name of an abstract type -> struct type; or NULL */
  struct ptrmap formulas; /* lets with a quantifier inside: not for programs */
  bool quantified;        /* the present let has one */
  struct expr_context ctx;
  struct routine *routine; /* whose statements are being checked, or NULL */
  unsigned loops;          /* around the present statement */
};

#define report_error(c, ...) ((c)->quiet ? (void)0 : diag_error((c)->diags, __VA_ARGS__))
#define report_warning(c, ...) ((c)->quiet ? (void)0 : diag_warning((c)->diags, __VA_ARGS__))
#define report_hint(c, ...) ((c)->quiet ? (void)0 : diag_hint((c)->diags, __VA_ARGS__))
#define report_note(c, ...) ((c)->quiet ? (void)0 : diag_note((c)->diags, __VA_ARGS__))

/* ---- names (check_name.c) ---------------------------------------------------------------------
 */

/* Enters all declarations of the module; reports duplicates; names the claims that have no name. */
void names_enter_module(struct checker *c);
/* What the name means here, or NULL after an error. `what` is what was expected: "a mechanism". */
struct ast_decl *names_find_value(struct checker *c, struct ast_name name, const char *what);
struct ast_decl *names_find_type(struct checker *c, struct ast_name name);
/* A declaration that is visible here, without a report. */
struct ast_decl *names_visible(const struct checker *c, const struct ptrmap *map, const char *name);
/* Makes a variable visible; reports what it would hide. Returns what to give to names_unbind. */
struct ast_var *names_bind(struct checker *c, struct ast_var *var);
void names_unbind(struct checker *c, struct ast_var *var, struct ast_var *before);
void names_unknown(struct checker *c, struct ast_name name, const char *what);
const char *decl_kind_text(enum decl_kind kind); /* "a parameter" */
/* Hints at the nearest of the candidates that were considered. */
void report_nearest(struct checker *c, const struct spell_best *best);

/* ---- types (check_type.c) ---------------------------------------------------------------------
 */

/* What a type as written denotes; checks its array lengths in the present context. */
const struct type *type_resolve(struct checker *c, struct ast_type *written);
/* The same for arguments; those of one `x, y : T` share their type. Sets roles and slots. */
void resolve_args(struct checker *c, struct ast_var **args, size_t count, enum var_role role);
/* Also makes them visible, each to the lengths of those after it. */
void bind_args(struct checker *c, struct ast_var **args, size_t count, enum var_role role);
/* Replaces abstract types by what the instance being checked says they are. */
const struct type *type_reveal(struct checker *c, const struct type *type);
const char *type_text(struct checker *c, const struct type *type);

/* The domains of a claim about the mechanism with this routine (check_at.c). */
void check_at(struct checker *c, struct ast_decl *claim, const struct ast_routine *r);

/* ---- expressions (check_expr.c) ---------------------------------------------------------------
 */

const struct type *check_expr(struct checker *c, struct ast_expr *e);
/* Reports a mismatch as "WHAT must be EXPECTED, but this is FOUND". */
void check_against(struct checker *c, struct ast_expr *e, const struct type *expected,
                   const char *what, ...) __attribute__((format(printf, 4, 5)));
/* How to make an integer of this. */
void hint_integer(struct checker *c, const struct ast_expr *e);
/* An int or real; returns its type, or error. */
const struct type *check_numeric(struct checker *c, struct ast_expr *e, const char *what);
/* A number that is not outside 0..1 as far as its text says (check_dist.c). */
void check_probability(struct checker *c, struct ast_expr *e, const char *what, const char *code);
void check_formula(struct checker *c, struct ast_expr *e, struct expr_context ctx);
/* The right-hand side of an assignment: may be a call of a procedure, oracle or adversary. */
const struct type *check_value(struct checker *c, struct ast_expr *e);
const struct type *check_call(struct checker *c, struct ast_expr *e, bool whole); /* check_call.c */
/* A function of an array, with one argument (check_arrays.c). */
struct builtin_info;
const struct type *check_array_call(struct checker *c, struct ast_expr *e,
                                    const struct builtin_info *info);
/* Floating-point numbers (check_float.c). Like check_numeric, but of any kind. */
const struct type *check_any_number(struct checker *c, struct ast_expr *e, const char *what);
/* A literal where a float is expected becomes one; false: it is nothing of the kind. */
bool check_float_literal(struct checker *c, struct ast_expr *e, const struct type *expected);
/* The expression becomes to_float or to_float32 of itself, as the type says. */
void become_conversion(struct checker *c, struct ast_expr *e, const struct type *type);
/* Two operands that have their types: *common is that of both, or an error was reported. False: none
 * of them is a float. */
bool check_float_pair(struct checker *c, struct ast_expr *left, struct ast_expr *right,
                      const char *what, const struct type **common);
const struct type *check_float_call(struct checker *c, struct ast_expr *e,
                                    const struct builtin_info *info);
/* How far from the correctly rounded one the value of a function of floats may be. */
unsigned libm_ulps(const struct checker *c, enum builtin id);
void check_libm(struct checker *c, struct ast_decl *d);
/* Optional values (check_option.c): where the type is known; false if it is nothing of the kind. */
bool check_option_against(struct checker *c, struct ast_expr *e, const struct type *expected);
const struct type *check_option_call(struct checker *c, struct ast_expr *e,
                                     const struct builtin_info *info);
bool is_none(const struct checker *c, const struct ast_expr *e);
const struct type *check_bare_none(struct checker *c, const struct ast_expr *e);
/* A let with a quantifier inside is as good as the quantifier. */
void check_formula_let(struct checker *c, const struct ast_expr *e, const struct ast_decl *let);
/* Sign of a constant: -1, 0, 1; 2 when it is not constant. */
int constant_sign(const struct ast_expr *e);

/* ---- routines ---------------------------------------------------------------------------------
 */

/* check_local.c */
void collect_locals(struct checker *c, struct routine *r);
void infer_locals(struct checker *c, struct routine **routines, size_t count);
/* The variable gets a value of this type at this place. */
void local_gets(struct checker *c, struct ast_var *var, const struct type *type, struct span where);

/* check_stmt.c */
void check_body(struct checker *c, struct routine *r);
/* Makes the variables of the routine visible, and hides them again. */
void routine_enter(struct checker *c, struct routine *r);
void routine_leave(struct checker *c, struct routine *r);
void check_dist(struct checker *c, struct ast_dist *d); /* check_dist.c; type by dist_type */
const struct type *dist_type(struct checker *c, const struct ast_dist *d);

/* check_routine.c: all steps for a routine and, for a mechanism, its oracles. Arguments have their
 * types already, and what they hide was reported. */
void check_routine(struct checker *c, struct routine *r);

/* Does a jump of this kind, of the loop around the block, stand in it? (check_plain.c) */
bool block_jumps(const struct ast_block *b, enum stmt_kind kind);
/* check_plain.c: the body without sugar, once everything else was checked. */
void make_plain(struct checker *c, struct routine *r);
/* A variable that the source does not have (check_local.c). */
struct ast_var *add_local(struct checker *c, struct routine *r, struct ast_name name,
                          const struct type *type);

void check_flow(struct checker *c, struct routine **routines, size_t count);
void check_bounds(struct checker *c, struct routine *r);
void check_privacy(struct checker *c, struct routine **routines, size_t count);
/* check_cover.c: the target of this statement of the loop's body, if it is the one by which the
 * loop writes every item of an array; else NULL. `all` is the body of the routine. */
const struct ast_target *covering_target(const struct ast_block *all, const struct ast_stmt *loop,
                                         const struct ast_stmt *s);

/* ---- declarations -----------------------------------------------------------------------------
 */

void check_decl(struct checker *c, struct ast_decl *decl);
void check_claim(struct checker *c, struct ast_decl *decl);
void check_automaton(struct checker *c, struct ast_decl *decl);
void check_automaton_claim(struct checker *c, struct ast_decl *claim);
void check_instance(struct checker *c, struct ast_decl *decl);

#endif
