/* Visiting the names and expressions of a proof text, for tools that must see all of them (rename,
 * references). A new part of struct script_scope belongs into script_walk.c, too. */
#ifndef COUPLET_LSP_SCRIPT_WALK_H
#define COUPLET_LSP_SCRIPT_WALK_H

#include "proof/script.h"

struct script_visitor {
  void *context;
  void (*use)(void *context, const struct ast_name *name);    /* something of the program */
  void (*define)(void *context, const struct ast_name *name); /* known from here on */
  void (*expr)(void *context, const struct ast_expr *e);
};

/* Names without text are left out. */
void script_walk(const struct script_scope *scope, const struct script_visitor *visitor);

#endif
