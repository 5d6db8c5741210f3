/* The state of one translation to C; what the parts share.
 *
 * Every function of the program gets `c` (struct cp, the run) and `in` (struct in: parameters and
 * inputs). Lets, quantifiers and procedures become functions, written to `functions` when they are
 * first met, so that each stands before its use. */
#ifndef COUPLET_COMPILE_GEN_H
#define COUPLET_COMPILE_GEN_H

#include "base/ptrmap.h"
#include "compile/compile.h"

typedef VEC(const struct ast_var *) cgen_scope;

struct cgen {
  const struct compile_input *input;
  struct buffer functions;
  struct ptrmap done; /* lets and procedures that are written */
  cgen_scope scope;   /* arguments of a let and binders that are visible */
  unsigned made;      /* names */
};

/* Something cannot be compiled: an error at the place, with a hint. */
void cgen_refuse(struct cgen *g, struct span span, const char *hint, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* ---- names and types ------------------------------------------------------------------------- */

/* The type in C, with a blank or star behind it. */
const char *cgen_c_type(const struct type *type);
/* The member of union cp_value that holds it. */
const char *cgen_member(const struct type *type);
bool cgen_is_seq(const struct type *type);
/* The type as the run-time library reads it (compile/runtime/value.c). */
void cgen_descriptor(struct cgen *g, struct buffer *out, const struct type *type, struct span span);
/* A name as part of an identifier, a text as a C string, a place as one. */
void cgen_identifier(struct buffer *out, const char *name);
/* The name of the mechanism for those who call it. */
void cgen_public_name(struct buffer *out, const char *name);
void cgen_string(struct buffer *out, const char *text);
void cgen_place(struct cgen *g, struct buffer *out, struct span span);
void cgen_var(struct buffer *out, const struct ast_var *var);

/* ---- expressions ----------------------------------------------------------------------------- */

void cgen_expr(struct cgen *g, struct buffer *out, const struct ast_expr *e);
/* if .. then .. else: each branch as the writer has it. */
typedef void cgen_writer(struct cgen *g, struct buffer *out, const struct ast_expr *e);
void cgen_conditional(struct cgen *g, struct buffer *out, const struct ast_expr *e,
                      cgen_writer *branch);
/* As an item of a sequence: union cp_value. */
void cgen_item(struct cgen *g, struct buffer *out, const struct ast_expr *e);
/* A sequence that is only looked at: no mark that it is shared. */
void cgen_look(struct cgen *g, struct buffer *out, const struct ast_expr *e);
/* `(c, in, ARG, ..)` */
void cgen_args(struct cgen *g, struct buffer *out, struct ast_expr *const *args, size_t count);

/* The call of a let; of one that is irrational the value is a const struct cp_real *. */
void cgen_let(struct cgen *g, struct buffer *out, const struct ast_decl *let,
              struct ast_expr *const *args, size_t count);

/* Does it mention exp, ln or sqrt, itself or in a let? */
bool cgen_is_irrational(const struct ast_expr *e);
/* A number that may have exponentials in it: const struct cp_real *. */
void cgen_real(struct cgen *g, struct buffer *out, const struct ast_expr *e);

/* ---- statements ------------------------------------------------------------------------------ */

/* A function of its own; its name is prefix_NAME_. */
void cgen_routine(struct cgen *g, const char *prefix, const struct ast_routine *routine);

#endif
