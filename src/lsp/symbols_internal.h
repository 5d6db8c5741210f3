/* Inside of the symbol table, shared by symbols.c and symbols_decl.c. */
#ifndef COUPLET_LSP_SYMBOLS_INTERNAL_H
#define COUPLET_LSP_SYMBOLS_INTERNAL_H

#include "lsp/symbols.h"

struct symbol_walk {
  struct symbols *out;
  struct lang *lang;
  const struct ast_module *module;
  struct ptrmap values, types;       /* interned name -> declaration */
  const struct ast_decl *decl;       /* around what is visited */
  const struct ast_routine *routine; /* whose variables are in scope, or NULL */
  VEC(const struct ast_var *) binders;
  VEC(const struct ast_name *) proof_names; /* that the proof has defined so far */
  bool in_proof;
};

/* The pointers stay good until the next symbol is made. */
struct symbol *symbol_of(struct symbol_walk *w, const void *node, enum symbol_kind kind,
                         const char *name);
struct symbol *var_symbol(struct symbol_walk *w, const struct ast_var *v);
/* What a name means here by the scopes alone; NULL if nothing has it. */
struct symbol *resolve(struct symbol_walk *w, const char *name);
/* False: it has no place. */
bool occur(struct symbol_walk *w, const struct symbol *s, struct span span, bool is_write);
/* `(x)` is the name x with a span that has the parentheses. */
struct span name_in(const struct symbol_walk *w, struct span span);
void define(struct symbol_walk *w, struct symbol *s, struct span span);

void walk_expr(struct symbol_walk *w, const struct ast_expr *e);
/* The cost of a claim; `order` may be bound in it, or NULL. */
void walk_bound_cost(struct symbol_walk *w, struct ast_var *order, const struct ast_expr *cost);
void walk_written_type(struct symbol_walk *w, const struct ast_type *t);
void walk_args(struct symbol_walk *w, struct ast_var *const *args, size_t count);
void walk_routine(struct symbol_walk *w, const struct ast_routine *r);
void walk_use(struct symbol_walk *w, const struct ast_oracle_use *use);
void walk_declared(struct symbol_walk *w, const struct ast_decl *d);
void walk_reference(struct symbol_walk *w, const struct ast_decl *d, struct span span);

/* symbols_decl.c */
void walk_decl(struct symbol_walk *w, const struct ast_decl *d);
void walk_proof(struct symbol_walk *w, const struct proof_text *proof);

#endif
