/* The state of one translation to C; what the parts share.
 *
 * Every function of the program gets `c` (struct cp, the run) and `in` (struct in: parameters and
 * inputs). Lets, quantifiers and procedures become functions, written to `functions` when they are
 * first met, so that each stands before its use. */
#ifndef COUPLET_COMPILE_GEN_H
#define COUPLET_COMPILE_GEN_H

#include "base/ptrmap.h"
#include "compile/compile.h"

typedef VEC(const struct ast_var *) gen_scope;

struct gen {
  const struct compile_input *input;
  struct buffer functions;
  struct ptrmap done; /* lets and procedures that are written */
  gen_scope scope;    /* arguments of a let and binders that are visible */
  unsigned made;      /* names */
};

/* Something cannot be compiled: an error at the place, with a hint. */
void gen_refuse(struct gen *g, struct span span, const char *hint, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* ---- names and types ------------------------------------------------------------------------- */

/* The type in C, with a blank or star behind it. */
const char *gen_c_type(const struct type *type);
/* The member of union cp_value that holds it. */
const char *gen_member(const struct type *type);
bool gen_is_seq(const struct type *type);
/* The type as the run-time library reads it (compile/runtime/value.c). */
void gen_descriptor(struct gen *g, struct buffer *out, const struct type *type, struct span span);
/* A name as part of an identifier, a text as a C string, a place as one. */
void gen_identifier(struct buffer *out, const char *name);
void gen_string(struct buffer *out, const char *text);
void gen_place(struct gen *g, struct buffer *out, struct span span);
void gen_var(struct buffer *out, const struct ast_var *var);

/* ---- expressions ----------------------------------------------------------------------------- */

void gen_expr(struct gen *g, struct buffer *out, const struct ast_expr *e);
/* As an item of a sequence: union cp_value. */
void gen_item(struct gen *g, struct buffer *out, const struct ast_expr *e);
/* A sequence that is only looked at: no mark that it is shared. */
void gen_look(struct gen *g, struct buffer *out, const struct ast_expr *e);
/* `(c, in, ARG, ..)` */
void gen_args(struct gen *g, struct buffer *out, struct ast_expr *const *args, size_t count);

/* The call of a let; of one that is irrational the value is a const struct cp_real *. */
void gen_let(struct gen *g, struct buffer *out, const struct ast_decl *let,
             struct ast_expr *const *args, size_t count);

/* Does it mention exp, ln or sqrt, itself or in a let? */
bool gen_is_irrational(const struct ast_expr *e);
/* A number that may have exponentials in it: const struct cp_real *. */
void gen_real(struct gen *g, struct buffer *out, const struct ast_expr *e);

/* ---- statements ------------------------------------------------------------------------------ */

/* A function of its own; its name is prefix_NAME. */
void gen_routine(struct gen *g, const char *prefix, const struct ast_routine *routine);

#endif
