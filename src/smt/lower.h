/* Checked expressions of the language to terms.
 *
 * Variables. A program variable x is (x, sort, run) in terms: run 1 or 2 below a run tag, run 0
 * elsewhere (a formula about one run; term_tag puts it into a run). Variables marked with
 * lower_share are run 0 even below a tag: parameters always are. Two program variables of one name
 * (a local and an argument of an oracle) get different names in terms.
 *
 * Calls of `let` are inlined, operators become uninterpreted symbols, the adjacency shorthands are
 * written out. Arrays are total maps; their length is the term of the declaration, or a variable
 * length(x) when the declaration leaves it open. Equality of arrays is equality of lengths and of
 * the entries within them. */
#ifndef COUPLET_SMT_LOWER_H
#define COUPLET_SMT_LOWER_H

#include "base/ptrmap.h"
#include "lang/ast.h"
#include "term/term.h"

struct lowered_var;
struct lowering {
  struct terms *ts;
  struct ptrmap vars; /* ast_var or ast_decl -> struct lowered_var */
  VEC(struct lowered_var *) all;
  unsigned depth;      /* of expressions, definitions included */
  const char *problem; /* after TERM_NONE: what could not be expressed; NULL: see ts->failure */
  struct span place;   /* where */
};

void lower_init(struct lowering *lw, struct terms *ts);
void lower_clear(struct lowering *lw);

/* SORT_NONE for types without values (unit, error, the list of unknown element). */
sort_id lower_sort(struct lowering *lw, const struct type *type);
/* The variable in a run. */
term_id lower_var(struct lowering *lw, const struct ast_var *var, unsigned run);
/* The parameter: run 0. */
term_id lower_param(struct lowering *lw, const struct ast_decl *param);
/* From now on the variable is the same in both runs. */
void lower_share(struct lowering *lw, const struct ast_var *var);
/* Number of elements of an array variable, in a run. */
term_id lower_array_length(struct lowering *lw, const struct ast_var *var, unsigned run);
/* The symbol of an `op` declaration. */
symbol_id lower_symbol(struct lowering *lw, const struct ast_decl *op);

/* The expression with untagged variables in `run` (0: two-run formulas, where tags decide).
 * TERM_NONE: `problem` and `place` say why. */
term_id lower_expr(struct lowering *lw, const struct ast_expr *expr, unsigned run);
/* The same, made to fit a sort: [] and integers adapt. */
term_id lower_expr_as(struct lowering *lw, const struct ast_expr *expr, unsigned run, sort_id sort);

/* Facts a parameter comes with: its assumptions, one by one; and axioms. Appended to out. False:
 * one could not be expressed (and was left out, which is sound). */
bool lower_assumptions(struct lowering *lw, const struct ast_module *module, term_list *out);

#endif
