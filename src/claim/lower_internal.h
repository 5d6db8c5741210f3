/* Lowering, inside: what its files share. lower.h is the interface.
 *
 *   lower.c       statements, mechanisms
 *   lower_call.c  calls of procedures, oracles and adversaries
 *   lower_var.c   variables of the source and those the translation needs */
#ifndef COUPLET_CLAIM_LOWER_INTERNAL_H
#define COUPLET_CLAIM_LOWER_INTERNAL_H

#include "base/vec.h"
#include "claim/lower.h"
#include "kernel/core.h"

/* Where whole arrays are shown: `emit`, `return`, an argument of an adversary. */
struct shown {
  const void *what;
  size_t place; /* in tuples; 0: all of it */
  term_id length;
};

/* A routine under translation: where its results go. */
struct frame {
  struct translate_env *env;
  const struct ast_routine *routine;
  struct frame *mechanism; /* the outermost frame; itself for the mechanism */
  const char *suffix;      /* appended to names: "" for the mechanism */
  term_id output, result, returned;
  term_id emissions;       /* how many values `output` has, where it is an array; else TERM_NONE */
  bool one_run;            /* of the mechanism: the claim is about one run */
  size_t *calls;           /* counts inlined calls */
  term_id length;          /* of the array that a procedure returns; TERM_NONE: none yet */
  VEC(struct shown) shown; /* of the mechanism */
};

/* ---- lower_var.c ---------------------------------------------------------------------------- */

/* A program variable of this frame that the translation needs. Proofs can name it. */
term_id fresh_var(struct frame *f, struct span span, const char *name, sort_id sort);
/* The program variable of a variable of the source. */
term_id source_var(struct frame *f, struct span span, const struct ast_var *v);
/* What a variable of the source is in the logic; proofs can call it by either name. */
void declare(struct frame *f, const struct ast_var *v, term_id term, bool is_program,
             term_id length);
void declare_inputs(struct frame *f, const struct ast_routine *m);
void declare_locals(struct frame *f, const struct ast_routine *r);
/* The variable is known; TERM_NONE with a message: it is not. */
term_id var_term(struct frame *f, const struct ast_var *var);

/* ---- lower_call.c --------------------------------------------------------------------------- */

/* Is it a call of code, which stands alone? */
bool is_code_call(const struct ast_expr *e);
/* Such a call; the variable with its result, if any, goes to *result, and the constant length of an
 * array that a procedure returns to *length (TERM_NONE: it is none). */
const struct core *lower_code_call(struct frame *f, const struct ast_expr *e, term_id *result,
                                   term_id *length);
/* Every adversary of the module starts in the same state in both runs. */
const struct core *start_adversaries(struct frame *f);

/* ---- lower.c -------------------------------------------------------------------------------- */

struct arena *arena_of(struct frame *f);
/* NULL (after a mistake) if one of them is. */
const struct core *seq(struct frame *f, const struct core *a, const struct core *b);
const struct core *set(struct frame *f, struct span span, term_id var, term_id value);
/* An expression of the program. */
term_id value_as(struct frame *f, const struct ast_expr *e, sort_id sort);
/* All arrays that are shown at one place have the same length: nobody learns from it. */
bool may_show(struct frame *f, const void *what, const struct ast_expr *e);
/* The body of f->routine, whose variables are declared; makes those of its result and flag. */
const struct core *lower_body(struct frame *f, struct span span);

#endif
